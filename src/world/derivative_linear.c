// SPDX-License-Identifier: Apache-2.0
// Linear algebra of the derivatives of a step: products, the rows that hold, tangent coordinates.
//
// The rows that hold obey J dv + Γ dλ + c = 0 with dv = M̂⁻¹ (g + Nᵀ dλ). So dλ = -W⁺ (c + J M̂⁻¹
// g), W = J M̂⁻¹ Nᵀ + Γ. Rows of contact points that share a face depend on each other: elimination
// with full pivoting of W, scaled to a unit diagonal, finds which, and their dλ is zero. dv does
// not depend on the choice where all rows stick, because N = J then.
//
// A rotation moves by R⁺ = R exp(d), d in the frame of the body, so that a change δ of R and a
// change of d give
//     δ⁺ = exp(-d) δ + J_r(d) dd,
//     J_r = 1 - (1 - cos φ) / φ² [d] + (φ - sin φ) / φ³ [d]²,      φ = |d|.
#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "math/simd.h"
#include "model/joint_kind.h"
#include "world/derivative.h"

static const double dependent =
    1e-9;  // a smaller pivot of the scaled W: the row follows from others
static const double small_angle = 1e-3;

// to (n) += x from (n).
HEFT_INLINE void add_scaled(int n, double x, const double* from, double* to) {
  int j = 0;
  for (; j + 4 <= n; j += 4) v4_store(to + j, v4_load(to + j) + v4_load(from + j) * x);
  for (; j < n; ++j) to[j] += x * from[j];
}

HEFT_CLONES static void product_kernel(int n, int m, int p, double scale, const double* a,
                                       const double* b, double* out) {
  for (size_t i = 0; i < (size_t)n; ++i) {
    for (size_t k = 0; k < (size_t)m; ++k) {
      const double x = scale * a[i * (size_t)m + k];
      if (x != 0) add_scaled(p, x, b + k * (size_t)p, out + i * (size_t)p);
    }
  }
}

void heft_add_product(int n, int m, int p, double scale, const double* a, const double* b,
                      double* out) {
  product_kernel(n, m, p, scale, a, b, out);
}

HEFT_CLONES static void transposed_kernel(int n, int m, int p, const double* a, const double* b,
                                          double* out) {
  for (size_t i = 0; i < (size_t)n; ++i) {
    for (size_t k = 0; k < (size_t)m; ++k) {
      const double x = a[i * (size_t)m + k];
      if (x != 0) add_scaled(p, x, b + i * (size_t)p, out + k * (size_t)p);
    }
  }
}

void heft_add_transposed(int n, int m, int p, const double* a, const double* b, double* out) {
  transposed_kernel(n, m, p, a, b, out);
}

void heft_combine_rows(const double* all, size_t nv, int i, double a, int j, double b, double* to) {
  const double *x = all + (size_t)i * nv, *y = all + (size_t)j * nv;
  for (size_t k = 0; k < nv; ++k) to[k] += a * x[k] + (b != 0 ? b * y[k] : 0);
}

// ---- rows that hold

void heft_active_rows_place(ActiveRows* x, Arena* arena, int capacity, int nv) {
  const size_t n = (size_t)capacity, wide = (size_t)nv;
  x->capacity = capacity;
  x->along = arena_take(arena, n * wide, double);
  x->push = arena_take(arena, n * wide, double);
  x->reach = arena_take(arena, n * wide, double);
  x->compliance = arena_take(arena, n, double);
  x->weight = arena_take(arena, n, double);
  x->inverse = arena_take(arena, n * n, double);
  x->scratch = arena_take(arena, 2 * n * n + n, double);
  x->turned = arena_take(arena, n * wide, double);
  x->order = arena_take(arena, 2 * n, int);
}

static void swap_rows(double* a, int n, int i, int k) {
  for (int j = 0; j < n && i != k; ++j) {
    const double x = a[i * n + j];
    a[i * n + j] = a[k * n + j];
    a[k * n + j] = x;
  }
}

static void swap_columns(double* a, int n, int i, int k) {
  for (int j = 0; j < n && i != k; ++j) {
    const double x = a[j * n + i];
    a[j * n + i] = a[j * n + k];
    a[j * n + k] = x;
  }
}

static void swap_ints(int* a, int i, int k) {
  const int x = a[i];
  a[i] = a[k];
  a[k] = x;
}

// P a Q = L U in place; returns the rank. rows, columns: the original place of each.
HEFT_INLINE int eliminate(int n, double* a, int* rows, int* columns) {
  for (int i = 0; i < n; ++i) rows[i] = columns[i] = i;
  for (int k = 0; k < n; ++k) {
    int row = k, column = k;
    double most = -1;
    for (int i = k; i < n; ++i) {
      for (int j = k; j < n; ++j) {
        if (!(fabs(a[i * n + j]) > most)) continue;
        most = fabs(a[i * n + j]);
        row = i;
        column = j;
      }
    }
    if (!(most > dependent)) return k;
    swap_rows(a, n, k, row);
    swap_columns(a, n, k, column);
    swap_ints(rows, k, row);
    swap_ints(columns, k, column);
    for (int i = k + 1; i < n; ++i) {
      const double share = a[i * n + k] /= a[k * n + k];
      add_scaled(n - k - 1, -share, a + (size_t)k * (size_t)n + (size_t)k + 1,
                 a + (size_t)i * (size_t)n + (size_t)k + 1);
    }
  }
  return n;
}

// out (rank x n, rows of length rank) = (L U)⁻¹ of the rows and columns below the rank.
HEFT_INLINE void invert(int n, int rank, const double* lu, double* out) {
  const size_t wide = (size_t)n;
  memset(out, 0, wide * wide * sizeof(double));
  for (int i = 0; i < rank; ++i) {
    double* row = out + (size_t)i * wide;
    row[i] = 1;
    for (int j = 0; j < i; ++j) add_scaled(i, -lu[i * n + j], out + (size_t)j * wide, row);
  }
  for (int i = rank - 1; i >= 0; --i) {
    double* row = out + (size_t)i * wide;
    for (int j = i + 1; j < rank; ++j)
      add_scaled(rank, -lu[i * n + j], out + (size_t)j * wide, row);
    for (int k = 0; k < rank; ++k) row[k] /= lu[i * n + i];
  }
}

// w = J M̂⁻¹ Nᵀ + Γ, scaled by `unit` on both sides.
static void find_scaled(ActiveRows* x, int nv, double* unit, double* w) {
  const int n = x->count;
  double *turned = x->turned, *product = x->inverse;
  for (int i = 0; i < n; ++i) {
    const double *reach = x->reach + (size_t)i * (size_t)nv,
                 *along = x->along + (size_t)i * (size_t)nv;
    for (int k = 0; k < nv; ++k) turned[k * n + i] = reach[k];
    // J M̂⁻¹ Jᵀ: with friction the diagonal of W may vanish
    const double size = x->compliance[i] + heft_dot(nv, reach, along);
    unit[i] = x->weight[i] * (size > 0 ? 1 / sqrt(size) : 1);
  }
  memset(product, 0, (size_t)n * (size_t)n * sizeof(double));
  heft_add_product(n, nv, n, 1, x->push, turned, product);
  for (int i = 0; i < n; ++i) {
    product[i * n + i] += x->compliance[i];
    for (int j = 0; j < n; ++j) w[j * n + i] = product[i * n + j] * unit[i] * unit[j];
  }
}

HEFT_CLONES static int factor_kernel(int n, double* w, int* rows, int* columns, double* out) {
  const int rank = eliminate(n, w, rows, columns);
  invert(n, rank, w, out);
  return rank;
}

void heft_active_rows_solve(ActiveRows* x, int nv, const double* mobility) {
  const int n = x->count;
  const size_t square = (size_t)n * (size_t)n;
  double *w = x->scratch, *inverse = w + square, *unit = inverse + square;
  int *rows = x->order, *columns = rows + n;
  memset(x->reach, 0, (size_t)n * (size_t)nv * sizeof(double));
  heft_add_product(n, nv, nv, 1, x->along, mobility, x->reach);
  find_scaled(x, nv, unit, w);
  const int rank = factor_kernel(n, w, rows, columns, inverse);
  x->redundant = n - rank;
  memset(x->inverse, 0, square * sizeof(double));
  for (int c = 0; c < rank; ++c) {
    for (int r = 0; r < rank; ++r)
      x->inverse[columns[r] * n + rows[c]] = inverse[r * n + c] * unit[columns[r]] * unit[rows[c]];
  }
}

// ---- tangent coordinates

void heft_tangent_maps_place(TangentMaps* x, Arena* arena, int nv) {
  x->keep = arena_take_bytes(arena, (size_t)nv, sizeof *x->keep);
  x->add = arena_take_bytes(arena, (size_t)nv, sizeof *x->add);
}

// exp(-d) and J_r(d), as matrices by rows.
static void find_rotation(const double* d, double keep[9], double add[9]) {
  const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], angle = sqrt(square);
  double sine = 0, cosine = 1;
  heft_sincos(angle, &sine, &cosine);
  double first = 1 - square / 6, half = 0.5 - square / 24, third = 1.0 / 6 - square / 120;
  if (angle > small_angle) {
    first = sine / angle;
    half = (1 - cosine) / square;
    third = (1 - first) / square;
  }
  const double cross[9] = {0, -d[2], d[1], d[2], 0, -d[0], -d[1], d[0], 0};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double twice = d[i] * d[j] - (i == j ? square : 0);
      keep[3 * i + j] = (i == j) - first * cross[3 * i + j] + half * twice;
      add[3 * i + j] = (i == j) - half * cross[3 * i + j] + third * twice;
    }
  }
}

void heft_tangent_maps_find(TangentMaps* x, const HeftModel* m, const double* d) {
  for (int i = 0; i < m->nv; ++i) x->keep[i][0] = x->add[i][0] = 1;
  for (int j = 0; j < m->njoint; ++j) {
    const int rotation = joint_rotation(m->joint_type[j]), dof = m->joint_dof[j] + rotation;
    if (rotation >= 0) find_rotation(d + dof, x->keep[dof], x->add[dof]);
  }
}

void heft_tangent_apply(const HeftModel* m, const double (*map)[9], int p, double scale,
                        const double* in, double* out) {
  const int* group = m->tree->dof_group;
  const size_t wide = (size_t)p;
  for (int i = 0; i < m->nv; i += group[i]) {
    for (int r = 0; r < group[i]; ++r) {
      for (int c = 0; c < group[i]; ++c) {
        const double x = scale * map[i][group[i] == 3 ? 3 * r + c : 0];
        const double* from = in + (size_t)(i + c) * wide;
        double* to = out + (size_t)(i + r) * wide;
        for (int k = 0; k < p; ++k) to[k] += x * from[k];
      }
    }
  }
}

// Maps matrices by q_m to those by q and v. by_q, by_v: rows x nv. h (1 - θ) add, keep.
void heft_derivative_lead(const StepMap* x, int rows, double* by_q, double* by_v) {
  const HeftModel* m = x->in.model;
  const int* group = m->tree->dof_group;
  if (!x->in.middle->early) return;  // q_m is q
  for (int r = 0; r < rows; ++r) {
    double *q = by_q + (size_t)r * (size_t)m->nv, *v = by_v + (size_t)r * (size_t)m->nv;
    for (int i = 0; i < m->nv; i += group[i]) {
      const int size = group[i] == 3 ? 3 : 1;
      const double ahead = x->in.step->h * (1 - x->in.middle->theta[i]);
      const double old[3] = {q[i], size == 3 ? q[i + 1] : 0, size == 3 ? q[i + 2] : 0};
      for (int c = 0; c < size; ++c) {
        double kept = 0, added = 0;
        for (int k = 0; k < size; ++k) {
          const int at = size == 3 ? 3 * k + c : 0;
          kept += old[k] * x->lead.keep[i][at];
          added += old[k] * x->lead.add[i][at];
        }
        q[i + c] = kept;
        v[i + c] += ahead * added;
      }
    }
  }
}
