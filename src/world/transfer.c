// SPDX-License-Identifier: Apache-2.0
// Papers: R61.
// Transfer: a world of a changed model goes on where a world of the former model was.
//
// Bodies, joints, shapes, actuators and constraints are matched (model/match.c). Each keeps its
// state, and the impulse of its last step: an island that the change does not touch is solved in
// the next step from the same numbers, in the same order, as without the change. Sleep is a memory
// of solutions (rest.c); an island at rest falls asleep again in the next step.
#include <string.h>

#include "base/error.h"
#include "model/match.h"
#include "world/world_internal.h"

// ---- state

static void carry_coordinates(const HeftModel* a, const HeftModel* b, const int* joint,
                              const double* from, double* to) {
  for (int i = 0; i < a->njoint; ++i) {
    const int count = heft_joint_type_q_count(a->joint_type[i]);
    if (joint[i] >= 0)
      memcpy(to + b->joint_q[joint[i]], from + a->joint_q[i], (size_t)count * sizeof(double));
  }
}

static void carry_state(const HeftModel* a, const HeftModel* b, const ModelMatch* match,
                        const HeftState* from, HeftState* to) {
  *to->time = *from->time;
  carry_coordinates(a, b, match->joint, from->q, to->q);
  heft_match_copy_dofs(match, a, b, from->v, to->v, 1);
  for (int i = 0; i < a->nactuator; ++i) {
    const int k = match->actuator[i];
    if (k >= 0 && a->actuator_act[i] >= 0)
      to->act[b->actuator_act[k]] = from->act[a->actuator_act[i]];
  }
  for (int i = 0; i < a->nmoved; ++i) {
    const int k = match->body[a->moved_body[i]];
    if (k >= 0 && b->body_moved[k] >= 0)
      memcpy(to->moved + 13L * b->body_moved[k], from->moved + 13L * i, 13 * sizeof(double));
  }
  for (int i = 0; i < a->nconveyor; ++i) {
    const int k = match->shape[a->conveyor_shape[i]];
    if (k >= 0 && b->shape_conveyor[k] >= 0)
      memcpy(to->conveyor + 6L * b->shape_conveyor[k], from->conveyor + 6L * i, 6 * sizeof(double));
  }
}

// ---- inputs of the program

static void carry_actuators(const ModelMatch* match, const Actuators* from, Actuators* to) {
  heft_match_copy(match->actuator, from->model->nactuator, from->control, to->control, 1);
  heft_match_copy(match->actuator, from->model->nactuator, from->saturated, to->saturated, 1);
  if (from->joints_limited && to->joints_limited)
    heft_match_copy(match->joint, from->model->njoint, from->joint_saturated, to->joint_saturated,
                    1);
}

static void carry_moved(const HeftModel* a, const HeftModel* b, const int* body,
                        const HeftMovedCommand* from, HeftMovedCommand* to) {
  for (int i = 0; i < a->nmoved; ++i) {
    const int k = body[a->moved_body[i]];
    if (k >= 0 && b->body_moved[k] >= 0) to[b->body_moved[k]] = from[i];
  }
}

static void carry_data(const int* map, int count, void* const* from, void** to) {
  for (int i = 0; i < count; ++i)
    if (map[i] >= 0) to[map[i]] = from[i];
}

// ---- all of it

HeftStatus heft_world_transfer(HeftWorld* to, const HeftWorld* from, HeftError* error) {
  HEFT_REQUIRE(to && from && to != from, HEFT_ERR_ARGUMENT);
  const HeftModel *a = from->parameters.source, *b = to->parameters.source;
  const HeftAllocator* allocator = &to->memory.outer;
  ModelMatch match = {0};
  HeftStatus status = heft_model_match(&match, a, b, allocator, error);
  if (status == HEFT_OK)
    status = heft_parameters_carry(&to->parameters, &from->parameters, &match, &to->def.allocator,
                                   error);
  const int points = from->constraints->warm_start.contact_count;
  if (status == HEFT_OK && points > to->constraints->set.capacity)
    status = heft_world_reserve_contacts(to, points, error);
  if (status == HEFT_OK) {
    heft_world_parameters_changed(to);
    heft_state_reset(to->state, b);
    carry_state(a, b, &match, from->state, to->state);
    heft_constraints_forget(to->constraints);
    if (heft_dynamics_deform(to->dynamics)) heft_deform_forget(heft_dynamics_deform(to->dynamics));
    heft_warm_start_carry(&to->constraints->warm_start, &from->constraints->warm_start, a, b,
                          &match);
    heft_warm_start_scale(&to->constraints->warm_start, b, to->def.time_step / from->def.time_step);
    carry_actuators(&match, from->drives->actuators, to->drives->actuators);
    carry_moved(a, b, match.body, from->moved, to->moved);
    heft_match_copy_dofs(&match, a, b, from->joint_force, to->joint_force, 1);
    carry_data(match.body, a->nbody, from->body_data, to->body_data);
    carry_data(match.shape, a->nshape, from->shape_data, to->shape_data);
    heft_dynamics_clear_wrenches(to->dynamics);
    heft_couplings_clear(to->drives->couplings);
    heft_sensors_outdate(to->sensors, 0);
    to->has_step = 0;
    to->fresh = 0;
    heft_world_refresh(to);
  }
  heft_model_match_end(&match, allocator);
  return status;
}
