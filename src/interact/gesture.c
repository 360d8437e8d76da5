// SPDX-License-Identifier: Apache-2.0
// Papers: R53, U11.
// Gestures: a tap is a short touch, a push a long one, a shake a force that swings to and fro along
// one axis.
#include <heft/interact.h>
#include <math.h>

#include "base/assert.h"

#define NAME(name, text) text,
const char* heft_gesture_name(HeftGesture gesture) {
  static const char* const names[] = {HEFT_GESTURE_LIST(NAME)};
  return (int)gesture >= 0 && gesture < HEFT_GESTURE_COUNT ? names[gesture] : "";
}

HeftGestureDef heft_gesture_def_default(void) {
  return (HeftGestureDef){.press_force = 1,
                          .release = 0.5,
                          .tap_longest = 0.25,
                          .tap_quiet = 0.2,
                          .push_shortest = 0.6,
                          .shake_force = 2,
                          .shake_swings = 4,
                          .shake_longest = 0.6};
}

static double along(HeftVec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static int strongest(HeftVec3 v) {
  const double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

// Counts swings; a pause ends a row of them.
static int swings(const HeftGestureDef* d, HeftGestureState* s, HeftVec3 force, double dt) {
  s->last_swing += dt;
  if (s->last_swing > d->shake_longest) s->swings = s->side = 0;
  if (s->swings == 0) s->axis = strongest(force);
  const double f = along(force, s->axis);
  const int side = f > d->shake_force ? 1 : f < -d->shake_force ? -1 : 0;
  if (side == 0 || side == s->side) return s->swings;
  s->side = side;
  s->last_swing = 0;
  return ++s->swings;
}

static void begin_contact(HeftGestureState* s) {
  s->touched = 1;
  if (!s->pending) s->since = s->reported = 0;
  s->pending = 0;
}

// A short touch is a tap if nothing follows: the first swing of a shake looks the same.
static HeftGesture wait_for_more(const HeftGestureDef* d, HeftGestureState* s, double dt) {
  s->quiet += dt;
  if (!s->pending || s->quiet < d->tap_quiet) return HEFT_GESTURE_NONE;
  s->pending = 0;
  return HEFT_GESTURE_TAP;
}

static HeftGesture end_contact(const HeftGestureDef* d, HeftGestureState* s) {
  s->touched = 0;
  s->quiet = 0;
  s->pending = !s->reported && s->since <= d->tap_longest;
  return s->reported ? HEFT_GESTURE_RELEASE : HEFT_GESTURE_NONE;
}

HeftGesture heft_gesture_step(const HeftGestureDef* d, HeftGestureState* s, HeftVec3 force,
                              double dt) {
  HEFT_REQUIRE(d && s && dt >= 0, HEFT_GESTURE_NONE);
  const double size = heft_vec3_norm(force);
  const int shaking = swings(d, s, force, dt) >= d->shake_swings;
  if (!s->touched && size > d->press_force) begin_contact(s);
  if (!s->touched) return wait_for_more(d, s, dt);
  s->since += dt;
  if (shaking && s->reported != HEFT_GESTURE_SHAKE) {
    s->reported = HEFT_GESTURE_SHAKE;
    return HEFT_GESTURE_SHAKE;
  }
  // Between two swings the force goes through zero: that is no release.
  if (size < d->release && (s->swings < 2 || s->last_swing > 0.5 * d->shake_longest))
    return end_contact(d, s);
  if (!s->reported && s->swings < 2 && s->since > d->push_shortest) {
    s->reported = HEFT_GESTURE_PUSH;
    return HEFT_GESTURE_PUSH;
  }
  return HEFT_GESTURE_NONE;
}
