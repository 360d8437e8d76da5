// SPDX-License-Identifier: Apache-2.0
// Real drops of an ellipse and of a square onto a floor, between two plates: which law of impact
// predicts them, and how well the law of Heft's steps does.
//
// Data: N. Fazeli's experiments (DAIRLab/ImpactModeling, BSD-3), 2000 and 295 impacts, as
// `tools/measurements.py drops` writes them: arms of the point that hits, velocities along and away
// from the floor and the rate, before and after.
//
// Protocol: restitution, friction and the radius of gyration are fitted to a random half, outliers
// counting less; the other half is scored by the mean log density of an impact and by the mean
// error of the velocity after it. Ten such halves give a mean and a deviation; the short form has
// three. Intervals are those of all impacts. The laws are in closed form (tests/identify compares
// them with steps of a world), so that no other engine takes part.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/identify.h"
#include "validation/tosses.h"

enum { DROPS_MAX = 5000, COLUMNS = 8, HALVES = 10, HALVES_SHORT = 3 };

/// Means over the halves, and the deviation of the first one.
typedef struct Found {
  double lost, deviation;  ///< log density below that of the best law
  double error, error_best;
} Found;

// 0 if the file is missing or damaged, with the reason in the engine.
static int read_drops(Run* run, const char* name, HeftImpact* m) {
  char path[600];
  snprintf(path, sizeof path, "%.500s/%s.csv", run->data ? run->data : ".", name);
  FILE* file = run->data ? fopen(path, "r") : NULL;
  if (!file) {
    snprintf(run->engine->reason, sizeof run->engine->reason,
             "no %s.csv; name its folder by --data; tools/measurements.py drops writes it", name);
    return 0;
  }
  int count = 0, good = fscanf(file, "%*[^\n]") == 0;
  while (good && count < DROPS_MAX) {
    double x[COLUMNS];
    int read = 0;
    while (read < COLUMNS && fscanf(file, read ? ",%lf" : "%lf", &x[read]) == 1 &&
           isfinite(x[read]))
      ++read;
    if (read == 0) break;
    good = read == COLUMNS;
    m[count++] = (HeftImpact){x[0], x[1], {x[2], x[3], x[4]}, {x[5], x[6], x[7]}};
  }
  good = good && feof(file) && count >= 16;
  fclose(file);
  if (!good) snprintf(run->engine->reason, sizeof run->engine->reason, "%s.csv is damaged", name);
  return good ? count : 0;
}

// The mean error of the velocity after an impact [m/s].
static double mean_error(const HeftImpactFit* fit, const HeftImpact* m, int count) {
  double x[HEFT_IMPACT_PARAMETERS], sum = 0;
  for (int k = 0; k < HEFT_IMPACT_PARAMETERS; ++k) x[k] = fit->estimate[k].value;
  for (int i = 0; i < count; ++i) {
    double after[3];
    heft_impact_predict(fit->law, x, &m[i], after);
    sum += hypot(after[0] - m[i].after[0], after[1] - m[i].after[1]) / count;
  }
  return sum;
}

// Fits all laws to the first half of m and scores the second one.
static int score_half(const HeftImpact* m, int count, Found* f) {
  const int half = count / 2;
  double likelihood[HEFT_IMPACT_LAWS], error[HEFT_IMPACT_LAWS];
  int best = 0;
  for (int law = 0; law < HEFT_IMPACT_LAWS; ++law) {
    HeftImpactFit fit;
    if (heft_identify_impacts((HeftImpactLaw)law, m, half, true, &fit, NULL) != HEFT_OK) return 0;
    likelihood[law] = heft_impact_likelihood(&fit, m + half, count - half);
    error[law] = mean_error(&fit, m + half, count - half);
    if (likelihood[law] > likelihood[best]) best = law;
  }
  const double lost = likelihood[best] - likelihood[HEFT_IMPACT_HEFT];
  f->lost += lost;
  f->deviation += lost * lost;
  f->error += error[HEFT_IMPACT_HEFT];
  f->error_best += error[best];
  return 1;
}

static void report_interval(Run* run, const char* name, const char* what, const HeftEstimate* e) {
  char text[ROW_TEXT];
  snprintf(text, sizeof text, "%s: %s, error: half its interval (no limit)", name, what);
  run_report_error(run, text, e->value, e->value, (e->high - e->low) / 2, HUGE_VAL);
}

// Limits: what was measured first, and three deviations.
static void report_body(Run* run, const char* name, double lost_limit, double error_limit) {
  HeftImpact *m = calloc(DROPS_MAX, sizeof *m), *mixed = calloc(DROPS_MAX, sizeof *mixed);
  int* order = calloc(DROPS_MAX, sizeof *order);
  const int count = m && mixed && order ? read_drops(run, name, m) : 0;
  const int halves = run->full ? HALVES : HALVES_SHORT;
  Found f = {0};
  HeftImpactFit all;
  uint64_t state = 1;
  int well = count > 0;
  for (int i = 0; i < count; ++i) order[i] = i;
  for (int k = 0; k < halves && well; ++k) {
    tosses_shuffle(order, count, &state);
    for (int i = 0; i < count; ++i) mixed[i] = m[order[i]];
    well = score_half(mixed, count, &f);
    run_progress(run, (double)k / halves);
  }
  if (well && heft_identify_impacts(HEFT_IMPACT_HEFT, m, count, true, &all, NULL) == HEFT_OK) {
    char text[ROW_TEXT];
    const double lost = f.lost / halves;
    snprintf(text, sizeof text, "%s: log density that Heft's law loses against the best", name);
    run_report(run, text, 0, lost, lost_limit);
    snprintf(text, sizeof text, "%s: its deviation over halves (no limit)", name);
    run_report(run, text, 0, sqrt(fmax(0, f.deviation / halves - lost * lost)), HUGE_VAL);
    snprintf(text, sizeof text, "%s: velocity after an impact, error [m/s]", name);
    run_report(run, text, 0, f.error / halves, error_limit);
    snprintf(text, sizeof text, "%s: the same by the best law (no limit)", name);
    run_report(run, text, 0, f.error_best / halves, HUGE_VAL);
    report_interval(run, name, "restitution", &all.estimate[0]);
    report_interval(run, name, "friction", &all.estimate[1]);
  }
  free(order);
  free(mixed);
  free(m);
}

void case_drops(Run* run) {
  report_body(run, "ellipse", 0.49, 0.23);
  if (!run->engine->reason[0]) report_body(run, "square", 0.48, 0.29);
}
