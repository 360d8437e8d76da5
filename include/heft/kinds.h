// SPDX-License-Identifier: Apache-2.0
/// @file kinds.h
/// Kinds of joints, shapes, sensors, actuators and other objects of a model, with their names.
#ifndef HEFT_KINDS_H
#define HEFT_KINDS_H

#include <heft/base.h>
#include <heft/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Joint types: X(name, text, coordinates in q, degrees of freedom).
/// | type        | q                                   | v
/// | fixed       | -                                   | -
/// | hinge       | angle about axis                    | its rate
/// | slide       | shift along axis                    | its rate
/// | ball        | unit quaternion                     | angular velocity in the body's frame
/// | free        | position, unit quaternion in world  | velocity of the body's origin in world,
/// |             |                                     | then ω in the body's frame
/// | planar      | shifts along axis, axis2, angle     | their rates; the angle is about
/// |             |                                     | axis × axis2
/// | universal   | angle about axis, then about axis2  | their rates
/// | cylindrical | shift along axis, angle about axis  | their rates
#define HEFT_JOINT_LIST(X)                   \
  X(HEFT_JOINT_FIXED, "fixed", 0, 0)         \
  X(HEFT_JOINT_HINGE, "hinge", 1, 1)         \
  X(HEFT_JOINT_SLIDE, "slide", 1, 1)         \
  X(HEFT_JOINT_BALL, "ball", 4, 3)           \
  X(HEFT_JOINT_FREE, "free", 7, 6)           \
  X(HEFT_JOINT_PLANAR, "planar", 3, 3)       \
  X(HEFT_JOINT_UNIVERSAL, "universal", 2, 2) \
  X(HEFT_JOINT_CYLINDRICAL, "cylindrical", 2, 2)

/// Shapes, for contact and for drawing: X(name, text). Sizes: see shape_size.
#define HEFT_SHAPE_LIST(X)             \
  X(HEFT_SHAPE_PLANE, "plane")         \
  X(HEFT_SHAPE_SPHERE, "sphere")       \
  X(HEFT_SHAPE_CAPSULE, "capsule")     \
  X(HEFT_SHAPE_CYLINDER, "cylinder")   \
  X(HEFT_SHAPE_ELLIPSOID, "ellipsoid") \
  X(HEFT_SHAPE_BOX, "box")             \
  X(HEFT_SHAPE_MESH, "mesh")           \
  X(HEFT_SHAPE_HEIGHT_FIELD, "heightfield")

/// Distance shapes: surfaces that a signed distance describes instead of triangles: X(name, text).
/// Lengths in [m], angles in [rad]; the numbers are in HeftField.size in this order.
/// | torus | radius of the ring, radius of the tube; about the z axis
/// | cup   | outer radius, height, wall; stands on z = 0
/// | hook  | radius of the bow, radius of the tube, length of the shank; the bow is the lower half
/// |       | of a circle in the plane y = 0, the shank goes up from its end at x = radius
/// | gear  | module, teeth, width, pressure angle, radius of the bore or 0, backlash at the pitch
/// |       | circle; an involute gear about the z axis, with a tooth at the x axis
/// | bolt  | radius, pitch, length, depth of the thread, inner radius and height of the hexagonal
/// |       | head or 0; a right-handed thread up from its tip at z = 0
/// | nut   | radius, pitch, height, depth of the thread of its bolt, inner radius of the hexagon,
/// |       | clearance between the threads; the middle is at z = 0
/// | grid  | first corner (3), steps (3): samples on a grid, linear between them
#define HEFT_FIELD_LIST(X)     \
  X(HEFT_FIELD_NONE, "none")   \
  X(HEFT_FIELD_TORUS, "torus") \
  X(HEFT_FIELD_CUP, "cup")     \
  X(HEFT_FIELD_HOOK, "hook")   \
  X(HEFT_FIELD_GEAR, "gear")   \
  X(HEFT_FIELD_BOLT, "bolt")   \
  X(HEFT_FIELD_NUT, "nut")     \
  X(HEFT_FIELD_GRID, "grid")

/// Transmissions: the kind of object on which an actuator acts. X(name, text).
#define HEFT_TRANSMISSION_LIST(X)                       \
  X(HEFT_TRANSMISSION_JOINT, "joint")                   \
  X(HEFT_TRANSMISSION_TENDON, "tendon")                 \
  X(HEFT_TRANSMISSION_SITE, "site")                     \
  X(HEFT_TRANSMISSION_JOINT_IN_PARENT, "jointinparent") \
  X(HEFT_TRANSMISSION_SLIDER_CRANK, "slidercrank")

/// How an actuator's activation follows its control: X(name, text).
#define HEFT_ACTIVATION_LIST(X)               \
  X(HEFT_ACTIVATION_NONE, "none")             \
  X(HEFT_ACTIVATION_INTEGRATOR, "integrator") \
  X(HEFT_ACTIVATION_FILTER, "filter")         \
  X(HEFT_ACTIVATION_FILTER_EXACT, "filterexact")

/// Kinds of objects that a sensor measures.
typedef enum HeftSensorObject {
  HEFT_SENSOR_OF_NOTHING,   ///< the world itself, as a clock
  HEFT_SENSOR_OF_JOINT,     ///< a joint
  HEFT_SENSOR_OF_ACTUATOR,  ///< an actuator
  HEFT_SENSOR_OF_TENDON,    ///< a tendon
  HEFT_SENSOR_OF_SITE,      ///< a site
  HEFT_SENSOR_OF_BODY,      ///< a body
  HEFT_SENSOR_OF_FRAME      ///< any frame: see HEFT_FRAME_LIST
} HeftSensorObject;

/// Quantities that sensors measure: X(name, text, number of values, kind of object).
#define HEFT_SENSOR_LIST(X)                                          \
  X(HEFT_SENSOR_JOINT_POSITION, "jointpos", 1, JOINT)                \
  X(HEFT_SENSOR_JOINT_VELOCITY, "jointvel", 1, JOINT)                \
  X(HEFT_SENSOR_ACTUATOR_FORCE, "actuatorfrc", 1, ACTUATOR)          \
  X(HEFT_SENSOR_FORCE, "force", 3, SITE)                             \
  X(HEFT_SENSOR_TORQUE, "torque", 3, SITE)                           \
  X(HEFT_SENSOR_TOUCH, "touch", 1, SITE)                             \
  X(HEFT_SENSOR_ACCELEROMETER, "accelerometer", 3, SITE)             \
  X(HEFT_SENSOR_GYRO, "gyro", 3, SITE)                               \
  X(HEFT_SENSOR_VELOCIMETER, "velocimeter", 3, SITE)                 \
  X(HEFT_SENSOR_FRAME_POSITION, "framepos", 3, FRAME)                \
  X(HEFT_SENSOR_FRAME_QUATERNION, "framequat", 4, FRAME)             \
  X(HEFT_SENSOR_FRAME_VELOCITY, "framelinvel", 3, FRAME)             \
  X(HEFT_SENSOR_FRAME_ANGULAR_VELOCITY, "frameangvel", 3, FRAME)     \
  X(HEFT_SENSOR_FRAME_X_AXIS, "framexaxis", 3, FRAME)                \
  X(HEFT_SENSOR_FRAME_Y_AXIS, "frameyaxis", 3, FRAME)                \
  X(HEFT_SENSOR_FRAME_Z_AXIS, "framezaxis", 3, FRAME)                \
  X(HEFT_SENSOR_FRAME_ACCELERATION, "framelinacc", 3, FRAME)         \
  X(HEFT_SENSOR_FRAME_ANGULAR_ACCELERATION, "frameangacc", 3, FRAME) \
  X(HEFT_SENSOR_MAGNETOMETER, "magnetometer", 3, SITE)               \
  X(HEFT_SENSOR_RANGE_FINDER, "rangefinder", 1, SITE)                \
  X(HEFT_SENSOR_TENDON_POSITION, "tendonpos", 1, TENDON)             \
  X(HEFT_SENSOR_TENDON_VELOCITY, "tendonvel", 1, TENDON)             \
  X(HEFT_SENSOR_ACTUATOR_POSITION, "actuatorpos", 1, ACTUATOR)       \
  X(HEFT_SENSOR_ACTUATOR_VELOCITY, "actuatorvel", 1, ACTUATOR)       \
  X(HEFT_SENSOR_JOINT_ACTUATOR_FORCE, "jointactuatorfrc", 1, JOINT)  \
  X(HEFT_SENSOR_BALL_QUATERNION, "ballquat", 4, JOINT)               \
  X(HEFT_SENSOR_BALL_ANGULAR_VELOCITY, "ballangvel", 3, JOINT)       \
  X(HEFT_SENSOR_SUBTREE_COM, "subtreecom", 3, BODY)                  \
  X(HEFT_SENSOR_SUBTREE_VELOCITY, "subtreelinvel", 3, BODY)          \
  X(HEFT_SENSOR_SUBTREE_ANGULAR_MOMENTUM, "subtreeangmom", 3, BODY)  \
  X(HEFT_SENSOR_CLOCK, "clock", 1, NOTHING)

/// Kinds of frames that a sensor measures, or in which it measures: X(name, text).
#define HEFT_FRAME_LIST(X)       \
  X(HEFT_FRAME_SITE, "site")     \
  X(HEFT_FRAME_BODY, "xbody")    \
  X(HEFT_FRAME_INERTIAL, "body") \
  X(HEFT_FRAME_SHAPE, "geom")    \
  X(HEFT_FRAME_CAMERA, "camera")

/// Equality constraints: X(name, text).
/// | connect | a point of body 1 stays at a point of body 2 (equality_anchor)
/// | weld    | body 2 keeps its pose in body 1 (equality_anchor, equality_quat)
/// | joint   | q1 - q1_0 is a polynomial of q2 - q2_0, both counted from q_default;
/// |         | without joint 2 a constant
/// | tendon  | the same for lengths of tendons, counted from those at q_default
#define HEFT_EQUALITY_LIST(X)         \
  X(HEFT_EQUALITY_CONNECT, "connect") \
  X(HEFT_EQUALITY_WELD, "weld")       \
  X(HEFT_EQUALITY_JOINT, "joint")     \
  X(HEFT_EQUALITY_TENDON, "tendon")

/// Elements of the path of a tendon, from its beginning to its end: X(name, text). A tendon is
/// either a sum of joints or a path along sites, pulleys and shapes; a shape is between two sites.
#define HEFT_WRAP_LIST(X)       \
  X(HEFT_WRAP_JOINT, "joint")   \
  X(HEFT_WRAP_SITE, "site")     \
  X(HEFT_WRAP_PULLEY, "pulley") \
  X(HEFT_WRAP_SHAPE, "geom")

/// How a camera or a light follows the bodies: X(name, text).
#define HEFT_FOLLOW_LIST(X)                \
  X(HEFT_FOLLOW_FIXED, "fixed")            \
  X(HEFT_FOLLOW_TRACK, "track")            \
  X(HEFT_FOLLOW_TRACK_COM, "trackcom")     \
  X(HEFT_FOLLOW_TARGET_BODY, "targetbody") \
  X(HEFT_FOLLOW_TARGET_BODY_COM, "targetbodycom")

/// Textures: type, source and mark. X(name, text).
#define HEFT_TEXTURE_LIST(X)   \
  X(HEFT_TEXTURE_2D, "2d")     \
  X(HEFT_TEXTURE_CUBE, "cube") \
  X(HEFT_TEXTURE_SKYBOX, "skybox")
#define HEFT_TEXTURE_SOURCE_LIST(X)    \
  X(HEFT_TEXTURE_FROM_FILE, "none")    \
  X(HEFT_TEXTURE_GRADIENT, "gradient") \
  X(HEFT_TEXTURE_CHECKER, "checker")   \
  X(HEFT_TEXTURE_FLAT, "flat")
#define HEFT_TEXTURE_MARK_LIST(X)     \
  X(HEFT_TEXTURE_MARK_NONE, "none")   \
  X(HEFT_TEXTURE_MARK_EDGE, "edge")   \
  X(HEFT_TEXTURE_MARK_CROSS, "cross") \
  X(HEFT_TEXTURE_MARK_RANDOM, "random")

#define HEFT_ENUM_ENTRY(name, ...) name,
typedef enum HeftJointType { HEFT_JOINT_LIST(HEFT_ENUM_ENTRY) HEFT_JOINT_TYPE_COUNT } HeftJointType;
typedef enum HeftShapeType { HEFT_SHAPE_LIST(HEFT_ENUM_ENTRY) HEFT_SHAPE_TYPE_COUNT } HeftShapeType;
typedef enum HeftFieldType { HEFT_FIELD_LIST(HEFT_ENUM_ENTRY) HEFT_FIELD_TYPE_COUNT } HeftFieldType;
typedef enum HeftTransmission {
  HEFT_TRANSMISSION_LIST(HEFT_ENUM_ENTRY) HEFT_TRANSMISSION_COUNT
} HeftTransmission;
typedef enum HeftActivation {
  HEFT_ACTIVATION_LIST(HEFT_ENUM_ENTRY) HEFT_ACTIVATION_COUNT
} HeftActivation;
typedef enum HeftSensorType {
  HEFT_SENSOR_LIST(HEFT_ENUM_ENTRY) HEFT_SENSOR_TYPE_COUNT
} HeftSensorType;

typedef enum HeftFrame { HEFT_FRAME_LIST(HEFT_ENUM_ENTRY) HEFT_FRAME_COUNT } HeftFrame;
typedef enum HeftEqualityType {
  HEFT_EQUALITY_LIST(HEFT_ENUM_ENTRY) HEFT_EQUALITY_TYPE_COUNT
} HeftEqualityType;
typedef enum HeftWrapType { HEFT_WRAP_LIST(HEFT_ENUM_ENTRY) HEFT_WRAP_TYPE_COUNT } HeftWrapType;
typedef enum HeftFollow { HEFT_FOLLOW_LIST(HEFT_ENUM_ENTRY) HEFT_FOLLOW_COUNT } HeftFollow;
typedef enum HeftTextureType {
  HEFT_TEXTURE_LIST(HEFT_ENUM_ENTRY) HEFT_TEXTURE_TYPE_COUNT
} HeftTextureType;
/// Where the colours of a texture come from: an image or a pattern.
typedef enum HeftTextureSource {
  HEFT_TEXTURE_SOURCE_LIST(HEFT_ENUM_ENTRY) HEFT_TEXTURE_SOURCE_COUNT
} HeftTextureSource;
/// Marks on the pattern of a texture.
typedef enum HeftTextureMark {
  HEFT_TEXTURE_MARK_LIST(HEFT_ENUM_ENTRY) HEFT_TEXTURE_MARK_COUNT
} HeftTextureMark;

/// Name of a type of joint, the number of its coordinates in q, and the number of its degrees of
/// freedom.
HEFT_API const char* heft_joint_type_name(HeftJointType type);
HEFT_API int heft_joint_type_q_count(HeftJointType type);
HEFT_API int heft_joint_type_dof_count(HeftJointType type);
/// Name of a type of shape. Static string, never NULL.
HEFT_API const char* heft_shape_type_name(HeftShapeType type);
/// Name of a type of sensor, the number of its values, and the kind of object that it measures.
HEFT_API const char* heft_sensor_type_name(HeftSensorType type);
HEFT_API int heft_sensor_type_value_count(HeftSensorType type);
HEFT_API HeftSensorObject heft_sensor_type_object(HeftSensorType type);

#ifdef __cplusplus
}
#endif
#endif
