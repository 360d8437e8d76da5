// SPDX-License-Identifier: Apache-2.0
// How much work the islands of a step may do: until the tolerance is met, until a moment in time,
// or as much as was done when the step was taken before.
//
// Time is given out along the list of islands, to each by its share of the rows; what one leaves
// over the next ones have. Of the time to the deadline some is kept for what comes after a
// solution. How much is learned from step to step, for the impulses and for the correction of
// positions apart: what it took the last time that the clock stopped them, forgotten slowly. A step
// that took much longer than those before was disturbed from outside and says little.
//
// However late it is, every solution does some work: impulses that never change would let things
// sink into each other, and every step would find more contacts than the last.
//
// The work of every solution is noted, so that a step that was cut short can be repeated bit for
// bit by spending the same work again.
#ifndef HEFT_SRC_WORLD_BUDGET_H
#define HEFT_SRC_WORLD_BUDGET_H

#include <heft/contact.h>
#include <heft/world.h>

/// What is solved in a step.
typedef enum BudgetStage { BUDGET_IMPULSES, BUDGET_CORRECTION, BUDGET_STAGES } BudgetStage;

typedef struct Budget {
  uint64_t deadline_ns;            ///< of this step; 0: none
  uint64_t begin_ns;               ///< when it began
  uint64_t end_ns[BUDGET_STAGES];  ///< when each solution had to end
  int cut[BUDGET_STAGES];          ///< 1 if it was stopped by the clock
  double reserve[BUDGET_STAGES];   ///< what is kept for the rest of the step [ns]
  uint64_t search_ns;              ///< spent by this step on units of work
  uint64_t min_step_ns;            ///< what the last step with a deadline took beside these
  const int* given;                ///< work to be spent again; NULL: as much as it takes
  int given_count, given_next;
  int* noted;  ///< work spent in this step, in the order of solutions
  int noted_count, noted_max;
} Budget;

/// At the start and at the end of a step.
void heft_budget_begin(HeftWorld* world, uint64_t deadline_ns, const int* given, int count);
void heft_budget_end(HeftWorld* world);

/// Shares out what is left among the islands of constraints->island, starting from `stop`: each
/// island gets a stop of its own.
void heft_budget_share(HeftWorld* world, const HeftContactTermination* stop, BudgetStage stage);
/// Notes what the islands spent.
void heft_budget_note(HeftWorld* world, BudgetStage stage);

#endif
