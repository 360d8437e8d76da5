// SPDX-License-Identifier: Apache-2.0
/// @file inputs.h
/// Inputs of a world: forces, controls, moved bodies, couplings, parameters that differ from the
/// shared model, and callbacks. They act from the coming step on.
#ifndef HEFT_INPUTS_H
#define HEFT_INPUTS_H

#include <heft/law.h>
#include <heft/step_report.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- inputs of the coming step

/// External joint forces [N, N m], to be written. They stay until they are changed.
/// [return] forces[nv]
HEFT_API double* heft_world_joint_forces(HeftWorld* world);
/// Controls of the actuators, each in the unit that its gain expects, to be written. They stay
/// until they are changed. If one is not finite, the step is rolled back.
/// [return] controls[nactuator]
HEFT_API double* heft_world_controls(HeftWorld* world);
/// Force of an actuator along its transmission, mean over the last step [N, N m]; 0 before the
/// first.
HEFT_API double heft_world_actuator_force(const HeftWorld* world, int actuator);
/// Applies a force [N] at a point of the world frame and a torque [N m] to a body, during the next
/// step only.
HEFT_API void heft_world_apply_wrench(HeftWorld* world, int body, HeftVec3 point, HeftVec3 force,
                                      HeftVec3 torque);

// ---- moved bodies and conveyors
//
// The program prescribes the motion of moved bodies (HeftBodyDef::moved, <body mocap="true"> in
// MJCF): no force has an effect on them. Contacts and equalities feel their places and velocities:
// a body that rests on one is carried without creep, one that is pushed moves with the pusher.
// A free body whose contact with a turning platform holds arrives where the platform carries it.
// HeftState has their poses and velocities: heft_world_set_state() places them at once, which
// contacts do not feel as a motion. access.h has functions that move them by name.

/// Command of the program to a moved body, in the world.
typedef struct HeftMovedCommand {
  double velocity[6];  ///< from the next step on: angular, and linear of its origin [rad/s, m/s]
  double target[7];  ///< if arrives: pose at the end of the next step, position [m] and quaternion
  double arrives;    ///< 1: it moves to the target during the next step, by a constant velocity;
                     ///< then the command becomes zero, so that it rests. 0: velocity applies [1]
} HeftMovedCommand;

/// Motion that the program prescribes, to be written. It stays until it is changed and is part of
/// snapshots. If a number is not finite, the step is rolled back.
typedef struct HeftPrescribedMotion {
  HeftMovedCommand* body;  ///< moved bodies (nmoved); HeftModel::body_moved has their numbers
  double* conveyor;  ///< conveyors (nconveyor x 6): velocity of the surface in the frame of the
                     ///< shape, linear and angular about its origin [m/s, rad/s]. Contacts feel
                     ///< its part along the surface. HeftModel::shape_conveyor has their numbers
} HeftPrescribedMotion;

/// Where a program writes the motion that it prescribes. Arrays of the world, valid as long as it.
HEFT_API HeftPrescribedMotion heft_world_prescribed_motion(HeftWorld* world);

enum { HEFT_COUPLING_MAX = 16 };  ///< most couplings of a step

/// A damped spring between a frame of a body and a target frame in the world. It is integrated
/// implicitly, together with contact, so any stiffness is stable.
typedef struct HeftCoupling {
  int body;                     ///< body 0 and bodies welded to it: the force is computed, nothing
                                ///< moves
  HeftPose at;                  ///< the frame, in the body's frame
  HeftPose target;              ///< target of the frame at the end of the step, in the world
  HeftSpatial velocity;         ///< of the target: angular and linear [rad/s, m/s]
  double stiffness, damping;    ///< [N/m, N s/m], >= 0
  double rotational_stiffness;  ///< [N m/rad], >= 0; if rotational_damping is 0 too, the body turns
                                ///< freely
  double rotational_damping;    ///< [N m s/rad], >= 0
  double force_max, torque_max;  ///< limits of the springs [N, N m]; 0: none
} HeftCoupling;

/// The hand of a user, of a device or of the mouse, for controllers that react to users.
typedef struct HeftHand {
  HeftVec3 pos;      ///< position [m]
  int present;       ///< 0: there is no user
  int body;          ///< in contact or grasped, -1: none; -2 - k: point k of a tracked person
  HeftVec3 point;    ///< point of contact, in the world [m]
  HeftVec3 force;    ///< of the user on the body, in the last step [N]
  HeftVec3 torque;   ///< the same at point, from a grasp with a rotational stiffness [N m]
  unsigned buttons;  ///< bit per button of the device; the mouse holds with the first
} HeftHand;

/// Couples a body during the next step only. Returns the index of the coupling in that step.
/// Returns
/// -1 if there are HEFT_COUPLING_MAX already, the body does not exist, a number is not finite, or a
/// stiffness, damping or limit is negative.
HEFT_API int heft_world_add_coupling(HeftWorld* world, const HeftCoupling* coupling);
/// Torque and force of a coupling of the last step on its body, mean over the step, at its frame;
/// zero if there was no such coupling.
HEFT_API HeftSpatial heft_world_coupling_wrench(const HeftWorld* world, int coupling);

/// Makes room for at least so many contact points in a step, and for as many pairs of shapes as the
/// last step had. To be called between two steps, for example if one ends with
/// HEFT_STEP_CONTACTS_DROPPED: twice contact_count + contact_dropped of its report is a good
/// number. Allocates, so it does not belong into a control loop. State, controls and the impulses
/// that the next step starts from stay as they are: it has the bits of a world that was created
/// with this capacity. The contacts of the last step are forgotten. Never reduces room.
/// HEFT_ERR_MEMORY, HEFT_ERR_VALUE (too many): nothing changes. error may be NULL.
HEFT_API HeftStatus heft_world_reserve_contacts(HeftWorld* world, int contact_points,
                                                HeftError* error);

/// The contact model in use; never FROM_FILE.
HEFT_API HeftContactModel heft_world_contact_model(const HeftWorld* world);
HEFT_API HeftContactOptions heft_world_contact_options(const HeftWorld* world);
/// Sets contact model and options (options may be NULL: the present ones) from the next step on.
/// Allocates, so it does not belong into a control loop. On failure nothing changes. error may be
/// NULL.
/// [in] options
HEFT_API HeftStatus heft_world_set_contact_model(HeftWorld* world, HeftContactModel model,
                                                 const HeftContactOptions* options,
                                                 HeftError* error);

// ---- parameters of one world
//
// A model is const and shared. These functions change numbers of one world, not of the model or
// other worlds. Materials, pairs, bodies and actuators are indices of the model
// (heft_model_find()). The first change of a kind allocates from the def's allocator; later ones do
// not, but masses always do. On failure nothing is changed. error may be NULL. A snapshot can be
// restored only into a world with the same parameters (HEFT_ERR_VERSION otherwise).

/// Gravity [m/s²].
HEFT_API HeftStatus heft_world_set_gravity(HeftWorld* world, HeftVec3 gravity, HeftError* error);
HEFT_API HeftVec3 heft_world_gravity(const HeftWorld* world);

/// The laws of a contact material.
typedef struct HeftMaterial {
  double friction;     ///< static Coulomb coefficient, >= 0
  double kinetic;      ///< kinetic Coulomb coefficient, 0 to friction
  double torsion;      ///< torsional friction: coefficient times radius [m], >= 0
  double rolling;      ///< rolling friction: coefficient times radius [m], >= 0
  double restitution;  ///< share of the normal speed after an impact, 0 to 1
} HeftMaterial;

/// A material of the model, for all shapes and pairs that use it.
HEFT_API HeftStatus heft_world_set_material(HeftWorld* world, int material,
                                            const HeftMaterial* value, HeftError* error);
HEFT_API HeftMaterial heft_world_material(const HeftWorld* world, int material);
/// The material of only one contact pair of the model.
HEFT_API HeftStatus heft_world_set_pair_material(HeftWorld* world, int pair,
                                                 const HeftMaterial* value, HeftError* error);
HEFT_API HeftMaterial heft_world_pair_material(const HeftWorld* world, int pair);
/// The material of only one shape of the model. Later changes of the material that it had in the
/// model do not reach it.
HEFT_API HeftStatus heft_world_set_shape_material(HeftWorld* world, int shape,
                                                  const HeftMaterial* value, HeftError* error);
HEFT_API HeftMaterial heft_world_shape_material(const HeftWorld* world, int shape);

/// Multiplies mass and inertia of a body of the model by two factors above 0; 1 restores the
/// model's. The centre of mass of the body stays.
HEFT_API HeftStatus heft_world_set_mass_factors(HeftWorld* world, int body, double mass,
                                                double inertia, HeftError* error);
/// Mass of a body in this world [kg].
HEFT_API double heft_world_body_mass(const HeftWorld* world, int body);

/// Gains of an actuator: force = (gain + gain_rate · (length, velocity)) input + bias · (1, length,
/// velocity), as the arrays actuator_gain, actuator_gain_rate and actuator_bias of the model.
typedef struct HeftActuatorGains {
  double gain;          ///< of the input, in the unit of the actuator
  double gain_rate[2];  ///< of the input times length and velocity, in its unit
  double bias[3];       ///< constant, of length and of velocity, in its unit
} HeftActuatorGains;

/// Sets and gets the gains of an actuator in this world. HEFT_ERR_VALUE: a gain is not finite.
/// [in] gains
HEFT_API HeftStatus heft_world_set_actuator_gains(HeftWorld* world, int actuator,
                                                  const HeftActuatorGains* gains, HeftError* error);
HEFT_API HeftActuatorGains heft_world_actuator_gains(const HeftWorld* world, int actuator);

/// Seed of the noise of sensors, instead of the def's. A snapshot does not hold it.
HEFT_API void heft_world_set_seed(HeftWorld* world, uint64_t seed);

// ---- callbacks and data of the user

/// Called before each substep, from the thread that steps; substep counts from 0. It may write
/// controls and joint forces. Wrenches and couplings last for the whole step: apply them if substep
/// is 0. It must not step, reset or restore the world.
typedef void HeftControlCallback(void* user, HeftWorld* world, int substep);
/// callback NULL: none. user is handed to it and not owned.
HEFT_API void heft_world_set_control_callback(HeftWorld* world, HeftControlCallback* callback,
                                              void* user);
/// Leaves out the contact points for which the filter returns false, from the next step on. filter
/// NULL: none is left out. If the answers of a filter change, set it again: sleeping islands are
/// then solved anew.
HEFT_API void heft_world_set_contact_filter(HeftWorld* world, HeftContactFilter* filter,
                                            void* user);
/// Replaces the law of contact from the next step on. law may be NULL: none, the contact model of
/// the world computes the impulses. law and user stay the caller's and live as long as they are in
/// use. Allocates, so it does not belong into a control loop. A snapshot fits only worlds whose
/// law and detector have the same names. On failure nothing changes, but without memory for the
/// contact model a world without a law gets the exact one. error may be NULL.
/// [in] law
HEFT_API HeftStatus heft_world_set_contact_law(HeftWorld* world, const HeftContactLaw* law,
                                               const void* user, HeftError* error);
/// The law that replaces the contact model, or NULL.
HEFT_API const HeftContactLaw* heft_world_contact_law(const HeftWorld* world);
/// Replaces the detector of collisions as heft_world_set_contact_law() does; detector may be NULL.
/// If its answers change, set it again: sleeping islands are solved anew. error may be NULL.
/// [in] detector
HEFT_API HeftStatus heft_world_set_detector(HeftWorld* world, const HeftDetector* detector,
                                            const void* user, HeftError* error);
/// The detector that replaces Heft's, or NULL.
HEFT_API const HeftDetector* heft_world_detector(const HeftWorld* world);
/// A pointer of the user for each body and shape, NULL at first. The world stores it and does
/// nothing with it.
HEFT_API void heft_world_set_body_data(HeftWorld* world, int body, void* data);
HEFT_API void* heft_world_body_data(const HeftWorld* world, int body);
HEFT_API void heft_world_set_shape_data(HeftWorld* world, int shape, void* data);
HEFT_API void* heft_world_shape_data(const HeftWorld* world, int shape);

#ifdef __cplusplus
}
#endif
#endif
