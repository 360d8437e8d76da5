// SPDX-License-Identifier: Apache-2.0
// Motions that are known in closed form: figure against theory, for both integrators.
#include <complex.h>

#include "world/stage.h"

static const char* name_of(int integrator) {
  return heft_integrator_name((HeftIntegrator)integrator);
}

// ---- elliptic integrals

// K(k) = π / (2 AGM(1, k')), from the complementary modulus k'.
static double elliptic_k(double k_prime) {
  double a = 1, b = k_prime;
  for (int i = 0; i < 40 && fabs(a - b) > 1e-16 * a; ++i) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return HEFT_PI / (a + b);
}

// F(φ, k) = sin φ R_F(cos² φ, 1 - k² sin² φ, 1), Carlson's form by duplication.
static double elliptic_f(double phi, double k) {
  const double s = sin(phi), c = cos(phi);
  double x = c * c, y = 1 - k * k * s * s, z = 1;
  for (int i = 0; i < 40; ++i) {
    const double shift = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
    x = (x + shift) / 4;
    y = (y + shift) / 4;
    z = (z + shift) / 4;
  }
  return s / sqrt((x + y + z) / 3);
}

// When a value with known rate passes zero within a step of h: root of the cubic through both ends.
static double crossing(double x0, double v0, double x1, double v1, double h) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double t = 0.5 * (low + high), u = 1 - t;
    const double x =
        u * u * ((1 + 2 * t) * x0 + t * h * v0) + t * t * ((1 + 2 * u) * x1 - u * h * v1);
    if ((x > 0) == (x0 > 0)) {
      low = t;
    } else {
      high = t;
    }
  }
  return h * 0.5 * (low + high);
}

// ---- compound pendulum

static double pendulum_omega(const HeftModel* m) {
  const double mass = m->body_mass[1], arm = -m->body_com[5];
  return sqrt(mass * 9.81 * arm / (m->body_inertia[7] + mass * arm * arm));
}

static double pendulum_period(Stage* s, double amplitude, double h) {
  const double rest = 0;
  stage_set(s, &amplitude, &rest);
  const HeftState* state = heft_world_state(s->world);
  double first = 0, last = 0;
  int count = 0;
  for (int i = 0; count <= 20; ++i) {
    const double q = state->q[0], v = state->v[0];
    stage_step(s);
    if ((q > 0) == (state->q[0] > 0)) continue;
    last = i * h + crossing(q, v, state->q[0], state->v[0], h);
    if (count++ == 0) first = last;
  }
  return (last - first) / 10;
}

static void pendulum_swings_with_the_elliptic_period(void** state) {
  (void)state;
  static const double amplitudes[] = {0.01, 0.5, 1.5, 3.0};
  static const double limit[] = {3e-6, 1e-10};
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    const HeftWorldDef def = stage_def((HeftIntegrator)integrator, 0.001);
    Stage s = stage_open("pendulum", &def);
    for (int i = 0; i < 4; ++i) {
      const double theory = 4 * elliptic_k(cos(amplitudes[i] / 2)) / pendulum_omega(s.model);
      const double period = pendulum_period(&s, amplitudes[i], 0.001);
      const double error = fabs(period - theory) / theory;
      printf("pendulum %-6s amplitude %.2f: period %.12f s, theory %.12f s, error %.1e\n",
             name_of(integrator), amplitudes[i], period, theory, error);
      CHECK_AT_MOST(error, limit[integrator]);
    }
    stage_close(&s);
  }
}

// From rest at 0.1 rad beside the upright to the horizontal: t = (K - F(ψ)) / ω0, and the speed
// that the height gives.
static void rod_falls_in_the_elliptic_time(void** state) {
  (void)state;
  static const double limit[] = {3e-6, 1e-10};
  const double start = HEFT_PI - 0.1, none = 0, h = 0.001, k = sin(start / 2);
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    const HeftWorldDef def = stage_def((HeftIntegrator)integrator, h);
    Stage s = stage_open("pendulum", &def);
    stage_set(&s, &start, &none);
    const double omega = pendulum_omega(s.model), quarter = HEFT_PI / 2;
    const double time_theory =
        (elliptic_k(cos(start / 2)) - elliptic_f(asin(sin(quarter / 2) / k), k)) / omega;
    const double speed_theory = omega * sqrt(2 * cos(0.1));
    const HeftState* now = heft_world_state(s.world);
    double q = start, v = 0;
    int i = 0;
    for (; now->q[0] > quarter; ++i) {
      q = now->q[0];
      v = now->v[0];
      stage_step(&s);
    }
    const double within = crossing(q - quarter, v, now->q[0] - quarter, now->v[0], h);
    const double time = (i - 1) * h + within, speed = -(v + (now->v[0] - v) * within / h);
    printf("rod      %-6s falls in %.12f s, theory %.12f s; speed %.9f rad/s, theory %.9f\n",
           name_of(integrator), time, time_theory, speed, speed_theory);
    CHECK_AT_MOST(fabs(time - time_theory) / time_theory, limit[integrator]);
    CHECK_AT_MOST(fabs(speed - speed_theory) / speed_theory,
                  integrator == HEFT_INTEGRATOR_RK4 ? 1e-7 : 3e-6);
    stage_close(&s);
  }
}

// ---- symmetric top

typedef struct Precession {
  double rate, nutation;  ///< [rad/s], largest change of the tilt [rad]
} Precession;

static Precession run_top(HeftIntegrator integrator, double h, double tilt, double spin,
                          double rate) {
  const HeftWorldDef def = stage_def(integrator, h);
  Stage s = stage_open("top", &def);
  const double q[4] = {cos(tilt / 2), sin(tilt / 2), 0, 0};
  const double v[3] = {0, rate * sin(tilt), spin};
  stage_set(&s, q, v);
  double angle = 0, before = 0;
  Precession out = {0, 0};
  const int steps = (int)lround(1 / h);
  for (int i = 0; i <= steps; ++i) {
    const HeftMat3 r = heft_dynamics_body_pose(heft_world_dynamics(s.world), 1).rot;
    const HeftVec3 axis = heft_mat3_column(r, 2);
    const double now = atan2(axis.y, axis.x);
    if (i > 0) angle += remainder(now - before, 2 * HEFT_PI);
    before = now;
    out.nutation = fmax(out.nutation, fabs(acos(axis.z) - tilt));
    if (i < steps) stage_step(&s);
  }
  out.rate = angle;
  stage_close(&s);
  return out;
}

// A cos θ Ω² - C ω₃ Ω + m g l = 0, A about the tip, C about the axis of the top.
static void top_precesses_steadily(void** state) {
  (void)state;
  HeftModel* m = scene_create("top", NULL);
  const double mass = m->body_mass[1], arm = m->body_com[5], spin = 300, tilt = 0.5;
  const double a = m->body_inertia[6] + mass * arm * arm, c = m->body_inertia[8];
  const double lean = a * cos(tilt), turn = c * spin;
  const double root = sqrt(turn * turn - 4 * lean * mass * 9.81 * arm);
  assert_true(m->physics.gravity[2] == -9.81);
  heft_model_destroy(m);
  static const char* const label[] = {"slow", "fast"};
  static const double step[] = {1e-3, 1e-4};
  static const double limit[2][2] = {{0.2, 2e-3}, {2e-3, 2e-7}};
  for (int kind = 0; kind < 2; ++kind) {
    const double theory = (kind ? turn + root : turn - root) / (2 * lean);
    for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
      for (int fine = 0; fine < 2; ++fine) {
        const Precession p = run_top((HeftIntegrator)integrator, step[fine], tilt, spin, theory);
        const double error = fabs(p.rate - theory) / theory;
        printf(
            "top      %-6s %s, h %g s: rate %.9f rad/s, theory %.9f, error %.1e, nutation %.1e\n",
            name_of(integrator), label[kind], step[fine], p.rate, theory, error, p.nutation);
        CHECK_AT_MOST(error, limit[integrator][fine]);
      }
    }
  }
}

// ---- free body with three moments of inertia

// Time between two flips about the middle axis, 2 K(k) / p (Landau and Lifshitz, Mechanics, § 37).
static double flip_time(const double inertia[3], const double omega[3]) {
  double energy = 0, square = 0;  // 2E and L²
  for (int i = 0; i < 3; ++i) {
    energy += inertia[i] * omega[i] * omega[i];
    square += inertia[i] * inertia[i] * omega[i] * omega[i];
  }
  double i1 = inertia[0], i3 = inertia[2];
  const double i2 = inertia[1];
  if (square < energy * i2) {
    i1 = inertia[2];
    i3 = inertia[0];
  }
  const double p = (i3 - i2) * (square - energy * i1);
  const double k2 = (i2 - i1) * (energy * i3 - square) / p;
  return 2 * elliptic_k(sqrt(1 - k2)) / sqrt(p / (i1 * i2 * i3));
}

static void tumbler_keeps_what_it_has(void** state) {
  (void)state;
  const int steps = STAGE_SANITIZED ? 50000 : 1000000;
  static const double start_v[6] = {0.3, -0.2, 0.1, 0.02, 5, 0.05}, q[7] = {0, 0, 0, 1, 0, 0, 0};
  static const double energy_limit[] = {1e-5, 1e-11}, period_limit[] = {3e-3, 1e-9};
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    const HeftWorldDef def = stage_def((HeftIntegrator)integrator, 0.001);
    Stage s = stage_open("tumbler", &def);
    stage_set(&s, q, start_v);
    const Sums start = stage_sums(&s);
    const HeftVec3 spin = heft_vec3_sub(start.angular, heft_vec3_cross(start.com, start.linear));
    const double base = start.energy - 0.5 * heft_vec3_dot(start.linear, start.linear);
    const double theory = flip_time(s.model->body_inertia + 6, start_v + 3);
    const HeftState* now = heft_world_state(s.world);
    double momentum = 0, energy = 0, first = 0, last = 0;
    int flips = 0;
    for (int i = 0; i < steps; ++i) {
      const double before = now->v[4];
      stage_step(&s);
      const double after = now->v[4];
      if ((before > 0) != (after > 0)) {
        last = (i + before / (before - after)) * 0.001;
        if (flips++ == 0) first = last;
      }
      if (i % 10 != 9) continue;
      const Sums sums = stage_sums(&s);
      const HeftVec3 left = heft_vec3_sub(sums.angular, heft_vec3_cross(sums.com, sums.linear));
      momentum = fmax(momentum, distance(left, spin) / heft_vec3_norm(spin));
      energy = fmax(energy, fabs(sums.energy - start.energy) / base);
    }
    const double period = (last - first) / (flips - 1), error = fabs(period - theory) / theory;
    printf(
        "tumbler  %-6s %d steps: L drift %.1e, energy drift %.1e, %d flips, one every %.9f s, "
        "theory %.9f, error %.1e\n",
        name_of(integrator), steps, momentum, energy, flips, period, theory, error);
    CHECK_AT_MOST(momentum, 1e-10);
    CHECK_AT_MOST(energy, energy_limit[integrator]);
    CHECK_AT_MOST(error, period_limit[integrator]);
    stage_close(&s);
  }
}

// ---- springs

typedef struct Spring {
  double stiffness, damping, theta;
  HeftIntegrator integrator;
  double h;
} Spring;

// Largest distance from x_n = Re(a μ₁ⁿ + b μ₂ⁿ), starting at 1 with zero speed, where
// μ = growth(h λ) and m λ² + c λ + k = 0.
static double spring_error(const Spring* p, double complex (*growth)(double complex, double)) {
  HeftWorldDef def = stage_def(p->integrator, p->h);
  def.theta = p->theta;
  HeftModel* m = scene_create("spring", NULL);
  m->dof_stiffness[0] = p->stiffness;
  m->dof_damping[0] = p->damping;
  const double mass = m->body_mass[1], one = 1, none = 0;
  Stage s = stage_on(m, &def);
  stage_set(&s, &one, &none);
  const double complex root = csqrt(p->damping * p->damping - 4 * mass * p->stiffness);
  const double complex l1 = (-p->damping + root) / (2 * mass),
                       l2 = (-p->damping - root) / (2 * mass);
  const double complex a = -l2 / (l1 - l2), b = l1 / (l1 - l2);
  const double complex m1 = growth(p->h * l1, p->theta), m2 = growth(p->h * l2, p->theta);
  double complex p1 = a, p2 = b;
  double worst = 0;
  for (int i = 0; i < 10000; ++i) {
    stage_step(&s);
    p1 *= m1;
    p2 *= m2;
    worst = fmax(worst, fabs(heft_world_state(s.world)->q[0] - creal(p1 + p2)));
  }
  stage_close(&s);
  return worst;
}

// What each scheme makes of ẏ = λ y, and what is true.
static double complex growth_theta(double complex z, double theta) {
  return (1 + (1 - theta) * z) / (1 - theta * z);
}
static double complex growth_rk4(double complex z, double theta) {
  (void)theta;
  return 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)));
}
static double complex growth_true(double complex z, double theta) {
  (void)theta;
  return cexp(z);
}

static void springs_ring_as_they_should(void** state) {
  (void)state;
  static const struct {
    const char* label;
    Spring spring;
    double scheme, truth;  // limits
  } cases[] = {
      {"20 rad/s", {400, 0, 0.5, HEFT_INTEGRATOR_MOREAU, 1e-3}, 1e-10, 1e-2},
      {"20 rad/s", {400, 0, 0.5, HEFT_INTEGRATOR_RK4, 1e-3}, 1e-10, 1e-6},
      {"damped", {400, 4, 0.5, HEFT_INTEGRATOR_MOREAU, 1e-3}, 1e-12, 1e-3},
      {"damped", {400, 4, 0.5, HEFT_INTEGRATOR_RK4, 1e-3}, 1e-12, 1e-8},
      {"overdamped", {400, 100, 0.5, HEFT_INTEGRATOR_MOREAU, 1e-3}, 1e-12, 1e-3},
      {"theta 1", {400, 4, 1, HEFT_INTEGRATOR_MOREAU, 1e-3}, 1e-12, 0.1},
      {"theta 0.7", {400, 0, 0.7, HEFT_INTEGRATOR_MOREAU, 1e-3}, 1e-10, 1},
      {"stiff 1e8", {1e8, 0, 0.5, HEFT_INTEGRATOR_MOREAU, 1e-3}, 1e-8, 3},
      {"both 1e8", {1e8, 1e8, 1, HEFT_INTEGRATOR_MOREAU, 1e-3}, 1e-8, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const Spring* p = &cases[i].spring;
    const double scheme =
        spring_error(p, p->integrator == HEFT_INTEGRATOR_RK4 ? growth_rk4 : growth_theta);
    const double truth = spring_error(p, growth_true);
    printf(
        "spring   %-6s %-10s 10,000 steps: off the scheme's own solution %.1e, off the true one "
        "%.1e of the amplitude\n",
        name_of(p->integrator), cases[i].label, scheme, truth);
    CHECK_AT_MOST(scheme, cases[i].scheme);
    CHECK_AT_MOST(truth, cases[i].truth);
  }
  const double x = 20 * 1e-3;
  printf("spring   moreau frequency %.9f rad/s = 2/h atan(ωh/2), continuous 20, error %.1e\n",
         2 / 1e-3 * atan(x / 2), 1 - 2 / x * atan(x / 2));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_swings_with_the_elliptic_period),
      cmocka_unit_test(rod_falls_in_the_elliptic_time), cmocka_unit_test(top_precesses_steadily),
      cmocka_unit_test(tumbler_keeps_what_it_has), cmocka_unit_test(springs_ring_as_they_should)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
