// SPDX-License-Identifier: Apache-2.0
// With friction the law is not monotone. In piles of balls, methods that descend on a merit
// function or take proximal points one after the other stop far from a solution, because the curve
// of solutions has turning points. This method follows the curve around them.
//
// H(r, λ) = F(r) with the proximal parameter κ(λ) = κ₀ e^λ about a fixed centre r⁰ and with cones
// rounded by τ(λ) = τ₀ e^λ has one equation less than unknowns: its zeros are curves. For large κ
// there is one solution, close to r⁰. The solutions for all κ > 0 are bounded if the bodies could
// move apart. Hence the curve that starts at λ = 0 cannot end or return there except through a
// larger λ, and its other end is at λ = -∞, a solution of the law.
//
// The curve is followed by arc length, with the norm √(Σ w_i |dr_i|² / scale² + dλ²) ([Keller
// 1977]; [Allgower 1990]): a step along the tangent (t_r, t_λ), corrected by Newton steps that stay
// in the plane across it. With J the derivative of F, a = -J⁻¹ F and b = -J⁻¹ ∂F/∂λ, a correction
// is
//
//   dr = a + b dλ,    dλ = -(t · (r - r_0, λ - λ_0) - length + t_r · a) / (t_r · b + t_λ),
//
// one factorisation and two solutions, and the next tangent is ±(b, 1), normalised. The
// direction of the last tangent does not give the sign, because turns may be sharp. But t_λ det J
// keeps its sign on the whole curve, and the factor has the sign of det J.
#include "contact/newton/continuation.h"

#include <heft/math.h>
#include <math.h>
#include <string.h>

// The table in docs/internals/contact.md states the effect of half and twice each value.
enum {
  TRIES_MAX = 8,    // corrections of one step along the curve
  HALVINGS_MAX = 2  // of a correction
};
static const double SIGMA = 0.1,  // scale of x, as in newton.c
    LENGTH_FIRST = 0.3,           // first step along the curve
    LENGTH_MAX = 1,               // longest step: few steps against steps onto another branch
    LENGTH_MIN = 1e-7,            // shortest step; then the curve is lost
    ON_PATH = 1e-3,               // |F| of a point on the curve, of τ
    BEGUN = 1e-3,                 // the same for the first point
    SHARP = 0.5,                  // cosine between tangents below which a step is too long ...
    TURN_LENGTH = 1e-5,           // ... unless it is as short as this: a sharp turn
    BACK = 1,                     // λ beyond which the curve has returned to its start
    DIFFERENCE = 1e-7,            // of λ in the derivative ∂F/∂λ: rounding against curvature
    LAMBDA_MAX = 60;              // bound of |λ|: κ and τ would leave the range of doubles

static double product(const Path* path, const Core* core, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < core->constraints; ++i) {
    double part = 0;
    for (int k = core->slot[i]; k < core->slot[i] + core->rows[i]; ++k) part += a[k] * b[k];
    sum += core->w[i] * part;
  }
  return sum / (path->scale * path->scale);
}

static void set_lambda(const Path* path, Newton* newton, double factor) {
  newton->kappa = path->kappa * factor;
  newton->tau = path->tau * factor;
}

// |F| at r and λ.
static double evaluate(const Path* path, Newton* newton, Core* core, const double* r,
                       double lambda) {
  set_lambda(path, newton, heft_exp(lambda));
  core_state(core, r, newton->trial_z);
  return newton_evaluate(newton, core, r, newton->trial_z, newton->f) / path->scale;
}

// b into newton->slope, with the present factor, at the point of the last evaluation.
static void find_slope(const Path* path, Newton* newton, Core* core, const double* r) {
  const double factor = heft_exp(path->at);
  double *more = newton->trial, *less = newton->slope;
  set_lambda(path, newton, factor * (1 + DIFFERENCE));
  newton_evaluate(newton, core, r, newton->trial_z, more);
  set_lambda(path, newton, factor * (1 - DIFFERENCE));
  newton_evaluate(newton, core, r, newton->trial_z, less);
  set_lambda(path, newton, factor);
  for (int k = 0; k < core->slots; ++k) more[k] = (less[k] - more[k]) / (2 * DIFFERENCE);
  newton_solve(newton, core, more, newton->slope);
}

// The largest |F| of a point on the curve at λ.
static double near_enough(const Path* path, const Core* core, double lambda) {
  return fmax(1e-14, ON_PATH * path->tau / core->reference * heft_exp(lambda));
}

static void predict(Path* path, Newton* newton, Core* core) {
  for (int k = 0; k < core->slots; ++k)
    newton->point[k] = newton->base[k] + path->length * newton->tangent[k];
  path->at = path->lambda + path->length * path->turn;
  path->merit = evaluate(path, newton, core, newton->point, path->at);
  path->tries = 0;
}

static PathEnd shorten(Path* path, Newton* newton, Core* core) {
  path->length *= 0.5;
  if (path->length < LENGTH_MIN) return PATH_LOST;
  predict(path, newton, core);
  return PATH_ON;
}

int path_start(Path* path, Newton* newton, Core* core, double kappa, double tau) {
  double sum = 0;
  if (!newton_prepare(newton, core)) return 0;
  for (int i = 0; i < core->constraints; ++i) sum += core->w[i] > 0 ? 1 / core->w[i] : 0;
  *path = (Path){.kappa = kappa, .tau = tau * core->reference, .length = LENGTH_FIRST};
  path->scale = core->reference * sqrt(sum);
  newton->sigma = newton->sigma_min = SIGMA;
  core_state(core, core->r, core->z);
  memcpy(newton->center, core->r, sizeof(double) * (size_t)core->slots);
  set_lambda(path, newton, 1);
  newton->merit = newton_evaluate(newton, core, core->r, core->z, newton->f);
  return 1;
}

// Goes to the solution at λ = 0; then computes the first tangent, towards smaller λ.
static PathEnd arrive(Path* path, Newton* newton, Core* core) {
  if (!newton_factor(newton, core)) return PATH_LOST;
  if (newton->merit > BEGUN * path->tau / core->reference * path->scale) {
    for (int k = 0; k < core->slots; ++k) newton->trial[k] = -newton->f[k];
    newton_solve(newton, core, newton->trial, newton->step);
    return newton_line_search(newton, core) ? PATH_ON : PATH_LOST;
  }
  memcpy(newton->base, core->r, sizeof(double) * (size_t)core->slots);
  memcpy(newton->trial_z, core->z, sizeof(double) * (size_t)core->states);
  find_slope(path, newton, core, newton->base);
  path->turn = -1 / sqrt(1 + product(path, core, newton->slope, newton->slope));
  path->side = -newton_sign(newton, core);
  for (int k = 0; k < core->slots; ++k) newton->tangent[k] = path->turn * newton->slope[k];
  path->arrived = 1;
  predict(path, newton, core);
  return PATH_ON;
}

// Accepts a trial on the curve, unless it may lie on another branch.
static PathEnd accept(Path* path, Newton* newton, Core* core) {
  const double size = sqrt(1 + product(path, core, newton->slope, newton->slope));
  const double turn = path->side * newton_sign(newton, core) / size;
  const double along = turn * (product(path, core, newton->tangent, newton->slope) + path->turn);
  if (along < SHARP && path->length > TURN_LENGTH) return shorten(path, newton, core);
  memcpy(newton->base, newton->point, sizeof(double) * (size_t)core->slots);
  for (int k = 0; k < core->slots; ++k) newton->tangent[k] = turn * newton->slope[k];
  path->turn = turn;
  path->lambda = path->at;
  if (path->lambda > BACK) return PATH_LOST;
  if (path->tries <= 3 && along > 0.8) path->length = fmin(LENGTH_MAX, 1.7 * path->length);
  if (path->tries >= 5) path->length *= 0.8;
  memcpy(core->r, newton->base, sizeof(double) * (size_t)core->slots);
  core_project(core, core->r);
  core_state(core, core->r, core->z);
  predict(path, newton, core);
  return PATH_POINT;
}

// Moves the trial by the correction, or by half of it. Returns 0 if |F| does not fall enough.
static int correct(Path* path, Newton* newton, Core* core) {
  double *a = newton->step, *moved = newton->trial;
  for (int k = 0; k < core->slots; ++k) moved[k] = newton->point[k] - newton->base[k];
  const double off = product(path, core, newton->tangent, moved) +
                     path->turn * (path->at - path->lambda) - path->length;
  const double change = -(off + product(path, core, newton->tangent, a)) /
                        (product(path, core, newton->tangent, newton->slope) + path->turn);
  if (!(fabs(path->at + change) < LAMBDA_MAX)) return 0;
  double part = 1;
  for (int k = 0; k < HALVINGS_MAX; ++k, part *= 0.5) {
    for (int j = 0; j < core->slots; ++j)
      moved[j] = newton->point[j] + part * (a[j] + change * newton->slope[j]);
    const double merit = evaluate(path, newton, core, moved, path->at + part * change);
    if (!(merit < (1 - 0.4 * part) * path->merit) && !(merit < 1e-14)) continue;
    memcpy(newton->point, moved, sizeof(double) * (size_t)core->slots);
    path->at += part * change;
    path->merit = merit;
    return 1;
  }
  return 0;
}

PathEnd path_step(Path* path, Newton* newton, Core* core) {
  if (!path->arrived) return arrive(path, newton, core);
  if (!(path->merit < 1e3)) return shorten(path, newton, core);
  if (!newton_factor(newton, core)) return shorten(path, newton, core);
  for (int k = 0; k < core->slots; ++k) newton->trial[k] = -newton->f[k];
  newton_solve(newton, core, newton->trial, newton->step);
  find_slope(path, newton, core, newton->point);
  if (path->merit >= near_enough(path, core, path->at)) {
    path->tries++;
    if (!correct(path, newton, core)) return shorten(path, newton, core);
  }
  if (path->merit < near_enough(path, core, path->at)) return accept(path, newton, core);
  return path->tries < TRIES_MAX ? PATH_ON : shorten(path, newton, core);
}
