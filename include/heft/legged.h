// SPDX-License-Identifier: Apache-2.0
/// @file legged.h
/// Robots on two feet that are pushed: steps that catch them, and their state from sensors.
#ifndef HEFT_LEGGED_H
#define HEFT_LEGGED_H

#include <heft/whole_body.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- the state from sensors

enum { HEFT_ESTIMATOR_MEMORY = 500 };  ///< numbers of heft_estimator_memory()

/// Sensors of a biped and their errors.
typedef struct HeftEstimatorDef {
  uint32_t cookie;  ///< set by heft_estimator_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;
  int gyro, accelerometer;     ///< sensors, at one site of the root's body
  int force[2], torque[2];     ///< sensors of the feet, left and right, at one site each
  int sole[2];                 ///< box shapes of the soles, left and right
  double gyro_noise;           ///< spectral density of the noise [rad/s/√Hz], > 0
  double accelerometer_noise;  ///< spectral density of the noise [m/s²/√Hz], > 0
  double gyro_drift;           ///< of the bias of the gyro [rad/s²/√Hz], >= 0
  double accelerometer_drift;  ///< of the bias of the accelerometer [m/s³/√Hz], >= 0
  double foot_noise;           ///< error of a sole's position by the encoders [m], > 0
  double foot_slip;            ///< spectral density of the slip of a foot [m/s/√Hz], > 0
  double land, leave;          ///< share of the weight above which a foot is down, and below which
                               ///< it does so no longer, 0 < leave < land < 1 [1]
} HeftEstimatorDef;

/// Estimates pose and velocity of the free root of a biped from gyro, accelerometer, encoders and
/// the force sensors of the feet.
typedef struct HeftEstimator HeftEstimator;

/// Finds the sensors by the names imu_gyro, imu_acc, left_foot_force, left_foot_torque, and
/// right_foot_force and right_foot_torque; the soles as heft_biped_def_default(). A name that the
/// model does not have gives -1.
HEFT_API void heft_estimator_def_init(HeftEstimatorDef* def, uint32_t cookie,
                                      const HeftModel* model);
static inline HeftEstimatorDef heft_estimator_def_default(const HeftModel* model) {
  HeftEstimatorDef def;
  heft_estimator_def_init(&def, HEFT_DEF_COOKIE(HeftEstimatorDef), model);
  return def;
}
/// def may be NULL, error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_estimator_create(HeftEstimator** out, const HeftModel* model,
                                          const HeftEstimatorDef* def, HeftError* error);
HEFT_API void heft_estimator_destroy(HeftEstimator* estimator);
/// Begins at a known pose at rest.
/// [in] q[nq]
HEFT_API void heft_estimator_reset(HeftEstimator* estimator, const double* q);
/// Advances by dt [s] to a reading of encoders and sensors. Only the entries of driven joints in q
/// and v are read.
/// [in] q[nq], v[nv], sensors[nsensordata]
HEFT_API void heft_estimator_step(HeftEstimator* estimator, const double* q, const double* v,
                                  const double* sensors, double dt);
/// The estimated state: the free root, the encoders, and the displacement of springs that carry the
/// feet. Owned by the estimator.
/// [return] q[nq]
HEFT_API const double* heft_estimator_q(const HeftEstimator* estimator);
/// [return] v[nv]
HEFT_API const double* heft_estimator_v(const HeftEstimator* estimator);
/// Kinematics and velocities at the estimate.
HEFT_API const HeftDynamics* heft_estimator_dynamics(const HeftEstimator* estimator);
/// Vertical force on a foot [N]: side 0 left, 1 right.
HEFT_API double heft_estimator_load(const HeftEstimator* estimator, int side);
/// All that the estimator keeps from step to step, for rewinding: HEFT_ESTIMATOR_MEMORY numbers,
/// written and read.
/// [out] numbers[HEFT_ESTIMATOR_MEMORY]
HEFT_API void heft_estimator_memory(const HeftEstimator* estimator, double* numbers);
/// [in] numbers[HEFT_ESTIMATOR_MEMORY]
HEFT_API void heft_estimator_set_memory(HeftEstimator* estimator, const double* numbers);

// ---- steps that catch the robot

/// Phase of a stepper.
typedef enum HeftStepPhase {
  HEFT_STEP_STAND,  ///< both feet carry; the centre of pressure balances
  HEFT_STEP_BOTH,   ///< both feet carry, between two steps
  HEFT_STEP_SWING,  ///< one foot swings
  HEFT_STEP_PHASE_COUNT
} HeftStepPhase;

/// A stepper: chooses place and time of each step from the measured motion, so that a biped that is
/// pushed does not fall. Plain data; a copy is a snapshot. heft_stepper_make() fills it in, the
/// caller changes settings.
typedef struct HeftStepper {
  bool walking;                 ///< true: step on; false: step only as long as it is needed
  double length;                ///< of a step while walking [m], negative: backwards
  double width;                 ///< between the feet, sideways [m]
  double swing;                 ///< planned duration of the swing of a foot [s]
  double swing_min, swing_max;  ///< its range [s]
  double both;                  ///< duration of double support between two steps [s]
  double lift;                  ///< height of a swinging foot [m]
  double gain;                  ///< of the centre of pressure against the error of the DCM, > 1 [1]
  double ahead;         ///< farthest landing, forwards and backwards of the standing foot [m]
  double aside;         ///< farthest landing, sideways [m]
  double across;        ///< farthest landing beyond the standing foot, sideways [m]
  double half[2];       ///< half sizes of the soles that carry, along and across [m]
  double omega;         ///< √(g/z) [1/s]
  HeftQuat heading;     ///< direction of walking
  double height;        ///< of the centre of mass above the soles [m]
  HeftStepPhase phase;  ///< now
  int side;             ///< swinging foot, or the one that swung last: 0 left, 1 right
  int steps;            ///< begun so far
  bool crossing;        ///< true: the swinging foot crosses the standing one
  double since;         ///< time in this phase [s]
  double takes;         ///< duration of this swing, as planned now [s]
  double share;         ///< part of the swing that is over [1]
  HeftVec3 foot[2];     ///< where the soles are on the floor, or were last [m]
  HeftVec3 to;          ///< where the swinging foot lands, as planned now [m]
  HeftVec3 at, velocity, acceleration;  ///< goal of the swinging foot [m, m/s, m/s²]
} HeftStepper;

/// Measured motion of a biped.
typedef struct HeftStepperInput {
  HeftVec3 com, velocity;  ///< centre of mass [m], its velocity [m/s]
  HeftVec3 sole[2];        ///< middle of the soles, left and right [m]
  double load[2];          ///< vertical forces on the feet [N]
} HeftStepperInput;

/// A stepper of a biped in the pose of a goal (heft_biped_stand()). gravity [m/s²], > 0.
/// half: half sizes of the soles along and across [m].
/// [in] half[2]
HEFT_API HeftStepper heft_stepper_make(const HeftBipedGoal* stand, double gravity,
                                       const double half[2]);
/// Advances by dt [s] to a measured motion, and writes centre of mass, pelvis, chest and feet into
/// the goal.
/// [in,out] stepper; [in,out] goal
HEFT_API void heft_stepper_step(HeftStepper* stepper, const HeftStepperInput* input, double dt,
                                HeftBipedGoal* goal);

#ifdef __cplusplus
}
#endif
#endif
