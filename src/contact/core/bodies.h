// SPDX-License-Identifier: Apache-2.0
// The bodies behind an operator that is given by blocks.
#ifndef HEFT_SRC_CONTACT_CORE_BODIES_H
#define HEFT_SRC_CONTACT_CORE_BODIES_H

#include <heft/contact.h>

#include "base/arena.h"

typedef struct Bodies {
  int constraint_capacity, block_capacity, body_max;
  int found;        // bodies so far
  double* left;     // (9 per block) W without the bodies found so far
  int* linked;      // (blocks) 1: this block is not zero yet
  int* links;       // (contacts) number of these blocks
  int* sides;       // (contacts) bodies found for it, 0 to 2
  double* scale;    // (contacts) trace of W_ii / 3
  int* place;       // (contacts) its place in the present body, or -1
  int* member;      // (contacts) contacts of the present body; unshared ones first
  double* rows;     // (18 per contact) their rows of J
  double* columns;  // (24 per contact) the same by six columns of four
  double* rest;     // (3 per contact) remainder of the diagonal of W
  int* queue;       // (contacts) contacts with one known and one unknown body
  int queued, taken;
  double worst;  // largest remainder of W, relative
  HeftConstraintBlock* constraints;
  HeftContactTree* trees;
  double* jacobian;
  double unit[36];
  HeftContactProblem problem;
} Bodies;

/// Memory for problems of that size; none if one of the numbers is zero.
void bodies_take(Bodies* bodies, Arena* arena, int constraints, int blocks, int effectors);
/// The given problem by effectors, one for each body that its blocks come from, if all of them are
/// found and explain the blocks to within `accuracy`, relative; otherwise NULL. It points into
/// `bodies` and to arrays of the given problem.
const HeftContactProblem* bodies_find(Bodies* bodies, const HeftContactProblem* problem,
                                      double accuracy);

#endif
