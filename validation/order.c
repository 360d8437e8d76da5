// SPDX-License-Identifier: Apache-2.0
// The order of the time-stepping scheme with constraints: the motion of mechanisms with loops, dry
// friction, limits and contact, at steps that are halved again and again. The order is log2 of the
// quotient of the differences between neighbouring steps. And the energy of a linkage over 5 s.
#include "scenes/order.h"

#include <math.h>

#include "validation/cases.h"

static void report_order(Run* run, const LinkageMotion* motion) {
  enum { STEPS = 5 };
  double apart[STEPS] = {0};
  char what[ROW_TEXT];
  const double order = linkage_order(motion, 0.256, STEPS, apart);
  for (int i = 1; i < STEPS; ++i) {
    const double h = 0.001 / (1 << i);
    snprintf(what, sizeof what, "%s: change from steps of %g ms to %g ms", motion->name, 2e3 * h,
             1e3 * h);
    run_report_error(run, what, 0, apart[i], 0, 1);
  }
  snprintf(what, sizeof what, "%s: order", motion->name);
  run_report_error(run, what, motion->order, order, fmax(0, motion->order - order), 0.1);
}

static void report_energy(Run* run, double h) {
  static const double v[3] = {20, -20, 8};
  EngineSettings s = engine_settings();
  s.step = h;
  s.tolerance = 1e-11;
  if (!run_open_text(run, linkage_four_bar, sizeof linkage_four_bar - 1, &s)) return;
  run_spin(run, v, 3);
  run_step(run, 1);
  const double first = run_energy(run, NULL);
  double worst = 0;
  for (int i = 10; i <= (int)(5 / h + 0.5) && run->engine->reason[0] == '\0'; i += 10) {
    run_step(run, 10);
    worst = fmax(worst, fabs(run_energy(run, NULL) - first) / first);
  }
  run_close(run);
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "four-bar at 20 rad/s, %g ms: change of energy in 5 s", 1e3 * h);
  run_report(run, what, 0, worst, 1e-3);
}

void case_order(Run* run) {
  report_energy(run, 0.001);
  if (run->full) report_energy(run, 0.0005);
  if (run->full) report_energy(run, 0.002);
  if (run->engine->type != &engine_heft) return;
  for (size_t i = 0; i < sizeof linkage_motions / sizeof *linkage_motions; ++i)
    report_order(run, &linkage_motions[i]);
}
