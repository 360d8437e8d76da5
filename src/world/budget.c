// SPDX-License-Identifier: Apache-2.0
// Budget: the effort that the solver may spend on the islands of a step.
#include "world/budget.h"
#include "base/assert.h"

#include <math.h>

#include "world/rest.h"

static const int polish = 8;  // units of effort after the tolerance where a tree rests
static const int effort_min[BUDGET_STAGES] = {3, 4};  // even after the deadline
static const double forget = 0.1;                     // share of an excess that a step gives back
static const double disturbed = 2;  // times the reserve: a longer rest was disturbed from outside
static const double again = 2;      // times the fixed duration of a pass: the duration of another
static const double doubt = 1.1;    // growth of the reserve after a disturbed step

void heft_budget_begin(Budget* b, uint64_t deadline_ns, const int* given, int count) {
  b->deadline_ns = deadline_ns;
  b->begin_ns = deadline_ns ? heft_clock_ns() : 0;
  b->search_ns = 0;
  b->given = given;
  b->given_count = count;
  b->given_next = b->noted_count = b->acted = 0;
  for (int i = 0; i < BUDGET_STAGES; ++i) {
    b->cut[i] = 0;
    b->rest_ns[i] = 0;
  }
}

static double learned(double reserve, double rest) {
  if (rest <= reserve) return reserve + forget * (rest - reserve);
  return reserve > 0 && rest > disturbed * reserve ? doubt * reserve : rest;
}

// The reserve of the impulses contains the correction, but not its search, which is the first to be
// cut.
void heft_budget_end(Budget* b, int parts) {
  if (!b->deadline_ns) return;
  const uint64_t now = heft_clock_ns(), all = now - b->begin_ns;
  b->min_step_ns = all > b->search_ns ? all - b->search_ns : 0;
  b->part_ns = (double)b->min_step_ns / (parts > 1 ? parts : 1);
  for (int i = 0; i < BUDGET_STAGES; ++i) {
    if (b->cut[i]) {
      const double known = b->reserve[i] > 0 ? b->reserve[i] : b->rest[i];
      b->reserve[i] = learned(known, (double)(now - b->end_ns[i]));
    } else if (b->rest_ns[i] > 0) {
      b->rest[i] = learned(b->rest[i], (double)all - b->rest_ns[i]);
    }
  }
}

static int is_over(const Budget* b) { return b->given && b->given_next >= b->given_count; }

// The clock at which a solution must end, so that the rest of the step is over in time.
static uint64_t end_of(const Budget* b, uint64_t now, BudgetStage stage) {
  const double reserve = fmax(b->reserve[stage], b->rest[stage]);
  HEFT_ASSERT(stage < BUDGET_STAGES);
  const double left = (double)b->deadline_ns - reserve - (double)now;
  return now + (uint64_t)fmax(0, left);
}

static int is_solved(const IslandSet* islands, const int* asked, int island) {
  return islands->list[island].count > 0 && (!asked || asked[island]);
}

void heft_budget_share(Budget* b, const StepInput* in, const IslandSet* islands, const int* asked,
                       const HeftContactTermination* stop, BudgetStage stage,
                       IslandResult* results) {
  const uint64_t now = b->deadline_ns ? heft_clock_ns() : 0;
  const uint64_t end = b->deadline_ns ? end_of(b, now, stage) : 0;
  double rows = 0, all = 0;
  b->end_ns[stage] = end;
  b->begun_ns[stage] = now;
  for (int i = 0; i < islands->count; ++i) {
    if (is_solved(islands, asked, i)) all += islands->list[i].rows;
  }
  for (int i = 0; i < islands->count; ++i) {
    const Island* island = &islands->list[i];
    if (asked && !asked[i]) continue;
    HeftContactTermination* own = &results[i].stop;
    *own = *stop;
    own->effort_min = effort_min[stage];
    if (island->count == 0) continue;
    rows += island->rows;
    if (heft_rest_is_in_part(in, island)) own->polish = polish;
    HEFT_ASSERT(rows <= all);
    if (b->deadline_ns) own->deadline_ns = now + (uint64_t)((double)(end - now) * rows / all);
    if (!b->given) continue;
    const int work = is_over(b) ? 0 : b->given[b->given_next++];
    HEFT_ASSERT(b->given_next <= b->given_count);
    own->effort_max = work > 0 ? work : -1;
  }
}

static void note(Budget* b, int number) {
  if (b->noted_count < b->noted_max) b->noted[b->noted_count++] = number;
  HEFT_ASSERT(b->noted_count <= b->noted_max);
}

int heft_budget_parts(Budget* b, int wanted) {
  int parts = wanted;
  if (b->given) {
    const int again_parts = is_over(b) ? 1 : b->given[b->given_next++];
    parts = again_parts < 1 ? 1 : again_parts < wanted ? again_parts : wanted;
  } else if (b->deadline_ns) {
    const double left = (double)b->deadline_ns - (double)heft_clock_ns();
    if (wanted * b->part_ns > left) parts = left > b->part_ns ? (int)(left / b->part_ns) : 1;
    b->acted |= parts < wanted;
  }
  HEFT_ASSERT(parts >= 1 || wanted < 1);
  note(b, parts);
  return parts;
}

// When the solution had ended but for what follows the searches, and how long it took without
// them.
static void measure(Budget* b, BudgetStage stage, uint64_t search, uint64_t after) {
  const uint64_t now = heft_clock_ns();
  const double lasted = (double)(now - b->begun_ns[stage]);
  b->search_ns += search;
  b->fixed_ns = fmax(0, lasted - (double)search);
  b->rest_ns[stage] = (double)(now - b->begin_ns) - (double)after;
  if (stage == BUDGET_CORRECTION && b->rest_ns[BUDGET_IMPULSES] > 0)
    b->rest_ns[BUDGET_IMPULSES] += (double)search;
}

void heft_budget_note(Budget* b, const IslandSet* islands, const int* asked,
                      const IslandResult* results, BudgetStage stage) {
  uint64_t search = 0, after = 0;
  b->cut[stage] = 0;
  b->island_count = islands->count;
  for (int i = 0; i < islands->count; ++i) {
    const HeftContactResult* result = &results[i].result;
    if (!is_solved(islands, asked, i)) continue;
    b->cut[stage] |= result->status == HEFT_CONTACT_DEADLINE;
    b->acted |= b->cut[stage] || results[i].left_out;
    search += result->search_ns;
    after += results[i].after_ns;
    note(b, result->effort);
  }
  if (b->deadline_ns) measure(b, stage, search, after);
}

static int ends_in_time(const Budget* b, BudgetRepeat what) {
  const uint64_t now = heft_clock_ns();
  if (what == BUDGET_TRY) return (double)now + b->part_ns <= (double)b->deadline_ns;
  return (double)now + again * b->fixed_ns <= (double)end_of(b, now, BUDGET_IMPULSES);
}

int heft_budget_may_go_on(Budget* b, BudgetRepeat what) {
  if (b->given) {
    const int stop = !is_over(b) && b->given[b->given_next] == (int)what;
    if (stop) note(b, b->given[b->given_next++]);
    return !stop;
  }
  if (!b->deadline_ns && (what != BUDGET_TRY || heft_budget_has_room(b))) return 1;
  if (b->deadline_ns && heft_budget_has_room(b) && ends_in_time(b, what)) return 1;
  b->acted |= b->deadline_ns != 0;
  note(b, (int)what);
  return 0;
}

int heft_budget_has_room(const Budget* b) {
  return b->noted_max - b->noted_count > 10.0 * b->island_count + 4;
}
