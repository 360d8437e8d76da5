// SPDX-License-Identifier: Apache-2.0
// Whole-body inverse dynamics by identities: accelerations against differences of velocities, the
// torques against forward dynamics, forces against their cones and the conditions of a minimum.
#include "control/force_share.h"
#include "control/robot.h"
#include "support/failing_allocator.h"

static void move_about(const HeftModel* m, Random* random, double* q, double* v) {
  for (int i = 0; i < m->nv; ++i) v[i] = random_between(random, -1, 1);
  heft_q_integrate(m, q, v, 0.2, q);
  for (int i = 0; i < m->nv; ++i) v[i] = random_between(random, -1, 1);
}

static void accelerations_are_differences(void** state) {
  (void)state;
  Lab lab = robot_lab("hrp2_like.xml", pose_half_sitting);
  const HeftModel* m = lab.model;
  HeftDynamics* d = NULL;
  assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
  double v[64], tau[64], q[64];
  Random random = {7};
  const double h = 1e-6;
  for (int body = 1; body < m->nbody; ++body) {
    move_about(m, &random, lab.start, v);
    HeftSpatial at[2];
    const HeftVec3 inside = random_vec3(&random, 0.3);
    for (int k = 0; k < 2; ++k) {
      heft_q_integrate(m, lab.start, v, k == 0 ? -h : h, q);
      heft_dynamics_kinematics(d, q);
      heft_dynamics_velocities(d, v);
      at[k] = heft_dynamics_body_velocity(
          d, body, heft_pose_apply(heft_dynamics_body_pose(d, body), inside));
    }
    heft_dynamics_kinematics(d, lab.start);
    heft_dynamics_rnea(d, v, NULL, tau);
    const HeftVec3 point = heft_pose_apply(heft_dynamics_body_pose(d, body), inside);
    const HeftSpatial a = heft_dynamics_body_acceleration(d, body, point);
    const HeftSpatial by = heft_spatial_scale(0.5 / h, heft_spatial_sub(at[1], at[0]));
    CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(a.lin, by.lin)), 1e-7);
    CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(a.ang, by.ang)), 1e-7);
  }
  heft_dynamics_destroy(d);
  lab_release(&lab);
}

// The minimum of ½|Aλ-b|² + ½ Σ r|λ|² over cones: its gradient is in the dual cone, and at right
// angles to λ.
static void forces_are_shared_out(void** state) {
  (void)state;
  Random random = {3};
  enum { COUNT = 8 };
  int quick = 0;
  double a[6 * 3 * COUNT], b[6], mu[COUNT], r[COUNT], lambda[3 * COUNT];
  for (int trial = 0; trial < 200; ++trial) {
    double y[6] = {0};
    for (int i = 0; i < 6 * 3 * COUNT; ++i) a[i] = random_between(&random, -1, 1);
    for (int i = 0; i < 6; ++i) b[i] = random_between(&random, -100, 100);
    for (int i = 0; i < COUNT; ++i) {
      mu[i] = random_between(&random, 0.05, 1.5);
      r[i] = trial % 2 ? 1e-6 : random_between(&random, 1e-6, 1e-2);
    }
    const ForceShare p = {.count = COUNT, .rows = 6, .a = a, .b = b, .mu = mu, .r = r};
    quick += heft_force_share(&p, y, lambda) <= 20;
    double left[6];
    for (int i = 0; i < 6; ++i) {
      left[i] = -b[i];
      for (int k = 0; k < 3 * COUNT; ++k) left[i] += a[i * 3 * COUNT + k] * lambda[k];
    }
    for (int i = 0; i < COUNT; ++i) {
      const double* x = lambda + 3L * i;
      double g[3];
      for (int k = 0; k < 3; ++k) {
        g[k] = r[i] * x[k];
        for (int row = 0; row < 6; ++row) g[k] += a[row * 3 * COUNT + 3 * i + k] * left[row];
      }
      const double t = sqrt(x[1] * x[1] + x[2] * x[2]), gt = sqrt(g[1] * g[1] + g[2] * g[2]);
      CHECK_AT_MOST(t, mu[i] * x[0] * (1 + 1e-12) + 1e-12);
      CHECK_AT_MOST(mu[i] * gt, g[0] + 1e-4);
      CHECK_AT_MOST(fabs(g[0] * x[0] + g[1] * x[1] + g[2] * x[2]), 1e-4 * (1 + x[0]));
    }
  }
  assert_true(quick >= 180);
}

// What the torques and forces do by forward dynamics is what was said.
static void torques_make_the_accelerations(void** state) {
  (void)state;
  Lab lab = robot_lab("hoap_like.xml", pose_small);  // no springs: every joint is driven
  const HeftModel* m = lab.model;
  HeftDynamics* d = NULL;
  assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
  double v[64], tau[64], a[64];
  Random random = {11};
  for (int trial = 0; trial < 20; ++trial) {
    for (int i = 0; i < m->nv; ++i) v[i] = random_between(&random, -0.3, 0.3);
    lab.goal.com_acceleration = random_vec3(&random, 2);
    assert_int_equal(heft_biped_torques(lab.biped, &lab.goal, lab.start, v, tau), HEFT_OK);
    const HeftWholeBody* w = heft_biped_whole_body(lab.biped);
    heft_dynamics_clear_wrenches(d);
    heft_dynamics_kinematics(d, lab.start);
    const int soles[2] = {heft_model_find(m, HEFT_NAMED_SHAPE, "left_sole"),
                          heft_model_find(m, HEFT_NAMED_SHAPE, "right_sole")};
    for (int i = 0; i < 8; ++i) {
      const int s = soles[i / 4], k = i % 4;
      const double* size = m->shape_size + 3L * s;
      const HeftVec3 in_box = heft_vec3(0.85 * (k % 2 ? size[0] : -size[0]),
                                        0.85 * (k / 2 ? size[1] : -size[1]), -size[2]);
      const HeftVec3 in_body = heft_vec3_add(in_box, heft_vec3_from(m->shape_pos + 3L * s));
      const HeftVec3 at = heft_pose_apply(heft_dynamics_body_pose(d, m->shape_body[s]), in_body);
      heft_dynamics_add_wrench(d, m->shape_body[s], at, heft_whole_body_force(w, i),
                               heft_vec3(0, 0, 0));
    }
    for (int i = 0; i < m->nv; ++i) tau[i] -= m->dof_damping[i] * v[i];
    heft_dynamics_aba(d, v, tau, a);
    CHECK_AT_MOST(relative_error(a, heft_whole_body_acceleration(w), m->nv), 1e-8);
  }
  heft_dynamics_destroy(d);
  lab_release(&lab);
}

static void memory_may_run_out(void** state) {
  (void)state;
  Lab lab = robot_lab("hrp2_like.xml", pose_half_sitting);
  for (int fail_at = 1; fail_at < 20; ++fail_at) {
    FailingAllocator memory = {.fail_at = fail_at};
    HeftBipedDef def = heft_biped_def_default(lab.model);
    def.allocator = failing_allocator(&memory);
    HeftBiped* b = NULL;
    HeftError error = {0};
    const HeftStatus status = heft_biped_create(&b, lab.model, &def, &error);
    if (status == HEFT_OK) {
      const long before = memory.requests;
      heft_biped_step(b, &lab.goal, lab.world);
      assert_int_equal(memory.requests, before);
      heft_biped_destroy(b);
    } else {
      assert_int_equal(status, HEFT_ERR_MEMORY);
      assert_null(b);
    }
    assert_int_equal(memory.alive, 0);
    assert_int_equal(memory.mistakes, 0);
    if (status == HEFT_OK) break;
    assert_true(fail_at < 19);
  }
  lab_release(&lab);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accelerations_are_differences),
      cmocka_unit_test(forces_are_shared_out),
      cmocka_unit_test(torques_make_the_accelerations),
      cmocka_unit_test(memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
