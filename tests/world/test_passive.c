// SPDX-License-Identifier: Apache-2.0
// Impulses that the certificate rejects are replaced by such that add no energy and hold all loops.
// Random problems with redundant loops, and random, wild, zero or endless impulses to begin with.
#include "world/passive.h"

#include <heft/contact.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum {
  BODIES = 4,
  POINTS = 5,
  LIMITS = 3,
  DRY = 3,
  LOOPS = 8,
  ROWS = 3 * POINTS + LIMITS + DRY + LOOPS
};
enum { BLOCKS = POINTS + LIMITS + DRY + LOOPS };

typedef struct Case {
  HeftContactProblem problem;
  HeftConstraintBlock blocks[BLOCKS];
  HeftContactTree trees[BODIES];
  double omega[BODIES * 36], jacobian[ROWS * 12], bias[ROWS];
  double impulse[ROWS], velocity[ROWS];
  double *scratch, *certificate;
} Case;

static double random_between(uint64_t* seed, double low, double high) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * ((double)(*seed >> 11) * 0x1p-53);
}

// Ω of a body: A Aᵀ + 0.1, of full rank.
static void fill_omega(double* omega, uint64_t* seed) {
  double a[36];
  for (int i = 0; i < 36; ++i) a[i] = random_between(seed, -1, 1);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      omega[6 * i + j] = i == j ? 0.1 : 0;
      for (int k = 0; k < 6; ++k) omega[6 * i + j] += a[6 * i + k] * a[6 * j + k];
    }
  }
}

static HeftConstraintType type_of(int block) {
  if (block < POINTS) return HEFT_CONSTRAINT_POINT;
  if (block < POINTS + LIMITS) return HEFT_CONSTRAINT_FRICTIONLESS;
  return block < POINTS + LIMITS + DRY ? HEFT_CONSTRAINT_BOX : HEFT_CONSTRAINT_BILATERAL;
}

// The second half of the loops asks for the same as the first.
static void fill_rows(Case* c, uint64_t* seed) {
  int row = 0;
  for (int i = 0; i < BLOCKS; ++i) {
    const int first = (int)random_between(seed, 0, BODIES), second = (first + 1) % BODIES;
    c->blocks[i] = (HeftConstraintBlock){.type = type_of(i),
                                         .row = row,
                                         .effector = {first, i % 2 ? second : -1},
                                         .mu = random_between(seed, 0, 1),
                                         .lower = -0.1,
                                         .upper = 0.1};
    for (int r = 0; r < heft_constraint_type_row_count(type_of(i)); ++r, ++row) {
      for (int k = 0; k < 12; ++k) c->jacobian[12 * row + k] = random_between(seed, -1, 1);
      c->bias[row] = random_between(seed, -1, 1);
    }
    const int twin = i - LOOPS / 2;
    if (twin < BLOCKS - LOOPS) continue;
    c->blocks[i].effector[0] = c->blocks[twin].effector[0];
    c->blocks[i].effector[1] = c->blocks[twin].effector[1];
    memcpy(c->jacobian + 12L * (row - 1), c->jacobian + 12L * c->blocks[twin].row,
           12 * sizeof(double));
    c->bias[row - 1] = c->bias[c->blocks[twin].row];
  }
  assert_int_equal(row, ROWS);
}

static Case make_case(uint64_t seed) {
  Case c = {0};
  for (int i = 0; i < BODIES; ++i) {
    c.trees[i] =
        (HeftContactTree){.effector_first = i, .effector_count = 1, .omega = 36 * (size_t)i};
    fill_omega(c.omega + 36L * i, &seed);
  }
  fill_rows(&c, &seed);
  return c;
}

static void connect(Case* c) {
  c->problem = (HeftContactProblem){.constraint_count = BLOCKS,
                                    .row_count = ROWS,
                                    .constraints = c->blocks,
                                    .bias = c->bias,
                                    .velocity_scale = 0.01,
                                    .effector_count = BODIES,
                                    .tree_count = BODIES,
                                    .trees = c->trees,
                                    .omega = c->omega,
                                    .jacobian = c->jacobian};
  HeftError error = {0};
  if (heft_contact_problem_check(&c->problem, &error) != HEFT_OK) fail_msg("%s", error.message);
  c->scratch = calloc(heft_passive_scratch(ROWS, BODIES), sizeof(double));
  c->certificate = calloc(heft_contact_certify_scratch(&c->problem), sizeof(double));
}

static void release(Case* c) {
  free(c->scratch);
  free(c->certificate);
}

// Impulses inside their cones, of this size; in loops, whose twins cancel each other, far larger.
static void begin_wild(Case* c, uint64_t seed, double size) {
  for (int i = 0; i < BLOCKS; ++i) {
    const HeftConstraintBlock* b = &c->blocks[i];
    double* r = c->impulse + b->row;
    r[0] = random_between(&seed, 0, size);
    if (b->type == HEFT_CONSTRAINT_BOX) r[0] = random_between(&seed, b->lower, b->upper);
    if (b->type == HEFT_CONSTRAINT_BILATERAL)
      r[0] = 1e6 * size * (i < BLOCKS - LOOPS / 2 ? 1 : -1) + random_between(&seed, -size, size);
    for (int k = 1; k < heft_constraint_type_row_count(b->type); ++k)
      r[k] = random_between(&seed, -0.7, 0.7) * b->mu * r[0];
  }
}

// 1 if no contact pushes although one closes.
static int is_discarded(const Case* c) {
  int closes = 0;
  for (int i = 0; i < POINTS + LIMITS; ++i) {
    if (c->impulse[c->blocks[i].row] > 0) return 0;
    closes |= c->velocity[c->blocks[i].row] < 0;
  }
  return closes;
}

// Replaces the impulses of a case and checks all that is promised.
static void check_replaced(Case* c, const char* what) {
  heft_passive_impulses(&c->problem, c->scratch, c->impulse, c->velocity);
  const HeftContactCertificate certificate =
      heft_contact_certify(&c->problem, c->impulse, c->velocity, c->certificate);
  assert_true(certificate.finite);
  if (!(certificate.energy_change < 0)) fail_msg("%s: adds %g J", what, certificate.energy_change);
  CHECK_AT_MOST(certificate.cone, 1e-12);
  CHECK_AT_MOST(certificate.momentum, 1e-9);
  for (int i = BLOCKS - LOOPS; i < BLOCKS; ++i)
    CHECK_AT_MOST(fabs(c->velocity[c->blocks[i].row]), 1e-9);
  assert_true(!is_discarded(c));
}

static void wild_impulses_are_replaced(void** state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Case c = make_case(seed);
    connect(&c);
    begin_wild(&c, seed, seed % 3 == 0 ? 1e-3 : seed % 3 == 1 ? 1 : 1e3);
    check_replaced(&c, "wild impulses");
    release(&c);
  }
}

static void useless_impulses_are_replaced(void** state) {
  (void)state;
  static const double begins[3] = {0, (double)NAN, (double)INFINITY};
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    for (int k = 0; k < 3; ++k) {
      Case c = make_case(seed);
      connect(&c);
      for (int i = 0; i < ROWS; ++i) c.impulse[i] = begins[k];
      check_replaced(&c, "useless impulses");
      release(&c);
    }
  }
}

// Impulses that hold the loops and add no energy stay as they are.
static void good_impulses_stay(void** state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    Case c = make_case(seed);
    double once[ROWS];
    connect(&c);
    begin_wild(&c, seed, 0.1);
    heft_passive_impulses(&c.problem, c.scratch, c.impulse, c.velocity);
    memcpy(once, c.impulse, sizeof once);
    heft_passive_impulses(&c.problem, c.scratch, c.impulse, c.velocity);
    for (int i = 0; i < ROWS; ++i) CHECK_AT_MOST(fabs(c.impulse[i] - once[i]), 1e-7);
    release(&c);
  }
}

static void energy_is_that_of_the_certificate(void** state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    Case c = make_case(seed);
    connect(&c);
    begin_wild(&c, seed, 0.1);
    for (int i = BLOCKS - LOOPS; i < BLOCKS; ++i) c.impulse[c.blocks[i].row] = 0;
    const HeftContactCertificate certificate =
        heft_contact_certify(&c.problem, c.impulse, NULL, c.certificate);
    const double energy = heft_passive_energy(&c.problem, c.impulse, c.certificate);
    CHECK_AT_MOST(fabs(energy - certificate.energy_change), 1e-12 * (1 + fabs(energy)));
    release(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wild_impulses_are_replaced),
      cmocka_unit_test(useless_impulses_are_replaced),
      cmocka_unit_test(good_impulses_stay),
      cmocka_unit_test(energy_is_that_of_the_certificate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
