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
#include "base/assert.h"

#include <string.h>

#include "contact/core/joint_rows.h"
#include "contact/newton/newton.h"

enum { DENSE_MAX = 128 };  // dofs up to which one dense matrix is faster than blocks of trees

int newton_joints_prepare(Newton* newton, const Core* core, Arena* pool) {
  NewtonJoints* joints = &newton->joints;
  const size_t n = (size_t)core->dofs;
  joints->dense = core->dofs <= DENSE_MAX;
  HEFT_ASSERT(core->dofs % 4 == 0);
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
  HEFT_ASSERT(left->count <= height && right->count <= width);
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
    HEFT_ASSERT(part[t].at + part[t].count <= line);
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

// Four rows, n apart, become four columns of out.
HEFT_INLINE void transpose_four(const double* in, double* out, int n) {
  const V4 a = v4_load(in), b = v4_load(in + n), c = v4_load(in + 2L * n), d = v4_load(in + 3L * n);
  const V4 ab_even = V4_SHUFFLE(a, b, 0, 4, 2, 6), ab_odd = V4_SHUFFLE(a, b, 1, 5, 3, 7);
  const V4 cd_even = V4_SHUFFLE(c, d, 0, 4, 2, 6), cd_odd = V4_SHUFFLE(c, d, 1, 5, 3, 7);
  v4_store(out, V4_SHUFFLE(ab_even, cd_even, 0, 1, 4, 5));
  v4_store(out + n, V4_SHUFFLE(ab_odd, cd_odd, 0, 1, 4, 5));
  v4_store(out + 2L * n, V4_SHUFFLE(ab_even, cd_even, 2, 3, 6, 7));
  v4_store(out + 3L * n, V4_SHUFFLE(ab_odd, cd_odd, 2, 3, 6, 7));
}

// The upper triangle from the lower one.
HEFT_CLONES
static void mirror_matrix(double* a, int n) {
  for (int k = 0; k < n; k += 4) {
    double* own = a + (size_t)k * (size_t)n + k;
    for (int i = 0; i < 3; ++i) {
      for (int j = i + 1; j < 4; ++j) own[i * n + j] = own[j * n + i];
    }
    for (int j = k + 4; j < n; j += 4)
      transpose_four(a + (size_t)j * (size_t)n + k, a + (size_t)k * (size_t)n + j, n);
  }
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

// ---- the dense factor
//
// Dofs are eliminated from the last to the first, which is from the leaves to the root, four at a
// time: first among themselves, then from each row before them. Numbers beyond a row's own dof may
// be changed, but are not read again.

// row -= f[3] p₃ + ... + f[0] p₀, where the rows p are n apart.
HEFT_INLINE void subtract_four(double* row, const double* p, int n, const double f[4], int count) {
  const double *p1 = p + n, *p2 = p1 + n, *p3 = p2 + n;
  for (int j = 0; j < count; j += 4)
    v4_store(row + j, (((v4_load(row + j) - f[3] * v4_load(p3 + j)) - f[2] * v4_load(p2 + j)) -
                       f[1] * v4_load(p1 + j)) -
                          f[0] * v4_load(p + j));
}

// Eliminates the dofs first .. first + 3 from each other. half: the matrix is symmetric, and only
// its lower triangle is read. Returns 0 if a pivot vanishes.
HEFT_INLINE int eliminate_panel(double* a, int n, int first, int half, double* x, double* inverse) {
  HEFT_ASSERT(first >= 0 && first + 4 <= n);
  for (int k = first + 3; k >= first; --k) {
    const double* pivot = a + (size_t)k * (size_t)n;
    if (!newton_is_pivot(pivot[k])) return 0;
    inverse[k - first] = 1 / pivot[k];
    for (int i = first; i < k; ++i) {
      double* row = a + (size_t)i * (size_t)n;
      const double f = (half ? pivot[i] : row[k]) * inverse[k - first];
      if (f == 0) continue;
      for (int j = 0; j < k; j += 4) v4_store(row + j, v4_load(row + j) - f * v4_load(pivot + j));
      x[i] -= f * x[k];
    }
  }
  return 1;
}

// The factors by which the four rows of a panel, p, are subtracted from a row before them.
HEFT_INLINE void factors_of(const double* row, const double* p, int n, int first, int i, int half,
                            const double* inverse, double f[4]) {
  const double *p1 = p + n, *p2 = p1 + n, *p3 = p2 + n;
  if (half) {
    f[3] = p3[i] * inverse[3], f[2] = p2[i] * inverse[2];
    f[1] = p1[i] * inverse[1], f[0] = p[i] * inverse[0];
    return;
  }
  const double* c = row + first;
  f[3] = c[3] * inverse[3];
  f[2] = (c[2] - f[3] * p3[first + 2]) * inverse[2];
  f[1] = ((c[1] - f[3] * p3[first + 1]) - f[2] * p2[first + 1]) * inverse[1];
  f[0] = (((c[0] - f[3] * p3[first]) - f[2] * p2[first]) - f[1] * p1[first]) * inverse[0];
}

// Solves a x = x.
HEFT_INLINE int eliminate(double* a, int n, int half, double* x) {
  double inverse[4], f[4];
  for (int first = n - 4; first >= 0; first -= 4) {
    const double* p = a + (size_t)first * (size_t)n;
    if (!eliminate_panel(a, n, first, half, x, inverse)) return 0;
    for (int i = 0; i < first; ++i) {
      double* row = a + (size_t)i * (size_t)n;
      factors_of(row, p, n, first, i, half, inverse, f);
      if (f[0] == 0 && f[1] == 0 && f[2] == 0 && f[3] == 0) continue;
      subtract_four(row, p, n, f, half ? i + 1 : first);
      x[i] = (((x[i] - f[3] * x[first + 3]) - f[2] * x[first + 2]) - f[1] * x[first + 1]) -
             f[0] * x[first];
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

HEFT_CLONES
static int eliminate_joints(double* a, int n, double* x) { return eliminate(a, n, 0, x); }

HEFT_CLONES
static int eliminate_symmetric(double* a, int n, double* x) { return eliminate(a, n, 1, x); }

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
  HEFT_ASSERT(joints->dense && n % 4 == 0 && scale > 0);
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
