// SPDX-License-Identifier: Apache-2.0
// Spatial vectors and inertias: the identities that make them what they are, and inertias against
// what they stand for, a cloud of point masses summed by brute force.
#include <heft/math.h>

#include "scenes/random.h"
#include "support/check.h"

enum { ROUNDS = 5000, POINTS = 12 };

static HeftSpatial random_spatial(Random* r) {
  const HeftVec3 ang = random_vec3(r, 1);
  return heft_spatial(ang, random_vec3(r, 1));
}

static double spatial_distance(HeftSpatial a, HeftSpatial b) {
  return heft_vec3_norm(heft_vec3_sub(a.ang, b.ang)) + heft_vec3_norm(heft_vec3_sub(a.lin, b.lin));
}

static double sym_distance(HeftSym3 a, HeftSym3 b) {
  const double d[6] = {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz,
                       a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
  double worst = 0;
  for (int i = 0; i < 6; ++i) worst = fmax(worst, fabs(d[i]));
  return worst;
}

// ---- vectors

// (a × b) · f = -b · (a ×* f): the two cross products are each other's dual.
static void test_cross_products_are_dual(void** state) {
  (void)state;
  Random r = {1};
  for (int i = 0; i < ROUNDS; ++i) {
    const HeftSpatial a = random_spatial(&r), b = random_spatial(&r), f = random_spatial(&r);
    CHECK_AT_MOST(fabs(heft_spatial_dot(heft_spatial_cross_motion(a, b), f) +
                       heft_spatial_dot(b, heft_spatial_cross_force(a, f))),
                  4e-15);
  }
}

static void test_cross_of_motions_is_a_lie_bracket(void** state) {
  (void)state;
  Random r = {2};
  for (int i = 0; i < ROUNDS; ++i) {
    const HeftSpatial a = random_spatial(&r), b = random_spatial(&r), c = random_spatial(&r);
    const HeftSpatial zero = {{0, 0, 0}, {0, 0, 0}};
    CHECK_AT_MOST(spatial_distance(heft_spatial_cross_motion(a, b),
                                   heft_spatial_scale(-1, heft_spatial_cross_motion(b, a))),
                  0);
    const HeftSpatial jacobi = heft_spatial_add(
        heft_spatial_cross_motion(a, heft_spatial_cross_motion(b, c)),
        heft_spatial_add(heft_spatial_cross_motion(b, heft_spatial_cross_motion(c, a)),
                         heft_spatial_cross_motion(c, heft_spatial_cross_motion(a, b))));
    CHECK_AT_MOST(spatial_distance(jacobi, zero), 1e-14);
  }
}

static void test_moving_keeps_power(void** state) {
  (void)state;
  Random r = {3};
  for (int i = 0; i < ROUNDS; ++i) {
    const HeftSpatial v = random_spatial(&r), f = random_spatial(&r);
    const HeftVec3 d = random_vec3(&r, 1), e = random_vec3(&r, 1);
    CHECK_AT_MOST(
        fabs(heft_spatial_dot(heft_spatial_move_motion(v, d), heft_spatial_move_force(f, d)) -
             heft_spatial_dot(v, f)),
        5e-15);
    // Two moves are one, and the way back undoes a move.
    CHECK_AT_MOST(spatial_distance(heft_spatial_move_motion(heft_spatial_move_motion(v, d), e),
                                   heft_spatial_move_motion(v, heft_vec3_add(d, e))),
                  3e-15);
    CHECK_AT_MOST(spatial_distance(
                      heft_spatial_move_force(heft_spatial_move_force(f, d), heft_vec3_neg(d)), f),
                  3e-15);
  }
}

// What a move means: the velocity of the point that lies at the offset, the moment about it.
static void test_moving_by_its_meaning(void** state) {
  (void)state;
  // Turning about z at 2 rad/s: the point one metre along x moves along y.
  const HeftSpatial spin = heft_spatial(heft_vec3(0, 0, 2), heft_vec3(0, 0, 0));
  const HeftSpatial there = heft_spatial_move_motion(spin, heft_vec3(1, 0, 0));
  assert_true(there.lin.x == 0 && there.lin.y == 2 && there.lin.z == 0 && there.ang.z == 2);
  // 3 N up through the origin: about the point at x = 1 it turns the way of +y.
  const HeftSpatial push = heft_spatial(heft_vec3(0, 0, 0), heft_vec3(0, 0, 3));
  const HeftSpatial felt = heft_spatial_move_force(push, heft_vec3(1, 0, 0));
  assert_true(felt.ang.x == 0 && felt.ang.y == 3 && felt.ang.z == 0 && felt.lin.z == 3);
}

// ---- inertias

typedef struct Cloud {
  double mass[POINTS];
  HeftVec3 at[POINTS];
} Cloud;

static Cloud random_cloud(Random* r) {
  Cloud c;
  for (int i = 0; i < POINTS; ++i) {
    c.mass[i] = random_between(r, 0.1, 1);
    c.at[i] = random_vec3(r, 1);
  }
  return c;
}

static Cloud cloud_moved(const Cloud* c, HeftPose pose) {
  Cloud out = *c;
  for (int i = 0; i < POINTS; ++i) out.at[i] = heft_pose_apply(pose, c->at[i]);
  return out;
}

// Mass, centre and moments about it of the points [from, to), written out in sums.
static HeftInertia cloud_inertia(const Cloud* c, int from, int to) {
  HeftInertia out = {0};
  for (int i = from; i < to; ++i) {
    out.mass += c->mass[i];
    out.com = heft_vec3_add_scaled(out.com, c->mass[i], c->at[i]);
  }
  out.com = heft_vec3_scale(1 / out.mass, out.com);
  for (int i = from; i < to; ++i) {
    const double m = c->mass[i], x = c->at[i].x - out.com.x, y = c->at[i].y - out.com.y,
                 z = c->at[i].z - out.com.z;
    out.inertia.xx += m * (y * y + z * z);
    out.inertia.yy += m * (x * x + z * z);
    out.inertia.zz += m * (x * x + y * y);
    out.inertia.xy -= m * x * y;
    out.inertia.xz -= m * x * z;
    out.inertia.yz -= m * y * z;
  }
  return out;
}

static void check_same_inertia(HeftInertia a, HeftInertia b) {
  CHECK_AT_MOST(fabs(a.mass - b.mass), 1e-14);
  CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(a.com, b.com)), 1e-14);
  CHECK_AT_MOST(sym_distance(a.inertia, b.inertia), 1e-13);
}

static void test_point_mass(void** state) {
  (void)state;
  Random r = {4};
  for (int i = 0; i < ROUNDS; ++i) {
    const HeftVec3 d = random_vec3(&r, 1), w = random_vec3(&r, 1);
    const double mass = random_between(&r, 0, 2);
    // I ω = m d × (ω × d).
    const HeftVec3 expected = heft_vec3_scale(mass, heft_vec3_cross(d, heft_vec3_cross(w, d)));
    const HeftVec3 got = heft_sym3_mul_vec(heft_sym3_point_mass(mass, d), w);
    CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(got, expected)), 1e-14);
  }
}

static void test_transform_is_that_of_the_points(void** state) {
  (void)state;
  Random r = {5};
  for (int i = 0; i < ROUNDS; ++i) {
    const Cloud cloud = random_cloud(&r);
    const HeftPose pose = heft_pose(random_vec3(&r, 1), random_quat(&r));
    const Cloud moved = cloud_moved(&cloud, pose);
    check_same_inertia(heft_inertia_transform(cloud_inertia(&cloud, 0, POINTS), pose),
                       cloud_inertia(&moved, 0, POINTS));
  }
}

static void test_sum_is_that_of_the_points(void** state) {
  (void)state;
  Random r = {6};
  for (int i = 0; i < ROUNDS; ++i) {
    const Cloud cloud = random_cloud(&r);
    const int part = 1 + random_index(&r, POINTS - 1);
    check_same_inertia(
        heft_inertia_add(cloud_inertia(&cloud, 0, part), cloud_inertia(&cloud, part, POINTS)),
        cloud_inertia(&cloud, 0, POINTS));
  }
}

static void test_sum_with_nothing(void** state) {
  (void)state;
  Random r = {7};
  const HeftInertia nothing = {0, {3, 4, 5}, {0, 0, 0, 0, 0, 0}};
  const Cloud cloud = random_cloud(&r);
  const HeftInertia some = cloud_inertia(&cloud, 0, POINTS);
  check_same_inertia(heft_inertia_add(some, nothing), some);
  check_same_inertia(heft_inertia_add(nothing, some), some);
  const HeftInertia none = heft_inertia_add(nothing, nothing);
  assert_true(none.mass == 0 && isfinite(none.com.x) && none.inertia.xx == 0);
  // Without mass but with moments, as a rotor is sometimes given.
  const HeftInertia rotor = {0, {1, 1, 1}, {2, 2, 3, 0, 0, 0}};
  assert_true(heft_inertia_add(some, rotor).inertia.zz == some.inertia.zz + 3);
}

// Momentum about the origin: Σ m v and Σ x × m v, with v = lin + ω × x.
static void test_momentum_is_that_of_the_points(void** state) {
  (void)state;
  Random r = {8};
  for (int i = 0; i < ROUNDS; ++i) {
    const Cloud cloud = random_cloud(&r);
    const HeftSpatial motion = random_spatial(&r);
    HeftSpatial sum = {{0, 0, 0}, {0, 0, 0}};
    double energy = 0;
    for (int k = 0; k < POINTS; ++k) {
      const HeftVec3 v = heft_vec3_add(motion.lin, heft_vec3_cross(motion.ang, cloud.at[k]));
      const HeftVec3 p = heft_vec3_scale(cloud.mass[k], v);
      sum = heft_spatial_add(sum, heft_spatial(heft_vec3_cross(cloud.at[k], p), p));
      energy += 0.5 * heft_vec3_dot(p, v);
    }
    const HeftSpatial got = heft_inertia_mul(cloud_inertia(&cloud, 0, POINTS), motion);
    CHECK_AT_MOST(spatial_distance(got, sum), 1e-13);
    CHECK_AT_MOST(fabs(0.5 * heft_spatial_dot(motion, got) - energy), 1e-13);
  }
}

static void test_rotated_matrix(void** state) {
  (void)state;
  Random r = {9};
  for (int i = 0; i < ROUNDS; ++i) {
    const Cloud cloud = random_cloud(&r);
    const HeftSym3 a = cloud_inertia(&cloud, 0, POINTS).inertia;
    const HeftMat3 rot = heft_quat_to_mat3(random_quat(&r));
    const HeftVec3 v = random_vec3(&r, 1);
    const HeftVec3 expected =
        heft_mat3_mul_vec(rot, heft_sym3_mul_vec(a, heft_mat3_tmul_vec(rot, v)));
    CHECK_AT_MOST(
        heft_vec3_norm(heft_vec3_sub(heft_sym3_mul_vec(heft_sym3_rotate(a, rot), v), expected)),
        1e-13);
  }
}

// ---- eigenvalues

static double largest_of(HeftSym3 a) { return sym_distance(a, (HeftSym3){0, 0, 0, 0, 0, 0}); }

// a = r diag(e) rᵀ, in order, r a rotation; errors counted in units of the largest number.
static void check_eigen(HeftSym3 a) {
  HeftVec3 e;
  HeftMat3 rot;
  heft_sym3_eigen(a, &e, &rot);
  const double size = largest_of(a);
  assert_true(e.x >= e.y && e.y >= e.z);
  const HeftSym3 diagonal = {e.x, e.y, e.z, 0, 0, 0};
  CHECK_AT_MOST(sym_distance(heft_sym3_rotate(diagonal, rot), a), 8e-15 * size + 1e-322);
  const HeftMat3 product = heft_mat3_mul(heft_mat3_transpose(rot), rot);
  for (int i = 0; i < 9; ++i)
    CHECK_AT_MOST(fabs(product.m[i / 3][i % 3] - (i / 3 == i % 3)), 6e-15);
  CHECK_AT_MOST(fabs(heft_mat3_determinant(rot) - 1), 6e-15);
}

static HeftSym3 scaled(double s, HeftSym3 a) {
  return (HeftSym3){s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.xz, s * a.yz};
}

static void test_eigen_of_random_matrices(void** state) {
  (void)state;
  Random r = {10};
  for (int i = 0; i < 20000; ++i) {
    double x[6];
    for (int k = 0; k < 6; ++k) x[k] = random_between(&r, -1, 1);
    const HeftSym3 a = {x[0], x[1], x[2], x[3], x[4], x[5]};
    check_eigen(a);
    check_eigen(scaled(1e-280, a));
    check_eigen(scaled(1e-150, a));
    check_eigen(scaled(1e150, a));
    check_eigen(scaled(1e300, a));
  }
}

// Equal, nearly equal and vanishing eigenvalues, in any frame.
static void test_eigen_of_degenerate_matrices(void** state) {
  (void)state;
  Random r = {11};
  const double values[][3] = {{1, 1, 1},         {2, 1, 1},      {2, 2, 1},
                              {1, 0, 0},         {1, 1, 0},      {0, 0, 0},
                              {1, -1, 0},        {-1, -1, -2},   {1, 1 - 1e-15, 0},
                              {1, 1e-12, 1e-13}, {1e9, 1, 1e-9}, {1, 1 + 1e-9, 1}};
  for (size_t k = 0; k < sizeof values / sizeof *values; ++k) {
    const HeftSym3 diagonal = {values[k][0], values[k][1], values[k][2], 0, 0, 0};
    check_eigen(diagonal);
    for (int i = 0; i < 2000; ++i) {
      const HeftMat3 rot = i % 2 ? heft_quat_to_mat3(random_quat(&r))
                                 : heft_quat_to_mat3(heft_quat_exp(random_vec3(&r, 1e-7)));
      check_eigen(heft_sym3_rotate(diagonal, rot));
    }
  }
}

static void test_eigen_of_diagonal_matrices_is_exact(void** state) {
  (void)state;
  const double x[3] = {3, 1, 2};
  for (int i = 0; i < 6; ++i) {
    const int a = i % 3, b = (a + 1 + i / 3) % 3, c = 3 - a - b;
    HeftVec3 e;
    HeftMat3 rot;
    heft_sym3_eigen((HeftSym3){x[a], x[b], x[c], 0, 0, 0}, &e, &rot);
    assert_true(e.x == 3 && e.y == 2 && e.z == 1);
    for (int k = 0; k < 9; ++k) {
      const double m = fabs(rot.m[k / 3][k % 3]);
      assert_true(m == 0 || m == 1);
    }
  }
}

static void test_eigen_of_entries_far_apart(void** state) {
  (void)state;
  const double sizes[] = {0, 1e-310, 1e-200, 1e-20, 1, 1e20, 1e200};
  const int n = sizeof sizes / sizeof *sizes;
  for (int i = 0; i < n * n * n; ++i) {
    const double a = sizes[i % n], b = sizes[i / n % n], c = sizes[i / n / n];
    check_eigen((HeftSym3){a, b, c, b, a, c});
    check_eigen((HeftSym3){a, a, a, b, 0, c});
    check_eigen((HeftSym3){a, -b, c, c, -a, b});
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cross_products_are_dual),
      cmocka_unit_test(test_cross_of_motions_is_a_lie_bracket),
      cmocka_unit_test(test_moving_keeps_power),
      cmocka_unit_test(test_moving_by_its_meaning),
      cmocka_unit_test(test_point_mass),
      cmocka_unit_test(test_transform_is_that_of_the_points),
      cmocka_unit_test(test_sum_is_that_of_the_points),
      cmocka_unit_test(test_sum_with_nothing),
      cmocka_unit_test(test_momentum_is_that_of_the_points),
      cmocka_unit_test(test_rotated_matrix),
      cmocka_unit_test(test_eigen_of_random_matrices),
      cmocka_unit_test(test_eigen_of_degenerate_matrices),
      cmocka_unit_test(test_eigen_of_diagonal_matrices_is_exact),
      cmocka_unit_test(test_eigen_of_entries_far_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
