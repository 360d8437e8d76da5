// SPDX-License-Identifier: Apache-2.0
// A robot like HRP-2 that lies gets up by its sensors: encoders, gyro, accelerometer, foot sensors.
//
// Gravity in the pelvis decides between two sequences of keyframes, for a robot on its back and for
// one on its front. Joint servos follow them within the limits of the motors, until the soles are
// flat and the centre of mass is above them: in a squat. There balance.h takes over and lifts the
// centre of mass. A sequence that does not reach the squat is tried again from a straight pose.
//
// The keyframes were found from a first guess by a search that changes all of them at random and
// keeps what comes nearer to the squat, on two falls each (docs/decisions/396-getting-up.md).
#ifndef RISE_H
#define RISE_H

#include <math.h>

#include "balance.h"

enum { RISE_JOINTS = 64, RISE_KEYS = 6, RISE_UP = RISE_KEYS };

typedef struct RiseState {
  BalanceState balance;
  HeftQuat attitude;         ///< of the root, by gyro and accelerometer
  int tries, front, key;     ///< key: keyframe that the joints go to, or RISE_UP
  int begun;                 ///< 1: a step was made
  int fell;                  ///< 1: rise_or_balance() no longer only balances
  double since;              ///< time in this keyframe, or since the squat [s]
  double from[RISE_JOINTS];  ///< angles of the driven joints there [rad]
  double com[2];             ///< of the centre of mass from the middle of the soles, before [m]
  double low, high;          ///< height of the centre of mass in the squat, and standing [m]
  HeftQuat chest;            ///< rotation of the chest in the squat
} RiseState;

enum {
  RISE_TIME,
  RISE_WAIST,
  RISE_SHOULDER,
  RISE_ARM_ROLL,
  RISE_ELBOW,
  RISE_HIP,
  RISE_HIP_ROLL,
  RISE_KNEE,
  RISE_ANKLE,
  RISE_COLUMNS
};

// Duration [s] and angles [degrees], the same on both sides; other joints are straight.
static const double rise_key[2][RISE_KEYS][RISE_COLUMNS] = {
    {{1.5, 0, 0, 15, 0, 0, 0, 0, 0},
     {0.76, 1, 60, 10, -136, 7, 4, -1, 0},
     {1, 50, 60, 8, -97, -44, 6, 10, 1},
     {0.99, 59, 55, -2, 2, -87, 6, -2, 3},
     {0.71, 58, 34, 1, 2, -112, 6, 150, -18},
     {1.23, 50, -99, -9, 2, -125, 4, 148, -63}},
    {{1.5, 0, 0, 15, 0, 0, 0, 0, 0},
     {0.97, -10, 38, 1, -135, 2, 2, -2, -75},
     {1.45, 1, -62, 28, -24, -74, 2, 111, -75},
     {1.14, 23, -76, -2, 2, -125, 4, 139, -71},
     {1.33, 54, -90, 10, -7, -111, 7, 145, -48}},
};

static const struct {
  const char* joint;
  int column;
  double sign;
} rise_joint[] = {{"waist_pitch", RISE_WAIST, 1},
                  {"left_shoulder_pitch", RISE_SHOULDER, 1},
                  {"right_shoulder_pitch", RISE_SHOULDER, 1},
                  {"left_shoulder_roll", RISE_ARM_ROLL, 1},
                  {"right_shoulder_roll", RISE_ARM_ROLL, -1},
                  {"left_elbow", RISE_ELBOW, 1},
                  {"right_elbow", RISE_ELBOW, 1},
                  {"left_hip_pitch", RISE_HIP, 1},
                  {"right_hip_pitch", RISE_HIP, 1},
                  {"left_hip_roll", RISE_HIP_ROLL, 1},
                  {"right_hip_roll", RISE_HIP_ROLL, -1},
                  {"left_ankle_roll", RISE_HIP_ROLL, -1},
                  {"right_ankle_roll", RISE_HIP_ROLL, 1},
                  {"left_knee", RISE_KNEE, 1},
                  {"right_knee", RISE_KNEE, 1},
                  {"left_ankle_pitch", RISE_ANKLE, 1},
                  {"right_ankle_pitch", RISE_ANKLE, 1}};

static const double rise_takes = 2.5;  // from the squat to standing [s]

static inline double rise_angle(const HeftModel* m, const double* key, int actuator) {
  const char* name = heft_model_name(m, HEFT_NAMED_JOINT, m->actuator_target[actuator]);
  for (size_t i = 0; i < sizeof rise_joint / sizeof *rise_joint; ++i)
    if (strcmp(rise_joint[i].joint, name) == 0)
      return rise_joint[i].sign * key[rise_joint[i].column] * (HEFT_PI / 180);
  return 0;
}

static inline void rise_enter(const Balance* b, RiseState* s, int key, const double* q) {
  const HeftModel* m = b->model;
  s->key = key;
  s->since = 0;
  for (int i = 0; i < m->nactuator && i < RISE_JOINTS; ++i) {
    const int joint = m->actuator_target[i];
    s->from[i] = s->begun && key != 0 && key != RISE_UP
                     ? rise_angle(m, rise_key[s->front][key - 1], i)
                     : q[m->joint_q[joint]];
  }
}

/// The balance was opened in the pose in which the robot will stand (balance_open()).
static inline void rise_begin(RiseState* s, const BalanceState* standing) {
  const BalanceState kept = *standing;
  memset(s, 0, sizeof *s);
  s->balance = kept;
  s->high = kept.stepper.height;
  s->attitude = heft_quat_identity();
}

// Turns with the gyro, and towards the accelerometer while it measures gravity only.
static inline void rise_turn(const Balance* b, RiseState* s, const double* sensors, double dt) {
  const HeftModel* m = b->model;
  const double g = -m->physics.gravity[2];
  const HeftVec3 rate = heft_vec3_from(
      sensors + m->sensor_address[heft_model_find(m, HEFT_NAMED_SENSOR, "imu_gyro")]);
  const HeftVec3 force =
      heft_vec3_from(sensors + m->sensor_address[heft_model_find(m, HEFT_NAMED_SENSOR, "imu_acc")]);
  const HeftQuat level =
      heft_quat_between(heft_quat_rotate(s->attitude, force), heft_vec3(0, 0, 1));
  const double share = s->begun ? (fabs(heft_vec3_norm(force) - g) < 0.5 ? 2 * dt : 0) : 1;
  s->attitude = heft_quat_mul(s->attitude, heft_quat_exp(heft_vec3_scale(dt, rate)));
  s->attitude = heft_quat_normalize(
      heft_quat_mul(heft_quat_exp(heft_vec3_scale(share, heft_quat_log(level))), s->attitude));
}

// The pose by attitude and encoders, into pose (nq), with the lower sole on the floor. True: it is
// a squat on flat soles, which the divergent component of motion does not leave.
static inline int rise_squats(const Balance* b, RiseState* s, const double* q, double dt,
                              double* pose) {
  const HeftModel* m = b->model;
  memcpy(pose, b->start, (size_t)m->nq * sizeof *pose);
  for (int i = 0; i < m->nactuator; ++i) {
    const int at = m->joint_q[m->actuator_target[i]];
    pose[at] = q[at];
  }
  const double turn[4] = {s->attitude.w, s->attitude.x, s->attitude.y, s->attitude.z};
  memcpy(pose + 3, turn, sizeof turn);
  heft_estimator_reset(b->estimator, pose);
  const HeftStepperInput in = balance_measure(b);
  pose[2] -= fmin(in.sole[0].z, in.sole[1].z);
  const HeftDynamics* d = heft_estimator_dynamics(b->estimator);
  const HeftVec3 middle = heft_vec3_scale(0.5, heft_vec3_add(in.sole[0], in.sole[1]));
  const double x = in.com.x - middle.x, y = in.com.y - middle.y, high = in.com.z - middle.z;
  const double omega = sqrt(-m->physics.gravity[2] / fmax(high, 0.1));
  const double rate = 1 / (omega * dt);
  const double away = hypot(x + rate * (x - s->com[0]), y + rate * (y - s->com[1]));
  s->com[0] = x;
  s->com[1] = y;
  for (int side = 0; side < 2; ++side) {
    const char* name = side ? "right_sole" : "left_sole";
    const int foot = m->shape_body[heft_model_find(m, HEFT_NAMED_SHAPE, name)];
    if (heft_mat3_column(heft_dynamics_body_pose(d, foot).rot, 2).z < 0.98) return 0;
  }
  return fabs(in.sole[0].z - in.sole[1].z) < 0.03 && high > 0 && away < 0.06;
}

// From the squat on the balance controls.
static inline void rise_balance(Balance* b, RiseState* s, const double* pose) {
  HeftBipedGoal goal;
  const HeftModel* m = b->model;
  const double* half = m->shape_size + 3L * heft_model_find(m, HEFT_NAMED_SHAPE, "left_sole");
  heft_biped_stand(b->biped, pose, &goal);
  BalanceState* state = &s->balance;
  const HeftVec3 ahead = heft_quat_rotate(s->attitude, heft_vec3(1, 0, 0));
  const HeftQuat heading =
      heft_quat_from_axis_angle(heft_vec3(0, 0, 1), heft_atan2(ahead.y, ahead.x));
  state->stepper = heft_stepper_make(&goal, -m->physics.gravity[2], half);
  state->stepper.heading = heading;
  s->low = goal.com.z - 0.5 * (goal.foot[0].pos.z + goal.foot[1].pos.z);
  s->chest = goal.chest;
  heft_estimator_reset(b->estimator, pose);
  heft_estimator_memory(b->estimator, state->filter);
  memset(state->forces, 0, sizeof state->forces);
  state->begun = 0;
}

static inline HeftQuat rise_between(HeftQuat a, HeftQuat b, double share) {
  const HeftVec3 turn = heft_quat_log(heft_quat_mul(heft_quat_conjugate(a), b));
  return heft_quat_mul(a, heft_quat_exp(heft_vec3_scale(share, turn)));
}

// pose: room of nq. Returns 0 if the robot has fallen again.
static inline int rise_up(Balance* b, RiseState* s, const double* q, const double* v,
                          const double* sensors, double dt, double* controls, double* pose) {
  const HeftModel* m = b->model;
  HeftStepper* stepper = &s->balance.stepper;
  double share[3];
  heft_spline_smooth_step(fmin(s->since / rise_takes, 1), share);
  stepper->height = s->low + share[0] * (s->high - s->low);
  stepper->omega = sqrt(-m->physics.gravity[2] / stepper->height);
  HeftBipedGoal goal = balance_goal(b, &s->balance, q, v, sensors, dt);
  const double* is = heft_estimator_q(b->estimator);
  const HeftQuat root = heft_quat(is[3], is[4], is[5], is[6]);
  if (s->since == 0) s->attitude = root;
  memcpy(pose, b->start, (size_t)m->nq * sizeof *pose);
  for (int i = 0; i < m->nactuator && i < RISE_JOINTS; ++i) {
    const int at = m->joint_q[m->actuator_target[i]];
    pose[at] = s->from[i] + share[0] * (b->start[at] - s->from[i]);
  }
  goal.posture = pose;
  goal.pelvis = rise_between(s->attitude, stepper->heading, share[0]);
  goal.chest = rise_between(s->chest, stepper->heading, share[0]);
  balance_act(b, &s->balance, &goal, controls);
  return heft_quat_rotate(root, heft_vec3(0, 0, 1)).z > (s->since < rise_takes ? -0.2 : 0.5);
}

// Joint servos towards the keyframe.
static inline void rise_servo(const Balance* b, const RiseState* s, const double* q,
                              const double* v, double* controls) {
  const HeftModel* m = b->model;
  const double* key = rise_key[s->front][s->key];
  double share[3];
  heft_spline_smooth_step(fmin(s->since / key[RISE_TIME], 1), share);
  for (int i = 0; i < m->nactuator && i < RISE_JOINTS; ++i) {
    const int joint = m->actuator_target[i];
    const double max = m->actuator_control_range[2L * i + 1], to = rise_angle(m, key, i);
    const double want = s->from[i] + share[0] * (to - s->from[i]);
    const double tau = max * (8 * (want - q[m->joint_q[joint]]) - 0.4 * v[m->joint_dof[joint]]);
    controls[i] = fmax(-max, fmin(tau, max));
  }
}

static inline void rise_step(Balance* b, RiseState* s, const double* q, const double* v,
                             const double* sensors, double dt, double* controls, double* pose) {
  if (s->key == RISE_UP) {
    if (rise_up(b, s, q, v, sensors, dt, controls, pose)) {
      s->since += dt;
      return;
    }
    s->begun = 0;
  }
  rise_turn(b, s, sensors, dt);
  if (!s->begun) rise_enter(b, s, 0, q);
  s->begun = 1;
  s->since += dt;
  if (s->key >= 3 && rise_squats(b, s, q, dt, pose)) {
    rise_balance(b, s, pose);
    rise_enter(b, s, RISE_UP, q);
    (void)rise_up(b, s, q, v, sensors, dt, controls, pose);
    s->since += dt;
    return;
  }
  const double* key = rise_key[s->front][s->key];
  if (s->since >= key[RISE_TIME]) {
    if (s->key == 0) s->front = heft_quat_rotate(s->attitude, heft_vec3(1, 0, 0)).z < 0;
    const int next = s->key + 1;
    const int over = next == RISE_KEYS || rise_key[s->front][next][RISE_TIME] == 0;
    s->tries += s->key == 0;
    rise_enter(b, s, over ? 0 : next, q);
  }
  rise_servo(b, s, q, v, controls);
}

// Balances, and gets up after a fall. dt: time since the last reading, above zero [s].
static inline void rise_or_balance(Balance* b, RiseState* s, const double* q, const double* v,
                                   const double* sensors, double dt, double* controls,
                                   double* pose) {
  if (s->fell) {
    rise_step(b, s, q, v, sensors, dt, controls, pose);
    return;
  }
  balance_step(b, &s->balance, q, v, sensors, dt, controls);
  const double* is = heft_estimator_q(b->estimator);
  const HeftVec3 up = heft_quat_rotate(heft_quat(is[3], is[4], is[5], is[6]), heft_vec3(0, 0, 1));
  if (up.z > 0.3) return;
  rise_begin(s, &s->balance);
  s->fell = 1;
}

#endif
