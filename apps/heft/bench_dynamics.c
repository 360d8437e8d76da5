// SPDX-License-Identifier: Apache-2.0
// heft bench dynamics: the algorithms of rigid-body dynamics on a humanoid of 35 degrees of
// freedom, and Λ for two feet with four points each by every method, in the form of table 4 of
// [Chardonnet 2008].
#include <heft/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_rows.h"
#include "measure.h"
#include "scenes/scenes.h"
#include "verbs.h"

enum { POINTS = 8 };

typedef struct Bench {
  HeftModel* model;
  HeftDynamics* d;
  double *q, *v, *a, *tau, *x, *scratch, *lambda;
  HeftDelassusPoint points[POINTS];
} Bench;

static void kinematics(void* context) {
  Bench* b = context;
  heft_dynamics_kinematics(b->d, b->q);
}
static void rnea(void* context) {
  Bench* b = context;
  heft_dynamics_rnea(b->d, b->v, b->a, b->tau);
}
static void bias(void* context) {
  Bench* b = context;
  heft_dynamics_rnea(b->d, b->v, NULL, b->tau);
}
static void crba(void* context) {
  Bench* b = context;
  heft_dynamics_crba(b->d);
}
static void factor(void* context) {
  Bench* b = context;
  heft_dynamics_factor(b->d, NULL);
}
static void solve(void* context) {
  Bench* b = context;
  memcpy(b->x, b->tau, (size_t)b->model->nv * sizeof(double));
  heft_dynamics_solve(b->d, b->x);
}
static void aba(void* context) {
  Bench* b = context;
  heft_dynamics_aba(b->d, b->v, NULL, b->a);
}
static void kinematics_rnea(void* context) {
  kinematics(context);
  rnea(context);
}
static void crba_factor(void* context) {
  crba(context);
  factor(context);
}
static void kinematics_aba(void* context) {
  kinematics(context);
  aba(context);
}

static void delassus(Bench* b, HeftDelassusMethod method) {
  heft_dynamics_delassus(b->d, method, POINTS, b->points, b->scratch, b->lambda);
}
static void delassus_direct(void* context) { delassus(context, HEFT_DELASSUS_DIRECT); }
static void delassus_unit(void* context) { delassus(context, HEFT_DELASSUS_UNIT_FORCES); }
static void delassus_chang(void* context) { delassus(context, HEFT_DELASSUS_CHANG_KHATIB); }
static void delassus_body(void* context) { delassus(context, HEFT_DELASSUS_BODY); }
static void delassus_ltl(void* context) { delassus(context, HEFT_DELASSUS_LTL); }
static void whole_path(void* context) {
  kinematics(context);
  crba_factor(context);
  delassus_ltl(context);
}

// Name, function, goal in µs (0: none).
static const struct {
  const char* name;
  MeasureBody* body;
  double goal;
} cases[] = {
    {"kinematics", kinematics, 0},
    {"RNEA", rnea, 0},
    {"RNEA, bias only", bias, 0},
    {"kinematics + RNEA", kinematics_rnea, 1.2},
    {"CRBA", crba, 0},
    {"LTL", factor, 0},
    {"CRBA + LTL", crba_factor, 1.6},
    {"LTL solve", solve, 0},
    {"ABA", aba, 0},
    {"kinematics + ABA", kinematics_aba, 2.5},
    {"lambda direct", delassus_direct, 0},
    {"lambda unit-forces", delassus_unit, 0},
    {"lambda chang-khatib", delassus_chang, 0},
    {"lambda body", delassus_body, 0},
    {"lambda ltl", delassus_ltl, 0},
    {"kinematics + CRBA + LTL + lambda", whole_path, 4.5},
};
static const int case_count = (int)(sizeof cases / sizeof *cases);

static double* numbers(size_t count) {
  double* x = aligned_alloc(64, (count * sizeof(double) + 127) / 64 * 64);
  if (x) memset(x, 0, (count * sizeof(double) + 127) / 64 * 64);
  return x;
}

static void place_feet(Bench* b) {
  const char* const feet[2] = {"left_ankle_roll", "right_ankle_roll"};
  heft_dynamics_kinematics(b->d, b->q);
  for (int i = 0; i < POINTS; ++i) {
    const int foot = heft_model_find(b->model, HEFT_NAMED_BODY, feet[i / 4]);
    const HeftVec3 corner = heft_vec3(i & 1 ? 0.13 : -0.07, i & 2 ? 0.04 : -0.04, -0.04);
    const HeftVec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    b->points[i] =
        (HeftDelassusPoint){.body = foot,
                            .point = heft_pose_apply(heft_dynamics_body_pose(b->d, foot), corner),
                            .frame = heft_mat3_from_columns(z, x, y)};
  }
}

static int bench_open(Bench* b) {
  HeftError error = {0};
  b->model = scene_create("humanoid", &error);
  if (!b->model || heft_dynamics_create(&b->d, b->model, NULL, &error) != HEFT_OK) {
    fprintf(stderr, "heft bench dynamics: error: %s\n", error.message);
    return 0;
  }
  size_t scratch = 0;
  for (int m = 0; m < HEFT_DELASSUS_COUNT; ++m) {
    const size_t needed = heft_dynamics_delassus_scratch(b->d, (HeftDelassusMethod)m, POINTS);
    scratch = needed > scratch ? needed : scratch;
  }
  const size_t nv = (size_t)b->model->nv;
  b->q = numbers((size_t)b->model->nq);
  b->v = numbers(nv);
  b->a = numbers(nv);
  b->tau = numbers(nv);
  b->x = numbers(nv);
  b->scratch = numbers(scratch);
  b->lambda = numbers((size_t)9 * POINTS * POINTS);
  scene_random_state(b->model, 1, 1, b->q, b->v);
  scene_random_state(b->model, 2, 1, b->q, b->a);
  place_feet(b);
  heft_dynamics_aba(b->d, b->v, NULL, b->a);
  heft_dynamics_rnea(b->d, b->v, NULL, b->tau);
  heft_dynamics_crba(b->d);
  heft_dynamics_factor(b->d, NULL);
  return 1;
}

static void bench_close(Bench* b) {
  heft_dynamics_destroy(b->d);
  heft_model_destroy(b->model);
  double* all[] = {b->q, b->v, b->a, b->tau, b->x, b->scratch, b->lambda};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]);
}

static int run_one(Bench* b, const char* name, long repeats) {
  for (int i = 0; i < case_count; ++i) {
    if (strcmp(cases[i].name, name) != 0) continue;
    measure_repeat(cases[i].body, b, repeats);
    return 0;
  }
  fprintf(stderr, "heft bench dynamics: error: unknown case '%s'\n", name);
  return 2;
}

static void print_table(Bench* b, int batches, int count_instructions) {
  printf("humanoid, %d degrees of freedom, %d links; minimum of %d batches, one core\n\n",
         b->model->nv, b->model->nbody - 1, batches);
  printf("  %-34s %9s %9s %14s\n", "", "µs", "goal", "instructions");
  for (int i = 0; i < case_count; ++i) {
    const double us = measure_ns(cases[i].body, b, batches) * 1e-3;
    printf("  %-34s %9.3f ", cases[i].name, us);
    if (cases[i].goal > 0) {
      printf("%9.1f ", cases[i].goal);
    } else {
      printf("%9s ", "");
    }
    fflush(stdout);
    const double count =
        count_instructions ? measure_instructions("dynamics", cases[i].name, 2000) : -1;
    json_row_begin(cases[i].name);
    json_row_number("us", us);
    if (cases[i].goal > 0) json_row_number("goal_us", cases[i].goal);
    if (count > 0) json_row_number("instructions", count);
    json_row_end();
    if (count > 0) {
      printf("%14.0f\n", count);
    } else {
      printf("%14s\n", "-");
    }
  }
}

// Table 4 of [Chardonnet 2008]: time of each method for Ω and Λ together, after ABA or CRBA + LTL.
static void print_ranking(Bench* b, int batches) {
  MeasureBody* const methods[HEFT_DELASSUS_COUNT] = {delassus_direct, delassus_unit, delassus_chang,
                                                     delassus_body, delassus_ltl};
  const double published[HEFT_DELASSUS_COUNT] = {0, 85.688, 15.857, 12.875, 0};
  printf(
      "\nΛ (24 x 24) for two feet with four points each; [Chardonnet 2008], table 4 (2007) beside "
      "it\n\n");
  printf("  %-14s %9s %9s   %s\n", "method", "µs", "[Chardonnet 2008]", "");
  for (int m = 0; m < HEFT_DELASSUS_COUNT; ++m) {
    const double us = measure_ns(methods[m], b, batches) * 1e-3;
    json_row_begin("delassus");
    json_row_text("method", heft_delassus_name((HeftDelassusMethod)m));
    json_row_number("us", us);
    if (published[m] > 0) json_row_number("published_us", published[m]);
    json_row_end();
    printf("  %-14s %9.3f ", heft_delassus_name((HeftDelassusMethod)m), us);
    if (published[m] > 0) {
      printf("%9.3f", published[m]);
    } else {
      printf("%9s", "");
    }
    printf("   %s\n", heft_delassus_text((HeftDelassusMethod)m));
  }
}

static void print_help(void) {
  printf(
      "usage: heft bench dynamics [--batches N] [--instructions]\n"
      "\n"
      "Times the algorithms of rigid-body dynamics on a humanoid of 35 degrees of freedom.\n"
      "Each time is the minimum of N batches (default 200); use more batches on a busy machine.\n"
      "\n"
      "  --batches N              number of batches of each measurement\n"
      "  --instructions           count instructions with valgrind, too (takes a minute)\n"
      "  --case NAME --repeat N   run one case N times and print nothing\n");
}

int heft_bench_dynamics(int argc, char** argv) {
  int batches = 200, instructions = 0;
  const char* only = NULL;
  long repeats = 1;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) {
      print_help();
      return 0;
    }
    if (strcmp(argv[i], "--instructions") == 0) {
      instructions = 1;
    } else if (strcmp(argv[i], "--batches") == 0 && i + 1 < argc) {
      batches = atoi(argv[++i]);
    } else if (strcmp(argv[i], "--case") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else if (strcmp(argv[i], "--repeat") == 0 && i + 1 < argc) {
      repeats = atol(argv[++i]);
    } else {
      fprintf(stderr,
              "heft bench dynamics: error: unknown option '%s'; try 'heft bench dynamics --help'\n",
              argv[i]);
      return 2;
    }
  }
  Bench b = {0};
  if (!bench_open(&b)) return 1;
  int result = 0;
  if (only) {
    result = run_one(&b, only, repeats);
  } else {
    print_table(&b, batches, instructions);
    print_ranking(&b, batches);
  }
  bench_close(&b);
  return result;
}
