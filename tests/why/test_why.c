// SPDX-License-Identifier: Apache-2.0
// heft why against causes that are known. Each case draws a task and an input of it: friction of a
// material, mass of a body, gain of a servo, start of a joint, size or time of a command, a push.
// The input is changed until something gives way. All other inputs differ from the nominal run too:
// each by up to 2 %, 4 ms or 0.3 mm, and one by as much as 40 %, as long as these together hold.
// The answer must name the input that was changed.
//
// HEFT_LONG=1 makes 120 cases and prints them; the short form makes three. HEFT_SEED=N draws
// others.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "support/scene.h"
#include "tasks.h"
#include "why/sentence.h"

// ---- chance

static uint64_t chance = 1;

static double draw(double low, double high) {
  chance = chance * 6364136223846793005U + 1442695040888963407U;
  return low + (high - low) * (double)(chance >> 11) * 0x1p-53;
}

static int pick(int count) {
  const int i = (int)draw(0, count);
  return i < count ? i : count - 1;
}

// ---- inputs of a task

typedef struct Input {
  WhyKind kind;
  int index;
  double amount;  // factor; start: way [m, rad]; timing: delay [s]; push: force [N]
  double angle;   // start of a free body, push: its direction
  double when;    // push
} Input;

enum { INPUTS = 64 };

static int commanded(const Task* t, int actuator) {
  for (int i = 0; i < t->ramps; ++i)
    if (t->ramp[i].actuator == actuator) return 1;
  return 0;
}

static int is_free(const HeftModel* m, int joint) {
  return m->joint_type[joint] == HEFT_JOINT_FREE;
}

static int list_inputs(const Task* t, const HeftModel* m, Input out[INPUTS]) {
  int n = 0;
  for (int i = 0; i < m->nmaterial; ++i) out[n++] = (Input){.kind = WHY_FRICTION, .index = i};
  for (int i = 1; i < m->nbody; ++i) {
    int moves = 0;
    for (int b = i; b > 0; b = m->body_parent[b]) moves |= m->body_joint_count[b] > 0;
    if (!moves) continue;
    out[n++] = (Input){.kind = WHY_MASS, .index = i};
    out[n++] = (Input){.kind = WHY_PUSH, .index = i};
  }
  for (int j = 0; j < m->njoint; ++j) out[n++] = (Input){.kind = WHY_START, .index = j};
  for (int a = 0; a < m->nactuator; ++a) {
    if (m->actuator_bias[3L * a + 1] != 0) out[n++] = (Input){.kind = WHY_GAIN, .index = a};
    if (!commanded(t, a)) continue;
    out[n++] = (Input){.kind = WHY_COMMAND, .index = a};
    out[n++] = (Input){.kind = WHY_TIMING, .index = a};
  }
  assert_true(n <= INPUTS);
  return n;
}

// A small deviation, as no real run is without; pushes have none.
static Input small(Input in) {
  in.amount = in.kind == WHY_START    ? draw(-3e-4, 3e-4)
              : in.kind == WHY_TIMING ? draw(-4e-3, 4e-3)
              : in.kind == WHY_PUSH   ? 0
                                      : draw(0.98, 1.02);
  in.angle = draw(0, 2 * HEFT_PI);
  return in;
}

// A deviation of a severity of 0 to 1 in a direction that was drawn.
static Input severe(Input in, double severity, int sign) {
  if (in.kind == WHY_START)
    in.amount = (sign ? 0.08 : -0.08) * severity;
  else if (in.kind == WHY_TIMING)
    in.amount = (sign ? 0.6 : -0.3) * severity;
  else if (in.kind == WHY_PUSH)
    in.amount = 120 * severity * severity;
  else if (sign)
    in.amount = 1 - 0.95 * severity;
  else
    in.amount = 1 + (in.kind == WHY_COMMAND ? 3 * severity : 6 * severity * severity);
  return in;
}

// ---- runs

static void add_action(WhyRun* run, long step, HeftAction action) {
  run->actions = realloc(run->actions, (size_t)(run->action_count + 1) * sizeof *run->actions);
  assert_non_null(run->actions);
  run->actions[run->action_count++] = (WhyAction){step < 0 ? 0 : step, action};
}

static const Input* find_input(const Input* in, int count, WhyKind kind, int index) {
  for (int i = count - 1; i >= 0; --i)  // the last one counts
    if (in[i].kind == kind && in[i].index == index) return &in[i];
  return NULL;
}

static void add_ramp(WhyRun* run, const Ramp* r, const Input* in, int count, double h) {
  const Input* size = find_input(in, count, WHY_COMMAND, r->actuator);
  const Input* late = find_input(in, count, WHY_TIMING, r->actuator);
  const long parts = r->until > r->from ? lround((r->until - r->from) / (2 * h)) : 0;
  for (long k = 0; k <= parts; ++k) {
    const double s = parts > 0 ? (double)k / (double)parts : 1;
    const double time = r->from + s * (r->until - r->from) + (late ? late->amount : 0);
    add_action(run, lround(time / h),
               (HeftAction){.kind = HEFT_ACTION_CONTROL,
                            .index = r->actuator,
                            .value = (size ? size->amount : 1) *
                                     (r->start + s * s * (3 - 2 * s) * (r->end - r->start))});
  }
}

static void add_push(WhyRun* run, const Input* in, double h) {
  const HeftVec3 at = heft_dynamics_center_of_mass(heft_world_dynamics(run->start), in->index);
  for (long k = 0; k < 30; ++k)
    add_action(run, lround(in->when / h) + k,
               (HeftAction){.kind = HEFT_ACTION_FORCE,
                            .index = in->index,
                            .at = at,
                            .force = heft_vec3(in->amount * cos(in->angle),
                                               in->amount * sin(in->angle), 0)});
}

static void set_parameters(HeftWorld* w, const Input* in) {
  const HeftModel* m = heft_world_model(w);
  HeftError error = {0};
  HeftStatus status = HEFT_OK;
  double q = 0;
  if (in->kind == WHY_FRICTION) {
    HeftMaterial material = heft_world_material(w, in->index);
    material.friction *= in->amount;
    material.kinetic = material.friction;
    status = heft_world_set_material(w, in->index, &material, &error);
  } else if (in->kind == WHY_MASS) {
    status = heft_world_set_mass_factors(w, in->index, in->amount, in->amount, &error);
  } else if (in->kind == WHY_GAIN) {
    HeftActuatorGains g = heft_world_actuator_gains(w, in->index);
    g.gain *= in->amount;
    for (int k = 0; k < 3; ++k) g.bias[k] *= in->amount;
    status = heft_world_set_actuator_gains(w, in->index, &g, &error);
  } else if (in->kind == WHY_START) {
    for (int k = 0; k < (is_free(m, in->index) ? 2 : 1) && status == HEFT_OK; ++k) {
      const double part = !is_free(m, in->index) ? 1 : k == 0 ? cos(in->angle) : sin(in->angle);
      q = heft_world_state(w)->q[m->joint_q[in->index] + k] + in->amount * part;
      status = heft_world_set_q(w, m->joint_q[in->index] + k, &q, 1, &error);
    }
  }
  if (status != HEFT_OK) fail_msg("%s", error.message);
}

static int by_step(const void* a, const void* b) {
  const WhyAction *x = a, *y = b;
  if (x->step != y->step) return x->step < y->step ? -1 : 1;
  return x->action.index < y->action.index ? -1 : x->action.index > y->action.index;
}

static WhyRun make_run(const Task* t, const HeftModel* m, const Input* in, int count) {
  WhyRun run = {.start = scene_world(m)};
  const double h = heft_world_time_step(run.start);
  run.steps = lround(t->seconds / h);
  for (int i = 0; i < count; ++i)
    if (find_input(in, count, in[i].kind, in[i].index) == &in[i]) set_parameters(run.start, &in[i]);
  for (int i = 0; i < t->ramps; ++i) add_ramp(&run, &t->ramp[i], in, count, h);
  for (int i = 0; i < count; ++i)
    if (in[i].kind == WHY_PUSH && in[i].amount > 0) add_push(&run, &in[i], h);
  qsort(run.actions, (size_t)run.action_count, sizeof *run.actions, by_step);
  return run;
}

static void release(WhyRun* run) {
  heft_world_destroy(run->start);
  free(run->actions);
}

// 1 if a run with these inputs holds what the nominal run holds.
static int holds(const Task* t, const HeftModel* m, const WhyWatch* nominal, const Input* in,
                 int count) {
  WhyRun run = make_run(t, m, in, count);
  HeftError error = {0};
  WhyWatch* watch = why_watch_create();
  const WhyTrial trial = {.run = &run, .watch = watch};
  watch->reference = nominal;
  watch->slack = lround(0.25 / heft_world_time_step(run.start));
  watch->first_only = 1;
  if (!why_trial(&trial, &error)) fail_msg("%s", error.message);
  const int good = watch->event_count == 0;
  why_watch_destroy(watch);
  release(&run);
  return good;
}

// ---- cases

typedef struct Score {
  int cases, first, second;
  double longest;
} Score;

// Draws deviations: small ones of all inputs, and a large one of another input than the cause.
// Returns their number; 0: they do not hold.
static int draw_others(const Task* t, const HeftModel* m, const WhyWatch* nominal, const Input* all,
                       int count, int cause, Input* out) {
  int n = 0;
  for (int i = 0; i < count; ++i)
    if (i != cause) out[n++] = small(all[i]);
  const int large = pick(count);
  if (large != cause) {
    out[n] = severe(all[large], draw(0.1, 0.4), pick(2));
    out[n].angle = draw(0, 2 * HEFT_PI);
    out[n++].when = draw(0.3, 0.8);
    if (!holds(t, m, nominal, &out[n - 1], 1)) --n;  // it would be a second cause
  }
  return holds(t, m, nominal, out, n) ? n : 0;
}

// Raises the severity of an input until the run fails. Returns 1 if it does.
static int draw_cause(const Task* t, const HeftModel* m, const WhyWatch* nominal, Input* in) {
  const int sign = pick(2);
  in->angle = draw(0, 2 * HEFT_PI);
  in->when = draw(0.3, 0.8);
  for (int k = 1; k <= 10; ++k) {
    *in = severe(*in, 0.1 * k, sign);
    if (holds(t, m, nominal, in, 1)) continue;
    *in = severe(*in, fmin(1, 0.1 * k * draw(1, 1.5)), sign);
    return !holds(t, m, nominal, in, 1);
  }
  return 0;
}

static int is_it(const WhyAnswer* a, int rank, const Input* in) {
  return rank < a->cause_count && a->cause[rank].holds && a->cause[rank].change.kind == in->kind &&
         a->cause[rank].change.index == in->index;
}

static void ask(const Task* t, const WhyRun* nominal, const WhyRun* run, const Input* cause,
                Score* score, int shown) {
  char text[WHY_TEXT];
  WhyAnswer a;
  HeftError error = {0};
  const WhyQuestion q = {.run = run, .reference = nominal, .body = -1, .remedies = shown};
  const clock_t started = clock();
  if (!why_find(&q, &a, &error)) fail_msg("%s", error.message);
  const double seconds = (double)(clock() - started) / CLOCKS_PER_SEC;
  const int first = is_it(&a, 0, cause), second = is_it(&a, 1, cause);
  ++score->cases;
  score->first += first;
  score->second += first || second;
  score->longest = fmax(score->longest, seconds);
  if (shown || !first) {
    printf("%s %-24.24s %s %d, %.2f s: %s\n",
           first    ? "first "
           : second ? "second"
                    : "MISSED",
           t->name, why_kind_word(cause->kind), cause->index, seconds,
           why_answer_text(&q, &a, text, sizeof text));
    (void)fflush(stdout);
  }
  why_answer_release(&a);
}

static int run_case(const Task* t, const HeftModel* m, const WhyRun* nominal, const WhyWatch* seen,
                    WhyKind kind, Score* score, int shown) {
  Input all[INPUTS], in[INPUTS + 2];
  const int count = list_inputs(t, m, all);
  int cause = pick(count);
  for (int k = 0; k < 200 && kind != WHY_KIND_COUNT && all[cause].kind != kind; ++k)
    cause = pick(count);
  if (kind != WHY_KIND_COUNT && all[cause].kind != kind) return 0;
  if (!draw_cause(t, m, seen, &all[cause])) return 0;
  int n = draw_others(t, m, seen, all, count, cause, in);
  if (n == 0) return 0;
  in[n++] = all[cause];
  if (holds(t, m, seen, in, n)) return 0;
  WhyRun run = make_run(t, m, in, n);
  ask(t, nominal, &run, &all[cause], score, shown);
  release(&run);
  return 1;
}

static void test_causes(void** state) {
  (void)state;
  const int shown = getenv("HEFT_LONG") != NULL, wanted = shown ? 10 : 1;
  const WhyKind kinds[] = {WHY_FRICTION, WHY_MASS,   WHY_GAIN, WHY_START,
                           WHY_COMMAND,  WHY_TIMING, WHY_PUSH};
  const char* seed = getenv("HEFT_SEED");
  Score score = {0};
  for (int k = 0; k < TASKS; k += shown ? 1 : 4) {
    HeftModel* m = scene_model(tasks[k].model);
    WhyRun nominal = make_run(&tasks[k], m, NULL, 0);
    HeftError error = {0};
    WhyWatch* seen = why_watch_create();
    const WhyTrial trial = {.run = &nominal, .watch = seen};
    if (!why_trial(&trial, &error)) fail_msg("%s", error.message);
    for (int i = 0; shown && i < seen->event_count; ++i)
      printf("%s: bodies %d and %d give way at %.3f s in the nominal run\n", tasks[k].name,
             seen->event[i].body[0], seen->event[i].body[1],
             heft_world_time_step(nominal.start) * (double)seen->event[i].step);
    int done = 0;
    chance = (uint64_t)k + 1 + (seed ? 1000003 * strtoull(seed, NULL, 10) : 0);
    for (int tries = 0; done < wanted && tries < 1500; ++tries)  // all kinds in turn
      done += run_case(&tasks[k], m, &nominal, seen,
                       shown ? kinds[(k + done + tries / 10) % 7] : WHY_KIND_COUNT, &score, shown);
    if (done < wanted) printf("%s: only %d causes were found\n", tasks[k].name, done);
    why_watch_destroy(seen);
    release(&nominal);
    heft_model_destroy(m);
  }
  printf("%d causes: %d named first, %d among the first two; longest %.2f s\n", score.cases,
         score.first, score.second, score.longest);
  assert_true(score.first >= 0.9 * score.cases && score.second >= 0.97 * score.cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_causes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
