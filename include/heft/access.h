// SPDX-License-Identifier: Apache-2.0
/// @file access.h
/// Access to a world by the names of its model.
///
/// - Each function finds its object by name at every call. A loop that runs a million times looks
///   the index up once (heft_model_lookup()) and uses the arrays of world.h.
/// - HEFT_ERR_NAME: the model has no object of that name; the message names the nearest one.
///   HEFT_ERR_ARGUMENT: a count does not fit the joint or sensor. On failure nothing is changed or
///   written. error may be NULL.
/// - Nothing but changes allocates. A world is used by one thread at a time.
#ifndef HEFT_ACCESS_H
#define HEFT_ACCESS_H

#include <heft/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Resets a world to a keyframe: heft_world_set_key() by name.
HEFT_API HeftStatus heft_world_reset_to_key(HeftWorld* world, const char* key, HeftError* error);

/// Coordinates of a joint: 1 for a hinge [rad] or slide [m], 4 for a ball, 7 for a free joint.
/// [in] q[count]
HEFT_API HeftStatus heft_world_set_joint_position(HeftWorld* world, const char* joint,
                                                  const double* q, int count, HeftError* error);
/// [out] q[count]
HEFT_API HeftStatus heft_world_joint_position(const HeftWorld* world, const char* joint, double* q,
                                              int count, HeftError* error);
/// Velocities of a joint: 1 for a hinge [rad/s] or slide [m/s], 3 for a ball, 6 for a free joint.
/// [in] v[count]
HEFT_API HeftStatus heft_world_set_joint_velocity(HeftWorld* world, const char* joint,
                                                  const double* v, int count, HeftError* error);
/// [out] v[count]
HEFT_API HeftStatus heft_world_joint_velocity(const HeftWorld* world, const char* joint, double* v,
                                              int count, HeftError* error);

/// The control of an actuator, in the unit that its gain expects.
HEFT_API HeftStatus heft_world_set_control(HeftWorld* world, const char* actuator, double value,
                                           HeftError* error);
/// [out] value
HEFT_API HeftStatus heft_world_control(const HeftWorld* world, const char* actuator, double* value,
                                       HeftError* error);

/// Pose of a body or site in the world frame.
/// [out] pose
HEFT_API HeftStatus heft_world_body_pose(const HeftWorld* world, const char* body, HeftPose* pose,
                                         HeftError* error);
/// [out] pose
HEFT_API HeftStatus heft_world_site_pose(const HeftWorld* world, const char* site, HeftPose* pose,
                                         HeftError* error);
/// Velocity of a body at its origin, in world axes: angular [rad/s] and linear [m/s].
/// [out] velocity
HEFT_API HeftStatus heft_world_body_velocity(const HeftWorld* world, const char* body,
                                             HeftSpatial* velocity, HeftError* error);

/// Moves a moved body during the next step to a pose; then it rests, unless it is moved again.
/// HEFT_ERR_ARGUMENT: the body is not a moved one. HEFT_ERR_VALUE: a number is not finite.
HEFT_API HeftStatus heft_world_move_body(HeftWorld* world, const char* body, HeftPose target,
                                         HeftError* error);
/// Sets the velocity of a moved body from the next step on, until it is changed: angular, and
/// linear of its origin, in world axes [rad/s, m/s]. Errors as above.
HEFT_API HeftStatus heft_world_set_body_velocity(HeftWorld* world, const char* body,
                                                 HeftSpatial velocity, HeftError* error);
/// Sets the velocity of the surface of a conveyor from the next step on, until it is changed:
/// linear, and angular about the origin of the shape, in its frame [m/s, rad/s].
/// HEFT_ERR_ARGUMENT: the shape is not a conveyor. HEFT_ERR_VALUE: a number is not finite.
HEFT_API HeftStatus heft_world_set_conveyor(HeftWorld* world, const char* shape, HeftVec3 linear,
                                            HeftVec3 angular, HeftError* error);

/// Values of a sensor; count: heft_sensor_type_value_count() of its type.
/// [out] values[count]
HEFT_API HeftStatus heft_world_sensor(HeftWorld* world, const char* sensor, double* values,
                                      int count, HeftError* error);

/// Applies a force at the centre of mass of a body during the next step [N].
HEFT_API HeftStatus heft_world_apply_force(HeftWorld* world, const char* body, HeftVec3 force,
                                           HeftError* error);
/// Sum of the contact forces on a body in the last step [N].
/// [out] force
HEFT_API HeftStatus heft_world_body_contact_force(const HeftWorld* world, const char* body,
                                                  HeftVec3* force, HeftError* error);

// ---- changes as data

/// Kinds of changes: X(kind, text, meaning of index). Parameters first, then objects. The value of
/// a parameter is a coefficient, or a factor of the number in the model.
#define HEFT_CHANGE_LIST(X)                                       \
  X(HEFT_CHANGE_GRAVITY, "gravity", "none; factor")               \
  X(HEFT_CHANGE_FRICTION, "friction", "material")                 \
  X(HEFT_CHANGE_RESTITUTION, "restitution", "material")           \
  X(HEFT_CHANGE_PAIR_FRICTION, "pair friction", "pair")           \
  X(HEFT_CHANGE_PAIR_RESTITUTION, "pair restitution", "pair")     \
  X(HEFT_CHANGE_MASS, "mass", "body; factor of mass and inertia") \
  X(HEFT_CHANGE_GAIN, "gain", "actuator; factor")                 \
  X(HEFT_CHANGE_BOX, "box", "none")                               \
  X(HEFT_CHANGE_BALL, "ball", "none")                             \
  X(HEFT_CHANGE_FILE, "file", "none")                             \
  X(HEFT_CHANGE_REMOVE, "remove", "body, with all that hangs on it")
typedef enum HeftChangeKind { HEFT_CHANGE_LIST(HEFT_ENUM_ENTRY) HEFT_CHANGE_COUNT } HeftChangeKind;
/// Name of a kind of change. Static string, never NULL.
HEFT_API const char* heft_change_name(HeftChangeKind kind);
/// True if the kind makes another model: heft_model_apply_change().
HEFT_API bool heft_change_is_object(HeftChangeKind kind);

/// A change of a running world, as plain data that can be recorded and repeated.
typedef struct HeftChange {
  HeftChangeKind kind;
  int index;       ///< what is changed or removed; see HEFT_CHANGE_LIST
  double value;    ///< of a parameter; box: half of its edge, ball: radius [m]
  HeftVec3 pos;    ///< of a new object [m]
  char name[64];   ///< of a new object; file: in front of the names of its parts, with a '/'
  char file[512];  ///< file: where it is, for programs that load it again
} HeftChange;

/// Changes a parameter of a world. HEFT_ERR_VALUE: there is no such parameter, or its value is out
/// of range.
HEFT_API HeftStatus heft_world_apply_change(HeftWorld* world, const HeftChange* change,
                                            HeftError* error);
/// Makes a model with another object, or without one; a world of it goes on by
/// heft_world_transfer(). part: the model of a file; part may be NULL for other changes. *out is
/// NULL on failure.
HEFT_API HeftStatus heft_model_apply_change(HeftModel** out, const HeftModel* model,
                                            const HeftChange* change, const HeftModel* part,
                                            HeftError* error);

/// Makes a model of the present of a world: one more keyframe with time, q, v, activations,
/// controls and moved bodies, and the changed parameters of the world as numbers of the model; the
/// inertia of a body changes with its mass. So heft_model_write_file() saves a moment.
/// HEFT_ERR_VALUE: a keyframe has this name already, or the material of only one shape or contact
/// pair was changed and is shared with others. *out is NULL on failure, and has to be destroyed by
/// heft_model_destroy() otherwise.
HEFT_API HeftStatus heft_world_key_model(HeftModel** out, HeftWorld* world, const char* key,
                                         HeftError* error);

#ifdef __cplusplus
}
#endif
#endif
