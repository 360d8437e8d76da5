// SPDX-License-Identifier: Apache-2.0
// The same random poses for Heft, ODE and libccd. Skipped where those are not installed.
//
// Where depths differ, the support function decides who is right: the depth along a normal n is the
// least push along n that frees the shapes, so a peer's normal with a smaller push than ours proves
// us wrong, and one with a larger push is only not the least one. Every disagreement falls in one
// of the classes printed.
//
//   test_collision_peers [poses per pair]
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "shapes.h"

#ifdef HEFT_HAVE_PEERS
#include <ccd/ccd.h>
#include <ode/ode.h>

static long poses_per_pair = 3000;

typedef struct Tally {
  long poses, both, agree, not_min, nothing_found, not_a_number, wrong;
  double worst;  // by how much a peer's push was smaller than ours, of the size
} Tally;

static dGeomID ode_geom(const Geometry* g) {
  switch (g->kind) {
    case KIND_SPHERE:
      return dCreateSphere(0, g->size[0]);
    case KIND_CAPSULE:
      return dCreateCapsule(0, g->size[0], 2 * g->size[1]);
    case KIND_CYLINDER:
      return dCreateCylinder(0, g->size[0], 2 * g->size[1]);
    case KIND_BOX:
      return dCreateBox(0, 2 * g->size[0], 2 * g->size[1], 2 * g->size[2]);
    case KIND_PLANE:
    case KIND_ELLIPSOID:
    case KIND_HULL:
    case KIND_TRIANGLE:
    case KIND_TRIANGLE_MESH:
    case KIND_FIELD:
    case KIND_COUNT:
      break;
  }
  return dCreatePlane(0, 0, 0, 1, 0);
}

static void ode_place(dGeomID geom, const HeftPose* x) {
  dMatrix3 r;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) r[4 * i + j] = x->rot.m[i][j];
    r[4 * i + 3] = 0;
  }
  dGeomSetPosition(geom, x->pos.x, x->pos.y, x->pos.z);
  dGeomSetRotation(geom, r);
}

// Judges a peer's answer: its normal (from a to b) and depth.
static void judge(Tally* t, const Geometry* a, const Geometry* b, const HeftPose* x, double ours,
                  HeftVec3 n, double depth) {
  const double size = geometry_size(a) + geometry_size(b);
  ++t->both;
  if (!isfinite(n.x + n.y + n.z + depth) || fabs(heft_vec3_norm(n) - 1) > 1e-6) {
    ++t->not_a_number;
    return;
  }
  n = heft_vec3_normalize(n);
  if (fabs(depth - ours) < 1e-6 * size) ++t->agree;
  const double push = reference_overlap(a, b, x, n);
  const double less = (ours - push) / size;
  t->worst = fmax(t->worst, less);
  if (less > 1e-6) {
    ++t->wrong;
    if (t->wrong <= 3) print_message("  ours %.9g, a push of %.9g is enough\n", ours, push);
  } else if (fabs(depth - ours) >= 1e-6 * size) {
    ++t->not_min;
  }
}

static double our_depth(const Geometry* a, const Geometry* b, const HeftPose* x) {
  static NarrowScratch scratch;
  Manifold m;
  heft_narrow(a, b, x, 0, 4, &scratch, &m);
  double depth = -INFINITY;
  for (int k = 0; k < m.count; ++k) depth = fmax(depth, -m.point[k].gap);
  return depth;
}

static void ask_ode(Tally* t, const Geometry* a, const Geometry* b, const HeftPose* x,
                    double ours) {
  dGeomID ga = ode_geom(a), gb = ode_geom(b);
  const HeftPose home = heft_pose_identity();
  if (a->kind != KIND_PLANE) ode_place(ga, &home);
  ode_place(gb, x);
  dContactGeom c[8];
  const int count = dCollide(ga, gb, 8, c, sizeof c[0]);
  int best = 0;
  for (int k = 1; k < count; ++k) best = c[k].depth > c[best].depth ? k : best;
  if (count == 0) {
    ++t->nothing_found;
  } else {
    judge(t, a, b, x, ours, heft_vec3(-c[best].normal[0], -c[best].normal[1], -c[best].normal[2]),
          c[best].depth);
  }
  dGeomDestroy(ga);
  dGeomDestroy(gb);
}

typedef struct Placed {
  const Geometry* g;
  HeftPose x;
} Placed;

static void ccd_support(const void* object, const ccd_vec3_t* dir, ccd_vec3_t* out) {
  const Placed* p = object;
  const HeftVec3 d = heft_vec3_normalize(heft_vec3(ccdVec3X(dir), ccdVec3Y(dir), ccdVec3Z(dir)));
  const HeftVec3 s =
      heft_pose_apply(p->x, reference_support(p->g, heft_mat3_tmul_vec(p->x.rot, d)));
  ccdVec3Set(out, s.x, s.y, s.z);
}

static void ask_ccd(Tally* t, const Geometry* a, const Geometry* b, const HeftPose* x,
                    double ours) {
  Placed pa = {a, heft_pose_identity()}, pb = {b, *x};
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd_support;
  ccd.support2 = ccd_support;
  ccd.max_iterations = 200;
  ccd.epa_tolerance = 1e-9;
  ccd_real_t depth;
  ccd_vec3_t dir, pos;
  if (ccdGJKPenetration(&pa, &pb, &ccd, &depth, &dir, &pos) != 0) {
    ++t->nothing_found;
    return;
  }
  judge(t, a, b, x, ours, heft_vec3(ccdVec3X(&dir), ccdVec3Y(&dir), ccdVec3Z(&dir)), depth);
}

static void print_tally(const char* peer, Kind a, Kind b, const Tally* t) {
  print_message(
      "%-6s %-9s %-9s %7ld overlap: %7ld agree, %6ld theirs not the least, %5ld they found "
      "nothing, %4ld not a number, %ld ours not the least (%.1e)\n",
      peer, kind_name(a), kind_name(b), t->poses, t->agree, t->not_min, t->nothing_found,
      t->not_a_number, t->wrong, t->worst);
}

static Hull* hulls[4];

static Geometry random_geometry(Random* r, Kind kind) {
  return make_geometry(kind, random_between(r, 0.3, 1), random_between(r, 0.3, 1),
                       random_between(r, 0.3, 1), hulls[random_index(r, 4)]);
}

static void check_pair(Kind ka, Kind kb) {
  Random r = {100 * (uint64_t)ka + (uint64_t)kb};
  Tally ode = {0}, ccd = {0};
  const int in_ode = ka != KIND_ELLIPSOID && kb != KIND_ELLIPSOID && kb != KIND_HULL;
  for (long i = 0; i < poses_per_pair; ++i) {
    const Geometry a = random_geometry(&r, ka), b = random_geometry(&r, kb);
    HeftPose x = heft_pose(heft_vec3(0, 0, 0), random_rotation(&r));
    const HeftVec3 n = ka == KIND_PLANE ? heft_vec3(0, 0, 1) : random_normal(&r);
    const double deep = i % 3 == 0 ? 0.6 : 0.05;
    x.pos = heft_vec3_scale(reference_overlap(&a, &b, &x, n) - deep * random_unit(&r), n);
    const double ours = our_depth(&a, &b, &x);
    if (!(ours > 1e-6)) continue;
    if (in_ode) ++ode.poses, ask_ode(&ode, &a, &b, &x, ours);
    if (ka != KIND_PLANE) ++ccd.poses, ask_ccd(&ccd, &a, &b, &x, ours);
  }
  if (ode.poses) print_tally("ODE", ka, kb, &ode);
  if (ccd.poses) print_tally("libccd", ka, kb, &ccd);
  assert_int_equal(ode.wrong + ccd.wrong, 0);
  if (in_ode && ka <= KIND_SPHERE && kb != KIND_CYLINDER) assert_int_equal(ode.agree, ode.poses);
}

static void test_peers(void** state) {
  (void)state;
  dInitODE();
  Random r = {11};
  for (int i = 0; i < 4; ++i) hulls[i] = make_random_hull(&r, 8 + 8 * i);
  for (Kind a = KIND_PLANE; a <= KIND_HULL; ++a) {
    for (Kind b = a == KIND_PLANE ? KIND_SPHERE : a; b <= KIND_HULL; ++b) check_pair(a, b);
  }
  dCloseODE();
}

int main(int argc, char** argv) {
  if (getenv("HEFT_SHORT")) poses_per_pair = 300;
  if (argc > 1) poses_per_pair = atol(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_peers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) {
  printf("skipped: ODE and libccd are not installed (libode-dev, libccd-dev)\n");
  return 77;
}
#endif
