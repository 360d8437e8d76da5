// SPDX-License-Identifier: Apache-2.0
// Papers: S13.
// Butterworth low-pass filters.
//
// The poles of order n lie on a circle of radius ω_c at the angles π (2k + n + 1) / 2n; a pair of
// them makes a section 1 / (s² + 2 ζ s + 1), an odd one 1 / (s + 1), frequencies in units of ω_c.
// The bilinear transform s = (1 - z⁻¹) / (K (1 + z⁻¹)) with K = tan(π f_c / f_s) keeps the cutoff
// where it is. Sections run one after the other in the transposed direct form.
#include <heft/control.h>

#include "base/assert.h"

static void section(HeftButterworth* f, int i, double k, double twice_zeta, int second) {
  const double norm = second ? 1 / (1 + twice_zeta * k + k * k) : 1 / (1 + k);
  const double gain = second ? k * k * norm : k * norm;
  f->b[i][0] = gain;
  f->b[i][1] = second ? 2 * gain : gain;
  f->b[i][2] = second ? gain : 0;
  f->a[i][0] = second ? 2 * (k * k - 1) * norm : (k - 1) * norm;
  f->a[i][1] = second ? (1 - twice_zeta * k + k * k) * norm : 0;
}

HeftButterworth heft_butterworth_make(int order, double cutoff, double rate) {
  HEFT_REQUIRE(order >= 1 && order <= HEFT_BUTTERWORTH_ORDER_MAX, ((HeftButterworth){0}));
  HEFT_REQUIRE(cutoff > 0 && cutoff < 0.5 * rate, ((HeftButterworth){0}));
  HeftButterworth f = {.fresh = 1};
  double s, c;
  heft_sincos(HEFT_PI * cutoff / rate, &s, &c);
  const double k = s / c;
  for (int i = 0; i < order / 2; ++i) {
    const double angle = HEFT_PI * (2 * i + 1) / (2 * order);
    section(&f, f.sections++, k, 2 * heft_sin(angle), 1);
  }
  if (order % 2) section(&f, f.sections++, k, 0, 0);
  return f;
}

// At rest at x every section passes x on, with the memory that this needs.
static void settle(HeftButterworth* f, double x) {
  for (int i = 0; i < f->sections; ++i) {
    f->z[i][1] = (f->b[i][2] - f->a[i][1]) * x;
    f->z[i][0] = (f->b[i][1] - f->a[i][0]) * x + f->z[i][1];
  }
  f->fresh = 0;
}

double heft_butterworth_step(HeftButterworth* f, double x) {
  HEFT_REQUIRE(f, 0);
  if (f->fresh) settle(f, x);
  for (int i = 0; i < f->sections; ++i) {
    const double y = f->b[i][0] * x + f->z[i][0];
    f->z[i][0] = f->b[i][1] * x - f->a[i][0] * y + f->z[i][1];
    f->z[i][1] = f->b[i][2] * x - f->a[i][1] * y;
    x = y;
  }
  return x;
}
