// SPDX-License-Identifier: Apache-2.0
// Scale of a contact. Moments are multiplied by a length so that the diagonal entries of W for
// forces and for moments have the same mean; softness is added to the diagonal.
#include <math.h>

#include "base/assert.h"
#include "contact/core/core.h"

void core_scale_contact(Core* core, const HeftContactProblem* p, int i) {
  const int rows = core->rows[i], force_rows = rows < 3 ? rows : 3;
  double *diagonal = core->diagonal + 36 * i, force = 0, torque = 0;
  for (int a = 0; a < rows; ++a) *(a < force_rows ? &force : &torque) += diagonal[7 * a];
  core->w[i] = core_weight(force / force_rows);
  core->iw[i] = 1 / core->w[i];
  core->length[i] = rows > 3 && torque > 0 ? sqrt(core->w[i] * (rows - 3) / torque) : 1.0;
  HEFT_ASSERT(core->w[i] > 0 && !(core->length[i] < 0));
  for (int a = 0; a < rows && rows > 3; ++a) {
    for (int b = 0; b < rows; ++b)
      diagonal[6 * a + b] *= core_row_scale(core, i, a) * core_row_scale(core, i, b);
  }
  double* soft = core->soft + core->slot[i];
  for (int a = 0; a < core->pad[i]; ++a) soft[a] = p->compliance * core->w[i];
  if (p->softness) soft[0] += p->softness[core->source[i]];
  HEFT_ASSERT(!(soft[0] < 0));
  for (int a = 0; a < rows; ++a) diagonal[7 * a] += soft[a];
  core->cone[i] = cone_make(&p->constraints[core->source[i]], core->length[i]);
  HEFT_ASSERT(core->cone[i].rows == rows);
  if (core->held[i]) core->cone[i].mu[0] = p->constraints[core->source[i]].mu_static;
}
