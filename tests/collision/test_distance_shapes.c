// SPDX-License-Identifier: Apache-2.0
// Distance shapes: gradients against differences, distances against the points of the surface,
// closed triangles, contact points against closed forms, and any pose at all.
#include "collision/distance_shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "models.h"
#include "scenes/random.h"

enum { SHAPES = 6 };

static const HeftField fields[SHAPES] = {
    {.type = HEFT_FIELD_TORUS, .size = {0.02, 0.004}},
    {.type = HEFT_FIELD_CUP, .size = {0.04, 0.08, 0.006}},
    {.type = HEFT_FIELD_HOOK, .size = {0.02, 0.004, 0.05}},
    {.type = HEFT_FIELD_GEAR, .size = {0.002, 20, 0.008, 0.349, 0.005, 4e-5}},
    {.type = HEFT_FIELD_BOLT, .size = {0.005, 0.0015, 0.02, 0.00092, 0.008, 0.006}},
    {.type = HEFT_FIELD_NUT, .size = {0.005, 0.0015, 0.006, 0.00092, 0.008, 5e-5}}};

static HeftVec3 random_in(Random* r, const HeftField* f, double around) {
  HeftVec3 low, high;
  heft_field_bounds(f, &low, &high);
  return heft_vec3(random_between(r, low.x - around, high.x + around),
                   random_between(r, low.y - around, high.y + around),
                   random_between(r, low.z - around, high.z + around));
}

// Two sided differences agree with the gradient but at creases, which few points are near.
static void gradients_are_derivatives(void** state) {
  (void)state;
  Random r = {5};
  for (int s = 0; s < SHAPES; ++s) {
    int bad = 0;
    for (int i = 0; i < 2000; ++i) {
      const HeftVec3 p = random_in(&r, &fields[s], 0.001);
      const double h = 1e-8;
      HeftVec3 g, unused;
      heft_field_distance(&fields[s], p, &g);
      const HeftVec3 axis[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
      double d[3];
      for (int k = 0; k < 3; ++k)
        d[k] = (heft_field_distance(&fields[s], heft_vec3_add(p, axis[k]), &unused) -
                heft_field_distance(&fields[s], heft_vec3_sub(p, axis[k]), &unused)) /
               (2 * h);
      bad += !(heft_vec3_norm(heft_vec3_sub(heft_vec3_from(d), g)) < 1e-4);
      assert_true(heft_vec3_norm(g) < 1.1);
    }
    assert_true(bad < 20);
  }
}

// A value is never above the distance from a point of the surface, and near it if the point is
// beside the surface.
static void values_are_distances(void** state) {
  (void)state;
  Random r = {6};
  for (int s = 0; s < SHAPES; ++s) {
    HeftFieldTriangles t;
    HeftError error = {0};
    assert_int_equal(heft_field_triangles(&fields[s], 0, NULL, &t, &error), HEFT_OK);
    for (int i = 0; i < 200; ++i) {
      const HeftVec3 p = random_in(&r, &fields[s], 0.002);
      HeftVec3 g;
      const double d = heft_field_distance(&fields[s], p, &g);
      double least = HUGE_VAL;
      for (int v = 0; v < t.vertex_count; ++v)
        least = fmin(least, heft_vec3_norm(heft_vec3_sub(p, heft_vec3_from(t.vertices + 3L * v))));
      assert_true(fabs(d) <= 1.03 * least + 1e-12);
      if (s < 3) assert_true(fabs(fabs(d) - least) < 0.003);
    }
    heft_field_triangles_release(&t, NULL);
    assert_null(t.vertices);
  }
}

// Each edge has two triangles that pass it in opposite directions; vertices lie on the surface, and
// the volume is that of the shape.
static void triangles_are_closed(void** state) {
  (void)state;
  for (int s = 0; s < SHAPES; ++s) {
    HeftFieldTriangles t;
    HeftError error = {0};
    const double spacing = s < 3 ? 0.002 : 0.0006;
    assert_int_equal(heft_field_triangles(&fields[s], spacing, NULL, &t, &error), HEFT_OK);
    long long sum = 0;
    double volume = 0;
    for (int f = 0; f < t.face_count; ++f) {
      const int* v = t.faces + 3L * f;
      for (int k = 0; k < 3; ++k) {
        const long long a = v[k], b = v[(k + 1) % 3];
        sum += (a < b ? 1 : -1) * ((a < b ? a : b) * 7919 + (a < b ? b : a) * 104729);
      }
      const HeftVec3 a = heft_vec3_from(t.vertices + 3L * v[0]),
                     b = heft_vec3_from(t.vertices + 3L * v[1]),
                     c = heft_vec3_from(t.vertices + 3L * v[2]);
      volume += heft_vec3_dot(a, heft_vec3_cross(b, c)) / 6;
    }
    assert_true(sum == 0);
    assert_true(volume > 0);
    if (s == 0) assert_true(fabs(volume / (2 * HEFT_PI * HEFT_PI * 0.02 * 1.6e-5) - 1) < 0.05);
    for (int v = 0; v < t.vertex_count; ++v) {
      HeftVec3 g;
      assert_true(fabs(heft_field_distance(&fields[s], heft_vec3_from(t.vertices + 3L * v), &g)) <
                  2e-5);
    }
    heft_field_triangles_release(&t, NULL);
  }
}

static void wrong_numbers_are_refused(void** state) {
  (void)state;
  HeftError error = {0};
  HeftFieldTriangles t;
  HeftField f = fields[0];
  f.size[1] = 0.03;
  assert_int_equal(heft_field_check(&f, &error), HEFT_ERR_VALUE);
  f = fields[3];
  f.size[1] = 20.5;
  assert_int_equal(heft_field_check(&f, &error), HEFT_ERR_VALUE);
  f = fields[0];
  f.size[0] = (double)NAN;
  assert_int_equal(heft_field_check(&f, NULL), HEFT_ERR_VALUE);
  assert_int_equal(heft_field_triangles(&fields[1], 1e-7, NULL, &t, &error), HEFT_ERR_LIMIT);
  f = (HeftField){.type = HEFT_FIELD_GRID, .size = {0, 0, 0, 1, 1, 1}, .grid = {2, 2, 5000}};
  assert_int_equal(heft_field_check(&f, &error), HEFT_ERR_VALUE);
}

// ---- contact

static int add_mesh(HeftBuilder* b, const HeftField* field, double spacing) {
  HeftMeshDef def = heft_mesh_def_default();
  def.field = *field;
  def.field_spacing = spacing;
  return heft_builder_add_mesh(b, &def);
}

static void add_shape(HeftBuilder* b, HeftShapeType type, int mesh, const double size[3]) {
  HeftBodyDef body = heft_body_def_default();
  body.mass = 1;
  body.inertia = (HeftSym3){1, 1, 1, 0, 0, 0};
  HeftShapeDef shape = heft_shape_def_default();
  shape.body = heft_builder_add_body(b, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.type = HEFT_JOINT_FREE;
  joint.body = shape.body;
  heft_builder_add_joint(b, &joint);
  shape.type = type;
  shape.mesh = mesh;
  if (size) memcpy(shape.size, size, sizeof shape.size);
  heft_builder_add_shape(b, &shape);
}

// Two rings of which one passes through the other: the gap of two tubes that cross at a right angle
// in the middle is that of their axes less both radii.
static void rings_interlock(void** state) {
  (void)state;
  HeftBuilder* b = new_builder();
  const int mesh = add_mesh(b, &fields[0], 0.003);
  add_shape(b, HEFT_SHAPE_MESH, mesh, NULL);
  add_shape(b, HEFT_SHAPE_MESH, mesh, NULL);
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 0.001, 4);
  for (int i = 0; i < 20; ++i) {
    // The second stands upright in the plane y = 0; its lower end is in the hole of the first, near
    // the tube at x = 0.02.
    const double gap = -0.0004 + 0.00006 * i;
    HeftPose pose[3] = {heft_pose_identity(), heft_pose_identity(), heft_pose_identity()};
    pose[2].rot = heft_quat_to_mat3(heft_quat_from_axis_angle(heft_vec3(1, 0, 0), 0.5 * HEFT_PI));
    pose[2].pos = heft_vec3(0.02 - 0.008 - gap + 0.02, 0, 0);
    heft_collider_update(c, pose);
    const HeftContactPoints found = heft_collider_collide(c);
    assert_true(found.count >= 1);
    double least = HUGE_VAL;
    for (int k = 0; k < found.count; ++k) least = fmin(least, found.point[k].gap);
    assert_true(fabs(least - gap) < 1e-9);
    const HeftDistance d = heft_collider_distance(c, 0, 1);
    assert_true(fabs(d.distance - gap) < 1e-9);
    assert_true(fabs(fabs(d.normal.x) - 1) < 1e-5);
  }
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

// A ball in a cup lies on the bottom; a point in the cup is not inside of the solid.
static void cup_is_hollow(void** state) {
  (void)state;
  HeftBuilder* b = new_builder();
  add_shape(b, HEFT_SHAPE_MESH, add_mesh(b, &fields[1], 0.004), NULL);
  const double size[3] = {0.015, 0, 0};
  add_shape(b, HEFT_SHAPE_SPHERE, -1, size);
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 0.001, 4);
  HeftPose pose[3] = {heft_pose_identity(), heft_pose_identity(), heft_pose_identity()};
  pose[2].pos = heft_vec3(0.01, 0.004, 0.0211);
  heft_collider_update(c, pose);
  const HeftContactPoints found = heft_collider_collide(c);
  assert_int_equal(found.count, 1);
  assert_true(fabs(found.point[0].gap - 1e-4) < 1e-9);
  assert_true(found.point[0].normal.z > 1 - 1e-9);
  int shapes[2];
  HeftQueryFilter filter = heft_query_filter_all();
  assert_int_equal(heft_collider_inside(c, heft_vec3(0, 0.01, 0.05), filter, 2, shapes), 0);
  assert_int_equal(heft_collider_inside(c, heft_vec3(0, 0.037, 0.05), filter, 2, shapes), 1);
  filter.except_body = 2;
  const HeftClosestPoint p = heft_collider_closest(c, heft_vec3(0, 0.02, 0.05), 1, filter);
  assert_true(fabs(p.distance - 0.014) < 1e-9 && p.normal.y < -1 + 1e-9);
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

// A bolt in its nut has the clearance between them wherever it is along its helix.
static void thread_fits(void** state) {
  (void)state;
  HeftBuilder* b = new_builder();
  add_shape(b, HEFT_SHAPE_MESH, add_mesh(b, &fields[5], 0.0007), NULL);
  add_shape(b, HEFT_SHAPE_MESH, add_mesh(b, &fields[4], 0.0007), NULL);
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 0.0005, 4);
  for (int i = 0; i < 6; ++i) {
    const double turns = -0.37 * i;
    HeftPose pose[3] = {heft_pose_identity(), heft_pose_identity(), heft_pose_identity()};
    pose[2] = heft_pose(heft_vec3(0, 0, -0.006 + 0.0015 * turns),
                        heft_quat_from_axis_angle(heft_vec3(0, 0, 1), 2 * HEFT_PI * turns));
    heft_collider_update(c, pose);
    const HeftContactPoints found = heft_collider_collide(c);
    assert_true(found.count > 8);
    double least = HUGE_VAL;
    for (int k = 0; k < found.count; ++k) least = fmin(least, found.point[k].gap);
    assert_true(fabs(least - 5e-5) < 2e-6);
  }
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

// Every pair of kinds at any pose: finite, of length 1, within the margin, the same bits again, and
// the same gap if the shapes are exchanged.
static void any_pose_is_sound(void** state) {
  (void)state;
  static const HeftShapeType kinds[5] = {HEFT_SHAPE_SPHERE, HEFT_SHAPE_CAPSULE, HEFT_SHAPE_CYLINDER,
                                         HEFT_SHAPE_BOX, HEFT_SHAPE_ELLIPSOID};
  static const double size[3] = {0.01, 0.012, 0.008};
  Random r = {9};
  HeftBuilder* b = new_builder();
  for (int s = 0; s < SHAPES; ++s)
    add_shape(b, HEFT_SHAPE_MESH, add_mesh(b, &fields[s], s < 3 ? 0.005 : 0.0015), NULL);
  for (int k = 0; k < 5; ++k) add_shape(b, kinds[k], -1, size);
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 0.001, 4);
  enum { BODIES = SHAPES + 6 };
  HeftPose pose[BODIES];
  int touching = 0;
  for (int trial = 0; trial < 60; ++trial) {
    for (int k = 0; k < BODIES; ++k)
      pose[k] =
          heft_pose(heft_vec3(random_between(&r, -0.04, 0.04), random_between(&r, -0.04, 0.04),
                              random_between(&r, -0.04, 0.04)),
                    random_quat(&r));
    pose[0] = heft_pose_identity();
    heft_collider_update(c, pose);
    const HeftContactPoints found = heft_collider_collide(c);
    const uint64_t hash =
        heft_hash(found.point, (size_t)found.count * sizeof *found.point, (uint64_t)trial);
    for (int k = 0; k < found.count; ++k) {
      const HeftContactPoint* p = &found.point[k];
      assert_true(fabs(heft_vec3_norm(p->normal) - 1) < 1e-9);
      assert_true(p->gap <= 0.001 && isfinite(p->pos.x + p->pos.y + p->pos.z));
    }
    touching += found.count;
    const HeftContactPoints again = heft_collider_collide(c);
    assert_true(hash ==
                heft_hash(again.point, (size_t)again.count * sizeof *again.point, (uint64_t)trial));
    const HeftDistance there = heft_collider_distance(c, trial % SHAPES, SHAPES + trial % 5),
                       back = heft_collider_distance(c, SHAPES + trial % 5, trial % SHAPES);
    assert_true(there.distance == back.distance);
  }
  assert_true(touching > 1000);
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

// ---- samples

static double ball(void* user, HeftVec3 p) { return 2 * (heft_vec3_norm(p) - *(double*)user); }

static void function_of_the_user_becomes_a_shape(void** state) {
  (void)state;
  enum { N = 21 };
  static double samples[N * N * N];
  double radius = 0.02;
  HeftField grid = {.type = HEFT_FIELD_GRID,
                    .size = {-0.03, -0.03, -0.03, 0.003, 0.003, 0.003},
                    .grid = {N, N, N},
                    .samples = samples};
  assert_int_equal(heft_field_sample(ball, &radius, 2, &grid, samples), HEFT_OK);
  HeftVec3 g;
  assert_true(fabs(heft_field_distance(&grid, heft_vec3(0.024, 0.003, 0.006), &g) -
                   (heft_vec3_norm(heft_vec3(0.024, 0.003, 0.006)) - radius)) < 2e-4);
  assert_true(fabs(heft_field_distance(&grid, heft_vec3(0.05, 0, 0), &g) - 0.03) < 2e-3);
  HeftBuilder* b = new_builder();
  const double size[3] = {0.01, 0.01, 0.01};
  add_shape(b, HEFT_SHAPE_MESH, add_mesh(b, &grid, 0), NULL);
  add_shape(b, HEFT_SHAPE_BOX, -1, size);
  HeftModel* m = finish_model(b);
  assert_int_equal(m->nsample, N * N * N);
  HeftCollider* c = new_collider(m, 0.001, 4);
  HeftPose pose[3] = {heft_pose_identity(), heft_pose_identity(), heft_pose_identity()};
  pose[2].pos = heft_vec3(0, 0, 0.0302);
  heft_collider_update(c, pose);
  const HeftContactPoints found = heft_collider_collide(c);
  assert_true(found.count >= 1);
  assert_true(fabs(found.point[0].gap - 2e-4) < 2e-4 && found.point[0].normal.z > 0.99);
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

// Any surface of triangles may meet a distance shape: the scratch memory has room for the largest.
static void gaps_fit_all_surfaces(void** state) {
  (void)state;
  HeftFieldType field_type[2] = {HEFT_FIELD_NONE, HEFT_FIELD_TORUS};
  int vertices[2] = {900, 100}, faces[2] = {1800, 9000}, rows[1] = {40}, columns[1] = {50};
  HeftModel m = {.nmesh = 2, .nheight_field = 0};
  m.mesh_field = field_type;
  m.mesh_vertex_count = vertices;
  m.mesh_face_count = faces;
  assert_int_equal(heft_distance_gaps_max(&m), 9000 / 8 + 1);
  m.nheight_field = 1;
  m.height_field_rows = rows;
  m.height_field_columns = columns;
  assert_int_equal(heft_distance_gaps_max(&m), 2000);
  field_type[1] = HEFT_FIELD_NONE;
  assert_int_equal(heft_distance_gaps_max(&m), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(gaps_fit_all_surfaces),
                                     cmocka_unit_test(gradients_are_derivatives),
                                     cmocka_unit_test(values_are_distances),
                                     cmocka_unit_test(triangles_are_closed),
                                     cmocka_unit_test(wrong_numbers_are_refused),
                                     cmocka_unit_test(rings_interlock),
                                     cmocka_unit_test(cup_is_hollow),
                                     cmocka_unit_test(thread_fits),
                                     cmocka_unit_test(any_pose_is_sound),
                                     cmocka_unit_test(function_of_the_user_becomes_a_shape)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
