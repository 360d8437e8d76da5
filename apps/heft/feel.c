// SPDX-License-Identifier: Apache-2.0
// heft feel: users with haptic devices in a model.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <heft/device.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arguments.h"
#include "builtin.h"
#include "end_signals.h"
#include "experiments/interactive.h"
#include "feel_shared.h"
#include "model_options.h"
#include "person_file.h"
#include "session_file.h"
#include "users.h"
#include "verbs.h"

static const char help[] =
    "usage: heft feel [OPTIONS] FILE|SCENE|ADDRESS\n"
    "Simulates a model in real time and couples haptic devices to it: users press on bodies, "
    "grasp\n"
    "them and feel the contact forces. In an interactive scene a robot reacts to the users.\n"
    "Without --device the device is emulated, and a hand that presses from above. ADDRESS is that "
    "of a\n"
    "world which 'heft serve --shared' shares, with its token.\n"
    "\n"
    "  --time SECONDS           duration (default: until Ctrl-C)\n"
    "  --step SECONDS           time step (default 0.001; scenes: that of the model)\n"
    "  --key NAME               initial keyframe\n"
    "  --person FILE            a recorded person: BVH, C3D or CSV, for the scene mirror\n"
    "  --record FILE.mcap       record the session for 'heft replay'\n"
    "  --window                 show it in a window, as 'heft view'\n"
    "  --virtual                simulated clock, as fast as possible; for emulated devices only\n"
    "  --histogram              print histograms of the lateness and the latency of the servo\n";

typedef struct FeelOptions {
  ModelOptions model;
  Users users;
  PluginOptions plugins;
  char builtin[BUILTIN_PATH];
  const char *path, *key, *record, *person;
  double time, step;
  int virtual, histogram;
} FeelOptions;

static volatile sig_atomic_t ended;

static void end_it(int signal_number) {
  (void)signal_number;
  ended = 1;
}

// ---- options

static int positive(const char* text, double* out) { return arguments_positive("feel", text, out); }

// 1: taken, 0: wrong (reported), -1: unknown.
static int take_value(void* options, const char* name, const char* value) {
  FeelOptions* o = options;
  if (strcmp(name, "--time") == 0) return positive(value, &o->time);
  if (strcmp(name, "--step") == 0) return positive(value, &o->step);
  if (strcmp(name, "--key") == 0) return (o->key = value) != NULL;
  if (strcmp(name, "--person") == 0) return (o->person = value) != NULL;
  if (strcmp(name, "--record") == 0) {
    o->record = value;
    return arguments_ending("feel", value, ".mcap");
  }
  return -1;
}

static int take_flag(void* options, const char* name) {
  FeelOptions* o = options;
  if (strcmp(name, "--virtual") == 0) return o->virtual = 1;
  return strcmp(name, "--histogram") == 0 ? o->histogram = 1 : 0;
}

// 1: continue, 0: wrong (reported), 2: help requested.
static int read_options(FeelOptions* o, int argc, char** argv) {
  const Arguments arguments = {.verb = "feel",
                               .help = help,
                               .model = &o->model,
                               .users = &o->users,
                               .plugins = &o->plugins,
                               .builtin = o->builtin,
                               .options = o,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &o->path};
  return arguments_read_file(&arguments, argc, argv);
}

// ---- the session

typedef struct Feel {
  FeelOptions* options;
  double* took;  // time of each step [s]
  size_t took_count, took_room;
  double cpu_time;  // of the thread that steps [s]
  HeftModel* model;
  HeftWorld* world;
  HeftSession* session;
  SessionFile* log;
  PersonFile person;
  double h;
  HeftStepTally tally;
  long steps, late;
  double force_peak;
} Feel;

// CPU time of this thread [s]; other load on the machine does not count.
static double cpu_time(void) {
  struct timespec t = {0, 0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void note_time(Feel* f, uint64_t begun_ns) {
  if (f->took_count == f->took_room) {
    const size_t room = f->took_room > 0 ? 2 * f->took_room : 4096;
    double* grown = realloc(f->took, room * sizeof *grown);
    if (!grown) return;
    f->took = grown;
    f->took_room = room;
  }
  f->took[f->took_count++] = (double)(heft_clock_ns() - begun_ns) * 1e-9;
}

static int take_step(Feel* f, uint64_t deadline_ns) {
  Users* p = &f->options->users;
  HeftProbeInput inputs[USERS_MAX];
  HeftLocalModel models[USERS_MAX];
  HeftHand hands[USERS_MAX + HEFT_ACTION_SLOTS];
  int count = p->count;
  for (int i = 0; i < p->count; ++i) {
    heft_servo_input(p->servo, i, &inputs[i]);
    if (*heft_world_state(f->world)->time < p->begins) inputs[i].present = 0;
  }
  heft_session_hands(f->session, inputs, hands);
  if (f->options->person) count += person_file_see(&f->person, f->world, f->log, hands + count);
  if (f->options->plugins.set) heft_plugin_set_hands(f->options->plugins.set, hands, count);
  if (!plugin_options_before_step(&f->options->plugins, "feel")) return 0;
  const HeftStepReport report = heft_session_step(f->session, inputs, deadline_ns, models);
  plugin_options_after_step(&f->options->plugins, &report);
  heft_step_tally_add(&f->tally, &report);
  if (!heft_step_taken(report.status)) {
    fprintf(stderr, "heft feel: error: %s\n", heft_step_status_text(report.status));
    return 0;
  }
  for (int i = 0; i < p->count; ++i) {
    heft_servo_model(p->servo, i, &models[i]);
    const HeftProbeState* s = heft_probe_state(heft_session_probe(f->session, i));
    f->force_peak = fmax(f->force_peak, heft_vec3_norm(s->force));
  }
  if (f->log) session_file_step(f->log, f->session, &report);
  ++f->steps;
  return 1;
}

static void sleep_until(uint64_t at_ns) {
  const struct timespec at = {(time_t)(at_ns / 1000000000u), (long)(at_ns % 1000000000u)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void show(const Feel* f) {
  const Users* p = &f->options->users;
  for (int i = 0; i < p->count; ++i) {
    const HeftProbeState* s = heft_probe_state(heft_session_probe(f->session, i));
    const char* body = s->body < 0    ? "nothing"
                       : s->body == 0 ? "the world"
                                      : heft_model_name(f->model, HEFT_NAMED_BODY, s->body);
    printf("%7.1f s  %-10s %s %-16s %6.2f N\n", *heft_world_state(f->world)->time,
           heft_device_driver(p->device[i]), s->holds ? "grasps " : "contact", body,
           heft_vec3_norm(s->force));
  }
  fflush(stdout);
}

// Real time: the servo has a thread of its own, this thread steps the world. If a step is late by
// more than 50 ms, the schedule is moved by that time.
static int live(Feel* f) {
  Users* p = &f->options->users;
  HeftError error = {0};
  if (heft_servo_start(p->servo, &error) != HEFT_OK) {
    fprintf(stderr, "heft feel: error: %s\n", error.message);
    return 0;
  }
  const uint64_t period = (uint64_t)(1e9 * f->h);
  uint64_t due = heft_clock_ns(), shown = due;
  int well = 1;
  while (!ended && well && !(f->options->time > 0 && (double)f->steps * f->h >= f->options->time)) {
    sleep_until(due);
    const uint64_t begun = heft_clock_ns();
    well = take_step(f, due + period);
    note_time(f, begun);
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

// Simulated clock: the servo cycles once per millisecond, the world steps when it is due.
static int live_virtually(Feel* f) {
  Users* p = &f->options->users;
  uint64_t now = 1000000000u;
  double ahead = 0;
  const double takes = f->options->person ? person_file_duration(&f->person)
                                          : builtin_duration(&f->options->plugins);
  const double usual = takes > 0 ? takes : 10;
  const double time = f->options->time > 0 ? f->options->time : usual;
  while (!ended && (double)f->steps * f->h < time) {
    const uint64_t begun = heft_clock_ns();
    now += 1000000u;
    ahead += 1e-3;
    heft_servo_tick(p->servo, now);
    while (ahead >= f->h * (1 - 1e-9)) {
      ahead -= f->h;
      if (!take_step(f, 0)) return 0;
    }
    note_time(f, begun);
  }
  return 1;
}

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Time of steps: world, robot, probes, and the servo if it has no thread of its own.
static void print_times(const Feel* f) {
  if (f->took_count == 0) return;
  qsort(f->took, f->took_count, sizeof *f->took, by_size);
  const size_t n = f->took_count;
  printf(
      "  time of a step      %.3f ms (median), %.3f (99 %%), %.3f (min); CPU time %.2f s per s\n",
      1e3 * f->took[n / 2], 1e3 * f->took[n - 1 - n / 100], 1e3 * f->took[0],
      f->cpu_time / ((double)f->steps * f->h));
}

static void print_values(const HeftPluginSet* set) {
  const int count = plugin_options_value_count(set);
  for (int i = 0; i < count; ++i) {
    const char* plugin = "";
    double value = 0;
    const HeftOption* row = plugin_options_value(set, i, &plugin, &value);
    printf("  %-19s %g%s%s\n", row->name, value, row->unit[0] ? " " : "", row->unit);
  }
}

// Bins of a histogram with a bar each, from the first filled bin to the last.
static void print_histogram(const char* what, const long* bins) {
  int first = 0, last = HEFT_SERVO_BINS - 1;
  long max = 1;
  while (first < HEFT_SERVO_BINS - 1 && bins[first] == 0) ++first;
  while (last > first && bins[last] == 0) --last;
  for (int i = first; i <= last; ++i) max = bins[i] > max ? bins[i] : max;
  printf("  %s\n", what);
  for (int i = first; i <= last; ++i) {
    const int bar = (int)(50 * (double)bins[i] / (double)max + 0.999);
    printf("  %9.1f µs %9ld %.*s\n", heft_exp((i + 1) * 0.17328679513998632735), bins[i], bar,
           "##################################################");
  }
}

static void sum_up(const Feel* f) {
  const Users* p = &f->options->users;
  HeftServoView view;
  char text[2000];
  printf("  steps               %ld of %g s, %ld late\n", f->steps, f->h, f->late);
  printf("  contacts            %s\n",
         heft_step_tally_text(&f->tally, f->model, text, sizeof text));
  print_times(f);
  print_values(f->options->plugins.set);
  plugin_options_sum_up(&f->options->plugins);
  for (int i = 0; i < p->count; ++i) {
    heft_servo_view(p->servo, i, &view);
    const HeftGuardReport* g = &view.guard;
    printf("  %-19s largest force %.3f N, min of the energy ledger %.1e J\n",
           heft_device_info(p->device[i]).name, g->force_peak, g->energy_lowest);
    printf("  %-19s %ld clamped, %ld rate-limited, %ld starved, %ld damped, %ld jumps\n", "",
           g->clamped, g->slewed, g->starved, g->interventions, g->jumps);
  }
  if (p->count > 0 && !f->options->virtual) {
    printf(
        "  servo               %ld cycles, %ld missed, late by %.0f µs (median), %.0f (99 %%), "
        "%.0f (max)\n",
        view.servo.ticks, view.servo.missed, 1e6 * view.servo.late_median,
        1e6 * view.servo.late_p99, 1e6 * view.servo.late_max);
    printf("  sample to force     %.0f µs (median), %.0f (99 %%)\n",
           1e6 * view.servo.latency_median, 1e6 * view.servo.latency_p99);
    if (f->options->histogram) {
      print_histogram("lateness of the servo, bins up to", view.servo.late);
      print_histogram("latency from sample to force, bins up to", view.servo.latency);
    }
    if (view.servo.message[0]) printf("  note                %s\n", view.servo.message);
  }
  printf("  state hash          %016llx\n", (unsigned long long)heft_world_hash(f->world));
}

// ---- model, world and scene

// The hand comes from above, presses on what lies in the middle, rubs it to and fro, and leaves.
static const char usual_hand[] =
    "emulated:omega:0 0 0 0.05; 1 0 0 -0.01; 2 0.02 0 -0.01; 4 -0.02 0 -0.01; 5 0 0 0.05";

static int feel_elsewhere(FeelOptions* o) {
  if (o->users.count == 0) users_add(&o->users, usual_hand);
  end_signals(end_it);
  return feel_shared(&o->users, o->path, o->time, &ended);
}

static int open_world(Feel* f) {
  HeftError error = {0};
  FeelOptions* o = f->options;
  HeftWorldDef def = heft_world_def_default();
  f->model = model_options_load(&o->model, o->path);
  if (!f->model) return 0;
  if (o->plugins.builtin[0] && !(o->step > 0)) f->h = f->model->physics.time_step;
  def.time_step = f->h;
  if (!builtin_seat(&o->plugins, "feel", &o->users, 1)) return 0;
  if (o->person && !person_file_open(&f->person, "feel", o->person)) return 0;
  if (o->users.count == 0 && !o->person) users_add(&o->users, usual_hand);
  if (heft_world_create(&f->world, f->model, &def, &error) == HEFT_OK) return 1;
  fprintf(stderr, "heft feel: error: %s\n", error.message);
  return 0;
}

static int feel(Feel* f) {
  FeelOptions* o = f->options;
  HeftError error = {0};
  char recorded[64];
  if (!users_open(&o->users, "feel", f->model, !o->virtual)) return 0;
  if (heft_session_create(&f->session, f->world, o->users.count, o->users.probe, NULL, &error) !=
      HEFT_OK) {
    fprintf(stderr, "heft feel: error: %s\n", error.message);
    return 0;
  }
  if (!arguments_start("feel", f->world, o->key ? o->key : o->model.start)) return 0;
  if (!plugin_options_start(&o->plugins, "feel", f->world)) return 0;
  if (o->record) {
    snprintf(recorded, sizeof recorded, "%s%.40s", HEFT_SESSION_BUILTIN, o->plugins.builtin);
    HeftLoading loading;
    model_options_store(&o->model, &loading);
    const HeftSessionInfo info = {.model_path = o->plugins.builtin[0] ? recorded : o->path,
                                  .loading = &loading,
                                  .model = f->model,
                                  .world = heft_world_def_default(),
                                  .time_step = f->h,
                                  .session = f->session};
    f->log = session_file_open(o->record, &info, o->plugins.set);
    if (!f->log) return 0;
  }
  end_signals(end_it);
  const double before = cpu_time();
  const int well = o->virtual ? live_virtually(f) : live(f);
  f->cpu_time = cpu_time() - before;
  sum_up(f);
  return session_file_close(f->log) & well;
}

static void print_help(void) {
  printf("%s\nInteractive scenes:\n", help);
  for (int i = 0; interactive_at(i); ++i)
    printf("  %-24s %s\n", interactive_at(i)->act->name, interactive_at(i)->act->text);
  printf("%s%s%s", users_help, plugin_options_help, model_options_help);
}

// ---- in a window

static int wants_window(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (strcmp(argv[i], "--window") == 0) return 1;
  return 0;
}

// Runs the scene by 'heft view', with emulated hands where no device is named.
static int feel_in_window(int argc, char** argv) {
  char** list = calloc((size_t)argc + 2, sizeof *list);
  int count = 0, result = 2;
  if (!list) return 1;
  for (int i = 0; i < argc; ++i) {
    if (strcmp(argv[i], "--virtual") == 0 || strcmp(argv[i], "--histogram") == 0) {
      arguments_wrong("feel", "a window has no", argv[i]);
      free(list);
      return result;
    }
    if (strcmp(argv[i], "--window") == 0) continue;
    list[count++] = strcmp(argv[i], "--time") == 0 ? (char*)"--seconds" : argv[i];
  }
  list[count++] = (char*)"--emulate";
  result = heft_verb_view(count, list);
  free(list);
  return result;
}

int heft_verb_feel(int argc, char** argv) {
  FeelOptions o = {0};
  if (wants_window(argc, argv)) return feel_in_window(argc, argv);
  model_options_init(&o.model);
  users_init(&o.users);
  const int asked = read_options(&o, argc, argv);
  int result = asked == 0 ? 2 : 0;
  if (asked == 2) print_help();
  if (asked == 1) {
    Feel f = {.options = &o, .h = o.step > 0 ? o.step : 0.001};
    const int well = feel_is_shared(o.path) ? feel_elsewhere(&o) : open_world(&f) && feel(&f);
    result = well ? 0 : 1;
    heft_session_destroy(f.session);
    users_close(&o.users);
    person_file_release(&f.person);
    plugin_options_release(&o.plugins);
    heft_world_destroy(f.world);
    heft_model_destroy(f.model);
    free(f.took);
  }
  plugin_options_release(&o.plugins);
  model_options_release(&o.model);
  return result;
}
