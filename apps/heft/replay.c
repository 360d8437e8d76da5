// SPDX-License-Identifier: Apache-2.0
// heft replay: lives a recorded session again and says whether every bit is the same.
#include <errno.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "mcap_read.h"
#include "model_options.h"
#include "verbs.h"

static const char help[] =
    "usage: heft replay [OPTIONS] FILE.mcap\n"
    "Lives a session of `heft feel --record` again, step by step, and says whether the state "
    "after\n"
    "each step has the same bits. Exits with 0 if they all have.\n\n"
    "  --model FILE           the model (default: the file that the recording names)\n";

static const size_t file_most = (size_t)4 << 30;

typedef struct Replay {
  ModelOptions* options;
  const char* model_path;  // or NULL: as recorded
  HeftModel* model;
  HeftWorld* world;
  HeftSession* session;
  unsigned char* bytes;
  size_t bytes_size;
  long steps, different;
  int failed;
} Replay;

// ---- a few fields of JSON that session_log.c wrote, in its order

// The text behind "name": in data; NULL if there is none.
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

// The bytes of "bits"; -1 if they are not there.
static long bits_field(Replay* r, const char* data, const char* end) {
  const char* p = field(data, end, "bits");
  if (!p || p >= end || *p != '"') return -1;
  const char* close = memchr(p + 1, '"', (size_t)(end - p - 1));
  if (!close) return -1;
  const size_t length = (size_t)(close - p - 1);
  if (length > r->bytes_size) {
    unsigned char* grown = realloc(r->bytes, 2 * length);
    if (!grown) return -1;
    r->bytes = grown;
    r->bytes_size = 2 * length;
  }
  return base64_read(p + 1, length, r->bytes);
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

// ---- messages

static int stop(Replay* r, const char* what) {
  fprintf(stderr, "heft replay: %s\n", what);
  r->failed = 1;
  return 0;
}

static int read_probe(const char** data, const char* end, HeftProbeDef* d) {
  double mode, button, body;
  *d = heft_probe_def_default();
  if (!number_field(data, end, "mode", &mode) || !number_field(data, end, "radius", &d->radius) ||
      !number_field(data, end, "stiffness", &d->stiffness) ||
      !number_field(data, end, "damping", &d->damping) ||
      !number_field(data, end, "turn_stiffness", &d->turn_stiffness) ||
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

static int begin(Replay* r, const char* data, const char* end) {
  char path[4096];
  HeftError error = {0};
  HeftWorldDef def = heft_world_def_default();
  HeftProbeDef probes[HEFT_SESSION_PROBES];
  int count = 0;
  if (r->session) return stop(r, "the recording has two beginnings");
  if (!text_field(data, end, "model", path, sizeof path)) return stop(r, "no model is named");
  const char* at = data;
  if (!number_field(&at, end, "time_step", &def.time_step)) return stop(r, "no time step");
  const char* bits = field(at, end, "bits");
  while (count < HEFT_SESSION_PROBES && bits && field(at, bits, "mode")) {
    if (!read_probe(&at, bits, &probes[count++])) return stop(r, "a probe is not understood");
  }
  const long size = bits_field(r, at, end);
  if (size < 0) return stop(r, "the moment of the beginning is missing");
  r->model = model_options_load(r->options, r->model_path ? r->model_path : path);
  if (!r->model) return stop(r, "without its model a session cannot be replayed: see --model");
  if (heft_world_create(&r->world, r->model, &def, &error) != HEFT_OK ||
      heft_session_create(&r->session, r->world, count, probes, NULL, &error) != HEFT_OK)
    return stop(r, error.message);
  const HeftStatus status = heft_session_restore(r->session, r->bytes, (size_t)size);
  return status == HEFT_OK ? 1 : stop(r, heft_status_text(status));
}

static int message(void* user, const char* topic, uint64_t time, const char* data, size_t size) {
  Replay* r = user;
  const char* end = data + size;
  (void)time;
  if (strcmp(topic, "/session") == 0) return begin(r, data, end);
  if (strcmp(topic, "/step") != 0) return 1;
  if (!r->session) return stop(r, "a step comes before the beginning");
  const long bytes = bits_field(r, data, end);
  if (bytes < 0) return stop(r, "a step is damaged");
  HeftStepReport report;
  const HeftStatus status = heft_session_again(r->session, r->bytes, (size_t)bytes, &report);
  if (status == HEFT_ERR_SYNTAX) return stop(r, "a step is damaged");
  ++r->steps;
  if (status == HEFT_OK) return 1;
  if (r->different++ == 0)
    printf("step %ld, at %.4f s, ends in other bits\n", r->steps, report.time);
  return 1;
}

// ---- the file

static unsigned char* read_all(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "heft replay: %s: %s\n", path, strerror(errno));
    return NULL;
  }
  unsigned char* bytes = NULL;
  size_t capacity = 0;
  *size = 0;
  for (;;) {
    if (*size == capacity) {
      capacity = capacity > 0 ? 2 * capacity : 1 << 20;
      unsigned char* grown = capacity <= file_most ? realloc(bytes, capacity) : NULL;
      if (!grown) {
        fprintf(stderr, "heft replay: %s is too large\n", path);
        free(bytes);
        bytes = NULL;
        break;
      }
      bytes = grown;
    }
    const size_t got = fread(bytes + *size, 1, capacity - *size, file);
    *size += got;
    if (got == 0) break;
  }
  fclose(file);
  return bytes;
}

static int play(Replay* r, const char* path) {
  size_t size = 0;
  unsigned char* bytes = read_all(path, &size);
  const char* what = "";
  if (!bytes) return 1;
  const uint64_t started = heft_clock_ns();
  if (!mcap_read(bytes, size, message, r, &what)) {
    fprintf(stderr, "heft replay: %s: %s\n", path, what);
    r->failed = 1;
  }
  free(bytes);
  if (r->failed) return 1;
  if (!r->session) return stop(r, "there is no session in this file"), 1;
  const double wall = (double)(heft_clock_ns() - started) * 1e-9;
  const double time = *heft_world_state(r->world)->time;
  printf("%ld steps, %s; %.3f s in %.2f s, state hash %016llx\n", r->steps,
         r->different == 0 ? "all with the same bits" : "not the same", time, wall,
         (unsigned long long)heft_world_hash(r->world));
  return r->different > 0;
}

int heft_verb_replay(int argc, char** argv) {
  ModelOptions options;
  model_options_init(&options);
  Replay r = {.options = &options};
  const char* path = NULL;
  int result = -1;
  for (int i = 1; i < argc && result < 0; ++i) {
    const int taken =
        strcmp(argv[i], "--help") == 0 ? 0 : model_options_take(&options, argc, argv, &i);
    if (taken < 0) result = 2;
    if (taken != 0) continue;
    if (strcmp(argv[i], "--help") == 0) {
      printf("%s%s", help, model_options_help);
      result = 0;
    } else if (strcmp(argv[i], "--model") == 0 && i + 1 < argc) {
      r.model_path = argv[++i];
    } else if (argv[i][0] == '-' || path) {
      fprintf(stderr, "heft replay: not understood: '%s'; try 'heft replay --help'\n", argv[i]);
      result = 2;
    } else {
      path = argv[i];
    }
  }
  if (result < 0 && !path) {
    fprintf(stderr, "heft replay: which file? Try 'heft replay --help'\n");
    result = 2;
  }
  if (result < 0) result = play(&r, path);
  heft_session_destroy(r.session);
  heft_world_destroy(r.world);
  heft_model_destroy(r.model);
  free(r.bytes);
  model_options_release(&options);
  return result;
}
