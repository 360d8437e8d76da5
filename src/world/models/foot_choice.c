// SPDX-License-Identifier: Apache-2.0
// Papers: R28, R30, R32, S10, S11, U5.
// The choice of constraints for all feet of an island.
//
// foot_exact searches. The first trial is the choice of the last step. While rules are broken, the
// best open trial is taken from the queue. New trials are made from it by correcting one vertex of
// one foot, rule by rule; each is solved, judged and put into the queue. Trials compare by the
// number of broken rules, the most important rule first, then by the number of clamped vertices.
// The search ends at a trial that breaks no rule, or with the best trial when no trial is open or
// `candidates` trials were made. The queue is a binary heap, and a hash table knows the trials that
// were made, so that a trial costs the same however many there are. The lowest rule holds vertices
// near the floor that do not rise. If every choice breaks a rule, one is still valid that breaks
// this rule only, for vertices that end the step above the floor: they have no contact.
//
// foot_onestep solves the choice of the last step, and repeats without the vertices that must be
// released at once: those that the ground would pull, and those beyond the centre of pressure. Each
// vertex then votes for its own state, with the weight of its rule (each N + 1 times the next, so
// that no number of lesser votes outweighs a greater). The choice that differs least from the votes
// is stored for the next step. The effort is bounded.
//
// Where joints have rows of their own, contact points and joints are solved alternately
// (contact_model.c). The bounds hold for the step, not for each turn: later turns begin with the
// choice of the turn before, solve it again, and change it only if it breaks a rule.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "world/models/foot.h"

// ---- comparing

static int compare(const Trial* a, const Trial* b) {
  for (int k = 0; k < 5; ++k) {
    if (a->score[k] != b->score[k]) return a->score[k] < b->score[k] ? -1 : 1;
  }
  return 0;
}

static int is_perfect(const Trial* t) {
  return t->score[0] + t->score[1] + t->score[2] + t->score[3] == 0;
}

// ---- searching

static int is_valid(const Trial* t, const Feet* feet) {
  int down = 0;
  for (int i = 0; i < feet->count; ++i)
    down |= (t->stand[i].wrong_motion & ~t->stand[i].above) != 0;
  return t->score[0] + t->score[1] + t->score[2] == 0 && !down;
}

typedef struct Search {
  const ModelTask* task;
  Feet* feet;
  int count;  ///< trials made
  int max;    ///< of them
  int open;   ///< trials in the queue
  int best;   ///< the first of the best trials
} Search;

// The place of a choice in the table of trials: the same choice's, or a free one.
static int* place_of(const Search* s, const int* code) {
  uint32_t hash = 2166136261u;
  for (int i = 0; i < s->feet->count; ++i) hash = (hash ^ (uint32_t)code[i]) * 16777619u;
  for (uint32_t k = hash ^ hash >> 15;; ++k) {
    int* place = &s->feet->table[k & (uint32_t)(s->feet->table_size - 1)];
    if (*place == 0) return place;
    const int* other = s->feet->trials[*place - 1].code;
    if (memcmp(other, code, (size_t)s->feet->count * sizeof(int)) == 0) return place;
  }
}

// 1 if trial a leaves the queue before trial b.
static int precedes(const Search* s, int a, int b) {
  const int order = compare(&s->feet->trials[a], &s->feet->trials[b]);
  return order < 0 || (order == 0 && a < b);
}

static void put(Search* s, int trial) {
  int* queue = s->feet->queue;
  int k = s->open++;
  for (; k > 0 && precedes(s, trial, queue[(k - 1) / 2]); k = (k - 1) / 2)
    queue[k] = queue[(k - 1) / 2];
  queue[k] = trial;
}

static int take(Search* s) {
  int *queue = s->feet->queue, first = queue[0], last = queue[--s->open], k = 0;
  for (int next = 1; next < s->open; next = 2 * k + 1) {
    if (next + 1 < s->open && precedes(s, queue[next + 1], queue[next])) ++next;
    if (!precedes(s, queue[next], last)) break;
    queue[k] = queue[next];
    k = next;
  }
  queue[k] = last;
  return first;
}

// Solves and judges the trial after the last one. Returns 1 if it breaks no rule.
static int try_next(Search* s, const Trial* from) {
  Trial* trial = &s->feet->trials[s->count];
  heft_feet_try(s->task, s->feet, trial, from);
  if (s->count == 0 || compare(trial, &s->feet->trials[s->best]) < 0) s->best = s->count;
  *place_of(s, trial->code) = s->count + 1;
  put(s, s->count++);
  return is_perfect(trial);
}

// Tries `from` with another code for one foot. Returns 1 if it breaks no rule.
static int try_code(Search* s, int from, int foot, int code) {
  int codes[FEET_MAX];
  memcpy(codes, s->feet->trials[from].code, sizeof codes);
  codes[foot] = code;
  if (s->count >= s->max || *place_of(s, codes) != 0) return 0;
  memcpy(s->feet->trials[s->count].code, codes, sizeof codes);
  return try_next(s, &s->feet->trials[from]);
}

// All codes of a foot that are one correction of vertex v away from `code`: without it if it is
// clamped, else with it. For a sole these are the edges that leave it out.
static int try_corrections(Search* s, int from, int foot, int v) {
  const Foot* f = &s->feet->foot[foot];
  const unsigned now = heft_foot_clamped(f, s->feet->trials[from].code[foot]), bit = 1u << v;
  for (int code = heft_foot_codes(f) - 1; code >= 0; --code) {
    const unsigned then = heft_foot_clamped(f, code);
    const int fits = now & bit ? !(then & bit) && !(then & ~now) : (then & bit) && !(now & ~then);
    if (fits && try_code(s, from, foot, code)) return 1;
  }
  return 0;
}

// Makes trials that correct one broken rule, the most important first. Returns 1 if a trial breaks
// no rule.
static int expand(Search* s, int from) {
  const Trial* trial = &s->feet->trials[from];
  for (int rule = 0; rule < 4; ++rule) {
    for (int i = 0; i < s->feet->count; ++i) {
      const Stand* stand = &trial->stand[i];
      const unsigned wrong[4] = {stand->wrong_center, stand->wrong_place, stand->wrong_pull,
                                 stand->wrong_motion};
      for (int v = 0; v < s->feet->foot[i].vertices; ++v) {
        if ((wrong[rule] >> v & 1) && try_corrections(s, from, i, v)) return 1;
      }
    }
  }
  return 0;
}

// Minimal constraint: releases all vertices whose release breaks no rule. For each foot, the choice
// with the fewest vertices is tried first: none, a vertex, an edge.
static void let_go(Search* s) {
  for (int i = 0; i < s->feet->count; ++i) {
    const Foot* f = &s->feet->foot[i];
    const int from = s->best;
    const unsigned now = heft_foot_clamped(f, s->feet->trials[from].code[i]);
    for (int code = 0; code < heft_foot_codes(f); ++code) {
      const unsigned then = heft_foot_clamped(f, code);
      if (then != now && !(then & ~now) && try_code(s, from, i, code)) break;
    }
  }
}

// Searches from the choice of the last step, or from the choice `last` of the turn before.
static const Trial* search(Search* s, const Trial* last) {
  Trial* first = &s->feet->trials[0];
  for (int i = 0; i < FEET_MAX; ++i) {
    const int before = i < s->feet->count ? s->feet->foot[i].before : 0;
    first->code[i] = last ? last->code[i] : before;
  }
  memset(s->feet->table, 0, (size_t)s->feet->table_size * sizeof(int));
  int found = try_next(s, last);
  while (!found && s->open > 0 && s->count < s->max) found = expand(s, take(s));
  if (found && !s->task->options->pressure_rule) let_go(s);
  return &s->feet->trials[s->best];
}

// ---- one step

// The code of a foot without the vertices that the ground pulls or that lie beyond the centre of
// pressure.
static int release(const Foot* f, const Stand* s, int code) {
  const unsigned wrong = s->wrong_center | s->wrong_pull;
  if (!wrong) return code;
  return s->wrench[0] > 0 ? heft_foot_nearest(f, heft_foot_clamped(f, code) & ~wrong, NULL) : 0;
}

// The choice of the trial, repeated without the vertices that must be released: at most three times
// for each foot in a step, since it has fewer vertices every time. Returns the number of trials.
static int try_once(const ModelTask* t, Feet* feet, Trial* trial) {
  for (int count = 1;; ++count) {
    int changes = 0;
    heft_feet_try(t, feet, trial, NULL);
    for (int i = 0; i < feet->count; ++i) {
      const int code = release(&feet->foot[i], &trial->stand[i], trial->code[i]);
      const unsigned fewer = heft_foot_clamped(&feet->foot[i], code),
                     now = heft_foot_clamped(&feet->foot[i], trial->code[i]);
      if (fewer == now || (fewer & ~now)) continue;
      trial->code[i] = code;
      changes = 1;
    }
    if (!changes) return count;
  }
}

// The votes of the vertices of a foot, and the code that differs least from them.
static int choose_next(const ModelTask* t, const Feet* feet, const Trial* trial, int index) {
  const Foot* f = &feet->foot[index];
  const Stand* s = &trial->stand[index];
  const unsigned now = heft_foot_clamped(f, trial->code[index]);
  const double step = f->vertices + 1;
  double weight[VERTICES_MAX];
  unsigned wanted = 0;
  for (int i = 0; i < f->vertices; ++i) {
    const unsigned bit = 1u << i;
    const double gap = heft_model_contact_point(t, f->contact_point[i])->gap;
    const int ruled = t->options->pressure_rule;
    int hold;
    if (ruled && (s->wrong_center & bit)) {
      weight[i] = step * step * step;
      hold = 0;
    } else if (ruled && s->keeps && (now & bit) && gap <= t->options->clamp_gap) {
      weight[i] = step * step * step;
      hold = 1;
    } else if (fabs(gap) > t->options->clamp_gap) {
      weight[i] = step * step;
      hold = gap < 0;
    } else if (s->wrong_pull & bit) {
      weight[i] = step;
      hold = 0;
    } else {
      weight[i] = 1;
      hold = !(now & bit) == !!(s->wrong_motion & bit);
    }
    if (hold) wanted |= bit;
  }
  return heft_foot_nearest(f, wanted, weight);
}

// ---- the two models

typedef struct Choice {
  Feet feet;
  int one_step;
  int breaks_rules;  ///< 1 if the search ended with a choice that breaks a rule
  int solves;        ///< trials that were solved, in all turns
  Trial last;        ///< of the turn before
} Choice;

static void choose_once(ModelTask* t, Choice* c, int* next) {
  Trial* only = &c->last;
  for (int i = 0; i < c->feet.count && c->solves == 0; ++i) only->code[i] = c->feet.foot[i].before;
  const int solved = try_once(t, &c->feet, only);
  t->trials += solved - (c->solves > 0);
  c->solves += solved;
  for (int i = 0; i < c->feet.count; ++i) next[i] = choose_next(t, &c->feet, only, i);
}

static void choose_by_search(ModelTask* t, Choice* c, int* next) {
  const int left = t->options->candidates - t->trials;
  Search s = {.task = t, .feet = &c->feet, .max = left > 1 ? left : 1};
  const Trial* found = search(&s, c->solves > 0 ? &c->last : NULL);
  t->trials += s.count - (c->solves > 0);
  c->solves += s.count;
  const int all = s.open == 0 && s.count < s.max;  // every choice was tried
  c->breaks_rules = !is_perfect(found) && !(all && is_valid(found, &c->feet));
  c->last = *found;
  memcpy(next, found->code, sizeof found->code);
}

static void solve_contacts(ModelTask* t, const double* free, void* user) {
  Choice* c = user;
  int next[FEET_MAX];
  (void)free;
  const int before = c->solves;
  heft_feet_measure(t, &c->feet);
  if (c->one_step) {
    choose_once(t, c, next);
  } else {
    choose_by_search(t, c, next);
  }
  t->result->effort += c->solves - before;
  heft_feet_share(t, &c->feet, &c->last, next);
}

static int solve(ModelTask* t, int one_step) {
  Choice c = {.one_step = one_step};
  if (!heft_feet_find(t, &c.feet)) return 0;
  memset(t->impulse, 0, (size_t)t->contact_rows * sizeof(double));
  if (c.feet.count == 0) {
    heft_model_finish(t);
  } else {
    heft_model_alternate(t, solve_contacts, &c);
  }
  if (c.breaks_rules) t->result->relative = (double)INFINITY;
  return 1;
}

static int solve_exact(ModelTask* t) { return solve(t, 0); }
static int solve_onestep(ModelTask* t) { return solve(t, 1); }

const ContactModel heft_contact_foot_exact = {.model = HEFT_CONTACT_MODEL_FOOT_EXACT,
                                              .bounces = 0,
                                              .corrects = 1,
                                              .clamps = 1,
                                              .scratch = heft_feet_scratch,
                                              .solve = solve_exact};

const ContactModel heft_contact_foot_onestep = {.model = HEFT_CONTACT_MODEL_FOOT_ONESTEP,
                                                .bounces = 0,
                                                .corrects = 1,
                                                .clamps = 1,
                                                .scratch = heft_feet_scratch,
                                                .solve = solve_onestep};
