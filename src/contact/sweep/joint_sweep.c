// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel in joint space with a cheap local step: the normal impulse first, then each friction
// group on its disc, with the largest mobility of the group as its step. Its fixed points are the
// solutions of the problem. A row costs two products along its path.
#include "contact/sweep/joint_sweep.h"
#include "base/assert.h"

#include <math.h>

#include "contact/core/joint_rows.h"

// The largest eigenvalue of W_ii in a group.
HEFT_INLINE double group_mobility(const double* w, int first, int size) {
  const double a = w[7 * first];
  if (size == 1) return a;
  const double c = w[7 * (first + 1)], b = w[6 * first + first + 1], half = 0.5 * (a - c);
  return 0.5 * (a + c) + sqrt(half * half + b * b);
}

// Velocity of row a of a contact.
HEFT_INLINE double row_velocity(const JointRows* part, int a, const double* y) {
  double sum = 0;
  for (int s = 0; s < 2; ++s, ++part) {
    if (part->rows) sum += joint_dot(part->rows + a * part->stride, y + part->at, part->count);
  }
  return sum;
}

HEFT_INLINE void push_row(const JointRows* part, int a, double change, double* y) {
  for (int s = 0; s < 2 && change != 0; ++s, ++part) {
    if (part->rows) joint_add(y + part->at, change, part->rows + a * part->stride, part->count);
  }
}

HEFT_INLINE void sweep_group(const JointRows* part, const Core* core, int i, int g, double* r,
                             double* y) {
  const Cone* cone = &core->cone[i];
  const int first = cone->first[g], size = cone->size[g];
  const double *b = core->b + core->slot[i], *w = core->diagonal + 36 * i;
  const double step = group_mobility(w, first, size), radius = cone->mu[g] * r[0];
  HEFT_ASSERT(!(radius < 0) && !(step < 0));
  double to[2] = {0, 0}, square = 0;
  for (int a = 0; a < size; ++a) {
    const int k = first + a;
    to[a] = r[k];
    if (step > 0) to[a] -= (b[k] + row_velocity(part, k, y)) / step;
    square += to[a] * to[a];
  }
  const double cut = square <= radius * radius ? 1 : radius / sqrt(square);
  for (int a = 0; a < size; ++a) {
    push_row(part, first + a, cut * to[a] - r[first + a], y);
    r[first + a] = cut * to[a];
  }
}

HEFT_INLINE void sweep_contact(const JointRows* part, const Core* core, int i, double* r,
                               double* y) {
  const double w = core->diagonal[36 * i];
  const Cone* cone = &core->cone[i];
  if (!(w > CORE_FLAT * core->w[i])) return;
  double n = r[0] - (core->b[core->slot[i]] + row_velocity(part, 0, y)) / w;
  n = n < cone->lower ? cone->lower : n > cone->upper ? cone->upper : n;
  HEFT_ASSERT(!(n < cone->lower || n > cone->upper));
  push_row(part, 0, n - r[0], y);
  r[0] = n;
  for (int g = 0; g < cone->groups; ++g) sweep_group(part, core, i, g, r, y);
}

HEFT_CLONES
static void sweep_in_joint_space(const Core* core, int count) {
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < core->constraints; ++i)
      sweep_contact(core->part + 2 * i, core, i, core->r + core->slot[i], core->z);
  }
}

void joint_sweep(Core* core, int count) { sweep_in_joint_space(core, count); }
