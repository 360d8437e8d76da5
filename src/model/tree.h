// SPDX-License-Identifier: Apache-2.0
// The tree: the kinematic structure of a model for the dynamics, derived from its arrays and laid
// out for speed.
//
// Links. Bodies that are welded together move as one. A *link* is a body with degrees of freedom,
// with everything that is welded to it; link 0 is the world and all that is welded to it. A moved
// body is a link without degrees of freedom and without inertia: nothing that acts on it has an
// effect, so it is a tree of its own. The frame of a link lies at the common centre of mass, along
// the principal axes of inertia, so that mass and three moments describe its inertia; the frame of
// a moved body is the body's own.
//
// Relative poses. A single hinge or slide moves its link from the parent link's frame to
//     X(q) = E0 + s E1 + c E2,   hinge: s = sin(q - q0), c = cos(q - q0)
//                                slide: s = q - q0,      c = 0
// because Rodrigues' formula R = aaᵀ + s [a]× + c (1 - aaᵀ) is linear in (s, c), and so is
// everything multiplied to it from left and right. E0, E1, E2 are 3x4 matrices, kept as four
// columns of four (last row unused). This is a *stage*; a link with several hinges and slides is a
// chain of them, X(q) = X_1(q_1) X_2(q_2) .... All other links go through their joints one after
// the other: X(q) = before ∘ J_1(q) ∘ J_2(q) ... ∘ after.
//
// Dofs. Each link has the dofs of its joints, in order. A dof's *path* lists the dofs from the root
// of its tree down to itself; row k of the mass matrix has its nonzeros exactly there. Rows are
// stored in path order, each padded to a multiple of four, so that the row of any ancestor is a
// prefix, and eliminations run along memory.
#ifndef HEFT_SRC_MODEL_TREE_H
#define HEFT_SRC_MODEL_TREE_H

#include <heft/model.h>

typedef enum LinkKind {
  LINK_WORLD,    ///< does not move
  LINK_CHAIN,    ///< hinges and slides, one or several
  LINK_FREE,     ///< six degrees of freedom on the world
  LINK_GENERAL,  ///< anything else: a ball, planar, universal or cylindrical joint among them
  LINK_MOVED,    ///< no degrees of freedom: the motion of its body is prescribed
} LinkKind;

/// A 3x4 matrix as four columns of four: rotation columns 0 to 2, position 3. Rows 0 to 2 count.
typedef struct Columns {
  _Alignas(32) double c[4][4];
} Columns;

/// One hinge or slide of a chain. The frame behind it is the link's for the last one.
typedef struct ChainStage {
  Columns e0, e1, e2;           ///< pose in the frame before it: E0 + s E1 + c E2
  _Alignas(32) double axis[4];  ///< angular part of the motion axis, in the frame behind it; zero
                                ///< for a slide
  _Alignas(32) double arm[4];   ///< linear part at that frame's origin, in that frame
  double q_origin;              ///< the coordinate at which the angle or shift is zero
  int q, dof;
  int is_hinge;  ///< turns; otherwise shifts
} ChainStage;

typedef struct Link {
  Columns before, after;           ///< not for chains: parent link to body, body to link
  _Alignas(32) double inertia[4];  ///< principal moments of inertia [kg m²]
  _Alignas(32) double lift[4];     ///< where the mass that does not feel gravity has its centre, in
                                   ///< the link's frame
  double mass;                     ///< [kg]
  double lift_mass;                ///< mass that does not feel gravity [kg]
  int parent;                      ///< link; -1 for the world
  int root;                        ///< root link of its tree, a child of the world; 0 for the
                                   ///< world. The nodes of a deformable body belong to the tree
                                   ///< of the link that holds some of them; without one they are
                                   ///< one tree: its root is the first of them. All are children of
                                   ///< the world
  int deformable;                  ///< the deformable body that it is a node of, or -1
  int soft;                        ///< 1 if there are nodes in its tree; 2 if the world holds
                                   ///< other nodes of these deformable bodies
  int body;                        ///< the body whose joints move it
  int joint, joint_count;          ///< those joints
  int dof, dof_count;              ///< their degrees of freedom
  int q, q_count;                  ///< their coordinates
  int stage;                       ///< LINK_CHAIN: the first of its dof_count stages
  LinkKind kind;
} Link;

enum { GROUP_LINKS = 64 };

/// Trees that are worked on together: their first link, dof, stage, place in the elimination and
/// free link. The next group begins where this one ends.
typedef struct TreeGroup {
  int link, dof, stage, eliminated, free;
} TreeGroup;

typedef struct HeftTree {
  Link* link;         ///< nlink
  ChainStage* stage;  ///< stage_count
  TreeGroup* group;   ///< group_count + 1: trees in groups of about GROUP_LINKS links, which share
                      ///< nothing and are successive in every array
  int* breadth;       ///< nlink: links of each group by distance from the root, so that independent
                      ///< branches come side by side; the world first
  int* bond_link;     ///< ndeformable: the moving link that holds nodes, 0: none
  int* body_link;     ///< nbody: the link that a body belongs to
  Columns* body_in_link;  ///< nbody: its pose in that link's frame
  int* dof_link;          ///< nv
  int* dof_parent;        ///< nv: the dof before it on its path, or -1
  int* dof_group;  ///< nv: how many dofs from this one on turn together (3 for a ball), else 1
  int* dof_local;  ///< nv: its number among the dofs of its tree
  int* tree_dofs;  ///< nlink: how many a root's tree has, 0 for other links
  int* dof_depth;  ///< nv: how many dofs come before it on its path
  int*
      dof_run;  ///< nv: how many of these, from the first, bear successive numbers; a multiple of 4
  int* row;  ///< nv: where its row begins, in path and in every matrix of this shape; a multiple of
             ///< 4
  int* path;         ///< row_count: dofs on the path; padding repeats the last one
  int* elimination;  ///< eliminated: dofs outside free links, by group, deepest first, so that
                     ///< independent branches come side by side
  int* free_link;    ///< free_count: free links
  int eliminated, free_count, group_count;
  int nlink, stage_count;
  int nbody, nv;
  int floats;        ///< 1 if anything does not feel all of gravity
  int row_count;     ///< numbers in a matrix stored by paths
  int largest_tree;  ///< most dofs in one tree
  int deepest;       ///< length of the longest path
  size_t memory_size;
} HeftTree;

/// One degree of freedom as the joint sees it, in the body's frame: a turn about the anchor, or a
/// shift.
typedef struct JointAxis {
  HeftVec3 axis;
  int turns;
} JointAxis;

/// The axes of a joint in the order of its dofs. Those of a ball or free joint turn with the body;
/// the shifts of a free joint are along the world's axes. Returns how many.
int heft_joint_axes(const HeftModel* model, int joint, JointAxis axes[6]);

HeftStatus heft_tree_create(HeftTree** out, const HeftModel* model, HeftModelLimits limits,
                            const HeftAllocator* allocator, HeftError* error);
void heft_tree_destroy(HeftTree* tree, const HeftAllocator* allocator);

#endif
