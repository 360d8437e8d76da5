// SPDX-License-Identifier: Apache-2.0
// Papers: R73.
// A robot that stands and walks by its sensors, and steps when it is pushed; its estimate against
// the truth. The long form (HEFT_LONG=1) pushes in 16 directions at 8 times of a step.
#include "control/robot.h"
#include "examples/controller/balance.h"
#include "scenes/random.h"

typedef struct Trial {
  int walking;
  double angle, at, end;  ///< of the push [rad, s]; end of the trial [s]
  double newtons;         ///< for 0.2 s
  int noisy;              ///< 1: sensors and encoders are
} Trial;

typedef struct Outcome {
  int upright, inexact;
  double place, height, tilt, turn,
      speed;               ///< largest errors of the estimate [m, m, rad, rad, m/s]
  double drift, end_turn;  ///< errors at the end [m, rad]
  uint64_t hash;
} Outcome;

// Encoders see driven joints only: other entries are not numbers.
static void read_encoders(const HeftModel* m, const HeftState* s, Random* noise, double* q,
                          double* v) {
  for (int i = 0; i < m->nq; ++i) q[i] = (double)NAN;
  for (int i = 0; i < m->nv; ++i) v[i] = (double)NAN;
  for (int i = 0; i < m->nactuator; ++i) {
    const int j = m->actuator_target[i];
    q[m->joint_q[j]] = s->q[m->joint_q[j]] + (noise ? random_between(noise, -2e-4, 2e-4) : 0);
    v[m->joint_dof[j]] = s->v[m->joint_dof[j]] + (noise ? random_between(noise, -0.02, 0.02) : 0);
  }
}

static void compare(const HeftEstimator* e, const HeftState* s, Outcome* out) {
  const double *q = heft_estimator_q(e), *v = heft_estimator_v(e);
  const HeftQuat is = heft_quat(s->q[3], s->q[4], s->q[5], s->q[6]);
  const HeftVec3 turn =
      heft_quat_log(heft_quat_mul(heft_quat(q[3], q[4], q[5], q[6]), heft_quat_conjugate(is)));
  const HeftVec3 slow = heft_vec3_sub(heft_vec3_from(v), heft_vec3_from(s->v));
  out->drift = hypot(q[0] - s->q[0], q[1] - s->q[1]);
  out->end_turn = fabs(turn.z);
  out->place = fmax(out->place, out->drift);
  out->height = fmax(out->height, fabs(q[2] - s->q[2]));
  out->tilt = fmax(out->tilt, hypot(turn.x, turn.y));
  out->turn = fmax(out->turn, out->end_turn);
  out->speed = fmax(out->speed, heft_vec3_norm(slow));
}

static Outcome run(const Trial* t) {
  Lab lab = robot_lab("hrp2_like.xml", pose_half_sitting);
  HeftError error = {0};
  Outcome out = {.upright = 1};
  Balance robot;
  BalanceState state;
  Random noise = {7};
  const HeftModel* m = lab.model;
  if (!balance_open(&robot, &state, m, lab.start, &error)) fail_msg("%s", error.message);
  state.stepper.walking = t->walking;
  double *q = calloc((size_t)m->nq, sizeof *q), *v = calloc((size_t)m->nv, sizeof *v);
  double* sensors = calloc((size_t)m->nsensordata, sizeof *sensors);
  const int chest = lab_body(&lab, "chest");
  for (int i = 0; lab_time(&lab) < t->end && out.upright; ++i) {
    const HeftState* s = heft_world_state(lab.world);
    const double now = lab_time(&lab);
    read_encoders(m, s, t->noisy ? &noise : NULL, q, v);
    memcpy(sensors, heft_world_sensors(lab.world), (size_t)m->nsensordata * sizeof *sensors);
    for (int k = 0; k < 6 && t->noisy; ++k) sensors[k] += random_between(&noise, -0.02, 0.02);
    balance_step(&robot, &state, q, v, sensors, heft_world_controls(lab.world));
    compare(robot.estimator, s, &out);
    if (now >= t->at && now < t->at + 0.2) {
      const HeftVec3 push = {t->newtons * cos(t->angle), t->newtons * sin(t->angle), 0};
      const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(lab.world), chest).pos;
      heft_world_apply_wrench(lab.world, chest, at, push, heft_vec3(0, 0, 0));
    }
    const HeftStepReport r = lab_step_alone(&lab);
    out.inexact += !(r.relative <= 1e-3);
    out.upright = lab_upright(&lab);
  }
  out.hash = heft_state_hash(heft_world_state(lab.world));
  balance_close(&robot);
  free(q);
  free(v);
  free(sensors);
  lab_release(&lab);
  return out;
}

static void show(const char* what, const Outcome* o) {
  printf(
      "%s: at most %.1f mm, height %.1f mm, tilt %.2f mrad, heading %.2f mrad, %.1f mm/s; at the "
      "end %.1f mm, %.2f mrad\n",
      what, 1e3 * o->place, 1e3 * o->height, 1e3 * o->tilt, 1e3 * o->turn, 1e3 * o->speed,
      1e3 * o->drift, 1e3 * o->end_turn);
}

static void the_estimate_is_true(void** state) {
  (void)state;
  const Trial trials[3] = {{.end = 2, .at = 9},
                           {.walking = 1, .end = 5, .at = 9},
                           {.walking = 1, .end = 5, .at = 9, .noisy = 1}};
  static const char* const names[3] = {"standing", "walking", "walking, noisy"};
  static const double place[3] = {0.001, 0.003, 0.02}, tilt[3] = {1e-3, 2e-3, 8e-3},
                      speed[3] = {0.005, 0.01, 0.05};
  for (int k = 0; k < 3; ++k) {
    const Outcome o = run(&trials[k]);
    show(names[k], &o);
    assert_true(o.upright);
    CHECK_AT_MOST(o.place, place[k]);
    CHECK_AT_MOST(o.tilt, tilt[k]);
    CHECK_AT_MOST(o.speed, speed[k]);
  }
}

// Pushes of 40 N s at the chest.
static void steps_catch_it(void** state) {
  (void)state;
  const int phases = getenv("HEFT_LONG") ? 8 : 1;
  const int directions = getenv("HEFT_LONG") ? 16 : getenv("HEFT_SHORT") ? 1 : 3;
  for (int walking = 0; walking < 2; ++walking) {
    int caught = 0, inexact = 0, count = 0;
    Outcome worst = {0};
    for (int p = 0; p < (walking ? phases : 1); ++p) {
      for (int k = 0; k < directions; ++k) {
        const double at = walking ? 2.5 + 0.9 * p / phases : 1;
        const Trial t = {.walking = walking,
                         .angle = 2 * HEFT_PI * k / directions,
                         .at = at,
                         .end = at + (directions < 16 ? 1.5 : 3.5),
                         .newtons = 200};
        const Outcome o = run(&t);
        caught += o.upright;
        inexact += o.inexact;
        ++count;
        if (o.upright) {
          worst.place = fmax(worst.place, o.place);
          worst.tilt = fmax(worst.tilt, o.tilt);
          worst.turn = fmax(worst.turn, o.turn);
          worst.height = fmax(worst.height, o.height);
          worst.speed = fmax(worst.speed, o.speed);
        } else {
          printf("it falls: walking %d, %.1f degrees, phase %d\n", walking, 360.0 * k / directions,
                 p);
        }
      }
    }
    show(walking ? "pushed while it walks" : "pushed while it stands", &worst);
    printf("%d of %d caught, %d steps above 1e-3\n", caught, count, inexact);
    assert_int_equal(inexact, 0);
    CHECK_AT_MOST(0.95 * count, caught);
  }
}

static void the_same_bits(void** state) {
  (void)state;
  const Trial t = {.angle = 0.3, .at = 0.2, .end = 1, .newtons = 200};
  const Outcome a = run(&t), b = run(&t);
  assert_true(a.hash == b.hash);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_estimate_is_true),
      cmocka_unit_test(steps_catch_it),
      cmocka_unit_test(the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
