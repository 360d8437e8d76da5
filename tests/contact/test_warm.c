// SPDX-License-Identifier: Apache-2.0
// Papers: R21.
// Warm starts: a synthetic humanoid (36 degrees of freedom) whose free velocity drifts by 1 % per
// step, and towers of free boxes. Every step must be certified; mean, median and 99th percentile of
// the time are printed, for people.
//   test_contact_warm [TOLERANCE [CONTACTS [STEPS]]]
#include <stdio.h>

#include "contact/problems.h"
#include "math/simd.h"

#ifdef HEFT_SANITIZED
enum {
  STEPS = 3,
  TOWERS = 10,
  MANY_TOWERS = 0
};  // a sanitizer is slow, and times mean nothing there
#else
enum { STEPS = 20, TOWERS = 50, MANY_TOWERS = 250 };
#endif

typedef struct Times {
  double* ns;
  int count, failures;
  double sweeps, newton_steps;
} Times;

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void step(HeftContactSolver* solver, const HeftContactProblem* p, double tolerance,
                 double* r, double* u, double* scratch, Times* times) {
  const HeftContactTermination stop = {.tolerance = tolerance, .effort_max = 3000};
  HeftContactResult result = {0};
  double min = 1e300;
  for (int k = 0; k < 3; ++k) {
    const uint64_t begin = heft_clock_ns();
    result = heft_contact_solver_solve(solver, p, &stop, r, u);
    const double time = (double)(heft_clock_ns() - begin);
    min = time < min ? time : min;
  }
  const HeftContactCertificate c = heft_contact_certify(p, r, u, scratch);
  times->failures += !(c.relative <= 1.001 * tolerance);
  times->ns[times->count++] = min;
  times->sweeps += result.sweeps;
  times->newton_steps += result.newton_steps;
}

static int failures;

static void report(const char* name, Times* times) {
  failures += times->failures;
  double sum = 0;
  const int n = times->count;
  qsort(times->ns, (size_t)n, sizeof(double), by_size);
  for (int k = 0; k < n; ++k) sum += times->ns[k];
  printf(
      "%-28s mean %8.2f us  median %8.2f us  p99 %8.2f us  sweeps %5.1f  newtons %5.2f  not "
      "certified %d of %d\n",
      name, 1e-3 * sum / n, 1e-3 * times->ns[n / 2], 1e-3 * times->ns[n * 99 / 100],
      times->sweeps / n, times->newton_steps / n, times->failures, n);
}

static void humanoids(double tolerance, int feet, int per_foot, int steps) {
  Times times = {.ns = malloc(sizeof(double) * 40 * (size_t)steps)};
  double r[200], u[200], scratch[2000], twists[24];
  char name[64];
  for (int trial = 0; trial < 40; ++trial) {
    Random random = {88172645463325252ULL + 77777 * (uint64_t)trial};
    Humanoid h;
    humanoid_make(&h, &random, feet);
    Made m = humanoid_problem(&h, &random, per_foot, 0.7);
    const HeftContactSolverDef def = def_for(&m.problem);
    HeftContactSolver* solver;
    if (heft_contact_solver_create(&solver, &def, NULL) != HEFT_OK) exit(1);
    const HeftContactTermination cold = {.tolerance = tolerance, .effort_max = 3000};
    heft_contact_solver_solve(solver, &m.problem, &cold, r, u);
    for (int k = 0; k < steps; ++k) {
      memcpy(m.warm, r, sizeof(double) * (size_t)m.problem.row_count);
      m.problem.warm = m.warm;
      for (int i = 0; i < HUMANOID_DOF; ++i)
        h.velocity[i] *= 1 + 0.01 * random_between(&random, -1, 1);
      humanoid_twists(&h, twists);
      made_bias(&m, twists);
      step(solver, &m.problem, tolerance, r, u, scratch, &times);
    }
    heft_contact_solver_destroy(solver);
    made_destroy(&m);
  }
  snprintf(name, sizeof name, "humanoid, %d contacts", feet * per_foot);
  report(name, &times);
  free(times.ns);
}

static void towers(double tolerance, int columns, int height, int steps) {
  Random random = {4711};
  Made m = tower_problem(columns, height, 0.5, &random);
  const int rows = m.problem.row_count;
  Times times = {.ns = malloc(sizeof(double) * (size_t)steps)};
  double *r = calloc((size_t)rows, sizeof(double)), *u = calloc((size_t)rows, sizeof(double));
  double* scratch = calloc(heft_contact_certify_scratch(&m.problem), sizeof(double));
  const HeftContactSolverDef def = def_for(&m.problem);
  HeftContactSolver* solver;
  char name[64];
  if (heft_contact_solver_create(&solver, &def, NULL) != HEFT_OK) exit(1);
  const HeftContactTermination cold = {.tolerance = tolerance, .effort_max = 3000};
  heft_contact_solver_solve(solver, &m.problem, &cold, r, u);
  for (int k = 0; k < steps; ++k) {
    memcpy(m.warm, r, sizeof(double) * (size_t)rows);
    m.problem.warm = m.warm;
    for (int i = 0; i < 6 * m.problem.effector_count; ++i) {
      m.twists[i] *= 1 + 0.01 * random_between(&random, -1, 1);
    }
    made_bias(&m, m.twists);
    step(solver, &m.problem, tolerance, r, u, scratch, &times);
  }
  snprintf(name, sizeof name, "towers, %d contacts", m.problem.constraint_count);
  report(name, &times);
  heft_contact_solver_destroy(solver);
  made_destroy(&m);
  free(times.ns);
  free(r);
  free(u);
  free(scratch);
}

int main(int argc, char** argv) {
  const double tolerance = argc > 1 ? strtod(argv[1], NULL) : 1e-6;
  const int only = argc > 2 ? atoi(argv[2]) : 0, steps = argc > 3 ? atoi(argv[3]) : STEPS;
  const int shapes[][2] = {{2, 4}, {2, 8}, {2, 16}, {4, 10}};
  for (int k = 0; k < 4; ++k) {
    if (only && only != shapes[k][0] * shapes[k][1]) continue;
    humanoids(tolerance, shapes[k][0], shapes[k][1], steps);
  }
  if (!only || only == 1000) towers(1e-4, TOWERS, 5, steps);
  if (MANY_TOWERS > 0 && (!only || only == 5000)) {
    towers(1e-4, MANY_TOWERS, 5, steps < 5 ? steps : 5);
  }
  return failures > 0;
}
