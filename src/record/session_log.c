// SPDX-License-Identifier: Apache-2.0
// Writes a session: the compiled model as an attachment, the start in the channel /session, single
// steps with the inputs of users and devices in /step or runs of plain steps in /steps, and actions
// in /change, each with the number of steps before it. "bits" and "hash" are exact; the other
// fields of a step are for users.
#include "record/session_log.h"
#include <errno.h>
#include <string.h>

#include "base/assert.h"
#include "base/bytes.h"
#include "record/base64.h"
#include "record/session_text.h"

struct HeftSessionLog {
  HeftAllocator allocator;
  HeftMcap* mcap;
  const HeftSessionPlugins* plugins;  // or NULL
  int start, step, steps, change;     // channels; 0: none
  long done;                          // steps so far
  double time_step;
  unsigned char* bytes;
  size_t bytes_size;
  HeftJsonText text;
  int failed;
};

static void release(HeftSessionLog* log, void* memory, size_t size) {
  if (memory) log->allocator.release(log->allocator.user, memory, size);
}

// Memory for `size` bytes and, behind them, for their text.
static int room(HeftSessionLog* log, size_t size) {
  const size_t all = 2 * (size + base64_size(size) + 1);
  if (all <= log->bytes_size) return 1;
  release(log, log->bytes, log->bytes_size);
  log->bytes = log->allocator.allocate(log->allocator.user, all, 64);
  log->bytes_size = log->bytes ? all : 0;
  log->failed |= !log->bytes;
  return log->bytes != NULL;
}

static void add_number(HeftSessionLog* log, const char* name, double x) {
  heft_json_text_say(&log->text, ",\"%s\":", name);
  heft_json_text_number(&log->text, x);
}

// After a failure nothing more is written: what follows a hole could not be replayed.
static void send(HeftSessionLog* log, int channel, double time) {
  const char* text = heft_json_text_string(&log->text);
  log->failed |= log->text.text.failed;
  if (!log->failed)
    heft_mcap_message(log->mcap, channel, (uint64_t)(1e9 * time), text, strlen(text));
  log->text.text.size = 0;
}

// The first bytes of log->bytes.
static void add_base64(HeftSessionLog* log, const char* name, size_t size) {
  char* text = (char*)log->bytes + size;
  base64_write(log->bytes, size, text);
  heft_json_text_say(&log->text, ",\"%s\":\"", name);
  heft_json_text_put(&log->text, text);
  heft_json_text_put(&log->text, "\"");
}

// The specs of the plug-ins, for the reader, and their data.
static void add_plugins(HeftSessionLog* log) {
  char spec[1400];
  const HeftSessionPlugins* p = log->plugins;
  if (!p || p->count == 0 || !room(log, p->start_size(p->user))) return;
  heft_json_text_put(&log->text, ",\"plugins\":[");
  for (int i = 0; i < p->count; ++i) {
    if (i > 0) heft_json_text_put(&log->text, ",");
    heft_json_text_quoted(&log->text, p->spec(p->user, i, spec, sizeof spec));
  }
  heft_json_text_put(&log->text, "]");
  p->start(p->user, log->bytes);
  add_base64(log, "plugin_bits", p->start_size(p->user));
}

static void add_probe(HeftSessionLog* log, const HeftProbeDef* d) {
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

// The bytes of heft_session_snapshot(), also where there is no session: a size and a snapshot. If
// there is neither, the world starts as it is created.
static void add_start(HeftSessionLog* log, const HeftSessionInfo* info) {
  const uint64_t snapshot = info->start_size;
  const size_t size =
      info->session ? heft_session_snapshot_size(info->session) : 8 + info->start_size;
  if ((!info->session && !info->start) || !room(log, size)) return;
  if (info->session) {
    heft_session_snapshot(info->session, log->bytes);
  } else {
    bytes_put(log->bytes, snapshot, 8);
    memcpy(log->bytes + 8, info->start, info->start_size);
  }
  add_base64(log, "bits", size);
}

static void write_start(HeftSessionLog* log, const HeftSessionInfo* info) {
  const int probes = info->session ? heft_session_probe_count(info->session) : 0;
  heft_json_text_say(&log->text, "{\"version\":\"%s\",\"model\":", heft_version());
  heft_json_text_quoted(&log->text, info->model_path);
  add_number(log, "time_step", info->time_step);
  heft_json_text_put(&log->text, ",\"world\":");
  session_text_world(&log->text, &info->world);
  if (info->parameter_count > 0) {
    heft_json_text_put(&log->text, ",\"parameters\":");
    session_text_parameters(&log->text, info->parameters, info->parameter_count);
  }
  if (info->loading) {
    heft_json_text_put(&log->text, ",\"loading\":");
    heft_loading_write(info->loading, &log->text);
  }
  heft_json_text_put(&log->text, ",\"probes\":[");
  for (int i = 0; i < probes; ++i) {
    const HeftProbeDef d = heft_probe_def(heft_session_probe(info->session, i));
    if (i > 0) heft_json_text_put(&log->text, ",");
    add_probe(log, &d);
  }
  heft_json_text_put(&log->text, "]");
  add_plugins(log);
  add_start(log, info);
  heft_json_text_put(&log->text, "}");
  send(log, log->start, 0);
}

// A reader finds all channels in the first chunk, so they come before the first message.
static void add_channels(HeftSessionLog* log, int single) {
  log->start =
      heft_mcap_channel(log->mcap, "/session", "heft.session",
                        "{\"type\":\"object\",\"properties\":{\"model\":{\"type\":\"string\"},"
                        "\"time_step\":{\"type\":\"number\"}}}");
  log->change = heft_mcap_channel(
      log->mcap, "/change", "heft.change",
      "{\"type\":\"object\",\"properties\":{\"step\":{\"type\":\"number\"},\"kind\":{"
      "\"type\":\"string\"},\"index\":{\"type\":\"number\"},\"value\":{\"type\":"
      "\"number\"},\"name\":{\"type\":\"string\"},\"file\":{\"type\":\"string\"}}}");
  if (single) {
    log->step = heft_mcap_channel(
        log->mcap, "/step", "heft.step",
        "{\"type\":\"object\",\"properties\":{\"time\":{\"type\":\"number\"},\"contacts\":{"
        "\"type\":\"number\"},\"residual\":{\"type\":\"number\"},\"relative\":{\"type\":"
        "\"number\"},\"status\":{\"type\":\"number\"},\"dropped\":{\"type\":\"number\"},"
        "\"probes\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
        "\"pos\":{\"type\":\"object\"},\"proxy\":{\"type\":\"object\"},\"force\":{\"type\":"
        "\"object\"},\"body\":{\"type\":\"number\"},\"holds\":{\"type\":\"number\"}}}}}}");
  } else {
    log->steps = heft_mcap_channel(log->mcap, "/steps", "heft.steps",
                                   "{\"type\":\"object\",\"properties\":{\"count\":{\"type\":"
                                   "\"number\"},\"hash\":{\"type\":\"string\"}}}");
  }
}

static void attach_model(HeftSessionLog* log, const HeftModel* model) {
  const size_t size = heft_model_save_size(model);
  unsigned char* bytes = log->allocator.allocate(log->allocator.user, size, 64);
  log->failed |= !bytes;
  if (!bytes) return;
  heft_model_save(model, bytes);
  heft_mcap_attachment(log->mcap, HEFT_MCAP_MODEL, "application/octet-stream", bytes, size);
  release(log, bytes, size);
}

HeftSessionLog* heft_session_log_open(const char* path, const HeftSessionInfo* info) {
  HEFT_REQUIRE(path && info && info->model_path, NULL);
  HEFT_REQUIRE(info->parameter_count >= 0 && info->parameter_count <= HEFT_SESSION_PARAMETERS,
               NULL);
  const HeftAllocator a = heft_allocator_default();
  HeftSessionLog* log = a.allocate(a.user, sizeof *log, 64);
  errno = ENOMEM;
  if (!log) return NULL;
  *log = (HeftSessionLog){.allocator = a, .plugins = info->plugins, .time_step = info->time_step};
  log->text = heft_json_text_make(&log->allocator);
  log->mcap = heft_mcap_open(path, HEFT_MCAP_JSON, "heft", NULL);
  if (!log->mcap) {
    a.release(a.user, log, sizeof *log);
    return NULL;
  }
  if (info->model) attach_model(log, info->model);
  add_channels(log, info->session != NULL);
  write_start(log, info);
  heft_mcap_flush(log->mcap);  // from here on the file can be replayed, whatever happens
  return log;
}

void heft_session_log_action(HeftSessionLog* log, long step, const HeftAction* action) {
  HEFT_REQUIRE_VOID(log && action && step >= -1);
  const long at = step < 0 ? log->done : step;
  session_text_action(&log->text, action, at);
  send(log, log->change, (double)at * log->time_step);
}

void heft_session_log_steps(HeftSessionLog* log, long count, uint64_t hash) {
  HEFT_REQUIRE_VOID(log && count > 0);
  log->done += count;
  heft_json_text_say(&log->text, "{\"count\":%ld,\"hash\":\"%016llx\"}", count,
                     (unsigned long long)hash);
  send(log, log->steps, (double)log->done * log->time_step);
}

void heft_session_log_step(HeftSessionLog* log, HeftSession* session,
                           const HeftStepReport* report) {
  HEFT_REQUIRE_VOID(log && session && report);
  HeftJsonText* t = &log->text;
  const HeftSessionPlugins* p = log->plugins;
  const size_t size = heft_session_record_size(session), more = p ? p->input_size(p->user) : 0;
  if (!room(log, size > more ? size : more)) return;
  ++log->done;
  heft_json_text_say(
      t,
      "{\"time\":%.9g,\"contacts\":%d,\"residual\":%.3g,\"relative\":%.3g,\"status\":%d,"
      "\"dropped\":%d,\"probes\":[",
      report->time, report->contact_count, report->residual, report->relative, (int)report->status,
      report->contact_dropped);
  for (int i = 0; i < heft_session_probe_count(session); ++i) {
    const HeftProbeState* s = heft_probe_state(heft_session_probe(session, i));
    heft_json_text_put(t, i > 0 ? ",{" : "{");
    heft_json_text_vector(t, "proxy", s->proxy);
    heft_json_text_put(t, ",");
    heft_json_text_vector(t, "force", s->force);
    heft_json_text_say(t, ",\"depth\":%.6g,\"body\":%d,\"holds\":%d}", s->depth, s->body, s->holds);
  }
  heft_json_text_put(t, "]");
  if (more > 0) {
    p->input(p->user, log->bytes);
    add_base64(log, "plugin_inputs", more);
  }
  heft_session_record(session, log->bytes);
  add_base64(log, "bits", size);
  heft_json_text_put(t, "}");
  send(log, log->step, report->time);
}

int heft_session_log_close(HeftSessionLog* log) {
  if (!log) return 1;
  const int well = heft_mcap_close(log->mcap) & !log->failed;
  release(log, log->bytes, log->bytes_size);
  heft_json_text_free(&log->text);
  const HeftAllocator a = log->allocator;
  a.release(a.user, log, sizeof *log);
  return well;
}
