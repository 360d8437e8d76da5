// SPDX-License-Identifier: Apache-2.0
// Compounds: convex pieces of one body in one frame. They touch what the same pieces touch if each
// is on its own, have as many contact points as their hull, and act like one solid.
#include <heft/collision.h>
#include <math.h>

#include "scenes/shape_parts.h"
#include "world/stage.h"

enum { PIECES_MAX = 32 };

typedef struct Box {
  double middle[3], half[3];
} Box;

// Pieces of one body with one frame. apart: each has a material of its own, so that they are no
// compound.
static void add_pieces(HeftBuilder* b, int body, const Box* box, int count, int apart) {
  static const int face[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                               2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  HeftMaterialDef material = heft_material_def_default();
  material.friction = 0.8;
  int common = heft_builder_add_material(b, &material);
  for (int i = 0; i < count; ++i) {
    double x[24];
    for (int k = 0; k < 24; ++k)
      x[k] = box[i].middle[k % 3] + (k / 3 >> k % 3 & 1 ? 1 : -1) * box[i].half[k % 3];
    HeftMeshDef mesh = heft_mesh_def_default();
    mesh.vertex_count = 8, mesh.vertices = x;
    mesh.face_count = mesh.hull_count = 12;
    mesh.faces = mesh.hull = face;
    HeftShapeDef s = parts_shape_def(body, HEFT_SHAPE_MESH, 0, 0, 0);
    s.mesh = heft_builder_add_mesh(b, &mesh);
    s.material = apart && i > 0 ? heft_builder_add_material(b, &material) : common;
    heft_builder_add_shape(b, &s);
  }
}

static HeftModel* finish(HeftBuilder* b) {
  HeftModel* m = NULL;
  HeftError e = {0};
  if (heft_builder_finish(b, &m, &e) != HEFT_OK) fail_msg("%s", e.message);
  heft_builder_destroy(b);
  return m;
}

static HeftBuilder* builder(void) {
  HeftBuilder* b = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  return b;
}

// ---- the same contacts as pieces on their own

// Two bodies with many pieces, a ball, a box that stands and a floor.
static HeftModel* make_crowd(int apart) {
  Box box[2][PIECES_MAX];
  Random r = {7};
  HeftBuilder* b = builder();
  parts_shape(b, 0, HEFT_SHAPE_PLANE, 0, 0, 0);
  parts_shape(b, 0, HEFT_SHAPE_BOX, 0.3, 0.3, 0.3);
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < PIECES_MAX; ++k) {
      for (int d = 0; d < 3; ++d) {
        box[i][k].middle[d] = random_between(&r, -0.5, 0.5);
        box[i][k].half[d] = random_between(&r, 0.02, 0.1);
      }
    }
    add_pieces(b, parts_free_body(b), box[i], PIECES_MAX - 9 * i, apart);
  }
  parts_shape(b, parts_free_body(b), HEFT_SHAPE_SPHERE, 0.1, 0, 0);
  return finish(b);
}

static HeftPose random_pose(Random* r) {
  HeftPose p;
  const HeftQuat q =
      heft_quat(random_between(r, -1, 1), random_between(r, -1, 1), random_between(r, -1, 1), 0.1);
  p.rot = heft_quat_to_mat3(heft_quat_normalize(q));
  p.pos = heft_vec3(random_between(r, -1, 1), random_between(r, -1, 1), random_between(r, 0, 1.2));
  return p;
}

enum { BODIES = 4 };

// The smallest gap between two bodies; infinite if they do not touch.
static void least_gaps(HeftContactPoints found, double gap[BODIES][BODIES]) {
  for (int i = 0; i < BODIES * BODIES; ++i) gap[i / BODIES][i % BODIES] = HUGE_VAL;
  for (int i = 0; i < found.count; ++i) {
    double* g = &gap[found.point[i].body_a][found.point[i].body_b];
    *g = fmin(*g, found.point[i].gap);
  }
}

static void compare_queries(HeftCollider* const c[2], Random* r) {
  const HeftVec3 from =
      heft_vec3(random_between(r, -2, 2), random_between(r, -2, 2), random_between(r, 0, 2));
  const HeftVec3 way = heft_vec3_normalize(
      heft_vec3_sub(heft_vec3(random_between(r, -0.5, 0.5), random_between(r, -0.5, 0.5),
                              random_between(r, 0, 1)),
                    from));
  const HeftQueryFilter all = heft_query_filter_all();
  const HeftRayHit x = heft_collider_ray(c[0], from, way, 5, all),
                   y = heft_collider_ray(c[1], from, way, 5, all);
  assert_int_equal(x.shape, y.shape);
  CHECK_AT_MOST(fabs(x.distance - y.distance), 1e-12);
  const HeftClosestPoint p = heft_collider_closest(c[0], from, 5, all),
                         q = heft_collider_closest(c[1], from, 5, all);
  assert_int_equal(p.shape, q.shape);
  CHECK_AT_MOST(fabs(p.distance - q.distance), 1e-12);
  const HeftDistance d = heft_collider_distance(c[0], 5, 40),
                     e = heft_collider_distance(c[1], 5, 40);
  CHECK_AT_MOST(fabs(d.distance - e.distance), 1e-9);
}

static void pieces_touch_what_they_touch_alone(void** state) {
  (void)state;
  HeftModel* m[2] = {make_crowd(0), make_crowd(1)};
  HeftCollider* c[2] = {NULL, NULL};
  HeftColliderDef def = heft_collider_def_default();
  Random r = {11};
  int touching = 0;
  def.margin = 0.02;
  for (int k = 0; k < 2; ++k)
    assert_int_equal(heft_collider_create(&c[k], m[k], &def, NULL), HEFT_OK);
  for (int trial = 0; trial < 400; ++trial) {
    HeftPose pose[BODIES];
    double gap[2][BODIES][BODIES];
    pose[0] = heft_pose_identity();
    for (int i = 1; i < BODIES; ++i) pose[i] = random_pose(&r);
    for (int k = 0; k < 2; ++k) {
      heft_collider_update(c[k], pose);
      const HeftContactPoints found = heft_collider_collide(c[k]);
      assert_int_equal(found.dropped + found.pairs_missed, 0);
      least_gaps(found, gap[k]);
    }
    for (int i = 0; i < BODIES * BODIES; ++i) {
      const double x = gap[0][i / BODIES][i % BODIES], y = gap[1][i / BODIES][i % BODIES];
      assert_int_equal(x < HUGE_VAL, y < HUGE_VAL);
      // deeper overlaps are pushed out as one
      if (y < HUGE_VAL && y > -0.02) CHECK_AT_MOST(fabs(x - y), 1e-9);
      touching += y < HUGE_VAL && y > -0.02;
    }
    compare_queries(c, &r);
  }
  assert_true(touching > 100);
  for (int k = 0; k < 2; ++k) {
    heft_collider_destroy(c[k]);
    heft_model_destroy(m[k]);
  }
}

// ---- one contact

static const double size[3] = {0.2, 0.1, 0.3};  // half sizes of a block

// A block on a floor: of 3 x 4 x 1 pieces, or as one box.
static Stage open_block(int pieces) {
  Box box[12];
  HeftBuilder* b = builder();
  HeftMaterialDef floor = heft_material_def_default();
  HeftShapeDef plane = parts_shape_def(0, HEFT_SHAPE_PLANE, 0, 0, 0);
  floor.friction = 0.8;
  plane.material = heft_builder_add_material(b, &floor);
  heft_builder_add_shape(b, &plane);
  for (int i = 0; i < 12; ++i) {
    const double n[3] = {3, 4, 1}, at[3] = {i % 3, i / 3 % 4, 0};
    for (int k = 0; k < 3; ++k) {
      box[i].half[k] = size[k] / n[k];
      box[i].middle[k] = size[k] * ((2 * at[k] + 1) / n[k] - 1);
    }
  }
  const Box whole = {{0, 0, 0}, {size[0], size[1], size[2]}};
  add_pieces(b, parts_free_body(b), pieces ? box : &whole, pieces ? 12 : 1, 0);
  Stage s = stage_on(finish(b), NULL);
  HeftState* start = NULL;
  assert_int_equal(heft_state_create(&start, s.model, NULL, NULL), HEFT_OK);
  start->q[2] = size[2];
  assert_int_equal(heft_world_set_state(s.world, start), HEFT_OK);
  heft_state_destroy(start);
  return s;
}

static void a_block_of_pieces_has_the_corners_of_its_hull(void** state) {
  (void)state;
  Stage s = open_block(1);
  HeftContact contact[64], first[64];
  for (int step = 0; step < 300; ++step) {
    heft_world_step(s.world);
    assert_int_equal(heft_world_contacts(s.world, contact, 64), 4);
    for (int i = 0; i < 4; ++i) {
      if (step == 0) first[i] = contact[i];
      assert_int_equal(contact[i].shape_b, first[i].shape_b);
      CHECK_AT_MOST(fabs(fabs(contact[i].pos.x) - size[0]), 1e-9);
      CHECK_AT_MOST(fabs(fabs(contact[i].pos.y) - size[1]), 1e-9);
    }
  }
  stage_close(&s);
}

// The tilt after a push of `force` at the height of the middle, about the edge across x.
static double tilt_of(int pieces, double force) {
  Stage s = open_block(pieces);
  for (int step = 0; step < 100; ++step) heft_world_step(s.world);
  for (int step = 0; step < 200; ++step) {
    const HeftState* now = heft_world_state(s.world);
    heft_world_apply_wrench(s.world, 1, heft_vec3_from(now->q), heft_vec3(force, 0, 0),
                            heft_vec3(0, 0, 0));
    assert_true(heft_step_taken(heft_world_step(s.world).status));
  }
  const double* q = heft_world_state(s.world)->q + 3;
  const double tilt = 2 * asin(fmin(1, sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])));
  stage_close(&s);
  return tilt;
}

// It tips when the moment of the push about the edge is that of the weight: F = m g w / h.
static void a_block_of_pieces_tips_like_its_hull(void** state) {
  (void)state;
  const double limit = 9.81 * size[0] / size[2];
  assert_true(limit < 0.8 * 9.81);  // it does not slide
  for (int pieces = 0; pieces < 2; ++pieces) {
    CHECK_AT_MOST(tilt_of(pieces, 0.9999 * limit), 1e-7);
    assert_true(tilt_of(pieces, 1.01 * limit) > 1e-4);
  }
  CHECK_AT_MOST(fabs(tilt_of(0, 1.01 * limit) - tilt_of(1, 1.01 * limit)), 1e-9);
}

// ---- deep overlaps

// A comb of pieces inside of a large block, nearest to its side y: half of its pieces are nearer to
// the side x < 0, the others to x > 0.
static void a_comb_inside_of_a_block_comes_out(void** state) {
  (void)state;
  Box box[9];
  HeftBuilder* b = builder();
  parts_shape(b, 0, HEFT_SHAPE_BOX, 0.1, 0.1, 0.5);
  for (int i = 0; i < 9; ++i)
    box[i] = (Box){{0.0225 * (i - 4), 0.05, 0.01 * (i % 2)}, {0.01, 0.02, 0.03}};
  add_pieces(b, parts_free_body(b), box, 9, 0);
  HeftModel* m = finish(b);
  for (int k = 0; k < 3; ++k) m->physics.gravity[k] = 0;
  Stage s = stage_on(m, NULL);
  HeftContact contact[256];
  heft_world_step(s.world);
  assert_true(heft_world_contacts(s.world, contact, 256) <= 4);
  for (int step = 0; step < 2000; ++step) heft_world_step(s.world);
  const HeftState* end = heft_world_state(s.world);
  assert_true(end->q[1] > 0.1 - 0.03 - 1e-3);
  CHECK_AT_MOST(fabs(end->q[0]), 0.02);
  stage_close(&s);
}

// ---- speed

static void a_fast_compound_stops_at_a_wall(void** state) {
  (void)state;
  Box box[6];
  HeftBuilder* b = builder();
  HeftShapeDef wall = parts_shape_def(0, HEFT_SHAPE_BOX, 0.001, 1, 1);
  wall.pos = heft_vec3(1, 0, 0);
  heft_builder_add_shape(b, &wall);
  for (int i = 0; i < 6; ++i)
    box[i] = (Box){{0, 0.02 * i, 0.01 * i}, {0.003 + 0.001 * i, 0.01, 0.01}};
  add_pieces(b, parts_free_body(b), box, 6, 0);
  HeftModel* m = finish(b);
  for (int k = 0; k < 3; ++k) m->physics.gravity[k] = 0;
  Stage s = stage_on(m, NULL);
  HeftState* start = NULL;
  assert_int_equal(heft_state_create(&start, s.model, NULL, NULL), HEFT_OK);
  start->v[0] = 60;
  start->v[3] = 30;
  assert_int_equal(heft_world_set_state(s.world, start), HEFT_OK);
  heft_state_destroy(start);
  for (int step = 0; step < 100; ++step) {
    heft_world_step(s.world);
    assert_true(heft_world_state(s.world)->q[0] < 1);
  }
  assert_true(heft_world_state(s.world)->q[0] > 0);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_touch_what_they_touch_alone),
      cmocka_unit_test(a_block_of_pieces_has_the_corners_of_its_hull),
      cmocka_unit_test(a_block_of_pieces_tips_like_its_hull),
      cmocka_unit_test(a_comb_inside_of_a_block_comes_out),
      cmocka_unit_test(a_fast_compound_stops_at_a_wall),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
