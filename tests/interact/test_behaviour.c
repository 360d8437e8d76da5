// SPDX-License-Identifier: Apache-2.0
// Papers: R53.
// Gestures told from forces, and what behaviours make of them.
#include <heft/device.h>
#include <string.h>

#include "interact/rig.h"
#include "support/check.h"

static const double dt = 1e-3;

typedef struct Told {
  int count[HEFT_GESTURE_COUNT];
} Told;

// Forces over time: amplitude, from, to, swings a second (0: steady), axis.
static Told play(HeftVec3 force, double from, double to, double frequency, double end,
                 const HeftBehaviour* behaviour, HeftBehaviourState* state, double* complied,
                 double* nod) {
  const HeftGestureDef def = heft_gesture_def_default();
  HeftGestureState gesture = {0};
  Told reported = {{0}};
  for (int i = 0; i * dt < end; ++i) {
    const double t = i * dt;
    const double swing = frequency > 0 ? heft_sin(2 * HEFT_PI * frequency * (t - from)) : 1;
    const HeftVec3 f = t >= from && t < to ? heft_vec3_scale(swing, force) : heft_vec3(0, 0, 0);
    const HeftGesture g = heft_gesture_step(&def, &gesture, f, dt);
    ++reported.count[g];
    if (!behaviour) continue;
    const HeftBehaviourInput in = {dt, {1, 2, 3}, f, g};
    HeftBehaviourOutput out = {0};
    behaviour->step(state, &in, &out);
    if (complied) *complied += dt * out.comply;
    if (nod) *nod = fmax(*nod, out.nod);
  }
  return reported;
}

static Told just(HeftVec3 force, double lasts, double frequency) {
  return play(force, 0.5, 0.5 + lasts, frequency, 4, NULL, NULL, NULL, NULL);
}

static void gestures_are_told_apart(void** state) {
  (void)state;
  Told t = just(heft_vec3(5, 0, 0), 0.1, 0);
  assert_int_equal(t.count[HEFT_GESTURE_TAP], 1);
  assert_int_equal(t.count[HEFT_GESTURE_PUSH] + t.count[HEFT_GESTURE_SHAKE], 0);
  t = just(heft_vec3(0, 5, 0), 2, 0);
  assert_int_equal(t.count[HEFT_GESTURE_PUSH], 1);
  assert_int_equal(t.count[HEFT_GESTURE_RELEASE], 1);
  assert_int_equal(t.count[HEFT_GESTURE_TAP] + t.count[HEFT_GESTURE_SHAKE], 0);
  t = just(heft_vec3(0, 0, 8), 2, 2);
  assert_int_equal(t.count[HEFT_GESTURE_SHAKE], 1);
  assert_int_equal(t.count[HEFT_GESTURE_PUSH] + t.count[HEFT_GESTURE_TAP], 0);
  t = just(heft_vec3(0.5, 0, 0), 2, 0);  // too weak
  assert_int_equal(t.count[HEFT_GESTURE_NONE], 4000);
  t = just(heft_vec3(5, 0, 0), 0.4, 0);  // neither short nor long
  assert_int_equal(t.count[HEFT_GESTURE_TAP] + t.count[HEFT_GESTURE_PUSH], 0);
}

static void behaviours_answer(void** state) {
  (void)state;
  HeftBehaviourState s = {0};
  double complied = 0, nod = 0;
  play(heft_vec3(0, 5, 0), 0.5, 2.5, 0, 4, heft_behaviour_at(0), &s, &complied, NULL);
  CHECK_AT_MOST(fabs(complied - 1.4), 0.01);  // from the moment that it is a push
  assert_int_equal(s.mode, 0);
  s = (HeftBehaviourState){0};
  complied = 0;
  play(heft_vec3(0, 0, 8), 0.5, 2.5, 2, 3, heft_behaviour_at(1), &s, &complied, &nod);
  CHECK_AT_MOST(fabs(complied - 1.2), 0.01);
  CHECK_AT_MOST(fabs(nod - 0.25), 1e-3);
  s = (HeftBehaviourState){0};
  complied = 0;
  play(heft_vec3(3, 0, 0), 0.5, 0.6, 0, 1, heft_behaviour_at(1), &s, &complied, NULL);
  assert_int_equal(s.mode, 2);  // looks
  assert_true(complied == 0 && s.at.y == 2);
  assert_null(heft_behaviour_at(2));
  assert_string_equal(heft_gesture_name(HEFT_GESTURE_SHAKE), "shake");
}

// An emulated hand taps a block with a device, and then leans on it.
static void a_hand_taps_and_pushes(void** state) {
  (void)state;
  static const char block[] =
      "<mujoco><option timestep='0.001'/><worldbody>"
      "<geom type='box' size='0.1 0.1 0.1'/></worldbody></mujoco>";
  RigDef def = rig_def(block);
  def.hand.start = heft_vec3(0, 0, 0.15);
  def.hand.hand_stiffness = 300;
  def.hand.hand_damping = 8;
  Rig r = rig_make(&def);
  assert_int_equal(HEFT_OK, heft_emulator_script(
                                r.hand,
                                "0 0 0 0.15; 0.5 0 0 0.15; 0.7 0 0 0.09; 0.75 0 0 0.15;"
                                "2 0 0 0.15; 2.3 0 0 0.08; 4 0 0 0.08; 4.2 0 0 0.15; 6 0 0 0.15"));
  const HeftGestureDef gestures = heft_gesture_def_default();
  HeftGestureState gesture = {0};
  Told reported = {{0}};
  for (int i = 0; i < 5500; ++i) {
    rig_tick(&r);
    const HeftVec3 on_robot = heft_vec3_neg(heft_probe_state(r.probe)->force);
    ++reported.count[heft_gesture_step(&gestures, &gesture, on_robot, 1e-3)];
  }
  assert_int_equal(reported.count[HEFT_GESTURE_TAP], 1);
  assert_int_equal(reported.count[HEFT_GESTURE_PUSH], 1);
  assert_int_equal(reported.count[HEFT_GESTURE_RELEASE], 1);
  assert_int_equal(reported.count[HEFT_GESTURE_SHAKE], 0);
  rig_end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gestures_are_told_apart),
      cmocka_unit_test(behaviours_answer),
      cmocka_unit_test(a_hand_taps_and_pushes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
