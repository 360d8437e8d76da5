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

// ---- with factors: Ω = F Fᵀ

// Fᵀ x: rows of F with their weights, the numbers of x that are not zero.
typedef struct WeightedRows {
  int count, stride;
  const double* row[12];
  double weight[12];
} WeightedRows;

// Adds the six numbers of one effector.
static void add_weighted(const HeftContactProblem* p, const HeftContactTree* tree, int effector,
                         const double* x, WeightedRows* out) {
  out->stride = heft_contact_factor_stride(tree->dof_count);
  const double* factor =
      p->omega + tree->omega + 6L * (effector - tree->effector_first) * out->stride;
  for (int k = 0; k < 6; ++k, factor += out->stride) {
    if (x[k] == 0) continue;
    out->row[out->count] = factor;
    out->weight[out->count++] = x[k];
  }
}

// Four numbers of Fᵀ x.
HEFT_INLINE V4 weighted_at(const WeightedRows* rows, int at) {
  V4 sum = v4_all(0);
  for (int k = 0; k < rows->count; ++k) sum += rows->weight[k] * v4_load(rows->row[k] + at);
  return sum;
}

// The six products of three, 00 10 11 20 21 22.
HEFT_CLONES
static void multiply_weighted(const WeightedRows x[3], double products[6]) {
  V4 sum[6];
  for (int k = 0; k < 6; ++k) sum[k] = v4_all(0);
  for (int j = 0; j < x->stride; j += 4) {
    const V4 a = weighted_at(&x[0], j), b = weighted_at(&x[1], j), c = weighted_at(&x[2], j);
    sum[0] += a * a;
    sum[1] += b * a;
    sum[2] += b * b;
    sum[3] += c * a;
    sum[4] += c * b;
    sum[5] += c * c;
  }
  for (int k = 0; k < 6; ++k) products[k] += v4_sum(sum[k]);
}

HEFT_CLONES
static double square_weighted(const WeightedRows* x) {
  V4 sum = v4_all(0);
  for (int j = 0; j < x->stride; j += 4) {
    const V4 y = weighted_at(x, j);
    sum += y * y;
  }
  return v4_sum(sum);
}

// twists += F Fᵀ w, where w has `count` numbers from the row `first` on, four columns at a time.
HEFT_CLONES
static void turn_by_factor(const HeftContactProblem* p, const HeftContactTree* tree, int first,
                           int count, const double* w, double* twists) {
  const int stride = heft_contact_factor_stride(tree->dof_count), n = 6 * tree->effector_count;
  const double* factor = p->omega + tree->omega;
  for (int j = 0; j < stride; j += 4) {
    V4 y = v4_all(0);
    for (int k = 0; k < count; ++k) {
      if (w[k] != 0) y += w[k] * v4_load(factor + (long)(first + k) * stride + j);
    }
    for (int i = 0; i < n; ++i) twists[i] += v4_sum(y * v4_load(factor + (long)i * stride + j));
  }
}

// ---- rows

void heft_operator_apply_row(const HeftContactProblem* p, const int effector[2],
                             const double jacobian[12], double size, double* twists) {
  for (int s = 0; s < 2; ++s) {
    if (effector[s] < 0) continue;
    const HeftContactTree* tree = tree_of(p, effector[s]);
    const int n = 6 * tree->effector_count, column = 6 * (effector[s] - tree->effector_first);
    const double *x = jacobian + 6L * s, *omega = p->omega + tree->omega;
    double* out = twists + 6L * tree->effector_first;
    if (tree->dof_count > 0) {
      double f[6];
      for (int k = 0; k < 6; ++k) f[k] = size * x[k];
      turn_by_factor(p, tree, column, 6, f, out);
      continue;
    }
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
HEFT_CLONES
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
    const double* own = wrenches + 6L * tree->effector_first;
    double* out = twists + 6L * tree->effector_first;
    const int n = 6 * tree->effector_count;
    if (tree->dof_count > 0) {
      memset(out, 0, (size_t)n * sizeof(double));
      turn_by_factor(p, tree, 0, n, own, out);
    } else {
      turn_wrenches(p->omega + tree->omega, n, own, out);
    }
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

static double mobility_by_effectors(const HeftContactProblem* p, const int effector[2],
                                    const double* x, const double* y) {
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

// The rows of F behind a row of X: both sides' in out[0] if they are in one tree.
static void weigh(const HeftContactProblem* p, const int effector[2], const double* x,
                  WeightedRows out[2]) {
  for (int s = 0; s < 2; ++s) {
    out[s].count = out[s].stride = 0;
    if (effector[s] < 0) continue;
    const HeftContactTree* tree = tree_of(p, effector[s]);
    const int joined = s == 1 && effector[0] >= tree->effector_first &&
                       effector[0] < tree->effector_first + tree->effector_count;
    add_weighted(p, tree, effector[s], x + 6L * s, &out[joined ? 0 : s]);
  }
}

static int has_factors(const HeftContactProblem* p) { return p->trees[0].dof_count > 0; }

double heft_operator_mobility(const HeftContactProblem* p, const int effector[2], const double* x) {
  WeightedRows rows[2];
  if (!has_factors(p)) return mobility_by_effectors(p, effector, x, x);
  weigh(p, effector, x, rows);
  return square_weighted(&rows[0]) + square_weighted(&rows[1]);
}

void heft_operator_mobility_of_three(const HeftContactProblem* p, const int effector[2],
                                     const double (*x)[12], double out[6]) {
  WeightedRows rows[3][2], side[3];
  for (int k = 0; k < 6; ++k) out[k] = 0;
  for (int i = 0, k = 0; i < 3; ++i) {
    if (has_factors(p)) weigh(p, effector, x[i], rows[i]);
    for (int j = 0; j <= i && !has_factors(p); ++j, ++k)
      out[k] = mobility_by_effectors(p, effector, x[i], x[j]);
  }
  for (int s = 0; s < 2 && has_factors(p); ++s) {
    for (int i = 0; i < 3; ++i) side[i] = rows[i][s];
    multiply_weighted(side, out);
  }
}

void heft_operator_axes_mobility(const HeftContactProblem* p, const int effector[2],
                                 double out[12]) {
  for (int s = 0; s < 2; ++s) {
    for (int i = 0; i < 6; ++i) {
      const double axis[6] = {i == 0, i == 1, i == 2, i == 3, i == 4, i == 5};
      out[6 * s + i] = 0;
      if (effector[s] < 0) continue;
      const HeftContactTree* tree = tree_of(p, effector[s]);
      if (has_factors(p)) {
        WeightedRows rows = {.count = 0};
        add_weighted(p, tree, effector[s], axis, &rows);
        out[6 * s + i] = square_weighted(&rows);
      } else {
        out[6 * s + i] = mobility_between(p, tree, effector[s], effector[s], axis, axis);
      }
    }
  }
}

void heft_operator_diagonal(const HeftContactProblem* p, const HeftConstraintBlock* c,
                            double* out) {
  for (int r = 0; r < heft_constraint_type_row_count(c->type); ++r) {
    const double* x = p->jacobian + 12L * (c->row + r);
    out[r] = heft_operator_mobility(p, c->effector, x);
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
