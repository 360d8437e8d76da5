// SPDX-License-Identifier: Apache-2.0
// Rules that simplify generated code, and the text that follows from them.
#include "generate/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate/generate.h"
#include "generate/text.h"
#include "support/check.h"

static Graph* open_graph(void) {
  Graph* g = malloc(sizeof *g);
  assert_true(g && graph_open(g));
  graph_begin_section(g);
  return g;
}

static void end_graph(Graph* g) {
  graph_close(g);
  free(g);
}

static void test_constants_are_folded(void** state) {
  (void)state;
  Graph* g = open_graph();
  const Num sum = num_add(g, num_const(g, 0.1), num_const(g, 0.2));
  assert_int_equal(sum.node, num_const(g, 0.1 + 0.2).node);
  const Num x = num_leaf(g, "q[%d]", 3);
  assert_int_equal(num_mul(g, x, num_const(g, 1)).node, x.node);
  assert_int_equal(num_add(g, num_const(g, 0), x).node, x.node);
  assert_int_equal(num_sub(g, x, num_const(g, 0)).node, x.node);
  assert_int_equal(num_mul(g, num_const(g, 0), x).node, num_const(g, 0).node);
  assert_int_not_equal(g->node[num_mul(g, num_const(g, 2), x).node].op, OP_CONST);
  assert_int_equal(num_neg(g, num_neg(g, x)).node, x.node);
  end_graph(g);
}

static void test_equal_operations_are_one(void** state) {
  (void)state;
  Graph* g = open_graph();
  const Num x = num_leaf(g, "q[%d]", 0), y = num_leaf(g, "q[%d]", 1);
  assert_int_equal(num_leaf(g, "q[%d]", 0).node, x.node);
  assert_int_equal(num_mul(g, x, y).node, num_mul(g, y, x).node);
  assert_int_not_equal(num_sub(g, x, y).node, num_sub(g, y, x).node);
  // a + (-b) is a - b, and a minus goes through a product.
  assert_int_equal(num_add(g, x, num_neg(g, y)).node, num_sub(g, x, y).node);
  assert_int_equal(num_sub(g, x, num_mul(g, num_neg(g, y), y)).node,
                   num_add(g, x, num_mul(g, y, y)).node);
  end_graph(g);
}

static void test_components_are_known(void** state) {
  (void)state;
  Graph* g = open_graph();
  const Num x = num_leaf(g, "q[%d]", 0);
  const Vec a = vec_scale(g, vec_const(g, 2, 0, 3), x), b = vec_const(g, 0, 5, 1);
  const Vec product = vec_mul(g, a, b);
  assert_int_equal(vec_lane(g, product, 0).node, num_const(g, 0).node);
  assert_int_equal(vec_lane(g, product, 1).node, num_const(g, 0).node);
  assert_int_not_equal(g->node[vec_lane(g, product, 2).node].op, OP_CONST);
  // Components of sums are known if both terms are.
  const Vec sum = vec_add(g, a, b);
  assert_int_equal(vec_lane(g, sum, 1).node, num_const(g, 5).node);
  assert_int_not_equal(g->node[vec_lane(g, sum, 0).node].op, OP_CONST);
  // (1, 2, 0, 3): what was second comes first.
  assert_int_equal(vec_lane(g, vec_next(g, sum), 0).node, num_const(g, 5).node);
  end_graph(g);
}

static void test_later_section_loads(void** state) {
  (void)state;
  Graph* g = open_graph();
  const Vec a = vec_scale(g, vec_const(g, 2, 1, 3), num_leaf(g, "q[%d]", 0));
  const Vec unused = vec_scale(g, vec_const(g, 7, 7, 7), num_leaf(g, "q[%d]", 1));
  (void)unused;
  graph_begin_section(g);
  graph_put_num(g, "tau[%d]", 4, num_mul(g, vec_lane(g, a, 1), num_const(g, 0.5)));
  char* text = NULL;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  OperationCount count = {0};
  assert_true(text_write_section(g, 0, out, &count) && text_write_section(g, 1, out, &count));
  fclose(out);
  assert_int_equal(g->slot_count, 1);
  assert_int_equal(count.vec_mul, 1);
  assert_int_equal(count.num_mul, 1);
  assert_non_null(strstr(text, "SLOT(0) = t"));
  assert_non_null(strstr(text, "SLOT(0)[1]"));
  assert_non_null(strstr(text, "tau[4] = t"));
  assert_null(strstr(text, "7.0"));  // without a use
  free(text);
  end_graph(g);
}

static void test_prefix(void** state) {
  (void)state;
  char out[16];
  generate_prefix("hrp-2.x", out, sizeof out);
  assert_string_equal(out, "hrp_2_x");
  generate_prefix("2feet", out, sizeof out);
  assert_string_equal(out, "_2feet");
  generate_prefix("", out, sizeof out);
  assert_string_equal(out, "model");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_constants_are_folded),
      cmocka_unit_test(test_equal_operations_are_one),
      cmocka_unit_test(test_components_are_known),
      cmocka_unit_test(test_later_section_loads),
      cmocka_unit_test(test_prefix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
