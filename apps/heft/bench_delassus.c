// SPDX-License-Identifier: Apache-2.0
// Papers: R16, R17, S2.
// heft bench delassus: the operator Λ = J M⁻¹ Jᵀ by the methods of [Chardonnet 2012] and
// [Chardonnet 2008]: times and counted operations on a humanoid (tables 1 to 4 of
// [Chardonnet 2008]), and cubes with and without collision groups (its figure 2).
#include <heft/dynamics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "counted/counted.h"
#include "json_rows.h"
#include "measure.h"
#include "plot.h"
#include "scenes/scenes.h"
#include "verbs.h"

enum { POINTS_MAX = 120, CUBES_MAX = 30, CORNERS = 4, BODIES_MAX = 4, TURNS = 5 };

typedef struct Bench {
  HeftModel* model;
  HeftDynamics* d;
  double *q, *v, *a, *scratch, *lambda;
  HeftDelassusPoint points[POINTS_MAX];
  int count;  ///< points
  int group;  ///< points per call
  HeftDelassusMethod method;
} Bench;

static double* numbers(size_t count) {
  const size_t bytes = (count * sizeof(double) + 127) / 64 * 64;
  double* x = aligned_alloc(64, bytes);
  if (x) memset(x, 0, bytes);
  return x;
}

static int bench_open(Bench* b, HeftModel* model) {
  HeftError error = {0};
  b->model = model;
  if (!model || heft_dynamics_create(&b->d, model, NULL, &error) != HEFT_OK) {
    fprintf(stderr, "heft bench delassus: error: %s\n",
            model ? error.message : "the humanoid cannot be built");
    return 0;
  }
  size_t scratch = 0;
  for (int m = 0; m < HEFT_DELASSUS_COUNT; ++m) {
    const size_t needed = heft_dynamics_delassus_scratch(b->d, (HeftDelassusMethod)m, POINTS_MAX);
    scratch = needed > scratch ? needed : scratch;
  }
  b->q = numbers((size_t)model->nq);
  b->v = numbers((size_t)model->nv);
  b->a = numbers((size_t)model->nv);
  b->scratch = numbers(scratch);
  b->lambda = numbers((size_t)9 * POINTS_MAX * POINTS_MAX);
  if (b->q && b->v && b->a && b->scratch && b->lambda) return 1;
  fprintf(stderr, "heft bench delassus: error: not enough memory\n");
  return 0;
}

static void bench_close(Bench* b) {
  heft_dynamics_destroy(b->d);
  heft_model_destroy(b->model);
  double* all[] = {b->q, b->v, b->a, b->scratch, b->lambda};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]);
}

// Computed before every method.
static void prepare(Bench* b) {
  heft_dynamics_kinematics(b->d, b->q);
  heft_dynamics_aba(b->d, b->v, NULL, b->a);
  heft_dynamics_crba(b->d);
  heft_dynamics_factor(b->d, NULL);
}

static void add_corners(Bench* b, int body, HeftVec3 half, HeftVec3 middle) {
  const HeftVec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
  for (int i = 0; i < CORNERS; ++i) {
    const HeftVec3 corner = heft_vec3(middle.x + (i & 1 ? half.x : -half.x),
                                      middle.y + (i & 2 ? half.y : -half.y), middle.z - half.z);
    b->points[b->count++] =
        (HeftDelassusPoint){.body = body,
                            .point = heft_pose_apply(heft_dynamics_body_pose(b->d, body), corner),
                            .frame = heft_mat3_from_columns(z, x, y)};
  }
}

// One matrix for all points, or one for each group of them.
static void compute(void* context) {
  Bench* b = context;
  for (int first = 0; first < b->count; first += b->group)
    heft_dynamics_delassus(b->d, b->method, b->group, b->points + first, b->scratch, b->lambda);
}

// ---- the humanoid

typedef struct Case {
  const char* name;
  const char* bodies[BODIES_MAX];
} Case;

static const Case cases[] = {
    {"one foot", {"left_ankle_roll"}},
    {"two feet (table 4)", {"left_ankle_roll", "right_ankle_roll"}},
    {"feet and hands",
     {"left_ankle_roll", "right_ankle_roll", "left_wrist_roll", "right_wrist_roll"}},
    {"foot and shin", {"left_ankle_roll", "left_knee"}},
};
static const int case_count = (int)(sizeof cases / sizeof *cases);

// From a body to the base; out (if given) marks the bodies on this path.
static int depth_of(const HeftModel* m, int body, unsigned char* out) {
  int depth = 0;
  for (; m->body_parent[body] > 0; body = m->body_parent[body]) {
    ++depth;
    if (out) out[body] = 1;
  }
  return depth;
}

static int apart(const HeftModel* m, int a, int b) {
  int steps = 0;
  while (a != b) {
    if (depth_of(m, a, NULL) >= depth_of(m, b, NULL)) {
      a = m->body_parent[a];
    } else {
      b = m->body_parent[b];
    }
    ++steps;
  }
  return steps;
}

typedef struct Sizes {
  double m, c, b, alpha, beta_points, beta_bodies;  ///< as [Chardonnet 2008] names them
} Sizes;

static Sizes sizes_of(const HeftModel* m, const int* bodies, int count) {
  unsigned char* on_way = calloc((size_t)m->nbody, 1);
  Sizes s = {.m = CORNERS * count, .c = count};
  for (int i = 0; i < count && on_way; ++i) {
    const int depth = depth_of(m, bodies[i], on_way);
    s.beta_bodies += depth;
    s.beta_points += CORNERS * depth;
    for (int j = i + 1; j < count; ++j) s.alpha += apart(m, bodies[i], bodies[j]);
  }
  for (int i = 0; i < m->nbody && on_way; ++i) s.b += on_way[i];
  free(on_way);
  return s;
}

// Tables 1 to 3 of [Chardonnet 2008]: multiplications and divisions, additions and subtractions.
static double operations(HeftDelassusMethod method, const Sizes* s, int additions) {
  const double last = 27 * s->m * (s->m + 1) / 2, middle = 54 * s->c * s->m + last;
  switch (method) {
    case HEFT_DELASSUS_UNIT_FORCES:
      return additions ? 99 * s->m + 36 * s->b * s->m + 21 * s->beta_points + last
                       : 144 * s->m + 39 * s->b * s->m + 36 * s->beta_points + last;
    case HEFT_DELASSUS_CHANG_KHATIB:
      return additions ? 235 + 179 * s->b + 66 * s->alpha + middle
                       : 286 + 153 * s->b + 72 * s->alpha + middle;
    case HEFT_DELASSUS_BODY:
      return additions ? 180 * s->c + 72 * s->c * s->b + 42 * s->beta_bodies + middle
                       : 252 * s->c + 78 * s->c * s->b + 72 * s->beta_bodies + middle;
    case HEFT_DELASSUS_DIRECT:
    case HEFT_DELASSUS_LTL:
    case HEFT_DELASSUS_COUNT:
      break;
  }
  return 0;
}

// Minimum times of all methods. The methods run in turn, so that other load affects all alike.
static void measure_methods(Bench* b, int batches, double us[HEFT_DELASSUS_COUNT]) {
  for (int turn = 0; turn < TURNS; ++turn) {
    for (int m = 0; m < HEFT_DELASSUS_COUNT; ++m) {
      b->method = (HeftDelassusMethod)m;
      const double now = measure_ns(compute, b, (batches + TURNS - 1) / TURNS) * 1e-3;
      us[m] = turn == 0 ? now : fmin(us[m], now);
    }
  }
}

// Operations of a method as it runs. False if they cannot be counted, or if the counting code gives
// another matrix.
static bool count_operations(Bench* b, HeftDelassusMethod method, CountedOperations* out) {
  const size_t size = (size_t)(9 * b->count) * (size_t)b->count;
  double* expected = malloc(size * sizeof *expected);
  if (!expected) return false;
  b->method = method;
  compute(b);
  memcpy(expected, b->lambda, size * sizeof *expected);
  bool well = counted_delassus(b->d, method, b->count, b->points, b->scratch, b->lambda, out);
  for (size_t i = 0; well && i < size; ++i) well = expected[i] == b->lambda[i];
  free(expected);
  return well;
}

static void print_pair(double a, double b) {
  if (a > 0) {
    printf("%9.0f %9.0f ", a, b);
  } else {
    printf("%9s %9s ", "", "");
  }
}

static void print_method(Bench* b, const char* name, const Sizes* s, HeftDelassusMethod method,
                         double us, double slowest, double published) {
  CountedOperations counted = {0};
  count_operations(b, method, &counted);
  json_row_begin(name);
  json_row_text("method", heft_delassus_name(method));
  json_row_number("us", us);
  if (published > 0) json_row_number("published_us", published);
  json_row_number("counted_multiplications", (double)counted.multiplications);
  json_row_number("counted_additions", (double)counted.additions);
  json_row_number("executed_operations", (double)counted.executed);
  json_row_number("formula_multiplications", operations(method, s, 0));
  json_row_number("formula_additions", operations(method, s, 1));
  json_row_end();
  printf("  %-14s %9.3f %6.1f ", heft_delassus_name(method), us, slowest / us);
  print_pair((double)counted.multiplications, (double)counted.additions);
  print_pair(operations(method, s, 0), operations(method, s, 1));
  if (published > 0) {
    printf("%9.3f %6.1f\n", published, 85.688 / published);
  } else {
    printf("\n");
  }
}

static int bench_case(Bench* b, const Case* c, int batches) {
  int bodies[BODIES_MAX], count = 0;
  b->count = 0;
  for (; count < BODIES_MAX && c->bodies[count]; ++count) {
    bodies[count] = heft_model_find(b->model, HEFT_NAMED_BODY, c->bodies[count]);
    if (bodies[count] < 0) return 0;
    add_corners(b, bodies[count], heft_vec3(0.1, 0.04, 0.04), heft_vec3(0.03, 0, 0));
  }
  b->group = b->count;
  const Sizes s = sizes_of(b->model, bodies, count);
  const int four = strstr(c->name, "table 4") != NULL;
  printf("\n%s: %d points on %d bodies; b = %.0f, α = %.0f, β = %.0f\n", c->name, b->count, count,
         s.b, s.alpha, s.beta_bodies);
  printf("  %-14s %9s %6s %19s %19s %17s\n", "", "", "", "counted", "formula",
         four ? "[Chardonnet 2008]" : "");
  printf("  %-14s %9s %6s %9s %9s %9s %9s %9s %6s\n", "method", "µs", "speed", "× ÷", "+ -", "× ÷",
         "+ -", four ? "µs" : "", four ? "speed" : "");
  const double published[HEFT_DELASSUS_COUNT] = {0, 85.688, 15.857, 12.875, 0};
  double us[HEFT_DELASSUS_COUNT];
  measure_methods(b, batches, us);
  for (int m = 0; m < HEFT_DELASSUS_COUNT; ++m)
    print_method(b, c->name, &s, (HeftDelassusMethod)m, us[m], us[HEFT_DELASSUS_UNIT_FORCES],
                 four ? published[m] : 0);
  return 1;
}

static int bench_humanoid(int batches) {
  Bench b = {0};
  HeftError error = {0};
  int well = bench_open(&b, scene_create("humanoid", &error));
  if (well) {
    scene_random_state(b.model, 1, 1, b.q, b.v);
    prepare(&b);
    printf("Λ on a humanoid of %d degrees of freedom; minimum of %d batches, one core.\n",
           b.model->nv, batches);
    printf(
        "speed: against unit-forces. counted: operations of the running code on numbers that are "
        "not\nzero. formula: those of [Chardonnet 2008], tables 1 to 3, for joints of one "
        "degree.\n");
  }
  for (int i = 0; well && i < case_count; ++i) well = bench_case(&b, &cases[i], batches);
  bench_close(&b);
  return well;
}

// ---- cubes

static HeftModel* make_cubes(int count) {
  HeftBuilder* builder = NULL;
  HeftModel* model = NULL;
  if (heft_builder_create(&builder, NULL, NULL) != HEFT_OK) return NULL;
  for (int i = 0; i < count; ++i) {
    HeftBodyDef body = heft_body_def_default();
    body.pos = heft_vec3(0.3 * i, 0, 0.05);
    body.mass = 1;
    body.inertia = (HeftSym3){1.0 / 600, 1.0 / 600, 1.0 / 600, 0, 0, 0};
    HeftJointDef joint = heft_joint_def_default();
    joint.body = heft_builder_add_body(builder, &body);
    joint.type = HEFT_JOINT_FREE;
    heft_builder_add_joint(builder, &joint);
  }
  if (heft_builder_finish(builder, &model, NULL) != HEFT_OK) model = NULL;
  heft_builder_destroy(builder);
  return model;
}

// Time for k cubes [µs]: all in one group, and each in its own group.
static int measure_cubes(int k, HeftDelassusMethod method, int batches, double out[2]) {
  Bench b = {0};
  int well = bench_open(&b, make_cubes(k));
  if (well) {
    memcpy(b.q, b.model->q_default, (size_t)b.model->nq * sizeof(double));
    prepare(&b);
    for (int i = 0; i < k; ++i)
      add_corners(&b, 1 + i, heft_vec3(0.05, 0.05, 0.05), heft_vec3(0, 0, 0));
    b.method = method;
    b.group = b.count;
    out[0] = measure_ns(compute, &b, batches) * 1e-3;
    b.group = CORNERS;
    out[1] = measure_ns(compute, &b, batches) * 1e-3;
  }
  bench_close(&b);
  return well;
}

// The exponent of k in the growth of time, between 10 and 30 cubes.
static double growth(const double* us) { return log(us[CUBES_MAX - 1] / us[9]) / log(3); }

static int draw_cubes(const char* path, const double* k, double us[2][CUBES_MAX]) {
  const PlotCurve curves[2] = {
      {.name = "one group", .x = k, .y = us[0], .count = CUBES_MAX, .color = 1},
      {.name = "a group per cube", .x = k, .y = us[1], .count = CUBES_MAX, .color = 0}};
  const PlotPanel panels[2] = {{.title = "Time of Λ",
                                .x_label = "cubes, four points each",
                                .y_label = "µs",
                                .curves = curves,
                                .curve_count = 2},
                               {.title = "The same by decades",
                                .x_label = "cubes, four points each",
                                .y_label = "µs",
                                .curves = curves,
                                .curve_count = 2,
                                .log_x = 1,
                                .log_y = 1}};
  const Plot plot = {.title = "Cubes with and without collision groups",
                     .note = "method of [Chardonnet 2012] and [Chardonnet 2008]; figure 2 there",
                     .panels = panels,
                     .panel_count = 2,
                     .columns = 2};
  return plot_write(path, &plot);
}

static int bench_cubes(int batches, const char* figure) {
  double k[CUBES_MAX], us[2][CUBES_MAX], both[2];
  printf(
      "\nCubes on a floor, four points each, method body: one matrix for all, or one for each\n");
  printf("  %6s %14s %14s %8s\n", "cubes", "one group µs", "k groups µs", "ratio");
  for (int n = 0; n < TURNS * CUBES_MAX; ++n) {
    const int i = n % CUBES_MAX;
    if (!measure_cubes(i + 1, HEFT_DELASSUS_BODY, (batches + TURNS - 1) / TURNS, both)) return 0;
    k[i] = i + 1;
    for (int g = 0; g < 2; ++g) us[g][i] = n < CUBES_MAX ? both[g] : fmin(us[g][i], both[g]);
  }
  for (int i = 0; i < CUBES_MAX; ++i) {
    json_row_begin("cubes");
    json_row_number("cubes", i + 1);
    json_row_number("one_group_us", us[0][i]);
    json_row_number("groups_us", us[1][i]);
    json_row_end();
    if (i % 5 == 4 || i == 0)
      printf("  %6d %14.2f %14.2f %8.1f\n", i + 1, us[0][i], us[1][i], us[0][i] / us[1][i]);
  }
  printf("  grows as k^%.2f in one group, as k^%.2f with groups ([Chardonnet 2008]: 2 and 1)\n",
         growth(us[0]), growth(us[1]));
  return figure ? draw_cubes(figure, k, us) : 1;
}

static void print_help(void) {
  printf(
      "usage: heft bench delassus [--batches N] [--figure FILE]\n"
      "\n"
      "Times Λ = J M⁻¹ Jᵀ by five methods on a humanoid, next to tables 1 to 4 of [Chardonnet "
      "2008],\n"
      "and on 1 to 30 cubes with and without collision groups, as in its figure 2.\n"
      "\n"
      "  --batches N      number of batches of each measurement (default 100)\n"
      "  --figure FILE    draw the times of the cubes, as SVG\n");
}

int heft_bench_delassus(int argc, char** argv) {
  int batches = 100;
  const char* figure = NULL;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) {
      print_help();
      return 0;
    }
    if (strcmp(argv[i], "--batches") == 0 && i + 1 < argc) {
      batches = atoi(argv[++i]);
    } else if (strcmp(argv[i], "--figure") == 0 && i + 1 < argc) {
      figure = argv[++i];
      if (!arguments_ending("bench delassus", figure, ".svg")) return 2;
    } else {
      fprintf(stderr,
              "heft bench delassus: error: unknown option '%s'; try 'heft bench delassus --help'\n",
              argv[i]);
      return 2;
    }
  }
  return bench_humanoid(batches) && bench_cubes(batches, figure) ? 0 : 1;
}
