// SPDX-License-Identifier: Apache-2.0
// A robot that was pushed over gets up by its sensors. The long form (HEFT_LONG=1) pushes it from
// 20 directions, and 20 times at random.
#include "control/robot.h"
#include "examples/controller/rise.h"
#include "scenes/random.h"

typedef struct Trial {
  double angle, newtons, takes;  ///< of the push [rad, N, s]
  double stiff;                  ///< time until the joints give way [s]
} Trial;

typedef struct Outcome {
  int stands, tries, inexact;
  HeftVec3 down;  ///< direction of gravity in the pelvis, as it lay
  double took;    ///< time until it stood [s]
} Outcome;

static void topple(Lab* lab, const Trial* t) {
  const int chest = lab_body(lab, "chest");
  lab->goal.posture = lab->start;
  while (lab_time(lab) < 4) {
    const double now = lab_time(lab);
    if (now < t->takes) {
      const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(lab->world), chest).pos;
      const HeftVec3 push = {t->newtons * cos(t->angle), t->newtons * sin(t->angle), 0};
      heft_world_apply_wrench(lab->world, chest, at, push, heft_vec3(0, 0, 0));
    }
    if (now < t->stiff)
      lab_step_servo(lab, 8, 0.4);
    else
      lab_step_servo(lab, 0.1, 0.05);
  }
}

static Outcome run(const Trial* t) {
  Lab lab = robot_lab("hrp2_like.xml", pose_half_sitting);
  HeftError error = {0};
  Outcome out = {0};
  Balance robot;
  BalanceState standing;
  RiseState state;
  const HeftModel* m = lab.model;
  if (!balance_open(&robot, &standing, m, lab.start, &error)) fail_msg("%s", error.message);
  double* pose = calloc((size_t)m->nq, sizeof *pose);
  topple(&lab, t);
  const HeftState* s = heft_world_state(lab.world);
  const HeftQuat root = heft_quat(s->q[3], s->q[4], s->q[5], s->q[6]);
  out.down = heft_quat_rotate(heft_quat_conjugate(root), heft_vec3(0, 0, -1));
  rise_begin(&state, &standing);
  const double begun = lab_time(&lab);
  double since = 0;
  while (!out.stands && state.tries <= 4) {
    rise_step(&robot, &state, s->q, s->v, heft_world_sensors(lab.world), 0.001,
              heft_world_controls(lab.world), pose);
    out.inexact += !(lab_step_alone(&lab).relative <= 1e-3);
    since = state.key == RISE_UP && s->q[2] > 0.55 && s->q[2] < 0.75 ? since + 0.001 : 0;
    out.stands = since > 1;
  }
  out.tries = state.tries;
  out.took = lab_time(&lab) - begun;
  balance_close(&robot);
  free(pose);
  lab_release(&lab);
  return out;
}

static int rises(const Trial* t) {
  const Outcome o = run(t);
  printf(
      "%.0f N from %.0f degrees, gravity in the pelvis (%.2f %.2f %.2f): it %s, %d tries, %.1f s\n",
      t->newtons, t->angle * 180 / HEFT_PI, o.down.x, o.down.y, o.down.z,
      o.stands ? "stands" : "lies", o.tries, o.took);
  assert_int_equal(o.inexact, 0);
  return o.stands;
}

static void it_gets_up(void** state) {
  (void)state;
  int stands = 0, count = 0;
  const int step = getenv("HEFT_LONG") ? 1 : getenv("HEFT_SHORT") ? 20 : 10;
  for (int k = 0; k < 20; k += step, ++count) {
    const Trial t = {2 * HEFT_PI * k / 20, 250, 0.3, 0.15};
    stands += rises(&t);
  }
  printf("%d of %d stand\n", stands, count);
  CHECK_AT_MOST(0.9 * count, stands);
}

// Other falls than those that the keyframes were found with.
static void it_gets_up_from_other_falls(void** state) {
  (void)state;
  const int count = getenv("HEFT_LONG") ? 20 : 1;
  Random random = {11};
  int stands = 0;
  for (int k = 0; k < count; ++k) {
    const double angle = random_between(&random, 0, 2 * HEFT_PI);
    const double newtons = random_between(&random, 200, 400);
    const Trial t = {angle, newtons, 0.3, random_between(&random, 0, 0.6)};
    stands += rises(&t);
  }
  printf("%d of %d stand\n", stands, count);
  CHECK_AT_MOST(0.9 * count, stands);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_gets_up),
      cmocka_unit_test(it_gets_up_from_other_falls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
