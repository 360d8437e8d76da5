// SPDX-License-Identifier: Apache-2.0
/// @file model.h
/// The model: the constant description of robots and their environment.
///
/// - A HeftModel is plain, constant data: sizes, and one array per property, each documented in the
///   lists below. It is made by a HeftBuilder (or by a reader, which uses one), or loaded from its
///   compiled form. It may be shared by any number of worlds and threads.
/// - Objects of a model are identified by `int` indices, in the order in which they were added.
///   Body 0 is the world.
/// - The joints of a body connect it with its parent, in order. A body without joints is welded to
///   its parent. Bodies come after their parents.
/// - Frames: body_pos and body_quat place a body in its parent when all its joints are at their
///   q_default. Joint anchors and axes, shapes, sites and centres of mass are given in the body's
///   own frame.
/// - A HeftState is q, v, activations and time in one block of memory: copying it is a snapshot.
#ifndef HEFT_MODEL_H
#define HEFT_MODEL_H

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

/// Numbers of a distance shape.
enum { HEFT_FIELD_SIZES = 6 };
/// Most samples of a distance shape.
enum { HEFT_FIELD_SAMPLES_MAX = 16777216 };

/// A distance shape. samples: for HEFT_FIELD_GRID; the caller owns them.
typedef struct HeftField {
  HeftFieldType type;
  double size[HEFT_FIELD_SIZES];  ///< [m, 1]: by its kind
  int grid[3];                    ///< samples along x, y and z, at least 2 each
  const double* samples;          ///< x runs fastest, then y, then z [m]
} HeftField;

/// Returns the distance of a point from a surface, negative inside [m], or a function with the
/// same sign and the same surface whose slope is bounded. It must depend only on p and on data of
/// the user.
typedef double HeftDistanceFunction(void* user, HeftVec3 p);

/// "" if there is no such type.
HEFT_API const char* heft_field_type_name(HeftFieldType type);
/// Name of number i of a distance shape, as in model files; "" if it has fewer.
HEFT_API const char* heft_field_parameter(HeftFieldType type, int i);
/// HEFT_OK if the numbers describe a shape. error may be NULL.
HEFT_API HeftStatus heft_field_check(const HeftField* field, HeftError* error);
/// The distance of a point from the surface, negative inside, where the gradient has the length 1;
/// elsewhere, the value over the length of the gradient is its first approximation [m].
/// [out] gradient
HEFT_API double heft_field_distance(const HeftField* field, HeftVec3 p, HeftVec3* gradient);
/// A box that holds the solid.
/// [out] low, high
HEFT_API void heft_field_bounds(const HeftField* field, HeftVec3* low, HeftVec3* high);
/// Fills the samples of a grid, whose type, size and grid are set, from any function: the way to
/// use a surface of one's own. lipschitz: the function changes by at most so much per metre, > 0.
/// samples has room for all of them, x runs fastest.
/// [out] samples[points of the grid]
HEFT_API HeftStatus heft_field_sample(HeftDistanceFunction* distance, void* user, double lipschitz,
                                      const HeftField* grid, double* samples);

/// Triangles of a distance shape. Release them with heft_field_triangles_release().
typedef struct HeftFieldTriangles {
  int vertex_count, face_count;
  double* vertices;  ///< vertex_count x 3, on the surface [m]
  int* faces;        ///< face_count x 3, counter-clockwise seen from outside
} HeftFieldTriangles;

/// Approximates the surface by triangles with vertices about `spacing` apart [m]; 0: a share of its
/// size. allocator may be NULL (the default one), error may be NULL. HEFT_ERR_LIMIT: the spacing is
/// too small for the size of the shape.
/// [out] out
HEFT_API HeftStatus heft_field_triangles(const HeftField* field, double spacing,
                                         const HeftAllocator* allocator, HeftFieldTriangles* out,
                                         HeftError* error);
/// Releases the arrays. allocator, which may be NULL: as for heft_field_triangles(). All members
/// become zero.
HEFT_API void heft_field_triangles_release(HeftFieldTriangles* triangles,
                                           const HeftAllocator* allocator);
/// Cells that heft_field_triangles() looks at: its effort, for a limit of one's own.
HEFT_API double heft_field_triangles_effort(const HeftField* field, double spacing);

/// Sizes of a model: X(name, meaning).
#define HEFT_MODEL_SIZE_LIST(X)                                            \
  X(nbody, "bodies, including the world")                                  \
  X(njoint, "joints")                                                      \
  X(nq, "position coordinates; length of q")                               \
  X(nv, "degrees of freedom; length of v")                                 \
  X(nsite, "sites: named frames on bodies")                                \
  X(nmaterial, "contact materials")                                        \
  X(nshape, "shapes")                                                      \
  X(nmesh, "meshes")                                                       \
  X(nvertex, "vertices of all meshes")                                     \
  X(nface, "triangles of all meshes")                                      \
  X(nhull, "triangles of the convex hulls of all meshes")                  \
  X(ncorner, "texture corners of triangles")                               \
  X(nsample, "samples of all distance shapes")                             \
  X(nheight_field, "height fields")                                        \
  X(nheight, "heights of all height fields")                               \
  X(ntexture, "textures")                                                  \
  X(nappearance, "appearances of surfaces")                                \
  X(ncamera, "cameras")                                                    \
  X(nlight, "lights")                                                      \
  X(npair, "contact pairs: shapes that collide whatever their categories") \
  X(nexclude, "pairs of bodies that do not collide")                       \
  X(nequality, "equality constraints")                                     \
  X(ntendon, "tendons")                                                    \
  X(nwrap, "path elements of all tendons")                                 \
  X(nactuator, "actuators; length of the control vector")                  \
  X(nact, "activations: states of actuators")                              \
  X(nsensor, "sensors")                                                    \
  X(nsensordata, "values of all sensors")                                  \
  X(nkey, "keyframes")                                                     \
  X(nmoved, "moved bodies: bodies whose motion the program prescribes")    \
  X(nconveyor, "conveyors: shapes whose surface moves")                    \
  X(ndeformable, "deformable bodies")                                      \
  X(nnode, "nodes: vertices of all deformable bodies")                     \
  X(ntetrahedron, "tetrahedra of all deformable bodies")                   \
  X(nskin, "surface triangles of all deformable bodies")                   \
  X(nname, "bytes of the name pool")

/// Every array of a model: X(type, name, count, width, unit, meaning). The array holds count x
/// width numbers. `m` is the model. Memory, compiled form, hash and heft_model_array()
/// follow only from this list.
#define HEFT_MODEL_ARRAY_LIST(X)                                                                   \
  X(int, body_parent, m->nbody, 1, "",                                                             \
    "parent body, smaller than the own index; -1 for the world")                                   \
  X(double, body_pos, m->nbody, 3, "m",                                                            \
    "origin in the parent's frame, with all joints at q_default")                                  \
  X(double, body_quat, m->nbody, 4, "",                                                            \
    "orientation in the parent's frame, with all joints at q_default")                             \
  X(double, body_mass, m->nbody, 1, "kg", "mass")                                                  \
  X(double, body_com, m->nbody, 3, "m", "centre of mass in the body's frame")                      \
  X(double, body_inertia, m->nbody, 6, "kg m²",                                                    \
    "xx yy zz xy xz yz about the centre of mass, along the body's axes")                           \
  X(double, body_gravity, m->nbody, 1, "",                                                         \
    "fraction of gravity that acts on the body, at most 1; 0: none; negative: upwards")            \
  X(int, body_joint, m->nbody, 1, "", "first joint of the body")                                   \
  X(int, body_joint_count, m->nbody, 1, "", "number of joints between the body and its parent")    \
  X(int, body_name, m->nbody, 1, "", "offset in names")                                            \
  X(int, body_moved, m->nbody, 1, "",                                                              \
    "number among the moved bodies, or -1; see prescribed motions of a world")                     \
  X(HeftJointType, joint_type, m->njoint, 1, "", "HeftJointType")                                  \
  X(int, joint_body, m->njoint, 1, "", "body that the joint moves")                                \
  X(int, joint_q, m->njoint, 1, "", "first coordinate of the joint in q")                          \
  X(int, joint_dof, m->njoint, 1, "", "first degree of freedom of the joint in v")                 \
  X(double, joint_pos, m->njoint, 3, "m", "anchor in the body's frame")                            \
  X(double, joint_axis, m->njoint, 3, "", "unit axis in the body's frame")                         \
  X(double, joint_axis2, m->njoint, 3, "",                                                         \
    "second unit axis (planar, universal), perpendicular to the first")                            \
  X(int, joint_force_limited, m->njoint, 1, "", "1 if joint_force_range applies")                  \
  X(double, joint_force_range, m->njoint, 2, "N, N m",                                             \
    "min and max of the sum of all actuator forces on the joint")                                  \
  X(int, joint_name, m->njoint, 1, "", "offset in names")                                          \
  X(double, q_default, m->nq, 1, "m, rad",                                                         \
    "coordinates of the pose in which the model is described")                                     \
  X(double, q_spring, m->nq, 1, "m, rad", "coordinates at which the joint springs exert no force") \
  X(int, dof_joint, m->nv, 1, "", "joint of the degree of freedom")                                \
  X(double, dof_damping, m->nv, 1, "N s/m, N m s/rad", "viscous damping")                          \
  X(double, dof_stiffness, m->nv, 1, "N/m, N m/rad", "stiffness of the spring towards q_spring")   \
  X(double, dof_friction, m->nv, 1, "N, N m", "dry friction")                                      \
  X(double, dof_armature, m->nv, 1, "kg, kg m²",                                                   \
    "inertia of rotor and gears, reduced to the joint")                                            \
  X(int, dof_limited, m->nv, 1, "", "1 if dof_range applies")                                      \
  X(double, dof_range, m->nv, 2, "m, rad",                                                         \
    "min and max of the coordinate; ball joint: 0 and the max angle")                              \
  X(int, site_body, m->nsite, 1, "", "body that carries the site")                                 \
  X(double, site_pos, m->nsite, 3, "m", "origin in the body's frame")                              \
  X(double, site_quat, m->nsite, 4, "", "orientation in the body's frame")                         \
  X(HeftShapeType, site_type, m->nsite, 1, "",                                                     \
    "HeftShapeType of the zone of the site, for contact sensors and drawing")                      \
  X(double, site_size, m->nsite, 3, "m", "size of the zone, as shape_size")                        \
  X(int, site_group, m->nsite, 1, "", "group for the viewer, 0 to 5")                              \
  X(double, site_color, m->nsite, 4, "", "red, green, blue, opacity, 0 to 1")                      \
  X(int, site_name, m->nsite, 1, "", "offset in names")                                            \
  X(double, material_friction, m->nmaterial, 1, "", "static Coulomb coefficient")                  \
  X(double, material_kinetic, m->nmaterial, 1, "",                                                 \
    "kinetic Coulomb coefficient, at most the static one")                                         \
  X(double, material_torsion, m->nmaterial, 1, "m",                                                \
    "torsional friction, coefficient times radius")                                                \
  X(double, material_rolling, m->nmaterial, 1, "m", "rolling friction, coefficient times radius")  \
  X(double, material_restitution, m->nmaterial, 1, "", "coefficient of restitution, 0 to 1")       \
  X(double, material_layer, m->nmaterial, 3, "N/m, N s/m, m",                                      \
    "elastic layer for the contact model micro_macro: stiffness and damping of a contact point, "  \
    "thickness; stiffness 0: the options of the contact model apply")                              \
  X(double, material_slip, m->nmaterial, 2, "m/s, s/m",                                            \
    "friction against slip speed v: Stribeck speed s (0: none) and viscous term c; coefficient "   \
    "kinetic + (static - kinetic) exp(-(v/s)^2) + c v")                                            \
  X(double, material_soft, m->nmaterial, 2, "N/m, N s/m",                                          \
    "soft contact points: stiffness and damping of a contact point; stiffness 0: rigid")           \
  X(double, material_area, m->nmaterial, 4, "Pa, m, s/m, 1",                                       \
    "area contact: modulus E (0: none), thickness H, dissipation d, exponent n (1 or 0.5); "       \
    "pressure E (depth/H)^n (1 + d v) at the approach speed v")                                    \
  X(int, material_name, m->nmaterial, 1, "", "offset in names")                                    \
  X(HeftShapeType, shape_type, m->nshape, 1, "", "HeftShapeType")                                  \
  X(int, shape_body, m->nshape, 1, "", "body that carries the shape")                              \
  X(double, shape_pos, m->nshape, 3, "m", "origin in the body's frame")                            \
  X(double, shape_quat, m->nshape, 4, "", "orientation in the body's frame")                       \
  X(double, shape_size, m->nshape, 3, "m",                                                         \
    "sphere: radius; capsule, cylinder: radius, half length along z; box, ellipsoid: half sizes; " \
    "plane: half sizes for drawing, 0: infinite")                                                  \
  X(int, shape_mesh, m->nshape, 1, "", "mesh, or -1")                                              \
  X(int, shape_height_field, m->nshape, 1, "", "height field, or -1")                              \
  X(int, shape_material, m->nshape, 1, "", "contact material")                                     \
  X(int, shape_category, m->nshape, 1, "", "bits: the categories of the shape")                    \
  X(int, shape_collides, m->nshape, 1, "",                                                         \
    "bits: the categories that the shape collides with; 0 with category 0: drawn only")            \
  X(int, shape_contact_dim, m->nshape, 1, "",                                                      \
    "1 frictionless, 3 sliding friction, 4 torsional too, 6 rolling too")                          \
  X(int, shape_priority, m->nshape, 1, "",                                                         \
    "in a pair, the material of the shape with the higher priority applies")                       \
  X(double, shape_margin, m->nshape, 1, "m", "distance below which contact points are created")    \
  X(double, shape_gap, m->nshape, 1, "m",                                                          \
    "contact points farther apart than margin - gap carry no force")                               \
  X(int, shape_appearance, m->nshape, 1, "", "appearance; -1: shape_color alone")                  \
  X(int, shape_group, m->nshape, 1, "", "group for the viewer, 0 to 5")                            \
  X(double, shape_color, m->nshape, 4, "", "red, green, blue, opacity, 0 to 1")                    \
  X(int, shape_name, m->nshape, 1, "", "offset in names")                                          \
  X(int, shape_conveyor, m->nshape, 1, "", "number among the conveyors, or -1")                    \
  X(int, mesh_vertex, m->nmesh, 1, "", "first vertex")                                             \
  X(int, mesh_vertex_count, m->nmesh, 1, "", "number of vertices")                                 \
  X(int, mesh_face, m->nmesh, 1, "", "first triangle")                                             \
  X(int, mesh_face_count, m->nmesh, 1, "", "number of triangles")                                  \
  X(int, mesh_hull, m->nmesh, 1, "", "first triangle of the convex hull")                          \
  X(int, mesh_hull_count, m->nmesh, 1, "",                                                         \
    "number of triangles of the convex hull; 0: the mesh has no hull")                             \
  X(int, mesh_corner, m->nmesh, 1, "", "first texture corner, three for each triangle; -1: none")  \
  X(HeftFieldType, mesh_field, m->nmesh, 1, "",                                                    \
    "HeftFieldType: the distance shape that its triangles approximate, or none")                   \
  X(double, mesh_field_size, m->nmesh, HEFT_FIELD_SIZES, "m, rad",                                 \
    "numbers of the distance shape, by its kind")                                                  \
  X(int, mesh_grid, m->nmesh, 3, "", "samples of its distance along x, y and z; 0: none")          \
  X(int, mesh_sample, m->nmesh, 1, "", "first sample")                                             \
  X(double, sample, m->nsample, 1, "m", "signed distances; x runs fastest, then y, then z")        \
  X(int, mesh_name, m->nmesh, 1, "", "offset in names")                                            \
  X(double, vertex_pos, m->nvertex, 3, "m", "position in the mesh's frame")                        \
  X(int, face_vertex, m->nface, 3, "",                                                             \
    "vertices, counted from the first of the mesh, counter-clockwise seen from outside")           \
  X(int, hull_vertex, m->nhull, 3, "",                                                             \
    "vertices, counted from the first of the mesh, counter-clockwise seen from outside")           \
  X(double, corner_image, m->ncorner, 2, "",                                                       \
    "texture coordinates, right and up from the lower left corner of the image, 0 to 1")           \
  X(int, height_field_height, m->nheight_field, 1, "", "first height")                             \
  X(int, height_field_rows, m->nheight_field, 1, "", "number of rows, along y; at least 2")        \
  X(int, height_field_columns, m->nheight_field, 1, "", "number of columns, along x; at least 2")  \
  X(double, height_field_size, m->nheight_field, 4, "m",                                           \
    "half width (x), half depth (y), max height, thickness below z = 0")                           \
  X(int, height_field_name, m->nheight_field, 1, "", "offset in names")                            \
  X(double, height, m->nheight, 1, "m",                                                            \
    "height above z = 0; row by row from -y to y, each row from -x to x")                          \
  X(HeftTextureType, texture_type, m->ntexture, 1, "", "HeftTextureType")                          \
  X(HeftTextureSource, texture_source, m->ntexture, 1, "", "HeftTextureSource")                    \
  X(HeftTextureMark, texture_mark, m->ntexture, 1, "", "HeftTextureMark")                          \
  X(int, texture_width, m->ntexture, 1, "pixels", "width; 0: as in the file")                      \
  X(int, texture_height, m->ntexture, 1, "pixels", "height; 0: as in the file")                    \
  X(double, texture_color, m->ntexture, 3, "", "first colour of a generated texture")              \
  X(double, texture_color2, m->ntexture, 3, "", "second colour of a generated texture")            \
  X(double, texture_mark_color, m->ntexture, 3, "", "colour of the mark")                          \
  X(int, texture_file, m->ntexture, 1, "", "path of the image, as an offset in names")             \
  X(int, texture_name, m->ntexture, 1, "", "offset in names")                                      \
  X(double, appearance_color, m->nappearance, 4, "", "red, green, blue, opacity, 0 to 1")          \
  X(double, appearance_light, m->nappearance, 4, "",                                               \
    "emission, specular, shininess, reflectance, 0 to 1")                                          \
  X(int, appearance_texture, m->nappearance, 1, "", "texture, or -1")                              \
  X(double, appearance_repeat, m->nappearance, 2, "", "repetitions of the texture on the surface") \
  X(int, appearance_uniform, m->nappearance, 1, "",                                                \
    "1: appearance_repeat counts per metre of surface")                                            \
  X(int, appearance_name, m->nappearance, 1, "", "offset in names")                                \
  X(int, camera_body, m->ncamera, 1, "", "body that carries the camera")                           \
  X(double, camera_pos, m->ncamera, 3, "m", "position in the body's frame")                        \
  X(double, camera_quat, m->ncamera, 4, "",                                                        \
    "orientation in the body's frame; the camera looks along -z, y is up")                         \
  X(double, camera_fov, m->ncamera, 1, "rad", "vertical field of view")                            \
  X(HeftFollow, camera_follow, m->ncamera, 1, "", "HeftFollow")                                    \
  X(int, camera_target, m->ncamera, 1, "", "body that the camera looks at, or -1")                 \
  X(int, camera_name, m->ncamera, 1, "", "offset in names")                                        \
  X(int, light_body, m->nlight, 1, "", "body that carries the light")                              \
  X(double, light_pos, m->nlight, 3, "m", "position in the body's frame")                          \
  X(double, light_dir, m->nlight, 3, "", "unit direction in the body's frame")                     \
  X(HeftFollow, light_follow, m->nlight, 1, "", "HeftFollow")                                      \
  X(int, light_target, m->nlight, 1, "", "body that the light points at, or -1")                   \
  X(int, light_directional, m->nlight, 1, "", "1: parallel rays; 0: a spot light")                 \
  X(int, light_shadow, m->nlight, 1, "", "1: casts shadows")                                       \
  X(int, light_active, m->nlight, 1, "", "1: the light is on")                                     \
  X(double, light_ambient, m->nlight, 3, "", "ambient colour")                                     \
  X(double, light_diffuse, m->nlight, 3, "", "diffuse colour")                                     \
  X(double, light_specular, m->nlight, 3, "", "specular colour")                                   \
  X(double, light_attenuation, m->nlight, 3, "1, 1/m, 1/m²",                                       \
    "constant, linear and quadratic attenuation with distance")                                    \
  X(double, light_cutoff, m->nlight, 1, "rad", "half opening angle of the spot")                   \
  X(double, light_exponent, m->nlight, 1, "",                                                      \
    "exponent of the decay from the centre of the spot to its edge")                               \
  X(int, light_name, m->nlight, 1, "", "offset in names")                                          \
  X(int, pair_shape, m->npair, 2, "", "two shapes that collide whatever their categories")         \
  X(int, pair_material, m->npair, 1, "", "contact material")                                       \
  X(int, pair_contact_dim, m->npair, 1, "", "as shape_contact_dim")                                \
  X(double, pair_margin, m->npair, 1, "m", "distance below which contact points are created")      \
  X(double, pair_gap, m->npair, 1, "m", "as shape_gap")                                            \
  X(double, pair_friction2, m->npair, 1, "",                                                       \
    "second sliding coefficient, across the first; 0: the same in all directions. The first acts " \
    "along the x axis of the first shape, as seen along the normal (y axis if it is the normal)")  \
  X(int, pair_name, m->npair, 1, "", "offset in names")                                            \
  X(int, exclude_body, m->nexclude, 2, "",                                                         \
    "two bodies whose shapes do not collide with each other")                                      \
  X(int, exclude_name, m->nexclude, 1, "", "offset in names")                                      \
  X(HeftEqualityType, equality_type, m->nequality, 1, "", "HeftEqualityType")                      \
  X(int, equality_object, m->nequality, 2, "",                                                     \
    "bodies, joints or tendons, by the type; the second joint or tendon may be -1")                \
  X(int, equality_active, m->nequality, 1, "", "1: active from the start")                         \
  X(double, equality_anchor, m->nequality, 6, "m",                                                 \
    "connect, weld: the common point in the frames of body 1 and body 2")                          \
  X(double, equality_quat, m->nequality, 4, "",                                                    \
    "weld: orientation of body 2 in the frame of body 1")                                          \
  X(double, equality_poly, m->nequality, 5, "",                                                    \
    "joint, tendon: coefficients of the polynomial, from constant to quartic")                     \
  X(int, equality_name, m->nequality, 1, "", "offset in names")                                    \
  X(int, tendon_wrap, m->ntendon, 1, "", "first element of the path")                              \
  X(int, tendon_wrap_count, m->ntendon, 1, "", "number of elements of the path")                   \
  X(int, tendon_limited, m->ntendon, 1, "", "1 if tendon_range applies")                           \
  X(double, tendon_range, m->ntendon, 2, "m, or the unit of its joints",                           \
    "min and max of the length")                                                                   \
  X(double, tendon_spring, m->ntendon, 2, "m, or the unit of its joints",                          \
    "lengths between which the spring exerts no force; first negative: the length at q_spring")    \
  X(double, tendon_stiffness, m->ntendon, 1, "N/m", "stiffness")                                   \
  X(double, tendon_damping, m->ntendon, 1, "N s/m", "viscous damping")                             \
  X(double, tendon_friction, m->ntendon, 1, "N", "dry friction")                                   \
  X(double, tendon_armature, m->ntendon, 1, "kg", "inertia of the motion along the tendon")        \
  X(double, tendon_width, m->ntendon, 1, "m", "radius for drawing")                                \
  X(double, tendon_color, m->ntendon, 4, "", "red, green, blue, opacity, 0 to 1")                  \
  X(int, tendon_name, m->ntendon, 1, "", "offset in names")                                        \
  X(HeftWrapType, wrap_type, m->nwrap, 1, "", "HeftWrapType")                                      \
  X(int, wrap_object, m->nwrap, 1, "",                                                             \
    "joint, site or shape (sphere or cylinder); -1 for a pulley")                                  \
  X(double, wrap_value, m->nwrap, 1, "",                                                           \
    "joint: coefficient; pulley: divisor of the elements that follow")                             \
  X(int, wrap_side, m->nwrap, 1, "", "shape: site that selects the side of the shape, or -1")      \
  X(HeftTransmission, actuator_transmission, m->nactuator, 1, "", "HeftTransmission")              \
  X(int, actuator_target, m->nactuator, 1, "",                                                     \
    "joint, tendon or site on which the actuator acts; slider crank: site of the crank")           \
  X(int, actuator_reference, m->nactuator, 1, "",                                                  \
    "site: the reference site, or -1; slider crank: site of the slider")                           \
  X(double, actuator_crank, m->nactuator, 1, "m", "slider crank: length of the rod")               \
  X(double, actuator_gear, m->nactuator, 6, "",                                                    \
    "transmission ratio; joints: one per degree of freedom; sites: a wrench (force, torque)")      \
  X(HeftActivation, actuator_activation, m->nactuator, 1, "", "HeftActivation")                    \
  X(double, actuator_time, m->nactuator, 1, "s", "time constant of a filter")                      \
  X(int, actuator_act, m->nactuator, 1, "", "activation of the actuator in the state, or -1")      \
  X(double, actuator_gain, m->nactuator, 1, "", "force per unit of control or activation")         \
  X(double, actuator_gain_rate, m->nactuator, 2, "",                                               \
    "change of the gain per unit of length, and per unit of velocity")                             \
  X(int, actuator_act_limited, m->nactuator, 1, "", "1 if actuator_act_range applies")             \
  X(double, actuator_act_range, m->nactuator, 2, "",                                               \
    "min and max of the activation, in the unit of the actuator")                                  \
  X(int, actuator_act_early, m->nactuator, 1, "",                                                  \
    "1: the force uses the activation at the end of the step")                                     \
  X(double, actuator_bias, m->nactuator, 3, "",                                                    \
    "added force: constant, per unit of length, per unit of velocity")                             \
  X(int, actuator_control_limited, m->nactuator, 1, "", "1 if actuator_control_range applies")     \
  X(double, actuator_control_range, m->nactuator, 2, "",                                           \
    "min and max of the control, in the unit of the actuator")                                     \
  X(int, actuator_force_limited, m->nactuator, 1, "", "1 if actuator_force_range applies")         \
  X(double, actuator_force_range, m->nactuator, 2, "N, N m", "min and max of the force")           \
  X(int, actuator_name, m->nactuator, 1, "", "offset in names")                                    \
  X(HeftSensorType, sensor_type, m->nsensor, 1, "", "HeftSensorType")                              \
  X(int, sensor_object, m->nsensor, 1, "",                                                         \
    "index of the measured object, of the kind that the type states; -1 for a clock")              \
  X(HeftFrame, sensor_frame, m->nsensor, 1, "",                                                    \
    "HeftFrame: kind of sensor_object, if the type measures a frame")                              \
  X(int, sensor_reference, m->nsensor, 1, "", "frame in which the sensor measures; -1: the world") \
  X(HeftFrame, sensor_reference_frame, m->nsensor, 1, "", "HeftFrame: kind of sensor_reference")   \
  X(int, sensor_address, m->nsensor, 1, "", "first value of the sensor in the sensor data")        \
  X(double, sensor_noise, m->nsensor, 1, "",                                                       \
    "standard deviation of the noise, in the unit of the sensor")                                  \
  X(double, sensor_cutoff, m->nsensor, 1, "",                                                      \
    "values are clamped at -cutoff and cutoff, in the unit of the sensor; 0: no limit")            \
  X(double, sensor_matrix, m->nsensordata, 4, "1",                                                 \
    "calibration: row by which the true values of the sensor are multiplied; unused columns are "  \
    "0")                                                                                           \
  X(double, sensor_offset, m->nsensordata, 1, "",                                                  \
    "calibration: added to the value, in the unit of the sensor")                                  \
  X(int, sensor_name, m->nsensor, 1, "", "offset in names")                                        \
  X(double, key_time, m->nkey, 1, "s", "time of the keyframe")                                     \
  X(double, key_q, m->nkey, m->nq, "m, rad", "coordinates of the keyframe")                        \
  X(double, key_v, m->nkey, m->nv, "m/s, rad/s", "velocities of the keyframe")                     \
  X(double, key_act, m->nkey, m->nact, "",                                                         \
    "activations of the keyframe, in the units of the actuators")                                  \
  X(double, key_control, m->nkey, m->nactuator, "",                                                \
    "controls of the keyframe, in the units of the actuators")                                     \
  X(double, key_moved, m->nkey, 7 * m->nmoved, "m",                                                \
    "poses of the moved bodies in the keyframe: position, quaternion")                             \
  X(int, moved_body, m->nmoved, 1, "", "the body; it hangs on the world and has no joints")        \
  X(double, moved_velocity, m->nmoved, 6, "rad/s, m/s",                                            \
    "velocity at the start: angular, and linear of its origin, in the world")                      \
  X(int, conveyor_shape, m->nconveyor, 1, "", "the shape")                                         \
  X(double, conveyor_velocity, m->nconveyor, 6, "m/s, rad/s",                                      \
    "velocity of the surface along the shape, in its frame: linear, then angular about its "       \
    "origin")                                                                                      \
  X(int, key_name, m->nkey, 1, "", "offset in names")                                              \
  X(int, contact_model, 1, 1, "",                                                                  \
    "name of the contact model that the description requests, as an offset in names; empty: the "  \
    "choice of the world")                                                                         \
  X(char, names, m->nname, 1, "", "zero-terminated names; offset 0 is the empty name")             \
  X(double, joint_restitution, m->njoint, 1, "",                                                   \
    "coefficient of restitution of an impact at a limit of the joint, 0 to 1")                     \
  X(int, deformable_node, m->ndeformable, 1, "", "first node")                                     \
  X(int, deformable_node_count, m->ndeformable, 1, "", "number of nodes")                          \
  X(int, deformable_tetrahedron, m->ndeformable, 1, "", "first tetrahedron")                       \
  X(int, deformable_tetrahedron_count, m->ndeformable, 1, "", "number of tetrahedra")              \
  X(int, deformable_skin, m->ndeformable, 1, "", "first surface triangle")                         \
  X(int, deformable_skin_count, m->ndeformable, 1, "", "number of surface triangles")              \
  X(double, deformable_young, m->ndeformable, 1, "Pa", "Young's modulus")                          \
  X(double, deformable_poisson, m->ndeformable, 1, "", "Poisson's ratio, 0 to 0.49")               \
  X(double, deformable_damping, m->ndeformable, 1, "s",                                            \
    "viscosity: stress of a strain rate, as this time times the stress of that strain")            \
  X(double, deformable_color, m->ndeformable, 4, "", "red, green, blue, opacity, 0 to 1")          \
  X(int, deformable_name, m->ndeformable, 1, "", "offset in names")                                \
  X(int, node_body, m->nnode, 1, "",                                                               \
    "body of the node; it hangs on the world, by three slides or welded to it")                    \
  X(double, node_rest, m->nnode, 3, "m", "place of the node in the shape without stress")          \
  X(int, tetrahedron_node, m->ntetrahedron, 4, "",                                                 \
    "its corners, counted from the first node of its body, of positive volume")                    \
  X(int, skin_node, m->nskin, 3, "",                                                               \
    "corners of the triangle, counted from the first node of its body, seen from outside in "      \
    "anticlockwise order")

/// Settings of the physics; a world may override them.
typedef struct HeftPhysics {
  double gravity[3];  ///< [m/s²]
  double time_step;   ///< [s]
} HeftPhysics;

/// Kinematic trees in the layout of the dynamics, derived from the arrays. Private to the library.
struct HeftTree;

/// A model. Programs read it; only a builder or a loader writes one.
typedef struct HeftModel {
#define HEFT_MODEL_SIZE_FIELD(name, meaning) int name;
  HEFT_MODEL_SIZE_LIST(HEFT_MODEL_SIZE_FIELD)
#undef HEFT_MODEL_SIZE_FIELD
#define HEFT_MODEL_ARRAY_FIELD(type, name, count, width, unit, meaning) type* name;
  HEFT_MODEL_ARRAY_LIST(HEFT_MODEL_ARRAY_FIELD)
#undef HEFT_MODEL_ARRAY_FIELD
  HeftPhysics physics;
  struct HeftTree* tree;    ///< derived, private
  HeftAllocator allocator;  ///< source of the memory
  void* memory;             ///< one block with all arrays
  size_t memory_size;       ///< [bytes]
} HeftModel;

/// One array of a model, with the information of HEFT_MODEL_ARRAY_LIST. All strings are static.
typedef struct HeftModelArray {
  const char* name;     ///< name of the field of HeftModel
  HeftValueType type;   ///< HEFT_VALUE_INT32, HEFT_VALUE_DOUBLE or HEFT_VALUE_CHAR
  int rows, columns;    ///< data holds rows x columns values, row-major
  const char* unit;     ///< unit, "" if it has none; "m, rad": by the type of the joint
  const char* meaning;  ///< one phrase
  const void* data;     ///< the array, owned by the model and valid as long as it; never NULL
} HeftModelArray;

/// Number of arrays of every model.
HEFT_API int heft_model_array_count(void);
/// Describes array `index`, 0 to heft_model_array_count() - 1, of a model.
/// [out] out
HEFT_API HeftStatus heft_model_array(const HeftModel* model, int index, HeftModelArray* out);
/// Index of the array with this name, -1 if there is none.
HEFT_API int heft_model_array_find(const char* name);

/// One size of a model, with the information of HEFT_MODEL_SIZE_LIST. All strings are static.
typedef struct HeftModelSize {
  const char* name;     ///< name of the field of HeftModel
  int value;            ///< its value, >= 0
  const char* meaning;  ///< one phrase
} HeftModelSize;

/// Number of sizes of every model.
HEFT_API int heft_model_size_count(void);
/// Describes size `index`, 0 to heft_model_size_count() - 1, of a model.
/// [out] out
HEFT_API HeftStatus heft_model_size(const HeftModel* model, int index, HeftModelSize* out);

/// Gives back all memory of a model. NULL is allowed.
HEFT_API void heft_model_destroy(HeftModel* model);
/// 64 bits that depend on every size, array and setting of the model.
HEFT_API uint64_t heft_model_hash(const HeftModel* model);
/// Kinds of objects that have names: X(kind, array of name offsets, count, text).
#define HEFT_NAMED_LIST(X)                                                      \
  X(HEFT_NAMED_BODY, body_name, nbody, "bodies")                                \
  X(HEFT_NAMED_JOINT, joint_name, njoint, "joints")                             \
  X(HEFT_NAMED_SITE, site_name, nsite, "sites")                                 \
  X(HEFT_NAMED_MATERIAL, material_name, nmaterial, "materials")                 \
  X(HEFT_NAMED_SHAPE, shape_name, nshape, "shapes")                             \
  X(HEFT_NAMED_MESH, mesh_name, nmesh, "meshes")                                \
  X(HEFT_NAMED_HEIGHT_FIELD, height_field_name, nheight_field, "height fields") \
  X(HEFT_NAMED_TEXTURE, texture_name, ntexture, "textures")                     \
  X(HEFT_NAMED_APPEARANCE, appearance_name, nappearance, "appearances")         \
  X(HEFT_NAMED_CAMERA, camera_name, ncamera, "cameras")                         \
  X(HEFT_NAMED_LIGHT, light_name, nlight, "lights")                             \
  X(HEFT_NAMED_PAIR, pair_name, npair, "contact pairs")                         \
  X(HEFT_NAMED_EXCLUDE, exclude_name, nexclude, "contact excludes")             \
  X(HEFT_NAMED_EQUALITY, equality_name, nequality, "equalities")                \
  X(HEFT_NAMED_TENDON, tendon_name, ntendon, "tendons")                         \
  X(HEFT_NAMED_ACTUATOR, actuator_name, nactuator, "actuators")                 \
  X(HEFT_NAMED_SENSOR, sensor_name, nsensor, "sensors")                         \
  X(HEFT_NAMED_KEY, key_name, nkey, "keyframes")                                \
  X(HEFT_NAMED_DEFORMABLE, deformable_name, ndeformable, "deformable bodies")
typedef enum HeftNamed { HEFT_NAMED_LIST(HEFT_ENUM_ENTRY) HEFT_NAMED_COUNT } HeftNamed;
/// Number of objects of a kind.
HEFT_API int heft_model_named_count(const HeftModel* model, HeftNamed kind);
/// Index of an object by its name, -1 if there is none. No object has the empty name.
HEFT_API int heft_model_find(const HeftModel* model, HeftNamed kind, const char* name);
/// heft_model_find() with a message: HEFT_ERR_NAME if there is none; the message suggests a similar
/// name. *index is -1 on failure. error may be NULL.
/// [out] index
HEFT_API HeftStatus heft_model_lookup(const HeftModel* model, HeftNamed kind, const char* name,
                                      int* index, HeftError* error);
/// Name of an object, "" if it has none. Valid as long as the model.
HEFT_API const char* heft_model_name(const HeftModel* model, HeftNamed kind, int index);
/// Mass of all bodies but the world [kg].
HEFT_API double heft_model_mass(const HeftModel* model);

/// Limits against faulty or hostile descriptions: the mass matrix of a chain of a few thousand
/// joints has millions of entries. All limits are inclusive.
typedef struct HeftModelLimits {
  int dofs;          ///< degrees of freedom
  int mass_entries;  ///< stored entries of the mass matrix: for every dof, the dofs between it
                     ///< and the root
} HeftModelLimits;

/// The limits of the library: any number of dofs, 2^30 entries.
HEFT_API HeftModelLimits heft_model_limits_default(void);

// ---- compiled form

/// Bytes of the compiled form.
HEFT_API size_t heft_model_save_size(const HeftModel* model);
/// Writes the compiled form into bytes, which has heft_model_save_size() of them.
/// [out] bytes[heft_model_save_size(model)]
HEFT_API void heft_model_save(const HeftModel* model, void* bytes);
/// Reads a compiled form. Any bytes are allowed as input; a form that is not a valid model is
/// refused with a message. allocator may be NULL (the default one), error may be NULL. *out is NULL
/// on failure.
/// [in] bytes[size]
HEFT_API HeftStatus heft_model_load(HeftModel** out, const void* bytes, size_t size,
                                    const HeftAllocator* allocator, HeftError* error);
/// heft_model_load() with limits. allocator and error may be NULL. *out is NULL on failure.
/// [in] bytes[size]
HEFT_API HeftStatus heft_model_load_within(HeftModel** out, const void* bytes, size_t size,
                                           const HeftAllocator* allocator, HeftModelLimits limits,
                                           HeftError* error);

// ---- state

/// State of a model at one instant. All arrays are in one block; heft_state_copy() is a snapshot.
typedef struct HeftState {
  double* time;             ///< [s]
  double* q;                ///< coordinates (nq) [m, rad]
  double* v;                ///< velocities (nv) [m/s, rad/s]
  double* act;              ///< activations (nact), in the units of the actuators
  int nq, nv, nact, count;  ///< lengths; count of all numbers
  HeftAllocator allocator;  ///< where the memory came from
  double* moved;  ///< moved bodies (nmoved x 13) [m, 1, rad/s, m/s]: position, quaternion; velocity
                  ///< during the last step, angular and linear at the origin of the body, in the
                  ///< world
  double* conveyor;       ///< conveyors (nconveyor x 6): see conveyor_velocity
  int nmoved, nconveyor;  ///< numbers of moved bodies and of conveyors
} HeftState;

/// A state at q_default, at rest. allocator may be NULL.
HEFT_API HeftStatus heft_state_create(HeftState** out, const HeftModel* model,
                                      const HeftAllocator* allocator, HeftError* error);
HEFT_API void heft_state_destroy(HeftState* state);
/// Sets q to q_default, and velocities, activations and time to zero.
HEFT_API void heft_state_reset(HeftState* state, const HeftModel* model);
/// Copies a state. Both must belong to the same model.
HEFT_API void heft_state_copy(HeftState* to, const HeftState* from);
/// Copies time, q, v, act and poses of moved bodies of a keyframe, 0 <= key < nkey. The moved
/// bodies are at rest; conveyors move as in the model.
HEFT_API void heft_state_set_key(HeftState* state, const HeftModel* model, int key);
/// 64 bits that depend on every bit of the state.
HEFT_API uint64_t heft_state_hash(const HeftState* state);
/// True if all numbers of the state are finite.
HEFT_API bool heft_state_finite(const HeftState* state);

/// q ⊕ v dt: coordinates after moving with the constant velocity v for dt; exact on rotations. out
/// may be q.
/// [in] q[nq], v[nv]; [out] out[nq]
HEFT_API void heft_q_integrate(const HeftModel* model, const double* q, const double* v, double dt,
                               double* out);
/// Velocity that leads from q0 to q1 in unit time: q1 = q0 ⊕ out.
/// [in] q0[nq], q1[nq]; [out] out[nv]
HEFT_API void heft_q_difference(const HeftModel* model, const double* q0, const double* q1,
                                double* out);
/// Normalises all quaternions in q to unit length.
/// [in,out] q[nq]
HEFT_API void heft_q_normalize(const HeftModel* model, double* q);

// ---- builder

/// Collects the parts of a model. Opaque; grows as needed; used by one thread.
typedef struct HeftBuilder HeftBuilder;

/// A body, with mass, centre of mass and an inertia tensor in a frame of its own, `inertia_quat`.
typedef struct HeftBodyDef {
  uint32_t cookie;        ///< set by heft_body_def_default(); see HEFT_DEF_COOKIE
  const char* name;       ///< may be NULL; copied
  int parent;             ///< parent body, added before; 0: the world
  HeftVec3 pos;           ///< origin in the parent's frame [m]
  HeftQuat quat;          ///< orientation in the parent's frame
  double mass;            ///< [kg], >= 0
  HeftVec3 com;           ///< centre of mass in the body's frame [m]
  HeftQuat inertia_quat;  ///< orientation of the inertial frame in the body's frame
  HeftSym3 inertia;       ///< about the centre of mass, along the inertial frame [kg m²]
  double gravity;         ///< fraction of gravity that acts on the body, at most 1; 0: none
  int moved;  ///< 1: the program prescribes its motion (HeftMovedCommand); it hangs on the
              ///< world, has no joints and carries none. Its mass has no effect
  double
      moved_velocity[6];  ///< of a moved body at the start [rad/s, m/s]: see the array of this name
} HeftBodyDef;

/// A joint between a body and its parent.
typedef struct HeftJointDef {
  uint32_t cookie;   ///< set by heft_joint_def_default(); see HEFT_DEF_COOKIE
  const char* name;  ///< may be NULL; copied
  int body;          ///< body that the joint moves, > 0
  HeftJointType type;
  HeftVec3 pos;           ///< anchor in the body's frame [m]
  HeftVec3 axis;          ///< in the body's frame; any length except zero [1]
  HeftVec3 axis2;         ///< planar and universal; made perpendicular to axis [1]
  double q_default[7];    ///< coordinates in the described pose; ball: the identity, free: the
                          ///< pose of the body (both set by the builder) [m, rad]
  double q_spring[7];     ///< coordinates at which the spring exerts no force; first NaN: same as
                          ///< q_default [m, rad]
  double damping[6];      ///< per degree of freedom [N s/m, N m s/rad]
  double stiffness[6];    ///< [N/m, N m/rad]
  double friction[6];     ///< [N, N m]
  double armature[6];     ///< [kg, kg m²]
  int limited[6];         ///< 1 if range applies
  double range[6][2];     ///< lowest, highest [m, rad]
  int force_limited;      ///< 1 if force_range applies
  double force_range[2];  ///< lowest and highest force of all its actuators together [N, N m]
  double restitution;     ///< coefficient of an impact at its limits, 0 to 1
} HeftJointDef;

/// A point of a body with axes, for sensors, tendons and actuators.
typedef struct HeftSiteDef {
  uint32_t cookie;  ///< set by heft_site_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int body;
  HeftVec3 pos;
  HeftQuat quat;
  HeftShapeType type;  ///< shape of the zone of the site
  double size[3];      ///< see shape_size
  int group;
  double color[4];
} HeftSiteDef;

/// Friction, restitution and softness of surfaces.
typedef struct HeftMaterialDef {
  uint32_t cookie;  ///< set by heft_material_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  double friction;     ///< static Coulomb coefficient
  double kinetic;      ///< kinetic Coulomb coefficient; NaN: the static one
  double torsion;      ///< [m]
  double rolling;      ///< [m]
  double restitution;  ///< 0 to 1
  double layer[3];     ///< elastic layer for the contact model micro_macro: stiffness [N/m] and
                       ///< damping [N s/m] of a contact point, thickness [m]; stiffness 0: none
  double slip[2];      ///< Stribeck speed [m/s], 0: none; viscous term [s/m] (material_slip)
  double soft[2];      ///< stiffness [N/m] and damping [N s/m] of a contact point; stiffness 0:
                       ///< rigid (material_soft)
  double area[4];      ///< area contact: modulus [Pa], 0: none; thickness [m]; dissipation [s/m];
                       ///< exponent, 1 or 0.5 (material_area)
} HeftMaterialDef;

/// A shape of a body, which collides, is drawn, or both.
typedef struct HeftShapeDef {
  uint32_t cookie;  ///< set by heft_shape_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int body;
  HeftShapeType type;
  HeftVec3 pos;
  HeftQuat quat;
  double size[3];    ///< see shape_size
  int mesh;          ///< for HEFT_SHAPE_MESH; -1 otherwise
  int height_field;  ///< for HEFT_SHAPE_HEIGHT_FIELD; -1 otherwise
  int appearance;    ///< -1: color only
  int material;      ///< contact material; 0: the default material
  int category, collides, contact_dim, priority, group;
  double margin, gap;  ///< [m]
  double color[4];
  int conveyor;                 ///< 1: its surface moves, by conveyor_velocity at first
  double conveyor_velocity[6];  ///< linear and angular, in its frame [m/s, rad/s]
} HeftShapeDef;

/// Triangles for shapes.
typedef struct HeftMeshDef {
  uint32_t cookie;  ///< set by heft_mesh_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int vertex_count, face_count;
  const double* vertices;  ///< vertex_count x 3, copied [m]
  const int* faces;        ///< face_count x 3, copied
  int hull_count;          ///< triangles of the convex hull; 0: none
  const int* hull;         ///< hull_count x 3, copied
  const double* image;     ///< face_count x 3 x 2, copied: see corner_image; may be NULL
  HeftField field;         ///< a distance shape, samples copied; then the faces approximate it, and
                           ///< the builder makes them if face_count is 0
  double field_spacing;    ///< of the vertices that the builder makes [m]; 0: a share of the size
} HeftMeshDef;

/// Heights on a grid, for shapes.
typedef struct HeftHeightFieldDef {
  uint32_t cookie;  ///< set by heft_height_field_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int rows, columns;      ///< at least 2 each
  double size[4];         ///< see height_field_size; the third is computed
  const double* heights;  ///< rows x columns, copied [m]
} HeftHeightFieldDef;

/// An image for surfaces, from a file or generated.
typedef struct HeftTextureDef {
  uint32_t cookie;  ///< set by heft_texture_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  const char* file;  ///< may be NULL; copied
  HeftTextureType type;
  HeftTextureSource source;
  HeftTextureMark mark;
  int width, height;  ///< [pixels]
  double color[3], color2[3], mark_color[3];
} HeftTextureDef;

/// How shapes look: colour, light and texture.
typedef struct HeftAppearanceDef {
  uint32_t cookie;  ///< set by heft_appearance_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  double color[4];
  double light[4];  ///< emission, specular, shininess, reflectance
  int texture;      ///< or -1
  double repeat[2];
  int uniform;
} HeftAppearanceDef;

/// A camera on a body.
typedef struct HeftCameraDef {
  uint32_t cookie;  ///< set by heft_camera_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int body;
  HeftVec3 pos;
  HeftQuat quat;
  double fov;  ///< [rad]
  HeftFollow follow;
  int target;  ///< body, or -1
} HeftCameraDef;

/// A light on a body.
typedef struct HeftLightDef {
  uint32_t cookie;  ///< set by heft_light_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int body;
  HeftVec3 pos, dir;
  HeftFollow follow;
  int target;  ///< body, or -1
  int directional, shadow, active;
  double ambient[3], diffuse[3], specular[3];
  double attenuation[3];  ///< constant, linear and quadratic, with distance [1, 1/m, 1/m²]
  double cutoff;          ///< [rad]
  double exponent;
} HeftLightDef;

/// Two shapes that collide whatever their categories, with a material of their own.
typedef struct HeftPairDef {
  uint32_t cookie;  ///< set by heft_pair_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int shape[2];
  int material, contact_dim;
  double margin, gap;  ///< [m]
  double friction2;    ///< second sliding coefficient: see pair_friction2; 0: none
} HeftPairDef;

/// Two bodies whose shapes do not collide with each other.
typedef struct HeftExcludeDef {
  uint32_t cookie;  ///< set by heft_exclude_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int body[2];
} HeftExcludeDef;

/// An equality constraint; see HEFT_EQUALITY_LIST.
typedef struct HeftEqualityDef {
  uint32_t cookie;  ///< set by heft_equality_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  HeftEqualityType type;
  int object[2];
  int active;
  HeftVec3 anchor[2];  ///< the common point in body 1 and in body 2 [m]
  HeftQuat quat;       ///< weld: orientation of body 2 in body 1
  double poly[5];
} HeftEqualityDef;

/// One element of the path of a tendon; see HEFT_WRAP_LIST.
typedef struct HeftWrap {
  HeftWrapType type;
  int object;    ///< joint, site or shape
  double value;  ///< joint: coefficient; pulley: divisor
  int side;      ///< shape: side site, or -1
} HeftWrap;

/// A tendon: a path over sites and shapes, or a sum of joint coordinates.
typedef struct HeftTendonDef {
  uint32_t cookie;  ///< set by heft_tendon_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int wrap_count;
  const HeftWrap* wraps;  ///< wrap_count, copied
  int limited;
  double range[2];
  double spring[2];  ///< see tendon_spring
  double stiffness, damping, friction, armature, width;
  double color[4];
} HeftTendonDef;

/// An actuator at a joint, a tendon or a site.
typedef struct HeftActuatorDef {
  uint32_t cookie;  ///< set by heft_actuator_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  HeftTransmission transmission;
  int target;
  int reference;  ///< site: reference site, or -1; slider crank: the slider's site
  double crank;   ///< slider crank: length of the rod [m]
  double gear[6];
  HeftActivation activation;
  double time;  ///< filter's time constant [s]
  double gain, gain_rate[2], bias[3];
  int act_limited, act_early;
  double act_range[2];  ///< min and max of the activation, in the unit of the actuator
  int control_limited, force_limited;
  double control_range[2];  ///< min and max of the control, in the unit of the actuator
  double force_range[2];    ///< min and max of the force [N, N m]
} HeftActuatorDef;

/// A sensor of the model.
typedef struct HeftSensorDef {
  uint32_t cookie;  ///< set by heft_sensor_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  HeftSensorType type;
  int object;
  HeftFrame frame;  ///< kind of object, if the type measures a frame
  int reference;    ///< or -1
  HeftFrame reference_frame;
  double noise;  ///< standard deviation, in the unit of the sensor
  double
      cutoff;  ///< values are clamped at -cutoff and cutoff, in the unit of the sensor; 0: no limit
  double
      matrix[16];    ///< calibration [1], 4 x 4; only rows and columns of the sensor's values count
  double offset[4];  ///< added to the values, in the unit of the sensor
} HeftSensorDef;

/// A keyframe. NULL arrays mean: q_default, zero velocity, activation and control.
typedef struct HeftKeyDef {
  uint32_t cookie;  ///< set by heft_key_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  double time;
  const double* q;    ///< coordinates [m, rad] (nq), copied; may be NULL
  const double* v;    ///< velocities [m/s, rad/s] (nv), copied; may be NULL
  const double* act;  ///< activations, in the units of the actuators (nact), copied; may be NULL
  const double* control;  ///< controls, in the same units (nactuator), copied; may be NULL
  const double* moved;    ///< poses of moved bodies [m, 1] (nmoved x 7), copied; NULL: as described
} HeftKeyDef;

/// A deformable body: a solid of tetrahedra. Each vertex becomes a body NAME_0, NAME_1, ... that
/// moves by three slides, so that state, snapshots, sensors and forces from outside treat it as any
/// other. Vertices on the surface touch other shapes by a sphere.
typedef struct HeftDeformableDef {
  uint32_t cookie;         ///< set by heft_deformable_def_default(); see HEFT_DEF_COOKIE
  const char* name;        ///< not empty; copied
  HeftVec3 pos;            ///< place of the shape without stress in the world [m]
  HeftQuat quat;           ///< its orientation
  int vertex_count;        ///< >= 4
  const double* vertices;  ///< three numbers each [m]; copied
  int tetrahedron_count;   ///< >= 1
  const int* tetrahedra;   ///< four vertices each, in either orientation; copied
  double density;          ///< [kg/m³]
  double young, poisson;   ///< Young's modulus [Pa]; Poisson's ratio, 0 to 0.49
  double damping;          ///< viscosity [s]; see deformable_damping
  double radius;           ///< of the spheres at vertices of the surface [m]; 0: nothing touches it
  int material, category, collides, contact_dim;  ///< of these spheres, as in HeftShapeDef
  int bond_count;                                 ///< number of vertices that are fixed to bodies
  const int* bonds;  ///< these vertices; may be NULL if there are none; copied
  double color[4];
  const int* bond_bodies;  ///< per bond: the body that holds it, where both are in the described
                           ///< pose; 0: the world. NULL: the world holds all. Bodies that move must
                           ///< be parts of one link; copied
} HeftDeformableDef;

/// The parts of a model that heft_builder_add_model() adds, and where.
typedef struct HeftPartDef {
  uint32_t cookie;      ///< set by heft_part_def_default(); see HEFT_DEF_COOKIE
  const bool* without;  ///< nbody: true for bodies to leave out, with the bodies that hang on them
                        ///< and everything that refers to them; NULL: none
  const char* prefix;   ///< in front of all names; may be NULL: none
  HeftVec3 pos;         ///< position of its world in the world of the builder [m]
  HeftQuat quat;        ///< orientation of its world
  int world;            ///< 1: with the shapes, sites, cameras and lights of its world; 0: without
  int keys;             ///< 1: with its keyframes
} HeftPartDef;

/// Default functions of the defs: HEFT_DEF_FUNCTIONS(def, default function, init function).
HEFT_DEF_FUNCTIONS(HeftBodyDef, heft_body_def_default, heft_body_def_init);
HEFT_DEF_FUNCTIONS(HeftJointDef, heft_joint_def_default, heft_joint_def_init);
HEFT_DEF_FUNCTIONS(HeftSiteDef, heft_site_def_default, heft_site_def_init);
HEFT_DEF_FUNCTIONS(HeftMaterialDef, heft_material_def_default, heft_material_def_init);
HEFT_DEF_FUNCTIONS(HeftShapeDef, heft_shape_def_default, heft_shape_def_init);
HEFT_DEF_FUNCTIONS(HeftMeshDef, heft_mesh_def_default, heft_mesh_def_init);
HEFT_DEF_FUNCTIONS(HeftHeightFieldDef, heft_height_field_def_default, heft_height_field_def_init);
HEFT_DEF_FUNCTIONS(HeftTextureDef, heft_texture_def_default, heft_texture_def_init);
HEFT_DEF_FUNCTIONS(HeftAppearanceDef, heft_appearance_def_default, heft_appearance_def_init);
HEFT_DEF_FUNCTIONS(HeftCameraDef, heft_camera_def_default, heft_camera_def_init);
HEFT_DEF_FUNCTIONS(HeftLightDef, heft_light_def_default, heft_light_def_init);
HEFT_DEF_FUNCTIONS(HeftPairDef, heft_pair_def_default, heft_pair_def_init);
HEFT_DEF_FUNCTIONS(HeftExcludeDef, heft_exclude_def_default, heft_exclude_def_init);
HEFT_DEF_FUNCTIONS(HeftEqualityDef, heft_equality_def_default, heft_equality_def_init);
HEFT_DEF_FUNCTIONS(HeftTendonDef, heft_tendon_def_default, heft_tendon_def_init);
HEFT_DEF_FUNCTIONS(HeftActuatorDef, heft_actuator_def_default, heft_actuator_def_init);
HEFT_DEF_FUNCTIONS(HeftSensorDef, heft_sensor_def_default, heft_sensor_def_init);
HEFT_DEF_FUNCTIONS(HeftKeyDef, heft_key_def_default, heft_key_def_init);
HEFT_DEF_FUNCTIONS(HeftPartDef, heft_part_def_default, heft_part_def_init);
HEFT_DEF_FUNCTIONS(HeftDeformableDef, heft_deformable_def_default, heft_deformable_def_init);

/// A builder with the world body and the default material. allocator may be NULL (the default one),
/// error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_builder_create(HeftBuilder** out, const HeftAllocator* allocator,
                                        HeftError* error);
HEFT_API void heft_builder_destroy(HeftBuilder* builder);
HEFT_API void heft_builder_set_physics(HeftBuilder* builder, HeftPhysics physics);
HEFT_API HeftPhysics heft_builder_physics(const HeftBuilder* builder);
/// Name of the contact model that the model requests, for example "exact"; word may be NULL or "":
/// none. The name is copied; the world checks it (HEFT_CONTACT_MODEL_LIST).
HEFT_API void heft_builder_set_contact_model(HeftBuilder* builder, const char* word);
/// Limits that heft_builder_finish() checks before it allocates.
HEFT_API void heft_builder_set_limits(HeftBuilder* builder, HeftModelLimits limits);

/// Each function adds one object and returns its index, -1 after an error. The builder stores the
/// first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls
/// therefore needs no checks in between.
HEFT_API int heft_builder_add_body(HeftBuilder* builder, const HeftBodyDef* def);
HEFT_API int heft_builder_add_joint(HeftBuilder* builder, const HeftJointDef* def);
HEFT_API int heft_builder_add_site(HeftBuilder* builder, const HeftSiteDef* def);
HEFT_API int heft_builder_add_material(HeftBuilder* builder, const HeftMaterialDef* def);
HEFT_API int heft_builder_add_shape(HeftBuilder* builder, const HeftShapeDef* def);
HEFT_API int heft_builder_add_mesh(HeftBuilder* builder, const HeftMeshDef* def);
HEFT_API int heft_builder_add_height_field(HeftBuilder* builder, const HeftHeightFieldDef* def);
HEFT_API int heft_builder_add_texture(HeftBuilder* builder, const HeftTextureDef* def);
HEFT_API int heft_builder_add_appearance(HeftBuilder* builder, const HeftAppearanceDef* def);
HEFT_API int heft_builder_add_camera(HeftBuilder* builder, const HeftCameraDef* def);
HEFT_API int heft_builder_add_light(HeftBuilder* builder, const HeftLightDef* def);
HEFT_API int heft_builder_add_pair(HeftBuilder* builder, const HeftPairDef* def);
HEFT_API int heft_builder_add_exclude(HeftBuilder* builder, const HeftExcludeDef* def);
HEFT_API int heft_builder_add_equality(HeftBuilder* builder, const HeftEqualityDef* def);
HEFT_API int heft_builder_add_tendon(HeftBuilder* builder, const HeftTendonDef* def);
HEFT_API int heft_builder_add_actuator(HeftBuilder* builder, const HeftActuatorDef* def);
HEFT_API int heft_builder_add_sensor(HeftBuilder* builder, const HeftSensorDef* def);
HEFT_API int heft_builder_add_key(HeftBuilder* builder, const HeftKeyDef* def);
/// Adds bodies, slides and spheres of its vertices, too. Returns its index, -1 after an error.
HEFT_API int heft_builder_add_deformable(HeftBuilder* builder, const HeftDeformableDef* def);

/// Adds a model, or a part of it: the way to change a model. Returns the index of its first body,
/// -1 after an error; its bodies keep their order. The physics and the contact model of the builder
/// stay as they are. A name that the builder has already is an error at the end: use a prefix. def
/// may be NULL: all of the model, with its names, in its place. Then heft_builder_finish() makes
/// the same bits again, after heft_builder_set_physics() and heft_builder_set_contact_model().
HEFT_API int heft_builder_add_model(HeftBuilder* builder, const HeftModel* model,
                                    const HeftPartDef* def);

/// Multiplies masses and inertias of all bodies so far by a factor > 0.
HEFT_API void heft_builder_scale_mass(HeftBuilder* builder, double factor);
/// How many bodies (the world included), sites, shapes, cameras or lights there are so far.
HEFT_API int heft_builder_count(const HeftBuilder* builder, HeftNamed kind);
/// Renumbers bodies (with their joints and dofs), sites, shapes, cameras or lights: object i
/// becomes object to[i], and all references follow, including keyframes. to is a permutation of all
/// objects of the kind; the world stays 0 and parents come before their children. For readers of
/// files with another order than the model.
/// [in] to[heft_builder_count(builder, kind)]
HEFT_API void heft_builder_reorder(HeftBuilder* builder, HeftNamed kind, const int* to);

/// The first error so far; HEFT_OK if there is none. error may be NULL.
HEFT_API HeftStatus heft_builder_status(const HeftBuilder* builder, HeftError* error);
/// Makes the model. The builder can be destroyed afterwards. *out is NULL on failure.
HEFT_API HeftStatus heft_builder_finish(HeftBuilder* builder, HeftModel** out, HeftError* error);

#ifdef __cplusplus
}
#endif
#endif
