// SPDX-License-Identifier: Apache-2.0
// Papers: R13.
// The method of [Chardonnet 2006], with which [Chardonnet 2012] and [Chardonnet 2008] compare
// theirs: for each point and each of its three axes one unit force, one run of ABA's recursions
// over the whole tree (joint velocities, gravity and torques zero), and the acceleration of every
// point read off: three runs per point, O(n m + m²).
#include <string.h>

#include "dynamics/articulated.h"
#include "dynamics/delassus.h"

static size_t effort_size(const HeftDynamics* d) { return round_up_8((size_t)d->tree->nv + 6); }

size_t heft_delassus_unit_forces_scratch(const HeftDynamics* d, int count) {
  (void)count;
  return effort_size(d) * 2 + (size_t)d->tree->nlink * 8;
}

static void run(const HeftDynamics* d, int start, Pair force, double* u, double* rate,
                Pair* acceleration) {
  const HeftTree* t = d->tree;
  memset(u, 0, (size_t)t->nv * sizeof *u);
  for (int k = start; k > 0; k = t->link[k].parent)
    force = force_inwards(d, k, force, u + t->link[k].dof);
  acceleration[0] = pair_zero();
  for (int k = 1; k < t->nlink; ++k) {
    const Link* link = &t->link[k];
    acceleration[k] =
        motion_outwards(d, k, acceleration[link->parent], u + link->dof, rate + link->dof);
  }
}

HEFT_CLONES static void unit_forces_kernel(const HeftDynamics* d, int count,
                                           const HeftDelassusPoint* points, double* scratch,
                                           double* lambda) {
  const int size = 3 * count;
  double *u = scratch, *rate = u + effort_size(d);
  Pair* acceleration = (Pair*)(void*)(rate + effort_size(d));
  for (int i = 0; i < size; ++i) {
    const int link = d->tree->body_link[points[i / 3].body];
    run(d, link, point_axis(d, &points[i / 3], i % 3), u, rate, acceleration);
    for (int j = 0; j < size; ++j) {
      const int other = d->tree->body_link[points[j / 3].body];
      lambda[(long)j * size + i] =
          pair_dot(point_axis(d, &points[j / 3], j % 3), acceleration[other]);
    }
  }
}

void heft_delassus_unit_forces(const HeftDynamics* d, int count, const HeftDelassusPoint* points,
                               double* scratch, double* lambda) {
  unit_forces_kernel(d, count, points, scratch, lambda);
}
