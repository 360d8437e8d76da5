// SPDX-License-Identifier: Apache-2.0
// The steps that RNEA and ABA share: motion through the joints of a link, and the force that a
// link's motion needs.
#ifndef HEFT_SRC_DYNAMICS_NEWTON_EULER_H
#define HEFT_SRC_DYNAMICS_NEWTON_EULER_H

#include "dynamics/workspace.h"

/// The world rests and, instead of weight, is accelerated upwards.
HEFT_INLINE void start_motion(HeftDynamics* d) {
  const double* g = d->model->physics.gravity;
  d->velocity[0] = pair_zero();
  d->acceleration[0] = (Pair){v4_all(0), (V4){-g[0], -g[1], -g[2], 0}};
  d->force[0] = pair_zero();
}

/// From the parent's motion to the link's: in and out through *velocity and *acceleration. a may be
/// NULL (zero).
HEFT_INLINE void pass_dofs(const HeftDynamics* d, const Link* link, const double* v,
                           const double* a, Pair* velocity, Pair* acceleration) {
  const int* group = d->tree->dof_group;
  const int end = link->dof + link->dof_count;
  for (int i = link->dof; i < end; i += group[i]) {
    Pair step = pair_scale(d->axis[i], v[i]);
    if (group[i] == 3) {
      step = pair_add_scaled(step, d->axis[i + 1], v[i + 1]);
      step = pair_add_scaled(step, d->axis[i + 2], v[i + 2]);
    }
    *acceleration = pair_add(*acceleration, pair_cross(*velocity, step));
    *velocity = pair_add(*velocity, step);
  }
  if (!a) return;
  for (int i = link->dof; i < end; ++i)
    *acceleration = pair_add_scaled(*acceleration, d->axis[i], a[i]);
}

/// Force at O that a link needs to move like this.
HEFT_INLINE Pair newton_euler(double mass, const V4 spin[3], V4 com, Pair velocity,
                              Pair acceleration) {
  const V4 v_com = velocity.lin + v4_cross(velocity.ang, com);
  const V4 a_com =
      acceleration.lin + (v4_cross(acceleration.ang, com) + v4_cross(velocity.ang, v_com));
  const V4 force = a_com * mass;
  const V4 turning = v4_mul_mat_v4(spin, acceleration.ang);
  const V4 gyro = v4_cross(velocity.ang, v4_mul_mat_v4(spin, velocity.ang));
  return (Pair){(turning + gyro) + v4_cross(com, force), force};
}

/// Takes from the needed forces what others give: wrenches from outside, and the lift of what does
/// not feel gravity.
HEFT_INLINE void apply_outside_forces(const HeftDynamics* d, const TreeGroup* group, Pair* force) {
  const HeftTree* t = d->tree;
  if (d->wrenches) {
    for (int k = group->link; k < group[1].link; ++k) force[k] = pair_sub(force[k], d->external[k]);
  }
  if (!t->floats) return;
  const double* g = d->model->physics.gravity;
  for (int k = group->link; k < group[1].link; ++k) {
    const Link* link = &t->link[k];
    const V4 weight = (V4){g[0], g[1], g[2], 0} * link->lift_mass;
    const V4 at = d->pose[k].pos + v4_mul_mat(d->pose[k].rot, link->lift);
    force[k] = pair_add(force[k], (Pair){v4_cross(at, weight), weight});
  }
}

/// Velocities, accelerations and needed forces of the links of a group for the joint motion (v, a);
/// a may be NULL (zero). The motion of the world must be set.
HEFT_INLINE void forces_of_motion(HeftDynamics* d, const TreeGroup* group, const double* v,
                                  const double* a) {
  const HeftTree* t = d->tree;
  for (int n = group->link; n < group[1].link; ++n) {
    const int k = t->breadth[n];
    const Link* link = &t->link[k];
    if (link->kind == LINK_MOVED) {
      d->force[k] = pair_zero();
      continue;
    }
    Pair velocity = d->velocity[link->parent], acceleration = d->acceleration[link->parent];
    pass_dofs(d, link, v, a, &velocity, &acceleration);
    d->velocity[k] = velocity;
    d->acceleration[k] = acceleration;
    d->force[k] = newton_euler(link->mass, d->spin[k], d->pose[k].pos, velocity, acceleration);
  }
  apply_outside_forces(d, group, d->force);
}

#endif
