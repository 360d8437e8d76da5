// SPDX-License-Identifier: Apache-2.0
// Recursive Newton-Euler in expressions: see src/dynamics/rnea.c and newton_euler.h.
#include "generate/robot.h"
#include "model/tree.h"

// From the parent's motion to the link's.
static void pass_dofs(Robot* robot, int k, bool with_a) {
  Graph* g = &robot->graph;
  const HeftTree* t = robot->model->tree;
  const Link* link = &t->link[k];
  const int end = link->dof + link->dof_count;
  PairOf velocity = robot->velocity[link->parent], acceleration = robot->acceleration[link->parent];
  for (int i = link->dof; i < end; i += t->dof_group[i]) {
    PairOf step = pair_times(g, robot->axis[i], num_leaf(g, "v[%d]", i));
    for (int j = i + 1; j < i + t->dof_group[i]; ++j)
      step = pair_sum_scaled(g, step, robot->axis[j], num_leaf(g, "v[%d]", j));
    acceleration = pair_sum(g, acceleration, pair_cross_of(g, velocity, step));
    velocity = pair_sum(g, velocity, step);
  }
  for (int i = link->dof; i < end && with_a; ++i)
    acceleration = pair_sum_scaled(g, acceleration, robot->axis[i], num_leaf(g, "a[%d]", i));
  robot->velocity[k] = velocity;
  robot->acceleration[k] = acceleration;
}

// Force at the origin of the tree that a link needs to move like this.
static PairOf newton_euler(Robot* robot, int k) {
  Graph* g = &robot->graph;
  const PairOf v = robot->velocity[k], a = robot->acceleration[k];
  const Vec com = robot->pose[k].pos;
  const Vec* spin = robot->spin[k];
  const Vec v_com = vec_add(g, v.lin, vec_cross(g, v.ang, com));
  const Vec a_com =
      vec_add(g, a.lin, vec_add(g, vec_cross(g, a.ang, com), vec_cross(g, v.ang, v_com)));
  const Vec force = vec_scale(g, a_com, num_const(g, robot->model->tree->link[k].mass));
  const Vec turning = vec_mul_mat_vec(g, spin, a.ang);
  const Vec gyro = vec_cross(g, v.ang, vec_mul_mat_vec(g, spin, v.ang));
  return (PairOf){vec_add(g, vec_add(g, turning, gyro), vec_cross(g, com, force)), force};
}

// The lift of mass that does not feel gravity.
static void apply_lift(Robot* robot, int k) {
  Graph* g = &robot->graph;
  const Link* link = &robot->model->tree->link[k];
  const double* gravity = robot->model->physics.gravity;
  const Vec weight =
      vec_scale(g, vec_const(g, gravity[0], gravity[1], gravity[2]), num_const(g, link->lift_mass));
  const Vec at = vec_add(g, robot->pose[k].pos, vec_mul_mat(g, robot->pose[k].rot, link->lift));
  robot->force[k] = pair_sum(g, robot->force[k], (PairOf){vec_cross(g, at, weight), weight});
}

static void write_tau(Robot* robot, int k, bool with_a) {
  Graph* g = &robot->graph;
  const HeftModel* m = robot->model;
  const Link* link = &m->tree->link[k];
  for (int i = link->dof; i < link->dof + link->dof_count; ++i) {
    Num tau = pair_product(g, robot->axis[i], robot->force[k]);
    if (with_a)
      tau = num_add(g, tau, num_mul(g, num_const(g, m->dof_armature[i]), num_leaf(g, "a[%d]", i)));
    graph_put_num(g, "tau[%d]", i, tau);
  }
}

void robot_rnea(Robot* robot, bool with_a) {
  Graph* g = &robot->graph;
  const HeftTree* t = robot->model->tree;
  const double* gravity = robot->model->physics.gravity;
  robot->velocity[0] = pair_none(g);
  robot->acceleration[0] =
      (PairOf){vec_zero(g), vec_const(g, -gravity[0], -gravity[1], -gravity[2])};
  for (int n = 0; n < t->nlink; ++n) {
    const int k = t->breadth[n];
    if (t->link[k].kind == LINK_WORLD) continue;
    pass_dofs(robot, k, with_a);
    robot->force[k] = newton_euler(robot, k);
    if (t->floats) apply_lift(robot, k);
  }
  for (int n = t->nlink - 1; n >= 0; --n) {
    const int k = t->breadth[n], parent = t->link[k].parent;
    if (t->link[k].kind == LINK_WORLD) continue;
    write_tau(robot, k, with_a);
    if (parent > 0) robot->force[parent] = pair_sum(g, robot->force[parent], robot->force[k]);
  }
}
