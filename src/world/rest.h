// SPDX-License-Identifier: Apache-2.0
// Rest: islands that do not move are set to rest, and sleep.
#ifndef HEFT_SRC_WORLD_REST_H
#define HEFT_SRC_WORLD_REST_H

#include "base/pool.h"
#include "world/island.h"

/// 1 if an island is slow and small enough to come to rest.
int heft_rest_is_near(const StepInput* in, const Island* island);
/// 1 if a tree of a small island is that slow: impulses are then solved to the last digits, since
/// the tolerance is relative to the fastest contact of the island.
int heft_rest_is_in_part(const StepInput* in, const Island* island);
/// Velocities (nv) of islands that were and are slower than the speed of rest become zero. bias:
/// of the rows. The threads of the pool, if there is one, share the islands.
void heft_rest_settle(const StepInput* in, const IslandSet* islands, const ConstraintSet* set,
                      const double* bias, IslandSolution* solution, double* v, HeftPool* pool);
/// 1 if the solution of an island is known from the last step; impulses and velocities of the
/// request are then written. Otherwise the result gets the hash of the island.
int heft_rest_asleep(const StepInput* in, const HeftDynamics* dynamics, const Island* island,
                     const SleepCache* cache, const SolveRequest* request, IslandResult* result);
/// Stores the islands that this step left unchanged in the cache (nlink).
void heft_rest_fall_asleep(const IslandSet* islands, const ConstraintSet* set,
                           const IslandSolution* solution, SleepCache* cache);

/// Makes the next step solve every island anew. cache: nlink.
void heft_rest_wake_all(SleepCache* cache, int nlink);

#endif
