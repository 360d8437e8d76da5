// SPDX-License-Identifier: Apache-2.0
// Papers: R20, U3.
// The certificate against cases that can be worked out by hand, and against mistakes put in on
// purpose.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contact/problems.h"

// One contact, W = diag(w), everything in the open.
typedef struct One {
  HeftContactProblem problem;
  HeftConstraintBlock contact;
  int start[2], column[1];
  double block[36], bias[6], impulse[6], scratch[64];
} One;

static void one_make(One* one, HeftConstraintType type, double w, double mu) {
  const int rows = heft_constraint_type_row_count(type);
  memset(one, 0, sizeof *one);
  one->contact =
      (HeftConstraintBlock){.type = type, .effector = {-1, -1}, .mu = mu, .lower = -1, .upper = 1};
  one->start[1] = 1;
  for (int k = 0; k < rows; ++k) one->block[k * rows + k] = w;
  one->problem = (HeftContactProblem){.constraint_count = 1,
                                      .row_count = rows,
                                      .constraints = &one->contact,
                                      .bias = one->bias,
                                      .block_start = one->start,
                                      .block_column = one->column,
                                      .blocks = one->block};
}

static HeftContactCertificate certify(One* one) {
  return heft_contact_certify(&one->problem, one->impulse, NULL, one->scratch);
}

static void sticking_is_exact(void** state) {
  (void)state;
  One one;
  one_make(&one, HEFT_CONSTRAINT_POINT, 2.0, 0.5);
  one.bias[0] = -4;
  one.bias[1] = 1;
  one.impulse[0] = 2;
  one.impulse[1] = -0.5;
  assert_true(certify(&one).residual < 1e-15);
  one.impulse[1] = -0.4;  // friction too small: 0.2 m/s of slip, stopped by nothing
  assert_float_equal(certify(&one).residual, 0.2 * sqrt(1 + 0.25), 0.05);
  one.impulse[1] = -0.5;
  one.impulse[0] = 2.1;  // the normal too strong: leaves with 0.2 m/s though it is pressed
  assert_float_equal(certify(&one).residual, 0.2, 1e-12);
}

static void sliding_is_exact(void** state) {
  (void)state;
  One one;
  one_make(&one, HEFT_CONSTRAINT_POINT, 1.0, 0.5);
  one.bias[0] = -2;
  one.bias[1] = 3;
  one.bias[2] = -4;  // slip 5, friction 1 against it
  one.impulse[0] = 2;
  one.impulse[1] = -0.6;
  one.impulse[2] = 0.8;
  const HeftContactCertificate good = certify(&one);
  assert_true(good.residual < 1e-14 && good.slip_angle < 1e-14 && good.cone < 1e-14);
  assert_true(good.complementarity < 1e-13);
  assert_float_equal(good.energy_change, -2 - 1 * 4.5, 1e-12);
  one.impulse[1] = -0.8;  // still on the cone, but not against the slip
  one.impulse[2] = 0.6;
  const HeftContactCertificate turned = certify(&one);
  assert_true(turned.residual > 0.1);
  assert_float_equal(turned.slip_angle, 0.35299, 1e-4);
}

static void opening_and_pulling(void** state) {
  (void)state;
  One one;
  one_make(&one, HEFT_CONSTRAINT_POINT, 1.0, 0.5);
  one.bias[0] = 1;
  one.bias[1] = 7;
  assert_true(certify(&one).residual == 0);
  one.impulse[0] = -0.25;  // a contact cannot pull
  const HeftContactCertificate pulled = certify(&one);
  assert_float_equal(pulled.cone, 0.25, 1e-15);
  assert_true(pulled.residual > 0.2);
  one.impulse[0] = 0;
  one.bias[0] = -0.5;
  const HeftContactCertificate through = certify(&one);
  assert_float_equal(through.normal, 0.5, 1e-15);
  assert_true(through.residual > 0.4);
}

static void scalar_rows(void** state) {
  (void)state;
  One one;
  one_make(&one, HEFT_CONSTRAINT_FRICTIONLESS, 4.0, 0);
  one.bias[0] = -2;
  one.impulse[0] = 0.5;
  assert_true(certify(&one).residual < 1e-15);
  one_make(&one, HEFT_CONSTRAINT_BILATERAL, 4.0, 0);
  one.bias[0] = 2;
  one.impulse[0] = -0.5;
  assert_true(certify(&one).residual < 1e-15);
  one.impulse[0] = -0.4;
  assert_float_equal(certify(&one).residual, 0.4, 1e-12);
  one_make(&one, HEFT_CONSTRAINT_BOX, 4.0, 0);
  one.bias[0] = -10;
  one.impulse[0] = 1;  // at its upper bound, still moving: allowed
  assert_true(certify(&one).residual < 1e-15);
  one.impulse[0] = 0.9;
  assert_true(certify(&one).residual > 0.3);
  one.impulse[0] = 1.2;
  assert_float_equal(certify(&one).cone, 0.2, 1e-12);
}

static void static_friction_holds_between_the_cones(void** state) {
  (void)state;
  One one;
  one_make(&one, HEFT_CONSTRAINT_POINT, 1.0, 0.5);
  one.contact.mu_static = 0.8;
  one.bias[0] = -1;
  one.bias[1] = 0.7;
  one.impulse[0] = 1;
  one.impulse[1] = -0.7;
  assert_true(certify(&one).residual < 1e-14);
  one.bias[1] = 0.9;  // more than static friction can hold: kinetic friction it is
  one.impulse[1] = -0.5;
  assert_true(certify(&one).residual < 1e-14);
  one.impulse[1] = -0.8;  // slipping with static friction is not the law
  assert_true(certify(&one).residual > 0.05);
}

static void rolling_cone(void** state) {
  (void)state;
  One one;
  one_make(&one, HEFT_CONSTRAINT_FULL, 1.0, 0.5);
  one.contact.mu_roll = 0.1;
  one.contact.mu_spin = 0.05;
  one.bias[0] = -1;
  one.bias[1] = 2;
  one.bias[3] = 3;
  one.bias[5] = -4;
  one.impulse[0] = 1;
  one.impulse[1] = -0.5;
  one.impulse[3] = -0.1;
  one.impulse[5] = 0.05;
  assert_true(certify(&one).residual < 1e-14);
  one.impulse[5] = -0.05;
  assert_true(certify(&one).residual > 0.01);
}

// Velocities handed in are compared with W r + b; not finite impulses are seen.
// A point on the axis of the one hinge of a body: no impulse moves it. At rest and while it opens
// it is exact; if it closes, the error is its speed.
static void what_no_impulse_moves_is_certified(void** state) {
  (void)state;
  const HeftConstraintType types[4] = {HEFT_CONSTRAINT_POINT, HEFT_CONSTRAINT_FRICTIONLESS,
                                       HEFT_CONSTRAINT_PLANAR, HEFT_CONSTRAINT_FULL};
  for (int i = 0; i < 4; ++i) {
    One one;
    one_make(&one, types[i], 0.0, 0.5);
    assert_true(certify(&one).finite && certify(&one).residual == 0);
    one.bias[0] = 3;
    assert_true(certify(&one).residual == 0);
    one.bias[0] = -3;
    assert_float_equal(certify(&one).residual, 3, 1e-12);
  }
}

static void momentum_and_finite(void** state) {
  (void)state;
  One one;
  one_make(&one, HEFT_CONSTRAINT_POINT, 2.0, 0.5);
  one.bias[0] = 1;
  const double u[3] = {1, 0, 0.125};
  const HeftContactCertificate c = heft_contact_certify(&one.problem, one.impulse, u, one.scratch);
  assert_true(c.momentum == 0.125);
  one.impulse[0] = NAN;
  assert_int_equal(certify(&one).finite, 0);
  assert_true(isinf(certify(&one).residual));
}

// Changing the units of mass, length or time changes the absolute residual as a velocity and the
// relative one not at all.
static void does_not_depend_on_units(void** state) {
  (void)state;
  Random random = {12345};
  Made m = tower_problem(2, 3, 0.6, &random);
  Explicit e = explicit_make(&m.problem);
  const int rows = e.problem.row_count, numbers = 9 * e.start[e.problem.constraint_count];
  double* r = calloc((size_t)rows, sizeof(double));
  double* scratch = calloc(heft_contact_certify_scratch(&e.problem), sizeof(double));
  for (int k = 0; k < rows; ++k) r[k] = random_between(&random, -1e-3, 1e-2);
  const HeftContactCertificate before = heft_contact_certify(&e.problem, r, NULL, scratch);
  const double kg = 1000, metre = 0.01, second = 60;  // new units per old
  for (int k = 0; k < numbers; ++k) e.blocks[k] /= kg;
  for (int k = 0; k < rows; ++k) {
    m.bias[k] *= metre / second;
    r[k] *= kg * metre / second;
  }
  const HeftContactCertificate after = heft_contact_certify(&e.problem, r, NULL, scratch);
  assert_true(fabs(after.relative - before.relative) < 1e-12 * before.relative);
  assert_true(fabs(after.residual - before.residual * metre / second) < 1e-12 * after.residual);
  assert_int_equal(after.worst, before.worst);
  free(r);
  free(scratch);
  explicit_destroy(&e);
  made_destroy(&m);
}

// By effectors and with explicit blocks it is the same problem.
static void assert_near(double a, double b) { assert_true(fabs(a - b) <= 1e-10 * fabs(a)); }

// Points given by effectors go four at a time, those of an explicit operator one by one.
static void both_operators_agree(void** state) {
  (void)state;
  Random random = {777};
  for (int trial = 0; trial < 40; ++trial) {
    Humanoid h;
    humanoid_make(&h, &random, 3);
    Made m = humanoid_problem(&h, &random, 5, 0.4);
    Explicit e = explicit_make(&m.problem);
    double r[45], scratch[512];
    assert_true(heft_contact_certify_scratch(&m.problem) <= 512);
    for (int k = 0; k < 45; ++k) r[k] = random_between(&random, -0.01, trial % 2 ? 0.05 : 0.5);
    const HeftContactCertificate a = heft_contact_certify(&m.problem, r, NULL, scratch);
    const HeftContactCertificate b = heft_contact_certify(&e.problem, r, NULL, scratch);
    assert_near(a.residual, b.residual);
    assert_near(a.relative, b.relative);
    assert_near(a.normal, b.normal);
    assert_near(a.cone, b.cone);
    assert_near(a.complementarity, b.complementarity);
    assert_near(a.slip_angle, b.slip_angle);
    assert_near(a.energy_change, b.energy_change);
    assert_true(a.worst == b.worst && a.finite && b.finite);
    explicit_destroy(&e);
    made_destroy(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sticking_is_exact),
      cmocka_unit_test(sliding_is_exact),
      cmocka_unit_test(opening_and_pulling),
      cmocka_unit_test(scalar_rows),
      cmocka_unit_test(static_friction_holds_between_the_cones),
      cmocka_unit_test(rolling_cone),
      cmocka_unit_test(what_no_impulse_moves_is_certified),
      cmocka_unit_test(momentum_and_finite),
      cmocka_unit_test(does_not_depend_on_units),
      cmocka_unit_test(both_operators_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
