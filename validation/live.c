// SPDX-License-Identifier: Apache-2.0
// Records a case as it runs, by an engine that passes all calls on to Heft; and measures a scene by
// its gauges.
#include "validation/live.h"

#include <heft/access.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// ---- the engine that listens

typedef struct Listener {
  Engine engine;  // comes first: the functions of the type get its address
  LiveRecord* record;
  int opened;      // scenes so far
  int unsuitable;  // placed after the first step, or pushed
} Listener;

static Listener* listener_of(Engine* e) { return (Listener*)(void*)e; }

static int is_wanted(const Listener* l) { return l->opened - 1 == l->record->scene->opening; }

static int listen_open(Engine* e, const char* path, const EngineSettings* settings) {
  Listener* l = listener_of(e);
  ++l->opened;
  if (is_wanted(l)) l->record->settings = *settings;
  return engine_heft.open(e, path, settings);
}

static void listen_close(Engine* e) { engine_heft.close(e); }

static int listen_read(Engine* e, int body, EngineBody* out) {
  return engine_heft.read(e, body, out);
}

static int listen_place(Engine* e, int body, const EngineBody* in) {
  Listener* l = listener_of(e);
  if (is_wanted(l) && l->record->steps > 0) l->unsuitable = 1;
  return engine_heft.place(e, body, in);
}

static int listen_push(Engine* e, int body, HeftVec3 force) {
  Listener* l = listener_of(e);
  if (is_wanted(l)) l->unsuitable = 1;
  return engine_heft.push(e, body, force);
}

// A case may have changed the material that is named "default" in each model; the builder has one
// of its own, which has not changed.
static void rename_default(HeftModel* m) {
  for (int i = 0; i < m->nmaterial; ++i) {
    char* name = m->names + m->material_name[i];
    if (strcmp(name, "default") == 0) name[0] = 'D';
  }
}

// The scene is recorded when its first step begins: then it is as the case wants it.
static int listen_step(Engine* e, int count) {
  Listener* l = listener_of(e);
  LiveRecord* r = l->record;
  HeftError error = {0};
  if (is_wanted(l) && r->steps == 0) {
    rename_default(e->model);
    if (heft_world_key_model(&r->model, e->world, "start", &error) != HEFT_OK)
      snprintf(e->reason, sizeof e->reason, "%.150s", error.message);
  }
  if (is_wanted(l)) r->steps += count;
  return engine_heft.step(e, count);
}

static int listen_force(Engine* e, int a, int b, HeftVec3* out) {
  return engine_heft.force(e, a, b, out);
}

static int listen_spin(Engine* e, const double* v, int count) {
  Listener* l = listener_of(e);
  if (is_wanted(l) && l->record->steps > 0) l->unsuitable = 1;
  return engine_heft.spin(e, v, count);
}

static int listen_energy(Engine* e, double out[2]) { return engine_heft.energy(e, out); }

static const EngineType listener_type = {listen_open,  listen_close, listen_read,
                                         listen_place, listen_push,  listen_step,
                                         listen_force, listen_spin,  listen_energy};

// ---- recording

static int gauge_count(const LiveScene* scene) {
  int count = 0;
  while (count < LIVE_ROWS && scene->gauge[count].what) ++count;
  return count;
}

// Keeps the rows that have a gauge, at the places of their gauges.
static void keep_row(void* user, const Row* row) {
  LiveRecord* r = user;
  for (int i = 0; i < gauge_count(r->scene); ++i) {
    if (strcmp(r->scene->gauge[i].what, row->what) != 0) continue;
    r->row[i] = *row;
    ++r->row_count;
  }
}

static const Case* find_case(const char* name) {
  for (int i = 0; i < case_count; ++i) {
    if (strcmp(cases[i].name, name) == 0) return &cases[i];
  }
  return NULL;
}

int live_record(LiveRecord* record, const LiveScene* scene, const char* scenes, char* reason,
                size_t reason_size) {
  *record = (LiveRecord){.scene = scene};
  Listener listener = {.engine = {.type = &listener_type, .name = "heft"}, .record = record};
  const Case* c = find_case(scene->case_name);
  if (!c) {
    snprintf(reason, reason_size, "there is no case '%s'", scene->case_name);
    return 0;
  }
  Run run = {.engine = &listener.engine,
             .scenes = scenes,
             .name = c->name,
             .sink = keep_row,
             .user = record};
  c->run(&run);
  if (listener.engine.reason[0])
    snprintf(reason, reason_size, "%s", listener.engine.reason);
  else if (!record->model || record->row_count != gauge_count(scene))
    snprintf(reason, reason_size, "the case opens %d scenes and reports %d of %d rows",
             listener.opened, record->row_count, gauge_count(scene));
  else if (listener.unsuitable)
    snprintf(reason, reason_size, "the case changes the scene while it runs, or pushes");
  else
    return 1;
  return 0;
}

void live_release(LiveRecord* record) {
  heft_model_destroy(record->model);
  record->model = NULL;
}

// ---- gauges

typedef struct Gauge {
  double value, start, first;
  int steps, found;
} Gauge;

static double axis_of(HeftVec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static double load_on_bodies(const HeftWorld* w, int axis) {
  double sum = 0;
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    sum += c.body_a == 0 ? axis_of(c.force, axis) : 0;
    sum -= c.body_b == 0 ? axis_of(c.force, axis) : 0;
  }
  return sum;
}

static double term_value(Engine* e, const LiveTerm* t) {
  EngineBody b;
  HeftVec3 force = {0, 0, 0};
  double energy[2];
  engine_heft.read(e, t->body, &b);
  switch (t->quantity) {
    case LIVE_POS:
      return axis_of(b.pos, t->axis);
    case LIVE_VEL:
      return axis_of(b.vel, t->axis);
    case LIVE_OMEGA:
      return axis_of(b.omega, t->axis);
    case LIVE_SPEED:
      return heft_vec3_norm(heft_vec3_add(b.vel, heft_vec3_cross(b.omega, heft_vec3_from(t->arm))));
    case LIVE_TILT:
      return acos(fmin(1, fmax(-1, heft_quat_rotate(b.quat, heft_vec3(0, 0, 1)).z))) * 180 /
             HEFT_PI;
    case LIVE_FORCE:
      engine_heft.force(e, t->from, t->body, &force);
      return axis_of(force, t->axis);
    case LIVE_LOAD:
      return load_on_bodies(e->world, t->axis);
    case LIVE_ENERGY:
      engine_heft.energy(e, energy);
      return energy[0] + energy[1];
    case LIVE_QUANTITY_COUNT:
      break;
  }
  return (double)NAN;
}

static double gauge_sum(Engine* e, const LiveGauge* def) {
  double x = def->offset;
  for (int i = 0; i < LIVE_TERMS; ++i) {
    if (def->term[i].factor != 0) x += def->term[i].factor * term_value(e, &def->term[i]);
  }
  return x;
}

static void gauge_start(Gauge* g, Engine* e, const LiveGauge* def) {
  *g = (Gauge){.start = gauge_sum(e, def)};
}

static void gauge_step(Gauge* g, Engine* e, const LiveGauge* def) {
  const double x = gauge_sum(e, def), time = e->step * ++g->steps;
  if (g->steps == 1) g->first = x;
  switch (def->take) {
    case LIVE_END:
      g->value = x;
      break;
    case LIVE_FIRST:
    case LIVE_CROSS:
      if (!g->found && (def->take == LIVE_FIRST ? fabs(x) : x) < def->threshold) {
        g->value = time;
        g->found = 1;
      }
      break;
    case LIVE_LAST:
      if (x > def->threshold) g->value = time;
      break;
    case LIVE_MAX:
      g->value = fmax(g->value, x);
      break;
    case LIVE_CHANGE:
      g->value = x - g->start;
      break;
    case LIVE_DRIFT:
      if (g->steps % 10 == 1) g->value = fmax(g->value, fabs(x - g->first) / fabs(g->first));
      break;
    case LIVE_TAKE_COUNT:
      break;
  }
}

static double row_error(const LiveGauge* def, const Row* row, double value) {
  return def->relative ? fabs(value / row->exact - 1) : fabs(value - row->exact);
}

// What the gauges show must be the figures of the case, up to the rounding of sums.
static int compare(const LiveRecord* r, const Gauge* gauges, char* reason, size_t reason_size) {
  for (int i = 0; i < r->row_count; ++i) {
    const Row* row = &r->row[i];
    const double value = gauges[i].value, error = row_error(&r->scene->gauge[i], row, value);
    if (!(fabs(value - row->figure) <= 1e-12 + 1e-9 * fabs(row->figure))) {
      snprintf(reason, reason_size, "%s: the gauge shows %.17g, the case %.17g", row->what, value,
               row->figure);
      return 0;
    }
    if (!(error <= row->limit)) {
      snprintf(reason, reason_size, "%s: the error is %g, the limit %g", row->what, error,
               row->limit);
      return 0;
    }
  }
  return 1;
}

int live_check(const LiveRecord* r, const char* path, char* reason, size_t reason_size) {
  Engine e = {.type = &engine_heft, .name = "heft"};
  Gauge gauges[LIVE_ROWS];
  HeftError error = {0};
  EngineSettings s = engine_settings();
  s.tolerance = r->settings.tolerance;
  s.rk4 = r->settings.rk4;
  reason[0] = '\0';
  if (!engine_heft.open(&e, path, &s)) {
    snprintf(reason, reason_size, "%s", e.reason);
    return 0;
  }
  int ok = heft_world_reset_to_key(e.world, "start", &error) == HEFT_OK;
  for (int i = 0; i < r->row_count; ++i) gauge_start(&gauges[i], &e, &r->scene->gauge[i]);
  for (int n = 0; ok && n < r->steps; ++n) {
    ok = engine_heft.step(&e, 1);
    for (int i = 0; i < r->row_count; ++i) gauge_step(&gauges[i], &e, &r->scene->gauge[i]);
  }
  if (!ok) snprintf(reason, reason_size, "a step failed: %s", error.message);
  ok = ok && compare(r, gauges, reason, reason_size);
  engine_heft.close(&e);
  return ok;
}
