// SPDX-License-Identifier: Apache-2.0
// Numbers that follow from the present state and from the parameters of a world.
#include <math.h>
#include <string.h>

#include "collision/collider.h"
#include "dynamics/bonds.h"
#include "world/world_internal.h"

void heft_world_pose(HeftWorld* w) {
  if (w->fresh != STATE_STALE) return;
  if (w->model->nmoved > 0) heft_dynamics_set_moved(w->dynamics, w->state->moved);
  heft_dynamics_kinematics(w->dynamics, w->state->q);
  heft_dynamics_velocities(w->dynamics, w->state->v);
  w->fresh = STATE_POSED;
}

void heft_world_refresh(HeftWorld* w) {
  const double *q = w->state->q, *v = w->state->v;
  if (w->fresh == STATE_FRESH) return;
  heft_world_pose(w);
  w->kinetic = heft_dynamics_kinetic_energy(w->dynamics, v);
  w->potential = heft_dynamics_potential_energy(w->dynamics, q);
  if (w->drives->tendons->any) {
    heft_transmissions_update(w->drives->transmissions, w->dynamics, q);
    w->potential += heft_tendons_energy(w->drives->tendons);
  }
  Deform* deform = heft_dynamics_deform(w->dynamics);
  if (deform) {
    heft_bonds_evaluate(w->dynamics, q);
    w->potential += heft_deform_energy(deform);
  }
  w->fresh = STATE_FRESH;
}

void heft_step_input_measure_gravity(StepInput* in) {
  const double* g = in->model->physics.gravity;
  in->weight_speed = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * in->h;
  in->rest_speed = in->def->rest * in->weight_speed;
}

static uint64_t name_hash(const char* name, uint64_t seed) {
  return heft_hash(name, strlen(name), seed + 1);
}

void heft_world_identify(HeftWorld* w) {
  uint64_t hash = heft_parameters_hash(&w->parameters, w->source_hash);
  if (w->input.law) hash = name_hash(w->input.law->name, hash);
  if (w->input.detector) hash = name_hash(w->input.detector->name, ~hash);
  w->model_hash = hash;
}

void heft_world_parameters_changed(HeftWorld* w) {
  heft_dynamics_refresh_tree(w->dynamics);
  heft_collider_refresh_parameters(w->constraints->collider);
  heft_step_input_measure_gravity(&w->input);
  heft_rest_wake_all(w->constraints->sleep_cache, heft_link_count(w->model));
  heft_world_identify(w);
  heft_sensors_outdate(w->sensors, 0);
  w->has_step = 0;
  w->fresh = 0;
  heft_world_refresh(w);
}
