// SPDX-License-Identifier: Apache-2.0
// Free bodies that have sunk into each other, moved apart: the correction's problem where it is
// large and plain.
#ifndef HEFT_SRC_WORLD_APART_H
#define HEFT_SRC_WORLD_APART_H

#include "world/world_internal.h"

/// 1 if the island is large, its bodies are free, and nothing but touches at single points holds
/// them.
int heft_apart_fits(const HeftWorld* world, const Island* island);
/// Impulses (rows) along the normals that give every touch at least the speed that
/// constraints->velocity lacks. Ω of the island's trees must be worked out. Stops as island->stop
/// says, and writes island->result.
void heft_apart_solve(const HeftWorld* world, Island* island, double* scratch, double* impulse);
/// Doubles of scratch for so many constraints and effectors.
size_t heft_apart_scratch(int constraints, int effectors);

#endif
