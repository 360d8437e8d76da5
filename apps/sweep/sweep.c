// SPDX-License-Identifier: Apache-2.0
// Connecting a plan with a model: names become indices, and results become columns.
#include "sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sweep/sha256.h"

#define ROW(name, text, meaning) text,
static const char* const status_names[] = {SWEEP_STATUS_LIST(ROW)};
#undef ROW

const char* sweep_status_name(int status) {
  return status >= 0 && status < SWEEP_STATUS_COUNT ? status_names[status] : "unknown";
}

// ---- names

typedef struct Namer {
  Sweep* sweep;
  HeftError* error;
  HeftStatus status;
  int line, column;  ///< of the table that is connected
} Namer;

static int look_up(Namer* n, HeftNamed kind, const char* name) {
  HeftError error = {0};
  int index = -1;
  if (n->status != HEFT_OK) return -1;
  if (heft_model_lookup(n->sweep->model, kind, name, &index, &error) != HEFT_OK)
    n->status = plan_fail(n->sweep->plan, n->line, n->column, n->error, "%s", error.message);
  return index;
}

static void too_many(Namer* n, int component, int count, const char* of) {
  if (n->status == HEFT_OK)
    n->status = plan_fail(n->sweep->plan, n->line, n->column, n->error,
                          "component %d of '%.80s', which has %d: expected 0 to %d", component, of,
                          count, count - 1);
}

// Coordinates or velocities of a joint.
static SweepPlace find_joint(Namer* n, const char* name, int component, int velocity) {
  const HeftModel* m = n->sweep->model;
  const int joint = look_up(n, HEFT_NAMED_JOINT, name);
  SweepPlace place = {.component = component};
  if (joint < 0) return place;
  const HeftJointType type = m->joint_type[joint];
  const int count = velocity ? heft_joint_type_dof_count(type) : heft_joint_type_q_count(type);
  if (component >= count) too_many(n, component, count, name);
  place.index = m->joint_q[joint];
  place.dof = m->joint_dof[joint];
  return place;
}

static const char* push_name(const void* from, int i) { return ((const Plan*)from)->push[i].name; }

static int find_push(Namer* n, const char* name) {
  const Plan* p = n->sweep->plan;
  char hint[300];
  for (int i = 0; i < p->push_count; ++i)
    if (name && strcmp(p->push[i].name, name) == 0) return i;
  if (n->status == HEFT_OK)
    n->status = plan_fail(
        p, n->line, n->column, n->error, "the plan has no push '%.80s'; %s", name,
        heft_names_hint((HeftNames){push_name, p, p->push_count}, name, hint, sizeof hint));
  return 0;
}

static int sensor_width(const HeftModel* m, int sensor) {
  return heft_sensor_type_value_count(m->sensor_type[sensor]);
}

static SweepPlace find_object(Namer* n, PlanOf of, const char* name, int component, int velocity) {
  SweepPlace place = {.component = component};
  switch (of) {
    case OF_JOINT:
      return find_joint(n, name, component, velocity);
    case OF_SHAPE:
      place.index = look_up(n, HEFT_NAMED_SHAPE, name);
      break;
    case OF_BODY:
      place.index = look_up(n, HEFT_NAMED_BODY, name);
      break;
    case OF_ACTUATOR:
      place.index = look_up(n, HEFT_NAMED_ACTUATOR, name);
      break;
    case OF_PUSH:
      place.index = find_push(n, name);
      break;
    case OF_SENSOR:
      place.index = look_up(n, HEFT_NAMED_SENSOR, name);
      if (place.index < 0) break;
      if (component >= sensor_width(n->sweep->model, place.index))
        too_many(n, component, sensor_width(n->sweep->model, place.index), name);
      place.index = n->sweep->model->sensor_address[place.index];
      return place;
    case OF_NOTHING:
    case OF_OPTION:
      break;
  }
  if (component > 0 && of != OF_OPTION) too_many(n, component, 1, name ? name : "the world");
  return place;
}

// ---- parts of the plan

static void connect_keys(Namer* n, int i) {
  const PlanVary* v = &n->sweep->plan->vary[i];
  int* keys = calloc((size_t)v->count, sizeof *keys);
  n->sweep->vary_key[i] = keys;
  if (!keys) {
    n->status = heft_error_set(n->error, HEFT_ERR_MEMORY, "no memory for keyframes");
    return;
  }
  for (int k = 0; k < v->count; ++k) keys[k] = look_up(n, HEFT_NAMED_KEY, v->values->items[k].text);
}

static int has_mass(const HeftModel* m, int body) { return body > 0 && m->body_mass[body] > 0; }

static int is_free(const HeftModel* m, int body) {
  return m->body_joint_count[body] == 1 && m->joint_type[m->body_joint[body]] == HEFT_JOINT_FREE;
}

// "*": all shapes, bodies with mass or actuators of the model.
static int count_all(const HeftModel* m, PlanOf of) {
  return of == OF_SHAPE ? m->nshape : (of == OF_BODY ? m->nbody : m->nactuator);
}

static void connect_places(Namer* n, int i) {
  Sweep* s = n->sweep;
  const PlanVary* v = &s->plan->vary[i];
  const PlanOf of = plan_quantity(v->what).of;
  const int all = v->of && strcmp(v->of, "*") == 0 && !v->of_all &&
                  (of == OF_SHAPE || of == OF_BODY || of == OF_ACTUATOR);
  const int count = all ? count_all(s->model, of) : (v->of_all ? v->of_all->count : 1);
  SweepPlace* places = calloc((size_t)count + 1, sizeof *places);
  s->vary[i] = places;
  if (!places) {
    n->status = heft_error_set(n->error, HEFT_ERR_MEMORY, "no memory for names");
    return;
  }
  for (int k = 0; k < count; ++k) {
    const char* name = v->of_all ? v->of_all->items[k].text : v->of;
    if (all && of == OF_BODY && !has_mass(s->model, k)) continue;
    places[s->vary_places[i]++] =
        all ? (SweepPlace){.index = k}
            : find_object(n, of, name, v->component,
                          v->what == QUANTITY_V || v->what == QUANTITY_V_OFFSET);
  }
}

static void connect_vary(Namer* n) {
  Sweep* s = n->sweep;
  const Plan* p = s->plan;
  for (int i = 0; i < p->vary_count && n->status == HEFT_OK; ++i) {
    const PlanVary* v = &p->vary[i];
    n->line = v->line;
    n->column = v->column_at;
    connect_places(n, i);
    if (v->what == QUANTITY_KEY) connect_keys(n, i);
    if (v->what == QUANTITY_OPTION && !p->control.plugin)
      n->status = plan_fail(p, v->line, v->column_at, n->error,
                            "%s: an option needs plugin = \"FILE.so\" in [control]", v->name);
    for (int k = 0; k < s->vary_places[i] && n->status == HEFT_OK; ++k)
      if (plan_quantity(v->what).of == OF_BODY && !has_mass(s->model, s->vary[i][k].index))
        n->status = plan_fail(p, v->line, v->column_at, n->error,
                              "%s: the body '%.80s' has no mass that could vary", v->name, v->of);
    for (int k = 0; k < s->vary_places[i] && n->status == HEFT_OK; ++k)
      if (v->what == QUANTITY_IMPACT_SCATTER && !is_free(s->model, s->vary[i][k].index))
        n->status =
            plan_fail(p, v->line, v->column_at, n->error,
                      "%s: the body '%.80s' has no free joint; impact_scatter is for bodies "
                      "that fly",
                      v->name, v->of);
  }
}

static void connect_signals(Namer* n) {
  Sweep* s = n->sweep;
  const Plan* p = s->plan;
  for (int i = 0; i < p->measure_count; ++i) {
    const PlanMeasure* m = &p->measure[i];
    n->line = m->line;
    n->column = m->column_at;
    s->measure[i] =
        find_object(n, plan_signal(m->what).of, m->of, m->component, m->what == SIGNAL_V);
  }
  for (int i = 0; i < p->event_count; ++i) {
    const PlanEvent* e = &p->event[i];
    n->line = e->line;
    n->column = e->column_at;
    s->event_other[i] = -1;
    if (e->when == WHEN_AT_LIMIT) {
      s->event[i] = find_joint(n, e->of, e->component, 1);
    } else if (e->when == WHEN_TOUCHES) {
      s->event[i] = find_object(n, OF_BODY, e->of, 0, 0);
      if (e->other) s->event_other[i] = look_up(n, HEFT_NAMED_BODY, e->other);
    } else {
      s->event[i] =
          find_object(n, plan_signal(e->what).of, e->of, e->component, e->what == SIGNAL_V);
    }
  }
}

static void connect_control(Namer* n) {
  Sweep* s = n->sweep;
  const PlanControl* c = &s->plan->control;
  n->line = c->line;
  n->column = c->column_at;
  s->hold = c->hold ? look_up(n, HEFT_NAMED_KEY, c->hold) : -1;
  if (!c->file || n->status != HEFT_OK) return;
  s->control_time = csv_find(&c->table, "time");
  if (s->control_time < 0) {
    n->status = plan_fail(s->plan, c->line, c->column_at, n->error,
                          "'%.200s' has no column \"time\"", c->file);
    return;
  }
  for (int i = 0; i < c->table.columns; ++i)
    s->control_column[i] =
        i == s->control_time ? -1 : look_up(n, HEFT_NAMED_ACTUATOR, c->table.name[i]);
  for (int64_t i = 1; i < c->table.rows && n->status == HEFT_OK; ++i)
    if (!(c->table.number[i * c->table.columns + s->control_time] >
          c->table.number[(i - 1) * c->table.columns + s->control_time]))
      n->status = plan_fail(s->plan, c->line, c->column_at, n->error,
                            "'%.200s': the times of rows %lld and %lld do not increase", c->file,
                            (long long)i, (long long)i + 1);
}

// ---- columns

static void add_column(Namer* n, const char* group, const char* name, const char* part,
                       Hdf5Column column) {
  Sweep* s = n->sweep;
  if (n->status != HEFT_OK || column.width == 0) return;
  if (s->column_count == SWEEP_COLUMNS_MAX) {
    n->status = plan_fail(s->plan, 1, 1, n->error, "the plan has more than %d columns of results",
                          (int)SWEEP_COLUMNS_MAX);
    return;
  }
  char* text = s->column_name[s->column_count];
  snprintf(text, sizeof s->column_name[0], "%s%s%s", name, part[0] ? "_" : "", part);
  for (int i = s->first_result; i < s->column_count; ++i)
    if (strcmp(text, s->column[i].name) == 0 && strcmp(group, s->column[i].group) == 0)
      n->status =
          plan_fail(s->plan, n->line, n->column, n->error, "two results have the name '%s'", text);
  column.group = group;
  column.name = text;
  s->column[s->column_count++] = column;
}

static void make_columns(Namer* n) {
  Sweep* s = n->sweep;
  const Plan* p = s->plan;
  for (int i = 0; i < p->vary_count; ++i) {
    const PlanRow row = plan_quantity(p->vary[i].what);
    add_column(n, "inputs", p->vary[i].name, "",
               (Hdf5Column){.unit = row.unit, .meaning = row.meaning, .width = 1});
  }
  s->first_result = s->column_count;
  add_column(n, "results", "status", "",
             (Hdf5Column){.unit = "",
                          .meaning = "0 done, 1 ended by an event, 2 failed, 3 refused, 4 broken",
                          .type = HDF5_INT64,
                          .width = 1});
  add_column(n, "results", "time", "",
             (Hdf5Column){.unit = "s", .meaning = "at the end of the run", .width = 1});
  add_column(n, "results", "steps", "",
             (Hdf5Column){.unit = "", .meaning = "steps", .type = HDF5_INT64, .width = 1});
  add_column(n, "results", "inexact_steps", "",
             (Hdf5Column){.unit = "",
                          .meaning = "steps that do not meet the tolerance of contact",
                          .type = HDF5_INT64,
                          .width = 1});
  add_column(n, "results", "unsolved_steps", "",
             (Hdf5Column){.unit = "",
                          .meaning = "steps with an error above its bound, or dropped contacts",
                          .type = HDF5_INT64,
                          .width = 1});
  add_column(n, "results", "worst_status", "",
             (Hdf5Column){.unit = "",
                          .meaning = "largest HeftStepStatus of all steps; 0: all are solved",
                          .type = HDF5_INT64,
                          .width = 1});
  add_column(n, "results", "worst_place", "",
             (Hdf5Column){.unit = "",
                          .meaning = "index of the body, joint, shape, equality or tendon with the "
                                     "error of the first such step; -1: none",
                          .type = HDF5_INT64,
                          .width = 1});
  add_column(n, "results", "state_hash", "",
             (Hdf5Column){.unit = "",
                          .meaning = "64 bits that depend on every bit of the final state",
                          .type = HDF5_UINT64,
                          .width = 1});
  for (int i = 0; i < p->measure_count; ++i) {
    const PlanRow row = plan_signal(p->measure[i].what);
    n->line = p->measure[i].line;
    n->column = p->measure[i].column_at;
    for (int k = 0; k < KEEP_COUNT; ++k)
      if (p->measure[i].keep >> k & 1)
        add_column(n, "results", p->measure[i].name, plan_keep_name((PlanKeep)k),
                   (Hdf5Column){.unit = row.unit, .meaning = row.meaning, .width = 1});
  }
  for (int i = 0; i < p->event_count; ++i) {
    n->line = p->event[i].line;
    n->column = p->event[i].column_at;
    add_column(n, "results", p->event[i].name, "",
               (Hdf5Column){
                   .unit = "", .meaning = "1: the event happened", .type = HDF5_INT64, .width = 1});
    add_column(n, "results", p->event[i].name, "time",
               (Hdf5Column){.unit = "s", .meaning = "when the event began", .width = 1});
  }
  if (p->final_state) {
    add_column(
        n, "results", "q", "",
        (Hdf5Column){.unit = "m, rad", .meaning = "final coordinates", .width = s->model->nq});
    add_column(
        n, "results", "v", "",
        (Hdf5Column){.unit = "m/s, rad/s", .meaning = "final velocities", .width = s->model->nv});
  }
  for (int i = 0; i < s->column_count; ++i) s->width_sum += s->column[i].width;
}

static HeftStatus hash_model(Sweep* s, HeftError* error) {
  const size_t size = heft_model_save_size(s->model);
  void* bytes = malloc(size);
  if (!bytes) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %zu bytes", size);
  heft_model_save(s->model, bytes);
  Sha256 hash = sha256_begin();
  sha256_add(&hash, bytes, size);
  sha256_text(&hash, s->model_sha256);
  free(bytes);
  return HEFT_OK;
}

HeftStatus sweep_create(Sweep** out, const Plan* plan, const HeftModel* model, HeftError* error) {
  *out = NULL;
  Sweep* s = calloc(1, sizeof *s);
  if (!s) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a sweep");
  s->plan = plan;
  s->model = model;
  Namer n = {.sweep = s, .error = error, .line = 1, .column = 1};
  s->key = plan->key ? look_up(&n, HEFT_NAMED_KEY, plan->key) : -1;
  connect_vary(&n);
  for (int i = 0; i < plan->push_count; ++i) {
    n.line = plan->push[i].line;
    n.column = plan->push[i].column_at;
    s->push_body[i] = look_up(&n, HEFT_NAMED_BODY, plan->push[i].body);
  }
  connect_signals(&n);
  connect_control(&n);
  make_columns(&n);
  if (n.status == HEFT_OK) n.status = hash_model(s, error);
  if (n.status == HEFT_OK) n.status = sweep_bits(s->bits, error);
  if (n.status == HEFT_OK)
    *out = s;
  else
    sweep_destroy(s);
  return n.status;
}

void sweep_destroy(Sweep* s) {
  if (!s) return;
  for (int i = 0; i < PLAN_VARY_MAX; ++i) {
    free(s->vary_key[i]);
    free(s->vary[i]);
  }
  free(s);
}

void sweep_table(const Sweep* s, int64_t first_run, int64_t runs, SweepTable* out) {
  *out = (SweepTable){.table = {s->column, s->column_count, NULL, 5, runs}};
  snprintf(out->first, sizeof out->first, "%lld", (long long)first_run);
  out->attribute[0] = (Hdf5Attribute){"heft_version", heft_version()};
  out->attribute[1] = (Hdf5Attribute){"plan_sha256", s->plan->sha256};
  out->attribute[2] = (Hdf5Attribute){"model_sha256", s->model_sha256};
  out->attribute[3] = (Hdf5Attribute){"first_run", out->first};
  out->attribute[4] = (Hdf5Attribute){"heft_bits", s->bits};
  out->table.attributes = out->attribute;
}

int sweep_find_column(const Sweep* s, const char* name) {
  for (int i = 0; i < s->column_count; ++i) {
    const Hdf5Column* c = &s->column[i];
    const size_t size = strlen(c->group);
    if (strcmp(c->name, name) == 0 || (strncmp(name, c->group, size) == 0 && name[size] == '/' &&
                                       strcmp(name + size + 1, c->name) == 0))
      return i;
  }
  return -1;
}
