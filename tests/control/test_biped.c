// SPDX-License-Identifier: Apache-2.0
// Papers: R66.
// A robot that stands, is pushed, and takes steps; the same bits every time.
#include "control/robot.h"

static void it_stands(void** state) {
  (void)state;
  Lab lab = robot_lab("hrp2_like.xml", pose_half_sitting);
  for (int i = 0; i < 1500; ++i) lab_step(&lab);
  const double weight = heft_model_mass(lab.model) * lab.gravity;
  const double force = lab_foot_force(&lab, 0, NULL) + lab_foot_force(&lab, 1, NULL);
  assert_true(lab_upright(&lab));
  CHECK_AT_MOST(fabs(force / weight - 1), 1e-3);
  HeftVec3 v;
  const HeftVec3 com = heft_whole_body_com(heft_biped_whole_body(lab.biped), &v);
  CHECK_AT_MOST(fabs(com.x - lab.goal.com.x), 1e-3);
  CHECK_AT_MOST(fabs(com.y - lab.goal.com.y), 1e-3);
  CHECK_AT_MOST(heft_vec3_norm(v), 2e-3);
  CHECK_AT_MOST(lab.worst_relative, 1e-6);
  lab_release(&lab);
}

// A push of 60 N at the chest for 0.2 s, from the front and from the side; without control it
// falls.
static void it_keeps_its_balance(void** state) {
  (void)state;
  for (int way = 0; way < 3; ++way) {
    Lab lab = robot_lab("hrp2_like.xml", pose_half_sitting);
    const int chest = lab_body(&lab, "chest");
    for (int i = 0; i < 2500; ++i) {
      const double push = i >= 200 && i < 400 ? 60 : 0;
      const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(lab.world), chest).pos;
      heft_world_apply_wrench(lab.world, chest, at,
                              heft_vec3(way == 1 ? 0 : -push, way == 1 ? push : 0, 0),
                              heft_vec3(0, 0, 0));
      if (way == 2) {
        lab_step_alone(&lab);
      } else {
        lab_step(&lab);
      }
    }
    const HeftState* s = heft_world_state(lab.world);
    if (way == 2) {
      assert_true(s->q[2] < 0.9 * lab.start[2]);
    } else {
      CHECK_AT_MOST(fabs(s->q[2] - lab.start[2]), 0.01);
      CHECK_AT_MOST(fabs(s->q[0] - lab.start[0]) + fabs(s->q[1] - lab.start[1]), 0.06);
    }
    lab_release(&lab);
  }
}

static uint64_t walk(double* way) {
  Lab lab = robot_lab("hrp2_like.xml", pose_half_sitting);
  HeftWalkDef def = heft_walk_def_default();
  def.steps = 3;
  HeftWalk* plan = NULL;
  assert_int_equal(heft_walk_create(&plan, &def, &lab.goal, lab.gravity, NULL), HEFT_OK);
  while (lab_time(&lab) < heft_walk_duration(plan)) {
    heft_walk_goal(plan, lab_time(&lab), &lab.goal, NULL);
    lab_step(&lab);
  }
  heft_walk_destroy(plan);
  assert_true(lab_upright(&lab));
  *way = heft_world_state(lab.world)->q[0] - lab.start[0];
  const uint64_t hash = heft_world_hash(lab.world);
  lab_release(&lab);
  return hash;
}

static void it_walks(void** state) {
  (void)state;
  double way = 0, again = 0;
  const uint64_t first = walk(&way), second = walk(&again);
  CHECK_AT_MOST(fabs(way - 0.4), 0.05);
  assert_true(first == second);
}

static void a_plan_obeys_its_pendulum(void** state) {
  (void)state;
  Lab lab = robot_lab("hrp2_like.xml", pose_half_sitting);
  HeftWalk* plan = NULL;
  assert_int_equal(heft_walk_create(&plan, NULL, &lab.goal, lab.gravity, NULL), HEFT_OK);
  HeftBipedGoal a = lab.goal, b = lab.goal;
  HeftVec3 zmp;
  const double h = 0.001, w2 = lab.gravity / lab.goal.com.z;
  for (double t = 0.1; t < heft_walk_duration(plan) - 0.1; t += 0.05) {
    heft_walk_goal(plan, t - h, &a, NULL);
    heft_walk_goal(plan, t + h, &b, NULL);
    const HeftVec3 v = heft_vec3_scale(0.5 / h, heft_vec3_sub(b.com, a.com));
    const HeftVec3 acc = heft_vec3_scale(0.5 / h, heft_vec3_sub(b.com_velocity, a.com_velocity));
    heft_walk_goal(plan, t, &a, &zmp);
    CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(v, a.com_velocity)), 1e-3);
    CHECK_AT_MOST(fabs(acc.x - w2 * (a.com.x - zmp.x)), 0.02);
    CHECK_AT_MOST(fabs(acc.y - w2 * (a.com.y - zmp.y)), 0.02);
  }
  HeftWalkDef wrong = heft_walk_def_default();
  wrong.steps = 0;
  HeftError error = {0};
  HeftWalk* none = NULL;
  assert_int_equal(heft_walk_create(&none, &wrong, &lab.goal, lab.gravity, &error), HEFT_ERR_VALUE);
  assert_true(error.message[0] && !none);
  heft_walk_destroy(plan);
  lab_release(&lab);
}

// Two steps to the side and back: both feet arrive beside each other, and never come closer.
static void a_plan_goes_sideways(void** state) {
  (void)state;
  Lab lab = robot_lab("hrp2_like.xml", pose_half_sitting);
  HeftWalkDef def = heft_walk_def_default();
  def.steps = 2;
  def.length = -0.1;
  def.side = 0.08;
  def.first = 0;
  HeftWalk* plan = NULL;
  assert_int_equal(heft_walk_create(&plan, &def, &lab.goal, lab.gravity, NULL), HEFT_OK);
  HeftBipedGoal goal = lab.goal;
  const double apart = goal.foot[0].pos.y - goal.foot[1].pos.y;
  for (double t = 0; t < heft_walk_duration(plan); t += 0.02) {
    heft_walk_goal(plan, t, &goal, NULL);
    assert_true(goal.foot[0].pos.y - goal.foot[1].pos.y > apart - 1e-12);
  }
  heft_walk_goal(plan, heft_walk_duration(plan), &goal, NULL);
  for (int side = 0; side < 2; ++side) {
    const HeftVec3 way = heft_vec3_sub(goal.foot[side].pos, lab.goal.foot[side].pos);
    CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(way, heft_vec3(-0.1, 0.08, 0))), 1e-12);
  }
  const HeftVec3 way = heft_vec3_sub(goal.com, lab.goal.com);
  CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(way, heft_vec3(-0.1, 0.08, 0))), 2e-3);
  heft_walk_destroy(plan);
  lab_release(&lab);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_stands),
      cmocka_unit_test(it_keeps_its_balance),
      cmocka_unit_test(it_walks),
      cmocka_unit_test(a_plan_obeys_its_pendulum),
      cmocka_unit_test(a_plan_goes_sideways),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
