// SPDX-License-Identifier: Apache-2.0
// A robot that acts by its sensors: estimator, stepper and balance, from encoders, gyro,
// accelerometer and foot sensors to controls. It knows a model, but no world.
#ifndef BALANCE_H
#define BALANCE_H

#include <heft/control.h>
#include <heft/heft.h>
#include <stdlib.h>
#include <string.h>

typedef struct Balance {
  const HeftModel* model;
  HeftEstimator* estimator;
  HeftBiped* biped;
  double* tau;    ///< nv
  double* start;  ///< nq: the initial pose
} Balance;

/// All that changes from step to step, as plain data.
typedef struct BalanceState {
  HeftStepper stepper;
  double filter[HEFT_ESTIMATOR_MEMORY], forces[HEFT_WHOLE_BODY_MEMORY];
  int begun;  ///< 1: a step was made
} BalanceState;

static inline void balance_close(Balance* s) {
  heft_estimator_destroy(s->estimator);
  heft_biped_destroy(s->biped);
  free(s->tau);
  memset(s, 0, sizeof *s);
}

/// start: the pose at rest in which the robot begins (nq). 0 on failure.
static inline int balance_open(Balance* s, BalanceState* state, const HeftModel* model,
                               const double* start, HeftError* error) {
  const size_t nq = (size_t)model->nq;
  memset(s, 0, sizeof *s);
  memset(state, 0, sizeof *state);
  s->model = model;
  s->tau = calloc((size_t)model->nv + nq, sizeof(double));
  s->start = s->tau ? s->tau + model->nv : NULL;
  if (!s->tau || heft_biped_create(&s->biped, model, NULL, error) != HEFT_OK ||
      heft_estimator_create(&s->estimator, model, NULL, error) != HEFT_OK) {
    balance_close(s);
    return 0;
  }
  memcpy(s->start, start, nq * sizeof(double));
  HeftBipedGoal goal;
  heft_biped_stand(s->biped, s->start, &goal);
  const double* size =
      model->shape_size + 3L * heft_model_find(model, HEFT_NAMED_SHAPE, "left_sole");
  state->stepper = heft_stepper_make(&goal, -model->physics.gravity[2], size);
  heft_estimator_reset(s->estimator, s->start);
  heft_estimator_memory(s->estimator, state->filter);
  return 1;
}

static inline HeftStepperInput balance_measure(const Balance* s) {
  static const char* const soles[2] = {"left_sole", "right_sole"};
  const HeftModel* m = s->model;
  const HeftDynamics* d = heft_estimator_dynamics(s->estimator);
  HeftStepperInput in;
  in.com = heft_dynamics_center_of_mass(d, m->joint_body[0]);
  in.velocity = heft_vec3_scale(1 / heft_whole_body_mass(heft_biped_whole_body(s->biped)),
                                heft_dynamics_momentum(d, m->joint_body[0], in.com).lin);
  for (int side = 0; side < 2; ++side) {
    const int sole = heft_model_find(m, HEFT_NAMED_SHAPE, soles[side]);
    const double* pos = m->shape_pos + 3L * sole;
    const HeftVec3 middle = heft_vec3(pos[0], pos[1], pos[2] - m->shape_size[3L * sole + 2]);
    in.sole[side] = heft_pose_apply(heft_dynamics_body_pose(d, m->shape_body[sole]), middle);
    in.load[side] = heft_estimator_load(s->estimator, side);
  }
  return in;
}

// The goal of a reading. balance_act() follows.
static inline HeftBipedGoal balance_goal(Balance* s, BalanceState* state, const double* q,
                                         const double* v, const double* sensors, double dt) {
  HeftBipedGoal goal;
  memset(&goal, 0, sizeof goal);
  heft_estimator_set_memory(s->estimator, state->filter);
  heft_biped_set_memory(s->biped, state->forces);
  heft_estimator_step(s->estimator, q, v, sensors, state->begun ? dt : 0);
  state->begun = 1;
  const HeftStepperInput in = balance_measure(s);
  heft_stepper_step(&state->stepper, &in, dt, &goal);
  goal.posture = s->start;
  return goal;
}

static inline void balance_act(Balance* s, BalanceState* state, const HeftBipedGoal* goal,
                               double* controls) {
  if (heft_biped_torques(s->biped, goal, heft_estimator_q(s->estimator),
                         heft_estimator_v(s->estimator), s->tau) == HEFT_OK)
    heft_model_torques_to_controls(s->model, s->tau, controls);
  heft_estimator_memory(s->estimator, state->filter);
  heft_whole_body_memory(heft_biped_whole_body(s->biped), state->forces);
}

/// dt: time since the last reading, above zero [s]. Readings between them may be lost.
static inline void balance_step(Balance* s, BalanceState* state, const double* q, const double* v,
                                const double* sensors, double dt, double* controls) {
  const HeftBipedGoal goal = balance_goal(s, state, q, v, sensors, dt);
  balance_act(s, state, &goal, controls);
}

#endif
