// SPDX-License-Identifier: Apache-2.0
#include "session_log.h"

#include <errno.h>
#include <heft/mcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"

struct SessionLog {
  const char* path;
  HeftMcap* mcap;
  HeftWorld* world;
  HeftSession* session;
  const HeftPluginSet* plugins;  // or NULL
  int start, step, change;       // channels
  long steps;
  unsigned char* bytes;
  size_t bytes_size;
  HeftAllocator allocator;
  HeftJsonText text;
  int failed;
};

static int room(SessionLog* log, size_t bytes) {
  if (bytes <= log->bytes_size) return 1;
  unsigned char* grown = realloc(log->bytes, 2 * bytes);
  if (!grown) {
    log->failed = 1;
    return 0;
  }
  log->bytes = grown;
  log->bytes_size = 2 * bytes;
  return 1;
}

static void add_number(SessionLog* log, const char* name, double x) {
  heft_json_text_say(&log->text, ",\"%s\":", name);
  heft_json_text_number(&log->text, x);
}

static void send(SessionLog* log, int channel, double time) {
  const char* text = heft_json_text_string(&log->text);
  heft_mcap_message(log->mcap, channel, (uint64_t)(1e9 * time), text, strlen(text));
  log->failed |= log->text.text.failed;
  log->text.text.size = 0;
}

// Bytes of log->bytes.
static void add_base64(SessionLog* log, const char* name, size_t size) {
  char* text = malloc(base64_size(size) + 1);
  if (!text) {
    log->failed = 1;
    return;
  }
  base64_write(log->bytes, size, text);
  heft_json_text_say(&log->text, ",\"%s\":\"", name);
  heft_json_text_put(&log->text, text);
  heft_json_text_put(&log->text, "\"");
  free(text);
}

static void add_bits(SessionLog* log, size_t size) {
  add_base64(log, "bits", size);
  heft_json_text_put(&log->text, "}");
}

// The specs of the plug-ins, for the reader, and their data.
static void add_plugins(SessionLog* log) {
  char spec[1400];
  const int count = log->plugins ? heft_plugin_set_count(log->plugins) : 0;
  if (count == 0) return;
  heft_json_text_put(&log->text, ",\"plugins\":[");
  for (int i = 0; i < count; ++i) {
    if (i > 0) heft_json_text_put(&log->text, ",");
    heft_json_text_quoted(&log->text, heft_plugin_set_spec(log->plugins, i, spec, sizeof spec));
  }
  heft_json_text_put(&log->text, "]");
  heft_plugin_set_save(log->plugins, log->bytes);
  add_base64(log, "plugin_bits", heft_plugin_set_save_size(log->plugins));
}

static void add_probe(SessionLog* log, const HeftProbeDef* d) {
  heft_json_text_say(&log->text, "{\"mode\":%d", (int)d->mode);
  add_number(log, "radius", d->radius);
  add_number(log, "stiffness", d->stiffness);
  add_number(log, "damping", d->damping);
  add_number(log, "rotational_stiffness", d->rotational_stiffness);
  add_number(log, "friction", d->friction);
  add_number(log, "force_max", d->force_max);
  add_number(log, "torque_max", d->torque_max);
  heft_json_text_say(&log->text, ",\"hold_button\":%d,\"body\":%d,", d->hold_button, d->body);
  heft_json_text_array(&log->text, "point", (const double[]){d->point.x, d->point.y, d->point.z},
                       3);
  heft_json_text_put(&log->text, "}");
}

static void write_start(SessionLog* log, const SessionStartInfo* info) {
  const size_t size = heft_session_snapshot_size(log->session);
  const size_t more = log->plugins ? heft_plugin_set_save_size(log->plugins) : 0;
  if (!room(log, size > more ? size : more)) return;
  heft_json_text_say(&log->text, "{\"version\":\"%s\",\"model\":", heft_version());
  heft_json_text_quoted(&log->text, info->model_path);
  add_number(log, "time_step", info->time_step);
  if (info->loading) {
    heft_json_text_put(&log->text, ",\"loading\":");
    loading_write(info->loading, &log->text);
  }
  heft_json_text_put(&log->text, ",\"probes\":[");
  for (int i = 0; i < heft_session_probe_count(log->session); ++i) {
    const HeftProbeDef d = heft_probe_def(heft_session_probe(log->session, i));
    if (i > 0) heft_json_text_put(&log->text, ",");
    add_probe(log, &d);
  }
  heft_json_text_put(&log->text, "]");
  add_plugins(log);
  heft_session_snapshot(log->session, log->bytes);
  add_bits(log, size);
  send(log, log->start, 0);
}

static void add_channels(SessionLog* log) {
  log->start =
      heft_mcap_channel(log->mcap, "/session", "heft.session",
                        "{\"type\":\"object\",\"properties\":{\"model\":{\"type\":\"string\"},"
                        "\"time_step\":{\"type\":\"number\"}}}");
  log->step = heft_mcap_channel(
      log->mcap, "/step", "heft.step",
      "{\"type\":\"object\",\"properties\":{\"time\":{\"type\":\"number\"},\"contacts\":{\"type\":"
      "\"number\"},\"residual\":{\"type\":\"number\"},\"relative\":{\"type\":\"number\"},"
      "\"status\":{\"type\":\"number\"},\"dropped\":{\"type\":\"number\"},\"probes\":{\"type\":"
      "\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
      "\"pos\":{\"type\":\"object\"},\"proxy\":{\"type\":\"object\"},\"force\":{\"type\":"
      "\"object\"},\"body\":{\"type\":\"number\"},\"holds\":{\"type\":\"number\"}}}}}}");
  log->change = heft_mcap_channel(
      log->mcap, "/change", "heft.change",
      "{\"type\":\"object\",\"properties\":{\"step\":{\"type\":\"number\"},\"kind\":{"
      "\"type\":\"string\"},\"index\":{\"type\":\"number\"},\"value\":{\"type\":"
      "\"number\"},\"name\":{\"type\":\"string\"},\"file\":{\"type\":\"string\"}}}");
}

SessionLog* session_log_open(const char* path, const SessionStartInfo* info, HeftWorld* world,
                             HeftSession* session, const HeftPluginSet* plugins) {
  SessionLog* log = calloc(1, sizeof *log);
  if (!log) return NULL;
  log->path = path;
  log->world = world;
  log->session = session;
  log->plugins = plugins;
  log->allocator = heft_allocator_default();
  log->text = heft_json_text_make(&log->allocator);
  log->mcap = heft_mcap_open(path, "heft", NULL);
  if (!log->mcap) {
    fprintf(stderr, "heft: error: %s: %s\n", path, strerror(errno));
    free(log);
    return NULL;
  }
  add_channels(log);
  write_start(log, info);
  return log;
}

void session_log_change(SessionLog* log, const HeftChange* change, HeftWorld* world,
                        HeftSession* session) {
  HeftJsonText* t = &log->text;
  log->world = world;
  log->session = session;
  heft_json_text_say(t, "{\"step\":%ld,\"kind\":", log->steps);
  heft_json_text_quoted(t, heft_change_name(change->kind));
  heft_json_text_say(t, ",\"index\":%d", change->index);
  add_number(log, "value", change->value);
  add_number(log, "x", change->pos.x);
  add_number(log, "y", change->pos.y);
  add_number(log, "z", change->pos.z);
  heft_json_text_put(t, ",\"name\":");
  heft_json_text_quoted(t, change->name);
  heft_json_text_put(t, ",\"file\":");
  heft_json_text_quoted(t, change->file);
  heft_json_text_put(t, "}");
  send(log, log->change, *heft_world_state(world)->time);
}

void session_log_step(SessionLog* log, const HeftStepReport* report) {
  HeftJsonText* t = &log->text;
  const size_t size = heft_session_record_size(log->session);
  const size_t more = log->plugins ? heft_plugin_set_record_size(log->plugins) : 0;
  if (!room(log, size > more ? size : more)) return;
  ++log->steps;
  heft_json_text_say(
      t,
      "{\"time\":%.9g,\"contacts\":%d,\"residual\":%.3g,\"relative\":%.3g,\"status\":%d,"
      "\"dropped\":%d,\"probes\":[",
      report->time, report->contact_count, report->residual, report->relative, (int)report->status,
      report->contact_dropped);
  for (int i = 0; i < heft_session_probe_count(log->session); ++i) {
    const HeftProbeState* s = heft_probe_state(heft_session_probe(log->session, i));
    heft_json_text_put(t, i > 0 ? ",{" : "{");
    heft_json_text_vector(t, "proxy", s->proxy);
    heft_json_text_put(t, ",");
    heft_json_text_vector(t, "force", s->force);
    heft_json_text_say(t, ",\"depth\":%.6g,\"body\":%d,\"holds\":%d}", s->depth, s->body, s->holds);
  }
  heft_json_text_put(t, "]");
  if (more > 0) {
    heft_plugin_set_record(log->plugins, log->bytes);
    add_base64(log, "plugin_inputs", more);
  }
  heft_session_record(log->session, log->bytes);
  add_bits(log, size);
  send(log, log->step, report->time);
}

int session_log_close(SessionLog* log) {
  if (!log) return 1;
  const int well = heft_mcap_close(log->mcap) & !log->failed;
  if (!well)
    fprintf(stderr, "heft: error: cannot write %s completely; is the disk full?\n", log->path);
  free(log->bytes);
  heft_json_text_free(&log->text);
  free(log);
  return well;
}
