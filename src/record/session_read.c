// SPDX-License-Identifier: Apache-2.0
#include "record/session_read.h"

#include <math.h>
#include <string.h>

#include "record/base64.h"
#include "record/session_text.h"

int session_read_bits(HeftJsonSpan message, const char* name, HeftBytes* out) {
  HeftJsonSpan value;
  if (!heft_json_span_field(message, name, &value) || value.end - value.at < 2 || *value.at != '"')
    return 0;
  const size_t length = (size_t)(value.end - value.at - 2);
  out->size = 0;
  if (!heft_bytes_reserve(out, length + 1)) return 0;
  const long size = base64_read(value.at + 1, length, out->bytes);
  if (size < 0) return 0;
  out->size = (size_t)size;
  return 1;
}

static int number_field(HeftJsonSpan object, const char* name, double* out) {
  HeftJsonSpan value;
  return heft_json_span_field(object, name, &value) && heft_json_span_double(value, out);
}

int session_read_steps(HeftJsonSpan message, long* count, uint64_t* hash) {
  double steps;
  char text[24];
  HeftJsonSpan value;
  if (!number_field(message, "count", &steps) || !(steps >= 1 && steps < 2e9) ||
      steps != floor(steps) || !heft_json_span_field(message, "hash", &value) ||
      !heft_json_span_string(value, text, sizeof text) || strlen(text) != 16)
    return 0;
  *count = (long)steps;
  *hash = 0;
  for (const char* p = text; *p; ++p) {
    const int digit = *p >= '0' && *p <= '9'   ? *p - '0'
                      : *p >= 'a' && *p <= 'f' ? *p - 'a' + 10
                                               : -1;
    if (digit < 0) return 0;
    *hash = *hash << 4 | (uint64_t)digit;
  }
  return 1;
}

static int read_probe(HeftJsonSpan object, HeftProbeDef* d) {
  double mode, button, body, point[3];
  HeftJsonSpan value;
  *d = heft_probe_def_default();
  if (!number_field(object, "mode", &mode) || !number_field(object, "radius", &d->radius) ||
      !number_field(object, "stiffness", &d->stiffness) ||
      !number_field(object, "damping", &d->damping) ||
      !number_field(object, "rotational_stiffness", &d->rotational_stiffness) ||
      !number_field(object, "friction", &d->friction) ||
      !number_field(object, "force_max", &d->force_max) ||
      !number_field(object, "torque_max", &d->torque_max) ||
      !number_field(object, "hold_button", &button) || !number_field(object, "body", &body) ||
      !heft_json_span_field(object, "point", &value) || !heft_json_span_doubles(value, point, 3) ||
      !(fabs(mode) < 100 && fabs(button) < 100 && fabs(body) < 1e9))
    return 0;
  d->point = (HeftVec3){point[0], point[1], point[2]};
  d->mode = (HeftProbeMode)(int)mode;
  d->hold_button = (int)button;
  d->body = (int)body;
  return 1;
}

static const char* read_probes(HeftJsonSpan message, HeftSessionStart* s) {
  HeftJsonSpan list, entries, probe;
  if (!heft_json_span_field(message, "probes", &list) || !heft_json_span_open(list, &entries))
    return "the session has no list of probes";
  while (heft_json_span_next(&entries, NULL, &probe)) {
    if (s->probes == HEFT_SESSION_PROBES) return "the session has too many probes";
    if (!read_probe(probe, &s->probe[s->probes++])) return "the session has a damaged probe";
  }
  return NULL;
}

// The text between the brackets of the list.
static void read_plugins(HeftJsonSpan message, HeftSessionStart* s) {
  HeftJsonSpan list;
  if (!heft_json_span_field(message, "plugins", &list) || list.end - list.at < 2 || *list.at != '[')
    return;
  const size_t length = (size_t)(list.end - list.at - 2), max = sizeof s->plugins - 1;
  memcpy(s->plugins, list.at + 1, length < max ? length : max);
}

const char* session_read_start(HeftJsonSpan message, HeftSessionStart* s) {
  HeftJsonSpan value;
  const char* wrong = NULL;
  memset(s, 0, sizeof *s);
  s->world = heft_world_def_default();
  if (!heft_json_span_field(message, "model", &value) ||
      !heft_json_span_string(value, s->model, sizeof s->model))
    return "the session names no model";
  if (heft_json_span_field(message, "version", &value))
    heft_json_span_string(value, s->version, sizeof s->version);
  if (!number_field(message, "time_step", &s->time_step)) return "the session has no time step";
  if (heft_json_span_field(message, "world", &value)) {
    wrong = session_text_read_world(value, &s->world);
    if (wrong) return wrong;
  }
  s->world.time_step = s->time_step;
  if (heft_json_span_field(message, "parameters", &value)) {
    wrong = session_text_read_parameters(value, s->parameter, &s->parameter_count);
    if (wrong) return wrong;
  }
  if (heft_json_span_field(message, "loading", &value)) {
    wrong = heft_loading_read(&s->loading, value);
    if (wrong) return wrong;
  }
  wrong = read_probes(message, s);
  if (!wrong) read_plugins(message, s);
  return wrong;
}
