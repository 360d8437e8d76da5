// SPDX-License-Identifier: Apache-2.0
// Products with the rows J of a contact in joint space (core.h). Their lengths are multiples of
// four.
#ifndef HEFT_SRC_CONTACT_CORE_JOINT_ROWS_H
#define HEFT_SRC_CONTACT_CORE_JOINT_ROWS_H

#include "contact/core/core.h"

HEFT_INLINE double joint_dot(const double* a, const double* b, int count) {
  V4 sum = v4_all(0);
  for (int j = 0; j < count; j += 4) sum += v4_load(a + j) * v4_load(b + j);
  return v4_sum(sum);
}

/// to += f from.
HEFT_INLINE void joint_add(double* to, double f, const double* from, int count) {
  for (int j = 0; j < count; j += 4) v4_store(to + j, v4_load(to + j) + f * v4_load(from + j));
}

/// to += a p + b q + c r, where p, q and r are rows `stride` apart.
HEFT_INLINE void joint_add_three(double* to, double a, double b, double c, const double* rows,
                                 int stride, int count) {
  const double *p = rows, *q = p + stride, *r = q + stride;
  for (int j = 0; j < count; j += 4)
    v4_store(to + j,
             v4_load(to + j) + ((a * v4_load(p + j) + b * v4_load(q + j)) + c * v4_load(r + j)));
}

/// y += Jᵀ d of a contact; part: its two.
HEFT_INLINE void joint_rows_push(const JointRows* part, int rows, const double* d, double* y) {
  for (int s = 0; s < 2; ++s, ++part) {
    if (!part->rows) continue;
    double* own = y + part->at;
    if (rows == 1) {
      joint_add(own, d[0], part->rows, part->count);
    } else if (rows == 3) {
      joint_add_three(own, d[0], d[1], d[2], part->rows, part->stride, part->count);
    } else {
      for (int a = 0; a < rows; ++a)
        joint_add(own, d[a], part->rows + a * part->stride, part->count);
    }
  }
}

/// u := J y of a contact.
HEFT_INLINE void joint_rows_velocity(const JointRows* part, int rows, const double* y, double* u) {
  for (int a = 0; a < rows; ++a) u[a] = 0;
  for (int s = 0; s < 2; ++s, ++part) {
    if (!part->rows) continue;
    const double* own = y + part->at;
    if (rows == 3) {
      const double *p = part->rows, *q = p + part->stride, *r = q + part->stride;
      V4 a = v4_all(0), b = a, c = a;
      for (int j = 0; j < part->count; j += 4) {
        const V4 v = v4_load(own + j);
        a += v4_load(p + j) * v;
        b += v4_load(q + j) * v;
        c += v4_load(r + j) * v;
      }
      u[0] += v4_sum(a);
      u[1] += v4_sum(b);
      u[2] += v4_sum(c);
    } else {
      for (int a = 0; a < rows; ++a)
        u[a] += joint_dot(part->rows + a * part->stride, own, part->count);
    }
  }
}

#endif
