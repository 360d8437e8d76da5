// SPDX-License-Identifier: Apache-2.0
// Papers: R6.
// Moving on the space of positions: q ⊕ v and back, for every joint type.
#include <heft/model.h>
#include <string.h>

#include "scenes/scenes.h"
#include "support/check.h"
#include "support/sample.h"

enum { MAX = 64, ROUNDS = 2000 };

static HeftModel* m;

static int make_model(void** state) {
  (void)state;
  m = sample_create(NULL, NULL);
  return m && m->nq <= MAX ? 0 : -1;
}

static int destroy_model(void** state) {
  (void)state;
  heft_model_destroy(m);
  return 0;
}

// Where the quaternion of joint j begins in q, or -1.
static int quat_at(int j) {
  if (m->joint_type[j] == HEFT_JOINT_BALL) return m->joint_q[j];
  return m->joint_type[j] == HEFT_JOINT_FREE ? m->joint_q[j] + 3 : -1;
}

static double quat_length(const double* q) {
  return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

static void test_difference_undoes_integrate(void** state) {
  (void)state;
  for (int round = 0; round < ROUNDS; ++round) {
    double q[MAX], v[MAX], moved[MAX], back[MAX];
    const double dt = round % 2 ? 1 : 1e-3;
    scene_random_state(m, (uint64_t)round, 1.7, q, v);  // turns stay below half a turn
    heft_q_integrate(m, q, v, dt, moved);
    heft_q_difference(m, q, moved, back);
    for (int i = 0; i < m->nv; ++i) CHECK_AT_MOST(fabs(back[i] - v[i] * dt), 1e-14);
    for (int j = 0; j < m->njoint; ++j) {
      if (quat_at(j) >= 0) CHECK_AT_MOST(fabs(quat_length(moved + quat_at(j)) - 1), 4e-16);
    }
  }
}

static void test_integrate_undoes_difference(void** state) {
  (void)state;
  for (int round = 0; round < ROUNDS; ++round) {
    double a[MAX], b[MAX], v[MAX], reached[MAX], rest[MAX];
    scene_random_state(m, (uint64_t)round, 1, a, v);
    scene_random_state(m, (uint64_t)round + 77777, 1, b, v);
    heft_q_difference(m, a, b, v);
    heft_q_integrate(m, a, v, 1, reached);
    heft_q_difference(m, b, reached, rest);  // of a quaternion and its negative: none
    for (int i = 0; i < m->nv; ++i) CHECK_AT_MOST(fabs(rest[i]), 2e-14);
  }
}

static void test_standing_still(void** state) {
  (void)state;
  double q[MAX], v[MAX], moved[MAX], rest[MAX];
  const double none[MAX] = {0};
  scene_random_state(m, 5, 1, q, v);
  heft_q_integrate(m, q, v, 0, moved);
  CHECK_AT_MOST(relative_error(moved, q, m->nq), 3e-16);
  heft_q_integrate(m, q, none, 1, moved);
  CHECK_AT_MOST(relative_error(moved, q, m->nq), 3e-16);
  heft_q_difference(m, q, q, rest);
  for (int i = 0; i < m->nv; ++i) CHECK_AT_MOST(fabs(rest[i]), 1e-15);
}

// With a constant velocity of the body two half ways are the whole way.
static void test_two_halves_are_a_whole(void** state) {
  (void)state;
  for (int round = 0; round < ROUNDS; ++round) {
    double q[MAX], v[MAX], whole[MAX], half[MAX], rest[MAX];
    scene_random_state(m, (uint64_t)round, 3, q, v);
    heft_q_integrate(m, q, v, 0.5, whole);
    heft_q_integrate(m, q, v, 0.25, half);
    heft_q_integrate(m, half, v, 0.25, half);  // in place
    heft_q_difference(m, whole, half, rest);
    for (int i = 0; i < m->nv; ++i) CHECK_AT_MOST(fabs(rest[i]), 1e-14);
  }
}

// The velocity of a turn is in the body's frame, that of a free body's origin in the world's.
static void test_frames_of_the_velocities(void** state) {
  (void)state;
  double q[MAX], v[MAX] = {0}, moved[MAX];
  memcpy(q, m->q_default, (size_t)m->nq * sizeof(double));
  const double s = sqrt(0.5), turned[7] = {1, 2, 3, s, s, 0, 0};  // a quarter turn about x
  assert_int_equal(m->joint_type[0], HEFT_JOINT_FREE);
  memcpy(q, turned, sizeof turned);
  v[0] = 0.5;
  v[3 + 2] = 0.2;  // about the body's z, which is the world's -y
  heft_q_integrate(m, q, v, 1, moved);
  const HeftQuat expected =
      heft_quat_mul(heft_quat_from_axis_angle(heft_vec3(0, -1, 0), 0.2), heft_quat(s, s, 0, 0));
  const double quat[4] = {expected.w, expected.x, expected.y, expected.z};
  CHECK_AT_MOST(relative_error(moved + 3, quat, 4), 1e-15);
  assert_true(moved[0] == 1.5 && moved[1] == 2 && moved[2] == 3);
}

static void test_normalize(void** state) {
  (void)state;
  double q[MAX], v[MAX], before[MAX];
  scene_random_state(m, 9, 1, q, v);
  memcpy(before, q, sizeof before);
  for (int j = 0; j < m->njoint; ++j) {
    for (int i = 0; quat_at(j) >= 0 && i < 4; ++i) q[quat_at(j) + i] *= 1.5;
  }
  heft_q_normalize(m, q);
  CHECK_AT_MOST(relative_error(q, before, m->nq), 3e-16);
}

static void test_what_is_not_finite_stays_visible(void** state) {
  (void)state;
  for (int i = 0; i < m->nv; ++i) {
    double v[MAX] = {0}, moved[MAX];
    v[i] = NAN;
    heft_q_integrate(m, m->q_default, v, 0.1, moved);
    int finite = 1;
    for (int k = 0; k < m->nq; ++k) finite &= isfinite(moved[k]) != 0;
    assert_false(finite);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_difference_undoes_integrate),
      cmocka_unit_test(test_integrate_undoes_difference),
      cmocka_unit_test(test_standing_still),
      cmocka_unit_test(test_two_halves_are_a_whole),
      cmocka_unit_test(test_frames_of_the_velocities),
      cmocka_unit_test(test_normalize),
      cmocka_unit_test(test_what_is_not_finite_stays_visible),
  };
  return cmocka_run_group_tests(tests, make_model, destroy_model);
}
