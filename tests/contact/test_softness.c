// SPDX-License-Identifier: Apache-2.0
// Softness of normal rows (HeftContactProblem::softness): the same as a number on the diagonal of
// explicit blocks, for the solver and the certificate, by effectors and by blocks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "contact/problems.h"
#include "support/check.h"

enum { ROWS_MAX = 600 };

static const double tolerance = 1e-10;

static HeftContactResult solve(const HeftContactProblem* p, double* r, double* u) {
  const HeftContactSolverDef def = def_for(p);
  const HeftContactTermination stop = {.tolerance = tolerance};
  HeftContactSolver* solver = NULL;
  assert_int_equal(heft_contact_problem_check(p, NULL), HEFT_OK);
  assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
  const HeftContactResult result = heft_contact_solver_solve(solver, p, &stop, r, u);
  heft_contact_solver_destroy(solver);
  return result;
}

static HeftContactCertificate certify(const HeftContactProblem* p, const double* r,
                                      const double* u) {
  double* scratch = calloc(heft_contact_certify_scratch(p) + 1, sizeof *scratch);
  const HeftContactCertificate c = heft_contact_certify(p, r, u, scratch);
  free(scratch);
  return c;
}

// Adds the softness to the diagonal of explicit blocks of points, 9 numbers each.
static void stiffen_blocks(Explicit* e, const double* softness) {
  for (int i = 0; i < e->problem.constraint_count; ++i) {
    for (int k = e->start[i]; k < e->start[i + 1]; ++k) {
      if (e->column[k] == i) e->blocks[9 * k] += softness[i];
    }
  }
}

static void compare(Made* made, Random* random, double scale) {
  HeftContactProblem* p = &made->problem;
  double softness[ROWS_MAX / 3], r[3][ROWS_MAX], u[3][ROWS_MAX];
  assert_true(p->row_count <= ROWS_MAX);
  for (int i = 0; i < p->constraint_count; ++i)
    softness[i] = i % 4 == 3 ? 0 : scale * random_between(random, 0.5, 2);
  Explicit rigid = explicit_make(p);
  stiffen_blocks(&rigid, softness);
  p->softness = softness;
  Explicit blocks = explicit_make(p);
  const HeftContactProblem* problem[3] = {p, &blocks.problem, &rigid.problem};
  for (int k = 0; k < 3; ++k) {
    assert_int_equal(solve(problem[k], r[k], u[k]).status, HEFT_CONTACT_SOLVED);
    const HeftContactCertificate c = certify(problem[k], r[k], u[k]);
    CHECK_AT_MOST(c.relative, 1.01 * tolerance);
    CHECK_AT_MOST(c.momentum, 1e-9);
    for (int i = 0; i < p->constraint_count && k == 2; ++i)
      u[k][3 * i] -= softness[i] * r[k][3 * i];
    for (int row = 0; row < p->row_count; ++row) CHECK_AT_MOST(fabs(u[k][row] - u[0][row]), 1e-8);
  }
  // a certificate without the softness refuses the impulses
  HeftContactProblem hard = *p;
  hard.softness = NULL;
  CHECK_AT_MOST(1e-4, certify(&hard, r[0], NULL).relative);
  p->softness = NULL;
  explicit_destroy(&rigid);
  explicit_destroy(&blocks);
}

static void towers(void** state) {
  (void)state;
  Random random = {7};
  const double scales[] = {0.01, 1, 100};
  for (int k = 0; k < 3; ++k) {
    for (int height = 1; height < 6; ++height) {
      Made made = tower_problem(3, height, 0.4, &random);
      compare(&made, &random, scales[k]);
      made_destroy(&made);
    }
  }
}

static void humanoids(void** state) {
  (void)state;
  Random random = {11};
  const double scales[] = {0.01, 1, 100};
  for (int k = 0; k < 3; ++k) {
    Humanoid humanoid;
    humanoid_make(&humanoid, &random, 2 + k % 3);
    Made made = humanoid_problem(&humanoid, &random, 4, 0.6);
    compare(&made, &random, scales[k]);
    made_destroy(&made);
  }
}

static void refused(void** state) {
  (void)state;
  Random random = {3};
  Made made = tower_problem(1, 1, 0.4, &random);
  HeftError error = {0};
  double softness[4] = {0, 1, -1, 0};
  made.problem.softness = softness;
  assert_int_equal(heft_contact_problem_check(&made.problem, &error), HEFT_ERR_VALUE);
  assert_string_equal(error.message,
                      "the softness of contact 2 is -1, expected a finite number >= 0");
  made_destroy(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(towers), cmocka_unit_test(humanoids),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
