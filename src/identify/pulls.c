// SPDX-License-Identifier: Apache-2.0
// Papers: R68, S14.
// The coefficient of friction from pulls at the start of slip ([Chardonnet 2012], Eq. 17).
//
// pull = µ load + c, with errors of deviation σ in the pulls and β σ in the loads. A line by least
// squares of the pulls only would come out too flat, because it mistakes errors of the loads for
// differences of loads. With the true loads eliminated, µ has the likelihood of residuals
//
//     (pull - µ load - c) / √(1 + µ² β²)
//
// ([Deming 1943]). If errors grow with the load, each residual is divided by its load: with c = 0
// and β = 0 the estimate is then the mean of pull / load, as in the source.
#include <math.h>

#include "base/assert.h"
#include "base/error.h"
#include "identify/estimate.h"

static HeftStatus residuals(void* user, const double* x, double* r, HeftError* error) {
  const HeftPulls* p = user;
  (void)error;
  const double slope = x[0], offset = p->with_offset ? x[1] : 0;
  const double across = sqrt(1 + slope * slope * p->load_noise * p->load_noise);
  for (int i = 0; i < p->count; ++i) {
    const double by = p->proportional ? p->load[i] : 1;
    r[i] = (p->pull[i] - slope * p->load[i] - offset) / (across * by);
  }
  return HEFT_OK;
}

HeftStatus heft_identify_pulls(const HeftPulls* p, HeftEstimate* coefficient, HeftEstimate* offset,
                               HeftError* error) {
  HEFT_REQUIRE(p && coefficient && offset && p->load && p->pull && p->load_noise >= 0,
               HEFT_ERR_ARGUMENT);
  const int parameters = p->with_offset ? 2 : 1;
  double largest = 0, sum = 0, loads = 0;
  if (p->count <= parameters)
    return heft_error_set(error, HEFT_ERR_VALUE, "%d pulls are too few, expected at least %d",
                          p->count, parameters + 1);
  for (int i = 0; i < p->count; ++i) {
    if (!(p->load[i] > 0 && isfinite(p->load[i]) && isfinite(p->pull[i])))
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "pull %d of %g N under a load of %g N, expected a load above 0", i + 1,
                            p->pull[i], p->load[i]);
    largest = fmax(largest, fabs(p->pull[i]));
    sum += p->pull[i];
    loads += p->load[i];
  }
  HeftPulls copy = *p;
  const double start[2] = {sum / loads, 0};
  const double step[2] = {1e-4 * fmax(fabs(start[0]), 1e-6), 1e-4 * fmax(largest, 1e-6)};
  HeftFit fit;
  const HeftFitDef def = {.residuals = residuals,
                          .user = &copy,
                          .parameters = parameters,
                          .count = p->count,
                          .start = start,
                          .step = step,
                          .robust = p->robust};
  const HeftStatus status = heft_fit(&def, &fit, error);
  if (status != HEFT_OK) return status;
  *coefficient = fit.estimate[0];
  *offset = p->with_offset ? fit.estimate[1] : (HeftEstimate){.partner = -1};
  return HEFT_OK;
}
