// SPDX-License-Identifier: Apache-2.0
// A world's life: created with all its memory, read, written, snapshot, destroyed.
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "world/models/contact_model.h"
#include "world/world_internal.h"

static const char* const integrator_names[] = {
#define NAME(id, name, meaning) name,
    HEFT_INTEGRATOR_LIST(NAME)
#undef NAME
};

static const char* const status_texts[] = {
#define TEXT(id, text) text,
    HEFT_STEP_STATUS_LIST(TEXT)
#undef TEXT
};

const char* heft_integrator_name(HeftIntegrator integrator) {
  return (int)integrator >= 0 && integrator < HEFT_INTEGRATOR_COUNT ? integrator_names[integrator]
                                                                    : "unknown";
}

const char* heft_step_status_text(HeftStepStatus status) {
  return (int)status >= 0 && status < HEFT_STEP_STATUS_COUNT ? status_texts[status] : "unknown";
}

HeftWorldDef heft_world_def_default(void) {
  return (HeftWorldDef){.allocator = heft_allocator_default(),
                        .integrator = HEFT_INTEGRATOR_MOREAU,
                        .time_step = 0,
                        .theta = 0.5,
                        .keep_momentum = 1,
                        .margin = 0.001,
                        .tolerance = 1e-6,
                        .effort_max = 1000,
                        .substeps = 1,
                        .rest = 1e-9,
                        .sleep = 1,
                        .threads = 1,
                        .contact_model = HEFT_CONTACT_MODEL_FROM_FILE,
                        .contact_options = heft_contact_options_default()};
}

static void place(HeftWorld* w, Arena* arena, const HeftModel* m) {
  const int nlink = heft_link_count(m);
  w->joint_force = arena_take(arena, m->nv, double);
  w->force = arena_take(arena, m->nv, double);
  w->velocity = arena_take(arena, m->nv, double);
  w->mean = arena_take(arena, m->nv, double);
  w->theta = arena_take(arena, m->nv, double);
  w->extra = arena_take(arena, m->nv, double);
  w->extra_stage = arena_take(arena, m->nv, double);
  w->q_stage = arena_take(arena, m->nq, double);
  for (int i = 0; i < 4; ++i) {
    w->rate[i] = arena_take(arena, m->nv, double);
    w->push[i] = arena_take(arena, m->nv, double);
  }
  w->momentum = arena_take(arena, nlink, TreeMomentum);
  w->swirl = arena_take(arena, 2L * nlink, Swirl);
  w->wanted_linear = arena_take(arena, nlink, HeftVec3);
  w->wanted_angular = arena_take(arena, nlink, HeftVec3);
  w->travel = arena_take(arena, nlink, HeftVec3);
  w->com_before = arena_take(arena, nlink, HeftVec3);
  w->impulse = arena_take(arena, nlink, HeftVec3);
  w->spin = arena_take(arena, nlink, HeftVec3);
  w->floating = arena_take(arena, nlink, int);
  w->flock = arena_take(arena, nlink, int);
  w->flock_first = arena_take(arena, nlink + 1, int);
  w->budget.noted = arena_take(arena, w->budget.noted_max, int);
}

static HeftStatus check_def(const HeftWorldDef* def, HeftError* error) {
  if ((int)def->integrator < 0 || def->integrator >= HEFT_INTEGRATOR_COUNT) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "integrator %d is unknown",
                          (int)def->integrator);
  }
  if (!(def->theta >= 0.5 && def->theta <= 1)) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "theta is %g, expected 1/2 to 1", def->theta);
  }
  if (!(def->time_step >= 0 && def->time_step <= 10)) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "the time step is %g s, expected 0 (the model's) to 10", def->time_step);
  }
  if (def->substeps < 1 || def->substeps > 1000) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "%d substeps were asked for, expected 1 to 1000", def->substeps);
  }
  if (!(def->rest >= 0 && def->rest <= 1)) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "the speed of rest is %g, expected 0 to 1",
                          def->rest);
  }
  if (def->threads < 1 || def->threads > 64) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "%d threads were asked for, expected 1 to 64",
                          def->threads);
  }
  return HEFT_OK;
}

static void prepare(HeftWorld* w) {
  const HeftModel* m = w->model;
  w->model_hash = heft_model_hash(m);
  if (w->def.time_step == 0) w->def.time_step = m->physics.time_step;
  w->def.time_step /= w->def.substeps;
  const double* g = m->physics.gravity;
  w->weight_speed = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * w->def.time_step;
  w->rest_speed = w->def.rest * w->weight_speed;
  const double reach = w->def.time_step * w->def.theta;
  for (int i = 0; i < m->nv; ++i)
    w->extra[i] = reach * m->dof_damping[i] + reach * reach * m->dof_stiffness[i];
  for (int k = 1; k < heft_link_count(m); ++k) {
    if (heft_link_floats(m, k)) w->floating[w->floating_count++] = k;
  }
}

// Islands are at most as many as links; each is solved for impulses and for the correction, and
// again when an actuator meets its limit.
static int work_notes(const HeftModel* m, const HeftWorldDef* def) {
  enum { SOLUTIONS = 6, MAX = 1 << 24 };
  const double max = (double)SOLUTIONS * heft_link_count(m) * def->substeps;
  return max < MAX ? (int)max : MAX;
}

HeftStatus heft_world_create(HeftWorld** out, const HeftModel* model, const HeftWorldDef* def,
                             HeftError* error) {
  HEFT_ASSERT(out && model);
  *out = NULL;
  const HeftWorldDef used = def ? *def : heft_world_def_default();
  HeftStatus status = check_def(&used, error);
  if (status != HEFT_OK) return status;
  HeftWorld measured = {0};
  measured.budget.noted_max = work_notes(model, &used);
  Arena measure = arena_measure();
  arena_take(&measure, 1, HeftWorld);
  place(&measured, &measure, model);
  HeftWorld* w = used.allocator.allocate(used.allocator.user, measure.used, ARENA_ALIGNMENT);
  if (!w)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a world of %zu bytes",
                          measure.used);
  memset(w, 0, measure.used);
  Arena arena = arena_make(w, measure.used, NULL);
  arena_take(&arena, 1, HeftWorld);
  w->budget.noted_max = measured.budget.noted_max;
  place(w, &arena, model);
  w->model = model;
  w->def = used;
  w->memory_size = measure.used;
  status = heft_dynamics_create(&w->dynamics, model, &used.allocator, error);
  if (status == HEFT_OK) status = heft_state_create(&w->state, model, &used.allocator, error);
  if (status == HEFT_OK) status = heft_state_create(&w->before, model, &used.allocator, error);
  if (status == HEFT_OK) status = heft_drives_create(w, error);
  if (status == HEFT_OK) status = heft_sensors_create(w, error);
  if (status == HEFT_OK) status = heft_constraints_create(w, error);
  if (status == HEFT_OK) status = heft_contact_model_start(w, error);
  if (status != HEFT_OK) {
    heft_world_destroy(w);
    return status;
  }
  prepare(w);
  *out = w;
  return HEFT_OK;
}

void heft_world_destroy(HeftWorld* w) {
  if (!w) return;
  const HeftAllocator allocator = w->def.allocator;
  heft_contact_model_end(w);
  heft_constraints_destroy(w);
  heft_sensors_destroy(w);
  heft_drives_destroy(w);
  heft_state_destroy(w->before);
  heft_state_destroy(w->state);
  heft_dynamics_destroy(w->dynamics);
  allocator.release(allocator.user, w, w->memory_size);
}

const HeftState* heft_world_state(const HeftWorld* w) { return w->state; }
const HeftModel* heft_world_model(const HeftWorld* w) { return w->model; }
double* heft_world_joint_forces(HeftWorld* w) { return w->joint_force; }
uint64_t heft_world_hash(const HeftWorld* w) { return heft_state_hash(w->state); }

void heft_world_refresh(HeftWorld* w) {
  if (w->fresh) return;
  heft_dynamics_kinematics(w->dynamics, w->state->q);
  heft_dynamics_velocities(w->dynamics, w->state->v);
  w->kinetic = heft_dynamics_kinetic_energy(w->dynamics, w->state->v);
  w->potential = heft_dynamics_potential_energy(w->dynamics, w->state->q);
  if (w->tendons->any) {
    heft_lines_update(w, w->state->q);
    w->potential += heft_tendons_energy(w);
  }
  w->fresh = 1;
}

// Asking does not change a world: what is asked for is worked out when it is wanted.
const HeftDynamics* heft_world_dynamics(const HeftWorld* w) {
  heft_world_refresh((HeftWorld*)w);
  return w->dynamics;
}

void heft_world_apply_wrench(HeftWorld* w, int body, HeftVec3 point, HeftVec3 force,
                             HeftVec3 torque) {
  HEFT_ASSERT(body >= 0 && body < w->model->nbody);
  heft_world_refresh(w);
  heft_dynamics_add_wrench(w->dynamics, body, point, force, torque);
  heft_sensors_note(w, body, point, force, torque);
}

void heft_world_reset(HeftWorld* w) {
  heft_state_reset(w->state, w->model);
  memset(w->joint_force, 0, (size_t)w->model->nv * sizeof(double));
  heft_dynamics_clear_wrenches(w->dynamics);
  heft_constraints_forget(w);
  heft_drives_reset(w);
  heft_sensors_outdate(w, 0);
  w->fresh = 0;
}

// Quaternions within reach of normalisation.
static int quats_sound(const HeftModel* m, const double* q) {
  for (int j = 0; j < m->njoint; ++j) {
    const int type = m->joint_type[j];
    if (type != HEFT_JOINT_BALL && type != HEFT_JOINT_FREE) continue;
    const double* x = q + m->joint_q[j] + (type == HEFT_JOINT_FREE ? 3 : 0);
    const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
    if (!(square > 0.25 && square < 4)) return 0;
  }
  return 1;
}

int heft_world_accepts(const HeftWorld* w, const HeftState* state) {
  return heft_state_finite(state) && quats_sound(w->model, state->q);
}

HeftStatus heft_world_set_state(HeftWorld* w, const HeftState* state) {
  HEFT_ASSERT(state->nq == w->model->nq && state->nv == w->model->nv);
  if (!heft_world_accepts(w, state)) return HEFT_ERR_VALUE;
  heft_state_copy(w->state, state);
  heft_q_normalize(w->model, w->state->q);
  heft_constraints_forget(w);
  heft_dynamics_clear_wrenches(w->dynamics);
  heft_couplings_clear(w);
  heft_sensors_outdate(w, 0);
  w->fresh = 0;
  return HEFT_OK;
}

size_t heft_world_memory(const HeftWorld* w) { return w->memory_size; }
