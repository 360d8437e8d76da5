// SPDX-License-Identifier: Apache-2.0
// Vectors, quaternions, rotation matrices and poses: round trips and identities on random inputs,
// and the places where formulas of this kind break: no turn, half a turn, opposite directions,
// numbers near the ends of the range.
#include <float.h>
#include <heft/math.h>

#include "scenes/random.h"
#include "support/check.h"

enum { ROUNDS = 20000 };

static double distance(HeftVec3 a, HeftVec3 b) { return heft_vec3_norm(heft_vec3_sub(a, b)); }

static double quat_norm(HeftQuat q) { return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); }

// Distance of two rotations: q and -q are the same one.
static double quat_distance(HeftQuat a, HeftQuat b) {
  const double s = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1;
  return quat_norm(heft_quat(a.w - s * b.w, a.x - s * b.x, a.y - s * b.y, a.z - s * b.z));
}

static double mat_distance(HeftMat3 a, HeftMat3 b) {
  double worst = 0;
  for (int i = 0; i < 9; ++i) worst = fmax(worst, fabs(a.m[i / 3][i % 3] - b.m[i / 3][i % 3]));
  return worst;
}

// How far a matrix is from a rotation: columns of unit length, across each other, right-handed.
static double not_a_rotation(HeftMat3 r) {
  const double tilt = mat_distance(heft_mat3_mul(heft_mat3_transpose(r), r), heft_mat3_identity());
  return fmax(tilt, fabs(heft_mat3_determinant(r) - 1));
}

// v turned by an angle about a unit axis, by Rodrigues' formula with the C library's functions.
static HeftVec3 rodrigues(HeftVec3 axis, double angle, HeftVec3 v) {
  const double c = cos(angle), s = sin(angle);
  const HeftVec3 along = heft_vec3_scale(heft_vec3_dot(axis, v) * (1 - c), axis);
  return heft_vec3_add(heft_vec3_add_scaled(along, c, v),
                       heft_vec3_scale(s, heft_vec3_cross(axis, v)));
}

// ---- vectors and matrices

static void test_normalize_vectors(void** state) {
  (void)state;
  Random r = {1};
  for (int e = -1070; e <= 1020; e += 10) {
    const HeftVec3 d = random_direction(&r), unit = heft_vec3_normalize(d);
    const HeftVec3 v = heft_vec3(ldexp(d.x, e), ldexp(d.y, e), ldexp(d.z, e));
    const HeftVec3 n = heft_vec3_normalize(v);
    CHECK_AT_MOST(fabs(heft_vec3_norm(n) - 1), 4e-16);
    if (e > -950) CHECK_AT_MOST(distance(n, unit), 4e-16);
  }
  const HeftVec3 zero = heft_vec3_normalize(heft_vec3(0, -0.0, 0));
  assert_true(zero.x == 0 && zero.y == 0 && zero.z == 0);
}

static void check_tangents(HeftVec3 n) {
  HeftVec3 t1, t2;
  heft_vec3_tangents(n, &t1, &t2);
  const double off[] = {heft_vec3_dot(n, t1),
                        heft_vec3_dot(n, t2),
                        heft_vec3_dot(t1, t2),
                        heft_vec3_dot(t1, t1) - 1,
                        heft_vec3_dot(t2, t2) - 1,
                        distance(heft_vec3_cross(n, t1), t2),
                        distance(heft_vec3_cross(t1, t2), n)};
  for (size_t i = 0; i < sizeof off / sizeof *off; ++i) {
    if (!(fabs(off[i]) <= 2e-15))
      fail_msg("n = (%a, %a, %a): identity %zu is off by %g", n.x, n.y, n.z, i, off[i]);
  }
}

static void test_tangents_of_a_million_directions(void** state) {
  (void)state;
  Random r = {2};
  for (int i = 0; i < 1000000; ++i) check_tangents(random_direction(&r));
}

static void test_tangents_of_special_directions(void** state) {
  (void)state;
  const double zeros[] = {0.0, -0.0};
  for (int i = 0; i < 64; ++i) {
    const double s = i & 1 ? 1 : -1, a = zeros[i >> 1 & 1], b = zeros[i >> 2 & 1];
    check_tangents(heft_vec3(s, a, b));
    check_tangents(heft_vec3(a, s, b));
    check_tangents(heft_vec3(a, b, s));
  }
  // Close to straight down and to the horizon, where naive formulas divide by almost nothing.
  for (int e = -1; e >= -300; --e) {
    const double small = pow(10, e), rest = sqrt(1 - small * small);
    check_tangents(heft_vec3(small, 0, -rest));
    check_tangents(heft_vec3(small * 0.6, small * 0.8, -rest));
    check_tangents(heft_vec3(rest * 0.6, rest * 0.8, small));
    check_tangents(heft_vec3(rest * 0.6, rest * 0.8, -small));
  }
}

static void test_matrix_identities(void** state) {
  (void)state;
  Random r = {3};
  for (int i = 0; i < ROUNDS; ++i) {
    HeftMat3 a, b;
    for (int k = 0; k < 9; ++k) {
      a.m[k / 3][k % 3] = random_between(&r, -1, 1);
      b.m[k / 3][k % 3] = random_between(&r, -1, 1);
    }
    const HeftVec3 v = random_vec3(&r, 1), w = random_vec3(&r, 1);
    const HeftMat3 ab = heft_mat3_mul(a, b);
    for (int k = 0; k < 9; ++k) {
      double sum = 0;
      for (int j = 0; j < 3; ++j) sum += a.m[k / 3][j] * b.m[j][k % 3];
      CHECK_AT_MOST(fabs(ab.m[k / 3][k % 3] - sum), 1e-15);
    }
    CHECK_AT_MOST(distance(heft_mat3_mul_vec(ab, v), heft_mat3_mul_vec(a, heft_mat3_mul_vec(b, v))),
                  3e-15);
    CHECK_AT_MOST(distance(heft_mat3_tmul_vec(a, v), heft_mat3_mul_vec(heft_mat3_transpose(a), v)),
                  0);
    CHECK_AT_MOST(distance(heft_mat3_mul_vec(heft_mat3_skew(v), w), heft_vec3_cross(v, w)), 1e-15);
    CHECK_AT_MOST(
        fabs(heft_mat3_determinant(ab) - heft_mat3_determinant(a) * heft_mat3_determinant(b)),
        1e-14);
    const HeftMat3 same = heft_mat3_from_columns(heft_mat3_column(a, 0), heft_mat3_column(a, 1),
                                                 heft_mat3_column(a, 2));
    CHECK_AT_MOST(mat_distance(same, a), 0);
    assert_true(heft_mat3_row(a, 1).z == a.m[1][2] && heft_mat3_column(a, 1).z == a.m[2][1]);
  }
}

// ---- quaternions

static void test_axis_angle_is_rodrigues(void** state) {
  (void)state;
  Random r = {4};
  for (int i = 0; i < ROUNDS; ++i) {
    const HeftVec3 axis = random_direction(&r), v = random_vec3(&r, 1);
    const double angle = random_between(&r, -10, 10);
    const HeftQuat q = heft_quat_from_axis_angle(axis, angle);
    const HeftVec3 expected = rodrigues(axis, angle, v);
    CHECK_AT_MOST(distance(heft_quat_rotate(q, v), expected), 1e-14);
    CHECK_AT_MOST(distance(heft_mat3_mul_vec(heft_quat_to_mat3(q), v), expected), 1e-14);
  }
}

// A quarter turn about z takes x to y: active, right-handed.
static void test_sense_of_turning(void** state) {
  (void)state;
  const HeftQuat q = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), HEFT_PI / 2);
  CHECK_AT_MOST(distance(heft_quat_rotate(q, heft_vec3(1, 0, 0)), heft_vec3(0, 1, 0)), 3e-16);
  CHECK_AT_MOST(distance(heft_pose_apply(heft_pose(heft_vec3(1, 2, 3), q), heft_vec3(1, 0, 0)),
                         heft_vec3(1, 3, 3)),
                1e-15);
}

static void test_products_compose(void** state) {
  (void)state;
  Random r = {5};
  for (int i = 0; i < ROUNDS; ++i) {
    const HeftQuat a = random_quat(&r), b = random_quat(&r);
    const HeftVec3 v = random_vec3(&r, 1);
    const HeftQuat ab = heft_quat_mul(a, b);
    CHECK_AT_MOST(distance(heft_quat_rotate(ab, v), heft_quat_rotate(a, heft_quat_rotate(b, v))),
                  5e-15);
    CHECK_AT_MOST(mat_distance(heft_quat_to_mat3(ab),
                               heft_mat3_mul(heft_quat_to_mat3(a), heft_quat_to_mat3(b))),
                  3e-15);
    CHECK_AT_MOST(quat_distance(heft_quat_mul(a, heft_quat_conjugate(a)), heft_quat_identity()),
                  2e-15);
  }
}

static void check_matrix_round_trip(HeftQuat q) {
  const HeftMat3 m = heft_quat_to_mat3(q);
  CHECK_AT_MOST(not_a_rotation(m), 1e-14);
  const HeftQuat back = heft_quat_from_mat3(m);
  assert_true(back.w >= 0);
  CHECK_AT_MOST(fabs(quat_norm(back) - 1), 4e-16);
  CHECK_AT_MOST(quat_distance(back, q), 2e-15);
}

static void test_matrix_round_trips(void** state) {
  (void)state;
  Random r = {6};
  for (int i = 0; i < ROUNDS; ++i) {
    check_matrix_round_trip(random_quat(&r));
    check_matrix_round_trip(heft_quat_from_axis_angle(random_direction(&r), HEFT_PI));
    check_matrix_round_trip(heft_quat_from_axis_angle(random_direction(&r), 1e-9));
    // Close to half a turn about the axes and the planes between them: all four formulas.
    const HeftVec3 near =
        heft_vec3_normalize(heft_vec3(random_index(&r, 3) - 1 + random_between(&r, -1e-8, 1e-8),
                                      random_index(&r, 3) - 1 + random_between(&r, -1e-8, 1e-8),
                                      random_index(&r, 3) - 1 + random_between(&r, -1e-8, 1e-8)));
    check_matrix_round_trip(
        heft_quat_from_axis_angle(near, HEFT_PI + random_between(&r, -1e-7, 1e-7)));
  }
  const double units[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  for (int i = 0; i < 4; ++i)
    check_matrix_round_trip(heft_quat(units[i][0], units[i][1], units[i][2], units[i][3]));
  for (int i = 0; i < 16; ++i)
    check_matrix_round_trip(
        heft_quat(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5, i & 8 ? 0.5 : -0.5));
}

static void test_normalize_quaternions(void** state) {
  (void)state;
  Random r = {7};
  for (int e = -1070; e <= 1020; e += 10) {
    const HeftQuat q = random_quat(&r);
    const HeftQuat n =
        heft_quat_normalize(heft_quat(ldexp(q.w, e), ldexp(q.x, e), ldexp(q.y, e), ldexp(q.z, e)));
    CHECK_AT_MOST(fabs(quat_norm(n) - 1), 5e-16);
    if (e > -950) CHECK_AT_MOST(quat_distance(n, q), 5e-16);
  }
  const HeftQuat one = heft_quat_normalize(heft_quat(0, -0.0, 0, 0));
  assert_true(one.w == 1 && one.x == 0 && one.y == 0 && one.z == 0);
}

// What is not finite must not come out looking sound: a world looks for it to know that it failed.
static void test_normalize_does_not_hide_what_is_not_finite(void** state) {
  (void)state;
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 12; ++i) {
    double q[4] = {0.5, 0.5, 0.5, 0.5};
    q[i % 4] = bad[i / 4];
    const HeftQuat n = heft_quat_normalize(heft_quat_from(q));
    assert_false(isfinite(n.w) && isfinite(n.x) && isfinite(n.y) && isfinite(n.z));
    const HeftQuat alone = heft_quat_normalize(heft_quat(bad[i / 4], 0, 0, 0));
    assert_false(isfinite(alone.w));
    double v[3] = {0, 0, 0};
    v[i % 3] = bad[i / 4];
    const HeftVec3 u = heft_vec3_normalize(heft_vec3_from(v));
    assert_false(isfinite(u.x) && isfinite(u.y) && isfinite(u.z));
  }
}

// ---- exponential and logarithm

// exp against the formula in long double, over all sizes of v.
static void test_exp_is_accurate(void** state) {
  (void)state;
  Random r = {8};
  for (int i = 0; i < ROUNDS; ++i) {
    const double size = pow(10, random_between(&r, -20, 1));
    const HeftVec3 d = random_direction(&r), v = heft_vec3_scale(size, d);
    const long double x = v.x, y = v.y, z = v.z, angle = sqrtl(x * x + y * y + z * z);
    const long double s = sinl(angle / 2) / angle;
    const HeftQuat q = heft_quat_exp(v);
    CHECK_AT_MOST(fabs((double)(q.w - cosl(angle / 2))), 1.5e-15);
    const HeftVec3 exact = heft_vec3((double)(s * x), (double)(s * y), (double)(s * z));
    CHECK_AT_MOST(distance(heft_vec3(q.x, q.y, q.z), exact), 1.5e-15 * fmin(size, 1));
    CHECK_AT_MOST(fabs(quat_norm(q) - 1), 6e-16);
  }
}

static void test_log_undoes_exp(void** state) {
  (void)state;
  Random r = {9};
  for (int i = 0; i < ROUNDS; ++i) {
    const double size = i % 2 ? pow(10, random_between(&r, -300, 0)) : random_between(&r, 0, 3.14);
    const HeftVec3 v = heft_vec3_scale(size, random_direction(&r));
    const HeftVec3 back = heft_quat_log(heft_quat_exp(v));
    CHECK_AT_MOST(distance(back, v), 2e-15 * size + 1e-320);
  }
}

// At half a turn v and -v are the same rotation; short of it by any amount they are not.
static void test_log_near_half_a_turn(void** state) {
  (void)state;
  Random r = {10};
  for (int i = 0; i < ROUNDS; ++i) {
    const double short_of = pow(10, random_between(&r, -15, -1));
    const HeftVec3 d = random_direction(&r);
    const HeftVec3 v = heft_vec3_scale(HEFT_PI - short_of, d);
    const HeftVec3 back = heft_quat_log(heft_quat_exp(v));
    CHECK_AT_MOST(heft_vec3_norm(back), HEFT_PI + 1e-15);
    if (short_of < 2e-14) {
      CHECK_AT_MOST(fmin(distance(back, v), distance(heft_vec3_neg(back), v)), 6e-14);
    } else {
      CHECK_AT_MOST(distance(back, v), 1e-14);
      // Beyond half a turn the way back is shorter.
      const HeftVec3 far = heft_vec3_scale(HEFT_PI + short_of, d);
      CHECK_AT_MOST(distance(heft_quat_log(heft_quat_exp(far)), heft_vec3_neg(v)), 1e-14);
    }
  }
}

static void test_log_of_special_quaternions(void** state) {
  (void)state;
  const HeftVec3 none = heft_quat_log(heft_quat_identity()),
                 full = heft_quat_log(heft_quat(-1, 0, 0, 0)),
                 half = heft_quat_log(heft_quat(0, 0, 1, 0)),
                 other = heft_quat_log(heft_quat(-0.0, 0, -1, 0));
  CHECK_AT_MOST(heft_vec3_norm(none), 0);
  CHECK_AT_MOST(heft_vec3_norm(full), 0);
  CHECK_AT_MOST(distance(half, heft_vec3(0, HEFT_PI, 0)), 0);
  CHECK_AT_MOST(fabs(heft_vec3_norm(other) - HEFT_PI), 0);
  const HeftQuat still = heft_quat_exp(heft_vec3(0, -0.0, 0));
  assert_true(still.w == 1 && still.x == 0 && still.y == 0 && still.z == 0);
}

static void test_log_takes_either_sign(void** state) {
  (void)state;
  Random r = {11};
  for (int i = 0; i < ROUNDS; ++i) {
    const HeftQuat q = random_quat(&r);
    const HeftVec3 v = heft_quat_log(q);
    CHECK_AT_MOST(distance(heft_quat_log(heft_quat(-q.w, -q.x, -q.y, -q.z)), v), 0);
    CHECK_AT_MOST(quat_distance(heft_quat_exp(v), q), 2e-15);
  }
}

// ---- from one direction to another

static void check_between(HeftVec3 a, HeftVec3 b) {
  const HeftQuat q = heft_quat_between(a, b);
  const HeftVec3 from = heft_vec3_normalize(a), to = heft_vec3_normalize(b);
  CHECK_AT_MOST(fabs(quat_norm(q) - 1), 6e-16);
  CHECK_AT_MOST(distance(heft_quat_rotate(q, from), to), 2e-14);
  // The shortest one: its axis stands across both directions.
  const HeftVec3 u = heft_vec3(q.x, q.y, q.z);
  CHECK_AT_MOST(fabs(heft_vec3_dot(u, from)), 2e-14);
  CHECK_AT_MOST(fabs(heft_vec3_dot(u, to)), 2e-14);
}

static void test_between_directions(void** state) {
  (void)state;
  Random r = {12};
  for (int i = 0; i < ROUNDS; ++i) {
    const HeftVec3 a = random_direction(&r), b = random_direction(&r);
    check_between(a, b);
    check_between(heft_vec3_scale(1e-200, a), heft_vec3_scale(1e200, b));
    const HeftQuat same = heft_quat_between(a, a);
    CHECK_AT_MOST(quat_distance(same, heft_quat_identity()), 4e-16);
  }
}

static void test_between_opposite_directions(void** state) {
  (void)state;
  Random r = {13};
  for (int i = 0; i < ROUNDS; ++i) {
    const HeftVec3 a = random_direction(&r);
    check_between(a, heft_vec3_neg(a));
    const double size = pow(10, random_between(&r, -18, -1));
    check_between(a, heft_vec3_add_scaled(heft_vec3_neg(a), size, random_direction(&r)));
  }
  check_between(heft_vec3(0, 0, 1), heft_vec3(0, 0, -1));
  check_between(heft_vec3(0, 0, -1), heft_vec3(0, 0, 1));
  check_between(heft_vec3(1, 0, 0), heft_vec3(-1, 0, 0));
  check_between(heft_vec3(1, 0, 0), heft_vec3(-1 + DBL_EPSILON, 0, 0));
}

// ---- poses

static void test_poses(void** state) {
  (void)state;
  Random r = {14};
  for (int i = 0; i < ROUNDS; ++i) {
    const HeftPose a = heft_pose(random_vec3(&r, 1), random_quat(&r)),
                   b = heft_pose(random_vec3(&r, 1), random_quat(&r));
    const HeftVec3 p = random_vec3(&r, 1);
    CHECK_AT_MOST(distance(heft_pose_apply(heft_pose_mul(a, b), p),
                           heft_pose_apply(a, heft_pose_apply(b, p))),
                  5e-15);
    CHECK_AT_MOST(distance(heft_pose_apply_inverse(a, heft_pose_apply(a, p)), p), 5e-15);
    CHECK_AT_MOST(distance(heft_pose_apply(heft_pose_inverse(a), p), heft_pose_apply_inverse(a, p)),
                  3e-15);
    const HeftPose none = heft_pose_mul(a, heft_pose_inverse(a));
    CHECK_AT_MOST(mat_distance(none.rot, heft_mat3_identity()), 3e-15);
    CHECK_AT_MOST(heft_vec3_norm(none.pos), 3e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_normalize_vectors),
      cmocka_unit_test(test_tangents_of_a_million_directions),
      cmocka_unit_test(test_tangents_of_special_directions),
      cmocka_unit_test(test_matrix_identities),
      cmocka_unit_test(test_axis_angle_is_rodrigues),
      cmocka_unit_test(test_sense_of_turning),
      cmocka_unit_test(test_products_compose),
      cmocka_unit_test(test_matrix_round_trips),
      cmocka_unit_test(test_normalize_quaternions),
      cmocka_unit_test(test_normalize_does_not_hide_what_is_not_finite),
      cmocka_unit_test(test_exp_is_accurate),
      cmocka_unit_test(test_log_undoes_exp),
      cmocka_unit_test(test_log_near_half_a_turn),
      cmocka_unit_test(test_log_of_special_quaternions),
      cmocka_unit_test(test_log_takes_either_sign),
      cmocka_unit_test(test_between_directions),
      cmocka_unit_test(test_between_opposite_directions),
      cmocka_unit_test(test_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
