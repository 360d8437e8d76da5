// SPDX-License-Identifier: Apache-2.0
#include "experiments/task.h"

enum { TRIES = 3 };
static const double moment = 0.15;  // a measured condition counts after it [s]
static const double longest = 1.5;  // of a grasp that closes on nothing [s]

#define TASK_TEXT(name, text) text,
const char* task_state(const Task* task) {
  static const char* const texts[] = {TASK_STATES(TASK_TEXT)};
  return texts[task->state];
}

const char* task_reason(int reason) {
  static const char* const texts[] = {TASK_REASONS(TASK_TEXT)};
  return reason >= 0 && reason < TASK_REASON_COUNT ? texts[reason] : "";
}

static int go(Task* t, int state, int reason) {
  t->state = state;
  t->reason = reason;
  t->since = t->lasted = 0;
  return 1;
}

// 1 if a condition has lasted for a moment.
static int lasts(Task* t, int condition, double dt) {
  t->lasted = condition ? t->lasted + dt : 0;
  return t->lasted > moment;
}

static int let_go(Task* t, int reason) {
  ++t->tries;
  return go(t, TASK_RELEASE, reason);
}

int task_step(Task* t, const TaskSense* s, double dt) {
  t->since += dt;
  switch ((TaskState)t->state) {
    case TASK_APPROACH:
      if (s->taken) return go(t, TASK_WAIT, TASK_HELD);
      if (s->asked && !s->within) return go(t, TASK_GIVE_UP, TASK_FAR);
      return lasts(t, s->asked && s->there, dt) && go(t, TASK_GRASP, TASK_NO_REASON);
    case TASK_WAIT:
      return lasts(t, !s->taken, dt) && go(t, TASK_APPROACH, TASK_NO_REASON);
    case TASK_GRASP:
      if (lasts(t, s->pressed, dt)) return go(t, TASK_CARRY, TASK_NO_REASON);
      return t->since > longest && let_go(t, TASK_NO_GRIP);
    case TASK_CARRY:
      if (s->ended) return go(t, TASK_RELEASE, TASK_NO_REASON);
      return lasts(t, !s->pressed, dt) && let_go(t, TASK_LOST);
    case TASK_RELEASE:
      if (!lasts(t, s->open, dt)) return 0;
      if (t->tries >= TRIES) return go(t, TASK_GIVE_UP, t->reason);
      return go(t, TASK_APPROACH, TASK_NO_REASON);
    case TASK_GIVE_UP:
      if (!s->ended || t->reason == TASK_NO_REASON) return 0;
      t->tries = 0;
      return go(t, TASK_APPROACH, TASK_NO_REASON);
    case TASK_STATE_COUNT:
      break;
  }
  return 0;
}
