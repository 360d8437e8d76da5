// SPDX-License-Identifier: Apache-2.0
// Which contacts act on an effector.
//
// Adding up wrenches contact by contact writes to any effector at any time, which threads cannot
// share. Effector by effector each sum has one writer, and contacts in the order of the problem
// give it the same bits.
#ifndef HEFT_SRC_CONTACT_CORE_INCIDENCE_H
#define HEFT_SRC_CONTACT_CORE_INCIDENCE_H

#include <heft/contact.h>

#include "base/arena.h"

/// Contacts from which a problem has an incidence.
enum { INCIDENCE_MIN = 1024 };

typedef struct Incidence {
  int* first;  // (effectors + 1) where the entries of each effector begin
  int* entry;  // (2 per contact) 2 contact + side, rising; NULL: there is none
} Incidence;

void incidence_take(Incidence* incidence, Arena* arena, int constraints, int effectors);
/// Fills it from a problem by effectors.
void incidence_make(Incidence* incidence, const HeftContactProblem* problem);

#endif
