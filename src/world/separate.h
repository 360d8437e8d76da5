// SPDX-License-Identifier: Apache-2.0
// Separation of free bodies that penetrate each other: the position correction of large islands of
// single contact points.
#ifndef HEFT_SRC_WORLD_SEPARATE_H
#define HEFT_SRC_WORLD_SEPARATE_H

#include "world/island.h"

/// 1 if the island is large, its bodies are free, and only contact points with friction act on
/// them, one for each pair of shapes.
int heft_separate_fits(const ConstraintSet* set, const IslandSet* islands, const Island* island);
/// Impulses along the normals that give every contact point at least the velocity that
/// request->velocity lacks. Ω of the island must be computed; its share of the Jacobian is used as
/// scratch. Stops as solved->stop asks, and writes solved->result. pool: threads that share the
/// work, or NULL.
void heft_separate_solve(const SolveRequest* request, const IslandSet* islands,
                         const Island* island, const IslandProblem* problem, HeftPool* pool,
                         double* scratch, IslandResult* solved);
/// Doubles of `scratch` for so many constraints and effectors.
size_t heft_separate_scratch(int constraints, int effectors);

#endif
