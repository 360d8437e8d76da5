// SPDX-License-Identifier: Apache-2.0
// Anderson acceleration alone: it finds the fixed point of an affine map in as many steps as the
// map has dimensions, speeds sweeps up, keeps state and cones, and undoes a bad extrapolation.
#include "contact/core_rig.h"
#include "contact/sweep/gauss_seidel.h"

// Four two-sided rows on one body: a slot vector with four numbers that count, and no cones.
static Made four_rows(void) {
  Made m = made_create(4, 1, 36);
  made_box(&m, 1, 1);
  const double point[4][3] = {{0.5, 0, 0}, {-0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0}};
  for (int i = 0; i < 4; ++i)
    made_add(&m, HEFT_CONSTRAINT_BILATERAL, 0, point[i], -1, point[i], MADE_UP, 0);
  return m;
}

// g = c + M (r - c) with M of norm below one; z follows from r.
static void affine_map(Core* core, const double* fixed) {
  static const double map[4][4] = {
      {0.9, 0.2, 0, 0}, {-0.2, 0.9, 0, 0}, {0, 0.1, 0.8, 0}, {0.1, 0, 0, -0.5}};
  double next[4];
  for (int i = 0; i < 4; ++i) {
    next[i] = fixed[i];
    for (int j = 0; j < 4; ++j) next[i] += map[i][j] * (core->r[core->slot[j]] - fixed[j]);
  }
  for (int i = 0; i < 4; ++i) core->r[core->slot[i]] = next[i];
  core_state(core, core->r, core->z);
}

static double distance(const Core* core, const double* fixed) {
  double worst = 0;
  for (int i = 0; i < 4; ++i) worst = fmax(worst, fabs(core->r[core->slot[i]] - fixed[i]));
  return worst;
}

static void affine_maps_end_in_as_many_steps_as_dimensions(void** state) {
  (void)state;
  Made m = four_rows();
  CoreRig rig = core_rig_make(&m.problem);
  const double fixed[4] = {1, -2, 3, 0.5};
  anderson_begin(&rig.anderson, &rig.core);
  for (int k = 0; k < 5; ++k) {
    assert_true(k == 0 || distance(&rig.core, fixed) > 1e-3);
    anderson_before(&rig.anderson, rig.core.r);
    affine_map(&rig.core, fixed);
    assert_int_equal(anderson_after(&rig.anderson, &rig.core), k > 0);
  }
  assert_true(distance(&rig.core, fixed) < 1e-7);
  core_rig_free(&rig);
  made_destroy(&m);
}

static int sweeps_needed(const HeftContactProblem* p, int accelerated, double goal) {
  CoreRig rig = core_rig_make(p);
  Core* core = &rig.core;
  anderson_begin(&rig.anderson, core);
  int k = 0;
  while (k < 5000 && core_rig_residual(&rig) > goal) {
    ++k;
    anderson_before(&rig.anderson, core->r);
    sweep(core, core->r, core->z);
    if (accelerated) anderson_after(&rig.anderson, core);
  }
  core_rig_free(&rig);
  return k;
}

static void sweeps_become_fewer(void** state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Random random = {seed};
    Made m = tower_problem(2, 5, 0.4, &random);
    const int plain = sweeps_needed(&m.problem, 0, 1e-8), fast = sweeps_needed(&m.problem, 1, 1e-8);
    assert_true(fast < 5000);
    assert_true(2 * fast < plain);
    made_destroy(&m);
  }
}

// The state is extrapolated, not recomputed; it must be that of the impulses all the same.
static void state_and_cones_are_kept(void** state) {
  (void)state;
  Random random = {77};
  Made m = tower_problem(21, 4, 0.3, &random);  // with packets
  CoreRig rig = core_rig_make(&m.problem);
  Core* core = &rig.core;
  double* z = calloc((size_t)core->states, sizeof(double));
  anderson_begin(&rig.anderson, core);
  for (int k = 0; k < 20; ++k) {
    anderson_before(&rig.anderson, core->r);
    sweep(core, core->r, core->z);
    anderson_after(&rig.anderson, core);
    core_state(core, core->r, z);
    for (int a = 0; a < core->states; ++a) assert_true(fabs(core->z[a] - z[a]) < 1e-12);
    for (int i = 0; i < core->constraints; ++i) {
      const double* r = core->r + core->slot[i];
      const double slip = sqrt(r[1] * r[1] + r[2] * r[2]);
      assert_true(r[0] >= 0 && slip <= core->cone[i].mu[0] * r[0] * (1 + 1e-12) + 1e-18);
    }
  }
  free(z);
  core_rig_free(&rig);
  made_destroy(&m);
}

static void bad_extrapolations_are_undone(void** state) {
  (void)state;
  Made m = four_rows();
  CoreRig rig = core_rig_make(&m.problem);
  Core* core = &rig.core;
  const double fixed[4] = {1, -2, 3, 0.5};
  double last[4];
  anderson_begin(&rig.anderson, core);
  for (int k = 0; k < 2; ++k) {
    anderson_before(&rig.anderson, core->r);
    affine_map(core, fixed);
    for (int i = 0; i < 4; ++i) last[i] = core->r[core->slot[i]];
    anderson_after(&rig.anderson, core);
  }
  // A sweep that changes more than twice as much as the one before it.
  anderson_before(&rig.anderson, core->r);
  for (int i = 0; i < 4; ++i) core->r[core->slot[i]] += 1e3;
  assert_int_equal(anderson_after(&rig.anderson, core), -1);
  for (int i = 0; i < 4; ++i) assert_true(core->r[core->slot[i]] == last[i]);
  assert_int_equal(rig.anderson.count, 0);
  // The next sweep starts a new history.
  anderson_before(&rig.anderson, core->r);
  affine_map(core, fixed);
  assert_int_equal(anderson_after(&rig.anderson, core), 0);
  core_rig_free(&rig);
  made_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(affine_maps_end_in_as_many_steps_as_dimensions),
      cmocka_unit_test(sweeps_become_fewer),
      cmocka_unit_test(state_and_cones_are_kept),
      cmocka_unit_test(bad_extrapolations_are_undone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
