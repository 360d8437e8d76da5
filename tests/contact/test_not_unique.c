// SPDX-License-Identifier: Apache-2.0
// Problems that have several motions by the same law must be reported (`not_unique`), and problems
// that have one motion must not: rods of Painlevé, whose solutions are enumerated, and stances and
// pinches at rest, where Coulomb's law may also allow them to slip.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
// cmocka needs the four above
#include <heft/math.h>
#include <cmocka.h>

#include "contact/problems.h"
#include "support/check.h"

static const double TOLERANCE = 1e-8;

static HeftContactSolver* make_solver(void) {
  HeftContactSolver* solver = NULL;
  HeftContactSolverDef def = heft_contact_solver_def_default();
  assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
  return solver;
}

// Solves and certifies; m->warm becomes the solution. Returns the fastest row.
static double solve(HeftContactSolver* solver, Made* m, HeftContactResult* result) {
  enum { ROWS_MAX = 48, SPACE = 600 };
  const HeftContactProblem* p = &m->problem;
  double r[ROWS_MAX], u[ROWS_MAX], space[SPACE], fastest = 0;
  assert_true(p->row_count <= ROWS_MAX && heft_contact_certify_scratch(p) <= SPACE);
  const HeftContactTermination stop = {.tolerance = TOLERANCE, .effort_max = 20000};
  *result = heft_contact_solver_solve(solver, p, &stop, r, u);
  assert_int_equal(result->status, HEFT_CONTACT_SOLVED);
  CHECK_AT_MOST(heft_contact_certify(p, r, u, space).relative, 1.01 * TOLERANCE);
  for (int k = 0; k < p->row_count; ++k) fastest = fmax(fastest, fabs(u[k]));
  memcpy(m->warm, r, sizeof(double) * (size_t)p->row_count);
  return fastest;
}

// ---- Painlevé's rod: one point, motion in a plane

typedef struct Rod {
  double x, z;        // of its point, from the centre [m]; mass 1 kg, length 1 m
  double mu, bn, bt;  // friction; velocities of the point without impulse [m/s]
} Rod;

static const double rod_inertia = 1.0 / 12;

// The number of solutions: open, stick, slip to either side.
static int solutions_of(const Rod* rod) {
  const double nn = 1 + rod->x * rod->x / rod_inertia, tt = 1 + rod->z * rod->z / rod_inertia,
               nt = -rod->x * rod->z / rod_inertia, det = nn * tt - nt * nt;
  const double n = -(tt * rod->bn - nt * rod->bt) / det, t = -(nn * rod->bt - nt * rod->bn) / det;
  int count = (rod->bn >= 0) + (n > 0 && fabs(t) <= rod->mu * n);
  for (int side = -1; side <= 1; side += 2) {
    const double slides = -rod->bn / (nn - rod->mu * side * nt);
    count += slides > 0 && side * (rod->bt + slides * (nt - rod->mu * side * tt)) > 0;
  }
  return count;
}

static Rod random_rod(Random* random) {
  const double angle = random_between(random, 0.05, 1.5), side = random_unit(random) < 0.5 ? -1 : 1;
  double sine, cosine;
  heft_sincos(angle, &sine, &cosine);
  return (Rod){.x = 0.5 * side * cosine,
               .z = -0.5 * sine,
               .mu = random_between(random, 0, 2),
               .bn = random_between(random, -0.1, 0.1),
               .bt = random_between(random, -2, 2)};
}

static Made rod_problem(const Rod* rod) {
  Made m = made_create(1, 1, 36);
  const double point[3] = {rod->x, 0, rod->z};
  m.problem.effector_count = m.problem.tree_count = 1;
  m.trees[0] = (HeftContactTree){.effector_count = 1};
  for (int k = 0; k < 6; ++k) m.omega[7 * k] = k < 3 ? 1 / rod_inertia : 1;
  made_add(&m, HEFT_CONSTRAINT_POINT, 0, point, -1, point, MADE_UP, rod->mu);
  m.bias[0] = rod->bn, m.bias[1] = rod->bt;
  m.problem.velocity_scale = 0.01;
  return m;
}

static void test_rods_with_several_motions(void** state) {
  (void)state;
  enum { RODS = 40000 };
  HeftContactSolver* solver = make_solver();
  Random random = {3};
  int several = 0, missed = 0, jams = 0, false_alarms = 0;
  for (int k = 0; k < RODS; ++k) {
    const Rod rod = random_rod(&random);
    const double nn = 1 + rod.x * rod.x / rod_inertia, nt = -rod.x * rod.z / rod_inertia;
    const int count = solutions_of(&rod), jammed = nn <= rod.mu * fabs(nt);
    if (count < 2 && !jammed) continue;
    Made m = rod_problem(&rod);
    HeftContactResult result;
    solve(solver, &m, &result);
    several += count > 1;
    missed += count > 1 && !result.not_unique;
    jams += count < 2;
    false_alarms += count < 2 && result.not_unique;
    made_destroy(&m);
  }
  printf(
      "%d rods with several motions: %d missed; %d rods with w_nn <= µ |w_nt| and one motion: %d "
      "reported\n",
      several, missed, jams, false_alarms);
  assert_true(several > 50 && jams > 1000);
  assert_int_equal(missed, 0);
  assert_int_equal(false_alarms, 0);
  heft_contact_solver_destroy(solver);
}

// ---- bodies at rest

// A body on `feet` points of a floor, gravity and a push for one step.
static Made stance_problem(Random* random, int feet, double share) {
  Made m = made_create(feet, 1, 36);
  const double turn = random_between(random, 0, 6), mu = random_between(random, 0.2, 1);
  double sine, cosine, twist[6] = {0, 0, 0, 0, 0, -9.81e-3};
  m.problem.effector_count = m.problem.tree_count = 1;
  m.trees[0] = (HeftContactTree){.effector_count = 1};
  for (int k = 0; k < 6; ++k) m.omega[7 * k] = k < 3 ? 100 : 1;
  for (int k = 0; k < feet; ++k) {
    heft_sincos(turn + 2 * HEFT_PI * k / feet + random_between(random, -0.3, 0.3), &sine, &cosine);
    const double foot[3] = {0.15 * cosine, 0.15 * sine, -0.1};
    made_add(&m, HEFT_CONSTRAINT_POINT, 0, foot, -1, foot, MADE_UP, mu);
  }
  heft_sincos(random_between(random, 0, 6), &sine, &cosine);
  const double push = share * mu * 9.81e-3, x = random_between(random, -0.15, 0.15),
               y = random_between(random, -0.15, 0.15), z = random_between(random, -0.1, 0);
  twist[3] = push * cosine, twist[4] = push * sine;
  twist[0] = -100 * z * twist[4], twist[1] = 100 * z * twist[3];
  twist[2] = 100 * (x * twist[4] - y * twist[3]);
  made_bias(&m, twist);
  m.problem.velocity_scale = 9.81e-3;
  return m;
}

// A box of 45 g between two pads that press with 10 N, four points each, and a load.
static Made pinch_problem(Random* random, double share) {
  Made m = made_create(8, 3, 3 * 36);
  const double h = 1e-3, mass = 0.045, grip = 10, size = 0.01,
               mu = random_between(random, 0.3, 0.9),
               frames[2][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                  {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  double twists[18] = {0}, sine, cosine;
  made_box(&m, mass, 2 * size);
  for (int pad = 0; pad < 2; ++pad) {
    m.trees[m.problem.tree_count++] = (HeftContactTree){1 + pad, 1, 36 * (size_t)(1 + pad), 0};
    m.problem.effector_count++;
    m.omega[36 * (1 + pad) + 7 * 3] = 1 / 0.1;
    twists[6 * (1 + pad) + 3] = (pad ? -1 : 1) * h * grip / 0.1;
    for (int k = 0; k < 4; ++k) {
      const double point[3] = {pad ? size : -size, k & 1 ? size : -size, k & 2 ? size : -size};
      made_add(&m, HEFT_CONSTRAINT_POINT, 0, point, 1 + pad, point, frames[pad], mu);
    }
  }
  heft_sincos(random_between(random, 0, 6), &sine, &cosine);
  const double load = share * 2 * mu * grip * h / mass, y = random_between(random, -size, size),
               z = random_between(random, -size, size);
  twists[4] = load * cosine, twists[5] = load * sine;
  twists[0] = 6 / (4 * size * size) * (y * twists[5] - z * twists[4]);
  made_bias(&m, twists);
  m.problem.velocity_scale = 9.81e-3;
  return m;
}

typedef struct Count {
  int tried, two, missed, firm, false_alarms;
} Count;

// Where the law of moving bodies lets it slip and the law of rest holds it, there are two motions.
// `firm`: it rests by either.
static void count_motions(HeftContactSolver* solver, Made* m, Count* count) {
  const double still = 1e-4 * m->problem.velocity_scale;
  HeftContactResult moves, rests, stays;
  const int slips = solve(solver, m, &moves) > still;
  m->problem.at_rest = 1;
  const int holds = solve(solver, m, &rests) <= still;
  m->problem.warm = m->warm;
  solve(solver, m, &stays);
  assert_int_equal(stays.not_unique, rests.not_unique);
  count->tried++;
  count->two += slips && holds;
  count->missed += slips && holds && !rests.not_unique;
  count->firm += !slips && holds;
  count->false_alarms += !slips && holds && rests.not_unique;
  made_destroy(m);
}

static void report(const char* name, const Count* c) {
  printf(
      "%d %s: %d may rest and slip, of these %d missed; %d rest by either law, of these %d "
      "reported\n",
      c->tried, name, c->two, c->missed, c->firm, c->false_alarms);
  assert_true(c->two > 10 && c->firm > 10);
  assert_int_equal(c->missed, 0);
  assert_int_equal(c->false_alarms, 0);
}

static void test_stances_that_rest_and_slip(void** state) {
  (void)state;
  HeftContactSolver* solver = make_solver();
  Random random = {17};
  Count count = {0};
  for (int k = 0; k < 400; ++k) {
    Made m = stance_problem(&random, 4 + 2 * (k % 2), random_between(&random, 0.5, 1));
    count_motions(solver, &m, &count);
  }
  report("stances", &count);
  heft_contact_solver_destroy(solver);
}

static void test_pinches_that_rest_and_slip(void** state) {
  (void)state;
  HeftContactSolver* solver = make_solver();
  Random random = {23};
  Count count = {0};
  for (int k = 0; k < 400; ++k) {
    Made m = pinch_problem(&random, random_between(&random, 0.5, 1));
    count_motions(solver, &m, &count);
  }
  report("pinches", &count);
  heft_contact_solver_destroy(solver);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rods_with_several_motions),
      cmocka_unit_test(test_stances_that_rest_and_slip),
      cmocka_unit_test(test_pinches_that_rest_and_slip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
