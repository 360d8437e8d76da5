// SPDX-License-Identifier: Apache-2.0
// Bodies in a fluid, with answers in closed form: quadratic drag and viscous resistance of the box
// that stands for a body (src/dynamics/fluid.c), and the energy of a chain that only loses it.
#include <heft/access.h>
#include <math.h>
#include <string.h>

#include "validation/cases.h"

static const double g = CASE_GRAVITY;

#define FLUID(option, bodies) \
  "<mujoco><option timestep=\"0.001\" " option "/><worldbody>" bodies "</worldbody></mujoco>"

// A plate of 0.05 kg that falls flat: m v' = m g - k v², k = 2 ρ r_x r_y.
static void fall(Run* run) {
  static const char scene[] =
      FLUID("density=\"1.2\"",
            "<body><freejoint/><geom type=\"box\" size=\".2 .1 .05\" mass=\".05\"/></body>");
  const EngineSettings s = engine_settings();
  const double end = sqrt(0.05 * g / (2 * 1.2 * 0.2 * 0.1));
  if (!run_open_text(run, scene, strlen(scene), &s)) return;
  run_step(run, 200);
  const double early = -run_body(run, 1).vel.z;
  run_step(run, 9800);
  const double late = -run_body(run, 1).vel.z;
  run_close(run);
  run_report_relative(run, "drag: speed after 0.2 s, V tanh(g t / V) [m/s]",
                      end * tanh(g * 0.2 / end), early, 1e-6);
  run_report_relative(run, "drag: speed after 10 s, V = √(m g / (2 ρ r_x r_y)) [m/s]", end, late,
                      1e-12);
}

// A ball of radius R: its box has the half size R √(3/5). m v' = m g - 6 π β r (v - w).
static void sink(Run* run) {
  static const char scene[] = FLUID("viscosity=\"1.5\" wind=\"1 0 0\"",
                                    "<body><freejoint/><geom size=\".05\" mass=\"1\"/></body>");
  const EngineSettings s = engine_settings();
  const double rate = 6 * HEFT_PI * 1.5 * 0.05 * sqrt(0.6);
  if (!run_open_text(run, scene, strlen(scene), &s)) return;
  run_step(run, 40000);
  const EngineBody ball = run_body(run, 1);
  run_close(run);
  run_report_relative(run, "viscosity: speed after 40 s, m g / (6 π β r) [m/s]", g / rate,
                      -ball.vel.z, 1e-12);
  run_report_relative(run, "the same in a wind: speed along it [m/s]", 1, ball.vel.x, 1e-12);
}

// A thin arm whirls in a dense fluid, then drifts: its energy never rises.
static void whirl(Run* run) {
  static const char scene[] =
      FLUID("density=\"1000\" viscosity=\"1\" gravity=\"0 0 0\"",
            "<body><freejoint/><geom type=\"capsule\" fromto=\"0 0 0 .3 .1 0\" size=\".02\" "
            "mass=\".1\"/><body pos=\".3 .1 0\"><joint axis=\"0 1 0\"/><geom type=\"capsule\" "
            "fromto=\"0 0 0 .3 0 .1\" size=\".01\" mass=\".02\"/></body></body>");
  const EngineSettings s = engine_settings();
  const double spins[] = {3, -2, 5, 40, 60, -30, 80};
  if (!run_open_text(run, scene, strlen(scene), &s)) return;
  run_spin(run, spins, 7);
  const double start = run_energy(run, NULL);
  double before = start, rise = 0;
  for (int i = 0; i < 3000; ++i) {
    run_step(run, 1);
    const double now = run_energy(run, NULL);
    if (!(now - before <= rise)) rise = now - before;
    before = now;
  }
  run_close(run);
  run_report(run, "an arm whirls in water: largest rise of its energy in a step, of its first", 0,
             rise / start, 1e-12);
}

void case_fluid(Run* run) {
  fall(run);
  sink(run);
  whirl(run);
}
