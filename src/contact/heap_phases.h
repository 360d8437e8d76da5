// SPDX-License-Identifier: Apache-2.0
// Heaps of free bodies: the phases that go first where there are many trees.
#ifndef HEFT_SRC_CONTACT_HEAP_PHASES_H
#define HEFT_SRC_CONTACT_HEAP_PHASES_H

#include "contact/run.h"

/// Solves a heap by sweeps in single precision. Returns 1 if the solve is over: impulse and
/// velocity are those of the result. Otherwise impulse is a start for the other phases if it is
/// better than the warm impulses, which *better tells.
int heap_solve(Run* run, const HeftContactProblem* problem, double* impulse, double* velocity,
               int* better);

#endif
