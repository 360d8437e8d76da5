// SPDX-License-Identifier: Apache-2.0
// Papers: R48, R50, R68, U4.
// Parameters from a measured motion, by simulating it.
//
// The motion is simulated from its start with its controls, and the residuals are the differences
// between simulated and measured values of sensors, each divided by the deviation of its noise
// (the output-error method, [Ljung 1999]). Nothing measured is differentiated, and nothing measured
// but the controls enters the simulation: so noise neither bends the estimates, as it does where
// noisy accelerations and velocities are regressors, nor is friction at rest lost, where sign(q̇)
// of a noisy velocity is a coin. The price is that the motion must be one that the simulation can
// follow from start to end: stable, or short.
//
// Derivatives of the simulated values are exact where every step has one (sensitivity.c), else they
// are differences. Dry friction makes accelerations jump where a motion reverses, and a parameter
// shifts such a jump from row to row. Differences therefore use steps that are coarse against
// rounding: 0.1 % of a parameter, 1 mm or mrad and 10 mm/s or mrad/s of the start.
//
// If the start is inexact, its coordinates and velocities are fitted, too, as nuisance parameters.
//
// Noise of a channel that is not known is estimated: a first fit weights channels by their size,
// its residuals give deviations, and a second fit uses these.
#include <heft/world.h>
#include <math.h>
#include <string.h>

#include "base/allocator.h"
#include "base/error.h"
#include "identify/estimate.h"
#include "identify/sensitivity.h"

static const double slack = 1e-3;  // part of a step by which rows may miss a multiple of it

// ---- memory

static void* take(const HeftAllocator* a, size_t size, HeftError* error) {
  void* memory = a->allocate(a->user, size > 0 ? size : 1, 64);
  if (memory)
    memset(memory, 0, size);
  else
    heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %zu bytes", size);
  return memory;
}

static void give(const HeftAllocator* a, void* memory, size_t size) {
  if (memory) a->release(a->user, memory, size > 0 ? size : 1);
}

static HeftModel* copy_model(const HeftModel* m, const HeftAllocator* a, HeftError* error) {
  HeftModel* out = NULL;
  const size_t size = heft_model_save_size(m);
  void* bytes = take(a, size, error);
  if (!bytes) return NULL;
  heft_model_save(m, bytes);
  heft_model_load(&out, bytes, size, a, error);
  give(a, bytes, size);
  if (out) memset(out->sensor_noise, 0, (size_t)out->nsensor * sizeof(double));
  return out;
}

// ---- simulation

// Steps between two rows.
static HeftStatus steps_between(const HeftMotion* motion, long row, double h, int* out,
                                HeftError* error) {
  const double span = motion->time[row] - motion->time[row - 1], count = floor(span / h + 0.5);
  if (!(count >= 1 && count < 1e6 && fabs(span - count * h) < slack * h))
    return heft_error_set(
        error, HEFT_ERR_VALUE,
        "rows %ld and %ld are %.9g s apart, which is no multiple of the time step "
        "%.9g s of the model; change the step of the model, or resample the log",
        row, row + 1, span, h);
  *out = (int)count;
  return HEFT_OK;
}

// sensitivity: follows the steps; NULL: none.
static HeftStatus step_to(HeftWorld* world, const HeftMotion* motion, long row,
                          Sensitivity* sensitivity, HeftError* error) {
  const HeftModel* m = motion->model;
  int steps = 0;
  const HeftStatus status = steps_between(motion, row, m->physics.time_step, &steps, error);
  if (status != HEFT_OK) return status;
  if (motion->control && m->nactuator > 0)
    memcpy(heft_world_controls(world), motion->control + row * m->nactuator,
           (size_t)m->nactuator * sizeof(double));
  for (int k = 0; k < steps; ++k) {
    const HeftStepReport report = heft_world_step(world);
    if (report.status >= HEFT_STEP_NOT_FINITE)
      return heft_error_set(error, HEFT_ERR_VALUE, "the simulation fails at %.4f s: %s",
                            report.time, heft_step_status_text(report.status));
    const HeftStatus known =
        sensitivity ? heft_sensitivity_step(sensitivity, world, error) : HEFT_OK;
    if (known != HEFT_OK) return known;
  }
  return sensitivity ? heft_sensitivity_sense(sensitivity, world, error) : HEFT_OK;
}

// Where a simulation writes: the values of channels, or, with a sensitivity, their derivatives by
// its columns, each row divided by the noise.
typedef struct Simulated {
  double* value;  // rows x channels
  Sensitivity* sensitivity;
  const double* noise;  // channels
} Simulated;

static void write_row(const Simulated* out, const HeftMotion* motion, long row,
                      const double* value) {
  const long rows = motion->rows - 1, count = rows * motion->channels;
  for (int c = 0; c < motion->channels; ++c) {
    if (!out->sensitivity) out->value[row * motion->channels + c] = value[motion->value[c]];
    for (int k = 0; out->sensitivity && row > 0 && k < out->sensitivity->count; ++k)
      out->value[k * count + c * rows + row - 1] =
          heft_sensitivity_of(out->sensitivity, motion->value[c], k) / out->noise[c];
  }
}

// The motion under a model, from q and v.
static HeftStatus simulate(const HeftMotion* motion, const HeftModel* m, const double* q,
                           const double* v, const Simulated* out, HeftError* error) {
  HeftWorld* world = NULL;
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = 1e-9;
  HeftStatus status = heft_world_create(&world, m, &def, error);
  if (status != HEFT_OK) return status;
  HeftState* state = NULL;
  status = heft_state_create(&state, m, NULL, error);
  if (status == HEFT_OK) {
    memcpy(state->q, q, (size_t)m->nq * sizeof(double));
    memcpy(state->v, v, (size_t)m->nv * sizeof(double));
    *state->time = motion->time[0];
    heft_q_normalize(m, state->q);
    heft_world_set_state(world, state);
  }
  for (long row = 0; row < motion->rows && status == HEFT_OK; ++row) {
    if (row > 0) status = step_to(world, motion, row, out->sensitivity, error);
    if (status == HEFT_OK) write_row(out, motion, row, heft_world_sensors(world));
  }
  heft_state_destroy(state);
  heft_world_destroy(world);
  return status;
}

HeftStatus heft_motion_simulate(const HeftMotion* motion, double* simulated, HeftError* error) {
  HEFT_REQUIRE(motion && motion->model && motion->q && motion->v && simulated, HEFT_ERR_ARGUMENT);
  const HeftAllocator a = heft_allocator_default();
  HeftModel* model = copy_model(motion->model, &a, error);
  if (!model) return HEFT_ERR_MEMORY;
  const Simulated out = {.value = simulated};
  const HeftStatus status = simulate(motion, model, motion->q, motion->v, &out, error);
  heft_model_destroy(model);
  return status;
}

// ---- residuals, from the second row on: the first has no step before it, hence no forces

typedef struct Replay {
  const HeftMotion* motion;
  HeftModel* model;  // with the parameters of the present evaluation
  const HeftParameter* parameter;
  int count;
  double *simulated, *noise;  // rows x channels, channels
  double *q, *v;              // of the start
  Sensitivity sensitivity;
} Replay;

// Parameters and start by x.
static void place(Replay* p, const double* x) {
  const HeftMotion* motion = p->motion;
  const HeftModel* m = motion->model;
  for (int i = 0; i < p->count; ++i) heft_parameter_set(p->model, p->parameter[i], x[i]);
  memcpy(p->q, motion->q, (size_t)m->nq * sizeof(double));
  memcpy(p->v, motion->v, (size_t)m->nv * sizeof(double));
  if (motion->free_start) {
    heft_q_integrate(m, motion->q, x + p->count, 1, p->q);
    for (int i = 0; i < m->nv; ++i) p->v[i] += x[p->count + m->nv + i];
  }
}

static HeftStatus jacobian(void* user, const double* x, double* out, HeftError* error) {
  Replay* p = user;
  const Simulated by = {.value = out, .sensitivity = &p->sensitivity, .noise = p->noise};
  place(p, x);
  heft_sensitivity_begin(&p->sensitivity, x, p->motion->q);
  return simulate(p->motion, p->model, p->q, p->v, &by, error);
}

static HeftStatus residuals(void* user, const double* x, double* r, HeftError* error) {
  Replay* p = user;
  const HeftMotion* motion = p->motion;
  const Simulated out = {.value = p->simulated};
  place(p, x);
  const HeftStatus status = simulate(motion, p->model, p->q, p->v, &out, error);
  if (status != HEFT_OK) return status;
  for (int c = 0; c < motion->channels; ++c) {
    for (long row = 1; row < motion->rows; ++row) {
      const long at = row * motion->channels + c;
      r[c * (motion->rows - 1) + row - 1] = (p->simulated[at] - motion->sensed[at]) / p->noise[c];
    }
  }
  return HEFT_OK;
}

// ---- the fit

// Deviation of a channel from its mean; 1 if it is constant.
static double size_of(const HeftMotion* motion, int c) {
  double sum = 0, squares = 0;
  for (long row = 0; row < motion->rows; ++row) sum += motion->sensed[row * motion->channels + c];
  const double mean = sum / (double)motion->rows;
  for (long row = 0; row < motion->rows; ++row) {
    const double x = motion->sensed[row * motion->channels + c] - mean;
    squares += x * x;
  }
  return squares > 0 ? sqrt(squares / (double)motion->rows) : 1;
}

// Deviation between the last simulation and the measured values.
static double left_over(const Replay* p, int c) {
  double sum = 0;
  for (long row = 1; row < p->motion->rows; ++row) {
    const long at = row * p->motion->channels + c;
    const double x = p->simulated[at] - p->motion->sensed[at];
    sum += x * x;
  }
  return sqrt(sum / (double)(p->motion->rows - 1));
}

static void prepare(const Replay* p, double* start, double* step, double* low, double* high) {
  const HeftMotion* motion = p->motion;
  const int states = motion->free_start ? motion->model->nv : 0;
  for (int i = 0; i < p->count; ++i) {
    const double now = heft_parameter_get(motion->model, p->parameter[i]);
    const bool sign = heft_parameter_signed(p->parameter[i]);
    start[i] = now;
    step[i] = 1e-3 * fmax(fabs(now), 1e-2);
    low[i] = sign ? -1e30 : 0;
    high[i] = heft_parameter_most(p->parameter[i]);
  }
  for (int i = 0; i < 2 * states; ++i) {
    start[p->count + i] = 0;
    step[p->count + i] = i < states ? 1e-3 : 1e-2;
    low[p->count + i] = -1e3;
    high[p->count + i] = 1e3;
  }
}

static HeftStatus fit_motion(Replay* p, HeftFit* fit, double* channel_noise, HeftError* error) {
  const HeftMotion* motion = p->motion;
  double start[HEFT_FIT_MAX], step[HEFT_FIT_MAX], low[HEFT_FIT_MAX], high[HEFT_FIT_MAX];
  int unknown = 0;
  bool differences = motion->differences;
  prepare(p, start, step, low, high);
  for (int i = 0; i < p->count; ++i) differences |= !heft_parameter_has_derivative(p->parameter[i]);
  for (int c = 0; c < motion->channels; ++c) {
    const double given = motion->noise ? motion->noise[c] : 0;
    p->noise[c] = given > 0 ? given : size_of(motion, c);
    unknown += !(given > 0);
  }
  const HeftFitDef def = {.residuals = residuals,
                          .jacobian = differences ? NULL : jacobian,
                          .user = p,
                          .parameters = p->count + (motion->free_start ? 2 * motion->model->nv : 0),
                          .count = (motion->rows - 1) * motion->channels,
                          .series = motion->channels,
                          .start = start,
                          .step = step,
                          .low = low,
                          .high = high,
                          .robust = motion->robust};
  if (def.count <= def.parameters)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "%ld measured numbers are too few for %d parameters", def.count,
                          def.parameters);
  HeftStatus status = heft_fit(&def, fit, error);
  if (status == HEFT_OK && unknown > 0 && motion->channels > 1) {
    for (int i = 0; i < def.parameters; ++i) start[i] = fit->estimate[i].value;
    // the last simulation of a fit is beside the minimum, by a step of the derivatives: repeat it
    double* r = p->simulated + motion->rows * motion->channels;
    status = residuals(p, start, r, error);
    for (int c = 0; c < motion->channels; ++c)
      if (!(motion->noise && motion->noise[c] > 0)) p->noise[c] = fmax(left_over(p, c), 1e-12);
    if (status == HEFT_OK) status = heft_fit(&def, fit, error);
  }
  if (status == HEFT_OK) {
    double x[HEFT_FIT_MAX] = {0};
    for (int i = 0; i < def.parameters; ++i) x[i] = fit->estimate[i].value;
    status = residuals(p, x, p->simulated + motion->rows * motion->channels, error);
    for (int c = 0; c < motion->channels; ++c) channel_noise[c] = left_over(p, c);
  }
  return status;
}

HeftStatus heft_identify_motion(const HeftMotion* motion, const HeftParameter* parameter, int count,
                                HeftFit* fit, double* channel_noise, HeftModel* model,
                                HeftError* error) {
  HEFT_REQUIRE(motion && parameter && fit && channel_noise && motion->model, HEFT_ERR_ARGUMENT);
  HEFT_REQUIRE(motion->rows > 1 && motion->channels > 0 && motion->time && motion->sensed &&
                   motion->value && motion->q && motion->v && count > 0,
               HEFT_ERR_ARGUMENT);
  const HeftModel* m = motion->model;
  if (count + (motion->free_start ? 2 * m->nv : 0) > HEFT_FIT_MAX)
    return heft_error_set(error, HEFT_ERR_LIMIT,
                          "a fit has at most %d parameters, with a free start twice the degrees of "
                          "freedom (%d) of them",
                          (int)HEFT_FIT_MAX, m->nv);
  const HeftAllocator a = heft_allocator_default();
  const size_t numbers = 2 * (size_t)(motion->rows * motion->channels) + (size_t)motion->channels +
                         (size_t)(m->nq + m->nv);
  double* room = take(&a, numbers * sizeof(double), error);
  Replay p = {.motion = motion, .parameter = parameter, .count = count};
  p.model = room ? copy_model(m, &a, error) : NULL;
  HeftStatus status = HEFT_ERR_MEMORY;
  if (p.model)
    status = heft_sensitivity_create(&p.sensitivity, p.model, parameter, count,
                                     motion->free_start ? 2 * m->nv : 0, error);
  if (p.model && status == HEFT_OK) {
    p.simulated = room;
    p.noise = room + 2 * motion->rows * motion->channels;
    p.q = p.noise + motion->channels;
    p.v = p.q + m->nq;
    status = fit_motion(&p, fit, channel_noise, error);
  }
  for (int i = 0; i < count && status == HEFT_OK && model; ++i)
    heft_parameter_set(model, parameter[i], fit->estimate[i].value);
  heft_sensitivity_destroy(&p.sensitivity);
  heft_model_destroy(p.model);
  give(&a, room, numbers * sizeof(double));
  return status;
}
