// SPDX-License-Identifier: Apache-2.0
// What floating trees keep: momentum, energy, the path of their centre of mass; and how fast the
// errors of the two integrators vanish with the step. Every figure of docs/theory/integrators.md
// that is about Heft is printed here.
#include "world/stage.h"

enum { STEPS = STAGE_SANITIZED ? 1000 : 10000 };  // of 1 ms

typedef struct Drift {
  double linear, angular, energy;  ///< relative, the largest on the way
} Drift;

static Drift measure_drift(const char* scene, HeftIntegrator integrator, double speed,
                           int keep_momentum) {
  HeftWorldDef def = stage_def(integrator, 0.001);
  def.keep_momentum = keep_momentum;
  Stage s = stage_open(scene, &def);
  stage_shake(&s, 11, speed);
  const Sums start = stage_sums(&s);
  Drift worst = {0, 0, 0};
  for (int i = 0; i < STEPS; ++i) {
    stage_step(&s);
    const Sums now = stage_sums(&s);
    worst.linear = fmax(worst.linear, distance(now.linear, start.linear));
    worst.angular = fmax(worst.angular, distance(now.angular, start.angular));
    worst.energy = fmax(worst.energy, fabs(now.energy - start.energy));
  }
  stage_close(&s);
  return (Drift){worst.linear / heft_vec3_norm(start.linear),
                 worst.angular / heft_vec3_norm(start.angular), worst.energy / start.energy};
}

static void momentum_and_energy_are_kept(void** state) {
  (void)state;
  static const char* const scenes[] = {"chain", "crowd"};
  static const double speeds[] = {1, 5};
  printf("%d s at 1 ms, relative drift\n%-8s %-8s %5s %10s %10s %10s   without projection\n",
         STEPS / 1000, "scene", "scheme", "speed", "P", "L", "energy");
  for (int k = 0; k < 2; ++k) {
    for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
      for (int j = 0; j < 2; ++j) {
        const HeftIntegrator scheme = (HeftIntegrator)integrator;
        const Drift kept = measure_drift(scenes[k], scheme, speeds[j], 1);
        const Drift bare = measure_drift(scenes[k], scheme, speeds[j], 0);
        printf("%-8s %-8s %5g %10.1e %10.1e %10.1e   P %.1e L %.1e energy %.1e\n", scenes[k],
               heft_integrator_name(scheme), speeds[j], kept.linear, kept.angular, kept.energy,
               bare.linear, bare.angular, bare.energy);
        CHECK_AT_MOST(kept.linear, 1e-10);
        CHECK_AT_MOST(kept.angular, 1e-10);
        if (scheme == HEFT_INTEGRATOR_RK4 && speeds[j] <= 1) CHECK_AT_MOST(kept.energy, 1e-10);
        CHECK_AT_MOST(kept.energy, scheme == HEFT_INTEGRATOR_RK4 ? 1e-6 : 2e-3);
      }
    }
  }
}

// ---- weight

// Under its weight alone the centre of mass follows a parabola and the tree keeps its spin about
// it.
static void centre_of_mass_follows_a_parabola(void** state) {
  (void)state;
  const HeftVec3 g = {1, -2, -9.81};
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    const HeftWorldDef def = stage_def((HeftIntegrator)integrator, 0.001);
    HeftModel* model = scene_create("crowd", NULL);
    memcpy(model->physics.gravity, &g, sizeof g);
    Stage s = stage_on(model, &def);
    stage_shake(&s, 12, 1);
    const Sums start = stage_sums(&s);
    const double mass = heft_model_mass(model);
    const HeftVec3 spin = heft_vec3_sub(start.angular, heft_vec3_cross(start.com, start.linear));
    double path = 0, pushed = 0, turned = 0;
    for (int i = 1; i <= STEPS; ++i) {
      stage_step(&s);
      const double t = i * 0.001;
      const Sums now = stage_sums(&s);
      const HeftVec3 expected = heft_vec3_add_scaled(
          heft_vec3_add_scaled(start.com, t / mass, start.linear), 0.5 * t * t, g);
      path = fmax(path, distance(now.com, expected) / heft_vec3_norm(expected));
      const HeftVec3 linear = heft_vec3_add_scaled(start.linear, mass * t, g);
      pushed = fmax(pushed, distance(now.linear, linear) / heft_vec3_norm(linear));
      const HeftVec3 left = heft_vec3_sub(now.angular, heft_vec3_cross(now.com, now.linear));
      turned = fmax(turned, distance(left, spin) / heft_vec3_norm(now.angular));
    }
    printf("%-8s falling %d s: centre of mass off its parabola %.1e, P %.1e, spin %.1e relative\n",
           heft_integrator_name((HeftIntegrator)integrator), STEPS / 1000, path, pushed, turned);
    CHECK_AT_MOST(path, 1e-12);
    CHECK_AT_MOST(pushed, 1e-12);
    CHECK_AT_MOST(turned, 1e-12);
    stage_close(&s);
  }
}

// ---- forces from outside

typedef struct Impulse {
  double linear, angular;  ///< worst error, relative to the momentum
} Impulse;

// A wrench that changes every step, at points of the world near the tree, and forces at all joints
// but the base: these are inner forces and must not show.
static Impulse push_around(const char* scene, HeftIntegrator integrator, double h) {
  const HeftWorldDef def = stage_def(integrator, h);
  Stage s = stage_open(scene, &def);
  stage_shake(&s, 13, 0.5);
  Sums start = stage_sums(&s);
  Random random = {14};
  HeftVec3 linear = start.linear, angular = start.angular;
  double size_linear = 0, size_angular = 0;
  Impulse worst = {0, 0};
  HeftVec3 point = start.com, force = {0}, torque = {0};
  for (int i = 0; i < (int)lround(2 / h); ++i) {
    if (i % (int)lround(0.01 / h) == 0) {
      point = heft_vec3_add(stage_sums(&s).com, random_vec3(&random, 0.5));
      force = random_vec3(&random, 20);
      torque = random_vec3(&random, 2);
      double* tau = heft_world_joint_forces(s.world);
      for (int k = 6; k < s.model->nv; ++k) tau[k] = random_between(&random, -0.1, 0.1);
    }
    heft_world_apply_wrench(s.world, 3, point, force, torque);
    stage_step(&s);
    linear = heft_vec3_add_scaled(linear, h, force);
    angular =
        heft_vec3_add_scaled(angular, h, heft_vec3_add(torque, heft_vec3_cross(point, force)));
    const Sums now = stage_sums(&s);
    size_linear = fmax(size_linear, heft_vec3_norm(now.linear));
    size_angular = fmax(size_angular, heft_vec3_norm(now.angular));
    worst.linear = fmax(worst.linear, distance(now.linear, linear));
    worst.angular = fmax(worst.angular, distance(now.angular, angular));
  }
  stage_close(&s);
  return (Impulse){worst.linear / size_linear, worst.angular / size_angular};
}

static void momentum_is_the_impulse(void** state) {
  (void)state;
  static const char* const scenes[] = {"chain", "crowd"};
  for (int k = 0; k < 2; ++k) {
    for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
      const Impulse error = push_around(scenes[k], (HeftIntegrator)integrator, 0.001);
      printf("%-8s %-8s pushed about for 2 s: P is the impulse to %.1e, L to %.1e\n", scenes[k],
             heft_integrator_name((HeftIntegrator)integrator), error.linear, error.angular);
      CHECK_AT_MOST(error.linear, 1e-10);
      CHECK_AT_MOST(error.angular, 1e-10);
    }
  }
}

// Forces at the free joint act at the base's origin, along the world's axes, and moments along the
// base's: the momentum follows their integral, here by the trapezoidal rule.
static void forces_at_the_base_are_impulses(void** state) {
  (void)state;
  static const double tau[6] = {3, -2, 1, 0.3, -0.2, 0.4};
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    const double h = 0.001;
    const HeftWorldDef def = stage_def((HeftIntegrator)integrator, h);
    Stage s = stage_open("crowd", &def);
    stage_shake(&s, 16, 0.3);
    memcpy(heft_world_joint_forces(s.world), tau, sizeof tau);
    const Sums start = stage_sums(&s);
    const HeftVec3 force = heft_vec3_from(tau);
    HeftVec3 torque = {0, 0, 0}, angular = start.angular;
    double linear = 0, turned = 0;
    for (int i = 0; i <= 200; ++i) {
      const HeftPose base = heft_dynamics_body_pose(heft_world_dynamics(s.world), 1);
      const HeftVec3 before = torque;
      torque = heft_vec3_add(heft_vec3_cross(base.pos, force),
                             heft_mat3_mul_vec(base.rot, heft_vec3(tau[3], tau[4], tau[5])));
      if (i > 0) {
        angular = heft_vec3_add_scaled(angular, 0.5 * h, heft_vec3_add(before, torque));
        const Sums now = stage_sums(&s);
        const HeftVec3 expected = heft_vec3_add_scaled(start.linear, i * h, force);
        linear = fmax(linear, distance(now.linear, expected) / heft_vec3_norm(now.linear));
        turned = fmax(turned, distance(now.angular, angular) / heft_vec3_norm(now.angular));
      }
      if (i < 200) stage_step(&s);
    }
    printf("%-8s pulled at its base for 0.2 s: P is the impulse to %.1e, L to %.1e\n",
           heft_integrator_name((HeftIntegrator)integrator), linear, turned);
    CHECK_AT_MOST(linear, 1e-12);
    CHECK_AT_MOST(turned, 1e-6);
    stage_close(&s);
  }
}

// ---- order of convergence

// The state after `time`, with the base's part of it left out where `inner` is asked for.
static void run_to(const char* scene, HeftIntegrator integrator, double speed, double time,
                   int steps, double* q, double* v) {
  const HeftWorldDef def = stage_def(integrator, time / steps);
  HeftModel* model = scene_create(scene, NULL);
  model->physics.gravity[2] = -9.81;
  Stage s = stage_on(model, &def);
  stage_shake(&s, 15, speed);
  for (int i = 0; i < steps; ++i) stage_step(&s);
  const HeftState* end = heft_world_state(s.world);
  memcpy(q, end->q, (size_t)s.model->nq * sizeof *q);
  memcpy(v, end->v, (size_t)s.model->nv * sizeof *v);
  stage_close(&s);
}

enum { MAX = 256, LEVELS = 4 };

// log2 of the ratio of the errors at h and h/2, for the finest pair.
static double measure_order(const char* scene, HeftIntegrator integrator, int steps,
                            double error[LEVELS]) {
  static double exact_q[MAX], exact_v[MAX], q[MAX], v[MAX], gap[MAX];
  const double time = 0.2;
  HeftModel* model = scene_create(scene, NULL);
  assert_true(model->nq <= MAX);
  run_to(scene, HEFT_INTEGRATOR_RK4, 1, time, 4000, exact_q, exact_v);
  for (int level = 0; level < LEVELS; ++level) {
    run_to(scene, integrator, 1, time, steps << level, q, v);
    heft_q_difference(model, exact_q, q, gap);
    error[level] = 0;
    for (int i = 0; i < model->nv; ++i)
      error[level] = fmax(error[level], fmax(fabs(gap[i]), fabs(v[i] - exact_v[i])));
  }
  heft_model_destroy(model);
  return log2(error[LEVELS - 2] / error[LEVELS - 1]);
}

static void errors_vanish_at_the_promised_order(void** state) {
  (void)state;
  static const char* const scenes[] = {"chain", "crowd", "top", "pendulum"};
  static const double min[] = {1.95, 3.9};
  for (int k = 0; k < 4; ++k) {
    for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
      double error[LEVELS];
      const double order = measure_order(scenes[k], (HeftIntegrator)integrator,
                                         integrator == HEFT_INTEGRATOR_RK4 ? 20 : 100, error);
      printf("%-8s %-8s errors after 0.2 s, halving h: %.2e %.2e %.2e %.2e, order %.2f\n",
             scenes[k], heft_integrator_name((HeftIntegrator)integrator), error[0], error[1],
             error[2], error[3], order);
      CHECK_AT_MOST(min[integrator], order);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(momentum_and_energy_are_kept),
                                     cmocka_unit_test(centre_of_mass_follows_a_parabola),
                                     cmocka_unit_test(momentum_is_the_impulse),
                                     cmocka_unit_test(forces_at_the_base_are_impulses),
                                     cmocka_unit_test(errors_vanish_at_the_promised_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
