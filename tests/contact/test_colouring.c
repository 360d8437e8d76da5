// SPDX-License-Identifier: Apache-2.0
// The colouring: every contact has one place, contacts of a colour share no body, and contacts that
// cannot be solved side by side come last in their order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contact/core/colouring.h"
#include "contact/problems.h"

enum { PLACES = 2000, TREES = 400 };

typedef struct Colours {
  Colouring g;
  uint64_t used[TREES];
  unsigned char colour[PLACES];
  int tree_of[TREES], source[PLACES];
} Colours;

static void colours_make(Colours* c, const HeftContactProblem* p) {
  memset(c, 0, sizeof *c);
  c->g.used = c->used;
  c->g.colour = c->colour;
  for (int t = 0; t < p->tree_count; ++t)
    for (int k = 0; k < p->trees[t].effector_count; ++k)
      c->tree_of[p->trees[t].effector_first + k] = t;
  colouring_make(&c->g, p, c->tree_of, c->source);
}

static void check_places(const Colours* c, const HeftContactProblem* p) {
  int seen[PLACES] = {0}, fillers = 0;
  for (int k = 0; k < c->g.places; ++k) {
    assert_true(c->source[k] >= -1 && c->source[k] < p->constraint_count);
    if (c->source[k] >= 0) {
      ++seen[c->source[k]];
    } else {
      ++fillers;
      assert_true(k < PACKET_SIZE * c->g.groups);
    }
  }
  for (int i = 0; i < p->constraint_count; ++i) assert_int_equal(seen[i], 1);
  assert_int_equal(c->g.places, p->constraint_count + fillers);
  assert_true(fillers < PACKET_SIZE * (c->g.colours + 1));
  for (int k = PACKET_SIZE * c->g.groups + 1; k < c->g.places; ++k)
    assert_true(c->source[k] > c->source[k - 1]);
}

static void check_colours(const Colours* c, const HeftContactProblem* p) {
  for (int colour = 0; colour < c->g.colours; ++colour) {
    int taken[TREES] = {0};
    assert_true(c->g.first[colour] < c->g.first[colour + 1]);
    for (int k = PACKET_SIZE * c->g.first[colour]; k < PACKET_SIZE * c->g.first[colour + 1]; ++k) {
      for (int s = 0; s < 2 && c->source[k] >= 0; ++s) {
        const int effector = p->constraints[c->source[k]].effector[s];
        if (effector >= 0) assert_int_equal(taken[c->tree_of[effector]]++, 0);
      }
    }
  }
  assert_int_equal(c->g.first[c->g.colours], c->g.groups);
}

static void towers_have_few_colours(void** state) {
  (void)state;
  Random random = {3};
  Made m = tower_problem(30, 6, 0.5, &random);
  static Colours c, again;
  colours_make(&c, &m.problem);
  check_places(&c, &m.problem);
  check_colours(&c, &m.problem);
  // A box has at most eight contacts, so greedy colours are at most fifteen; all contacts fit.
  assert_true(c.g.colours >= 8 && c.g.colours <= 15);
  assert_true(PACKET_SIZE * c.g.groups >= m.problem.constraint_count);
  colours_make(&again, &m.problem);
  assert_memory_equal(c.source, again.source, sizeof c.source);
  made_destroy(&m);
}

static void small_problems_keep_their_order(void** state) {
  (void)state;
  Random random = {4};
  Made m = tower_problem(3, 5, 0.5, &random);
  assert_true(m.problem.constraint_count < PACKETS_MIN);
  static Colours c;
  colours_make(&c, &m.problem);
  assert_int_equal(c.g.groups, 0);
  assert_int_equal(c.g.places, m.problem.constraint_count);
  for (int k = 0; k < c.g.places; ++k) assert_int_equal(c.source[k], k);
  made_destroy(&m);
}

// One body with more contacts than there are colours, and contacts of other laws among points.
static void crowded_bodies_and_other_laws_come_last(void** state) {
  (void)state;
  enum { ON_ONE = 90, BOXES = 20 };
  Made m = made_create(ON_ONE + 4 * BOXES, BOXES + 1, 36 * (BOXES + 1));
  const double at[3] = {0, 0, -0.5};
  for (int k = 0; k <= BOXES; ++k) made_box(&m, 1, 1);
  for (int k = 0; k < ON_ONE; ++k) made_add(&m, HEFT_CONSTRAINT_POINT, 0, at, -1, at, MADE_UP, 0.5);
  for (int k = 0; k < 4 * BOXES; ++k)
    made_add(&m, k % 4 == 3 ? HEFT_CONSTRAINT_FRICTIONLESS : HEFT_CONSTRAINT_POINT, 1 + k / 4, at,
             -1, at, MADE_UP, 0.5);
  static Colours c;
  colours_make(&c, &m.problem);
  check_places(&c, &m.problem);
  check_colours(&c, &m.problem);
  // Three colours have a contact of every small box; the others have one member and no packet.
  assert_int_equal(c.g.colours, 3);
  const int last = c.g.places - PACKET_SIZE * c.g.groups;
  assert_int_equal(last, ON_ONE - 3 + BOXES);
  for (int k = PACKET_SIZE * c.g.groups; k < c.g.places; ++k) {
    const HeftConstraintBlock* block = &m.constraints[c.source[k]];
    assert_true(block->effector[0] == 0 || block->type == HEFT_CONSTRAINT_FRICTIONLESS);
  }
  made_destroy(&m);
}

// Effectors of a mechanism are coupled, so its contacts have no colour.
static void mechanisms_come_last(void** state) {
  (void)state;
  Random random = {5};
  Made m = tower_problem(20, 2, 0.5, &random);
  HeftContactProblem p = m.problem;
  // The first two boxes become one tree of two effectors.
  HeftContactTree* trees = m.trees;
  trees[0].effector_count = 2;
  memmove(trees + 1, trees + 2, sizeof *trees * (size_t)(p.tree_count - 2));
  p.tree_count--;
  static Colours c;
  colours_make(&c, &p);
  check_places(&c, &p);
  check_colours(&c, &p);
  for (int k = 0; k < PACKET_SIZE * c.g.groups; ++k)
    assert_true(c.source[k] < 0 || c.tree_of[p.constraints[c.source[k]].effector[0]] != 0);
  made_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(towers_have_few_colours),
      cmocka_unit_test(small_problems_keep_their_order),
      cmocka_unit_test(crowded_bodies_and_other_laws_come_last),
      cmocka_unit_test(mechanisms_come_last),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
