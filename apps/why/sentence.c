// SPDX-License-Identifier: Apache-2.0
#include "why/sentence.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A text that grows to its room.
typedef struct Text {
  char* at;
  size_t left;
} Text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(Text* t, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(t->at, t->left, format, args);
  va_end(args);
  const size_t used = n < 0 ? 0 : (size_t)n < t->left ? (size_t)n : t->left - 1;
  t->at += used;
  t->left -= used;
}

// ---- names

const char* why_body_text(const HeftModel* m, int body, int shape, char* text, size_t size) {
  const char* name = heft_model_name(m, HEFT_NAMED_BODY, body);
  const char* part = shape >= 0 ? heft_model_name(m, HEFT_NAMED_SHAPE, shape) : "";
  if (body > 0 && name[0])
    snprintf(text, size, "\"%.60s\"", name);
  else if (part[0])
    snprintf(text, size, "\"%.60s\"", part);
  else if (body > 0)
    snprintf(text, size, "body %d", body);
  else
    snprintf(text, size,
             shape >= 0 && m->shape_type[shape] == HEFT_SHAPE_PLANE ? "the ground" : "the world");
  return text;
}

// The bodies with a material, at most three.
static void put_users(Text* t, const HeftModel* m, int material) {
  char name[80];
  int seen = 0, last = -1, others = 0;
  for (int s = 0; s < m->nshape; ++s) {
    if (m->shape_material[s] != material || m->shape_body[s] == last) continue;
    last = m->shape_body[s];
    if (++seen > 3)
      ++others;
    else
      put(t, "%s%s", seen > 1 ? " and " : "", why_body_text(m, last, s, name, sizeof name));
  }
  if (others > 0) put(t, " and %d others", others);
}

static void put_signal(Text* t, const HeftModel* m, int signal) {
  if (signal < m->nactuator) {
    const char* name = heft_model_name(m, HEFT_NAMED_ACTUATOR, signal);
    name[0] ? put(t, "\"%.60s\"", name) : put(t, "actuator %d", signal);
    return;
  }
  const int joint = m->dof_joint[signal - m->nactuator];
  const char* name = heft_model_name(m, HEFT_NAMED_JOINT, joint);
  name[0] ? put(t, "the force at \"%.60s\"", name) : put(t, "the force at joint %d", joint);
}

// ---- causes

static double held_value(const WhyCause* c) { return why_value(&c->change, c->share); }

static void put_friction(Text* t, const HeftModel* m, const WhyCause* c) {
  char name[80];
  const WhyChange* k = &c->change;
  put(t, "the friction of ");
  if (k->kind == WHY_FRICTION) {
    const char* material = heft_model_name(m, HEFT_NAMED_MATERIAL, k->index);
    if (material[0])
      put(t, "\"%.60s\"", material);
    else
      put_users(t, m, k->index);
  } else if (k->kind == WHY_SHAPE_FRICTION) {
    put(t, "%s", why_body_text(m, m->shape_body[k->index], k->index, name, sizeof name));
  } else {
    put(t, "the pair \"%.60s\"", heft_model_name(m, HEFT_NAMED_PAIR, k->index));
  }
  put(t, " was %.3g instead of %.3g", k->from, k->to);
  if (c->holds) put(t, "; %.3g would have held", held_value(c));
}

static void put_start(Text* t, const HeftModel* m, const WhyCause* c) {
  const WhyChange* k = &c->change;
  const char* joint = heft_model_name(m, HEFT_NAMED_JOINT, k->index);
  const int free = m->joint_type[k->index] == HEFT_JOINT_FREE;
  char name[80];
  if (free) {
    put(t, "%s started %.3g mm from its place",
        why_body_text(m, m->joint_body[k->index], -1, name, sizeof name), 1e3 * k->from);
    if (c->holds) put(t, "; %.3g mm would have held", 1e3 * held_value(c));
    return;
  }
  if (joint[0])
    put(t, "\"%.60s\"", joint);
  else
    put(t, "the joint of %s", why_body_text(m, m->joint_body[k->index], -1, name, sizeof name));
  put(t, " started at %.4g instead of %.4g", k->from, k->to);
  if (c->holds) put(t, "; %.4g would have held", held_value(c));
}

static void put_timing(Text* t, const HeftModel* m, const WhyCause* c) {
  const double late = c->change.from, held = held_value(c);
  put(t, "the command of ");
  put_signal(t, m, c->change.index);
  put(t, " came %.3g s %s", fabs(late), late > 0 ? "late" : "early");
  if (c->holds) put(t, "; %.3g s %s would have held", fabs(held), late > 0 ? "late" : "early");
}

static void put_push(Text* t, const HeftModel* m, const WhyCause* c) {
  const WhyChange* k = &c->change;
  char name[80];
  put(t, "%s was pushed with %.4g N at %.3g s", why_body_text(m, k->index, -1, name, sizeof name),
      k->from, k->when);
  if (k->to > 0) put(t, " instead of with %.4g N", k->to);
  if (c->holds) put(t, "; %.4g N would have held", held_value(c));
}

static void put_altered(Text* t, const HeftModel* m, const WhyRun* run, const WhyCause* c) {
  const HeftChange* k = &run->actions[c->change.index].action.change;
  char name[80];
  put(t, "the %s of ", heft_change_name(k->kind));
  if (k->kind == HEFT_CHANGE_FRICTION)
    put_users(t, m, k->index);
  else if (k->kind == HEFT_CHANGE_MASS)
    put(t, "%s", why_body_text(m, k->index, -1, name, sizeof name));
  else if (k->kind == HEFT_CHANGE_GAIN)
    put_signal(t, m, k->index);
  else
    put(t, "the model");
  put(t, " changed from %.3g to %.3g at %.3g s", c->change.to, c->change.from, c->change.when);
  if (c->holds) put(t, "; %.3g would have held", held_value(c));
}

const char* why_cause_text(const HeftModel* m, const WhyRun* run, const WhyCause* c, char* text,
                           size_t size) {
  const WhyChange* k = &c->change;
  Text t = {text, size};
  char name[80];
  switch (k->kind) {
    case WHY_FRICTION:
    case WHY_SHAPE_FRICTION:
    case WHY_PAIR_FRICTION:
      put_friction(&t, m, c);
      break;
    case WHY_MASS:
      put(&t, "%s weighed %.4g kg instead of %.4g kg",
          why_body_text(m, k->index, -1, name, sizeof name), k->from, k->to);
      if (c->holds) put(&t, "; %.4g kg would have held", held_value(c));
      break;
    case WHY_GAIN:
    case WHY_COMMAND:
      put(&t, k->kind == WHY_GAIN ? "the gain of " : "the command of ");
      put_signal(&t, m, k->index);
      put(&t, " was %.4g instead of %.4g", k->from, k->to);
      if (c->holds) put(&t, "; %.4g would have held", held_value(c));
      break;
    case WHY_GRAVITY:
      put(&t, "gravity was %.4g m/s² instead of %.4g", k->from, k->to);
      if (c->holds) put(&t, "; %.4g would have held", held_value(c));
      break;
    case WHY_START:
      put_start(&t, m, c);
      break;
    case WHY_TIMING:
      put_timing(&t, m, c);
      break;
    case WHY_PUSH:
      put_push(&t, m, c);
      break;
    case WHY_ALTERED:
      put_altered(&t, m, run, c);
      break;
    case WHY_STANCE_FRICTION:
    case WHY_GRIP:
    case WHY_SHIFT:
    case WHY_KIND_COUNT:
      why_remedy_text(m, c, text, size);
      break;
  }
  return text;
}

const char* why_remedy_text(const HeftModel* m, const WhyCause* c, char* text, size_t size) {
  const WhyChange* k = &c->change;
  const double value = held_value(c);
  Text t = {text, size};
  char name[80];
  switch (k->kind) {
    case WHY_STANCE_FRICTION:
      put(&t, "friction %.4g instead of %.4g", value, k->from);
      break;
    case WHY_GRIP:
      put(&t, "a grip that is %.3g %% stronger", 100 * (value - 1));
      break;
    case WHY_MASS:
      put(&t, "%.4g kg instead of %.4g kg in %s", value, k->from,
          why_body_text(m, k->index, -1, name, sizeof name));
      break;
    case WHY_PUSH:
      put(&t, "a push of %.4g N instead of %.4g N", value, k->from);
      break;
    case WHY_SHIFT: {
      int joint = 0;
      while (joint + 1 < m->njoint && m->joint_q[joint + 1] <= k->index) ++joint;
      put(&t, "a start %.3g mm further towards %s%c", 1e3 * fabs(value - k->from),
          value < k->from ? "-" : "", "xyz"[(k->index - m->joint_q[joint]) % 3]);
      break;
    }
    case WHY_FRICTION:
    case WHY_SHAPE_FRICTION:
    case WHY_PAIR_FRICTION:
    case WHY_GAIN:
    case WHY_GRAVITY:
    case WHY_START:
    case WHY_COMMAND:
    case WHY_TIMING:
    case WHY_ALTERED:
    case WHY_KIND_COUNT:
      put(&t, "%s %.4g instead of %.4g", why_kind_word(k->kind), value, k->from);
  }
  return text;
}

// ---- answers

const char* why_event_text(const HeftModel* m, const WhyAnswer* a, const WhyEvent* e, char* text,
                           size_t size) {
  const int o = e->body[0] == a->object ? 0 : e->body[1] == a->object || e->body[0] == 0 ? 1 : 0;
  char object[80], other[80];
  why_body_text(m, e->body[o], e->shape[o], object, sizeof object);
  why_body_text(m, e->body[1 - o], e->shape[1 - o], other, sizeof other);
  if (e->end == WHY_MISSES)
    snprintf(text, size, "%s is never held by %s, which should hold it from %.3f s on", object,
             other, a->step * (double)e->held);
  else
    snprintf(text, size, "at %.3f s %s %s %s", a->step * (double)(e->onset - 1), object,
             why_end_word(e->end), other);
  return text;
}

static void put_causes(Text* t, const WhyQuestion* q, const WhyAnswer* a) {
  const HeftModel* m = heft_world_model(q->run->start);
  char clause[600];
  if (a->cause_count == 0) {
    put(t, ".");
    return;
  }
  if (!a->cause[0].holds) {
    put(t,
        ". No single deviation explains it; without the first of them it comes %.3g s later: %s.",
        a->cause[0].later, why_cause_text(m, q->run, &a->cause[0], clause, sizeof clause));
    return;
  }
  put(t, ", because %s.", why_cause_text(m, q->run, &a->cause[0], clause, sizeof clause));
  if (a->cause_count > 1 && a->cause[1].holds)
    put(t, " Another deviation that would have had to be smaller: %s.",
        why_cause_text(m, q->run, &a->cause[1], clause, sizeof clause));
}

// Remedies that undo the cause, or that nobody would try, are left to the list.
static int is_worth_naming(const WhyAnswer* a, const WhyCause* remedy) {
  const WhyChange *r = &remedy->change, *c = a->cause_count > 0 ? &a->cause[0].change : NULL;
  if (c && a->cause[0].holds && c->kind == r->kind && c->index == r->index) return 0;
  return fabs(why_value(r, remedy->share) - r->from) <= 2 * fabs(r->from);
}

const char* why_answer_text(const WhyQuestion* q, const WhyAnswer* a, char* text, size_t size) {
  const HeftModel* m = heft_world_model(q->run->start);
  Text t = {text, size};
  char clause[600];
  if (!a->found) {
    put(&t, "Nothing that %s gives way in %.3f s.", q->reference ? "the reference holds" : "rests",
        a->step * (double)q->run->steps);
    return text;
  }
  why_event_text(m, a, &a->event, clause, sizeof clause);
  if (clause[0] == 'a') clause[0] = 'A';
  put(&t, "%s", clause);
  put_causes(&t, q, a);
  int named = 0;
  for (int i = 0; i < a->remedy_count && named < 3; ++i)
    if (is_worth_naming(a, &a->remedy[i]))
      put(&t, "%s%s", named++ == 0 ? " It would have held with " : ", or ",
          why_remedy_text(m, &a->remedy[i], clause, sizeof clause));
  if (named > 0) put(&t, ".");
  return text;
}
