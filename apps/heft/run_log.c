// SPDX-License-Identifier: Apache-2.0
#include "run_log.h"

#include <errno.h>
#include <heft/heft.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mcap.h"
#include "plugin_options.h"

enum { NPY_HEADER = 128, REPORT_COLUMNS = 11 };

typedef struct Text {
  char* text;
  size_t size, capacity;
} Text;

struct RunLog {
  const char* path;
  const HeftModel* model;
  const HeftPluginSet* plugins;
  int values;  // of the plug-ins
  FILE* file;  // CSV and .npy
  int npy;
  long rows;
  Mcap* mcap;
  int report, state, contacts, frames, plugged;  // channels
  Text line;
};

// ---- one row of numbers, for CSV and .npy

static const char* const report_columns[REPORT_COLUMNS] = {
    "kinetic",     "potential",     "work",   "contacts", "residual", "relative",
    "penetration", "energy_change", "status", "inexact",  "dropped"};

static void report_numbers(const HeftStepReport* r, double out[REPORT_COLUMNS]) {
  const double x[REPORT_COLUMNS] = {r->kinetic,  r->potential, r->work,           r->contact_count,
                                    r->residual, r->relative,  r->penetration,    r->energy_change,
                                    r->status,   r->inexact,   r->contact_dropped};
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
  for (int i = 0; i < REPORT_COLUMNS; ++i) fprintf(log->file, ",%s", report_columns[i]);
  for (int i = 0; i < log->values; ++i) {
    const char* plugin;
    double value;
    const HeftOption* row = plugin_options_value(log->plugins, i, &plugin, &value);
    fprintf(log->file, ",%s.%s", plugin, row->name);
  }
  fprintf(log->file, "\n");
}

static void write_csv(const RunLog* log, const HeftState* s, const double* report) {
  fprintf(log->file, "%.12g", *s->time);
  for (int i = 0; i < s->nq; ++i) fprintf(log->file, ",%.17g", s->q[i]);
  for (int i = 0; i < s->nv; ++i) fprintf(log->file, ",%.17g", s->v[i]);
  for (int i = 0; i < REPORT_COLUMNS; ++i) fprintf(log->file, ",%.17g", report[i]);
  for (int i = 0; i < log->values; ++i) fprintf(log->file, ",%.17g", plugin_value(log, i));
  fprintf(log->file, "\n");
}

// Version 1.0 of the format: magic, length of the header, a Python dictionary, padded to 128 bytes.
static void write_npy_header(const RunLog* log) {
  unsigned char head[NPY_HEADER];
  memset(head, ' ', sizeof head);
  memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10);
  const int n =
      snprintf((char*)head + 10, sizeof head - 10,
               "{'descr': '<f8', 'fortran_order': False, 'shape': (%ld, %d), }", log->rows,
               1 + log->model->nq + log->model->nv + REPORT_COLUMNS + log->values);
  head[10 + n] = ' ';
  head[NPY_HEADER - 1] = '\n';
  fwrite(head, 1, sizeof head, log->file);
}

// All machines that Heft runs on are little-endian, as the header says.
static void write_npy(const RunLog* log, const HeftState* s, const double* report) {
  fwrite(s->time, sizeof(double), 1, log->file);
  fwrite(s->q, sizeof(double), (size_t)s->nq, log->file);
  fwrite(s->v, sizeof(double), (size_t)s->nv, log->file);
  fwrite(report, sizeof(double), REPORT_COLUMNS, log->file);
  for (int i = 0; i < log->values; ++i) {
    const double value = plugin_value(log, i);
    fwrite(&value, sizeof value, 1, log->file);
  }
}

// ---- JSON, for MCAP

__attribute__((format(printf, 2, 3))) static void say(Text* t, const char* format, ...) {
  for (int pass = 0; pass < 2; ++pass) {
    va_list arguments;
    va_start(arguments, format);
    const int n =
        vsnprintf(t->text ? t->text + t->size : NULL, t->capacity - t->size, format, arguments);
    va_end(arguments);
    if (n < 0) return;
    if (t->size + (size_t)n < t->capacity) {
      t->size += (size_t)n;
      return;
    }
    const size_t capacity = 2 * (t->size + (size_t)n) + 256;
    char* grown = realloc(t->text, capacity);
    if (!grown) return;
    t->text = grown;
    t->capacity = capacity;
  }
}

static void say_numbers(Text* t, const char* name, const double* x, int count) {
  say(t, "\"%s\":[", name);
  for (int i = 0; i < count; ++i) say(t, "%s%.17g", i ? "," : "", x[i]);
  say(t, "]");
}

static void say_vector(Text* t, const char* name, HeftVec3 v) {
  say(t, "\"%s\":{\"x\":%.17g,\"y\":%.17g,\"z\":%.17g}", name, v.x, v.y, v.z);
}

// A name as a JSON string; a body without a name gets its number.
static void say_body(Text* t, const char* key, const HeftModel* m, int body) {
  const char* name = m->names + m->body_name[body];
  say(t, "\"%s\":\"", key);
  if (body == 0) name = "world";
  if (!*name) say(t, "body %d", body);
  for (const char* c = name; *c; ++c) {
    if (*c == '"' || *c == '\\') say(t, "\\");
    if ((unsigned char)*c >= 32) say(t, "%c", *c);
  }
  say(t, "\"");
}

#define VECTOR                                                                                    \
  "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"number\"},\"y\":{\"type\":\"number\"}," \
  "\"z\":{\"type\":\"number\"}}}"

static const char state_schema[] =
    "{\"type\":\"object\",\"properties\":{\"time\":{\"type\":\"number\"},"
    "\"q\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}},"
    "\"v\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}}}}";
static const char report_schema[] =
    "{\"type\":\"object\",\"properties\":{\"kinetic\":{\"type\":\"number\"},"
    "\"potential\":{\"type\":\"number\"},\"work\":{\"type\":\"number\"},\"contacts\":{\"type\":"
    "\"number\"},"
    "\"residual\":{\"type\":\"number\"},\"relative\":{\"type\":\"number\"},"
    "\"penetration\":{\"type\":\"number\"},\"energy_change\":{\"type\":\"number\"},"
    "\"status\":{\"type\":\"number\"},\"inexact\":{\"type\":\"number\"},"
    "\"dropped\":{\"type\":\"number\"}}}";
static const char contact_schema[] =
    "{\"type\":\"object\",\"properties\":{\"contacts\":{\"type\":\"array\",\"items\":{\"type\":"
    "\"object\","
    "\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"},\"gap\":{\"type\":"
    "\"number\"},"
    "\"pos\":" VECTOR ",\"normal\":" VECTOR ",\"force\":" VECTOR ",\"slip\":" VECTOR "}}}}}";
static const char frame_schema[] =
    "{\"title\":\"foxglove.FrameTransforms\",\"type\":\"object\",\"properties\":{\"transforms\":{"
    "\"type\":"
    "\"array\",\"items\":{\"title\":\"foxglove.FrameTransform\",\"type\":\"object\",\"properties\":"
    "{"
    "\"timestamp\":{\"type\":\"object\",\"title\":\"time\",\"properties\":{\"sec\":{\"type\":"
    "\"integer\"},"
    "\"nsec\":{\"type\":\"integer\"}}},\"parent_frame_id\":{\"type\":\"string\"},"
    "\"child_frame_id\":{\"type\":\"string\"},\"translation\":" VECTOR
    ",\"rotation\":{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"number\"},\"y\":{"
    "\"type\":"
    "\"number\"},\"z\":{\"type\":\"number\"},\"w\":{\"type\":\"number\"}}}}}}}}";

static void send(RunLog* log, int channel, uint64_t time) {
  mcap_message(log->mcap, channel, time, log->line.text, log->line.size);
  log->line.size = 0;
}

static void send_state(RunLog* log, const HeftState* s, const double* report, uint64_t time) {
  Text* t = &log->line;
  say(t, "{\"time\":%.12g,", *s->time);
  say_numbers(t, "q", s->q, s->nq);
  say(t, ",");
  say_numbers(t, "v", s->v, s->nv);
  say(t, "}");
  send(log, log->state, time);
  for (int i = 0; i < REPORT_COLUMNS; ++i)
    say(t, "%c\"%s\":%.17g", i ? ',' : '{', report_columns[i], report[i]);
  say(t, "}");
  send(log, log->report, time);
}

static void send_contacts(RunLog* log, const HeftWorld* w, uint64_t time) {
  Text* t = &log->line;
  say(t, "{\"contacts\":[");
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    say(t, i ? ",{" : "{");
    say_body(t, "a", log->model, c.body_a);
    say(t, ",");
    say_body(t, "b", log->model, c.body_b);
    say(t, ",\"gap\":%.17g,", c.gap);
    say_vector(t, "pos", c.pos);
    say(t, ",");
    say_vector(t, "normal", c.normal);
    say(t, ",");
    say_vector(t, "force", c.force);
    say(t, ",");
    say_vector(t, "slip", c.slip);
    say(t, "}");
  }
  say(t, "]}");
  send(log, log->contacts, time);
}

static void send_frames(RunLog* log, const HeftWorld* w, uint64_t time) {
  Text* t = &log->line;
  const HeftDynamics* d = heft_world_dynamics(w);
  say(t, "{\"transforms\":[");
  for (int i = 1; i < log->model->nbody; ++i) {
    const HeftPose pose = heft_dynamics_body_pose(d, i);
    const HeftQuat q = heft_quat_from_mat3(pose.rot);
    say(t, "%s\"timestamp\":{\"sec\":%llu,\"nsec\":%llu},\"parent_frame_id\":\"world\",",
        i > 1 ? ",{" : "{", (unsigned long long)(time / 1000000000u),
        (unsigned long long)(time % 1000000000u));
    say_body(t, "child_frame_id", log->model, i);
    say(t, ",");
    say_vector(t, "translation", pose.pos);
    say(t, ",\"rotation\":{\"x\":%.17g,\"y\":%.17g,\"z\":%.17g,\"w\":%.17g}}", q.x, q.y, q.z, q.w);
  }
  say(t, "]}");
  send(log, log->frames, time);
}

// {"trot": {"height": 0.5}, ...}; a plug-in that is loaded twice has a number behind its name.
static void send_values(RunLog* log, uint64_t time) {
  Text* t = &log->line;
  say(t, "{");
  for (int i = 0; i < heft_plugin_set_count(log->plugins); ++i) {
    const HeftPlugin* p = heft_plugin_set_plugin(log->plugins, i);
    int twin = 1;
    for (int k = 0; k < i; ++k)
      twin += strcmp(heft_plugin_set_plugin(log->plugins, k)->name, p->name) == 0;
    say(t, "%s\"%s", i ? "," : "", p->name);
    if (twin > 1) say(t, " %d", twin);
    say(t, "\":{");
    for (int k = 0; k < p->values.count; ++k)
      say(t, "%s\"%s\":%.17g", k ? "," : "", p->values.option[k].name,
          heft_plugin_set_value(log->plugins, i, k));
    say(t, "}");
  }
  say(t, "}");
  send(log, log->plugged, time);
}

// ---- the log

static int ends_with(const char* text, const char* end) {
  const size_t n = strlen(text), k = strlen(end);
  return n > k && strcmp(text + n - k, end) == 0;
}

static int begin(RunLog* log) {
  if (ends_with(log->path, ".mcap")) {
    char library[64];
    snprintf(library, sizeof library, "heft %s", heft_version());
    log->mcap = mcap_open(log->path, library);
    if (!log->mcap) return 0;
    log->state = mcap_channel(log->mcap, "/state", "heft.State", state_schema);
    log->report = mcap_channel(log->mcap, "/report", "heft.Report", report_schema);
    log->contacts = mcap_channel(log->mcap, "/contacts", "heft.Contacts", contact_schema);
    log->frames = mcap_channel(log->mcap, "/tf", "foxglove.FrameTransforms", frame_schema);
    if (log->values > 0)
      log->plugged = mcap_channel(log->mcap, "/plugins", "heft.Plugins", "{\"type\":\"object\"}");
    return 1;
  }
  log->npy = ends_with(log->path, ".npy");
  log->file = fopen(log->path, "wb");
  if (!log->file) return 0;
  if (log->npy) write_npy_header(log);
  if (!log->npy) write_csv_header(log);
  return 1;
}

RunLog* run_log_open(const char* path, const HeftModel* model, const HeftPluginSet* plugins) {
  if (!ends_with(path, ".csv") && !ends_with(path, ".npy") && !ends_with(path, ".mcap")) {
    fprintf(stderr, "heft run: unknown extension of '%s'; use .csv, .npy or .mcap\n", path);
    return NULL;
  }
  RunLog* log = calloc(1, sizeof *log);
  if (!log) return NULL;
  log->path = path;
  log->model = model;
  log->plugins = plugins;
  log->values = plugin_options_value_count(plugins);
  if (begin(log)) return log;
  fprintf(stderr, "heft run: cannot write '%s': %s\n", path, strerror(errno));
  free(log);
  return NULL;
}

void run_log_step(RunLog* log, const HeftWorld* w, const HeftStepReport* r) {
  const HeftState* s = heft_world_state(w);
  double report[REPORT_COLUMNS];
  report_numbers(r, report);
  ++log->rows;
  if (log->mcap) {
    const uint64_t time = (uint64_t)(*s->time * 1e9 + 0.5);
    send_state(log, s, report, time);
    send_contacts(log, w, time);
    send_frames(log, w, time);
    if (log->values > 0) send_values(log, time);
  } else if (log->npy) {
    write_npy(log, s, report);
  } else {
    write_csv(log, s, report);
  }
}

int run_log_close(RunLog* log) {
  if (!log) return 1;
  int well = 1;
  if (log->mcap) well = mcap_close(log->mcap);
  if (log->file) {
    if (log->npy && fseek(log->file, 0, SEEK_SET) == 0) write_npy_header(log);
    well = !ferror(log->file);
    well &= fclose(log->file) == 0;
  }
  if (!well)
    fprintf(stderr, "heft run: cannot write '%s' completely; is the disk full?\n", log->path);
  free(log->line.text);
  free(log);
  return well;
}
