// SPDX-License-Identifier: Apache-2.0
// heft bench scenes: the speed of every scene that comes with Heft, with the usual settings.
//
// The speed of a core varies with its load: a neighbour on the same core halves it. So a loop of
// known work runs between the steps. Its duration, relative to the nominal core, shows how fast the
// core was meanwhile, and the speed of the scene on the nominal core follows. The nominal core is a
// slow one: a Xeon of 2.5 GHz that other programs share needs as long. A neighbour slows the loop
// and the steps by different factors, so a scene is too slow if both speeds are too low.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_folder.h"
#include "json_rows.h"
#include "measure.h"
#include "model_files.h"
#include "verbs.h"

static const char help[] =
    "usage: heft bench scenes [--seconds S] [--min X] [FILE...]\n"
    "Simulates each scene and model that comes with Heft, or each FILE, with the usual settings on "
    "one\n"
    "core, and prints how fast it is: simulated time by processor time. `nominal` is the same on a "
    "core\n"
    "that runs 8 products of matrices of order 24 in 100 us: they run between the steps, and "
    "measure\n"
    "how fast this core is. A scene that rests states what makes it move.\n"
    "Models in the subfolder `load` are loads for other benchmarks and not scenes.\n"
    "\n"
    "  --seconds S            simulated time of each (default 2)\n"
    "  --min X                fail if a scene is slower than X times real time on this core and on "
    "the\n"
    "                         nominal one\n";

typedef struct ScenesOptions {
  double seconds, min;
  ModelFiles files;
} ScenesOptions;

typedef struct SceneSpeed {
  double us, longest;  ///< processor time of all steps, and of the longest one [µs]
  double loop_us;      ///< of the loops in between [µs]
  double fastest;      ///< largest speed of a coordinate [m/s, rad/s]
  int steps, inexact, loops;
} SceneSpeed;

enum { ORDER = 24, PRODUCTS = 8 };
static const double rest = 0.02;            // speed below which a scene rests [m/s, rad/s]
static const double nominal_loop_us = 100;  // of the nominal core [µs]
static const double between_us = 3000;      // of steps between two loops [µs]

// Products of two matrices that stay in the first cache.
static double run_loop(void) {
  static double a[ORDER][ORDER], b[ORDER][ORDER];
  static volatile double seed = 1e-3;
  const uint64_t begin = measure_cpu_ns();
  for (int i = 0; i < ORDER * ORDER; ++i) a[i / ORDER][i % ORDER] = seed * (i % 7);
  for (int n = 0; n < PRODUCTS; ++n) {
    for (int i = 0; i < ORDER; ++i) {
      for (int j = 0; j < ORDER; ++j) {
        double sum = 0;
        for (int k = 0; k < ORDER; ++k) sum += a[i][k] * a[k][j];
        b[i][j] = sum;
      }
    }
    memcpy(a, b, sizeof a);
  }
  seed = 1e-3 + 1e-9 * a[0][0];
  return 1e-3 * (double)(measure_cpu_ns() - begin);
}

static double fastest_of(const HeftWorld* world) {
  const HeftState* state = heft_world_state(world);
  const int count = heft_world_model(world)->nv;
  double fastest = 0;
  for (int i = 0; i < count; ++i) fastest = fmax(fastest, fabs(state->v[i]));
  return fastest;
}

// How a scene that rests is moved; "" if it moves by itself.
static void say_rest(const HeftModel* m, const SceneSpeed* s, char* text, size_t size) {
  text[0] = '\0';
  if (s->fastest > rest) return;
  const char* key = m->nkey > 0 ? heft_model_name(m, HEFT_NAMED_KEY, 0) : "";
  snprintf(text, size, "  rests: drag a body%s%s", key[0] ? ", or --key " : "", key);
}

static void run_steps(HeftWorld* world, double seconds, SceneSpeed* s) {
  const double h = heft_world_time_step(world);
  double since = between_us;
  const long count = (long)(seconds / h + 0.5);
  for (long i = 0; i < count; ++i) {
    if (since >= between_us) {
      s->loop_us += run_loop();
      ++s->loops;
      since = 0;
    }
    const uint64_t begin = measure_cpu_ns();
    const HeftStepReport r = heft_world_step(world);
    const double us = 1e-3 * (double)(measure_cpu_ns() - begin);
    s->us += us;
    since += us;
    s->longest = fmax(s->longest, us);
    s->inexact += r.inexact > 0;
    s->fastest = fmax(s->fastest, fastest_of(world));
    ++s->steps;
  }
}

// Returns 0 if the scene is too slow or cannot be read.
static int run_scene(const ScenesOptions* o, const char* path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const HeftLoadDef load = heft_load_def_default();
  HeftError error = {0};
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  if (heft_model_load_file(&model, path, &load, &error) != HEFT_OK ||
      heft_world_create(&world, model, NULL, &error) != HEFT_OK) {
    fprintf(stderr, "heft bench scenes: error: %s: %s\n", path, error.message);
    heft_model_destroy(model);
    return 0;
  }
  const double h = heft_world_time_step(world);
  SceneSpeed s = {0};
  run_steps(world, o->seconds, &s);
  const double real = 1e6 * h * s.steps / fmax(s.us, 1e-3);
  const double nominal = real * s.loop_us / (nominal_loop_us * s.loops);
  const int fits = fmax(real, nominal) >= o->min;
  char rests[160];
  say_rest(model, &s, rests, sizeof rests);
  printf("%-24s %7g %9.1f %9.0f %9.2f %9.2f %6d of %d%s%s\n", name, 1e3 * h, s.us / s.steps,
         s.longest, real, nominal, s.inexact, s.steps, rests, fits ? "" : "  too slow");
  json_row_begin(name);
  json_row_number("time_step", h);
  json_row_number("mean_us", s.us / s.steps);
  json_row_number("longest_us", s.longest);
  json_row_number("real_time", real);
  json_row_number("nominal", nominal);
  json_row_number("fastest", s.fastest);
  json_row_number("inexact", s.inexact);
  json_row_number("steps", s.steps);
  json_row_end();
  heft_world_destroy(world);
  heft_model_destroy(model);
  return fits;
}

static int run_all(ScenesOptions* o) {
  char folder[2][1024];
  const int named = o->files.count > 0;
  const char* scenes = named ? NULL : scene_folder(folder[0], sizeof folder[0]);
  const char* robots = named ? NULL : robot_folder(folder[1], sizeof folder[1]);
  if (!named && (!scenes || !robots)) {
    fprintf(stderr, "heft bench scenes: error: the %s were not found; set %s\n",
            scenes ? "robots" : "scenes", scenes ? "HEFT_MODELS" : "HEFT_SCENES");
    return 1;
  }
  if (!named && (!model_files_add(&o->files, "bench scenes", scenes) ||
                 !model_files_add(&o->files, "bench scenes", robots)))
    return 1;
  int fits = 1;
  printf("%-24s %7s %9s %9s %9s %9s   inexact\n", "scene", "step ms", "mean us", "longest",
         "x real", "nominal");
  for (int i = 0; i < o->files.count; ++i) {
    if (!named && strstr(o->files.path[i], "/load/")) continue;
    fits &= run_scene(o, o->files.path[i]);
  }
  return fits ? 0 : 1;
}

int heft_bench_scenes(int argc, char** argv) {
  ScenesOptions o = {.seconds = 2};
  int result = -1;
  for (int i = 1; i < argc && result < 0; ++i) {
    const int asks = strcmp(argv[i], "--help") == 0;
    if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
      o.seconds = strtod(argv[++i], NULL);
    } else if (strcmp(argv[i], "--min") == 0 && i + 1 < argc) {
      o.min = strtod(argv[++i], NULL);
    } else if (asks || argv[i][0] == '-') {
      fputs(help, asks ? stdout : stderr);
      result = asks ? 0 : 2;
    } else if (!model_files_add(&o.files, "bench scenes", argv[i])) {
      result = 1;
    } else if (o.files.count == 0) {
      fprintf(stderr, "heft bench scenes: error: there is no model in '%s'\n", argv[i]);
      result = 1;
    }
  }
  if (result < 0) result = run_all(&o);
  model_files_free(&o.files);
  return result;
}
