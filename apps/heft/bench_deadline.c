// SPDX-License-Identifier: Apache-2.0
// heft bench deadline: steps with a deadline: duration and residual.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "data_folder.h"
#include "json_rows.h"
#include "plot.h"
#include "verbs.h"

static const char help[] =
    "usage: heft bench deadline [--out FIGURE.svg] [FILE]\n"
    "Steps a world with heft_world_step_until() and shorter and shorter deadlines. Prints the "
    "duration\n"
    "of the steps and the residual of Coulomb's law: less time gives a larger residual. The "
    "column\n"
    "`min` is the time of a step without the search for impulses, which no deadline can shorten.\n"
    "FILE is a model with many contacts (default: load/balls_700.xml of the scenes). It falls for "
    "400\n"
    "steps first.\n"
    "\n"
    "  --out FIGURE.svg       draw the table, too\n";

enum { SETTLE = 400, STEPS = 400, BUDGETS = 9 };

static const double budget_us[BUDGETS] = {50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000};

/// Results for each budget: the median and the 99th percentile.
typedef struct Kept {
  double time[2][BUDGETS];      ///< [µs]
  double residual[2][BUDGETS];  ///< relative
} Kept;

static int rising(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// The quantile `part` of the sorted numbers.
static double quantile(const double* sorted, int count, double part) {
  return sorted[(int)(part * (count - 1))];
}

static void measure(HeftWorld* world, int which, Kept* kept) {
  const double budget = budget_us[which];
  static double time[STEPS], residual[STEPS], min[STEPS];
  double contacts = 0, effort = 0;
  for (int i = 0; i < STEPS; ++i) {
    const uint64_t start = heft_clock_ns();
    const HeftStepReport report = heft_world_step_until(world, start + (uint64_t)(1e3 * budget));
    time[i] = 1e-3 * (double)(heft_clock_ns() - start);
    residual[i] = report.relative;
    min[i] = 1e-3 * (double)heft_world_min_step_ns(world);
    contacts += report.contact_count;
    effort += report.sweeps + report.newton_steps;
  }
  qsort(time, STEPS, sizeof *time, rising);
  qsort(residual, STEPS, sizeof *residual, rising);
  qsort(min, STEPS, sizeof *min, rising);
  for (int i = 0; i < 2; ++i) {
    kept->time[i][which] = quantile(time, STEPS, i ? 0.99 : 0.5);
    kept->residual[i][which] = quantile(residual, STEPS, i ? 0.99 : 0.5);
  }
  json_row_begin("deadline");
  json_row_number("deadline_us", budget);
  json_row_number("contacts", contacts / STEPS);
  json_row_number("median_us", kept->time[0][which]);
  json_row_number("p99_us", kept->time[1][which]);
  json_row_number("longest_us", time[STEPS - 1]);
  json_row_number("min_step_us", quantile(min, STEPS, 0.5));
  json_row_number("effort", effort / STEPS);
  json_row_number("residual_median", kept->residual[0][which]);
  json_row_number("residual_p99", kept->residual[1][which]);
  json_row_end();
  printf("%9.0f %9.0f %9.1f %9.1f %9.1f %9.1f %10.1f %10.1e %10.1e\n", budget, contacts / STEPS,
         kept->time[0][which], kept->time[1][which], time[STEPS - 1], quantile(min, STEPS, 0.5),
         effort / STEPS, kept->residual[0][which], kept->residual[1][which]);
  fflush(stdout);
}

static int draw(const char* path, const Kept* kept) {
  const PlotCurve time[3] = {
      {.name = "the deadline",
       .x = budget_us,
       .y = budget_us,
       .count = BUDGETS,
       .color = 2,
       .style = PLOT_DASHED},
      {.name = "median", .x = budget_us, .y = kept->time[0], .count = BUDGETS, .color = 0},
      {.name = "99th percentile",
       .x = budget_us,
       .y = kept->time[1],
       .count = BUDGETS,
       .color = 1}};
  const PlotCurve residual[2] = {
      {.name = "median", .x = budget_us, .y = kept->residual[0], .count = BUDGETS, .color = 0},
      {.name = "99th percentile",
       .x = budget_us,
       .y = kept->residual[1],
       .count = BUDGETS,
       .color = 1}};
  const PlotPanel panels[2] = {{.title = "Duration of a step",
                                .x_label = "deadline [µs]",
                                .y_label = "µs",
                                .curves = time,
                                .curve_count = 3,
                                .log_x = 1,
                                .log_y = 1},
                               {.title = "Residual of Coulomb's law",
                                .x_label = "deadline [µs]",
                                .y_label = "relative residual",
                                .curves = residual,
                                .curve_count = 2,
                                .log_x = 1,
                                .log_y = 1}};
  const Plot plot = {
      .title = "Steps with a deadline", .panels = panels, .panel_count = 2, .columns = 2};
  return plot_write(path, &plot);
}

// From the same state with every budget.
static int compare_budgets(HeftWorld* world, const char* figure) {
  Kept kept;
  for (int k = 0; k < SETTLE; ++k) heft_world_step(world);
  const size_t size = heft_world_snapshot_size(world);
  void* start = malloc(size);
  if (!start) return 1;
  heft_world_snapshot(world, start);
  printf("%9s %9s %9s %9s %9s %9s %10s %10s %10s\n", "time us", "contacts", "median", "99 %",
         "longest", "min", "effort", "residual", "99 %");
  for (int i = 0; i < BUDGETS; ++i) {
    heft_world_restore(world, start, size);
    measure(world, i, &kept);
  }
  free(start);
  return figure && !draw(figure, &kept);
}

static int run(const char* path, const char* figure) {
  HeftError error = {0};
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  HeftWorldDef def = heft_world_def_default();
  const HeftLoadDef load = heft_load_def_default();
  def.tolerance = 1e-3;
  int failed = 1;
  if (heft_model_load_file(&model, path, &load, &error) == HEFT_OK &&
      heft_world_create(&world, model, &def, &error) == HEFT_OK)
    failed = compare_budgets(world, figure);
  if (!world) fprintf(stderr, "%s\n", error.message);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return failed;
}

int heft_bench_deadline(int argc, char** argv) {
  char folder[1024], path[1200];
  const char *file = NULL, *figure = NULL;
  for (int i = 1; i < argc; ++i) {
    const int asks = strcmp(argv[i], "--help") == 0;
    if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) {
      figure = argv[++i];
      if (!arguments_ending("bench deadline", figure, ".svg")) return 2;
    } else if (asks || argv[i][0] == '-' || file) {
      fputs(help, asks ? stdout : stderr);
      return asks ? 0 : 2;
    } else {
      file = argv[i];
    }
  }
  if (file) return run(file, figure);
  const char* scenes = scene_folder(folder, sizeof folder);
  if (!scenes) {
    fprintf(
        stderr,
        "heft bench deadline: error: the scenes were not found; name a file, or set HEFT_SCENES\n");
    return 1;
  }
  snprintf(path, sizeof path, "%s/load/balls_700.xml", scenes);
  return run(path, figure);
}
