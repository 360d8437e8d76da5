// SPDX-License-Identifier: Apache-2.0
/// @file control.h
/// What makes robots move: servos and drives, trajectories, inverse kinematics, whole-body inverse
/// dynamics with balance, compliance and gaze; and what they measure: force sensors, plates,
/// filters.
///
/// - Controllers read a world's state between steps and write its controls; they own no world and
///   no model, both must outlive them.
/// - All memory is taken when a controller is created; nothing below allocates, locks or prints
///   afterwards. One controller per thread.
/// - Same inputs, same bits: controllers use no clock, and no functions of the C library but sqrt.
/// - The whole-body part treats joints without an actuator (but the free one of the root) as rigid:
///   flexible ankles are left to themselves.
#ifndef HEFT_CONTROL_H
#define HEFT_CONTROL_H

#include <heft/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- whole-body inverse dynamics

/// Accelerations that are wanted of a robot, each with a weight, and the contacts that it may use.
/// Finds the joint torques that come closest, with contact forces in their exact friction cones.
typedef struct HeftWholeBody HeftWholeBody;

typedef struct HeftWholeBodyDef {
  uint32_t cookie;  ///< set by heft_whole_body_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;
  int root;               ///< body at the root of the robot's tree; -1: the first with a free joint
  int contact_capacity;   ///< most contacts in one solution
  double force_weight;    ///< cost of a contact force squared [1/N²], shares loads out evenly
  double regularisation;  ///< weight of accelerating any joint at all, keeps the problem well posed
} HeftWholeBodyDef;

HEFT_DEF_FUNCTIONS(HeftWholeBodyDef, heft_whole_body_def_default, heft_whole_body_def_init);
/// Table of the numbers in a HeftWholeBodyDef.
HEFT_API HeftOptions heft_whole_body_options(void);
/// def may be NULL, error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_whole_body_create(HeftWholeBody** out, const HeftModel* model,
                                           const HeftWholeBodyDef* def, HeftError* error);
HEFT_API void heft_whole_body_destroy(HeftWholeBody* body);

/// Starts a problem at coordinates q (nq) and velocities v (nv): nothing is wanted, no contacts, no
/// wrenches.
HEFT_API void heft_whole_body_begin(HeftWholeBody* body, const double* q, const double* v);
/// Kinematics and velocities at the state of heft_whole_body_begin().
HEFT_API const HeftDynamics* heft_whole_body_dynamics(const HeftWholeBody* body);
/// Mass of the robot [kg], its centre of mass, and the velocity of that. velocity may be NULL.
HEFT_API double heft_whole_body_mass(const HeftWholeBody* body);
HEFT_API HeftVec3 heft_whole_body_com(const HeftWholeBody* body, HeftVec3* velocity);

/// A force and a moment at a point of the world that act on the robot, for example of a load in its
/// hands. Add all wrenches before the first task.
HEFT_API void heft_whole_body_add_wrench(HeftWholeBody* body, int on, HeftVec3 point,
                                         HeftVec3 force, HeftVec3 torque);
/// The acceleration wanted of the centre of mass [m/s²], weights per axis.
HEFT_API void heft_whole_body_add_com_task(HeftWholeBody* body, HeftVec3 acc, HeftVec3 weight);
/// The acceleration wanted of a point of the world that moves with a body [m/s²].
HEFT_API void heft_whole_body_add_point_task(HeftWholeBody* body, int of, HeftVec3 point,
                                             HeftVec3 acc, HeftVec3 weight);
/// The angular acceleration wanted of a body [rad/s²].
HEFT_API void heft_whole_body_add_rotation_task(HeftWholeBody* body, int of, HeftVec3 acc,
                                                HeftVec3 weight);
/// The acceleration wanted of one degree of freedom.
HEFT_API void heft_whole_body_add_dof_task(HeftWholeBody* body, int dof, double acc, double weight);
/// A contact that the robot may push against: a point of the world on a body, the normal that
/// points into the body, the coefficient of friction, and the share (above 0 to 1) of the load that
/// it should take beside others. Returns its index, or -1 if there are contact_capacity of them.
HEFT_API int heft_whole_body_add_contact(HeftWholeBody* body, int on, HeftVec3 point,
                                         HeftVec3 normal, double friction, double share);
/// Solves. tau (nv): torques at the joints with actuators, 0 elsewhere. HEFT_ERR_SINGULAR if the
/// problem has no unique solution; tau is 0 then.
HEFT_API HeftStatus heft_whole_body_solve(HeftWholeBody* body, double* tau);
/// What heft_whole_body_solve() found: accelerations (nv), and the force of a contact [N].
HEFT_API const double* heft_whole_body_acceleration(const HeftWholeBody* body);
HEFT_API HeftVec3 heft_whole_body_force(const HeftWholeBody* body, int contact);
/// Writes torques (nv) to the controls of the actuators that act on single joints, within their
/// limits. controls: nactuator (heft_world_controls()).
HEFT_API void heft_model_torques_to_controls(const HeftModel* model, const double* tau,
                                             double* controls);

// ---- balance: a robot on two feet

enum { HEFT_BIPED_EXTRA_MAX = 8 };

/// Gains of a goal: wanted acceleration = acceleration + kv (velocity error) + kp (position error).
typedef struct HeftGain {
  double kp, kv;  ///< [1/s²], [1/s]
  double weight;
} HeftGain;

/// Where a foot should be. Its frame: origin in the middle of the sole's underside, z up.
typedef struct HeftFootGoal {
  HeftVec3 pos, velocity, acceleration;
  HeftQuat quat;
  double load;  ///< 0: it swings; above 0 to 1: it stands, with this share of what it could carry
} HeftFootGoal;

/// Where a point of a body should be, and how the body should be turned.
typedef struct HeftPointTask {
  int body;
  HeftVec3 point;  ///< in the body's frame [m]
  HeftVec3 pos, velocity, acceleration;
  HeftQuat quat;
  HeftGain move, turn;  ///< weight 0: not wanted
} HeftPointTask;

/// A force and a moment on the robot that it knows about.
typedef struct HeftLoad {
  int body;
  HeftVec3 point, force, torque;  ///< in the world
} HeftLoad;

/// A place besides the feet where the robot may lean on something.
typedef struct HeftSupport {
  int body;
  HeftVec3 point, normal;  ///< in the world; the normal points into the robot
  double friction, share;  ///< as heft_whole_body_add_contact()
} HeftSupport;

/// What a robot should do now. Plain data: fill it with heft_biped_stand(), change what you like.
typedef struct HeftBipedGoal {
  HeftVec3 com, com_velocity, com_acceleration;
  HeftQuat pelvis, chest;
  HeftFootGoal foot[2];            ///< left, right
  const double* posture;           ///< coordinates that the joints are drawn to (nq); not owned
  const double* posture_velocity;  ///< how fast that moves (nv); NULL: it stays; not owned
  int point_task_count, load_count, support_count;
  HeftPointTask point_task[HEFT_BIPED_EXTRA_MAX];
  HeftLoad load[HEFT_BIPED_EXTRA_MAX];
  HeftSupport support[HEFT_BIPED_EXTRA_MAX];
} HeftBipedGoal;

typedef struct HeftBipedDef {
  uint32_t cookie;  ///< set by heft_biped_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;
  int pelvis, chest;  ///< bodies; chest -1: the robot has none
  int foot[2];        ///< bodies, left and right
  int sole[2];        ///< box shapes, what they stand on
  double friction;    ///< coefficient that it counts on
  double inset;       ///< share of the sole that it uses, for safety
  HeftGain com, height, turn, foot_swing, foot_stand;
  HeftGain arms, legs;  ///< towards the posture: joints that hang on the chest, all others
} HeftBipedDef;

typedef struct HeftBiped HeftBiped;

/// For a model that names its bodies pelvis, chest, left_foot, right_foot, its shapes left_sole and
/// right_sole; what is not found is -1.
HEFT_API void heft_biped_def_init(HeftBipedDef* def, uint32_t cookie, const HeftModel* model);
static inline HeftBipedDef heft_biped_def_default(const HeftModel* model) {
  HeftBipedDef def;
  heft_biped_def_init(&def, HEFT_DEF_COOKIE(HeftBipedDef), model);
  return def;
}
/// def may be NULL, error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_biped_create(HeftBiped** out, const HeftModel* model,
                                      const HeftBipedDef* def, HeftError* error);
HEFT_API void heft_biped_destroy(HeftBiped* biped);
/// The goal to stay as the robot is at q (nq): both feet flat where they are, the centre of mass
/// above the middle between them, upright. posture: q itself; it must live on.
HEFT_API void heft_biped_stand(HeftBiped* biped, const double* q, HeftBipedGoal* goal);
/// Torques for a goal at (q, v): tau (nv). HEFT_ERR_SINGULAR if the problem has no unique solution;
/// tau is 0 then.
HEFT_API HeftStatus heft_biped_torques(HeftBiped* biped, const HeftBipedGoal* goal, const double* q,
                                       const double* v, double* tau);
/// The same, from a world's state to its controls. On failure the controls stay as they were.
HEFT_API HeftStatus heft_biped_step(HeftBiped* biped, const HeftBipedGoal* goal, HeftWorld* world);
/// The problem that was solved last, for its forces and accelerations.
HEFT_API const HeftWholeBody* heft_biped_whole_body(const HeftBiped* biped);

// ---- walking

typedef struct HeftWalkDef {
  uint32_t cookie;  ///< set by heft_walk_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;
  int steps;          ///< how many, the last one brings the feet side by side
  double length;      ///< of a step [m]; a first and a last one are half as long
  double swing;       ///< a foot is in the air so long [s]
  double both;        ///< both feet stand between two steps so long [s]
  double lift;        ///< height of a swinging foot [m]
  double start, end;  ///< standing before the first and after the last step [s]
  int first;          ///< foot that goes first: 0 left, 1 right
  double sample;      ///< time between samples of the plan [s]
} HeftWalkDef;

/// Steps over level ground, planned in advance by the divergent component of motion.
typedef struct HeftWalk HeftWalk;

HEFT_DEF_FUNCTIONS(HeftWalkDef, heft_walk_def_default, heft_walk_def_init);
/// Table of the numbers in a HeftWalkDef.
HEFT_API HeftOptions heft_walk_options(void);
/// Plans from a goal of standing (heft_biped_stand()), in the direction of its pelvis. def may be
/// NULL.
HEFT_API HeftStatus heft_walk_create(HeftWalk** out, const HeftWalkDef* def,
                                     const HeftBipedGoal* stand, double gravity, HeftError* error);
HEFT_API void heft_walk_destroy(HeftWalk* walk);
/// How long it takes [s].
HEFT_API double heft_walk_duration(const HeftWalk* walk);
/// Centre of mass and feet at a time, into the goal. zmp may be NULL: where the plan has the centre
/// of pressure.
HEFT_API void heft_walk_goal(const HeftWalk* walk, double time, HeftBipedGoal* goal, HeftVec3* zmp);

// ---- servos and drives

/// Γ = ff + K_p (q_d - q) + K_v (q̇_d - q̇) for all dofs: tau (nv). kp, kv: nv each, 0 where there
/// is
/// no servo. v_d and ff may be NULL (zero). Balls and free joints count their turns by the rotation
/// that is missing. scratch: nv.
HEFT_API void heft_pd_torques(const HeftModel* model, const double* kp, const double* kv,
                              const double* q_d, const double* v_d, const double* ff,
                              const double* q, const double* v, double* scratch, double* tau);

/// A geared motor with a servo on its own side: [Chardonnet 2012], Eq. 22, with friction that
/// resists.
typedef struct HeftDrive {
  double gear;           ///< R: turns of the motor per turn of the joint, times its efficiency
  double kp, kv;         ///< of the servo [N m/rad, N m s/rad], on the motor's side
  double rotor_inertia;  ///< of the motor [kg m²]
  double viscous;        ///< μ_v at the joint [N m s/rad]
  double dry;            ///< μ_d at the joint [N m]
  double dry_speed;      ///< dry friction grows linearly up to this speed [rad/s]; 0: jumps
  double limit;          ///< largest torque of the motor [N m]; 0: none
} HeftDrive;

/// Γ = R (K_p (q_d - q) + K_v (q̇_d - q̇)) + ff - μ_v q̇ - μ_d sign(q̇): the torque at the joint.
HEFT_API double heft_drive_torque(const HeftDrive* drive, double q_d, double v_d, double ff,
                                  double q, double v);
/// What the rotor's inertia is worth at the joint: R² J. Belongs into the model as armature.
HEFT_API double heft_drive_armature(const HeftDrive* drive);

// ---- trajectories

/// Smooth curves through points in time: cubic splines, at rest at both ends.
typedef struct HeftSpline HeftSpline;

/// times (count, rising), values (count x channels). Copied. At least two points.
HEFT_API HeftStatus heft_spline_create(HeftSpline** out, int count, int channels,
                                       const double* times, const double* values,
                                       const HeftAllocator* allocator, HeftError* error);
/// From text: one point a line, time first, numbers between commas, semicolons or blanks; lines
/// that begin with # or a letter are passed over. Numbers as in C, whatever the locale.
HEFT_API HeftStatus heft_spline_read(HeftSpline** out, const char* text, size_t size,
                                     const HeftAllocator* allocator, HeftError* error);
HEFT_API void heft_spline_destroy(HeftSpline* spline);
HEFT_API int heft_spline_channels(const HeftSpline* spline);
HEFT_API double heft_spline_end(const HeftSpline* spline);
/// Values, velocities, accelerations at a time (channels each; each may be NULL). Before the first
/// point the first value, after the last the last.
HEFT_API void heft_spline_at(const HeftSpline* spline, double time, double* value, double* velocity,
                             double* acceleration);
/// A step from 0 to 1 over the share s in [0, 1], at rest with zero acceleration at both ends; out:
/// value and first two derivatives by s. Beyond [0, 1] it stays.
HEFT_API void heft_spline_smooth_step(double s, double out[3]);

// ---- inverse kinematics

/// Where a point of a body should be, and how the body should be turned, in a pose.
typedef struct HeftPoseTarget {
  int body;        ///< -1: the centre of mass of the robot (pos alone counts)
  HeftVec3 point;  ///< in the body's frame [m]
  HeftVec3 pos;    ///< in the world [m]
  HeftQuat quat;   ///< in the world
  HeftVec3 move;   ///< weights of the shift, per axis of the world; 0: not wanted
  double turn;     ///< weight of the turn; 0: not wanted
} HeftPoseTarget;

typedef struct HeftPoseSolver HeftPoseSolver;

/// root: the body at the root of the robot's tree.
HEFT_API HeftStatus heft_pose_solver_create(HeftPoseSolver** out, const HeftModel* model, int root,
                                            const HeftAllocator* allocator, HeftError* error);
HEFT_API void heft_pose_solver_destroy(HeftPoseSolver* solver);
/// Moves q (nq) until the targets are met as well as they can be, within the ranges of the joints,
/// close to where it started; joints with springs stay. Returns the weighted error that is left,
/// the root of the sum of squares [m, rad].
HEFT_API double heft_pose_solver_solve(HeftPoseSolver* solver, const HeftPoseTarget* targets,
                                       int count, double* q);

// ---- compliance and gaze

/// A touched robot gives way: M_d q̈_d + B_d q̇_d = Jᵀ f on the joints between the touched body and
/// the waist ([Chardonnet 2012], Eq. 16).
typedef struct HeftComplianceDef {
  uint32_t cookie;  ///< set by heft_compliance_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;
  int waist;         ///< body at which the chain ends; its own joints stay
  double inertia;    ///< M_d of every dof [kg m²]
  double damping;    ///< B_d [N m s/rad]
  double stiffness;  ///< back to where it was [N m/rad]; 0: it stays where it was led
} HeftComplianceDef;

typedef struct HeftCompliance HeftCompliance;

/// The waist: the body named "chest", else the model's first.
HEFT_API void heft_compliance_def_init(HeftComplianceDef* def, uint32_t cookie,
                                       const HeftModel* model);
static inline HeftComplianceDef heft_compliance_def_default(const HeftModel* model) {
  HeftComplianceDef def;
  heft_compliance_def_init(&def, HEFT_DEF_COOKIE(HeftComplianceDef), model);
  return def;
}
/// def may be NULL, error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_compliance_create(HeftCompliance** out, const HeftModel* model,
                                           const HeftComplianceDef* def, HeftError* error);
HEFT_API void heft_compliance_destroy(HeftCompliance* compliance);
/// Back to no offset, at rest.
HEFT_API void heft_compliance_reset(HeftCompliance* compliance);
/// One step of dt with load_count forces on the robot (0: it coasts). dynamics: at the
/// present pose.
HEFT_API void heft_compliance_step(HeftCompliance* compliance, const HeftDynamics* dynamics,
                                   const HeftLoad* loads, int load_count, double dt);
/// How far each dof was led away, and how fast it goes (nv).
HEFT_API const double* heft_compliance_offset(const HeftCompliance* compliance);
HEFT_API const double* heft_compliance_velocity(const HeftCompliance* compliance);
/// out (nq) = posture led away by the offset, within the ranges of the joints. out may be posture.
HEFT_API void heft_compliance_apply(const HeftCompliance* compliance, const double* posture,
                                    double* out);

/// Eyes that look at a point: turns the joints between a site and the chest until the site's x axis
/// points there.
typedef struct HeftGaze HeftGaze;

/// site: where the eyes are; base: the body that the neck stands on (-1: the one named "chest",
/// else the site's body's parent). speed: largest turn of the joints [rad/s].
HEFT_API HeftStatus heft_gaze_create(HeftGaze** out, const HeftModel* model, int site, int base,
                                     double speed, const HeftAllocator* allocator,
                                     HeftError* error);
HEFT_API void heft_gaze_destroy(HeftGaze* gaze);
/// Turns the neck's part of a posture (nq) towards a point of the world; dynamics: at the present
/// pose q. Returns the angle that is missing [rad].
HEFT_API double heft_gaze_step(HeftGaze* gaze, const HeftDynamics* dynamics, const double* q,
                               HeftVec3 point, double dt, double* posture);

// ---- sensors

/// A force sensor as it is in a wrist: six numbers l that a calibration matrix turns into forces,
/// f_e = -P + G (l + d) ([Chardonnet 2012], Eq. 18-20).
typedef struct HeftForceSensor {
  double matrix[36];  ///< G, row-major: force then moment from the six numbers
  double offset[6];   ///< d
  double noise[6];    ///< standard deviation of the six numbers
  HeftQuat quat;      ///< the sensor's axes in the frame of its body
  double mass;        ///< of what hangs on it [kg]
  HeftVec3 com;       ///< where that has its centre of mass, in the sensor's frame [m]
  uint64_t seed;      ///< of the noise
} HeftForceSensor;

/// The identity, no offset, no noise, nothing hangs on it.
HEFT_API HeftForceSensor heft_force_sensor_default(void);
/// The six numbers that the sensor gives for a wrench on it (moment, force; at the sensor's centre,
/// in world axes), its body turned by `body`. tick numbers the readings, for the noise. HEFT_ERR_SINGULAR
/// if G has no inverse.
HEFT_API HeftStatus heft_force_sensor_read(const HeftForceSensor* sensor, HeftQuat body,
                                           HeftSpatial wrench, uint64_t tick, double raw[6]);
/// What touches the robot there: the wrench (moment, force) in world axes, from the six numbers.
HEFT_API HeftSpatial heft_force_sensor_outside(const HeftForceSensor* sensor, HeftQuat body,
                                               HeftVec3 gravity, const double raw[6]);

/// What a force plate under a body reads.
typedef struct HeftForcePlate {
  HeftVec3 force;   ///< of the plate on the body [N]
  HeftVec3 center;  ///< centre of pressure, where its moment along the plate vanishes [m]
  double twist;     ///< moment about the vertical there [N m]
  bool loaded;      ///< true if the plate carries force; otherwise all fields are zero
} HeftForcePlate;

/// A level plate at a height (z) under a body, from the contacts that the body has with another.
HEFT_API HeftForcePlate heft_force_plate_read(const HeftWorld* world, int body, int other,
                                              double height);

enum { HEFT_BUTTERWORTH_ORDER_MAX = 10 };

/// A Butterworth low-pass filter of any order up to HEFT_BUTTERWORTH_ORDER_MAX, as sections of
/// order two.
typedef struct HeftButterworth {
  int sections;
  double b[5][3], a[5][2], z[5][2];
  bool fresh;  ///< true before the first value, which it then starts from
} HeftButterworth;

/// cutoff below half of rate, both [Hz].
HEFT_API HeftButterworth heft_butterworth_make(int order, double cutoff, double rate);
HEFT_API double heft_butterworth_step(HeftButterworth* filter, double x);

#ifdef __cplusplus
}
#endif
#endif
