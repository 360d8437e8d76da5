// SPDX-License-Identifier: Apache-2.0
#include "why/cause.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "why/deviations.h"
#include "why/remedies.h"

enum { HALVINGS = 12 };
static const double slack = 0.25,       // by which events may differ from the reference [s]
    horizon = 0.5;                      // after the event that a trial has to hold, without one [s]
static const long most_steps = 100000;  // of all trials, before remedies are left out

double why_value(const WhyChange* c, double share) { return c->from + share * (c->to - c->from); }

void why_answer_release(WhyAnswer* a) {
  free(a->cause);
  a->cause = NULL;
  a->cause_count = 0;
}

// ---- trials

typedef struct Search {
  const WhyQuestion* question;
  WhyAnswer* answer;
  WhyWatch *reference, *watch;
  HeftError* error;
} Search;

// 1: the run holds with a share of a change, 0: it does not, -1: failed.
static int holds(const Search* s, const WhyChange* change, double share) {
  const WhyTrial trial = {.run = s->question->run,
                          .other = s->question->reference,
                          .change = change,
                          .share = share,
                          .watch = s->watch};
  if (!why_trial(&trial, s->error)) return -1;
  ++s->answer->trials;
  s->answer->steps += s->watch->step;
  return s->watch->event_count == 0 && !s->watch->broken;
}

// Between a share that fails and one that holds.
static int bisect(const Search* s, WhyCause* c) {
  for (int k = 0; k < HALVINGS; ++k) {
    const double middle = 0.5 * (c->fails + c->share);
    const int good = holds(s, &c->change, middle);
    if (good < 0) return 0;
    *(good ? &c->share : &c->fails) = middle;
  }
  return 1;
}

static int try_cause(const Search* s, WhyCause* c) {
  const int good = holds(s, &c->change, 1);
  if (good < 0) return 0;
  const WhyEvent* event = why_watch_first(s->watch);
  c->holds = good;
  c->share = good ? 1 : HUGE_VAL;
  c->later = event ? s->answer->step * (double)(event->onset - s->answer->event.onset) : HUGE_VAL;
  return !good || bisect(s, c);
}

// The strongest first: those that hold, by the share that must be undone; then by the delay.
static int by_strength(const void* a, const void* b) {
  const WhyCause *x = a, *y = b;
  if (x->share != y->share) return x->share < y->share ? -1 : 1;
  if (x->later != y->later) return x->later > y->later ? -1 : 1;
  return 0;
}

static int find_causes(const Search* s) {
  WhyAnswer* a = s->answer;
  WhyChange* change = calloc(WHY_CAUSES, sizeof *change);
  a->cause = calloc(WHY_CAUSES, sizeof *a->cause);
  int well = change && a->cause;
  if (!well) snprintf(s->error->message, sizeof s->error->message, "not enough memory");
  const int count =
      well ? why_deviations(s->question->run, s->question->reference, change, WHY_CAUSES) : 0;
  for (; well && a->cause_count < count; ++a->cause_count) {
    WhyCause* c = &a->cause[a->cause_count];
    c->change = change[a->cause_count];
    well = try_cause(s, c);
  }
  if (well) qsort(a->cause, (size_t)a->cause_count, sizeof *a->cause, by_strength);
  free(change);
  return well;
}

// ---- remedies

// Grows a change until the run holds, then bisects. Larger changes may fail in another way, so the
// first one that holds counts.
static int try_remedy(const Search* s, const WhyChange* change) {
  static const double shares[] = {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1};
  WhyCause c = {.change = *change};
  for (size_t k = 0; k < sizeof shares / sizeof *shares && !c.holds; ++k) {
    if (s->answer->steps > most_steps) return 1;
    const int good = holds(s, change, shares[k]);
    if (good < 0) return 0;
    c.holds = good;
    *(good ? &c.share : &c.fails) = shares[k];
  }
  if (!c.holds) return 1;
  if (!bisect(s, &c)) return 0;
  if (s->answer->remedy_count < WHY_REMEDIES) s->answer->remedy[s->answer->remedy_count++] = c;
  return 1;
}

static double relative(const WhyCause* c) {
  const double change = fabs(why_value(&c->change, c->share) - c->change.from);
  return change / fmax(fabs(c->change.from), 1e-12);
}

static int by_size(const void* a, const void* b) {
  const double x = relative(a), y = relative(b);
  return x < y ? -1 : x > y;
}

static int find_remedies(const Search* s) {
  WhyChange change[WHY_REMEDIES];
  const int count =
      why_remedies(s->question->run, &s->answer->event, s->answer->object, change, WHY_REMEDIES);
  for (int i = 0; i < count; ++i)
    if (!try_remedy(s, &change[i])) return 0;
  qsort(s->answer->remedy, (size_t)s->answer->remedy_count, sizeof(WhyCause), by_size);
  return 1;
}

// ---- the event

static double mass_above(const HeftModel* m, int body) {
  double mass = 0;
  for (; body > 0; body = m->body_parent[body]) mass += m->body_mass[body];
  return mass;
}

static int can_move(const HeftModel* m, int body) {
  for (; body > 0; body = m->body_parent[body])
    if (m->body_joint_count[body] > 0) return 1;
  return 0;
}

// A body that no joint ties to another one is an object; of two, the lighter.
static int is_free(const HeftModel* m, int body) {
  return body > 0 && m->body_parent[body] == 0 && m->body_joint_count[body] == 1 &&
         m->joint_type[m->body_joint[body]] == HEFT_JOINT_FREE;
}

static int find_object(const HeftModel* m, const int body[2]) {
  if (!can_move(m, body[0])) return body[1];
  if (!can_move(m, body[1])) return body[0];
  if (is_free(m, body[0]) != is_free(m, body[1])) return body[is_free(m, body[1])];
  return mass_above(m, body[0]) < mass_above(m, body[1]) ? body[0] : body[1];
}

static int find_reference(const Search* s) {
  const WhyTrial trial = {.run = s->question->reference, .watch = s->reference};
  if (!s->question->reference) return 1;
  s->watch->reference = s->reference;
  ++s->answer->trials;
  return why_trial(&trial, s->error);
}

static int find_event(const Search* s) {
  WhyAnswer* a = s->answer;
  const WhyTrial trial = {.run = s->question->run, .watch = s->watch};
  s->watch->from = (long)(s->question->from / a->step);
  if (!why_trial(&trial, s->error)) return 0;
  ++a->trials;
  a->steps += s->watch->step;
  const WhyEvent* first = why_watch_first(s->watch);
  if (!first) return 1;
  a->found = 1;
  a->event = *first;
  a->object = find_object(heft_world_model(s->question->run->start), first->body);
  for (int i = 0; i < s->watch->event_count && a->follower_count < WHY_FOLLOWERS; ++i)
    if (&s->watch->event[i] != first) a->follower[a->follower_count++] = s->watch->event[i];
  return 1;
}

// A trial holds if it holds what the reference holds; without one, if the object holds on for a
// while.
static void watch_trials(const Search* s) {
  s->watch->first_only = 1;
  if (s->question->reference) return;
  s->watch->body = s->answer->object;
  s->watch->until = s->answer->event.step + (long)(horizon / s->answer->step);
}

static int search(const Search* s) {
  if (!find_reference(s) || !find_event(s)) return 0;
  if (!s->answer->found) return 1;
  watch_trials(s);
  return find_causes(s) && (!s->question->remedies || find_remedies(s));
}

int why_find(const WhyQuestion* question, WhyAnswer* answer, HeftError* error) {
  *answer = (WhyAnswer){.step = heft_world_time_step(question->run->start)};
  const Search s = {question, answer, why_watch_create(), why_watch_create(), error};
  int well = 0;
  if (s.reference && s.watch) {
    s.reference->body = s.watch->body = question->body;
    s.watch->slack = (long)(slack / answer->step);
    well = search(&s);
  } else {
    snprintf(error->message, sizeof error->message, "not enough memory");
  }
  why_watch_destroy(s.reference);
  why_watch_destroy(s.watch);
  return well;
}
