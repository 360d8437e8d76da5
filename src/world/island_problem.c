// SPDX-License-Identifier: Apache-2.0
// The contact problem of one island: Ω of each of its trees is worked out, and its rows are copied
// side by side, in the places that the numbering of island.c gave them.
#include <string.h>

#include "world/world_internal.h"

// A row along dofs: their numbers go to the lanes of the one or two movers that hold them.
static void place_dof_row(const Constraints* c, const Constraint* k, const double* axis,
                          HeftContact* contact, double* out) {
  for (int s = 0; s < 3; ++s) {
    if (k->dof[s] < 0) continue;
    const int mover = c->dof_mover[k->dof[s]];
    const int side = contact->mover[0] < 0 || contact->mover[0] == mover ? 0 : 1;
    contact->mover[side] = mover;
    out[6 * side + c->dof_lane[k->dof[s]]] = axis[s];
  }
}

// Rows of a constraint between links. What cannot move leaves its place to the other.
static void place_link_rows(const Constraints* c, const Constraint* k, HeftContact* contact,
                            double (*out)[12]) {
  const double(*axis)[12] = (const double(*)[12])c->axis + k->row;
  const int first = k->link[0] != 0 ? 0 : 1, both = first == 0 && k->link[1] != 0;
  contact->mover[0] = c->link_mover[k->link[first]];
  if (both) {
    contact->mover[1] = c->link_mover[k->link[1]];
    memcpy(out, axis, (size_t)k->rows * sizeof *out);
    return;
  }
  for (int r = 0; r < k->rows; ++r) {
    for (int n = 0; n < 6; ++n) {
      out[r][n] = axis[r][6 * first + n];
      out[r][6 + n] = 0;
    }
  }
}

// The one row of a constraint along wires.
static void place_wire_row(const HeftWorld* w, const Constraint* k, HeftContact* contact,
                           double* out) {
  for (int s = 0; s < 2 && k->wire[s] >= 0; ++s) {
    contact->mover[s] = w->wires->mover[k->wire[s]];
    out[6 * s + w->wires->lane[k->wire[s]]] = w->constraints->axis[k->row][0];
  }
}

static void place_rows(const HeftWorld* w, const Constraint* k, HeftContact* contact,
                       double (*out)[12]) {
  const Constraints* c = w->constraints;
  if (k->wire[0] < 0 && k->dof[0] < 0) {
    place_link_rows(c, k, contact, out);
    return;
  }
  memset(out, 0, sizeof *out);
  if (k->wire[0] >= 0) {
    place_wire_row(w, k, contact, *out);
  } else {
    place_dof_row(c, k, c->axis[k->row], contact, *out);
  }
}

static const HeftContactTree* tree_of_mover(const HeftContactTree* trees, int count, int mover) {
  int low = 0, high = count - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (trees[middle].mover_first <= mover) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return &trees[low];
}

// xᵀ Ω_ab y between two movers of a tree.
static double mobility(const double* omegas, const HeftContactTree* tree, int a, int b,
                       const double* x, const double* y) {
  const int size = 6 * tree->mover_count;
  const double* omega = omegas + tree->omega + (long)(6 * (a - tree->mover_first)) * size +
                        6 * (b - tree->mover_first);
  double sum = 0;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) sum += x[i] * omega[(long)i * size + j] * y[j];
  }
  return sum;
}

// A loop may ask for what cannot move anyway: the third direction of a plane mechanism. Such a row
// has nothing to solve.
static int is_idle(const HeftContactProblem* p, const HeftContact* contact, const double* x) {
  double moves = 0, scale = 0;
  const HeftContactTree* tree[2] = {NULL, NULL};
  for (int s = 0; s < 2; ++s) {
    if (contact->mover[s] < 0) continue;
    const int mover = contact->mover[s];
    tree[s] = tree_of_mover(p->trees, p->tree_count, mover);
    moves += mobility(p->omega, tree[s], mover, mover, x + 6L * s, x + 6L * s);
    for (int i = 0; i < 6; ++i) {
      double unit[6] = {0};
      unit[i] = x[6 * s + i];
      scale += mobility(p->omega, tree[s], mover, mover, unit, unit);
    }
  }
  if (tree[0] && tree[0] == tree[1])
    moves += 2 * mobility(p->omega, tree[0], contact->mover[0], contact->mover[1], x, x + 6);
  return !(moves > 1e-12 * scale);
}

static HeftContact law_of(const Constraint* k, int row) {
  return (HeftContact){.type = k->type,
                       .row = row,
                       .mover = {-1, -1},
                       .mu = k->mu,
                       .mu_static = k->mu_static,
                       .mu_roll = k->mu_roll,
                       .mu_spin = k->mu_spin,
                       .lower = k->lower,
                       .upper = k->upper};
}

static HeftContactProblem empty_problem(const HeftWorld* w, const Island* island) {
  const Constraints* c = w->constraints;
  return (HeftContactProblem){.contacts = c->contacts + island->contact_first,
                              .bias = c->bias + island->row_first,
                              .warm = c->sorted_warm + island->row_first,
                              .velocity_scale = w->weight_speed,
                              .mover_count = island->mover_count,
                              .tree_count = island->tree_count,
                              .trees = c->trees + island->tree_first,
                              .omega = c->omega + island->omega_first,
                              .jacobian = c->jacobian[island->row_first]};
}

void heft_island_mobility(const HeftWorld* w, Island* island, double* scratch) {
  Constraints* c = w->constraints;
  if (island->mobile) return;
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    const HeftContactTree* tree = &c->trees[t];
    heft_delassus_movers(w->dynamics, tree->mover_count,
                         c->movers + island->mover_first + tree->mover_first, scratch,
                         c->omega + island->omega_first + tree->omega);
  }
  island->mobile = 1;
}

void heft_islands_refactored(HeftWorld* w) {
  for (int i = 0; i < w->constraints->island_count; ++i) w->constraints->island[i].mobile = 0;
}

HeftContactProblem heft_island_problem(const HeftWorld* w, Island* island, double* scratch) {
  Constraints* c = w->constraints;
  HeftContactProblem problem = empty_problem(w, island);
  heft_island_mobility(w, island, scratch);
  HeftContact* contacts = c->contacts + island->contact_first;
  double *bias = c->bias + island->row_first, *warm = c->sorted_warm + island->row_first;
  double(*jacobian)[12] = c->jacobian + island->row_first;
  int row = 0, placed = 0;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    HeftContact contact = law_of(k, row);
    const int rows = k->rows;
    place_rows(w, k, &contact, jacobian + row);
    for (int r = 0; r < rows; ++r) {
      bias[row + r] = c->velocity[k->row + r];
      warm[row + r] = c->cold ? 0 : c->warm[k->row + r];
    }
    if (k->waiting) continue;
    if (k->kind == CONSTRAINT_EQUALITY && is_idle(&problem, &contact, jacobian[row])) continue;
    c->source[island->contact_first + placed] = island->order[i];
    contacts[placed++] = contact;
    row += rows;
  }
  problem.contact_count = island->placed = placed;
  problem.row_count = island->rows = row;
  return problem;
}

void heft_island_read_back(Constraints* c, const Island* island, double* impulse) {
  for (int i = 0; i < island->count; ++i) impulse[c->list[island->order[i]].row] = 0;
  for (int i = 0; i < island->placed; ++i) {
    const Constraint* k = &c->list[c->source[island->contact_first + i]];
    const int from = island->row_first + c->contacts[island->contact_first + i].row;
    for (int r = 0; r < k->rows; ++r) {
      impulse[k->row + r] = c->sorted_impulse[from + r];
      c->velocity[k->row + r] = c->sorted_velocity[from + r];
    }
  }
}
