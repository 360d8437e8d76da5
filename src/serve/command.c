// SPDX-License-Identifier: Apache-2.0
// Indices are checked here, once, before a command enters the queue. Controls are limited to their
// range, as in the window.
#include "serve/command.h"

#include <math.h>
#include <stdio.h>

enum { STEPS_MAX = 1000 };

static int in_range(int index, int min, int count, const char* what, char* why) {
  if (index >= min && index < count) return 1;
  if (count > min)
    snprintf(why, MESSAGE_WHY, "there is no %s %d; they have the numbers %d to %d", what, index,
             min, count - 1);
  else
    snprintf(why, MESSAGE_WHY, "the model has no %s", what);
  return 0;
}

static double limited(const HeftModel* m, int actuator, double value) {
  const double* range = m->actuator_control_range + 2L * actuator;
  return m->actuator_control_limited[actuator] ? fmin(fmax(value, range[0]), range[1]) : value;
}

static const char* key_name(const void* model, int index) {
  return heft_model_name(model, HEFT_NAMED_KEY, index);
}

static int find_key(const HeftModel* m, const char* name, int* out, char* why) {
  char hint[120];
  *out = name[0] ? heft_model_find(m, HEFT_NAMED_KEY, name) : -1;
  if (!name[0] || *out >= 0) return 1;
  heft_names_hint((HeftNames){key_name, m, m->nkey}, name, hint, sizeof hint);
  snprintf(why, MESSAGE_WHY, "the model has no keyframe '%.60s'; %s", name, hint);
  return 0;
}

int command_make(const Message* s, const HeftModel* m, int user, Command* out,
                 char why[MESSAGE_WHY]) {
  *out = (Command){.kind = s->kind, .user = user, .at = heft_vec3_from(s->at)};
  switch (s->kind) {
    case MESSAGE_PULL:
      out->index = s->body;
      out->vector = heft_vec3_from(s->target);
      return in_range(s->body, 1, m->nbody, "body", why);
    case MESSAGE_PUSH:
      out->index = s->body;
      out->vector = heft_vec3_from(s->impulse);
      return in_range(s->body, 1, m->nbody, "body", why);
    case MESSAGE_CONTROL:
      if (!in_range(s->actuator, 0, m->nactuator, "actuator", why)) return 0;
      out->index = s->actuator;
      out->value = limited(m, s->actuator, s->value);
      return 1;
    case MESSAGE_RUN:
      out->index = s->running;
      return 1;
    case MESSAGE_STEP:
      out->index = s->count;
      return in_range(s->count, 1, STEPS_MAX + 1, "count of steps", why);
    case MESSAGE_RESET:
      return find_key(m, s->key, &out->index, why);
    case MESSAGE_HELLO:
    case MESSAGE_MODEL:
    case MESSAGE_JOIN:
    case MESSAGE_RELEASE:
    case MESSAGE_COUNT:
      break;
  }
  return s->kind == MESSAGE_RELEASE;
}
