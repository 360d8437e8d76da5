// SPDX-License-Identifier: Apache-2.0
// Papers: R16, R17.
// Counted operations of the Delassus methods: the counting code gives the bits of the library, and
// the counts confirm what the source says of one branch and of several.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counted/counted.h"
#include "support/check.h"
#include "support/scene.h"

enum { ARMS = 4, LENGTH = 5, POINTS = 8 };

typedef struct Rig {
  HeftModel* model;
  HeftDynamics* d;
  HeftDelassusPoint points[4 * POINTS];
  double *scratch, *expected, *found;
} Rig;

static double* numbers(size_t count) {
  double* x = aligned_alloc(64, (count * sizeof *x + 127) / 64 * 64);
  assert_non_null(x);
  memset(x, 0, (count * sizeof *x + 127) / 64 * 64);
  return x;
}

// A floating trunk with four arms of five hinges, whose axes and lengths are all different.
static void rig_open(Rig* r) {
  static char text[1 << 14];
  size_t n =
      (size_t)snprintf(text, sizeof text, "<mujoco><worldbody><body><freejoint/><geom size='.1'/>");
  for (int a = 0; a < ARMS; ++a) {
    for (int i = 0; i < LENGTH; ++i)
      n += (size_t)snprintf(text + n, sizeof text - n,
                            "<body name='a%d_%d' pos='%g .07 %g'><joint axis='1 %g %g'/>"
                            "<geom type='box' size='.03 .04 .05' pos='.01 .02 .03'/>",
                            a, i, 0.1 + 0.01 * a, 0.05 * (i + 1), 0.3 + i, 0.7 - a);
    for (int i = 0; i < LENGTH; ++i) n += (size_t)snprintf(text + n, sizeof text - n, "</body>");
  }
  snprintf(text + n, sizeof text - n, "</body></worldbody></mujoco>");
  r->model = scene_model(text);
  const size_t nv = (size_t)r->model->nv, nq = (size_t)r->model->nq;
  assert_int_equal(heft_dynamics_create(&r->d, r->model, NULL, NULL), HEFT_OK);
  double *q = numbers(nq), *v = numbers(nv), *a = numbers(nv);
  for (size_t i = 0; i < nq; ++i) q[i] = r->model->q_default[i] + 0.1 + 0.013 * (double)i;
  heft_dynamics_kinematics(r->d, q);
  heft_dynamics_aba(r->d, v, NULL, a);
  heft_dynamics_crba(r->d);
  assert_int_equal(heft_dynamics_factor(r->d, NULL), HEFT_OK);
  free(q), free(v), free(a);
  size_t scratch = 0;
  for (int m = 0; m < HEFT_DELASSUS_COUNT; ++m) {
    const size_t needed = heft_dynamics_delassus_scratch(r->d, (HeftDelassusMethod)m, 4 * POINTS);
    scratch = needed > scratch ? needed : scratch;
  }
  r->scratch = numbers(scratch);
  r->expected = numbers((size_t)9 * 16 * POINTS * POINTS);
  r->found = numbers((size_t)9 * 16 * POINTS * POINTS);
}

static void rig_close(Rig* r) {
  heft_dynamics_destroy(r->d);
  heft_model_destroy(r->model);
  free(r->scratch), free(r->expected), free(r->found);
}

// Four points on each of the named bodies.
static int place(Rig* r, int count, const char* const* bodies, HeftQuat frame) {
  for (int i = 0; i < 4 * count; ++i) {
    const int body = heft_model_find(r->model, HEFT_NAMED_BODY, bodies[i / 4]);
    assert_true(body > 0);
    r->points[i] = (HeftDelassusPoint){
        .body = body,
        .point = heft_pose_apply(heft_dynamics_body_pose(r->d, body),
                                 heft_vec3(i & 1 ? 0.1 : -0.07, i & 2 ? 0.04 : -0.05, -0.04)),
        .frame = heft_quat_to_mat3(heft_quat_normalize(frame))};
  }
  return 4 * count;
}

// Table 1 of [Chardonnet 2008]: multiplications and additions for m points, whose bodies have
// together `beta` joints above each, counted for every point, and b joints between them and the
// base. Its 27 products for two points belong to frames along the axes of the world.
static void test_unit_forces_cost_what_the_source_states(void** state) {
  (void)state;
  static const char* const bodies[] = {"a0_4", "a1_4", "a2_1"};
  static const double joints[] = {5, 10, 12}, above[] = {20, 40, 48};
  Rig r;
  rig_open(&r);
  bool counts = true;
  for (int n = 1; n <= 3 && counts; ++n) {
    CountedOperations out = {0};
    const int count = place(&r, n, bodies, heft_quat(1, 0, 0, 0));
    counts =
        counted_delassus(r.d, HEFT_DELASSUS_UNIT_FORCES, count, r.points, r.scratch, r.found, &out);
    const double m = count, b = joints[n - 1], beta = above[n - 1], last = 27 * m * (m + 1) / 2;
    const double products = 144 * m + 39 * b * m + 36 * beta + last;
    const double sums = 99 * m + 36 * b * m + 21 * beta + last;
    const double p = (double)out.multiplications / products, s = (double)out.additions / sums;
    if (counts && !(p > 0.85 && p < 1.15 && s > 0.85 && s < 1.15))
      fail_msg("%d bodies: %.3f of the products and %.3f of the sums of table 1", n, p, s);
  }
  rig_close(&r);
  if (!counts) skip();
}

// All operations of a method, after the comparison of its bits.
static long operations(Rig* r, HeftDelassusMethod method, int count) {
  CountedOperations out = {0};
  heft_dynamics_delassus(r->d, method, count, r->points, r->scratch, r->expected);
  if (!counted_delassus(r->d, method, count, r->points, r->scratch, r->found, &out)) return -1;
  for (int i = 0; i < 9 * count * count; ++i) assert_true(r->expected[i] == r->found[i]);
  assert_true(out.multiplications > 0 && out.additions > 0);
  assert_true(out.executed >= out.multiplications + out.additions);
  return out.multiplications + out.additions;
}

static void test_same_bits_and_order(void** state) {
  (void)state;
  Rig r;
  rig_open(&r);
  const char* const branch[] = {"a0_4", "a0_2"};
  const char* const many[] = {"a0_4", "a1_4", "a2_4", "a3_4"};
  long on_branch[HEFT_DELASSUS_COUNT], on_many[HEFT_DELASSUS_COUNT];
  const HeftQuat turned = heft_quat(1, 0.2, 0.3, 0.4);
  int count = place(&r, 2, branch, turned);
  for (int m = 0; m < HEFT_DELASSUS_COUNT; ++m)
    on_branch[m] = operations(&r, (HeftDelassusMethod)m, count);
  count = place(&r, 4, many, turned);
  for (int m = 0; m < HEFT_DELASSUS_COUNT; ++m)
    on_many[m] = operations(&r, (HeftDelassusMethod)m, count);
  rig_close(&r);
  if (on_many[0] < 0) skip();  // no C++ compiler
  // Chang and Khatib need fewer operations if the bodies lie on one branch, six forces per body if
  // they do not; both need fewer than unit forces at each point.
  assert_true(on_branch[HEFT_DELASSUS_CHANG_KHATIB] < on_branch[HEFT_DELASSUS_BODY]);
  assert_true(on_many[HEFT_DELASSUS_BODY] < on_many[HEFT_DELASSUS_CHANG_KHATIB]);
  assert_true(on_many[HEFT_DELASSUS_CHANG_KHATIB] < on_many[HEFT_DELASSUS_UNIT_FORCES]);
}

// One free body and one point at its centre of mass, all axes those of the world: Λ = 1/m, and only
// the operations of the six unit forces and of the projection on the diagonal are left.
static void test_sparse_body(void** state) {
  (void)state;
  Rig r = {0};
  r.model = scene_model(
      "<mujoco><worldbody><body><freejoint/><geom type='box' size='.1 .2 .3'/></body></worldbody>"
      "</mujoco>");
  assert_int_equal(heft_dynamics_create(&r.d, r.model, NULL, NULL), HEFT_OK);
  double v[6] = {0}, a[6], lambda[9];
  heft_dynamics_kinematics(r.d, r.model->q_default);
  heft_dynamics_aba(r.d, v, NULL, a);
  r.points[0] = (HeftDelassusPoint){.body = 1, .frame = heft_mat3_identity()};
  r.scratch = numbers(heft_dynamics_delassus_scratch(r.d, HEFT_DELASSUS_BODY, 1));
  CountedOperations out = {0};
  const bool counts =
      counted_delassus(r.d, HEFT_DELASSUS_BODY, 1, r.points, r.scratch, lambda, &out);
  free(r.scratch);
  const double mass = r.model->body_mass[1];
  heft_dynamics_destroy(r.d);
  heft_model_destroy(r.model);
  if (!counts) skip();
  for (int i = 0; i < 9; ++i) assert_true(fabs(lambda[i] - (i % 4 == 0 ? 1 / mass : 0)) < 1e-15);
  // D is diagonal: each of the six forces takes one product for u = Sᵀ f, q̈ = D⁻¹ u and S q̈. Three
  // axes, padded by a fourth that repeats the third, take 4 products for Ω X and 1 + 1 + 2 + 2 for
  // X Ω X.
  assert_int_equal(out.multiplications, 6 * 3 + 4 + 6);
  assert_int_equal(out.additions, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits_and_order),
                                     cmocka_unit_test(test_unit_forces_cost_what_the_source_states),
                                     cmocka_unit_test(test_sparse_body)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
