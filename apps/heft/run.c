// SPDX-License-Identifier: Apache-2.0
// heft run: simulates a model, shows progress, and prints a summary with the residuals.
#include <errno.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <heft/run_log.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "builtin.h"
#include "closest.h"
#include "contact_options.h"
#include "end_signals.h"
#include "evidence.h"
#include "json_out.h"
#include "model_options.h"
#include "names.h"
#include "run_log.h"
#include "session_file.h"
#include "verbs.h"

static const char help[] =
    "usage: heft run [OPTIONS] FILE|NAME\n"
    "Simulates a model and prints a summary: speed, contacts, residuals of the contact law.\n"
    "FILE is MJCF, URDF or a compiled model (.heft). NAME is a robot that acts ('heft view "
    "--list').\n"
    "\n"
    "  --time SECONDS         simulated time (default 10)\n"
    "  --step SECONDS         time step (default: from the model)\n"
    "  --key NAME             initial keyframe (default: the pose in the file)\n"
    "  --integrator NAME      moreau (default, with contact) or rk4 (smooth motion without "
    "contact)\n"
    "  --contact-model NAME   contact model (default: from the model, or exact); list below\n"
    "  --tolerance X          relative residual to which contacts are solved (default 1e-6)\n"
    "  --bound NAME=VALUE     error above which a step is not solved, as loop_error=1e-4; may be\n"
    "                         repeated\n"
    "  --effort-max N         max effort of the contact solver per island (default: by\n"
    "                         its kind)\n"
    "  --exact                no such bound: each step goes on until it meets the tolerance\n"
    "  --contact-capacity N   max contact points of a step (default: from the model)\n"
    "  --log FILE             write each step to a .csv, .npy (NumPy), .mcap (Foxglove, "
    "PlotJuggler)\n"
    "                         or .ros2.mcap file (a bag of ROS 2); may be repeated\n"
    "  --every N              write the start and each Nth step only (default 1)\n"
    "  --margin N             at each Nth step, find how much of their friction bodies need; the\n"
    "                         summary has the largest share, when, and which body; logs have\n"
    "                         the share of the last of these steps\n"
    "  --ros2                 run in real time as a node of ROS 2\n"
    "  --ros2-wait SECONDS    ... which waits so long for the first command\n"
    "  --json                 one JSON object on stdout instead of the summary\n"
    "  --record FILE.mcap     record all steps for 'heft replay'\n"
    "  --evidence FILE.mcap   write all that 'heft-check' needs to recompute each step\n";

enum { LOGS_MAX = 4 };

// Ctrl-C ends the simulation with its summary; a second one ends the program.
static volatile sig_atomic_t ended;

static void end_it(int signal_number) {
  ended = 1;
  signal(signal_number, SIG_DFL);
}

typedef struct RunOptions {
  ModelOptions model;
  PluginOptions plugins;
  char builtin[BUILTIN_PATH];
  const char *path, *key, *record, *evidence;
  const char* logs[LOGS_MAX];
  int log_count;
  double time;
  int every, json;
  int ros2;          // 1: --ros2
  double ros2_wait;  // [s]
  int margin;        // 0: none
  HeftWorldDef def;
} RunOptions;

typedef struct Summary {
  HeftStepTally tally;
  long contacts, sweeps, newton_steps, fallbacks;
  double worst_relative, worst_residual, deepest, longest_us;
  double time, wall, step;  ///< simulated time, real time and time step [s]
  HeftStepStatus last;
  Closest closest;  // every is 0: not asked for
  int failed;       // 1: a plug-in failed
} Summary;

// ---- options

static int wrong(const char* what, const char* value) {
  return arguments_wrong("run", what, value);
}

static int read_positive(const char* text, double* out) {
  return arguments_positive("run", text, out);
}

static int read_count(const char* text, int* out) {
  double number = 0;
  if (!read_positive(text, &number)) return 0;
  if (number > 1e9) return wrong("too large a number", text);
  *out = number < 1 ? 1 : (int)number;
  return 1;
}

static const char* integrator_name(const void* from, int index) {
  (void)from;
  return heft_integrator_name((HeftIntegrator)index);
}

static int read_integrator(const char* text, HeftIntegrator* out) {
  for (int i = 0; i < HEFT_INTEGRATOR_COUNT; ++i) {
    if (strcmp(text, heft_integrator_name((HeftIntegrator)i)) != 0) continue;
    *out = (HeftIntegrator)i;
    return 1;
  }
  return names_wrong("run", "unknown integrator", text,
                     (Names){integrator_name, NULL, HEFT_INTEGRATOR_COUNT});
}

// Takes an option with a value. 1: taken, 0: wrong (reported), -1: unknown.
static int take_value(void* options, const char* name, const char* value) {
  RunOptions* o = options;
  if (strcmp(name, "--time") == 0) return read_positive(value, &o->time);
  if (strcmp(name, "--step") == 0) return read_positive(value, &o->def.time_step);
  if (strcmp(name, "--tolerance") == 0) return read_positive(value, &o->def.tolerance);
  if (strcmp(name, "--bound") == 0) return bound_read("run", value, &o->def.bounds);
  if (strcmp(name, "--effort-max") == 0) return read_count(value, &o->def.effort_max);
  if (strcmp(name, "--contact-capacity") == 0) return read_count(value, &o->def.contact_capacity);
  if (strcmp(name, "--contact-model") == 0)
    return contact_options_read("run", value, &o->def.contact_model, &o->def.contact_options);
  if (strcmp(name, "--integrator") == 0) return read_integrator(value, &o->def.integrator);
  if (strcmp(name, "--key") == 0) return (o->key = value) != NULL;
  if (strcmp(name, "--log") == 0) {
    if (o->log_count == LOGS_MAX)
      return wrong("too many logs, the first that does not fit is", value);
    o->logs[o->log_count++] = value;
    return 1;
  }
  if (strcmp(name, "--margin") == 0) return read_count(value, &o->margin);
  if (strcmp(name, "--ros2-wait") == 0) return (o->ros2 = 1) && read_positive(value, &o->ros2_wait);
  if (strcmp(name, "--every") == 0) return read_count(value, &o->every);
  if (strcmp(name, "--record") == 0) {
    o->record = value;
    return arguments_ending("run", value, ".mcap");
  }
  if (strcmp(name, "--evidence") == 0) {
    o->evidence = value;
    return arguments_ending("run", value, ".mcap");
  }
  return -1;
}

// Takes an option without a value. 0: unknown.
static int take_flag(void* options, const char* name) {
  RunOptions* o = options;
  if (strcmp(name, "--json") == 0) return o->json = 1;
  if (strcmp(name, "--ros2") == 0) return o->ros2 = 1;
  if (strcmp(name, "--exact") != 0) return 0;
  o->def.effort_max = INT_MAX;
  return 1;
}

// 1: continue, 0: wrong (reported), 2: help requested.
static int read_options(RunOptions* o, int argc, char** argv) {
  const Arguments arguments = {.verb = "run",
                               .help = help,
                               .model = &o->model,
                               .plugins = &o->plugins,
                               .builtin = o->builtin,
                               .options = o,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &o->path};
  return arguments_read_file(&arguments, argc, argv);
}

// ---- logs

typedef struct Logs {
  RunLog* log[LOGS_MAX];
  int count;
  HeftSession* session;  // without probes, for the record; or NULL
  SessionFile* record;
  Evidence* evidence;  // or NULL
  double needed;       // of friction, with --margin
} Logs;

static int open_record(Logs* logs, const RunOptions* o, HeftWorld* w) {
  HeftError error = {0};
  if (!o->record) return 1;
  if (heft_session_create(&logs->session, w, 0, NULL, NULL, &error) != HEFT_OK) {
    fprintf(stderr, "heft run: error: %s\n", error.message);
    return 0;
  }
  char act[100];
  snprintf(act, sizeof act, "%s%.60s", HEFT_SESSION_BUILTIN, o->plugins.builtin);
  HeftLoading loading;
  model_options_store(&o->model, &loading);
  const HeftSessionInfo info = {.model_path = o->plugins.builtin[0] ? act : o->path,
                                .loading = &loading,
                                .model = heft_world_model(w),
                                .world = o->def,
                                .time_step = heft_world_time_step(w),
                                .session = logs->session};
  logs->record = session_file_open(o->record, &info, o->plugins.set);
  return logs->record != NULL;
}

static int open_logs(Logs* logs, const RunOptions* o, const HeftModel* m) {
  for (; logs->count < o->log_count; ++logs->count) {
    logs->log[logs->count] = run_log_open(o->logs[logs->count], m, o->path, o->plugins.set,
                                          o->margin > 0 ? &logs->needed : NULL);
    if (!logs->log[logs->count]) return 0;
  }
  return 1;
}

static int open_evidence(Logs* logs, const RunOptions* o, const HeftWorld* w) {
  if (o->evidence) logs->evidence = evidence_open(o->evidence, w, &o->def);
  return !o->evidence || logs->evidence != NULL;
}

static int close_logs(Logs* logs) {
  int well = evidence_close(logs->evidence);
  for (int i = 0; i < logs->count; ++i) well &= run_log_close(logs->log[i]);
  well &= session_file_close(logs->record);
  heft_session_destroy(logs->session);
  return well;
}

// ---- running

static void add_up(Summary* s, const HeftStepReport* r, double us) {
  heft_step_tally_add(&s->tally, r);
  s->contacts += r->contact_count;
  s->sweeps += r->sweeps;
  s->newton_steps += r->newton_steps;
  s->fallbacks += r->fallbacks;
  s->worst_relative = fmax(s->worst_relative, r->relative);
  s->worst_residual = fmax(s->worst_residual, r->residual);
  s->deepest = fmax(s->deepest, r->penetration);
  s->longest_us = fmax(s->longest_us, us);
  s->last = r->status;
}

static void show_progress(const HeftWorld* w, double end, uint64_t started, int show) {
  if (!show) return;
  const double now = *heft_world_state(w)->time, wall = (double)(heft_clock_ns() - started) * 1e-9;
  fprintf(stderr, "\r%6.2f of %.2f s, %.2f x real time ", now, end, now / wall);
}

static void log_row(const Logs* logs, HeftWorld* w, const HeftStepReport* r) {
  for (int k = 0; k < logs->count; ++k) run_log_step(logs->log[k], w, r);
}

static Summary step_through(HeftWorld* w, const RunOptions* o, Logs* logs) {
  Summary s = {.closest = {.every = o->margin, .logged = logs->count > 0}};
  const double h = heft_world_time_step(w);
  const long steps = (long)ceil(o->time / h - 1e-9);
  uint64_t started = heft_clock_ns(), shown = started;
  const int show = isatty(STDERR_FILENO) && !o->model.quiet;
  const HeftStepReport start = heft_run_log_start_report(w);
  log_row(logs, w, &start);
  end_signals(end_it);
  for (long i = 0; i < steps && !ended; ++i) {
    if (!plugin_options_before_step(&o->plugins, "run")) {
      s.failed = 1;
      break;
    }
    evidence_before(logs->evidence, w);
    const uint64_t before = heft_clock_ns();
    if (i == 0) started = before;  // a controller in another process may come late
    const HeftStepReport r =
        logs->session ? heft_session_step(logs->session, NULL, 0, NULL) : heft_world_step(w);
    const uint64_t after = heft_clock_ns();
    if (logs->record && heft_step_taken(r.status))
      session_file_step(logs->record, logs->session, &r);
    if (heft_step_taken(r.status)) evidence_after(logs->evidence, w, &r);
    plugin_options_after_step(&o->plugins, &r);
    add_up(&s, &r, (double)(after - before) * 1e-3);
    if (o->margin > 0) closest_step(&s.closest, w);
    logs->needed = s.closest.now;
    if ((i + 1) % o->every == 0) log_row(logs, w, &r);
    if (after - shown > 200000000u) {
      show_progress(w, o->time, started, show);
      shown = after;
    }
    if (!heft_step_taken(r.status))
      break;  // the state was rolled back: the next step would fail in the same way
  }
  if (show) fprintf(stderr, "\r%60s\r", "");
  s.wall = (double)(heft_clock_ns() - started) * 1e-9;
  s.time = *heft_world_state(w)->time;
  s.step = h;
  return s;
}

// The distance of two bodies at a contact point after the time h, at their present velocities.
static double gap_after(const HeftWorld* w, const HeftContact* c, double h) {
  const HeftDynamics* d = heft_world_dynamics(w);
  const HeftVec3 apart = heft_vec3_sub(heft_dynamics_body_velocity(d, c->body_b, c->pos).lin,
                                       heft_dynamics_body_velocity(d, c->body_a, c->pos).lin);
  return c->gap + h * heft_vec3_dot(apart, c->normal);
}

typedef struct BodyText {
  char text[80];
} BodyText;

static BodyText body_text(const HeftModel* m, int body) {
  BodyText out;
  const char* name = heft_model_name(m, HEFT_NAMED_BODY, body);
  if (body == 0)
    snprintf(out.text, sizeof out.text, "the world");
  else if (name && name[0])
    snprintf(out.text, sizeof out.text, "'%s'", name);
  else
    snprintf(out.text, sizeof out.text, "body %d", body);
  return out;
}

// Names the bodies of the contact that the integrator refused: the first one to close.
static void print_refused(const HeftWorld* w) {
  const HeftModel* m = heft_world_model(w);
  HeftContact first = heft_world_contact(w, 0);
  for (int i = 1; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    const double h = m->physics.time_step;
    if (gap_after(w, &c, h) < gap_after(w, &first, h)) first = c;
  }
  printf("  contact             of %s and %s at %.4g s\n", body_text(m, first.body_b).text,
         body_text(m, first.body_a).text, *heft_world_state(w)->time);
}

static void print_summary(const Summary* s, const HeftWorld* w, int rk4) {
  const double n = (double)(s->tally.steps > 0 ? s->tally.steps : 1);
  char text[2000];
  printf("  simulated           %.3f s in %ld steps of %g s\n", s->time, s->tally.steps, s->step);
  printf("  speed               %.1f x real time, %.1f µs per step, longest %.0f µs\n",
         s->wall > 0 ? s->time / s->wall : 0, s->wall * 1e6 / n, s->longest_us);
  printf("  contacts            %.1f per step, max penetration %.1e m\n", (double)s->contacts / n,
         s->deepest);
  printf("  certificate         max residual %.1e m/s, relative %.1e\n", s->worst_residual,
         s->worst_relative);
  if (s->closest.body > 0)
    printf("  friction needed     %.1f %% at most, by %s at %.4g s\n", 100 * s->closest.needed,
           body_text(heft_world_model(w), s->closest.body).text, s->closest.when);
  else if (s->closest.every > 0)
    printf("  friction needed     below 0.1 %%\n");
  printf("  steps               %s\n",
         heft_step_tally_text(&s->tally, heft_world_model(w), text, sizeof text));
  if (rk4 && s->tally.inexact > 0)
    printf("  integrator          rk4 leaves out limits, loops and dry friction: use moreau\n");
  printf("  effort              %.1f sweeps and %.2f Newton steps per step\n",
         (double)s->sweeps / n, (double)s->newton_steps / n);
  printf("  contact model       %s\n", contact_law_name(w));
  if (heft_world_detector(w)) printf("  detector            %s\n", heft_world_detector(w)->name);
  if (s->fallbacks > 0)
    printf("  fallbacks           %ld islands solved exactly, because the contact model failed\n",
           s->fallbacks);
  if (!heft_step_taken(s->last))
    printf("  stopped             %s\n", heft_step_status_text(s->last));
  if (s->last == HEFT_STEP_CONTACT_REFUSED) print_refused(w);
  printf("  state hash          %016llx\n", (unsigned long long)heft_world_hash(w));
}

// ---- JSON

static Json begin_json(const RunOptions* o, int ok) {
  Json j = json_begin("run");
  json_put_text(&j, "file", o->path);
  json_put_flag(&j, "ok", ok);
  return j;
}

static void end_json(const RunOptions* o, Json* j) {
  model_options_write_messages(&o->model, j);
  json_end(j);
}

static void write_summary(const RunOptions* o, const Summary* s, const HeftWorld* w, int ok) {
  const double n = (double)(s->tally.steps > 0 ? s->tally.steps : 1);
  char text[2000];
  Json j = begin_json(o, ok);
  json_put_number(&j, "time", s->time);
  json_put_number(&j, "time_step", s->step);
  json_put_count(&j, "steps", s->tally.steps);
  json_put_number(&j, "wall_s", s->wall);
  json_put_number(&j, "real_time_factor", s->wall > 0 ? s->time / s->wall : 0);
  json_put_number(&j, "mean_step_us", s->wall * 1e6 / n);
  json_put_number(&j, "longest_step_us", s->longest_us);
  json_put_number(&j, "contacts_per_step", (double)s->contacts / n);
  json_put_number(&j, "max_penetration", s->deepest);
  json_put_number(&j, "max_residual", s->worst_residual);
  json_put_number(&j, "max_relative", s->worst_relative);
  if (s->closest.every > 0) {
    json_put_number(&j, "friction_needed", s->closest.needed);
    json_put_number(&j, "friction_needed_time", s->closest.when);
    json_put_text(&j, "friction_needed_body", body_text(heft_world_model(w), s->closest.body).text);
  }
  json_put_count(&j, "inexact_steps", s->tally.inexact);
  json_put_count(&j, "dropped_contacts", s->tally.dropped);
  json_put_count(&j, "rolled_back", s->tally.rolled_back);
  json_put_text(&j, "steps_text",
                heft_step_tally_text(&s->tally, heft_world_model(w), text, sizeof text));
  json_open_object(&j, "steps_by_status");
  for (int i = 0; i < HEFT_STEP_STATUS_COUNT; ++i) {
    const char* phrase = heft_step_status_text((HeftStepStatus)i);
    snprintf(text, sizeof text, "%.*s", (int)strcspn(phrase, ":,"), phrase);
    if (s->tally.status[i] > 0) json_put_count(&j, text, s->tally.status[i]);
  }
  json_close_object(&j);
  json_put_number(&j, "sweeps_per_step", (double)s->sweeps / n);
  json_put_number(&j, "newton_steps_per_step", (double)s->newton_steps / n);
  json_put_count(&j, "fallbacks", s->fallbacks);
  json_put_text(&j, "contact_model", contact_law_name(w));
  json_put_text(&j, "last_status", heft_step_status_text(s->last));
  json_put_hash(&j, "state_hash", heft_world_hash(w));
  end_json(o, &j);
}

static int run_world(RunOptions* o, const HeftModel* m) {
  HeftError error = {0};
  HeftWorld* w = NULL;
  Logs logs = {0};
  int result = 1;
  if (heft_world_create(&w, m, &o->def, &error) != HEFT_OK) {
    fprintf(stderr, "heft run: error: %s\n", error.message);
    return 1;
  }
  if ((!o->ros2 || plugin_options_add_ros2(&o->plugins, "run", o->ros2_wait)) &&
      arguments_start("run", w, o->key ? o->key : o->model.start) &&
      plugin_options_start(&o->plugins, "run", w) && open_logs(&logs, o, m) &&
      open_record(&logs, o, w) && open_evidence(&logs, o, w)) {
    if (!o->json) printf("%s\n", o->path);
    const Summary s = step_through(w, o, &logs);
    result = s.tally.rolled_back > 0 || s.failed || !plugin_options_answered(&o->plugins);
    if (o->json) {
      write_summary(o, &s, w, !result);
    } else {
      print_summary(&s, w, o->def.integrator == HEFT_INTEGRATOR_RK4);
      plugin_options_sum_up(&o->plugins);
    }
  }
  if (!close_logs(&logs)) result = 1;
  plugin_options_release(&o->plugins);
  heft_world_destroy(w);
  return result;
}

int heft_verb_run(int argc, char** argv) {
  RunOptions o = {.time = 10, .every = 1, .def = heft_world_def_default()};
  model_options_init(&o.model);
  const int asked = read_options(&o, argc, argv);
  int result = asked == 0 ? 2 : 0;
  if (asked == 2) {
    printf("%s%s%s", help, plugin_options_help, model_options_help);
    contact_options_print();
  }
  if (asked == 1) {
    o.model.messages_wanted = o.json;
    HeftModel* model = model_options_load(&o.model, o.path);
    result = model ? run_world(&o, model) : 1;
    if (!model && o.json) {
      Json j = begin_json(&o, 0);
      end_json(&o, &j);
    }
    heft_model_destroy(model);
  }
  plugin_options_release(&o.plugins);
  model_options_release(&o.model);
  return result;
}
