// SPDX-License-Identifier: Apache-2.0
// The bodies behind blocks: towers of boxes are found again from W alone, and solved by them; what
// does not come from boxes is left as it is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "contact/core/bodies.h"
#include "contact/problems.h"

static Bodies bodies_for(const HeftContactProblem* p, void** memory) {
  Bodies b = {0};
  const int n = p->constraint_count;
  Arena measure = arena_measure();
  bodies_take(&b, &measure, n, p->block_start[n], n);
  *memory = aligned_alloc(ARENA_ALIGNMENT, measure.used);
  Arena arena = arena_make(*memory, measure.used, NULL);
  bodies_take(&b, &arena, n, p->block_start[n], n);
  assert_false(arena.overflow);
  return b;
}

// Largest difference between the blocks of two problems of the same contacts, over the largest.
static double difference(const Explicit* a, const Explicit* b, int constraints) {
  double worst = 0, max = 0;
  assert_int_equal(a->start[constraints], b->start[constraints]);
  for (int k = 0; k < 9 * a->start[constraints]; ++k) {
    worst = fmax(worst, fabs(a->blocks[k] - b->blocks[k]));
    max = fmax(max, fabs(a->blocks[k]));
  }
  return worst / max;
}

static void towers_are_found(void** state) {
  (void)state;
  Random random = {7};
  for (int height = 3; height < 12; ++height) {
    Made m = tower_problem(4, height, 0.6, &random);
    Explicit e = explicit_make(&m.problem);
    void* memory;
    Bodies b = bodies_for(&e.problem, &memory);
    const HeftContactProblem* found = bodies_find(&b, &e.problem, 1e-12);
    assert_non_null(found);
    assert_int_equal(found->effector_count, m.problem.effector_count);
    assert_int_equal(heft_contact_problem_check(found, NULL), HEFT_OK);
    for (int i = 0; i < found->constraint_count; ++i) {
      const int on_floor = m.problem.constraints[i].effector[1] < 0;
      assert_true(found->constraints[i].effector[0] >= 0);
      assert_int_equal(found->constraints[i].effector[1] < 0, on_floor);
    }
    Explicit again = explicit_make(found);
    assert_true(difference(&e, &again, found->constraint_count) < 1e-12);
    explicit_destroy(&again);
    explicit_destroy(&e);
    made_destroy(&m);
    free(memory);
  }
}

static void others_are_left(void** state) {
  (void)state;
  Random random = {9};
  Made m = tower_problem(3, 5, 0.6, &random);
  Explicit e = explicit_make(&m.problem);
  void* memory;
  Bodies b = bodies_for(&e.problem, &memory);
  assert_non_null(bodies_find(&b, &e.problem, 1e-12));
  // what is off by a billionth is good enough only for those who do not look closer
  const int last = e.start[e.problem.constraint_count] - 1;
  e.blocks[9 * last] *= 1 + 1e-9;
  assert_null(bodies_find(&b, &e.problem, 1e-12));
  assert_non_null(bodies_find(&b, &e.problem, 1e-8));
  // a little softness of one contact belongs to no body
  e.blocks[9 * last] *= 1 + 1e-6;
  assert_null(bodies_find(&b, &e.problem, 1e-12));
  // nor does any other number that is large on the diagonal
  for (int i = 0; i < e.problem.constraint_count; ++i) {
    for (int k = e.start[i]; k < e.start[i + 1]; ++k) {
      for (int a = 0; a < 3 && e.column[k] == i; ++a)
        e.blocks[9 * k + 4 * a] += random_between(&random, 1, 2);
    }
  }
  assert_null(bodies_find(&b, &e.problem, 1e-12));
  // nor blocks that are no operator at all
  memset(e.blocks, 0, 9 * (size_t)(last + 1) * sizeof(double));
  assert_null(bodies_find(&b, &e.problem, 1e-12));
  explicit_destroy(&e);
  made_destroy(&m);
  free(memory);
}

// The answer is certified against the blocks, not against what was found.
static void answers_are_those_of_the_blocks(void** state) {
  (void)state;
  Random random = {11};
  Made m = tower_problem(5, 8, 0.5, &random);
  Explicit e = explicit_make(&m.problem);
  const HeftContactProblem* p = &e.problem;
  const size_t rows = (size_t)p->row_count;
  double *r = calloc(rows, sizeof(double)), *u = calloc(rows, sizeof(double)),
         *other = calloc(rows, sizeof(double)),
         *scratch = calloc(heft_contact_certify_scratch(p), sizeof(double));
  const HeftContactTermination stop = {.tolerance = 1e-10};
  HeftContactSolverDef def = def_for(p);
  int work[2];
  for (int k = 0; k < 2; ++k) {
    HeftContactSolver* solver;
    def.effector_capacity = k ? p->constraint_count : 0;
    assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
    const HeftContactResult result = heft_contact_solver_solve(solver, p, &stop, r, k ? u : other);
    const HeftContactCertificate proof = heft_contact_certify(p, r, k ? u : other, scratch);
    work[k] = result.effort;
    assert_int_equal(result.status, HEFT_CONTACT_SOLVED);
    assert_true(proof.relative <= 1.001e-10);
    assert_true(proof.momentum < 1e-12);
    heft_contact_solver_destroy(solver);
  }
  for (size_t k = 0; k < rows; ++k) assert_true(fabs(u[k] - other[k]) < 1e-9);
  printf("five towers of eight boxes: work %d by blocks, %d by the bodies behind them\n", work[0],
         work[1]);
  free(r);
  free(u);
  free(other);
  free(scratch);
  explicit_destroy(&e);
  made_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(towers_are_found),
      cmocka_unit_test(others_are_left),
      cmocka_unit_test(answers_are_those_of_the_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
