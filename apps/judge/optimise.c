// SPDX-License-Identifier: Apache-2.0
// Papers: R67, S9.
// Direct shooting on the knots of a cubic spline. Variables are the joints of all knots between the
// first and the last pose, and the times between knots. The judge evaluates a candidate, that is
// inverse dynamics with contact forces in their cones; nothing is simulated. Residuals of a row are
//     share of a torque^4, 100 (margin, gap that lacks), 200 (missing wrench, range exceeded).
// The sum of their squares is mostly the eighth power of the largest shares. It is minimised by the
// method of [Marquardt 1963] with a Jacobian of forward differences. There is no random number, so
// that every machine finds the same motion. heft_fit() is not used: it ends where a step is small
// against standard errors, which residuals without noise do not have.
#include "judge/optimise.h"

#include <heft/control.h>
#include <heft/math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/dense.h"

enum { RESIDUALS = 5, TRIALS = 10 };
static const double inset = 0.005;  // of the ranges of joints [rad, m]
static const double quicker = 0.4,
                    slower = 2.5;       // bounds of the times between knots, over the first
static const double difference = 1e-5;  // of a variable, for the Jacobian [rad, m, share of a time]

OptimiseDef optimise_def_default(void) {
  return (OptimiseDef){
      .judge = judge_def_default(), .rounds = 100, .sample = 0.02, .margin = 0.05, .gap = 0.03};
}

// ---- knots

// Whether a name is the pattern, where a '*' replaces any text.
static int matches(const char* pattern, const char* name) {
  const char* star = strchr(pattern, '*');
  if (!star) return strcmp(pattern, name) == 0;
  const size_t head = (size_t)(star - pattern), tail = strlen(star + 1), n = strlen(name);
  return n >= head + tail && strncmp(pattern, name, head) == 0 &&
         strcmp(name + n - tail, star + 1) == 0;
}

static int is_driven(const HeftModel* m, int joint, const char* pattern) {
  const int kind = m->joint_type[joint];
  return (kind == HEFT_JOINT_HINGE || kind == HEFT_JOINT_SLIDE) &&
         matches(pattern, heft_model_name(m, HEFT_NAMED_JOINT, joint));
}

static int matching_joints(const HeftModel* m, const char* pattern) {
  int count = 0;
  for (int i = 0; i < m->njoint; ++i) count += is_driven(m, i, pattern);
  return count;
}

HeftStatus knots_read(Knots* out, const HeftModel* m, const Csv* table, const char* file,
                      HeftError* error) {
  const int time = csv_find(table, "time");
  *out = (Knots){.count = (int)table->rows};
  if (time < 0)
    return heft_error_set_at(error, HEFT_ERR_NAME, file, 1, 0, "the column 'time' is missing");
  if (table->rows < 3 || table->rows > OPTIMISE_KNOTS)
    return heft_error_set_at(error, HEFT_ERR_VALUE, file, 0, 0,
                             "expected 3 to %d knots, found %lld", OPTIMISE_KNOTS,
                             (long long)table->rows);
  for (int c = 0; c < table->columns; ++c) {
    if (c == time) continue;
    if (out->channels == OPTIMISE_CHANNELS)
      return heft_error_set_at(error, HEFT_ERR_VALUE, file, 1, c + 1, "more than %d joints",
                               OPTIMISE_CHANNELS);
    if (matching_joints(m, table->name[c]) == 0)
      return heft_error_set_at(error, HEFT_ERR_NAME, file, 1, c + 1,
                               "no hinge or slide of the model matches '%.60s'", table->name[c]);
    for (int k = 0; k < out->count; ++k) {
      const double value = table->number[(long)k * table->columns + c];
      if (!(fabs(value) <= 100))
        return heft_error_set_at(error, HEFT_ERR_VALUE, file, k + 2, c + 1,
                                 "%g rad or m is beyond 100", value);
      out->value[k][out->channels] = value;
    }
    out->name[out->channels++] = table->name[c];
  }
  for (int k = 0; k < out->count; ++k) {
    out->time[k] = table->number[(long)k * table->columns + time];
    if (!(fabs(out->time[k]) <= 1000) || (k > 0 && !(out->time[k] >= out->time[k - 1] + 0.01)))
      return heft_error_set_at(error, HEFT_ERR_VALUE, file, k + 2, time + 1,
                               "knots follow each other by 0.01 s or more, up to 1000 s");
  }
  return HEFT_OK;
}

static HeftSpline* make_spline(const Knots* k, HeftError* error) {
  double value[OPTIMISE_KNOTS * OPTIMISE_CHANNELS];
  HeftSpline* spline = NULL;
  for (int i = 0; i < k->count; ++i)
    memcpy(value + (long)i * k->channels, k->value[i], (size_t)k->channels * sizeof(double));
  heft_spline_create(&spline, k->count, k->channels, k->time, value, NULL, error);
  return spline;
}

HeftStatus knots_motion(Csv* out, const Knots* k, const HeftModel* m, int rows, double stretch,
                        HeftError* error) {
  int channel[CSV_COLUMNS_MAX] = {0};
  const double start = k->time[0], length = k->time[k->count - 1] - start;
  *out = (Csv){.rows = rows};
  out->name[out->columns++] = "time";
  for (int c = 0; c < k->channels; ++c)
    for (int i = 0; i < m->njoint && out->columns < CSV_COLUMNS_MAX; ++i)
      if (is_driven(m, i, k->name[c])) {
        channel[out->columns] = c;
        out->name[out->columns++] = heft_model_name(m, HEFT_NAMED_JOINT, i);
      }
  HeftSpline* spline = make_spline(k, error);
  out->number = calloc((size_t)rows * (size_t)out->columns, sizeof(double));
  for (int i = 0; spline && out->number && i < rows; ++i) {
    double value[OPTIMISE_CHANNELS], *row = out->number + (long)i * out->columns;
    const double t = length * i / (rows - 1);
    heft_spline_at(spline, start + t, value, NULL, NULL);
    row[0] = stretch * t;
    for (int c = 1; c < out->columns; ++c) row[c] = value[channel[c]];
  }
  const int well = spline && out->number;
  heft_spline_destroy(spline);
  if (well) return HEFT_OK;
  csv_release(out);
  return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %d rows", rows);
}

int knots_rows(const Knots* k, double sample) {
  return (int)fmin(1e6, fmax(4, ceil((k->time[k->count - 1] - k->time[0]) / sample) + 1));
}

// ---- residuals

static double over(double x, double limit) { return x > limit ? x - limit : 0; }

static double exceeded(const HeftModel* m, const Csv* table, int64_t row) {
  double sum = 0;
  for (int c = 1; c < table->columns; ++c) {
    const int joint = heft_model_find(m, HEFT_NAMED_JOINT, table->name[c]);
    const int dof = m->joint_dof[joint];
    const double q = table->number[row * table->columns + c];
    if (m->dof_limited[dof])
      sum += over(q, m->dof_range[2L * dof + 1] - inset) + over(m->dof_range[2L * dof] + inset, q);
  }
  return sum;
}

// r: rows x RESIDUALS. Returns the sum of squares; infinite if the motion cannot be judged.
static double evaluate(const HeftModel* m, const Knots* k, const OptimiseDef* def, int rows,
                       double* r, HeftError* error) {
  Csv table;
  JudgeReport report;
  double sum = 0;
  if (knots_motion(&table, k, m, rows, 1, error) != HEFT_OK) return (double)INFINITY;
  if (judge_trajectory(m, &table, "knots", &def->judge, &report, error) != HEFT_OK) {
    csv_release(&table);
    return (double)INFINITY;
  }
  for (int i = 0; i < rows; ++i) {
    const JudgeSample* s = &report.sample[i];
    double* x = r + (long)i * RESIDUALS;
    x[0] = s->torque * s->torque * s->torque * s->torque;
    x[1] = 200 * over(s->missing, 0.5 * def->judge.tolerance);
    x[2] = isfinite(s->margin) ? 100 * over(def->margin, s->margin) : 0;
    x[3] = isfinite(s->gap) ? 100 * over(def->gap, s->gap) : 0;
    x[4] = 200 * exceeded(m, &table, i);
    for (int c = 0; c < RESIDUALS; ++c) sum += x[c] * x[c];
  }
  csv_release(&table);
  judge_release(&report);
  return isfinite(sum) ? sum : (double)INFINITY;
}

// ---- the search

typedef struct Search {
  const HeftModel* m;
  const OptimiseDef* def;
  Knots origin;
  int variables, first, last, rows;  ///< knots that move: first to last
  double *r, *trial, *jacobian;      ///< rows x RESIDUALS; the last for each variable
  double *normal, *factor, *gradient, *step;
  double sum, damping;
} Search;

static int equal_knots(const Knots* k, int a, int b) {
  return memcmp(k->value[a], k->value[b], (size_t)k->channels * sizeof(double)) == 0;
}

static void apply(Knots* out, const Knots* from, const Search* s, const double* x) {
  int at = 0;
  *out = *from;
  for (int k = s->first; k <= s->last; ++k)
    for (int c = 0; c < from->channels; ++c) out->value[k][c] += x[at++];
  for (int k = s->first; k < from->count; ++k) {
    const double factor = k <= s->last + 1 ? heft_exp(fmin(0.2, fmax(-0.2, x[at++]))) : 1;
    const double first = s->origin.time[k] - s->origin.time[k - 1],
                 takes = factor * (from->time[k] - from->time[k - 1]);
    out->time[k] = out->time[k - 1] + fmin(slower * first, fmax(quicker * first, takes));
  }
}

// Normal equations of the Jacobian at these knots.
static int differentiate(Search* s, const Knots* knots, HeftError* error) {
  const long size = (long)s->rows * RESIDUALS;
  const int n = s->variables;
  Knots moved;
  memset(s->step, 0, (size_t)n * sizeof(double));
  for (int i = 0; i < n; ++i) {
    double* column = s->jacobian + i * size;
    s->step[i] = difference;
    apply(&moved, knots, s, s->step);
    s->step[i] = 0;
    if (!isfinite(evaluate(s->m, &moved, s->def, s->rows, column, error))) return 0;
    for (long k = 0; k < size; ++k) column[k] = (column[k] - s->r[k]) / difference;
  }
  for (int i = 0; i < n; ++i) {
    const double* a = s->jacobian + i * size;
    s->gradient[i] = 0;
    for (long k = 0; k < size; ++k) s->gradient[i] += a[k] * s->r[k];
    for (int j = 0; j <= i; ++j) {
      const double* b = s->jacobian + j * size;
      double dot = 0;
      for (long k = 0; k < size; ++k) dot += a[k] * b[k];
      s->normal[(long)i * n + j] = dot;
    }
  }
  return 1;
}

// step = -(N + damping (diagonal of N + ε))⁻¹ gradient, by Cholesky.
static int solve_step(Search* s) {
  const int n = s->variables;
  memcpy(s->factor, s->normal, sizeof(double) * (size_t)n * (size_t)n);
  for (int i = 0; i < n; ++i) {
    s->factor[(long)i * n + i] += s->damping * (s->normal[(long)i * n + i] + 1);
    s->step[i] = -s->gradient[i];
  }
  if (heft_cholesky_factor(n, s->factor, n)) return 0;
  heft_cholesky_solve(n, s->factor, n, s->step);
  return 1;
}

// Tries steps, shorter and shorter. 0: none is better.
static int improve(Search* s, Knots* knots, HeftError* error) {
  const size_t bytes = (size_t)s->rows * RESIDUALS * sizeof(double);
  Knots moved;
  if (!differentiate(s, knots, error)) return 0;
  for (int k = 0; k < TRIALS; ++k, s->damping *= 4) {
    if (!solve_step(s)) continue;
    apply(&moved, knots, s, s->step);
    const double sum = evaluate(s->m, &moved, s->def, s->rows, s->trial, error);
    if (!(sum < s->sum)) continue;
    *knots = moved;
    s->sum = sum;
    memcpy(s->r, s->trial, bytes);
    s->damping = fmax(1e-6, s->damping / 8);
    return 1;
  }
  return 0;
}

static int search_open(Search* s, const Knots* knots) {
  s->first = 1;
  s->last = knots->count - 2;
  while (s->first < s->last && equal_knots(knots, s->first, 0)) ++s->first;
  while (s->last > s->first && equal_knots(knots, s->last, knots->count - 1)) --s->last;
  s->variables = (s->last - s->first + 1) * (knots->channels + 1) + 1;
  s->rows = knots_rows(knots, s->def->sample);
  const size_t n = (size_t)s->variables, size = (size_t)s->rows * RESIDUALS;
  s->r = calloc((2 + n) * size + 2 * n * n + 2 * n, sizeof(double));
  if (!s->r) return 0;
  s->trial = s->r + size;
  s->jacobian = s->trial + size;
  s->normal = s->jacobian + n * size;
  s->factor = s->normal + n * n;
  s->gradient = s->factor + n * n;
  s->step = s->gradient + n;
  s->damping = 1;
  return 1;
}

HeftStatus optimise_knots(const HeftModel* m, Knots* knots, const OptimiseDef* def,
                          HeftError* error) {
  Search s = {.m = m, .def = def, .origin = *knots};
  HeftError found = {0};
  if (!search_open(&s, knots))
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the search");
  s.sum = evaluate(m, knots, def, s.rows, s.r, &found);
  for (int i = 0; i < def->rounds && found.status == HEFT_OK; ++i)
    if (!improve(&s, knots, &found)) break;
  free(s.r);
  if (error) *error = found;
  return found.status;
}
