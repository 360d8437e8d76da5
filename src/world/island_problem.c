// SPDX-License-Identifier: Apache-2.0
// The contact problem of one island: Ω of each of its trees is worked out, and its rows are copied
// side by side, in the places that the numbering of island.c gave them.
#include <string.h>

#include "world/world_internal.h"

// A row along dofs: their numbers go to the lanes of the one or two effectors that hold them.
static void place_dof_row(const Constraints* c, const Constraint* k, const double* axis,
                          HeftConstraintBlock* contact, double* out) {
  for (int s = 0; s < 3; ++s) {
    if (k->dof[s] < 0) continue;
    const int effector = c->dof_effector[k->dof[s]];
    const int side = contact->effector[0] < 0 || contact->effector[0] == effector ? 0 : 1;
    contact->effector[side] = effector;
    out[6 * side + c->dof_slot[k->dof[s]]] = axis[s];
  }
}

// Rows of a constraint between links. What cannot move leaves its place to the other.
static void place_link_rows(const Constraints* c, const Constraint* k, HeftConstraintBlock* contact,
                            double (*out)[12]) {
  const double(*axis)[12] = (const double(*)[12])c->axis + k->row;
  const int first = k->link[0] != 0 ? 0 : 1, both = first == 0 && k->link[1] != 0;
  contact->effector[0] = c->link_effector[k->link[first]];
  if (both) {
    contact->effector[1] = c->link_effector[k->link[1]];
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
static void place_wire_row(const HeftWorld* w, const Constraint* k, HeftConstraintBlock* contact,
                           double* out) {
  for (int s = 0; s < 2 && k->wire[s] >= 0; ++s) {
    contact->effector[s] = w->wires->effector[k->wire[s]];
    out[6 * s + w->wires->lane[k->wire[s]]] = w->constraints->axis[k->row][0];
  }
}

static void place_rows(const HeftWorld* w, const Constraint* k, HeftConstraintBlock* contact,
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

static const HeftContactTree* tree_of_effector(const HeftContactTree* trees, int count,
                                               int effector) {
  int low = 0, high = count - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (trees[middle].effector_first <= effector) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return &trees[low];
}

// xᵀ Ω_ab y between two effectors of a tree.
static double mobility(const double* omegas, const HeftContactTree* tree, int a, int b,
                       const double* x, const double* y) {
  const int size = 6 * tree->effector_count;
  const double* omega = omegas + tree->omega + (long)(6 * (a - tree->effector_first)) * size +
                        6 * (b - tree->effector_first);
  double sum = 0;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) sum += x[i] * omega[(long)i * size + j] * y[j];
  }
  return sum;
}

// A loop may ask for what cannot move anyway: the third direction of a plane mechanism. Such a row
// has nothing to solve.
static int is_idle(const HeftContactProblem* p, const HeftConstraintBlock* contact,
                   const double* x) {
  double moves = 0, scale = 0;
  const HeftContactTree* tree[2] = {NULL, NULL};
  for (int s = 0; s < 2; ++s) {
    if (contact->effector[s] < 0) continue;
    const int effector = contact->effector[s];
    tree[s] = tree_of_effector(p->trees, p->tree_count, effector);
    moves += mobility(p->omega, tree[s], effector, effector, x + 6L * s, x + 6L * s);
    for (int i = 0; i < 6; ++i) {
      double unit[6] = {0};
      unit[i] = x[6 * s + i];
      scale += mobility(p->omega, tree[s], effector, effector, unit, unit);
    }
  }
  if (tree[0] && tree[0] == tree[1])
    moves += 2 * mobility(p->omega, tree[0], contact->effector[0], contact->effector[1], x, x + 6);
  return !(moves > 1e-12 * scale);
}

static HeftConstraintBlock law_of(const Constraint* k, int row) {
  return (HeftConstraintBlock){.type = k->type,
                               .row = row,
                               .effector = {-1, -1},
                               .mu = k->mu,
                               .mu_static = k->mu_static,
                               .mu_roll = k->mu_roll,
                               .mu_spin = k->mu_spin,
                               .lower = k->lower,
                               .upper = k->upper};
}

static HeftContactProblem empty_problem(const HeftWorld* w, const Island* island) {
  const Constraints* c = w->constraints;
  return (HeftContactProblem){.constraints = c->contacts + island->contact_first,
                              .bias = c->bias + island->row_first,
                              .warm = c->sorted_warm + island->row_first,
                              .velocity_scale = w->weight_speed,
                              .effector_count = island->effector_count,
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
    heft_dynamics_delassus_effectors(w->dynamics, tree->effector_count,
                                     c->effectors + island->effector_first + tree->effector_first,
                                     scratch, c->omega + island->omega_first + tree->omega);
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
  HeftConstraintBlock* contacts = c->contacts + island->contact_first;
  double *bias = c->bias + island->row_first, *warm = c->sorted_warm + island->row_first;
  double(*jacobian)[12] = c->jacobian + island->row_first;
  int row = 0, placed = 0;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    HeftConstraintBlock contact = law_of(k, row);
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
  problem.constraint_count = island->placed = placed;
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
