// SPDX-License-Identifier: Apache-2.0
// Problem files: numbers to the last bit, round trips, and input that means harm.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <heft/io.h>

#include "contact/problems.h"

static char* format(const HeftContactProblem* p, size_t* size) {
  *size = heft_contact_problem_format(p, NULL, 0);
  char* text = malloc(*size + 1);
  assert_int_equal(heft_contact_problem_format(p, text, *size + 1), *size);
  return text;
}

static Explicit small_problem(void) {
  Random random = {55};
  Made m = tower_problem(2, 2, 0.6, &random);
  Explicit e = explicit_make(&m.problem);
  double* bias = malloc(sizeof(double) * (size_t)e.problem.row_count);
  HeftConstraintBlock* constraints =
      malloc(sizeof(HeftConstraintBlock) * (size_t)e.problem.constraint_count);
  memcpy(bias, m.bias, sizeof(double) * (size_t)e.problem.row_count);
  memcpy(constraints, m.constraints,
         sizeof(HeftConstraintBlock) * (size_t)e.problem.constraint_count);
  e.problem.bias = bias;
  e.problem.constraints = constraints;
  e.problem.trees = NULL;
  e.problem.omega = e.problem.jacobian = e.problem.warm = NULL;
  made_destroy(&m);
  return e;
}

static void small_destroy(Explicit* e) {
  free((void*)e->problem.bias);
  free((void*)e->problem.constraints);
  explicit_destroy(e);
}

static void a_round_trip_keeps_every_bit(void** state) {
  (void)state;
  Explicit e = small_problem();
  size_t size;
  char* text = format(&e.problem, &size);
  HeftContactProblemData data;
  assert_int_equal(
      heft_contact_problem_parse(&data, text, size, "x", heft_allocator_default(), NULL), HEFT_OK);
  const HeftContactProblem *a = &e.problem, *b = &data.problem;
  assert_int_equal(a->constraint_count, b->constraint_count);
  assert_int_equal(a->row_count, b->row_count);
  assert_memory_equal(a->bias, b->bias, sizeof(double) * (size_t)a->row_count);
  assert_memory_equal(a->block_start, b->block_start,
                      sizeof(int) * (size_t)(a->constraint_count + 1));
  const int blocks = a->block_start[a->constraint_count];
  assert_memory_equal(a->block_column, b->block_column, sizeof(int) * (size_t)blocks);
  for (int k = 0; k < 9 * blocks; ++k) assert_true(a->blocks[k] == b->blocks[k]);
  for (int i = 0; i < a->constraint_count; ++i)
    assert_true(a->constraints[i].mu == b->constraints[i].mu);
  heft_contact_problem_release(&data);
  free(text);
  small_destroy(&e);
}

// Masses of 1 and 0.5 that are tied to each other (velocities 0 and 3), 0.5, 0.5, and one that
// nothing touches.
#define GLOBAL                                                                                 \
  "3 1 2 5 5 1\ntriplet: 5-by-5\n0 0 : 1\n3 0 : 0.5\n0 3 : 0.5\n3 3 : 0.5\n1 1 : 0.25\n1 1 : " \
  "0.25\n"                                                                                     \
  "2 2 : 0.5\n4 4 : 7\n2 5 3 1\ntriplet: 5-by-3\n0 0 : 1\n1 1 : 0.5\n2 2 : 1\n1 1 : 0.5\n"     \
  "-0.5 0.25 0 -0.25 99\n-0.5 0 0\n0.4\n"

static void dense_sparse_and_global_mean_the_same(void** state) {
  (void)state;
  const char* texts[] = {
      "3 1 0 3 3 3 3 2 0 0 0 2 0 0 0 2 -1 0.5 0 0.4",
      "3\n1\n1\n3\n3\n1\n1\n1\n3\n3\n2\n1\n0 1\n0\n0\n2 0 0 0 2 0 0 0 2\n-1 0.5 0\n0.4\n",
      "3 1 2 3 3 2\nCSparse of somebody\n3-by-3, nzmax: 3\n col 0 : locations 0 to 0\n 0 : 2\n col "
      "1 : locations 1 to 1\n"
      " 1 : 2\n col 2 : locations 2 to 2\n 2 : 2\n-1 0.5 0\n0.4\n",
      "3 1 0 3 3 3 3 0.5 0 0 0 0.5 0 0 0 0.5  0 3 3 3 3 1 0 0 0 1 0 0 0 1  -0.5 0.25 0  0 0 0  0.4",
      "3 1 2 3 3 1\nCSparse of somebody\ntriplet: 3-by-3, nzmax: 3 nnz: 3\n 2 2 : 2\n 0 0 : 1\n"
      " 1 1 : 2\n 0 0 : 1\n-1 0.5 0\n0.4\n",
      GLOBAL,
  };
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
    HeftContactProblemData data;
    HeftError err = {0};
    assert_int_equal(heft_contact_problem_parse(&data, texts[k], strlen(texts[k]), NULL,
                                                heft_allocator_default(), &err),
                     HEFT_OK);
    assert_true(data.problem.blocks[0] == 2 && data.problem.blocks[4] == 2 &&
                data.problem.blocks[1] == 0);
    assert_true(data.problem.bias[0] == -1 && data.problem.bias[1] == 0.5);
    assert_true(data.problem.constraints[0].mu == 0.4);
    assert_int_equal(err.status, HEFT_OK);
    heft_contact_problem_release(&data);
  }
}

static void bend(const char* text, size_t size, Random* random) {
  for (int k = 0; k < 20000; ++k) {
    HeftContactProblemData data;
    char* copy = malloc(size);
    memcpy(copy, text, size);
    for (int j = 0; j < 1 + k % 4; ++j)
      copy[(size_t)(random_unit(random) * (double)size)] =
          "0123456789.-e \n\t:xcol"[(int)(random_unit(random) * 21)];
    HeftError err = {0};
    const HeftStatus status =
        heft_contact_problem_parse(&data, copy, size, "bent", heft_allocator_default(), &err);
    assert_true((status == HEFT_OK) == (err.message[0] == 0));
    heft_contact_problem_release(&data);
    free(copy);
  }
}

// Cut anywhere, with any byte changed, with numbers that are too large: an answer, never a crash
// (run with sanitizers).
static void hostile_input(void** state) {
  (void)state;
  Explicit e = small_problem();
  size_t size;
  char* text = format(&e.problem, &size);
  HeftContactProblemData data;
  Random random = {321};
  for (size_t cut = 0; cut < size; cut += 1 + cut / 40) {
    char* exact = malloc(cut ? cut : 1);
    memcpy(exact, text, cut);
    heft_contact_problem_parse(&data, exact, cut, "cut", heft_allocator_default(), NULL);
    heft_contact_problem_release(&data);
    free(exact);
  }
  bend(GLOBAL, sizeof GLOBAL - 1, &random);
  for (int k = 0; k < 3000; ++k) {
    char* copy = malloc(size);
    memcpy(copy, text, size);
    for (int j = 0; j < 3; ++j) {
      const size_t at = (size_t)(random_unit(&random) * (k % 2 ? 200 : (double)size));
      copy[at] = "0123456789.-e \n\t:xcol"[(int)(random_unit(&random) * 21)];
    }
    HeftError err = {0};
    if (heft_contact_problem_parse(&data, copy, size, "bent", heft_allocator_default(), &err) ==
        HEFT_OK) {
      assert_int_equal(heft_contact_problem_check(&data.problem, NULL), HEFT_OK);
    } else {
      assert_true(err.message[0] != 0);
    }
    heft_contact_problem_release(&data);
    free(copy);
  }
  const char* large[] = {"3 1000000 0 3000000 3000000 3000000 3000000 1",
                         "3 999999999999 0 1 1",
                         "5 4 1 20 20 2000000000 4 4 1",
                         "3 2 1 6 6 4 2 2 3 6 3 6 3 4 0 2 4 0 1 0 1",
                         "3 0 0 0 0 0 0",
                         "2 1 2 2 2 1 col 7",
                         "2 1 2 2 2 1 triplet: x\n0 7 : 1",
                         "2 1 2 2 2 1 triplet: x\n0 : 1",
                         "2 0 2 2 2 1 triplet: x\n0 0 : 1\n",
                         "3 1 0 3 3 3 3 1 2"};
  for (size_t k = 0; k < sizeof large / sizeof *large; ++k) {
    heft_contact_problem_parse(&data, large[k], strlen(large[k]), NULL, heft_allocator_default(),
                               NULL);
    heft_contact_problem_release(&data);
  }
  free(text);
  small_destroy(&e);
}

static void expect_refusal(const char* text, const char* words) {
  HeftContactProblemData data;
  HeftError err = {0};
  assert_int_equal(heft_contact_problem_parse(&data, text, strlen(text), "w.dat",
                                              heft_allocator_default(), &err),
                   HEFT_ERR_VALUE);
  if (!strstr(err.message, words)) fail_msg("%s: expected %s", err.message, words);
  assert_string_equal(err.file, "w.dat");
}

// No mechanism has such a W. Asymmetry of the size that files of Siconos have is accepted.
static void operators_of_no_mechanism_are_refused(void** state) {
  (void)state;
  HeftContactProblemData data;
  const char* near = "3 1 0 3 3 3 3 2 0.01 0 -0.02 2 0 0 0 2 -1 0.5 0 0.4";
  expect_refusal("3 1 0 3 3 3 3 2 1 0 0 2 0 0 0 2 -1 0.5 0 0.4",
                 "not symmetric: 0 in row 0, column 1, and 1 in row 1, column 0");
  expect_refusal(
      "2 2 2 4 4 1\ntriplet:\n0 0 : 2\n1 1 : 2\n2 2 : 2\n3 3 : 2\n0 3 : 1\n"
      "0 0 0 0 0.4 0.4",
      "not symmetric: 1 in row 0, column 3, and 0 in row 3, column 0");
  expect_refusal("3 1 0 3 3 3 3 2 3 0 3 2 0 0 0 2 -1 0.5 0 0.4", "not positive semidefinite: 3");
  expect_refusal("3 1 0 3 3 3 3 0 0.1 0 0.1 2 0 0 0 2 -1 0.5 0 0.4", "not positive semidefinite");
  expect_refusal("3 1 0 3 3 3 3 2 0 0 0 -2 0 0 0 2 -1 0.5 0 0.4", "its diagonal is -2 in row 1");
  assert_int_equal(
      heft_contact_problem_parse(&data, near, strlen(near), NULL, heft_allocator_default(), NULL),
      HEFT_OK);
  heft_contact_problem_release(&data);
}

// A contact whose normal nothing moves closes: there is no solution. The impulses of all methods
// grow until velocities lose their digits, and a residual of rounding must not be called solved.
static void lost_digits_are_not_a_solution(void** state) {
  (void)state;
  const char* text = "3 1 0 3 3 3 3 0 0 0 0 3 0 0 0 1 -1 0 50 0.4";
  HeftContactProblemData data;
  assert_int_equal(
      heft_contact_problem_parse(&data, text, strlen(text), NULL, heft_allocator_default(), NULL),
      HEFT_OK);
  for (int method = 0; method < HEFT_CONTACT_METHOD_COUNT; ++method) {
    HeftContactSolverDef def = heft_contact_solver_def_default();
    HeftContactTermination stop = heft_contact_termination_default();
    HeftContactSolver* solver = NULL;
    double r[3];
    def.constraint_capacity = def.block_capacity = 1;
    def.method = (HeftContactMethod)method;
    stop.effort_max = 40;
    assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
    assert_int_not_equal(heft_contact_solver_solve(solver, &data.problem, &stop, r, NULL).status,
                         HEFT_CONTACT_SOLVED);
    heft_contact_solver_destroy(solver);
  }
  heft_contact_problem_release(&data);
}

// Blocks of different sizes, which are found without memory; and a tree.
static void operators_of_all_forms_are_checked(void** state) {
  (void)state;
  enum { N = 600, BLOCKS = 3 * N - 2 };
  static HeftConstraintBlock constraints[N];
  static double blocks[9 * BLOCKS], bias[3 * N];
  static int start[N + 1], column[BLOCKS];
  int row = 0, count = 0;
  size_t at = 0, last = 0;
  for (int i = 0; i < N; ++i) {
    constraints[i].type = i % 3 ? HEFT_CONSTRAINT_POINT : HEFT_CONSTRAINT_BILATERAL;
    constraints[i].row = row;
    row += heft_constraint_type_row_count(constraints[i].type);
  }
  for (int i = 0; i < N; ++i) {
    const int rows = heft_constraint_type_row_count(constraints[i].type);
    start[i] = count;
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; ++j) {
      const int columns = heft_constraint_type_row_count(constraints[j].type);
      for (int a = 0; a < rows; ++a)
        for (int b = 0; b < columns; ++b)
          blocks[at + (size_t)(a * columns + b)] =
              i == j ? 2.0 * (a == b) : 0.1 * (a + 1) * (b + 1);
      column[count++] = j;
      last = at;
      at += (size_t)(rows * columns);
    }
  }
  start[N] = count;
  const HeftContactProblem p = {.constraint_count = N,
                                .row_count = row,
                                .constraints = constraints,
                                .bias = bias,
                                .block_start = start,
                                .block_column = column,
                                .blocks = blocks};
  HeftError err = {0};
  if (heft_contact_problem_check(&p, &err) != HEFT_OK) fail_msg("%s", err.message);
  blocks[last - 1] += 0.2;  // of the block before the last one
  assert_int_equal(heft_contact_problem_check(&p, &err), HEFT_ERR_VALUE);
  assert_non_null(strstr(err.message, "not symmetric"));
  Random random = {7};
  Made m = tower_problem(1, 2, 0.5, &random);
  assert_int_equal(heft_contact_problem_check(&m.problem, &err), HEFT_OK);
  m.omega[1] += 0.2 * m.omega[0];
  assert_int_equal(heft_contact_problem_check(&m.problem, &err), HEFT_ERR_VALUE);
  assert_non_null(strstr(err.message, "the operator of tree 0 is not symmetric"));
  made_destroy(&m);
}

// What Heft cannot do is said in words.
static void refused_in_words(void** state) {
  (void)state;
  HeftContactProblemData data;
  HeftError err = {0};
  const char* none = "3 0 0 0 0 0 0";
  assert_int_equal(
      heft_contact_problem_parse(&data, none, strlen(none), NULL, heft_allocator_default(), &err),
      HEFT_ERR_VALUE);
  assert_non_null(strstr(err.message, "no contacts"));
  enum { LINKS = 4001, ROOM = 200000 };
  char* text = malloc(ROOM);
  int n = snprintf(text, ROOM, "3 1 2 %d %d 1\ntriplet:\n", LINKS, LINKS);
  for (int k = 0; k < LINKS; ++k) {
    n += snprintf(text + n, (size_t)(ROOM - n), "%d %d : 2\n", k, k);
    if (k > 0) n += snprintf(text + n, (size_t)(ROOM - n), "%d %d : 1\n", k, k - 1);
  }
  n += snprintf(text + n, (size_t)(ROOM - n), "2 %d 3 1\ntriplet:\n0 0 : 1\n", LINKS);
  for (int k = 0; k < LINKS + 4; ++k) n += snprintf(text + n, (size_t)(ROOM - n), "0 ");
  assert_true(n < ROOM);
  assert_int_equal(
      heft_contact_problem_parse(&data, text, (size_t)n, NULL, heft_allocator_default(), &err),
      HEFT_ERR_LIMIT);
  assert_non_null(strstr(err.message, "4000"));
  free(text);
}

static void* no_memory(void* user, size_t size, size_t alignment) {
  int* left = user;
  (void)alignment;
  return (*left)-- > 0 ? aligned_alloc(64, (size + 63) / 64 * 64) : NULL;
}
static void plain_release(void* user, void* memory, size_t size) {
  (void)user;
  (void)size;
  free(memory);
}

static void running_out_of_memory(void** state) {
  (void)state;
  Explicit e = small_problem();
  size_t size;
  char* text = format(&e.problem, &size);
  for (int k = 0; k < 40; ++k) {
    int left = k / 2;
    HeftContactProblemData data;
    const HeftAllocator allocator = {no_memory, plain_release, &left};
    const HeftStatus status =
        k % 2 ? heft_contact_problem_parse(&data, text, size, NULL, allocator, NULL)
              : heft_contact_problem_parse(&data, GLOBAL, strlen(GLOBAL), NULL, allocator, NULL);
    assert_true(status == HEFT_OK || status == HEFT_ERR_MEMORY);
    heft_contact_problem_release(&data);
  }
  free(text);
  small_destroy(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {

      cmocka_unit_test(a_round_trip_keeps_every_bit),
      cmocka_unit_test(dense_sparse_and_global_mean_the_same),
      cmocka_unit_test(hostile_input),
      cmocka_unit_test(operators_of_no_mechanism_are_refused),
      cmocka_unit_test(operators_of_all_forms_are_checked),
      cmocka_unit_test(lost_digits_are_not_a_solution),
      cmocka_unit_test(refused_in_words),
      cmocka_unit_test(running_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
