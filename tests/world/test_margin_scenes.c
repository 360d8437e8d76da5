// SPDX-License-Identifier: Apache-2.0
// Margins of random stances against the loads at which simulations fail, and against closed forms.
//
// HEFT_LONG=1 bisects the limits of 220 stances and prints a line for each kind; HEFT_SEED=N draws
// others. The short form asks whether 0.1 % less holds and 0.1 % more fails, for the first stances.
// `test_world_margin_scenes FOLDER COUNT` writes the stances for tests/tools/hold.sh.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "described.h"
#include "margin_scenes.h"

enum { LONG = 20 * MARGIN_KINDS, SETTLE = 100, HELD = 400 };
static const double moves = 1e-6,  // way of a stance that gives way [m, rad]
    exact = 2e-6,                  // of bisections, relative
    wanted = 1e-3;                 // of margins, relative

static uint64_t seed(void) {
  const char* text = getenv("HEFT_SEED");
  return text ? strtoull(text, NULL, 10) : 1;
}

static Stage settle(const MarginScene* s) {
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = 1e-12;
  Stage stage = stage_on(described(s->text), &def);
  for (int a = 0; a < stage.model->nactuator; ++a)
    heft_world_controls(stage.world)[a] = s->control[a];
  for (int i = 0; i < SETTLE; ++i) stage_step(&stage);
  return stage;
}

static HeftMarginLoad load_of(const HeftWorld* w, const MarginScene* s) {
  const int body = heft_model_find(heft_world_model(w), HEFT_NAMED_BODY, s->body);
  assert_true(body > 0);
  const HeftPose at = heft_dynamics_body_pose(heft_world_dynamics(w), body);
  return (HeftMarginLoad){body, heft_pose_apply(at, s->point), s->force, s->torque};
}

static int holds(const HeftWorld* start, const MarginScene* s, double load) {
  HeftWorld* w = NULL;
  const int nq = heft_world_model(start)->nq;
  const double* before = heft_world_state(start)->q;
  double way = 0;
  assert_int_equal(heft_world_clone(&w, start, NULL), HEFT_OK);
  for (int i = 0; i < HELD && way < moves; ++i) {
    const HeftMarginLoad at = load_of(w, s);
    heft_world_apply_wrench(w, at.body, at.point, heft_vec3_scale(load, at.force),
                            heft_vec3_scale(load, at.torque));
    heft_world_step(w);
    for (int k = 0; k < nq; ++k) way = fmax(way, fabs(heft_world_state(w)->q[k] - before[k]));
  }
  heft_world_destroy(w);
  return way < moves;
}

// low holds, high fails.
static void bisect(const HeftWorld* start, const MarginScene* s, double guess, double* low,
                   double* high) {
  *low = (1 - wanted) * guess;
  *high = (1 + wanted) * guess;
  if (!holds(start, s, *low)) *low = 0;
  while (holds(start, s, *high) && *high < 100 * guess) *high *= 1.2;
  while (*high - *low > exact * guess) {
    const double middle = 0.5 * (*low + *high);
    *(holds(start, s, middle) ? low : high) = middle;
  }
}

typedef struct Score {
  int count, closed;
  double worst, above, closed_worst, error[LONG];  // above: margin above the truth
} Score;

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void print_score(const char* name, Score* s) {
  if (s->count == 0) return;
  qsort(s->error, (size_t)s->count, sizeof *s->error, by_size);
  printf("%-9s %3d stances: median %.1e, worst %.1e, above the truth by at most %.1e", name,
         s->count, s->error[s->count / 2], s->worst, s->above);
  if (s->closed > 0) printf("; %d closed forms: %.1e", s->closed, s->closed_worst);
  printf("\n");
}

static void add(Score* s, double error, double above, double closed) {
  assert_true(s->count < LONG);
  s->error[s->count++] = fabs(error);
  s->worst = fmax(s->worst, fabs(error));
  s->above = fmax(s->above, above);
  if (isnan(closed)) return;
  s->closed++;
  s->closed_worst = fmax(s->closed_worst, fabs(closed));
}

static void margins_are_limits(void** state) {
  (void)state;
  static Score all, kind[MARGIN_KINDS];
  static MarginScene s;
  const int thorough = getenv("HEFT_LONG") != NULL,
            count = thorough ? LONG : (STAGE_SANITIZED ? 1 : 4) * MARGIN_KINDS;
  const char* names[MARGIN_KINDS];
  int endless = 0;
  for (int i = 0; i < count; ++i) {
    margin_scene_write(&s, seed(), i);
    names[i % MARGIN_KINDS] = s.kind;
    Stage stage = settle(&s);
    const HeftMarginLoad load = load_of(stage.world, &s);
    HeftMargin margin;
    HeftError error = {0};
    if (heft_world_margin(stage.world, &load, 1, &margin, &error) != HEFT_OK)
      fail_msg("%s %d: %s", s.kind, i, error.message);
    // A thousand times the load of a stance, nearly along an edge of the cones, is as good as any.
    if (!(margin.load < 1e4)) {
      endless++;
      assert_true(s.limit == 0);
    } else {
      double low = (1 - wanted) * margin.load, high = (1 + wanted) * margin.load;
      if (thorough) {
        bisect(stage.world, &s, margin.load, &low, &high);
      } else {
        if (!holds(stage.world, &s, low)) fail_msg("%s %d does not hold %g", s.kind, i, low);
        if (holds(stage.world, &s, high)) fail_msg("%s %d holds %g", s.kind, i, high);
      }
      const double truth = 0.5 * (low + high), miss = margin.load / truth - 1,
                   above = (margin.load - margin.gap - high) / truth,
                   closed = s.limit > 0 ? margin.load / s.limit - 1 : (double)NAN;
      if (fabs(miss) > wanted || fabs(closed) > 1e-6)
        printf("%s %d: %s at %.8g, closed form %.8g, simulations %.8g to %.8g\n%s\n", s.kind, i,
               heft_margin_end_name(margin.end), margin.load, s.limit, low, high,
               getenv("HEFT_SHOW") ? s.text : "");
      add(&all, miss, above, closed);
      add(&kind[i % MARGIN_KINDS], miss, above, closed);
    }
    stage_close(&stage);
  }
  for (int k = 0; k < MARGIN_KINDS && thorough; ++k) print_score(names[k], &kind[k]);
  print_score("all", &all);
  printf("%d hold any load\n", endless);
  assert_true(10 * all.count >= 9 * count);
  CHECK_AT_MOST(all.error[all.count / 2], 1e-5);
  CHECK_AT_MOST(all.worst, wanted);
  CHECK_AT_MOST(all.above, wanted);
  CHECK_AT_MOST(all.closed_worst, 3e-8);
}

// ---- files for the command

static void print_vector(FILE* to, HeftVec3 v) {
  fprintf(to, "\t%.17g,%.17g,%.17g", v.x, v.y, v.z);
}

// A line for each: file, body, point, force, torque, limit, input, its limit; 0 and -: none.
static int write_files(const char* folder, int count) {
  static MarginScene s;
  for (int i = 0; i < count; ++i) {
    char path[400];
    margin_scene_write(&s, seed(), i);
    snprintf(path, sizeof path, "%.300s/%d.xml", folder, i);
    FILE* file = fopen(path, "w");
    if (!file || fputs(s.text, file) < 0 || fclose(file) != 0) return 1;
    printf("%s\t%s", path, s.body);
    print_vector(stdout, s.point);
    print_vector(stdout, s.force);
    print_vector(stdout, s.torque);
    printf("\t%.17g\t%s\t%.17g\n", s.limit, s.input ? s.input : "-", s.input_limit);
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 3) return write_files(argv[1], atoi(argv[2]));
  const struct CMUnitTest tests[] = {cmocka_unit_test(margins_are_limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
