// SPDX-License-Identifier: Apache-2.0
// The path from the proximal problem to the law: it is followed to its end from either form of the
// operator, and its determinants have the right signs. What it is for, piles in the middle of a
// blow, is among the files of test_problems.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "contact/newton/continuation.h"
#include "contact/problems.h"

enum { BYTES = 64 << 20 };

typedef struct Bench {
  void* memory;
  Core core;
  Newton newton;
  double* u;
} Bench;

static Bench bench_make(const HeftContactProblem* p, int blocks) {
  Bench b = {.memory = malloc(BYTES)};
  memset(b.memory, 0, BYTES);
  Arena arena = arena_make(b.memory, BYTES, NULL);
  const CoreSize size = {.constraints = p->constraint_count,
                         .rows = p->row_count,
                         .blocks = blocks,
                         .effectors = p->effector_count + 1,
                         .tree_effectors = 4,
                         .omega = 36 * 4 * ((size_t)p->effector_count + 1),
                         .tall = p->constraint_count,
                         .wide = 1};
  core_take(&b.core, &arena, size);
  b.u = arena_take(&arena, 8 * p->constraint_count, double);
  newton_take(&b.newton, &arena, BYTES / 2);
  core_load(&b.core, p);
  newton_begin(&b.newton);
  core_state(&b.core, b.core.r, b.core.z);
  return b;
}

static double residual(Bench* b) { return core_residual(&b->core, b->core.r, b->core.z, b->u); }

// Follows the path from zero impulses until the residual is below the goal. Returns the steps.
static int follow(Bench* b, double goal, int steps_max) {
  Path path;
  assert_true(path_start(&path, &b->newton, &b->core, 0.1, 0.1));
  for (int k = 1; k <= steps_max; ++k) {
    const PathEnd end = path_step(&path, &b->newton, &b->core);
    if (end == PATH_LOST) return -k;
    if (end == PATH_POINT && residual(b) < goal) return k;
  }
  return 0;
}

static void towers(void** state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    Random random = {100 + seed};
    Made m = tower_problem(2, 4, 0.3, &random);
    Explicit e = explicit_make(&m.problem);
    Bench by_effectors = bench_make(&m.problem, 0),
          by_blocks = bench_make(&e.problem, e.start[e.problem.constraint_count]);
    const int a = follow(&by_effectors, 1e-6, 400), b = follow(&by_blocks, 1e-6, 400);
    assert_in_range(a, 1, 400);
    assert_in_range(b, 1, 400);
    double worst = 0;  // both are at solutions, and the motion is one
    core_velocity(&by_effectors.core, by_effectors.core.r, by_effectors.core.z, by_effectors.u);
    core_velocity(&by_blocks.core, by_blocks.core.r, by_blocks.core.z, by_blocks.u);
    for (int i = 0; i < by_effectors.core.constraints; ++i) {
      for (int k = 0; k < 3; ++k) {
        worst = fmax(worst, fabs(by_effectors.u[by_effectors.core.slot[i] + k] -
                                 by_blocks.u[by_blocks.core.slot[i] + k]));
      }
    }
    assert_true(worst < 1e-4 * by_effectors.core.reference);
    free(by_effectors.memory);
    free(by_blocks.memory);
    explicit_destroy(&e);
    made_destroy(&m);
  }
}

// The determinant by plain elimination with pivoting.
static int dense_sign(int n, double* a) {
  int sign = 1;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i) {
      if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
    }
    for (int j = 0; j < n && best != k; ++j) {
      const double t = a[k * n + j];
      a[k * n + j] = a[best * n + j];
      a[best * n + j] = t;
    }
    if ((best != k) != (a[k * n + k] < 0)) sign = -sign;
    for (int i = k + 1; i < n; ++i) {
      const double f = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; ++j) a[i * n + j] -= f * a[k * n + j];
    }
  }
  return sign;
}

// The derivative of F by solving for unit vectors has the determinant's sign that the factor says,
// in both forms.
static void signs(void** state) {
  (void)state;
  int negative = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Random random = {7 + (uint64_t)trial};
    Made m = tower_problem(1, 2, 3, &random);
    Explicit e = explicit_make(&m.problem);
    for (int form = 0; form < 2; ++form) {
      Bench b = bench_make(form ? &e.problem : &m.problem, form ? e.start[8] : 0);
      Newton* newton = &b.newton;
      Core* core = &b.core;
      double in[32] = {0}, out[32], inverse[24 * 24];
      assert_true(newton_start(newton, core, 1e-4, 0.1));
      assert_int_equal(core->slots, 32);
      for (int k = 0; k < 32; ++k)
        core->r[k] = k % 4 == 3 ? 0 : random_between(&random, -3e-2, 3e-2);
      core_state(core, core->r, core->z);
      newton_evaluate(newton, core, core->r, core->z, newton->f);
      assert_true(newton_factor(newton, core));
      for (int c = 0; c < 24; ++c) {
        in[4 * (c / 3) + c % 3] = 1;
        newton_solve(newton, core, in, out);
        in[4 * (c / 3) + c % 3] = 0;
        for (int r = 0; r < 24; ++r) inverse[24 * r + c] = out[4 * (r / 3) + r % 3];
      }
      const int sign = dense_sign(24, inverse);
      assert_int_equal(newton_sign(newton, core), sign);
      negative += sign < 0;
      free(b.memory);
    }
    explicit_destroy(&e);
    made_destroy(&m);
  }
  assert_in_range(negative, 1, 119);  // or the test says nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(towers), cmocka_unit_test(signs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
