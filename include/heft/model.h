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

#include <heft/field.h>

#ifdef __cplusplus
extern "C" {
#endif

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
  double density;     ///< of the fluid around the bodies, >= 0; 0: none [kg/m³]
  double viscosity;   ///< of the fluid, >= 0 [Pa s]
  double wind[3];     ///< velocity of the fluid [m/s]
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

#ifdef __cplusplus
}
#endif

#include <heft/builder.h>

#endif
