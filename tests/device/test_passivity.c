// SPDX-License-Identifier: Apache-2.0
// Ten thousand contacts: inside the promised region the hand never gets back more than it gave.
#include <stdlib.h>
#include <string.h>

#include "device/contact_script.h"
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
    wall.stiffness = 0.95 * heft_device_stiffness_bound(&info, 1.5 / info.rate, 0);
    const int count = getenv("HEFT_SHORT") ? share[d] / 10 : share[d];
    const Sum sum = contacts(&wall, count, 1000u * (uint64_t)(d + 1));
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
    wall.stiffness = 3 * heft_device_stiffness_bound(&info, 1 / info.rate, 0);
    sum[on] = contacts(&wall, 500, 77);
    print_message("passivity control %s: lowest %.3g J, %d of 500 gave energy\n", on ? "on" : "off",
                  sum[on].lowest, sum[on].bad);
  }
  assert_true(sum[0].bad > 50);
  assert_true(sum[1].bad < sum[0].bad);
  CHECK_AT_MOST(-sum[1].lowest, -0.1 * sum[0].lowest);
  assert_true(sum[1].interventions > 0);
}

// ---- the map: test_interact_passivity --map FILE.svg

enum { COLUMNS = 26, ROWS = 16, TRIES = 12, CLASSES = 4 };

static const char* const fill[CLASSES] = {"#1d6f54", "#8fd0a8", "#f2d9a0", "#cf6a4d"};
static const char* const words[CLASSES] = {"no energy given", "less than 0.1 mJ", "less than 10 mJ",
                                           "more"};

static double map_stiffness(int column) { return 100 * heft_exp(column * 0.25); }
static double map_damping(int row) { return 0.25 * row; }

// By the most energy that one of some contacts gave to the hand.
static int class_of(const char* device, int column, int row, int passivity) {
  const Wall wall = {.device = device,
                     .stiffness = map_stiffness(column),
                     .damping = map_damping(row),
                     .passivity = passivity};
  const double lowest = contacts(&wall, TRIES, 31).lowest;
  return lowest >= -1e-6 ? 0 : lowest >= -1e-4 ? 1 : lowest >= -1e-2 ? 2 : 3;
}

static void draw_bound(FILE* f, const HeftDeviceInfo* info, double left, double bottom) {
  fprintf(f, "<polyline fill='none' stroke='#202080' stroke-width='2' points='");
  for (int i = 0; i <= 100; ++i) {
    const double damping = info->damping * (1 - 0.01 * i);
    const double bound = heft_device_stiffness_bound(info, 1 / info->rate, damping);
    const double column = bound > 0 ? heft_log(bound / 100) / 0.25 + 0.5 : 0;
    if (column < 0 || column > COLUMNS) continue;
    fprintf(f, "%.1f,%.1f ", left + column * 10, bottom - (damping / 0.25 + 0.5) * 12);
  }
  fprintf(f, "'/>\n");
}

static void draw_panel(FILE* f, const char* device, int passivity, double left, double top) {
  const double bottom = top + ROWS * 12;
  HeftDeviceInfo info;
  heft_emulator_device(device, &info);
  long count[CLASSES] = {0};
  for (int c = 0; c < COLUMNS; ++c) {
    for (int r = 0; r < ROWS; ++r) {
      const int kind = class_of(device, c, r, passivity);
      ++count[kind];
      fprintf(f, "<rect x='%.1f' y='%.1f' width='9.5' height='11.5' fill='%s'/>\n", left + c * 10,
              bottom - (r + 1) * 12, fill[kind]);
    }
  }
  draw_bound(f, &info, left, bottom);
  fprintf(f, "<text x='%.0f' y='%.0f' font-size='14'>%s, %.0f Hz, control %s</text>\n", left,
          top - 8, device, info.rate, passivity ? "on" : "off");
  for (int k = 100; k <= 10000; k *= 10)
    fprintf(f, "<text x='%.1f' y='%.0f' font-size='11' text-anchor='middle'>%d</text>\n",
            left + (heft_log(k / 100.0) / 0.25 + 0.5) * 10, bottom + 14, k);
  for (int b = 0; b < 4 && left < 100; ++b)
    fprintf(f, "<text x='%.0f' y='%.0f' font-size='11' text-anchor='end'>%d</text>\n", left - 6,
            bottom - (b / 0.25 + 0.5) * 12 + 4, b);
  printf("%s, control %s: %ld %ld %ld %ld of %d\n", device, passivity ? "on" : "off", count[0],
         count[1], count[2], count[3], COLUMNS * ROWS);
}

static int draw_map(const char* path) {
  FILE* f = fopen(path, "w");
  if (!f) return 1;
  fprintf(f,
          "<svg xmlns='http://www.w3.org/2000/svg' width='950' height='560' "
          "font-family='sans-serif'>\n<rect width='950' height='560' fill='white'/>\n");
  for (int on = 0; on < 2; ++on) {
    for (int d = 0; d < 3; ++d) draw_panel(f, devices[d], on, 60 + 300 * d, 36 + 250 * on);
  }
  fprintf(f,
          "<text x='22' y='330' font-size='12' transform='rotate(-90 22 330)'>damping of the wall "
          "[N s/m]</text>\n<text x='400' y='518' font-size='12'>stiffness of the wall "
          "[N/m]</text>\n");
  for (int i = 0; i < CLASSES; ++i)
    fprintf(f,
            "<rect x='%d' y='533' width='12' height='12' fill='%s'/><text x='%d' y='543' "
            "font-size='12'>%s</text>\n",
            60 + 150 * i, fill[i], 78 + 150 * i, words[i]);
  fprintf(f,
          "<line x1='640' x2='670' y1='539' y2='539' stroke='#202080' stroke-width='2'/><text "
          "x='676' y='543' font-size='12'>promised: K = 2 (b - B) / T</text>\n</svg>\n");
  return fclose(f) != 0;
}

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "--map") == 0) return draw_map(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_promise_is_kept),
      cmocka_unit_test(control_buys_much_of_what_is_missing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
