// SPDX-License-Identifier: Apache-2.0
// Every pair of convex kinds at random poses, held against proofs and a brute-force minimiser.
//
// Apart, an answer proves itself: the shapes lie on both sides of two planes `gap` apart (lower
// bound, by support points computed here), and there are two points of theirs `gap` apart (upper
// bound). Overlapping, the depth along the normal must be what support points computed here say,
// and no direction of a few hundred, each improved by a descent, may be clearly shallower.
//
//   test_collision_oracles [poses per pair] [seed] [first kind]
//   (default: a few thousand, for CI)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "shapes.h"

static long poses_per_pair = 4000;
static uint64_t first_seed = 1;
static Kind first_kind = KIND_PLANE;

typedef enum Class {
  APART,
  TOUCHING,
  SHALLOW,
  DEEP,
  ALIGNED,
  DEGENERATE,
  RATIO,
  CLASS_COUNT
} Class;

static const char* const class_name[CLASS_COUNT] = {"apart",   "touching",   "shallow",   "deep",
                                                    "aligned", "degenerate", "size ratio"};

enum { HULLS = 12 };
static Hull* hulls[HULLS];

static int setup(void** state) {
  (void)state;
  Random r = {77};
  for (int i = 0; i < HULLS; ++i) {
    hulls[i] = i == 0 ? make_box_hull(1, 1, 1) : make_random_hull(&r, 4 + 3 * i);
    assert_non_null(hulls[i]);
  }
  return 0;
}

static Geometry random_geometry(Random* r, Kind kind, double size, int thin, double* memory) {
  double s[3];
  for (int k = 0; k < 3; ++k) s[k] = size * random_between(r, 0.3, 1);
  if (thin) s[random_index(r, 3)] *= 1e-3;
  const Hull* hull = NULL;
  if (kind == KIND_HULL) hull = scale_hull(hulls[random_index(r, HULLS)], size, memory);
  return make_geometry(kind, s[0], s[1], s[2], hull);
}

// Right angles and exact positions, with or without noise of the size of rounding.
static HeftQuat aligned_rotation(Random* r) {
  static const double half = 0.70710678118654757;
  HeftQuat q = heft_quat_identity();
  for (int k = 0; k < 3; ++k) {
    const int quarter = random_index(r, 4);
    const double c[4] = {1, half, 0, half}, s[4] = {0, half, 1, -half};
    HeftQuat turn = heft_quat(c[quarter], 0, 0, 0);
    if (k == 0) turn.x = s[quarter];
    if (k == 1) turn.y = s[quarter];
    if (k == 2) turn.z = s[quarter];
    q = heft_quat_mul(q, turn);
  }
  if (random_index(r, 2)) q.x += random_between(r, -1, 1) * (random_index(r, 2) ? 1e-9 : 1e-15);
  return heft_quat_normalize(q);
}

// A pose of b in a's frame so that they overlap by about `depth` along a random direction.
static HeftPose random_pose(Random* r, Class class, const Geometry* a, const Geometry* b) {
  HeftPose x =
      heft_pose(heft_vec3(0, 0, 0), class == ALIGNED ? aligned_rotation(r) : random_rotation(r));
  HeftVec3 n = a->kind == KIND_PLANE ? heft_vec3(0, 0, 1) : random_normal(r);
  if (class == ALIGNED && a->kind != KIND_PLANE) {
    const int k = random_index(r, 3);
    n = heft_vec3(k == 0, k == 1, k == 2);
  }
  const double small =
      a->kind == KIND_PLANE ? geometry_size(b) : fmin(geometry_size(a), geometry_size(b));
  double gap = 0;
  switch (class) {
    case APART:
      gap = small * random_between(r, 0.01, 1);
      break;
    case TOUCHING:
      gap = small * random_between(r, -1e-9, 1e-9);
      break;
    case SHALLOW:
      gap = -small * random_between(r, 0, 0.02);
      break;
    case DEEP:
      gap = -small * random_between(r, 0.02, 1.2);
      break;
    case ALIGNED:
    case DEGENERATE:
    case RATIO:
    case CLASS_COUNT:
      gap = small * random_between(r, -0.3, 0.1);
      break;
  }
  if (class == ALIGNED && random_index(r, 8) == 0) return x;  // centred
  x.pos = heft_vec3_scale(reference_overlap(a, b, &x, n) + gap, n);
  return x;
}

typedef struct Worst {
  double overlap;    // |gap + support function| / size
  double witness;    // distance of the witness from the surfaces / size
  double shallower;  // how much less the minimiser found / size
  double swap, rigid;
  long loose;  // witnesses that are not exactly there
  long bad;
  Class bad_class;
} Worst;

// A descent on the sphere: smaller and smaller steps in a ring around the best.
static double descend(const Geometry* a, const Geometry* b, const HeftPose* x, HeftVec3* n,
                      double step, double value) {
  for (int round = 0; step > 1e-7 && round < 80; ++round) {
    HeftVec3 t1, t2;
    heft_vec3_tangents(*n, &t1, &t2);
    int better = 0;
    for (int k = 0; k < 8; ++k) {
      static const double c[8] = {1, 0, -1, 0, .7, -.7, -.7, .7};
      static const double s[8] = {0, 1, 0, -1, .7, .7, -.7, -.7};
      const HeftVec3 d = heft_vec3_normalize(heft_vec3_add(
          *n, heft_vec3_add(heft_vec3_scale(step * c[k], t1), heft_vec3_scale(step * s[k], t2))));
      const double h = reference_overlap(a, b, x, d);
      if (h < value) value = h, *n = d, better = 1;
    }
    if (!better) step *= 0.4;
  }
  return value;
}

static double brute_force_depth(Random* r, const Geometry* a, const Geometry* b, const HeftPose* x,
                                int directions) {
  HeftVec3 best = {0, 0, 1}, second = best;
  double min = INFINITY, next = INFINITY;
  for (int k = 0; k < directions; ++k) {
    const HeftVec3 n = random_normal(r);
    const double h = reference_overlap(a, b, x, n);
    if (h < min) {
      next = min, second = best;
      min = h, best = n;
    } else if (h < next) {
      next = h, second = n;
    }
  }
  if (directions == 0) return INFINITY;
  return fmin(descend(a, b, x, &best, 0.1, min), descend(a, b, x, &second, 0.1, next));
}

static double deepest(const Manifold* m, int* at) {
  double min = INFINITY;
  for (int k = 0; k < m->count; ++k) {
    if (m->point[k].gap < min) min = m->point[k].gap, *at = k;
  }
  return min;
}

static int is_finite_point(const Point* p) {
  return isfinite(p->pos.x) && isfinite(p->pos.y) && isfinite(p->pos.z) && isfinite(p->gap) &&
         fabs(heft_vec3_norm(p->normal) - 1) < 1e-9;
}

static void report(const char* what, Class class, const Geometry* a, const Geometry* b,
                   const HeftPose* x, double value) {
  print_message("%s-%s %s: %s %.3e  size a %g %g %g b %g %g %g pos %.17g %.17g %.17g\n",
                kind_name(a->kind), kind_name(b->kind), class_name[class], what, value, a->size[0],
                a->size[1], a->size[2], b->size[0], b->size[1], b->size[2], x->pos.x, x->pos.y,
                x->pos.z);
}

static NarrowScratch scratch;

// What swapping or moving the pair may change, and how far the depth may be from the least, of its
// size.
static const double allowed_change = 1e-10;

// How far from the surfaces a witness may lie, of the size: a corner that lies within a millionth
// of the smaller face's border counts as inside. That is rare: most lie within `exactly`.
static const double allowed_offset = 2e-6, exactly = 1e-8;

static long allowed_loose(void) { return 2 + poses_per_pair / 100000; }

static void check_pose(Random* r, Class class, const Geometry* a, const Geometry* b, HeftPose x,
                       Worst* w, int brute) {
  const double size = geometry_size(a) + geometry_size(b);
  const double margin = 0.5 * size;
  Manifold m;
  heft_narrow(a, b, &x, margin, 4, &scratch, &m);
  if (m.count == 0) {
    // Nothing within the margin: then some direction must separate by more than it.
    Nearness near = {.normal = heft_vec3(0, 0, 1)};
    if (a->kind != KIND_PLANE) heft_nearness(a, b, &x, INFINITY, &scratch.epa, &near);
    const double h = reference_overlap(a, b, &x, near.normal);
    if (!(-h > margin * (1 - 1e-9))) {
      if (++w->bad <= 3) report("missed", class, a, b, &x, h / size);
    }
    return;
  }
  int at = 0;
  const double gap = deepest(&m, &at);
  const Point* p = &m.point[at];
  for (int k = 0; k < m.count; ++k) {
    if (!is_finite_point(&m.point[k]) || m.point[k].gap > margin) {
      if (++w->bad <= 3) report("not finite", class, a, b, &x, m.point[k].gap);
      return;
    }
  }
  const double h = reference_overlap(a, b, &x, p->normal);
  const double overlap = fabs(h + gap) / size;
  if (overlap > w->overlap) {
    w->overlap = overlap;
    // of the rim of a cylinder that hardly leans, eight points are enough (plane.c)
    const int rim = a->kind == KIND_PLANE && b->kind == KIND_CYLINDER;
    if (overlap > (rim ? CLEARLY_DEEPER : 1e-9) && ++w->bad <= 3)
      report("gap is not along the normal", class, a, b, &x, overlap);
  }
  // Both surfaces pass through the witness points.
  HeftVec3 q, n;
  if (b->kind != KIND_HULL) {
    const HeftVec3 on_b = heft_vec3_add_scaled(p->pos, 0.5 * gap, p->normal);
    const double off =
        fabs(heft_geometry_closest(b, heft_pose_apply_inverse(x, on_b), &q, &n)) / size;
    if (off > w->witness) {
      w->witness = off;
      if (off > allowed_offset && ++w->bad <= 3) report("witness off b", class, a, b, &x, off);
    }
    const HeftVec3 on_a = heft_vec3_add_scaled(p->pos, -0.5 * gap, p->normal);
    const double off_a = fabs(heft_geometry_closest(a, on_a, &q, &n)) / size;
    w->loose += off > exactly || off_a > exactly;
    if (off_a > w->witness) {
      w->witness = off_a;
      if (off_a > allowed_offset && ++w->bad <= 3) report("witness off a", class, a, b, &x, off_a);
    }
  }
  if (gap < 0 && brute > 0 && a->kind != KIND_PLANE) {
    double min = brute_force_depth(r, a, b, &x, brute);
    HeftVec3 from = p->normal;
    min = fmin(min, descend(a, b, &x, &from, 1e-3, h));
    const double shallower = (-gap - min) / size;
    if (shallower > w->shallower) {
      w->shallower = shallower;
      if (shallower > allowed_change && ++w->bad <= 3)
        report("depth not least", class, a, b, &x, shallower);
    }
  }
  // Exchanged, and moved to another place: the same depth.
  const HeftPose back = heft_pose_inverse(x);
  Manifold other;
  heft_narrow(b, a, &back, margin, 4, &scratch, &other);
  int k = 0;
  const double swap = other.count ? fabs(deepest(&other, &k) - gap) / size : 1;
  if (swap > w->swap) {
    w->swap = swap;
    if (swap > allowed_change && ++w->bad <= 3) report("swap", class, a, b, &x, swap);
  }
  const HeftPose move = heft_pose(heft_vec3_scale(3 * size, random_normal(r)), random_rotation(r));
  const HeftPose ma = move, mb = heft_pose_mul(move, x);
  const HeftPose again = heft_pose_mul(heft_pose_inverse(ma), mb);
  heft_narrow(a, b, &again, margin, 4, &scratch, &other);
  const double rigid = other.count ? fabs(deepest(&other, &k) - gap) / size : 1;
  if (rigid > w->rigid) {
    w->rigid = rigid;
    if (rigid > allowed_change && ++w->bad <= 3) report("rigid", class, a, b, &x, rigid);
  }
}

static long all_bad;

static void check_pair(Kind ka, Kind kb) {
  Random r = {first_seed * 1000 + 10 * (uint64_t)ka + (uint64_t)kb};
  Worst w = {0};
  static _Alignas(64) double memory[2][4096];
  for (long i = 0; i < poses_per_pair; ++i) {
    const Class class = (Class)(i % CLASS_COUNT);
    const double ratio =
        class == RATIO ? exp(random_between(&r, -13.8, 13.8)) : random_between(&r, 0.5, 2);
    const Geometry a = random_geometry(&r, ka, 1, class == DEGENERATE, memory[0]);
    const Geometry b = random_geometry(&r, kb, ratio, class == DEGENERATE, memory[1]);
    const HeftPose x = random_pose(&r, class, &a, &b);
    check_pose(&r, class, &a, &b, x, &w, (i / CLASS_COUNT) % 16 == 0 ? 200 : 0);
  }
  w.bad += w.loose > allowed_loose();
  print_message(
      "%-9s %-9s %8ld poses  overlap %.1e  witness %.1e  depth %.1e  swap %.1e  rigid %.1e"
      "  loose %ld  bad %ld\n",
      kind_name(ka), kind_name(kb), poses_per_pair, w.overlap, w.witness, w.shallower, w.swap,
      w.rigid, w.loose, w.bad);
  fflush(stdout);
  all_bad += w.bad;
}

static void test_all_pairs(void** state) {
  (void)state;
  for (Kind a = KIND_PLANE; a <= KIND_HULL; ++a) {
    for (Kind b = a == KIND_PLANE ? KIND_SPHERE : a; b <= KIND_HULL; ++b) {
      if (a >= first_kind) check_pair(a, b);
    }
  }
  assert_int_equal(all_bad, 0);
}

// About one centre, with axes along each other, both reach √(Σ a_i² n_i²) along n, which is concave
// in the squares of n's components: so the least sum lies on an axis, however close the others
// come.
static void test_centred_ellipsoids(void** state) {
  (void)state;
  Random r = {5};
  double worst = 0;
  for (int i = 0; i < 3000; ++i) {
    const int capsule = i % 2;
    Geometry a = random_geometry(&r, capsule ? KIND_CAPSULE : KIND_ELLIPSOID, 1, 0, NULL);
    const HeftPose x = heft_pose(heft_vec3(0, 0, 0), aligned_rotation(&r));
    const double core[3] = {capsule ? 0 : a.size[0], capsule ? 0 : a.size[1],
                            a.size[capsule ? 1 : 2]};
    double size[3] = {0}, min = INFINITY;
    for (int k = 0; k < 3; ++k) {
      const double along = random_between(&r, 1.6, 1.604);
      for (int j = 0; j < 3; ++j) size[j] += fabs(x.rot.m[k][j]) > 0.5 ? along - core[k] : 0;
      min = fmin(min, along + a.radius);
    }
    const Geometry b = make_geometry(KIND_ELLIPSOID, size[0], size[1], size[2], NULL);
    Manifold m;
    int at = 0;
    heft_narrow(&a, &b, &x, 0, 4, &scratch, &m);
    assert_true(m.count > 0);
    worst = fmax(worst, fabs(deepest(&m, &at) + min) / min);
  }
  print_message("centred: depth off by %.1e\n", worst);
  assert_true(worst < 1e-8);
}

int main(int argc, char** argv) {
  if (getenv("HEFT_SHORT")) poses_per_pair = 400;
  if (argc > 1) poses_per_pair = atol(argv[1]);
  if (argc > 2) first_seed = (uint64_t)atol(argv[2]);
  if (argc > 3) first_kind = (Kind)atol(argv[3]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_centred_ellipsoids),
                                     cmocka_unit_test(test_all_pairs)};
  return cmocka_run_group_tests(tests, setup, NULL);
}
