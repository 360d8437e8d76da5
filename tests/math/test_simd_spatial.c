// SPDX-License-Identifier: Apache-2.0
// The vector helpers against plain loops, bit for bit: every lane must do what a double would.
#include "math/simd_spatial.h"

#include <heft/math.h>

#include "scenes/random.h"
#include "support/check.h"

enum { ROUNDS = 20000 };

static void fill(Random* r, double* x, int count) {
  for (int i = 0; i < count; ++i) x[i] = ldexp(random_between(r, -1, 1), random_index(r, 40) - 20);
}

static void assert_same_bits(const double* a, const double* b, int count) {
  for (int i = 0; i < count; ++i) {
    if (memcmp(&a[i], &b[i], sizeof(double)) != 0) fail_msg("lane %d: %a, %a", i, a[i], b[i]);
  }
}

static void assert_v4(V4 v, const double* expected) {
  double x[4];
  v4_store(x, v);
  assert_same_bits(x, expected, 4);
}

static void assert_v8(V8 v, const double* expected) {
  double x[8];
  v8_store(x, v);
  assert_same_bits(x, expected, 8);
}

static void test_loads_and_stores(void** state) {
  (void)state;
  Random r = {1};
  double x[24], out[24];
  _Alignas(64) double aligned[8], back[8];
  fill(&r, x, 24);
  for (int shift = 0; shift < 8; ++shift) {  // any address
    for (int i = 0; i < 24; ++i) out[i] = 7;
    v4_store(out + shift, v4_load(x + shift));
    assert_same_bits(out + shift, x + shift, 4);
    for (int i = 0; i < 24; ++i) assert_true((i >= shift && i < shift + 4) || out[i] == 7);
    v8_store(out + shift, v8_load(x + shift));
    assert_same_bits(out + shift, x + shift, 8);
    for (int i = 0; i < 24; ++i) assert_true((i >= shift && i < shift + 8) || out[i] == 7);
  }
  memcpy(aligned, x, sizeof aligned);
  v4_store_aligned(back, v4_load_aligned(aligned));
  v4_store_aligned(back + 4, v4_load_aligned(aligned + 4));
  assert_same_bits(back, x, 8);
  memset(back, 0, sizeof back);
  v8_store_aligned(back, v8_load_aligned(aligned));
  assert_same_bits(back, x, 8);
}

static void test_lanes_move_where_they_should(void** state) {
  (void)state;
  const double x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, fives[8] = {5, 5, 5, 5, 5, 5, 5, 5};
  const V8 v = v8_load(x);
  assert_v4(v4_all(5), fives);
  assert_v8(v8_all(5), fives);
  assert_v4(v8_low(v), x);
  assert_v4(v8_high(v), x + 4);
  assert_v8(v8_join(v8_low(v), v8_high(v)), x);
  assert_v4(V4_SHUFFLE(v8_low(v), v8_high(v), 0, 4, 1, 5), (double[]){0, 4, 1, 5});
  assert_v8(V8_SHUFFLE(v, v, 7, 6, 5, 4, 3, 2, 1, 0), (double[]){7, 6, 5, 4, 3, 2, 1, 0});
}

static void test_select_and_abs(void** state) {
  (void)state;
  Random r = {2};
  for (int round = 0; round < ROUNDS; ++round) {
    double a[8], b[8], chosen[8], size[8];
    fill(&r, a, 8);
    fill(&r, b, 8);
    if (round % 5 == 0) a[round % 8] = (double[]){NAN, -NAN, -0.0, -INFINITY}[round / 5 % 4];
    for (int i = 0; i < 8; ++i) {
      chosen[i] = a[i] < b[i] ? a[i] : b[i];
      size[i] = fabs(a[i]);
    }
    const V8 va = v8_load(a), vb = v8_load(b);
    assert_v8(v8_select(va < vb, va, vb), chosen);
    assert_v8(v8_abs(va), size);
    const V4 la = v8_low(va), lb = v8_low(vb);
    assert_v4(v4_select(la < lb, la, lb), chosen);
    assert_v4(v4_abs(la), size);
  }
}

// The order of a sum is part of the contract.
static void test_sums_have_their_order(void** state) {
  (void)state;
  Random r = {3};
  for (int round = 0; round < ROUNDS; ++round) {
    double x[16], out[4];
    fill(&r, x, 16);
    const double four = (x[0] + x[2]) + (x[1] + x[3]);
    const double eight = ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
    const double sum4 = v4_sum(v4_load(x)), sum8 = v8_sum(v8_load(x));
    assert_same_bits(&sum4, &four, 1);
    assert_same_bits(&sum8, &eight, 1);
    for (int i = 0; i < 4; ++i) out[i] = (x[4 * i] + x[4 * i + 1]) + (x[4 * i + 2] + x[4 * i + 3]);
    assert_v4(v4_sums(v4_load(x), v4_load(x + 4), v4_load(x + 8), v4_load(x + 12)), out);
  }
}

static void assert_v4_is(V4 v, HeftVec3 expected) {
  const double x[4] = {expected.x, expected.y, expected.z, 0};
  assert_v4(v + 0.0, (double[]){x[0] + 0.0, x[1] + 0.0, x[2] + 0.0, 0});  // -0 counts as 0
}

// Vectors of three in four lanes: the fourth is zero and stays so.
static void test_vectors_of_three(void** state) {
  (void)state;
  Random r = {4};
  for (int round = 0; round < ROUNDS; ++round) {
    double a[4], b[4], m[3][4];
    fill(&r, a, 3);
    fill(&r, b, 3);
    for (int i = 0; i < 3; ++i) {
      fill(&r, m[i], 3);
      m[i][3] = 0;
    }
    a[3] = b[3] = 0;
    const V4 va = v4_load(a), vb = v4_load(b);
    assert_v4_is(v4_cross(va, vb), heft_vec3_cross(heft_vec3_from(a), heft_vec3_from(b)));
    const double dot = v4_dot3(va, vb),
                 expected = heft_vec3_dot(heft_vec3_from(a), heft_vec3_from(b));
    assert_same_bits(&dot, &expected, 1);
    const V4 columns[3] = {v4_load(m[0]), v4_load(m[1]), v4_load(m[2])};
    const HeftVec3 product = heft_mat3_mul_vec(
        heft_mat3_from_columns(heft_vec3_from(m[0]), heft_vec3_from(m[1]), heft_vec3_from(m[2])),
        heft_vec3_from(b));
    assert_v4_is(v4_mul_mat(columns, b), product);
    assert_v4_is(v4_mul_mat_v4(columns, vb), product);
    assert_v4_is(v4_combine(columns, b[0], b[1], b[2]), product);
  }
}

static void assert_pair_is(Pair p, HeftSpatial s) {
  assert_v4_is(p.ang, s.ang);
  assert_v4_is(p.lin, s.lin);
}

static void test_pairs(void** state) {
  (void)state;
  Random r = {5};
  for (int round = 0; round < ROUNDS; ++round) {
    double x[16] = {0};
    for (int i = 0; i < 4; ++i) fill(&r, x + 4 * i, 3);
    const Pair a = {v4_load(x), v4_load(x + 4)}, b = {v4_load(x + 8), v4_load(x + 12)};
    const HeftSpatial sa = {heft_vec3_from(x), heft_vec3_from(x + 4)},
                      sb = {heft_vec3_from(x + 8), heft_vec3_from(x + 12)};
    const double s = random_between(&r, -2, 2);
    assert_pair_is(pair_add(a, b), heft_spatial_add(sa, sb));
    assert_pair_is(pair_sub(a, b), heft_spatial_sub(sa, sb));
    assert_pair_is(pair_scale(a, s), heft_spatial_scale(s, sa));
    assert_pair_is(pair_add_scaled(a, b, s), heft_spatial_add(sa, heft_spatial_scale(s, sb)));
    assert_pair_is(pair_cross(a, b), heft_spatial_cross_motion(sa, sb));
    assert_pair_is(pair_zero(), heft_spatial(heft_vec3(0, 0, 0), heft_vec3(0, 0, 0)));
    double products[3];
    for (int i = 0; i < 3; ++i) products[i] = x[i] * x[8 + i] + x[4 + i] * x[12 + i];
    const double expected = (products[0] + products[1]) + products[2];
    CHECK_AT_MOST(fabs(pair_dot(a, b) - expected), 0);
    const double plain = heft_spatial_dot(sa, sb);
    CHECK_AT_MOST(fabs(pair_dot(a, b) - plain),
                  1e-15 * (fabs(products[0]) + fabs(products[1]) + fabs(products[2]) +
                           heft_vec3_norm(sa.ang) * heft_vec3_norm(sb.ang) +
                           heft_vec3_norm(sa.lin) * heft_vec3_norm(sb.lin)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loads_and_stores), cmocka_unit_test(test_lanes_move_where_they_should),
      cmocka_unit_test(test_select_and_abs),   cmocka_unit_test(test_sums_have_their_order),
      cmocka_unit_test(test_vectors_of_three), cmocka_unit_test(test_pairs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
