// SPDX-License-Identifier: Apache-2.0
// heft sweep check: states in words what a plan means, and measures a few of its runs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep/engine.h"
#include "sweep/sample.h"
#include "sweep_input.h"
#include "sweep_verbs.h"

static const char help[] =
    "usage: heft sweep check [OPTIONS] PLAN.toml\n"
    "Says what a plan means: runs, variations with their ranges, controls, measures, events; and,\n"
    "from a trial of a few runs, how long it will take and how many bytes it will store.\n"
    "\n"
    "  --no-trial             compute no runs\n"
    "  --bare                 also compare with the bare loop of the batch on all processors\n"
    "  --values N             print the inputs of the first N runs\n";

enum { TRIAL_RUNS = 64, TRIAL_PLACES = 8 };

static void print_range(const PlanVary* v) {
  switch (v->shape) {
    case SHAPE_GRID:
      if (!v->values) printf("%d values from %g to %g", v->count, v->min, v->max);
      for (int i = 0; v->values && i < v->count && i < 8; ++i) {
        const TomlValue* x = &v->values->items[i];
        if (x->type == TOML_STRING)
          printf("%s'%s'", i ? ", " : "", x->text);
        else
          printf("%s%g", i ? ", " : "", x->number);
      }
      if (v->values && v->count > 8) printf(", ... (%d values)", v->count);
      break;
    case SHAPE_UNIFORM:
      printf("%g to %g, uniform", v->min, v->max);
      break;
    case SHAPE_LOG:
      printf("%g to %g, uniform in its logarithm", v->min, v->max);
      break;
    case SHAPE_NORMAL:
      printf("normal, mean %g, deviation %g", v->mean, v->deviation);
      if (v->min != 0 || v->max != 0) printf(", from %g to %g", v->min, v->max);
      break;
    case SHAPE_COLUMN:
      printf("from the list");
      break;
    case SHAPE_COUNT:
      break;
  }
}

static void print_variations(const Plan* p) {
  static const char* const method[] = {"each run draws its own numbers",
                                       "a Latin hypercube over all runs", "a Sobol sequence"};
  printf("  variations          %s, seed %llu\n", p->vary_count == 0 ? "none" : method[p->method],
         (unsigned long long)p->seed);
  for (int i = 0; i < p->vary_count; ++i) {
    const PlanVary* v = &p->vary[i];
    const PlanRow row = plan_quantity(v->what);
    printf("    %-18s", v->name);
    print_range(v);
    printf("%s%s: %s", row.unit[0] ? " " : "", row.unit, row.meaning);
    if (v->of) printf(" '%s'", v->of);
    for (int k = 1; v->of_all && k < v->of_all->count && k < 4; ++k)
      printf(", '%s'", v->of_all->items[k].text);
    if (v->of_all && v->of_all->count > 4) printf(", ... (%d)", v->of_all->count);
    if (v->component > 0) printf(", component %d", v->component);
    printf("\n");
  }
}

static void print_control(const Plan* p) {
  const PlanControl* c = &p->control;
  if (c->hold)
    printf("  controls            those of the keyframe '%s'\n", c->hold);
  else
    printf("  controls            those of the start\n");
  if (c->file)
    printf(
        "                      then '%s': %d columns, %lld rows up to %g s, straight lines "
        "between\n",
        c->file, c->table.columns - 1, (long long)c->table.rows,
        c->table.number[(c->table.rows - 1) * c->table.columns +
                        (csv_find(&c->table, "time") < 0 ? 0 : csv_find(&c->table, "time"))]);
  if (c->plugin) printf("                      then the plug-in '%s'\n", c->plugin);
  if (c->python)
    printf("                      then the Python policy '%s', every %s\n", c->python,
           c->period > 0 ? "period" : "step");
  if (c->stiffness > 0 || c->damping > 0)
    printf("                      joint servos: %g N m/rad and %g N m s/rad towards the %s\n",
           c->stiffness, c->damping, c->hold ? "keyframe" : "start");
  for (int i = 0; i < p->push_count; ++i)
    printf("  push %-15s%g N on '%s' for %g s from %g s on, heading %g rad\n", p->push[i].name,
           p->push[i].force, p->push[i].body, p->push[i].duration, p->push[i].time,
           p->push[i].heading);
}

static void print_measures(const Plan* p) {
  for (int i = 0; i < p->measure_count; ++i) {
    const PlanMeasure* m = &p->measure[i];
    printf("  measure %-12s", m->name);
    for (int k = 0, n = 0; k < KEEP_COUNT; ++k)
      if (m->keep >> k & 1) printf("%s%s", n++ ? ", " : "", plan_keep_name((PlanKeep)k));
    printf(" of the %s", plan_signal(m->what).meaning);
    if (m->of) printf(" '%s'", m->of);
    printf("\n");
  }
  for (int i = 0; i < p->event_count; ++i) {
    const PlanEvent* e = &p->event[i];
    printf("  event %-14s", e->name);
    if (e->when == WHEN_TOUCHES)
      printf("'%s' touches %s%s%s", e->of, e->other ? "'" : "anything", e->other ? e->other : "",
             e->other ? "'" : "");
    else if (e->when == WHEN_AT_LIMIT)
      printf("the joint '%s' pushes against its limit", e->of);
    else
      printf("%s%s%s%s is %s %g", plan_signal(e->what).meaning, e->of ? " '" : "",
             e->of ? e->of : "", e->of ? "'" : "", plan_when_name(e->when), e->value);
    if (e->for_time > 0) printf(" for %g s", e->for_time);
    printf("%s\n", e->end ? "; the run ends" : "");
  }
}

static void print_duration(double s) {
  if (s < 120)
    printf("%.1f s", s);
  else if (s < 7200)
    printf("%.0f min", s / 60);
  else if (s < 172800)
    printf("%.1f h", s / 3600);
  else
    printf("%.1f days", s / 86400);
}

static void print_bytes(double bytes) {
  static const char* const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  int k = 0;
  while (bytes >= 1000 && k < 5) {
    bytes /= 1000;
    ++k;
  }
  printf("%.4g %s", bytes, unit[k]);
}

// Runs at even distances, so that a plan whose runs differ is seen as a whole.
static int trial(const Sweep* s, double* seconds_per_run, SweepTally* tally) {
  HeftError error = {0};
  SweepWorker* worker = NULL;
  const int64_t runs = s->plan->runs;
  const int64_t each = runs < TRIAL_RUNS ? runs : TRIAL_RUNS / TRIAL_PLACES;
  const int places = runs < TRIAL_RUNS ? 1 : TRIAL_PLACES;
  HeftStatus status = sweep_worker_create(&worker, s, &error);
  uint64_t begun = heft_clock_ns();
  double spent = 0;
  for (int i = 0; i < places && status == HEFT_OK && spent < 5; ++i) {
    Hdf5File file;
    const int64_t first = runs < TRIAL_RUNS ? 0 : (runs - each) / (places > 1 ? places - 1 : 1) * i;
    status = sweep_worker_runs(worker, first, each, &file, &error);
    if (i == 0)
      begun += runs < TRIAL_RUNS ? 0 : heft_clock_ns() - begun;  // the worlds were created
    if (status == HEFT_OK) sweep_tally_add(tally, s, &file, each);
    hdf5_release(&file);
    spent = 1e-9 * (double)(heft_clock_ns() - begun);
  }
  sweep_worker_destroy(worker);
  if (status != HEFT_OK) return !sweep_report(&error);
  const int64_t timed = tally->runs - (runs < TRIAL_RUNS ? 0 : each);
  *seconds_per_run = timed > 0 ? spent / (double)timed : spent;
  return 1;
}

static int print_trial(const Sweep* s) {
  SweepTally tally = {0};
  double each = 0;
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  if (!trial(s, &each, &tally)) return 0;
  printf("  time                %.3g ms per run on one processor (a trial of %lld runs); ",
         1e3 * each, (long long)tally.runs);
  print_duration(each * (double)s->plan->runs / (double)(n > 0 ? n : 1));
  printf(" on the %ld processors of this machine\n", n);
  printf("  of the trial:\n");
  sweep_tally_print(&tally, s);
  return 1;
}

// Computes the same chunks by the bare loop and in full, in turn, so that both see the same
// machine.
static int compare_bare(const Sweep* s) {
  enum { ROUNDS = 3 };
  HeftError error = {0};
  double best[2] = {0, 0}, least[2] = {(double)INFINITY, (double)INFINITY};
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  int64_t chunks[64];
  const int64_t all = plan_chunk_count(s->plan),
                count = all < 2 * n ? all : (2 * n < 64 ? 2 * n : 64);
  for (int64_t i = 0; i < count; ++i) chunks[i] = i * all / count;
  for (int round = 0; round < 2 * ROUNDS; ++round) {
    SweepTally tally;
    const SweepJob job = {s, NULL, chunks, count, (int)n, 1, round % 2 == 0};
    if (sweep_engine_run(&job, &tally, &error) != HEFT_OK) return !sweep_report(&error);
    const double rate = (double)tally.runs / tally.seconds;
    if (rate > best[round % 2]) best[round % 2] = rate;
    least[round % 2] = fmin(least[round % 2], tally.processor / (double)tally.runs);
  }
  printf("  rate                %.5g runs/s; the bare loop of the batch %.5g: share %.3f\n",
         best[1], best[0], best[1] / best[0]);
  printf("                      %.5g ms of processor time per run, bare %.5g: share %.3f\n",
         1e3 * least[1], 1e3 * least[0], least[0] / least[1]);
  return 1;
}

static void print_values(const Plan* p, int64_t count) {
  double values[PLAN_VARY_MAX];
  printf("  run");
  for (int i = 0; i < p->vary_count; ++i) printf(" %14s", p->vary[i].name);
  printf("\n");
  for (int64_t run = 0; run < count && run < p->runs; ++run) {
    sample_run(p, run, values);
    printf("  %3lld", (long long)run);
    for (int i = 0; i < p->vary_count; ++i) printf(" %14.8g", values[i]);
    printf("\n");
  }
}

// 0: there is no memory (reported).
static int print_plan(const Sweep* s) {
  const Plan* p = s->plan;
  const double h = p->time_step > 0 ? p->time_step : s->model->physics.time_step;
  SweepTable t;
  Hdf5File file;
  printf("%s\n", p->path);
  printf("  model               %s: %d bodies, %d degrees of freedom, %d actuators\n", p->model,
         s->model->nbody - 1, s->model->nv, s->model->nactuator);
  printf("  runs                %lld of %g s in %lld steps of %g s", (long long)p->runs,
         p->duration, (long long)ceil(p->duration / h - 1e-9), h);
  if (p->key) printf(", from the keyframe '%s'", p->key);
  printf("\n");
  print_variations(p);
  print_control(p);
  print_measures(p);
  for (int i = 0; i < p->log_count; ++i)
    printf("%s%lld%s", i ? ", " : "  logs of runs        ", (long long)p->log[i],
           i + 1 == p->log_count ? "\n" : "");
  sweep_table(s, 0, plan_chunk_runs(p, 0), &t);
  if (!hdf5_make(&file, &t.table)) {
    fprintf(stderr, "heft sweep: error: not enough memory for a chunk of %lld runs\n",
            (long long)p->chunk);
    return 0;
  }
  printf("  results             %d columns, %d bytes per run, ", s->column_count, 8 * s->width_sum);
  print_bytes((double)file.data * (double)plan_chunk_count(p) +
              8.0 * s->width_sum * (double)p->runs);
  printf(" in %lld chunks of %lld runs\n", (long long)plan_chunk_count(p), (long long)p->chunk);
  hdf5_release(&file);
  return 1;
}

int heft_sweep_check(int argc, char** argv) {
  const char *plan = NULL, *values = NULL;
  int no_trial = 0, bare = 0;
  const SweepOption options[] = {
      {"--no-trial", NULL, &no_trial}, {"--bare", NULL, &bare}, {"--values", &values, NULL}};
  const int found = sweep_arguments("check", help, options, 3, argc, argv, &plan, 1);
  if (found < 0) return found == -2 ? 0 : 2;
  if (found == 0) {
    fprintf(stderr,
            "heft sweep check: error: the plan is missing; try 'heft sweep check --help'\n");
    return 2;
  }
  SweepInput in;
  int code = 1;
  if (sweep_input_open(&in, plan) && print_plan(in.sweep)) {
    if (values) print_values(in.plan, strtoll(values, NULL, 10));
    code = (!no_trial && !print_trial(in.sweep)) || (bare && !compare_bare(in.sweep));
  }
  sweep_input_close(&in);
  return code;
}
