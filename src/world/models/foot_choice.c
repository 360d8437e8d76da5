// SPDX-License-Identifier: Apache-2.0
// The choice of constraints for all feet of an island.
//
// foot_exact searches. The first trial is the choice of the last step. While rules are broken, the
// best open trial is taken from the queue. New trials are made from it by correcting one vertex of
// one foot, rule by rule; each is solved, judged and put into the queue. Trials compare by the
// number of broken rules, the most important rule first, then by the number of clamped vertices.
// The search ends at a trial that breaks no rule, or with the best trial when no trial is open.
//
// foot_onestep solves the choice of the last step, and repeats without the vertices that must be
// released at once: those that the ground would pull, and those beyond the centre of pressure. Each
// vertex then votes for its own state, with the weight of its rule (each N + 1 times the next, so
// that no number of lesser votes outweighs a greater). The choice that differs least from the votes
// is stored for the next step. The effort is bounded.
#include <math.h>
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

typedef struct Search {
  const ModelTask* task;
  Feet* feet;
  int count;  ///< trials made
} Search;

static int was_tried(const Search* s, const int* code) {
  for (int i = 0; i < s->count; ++i) {
    if (memcmp(s->feet->trials[i].code, code, (size_t)s->feet->count * sizeof(int)) == 0) return 1;
  }
  return 0;
}

// Tries `from` with another code for one foot. Returns 1 if it breaks no rule.
static int try_code(Search* s, int from, int foot, int code) {
  int codes[FEET_MAX];
  memcpy(codes, s->feet->trials[from].code, sizeof codes);
  codes[foot] = code;
  if (s->count >= s->feet->trial_max || was_tried(s, codes)) return 0;
  Trial* trial = &s->feet->trials[s->count++];
  memcpy(trial->code, codes, sizeof codes);
  heft_feet_try(s->task, s->feet, trial, &s->feet->trials[from]);
  return is_perfect(trial);
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
  Trial* trial = &s->feet->trials[from];
  trial->open = 0;
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

static int best_of(const Search* s, int open_only) {
  int best = -1;
  for (int i = 0; i < s->count; ++i) {
    if (open_only && !s->feet->trials[i].open) continue;
    if (best < 0 || compare(&s->feet->trials[i], &s->feet->trials[best]) < 0) best = i;
  }
  return best;
}

// Tries fewer clamped vertices, if that breaks no rule either.
static void let_go(Search* s, int from) {
  for (int i = 0; i < s->feet->count; ++i) {
    const int code = s->feet->trials[from].code[i];
    if (code <= 2 * s->feet->foot[i].vertices) continue;
    for (int e = 0; e < s->feet->foot[i].vertices; ++e)
      if (try_code(s, from, i, 1 + s->feet->foot[i].vertices + e)) return;
  }
}

static const Trial* search(Search* s) {
  Trial* first = &s->feet->trials[0];
  for (int i = 0; i < s->feet->count; ++i) first->code[i] = s->feet->foot[i].before;
  for (int i = s->feet->count; i < FEET_MAX; ++i) first->code[i] = 0;
  s->count = 1;
  heft_feet_try(s->task, s->feet, first, NULL);
  int found = is_perfect(first);
  while (!found && s->count < s->feet->trial_max) {
    const int next = best_of(s, 1);
    if (next < 0) break;
    found = expand(s, next);
  }
  const int best = best_of(s, 0);
  if (found && !s->task->options->pressure_rule) let_go(s, best);
  return &s->feet->trials[best_of(s, 0)];
}

// ---- one step

// The code of a foot without the vertices that the ground pulls or that lie beyond the centre of
// pressure.
static int release(const Foot* f, const Stand* s, int code) {
  const unsigned wrong = s->wrong_center | s->wrong_pull;
  if (!wrong) return code;
  return s->wrench[0] > 0 ? heft_foot_nearest(f, heft_foot_clamped(f, code) & ~wrong, NULL) : 0;
}

// The choice of the last step, repeated without the vertices that must be released: at most three
// times for each foot, since it has fewer vertices every time. Returns the number of trials.
static int try_once(const ModelTask* t, Feet* feet, Trial* trial) {
  for (int i = 0; i < feet->count; ++i) trial->code[i] = feet->foot[i].before;
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
} Choice;

static void solve_contacts(ModelTask* t, const double* free, void* user) {
  Choice* c = user;
  (void)free;
  heft_feet_measure(t, &c->feet);
  Search s = {.task = t, .feet = &c->feet};
  int next[FEET_MAX];
  const Trial* trial = NULL;
  if (c->one_step) {
    Trial* only = &c->feet.trials[0];
    s.count = try_once(t, &c->feet, only);
    for (int i = 0; i < c->feet.count; ++i) next[i] = choose_next(t, &c->feet, only, i);
    trial = only;
  } else {
    trial = search(&s);
    c->breaks_rules = !is_perfect(trial);
    memcpy(next, trial->code, sizeof next);
  }
  t->result->effort += s.count;
  heft_feet_share(t, &c->feet, trial, next);
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
