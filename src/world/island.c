// SPDX-License-Identifier: Apache-2.0
// Islands: groups of connected constraints, each solved on its own.
//
// For each island the effectors are numbered tree by tree; each island gets its own share of every
// array, for all solutions of a step. From then on islands share nothing, and threads may take one
// each (island_solve.c).
#include "world/island.h"

#include <string.h>

#include "dynamics/links.h"

// ---- grouping

static int constraint_link(const ConstraintSet* set, const HeftModel* m, const Constraint* k) {
  if (k->dof[0] >= 0) return heft_dof_root(m, k->dof[0]);
  if (k->direction[0] >= 0) return set->direction_root[k->direction[0]];
  return k->link[0] != 0 ? k->link[0] : k->link[1];
}

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
    joined[count][0] = constraint_link(set, m, k);
    joined[count++][1] = other;
  }
  return count;
}

// ---- numbering

// The trees of the island, by their roots.
static void number_trees(const HeftModel* m, IslandSet* c, Island* island) {
  for (int i = 0; i < island->link_count; ++i) {
    const int k = island->links[i];
    if (heft_link_root(m, k) != k) continue;
    const int place = island->tree_first + island->tree_count++;
    c->root_place[k] = place;
    c->tree_links[place] = c->tree_dofs[place] = c->tree_directions[place] = 0;
  }
}

static void find_link(const HeftModel* m, IslandSet* c, int link) {
  if (link == 0 || c->link_effector[link] >= 0) return;
  c->link_effector[link] = c->tree_links[c->root_place[heft_link_root(m, link)]]++;
  c->found_link[c->found_links++] = link;
}

static void find_dof(const HeftModel* m, IslandSet* c, int dof) {
  if (dof < 0 || c->dof_effector[dof] >= 0) return;
  c->dof_effector[dof] = c->tree_dofs[c->root_place[heft_dof_root(m, dof)]]++;
  c->found_dof[c->found_dofs++] = dof;
}

static void find_direction(const ConstraintSet* set, IslandSet* c, int direction) {
  if (direction < 0 || c->direction_effector[direction] >= 0) return;
  const int place = c->root_place[set->direction_root[direction]];
  c->direction_effector[direction] = c->tree_directions[place]++;
  c->found_direction[c->found_directions++] = direction;
}

// Where the effectors of each tree begin: links first, then dofs by six, then tendon directions by
// six.
static void lay_out_trees(IslandSet* c, Island* island) {
  size_t omega = 0;
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    const int effectors = c->tree_links[t] + heft_effectors_of(c->tree_dofs[t]) +
                          heft_effectors_of(c->tree_directions[t]);
    c->trees[t] = (HeftContactTree){
        .effector_first = island->effector_count, .effector_count = effectors, .omega = omega};
    island->effector_count += effectors;
    omega += 36 * (size_t)effectors * (size_t)effectors;
  }
}

// The numbers within a tree become numbers within the island.
static void settle_effectors(const HeftModel* m, IslandSet* c, const Island* island, int first_link,
                             int first_dof) {
  HeftEffector* effectors = c->effectors + island->effector_first;
  for (int i = first_link; i < c->found_links; ++i) {
    const int link = c->found_link[i], t = c->root_place[heft_link_root(m, link)];
    c->link_effector[link] += c->trees[t].effector_first;
    effectors[c->link_effector[link]] = (HeftEffector){.body = heft_link_body(m, link)};
  }
  for (int i = first_dof; i < c->found_dofs; ++i) {
    const int dof = c->found_dof[i], t = c->root_place[heft_dof_root(m, dof)],
              place = c->dof_effector[dof];
    c->dof_slot[dof] = place % EFFECTOR_DOFS;
    c->dof_effector[dof] = c->trees[t].effector_first + c->tree_links[t] + place / EFFECTOR_DOFS;
    HeftEffector* effector = &effectors[c->dof_effector[dof]];
    if (c->dof_slot[dof] == 0) *effector = (HeftEffector){.body = -1};
    effector->dof[effector->dof_count++] = dof;
  }
}

static void settle_directions(const ConstraintSet* set, IslandSet* c, const Island* island,
                              int first) {
  for (int i = first; i < c->found_directions; ++i) {
    const int direction = c->found_direction[i];
    const int t = c->root_place[set->direction_root[direction]];
    const int place = c->direction_effector[direction], slot = place % EFFECTOR_DOFS;
    const int own = c->trees[t].effector_first + c->tree_links[t] +
                    heft_effectors_of(c->tree_dofs[t]) + place / EFFECTOR_DOFS;
    HeftEffector* effector = &c->effectors[island->effector_first + own];
    c->direction_slot[direction] = slot;
    c->direction_effector[direction] = own;
    if (slot == 0) *effector = (HeftEffector){.body = -1};
    effector->direction[effector->direction_count++] = &set->direction[direction];
  }
}

static void number_effectors(const ConstraintSet* set, const HeftModel* m, IslandSet* c,
                             Island* island) {
  const int first_link = c->found_links, first_dof = c->found_dofs,
            first_direction = c->found_directions;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    for (int s = 0; s < 2; ++s) find_link(m, c, k->link[s]);
    island->rows += k->rows;
    if (k->kind == CONSTRAINT_CONTACT) continue;
    for (int s = 0; s < 3; ++s) find_dof(m, c, k->dof[s]);
    for (int s = 0; s < 2; ++s) find_direction(set, c, k->direction[s]);
  }
  lay_out_trees(c, island);
  settle_effectors(m, c, island, first_link, first_dof);
  settle_directions(set, c, island, first_direction);
}

// Resets the numbers of the step before.
static void reset_effectors(IslandSet* c) {
  for (int i = 0; i < c->found_directions; ++i) c->direction_effector[c->found_direction[i]] = -1;
  for (int i = 0; i < c->found_links; ++i) c->link_effector[c->found_link[i]] = -1;
  for (int i = 0; i < c->found_dofs; ++i) c->dof_effector[c->found_dof[i]] = -1;
  c->found_links = c->found_dofs = c->found_directions = 0;
}

// Lays out all islands one after the other. Those without constraints are empty.
static void lay_out(const ConstraintSet* set, const HeftModel* m, IslandSet* c) {
  Island next = {0};
  for (int i = 0; i < c->count; ++i) {
    const int first = c->first[i];
    Island* island = &c->list[i];
    *island = next;
    island->order = c->order + first;
    island->count = c->first[i + 1] - first;
    island->links = c->groups.link + c->groups.link_first[i];
    island->link_count = c->groups.link_first[i + 1] - c->groups.link_first[i];
    if (island->count == 0) continue;
    number_trees(m, c, island);
    number_effectors(set, m, c, island);
    next.contact_first += island->count;
    next.row_first += island->rows;
    next.tree_first += island->tree_count;
    next.effector_first += island->effector_count;
    const HeftContactTree* last = &c->trees[island->tree_first + island->tree_count - 1];
    next.omega_first +=
        last->omega + 36 * (size_t)last->effector_count * (size_t)last->effector_count;
  }
}

void heft_islands_group(IslandSet* c, const ConstraintSet* set, const HeftModel* m,
                        HeftCollider* collider) {
  memcpy(c->active, set->tied, (size_t)heft_link_count(m) * sizeof(int));
  c->count = 0;
  reset_effectors(c);
  if (set->count == 0) return;
  const int joined = gather_joined(set, m, c->joined);
  c->groups = heft_collider_islands(collider, (const int(*)[2])c->joined, joined);
  c->count = c->groups.count;
  memset(c->first, 0, (size_t)(c->count + 1) * sizeof(int));
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    c->of_constraint[i] = c->groups.link_island[constraint_link(set, m, k)];
    ++c->first[c->of_constraint[i] + 1];
    heft_constraint_set_roots(set, m, k, 1, c->active);
  }
  for (int i = 0; i < c->count; ++i) c->first[i + 1] += c->first[i];
  for (int i = 0; i < set->count; ++i) c->order[c->first[c->of_constraint[i]]++] = i;
  for (int i = c->count; i > 0; --i) c->first[i] = c->first[i - 1];
  c->first[0] = 0;
  lay_out(set, m, c);
}
