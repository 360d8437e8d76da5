// SPDX-License-Identifier: Apache-2.0
// Papers: R53, U11.
// Gestures, told by place and pattern of a touch.
//
// A contact begins above press_force and ends below release. A hand that holds is in contact
// whatever its force is, and swings about zero. Before a hand that holds nothing moves on, its
// contact is
//   a stroke  if the point of contact wanders over the surface,
//   a tap     if it ends within push_shortest and none follows within tap_quiet, else a knock,
//   a push    if it lasts, with more than push_force,
//   a rest    if it lasts, with less.
// A hand that holds
//   shakes    if its force swings: the force less its slow mean turns round by more than a right
//             angle, shake_swings times in a row; of a robot's hand that is a handshake,
//   leads     if its mean force lasts and does not swing.
#include <heft/interact.h>
#include <math.h>

#include "base/assert.h"

static const double quick = 0.01, slow = 0.5;  // time constants of the means [s]
static const double stride = 0.01;             // shorter ways are trembling [m]
static const double steady = 0.3;              // smaller shares of the mean force are no swings

#define NAME(name, text) text,
const char* heft_gesture_name(HeftGesture gesture) {
  static const char* const names[] = {HEFT_GESTURE_LIST(NAME)};
  return (int)gesture >= 0 && gesture < HEFT_GESTURE_COUNT ? names[gesture] : "";
}

HeftGestureDef heft_gesture_def_default(void) {
  return (HeftGestureDef){.press_force = 1,
                          .release = 0.5,
                          .tap_quiet = 0.35,
                          .push_shortest = 0.9,
                          .push_force = 4,
                          .stroke_length = 0.06,
                          .shake_force = 1.5,
                          .shake_swings = 4,
                          .shake_longest = 0.8};
}

static HeftVec3 follow(HeftVec3 mean, HeftVec3 now, double dt, double time) {
  return heft_vec3_add_scaled(mean, dt / (time + dt), heft_vec3_sub(now, mean));
}

// Counts swings, each by its largest force; a pause ends a row of them.
static void swing(const HeftGestureDef* d, HeftGestureState* s, double dt) {
  const HeftVec3 f = heft_vec3_sub(s->force, s->mean);
  const int turns = s->swings == 0 || heft_vec3_dot(f, s->side) < 0;
  s->last_swing += dt;
  if (s->last_swing > d->shake_longest) s->swings = 0;
  const double least = fmax(d->shake_force, steady * heft_vec3_norm(s->mean));
  if (heft_vec3_norm(f) < (turns ? least : heft_vec3_norm(s->side))) return;
  s->side = f;
  s->last_swing = 0;
  s->swings += turns;
}

// The path of the point over the surface.
static void wander(HeftGestureState* s, const HeftUserContact* touch) {
  const double way = heft_vec3_norm(heft_vec3_sub(touch->point, s->at));
  if (touch->body == s->body && way < stride) return;
  if (touch->body == s->body) s->path += way;
  s->at = touch->point;
  s->body = touch->body;
}

// A hand that leaves a surface may touch it again, which is no new contact.
static void begin_contact(const HeftGestureDef* d, HeftGestureState* s,
                          const HeftUserContact* touch) {
  s->touched = 1;
  if (s->reported && s->quiet < d->tap_quiet && !touch->held) return;
  s->held = touch->held;
  s->reported = HEFT_GESTURE_NONE;
  s->swings = 0;
  s->since = s->path = 0;
  s->mean = heft_vec3(0, 0, 0);
  s->at = touch->point;
  s->body = touch->body;
}

static HeftGesture wait_for_more(const HeftGestureDef* d, HeftGestureState* s, double dt) {
  const HeftGesture told = s->taps > 1 ? HEFT_GESTURE_KNOCK : HEFT_GESTURE_TAP;
  s->quiet += dt;
  if (s->taps == 0 || s->quiet < d->tap_quiet) return HEFT_GESTURE_NONE;
  s->taps = 0;
  return told;
}

// A hand that has held and lets go taps nothing.
static HeftGesture end_contact(HeftGestureState* s) {
  s->touched = 0;
  s->quiet = 0;
  if (s->reported) return HEFT_GESTURE_RELEASE;
  s->taps += !s->held;
  return HEFT_GESTURE_NONE;
}

static HeftGesture pattern(const HeftGestureDef* d, const HeftGestureState* s,
                           const HeftUserContact* touch) {
  const double mean = heft_vec3_norm(s->mean);
  const int lasts = s->since > d->push_shortest;
  if (touch->held && s->swings >= d->shake_swings)
    return touch->on_hand ? HEFT_GESTURE_HANDSHAKE : HEFT_GESTURE_SHAKE;
  if (s->held)
    return touch->held && mean > d->push_force &&
                   ((lasts && s->swings < 2) || s->last_swing > d->push_shortest)
               ? HEFT_GESTURE_LEAD
               : HEFT_GESTURE_NONE;
  if (s->path > d->stroke_length) return HEFT_GESTURE_STROKE;
  if (!lasts) return HEFT_GESTURE_NONE;
  return mean > d->push_force ? HEFT_GESTURE_PUSH : HEFT_GESTURE_REST;
}

// A contact keeps its gesture, except that more of it may come: a hand that rests may push or
// stroke, one that leads may shake.
static int tells_more(HeftGesture told, HeftGesture now) {
  if (told == HEFT_GESTURE_REST) return now == HEFT_GESTURE_PUSH || now == HEFT_GESTURE_STROKE;
  if (told == HEFT_GESTURE_LEAD) return now == HEFT_GESTURE_SHAKE || now == HEFT_GESTURE_HANDSHAKE;
  return told == HEFT_GESTURE_NONE && now != HEFT_GESTURE_NONE;
}

HeftGesture heft_gesture_step(const HeftGestureDef* d, HeftGestureState* s,
                              const HeftUserContact* touch, double dt) {
  HEFT_REQUIRE(d && s && touch && dt >= 0, HEFT_GESTURE_NONE);
  s->force = follow(s->force, touch->force, dt, quick);
  const double size = heft_vec3_norm(s->force);
  if (!s->touched && size <= d->press_force && !touch->held) return wait_for_more(d, s, dt);
  if (!s->touched || (touch->held && !s->held)) begin_contact(d, s, touch);
  s->since += dt;
  s->mean = follow(s->mean, touch->force, dt, slow);
  swing(d, s, dt);
  wander(s, touch);
  if (size < d->release && !touch->held) return end_contact(s);
  const HeftGesture now = pattern(d, s, touch);
  if (!tells_more((HeftGesture)s->reported, now)) return HEFT_GESTURE_NONE;
  s->reported = now;
  s->taps = 0;
  return now;
}
