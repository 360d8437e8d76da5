// SPDX-License-Identifier: Apache-2.0
// Papers: R53.
// Behaviours on the force of a person ([Keith 2008], section 2.1): one that serves the task, one
// that answers.
#include <heft/interact.h>
#include <string.h>

enum { REST = 0, LED = 1, LOOKING = 2, NODDING = 3 };

static const double look_time = 2, nod_time = 1.2, nod_angle = 0.25, linger = 0.5;

static void go(HeftBehaviourState* s, int mode, HeftVec3 at) {
  *s = (HeftBehaviourState){.mode = mode, .at = at};
}

// Task-induced: while a user pushes, the robot yields and watches the hand.
static void lead(HeftBehaviourState* s, const HeftBehaviourInput* in, HeftBehaviourOutput* out) {
  s->since += in->dt;
  if (in->gesture == HEFT_GESTURE_PUSH || in->gesture == HEFT_GESTURE_LEAD) go(s, LED, in->hand);
  if (s->mode == LED && in->gesture == HEFT_GESTURE_RELEASE) go(s, LOOKING, in->hand);
  if (s->mode == LOOKING && s->since > linger) go(s, REST, in->hand);
  out->comply = s->mode == LED;
  out->look = s->mode != REST;
  out->look_at = in->hand;
}

// Communication-induced: a tap is answered by a look at where it came from, a shaken hand by a nod.
static void greet(HeftBehaviourState* s, const HeftBehaviourInput* in, HeftBehaviourOutput* out) {
  s->since += in->dt;
  if (in->gesture == HEFT_GESTURE_TAP || in->gesture == HEFT_GESTURE_KNOCK)
    go(s, LOOKING, in->hand);
  if (in->gesture == HEFT_GESTURE_HANDSHAKE) go(s, NODDING, in->hand);
  if (s->mode == LOOKING && s->since > look_time) go(s, REST, s->at);
  if (s->mode == NODDING && s->since > nod_time) go(s, LOOKING, in->hand);
  const double share = s->mode == NODDING ? s->since / nod_time : 0;
  out->comply = s->mode == NODDING;  // the hand goes along
  out->look = s->mode != REST;
  out->look_at = s->mode == NODDING ? in->hand : s->at;
  out->nod = nod_angle * heft_sin(4 * HEFT_PI * share);
}

static const HeftBehaviour behaviours[] = {
    {"lead", "gives way while it is pushed, and watches the hand", lead},
    {"greet", "looks at who taps it, and nods when its hand is shaken", greet},
};

const HeftBehaviour* heft_behaviour_at(int index) {
  return index >= 0 && index < (int)(sizeof behaviours / sizeof *behaviours) ? &behaviours[index]
                                                                             : NULL;
}
