// SPDX-License-Identifier: Apache-2.0
// Gradients of motions with contact in closed form: products of heft_world_derivative() of all
// steps. Differentiable simulators get some of these wrong (Y. D. Zhong, J. Han, G. O. Brikis,
// Differentiable physics simulations with contacts: do they have correct gradients w.r.t. position,
// velocity and control?, 2022).
//
// - A ball that is thrown along a floor ends rolling at 5/7 v + 2/7 r ω, wherever the slip ends.
// - A block that slides keeps its direction: v_y(t) / v_x(t) is constant. With the speed s(t) = s -
//   µ g t, the derivative of v_y by its value at the start is s(t) / s, that of y is
//   t - µ g t² / (2 s), and that of x by µ is -g t² / 2.
#include <heft/access.h>
#include <math.h>
#include <string.h>

#include "validation/cases.h"

enum { DOFS = 3, STATE = 2 * DOFS };

static const char ball_scene[] =
    "<mujoco><option timestep=\"0.001\" gravity=\"0 0 -9.81\"/><default><geom friction=\".3\"/>"
    "</default><worldbody><geom type=\"plane\" size=\"9 9 1\"/><body pos=\"0 0 .125\">" CASE_PLANAR
    "<geom type=\"sphere\" size=\".125\" mass=\"1\"/></body></worldbody></mujoco>";
static const char block_scene[] =
    "<mujoco><option timestep=\"0.001\" gravity=\"0 0 -9.81\"/><default><geom friction=\".3\"/>"
    "</default><worldbody><geom type=\"plane\" size=\"9 9 1\"/><body pos=\"0 0 .05\"><joint "
    "type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/><joint type=\"slide\" "
    "axis=\"0 0 1\"/><geom type=\"sphere\" size=\".05\" mass=\"1\"/></body></worldbody></mujoco>";

// A direction of change of (q, v) is carried along by one step. 0: the derivative is not exact. A
// body at a gap of zero is about to leave or to sink; none of these directions leads there.
static int carry(HeftWorld* w, double* direction, int by_friction) {
  static const HeftStepParameter friction = {HEFT_STEP_FRICTION, -1};
  double matrix[STATE * STATE], next[STATE], extra[STATE] = {0};
  HeftDerivative info;
  if (heft_world_derivative(w, matrix, NULL, NULL, &info, NULL) != HEFT_OK ||
      (info.flags & ~(1u << HEFT_DERIVATIVE_CHANGE)))
    return 0;
  if (by_friction &&
      heft_world_derivative_by(w, &friction, 1, extra, NULL, NULL, &info, NULL) != HEFT_OK)
    return 0;
  for (int i = 0; i < STATE; ++i) {
    next[i] = extra[i];
    for (int k = 0; k < STATE; ++k) next[i] += matrix[i * STATE + k] * direction[k];
  }
  memcpy(direction, next, sizeof next);
  return 1;
}

// Carries a unit change of velocity `dof`, or of friction (dof -1), through 200 steps that begin
// with a speed along x.
static int follow(Run* run, const char* scene, double speed, int dof, double* out) {
  EngineSettings s = engine_settings();
  memset(out, 0, STATE * sizeof *out);
  if (dof >= 0) out[DOFS + dof] = 1;
  if (!run_open_text(run, scene, strlen(scene), &s)) return 0;
  run_spin(run, &speed, 1);
  int exact = 1;
  for (int i = 0; i < 200 && exact; ++i) {
    run_step(run, 1);
    exact = carry(run->engine->world, out, dof < 0);
  }
  run_close(run);
  for (int i = 0; i < STATE && !exact; ++i) out[i] = (double)NAN;
  return 1;
}

void case_gradients(Run* run) {
  const double mu = 0.3, r = 0.125, t = 0.2, s = 5, g = CASE_GRAVITY;
  double d[STATE];
  if (!follow(run, ball_scene, 1, 0, d)) return;
  run_report(run, "thrown ball: d(final speed) / d(speed)", 5.0 / 7, d[DOFS], 1e-9);
  if (!follow(run, ball_scene, 1, 2, d)) return;
  run_report(run, "thrown ball: d(final speed) / d(spin) [m]", 2 * r / 7, d[DOFS], 1e-9);
  if (!follow(run, block_scene, s, 1, d)) return;
  run_report(run, "sliding block: d(v_y) / d(v_y at the start)", 1 - mu * g * t / s, d[DOFS + 1],
             1e-9);
  // Of the scheme: friction acts from the start of a step or from its end, 1 ms of 0.2 s.
  run_report(run, "sliding block: d(y) / d(v_y at the start) [s]", t - mu * g * t * t / (2 * s),
             d[1], 1e-4);
  if (!follow(run, block_scene, s, -1, d)) return;
  run_report(run, "sliding block: d(x) / d(friction) [m]", -g * t * t / 2, d[0], 1e-3);
}
