// SPDX-License-Identifier: Apache-2.0
// The operator in joint space, in the form of the solvers (core.h). The problem has a factor F of
// Ω = F Fᵀ with one column per dof; the rows of a contact are J = X F, and W = J Jᵀ. The state y =
// Σ Jᵀ r are the joint velocities that the impulses cause, scaled so that their kinetic energy is
// ½ |y|²: with M̂ = Lᵀ D L, y = D^½ L v.
//
// Rows of single dofs (limits, dry friction) have one number in X, mostly 1: they are rows of F
// itself and are not copied. A row ends at the last dof that it reaches.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "contact/core/joint_rows.h"

static const double* factor_of(const Core* core, const HeftContactProblem* p, int effector) {
  const int t = core->tree_of[effector];
  const size_t stride = (size_t)(core->joint_at[t + 1] - core->joint_at[t]);
  return p->omega + p->trees[t].omega + 6 * stride * (size_t)(effector - core->tree_first[t]);
}

// Where the numbers of a row end that are not zero, as a multiple of four.
HEFT_INLINE int end_of(const double* row, int count) {
  while (count > 0 && row[count - 1] == 0 && row[count - 2] == 0 && row[count - 3] == 0 &&
         row[count - 4] == 0)
    count -= 4;
  return count;
}

static void place_trees(Core* core, const HeftContactProblem* p) {
  core->joint_at[0] = 0;
  for (int t = 0; t < p->tree_count; ++t) {
    const int stride = heft_contact_factor_stride(p->trees[t].dof_count);
    core->joint_at[t + 1] = core->joint_at[t] + stride;
    for (int m = core->tree_first[t]; m < core->tree_first[t + 1]; ++m) {
      const double* factor = factor_of(core, p, m);
      int reach = 0;
      for (int k = 0; k < 6; ++k) {
        const int end = end_of(factor + k * stride, stride);
        reach = end > reach ? end : reach;
      }
      core->reach[m] = reach;
    }
  }
  core->dofs = core->joint_at[p->tree_count];
}

// ---- rows

// out := X F of a side, or added to it. Rows of x are 12 apart, rows of F and out `stride`.
HEFT_INLINE void multiply_rows(const double* x, int rows, const double* factor, int stride,
                               int count, int add, double* out) {
  for (int a = 0; a < rows; ++a, x += 12, out += stride) {
    for (int j = 0; j < count; j += 4) {
      V4 sum = add ? v4_load(out + j) : v4_all(0);
      for (int k = 0; k < 6; ++k) sum += v4_load(factor + k * stride + j) * x[k];
      v4_store(out + j, sum);
    }
  }
}

// As multiply_rows() for three rows, which share what they read.
HEFT_INLINE void multiply_three(const double* x, const double* factor, int stride, int count,
                                int add, double* out) {
  for (int j = 0; j < count; j += 4, out += 4, factor += 4) {
    V4 a = v4_all(0), b = a, c = a;
    if (add) a = v4_load(out), b = v4_load(out + stride), c = v4_load(out + 2 * stride);
#pragma GCC unroll 6
    for (int k = 0; k < 6; ++k) {
      const V4 column = v4_load(factor + k * stride);
      a += column * x[k];
      b += column * x[12 + k];
      c += column * x[24 + k];
    }
    v4_store(out, a);
    v4_store(out + stride, b);
    v4_store(out + 2 * stride, c);
  }
}

// The only number of a row that is not zero, if it is 1; otherwise -1.
HEFT_INLINE int unit_of(const double* x) {
  int unit = -1;
  for (int k = 0; k < 6; ++k) {
    if (x[k] == 0) continue;
    if (unit >= 0 || x[k] != 1) return -1;
    unit = k;
  }
  return unit;
}

// One side of a contact, which begins a part or is added to it.
HEFT_INLINE void load_side(const Core* core, const HeftContactProblem* p,
                           const HeftConstraintBlock* c, int rows, int side, int add,
                           JointRows* part, double* out) {
  const int m = c->effector[side], t = core->tree_of[m], count = core->reach[m];
  const int stride = core->joint_at[t + 1] - core->joint_at[t];
  HEFT_ASSERT(count <= stride && stride % 4 == 0);
  const double *x = p->jacobian + 12 * (size_t)c->row + 6 * side, *factor = factor_of(core, p, m);
  if (!add) *part = (JointRows){.rows = out, .stride = stride, .at = core->joint_at[t]};
  for (int a = 0; a < rows && count > part->count; ++a)
    memset(out + a * stride + part->count, 0, sizeof(double) * (size_t)(count - part->count));
  if (count > part->count) part->count = count;
  if (rows == 3) {
    multiply_three(x, factor, stride, count, add, out);
  } else {
    multiply_rows(x, rows, factor, stride, count, add, out);
  }
}

// The parts of a contact, from `out` on. Returns where the next one begins.
HEFT_INLINE double* load_parts(const Core* core, const HeftContactProblem* p,
                               const HeftConstraintBlock* c, int rows, JointRows* part,
                               double* out) {
  part[0] = part[1] = (JointRows){.rows = NULL};
  if (rows == 1 && c->effector[0] >= 0 && c->effector[1] < 0) {
    const int m = c->effector[0], t = core->tree_of[m],
              stride = core->joint_at[t + 1] - core->joint_at[t],
              unit = unit_of(p->jacobian + 12 * (size_t)c->row);
    if (unit >= 0) {
      const double* row = factor_of(core, p, m) + unit * stride;
      part[0] = (JointRows){.rows = row,
                            .stride = stride,
                            .at = core->joint_at[t],
                            .count = end_of(row, core->reach[m])};
      return out;
    }
  }
  for (int s = 0; s < 2; ++s) {
    if (c->effector[s] < 0) continue;
    const int t = core->tree_of[c->effector[s]];
    const int joined = s == 1 && c->effector[0] >= 0 && core->tree_of[c->effector[0]] == t;
    HEFT_ASSERT(!joined || part[0].rows);
    double* own = joined ? out - rows * part[0].stride : out;
    load_side(core, p, c, rows, s, joined, &part[joined ? 0 : s], own);
    if (!joined) out += rows * part[s].stride;
  }
  return out;
}

// ---- W_ii, and the scales that follow from it

HEFT_INLINE void load_diagonal(const JointRows* part, int rows, double* diagonal) {
  for (int a = 0; a < rows; ++a) {
    for (int b = 0; b <= a; ++b) {
      double sum = 0;
      for (int s = 0; s < 2; ++s) {
        if (part[s].rows)
          sum += joint_dot(part[s].rows + a * part[s].stride, part[s].rows + b * part[s].stride,
                           part[s].count);
      }
      HEFT_ASSERT(a != b || !(sum < 0));
      diagonal[6 * a + b] = diagonal[6 * b + a] = sum;
    }
  }
}

// Rows of moments, which are never rows of F itself.
static void scale_moments(const Core* core, int i) {
  for (int s = 0; s < 2; ++s) {
    const JointRows* part = &core->part[2 * i + s];
    for (int a = 3; a < core->rows[i] && part->rows; ++a) {
      double* row = core->joint_rows + (part->rows - core->joint_rows) + a * part->stride;
      HEFT_ASSERT(row >= core->joint_rows &&
                  row + part->count <= core->joint_rows + core->size.joint_numbers);
      for (int j = 0; j < part->count; ++j) row[j] *= core->length[i];
    }
  }
}

HEFT_CLONES
static void load_joint_contacts(const Core* core, const HeftContactProblem* p) {
  double* out = core->joint_rows;
  for (int i = 0; i < core->constraints; ++i) {
    const HeftConstraintBlock* c = &p->constraints[core->source[i]];
    HEFT_ASSERT(core->source[i] == i);
    JointRows* part = core->part + 2 * i;
    double* diagonal = core->diagonal + 36 * i;
    core->effector[2 * i] = c->effector[0];
    core->effector[2 * i + 1] = c->effector[1];
    if (core->rows[i] == 3) {
      out = load_parts(core, p, c, 3, part, out);
      load_diagonal(part, 3, diagonal);
    } else {
      out = load_parts(core, p, c, core->rows[i], part, out);
      load_diagonal(part, core->rows[i], diagonal);
    }
  }
  HEFT_ASSERT((size_t)(out - core->joint_rows) <= core->size.joint_numbers);
}

void core_load_joints(Core* core, const HeftContactProblem* p) {
  place_trees(core, p);
  HEFT_ASSERT(core->dofs <= core->size.dofs && core->dofs % 4 == 0);
  load_joint_contacts(core, p);
  for (int i = 0; i < core->constraints; ++i) {
    core_scale_contact(core, p, i);
    if (core->rows[i] > 3) scale_moments(core, i);
  }
}
