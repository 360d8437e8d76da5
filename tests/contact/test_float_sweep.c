// SPDX-License-Identifier: Apache-2.0
// Sweeps in single precision: the certificate, in double precision, is as small as the tolerance
// asks for; units do not matter; every compiler gives the same bits.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contact/problems.h"
#include "contact/sweep/float_sweep.h"
#include "contact/warm_check.h"

// ---- packets

static void packets_turn_over_and_back(void** state) {
  (void)state;
  float z[9 * FLOAT_TWIST] __attribute__((aligned(32))), copy[9 * FLOAT_TWIST];
  const int at[F8_SIZE] = {40, 0, 64, 8, 24, 56, 16, 32};
  for (int k = 0; k < 9 * FLOAT_TWIST; ++k) z[k] = k % 8 < 6 ? (float)(1 + k) : 0;
  memcpy(copy, z, sizeof z);
  Six8 six = six8_gather(z, at);
  for (int c = 0; c < 6; ++c) {
    for (int k = 0; k < F8_SIZE; ++k) assert_true(six.v[c][k] == z[at[k] + c]);
    six.v[c] *= 2;
  }
  six8_scatter(z, at, &six);
  for (int k = 0; k < F8_SIZE; ++k) {
    for (int c = 0; c < 8; ++c) assert_true(z[at[k] + c] == 2 * copy[at[k] + c]);
  }
  for (int c = 0; c < 8; ++c) assert_true(z[48 + c] == copy[48 + c]);  // in no list
}

static void roots_have_six_digits(void** state) {
  (void)state;
  for (double x = 1e-30; x < 1e30; x *= 1.37) {
    const F8 y = f8_inverse_root(f8_all((float)x));
    assert_true(fabs((double)y[3] * sqrt((double)(float)x) - 1) < 1e-6);
  }
}

// ---- sweeps

typedef struct Rig {
  void* memory;
  FloatSweep s;
  double *r, *u, *twists, *scratch;
} Rig;

static void rig_take(Rig* rig, Arena* arena, const HeftContactProblem* p) {
  float_sweep_take(&rig->s, arena, p->constraint_count, p->effector_count);
  rig->r = arena_take(arena, p->row_count, double);
  rig->u = arena_take(arena, p->row_count, double);
  rig->twists = arena_take(arena, 16 * p->effector_count, double);
  rig->scratch = arena_take(arena, heft_contact_certify_scratch(p), double);
}

static Rig rig_make(const HeftContactProblem* p) {
  Rig rig = {0};
  Arena arena = arena_measure();
  rig_take(&rig, &arena, p);
  const size_t bytes = arena.used;
  rig.memory = aligned_alloc(ARENA_ALIGNMENT, bytes);
  assert_non_null(rig.memory);
  memset(rig.memory, 0, bytes);
  arena = arena_make(rig.memory, bytes, NULL);
  rig_take(&rig, &arena, p);
  assert_true(float_sweep_fits(p));
  assert_true(float_sweep_load(&rig.s, p, problem_reference(p), 0.03));
  memcpy(rig.u, p->bias, sizeof(double) * (size_t)p->row_count);
  return rig;
}

static const Incidence none = {0};

static double certified(const Rig* rig, const HeftContactProblem* p) {
  return heft_contact_certify(p, rig->r, NULL, rig->scratch).relative;
}

// Sweeps from the present base point; their result is the next one.
static void refine(Rig* rig, const HeftContactProblem* p, int sweeps) {
  float_sweep_base(&rig->s, p, rig->r, rig->u);
  for (int k = 0; k < sweeps; ++k) {
    const FloatResidual e = float_sweep(&rig->s);
    if (k + 1 < sweeps) float_momentum(&rig->s, &e);
  }
  float_sweep_impulses(&rig->s, p, rig->r, rig->r);
  problem_velocity(p, rig->r, (Share){0}, &none, rig->twists, rig->u);
}

// A base point in double precision takes the sweeps beyond the digits of a float.
static void refinement_reaches_any_tolerance(void** state) {
  (void)state;
  Random random = {5};
  Made m = tower_problem(4, 5, 0.5, &random);
  Rig once = rig_make(&m.problem), often = rig_make(&m.problem);
  refine(&once, &m.problem, 3000);
  for (int k = 0; k < 30; ++k) refine(&often, &m.problem, 100);
  print_message("one base point %.1e, thirty %.1e\n", certified(&once, &m.problem),
                certified(&often, &m.problem));
  assert_true(certified(&once, &m.problem) > 1e-8);
  assert_true(certified(&often, &m.problem) < 1e-8);
  free(once.memory);
  free(often.memory);
  made_destroy(&m);
}

// The estimate of a plain sweep bounds the residual that it leaves within a small factor.
static void the_estimate_is_honest(void** state) {
  (void)state;
  Random random = {9};
  Made m = tower_problem(6, 3, 0.4, &random);
  Rig rig = rig_make(&m.problem);
  for (int k = 0; k < 60; ++k) {
    float_sweep_base(&rig.s, &m.problem, rig.r, rig.u);
    const FloatResidual e = float_sweep(&rig.s);
    float_sweep_impulses(&rig.s, &m.problem, rig.r, rig.r);
    problem_velocity(&m.problem, rig.r, (Share){0}, &none, rig.twists, rig.u);
    const double is = certified(&rig, &m.problem);
    assert_true(is < 3 * e.worst && is > 0.02 * e.worst);
  }
  free(rig.memory);
  made_destroy(&m);
}

// ---- solves

static HeftContactResult solve(const HeftContactProblem* p, HeftContactTermination stop, double* r,
                               double* u) {
  HeftContactSolverDef def = heft_contact_solver_def_default();
  def.constraint_capacity = p->constraint_count;
  def.effector_capacity = p->effector_count;
  HeftContactSolver* solver = NULL;
  assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
  const HeftContactResult result = heft_contact_solver_solve(solver, p, &stop, r, u);
  heft_contact_solver_destroy(solver);
  return result;
}

static void heaps_are_solved_to_the_tolerance(void** state) {
  (void)state;
  static double r[1200], u[1200], scratch[20000];
  for (int trial = 0; trial < 12; ++trial) {
    Random random = {100 + (uint64_t)trial};
    Made m = tower_problem(4 + trial % 5, 4, trial % 4 ? 0.2 * trial / 4 : 0, &random);
    assert_true(heft_contact_certify_scratch(&m.problem) <= 20000);
    for (double tolerance = 1e-2; tolerance > 1e-10; tolerance *= 1e-2) {
      const HeftContactResult result =
          solve(&m.problem, (HeftContactTermination){.tolerance = tolerance}, r, u);
      const HeftContactCertificate is = heft_contact_certify(&m.problem, r, u, scratch);
      assert_int_equal(result.status, HEFT_CONTACT_SOLVED);
      assert_true(is.relative <= tolerance && is.cone <= 0);
      assert_true(is.energy_change <= 1e-12 && is.momentum < 1e-12);
      assert_true(fabs(is.relative - result.relative) <= 1e-9 * is.relative + 1e-13);
    }
    made_destroy(&m);
  }
}

// Grams and tons: the same heap in other units of mass.
static void masses_keep_the_range(void** state) {
  (void)state;
  static double r[1200], u[1200], scratch[20000];
  for (double unit = 1e-15; unit < 1e16; unit *= 1e5) {
    Random random = {3};
    Made m = tower_problem(16, 4, 0.5, &random);
    double* omega = (double*)m.problem.omega;
    for (int k = 0; k < 36 * m.problem.effector_count; ++k) omega[k] /= unit;
    const HeftContactResult result =
        solve(&m.problem, (HeftContactTermination){.tolerance = 1e-8}, r, u);
    assert_int_equal(result.status, HEFT_CONTACT_SOLVED);
    assert_true(heft_contact_certify(&m.problem, r, u, scratch).relative <= 1e-8);
    made_destroy(&m);
  }
}

// A replay spends the same effort and gives the same bits.
static void effort_repeats_the_bits(void** state) {
  (void)state;
  static double r[1200], again[1200];
  Random random = {31};
  Made m = tower_problem(6, 5, 0.6, &random);
  for (int effort = 1; effort < 40; effort += 3) {
    const HeftContactTermination stop = {.tolerance = 1e-13, .effort_max = effort};
    const HeftContactResult result = solve(&m.problem, stop, r, NULL);
    assert_true(result.effort <= effort && result.sweeps <= 4 * effort);
    const HeftContactTermination replay = {.tolerance = 1e-13, .effort_max = result.effort};
    solve(&m.problem, replay, again, NULL);
    assert_memory_equal(r, again, sizeof(double) * (size_t)m.problem.row_count);
  }
  made_destroy(&m);
}

// If it changes, so did the arithmetic: it must be the same for every compiler and processor.
static void golden_bits(void** state) {
  (void)state;
  static double r[1200], u[1200];
  uint64_t hash = 0;
  for (int trial = 0; trial < 6; ++trial) {
    Random random = {77 + (uint64_t)trial};
    Made m = tower_problem(5 + trial, 4, 0.15 * trial, &random);
    const size_t bytes = sizeof(double) * (size_t)m.problem.row_count;
    solve(&m.problem, (HeftContactTermination){.tolerance = 1e-7, .effort_max = 30}, r, u);
    hash = heft_hash(u, bytes, heft_hash(r, bytes, hash));
    made_destroy(&m);
  }
  print_message("hash %016llx\n", (unsigned long long)hash);
  assert_true(hash == 0xa40c1a942aacc850ULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packets_turn_over_and_back),        cmocka_unit_test(roots_have_six_digits),
      cmocka_unit_test(refinement_reaches_any_tolerance),  cmocka_unit_test(the_estimate_is_honest),
      cmocka_unit_test(heaps_are_solved_to_the_tolerance), cmocka_unit_test(masses_keep_the_range),
      cmocka_unit_test(effort_repeats_the_bits),           cmocka_unit_test(golden_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
