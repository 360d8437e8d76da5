// SPDX-License-Identifier: Apache-2.0
// How much work the islands of a step may do.
#include "world/budget.h"

#include <math.h>

#include "world/world_internal.h"

static const int polish = 8;  // units of work for an island near rest, after its tolerance
static const int effort_min[BUDGET_STAGES] = {3, 4};  // whatever the clock says
static const double forget = 0.1;                     // of what was more than needed, in a step
static const double disturbed = 2;  // times what was kept: more was not the step itself
static const double doubt = 1.1;    // growth of what is kept, then

void heft_budget_begin(HeftWorld* w, uint64_t deadline_ns, const int* given, int count) {
  Budget* b = &w->budget;
  b->deadline_ns = deadline_ns;
  b->begin_ns = deadline_ns ? heft_clock_ns() : 0;
  b->search_ns = 0;
  b->given = given;
  b->given_count = count;
  b->given_next = b->noted_count = 0;
  for (int i = 0; i < BUDGET_STAGES; ++i) b->cut[i] = 0;
}

static double learned(double reserve, double rest) {
  if (rest <= reserve) return reserve + forget * (rest - reserve);
  return reserve > 0 && rest > disturbed * reserve ? doubt * reserve : rest;
}

void heft_budget_end(HeftWorld* w) {
  Budget* b = &w->budget;
  if (!b->deadline_ns) return;
  const uint64_t now = heft_clock_ns(), all = now - b->begin_ns;
  b->min_step_ns = all > b->search_ns ? all - b->search_ns : 0;
  for (int i = 0; i < BUDGET_STAGES; ++i) {
    if (b->cut[i]) b->reserve[i] = learned(b->reserve[i], (double)(now - b->end_ns[i]));
  }
}

uint64_t heft_world_min_step_ns(const HeftWorld* world) {
  HEFT_ASSERT(world);
  return world->budget.min_step_ns;
}

static int is_over(const Budget* b) { return b->given && b->given_next >= b->given_count; }

// The clock at which a solution must end, so that the rest of the step is over in time.
static uint64_t end_of(const Budget* b, uint64_t now, BudgetStage stage) {
  const double left = (double)b->deadline_ns - b->reserve[stage] - (double)now;
  return now + (uint64_t)fmax(0, left);
}

void heft_budget_share(HeftWorld* w, const HeftContactTermination* stop, BudgetStage stage) {
  Budget* b = &w->budget;
  Constraints* c = w->constraints;
  const uint64_t now = b->deadline_ns ? heft_clock_ns() : 0;
  const uint64_t end = b->deadline_ns ? end_of(b, now, stage) : 0;
  double rows = 0, all = 0;
  b->end_ns[stage] = end;
  for (int i = 0; i < c->island_count; ++i) all += c->island[i].rows;
  for (int i = 0; i < c->island_count; ++i) {
    Island* island = &c->island[i];
    island->stop = *stop;
    island->stop.effort_min = effort_min[stage];
    if (island->count == 0) continue;
    rows += island->rows;
    if (heft_rest_is_near(w, island)) island->stop.polish = polish;
    if (b->deadline_ns)
      island->stop.deadline_ns = now + (uint64_t)((double)(end - now) * rows / all);
    if (!b->given) continue;
    const int work = is_over(b) ? 0 : b->given[b->given_next++];
    island->stop.effort_max = work > 0 ? work : -1;
  }
}

void heft_budget_note(HeftWorld* w, BudgetStage stage) {
  Budget* b = &w->budget;
  const Constraints* c = w->constraints;
  b->cut[stage] = 0;
  for (int i = 0; i < c->island_count; ++i) {
    const Island* island = &c->island[i];
    if (island->count == 0) continue;
    b->cut[stage] |= island->result.status == HEFT_CONTACT_DEADLINE;
    b->search_ns += island->result.search_ns;
    if (b->noted_count < b->noted_max) b->noted[b->noted_count++] = island->result.effort;
  }
}

int heft_world_effort(const HeftWorld* w, int* work, int max) {
  const Budget* b = &w->budget;
  for (int i = 0; i < b->noted_count && i < max; ++i) work[i] = b->noted[i];
  return b->noted_count;
}
