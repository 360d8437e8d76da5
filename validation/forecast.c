// SPDX-License-Identifier: Apache-2.0
// Forecasts with probabilities: of real tosses, and of scenes with hidden parameters.
//
// Protocol of the real tosses (validation/tosses.h). From its first row a toss is repeated by 50
// runs, which end when the cube rests. Unknown are friction (0.19, deviation 0.03), restitution (0
// to 0.4), the velocities of the start (0.03 m/s, 0.3 rad/s) and what a rigid model gets wrong in
// an impact: a step in which the angular velocity changes by more than 1 rad/s changes it by
// another 0.2 of that, and the velocity by 0.05 of its change, each along a random direction. The
// floor is 1.5 mm below that of the data, in which the cube rests 1.2 mm deep. These numbers were
// chosen on every fourth toss by their log loss; these tosses are not used any more. Of the others
// a random half teaches how far to trust the ensemble (forecast.c of identify) and how large
// regions are; the other half is scored. Ten such halves give a mean and a deviation.
//
// Hidden parameters. A cube is thrown, and a robot with an ankle is pushed. Each case has a true
// run: friction, restitution and push are drawn, and the start is measured with errors. The
// ensemble knows the distributions and the measured start. An event is that a quantity ends beyond
// a threshold, which lies at random within the ensemble. No number is tuned and no trust is
// learned, so that probabilities are right if, and only if, ensembles are.
#include <heft/access.h>
#include <heft/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/identify.h"
#include "validation/tosses.h"

enum { RUNS = 50, HALVES = 10, FACES = 6, QUANTITIES = 3, CHOSEN_ON = 4 };

// ---- random numbers

static double uniform(uint64_t* s) {
  *s += 0x9e3779b97f4a7c15u;
  uint64_t x = *s;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return ((double)((x ^ (x >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t* s) {
  const double radius = sqrt(-2 * heft_log(uniform(s)));
  return radius * heft_cos(2 * HEFT_PI * uniform(s));
}

// ---- runs of a cube

static const char cube_text[] =
    "<mujoco><option timestep=\".00675675675675675675\" gravity=\"0 0 -9.81\"/><worldbody>"
    "<geom type=\"plane\" size=\"9 9 1\"/><body pos=\"0 0 1\"><freejoint/><inertial pos=\"0 0 0\" "
    "mass=\".37\" diaginertia=\"8.1e-4 8.1e-4 8.1e-4\"/><geom type=\"box\" size=\".0524 .0524 "
    ".0524\"/></body></worldbody></mujoco>";

static void set_materials(HeftWorld* w, const HeftModel* m, double friction, double restitution) {
  for (int k = 0; k < m->nmaterial; ++k) {
    HeftMaterial material = heft_world_material(w, k);
    material.friction = material.kinetic = friction;
    material.restitution = restitution;
    heft_world_set_material(w, k, &material, NULL);
  }
}

static double next_normal(void* s) { return normal(s); }

// From a row of a toss, until the cube rests.
static void run_cube(HeftWorld* w, const double* row, int steps, double share, uint64_t* s) {
  double q[7], v[6];
  memcpy(q, row, sizeof q);
  memcpy(v, row + 7, sizeof v);
  q[2] += 0.0015;
  for (int k = 0; k < 6; ++k) v[k] += (k < 3 ? 0.03 : 0.3) * normal(s);
  heft_world_reset(w);
  set_materials(w, heft_world_model(w), fmax(0.02, 0.19 + 0.03 * normal(s)), 0.4 * uniform(s));
  heft_world_set_q(w, 0, q, 7, NULL);
  heft_world_set_v(w, 0, v, 6, NULL);
  for (int i = 0, quiet = 0; i < steps && quiet < 4; ++i) {
    double speed = 0;
    memcpy(v, heft_world_state(w)->v, sizeof v);
    heft_world_step(w);
    heft_impact_scatter(w, 0, v, share, next_normal, s);
    for (int k = 0; k < 6; ++k) speed += fabs(heft_world_state(w)->v[k]);
    quiet = speed < 1e-3 ? quiet + 1 : 0;
  }
}

static int face_of(const HeftWorld* w) {
  const double* q = heft_world_state(w)->q;
  return toss_face(heft_quat(q[3], q[4], q[5], q[6]));
}

static HeftWorld* open_world(const char* text, HeftModel** model) {
  HeftWorld* w = NULL;
  const HeftLoadDef def = heft_load_def_default();
  if (heft_model_load_bytes(model, text, strlen(text), "forecast.xml", &def, NULL) == HEFT_OK)
    heft_world_create(&w, *model, NULL, NULL);
  return w;
}

// ---- rows of the table

// Counts forecasts of several halves.
static void add_bins(HeftForecastScore* sum, const HeftForecastScore* s) {
  for (int b = 0; b < HEFT_FORECAST_BINS; ++b) {
    HeftForecastBin* to = &sum->bin[b];
    const HeftForecastBin* from = &s->bin[b];
    *to = (HeftForecastBin){from->low, from->high, to->count + from->count,
                            to->happened + from->happened,
                            to->said + from->said * (double)from->count};
  }
}

// said of sum is a sum here.
static void report_bins(Run* run, const HeftForecastScore* sum, double limit) {
  for (int b = 0; b < HEFT_FORECAST_BINS; ++b) {
    const HeftForecastBin* bin = &sum->bin[b];
    char what[ROW_TEXT];
    if (bin->count == 0) continue;
    snprintf(what, sizeof what, "said %.0f to %.0f %%, %ld times: happens [%%]", 100 * bin->low,
             100 * bin->high, bin->count);
    const double said = 100 * bin->said / (double)bin->count,
                 happens = 100 * (double)bin->happened / (double)bin->count;
    run_report(run, what, said, happens, bin->low == 0.9 ? limit : HUGE_VAL);
  }
}

typedef struct Mean {
  double sum, squares;
} Mean;
static void add_mean(Mean* m, double x) {
  m->sum += x / HALVES;
  m->squares += x * x / HALVES;
}
static double deviation(const Mean* m) { return sqrt(fmax(0, m->squares - m->sum * m->sum)); }

// ---- real tosses

static void report_tosses(Run* run, const HeftForecast* f, const double* distance, int count) {
  int order[TOSSES_MAX];
  HeftForecast* now = calloc((size_t)count, sizeof *now);
  double* sizes = calloc((size_t)count, sizeof *sizes);
  Mean loss = {0}, raw = {0}, sure = {0}, hits = {0}, inside = {0};
  HeftForecastScore sum = {0};
  uint64_t state = 1;
  const int half = count / 2;
  for (int i = 0; i < count; ++i) order[i] = i;
  for (int k = 0; now && sizes && k < HALVES; ++k) {
    HeftTrust trust;
    HeftForecastScore s;
    int held = 0;
    tosses_shuffle(order, count, &state);
    for (int i = 0; i < count; ++i) now[i] = f[order[i]];
    for (int i = 0; i < half; ++i) sizes[i] = distance[order[i]];
    heft_trust_fit(now, half, &trust, NULL);
    const double size = heft_region_size(sizes, half, 0.9);
    for (int i = half; i < count; ++i) held += distance[order[i]] <= size;
    heft_forecast_score(now + half, count - half, heft_trust_default(), &s);
    add_mean(&raw, s.log_loss);
    heft_forecast_score(now + half, count - half, trust, &s);
    add_mean(&loss, s.log_loss);
    add_mean(&sure, s.expected_loss);
    add_mean(&hits, 100 * s.hits);
    add_mean(&inside, 100.0 * held / (count - half));
    add_bins(&sum, &s);
  }
  free(now);
  free(sizes);
  // Faces alike: log 6. Limits: this version's mean and two deviations, but 0.5 for the log loss.
  run_report(run, "log loss of the face that ends up", 0, loss.sum, 0.5);
  run_report(run, "the same: deviation of ten halves (no limit)", 0, deviation(&loss), HUGE_VAL);
  run_report(run, "the same that the forecasts expect (no limit)", 0, sure.sum, HUGE_VAL);
  run_report(run, "the same before trust is learned (no limit)", 0, raw.sum, HUGE_VAL);
  run_report(run, "the most probable face ends up [%] (no limit)", 100, hits.sum, HUGE_VAL);
  report_bins(run, &sum, 3.5);
  run_report(run, "regions of 90 % for the place of rest hold it [%]", 90, inside.sum, 3);
}

void case_forecast(Run* run) {
  Tosses* t = tosses_read(run);
  HeftModel* model = NULL;
  HeftWorld* w = t ? open_world(cube_text, &model) : NULL;
  HeftForecast* f = calloc(TOSSES_MAX, sizeof *f);
  double* distance = calloc(TOSSES_MAX, sizeof *distance);
  int count = 0;
  for (int i = 0; w && f && distance && i < t->count; ++i) {
    const Toss* toss = &t->toss[i];
    const double* end = toss->rows[toss->count - 1];
    double place[RUNS][2];
    uint64_t state = (uint64_t)i << 32;
    if (i % CHOSEN_ON == 0) continue;
    f[count] = (HeftForecast){.outcomes = FACES, .happened = toss_face(toss_body(end).quat)};
    for (int k = 0; k < RUNS; ++k) {
      run_cube(w, toss->rows[0], toss->count - 1, 0.2, &state);
      ++f[count].runs[face_of(w)];
      for (int c = 0; c < 2; ++c) place[k][c] = heft_world_state(w)->q[c];
    }
    distance[count++] = heft_region_distance(2, RUNS, place[0], end);
    run_progress(run, (double)i / t->count);
  }
  if (w && f && distance) report_tosses(run, f, distance, count);
  heft_world_destroy(w);
  heft_model_destroy(model);
  free(f);
  free(distance);
  if (t) tosses_free(t);
}

// ---- hidden parameters

// A foot with an ankle that holds a trunk, pushed at its middle.
static const char robot_text[] =
    "<mujoco><compiler angle=\"radian\"/><option timestep=\".005\" gravity=\"0 0 -9.81\"/>"
    "<worldbody><geom type=\"plane\" size=\"9 9 1\"/><body pos=\"0 0 .03\"><freejoint/><geom "
    "type=\"box\" size=\".12 .06 .03\" mass=\"2\"/><body name=\"trunk\" pos=\"0 0 .03\"><joint "
    "axis=\"0 1 0\" "
    "stiffness=\"400\" damping=\"10\"/><geom type=\"capsule\" fromto=\"0 0 0 0 0 .8\" size=\".05\" "
    "mass=\"8\"/></body></body></worldbody></mujoco>";

static void run_robot(HeftWorld* w, double start, uint64_t* s, double* out) {
  heft_world_reset(w);
  set_materials(w, heft_world_model(w), fmax(0.02, 0.25 + 0.08 * normal(s)), 0);
  const double force = fmax(0, 130 + 30 * normal(s)), lean = start + 0.02 * normal(s);
  heft_world_set_q(w, 7, &lean, 1, NULL);
  for (int i = 0; i < 160; ++i) {
    if (i < 20) heft_world_apply_force(w, "trunk", heft_vec3(force, 0, 0), NULL);
    heft_world_step(w);
  }
  const double* q = heft_world_state(w)->q;
  out[0] = q[0];
  out[1] = q[2];
  out[2] = q[7];
}

static void run_thrown(HeftWorld* w, const double* row, uint64_t* s, double* out) {
  run_cube(w, row, 120, 0.2, s);
  const double* q = heft_world_state(w)->q;
  out[0] = q[0];
  out[1] = q[1];
  out[2] = q[3] * q[3] + q[6] * q[6];
}

// Three events of a case: a quantity ends beyond a threshold.
static void add_events(HeftForecast* f, const double (*x)[QUANTITIES], const double* truth,
                       uint64_t* s) {
  for (int k = 0; k < QUANTITIES; ++k) {
    double mean = 0, square = 0;
    for (int i = 0; i < RUNS; ++i) mean += x[i][k] / RUNS;
    for (int i = 0; i < RUNS; ++i) square += (x[i][k] - mean) * (x[i][k] - mean) / RUNS;
    const double threshold = mean + (4 * uniform(s) - 2) * sqrt(square);
    f[k] = (HeftForecast){.outcomes = 2, .happened = truth[k] > threshold};
    for (int i = 0; i < RUNS; ++i) ++f[k].runs[x[i][k] > threshold];
  }
}

static void hide(Run* run, const char* text, int robot, int trials, HeftForecast* f, int* inside) {
  HeftModel* model = NULL;
  HeftWorld* w = open_world(text, &model);
  for (int i = 0; w && i < trials; ++i) {
    double x[RUNS][QUANTITIES], truth[QUANTITIES], row[TOSS_COLUMNS] = {0}, seen[TOSS_COLUMNS];
    uint64_t s = ((uint64_t)i << 32) + (uint64_t)robot;
    const double lean = robot ? 0.05 * normal(&s) : 0;
    row[2] = 0.15 + 0.1 * uniform(&s);
    row[3] = 1;
    for (int k = 7; k < 13; ++k) row[k] = (k < 10 ? 0.8 : 4) * normal(&s);
    if (robot)
      run_robot(w, lean, &s, truth);
    else
      run_thrown(w, row, &s, truth);
    memcpy(seen, row, sizeof seen);
    for (int k = 0; k < RUNS; ++k) {
      if (robot)
        run_robot(w, lean, &s, x[k]);
      else
        run_thrown(w, seen, &s, x[k]);
    }
    add_events(f + QUANTITIES * (size_t)i, (const double(*)[QUANTITIES])x, truth, &s);
    const double two[2] = {truth[0], truth[1]};
    double place[RUNS][2];
    for (int k = 0; k < RUNS; ++k) memcpy(place[k], x[k], sizeof place[k]);
    double sorted[RUNS];
    for (int k = 0; k < RUNS; ++k) sorted[k] = heft_region_distance(2, RUNS, place[0], place[k]);
    *inside += heft_region_distance(2, RUNS, place[0], two) <= heft_region_size(sorted, RUNS, 0.9);
    run_progress(run, (double)i / trials);
  }
  heft_world_destroy(w);
  heft_model_destroy(model);
}

void case_hidden(Run* run) {
  const int trials = run->full ? 620 : 30;
  const long events = 2L * QUANTITIES * trials;
  HeftForecast* f = calloc((size_t)events, sizeof *f);
  HeftForecastScore s, sum = {0};
  int inside = 0;
  if (!f) return;
  hide(run, cube_text, 0, trials, f, &inside);
  hide(run, robot_text, 1, trials, f + events / 2, &inside);
  heft_forecast_score(f, events, heft_trust_default(), &s);
  add_bins(&sum, &s);
  // 95 % of 1000 events have a deviation of 0.7, those of the short form 3.
  report_bins(run, &sum, run->full ? 2 : 10);
  run_report(run, "regions of 90 % hold the end [%]", 90, 100.0 * inside / (2 * trials),
             run->full ? 3 : 12);
  free(f);
}
