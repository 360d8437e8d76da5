// SPDX-License-Identifier: Apache-2.0
// Papers: R46.
// The six components of a held object at a wrist, against statics: a hand that is turned in space
// carries a box, and a user pulls at the box.
#include <heft/control.h>
#include <heft/io.h>
#include <string.h>

#include "support/check.h"

// A tray with a wrist in an odd frame; the finger is a body of its own beyond the wrist.
static const char* const text =
    "<mujoco><compiler angle='radian'/><option timestep='0.001'/><worldbody>"
    "<body name='arm' pos='0.1 -0.2 0.7' euler='0.3 -0.5 0.9'>"
    "<body name='hand' pos='0.05 0.02 0.1' euler='-0.2 0.4 1.1'>"
    "<site name='wrist' pos='0.01 0.03 -0.05' euler='0.7 0.1 -0.4'/></body></body>"
    "<body name='tray' pos='0 0 1'><geom type='box' size='0.2 0.2 0.01' friction='0.9'/>"
    "<site name='under' pos='0.03 -0.02 -0.1' euler='0.4 -0.3 0.8'/>"
    "<body name='finger' pos='0.11 0 0.06'><geom type='box' size='0.01 0.1 0.05' "
    "friction='0.9'/></body></body>"
    "<body name='box' pos='0.05 0 1.05'><freejoint/>"
    "<geom type='box' size='0.05 0.04 0.04' pos='0 0.005 0' mass='1.5' friction='0.9'/></body>"
    "</worldbody></mujoco>";

static HeftModel* model;
static HeftWorld* world;
static int site, box;

static int open_world(void** state) {
  (void)state;
  HeftError error = {0};
  if (heft_model_load_bytes(&model, text, strlen(text), "wrist.xml", NULL, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  assert_int_equal(heft_world_create(&world, model, NULL, &error), HEFT_OK);
  site = heft_model_find(model, HEFT_NAMED_SITE, "under");
  box = heft_model_find(model, HEFT_NAMED_BODY, "box");
  return 0;
}

static int close_world(void** state) {
  (void)state;
  heft_world_destroy(world);
  heft_model_destroy(model);
  return 0;
}

static void check_equal(HeftSpatial a, HeftSpatial b, double within) {
  CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(a.lin, b.lin)), within);
  CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(a.ang, b.ang)), within);
}

// Force at a point of the world in the frame of the wrist.
static HeftSpatial transported(HeftVec3 point, HeftVec3 force) {
  const HeftPose x = heft_dynamics_site_pose(heft_world_dynamics(world), site);
  const HeftVec3 torque = heft_vec3_cross(heft_vec3_sub(point, x.pos), force);
  return (HeftSpatial){heft_mat3_tmul_vec(x.rot, torque), heft_mat3_tmul_vec(x.rot, force)};
}

static HeftSpatial minus(HeftSpatial a, HeftSpatial b) {
  return (HeftSpatial){heft_vec3_sub(a.ang, b.ang), heft_vec3_sub(a.lin, b.lin)};
}

// At rest the wrist reads the weight. A pull in any direction adds the force of the user and its
// moment about the wrist, whether the tray carries it or the finger.
static void the_wrist_reads_six_components(void** state) {
  (void)state;
  const HeftVec3 none = {0, 0, 0};
  static const HeftVec3 pulls[5] = {{0, 0, 0}, {3, 0, 0}, {0, 2.5, -1}, {-2, 1, 3}, {6, -1, -20}};
  for (int k = 0; k < 5; ++k) {
    HeftVec3 at = none;
    for (int i = 0; i < 400; ++i) {
      const HeftPose x = heft_dynamics_body_pose(heft_world_dynamics(world), box);
      at = heft_pose_apply(x, heft_vec3(0.01, 0.015, 0.02));
      heft_world_apply_wrench(world, box, at, pulls[k], none);
      assert_true(heft_step_taken(heft_world_step(world).status));
    }
    const HeftSpatial read = heft_wrist_wrench(world, site, box),
                      weight = heft_wrist_weight(world, site, box, 1);
    check_equal(minus(read, weight), transported(at, pulls[k]), 1e-4);
    const HeftVec3 g = {0, 0, -1.5 * 9.81};
    const HeftPose x = heft_dynamics_body_pose(heft_world_dynamics(world), box);
    check_equal(weight, transported(heft_pose_apply(x, heft_vec3(0, 0.005, 0)), g), 1e-12);
  }
}

// A wrench in the frame of a wrist is the same load in the world.
static void a_wrench_becomes_a_load(void** state) {
  (void)state;
  const int wrist = heft_model_find(model, HEFT_NAMED_SITE, "wrist");
  const HeftSpatial w = {{0.3, -0.2, 0.7}, {4, 5, -6}};
  const HeftLoad load = heft_wrist_load(world, wrist, w);
  const HeftPose x = heft_dynamics_site_pose(heft_world_dynamics(world), wrist);
  assert_int_equal(load.body, heft_model_find(model, HEFT_NAMED_BODY, "hand"));
  CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(load.point, x.pos)), 1e-15);
  check_equal(
      (HeftSpatial){heft_mat3_tmul_vec(x.rot, load.torque), heft_mat3_tmul_vec(x.rot, load.force)},
      w, 1e-14);
  // nothing is held there
  check_equal(heft_wrist_wrench(world, wrist, box), (HeftSpatial){{0, 0, 0}, {0, 0, 0}}, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_wrist_reads_six_components, open_world, close_world),
      cmocka_unit_test_setup_teardown(a_wrench_becomes_a_load, open_world, close_world),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
