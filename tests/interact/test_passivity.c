// SPDX-License-Identifier: Apache-2.0
// Ten thousand contacts: inside the promised region the hand never gets back more than it gave.
#include "interact/contact_script.h"
#include "support/check.h"

static const char* const devices[] = {"touch", "inverse3", "omega"};

typedef struct Sum {
  double lowest, ledger;
  long interventions;
  int bad;
} Sum;

static Sum contacts(const Wall* wall, int count, uint64_t seed) {
  Sum sum = {0};
  for (int i = 0; i < count; ++i) {
    const Felt felt = scripted_contact(wall, seed + 7919u * (uint64_t)(i + 1));
    sum.lowest = fmin(sum.lowest, felt.lowest);
    sum.ledger = fmin(sum.ledger, felt.ledger);
    sum.interventions += felt.interventions;
    sum.bad += felt.lowest < -1e-6;
  }
  return sum;
}

// Random hands, speeds and depths; periods up to 1.5 times as long; one packet in fifty lost.
static void the_promise_is_kept(void** state) {
  (void)state;
  const int share[3] = {3334, 3333, 3333};
  for (int d = 0; d < 3; ++d) {
    HeftDeviceInfo info;
    assert_true(heft_emulator_device(devices[d], &info));
    Wall wall = {.device = devices[d], .jitter = 0.5, .loss = 0.02, .passivity = 1};
    wall.stiffness = 0.95 * heft_stiffness_bound(&info, 1.5 / info.rate, 0);
    const Sum sum = contacts(&wall, share[d], 1000u * (uint64_t)(d + 1));
    print_message("%s, %.0f N/m: lowest %.2g J, ledger %.2g J, %ld interventions\n", devices[d],
                  wall.stiffness, sum.lowest, sum.ledger, sum.interventions);
    CHECK_AT_MOST(-sum.lowest, 1e-6);
    CHECK_AT_MOST(-sum.ledger, 1e-6);
  }
}

// Three times too stiff, passivity control makes up for most of it.
static void control_buys_much_of_what_is_missing(void** state) {
  (void)state;
  Sum sum[2];
  for (int on = 0; on < 2; ++on) {
    HeftDeviceInfo info;
    heft_emulator_device("inverse3", &info);
    Wall wall = {.device = "inverse3", .passivity = on};
    wall.stiffness = 3 * heft_stiffness_bound(&info, 1 / info.rate, 0);
    sum[on] = contacts(&wall, 500, 77);
    print_message("passivity control %s: lowest %.3g J, %d of 500 gave energy\n", on ? "on" : "off",
                  sum[on].lowest, sum[on].bad);
  }
  assert_true(sum[0].bad > 50);
  assert_true(sum[1].bad < sum[0].bad);
  CHECK_AT_MOST(-sum[1].lowest, -0.1 * sum[0].lowest);
  assert_true(sum[1].interventions > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_promise_is_kept),
      cmocka_unit_test(control_buys_much_of_what_is_missing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
