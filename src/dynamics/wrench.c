// SPDX-License-Identifier: Apache-2.0
// External forces: stored per link, at the origin of its tree.
#include <string.h>

#include "base/assert.h"
#include "dynamics/links.h"
#include "dynamics/workspace.h"

void heft_dynamics_clear_wrenches(HeftDynamics* d) {
  HEFT_REQUIRE_VOID(d);
  if (d->wrenches) memset(d->external, 0, (size_t)d->tree->nlink * sizeof *d->external);
  d->wrenches = 0;
}

void heft_dynamics_add_wrench(HeftDynamics* d, int body, HeftVec3 point, HeftVec3 force,
                              HeftVec3 torque) {
  HEFT_REQUIRE_VOID(d);
  HEFT_REQUIRE_VOID(body >= 0 && body < d->model->nbody);
  const int k = d->tree->body_link[body];
  const V4 arm = v4_from_vec3(point) - d->origin[d->tree->link[k].root], f = v4_from_vec3(force);
  d->external[k] = pair_add(d->external[k], (Pair){v4_from_vec3(torque) + v4_cross(arm, f), f});
  d->wrenches = 1;
}

// Forces at the joints from those in d->force, which are gathered towards the roots.
HEFT_CLONES static void gather_at_joints(HeftDynamics* d, const TreeGroup* group, double* tau) {
  const HeftTree* t = d->tree;
  for (int k = group[1].link - 1; k >= group->link; --k) {
    const Link* link = &t->link[k];
    HEFT_ASSERT(link->parent < k);
    for (int i = link->dof; i < link->dof + link->dof_count; ++i)
      tau[i] += pair_dot(d->axis[i], d->force[k]);
    if (link->parent > 0) d->force[link->parent] = pair_add(d->force[link->parent], d->force[k]);
  }
}

typedef struct WrenchWork {
  HeftDynamics* d;
  const void* wrench;  ///< nlink pairs
  double* tau;
} WrenchWork;

static void gather_group(void* arg, int worker, int index) {
  const WrenchWork* work = arg;
  HeftDynamics* d = work->d;
  const TreeGroup* group = &d->tree->group[index];
  const int first = group->link, count = group[1].link - first;
  HEFT_ASSERT(count >= 0);
  (void)worker;
  memcpy(d->force + first, (const Pair*)work->wrench + first, (size_t)count * sizeof *d->force);
  gather_at_joints(d, group, work->tau);
}

void heft_dynamics_wrenches_to_joints(HeftDynamics* d, double* tau) {
  HEFT_REQUIRE_VOID(d && tau);
  if (!d->wrenches) return;
  WrenchWork work = {d, d->external, tau};
  run_groups(d, gather_group, &work);
}

void heft_link_wrenches_to_joints(HeftDynamics* d, const double (*wrench)[8], double* tau) {
  WrenchWork work = {d, wrench, tau};
  run_groups(d, gather_group, &work);
}
