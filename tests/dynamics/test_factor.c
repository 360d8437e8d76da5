// SPDX-License-Identifier: Apache-2.0
// The LTL factor of M + diag(extra): solves as a dense matrix does, leaves M alone, and says where
// a matrix is not positive.
#include <heft/dynamics.h>
#include <stdlib.h>

#include "dynamics/tendon.h"
#include "math/dense.h"
#include "scenes/random.h"
#include "scenes/scenes.h"
#include "support/check.h"

typedef struct Bench {
  HeftModel* model;
  HeftDynamics* d;
  double *dense, *extra, *x, *y;
  int nv;
} Bench;

static Bench open_bench(uint64_t seed) {
  const RandomTreeDef def = {.seed = seed, .bodies = 20, .floating = 0, .passive = 1};
  Bench b = {.model = scene_random_tree(&def, NULL)};
  assert_non_null(b.model);
  assert_int_equal(heft_dynamics_create(&b.d, b.model, NULL, NULL), HEFT_OK);
  const size_t nv = (size_t)b.model->nv;
  b.nv = b.model->nv;
  b.dense = calloc(nv * nv + 3 * nv + (size_t)b.model->nq, sizeof(double));
  b.extra = b.dense + nv * nv;
  b.x = b.extra + nv;
  b.y = b.x + nv;
  double* q = b.y + nv;
  scene_random_state(b.model, seed, 1, q, b.x);
  heft_dynamics_kinematics(b.d, q);
  heft_dynamics_crba(b.d);
  return b;
}

static void close_bench(Bench* b) {
  free(b->dense);
  heft_dynamics_destroy(b->d);
  heft_model_destroy(b->model);
}

static void factor_takes_an_extra_diagonal(void** state) {
  (void)state;
  double worst = 0;
  for (uint64_t seed = 200; seed < 230; ++seed) {
    Bench b = open_bench(seed);
    Random r = {seed};
    for (int i = 0; i < b.nv; ++i) {
      b.extra[i] = random_between(&r, 0, 3);
      b.x[i] = b.y[i] = random_between(&r, -1, 1);
    }
    assert_int_equal(heft_dynamics_factor(b.d, b.extra), HEFT_OK);
    heft_dynamics_solve(b.d, b.x);
    heft_dynamics_mass_matrix(b.d, b.dense);
    for (int i = 0; i < b.nv; ++i) b.dense[(long)i * b.nv + i] += b.extra[i];
    assert_int_equal(heft_cholesky_factor(b.nv, b.dense, b.nv), 0);
    heft_cholesky_solve(b.nv, b.dense, b.nv, b.y);
    worst = fmax(worst, relative_error(b.x, b.y, b.nv));
    close_bench(&b);
  }
  printf("LTL of M + diag against dense: %.1e\n", worst);
  CHECK_AT_MOST(worst, 1e-12);
}

static void factor_names_the_dof_that_is_not_positive(void** state) {
  (void)state;
  Bench b = open_bench(231);
  for (int i = 0; i < b.nv; ++i) {
    b.extra[i] = -1e6;  // more than any inertia here
    assert_int_equal(heft_dynamics_factor(b.d, b.extra), HEFT_ERR_SINGULAR);
    assert_int_equal(heft_factor_stiffened(b.d, b.extra, 0, NULL), i + 1);
    b.extra[i] = NAN;
    assert_int_equal(heft_dynamics_factor(b.d, b.extra), HEFT_ERR_SINGULAR);
    b.extra[i] = 0;
  }
  assert_int_equal(heft_dynamics_factor(b.d, NULL), HEFT_OK);
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(factor_takes_an_extra_diagonal),
                                     cmocka_unit_test(factor_names_the_dof_that_is_not_positive)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
