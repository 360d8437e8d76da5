// SPDX-License-Identifier: Apache-2.0
// Papers: R12.
// Λ = J M⁻¹ Jᵀ as it is written, with dense matrices: the baseline.
#include <string.h>

#include "dynamics/delassus.h"
#include "math/dense.h"

size_t heft_delassus_direct_scratch(const HeftDynamics* d, int count) {
  const size_t nv = (size_t)d->tree->nv, rows = 3 * (size_t)count;
  return nv * nv + 2 * rows * nv;
}

// Row i of J: the axes of all dofs on the path, seen from the point.
static void jacobian_row(const HeftDynamics* d, const HeftDelassusPoint* point, int r,
                         double* row) {
  const HeftTree* t = d->tree;
  memset(row, 0, (size_t)t->nv * sizeof *row);
  const Link* link = &t->link[t->body_link[point->body]];
  const Pair axis = point_axis(d, point, r);
  for (int i = link->dof_count > 0 ? last_dof(link) : -1; i >= 0; i = t->dof_parent[i])
    row[i] = pair_dot(d->axis[i], axis);
}

void heft_delassus_direct(const HeftDynamics* d, int count, const HeftDelassusPoint* points,
                          double* scratch, double* lambda) {
  const int nv = d->tree->nv, size = 3 * count;
  double* mass = scratch;
  double* jacobian = mass + (long)nv * nv;
  double* solved = jacobian + (long)size * nv;
  heft_dynamics_mass_matrix(d, mass);
  const int failed = heft_cholesky_factor(nv, mass, nv);
  HEFT_ASSERT(!failed);
  (void)failed;
  for (int i = 0; i < size; ++i) jacobian_row(d, &points[i / 3], i % 3, jacobian + (long)i * nv);
  memcpy(solved, jacobian, (size_t)size * (size_t)nv * sizeof *solved);
  for (int i = 0; i < size; ++i) heft_cholesky_solve(nv, mass, nv, solved + (long)i * nv);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      double sum = 0;
      for (int k = 0; k < nv; ++k) sum += jacobian[(long)i * nv + k] * solved[(long)j * nv + k];
      lambda[(long)i * size + j] = sum;
    }
  }
}
