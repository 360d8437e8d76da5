// SPDX-License-Identifier: Apache-2.0
// heft bench deadline: steps that must be over in time, and how exact they are then.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_folder.h"
#include "verbs.h"

static const char help[] =
    "usage: heft bench deadline [FILE]\n"
    "Steps a world with heft_world_step_until() and less and less time for each step. Tells how "
    "late\n"
    "the steps were, and how far their contacts were from Coulomb's law: the less time, the "
    "further.\n"
    "FILE is a model with many contacts (default: pile.xml of the scenes, 700 balls). It falls "
    "for\n"
    "400 steps first.\n";

enum { SETTLE = 400, STEPS = 400, BUDGETS = 6 };

static const double budget_us[BUDGETS] = {50, 100, 200, 500, 1000, 5000};

static int rising(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// So that a fraction `part` of the sorted numbers lie below.
static double quantile(const double* sorted, int count, double part) {
  return sorted[(int)(part * (count - 1))];
}

static void measure(HeftWorld* world, double budget) {
  static double time[STEPS], residual[STEPS];
  double contacts = 0, work = 0;
  for (int i = 0; i < STEPS; ++i) {
    const uint64_t start = heft_clock_ns();
    const HeftStepReport report = heft_world_step_until(world, start + (uint64_t)(1e3 * budget));
    time[i] = 1e-3 * (double)(heft_clock_ns() - start);
    residual[i] = report.relative;
    contacts += report.contact_count;
    work += report.sweeps + report.newtons;
  }
  qsort(time, STEPS, sizeof *time, rising);
  qsort(residual, STEPS, sizeof *residual, rising);
  printf("%9.0f %9.0f %9.1f %9.1f %9.1f %10.1f %10.1e %10.1e\n", budget, contacts / STEPS,
         quantile(time, STEPS, 0.5), quantile(time, STEPS, 0.99), time[STEPS - 1], work / STEPS,
         quantile(residual, STEPS, 0.5), quantile(residual, STEPS, 0.99));
}

// From the same moment with every budget.
static int compare_budgets(HeftWorld* world) {
  for (int k = 0; k < SETTLE; ++k) heft_world_step(world);
  const size_t size = heft_world_snapshot_size(world);
  void* start = malloc(size);
  if (!start) return 1;
  heft_world_snapshot(world, start);
  printf("%9s %9s %9s %9s %9s %10s %10s %10s\n", "time us", "contacts", "median", "99 %", "longest",
         "work", "residual", "99 %");
  for (int i = 0; i < BUDGETS; ++i) {
    heft_world_restore(world, start, size);
    measure(world, budget_us[i]);
  }
  free(start);
  return 0;
}

static int run(const char* path) {
  HeftError error = {0};
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  HeftWorldDef def = heft_world_def_default();
  const HeftLoadDef load = heft_load_def_default();
  def.tolerance = 1e-3;
  int failed = 1;
  if (heft_load_file(&model, path, &load, &error) == HEFT_OK &&
      heft_world_create(&world, model, &def, &error) == HEFT_OK)
    failed = compare_budgets(world);
  if (!world) fprintf(stderr, "%s\n", error.message);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return failed;
}

int heft_bench_deadline(int argc, char** argv) {
  char folder[1024], path[1200];
  if (argc > 2 || (argc == 2 && strcmp(argv[1], "--help") == 0)) {
    fputs(help, argc > 2 ? stderr : stdout);
    return argc > 2 ? 2 : 0;
  }
  if (argc == 2) return run(argv[1]);
  const char* scenes = scene_folder(folder, sizeof folder);
  if (!scenes) {
    fprintf(stderr,
            "heft bench deadline: the scenes are not here; name a file, or set HEFT_SCENES\n");
    return 1;
  }
  snprintf(path, sizeof path, "%s/pile.xml", scenes);
  return run(path);
}
