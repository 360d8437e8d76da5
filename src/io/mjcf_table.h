// SPDX-License-Identifier: Apache-2.0
// Every MJCF element and attribute that Heft knows: one list for the reader, the writer and
// docs/manual/mjcf-attributes.md.
//
//   E(id, name, parent element)
//   A(id, key, name, type, min, max, default, meaning)     an attribute of the element above
//
// Types: REAL and INT (min to max numbers), BOOL (true, false), TRI (true, false, auto), WORD (one
// of the words in the brackets of the meaning), TEXT, NAME (of another element), SKIP (known and
// skipped with a warning; the meaning gives the reason). A default of NULL means that there is no
// default. Angles in a file have the unit of <compiler angle>; the defaults here are zero or state
// their unit.
#ifndef HEFT_SRC_IO_MJCF_TABLE_H
#define HEFT_SRC_IO_MJCF_TABLE_H

// clang-format off
#define MJCF_ORIENTATION(A, id)                                                                          \
  A(id, quat, "quat", REAL, 4, 4, NULL, "orientation, w x y z")                                          \
  A(id, axisangle, "axisangle", REAL, 4, 4, NULL, "orientation: axis and angle")                         \
  A(id, euler, "euler", REAL, 3, 3, NULL, "orientation: three angles in the order of eulerseq")          \
  A(id, xyaxes, "xyaxes", REAL, 6, 6, NULL, "orientation: its x axis, and a y axis that is made perpendicular") \
  A(id, zaxis, "zaxis", REAL, 3, 3, NULL, "orientation: its z axis, by the smallest rotation")

#define MJCF_SOFT(A, id)                                                                                 \
  A(id, solref, "solref", SKIP, 0, 0, NULL, "contacts and constraints are exact; describe soft pads as bodies on springs, or choose the contact model penalty")\
  A(id, solimp, "solimp", SKIP, 0, 0, NULL, "contacts and constraints are exact; describe soft pads as bodies on springs, or choose the contact model penalty")

#define MJCF_SOFT_CONTACT(A, id)                                                                         \
  A(id, solref, "solref", SKIP, 0, 0, NULL, "contacts are rigid; load with soft contacts (--soft-contacts) to map it to stiffness and damping")\
  A(id, solimp, "solimp", SKIP, 0, 0, NULL, "contacts are rigid; load with soft contacts (--soft-contacts) to map it to stiffness and damping")

#define MJCF_ACTUATOR(A, id)                                                                             \
  A(id, name, "name", TEXT, 0, 0, "", "its name")                                                        \
  A(id, class, "class", NAME, 0, 0, NULL, "default class")                                               \
  A(id, group, "group", INT, 1, 1, "0", "group for viewers; not stored")                                 \
  A(id, joint, "joint", NAME, 0, 0, NULL, "acts on a joint")                                             \
  A(id, jointinparent, "jointinparent", NAME, 0, 0, NULL, "acts on a ball or free joint, in the parent's frame") \
  A(id, tendon, "tendon", NAME, 0, 0, NULL, "acts on a tendon")                                          \
  A(id, site, "site", NAME, 0, 0, NULL, "acts at a site with the wrench gear")                           \
  A(id, refsite, "refsite", NAME, 0, 0, NULL, "site in whose frame a site actuator acts")                \
  A(id, cranksite, "cranksite", NAME, 0, 0, NULL, "slider crank: site at the end of the crank")          \
  A(id, slidersite, "slidersite", NAME, 0, 0, NULL, "slider crank: site whose z axis is the slider")     \
  A(id, cranklength, "cranklength", REAL, 1, 1, "0", "slider crank: length of the rod [m]")              \
  A(id, body, "body", SKIP, 0, 0, NULL, "adhesion is not part of Heft")                                  \
  A(id, gear, "gear", REAL, 1, 6, "1 0 0 0 0 0", "ratio of actuator length to joint coordinate")         \
  A(id, ctrllimited, "ctrllimited", TRI, 0, 0, "auto", "whether ctrlrange applies; auto: if it is given") \
  A(id, ctrlrange, "ctrlrange", REAL, 2, 2, "0 0", "minimum and maximum control")                        \
  A(id, forcelimited, "forcelimited", TRI, 0, 0, "auto", "whether forcerange applies; auto: if it is given") \
  A(id, forcerange, "forcerange", REAL, 2, 2, "0 0", "minimum and maximum force [N, N m]")               \
  A(id, actlimited, "actlimited", TRI, 0, 0, "auto", "whether actrange applies; auto: if it is given")   \
  A(id, actrange, "actrange", REAL, 2, 2, "0 0", "minimum and maximum activation")                       \
  A(id, actearly, "actearly", BOOL, 0, 0, "false", "the force uses the next activation")                 \
  A(id, lengthrange, "lengthrange", SKIP, 0, 0, NULL, "only muscles use it")                             \
  A(id, user, "user", SKIP, 0, 0, NULL, "user data is not stored")

#define MJCF_TABLE(E, A)                                                                                 \
  E(mujoco, "mujoco", "the file")                                                                        \
  A(mujoco, model, "model", TEXT, 0, 0, "", "name of the model; not stored")                             \
  E(compiler, "compiler", "mujoco")                                                                      \
  A(compiler, angle, "angle", WORD, 0, 0, "degree", "unit of angles in the file (degree radian)")        \
  A(compiler, eulerseq, "eulerseq", TEXT, 0, 0, "xyz", "axes of euler: three of xyz (rotating axes) or XYZ (fixed axes)") \
  A(compiler, autolimits, "autolimits", BOOL, 0, 0, "true", "a range applies if it is given")            \
  A(compiler, meshdir, "meshdir", TEXT, 0, 0, "", "folder of mesh and height field files")               \
  A(compiler, texturedir, "texturedir", TEXT, 0, 0, "", "folder of texture files")                       \
  A(compiler, assetdir, "assetdir", TEXT, 0, 0, "", "folder of both, if meshdir or texturedir is not given") \
  A(compiler, strippath, "strippath", BOOL, 0, 0, "false", "only the last part of file names is used")   \
  A(compiler, inertiafromgeom, "inertiafromgeom", TRI, 0, 0, "auto", "inertia from geoms: true always, false never, auto if there is no inertial") \
  A(compiler, inertiagrouprange, "inertiagrouprange", INT, 2, 2, "0 5", "range of the groups of geoms that count for inertia") \
  A(compiler, balanceinertia, "balanceinertia", BOOL, 0, 0, "false", "if one principal moment is larger than the sum of the other two, their mean replaces all three") \
  A(compiler, boundmass, "boundmass", REAL, 1, 1, "0", "minimum mass of a moving body [kg]")             \
  A(compiler, boundinertia, "boundinertia", REAL, 1, 1, "0", "minimum moment of inertia of a moving body [kg m²]") \
  A(compiler, discardvisual, "discardvisual", BOOL, 0, 0, "false", "geoms that do not collide are left out") \
  A(compiler, exactmeshinertia, "exactmeshinertia", BOOL, 0, 0, "false", "mass of meshes by signed volumes") \
  A(compiler, fusestatic, "fusestatic", BOOL, 0, 0, "false", "no effect: Heft always moves welded bodies as one") \
  A(compiler, convexhull, "convexhull", BOOL, 0, 0, "true", "no effect: hulls are computed for meshes that collide") \
  A(compiler, usethread, "usethread", BOOL, 0, 0, "true", "no effect")                                   \
  A(compiler, alignfree, "alignfree", SKIP, 0, 0, NULL, "free bodies keep their frames")                 \
  A(compiler, settotalmass, "settotalmass", REAL, 1, 1, "-1", "masses and inertias are scaled to this total mass [kg]; 0 or less: they are not") \
  A(compiler, fitaabb, "fitaabb", BOOL, 0, 0, "false", "shapes that are fitted to meshes hold all vertices; only without it as in MuJoCo, which does not turn the centre") \
  A(compiler, coordinate, "coordinate", WORD, 0, 0, "local", "frame of coordinates (local)")             \
  A(compiler, saveinertial, "saveinertial", BOOL, 0, 0, "false", "no effect: the writer always writes inertials") \
  E(option, "option", "mujoco")                                                                          \
  A(option, timestep, "timestep", REAL, 1, 1, "0.002", "time step [s]")                                  \
  A(option, gravity, "gravity", REAL, 3, 3, "0 0 -9.81", "gravity [m/s²]")                               \
  A(option, integrator, "integrator", SKIP, 0, 0, NULL, "Heft has its own time stepping")                \
  A(option, solver, "solver", SKIP, 0, 0, NULL, "Heft has its own contact solvers")                      \
  A(option, cone, "cone", SKIP, 0, 0, NULL, "friction cones of Heft are always round")                   \
  A(option, jacobian, "jacobian", SKIP, 0, 0, NULL, "Heft has its own contact solvers")                  \
  A(option, iterations, "iterations", SKIP, 0, 0, NULL, "Heft has its own contact solvers")              \
  A(option, tolerance, "tolerance", SKIP, 0, 0, NULL, "Heft has its own contact solvers")                \
  A(option, ls_iterations, "ls_iterations", SKIP, 0, 0, NULL, "Heft has its own contact solvers")        \
  A(option, ls_tolerance, "ls_tolerance", SKIP, 0, 0, NULL, "Heft has its own contact solvers")          \
  A(option, noslip_iterations, "noslip_iterations", SKIP, 0, 0, NULL, "friction of Heft has no creep")   \
  A(option, noslip_tolerance, "noslip_tolerance", SKIP, 0, 0, NULL, "friction of Heft has no creep")     \
  A(option, ccd_iterations, "ccd_iterations", SKIP, 0, 0, NULL, "Heft has its own collision detection")  \
  A(option, ccd_tolerance, "ccd_tolerance", SKIP, 0, 0, NULL, "Heft has its own collision detection")    \
  A(option, impratio, "impratio", SKIP, 0, 0, NULL, "friction of Heft is not soft")                      \
  A(option, wind, "wind", REAL, 3, 3, "0 0 0", "velocity of the fluid [m/s]")                            \
  A(option, density, "density", REAL, 1, 1, "0", "density of the fluid [kg/m³]; each body is the box of its inertia") \
  A(option, viscosity, "viscosity", REAL, 1, 1, "0", "viscosity of the fluid [Pa s]")                    \
  A(option, magnetic, "magnetic", SKIP, 0, 0, NULL, "the program gives the field of magnetometers")      \
  A(option, o_margin, "o_margin", SKIP, 0, 0, NULL, "no global override of contacts")                    \
  A(option, o_solref, "o_solref", SKIP, 0, 0, NULL, "no global override of contacts")                    \
  A(option, o_solimp, "o_solimp", SKIP, 0, 0, NULL, "no global override of contacts")                    \
  A(option, o_friction, "o_friction", SKIP, 0, 0, NULL, "no global override of contacts")                \
  A(option, sdf_iterations, "sdf_iterations", SKIP, 0, 0, NULL, "Heft searches contacts of distance shapes its own way")    \
  A(option, sdf_initpoints, "sdf_initpoints", SKIP, 0, 0, NULL, "Heft searches contacts of distance shapes its own way")    \
  A(option, actuatorgroupdisable, "actuatorgroupdisable", SKIP, 0, 0, NULL, "actuators have no groups")  \
  E(include, "include", "anywhere")                                                                      \
  A(include, file, "file", TEXT, 0, 0, NULL, "file whose content is inserted here")                      \
  E(default, "default", "mujoco, default")                                                               \
  A(default, class, "class", TEXT, 0, 0, NULL, "name of the class")                                      \
  E(mesh, "mesh", "asset")                                                                               \
  A(mesh, name, "name", TEXT, 0, 0, NULL, "its name; if not given, the name of the file")                \
  A(mesh, class, "class", NAME, 0, 0, NULL, "default class")                                             \
  A(mesh, file, "file", TEXT, 0, 0, NULL, "STL or OBJ file")                                             \
  A(mesh, content_type, "content_type", SKIP, 0, 0, NULL, "the content of the file gives its type")      \
  A(mesh, vertex, "vertex", TEXT, 0, 0, NULL, "vertices, instead of a file [m]")                         \
  A(mesh, face, "face", TEXT, 0, 0, NULL, "triangles of these vertices; if not given, their convex hull") \
  A(mesh, scale, "scale", REAL, 3, 3, "1 1 1", "factors for x, y, z")                                    \
  A(mesh, refpos, "refpos", REAL, 3, 3, "0 0 0", "point in the file that becomes the origin of the mesh [m]") \
  A(mesh, refquat, "refquat", REAL, 4, 4, "1 0 0 0", "orientation in the file that becomes the orientation of the mesh") \
  A(mesh, inertia, "inertia", WORD, 0, 0, "legacy", "method for its mass (legacy exact convex shell)")   \
  A(mesh, smoothnormal, "smoothnormal", SKIP, 0, 0, NULL, "the viewer computes normals")                 \
  A(mesh, maxhullvert, "maxhullvert", SKIP, 0, 0, NULL, "hulls have all their vertices")                 \
  A(mesh, normal, "normal", SKIP, 0, 0, NULL, "the viewer computes normals")                             \
  A(mesh, texcoord, "texcoord", TEXT, 0, 0, NULL, "texture coordinates of the vertices or of the corners of triangles") \
  E(plugin, "plugin", "mesh")                                                                            \
  A(plugin, plugin, "plugin", TEXT, 0, 0, NULL, "distance shape: heft.torus, heft.cup, heft.hook, heft.gear, heft.bolt, heft.nut, heft.grid, or mujoco.sdf.torus") \
  E(config, "config", "plugin")                                                                          \
  A(config, key, "key", TEXT, 0, 0, NULL, "name of a number of the distance shape, or spacing: of the vertices of its triangles [m]") \
  A(config, value, "value", TEXT, 0, 0, NULL, "the number [m, rad]")                                     \
  E(hfield, "hfield", "asset")                                                                           \
  A(hfield, name, "name", TEXT, 0, 0, NULL, "its name; if not given, the name of the file")              \
  A(hfield, file, "file", TEXT, 0, 0, NULL, "PNG image, or binary file: int32 rows, int32 columns, float32 heights") \
  A(hfield, content_type, "content_type", SKIP, 0, 0, NULL, "the content of the file gives its type")    \
  A(hfield, nrow, "nrow", INT, 1, 1, "0", "rows, if there is no file")                                   \
  A(hfield, ncol, "ncol", INT, 1, 1, "0", "columns, if there is no file")                                \
  A(hfield, elevation, "elevation", TEXT, 0, 0, NULL, "heights, if there is no file; scaled to 0 ... 1") \
  A(hfield, size, "size", REAL, 4, 4, NULL, "half width, half depth, height of the value 1, thickness below zero [m]") \
  E(texture, "texture", "asset")                                                                         \
  A(texture, name, "name", TEXT, 0, 0, "", "its name")                                                   \
  A(texture, type, "type", WORD, 0, 0, "cube", "type of texture (2d cube skybox)")                       \
  A(texture, builtin, "builtin", WORD, 0, 0, "none", "pattern, if there is no file (none gradient checker flat)") \
  A(texture, mark, "mark", WORD, 0, 0, "none", "marks on it (none edge cross random)")                   \
  A(texture, file, "file", TEXT, 0, 0, NULL, "image; the model stores its path for the viewer")          \
  A(texture, rgb1, "rgb1", REAL, 3, 3, "0.8 0.8 0.8", "first colour")                                    \
  A(texture, rgb2, "rgb2", REAL, 3, 3, "0.5 0.5 0.5", "second colour")                                   \
  A(texture, markrgb, "markrgb", REAL, 3, 3, "0 0 0", "colour of the mark")                              \
  A(texture, width, "width", INT, 1, 1, "0", "[pixels]")                                                 \
  A(texture, height, "height", INT, 1, 1, "0", "[pixels]")                                               \
  A(texture, random, "random", SKIP, 0, 0, NULL, "the viewer places random dots")                        \
  A(texture, gridsize, "gridsize", SKIP, 0, 0, NULL, "the whole image is used")                          \
  A(texture, gridlayout, "gridlayout", SKIP, 0, 0, NULL, "the whole image is used")                      \
  A(texture, fileright, "fileright", SKIP, 0, 0, NULL, "the whole image is used")                        \
  A(texture, fileleft, "fileleft", SKIP, 0, 0, NULL, "the whole image is used")                          \
  A(texture, fileup, "fileup", SKIP, 0, 0, NULL, "the whole image is used")                              \
  A(texture, filedown, "filedown", SKIP, 0, 0, NULL, "the whole image is used")                          \
  A(texture, filefront, "filefront", SKIP, 0, 0, NULL, "the whole image is used")                        \
  A(texture, fileback, "fileback", SKIP, 0, 0, NULL, "the whole image is used")                          \
  A(texture, hflip, "hflip", SKIP, 0, 0, NULL, "images are used as they are")                            \
  A(texture, vflip, "vflip", SKIP, 0, 0, NULL, "images are used as they are")                            \
  A(texture, nchannel, "nchannel", SKIP, 0, 0, NULL, "images are used as they are")                      \
  A(texture, colorspace, "colorspace", SKIP, 0, 0, NULL, "images are used as they are")                  \
  A(texture, content_type, "content_type", SKIP, 0, 0, NULL, "the content of the file gives its type")   \
  E(material, "material", "asset")                                                                       \
  A(material, name, "name", TEXT, 0, 0, NULL, "its name")                                                \
  A(material, class, "class", NAME, 0, 0, NULL, "default class")                                         \
  A(material, texture, "texture", NAME, 0, 0, NULL, "its texture")                                       \
  A(material, texrepeat, "texrepeat", REAL, 2, 2, "1 1", "number of repetitions of the texture on the surface") \
  A(material, texuniform, "texuniform", BOOL, 0, 0, "false", "texrepeat is per metre")                   \
  A(material, emission, "emission", REAL, 1, 1, "0", "emitted light")                                    \
  A(material, specular, "specular", REAL, 1, 1, "0.5", "specular reflection")                            \
  A(material, shininess, "shininess", REAL, 1, 1, "0.5", "sharpness of highlights")                      \
  A(material, reflectance, "reflectance", REAL, 1, 1, "0", "mirror reflection")                          \
  A(material, metallic, "metallic", SKIP, 0, 0, NULL, "the viewer has no metals")                        \
  A(material, roughness, "roughness", SKIP, 0, 0, NULL, "the viewer has no roughness")                   \
  A(material, rgba, "rgba", REAL, 4, 4, "1 1 1 1", "colour and opacity")                                 \
  E(model, "model", "asset")                                                                             \
  A(model, name, "name", TEXT, 0, 0, NULL, "its name; if not given, the name of the model in the file")  \
  A(model, file, "file", TEXT, 0, 0, NULL, "MJCF file whose bodies can be attached")                     \
  A(model, content_type, "content_type", SKIP, 0, 0, NULL, "the content of the file gives its type")     \
  E(body, "body", "worldbody, body, frame, replicate")                                                   \
  A(body, name, "name", TEXT, 0, 0, "", "its name")                                                      \
  A(body, childclass, "childclass", NAME, 0, 0, NULL, "default class of all elements in it")             \
  A(body, pos, "pos", REAL, 3, 3, "0 0 0", "origin in the parent's frame [m]")                           \
  MJCF_ORIENTATION(A, body)                                                                              \
  A(body, gravcomp, "gravcomp", REAL, 1, 1, "0", "fraction of its weight that is compensated")           \
  A(body, mocap, "mocap", BOOL, 0, 0, "false", "the program prescribes its motion")                      \
  A(body, sleep, "sleep", SKIP, 0, 0, NULL, "Heft decides which bodies sleep")                           \
  A(body, user, "user", SKIP, 0, 0, NULL, "user data is not stored")                                     \
  E(worldbody, "worldbody", "mujoco")                                                                    \
  A(worldbody, childclass, "childclass", NAME, 0, 0, NULL, "default class of all elements in it")        \
  E(frame, "frame", "worldbody, body, frame, replicate")                                                 \
  A(frame, name, "name", TEXT, 0, 0, "", "its name; not stored")                                         \
  A(frame, childclass, "childclass", NAME, 0, 0, NULL, "default class of all elements in it")            \
  A(frame, pos, "pos", REAL, 3, 3, "0 0 0", "origin [m]")                                                \
  MJCF_ORIENTATION(A, frame)                                                                             \
  E(replicate, "replicate", "worldbody, body, frame, replicate")                                         \
  A(replicate, count, "count", INT, 1, 1, NULL, "number of copies of its content")                       \
  A(replicate, sep, "sep", TEXT, 0, 0, "", "text between a name and the number of the copy")             \
  A(replicate, offset, "offset", REAL, 3, 3, "0 0 0", "offset from one copy to the next [m]")            \
  A(replicate, euler, "euler", REAL, 3, 3, "0 0 0", "rotation from one copy to the next")                \
  E(attach, "attach", "worldbody, body, frame, replicate")                                               \
  A(attach, model, "model", NAME, 0, 0, NULL, "model of the assets")                                     \
  A(attach, body, "body", TEXT, 0, 0, NULL, "body of that model; if not given, its whole worldbody")     \
  A(attach, prefix, "prefix", TEXT, 0, 0, "", "prefix of every name of that model")                      \
  E(inertial, "inertial", "body")                                                                        \
  A(inertial, pos, "pos", REAL, 3, 3, "0 0 0", "centre of mass in the body's frame [m]")                 \
  MJCF_ORIENTATION(A, inertial)                                                                          \
  A(inertial, mass, "mass", REAL, 1, 1, NULL, "mass [kg]")                                               \
  A(inertial, diaginertia, "diaginertia", REAL, 3, 3, NULL, "principal moments of inertia [kg m²]")      \
  A(inertial, fullinertia, "fullinertia", REAL, 6, 6, NULL, "xx yy zz xy xz yz along the body's axes [kg m²]") \
  E(joint, "joint", "body")                                                                              \
  A(joint, name, "name", TEXT, 0, 0, "", "its name")                                                     \
  A(joint, class, "class", NAME, 0, 0, NULL, "default class")                                            \
  A(joint, type, "type", WORD, 0, 0, "hinge", "joint type (free ball slide hinge)")                      \
  A(joint, pos, "pos", REAL, 3, 3, "0 0 0", "anchor in the body's frame [m]")                            \
  A(joint, axis, "axis", REAL, 3, 3, "0 0 1", "axis in the body's frame")                                \
  A(joint, ref, "ref", REAL, 1, 1, "0", "coordinate in the pose of the file")                            \
  A(joint, springref, "springref", REAL, 1, 1, "0", "coordinate at which the spring exerts no force")    \
  A(joint, range, "range", REAL, 2, 2, "0 0", "minimum and maximum coordinate; ball: 0 and the maximum angle") \
  A(joint, limited, "limited", TRI, 0, 0, "auto", "whether range applies; auto: if it is given")         \
  A(joint, stiffness, "stiffness", REAL, 1, 1, "0", "spring [N/m, N m/rad]")                             \
  A(joint, damping, "damping", REAL, 1, 1, "0", "viscous resistance [N s/m, N m s/rad]")                 \
  A(joint, frictionloss, "frictionloss", REAL, 1, 1, "0", "dry friction [N, N m]")                       \
  A(joint, armature, "armature", REAL, 1, 1, "0", "inertia of rotor and gears [kg, kg m²]")              \
  A(joint, actuatorfrcrange, "actuatorfrcrange", REAL, 2, 2, "0 0", "minimum and maximum total force of its actuators [N, N m]") \
  A(joint, actuatorfrclimited, "actuatorfrclimited", TRI, 0, 0, "auto", "actuatorfrcrange applies")      \
  A(joint, actuatorgravcomp, "actuatorgravcomp", SKIP, 0, 0, NULL, "gravity compensation is no actuator force") \
  A(joint, springdamper, "springdamper", REAL, 2, 2, NULL, "time constant [s] and damping ratio; if both are positive, stiffness and damping follow from them and the inertia in the pose of the file") \
  A(joint, margin, "margin", SKIP, 0, 0, NULL, "limits of Heft act at the limit itself")                 \
  A(joint, solreflimit, "solreflimit", SKIP, 0, 0, NULL, "limits of Heft are not soft")                  \
  A(joint, solimplimit, "solimplimit", SKIP, 0, 0, NULL, "limits of Heft are not soft")                  \
  A(joint, solreffriction, "solreffriction", SKIP, 0, 0, NULL, "friction of Heft is not soft")           \
  A(joint, solimpfriction, "solimpfriction", SKIP, 0, 0, NULL, "friction of Heft is not soft")           \
  A(joint, group, "group", INT, 1, 1, "0", "group for viewers; not stored")                              \
  A(joint, user, "user", SKIP, 0, 0, NULL, "user data is not stored")                                    \
  E(freejoint, "freejoint", "body")                                                                      \
  A(freejoint, name, "name", TEXT, 0, 0, "", "its name")                                                 \
  A(freejoint, group, "group", INT, 1, 1, "0", "group for viewers; not stored")                          \
  A(freejoint, align, "align", SKIP, 0, 0, NULL, "free bodies keep their frames")                        \
  E(geom, "geom", "worldbody, body, frame, replicate")                                                   \
  A(geom, name, "name", TEXT, 0, 0, "", "its name")                                                      \
  A(geom, class, "class", NAME, 0, 0, NULL, "default class")                                             \
  A(geom, type, "type", WORD, 0, 0, "sphere", "its shape (plane hfield sphere capsule ellipsoid cylinder box mesh sdf)") \
  A(geom, pos, "pos", REAL, 3, 3, "0 0 0", "origin in the body's frame [m]")                             \
  MJCF_ORIENTATION(A, geom)                                                                              \
  A(geom, fromto, "fromto", REAL, 6, 6, NULL, "two ends of a capsule, cylinder, ellipsoid or box, instead of pose and length [m]") \
  A(geom, size, "size", REAL, 1, 3, NULL, "radius, half length; half sizes [m]")                         \
  A(geom, mesh, "mesh", NAME, 0, 0, NULL, "its mesh")                                                    \
  A(geom, hfield, "hfield", NAME, 0, 0, NULL, "its height field")                                        \
  A(geom, mass, "mass", REAL, 1, 1, NULL, "mass, instead of density [kg]")                               \
  A(geom, density, "density", REAL, 1, 1, "1000", "density [kg/m³], used if the body has no inertial")   \
  A(geom, shellinertia, "shellinertia", BOOL, 0, 0, "false", "the mass is on the surface (meshes only)") \
  A(geom, contype, "contype", INT, 1, 1, "1", "bits: the kinds it belongs to")                           \
  A(geom, conaffinity, "conaffinity", INT, 1, 1, "1", "bits: the kinds it collides with")                \
  A(geom, condim, "condim", INT, 1, 1, "3", "1: no friction, 3: sliding, 4: sliding and torsion, 6: sliding, torsion and rolling") \
  A(geom, priority, "priority", INT, 1, 1, "0", "in a pair, the friction of the geom with the higher priority is used") \
  A(geom, friction, "friction", REAL, 1, 3, "1 0.005 0.0001", "sliding coefficient, torsion [m], rolling [m]") \
  A(geom, margin, "margin", REAL, 1, 1, "0", "distance at which contacts are detected [m]")              \
  A(geom, gap, "gap", REAL, 1, 1, "0", "contacts farther apart than margin - gap carry no force [m]")    \
  A(geom, group, "group", INT, 1, 1, "0", "for viewers and inertiagrouprange")                           \
  A(geom, material, "material", NAME, 0, 0, NULL, "material of its appearance")                          \
  A(geom, rgba, "rgba", REAL, 4, 4, "0.5 0.5 0.5 1", "colour and opacity")                               \
  A(geom, solmix, "solmix", SKIP, 0, 0, NULL, "only soft contacts (--soft-contacts) use it")                         \
  MJCF_SOFT_CONTACT(A, geom)                                                                             \
  A(geom, fitscale, "fitscale", REAL, 1, 1, "1", "factor of the sizes of a shape that is fitted to a mesh") \
  A(geom, fluidshape, "fluidshape", SKIP, 0, 0, NULL, "the fluid acts on the box of a body's inertia, not on ellipsoids") \
  A(geom, fluidcoef, "fluidcoef", SKIP, 0, 0, NULL, "coefficients of ellipsoids, see fluidshape")        \
  A(geom, user, "user", SKIP, 0, 0, NULL, "user data is not stored")                                     \
  E(flexcomp, "flexcomp", "worldbody, body, frame, replicate")                                           \
  A(flexcomp, name, "name", TEXT, 0, 0, NULL, "its name; vertex i is the body NAME_i")                   \
  A(flexcomp, type, "type", WORD, 0, 0, "grid", "source of its vertices (grid box cylinder ellipsoid mesh gmsh direct square disc circle)")\
  A(flexcomp, dim, "dim", INT, 1, 1, "2", "3: a solid of tetrahedra, which becomes a deformable body; ropes and cloth are left out with a warning")\
  A(flexcomp, count, "count", INT, 1, 3, "10 10 10", "vertices along the axes of grid, box, cylinder, ellipsoid")\
  A(flexcomp, spacing, "spacing", REAL, 1, 3, "0.02 0.02 0.02", "their distance along the axes [m]")     \
  A(flexcomp, point, "point", TEXT, 0, 0, NULL, "vertices of the type direct [m]")                       \
  A(flexcomp, element, "element", TEXT, 0, 0, NULL, "tetrahedra of the type direct: four vertices each") \
  A(flexcomp, file, "file", TEXT, 0, 0, NULL, "file of the type gmsh (.msh), or mesh (STL or OBJ; its triangles and the point origin make tetrahedra)")\
  A(flexcomp, origin, "origin", REAL, 3, 3, "0 0 0", "point inside a mesh [m]")                          \
  A(flexcomp, scale, "scale", REAL, 3, 3, "1 1 1", "factors for x, y, z of mesh, gmsh and direct")       \
  A(flexcomp, pos, "pos", REAL, 3, 3, "0 0 0", "origin in the body's frame [m]")                         \
  MJCF_ORIENTATION(A, flexcomp)                                                                          \
  A(flexcomp, mass, "mass", REAL, 1, 1, "1", "mass [kg]; Heft spreads it over the volume, MuJoCo over the vertices")\
  A(flexcomp, inertiabox, "inertiabox", REAL, 1, 1, "0.005", "no effect: vertices do not rotate")        \
  A(flexcomp, radius, "radius", REAL, 1, 1, "0.005", "of the spheres by which vertices of the surface touch other shapes [m]")\
  A(flexcomp, rigid, "rigid", BOOL, 0, 0, "false", "true: it is left out with a warning")                \
  A(flexcomp, dof, "dof", WORD, 0, 0, "full", "its motion (full radial trilinear quadratic); all vertices move in Heft")\
  A(flexcomp, material, "material", NAME, 0, 0, NULL, "look, for its colour")                            \
  A(flexcomp, rgba, "rgba", REAL, 4, 4, "0.5 0.5 0.5 1", "colour and opacity, 0 to 1")                   \
  A(flexcomp, group, "group", INT, 1, 1, "0", "group for viewers; not stored")                           \
  A(flexcomp, flatskin, "flatskin", BOOL, 0, 0, "false", "no effect: edges that are sharp at rest stay sharp")\
  A(flexcomp, texcoord, "texcoord", SKIP, 0, 0, NULL, "deformable bodies have one colour")               \
  A(flexcomp, cellcount, "cellcount", SKIP, 0, 0, NULL, "all vertices move in Heft")                     \
  E(elasticity, "elasticity", "flexcomp")                                                                \
  A(elasticity, young, "young", REAL, 1, 1, "0", "Young's modulus [Pa]; must be given")                  \
  A(elasticity, poisson, "poisson", REAL, 1, 1, "0", "Poisson's ratio, 0 to 0.49")                       \
  A(elasticity, damping, "damping", REAL, 1, 1, "0", "viscosity: damping matrix in stiffness matrices [s]")\
  A(elasticity, thickness, "thickness", SKIP, 0, 0, NULL, "only cloth uses it")                          \
  A(elasticity, elastic2d, "elastic2d", SKIP, 0, 0, NULL, "only cloth uses it")                          \
  E(flexcontact, "contact", "flexcomp")                                                                  \
  A(flexcontact, contype, "contype", INT, 1, 1, "1", "collision categories, as bits")                    \
  A(flexcontact, conaffinity, "conaffinity", INT, 1, 1, "1", "categories that it collides with, as bits")\
  A(flexcontact, condim, "condim", INT, 1, 1, "3", "1: no friction, 3: friction, 4: with torsion, 6: with rolling")\
  A(flexcontact, friction, "friction", REAL, 1, 3, "1 0.005 0.0001", "sliding friction, torsional [m], rolling [m]")\
  A(flexcontact, priority, "priority", SKIP, 0, 0, NULL, "friction of a contact is that of both materials")\
  A(flexcontact, solmix, "solmix", SKIP, 0, 0, NULL, "contacts are rigid")                               \
  A(flexcontact, solref, "solref", SKIP, 0, 0, NULL, "contacts are rigid")                               \
  A(flexcontact, solimp, "solimp", SKIP, 0, 0, NULL, "contacts are rigid")                               \
  A(flexcontact, margin, "margin", SKIP, 0, 0, NULL, "contacts are exact")                               \
  A(flexcontact, gap, "gap", SKIP, 0, 0, NULL, "contacts are exact")                                     \
  A(flexcontact, internal, "internal", SKIP, 0, 0, NULL, "it touches itself, on all sides")      \
  A(flexcontact, selfcollide, "selfcollide", SKIP, 0, 0, NULL, "it touches itself, on all sides")\
  A(flexcontact, vertcollide, "vertcollide", SKIP, 0, 0, NULL, "the surface touches by vertices, edges and triangles")\
  A(flexcontact, activelayers, "activelayers", SKIP, 0, 0, NULL, "it touches itself, on all sides")\
  A(flexcontact, passive, "passive", SKIP, 0, 0, NULL, "contacts are exact")                             \
  E(edge, "edge", "flexcomp")                                                                            \
  A(edge, equality, "equality", SKIP, 0, 0, NULL, "tetrahedra are elastic, by the element elasticity")   \
  A(edge, solref, "solref", SKIP, 0, 0, NULL, "tetrahedra are elastic, by the element elasticity")       \
  A(edge, solimp, "solimp", SKIP, 0, 0, NULL, "tetrahedra are elastic, by the element elasticity")       \
  A(edge, stiffness, "stiffness", SKIP, 0, 0, NULL, "tetrahedra are elastic, by the element elasticity") \
  A(edge, damping, "damping", SKIP, 0, 0, NULL, "tetrahedra are elastic, by the element elasticity")     \
  E(pin, "pin", "flexcomp")                                                                              \
  A(pin, id, "id", TEXT, 0, 0, NULL, "vertices that are fixed to the body")                              \
  A(pin, range, "range", TEXT, 0, 0, NULL, "first and last vertex of ranges that are fixed")             \
  A(pin, grid, "grid", TEXT, 0, 0, NULL, "vertices of a grid that are fixed: x y z each")                \
  A(pin, gridrange, "gridrange", TEXT, 0, 0, NULL, "boxes of vertices of a grid that are fixed: first x y z, last x y z each")\
  E(site, "site", "worldbody, body, frame, replicate")                                                   \
  A(site, name, "name", TEXT, 0, 0, "", "its name")                                                      \
  A(site, class, "class", NAME, 0, 0, NULL, "default class")                                             \
  A(site, type, "type", WORD, 0, 0, "sphere", "shape of its zone (sphere capsule ellipsoid cylinder box)") \
  A(site, pos, "pos", REAL, 3, 3, "0 0 0", "origin in the body's frame [m]")                             \
  MJCF_ORIENTATION(A, site)                                                                              \
  A(site, fromto, "fromto", REAL, 6, 6, NULL, "two ends, instead of pose and length [m]")                \
  A(site, size, "size", REAL, 1, 3, "0.005 0.005 0.005", "size of its zone [m]")                         \
  A(site, group, "group", INT, 1, 1, "0", "for viewers")                                                 \
  A(site, material, "material", NAME, 0, 0, NULL, "its colour, if rgba is not given")                    \
  A(site, rgba, "rgba", REAL, 4, 4, "0.5 0.5 0.5 1", "colour and opacity")                               \
  A(site, user, "user", SKIP, 0, 0, NULL, "user data is not stored")                                     \
  E(camera, "camera", "worldbody, body, frame, replicate")                                               \
  A(camera, name, "name", TEXT, 0, 0, "", "its name")                                                    \
  A(camera, class, "class", NAME, 0, 0, NULL, "default class")                                           \
  A(camera, mode, "mode", WORD, 0, 0, "fixed", "mode of following (fixed track trackcom targetbody targetbodycom)") \
  A(camera, target, "target", NAME, 0, 0, NULL, "body that it points at")                                \
  A(camera, pos, "pos", REAL, 3, 3, "0 0 0", "in the body's frame [m]")                                  \
  MJCF_ORIENTATION(A, camera)                                                                            \
  A(camera, fovy, "fovy", REAL, 1, 1, "45", "vertical opening angle, always in degrees")                 \
  A(camera, ipd, "ipd", SKIP, 0, 0, NULL, "cameras are not stereoscopic")                                \
  A(camera, resolution, "resolution", SKIP, 0, 0, NULL, "the viewer chooses the resolution")             \
  A(camera, projection, "projection", SKIP, 0, 0, NULL, "cameras have a perspective projection")         \
  A(camera, orthographic, "orthographic", SKIP, 0, 0, NULL, "cameras have a perspective projection")     \
  A(camera, focal, "focal", SKIP, 0, 0, NULL, "use fovy")                                                \
  A(camera, focalpixel, "focalpixel", SKIP, 0, 0, NULL, "use fovy")                                      \
  A(camera, principal, "principal", SKIP, 0, 0, NULL, "use fovy")                                        \
  A(camera, principalpixel, "principalpixel", SKIP, 0, 0, NULL, "use fovy")                              \
  A(camera, sensorsize, "sensorsize", SKIP, 0, 0, NULL, "use fovy")                                      \
  A(camera, output, "output", SKIP, 0, 0, NULL, "the viewer chooses what is drawn")                      \
  A(camera, user, "user", SKIP, 0, 0, NULL, "user data is not stored")                                   \
  E(light, "light", "worldbody, body, frame, replicate")                                                 \
  A(light, name, "name", TEXT, 0, 0, "", "its name")                                                     \
  A(light, class, "class", NAME, 0, 0, NULL, "default class")                                            \
  A(light, mode, "mode", WORD, 0, 0, "fixed", "mode of following (fixed track trackcom targetbody targetbodycom)") \
  A(light, target, "target", NAME, 0, 0, NULL, "body that it points at")                                 \
  A(light, type, "type", WORD, 0, 0, NULL, "rays (spot directional point)")                              \
  A(light, directional, "directional", BOOL, 0, 0, "false", "parallel rays")                             \
  A(light, castshadow, "castshadow", BOOL, 0, 0, "true", "casts shadows")                                \
  A(light, active, "active", BOOL, 0, 0, "true", "on")                                                   \
  A(light, pos, "pos", REAL, 3, 3, "0 0 0", "in the body's frame [m]")                                   \
  A(light, dir, "dir", REAL, 3, 3, "0 0 -1", "direction in the body's frame")                            \
  A(light, attenuation, "attenuation", REAL, 3, 3, "1 0 0", "constant, linear, quadratic")               \
  A(light, cutoff, "cutoff", REAL, 1, 1, "45", "half opening angle, always in degrees")                  \
  A(light, exponent, "exponent", REAL, 1, 1, "10", "exponent of the intensity towards the rim of the spot") \
  A(light, ambient, "ambient", REAL, 3, 3, "0 0 0", "colour")                                            \
  A(light, diffuse, "diffuse", REAL, 3, 3, "0.7 0.7 0.7", "colour")                                      \
  A(light, specular, "specular", REAL, 3, 3, "0.3 0.3 0.3", "colour")                                    \
  A(light, bulbradius, "bulbradius", SKIP, 0, 0, NULL, "shadows of the viewer are hard")                 \
  A(light, intensity, "intensity", SKIP, 0, 0, NULL, "lights of the viewer have colours only")           \
  A(light, range, "range", SKIP, 0, 0, NULL, "lights of the viewer have colours only")                   \
  A(light, texture, "texture", SKIP, 0, 0, NULL, "lights of the viewer have colours only")               \
  E(pair, "pair", "contact")                                                                             \
  A(pair, name, "name", TEXT, 0, 0, "", "its name")                                                      \
  A(pair, class, "class", NAME, 0, 0, NULL, "default class")                                             \
  A(pair, geom1, "geom1", NAME, 0, 0, NULL, "one geom")                                                  \
  A(pair, geom2, "geom2", NAME, 0, 0, NULL, "the other geom")                                            \
  A(pair, condim, "condim", INT, 1, 1, NULL, "as of geoms; if not given, the larger of the two")         \
  A(pair, friction, "friction", REAL, 1, 5, NULL, "two sliding coefficients (the first along the x axis of geom1), torsion [m], two rolling [m]; if not given, those of the geoms") \
  A(pair, margin, "margin", REAL, 1, 1, NULL, "as of geoms; if not given, the larger of the two [m]")    \
  A(pair, gap, "gap", REAL, 1, 1, NULL, "as of geoms; if not given, the larger of the two [m]")          \
  A(pair, solreffriction, "solreffriction", SKIP, 0, 0, NULL, "contacts of Heft are not soft")           \
  MJCF_SOFT_CONTACT(A, pair)                                                                             \
  E(exclude, "exclude", "contact")                                                                       \
  A(exclude, name, "name", TEXT, 0, 0, "", "its name")                                                   \
  A(exclude, body1, "body1", NAME, 0, 0, NULL, "one body")                                               \
  A(exclude, body2, "body2", NAME, 0, 0, NULL, "the other body")                                         \
  E(connect, "connect", "equality")                                                                      \
  A(connect, name, "name", TEXT, 0, 0, "", "its name")                                                   \
  A(connect, class, "class", NAME, 0, 0, NULL, "default class")                                          \
  A(connect, active, "active", BOOL, 0, 0, "true", "active at the start")                                \
  A(connect, body1, "body1", NAME, 0, 0, NULL, "one body")                                               \
  A(connect, body2, "body2", NAME, 0, 0, NULL, "the other body; if not given, the world")                \
  A(connect, anchor, "anchor", REAL, 3, 3, NULL, "common point, in body 1 [m]")                          \
  A(connect, site1, "site1", NAME, 0, 0, NULL, "point of one body, instead of bodies and anchor")        \
  A(connect, site2, "site2", NAME, 0, 0, NULL, "point of the other body")                                \
  MJCF_SOFT(A, connect)                                                                                  \
  E(weld, "weld", "equality")                                                                            \
  A(weld, name, "name", TEXT, 0, 0, "", "its name")                                                      \
  A(weld, class, "class", NAME, 0, 0, NULL, "default class")                                             \
  A(weld, active, "active", BOOL, 0, 0, "true", "active at the start")                                   \
  A(weld, body1, "body1", NAME, 0, 0, NULL, "one body")                                                  \
  A(weld, body2, "body2", NAME, 0, 0, NULL, "the other body; if not given, the world")                   \
  A(weld, relpose, "relpose", REAL, 7, 7, NULL, "pose of body 2 in body 1; if the quaternion is zero, the pose of the file") \
  A(weld, anchor, "anchor", REAL, 3, 3, "0 0 0", "common point, in body 2 [m]")                          \
  A(weld, site1, "site1", NAME, 0, 0, NULL, "frame of one body, instead of bodies, anchor and relpose")  \
  A(weld, site2, "site2", NAME, 0, 0, NULL, "frame of the other body")                                   \
  A(weld, torquescale, "torquescale", SKIP, 0, 0, NULL, "welds of Heft are not soft")                    \
  MJCF_SOFT(A, weld)                                                                                     \
  E(eqjoint, "joint", "equality")                                                                        \
  A(eqjoint, name, "name", TEXT, 0, 0, "", "its name")                                                   \
  A(eqjoint, class, "class", NAME, 0, 0, NULL, "default class")                                          \
  A(eqjoint, active, "active", BOOL, 0, 0, "true", "active at the start")                                \
  A(eqjoint, joint1, "joint1", NAME, 0, 0, NULL, "the joint that follows")                               \
  A(eqjoint, joint2, "joint2", NAME, 0, 0, NULL, "the joint that leads; if not given, a constant")       \
  A(eqjoint, polycoef, "polycoef", REAL, 1, 5, "0 1 0 0 0", "polynomial, both joints counted from ref")  \
  MJCF_SOFT(A, eqjoint)                                                                                  \
  E(eqtendon, "tendon", "equality")                                                                      \
  A(eqtendon, name, "name", TEXT, 0, 0, "", "its name")                                                  \
  A(eqtendon, class, "class", NAME, 0, 0, NULL, "default class")                                         \
  A(eqtendon, active, "active", BOOL, 0, 0, "true", "active at the start")                               \
  A(eqtendon, tendon1, "tendon1", NAME, 0, 0, NULL, "the tendon that follows")                           \
  A(eqtendon, tendon2, "tendon2", NAME, 0, 0, NULL, "the tendon that leads; if not given, a constant")   \
  A(eqtendon, polycoef, "polycoef", REAL, 1, 5, "0 1 0 0 0", "polynomial, both lengths counted from the file's pose") \
  MJCF_SOFT(A, eqtendon)                                                                                 \
  E(tendon, "spatial, fixed", "tendon")                                                                  \
  A(tendon, name, "name", TEXT, 0, 0, "", "its name")                                                    \
  A(tendon, class, "class", NAME, 0, 0, NULL, "default class")                                           \
  A(tendon, limited, "limited", TRI, 0, 0, "auto", "whether range applies; auto: if it is given")        \
  A(tendon, range, "range", REAL, 2, 2, "0 0", "minimum and maximum length [m]")                         \
  A(tendon, springlength, "springlength", REAL, 1, 2, "-1 -1", "the spring exerts no force between these lengths [m]; -1: the length in the file") \
  A(tendon, stiffness, "stiffness", REAL, 1, 1, "0", "[N/m]")                                            \
  A(tendon, damping, "damping", REAL, 1, 1, "0", "[N s/m]")                                              \
  A(tendon, frictionloss, "frictionloss", REAL, 1, 1, "0", "dry friction [N]")                           \
  A(tendon, armature, "armature", REAL, 1, 1, "0", "inertia along its length [kg]")                      \
  A(tendon, width, "width", REAL, 1, 1, "0.003", "radius for drawing [m]")                               \
  A(tendon, rgba, "rgba", REAL, 4, 4, "0.5 0.5 0.5 1", "colour and opacity")                             \
  A(tendon, material, "material", NAME, 0, 0, NULL, "its colour, if rgba is not given")                  \
  A(tendon, group, "group", INT, 1, 1, "0", "group for viewers; not stored")                             \
  A(tendon, margin, "margin", SKIP, 0, 0, NULL, "limits of Heft act at the limit itself")                \
  A(tendon, actuatorfrcrange, "actuatorfrcrange", SKIP, 0, 0, NULL, "limit the actuators instead")       \
  A(tendon, actuatorfrclimited, "actuatorfrclimited", SKIP, 0, 0, NULL, "limit the actuators instead")   \
  A(tendon, solreflimit, "solreflimit", SKIP, 0, 0, NULL, "limits of Heft are not soft")                 \
  A(tendon, solimplimit, "solimplimit", SKIP, 0, 0, NULL, "limits of Heft are not soft")                 \
  A(tendon, solreffriction, "solreffriction", SKIP, 0, 0, NULL, "friction of Heft is not soft")          \
  A(tendon, solimpfriction, "solimpfriction", SKIP, 0, 0, NULL, "friction of Heft is not soft")          \
  A(tendon, user, "user", SKIP, 0, 0, NULL, "user data is not stored")                                   \
  E(wrapsite, "site", "spatial")                                                                         \
  A(wrapsite, site, "site", NAME, 0, 0, NULL, "point that the tendon passes")                            \
  E(wrapgeom, "geom", "spatial")                                                                         \
  A(wrapgeom, geom, "geom", NAME, 0, 0, NULL, "sphere or cylinder around which the tendon wraps")        \
  A(wrapgeom, sidesite, "sidesite", NAME, 0, 0, NULL, "the tendon passes on the side of this site; if the site is inside, it passes inside") \
  E(wrappulley, "pulley", "spatial")                                                                     \
  A(wrappulley, divisor, "divisor", REAL, 1, 1, NULL, "the lengths that follow are divided by it")       \
  E(wrapjoint, "joint", "fixed")                                                                         \
  A(wrapjoint, joint, "joint", NAME, 0, 0, NULL, "joint whose coordinate is used")                       \
  A(wrapjoint, coef, "coef", REAL, 1, 1, NULL, "factor of the coordinate")                               \
  E(general, "general", "actuator")                                                                      \
  MJCF_ACTUATOR(A, general)                                                                              \
  A(general, dyntype, "dyntype", WORD, 0, 0, "none", "activation (none integrator filter filterexact muscle user)") \
  A(general, gaintype, "gaintype", WORD, 0, 0, "fixed", "gain (fixed affine muscle user)")               \
  A(general, biastype, "biastype", WORD, 0, 0, "none", "bias (none affine muscle user)")                 \
  A(general, dynprm, "dynprm", REAL, 1, 10, NULL, "time constant of a filter [s]")                       \
  A(general, gainprm, "gainprm", REAL, 1, 10, NULL, "gain: constant, per length, per speed")             \
  A(general, biasprm, "biasprm", REAL, 1, 10, NULL, "bias: constant, per length, per speed")             \
  A(general, actdim, "actdim", SKIP, 0, 0, NULL, "actuators have at most one activation")                \
  E(motor, "motor", "actuator")                                                                          \
  MJCF_ACTUATOR(A, motor)                                                                                \
  E(position, "position", "actuator")                                                                    \
  MJCF_ACTUATOR(A, position)                                                                             \
  A(position, kp, "kp", REAL, 1, 1, NULL, "force per position error")                                    \
  A(position, kv, "kv", REAL, 1, 1, NULL, "damping")                                                     \
  A(position, dampratio, "dampratio", REAL, 1, 1, NULL, "damping ratio: 1 is critical damping")          \
  A(position, timeconst, "timeconst", REAL, 1, 1, NULL, "time constant of a filter of the control [s]")  \
  A(position, inheritrange, "inheritrange", REAL, 1, 1, NULL, "ctrlrange is the range of the target times this factor") \
  E(velocity, "velocity", "actuator")                                                                    \
  MJCF_ACTUATOR(A, velocity)                                                                             \
  A(velocity, kv, "kv", REAL, 1, 1, NULL, "force per velocity error")                                    \
  E(intvelocity, "intvelocity", "actuator")                                                              \
  MJCF_ACTUATOR(A, intvelocity)                                                                          \
  A(intvelocity, kp, "kp", REAL, 1, 1, NULL, "force per position error")                                 \
  A(intvelocity, kv, "kv", REAL, 1, 1, NULL, "damping")                                                  \
  A(intvelocity, dampratio, "dampratio", REAL, 1, 1, NULL, "damping ratio: 1 is critical damping")       \
  A(intvelocity, inheritrange, "inheritrange", REAL, 1, 1, NULL, "actrange is the range of the target times this factor") \
  E(damper, "damper", "actuator")                                                                        \
  MJCF_ACTUATOR(A, damper)                                                                               \
  A(damper, kv, "kv", REAL, 1, 1, NULL, "damping per unit of control")                                   \
  E(cylinder, "cylinder", "actuator")                                                                    \
  MJCF_ACTUATOR(A, cylinder)                                                                             \
  A(cylinder, timeconst, "timeconst", REAL, 1, 1, NULL, "time constant of the pressure [s]")             \
  A(cylinder, area, "area", REAL, 1, 1, NULL, "area of the piston [m²]")                                 \
  A(cylinder, diameter, "diameter", REAL, 1, 1, NULL, "diameter of the piston, instead of area [m]")     \
  A(cylinder, bias, "bias", REAL, 1, 3, NULL, "bias: constant, per length, per speed")                   \
  E(muscle, "muscle", "actuator")                                                                        \
  MJCF_ACTUATOR(A, muscle)                                                                               \
  A(muscle, timeconst, "timeconst", SKIP, 0, 0, NULL, "muscles are not modelled")                        \
  A(muscle, range, "range", SKIP, 0, 0, NULL, "muscles are not modelled")                                \
  A(muscle, force, "force", SKIP, 0, 0, NULL, "muscles are not modelled")                                \
  A(muscle, scale, "scale", SKIP, 0, 0, NULL, "muscles are not modelled")                                \
  A(muscle, lmin, "lmin", SKIP, 0, 0, NULL, "muscles are not modelled")                                  \
  A(muscle, lmax, "lmax", SKIP, 0, 0, NULL, "muscles are not modelled")                                  \
  A(muscle, vmax, "vmax", SKIP, 0, 0, NULL, "muscles are not modelled")                                  \
  A(muscle, fpmax, "fpmax", SKIP, 0, 0, NULL, "muscles are not modelled")                                \
  A(muscle, fvmax, "fvmax", SKIP, 0, 0, NULL, "muscles are not modelled")                                \
  A(muscle, tausmooth, "tausmooth", SKIP, 0, 0, NULL, "muscles are not modelled")                        \
  E(sensor, "a kind of sensor", "sensor")                                                                \
  A(sensor, name, "name", TEXT, 0, 0, "", "its name")                                                    \
  A(sensor, joint, "joint", NAME, 0, 0, NULL, "measured joint")                                          \
  A(sensor, actuator, "actuator", NAME, 0, 0, NULL, "measured actuator")                                 \
  A(sensor, tendon, "tendon", NAME, 0, 0, NULL, "measured tendon")                                       \
  A(sensor, site, "site", NAME, 0, 0, NULL, "site of the sensor")                                        \
  A(sensor, body, "body", NAME, 0, 0, NULL, "body that it points at")                                    \
  A(sensor, objtype, "objtype", WORD, 0, 0, NULL, "kind of frame (site xbody body geom camera)")         \
  A(sensor, objname, "objname", NAME, 0, 0, NULL, "measured frame")                                      \
  A(sensor, reftype, "reftype", WORD, 0, 0, NULL, "kind of frame (site xbody body geom camera)")         \
  A(sensor, refname, "refname", NAME, 0, 0, NULL, "frame in which it measures")                          \
  A(sensor, noise, "noise", REAL, 1, 1, "0", "standard deviation")                                       \
  A(sensor, cutoff, "cutoff", REAL, 1, 1, "0", "values are clamped to ± cutoff; 0: they are not")        \
  A(sensor, delay, "delay", SKIP, 0, 0, NULL, "sensors answer at once")                                  \
  A(sensor, nsample, "nsample", SKIP, 0, 0, NULL, "sensors answer at once")                              \
  A(sensor, interp, "interp", SKIP, 0, 0, NULL, "sensors answer at once")                                \
  A(sensor, user, "user", SKIP, 0, 0, NULL, "user data is not stored")                                   \
  E(key, "key", "keyframe")                                                                              \
  A(key, name, "name", TEXT, 0, 0, "", "its name")                                                       \
  A(key, time, "time", REAL, 1, 1, "0", "[s]")                                                           \
  A(key, qpos, "qpos", TEXT, 0, 0, NULL, "coordinates, always in metres and radians")                    \
  A(key, qvel, "qvel", TEXT, 0, 0, NULL, "velocities")                                                   \
  A(key, act, "act", TEXT, 0, 0, NULL, "activations")                                                    \
  A(key, ctrl, "ctrl", TEXT, 0, 0, NULL, "controls")                                                     \
  A(key, mpos, "mpos", TEXT, 0, 0, NULL, "positions of mocap bodies [m]")                                \
  A(key, mquat, "mquat", TEXT, 0, 0, NULL, "orientations of mocap bodies")                               \
  E(numeric, "numeric", "custom")                                                                        \
  A(numeric, name, "name", TEXT, 0, 0, NULL, "see what Heft adds in custom, below")                      \
  A(numeric, size, "size", INT, 1, 1, "0", "how many numbers; numbers beyond data are zero")             \
  A(numeric, data, "data", TEXT, 0, 0, "", "the numbers")                                                \
  E(tuple, "tuple", "custom")                                                                            \
  A(tuple, name, "name", TEXT, 0, 0, NULL, "see what Heft adds in custom, below")                        \
  E(element, "element", "tuple")                                                                         \
  A(element, objtype, "objtype", TEXT, 0, 0, NULL, "geom, pair or joint")                                \
  A(element, objname, "objname", NAME, 0, 0, NULL, "its name")                                           \
  A(element, prm, "prm", REAL, 1, 1, "0", "not used")                                                    \
  E(text, "text", "custom")                                                                              \
  A(text, name, "name", TEXT, 0, 0, NULL, "see what Heft adds in custom, below")                         \
  A(text, data, "data", TEXT, 0, 0, "", "the words")

// Elements of <custom> for values that MJCF cannot express: C(id, element, name, meaning).
#define MJCF_CUSTOM(C)                                                                                   \
  C(material, "numeric", "heft_material_NAME", "contact material NAME: static friction, kinetic friction, torsion [m], rolling [m], restitution; optional: elastic layer for micro_macro (stiffness [N/m] and damping [N s/m] of a contact point, thickness [m]); optional: Stribeck speed [m/s], viscous term [s/m]") \
  C(soft, "numeric", "heft_soft_NAME", "soft contact points of contact material NAME: stiffness [N/m] and damping [N s/m] of a contact point") \
  C(area, "numeric", "heft_area_NAME", "area contact of contact material NAME: modulus E [Pa], thickness H [m], dissipation d [s/m], exponent n (1 or 0.5); pressure E (depth/H)^n (1 + d v) at the approach speed v") \
  C(made_of, "tuple", "heft_material_NAME", "geoms and pairs that have the material")                    \
  C(sensor, "numeric", "heft_sensor_NAME", "calibration of sensor NAME with n values: n x n matrix row by row, then n offsets; reading = matrix * true value + offset") \
  C(contact_model, "text", "heft_contact_model", "contact model of the scene, one word")                 \
  C(planar, "tuple", "heft_planar_NAME", "three joints of one body (slide, slide, hinge) that are one planar joint NAME") \
  C(universal, "tuple", "heft_universal_NAME", "two joints of one body (hinge, hinge) that are one universal joint NAME") \
  C(cylindrical, "tuple", "heft_cylindrical_NAME", "two joints of one body (slide, hinge) that are one cylindrical joint NAME") \
  C(fixed, "tuple", "heft_fixed_NAME", "fixed joint NAME of the body in it; prm is the number of joints of the body before it") \
  C(dofs, "numeric", "heft_dofs_NAME", "values that differ between the n dofs of joint NAME: n each of damping, stiffness, dry friction, armature, limited (0 or 1), minimum, maximum, then the coordinates of the spring's rest") \
  C(limit, "numeric", "heft_limit_NAME", "coefficient of restitution at the limits of joint NAME, 0 to 1") \
  C(anchors, "numeric", "heft_anchors_NAME", "anchors of the connect or weld NAME if the pose in the file does not give them to the last bit: in body 1, in body 2 [m], orientation of body 2 in body 1") \
  C(conveyor, "numeric", "heft_conveyor_NAME", "the surface of geom NAME moves: linear velocity in its frame [m/s]; three more numbers: angular velocity about its origin [rad/s]") \
  C(triangles, "numeric", "heft_triangles_NAME", "1: the mesh of geom NAME collides as its triangles, with its hollows, and not as its convex hull") \
  C(decompose, "numeric", "heft_decompose_NAME", "the mesh of geom NAME collides as convex pieces: largest distance from the mesh [m]; optional: largest number of pieces") \
  C(decompose_all, "numeric", "heft_decompose", "the same for all geoms that collide as a mesh and have no numbers of their own") \
  C(motion, "numeric", "heft_motion_NAME", "velocity of the mocap body NAME at the start: angular [rad/s], linear of its origin [m/s], in the world") \
  C(fill, "numeric", "heft_fill_NAME", "flexcomp NAME of the type mesh: its closed surface is filled with tetrahedra of about this width [m]") \
  C(order, "text", "heft_order_NAME", "for each body, geom, site, camera or light (this is NAME) of the file its index in the model, if it is different; the world is body 0")
// clang-format on

#endif
