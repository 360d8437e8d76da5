// SPDX-License-Identifier: Apache-2.0
// Colours are chosen as in core/colouring.c: the lowest one that neither body has yet in this job,
// in the order of the problem.
#include "contact/sweep/heap_order.h"
#include "base/assert.h"

#include <string.h>

enum { COLOURS = 64 };

// Each run may end in a group that is not full.
int heap_order_groups_max(int constraints, int size) {
  const int runs = constraints < COLOURS ? constraints : COLOURS;
  const int more = heft_domains_count(constraints) > 1 ? constraints / (8 * size) : 0;
  return constraints / size + runs + more;
}

void heap_order_take(HeapOrder* o, Arena* arena, int constraints, int bodies) {
  o->run = arena_take(arena, constraints + 1, int);
  o->used = arena_take(arena, (size_t)bodies * (size_t)heft_domains_count(constraints), uint64_t);
  o->colour = arena_take(arena, constraints, unsigned char);
}

// Returns 0 if a contact finds none.
static int choose_colours(const HeapOrder* o, const HeftContactProblem* p, int (*count)[COLOURS]) {
  const Domains* d = &o->domains;
  memset(o->used, 0, sizeof(uint64_t) * (size_t)p->effector_count * (size_t)d->count);
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    int domain[2];
    uint64_t used = 0, *mask[2] = {NULL, NULL};
    heft_domains_of_pair(d, c->effector, domain);
    for (int s = 0; s < 2; ++s) {
      if (c->effector[s] < 0) continue;
      mask[s] = o->used + (size_t)c->effector[s] * (size_t)d->count + domain[1 - s];
      used |= *mask[s];
    }
    if (!~used) return 0;
    const int colour = __builtin_ctzll(~used);
    HEFT_ASSERT(colour >= 0 && colour < COLOURS);
    for (int s = 0; s < 2; ++s) {
      if (mask[s]) *mask[s] |= (uint64_t)1 << colour;
    }
    o->colour[i] = (unsigned char)colour;
    ++count[d->job_of[domain[0]][domain[1]]][colour];
  }
  return 1;
}

// Runs in the order of jobs and colours; count becomes the first place of each.
static void lay_out_runs(HeapOrder* o, int size, int (*count)[COLOURS]) {
  int runs = 0, group = 0;
  for (int j = 0; j < o->domains.jobs; ++j) {
    o->job[j] = runs;
    for (int c = 0; c < COLOURS; ++c) {
      const int contacts = count[j][c];
      count[j][c] = size * group;
      if (contacts == 0) continue;
      o->run[runs++] = group;
      group += (contacts + size - 1) / size;
    }
  }
  o->job[o->domains.jobs] = runs;
  o->run[runs] = o->groups = group;
}

static int order_by(HeapOrder* o, const HeftContactProblem* p, int domains, int size, int* source) {
  int count[JOBS_MAX][COLOURS] = {{0}};
  const Domains* d = &o->domains;
  o->domains = heft_domains_make(domains, p->effector_count);
  if (!choose_colours(o, p, count)) return 0;
  lay_out_runs(o, size, count);
  HEFT_ASSERT(o->run[o->job[d->jobs]] == o->groups);
  if (o->groups > heap_order_groups_max(p->constraint_count, size)) return 0;
  for (int k = 0; k < size * o->groups; ++k) source[k] = -1;
  for (int i = 0; i < p->constraint_count; ++i) {
    int domain[2];
    heft_domains_of_pair(d, p->constraints[i].effector, domain);
    source[count[d->job_of[domain[0]][domain[1]]][o->colour[i]]++] = i;
  }
  return 1;
}

int heap_order_make(HeapOrder* o, const HeftContactProblem* p, int size, int* source) {
  const int domains = heft_domains_count(p->constraint_count);
  return order_by(o, p, domains, size, source) || (domains > 1 && order_by(o, p, 1, size, source));
}
