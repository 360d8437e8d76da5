// SPDX-License-Identifier: Apache-2.0
// Articulated bodies: forward dynamics in three recursions, for joints with any number of dofs and
// without dummy bodies (Featherstone 2008, section 7.3; paper E, Eq. 5-10 with its misprints X5
// mended).
//
//   1 outwards   v, c = v_p × S q̇;   p = v ×* I v - f_ext
//   2 inwards    U = I^A S,  D = Sᵀ U + armature,  u = τ - Sᵀ p
//                I^a = I^A - U D⁻¹ Uᵀ,  p^a = p + I^a c + U D⁻¹ u,   both added to the parent's
//   3 outwards   a' = a_p + c,  q̈ = D⁻¹ (u - Uᵀ a'),  a = a' + S q̈
//
// Everything is written about the tree's origin, so that I^a and p^a are added to the parent's as
// they are. An articulated inertia is six columns of eight lanes, angular and linear side by side.
#include <string.h>

#include "dynamics/articulated.h"
#include "dynamics/newton_euler.h"
#include "math/dense.h"

// A rigid body's inertia about O as six columns: angular unit motions first.
//   (I_O, -[h]×) and ([h]×, m 1), h = m c.
HEFT_INLINE void rigid(double mass, const V4 spin[3], V4 com, Articulated* out) {
  const V4 h = com * mass;
  const double square = v4_dot3(h, com);
  for (int j = 0; j < 3; ++j) {
    const V4 unit = {j == 0, j == 1, j == 2, 0};
    const V4 moment = spin[j] + (unit * square - h * com[j]);
    const V4 across = v4_cross(h, unit);
    out->column[j] = v8_join(moment, -across);
    out->column[j + 3] = v8_join(across, unit * mass);
  }
}

HEFT_INLINE V8 pair_join(Pair p) { return v8_join(p.ang, p.lin); }
HEFT_INLINE Pair pair_split(V8 v) { return (Pair){v8_low(v), v8_high(v)}; }

HEFT_INLINE V8 articulated_mul(const Articulated* a, Pair motion) {
  const V8 angular =
      (a->column[0] * motion.ang[0] + a->column[1] * motion.ang[1]) + a->column[2] * motion.ang[2];
  const V8 linear =
      (a->column[3] * motion.lin[0] + a->column[4] * motion.lin[1]) + a->column[5] * motion.lin[2];
  return angular + linear;
}

// I -= U scaledᵀ.
HEFT_INLINE void subtract_outer(Articulated* a, V8 u, Pair scaled) {
  for (int j = 0; j < 3; ++j) {
    a->column[j] = a->column[j] - u * scaled.ang[j];
    a->column[j + 3] = a->column[j + 3] - u * scaled.lin[j];
  }
}

// D⁻¹ of a link with several dofs, by Cholesky; a matrix that is not positive gives NaN, which the
// caller sees.
static void invert_link(int count, double* matrix, double* inverse) {
  const int failed = heft_cholesky_factor(count, matrix, count);
  for (int j = 0; j < count; ++j) {
    double column[6] = {0};
    column[j] = failed ? NAN : 1;
    heft_cholesky_solve(count, matrix, count, column);
    for (int i = 0; i < count; ++i) inverse[i * count + j] = column[i];
  }
}

// Recursion 2 on a link with one dof. On return *inertia is I^a and *bias is p^a.
HEFT_INLINE void inwards_one(HeftDynamics* d, int k, double tau, Pair c, Articulated* inertia,
                             Pair* bias) {
  const int i = d->tree->link[k].dof;
  const Pair s = d->axis[i];
  const V8 reach8 = articulated_mul(inertia, s);
  const Pair reach = pair_split(reach8);
  const double inverse = 1 / (pair_dot(s, reach) + d->model->dof_armature[i]);
  const double effort = tau - pair_dot(s, *bias);
  d->reach[i] = reach;
  d->inverse[36L * k] = inverse;
  d->effort[i] = effort;
  subtract_outer(inertia, reach8, pair_scale(reach, inverse));
  const Pair carried = pair_split(articulated_mul(inertia, c) + reach8 * (inverse * effort));
  *bias = pair_add(*bias, carried);
}

// The same with several dofs.
HEFT_INLINE void inwards_many(HeftDynamics* d, int k, const double* tau, Pair c,
                              Articulated* inertia, Pair* bias) {
  const Link* link = &d->tree->link[k];
  const int n = link->dof_count;
  double matrix[36], share[6];
  double* inverse = d->inverse + 36L * k;
  for (int i = 0; i < n; ++i) {
    const int dof = link->dof + i;
    d->reach[dof] = pair_split(articulated_mul(inertia, d->axis[dof]));
    d->effort[dof] = (tau ? tau[dof] : 0) - pair_dot(d->axis[dof], *bias);
    for (int j = 0; j <= i; ++j)
      matrix[i * n + j] = pair_dot(d->axis[link->dof + j], d->reach[dof]);
    matrix[i * n + i] += d->model->dof_armature[dof];
  }
  invert_link(n, matrix, inverse);
  for (int i = 0; i < n; ++i) {
    Pair scaled = pair_zero();
    for (int j = 0; j < n; ++j)
      scaled = pair_add_scaled(scaled, d->reach[link->dof + j], inverse[i * n + j]);
    subtract_outer(inertia, pair_join(d->reach[link->dof + i]), scaled);
  }
  solve_link(inverse, n, d->effort + link->dof, share);
  Pair carried = pair_split(articulated_mul(inertia, c));
  for (int i = 0; i < n; ++i) carried = pair_add_scaled(carried, d->reach[link->dof + i], share[i]);
  *bias = pair_add(*bias, carried);
}

HEFT_INLINE void aba_outwards_velocity(HeftDynamics* d, const double* v) {
  const HeftTree* t = d->tree;
  start_motion(d);
  for (int k = 1; k < t->nlink; ++k) {
    const Link* link = &t->link[k];
    Pair velocity = d->velocity[link->parent], c = pair_zero();
    pass_dofs(d, link, v, NULL, &velocity, &c);
    d->velocity[k] = velocity;
    d->acceleration[k] = c;  // c until the third recursion
    d->force[k] = newton_euler(link->mass, d->spin[k], d->pose[k].pos, velocity, pair_zero());
    rigid(link->mass, d->spin[k], d->pose[k].pos, &d->articulated[k]);
  }
}

// Weight comes in through the world's acceleration; a link that floats gets its lift as a force.
HEFT_CLONES static void aba_kernel(HeftDynamics* d, const double* v, const double* tau, double* a) {
  const HeftTree* t = d->tree;
  aba_outwards_velocity(d, v);
  apply_outside_forces(d, d->force);
  for (int k = t->nlink - 1; k > 0; --k) {
    const Link* link = &t->link[k];
    Articulated* inertia = &d->articulated[k];
    Pair bias = d->force[k];
    if (link->dof_count == 1) {
      inwards_one(d, k, tau ? tau[link->dof] : 0, d->acceleration[k], inertia, &bias);
    } else {
      inwards_many(d, k, tau, d->acceleration[k], inertia, &bias);
    }
    if (link->parent == 0) continue;
    d->force[link->parent] = pair_add(d->force[link->parent], bias);
    for (int j = 0; j < 6; ++j) {
      d->articulated[link->parent].column[j] =
          d->articulated[link->parent].column[j] + inertia->column[j];
    }
  }
  for (int k = 1; k < t->nlink; ++k) {
    const Link* link = &t->link[k];
    const Pair above = pair_add(d->acceleration[link->parent], d->acceleration[k]);
    if (link->dof_count == 1) {
      const int i = link->dof;
      a[i] = d->inverse[36L * k] * (d->effort[i] - pair_dot(d->reach[i], above));
      d->acceleration[k] = pair_add_scaled(above, d->axis[i], a[i]);
    } else {
      d->acceleration[k] = motion_outwards(d, k, above, d->effort + link->dof, a + link->dof);
    }
  }
}

void heft_aba(HeftDynamics* d, const double* v, const double* tau, double* a) {
  HEFT_ASSERT(d && v && a);
  aba_kernel(d, v, tau, a);
}
