// SPDX-License-Identifier: Apache-2.0
#include "judge_log.h"

#include <stdio.h>

#include "json_out.h"
#include "model_options.h"
#include "run_rows.h"

/// Judges a log. The report is a copy, model the one of the log if none is given (to be destroyed).
/// 0: failed, with error.
static int report_of(const JudgeLog* o, RefereeReport* out, HeftModel** model, HeftError* error) {
  Referee* r = NULL;
  RunRows rows = {0};
  int good = run_rows_open(&rows, o->log, o->contacts, o->model, error) &&
             referee_create(&r, rows.model, &o->def, error) == HEFT_OK;
  for (int64_t i = 0; good && i < rows.rows; ++i)
    good = run_rows_read(&rows, i, error) && referee_row(r, &rows.row, error);
  if (good) *out = *referee_report(r);
  if (!good && error->file[0] == '\0')
    snprintf(error->file, sizeof error->file, "%.*s", (int)sizeof error->file - 1, o->log);
  referee_destroy(r);
  *model = rows.own;
  rows.own = NULL;
  run_rows_close(&rows);
  return good;
}

// ---- the report

const char* judge_name(const HeftModel* m, HeftNamed kind, int i, char* room, size_t size) {
  const char* name = heft_model_name(m, kind, i);
  if (*name) return name;
  if (kind == HEFT_NAMED_BODY && i == 0) return "the world";
  snprintf(room, size, "%s %d", kind == HEFT_NAMED_BODY ? "body" : "number", i);
  return room;
}

static void place_text(const HeftModel* m, const RefereeFinding* f, char* out, size_t size) {
  char a[40], b[40];
  if (f->kind == REFEREE_RANGE)
    snprintf(out, size, "%s", judge_name(m, HEFT_NAMED_JOINT, m->dof_joint[f->a], a, sizeof a));
  else if (f->kind == REFEREE_LIMIT)
    snprintf(out, size, "%s", judge_name(m, HEFT_NAMED_ACTUATOR, f->a, a, sizeof a));
  else if (f->b < 0)
    snprintf(out, size, "%s", judge_name(m, HEFT_NAMED_BODY, f->a, a, sizeof a));
  else
    snprintf(out, size, "%s on %s", judge_name(m, HEFT_NAMED_BODY, f->b, b, sizeof b),
             judge_name(m, HEFT_NAMED_BODY, f->a, a, sizeof a));
}

static void print_report(const HeftModel* m, const RefereeReport* r, const char* path) {
  printf("%s: %lld steps, %g to %g s\n", path, (long long)r->steps, r->first, r->last);
  for (int i = 0; i < r->finding_count; ++i) {
    const RefereeFinding* f = &r->finding[i];
    char where[200];
    place_text(m, f, where, sizeof where);
    printf("  %-9s %s: %s; %lld rows, first at %g s; worst %.4g %s at %g s, mean %.4g",
           referee_word(f->kind), where, referee_meaning(f->kind), (long long)f->rows, f->first,
           f->worst, referee_unit(f->kind), f->at, f->sum / (double)f->rows);
    printf(f->confidence < 0.9995 ? "; confidence %.2f\n" : "\n", f->confidence);
  }
  if (r->more > 0) printf("  and %lld more\n", (long long)r->more);
  if (r->inferred > 0)
    printf("  forces inferred in %lld steps: a finding means that no forces explain the step\n",
           (long long)r->inferred);
  if (r->unexplained > 0)
    printf("  not judged: the balance of %lld groups of bodies with too many dofs or contacts\n",
           (long long)r->unexplained);
  if (r->without_forces > 0)
    printf(
        "  not judged: what actuators did in %lld steps; the log has no columns of their forces\n",
        (long long)r->without_forces);
  if (r->open_dofs > 0)
    printf("  not judged: the balance of %d dofs of loops, tendons and deformable bodies\n",
           r->open_dofs);
  if (r->broken == 0)
    printf("no step breaks a law\n");
  else
    printf("%lld of %lld rows break a law, the first at %g s\n", (long long)r->broken,
           (long long)r->rows, r->broken_first);
}

static void print_json(const HeftModel* m, const RefereeReport* r, const char* path) {
  Json json = json_begin("judge");
  json_put_text(&json, "file", path);
  json_put_count(&json, "rows", (int)r->rows);
  json_put_count(&json, "broken", (int)r->broken);
  json_put_count(&json, "inferred", (int)r->inferred);
  json_put_count(&json, "not_inferred", (int)r->unexplained);
  json_put_count(&json, "open_dofs", r->open_dofs);
  json_open_object(&json, "laws");
  for (int i = 0; i < REFEREE_KIND_COUNT; ++i)
    json_put_count(&json, referee_word(i), (int)r->broken_law[i]);
  json_close_object(&json);
  json_open_list(&json, "findings");
  for (int i = 0; i < r->finding_count; ++i) {
    const RefereeFinding* f = &r->finding[i];
    char where[200];
    place_text(m, f, where, sizeof where);
    json_open_object(&json, NULL);
    json_put_text(&json, "kind", referee_word(f->kind));
    json_put_text(&json, "where", where);
    json_put_text(&json, "unit", referee_unit(f->kind));
    json_put_count(&json, "rows", (int)f->rows);
    json_put_number(&json, "first", f->first);
    json_put_number(&json, "worst", f->worst);
    json_put_number(&json, "at", f->at);
    json_put_number(&json, "mean", f->sum / (double)f->rows);
    json_put_number(&json, "confidence", f->confidence);
    json_close_object(&json);
  }
  json_close_list(&json);
  json_end(&json);
}

int judge_log(const JudgeLog* o) {
  static RefereeReport report;
  HeftError error = {0};
  HeftModel* own = NULL;
  int code = 2;
  if (report_of(o, &report, &own, &error)) {
    const HeftModel* m = o->model ? o->model : own;
    code = report.broken > 0;
    if (o->json)
      print_json(m, &report, o->log);
    else
      print_report(m, &report, o->log);
  } else {
    model_options_report(&error, "error");
  }
  heft_model_destroy(own);
  return code;
}
