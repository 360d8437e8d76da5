// SPDX-License-Identifier: Apache-2.0
// Budget: the effort that the solver may spend on the islands of a step. It ends when the tolerance
// is met, at a deadline, or at the effort that an earlier run of the same step spent.
//
// Time is shared along the list of islands, to each by its share of the rows; the time that one
// island leaves is available to the next. A reserve before the deadline is kept for the rest of the
// step. The reserve is learned from step to step, separately for the impulses and for the position
// correction: it is the time that the rest took when the clock last stopped the solution, and
// decays slowly. A step that took much longer than those before was disturbed from outside and
// counts less.
//
// Every solution spends a minimum effort, however late it is: impulses that never change would let
// bodies sink into each other, and every step would find more contacts than the last.
//
// The effort of every solution is noted, so that a step that was cut short can be repeated bit for
// bit by spending the same effort again.
#ifndef HEFT_SRC_WORLD_BUDGET_H
#define HEFT_SRC_WORLD_BUDGET_H

#include "world/island.h"

/// The solutions of a step.
typedef enum BudgetStage { BUDGET_IMPULSES, BUDGET_CORRECTION, BUDGET_STAGES } BudgetStage;

typedef struct Budget {
  uint64_t deadline_ns;            ///< of this step; 0: none
  uint64_t begin_ns;               ///< when it began
  uint64_t end_ns[BUDGET_STAGES];  ///< when each solution had to end
  int cut[BUDGET_STAGES];          ///< 1 if it was stopped by the clock
  double reserve[BUDGET_STAGES];   ///< time kept for the rest of the step [ns]
  uint64_t search_ns;              ///< time that this step spent on units of effort
  uint64_t min_step_ns;            ///< time of the last step with a deadline beside these
  const int* given;                ///< effort to be spent again; NULL: until the tolerance is met
  int given_count, given_next;
  int* noted;  ///< effort spent in this step, in the order of solutions
  int noted_count, noted_max;
} Budget;

/// At the start and at the end of a step. given: effort to be spent again, or NULL.
void heft_budget_begin(Budget* budget, uint64_t deadline_ns, const int* given, int count);
void heft_budget_end(Budget* budget);

/// Gives every island a termination of its own, derived from `stop` and the time that is left.
void heft_budget_share(Budget* budget, const StepInput* in, const IslandSet* islands,
                       const HeftContactTermination* stop, BudgetStage stage,
                       IslandResult* results);
/// Notes the effort that the islands spent.
void heft_budget_note(Budget* budget, const IslandSet* islands, const IslandResult* results,
                      BudgetStage stage);

#endif
