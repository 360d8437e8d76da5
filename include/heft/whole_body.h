// SPDX-License-Identifier: Apache-2.0
/// @file whole_body.h
/// Whole-body inverse dynamics of a robot, with balance on two feet and walking.
///
/// It treats joints without an actuator (but the free one of the root) as rigid: flexible ankles
/// are left to themselves.
#ifndef HEFT_WHOLE_BODY_H
#define HEFT_WHOLE_BODY_H

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

#ifdef __cplusplus
}
#endif
#endif
