// SPDX-License-Identifier: Apache-2.0
// Papers: R53.
// Gestures told from touches, and what behaviours make of them.
#include <heft/device.h>
#include <string.h>

#include "interact/rig.h"
#include "support/check.h"

static const double dt = 1e-3;

typedef struct Told {
  int count[HEFT_GESTURE_COUNT];
} Told;

// A force over time.
typedef struct Play {
  HeftVec3 force;           ///< [N]
  double lasts, frequency;  ///< [s]; swings a second, 0: steady
  double again;             ///< it comes again after this time [s], 0: once
  double slide;             ///< speed of its point [m/s]
  int held, on_hand;
  double end;  ///< [s]
} Play;

static Told play(const Play* p, const HeftBehaviour* behaviour, HeftBehaviourState* state,
                 double* complied, double* nod) {
  const HeftGestureDef def = heft_gesture_def_default();
  HeftGestureState gesture = {0};
  Told reported = {{0}};
  for (int i = 0; i * dt < p->end; ++i) {
    const double since = i * dt - 0.5,
                 t = p->again > 0 && since >= p->again ? since - p->again : since;
    const int on = t >= 0 && t < p->lasts;
    const double swing = p->frequency > 0 ? heft_sin(2 * HEFT_PI * p->frequency * t) : 1;
    const HeftUserContact touch = {.body = on ? 3 : -1,
                                   .held = on && p->held,
                                   .on_hand = p->on_hand,
                                   .point = {0, on ? p->slide * t : 0, 0},
                                   .force = heft_vec3_scale(on ? swing : 0, p->force)};
    const HeftGesture g = heft_gesture_step(&def, &gesture, &touch, dt);
    ++reported.count[g];
    if (!behaviour) continue;
    const HeftBehaviourInput in = {dt, {1, 2, 3}, touch.force, g};
    HeftBehaviourOutput out = {0};
    behaviour->step(state, &in, &out);
    if (complied) *complied += dt * out.comply;
    if (nod) *nod = fmax(*nod, out.nod);
  }
  return reported;
}

// Exactly one gesture, and a release after it if it is one that lasts.
static void is_told(Play p, HeftGesture gesture, int release) {
  p.end = 5;
  const Told t = play(&p, NULL, NULL, NULL, NULL);
  for (int g = HEFT_GESTURE_NONE + 1; g < HEFT_GESTURE_COUNT; ++g)
    assert_int_equal(t.count[g], g == (int)gesture || (g == HEFT_GESTURE_RELEASE && release));
}

static void gestures_are_told_apart(void** state) {
  (void)state;
  static const HeftVec3 x = {6, 0, 0}, z = {0, 0, 8}, light = {0, 2, 0}, aslant = {3, -3, 3};
  is_told((Play){.force = x, .lasts = 0.1}, HEFT_GESTURE_TAP, 0);
  is_told((Play){.force = x, .lasts = 0.6}, HEFT_GESTURE_TAP, 0);
  is_told((Play){.force = x, .lasts = 0.1, .again = 0.35}, HEFT_GESTURE_KNOCK, 0);
  is_told((Play){.force = x, .lasts = 2}, HEFT_GESTURE_PUSH, 1);
  is_told((Play){.force = light, .lasts = 2}, HEFT_GESTURE_REST, 1);
  is_told((Play){.force = x, .lasts = 0.5, .slide = 0.2}, HEFT_GESTURE_STROKE, 1);
  is_told((Play){.force = x, .lasts = 2, .held = 1}, HEFT_GESTURE_LEAD, 1);
  is_told((Play){.force = z, .lasts = 2.5, .frequency = 2, .held = 1}, HEFT_GESTURE_SHAKE, 1);
  is_told((Play){.force = z, .lasts = 2.5, .frequency = 2, .held = 1, .on_hand = 1},
          HEFT_GESTURE_HANDSHAKE, 1);
  is_told((Play){.force = aslant, .lasts = 3, .frequency = 0.8, .held = 1, .on_hand = 1},
          HEFT_GESTURE_HANDSHAKE, 1);
  is_told((Play){.force = {0.9, 0, 0}, .lasts = 2}, HEFT_GESTURE_NONE, 0);  // too weak
  is_told((Play){.force = light, .lasts = 2, .held = 1}, HEFT_GESTURE_NONE, 0);
}

static void behaviours_answer(void** state) {
  (void)state;
  static const Play push = {.force = {0, 5, 0}, .lasts = 2.5, .end = 4},
                    shake = {.force = {0, 0, 8},
                             .lasts = 2.5,
                             .frequency = 2,
                             .held = 1,
                             .on_hand = 1,
                             .end = 3.5},
                    tap = {.force = {3, 0, 0}, .lasts = 0.1, .end = 1.2};
  HeftBehaviourState s = {0};
  double complied = 0, nod = 0;
  play(&push, heft_behaviour_at(0), &s, &complied, NULL);
  CHECK_AT_MOST(fabs(complied - 1.6), 0.05);  // from the moment that it is a push
  assert_int_equal(s.mode, 0);
  s = (HeftBehaviourState){0};
  complied = 0;
  play(&shake, heft_behaviour_at(1), &s, &complied, &nod);
  CHECK_AT_MOST(fabs(complied - 1.2), 0.01);
  CHECK_AT_MOST(fabs(nod - 0.25), 1e-3);
  s = (HeftBehaviourState){0};
  complied = 0;
  play(&tap, heft_behaviour_at(1), &s, &complied, NULL);
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
    const HeftProbeState* probe = heft_probe_state(r.probe);
    const HeftUserContact touch = {
        .body = probe->body, .point = probe->at.pos, .force = heft_vec3_neg(probe->force)};
    ++reported.count[heft_gesture_step(&gestures, &gesture, &touch, 1e-3)];
  }
  assert_int_equal(reported.count[HEFT_GESTURE_TAP], 1);
  assert_int_equal(reported.count[HEFT_GESTURE_PUSH], 1);
  assert_int_equal(reported.count[HEFT_GESTURE_RELEASE], 1);
  assert_int_equal(reported.count[HEFT_GESTURE_STROKE], 0);
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
