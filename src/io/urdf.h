// SPDX-License-Identifier: Apache-2.0
// The parts of the URDF reader and the robot that they fill.
#ifndef HEFT_SRC_IO_URDF_H
#define HEFT_SRC_IO_URDF_H

#include "io/assets.h"
#include "io/xml.h"

typedef struct Link {
  const char* name;
  const XmlNode* node;
  int parent_joint;             ///< index, or -1 for the root
  int first_child, last_child;  ///< joints, or -1
  int body;                     ///< in the builder
  double tree_mass;             ///< with everything below it
  HeftVec3 pos;                 ///< of its body in the parent's, once it was added
  HeftQuat quat;
  int visited;
} Link;

typedef struct Joint {
  const char* name;
  const XmlNode* node;
  HeftJointType type;
  int parent, child;  ///< links
  int next_sibling;   ///< joint of the same parent, or -1
  int index;          ///< in the builder, or -1
  int mimics;         ///< 1: it follows another joint
  int servo;          ///< actuator in the builder, or -1
} Joint;

/// A shape of a link, before it goes to the builder.
typedef struct LinkShape {
  HeftShapeDef def;
  int link;
  int collides;
  int triangles;     ///< 1: its mesh collides as its triangles
  PieceWish pieces;  ///< of a mesh that collides
} LinkShape;

/// A start pose: a keyframe of the model.
typedef struct Pose {
  const char* name;
  double* q;    ///< coordinate of each joint, 0 for joints that have not exactly one
  double lift;  ///< added to the height of the robot [m]
} Pose;

typedef struct Urdf {
  Load* load;
  const SourceFile* file;
  const XmlNode* robot;
  Assets assets;
  Grow meshes;     ///< UrdfMesh
  Grow textures;   ///< const char*: paths, in the order of the model
  Grow shapes;     ///< LinkShape, in the order of the links
  Grow excluded;   ///< int[2]: links that do not collide
  Grow poses;      ///< Pose; the first is "home". Empty: the model has no keyframes
  int has_visual;  ///< 1: a link has a <visual>
  double lift;     ///< added to the height of bodies whose parent is the world [m]
  Link* links;
  Joint* joints;
  int link_count, joint_count;
  NameTable names;  ///< of links and joints, see urdf_find_link()
  int* order;       ///< links, parents first
} Urdf;

// ---- values (urdf_value.c)

/// The child of that name; NULL after a mistake.
const XmlNode* urdf_need_child(Urdf* u, const XmlNode* node, const char* name);
/// The attribute; NULL after a mistake.
const char* urdf_need(Urdf* u, const XmlNode* node, const char* attribute);
/// Reads `count` numbers; returns 0 and keeps `out` unchanged if the node or the attribute is
/// missing.
int urdf_read_numbers(Urdf* u, const XmlNode* node, const char* attribute, int count, double* out);
double urdf_read_number(Urdf* u, const XmlNode* node, const char* attribute, double fallback);
double urdf_need_number(Urdf* u, const XmlNode* node, const char* attribute);
/// URDF requires limits of some joints; a limit of this size means that there is none.
static const double urdf_no_limit = 1e9;
/// Whether URDF requires <limit> for the joint: slides, and hinges that are not continuous.
int urdf_needs_limit(const Joint* joint);
/// Reads <limit lower upper>; 0: the joint has no limits.
int urdf_limits(Urdf* u, const Joint* joint, double range[2]);
/// Stores <limit effort> in a joint def.
void urdf_effort(Urdf* u, const Joint* joint, HeftJointDef* def);
/// <origin xyz rpy> of a node; a missing part is zero.
void urdf_read_origin(Urdf* u, const XmlNode* node, HeftVec3* pos, HeftQuat* quat);

// ---- names that Heft does not know (urdf_unknown.c)

/// Warns about each kind of element and attribute that urdf_table.h does not list.
void urdf_warn_unknown(Urdf* u);

// ---- the tree (urdf_tree.c)

/// The index of the link or joint of that name; -1: none.
int urdf_find_link(const Urdf* u, const char* name);
int urdf_find_joint(const Urdf* u, const char* name);
/// All names, for hints.
HeftNames urdf_link_names(const Urdf* u);
HeftNames urdf_joint_names(const Urdf* u);
/// Each returns 0 after a mistake.
int urdf_collect_links(Urdf* u);
int urdf_collect_joints(Urdf* u);
/// The root link; -1 after a mistake.
int urdf_find_root(Urdf* u);
/// Fills Urdf.order; returns 0 after a mistake.
int urdf_sort_links(Urdf* u, int root);

// ---- inertia (urdf_inertia.c)

/// Adds up Link.tree_mass [kg] from the leaves to the root.
void urdf_sum_tree_mass(Urdf* u);
void urdf_read_inertial(Urdf* u, const Link* link, HeftBodyDef* body);
/// Replaces missing mass and moments of a link that moves, with a warning.
void urdf_fill_missing_inertia(Urdf* u, const Link* link, int moves, HeftBodyDef* body);

// ---- shapes (urdf_shape.c)

/// Collects the shapes of a link in Urdf.shapes.
void urdf_read_shapes(Urdf* u, int link);
/// Adds them to the builder, once the body of the link exists.
void urdf_add_shapes(Urdf* u, int link, int* next);

// ---- meshes (urdf_mesh.c)

/// How one material of a mesh looks.
typedef struct MeshLook {
  double color[4];
  int appearance;  ///< in the builder, or -1
} MeshLook;

/// A mesh file with its scale. Shapes that collide use the whole mesh, visual shapes its parts.
typedef struct UrdfMesh {
  const char* source;  ///< file and scale
  const char* file_name;
  const SourceFile* file;
  Place place;
  Mesh mesh;
  const char* failed;  ///< why it cannot be read; NULL: it was read
  double scale[3];
  int y_up;         ///< 1: its file has y up
  int whole;        ///< index of the whole mesh in the model, or -1
  int first;        ///< index of its first part in the model, or -1
  int count;        ///< parts
  int of_file;      ///< 1: the looks come from the file
  MeshLook* looks;  ///< count of them
} UrdfMesh;

/// The mesh of a <mesh> element, read once. NULL after a mistake. A file that cannot be read is a
/// mistake only if `needed`.
UrdfMesh* urdf_mesh(Urdf* u, const XmlNode* node, int needed);
/// The index of the whole mesh in the model; -1 after a mistake.
int urdf_mesh_whole(Urdf* u, UrdfMesh* mesh);
/// Fills first, count and looks. Returns 0 after a mistake.
int urdf_mesh_parts(Urdf* u, UrdfMesh* mesh);
/// Turns meshes whose files have y up, if the robot was made for that (urdf_up.c).
void urdf_turn_meshes(Urdf* u);
/// An appearance with an image as its texture; -1 if it cannot be shown (with a warning).
int urdf_texture(Urdf* u, Place place, const SourceFile* base, const char* name);

// ---- start poses, height, servos (urdf_place.c, urdf_servo.c, urdf_srdf.c)

/// Adds the pose "home": all joints at zero, or at the limit that is nearest to zero.
Pose* urdf_add_home(Urdf* u);
/// Computes the height of every pose, and Urdf.lift for "home".
void urdf_place_robot(Urdf* u);
/// Reads the poses and the pairs of an SRDF file.
void urdf_read_srdf(Urdf* u);
/// Reads the pairs of HeftLoadDef.urdf_excludes.
void urdf_read_excludes(Urdf* u);
/// Adds floor, servos, excluded pairs and keyframes, when all bodies and joints exist.
void urdf_add_floor(Urdf* u);
void urdf_add_excludes(Urdf* u);
void urdf_add_servos(Urdf* u);
void urdf_add_keys(Urdf* u);

#endif
