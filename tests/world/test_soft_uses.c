// SPDX-License-Identifier: Apache-2.0
// Papers: R7.
// Three uses of deformable bodies, as scenes: fingertips lift an egg, a hand with a soft palm holds
// a ball, a quadruped stands and trots on soft soles. All steps are solved, no element is inverted.
// HEFT_LONG=1 goes on for 10 s each.
#include <heft/io.h>

#include "stage.h"

static const double h = 0.002;  // of the scenes [s]

static double seconds(double brief) { return getenv("HEFT_LONG") ? 10 : brief; }

static Stage open_scene(const char* path, double friction) {
  HeftModel* model = NULL;
  HeftError error = {0};
  const HeftLoadDef def = heft_load_def_default();
  if (heft_model_load_file(&model, path, &def, &error) != HEFT_OK) fail_msg("%s", error.message);
  for (int i = 0; i < model->nmaterial; ++i) {
    model->material_friction[i] *= friction;
    model->material_kinetic[i] *= friction;
  }
  return stage_on(model, NULL);
}

static HeftPose pose_of(const Stage* s, const char* body) {
  int index;
  assert_int_equal(heft_model_lookup(s->model, HEFT_NAMED_BODY, body, &index, NULL), HEFT_OK);
  return heft_dynamics_body_pose(heft_world_dynamics(s->world), index);
}

static void step_solved(Stage* s) {
  const HeftStepReport r = stage_step(s);
  if (r.status != HEFT_STEP_SOLVED) fail_msg("%s", heft_step_status_text(r.status));
  CHECK_AT_MOST(r.relative, 1e-6);
}

static void run_solved(Stage* s, double time) {
  for (int i = 0; i < (int)(time / h); ++i) step_solved(s);
}

static void soft_fingertips_lift_an_egg(void** state) {
  (void)state;
  for (int slippery = 0; slippery < 2; ++slippery) {
    Stage s = open_scene("scenes/fingers.xml", slippery ? 0 : 1);
    if (slippery) {
      for (int i = 0; i < 200; ++i) stage_step(&s);
      CHECK_AT_MOST(pose_of(&s, "egg").pos.z, 0.03);
    } else {
      run_solved(&s, 0.5);
      const HeftVec3 egg = pose_of(&s, "egg").pos, hand = pose_of(&s, "hand").pos;
      run_solved(&s, seconds(0.8) - 0.5);
      const HeftVec3 egg_then = pose_of(&s, "egg").pos, hand_then = pose_of(&s, "hand").pos;
      assert_true(egg_then.z > 0.05);
      CHECK_AT_MOST(distance(heft_vec3_sub(egg, hand), heft_vec3_sub(egg_then, hand_then)), 1e-3);
    }
    stage_close(&s);
  }
}

static void a_hand_with_a_soft_palm_holds_a_ball(void** state) {
  (void)state;
  Stage s = open_scene("scenes/skin.xml", 1);
  run_solved(&s, 0.9);
  const HeftVec3 ball = pose_of(&s, "ball").pos;
  run_solved(&s, seconds(1) - 0.9);
  CHECK_AT_MOST(distance(ball, pose_of(&s, "ball").pos), 2e-3);
  stage_close(&s);
}

// The torques of examples/plugin/trot.c.
static void trot(const Stage* s, double time) {
  static const char* const legs[4] = {"lf", "rh", "rf", "lh"};
  double* force = heft_world_joint_forces(s->world);
  const double wave = sin(4 * HEFT_PI * time);
  for (int leg = 0; leg < 4; ++leg) {
    const double lift = fmax(leg < 2 ? wave : -wave, 0), side = legs[leg][1] == 'f' ? 1 : -1;
    for (int k = 0; k < 2; ++k) {
      char name[16];
      int joint;
      snprintf(name, sizeof name, "%s_%s", legs[leg], k ? "kfe" : "hfe");
      assert_int_equal(heft_model_lookup(s->model, HEFT_NAMED_JOINT, name, &joint, NULL), HEFT_OK);
      force[s->model->joint_dof[joint]] = 40 * side * 0.5 * lift * (k ? -2 : 1);
    }
  }
}

// Soles on the floor, as bits.
static int soles_down(const Stage* s) {
  int down = 0;
  for (int d = 0; d < s->model->ndeformable; ++d) {
    const int* body = s->model->node_body + s->model->deformable_node[d];
    for (int i = 0; i < s->model->deformable_node_count[d]; ++i)
      down |= (heft_world_contact_wrench(s->world, body[i], heft_vec3(0, 0, 0)).lin.z > 0) << d;
  }
  return down;
}

static void a_quadruped_trots_on_soft_soles(void** state) {
  (void)state;
  Stage s = open_scene("scenes/soles.xml", 1);
  run_solved(&s, 0.25);
  assert_int_equal(soles_down(&s), 15);
  int lifted = 0;
  for (int i = 0; i < (int)(seconds(0.5) / h); ++i) {
    trot(&s, i * h);
    step_solved(&s);
    lifted |= 15 & ~soles_down(&s);
    const HeftPose trunk = pose_of(&s, "trunk");
    assert_true(trunk.pos.z > 0.45 && heft_mat3_column(trunk.rot, 2).z > 0.9);
  }
  assert_int_equal(lifted, 15);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(soft_fingertips_lift_an_egg),
                                     cmocka_unit_test(a_hand_with_a_soft_palm_holds_a_ball),
                                     cmocka_unit_test(a_quadruped_trots_on_soft_soles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
