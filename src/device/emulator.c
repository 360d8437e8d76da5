// SPDX-License-Identifier: Apache-2.0
// An emulated device in an emulated hand.
//
//     m ẍ = f + k (x_i - x) - (c + b) ẋ - f_c ẋ/|ẋ|
//
// m: handle and hand together; f: force of the device; k, c: the arm, with the intention x_i; b
// and f_c: damping and dry friction of the device. Integrated in steps of 0.1 ms, all but f
// implicit, f held. Encoders return positions in multiples of Δ, and velocities from those.
#include <heft/device.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/assert.h"
#include "device/driver_list.h"
#include "device/text.h"

enum { PART_NS = 100000 };

HeftEmulatorDef heft_emulator_def_default(void) {
  HeftEmulatorDef def = {.hand_mass = 0.2, .hand_stiffness = 100, .hand_damping = 2, .seed = 1};
  heft_emulator_device("ideal", &def.info);
  return def;
}

// Published figures of the makers where there are any; damping and friction were taken
// from published measurements of similar devices.
static const HeftDeviceInfo models[] = {
    {.name = "ideal",
     .axes_sensed = 3,
     .axes_driven = 3,
     .lowest = {-0.2, -0.2, -0.2},
     .highest = {0.2, 0.2, 0.2},
     .force_max = 40,
     .speed_max = 4,
     .mass = 0,
     .rate = 1000},
    {.name = "touch",
     .axes_sensed = 6,
     .axes_driven = 3,
     .lowest = {-0.08, -0.035, -0.06},
     .highest = {0.08, 0.035, 0.06},
     .force_max = 3.3,
     .speed_max = 1.5,
     .mass = 0.045,
     .damping = 0.4,
     .friction = 0.26,
     .resolution = 5.5e-5,
     .rate = 1000},
    {.name = "inverse3",
     .axes_sensed = 3,
     .axes_driven = 3,
     .lowest = {-0.15, -0.1, -0.1},
     .highest = {0.15, 0.1, 0.1},
     .force_max = 10,
     .speed_max = 2,
     .mass = 0.12,
     .damping = 0.6,
     .friction = 0.15,
     .resolution = 1e-5,
     .rate = 1000},
    {.name = "omega",
     .axes_sensed = 3,
     .axes_driven = 3,
     .lowest = {-0.08, -0.08, -0.055},
     .highest = {0.08, 0.08, 0.055},
     .force_max = 12,
     .speed_max = 2,
     .mass = 0.2,
     .damping = 1.2,
     .friction = 0.3,
     .resolution = 1e-5,
     .rate = 4000},
    {.name = "joystick",
     .axes_sensed = 3,
     .axes_driven = 3,
     .lowest = {-0.1, -0.1, 0},
     .highest = {0.1, 0.1, 0},
     .force_max = 2,
     .mass = 0.2,
     .damping = 0.3,
     .friction = 0.3,
     .resolution = 3e-6,
     .rate = 125},
    {.name = "spacemouse",
     .axes_sensed = 6,
     .lowest = {-0.01, -0.01, -0.01},
     .highest = {0.01, 0.01, 0.01},
     .mass = 0.1,
     .damping = 3,
     .resolution = 2.8e-5,
     .rate = 60},
};

bool heft_emulator_device(const char* name, HeftDeviceInfo* info) {
  HEFT_REQUIRE(name && info, false);
  for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
    if (strcmp(models[i].name, name) != 0) continue;
    *info = models[i];
    return true;
  }
  return false;
}

HeftEmulator heft_emulator_make(const HeftEmulatorDef* def) {
  HEFT_REQUIRE(def, ((HeftEmulator){0}));
  HeftEmulator e = {.def = *def, .pos = def->start, .intention = def->start};
  e.sensed = def->start;
  e.random = def->seed * 0x9E3779B97F4A7C15u + 1;
  return e;
}

static double chance(HeftEmulator* e) {
  e->random ^= e->random << 13;
  e->random ^= e->random >> 7;
  e->random ^= e->random << 17;
  return (double)(e->random >> 11) * 0x1p-53;
}

// ---- the path of the hand

static void follow(HeftEmulator* e) {
  const double t = (double)(e->now_ns - e->begun_ns) * 1e-9;
  if (e->script_count == 0) return;
  int i = 0;
  while (i + 1 < e->script_count && e->script[i + 1][0] <= t) ++i;
  const double* a = e->script[i];
  const double* b = e->script[i + 1 < e->script_count ? i + 1 : i];
  const double span = b[0] - a[0];
  const double share = span > 0 ? fmin(fmax((t - a[0]) / span, 0), 1) : 0;
  const HeftVec3 from = heft_vec3_from(a + 1), to = heft_vec3_from(b + 1);
  e->intention = heft_vec3_add_scaled(from, share, heft_vec3_sub(to, from));
  e->buttons = (unsigned)a[4];
}

HeftStatus heft_emulator_script(HeftEmulator* e, const char* text) {
  HEFT_REQUIRE(e && text, HEFT_ERR_ARGUMENT);
  int count = 0;
  const char* at = text;
  while (*at) {
    double n[5];
    int have = 0;
    if (count == 16) return HEFT_ERR_LIMIT;
    while (have < 5 && text_number(&at, &n[have])) ++have;
    at = text_skip(at);
    if (have < 4 || (*at != ';' && *at != '\0')) return HEFT_ERR_SYNTAX;
    if (count > 0 && !(n[0] >= e->script[count - 1][0])) return HEFT_ERR_SYNTAX;
    if (have == 4) n[4] = 0;
    if (!(n[4] >= 0 && n[4] < 65536)) return HEFT_ERR_SYNTAX;
    memcpy(e->script[count++], n, sizeof n);
    if (*at == ';') at = text_skip(at + 1);
  }
  e->script_count = count;
  return HEFT_OK;
}

// ---- motion

static void move(HeftEmulator* e, double dt) {
  const HeftEmulatorDef* d = &e->def;
  const double mass = d->info.mass + d->hand_mass, b = d->info.damping;
  const double m = mass + dt * (b + d->hand_damping) + dt * dt * d->hand_stiffness;
  const HeftVec3 arm = heft_vec3_scale(d->hand_stiffness, heft_vec3_sub(e->intention, e->pos));
  const HeftVec3 push = heft_vec3_add(e->force.force, arm);
  HeftVec3 v =
      heft_vec3_scale(1 / m, heft_vec3_add_scaled(heft_vec3_scale(mass, e->vel), dt, push));
  const double speed = heft_vec3_norm(v), brake = dt * d->info.friction / m;
  v = speed > brake ? heft_vec3_scale(1 - brake / speed, v) : heft_vec3(0, 0, 0);
  const double dissipated = b * heft_vec3_dot(v, v) + d->info.friction * heft_vec3_norm(v);
  const double work = -dt * heft_vec3_dot(e->force.force, v);
  e->worked += work;
  if (heft_vec3_norm(e->force.force) > 0) e->given += work + dt * dissipated;
  e->vel = v;
  e->pos = heft_vec3_add_scaled(e->pos, dt, v);
}

void heft_emulator_advance(HeftEmulator* e, uint64_t now_ns) {
  HEFT_REQUIRE_VOID(e);
  if (!e->begun) {
    e->begun = 1;
    e->now_ns = e->begun_ns = now_ns;
    follow(e);
    return;
  }
  if (now_ns > e->now_ns + 1000000000u) e->now_ns = now_ns - 1000000000u;  // no call for a second
  while (e->now_ns < now_ns) {
    const uint64_t left = now_ns - e->now_ns, part = left < PART_NS ? left : PART_NS;
    e->now_ns += part;
    follow(e);
    move(e, (double)part * 1e-9);
  }
}

// ---- samples of the device

static double in_steps(double x, double step) {
  return step > 0 ? step * floor(x / step + 0.5) : x;
}

static void sense(HeftEmulator* e) {
  const double step = e->def.info.resolution;
  const HeftVec3 now =
      heft_vec3(in_steps(e->pos.x, step), in_steps(e->pos.y, step), in_steps(e->pos.z, step));
  const double dt = (double)(e->now_ns - e->sensed_ns) * 1e-9;
  if (step == 0) {
    e->sensed_vel = e->vel;
  } else if (e->sensed_ns > 0 && dt > 0) {
    const HeftVec3 rate = heft_vec3_scale(1 / dt, heft_vec3_sub(now, e->sensed));
    const double share = dt / (dt + 0.003);
    e->sensed_vel = heft_vec3_add_scaled(e->sensed_vel, share, heft_vec3_sub(rate, e->sensed_vel));
  }
  e->sensed = now;
  e->sensed_ns = e->now_ns;
}

HeftDeviceRead heft_emulator_read(HeftEmulator* e, HeftDeviceSample* s) {
  HEFT_REQUIRE(e && s, HEFT_DEVICE_NOTHING);
  if (e->dead) return HEFT_DEVICE_LOST;
  ++e->number;
  if (e->def.loss > 0 && chance(e) < e->def.loss) return HEFT_DEVICE_NOTHING;
  sense(e);
  *s = (HeftDeviceSample){.time_ns = e->now_ns,
                          .number = e->number,
                          .pos = e->sensed,
                          .rot = heft_quat_identity(),
                          .vel = e->sensed_vel,
                          .buttons = e->buttons};
  return HEFT_DEVICE_FRESH;
}

bool heft_emulator_write(HeftEmulator* e, const HeftDeviceForce* force) {
  HEFT_REQUIRE(e && force, false);
  if (e->dead) return false;
  HeftDeviceForce next = e->pending[0];
  const int delay = e->def.delay < 8 ? e->def.delay : 8;
  if (e->def.loss > 0 && chance(e) < e->def.loss) return true;
  if (delay <= 0) {
    next = *force;
  } else {
    for (int i = 0; i + 1 < delay; ++i) e->pending[i] = e->pending[i + 1];
    e->pending[delay - 1] = *force;
  }
  e->force = next;
  return true;
}

// ---- from a text

typedef struct Setting {
  const char* name;
  size_t offset;
  double max;
} Setting;

#define SETTING(name, field, max) \
  { name, offsetof(HeftEmulatorDef, field), max }
static const Setting settings[] = {
    SETTING("mass", info.mass, 100),
    SETTING("damping", info.damping, 1e4),
    SETTING("friction", info.friction, 1e3),
    SETTING("resolution", info.resolution, 1),
    SETTING("force", info.force_max, 1e3),
    SETTING("rate", info.rate, 1e5),
    SETTING("hand-mass", hand_mass, 100),
    SETTING("hand-stiffness", hand_stiffness, 1e6),
    SETTING("hand-damping", hand_damping, 1e4),
    SETTING("jitter", jitter, 10),
    SETTING("loss", loss, 1),
};

static int change(HeftEmulatorDef* def, const char* name, double value) {
  for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i) {
    if (strcmp(settings[i].name, name) != 0) continue;
    if (!(value >= 0 && value <= settings[i].max)) return 0;
    memcpy((char*)def + settings[i].offset, &value, sizeof value);
    return 1;
  }
  if (strcmp(name, "delay") == 0 && value >= 0 && value <= 8) return def->delay = (int)value, 1;
  if (strcmp(name, "seed") == 0 && value >= 0 && value < 1e15)
    return def->seed = (uint64_t)value, 1;
  return 0;
}

// "model,name=number,...".
static HeftStatus read_device(const char* text, HeftEmulatorDef* def, HeftError* error) {
  char name[64], part[64];
  const char* rest = text_split(text, ',', name, sizeof name);
  if (name[0] && !heft_emulator_device(name, &def->info))
    return text_error(error, HEFT_ERR_NAME, "there is no emulated device", name,
                      "ideal, touch, inverse3, omega, joystick or spacemouse");
  while (rest[0]) {
    rest = text_split(rest, ',', part, sizeof part);
    const char* number = text_split(part, '=', name, sizeof name);
    double value = 0;
    if (!text_number(&number, &value) || *number || !change(def, name, value))
      return text_error(error, HEFT_ERR_SYNTAX, "a change of the device is not understood", part,
                        "mass=, damping=, friction=, resolution=, hand-stiffness= ...");
  }
  return HEFT_OK;
}

HeftStatus heft_emulator_read_text(HeftEmulator* e, const char* text, HeftError* error) {
  HEFT_REQUIRE(e && text, HEFT_ERR_ARGUMENT);
  HeftEmulatorDef def = heft_emulator_def_default();
  char device[256];
  const char* script = text_split(text, ':', device, sizeof device);
  const HeftStatus status = read_device(device, &def, error);
  if (status != HEFT_OK) return status;
  *e = heft_emulator_make(&def);
  if (script[0] && heft_emulator_script(e, script) != HEFT_OK)
    return text_error(error, HEFT_ERR_SYNTAX, "the way of the hand is not understood", script,
                      "\"time x y z; time x y z ...\"");
  if (e->script_count > 0) {
    e->pos = e->intention = heft_vec3_from(&e->script[0][1]);
    e->sensed = e->pos;
  }
  return HEFT_OK;
}

// ---- as a driver: "model" or "model:script"

static HeftStatus emulated_open(void* self, const char* address, HeftError* error) {
  return heft_emulator_read_text(self, address, error);
}

static void emulated_close(void* self) { (void)self; }

static void emulated_info(void* self, HeftDeviceInfo* info) {
  *info = ((HeftEmulator*)self)->def.info;
}

static HeftDeviceRead emulated_read(void* self, uint64_t now_ns, HeftDeviceSample* sample) {
  heft_emulator_advance(self, now_ns);
  return heft_emulator_read(self, sample);
}

static bool emulated_write(void* self, uint64_t now_ns, const HeftDeviceForce* force) {
  (void)now_ns;
  return heft_emulator_write(self, force);
}

const HeftDriver heft_driver_emulated = {
    .name = "emulated",
    .text = "emulated device and hand, for tests and for use without a device",
    .address = "model:script, for example touch:0 0 0 0.05; 2 0 0 -0.02",
    .size = sizeof(HeftEmulator),
    .open = emulated_open,
    .close = emulated_close,
    .info = emulated_info,
    .read = emulated_read,
    .write = emulated_write,
};
