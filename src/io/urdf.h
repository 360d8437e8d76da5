// SPDX-License-Identifier: Apache-2.0
// The parts of the URDF reader and the robot that they fill.
#ifndef HEFT_SRC_IO_URDF_H
#define HEFT_SRC_IO_URDF_H

#include "io/assets.h"
#include "io/xml.h"

typedef struct Link {
  const char* name;
  const XmlNode* node;
  int parent_joint;  ///< index, or -1 for the root
  int first_child;   ///< joint, or -1
  int body;          ///< in the builder
  double tree_mass;  ///< with everything below it
  int visited;
} Link;

typedef struct Joint {
  const char* name;
  const XmlNode* node;
  HeftJointType type;
  int parent, child;  ///< links
  int next_sibling;   ///< joint of the same parent, or -1
  int index;          ///< in the builder, or -1
} Joint;

typedef struct Urdf {
  Load* load;
  const XmlNode* robot;
  Assets assets;
  Link* links;
  Joint* joints;
  int link_count, joint_count;
  int* order;  ///< links, parents first
} Urdf;

// ---- values (urdf_value.c)

/// The child of that name; NULL after a mistake.
const XmlNode* urdf_need_child(Urdf* u, const XmlNode* node, const char* name);
/// The attribute; NULL after a mistake.
const char* urdf_need(Urdf* u, const XmlNode* node, const char* attribute);
/// Reads `count` numbers; returns 0 and leaves out alone if the node or the attribute is missing.
int urdf_read_numbers(Urdf* u, const XmlNode* node, const char* attribute, int count, double* out);
double urdf_read_number(Urdf* u, const XmlNode* node, const char* attribute, double fallback);
double urdf_need_number(Urdf* u, const XmlNode* node, const char* attribute);
/// <origin xyz rpy> of a node; a missing part is zero.
void urdf_read_origin(Urdf* u, const XmlNode* node, HeftVec3* pos, HeftQuat* quat);

// ---- the tree (urdf_tree.c)

/// The index of the joint of that name; -1: none.
int urdf_find_joint(const Urdf* u, const char* name);
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

/// Adds all shapes of a kind, "visual" or "collision", to the builder.
void urdf_read_shapes(Urdf* u, const Link* link, const char* kind, int collides);

#endif
