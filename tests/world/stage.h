// SPDX-License-Identifier: Apache-2.0
// A stage for tests of whole worlds: a scene, a world on it, and what its motion adds up to.
#ifndef HEFT_TESTS_WORLD_STAGE_H
#define HEFT_TESTS_WORLD_STAGE_H

#include <heft/world.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "support/check.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(HEFT_SANITIZED)
#define STAGE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define STAGE_SANITIZED 1
#endif
#endif
#ifndef STAGE_SANITIZED
#define STAGE_SANITIZED 0
#endif

typedef struct Stage {
  HeftModel* model;
  HeftWorld* world;
} Stage;

/// Sums over the whole model; momentum about the world's origin.
typedef struct Sums {
  HeftVec3 linear, angular, com;
  double kinetic, energy;
} Sums;

static inline HeftWorldDef stage_def(HeftIntegrator integrator, double time_step) {
  HeftWorldDef def = heft_world_def_default();
  def.integrator = integrator;
  def.time_step = time_step;
  return def;
}

/// A world on a model, which the stage owns from now on.
static inline Stage stage_on(HeftModel* model, const HeftWorldDef* def) {
  HeftError error = {0};
  Stage s = {model, NULL};
  assert_non_null(model);
  if (heft_world_create(&s.world, s.model, def, &error) != HEFT_OK) fail_msg("%s", error.message);
  return s;
}

/// A world on a scene; without contact if the integrator refuses it.
static inline Stage stage_open(const char* scene, const HeftWorldDef* def) {
  HeftError error = {0};
  HeftModel* model = scene_create(scene, &error);
  if (!model) fail_msg("%s: %s", scene, error.message);
  if (def && def->integrator == HEFT_INTEGRATOR_RK4) scene_disable_contact(model);
  return stage_on(model, def);
}

static inline void stage_close(Stage* s) {
  heft_world_destroy(s->world);
  heft_model_destroy(s->model);
}

static inline void stage_set(Stage* s, const double* q, const double* v) {
  HeftState* state = NULL;
  assert_int_equal(heft_state_create(&state, s->model, NULL, NULL), HEFT_OK);
  memcpy(state->q, q, (size_t)s->model->nq * sizeof *q);
  memcpy(state->v, v, (size_t)s->model->nv * sizeof *v);
  assert_int_equal(heft_world_set_state(s->world, state), HEFT_OK);
  heft_state_destroy(state);
}

/// A random state with velocities up to `speed`.
static inline void stage_shake(Stage* s, uint64_t seed, double speed) {
  double* q = calloc((size_t)(s->model->nq + s->model->nv) + 1, sizeof *q);
  scene_random_state(s->model, seed, speed, q, q + s->model->nq);
  stage_set(s, q, q + s->model->nq);
  free(q);
}

static inline HeftStepReport stage_step(Stage* s) {
  const HeftStepReport report = heft_world_step(s->world);
  if (!heft_step_taken(report.status)) fail_msg("%s", heft_step_status_text(report.status));
  return report;
}

static inline Sums stage_sums(const Stage* s) {
  const HeftDynamics* d = heft_world_dynamics(s->world);
  const HeftState* state = heft_world_state(s->world);
  const HeftSpatial momentum = heft_dynamics_momentum(d, 0, heft_vec3(0, 0, 0));
  const double kinetic = heft_dynamics_kinetic_energy(d, state->v);
  return (Sums){momentum.lin, momentum.ang, heft_dynamics_center_of_mass(d, 0), kinetic,
                kinetic + heft_dynamics_potential_energy(d, state->q)};
}

static inline double distance(HeftVec3 a, HeftVec3 b) {
  return heft_vec3_norm(heft_vec3_sub(a, b));
}

#endif
