// SPDX-License-Identifier: Apache-2.0
// M̂⁻¹ for the derivatives of a step.
//
// Dry friction that holds and closed limits fix one dof each. With F the held dofs and U the
// others, M̂_UU is M̂ without the rows and columns of F. The sparsity of the tree stays: the rows of
// F become those of the unit matrix, and the factor has no fill-in ([Featherstone 2005]). L⁻¹ has a
// row for each dof with the dofs of its path: L⁻¹ D⁻¹ L⁻ᵀ is a product of sparse matrices.
#include <string.h>

#include "world/derivative.h"

// out = M̂⁻¹ of the factor: L⁻¹ D⁻¹ L⁻ᵀ. Bonds of deformable bodies are in no factor.
static void invert_factor(StepMap* x, double* out) {
  const DerivativeInput* in = &x->in;
  const int nv = in->model->nv;
  double *lower = x->square, *upper = x->by_q;  // not used yet
  if (in->model->ndeformable > 0) {
    memset(out, 0, square_of(nv) * sizeof(double));
    for (int i = 0; i < nv; ++i) {
      out[(size_t)i * ((size_t)nv + 1)] = 1;
      heft_dynamics_solve(in->dynamics, out + (size_t)i * (size_t)nv);
    }
    return;
  }
  heft_factor_rows_inverse(in->dynamics, lower);
  for (int i = 0; i < nv; ++i) {
    for (int k = 0; k < nv; ++k)
      upper[(size_t)k * (size_t)nv + (size_t)i] =
          in->dynamics->inverse_d[k] * lower[(size_t)i * (size_t)nv + (size_t)k];
  }
  heft_set_product(nv, nv, nv, 1, lower, upper, out);
}

// The terms that are added to the diagonal of M, and those along transmissions.
static const double* extra_of(const DerivativeInput* in, int* count, const Stiffening** more) {
  *count = in->drives->idle ? 0 : in->drives->more_count;
  *more = in->drives->idle ? NULL : in->drives->more;
  return in->drives->idle ? in->middle->implicit : in->drives->extra;
}

void heft_step_map_find_mobility(StepMap* x) {
  int count = 0;
  const Stiffening* more = NULL;
  if (x->has_mobility) return;
  const double* extra = extra_of(&x->in, &count, &more);
  if (heft_factor_stiffened(x->in.dynamics, extra, count, more) != 0) return;
  invert_factor(x, x->mobility);
  x->has_mobility = 1;
}

int heft_step_map_find_freed(StepMap* x) {
  const DerivativeInput* in = &x->in;
  const int nv = in->model->nv;
  int count = 0;
  const Stiffening* more = NULL;
  const double* extra = extra_of(in, &count, &more);
  heft_tension_mass_matrix(&in->prediction->tension, in->dynamics);
  if (heft_factor_held(in->dynamics, extra, count, more, x->held, x->mass) != 0) return 1;
  invert_factor(x, x->freed);
  x->has_mobility = x->held_count == 0;
  if (x->has_mobility) x->mobility = x->freed;
  for (int i = 0; i < nv; ++i) {
    if (x->held[i]) x->freed[(size_t)i * ((size_t)nv + 1)] = 0;
  }
  return 0;
}
