// SPDX-License-Identifier: Apache-2.0
// The solution of equal compliance: one answer for every problem.
#ifndef HEFT_SRC_CONTACT_NEWTON_EQUAL_H
#define HEFT_SRC_CONTACT_NEWTON_EQUAL_H

#include "contact/newton/newton.h"

/// Which of the two laws: Coulomb's, or the law of bodies that stay at rest.
typedef enum EqualLaw { EQUAL_COULOMB, EQUAL_REST } EqualLaw;

/// Begins at the contact states of core->r, whose velocities are u (slots), and makes a first step.
/// Returns 0 if the factor fails. newton_prepare() must have succeeded.
int equal_begin(Newton* newton, const Core* core, EqualLaw law, double kappa, const double* u);
/// The second step: by the contact states that the first one shows. Returns 0 if the factor
/// fails.
int equal_correct(Newton* newton, const Core* core);
/// One more step. Returns 0 if there is no descent.
int equal_step(Newton* newton, const Core* core);
/// core->r := the impulses of the last step, which are in their cones.
void equal_take(const Newton* newton, Core* core);
/// Returns whether the point is reached, to `loose` of its distance from the centre; core->r then
/// holds it, in its cones.
int equal_reached(const Newton* newton, Core* core, double loose);
/// Moves the centre to core->r, whose velocities are u (slots), and changes κ: the next point has
/// less yield. Rounding of a first step is 1/κ times the rounding of u, so u must be made anew.
void equal_refine(Newton* newton, const Core* core, double kappa, const double* u);

#endif
