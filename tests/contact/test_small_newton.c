// SPDX-License-Identifier: Apache-2.0
// The small Newton step alone, held against the equation that it solves: F(r) = r - P_K(x) with
// x = r - (û + κ w (r - c)) / (σ w), written down again here with the functions of the cone.
#include "contact/newton/small_newton.h"

#include "contact/core_rig.h"
#include "contact/sweep/gauss_seidel.h"

static const double KAPPA = 1e-3;

// Worst |F| over all contacts with σ = 1 [N s].
static double proximal_error(CoreRig* rig, const double* center) {
  Core* core = &rig->core;
  core_state(core, core->r, core->z);
  core_velocity(core, core->r, core->z, rig->u);
  double worst = 0;
  for (int i = 0; i < core->constraints; ++i) {
    const double *r = core->r + core->slot[i], *u = rig->u + core->slot[i],
                 *c = center + core->slot[i];
    double x[8] = {0}, sum = 0;
    for (int a = 0; a < core->rows[i]; ++a)
      x[a] = r[a] - (u[a] + KAPPA * core->w[i] * (r[a] - c[a])) / core->w[i];
    x[0] -= cone_shift(&core->cone[i], u) / core->w[i];
    cone_project(&core->cone[i], x);
    for (int a = 0; a < core->rows[i]; ++a) sum += (r[a] - x[a]) * (r[a] - x[a]);
    worst = fmax(worst, sqrt(sum));
  }
  return worst;
}

// Steps from the present impulses towards the proximal point of rig->spare. Returns how many it
// took to 1e-13 N s, and the error before the last one.
static int steps_needed(CoreRig* rig, double* before_last) {
  static SmallNewton newton;
  const double goal = 1e-13;
  double error = proximal_error(rig, rig->spare);
  int k = 0;
  for (; k < 30 && error > goal; ++k) {
    assert_true(small_newton_step(&newton, &rig->core, KAPPA, rig->spare, rig->u, rig->core.r));
    *before_last = error;
    error = proximal_error(rig, rig->spare);
  }
  return error <= goal ? k : 1000;
}

// Sweeps until the residual is below the goal.
static int sweep_to(CoreRig* rig, double goal) {
  Core* core = &rig->core;
  anderson_begin(&rig->anderson, core);
  for (int k = 0; k < 3000; ++k) {
    if (core_rig_residual(rig) < goal) return 1;
    anderson_before(&rig->anderson, core->r);
    sweep(core, core->r, core->z);
    anderson_after(&rig->anderson, core);
  }
  return 0;
}

// A box that falls straight down: near the solution every contact is linearised as sticking, the
// system is linear, and one step solves it.
static void boxes_that_stick_take_one_step(void** state) {
  (void)state;
  Random random = {11};
  Made m = tower_problem(1, 1, 1, &random);
  const double twist[6] = {0, 0, 0, 1e-4, 2e-4, -9.81e-3};
  made_bias(&m, twist);
  CoreRig rig = core_rig_make(&m.problem);
  assert_true(small_newton_fits(&rig.core));
  assert_true(sweep_to(&rig, 1e-12));
  memcpy(rig.spare, rig.core.r, sizeof(double) * (size_t)rig.core.slots);
  for (int i = 0; i < rig.core.constraints; ++i) rig.core.r[rig.core.slot[i]] *= 1.001;
  double before = 0;
  assert_int_equal(steps_needed(&rig, &before), 1);
  assert_true(before > 1e-6);
  core_rig_free(&rig);
  made_destroy(&m);
}

// Near a solution the right derivative squares the error; a wrong one converges slowly or not at
// all.
static void boxes_that_slip_square_the_error(void** state) {
  (void)state;
  int slips = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Random random = {1000 + seed};
    Made m = tower_problem(1, 1 + (int)(seed % 3), 0.2, &random);
    CoreRig rig = core_rig_make(&m.problem);
    assert_true(sweep_to(&rig, 1e-10));
    Core* core = &rig.core;
    memcpy(rig.spare, core->r, sizeof(double) * (size_t)core->slots);
    for (int a = 0; a < core->slots; ++a) core->r[a] *= random_between(&random, 0.9999, 1.0001);
    double before = 0;
    assert_true(steps_needed(&rig, &before) <= 4);
    for (int i = 0; i < core->constraints; ++i) {
      const double *r = core->r + core->slot[i], *u = rig.u + core->slot[i];
      slips += r[0] > 1e-6 && u[1] * u[1] + u[2] * u[2] > 1e-8;
    }
    core_rig_free(&rig);
    made_destroy(&m);
  }
  assert_true(slips > 50);
}

// Single rows: one-sided, two-sided and with bounds that bind.
static void rows_keep_their_bounds(void** state) {
  (void)state;
  Made m = made_create(6, 1, 36);
  made_box(&m, 1, 1);
  const double point[4][3] = {{0.5, 0.5, 0}, {-0.5, 0.5, 0}, {0, -0.5, 0}, {0, 0, 0}};
  const double along[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
               across[3][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  for (int i = 0; i < 3; ++i)
    made_add(&m, HEFT_CONSTRAINT_FRICTIONLESS, 0, point[i], -1, point[i], MADE_UP, 0);
  HeftConstraintBlock* box = made_add(&m, HEFT_CONSTRAINT_BOX, 0, point[3], -1, point[3], along, 0);
  box->lower = -0.25;
  box->upper = 0.5;
  made_add(&m, HEFT_CONSTRAINT_BILATERAL, 0, point[0], -1, point[0], across, 0);
  const double twist[6] = {0, 0, 0, 2, 1, -1};
  made_bias(&m, twist);
  CoreRig rig = core_rig_make(&m.problem);
  assert_true(small_newton_fits(&rig.core));
  double before = 0;
  assert_true(steps_needed(&rig, &before) <= 16);
  assert_true(rig.core.r[rig.core.slot[3]] == -0.25);  // the row cannot stop the motion
  for (int i = 0; i < 3; ++i) assert_true(rig.core.r[rig.core.slot[i]] >= 0);
  core_rig_free(&rig);
  made_destroy(&m);
}

static void large_and_compliant_problems_do_not_fit(void** state) {
  (void)state;
  Random random = {12};
  Made m = tower_problem(1, SMALL_EFFECTORS, 0.5, &random);
  CoreRig rig = core_rig_make(&m.problem);
  assert_true(small_newton_fits(&rig.core));
  core_rig_free(&rig);
  m.problem.compliance = 1e-3;
  rig = core_rig_make(&m.problem);
  assert_false(small_newton_fits(&rig.core));
  core_rig_free(&rig);
  made_destroy(&m);
  m = tower_problem(1, SMALL_EFFECTORS + 1, 0.5, &random);
  rig = core_rig_make(&m.problem);
  assert_false(small_newton_fits(&rig.core));
  core_rig_free(&rig);
  made_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_that_stick_take_one_step),
      cmocka_unit_test(boxes_that_slip_square_the_error),
      cmocka_unit_test(rows_keep_their_bounds),
      cmocka_unit_test(large_and_compliant_problems_do_not_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
