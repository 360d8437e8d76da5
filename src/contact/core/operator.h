// SPDX-License-Identifier: Apache-2.0
// The operator W in the form of the core: the effect of one impulse on the state z, and the
// velocity of one contact from the state. Inline, because Gauss-Seidel spends its time here.
#ifndef HEFT_SRC_CONTACT_CORE_OPERATOR_H
#define HEFT_SRC_CONTACT_CORE_OPERATOR_H

#include "base/assert.h"
#include "contact/core/core.h"
#include "contact/core/joint_rows.h"

static inline void apply_blocks(const Core* core, int j, const double* d, double* z) {
  const double* value = core->value + core->value_start[core->column_start[j]];
  for (int k = core->column_start[j]; k < core->column_start[j + 1]; ++k) {
    double* at = z + core->slot[core->target[k]];
    v4_store(at, v4_load(at) + ((v4_load(value) * d[0] + v4_load(value + 4) * d[1]) +
                                v4_load(value + 8) * d[2]));
    value += 12;
  }
}

static inline void apply_dense(const Core* core, int j, const double* d, double* z) {
  const int n = core->slots;
  const double *c0 = core->value + 3 * (size_t)n * (size_t)j, *c1 = c0 + n, *c2 = c1 + n;
  int k = 0;
  for (; k + 8 <= n; k += 8) {
    v8_store(z + k, v8_load(z + k) + ((v8_load(c0 + k) * d[0] + v8_load(c1 + k) * d[1]) +
                                      v8_load(c2 + k) * d[2]));
  }
  if (k < n)
    v4_store(z + k, v4_load(z + k) + ((v4_load(c0 + k) * d[0] + v4_load(c1 + k) * d[1]) +
                                      v4_load(c2 + k) * d[2]));
}

static inline void apply_tall_blocks(const Core* core, int j, const double* d, double* z) {
  for (int k = core->column_start[j]; k < core->column_start[j + 1]; ++k) {
    const int i = core->target[k], pad = core->pad[i];
    HEFT_ASSERT(i >= 0 && i < core->constraints && (pad == 4 || pad == 8));
    const double* value = core->value + core->value_start[k];
    double* at = z + core->slot[i];
    for (int b = 0; b < core->rows[j]; ++b) {
      for (int a = 0; a < pad; ++a) at[a] += value[b * pad + a] * d[b];
    }
  }
}

// An effector in a tree of several: the wrench Xᵀ d, then Ω for all effectors of the tree.
static inline void apply_to_tree(const Core* core, const double* x, int rows, int pad, int effector,
                                 const double* d, double* z) {
  const int tree = core->tree_of[effector], first = core->tree_first[tree],
            count = core->tree_first[tree + 1] - first;
  HEFT_ASSERT(effector >= first && effector < first + count);
  double f[6];
  for (int k = 0; k < 6; ++k) {
    double sum = x[k * pad] * d[0];
    for (int a = 1; a < rows; ++a) sum += x[k * pad + a] * d[a];
    f[k] = sum;
  }
  const double* omega =
      core->omega + core->tree_omega[tree] + (size_t)(effector - first) * 6 * EFFECTOR_PAD;
  double* v = z + EFFECTOR_PAD * first;
  for (int to = 0; to < count; ++to, omega += (size_t)count * 6 * EFFECTOR_PAD, v += EFFECTOR_PAD) {
    v8_store(v, v8_load(v) + (((v8_load(omega) * f[0] + v8_load(omega + 8) * f[1]) +
                               (v8_load(omega + 16) * f[2] + v8_load(omega + 24) * f[3])) +
                              (v8_load(omega + 32) * f[4] + v8_load(omega + 40) * f[5])));
  }
}

// V += Y d for all coupled effectors.
HEFT_INLINE void apply_to_effectors(const Core* core, int i, int rows, const double* d, double* z) {
  const CoupledEffectors* coupled = &core->coupled[i];
  const double* y = core->y + EFFECTOR_PAD * (size_t)coupled->y;
  for (int s = 0; s < 2; ++s) {
    double* v = z + EFFECTOR_PAD * coupled->first[s];
    for (int m = 0; m < coupled->count[s]; ++m, v += EFFECTOR_PAD, y += EFFECTOR_PAD * rows) {
      V8 sum = v8_load(v);
      if (rows == 3) {
        sum += (v8_load(y) * d[0] + v8_load(y + 8) * d[1]) + v8_load(y + 16) * d[2];
      } else {
        for (int b = 0; b < rows; ++b) sum += v8_load(y + 8 * b) * d[b];
      }
      v8_store(v, sum);
    }
  }
  for (int s = 0; s < 2 && core->hanging; ++s) {
    const int m = core->effector[2 * i + s], pad = core->pad[i];
    const int run = s == 1 && coupled->count[1] == 0 ? 0 : s;
    if (m >= 0 && coupled->count[run] == HANGS)
      apply_to_tree(core, core->x + 12 * (size_t)core->slot[i] + 6 * s * pad, rows, pad, m, d, z);
  }
}

HEFT_INLINE void push(const Core* core, int i, const double* d, double* z) {
  HEFT_ASSERT(i >= 0 && i < core->constraints);
  if (core->by_joints) {
    joint_rows_push(core->part + 2 * i, core->rows[i], d, z);
  } else if (!core->is_explicit) {
    if (core->is_point[i]) {
      apply_to_effectors(core, i, 3, d, z);
    } else {
      apply_to_effectors(core, i, core->rows[i], d, z);
    }
  } else if (core->dense) {
    apply_dense(core, i, d, z);
  } else if (core->plain) {
    apply_blocks(core, i, d, z);
  } else {
    apply_tall_blocks(core, i, d, z);
  }
}

// The velocity of a contact with any number of rows.
static inline void tall_velocity(const Core* core, int i, const double* r, const double* z,
                                 double* u) {
  const int at = core->slot[i], pad = core->pad[i];
  if (!core->by_effectors) {
    for (int a = 0; a < pad; ++a) u[a] = z[at + a];
    return;
  }
  for (int a = 0; a < pad; ++a) u[a] = core->b[at + a] + core->soft[at + a] * r[at + a];
  for (int s = 0; s < 2; ++s) {
    const int m = core->effector[2 * i + s];
    for (int k = 0; k < 6 && m >= 0; ++k) {
      const double* x = core->x + 12 * (size_t)at + (6 * s + k) * pad;
      for (int a = 0; a < pad; ++a) u[a] += x[a] * z[EFFECTOR_PAD * m + k];
    }
  }
}

// The velocity of a contact in joint space.
HEFT_INLINE void joint_velocity(const Core* core, int i, const double* r, const double* z,
                                double* u) {
  const int at = core->slot[i], rows = core->rows[i];
  HEFT_ASSERT(rows >= 1 && rows <= CONE_ROWS);
  double change[8];
  joint_rows_velocity(core->part + 2 * i, rows, z, change);
  for (int a = 0; a < rows; ++a)
    u[a] = (core->b[at + a] + core->soft[at + a] * r[at + a]) + change[a];
  for (int a = rows; a < core->pad[i]; ++a) u[a] = 0;
}

HEFT_INLINE void velocity(const Core* core, int i, const double* r, const double* z, double* u) {
  if (core->by_joints) {
    joint_velocity(core, i, r, z, u);
  } else if (core->pad[i] == 4) {
    v4_store(u, core_velocity4(core, i, r, z));
  } else {
    tall_velocity(core, i, r, z, u);
  }
}

/// Groups whose packets have been filled.
static inline int filled_groups(const Core* core) {
  return core->proximal > 0 ? core->colouring.groups : 0;
}

#endif
