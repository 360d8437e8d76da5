// SPDX-License-Identifier: Apache-2.0
// Papers: R63.
// Manifolds: which points, how steady, and how much of the support they keep.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "models.h"
#include "shapes.h"

enum { STEPS = 100000 };

// A body that rests with rounding noise, or slides slowly: the same four names all the time.
static void check_steady(int on_box, double speed) {
  HeftBuilder* b = new_builder();
  parts_shape(b, 0, on_box ? HEFT_SHAPE_BOX : HEFT_SHAPE_PLANE, 20, 20, 0.5);
  parts_shape(b, parts_free_body(b), HEFT_SHAPE_BOX, 0.1, 0.2, 0.05);
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 1e-4, 4);
  Random r = {5};
  uint64_t names[4] = {0};
  HeftVec3 tangent = {0, 0, 0};
  const double height = (on_box ? 0.5 : 0) + 0.05;
  for (int k = 0; k < STEPS; ++k) {
    const HeftQuat tilt = heft_quat_exp(heft_vec3(
        random_between(&r, -1e-8, 1e-8), random_between(&r, -1e-8, 1e-8), 0.3 + 1e-6 * speed * k));
    HeftPose pose[2] = {
        heft_pose_identity(),
        heft_pose(heft_vec3(1e-4 * speed * k, 0, height + random_between(&r, -1e-8, 1e-8)), tilt)};
    heft_collider_update(c, pose);
    const HeftContactPoints f = heft_collider_collide(c);
    assert_int_equal(f.count, 4);
    for (int i = 0; i < 4; ++i) {
      if (k == 0) names[i] = f.point[i].feature;
      assert_true(names[i] == f.point[i].feature);
      assert_true(fabs(f.point[i].gap) < 1e-7);
      assert_true(f.point[i].normal.z > 1 - 1e-12);
    }
    const HeftVec3 t = f.point[0].tangent1;
    if (k > 0) assert_true(heft_vec3_norm(heft_vec3_sub(t, tangent)) < 1e-6);
    tangent = t;
  }
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

static void test_box_on_plane_rests(void** state) {
  (void)state;
  check_steady(0, 0);
}
static void test_box_on_plane_slides(void** state) {
  (void)state;
  check_steady(0, 1);
}
static void test_box_on_box_rests(void** state) {
  (void)state;
  check_steady(1, 0);
}
static void test_box_on_box_slides(void** state) {
  (void)state;
  check_steady(1, 1);
}

// Equal boxes, exactly above each other: corners must not flicker between their names.
static void test_equal_stack(void** state) {
  (void)state;
  HeftBuilder* b = new_builder();
  for (int i = 0; i < 2; ++i) parts_shape(b, parts_free_body(b), HEFT_SHAPE_BOX, 0.1, 0.1, 0.1);
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 1e-3, 4);
  Random r = {6};
  uint64_t names[4] = {0};
  for (int k = 0; k < 20000; ++k) {
    HeftPose pose[3] = {heft_pose_identity(), heft_pose_identity(), heft_pose_identity()};
    for (int i = 1; i < 3; ++i) {
      pose[i] = heft_pose(
          heft_vec3(random_between(&r, -1e-9, 1e-9), random_between(&r, -1e-9, 1e-9), 0.2 * i),
          heft_quat_exp(heft_vec3_scale(1e-9, random_normal(&r))));
    }
    heft_collider_update(c, pose);
    const HeftContactPoints f = heft_collider_collide(c);
    assert_int_equal(f.count, 4);
    for (int i = 0; i < 4; ++i) {
      if (k == 0) names[i] = f.point[i].feature;
      assert_true(names[i] == f.point[i].feature);
    }
  }
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

static double area_of(const Point* p, int n) {
  // Convex hull area of up to 4 points in the plane z = const, by the best order.
  double best = 0;
  static const int order[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}};
  if (n < 3) return 0;
  for (int o = 0; o < (n == 3 ? 1 : 3); ++o) {
    double a = 0;
    for (int k = 0; k < n; ++k) {
      const HeftVec3 s = p[n == 3 ? k : order[o][k]].pos,
                     t = p[n == 3 ? (k + 1) % 3 : order[o][(k + 1) % 4]].pos;
      a += s.x * t.y - s.y * t.x;
    }
    best = fmax(best, 0.5 * fabs(a));
  }
  return best;
}

// All quadruples of the full polygon (eight points asked for), against the four that were chosen.
static void test_area_of_four(void** state) {
  (void)state;
  Random r = {9};
  static NarrowScratch scratch;
  double worst = 1;
  int reduced = 0;
  for (int i = 0; i < 20000; ++i) {
    const Geometry a =
        make_geometry(KIND_BOX, random_between(&r, 0.3, 1), random_between(&r, 0.3, 1), 0.5, NULL);
    const Geometry b =
        make_geometry(KIND_BOX, random_between(&r, 0.3, 1), random_between(&r, 0.3, 1), 0.5, NULL);
    const HeftPose x =
        heft_pose(heft_vec3(random_between(&r, -0.4, 0.4), random_between(&r, -0.4, 0.4), 0.999),
                  heft_quat_from_axis_angle(heft_vec3(0, 0, 1), random_between(&r, -3, 3)));
    Manifold four, all;
    heft_narrow(&a, &b, &x, 0, 4, &scratch, &four);
    heft_narrow(&a, &b, &x, 0, 8, &scratch, &all);
    if (all.count <= 4) continue;
    ++reduced;
    double best = 0;
    for (int p = 0; p < all.count; ++p) {
      for (int q = p + 1; q < all.count; ++q) {
        for (int s = q + 1; s < all.count; ++s) {
          for (int t = s + 1; t < all.count; ++t) {
            const Point quad[4] = {all.point[p], all.point[q], all.point[s], all.point[t]};
            best = fmax(best, area_of(quad, 4));
          }
        }
      }
    }
    worst = fmin(worst, area_of(four.point, four.count) / best);
  }
  print_message("area kept: at least %.6f of the best four, %d polygons\n", worst, reduced);
  assert_true(reduced > 5000);
  assert_true(worst >= 0.99);
}

// A box on 10,000 coplanar triangles: like a plane, wherever it slides.
static void test_slides_over_triangles(void** state) {
  (void)state;
  HeftBuilder* b = new_builder();
  HeftShapeDef floor = parts_shape_def(0, HEFT_SHAPE_MESH, 0, 0, 0);
  floor.mesh = parts_sheet(b, 71, 71, 10, 10, NULL);  // 2 * 71² = 10082 triangles
  heft_builder_add_shape(b, &floor);
  parts_shape(b, parts_free_body(b), HEFT_SHAPE_BOX, 0.3, 0.2, 0.1);
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 1e-3, 4);
  double deviation = 0, gap = 0;
  int names_changed = 0;
  uint64_t names[4] = {0};
  for (int k = 0; k < 4000; ++k) {
    const double depth = k % 2 ? 1e-6 : -1e-6;
    HeftPose pose[2] = {heft_pose_identity(),
                        heft_pose(heft_vec3(-4 + 2e-3 * k, 0.1 * heft_sin(0.01 * k), 0.1 - depth),
                                  heft_quat_from_axis_angle(heft_vec3(0, 0, 1), 1e-3 * k))};
    heft_collider_update(c, pose);
    const HeftContactPoints f = heft_collider_collide(c);
    assert_int_equal(f.count, 4);
    for (int i = 0; i < 4; ++i) {
      const HeftVec3 n = f.point[i].normal;
      deviation = fmax(deviation, sqrt(n.x * n.x + n.y * n.y));
      assert_true(n.z > 0);
      gap = fmax(gap, fabs(f.point[i].gap + depth));
      if (k == 0) names[i] = f.point[i].feature;
      names_changed += names[i] != f.point[i].feature;
    }
  }
  print_message("over 10082 triangles: normals deviate by %.1e, gaps by %.1e m, %d names changed\n",
                deviation, gap, names_changed);
  assert_true(deviation < 1e-9 && gap < 1e-9);
  assert_int_equal(names_changed, 0);
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

// Round things must roll over the same floor without a bump as well.
static void test_rolls_over_triangles(void** state) {
  (void)state;
  static const HeftShapeType types[4] = {HEFT_SHAPE_SPHERE, HEFT_SHAPE_CAPSULE, HEFT_SHAPE_CYLINDER,
                                         HEFT_SHAPE_ELLIPSOID};
  for (int t = 0; t < 4; ++t) {
    HeftBuilder* b = new_builder();
    HeftShapeDef floor = parts_shape_def(0, HEFT_SHAPE_MESH, 0, 0, 0);
    floor.mesh = parts_sheet(b, 40, 40, 10, 10, NULL);
    heft_builder_add_shape(b, &floor);
    parts_shape(b, parts_free_body(b), types[t], 0.2, 0.3, 0.25);
    HeftModel* m = finish_model(b);
    HeftCollider* c = new_collider(m, 1e-3, 4);
    const double low = types[t] == HEFT_SHAPE_ELLIPSOID ? 0.25 : 0.2;
    for (int k = 0; k < 2000; ++k) {
      HeftQuat q = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), 0.3);
      if (types[t] == HEFT_SHAPE_CAPSULE || types[t] == HEFT_SHAPE_CYLINDER) {
        q = heft_quat_mul(q, heft_quat_from_axis_angle(heft_vec3(1, 0, 0), 0.5 * HEFT_PI));
      }
      HeftPose pose[2] = {heft_pose_identity(),
                          heft_pose(heft_vec3(-4 + 4e-3 * k, 0.37, low - 1e-5), q)};
      heft_collider_update(c, pose);
      const HeftContactPoints f = heft_collider_collide(c);
      assert_true(f.count >= 1 && f.count <= 4);
      for (int i = 0; i < f.count; ++i) {
        assert_true(f.point[i].normal.z > 1 - 1e-9);
        assert_true(f.point[i].gap > -1.1e-5 && f.point[i].gap < 1e-3);
      }
    }
    heft_collider_destroy(c);
    heft_model_destroy(m);
  }
}

// The stacks on which another library returned normals that were not numbers.
static void test_centred_stacks(void** state) {
  (void)state;
  static NarrowScratch scratch;
  Random r = {3};
  for (int i = 0; i < 2500; ++i) {
    const double s = random_between(&r, 0.05, 2), t = random_between(&r, 0.05, 2);
    const double depth = i % 5 == 0 ? 0 : 1e-3 * random_unit(&r) * fmin(s, t);
    const Geometry a = make_geometry(KIND_BOX, s, s, s, NULL),
                   b = make_geometry(KIND_BOX, t, t, t, NULL);
    const HeftPose x = heft_pose(heft_vec3(0, 0, s + t - depth), heft_quat_identity());
    Manifold m;
    heft_narrow(&a, &b, &x, 1e-6, 4, &scratch, &m);
    assert_int_equal(m.count, 4);
    for (int k = 0; k < 4; ++k) {
      assert_true(m.point[k].normal.z == 1);
      assert_true(fabs(m.point[k].gap + depth) < 1e-14 + 1e-15 * (s + t));
    }
    // The same as general convex shapes, through the expanding polytope.
    Hull* ha = make_box_hull(s, s, s);
    Hull* hb = make_box_hull(t, t, t);
    const Geometry ga = make_geometry(KIND_HULL, 0, 0, 0, ha),
                   gb = make_geometry(KIND_HULL, 0, 0, 0, hb);
    heft_narrow(&ga, &gb, &x, 1e-6, 4, &scratch, &m);
    assert_int_equal(m.count, 4);
    for (int k = 0; k < 4; ++k) {
      assert_true(m.point[k].normal.z > 1 - 1e-15);
      assert_true(fabs(m.point[k].gap + depth) < 1e-13 * (s + t) + 1e-14);
    }
    free(ha);
    free(hb);
  }
}

// A cylinder that stands, and one that lies.
static void test_cylinder_on_plane_and_box(void** state) {
  (void)state;
  for (int kind = 0; kind < 2; ++kind) {
    HeftBuilder* b = new_builder();
    parts_shape(b, 0, kind ? HEFT_SHAPE_BOX : HEFT_SHAPE_PLANE, 5, 5, 0.5);
    parts_shape(b, parts_free_body(b), HEFT_SHAPE_CYLINDER, 0.2, 0.3, 0);
    HeftModel* m = finish_model(b);
    HeftCollider* c = new_collider(m, 1e-4, 4);
    const double floor = kind ? 0.5 : 0;
    HeftPose pose[2] = {heft_pose_identity(),
                        heft_pose(heft_vec3(0.1, 0, floor + 0.3 - 1e-5), heft_quat_identity())};
    heft_collider_update(c, pose);
    HeftContactPoints f = heft_collider_collide(c);
    assert_int_equal(f.count, 4);
    double area = 0;
    for (int i = 0; i < 4; ++i) {
      assert_true(fabs(f.point[i].gap + 1e-5) < 1e-12);
      const double dx = f.point[i].pos.x - 0.1, dy = f.point[i].pos.y;
      assert_true(fabs(sqrt(dx * dx + dy * dy) - 0.2) < 1e-9);
      area += dx * dx + dy * dy;
    }
    assert_true(area > 0);
    pose[1] = heft_pose(heft_vec3(0, 0, floor + 0.2 - 1e-5),
                        heft_quat_from_axis_angle(heft_vec3(1, 0, 0), 0.5 * HEFT_PI));
    heft_collider_update(c, pose);
    f = heft_collider_collide(c);
    assert_int_equal(f.count, 2);
    assert_true(fabs(fabs(f.point[0].pos.y - f.point[1].pos.y) - 0.6) < 1e-6);
    heft_collider_destroy(c);
    heft_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_box_on_plane_rests),
      cmocka_unit_test(test_box_on_plane_slides),
      cmocka_unit_test(test_box_on_box_rests),
      cmocka_unit_test(test_box_on_box_slides),
      cmocka_unit_test(test_equal_stack),
      cmocka_unit_test(test_area_of_four),
      cmocka_unit_test(test_slides_over_triangles),
      cmocka_unit_test(test_rolls_over_triangles),
      cmocka_unit_test(test_centred_stacks),
      cmocka_unit_test(test_cylinder_on_plane_and_box),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
