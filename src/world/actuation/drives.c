// SPDX-License-Identifier: Apache-2.0
// Drives: the order in which the forces at the joints are computed. The forces themselves are
// computed in actuators.c, tendons.c, couplings.c and dynamics/fluid.c.
#include "world/actuation/drives.h"

#include <string.h>

// A step is repeated while force limits change in both directions, then while limits are added,
// then accepted as it is.
enum { PASSES_BOTH_DIRECTIONS = 4, PASSES_MAX = 8 };

// ---- memory

static void place(void* object, Arena* arena, const void* user) {
  Drives* d = object;
  const HeftModel* m = user;
  d->tau = arena_take(arena, m->nv, double);
  d->extra = arena_take(arena, m->nv, double);
  d->base = arena_take(arena, m->nv, double);
  d->more = arena_take(
      arena, m->ntendon + m->nactuator + COUPLING_STIFFENINGS + 6L * d->fluid_count, Stiffening);
}

HeftStatus heft_drives_create(Drives** out, const HeftModel* m, HeftDynamics* dynamics,
                              const HeftAllocator* allocator, HeftError* error) {
  Drives start = {.model = m};
  heft_dynamics_fluid(dynamics, &start.fluid_count);
  Drives* d = heft_block_create(&start, sizeof start, place, m, allocator, "drives", error);
  *out = d;
  if (!d) return HEFT_ERR_MEMORY;
  d->transmissions = heft_transmissions_create(m, dynamics, allocator, error);
  if (!d->transmissions) return HEFT_ERR_MEMORY;
  d->actuators = heft_actuators_create(m, d->transmissions, allocator, error);
  if (!d->actuators) return HEFT_ERR_MEMORY;
  d->tendons = heft_tendons_create(m, d->transmissions, dynamics, allocator, error);
  if (!d->tendons) return HEFT_ERR_MEMORY;
  d->tendon_constraints = heft_tendon_constraints_create(m, d->transmissions, allocator, error);
  if (!d->tendon_constraints) return HEFT_ERR_MEMORY;
  d->couplings = heft_couplings_create(m, allocator, error);
  if (!d->couplings) return HEFT_ERR_MEMORY;
  d->bare = d->idle = m->nactuator == 0 && !d->tendons->any && d->fluid_count == 0;
  heft_transmissions_settle(d->transmissions);
  return HEFT_OK;
}

void heft_drives_destroy(Drives* d, const HeftAllocator* allocator) {
  if (!d) return;
  heft_block_destroy(d->couplings, allocator);
  heft_block_destroy(d->tendon_constraints, allocator);
  heft_block_destroy(d->tendons, allocator);
  heft_block_destroy(d->actuators, allocator);
  heft_block_destroy(d->transmissions, allocator);
  heft_block_destroy(d, allocator);
}

void heft_drives_reset(Drives* d) {
  heft_actuators_reset(d->actuators);
  heft_couplings_clear(d->couplings);
}

// ---- every step

int heft_drives_begin(Drives* d, const StepInput* in) {
  d->idle = d->bare && d->couplings->count == 0;
  d->force = d->idle ? in->joint_force : d->tau;
  return d->bare || heft_actuators_begin(d->actuators, in);
}

void heft_drives_end(const Drives* d, double* act) {
  if (d->model->nact > 0)
    memcpy(act, d->actuators->act_end, (size_t)d->model->nact * sizeof(double));
}

// ---- theta scheme

// v: the velocity at which springs and dampers of tendons and couplings are evaluated.
static void gather(Drives* d, const StepInput* in, HeftDynamics* dynamics, const double* v,
                   const double* theta) {
  const size_t size = (size_t)d->model->nv * sizeof(double);
  memcpy(d->tau, in->joint_force, size);
  memset(d->extra, 0, size);
  d->more_count = heft_tendons_act(d->tendons, in->h, v, theta, d->tau, d->extra, d->more);
  d->more_count +=
      heft_actuators_act(d->actuators, in->h, d->tau, d->extra, d->more + d->more_count);
  d->more_count +=
      heft_couplings_act(d->couplings, dynamics, in->h, v, d->tau, d->more + d->more_count);
  heft_fluid_push(dynamics, v, d->tau);
  d->more_count += heft_fluid_stiffen(dynamics, in->h, theta, d->more + d->more_count);
}

void heft_drives_middle(Drives* d, const StepInput* in, HeftDynamics* dynamics, const double* q,
                        const double* theta) {
  if (d->idle) return;
  heft_transmissions_update(d->transmissions, dynamics, q);
  heft_fluid_place(dynamics);
  heft_fluid_linearise(dynamics, in->start->v);
  heft_actuators_prepare(d->actuators, in, q, theta);
  gather(d, in, dynamics, in->start->v, theta);
}

int heft_drives_look_ahead(Drives* d, const StepInput* in, HeftDynamics* dynamics,
                           const double* theta, const double* v) {
  if (d->fluid_count == 0) return 0;
  heft_fluid_linearise(dynamics, v);
  gather(d, in, dynamics, in->start->v, theta);
  return 1;
}

int heft_drives_factor(Drives* d, HeftDynamics* dynamics, const double* extra) {
  if (d->idle) return heft_dynamics_factor(dynamics, extra) != HEFT_OK;
  for (int i = 0; i < d->model->nv; ++i) d->extra[i] += extra[i];
  return heft_factor_stiffened(dynamics, d->extra, d->more_count, d->more);
}

void heft_drives_resist(const Drives* d, const double* extra, const double* x, double* out) {
  const double* diagonal = d->idle ? extra : d->extra;
  for (int i = 0; i < d->model->nv; ++i) out[i] += diagonal[i] * x[i];
  for (int k = 0; k < d->more_count && !d->idle; ++k) {
    const Stiffening* a = &d->more[k];
    double along = 0;
    for (int i = 0; i < a->count; ++i) along += a->arm[i] * x[a->dof[i]];
    for (int i = 0; i < a->count; ++i) out[a->dof[i]] += a->scale * along * a->arm[i];
  }
}

void heft_drives_note(Drives* d, const double* right) {
  if (d->idle || !d->actuators->may_saturate) return;
  for (int i = 0; i < d->model->nv; ++i) d->base[i] = right[i] - d->tau[i];
}

int heft_drives_repeat(Drives* d, const StepInput* in, HeftDynamics* dynamics, const double* theta,
                       const double* v, int pass) {
  if (d->idle || pass >= PASSES_MAX) return 0;
  if (!heft_actuators_judge(d->actuators, in->start->v, v, pass >= PASSES_BOTH_DIRECTIONS))
    return 0;
  gather(d, in, dynamics, in->start->v, theta);
  return 1;
}

int heft_drives_settled(const Drives* d, const StepInput* in, const double* v, int only_more) {
  return d->idle || heft_actuators_settled(d->actuators, in->start->v, v, only_more);
}

int heft_drives_limited(const Drives* d) {
  return !d->idle && heft_actuators_limited(d->actuators);
}

void heft_drives_right(const Drives* d, double* right) {
  for (int i = 0; i < d->model->nv; ++i) right[i] = d->base[i] + d->tau[i];
}

int heft_drives_note_wrenches(const Drives* d, const Sensors* sensors) {
  return d->couplings->count > 0 || (d->fluid_count > 0 && sensors->wants_force);
}

// A share of the wrenches on all boxes, at the velocities v + θ (v⁺ - v) of the step.
static void note_fluid(const HeftDynamics* dynamics, Sensors* sensors, const double* before,
                       const double* after, double share) {
  int count = 0;
  const FluidBox* boxes = heft_dynamics_fluid(dynamics, &count);
  for (int i = 0; i < count && sensors->wants_force; ++i) {
    const FluidBox* box = &boxes[i];
    const HeftSpatial wrench = heft_spatial_add(
        heft_spatial_scale(share * (1 - box->theta), heft_fluid_wrench(box, before)),
        heft_spatial_scale(share * box->theta, heft_fluid_wrench(box, after)));
    heft_sensors_note(sensors, dynamics, box->body, box->pose.pos, wrench.lin, wrench.ang);
  }
}

void heft_drives_finish(Drives* d, const StepInput* in, const HeftDynamics* dynamics,
                        Sensors* sensors, const double* v, const double* v_mean,
                        HeftStepReport* report) {
  if (d->idle) return;
  heft_actuators_finish(d->actuators, in->start->v, v);
  for (int i = 0; i < d->model->nv; ++i) report->work += in->h * d->actuators->tau[i] * v_mean[i];
  report->damping += heft_tendons_damping(d->tendons, in->h, v_mean);
  report->work =
      heft_couplings_finish(d->couplings, in, dynamics, sensors, v, v_mean, report->work);
  double work = 0, lost = 0;
  heft_fluid_power(dynamics, v_mean, &work, &lost);
  report->work += in->h * work;
  report->damping += in->h * lost;
  note_fluid(dynamics, sensors, in->start->v, v, in->h / in->def->time_step / in->def->substeps);
}

// ---- Runge-Kutta

void heft_drives_stage(Drives* d, const StepInput* in, HeftDynamics* dynamics, Sensors* sensors,
                       const double* q, const double* v, double time, double share, double* work,
                       double* damping) {
  Actuators* a = d->actuators;
  const HeftModel* m = d->model;
  if (d->idle) return;
  if (time == 0) {  // the first stage
    memset(a->force, 0, (size_t)m->nactuator * sizeof(double));
    memset(a->tau, 0, (size_t)m->nv * sizeof(double));
  }
  heft_transmissions_update(d->transmissions, dynamics, q);
  heft_actuators_stage(a, in, q, v, time, share, d->tau);
  for (int i = 0; i < m->nv; ++i) {
    *work += d->tau[i] * v[i];
    d->tau[i] += in->joint_force[i];
  }
  *damping += heft_tendons_stage(d->tendons, v, d->tau);
  *work += heft_couplings_stage(d->couplings, in, dynamics, sensors, v, share, d->tau);
  if (d->fluid_count == 0) return;
  heft_dynamics_fluid_forces(dynamics, v, d->tau);
  heft_fluid_power(dynamics, v, work, damping);
  note_fluid(dynamics, sensors, v, v, share / in->def->substeps);
}
