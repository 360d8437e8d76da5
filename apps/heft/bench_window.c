// SPDX-License-Identifier: Apache-2.0
// heft bench window: what the window costs a loop of your own.
//
// A world is stepped in real time, without a window and with one, in turn, from the same state. A
// step does the same work each time, so that all differences come from heft_viewer_sync() and from
// the other threads: caches, memory, cores. The processor time of the thread does not count when
// other programs use the core; the clock does.
#include <stdio.h>

#include "json_rows.h"
#include "option_names.h"
#include "verbs.h"

#ifndef HEFT_HAVE_VIEW

int heft_bench_window(int argc, char** argv) {
  (void)argc;
  (void)argv;
  fprintf(stderr, "heft bench window: error: this program was built without the viewer\n");
  return 1;
}

#else

#include <heft/heft.h>
#include <heft/io.h>
#include <heft/view.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arguments.h"
#include "data_folder.h"
#include "measure.h"

static const char help[] =
    "usage: heft bench window [OPTIONS] [FILE]\n"
    "Steps a world in real time, without a window and with one that shows it (heft_viewer_sync() "
    "after\n"
    "each step), in turn. Prints the median and the 99th percentile of the time of a step: by the\n"
    "processor time of the thread, and by the clock, which other programs disturb. Needs a "
    "screen.\n"
    "FILE is a model (default: humanoid.xml of the scenes).\n"
    "\n"
    "  --seconds SECONDS      simulated time of each turn (default 4)\n"
    "  --rounds N             turns without and with a window (default 5)\n"
    "  --step SECONDS         time step (default 0.001)\n";

typedef struct WindowBench {
  const char* path;
  double seconds, rounds, step;
  HeftModel* model;
  long steps;       // of a turn
  double* time[6];  // [µs]: step without window, step, step and sync; by processor, then by clock
  long count[6];
} WindowBench;

enum { ALONE, STEP, LOOP, KINDS };

static void sleep_until(uint64_t ns) {
  const struct timespec at = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void keep(WindowBench* b, int kind, uint64_t processor, uint64_t clock) {
  b->time[kind][b->count[kind]++] = 1e-3 * (double)processor;
  b->time[KINDS + kind][b->count[KINDS + kind]++] = 1e-3 * (double)clock;
}

// One turn; viewer may be NULL. Returns 0 if the window was closed.
static int turn(WindowBench* b, HeftWorld* world, HeftViewer* viewer) {
  const uint64_t start = heft_clock_ns(), step_ns = (uint64_t)(1e9 * b->step);
  heft_world_reset(world);
  for (long i = 0; i < b->steps; ++i) {
    sleep_until(start + (uint64_t)i * step_ns);
    const uint64_t clock = heft_clock_ns(), processor = measure_cpu_ns();
    const HeftStepReport report = heft_world_step(world);
    const uint64_t processor_step = measure_cpu_ns() - processor;
    const uint64_t clock_step = heft_clock_ns() - clock;
    keep(b, viewer ? STEP : ALONE, processor_step, clock_step);
    if (!viewer) continue;
    if (!heft_viewer_sync(viewer, world, &report)) return 0;
    keep(b, LOOP, measure_cpu_ns() - processor, heft_clock_ns() - clock);
  }
  return 1;
}

static int rising(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double quantile(const WindowBench* b, int kind, double part) {
  return b->time[kind][(long)(part * (double)(b->count[kind] - 1))];
}

static void print_row(const WindowBench* b, const char* name, int kind) {
  json_row_begin(name);
  for (int k = kind; k < 2 * KINDS; k += KINDS) {
    json_row_number(k < KINDS ? "processor_median_us" : "clock_median_us", quantile(b, k, 0.5));
    json_row_number(k < KINDS ? "processor_p99_us" : "clock_p99_us", quantile(b, k, 0.99));
  }
  json_row_end();
  printf("%-30s", name);
  for (int k = kind; k < 2 * KINDS; k += KINDS) {
    printf(" %9.1f %9.1f", quantile(b, k, 0.5), quantile(b, k, 0.99));
    if (kind != ALONE)
      printf(" %+6.0f %%", 100 * (quantile(b, k, 0.99) / quantile(b, k - kind, 0.99) - 1));
    else
      printf(" %8s", "");
  }
  printf("\n");
}

static int print_table(WindowBench* b) {
  for (int k = 0; k < 2 * KINDS; ++k)
    qsort(b->time[k], (size_t)b->count[k], sizeof(double), rising);
  printf("%ld steps of %g s in each turn, %.0f turns; times in us\n", b->steps, b->step, b->rounds);
  printf("%-30s %9s %9s %8s %9s %9s %8s\n", "", "processor", "p99", "", "clock", "p99", "");
  print_row(b, "step, no window", ALONE);
  print_row(b, "step, window open", STEP);
  print_row(b, "step and sync, window open", LOOP);
  return 0;
}

static int take_turns(WindowBench* b, HeftWorld* world) {
  HeftError error = {0};
  HeftViewerDef def = heft_viewer_def_default();
  def.path = b->path;
  for (int i = 0; i < (int)b->rounds; ++i) {
    HeftViewer* viewer = NULL;
    turn(b, world, NULL);
    if (heft_viewer_create(&viewer, b->model, &def, &error) != HEFT_OK) {
      fprintf(stderr, "heft bench window: error: %s\n", error.message);
      return 1;
    }
    const int open = turn(b, world, viewer);
    heft_viewer_destroy(viewer);
    if (!open) {
      fprintf(stderr, "heft bench window: error: the window was closed\n");
      return 1;
    }
  }
  return print_table(b);
}

static int run(WindowBench* b) {
  HeftError error = {0};
  HeftWorld* world = NULL;
  HeftWorldDef def = heft_world_def_default();
  int failed = 1, room = 1;
  def.time_step = b->step;
  b->steps = (long)(b->seconds / b->step + 0.5);
  for (int k = 0; k < 2 * KINDS; ++k) {
    b->time[k] = malloc(((size_t)b->steps * (size_t)b->rounds + 1) * sizeof(double));
    room &= b->time[k] != NULL;
  }
  if (room && heft_model_load_file(&b->model, b->path, NULL, &error) == HEFT_OK &&
      heft_world_create(&world, b->model, &def, &error) == HEFT_OK) {
    failed = take_turns(b, world);
  } else {
    fprintf(stderr, "heft bench window: error: %s\n", room ? error.message : "not enough memory");
  }
  heft_world_destroy(world);
  heft_model_destroy(b->model);
  for (int k = 0; k < 2 * KINDS; ++k) free(b->time[k]);
  return failed;
}

static int take(WindowBench* b, const char* name, const char* value) {
  if (strcmp(name, "--seconds") == 0) return arguments_positive("bench window", value, &b->seconds);
  if (strcmp(name, "--rounds") == 0) return arguments_positive("bench window", value, &b->rounds);
  if (strcmp(name, "--step") == 0) return arguments_positive("bench window", value, &b->step);
  return option_names_wrong("bench window", help, "", name);
}

int heft_bench_window(int argc, char** argv) {
  WindowBench b = {.seconds = 4, .rounds = 5, .step = 0.001};
  char folder[1024], path[1200];
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) {
      fputs(help, stdout);
      return 0;
    }
    if (argv[i][0] == '-') {
      if (i + 1 == argc)
        return arguments_wrong("bench window", "the value is missing after", argv[i]), 2;
      if (!take(&b, argv[i], argv[i + 1])) return 2;
      ++i;
    } else if (b.path) {
      return arguments_wrong("bench window", "only one file is possible; the second one is",
                             argv[i]),
             2;
    } else {
      b.path = argv[i];
    }
  }
  if (b.seconds > 3600 || b.rounds > 1000 || b.seconds / b.step > 1e7)
    return arguments_wrong("bench window", "too long a measurement, with model",
                           b.path ? b.path : ""),
           2;
  const char* scenes = b.path ? NULL : scene_folder(folder, sizeof folder);
  if (!b.path && !scenes) {
    fprintf(
        stderr,
        "heft bench window: error: the scenes were not found; name a file, or set HEFT_SCENES\n");
    return 1;
  }
  if (scenes) {
    snprintf(path, sizeof path, "%s/humanoid.xml", scenes);
    b.path = path;
  }
  b.rounds = b.rounds < 1 ? 1 : (int)b.rounds;
  setenv("LP_NUM_THREADS", "1", 0);  // Mesa's software renderer uses all cores by default
  return run(&b);
}

#endif
