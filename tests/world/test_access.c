// SPDX-License-Identifier: Apache-2.0
// Access by name agrees with access by index; wrong names are refused with the nearest one, wrong
// counts and numbers with a reason, and nothing changes then.
#include <heft/access.h>
#include <string.h>

#include "support/check.h"
#include "support/scene.h"

static HeftModel* model;
static HeftWorld* world;

static int open_world(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><worldbody>"
      "<geom type='plane' size='0 0 1'/>"
      "<body name='base' pos='0 0 1'><joint name='turn' axis='0 0 1'/>"
      "<inertial pos='0.1 0 0' mass='1' diaginertia='1 1 1'/>"
      "<body name='hand' pos='0.5 0 0'><joint name='ball' type='ball'/>"
      "<inertial pos='0 0.2 0' mass='2' diaginertia='1 1 1'/><site name='tip' pos='0 0 "
      "0.1'/></body></body>"
      "<body name='box' pos='3 0 0.1'><freejoint name='free'/>"
      "<geom type='box' size='0.1 0.1 0.1' mass='4'/></body>"
      "</worldbody>"
      "<actuator><motor name='drive' joint='turn'/></actuator>"
      "<sensor><framepos name='where' objtype='site' objname='tip'/></sensor>"
      "<keyframe><key name='bent' time='2' qpos='0.5 1 0 0 0 3 0 0.1 1 0 0 0' "
      "qvel='0.1 0 0 0 0 0 0 0 0 0' ctrl='0.3'/></keyframe></mujoco>";
  model = scene_model(text);
  world = scene_world(model);
  return 0;
}

static int close_world(void** state) {
  (void)state;
  heft_world_destroy(world);
  heft_model_destroy(model);
  return 0;
}

static void other_headers_are_refused(void** state) {
  (void)state;
  HeftWorld* other = NULL;
  HeftError error = {0};
  assert_int_equal(heft_world_create_for(&other, model, NULL, HEFT_ABI_VERSION + 1, &error),
                   HEFT_ERR_VERSION);
  assert_null(other);
  assert_non_null(strstr(error.message, "compile the program again"));
  HeftWorldDef def;
  memset(&def, 0, sizeof def);
  assert_int_equal(heft_world_create(&other, model, &def, &error), HEFT_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, "heft_world_def_default"));
}

static void a_keyframe_sets_state_and_controls(void** state) {
  (void)state;
  heft_world_joint_forces(world)[0] = 5;
  assert_int_equal(heft_world_reset_to_key(world, "bent", NULL), HEFT_OK);
  assert_true(*heft_world_state(world)->time == 2);
  assert_true(heft_world_state(world)->q[0] == 0.5 && heft_world_state(world)->v[0] == 0.1);
  assert_true(heft_world_controls(world)[0] == 0.3);
  assert_true(heft_world_joint_forces(world)[0] == 0);
  HeftError error = {0};
  assert_int_equal(heft_world_reset_to_key(world, "bend", &error), HEFT_ERR_NAME);
  assert_non_null(strstr(error.message, "bent"));
}

static void joints_are_set_and_read(void** state) {
  (void)state;
  const double angle = 0.25, turned[4] = {0.8, 0.6, 0, 0}, rate[3] = {1, 2, 3};
  double q[4], v[3];
  assert_int_equal(heft_world_set_joint_position(world, "turn", &angle, 1, NULL), HEFT_OK);
  assert_int_equal(heft_world_set_joint_position(world, "ball", turned, 4, NULL), HEFT_OK);
  assert_int_equal(heft_world_set_joint_velocity(world, "ball", rate, 3, NULL), HEFT_OK);
  assert_true(heft_world_state(world)->q[0] == angle);
  assert_int_equal(heft_world_joint_position(world, "ball", q, 4, NULL), HEFT_OK);
  assert_int_equal(heft_world_joint_velocity(world, "ball", v, 3, NULL), HEFT_OK);
  CHECK_AT_MOST(relative_error(q, turned, 4), 1e-15);
  CHECK_AT_MOST(relative_error(v, rate, 3), 0);
}

static void wrong_counts_and_numbers_change_nothing(void** state) {
  (void)state;
  const uint64_t before = heft_world_hash(world);
  const double bad[4] = {NAN, 0, 0, 0}, zero[4] = {0, 0, 0, 0};
  HeftError error = {0};
  assert_int_equal(heft_world_set_joint_position(world, "ball", zero, 3, &error),
                   HEFT_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, "'ball' has 4 numbers, 3 were given"));
  assert_int_equal(heft_world_set_joint_position(world, "ball", zero, 4, &error), HEFT_ERR_VALUE);
  assert_int_equal(heft_world_set_joint_position(world, "turn", bad, 1, &error), HEFT_ERR_VALUE);
  assert_int_equal(heft_world_set_joint_velocity(world, "trun", zero, 1, &error), HEFT_ERR_NAME);
  assert_non_null(strstr(error.message, "turn"));
  assert_true(heft_world_hash(world) == before);
}

static void poses_velocities_and_sensors_agree(void** state) {
  (void)state;
  const double rate = 2;
  HeftPose hand, tip;
  HeftSpatial velocity;
  double where[3];
  assert_int_equal(heft_world_set_joint_velocity(world, "turn", &rate, 1, NULL), HEFT_OK);
  assert_int_equal(heft_world_body_pose(world, "hand", &hand, NULL), HEFT_OK);
  assert_int_equal(heft_world_site_pose(world, "tip", &tip, NULL), HEFT_OK);
  assert_int_equal(heft_world_body_velocity(world, "hand", &velocity, NULL), HEFT_OK);
  assert_int_equal(heft_world_sensor(world, "where", where, 3, NULL), HEFT_OK);
  CHECK_AT_MOST(fabs(hand.pos.x - 0.5), 1e-15);
  CHECK_AT_MOST(fabs(velocity.lin.y - 1), 1e-14);
  CHECK_AT_MOST(fabs(velocity.ang.z - 2), 1e-14);
  CHECK_AT_MOST(fabs(where[0] - tip.pos.x) + fabs(where[2] - tip.pos.z), 1e-14);
  assert_int_equal(heft_world_sensor(world, "where", where, 2, NULL), HEFT_ERR_ARGUMENT);
  assert_int_equal(heft_world_site_pose(world, "hand", &tip, NULL), HEFT_ERR_NAME);
}

static void controls_are_set_and_read(void** state) {
  (void)state;
  double value = 0;
  assert_int_equal(heft_world_set_control(world, "drive", 0.75, NULL), HEFT_OK);
  assert_true(heft_world_controls(world)[0] == 0.75);
  assert_int_equal(heft_world_control(world, "drive", &value, NULL), HEFT_OK);
  assert_true(value == 0.75);
  assert_int_equal(heft_world_set_control(world, "dirve", 1, NULL), HEFT_ERR_NAME);
}

// A force at the centre of mass of a free box does not turn it; the ground carries its weight.
static void forces_are_applied_and_read(void** state) {
  (void)state;
  HeftVec3 force = {0, 0, 0};
  HeftSpatial velocity;
  for (int i = 0; i < 100; ++i) heft_world_step(world);
  assert_int_equal(heft_world_body_contact_force(world, "box", &force, NULL), HEFT_OK);
  CHECK_AT_MOST(fabs(force.z - 4 * 9.81), 1e-6);
  assert_int_equal(heft_world_apply_force(world, "box", heft_vec3(0, 0, 400), NULL), HEFT_OK);
  const double h = heft_world_step(world).time / 101;
  assert_int_equal(heft_world_body_velocity(world, "box", &velocity, NULL), HEFT_OK);
  CHECK_AT_MOST(fabs(velocity.lin.z - (100 - 9.81) * h), 1e-9);
  CHECK_AT_MOST(heft_vec3_norm(velocity.ang), 1e-12);
}

int main(void) {
#define WITH_WORLD(test) cmocka_unit_test_setup_teardown(test, open_world, close_world)
  const struct CMUnitTest tests[] = {
      WITH_WORLD(other_headers_are_refused),
      WITH_WORLD(a_keyframe_sets_state_and_controls),
      WITH_WORLD(joints_are_set_and_read),
      WITH_WORLD(wrong_counts_and_numbers_change_nothing),
      WITH_WORLD(poses_velocities_and_sensors_agree),
      WITH_WORLD(controls_are_set_and_read),
      WITH_WORLD(forces_are_applied_and_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
