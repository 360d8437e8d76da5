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
  Linkage m;
  char what[ROW_TEXT];
  double first = 0, worst = (double)NAN;
  if (linkage_open(&m, linkage_four_bar, h, v, 3)) {
    for (int i = 0; i < (int)(5 / h + 0.5); ++i) {
      const HeftStepReport r = heft_world_step(m.world);
      if (i == 0) first = r.kinetic + r.potential, worst = 0;
      worst = fmax(worst, fabs(r.kinetic + r.potential - first) / first);
    }
  }
  linkage_close(&m);
  snprintf(what, sizeof what, "four-bar at 20 rad/s, %g ms: change of energy in 5 s", 1e3 * h);
  run_report(run, what, 0, worst, 1e-3);
}

void case_order(Run* run) {
  report_energy(run, 0.001);
  if (run->full) report_energy(run, 0.0005);
  if (run->full) report_energy(run, 0.002);
  for (size_t i = 0; i < sizeof linkage_motions / sizeof *linkage_motions; ++i)
    report_order(run, &linkage_motions[i]);
}
