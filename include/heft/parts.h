// SPDX-License-Identifier: Apache-2.0
/// @file parts.h
/// Settings of the parts of a model: bodies, joints, shapes, materials, equalities, tendons,
/// actuators, sensors, keyframes, deformable bodies. A HeftBuilder adds them.
#ifndef HEFT_PARTS_H
#define HEFT_PARTS_H

#include <heft/field.h>

#ifdef __cplusplus
extern "C" {
#endif

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
  int parent;           ///< body of the builder that replaces its world, 0 (default): the world.
                        ///< pos and quat are in the frame of this body
} HeftPartDef;

/// Default functions of the defs: HEFT_DEF_FUNCTIONS(def, default function, init function).
HEFT_DEF_FUNCTIONS(HeftBodyDef, heft_body_def_default, heft_body_def_init);
HEFT_DEF_FUNCTIONS(HeftJointDef, heft_joint_def_default, heft_joint_def_init);
HEFT_DEF_FUNCTIONS(HeftSiteDef, heft_site_def_default, heft_site_def_init);
HEFT_DEF_FUNCTIONS(HeftMaterialDef, heft_material_def_default, heft_material_def_init);
HEFT_DEF_FUNCTIONS(HeftShapeDef, heft_shape_def_default, heft_shape_def_init);
HEFT_DEF_FUNCTIONS(HeftPairDef, heft_pair_def_default, heft_pair_def_init);
HEFT_DEF_FUNCTIONS(HeftExcludeDef, heft_exclude_def_default, heft_exclude_def_init);
HEFT_DEF_FUNCTIONS(HeftEqualityDef, heft_equality_def_default, heft_equality_def_init);
HEFT_DEF_FUNCTIONS(HeftTendonDef, heft_tendon_def_default, heft_tendon_def_init);
HEFT_DEF_FUNCTIONS(HeftActuatorDef, heft_actuator_def_default, heft_actuator_def_init);
HEFT_DEF_FUNCTIONS(HeftSensorDef, heft_sensor_def_default, heft_sensor_def_init);
HEFT_DEF_FUNCTIONS(HeftKeyDef, heft_key_def_default, heft_key_def_init);
HEFT_DEF_FUNCTIONS(HeftPartDef, heft_part_def_default, heft_part_def_init);
HEFT_DEF_FUNCTIONS(HeftDeformableDef, heft_deformable_def_default, heft_deformable_def_init);

#ifdef __cplusplus
}
#endif
#endif
