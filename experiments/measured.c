// SPDX-License-Identifier: Apache-2.0
// Papers: R33, R76.
#include "experiments/measured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/trace.h"

static int find_column(const HeftC3dTable* t, const char* name) {
  for (int i = 1; i < t->columns; ++i)
    if (strcmp(t->name[i], name) == 0) return i;
  return -1;
}

static double time_at(const HeftC3dTable* t, int64_t row) { return t->number[row * t->columns]; }

static int value_at(const HeftC3dTable* t, int column, double time, double* out) {
  int64_t low = 0, high = t->rows - 1;
  if (t->rows < 1 || !(time >= time_at(t, 0)) || !(time <= time_at(t, high))) return 0;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    if (time_at(t, middle) <= time)
      low = middle;
    else
      high = middle;
  }
  const double a = time_at(t, low), b = time_at(t, high), s = b > a ? (time - a) / (b - a) : 0;
  const double x = t->number[low * t->columns + column], y = t->number[high * t->columns + column];
  *out = s <= 0 ? x : s >= 1 ? y : x + s * (y - x);
  return isfinite(*out);
}

static int one_column(const LabMeasured* m, const char* name, double time, double* out) {
  for (int k = 0; k < m->tables; ++k) {
    const int column = find_column(&m->table[k], name);
    if (column > 0) return value_at(&m->table[k], column, time - m->begin, out);
  }
  return 0;
}

int measured_at(const LabMeasured* m, const char* column, double time, double* out) {
  if (strncmp(column, "plates.", 7) != 0) return one_column(m, column, time, out);
  char name[40];
  double sum = 0;
  int plates = 0;
  for (int k = 1; k <= 32; ++k) {
    double x;
    snprintf(name, sizeof name, "plate%d.%.20s", k, column + 7);
    if (!one_column(m, name, time, &x)) break;
    sum += x;
    ++plates;
  }
  *out = sum;
  return plates > 0;
}

void measured_lead(const Lab* lab, double time, HeftVec3* com) {
  static const char* const ends[3] = {"x", "y", "z"};
  const LabMeasured* m = lab->measured;
  if (!m || !m->marker) return;
  const double start[3] = {lab->goal.com.x, lab->goal.com.y, lab->goal.com.z};
  double at[3] = {com->x, com->y, com->z};
  for (int k = 0; k < 3; ++k) {
    char name[80];
    double first, now;
    snprintf(name, sizeof name, "%.60s.%s", m->marker, ends[k]);
    if (measured_at(m, name, fmax(time, m->begin), &now) && measured_at(m, name, m->begin, &first))
      at[k] = start[k] + now - first;
  }
  *com = heft_vec3_from(at);
}

// The counterpart of a channel: a column of its name, else its source.
static int counterpart(const Lab* lab, const LabMeasured* m, int channel, double* values) {
  const LabLog* log = &lab->log;
  const char* own = log->name[channel];
  int named = 0, rows = 0;
  for (int k = 0; k < m->tables; ++k) named |= find_column(&m->table[k], own) > 0;
  if (!named && !log->source[channel][0]) return 0;
  const double cutoff = named ? 0 : log->cutoff[channel], sign = named ? 1 : log->sign[channel];
  const double step = log->rows > 1 ? lab_value(lab, 1, 0) - lab_value(lab, 0, 0) : 0;
  HeftButterworth filter = {0};
  const int filters = cutoff > 0 && step > 0 && cutoff * step < 0.5;
  if (filters) filter = heft_butterworth_make(5, cutoff, 1 / step);
  for (int i = 0; i < log->rows; ++i) {
    const int found =
        measured_at(m, named ? own : log->source[channel], lab_value(lab, i, 0), &values[i]);
    values[i] = found ? sign * values[i] : (double)NAN;
    if (found && filters) values[i] = heft_butterworth_step(&filter, values[i]);
    rows += found;
  }
  return rows;
}

static LabDifference difference(const Lab* lab, int channel, const double* values) {
  LabDifference d = {.channel = channel};
  double sum = 0, squares = 0, apart = 0;
  for (int i = 0; i < lab->log.rows; ++i) {
    const double own = lab_value(lab, i, channel);
    if (!isfinite(values[i]) || !isfinite(own)) continue;
    sum += values[i];
    squares += values[i] * values[i];
    apart += (own - values[i]) * (own - values[i]);
    ++d.rows;
  }
  if (d.rows == 0) return d;
  d.rms = sqrt(apart / d.rows);
  d.signal = sqrt(fmax(0, squares / d.rows - sum / d.rows * (sum / d.rows)));
  return d;
}

int lab_compare(Lab* lab, const LabMeasured* m, LabDifference out[LAB_CHANNELS_MAX]) {
  const int channels = lab->log.channel_count;
  double* values = calloc((size_t)lab->log.rows + 1, sizeof *values);
  int count = 0;
  for (int k = 1; values && k < channels; ++k) {
    char name[32];
    if (counterpart(lab, m, k, values) == 0) continue;
    out[count++] = difference(lab, k, values);
    snprintf(name, sizeof name, "%.9s %.21s", m->name, lab->log.name[k]);
    lab_add_channel(lab, name, k, values);
  }
  free(values);
  return count;
}

// ---- another engine

typedef struct Sums {
  double apart, change;
} Sums;

static void add_column(Sums* s, const LabTrace* t, int column, const HeftC3dTable* other, int at,
                       double after) {
  double sum = 0, squares = 0;
  long rows = 0;
  for (long i = 0; i < t->rows && i < other->rows; ++i) {
    const double *row = t->number + i * t->columns, x = row[column],
                 y = other->number[i * other->columns + at];
    if (row[0] <= after) continue;
    s->apart += (x - y) * (x - y);
    sum += x;
    squares += x * x;
    ++rows;
  }
  if (rows > 0) s->change += squares - sum * sum / (double)rows;
}

static double group(const LabTrace* t, const HeftC3dTable* other, double after,
                    const char* const* begins) {
  Sums s = {0, 0};
  for (int k = 1; k < t->columns; ++k) {
    const int at = find_column(other, t->name[k]);
    for (int i = 0; begins[i]; ++i)
      if (strncmp(t->name[k], begins[i], strlen(begins[i])) == 0) {
        if (at < 0) return (double)INFINITY;
        add_column(&s, t, k, other, at, after);
      }
  }
  return s.change > 0 ? sqrt(s.apart / s.change) : (double)INFINITY;
}

LabApart lab_apart(const LabTrace* t, const HeftC3dTable* other, double after) {
  const double off = (double)INFINITY;
  if (t->rows < 2 || labs(t->rows - (long)other->rows) > 1) return (LabApart){off, off, off, off};
  return (LabApart){.force = group(t, other, after, (const char*[]){"plate", "hand.", NULL}),
                    .torque = group(t, other, after, (const char*[]){"torque.", NULL}),
                    .angle = group(t, other, after, (const char*[]){"angle.", NULL}),
                    .com = group(t, other, after, (const char*[]){"com.", NULL})};
}
