// SPDX-License-Identifier: Apache-2.0
// Papers: R8.
// Recursive Newton-Euler: motion outwards, forces inwards ([Featherstone 2008], chapter 5;
// [Luh 1980]).
//
// Outwards, all at the tree's origin O, v_p and a_p of the parent link:
//     v = v_p + S q̇,   a = a_p + S q̈ + v_p × S q̇      (a_0 = -g makes gravity an acceleration)
// Joints with several dofs go one after the other; the three of a ball turn together, since their
// axes move with the body: Σ_k (v × S_k) q̇_k = (v_p + S q̇) × S q̇ = v_p × S q̇. Newton and Euler
// at the centre of mass c, taken back to O:
//     v_c = v + ω × c,   a_c = a + α × c + ω × v_c,   f = m a_c,   n = I α + ω × I ω + c × f.
// Inwards: τ = S · f, f_p += f.
#include "base/assert.h"
#include "dynamics/newton_euler.h"

// Inlined twice: with a, and without.
HEFT_INLINE void rnea_body(HeftDynamics* d, const TreeGroup* group, const double* v,
                           const double* a, double* tau) {
  const HeftTree* t = d->tree;
  forces_of_motion(d, group, v, a);
  for (int n = group[1].link - 1; n >= group->link; --n) {
    const int k = t->breadth[n];
    const Link* link = &t->link[k];
    HEFT_ASSERT(link->parent < k && link->dof + link->dof_count <= t->nv);
    const Pair force = d->force[k];
    for (int i = link->dof; i < link->dof + link->dof_count; ++i) {
      const double moving = pair_dot(d->axis[i], force);
      tau[i] = a ? moving + d->model->dof_armature[i] * a[i] : moving;
    }
    if (link->parent > 0) d->force[link->parent] = pair_add(d->force[link->parent], force);
  }
}

HEFT_CLONES static void rnea_kernel(HeftDynamics* d, const TreeGroup* group, const double* v,
                                    const double* a, double* tau) {
  rnea_body(d, group, v, a, tau);
}

HEFT_CLONES static void rnea_bias_kernel(HeftDynamics* d, const TreeGroup* group, const double* v,
                                         double* tau) {
  rnea_body(d, group, v, NULL, tau);
}

typedef struct RneaWork {
  HeftDynamics* d;
  const double *v, *a;
  double* tau;
} RneaWork;

static void rnea_of_group(void* arg, int worker, int index) {
  const RneaWork* work = arg;
  const TreeGroup* group = &work->d->tree->group[index];
  (void)worker;
  if (work->a) {
    rnea_kernel(work->d, group, work->v, work->a, work->tau);
  } else {
    rnea_bias_kernel(work->d, group, work->v, work->tau);
  }
}

void heft_dynamics_rnea(HeftDynamics* d, const double* v, const double* a, double* tau) {
  HEFT_REQUIRE_VOID(d && v && tau);
  RneaWork work = {d, v, a, tau};
  start_motion(d);
  run_groups(d, rnea_of_group, &work);
}
