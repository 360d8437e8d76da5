// SPDX-License-Identifier: Apache-2.0
// heft diff: where two runs part, and the difference that came first.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "json_out.h"
#include "judge/divergence.h"
#include "judge_log.h"
#include "model_options.h"
#include "run_rows.h"
#include "verbs.h"

static const char help[] =
    "usage: heft diff A.mcap|A.csv B.mcap|B.csv [OPTIONS]\n"
    "Compares two runs of one robot, by any engines, at the times that both have: the first row "
    "and "
    "body\n"
    "in which they part, and the differences before it, the first as the cause. The exit code is 1 "
    "if\n"
    "they part.\n"
    "\n"
    "  --model FILE     the model, which a CSV log needs\n"
    "  --contacts FILE  contact forces of a CSV log; twice, for the first and the second\n"
    "  --tolerance D    distance of a body from itself at which runs part [m] (default 1e-6)\n"
    "  --json           print one JSON object\n";

typedef struct Diff {
  ModelOptions options;
  const char *path[2], *model, *contacts[2];
  double tolerance;
  int json;
} Diff;

static int take_flag(void* context, const char* name) {
  return strcmp(name, "--json") == 0 && (((Diff*)context)->json = 1);
}

static int take_value(void* context, const char* name, const char* value) {
  Diff* d = context;
  if (strcmp(name, "--model") == 0) return (d->model = value) != NULL;
  if (strcmp(name, "--tolerance") == 0) return arguments_positive("diff", value, &d->tolerance);
  if (strcmp(name, "--contacts") != 0) return -1;
  d->contacts[d->contacts[0] ? 1 : 0] = value;
  return 1;
}

// ---- models

// The first array of numbers in which two models of the same sizes differ. 0: none.
static int models_differ(const HeftModel* x, const HeftModel* y, char* out, size_t size) {
  for (int i = 0; i < heft_model_array_count(); ++i) {
    HeftModelArray a, b;
    heft_model_array(x, i, &a);
    heft_model_array(y, i, &b);
    if (a.type != HEFT_VALUE_DOUBLE || b.rows != a.rows || b.columns != a.columns) continue;
    const double *p = a.data, *q = b.data;
    for (long k = 0; k < (long)a.rows * a.columns; ++k) {
      if (p[k] == q[k] || (isnan(p[k]) && isnan(q[k]))) continue;
      snprintf(out, size, "%s[%ld] is %.6g in the first and %.6g in the second%s%s", a.name,
               k / a.columns, p[k], q[k], a.unit[0] ? " " : "", a.unit);
      return 1;
    }
  }
  for (int k = 0; k < 3; ++k)
    if (x->physics.gravity[k] != y->physics.gravity[k]) {
      snprintf(out, size, "gravity is %.6g in the first and %.6g in the second m/s²",
               x->physics.gravity[k], y->physics.gravity[k]);
      return 1;
    }
  if (x->physics.density != y->physics.density || x->physics.viscosity != y->physics.viscosity ||
      x->physics.wind[0] != y->physics.wind[0] || x->physics.wind[1] != y->physics.wind[1] ||
      x->physics.wind[2] != y->physics.wind[2]) {
    snprintf(out, size, "density, viscosity or wind differ");
    return 1;
  }
  if (x->physics.time_step == y->physics.time_step) return 0;
  snprintf(out, size, "the time step is %g in the first and %g in the second s",
           x->physics.time_step, y->physics.time_step);
  return 1;
}

static int comparable(const RunRows* rows) {
  const HeftModel *x = rows[0].model, *y = rows[1].model;
  if (x->nbody == y->nbody && x->nq == y->nq && x->nv == y->nv && x->nactuator == y->nactuator)
    return 1;
  fprintf(stderr,
          "heft diff: error: the runs are of different robots: %d and %d bodies, %d and %d "
          "coordinates\n",
          x->nbody, y->nbody, x->nq, y->nq);
  return 0;
}

// ---- rows

// Reads both logs by time; rows of a time that only one has are judged, not compared.
static int compare(RunRows* rows, Divergence* p, HeftError* error) {
  int64_t at[2] = {0, 0};
  int fresh[2] = {0, 0};
  while (1) {
    for (int i = 0; i < 2; ++i) {
      if (fresh[i] || at[i] >= rows[i].rows) continue;
      if (!run_rows_read(&rows[i], at[i], error)) return 0;
      fresh[i] = 1;
      ++at[i];
    }
    if (!fresh[0] || !fresh[1]) return 1;
    const double x = rows[0].row.time, y = rows[1].row.time;
    const double close = 1e-9 * (1 + fabs(x));
    const RefereeRow* const both[2] = {&rows[0].row, &rows[1].row};
    if (fabs(x - y) <= close) {
      if (!divergence_rows(p, both, error)) return 0;
      fresh[0] = fresh[1] = 0;
    } else {
      const int behind = x < y ? 0 : 1;
      if (!divergence_row(p, behind, both[behind], error)) return 0;
      fresh[behind] = 0;
    }
  }
}

// ---- the report

static void cause_text(const HeftModel* m, const DivergenceCause* c, DivergenceKind kind, char* out,
                       size_t size) {
  char a[40], b[40];
  const char* first = kind == DIVERGENCE_ACTUATOR
                          ? judge_name(m, HEFT_NAMED_ACTUATOR, c->a, a, sizeof a)
                          : judge_name(m, HEFT_NAMED_BODY, c->a, a, sizeof a);
  const char* between = c->b >= 0 ? " and " : "";
  const char* second = c->b >= 0 ? judge_name(m, HEFT_NAMED_BODY, c->b, b, sizeof b) : "";
  if (kind == DIVERGENCE_LAW)
    snprintf(out, size, "the %s run breaks a law, %s: %s", c->value[0] > 0 ? "first" : "second",
             referee_word(c->law), referee_meaning(c->law));
  else if (kind == DIVERGENCE_START)
    snprintf(out, size, "%s: %s, %.3g m apart", divergence_meaning(kind), first, c->value[0]);
  else
    snprintf(out, size, "%s: %s%s%s, %.5g and %.5g N", divergence_meaning(kind), first, between,
             second, c->value[0], c->value[1]);
}

// The cause that came first; of one time, the first of the list. -1: none.
static int first_cause(const DivergenceReport* r, double after) {
  int best = -1;
  for (int k = 0; k < DIVERGENCE_KIND_COUNT; ++k)
    if (r->cause[k].found && r->cause[k].time > after &&
        (best < 0 || r->cause[k].time < r->cause[best].time))
      best = k;
  return best;
}

static void print_text(const Diff* d, const HeftModel* m, const DivergenceReport* r,
                       const char* model) {
  char text[400], name[40];
  printf("%s and %s: %lld rows of the same times\n", d->path[0], d->path[1], (long long)r->rows);
  if (!r->parted) {
    printf("they agree within %g m; the largest distance is %.3g m, of %s at %g s\n", d->tolerance,
           r->most, judge_name(m, HEFT_NAMED_BODY, r->most_body, name, sizeof name), r->most_time);
  } else {
    printf("they part at %g s, after %g s: %s is %.3g m from where it is in the other\n", r->time,
           r->before, judge_name(m, HEFT_NAMED_BODY, r->body, name, sizeof name), r->distance);
    printf("  the first difference beyond rounding is %.3g m, at %g s\n", r->onset_distance,
           r->onset);
  }
  if (model[0]) printf("  from the start: the models differ: %s\n", model);
  int any = model[0] != '\0';
  for (int k = 0; k < DIVERGENCE_KIND_COUNT; ++k) {
    if (!r->cause[k].found) continue;
    cause_text(m, &r->cause[k], (DivergenceKind)k, text, sizeof text);
    printf("  at %g s: %s\n", r->cause[k].time, text);
    any = 1;
  }
  const int first = first_cause(r, -(double)INFINITY);
  if (!r->parted) return;
  if (model[0]) {
    printf("cause: the models\n");
  } else if (first >= 0) {
    cause_text(m, &r->cause[first], (DivergenceKind)first, text, sizeof text);
    printf("cause: %s\n", text);
  } else {
    printf("cause: nothing that the logs show; steps, schemes or rounding differ%s\n",
           any ? "" : ", and the difference grows");
  }
}

static void print_json(const HeftModel* m, const DivergenceReport* r, const char* model) {
  char text[400], name[40];
  Json j = json_begin("diff");
  json_put_count(&j, "rows", r->rows);
  json_put_flag(&j, "part", r->parted);
  if (r->parted) {
    json_put_number(&j, "time", r->time);
    json_put_text(&j, "body", judge_name(m, HEFT_NAMED_BODY, r->body, name, sizeof name));
    json_put_number(&j, "distance", r->distance);
    json_put_number(&j, "onset", r->onset);
  }
  json_put_number(&j, "largest", r->most);
  if (model[0]) json_put_text(&j, "models", model);
  json_open_list(&j, "causes");
  for (int k = 0; k < DIVERGENCE_KIND_COUNT; ++k) {
    if (!r->cause[k].found) continue;
    cause_text(m, &r->cause[k], (DivergenceKind)k, text, sizeof text);
    json_open_object(&j, NULL);
    json_put_number(&j, "time", r->cause[k].time);
    json_put_text(&j, "text", text);
    json_close_object(&j);
  }
  json_close_list(&j);
  json_end(&j);
}

static int diff_runs(const Diff* d, const HeftModel* model) {
  RunRows rows[2] = {0};
  HeftError error = {0};
  Divergence* p = NULL;
  int code = 2, good = 1;
  char difference[300] = "";
  for (int i = 0; i < 2 && good; ++i)
    good = run_rows_open(&rows[i], d->path[i], d->contacts[i], model, &error);
  if (good && !comparable(rows)) {
    good = -1;
  } else if (good) {
    const HeftModel* const models[2] = {rows[0].model, rows[1].model};
    models_differ(models[0], models[1], difference, sizeof difference);
    good =
        divergence_create(&p, models, d->tolerance, &error) == HEFT_OK && compare(rows, p, &error);
  }
  if (good > 0) {
    const DivergenceReport* r = divergence_report(p);
    code = r->parted;
    if (d->json)
      print_json(rows[0].model, r, difference);
    else
      print_text(d, rows[0].model, r, difference);
  }
  if (good == 0) model_options_report(&error, "error");
  divergence_destroy(p);
  for (int i = 0; i < 2; ++i) run_rows_close(&rows[i]);
  return code;
}

int heft_verb_diff(int argc, char** argv) {
  Diff d = {.tolerance = 1e-6};
  model_options_init(&d.options);
  const Arguments arguments = {.verb = "diff",
                               .help = help,
                               .model = &d.options,
                               .options = &d,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &d.path[0],
                               .other = &d.path[1]};
  const int asked = arguments_read_file(&arguments, argc, argv);
  int code = asked == 2 ? 0 : 2;
  if (asked == 2) printf("%s%s", help, model_options_help);
  if (asked == 1 && !d.path[1]) {
    fprintf(stderr, "heft diff: error: the second log is missing; try 'heft diff --help'\n");
  } else if (asked == 1) {
    HeftModel* model = d.model ? model_options_load(&d.options, d.model) : NULL;
    if (!d.model || model) code = diff_runs(&d, model);
    heft_model_destroy(model);
  }
  model_options_release(&d.options);
  return code;
}
