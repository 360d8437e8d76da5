// SPDX-License-Identifier: Apache-2.0
// Papers: R50, R68.
// heft identify --calibrate, --wrench: matrix and offset of a force sensor. The known loads are
// columns of the log, or follow from the weights of the model in the poses of the log.
#include <heft/heft.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify.h"
#include "plot.h"

static const double at_rest = 0.01;  // speed of a joint up to which a row is a pose at rest [rad/s]

typedef struct Loads {
  int axes;
  long rows, left_out;
  double *wrench, *raw; /**< rows x axes */
  char label[HEFT_SENSOR_AXES][LOG_NAME];
} Loads;

static int reserve(Loads* l, long rows) {
  l->wrench = calloc((size_t)rows, 6 * sizeof(double));
  l->raw = calloc((size_t)rows, 6 * sizeof(double));
  return l->wrench && l->raw ? 1 : identify_wrong("there is not enough memory for %ld rows", rows);
}

// ---- from columns

static int read_columns(Identify* id, Loads* l) {
  char room[2][IDENTIFY_NAMES * 16];
  const char* names[2][IDENTIFY_NAMES];
  HeftError error = {0};
  l->axes = identify_split(id->wrench, room[0], sizeof room[0], names[0]);
  const int readings = identify_split(id->reading, room[1], sizeof room[1], names[1]);
  if (l->axes == 0 || readings == 0) return 0;
  if (l->axes != readings || l->axes > HEFT_SENSOR_AXES)
    return identify_wrong("--wrench has %d columns and --reading %d; expected as many, at most %d",
                          l->axes, readings, (int)HEFT_SENSOR_AXES);
  if (!reserve(l, id->log.rows)) return 0;
  l->rows = id->log.rows;
  for (int i = 0; i < l->axes; ++i) {
    const int f = log_table_need(&id->log, names[0][i], id->path, &error);
    const int r = f < 0 ? -1 : log_table_need(&id->log, names[1][i], id->path, &error);
    if (r < 0) return identify_fail(&error);
    log_table_copy(&id->log, f, l->wrench + i, l->axes);
    log_table_copy(&id->log, r, l->raw + i, l->axes);
    snprintf(l->label[i], LOG_NAME, "%.*s", LOG_NAME - 1, names[1][i]);
  }
  return 1;
}

// ---- from poses of the model

// The sensor without errors.
static void make_perfect(HeftModel* m, int sensor) {
  const int at = m->sensor_address[sensor];
  const int count = heft_sensor_type_value_count(m->sensor_type[sensor]);
  m->sensor_noise[sensor] = m->sensor_cutoff[sensor] = 0;
  for (int k = 0; k < count; ++k) {
    m->sensor_offset[at + k] = 0;
    for (int c = 0; c < 4; ++c) m->sensor_matrix[4L * (at + k) + c] = c == k;
  }
}

// Values of the model's sensors that the list names, and their columns.
static int find_values(Identify* id, HeftModel* m, Loads* l, int* value, int* column) {
  char room[IDENTIFY_NAMES * 16], name[LOG_NAME + 16];
  const char* names[IDENTIFY_NAMES];
  HeftError error = {0};
  const int sensors = identify_split(id->calibrate, room, sizeof room, names);
  for (int i = 0; i < sensors; ++i) {
    int sensor = -1;
    if (heft_model_lookup(m, HEFT_NAMED_SENSOR, names[i], &sensor, &error) != HEFT_OK)
      return identify_fail(&error);
    const int count = heft_sensor_type_value_count(m->sensor_type[sensor]);
    if (l->axes + count > HEFT_SENSOR_AXES)
      return identify_wrong("'%s' has more than %d values", id->calibrate, (int)HEFT_SENSOR_AXES);
    make_perfect(m, sensor);
    for (int k = 0; k < count; ++k) {
      snprintf(name, sizeof name, count > 1 ? "%.70s.%d" : "%.70s", names[i], k);
      value[l->axes] = m->sensor_address[sensor] + k;
      column[l->axes] = log_table_need(&id->log, name, id->path, &error);
      if (column[l->axes] < 0) return identify_fail(&error);
      snprintf(l->label[l->axes++], LOG_NAME, "%.*s", LOG_NAME - 1, name);
    }
  }
  return sensors > 0;
}

// First column of q0.., v0..; -1: not all of them are there.
static int find_state(const Identify* id, const char* letter, int count) {
  char name[32];
  snprintf(name, sizeof name, "%s0", letter);
  const int first = log_table_find(&id->log, name);
  for (int i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "%s%d", letter, i);
    if (first < 0 || log_table_find(&id->log, name) != first + i) return -1;
  }
  return first;
}

static int read_poses(Identify* id, HeftModel* m, Loads* l) {
  int value[HEFT_SENSOR_AXES] = {0}, column[HEFT_SENSOR_AXES] = {0};
  HeftError error = {0};
  HeftWorld* w = NULL;
  const int q = find_state(id, "q", m->nq), v = find_state(id, "v", m->nv);
  if (q < 0)
    return identify_wrong("%s: expected columns q0 to q%d with the coordinates of the model",
                          id->path, m->nq - 1);
  if (!find_values(id, m, l, value, column) || !reserve(l, id->log.rows)) return 0;
  if (heft_world_create(&w, m, NULL, &error) != HEFT_OK) return identify_fail(&error);
  for (long i = 0; i < id->log.rows; ++i) {
    const double* row = id->log.number + i * id->log.columns;
    double speed = 0;
    for (int k = 0; k < m->nv && v >= 0; ++k) speed = fmax(speed, fabs(row[v + k]));
    if (speed > at_rest || heft_world_set_q(w, 0, row + q, m->nq, NULL) != HEFT_OK) {
      ++l->left_out;
      continue;
    }
    const double* truth = heft_world_sensors(w);
    for (int k = 0; k < l->axes; ++k) {
      l->wrench[l->rows * l->axes + k] = truth[value[k]];
      l->raw[l->rows * l->axes + k] = row[column[k]];
    }
    ++l->rows;
  }
  heft_world_destroy(w);
  return 1;
}

// ---- output

static void print(Identify* id, const Loads* l, const HeftCalibration* c) {
  char name[3 * LOG_NAME];
  if (!id->json) {
    printf("%s: %ld rows", id->path, l->rows);
    if (l->left_out > 0) printf(", %ld more in motion left out", l->left_out);
    printf("; f = G (reading + d)\n\n");
  }
  for (int i = 0; i < c->axes; ++i) {
    for (int k = 0; k < c->axes; ++k) {
      snprintf(name, sizeof name, "G[%d][%d]", i, k);
      identify_print(id, name, "", &c->matrix[i][k]);
    }
  }
  for (int i = 0; i < c->axes; ++i) {
    snprintf(name, sizeof name, "d[%d] %.60s", i, l->label[i]);
    identify_print(id, name, "", &c->offset[i]);
  }
  for (int i = 0; i < c->axes && !id->json; ++i)
    printf("  noise of %-19.60s %12.4g\n", l->label[i], c->noise[i]);
}

// Wrench by the calibration over the known wrench, one panel per axis.
static int draw(const Identify* id, const Loads* l, const HeftCalibration* c) {
  PlotCurve curves[HEFT_SENSOR_AXES][2];
  PlotPanel panels[HEFT_SENSOR_AXES];
  double ends[HEFT_SENSOR_AXES][2];
  char title[300], names[HEFT_SENSOR_AXES][40];
  double *known = calloc((size_t)l->rows, 6 * sizeof(double)),
         *found = calloc((size_t)l->rows, 6 * sizeof(double));
  int well = known && found;
  for (int i = 0; well && i < l->axes; ++i) {
    ends[i][0] = ends[i][1] = 0;
    for (long t = 0; t < l->rows; ++t) {
      double sum = 0;
      for (int k = 0; k < l->axes; ++k)
        sum += c->matrix[i][k].value * (l->raw[t * l->axes + k] + c->offset[k].value);
      known[i * l->rows + t] = l->wrench[t * l->axes + i];
      found[i * l->rows + t] = sum;
      ends[i][0] = fmin(ends[i][0], l->wrench[t * l->axes + i]);
      ends[i][1] = fmax(ends[i][1], l->wrench[t * l->axes + i]);
    }
    curves[i][0] = (PlotCurve){.name = "by the calibration",
                               .x = known + i * l->rows,
                               .y = found + i * l->rows,
                               .count = (size_t)l->rows,
                               .style = PLOT_POINTS};
    curves[i][1] = (PlotCurve){.name = "equal", .x = ends[i], .y = ends[i], .count = 2, .color = 1};
    snprintf(names[i], sizeof names[i], "axis %d", i + 1);
    panels[i] = (PlotPanel){.title = names[i],
                            .x_label = "known load",
                            .y_label = "sensor",
                            .curves = curves[i],
                            .curve_count = 2};
  }
  snprintf(title, sizeof title, "Calibration from %.200s", id->path);
  const Plot plot = {.title = title, .panels = panels, .panel_count = l->axes, .columns = 3};
  well = well && plot_write(id->plot, &plot);
  free(known);
  free(found);
  return well;
}

int identify_sensor(Identify* id) {
  Loads l = {0};
  HeftCalibration c;
  HeftError error = {0};
  HeftModel* m = id->calibrate ? identify_model(id) : NULL;
  int well = id->calibrate ? m && read_poses(id, m, &l) : read_columns(id, &l);
  if (well) {
    well = heft_identify_calibration(l.axes, l.rows, l.wrench, l.raw, &c, &error) == HEFT_OK;
    if (well)
      print(id, &l, &c);
    else
      identify_wrong("%s: %s", id->path, error.message);
    if (well && id->plot) well = draw(id, &l, &c);
  }
  free(l.wrench);
  free(l.raw);
  heft_model_destroy(m);
  return well;
}
