// SPDX-License-Identifier: Apache-2.0
// The ground and the contact model of [Sugihara 2006], sections IV-C to IV-E, and the walk of its
// robot in open loop. The floor of hoap_membrane.xml is rigid, with static friction 1, kinetic
// friction 0.4 and no rebound, under a membrane of 0.5 mm with k = 5512 N/m and c = 158 N s/m.
#ifndef HEFT_EXPERIMENTS_MEMBRANE_H
#define HEFT_EXPERIMENTS_MEMBRANE_H

#include "experiments/lab.h"

/// Points slower than ε may stick. ε is "a tiny value" in the source. With ε of 1 mm/s and less,
/// points of our soles never stick: kinetic friction seems to carry their slip over it in one step.
/// Chosen with the figure of slip.c in view, see there. [m/s]
extern const double membrane_slip_speed;

/// micro_macro with λ in its own unit, 1/kg².
HeftContactOptions membrane_options(double lambda);

/// Steps of the small robot: their number, planned into lab->walk and lab->motion, from the pose at
/// rest. Returns 0, with lab->error, on failure.
int membrane_plan_walk(Lab* lab, int steps);
/// Sets the controls of the coming step: drives that follow the planned motion.
void membrane_walk(Lab* lab);

#endif
