// SPDX-License-Identifier: Apache-2.0
// How much work the islands of a step may do: until the tolerance is met, until a moment in time,
// or as much as was done when the step was taken before.
//
// Time is given out along the list of islands, to each by its share of the rows; what one leaves
// over the next ones have. Of the time to the deadline some is kept for what comes after the
// solution. How much is learned from step to step: what it took the last time that the clock
// stopped a solution, forgotten slowly.
//
// The work of every solution is noted, so that a step that was cut short can be repeated bit for
// bit by spending the same work again.
#ifndef HEFT_SRC_WORLD_BUDGET_H
#define HEFT_SRC_WORLD_BUDGET_H

#include <heft/contact.h>
#include <heft/world.h>

typedef struct Budget {
  uint64_t deadline_ns;  ///< of this step; 0: none
  uint64_t end_ns;       ///< when the last solution had to end
  double reserve;        ///< what is kept for the rest of the step [ns]
  int cut;               ///< 1 if the last solution was stopped by the clock
  const int* given;      ///< work to be spent again; NULL: as much as it takes
  int given_count, given_next;
  int* noted;  ///< work spent in this step, in the order of solutions
  int noted_count, noted_max;
} Budget;

/// At the start and at the end of a step.
void heft_budget_begin(HeftWorld* world, uint64_t deadline_ns, const int* given, int count);
void heft_budget_end(HeftWorld* world);

/// Shares out what is left among the islands of constraints->island, starting from `stop`: each
/// island gets a stop of its own. part: how much of the time that is left this solution may take.
void heft_budget_share(HeftWorld* world, const HeftContactStop* stop, double part);
/// Notes what the islands spent.
void heft_budget_note(HeftWorld* world);

#endif
