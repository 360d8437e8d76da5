// SPDX-License-Identifier: Apache-2.0
// One answer: the solution of equal compliance, whatever the warm impulses are.
#ifndef HEFT_SRC_CONTACT_UNIQUE_H
#define HEFT_SRC_CONTACT_UNIQUE_H

#include "contact/run.h"

/// Returns whether a problem is one of those that have the solution of equal compliance.
int unique_fits(const HeftContactSolverDef* def, const HeftContactProblem* problem);
/// Returns whether warm impulses that meet the law may be kept: no point is at its limit, and the
/// bodies are at rest, or all touching points carry load, so that the motion is determined. u:
/// velocities (rows).
int unique_keeps(const HeftContactProblem* problem, const double* u, double tolerance);
/// Solves from core->r, whose state is core->z and whose residual is run->best. Returns 1 if
/// run->s->best is the solution of equal compliance and meets the tolerance.
int unique_solve(Run* run);
/// The same where core->r is a solution already, which other phases have found.
int unique_again(Run* run);

#endif
