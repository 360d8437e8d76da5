// SPDX-License-Identifier: Apache-2.0
// The search for the plan of a dynamic lift.
#ifndef HEFT_EXPERIMENTS_SNATCH_SEARCH_H
#define HEFT_EXPERIMENTS_SNATCH_SEARCH_H

#include "experiments/snatch_plan.h"

/// The cost of a plan; cost gets its parts.
double snatch_cost(Lab* lab, const SnatchPlan* plan, double bar_mass, SnatchCost* cost);
/// Searches from a plan on, with the first and last knots as they are. report may be NULL. Returns
/// the cost of the best plan.
double snatch_search(Lab* lab, const SnatchPlan* start, double bar_mass, int generations,
                     SnatchPlan* out, void (*report)(int generation, double cost));

#endif
