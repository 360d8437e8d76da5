// SPDX-License-Identifier: Apache-2.0
// Computing runs. A worker has a batch of some worlds (a slice) in the thread that calls it; the
// callbacks of the batch give each world the numbers of its run, act in it and measure.
#include <heft/plugin.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "identify/identify.h"
#include "sweep/policy.h"
#include "sweep/sample.h"
#include "sweep/signal.h"
#include "sweep/sweep.h"

enum { SLICE = 32 };

/// A run that is being computed.
typedef struct Slot {
  int64_t run;
  int64_t row;  ///< in the file
  double values[PLAN_VARY_MAX];
  SignalTally measure[PLAN_MEASURE_MAX];
  SignalEvent event[PLAN_EVENT_MAX];
  PlanPush push[PLAN_PUSH_MAX];
  int64_t steps, inexact, unsolved, worst, place;
  int status;        ///< SweepStatus
  int done;          ///< 1: its row is written
  int unused;        ///< 1: the slice has fewer runs
  double* base;      ///< controls of the hold or of the policy (nactuator)
  double* q_hold;    ///< pose that joint servos hold (nq)
  double* v_start;   ///< velocities at the start of the last step (nv), for scatter of impacts
  uint64_t normals;  ///< numbers that impacts have taken
} Slot;

struct SweepWorker {
  const Sweep* sweep;
  HeftBatch* batch;
  double time_step;  ///< of the batch; 0: there is none
  HeftPluginSet* plugins;
  Policy* policy;
  int option[PLAN_VARY_MAX];  ///< plug-in options by variation
  Slot slot[SLICE];
  double *numbers, *kp, *kd, *scratch, *tau;
  Hdf5File* file;
  HeftError error;  ///< of a callback
  SweepHook* hook;
  void* hook_user;
  int64_t hook_run;  ///< the run that the hook sees
  int bare;          ///< 1: nothing is measured
  atomic_int stop;
  atomic_llong steps;
};

// ---- the numbers of a run

static HeftStatus set_friction(HeftWorld* w, PlanQuantity what, int shape, double x,
                               HeftError* error) {
  HeftMaterial m = heft_world_shape_material(w, shape);
  if (what == QUANTITY_FRICTION) m.friction = m.kinetic = x;
  if (what == QUANTITY_TORSION) m.torsion = x;
  if (what == QUANTITY_ROLLING) m.rolling = x;
  if (what == QUANTITY_RESTITUTION) m.restitution = x;
  return heft_world_set_shape_material(w, shape, &m, error);
}

static HeftStatus set_gain(const Sweep* s, HeftWorld* w, int actuator, double factor,
                           HeftError* error) {
  const HeftModel* m = s->model;
  HeftActuatorGains g = {.gain = factor * m->actuator_gain[actuator]};
  for (int i = 0; i < 2; ++i) g.gain_rate[i] = factor * m->actuator_gain_rate[2L * actuator + i];
  for (int i = 0; i < 3; ++i) g.bias[i] = factor * m->actuator_bias[3L * actuator + i];
  return heft_world_set_actuator_gains(w, actuator, &g, error);
}

static HeftStatus set_gravity(HeftWorld* w, PlanQuantity what, double x, HeftError* error) {
  HeftVec3 g = heft_world_gravity(w);
  if (what == QUANTITY_GRAVITY_X) g.x = x;
  if (what == QUANTITY_GRAVITY_Y) g.y = x;
  if (what == QUANTITY_GRAVITY_Z) g.z = x;
  return heft_world_set_gravity(w, g, error);
}

// Parameters of the world; the other quantities belong to its start and its run.
static HeftStatus set_parameter(const Sweep* s, HeftWorld* w, int i, int at, double x,
                                HeftError* error) {
  switch (s->plan->vary[i].what) {
    case QUANTITY_GRAVITY_X:
    case QUANTITY_GRAVITY_Y:
    case QUANTITY_GRAVITY_Z:
      return set_gravity(w, s->plan->vary[i].what, x, error);
    case QUANTITY_FRICTION:
    case QUANTITY_TORSION:
    case QUANTITY_ROLLING:
    case QUANTITY_RESTITUTION:
      return set_friction(w, s->plan->vary[i].what, at, x, error);
    case QUANTITY_MASS:
      x /= s->model->body_mass[at];
      return heft_world_set_mass_factors(w, at, x, x, error);
    case QUANTITY_MASS_FACTOR:
      return heft_world_set_mass_factors(w, at, x, x, error);
    case QUANTITY_GAIN_FACTOR:
      return set_gain(s, w, at, x, error);
    case QUANTITY_Q:
    case QUANTITY_Q_OFFSET:
    case QUANTITY_V:
    case QUANTITY_V_OFFSET:
    case QUANTITY_KEY:
    case QUANTITY_CONTROL:
    case QUANTITY_CONTROL_OFFSET:
    case QUANTITY_PUSH_FORCE:
    case QUANTITY_PUSH_HEADING:
    case QUANTITY_PUSH_TIME:
    case QUANTITY_PUSH_DURATION:
    case QUANTITY_IMPACT_SCATTER:
    case QUANTITY_OPTION:
    case QUANTITY_TIME_STEP:
    case QUANTITY_COUNT:
      break;
  }
  return HEFT_OK;
}

// A run whose numbers the model does not accept is refused, and the others go on. Memory that runs
// out is no fault of the numbers: it ends the chunk.
static HeftStatus refuse_unless(HeftStatus status, Slot* slot) {
  if (status == HEFT_ERR_MEMORY) return status;
  if (status != HEFT_OK) slot->status = SWEEP_REFUSED;
  return HEFT_OK;
}

static HeftStatus set_up(void* user, int index, HeftWorld* w, HeftError* error) {
  SweepWorker* k = user;
  Slot* slot = &k->slot[index];
  HeftStatus status = HEFT_OK;
  heft_world_set_seed(w, sample_noise_seed(k->sweep->plan, slot->run));
  for (int i = 0; i < k->sweep->plan->vary_count; ++i) {
    for (int o = 0; o < k->sweep->vary_places[i] && status == HEFT_OK; ++o) {
      const int at = k->sweep->vary[i][o].index;
      status = refuse_unless(set_parameter(k->sweep, w, i, at, slot->values[i], error), slot);
    }
  }
  return status;
}

// Coordinates go into q, which the world gets as a whole: it normalises quaternions.
static HeftStatus set_start_number(const Sweep* s, HeftWorld* w, int i, const SweepPlace* p,
                                   double x, double* q) {
  const int at = p->index + p->component;
  switch (s->plan->vary[i].what) {
    case QUANTITY_Q_OFFSET:
      q[at] += x;
      return HEFT_OK;
    case QUANTITY_Q:
      q[at] = x;
      return HEFT_OK;
    case QUANTITY_V_OFFSET:
      x += heft_world_state(w)->v[p->dof + p->component];
      return heft_world_set_v(w, p->dof + p->component, &x, 1, NULL);
    case QUANTITY_V:
      return heft_world_set_v(w, p->dof + p->component, &x, 1, NULL);
    case QUANTITY_GRAVITY_X:
    case QUANTITY_GRAVITY_Y:
    case QUANTITY_GRAVITY_Z:
    case QUANTITY_FRICTION:
    case QUANTITY_TORSION:
    case QUANTITY_ROLLING:
    case QUANTITY_RESTITUTION:
    case QUANTITY_MASS:
    case QUANTITY_MASS_FACTOR:
    case QUANTITY_GAIN_FACTOR:
    case QUANTITY_KEY:
    case QUANTITY_CONTROL:
    case QUANTITY_CONTROL_OFFSET:
    case QUANTITY_PUSH_FORCE:
    case QUANTITY_PUSH_HEADING:
    case QUANTITY_PUSH_TIME:
    case QUANTITY_PUSH_DURATION:
    case QUANTITY_IMPACT_SCATTER:
    case QUANTITY_OPTION:
    case QUANTITY_TIME_STEP:
    case QUANTITY_COUNT:
      break;
  }
  return HEFT_OK;
}

static int start_key(const Sweep* s, const Slot* slot) {
  for (int i = 0; i < s->plan->vary_count; ++i)
    if (s->plan->vary[i].what == QUANTITY_KEY) return s->vary_key[i][(int)slot->values[i]];
  return s->key;
}

static HeftStatus start(void* user, int index, HeftWorld* w, HeftError* error) {
  SweepWorker* k = user;
  const Sweep* s = k->sweep;
  const HeftModel* m = s->model;
  Slot* slot = &k->slot[index];
  const int key = start_key(s, slot);
  (void)error;
  if (key >= 0 && heft_world_set_key(w, key) != HEFT_OK) slot->status = SWEEP_REFUSED;
  double* q = slot->q_hold;  // as room, until the pose is known
  int placed = 0;
  memcpy(q, heft_world_state(w)->q, (size_t)m->nq * sizeof(double));
  for (int i = 0; i < s->plan->vary_count; ++i) {
    placed |= s->plan->vary[i].what == QUANTITY_Q || s->plan->vary[i].what == QUANTITY_Q_OFFSET;
    for (int o = 0; o < s->vary_places[i]; ++o)
      if (set_start_number(s, w, i, &s->vary[i][o], slot->values[i], q) != HEFT_OK)
        slot->status = SWEEP_REFUSED;
  }
  if (placed && heft_world_set_q(w, 0, q, m->nq, NULL) != HEFT_OK) slot->status = SWEEP_REFUSED;
  const double* base = s->hold >= 0 ? m->key_control + (long)s->hold * m->nactuator : NULL;
  if (m->nactuator > 0)
    memcpy(slot->base, base ? base : heft_world_controls(w), (size_t)m->nactuator * sizeof(double));
  const double* pose = s->hold >= 0 ? m->key_q + (long)s->hold * m->nq : heft_world_state(w)->q;
  memcpy(slot->q_hold, pose, (size_t)m->nq * sizeof(double));
  return HEFT_OK;
}

// ---- acting

// Rows of the control file, joined by straight lines; before the first and after the last they
// hold.
static void follow_file(const Sweep* s, double* controls, double time) {
  const Csv* t = &s->plan->control.table;
  int64_t low = 0, high = t->rows - 1;
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    if (t->number[middle * t->columns + s->control_time] <= time)
      low = middle;
    else
      high = middle;
  }
  const double *a = t->number + low * t->columns, *b = t->number + high * t->columns;
  const double length = b[s->control_time] - a[s->control_time];
  double share = length > 0 ? (time - a[s->control_time]) / length : 0;
  share = share < 0 ? 0 : (share > 1 ? 1 : share);
  for (int i = 0; i < t->columns; ++i)
    if (s->control_column[i] >= 0) controls[s->control_column[i]] = a[i] + share * (b[i] - a[i]);
}

static void control(const SweepWorker* k, const Slot* slot, HeftWorld* w, double time) {
  const Sweep* s = k->sweep;
  const Plan* p = s->plan;
  double* u = heft_world_controls(w);
  if (s->model->nactuator > 0) memcpy(u, slot->base, (size_t)s->model->nactuator * sizeof(double));
  if (p->control.file) follow_file(s, u, time);
  for (int i = 0; i < p->vary_count; ++i) {
    for (int o = 0; o < s->vary_places[i]; ++o) {
      if (p->vary[i].what == QUANTITY_CONTROL) u[s->vary[i][o].index] = slot->values[i];
      if (p->vary[i].what == QUANTITY_CONTROL_OFFSET) u[s->vary[i][o].index] += slot->values[i];
    }
  }
  if (!(p->control.stiffness > 0 || p->control.damping > 0)) return;
  const HeftState* state = heft_world_state(w);
  heft_pd_torques(s->model, k->kp, k->kd, slot->q_hold, NULL, NULL, state->q, state->v, k->scratch,
                  k->tau);
  memcpy(heft_world_joint_forces(w), k->tau, (size_t)s->model->nv * sizeof(double));
}

// The force acts for the share of the step that the push covers: its impulse is exact.
static void push(const Sweep* s, const Slot* slot, HeftWorld* w, double time, double h) {
  for (int i = 0; i < s->plan->push_count; ++i) {
    const PlanPush* u = &slot->push[i];
    const double from = fmax(time, u->time), to = fmin(time + h, u->time + u->duration);
    if (!(to > from)) continue;
    const double force = u->force * (to - from) / h;
    const int body = s->push_body[i];
    const HeftPose pose = heft_dynamics_body_pose(heft_world_dynamics(w), body);
    const HeftVec3 com = heft_pose_apply(pose, heft_vec3_from(s->model->body_com + 3L * body));
    heft_world_apply_wrench(
        w, body, com, heft_vec3(force * heft_cos(u->heading), force * heft_sin(u->heading), 0),
        heft_vec3(0, 0, 0));
  }
}

static HeftStatus act_plugins(SweepWorker* k, const Slot* slot) {
  HeftStatus status = HEFT_OK;
  if (slot->steps == 0) {
    for (int i = 0; i < k->sweep->plan->vary_count && status == HEFT_OK; ++i)
      if (k->sweep->plan->vary[i].what == QUANTITY_OPTION)
        status =
            heft_plugin_set_set_option(k->plugins, 0, k->option[i], slot->values[i], &k->error);
    if (status == HEFT_OK) status = heft_plugin_set_reset(k->plugins, &k->error);
  }
  return status == HEFT_OK ? heft_plugin_set_before_step(k->plugins, &k->error) : status;
}

static int hooked(const SweepWorker* k, const Slot* slot) {
  return k->hook && k->hook_run == slot->run;
}

static void see_events(const SweepWorker* k, Slot* slot, HeftWorld* w, const HeftStepReport* r,
                       double h) {
  const Plan* p = k->sweep->plan;
  for (int i = 0; i < p->event_count; ++i)
    if (signal_event_step(&slot->event[i], &p->event[i], &k->sweep->event[i],
                          k->sweep->event_other[i], w, r, h) &&
        p->event[i].end && slot->status == SWEEP_DONE)
      slot->status = SWEEP_ENDED;
}

typedef struct Impacts {
  const Plan* plan;
  Slot* slot;
} Impacts;

static double next_normal(void* user) {
  const Impacts* i = user;
  return sample_impact(i->plan, i->slot->run, i->slot->normals++);
}

// Impacts of the step before.
static void scatter(const Sweep* s, Slot* slot, HeftWorld* w) {
  Impacts impacts = {s->plan, slot};
  const HeftModel* m = s->model;
  for (int i = 0; i < s->plan->vary_count; ++i) {
    if (s->plan->vary[i].what != QUANTITY_IMPACT_SCATTER) continue;
    for (int o = 0; o < s->vary_places[i] && slot->steps > 0; ++o) {
      const int dof = m->joint_dof[m->body_joint[s->vary[i][o].index]];
      heft_impact_scatter(w, dof, slot->v_start + dof, slot->values[i], next_normal, &impacts);
    }
  }
  memcpy(slot->v_start, heft_world_state(w)->v, (size_t)m->nv * sizeof(double));
}

static void before(void* user, int index, HeftWorld* w) {
  SweepWorker* k = user;
  Slot* slot = &k->slot[index];
  const double time = *heft_world_state(w)->time, h = heft_world_time_step(w);
  if (slot->unused || slot->status == SWEEP_REFUSED) return;
  if (slot->steps == 0 && !k->bare) see_events(k, slot, w, NULL, 0);
  scatter(k->sweep, slot, w);
  control(k, slot, w, time);
  if (k->plugins && act_plugins(k, slot) != HEFT_OK) slot->status = SWEEP_BROKEN;
  if (slot->steps == 0 && hooked(k, slot)) k->hook(k->hook_user, w, NULL);
  push(k->sweep, slot, w, time, h);
}

// ---- results

static void write_row(SweepWorker* k, Slot* slot, HeftWorld* w) {
  const Sweep* s = k->sweep;
  const Plan* p = s->plan;
  const HeftState* state = heft_world_state(w);
  Hdf5File* f = k->file;
  const int64_t row = slot->row;
  int at = 0;
  for (int i = 0; i < p->vary_count; ++i) hdf5_put_double(f, at++, row, slot->values[i]);
  hdf5_put(f, at++, row, (uint64_t)slot->status);
  hdf5_put_double(f, at++, row, slot->status == SWEEP_REFUSED ? (double)NAN : *state->time);
  hdf5_put(f, at++, row, (uint64_t)slot->steps);
  hdf5_put(f, at++, row, (uint64_t)slot->inexact);
  hdf5_put(f, at++, row, (uint64_t)slot->unsolved);
  hdf5_put(f, at++, row, (uint64_t)slot->worst);
  hdf5_put(f, at++, row, (uint64_t)slot->place);
  hdf5_put(f, at++, row, heft_world_hash(w));
  for (int i = 0; i < p->measure_count; ++i)
    for (int c = 0; c < KEEP_COUNT; ++c)
      if (p->measure[i].keep >> c & 1)
        hdf5_put_double(f, at++, row, signal_tally_value(&slot->measure[i], (PlanKeep)c));
  for (int i = 0; i < p->event_count; ++i) {
    hdf5_put(f, at++, row, (uint64_t)slot->event[i].happened);
    hdf5_put_double(f, at++, row, slot->event[i].happened ? slot->event[i].time : (double)NAN);
  }
  if (p->final_state) {
    const int nq = s->model->nq, nv = s->model->nv;
    for (int i = 0; i < nq; ++i) hdf5_put_double(f, at, row * nq + i, state->q[i]);
    at += nq > 0;
    for (int i = 0; i < nv; ++i) hdf5_put_double(f, at, row * nv + i, state->v[i]);
  }
  slot->done = 1;
}

static int64_t step_count(const Plan* p, double h) { return (int64_t)ceil(p->duration / h - 1e-9); }

static void judge(Slot* slot, const HeftStepReport* r) {
  const HeftStepQuantity worst = heft_step_report_worst(r);
  slot->inexact += r->inexact > 0;
  slot->unsolved += r->status != HEFT_STEP_SOLVED;
  if ((int64_t)r->status <= slot->worst) return;
  slot->worst = (int64_t)r->status;
  slot->place = worst < HEFT_QUANTITY_COUNT ? r->error[worst].place[0] : -1;
}

static bool after(void* user, int index, HeftWorld* w, const HeftStepReport* r) {
  SweepWorker* k = user;
  Slot* slot = &k->slot[index];
  const Sweep* s = k->sweep;
  const double h = heft_world_time_step(w);
  if (slot->unused || (k->bare && slot->status == SWEEP_REFUSED)) return true;
  if (slot->status == SWEEP_REFUSED) {
    write_row(k, slot, w);
    return true;
  }
  ++slot->steps;
  if (k->bare) return slot->steps >= step_count(s->plan, h);
  atomic_fetch_add_explicit(&k->steps, 1, memory_order_relaxed);
  judge(slot, r);
  if (k->plugins) heft_plugin_set_after_step(k->plugins, r);
  for (int i = 0; i < s->plan->measure_count; ++i)
    signal_tally_add(&slot->measure[i],
                     signal_value(s->plan->measure[i].what, &s->measure[i], w, r));
  see_events(k, slot, w, r, h);
  if (hooked(k, slot)) k->hook(k->hook_user, w, r);
  const int end = slot->status != SWEEP_DONE || slot->steps >= step_count(s->plan, h);
  if (end) write_row(k, slot, w);
  return end || atomic_load_explicit(&k->stop, memory_order_relaxed);
}

// ---- a slice

static void vary_push(PlanPush* u, PlanQuantity what, double x) {
  if (what == QUANTITY_PUSH_FORCE) u->force = x;
  if (what == QUANTITY_PUSH_HEADING) u->heading = x;
  if (what == QUANTITY_PUSH_TIME) u->time = x;
  if (what == QUANTITY_PUSH_DURATION) u->duration = x;
}

static void prepare_slot(const SweepWorker* k, Slot* slot, int64_t run, int64_t row) {
  const Plan* p = k->sweep->plan;
  double *base = slot->base, *q_hold = slot->q_hold, *v_start = slot->v_start;
  memset(slot, 0, sizeof *slot);
  slot->base = base;
  slot->q_hold = q_hold;
  slot->v_start = v_start;
  slot->run = run;
  slot->row = row;
  slot->place = -1;
  sample_run(p, run, slot->values);
  for (int i = 0; i < p->event_count; ++i)
    slot->event[i] = (SignalEvent){.before = (double)NAN, .since = (double)NAN};
  memcpy(slot->push, p->push, sizeof slot->push);
  for (int i = 0; i < p->vary_count; ++i) {
    if (plan_quantity(p->vary[i].what).of != OF_PUSH) continue;
    for (int o = 0; o < k->sweep->vary_places[i]; ++o)
      vary_push(&slot->push[k->sweep->vary[i][o].index], p->vary[i].what, slot->values[i]);
  }
}

static double time_step_of(const SweepWorker* k, const Slot* slot) {
  const Plan* p = k->sweep->plan;
  for (int i = 0; i < p->vary_count; ++i)
    if (p->vary[i].what == QUANTITY_TIME_STEP) return slot->values[i];
  return p->time_step > 0 ? p->time_step : k->sweep->model->physics.time_step;
}

static HeftStatus find_options(SweepWorker* k, HeftError* error) {
  const Plan* p = k->sweep->plan;
  for (int i = 0; i < p->vary_count; ++i) {
    HeftError found = {0};
    if (p->vary[i].what != QUANTITY_OPTION) continue;
    const HeftPlugin* plugin = heft_plugin_set_plugin(k->plugins, 0);
    if (heft_options_find(plugin->options, p->vary[i].of, &k->option[i], &found) != HEFT_OK)
      return plan_fail(p, p->vary[i].line, p->vary[i].column_at, error, "%s", found.message);
  }
  return HEFT_OK;
}

static HeftStatus open_plugin(SweepWorker* k, HeftError* error) {
  const Plan* p = k->sweep->plan;
  char file[2048], spec[4096];
  const char* slash = strrchr(p->control.plugin, '/');
  const char* colon = strchr(slash ? slash : p->control.plugin, ':');
  const int length = colon ? (int)(colon - p->control.plugin) : (int)strlen(p->control.plugin);
  snprintf(spec, sizeof spec, "%.*s", length, p->control.plugin);
  plan_file(p, spec, file, sizeof file);
  snprintf(spec, sizeof spec, "%s%s", file, colon ? colon : "");
  HeftStatus status = heft_plugin_set_create(&k->plugins, NULL, error);
  if (status == HEFT_OK) status = heft_plugin_set_load(k->plugins, spec, error);
  return status == HEFT_OK ? find_options(k, error) : status;
}

// The batch for a time step.
static HeftStatus open_batch(SweepWorker* k, double time_step, HeftError* error) {
  HeftBatchDef def = heft_batch_def_default();
  if (k->batch && time_step == k->time_step) return HEFT_OK;
  if (k->plugins) heft_plugin_set_detach(k->plugins);
  heft_batch_destroy(k->batch);
  k->batch = NULL;
  def.count = SLICE;
  def.world.time_step = time_step;
  if (k->sweep->plan->tolerance > 0) def.world.tolerance = k->sweep->plan->tolerance;
  def.user = k;
  def.setup = set_up;
  def.start = start;
  def.before = before;
  def.after = after;
  HeftStatus status = heft_batch_create(&k->batch, k->sweep->model, &def, error);
  if (status == HEFT_OK && k->plugins)
    status = heft_plugin_set_attach(k->plugins, heft_batch_world(k->batch, 0, NULL), error);
  k->time_step = time_step;
  return status;
}

static HeftStatus ask_policy(SweepWorker* k, int count, HeftError* error) {
  const HeftModel* m = k->sweep->model;
  int64_t run[SLICE];
  double controls[SLICE * 64], *out = controls;
  const size_t n = (size_t)m->nactuator;
  if (n > 64) out = malloc(SLICE * n * sizeof *out);
  if (!out) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for controls");
  for (int i = 0; i < count; ++i) run[i] = k->slot[i].run;
  const PolicyView view = {count,
                           run,
                           heft_batch_time(k->batch),
                           heft_batch_q(k->batch),
                           heft_batch_v(k->batch),
                           heft_batch_sensors(k->batch)};
  const HeftStatus status = policy_act(k->policy, &view, out, error);
  for (int i = 0; i < count && status == HEFT_OK && n > 0; ++i)
    memcpy(k->slot[i].base, out + (size_t)i * n, n * sizeof(double));
  if (out != controls) free(out);
  return status;
}

static HeftStatus step_slice(SweepWorker* k, int count, int64_t steps, HeftError* error) {
  const Plan* p = k->sweep->plan;
  if (!k->policy) return heft_batch_step(k->batch, steps, error);
  const int64_t period =
      p->control.period > 0 ? (int64_t)fmax(1, floor(p->control.period / k->time_step + 0.5)) : 1;
  HeftStatus status = HEFT_OK;
  for (int64_t at = 0; at < steps && status == HEFT_OK && !atomic_load(&k->stop); at += period) {
    status = ask_policy(k, count, error);
    const int64_t next = steps - at < period ? steps - at : period;
    if (status == HEFT_OK) status = heft_batch_step(k->batch, next, error);
  }
  return status;
}

// Runs whose last step was rolled back, or that were refused.
static void finish_slice(SweepWorker* k, int count) {
  for (int i = 0; i < count; ++i) {
    Slot* slot = &k->slot[i];
    if (slot->done) continue;
    if (slot->status == SWEEP_DONE) slot->status = SWEEP_FAILED;
    HeftWorld* w = heft_batch_world(k->batch, i, NULL);
    if (w) write_row(k, slot, w);
  }
}

static HeftStatus compute_slice(SweepWorker* k, int64_t first, int count, int64_t row,
                                HeftError* error) {
  for (int i = 0; i < SLICE; ++i) {
    prepare_slot(k, &k->slot[i], first + (i < count ? i : 0), row + i);
    k->slot[i].unused = i >= count;
  }
  HeftStatus status = open_batch(k, time_step_of(k, &k->slot[0]), error);
  for (int i = 0; i < SLICE; ++i) k->slot[i].status = SWEEP_DONE;
  if (status == HEFT_OK) status = heft_batch_reset(k->batch, NULL, -1, error);
  const int64_t steps = step_count(k->sweep->plan, k->time_step);
  if (status == HEFT_OK) status = step_slice(k, count, steps, error);
  if (status != HEFT_OK) return status;
  if (atomic_load(&k->stop))
    return heft_error_set(error, HEFT_ERR_STOPPED, "the computation was stopped");
  if (!k->bare) finish_slice(k, count);
  return HEFT_OK;
}

// Runs from `first` on that one slice can hold: they have the same time step.
static int slice_count(const SweepWorker* k, int64_t first, int64_t left) {
  Slot slot = {.run = first};
  sample_run(k->sweep->plan, first, slot.values);
  const double h = time_step_of(k, &slot);
  int count = 1;
  for (; count < SLICE && count < left; ++count) {
    sample_run(k->sweep->plan, first + count, slot.values);
    if (time_step_of(k, &slot) != h) break;
  }
  return count;
}

HeftStatus sweep_worker_runs(SweepWorker* k, int64_t first, int64_t count, Hdf5File* out,
                             HeftError* error) {
  SweepTable t;
  HeftStatus status = HEFT_OK;
  sweep_table(k->sweep, first, count, &t);
  if (!hdf5_make(out, &t.table))
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %lld runs", (long long)count);
  k->file = out;
  for (int64_t row = 0; row < count && status == HEFT_OK;) {
    const int n = slice_count(k, first + row, count - row);
    status = compute_slice(k, first + row, n, row, error);
    row += n;
  }
  if (status == HEFT_OK)
    hdf5_seal(out);
  else
    hdf5_release(out);
  return status;
}

HeftStatus sweep_worker_chunk(SweepWorker* k, int64_t chunk, Hdf5File* out, HeftError* error) {
  const Plan* p = k->sweep->plan;
  return sweep_worker_runs(k, plan_chunk_first(p, chunk), plan_chunk_runs(p, chunk), out, error);
}

HeftStatus sweep_worker_bare(SweepWorker* k, int64_t chunk, HeftError* error) {
  const Plan* p = k->sweep->plan;
  const int64_t first = plan_chunk_first(p, chunk), count = plan_chunk_runs(p, chunk);
  HeftStatus status = HEFT_OK;
  k->bare = 1;
  for (int64_t row = 0; row < count && status == HEFT_OK;) {
    const int n = slice_count(k, first + row, count - row);
    status = compute_slice(k, first + row, n, row, error);
    row += n;
  }
  k->bare = 0;
  return status;
}

HeftStatus sweep_worker_replay(SweepWorker* k, int64_t run, SweepHook* hook, void* user,
                               Hdf5File* out, int64_t* row, HeftError* error) {
  const Plan* p = k->sweep->plan;
  int64_t first = run, count = 1;
  if (k->policy) {  // which may mix rows in its last bits: the same rows as in the chunk
    const int64_t start_of_chunk = plan_chunk_first(p, run / p->chunk);
    const int64_t end = start_of_chunk + plan_chunk_runs(p, run / p->chunk);
    for (first = start_of_chunk; first + (count = slice_count(k, first, end - first)) <= run;)
      first += count;
  }
  *row = run - first;
  k->hook = hook;
  k->hook_user = user;
  k->hook_run = run;
  const HeftStatus status = sweep_worker_runs(k, first, count, out, error);
  k->hook = NULL;
  return status;
}

// ---- creation

static void fill_gains(SweepWorker* k) {
  const HeftModel* m = k->sweep->model;
  for (int i = 0; i < m->nv; ++i) {
    const int is_free = m->joint_type[m->dof_joint[i]] == HEFT_JOINT_FREE;
    k->kp[i] = is_free ? 0 : k->sweep->plan->control.stiffness;
    k->kd[i] = is_free ? 0 : k->sweep->plan->control.damping;
  }
}

static HeftStatus take_memory(SweepWorker* k, HeftError* error) {
  const size_t nv = (size_t)k->sweep->model->nv, nq = (size_t)k->sweep->model->nq;
  const size_t nu = (size_t)k->sweep->model->nactuator;
  k->numbers = calloc(4 * nv + SLICE * (nq + nv + nu) + 1, sizeof(double));
  if (!k->numbers) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a worker");
  k->kp = k->numbers;
  k->kd = k->kp + nv;
  k->scratch = k->kd + nv;
  k->tau = k->scratch + nv;
  for (size_t i = 0; i < SLICE; ++i) {
    k->slot[i].base = k->tau + nv + i * (nq + nv + nu);
    k->slot[i].q_hold = k->slot[i].base + nu;
    k->slot[i].v_start = k->slot[i].q_hold + nq;
  }
  fill_gains(k);
  return HEFT_OK;
}

HeftStatus sweep_worker_create(SweepWorker** out, const Sweep* sweep, HeftError* error) {
  const HeftModel* m = sweep->model;
  const PlanControl* c = &sweep->plan->control;
  *out = NULL;
  SweepWorker* k = calloc(1, sizeof *k);
  if (!k) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a worker");
  k->sweep = sweep;
  atomic_init(&k->stop, 0);
  atomic_init(&k->steps, 0);
  HeftStatus status = take_memory(k, error);
  if (status == HEFT_OK && c->plugin) status = open_plugin(k, error);
  if (status == HEFT_OK && c->python) {
    char path[2048];
    plan_file(sweep->plan, c->python, path, sizeof path);
    status = policy_open(&k->policy, path,
                         (PolicySizes){m->nq, m->nv, m->nsensordata, m->nactuator}, error);
  }
  if (status == HEFT_OK)
    *out = k;
  else
    sweep_worker_destroy(k);
  return status;
}

void sweep_worker_destroy(SweepWorker* k) {
  if (!k) return;
  if (k->plugins) heft_plugin_set_detach(k->plugins);
  heft_plugin_set_destroy(k->plugins);
  heft_batch_destroy(k->batch);
  policy_close(k->policy);
  free(k->numbers);
  free(k);
}

void sweep_worker_stop(SweepWorker* k) { atomic_store(&k->stop, 1); }

int64_t sweep_worker_steps(const SweepWorker* k) {
  return atomic_load_explicit(&k->steps, memory_order_relaxed);
}

const char* sweep_worker_message(const SweepWorker* k) { return k->error.message; }
