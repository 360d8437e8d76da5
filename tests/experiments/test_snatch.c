// SPDX-License-Identifier: Apache-2.0
// Papers: S9.
// The plan of the dynamic lift: its cost by inverse dynamics, and the search.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/poses.h"
#include "experiments/snatch_search.h"
#include "support/check.h"

static Lab open_lab(const char* file) {
  Lab lab = lab_make(HEFT_MODEL_DIR);
  assert_true(lab_open(&lab, file, pose_half_sitting));
  return lab;
}

// The stored plans keep torque and balance, and the bar is nearly free for a moment.
static void stored_plans_are_feasible(void** state) {
  (void)state;
  static const char* const files[2] = {"hrp2_lift_8.xml", "hrp2_lift_23.xml"};
  for (int i = 0; i < 2; ++i) {
    Lab lab = open_lab(files[i]);
    SnatchCost cost;
    const double mass = lab.model->body_mass[lab_body(&lab, "bar")];
    const SnatchPlan plan = snatch_stored(mass);
    assert_true(isfinite(snatch_cost(&lab, &plan, mass, &cost)));
    assert_true(cost.error < 2e-3 && cost.torque < 0.7 && cost.margin > 0.05);
    assert_true(cost.release < 0.2 && cost.lift > 1.2);
    lab_release(&lab);
  }
}

// The search finds a cheaper plan and keeps start and end.
static void search_improves_a_plan(void** state) {
  (void)state;
  Lab lab = open_lab("hrp2_lift_8.xml");
  SnatchPlan start = snatch_stored(8.4), found;
  SnatchCost cost;
  start.value[3][SNATCH_Z] -= 0.05;
  start.value[4][SNATCH_COM] += 0.02;
  const double before = snatch_cost(&lab, &start, 8.4, &cost);
  const double after = snatch_search(&lab, &start, 8.4, 2, &found, NULL);
  assert_true(after < 0.98 * before);
  assert_true(snatch_cost(&lab, &found, 8.4, &cost) == after);  // the same bits again
  for (int k = 0; k < SNATCH_KNOTS; ++k)
    for (int c = 0; c < SNATCH_CHANNELS; ++c) {
      if (k < 2 || k > 6) assert_true(found.value[k][c] == start.value[k][c]);
    }
  lab_release(&lab);
}

// Feet at rest under a bar at rest: the cost is that of standing, and the hands carry the weight.
static void rest_costs_no_energy(void** state) {
  (void)state;
  Lab lab = open_lab("hrp2_lift_8.xml");
  SnatchPlan plan = snatch_stored(8.4);
  SnatchCost cost;
  for (int k = 1; k < SNATCH_KNOTS; ++k) memcpy(plan.value[k], plan.value[0], sizeof plan.value[0]);
  snatch_cost(&lab, &plan, 8.4, &cost);
  assert_true(cost.error < 2e-3 && cost.energy < 1e-3);
  assert_true(fabs(cost.lift - 1) < 1e-9 && fabs(cost.release - 1) < 1e-9);
  assert_true(fabs(cost.margin - 0.12) < 2e-3);  // the zero-moment point is in the middle
  lab_release(&lab);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stored_plans_are_feasible),
                                     cmocka_unit_test(search_improves_a_plan),
                                     cmocka_unit_test(rest_costs_no_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
