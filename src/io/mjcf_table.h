// SPDX-License-Identifier: Apache-2.0
// Every MJCF element and attribute that Heft knows: the one list behind the reader, the writer and
// the page in docs/.
//
//   E(id, name, where it stands)
//   A(id, key, name, type, least, most, default, meaning)     the attributes of the element above
//
// Types: REAL and INT (least to most numbers), BOOL (true, false), TRI (true, false, auto), WORD
// (one of the words in the meaning's brackets), TEXT, NAME (of something else in the model), SKIP
// (known, not taken over; the meaning says why). A default of NULL means that there is none: the
// reader sees that it is missing. Angles are in the unit of <compiler angle>, in the file; the
// defaults here are zero or say their unit.
#ifndef HEFT_SRC_IO_MJCF_TABLE_H
#define HEFT_SRC_IO_MJCF_TABLE_H

// clang-format off
#define MJCF_ORIENTATION(A, id)                                                                          \
  A(id, quat, "quat", REAL, 4, 4, NULL, "orientation, w x y z")                                          \
  A(id, axisangle, "axisangle", REAL, 4, 4, NULL, "orientation: axis and angle")                         \
  A(id, euler, "euler", REAL, 3, 3, NULL, "orientation: three angles in the order of eulerseq")          \
  A(id, xyaxes, "xyaxes", REAL, 6, 6, NULL, "orientation: its x axis, and a y axis made perpendicular")  \
  A(id, zaxis, "zaxis", REAL, 3, 3, NULL, "orientation: its z axis, by the shortest turn")

#define MJCF_SOFT(A, id)                                                                                 \
  A(id, solref, "solref", SKIP, 0, 0, NULL, "contacts and constraints of Heft are not soft")             \
  A(id, solimp, "solimp", SKIP, 0, 0, NULL, "contacts and constraints of Heft are not soft")

#define MJCF_ACTUATOR(A, id)                                                                             \
  A(id, name, "name", TEXT, 0, 0, "", "its name")                                                        \
  A(id, class, "class", NAME, 0, 0, NULL, "default class")                                               \
  A(id, group, "group", INT, 1, 1, "0", "for viewers; not kept")                                         \
  A(id, joint, "joint", NAME, 0, 0, NULL, "acts on a joint")                                             \
  A(id, jointinparent, "jointinparent", NAME, 0, 0, NULL, "acts on a ball or free joint, in the parent's frame") \
  A(id, tendon, "tendon", NAME, 0, 0, NULL, "acts on a tendon")                                          \
  A(id, site, "site", NAME, 0, 0, NULL, "acts at a site, with the wrench of gear")                       \
  A(id, refsite, "refsite", NAME, 0, 0, NULL, "site in whose frame a site actuator acts")                \
  A(id, cranksite, "cranksite", NAME, 0, 0, NULL, "slider crank: site at the end of the crank")          \
  A(id, slidersite, "slidersite", NAME, 0, 0, NULL, "slider crank: site whose z axis is the slider")     \
  A(id, cranklength, "cranklength", REAL, 1, 1, "0", "slider crank: length of the rod [m]")              \
  A(id, body, "body", SKIP, 0, 0, NULL, "adhesion is not part of Heft")                                  \
  A(id, gear, "gear", REAL, 1, 6, "1 0 0 0 0 0", "ratio of actuator length to joint coordinate")         \
  A(id, ctrllimited, "ctrllimited", TRI, 0, 0, "auto", "ctrlrange applies; auto: if it is given")        \
  A(id, ctrlrange, "ctrlrange", REAL, 2, 2, "0 0", "lowest and highest control")                         \
  A(id, forcelimited, "forcelimited", TRI, 0, 0, "auto", "forcerange applies; auto: if it is given")     \
  A(id, forcerange, "forcerange", REAL, 2, 2, "0 0", "lowest and highest force [N, N m]")                \
  A(id, actlimited, "actlimited", TRI, 0, 0, "auto", "actrange applies; auto: if it is given")           \
  A(id, actrange, "actrange", REAL, 2, 2, "0 0", "lowest and highest activation")                        \
  A(id, actearly, "actearly", BOOL, 0, 0, "false", "the force sees the next activation")                 \
  A(id, lengthrange, "lengthrange", SKIP, 0, 0, NULL, "only muscles need it")                            \
  A(id, user, "user", SKIP, 0, 0, NULL, "user data is not kept")

#define MJCF_TABLE(E, A)                                                                                 \
  E(mujoco, "mujoco", "the file")                                                                        \
  A(mujoco, model, "model", TEXT, 0, 0, "", "name of the model; not kept")                               \
  E(compiler, "compiler", "mujoco")                                                                      \
  A(compiler, angle, "angle", WORD, 0, 0, "degree", "unit of angles in the file (degree radian)")        \
  A(compiler, eulerseq, "eulerseq", TEXT, 0, 0, "xyz", "axes of euler: three of xyz (turning along) or XYZ (fixed)") \
  A(compiler, autolimits, "autolimits", BOOL, 0, 0, "true", "a range that is given applies")             \
  A(compiler, meshdir, "meshdir", TEXT, 0, 0, "", "folder of mesh and height field files")               \
  A(compiler, texturedir, "texturedir", TEXT, 0, 0, "", "folder of texture files")                       \
  A(compiler, assetdir, "assetdir", TEXT, 0, 0, "", "folder of both, where they are not given")          \
  A(compiler, strippath, "strippath", BOOL, 0, 0, "false", "only the last part of file names counts")    \
  A(compiler, inertiafromgeom, "inertiafromgeom", TRI, 0, 0, "auto", "inertia from geoms: always, never, or where there is no inertial") \
  A(compiler, inertiagrouprange, "inertiagrouprange", INT, 2, 2, "0 5", "groups of geoms that give inertia") \
  A(compiler, balanceinertia, "balanceinertia", BOOL, 0, 0, "false", "moments that no matter has become equal") \
  A(compiler, boundmass, "boundmass", REAL, 1, 1, "0", "least mass of a moving body [kg]")               \
  A(compiler, boundinertia, "boundinertia", REAL, 1, 1, "0", "least moment of inertia of a moving body [kg m²]") \
  A(compiler, discardvisual, "discardvisual", BOOL, 0, 0, "false", "geoms that do not collide are left out") \
  A(compiler, exactmeshinertia, "exactmeshinertia", BOOL, 0, 0, "false", "mass of meshes by signed volumes") \
  A(compiler, fusestatic, "fusestatic", BOOL, 0, 0, "false", "no effect: Heft moves welded bodies as one anyway") \
  A(compiler, convexhull, "convexhull", BOOL, 0, 0, "true", "no effect: hulls are made where they are needed") \
  A(compiler, usethread, "usethread", BOOL, 0, 0, "true", "no effect")                                   \
  A(compiler, alignfree, "alignfree", SKIP, 0, 0, NULL, "free bodies keep their frames")                 \
  A(compiler, settotalmass, "settotalmass", REAL, 1, 1, "-1", "masses and inertias are scaled to this total [kg]; 0 or less: not") \
  A(compiler, fitaabb, "fitaabb", SKIP, 0, 0, NULL, "shapes are not fitted to meshes")                   \
  A(compiler, coordinate, "coordinate", WORD, 0, 0, "local", "frames of coordinates (local)")            \
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
  A(option, noslip_iterations, "noslip_iterations", SKIP, 0, 0, NULL, "friction of Heft does not creep") \
  A(option, noslip_tolerance, "noslip_tolerance", SKIP, 0, 0, NULL, "friction of Heft does not creep")   \
  A(option, ccd_iterations, "ccd_iterations", SKIP, 0, 0, NULL, "Heft has its own collision code")       \
  A(option, ccd_tolerance, "ccd_tolerance", SKIP, 0, 0, NULL, "Heft has its own collision code")         \
  A(option, impratio, "impratio", SKIP, 0, 0, NULL, "friction of Heft is not soft")                      \
  A(option, wind, "wind", SKIP, 0, 0, NULL, "there is no air in Heft")                                   \
  A(option, density, "density", SKIP, 0, 0, NULL, "there is no air in Heft")                             \
  A(option, viscosity, "viscosity", SKIP, 0, 0, NULL, "there is no air in Heft")                         \
  A(option, magnetic, "magnetic", SKIP, 0, 0, NULL, "magnetometers see a field given by the program")    \
  A(option, o_margin, "o_margin", SKIP, 0, 0, NULL, "no global override of contacts")                    \
  A(option, o_solref, "o_solref", SKIP, 0, 0, NULL, "no global override of contacts")                    \
  A(option, o_solimp, "o_solimp", SKIP, 0, 0, NULL, "no global override of contacts")                    \
  A(option, o_friction, "o_friction", SKIP, 0, 0, NULL, "no global override of contacts")                \
  A(option, sdf_iterations, "sdf_iterations", SKIP, 0, 0, NULL, "there are no signed distance fields")   \
  A(option, sdf_initpoints, "sdf_initpoints", SKIP, 0, 0, NULL, "there are no signed distance fields")   \
  A(option, actuatorgroupdisable, "actuatorgroupdisable", SKIP, 0, 0, NULL, "actuators have no groups")  \
  E(include, "include", "anywhere")                                                                      \
  A(include, file, "file", TEXT, 0, 0, NULL, "file whose content stands here")                           \
  E(default, "default", "mujoco, default")                                                               \
  A(default, class, "class", TEXT, 0, 0, NULL, "name of the class")                                      \
  E(mesh, "mesh", "asset")                                                                               \
  A(mesh, name, "name", TEXT, 0, 0, NULL, "its name; without one, that of the file")                     \
  A(mesh, class, "class", NAME, 0, 0, NULL, "default class")                                             \
  A(mesh, file, "file", TEXT, 0, 0, NULL, "STL or OBJ file")                                             \
  A(mesh, content_type, "content_type", SKIP, 0, 0, NULL, "the file itself tells what it is")            \
  A(mesh, vertex, "vertex", TEXT, 0, 0, NULL, "vertices, in place of a file [m]")                        \
  A(mesh, face, "face", TEXT, 0, 0, NULL, "triangles of these vertices; without them, their convex hull") \
  A(mesh, scale, "scale", REAL, 3, 3, "1 1 1", "factors for x, y, z")                                    \
  A(mesh, refpos, "refpos", REAL, 3, 3, "0 0 0", "point of the file that becomes the origin")            \
  A(mesh, refquat, "refquat", REAL, 4, 4, "1 0 0 0", "frame of the file that becomes the mesh's")        \
  A(mesh, inertia, "inertia", WORD, 0, 0, "legacy", "how its mass is computed (legacy exact convex shell)") \
  A(mesh, smoothnormal, "smoothnormal", SKIP, 0, 0, NULL, "normals are the viewer's business")           \
  A(mesh, maxhullvert, "maxhullvert", SKIP, 0, 0, NULL, "hulls keep all their vertices")                 \
  A(mesh, normal, "normal", SKIP, 0, 0, NULL, "normals are the viewer's business")                       \
  A(mesh, texcoord, "texcoord", TEXT, 0, 0, NULL, "places in the image, of the vertices or of the corners of triangles") \
  E(hfield, "hfield", "asset")                                                                           \
  A(hfield, name, "name", TEXT, 0, 0, NULL, "its name; without one, that of the file")                   \
  A(hfield, file, "file", TEXT, 0, 0, NULL, "PNG image, or binary file: int32 rows, int32 columns, float32 heights") \
  A(hfield, content_type, "content_type", SKIP, 0, 0, NULL, "the file itself tells what it is")          \
  A(hfield, nrow, "nrow", INT, 1, 1, "0", "rows, where there is no file")                                \
  A(hfield, ncol, "ncol", INT, 1, 1, "0", "columns, where there is no file")                             \
  A(hfield, elevation, "elevation", TEXT, 0, 0, NULL, "heights, where there is no file; scaled to 0 ... 1") \
  A(hfield, size, "size", REAL, 4, 4, NULL, "half width, half depth, height of 1, thickness below [m]")  \
  E(texture, "texture", "asset")                                                                         \
  A(texture, name, "name", TEXT, 0, 0, "", "its name")                                                   \
  A(texture, type, "type", WORD, 0, 0, "cube", "what it covers (2d cube skybox)")                        \
  A(texture, builtin, "builtin", WORD, 0, 0, "none", "how it is made without a file (none gradient checker flat)") \
  A(texture, mark, "mark", WORD, 0, 0, "none", "marks on it (none edge cross random)")                   \
  A(texture, file, "file", TEXT, 0, 0, NULL, "image; its path is kept for the viewer")                   \
  A(texture, rgb1, "rgb1", REAL, 3, 3, "0.8 0.8 0.8", "first colour")                                    \
  A(texture, rgb2, "rgb2", REAL, 3, 3, "0.5 0.5 0.5", "second colour")                                   \
  A(texture, markrgb, "markrgb", REAL, 3, 3, "0 0 0", "colour of the mark")                              \
  A(texture, width, "width", INT, 1, 1, "0", "[pixels]")                                                 \
  A(texture, height, "height", INT, 1, 1, "0", "[pixels]")                                               \
  A(texture, random, "random", SKIP, 0, 0, NULL, "random dots are the viewer's business")                \
  A(texture, gridsize, "gridsize", SKIP, 0, 0, NULL, "images are taken as a whole")                      \
  A(texture, gridlayout, "gridlayout", SKIP, 0, 0, NULL, "images are taken as a whole")                  \
  A(texture, fileright, "fileright", SKIP, 0, 0, NULL, "images are taken as a whole")                    \
  A(texture, fileleft, "fileleft", SKIP, 0, 0, NULL, "images are taken as a whole")                      \
  A(texture, fileup, "fileup", SKIP, 0, 0, NULL, "images are taken as a whole")                          \
  A(texture, filedown, "filedown", SKIP, 0, 0, NULL, "images are taken as a whole")                      \
  A(texture, filefront, "filefront", SKIP, 0, 0, NULL, "images are taken as a whole")                    \
  A(texture, fileback, "fileback", SKIP, 0, 0, NULL, "images are taken as a whole")                      \
  A(texture, hflip, "hflip", SKIP, 0, 0, NULL, "images are taken as they are")                           \
  A(texture, vflip, "vflip", SKIP, 0, 0, NULL, "images are taken as they are")                           \
  A(texture, nchannel, "nchannel", SKIP, 0, 0, NULL, "images are taken as they are")                     \
  A(texture, colorspace, "colorspace", SKIP, 0, 0, NULL, "images are taken as they are")                 \
  A(texture, content_type, "content_type", SKIP, 0, 0, NULL, "the file itself tells what it is")         \
  E(material, "material", "asset")                                                                       \
  A(material, name, "name", TEXT, 0, 0, NULL, "its name")                                                \
  A(material, class, "class", NAME, 0, 0, NULL, "default class")                                         \
  A(material, texture, "texture", NAME, 0, 0, NULL, "its texture")                                       \
  A(material, texrepeat, "texrepeat", REAL, 2, 2, "1 1", "how often the texture fits on the surface")    \
  A(material, texuniform, "texuniform", BOOL, 0, 0, "false", "texrepeat counts per metre")               \
  A(material, emission, "emission", REAL, 1, 1, "0", "light of its own")                                 \
  A(material, specular, "specular", REAL, 1, 1, "0.5", "highlights")                                     \
  A(material, shininess, "shininess", REAL, 1, 1, "0.5", "sharpness of highlights")                      \
  A(material, reflectance, "reflectance", REAL, 1, 1, "0", "mirror")                                     \
  A(material, metallic, "metallic", SKIP, 0, 0, NULL, "the viewer has no metals")                        \
  A(material, roughness, "roughness", SKIP, 0, 0, NULL, "the viewer has no roughness")                   \
  A(material, rgba, "rgba", REAL, 4, 4, "1 1 1 1", "colour and opacity")                                 \
  E(model, "model", "asset")                                                                             \
  A(model, name, "name", TEXT, 0, 0, NULL, "its name; without one, that of the file's model")            \
  A(model, file, "file", TEXT, 0, 0, NULL, "MJCF file whose bodies can be attached")                     \
  A(model, content_type, "content_type", SKIP, 0, 0, NULL, "the file itself tells what it is")           \
  E(body, "body", "worldbody, body, frame, replicate")                                                   \
  A(body, name, "name", TEXT, 0, 0, "", "its name")                                                      \
  A(body, childclass, "childclass", NAME, 0, 0, NULL, "default class of everything in it")               \
  A(body, pos, "pos", REAL, 3, 3, "0 0 0", "origin in the parent's frame [m]")                           \
  MJCF_ORIENTATION(A, body)                                                                              \
  A(body, gravcomp, "gravcomp", REAL, 1, 1, "0", "share of its weight that is taken away")               \
  A(body, mocap, "mocap", SKIP, 0, 0, NULL, "the body is fixed; move bodies by couplings")               \
  A(body, sleep, "sleep", SKIP, 0, 0, NULL, "Heft decides by itself what rests")                         \
  A(body, user, "user", SKIP, 0, 0, NULL, "user data is not kept")                                       \
  E(worldbody, "worldbody", "mujoco")                                                                    \
  A(worldbody, childclass, "childclass", NAME, 0, 0, NULL, "default class of everything in it")          \
  E(frame, "frame", "worldbody, body, frame, replicate")                                                 \
  A(frame, name, "name", TEXT, 0, 0, "", "its name; not kept")                                           \
  A(frame, childclass, "childclass", NAME, 0, 0, NULL, "default class of everything in it")              \
  A(frame, pos, "pos", REAL, 3, 3, "0 0 0", "origin [m]")                                                \
  MJCF_ORIENTATION(A, frame)                                                                             \
  E(replicate, "replicate", "worldbody, body, frame, replicate")                                         \
  A(replicate, count, "count", INT, 1, 1, NULL, "copies of what stands in it")                           \
  A(replicate, sep, "sep", TEXT, 0, 0, "", "between a name and the number of the copy")                  \
  A(replicate, offset, "offset", REAL, 3, 3, "0 0 0", "from one copy to the next [m]")                   \
  A(replicate, euler, "euler", REAL, 3, 3, "0 0 0", "turn from one copy to the next")                    \
  E(attach, "attach", "worldbody, body, frame, replicate")                                               \
  A(attach, model, "model", NAME, 0, 0, NULL, "model of the assets")                                     \
  A(attach, body, "body", TEXT, 0, 0, NULL, "body of that model; without it, all of its world")          \
  A(attach, prefix, "prefix", TEXT, 0, 0, "", "before every name of that model")                         \
  E(inertial, "inertial", "body")                                                                        \
  A(inertial, pos, "pos", REAL, 3, 3, "0 0 0", "centre of mass in the body's frame [m]")                 \
  MJCF_ORIENTATION(A, inertial)                                                                          \
  A(inertial, mass, "mass", REAL, 1, 1, NULL, "mass [kg]")                                               \
  A(inertial, diaginertia, "diaginertia", REAL, 3, 3, NULL, "principal moments of inertia [kg m²]")      \
  A(inertial, fullinertia, "fullinertia", REAL, 6, 6, NULL, "xx yy zz xy xz yz along the body's axes [kg m²]") \
  E(joint, "joint", "body")                                                                              \
  A(joint, name, "name", TEXT, 0, 0, "", "its name")                                                     \
  A(joint, class, "class", NAME, 0, 0, NULL, "default class")                                            \
  A(joint, type, "type", WORD, 0, 0, "hinge", "how it moves (free ball slide hinge)")                    \
  A(joint, pos, "pos", REAL, 3, 3, "0 0 0", "anchor in the body's frame [m]")                            \
  A(joint, axis, "axis", REAL, 3, 3, "0 0 1", "axis in the body's frame")                                \
  A(joint, ref, "ref", REAL, 1, 1, "0", "coordinate in the pose of the file")                            \
  A(joint, springref, "springref", REAL, 1, 1, "0", "coordinate at which the spring is at rest")         \
  A(joint, range, "range", REAL, 2, 2, "0 0", "lowest and highest coordinate; ball: 0 and the largest angle") \
  A(joint, limited, "limited", TRI, 0, 0, "auto", "range applies; auto: if it is given")                 \
  A(joint, stiffness, "stiffness", REAL, 1, 1, "0", "spring [N/m, N m/rad]")                             \
  A(joint, damping, "damping", REAL, 1, 1, "0", "viscous resistance [N s/m, N m s/rad]")                 \
  A(joint, frictionloss, "frictionloss", REAL, 1, 1, "0", "dry friction [N, N m]")                       \
  A(joint, armature, "armature", REAL, 1, 1, "0", "inertia of rotor and gears [kg, kg m²]")              \
  A(joint, actuatorfrcrange, "actuatorfrcrange", REAL, 2, 2, "0 0", "lowest and highest force of all its actuators") \
  A(joint, actuatorfrclimited, "actuatorfrclimited", TRI, 0, 0, "auto", "actuatorfrcrange applies")      \
  A(joint, actuatorgravcomp, "actuatorgravcomp", SKIP, 0, 0, NULL, "weight that is taken away is no actuator's") \
  A(joint, springdamper, "springdamper", SKIP, 0, 0, NULL, "give stiffness and damping themselves")      \
  A(joint, margin, "margin", SKIP, 0, 0, NULL, "limits of Heft act where they are")                      \
  A(joint, solreflimit, "solreflimit", SKIP, 0, 0, NULL, "limits of Heft are not soft")                  \
  A(joint, solimplimit, "solimplimit", SKIP, 0, 0, NULL, "limits of Heft are not soft")                  \
  A(joint, solreffriction, "solreffriction", SKIP, 0, 0, NULL, "friction of Heft is not soft")           \
  A(joint, solimpfriction, "solimpfriction", SKIP, 0, 0, NULL, "friction of Heft is not soft")           \
  A(joint, group, "group", INT, 1, 1, "0", "for viewers; not kept")                                      \
  A(joint, user, "user", SKIP, 0, 0, NULL, "user data is not kept")                                      \
  E(freejoint, "freejoint", "body")                                                                      \
  A(freejoint, name, "name", TEXT, 0, 0, "", "its name")                                                 \
  A(freejoint, group, "group", INT, 1, 1, "0", "for viewers; not kept")                                  \
  A(freejoint, align, "align", SKIP, 0, 0, NULL, "free bodies keep their frames")                        \
  E(geom, "geom", "worldbody, body, frame, replicate")                                                   \
  A(geom, name, "name", TEXT, 0, 0, "", "its name")                                                      \
  A(geom, class, "class", NAME, 0, 0, NULL, "default class")                                             \
  A(geom, type, "type", WORD, 0, 0, "sphere", "its shape (plane hfield sphere capsule ellipsoid cylinder box mesh sdf)") \
  A(geom, pos, "pos", REAL, 3, 3, "0 0 0", "origin in the body's frame [m]")                             \
  MJCF_ORIENTATION(A, geom)                                                                              \
  A(geom, fromto, "fromto", REAL, 6, 6, NULL, "two ends of a capsule, cylinder, ellipsoid or box, in place of pose and length") \
  A(geom, size, "size", REAL, 1, 3, NULL, "radius, half length; half sizes [m]")                         \
  A(geom, mesh, "mesh", NAME, 0, 0, NULL, "its mesh")                                                    \
  A(geom, hfield, "hfield", NAME, 0, 0, NULL, "its height field")                                        \
  A(geom, mass, "mass", REAL, 1, 1, NULL, "mass, in place of density [kg]")                              \
  A(geom, density, "density", REAL, 1, 1, "1000", "[kg/m³], where the body has no inertial")             \
  A(geom, shellinertia, "shellinertia", BOOL, 0, 0, "false", "the mass lies on the surface (meshes only)") \
  A(geom, contype, "contype", INT, 1, 1, "1", "bits: which kinds it is")                                 \
  A(geom, conaffinity, "conaffinity", INT, 1, 1, "1", "bits: which kinds it touches")                    \
  A(geom, condim, "condim", INT, 1, 1, "3", "1 frictionless, 3 sliding, 4 and torsion, 6 and rolling")   \
  A(geom, priority, "priority", INT, 1, 1, "0", "in a pair, the friction of the higher one counts")      \
  A(geom, friction, "friction", REAL, 1, 3, "1 0.005 0.0001", "sliding coefficient, torsion [m], rolling [m]") \
  A(geom, margin, "margin", REAL, 1, 1, "0", "distance at which contacts are made [m]")                  \
  A(geom, gap, "gap", REAL, 1, 1, "0", "contacts farther apart than margin - gap carry no force [m]")    \
  A(geom, group, "group", INT, 1, 1, "0", "for viewers and inertiagrouprange")                           \
  A(geom, material, "material", NAME, 0, 0, NULL, "how it looks")                                        \
  A(geom, rgba, "rgba", REAL, 4, 4, "0.5 0.5 0.5 1", "colour and opacity")                               \
  A(geom, solmix, "solmix", SKIP, 0, 0, NULL, "contacts of Heft are not soft")                           \
  MJCF_SOFT(A, geom)                                                                                     \
  A(geom, fitscale, "fitscale", SKIP, 0, 0, NULL, "shapes are not fitted to meshes")                     \
  A(geom, fluidshape, "fluidshape", SKIP, 0, 0, NULL, "there is no air in Heft")                         \
  A(geom, fluidcoef, "fluidcoef", SKIP, 0, 0, NULL, "there is no air in Heft")                           \
  A(geom, user, "user", SKIP, 0, 0, NULL, "user data is not kept")                                       \
  E(site, "site", "worldbody, body, frame, replicate")                                                   \
  A(site, name, "name", TEXT, 0, 0, "", "its name")                                                      \
  A(site, class, "class", NAME, 0, 0, NULL, "default class")                                             \
  A(site, type, "type", WORD, 0, 0, "sphere", "shape of its zone (sphere capsule ellipsoid cylinder box)") \
  A(site, pos, "pos", REAL, 3, 3, "0 0 0", "origin in the body's frame [m]")                             \
  MJCF_ORIENTATION(A, site)                                                                              \
  A(site, fromto, "fromto", REAL, 6, 6, NULL, "two ends, in place of pose and length")                   \
  A(site, size, "size", REAL, 1, 3, "0.005 0.005 0.005", "size of its zone [m]")                         \
  A(site, group, "group", INT, 1, 1, "0", "for viewers")                                                 \
  A(site, material, "material", NAME, 0, 0, NULL, "its colour, where rgba is not given")                 \
  A(site, rgba, "rgba", REAL, 4, 4, "0.5 0.5 0.5 1", "colour and opacity")                               \
  A(site, user, "user", SKIP, 0, 0, NULL, "user data is not kept")                                       \
  E(camera, "camera", "worldbody, body, frame, replicate")                                               \
  A(camera, name, "name", TEXT, 0, 0, "", "its name")                                                    \
  A(camera, class, "class", NAME, 0, 0, NULL, "default class")                                           \
  A(camera, mode, "mode", WORD, 0, 0, "fixed", "how it follows (fixed track trackcom targetbody targetbodycom)") \
  A(camera, target, "target", NAME, 0, 0, NULL, "body that it looks at")                                 \
  A(camera, pos, "pos", REAL, 3, 3, "0 0 0", "in the body's frame [m]")                                  \
  MJCF_ORIENTATION(A, camera)                                                                            \
  A(camera, fovy, "fovy", REAL, 1, 1, "45", "vertical opening angle, always in degrees")                 \
  A(camera, ipd, "ipd", SKIP, 0, 0, NULL, "cameras have one eye")                                        \
  A(camera, resolution, "resolution", SKIP, 0, 0, NULL, "the viewer chooses the resolution")             \
  A(camera, projection, "projection", SKIP, 0, 0, NULL, "cameras see in perspective")                    \
  A(camera, orthographic, "orthographic", SKIP, 0, 0, NULL, "cameras see in perspective")                \
  A(camera, focal, "focal", SKIP, 0, 0, NULL, "give fovy")                                               \
  A(camera, focalpixel, "focalpixel", SKIP, 0, 0, NULL, "give fovy")                                     \
  A(camera, principal, "principal", SKIP, 0, 0, NULL, "give fovy")                                       \
  A(camera, principalpixel, "principalpixel", SKIP, 0, 0, NULL, "give fovy")                             \
  A(camera, sensorsize, "sensorsize", SKIP, 0, 0, NULL, "give fovy")                                     \
  A(camera, output, "output", SKIP, 0, 0, NULL, "the viewer chooses what is drawn")                      \
  A(camera, user, "user", SKIP, 0, 0, NULL, "user data is not kept")                                     \
  E(light, "light", "worldbody, body, frame, replicate")                                                 \
  A(light, name, "name", TEXT, 0, 0, "", "its name")                                                     \
  A(light, class, "class", NAME, 0, 0, NULL, "default class")                                            \
  A(light, mode, "mode", WORD, 0, 0, "fixed", "how it follows (fixed track trackcom targetbody targetbodycom)") \
  A(light, target, "target", NAME, 0, 0, NULL, "body that it shines at")                                 \
  A(light, type, "type", WORD, 0, 0, NULL, "rays (spot directional point)")                              \
  A(light, directional, "directional", BOOL, 0, 0, "false", "parallel rays")                             \
  A(light, castshadow, "castshadow", BOOL, 0, 0, "true", "casts shadows")                                \
  A(light, active, "active", BOOL, 0, 0, "true", "on")                                                   \
  A(light, pos, "pos", REAL, 3, 3, "0 0 0", "in the body's frame [m]")                                   \
  A(light, dir, "dir", REAL, 3, 3, "0 0 -1", "in the body's frame")                                      \
  A(light, attenuation, "attenuation", REAL, 3, 3, "1 0 0", "constant, linear, quadratic")               \
  A(light, cutoff, "cutoff", REAL, 1, 1, "45", "half opening angle, always in degrees")                  \
  A(light, exponent, "exponent", REAL, 1, 1, "10", "how the spot fades to its rim")                      \
  A(light, ambient, "ambient", REAL, 3, 3, "0 0 0", "colour")                                            \
  A(light, diffuse, "diffuse", REAL, 3, 3, "0.7 0.7 0.7", "colour")                                      \
  A(light, specular, "specular", REAL, 3, 3, "0.3 0.3 0.3", "colour")                                    \
  A(light, bulbradius, "bulbradius", SKIP, 0, 0, NULL, "the viewer's shadows are hard")                  \
  A(light, intensity, "intensity", SKIP, 0, 0, NULL, "the viewer's lights have colours only")            \
  A(light, range, "range", SKIP, 0, 0, NULL, "the viewer's lights have colours only")                    \
  A(light, texture, "texture", SKIP, 0, 0, NULL, "the viewer's lights have colours only")                \
  E(pair, "pair", "contact")                                                                             \
  A(pair, name, "name", TEXT, 0, 0, "", "its name")                                                      \
  A(pair, class, "class", NAME, 0, 0, NULL, "default class")                                             \
  A(pair, geom1, "geom1", NAME, 0, 0, NULL, "one geom")                                                  \
  A(pair, geom2, "geom2", NAME, 0, 0, NULL, "the other geom")                                            \
  A(pair, condim, "condim", INT, 1, 1, NULL, "as of geoms; without it, the larger of the two")           \
  A(pair, friction, "friction", REAL, 1, 5, NULL, "two sliding, torsion, two rolling; without it, that of the geoms") \
  A(pair, margin, "margin", REAL, 1, 1, NULL, "as of geoms; without it, the larger of the two [m]")      \
  A(pair, gap, "gap", REAL, 1, 1, NULL, "as of geoms; without it, the larger of the two [m]")            \
  A(pair, solreffriction, "solreffriction", SKIP, 0, 0, NULL, "contacts of Heft are not soft")           \
  MJCF_SOFT(A, pair)                                                                                     \
  E(exclude, "exclude", "contact")                                                                       \
  A(exclude, name, "name", TEXT, 0, 0, "", "its name")                                                   \
  A(exclude, body1, "body1", NAME, 0, 0, NULL, "one body")                                               \
  A(exclude, body2, "body2", NAME, 0, 0, NULL, "the other body")                                         \
  E(connect, "connect", "equality")                                                                      \
  A(connect, name, "name", TEXT, 0, 0, "", "its name")                                                   \
  A(connect, class, "class", NAME, 0, 0, NULL, "default class")                                          \
  A(connect, active, "active", BOOL, 0, 0, "true", "holds from the beginning")                           \
  A(connect, body1, "body1", NAME, 0, 0, NULL, "one body")                                               \
  A(connect, body2, "body2", NAME, 0, 0, NULL, "the other body; without it, the world")                  \
  A(connect, anchor, "anchor", REAL, 3, 3, NULL, "common point, in body 1 [m]")                          \
  A(connect, site1, "site1", NAME, 0, 0, NULL, "point of one body, in place of bodies and anchor")       \
  A(connect, site2, "site2", NAME, 0, 0, NULL, "point of the other body")                                \
  MJCF_SOFT(A, connect)                                                                                  \
  E(weld, "weld", "equality")                                                                            \
  A(weld, name, "name", TEXT, 0, 0, "", "its name")                                                      \
  A(weld, class, "class", NAME, 0, 0, NULL, "default class")                                             \
  A(weld, active, "active", BOOL, 0, 0, "true", "holds from the beginning")                              \
  A(weld, body1, "body1", NAME, 0, 0, NULL, "one body")                                                  \
  A(weld, body2, "body2", NAME, 0, 0, NULL, "the other body; without it, the world")                     \
  A(weld, relpose, "relpose", REAL, 7, 7, NULL, "pose of body 2 in body 1; all of quat zero: as in the file") \
  A(weld, anchor, "anchor", REAL, 3, 3, "0 0 0", "common point, in body 2 [m]")                          \
  A(weld, site1, "site1", NAME, 0, 0, NULL, "frame of one body, in place of bodies, anchor and relpose") \
  A(weld, site2, "site2", NAME, 0, 0, NULL, "frame of the other body")                                   \
  A(weld, torquescale, "torquescale", SKIP, 0, 0, NULL, "welds of Heft are not soft")                    \
  MJCF_SOFT(A, weld)                                                                                     \
  E(eqjoint, "joint", "equality")                                                                        \
  A(eqjoint, name, "name", TEXT, 0, 0, "", "its name")                                                   \
  A(eqjoint, class, "class", NAME, 0, 0, NULL, "default class")                                          \
  A(eqjoint, active, "active", BOOL, 0, 0, "true", "holds from the beginning")                           \
  A(eqjoint, joint1, "joint1", NAME, 0, 0, NULL, "the joint that follows")                               \
  A(eqjoint, joint2, "joint2", NAME, 0, 0, NULL, "the joint that leads; without it, a constant")         \
  A(eqjoint, polycoef, "polycoef", REAL, 1, 5, "0 1 0 0 0", "polynomial, both joints counted from ref")  \
  MJCF_SOFT(A, eqjoint)                                                                                  \
  E(eqtendon, "tendon", "equality")                                                                      \
  A(eqtendon, name, "name", TEXT, 0, 0, "", "its name")                                                  \
  A(eqtendon, class, "class", NAME, 0, 0, NULL, "default class")                                         \
  A(eqtendon, active, "active", BOOL, 0, 0, "true", "holds from the beginning")                          \
  A(eqtendon, tendon1, "tendon1", NAME, 0, 0, NULL, "the tendon that follows")                           \
  A(eqtendon, tendon2, "tendon2", NAME, 0, 0, NULL, "the tendon that leads; without it, a constant")     \
  A(eqtendon, polycoef, "polycoef", REAL, 1, 5, "0 1 0 0 0", "polynomial, both lengths counted from the file's pose") \
  MJCF_SOFT(A, eqtendon)                                                                                 \
  E(tendon, "spatial, fixed", "tendon")                                                                  \
  A(tendon, name, "name", TEXT, 0, 0, "", "its name")                                                    \
  A(tendon, class, "class", NAME, 0, 0, NULL, "default class")                                           \
  A(tendon, limited, "limited", TRI, 0, 0, "auto", "range applies; auto: if it is given")                \
  A(tendon, range, "range", REAL, 2, 2, "0 0", "shortest and longest [m]")                               \
  A(tendon, springlength, "springlength", REAL, 1, 2, "-1 -1", "its spring is at rest between these lengths; -1: as long as in the file") \
  A(tendon, stiffness, "stiffness", REAL, 1, 1, "0", "[N/m]")                                            \
  A(tendon, damping, "damping", REAL, 1, 1, "0", "[N s/m]")                                              \
  A(tendon, frictionloss, "frictionloss", REAL, 1, 1, "0", "dry friction [N]")                           \
  A(tendon, armature, "armature", REAL, 1, 1, "0", "inertia along its length [kg]")                      \
  A(tendon, width, "width", REAL, 1, 1, "0.003", "radius for the eye [m]")                               \
  A(tendon, rgba, "rgba", REAL, 4, 4, "0.5 0.5 0.5 1", "colour and opacity")                             \
  A(tendon, material, "material", NAME, 0, 0, NULL, "its colour, where rgba is not given")               \
  A(tendon, group, "group", INT, 1, 1, "0", "for viewers; not kept")                                     \
  A(tendon, margin, "margin", SKIP, 0, 0, NULL, "limits of Heft act where they are")                     \
  A(tendon, actuatorfrcrange, "actuatorfrcrange", SKIP, 0, 0, NULL, "limit the actuators themselves")    \
  A(tendon, actuatorfrclimited, "actuatorfrclimited", SKIP, 0, 0, NULL, "limit the actuators themselves") \
  A(tendon, solreflimit, "solreflimit", SKIP, 0, 0, NULL, "limits of Heft are not soft")                 \
  A(tendon, solimplimit, "solimplimit", SKIP, 0, 0, NULL, "limits of Heft are not soft")                 \
  A(tendon, solreffriction, "solreffriction", SKIP, 0, 0, NULL, "friction of Heft is not soft")          \
  A(tendon, solimpfriction, "solimpfriction", SKIP, 0, 0, NULL, "friction of Heft is not soft")          \
  A(tendon, user, "user", SKIP, 0, 0, NULL, "user data is not kept")                                     \
  E(wrapsite, "site", "spatial")                                                                         \
  A(wrapsite, site, "site", NAME, 0, 0, NULL, "point that the tendon passes")                            \
  E(wrapgeom, "geom", "spatial")                                                                         \
  A(wrapgeom, geom, "geom", NAME, 0, 0, NULL, "sphere or cylinder that the tendon winds round")          \
  A(wrapgeom, sidesite, "sidesite", NAME, 0, 0, NULL, "site on whose side it passes; inside: it passes within") \
  E(wrappulley, "pulley", "spatial")                                                                     \
  A(wrappulley, divisor, "divisor", REAL, 1, 1, NULL, "the lengths that follow are divided by it")       \
  E(wrapjoint, "joint", "fixed")                                                                         \
  A(wrapjoint, joint, "joint", NAME, 0, 0, NULL, "joint whose coordinate counts")                        \
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
  A(position, kp, "kp", REAL, 1, 1, NULL, "force per deviation")                                         \
  A(position, kv, "kv", REAL, 1, 1, NULL, "damping")                                                     \
  A(position, dampratio, "dampratio", REAL, 1, 1, NULL, "damping, as a share of the critical one")       \
  A(position, timeconst, "timeconst", REAL, 1, 1, NULL, "time constant of a filter of the control [s]")  \
  A(position, inheritrange, "inheritrange", REAL, 1, 1, NULL, "ctrlrange is that of the target, times this") \
  E(velocity, "velocity", "actuator")                                                                    \
  MJCF_ACTUATOR(A, velocity)                                                                             \
  A(velocity, kv, "kv", REAL, 1, 1, NULL, "force per deviation of speed")                                \
  E(intvelocity, "intvelocity", "actuator")                                                              \
  MJCF_ACTUATOR(A, intvelocity)                                                                          \
  A(intvelocity, kp, "kp", REAL, 1, 1, NULL, "force per deviation")                                      \
  A(intvelocity, kv, "kv", REAL, 1, 1, NULL, "damping")                                                  \
  A(intvelocity, dampratio, "dampratio", REAL, 1, 1, NULL, "damping, as a share of the critical one")    \
  A(intvelocity, inheritrange, "inheritrange", REAL, 1, 1, NULL, "actrange is that of the target, times this") \
  E(damper, "damper", "actuator")                                                                        \
  MJCF_ACTUATOR(A, damper)                                                                               \
  A(damper, kv, "kv", REAL, 1, 1, NULL, "damping per unit of control")                                   \
  E(cylinder, "cylinder", "actuator")                                                                    \
  MJCF_ACTUATOR(A, cylinder)                                                                             \
  A(cylinder, timeconst, "timeconst", REAL, 1, 1, NULL, "time constant of the pressure [s]")             \
  A(cylinder, area, "area", REAL, 1, 1, NULL, "area of the piston [m²]")                                 \
  A(cylinder, diameter, "diameter", REAL, 1, 1, NULL, "diameter of the piston, in place of area [m]")    \
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
  A(sensor, joint, "joint", NAME, 0, 0, NULL, "joint that it looks at")                                  \
  A(sensor, actuator, "actuator", NAME, 0, 0, NULL, "actuator that it looks at")                         \
  A(sensor, tendon, "tendon", NAME, 0, 0, NULL, "tendon that it looks at")                               \
  A(sensor, site, "site", NAME, 0, 0, NULL, "site that it sits at")                                      \
  A(sensor, body, "body", NAME, 0, 0, NULL, "body that it looks at")                                     \
  A(sensor, objtype, "objtype", WORD, 0, 0, NULL, "kind of frame (site xbody body geom camera)")         \
  A(sensor, objname, "objname", NAME, 0, 0, NULL, "frame that it looks at")                              \
  A(sensor, reftype, "reftype", WORD, 0, 0, NULL, "kind of frame (site xbody body geom camera)")         \
  A(sensor, refname, "refname", NAME, 0, 0, NULL, "frame in which it measures")                          \
  A(sensor, noise, "noise", REAL, 1, 1, "0", "standard deviation")                                       \
  A(sensor, cutoff, "cutoff", REAL, 1, 1, "0", "values are clamped to it; 0: not")                       \
  A(sensor, delay, "delay", SKIP, 0, 0, NULL, "sensors answer at once")                                  \
  A(sensor, nsample, "nsample", SKIP, 0, 0, NULL, "sensors answer at once")                              \
  A(sensor, interp, "interp", SKIP, 0, 0, NULL, "sensors answer at once")                                \
  A(sensor, user, "user", SKIP, 0, 0, NULL, "user data is not kept")                                     \
  E(key, "key", "keyframe")                                                                              \
  A(key, name, "name", TEXT, 0, 0, "", "its name")                                                       \
  A(key, time, "time", REAL, 1, 1, "0", "[s]")                                                           \
  A(key, qpos, "qpos", TEXT, 0, 0, NULL, "coordinates, always in metres and radians")                    \
  A(key, qvel, "qvel", TEXT, 0, 0, NULL, "velocities")                                                   \
  A(key, act, "act", TEXT, 0, 0, NULL, "activations")                                                    \
  A(key, ctrl, "ctrl", TEXT, 0, 0, NULL, "controls")                                                     \
  A(key, mpos, "mpos", SKIP, 0, 0, NULL, "mocap bodies are fixed")                                       \
  A(key, mquat, "mquat", SKIP, 0, 0, NULL, "mocap bodies are fixed")                                     \
  E(numeric, "numeric", "custom")                                                                        \
  A(numeric, name, "name", TEXT, 0, 0, NULL, "see what Heft adds in custom, below")                      \
  A(numeric, size, "size", INT, 1, 1, "0", "numbers; more than data has become zero")                    \
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

// What MJCF cannot say and Heft keeps in <custom>: C(id, element, name, meaning).
#define MJCF_CUSTOM(C)                                                                                   \
  C(material, "numeric", "heft_material_NAME", "contact material NAME: static friction, kinetic friction, torsion [m], rolling [m], restitution") \
  C(made_of, "tuple", "heft_material_NAME", "the geoms and pairs that are made of it")                   \
  C(sensor, "numeric", "heft_sensor_NAME", "calibration of sensor NAME with n values: n x n matrix row by row, then n offsets; it reads matrix times truth plus offset") \
  C(contact_model, "text", "heft_contact_model", "the contact model that the scene asks for, a word")    \
  C(planar, "tuple", "heft_planar_NAME", "three joints of one body (slide, slide, hinge) that are one planar joint NAME") \
  C(universal, "tuple", "heft_universal_NAME", "two joints of one body (hinge, hinge) that are one universal joint NAME") \
  C(cylindrical, "tuple", "heft_cylindrical_NAME", "two joints of one body (slide, hinge) that are one cylindrical joint NAME") \
  C(fixed, "tuple", "heft_fixed_NAME", "a fixed joint NAME of the body in it; prm says how many joints of the body come before") \
  C(dofs, "numeric", "heft_dofs_NAME", "numbers that differ between the n dofs of joint NAME: n each of damping, stiffness, dry friction, armature, limited (0 or 1), lowest, highest, then the coordinates of the spring's rest") \
  C(anchors, "numeric", "heft_anchors_NAME", "anchors of the connect or weld NAME where the file's pose does not give them to the last bit: in body 1, in body 2 [m], orientation of body 2 in body 1") \
  C(order, "text", "heft_order_NAME", "for each body, geom, site, camera or light (this is NAME) of the file its number in the model, where that is another; the world is body 0")
// clang-format on

#endif
