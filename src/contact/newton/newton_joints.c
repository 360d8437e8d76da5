// SPDX-License-Identifier: Apache-2.0
// The system of newton_effectors.c, (1 + Ω S) w = Ω Xᵀ f, has six rows per effector. A robot with
// many effectors (feet, hands, joints at limits or with dry friction) has fewer dofs than that.
// With Ω = F Fᵀ, where F has one column per dof, and w = F y, it is the same as
//
//   (1 + Jᵀ E J) y = Jᵀ f,    J = X F,    W = J Jᵀ,
//
// with one row per dof. y are joint velocities scaled so that the kinetic energy is ½ |y|²: with
// M̂ = Lᵀ D L, y = D^½ L v. A row of J is zero but for the dofs on the path of its link. So is the
// row of L, and eliminating dofs from the leaves to the roots keeps those zeros
// ([Featherstone 2008], section 6.5), as long as contacts join no two branches: factors that are
// zero are skipped.
#include "contact/newton/newton_joints.h"

#include <math.h>
#include <string.h>

#include "contact/newton/newton.h"

enum { DENSE_MAX = 128 };  // dofs up to which one dense matrix is faster than blocks of trees

// F of an effector: 6 x dofs.
static const double* factor_of(const Core* core, int effector) {
  const int t = core->tree_of[effector];
  const HeftContactTree* tree = &core->problem->trees[t];
  const size_t size = 6 * (size_t)tree->effector_count, n = (size_t)tree->dof_count;
  return core->problem->omega + tree->omega + size * size +
         6 * n * (size_t)(effector - core->tree_first[t]);
}

int newton_joints_fit(const Core* core) {
  for (int t = 0; t < core->trees; ++t) {
    if (core->problem->trees[t].dof_count == 0) return 0;
  }
  return core->trees > 0;
}

// ---- rows of the constraints

// to += f from, numbers first .. last - 1.
HEFT_INLINE void add_scaled(double* to, double f, const double* from, int first, int last) {
  int j = first;
  for (; j + 4 <= last; j += 4) v4_store(to + j, v4_load(to + j) + f * v4_load(from + j));
  for (; j < last; ++j) to[j] += f * from[j];
}

HEFT_INLINE double dot(const double* a, const double* b, int first, int last) {
  V4 sum = v4_all(0);
  double rest = 0;
  int j = first;
  for (; j + 4 <= last; j += 4) sum += v4_load(a + j) * v4_load(b + j);
  for (; j < last; ++j) rest += a[j] * b[j];
  return v4_sum(sum) + rest;
}

// part->rows += X F of one side.
HEFT_INLINE void add_side(const Core* core, int i, int side, const JointRows* part) {
  const int m = core->effector[2 * i + side], pad = core->pad[i], rows = core->rows[i];
  const double* x = core->x + 12 * (size_t)core->slot[i] + 6 * side * pad;
  const double* factor = factor_of(core, m);
  const int n = part->stride;
  for (int k = 0; k < 6; ++k) {
    for (int a = 0; a < rows; ++a) {
      const double number = x[k * pad + a];
      if (number != 0) add_scaled(part->rows + a * n, number, factor + k * n, 0, n);
    }
  }
}

HEFT_INLINE void find_range(int rows, JointRows* part) {
  int first = part->stride, last = 0;
  for (int a = 0; a < rows; ++a) {
    const double* row = part->rows + a * part->stride;
    int low = 0, high = part->stride;
    while (low < first && row[low] == 0) ++low;
    while (high > last && row[high - 1] == 0) --high;
    if (low < first) first = low;
    if (high > last) last = high;
  }
  part->first = first / 4 * 4;
  part->last = last;
}

HEFT_CLONES
static void fill_joint_rows(const Newton* newton, const Core* core) {
  for (int i = 0; i < core->constraints; ++i) {
    JointRows* part = newton->joints.part + 2 * i;
    for (int s = 0; s < 2; ++s) {
      if (core->effector[2 * i + s] >= 0) add_side(core, i, s, part[s].tree < 0 ? part : part + s);
    }
    for (int s = 0; s < 2; ++s) {
      if (part[s].tree >= 0) find_range(core->rows[i], &part[s]);
    }
  }
}

// Names the trees of the parts; returns the numbers that their rows take.
static size_t name_parts(Newton* newton, const Core* core) {
  size_t numbers = 0;
  for (int i = 0; i < core->constraints; ++i) {
    JointRows* part = newton->joints.part + 2 * i;
    for (int s = 0; s < 2; ++s) {
      const int m = core->effector[2 * i + s], t = m < 0 ? -1 : core->tree_of[m];
      const int there = t >= 0 && !(s == 1 && t == part[0].tree);
      part[s] = (JointRows){.tree = there ? t : -1};
      if (!there) continue;
      part[s].at = newton->at[t];
      part[s].stride = newton->dim[t];
      numbers += (size_t)core->rows[i] * (size_t)newton->dim[t];
    }
  }
  return numbers;
}

int newton_joints_prepare(Newton* newton, const Core* core, Arena* pool) {
  NewtonJoints* joints = &newton->joints;
  joints->dofs = newton->at[core->trees - 1] + newton->dim[core->trees - 1];
  joints->dense = joints->dofs <= DENSE_MAX;
  joints->line = (joints->dofs + 6) / 4 * 4;  // three numbers beyond the last are changed
  joints->part = arena_take(pool, 2 * (size_t)core->constraints, JointRows);
  joints->product = arena_take(pool, CONE_ROWS * (size_t)newton->tallest + 3, double);
  joints->y = arena_take(pool, (size_t)joints->line, double);
  joints->matrix =
      arena_take(pool, joints->dense ? (size_t)joints->dofs * (size_t)joints->line : 0, double);
  if (pool->overflow) return 0;
  const size_t numbers = name_parts(newton, core);
  double* rows = arena_take(pool, numbers, double);
  if (pool->overflow) return 0;
  memset(rows, 0, numbers * sizeof(double));
  for (int k = 0; k < 2 * core->constraints; ++k) {
    if (joints->part[k].tree < 0) continue;
    joints->part[k].rows = rows;
    rows += (size_t)core->rows[k / 2] * (size_t)joints->part[k].stride;
  }
  fill_joint_rows(newton, core);
  return 1;
}

// ---- the matrix

// product := E J of a part.
HEFT_INLINE void times_rows(const double* e, int rows, const JointRows* part, double* product) {
  for (int a = 0; a < rows; ++a) {
    double* out = product + a * part->stride;
    for (int j = part->first; j < part->last + 3; ++j) out[j] = 0;
    for (int b = 0; b < rows; ++b) {
      if (e[a * rows + b] != 0)
        add_scaled(out, e[a * rows + b], part->rows + b * part->stride, part->first, part->last);
    }
  }
}

// One row of the matrix: out += Σ of three rows of a product.
HEFT_INLINE void add_three(double* out, double a, double b, double c, const double* product, int n,
                           int first, int last) {
  const double *p = product, *q = p + n, *r = q + n;
  int j = first;
  for (; j + 4 <= last; j += 4)
    v4_store(out + j,
             v4_load(out + j) + ((a * v4_load(p + j) + b * v4_load(q + j)) + c * v4_load(r + j)));
  for (; j < last; ++j) out[j] += (a * p[j] + b * q[j]) + c * r[j];
}

// The block of two parts: out += Jᵀ product; rows of out are `line` apart. half: up to the
// diagonal, and up to three numbers beyond it, which nothing reads.
HEFT_INLINE void add_product(int rows, const JointRows* left, const JointRows* right,
                             const double* product, int half, double* out, int line) {
  const int height = left->stride, width = right->stride;
  for (int k = left->first; k < left->last; ++k) {
    const double* x = left->rows + k;
    double* row = out + (size_t)k * (size_t)line;
    const int last = half && k < right->last ? (k + 4) / 4 * 4 : right->last;
    if (rows == 3) {
      if (x[0] != 0 || x[height] != 0 || x[2 * height] != 0)
        add_three(row, x[0], x[height], x[2 * height], product, width, right->first, last);
      continue;
    }
    for (int a = 0; a < rows; ++a) {
      if (x[a * height] != 0)
        add_scaled(row, x[a * height], product + a * width, right->first, last);
    }
  }
}

// half: only the lower triangle of a symmetric matrix, which is dense.
HEFT_CLONES
static void add_joint_rows(const Newton* newton, const Core* core, int dense, int half) {
  const NewtonJoints* joints = &newton->joints;
  for (int i = 0; i < core->constraints; ++i) {
    const JointRows* part = joints->part + 2 * i;
    const int rows = core->rows[i];
    const double* e = newton->e + 36 * i;
    int zero = 1;
    for (int k = 0; k < rows * rows; ++k) zero &= e[k] == 0;
    for (int t = 0; t < 2 && !zero; ++t) {
      if (part[t].tree < 0) continue;
      times_rows(e, rows, &part[t], joints->product);
      for (int s = 0; s < 2; ++s) {
        if (part[s].tree < 0 || (half && part[s].at < part[t].at)) continue;
        const int edge = s == t ? newton->own_edge[part[s].tree] : newton->cross_edge[2 * i + s];
        double* out = dense
                          ? joints->matrix + (size_t)part[s].at * (size_t)joints->line + part[t].at
                          : newton->values + newton->offset[edge];
        add_product(rows, &part[s], &part[t], joints->product, half && s == t, out,
                    dense ? joints->line : part[t].stride);
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
  add_joint_rows(newton, core, 0, 0);
}

// ---- the right-hand side, and velocities

HEFT_CLONES
static void add_joint_forces(const Newton* newton, const Core* core, const double* f, double* out) {
  for (int i = 0; i < core->constraints; ++i) {
    for (int s = 0; s < 2; ++s) {
      const JointRows* part = &newton->joints.part[2 * i + s];
      for (int a = 0; a < core->rows[i] && part->tree >= 0; ++a) {
        if (f[core->slot[i] + a] != 0)
          add_scaled(out + part->at, f[core->slot[i] + a], part->rows + a * part->stride,
                     part->first, part->last);
      }
    }
  }
}

void newton_joints_force(Newton* newton, const Core* core, const double* f) {
  memset(newton->rhs, 0, sizeof(double) * (size_t)newton->joints.dofs);
  add_joint_forces(newton, core, f, newton->rhs);
}

// The twists F y of all effectors, `stride` apart.
HEFT_CLONES
static void twists_of(const Newton* newton, const Core* core, const double* y, int stride,
                      double* out) {
  for (int m = 0; m < core->effectors; ++m, out += stride) {
    const int t = core->tree_of[m], n = newton->dim[t];
    const double* factor = factor_of(core, m);
    for (int k = 0; k < 6; ++k) out[k] = dot(factor + k * n, y + newton->at[t], 0, n);
  }
}

void newton_joints_twist(Newton* newton, const Core* core, const double* y) {
  twists_of(newton, core, y, 6, newton->twist);
}

void newton_joints_state(const Newton* newton, const Core* core, const double* r, double* z) {
  double* y = newton->joints.y;
  memset(y, 0, sizeof(double) * (size_t)newton->joints.dofs);
  memset(z, 0, sizeof(double) * (size_t)core->states);
  add_joint_forces(newton, core, r, y);
  twists_of(newton, core, y, EFFECTOR_PAD, z);
}

// Velocity of one row of a constraint.
HEFT_INLINE double row_velocity(const JointRows* part, int a, const double* y) {
  double sum = 0;
  for (int s = 0; s < 2; ++s, ++part) {
    if (part->tree >= 0)
      sum += dot(part->rows + a * part->stride, y + part->at, part->first, part->last);
  }
  return sum;
}

void newton_joints_velocity(const Newton* newton, const Core* core, int i, const double* y,
                            double* out) {
  for (int a = 0; a < core->rows[i]; ++a) out[a] = row_velocity(newton->joints.part + 2 * i, a, y);
}

// ---- the dense factor

// Solves a x = x from the last dof to the first, which is from the leaves to the root. Returns 0 if
// a pivot vanishes.
HEFT_CLONES
static int eliminate_joints(double* a, int n, int line, double* x) {
  for (int k = n - 1; k >= 0; --k) {
    const double* pivot = a + (size_t)k * (size_t)line;
    if (!(fabs(pivot[k]) > 1e-300) || !(fabs(pivot[k]) < HUGE_VAL)) return 0;
    const double inverse = 1 / pivot[k];
    for (int i = 0; i < k; ++i) {
      double* row = a + (size_t)i * (size_t)line;
      if (row[k] == 0) continue;
      const double f = row[k] * inverse;
      // up to three numbers beyond k are changed, which nothing reads again
      for (int j = 0; j < k; j += 4) v4_store(row + j, v4_load(row + j) - f * v4_load(pivot + j));
      x[i] -= f * x[k];
    }
  }
  for (int k = 0; k < n; ++k) {
    const double* row = a + (size_t)k * (size_t)line;
    x[k] = (x[k] - dot(row, x, 0, k)) / row[k];
  }
  return 1;
}

// The same for a symmetric matrix, of which only the lower triangle is read.
HEFT_CLONES
static int eliminate_symmetric(double* a, int n, int line, double* x) {
  for (int k = n - 1; k >= 0; --k) {
    const double* pivot = a + (size_t)k * (size_t)line;
    if (!(fabs(pivot[k]) > 1e-300) || !(fabs(pivot[k]) < HUGE_VAL)) return 0;
    const double inverse = 1 / pivot[k];
    for (int i = 0; i < k; ++i) {
      if (pivot[i] == 0) continue;
      double* row = a + (size_t)i * (size_t)line;
      const double f = pivot[i] * inverse;
      // up to three numbers beyond the diagonal are changed, which nothing reads
      for (int j = 0; j <= i; j += 4) v4_store(row + j, v4_load(row + j) - f * v4_load(pivot + j));
      x[i] -= f * x[k];
    }
  }
  for (int k = 0; k < n; ++k) {
    const double* row = a + (size_t)k * (size_t)line;
    x[k] = (x[k] - dot(row, x, 0, k)) / row[k];
  }
  return 1;
}

// E of every constraint is symmetric unless friction follows a changing normal impulse.
static int is_symmetric(const Newton* newton, const Core* core) {
  for (int i = 0; i < core->constraints; ++i) {
    const int rows = core->rows[i];
    const double* e = newton->e + 36 * i;
    for (int a = 1; a < rows; ++a) {
      for (int b = 0; b < a; ++b) {
        if (e[a * rows + b] != e[b * rows + a]) return 0;
      }
    }
  }
  return 1;
}

// The matrix becomes `scale` on its diagonal and zero elsewhere.
HEFT_CLONES
static void set_diagonal(double* a, int n, int line, double scale) {
  for (int k = 0; k < n; ++k, a += line) {
    for (int j = 0; j < line; j += 4) v4_store(a + j, v4_all(0));
    a[k] = scale;
  }
}

int newton_joints_solve(Newton* newton, const Core* core, double scale, const double* f) {
  NewtonJoints* joints = &newton->joints;
  const int n = joints->dofs, line = joints->line;
  const int half = is_symmetric(newton, core);
  set_diagonal(joints->matrix, n, line, scale);
  add_joint_rows(newton, core, 1, half);
  memset(joints->y, 0, sizeof(double) * (size_t)n);
  add_joint_forces(newton, core, f, joints->y);
  return half ? eliminate_symmetric(joints->matrix, n, line, joints->y)
              : eliminate_joints(joints->matrix, n, line, joints->y);
}

// ---- sweeps
//
// A cheap local step: the normal impulse first, then each friction group on its disc, with the
// largest mobility of the group as its step. Its fixed points are the solutions of the problem. A
// row costs two products along its path.

// The largest eigenvalue of W_ii in a group.
static double group_mobility(const double* w, int first, int size) {
  const double a = w[7 * first];
  if (size == 1) return a;
  const double c = w[7 * (first + 1)], b = w[6 * first + first + 1], half = 0.5 * (a - c);
  return 0.5 * (a + c) + sqrt(half * half + b * b);
}

HEFT_INLINE void push_row(const JointRows* part, int a, double change, double* y) {
  for (int s = 0; s < 2 && change != 0; ++s, ++part) {
    if (part->tree >= 0)
      add_scaled(y + part->at, change, part->rows + a * part->stride, part->first, part->last);
  }
}

HEFT_INLINE void sweep_constraint(const JointRows* part, const Core* core, int i, double* r,
                                  double* y) {
  const double *b = core->b + core->slot[i], *w = core->diagonal + 36 * i;
  const Cone* cone = &core->cone[i];
  if (!(w[0] > 0)) return;
  double n = r[0] - (b[0] + row_velocity(part, 0, y)) / w[0];
  n = n < cone->lower ? cone->lower : n > cone->upper ? cone->upper : n;
  push_row(part, 0, n - r[0], y);
  r[0] = n;
  for (int g = 0; g < cone->groups; ++g) {
    const int first = cone->first[g], size = cone->size[g];
    const double step = group_mobility(w, first, size), radius = cone->mu[g] * n;
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
}

HEFT_CLONES
static void sweep_joints(const JointRows* parts, const Core* core, int count, double* y) {
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < core->constraints; ++i)
      sweep_constraint(parts + 2 * i, core, i, core->r + core->slot[i], y);
  }
}

void newton_joints_sweep(Newton* newton, Core* core, int count) {
  double* y = newton->joints.y;
  memset(y, 0, sizeof(double) * (size_t)newton->joints.dofs);
  add_joint_forces(newton, core, core->r, y);
  sweep_joints(newton->joints.part, core, count, y);
}
