// SPDX-License-Identifier: Apache-2.0
// Reads the files of session_log.c without trusting them: a text ends where its message ends, and
// every number must be finite.
#include "session_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"

const char session_builtin[] = "builtin:";

// ---- a few fields of JSON, in their order

// Returns the text behind "name": in data, or NULL.
static const char* field(const char* data, const char* end, const char* name) {
  char key[64];
  const int n = snprintf(key, sizeof key, "\"%s\":", name);
  for (const char* p = data; p + n <= end; ++p) {
    if (memcmp(p, key, (size_t)n) == 0) return p + n;
  }
  return NULL;
}

static int number_field(const char** data, const char* end, const char* name, double* out) {
  char text[64] = "";
  const char* p = field(*data, end, name);
  if (!p) return 0;
  size_t n = 0;
  while (p + n < end && n < sizeof text - 1 && strchr("+-.0123456789eE", p[n])) {
    text[n] = p[n];
    ++n;
  }
  char* rest = NULL;
  *out = strtod(text, &rest);
  *data = p + n;
  return n > 0 && *rest == '\0' && isfinite(*out);
}

static long read_base64(SessionBits* bits, const char* data, size_t size, const char* name) {
  const char* end = data + size;
  const char* p = field(data, end, name);
  if (!p || p >= end || *p != '"') return -1;
  const char* close = memchr(p + 1, '"', (size_t)(end - p - 1));
  if (!close) return -1;
  const size_t length = (size_t)(close - p - 1);
  if (length > bits->room) {
    unsigned char* grown = realloc(bits->bytes, 2 * length);
    if (!grown) return -1;
    bits->bytes = grown;
    bits->room = 2 * length;
  }
  return base64_read(p + 1, length, bits->bytes);
}

long session_read_bits(SessionBits* bits, const char* data, size_t size) {
  return read_base64(bits, data, size, "bits");
}

long session_read_plugin_bits(SessionBits* bits, const char* data, size_t size) {
  return read_base64(bits, data, size, "plugin_bits");
}

long session_read_plugin_inputs(SessionBits* bits, const char* data, size_t size) {
  return read_base64(bits, data, size, "plugin_inputs");
}

static int text_field(const char* data, const char* end, const char* name, char* out, size_t size) {
  const char* p = field(data, end, name);
  size_t n = 0;
  if (!p || p >= end || *p != '"') return 0;
  for (++p; p < end && *p != '"' && n + 1 < size; ++p) {
    if (*p == '\\' && p + 1 < end) ++p;
    out[n++] = *p;
  }
  out[n] = '\0';
  return p < end && *p == '"';
}

// ---- the initial state

static int read_probe(const char** data, const char* end, HeftProbeDef* d) {
  double mode, button, body;
  *d = heft_probe_def_default();
  if (!number_field(data, end, "mode", &mode) || !number_field(data, end, "radius", &d->radius) ||
      !number_field(data, end, "stiffness", &d->stiffness) ||
      !number_field(data, end, "damping", &d->damping) ||
      !number_field(data, end, "rotational_stiffness", &d->rotational_stiffness) ||
      !number_field(data, end, "friction", &d->friction) ||
      !number_field(data, end, "force_max", &d->force_max) ||
      !number_field(data, end, "torque_max", &d->torque_max) ||
      !number_field(data, end, "hold_button", &button) || !number_field(data, end, "body", &body))
    return 0;
  const char* p = field(*data, end, "point");
  double* point[3] = {&d->point.x, &d->point.y, &d->point.z};
  for (int i = 0; i < 3; ++i) {
    char* rest = NULL;
    char text[40] = "";
    if (!p || p + 1 >= end) return 0;
    const size_t left = (size_t)(end - p - 1);
    memcpy(text, p + 1, left < 39 ? left : 39);
    *point[i] = strtod(text, &rest);
    if (rest == text || !isfinite(*point[i])) return 0;
    p += 1 + (rest - text);
  }
  if (!(fabs(mode) < 100 && fabs(button) < 100 && fabs(body) < 1e9)) return 0;
  d->mode = (HeftProbeMode)(int)mode;
  d->hold_button = (int)button;
  d->body = (int)body;
  *data = p;
  return 1;
}

// What stands between the brackets of the list.
static void read_plugins(SessionStart* s, const char* data, const char* end) {
  const char* list = field(data, end, "plugins");
  const char* close = list ? memchr(list, ']', (size_t)(end - list)) : NULL;
  if (!close || *list != '[') return;
  const long length = close - list - 1, max = (long)sizeof s->plugins - 1;
  memcpy(s->plugins, list + 1, (size_t)(length < max ? length : max));
}

const char* session_read_start(const char* data, size_t size, SessionStart* s) {
  const char* end = data + size;
  memset(s, 0, sizeof *s);
  if (!text_field(data, end, "model", s->model, sizeof s->model))
    return "the recording names no model";
  const char* at = data;
  if (!number_field(&at, end, "time_step", &s->time_step)) return "the recording has no time step";
  JsonSpan loading;
  if (json_span_field((JsonSpan){data, end}, "loading", &loading)) {
    const char* wrong = loading_read(&s->loading, loading);
    if (wrong) return wrong;
  }
  const char* bits = field(at, end, "bits");
  while (s->probes < HEFT_SESSION_PROBES && bits && field(at, bits, "mode")) {
    if (!read_probe(&at, bits, &s->probe[s->probes++])) return "the recording has a damaged probe";
  }
  read_plugins(s, data, end);
  return NULL;
}

// ---- changes

const char* session_read_change(const char* data, size_t size, HeftChange* change, long* step) {
  const char *end = data + size, *at = data;
  char kind[40];
  double steps = 0, index = 0;
  *change = (HeftChange){0};
  if (!number_field(&at, end, "step", &steps) || !text_field(at, end, "kind", kind, sizeof kind) ||
      !number_field(&at, end, "index", &index) ||
      !number_field(&at, end, "value", &change->value) ||
      !number_field(&at, end, "x", &change->pos.x) ||
      !number_field(&at, end, "y", &change->pos.y) ||
      !number_field(&at, end, "z", &change->pos.z) ||
      !text_field(at, end, "name", change->name, sizeof change->name) ||
      !text_field(at, end, "file", change->file, sizeof change->file) ||
      !(steps >= 0 && steps < 1e15 && fabs(index) < 1e9))
    return "the recording has a damaged change";
  *step = (long)steps;
  change->index = (int)index;
  for (int k = 0; k < HEFT_CHANGE_COUNT; ++k) {
    change->kind = (HeftChangeKind)k;
    if (strcmp(heft_change_name(change->kind), kind) == 0) return NULL;
  }
  return "the recording has a change that this version does not know";
}
