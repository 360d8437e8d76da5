// SPDX-License-Identifier: Apache-2.0
// Moved bodies and conveyors, against the laws of Coulomb and Newton in closed form.
#include <heft/access.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact_scene.h"

static const double mu = 0.4, half = 0.1, h = 0.001;

// A platform with its top at z = 0: a moved body, or a conveyor of the world.
static int add_platform(Scene* s, const char* name, int material, int moved) {
  HeftBodyDef body = heft_body_def_default();
  body.name = name;
  body.pos = heft_vec3(0, 0, -half);
  body.moved = moved;
  const int index = moved ? heft_builder_add_body(s->builder, &body) : 0;
  HeftShapeDef shape = heft_shape_def_default();
  shape.name = strcmp(name, "platform") == 0 ? "top" : NULL;
  shape.body = index;
  shape.type = HEFT_SHAPE_BOX;
  shape.size[0] = shape.size[1] = 20;
  shape.size[2] = half;
  if (!moved) shape.pos = body.pos;
  shape.material = material;
  shape.conveyor = !moved;
  heft_builder_add_shape(s->builder, &shape);
  return index;
}

// A block of 1 kg at x on a platform.
static Scene block_on_platform(double x, int moved, int substeps) {
  Scene s = scene_open(heft_vec3(0, 0, -g), h);
  HeftWorldDef def = heft_world_def_default();
  const int material = add_material(&s, mu, 0);
  add_platform(&s, "platform", material, moved);
  add_free(&s, HEFT_SHAPE_BOX, half, 1, heft_vec3(x, 0, half), material);
  def.tolerance = 1e-9;
  def.substeps = substeps;
  scene_start_with(&s, &def);
  return s;
}

static void drive(const Scene* s, HeftVec3 angular, HeftVec3 linear) {
  assert_int_equal(
      heft_world_set_body_velocity(s->world, "platform", heft_spatial(angular, linear), NULL),
      HEFT_OK);
}

static const double* platform(const Scene* s) { return heft_world_state(s->world)->moved; }

static HeftStepReport step(const Scene* s) {
  const HeftStepReport report = heft_world_step(s->world);
  assert_int_equal(report.status, HEFT_STEP_SOLVED);
  return report;
}

static const HeftVec3 none = {0, 0, 0};

// Below mu g the block moves with the platform to the last digits, and the platform gives the
// energy: kinetic energy, and that of the way up.
static void test_carry(void** state) {
  (void)state;
  Scene s = block_on_platform(0, 1, 1);
  double worst = 0, work = 0;
  for (int i = 0; i < 1000; ++i) {
    const double t = h * (i + 1), speed = 0.95 * mu * g * t;
    drive(&s, none, heft_vec3(speed, 0, 0.1));
    work += step(&s).moved_work;
    worst = fmax(worst, fabs(q_of(&s)[0] - platform(&s)[0]));
    worst = fmax(worst, fabs(q_of(&s)[2] - 2 * half - platform(&s)[2]));
    worst = fmax(worst, fabs(v_of(&s)[0] - speed));
  }
  const double speed = v_of(&s)[0], rise = platform(&s)[2] + half;
  const double energy = 0.5 * (speed * speed + 0.01) + g * rise;
  print_message("carry: %.1e, work %.6f J of %.6f J\n", worst, work, energy);
  assert_true(worst < 1e-10 && rise > 0.0999);
  // a step gives h a at the mean of two velocities: the work of the force at the one after it
  assert_true(fabs(work - energy) < 0.5 * 1000 * (0.95 * mu * g * h) * (0.95 * mu * g * h) + 6e-3);
  scene_close(&s);
}

// Above mu g it slips, with the acceleration mu g.
static void test_slip_onset(void** state) {
  (void)state;
  for (int above = 0; above < 2; ++above) {
    Scene s = block_on_platform(0, 1, 1);
    const double a = (above ? 1.001 : 0.999) * mu * g;
    for (int i = 0; i < 500; ++i) {
      drive(&s, none, heft_vec3(a * h * (i + 1), 0, 0));
      step(&s);
      const double expected = fmin(a, mu * g) * h * (i + 1);
      assert_true(fabs(v_of(&s)[0] - expected) < 1e-9);
    }
    const HeftContact contact = heft_world_contact(s.world, 0);
    assert_int_equal(contact.state, above ? HEFT_CONTACT_SLIPPING : HEFT_CONTACT_STICKING);
    scene_close(&s);
  }
}

// A lift that accelerates by a is pressed by m (g + a); one that falls faster than g loses contact.
static void test_lift(void** state) {
  (void)state;
  Scene s = block_on_platform(0, 1, 1);
  for (int i = 0; i < 200; ++i) {
    drive(&s, none, heft_vec3(0, 0, 2 * h * (i + 1)));
    step(&s);
    const double force = heft_world_contact_wrench(s.world, 2, none).lin.z;
    assert_true(fabs(force - (g + 2)) < 1e-7);
    assert_true(fabs(q_of(&s)[2] - 2 * half - platform(&s)[2]) < 1e-10);
  }
  for (int i = 0; i < 100; ++i) {
    drive(&s, none, heft_vec3(0, 0, 0.4 - 20 * h * (i + 1)));
    step(&s);
    assert_true(heft_world_contact_wrench(s.world, 2, none).lin.z < 1e-9);
  }
  assert_true(fabs(v_of(&s)[2] - (0.4 - g * 0.1)) < 1e-9);
  scene_close(&s);
}

// A pushed block moves as fast as its pusher.
static void test_push(void** state) {
  (void)state;
  Scene s = scene_open(heft_vec3(0, 0, -g), h);
  const int material = add_material(&s, mu, 0);
  add_floor(&s, material);
  HeftBodyDef body = heft_body_def_default();
  body.pos = heft_vec3(-0.25, 0, 0.1);
  body.moved = 1;
  body.moved_velocity[3] = 0.7;
  HeftShapeDef blade = heft_shape_def_default();
  blade.body = heft_builder_add_body(s.builder, &body);
  blade.type = HEFT_SHAPE_BOX;
  blade.size[0] = blade.size[1] = blade.size[2] = 0.09;
  heft_builder_add_shape(s.builder, &blade);
  add_free(&s, HEFT_SHAPE_BOX, half, 1, heft_vec3(0, 0, half), material);
  scene_start(&s);
  HeftStepReport report = {0};
  for (int i = 0; i < 500; ++i) report = step(&s);
  assert_true(fabs(v_of(&s)[0] - 0.7) < 1e-9);
  assert_true(fabs(q_of(&s)[0] - platform(&s)[0] - 0.19) < 1e-5);
  const double force = heft_world_pair_wrench(s.world, 2, 1, none).lin.x;
  // the face of the pusher carries a share of the weight, and the floor brakes by so much less
  assert_true(force > 0.7 * mu * g && force <= mu * g &&
              fabs(report.moved_work - force * 0.7 * h) < 1e-12);
  scene_close(&s);
}

// From rest to the speed of the belt in v / (mu g), over v² / (2 mu g); then without a force.
static void test_conveyor(void** state) {
  (void)state;
  const double belt = 0.5, time = belt / (mu * g);
  Scene s = block_on_platform(0, 0, 1);
  assert_int_equal(heft_world_set_conveyor(s.world, "top", heft_vec3(belt, 0, 0), none, NULL),
                   HEFT_OK);
  int reached = 0;
  double work = 0;
  for (int i = 1; i <= 400; ++i) {
    work += step(&s).moved_work;
    if (i < time / h) assert_true(fabs(v_of(&s)[0] - mu * g * h * i) < 1e-10);
    if (!reached && v_of(&s)[0] > belt - 1e-9) reached = i;
  }
  const double way = q_of(&s)[0], expected = 0.5 * belt * time + belt * (0.4 - time);
  print_message("conveyor: %d steps of %.2f, way %.6f of %.6f m\n", reached, time / h, way,
                expected);
  assert_int_equal(reached, (int)ceil(time / h));
  assert_true(fabs(v_of(&s)[0] - belt) < 1e-10 && fabs(way - expected) < belt * h);
  assert_true(fabs(work - belt * belt) < 1e-3);  // one half moves the block, the other is heat
  const double* q = q_of(&s);
  assert_true(fabs(q[1]) < 1e-10 && fabs(q[2] - half) < 1e-8);
  scene_close(&s);
}

// A belt does not push along its normal: it lifts nothing and lets nothing sink.
static void test_conveyor_has_no_normal_part(void** state) {
  (void)state;
  Scene s = block_on_platform(0, 0, 1);
  assert_int_equal(heft_world_set_conveyor(s.world, "top", heft_vec3(0, 0, 3), none, NULL),
                   HEFT_OK);
  for (int i = 0; i < 100; ++i) step(&s);
  assert_true(fabs(v_of(&s)[2]) < 1e-9 && fabs(q_of(&s)[2] - half) < 1e-8);
  scene_close(&s);
}

static double radius_of(const Scene* s) { return hypot(q_of(s)[0], q_of(s)[1]); }

// Turns a platform up slowly to a speed, as a moved body or as a conveyor.
static void turn_up(const Scene* s, int moved, double speed) {
  const int steps = 4000;
  for (int i = 1; i <= steps; ++i) {
    const HeftVec3 spin = heft_vec3(0, 0, speed * i / steps);
    if (moved)
      drive(s, spin, none);
    else
      assert_int_equal(heft_world_set_conveyor(s->world, "top", none, spin, NULL), HEFT_OK);
    step(s);
  }
}

// A block on a turntable slips where ω² r > mu g. Below, it stays at its radius for good.
static void test_turntable(void** state) {
  (void)state;
  const double r = 1, critical = sqrt(mu * g / r);
  Scene s = block_on_platform(r, 1, 1);
  turn_up(&s, 1, 0.99 * critical);
  const double start = radius_of(&s);
  for (int i = 0; i < 5000; ++i) step(&s);
  print_message("turntable: radius moves by %.1e m in %.1f turns\n", radius_of(&s) - start,
                5 * critical / 6.283);
  assert_true(fabs(start - r) < 1e-9 && fabs(radius_of(&s) - start) < 1e-9);
  const HeftQuat turned = heft_quat(q_of(&s)[3], q_of(&s)[4], q_of(&s)[5], q_of(&s)[6]);
  const double* p = platform(&s);
  const HeftQuat between =
      heft_quat_mul(heft_quat_conjugate(turned), heft_quat(p[3], p[4], p[5], p[6]));
  assert_true(heft_vec3_norm(heft_quat_log(between)) < 1e-8);
  for (int i = 0; i < 50; ++i) {
    drive(&s, heft_vec3(0, 0, 1.01 * critical), none);
    step(&s);
  }
  assert_int_equal(heft_world_contact(s.world, 0).state, HEFT_CONTACT_SLIPPING);
  assert_true(radius_of(&s) > r + 1e-6);
  scene_close(&s);
}

// The surface of a conveyor may turn, too: its tangent carries.
static void test_rotary_conveyor(void** state) {
  (void)state;
  Scene s = block_on_platform(1, 0, 1);
  turn_up(&s, 0, 1.5);
  const double speed = hypot(v_of(&s)[0], v_of(&s)[1]);
  assert_true(fabs(speed - 1.5 * radius_of(&s)) < 2e-3);
  assert_true(fabs(v_of(&s)[5] - 1.5) < 1e-8);
  scene_close(&s);
}

// A target is reached to the last bit, with any number of substeps, and the body rests afterwards.
static void test_target(void** state) {
  (void)state;
  for (int substeps = 1; substeps <= 4; substeps += 3) {
    Scene s = block_on_platform(0, 1, substeps);
    const HeftPose target = heft_pose(heft_vec3(1e-4, 2e-4, -half),
                                      heft_quat_from_axis_angle(heft_vec3(0, 0, 1), 1e-3));
    assert_int_equal(heft_world_move_body(s.world, "platform", target, NULL), HEFT_OK);
    step(&s);
    const double* p = platform(&s);
    assert_true(p[0] == 1e-4 && p[1] == 2e-4 && p[2] == -half);
    assert_true(fabs(p[9] - 1) < 1e-9 && fabs(p[10] - 0.1) < 1e-12);
    step(&s);
    assert_true(p[0] == 1e-4 && p[9] == 0 && p[10] == 0);
    scene_close(&s);
  }
}

// A block sleeps, and wakes when its platform moves, however slowly, or is placed elsewhere.
static void test_sleep(void** state) {
  (void)state;
  Scene s = block_on_platform(0, 1, 1);
  HeftStepReport report = {0};
  for (int i = 0; i < 300; ++i) report = step(&s);
  assert_int_equal(report.sleeping, 1);
  const double slow = 1e-3 * heft_world_def_default().rest * g * h;
  drive(&s, none, heft_vec3(slow, 0, 0));
  for (int i = 0; i < 100; ++i) report = step(&s);
  assert_int_equal(report.sleeping, 0);
  drive(&s, none, heft_vec3(1e-3, 0, 0));
  for (int i = 0; i < 100; ++i) report = step(&s);
  assert_true(report.sleeping == 0 && fabs(v_of(&s)[0] - 1e-3) < 1e-9);
  drive(&s, none, none);
  for (int i = 0; i < 300; ++i) report = step(&s);
  assert_int_equal(report.sleeping, 1);
  HeftState* now = NULL;
  assert_int_equal(heft_state_create(&now, s.model, NULL, NULL), HEFT_OK);
  heft_state_copy(now, heft_world_state(s.world));
  now->moved[2] -= 0.05;
  assert_int_equal(heft_world_set_state(s.world, now), HEFT_OK);
  heft_state_destroy(now);
  for (int i = 0; i < 20; ++i) report = step(&s);
  assert_true(report.sleeping == 0 && v_of(&s)[2] < -0.1);
  scene_close(&s);
}

// A body that is welded to a moved body follows it, turns included.
static void test_weld(void** state) {
  (void)state;
  Scene s = scene_open(heft_vec3(0, 0, -g), h);
  HeftBodyDef body = heft_body_def_default();
  body.name = "hand";
  body.moved = 1;
  const int hand = heft_builder_add_body(s.builder, &body);
  const int held = add_free(&s, HEFT_SHAPE_SPHERE, half, 1, heft_vec3(0.5, 0, 0), 0);
  HeftEqualityDef weld = heft_equality_def_default();
  weld.type = HEFT_EQUALITY_WELD;
  weld.object[0] = hand;
  weld.object[1] = held;
  weld.anchor[0] = heft_vec3(0.5, 0, 0);
  heft_builder_add_equality(s.builder, &weld);
  scene_start(&s);
  double worst = 0;
  for (int i = 1; i <= 2000; ++i) {
    const double spin = 2 * fmin(1, i / 500.0);
    const HeftSpatial velocity = heft_spatial(heft_vec3(0, 0, spin), heft_vec3(0.1, 0, 0.2));
    assert_int_equal(heft_world_set_body_velocity(s.world, "hand", velocity, NULL), HEFT_OK);
    step(&s);
    const double* p = platform(&s);
    const HeftPose pose = heft_pose(heft_vec3_from(p), heft_quat(p[3], p[4], p[5], p[6]));
    const HeftVec3 at = heft_pose_apply(pose, heft_vec3(0.5, 0, 0));
    worst = fmax(worst, heft_vec3_norm(heft_vec3_sub(at, heft_vec3_from(q_of(&s)))));
  }
  print_message("weld: %.1e m\n", worst);
  assert_true(worst < 1e-8);
  scene_close(&s);
}

// Snapshots, clones and threads go on with the same bits, commands included.
static void test_snapshot(void** state) {
  (void)state;
  Scene s = block_on_platform(0.5, 1, 2);
  turn_up(&s, 1, 1);
  const HeftPose target = heft_pose(heft_vec3(1e-3, 0, -half), heft_quat_identity());
  assert_int_equal(heft_world_move_body(s.world, "platform", target, NULL), HEFT_OK);
  const size_t size = heft_world_snapshot_size(s.world);
  void* bytes = malloc(size);
  heft_world_snapshot(s.world, bytes);
  HeftWorld* clone = NULL;
  assert_int_equal(heft_world_clone(&clone, s.world, NULL), HEFT_OK);
  uint64_t hash[3] = {0};
  for (int i = 0; i < 20; ++i) heft_world_step(s.world);
  hash[0] = heft_world_hash(s.world);
  for (int i = 0; i < 20; ++i) heft_world_step(clone);
  hash[1] = heft_world_hash(clone);
  assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_OK);
  for (int i = 0; i < 20; ++i) heft_world_step(s.world);
  hash[2] = heft_world_hash(s.world);
  assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
  heft_world_reset(s.world);
  assert_true(platform(&s)[0] == 0 && platform(&s)[12] == 0);
  heft_world_destroy(clone);
  free(bytes);
  scene_close(&s);
}

// Moved bodies do not collide with the world, nor with each other.
static void test_no_contact_between_moved(void** state) {
  (void)state;
  Scene s = scene_open(heft_vec3(0, 0, -g), h);
  add_floor(&s, 0);
  add_platform(&s, "one", 0, 1);
  add_platform(&s, "two", 0, 1);
  add_free(&s, HEFT_SHAPE_SPHERE, half, 1, heft_vec3(0, 0, 1), 0);
  scene_start(&s);
  assert_int_equal(step(&s).contact_count, 0);
  scene_close(&s);
}

static void test_mistakes(void** state) {
  (void)state;
  Scene s = block_on_platform(0, 1, 1);
  HeftError error = {0};
  const HeftSpatial bad = heft_spatial(heft_vec3(0, 0, (double)NAN), none);
  assert_int_equal(heft_world_set_body_velocity(s.world, "block", bad, &error), HEFT_ERR_NAME);
  assert_int_equal(heft_world_set_body_velocity(s.world, "world", bad, &error), HEFT_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, "not a moved body"));
  assert_int_equal(heft_world_set_body_velocity(s.world, "platform", bad, &error), HEFT_ERR_VALUE);
  HeftPose pose = heft_pose_identity();
  assert_int_equal(heft_world_move_body(s.world, "world", pose, &error), HEFT_ERR_ARGUMENT);
  pose.pos.y = HUGE_VAL;
  assert_int_equal(heft_world_move_body(s.world, "platform", pose, &error), HEFT_ERR_VALUE);
  assert_int_equal(heft_world_set_conveyor(s.world, "top", none, none, &error), HEFT_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, "not a conveyor"));
  const double before = platform(&s)[0];
  heft_world_prescribed_motion(s.world).body[0].velocity[3] = (double)NAN;
  assert_int_equal(heft_world_step(s.world).status, HEFT_STEP_NOT_FINITE);
  assert_true(platform(&s)[0] == before && platform(&s)[10] == 0);
  scene_close(&s);
  Scene c = block_on_platform(0, 0, 1);
  assert_int_equal(heft_world_set_conveyor(c.world, "top", bad.ang, none, &error), HEFT_ERR_VALUE);
  scene_close(&c);
  Scene r = scene_open(none, h);  // a body with joints that hangs on a moved one
  HeftBodyDef body = heft_body_def_default();
  body.name = "base";
  body.moved = 1;
  body.parent = heft_builder_add_body(r.builder, &body);
  body.name = "arm";
  body.moved = 0;
  body.mass = 1;
  body.inertia = (HeftSym3){1, 1, 1, 0, 0, 0};
  HeftJointDef joint = heft_joint_def_default();
  joint.body = heft_builder_add_body(r.builder, &body);
  heft_builder_add_joint(r.builder, &joint);
  assert_int_equal(heft_builder_finish(r.builder, &r.model, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "moved body 'base'"));
  heft_builder_destroy(r.builder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_carry),
      cmocka_unit_test(test_slip_onset),
      cmocka_unit_test(test_lift),
      cmocka_unit_test(test_push),
      cmocka_unit_test(test_conveyor),
      cmocka_unit_test(test_conveyor_has_no_normal_part),
      cmocka_unit_test(test_turntable),
      cmocka_unit_test(test_rotary_conveyor),
      cmocka_unit_test(test_target),
      cmocka_unit_test(test_sleep),
      cmocka_unit_test(test_weld),
      cmocka_unit_test(test_snapshot),
      cmocka_unit_test(test_no_contact_between_moved),
      cmocka_unit_test(test_mistakes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
