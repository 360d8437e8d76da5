// SPDX-License-Identifier: Apache-2.0
// A row is one message of each channel. Readers of Heft want all rows complete and their times in
// order; a log that was interrupted is read as far as its chunks go.
#include <heft/run_log.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "record/mcap.h"

#include "base/allocator.h"
#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"
#include "record/foxglove.h"

enum { NAME = 128 };

typedef struct Group {
  char name[NAME];
  HeftOptions values;
} Group;

struct HeftRunLog {
  HeftAllocator allocator;
  const HeftModel* model;
  HeftMcap* mcap;
  Group group[HEFT_RUN_LOG_GROUPS_MAX];
  int group_count;
  double (*value)(const void* user, int group, int index);
  const void* user;
  int state, report, contacts, frames, forces, joints, controls, sensors, values;  // channels
  int patches;   // 0: no area contact
  double arrow;  // length of an arrow for the weight of the model [m]; 0: not known yet
  HeftJsonText line;
  HeftContact* contact;     // of a step, to find its patches; NULL: none yet
  HeftContactPatch* patch;  // contact_capacity, too
  int contact_capacity;
};

void heft_run_log_def_init(HeftRunLogDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftRunLogDef, def, cookie)) return;
  *def = (HeftRunLogDef){.cookie = cookie, .allocator = heft_allocator_default()};
}

// ---- schemas

#define NUMBER "{\"type\":\"number\"}"
#define VECTOR \
  "{\"type\":\"object\",\"properties\":{\"x\":" NUMBER ",\"y\":" NUMBER ",\"z\":" NUMBER "}}"
#define NUMBERS "{\"type\":\"array\",\"items\":" NUMBER "}"

static const char model_schema[] =
    "{\"type\":\"object\",\"properties\":{\"version\":{\"type\":\"string\"},\"path\":{\"type\":"
    "\"string\"},\"hash\":{\"type\":\"string\"},\"time_step\":" NUMBER ",\"mass\":" NUMBER
    ",\"joints\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"name\":{"
    "\"type\":\"string\"},\"type\":{\"type\":\"string\"},\"q\":" NUMBER ",\"v\":" NUMBER "}}}}}";
static const char state_schema[] = "{\"type\":\"object\",\"properties\":{\"time\":" NUMBER
                                   ",\"q\":" NUMBERS ",\"v\":" NUMBERS ",\"moved\":" NUMBERS "}}";
static const char report_schema[] =
    "{\"type\":\"object\",\"properties\":{\"kinetic\":" NUMBER ",\"potential\":" NUMBER
    ",\"work\":" NUMBER ",\"contacts\":" NUMBER ",\"residual\":" NUMBER ",\"relative\":" NUMBER
    ",\"cone\":" NUMBER ",\"gap_power\":" NUMBER ",\"penetration\":" NUMBER
    ",\"energy_change\":" NUMBER ",\"status\":" NUMBER
    ",\"status_text\":{\"type\":\"string\"}"
    ",\"inexact\":" NUMBER ",\"dropped\":" NUMBER ",\"islands\":" NUMBER ",\"sweeps\":" NUMBER
    ",\"newton_steps\":" NUMBER ",\"errors\":{\"type\":\"object\",\"additionalProperties\":" NUMBER
    "}}}";
static const char contact_schema[] =
    "{\"type\":\"object\",\"properties\":{\"contacts\":{\"type\":\"array\",\"items\":{\"type\":"
    "\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"},"
    "\"shape_a\":" NUMBER ",\"shape_b\":" NUMBER ",\"state\":" NUMBER ",\"gap\":" NUMBER
    ",\"pos\":" VECTOR ",\"normal\":" VECTOR ",\"force\":" VECTOR ",\"torque\":" VECTOR
    ",\"slip\":" VECTOR ",\"area\":" NUMBER ",\"pressure\":" NUMBER "}}}}}";
static const char patch_schema[] =
    "{\"type\":\"object\",\"properties\":{\"area\":" NUMBER ",\"force\":" NUMBER
    ",\"peak_pressure\":" NUMBER
    ",\"patches\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"a\":{"
    "\"type\":\"string\"},\"b\":{\"type\":\"string\"},\"shape_a\":" NUMBER ",\"shape_b\":" NUMBER
    ",\"area\":" NUMBER ",\"force\":" NUMBER ",\"peak_pressure\":" NUMBER ",\"center\":" VECTOR
    "}}}}}";

// ---- names

// The name of an object, or its kind and number, quoted.
static void put_name(HeftJsonText* t, const HeftModel* m, HeftNamed kind, const char* word, int i) {
  const char* name = heft_model_name(m, kind, i);
  char numbered[48];
  snprintf(numbered, sizeof numbered, "%s %d", word, i);
  heft_json_text_quoted(t, *name ? name : numbered);
}

// ---- schemas that depend on the model

static const char* control_schema(HeftJsonText* t, const HeftModel* m) {
  heft_json_text_put(t, "{\"type\":\"object\",\"properties\":{");
  for (int i = 0; i < m->nactuator; ++i) {
    if (i > 0) heft_json_text_put(t, ",");
    put_name(t, m, HEFT_NAMED_ACTUATOR, "actuator", i);
    heft_json_text_put(
        t, ":{\"type\":\"object\",\"properties\":{\"control\":" NUMBER ",\"force\":" NUMBER "}}");
  }
  heft_json_text_put(t, "}}");
  return heft_json_text_string(t);
}

static const char* sensor_schema(HeftJsonText* t, const HeftModel* m) {
  heft_json_text_put(t, "{\"type\":\"object\",\"properties\":{");
  for (int i = 0; i < m->nsensor; ++i) {
    const HeftSensorType type = m->sensor_type[i];
    if (i > 0) heft_json_text_put(t, ",");
    put_name(t, m, HEFT_NAMED_SENSOR, "sensor", i);
    heft_json_text_put(t, ":{\"description\":");
    heft_json_text_quoted(t, heft_sensor_type_name(type));
    heft_json_text_put(t, heft_sensor_type_value_count(type) == 1
                              ? ",\"type\":\"number\"}"
                              : ",\"type\":\"array\",\"items\":" NUMBER "}");
  }
  heft_json_text_put(t, "}}");
  return heft_json_text_string(t);
}

static const char* value_schema(HeftJsonText* t, const HeftRunLog* log) {
  heft_json_text_put(t, "{\"type\":\"object\",\"properties\":{");
  for (int i = 0; i < log->group_count; ++i) {
    const Group* g = &log->group[i];
    if (i > 0) heft_json_text_put(t, ",");
    heft_json_text_quoted(t, g->name);
    heft_json_text_put(t, ":{\"type\":\"object\",\"properties\":{");
    for (int k = 0; k < g->values.count; ++k) {
      const HeftOption* o = &g->values.option[k];
      char meaning[200];
      snprintf(meaning, sizeof meaning, o->unit[0] ? "%.150s [%.30s]" : "%.150s", o->meaning,
               o->unit);
      if (k > 0) heft_json_text_put(t, ",");
      heft_json_text_quoted(t, o->name);
      heft_json_text_put(t, ":{\"type\":\"number\",\"description\":");
      heft_json_text_quoted(t, meaning);
      heft_json_text_put(t, "}");
    }
    heft_json_text_put(t, "}}");
  }
  heft_json_text_put(t, "}}");
  return heft_json_text_string(t);
}

// ---- messages

static void release_contacts(HeftRunLog* log) {
  const HeftAllocator* a = &log->allocator;
  const size_t count = (size_t)log->contact_capacity;
  if (log->contact) a->release(a->user, log->contact, count * sizeof *log->contact);
  if (log->patch) a->release(a->user, log->patch, count * sizeof *log->patch);
  log->contact = NULL;
  log->patch = NULL;
  log->contact_capacity = 0;
}

static void send(HeftRunLog* log, int channel, uint64_t time) {
  const char* text = heft_json_text_string(&log->line);
  heft_mcap_message(log->mcap, channel, time, text, strlen(text));
  log->line.text.size = 0;
}

static void send_model(HeftRunLog* log, int channel, const char* path) {
  const HeftModel* m = log->model;
  HeftJsonText* t = &log->line;
  heft_json_text_say(t, "{\"version\":\"%s\",\"path\":", heft_version());
  heft_json_text_quoted(t, path);
  heft_json_text_say(t, ",\"hash\":\"%016llx\",\"time_step\":%.17g,\"mass\":%.17g,\"joints\":[",
                     (unsigned long long)heft_model_hash(m), m->physics.time_step,
                     heft_model_mass(m));
  for (int j = 0; j < m->njoint; ++j) {
    heft_json_text_put(t, j ? ",{\"name\":" : "{\"name\":");
    put_name(t, m, HEFT_NAMED_JOINT, "joint", j);
    heft_json_text_say(t, ",\"type\":\"%s\",\"q\":%d,\"v\":%d}",
                       heft_joint_type_name(m->joint_type[j]), m->joint_q[j], m->joint_dof[j]);
  }
  heft_json_text_put(t, "]}");
  send(log, channel, 0);
}

static void send_state(HeftRunLog* log, const HeftState* s, uint64_t time) {
  HeftJsonText* t = &log->line;
  heft_json_text_put(t, "{\"time\":");
  heft_json_text_number(t, *s->time);
  heft_json_text_put(t, ",");
  heft_json_text_array(t, "q", s->q, s->nq);
  heft_json_text_put(t, ",");
  heft_json_text_array(t, "v", s->v, s->nv);
  if (s->nmoved > 0) {
    heft_json_text_put(t, ",");
    heft_json_text_array(t, "moved", s->moved, 13 * s->nmoved);
  }
  heft_json_text_put(t, "}");
  send(log, log->state, time);
}

// The errors that are not zero, by name.
static void send_errors(HeftJsonText* t, const HeftStepReport* r) {
  const HeftOptions names = heft_step_bounds_options();
  int any = 0;
  heft_json_text_put(t, ",\"errors\":{");
  for (int i = 0; i < HEFT_QUANTITY_COUNT; ++i) {
    if (!(r->error[i].value > 0)) continue;
    if (any) heft_json_text_put(t, ",");
    heft_json_text_quoted(t, names.option[i].name);
    heft_json_text_put(t, ":");
    heft_json_text_number(t, r->error[i].value);
    any = 1;
  }
  heft_json_text_put(t, "}");
}

static void send_report(HeftRunLog* log, const HeftStepReport* r, uint64_t time) {
  const struct {
    const char* name;
    double value;
  } field[] = {{"kinetic", r->kinetic},
               {"potential", r->potential},
               {"work", r->work},
               {"contacts", r->contact_count},
               {"residual", r->residual},
               {"relative", r->relative},
               {"cone", r->cone},
               {"gap_power", r->gap_power},
               {"penetration", r->penetration},
               {"energy_change", r->energy_change},
               {"status", r->status},
               {"inexact", r->inexact},
               {"dropped", r->contact_dropped},
               {"islands", r->islands},
               {"sweeps", r->sweeps},
               {"newton_steps", r->newton_steps}};
  HeftJsonText* t = &log->line;
  char text[400];
  heft_json_text_put(t, "{\"status_text\":");
  heft_json_text_quoted(t, heft_step_report_text(r, log->model, text, sizeof text));
  for (size_t i = 0; i < sizeof field / sizeof *field; ++i) {
    heft_json_text_put(t, ",");
    heft_json_text_quoted(t, field[i].name);
    heft_json_text_put(t, ":");
    heft_json_text_number(t, field[i].value);
  }
  send_errors(t, r);
  heft_json_text_put(t, "}");
  send(log, log->report, time);
}

static void put_number(HeftJsonText* t, const char* before, double x) {
  heft_json_text_put(t, before);
  heft_json_text_number(t, x);
}

// The patches of the last step, in log->patch. Returns how many there are.
static int read_patches(HeftRunLog* log, const HeftWorld* w) {
  const HeftAllocator* a = &log->allocator;
  const int count = heft_world_contact_count(w);
  if (count > log->contact_capacity) {
    release_contacts(log);
    log->contact = a->allocate(a->user, (size_t)count * sizeof *log->contact, 64);
    log->patch = a->allocate(a->user, (size_t)count * sizeof *log->patch, 64);
    log->contact_capacity = count;
  }
  if (!log->contact || !log->patch) return 0;
  heft_world_contacts(w, log->contact, count);
  return heft_contact_patches(log->contact, count, log->patch, count);
}

static void send_contacts(HeftRunLog* log, const HeftWorld* w, uint64_t time) {
  HeftJsonText* t = &log->line;
  heft_json_text_put(t, "{\"contacts\":[");
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    heft_json_text_put(t, i ? ",{\"a\":" : "{\"a\":");
    foxglove_body(t, log->model, c.body_a);
    heft_json_text_put(t, ",\"b\":");
    foxglove_body(t, log->model, c.body_b);
    heft_json_text_say(t, ",\"shape_a\":%d,\"shape_b\":%d,\"state\":%d,\"gap\":", c.shape_a,
                       c.shape_b, (int)c.state);
    heft_json_text_number(t, c.gap);
    heft_json_text_put(t, ",");
    heft_json_text_vector(t, "pos", c.pos);
    heft_json_text_put(t, ",");
    heft_json_text_vector(t, "normal", c.normal);
    heft_json_text_put(t, ",");
    heft_json_text_vector(t, "force", c.force);
    heft_json_text_put(t, ",");
    heft_json_text_vector(t, "torque", c.torque);
    heft_json_text_put(t, ",");
    heft_json_text_vector(t, "slip", c.slip);
    if (c.area > 0) {
      put_number(t, ",\"area\":", c.area);
      put_number(t, ",\"pressure\":", heft_vec3_dot(c.force, c.normal) / c.area);
    }
    heft_json_text_put(t, "}");
  }
  heft_json_text_put(t, "]}");
  send(log, log->contacts, time);
}

// Patches of area contact, and the sums over all of them: curves for other programs.
static void send_patches(HeftRunLog* log, const HeftWorld* w, uint64_t time) {
  HeftJsonText* t = &log->line;
  const int count = read_patches(log, w);
  double area = 0, force = 0, peak = 0;
  for (int i = 0; i < count; ++i) {
    area += log->patch[i].area;
    force += log->patch[i].force;
    peak = fmax(peak, log->patch[i].peak_pressure);
  }
  put_number(t, "{\"area\":", area);
  put_number(t, ",\"force\":", force);
  put_number(t, ",\"peak_pressure\":", peak);
  heft_json_text_put(t, ",\"patches\":[");
  for (int i = 0; i < count; ++i) {
    const HeftContactPatch* p = &log->patch[i];
    heft_json_text_put(t, i ? ",{\"a\":" : "{\"a\":");
    foxglove_body(t, log->model, p->body_a);
    heft_json_text_put(t, ",\"b\":");
    foxglove_body(t, log->model, p->body_b);
    heft_json_text_say(t, ",\"shape_a\":%d,\"shape_b\":%d", p->shape_a, p->shape_b);
    put_number(t, ",\"area\":", p->area);
    put_number(t, ",\"force\":", p->force);
    put_number(t, ",\"peak_pressure\":", p->peak_pressure);
    heft_json_text_put(t, ",");
    heft_json_text_vector(t, "center", p->center);
    heft_json_text_put(t, "}");
  }
  heft_json_text_put(t, "]}");
  send(log, log->patches, time);
}

static void send_controls(HeftRunLog* log, HeftWorld* w, uint64_t time) {
  HeftJsonText* t = &log->line;
  const double* control = heft_world_controls(w);
  heft_json_text_put(t, "{");
  for (int i = 0; i < log->model->nactuator; ++i) {
    if (i > 0) heft_json_text_put(t, ",");
    put_name(t, log->model, HEFT_NAMED_ACTUATOR, "actuator", i);
    heft_json_text_put(t, ":{\"control\":");
    heft_json_text_number(t, control[i]);
    heft_json_text_put(t, ",\"force\":");
    heft_json_text_number(t, heft_world_actuator_force(w, i));
    heft_json_text_put(t, "}");
  }
  heft_json_text_put(t, "}");
  send(log, log->controls, time);
}

static void send_sensors(HeftRunLog* log, HeftWorld* w, uint64_t time) {
  HeftJsonText* t = &log->line;
  const HeftModel* m = log->model;
  const double* value = heft_world_sensors(w);
  heft_json_text_put(t, "{");
  for (int i = 0; i < m->nsensor; ++i) {
    const int count = heft_sensor_type_value_count(m->sensor_type[i]);
    if (i > 0) heft_json_text_put(t, ",");
    put_name(t, m, HEFT_NAMED_SENSOR, "sensor", i);
    heft_json_text_put(t, count == 1 ? ":" : ":[");
    for (int k = 0; k < count; ++k) {
      if (k > 0) heft_json_text_put(t, ",");
      heft_json_text_number(t, value[m->sensor_address[i] + k]);
    }
    if (count != 1) heft_json_text_put(t, "]");
  }
  heft_json_text_put(t, "}");
  send(log, log->sensors, time);
}

// {"trot": {"height": 0.5}, ...}
static void send_values(HeftRunLog* log, uint64_t time) {
  HeftJsonText* t = &log->line;
  heft_json_text_put(t, "{");
  for (int i = 0; i < log->group_count; ++i) {
    const Group* g = &log->group[i];
    if (i > 0) heft_json_text_put(t, ",");
    heft_json_text_quoted(t, g->name);
    heft_json_text_put(t, ":{");
    for (int k = 0; k < g->values.count; ++k) {
      if (k > 0) heft_json_text_put(t, ",");
      heft_json_text_quoted(t, g->values.option[k].name);
      heft_json_text_put(t, ":");
      heft_json_text_number(t, log->value(log->user, i, k));
    }
    heft_json_text_put(t, "}");
  }
  heft_json_text_put(t, "}");
  send(log, log->values, time);
}

// Half of the largest distance of two bodies that move with the first one.
static double model_size(const HeftWorld* w) {
  const HeftModel* m = heft_world_model(w);
  const HeftDynamics* d = heft_world_dynamics(w);
  double size = 0.2;
  for (int i = 1; i < m->nbody; ++i) {
    int root = i;
    while (m->body_parent[root] > 0) root = m->body_parent[root];
    const HeftVec3 way =
        heft_vec3_sub(heft_dynamics_body_pose(d, i).pos, heft_dynamics_body_pose(d, root).pos);
    size = fmax(size, heft_vec3_norm(way));
  }
  return size;
}

// ---- opening

static HeftStatus attach_model(HeftRunLog* log, HeftError* error) {
  const HeftAllocator* a = &log->allocator;
  const size_t size = heft_model_save_size(log->model);
  void* bytes = a->allocate(a->user, size, 64);
  if (!bytes) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the model of the log");
  heft_model_save(log->model, bytes);
  heft_mcap_attachment(log->mcap, HEFT_MCAP_MODEL, "application/octet-stream", bytes, size);
  a->release(a->user, bytes, size);
  return HEFT_OK;
}

static int add_channel(HeftRunLog* log, const char* topic, const char* name, const char* schema) {
  const int channel = heft_mcap_channel(log->mcap, topic, name, schema);
  log->line.text.size = 0;  // it may hold the schema
  return channel;
}

static void add_channels(HeftRunLog* log) {
  const HeftModel* m = log->model;
  HeftJsonText* t = &log->line;
  int values = 0;
  for (int i = 0; i < log->group_count; ++i) values += log->group[i].values.count;
  log->state = add_channel(log, "/state", "heft.State", state_schema);
  log->report = add_channel(log, "/report", "heft.Report", report_schema);
  log->contacts = add_channel(log, "/contacts", "heft.Contacts", contact_schema);
  log->joints = add_channel(log, "/joints", "foxglove.JointStates", foxglove_joints_schema);
  log->frames = add_channel(log, "/tf", "foxglove.FrameTransforms", foxglove_transforms_schema);
  log->forces = add_channel(log, "/forces", "foxglove.SceneUpdate", foxglove_scene_schema);
  for (int k = 0; k < m->nmaterial && !log->patches; ++k) {
    if (m->material_area[4L * k] > 0)
      log->patches = add_channel(log, "/patches", "heft.Patches", patch_schema);
  }
  if (m->nactuator > 0)
    log->controls = add_channel(log, "/controls", "heft.Controls", control_schema(t, m));
  if (m->nsensor > 0)
    log->sensors = add_channel(log, "/sensors", "heft.Sensors", sensor_schema(t, m));
  if (values > 0) log->values = add_channel(log, "/plugins", "heft.Plugins", value_schema(t, log));
}

// The names of groups; if a name is there already, a number follows.
static void copy_groups(HeftRunLog* log, const HeftRunLogDef* def) {
  log->group_count = def->group_count;
  log->value = def->value;
  log->user = def->user;
  for (int i = 0; i < def->group_count; ++i) {
    int twin = 1;
    for (int k = 0; k < i; ++k) twin += strcmp(def->groups[k].name, def->groups[i].name) == 0;
    snprintf(log->group[i].name, NAME, twin > 1 ? "%.100s %d" : "%.100s", def->groups[i].name,
             twin);
    log->group[i].values = def->groups[i].values;
  }
}

static HeftStatus check_def(const HeftRunLogDef* def, HeftError* error) {
  const HeftStatus status = HEFT_DEF_CHECK(HeftRunLogDef, heft_run_log_def_default, def, error);
  if (status != HEFT_OK) return status;
  if (!def->allocator.allocate || !def->allocator.release)
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "HeftRunLogDef.allocator has no functions: start with "
                          "heft_run_log_def_default() and change single fields");
  if (def->group_count < 0 || def->group_count > HEFT_RUN_LOG_GROUPS_MAX)
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "HeftRunLogDef.group_count is %d; expected 0 to %d", def->group_count,
                          (int)HEFT_RUN_LOG_GROUPS_MAX);
  if (def->group_count > 0 && (!def->groups || !def->value))
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "HeftRunLogDef.groups and value must be set if group_count is not 0");
  for (int i = 0; i < def->group_count; ++i)
    if (!def->groups[i].name || (def->groups[i].values.count > 0 && !def->groups[i].values.option))
      return heft_error_set(error, HEFT_ERR_ARGUMENT,
                            "HeftRunLogDef.groups[%d] has no name or no table of values", i);
  return HEFT_OK;
}

static HeftStatus begin(HeftRunLog* log, const char* path, const char* model_path,
                        HeftError* error) {
  char library[64];
  snprintf(library, sizeof library, "heft %s", heft_version());
  log->mcap = heft_mcap_open(path, HEFT_MCAP_JSON, library, &log->allocator);
  if (!log->mcap)
    return heft_error_set(error, HEFT_ERR_FILE,
                          "cannot write '%.300s'; check that its folder exists and can be written "
                          "to",
                          path);
  const HeftStatus status = attach_model(log, error);
  if (status != HEFT_OK) return status;
  const int about = add_channel(log, "/model", "heft.Model", model_schema);
  const int scene = add_channel(log, "/scene", "foxglove.SceneUpdate", foxglove_scene_schema);
  add_channels(log);
  send_model(log, about, model_path ? model_path : "");
  heft_mcap_flush(log->mcap);  // readers look for the channels in the first chunk, which is small
  foxglove_scene(&log->line, log->model);
  send(log, scene, 0);
  heft_mcap_flush(log->mcap);
  return HEFT_OK;
}

HeftStatus heft_run_log_open(HeftRunLog** out, const char* path, const HeftModel* model,
                             const HeftRunLogDef* def, HeftError* error) {
  HEFT_REQUIRE(out, heft_error_set(error, HEFT_ERR_ARGUMENT, "out must not be NULL"));
  *out = NULL;
  HEFT_REQUIRE(path && model,
               heft_error_set(error, HEFT_ERR_ARGUMENT, "path and model must not be NULL"));
  const HeftRunLogDef usual = heft_run_log_def_default();
  if (!def) def = &usual;
  HeftStatus status = check_def(def, error);
  if (status != HEFT_OK) return status;
  const HeftAllocator a = def->allocator;
  HeftRunLog* log = a.allocate(a.user, sizeof *log, 64);
  if (!log) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the log");
  memset(log, 0, sizeof *log);
  log->allocator = a;
  log->model = model;
  log->line = heft_json_text_make(&log->allocator);
  copy_groups(log, def);
  status = begin(log, path, def->model_path, error);
  if (status != HEFT_OK) {
    heft_run_log_close(log);
    return status;
  }
  *out = log;
  return HEFT_OK;
}

// ---- rows

HeftStepReport heft_run_log_start_report(const HeftWorld* world) {
  HEFT_REQUIRE(world, (HeftStepReport){0});
  const HeftState* s = heft_world_state(world);
  const HeftDynamics* d = heft_world_dynamics(world);
  return (HeftStepReport){.time = *s->time,
                          .kinetic = heft_dynamics_kinetic_energy(d, s->v),
                          .potential = heft_dynamics_potential_energy(d, s->q)};
}

static HeftStatus state_of(const HeftRunLog* log) {
  if (log->line.text.failed) return HEFT_ERR_MEMORY;
  return heft_mcap_failed(log->mcap) ? HEFT_ERR_FILE : HEFT_OK;
}

HeftStatus heft_run_log_write(HeftRunLog* log, HeftWorld* world, const HeftStepReport* report) {
  HEFT_REQUIRE(log && world, HEFT_ERR_ARGUMENT);
  HEFT_REQUIRE(heft_world_model(world) == log->model, HEFT_ERR_ARGUMENT);
  const HeftState* s = heft_world_state(world);
  const uint64_t time = (uint64_t)(*s->time * 1e9 + 0.5);
  const HeftStepReport first = report ? *report : heft_run_log_start_report(world);
  if (log->arrow <= 0) log->arrow = model_size(world);
  send_state(log, s, time);
  send_report(log, &first, time);
  send_contacts(log, world, time);
  if (log->patches) send_patches(log, world, time);
  if (log->controls) send_controls(log, world, time);
  if (log->sensors) send_sensors(log, world, time);
  if (log->values) send_values(log, time);
  foxglove_joints(&log->line, log->model, s, time);
  send(log, log->joints, time);
  foxglove_transforms(&log->line, world, time);
  send(log, log->frames, time);
  foxglove_forces(&log->line, world, log->arrow, time);
  send(log, log->forces, time);
  return state_of(log);
}

HeftStatus heft_run_log_close(HeftRunLog* log) {
  if (!log) return HEFT_OK;
  const HeftAllocator a = log->allocator;
  HeftStatus status = log->mcap ? state_of(log) : HEFT_OK;
  if (log->mcap && !heft_mcap_close(log->mcap) && status == HEFT_OK) status = HEFT_ERR_FILE;
  heft_json_text_free(&log->line);
  release_contacts(log);
  a.release(a.user, log, sizeof *log);
  return status;
}
