// SPDX-License-Identifier: Apache-2.0
// M = Lᵀ D L, factored from the leaves to the roots, so that nothing fills in (Featherstone 2005;
// 2008, section 6.5).
//
// Eliminating dof k subtracts its outer product from the rows of its ancestors:
//     a = M_ke / M_kk,   row_e -= a row_k[0..e]   for every e on the path of k,   then L_ke = a.
// Rows lie in path order, so row e is a prefix of row k and each update runs along memory, four
// numbers at a time. The lanes beyond a row's end hold left-overs that nobody reads. Dofs of equal
// depth are independent of each other, hence the order of HeftTree.elimination.
#include <string.h>

#include "dynamics/tendon.h"
#include "dynamics/workspace.h"

HEFT_INLINE void eliminate(const HeftTree* t, double* rows, int k, double inverse) {
  const int depth = t->dof_depth[k];
  double* row_k = rows + t->row[k];
  const int* path = t->path + t->row[k];
  for (int e = 0; e < depth; ++e) {
    double* row_e = rows + t->row[path[e]];
    const double a = row_k[e] * inverse;
    for (int j = 0; j <= e; j += 4) {
      v4_store_aligned(row_e + j, v4_load_aligned(row_e + j) - v4_load_aligned(row_k + j) * a);
    }
  }
}

HEFT_CLONES static int factor_kernel(HeftDynamics* d) {
  const HeftTree* t = d->tree;
  double* rows = d->factor_rows;
  int failed = 0;
  for (int n = 0; n < t->nv; ++n) {
    const int k = t->elimination[n], depth = t->dof_depth[k];
    double* row = rows + t->row[k];
    const double pivot = row[depth];
    if (!(pivot > 0)) failed = k + 1;
    const double inverse = 1 / pivot;
    d->inverse_d[k] = inverse;
    eliminate(t, rows, k, inverse);
    for (int j = 0; j < depth; j += 4)
      v4_store_aligned(row + j, v4_load_aligned(row + j) * inverse);
    row[depth] = pivot;
  }
  return failed;
}

static void stiffen(HeftDynamics* d, const Stiffening* more) {
  const HeftTree* t = d->tree;
  for (int i = 0; i < more->count; ++i) {
    double* row = d->factor_rows + t->row[more->dof[i]];
    for (int j = 0; j <= i; ++j)
      row[t->dof_depth[more->dof[j]]] += more->scale * more->arm[i] * more->arm[j];
  }
}

int heft_factor_stiffened(HeftDynamics* d, const double* extra, int count, const Stiffening* more) {
  HEFT_ASSERT(d && (count == 0 || more));
  const HeftTree* t = d->tree;
  memcpy(d->factor_rows, d->mass_rows, (size_t)t->row_count * sizeof(double));
  if (extra) {
    for (int i = 0; i < t->nv; ++i) d->factor_rows[t->row[i] + t->dof_depth[i]] += extra[i];
  }
  for (int i = 0; i < count; ++i) stiffen(d, &more[i]);
  return factor_kernel(d);
}

int heft_factor(HeftDynamics* d, const double* extra) {
  return heft_factor_stiffened(d, extra, 0, NULL);
}

void heft_solve(const HeftDynamics* d, double* x) {
  HEFT_ASSERT(d && x);
  const HeftTree* t = d->tree;
  for (int k = t->nv - 1; k >= 0; --k) {  // x := L⁻ᵀ x
    const double *row = d->factor_rows + t->row[k], xk = x[k];
    const int* path = t->path + t->row[k];
    for (int e = 0; e < t->dof_depth[k]; ++e) x[path[e]] -= row[e] * xk;
  }
  for (int k = 0; k < t->nv; ++k) {  // x := L⁻¹ D⁻¹ x
    const double* row = d->factor_rows + t->row[k];
    const int* path = t->path + t->row[k];
    double sum = x[k] * d->inverse_d[k];
    for (int e = 0; e < t->dof_depth[k]; ++e) sum -= row[e] * x[path[e]];
    x[k] = sum;
  }
}
