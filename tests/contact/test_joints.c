// SPDX-License-Identifier: Apache-2.0
// Problems in joint space: a factor F in place of Ω = F Fᵀ describes the same problem, for the
// certificate, the solver and the choice of forces. Random mechanisms of one to three trees with
// dry friction, limits, equalities and contacts of several types, within a tree and between two.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "contact/joint_problems.h"

enum { PROBLEMS = 60 };

static HeftContactCertificate certify(const HeftContactProblem* p, const double* r, double* u) {
  double* scratch = calloc(heft_contact_certify_scratch(p), sizeof(double));
  const HeftContactCertificate found = heft_contact_certify(p, r, NULL, scratch);
  if (u) memcpy(u, scratch, sizeof(double) * (size_t)p->row_count);
  free(scratch);
  return found;
}

static void same_certificate(void** state) {
  (void)state;
  for (int k = 0; k < PROBLEMS; ++k) {
    Pair pair = pair_create((uint64_t)k);
    double u[2][6 * CONTACTS];
    assert_int_equal(heft_contact_problem_check(&pair.made.problem, NULL), HEFT_OK);
    assert_int_equal(heft_contact_problem_check(&pair.joints, NULL), HEFT_OK);
    const HeftContactCertificate a = certify(&pair.made.problem, pair.made.warm, u[0]),
                                 b = certify(&pair.joints, pair.made.warm, u[1]);
    assert_true(a.residual > 0.01);
    assert_true(fabs(a.residual - b.residual) < 1e-12 * a.residual);
    assert_int_equal(a.worst, b.worst);
    assert_true(fabs(a.energy_change - b.energy_change) < 1e-12 * (1 + fabs(a.energy_change)));
    for (int i = 0; i < pair.joints.row_count; ++i) assert_true(fabs(u[0][i] - u[1][i]) < 1e-12);
    pair_destroy(&pair);
  }
}

static HeftContactSolver* solver_for(const HeftContactProblem* p, size_t factor_bytes) {
  HeftContactSolverDef def = heft_contact_solver_def_default();
  HeftContactSolver* solver = NULL;
  def.constraint_capacity = p->constraint_count;
  def.row_capacity = p->row_count;
  def.effector_capacity = p->effector_count;
  def.tree_effector_capacity = EFFECTORS;
  def.factor_bytes = factor_bytes;
  assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
  return solver;
}

// Cold and warm; each solution is certified by the other form, too.
static void same_solution(void** state) {
  (void)state;
  const HeftContactTermination stop = {.tolerance = 1e-9, .effort_max = 20000};
  for (int k = 0; k < PROBLEMS; ++k) {
    Pair pair = pair_create((uint64_t)k);
    HeftContactSolver* solver = solver_for(&pair.joints, 0);
    double r[6 * CONTACTS], u[6 * CONTACTS];
    for (int warm = 0; warm < 2; ++warm) {
      pair.joints.warm = warm ? pair.made.warm : NULL;
      const HeftContactResult result = heft_contact_solver_solve(solver, &pair.joints, &stop, r, u);
      const HeftContactCertificate a = certify(&pair.made.problem, r, NULL),
                                   b = certify(&pair.joints, r, NULL);
      assert_int_equal(result.status, HEFT_CONTACT_SOLVED);
      assert_true(a.relative <= 2e-9 && b.relative <= 2e-9 && a.energy_change <= 1e-12);
    }
    memcpy(pair.made.warm, r, sizeof(double) * (size_t)pair.joints.row_count);
    pair.joints.warm = pair.made.warm;  // from the solution it is the same, whatever it takes
    const HeftContactResult again = heft_contact_solver_solve(solver, &pair.joints, &stop, r, u);
    assert_int_equal(again.status, HEFT_CONTACT_SOLVED);
    assert_true(!again.equal || again.displacement < 1e-5);
    heft_contact_solver_destroy(solver);
    pair_destroy(&pair);
  }
}

// Near rest each step polishes the impulses of the last one. Newton steps bring most problems to
// rounding within a few steps, after which a step costs nothing; sweeps leave a quarter of them
// above it for good.
static void polished(void** state) {
  (void)state;
  enum { STEPS = 6, POLISH = 8 };
  HeftContactTermination stop = {.tolerance = 1e-6, .effort_max = 20000};
  int reached = 0;
  for (int k = 0; k < PROBLEMS; ++k) {
    Pair pair = pair_create((uint64_t)k);
    HeftContactSolver* solver = solver_for(&pair.joints, 0);
    double r[6 * CONTACTS], relative = 1;
    stop.polish = 0;
    heft_contact_solver_solve(solver, &pair.joints, &stop, r, NULL);
    stop.polish = POLISH;
    pair.joints.warm = pair.made.warm;
    for (int n = 0; n < STEPS; ++n) {
      memcpy(pair.made.warm, r, sizeof(double) * (size_t)pair.joints.row_count);
      relative = heft_contact_solver_solve(solver, &pair.joints, &stop, r, NULL).relative;
      assert_true(relative <= stop.tolerance);
    }
    reached += relative <= 1e-12;
    heft_contact_solver_destroy(solver);
    pair_destroy(&pair);
  }
  print_message("%d of %d problems reach rounding\n", reached, PROBLEMS);
  assert_true(reached >= PROBLEMS * 9 / 10);
}

// The solution of equal compliance is the same in both forms; forces that the motion hardly
// determines differ by more than the compliance.
static void same_answer(void** state) {
  (void)state;
  const HeftContactTermination stop = {.tolerance = 1e-10, .effort_max = 20000};
  int equal = 0;
  for (int k = 0; k < PROBLEMS; ++k) {
    Pair pair = pair_create((uint64_t)k);
    HeftContactSolver* solver = solver_for(&pair.joints, 0);
    double r[2][6 * CONTACTS];
    const HeftContactResult a = heft_contact_solver_solve(solver, &pair.joints, &stop, r[0], NULL),
                            b = heft_contact_solver_solve(solver, &pair.made.problem, &stop, r[1],
                                                          NULL);
    const int both = a.equal && b.equal && !a.not_unique && !b.not_unique;
    assert_int_equal(a.status, HEFT_CONTACT_SOLVED);
    for (int i = 0; i < pair.joints.row_count && both; ++i)
      assert_true(fabs(r[0][i] - r[1][i]) < 2e-4);
    equal += both;
    heft_contact_solver_destroy(solver);
    pair_destroy(&pair);
  }
  assert_true(equal > PROBLEMS / 2);
}

// Trees with and without factors in one problem are refused; a solver without room for the rows
// returns no impulses.
static void refused(void** state) {
  (void)state;
  Pair pair = pair_create(2);
  double r[6 * CONTACTS], u[6 * CONTACTS];
  const HeftContactTermination stop = {.tolerance = 1e-9};
  pair.trees[1].dof_count = 0;
  assert_int_equal(heft_contact_problem_check(&pair.joints, NULL), HEFT_ERR_VALUE);
  pair_destroy(&pair);

  enum { DOFS = 40000 };
  pair = pair_create(0);
  pair.trees[0].dof_count = DOFS;
  double* factor = calloc(6 * EFFECTORS * (size_t)DOFS, sizeof(double));
  for (int k = 0; k < 6 * EFFECTORS * DOFS; k += 97) factor[k] = 0.1;
  pair.joints.omega = factor;
  HeftContactSolver* solver = solver_for(&pair.joints, 1);
  const HeftContactResult result = heft_contact_solver_solve(solver, &pair.joints, &stop, r, u);
  assert_int_equal(result.status, HEFT_CONTACT_STALLED);
  for (int i = 0; i < pair.joints.row_count; ++i)
    assert_true(r[i] == 0 && u[i] == pair.made.bias[i]);
  heft_contact_solver_destroy(solver);
  free(factor);
  pair_destroy(&pair);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_certificate),
                                     cmocka_unit_test(same_solution), cmocka_unit_test(same_answer),
                                     cmocka_unit_test(polished), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
