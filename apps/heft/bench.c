// SPDX-License-Identifier: Apache-2.0
// heft bench: the table of benchmarks. Each benchmark has a file of its own.
#include <stdio.h>
#include <string.h>

#include "json_rows.h"
#include "names.h"
#include "verbs.h"

static const struct {
  const char *name, *text;
  int (*run)(int argc, char** argv);
} benches[] = {
    {"batch", "rollouts of many worlds in threads", heft_bench_batch},
    {"collision", "pairs of shapes, robots on a floor, broad phase", heft_bench_collision},
    {"contact", "complete steps with contact, of Heft and of other engines", heft_bench_contact},
    {"deadline", "steps with a deadline: duration and residual", heft_bench_deadline},
    {"deform", "every step of deformable bodies that fall and come to rest", heft_bench_deform},
    {"delassus", "Delassus operator by five methods, next to published tables",
     heft_bench_delassus},
    {"dynamics", "RNEA, CRBA, LTL, ABA and Delassus operator of a humanoid", heft_bench_dynamics},
    {"generated", "dynamics of one model by the code of heft generate: bits, time, instructions",
     heft_bench_generated},
    {"motion", "every step of moving robots and heaps, of Heft and of MuJoCo", heft_bench_motion},
    {"pieces", "cutting meshes into convex pieces: time, operations, bounds", heft_bench_pieces},
    {"robots", "public sources of the robots of bench motion, and whether you have them",
     heft_bench_robots},
    {"scenes", "speed of every scene that comes with Heft", heft_bench_scenes},
    {"solver", "contact solver on problem files", heft_bench_solver},
    {"window", "the loop of a program with and without a window", heft_bench_window},
};
static const int bench_count = (int)(sizeof benches / sizeof *benches);

static const char* bench_name(const void* from, int index) {
  (void)from;
  return benches[index].name;
}

static void print_help(FILE* out) {
  fprintf(out,
          "usage: heft bench NAME [OPTIONS]\n\nMeasures one part of Heft on this machine.\n\n");
  for (int i = 0; i < bench_count; ++i)
    fprintf(out, "  %-10s %s\n", benches[i].name, benches[i].text);
  fprintf(
      out,
      "\n'heft bench NAME --help' lists the options of a benchmark. With --json every benchmark "
      "prints\none JSON object with the rows of its table.\n");
}

int heft_verb_bench(int argc, char** argv) {
  if (argc >= 2 && strcmp(argv[1], "--help") == 0) {
    print_help(stdout);
    return 0;
  }
  const int json = json_rows_asked(&argc, argv);
  for (int i = 0; argc >= 2 && i < bench_count; ++i) {
    if (strcmp(benches[i].name, argv[1]) != 0) continue;
    if (json && !json_rows_begin("bench", benches[i].name, "rows")) return 1;
    return json_rows_end(benches[i].run(argc - 1, argv + 1));
  }
  if (argc < 2)
    print_help(stderr);
  else
    names_wrong("bench", "unknown benchmark", argv[1], (Names){bench_name, NULL, bench_count});
  return 2;
}
