// SPDX-License-Identifier: Apache-2.0
// Islands: constraints that hang together, solved apart from all others.
//
// For each island the effectors are numbered tree by tree; each island gets its own share of every
// array, for all that is solved in a step. From then on islands have nothing in common, and threads
// may take one each (island_solve.c).
#include <string.h>

#include "world/world_internal.h"

// ---- grouping

static int constraint_link(const HeftWorld* w, const Constraint* k) {
  if (k->dof[0] >= 0) return heft_dof_root(w->model, k->dof[0]);
  if (k->wire[0] >= 0) return w->wires->root[k->wire[0]];
  return k->link[0] != 0 ? k->link[0] : k->link[1];
}

// The other end of a constraint that can tie trees together: loops between bodies, couplings
// between joints, tendons. -1 if it has none.
static int other_link(const HeftWorld* w, const Constraint* k) {
  if (k->wire[0] >= 0) return k->wire[1] >= 0 ? w->wires->root[k->wire[1]] : -1;
  if (k->kind != CONSTRAINT_EQUALITY || k->source % 6 != 0) return -1;
  return k->dof[1] >= 0 ? heft_dof_root(w->model, k->dof[1]) : k->link[1];
}

// Trees that are tied together beside what touches. A tendon is counted once.
static int gather_joined(const HeftWorld* w, int (*joined)[2]) {
  const Constraints* c = w->constraints;
  int count = 0;
  for (int i = c->contact_point_count; i < c->count; ++i) {
    const Constraint* k = &c->list[i];
    const int other = other_link(w, k);
    if (other < 0 || (i > 0 && k->wire[0] >= 0 && c->list[i - 1].wire[0] == k->wire[0])) continue;
    joined[count][0] = constraint_link(w, k);
    joined[count++][1] = other;
  }
  return count;
}

// ---- numbering

// The trees of the island, by their roots.
static void number_trees(const HeftModel* m, Constraints* c, Island* island) {
  for (int i = 0; i < island->link_count; ++i) {
    const int k = island->links[i];
    if (heft_link_root(m, k) != k) continue;
    const int place = island->tree_first + island->tree_count++;
    c->root_place[k] = place;
    c->tree_links[place] = c->tree_dofs[place] = c->tree_wires[place] = 0;
  }
}

static void find_link(const HeftModel* m, Constraints* c, int link) {
  if (link == 0 || c->link_effector[link] >= 0) return;
  c->link_effector[link] = c->tree_links[c->root_place[heft_link_root(m, link)]]++;
  c->found_link[c->found_links++] = link;
}

static void find_dof(const HeftModel* m, Constraints* c, int dof) {
  if (dof < 0 || c->dof_effector[dof] >= 0) return;
  c->dof_effector[dof] = c->tree_dofs[c->root_place[heft_dof_root(m, dof)]]++;
  c->found_dof[c->found_dofs++] = dof;
}

static void find_wire(const HeftWorld* w, int wire) {
  Constraints* c = w->constraints;
  if (wire < 0 || w->wires->effector[wire] >= 0) return;
  w->wires->effector[wire] = c->tree_wires[c->root_place[w->wires->root[wire]]]++;
  c->found_wire[c->found_wires++] = wire;
}

// Where the effectors of each tree begin: links first, then dofs by six, then wires by six.
static void lay_out_trees(Constraints* c, Island* island) {
  size_t omega = 0;
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    const int effectors =
        c->tree_links[t] + heft_effectors_of(c->tree_dofs[t]) + heft_effectors_of(c->tree_wires[t]);
    c->trees[t] = (HeftContactTree){
        .effector_first = island->effector_count, .effector_count = effectors, .omega = (int)omega};
    island->effector_count += effectors;
    omega += 36 * (size_t)effectors * (size_t)effectors;
  }
}

// The numbers within a tree become numbers within the island.
static void settle_effectors(const HeftModel* m, Constraints* c, const Island* island,
                             int first_link, int first_dof) {
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

static void settle_wires(const HeftWorld* w, const Island* island, int first) {
  Constraints* c = w->constraints;
  const Wires* x = w->wires;
  for (int i = first; i < c->found_wires; ++i) {
    const int wire = c->found_wire[i], t = c->root_place[x->root[wire]], place = x->effector[wire];
    x->lane[wire] = place % EFFECTOR_DOFS;
    x->effector[wire] = c->trees[t].effector_first + c->tree_links[t] +
                        heft_effectors_of(c->tree_dofs[t]) + place / EFFECTOR_DOFS;
    HeftEffector* effector = &c->effectors[island->effector_first + x->effector[wire]];
    if (x->lane[wire] == 0) *effector = (HeftEffector){.body = -1};
    effector->direction[effector->direction_count++] = &x->direction[wire];
  }
}

static void number_effectors(const HeftWorld* w, Island* island) {
  const HeftModel* m = w->model;
  Constraints* c = w->constraints;
  const int first_link = c->found_links, first_dof = c->found_dofs, first_wire = c->found_wires;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    for (int s = 0; s < 2; ++s) find_link(m, c, k->link[s]);
    for (int s = 0; s < 3; ++s) find_dof(m, c, k->dof[s]);
    for (int s = 0; s < 2; ++s) find_wire(w, k->wire[s]);
    island->rows += k->rows;
  }
  lay_out_trees(c, island);
  settle_effectors(m, c, island, first_link, first_dof);
  settle_wires(w, island, first_wire);
}

// Those of the step before.
static void reset_effectors(const HeftWorld* w) {
  Constraints* c = w->constraints;
  for (int i = 0; i < c->found_wires; ++i) w->wires->effector[c->found_wire[i]] = -1;
  for (int i = 0; i < c->found_links; ++i) c->link_effector[c->found_link[i]] = -1;
  for (int i = 0; i < c->found_dofs; ++i) c->dof_effector[c->found_dof[i]] = -1;
  c->found_links = c->found_dofs = c->found_wires = 0;
}

// Lays out all islands one after the other. Those without constraints are empty.
static void lay_out(const HeftWorld* w) {
  Constraints* c = w->constraints;
  Island next = {0};
  for (int i = 0; i < c->island_count; ++i) {
    const int first = c->island_first[i];
    Island* island = &c->island[i];
    *island = next;
    island->order = c->order + first;
    island->count = c->island_first[i + 1] - first;
    island->links = c->islands.link + c->islands.link_first[i];
    island->link_count = c->islands.link_first[i + 1] - c->islands.link_first[i];
    if (island->count == 0) continue;
    number_trees(w->model, c, island);
    number_effectors(w, island);
    next.contact_first += island->count;
    next.row_first += island->rows;
    next.tree_first += island->tree_count;
    next.effector_first += island->effector_count;
    const HeftContactTree* last = &c->trees[island->tree_first + island->tree_count - 1];
    next.omega_first +=
        (size_t)last->omega + 36 * (size_t)last->effector_count * (size_t)last->effector_count;
  }
}

void heft_constraints_group(HeftWorld* w) {
  Constraints* c = w->constraints;
  memset(c->active, 0, (size_t)heft_link_count(w->model) * sizeof(int));
  heft_wires_mark(w, c->active);
  heft_couplings_mark(w, c->active);
  c->island_count = 0;
  reset_effectors(w);
  if (c->count == 0) return;
  const int joined = gather_joined(w, c->joined);
  c->islands = heft_collider_islands(c->collider, (const int(*)[2])c->joined, joined);
  const HeftIslands islands = c->islands;
  c->island_count = islands.count;
  memset(c->island_first, 0, (size_t)(islands.count + 1) * sizeof(int));
  for (int i = 0; i < c->count; ++i) {
    Constraint* k = &c->list[i];
    k->island = islands.link_island[constraint_link(w, k)];
    ++c->island_first[k->island + 1];
    heft_constraint_set_roots(w, k, 1, c->active);
  }
  for (int i = 0; i < islands.count; ++i) c->island_first[i + 1] += c->island_first[i];
  for (int i = 0; i < c->count; ++i) c->order[c->island_first[c->list[i].island]++] = i;
  for (int i = islands.count; i > 0; --i) c->island_first[i] = c->island_first[i - 1];
  c->island_first[0] = 0;
  lay_out(w);
}
