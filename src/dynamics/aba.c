// SPDX-License-Identifier: Apache-2.0
// Papers: R1, R3, R4.
// Articulated bodies: forward dynamics in three recursions, for joints with any number of dofs and
// without dummy bodies ([Featherstone 2008], section 7.3; [Keith 2008], Eq. 5-10, with their
// misprints corrected).
//
//   1 outwards   v, ā: the motion with q̈ = 0 (weight and all products of velocities in ā),
//                and the force p = I ā + v ×* I v that it needs, less what acts from outside:
//                exactly the first half of RNEA
//   2 inwards    U = I^A S,  D = Sᵀ U + armature,  u = τ - Sᵀ p
//                I^a = I^A - U D⁻¹ Uᵀ,  p^a = p + U D⁻¹ u,   both added to the parent's
//   3 outwards   q̈ = D⁻¹ (u - Uᵀ α_p),  α = α_p + S q̈,   a = ā + α
//
// Splitting the acceleration into ā + α removes the terms I^a c from the second recursion.
// Everything is written about the tree's origin, so that I^a and p^a are added to the parent's as
// they are. An articulated inertia is six columns of eight lanes, angular and linear side by side.
#include "base/assert.h"
#include "dynamics/articulated.h"
#include "dynamics/newton_euler.h"

// A rigid body's inertia about O as six columns: angular unit motions first.
//   (I_O, -[h]×) and ([h]×, m 1), h = m c.
HEFT_INLINE void rigid(double mass, const V4 spin[3], V4 com, Articulated* out) {
  const V4 h = com * mass;
  const double square = v4_dot3(h, com);
  for (int j = 0; j < 3; ++j) {
    const V4 unit = {j == 0, j == 1, j == 2, 0};
    const V4 inertia = spin[j] + (unit * square - h * com[j]);
    const V4 across = v4_cross(h, unit);
    out->column[j] = v8_join(inertia, -across);
    out->column[j + 3] = v8_join(across, unit * mass);
  }
}

HEFT_INLINE V8 pair_join(Pair p) { return v8_join(p.ang, p.lin); }
HEFT_INLINE Pair pair_split(V8 v) { return (Pair){v8_low(v), v8_high(v)}; }

// Six numbers of a pair, from memory: angular 0-2, linear 4-6.
HEFT_INLINE V8 articulated_mul(const Articulated* a, const double* motion) {
  const V8 angular =
      (a->column[0] * motion[0] + a->column[1] * motion[1]) + a->column[2] * motion[2];
  const V8 linear =
      (a->column[3] * motion[4] + a->column[4] * motion[5]) + a->column[5] * motion[6];
  return angular + linear;
}

// I -= u reachᵀ.
HEFT_INLINE void subtract_outer(Articulated* a, V8 u, const double* reach) {
  for (int j = 0; j < 3; ++j) {
    a->column[j] = a->column[j] - u * reach[j];
    a->column[j + 3] = a->column[j + 3] - u * reach[j + 4];
  }
}

HEFT_INLINE void add_articulated(Articulated* to, const Articulated* from) {
  for (int j = 0; j < 6; ++j) to->column[j] = to->column[j] + from->column[j];
}

// Inverse of a symmetric positive matrix of at most six rows, in place, by Gauss-Jordan without
// pivoting: row k is eliminated from all others, and the unit columns that appear are replaced by
// columns of the inverse.
HEFT_INLINE void invert_rows(int n, V8* row) {
  for (int k = 0; k < n; ++k) {
    const double inverse = 1 / row[k][k];
    V8 pivot = row[k] * inverse;
    pivot[k] = inverse;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = row[i][k];
      V8 rest = row[i];
      rest[k] = 0;
      row[i] = rest - pivot * factor;
    }
    row[k] = pivot;
  }
}

// Recursion 2 on a link with one dof.
HEFT_INLINE void inwards_one(HeftDynamics* d, int k, const double* tau) {
  const Link* link = &d->tree->link[k];
  HEFT_ASSERT(link->dof_count == 1 && link->parent < k);
  const int i = link->dof, parent = link->parent;
  Articulated inertia = d->articulated[k];
  const Pair s = d->axis[i], bias = d->force[k];
  const V8 u = articulated_mul(&inertia, (const double*)&d->axis[i]);
  d->reach[i] = pair_split(u);
  const double inverse = 1 / (pair_dot(s, d->reach[i]) + d->model->dof_armature[i]);
  const double effort = (tau ? tau[i] : 0) - pair_dot(s, bias);
  d->inverse[36L * k] = inverse;
  d->effort[i] = effort;
  if (parent == 0) return;
  subtract_outer(&inertia, u * inverse, (const double*)&d->reach[i]);
  add_articulated(&d->articulated[parent], &inertia);
  d->force[parent] =
      pair_add(d->force[parent], pair_add_scaled(bias, d->reach[i], inverse * effort));
}

// Recursion 2 on a link with several dofs.
HEFT_INLINE void inwards_many(HeftDynamics* d, int k, const double* tau) {
  const Link* link = &d->tree->link[k];
  const int n = link->dof_count, dof = link->dof, parent = link->parent;
  HEFT_ASSERT(n <= 6 && parent < k && parent >= 0);
  Articulated inertia = d->articulated[k];
  Pair bias = d->force[k];
  V8 matrix[6];
  for (int i = 0; i < n; ++i) {
    d->reach[dof + i] = pair_split(articulated_mul(&inertia, (const double*)&d->axis[dof + i]));
    d->effort[dof + i] = (tau ? tau[dof + i] : 0) - pair_dot(d->axis[dof + i], bias);
    matrix[i] = v8_all(0);
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j)
      matrix[i][j] = matrix[j][i] = pair_dot(d->axis[dof + j], d->reach[dof + i]);
    matrix[i][i] += d->model->dof_armature[dof + i];
  }
  invert_rows(n, matrix);
  double* inverse = d->inverse + 36L * k;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) inverse[i * n + j] = matrix[i][j];
  }
  if (parent == 0) return;
  double share[6];
  solve_link(inverse, n, d->effort + dof, share);
  for (int i = 0; i < n; ++i) {
    Pair scaled = pair_zero();
    for (int j = 0; j < n; ++j)
      scaled = pair_add_scaled(scaled, d->reach[dof + j], inverse[i * n + j]);
    subtract_outer(&inertia, pair_join(d->reach[dof + i]), (const double*)&scaled);
    bias = pair_add_scaled(bias, d->reach[dof + i], share[i]);
  }
  add_articulated(&d->articulated[parent], &inertia);
  d->force[parent] = pair_add(d->force[parent], bias);
}

// α of a link, kept in d->force, which is free by then.
HEFT_INLINE void outwards(HeftDynamics* d, int k, double* a) {
  const Link* link = &d->tree->link[k];
  HEFT_ASSERT(link->parent < k);
  if (link->kind == LINK_MOVED) return;
  const Pair above = d->force[link->parent];
  if (link->dof_count == 1) {
    const int i = link->dof;
    a[i] = d->inverse[36L * k] * (d->effort[i] - pair_dot(d->reach[i], above));
    d->force[k] = pair_add_scaled(above, d->axis[i], a[i]);
  } else {
    d->force[k] = motion_outwards(d, k, above, d->effort + link->dof, a + link->dof);
  }
  d->acceleration[k] = pair_add(d->acceleration[k], d->force[k]);
}

HEFT_CLONES static void aba_kernel(HeftDynamics* d, const TreeGroup* group, const double* v,
                                   const double* tau, double* a) {
  const HeftTree* t = d->tree;
  const int first = group->link, end = group[1].link;
  forces_of_motion(d, group, v, NULL);
  for (int k = first; k < end; ++k)
    rigid(t->link[k].mass, d->spin[k], d->pose[k].pos, &d->articulated[k]);
  for (int n = end - 1; n >= first; --n) {
    const int k = t->breadth[n];
    if (t->link[k].dof_count == 1) {
      inwards_one(d, k, tau);
    } else {
      inwards_many(d, k, tau);
    }
  }
  for (int n = first; n < end; ++n) outwards(d, t->breadth[n], a);
}

typedef struct AbaWork {
  HeftDynamics* d;
  const double *v, *tau;
  double* a;
} AbaWork;

static void aba_of_group(void* arg, int worker, int index) {
  const AbaWork* work = arg;
  (void)worker;
  aba_kernel(work->d, &work->d->tree->group[index], work->v, work->tau, work->a);
}

void heft_dynamics_aba(HeftDynamics* d, const double* v, const double* tau, double* a) {
  HEFT_REQUIRE_VOID(d && v && a);
  AbaWork work = {d, v, tau, a};
  start_motion(d);
  run_groups(d, aba_of_group, &work);
}
