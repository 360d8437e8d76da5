// SPDX-License-Identifier: Apache-2.0
// A rattleback: an ellipsoid that rolls without slip on a floor and whose axes of inertia are
// turned against those of its shape. Spun one way it rattles and turns back.
//
// The exact motion is that of the equations below, by Runge-Kutta in steps of 0.1 ms. In the body's
// axes: γ points up; the contact point p, from the centre of mass, is where γ is normal to the
// ellipsoid, p_i = -s_i² γ_i / √(Σ s_i² γ_i²) - c_i; the centre moves at v = p × ω. Newton and
// Euler, with the contact force eliminated:
//
//     I ω' + m p × (ω' × p) = -ω × I ω + m p × (-ω × p' + ω × v + g γ),   γ' = γ × ω
//
// Shape and inertia: T. R. Kane, D. A. Levinson, Realistic mathematical modeling of the rattleback,
// Int. J. Non-Linear Mechanics 17, 1982.
#include <math.h>
#include <string.h>

#include "validation/cases.h"

static const double semi[3] = {0.2, 0.03, 0.02}, centre[3] = {0, 0, -0.01};
static const double inertia[3][3] = {{2e-4, -2e-5, 0}, {-2e-5, 1.6e-3, 0}, {0, 0, 1.7e-3}};
static const double spin = -5, tilt = 0.5 * HEFT_PI / 180;

typedef struct Rolling {
  HeftVec3 up, omega;
} Rolling;

static HeftVec3 times_inertia(HeftVec3 w) {
  return heft_vec3(inertia[0][0] * w.x + inertia[0][1] * w.y,
                   inertia[1][0] * w.x + inertia[1][1] * w.y, inertia[2][2] * w.z);
}

// The contact point and its rate in the body.
static void contact_point(HeftVec3 up, HeftVec3 up_rate, HeftVec3* p, HeftVec3* rate) {
  const double u[3] = {up.x, up.y, up.z}, du[3] = {up_rate.x, up_rate.y, up_rate.z};
  double n2 = 0, dn = 0, at[3], along[3];
  for (int i = 0; i < 3; ++i) n2 += semi[i] * semi[i] * u[i] * u[i];
  const double n = sqrt(n2);
  for (int i = 0; i < 3; ++i) dn += semi[i] * semi[i] * u[i] * du[i] / n;
  for (int i = 0; i < 3; ++i) {
    at[i] = -semi[i] * semi[i] * u[i] / n - centre[i];
    along[i] = -semi[i] * semi[i] * (du[i] / n - u[i] * dn / n2);
  }
  *p = heft_vec3_from(at);
  *rate = heft_vec3_from(along);
}

static HeftVec3 solve(const HeftVec3 column[3], HeftVec3 right) {
  const HeftVec3 across = heft_vec3_cross(column[1], column[2]);
  const double d = heft_vec3_dot(column[0], across);
  return heft_vec3(heft_vec3_dot(right, across) / d,
                   heft_vec3_dot(column[0], heft_vec3_cross(right, column[2])) / d,
                   heft_vec3_dot(column[0], heft_vec3_cross(column[1], right)) / d);
}

static Rolling rate_of(Rolling s) {
  static const HeftVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Rolling d = {.up = heft_vec3_cross(s.up, s.omega)};
  HeftVec3 p, p_rate, column[3];
  contact_point(s.up, d.up, &p, &p_rate);
  for (int i = 0; i < 3; ++i)
    column[i] =
        heft_vec3_add(times_inertia(axis[i]), heft_vec3_cross(p, heft_vec3_cross(axis[i], p)));
  const HeftVec3 v = heft_vec3_cross(p, s.omega);
  HeftVec3 pull = heft_vec3_sub(heft_vec3_cross(s.omega, v), heft_vec3_cross(s.omega, p_rate));
  pull = heft_vec3_add_scaled(pull, CASE_GRAVITY, s.up);
  const HeftVec3 turn = heft_vec3_cross(s.omega, times_inertia(s.omega));
  d.omega = solve(column, heft_vec3_sub(heft_vec3_cross(p, pull), turn));
  return d;
}

static Rolling moved(Rolling s, double h, Rolling d) {
  return (Rolling){heft_vec3_add_scaled(s.up, h, d.up), heft_vec3_add_scaled(s.omega, h, d.omega)};
}

static Rolling exact_step(Rolling s, double h) {
  const Rolling a = rate_of(s), b = rate_of(moved(s, h / 2, a)), c = rate_of(moved(s, h / 2, b)),
                d = rate_of(moved(s, h, c));
  return moved(moved(moved(moved(s, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
}

void case_rattleback(Run* run) {
  static const char scene[] =
      "<mujoco><option timestep=\"0.0001\" gravity=\"0 0 -9.81\"/><default><geom friction=\"5\"/>"
      "</default><worldbody><geom type=\"plane\" size=\"9 9 1\"/><body><freejoint/><inertial "
      "pos=\"0 0 -.01\" mass=\"1\" fullinertia=\"2e-4 1.6e-3 1.7e-3 -2e-5 0 0\"/><geom "
      "type=\"ellipsoid\" size=\".2 .03 .02\"/></body></worldbody></mujoco>";
  EngineSettings s = engine_settings();
  if (!run_open_text(run, scene, strlen(scene), &s)) return;
  EngineBody stone = run_body(run, 1);
  stone.quat = heft_quat_mul(heft_quat_from_axis_angle(heft_vec3(1, 0, 0), tilt),
                             heft_quat_from_axis_angle(heft_vec3(0, 1, 0), tilt));
  Rolling exact = {heft_quat_rotate(heft_quat_conjugate(stone.quat), heft_vec3(0, 0, 1)),
                   heft_vec3(0, 0, spin)};
  HeftVec3 p, unused;
  contact_point(exact.up, heft_vec3(0, 0, 0), &p, &unused);
  stone.omega = heft_quat_rotate(stone.quat, exact.omega);
  const HeftVec3 arm = heft_quat_rotate(stone.quat, heft_vec3_add(p, heft_vec3_from(centre)));
  stone.pos = heft_vec3(0, 0, -arm.z);
  stone.vel = heft_vec3_cross(arm, stone.omega);
  run_place(run, 1, stone);
  double turned = 0, turned_exact = 0;
  // Rolling is of first order here: at half the step both errors are 0.0083 and 0.0088.
  for (int i = 1; i <= 30000; ++i) {
    exact = exact_step(exact, 1e-4);
    if (turned_exact == 0 && exact.omega.z > 0) turned_exact = 1e-4 * i;
    run_step(run, 1);
    const EngineBody b = run_body(run, 1);
    const double now = heft_quat_rotate(heft_quat_conjugate(b.quat), b.omega).z;
    if (turned == 0 && now > 0) turned = 1e-4 * i;
    if (i == 5000)
      run_report(run, "rattleback at -5 rad/s: its spin after 0.5 s [rad/s]", exact.omega.z, now,
                 0.05);
  }
  run_close(run);
  run_report(run, "rattleback: turns back after [s]", turned_exact, turned, 0.02);
}
