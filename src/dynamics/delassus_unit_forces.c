// SPDX-License-Identifier: Apache-2.0
// Papers: R13, R16.
// The method of [Chardonnet 2006], with which [Chardonnet 2012] and [Chardonnet 2008] compare
// theirs: for each point and each of its three axes one unit force, one run of ABA's recursions
// (joint velocities, gravity and torques zero), and the accelerations of the points read off: three
// runs per point, O(n m + m²). As table 1 of [Chardonnet 2008] counts, a run goes inwards on the
// branch of its point and outwards to touched links only, and one half of Λ is read off.
#include <string.h>

#include "dynamics/articulated.h"
#include "dynamics/delassus.h"

typedef struct UnitForces {
  double *u, *rate;    ///< by dof
  Pair* axis;          ///< by row of Λ
  Pair* acceleration;  ///< by link
  int* way;            ///< the links between the roots and the touched links, ascending
  int way_count;
} UnitForces;

static size_t effort_size(const HeftDynamics* d) { return round_up_8((size_t)d->tree->nv + 6); }

size_t heft_delassus_unit_forces_scratch(const HeftDynamics* d, int count) {
  const size_t nlink = (size_t)d->tree->nlink;
  return effort_size(d) * 2 + (3 * (size_t)count + nlink) * 8 + round_up_8((nlink + 1) / 2);
}

static UnitForces lay_out(const HeftDynamics* d, int count, const HeftDelassusPoint* points,
                          double* scratch) {
  const HeftTree* t = d->tree;
  UnitForces s = {.u = scratch, .rate = scratch + effort_size(d)};
  s.axis = (Pair*)(void*)(s.rate + effort_size(d));
  s.acceleration = s.axis + 3L * count;
  s.way = (int*)(void*)(s.acceleration + t->nlink);
  memset(s.way, 0, (size_t)t->nlink * sizeof *s.way);
  for (int i = 0; i < count; ++i)
    for (int k = t->body_link[points[i].body]; k > 0 && !s.way[k]; k = t->link[k].parent)
      s.way[k] = 1;
  for (int k = 1; k < t->nlink; ++k)
    if (s.way[k]) s.way[s.way_count++] = k;
  for (int i = 0; i < 3 * count; ++i) s.axis[i] = point_axis(d, &points[i / 3], i % 3);
  s.acceleration[0] = pair_zero();
  return s;
}

static void run(const HeftDynamics* d, const UnitForces* s, int start, Pair force) {
  const HeftTree* t = d->tree;
  memset(s->u, 0, (size_t)t->nv * sizeof *s->u);
  for (int k = start; k > 0; k = t->link[k].parent)
    force = force_inwards(d, k, force, s->u + t->link[k].dof);
  for (int i = 0; i < s->way_count; ++i) {
    const int k = s->way[i];
    const Link* link = &t->link[k];
    s->acceleration[k] =
        motion_outwards(d, k, s->acceleration[link->parent], s->u + link->dof, s->rate + link->dof);
  }
}

HEFT_CLONES static void unit_forces_kernel(const HeftDynamics* d, int count,
                                           const HeftDelassusPoint* points, double* scratch,
                                           double* lambda) {
  const int size = 3 * count, *link = d->tree->body_link;
  const UnitForces s = lay_out(d, count, points, scratch);
  for (int i = 0; i < size; ++i) {
    run(d, &s, link[points[i / 3].body], s.axis[i]);
    for (int j = 0; j < i / 3 * 3 + 3; ++j) {
      const Pair seen = s.acceleration[link[points[j / 3].body]];
      lambda[(long)i * size + j] = lambda[(long)j * size + i] = pair_dot(s.axis[j], seen);
    }
  }
}

void heft_delassus_unit_forces(const HeftDynamics* d, int count, const HeftDelassusPoint* points,
                               double* scratch, double* lambda) {
  unit_forces_kernel(d, count, points, scratch, lambda);
}
