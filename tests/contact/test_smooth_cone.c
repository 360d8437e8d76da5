// SPDX-License-Identifier: Apache-2.0
// Cones with rounded edges: their derivatives are those of their values, their images lie inside,
// and they become the cones themselves as the rounding goes to zero.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "contact/newton/smooth_cone.h"
#include "contact/problems.h"

static const double RADIUS = 0.3;

static Cone random_cone(Random* random, int kind) {
  static const HeftConstraintType types[] = {HEFT_CONSTRAINT_POINT,        HEFT_CONSTRAINT_PLANAR,
                                             HEFT_CONSTRAINT_FRICTIONLESS, HEFT_CONSTRAINT_BOX,
                                             HEFT_CONSTRAINT_BILATERAL,    HEFT_CONSTRAINT_ROLLING};
  const HeftConstraintBlock contact = {
      .type = types[kind],
      .mu = kind == 0 && random_unit(random) < 0.1 ? 0 : random_between(random, 0.05, 2),
      .mu_roll = 0.1,
      .lower = -0.5,
      .upper = 0.7};
  return cone_make(&contact, 1);
}

static void random_point(Random* random, int rows, double* x) {
  for (int k = 0; k < rows; ++k) x[k] = random_between(random, -2, 2);
}

static void derivatives(void** state) {
  (void)state;
  Random random = {5};
  for (int trial = 0; trial < 3000; ++trial) {
    const Cone cone = random_cone(&random, trial % 5);
    const int n = cone.rows;
    double x[6] = {0}, d[36] = {0}, worst = 0;
    random_point(&random, n, x);
    if (trial % 7 == 0 && n > 1) x[1] = x[n - 1] = 0;  // on the axis
    smooth_cone_derivative(&cone, RADIUS, x, d);
    for (int b = 0; b < n; ++b) {
      double up[6] = {0}, down[6] = {0};
      for (int k = 0; k < n; ++k) up[k] = down[k] = x[k];
      up[b] += 1e-5;
      down[b] -= 1e-5;
      smooth_cone_project(&cone, RADIUS, up);
      smooth_cone_project(&cone, RADIUS, down);
      for (int a = 0; a < n; ++a)
        worst = fmax(worst, fabs((up[a] - down[a]) / 2e-5 - d[a * n + b]));
    }
    // the second derivative jumps on the axis
    if (!(worst < (trial % 7 == 0 ? 1e-3 : 1e-7)))
      fail_msg("trial %d, %d rows, mu %g: %g", trial, n, cone.mu[0], worst);
  }
}

static void shift_derivatives(void** state) {
  (void)state;
  Random random = {6};
  for (int trial = 0; trial < 600; ++trial) {
    const Cone cone = random_cone(&random, trial % 2 ? 5 : 0);
    const int n = cone.rows;
    double u[6] = {0}, d[36] = {0};
    random_point(&random, n, u);
    for (int a = 0; a < n; ++a) d[a * n + a] = 1;
    smooth_cone_shift_derivative(&cone, 0.2, u, d);
    for (int b = 0; b < n; ++b) {
      double up[6], down[6];
      memcpy(up, u, sizeof up);
      memcpy(down, u, sizeof down);
      up[b] += 1e-5;
      down[b] -= 1e-5;
      const double slope =
          (smooth_cone_shift(&cone, 0.2, up) - smooth_cone_shift(&cone, 0.2, down)) / 2e-5;
      assert_true(fabs(slope + (b == 0) - d[b]) < 1e-8);
    }
  }
}

// r = P(r - û) puts r and û inside of K and K*, and their coordinates along an edge multiply to T².
static void image_is_inside(void** state) {
  (void)state;
  Random random = {7};
  for (int trial = 0; trial < 2000; ++trial) {
    const Cone cone = random_cone(&random, 0);
    const double mu = cone.mu[0];
    double z[3], r[3], u[3];
    random_point(&random, 3, z);
    memcpy(r, z, sizeof r);
    smooth_cone_project(&cone, RADIUS, r);
    for (int k = 0; k < 3; ++k) u[k] = r[k] - z[k];
    const double rt = sqrt(r[1] * r[1] + r[2] * r[2]), ut = sqrt(u[1] * u[1] + u[2] * u[2]);
    assert_true(r[0] > 0 && rt <= mu * r[0] * (1 + 1e-12) && u[0] >= mu * ut * (1 - 1e-9));
    const double along = (r[0] + mu * rt) * (u[0] - mu * ut) / (RADIUS * RADIUS);
    assert_true(fabs(along - 1) < 1e-6);
  }
}

static void becomes_the_cone(void** state) {
  (void)state;
  Random random = {8};
  for (int trial = 0; trial < 1200; ++trial) {
    const Cone cone = random_cone(&random, trial % 6);
    double x[6] = {0}, sharp[6], smooth[6];
    random_point(&random, cone.rows, x);
    memcpy(sharp, x, sizeof x);
    memcpy(smooth, x, sizeof x);
    cone_project(&cone, sharp);
    smooth_cone_project(&cone, 1e-9, smooth);
    for (int k = 0; k < cone.rows; ++k) assert_true(fabs(sharp[k] - smooth[k]) < 1e-8);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives),
      cmocka_unit_test(shift_derivatives),
      cmocka_unit_test(image_is_inside),
      cmocka_unit_test(becomes_the_cone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
