// SPDX-License-Identifier: Apache-2.0
#include "run_log.h"

#include <errno.h>
#include <heft/heft.h>
#include <heft/run_log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin_options.h"
#include "record/bag.h"

enum { NPY_HEADER = 128, REPORT_COLUMNS = 15, PATCH_COLUMNS = 6, ROWS_A_COUNT = 1000 };

struct RunLog {
  const char* path;
  const HeftModel* model;
  const HeftPluginSet* plugins;
  int columns;           // of the report: with patches if the model has area contact
  int values;            // of the plug-ins
  const double* needed;  // share of friction that bodies need, or NULL
  FILE* file;            // CSV and .npy
  int npy;
  long rows;
  HeftRunLog* mcap;
  HeftBag* bag;
};

// ---- one row of numbers, for CSV and .npy

enum { COLUMNS = REPORT_COLUMNS + PATCH_COLUMNS };
static const char* const report_columns[COLUMNS] = {
    "kinetic",     "potential",     "work",    "contacts",   "residual",    "relative",
    "penetration", "energy_change", "status",  "inexact",    "dropped",     "quantity",
    "error",       "place_a",       "place_b", "patch_area", "patch_force", "peak_pressure",
    "cop_x",       "cop_y",         "cop_z"};

static const char MARGIN[] = "margin";  // the group of the value below
static const HeftOption needed_row = {
    .name = "friction_needed", .unit = "", .meaning = "share of their friction that bodies need"};

static int has_areas(const HeftModel* m) {
  for (int k = 0; k < m->nmaterial; ++k) {
    if (m->material_area[4L * k] > 0) return 1;
  }
  return 0;
}

// Area, normal force, peak pressure and centre of pressure of all area contacts.
static void patch_numbers(const HeftWorld* w, double out[PATCH_COLUMNS]) {
  HeftVec3 center = {0, 0, 0};
  memset(out, 0, PATCH_COLUMNS * sizeof *out);
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    HeftContactPatch point = {0};
    if (heft_contact_patches(&c, 1, &point, 1) == 0) continue;
    out[0] += point.area;
    out[1] += point.force;
    out[2] = point.peak_pressure > out[2] ? point.peak_pressure : out[2];
    center = heft_vec3_add_scaled(center, point.force, point.center);
  }
  if (!(out[1] > 0)) return;
  center = heft_vec3_scale(1 / out[1], center);
  out[3] = center.x;
  out[4] = center.y;
  out[5] = center.z;
}

static void report_numbers(const HeftStepReport* r, double out[REPORT_COLUMNS]) {
  const HeftStepQuantity worst = heft_step_report_worst(r);
  const int known = worst < HEFT_QUANTITY_COUNT;
  const double x[REPORT_COLUMNS] = {r->kinetic,
                                    r->potential,
                                    r->work,
                                    r->contact_count,
                                    r->residual,
                                    r->relative,
                                    r->penetration,
                                    r->energy_change,
                                    r->status,
                                    r->inexact,
                                    r->contact_dropped,
                                    known ? (int)worst : -1,
                                    known ? r->error[worst].value : 0,
                                    known ? r->error[worst].place[0] : -1,
                                    known ? r->error[worst].place[1] : -1};
  memcpy(out, x, sizeof x);
}

static double plugin_value(const RunLog* log, int i) {
  const char* plugin;
  double value;
  plugin_options_value(log->plugins, i, &plugin, &value);
  return value;
}

static void write_csv_header(const RunLog* log) {
  fprintf(log->file, "time");
  for (int i = 0; i < log->model->nq; ++i) fprintf(log->file, ",q%d", i);
  for (int i = 0; i < log->model->nv; ++i) fprintf(log->file, ",v%d", i);
  for (int i = 0; i < log->columns; ++i) fprintf(log->file, ",%s", report_columns[i]);
  for (int i = 0; i < log->values; ++i) {
    const char* plugin;
    double value;
    const HeftOption* row = plugin_options_value(log->plugins, i, &plugin, &value);
    fprintf(log->file, ",%s.%s", plugin, row->name);
  }
  if (log->needed) fprintf(log->file, ",%s.%s", MARGIN, needed_row.name);
  fprintf(log->file, "\n");
}

static void write_csv(const RunLog* log, const HeftState* s, const double* report) {
  fprintf(log->file, "%.12g", *s->time);
  for (int i = 0; i < s->nq; ++i) fprintf(log->file, ",%.17g", s->q[i]);
  for (int i = 0; i < s->nv; ++i) fprintf(log->file, ",%.17g", s->v[i]);
  for (int i = 0; i < log->columns; ++i) fprintf(log->file, ",%.17g", report[i]);
  for (int i = 0; i < log->values; ++i) fprintf(log->file, ",%.17g", plugin_value(log, i));
  if (log->needed) fprintf(log->file, ",%.17g", *log->needed);
  fprintf(log->file, "\n");
}

// Version 1.0 of the format: magic, length of the header, a Python dictionary, padded to 128 bytes.
static void write_npy_header(const RunLog* log) {
  unsigned char head[NPY_HEADER];
  memset(head, ' ', sizeof head);
  memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10);
  const int n = snprintf(
      (char*)head + 10, sizeof head - 10,
      "{'descr': '%cf8', 'fortran_order': False, 'shape': (%ld, %d), }",
      __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? '>' : '<', log->rows,
      1 + log->model->nq + log->model->nv + log->columns + log->values + (log->needed != NULL));
  head[10 + n] = ' ';
  head[NPY_HEADER - 1] = '\n';
  fwrite(head, 1, sizeof head, log->file);
}

// The header counts the rows: a program that is killed leaves a file with the rows of the last
// count.
static void count_rows(const RunLog* log) {
  const long at = ftell(log->file);
  if (at < 0 || fflush(log->file) != 0 || fseek(log->file, 0, SEEK_SET) != 0) return;
  write_npy_header(log);
  fflush(log->file);
  fseek(log->file, at, SEEK_SET);
}

// In the byte order of the machine, which the header names.
static void write_npy(const RunLog* log, const HeftState* s, const double* report) {
  fwrite(s->time, sizeof(double), 1, log->file);
  fwrite(s->q, sizeof(double), (size_t)s->nq, log->file);
  fwrite(s->v, sizeof(double), (size_t)s->nv, log->file);
  fwrite(report, sizeof(double), (size_t)log->columns, log->file);
  for (int i = 0; i < log->values; ++i) {
    const double value = plugin_value(log, i);
    fwrite(&value, sizeof value, 1, log->file);
  }
  if (log->needed) fwrite(log->needed, sizeof *log->needed, 1, log->file);
}

// ---- the log

static int ends_with(const char* text, const char* end) {
  const size_t n = strlen(text), k = strlen(end);
  return n > k && strcmp(text + n - k, end) == 0;
}

static int plugin_count(const RunLog* log) {
  return log->plugins ? heft_plugin_set_count(log->plugins) : 0;
}

// Plug-ins, then the margin.
static double group_value(const void* user, int group, int index) {
  const RunLog* log = user;
  return group < plugin_count(log) ? heft_plugin_set_value(log->plugins, group, index)
                                   : *log->needed;
}

static int open_mcap(RunLog* log, const char* model_path, HeftError* error) {
  HeftRunLogGroup group[HEFT_RUN_LOG_GROUPS_MAX];
  HeftRunLogDef def = heft_run_log_def_default();
  def.model_path = model_path;
  def.group_count = plugin_count(log);
  def.groups = group;
  def.value = group_value;
  def.user = log;
  for (int i = 0; i < def.group_count; ++i) {
    const HeftPlugin* p = heft_plugin_set_plugin(log->plugins, i);
    group[i] = (HeftRunLogGroup){p->name, p->values};
  }
  if (log->needed && def.group_count < HEFT_RUN_LOG_GROUPS_MAX)
    group[def.group_count++] = (HeftRunLogGroup){MARGIN, {&needed_row, 1}};
  return heft_run_log_open(&log->mcap, log->path, log->model, &def, error) == HEFT_OK;
}

static int begin(RunLog* log, const char* model_path, HeftError* error) {
  if (ends_with(log->path, ".ros2.mcap"))
    return heft_bag_open(&log->bag, log->path, log->model, error) == HEFT_OK;
  if (ends_with(log->path, ".mcap")) return open_mcap(log, model_path, error);
  log->npy = ends_with(log->path, ".npy");
  log->file = fopen(log->path, "wb");
  if (!log->file) {
    snprintf(error->message, sizeof error->message, "cannot write '%.300s': %s", log->path,
             strerror(errno));
    return 0;
  }
  if (log->npy) write_npy_header(log);
  if (!log->npy) write_csv_header(log);
  return 1;
}

RunLog* run_log_open(const char* path, const HeftModel* model, const char* model_path,
                     const HeftPluginSet* plugins, const double* needed) {
  if (!ends_with(path, ".csv") && !ends_with(path, ".npy") && !ends_with(path, ".mcap")) {
    fprintf(stderr, "heft run: error: unknown extension of '%s'; use .csv, .npy or .mcap\n", path);
    return NULL;
  }
  RunLog* log = calloc(1, sizeof *log);
  if (!log) {
    fprintf(stderr, "heft run: error: not enough memory for the log '%s'\n", path);
    return NULL;
  }
  log->path = path;
  log->model = model;
  log->plugins = plugins;
  log->needed = needed;
  log->columns = has_areas(model) ? COLUMNS : REPORT_COLUMNS;
  log->values = plugin_options_value_count(plugins);
  HeftError error = {0};
  if (begin(log, model_path, &error)) return log;
  fprintf(stderr, "heft run: error: %s\n", error.message);
  free(log);
  return NULL;
}

void run_log_step(RunLog* log, HeftWorld* w, const HeftStepReport* r) {
  const HeftState* s = heft_world_state(w);
  double report[COLUMNS];
  report_numbers(r, report);
  if (log->columns > REPORT_COLUMNS) patch_numbers(w, report + REPORT_COLUMNS);
  ++log->rows;
  if (log->bag) {
    heft_bag_write(log->bag, w);
  } else if (log->mcap) {
    heft_run_log_write(log->mcap, w, r);  // run_log_close() reports whether it failed
  } else if (log->npy) {
    write_npy(log, s, report);
    if (log->rows % ROWS_A_COUNT == 0) count_rows(log);
  } else {
    write_csv(log, s, report);
  }
}

int run_log_close(RunLog* log) {
  if (!log) return 1;
  int well = 1;
  if (log->mcap) well = heft_run_log_close(log->mcap) == HEFT_OK;
  if (log->bag) well = heft_bag_close(log->bag) == HEFT_OK;
  if (log->file) {
    if (log->npy && fseek(log->file, 0, SEEK_SET) == 0) write_npy_header(log);
    well = !ferror(log->file);
    well &= fclose(log->file) == 0;
  }
  if (!well)
    fprintf(stderr, "heft run: error: cannot write '%s' completely; is the disk full?\n",
            log->path);
  free(log);
  return well;
}
