// SPDX-License-Identifier: Apache-2.0
// heft bench generated: the code of heft generate beside the general code of src/dynamics, on one
// model: whether all bits are equal, times, instructions.
#include <heft/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "generated_library.h"
#include "json_rows.h"
#include "measure.h"
#include "model_options.h"
#include "scenes/scenes.h"
#include "verbs.h"

static const char help[] =
    "usage: heft bench generated [MODEL] [OPTIONS]\n"
    "Generates C for the dynamics of MODEL (default: hrp2_like), compiles it with CC (default: "
    "cc)\n"
    "and compares it with the general code: bits, times and instructions of kinematics, RNEA and\n"
    "CRBA.\n"
    "\n"
    "  --instructions   count instructions with valgrind, too\n"
    "  --states N       number of random states that are compared (default 20)\n"
    "  --batches N      number of batches of each measurement (default 50)\n"
    "  --flags TEXT     options of the compiler (default: -O2 -DHEFT_GENERATED_CLONES)\n"
    "  --library FILE --case NAME --repeat N   call one function of a compiled library N times\n";

typedef struct Bench {
  HeftModel* model;
  HeftDynamics* d;
  GeneratedLibrary library;
  double *q, *v, *a;
  double* expected;  ///< room for the largest result
  double* found;
} Bench;

typedef struct Options {
  int instructions, states, batches;
  long repeats;
  const char *flags, *library, *only;
} Options;

static void general_kinematics(void* context) {
  Bench* b = context;
  heft_dynamics_kinematics(b->d, b->q);
}
static void general_rnea(void* context) {
  Bench* b = context;
  heft_dynamics_rnea(b->d, b->v, b->a, b->expected);
}
static void general_crba(void* context) {
  Bench* b = context;
  heft_dynamics_crba(b->d);
}
static void generated_kinematics(void* context) {
  Bench* b = context;
  b->library.kinematics(b->library.data, b->q);
}
static void generated_rnea(void* context) {
  Bench* b = context;
  b->library.rnea(b->library.data, b->v, b->a, b->found);
}
static void generated_crba(void* context) {
  Bench* b = context;
  b->library.crba(b->library.data);
}

enum { CASES = 3 };
static const struct {
  const char* name;
  MeasureBody *general, *generated;
} cases[CASES] = {{"kinematics", general_kinematics, generated_kinematics},
                  {"RNEA", general_rnea, generated_rnea},
                  {"CRBA", general_crba, generated_crba}};

static int bench_open(Bench* b, HeftModel* model, const char* library) {
  HeftError error = {0};
  const size_t nv = (size_t)model->nv + 1, nq = (size_t)model->nq + 1, nbody = (size_t)model->nbody;
  const size_t most = nv * nv > 12 * nbody ? nv * nv : 12 * nbody;
  b->model = model;
  b->q = calloc(nq, sizeof(double));
  b->v = calloc(nv, sizeof(double));
  b->a = calloc(nv, sizeof(double));
  b->expected = calloc(most, sizeof(double));
  b->found = calloc(most, sizeof(double));
  if (!b->q || !b->v || !b->a || !b->expected || !b->found ||
      heft_dynamics_create(&b->d, model, NULL, &error) != HEFT_OK) {
    fprintf(stderr, "heft bench generated: error: not enough memory\n");
    return 0;
  }
  return generated_library_open(&b->library, library);
}

static void bench_close(Bench* b) {
  generated_library_close(&b->library);
  heft_dynamics_destroy(b->d);
  double* all[] = {b->q, b->v, b->a, b->expected, b->found};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]);
}

// ---- bits

// Numbers that differ in any bit but the sign of a zero.
static long count_differences(const Bench* b, size_t count) {
  long differences = 0;
  for (size_t i = 0; i < count; ++i) {
    differences += !(b->expected[i] == b->found[i]);  // NaN differs, too
  }
  return differences;
}

static long compare_poses(Bench* b) {
  const int nbody = b->model->nbody;
  b->library.body_poses(b->library.data, b->found, b->found + 3L * nbody);
  for (int i = 0; i < nbody; ++i) {
    const HeftPose pose = heft_dynamics_body_pose(b->d, i);
    const double pos[3] = {pose.pos.x, pose.pos.y, pose.pos.z};
    memcpy(b->expected + 3L * i, pos, sizeof pos);
    memcpy(b->expected + 3L * nbody + 9L * i, pose.rot.m, sizeof pose.rot.m);
  }
  return count_differences(b, (size_t)nbody * 12);
}

// All results at the present q, v and a.
static long compare_state(Bench* b) {
  const size_t nv = (size_t)b->model->nv;
  long differences = 0;
  for (int c = 0; c < CASES; ++c) {
    cases[c].general(b);
    cases[c].generated(b);
    if (c == 1) differences += count_differences(b, nv);
  }
  heft_dynamics_mass_matrix(b->d, b->expected);
  b->library.mass_matrix(b->library.data, b->found);
  differences += count_differences(b, nv * nv);
  heft_dynamics_rnea(b->d, b->v, NULL, b->expected);
  b->library.bias(b->library.data, b->v, b->found);
  return differences + count_differences(b, nv) + compare_poses(b);
}

// The pose of the file at rest, then random states.
static long compare_states(Bench* b, int states) {
  const size_t nq = (size_t)b->model->nq;
  long differences = 0;
  memcpy(b->q, b->model->q_default, nq * sizeof(double));
  for (int i = 0; i < states; ++i) {
    differences += compare_state(b);
    scene_random_state(b->model, 2 * (unsigned)i + 1, 1, b->q, b->a);
    scene_random_state(b->model, 2 * (unsigned)i, 1, b->q, b->v);
  }
  return differences;
}

// ---- times

static double count_instructions(const char* kind, const char* name, const char* library,
                                 const char* model) {
  char bench[800], which[40];
  snprintf(bench, sizeof bench, "generated '%.300s' --library '%.300s'", model, library);
  snprintf(which, sizeof which, "%s %s", kind, name);
  return measure_instructions(bench, which, 2000);
}

static void print_table(Bench* b, const Options* o, const char* library, const char* model) {
  double sum[2] = {0, 0};
  printf("  %-12s %12s %12s %8s", "", "general µs", "generated µs", "ratio");
  printf(o->instructions ? " %14s %14s %8s\n" : "\n", "instructions", "generated", "ratio");
  for (int c = 0; c < CASES; ++c) {
    const double us[2] = {measure_ns(cases[c].general, b, o->batches) * 1e-3,
                          measure_ns(cases[c].generated, b, o->batches) * 1e-3};
    printf("  %-12s %12.3f %12.3f %8.2f", cases[c].name, us[0], us[1], us[1] / us[0]);
    json_row_begin(cases[c].name);
    json_row_number("general_us", us[0]);
    json_row_number("generated_us", us[1]);
    if (o->instructions) {
      const double n[2] = {count_instructions("general", cases[c].name, library, model),
                           count_instructions("generated", cases[c].name, library, model)};
      sum[0] += n[0];
      sum[1] += n[1];
      printf(" %14.0f %14.0f %8.2f", n[0], n[1], n[1] / n[0]);
      json_row_number("general_instructions", n[0]);
      json_row_number("generated_instructions", n[1]);
    }
    json_row_end();
    printf("\n");
  }
  if (o->instructions)
    printf("  %-12s %34s %14.0f %14.0f %8.2f\n", "all three", "", sum[0], sum[1], sum[1] / sum[0]);
}

static int run_one(Bench* b, const Options* o) {
  general_kinematics(b);
  generated_kinematics(b);
  for (int c = 0; c < CASES; ++c) {
    char general[40], generated[40];
    snprintf(general, sizeof general, "general %s", cases[c].name);
    snprintf(generated, sizeof generated, "generated %s", cases[c].name);
    const int is_general = strcmp(o->only, general) == 0;
    if (!is_general && strcmp(o->only, generated) != 0) continue;
    measure_repeat(is_general ? cases[c].general : cases[c].generated, b, o->repeats);
    return 0;
  }
  fprintf(stderr, "heft bench generated: error: unknown case '%s'\n", o->only);
  return 2;
}

// ---- the command line

static int take_flag(void* context, const char* name) {
  Options* o = context;
  return strcmp(name, "--instructions") == 0 && (o->instructions = 1);
}

static int take_value(void* context, const char* name, const char* value) {
  Options* o = context;
  double number = 0;
  if (strcmp(name, "--flags") == 0) return (o->flags = value) != NULL;
  if (strcmp(name, "--library") == 0) return (o->library = value) != NULL;
  if (strcmp(name, "--case") == 0) return (o->only = value) != NULL;
  const int is_states = strcmp(name, "--states") == 0, is_batches = strcmp(name, "--batches") == 0;
  if (!is_states && !is_batches && strcmp(name, "--repeat") != 0) return -1;
  if (!arguments_positive("bench generated", value, &number) || number > 1e9) return 0;
  if (is_states) {
    o->states = (int)number;
  } else if (is_batches) {
    o->batches = (int)number;
  } else {
    o->repeats = (long)number;
  }
  return 1;
}

static int compare_and_measure(HeftModel* model, const Options* o, const char* path) {
  char folder[] = "/tmp/heft-generated-XXXXXX", library[600], command[64];
  Bench b = {0};
  if (!mkdtemp(folder)) {
    fprintf(stderr, "heft bench generated: error: no folder can be made in /tmp\n");
    return 1;
  }
  long differences = -1;
  if (generated_library_make(model, folder, o->flags, library, sizeof library) &&
      bench_open(&b, model, library)) {
    differences = compare_states(&b, o->states);
    printf("%s: %d degrees of freedom, %d bodies; %d states, %ld numbers differ\n", path, model->nv,
           model->nbody, o->states, differences);
    if (o->batches > 0) print_table(&b, o, library, path);
  }
  bench_close(&b);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return (system(command) | (differences != 0)) != 0;
}

static int run(const Options* o, ModelOptions* options, const char* path) {
  HeftModel* model = model_options_load(options, path);
  int code = 1;
  if (model && o->only && o->library) {
    Bench b = {0};
    if (bench_open(&b, model, o->library)) {
      memcpy(b.q, model->q_default, (size_t)model->nq * sizeof(double));
      code = run_one(&b, o);
    }
    bench_close(&b);
  } else if (model) {
    code = compare_and_measure(model, o, path);
  }
  heft_model_destroy(model);
  return code;
}

int heft_bench_generated(int argc, char** argv) {
  Options o = {.states = 20, .batches = 50, .repeats = 1, .flags = "-O2 -DHEFT_GENERATED_CLONES"};
  ModelOptions options;
  const char* path = NULL;
  model_options_init(&options);
  options.quiet = 1;
  const Arguments arguments = {.verb = "bench generated",
                               .help = help,
                               .model = &options,
                               .options = &o,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &path};
  char first[] = "hrp2_like";
  char* with_model[3] = {argv[0], first, NULL};
  int asked = arguments_read(&arguments, argc, argv);
  if (asked == 1 && !path) asked = arguments_read(&arguments, 2, with_model);
  int code = asked == 2 ? 0 : 2;
  if (asked == 2) printf("%s%s", help, model_options_help);
  if (asked == 1) code = run(&o, &options, path);
  model_options_release(&options);
  return code;
}
