// SPDX-License-Identifier: Apache-2.0
#include "run_mcap.h"

#include <heft/heft.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foxglove.h"
#include "mcap.h"

struct RunMcap {
  const HeftModel* model;
  const HeftPluginSet* plugins;
  Mcap* mcap;
  int state, report, contacts, frames, forces, joints, controls, sensors, plugged;  // channels
  double arrow;  // length of an arrow for the weight of the model [m]; 0: not known yet
  JsonText line, schema[3];
};

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
    ",\"newton_steps\":" NUMBER "}}";
static const char contact_schema[] =
    "{\"type\":\"object\",\"properties\":{\"contacts\":{\"type\":\"array\",\"items\":{\"type\":"
    "\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"},"
    "\"shape_a\":" NUMBER ",\"shape_b\":" NUMBER ",\"state\":" NUMBER ",\"gap\":" NUMBER
    ",\"pos\":" VECTOR ",\"normal\":" VECTOR ",\"force\":" VECTOR ",\"torque\":" VECTOR
    ",\"slip\":" VECTOR "}}}}}";

// ---- names

// The name of an object, or its kind and number, quoted.
static void put_name(JsonText* t, const HeftModel* m, HeftNamed kind, const char* word, int i) {
  const char* name = heft_model_name(m, kind, i);
  char numbered[48];
  snprintf(numbered, sizeof numbered, "%s %d", word, i);
  json_text_quoted(t, *name ? name : numbered);
}

// Name of a plug-in; if it is loaded twice, a number follows.
static void put_plugin(JsonText* t, const HeftPluginSet* plugins, int i) {
  const char* name = heft_plugin_set_plugin(plugins, i)->name;
  char numbered[128];
  int twin = 1;
  for (int k = 0; k < i; ++k) twin += strcmp(heft_plugin_set_plugin(plugins, k)->name, name) == 0;
  snprintf(numbered, sizeof numbered, twin > 1 ? "%.100s %d" : "%.100s", name, twin);
  json_text_quoted(t, numbered);
}

// ---- schemas that depend on the model

static const char* control_schema(JsonText* t, const HeftModel* m) {
  json_text_put(t, "{\"type\":\"object\",\"properties\":{");
  for (int i = 0; i < m->nactuator; ++i) {
    if (i > 0) json_text_put(t, ",");
    put_name(t, m, HEFT_NAMED_ACTUATOR, "actuator", i);
    json_text_put(
        t, ":{\"type\":\"object\",\"properties\":{\"control\":" NUMBER ",\"force\":" NUMBER "}}");
  }
  json_text_put(t, "}}");
  return t->text;
}

static const char* sensor_schema(JsonText* t, const HeftModel* m) {
  json_text_put(t, "{\"type\":\"object\",\"properties\":{");
  for (int i = 0; i < m->nsensor; ++i) {
    const HeftSensorType type = (HeftSensorType)m->sensor_type[i];
    if (i > 0) json_text_put(t, ",");
    put_name(t, m, HEFT_NAMED_SENSOR, "sensor", i);
    json_text_put(t, ":{\"description\":");
    json_text_quoted(t, heft_sensor_type_name(type));
    json_text_put(t, heft_sensor_type_value_count(type) == 1
                         ? ",\"type\":\"number\"}"
                         : ",\"type\":\"array\",\"items\":" NUMBER "}");
  }
  json_text_put(t, "}}");
  return t->text;
}

static const char* plugin_schema(JsonText* t, const HeftPluginSet* plugins) {
  json_text_put(t, "{\"type\":\"object\",\"properties\":{");
  for (int i = 0; i < heft_plugin_set_count(plugins); ++i) {
    const HeftPlugin* p = heft_plugin_set_plugin(plugins, i);
    if (i > 0) json_text_put(t, ",");
    put_plugin(t, plugins, i);
    json_text_put(t, ":{\"type\":\"object\",\"properties\":{");
    for (int k = 0; k < p->values.count; ++k) {
      const HeftOption* o = &p->values.option[k];
      char meaning[200];
      snprintf(meaning, sizeof meaning, o->unit[0] ? "%.150s [%.30s]" : "%.150s", o->meaning,
               o->unit);
      if (k > 0) json_text_put(t, ",");
      json_text_quoted(t, o->name);
      json_text_put(t, ":{\"type\":\"number\",\"description\":");
      json_text_quoted(t, meaning);
      json_text_put(t, "}");
    }
    json_text_put(t, "}}");
  }
  json_text_put(t, "}}");
  return t->text;
}

// ---- messages

static void send(RunMcap* log, int channel, uint64_t time) {
  mcap_message(log->mcap, channel, time, log->line.text, log->line.size);
  log->line.size = 0;
}

static void send_model(RunMcap* log, int channel, const char* path) {
  const HeftModel* m = log->model;
  JsonText* t = &log->line;
  json_text_say(t, "{\"version\":\"%s\",\"path\":", heft_version());
  json_text_quoted(t, path);
  json_text_say(t, ",\"hash\":\"%016llx\",\"time_step\":%.17g,\"mass\":%.17g,\"joints\":[",
                (unsigned long long)heft_model_hash(m), m->physics.time_step, heft_model_mass(m));
  for (int j = 0; j < m->njoint; ++j) {
    json_text_put(t, j ? ",{\"name\":" : "{\"name\":");
    put_name(t, m, HEFT_NAMED_JOINT, "joint", j);
    json_text_say(t, ",\"type\":\"%s\",\"q\":%d,\"v\":%d}",
                  heft_joint_type_name((HeftJointType)m->joint_type[j]), m->joint_q[j],
                  m->joint_dof[j]);
  }
  json_text_put(t, "]}");
  send(log, channel, 0);
}

static void send_state(RunMcap* log, const HeftState* s, uint64_t time) {
  JsonText* t = &log->line;
  json_text_put(t, "{\"time\":");
  json_text_number(t, *s->time);
  json_text_put(t, ",");
  json_text_array(t, "q", s->q, s->nq);
  json_text_put(t, ",");
  json_text_array(t, "v", s->v, s->nv);
  if (s->nmoved > 0) {
    json_text_put(t, ",");
    json_text_array(t, "moved", s->moved, 13 * s->nmoved);
  }
  json_text_put(t, "}");
  send(log, log->state, time);
}

static void send_report(RunMcap* log, const HeftStepReport* r, uint64_t time) {
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
  JsonText* t = &log->line;
  json_text_put(t, "{\"status_text\":");
  json_text_quoted(t, heft_step_status_text(r->status));
  for (size_t i = 0; i < sizeof field / sizeof *field; ++i) {
    json_text_put(t, ",");
    json_text_quoted(t, field[i].name);
    json_text_put(t, ":");
    json_text_number(t, field[i].value);
  }
  json_text_put(t, "}");
  send(log, log->report, time);
}

static void send_contacts(RunMcap* log, const HeftWorld* w, uint64_t time) {
  JsonText* t = &log->line;
  json_text_put(t, "{\"contacts\":[");
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    json_text_put(t, i ? ",{\"a\":" : "{\"a\":");
    foxglove_body(t, log->model, c.body_a);
    json_text_put(t, ",\"b\":");
    foxglove_body(t, log->model, c.body_b);
    json_text_say(t, ",\"shape_a\":%d,\"shape_b\":%d,\"state\":%d,\"gap\":", c.shape_a, c.shape_b,
                  (int)c.state);
    json_text_number(t, c.gap);
    json_text_put(t, ",");
    json_text_vector(t, "pos", c.pos);
    json_text_put(t, ",");
    json_text_vector(t, "normal", c.normal);
    json_text_put(t, ",");
    json_text_vector(t, "force", c.force);
    json_text_put(t, ",");
    json_text_vector(t, "torque", c.torque);
    json_text_put(t, ",");
    json_text_vector(t, "slip", c.slip);
    json_text_put(t, "}");
  }
  json_text_put(t, "]}");
  send(log, log->contacts, time);
}

static void send_controls(RunMcap* log, HeftWorld* w, uint64_t time) {
  JsonText* t = &log->line;
  const double* control = heft_world_controls(w);
  json_text_put(t, "{");
  for (int i = 0; i < log->model->nactuator; ++i) {
    if (i > 0) json_text_put(t, ",");
    put_name(t, log->model, HEFT_NAMED_ACTUATOR, "actuator", i);
    json_text_put(t, ":{\"control\":");
    json_text_number(t, control[i]);
    json_text_put(t, ",\"force\":");
    json_text_number(t, heft_world_actuator_force(w, i));
    json_text_put(t, "}");
  }
  json_text_put(t, "}");
  send(log, log->controls, time);
}

static void send_sensors(RunMcap* log, HeftWorld* w, uint64_t time) {
  JsonText* t = &log->line;
  const HeftModel* m = log->model;
  const double* value = heft_world_sensors(w);
  json_text_put(t, "{");
  for (int i = 0; i < m->nsensor; ++i) {
    const int count = heft_sensor_type_value_count((HeftSensorType)m->sensor_type[i]);
    if (i > 0) json_text_put(t, ",");
    put_name(t, m, HEFT_NAMED_SENSOR, "sensor", i);
    json_text_put(t, count == 1 ? ":" : ":[");
    for (int k = 0; k < count; ++k) {
      if (k > 0) json_text_put(t, ",");
      json_text_number(t, value[m->sensor_address[i] + k]);
    }
    if (count != 1) json_text_put(t, "]");
  }
  json_text_put(t, "}");
  send(log, log->sensors, time);
}

// {"trot": {"height": 0.5}, ...}
static void send_values(RunMcap* log, uint64_t time) {
  JsonText* t = &log->line;
  json_text_put(t, "{");
  for (int i = 0; i < heft_plugin_set_count(log->plugins); ++i) {
    const HeftPlugin* p = heft_plugin_set_plugin(log->plugins, i);
    if (i > 0) json_text_put(t, ",");
    put_plugin(t, log->plugins, i);
    json_text_put(t, ":{");
    for (int k = 0; k < p->values.count; ++k) {
      if (k > 0) json_text_put(t, ",");
      json_text_quoted(t, p->values.option[k].name);
      json_text_put(t, ":");
      json_text_number(t, heft_plugin_set_value(log->plugins, i, k));
    }
    json_text_put(t, "}");
  }
  json_text_put(t, "}");
  send(log, log->plugged, time);
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

// ---- the log

static int attach_model(RunMcap* log) {
  const size_t size = heft_model_save_size(log->model);
  void* bytes = malloc(size);
  if (!bytes) return 0;
  heft_model_save(log->model, bytes);
  mcap_attachment(log->mcap, RUN_MCAP_MODEL, "application/octet-stream", bytes, size);
  free(bytes);
  return 1;
}

static void add_channels(RunMcap* log) {
  Mcap* m = log->mcap;
  const HeftModel* model = log->model;
  int values = 0;
  for (int i = 0; log->plugins && i < heft_plugin_set_count(log->plugins); ++i)
    values += heft_plugin_set_plugin(log->plugins, i)->values.count;
  log->state = mcap_channel(m, "/state", "heft.State", state_schema);
  log->report = mcap_channel(m, "/report", "heft.Report", report_schema);
  log->contacts = mcap_channel(m, "/contacts", "heft.Contacts", contact_schema);
  log->joints = mcap_channel(m, "/joints", "foxglove.JointStates", foxglove_joints_schema);
  log->frames = mcap_channel(m, "/tf", "foxglove.FrameTransforms", foxglove_transforms_schema);
  log->forces = mcap_channel(m, "/forces", "foxglove.SceneUpdate", foxglove_scene_schema);
  if (model->nactuator > 0)
    log->controls =
        mcap_channel(m, "/controls", "heft.Controls", control_schema(&log->schema[0], model));
  if (model->nsensor > 0)
    log->sensors =
        mcap_channel(m, "/sensors", "heft.Sensors", sensor_schema(&log->schema[1], model));
  if (values > 0)
    log->plugged =
        mcap_channel(m, "/plugins", "heft.Plugins", plugin_schema(&log->schema[2], log->plugins));
}

RunMcap* run_mcap_open(const char* path, const HeftModel* model, const char* model_path,
                       const HeftPluginSet* plugins) {
  char library[64];
  RunMcap* log = calloc(1, sizeof *log);
  if (!log) return NULL;
  log->model = model;
  log->plugins = plugins;
  snprintf(library, sizeof library, "heft %s", heft_version());
  log->mcap = mcap_open(path, library);
  if (!log->mcap || !attach_model(log)) {
    run_mcap_close(log);
    return NULL;
  }
  const int about = mcap_channel(log->mcap, "/model", "heft.Model", model_schema);
  const int scene =
      mcap_channel(log->mcap, "/scene", "foxglove.SceneUpdate", foxglove_scene_schema);
  add_channels(log);
  send_model(log, about, model_path);
  mcap_flush(log->mcap);  // readers look for the channels in the first chunk, which is small
  foxglove_scene(&log->line, model);
  send(log, scene, 0);
  mcap_flush(log->mcap);
  return log;
}

void run_mcap_step(RunMcap* log, HeftWorld* world, const HeftStepReport* report) {
  const HeftState* s = heft_world_state(world);
  const uint64_t time = (uint64_t)(*s->time * 1e9 + 0.5);
  if (log->arrow <= 0) log->arrow = model_size(world);
  send_state(log, s, time);
  send_report(log, report, time);
  send_contacts(log, world, time);
  if (log->controls) send_controls(log, world, time);
  if (log->sensors) send_sensors(log, world, time);
  if (log->plugged) send_values(log, time);
  foxglove_joints(&log->line, log->model, s, time);
  send(log, log->joints, time);
  foxglove_transforms(&log->line, world, time);
  send(log, log->frames, time);
  foxglove_forces(&log->line, world, log->arrow, time);
  send(log, log->forces, time);
}

int run_mcap_close(RunMcap* log) {
  const int complete = !log->line.failed;
  const int well = log->mcap ? mcap_close(log->mcap) : 0;
  json_text_free(&log->line);
  for (int i = 0; i < 3; ++i) json_text_free(&log->schema[i]);
  free(log);
  return well && complete;
}
