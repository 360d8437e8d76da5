// SPDX-License-Identifier: Apache-2.0
// Machines with answers in closed form: Watt's governor, Bricard's linkage, a brake that squeals, a
// body that turns over in flight.
//
// Governor. A bob on an arm of length L, hinged to a spindle that turns at Ω, stays at the angle
// cos θ = g / (Ω² L), and hunts about it at the frequency Ω sin θ (J. C. Maxwell, On Governors,
// 1868).
//
// Bricard's linkage of six equal bars with hinges at right angles has one degree of freedom, though
// Grübler counts none: one of its thirty equations follows from the others (M. González et al., A
// benchmarking system for MBS simulation software, Multibody Syst. Dyn. 16, 2006; the IFToMM
// library's redundant example). It falls without loss of energy for 10 s. The positions of a step
// close a loop to the order h², and there its dependent rows disagree by as much: a tolerance of
// 1e-10 would hold the linkage fast, so it has Heft's default.
//
// Brake. A mass on a belt with springs k1, k2 at an angle and a contact of stiffness k3: friction
// makes the stiffness matrix unsymmetric. Its two frequencies meet, and vibrations grow, above
// µ = ((K11 - K22)² / (4 K12) + K12) / k3 (N. Hoffmann et al., A minimal model for studying
// properties of the mode-coupling type instability, Mechanics Research
// Communications 29, 2002).
//
// Flip. A body with I1 < I2 < I3 that turns about its middle axis turns over every half period
// 2 K(k) / p of Euler's equations, in the notation of L. D. Landau, E. M. Lifshitz, Mechanics, §37.
#include <heft/access.h>
#include <math.h>
#include <string.h>

#include "validation/cases.h"

static const double g = CASE_GRAVITY;

// ---- the governor

void case_governor(Run* run) {
  static const char format[] =
      "<mujoco><compiler angle=\"radian\"/><option timestep=\"0.0005\" gravity=\"0 0 -9.81\"/>"
      "<worldbody><body><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1e9 1e9 1e9\"/><joint "
      "axis=\"0 0 1\"/><body euler=\"0 %.17g 0\"><joint axis=\"0 -1 0\"/><inertial pos=\"0 0 -.6\" "
      "mass=\"1\" diaginertia=\"1e-9 1e-9 1e-9\"/></body></body></worldbody></mujoco>";
  const double turn = 5, angle = acos(g / (turn * turn * 0.6)), aside = 1e-3, h = 0.0005;
  const double period = 2 * HEFT_PI / (turn * sin(angle));
  double worst = 0, first = 0, last = 0;
  for (int hunts = 0; hunts < 2; ++hunts) {
    char text[900];
    const int size = snprintf(text, sizeof text, format, -(angle + hunts * aside));
    EngineSettings s = engine_settings();
    if (!run_open_text(run, text, (size_t)size, &s)) return;
    run_spin(run, &turn, 1);
    double before = hunts * aside;
    for (int i = 1, crossings = 0; i <= 6000 && crossings < 3; ++i) {
      run_step(run, 1);
      const HeftVec3 arm = heft_quat_rotate(run_body(run, 2).quat, heft_vec3(0, 0, -1));
      const double now = acos(-arm.z) - angle;
      if (!hunts) worst = fmax(worst, fabs(now));
      if (hunts && now * before < 0) {
        last = h * (i - 1 + before / (before - now));
        if (crossings++ == 0) first = last;
      }
      before = now;
    }
    run_close(run);
  }
  run_report(run, "governor: leaves the angle cos θ = g / (Ω² L) by [rad]", 0, worst, 1e-12);
  // The amplitude changes the period by a share of its square, 1e-6.
  run_report_relative(run, "governor: period of its hunting, 2π / (Ω sin θ) [s]", period,
                      last - first, 5e-6);
}

// ---- Bricard's linkage

#define BAR(at, axis, half)                                                                    \
  "<body pos=\"" at "\"><joint axis=\"" axis "\"/><geom type=\"capsule\" fromto=\"0 0 0 " half \
  "\" size=\".01\" contype=\"0\" conaffinity=\"0\" mass=\"1\"/>"

void case_bricard(Run* run) {
  static const char scene[] =
      "<mujoco><option timestep=\"0.001\" gravity=\"0 -9.81 0\"/><worldbody>" BAR(
          "0 0 0", "0 1 0", "1 0 0") BAR("1 0 0", "0 0 1", "0 -1 0") BAR("0 -1 0", "1 0 0",
                                                                         "0 0 1")
          BAR("0 0 1", "0 1 0", "-1 0 0") "<body name=\"last\" pos=\"-1 0 0\"><joint axis=\"0 0 1\"/>"
      "<geom type=\"capsule\" fromto=\"0 0 0 0 1 0\" size=\".01\" contype=\"0\" conaffinity=\"0\" "
      "mass=\"1\"/></body></body></body></body></body></worldbody><equality>"
      "<connect body1=\"last\" anchor=\"0 1 0\"/><connect body1=\"last\" anchor=\".5 1 0\"/>"
      "</equality></mujoco>";
  EngineSettings s = engine_settings();
  s.tolerance = 1e-6;
  if (!run_open_text(run, scene, strlen(scene), &s)) return;
  const double first = run_energy(run, NULL);
  double worst = 0, gap = 0;
  for (int i = 0; i < 10000; ++i) {
    run_step(run, 1);
    const EngineBody last = run_body(run, 5);
    const HeftVec3 end = heft_vec3_add(last.pos, heft_quat_rotate(last.quat, heft_vec3(0, 1, 0)));
    gap = fmax(gap, heft_vec3_norm(heft_vec3_sub(end, heft_vec3(0, 0, 1))));
    if (i % 10 == 9) worst = fmax(worst, fabs(run_energy(run, NULL) - first));
  }
  run_close(run);
  run_report(run, "Bricard's linkage: change of its energy in 10 s [J]", 0, worst, 1e-7);
  run_report(run, "Bricard's linkage: its loop opens by [m]", 0, gap, 1e-5);
}

// ---- a brake

static const double stiff_one = 1100, stiff_two = 3000, stiff_belt = 3000, spring_angle = 0.6;

// Growth of the vibration from the first to the second half of 2 s.
static double growth(Run* run, double friction) {
  static const char format[] =
      "<mujoco><compiler angle=\"radian\"/><option timestep=\"0.0002\" gravity=\"0 0 0\"/>"
      "<custom><numeric name=\"heft_conveyor_belt\" data=\"0 0 0 0 0 0\"/>"
      "<numeric name=\"heft_material_belt\" data=\"%.17g %.17g 0 0 0\"/>"
      "<numeric name=\"heft_soft_belt\" data=\"%g 0\"/><tuple name=\"heft_material_belt\">"
      "<element objtype=\"geom\" objname=\"belt\"/></tuple></custom><worldbody>"
      "<geom name=\"belt\" type=\"box\" size=\"9 1 .1\" pos=\"0 0 -.1\"/><body pos=\"0 0 .04\">"
      "<joint type=\"slide\" axis=\"%.17g 0 %.17g\" stiffness=\"%g\" springref=\"%.17g\"/>"
      "<joint type=\"slide\" axis=\"%.17g 0 %.17g\" stiffness=\"%g\" springref=\"%.17g\"/>"
      "<geom type=\"sphere\" size=\".05\" mass=\"1\" friction=\"0\"/></body></worldbody></mujoco>";
  // In equilibrium 0.01 m deep: the springs oppose the force of the belt.
  const double c = cos(spring_angle), d = sin(spring_angle), load = 0.01 * stiff_belt;
  const double one = -load * (friction * c + d) / stiff_one,
               two = -load * (-friction * d + c) / stiff_two;
  char text[1500];
  const int size = snprintf(text, sizeof text, format, friction, friction, stiff_belt, c, d,
                            stiff_one, one, -d, c, stiff_two, two);
  EngineSettings s = engine_settings();
  if (!run_open_text(run, text, (size_t)size, &s)) return (double)NAN;
  heft_world_set_conveyor(run->engine->world, "belt", heft_vec3(9, 0, 0), heft_vec3(0, 0, 0), NULL);
  const double kick[2] = {1e-6, 1e-6};
  run_spin(run, kick, 2);
  double half[2] = {0};
  double fastest = 0;
  for (int i = 0; i < 10000 && fastest < 1e-4; ++i) {
    run_step(run, 1);
    const HeftVec3 v = run_body(run, 1).vel;
    fastest = heft_vec3_dot(v, v);
    half[i >= 5000] += fastest;
  }
  run_close(run);
  return fastest < 1e-4 ? half[1] / half[0] : HUGE_VAL;
}

void case_squeal(Run* run) {
  const double c = cos(spring_angle), d = sin(spring_angle);
  const double k11 = stiff_one * c * c + stiff_two * d * d;
  const double k22 = stiff_one * d * d + stiff_two * c * c + stiff_belt;
  const double k12 = (stiff_one - stiff_two) * c * d;
  const double exact = fabs((k11 - k22) * (k11 - k22) / (4 * k12) + k12) / stiff_belt;
  // Just below the limit two near frequencies beat, just above it vibrations grow slowly: 2 s show
  // a difference of frequencies of 0.25 Hz, a hundredth of friction.
  double quiet = 0.5 * exact, loud = 2 * exact;
  while (loud - quiet > 1e-3 * exact && run->engine->reason[0] == '\0') {
    const double middle = 0.5 * (quiet + loud);
    *(growth(run, middle) > 1.5 ? &loud : &quiet) = middle;
  }
  run_report_relative(run, "brake: friction above which it squeals", exact, 0.5 * (quiet + loud),
                      1e-2);
}

// ---- a body that turns over in flight

static double agm(double a, double b) {
  for (int i = 0; i < 40 && fabs(a - b) > 1e-16 * a; ++i) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return a;
}

void case_flip(Run* run) {
  static const char scene[] =
      "<mujoco><option timestep=\"0.001\" gravity=\"0 0 0\"/><worldbody><body><inertial pos=\"0 0 "
      "0\" mass=\"1\" diaginertia=\"1 2 3\"/><freejoint/></body></worldbody></mujoco>";
  const double I[3] = {1, 2, 3}, w[3] = {0.01, 5, 0};
  EngineSettings s = engine_settings();
  s.rk4 = 1;
  if (!run_open_text(run, scene, strlen(scene), &s)) return;
  EngineBody b = run_body(run, 1);
  b.omega = heft_vec3_from(w);
  run_place(run, 1, b);
  double first = 0, last = 0, before = 5;
  for (int i = 1, turns = 0; i < 16000 && turns < 3; ++i) {
    run_step(run, 1);
    const EngineBody now = run_body(run, 1);
    const double rate = heft_quat_rotate(heft_quat_conjugate(now.quat), now.omega).y;
    if (rate * before < 0) {
      last = 0.001 * (i - 1 + before / (before - rate));
      if (turns++ == 0) first = last;
    }
    before = rate;
  }
  run_close(run);
  // Energy and momentum from the start; M² > 2 E I2 or not decides which axis is encircled.
  const double twice = I[0] * w[0] * w[0] + I[1] * w[1] * w[1];
  const double M2 = I[0] * I[0] * w[0] * w[0] + I[1] * I[1] * w[1] * w[1];
  const int low = M2 < twice * I[1];
  const double one = low ? I[2] : I[0], three = low ? I[0] : I[2];
  const double p2 = (three - I[1]) * (M2 - twice * one) / (I[0] * I[1] * I[2]);
  const double k2 = (I[1] - one) * (twice * three - M2) / ((three - I[1]) * (M2 - twice * one));
  const double quarter = 0.5 * HEFT_PI / agm(1, sqrt(1 - k2));
  run_report_relative(run, "a body turns over every 2 K(k) / p [s]", 2 * quarter / sqrt(p2),
                      (last - first) / 2, 1e-6);
}
