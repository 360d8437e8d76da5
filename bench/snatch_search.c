// SPDX-License-Identifier: Apache-2.0
// Searches for the plans of two dynamic lifts (experiments/snatch_search.h) and prints their knots:
//     bench_snatch_search models 80 > experiments/snatch_knots.h
// models is the folder of the models, 80 the number of generations: about a minute.
#include "experiments/snatch_search.h"

#include <stdio.h>
#include <stdlib.h>

#include "experiments/poses.h"

// By hand: a slow start below, over the front to above the head, with a crouch.
static const SnatchPlan by_hand = {{0, 0.35, 0.60, 0.80, 1.00, 1.20, 1.45, 2.0, 2.6},
                                   {{0.25, 0.64, -25, 0.68},
                                    {0.25, 0.64, -25, 0.68},
                                    {0.27, 0.74, -45, 0.71},
                                    {0.30, 0.98, -90, 0.75},
                                    {0.27, 1.26, -130, 0.75},
                                    {0.18, 1.42, -160, 0.71},
                                    {0.08, 1.47, -176, 0.66},
                                    {0.04, 1.46, -178, 0.65},
                                    {0.04, 1.46, -178, 0.65}}};

static void report(int generation, double cost) {
  fprintf(stderr, "generation %d: cost %.4f\n", generation, cost);
}

static void describe(const char* what, double total, const SnatchCost* cost) {
  fprintf(stderr,
          "%s: cost %.4f: torque %.2f of the limit, energy %.0f J, margin %.3f m, bar pushed by "
          "%.2f to "
          "%.2f of its weight, error %.4f\n",
          what, total, cost->torque, cost->energy, cost->margin, cost->release, cost->lift,
          cost->error);
}

static int search(const char* folder, const char* file, const char* name, int generations) {
  Lab lab = lab_make(folder);
  SnatchPlan plan;
  SnatchCost cost = {0};
  if (!lab_open(&lab, file, pose_half_sitting)) {
    fprintf(stderr, "snatch_search: error: %s\n", lab.error);
    return 0;
  }
  const double mass = lab.model->body_mass[lab_body(&lab, "bar")];
  describe("by hand", snatch_cost(&lab, &by_hand, mass, &cost), &cost);
  const double best = snatch_search(&lab, &by_hand, mass, generations, &plan, report);
  snatch_cost(&lab, &plan, mass, &cost);
  describe("found", best, &cost);
  printf("static const double snatch_knots_%s[9][5] = {\n", name);
  for (int k = 0; k < SNATCH_KNOTS; ++k)
    printf("    {%.4f, %.4f, %.4f, %.2f, %.4f}%s\n", plan.time[k], plan.value[k][0],
           plan.value[k][1], plan.value[k][2], plan.value[k][3], k + 1 < SNATCH_KNOTS ? "," : "};");
  lab_release(&lab);
  return 1;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: bench_snatch_search MODELS GENERATIONS > snatch_knots.h\n");
    return 2;
  }
  printf(
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Made by bench/snatch_search.c; search again instead of editing.\n"
      "// Knots of dynamic lifts: time [s], bar forward and up [m], pitch of the hands [deg], "
      "height of "
      "the\n// centre of mass [m].\n"
      "#ifndef HEFT_EXPERIMENTS_SNATCH_KNOTS_H\n#define HEFT_EXPERIMENTS_SNATCH_KNOTS_H\n\n");
  const int well = search(argv[1], "hrp2_lift_8.xml", "8", atoi(argv[2])) &&
                   search(argv[1], "hrp2_lift_23.xml", "23", atoi(argv[2]));
  printf("\n#endif\n");
  return !well;
}
