// SPDX-License-Identifier: Apache-2.0
// Papers: R21.
// The solver: exact on what can be worked out by hand, the same in every frame, unit and order,
// never out of its cones, never adding energy, whenever it is stopped.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "contact/problems.h"
#include "contact/sweep/gauss_seidel.h"
#include "contact/sweep/packet_sweep.h"
#include "contact/warm_check.h"

enum { ROWS_MAX = 4096 };

typedef struct Solved {
  HeftContactResult result;
  HeftContactCertificate certificate;
  double r[ROWS_MAX], u[ROWS_MAX];
} Solved;

static double scratch[16 * ROWS_MAX];

static void solve_with(const HeftContactProblem* p, const HeftContactSolverDef* def,
                       HeftContactTermination stop, Solved* out) {
  HeftContactSolver* solver;
  assert_int_equal(heft_contact_problem_check(p, NULL), HEFT_OK);
  assert_int_equal(heft_contact_solver_create(&solver, def, NULL), HEFT_OK);
  out->result = heft_contact_solver_solve(solver, p, &stop, out->r, out->u);
  out->certificate = heft_contact_certify(p, out->r, out->u, scratch);
  heft_contact_solver_destroy(solver);
}

static void solve(const HeftContactProblem* p, double tolerance, Solved* out) {
  const HeftContactSolverDef def = def_for(p);
  HeftContactTermination stop = heft_contact_termination_default();
  stop.tolerance = tolerance;
  solve_with(p, &def, stop, out);
}

static void assert_exact(const Solved* s, double tolerance) {
  assert_int_equal(s->result.status, HEFT_CONTACT_SOLVED);
  assert_true(s->certificate.relative <= tolerance * (1 + 1e-6));
  assert_true(s->certificate.cone <= 1e-15);
  assert_true(s->certificate.momentum <= 1e-12);
  assert_true(s->certificate.energy_change <= 1e-15);
}

// ---- by hand

// A block on an incline, one step of 1 ms: sticks up to tan α = µ, slides with g (sin α - µ cos α)
// beyond.
static void incline(void** state) {
  (void)state;
  static Solved s;
  const double h = 1e-3, g = 9.81, mu = 0.5;
  for (int k = -1; k <= 1; k += 2) {
    const double slope = mu * (1 + 1e-6 * k), cosine = 1 / sqrt(1 + slope * slope),
                 sine = slope * cosine;
    Made m = made_create(4, 1, 36);
    made_box(&m, 3, 1);
    for (int q = 0; q < 4; ++q) {
      const double point[3] = {q & 1 ? 0.5 : -0.5, q & 2 ? 0.5 : -0.5, -0.1};
      made_add(&m, HEFT_CONSTRAINT_POINT, 0, point, -1, point, MADE_UP, mu);
    }
    const double twist[6] = {0, 0, 0, g * sine * h, 0, -g * cosine * h};
    made_bias(&m, twist);
    solve(&m.problem, 1e-13,
          &s);  // so close to the threshold the residual sees only part of the slip
    assert_exact(&s, 1e-13);
    const double expected = k <= 0 ? 0 : g * (sine - mu * cosine) * h;
    for (int q = 0; q < 4; ++q) assert_true(fabs(s.u[3 * q + 1] - expected) < 1e-10 * g * h);
    made_destroy(&m);
  }
}

// Boxes on top of each other, the top one a thousand times heavier: each contact patch carries what
// is above it.
static void stack_carries_weights(void** state) {
  (void)state;
  static Solved s;
  enum { N = 8 };
  Made m = made_create(4 * N, N, 36 * N);
  double twists[6 * N] = {0}, above = 0;
  for (int k = 0; k < N; ++k) {
    made_box(&m, k == N - 1 ? 1000 : 1, 1);
    twists[6 * k + 5] = -9.81e-3;
    for (int q = 0; q < 4; ++q) {
      const double low[3] = {q & 1 ? 0.5 : -0.5, q & 2 ? 0.5 : -0.5, -0.5},
                   high[3] = {low[0], low[1], 0.5};
      made_add(&m, HEFT_CONSTRAINT_POINT, k, low, k - 1, high, MADE_UP, 0.5);
    }
  }
  made_bias(&m, twists);
  solve(&m.problem, 1e-9, &s);
  assert_exact(&s, 1e-9);
  for (int k = N - 1; k >= 0; --k) {
    above += k == N - 1 ? 1000 : 1;
    double sum = 0;
    for (int q = 0; q < 4; ++q) sum += s.r[3 * (4 * k + q)];
    assert_true(fabs(sum - above * 9.81e-3) < 1e-5 * above * 9.81e-3);
  }
  made_destroy(&m);
}

// A ball that slides: friction against the slip in every direction alike.
static void friction_is_round(void** state) {
  (void)state;
  static Solved s;
  for (int degree = 0; degree < 360; ++degree) {
    // a rational point on the circle stands in for cosine and sine
    const double t = degree / 90.0 - 2, c = (1 - t * t) / (1 + t * t), sn = 2 * t / (1 + t * t);
    Made m = made_create(1, 1, 36);
    made_box(&m, 2, 1);
    const double point[3] = {0, 0, -0.5}, twist[6] = {0, 0, 0, c, sn, -0.01};
    made_add(&m, HEFT_CONSTRAINT_POINT, 0, point, -1, point, MADE_UP, 0.3);
    made_bias(&m, twist);
    solve(&m.problem, 1e-13, &s);
    assert_true(fabs(s.r[0] - 0.02) < 1e-13);
    assert_true(fabs(s.r[1] + 0.006 * c) < 1e-13 && fabs(s.r[2] + 0.006 * sn) < 1e-13);
    made_destroy(&m);
  }
}

// ---- every type

static Made zoo(Random* random) {
  Made m = made_create(24, 4, 36 * 4);
  double twists[24];
  for (int k = 0; k < 4; ++k) {
    made_box(&m, 1 + k, 1);
    for (int a = 0; a < 6; ++a) twists[6 * k + a] = random_between(random, -0.01, 0.01);
    twists[6 * k + 5] -= 0.02;
  }
  for (int k = 0; k < 4; ++k) {
    for (int t = 0; t < HEFT_CONSTRAINT_TYPE_COUNT && m.problem.constraint_count < 24; ++t) {
      const double low[3] = {random_between(random, -0.5, 0.5), random_between(random, -0.5, 0.5),
                             -0.5};
      const double high[3] = {low[0], low[1], 0.5};
      HeftConstraintBlock* c =
          made_add(&m, (HeftConstraintType)t, k, low, t % 2 ? k - 1 : -1, high, MADE_UP, 0.4);
      c->mu_roll = 0.02;
      c->mu_spin = 0.01;
      c->lower = -0.001;
      c->upper = 0.002;
      if (t == HEFT_CONSTRAINT_POINT && k == 1) c->mu_static = 0.6;
    }
  }
  made_bias(&m, twists);
  return m;
}

static void every_type_in_one_problem(void** state) {
  (void)state;
  static Solved a, b;
  for (int trial = 0; trial < 20; ++trial) {
    Random random = {1000 + 7919 * (uint64_t)trial};
    Made m = zoo(&random);
    if (trial % 2) {  // soft ones too
      for (int k = 0; k < m.problem.row_count; ++k) m.warm[k] = random_between(&random, 0, 1e-3);
      m.problem.warm = m.warm;
      m.problem.compliance = 0.02;
    }
    Explicit e = explicit_make(&m.problem);
    solve(&m.problem, 1e-9, &a);
    solve(&e.problem, 1e-9, &b);
    assert_exact(&a, 1e-9);
    assert_exact(&b, 1e-9);
    explicit_destroy(&e);
    made_destroy(&m);
  }
}

// Static friction holds what kinetic friction would let go, and lets go what it cannot hold.
static void static_friction(void** state) {
  (void)state;
  static Solved s;
  for (int hard = 0; hard < 2; ++hard) {
    Made m = made_create(1, 1, 36);
    made_box(&m, 2, 1);
    const double point[3] = {0, 0, 0}, twist[6] = {0, 0, 0, hard ? 0.0075 : 0.006, 0, -0.01};
    HeftConstraintBlock* c = made_add(&m, HEFT_CONSTRAINT_POINT, 0, point, -1, point, MADE_UP, 0.5);
    c->mu_static = 0.7;
    made_bias(&m, twist);
    solve(&m.problem, 1e-12, &s);
    assert_exact(&s, 1e-12);
    assert_true(fabs(s.u[1] - (hard ? 0.0025 : 0)) < 1e-13);
    made_destroy(&m);
  }
}

// ---- both operators, all methods

static void effectors_and_blocks_agree(void** state) {
  (void)state;
  static Solved a, b;
  for (int trial = 0; trial < 40; ++trial) {
    Random random = {31 + 104729 * (uint64_t)trial};
    Humanoid h;
    humanoid_make(&h, &random, 2 + trial % 3);
    Made m = trial % 4 == 3 ? tower_problem(3, 4, 0.5, &random)
                            : humanoid_problem(&h, &random, 4 + trial % 5, 0.7);
    Explicit e = explicit_make(&m.problem);
    solve(&m.problem, 1e-10, &a);
    solve(&e.problem, 1e-10, &b);
    assert_exact(&a, 1e-10);
    assert_exact(&b, 1e-10);
    explicit_destroy(&e);
    made_destroy(&m);
  }
}

static void every_method_solves(void** state) {
  (void)state;
  static Solved s;
  Random random = {5};
  Made m = tower_problem(2, 4, 0.6, &random);
  Explicit e = explicit_make(&m.problem);
  for (int method = 0; method < HEFT_CONTACT_METHOD_COUNT; ++method) {
    for (int form = 0; form < 2; ++form) {
      const HeftContactProblem* p = form ? &e.problem : &m.problem;
      HeftContactSolverDef def = def_for(p);
      HeftContactTermination stop = heft_contact_termination_default();
      def.method = (HeftContactMethod)method;
      stop.tolerance = 1e-8;
      solve_with(p, &def, stop, &s);
      assert_exact(&s, 1e-8);
      if (method == HEFT_CONTACT_METHOD_NEWTON) assert_true(s.result.newton_steps > 0);
      if (method == HEFT_CONTACT_METHOD_SWEEP)
        assert_true(s.result.newton_steps == 0 && s.result.accelerations == 0);
    }
  }
  explicit_destroy(&e);
  made_destroy(&m);
}

// ---- anytime

// Sweeps; with all phases the order of methods depends on the effort, and the result is never worse
// than no impulses.
static void the_best_only_gets_better(void** state) {
  (void)state;
  static Solved s;
  Random random = {17};
  Made m = tower_problem(2, 6, 0.5, &random);
  double last = INFINITY, reached = INFINITY;
  for (int work = 1; work < 150; ++work) {
    HeftContactSolverDef def = def_for(&m.problem);
    const HeftContactTermination stop = {.tolerance = 1e-12, .effort_max = work};
    solve_with(&m.problem, &def, stop, &s);
    assert_true(s.result.effort <= work);
    assert_true(s.certificate.relative <= 1);
    reached = s.certificate.relative;
    def.method = HEFT_CONTACT_METHOD_ACCELERATED;
    solve_with(&m.problem, &def, stop, &s);
    assert_true(s.result.effort <= work);
    assert_true(s.certificate.relative <= last * (1 + 1e-9) || s.result.clamp < 1);
    assert_true(fabs(s.certificate.relative - s.result.relative) <=
                1e-9 * s.result.relative + 1e-13);
    if (s.result.clamp == 1) last = s.certificate.relative;
  }
  assert_true(reached < 1e-4);
  made_destroy(&m);
}

static void interruptions_are_feasible_and_passive(void** state) {
  (void)state;
  static Solved s;
  const long count = getenv("HEFT_LONG") ? 1000000 : 3000;
  double cone = 0, energy = -INFINITY;
  long clamped = 0;
  for (long trial = 0; trial < count;) {
    Random random = {123457 + 7907 * (uint64_t)trial};
    Humanoid h;
    humanoid_make(&h, &random, 2);
    Made m =
        trial % 3 == 2 ? tower_problem(1, 3, 0.8, &random) : humanoid_problem(&h, &random, 4, 0.7);
    const HeftContactSolverDef def = def_for(&m.problem);
    HeftContactSolver* solver;
    assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
    for (int k = 0; k < 50; ++k, ++trial) {
      const HeftContactTermination stop = {.tolerance = 1e-12,
                                           .effort_max = 1 + (int)(12 * random_unit(&random))};
      for (int j = 0; j < m.problem.row_count; ++j) {
        m.warm[j] = 0.1 * random_between(&random, -1, 1);
        m.bias[j] += 1e-3 * random_between(&random, -1, 1);
      }
      m.problem.warm = random_unit(&random) < 0.5 ? m.warm : NULL;
      s.result = heft_contact_solver_solve(solver, &m.problem, &stop, s.r, s.u);
      s.certificate = heft_contact_certify(&m.problem, s.r, s.u, scratch);
      cone = fmax(cone, s.certificate.cone);
      energy = fmax(energy, s.certificate.energy_change);
      clamped += s.result.clamp < 1;
    }
    heft_contact_solver_destroy(solver);
    made_destroy(&m);
  }
  print_message(
      "%ld interruptions: worst cone exit %.1e N s, worst energy change %.1e J, clamped %ld\n",
      count, cone, energy, clamped);
  assert_true(cone <= 1e-17);
  assert_true(energy <= 1e-15);
}

static void a_replay_repeats_the_bits(void** state) {
  (void)state;
  static Solved a, b;
  Random random = {8};
  Made m = tower_problem(3, 6, 0.5, &random);
  const HeftContactSolverDef def = def_for(&m.problem);
  HeftContactTermination stop = {
      .tolerance = 0, .effort_max = 1000000, .deadline_ns = heft_clock_ns() + 300000};
  solve_with(&m.problem, &def, stop, &a);
  assert_int_equal(a.result.status, HEFT_CONTACT_DEADLINE);
  stop = (HeftContactTermination){.tolerance = 0, .effort_max = a.result.effort};
  if (a.result.effort > 0) {
    solve_with(&m.problem, &def, stop, &b);
    assert_int_equal(b.result.status, HEFT_CONTACT_EFFORT_SPENT);
    assert_memory_equal(a.r, b.r, sizeof(double) * (size_t)m.problem.row_count);
    assert_memory_equal(a.u, b.u, sizeof(double) * (size_t)m.problem.row_count);
  }
  made_destroy(&m);
}

// ---- the same problem told in another way

static void assert_same_motion(const double* u, const double* v, int count, double scale) {
  for (int k = 0; k < count; ++k) assert_true(fabs(u[k] - v[k]) <= 1e-9 * scale);
}

static void turning_the_tangents(void** state) {
  (void)state;
  static Solved a, b;
  Random random = {61};
  Humanoid h;
  humanoid_make(&h, &random, 2);
  Made m = humanoid_problem(&h, &random, 4, 0.5);
  solve(&m.problem, 1e-12, &a);
  for (int i = 0; i < m.problem.constraint_count; ++i) {  // the frame of each contact by (0.6, 0.8)
    double* x = m.jacobian + 12 * (3 * i + 1);
    for (int k = 0; k < 12; ++k) {
      const double t1 = x[k], t2 = x[12 + k];
      x[k] = 0.6 * t1 + 0.8 * t2;
      x[12 + k] = -0.8 * t1 + 0.6 * t2;
    }
    const double b1 = m.bias[3 * i + 1], b2 = m.bias[3 * i + 2];
    m.bias[3 * i + 1] = 0.6 * b1 + 0.8 * b2;
    m.bias[3 * i + 2] = -0.8 * b1 + 0.6 * b2;
  }
  solve(&m.problem, 1e-12, &b);
  for (int i = 0; i < m.problem.constraint_count; ++i) {
    const double u1 = b.u[3 * i + 1], u2 = b.u[3 * i + 2];
    b.u[3 * i + 1] = 0.6 * u1 - 0.8 * u2;
    b.u[3 * i + 2] = 0.8 * u1 + 0.6 * u2;
  }
  assert_same_motion(a.u, b.u, m.problem.row_count, 0.01);
  made_destroy(&m);
}

static void another_order(void** state) {
  (void)state;
  static Solved a, b;
  Random random = {62};
  Humanoid h;
  humanoid_make(&h, &random, 2);
  Made m = humanoid_problem(&h, &random, 4, 0.5), p = made_create(8, 2, 144);
  solve(&m.problem, 1e-12, &a);
  p.problem = m.problem;
  p.problem.constraints = p.constraints;
  p.problem.bias = p.bias;
  p.problem.jacobian = p.jacobian;
  for (int i = 0; i < 8; ++i) {
    const int from = (5 * i + 3) % 8;
    p.constraints[i] = m.constraints[from];
    p.constraints[i].row = 3 * i;
    memcpy(p.bias + 3 * i, m.bias + 3 * from, 3 * sizeof(double));
    memcpy(p.jacobian + 36 * i, m.jacobian + 36 * from, 36 * sizeof(double));
  }
  solve(&p.problem, 1e-12, &b);
  for (int i = 0; i < 8; ++i) assert_same_motion(a.u + 3 * ((5 * i + 3) % 8), b.u + 3 * i, 3, 0.01);
  made_destroy(&m);
  made_destroy(&p);
}

static void other_units(void** state) {
  (void)state;
  static Solved a, b;
  Random random = {63};
  Made m = tower_problem(2, 3, 0.6, &random);
  Explicit e = explicit_make(&m.problem);
  solve(&e.problem, 1e-12, &a);
  const double kg = 1000, speed = 1e-2 / 60;
  for (int k = 0; k < 9 * e.start[e.problem.constraint_count]; ++k) e.blocks[k] /= kg;
  for (int k = 0; k < e.problem.row_count; ++k) m.bias[k] *= speed;
  solve(&e.problem, 1e-12, &b);
  for (int k = 0; k < e.problem.row_count; ++k) b.u[k] /= speed;
  assert_same_motion(a.u, b.u, e.problem.row_count, 0.01);
  explicit_destroy(&e);
  made_destroy(&m);
}

// One contact as two in the same place.
static void a_contact_split_in_two(void** state) {
  (void)state;
  static Solved a, b;
  Random random = {64};
  Humanoid h;
  humanoid_make(&h, &random, 2);
  Made m = humanoid_problem(&h, &random, 4, 0.5), p = made_create(9, 2, 144);
  solve(&m.problem, 1e-12, &a);
  p.problem = m.problem;
  p.problem.constraint_count = 9;
  p.problem.row_count = 27;
  p.problem.constraints = p.constraints;
  p.problem.bias = p.bias;
  p.problem.jacobian = p.jacobian;
  for (int i = 0; i < 9; ++i) {
    const int from = i < 8 ? i : 2;
    p.constraints[i] = m.constraints[from];
    p.constraints[i].row = 3 * i;
    memcpy(p.bias + 3 * i, m.bias + 3 * from, 3 * sizeof(double));
    memcpy(p.jacobian + 36 * i, m.jacobian + 36 * from, 36 * sizeof(double));
  }
  solve(&p.problem, 1e-12, &b);
  assert_same_motion(a.u, b.u, 24, 0.01);
  made_destroy(&m);
  made_destroy(&p);
}

// ---- unique impulses

static void four_legs(void** state) {
  (void)state;
  static Solved s;
  Made m = made_create(4, 1, 36);
  made_box(&m, 5, 1);
  const double xc = 0.13, yc = -0.07, weight = 5 * 9.81e-3;
  double legs[4][3];
  for (int q = 0; q < 4; ++q) {
    legs[q][0] = (q & 1 ? 0.6 : -0.6) - xc;  // seen from the centre of mass
    legs[q][1] = (q & 2 ? 0.4 : -0.4) - yc;
    legs[q][2] = -0.7;
    made_add(&m, HEFT_CONSTRAINT_POINT, 0, legs[q], -1, legs[q], MADE_UP, 0.5);
  }
  const double twist[6] = {0, 0, 0, 0, 0, -9.81e-3};
  made_bias(&m, twist);
  const HeftContactSolverDef def = def_for(&m.problem);
  HeftContactSolver* solver;
  assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
  HeftContactTermination stop = heft_contact_termination_default();
  stop.tolerance = 1e-12;
  s.result = heft_contact_solver_solve(solver, &m.problem, &stop, s.r, s.u);
  assert_true(s.result.equal);
  double sum = 0, moment_x = 0, moment_y = 0;
  for (int q = 0; q < 4; ++q) {
    sum += s.r[3 * q];
    moment_x += s.r[3 * q] * legs[q][0] - s.r[3 * q + 1] * legs[q][2];
    moment_y += s.r[3 * q] * legs[q][1] - s.r[3 * q + 2] * legs[q][2];
  }
  assert_true(fabs(sum - weight) < 1e-9 * weight);
  assert_true(fabs(moment_x) < 1e-9 && fabs(moment_y) < 1e-9);
  heft_contact_solver_destroy(solver);
  made_destroy(&m);
}

// The formula N_i = m g (1/4 + x_c x_i / Σx² + y_c y_i / Σy²) for frictionless legs with equal w_i.
static void four_legs_formula(void** state) {
  (void)state;
  static Solved s;
  Made m = made_create(4, 1, 36);
  made_box(&m, 5, 1);
  // the same resistance to tilting everywhere: w_i is equal for all legs when the inverse inertia
  // sees |x_i|, |y_i| equally, so the centre of mass is moved by the load instead of by the
  // geometry
  const double weight = 5 * 9.81e-3, xc = 0.13, yc = -0.07;
  for (int q = 0; q < 4; ++q) {
    const double leg[3] = {q & 1 ? 0.6 : -0.6, q & 2 ? 0.4 : -0.4, -0.7};
    made_add(&m, HEFT_CONSTRAINT_FRICTIONLESS, 0, leg, -1, leg, MADE_UP, 0);
  }
  // a weight at (xc, yc): moment (yc * -W, xc * W, 0) about the middle
  const double inertia = 6 / (5.0 * 1),
               twist[6] = {-yc * weight * inertia, xc * weight * inertia, 0, 0, 0, -weight / 5};
  made_bias(&m, twist);
  const HeftContactProblem* p = &m.problem;
  const HeftContactSolverDef def = def_for(p);
  HeftContactSolver* solver;
  assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
  HeftContactTermination stop = heft_contact_termination_default();
  stop.tolerance = 1e-13;
  s.result = heft_contact_solver_solve(solver, p, &stop, s.r, s.u);
  assert_true(s.result.equal);
  for (int q = 0; q < 4; ++q) {
    const double x = q & 1 ? 0.6 : -0.6, y = q & 2 ? 0.4 : -0.4;
    const double expected = weight * (0.25 + xc * x / (4 * 0.36) + yc * y / (4 * 0.16));
    assert_true(fabs(s.r[q] - expected) < 1e-9 * weight);
  }
  heft_contact_solver_destroy(solver);
  made_destroy(&m);
}

// A box of 5 kg on the four corners of a rectangle. Normal impulses may move along (1, -1, -1, 1)
// without any change of motion.
static const double FREE[4] = {1, -1, -1, 1};

static Made table_problem(double sideways) {
  Made m = made_create(5, 1, 36);
  made_box(&m, 5, 1);
  for (int q = 0; q < 4; ++q) {
    const double leg[3] = {q & 1 ? 0.6 : -0.5, q & 2 ? 0.4 : -0.3, -0.2};
    made_add(&m, HEFT_CONSTRAINT_POINT, 0, leg, -1, leg, MADE_UP, 0.5);
  }
  const double twist[6] = {0, 0, 0, sideways, 0.3 * sideways, -9.81e-3};
  made_bias(&m, twist);
  return m;
}

// At rest: the impulses of equal compliance are at right angles to what is free, whatever warm
// impulses the solve begins with.
static void rest_is_of_least_norm(void** state) {
  (void)state;
  static Solved s;
  Made m = table_problem(0);
  const HeftContactSolverDef def = def_for(&m.problem);
  HeftContactSolver* solver;
  assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
  const HeftContactTermination stop = {.tolerance = 1e-13, .effort_max = 1000};
  heft_contact_solver_solve(solver, &m.problem, &stop, s.r, s.u);
  double min[12], along = 0;
  memcpy(min, s.r, sizeof min);
  for (int q = 0; q < 4; ++q) along += FREE[q] * min[3 * q];
  assert_true(fabs(along) < 1e-11);
  memcpy(m.warm, min, sizeof min);
  for (int q = 0; q < 4; ++q) m.warm[3 * q] += 2e-3 * FREE[q];
  m.problem.warm = m.warm;
  // Far from any solution: the way is told, and so is the residual at the start.
  for (int k = 0; k < 12; ++k) m.warm[k] *= 2;
  s.result = heft_contact_solver_solve(solver, &m.problem, &stop, s.r, s.u);
  assert_true(s.result.start > 0.1 && s.result.displacement > 0.1 && s.result.equal);
  for (int k = 0; k < 12; ++k) assert_true(fabs(s.r[k] - min[k]) < 1e-9);
  heft_contact_solver_destroy(solver);
  made_destroy(&m);
}

// A foot with twelve points, the load on it moving slowly: the impulses of equal compliance follow
// it without jumps.
static void a_polygon_foot_is_smooth(void** state) {
  (void)state;
  static Solved s;
  Made m = made_create(12, 1, 36);
  made_box(&m, 10, 0.3);
  for (int q = 0; q < 12; ++q) {
    const double t = q / 12.0 * 4 - 2, c = (1 - t * t) / (1 + t * t), sn = 2 * t / (1 + t * t);
    const double point[3] = {0.12 * c, 0.07 * sn, -0.05};
    made_add(&m, HEFT_CONSTRAINT_POINT, 0, point, -1, point, MADE_UP, 0.7);
  }
  const HeftContactSolverDef def = def_for(&m.problem);
  HeftContactSolver* solver;
  assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
  HeftContactTermination stop = heft_contact_termination_default();
  stop.tolerance = 1e-9;
  double last[36] = {0}, jump = 0;
  for (int step = 0; step < 400; ++step) {
    const double sway = (step < 200 ? step : 400 - step) / 200.0;
    const double twist[6] = {0, 2e-3 * sway, 0, 5e-4 * sway, 0, -9.81e-3};
    made_bias(&m, twist);
    m.problem.velocity_scale = 9.81e-3;
    memcpy(m.warm, last, sizeof last);
    m.problem.warm = step ? m.warm : NULL;
    s.result = heft_contact_solver_solve(solver, &m.problem, &stop, s.r, s.u);
    assert_true(s.result.equal);
    s.certificate = heft_contact_certify(&m.problem, s.r, s.u, scratch);
    assert_true(s.certificate.relative <= 1.001e-9);
    for (int k = 0; k < 36; ++k) {
      if (step > 1) jump = fmax(jump, fabs(s.r[k] - last[k]));
      last[k] = s.r[k];
    }
  }
  print_message("polygon foot: largest jump %.1e of %.1e N s\n", jump, 10 * 9.81e-3);
  assert_true(jump < 1e-4 * 10 * 9.81e-3);
  heft_contact_solver_destroy(solver);
  made_destroy(&m);
}

// ---- house rules

typedef struct Counting {
  int allocations, limit;
} Counting;

static void* count_allocate(void* user, size_t size, size_t alignment) {
  Counting* counting = user;
  (void)alignment;
  if (counting->allocations >= counting->limit) return NULL;
  counting->allocations++;
  return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void count_release(void* user, void* memory, size_t size) {
  (void)user;
  (void)size;
  free(memory);
}

static void memory_is_taken_once(void** state) {
  (void)state;
  static Solved s;
  Random random = {3};
  Made m = tower_problem(2, 4, 0.5, &random);
  HeftContactSolverDef def = def_for(&m.problem);
  Counting counting = {0, 1};
  def.allocator = (HeftAllocator){count_allocate, count_release, &counting};
  HeftContactSolver* solver;
  assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
  HeftContactTermination stop = heft_contact_termination_default();
  heft_contact_solver_solve(solver, &m.problem, &stop, s.r, s.u);
  assert_int_equal(counting.allocations, 1);
  heft_contact_solver_destroy(solver);
  counting = (Counting){0, 0};
  HeftError err = {0};
  assert_int_equal(heft_contact_solver_create(&solver, &def, &err), HEFT_ERR_MEMORY);
  assert_null(solver);
  def.constraint_capacity = 0;
  assert_int_equal(heft_contact_solver_create(&solver, &def, &err), HEFT_ERR_ARGUMENT);
  made_destroy(&m);
}

static void wrong_problems_are_refused(void** state) {
  (void)state;
  Random random = {3};
  Made m = tower_problem(1, 2, 0.5, &random);
  HeftError err = {0};
  assert_int_equal(heft_contact_problem_check(&m.problem, &err), HEFT_OK);
  m.constraints[1].row = 4;
  assert_int_equal(heft_contact_problem_check(&m.problem, &err), HEFT_ERR_VALUE);
  m.constraints[1].row = 3;
  m.constraints[2].effector[1] = 99;
  assert_int_equal(heft_contact_problem_check(&m.problem, &err), HEFT_ERR_VALUE);
  m.constraints[2].effector[1] = -1;
  m.constraints[2].mu = -0.1;
  assert_int_equal(heft_contact_problem_check(&m.problem, &err), HEFT_ERR_VALUE);
  m.constraints[2].mu = 0.1;
  m.bias[5] = NAN;
  assert_int_equal(heft_contact_problem_check(&m.problem, &err), HEFT_ERR_VALUE);
  for (int k = 0; k < m.problem.row_count; ++k) m.bias[k] = -1e300;  // their squares are no numbers
  assert_int_equal(heft_contact_problem_check(&m.problem, &err), HEFT_ERR_VALUE);
  for (int k = 0; k < m.problem.row_count; ++k) m.bias[k] = -1e150;
  assert_int_equal(heft_contact_problem_check(&m.problem, &err), HEFT_OK);
  made_destroy(&m);
}

static void nothing_to_do(void** state) {
  (void)state;
  static Solved s;
  Made m = made_create(1, 1, 36);
  made_box(&m, 1, 1);
  solve(&m.problem, 1e-8, &s);
  assert_int_equal(s.result.status, HEFT_CONTACT_SOLVED);
  assert_int_equal(s.result.effort, 0);
  made_destroy(&m);
}

// Velocities whose squares are no numbers have no residual: the answer is zero, whatever the solver
// has solved before.
static void beyond_the_range_of_numbers(void** state) {
  (void)state;
  Random random = {5};
  Made m = tower_problem(3, 4, 0.5, &random);
  const HeftContactSolverDef def = def_for(&m.problem);
  const HeftContactTermination stop = {.tolerance = 1e-8, .effort_max = 20};
  static double r[ROWS_MAX];
  HeftContactSolver* solver;
  assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
  heft_contact_solver_solve(solver, &m.problem, &stop, r, NULL);
  for (int k = 0; k < m.problem.row_count; ++k) m.bias[k] = k % 3 == 0 ? -1e300 : 0;
  assert_int_equal(heft_contact_problem_check(&m.problem, NULL), HEFT_ERR_VALUE);
  const HeftContactResult result = heft_contact_solver_solve(solver, &m.problem, &stop, r, NULL);
  assert_int_not_equal(result.status, HEFT_CONTACT_SOLVED);
  for (int k = 0; k < m.problem.row_count; ++k) assert_true(r[k] == 0);
  heft_contact_solver_destroy(solver);
  made_destroy(&m);
}

// ---- lanes, threads, rest, interruptions

// Lanes are a matter of speed: the same bits as one contact after the other.
static void lanes_and_serial_agree(void** state) {
  (void)state;
  Random random = {4711};
  Made m = tower_problem(21, 5, 0.5, &random);
  const int n = m.problem.constraint_count;
  for (int i = 0; i < n; ++i)
    m.constraints[i].mu = i % 5 == 0 ? 0 : random_between(&random, 0.1, 1);
  const CoreSize size = {.constraints = n + (PACKET_SIZE - 1) * COLOURS_MAX,
                         .rows = 3 * n,
                         .effectors = m.problem.effector_count,
                         .tree_effectors = 1,
                         .packets = 1};
  Core core = {0};
  Arena arena = arena_measure();
  core_take(&core, &arena, size);
  void* memory = aligned_alloc(ARENA_ALIGNMENT, arena.used);
  arena = arena_make(memory, arena.used, NULL);
  core_take(&core, &arena, size);
  core_load(&core, &m.problem);
  core_factor(&core, 0.03);
  core_factor_serial(&core, 0);
  assert_true(core.colouring.groups >= n / PACKET_SIZE && core.constraints > n);  // with fillers
  const size_t slots = (size_t)core.slots, states = (size_t)core.states;
  double *r = calloc(slots, sizeof(double)), *z = calloc(states, sizeof(double));
  double *r_serial = calloc(slots, sizeof(double)), *z_serial = calloc(states, sizeof(double));
  double* u = calloc(slots, sizeof(double));
  double first = 0, last = 0;
  for (int k = 0; k < 60; ++k) {
    sweep(&core, r, z);
    sweep_serial(&core, 0, core.constraints, r_serial, z_serial);
    for (size_t a = 0; a < slots; ++a) assert_true(r[a] == r_serial[a]);
    for (size_t a = 0; a < states; ++a) assert_true(z[a] == z_serial[a]);
    last = core_residual(&core, r, z, u);
    if (k == 0) first = last;
  }
  assert_true(last < 0.3 * first);
  free(r);
  free(z);
  free(r_serial);
  free(z_serial);
  free(u);
  free(memory);
  made_destroy(&m);
}

static void run_backwards(void* user, int count, void (*task)(void* arg, int index), void* arg) {
  ++*(int*)user;
  for (int k = count - 1; k >= 0; --k) task(arg, k);
}

static void tasks_in_any_order(void** state) {
  (void)state;
  Random random = {99};
  Made m = tower_problem(60, 5, 0.5, &random);
  const size_t bytes = sizeof(double) * (size_t)m.problem.row_count;
  double *r = malloc(bytes), *other = malloc(bytes);
  const HeftContactTermination stop = {.tolerance = 1e-10, .effort_max = 60};
  int calls = 0;
  for (int k = 0; k < 2; ++k) {
    HeftContactSolverDef def = def_for(&m.problem);
    HeftContactSolver* solver;
    def.method = HEFT_CONTACT_METHOD_ACCELERATED;
    def.run = k ? run_backwards : NULL;
    def.run_user = &calls;
    assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
    heft_contact_solver_solve(solver, &m.problem, &stop, k ? other : r, NULL);
    heft_contact_solver_destroy(solver);
  }
  assert_true(calls > 0);
  assert_memory_equal(r, other, bytes);
  free(r);
  free(other);
  made_destroy(&m);
}

// A box that lies still: the first solve is polished as far as rest needs, all others find nothing
// to do.
static void rest_is_exact_and_cheap(void** state) {
  (void)state;
  Random random = {7};
  for (int trial = 0; trial < 20; ++trial) {
    Made m = tower_problem(1, 1 + trial % 3, 0.5, &random);
    for (int k = 0; k < 6 * m.problem.effector_count; ++k) m.twists[k] = k % 6 == 5 ? -9.81e-3 : 0;
    made_bias(&m, m.twists);
    const HeftContactSolverDef def = def_for(&m.problem);
    const HeftContactTermination stop = {.tolerance = 1e-4, .effort_max = 1000, .polish = 60};
    HeftContactSolver* solver;
    double r[36], u[36];
    assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
    HeftContactResult result = heft_contact_solver_solve(solver, &m.problem, &stop, r, u);
    assert_int_equal(result.status, HEFT_CONTACT_SOLVED);
    assert_true(result.relative <= 1e-12);
    memcpy(m.warm, r, sizeof(double) * (size_t)m.problem.row_count);
    m.problem.warm = m.warm;
    result = heft_contact_solver_solve(solver, &m.problem, &stop, r, u);
    assert_true(result.relative <= 1e-12);
    if (result.effort == 0) {
      assert_memory_equal(r, m.warm, sizeof(double) * (size_t)m.problem.row_count);
      double space[400];
      const HeftContactCertificate proof = heft_contact_certify(&m.problem, r, u, space);
      assert_true(proof.relative <= result.relative + 1e-15);  // it was an upper bound
      assert_true(proof.momentum < 1e-14);
    }
    heft_contact_solver_destroy(solver);
    made_destroy(&m);
  }
}

// What bounds the residual at rest really does, for impulses that are anything but right.
static void rest_is_not_seen_where_there_is_none(void** state) {
  (void)state;
  Random random = {12345};
  int seen = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Made m = tower_problem(1, 1, random_between(&random, 0.05, 1), &random);
    const HeftContactSolverDef def = def_for(&m.problem);
    const HeftContactTermination stop = {.tolerance = 1e-7, .effort_max = 500};
    double r[12], u[12], space[200], twists[16];
    HeftContactSolver* solver;
    assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
    heft_contact_solver_solve(solver, &m.problem, &stop, m.warm, u);
    const double off = trial % 2 ? 0 : 1e-5 * random_unit(&random);
    for (int k = 0; k < 12; ++k) m.warm[k] *= 1 + off * random_between(&random, -1, 1);
    m.problem.warm = m.warm;
    const Rest rest = rest_check(&m.problem, 1e-5, (Share){0}, &(Incidence){0}, twists, u);
    memcpy(r, m.warm, sizeof r);
    const HeftContactCertificate proof = heft_contact_certify(&m.problem, r, NULL, space);
    if (rest.solved) {
      ++seen;
      assert_true(proof.relative <= rest.relative * (1 + 1e-9) + 1e-15 && proof.cone <= 0);
    }
    heft_contact_solver_destroy(solver);
    made_destroy(&m);
  }
  assert_true(seen > 500);
}

// Impulses that would throw the box up are shortened along their ray to where the energy is least.
static void the_passivity_clamp(void** state) {
  (void)state;
  Random random = {31};
  for (int trial = 0; trial < 50; ++trial) {
    Made m = tower_problem(1, 2, 0.5, &random);
    const int rows = m.problem.row_count;
    m.problem.velocity_scale = 10;  // so that even these impulses are a better start than none
    const HeftContactSolverDef def = def_for(&m.problem);
    HeftContactTermination stop = {.tolerance = 1e-13, .effort_max = 3000};
    double r[24], u[24], space[200], with_b = 0, with_w = 0;
    HeftContactSolver* solver;
    assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
    heft_contact_solver_solve(solver, &m.problem, &stop, r, NULL);
    const double factor = random_between(&random, 4, 10);
    for (int k = 0; k < rows; ++k) m.warm[k] = factor * r[k];
    m.problem.warm = m.warm;
    stop.effort_max = -1;
    const HeftContactResult result = heft_contact_solver_solve(solver, &m.problem, &stop, r, u);
    const HeftContactCertificate proof = heft_contact_certify(&m.problem, r, u, space);
    assert_int_equal(result.effort, 0);
    assert_int_equal(result.status, HEFT_CONTACT_EFFORT_SPENT);
    assert_true(result.clamp > 0 && result.clamp < 1);
    assert_true(proof.cone <= 1e-15 && proof.energy_change < 0 && proof.momentum < 1e-13);
    for (int k = 0; k < rows; ++k) {
      assert_true(fabs(r[k] - result.clamp * m.warm[k]) <= 1e-13 * factor);
      with_b += r[k] * m.bias[k];
      with_w += r[k] * (u[k] - m.bias[k]);
    }
    assert_true(fabs(with_b + with_w) < 1e-10 * fabs(with_w));  // the least on the ray
    heft_contact_solver_destroy(solver);
    made_destroy(&m);
  }
}

// The impulse of an impact along a normal that nearly goes through the centre of a joint: 1e12 N s,
// which move the contact by 1e-12 m/s and the body by 1 m/s. In the next step nothing closes. The
// velocity is nothing beside that of another row, but the energy of 0.5 J is.
static void warm_impulses_that_add_energy(void** state) {
  (void)state;
  const HeftConstraintBlock blocks[2] = {
      {.type = HEFT_CONSTRAINT_FRICTIONLESS, .row = 0, .effector = {0, -1}},
      {.type = HEFT_CONSTRAINT_FRICTIONLESS, .row = 1, .effector = {0, -1}}};
  const HeftContactTree tree = {.effector_count = 1};
  const double bias[2] = {0, 1000}, warm[2] = {1e12, 0};
  double omega[36] = {0}, jacobian[24] = {0}, r[2], u[2], space[200];
  for (int k = 0; k < 6; ++k) omega[7 * k] = 1;
  jacobian[0] = 1e-12;
  jacobian[13] = 1;
  const HeftContactProblem p = {.constraint_count = 2,
                                .row_count = 2,
                                .constraints = blocks,
                                .bias = bias,
                                .warm = warm,
                                .effector_count = 1,
                                .tree_count = 1,
                                .trees = &tree,
                                .omega = omega,
                                .jacobian = jacobian};
  const HeftContactSolverDef def = def_for(&p);
  const HeftContactTermination stop = {.tolerance = 1e-8, .effort_max = 100};
  HeftContactSolver* solver;
  assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
  const HeftContactResult result = heft_contact_solver_solve(solver, &p, &stop, r, u);
  assert_int_equal(result.status, HEFT_CONTACT_SOLVED);
  assert_true(heft_contact_certify(&p, r, u, space).energy_change <= 1e-9);
  heft_contact_solver_destroy(solver);
}

// A deadline that is over leaves time for nothing but a look at the warm impulses; a replay does
// the same.
static void a_deadline_that_is_over(void** state) {
  (void)state;
  Random random = {8};
  Made m = tower_problem(30, 4, 0.5, &random);
  const size_t bytes = sizeof(double) * (size_t)m.problem.row_count;
  const HeftContactSolverDef def = def_for(&m.problem);
  double *r = malloc(bytes), *again = malloc(bytes);
  HeftContactTermination stop = {.tolerance = 1e-12, .effort_max = 5};
  HeftContactSolver* solver;
  assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
  heft_contact_solver_solve(solver, &m.problem, &stop, m.warm, NULL);
  m.problem.warm = m.warm;
  stop.deadline_ns = 1;
  const HeftContactResult cut = heft_contact_solver_solve(solver, &m.problem, &stop, r, NULL);
  assert_int_equal(cut.status, HEFT_CONTACT_DEADLINE);
  assert_int_equal(cut.effort, 0);
  stop.deadline_ns = 0;
  stop.effort_max = -1;
  heft_contact_solver_solve(solver, &m.problem, &stop, again, NULL);
  assert_memory_equal(r, again, bytes);
  // one that comes while it works: what was spent, spent again, gives the same bits
  for (int k = 0; k < 20; ++k) {
    stop = (HeftContactTermination){.tolerance = 1e-15, .effort_max = 100000};
    stop.deadline_ns = heft_clock_ns() + 50000 + 100000 * (uint64_t)k;
    const HeftContactResult result = heft_contact_solver_solve(solver, &m.problem, &stop, r, NULL);
    stop.deadline_ns = 0;
    stop.effort_max = result.effort ? result.effort : -1;
    heft_contact_solver_solve(solver, &m.problem, &stop, again, NULL);
    assert_memory_equal(r, again, bytes);
  }
  heft_contact_solver_destroy(solver);
  free(r);
  free(again);
  made_destroy(&m);
}

// Solves once with a limit, and again with the effort that the first solve spent: the same bits.
static int repeat_with_its_effort(HeftContactSolver* solver, const Made* m,
                                  HeftContactTermination stop, double* r, double* again) {
  const size_t bytes = sizeof(double) * (size_t)m->problem.row_count;
  const HeftContactResult first = heft_contact_solver_solve(solver, &m->problem, &stop, r, NULL);
  stop.deadline_ns = 0;
  stop.effort_max = first.effort > 0 ? first.effort : -1;
  const HeftContactResult second =
      heft_contact_solver_solve(solver, &m->problem, &stop, again, NULL);
  assert_memory_equal(r, again, bytes);
  assert_int_equal(first.effort, second.effort);
  assert_true(first.relative == second.relative);
  return first.effort;
}

// Wherever effort or clock end a solve, one with the effort that was spent has the same bits. A
// deadline that is over acts after effort_min, so it can be put anywhere.
static void a_cut_is_repeated_by_its_effort(void** state) {
  (void)state;
  Random random = {21};
  static Humanoid h;
  humanoid_make(&h, &random, 2);
  int cuts = 0;
  for (int trial = 0; trial < 24; ++trial) {
    Made m = trial % 2 ? tower_problem(1, 1 + trial % 5, random_between(&random, 0.1, 0.8), &random)
                       : humanoid_problem(&h, &random, 4, random_between(&random, 0.1, 0.8));
    const size_t bytes = sizeof(double) * (size_t)m.problem.row_count;
    const HeftContactSolverDef def = def_for(&m.problem);
    double *r = malloc(bytes), *again = malloc(bytes);
    HeftContactSolver* solver;
    assert_int_equal(heft_contact_solver_create(&solver, &def, NULL), HEFT_OK);
    const HeftContactTermination whole = {
        .tolerance = 1e-8, .effort_max = 4000, .polish = trial % 3 ? 8 : 0};
    m.problem.at_rest = trial / 2 % 2;
    const int all = repeat_with_its_effort(solver, &m, whole, r, again);
    for (int k = 0; k <= all && k < 200; ++k, ++cuts) {
      HeftContactTermination stop = whole;
      stop.effort_max = k > 0 ? k : -1;
      repeat_with_its_effort(solver, &m, stop, r, again);
      stop = whole;
      stop.deadline_ns = 1;
      stop.effort_min = k;
      repeat_with_its_effort(solver, &m, stop, r, again);
    }
    heft_contact_solver_destroy(solver);
    free(r);
    free(again);
    made_destroy(&m);
  }
  assert_true(cuts > 300);
}

// A point without friction that moves apart straight along its normal.
static void parting_without_friction(void** state) {
  (void)state;
  static Solved s;
  Made m = made_create(1, 1, 36);
  made_box(&m, 2, 1);
  const double point[3] = {0, 0, -0.5}, twist[6] = {0, 0, 0, 0, 0, 0.5};
  made_add(&m, HEFT_CONSTRAINT_POINT, 0, point, -1, point, MADE_UP, 0);
  made_bias(&m, twist);
  solve(&m.problem, 1e-12, &s);
  assert_true(s.r[0] == 0 && s.u[0] == 0.5);
  made_destroy(&m);
}

// The same bits from every compiler and level: a hash of many solutions. If it changes, so did the
// arithmetic.
static void golden_bits(void** state) {
  (void)state;
  static Solved s;
  uint64_t hash = 0;
  for (int trial = 0; trial < 12; ++trial) {
    Random random = {2024 + 7 * (uint64_t)trial};
    Humanoid h;
    humanoid_make(&h, &random, 2);
    Made m = trial % 3 == 0   ? tower_problem(3, 5, 0.5, &random)
             : trial % 3 == 1 ? humanoid_problem(&h, &random, 6, 0.6)
                              : zoo(&random);
    Explicit e = explicit_make(&m.problem);
    for (int form = 0; form < 2; ++form) {
      const HeftContactProblem* p = form ? &e.problem : &m.problem;
      HeftContactSolverDef def = def_for(p);
      def.method = trial % 2 ? HEFT_CONTACT_METHOD_NEWTON : HEFT_CONTACT_METHOD_AUTO;
      const HeftContactTermination stop = {.tolerance = 1e-10, .effort_max = 400};
      solve_with(p, &def, stop, &s);
      hash = heft_hash(s.r, sizeof(double) * (size_t)p->row_count, hash);
      hash = heft_hash(s.u, sizeof(double) * (size_t)p->row_count, hash);
      hash = heft_hash(&s.certificate.residual, sizeof(double), hash);
    }
    explicit_destroy(&e);
    made_destroy(&m);
  }
  print_message("hash %016llx\n", (unsigned long long)hash);
  assert_true(hash == 0xe7c0e18a8e2342c4ULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(incline),
      cmocka_unit_test(stack_carries_weights),
      cmocka_unit_test(friction_is_round),
      cmocka_unit_test(every_type_in_one_problem),
      cmocka_unit_test(static_friction),
      cmocka_unit_test(effectors_and_blocks_agree),
      cmocka_unit_test(every_method_solves),
      cmocka_unit_test(the_best_only_gets_better),
      cmocka_unit_test(interruptions_are_feasible_and_passive),
      cmocka_unit_test(a_replay_repeats_the_bits),
      cmocka_unit_test(turning_the_tangents),
      cmocka_unit_test(another_order),
      cmocka_unit_test(other_units),
      cmocka_unit_test(a_contact_split_in_two),
      cmocka_unit_test(four_legs),
      cmocka_unit_test(four_legs_formula),
      cmocka_unit_test(a_polygon_foot_is_smooth),
      cmocka_unit_test(rest_is_of_least_norm),
      cmocka_unit_test(memory_is_taken_once),
      cmocka_unit_test(wrong_problems_are_refused),
      cmocka_unit_test(nothing_to_do),
      cmocka_unit_test(beyond_the_range_of_numbers),
      cmocka_unit_test(lanes_and_serial_agree),
      cmocka_unit_test(tasks_in_any_order),
      cmocka_unit_test(rest_is_exact_and_cheap),
      cmocka_unit_test(rest_is_not_seen_where_there_is_none),
      cmocka_unit_test(the_passivity_clamp),
      cmocka_unit_test(warm_impulses_that_add_energy),
      cmocka_unit_test(a_deadline_that_is_over),
      cmocka_unit_test(a_cut_is_repeated_by_its_effort),
      cmocka_unit_test(parting_without_friction),
      cmocka_unit_test(golden_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
