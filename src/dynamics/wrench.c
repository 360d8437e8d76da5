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
HEFT_CLONES static void gather_at_joints(HeftDynamics* d, double* tau) {
  const HeftTree* t = d->tree;
  for (int k = t->nlink - 1; k > 0; --k) {
    const Link* link = &t->link[k];
    for (int i = link->dof; i < link->dof + link->dof_count; ++i)
      tau[i] += pair_dot(d->axis[i], d->force[k]);
    d->force[link->parent] = pair_add(d->force[link->parent], d->force[k]);
  }
}

void heft_dynamics_wrenches_to_joints(HeftDynamics* d, double* tau) {
  HEFT_REQUIRE_VOID(d && tau);
  if (!d->wrenches) return;
  memcpy(d->force, d->external, (size_t)d->tree->nlink * sizeof *d->force);
  gather_at_joints(d, tau);
}

void heft_link_wrenches_to_joints(HeftDynamics* d, const double (*wrench)[8], double* tau) {
  memcpy(d->force, wrench, (size_t)d->tree->nlink * sizeof *d->force);
  gather_at_joints(d, tau);
}
