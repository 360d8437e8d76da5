// SPDX-License-Identifier: Apache-2.0
// The system of primal.c, (scale M + Jᵀ E J) w = Jᵀ f, for trees of several effectors that are
// given by Ω: the twists w of the effectors obey
//
//   (scale + Ω S) w = Ω Σ Xᵀ f,    S = Σ_i X_iᵀ E_i X_i :
//
// six rows per effector for any number of contacts. The matrix has one node per tree, and an edge
// between two trees with a common contact. Free bodies have fronts (sparse.c), robots are solved in
// joint space (newton_joints.c).
#include <string.h>

#include "base/assert.h"
#include "contact/newton/newton.h"
#include "math/dense.h"
#include "math/invariant.h"
#include "math/six.h"

// Scalars of a tree in the system.
static int tree_size(const Core* core, int tree) {
  return 6 * (core->tree_first[tree + 1] - core->tree_first[tree]);
}

static int tree_at(const Core* core, int i, int s) {
  const int m = core->effector[2 * i + s];
  return m < 0 ? -1 : core->tree_of[m];
}

// ---- the graph of trees

static void insert_edge(Newton* newton, int* count, int from, int to) {
  int* list = newton->edge + newton->edge_start[from];
  int k = count[from];
  HEFT_ASSERT(k >= 0 && to >= 0);
  for (int j = 0; j < k; ++j) {
    if (list[j] == to) return;
  }
  for (; k > 0 && list[k - 1] > to; --k) list[k] = list[k - 1];
  list[k] = to;
  count[from]++;
}

// Edges with room for all contacts of a tree first, then packed.
static void find_edges(Newton* newton, const Core* core, int* count) {
  int used = 0, place = 0;
  for (int t = 0; t <= core->trees; ++t) count[t] = 0;
  for (int i = 0; i < core->constraints; ++i) {
    for (int s = 0; s < 2; ++s) {
      if (tree_at(core, i, s) >= 0) count[tree_at(core, i, s)]++;
    }
  }
  for (int t = 0; t < core->trees; ++t) {
    newton->edge_start[t] = used;
    used += count[t] + 1;
    count[t] = 0;
    insert_edge(newton, count, t, t);
  }
  for (int i = 0; i < core->constraints; ++i) {
    const int a = tree_at(core, i, 0), b = tree_at(core, i, 1);
    if (a < 0 || b < 0 || a == b) continue;
    insert_edge(newton, count, a, b);
    insert_edge(newton, count, b, a);
  }
  for (int t = 0; t < core->trees; ++t) {
    memmove(newton->edge + place, newton->edge + newton->edge_start[t],
            sizeof(int) * (size_t)count[t]);
    newton->edge_start[t] = place;
    place += count[t];
  }
  newton->edge_start[core->trees] = place;
  HEFT_ASSERT(place <= core->trees + 2 * core->constraints &&
              heft_is_rising(newton->edge_start, core->trees));
}

static int edge_between(const Newton* newton, int from, int to) {
  for (int k = newton->edge_start[from]; k < newton->edge_start[from + 1]; ++k) {
    if (newton->edge[k] == to) return k;
  }
  return -1;
}

static size_t place_blocks(Newton* newton, const Core* core) {
  size_t numbers = 0;
  int at = 0;
  for (int t = 0; t < core->trees; ++t) {
    newton->dim[t] = tree_size(core, t);
    newton->at[t] = at;
    at += newton->dim[t];
    newton->own_edge[t] = edge_between(newton, t, t);
    HEFT_ASSERT(newton->own_edge[t] >= 0);
    if (newton->dim[t] > newton->tallest) newton->tallest = newton->dim[t];
  }
  for (int t = 0; t < core->trees; ++t) {
    for (int k = newton->edge_start[t]; k < newton->edge_start[t + 1]; ++k) {
      newton->offset[k] = numbers;
      numbers += (size_t)newton->dim[t] * (size_t)newton->dim[newton->edge[k]];
    }
  }
  for (int i = 0; i < core->constraints; ++i) {
    const int a = tree_at(core, i, 0), b = tree_at(core, i, 1);
    newton->cross_edge[2 * i] = a >= 0 && b >= 0 ? edge_between(newton, a, b) : -1;
    newton->cross_edge[2 * i + 1] = a >= 0 && b >= 0 ? edge_between(newton, b, a) : -1;
    HEFT_ASSERT((newton->cross_edge[2 * i] < 0) == (newton->cross_edge[2 * i + 1] < 0));
  }
  return numbers;
}

int newton_effectors_prepare(Newton* newton, const Core* core, Arena* pool, BlockGraph* graph,
                             int* dim_max) {
  const int trees = core->trees;
  const size_t edges = (size_t)trees + 2 * (size_t)core->constraints;
  newton->tallest = 0;
  newton->dim = arena_take(pool, trees, int);
  newton->at = arena_take(pool, trees + 1, int);
  newton->edge_start = arena_take(pool, trees + 1, int);
  newton->edge = arena_take(pool, edges, int);
  newton->own_edge = arena_take(pool, trees, int);
  newton->cross_edge = arena_take(pool, 2 * core->constraints, int);
  newton->offset = arena_take(pool, edges, size_t);
  if (pool->overflow) return 0;
  find_edges(newton, core, newton->at);
  const size_t numbers = place_blocks(newton, core);
  newton->column = arena_take(pool, 6 * (size_t)newton->tallest, double);
  newton->values = arena_take(pool, numbers, double);
  *graph = (BlockGraph){trees, newton->edge_start, newton->edge, 0};
  *dim_max = newton->tallest;
  return !pool->overflow;
}

// ---- numbers

// The place of the block of S between side s and side t of contact i, and the distance of its rows.
static inline double* place_of(const Newton* newton, const Core* core, int i, int s, int t,
                               int* stride) {
  const int ms = core->effector[2 * i + s], mt = core->effector[2 * i + t];
  const int ts = core->tree_of[ms], tt = core->tree_of[mt];
  const int edge = ts == tt ? newton->own_edge[ts] : newton->cross_edge[2 * i + s];
  HEFT_ASSERT(edge >= 0 && edge < newton->edge_start[core->trees]);
  *stride = newton->dim[tt];
  return newton->values + newton->offset[edge] +
         (size_t)(6 * (ms - core->tree_first[ts])) * *stride + 6 * (mt - core->tree_first[tt]);
}

// That block += X_sᵀ H X_t.
static void add_contact(Newton* newton, const Core* core, int i, int s, int t) {
  const int n = core->rows[i], pad = core->pad[i];
  int stride;
  double* out = place_of(newton, core, i, s, t, &stride);
  const double *xs = core->x + 12 * (size_t)core->slot[i] + 6 * s * pad, *h = newton->e + 36 * i;
  const double* xt = core->x + 12 * (size_t)core->slot[i] + 6 * t * pad;
  double hx[6 * CONE_ROWS];
  for (int a = 0; a < n; ++a) {
    for (int l = 0; l < 6; ++l) {
      double sum = 0;
      for (int b = 0; b < n; ++b) sum += h[a * n + b] * xt[l * pad + b];
      hx[6 * a + l] = sum;
    }
  }
  for (int k = 0; k < 6; ++k) {
    for (int l = 0; l < 6; ++l) {
      double sum = 0;
      for (int a = 0; a < n; ++a) sum += xs[k * pad + a] * hx[6 * a + l];
      out[k * stride + l] += sum;
    }
  }
}

// Rows of the Jacobian of a point, twelve numbers apart: rows of the problem, which has no moments
// to scale.
HEFT_INLINE const double* rows_of_point(const Core* core, int i, int s) {
  const HeftContactProblem* p = core->problem;
  return p->jacobian + 12 * (size_t)p->constraints[core->source[i]].row + 6 * s;
}

// Σ of three rows, 12 numbers apart.
HEFT_INLINE Six three_rows(const double* x, double a, double b, double c) {
  return six_add_scaled(six_add_scaled(six_scale(six_load(x), a), x + 12, b), x + 24, c);
}

// As add_contact() for a point, six numbers at a time.
HEFT_INLINE void add_point(Newton* newton, const Core* core, int i) {
  const double* h = newton->e + 36 * i;
  for (int t = 0; t < 2; ++t) {
    if (core->effector[2 * i + t] < 0) continue;
    const double* xt = rows_of_point(core, i, t);
    const Six hx0 = three_rows(xt, h[0], h[1], h[2]), hx1 = three_rows(xt, h[3], h[4], h[5]),
              hx2 = three_rows(xt, h[6], h[7], h[8]);
    for (int s = 0; s < 2; ++s) {
      if (core->effector[2 * i + s] < 0) continue;
      const double* xs = rows_of_point(core, i, s);
      int stride;
      double* out = place_of(newton, core, i, s, t, &stride);
      for (int k = 0; k < 6; ++k, out += stride) {
        const Six sum = six_add(six_add(six_scale(hx0, xs[k]), six_scale(hx1, xs[12 + k])),
                                six_scale(hx2, xs[24 + k]));
        six_store(out, six_add(six_load(out), sum));
      }
    }
  }
}

HEFT_CLONES
static void add_points_to_twists(Newton* newton, const Core* core) {
  for (int i = 0; i < core->constraints; ++i) {
    if (core->is_point[i]) add_point(newton, core, i);
  }
}

// S from newton->e.
static void add_contacts(Newton* newton, const Core* core) {
  const int last = newton->edge_start[core->trees] - 1;
  const size_t numbers = last < 0
                             ? 0
                             : newton->offset[last] + (size_t)newton->dim[core->trees - 1] *
                                                          (size_t)newton->dim[newton->edge[last]];
  memset(newton->values, 0, sizeof(double) * numbers);
  add_points_to_twists(newton, core);
  for (int i = 0; i < core->constraints && !core->plain; ++i) {
    for (int s = 0; s < 2 && !core->is_point[i]; ++s) {
      for (int t = 0; t < 2; ++t) {
        if (core->effector[2 * i + s] >= 0 && core->effector[2 * i + t] >= 0)
          add_contact(newton, core, i, s, t);
      }
    }
  }
}

// The wrenches Σ Xᵀ f of f (slots).
static void add_wrench(Newton* newton, const Core* core, int i, const double* f) {
  const int n = core->rows[i], pad = core->pad[i];
  for (int s = 0; s < 2; ++s) {
    const int m = core->effector[2 * i + s];
    const double* x = core->x + 12 * (size_t)core->slot[i] + 6 * s * pad;
    for (int k = 0; k < 6 && m >= 0; ++k) {
      for (int a = 0; a < n; ++a) newton->wrench[6 * m + k] += x[k * pad + a] * f[a];
    }
  }
}

HEFT_CLONES
static void add_all_wrenches(Newton* newton, const Core* core, const double* f) {
  for (int i = 0; i < core->constraints; ++i) {
    const double* own = f + core->slot[i];
    if (!core->is_point[i]) add_wrench(newton, core, i, own);
    for (int s = 0; s < 2 && core->is_point[i]; ++s) {
      const int m = core->effector[2 * i + s];
      if (m < 0) continue;
      const double* x = rows_of_point(core, i, s);
      Six sum = six_load(newton->wrench + 6 * m);
      for (int a = 0; a < 3; ++a) sum = six_add_scaled(sum, x + 12 * a, own[a]);
      six_store(newton->wrench + 6 * m, sum);
    }
  }
}

void newton_effectors_wrenches(Newton* newton, const Core* core, const double* f) {
  memset(newton->wrench, 0, sizeof(double) * 6 * (size_t)core->effectors);
  add_all_wrenches(newton, core, f);
}

// out := Ω_t in, both with n numbers.
static void omega_times(const double* omega, int n, const double* in, double* out) {
  for (int a = 0; a < n; ++a) {
    double sum = 0;
    for (int b = 0; b < n; ++b) sum += omega[a * n + b] * in[b];
    out[a] = sum;
  }
}

// Six columns of a block of n rows: Ω times them, plus `scale` where row and column are the same.
HEFT_INLINE void multiply_columns(const double* omega, int n, double* block, int columns,
                                  double scale, int diagonal, double* from) {
  for (int b = 0; b < n; ++b) six_store(from + 6 * b, six_load(block + b * columns));
  for (int a = 0; a < n; ++a) {
    double start[6] = {0};
    if (a >= diagonal && a < diagonal + 6) start[a - diagonal] = scale;
    Six sum = six_load(start);
    for (int b = 0; b < n; ++b) sum = six_add_scaled(sum, from + 6 * b, omega[a * n + b]);
    six_store(block + a * columns, sum);
  }
}

// The rows of six numbers between the first and the last that are not all zero: effectors of a
// large tree that no contact joins, nodes of a deformable body above all, have few of them.
static void find_span(const double* block, int n, int columns, int* first, int* end) {
  *first = n;
  *end = 0;
  for (int b = 0; b < n; ++b, block += columns) {
    int any = 0;
    for (int k = 0; k < 6; ++k) any |= block[k] != 0;
    if (!any) continue;
    if (*first == n) *first = b;
    *end = b + 1;
  }
  HEFT_ASSERT(*first == n || *first < *end);
}

// As multiply_columns() with the same bits, without the products with zero.
HEFT_INLINE void multiply_span(const double* omega, int n, double* block, int columns, double scale,
                               int diagonal, double* from) {
  int first, end;
  find_span(block, n, columns, &first, &end);
  for (int b = first; b < end; ++b) six_store(from + 6 * b, six_load(block + (size_t)b * columns));
  for (int a = 0; a < n; ++a) {
    double start[6] = {0};
    if (a >= diagonal && a < diagonal + 6) start[a - diagonal] = scale;
    Six sum = six_load(start);
    for (int b = first; b < end; ++b) sum = six_add_scaled(sum, from + 6 * b, omega[a * n + b]);
    six_store(block + (size_t)a * columns, sum);
  }
}

// S becomes scale + Ω S.
HEFT_CLONES
static void multiply_twists_omega(Newton* newton, const Core* core, double scale) {
  const HeftContactProblem* p = core->problem;
  for (int t = 0; t < core->trees; ++t) {
    const int n = newton->dim[t];
    const double* omega = p->omega + p->trees[t].omega;
    for (int k = newton->edge_start[t]; k < newton->edge_start[t + 1]; ++k) {
      const int columns = newton->dim[newton->edge[k]], own = newton->edge[k] == t;
      for (int c = 0; c < columns; c += 6) {
        double* block = newton->values + newton->offset[k] + c;
        if (n == 6) {
          multiply_columns(omega, 6, block, columns, scale, own ? c : 6, newton->column);
        } else {
          multiply_span(omega, n, block, columns, scale, own ? c : n, newton->column);
        }
      }
    }
  }
}

// The right-hand side Ω Σ Xᵀ f, and the twists it gives.
static void solve_twists(Newton* newton, const Core* core, const double* f) {
  const HeftContactProblem* p = core->problem;
  newton_effectors_wrenches(newton, core, f);
  for (int t = 0; t < core->trees; ++t) {
    omega_times(p->omega + p->trees[t].omega, newton->dim[t], newton->wrench + newton->at[t],
                newton->rhs + newton->at[t]);
  }
  block_lu_solve(&newton->lu, newton->at, newton->rhs);
}

void newton_effectors_velocity(const Newton* newton, const Core* core, int i, double* u) {
  const int n = core->rows[i], pad = core->pad[i];
  for (int a = 0; a < n; ++a) u[a] = 0;
  for (int s = 0; s < 2; ++s) {
    const int m = core->effector[2 * i + s];
    const double* x = core->x + 12 * (size_t)core->slot[i] + 6 * s * pad;
    for (int k = 0; k < 6 && m >= 0; ++k) {
      for (int a = 0; a < n; ++a) u[a] += x[k * pad + a] * newton->rhs[6 * m + k];
    }
  }
}

static int factor_twists(Newton* newton, const Core* core, double scale) {
  add_contacts(newton, core);
  multiply_twists_omega(newton, core, scale);
  return block_lu_factor(&newton->lu, newton->dim, newton->offset, newton->values);
}

int newton_effectors_twists(Newton* newton, const Core* core, double scale, const double* f) {
  if (!factor_twists(newton, core, scale)) return 0;
  solve_twists(newton, core, f);
  return 1;
}
