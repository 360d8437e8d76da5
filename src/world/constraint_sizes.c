// SPDX-License-Identifier: Apache-2.0
// Upper bounds of what the constraints of a step need, counted from the model.
//
// Constraints: two for a limited dof, one for a dof with dry friction, one to six for an equality,
// up to three for a tendon. A free body has none of them, so that a world of many bodies pays only
// for its contact points.
//
// Effectors: a link that a contact point or an equality can act on is one; six dofs that can be
// constrained share one, and so do six tendon directions. Ω of a tree has 36 numbers for each pair
// of its effectors.
#include "world/constraint_sizes.h"
#include "base/assert.h"

#include <string.h>

#include "collision/skin.h"
#include "dynamics/links.h"
#include "world/island.h"

// ---- constraints

static int rows_of_dim(int dim) { return dim == 1 || dim == 4 || dim == 6 ? dim : 3; }

static int rows_of_contact(const HeftModel* m) {
  int rows = 1;
  for (int i = 0; i < m->nshape; ++i) {
    if (rows_of_dim(m->shape_contact_dim[i]) > rows) rows = rows_of_dim(m->shape_contact_dim[i]);
  }
  for (int i = 0; i < m->npair; ++i) {
    if (rows_of_dim(m->pair_contact_dim[i]) > rows) rows = rows_of_dim(m->pair_contact_dim[i]);
  }
  return rows;
}

static int rows_of_equality(HeftEqualityType type) {
  switch (type) {
    case HEFT_EQUALITY_WELD:
      return 6;
    case HEFT_EQUALITY_CONNECT:
      return 3;
    case HEFT_EQUALITY_JOINT:
    case HEFT_EQUALITY_TENDON:
    case HEFT_EQUALITY_TYPE_COUNT:
      break;
  }
  return 1;
}

// All constraints but contact points; each has one row.
static int count_others(const HeftModel* m) {
  int count = 0;
  for (int i = 0; i < m->nv; ++i) count += 2 * (m->dof_limited[i] != 0) + (m->dof_friction[i] != 0);
  for (int i = 0; i < m->nequality; ++i) count += rows_of_equality(m->equality_type[i]);
  for (int i = 0; i < m->ntendon; ++i)
    count += 2 * (m->tendon_limited[i] != 0) + (m->tendon_friction[i] > 0);
  return count;
}

// ---- effectors

// The parts of each tree, and of the whole model, that can be constrained.
typedef struct Marks {
  int *link, *dof;                 ///< nlink, nv: 1 if it can be constrained
  int *links, *dofs, *directions;  ///< nlink: how many, by the root of their tree
  int* nodes;                      ///< links that are nodes of deformable bodies
  int* skins;                      ///< points of their triangles
} Marks;

size_t heft_constraint_sizes_scratch(const HeftModel* m) {
  return 6 * (size_t)heft_link_count(m) + (size_t)m->nv;
}

static Marks lay_out(const HeftModel* m, int* scratch) {
  const int nlink = heft_link_count(m);
  memset(scratch, 0, heft_constraint_sizes_scratch(m) * sizeof *scratch);
  return (Marks){.link = scratch,
                 .links = scratch + nlink,
                 .dofs = scratch + 2L * nlink,
                 .directions = scratch + 3L * nlink,
                 .nodes = scratch + 4L * nlink,
                 .skins = scratch + 5L * nlink,
                 .dof = scratch + 6L * nlink};
}

static void mark_equality(const HeftModel* m, int e, Marks* marks) {
  const HeftEqualityType type = m->equality_type[e];
  for (int s = 0; s < 2; ++s) {
    const int object = m->equality_object[2L * e + s];
    if (object < 0) continue;
    switch (type) {
      case HEFT_EQUALITY_JOINT:
        marks->dof[m->joint_dof[object]] = 1;
        break;
      case HEFT_EQUALITY_CONNECT:
      case HEFT_EQUALITY_WELD:
        marks->link[heft_body_mobile_link(m, object)] = 1;
        break;
      case HEFT_EQUALITY_TENDON:
      case HEFT_EQUALITY_TYPE_COUNT:
        break;
    }
  }
}

static void mark_dofs(const HeftModel* m, Marks* marks) {
  for (int i = 0; i < m->nv; ++i)
    marks->dof[i] |= m->dof_limited[i] != 0 || m->dof_friction[i] != 0;
  for (int j = 0; j < m->njoint; ++j) {  // the limit of a ball joint acts on its three dofs
    const int dof = m->joint_dof[j];
    if (m->joint_type[j] != HEFT_JOINT_BALL || !m->dof_limited[dof]) continue;
    marks->dof[dof + 1] = marks->dof[dof + 2] = 1;
  }
}

// The root of its nodes; 0: the world holds all of them.
static int root_of_deformable(const HeftModel* m, int d) {
  for (int i = 0; i < m->deformable_node_count[d]; ++i) {
    const int link = m->tree->body_link[m->node_body[m->deformable_node[d] + i]];
    if (link != 0 && heft_link_is_node(m, link)) return heft_link_root(m, link);
  }
  return 0;
}

static void count_by_tree(const HeftModel* m, const TendonConstraints* tendons, Marks* marks) {
  for (int i = 0; i < m->nshape; ++i) marks->link[heft_body_mobile_link(m, m->shape_body[i])] = 1;
  for (int e = 0; e < m->nequality; ++e) mark_equality(m, e, marks);
  mark_dofs(m, marks);
  for (int k = 1; k < heft_link_count(m); ++k) {
    int* kind = heft_link_is_node(m, k) ? marks->nodes : marks->links;
    kind[heft_link_root(m, k)] += marks->link[k];
  }
  for (int d = 0; d < m->ndeformable; ++d) {
    const int root = root_of_deformable(m, d);
    if (root > 0) marks->skins[root] += heft_skin_room(m, d);
  }
  for (int i = 0; i < m->nv; ++i) marks->dofs[heft_dof_root(m, i)] += marks->dof[i];
  for (int i = 0; i < tendons->count; ++i) ++marks->directions[tendons->root[i]];
}

static void count_effectors(const HeftModel* m, const Marks* marks, ConstraintSizes* sizes) {
  size_t factors = 0;   // numbers if each tree has Ω or F, whichever is larger
  int joint_space = 0;  // some tree may have fewer dofs than its effectors have numbers
  sizes->tree_effectors = 1;
  for (int root = 1; root < heft_link_count(m); ++root) {
    const int effectors = marks->links[root] + heft_effectors_of_nodes(marks->nodes[root]) +
                          heft_effectors_of_nodes(marks->skins[root]) +
                          heft_effectors_of(marks->dofs[root]) +
                          heft_effectors_of(marks->directions[root]);
    sizes->effectors += effectors;
    sizes->omega_blocks += (size_t)effectors * (size_t)effectors;
    if (effectors == 0) continue;
    const int node = heft_link_deforms(m, root);  // is never solved in joint space
    const int dofs = node ? 0 : heft_tree_dof_count(m, root),
              stride = heft_contact_factor_stride(dofs);
    const size_t by_dofs = heft_tree_numbers(effectors, dofs),
                 by_effectors = heft_tree_numbers(effectors, 0);
    joint_space |= !node && dofs < 6 * effectors;
    HEFT_ASSERT(stride % 4 == 0);
    factors += by_dofs > by_effectors ? by_dofs : by_effectors;
    if (stride > sizes->tree_dofs) sizes->tree_dofs = stride;
    if (effectors > 1) sizes->tree_blocks += (size_t)effectors * (size_t)effectors;
    if (effectors > sizes->tree_effectors) sizes->tree_effectors = effectors;
  }
  sizes->omega_numbers = joint_space ? factors : 36 * sizes->omega_blocks;
  HEFT_ASSERT(sizes->tree_blocks <= sizes->omega_blocks);
}

ConstraintSizes heft_constraint_sizes(const HeftModel* m, const TendonConstraints* tendons,
                                      int contact_points, int* scratch) {
  const int others = count_others(m);
  ConstraintSizes sizes = {.contact_rows = rows_of_contact(m)};
  Marks marks = lay_out(m, scratch);
  sizes.constraints = contact_points + others + 1;
  sizes.joints = others + 1;
  sizes.rows = sizes.contact_rows * contact_points + others + 1;
  count_by_tree(m, tendons, &marks);
  count_effectors(m, &marks, &sizes);
  HEFT_ASSERT(sizes.constraints >= sizes.joints && sizes.tree_effectors >= 1);
  HEFT_ASSERT(sizes.rows >= sizes.constraints);
  return sizes;
}

// A constraint acts on two links, or on the dofs of up to three effectors.
ConstraintSizes heft_constraint_sizes_below(const ConstraintSizes* sizes, int count) {
  ConstraintSizes below = *sizes;
  if (sizes->constraints < count) return below;
  below.constraints = count - 1;
  if (below.rows > sizes->contact_rows * below.constraints)
    below.rows = sizes->contact_rows * below.constraints;
  if (below.effectors > 3 * below.constraints) below.effectors = 3 * below.constraints;
  return below;
}

// ---- the Newton factor

// The system of an island has 6 unknowns for each effector. In the trees of robots and deformable
// bodies its matrix and its factor, with what the elimination adds, need about four times as much
// as the dense matrices of the trees on their diagonal, eight times in joint space. Free bodies and
// contacts need FACTOR_EACH and FACTOR_ROWS bytes: a heap of 290 bodies with 740 contacts fills
// 90 % of that. Never more than eight dense matrices of all unknowns. The solver adds what a
// problem below its capacities leaves free: islands are mostly smaller than the world. So only the
// first hundreds of bodies count; larger islands have no room for Newton steps, and sweeps are
// faster there anyhow.
enum {
  FACTOR_BASE = 1 << 13,
  FACTOR_EACH = 4096,
  FACTOR_EACH_MAX = 512,
  FACTOR_ROWS = 2304,
  FACTOR_ROWS_MAX = 1024
};
static const size_t trees_max = (size_t)1 << 24;  // bytes for the trees themselves

static size_t at_most(int count, int most) { return (size_t)(count < most ? count : most); }

size_t heft_factor_bytes(const ConstraintSizes* sizes) {
  const size_t unknowns = 6 * (size_t)sizes->effectors,
               dense = 8 * unknowns * unknowns * sizeof(double),
               trees = 4 * 36 * (sizes->omega_blocks + sizes->tree_blocks) * sizeof(double);
  const size_t sparse = (trees < trees_max ? trees : trees_max) +
                        FACTOR_EACH * at_most(sizes->effectors, FACTOR_EACH_MAX);
  return FACTOR_BASE + FACTOR_ROWS * at_most(sizes->constraints, FACTOR_ROWS_MAX) +
         (dense < sparse ? dense : sparse);
}
