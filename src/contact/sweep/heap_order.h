// SPDX-License-Identifier: Apache-2.0
// The order in which the sweeps over a heap visit its contacts: by domains, so that threads can
// share a sweep, and within a job by colours, so that contacts of a group share no body.
#ifndef HEFT_SRC_CONTACT_SWEEP_HEAP_ORDER_H
#define HEFT_SRC_CONTACT_SWEEP_HEAP_ORDER_H

#include <heft/contact.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/domains.h"

typedef struct HeapOrder {
  Domains domains;
  int groups;             // of all runs
  int job[JOBS_MAX + 1];  // first run of each job
  int* run;               // (runs + 1) first group of each run: groups of one colour
  uint64_t* used;         // scratch: colours that a body has, for each domain that it meets
  unsigned char* colour;  // (contacts) scratch
} HeapOrder;

/// Max number of groups of `size` contacts for which there must be room.
int heap_order_groups_max(int constraints, int size);
void heap_order_take(HeapOrder* order, Arena* arena, int constraints, int bodies);
/// Orders the contacts of a heap, whose effectors are its bodies, in groups of `size`. source: the
/// contact at each place, -1 for a filler. Returns 0 if there are not enough colours.
int heap_order_make(HeapOrder* order, const HeftContactProblem* problem, int size, int* source);

#endif
