// SPDX-License-Identifier: Apache-2.0
// heft judge: whether a robot can do a trajectory that comes from elsewhere.
#include "judge/judge.h"

#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "json_out.h"
#include "judge_log.h"
#include "load_option.h"
#include "log_table.h"
#include "model_options.h"
#include "names.h"
#include "plot.h"
#include "progress.h"
#include "verbs.h"

static const char help[] =
    "usage: heft judge MODEL TRAJECTORY.csv [OPTIONS]\n"
    "       heft judge --log RUN.mcap|RUN.csv [--model MODEL] [--contacts FILE.csv] [OPTIONS]\n"
    "The first form reads the coordinates of a robot over time and reports when the motion is not\n"
    "feasible: torques beyond those of the actuators, joints beyond their ranges, contact forces\n"
    "beyond the friction cones, a pressure that would leave the contacts.\n"
    "The exit code is 1 if there is such a time.\n"
    "\n"
    "The first line of the table names its columns: time [s] and joints [rad, m]; the floating "
    "base is\n"
    "base.x, base.y, base.z, base.qw, base.qx, base.qy, base.qz (or the name of its joint). "
    "Joints\n"
    "without a column stay as in the model. The log of heft run (time, q0, q1, ...) is a table, "
    "too.\n"
    "\n"
    "The second form reads the log of a simulation by any engine and reports the steps that break "
    "a\n"
    "law of mechanics or of contact, and by how much. Without contact forces it infers whether "
    "any\n"
    "forces explain the motion. The exit code is 1 if a step breaks a law.\n"
    "\n"
    "  --log FILE       the log: MCAP of heft run, or CSV (time, coordinates, velocities, forces)\n"
    "  --model FILE     the model, which a CSV log needs\n"
    "  --contacts FILE  contact forces of a CSV log: time, a, b (numbers of bodies), x, y, z, nx, "
    "ny,\n"
    "                   nz (unit, from a to b), fx, fy, fz (on b)\n"
    "  --infer          infer forces even if the log has them\n"
    "  --creep V        slip of contacts that counts as none [m/s] (default 1e-5)\n"
    "  --overlap D      overlap of bodies that is allowed [m] (default 0.002)\n"
    "\n"
    "  --support BODY   this body stays in place, if the table has no columns of the base\n"
    "  --load BODY=MASS@X,Y,Z   the robot carries this mass [kg] at a point of a body [m]; repeat "
    "it\n"
    "                   for two hands\n"
    "  --bar R          a bar of radius R [m] from the first load to the second keeps clear of the "
    "robot\n"
    "  --touch D        surfaces closer than D [m] carry forces (default 0.003)\n"
    "  --speed V        max speed of all joints [rad/s, m/s]\n"
    "  --tolerance E    wrench that may be missing, as a share of the weight (default 0.001)\n"
    "  --figure FILE    draw the shares of the limits over time, as SVG\n"
    "  --json           print one JSON object\n";

typedef struct Options {
  JudgeDef def;
  const char *support, *figure;
  LoadOptions loads;
  JudgeLog run;
  const char* model;
  int json;
} Options;

static int take_flag(void* context, const char* name) {
  Options* o = context;
  if (strcmp(name, "--infer") == 0) return o->run.def.infer = 1;
  return strcmp(name, "--json") == 0 && (o->json = 1);
}

static int take_value(void* context, const char* name, const char* value) {
  Options* o = context;
  if (strcmp(name, "--support") == 0) return (o->support = value) != NULL;
  if (strcmp(name, "--load") == 0) return load_options_take(&o->loads, "judge", value);
  if (strcmp(name, "--bar") == 0) return arguments_positive("judge", value, &o->def.bar);
  if (strcmp(name, "--touch") == 0)
    return arguments_positive("judge", value, &o->def.touch) &&
           (o->run.def.touch = o->def.touch) > 0;
  if (strcmp(name, "--log") == 0) return (o->run.log = value) != NULL;
  if (strcmp(name, "--model") == 0) return (o->model = value) != NULL;
  if (strcmp(name, "--contacts") == 0) return (o->run.contacts = value) != NULL;
  if (strcmp(name, "--creep") == 0) return arguments_positive("judge", value, &o->run.def.creep);
  if (strcmp(name, "--overlap") == 0)
    return arguments_positive("judge", value, &o->run.def.overlap);
  if (strcmp(name, "--speed") == 0) return arguments_positive("judge", value, &o->def.speed);
  if (strcmp(name, "--tolerance") == 0)
    return arguments_positive("judge", value, &o->def.tolerance);
  if (strcmp(name, "--figure") != 0) return -1;
  o->figure = value;
  return arguments_ending("judge", value, ".svg");
}

// ---- the report

static const char* where(const HeftModel* m, const JudgeViolation* v) {
  return v->dof < 0 ? "" : heft_model_name(m, HEFT_NAMED_JOINT, m->dof_joint[v->dof]);
}

static double worst_of(const JudgeReport* r, size_t offset) {
  double worst = 0;
  for (int i = 0; i < r->sample_count; ++i) {
    double value;
    memcpy(&value, (const char*)&r->sample[i] + offset, sizeof value);
    worst = fmax(worst, value);
  }
  return worst;
}

static double least_of(const JudgeReport* r, size_t offset) {
  double least = (double)NAN;
  for (int i = 0; i < r->sample_count; ++i) {
    double value;
    memcpy(&value, (const char*)&r->sample[i] + offset, sizeof value);
    least = fmin(least, value);
  }
  return least;
}

static void print_report(const HeftModel* m, const JudgeReport* r, const char* path) {
  const JudgeSample* last = &r->sample[r->sample_count - 1];
  printf("%s: %d rows, %g to %g s", path, r->sample_count, r->sample[0].time, last->time);
  if (r->root >= 0) {
    printf("; the robot weighs %.1f N\n", r->weight);
    printf("  missing wrench    at most %.4f of the weight\n",
           worst_of(r, offsetof(JudgeSample, missing)));
    printf("  zero-moment point at least %.1f mm inside the contacts\n",
           1e3 * least_of(r, offsetof(JudgeSample, margin)));
    printf("  friction          at most %.2f of the cones\n",
           worst_of(r, offsetof(JudgeSample, friction)));
  } else {
    printf("; the base is fixed\n");
  }
  printf("  torque            at most %.2f of the limits\n",
         worst_of(r, offsetof(JudgeSample, torque)));
  printf("  speed             at most %.2f rad/s or m/s\n",
         worst_of(r, offsetof(JudgeSample, speed)));
  const double gap = least_of(r, offsetof(JudgeSample, gap));
  if (isfinite(gap)) printf("  bar               at least %.1f mm clear\n", 1e3 * gap);
  for (int i = 0; i < r->violation_count; ++i) {
    const JudgeViolation* v = &r->violation[i];
    printf("  %8.4f to %8.4f s: %s %s: %s; worst %.4g at %.4f s, limit %.4g\n", v->from, v->to,
           judge_kind_word(v->kind), where(m, v), judge_kind_meaning(v->kind), v->worst, v->at,
           v->limit);
  }
  printf(r->violation_count == 0 ? "feasible\n" : "not feasible\n");
}

static void print_json(const HeftModel* m, const JudgeReport* r, const char* path) {
  Json json = json_begin("judge");
  json_put_text(&json, "file", path);
  json_put_flag(&json, "feasible", r->violation_count == 0);
  json_put_count(&json, "rows", r->sample_count);
  json_put_number(&json, "weight", r->weight);
  json_open_list(&json, "violations");
  for (int i = 0; i < r->violation_count; ++i) {
    const JudgeViolation* v = &r->violation[i];
    json_open_object(&json, NULL);
    json_put_text(&json, "kind", judge_kind_word(v->kind));
    if (v->dof >= 0) json_put_text(&json, "joint", where(m, v));
    json_put_number(&json, "from", v->from);
    json_put_number(&json, "to", v->to);
    json_put_number(&json, "worst", v->worst);
    json_put_number(&json, "at", v->at);
    json_put_number(&json, "limit", v->limit);
    json_close_object(&json);
  }
  json_close_list(&json);
  json_open_list(&json, "samples");
  for (int i = 0; i < r->sample_count; ++i) {
    const JudgeSample* s = &r->sample[i];
    json_open_object(&json, NULL);
    json_put_number(&json, "time", s->time);
    json_put_count(&json, "contacts", s->contacts);
    json_put_number(&json, "missing", s->missing);
    json_put_number(&json, "margin", s->margin);
    json_put_number(&json, "friction", s->friction);
    json_put_number(&json, "torque", s->torque);
    json_put_number(&json, "speed", s->speed);
    json_close_object(&json);
  }
  json_close_list(&json);
  json_end(&json);
}

static double worst_contacts(const JudgeReport* r) {
  int most = 0;
  for (int i = 0; i < r->sample_count; ++i)
    most = r->sample[i].contacts > most ? r->sample[i].contacts : most;
  return most;
}

static int draw(const JudgeReport* r, const char* figure, const char* title) {
  const size_t n = (size_t)r->sample_count;
  double* x = malloc(6 * n * sizeof *x);
  if (!x) return 0;
  double *row[5], ends[2] = {r->sample[0].time, r->sample[n - 1].time}, one[2] = {1, 1},
                  zero[2] = {0, 0};
  for (int k = 0; k < 5; ++k) row[k] = x + (size_t)(k + 1) * n;
  for (size_t i = 0; i < n; ++i) {
    const JudgeSample* s = &r->sample[i];
    x[i] = s->time;
    row[0][i] = 100 * s->missing;
    row[1][i] = 1e3 * s->margin;
    row[2][i] = s->friction;
    row[3][i] = s->torque;
    row[4][i] = s->contacts;
  }
  const PlotCurve missing[] = {{"missing wrench", x, row[0], n, 1, PLOT_LINE}};
  const PlotCurve margin[] = {{"margin", x, row[1], n, 0, PLOT_LINE},
                              {"limit", ends, zero, 2, 5, PLOT_DASHED}};
  const PlotCurve shares[] = {{"friction", x, row[2], n, 2, PLOT_LINE},
                              {"torque", x, row[3], n, 3, PLOT_LINE},
                              {"limit", ends, one, 2, 5, PLOT_DASHED}};
  const PlotCurve contacts[] = {{"contact points", x, row[4], n, 4, PLOT_STEPS}};
  const double most = fmax(1, 105 * worst_of(r, offsetof(JudgeSample, missing)));
  const char* across = "time [s]";
  const PlotPanel panels[4] = {{.title = "Wrench that the contacts cannot give",
                                .x_label = across,
                                .y_label = "% of the weight",
                                .curves = missing,
                                .curve_count = 1,
                                .y_high = most},
                               {.title = "Zero-moment point inside the contacts",
                                .x_label = across,
                                .y_label = "mm",
                                .curves = margin,
                                .curve_count = 2},
                               {.title = "Shares of the limits",
                                .x_label = across,
                                .y_label = "1",
                                .curves = shares,
                                .curve_count = 3},
                               {.title = "Contacts",
                                .x_label = across,
                                .y_label = "points",
                                .curves = contacts,
                                .curve_count = 1,
                                .y_high = 1 + worst_contacts(r)}};
  const Plot plot = {.title = title,
                     .note = r->violation_count == 0 ? "feasible" : "not feasible",
                     .panels = panels,
                     .panel_count = 4,
                     .columns = 2,
                     .panel_legends = 1};
  const int well = plot_write(figure, &plot);
  free(x);
  return well;
}

// ---- the verb

static int judge_table(const HeftModel* model, Options* o, const char* path) {
  Csv table;
  HeftError error = {0};
  JudgeReport report = {0};
  HeftStatus status = HEFT_ERR_SYNTAX;
  if (log_table_read_csv(&table, path, 1, &error)) {
    progress_watch(path);
    status = judge_trajectory(model, &table, path, &o->def, &report, &error);
    progress_unwatch();
    csv_release(&table);
  }
  if (status != HEFT_OK) {
    model_options_report(&error, "error");
    return 2;
  }
  if (o->json)
    print_json(model, &report, path);
  else
    print_report(model, &report, path);
  const int drawn = !o->figure || draw(&report, o->figure, path);
  const int code = report.violation_count > 0 || !drawn;
  judge_release(&report);
  return code;
}

// Loads the model, if one is named, and judges the log.
static int judge_run(Options* o, ModelOptions* options, const char* path) {
  HeftModel* model = NULL;
  if (o->model || path) {
    model = model_options_load(options, o->model ? o->model : path);
    if (!model) return 2;
  }
  o->run.model = model;
  o->run.json = o->json;
  const int code = judge_log(&o->run);
  heft_model_destroy(model);
  return code;
}

static int judge_motion(Options* o, ModelOptions* options, const char* path, const char* table) {
  HeftModel* model = model_options_load(options, path);
  int code = model ? 0 : 1;
  if (model && !load_options_apply(&o->loads, "judge", model, o->support, &o->def)) code = 2;
  if (model && code == 0) code = judge_table(model, o, table);
  heft_model_destroy(model);
  return code;
}

int heft_verb_judge(int argc, char** argv) {
  Options o = {.def = judge_def_default(), .run.def = referee_def_default()};
  ModelOptions options;
  const char *path = NULL, *table = NULL;
  model_options_init(&options);
  const Arguments arguments = {.verb = "judge",
                               .help = help,
                               .model = &options,
                               .options = &o,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &path,
                               .other = &table};
  const int asked = arguments_read(&arguments, argc, argv);
  int code = asked == 2 ? 0 : 2;
  if (asked == 2) printf("%s%s", help, model_options_help);
  if (asked == 1 && o.run.log) {
    code = judge_run(&o, &options, path);
  } else if (asked == 1 && !table) {
    fprintf(stderr,
            "heft judge: error: the table of the trajectory is missing; try 'heft judge --help'\n");
  } else if (asked == 1) {
    code = judge_motion(&o, &options, path, table);
  }
  model_options_release(&options);
  return code;
}
