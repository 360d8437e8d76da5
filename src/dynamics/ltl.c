// SPDX-License-Identifier: Apache-2.0
// M = Lᵀ D L, factored from the leaves to the roots, without fill-in ([Featherstone
// 2005]; [Featherstone 2008], section 6.5).
//
// Eliminating dof k subtracts its outer product from the rows of its ancestors:
//     a = M_ke / M_kk,   row_e -= a row_k[0..e]   for every e on the path of k,   then L_ke = a.
// Rows lie in path order, so row e is a prefix of row k and each update runs along memory, four
// numbers at a time. The elements beyond a row's end are never read. Dofs of equal
// depth are independent of each other, hence the order of HeftTree.elimination. The six dofs of a
// free link come last, in code of a fixed size: their rows are of 1 to 6 numbers.
#include <stdatomic.h>
#include <string.h>

#include "base/assert.h"
#include "dynamics/bonds.h"
#include "dynamics/tendon.h"
#include "dynamics/workspace.h"

// Where the rows of a free link begin, from its first on, each padded to four.
static const int free_row[6] = {0, 4, 8, 12, 16, 24};

HEFT_INLINE void subtract_row(double* row_e, const double* row_k, int e, double inverse) {
  const double a = row_k[e] * inverse;
  for (int j = 0; j <= e; j += 4)
    v4_store_aligned(row_e + j, v4_load_aligned(row_e + j) - v4_load_aligned(row_k + j) * a);
}

HEFT_INLINE void eliminate(const HeftTree* t, double* rows, int k, double inverse) {
  const int depth = t->dof_depth[k], root = t->link[t->dof_link[k]].root;
  HEFT_ASSERT(depth >= 0 && t->path[t->row[k] + depth] == k);
  const double* row_k = rows + t->row[k];
  const int* path = t->path + t->row[k];
  int e = 0;
  if (t->link[root].kind == LINK_FREE && t->dof_depth[k] >= 6) {  // nodes have paths of their own
    double* base = rows + t->row[path[0]];
#pragma GCC unroll 6
    for (; e < 6; ++e) subtract_row(base + free_row[e], row_k, e, inverse);
  }
  for (; e < depth; ++e) subtract_row(rows + t->row[path[e]], row_k, e, inverse);
}

HEFT_INLINE int factor_free(double* rows, double* inverse_d) {
  int failed = 0;
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) {
    double* row = rows + free_row[k];
    const double pivot = row[k], inverse = 1 / pivot;
    if (!(pivot > 0)) failed = k + 1;
    inverse_d[k] = inverse;
    const V4 low = v4_load_aligned(row);
#pragma GCC unroll 6
    for (int e = 0; e < k; ++e) {
      double* above = rows + free_row[e];
      const double a = row[e] * inverse;
      v4_store_aligned(above, v4_load_aligned(above) - low * a);
      if (e == 4) above[4] -= row[4] * a;
    }
    v4_store_aligned(row, low * inverse);
    if (k == 5) row[4] *= inverse;
    row[k] = pivot;
  }
  return failed;
}

HEFT_CLONES static int factor_kernel(HeftDynamics* d, const TreeGroup* group) {
  const HeftTree* t = d->tree;
  double* rows = d->factor_rows;
  int failed = 0;
  for (int n = group->eliminated; n < group[1].eliminated; ++n) {
    const int k = t->elimination[n], depth = t->dof_depth[k];
    double* row = rows + t->row[k];
    const double pivot = row[depth];
    HEFT_ASSERT(d->tree->row[k] % 4 == 0);
    if (!(pivot > 0)) failed = k + 1;
    const double inverse = 1 / pivot;
    d->inverse_d[k] = inverse;
    eliminate(t, rows, k, inverse);
    for (int j = 0; j < depth; j += 4)
      v4_store_aligned(row + j, v4_load_aligned(row + j) * inverse);
    row[depth] = pivot;
  }
  for (int n = group->free; n < group[1].free; ++n) {
    const int first = t->link[t->free_link[n]].dof;
    HEFT_ASSERT(first >= 0 && first + 6 <= t->nv);
    const int wrong = factor_free(rows + t->row[first], d->inverse_d + first);
    if (wrong) failed = first + wrong;
  }
  return failed;
}

static void stiffen(HeftDynamics* d, const Stiffening* more) {
  const HeftTree* t = d->tree;
  for (int i = 0; i < more->count; ++i) {
    double* row = d->factor_rows + t->row[more->dof[i]];
    HEFT_ASSERT(i == 0 || more->dof[i - 1] < more->dof[i]);
    for (int j = 0; j <= i; ++j)
      row[t->dof_depth[more->dof[j]]] += more->scale * more->arm[i] * more->arm[j];
  }
}

typedef struct FactorWork {
  HeftDynamics* d;
  const double* extra;
  atomic_int failed;  ///< 1 + a dof whose pivot is not positive, 0: none
} FactorWork;

// The rows of M with `extra` on its diagonal.
static void copy_rows_of_group(void* arg, int worker, int index) {
  const FactorWork* work = arg;
  HeftDynamics* d = work->d;
  const HeftTree* t = d->tree;
  const int first = t->group[index].dof, end = t->group[index + 1].dof;
  HEFT_ASSERT(first <= end && end <= t->nv);
  const int row = t->row[first], row_end = end < t->nv ? t->row[end] : t->row_count;
  (void)worker;
  memcpy(d->factor_rows + row, d->mass_rows + row, (size_t)(row_end - row) * sizeof(double));
  for (int i = first; i < end && work->extra; ++i)
    d->factor_rows[t->row[i] + t->dof_depth[i]] += work->extra[i];
}

static void factor_group(void* arg, int worker, int index) {
  FactorWork* work = arg;
  const int failed = factor_kernel(work->d, &work->d->tree->group[index]);
  int before = atomic_load(&work->failed);
  (void)worker;
  while (failed > before && !atomic_compare_exchange_weak(&work->failed, &before, failed)) continue;
}

static void copy_and_factor_group(void* arg, int worker, int index) {
  copy_rows_of_group(arg, worker, index);
  factor_group(arg, worker, index);
}

// The rows of M with all that is added to it.
static void load_rows(FactorWork* work, int count, const Stiffening* more) {
  run_groups(work->d, copy_rows_of_group, work);
  for (int i = 0; i < count; ++i) stiffen(work->d, &more[i]);
  if (work->d->deform && heft_deform_acts(work->d->deform)) heft_bonds_stiffen(work->d);
}

int heft_factor_stiffened(HeftDynamics* d, const double* extra, int count, const Stiffening* more) {
  HEFT_ASSERT(d && (count == 0 || more));
  FactorWork work = {.d = d, .extra = extra};
  if (count == 0 && !(d->deform && heft_deform_acts(d->deform))) {
    run_groups(d, copy_and_factor_group, &work);
    return atomic_load(&work.failed);
  }
  load_rows(&work, count, more);
  run_groups(d, factor_group, &work);
  return atomic_load(&work.failed);
}

// Writes the rows to be factored as a matrix, and cuts held dofs off from the others.
static void hold_dofs(HeftDynamics* d, const int* held, double* matrix) {
  const HeftTree* t = d->tree;
  for (int k = 0; k < t->nv; ++k) {
    memset(matrix + (size_t)k * (size_t)t->nv, 0, (size_t)t->nv * sizeof(double));
    double* row = d->factor_rows + t->row[k];
    const int *path = t->path + t->row[k], depth = t->dof_depth[k];
    for (int e = 0; e <= depth; ++e) {
      const size_t i = (size_t)k, j = (size_t)path[e], nv = (size_t)t->nv;
      matrix[i * nv + j] = matrix[j * nv + i] = row[e];
      if (held[k] || held[path[e]]) row[e] = e == depth;
    }
  }
}

int heft_factor_held(HeftDynamics* d, const double* extra, int count, const Stiffening* more,
                     const int* held, double* matrix) {
  HEFT_ASSERT(d && held && matrix && (count == 0 || more));
  FactorWork work = {.d = d, .extra = extra};
  load_rows(&work, count, more);
  hold_dofs(d, held, matrix);
  run_groups(d, factor_group, &work);
  return atomic_load(&work.failed);
}

void heft_factor_rows_inverse(const HeftDynamics* d, double* out) {
  const HeftTree* t = d->tree;
  const size_t nv = (size_t)t->nv;
  for (int k = 0; k < t->nv; ++k) {  // the path of a dof has smaller numbers
    const double* row = d->factor_rows + t->row[k];
    const int* path = t->path + t->row[k];
    double* to = out + (size_t)k * nv;
    for (size_t j = 0; j < nv; ++j) to[j] = j == (size_t)k;
    for (int e = 0; e < t->dof_depth[k]; ++e) {
      const double* from = out + (size_t)path[e] * nv;
      for (int j = 0; j <= path[e] && row[e] != 0; ++j) to[j] -= row[e] * from[j];
    }
  }
}

HeftStatus heft_dynamics_factor(HeftDynamics* d, const double* extra) {
  HEFT_REQUIRE(d, HEFT_ERR_ARGUMENT);
  return heft_factor_stiffened(d, extra, 0, NULL) == 0 ? HEFT_OK : HEFT_ERR_SINGULAR;
}

// x := L⁻ᵀ x for one dof: its value is subtracted from those before it on its path.
HEFT_INLINE void solve_upwards(const HeftTree* t, const double* row, int k, double* x) {
  const int* path = t->path + t->row[k];
  HEFT_ASSERT(t->dof_run[k] % 4 == 0 && t->dof_run[k] <= t->dof_depth[k] + 3);
  const int depth = t->dof_depth[k], run = t->dof_run[k];
  const double xk = x[k];
  double* first = x + path[0];
  for (int e = 0; e < run; e += 4)
    v4_store(first + e, v4_load(first + e) - v4_load_aligned(row + e) * xk);
  for (int e = run; e < depth; ++e) x[path[e]] -= row[e] * xk;
}

// x := L⁻¹ x for one dof.
HEFT_INLINE double solve_downwards(const HeftTree* t, const double* row, int k, const double* x,
                                   double sum) {
  const int* path = t->path + t->row[k];
  const int depth = t->dof_depth[k], run = t->dof_run[k];
  const double* first = x + path[0];
  V4 sums = v4_all(0);
  for (int e = 0; e < run; e += 4) sums += v4_load_aligned(row + e) * v4_load(first + e);
  for (int e = run; e < depth; ++e) sum -= row[e] * x[path[e]];
  return sum - v4_sum(sums);
}

// x := L⁻¹ D⁻¹ L⁻ᵀ x for a free link.
HEFT_INLINE void solve_free(const double* rows, const double* inverse_d, double* at) {
  double x[6];
  for (int k = 0; k < 6; ++k) x[k] = at[k];
#pragma GCC unroll 6
  for (int k = 5; k > 0; --k) {
#pragma GCC unroll 6
    for (int e = 0; e < k; ++e) x[e] -= rows[free_row[k] + e] * x[k];
  }
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    x[k] *= inverse_d[k];
#pragma GCC unroll 6
    for (int e = 0; e < k; ++e) x[k] -= rows[free_row[k] + e] * x[e];
    at[k] = x[k];
  }
}

HEFT_CLONES static void solve_kernel(const HeftDynamics* d, const TreeGroup* group, double* x) {
  const HeftTree* t = d->tree;
  for (int n = group->eliminated; n < group[1].eliminated; ++n) {
    const int k = t->elimination[n];
    solve_upwards(t, d->factor_rows + t->row[k], k, x);
  }
  for (int n = group->free; n < group[1].free; ++n) {
    const int first = t->link[t->free_link[n]].dof;
    HEFT_ASSERT(first >= 0 && first + 6 <= t->nv);
    solve_free(d->factor_rows + t->row[first], d->inverse_d + first, x + first);
  }
  for (int n = group[1].eliminated - 1; n >= group->eliminated; --n) {
    const int k = t->elimination[n];
    x[k] = solve_downwards(t, d->factor_rows + t->row[k], k, x, x[k] * d->inverse_d[k]);
  }
}

typedef struct SolveWork {
  const HeftDynamics* d;
  double* x;
} SolveWork;

static void solve_group(void* arg, int worker, int index) {
  const SolveWork* work = arg;
  (void)worker;
  solve_kernel(work->d, &work->d->tree->group[index], work->x);
}

void heft_dynamics_solve(const HeftDynamics* d, double* x) {
  HEFT_REQUIRE_VOID(d && x);
  SolveWork work = {d, x};
  const int deforms = d->deform && heft_deform_acts(d->deform);
  if (deforms) heft_bonds_reduce(d, x);
  run_groups(d, solve_group, &work);
  if (deforms) heft_bonds_expand(d, x);
}
