// SPDX-License-Identifier: Apache-2.0
// Budget: the effort that the solver may spend on the islands of a step. It ends when the tolerance
// is met, at a deadline, or at the effort that an earlier run of the same step spent.
//
// Time is shared along the list of islands, to each by its share of the rows; the time that one
// island leaves is available to the next. A reserve before the deadline is kept for the rest of the
// step. The reserve is learned from step to step, separately for the impulses and for the position
// correction: it is the time that the rest took, and decays slowly. A step that took much longer
// than those before was disturbed from outside and counts less.
//
// Before the deadline the clock also decides on the parts of a step that it can do without: a
// compliant start and the choice of forces of an island (IslandPart), another round of impacts, and
// another pass for the force limits of actuators, and another try of a step in which bodies would
// pass through each other. A part that would end too late is not begun, or
// is dropped.
//
// Every solution spends a minimum effort, however late it is: with impulses that never change,
// bodies would sink into each other, and every step would find more contacts than the last.
//
// The effort of every solution is noted, and so is every part that the clock left out: a step that
// was cut short is repeated bit for bit by spending the same effort on the same parts. The notes of
// an island are its effort and, if parts were left out, minus their bits; a BudgetRepeat marks
// where a round, a pass, a trial or a try was not begun. The number of parts of a divided substep
// precedes the notes of its islands.
#ifndef HEFT_SRC_WORLD_BUDGET_H
#define HEFT_SRC_WORLD_BUDGET_H

#include <limits.h>

#include "world/island.h"

/// The solutions of a step.
typedef enum BudgetStage { BUDGET_IMPULSES, BUDGET_CORRECTION, BUDGET_STAGES } BudgetStage;

/// Parts that a step may leave out as a whole, as they are noted: another round of impacts, another
/// pass for the force limits of actuators, another trial of restitution, another try of the step.
typedef enum BudgetRepeat {
  BUDGET_ROUND = INT_MIN,
  BUDGET_PASS,
  BUDGET_TRIAL,
  BUDGET_TRY
} BudgetRepeat;

typedef struct Budget {
  uint64_t deadline_ns;              ///< of this step; 0: none
  uint64_t begin_ns;                 ///< when it began
  uint64_t end_ns[BUDGET_STAGES];    ///< when each solution had to end
  int cut[BUDGET_STAGES];            ///< 1 if it was stopped by the clock
  uint64_t begun_ns[BUDGET_STAGES];  ///< when each solution began
  double rest_ns[BUDGET_STAGES];     ///< when each ended, without what it did after its search
  double fixed_ns;                   ///< duration of the last one without its search [ns]
  double reserve[BUDGET_STAGES];     ///< time kept for the rest of the step [ns] ...
  double rest[BUDGET_STAGES];        ///< ... at least as long as if nothing was cut
  uint64_t search_ns;                ///< time that this step spent on units of effort
  uint64_t min_step_ns;              ///< time of the last step with a deadline beside these
  double part_ns;                    ///< the same for one of its parts (HeftStepReport::parts) [ns]
  const int* given;                  ///< effort to be spent again; NULL: until the tolerance is met
  int given_count, given_next;
  int* noted;  ///< effort spent in this step, in the order of solutions
  int noted_count, noted_max;
  int island_count;  ///< of the last solution
  int acted;         ///< 1: the clock ended a search of this step or left out a part of it
} Budget;

/// At the start and at the end of a step. given: effort to be spent again, or NULL.
void heft_budget_begin(Budget* budget, uint64_t deadline_ns, const int* given, int count);
void heft_budget_end(Budget* budget, int parts);
/// The number of parts that a substep is divided into, of `wanted` (above 1): fewer, at least 1, if
/// they would end after the deadline.
int heft_budget_parts(Budget* budget, int wanted);

/// Gives every island that is solved a termination of its own, derived from `stop` and the time
/// that is left. asked: islands: 0 if it is not solved; NULL: all are.
void heft_budget_share(Budget* budget, const StepInput* in, const IslandSet* islands,
                       const int* asked, const HeftContactTermination* stop, BudgetStage stage,
                       IslandResult* results);
/// Notes the effort that these islands spent, and the parts that were left out.
void heft_budget_note(Budget* budget, const IslandSet* islands, const int* asked,
                      const IslandResult* results, BudgetStage stage);
/// 1 if another solution of the impulses may begin; it lasts about as long as the last one. A try
/// is a whole part of the step, and needs room for its notes without a deadline, too. If the answer
/// is 0, the step ends without it.
int heft_budget_may_go_on(Budget* budget, BudgetRepeat what);
/// 1 if there is room for the notes of another solution and of those that must follow it: without
/// restitution, of the last round, of another pass, and the correction, of two numbers for each
/// island. A step whose solutions are not all noted cannot be repeated.
int heft_budget_has_room(const Budget* budget);

#endif
