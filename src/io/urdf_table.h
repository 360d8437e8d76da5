// SPDX-License-Identifier: Apache-2.0
// Every URDF and SRDF element and attribute that Heft knows: one list for the reader's warnings and
// docs/manual/urdf-attributes.md, which tools/urdf_page.py writes.
//
//   E(name, parent elements, meaning)
//   A(name, type, default, meaning)       an attribute of the element above
//
// Elements of an SRDF have the parent "SRDF". A default of "required" means that a file without the
// attribute is refused; "" means that there is none.
#ifndef HEFT_SRC_IO_URDF_TABLE_H
#define HEFT_SRC_IO_URDF_TABLE_H

// clang-format off
#define URDF_TABLE(E, A)                                                                                 \
  E("robot", "", "the whole file")                                                                       \
  A("name", "text", "", "name of the robot; not stored")                                                 \
  A("version", "text", "", "version of the format; no effect")                                           \
  E("link", "robot", "a body")                                                                           \
  A("name", "text", "required", "its name; the root link named world is the world")                      \
  A("type", "text", "", "no effect")                                                                     \
  E("inertial", "link", "mass and moments; without it, a link has no mass")                              \
  E("mass", "inertial", "mass of the link")                                                              \
  A("value", "number", "required", "mass [kg], 0 or more")                                               \
  E("inertia", "inertial", "moments and products of inertia about the origin of the inertial")           \
  A("ixx", "number", "required", "moment about x [kg m²]")                                               \
  A("iyy", "number", "required", "moment about y [kg m²]")                                               \
  A("izz", "number", "required", "moment about z [kg m²]")                                               \
  A("ixy", "number", "0", "product of x and y [kg m²]")                                                  \
  A("ixz", "number", "0", "product of x and z [kg m²]")                                                  \
  A("iyz", "number", "0", "product of y and z [kg m²]")                                                  \
  E("origin", "inertial visual collision joint", "a pose in the frame of the link; of a joint, in that of its parent") \
  A("xyz", "3 numbers", "0 0 0", "position [m]")                                                         \
  A("rpy", "3 numbers", "0 0 0", "turns about the fixed axes x, y and z, in this order [rad]")           \
  E("visual", "link", "a shape that is drawn (group 2)")                                                 \
  A("name", "text", "", "its name; not stored")                                                          \
  E("collision", "link", "a shape that collides (group 3)")                                              \
  A("name", "text", "", "its name; not stored")                                                          \
  A("group", "text", "", "no effect")                                                                    \
  E("geometry", "visual collision", "has one of the five shapes below")                                  \
  E("box", "geometry", "a box about the origin")                                                         \
  A("size", "3 numbers", "required", "whole lengths of its edges [m], above 0")                          \
  E("sphere", "geometry", "a ball about the origin")                                                     \
  A("radius", "number", "required", "its radius [m], above 0")                                           \
  E("cylinder", "geometry", "a cylinder along z")                                                        \
  A("radius", "number", "required", "its radius [m], above 0")                                           \
  A("length", "number", "required", "its whole length [m], above 0")                                     \
  E("capsule", "geometry", "a cylinder along z with half balls at its ends")                             \
  A("radius", "number", "required", "its radius [m], above 0")                                           \
  A("length", "number", "required", "length of the cylinder without the half balls [m], above 0")        \
  E("mesh", "geometry", "triangles of a file; if it collides, their convex hull")                        \
  A("filename", "file", "required", "STL or OBJ; others by heft-mesh-convert; package://NAME/... by --package") \
  A("scale", "3 numbers", "1 1 1", "factors along x, y and z")                                           \
  E("material", "robot visual", "how a visual shape looks; one in robot is used by its name")            \
  A("name", "text", "", "its name")                                                                      \
  E("color", "material", "colour of the shape")                                                          \
  A("rgba", "4 numbers", "required", "red, green, blue, opacity, 0 to 1")                                \
  E("texture", "material", "image on the shape")                                                         \
  A("filename", "file", "", "a PNG file")                                                                \
  E("joint", "robot", "connects two links")                                                              \
  A("name", "text", "required", "its name")                                                              \
  A("type", "word", "required", "revolute, continuous, prismatic, fixed, floating or planar")            \
  E("parent", "joint", "the link that the joint is attached to")                                         \
  A("link", "name", "required", "name of the link")                                                      \
  E("child", "joint", "the link that the joint moves")                                                   \
  A("link", "name", "required", "name of the link")                                                      \
  E("axis", "joint", "axis of the joint")                                                                \
  A("xyz", "3 numbers", "1 0 0", "in the frame of the joint, of any length above 0; planar: its normal") \
  E("limit", "joint", "limits; revolute and prismatic joints must have them")                            \
  A("lower", "number", "0", "smallest coordinate [rad, m]")                                              \
  A("upper", "number", "0", "largest coordinate [rad, m]; 1e9 or more: none")                            \
  A("effort", "number", "0", "limit of the force of all actuators [N m, N]; 0 or 1e9 and more: none")    \
  A("velocity", "number", "0", "*not read:* a limit for controllers, not for the mechanism; the reader warns") \
  E("dynamics", "joint", "friction in the joint")                                                        \
  A("damping", "number", "0", "force per velocity [N m s/rad, N s/m]")                                   \
  A("friction", "number", "0", "largest force of dry friction [N m, N]")                                 \
  E("mimic", "joint", "the joint follows another one")                                                   \
  A("joint", "name", "required", "name of the other joint")                                              \
  A("multiplier", "number", "1", "factor of its coordinate")                                             \
  A("offset", "number", "0", "added to that [rad, m]")                                                   \
  E("heft", "robot", "what Heft adds, for all meshes that collide; other programs skip it")              \
  A("decompose", "number", "that of --decompose", "cuts meshes into convex pieces at most this far from them [m]") \
  A("pieces", "number", "that of --pieces", "largest number of pieces of a mesh, 1 to 1000")               \
  E("heft", "collision", "what Heft adds, for this shape; other programs skip it")                       \
  A("decompose", "number", "that of the robot", "as above, for this mesh [m]")                           \
  A("pieces", "number", "that of the robot", "as above, for this mesh")                                  \
  A("triangles", "number", "0", "1: the mesh collides as its triangles")                                 \
  A("friction", "number", "1", "coefficient of friction, 0 to 100")                                      \
  A("soft", "2 numbers", "", "the surface yields: stiffness [N/m] above 0, damping [N s/m]")             \
  A("area", "4 numbers", "", "it yields by area: modulus [Pa], thickness [m], dissipation [s/m], exponent 1 or 0.5") \
  E("robot", "SRDF", "the whole file of --srdf")                                                         \
  A("name", "text", "", "no effect")                                                                     \
  E("group_state", "robot of an SRDF", "a keyframe of the model")                                        \
  A("name", "text", "required", "its name; states of one name in several groups become one")             \
  A("group", "text", "", "no effect")                                                                    \
  E("joint", "group_state", "coordinate of a joint in the state")                                        \
  A("name", "name", "required", "name of the joint")                                                     \
  A("value", "number", "required", "coordinate [rad, m] of a joint that has one; other joints keep theirs") \
  E("disable_collisions", "robot of an SRDF", "two links that do not collide")                           \
  A("link1", "name", "required", "name of one link")                                                     \
  A("link2", "name", "required", "name of the other")                                                    \
  A("reason", "text", "", "no effect")
// clang-format on

#endif
