// SPDX-License-Identifier: Apache-2.0
// Linear algebra of the derivatives of a step: products, the rows that hold, tangent coordinates.
//
// The rows that hold obey J dv + Γ dλ + c = 0 with dv = M̂⁻¹ (g + Nᵀ dλ). So dλ = -W⁺ (c + J M̂⁻¹
// g), W = J M̂⁻¹ Nᵀ + Γ. Rows of contact points that share a face depend on each other: elimination
// with full pivoting of W, scaled to a unit diagonal, finds which, and their dλ is zero. dv does
// not depend on the choice where all rows stick, because N = J then. The equations and impulses
// that are left are gathered: a foot on four points has six of 12.
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

// ---- products

enum { TILE = 4, CHUNK = 64 };

// A product out = scale a b (or += it); a (n x m) has the strides `down` and `along`.
typedef struct Product {
  size_t n, m, p, down, along;
  double scale;
  const double *a, *b;
  double* out;
  int adds;
} Product;

// Four columns of four rows of the product, over the chosen k. `rows` may be fewer; the columns
// before `skip` are left as they are.
HEFT_INLINE void multiply_tile(const Product* x, size_t i, size_t rows, size_t j, int skip,
                               const size_t* chosen, int count, const double (*factor)[TILE],
                               int adds) {
  V4 sum[TILE] = {v4_all(0), v4_all(0), v4_all(0), v4_all(0)};
  for (int c = 0; c < count; ++c) {
    const V4 b = v4_load(x->b + chosen[c] * x->p + j);
#pragma GCC unroll 4
    for (int r = 0; r < TILE; ++r) sum[r] += b * factor[c][r];
  }
  for (size_t r = 0; r < rows; ++r) {
    double* to = x->out + (i + r) * x->p + j;
    if (skip == 0) {
      v4_store(to, adds ? v4_load(to) + sum[r] : sum[r]);
      continue;
    }
    for (int lane = skip; lane < 4; ++lane) to[lane] = (adds ? to[lane] : 0) + sum[r][lane];
  }
}

HEFT_INLINE void multiply_narrow(const Product* x, size_t i, size_t rows, const size_t* chosen,
                                 int count, const double (*factor)[TILE], int adds) {
  for (size_t r = 0; r < rows; ++r) {
    for (size_t j = 0; j < x->p; ++j) {
      double* to = x->out + (i + r) * x->p + j;
      double sum = 0;
      for (int c = 0; c < count; ++c) sum += x->b[chosen[c] * x->p + j] * factor[c][r];
      *to = adds ? *to + sum : sum;
    }
  }
}

// Tiles of four rows. A k whose four numbers of a are all zero is left out: trees, limits and
// contact points leave most of a zero. The order of a sum is that of k, whatever the tiles are.
HEFT_CLONES static void product_kernel(const Product* x) {
  size_t chosen[CHUNK];
  double factor[CHUNK][TILE];
  for (size_t i = 0; i < x->n; i += TILE) {
    const size_t rows = x->n - i < TILE ? x->n - i : TILE;
    for (size_t start = 0; start < x->m || start == 0; start += CHUNK) {
      const size_t end = x->m - start < CHUNK ? x->m : start + CHUNK;
      const int adds = x->adds || start > 0;
      int count = 0;
      for (size_t k = start; k < end; ++k) {
        int any = 0;
        for (size_t r = 0; r < TILE; ++r) {
          factor[count][r] = r < rows ? x->scale * x->a[(i + r) * x->down + k * x->along] : 0;
          any |= factor[count][r] != 0;
        }
        chosen[count] = k;
        count += any;
      }
      if (count == 0 && adds) continue;
      if (x->p < 4) {
        multiply_narrow(x, i, rows, chosen, count, (const double(*)[TILE])factor, adds);
        continue;
      }
      size_t j = 0;
      for (; j + 4 <= x->p; j += 4)
        multiply_tile(x, i, rows, j, 0, chosen, count, (const double(*)[TILE])factor, adds);
      if (j < x->p)
        multiply_tile(x, i, rows, x->p - 4, (int)(j - (x->p - 4)), chosen, count,
                      (const double(*)[TILE])factor, adds);
    }
  }
}

static Product product(int n, int m, int p, double scale, const double* a, const double* b,
                       double* out) {
  return (Product){.n = (size_t)n,
                   .m = (size_t)m,
                   .p = (size_t)p,
                   .down = (size_t)m,
                   .along = 1,
                   .scale = scale,
                   .a = a,
                   .b = b,
                   .out = out,
                   .adds = 1};
}

void heft_add_product(int n, int m, int p, double scale, const double* a, const double* b,
                      double* out) {
  const Product x = product(n, m, p, scale, a, b, out);
  product_kernel(&x);
}

void heft_set_product(int n, int m, int p, double scale, const double* a, const double* b,
                      double* out) {
  Product x = product(n, m, p, scale, a, b, out);
  x.adds = 0;
  product_kernel(&x);
}

// out (m x p) += aᵀ b, a: n x m, b: n x p.
static void add_transposed(int n, int m, int p, const double* a, const double* b, double* out) {
  Product x = product(m, n, p, 1, a, b, out);
  x.down = 1;
  x.along = (size_t)m;
  product_kernel(&x);
}

HEFT_CLONES static void combine_kernel(int n, double a, const double* x, double b, const double* y,
                                       double* to) {
  add_scaled(n, a, x, to);
  if (b != 0) add_scaled(n, b, y, to);
}

void heft_combine_rows(const double* all, size_t nv, int i, double a, int j, double b, double* to) {
  if (a != 0 || b != 0)
    combine_kernel((int)nv, a, all + (size_t)i * nv, b, all + (size_t)j * nv, to);
}

HEFT_INLINE double largest_of(int n, const double* x) {
  V4 most = v4_all(0);
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const V4 size = v4_abs(v4_load(x + i));
    most = v4_select(size > most, size, most);
  }
  double out = v4_greatest(most);
  for (; i < n; ++i) out = fabs(x[i]) > out ? fabs(x[i]) : out;
  return out;
}

HEFT_CLONES static double largest_kernel(int n, const double* x) { return largest_of(n, x); }

double heft_largest(size_t n, const double* x) { return largest_kernel((int)n, x); }

void heft_clear_rows(int rows, int nv, double* out) {
  for (int i = 0; i < rows; ++i)
    memset(out + (size_t)i * (size_t)nv, 0, (size_t)nv * sizeof(double));
}

// ---- rows that hold

void heft_active_rows_place(ActiveRows* x, Arena* arena, int capacity, int nv) {
  const size_t n = (size_t)capacity, wide = (size_t)nv;
  x->capacity = capacity;
  double** arrays[] = {&x->along, &x->push, &x->used, &x->pull, &x->turned};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
    *arrays[i] = arena_take(arena, n * wide, double);
  x->compliance = arena_take(arena, n, double);
  x->weight = arena_take(arena, n, double);
  x->inverse = arena_take(arena, n * n, double);
  x->scratch = arena_take(arena, 2 * n * n + n, double);
  x->order = arena_take(arena, 2 * n, int);
  x->place = arena_take(arena, n, int);
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
    double most = 0;
    for (int i = k; i < n; ++i) {
      const double size = largest_of(n - k, a + (size_t)i * (size_t)n + (size_t)k);
      if (size > most) row = i;
      most = size > most ? size : most;
    }
    if (!(most > dependent)) return k;
    while (column < n - 1 && fabs(a[row * n + column]) != most) ++column;
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

// out (rank x rank) = (L U)⁻¹ of the rows and columns below the rank; lu: rows of n.
HEFT_INLINE void invert(int n, int rank, const double* lu, double* out) {
  const size_t wide = (size_t)rank;
  for (size_t i = 0; i < wide * wide; ++i) out[i] = 0;
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

// w = J M̂⁻¹ Nᵀ + Γ, scaled by `unit` on both sides. reach: J M̂⁻¹.
static void find_scaled(ActiveRows* x, int nv, const double* reach, double* unit, double* w) {
  const int n = x->count;
  double* turned = x->pull;
  for (int i = 0; i < n; ++i) {
    const double* push = x->push + (size_t)i * (size_t)nv;
    for (int k = 0; k < nv; ++k) turned[k * n + i] = push[k];
    // J M̂⁻¹ Jᵀ: with friction the diagonal of W may vanish
    const double size = x->compliance[i] + heft_dot(nv, reach + (size_t)i * (size_t)nv,
                                                    x->along + (size_t)i * (size_t)nv);
    unit[i] = x->weight[i] * (size > 0 ? 1 / sqrt(size) : 1);
  }
  heft_set_product(n, nv, n, 1, reach, turned, w);
  for (int i = 0; i < n; ++i) {
    w[i * n + i] += x->compliance[i];
    for (int j = 0; j < n; ++j) w[i * n + j] *= unit[i] * unit[j];
  }
}

HEFT_CLONES static int factor_kernel(int n, double* w, int* rows, int* columns, double* out) {
  const int rank = eliminate(n, w, rows, columns);
  invert(n, rank, w, out);
  return rank;
}

void heft_active_rows_solve(ActiveRows* x, int nv, const double* mobility) {
  const int n = x->count;
  const size_t wide = (size_t)nv;
  double *w = x->scratch, *inverse = w + square_of(n), *unit = inverse + square_of(n);
  double *reach = x->turned, *pushed = x->turned;
  int *rows = x->order, *columns = rows + n;
  x->rank = 0;
  if (n == 0) return;
  heft_set_product(n, nv, nv, 1, x->along, mobility, reach);
  find_scaled(x, nv, reach, unit, w);
  const int rank = x->rank = factor_kernel(n, w, rows, columns, inverse);
  for (int i = 0; i < n; ++i) x->place[i] = -1;
  for (int r = 0; r < rank; ++r) {
    x->place[columns[r]] = r;
    memcpy(x->used + (size_t)r * wide, x->along + (size_t)rows[r] * wide, wide * sizeof(double));
    for (size_t k = 0; k < wide; ++k)  // held dofs have no mobility
      pushed[(size_t)r * wide + k] =
          mobility[k * (wide + 1)] != 0 ? x->push[(size_t)columns[r] * wide + k] : 0;
    for (int c = 0; c < rank; ++c)
      x->inverse[r * rank + c] = inverse[r * rank + c] * unit[columns[r]] * unit[rows[c]];
  }
  heft_set_product(rank, nv, nv, 1, pushed, mobility, x->pull);
}

void heft_active_rows_respond(ActiveRows* x, int nv, const double* c, double* z, double* impulse) {
  const size_t wide = (size_t)nv;
  double* right = x->turned;
  for (int r = 0; r < x->rank; ++r) {
    const double* from = c ? c + (size_t)x->order[r] * wide : NULL;
    for (size_t k = 0; k < wide; ++k) right[(size_t)r * wide + k] = from ? from[k] : 0;
  }
  heft_add_product(x->rank, nv, nv, 1, x->used, z, right);
  heft_set_product(x->rank, x->rank, nv, -1, x->inverse, right, impulse);
  add_transposed(x->rank, nv, nv, x->pull, impulse, z);
}

void heft_active_rows_reverse(ActiveRows* x, int nv, double* y, double* rows) {
  const size_t wide = (size_t)nv, n = (size_t)x->rank;
  double *force = x->turned, *u = x->turned + n;
  for (int i = 0; i < x->count; ++i) rows[i] = 0;
  for (size_t r = 0; r < n; ++r) {
    force[r] = heft_dot(nv, x->pull + r * wide, y);
    u[r] = 0;
  }
  for (size_t r = 0; r < n; ++r) add_scaled((int)n, -force[r], x->inverse + r * n, u);
  for (size_t r = 0; r < n; ++r) {
    rows[x->order[r]] = u[r];
    add_scaled(nv, u[r], x->used + r * wide, y);
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

HEFT_CLONES static void tangent_kernel(const HeftModel* m, const double (*map)[9], int p,
                                       double scale, const double* in, double* out) {
  const int* group = m->tree->dof_group;
  const size_t wide = (size_t)p;
  for (int i = 0; i < m->nv; i += group[i]) {
    for (int r = 0; r < group[i]; ++r) {
      for (int c = 0; c < group[i]; ++c)
        add_scaled(p, scale * map[i][group[i] == 3 ? 3 * r + c : 0], in + (size_t)(i + c) * wide,
                   out + (size_t)(i + r) * wide);
    }
  }
}

void heft_tangent_apply(const HeftModel* m, const double (*map)[9], int p, double scale,
                        const double* in, double* out) {
  tangent_kernel(m, map, p, scale, in, out);
}

void heft_tangent_chain(const HeftModel* m, const double (*after)[9], const double (*before)[9],
                        const double* scale, double* out) {
  const int* group = m->tree->dof_group;
  const size_t nv = (size_t)m->nv;
  for (int i = 0; i < m->nv; i += group[i]) {
    const int size = group[i] == 3 ? 3 : 1;
    for (int r = 0; r < size; ++r) {
      for (int c = 0; c < size; ++c) {
        double sum = 0;
        for (int k = 0; k < size; ++k) sum += after[i][size * r + k] * before[i][size * k + c];
        out[(size_t)(i + r) * nv + (size_t)(i + c)] += sum * (scale ? scale[i] : 1);
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
