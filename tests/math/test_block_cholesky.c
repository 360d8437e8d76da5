// SPDX-License-Identifier: Apache-2.0
// The sparse Cholesky factor of a lattice of nodes, in the order of ranks and without.
#include "math/block_cholesky.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

enum { X = 7, Y = 6, Z = 5, NODES = X * Y * Z };

typedef struct Lattice {
  int start[NODES + 1], adjacent[27 * NODES];
  double values[9 * 27 * NODES];
  int rank[NODES];
  void* memory;
  BlockTree tree;
  CholeskyRoom room;
  BlockCholesky factor;
} Lattice;

static double number(int a, int b, int c) {  // in (-1, 1)
  const uint64_t x = ((uint64_t)(a * 1009 + b) * 31 + (uint64_t)c) * 0x9e3779b97f4a7c15u;
  return (double)(int64_t)x * 0x1p-63;
}

// Symmetric blocks between neighbours, with a diagonal that outweighs them.
static void fill(Lattice* l, double diagonal) {
  int used = 0;
  for (int p = 0; p < NODES; ++p) {
    const int at[3] = {p % X, p / X % Y, p / (X * Y)};
    l->start[p] = used;
    l->rank[p] = at[0] == X / 2;  // a plane that separates the others
    for (int q = 0; q < NODES; ++q) {
      const int to[3] = {q % X, q / X % Y, q / (X * Y)};
      if (abs(at[0] - to[0]) > 1 || abs(at[1] - to[1]) > 1 || abs(at[2] - to[2]) > 1) continue;
      for (int i = 0; i < 9; ++i) {
        const int row = i / 3, column = i % 3;
        const int a = 3 * p + row, b = 3 * q + column, low = a < b ? a : b, high = a < b ? b : a;
        l->values[9 * used + i] = a == b ? diagonal : number(low, high, 1);
      }
      l->adjacent[used++] = q;
    }
  }
  l->start[NODES] = used;
}

static Lattice* make(double diagonal, int ranks, int count, const int* nodes) {
  Lattice* l = calloc(1, sizeof *l);
  const size_t size = (size_t)32 << 20;
  assert_non_null(l);
  l->memory = malloc(size);
  assert_non_null(l->memory);
  fill(l, diagonal);
  Arena pool = arena_make(l->memory, size, NULL);
  const BlockGraph graph = {.nodes = NODES, .start = l->start, .adjacent = l->adjacent};
  assert_true(block_tree_analyze(&l->tree, &pool, graph, ranks ? l->rank : NULL, NULL));
  const CholeskySize needed = block_cholesky_size(&l->tree, count, nodes);
  block_cholesky_room(&l->room, &l->tree, needed, &pool);
  block_cholesky_take(&l->factor, &l->tree, &l->room, needed, &pool);
  assert_false(pool.overflow);
  return l;
}

static void destroy(Lattice* l) {
  free(l->memory);
  free(l);
}

// max |A x - b|
static double residual(const Lattice* l, const double* x, const double* b) {
  double worst = 0;
  for (int i = 0; i < 3 * NODES; ++i) {
    double sum = -b[i];
    for (int k = l->start[i / 3]; k < l->start[i / 3 + 1]; ++k) {
      for (int j = 0; j < 3; ++j)
        sum += l->values[9 * k + 3 * (i % 3) + j] * x[3 * l->adjacent[k] + j];
    }
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

static void it_solves(void** state) {
  (void)state;
  for (int ranks = 0; ranks < 2; ++ranks) {
    double b[3 * NODES], x[3 * NODES], four[12 * NODES];
    Lattice* l = make(60, ranks, 0, NULL);
    assert_true(block_cholesky_factor(&l->factor, l->values));
    for (int i = 0; i < 3 * NODES; ++i) b[i] = x[i] = number(i, 2, 3);
    for (int i = 0; i < 12 * NODES; ++i) four[i] = (i % 4 + 1) * b[i / 4];
    block_cholesky_solve(&l->factor, x);
    block_cholesky_solve_four(&l->factor, four);
    assert_true(residual(l, x, b) < 1e-13);
    for (int i = 0; i < 12 * NODES; ++i)
      assert_true(fabs(four[i] - (i % 4 + 1) * x[i / 4]) < 1e-15);
    destroy(l);
  }
}

// Every third node, by rising position, against columns of the inverse.
static void the_inverse_between_nodes_is_that_of_all(void** state) {
  (void)state;
  int nodes[NODES], count = 0;
  Lattice* order = make(60, 1, 0, NULL);
  for (int k = 0; k < NODES; ++k) {
    if (order->tree.order[k] % 3 == 0) nodes[count++] = order->tree.order[k];
  }
  destroy(order);
  Lattice* l = make(60, 1, count, nodes);
  double* out = calloc(9 * (size_t)count * (size_t)count, sizeof *out);
  assert_non_null(out);
  assert_true(block_cholesky_factor(&l->factor, l->values));
  block_cholesky_between(&l->factor, count, nodes, out);
  for (int j = 0; j < 3 * count; ++j) {
    double x[3 * NODES] = {0};
    x[3 * nodes[j / 3] + j % 3] = 1;
    block_cholesky_solve(&l->factor, x);
    for (int i = 0; i < 3 * count; ++i) {
      assert_true(fabs(out[i * 3 * count + j] - x[3 * nodes[i / 3] + i % 3]) < 1e-16);
      assert_true(out[i * 3 * count + j] == out[j * 3 * count + i]);
    }
  }
  free(out);
  destroy(l);
}

static void a_matrix_that_is_not_positive_is_refused(void** state) {
  (void)state;
  Lattice* l = make(0.5, 1, 0, NULL);
  assert_false(block_cholesky_factor(&l->factor, l->values));
  destroy(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_solves),
      cmocka_unit_test(the_inverse_between_nodes_is_that_of_all),
      cmocka_unit_test(a_matrix_that_is_not_positive_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
