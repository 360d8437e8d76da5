// SPDX-License-Identifier: Apache-2.0
// Bodies slide over flush shapes as over one surface, and steps, walls and edges still act.
#include <math.h>
#include <string.h>

#include "scenes/random.h"
#include "world/contact_scene.h"

static const double half = 0.05;  // of the body
static int material;              // of all shapes

static int add_body(Scene* s, HeftVec3 pos, int is_free) {
  HeftBodyDef body = heft_body_def_default();
  body.pos = pos;
  body.mass = 1;
  body.inertia = (HeftSym3){2e-3, 2e-3, 2e-3, 0, 0, 0};
  const int index = heft_builder_add_body(s->builder, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = index;
  joint.type = HEFT_JOINT_FREE;
  if (is_free) heft_builder_add_joint(s->builder, &joint);
  return index;
}

static void add_shape(Scene* s, int body, HeftShapeType type, HeftVec3 size, HeftVec3 pos,
                      HeftQuat quat) {
  HeftShapeDef shape = heft_shape_def_default();
  shape.body = body;
  shape.type = type;
  shape.pos = pos;
  shape.quat = quat;
  shape.size[0] = size.x;
  shape.size[1] = size.y;
  shape.size[2] = size.z;
  shape.material = material;
  heft_builder_add_shape(s->builder, &shape);
}

static void add_box(Scene* s, int body, HeftVec3 size, HeftVec3 pos) {
  add_shape(s, body, HEFT_SHAPE_BOX, size, pos, heft_quat(1, 0, 0, 0));
}

static Scene open_floor(double step, double friction) {
  Scene s = scene_open(heft_vec3(0, 0, -g), step);
  material = add_material(&s, friction, 0);
  return s;
}

enum { COLUMNS = 9, ROWS = 3 };

// Tiles of 0.4 m with their tops at z = 0. Every other one is a body of its own, welded to the
// world.
static void add_tiles(Scene* s) {
  for (int i = 0; i < COLUMNS * ROWS; ++i) {
    const int row = i / COLUMNS - 1;
    const HeftVec3 at = heft_vec3(0.4 * (i % COLUMNS) - 0.8, 0.4 * row, -0.05);
    const int body = i % 2 ? add_body(s, at, 0) : 0;
    add_box(s, body, heft_vec3(0.2, 0.2, 0.05), body ? heft_vec3(0, 0, 0) : at);
  }
}

// ---- bodies that slide

static void add_slider(Scene* s, HeftShapeType type) {
  const int body = add_body(s, heft_vec3(0, 0, half), 1);
  const double turn = sqrt(0.5);
  const HeftQuat lying =
      type == HEFT_SHAPE_CAPSULE ? heft_quat(turn, 0, turn, 0) : heft_quat(1, 0, 0, 0);
  add_shape(s, body, type, heft_vec3(half, half, half), heft_vec3(0, 0, 0), lying);
}

// Three flush boxes side by side.
static void add_sled(Scene* s) {
  const int body = add_body(s, heft_vec3(0, 0, half), 1);
  for (int i = -1; i <= 1; ++i)
    add_box(s, body, heft_vec3(half, half, half), heft_vec3(2 * half * i, 0, 0));
}

// Places the first free body, with a speed in the plane. Returns the largest change of velocity
// within 0.4 s.
static double throw_over(Scene* s, double x, double y, double height, double yaw, HeftVec3 v) {
  const double q[7] = {x, y, half + height, cos(yaw / 2), 0, 0, sin(yaw / 2)};
  const double start[6] = {v.x, v.y, 0, 0, 0, 0};
  double worst = 0;
  heft_world_reset(s->world);
  assert_int_equal(heft_world_set_q(s->world, 0, q, 7, NULL), HEFT_OK);
  assert_int_equal(heft_world_set_v(s->world, 0, start, 6, NULL), HEFT_OK);
  for (int i = 0; i < (int)(0.4 / s->model->physics.time_step); ++i) {
    heft_world_step(s->world);
    worst = fmax(worst, hypot(v_of(s)[0] - v.x, v_of(s)[1] - v.y));
  }
  return worst;
}

static double throw_many(Scene* s, int count) {
  Random seed = {7};
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    const double x = random_between(&seed, -0.2, 0.2), y = random_between(&seed, -0.2, 0.2);
    const double height = i % 3 == 0 ? 0 : random_between(&seed, 0, i % 3 == 1 ? 1e-6 : 1e-3);
    const double yaw = i % 4 == 0 ? 0 : random_between(&seed, -3, 3);
    const double speed = random_between(&seed, 0.5, 4),
                 angle = i % 5 ? random_between(&seed, -0.5, 0.5) : 0;
    const HeftVec3 v = heft_vec3(speed * cos(angle), speed * sin(angle), 0);
    worst = fmax(worst, throw_over(s, x, y, height, yaw, v));
  }
  return worst;
}

static void bodies_slide_over_tiles(void** state) {
  (void)state;
  static const double steps[] = {0.0005, 0.001, 0.002, 0.005};
  static const HeftShapeType types[] = {HEFT_SHAPE_BOX, HEFT_SHAPE_SPHERE, HEFT_SHAPE_CAPSULE,
                                        HEFT_SHAPE_CYLINDER};
  for (int k = 0; k < 4; ++k) {
    for (int t = 0; t < 4; ++t) {
      Scene s = open_floor(steps[k], 0);
      add_tiles(&s);
      add_slider(&s, types[t]);
      scene_start_with(&s, NULL);
      const double worst = throw_many(&s, 8);
      printf("type %d, %g s: change of speed %.1e m/s\n", (int)types[t], steps[k], worst);
      CHECK_AT_MOST(worst, 1e-9);
      scene_close(&s);
    }
  }
}

static void a_body_of_several_shapes_slides(void** state) {
  (void)state;
  for (int tiles = 0; tiles < 2; ++tiles) {
    Scene s = open_floor(0.002, 0);
    if (tiles) {
      add_tiles(&s);
    } else {
      add_box(&s, 0, heft_vec3(3, 3, 0.1), heft_vec3(0, 0, -0.1));
    }
    add_sled(&s);
    scene_start_with(&s, NULL);
    const double worst = throw_many(&s, 20);
    printf("sled on %s: change of speed %.1e m/s\n", tiles ? "tiles" : "a box", worst);
    CHECK_AT_MOST(worst, 1e-9);
    scene_close(&s);
  }
}

// Wheels: bodies that roll along x. Returns the largest change of velocity.
static double roll(HeftShapeType type, int tiles) {
  Scene s = open_floor(0.002, 0.5);
  if (tiles) {
    add_tiles(&s);
  } else {
    add_box(&s, 0, heft_vec3(5, 5, 0.05), heft_vec3(0, 0, -0.05));
  }
  const int body = add_body(&s, heft_vec3(0, 0, half), 1);
  add_shape(&s, body, type, heft_vec3(half, half, half), heft_vec3(0, 0, 0),
            heft_quat(sqrt(0.5), sqrt(0.5), 0, 0));  // its axis along y
  scene_start_with(&s, NULL);
  Random seed = {11};
  double worst = 0;
  for (int i = 0; i < 20; ++i) {
    const double speed = random_between(&seed, 0.5, 4);
    const double x = random_between(&seed, -0.2, 0), y = random_between(&seed, -0.2, 0.2);
    const double q[7] = {x, y, half, 1, 0, 0, 0}, v[6] = {speed, 0, 0, 0, speed / half, 0};
    heft_world_reset(s.world);
    assert_int_equal(heft_world_set_q(s.world, 0, q, 7, NULL), HEFT_OK);
    assert_int_equal(heft_world_set_v(s.world, 0, v, 6, NULL), HEFT_OK);
    for (int k = 0; k < 200; ++k) {
      heft_world_step(s.world);
      worst = fmax(worst, hypot(v_of(&s)[0] - speed, v_of(&s)[2]));
    }
  }
  scene_close(&s);
  return worst;
}

static void bodies_roll_over_tiles(void** state) {
  (void)state;
  static const HeftShapeType types[] = {HEFT_SHAPE_SPHERE, HEFT_SHAPE_CYLINDER, HEFT_SHAPE_CAPSULE,
                                        HEFT_SHAPE_ELLIPSOID};
  for (int t = 0; t < 4; ++t) {
    const double one = roll(types[t], 0), many = roll(types[t], 1);
    printf("type %d rolls: change of speed %.1e m/s on a box, %.1e on tiles\n", (int)types[t], one,
           many);
    CHECK_AT_MOST(many, 4 * one + 1e-7);  // both are errors of the places of contact points
  }
}

// A box that is sunk into a floor up to its top.
static void a_box_is_flush_with_a_plane(void** state) {
  (void)state;
  Scene s = open_floor(0.002, 0);
  add_floor(&s, material);
  add_box(&s, 0, heft_vec3(0.3, 1, 0.05), heft_vec3(0.7, 0, -0.05));
  add_slider(&s, HEFT_SHAPE_BOX);
  scene_start_with(&s, NULL);
  CHECK_AT_MOST(throw_many(&s, 20), 1e-9);
  scene_close(&s);
}

// ---- what stops a body

// A box slides at 1 m/s along a floor of two tiles to an obstacle. Returns its speed at the end.
static double run_into(double obstacle_height, double friction) {
  Scene s = open_floor(0.001, friction);
  add_box(&s, 0, heft_vec3(0.2, 1, 0.05), heft_vec3(0, 0, -0.05));
  add_box(&s, 0, heft_vec3(0.2, 1, 0.05), heft_vec3(0.4, 0, -0.05));
  const double depth = 0.1 + obstacle_height;  // from 0.1 m below the floor
  add_box(&s, 0, heft_vec3(0.2, 1, 0.5 * depth),
          heft_vec3(0.4 + 0.2, 0, obstacle_height - 0.5 * depth));
  add_slider(&s, HEFT_SHAPE_BOX);
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = 1e-9;
  scene_start_with(&s, &def);
  set_velocity(&s, 0, 1);
  double slowest = 1;
  for (int i = 0; i < 500; ++i) {
    heft_world_step(s.world);
    slowest = fmin(slowest, v_of(&s)[0]);
  }
  scene_close(&s);
  return slowest;
}

static void steps_and_walls_stop_a_body(void** state) {
  (void)state;
  CHECK_AT_MOST(fabs(run_into(0, 0) - 1), 1e-9);     // flush
  CHECK_AT_MOST(fabs(run_into(-0.01, 0) - 1), 0.2);  // a step down: it falls 1 cm at most
  CHECK_AT_MOST(run_into(2e-5, 0), 0.9);             // above the tolerance of 5e-6 m
  CHECK_AT_MOST(run_into(1e-3, 0), 0.9);
  CHECK_AT_MOST(run_into(0.02, 0), 0.9);
  CHECK_AT_MOST(fabs(run_into(0.3, 0)), 1e-9);  // a wall
}

// A box on its edge slides into the corner between a floor and a steep slope: the edge touches both
// in one line.
static void a_corner_holds_an_edge(void** state) {
  (void)state;
  Scene s = open_floor(0.001, 0);
  const double slope = HEFT_PI / 9, tilt = HEFT_PI / 18;
  add_box(&s, 0, heft_vec3(1, 1, 0.05), heft_vec3(0, 0, -0.05));
  add_shape(&s, 0, HEFT_SHAPE_BOX, heft_vec3(0.1, 1, 0.5),
            heft_vec3(0.2 + 0.1 * cos(slope), 0, -0.1 * sin(slope)),
            heft_quat(cos(slope / 2), 0, sin(slope / 2), 0));  // its side passes x = 0.2, z = 0
  add_slider(&s, HEFT_SHAPE_BOX);
  scene_start_with(&s, NULL);
  const double q[7] = {0.18 - half * (cos(tilt) - sin(tilt)),
                       0,
                       half * (cos(tilt) + sin(tilt)),
                       cos(tilt / 2),
                       0,
                       sin(tilt / 2),
                       0};
  const double v[6] = {0.5, 0, 0, 0, 0, 0};
  assert_int_equal(heft_world_set_q(s.world, 0, q, 7, NULL), HEFT_OK);
  assert_int_equal(heft_world_set_v(s.world, 0, v, 6, NULL), HEFT_OK);
  double deepest = 0;
  for (int i = 0; i < 100; ++i) deepest = fmax(deepest, heft_world_step(s.world).penetration);
  CHECK_AT_MOST(deepest, 1e-5);
  CHECK_AT_MOST(v_of(&s)[0], 0.45);
  scene_close(&s);
}

// ---- edges

// A box with its centre beyond the edge of a table tips over it. Returns its angle after 0.2 s.
static double tip_over(int tiles) {
  Scene s = open_floor(0.001, 0.8);
  for (int i = 0; i < tiles; ++i)
    add_box(&s, 0, heft_vec3(0.3 / tiles, 1, 0.05),
            heft_vec3(-(0.6 / tiles) * (0.5 + i), 0, -0.05));
  add_slider(&s, HEFT_SHAPE_BOX);
  scene_start(&s);
  const double q[7] = {0.01, 0, half, 1, 0, 0, 0};
  assert_int_equal(heft_world_set_q(s.world, 0, q, 7, NULL), HEFT_OK);
  for (int i = 0; i < 200; ++i) heft_world_step(s.world);
  const double angle = 2 * asin(q_of(&s)[5]);
  scene_close(&s);
  return angle;
}

static void a_body_tips_over_the_edge_of_a_table(void** state) {
  (void)state;
  const double one = tip_over(1), many = tip_over(20);
  printf("tipping: %.12g and %.12g rad\n", one, many);
  assert_true(one > 0.1);
  CHECK_AT_MOST(fabs(many - one), 1e-4);
}

// A box that stands over a seam rests on both tiles, and with friction it stops where it would on
// one box.
static double brake(int tiles, double yaw) {
  Scene s = open_floor(0.001, 0.3);
  if (tiles) {
    add_tiles(&s);
  } else {
    add_box(&s, 0, heft_vec3(5, 5, 0.05), heft_vec3(0, 0, -0.05));
  }
  add_slider(&s, HEFT_SHAPE_BOX);
  scene_start(&s);
  throw_over(&s, 0.05, 0.01, 0, yaw, heft_vec3(1.1, 0.1, 0));
  const double x = q_of(&s)[0];
  scene_close(&s);
  return x;
}

static void friction_is_that_of_one_surface(void** state) {
  (void)state;
  for (int i = 0; i < 4; ++i) {
    const double one = brake(0, 0.4 * i), many = brake(1, 0.4 * i);
    printf("stops at %.9f and %.9f m\n", one, many);
    CHECK_AT_MOST(fabs(one - many), 1e-6);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_slide_over_tiles),
      cmocka_unit_test(a_body_of_several_shapes_slides),
      cmocka_unit_test(bodies_roll_over_tiles),
      cmocka_unit_test(a_box_is_flush_with_a_plane),
      cmocka_unit_test(steps_and_walls_stop_a_body),
      cmocka_unit_test(a_corner_holds_an_edge),
      cmocka_unit_test(a_body_tips_over_the_edge_of_a_table),
      cmocka_unit_test(friction_is_that_of_one_surface),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
