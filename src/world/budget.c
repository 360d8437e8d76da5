// SPDX-License-Identifier: Apache-2.0
// How much work the islands of a step may do.
#include "world/budget.h"

#include <math.h>

#include "world/world_internal.h"

static const int polish = 8;       // units of work for an island near rest, after its tolerance
static const double forget = 0.1;  // of what was more than needed, in a step

void heft_budget_begin(HeftWorld* w, uint64_t deadline_ns, const int* given, int count) {
  Budget* b = &w->budget;
  b->deadline_ns = deadline_ns;
  b->cut = 0;
  b->given = given;
  b->given_count = count;
  b->given_next = b->noted_count = 0;
}

void heft_budget_end(HeftWorld* w) {
  Budget* b = &w->budget;
  if (!b->deadline_ns || !b->cut) return;
  const double rest = (double)(heft_clock_ns() - b->end_ns);
  b->reserve = rest > b->reserve ? rest : b->reserve + forget * (rest - b->reserve);
}

static int is_over(const Budget* b) { return b->given && b->given_next >= b->given_count; }

// The clock at which a solution must end that may take `part` of the time left.
static uint64_t end_of(const Budget* b, uint64_t now, double part) {
  const double left = (double)b->deadline_ns - b->reserve - (double)now;
  return now + (uint64_t)fmax(0, part * left);
}

void heft_budget_share(HeftWorld* w, const HeftContactStop* stop, double part) {
  Budget* b = &w->budget;
  Constraints* c = w->constraints;
  const uint64_t now = b->deadline_ns ? heft_clock_ns() : 0;
  const uint64_t end = b->deadline_ns ? end_of(b, now, part) : 0;
  double rows = 0, all = 0;
  b->end_ns = end;
  for (int i = 0; i < c->island_count; ++i) all += c->island[i].rows;
  for (int i = 0; i < c->island_count; ++i) {
    Island* island = &c->island[i];
    island->stop = *stop;
    if (island->count == 0) continue;
    rows += island->rows;
    if (heft_rest_is_near(w, island)) island->stop.polish = polish;
    if (b->deadline_ns)
      island->stop.deadline_ns = now + (uint64_t)((double)(end - now) * rows / all);
    if (!b->given) continue;
    const int work = is_over(b) ? 0 : b->given[b->given_next++];
    island->stop.work_max = work > 0 ? work : -1;
  }
}

void heft_budget_note(HeftWorld* w) {
  Budget* b = &w->budget;
  const Constraints* c = w->constraints;
  b->cut = 0;
  for (int i = 0; i < c->island_count; ++i) {
    const Island* island = &c->island[i];
    if (island->count == 0) continue;
    b->cut |= island->result.status == HEFT_CONTACT_DEADLINE;
    if (b->noted_count < b->noted_max) b->noted[b->noted_count++] = island->result.work;
  }
}

int heft_world_work(const HeftWorld* w, int* work, int most) {
  const Budget* b = &w->budget;
  for (int i = 0; i < b->noted_count && i < most; ++i) work[i] = b->noted[i];
  return b->noted_count;
}
