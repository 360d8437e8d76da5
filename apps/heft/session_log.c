// SPDX-License-Identifier: Apache-2.0
#include "session_log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "mcap.h"

struct SessionLog {
  const char* path;
  Mcap* mcap;
  HeftWorld* world;
  HeftSession* session;
  const HeftPluginSet* plugins;  // or NULL
  int start, step, change;       // channels
  long steps;
  unsigned char* bytes;
  char* text;
  size_t bytes_size, text_size, used;
  int failed;
};

static int room(SessionLog* log, size_t bytes, size_t text) {
  if (bytes > log->bytes_size) {
    unsigned char* grown = realloc(log->bytes, 2 * bytes);
    if (!grown) return 0;
    log->bytes = grown;
    log->bytes_size = 2 * bytes;
  }
  if (text > log->text_size) {
    char* grown = realloc(log->text, 2 * text);
    if (!grown) return 0;
    log->text = grown;
    log->text_size = 2 * text;
  }
  return 1;
}

__attribute__((format(printf, 2, 3))) static void add(SessionLog* log, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(log->text + log->used, log->text_size - log->used, format, list);
  va_end(list);
  if (n < 0 || (size_t)n >= log->text_size - log->used) {
    log->failed = 1;
  } else {
    log->used += (size_t)n;
  }
}

static void add_vec3(SessionLog* log, const char* name, HeftVec3 v) {
  add(log, "\"%s\":{\"x\":%.9g,\"y\":%.9g,\"z\":%.9g}", name, v.x, v.y, v.z);
}

// Names of files as JSON strings.
static void add_quoted(SessionLog* log, const char* text) {
  add(log, "\"");
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\') add(log, "\\");
    if ((unsigned char)*text >= 32) add(log, "%c", *text);
  }
  add(log, "\"");
}

static void add_base64(SessionLog* log, const char* name, size_t size) {
  add(log, ",\"%s\":\"", name);
  base64_write(log->bytes, size, log->text + log->used);
  log->used += base64_size(size);
  add(log, "\"");
}

static void add_bits(SessionLog* log, size_t size) {
  add_base64(log, "bits", size);
  add(log, "}");
}

// The specs of the plug-ins, for the reader, and their data.
static void add_plugins(SessionLog* log) {
  char spec[1400];
  const int count = log->plugins ? heft_plugin_set_count(log->plugins) : 0;
  if (count == 0) return;
  add(log, ",\"plugins\":[");
  for (int i = 0; i < count; ++i) {
    if (i > 0) add(log, ",");
    add_quoted(log, heft_plugin_set_spec(log->plugins, i, spec, sizeof spec));
  }
  add(log, "]");
  heft_plugin_set_save(log->plugins, log->bytes);
  add_base64(log, "plugin_bits", heft_plugin_set_save_size(log->plugins));
}

static void write_start(SessionLog* log, const char* model_path, double time_step) {
  const size_t size = heft_session_snapshot_size(log->session);
  const int plugins = log->plugins ? heft_plugin_set_count(log->plugins) : 0;
  const size_t more = log->plugins ? heft_plugin_set_save_size(log->plugins) : 0;
  const size_t text = base64_size(size) + base64_size(more) + 2 * strlen(model_path) +
                      3000 * (size_t)plugins + 4096;
  if (!room(log, size > more ? size : more, text)) {
    log->failed = 1;
    return;
  }
  log->used = 0;
  add(log, "{\"version\":\"%s\",\"model\":", heft_version());
  add_quoted(log, model_path);
  add(log, ",\"time_step\":%.17g,\"probes\":[", time_step);
  for (int i = 0; i < heft_session_probe_count(log->session); ++i) {
    const HeftProbeDef d = heft_probe_def(heft_session_probe(log->session, i));
    add(log,
        "%s{\"mode\":%d,\"radius\":%.17g,\"stiffness\":%.17g,\"damping\":%.17g,"
        "\"rotational_stiffness\":%.17g,\"friction\":%.17g,\"force_max\":%.17g,\"torque_max\":%."
        "17g,"
        "\"hold_button\":%d,\"body\":%d,\"point\":[%.17g,%.17g,%.17g]}",
        i > 0 ? "," : "", (int)d.mode, d.radius, d.stiffness, d.damping, d.rotational_stiffness,
        d.friction, d.force_max, d.torque_max, d.hold_button, d.body, d.point.x, d.point.y,
        d.point.z);
  }
  add(log, "]");
  add_plugins(log);
  heft_session_snapshot(log->session, log->bytes);
  add_bits(log, size);
  mcap_message(log->mcap, log->start, 0, log->text, log->used);
}

SessionLog* session_log_open(const char* path, const char* model_path, HeftWorld* world,
                             HeftSession* session, const HeftPluginSet* plugins, double time_step) {
  SessionLog* log = calloc(1, sizeof *log);
  if (!log) return NULL;
  log->path = path;
  log->world = world;
  log->session = session;
  log->plugins = plugins;
  log->mcap = mcap_open(path, "heft");
  if (!log->mcap) {
    fprintf(stderr, "heft: error: %s: %s\n", path, strerror(errno));
    free(log);
    return NULL;
  }
  log->start = mcap_channel(log->mcap, "/session", "heft.session",
                            "{\"type\":\"object\",\"properties\":{\"model\":{\"type\":\"string\"},"
                            "\"time_step\":{\"type\":\"number\"}}}");
  log->step = mcap_channel(
      log->mcap, "/step", "heft.step",
      "{\"type\":\"object\",\"properties\":{\"time\":{\"type\":\"number\"},\"contacts\":{\"type\":"
      "\"number\"},\"residual\":{\"type\":\"number\"},\"relative\":{\"type\":\"number\"},"
      "\"status\":{\"type\":\"number\"},\"dropped\":{\"type\":\"number\"},\"probes\":{\"type\":"
      "\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
      "\"pos\":{\"type\":\"object\"},\"proxy\":{\"type\":\"object\"},\"force\":{\"type\":"
      "\"object\"},\"body\":{\"type\":\"number\"},\"holds\":{\"type\":\"number\"}}}}}}");
  log->change =
      mcap_channel(log->mcap, "/change", "heft.change",
                   "{\"type\":\"object\",\"properties\":{\"step\":{\"type\":\"number\"},\"kind\":{"
                   "\"type\":\"string\"},\"index\":{\"type\":\"number\"},\"value\":{\"type\":"
                   "\"number\"},\"name\":{\"type\":\"string\"},\"file\":{\"type\":\"string\"}}}");
  write_start(log, model_path, time_step);
  return log;
}

void session_log_change(SessionLog* log, const HeftChange* change, HeftWorld* world,
                        HeftSession* session) {
  log->world = world;
  log->session = session;
  if (!room(log, 0, 2 * sizeof *change + 4096)) {
    log->failed = 1;
    return;
  }
  log->used = 0;
  add(log, "{\"step\":%ld,\"kind\":", log->steps);
  add_quoted(log, heft_change_name(change->kind));
  add(log,
      ",\"index\":%d,\"value\":%.17g,\"x\":%.17g,\"y\":%.17g,\"z\":%.17g,\"name\":", change->index,
      change->value, change->pos.x, change->pos.y, change->pos.z);
  add_quoted(log, change->name);
  add(log, ",\"file\":");
  add_quoted(log, change->file);
  add(log, "}");
  mcap_message(log->mcap, log->change, (uint64_t)(1e9 * *heft_world_state(world)->time), log->text,
               log->used);
}

void session_log_step(SessionLog* log, const HeftStepReport* report) {
  const size_t size = heft_session_record_size(log->session);
  const size_t more = log->plugins ? heft_plugin_set_record_size(log->plugins) : 0;
  if (!room(log, size > more ? size : more, base64_size(size) + base64_size(more) + 4096)) {
    log->failed = 1;
    return;
  }
  log->used = 0;
  ++log->steps;
  add(log,
      "{\"time\":%.9g,\"contacts\":%d,\"residual\":%.3g,\"relative\":%.3g,\"status\":%d,"
      "\"dropped\":%d,\"probes\":[",
      report->time, report->contact_count, report->residual, report->relative, (int)report->status,
      report->contact_dropped);
  for (int i = 0; i < heft_session_probe_count(log->session); ++i) {
    const HeftProbeState* s = heft_probe_state(heft_session_probe(log->session, i));
    add(log, "%s{", i > 0 ? "," : "");
    add_vec3(log, "proxy", s->proxy);
    add(log, ",");
    add_vec3(log, "force", s->force);
    add(log, ",\"depth\":%.6g,\"body\":%d,\"holds\":%d}", s->depth, s->body, s->holds);
  }
  add(log, "]");
  if (more > 0) {
    heft_plugin_set_record(log->plugins, log->bytes);
    add_base64(log, "plugin_inputs", more);
  }
  heft_session_record(log->session, log->bytes);
  add_bits(log, size);
  mcap_message(log->mcap, log->step, (uint64_t)(1e9 * report->time), log->text, log->used);
}

int session_log_close(SessionLog* log) {
  if (!log) return 1;
  const int well = mcap_close(log->mcap) & !log->failed;
  if (!well)
    fprintf(stderr, "heft: error: cannot write %s completely; is the disk full?\n", log->path);
  free(log->bytes);
  free(log->text);
  free(log);
  return well;
}
