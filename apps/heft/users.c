// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE  // explicit_bzero
#include "users.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "device_key.h"
#include "maker_library.h"
#include "names.h"

const char users_help[] =
    "\n"
    "Users with haptic devices:\n"
    "  --device NAME[:ADDRESS]  add a device; may be repeated ('heft devices' lists the drivers)\n"
    "  --mode touch|attach      touch: the probe slides on surfaces, button 0 grasps (default);\n"
    "                           attach: the probe grasps the nearest body, or the one of --body\n"
    "  --body NAME              grasp this body from the start\n"
    "  --stiffness N/M          stiffness of the coupling (default: within the bound of the "
    "device)\n"
    "  --force N                maximum force (default: that of the device)\n"
    "  --scale X                metres in the world per metre of the device\n"
    "  --force-scale X          newtons at the hand per newton in the world (default 1)\n"
    "  --radius M               radius of the probe (default: from the size of the model)\n"
    "  --friction X             friction coefficient of the probe (default: that of the surface)\n"
    "  --at X,Y,Z               position of the centre of the device's workspace in the world\n"
    "  --clutch N               button that disengages the probe from the hand (-1: none; "
    "default: 1,\n"
    "                           in scenes with a gripper none)\n";

void users_init(Users* p) { *p = (Users){.force_scale = 1, .friction = -1, .clutch = -2}; }

// ---- options

static int say(const char* verb, const char* what, const char* value) {
  fprintf(stderr, "heft %s: error: %s '%s'; try 'heft %s --help'\n", verb, what, value, verb);
  return -1;
}

static int number(const char* verb, const char* text, double low, double high, double* out) {
  char* end = NULL;
  const double x = strtod(text, &end);
  if (end == text || *end || !(x >= low && x <= high))
    return say(verb, "expected a number within the range of the option, found", text);
  *out = x;
  return 1;
}

static int mode(const char* verb, const char* text, HeftProbeMode* out) {
  for (int i = 0; i < HEFT_PROBE_MODE_COUNT; ++i) {
    if (strcmp(text, heft_probe_mode_name((HeftProbeMode)i)) != 0) continue;
    *out = (HeftProbeMode)i;
    return 1;
  }
  return say(verb, "unknown mode (touch or attach)", text);
}

static int take_value(Users* p, const char* verb, const char* name, const char* value) {
  double x = 0;
  if (strcmp(name, "--device") == 0) {
    return users_add(p, value) ? 1
                               : say(verb, "too many devices, or the address is too long:", value);
  }
  if (strcmp(name, "--mode") == 0) return mode(verb, value, &p->mode);
  if (strcmp(name, "--body") == 0) {
    p->body = value;
    p->mode = HEFT_PROBE_ATTACH;
    return 1;
  }
  if (strcmp(name, "--stiffness") == 0) return number(verb, value, 1, 1e6, &p->stiffness);
  if (strcmp(name, "--force") == 0) return number(verb, value, 0.01, 1000, &p->force_max);
  if (strcmp(name, "--scale") == 0) return number(verb, value, 1e-3, 1e4, &p->scale);
  if (strcmp(name, "--force-scale") == 0) return number(verb, value, 1e-4, 1e4, &p->force_scale);
  if (strcmp(name, "--radius") == 0) return number(verb, value, 1e-4, 10, &p->radius);
  if (strcmp(name, "--friction") == 0) return number(verb, value, 0, 10, &p->friction);
  if (strcmp(name, "--at") == 0) return (p->has_at = 1), arguments_vector(verb, value, &p->at);
  if (strcmp(name, "--clutch") == 0) {
    const int taken = number(verb, value, -1, 31, &x);
    p->clutch = (int)x;
    return taken;
  }
  return 0;
}

int users_add(Users* p, const char* spec) {
  const size_t length = strlen(spec);
  if (p->count == USERS_MAX || length >= USERS_SPEC) return 0;
  memcpy(p->spec[p->count++], spec, length + 1);
  return 1;
}

int users_take(Users* p, const char* verb, int argc, char** argv, int* i) {
  if (argv[*i][0] != '-' || *i + 1 >= argc) return 0;
  const int taken = take_value(p, verb, argv[*i], argv[*i + 1]);
  if (taken > 0 && strcmp(argv[*i], "--device") != 0) p->option = argv[*i];
  if (taken > 0) ++*i;
  return taken;
}

static const HeftDriver* driver_of(const char* spec, const char** address) {
  char name[64];
  const char* colon = strchr(spec, ':');
  const size_t length = colon ? (size_t)(colon - spec) : strlen(spec);
  *address = colon ? colon + 1 : "";
  if (length >= sizeof name) return NULL;
  memcpy(name, spec, length);
  name[length] = '\0';
  return heft_driver_find(name);
}

static const char* driver_name(const void* from, int index) {
  (void)from;
  return heft_driver_at(index)->name;
}

static Names drivers(void) {
  int count = 0;
  while (heft_driver_at(count)) ++count;
  return (Names){driver_name, NULL, count};
}

const HeftDriver* users_driver(const char* verb, const char* spec, const char** address) {
  const HeftDriver* driver = driver_of(spec, address);
  if (!driver) names_wrong(verb, "unknown driver", spec, drivers());
  return driver;
}

HeftStatus users_open_device(HeftDevice** out, const HeftDriver* driver, const char* address,
                             const HeftDeviceDef* def, HeftError* error) {
  char named[1200];
  HeftStatus status = HEFT_OK;
  if (strcmp(driver->name, "udp") == 0) {
    status = device_key_address(address, named, sizeof named, error);
    address = named;
  } else {
    address = maker_library_address(driver->name, address, named, sizeof named);
  }
  if (status == HEFT_OK) status = heft_device_open(out, driver, address, def, error);
  explicit_bzero(named, sizeof named);
  return status;
}

// ---- placement and gains

typedef struct Extent {
  HeftVec3 middle;
  double size;
} Extent;

// Bounds of the shapes that can move, in the pose of the file; of all shapes if none can move.
static Extent extent_of(const HeftModel* m) {
  HeftDynamics* d = NULL;
  Extent e = {{0, 0, 0}, 0.5};
  if (heft_dynamics_create(&d, m, NULL, NULL) != HEFT_OK) return e;
  heft_dynamics_kinematics(d, m->q_default);
  HeftVec3 low = {1e9, 1e9, 1e9}, high = {-1e9, -1e9, -1e9};
  for (int b = 1; b < m->nbody; ++b) {
    const HeftVec3 at =
        heft_pose_apply(heft_dynamics_body_pose(d, b), heft_vec3_from(m->body_com + 3L * b));
    low = heft_vec3(fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z));
    high = heft_vec3(fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z));
  }
  heft_dynamics_destroy(d);
  if (m->nbody < 2) return e;
  e.middle = heft_vec3_scale(0.5, heft_vec3_add(low, high));
  const HeftVec3 span = heft_vec3_sub(high, low);
  e.size = fmax(0.3, 1.3 * fmax(span.x, fmax(span.y, span.z)));
  return e;
}

static double workspace(const HeftDeviceInfo* info) {
  const HeftVec3 span = heft_vec3_sub(info->highest, info->lowest);
  const double size = fmax(span.x, fmax(span.y, span.z));
  return size > 0.01 ? size : 0.2;
}

// A stiffness at the handle well below the bound of the device.
static double bearable(const HeftDeviceInfo* info, double rate) {
  const double bound = 0.8 * heft_device_stiffness_bound(info, 1.2 / rate, 0);
  return bound > 0 ? fmin(bound, 3000) : 300;
}

static void take_seat(Users* p, int i) {
  HeftMapping* map = &p->mapping[i];
  map->axes = p->seat[i].axes;
  if (!(p->scale > 0)) map->scale = p->seat[i].scale;
  if (!p->has_at) map->origin = p->seat[i].origin;
}

// The probe of a user whom no scene seats.
static HeftProbeDef usual_probe(const Users* p, double size) {
  HeftProbeDef probe = heft_probe_def_default();
  probe.mode = p->mode;
  probe.radius = fmax(1e-3, 0.015 * size);
  return probe;
}

// Sets the options that were given, and what follows from stiffness and limit of force.
static void finish_probe(const Users* p, double size, HeftProbeDef* probe) {
  if (p->radius > 0) probe->radius = p->radius;
  if (!p->seated) probe->rotational_stiffness = 0.02 * probe->stiffness * size * size;
  probe->friction = p->friction;
  probe->torque_max = probe->force_max * size;
}

static void place_device(Users* p, int i, const HeftModel* m) {
  const HeftDeviceInfo info = heft_device_info(p->device[i]);
  const Extent extent = extent_of(m);
  HeftMapping* map = &p->mapping[i];
  HeftProbeDef* probe = &p->probe[i];
  *map = heft_mapping_default();
  map->scale = p->scale > 0 ? p->scale : extent.size / workspace(&info);
  map->force_scale = p->force_scale;
  map->origin = p->has_at ? p->at : extent.middle;
  map->center = heft_vec3_scale(0.5, heft_vec3_add(info.lowest, info.highest));
  map->clutch = p->clutch > -2 ? p->clutch : p->seated && p->gripper ? -1 : 1;
  if (p->seated) take_seat(p, i);
  *probe = p->seated ? p->seat_probe[i] : usual_probe(p, extent.size);
  const double rate = info.rate > 0 ? fmin(info.rate, 1000) : 1000;
  const double felt = map->scale * map->force_scale;
  const double wanted = p->seated ? probe->stiffness : 1e9;
  probe->stiffness = p->stiffness > 0 ? p->stiffness : fmin(bearable(&info, rate) / felt, wanted);
  const double force = p->force_max > 0 ? p->force_max : info.force_max > 0 ? info.force_max : 3;
  probe->force_max = force / map->force_scale;
  finish_probe(p, extent.size, probe);
}

// ---- devices and their servo

static HeftStatus fail(HeftError* error, const char* what, const char* given, Names names) {
  char hint[250];
  error->status = HEFT_ERR_NAME;
  snprintf(error->message, sizeof error->message, "%s '%.200s'; %s", what, given,
           heft_names_hint(names, given, hint, sizeof hint));
  return error->status;
}

static HeftStatus open_one(Users* p, int i, HeftError* error) {
  const char* address = "";
  const HeftDriver* driver = driver_of(p->spec[i], &address);
  HeftDeviceDef def = heft_device_def_default();
  def.guard.force_max = p->force_max;
  if (!driver) return fail(error, "unknown driver", p->spec[i], drivers());
  return users_open_device(&p->device[i], driver, address, &def, error);
}

static HeftStatus grasp_body(const Users* p, const HeftModel* m, HeftProbeDef* probe,
                             HeftError* error) {
  const NamesModel bodies = {m, HEFT_NAMED_BODY};
  if (!p->body) return HEFT_OK;
  probe->body = heft_model_find(m, HEFT_NAMED_BODY, p->body);
  if (probe->body < 0)
    return fail(error, "the model has no body named", p->body, names_of_model(&bodies));
  probe->point = heft_vec3_from(m->body_com + 3L * probe->body);
  return HEFT_OK;
}

// Users far away have hands without a device that would limit them.
int users_probe(const Users* p, const char* verb, const HeftModel* m, HeftProbeDef* probe) {
  const Extent extent = extent_of(m);
  HeftError error = {0};
  *probe = usual_probe(p, extent.size);
  probe->stiffness = p->stiffness > 0 ? p->stiffness : 300;
  probe->force_max = p->force_max > 0 ? p->force_max : 20;
  finish_probe(p, extent.size, probe);
  if (grasp_body(p, m, probe, &error) == HEFT_OK) return 1;
  fprintf(stderr, "heft %s: error: %s\n", verb, error.message);
  return 0;
}

static HeftStatus place_all(Users* p, const HeftModel* m, HeftError* error) {
  HeftStatus status = HEFT_OK;
  for (int i = 0; i < p->count && status == HEFT_OK; ++i) {
    place_device(p, i, m);
    status = grasp_body(p, m, &p->probe[i], error);
  }
  return status;
}

static HeftStatus make_servo(Users* p, HeftError* error) {
  HeftServoDef servo = heft_servo_def_default();
  if (!p->real_time) servo.priority = servo.lock_memory = 0;
  heft_servo_destroy(p->servo);
  const HeftStatus status = heft_servo_create(&p->servo, &servo, error);
  for (int i = 0; i < p->count && status == HEFT_OK; ++i)
    heft_servo_add(p->servo, p->device[i], &p->mapping[i]);
  return status;
}

int users_open(Users* p, const char* verb, const HeftModel* m, int real_time) {
  HeftError error = {0};
  p->real_time = real_time;
  for (int i = 0; i < p->count; ++i) {
    if (open_one(p, i, &error) == HEFT_OK) continue;
    // not a key in it
    fprintf(stderr, "heft %s: error: %.*s: %s\n", verb, (int)strcspn(p->spec[i], "#"), p->spec[i],
            error.message);
    return 0;
  }
  if (place_all(p, m, &error) == HEFT_OK && make_servo(p, &error) == HEFT_OK) return 1;
  fprintf(stderr, "heft %s: error: %s\n", verb, error.message);
  return 0;
}

static void remove_one(Users* p, int i) {
  heft_device_close(p->device[i]);
  for (int k = i; k + 1 < p->count; ++k) {
    p->device[k] = p->device[k + 1];
    memcpy(p->spec[k], p->spec[k + 1], sizeof p->spec[k]);
  }
  p->device[--p->count] = NULL;
}

int users_change(Users* p, const HeftModel* m, const char* connect, int disconnect,
                 HeftError* error) {
  HeftError other = {0};
  heft_servo_destroy(p->servo);
  p->servo = NULL;
  error->status = HEFT_OK;
  if (disconnect >= 0 && disconnect < p->count) remove_one(p, disconnect);
  if (connect && !users_add(p, connect)) {
    error->status = HEFT_ERR_LIMIT;
    snprintf(error->message, sizeof error->message, "cannot add another device: '%.200s'", connect);
  } else if (connect && open_one(p, p->count - 1, error) != HEFT_OK) {
    --p->count;
  }
  // A body of the first model is not grasped in another model.
  if (place_all(p, m, &other) != HEFT_OK) {
    p->body = NULL;
    place_all(p, m, &other);
  }
  if (make_servo(p, &other) != HEFT_OK) *error = other;
  return error->status == HEFT_OK;
}

void users_close(Users* p) {
  heft_servo_destroy(p->servo);
  for (int i = 0; i < p->count; ++i) heft_device_close(p->device[i]);
}
