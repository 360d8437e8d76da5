// SPDX-License-Identifier: Apache-2.0
// The system of newton_effectors.c, (1 + Ω S) w = Ω Xᵀ f, has six rows per effector. A robot with
// many effectors (feet, hands, joints at limits or with dry friction) has fewer dofs than that.
// With Ω = F Fᵀ, where F has one column per dof, and w = F y, it is the same as
//
//   (1 + Jᵀ E J) y = Jᵀ f,    J = X F,    W = J Jᵀ,
//
// with one row per dof (load_joints.c). A row of J is zero but for the dofs on the path of its
// link, and eliminating dofs from the leaves to the roots keeps those zeros
// ([Featherstone 2008], section 6.5), as long as contacts join no two branches: factors that are
// zero are skipped.
#include "contact/newton/newton_joints.h"

#include <math.h>
#include <string.h>

#include "contact/core/joint_rows.h"
#include "contact/newton/newton.h"

enum { DENSE_MAX = 128 };  // dofs up to which one dense matrix is faster than blocks of trees

int newton_joints_prepare(Newton* newton, const Core* core, Arena* pool) {
  NewtonJoints* joints = &newton->joints;
  const size_t n = (size_t)core->dofs;
  joints->dense = core->dofs <= DENSE_MAX;
  joints->product = arena_take(pool, CONE_ROWS * n, double);
  joints->y = arena_take(pool, n, double);
  joints->matrix = arena_take(pool, joints->dense ? n * n : 0, double);
  return !pool->overflow;
}

// ---- the matrix

// product := E J of a part.
HEFT_INLINE void times_rows(const double* e, int rows, const JointRows* part, double* product) {
  for (int a = 0; a < rows; ++a, product += part->stride, e += rows) {
    if (rows == 3) {
      const double *p = part->rows, *q = p + part->stride, *r = q + part->stride;
      for (int j = 0; j < part->count; j += 4)
        v4_store(product + j,
                 (e[0] * v4_load(p + j) + e[1] * v4_load(q + j)) + e[2] * v4_load(r + j));
      continue;
    }
    for (int j = 0; j < part->count; j += 4) v4_store(product + j, v4_all(0));
    for (int b = 0; b < rows; ++b)
      joint_add(product, e[b], part->rows + b * part->stride, part->count);
  }
}

// The block of two parts: out += Jᵀ product; rows of out are `line` apart. half: up to the
// diagonal, and up to three numbers beyond it, which nothing reads.
HEFT_INLINE void add_product(int rows, const JointRows* left, const JointRows* right,
                             const double* product, int half, double* out, int line) {
  const int height = left->stride, width = right->stride;
  for (int k = 0; k < left->count; ++k, out += line) {
    const double* x = left->rows + k;
    const int count = half && k < right->count ? (k + 4) / 4 * 4 : right->count;
    if (rows == 3) {
      if (x[0] != 0 || x[height] != 0 || x[2 * height] != 0)
        joint_add_three(out, x[0], x[height], x[2 * height], product, width, count);
      continue;
    }
    for (int a = 0; a < rows; ++a) {
      if (x[a * height] != 0) joint_add(out, x[a * height], product + a * width, count);
    }
  }
}

// A part with one row: out += e rowᵀ row.
HEFT_INLINE void add_row(double e, const JointRows* part, int half, double* out, int line) {
  const double* row = part->rows;
  for (int k = 0; k < part->count; ++k, out += line) {
    if (row[k] != 0) joint_add(out, e * row[k], row, half ? (k + 4) / 4 * 4 : part->count);
  }
}

HEFT_INLINE int is_zero(const double* e, int rows) {
  int zero = 1;
  for (int k = 0; k < rows * rows; ++k) zero &= e[k] == 0;
  return zero;
}

// E of a contact is symmetric unless friction follows a changing normal impulse.
HEFT_INLINE int is_symmetric(const double* e, int rows) {
  for (int a = 1; a < rows; ++a) {
    for (int b = 0; b < a; ++b) {
      if (e[a * rows + b] != e[b * rows + a]) return 0;
    }
  }
  return 1;
}

// One contact to the dense matrix; half: only its lower triangle.
HEFT_INLINE void add_to_dense(const NewtonJoints* joints, const JointRows* part, const double* e,
                              int rows, int half, int line) {
  for (int t = 0; t < 2; ++t) {
    if (!part[t].rows) continue;
    double* column = joints->matrix + part[t].at;
    if (rows == 1 && !part[1].rows) {
      add_row(e[0], &part[t], half, column + (size_t)part[t].at * (size_t)line, line);
      continue;
    }
    times_rows(e, rows, &part[t], joints->product);
    for (int s = 0; s < 2; ++s) {
      if (!part[s].rows || (half && part[s].at < part[t].at)) continue;
      add_product(rows, &part[s], &part[t], joints->product, half && s == t,
                  column + (size_t)part[s].at * (size_t)line, line);
    }
  }
}

// All contacts whose E is symmetric, or all others. Returns how many are left out.
HEFT_CLONES
static int add_joint_contacts(const Newton* newton, const Core* core, int symmetric) {
  int others = 0;
  for (int i = 0; i < core->constraints; ++i) {
    const double* e = newton->e + 36 * i;
    const JointRows* part = core->part + 2 * i;
    const int rows = core->rows[i];
    if (rows == 1) {
      if (symmetric && e[0] != 0) add_to_dense(&newton->joints, part, e, 1, 1, core->dofs);
      continue;
    }
    if (is_symmetric(e, rows) != symmetric) {
      ++others;
    } else if (rows == 3) {
      if (!is_zero(e, 3)) add_to_dense(&newton->joints, part, e, 3, symmetric, core->dofs);
    } else if (!is_zero(e, rows)) {
      add_to_dense(&newton->joints, part, e, rows, symmetric, core->dofs);
    }
  }
  return others;
}

// The upper triangle from the lower one.
HEFT_CLONES
static void mirror_matrix(double* a, int n) {
  for (int i = 0; i < n; ++i) {
    double *row = a + (size_t)i * (size_t)n, *column = a + i;
    for (int j = i + 1; j < n; ++j) row[j] = column[(size_t)j * (size_t)n];
  }
}

// One contact to the blocks of trees.
HEFT_CLONES
static void add_joint_blocks(const Newton* newton, const Core* core) {
  for (int i = 0; i < core->constraints; ++i) {
    const JointRows* part = core->part + 2 * i;
    const int rows = core->rows[i];
    const double* e = newton->e + 36 * i;
    for (int t = 0; t < 2 && !is_zero(e, rows); ++t) {
      if (!part[t].rows) continue;
      times_rows(e, rows, &part[t], newton->joints.product);
      for (int s = 0; s < 2; ++s) {
        if (!part[s].rows) continue;
        const int tree = core->tree_of[core->effector[2 * i + s]];
        const int edge = s == t ? newton->own_edge[tree] : newton->cross_edge[2 * i + s];
        add_product(rows, &part[s], &part[t], newton->joints.product, 0,
                    newton->values + newton->offset[edge], part[t].stride);
      }
    }
  }
}

void newton_joints_assemble(Newton* newton, const Core* core, double scale) {
  for (int t = 0; t < core->trees; ++t) {
    const int n = newton->dim[t];
    for (int k = newton->edge_start[t]; k < newton->edge_start[t + 1]; ++k) {
      double* out = newton->values + newton->offset[k];
      memset(out, 0, sizeof(double) * (size_t)n * (size_t)newton->dim[newton->edge[k]]);
      for (int a = 0; a < n && newton->edge[k] == t; ++a) out[a * n + a] = scale;
    }
  }
  add_joint_blocks(newton, core);
}

// ---- the right-hand side, and velocities

HEFT_CLONES
static void add_joint_forces(const Core* core, const double* f, double* out) {
  for (int i = 0; i < core->constraints; ++i) {
    const double* own = f + core->slot[i];
    const int rows = core->rows[i];
    int any = 0;
    for (int a = 0; a < rows; ++a) any |= own[a] != 0;
    if (any) joint_rows_push(core->part + 2 * i, rows, own, out);
  }
}

void newton_joints_force(Newton* newton, const Core* core, const double* f) {
  memset(newton->rhs, 0, sizeof(double) * (size_t)core->dofs);
  add_joint_forces(core, f, newton->rhs);
}

HEFT_CLONES
static void joint_velocities(const Core* core, const double* y, double* out) {
  for (int i = 0; i < core->constraints; ++i)
    joint_rows_velocity(core->part + 2 * i, core->rows[i], y, out + core->slot[i]);
}

void newton_joints_velocities(const Core* core, const double* y, double* out) {
  joint_velocities(core, y, out);
}

void newton_joints_velocity(const Core* core, int i, const double* y, double* out) {
  joint_rows_velocity(core->part + 2 * i, core->rows[i], y, out);
}

// ---- the dense factor

// Solves a x = x from the last dof to the first, which is from the leaves to the root. Returns 0 if
// a pivot vanishes. Numbers beyond k, up to a multiple of four, are changed, but not read again.
HEFT_CLONES
static int eliminate_joints(double* a, int n, double* x) {
  for (int k = n - 1; k >= 0; --k) {
    const double* pivot = a + (size_t)k * (size_t)n;
    if (!(fabs(pivot[k]) > 1e-300) || !(fabs(pivot[k]) < HUGE_VAL)) return 0;
    const double inverse = 1 / pivot[k];
    for (int i = 0; i < k; ++i) {
      double* row = a + (size_t)i * (size_t)n;
      if (row[k] == 0) continue;
      const double f = row[k] * inverse;
      for (int j = 0; j < k; j += 4) v4_store(row + j, v4_load(row + j) - f * v4_load(pivot + j));
      x[i] -= f * x[k];
    }
  }
  for (int k = 0; k < n; ++k) {
    const double* row = a + (size_t)k * (size_t)n;
    double sum = joint_dot(row, x, k / 4 * 4);
    for (int j = k / 4 * 4; j < k; ++j) sum += row[j] * x[j];
    x[k] = (x[k] - sum) / row[k];
  }
  return 1;
}

// The same for a symmetric matrix, of which only the lower triangle is read.
HEFT_CLONES
static int eliminate_symmetric(double* a, int n, double* x) {
  for (int k = n - 1; k >= 0; --k) {
    const double* pivot = a + (size_t)k * (size_t)n;
    if (!(fabs(pivot[k]) > 1e-300) || !(fabs(pivot[k]) < HUGE_VAL)) return 0;
    const double inverse = 1 / pivot[k];
    for (int i = 0; i < k; ++i) {
      if (pivot[i] == 0) continue;
      double* row = a + (size_t)i * (size_t)n;
      const double f = pivot[i] * inverse;
      for (int j = 0; j <= i; j += 4) v4_store(row + j, v4_load(row + j) - f * v4_load(pivot + j));
      x[i] -= f * x[k];
    }
  }
  for (int k = 0; k < n; ++k) {
    const double* row = a + (size_t)k * (size_t)n;
    double sum = joint_dot(row, x, k / 4 * 4);
    for (int j = k / 4 * 4; j < k; ++j) sum += row[j] * x[j];
    x[k] = (x[k] - sum) / row[k];
  }
  return 1;
}

// The matrix becomes `scale` on its diagonal and zero elsewhere.
HEFT_CLONES
static void set_diagonal(double* a, int n, double scale) {
  for (int k = 0; k < n; ++k, a += n) {
    for (int j = 0; j < n; j += 4) v4_store(a + j, v4_all(0));
    a[k] = scale;
  }
}

int newton_joints_solve(Newton* newton, const Core* core, double scale, const double* f) {
  NewtonJoints* joints = &newton->joints;
  const int n = core->dofs;
  set_diagonal(joints->matrix, n, scale);
  const int others = add_joint_contacts(newton, core, 1);
  if (others > 0) {
    mirror_matrix(joints->matrix, n);
    add_joint_contacts(newton, core, 0);
  }
  memset(joints->y, 0, sizeof(double) * (size_t)n);
  add_joint_forces(core, f, joints->y);
  return others > 0 ? eliminate_joints(joints->matrix, n, joints->y)
                    : eliminate_symmetric(joints->matrix, n, joints->y);
}
