// SPDX-License-Identifier: Apache-2.0
// Bodies that feel only a share of gravity, or none, alone and welded together: weight in RNEA and
// ABA, its energy, and the momentum that it gives.
#include <heft/world.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/static_stiffness.h"
#include "scenes/random.h"
#include "scenes/scenes.h"
#include "support/check.h"

static const HeftVec3 g = {1, -2, -9.81};

// A random tree whose bodies feel shares of gravity; saving and loading derives its links anew.
static HeftModel* lifted_tree(uint64_t seed, int floating) {
  const RandomTreeDef def = {.seed = seed, .bodies = 15, .floating = floating, .passive = 0};
  HeftModel *plain = scene_random_tree(&def, NULL), *model = NULL;
  Random r = {seed};
  assert_non_null(plain);
  memcpy(plain->physics.gravity, &g, sizeof g);
  for (int b = 1; b < plain->nbody; ++b) {
    static const double shares[] = {1, 0, 0.5, -0.3};
    plain->body_gravity[b] = shares[random_index(&r, 4)];
  }
  const size_t size = heft_model_save_size(plain);
  void* bytes = malloc(size);
  heft_model_save(plain, bytes);
  assert_int_equal(heft_model_load(&model, bytes, size, NULL, NULL), HEFT_OK);
  free(bytes);
  heft_model_destroy(plain);
  return model;
}

static HeftVec3 weight_of(const HeftModel* m, int body) {
  return heft_vec3_scale(m->body_mass[body] * m->body_gravity[body], g);
}

static HeftVec3 com_of(const HeftDynamics* d, const HeftModel* m, int body) {
  const double* com = m->body_com + 3L * body;
  return heft_pose_apply(heft_dynamics_body_pose(d, body), heft_vec3_from(com));
}

// At rest the torques are those that hold every body's own weight at its own centre of mass.
static void torques_hold_the_weights(void** state) {
  (void)state;
  double worst = 0, inverse = 0, energy_worst = 0;
  for (uint64_t seed = 100; seed < 140; ++seed) {
    HeftModel* m = lifted_tree(seed, seed % 3 == 0);
    HeftDynamics* d = NULL;
    assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
    const size_t nv = (size_t)m->nv;
    double* x = calloc((size_t)m->nq + 12 * nv, sizeof *x);
    double *v = x + m->nq, *tau = v + nv, *held = tau + nv, *a = held + nv, *none = a + nv;
    double *back = none + nv, *jacobian = back + nv;
    scene_random_state(m, seed, 1, x, v);
    heft_dynamics_kinematics(d, x);
    heft_dynamics_rnea(d, none, NULL, tau);
    double height = 0;
    for (int b = 1; b < m->nbody; ++b) {
      const HeftVec3 com = com_of(d, m, b), weight = weight_of(m, b);
      const double f[3] = {weight.x, weight.y, weight.z};
      heft_dynamics_body_jacobian(d, b, com, jacobian);
      for (int i = 0; i < m->nv; ++i) {
        for (int k = 0; k < 3; ++k) held[i] -= jacobian[(3 + k) * m->nv + i] * f[k];
      }
      const int moves =
          heft_dynamics_tree_origin(d, b).x != 0 || heft_dynamics_tree_origin(d, b).y != 0;
      if (moves)
        height -= heft_vec3_dot(weight, com);  // what is welded to the world does not count
    }
    worst = fmax(worst, relative_error(tau, held, m->nv));
    const double potential = heft_dynamics_potential_energy(d, x);
    energy_worst = fmax(energy_worst, fabs(potential - height) / fmax(1, fabs(height)));
    heft_dynamics_aba(d, v, NULL, a);
    heft_dynamics_rnea(d, v, a, back);
    double largest = 0;
    for (int i = 0; i < m->nv; ++i) largest = fmax(largest, fabs(tau[i]));
    for (int i = 0; i < m->nv; ++i) inverse = fmax(inverse, fabs(back[i]) / largest);
    free(x);
    heft_dynamics_destroy(d);
    heft_model_destroy(m);
  }
  printf(
      "shares of gravity: RNEA holds the weights to %.1e, ABA undoes RNEA to %.1e, energy to "
      "%.1e\n",
      worst, inverse, energy_worst);
  CHECK_AT_MOST(worst, 1e-10);
  CHECK_AT_MOST(inverse, 1e-10);
  CHECK_AT_MOST(energy_worst, 1e-12);
}

// A floating tree: its momentum grows by the weights that are felt, about the world's origin too,
// and its energy stays.
static void lift_is_an_impulse(void** state) {
  (void)state;
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    HeftModel* m = lifted_tree(150, 1);
    HeftWorldDef def = heft_world_def_default();
    def.integrator = (HeftIntegrator)integrator;
    def.time_step = 0.001;
    HeftWorld* w = NULL;
    HeftState* start = NULL;
    assert_int_equal(heft_world_create(&w, m, &def, NULL), HEFT_OK);
    assert_int_equal(heft_state_create(&start, m, NULL, NULL), HEFT_OK);
    scene_random_state(m, 151, 0.3, start->q, start->v);
    assert_int_equal(heft_world_set_state(w, start), HEFT_OK);
    heft_state_destroy(start);
    HeftVec3 felt = {0, 0, 0};
    for (int b = 1; b < m->nbody; ++b) felt = heft_vec3_add(felt, weight_of(m, b));
    const HeftSpatial before =
        heft_dynamics_momentum(heft_world_dynamics(w), 0, heft_vec3(0, 0, 0));
    HeftVec3 linear = before.lin, angular = before.ang;
    double error = 0, turn = 0, energy = 0, largest = 0;
    for (int i = 0; i < 200; ++i) {
      HeftVec3 torque[2];
      for (int side = 0; side < 2; ++side) {
        const HeftDynamics* d = heft_world_dynamics(w);
        torque[side] = heft_vec3(0, 0, 0);
        for (int b = 1; b < m->nbody; ++b)
          torque[side] =
              heft_vec3_add(torque[side], heft_vec3_cross(com_of(d, m, b), weight_of(m, b)));
        if (side == 1) break;
        const HeftStepReport r = heft_world_step(w);
        assert_int_equal(r.status, HEFT_STEP_SOLVED);
        energy += r.energy_change;
        largest = fmax(largest, r.kinetic);
      }
      linear = heft_vec3_add_scaled(linear, 0.001, felt);
      angular = heft_vec3_add_scaled(angular, 0.0005, heft_vec3_add(torque[0], torque[1]));
      const HeftSpatial now = heft_dynamics_momentum(heft_world_dynamics(w), 0, heft_vec3(0, 0, 0));
      error = fmax(error, heft_vec3_norm(heft_vec3_sub(now.lin, linear)) / heft_vec3_norm(now.lin));
      turn = fmax(turn, heft_vec3_norm(heft_vec3_sub(now.ang, angular)) / heft_vec3_norm(now.ang));
    }
    printf("%-6s shares of gravity for 0.2 s: P to %.1e, L to %.1e, energy to %.1e\n",
           heft_integrator_name(def.integrator), error, turn, fabs(energy) / largest);
    CHECK_AT_MOST(error, 1e-12);
    CHECK_AT_MOST(turn, 1e-6);
    CHECK_AT_MOST(fabs(energy) / largest, integrator == HEFT_INTEGRATOR_RK4 ? 1e-8 : 1e-3);
    heft_world_destroy(w);
    heft_model_destroy(m);
  }
}

// Weight, lift and wrenches that stay where they are: symmetric part of central differences of
// what holds them.
static void weight_is_stiff(void** state) {
  (void)state;
  double worst = 0;
  for (uint64_t seed = 300; seed < 320; ++seed) {
    HeftModel* m = lifted_tree(seed, seed % 3 == 0);
    HeftDynamics* d = NULL;
    assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
    const int nv = m->nv;
    Arena measure = arena_measure();
    heft_static_stiffness_place(&measure, m);
    void* memory = aligned_alloc(ARENA_ALIGNMENT, measure.used);
    Arena arena = arena_make(memory, measure.used, NULL);
    StaticSums* sums = heft_static_stiffness_place(&arena, m);
    double* x = calloc((size_t)m->nq * 2 + (size_t)nv * (size_t)(4 + 2 * nv), sizeof *x);
    double *q = x + m->nq, *step = q + m->nq, *none = step + nv, *high = none + nv,
           *low = high + nv;
    double *found = low + nv, *wanted = found + (long)nv * nv, scale = 1;
    int* place = calloc((size_t)nv, sizeof *place);
    Random r = {seed};
    for (int i = 0; i < nv; ++i) place[i] = nv - 1 - i;
    scene_random_state(m, seed, 1, x, step);
    heft_dynamics_kinematics(d, x);
    heft_dynamics_clear_wrenches(d);
    for (int k = 0; k < 4; ++k)
      heft_dynamics_add_wrench(d, 1 + random_index(&r, m->nbody - 1), random_vec3(&r, 1),
                               random_vec3(&r, 5), random_vec3(&r, 5));
    heft_static_stiffness(sums, d, place, nv, found);
    memset(step, 0, sizeof *step * (size_t)nv);
    for (int k = 0; k < nv; ++k) {
      for (int side = 0; side < 2; ++side) {
        step[k] = side ? -1e-5 : 1e-5;
        heft_q_integrate(m, x, step, 1, q);
        heft_dynamics_kinematics(d, q);
        heft_dynamics_rnea(d, none, NULL, side ? low : high);
      }
      step[k] = 0;
      for (int i = 0; i < nv; ++i) {
        const double part = 0.5 * (high[i] - low[i]) / 2e-5;
        wanted[place[i] * nv + place[k]] += part;
        wanted[place[k] * nv + place[i]] += part;
      }
    }
    for (int i = 0; i < nv; ++i)
      for (int k = 0; k <= i; ++k) scale = fmax(scale, fabs(wanted[i * nv + k]));
    for (int i = 0; i < nv; ++i)
      for (int k = 0; k <= i; ++k)
        worst = fmax(worst, fabs(found[i * nv + k] - wanted[i * nv + k]) / scale);
    heft_dynamics_destroy(d);
    heft_model_destroy(m);
    free(memory), free(x), free(place);
  }
  printf("stiffness of weights and wrenches: %.2g\n", worst);
  CHECK_AT_MOST(worst, 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(weight_is_stiff),
                                     cmocka_unit_test(torques_hold_the_weights),
                                     cmocka_unit_test(lift_is_an_impulse)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
