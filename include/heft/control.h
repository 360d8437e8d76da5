// SPDX-License-Identifier: Apache-2.0
/// @file control.h
/// Control of robots: servos and drives, trajectories, inverse kinematics, whole-body inverse
/// dynamics with balance, compliance and gaze. Measurement: force sensors, force plates, filters.
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

/// Whole-body inverse dynamics of one robot. The caller adds tasks (wanted accelerations with
/// weights) and contacts. The solution is the joint torques with the smallest weighted error, with
/// contact forces inside their exact friction cones.
typedef struct HeftWholeBody HeftWholeBody;

/// Settings of a whole-body controller.
typedef struct HeftWholeBodyDef {
  uint32_t cookie;  ///< set by heft_whole_body_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;
  int root;               ///< body at the root of the robot's tree; -1: the first with a free joint
  int contact_capacity;   ///< max number of contacts of a problem, >= 0
  double force_weight;    ///< cost of a squared contact force [1/N²], > 0; distributes the load
  double regularisation;  ///< weight of all joint accelerations, > 0; keeps the problem well posed
} HeftWholeBodyDef;

HEFT_DEF_FUNCTIONS(HeftWholeBodyDef, heft_whole_body_def_default, heft_whole_body_def_init);
/// Table of the numbers in a HeftWholeBodyDef.
HEFT_API HeftOptions heft_whole_body_options(void);
/// def may be NULL, error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_whole_body_create(HeftWholeBody** out, const HeftModel* model,
                                           const HeftWholeBodyDef* def, HeftError* error);
HEFT_API void heft_whole_body_destroy(HeftWholeBody* body);

/// Starts a problem at coordinates q and velocities v, without tasks, contacts and wrenches. Both
/// arrays are copied.
/// [in] q[nq], v[nv]
HEFT_API void heft_whole_body_begin(HeftWholeBody* body, const double* q, const double* v);
/// Kinematics and velocities at the state of heft_whole_body_begin().
HEFT_API const HeftDynamics* heft_whole_body_dynamics(const HeftWholeBody* body);
enum { HEFT_WHOLE_BODY_MEMORY = 6 };  ///< numbers of heft_whole_body_memory()
/// The numbers that the solution of a problem reuses from the last one (a start for the forces),
/// for rewinding: HEFT_WHOLE_BODY_MEMORY numbers, written and read.
/// [out] numbers[HEFT_WHOLE_BODY_MEMORY]
HEFT_API void heft_whole_body_memory(const HeftWholeBody* body, double* numbers);
/// [in] numbers[HEFT_WHOLE_BODY_MEMORY]
HEFT_API void heft_whole_body_set_memory(HeftWholeBody* body, const double* numbers);
/// Mass of the robot [kg].
HEFT_API double heft_whole_body_mass(const HeftWholeBody* body);
/// Centre of mass of the robot [m]. *velocity, which may be NULL, is its velocity [m/s].
/// [out] velocity
HEFT_API HeftVec3 heft_whole_body_com(const HeftWholeBody* body, HeftVec3* velocity);

/// Adds a force [N] at a point of the world and a torque [N m] that act on body `on`, for example
/// the weight of a load. All wrenches must be added before the first task.
HEFT_API void heft_whole_body_add_wrench(HeftWholeBody* body, int on, HeftVec3 point,
                                         HeftVec3 force, HeftVec3 torque);
/// Adds a task: acceleration of the centre of mass [m/s²], with a weight per axis.
HEFT_API void heft_whole_body_add_com_task(HeftWholeBody* body, HeftVec3 acc, HeftVec3 weight);
/// Adds a task: acceleration [m/s²] of a point, given in the world, that moves with body `of`.
HEFT_API void heft_whole_body_add_point_task(HeftWholeBody* body, int of, HeftVec3 point,
                                             HeftVec3 acc, HeftVec3 weight);
/// Adds a task: angular acceleration of body `of` [rad/s²].
HEFT_API void heft_whole_body_add_rotation_task(HeftWholeBody* body, int of, HeftVec3 acc,
                                                HeftVec3 weight);
/// Adds a task: acceleration of one degree of freedom [m/s², rad/s²].
HEFT_API void heft_whole_body_add_dof_task(HeftWholeBody* body, int dof, double acc, double weight);
/// Adds a contact that may carry force: a point of the world on body `on`, the unit normal that
/// points into the body, the coefficient of friction, and the share of the load relative to other
/// contacts (0 < share <= 1). Returns its index, -1 if contact_capacity is reached.
HEFT_API int heft_whole_body_add_contact(HeftWholeBody* body, int on, HeftVec3 point,
                                         HeftVec3 normal, double friction, double share);
/// Solves. tau: torques at the joints with actuators, 0 elsewhere. HEFT_ERR_SINGULAR if the problem
/// has no unique solution; tau is 0 then.
/// [out] tau[nv]
HEFT_API HeftStatus heft_whole_body_solve(HeftWholeBody* body, double* tau);
/// Accelerations of the last heft_whole_body_solve(). Owned by the controller; valid until the next
/// solve.
/// [return] acceleration[nv]
HEFT_API const double* heft_whole_body_acceleration(const HeftWholeBody* body);
/// Force of a contact on the robot in the last solution [N], in the world's frame.
HEFT_API HeftVec3 heft_whole_body_force(const HeftWholeBody* body, int contact);
/// Writes torques to the controls of the actuators that act on single joints, within their limits.
/// controls: heft_world_controls().
/// [in] tau[nv]; [in,out] controls[nactuator]
HEFT_API void heft_model_torques_to_controls(const HeftModel* model, const double* tau,
                                             double* controls);

// ---- balance: a robot on two feet

enum { HEFT_BIPED_EXTRA_MAX = 8 };  ///< most extra tasks of a goal

/// Gains of a task: task acceleration = acceleration + kv (velocity error) + kp (position error).
typedef struct HeftGain {
  double kp, kv;  ///< [1/s²], [1/s]
  double weight;  ///< of the task among all; 0: none [1]
} HeftGain;

/// Target pose and motion of a foot, in the world. Frame of the foot: origin in the middle of the
/// lower side of the sole, z up.
typedef struct HeftFootGoal {
  HeftVec3 pos;           ///< position [m]
  HeftVec3 velocity;      ///< [m/s]
  HeftVec3 acceleration;  ///< [m/s²]
  HeftQuat quat;
  double load;  ///< 0: swing foot; 0 < load <= 1: stance foot, with this share of the full load
} HeftFootGoal;

/// Target position of a point of a body and target orientation of the body, in the world.
typedef struct HeftPointTask {
  int body;               ///< index of the body
  HeftVec3 point;         ///< in the body's frame [m]
  HeftVec3 pos;           ///< position [m]
  HeftVec3 velocity;      ///< [m/s]
  HeftVec3 acceleration;  ///< [m/s²]
  HeftQuat quat;
  HeftGain move, turn;  ///< of position and orientation; weight 0: no task
} HeftPointTask;

/// A known force [N] and torque [N m] on the robot.
typedef struct HeftLoad {
  int body;         ///< on which it acts
  HeftVec3 point;   ///< in the world [m]
  HeftVec3 force;   ///< in the world [N]
  HeftVec3 torque;  ///< in the world [N m]
} HeftLoad;

/// A support besides the feet: a point at which the robot may push against the environment.
typedef struct HeftSupport {
  int body;                ///< that is supported
  HeftVec3 point;          ///< in the world [m]
  HeftVec3 normal;         ///< unit, in the world; points into the robot
  double friction, share;  ///< as heft_whole_body_add_contact() [1]
} HeftSupport;

/// Goal of a biped at one instant. Plain data: heft_biped_stand() fills it in, the caller changes
/// single fields.
typedef struct HeftBipedGoal {
  HeftVec3 com;               ///< centre of mass [m]
  HeftVec3 com_velocity;      ///< its velocity [m/s]
  HeftVec3 com_acceleration;  ///< its acceleration [m/s²]
  HeftQuat pelvis, chest;
  HeftFootGoal foot[2];            ///< left, right
  const double* posture;           ///< target coordinates of the joints [m, rad] (nq); not owned
  const double* posture_velocity;  ///< its velocity [m/s, rad/s] (nv); NULL: zero; not owned
  int point_task_count, load_count, support_count;
  HeftPointTask point_task[HEFT_BIPED_EXTRA_MAX];
  HeftLoad load[HEFT_BIPED_EXTRA_MAX];
  HeftSupport support[HEFT_BIPED_EXTRA_MAX];
} HeftBipedGoal;

/// Links, sites and gains of a biped.
typedef struct HeftBipedDef {
  uint32_t cookie;  ///< set by heft_biped_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;
  int pelvis, chest;  ///< bodies; chest -1: the robot has none
  int foot[2];        ///< bodies, left and right
  int sole[2];        ///< box shapes of the soles, left and right
  double friction;    ///< assumed coefficient of friction, > 0
  double inset;       ///< used share of the sole, 0 < inset <= 1; below 1: safety margin
  HeftGain com, height, turn, foot_swing, foot_stand;
  HeftGain arms, legs;  ///< towards the posture: joints above the chest, all other joints
} HeftBipedDef;

/// Controller that makes a biped stand, sway and step.
typedef struct HeftBiped HeftBiped;

/// Finds bodies by the names pelvis, chest, left_foot, right_foot and shapes by left_sole and
/// right_sole. A name that the model does not have gives -1.
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
/// Goal to stand at q: both feet flat at their present positions, the centre of mass above the
/// middle between them, pelvis and chest upright. goal->posture points to q, which must outlive it.
/// [in] q[nq]; [in,out] goal
HEFT_API void heft_biped_stand(HeftBiped* biped, const double* q, HeftBipedGoal* goal);
/// Torques for a goal at (q, v): tau. HEFT_ERR_SINGULAR if the problem has no unique solution; tau
/// is 0 then.
/// [in] q[nq], v[nv]; [out] tau[nv]
HEFT_API HeftStatus heft_biped_torques(HeftBiped* biped, const HeftBipedGoal* goal, const double* q,
                                       const double* v, double* tau);
/// Sets a world's controls to heft_biped_torques() at its state. On failure they stay as they were.
HEFT_API HeftStatus heft_biped_step(HeftBiped* biped, const HeftBipedGoal* goal, HeftWorld* world);
/// Sets the numbers that the controller keeps from step to step, as heft_whole_body_memory() of its
/// problem wrote them.
/// [in] numbers[HEFT_WHOLE_BODY_MEMORY]
HEFT_API void heft_biped_set_memory(HeftBiped* biped, const double* numbers);
/// The problem of the last heft_biped_torques(), for its forces and accelerations. Owned by biped.
HEFT_API const HeftWholeBody* heft_biped_whole_body(const HeftBiped* biped);

// ---- walking

/// Settings of a walk.
typedef struct HeftWalkDef {
  uint32_t cookie;  ///< set by heft_walk_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;
  int steps;      ///< number of steps, 1 to 1000; the last one brings the feet side by side
  double length;  ///< length of a step [m], negative: backwards; the first and the last are half as
                  ///< long
  double swing;   ///< duration of the swing of a foot [s], > 0
  double both;    ///< duration of double support between two steps [s], > 0
  double lift;    ///< height of a swinging foot [m]
  double start, end;  ///< time of standing before the first and after the last step [s], > 0
  int first;          ///< foot of the first step: 0 left, 1 right
  double sample;      ///< time between samples of the plan [s], 0 < sample <= 0.01
  double side;        ///< sideways length of a step, to the left [m]; feet must not meet
} HeftWalkDef;

/// A plan of steps over level ground, by the divergent component of motion [Englsberger 2015].
typedef struct HeftWalk HeftWalk;

HEFT_DEF_FUNCTIONS(HeftWalkDef, heft_walk_def_default, heft_walk_def_init);
/// Table of the numbers in a HeftWalkDef.
HEFT_API HeftOptions heft_walk_options(void);
/// Plans from a goal of standing (heft_biped_stand()) in the direction of its pelvis. gravity
/// [m/s²], > 0. def and error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_walk_create(HeftWalk** out, const HeftWalkDef* def,
                                     const HeftBipedGoal* stand, double gravity, HeftError* error);
HEFT_API void heft_walk_destroy(HeftWalk* walk);
/// Duration of the plan [s].
HEFT_API double heft_walk_duration(const HeftWalk* walk);
/// Writes centre of mass and feet at a time [s] into the goal. *zmp, which may be NULL, is the
/// planned centre of pressure [m].
/// [in,out] goal; [out] zmp
HEFT_API void heft_walk_goal(const HeftWalk* walk, double time, HeftBipedGoal* goal, HeftVec3* zmp);

// ---- servos and drives

/// Γ = ff + K_p (q_d - q) + K_v (q̇_d - q̇) for all degrees of freedom: tau. kp, kv: 0 for a dof
/// without servo. v_d and ff may be NULL (zero). For ball and free joints q_d - q is the rotation
/// vector from q to q_d.
/// [in] kp[nv], kv[nv], q_d[nq], v_d[nv], ff[nv], q[nq], v[nv]
/// [scratch] scratch[nv]
/// [out] tau[nv]
HEFT_API void heft_pd_torques(const HeftModel* model, const double* kp, const double* kv,
                              const double* q_d, const double* v_d, const double* ff,
                              const double* q, const double* v, double* scratch, double* tau);

/// A geared motor with a servo on its own side: [Chardonnet 2012], Eq. 22, with friction that
/// resists.
typedef struct HeftDrive {
  double gear;           ///< R: turns of the motor per turn of the joint, times the efficiency
  double kp, kv;         ///< gains of the servo on the motor side [N m/rad, N m s/rad]
  double rotor_inertia;  ///< J: inertia of the rotor [kg m²]
  double viscous;        ///< μ_v at the joint [N m s/rad]
  double dry;            ///< μ_d at the joint [N m]
  double dry_speed;      ///< dry friction grows linearly up to this speed [rad/s]; 0: it is a step
  double limit;          ///< max torque of the motor [N m]; 0: no limit
} HeftDrive;

/// Γ = R (K_p (q_d - q) + K_v (q̇_d - q̇)) + ff - μ_v q̇ - μ_d sign(q̇): the torque at the joint.
HEFT_API double heft_drive_torque(const HeftDrive* drive, double q_d, double v_d, double ff,
                                  double q, double v);
/// Rotor inertia reduced to the joint, R² J [kg m²]: the value of dof_armature in the model.
HEFT_API double heft_drive_armature(const HeftDrive* drive);

// ---- trajectories

/// Smooth curves through points in time: cubic splines, at rest at both ends.
typedef struct HeftSpline HeftSpline;

/// times: strictly increasing [s]; both arrays are copied. count >= 2. allocator and error may be
/// NULL. *out is NULL on failure.
/// [in] times[count], values[count][channels]
HEFT_API HeftStatus heft_spline_create(HeftSpline** out, int count, int channels,
                                       const double* times, const double* values,
                                       const HeftAllocator* allocator, HeftError* error);
/// Reads a spline from text: one point per line, time first, numbers separated by commas,
/// semicolons or blanks. Lines that begin with # or a letter are skipped. Numbers are written as in
/// C, independent of the locale.
HEFT_API HeftStatus heft_spline_read(HeftSpline** out, const char* text, size_t size,
                                     const HeftAllocator* allocator, HeftError* error);
HEFT_API void heft_spline_destroy(HeftSpline* spline);
HEFT_API int heft_spline_channels(const HeftSpline* spline);
HEFT_API double heft_spline_end(const HeftSpline* spline);
/// Values, velocities and accelerations at a time [s]; each may be NULL. Before the first point the
/// first value holds, after the last point the last.
/// [out] value[heft_spline_channels(spline)], velocity[heft_spline_channels(spline)]
/// [out] acceleration[heft_spline_channels(spline)]
HEFT_API void heft_spline_at(const HeftSpline* spline, double time, double* value, double* velocity,
                             double* acceleration);
/// Smooth step from 0 to 1 for s in [0, 1], with zero velocity and acceleration at both ends. out:
/// value and the first two derivatives by s. Outside [0, 1] the value is constant.
/// [out] out[3]
HEFT_API void heft_spline_smooth_step(double s, double out[3]);

// ---- inverse kinematics

/// Target of inverse kinematics: position of a point of a body, and orientation of the body.
typedef struct HeftPoseTarget {
  int body;        ///< -1: the centre of mass of the robot (only pos counts)
  HeftVec3 point;  ///< in the body's frame [m]
  HeftVec3 pos;    ///< in the world [m]
  HeftQuat quat;   ///< in the world
  HeftVec3 move;   ///< weights of the position, per axis of the world; 0: no target
  double turn;     ///< weight of the orientation; 0: no target
} HeftPoseTarget;

/// Solver of inverse kinematics: coordinates for poses of links.
typedef struct HeftPoseSolver HeftPoseSolver;

/// root: the body at the root of the robot's tree.
HEFT_API HeftStatus heft_pose_solver_create(HeftPoseSolver** out, const HeftModel* model, int root,
                                            const HeftAllocator* allocator, HeftError* error);
HEFT_API void heft_pose_solver_destroy(HeftPoseSolver* solver);
/// Changes q to minimise the weighted error of the targets, within the ranges of the joints and
/// close to the given q. Joints with springs keep their coordinates. Returns the remaining weighted
/// error, the root of the sum of squares [m, rad].
/// [in] targets[count]; [in,out] q[nq]
HEFT_API double heft_pose_solver_solve(HeftPoseSolver* solver, const HeftPoseTarget* targets,
                                       int count, double* q);

// ---- compliance and gaze

/// Compliance to contact forces: M_d q̈_d + B_d q̇_d = Jᵀ f on the joints between the body in
/// contact and the waist, with diagonal matrices ([Chardonnet 2012], Eq. 16).
typedef struct HeftComplianceDef {
  uint32_t cookie;  ///< set by heft_compliance_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;
  int waist;         ///< body at which the chain ends; its own joints do not move
  double inertia;    ///< M_d of every dof [kg m²], > 0; heft_compliance_set_dof() changes one
  double damping;    ///< B_d [N m s/rad], >= 0
  double stiffness;  ///< towards zero offset [N m/rad]; 0: the offset stays
} HeftComplianceDef;

/// Controller that gives a body the stiffness and damping of a spring.
typedef struct HeftCompliance HeftCompliance;

/// The waist is the body named "waist" or "pelvis", or body 1 if the model has neither.
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
/// Sets the elements of the diagonal matrices M_d [kg m²], B_d [N m s/rad] and of the stiffness
/// [N m/rad] of one dof; ranges as in HeftComplianceDef.
HEFT_API void heft_compliance_set_dof(HeftCompliance* compliance, int dof, double inertia,
                                      double damping, double stiffness);
/// Sets offset and velocity to zero.
HEFT_API void heft_compliance_reset(HeftCompliance* compliance);
/// One step of dt [s] with load_count forces on the robot. dynamics: at the present pose.
/// [in] loads[load_count]
HEFT_API void heft_compliance_step(HeftCompliance* compliance, const HeftDynamics* dynamics,
                                   const HeftLoad* loads, int load_count, double dt);
/// Sets offset and velocity, as they were read before.
/// [in] offset[nv], velocity[nv]
HEFT_API void heft_compliance_set_offset(HeftCompliance* compliance, const double* offset,
                                         const double* velocity);
/// Offset of each dof from the posture, and its rate. Owned by the controller.
/// [return] offset[nv]
HEFT_API const double* heft_compliance_offset(const HeftCompliance* compliance);
/// [return] velocity[nv]
HEFT_API const double* heft_compliance_velocity(const HeftCompliance* compliance);
/// out = posture plus offset, within the ranges of the joints. out may be posture.
/// [in] posture[nq]; [out] out[nq]
HEFT_API void heft_compliance_apply(const HeftCompliance* compliance, const double* posture,
                                    double* out);

/// Wrench of a held object on a hand, as the force sensor in a wrist reads it: torque [N m] and
/// force [N] of all contacts of the object with the body of a site and the bodies beyond it, about
/// the origin and along the axes of the site.
HEFT_API HeftSpatial heft_wrist_wrench(const HeftWorld* world, int site, int object);
/// heft_wrist_wrench() of an object at rest of whose weight this hand carries a share. The weight
/// acts at the object's centre of mass.
HEFT_API HeftSpatial heft_wrist_weight(const HeftWorld* world, int site, int object, double share);
/// A wrench in the frame of a site as a load on its body, for heft_compliance_step().
HEFT_API HeftLoad heft_wrist_load(const HeftWorld* world, int site, HeftSpatial wrench);

/// Gaze control: turns the joints between a site and the chest until the x axis of the site points
/// at a target.
typedef struct HeftGaze HeftGaze;

/// site: frame of the eyes. base: body at which the neck begins; -1: the body named "chest", or the
/// parent of the body of the site. speed: max joint velocity [rad/s].
HEFT_API HeftStatus heft_gaze_create(HeftGaze** out, const HeftModel* model, int site, int base,
                                     double speed, const HeftAllocator* allocator,
                                     HeftError* error);
HEFT_API void heft_gaze_destroy(HeftGaze* gaze);
/// Turns the joints of the neck in a posture towards a point of the world. dynamics: at the present
/// coordinates q. Returns the remaining angle [rad].
/// [in] q[nq]; [in,out] posture[nq]
HEFT_API double heft_gaze_step(HeftGaze* gaze, const HeftDynamics* dynamics, const double* q,
                               HeftVec3 point, double dt, double* posture);

// ---- sensors

/// A six-axis force sensor: a calibration matrix turns six raw values l into the external wrench,
/// f_e = -P + G (l + d) ([Chardonnet 2012], Eq. 18-20).
typedef struct HeftForceSensor {
  double matrix[36];  ///< G, row-major: force [N], then torque [N m], from the raw values
  double offset[6];   ///< d: added, in the unit of the raw values
  double noise[6];    ///< standard deviation of the raw values, in their unit
  HeftQuat quat;      ///< the sensor's axes in the frame of its body
  double mass;        ///< mass beyond the sensor, for example of a tool [kg]
  HeftVec3 com;       ///< centre of that mass in the sensor's frame [m]
  uint64_t seed;      ///< seed of the noise
} HeftForceSensor;

/// Identity matrix, no offset, no noise, no mass beyond the sensor.
HEFT_API HeftForceSensor heft_force_sensor_default(void);
/// Raw values for a wrench on the sensor (torque, force; at its centre, in world axes), if its body
/// has the orientation `body`. tick numbers the readings, for the noise. HEFT_ERR_SINGULAR if G has
/// no inverse.
/// [out] raw
HEFT_API HeftStatus heft_force_sensor_read(const HeftForceSensor* sensor, HeftQuat body,
                                           HeftSpatial wrench, uint64_t tick, double raw[6]);
/// External wrench (torque, force) in world axes, from the raw values.
HEFT_API HeftSpatial heft_force_sensor_outside(const HeftForceSensor* sensor, HeftQuat body,
                                               HeftVec3 gravity, const double raw[6]);

/// Reading of a force plate under a body.
typedef struct HeftForcePlate {
  HeftVec3 force;   ///< force of the plate on the body [N]
  HeftVec3 center;  ///< centre of pressure: no torque about the axes in the plate [m]
  double twist;     ///< torque about the vertical axis through center [N m]
  bool loaded;      ///< true if the plate carries force; otherwise all fields are zero
} HeftForcePlate;

/// Reading of a level plate at height z [m], from the contacts of `body` with `other`.
HEFT_API HeftForcePlate heft_force_plate_read(const HeftWorld* world, int body, int other,
                                              double height);

enum { HEFT_BUTTERWORTH_ORDER_MAX = 10 };  ///< largest order of a filter

/// A Butterworth low-pass filter of any order up to HEFT_BUTTERWORTH_ORDER_MAX, as sections of
/// order two.
typedef struct HeftButterworth {
  int sections;    ///< number of sections
  double b[5][3];  ///< numerators [1]
  double a[5][2];  ///< denominators, less the leading 1 [1]
  double z[5][2];  ///< state, in the unit of the values
  bool fresh;      ///< true before the first value; the filter then starts from that value
} HeftButterworth;

/// order: 1 to HEFT_BUTTERWORTH_ORDER_MAX. cutoff and rate [Hz], 0 < cutoff < rate / 2.
HEFT_API HeftButterworth heft_butterworth_make(int order, double cutoff, double rate);
/// Filters one value; called once per 1 / rate.
/// [in,out] filter
HEFT_API double heft_butterworth_step(HeftButterworth* filter, double x);

#ifdef __cplusplus
}
#endif
#endif
