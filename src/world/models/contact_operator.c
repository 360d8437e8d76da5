// SPDX-License-Identifier: Apache-2.0
// The operator W of an island by its effectors: an impulse r along a row with the numbers X is the
// wrench Xᵀ r on its effectors; Ω, dense within each tree, turns wrenches into twists V; the
// velocity of a row is X V.
#include <string.h>

#include "math/simd.h"

#include "world/models/contact_model.h"

static const HeftContactTree* tree_of(const HeftContactProblem* p, int effector) {
  int low = 0, high = p->tree_count - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (p->trees[middle].effector_first <= effector) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return &p->trees[low];
}

void heft_operator_apply_row(const HeftContactProblem* p, const int effector[2],
                             const double jacobian[12], double size, double* twists) {
  for (int s = 0; s < 2; ++s) {
    if (effector[s] < 0) continue;
    const HeftContactTree* tree = tree_of(p, effector[s]);
    const int n = 6 * tree->effector_count, column = 6 * (effector[s] - tree->effector_first);
    const double *x = jacobian + 6L * s, *omega = p->omega + tree->omega;
    double* out = twists + 6L * tree->effector_first;
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int k = 0; k < 6; ++k) sum += omega[(long)i * n + column + k] * x[k];
      out[i] += size * sum;
    }
  }
}

double heft_operator_speed(const int effector[2], const double jacobian[12], const double* twists) {
  double speed = 0;
  for (int s = 0; s < 2; ++s) {
    if (effector[s] < 0) continue;
    for (int k = 0; k < 6; ++k) speed += jacobian[6 * s + k] * twists[6L * effector[s] + k];
  }
  return speed;
}

static void gather_wrenches(const HeftContactProblem* p, const double* impulse, double* wrenches) {
  memset(wrenches, 0, 6 * (size_t)p->effector_count * sizeof(double));
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    for (int r = c->row; r < c->row + heft_constraint_type_row_count(c->type); ++r) {
      for (int s = 0; s < 2; ++s) {
        if (c->effector[s] < 0) continue;
        for (int k = 0; k < 6; ++k)
          wrenches[6L * c->effector[s] + k] += p->jacobian[12L * r + 6L * s + k] * impulse[r];
      }
    }
  }
}

// V = Ω w of a tree. Ω is symmetric: its rows are weighed by the numbers of w, most of which are
// zero if few rows have an impulse.
HEFT_CLONES_V4
static void turn_wrenches(const double* omega, int n, const double* w, double* twists) {
  memset(twists, 0, (size_t)n * sizeof(double));
  for (int k = 0; k < n; ++k) {
    const double *row = omega + (long)k * n, f = w[k];
    int i = 0;
    if (f == 0) continue;
    for (; i + 4 <= n; i += 4) v4_store(twists + i, v4_load(twists + i) + f * v4_load(row + i));
    for (; i < n; ++i) twists[i] += f * row[i];
  }
}

void heft_operator_apply(const HeftContactProblem* p, const double* impulse, double* velocity,
                         double* scratch) {
  double *wrenches = scratch, *twists = scratch + 6L * p->effector_count;
  gather_wrenches(p, impulse, wrenches);
  for (int t = 0; t < p->tree_count; ++t) {
    const HeftContactTree* tree = &p->trees[t];
    turn_wrenches(p->omega + tree->omega, 6 * tree->effector_count,
                  wrenches + 6L * tree->effector_first, twists + 6L * tree->effector_first);
  }
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    for (int r = c->row; r < c->row + heft_constraint_type_row_count(c->type); ++r)
      velocity[r] = p->bias[r] + heft_operator_speed(c->effector, p->jacobian + 12L * r, twists);
  }
}

// xᵀ Ω_ab y between two effectors of a tree.
static double mobility_between(const HeftContactProblem* p, const HeftContactTree* tree, int a,
                               int b, const double* x, const double* y) {
  const int n = 6 * tree->effector_count;
  const double* omega = p->omega + tree->omega + (long)(6 * (a - tree->effector_first)) * n +
                        6 * (b - tree->effector_first);
  double sum = 0;
  for (int i = 0; i < 6; ++i, omega += n) {
    double along = 0;
    for (int k = 0; k < 6; ++k) along += omega[k] * y[k];
    sum += x[i] * along;
  }
  return sum;
}

double heft_operator_mobility(const HeftContactProblem* p, const int effector[2], const double* x,
                              const double* y) {
  const HeftContactTree* tree[2] = {NULL, NULL};
  double sum = 0;
  for (int s = 0; s < 2; ++s) {
    if (effector[s] < 0) continue;
    tree[s] = tree_of(p, effector[s]);
    sum += mobility_between(p, tree[s], effector[s], effector[s], x + 6L * s, y + 6L * s);
  }
  if (!tree[0] || tree[0] != tree[1]) return sum;
  sum += mobility_between(p, tree[0], effector[0], effector[1], x, y + 6);
  return sum + mobility_between(p, tree[0], effector[1], effector[0], x + 6, y);
}

double heft_operator_axes_mobility(const HeftContactProblem* p, const int effector[2],
                                   const double* x) {
  double sum = 0;
  for (int s = 0; s < 2; ++s, x += 6) {
    if (effector[s] < 0) continue;
    const HeftContactTree* tree = tree_of(p, effector[s]);
    const int n = 6 * tree->effector_count;
    const double* omega =
        p->omega + tree->omega + 6L * (effector[s] - tree->effector_first) * (n + 1);
    for (int i = 0; i < 6; ++i) sum += x[i] * x[i] * omega[(long)i * (n + 1)];
  }
  return sum;
}

void heft_operator_diagonal(const HeftContactProblem* p, const HeftConstraintBlock* c,
                            double* out) {
  for (int r = 0; r < heft_constraint_type_row_count(c->type); ++r) {
    const double* x = p->jacobian + 12L * (c->row + r);
    out[r] = heft_operator_mobility(p, c->effector, x, x);
  }
}

void heft_operator_dense(const HeftContactProblem* p, double* out, double* scratch) {
  const size_t n = (size_t)p->row_count;
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    for (int r = c->row; r < c->row + heft_constraint_type_row_count(c->type); ++r) {
      memset(scratch, 0, 6 * (size_t)p->effector_count * sizeof(double));
      heft_operator_apply_row(p, c->effector, p->jacobian + 12L * r, 1, scratch);
      for (int j = 0; j <= i; ++j) {
        const HeftConstraintBlock* d = &p->constraints[j];
        for (int k = d->row; k < d->row + heft_constraint_type_row_count(d->type); ++k) {
          const double w = heft_operator_speed(d->effector, p->jacobian + 12L * k, scratch);
          out[(size_t)r * n + (size_t)k] = out[(size_t)k * n + (size_t)r] = w;
        }
      }
    }
  }
}
