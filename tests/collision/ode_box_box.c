// SPDX-License-Identifier: Apache-2.0
// Two boxes, one standing turned on the other: Heft's narrow phase and ODE's dCollide on the same
// 512 poses in the same run, the least time of many rounds that take turns.
#include <heft/base.h>
#include <ode/ode.h>
#include <stdio.h>

#include "collision/narrow.h"
#include "scenes/random.h"

enum { PAIRS = 512, ROUNDS = 300 };

static NarrowScratch scratch;
static HeftPose pose[PAIRS];
static dGeomID below[PAIRS], above[PAIRS];

static void place(dGeomID g, const HeftPose* x) {
  dMatrix3 r = {0};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) r[4 * i + j] = (dReal)x->rot.m[i][j];
  }
  dGeomSetPosition(g, (dReal)x->pos.x, (dReal)x->pos.y, (dReal)x->pos.z);
  dGeomSetRotation(g, r);
}

static double ask_heft(const Geometry* box, long* points) {
  const uint64_t start = heft_clock_ns();
  for (int i = 0; i < PAIRS; ++i) {
    Manifold m;
    heft_narrow(box, box, &pose[i], 0, 4, &scratch, &m);
    *points += m.count;
  }
  return (double)(heft_clock_ns() - start);
}

static double ask_ode(long* points) {
  dContactGeom c[8];
  const uint64_t start = heft_clock_ns();
  for (int i = 0; i < PAIRS; ++i) *points += dCollide(below[i], above[i], 4, c, sizeof c[0]);
  return (double)(heft_clock_ns() - start);
}

int main(void) {
  Random r = {1};
  Geometry box = {.kind = KIND_BOX, .size = {0.5, 0.5, 0.5}};
  heft_geometry_bound(&box);
  dInitODE();
  const HeftPose home = heft_pose_identity();
  for (int i = 0; i < PAIRS; ++i) {
    const HeftVec3 p = heft_vec3(random_between(&r, 0, 0.1), random_between(&r, 0, 0.1), 0.999);
    pose[i] = heft_pose(p, heft_quat_from_axis_angle(heft_vec3(0, 0, 1), random_unit(&r)));
    below[i] = dCreateBox(0, 1, 1, 1);
    above[i] = dCreateBox(0, 1, 1, 1);
    place(below[i], &home);
    place(above[i], &pose[i]);
  }
  double heft = 1e30, ode = 1e30;
  long ours = 0, theirs = 0;
  for (int k = 0; k < ROUNDS; ++k) {
    heft = fmin(heft, ask_heft(&box, &ours));
    ode = fmin(ode, ask_ode(&theirs));
  }
  printf("box-box: Heft %.1f ns with %.2f points, ODE dCollide %.1f ns with %.2f points\n",
         heft / PAIRS, (double)ours / (PAIRS * ROUNDS), ode / PAIRS,
         (double)theirs / (PAIRS * ROUNDS));
  dCloseODE();
  return 0;
}
