// SPDX-License-Identifier: Apache-2.0
// Rays, nearest points, points inside, overlaps and distances, against each other: a ray ends on
// the surface that the nearest point there says, and marching along it by distances finds the same
// place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "collision/ray.h"
#include "models.h"
#include "shapes.h"

// Sphere tracing: a step as long as the distance cannot pass a surface.
static double march(const Geometry* g, HeftVec3 from, HeftVec3 d, double reach) {
  double t = 0;
  HeftVec3 q, n;
  for (int k = 0; k < 20000 && t < reach; ++k) {
    const double away = heft_geometry_closest(g, heft_vec3_add_scaled(from, t, d), &q, &n);
    if (away < 1e-9) return t;
    t += away;
  }
  return INFINITY;
}

static void test_rays_and_distances_agree(void** state) {
  (void)state;
  Random r = {41};
  Hull* hull = make_random_hull(&r, 20);
  long hits = 0, misses = 0;
  for (int i = 0; i < 6000; ++i) {
    const Kind kind = (Kind)(KIND_SPHERE + i % 6);
    const Geometry g = make_geometry(kind, random_between(&r, 0.3, 1), random_between(&r, 0.3, 1),
                                     random_between(&r, 0.3, 1), hull);
    const HeftVec3 from = heft_vec3_scale(random_between(&r, 1.8, 4), random_normal(&r));
    const HeftVec3 aim = heft_vec3_scale(random_between(&r, 0, 1.2), random_normal(&r));
    const HeftVec3 d = heft_vec3_normalize(heft_vec3_sub(aim, from));
    HeftVec3 n = {0, 0, 0}, q, m;
    const double t = heft_geometry_ray(&g, from, d, 10, &n);
    const double slow = march(&g, from, d, 10);
    if (isfinite(t)) {
      ++hits;
      const HeftVec3 p = heft_vec3_add_scaled(from, t, d);
      assert_true(fabs(heft_geometry_closest(&g, p, &q, &m)) < 1e-9);
      assert_true(heft_vec3_dot(n, d) <= 1e-9);
      assert_true(slow > t - 1e-4 && slow < t + 1e-4);
    } else {
      ++misses;
      // A ray that just grazes may come within the march's tolerance.
      if (isfinite(slow)) {
        const HeftVec3 p = heft_vec3_add_scaled(from, slow, d);
        assert_true(heft_geometry_closest(&g, p, &q, &m) > -1e-8);
      }
    }
  }
  assert_true(hits > 1000 && misses > 1000);
  free(hull);
}

static HeftModel* make_room(void) {
  HeftBuilder* b = new_builder();
  parts_shape(b, 0, HEFT_SHAPE_PLANE, 0, 0, 0);                       // 0
  HeftShapeDef wall = parts_shape_def(0, HEFT_SHAPE_BOX, 0.1, 2, 1);  // 1
  wall.pos = heft_vec3(3, 0, 1);
  heft_builder_add_shape(b, &wall);
  const int ball = parts_free_body(b);
  HeftShapeDef s = parts_shape_def(ball, HEFT_SHAPE_SPHERE, 0.5, 0, 0);  // 2
  s.category = 2;
  heft_builder_add_shape(b, &s);
  parts_shape(b, parts_free_body(b), HEFT_SHAPE_CYLINDER, 0.5, 0.5, 0);  // 3
  HeftShapeDef floor = parts_shape_def(0, HEFT_SHAPE_MESH, 0, 0, 0);     // 4
  floor.mesh = parts_sheet(b, 20, 20, 4, 4, NULL);
  floor.pos = heft_vec3(-10, 0, 1);
  heft_builder_add_shape(b, &floor);
  return finish_model(b);
}

static void test_queries_of_a_room(void** state) {
  (void)state;
  HeftModel* m = make_room();
  HeftCollider* c = new_collider(m, 0, 4);
  HeftPose pose[3] = {heft_pose_identity(), heft_pose_identity(), heft_pose_identity()};
  pose[1].pos = heft_vec3(0, 0, 1);
  pose[2].pos = heft_vec3(1.5, 0, 0.5);
  heft_collider_update(c, pose);
  const HeftQueryFilter all = heft_query_filter_all();
  const HeftVec3 x = {1, 0, 0}, down = {0, 0, -1};
  HeftRayHit h = heft_collider_ray(c, heft_vec3(-5, 0, 1), x, 100, all);
  assert_int_equal(h.shape, 2);
  assert_true(fabs(h.distance - 4.5) < 1e-12 && h.normal.x == -1);
  HeftQueryFilter no_ball = all;
  no_ball.except_body = 1;
  h = heft_collider_ray(c, heft_vec3(-5, 0, 0.9), x, 100, no_ball);
  assert_int_equal(h.shape, 3);
  assert_true(fabs(h.distance - 6) < 1e-12);
  h = heft_collider_ray(c, heft_vec3(-5, 0, 1.5), x, 100, no_ball);
  assert_int_equal(h.shape, 1);
  assert_true(fabs(h.distance - 7.9) < 1e-12);
  h = heft_collider_ray(c, heft_vec3(-5, 1.9, 3), x, 100, all);
  assert_int_equal(h.shape, -1);
  h = heft_collider_ray(c, heft_vec3(-10.3, 0.2, 3), down, 100, all);
  assert_int_equal(h.shape, 4);
  assert_true(fabs(h.distance - 2) < 1e-12 && h.normal.z == 1);
  h = heft_collider_ray(c, heft_vec3(-5, 0, 3), down, 100, all);
  assert_int_equal(h.shape, 0);
  assert_true(fabs(h.distance - 3) < 1e-12);

  HeftClosestPoint n = heft_collider_closest(c, heft_vec3(0, 0, 2), 10, all);
  assert_int_equal(n.shape, 2);
  assert_true(fabs(n.distance - 0.5) < 1e-12 && fabs(n.pos.z - 1.5) < 1e-12);
  n = heft_collider_closest(c, heft_vec3(0, 0, 1.2), 10, all);
  assert_true(n.shape == 2 && fabs(n.distance + 0.3) < 1e-12);
  HeftQueryFilter balls = all;
  balls.category = 2;
  n = heft_collider_closest(c, heft_vec3(1.5, 0, 0.5), 10, balls);
  assert_int_equal(n.shape, 2);
  n = heft_collider_closest(c, heft_vec3(-10, 0, 1.25), 1, all);
  assert_true(n.shape == 4 && fabs(n.distance - 0.25) < 1e-12);
  n = heft_collider_closest(c, heft_vec3(0, 0, 50), 1, all);
  assert_int_equal(n.shape, -1);

  int list[8];
  assert_int_equal(heft_collider_inside(c, heft_vec3(0, 0, 0.6), all, 8, list), 1);
  assert_int_equal(list[0], 2);
  assert_int_equal(heft_collider_inside(c, heft_vec3(1.5, 0, -0.01), all, 8, list), 1);
  assert_int_equal(list[0], 0);
  assert_int_equal(heft_collider_inside(c, heft_vec3(0, 0, 9), all, 8, list), 0);
  HeftPose probe = heft_pose_identity();
  probe.pos = heft_vec3(0.75, 0, 0.6);
  assert_int_equal(heft_collider_overlap(c, probe, heft_vec3(0.4, 0.1, 0.1), all, 8, list), 2);
  assert_true(list[0] == 2 && list[1] == 3);
  probe.pos.z = 0.05;
  assert_true(heft_collider_overlap(c, probe, heft_vec3(0.1, 0.1, 0.1), all, 8, list) == 1 &&
              list[0] == 0);

  const HeftDistance d = heft_collider_distance(c, 3, 2);
  // From the ball's centre to the cylinder's rim.
  const double rim = sqrt(1.0 * 1.0) - 0.5;
  assert_true(fabs(d.distance - rim) < 1e-9);
  assert_true(fabs(heft_vec3_norm(heft_vec3_sub(d.on_b, d.on_a)) - rim) < 1e-9);
  assert_true(heft_collider_distance(c, 4, 1).distance > 0);
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rays_and_distances_agree),
                                     cmocka_unit_test(test_queries_of_a_room)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
