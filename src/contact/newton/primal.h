// SPDX-License-Identifier: Apache-2.0
// The proximal method of multipliers with Newton steps for velocities: robust from any start.
#ifndef HEFT_SRC_CONTACT_NEWTON_PRIMAL_H
#define HEFT_SRC_CONTACT_NEWTON_PRIMAL_H

#include "contact/newton/newton.h"

/// Result of one step: go on; the proximal point is reached, and core->r holds its impulses, which
/// are in their cones; or there is no descent.
typedef enum PrimalEnd { PRIMAL_STEP, PRIMAL_POINT, PRIMAL_FAILED } PrimalEnd;

/// Begins a proximal point at core->r, whose velocities are u (slots). newton_prepare() must have
/// succeeded.
void primal_begin(Newton* newton, const Core* core, double kappa, const double* u);
/// One Newton step. done: the velocity error [m/s] at which a point need not be better.
PrimalEnd primal_step(Newton* newton, Core* core, double done);

// Parts of a step, for equal.c.

/// How closely a search looks for the length of a step: values of the slope, the slope that ends
/// it, relative to the first, and the share of an interval that secants keep away from its ends.
typedef struct PrimalSearch {
  int count;
  double flat, margin;
} PrimalSearch;

/// x and r at the velocities u + t Δu; returns the slope (1) there.
double primal_evaluate(const Newton* newton, const Core* core, double t);
/// H of all contacts at x and r. coupled: with the change of the radii of discs.
void primal_linearize(Newton* newton, const Core* core, int coupled);
/// Δu and Δρ for g = r - ρ and H; returns the slope -g · Δu, or HUGE_VAL if the factor fails.
double primal_solve(Newton* newton, const Core* core);
/// As primal_solve(), with H at x; the slope is negative, or 0 if there is no direction.
double primal_direction(Newton* newton, const Core* core);
/// The length at which the slope along the step vanishes, about. x and r belong to that length.
double primal_search(const Newton* newton, const Core* core, double first, PrimalSearch how);
/// Takes a step of length t.
void primal_advance(Newton* newton, const Core* core, double t);
/// x and r at u; the step is zero from here.
void primal_stay(Newton* newton, const Core* core);

#endif
