// SPDX-License-Identifier: Apache-2.0
// heft feel: a person with a device in a model.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arguments.h"
#include "model_options.h"
#include "people.h"
#include "session_log.h"
#include "verbs.h"

static const char help[] =
    "usage: heft feel [OPTIONS] FILE\n"
    "Reach into a model with a haptic device: touch it, hold it, feel it push back.\n"
    "Without --device a hand is emulated. The same in a window: heft view FILE --device NAME.\n\n"
    "  --time SECONDS           how long (default: until Ctrl-C)\n"
    "  --step SECONDS           length of a step (default 0.001)\n"
    "  --key NAME               start from this keyframe\n"
    "  --record FILE.mcap       write a session that 'heft replay' lives again\n"
    "  --virtual                in a time of its own, as fast as it goes: for emulated devices\n";

typedef struct FeelOptions {
  ModelOptions model;
  People people;
  const char *path, *key, *record;
  double time, step;
  int virtual;
} FeelOptions;

static volatile sig_atomic_t ended;

static void end_it(int signal_number) {
  (void)signal_number;
  ended = 1;
}

// ---- options

static int positive(const char* text, double* out) { return arguments_positive("feel", text, out); }

// 1: taken, 0: wrong, and said so, -1: not ours.
static int take_value(void* options, const char* name, const char* value) {
  FeelOptions* o = options;
  if (strcmp(name, "--time") == 0) return positive(value, &o->time);
  if (strcmp(name, "--step") == 0) return positive(value, &o->step);
  if (strcmp(name, "--key") == 0) return (o->key = value) != NULL;
  if (strcmp(name, "--record") == 0) return (o->record = value) != NULL;
  return -1;
}

static int take_flag(void* options, const char* name) {
  FeelOptions* o = options;
  return strcmp(name, "--virtual") == 0 ? o->virtual = 1 : 0;
}

// 1: go on, 0: wrong, and said so, 2: help was asked for.
static int read_options(FeelOptions* o, int argc, char** argv) {
  const Arguments arguments = {.verb = "feel",
                               .model = &o->model,
                               .people = &o->people,
                               .options = o,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &o->path};
  return arguments_read_file(&arguments, argc, argv);
}

// ---- the session

typedef struct Feel {
  FeelOptions* options;
  HeftModel* model;
  HeftWorld* world;
  HeftSession* session;
  SessionLog* log;
  double h;
  long steps, late;
  double force_peak;
} Feel;

static int take_step(Feel* f, uint64_t deadline_ns) {
  People* p = &f->options->people;
  HeftProbeInput inputs[PEOPLE_MOST];
  HeftLocalModel models[PEOPLE_MOST];
  for (int i = 0; i < p->count; ++i) heft_servo_input(p->servo, i, &inputs[i]);
  const HeftStepReport report = heft_session_step(f->session, inputs, deadline_ns, models);
  if (report.status != HEFT_STEP_SOLVED) {
    fprintf(stderr, "heft feel: %s\n", heft_step_status_text(report.status));
    return 0;
  }
  for (int i = 0; i < p->count; ++i) {
    heft_servo_model(p->servo, i, &models[i]);
    const HeftProbeState* s = heft_probe_state(heft_session_probe(f->session, i));
    f->force_peak = fmax(f->force_peak, heft_vec3_norm(s->force));
  }
  if (f->log) session_log_step(f->log, &report);
  ++f->steps;
  return 1;
}

static void sleep_until(uint64_t at_ns) {
  const struct timespec at = {(time_t)(at_ns / 1000000000u), (long)(at_ns % 1000000000u)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void show(const Feel* f) {
  const People* p = &f->options->people;
  for (int i = 0; i < p->count; ++i) {
    const HeftProbeState* s = heft_probe_state(heft_session_probe(f->session, i));
    const char* body = s->body < 0    ? "nothing"
                       : s->body == 0 ? "the world"
                                      : heft_model_name(f->model, HEFT_NAMED_BODY, s->body);
    printf("%7.1f s  %-10s %s %-16s %6.2f N\n", *heft_world_state(f->world)->time,
           heft_device_driver(p->device[i]), s->holds ? "holds  " : "touches", body,
           heft_vec3_norm(s->force));
  }
  fflush(stdout);
}

// Real time: the servo has its thread, this one steps the world. A step that is too late by more
// than 50 ms lets that time go.
static int live(Feel* f) {
  People* p = &f->options->people;
  HeftError error = {0};
  if (heft_servo_start(p->servo, &error) != HEFT_OK) {
    fprintf(stderr, "heft feel: %s\n", error.message);
    return 0;
  }
  const uint64_t period = (uint64_t)(1e9 * f->h);
  uint64_t due = heft_clock_ns(), shown = due;
  int well = 1;
  while (!ended && well && !(f->options->time > 0 && (double)f->steps * f->h >= f->options->time)) {
    sleep_until(due);
    well = take_step(f, due + period);
    due += period;
    const uint64_t now = heft_clock_ns();
    if (now > due + 50000000u) due = now;
    if (now > due) ++f->late;
    if (now - shown > 1000000000u && !f->options->model.quiet) {
      show(f);
      shown = now;
    }
  }
  heft_servo_stop(p->servo);
  return well;
}

// A time of its own: the servo turns once a millisecond, the world steps when it is due.
static int live_virtually(Feel* f) {
  People* p = &f->options->people;
  uint64_t now = 1000000000u;
  double ahead = 0;
  const double time = f->options->time > 0 ? f->options->time : 10;
  while (!ended && (double)f->steps * f->h < time) {
    now += 1000000u;
    ahead += 1e-3;
    heft_servo_tick(p->servo, now);
    while (ahead >= f->h * (1 - 1e-9)) {
      ahead -= f->h;
      if (!take_step(f, 0)) return 0;
    }
  }
  return 1;
}

static void sum_up(const Feel* f) {
  const People* p = &f->options->people;
  HeftServoView view;
  printf("  steps               %ld of %g s, %ld too late\n", f->steps, f->h, f->late);
  for (int i = 0; i < p->count; ++i) {
    heft_servo_view(p->servo, i, &view);
    const HeftGuardReport* g = &view.guard;
    printf("  %-19s largest force %.3f N, ledger never below %.1e J\n",
           heft_device_info(p->device[i]).name, g->force_peak, g->energy_lowest);
    printf("  %-19s %ld clamped, %ld slowed, %ld starved, %ld damped, %ld jumps\n", "", g->clamped,
           g->slewed, g->starved, g->interventions, g->jumps);
  }
  if (p->count > 0 && !f->options->virtual) {
    printf(
        "  servo               %ld turns, %ld missed, late by %.0f µs (median), %.0f (99 %%), "
        "%.0f (most)\n",
        view.servo.ticks, view.servo.missed, 1e6 * view.servo.late_median,
        1e6 * view.servo.late_p99, 1e6 * view.servo.late_max);
    printf("  sample to force     %.0f µs (median), %.0f (99 %%)\n",
           1e6 * view.servo.latency_median, 1e6 * view.servo.latency_p99);
    if (view.servo.message[0]) printf("  note                %s\n", view.servo.message);
  }
  printf("  state hash          %016llx\n", (unsigned long long)heft_world_hash(f->world));
}

static int feel(Feel* f) {
  FeelOptions* o = f->options;
  HeftWorldDef def = heft_world_def_default();
  HeftError error = {0};
  def.time_step = f->h;
  if (!people_open(&o->people, "feel", f->model, !o->virtual)) return 0;
  if (heft_world_create(&f->world, f->model, &def, &error) != HEFT_OK ||
      heft_session_create(&f->session, f->world, o->people.count, o->people.probe, NULL, &error) !=
          HEFT_OK) {
    fprintf(stderr, "heft feel: %s\n", error.message);
    return 0;
  }
  if (!arguments_start("feel", f->world, o->key)) return 0;
  if (o->record) {
    f->log = session_log_open(o->record, o->path, f->world, f->session, f->h);
    if (!f->log) return 0;
  }
  signal(SIGINT, end_it);
  signal(SIGTERM, end_it);
  const int well = o->virtual ? live_virtually(f) : live(f);
  sum_up(f);
  return session_log_close(f->log) & well;
}

int heft_verb_feel(int argc, char** argv) {
  FeelOptions o = {.step = 0.001};
  model_options_init(&o.model);
  people_init(&o.people);
  const int asked = read_options(&o, argc, argv);
  int result = asked == 0 ? 2 : 0;
  if (asked == 2) printf("%s%s%s", help, people_help, model_options_help);
  if (asked == 1) {
    if (o.people.count == 0) people_add(&o.people, "emulated");
    Feel f = {.options = &o, .h = o.step, .model = model_options_load(&o.model, o.path)};
    result = f.model && feel(&f) ? 0 : 1;
    heft_session_destroy(f.session);
    heft_world_destroy(f.world);
    people_close(&o.people);
    heft_model_destroy(f.model);
  }
  model_options_release(&o.model);
  return result;
}
