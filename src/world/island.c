// SPDX-License-Identifier: Apache-2.0
// Papers: R18, S2.
// Islands: groups of connected constraints, each solved on its own.
//
// For each island the effectors are numbered tree by tree; each island gets its own share of every
// array, for all solutions of a step. From then on islands share nothing, and each thread may solve
// one (island_solve.c).
#include "world/island.h"
#include "base/assert.h"
#include "math/invariant.h"

#include <limits.h>
#include <string.h>

#include "dynamics/links.h"

// ---- grouping

// The other end of a constraint that can join trees: equalities between bodies or joints, tendons.
// -1 if it has none.
static int other_link(const ConstraintSet* set, const HeftModel* m, const Constraint* k) {
  if (k->direction[0] >= 0) return k->direction[1] >= 0 ? set->direction_root[k->direction[1]] : -1;
  if (k->kind != CONSTRAINT_EQUALITY || k->source % 6 != 0) return -1;
  return k->dof[1] >= 0 ? heft_dof_root(m, k->dof[1]) : k->link[1];
}

// Trees that are joined by other constraints than contact points. A tendon is counted once.
static int gather_joined(const ConstraintSet* set, const HeftModel* m, int (*joined)[2]) {
  int count = 0;
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    const int other = other_link(set, m, k);
    const int again =
        i > 0 && k->direction[0] >= 0 && set->list[i - 1].direction[0] == k->direction[0];
    if (other < 0 || again) continue;
    joined[count][0] = heft_constraint_set_link(set, m, k);
    joined[count++][1] = other;
  }
  return count;
}

// ---- numbering
//
// Islands share no tree, so threads number them side by side: first each counts its effectors, its
// rows and the numbers of its Ω; then their shares of the common arrays are laid out one after the
// other; then the effectors are written to their places.

// Forgets the numbers of the step before, and numbers the trees by their roots. The places of the
// trees begin at the island's first link.
static void number_trees(const HeftModel* m, IslandSet* c, Island* island, int joints) {
  for (int i = 0; i < island->link_count; ++i) {
    const int k = island->links[i], dof = heft_link_dof(m, k);
    c->link_effector[k] = -1;
    for (int n = dof; n < dof + heft_link_dof_count(m, k) && joints; ++n) c->dof_effector[n] = -1;
    if (heft_link_root(m, k) != k) continue;
    const int place = island->tree_first + island->tree_count++;
    HEFT_ASSERT(place < island->tree_first + island->link_count);
    c->root_place[k] = place;
    // A⁻¹ of a deformable body has no factor by dofs: too many for joint space
    c->tree_size[place] = heft_link_deforms(m, k) ? INT_MAX / 8 : heft_tree_dof_count(m, k);
    c->tree_links[place] = c->tree_dofs[place] = c->tree_directions[place] = 0;
    c->tree_nodes[place] = c->tree_skins[place] = 0;
  }
}

static void find_link(const HeftModel* m, IslandSet* c, int link) {
  if (link == 0 || c->link_effector[link] >= 0) return;
  const int place = c->root_place[heft_link_root(m, link)], node = heft_link_is_node(m, link);
  HEFT_ASSERT(place >= 0);
  const int own = node ? c->tree_nodes[place]++ : c->tree_links[place]++;
  c->link_effector[link] = own;
  c->node_slot[link] = node ? 3 * (own % 2) : -1;
}

// Each point of a skin is an effector of its own: three velocities, as a node has.
static void find_skin(const HeftModel* m, IslandSet* c, const Constraint* k, int side) {
  const int place = c->root_place[heft_link_root(m, k->link[side])];
  c->skin_place[k->skin[side]] = c->tree_skins[place]++;
}

static void find_dof(const HeftModel* m, IslandSet* c, int dof) {
  if (dof < 0 || c->dof_effector[dof] >= 0) return;
  c->dof_effector[dof] = c->tree_dofs[c->root_place[heft_dof_root(m, dof)]]++;
}

static void find_direction(const ConstraintSet* set, IslandSet* c, int direction) {
  if (direction < 0 || c->direction_effector[direction] >= 0) return;
  const int place = c->root_place[set->direction_root[direction]];
  c->direction_effector[direction] = c->tree_directions[place]++;
  c->direction_slot[direction] = -1;
}

static int effectors_of_tree(const IslandSet* c, int t) {
  return c->tree_links[t] + heft_effectors_of_nodes(c->tree_nodes[t]) +
         heft_effectors_of_nodes(c->tree_skins[t]) + heft_effectors_of(c->tree_dofs[t]) +
         heft_effectors_of(c->tree_directions[t]);
}

static const double JOINT_SHARE = 0.25;  // work of a factor in joint space, relative

static double cube(double x) { return x * x * x; }

// 1 if the dofs of the trees are fewer than the numbers of their effectors, by the work of dense
// factors. That of the joints of a tree is symmetric, and skips the zeros between branches.
static int suits_joint_space(const IslandSet* c, const Island* island) {
  double joints = 0, effectors = 0;
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    joints += cube(c->tree_size[t]) * (c->tree_size[t] > 6 ? JOINT_SHARE : 1);
    effectors += cube(6 * effectors_of_tree(c, t));
  }
  return joints < effectors;
}

// Where the effectors of each tree begin: links first, then nodes by two, points of skins by two,
// dofs by six, then
// tendon directions by six. Returns the numbers of Ω.
static size_t lay_out_trees(IslandSet* c, Island* island) {
  const int joint_space = suits_joint_space(c, island);
  size_t omega = 0;
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    const int effectors = effectors_of_tree(c, t), dofs = joint_space ? c->tree_size[t] : 0;
    c->trees[t] = (HeftContactTree){.effector_first = island->effector_count,
                                    .effector_count = effectors,
                                    .omega = omega,
                                    .dof_count = dofs};
    island->effector_count += effectors;
    island->has_nodes |= c->tree_nodes[t] + c->tree_skins[t] > 0;
    omega += heft_tree_numbers(effectors, dofs);
  }
  return omega;
}

typedef struct Numbering {
  const ConstraintSet* set;
  const HeftModel* model;
  IslandSet* islands;
} Numbering;

static int has_joints(const ConstraintSet* set, const Island* island) {
  for (int i = 0; i < island->count; ++i) {
    if (set->list[island->order[i]].kind != CONSTRAINT_CONTACT) return 1;
  }
  return 0;
}

static void count_island(const Numbering* t, int index) {
  const HeftModel* m = t->model;
  IslandSet* c = t->islands;
  const HeftIslands* groups = &c->groups;
  Island* island = &c->list[index];
  *island = (Island){.order = c->order + c->first[index],
                     .count = c->first[index + 1] - c->first[index],
                     .links = groups->link + groups->link_first[index],
                     .link_count = groups->link_first[index + 1] - groups->link_first[index],
                     .contact_first = c->first[index],
                     .tree_first = groups->link_first[index]};
  if (island->count == 0) return;
  HEFT_ASSERT(island->link_count > 0);
  number_trees(m, c, island, has_joints(t->set, island));
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &t->set->list[island->order[i]];
    for (int s = 0; s < 2; ++s) {
      if (k->skin[s] >= 0) {
        find_skin(m, c, k, s);
      } else {
        find_link(m, c, k->link[s]);
      }
    }
    island->rows += k->rows;
    heft_constraint_set_roots(t->set, m, k, 1, c->active);
    if (k->kind == CONSTRAINT_CONTACT) continue;
    for (int s = 0; s < 3; ++s) find_dof(m, c, k->dof[s]);
    for (int s = 0; s < 2; ++s) find_direction(t->set, c, k->direction[s]);
  }
  island->omega_first = lay_out_trees(c, island);
  HEFT_ASSERT(island->rows >= island->count && island->tree_count <= island->link_count);
}

static void count_range(void* arg, int first, int end) {
  for (int i = first; i < end; ++i) count_island(arg, i);
}

// omega_first holds the size until here.
static void lay_out(IslandSet* c) {
  size_t omega = 0;
  int row = 0, effector = 0;
  for (int i = 0; i < c->count; ++i) {
    Island* island = &c->list[i];
    const size_t size = island->omega_first;
    island->row_first = row;
    island->effector_first = effector;
    island->omega_first = omega;
    row += island->rows;
    effector += island->effector_count;
    omega += size;
  }
}

// The first effector of the dofs of a tree.
static int dofs_begin(const IslandSet* c, int tree) {
  return c->trees[tree].effector_first + c->tree_links[tree] +
         heft_effectors_of_nodes(c->tree_nodes[tree]) +
         heft_effectors_of_nodes(c->tree_skins[tree]);
}

static void settle_skin(const Numbering* t, HeftEffector* effectors, const Constraint* k,
                        int side) {
  const HeftModel* m = t->model;
  IslandSet* c = t->islands;
  const SkinSide* skin = &t->set->skin[k->skin[side]];
  const int tree = c->root_place[heft_link_root(m, k->link[side])];
  const int place = c->skin_place[k->skin[side]];
  const int own = c->trees[tree].effector_first + c->tree_links[tree] +
                  heft_effectors_of_nodes(c->tree_nodes[tree]) + place / 2;
  SkinAxes* axes = &c->skin_axes[k->skin[side]];
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    if (skin->link[i] == 0 || !(skin->weight[i] > 0)) continue;
    for (int n = 0; n < 3; ++n) axes->dof[n][count] = heft_link_dof(m, skin->link[i]) + n;
    axes->arm[count++] = skin->weight[i];
  }
  c->skin_effector[k->skin[side]] = own;
  HeftEffector* effector = &effectors[own];
  for (int n = 0; n < 3; ++n) {
    axes->along[n] = (HeftJointDirection){count, axes->dof[n], axes->arm};
    effector->direction[3 * (place % 2) + n] = &axes->along[n];
  }
  if (effector->direction_count < 3 * (place % 2) + 3)
    effector->direction_count = 3 * (place % 2) + 3;
}

static void settle_node(const HeftModel* m, IslandSet* c, HeftEffector* effectors, int tree,
                        int link) {
  const int slot = c->node_slot[link];
  const int own = c->trees[tree].effector_first + c->tree_links[tree] + c->link_effector[link] / 2;
  HEFT_ASSERT(slot == 0 || slot == 3);
  HeftEffector* effector = &effectors[own];
  c->link_effector[link] = own;
  for (int i = 0; i < 3; ++i) effector->dof[slot + i] = heft_link_dof(m, link) + i;
  if (effector->dof_count < slot + 3) effector->dof_count = slot + 3;
}

static void settle_dof(IslandSet* c, HeftEffector* effectors, int tree, int dof) {
  const int place = c->dof_effector[dof];
  if (place < 0) return;
  c->dof_slot[dof] = place % EFFECTOR_DOFS;
  c->dof_effector[dof] = dofs_begin(c, tree) + place / EFFECTOR_DOFS;
  HEFT_ASSERT(c->dof_slot[dof] >= 0 && c->dof_slot[dof] < EFFECTOR_DOFS);
  HeftEffector* effector = &effectors[c->dof_effector[dof]];
  effector->dof[c->dof_slot[dof]] = dof;
  ++effector->dof_count;
}

static void settle_direction(const ConstraintSet* set, IslandSet* c, HeftEffector* effectors,
                             int direction) {
  if (direction < 0 || c->direction_slot[direction] >= 0) return;
  const int t = c->root_place[set->direction_root[direction]];
  const int place = c->direction_effector[direction], slot = place % EFFECTOR_DOFS;
  const int own = dofs_begin(c, t) + heft_effectors_of(c->tree_dofs[t]) + place / EFFECTOR_DOFS;
  HEFT_ASSERT(slot >= 0 && slot < EFFECTOR_DOFS);
  c->direction_slot[direction] = slot;
  c->direction_effector[direction] = own;
  effectors[own].direction[slot] = &set->direction[direction];
  ++effectors[own].direction_count;
}

// The numbers within a tree become numbers within the island.
static void settle_island(const Numbering* t, const Island* island) {
  const HeftModel* m = t->model;
  IslandSet* c = t->islands;
  HeftEffector* effectors = c->effectors + island->effector_first;
  const int joints = island->count > 0 && has_joints(t->set, island);
  for (int i = 0; i < island->effector_count && (joints || island->has_nodes); ++i)
    effectors[i] = (HeftEffector){.body = -1};
  for (int i = 0; i < island->link_count && island->count > 0; ++i) {
    const int k = island->links[i], tree = c->root_place[heft_link_root(m, k)];
    const int dof = heft_link_dof(m, k), end = dof + heft_link_dof_count(m, k);
    for (int n = dof; n < end && joints; ++n) settle_dof(c, effectors, tree, n);
    if (c->link_effector[k] < 0) continue;
    if (c->node_slot[k] >= 0) {
      settle_node(m, c, effectors, tree, k);
      continue;
    }
    c->link_effector[k] += c->trees[tree].effector_first;
    HEFT_ASSERT(c->link_effector[k] < island->effector_count);
    effectors[c->link_effector[k]] = (HeftEffector){.body = heft_link_body(m, k)};
  }
  for (int i = 0; i < island->count && island->has_nodes; ++i) {
    const Constraint* k = &t->set->list[island->order[i]];
    for (int s = 0; s < 2; ++s) {
      if (k->skin[s] >= 0) settle_skin(t, effectors, k, s);
    }
  }
  for (int i = 0; i < island->count && joints; ++i) {
    const Constraint* k = &t->set->list[island->order[i]];
    for (int s = 0; s < 2; ++s) settle_direction(t->set, c, effectors, k->direction[s]);
  }
}

static void settle_range(void* arg, int first, int end) {
  const Numbering* t = arg;
  for (int i = first; i < end; ++i) settle_island(t, &t->islands->list[i]);
}

void heft_islands_group(IslandSet* c, const ConstraintSet* set, const HeftModel* m,
                        HeftCollider* collider, HeftPool* pool) {
  Numbering numbering = {set, m, c};
  c->model = m;
  memcpy(c->active, set->tied, (size_t)heft_link_count(m) * sizeof(int));
  c->count = 0;
  if (set->count == 0) return;
  const int joined = gather_joined(set, m, c->joined);
  c->groups = heft_collider_islands(collider, (const int(*)[2])c->joined, joined);
  c->count = c->groups.count;
  memset(c->first, 0, (size_t)(c->count + 1) * sizeof(int));
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    c->of_constraint[i] = c->groups.link_island[heft_constraint_set_link(set, m, k)];
    HEFT_ASSERT(c->of_constraint[i] >= 0 && c->of_constraint[i] < c->count);
    ++c->first[c->of_constraint[i] + 1];
  }
  for (int i = 0; i < c->count; ++i) c->first[i + 1] += c->first[i];
  HEFT_ASSERT(c->first[c->count] == set->count);
  for (int i = 0; i < set->count; ++i) c->order[c->first[c->of_constraint[i]]++] = i;
  for (int i = c->count; i > 0; --i) c->first[i] = c->first[i - 1];
  c->first[0] = 0;
  HEFT_ASSERT(heft_is_rising(c->first, c->count) && c->first[c->count] == set->count);
  for (int i = 0; i < c->direction_count; ++i) c->direction_effector[i] = -1;
  heft_pool_run_ranges(pool, c->count, ISLAND_RANGE, count_range, &numbering);
  lay_out(c);
  heft_pool_run_ranges(pool, c->count, ISLAND_RANGE, settle_range, &numbering);
  HEFT_ASSERT(heft_islands_row_sum(c) == set->row_count);
}

void heft_island_scale(const HeftModel* m, const Island* island, double scale, double* v) {
  for (int i = 0; i < island->link_count; ++i) {
    const int dof = heft_link_dof(m, island->links[i]);
    for (int n = dof; n < dof + heft_link_dof_count(m, island->links[i]); ++n) v[n] *= scale;
  }
}
