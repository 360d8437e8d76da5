// SPDX-License-Identifier: Apache-2.0
// Poses of all bodies in expressions: see heft_dynamics_body_pose() in src/dynamics/kinematics.c.
#include "generate/robot.h"
#include "model/tree.h"

// (r0 x + r1 y) + r2 z
static Num turned(Graph* g, const Num r[3], const double v[3]) {
  return num_add(
      g, num_add(g, num_mul(g, r[0], num_const(g, v[0])), num_mul(g, r[1], num_const(g, v[1]))),
      num_mul(g, r[2], num_const(g, v[2])));
}

void robot_body_poses(Robot* robot) {
  Graph* g = &robot->graph;
  const HeftTree* t = robot->model->tree;
  for (int body = 0; body < robot->model->nbody; ++body) {
    const int k = t->body_link[body];
    const Columns* inside = &t->body_in_link[body];
    const PoseOf* pose = &robot->pose[k];
    const Vec origin = robot->origin[t->link[k].root];
    for (int i = 0; i < 3; ++i) {
      const Num row[3] = {vec_lane(g, pose->rot[0], i), vec_lane(g, pose->rot[1], i),
                          vec_lane(g, pose->rot[2], i)};
      const Num at = num_add(g, vec_lane(g, pose->pos, i), vec_lane(g, origin, i));
      graph_put_num(g, "pos[%d]", 3 * body + i, num_add(g, turned(g, row, inside->c[3]), at));
      for (int j = 0; j < 3; ++j)
        graph_put_num(g, "rot[%d]", 9 * body + 3 * i + j, turned(g, row, inside->c[j]));
    }
  }
}
