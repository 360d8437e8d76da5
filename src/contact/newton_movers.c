// SPDX-License-Identifier: Apache-2.0
// The Newton direction when the operator is given by movers, W = X Ω Xᵀ + soft.
//
// The system of newton.c, (own + E W) d = -F, has one row per row of a contact. With w = Ω Xᵀ d,
// the change of the movers' twists, it is d = own⁻¹ (-F - E X w), so that
//
//   (1 + Ω S) w = Ω Xᵀ own⁻¹ (-F),    S = Σ_i X_iᵀ own_i⁻¹ E_i X_i :
//
// six rows per mover however many contacts it has. One node per tree; trees are joined where a
// contact touches both.
#include <string.h>

#include "contact/newton.h"
#include "math/dense.h"

static int tree_size(const Core* core, int tree) {
  return 6 * (core->tree_first[tree + 1] - core->tree_first[tree]);
}

static int tree_at(const Core* core, int i, int s) {
  const int m = core->mover[2 * i + s];
  return m < 0 ? -1 : core->tree_of[m];
}

// ---- the graph of trees

static void insert_edge(Newton* newton, int* count, int from, int to) {
  int* list = newton->edge + newton->edge_start[from];
  int k = count[from];
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
  for (int i = 0; i < core->contacts; ++i) {
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
  for (int i = 0; i < core->contacts; ++i) {
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
    if (newton->dim[t] > newton->tallest) newton->tallest = newton->dim[t];
  }
  for (int t = 0; t < core->trees; ++t) {
    for (int k = newton->edge_start[t]; k < newton->edge_start[t + 1]; ++k) {
      newton->offset[k] = numbers;
      numbers += (size_t)newton->dim[t] * (size_t)newton->dim[newton->edge[k]];
    }
  }
  for (int i = 0; i < core->contacts; ++i) {
    const int a = tree_at(core, i, 0), b = tree_at(core, i, 1);
    newton->cross_edge[2 * i] = a >= 0 && b >= 0 ? edge_between(newton, a, b) : -1;
    newton->cross_edge[2 * i + 1] = a >= 0 && b >= 0 ? edge_between(newton, b, a) : -1;
  }
  return numbers;
}

int newton_movers_prepare(Newton* newton, const Core* core, Arena* pool, BlockGraph* graph,
                          int* dim_max) {
  const int trees = core->trees;
  const size_t edges = (size_t)trees + 2 * (size_t)core->contacts;
  newton->tallest = 0;
  newton->dim = arena_take(pool, trees, int);
  newton->at = arena_take(pool, trees + 1, int);
  newton->rhs = arena_take(pool, 6 * core->movers, double);
  newton->wrench = arena_take(pool, 6 * core->movers, double);
  newton->edge_start = arena_take(pool, trees + 1, int);
  newton->edge = arena_take(pool, edges, int);
  newton->own_edge = arena_take(pool, trees, int);
  newton->cross_edge = arena_take(pool, 2 * core->contacts, int);
  newton->offset = arena_take(pool, edges, size_t);
  newton->own_pivot = arena_take(pool, CONE_ROWS * core->contacts, int);
  if (pool->overflow) return 0;
  find_edges(newton, core, newton->at);
  const size_t numbers = place_blocks(newton, core);
  newton->column = arena_take(pool, newton->tallest, double);
  newton->values = arena_take(pool, numbers, double);
  *graph = (BlockGraph){trees, newton->edge_start, newton->edge};
  *dim_max = newton->tallest;
  return !pool->overflow;
}

// ---- numbers

// own := its factor, e := own⁻¹ e for one contact, by Gauss with pivoting on at most six rows. own
// gains E soft first. Returns the sign of its determinant, 0 if it has no inverse.
static int eliminate_contact(int n, double soft, double* own, double* e, int* pivot) {
  double column[CONE_ROWS];
  int sign = 1;
  for (int k = 0; k < n * n; ++k) own[k] += soft * e[k];
  if (heft_lu_factor(n, own, n, pivot)) return 0;
  for (int b = 0; b < n; ++b) {
    for (int a = 0; a < n; ++a) column[a] = e[a * n + b];
    heft_lu_solve(n, own, n, pivot, column);
    for (int a = 0; a < n; ++a) e[a * n + b] = column[a];
    if ((own[b * n + b] < 0) != (pivot[b] != b)) sign = -sign;
  }
  return sign;
}

// The block of S between side s and side t of contact i: += X_sᵀ H X_t.
static void add_contact(Newton* newton, const Core* core, int i, int s, int t) {
  const int n = core->rows[i], pad = core->pad[i], ms = core->mover[2 * i + s],
            mt = core->mover[2 * i + t];
  const int ts = core->tree_of[ms], tt = core->tree_of[mt], stride = newton->dim[tt];
  const int edge = ts == tt ? newton->own_edge[ts] : newton->cross_edge[2 * i + s];
  double* out = newton->values + newton->offset[edge] +
                (size_t)(6 * (ms - core->tree_first[ts])) * stride +
                6 * (mt - core->tree_first[tt]);
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

// S from newton->e.
static void add_contacts(Newton* newton, const Core* core) {
  const int last = newton->edge_start[core->trees] - 1;
  const size_t numbers = last < 0
                             ? 0
                             : newton->offset[last] + (size_t)newton->dim[core->trees - 1] *
                                                          (size_t)newton->dim[newton->edge[last]];
  memset(newton->values, 0, sizeof(double) * numbers);
  for (int i = 0; i < core->contacts; ++i) {
    for (int s = 0; s < 2; ++s) {
      for (int t = 0; t < 2; ++t) {
        if (core->mover[2 * i + s] >= 0 && core->mover[2 * i + t] >= 0)
          add_contact(newton, core, i, s, t);
      }
    }
  }
}

// The wrenches Σ Xᵀ f of f (slots).
static void add_wrenches(Newton* newton, const Core* core, const double* f) {
  memset(newton->wrench, 0, sizeof(double) * 6 * (size_t)core->movers);
  for (int i = 0; i < core->contacts; ++i) {
    const int n = core->rows[i], pad = core->pad[i], at = core->slot[i];
    for (int s = 0; s < 2; ++s) {
      const int m = core->mover[2 * i + s];
      const double* x = core->x + 12 * (size_t)at + 6 * s * pad;
      for (int k = 0; k < 6 && m >= 0; ++k) {
        for (int a = 0; a < n; ++a) newton->wrench[6 * m + k] += x[k * pad + a] * f[at + a];
      }
    }
  }
}

// out := Ω_t in, both with n numbers.
static void omega_times(const double* omega, int n, const double* in, double* out) {
  for (int a = 0; a < n; ++a) {
    double sum = 0;
    for (int b = 0; b < n; ++b) sum += omega[a * n + b] * in[b];
    out[a] = sum;
  }
}

// S becomes scale + Ω S.
static void multiply_omega(Newton* newton, const Core* core, double scale) {
  const HeftContactProblem* p = core->problem;
  for (int t = 0; t < core->trees; ++t) {
    const int n = newton->dim[t];
    const double* omega = p->omega + p->trees[t].omega;
    for (int k = newton->edge_start[t]; k < newton->edge_start[t + 1]; ++k) {
      const int columns = newton->dim[newton->edge[k]];
      double* block = newton->values + newton->offset[k];
      for (int c = 0; c < columns; ++c) {
        double* from = newton->column;
        for (int a = 0; a < n; ++a) from[a] = block[a * columns + c];
        for (int a = 0; a < n; ++a) {
          double sum = newton->edge[k] == t && a == c ? scale : 0;
          for (int b = 0; b < n; ++b) sum += omega[a * n + b] * from[b];
          block[a * columns + c] = sum;
        }
      }
    }
  }
}

// The right-hand side Ω Σ Xᵀ f, and the twists it gives.
static void solve_twists(Newton* newton, const Core* core, const double* f) {
  const HeftContactProblem* p = core->problem;
  add_wrenches(newton, core, f);
  for (int t = 0; t < core->trees; ++t) {
    omega_times(p->omega + p->trees[t].omega, newton->dim[t], newton->wrench + newton->at[t],
                newton->rhs + newton->at[t]);
  }
  block_lu_solve(&newton->lu, newton->at, newton->rhs);
}

// d = own⁻¹ f - own⁻¹ E X w.
static void steps_of_contacts(const Newton* newton, const Core* core, double* out) {
  memset(out, 0, sizeof(double) * (size_t)core->slots);
  for (int i = 0; i < core->contacts; ++i) {
    const int n = core->rows[i], pad = core->pad[i], at = core->slot[i];
    double u[CONE_ROWS] = {0};
    for (int s = 0; s < 2; ++s) {
      const int m = core->mover[2 * i + s];
      const double* x = core->x + 12 * (size_t)at + 6 * s * pad;
      for (int k = 0; k < 6 && m >= 0; ++k) {
        for (int a = 0; a < n; ++a) u[a] += x[k * pad + a] * newton->rhs[6 * m + k];
      }
    }
    for (int a = 0; a < n; ++a) {
      double sum = newton->push[at + a];
      for (int b = 0; b < n; ++b) sum -= newton->e[36 * i + a * n + b] * u[b];
      out[at + a] = sum;
    }
  }
}

static int factor_twists(Newton* newton, const Core* core, double scale) {
  add_contacts(newton, core);
  multiply_omega(newton, core, scale);
  return block_lu_factor(&newton->lu, newton->dim, newton->offset, newton->values);
}

int newton_movers_twists(Newton* newton, const Core* core, double scale, const double* f) {
  if (!factor_twists(newton, core, scale)) return 0;
  solve_twists(newton, core, f);
  return 1;
}

int newton_movers_factor(Newton* newton, const Core* core) {
  newton->own_sign = 1;
  for (int i = 0; i < core->contacts; ++i) {
    newton->own_sign *= eliminate_contact(core->rows[i], core->soft[i], newton->own + 36 * i,
                                          newton->e + 36 * i, newton->own_pivot + CONE_ROWS * i);
    if (newton->own_sign == 0) return 0;
  }
  return factor_twists(newton, core, 1);
}

void newton_movers_solve(Newton* newton, const Core* core, const double* f, double* out) {
  for (int i = 0; i < core->contacts; ++i) {
    double* own = newton->push + core->slot[i];  // own⁻¹ f, kept for the way back
    for (int a = 0; a < core->rows[i]; ++a) own[a] = f[core->slot[i] + a];
    heft_lu_solve(core->rows[i], newton->own + 36 * i, core->rows[i],
                  newton->own_pivot + CONE_ROWS * i, own);
  }
  solve_twists(newton, core, newton->push);
  steps_of_contacts(newton, core, out);
}
