// SPDX-License-Identifier: Apache-2.0
// One contact at a time: random problems with friction up to 10 and blocks that are singular to
// twelve digits. The environment variable HEFT_LONG makes it five million of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "contact/core/cone.h"
#include "contact/core/local.h"
#include "contact/problems.h"

static double normal_number(Random* random) {  // close enough to a bell: the sum of twelve
  double sum = -6;
  for (int k = 0; k < 12; ++k) sum += random_unit(random);
  return sum;
}

static double power_of_ten(double x) {  // 10^x, x in [-12, 0], by repeated roots
  double y = 1, base = 0.1;
  int whole = (int)-x;
  for (int k = 0; k < whole; ++k) y *= base;
  double rest = -x - whole, root = 0.1;
  for (int k = 0; k < 20; ++k) {
    root = sqrt(root);
    rest *= 2;
    if (rest >= 1) {
      y *= root;
      rest -= 1;
    }
  }
  return y;
}

typedef struct Case {
  double g[9], q[3], mu;
} Case;

static Case random_case(Random* random, double spread) {
  Case c;
  double a[9], s[3] = {1, power_of_ten(-spread * random_unit(random)),
                       power_of_ten(-spread * random_unit(random))};
  for (int k = 0; k < 9; ++k) a[k] = normal_number(random);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      c.g[3 * i + j] = 0;
      for (int k = 0; k < 3; ++k) c.g[3 * i + j] += a[3 * i + k] * s[k] * a[3 * j + k];
    }
  }
  const double alpha = 0.1 * (c.g[0] + c.g[4] + c.g[8]) / 3;
  for (int k = 0; k < 3; ++k) c.g[4 * k] += alpha;
  c.q[0] = -fabs(normal_number(random)) * power_of_ten(-3 * random_unit(random));
  c.q[1] = normal_number(random);
  c.q[2] = normal_number(random);
  c.mu = random_unit(random) < 0.5 ? random_unit(random) : 10 * random_unit(random);
  return c;
}

static double error_of(const Case* c, const double* r) {
  HeftConstraintBlock contact = {.type = HEFT_CONSTRAINT_POINT, .mu = c->mu};
  const Cone cone = cone_make(&contact, 1);
  double u[3];
  for (int i = 0; i < 3; ++i)
    u[i] = c->q[i] + c->g[3 * i] * r[0] + c->g[3 * i + 1] * r[1] + c->g[3 * i + 2] * r[2];
  const double w = (c->g[0] + c->g[4] + c->g[8]) / 3;
  return cone_residual(&cone, w, r, u) /
         sqrt(c->q[0] * c->q[0] + c->q[1] * c->q[1] + c->q[2] * c->q[2]);
}

static void all_random_contacts_are_solved(void** state) {
  (void)state;
  const long count = getenv("HEFT_LONG") ? 1000000 : 20000;
  const double spreads[] = {1, 3, 6, 9, 12};
  Random random = {88172645463325252ULL};
  for (int s = 0; s < 5; ++s) {
    double worst = 0;
    long steps = 0, slips = 0;
    int max = 0;
    for (long k = 0; k < count; ++k) {
      const Case c = random_case(&random, spreads[s]);
      Local local;
      local_make(&local, c.g, c.mu);
      double r[3] = {0, 0, 0}, again[3] = {0, 0, 0};
      local_solve(&local, c.q, LOCAL_EXACT, r);
      const double e = error_of(&c, r);
      worst = e > worst || e != e ? e : worst;
      if (r[0] > 0 && fabs(sqrt(r[1] * r[1] + r[2] * r[2]) - c.mu * r[0]) < 1e-12 * r[0]) {
        local.lambda = 0;  // cold again
        const int taken = local_slip(&local, c.q, LOCAL_EXACT, again);
        max = taken > max ? taken : max;
        steps += taken;
        slips++;
      }
    }
    print_message("spread 1e-%g: worst %.1e, %.2f steps, at most %d\n", spreads[s], worst,
                  (double)steps / (double)slips, max);
    assert_true(worst < 1e-12);
    assert_true(max <= LOCAL_STEPS_MAX);
  }
}

// From a good guess the same answer, from the answer itself no change.
static void a_warm_start_changes_nothing(void** state) {
  (void)state;
  Random random = {99};
  for (int k = 0; k < 5000; ++k) {
    const Case c = random_case(&random, 2);
    Local local;
    local_make(&local, c.g, c.mu);
    double r[3] = {0, 0, 0}, u[3], again[3];
    local_solve(&local, c.q, LOCAL_EXACT, r);
    for (int i = 0; i < 3; ++i)
      u[i] = c.q[i] + c.g[3 * i] * r[0] + c.g[3 * i + 1] * r[1] + c.g[3 * i + 2] * r[2];
    memcpy(again, r, sizeof r);
    local_solve(&local, u, LOCAL_EXACT, again);
    for (int i = 0; i < 3; ++i)
      assert_true(fabs(again[i] - r[i]) <= 1e-10 * (fabs(r[0]) + fabs(r[1]) + fabs(r[2])));
  }
}

static void no_friction(void** state) {
  (void)state;
  const double g[9] = {2, 0.5, 0, 0.5, 3, 0, 0, 0, 4}, q[3] = {-4, 1, 1};
  Local local;
  local_make(&local, g, 0);
  double r[3] = {0, 0, 0};
  local_solve(&local, q, LOCAL_EXACT, r);
  assert_true(r[0] == 2 && r[1] == 0 && r[2] == 0);
}

// The projection is the nearest point: its residual is orthogonal, and it is idempotent; its
// derivative is the slope.
static void cones_project(void** state) {
  (void)state;
  Random random = {4242};
  const HeftConstraintType types[] = {HEFT_CONSTRAINT_POINT, HEFT_CONSTRAINT_PLANAR,
                                      HEFT_CONSTRAINT_TORSIONAL, HEFT_CONSTRAINT_ROLLING,
                                      HEFT_CONSTRAINT_FULL};
  for (int k = 0; k < 20000; ++k) {
    HeftConstraintBlock contact = {.type = types[k % 5],
                                   .mu = 2 * random_unit(&random),
                                   .mu_roll = random_unit(&random),
                                   .mu_spin = random_unit(&random)};
    const Cone cone = cone_make(&contact, 0.7);
    double x[6], p[6], again[6], y[6], d[36], dot = 0, inside = 0;
    for (int i = 0; i < cone.rows; ++i) x[i] = p[i] = random_between(&random, -1, 1);
    cone_project(&cone, p);
    memcpy(again, p, sizeof p);
    cone_project(&cone, again);
    for (int i = 0; i < cone.rows; ++i) {
      assert_true(fabs(again[i] - p[i]) < 1e-14);
      dot += (x[i] - p[i]) * p[i];
      y[i] = random_between(&random, -1, 1);
    }
    assert_true(fabs(dot) < 1e-14);
    cone_project(&cone, y);  // any other point of K is not on the outer side
    for (int i = 0; i < cone.rows; ++i) inside += (x[i] - p[i]) * (y[i] - p[i]);
    assert_true(inside < 1e-13);
    cone_derivative(&cone, x, d);
    const double h = 1e-7;
    double moved[6], error = 0;
    for (int i = 0; i < cone.rows; ++i) moved[i] = x[i] + h * (i + 1);
    cone_project(&cone, moved);
    for (int i = 0; i < cone.rows; ++i) {
      double slope = 0;
      for (int j = 0; j < cone.rows; ++j) slope += d[i * cone.rows + j] * (j + 1);
      error = fmax(error, fabs((moved[i] - p[i]) / h - slope));
    }
    assert_true(error < 1e-3 || k % 97 != 0);  // kinks are rare; most points must be smooth
    if (k < 1000 && error > 1e-3) assert_true(error < 10);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_random_contacts_are_solved),
      cmocka_unit_test(a_warm_start_changes_nothing),
      cmocka_unit_test(no_friction),
      cmocka_unit_test(cones_project),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
