// SPDX-License-Identifier: Apache-2.0
// Papers: R50, R68.
// Calibration of a force sensor from known loads.
//
// f = G (l + d) ([Chardonnet 2012], Eq. 19-20), with the wrench f known from weights and poses, and
// errors in the raw values l. So l is the side with the errors, and l = A f - d with A = G⁻¹ is
// linear: each raw value is a regression on (f, 1) of its own, all with the same matrix C =
// (Σ (f, 1)(f, 1)ᵀ)⁻¹. Regressing f on l would find a G that is too small, because it mistakes
// errors of l for loads.
//
// With s_i the deviation of raw value i, the row A_i has the covariance s_i² C. For G, from dG =
// -G dA G:
//
//     var G_ab = Σ_i G_ai² s_i² (G_·bᵀ C G_·b).
//
// A hand in different orientations loads a sensor by its weight in all directions of force, but
// with torques that follow from the forces: three directions of six. Weights at other places give
// the rest. The missing direction is the eigenvector of the smallest eigenvalue.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "identify/estimate.h"
#include "identify/normal.h"
#include "math/dense.h"

enum { ROW = HEFT_SENSOR_AXES + 1 };
static const double weak = 1e-9;  // smallest eigenvalue of the scaled matrix that counts

// One regressor: the wrench and 1.
static void regressor(int axes, const double* wrench, double* x) {
  memcpy(x, wrench, (size_t)axes * sizeof(double));
  x[axes] = 1;
}

static HeftStatus check_rank(const NormalMatrix* m, HeftCalibration* out, HeftError* error) {
  const int n = m->n;
  int worst = 0;
  out->rank = 0;
  for (int e = 0; e < n; ++e) {
    out->rank += !m->weak[e];
    if (m->value[e] < m->value[worst]) worst = e;
  }
  if (out->rank == n) return HEFT_OK;
  for (int i = 0; i < out->axes; ++i) out->missing[i] = m->vector[i * n + worst];
  int most = 0;
  for (int i = 1; i < out->axes; ++i)
    if (fabs(out->missing[i]) > fabs(out->missing[most])) most = i;
  return heft_error_set(error, HEFT_ERR_SINGULAR,
                        "the loads have %d independent directions, but a calibration of %d axes "
                        "needs %d (one more for "
                        "the offset); axis %d of the wrench never varies apart from the others: "
                        "add poses, or weights "
                        "at other places",
                        out->rank, out->axes, n, most + 1);
}

// Rows of A and offsets.
static void regress(const NormalMatrix* m, int axes, long count, const double* wrench,
                    const double* raw, double* a, HeftCalibration* out) {
  const int n = axes + 1;
  for (int i = 0; i < axes; ++i) {
    double x[ROW], g[ROW] = {0}, row[ROW], left = 0;
    for (long t = 0; t < count; ++t) {
      regressor(axes, wrench + t * axes, x);
      for (int k = 0; k < n; ++k) g[k] += x[k] * raw[t * axes + i];
    }
    heft_normal_solve(m, 0, g, row);
    for (long t = 0; t < count; ++t) {
      regressor(axes, wrench + t * axes, x);
      double r = raw[t * axes + i];
      for (int k = 0; k < n; ++k) r -= row[k] * x[k];
      left += r * r;
    }
    memcpy(a + (long)axes * i, row, (size_t)axes * sizeof(double));
    out->noise[i] = sqrt(left / (double)(count - n));
    out->offset[i] = heft_estimate_make(
        -row[axes], out->noise[i] * sqrt(heft_normal_inverse(m, axes, axes)), (double)(count - n));
  }
}

// G = A⁻¹ with its errors.
static HeftStatus invert(const NormalMatrix* m, long count, double* a, HeftCalibration* out,
                         HeftError* error) {
  const int n = out->axes;
  int pivot[HEFT_SENSOR_AXES];
  double g[HEFT_SENSOR_AXES][HEFT_SENSOR_AXES];  // columns
  if (heft_lu_factor(n, a, n, pivot) != 0)
    return heft_error_set(error, HEFT_ERR_SINGULAR,
                          "the raw values do not tell all loads apart: the calibration matrix has "
                          "no inverse; is a channel of the sensor dead?");
  for (int b = 0; b < n; ++b) {
    memset(g[b], 0, sizeof g[b]);
    g[b][b] = 1;
    heft_lu_solve(n, a, n, pivot, g[b]);
  }
  for (int b = 0; b < n; ++b) {
    double spread = 0;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) spread += g[b][i] * g[b][k] * heft_normal_inverse(m, i, k);
    for (int r = 0; r < n; ++r) {
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += g[i][r] * g[i][r] * out->noise[i] * out->noise[i];
      out->matrix[r][b] = heft_estimate_make(g[b][r], sqrt(sum * spread), (double)(count - n - 1));
    }
  }
  return HEFT_OK;
}

HeftStatus heft_identify_calibration(int axes, long count, const double* wrench, const double* raw,
                                     HeftCalibration* out, HeftError* error) {
  HEFT_REQUIRE(axes > 0 && axes <= HEFT_SENSOR_AXES && wrench && raw && out, HEFT_ERR_ARGUMENT);
  double square[ROW * ROW] = {0}, a[HEFT_SENSOR_AXES * HEFT_SENSOR_AXES];
  const int n = axes + 1;
  NormalMatrix m;
  memset(out, 0, sizeof *out);
  out->axes = axes;
  if (count < n + 1)
    return heft_error_set(error, HEFT_ERR_VALUE, "%ld rows are too few, expected at least %d",
                          count, n + 1);
  for (long t = 0; t < count; ++t) {
    double x[ROW];
    regressor(axes, wrench + t * axes, x);
    for (int i = 0; i < axes; ++i)
      if (!isfinite(x[i]) || !isfinite(raw[t * axes + i]))
        return heft_error_set(error, HEFT_ERR_VALUE, "row %ld has a number that is not finite",
                              t + 1);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) square[i * n + k] += x[i] * x[k];
  }
  heft_normal_decompose(&m, n, square, weak);
  const HeftStatus status = check_rank(&m, out, error);
  if (status != HEFT_OK) return status;
  regress(&m, axes, count, wrench, raw, a, out);
  return invert(&m, count, a, out, error);
}
