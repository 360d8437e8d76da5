// SPDX-License-Identifier: Apache-2.0
// Composite rigid bodies in expressions: see src/dynamics/crba.c.
//
// Four numbers of a row are computed at a time. The axes of four dofs of a path are transposed
// once, to vectors X_c of their components c; every row below them uses these:
//     M = ((X_0 f_0 + X_3 f_3) + (X_1 f_1 + X_4 f_4)) + (X_2 f_2 + X_5 f_5)
// which is the order of v4_sums() in each of the four.
#include <stdlib.h>

#include "generate/robot.h"
#include "model/tree.h"

typedef struct CompositeOf {
  Vec inertia[3], first;
  double mass;
} CompositeOf;

static CompositeOf own_inertia(Graph* g, double mass, const Vec spin[3], Vec com) {
  CompositeOf out = {.first = vec_scale(g, com, num_const(g, mass)), .mass = mass};
  const Vec p = vec_mul(g, com, com);
  const Num none = num_const(g, 0);
  const Num sum = num_add(g, num_add(g, vec_lane(g, p, 0), vec_lane(g, p, 1)), vec_lane(g, p, 2));
  const Num square = num_mul(g, num_const(g, mass), sum);
  for (int i = 0; i < 3; ++i) {
    const Vec diagonal =
        vec_set(g, i == 0 ? square : none, i == 1 ? square : none, i == 2 ? square : none, none);
    const Vec moved = vec_sub(g, diagonal, vec_scale(g, out.first, vec_lane(g, com, i)));
    out.inertia[i] = vec_add(g, spin[i], moved);
  }
  return out;
}

static void add_composite(Graph* g, CompositeOf* to, const CompositeOf* from) {
  for (int i = 0; i < 3; ++i) to->inertia[i] = vec_add(g, to->inertia[i], from->inertia[i]);
  to->first = vec_add(g, to->first, from->first);
  to->mass += from->mass;
}

static PairOf composite_mul(Graph* g, const CompositeOf* c, PairOf motion) {
  return (PairOf){
      vec_add(g, vec_mul_mat_vec(g, c->inertia, motion.ang), vec_cross(g, c->first, motion.lin)),
      vec_add(g, vec_scale(g, motion.lin, num_const(g, c->mass)),
              vec_cross(g, motion.ang, c->first))};
}

// Component c of four axes of a path, from e on; zero beyond its end.
static Vec transposed(Robot* robot, const int* path, int length, int e, int c) {
  Graph* g = &robot->graph;
  Num part[4];
  for (int i = 0; i < 4; ++i) {
    if (e + i >= length) {
      part[i] = num_const(g, 0);
      continue;
    }
    const PairOf* axis = &robot->axis[path[e + i]];
    part[i] = vec_lane(g, c < 3 ? axis->ang : axis->lin, c % 3);
  }
  return vec_set(g, part[0], part[1], part[2], part[3]);
}

static Vec four_of_row(Robot* robot, const int* path, int length, int e, PairOf force) {
  Graph* g = &robot->graph;
  Vec p[3];
  for (int c = 0; c < 3; ++c)
    p[c] =
        vec_add(g, vec_scale(g, transposed(robot, path, length, e, c), vec_lane(g, force.ang, c)),
                vec_scale(g, transposed(robot, path, length, e, c + 3), vec_lane(g, force.lin, c)));
  return vec_add(g, vec_add(g, p[0], p[1]), p[2]);
}

static void write_dof(Robot* robot, const CompositeOf* composite, int i) {
  Graph* g = &robot->graph;
  const HeftTree* t = robot->model->tree;
  const PairOf force = composite_mul(g, composite, robot->axis[i]);
  const int row = t->row[i], length = t->dof_depth[i] + 1;
  for (int e = 0; e < length; e += 4) {
    Vec four = four_of_row(robot, t->path + row, length, e, force);
    if (e + 4 >= length) {
      Num part[4];
      for (int n = 0; n < 4; ++n)
        part[n] = num_const(g, e + n == length - 1 ? robot->model->dof_armature[i] : 0);
      four = vec_add(g, four, vec_set(g, part[0], part[1], part[2], part[3]));
    }
    graph_put_vec(g, "ROW(%d)", row + e, four);
  }
}

void robot_crba(Robot* robot) {
  Graph* g = &robot->graph;
  const HeftTree* t = robot->model->tree;
  CompositeOf* composite = calloc((size_t)t->nlink, sizeof *composite);
  if (!composite) {
    g->failed = true;
    return;
  }
  for (int k = 1; k < t->nlink; ++k)
    composite[k] = own_inertia(g, t->link[k].mass, robot->spin[k], robot->pose[k].pos);
  for (int n = t->nlink - 1; n >= 0; --n) {
    const int k = t->breadth[n], parent = t->link[k].parent;
    if (parent > 0) add_composite(g, &composite[parent], &composite[k]);
  }
  for (int i = 0; i < robot->model->nv; ++i) write_dof(robot, &composite[t->dof_link[i]], i);
  free(composite);
}
