// SPDX-License-Identifier: Apache-2.0
// Papers: R48, R68, U4.
// heft identify --fit: parameters of a model by simulating the motion of a log, and the overlay of
// measured and simulated values.
#include <heft/heft.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify.h"
#include "plot.h"
#include "progress.h"

enum { CHANNELS_MAX = 64, PANELS_MAX = 12 };

typedef struct Fitting {
  HeftModel* model;  // gets the parameters that are found
  HeftMotion motion;
  int value[CHANNELS_MAX];
  char label[CHANNELS_MAX][LOG_NAME];
  double *time, *control, *sensed, *before, *after; /**< columns of the log, simulated values */
  double* state;                                    // q, v at the start
  HeftParameter parameter[IDENTIFY_NAMES];
  HeftFit fit;
  double noise[CHANNELS_MAX], given[CHANNELS_MAX];
} Fitting;

// ---- the log

// Adds a sensor, if the log has all its values. 0: it has not.
static int add_sensor(const Identify* id, Fitting* f, int sensor, int* column) {
  const HeftModel* m = f->model;
  const char* name = heft_model_name(m, HEFT_NAMED_SENSOR, sensor);
  const int count = heft_sensor_type_value_count(m->sensor_type[sensor]);
  char part[2 * LOG_NAME];
  for (int k = 0; k < count; ++k) {
    const int c = f->motion.channels + k;
    if (name[0])
      snprintf(part, sizeof part, count > 1 ? "%.70s.%d" : "%.70s", name, k);
    else
      snprintf(part, sizeof part, count > 1 ? "sensor%d.%d" : "sensor%d", sensor, k);
    if (c >= CHANNELS_MAX) return 0;
    column[c] = log_table_find(&id->log, part);
    if (column[c] < 0) return 0;
    f->value[c] = m->sensor_address[sensor] + k;
    f->given[c] = m->sensor_noise[sensor];
    snprintf(f->label[c], LOG_NAME, "%.*s", LOG_NAME - 1, part);
  }
  f->motion.channels += count;
  return 1;
}

static int choose_sensors(Identify* id, Fitting* f, int* column) {
  char room[IDENTIFY_NAMES * 16];
  const char* names[IDENTIFY_NAMES];
  HeftError error = {0};
  const int listed = id->sensors ? identify_split(id->sensors, room, sizeof room, names) : 0;
  if (id->sensors && listed == 0) return 0;
  for (int i = 0; i < listed; ++i) {
    int sensor = -1;
    if (heft_model_lookup(f->model, HEFT_NAMED_SENSOR, names[i], &sensor, &error) != HEFT_OK)
      return identify_fail(&error);
    if (!add_sensor(id, f, sensor, column))
      return identify_wrong("%s: there are no columns of the sensor '%.60s' (%d values)", id->path,
                            names[i], heft_sensor_type_value_count(f->model->sensor_type[sensor]));
  }
  for (int i = 0; i < f->model->nsensor && listed == 0; ++i) add_sensor(id, f, i, column);
  if (f->motion.channels > 0) return 1;
  return identify_wrong(
      "%s: no column is a sensor of the model; columns of a sensor have its name, with .0, .1.. if "
      "it has several values",
      id->path);
}

// Controls by name; actuators without a column have 0 (reported).
static int read_controls(const Identify* id, Fitting* f) {
  const HeftModel* m = f->model;
  char name[2 * LOG_NAME];
  for (int i = 0; i < m->nactuator; ++i) {
    const char* actuator = heft_model_name(m, HEFT_NAMED_ACTUATOR, i);
    snprintf(name, sizeof name, actuator[0] ? "control.%.60s" : "control.actuator%.0s%d", actuator,
             i);
    int column = log_table_find(&id->log, name);
    if (column < 0 && actuator[0]) column = log_table_find(&id->log, actuator);
    if (column >= 0)
      log_table_copy(&id->log, column, f->control + i, m->nactuator);
    else
      fprintf(stderr, "heft identify: warning: %s has no column '%s'; the control is 0\n", id->path,
              name);
  }
  return 1;
}

// The state at the start: columns q0.., v0.., or a keyframe, or the default pose.
static int read_start(const Identify* id, Fitting* f) {
  const HeftModel* m = f->model;
  HeftError error = {0};
  char name[32];
  int all = 1, key = -1;
  f->state = calloc((size_t)(m->nq + m->nv) + 1, sizeof(double));
  if (!f->state) return identify_wrong("there is not enough memory");
  memcpy(f->state, m->q_default, (size_t)m->nq * sizeof(double));
  for (int i = 0; i < m->nq + m->nv; ++i) {
    snprintf(name, sizeof name, "%s%d", i < m->nq ? "q" : "v", i < m->nq ? i : i - m->nq);
    const int column = log_table_find(&id->log, name);
    if (column >= 0 && !id->key)
      f->state[i] = id->log.number[column];
    else
      all = 0;
  }
  if (id->key) {
    if (heft_model_lookup(m, HEFT_NAMED_KEY, id->key, &key, &error) != HEFT_OK)
      return identify_fail(&error);
    memcpy(f->state, m->key_q + (long)key * m->nq, (size_t)m->nq * sizeof(double));
    memcpy(f->state + m->nq, m->key_v + (long)key * m->nv, (size_t)m->nv * sizeof(double));
  } else if (!all) {
    fprintf(stderr,
            "heft identify: warning: %s has no columns q0 to q%d and v0 to v%d; the motion starts "
            "at rest in the pose of the model\n",
            id->path, m->nq - 1, m->nv - 1);
  }
  return 1;
}

static int read_log(Identify* id, Fitting* f) {
  int column[CHANNELS_MAX] = {0};
  HeftError error = {0};
  const long rows = id->log.rows;
  const int time = log_table_need(&id->log, "time", id->path, &error);
  if (time < 0) return identify_fail(&error);
  if (rows < 2) return identify_wrong("%s: a motion has at least two rows", id->path);
  if (!choose_sensors(id, f, column)) return 0;
  const size_t n = (size_t)rows;
  f->time = calloc(n, sizeof(double));
  f->control = calloc(n * (size_t)(f->model->nactuator + 1), sizeof(double));
  f->sensed = calloc(n * (size_t)(f->motion.channels + 1), sizeof(double));
  f->before = calloc(n * (size_t)(f->motion.channels + 1), sizeof(double));
  f->after = calloc(n * (size_t)(f->motion.channels + 1), sizeof(double));
  if (!f->time || !f->control || !f->sensed || !f->before || !f->after)
    return identify_wrong("there is not enough memory for %ld rows", rows);
  log_table_copy(&id->log, time, f->time, 1);
  for (int c = 0; c < f->motion.channels; ++c)
    log_table_copy(&id->log, column[c], f->sensed + c, f->motion.channels);
  if (!read_controls(id, f) || !read_start(id, f)) return 0;
  const HeftModel* m = f->model;
  f->motion = (HeftMotion){.model = m,
                           .rows = rows,
                           .time = f->time,
                           .control = f->control,
                           .sensed = f->sensed,
                           .value = f->value,
                           .channels = f->motion.channels,
                           .q = f->state,
                           .v = f->state + m->nq,
                           .free_start = id->free_start,
                           .robust = id->robust,
                           .noise = f->given};
  return 1;
}

// ---- output

static void print(Identify* id, Fitting* f) {
  const HeftFit* fit = &f->fit;
  if (!id->json)
    printf("%s: %ld rows, %d measured values in each\n\n", id->path, f->motion.rows,
           f->motion.channels);
  for (int i = 0; i < id->fit_count; ++i) {
    const HeftEstimate* e = &fit->estimate[i];
    identify_print(id, id->fit[i], heft_parameter_unit(f->parameter[i]), e);
    if (id->json || e->excited) continue;
    if (e->partner >= 0 && e->partner < id->fit_count)
      printf("    the log does not tell it from %s: fix one of them, or move otherwise\n",
             id->fit[e->partner]);
    else
      printf("    no measured value depends on it: use a motion that does\n");
  }
  if (id->json) return;
  printf("\n");
  for (int c = 0; c < f->motion.channels; ++c)
    printf("  %-28.60s left over %10.4g\n", f->label[c], f->noise[c]);
  if (!fit->converged)
    printf("  the search ended after %d iterations without settling: start from a better model\n",
           fit->iterations);
  if (fit->correlated)
    printf(
        "  what is left over is correlated in time (%.2f from row to row), so the model is not "
        "quite\n"
        "  right or the noise not independent; the intervals were widened for it\n",
        fit->correlation);
}

static int draw(const Identify* id, const Fitting* f) {
  PlotCurve curves[PANELS_MAX][3];
  PlotPanel panels[PANELS_MAX];
  char title[300];
  const size_t rows = (size_t)f->motion.rows;
  const int stride = f->motion.channels, shown = stride < PANELS_MAX ? stride : PANELS_MAX;
  double* y = calloc(3 * rows * (size_t)shown + 1, sizeof *y);
  if (!y) return identify_wrong("there is not enough memory for the figure");
  for (int c = 0; c < shown; ++c) {
    const double* from[3] = {f->sensed, f->before, f->after};
    static const char* const names[3] = {"measured", "simulated before the fit",
                                         "simulated after the fit"};
    static const PlotStyle style[3] = {PLOT_POINTS, PLOT_DASHED, PLOT_LINE};
    static const int color[3] = {0, 2, 1};
    for (int k = 0; k < 3; ++k) {
      double* to = y + (3 * (size_t)c + (size_t)k) * rows;
      for (size_t i = 0; i < rows; ++i) to[i] = from[k][i * (size_t)stride + (size_t)c];
      curves[c][k] = (PlotCurve){.name = names[k],
                                 .x = f->time,
                                 .y = to,
                                 .count = rows,
                                 .color = color[k],
                                 .style = style[k]};
    }
    panels[c] = (PlotPanel){.title = f->label[c],
                            .x_label = "time [s]",
                            .y_label = "sensor, in its unit",
                            .curves = curves[c],
                            .curve_count = 3};
  }
  snprintf(title, sizeof title, "Measured and simulated: %.200s", id->path);
  const Plot plot = {.title = title,
                     .panels = panels,
                     .panel_count = shown,
                     .columns = shown > 4   ? 3
                                : shown > 1 ? 2
                                            : 1};
  const int well = plot_write(id->plot, &plot);
  free(y);
  return well;
}

// ---- the part

static int find_parameters(const Identify* id, Fitting* f) {
  HeftError error = {0};
  for (int i = 0; i < id->fit_count; ++i)
    if (heft_parameter_find(f->model, id->fit[i], &f->parameter[i], &error) != HEFT_OK)
      return identify_fail(&error);
  return 1;
}

static int fit(Identify* id, Fitting* f) {
  HeftError error = {0};
  if (!find_parameters(id, f) || !read_log(id, f)) return 0;
  progress_watch("fitting");
  const int well = heft_motion_simulate(&f->motion, f->before, &error) == HEFT_OK &&
                   heft_identify_motion(&f->motion, f->parameter, id->fit_count, &f->fit, f->noise,
                                        f->model, &error) == HEFT_OK &&
                   heft_motion_simulate(&f->motion, f->after, &error) == HEFT_OK;
  progress_unwatch();
  if (!well) return identify_fail(&error);
  print(id, f);
  return id->plot ? draw(id, f) : 1;
}

int identify_motion(Identify* id) {
  Fitting* f = calloc(1, sizeof *f);
  if (!f) return identify_wrong("there is not enough memory");
  f->model = identify_model(id);
  const int well = f->model && fit(id, f);
  heft_model_destroy(f->model);
  free(f->time);
  free(f->control);
  free(f->sensed);
  free(f->before);
  free(f->after);
  free(f->state);
  free(f);
  return well;
}
