// SPDX-License-Identifier: Apache-2.0
// Pendulums: the period at a large amplitude, and the energy of one and of two rods.
//
// A point mass on a rod of length L that is released at the angle θ falls to its lowest point in a
// quarter of the period, K(sin(θ/2)) √(L/g), with the complete elliptic integral of the first kind
// K(k) = (π/2) / agm(1, √(1 - k²)) (Gauss).
#include <math.h>

#include "validation/cases.h"

static const double h = 0.001, length = 1, angle = 2 * HEFT_PI / 3;

static double agm(double a, double b) {
  for (int i = 0; i < 40 && fabs(a - b) > 1e-16 * a; ++i) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return a;
}

// The energies are zero at the height of the hinge; 10 J more make the change relative to a number
// that is not zero.
static double change_of_energy(Run* run, int steps) {
  const double first = run_energy(run, NULL) + 10;
  double worst = 0;
  for (int i = 10; i <= steps; i += 10) {
    run_step(run, 10);
    worst = fmax(worst, fabs(run_energy(run, NULL) + 10 - first) / first);
  }
  return worst;
}

// A ball whose inertia about its centre is nearly that of a point: 2/5 r² / L² is 1.6e-8.
static void single(Run* run) {
  char text[800];
  const int size = snprintf(
      text, sizeof text,
      "<mujoco><option timestep='%g' gravity='0 0 -9.81'/><worldbody>"
      "<geom type='sphere' size='.03' rgba='.3 .3 .3 1' contype='0' conaffinity='0'/>"
      "<body name='bob' pos='%.17g 0 %.17g'><joint type='hinge' axis='0 1 0' pos='%.17g 0 %.17g'/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='4e-8 4e-8 4e-8'/>"
      "<geom type='sphere' size='.08' contype='0' conaffinity='0' rgba='.9 .5 .1 1'/>"
      "<geom type='capsule' fromto='0 0 0 %.17g 0 %.17g' size='.012' contype='0' "
      "conaffinity='0'/></body></worldbody></mujoco>",
      h, length * sin(angle), -length * cos(angle), -length * sin(angle), length * cos(angle),
      -length * sin(angle), length * cos(angle));
  EngineSettings s = engine_settings();
  if (!run_open_text(run, text, (size_t)size, &s)) return;
  double fell = 0, worst = 0, first = 0;
  for (int i = 1; i <= 5001; ++i) {
    run_step(run, 1);
    if (fell == 0 && run_body(run, 1).pos.x < 0) fell = h * i;
    if (i % 10 != 1) continue;
    const double energy = run_energy(run, NULL) + 10;
    if (i == 1) first = energy;
    worst = fmax(worst, fabs(energy - first) / first);
  }
  run_close(run);
  run_report(run, "quarter of the period at 120°, (π/2) √(L/g) / agm(1, cos 60°) [s]",
             0.5 * HEFT_PI * sqrt(length / CASE_GRAVITY) / agm(1, cos(0.5 * angle)), fell, h);
  run_report(run, "energy: largest change in 5 s, relative", 0, worst, 1e-5);
}

static void twofold(Run* run) {
  static const char text[] =
      "<mujoco><option timestep='0.001' gravity='0 0 -9.81'/><worldbody><body><joint type='hinge' "
      "axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .6 0 0' size='.025' mass='1' contype='0' "
      "conaffinity='0' rgba='.2 .5 .9 1'/><body pos='.6 0 0'><joint type='hinge' axis='0 1 0'/>"
      "<geom type='capsule' fromto='0 0 0 .6 0 0' size='.025' mass='1' contype='0' "
      "conaffinity='0' rgba='.9 .5 .1 1'/></body></body></worldbody></mujoco>";
  EngineSettings s = engine_settings();
  if (!run_open_text(run, text, sizeof text - 1, &s)) return;
  run_step(run, 1);
  const double worst = change_of_energy(run, 5000);
  run_close(run);
  run_report(run, "double pendulum, energy: largest change in 5 s, relative", 0, worst, 1e-3);
}

void case_pendulum(Run* run) {
  single(run);
  if (run->engine->reason[0]) return;
  twofold(run);
}
