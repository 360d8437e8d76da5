// SPDX-License-Identifier: Apache-2.0
// The sparse Newton system solves (scale M + Σ Jᵀ E J) y = f: the equation is evaluated with the
// rows of the problem, for towers of boxes and for random mechanisms in joint space, with symmetric
// and unsymmetric E. It refuses memory that does not suffice, at every size.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contact/core/joint_rows.h"
#include "contact/joint_problems.h"
#include "contact/newton/sparse.h"

enum { BYTES = 32 << 20, SEEDS = 60 };

typedef struct Bench {
  void* memory;
  Arena rest;
  Core core;
  double *e, *f, *y, *back;
  int unknowns;
} Bench;

static CoreSize size_of(const HeftContactProblem* p) {
  CoreSize size = {.constraints = p->constraint_count,
                   .rows = p->row_count,
                   .effectors = p->effector_count + 1,
                   .tree_effectors = EFFECTORS,
                   .omega = 36 * EFFECTORS * ((size_t)p->effector_count + 1),
                   .tall = p->constraint_count,
                   .wide = 1};
  for (int t = 0; t < p->tree_count; ++t)
    size.dofs += p->trees[t].dof_count ? heft_contact_factor_stride(p->trees[t].dof_count) : 0;
  size.joint_numbers = 2 * (size_t)size.dofs * (size_t)p->row_count;
  return size;
}

// Contacts of all three kinds: E = 0, symmetric, and, if asked for, with friction that follows the
// normal impulse.
static void fill_e(Bench* b, Random* random, int slips) {
  for (int i = 0; i < b->core.constraints; ++i) {
    const int n = b->core.rows[i];
    double* e = b->e + 36 * i;
    const double stiffness = random_unit(random) < 0.3 ? 0 : pow(10, random_between(random, 0, 5));
    for (int k = 0; k < n * n; ++k) e[k] = k % (n + 1) == 0 ? stiffness * b->core.iw[i] : 0;
    for (int a = 1; a < n && slips; ++a) e[a * n] = 0.3 * e[0];
  }
}

static Bench bench_make(const HeftContactProblem* p, Random* random, int slips) {
  Bench b = {.memory = calloc(1, BYTES)};
  Arena arena = arena_make(b.memory, BYTES, NULL);
  core_take(&b.core, &arena, size_of(p));
  core_load(&b.core, p);
  b.unknowns = b.core.by_joints ? b.core.dofs : 6 * b.core.effectors;
  b.e = arena_take(&arena, 36 * b.core.constraints, double);
  b.f = arena_take(&arena, b.unknowns + 4, double);
  b.y = arena_take(&arena, b.unknowns + 4, double);
  b.back = arena_take(&arena, b.unknowns + 4, double);
  assert_false(arena.overflow);
  b.rest = arena_make(b.memory, BYTES, NULL);
  b.rest.base += arena.used;
  b.rest.size -= arena.used;
  fill_e(&b, random, slips);
  // the right-hand side moves only what contacts move
  double push[8];
  memset(b.f, 0, sizeof(double) * (size_t)b.unknowns);
  for (int i = 0; i < b.core.constraints; ++i) {
    for (int a = 0; a < 8; ++a) push[a] = random_between(random, -1, 1);
    if (b.core.by_joints) {
      joint_rows_push(b.core.part + 2 * i, b.core.rows[i], push, b.f);
    } else {
      for (int k = 0; k < 12; ++k) {
        const int m = b.core.effector[2 * i + k / 6], pad = b.core.pad[i];
        for (int a = 0; a < b.core.rows[i] && m >= 0; ++a)
          b.f[6 * m + k % 6] += b.core.x[12 * b.core.slot[i] + k * pad + a] * push[a];
      }
    }
  }
  return b;
}

// back := Σ Jᵀ E J y.
static void multiply(Bench* b) {
  const Core* core = &b->core;
  memset(b->back, 0, sizeof(double) * (size_t)b->unknowns);
  for (int i = 0; i < core->constraints; ++i) {
    double u[8] = {0}, r[8] = {0};
    const int n = core->rows[i], pad = core->pad[i];
    const double* x = core->x + 12 * core->slot[i];
    if (core->by_joints) joint_rows_velocity(core->part + 2 * i, n, b->y, u);
    for (int k = 0; k < 12 && !core->by_joints; ++k) {
      const int m = core->effector[2 * i + k / 6];
      for (int a = 0; a < n && m >= 0; ++a) u[a] += x[k * pad + a] * b->y[6 * m + k % 6];
    }
    for (int a = 0; a < n; ++a) {
      for (int c = 0; c < n; ++c) r[a] += b->e[36 * i + a * n + c] * u[c];
    }
    if (core->by_joints) joint_rows_push(core->part + 2 * i, n, r, b->back);
    for (int k = 0; k < 12 && !core->by_joints; ++k) {
      const int m = core->effector[2 * i + k / 6];
      for (int a = 0; a < n && m >= 0; ++a) b->back[6 * m + k % 6] += x[k * pad + a] * r[a];
    }
  }
}

// The largest error of y = M⁻¹ (f - Jᵀ E J y) / scale, relative to the largest term.
static double error_of(Bench* b, double scale) {
  const HeftContactProblem* p = b->core.problem;
  double worst = 0, largest = 0;
  multiply(b);
  for (int k = 0; k < b->unknowns; ++k) {
    double mass_y = b->y[k];
    for (int c = 0; c < 6 && !b->core.by_joints; ++c) {
      // Ω (f - Jᵀ E J y)
      const double* omega = p->omega + p->trees[k / 6].omega + 6 * (k % 6);
      mass_y -= omega[c] * (b->f[k / 6 * 6 + c] - b->back[k / 6 * 6 + c]) / scale;
      largest = fmax(largest, fabs(omega[c] * b->back[k / 6 * 6 + c]));
    }
    if (b->core.by_joints) mass_y -= (b->f[k] - b->back[k]) / scale;
    largest = fmax(largest, fmax(fabs(b->f[k]), fabs(b->back[k])));
    worst = fmax(worst, fabs(mass_y));
  }
  return worst / largest;
}

static void check(const HeftContactProblem* p, Random* random, int slips) {
  Bench b = bench_make(p, random, slips);
  Sparse sparse = {0};
  assert_true(sparse_fits(&b.core));
  assert_true(sparse_prepare(&sparse, &b.core, b.rest));
  const double scale = random_between(random, 0.5, 2);
  assert_true(sparse_solve(&sparse, &b.core, b.e, scale, b.f, b.y));
  assert_true(error_of(&b, scale) < 1e-10);
  b.y[(int)(random_unit(random) * b.unknowns)] += 1e-3;  // the error is seen
  assert_true(error_of(&b, scale) > 1e-10);
  free(b.memory);
}

// Bodies whose centre of mass is not their origin: no entry of Ω is zero.
static void turn_masses(Made* m, Random* random) {
  for (int t = 0; t < m->problem.tree_count; ++t) {
    double *omega = m->omega + m->trees[t].omega, v[6];
    for (int k = 0; k < 6; ++k) v[k] = random_between(random, -1, 1);
    for (int k = 0; k < 36; ++k) omega[k] += 0.3 * v[k / 6] * v[k % 6];
    for (int k = 0; k < 36 && t % 3 == 1; ++k)  // it moves in one way only
      omega[k] = v[k / 6] * v[k % 6];
  }
}

static void bodies(void** state) {
  (void)state;
  for (int seed = 0; seed < SEEDS; ++seed) {
    Random random = {100 + (uint64_t)seed};
    Made m = tower_problem(1 + seed % 4, 1 + seed % 7, 0.5, &random);
    turn_masses(&m, &random);
    check(&m.problem, &random, seed % 2);
    made_destroy(&m);
  }
}

static void mechanisms(void** state) {
  (void)state;
  for (int seed = 0; seed < SEEDS; ++seed) {
    Random random = {500 + (uint64_t)seed};
    Pair pair = pair_create((uint64_t)seed);
    check(&pair.joints, &random, seed % 2);
    pair_destroy(&pair);
  }
}

// Any amount of memory is enough or refused, and nothing behind it is written.
static void memory_that_does_not_suffice(void** state) {
  (void)state;
  Random random = {7};
  Made m = tower_problem(3, 4, 0.5, &random);
  Bench b = bench_make(&m.problem, &random, 1);
  const size_t all = b.rest.size;
  int refused = 0, taken = 0;
  for (size_t bytes = 0; bytes < all && !taken; bytes += 64 * 7) {
    Sparse sparse = {0};
    b.rest.size = bytes;
    b.rest.base[bytes] = 0x5a;
    if (sparse_prepare(&sparse, &b.core, b.rest)) {
      assert_true(sparse_solve(&sparse, &b.core, b.e, 1, b.f, b.y));
      assert_true(error_of(&b, 1) < 1e-10);
      ++taken;
    } else {
      ++refused;
    }
    assert_int_equal(b.rest.base[bytes], 0x5a);
  }
  assert_true(refused > 10 && taken == 1);
  free(b.memory);
  made_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies),
      cmocka_unit_test(mechanisms),
      cmocka_unit_test(memory_that_does_not_suffice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
