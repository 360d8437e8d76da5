// SPDX-License-Identifier: Apache-2.0
#include "live.h"

#include <errno.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "json_out.h"
#include "validation/live.h"
#include "whole_file.h"

enum { REASON = 300, PATH = 1024 };
static const char* const axes[] = {"x", "y", "z"};

static void write_term(Json* j, const LiveTerm* t) {
  const LiveQuantity q = t->quantity;
  const int along =
      q == LIVE_POS || q == LIVE_VEL || q == LIVE_OMEGA || q == LIVE_FORCE || q == LIVE_LOAD;
  json_open_object(j, NULL);
  json_put_text(j, "quantity", live_quantity_name(q));
  json_put_number(j, "factor", t->factor);
  if (q != LIVE_ENERGY && q != LIVE_LOAD) json_put_count(j, "body", t->body);
  if (along) json_put_text(j, "axis", axes[t->axis]);
  if (q == LIVE_FORCE) json_put_count(j, "from", t->from);
  if (q == LIVE_SPEED) {
    json_open_list(j, "arm");
    for (int i = 0; i < 3; ++i) json_put_number(j, NULL, t->arm[i]);
    json_close_list(j);
  }
  json_close_object(j);
}

static void write_row(Json* j, const LiveGauge* def, const Row* row) {
  json_open_object(j, NULL);
  json_put_text(j, "what", row->what);
  json_put_number(j, "exact", row->exact);
  json_put_number(j, "limit", row->limit);
  json_put_flag(j, "relative", def->relative);
  json_put_text(j, "take", live_take_name(def->take));
  json_put_number(j, "threshold", def->threshold);
  json_put_number(j, "offset", def->offset);
  json_open_list(j, "terms");
  for (int i = 0; i < LIVE_TERMS; ++i) {
    if (def->term[i].factor != 0) write_term(j, &def->term[i]);
  }
  json_close_list(j);
  json_close_object(j);
}

static void write_record(Json* j, const LiveRecord* r, const char* text, const char* file) {
  json_open_object(j, NULL);
  json_put_text(j, "name", r->scene->name);
  json_put_text(j, "case", r->scene->case_name);
  json_put_text(j, "title", r->scene->title);
  json_put_text(j, "text", text);
  json_put_text(j, "file", file);
  json_put_text(j, "key", "start");
  json_put_count(j, "steps", r->steps);
  json_put_number(j, "speed", r->scene->speed);
  json_open_list(j, "gravity");
  for (int i = 0; i < 3; ++i) json_put_number(j, NULL, r->model->physics.gravity[i]);
  json_close_list(j);
  json_open_object(j, "options");
  json_put_number(j, "tolerance", r->settings.tolerance);
  if (r->settings.rk4) json_put_text(j, "integrator", "rk4");
  json_close_object(j);
  json_open_list(j, "rows");
  for (int i = 0; i < r->row_count; ++i) write_row(j, &r->scene->gauge[i], &r->row[i]);
  json_close_list(j);
  json_close_object(j);
}

static const char* text_of(const char* case_name) {
  for (int i = 0; i < case_count; ++i) {
    if (strcmp(cases[i].name, case_name) == 0) return cases[i].text;
  }
  return "";
}

static int write_scene(Json* j, const LiveScene* scene, const char* folder, const char* scenes) {
  char path[PATH], file[80], reason[REASON] = "";
  LiveRecord record;
  HeftError error = {0};
  snprintf(file, sizeof file, "%s.xml", scene->name);
  int ok = snprintf(path, sizeof path, "%s/%s", folder, file) < PATH &&
           live_record(&record, scene, scenes, reason, sizeof reason);
  if (ok && heft_model_write_file(record.model, path, NULL, NULL, &error) != HEFT_OK) {
    snprintf(reason, sizeof reason, "%.200s", error.message);
    ok = 0;
  }
  ok = ok && live_check(&record, path, reason, sizeof reason);
  if (ok) {
    write_record(j, &record, text_of(scene->case_name), file);
    printf("%s: %s, %d steps, %d rows\n", path, scene->case_name, record.steps, record.row_count);
  } else {
    fprintf(stderr, "heft validate: error: live scene '%s': %s\n", scene->name, reason);
  }
  live_release(&record);
  return ok;
}

int live_write(const char* folder, const char* scenes) {
  char path[PATH];
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    fprintf(stderr, "heft validate: error: the folder '%s' cannot be made: %s\n", folder,
            strerror(errno));
    return 1;
  }
  snprintf(path, sizeof path, "%s/cases.json", folder);
  WholeFile whole;
  FILE* file = whole_file_open(&whole, path);
  if (!file) {
    fprintf(stderr, "heft validate: error: '%s' cannot be written: %s\n", path, strerror(errno));
    return 1;
  }
  Json j = json_begin_to(file, "validate");
  int ok = 1;
  json_open_list(&j, "scenes");
  for (int i = 0; i < live_scene_count; ++i) ok &= write_scene(&j, &live_scenes[i], folder, scenes);
  json_close_list(&j);
  json_end(&j);
  if (!whole_file_close(&whole, ok) && ok) {
    fprintf(stderr, "heft validate: error: '%s' is not complete; is the disk full?\n", path);
    ok = 0;
  }
  return ok ? 0 : 1;
}
