// SPDX-License-Identifier: Apache-2.0
// Every source is repeated once and compared with what was recorded: an answer about another run
// would be worthless. A log has states and controls, and no pushes, plug-ins or changed parameters.
#include "why_source.h"

#include <errno.h>
#include <heft/heft.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "log_table.h"
#include "run_read.h"

static int stop(const char* path, const char* what) {
  fprintf(stderr, "heft why: error: %s: %s\n", path, what);
  return 0;
}

// ---- a session

static int read_actions(WhySource* s, const char* path, HeftError* error) {
  const long count = heft_replay_action_count(s->replay);
  s->run.actions = calloc((size_t)count + 1, sizeof(WhyAction));
  if (!s->run.actions) return stop(path, "not enough memory");
  for (; s->run.action_count < count; ++s->run.action_count) {
    WhyAction* a = &s->run.actions[s->run.action_count];
    if (heft_replay_action(s->replay, s->run.action_count, &a->action, &a->step, error) != HEFT_OK)
      return stop(path, error->message);
    if (a->action.kind == HEFT_ACTION_CHANGE && heft_change_is_object(a->action.change.kind))
      return stop(path, "objects are added or removed during the session: this is not repeated");
  }
  return 1;
}

typedef struct Last {
  uint64_t hash;
} Last;

static void hash_last(void* user, HeftWorld* world, long step) {
  (void)step;
  ((Last*)user)->hash = heft_world_hash(world);
}

// The session repeats itself with its own bits, and without its records of effort as well.
static int check_session(WhySource* s, const char* path, HeftError* error) {
  HeftStepReport report;
  Last last = {0};
  const WhyTrial trial = {.run = &s->run, .seen = hash_last, .user = &last};
  while (heft_replay_steps_done(s->replay) < s->run.steps) {
    const HeftStatus status = heft_replay_step(s->replay, &report, error);
    if (status == HEFT_ERR_CHECKSUM)
      return stop(path, "the bits of the session differ here: see 'heft replay'");
    if (status != HEFT_OK) return stop(path, error->message);
  }
  if (!why_trial(&trial, error)) return stop(path, error->message);
  if (last.hash != heft_world_hash(heft_replay_world(s->replay)))
    fprintf(stderr,
            "heft why: warning: %s: deadlines cut steps of the session short; the answer "
            "is about the same run with whole steps\n",
            path);
  return 1;
}

static int open_session(WhySource* s, ModelOptions* options, const char* path) {
  HeftError error = {0};
  HeftModel* model = NULL;
  FILE* file = fopen(path, "rb");
  if (!file) return stop(path, strerror(errno));
  if (heft_replay_open(&s->replay, file, &error) != HEFT_OK) return stop(path, error.message);
  const HeftSessionStart* start = heft_replay_start(s->replay);
  if (start->probes > 0)
    return stop(path, "the session has haptic devices, which are not repeated");
  if (start->plugins[0])
    return stop(path, "the session has plug-ins, which do not take part in changed runs");
  if (heft_replay_stored_model(s->replay, &model, &error) != HEFT_OK) {
    model_options_use(options, &start->loading);
    model = model_options_load(options, start->model);
  }
  if (!model) return stop(path, "the model of the session was not loaded");
  if (heft_replay_begin(s->replay, model, NULL, &error) != HEFT_OK)
    return stop(path, error.message);
  if (heft_world_clone(&s->run.start, heft_replay_world(s->replay), &error) != HEFT_OK)
    return stop(path, error.message);
  s->run.steps = heft_replay_step_count(s->replay);
  return read_actions(s, path, &error) && check_session(s, path, &error);
}

// ---- a log

typedef struct Compared {
  const LogTable* table;
  int q, nq;
  long every, row;
  double worst, when;
} Compared;

static void compare(void* user, HeftWorld* world, long step) {
  Compared* c = user;
  const HeftState* s = heft_world_state(world);
  if (step % c->every != 0 || step / c->every >= c->table->rows) return;
  const double* row = c->table->number + step / c->every * c->table->columns;
  for (int i = 0; i < c->nq; ++i) {
    const double error = fabs(row[c->q + i] - s->q[i]);
    if (error > 1e-9 && c->worst <= 1e-9) c->when = *s->time;
    c->worst = fmax(c->worst, error);
  }
}

// Controls that change from one row to the next; a row has the controls of the step before it.
static int take_controls(WhySource* s, const LogTable* t, long every) {
  const HeftModel* m = heft_world_model(s->run.start);
  int first = 0;
  while (first < t->columns && strncmp(t->name[first], "control.", 8) != 0) ++first;
  if (first + m->nactuator > t->columns) return m->nactuator == 0;
  s->run.actions = calloc((size_t)t->rows * (size_t)m->nactuator + 1, sizeof(WhyAction));
  if (!s->run.actions) return 0;
  for (long i = 1; i < t->rows; ++i) {
    const double *now = t->number + i * t->columns, *before = now - t->columns;
    for (int a = 0; a < m->nactuator; ++a) {
      if (i > 1 && now[first + a] == before[first + a]) continue;
      s->run.actions[s->run.action_count++] = (WhyAction){
          (i - 1) * every, {.kind = HEFT_ACTION_CONTROL, .index = a, .value = now[first + a]}};
    }
  }
  return 1;
}

static int repeat_log(WhySource* s, const LogTable* t, const char* path) {
  const HeftModel* m = heft_world_model(s->run.start);
  const int time = log_table_find(t, "time"), q = log_table_find(t, "q0"),
            v = log_table_find(t, "v0");
  const double h = heft_world_time_step(s->run.start);
  HeftError error = {0};
  char text[200];
  if (time < 0 || q < 0 || v < 0 || q + m->nq > t->columns || v + m->nv > t->columns || t->rows < 2)
    return stop(path, "the log has no rows of time, q and v");
  const double seconds = t->number[(t->rows - 1) * t->columns + time] - t->number[time];
  const long every = lround((t->number[t->columns + time] - t->number[time]) / h);
  s->run.steps = lround(seconds / h);
  if (every < 1 || labs(s->run.steps - every * (t->rows - 1)) > 1)
    return stop(path, "the rows of the log are not whole steps of the model apart");
  if (heft_world_set_q(s->run.start, 0, t->number + q, m->nq, &error) != HEFT_OK ||
      heft_world_set_v(s->run.start, 0, t->number + v, m->nv, &error) != HEFT_OK)
    return stop(path, error.message);
  if (!take_controls(s, t, every)) return stop(path, "the log has no controls");
  Compared c = {.table = t, .q = q, .nq = m->nq, .every = every};
  const WhyTrial trial = {.run = &s->run, .seen = compare, .user = &c};
  if (!why_trial(&trial, &error)) return stop(path, error.message);
  if (c.worst <= 1e-9) return 1;
  snprintf(text, sizeof text,
           "the log lacks inputs (pushes, plug-ins, changed parameters): repeated from its first "
           "row the run differs from %.3g s on; record it by 'heft run --record'",
           c.when);
  return stop(path, text);
}

static int open_log(WhySource* s, const char* path) {
  HeftError error = {0};
  LogTable table;
  if (!log_table_read(&table, path, &error)) return stop(path, error.message);
  s->model = table.model;
  table.model = NULL;
  int well = s->model && heft_world_create(&s->run.start, s->model, NULL, &error) == HEFT_OK;
  if (!well) stop(path, s->model ? error.message : "the log contains no model");
  well = well && repeat_log(s, &table, path);
  log_table_release(&table);
  return well;
}

// ---- a model

static int open_model(WhySource* s, ModelOptions* options, const char* path, double seconds,
                      const char* key) {
  HeftError error = {0};
  s->model = model_options_load(options, path);
  if (!s->model) return 0;
  if (heft_world_create(&s->run.start, s->model, NULL, &error) != HEFT_OK)
    return stop(path, error.message);
  s->run.steps = lround(seconds / heft_world_time_step(s->run.start));
  return arguments_start("why", s->run.start, key ? key : options->start);
}

// 1 if the file is a session: it has its channel.
static int is_session(const char* path) {
  const char* what = "";
  FILE* file = fopen(path, "rb");
  HeftMcapReader* mcap = file ? heft_mcap_reader_open(file, &what) : NULL;
  const int found = mcap && heft_mcap_reader_channel(mcap, "/session") >= 0;
  heft_mcap_reader_close(mcap);
  return found;
}

int why_source_open(WhySource* s, ModelOptions* options, const char* path, double seconds,
                    const char* key) {
  *s = (WhySource){0};
  if (!run_read_is_log(path)) return open_model(s, options, path, seconds, key);
  return is_session(path) ? open_session(s, options, path) : open_log(s, path);
}

void why_source_release(WhySource* s) {
  heft_world_destroy(s->run.start);
  free(s->run.actions);
  heft_replay_destroy(s->replay);
  heft_model_destroy(s->model);
  *s = (WhySource){0};
}
