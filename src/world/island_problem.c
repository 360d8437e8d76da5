// SPDX-License-Identifier: Apache-2.0
// The contact problem of one island: Ω of each of its trees is computed, and its rows are copied
// side by side, to the places that the numbering of island.c gave them.
#include <string.h>

#include "world/island.h"

// A row along dofs: their numbers go to the slots of the one or two effectors that hold them.
static void place_dof_row(const IslandSet* c, const Constraint* k, const double* axis,
                          HeftConstraintBlock* contact, double* out) {
  for (int s = 0; s < 3; ++s) {
    if (k->dof[s] < 0) continue;
    const int effector = c->dof_effector[k->dof[s]];
    const int side = contact->effector[0] < 0 || contact->effector[0] == effector ? 0 : 1;
    contact->effector[side] = effector;
    out[6 * side + c->dof_slot[k->dof[s]]] = axis[s];
  }
}

// Rows of a constraint between links. If one side is static, the moving side is stored first.
static void place_link_rows(const IslandSet* c, const Constraint* k, const double (*axis)[12],
                            HeftConstraintBlock* contact, double (*out)[12]) {
  const int first = k->link[0] != 0 ? 0 : 1, both = first == 0 && k->link[1] != 0;
  contact->effector[0] = c->link_effector[k->link[first]];
  if (both) {
    contact->effector[1] = c->link_effector[k->link[1]];
    memcpy(out, axis, (size_t)k->rows * sizeof *out);
    return;
  }
  for (int r = 0; r < k->rows; ++r) {  // of constant size: a few vectors each
    memcpy(out[r], axis[r] + 6L * first, 6 * sizeof(double));
    memset(out[r] + 6, 0, 6 * sizeof(double));
  }
}

// The one row of a constraint along tendon directions.
static void place_direction_row(const IslandSet* c, const Constraint* k, double sign,
                                HeftConstraintBlock* contact, double* out) {
  for (int s = 0; s < 2 && k->direction[s] >= 0; ++s) {
    contact->effector[s] = c->direction_effector[k->direction[s]];
    out[6 * s + c->direction_slot[k->direction[s]]] = sign;
  }
}

static void place_rows(const IslandSet* c, const ConstraintSet* set, const Constraint* k,
                       HeftConstraintBlock* contact, double (*out)[12]) {
  const double(*axis)[12] = (const double(*)[12])set->axis + k->row;
  if (k->direction[0] < 0 && k->dof[0] < 0) {
    place_link_rows(c, k, axis, contact, out);
    return;
  }
  memset(out, 0, sizeof *out);
  if (k->direction[0] >= 0) {
    place_direction_row(c, k, axis[0][0], contact, *out);
  } else {
    place_dof_row(c, k, axis[0], contact, *out);
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

// An equality may have a row along which nothing can move: the third direction of a plane
// mechanism. Such a row is left out.
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

static HeftContactProblem empty_problem(const IslandProblem* all, const IslandSet* islands,
                                        const Island* island, const StepInput* in) {
  return (HeftContactProblem){.constraints = all->blocks + island->contact_first,
                              .bias = all->bias + island->row_first,
                              .warm = all->warm + island->row_first,
                              .velocity_scale = in->weight_speed,
                              .effector_count = island->effector_count,
                              .tree_count = island->tree_count,
                              .trees = islands->trees + island->tree_first,
                              .omega = all->omega + island->omega_first,
                              .jacobian = all->jacobian[island->row_first]};
}

void heft_island_mobility(IslandProblem* all, const IslandSet* islands, int index,
                          const HeftDynamics* dynamics, double* scratch) {
  const Island* island = &islands->list[index];
  if (all->mobile[index]) return;
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    const HeftContactTree* tree = &islands->trees[t];
    heft_dynamics_delassus_effectors(
        dynamics, tree->effector_count,
        islands->effectors + island->effector_first + tree->effector_first, scratch,
        all->omega + island->omega_first + tree->omega);
  }
  all->mobile[index] = 1;
}

void heft_islands_refactored(IslandProblem* all, const IslandSet* islands) {
  memset(all->mobile, 0, (size_t)islands->count * sizeof(int));
}

HeftContactProblem heft_island_problem(IslandProblem* all, const IslandSet* islands, int index,
                                       const SolveRequest* request, const StepInput* in,
                                       const HeftDynamics* dynamics, double* scratch) {
  const Island* island = &islands->list[index];
  const ConstraintSet* set = request->set;
  HeftContactProblem problem = empty_problem(all, islands, island, in);
  heft_island_mobility(all, islands, index, dynamics, scratch);
  HeftConstraintBlock* blocks = all->blocks + island->contact_first;
  double *bias = all->bias + island->row_first, *warm = all->warm + island->row_first;
  double(*jacobian)[12] = all->jacobian + island->row_first;
  int row = 0, placed = 0;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    HeftConstraintBlock contact = law_of(k, row);
    const int rows = k->rows;
    place_rows(islands, set, k, &contact, jacobian + row);
    for (int r = 0; r < rows; ++r) {
      bias[row + r] = request->velocity[k->row + r];
      warm[row + r] = request->cold ? 0 : set->warm[k->row + r];
    }
    if (request->waiting[island->order[i]]) continue;
    if (k->kind == CONSTRAINT_EQUALITY && is_idle(&problem, &contact, jacobian[row])) continue;
    all->source[island->contact_first + placed] = island->order[i];
    blocks[placed++] = contact;
    row += rows;
  }
  problem.constraint_count = all->placed[index] = placed;
  problem.row_count = row;
  return problem;
}
