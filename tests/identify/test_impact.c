// SPDX-License-Identifier: Apache-2.0
// Papers: R72.
// Laws of impact from measured impacts: the laws, the estimates, and which law fits best.
#include <heft/heft.h>
#include <math.h>
#include <string.h>
#include "identify/identify.h"

#include "support/check.h"

enum { COUNT = 200 };

static double uniform(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

// The rod of docs/theory/impacts.md, whose numbers come from another program: Routh's course is
// integrated there, and a world steps by Heft's law. Its end is a ball of 10 mm.
static void laws_agree_with_those_of_the_theory(void** state) {
  (void)state;
  const struct {
    HeftImpactLaw law;
    double angle, un, ut, mu, un_after, ut_after;
  } rows[] = {{HEFT_IMPACT_NEWTON, 60, -1, 3, 0.2, 0.5, 3.659},
              {HEFT_IMPACT_STRONGE, 60, -1, 3, 0.2, 0.5, 3.659},
              {HEFT_IMPACT_HEFT, 60, -1, 3, 0.2, 0.5, 3.659},
              {HEFT_IMPACT_NEWTON, 60, -1, -0.3, 1.5, 0.5, 0},
              {HEFT_IMPACT_STRONGE, 60, -1, -0.3, 1.5, 0.442, 0},
              {HEFT_IMPACT_HEFT, 60, -1, -0.3, 1.5, 0.450, 0},
              {HEFT_IMPACT_STRONGE, 45, -1, -0.4, 0.3, 0.437, 0.341},
              {HEFT_IMPACT_HEFT, 45, -1, -0.4, 0.3, 0.484, 0.151}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const double angle = rows[i].angle * HEFT_PI / 180;
    const HeftImpact m = {
        heft_cos(angle), heft_sin(angle) + 0.01, {rows[i].ut, rows[i].un, 0}, {0, 0, 0}};
    const double x[] = {0.5, rows[i].mu, 1.0 / 3, 0};
    double after[3];
    heft_impact_predict(rows[i].law, x, &m, after);
    assert_true(fabs(after[1] + m.arm_away * after[2] - rows[i].un_after) < 6e-4);
    assert_true(fabs(after[0] + m.arm_along * after[2] - rows[i].ut_after) < 6e-4);
  }
}

// Impacts of a body of 0.03 m by a law, with errors of 10 mm/s and 0.3 rad/s.
static void make(HeftImpactLaw law, const double* truth, uint64_t seed, HeftImpact* m, int count) {
  uint64_t s = seed;
  for (int i = 0; i < count; ++i) {
    m[i] = (HeftImpact){0.02 * (uniform(&s) - 0.5),
                        0.025 + 0.01 * uniform(&s),
                        {8 * uniform(&s) - 4, -1 - 2 * uniform(&s), 20 * (uniform(&s) - 0.5)},
                        {0}};
    heft_impact_predict(law, truth, &m[i], m[i].after);
    for (int k = 0; k < 3; ++k) {
      double sum = -6;
      for (int j = 0; j < 12; ++j) sum += uniform(&s);
      m[i].after[k] += sum * (k == 2 ? 0.3 : 0.01);
    }
  }
}

static void twenty_impacts_give_restitution_and_friction(void** state) {
  (void)state;
  const double truth[] = {0.55, 0.2, 4e-4, 0.3};
  enum { SETS = 100 };
  for (int law = 0; law < HEFT_IMPACT_LAWS; ++law) {
    int inside[2] = {0};
    for (int set = 0; set < SETS; ++set) {
      HeftImpact m[20];
      HeftImpactFit fit;
      make((HeftImpactLaw)law, truth, (uint64_t)set + 1, m, 20);
      assert_int_equal(heft_identify_impacts((HeftImpactLaw)law, m, 20, false, &fit, NULL),
                       HEFT_OK);
      for (int k = 0; k < 2; ++k) {
        const HeftEstimate* e = &fit.estimate[k];
        assert_true(fabs(e->value / truth[k] - 1) < 0.05);
        inside[k] += e->low <= truth[k] && truth[k] <= e->high;
      }
    }
    // 95.45 are expected, with a deviation of 2.1
    assert_in_range(inside[0], 88, 100);
    assert_in_range(inside[1], 88, 100);
  }
}

static void the_true_law_predicts_best(void** state) {
  (void)state;
  const double truth[] = {0.55, 0.15, 4e-4, 0.5};
  static HeftImpact seen[COUNT], other[COUNT];
  const HeftImpactLaw laws[] = {HEFT_IMPACT_NEWTON, HEFT_IMPACT_TANGENTIAL, HEFT_IMPACT_POISSON};
  for (int i = 0; i < 3; ++i) {
    double likelihood[3];
    make(laws[i], truth, 7, seen, COUNT);
    make(laws[i], truth, 8, other, COUNT);
    for (int k = 0; k < 3; ++k) {
      HeftImpactFit fit;
      assert_int_equal(heft_identify_impacts(laws[k], seen, COUNT, false, &fit, NULL), HEFT_OK);
      likelihood[k] = heft_impact_likelihood(&fit, other, COUNT);
    }
    // Newton's law is that with a return of 0, so that it may be a tie.
    for (int k = 0; k < 3; ++k) assert_true(likelihood[i] > likelihood[k] - 0.01);
    assert_true(likelihood[i] > likelihood[i == 2 ? 0 : 2] + 0.1);
  }
}

static void useless_impacts_are_named(void** state) {
  (void)state;
  HeftImpact m[4] = {{0}};
  HeftImpactFit fit;
  HeftError error = {0};
  assert_int_equal(heft_identify_impacts(HEFT_IMPACT_NEWTON, m, 3, false, &fit, &error),
                   HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "too few"));
  assert_int_equal(heft_identify_impacts(HEFT_IMPACT_NEWTON, m, 4, false, &fit, &error),
                   HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "arms"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_agree_with_those_of_the_theory),
      cmocka_unit_test(twenty_impacts_give_restitution_and_friction),
      cmocka_unit_test(the_true_law_predicts_best),
      cmocka_unit_test(useless_impacts_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
