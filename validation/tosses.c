// SPDX-License-Identifier: Apache-2.0
// Real tosses of a cube against simulated ones.
//
// Data: 570 tosses of a cube of 0.1048 m onto a flat floor, 148 Hz (S. Pfrommer, M. Halm, M. Posa,
// ContactNets, 2020; repository DAIRLab/contact-nets, BSD-3), as text: the number of tosses; for
// each the number of rows, and rows of position, quaternion (w, x, y, z), velocity, and angular
// velocity in the cube's axes.
//
// Protocol: a toss starts from its first row and is never corrected. Its errors are the mean
// distance from the real cube over all rows (share of the width), the mean angle to it, and whether
// the same face is up at the end. Two numbers are tuned: friction, and restitution or, for an
// engine that has none, the time constant of its contacts (solref). Of the 24 pairs the one is
// chosen whose distance + angle / 90° is smallest in the mean of 285 random tosses; the other 285
// are scored. Ten such halves give a mean and a deviation. Each engine has the same steps, 1/740 s.
// Which friction whole tosses support, and how exactly: of all pairs the mean errors of 400 samples
// of the tosses with repetition have minima, between the values of the grid by parabolas; 95 % of
// them are the interval.
// That is the long form; the short form scores all tosses with friction 0.175 and no restitution,
// which the halves choose.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validation/tosses.h"

enum {
  ROWS_MAX = 10000,
  FRICTIONS = 6,
  SECONDS = 4,  ///< values of the second number
  PAIRS = FRICTIONS * SECONDS,
  HALVES = 10,
  SAMPLES = 400,
  STEPS_PER_ROW = 5
};

static const double frictions[FRICTIONS] = {0.14, 0.16, 0.175, 0.19, 0.21, 0.24};
static const double restitutions[SECONDS] = {0, 0.05, 0.1, 0.2};
static const double softnesses[SECONDS] = {0.02, 0.01, 0.005, 0.003};
static const double edge = TOSS_EDGE, rate = TOSS_RATE;

/// Errors of one toss: share of the width, degrees, 1 if another face is up.
typedef struct Score {
  double distance, angle, face;
} Score;

// ---- data

void tosses_free(Tosses* t) {
  for (int i = 0; i < t->count; ++i) free(t->toss[i].rows);
  free(t);
}

static int read_toss(Toss* toss, FILE* file) {
  if (fscanf(file, "%d", &toss->count) != 1 || toss->count < 2 || toss->count > ROWS_MAX) return 0;
  toss->rows = calloc((size_t)toss->count, sizeof *toss->rows);
  for (int i = 0; toss->rows && i < toss->count * TOSS_COLUMNS; ++i) {
    double* at = &toss->rows[i / TOSS_COLUMNS][i % TOSS_COLUMNS];
    if (fscanf(file, "%lf", at) != 1 || !isfinite(*at)) return 0;
  }
  return toss->rows != NULL;
}

Tosses* tosses_read(Run* run) {
  char path[600];
  snprintf(path, sizeof path, "%.500s/tosses/tosses.txt", run->data ? run->data : ".");
  char* reason = run->engine->reason;
  FILE* file = run->data ? fopen(path, "r") : NULL;
  if (!file) {
    snprintf(reason, sizeof run->engine->reason,
             "no tosses/tosses.txt; name the folder by --data; xz -dk tosses.txt.xz makes it");
    return NULL;
  }
  Tosses* t = calloc(1, sizeof *t);
  int wanted = 0,
      good = t && fscanf(file, "%d", &wanted) == 1 && wanted >= 4 && wanted <= TOSSES_MAX;
  for (int i = 0; good && i < wanted; ++i) {
    t->count = i + 1;
    good = read_toss(&t->toss[i], file);
  }
  fclose(file);
  if (good) return t;
  snprintf(reason, sizeof run->engine->reason, "tosses.txt is damaged");
  if (t) tosses_free(t);
  return NULL;
}

// ---- one toss

EngineBody toss_body(const double row[TOSS_COLUMNS]) {
  EngineBody b = {.pos = heft_vec3_from(row), .vel = heft_vec3(row[7], row[8], row[9])};
  b.quat = heft_quat_normalize(heft_quat(row[3], row[4], row[5], row[6]));
  b.omega = heft_quat_rotate(b.quat, heft_vec3(row[10], row[11], row[12]));
  return b;
}

int toss_face(HeftQuat q) {
  const HeftVec3 up = heft_quat_rotate(heft_quat_conjugate(q), heft_vec3(0, 0, 1));
  const double c[3] = {up.x, up.y, up.z};
  int most = 0;
  for (int i = 1; i < 3; ++i) most = fabs(c[i]) > fabs(c[most]) ? i : most;
  return c[most] > 0 ? most : most + 3;
}

static double degrees_between(HeftQuat a, HeftQuat b) {
  const double dot = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
  return 2 * acos(fmin(1, dot)) * 180 / HEFT_PI;
}

static Score follow(Run* run, const Toss* toss) {
  Score s = {0};
  run_place(run, 1, toss_body(toss->rows[0]));
  for (int i = 1; i < toss->count; ++i) {
    run_step(run, STEPS_PER_ROW);
    const EngineBody real = toss_body(toss->rows[i]), found = run_body(run, 1);
    s.distance += heft_vec3_norm(heft_vec3_sub(found.pos, real.pos)) / edge / (toss->count - 1);
    s.angle += degrees_between(found.quat, real.quat) / (toss->count - 1);
    if (i == toss->count - 1) s.face = toss_face(found.quat) != toss_face(real.quat);
  }
  return s;
}

// ---- all tosses, by each pair of numbers

static int open_cube(Run* run, double friction, double restitution, double softness) {
  char text[900];
  const double half = edge / 2;
  const int length = snprintf(
      text, sizeof text,
      "<mujoco><option timestep=\"%.17g\" gravity=\"0 0 -9.81\"/><default><geom friction=\"%g\" "
      "solref=\"%g 1\"/></default><worldbody><geom type=\"plane\" size=\"9 9 1\"/><body pos=\"0 0 "
      "%g\"><freejoint/><inertial pos=\"0 0 0\" mass=\".37\" diaginertia=\"8.1e-4 8.1e-4 8.1e-4\"/>"
      "<geom type=\"box\" size=\"%g %g %g\"/></body></worldbody></mujoco>",
      1 / (rate * STEPS_PER_ROW), friction, softness, half, half, half, half);
  EngineSettings s = engine_settings();
  s.tolerance = 1e-6;
  if (restitution > 0) s.restitution = restitution;
  return run_open_text(run, text, (size_t)length, &s);
}

static int score_all(Run* run, const Tosses* t, Score* scores) {
  int restitution = 1;
  if (!open_cube(run, 0.2, 0.1, 0.02)) restitution = 0;  // as MuJoCo
  run_close(run);
  for (int pair = 0; pair < PAIRS; ++pair) {
    const double friction = frictions[pair / SECONDS];
    const double e = restitution ? restitutions[pair % SECONDS] : 0;
    const double soft = restitution ? 0.02 : softnesses[pair % SECONDS];
    if (!open_cube(run, friction, e, soft)) return 0;
    for (int i = 0; i < t->count; ++i) {
      scores[pair * t->count + i] = follow(run, &t->toss[i]);
      if (i % 32 == 0) run_progress(run, (pair + (double)i / t->count) / PAIRS);
    }
    run_close(run);
  }
  return 1;
}

// ---- halves

static Score mean_of(const Score* scores, const int* which, int count) {
  Score m = {0};
  for (int i = 0; i < count; ++i) {
    m.distance += scores[which[i]].distance / count;
    m.angle += scores[which[i]].angle / count;
    m.face += scores[which[i]].face / count;
  }
  return m;
}

void tosses_shuffle(int* order, int count, uint64_t* state) {
  for (int i = count - 1; i > 0; --i) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const int k = (int)((*state >> 33) % (uint64_t)(i + 1)), kept = order[i];
    order[i] = order[k];
    order[k] = kept;
  }
}

typedef struct Spread {
  double sum, squares;
} Spread;

static void add_to(Spread* s, double x) {
  s->sum += x;
  s->squares += x * x;
}

static double mean_in(const Spread* s) { return s->sum / HALVES; }
static double deviation_in(const Spread* s) {
  return sqrt(fmax(0, s->squares / HALVES - mean_in(s) * mean_in(s)));
}

// Limits: the mean of this version's halves and three deviations.
static void report_score(Run* run, double distance, double angle, double face) {
  run_report(run, "distance from the real cube [% of its width]", 0, distance, 14.4);
  run_report(run, "angle to the real cube [degrees]", 0, angle, 19.9);
  run_report(run, "another face is up at the end [%]", 0, face, 23.4);
}

static void report_halves(Run* run, const Score* scores, int count) {
  int order[TOSSES_MAX];
  Spread distance = {0}, angle = {0}, face = {0}, friction = {0};
  uint64_t state = 1;
  for (int i = 0; i < count; ++i) order[i] = i;
  for (int half = 0; half < HALVES; ++half) {
    tosses_shuffle(order, count, &state);
    int best = 0;
    double least = HUGE_VAL;
    for (int pair = 0; pair < PAIRS; ++pair) {
      const Score m = mean_of(scores + (size_t)pair * (size_t)count, order, count / 2);
      if (m.distance + m.angle / 90 < least) {
        least = m.distance + m.angle / 90;
        best = pair;
      }
    }
    const Score m =
        mean_of(scores + (size_t)best * (size_t)count, order + count / 2, count - count / 2);
    add_to(&distance, 100 * m.distance);
    add_to(&angle, m.angle);
    add_to(&face, 100 * m.face);
    add_to(&friction, frictions[best / SECONDS]);
  }
  report_score(run, mean_in(&distance), mean_in(&angle), mean_in(&face));
  run_report(run, "distance: deviation of ten halves (no limit)", 0, deviation_in(&distance),
             HUGE_VAL);
  run_report(run, "angle: deviation of ten halves (no limit)", 0, deviation_in(&angle), HUGE_VAL);
  run_report(run, "face: deviation of ten halves (no limit)", 0, deviation_in(&face), HUGE_VAL);
  run_report(run, "tuned friction, mean of ten halves (no limit)", 0, mean_in(&friction), HUGE_VAL);
}

// ---- intervals

// Where the parabola through three points of a grid around its least value is smallest.
static double least_between(const double* x, const double* y, int best, int count) {
  if (best == 0 || best == count - 1) return x[best];
  const double a = x[best - 1] - x[best], b = x[best + 1] - x[best], ya = y[best - 1] - y[best],
               yb = y[best + 1] - y[best];
  const double slope = ya * b / a - yb * a / b, bend = yb / b - ya / a;  // both times (b - a)
  return bend > 0 ? x[best] - 0.5 * slope / bend : x[best];
}

// Sums of errors, by pair, of a sample of the tosses with repetition.
static void add_sample(const Score* scores, int count, uint64_t* state, double* sum) {
  memset(sum, 0, PAIRS * sizeof *sum);
  for (int n = 0; n < count; ++n) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const int i = (int)((*state >> 33) % (uint64_t)count);
    for (int pair = 0; pair < PAIRS; ++pair) {
      const Score* s = &scores[(size_t)pair * (size_t)count + (size_t)i];
      sum[pair] += s->distance + s->angle / 90;
    }
  }
}

static void report_intervals(Run* run, const Score* scores, int count) {
  double friction[SAMPLES], sum[PAIRS];
  uint64_t state = 7;
  for (int k = 0; k < SAMPLES; ++k) {
    double along[FRICTIONS];
    int best = 0;
    add_sample(scores, count, &state, sum);
    for (int pair = 0; pair < PAIRS; ++pair) best = sum[pair] < sum[best] ? pair : best;
    for (int i = 0; i < FRICTIONS; ++i) along[i] = sum[i * SECONDS + best % SECONDS];
    friction[k] = least_between(frictions, along, best / SECONDS, FRICTIONS);
    for (int i = k; i > 0 && friction[i] < friction[i - 1]; --i) {
      const double kept = friction[i];
      friction[i] = friction[i - 1];
      friction[i - 1] = kept;
    }
  }
  run_report(run, "friction that all tosses support (no limit)", 0, friction[SAMPLES / 2],
             HUGE_VAL);
  run_report(run, "its interval of 95 %, from (no limit)", 0, friction[SAMPLES / 40], HUGE_VAL);
  run_report(run, "to (no limit)", 0, friction[SAMPLES - 1 - SAMPLES / 40], HUGE_VAL);
}

void case_tosses(Run* run) {
  Tosses* t = tosses_read(run);
  if (!t) return;
  Score* scores = calloc((size_t)PAIRS * (size_t)t->count, sizeof *scores);
  if (scores && run->full && score_all(run, t, scores)) {
    report_halves(run, scores, t->count);
    report_intervals(run, scores, t->count);
  }
  if (scores && !run->full && open_cube(run, 0.175, 0, 0.02)) {
    int all[TOSSES_MAX];
    for (int i = 0; i < t->count; ++i) {
      all[i] = i;
      scores[i] = follow(run, &t->toss[i]);
    }
    run_close(run);
    const Score m = mean_of(scores, all, t->count);
    report_score(run, 100 * m.distance, m.angle, 100 * m.face);
  }
  free(scores);
  tosses_free(t);
}
