// SPDX-License-Identifier: Apache-2.0
// Restitution: the share of the coefficients of restitution that the energy of an impact allows.
#ifndef HEFT_SRC_WORLD_RESTITUTION_H
#define HEFT_SRC_WORLD_RESTITUTION_H

#include "world/impacts.h"

/// The search for the share of one island, in one round of impacts.
typedef struct ShareSearch {
  int solutions;                 ///< of the island in this round
  int side;                      ///< of the last two trials: -1 both below, 1 both above, 0 neither
  double share;                  ///< s of the last solution
  double coefficient;            ///< largest coefficient of restitution; 1 if no friction acts
  double lost;                   ///< energy that the impact removes at s = 0 [J]
  double low, high;              ///< s that is within the bound, s that is not
  double low_above, high_above;  ///< energy above the bound at these [J]
  double full;                   ///< energy above the bound at s = 1 [J]
  double full_energy, full_exchange, full_size;  ///< as RoundEnergy, at s = 1 [J]
  int sweeps, newton_steps, cut;                 ///< of all solutions
} ShareSearch;

/// Memory of the search. The kept solution of an island is the best that is within its bound.
typedef struct Restitution {
  ShareSearch* search;                   ///< nlink: islands
  int* again;                            ///< nlink: not 0 for islands that are solved again
  IslandResult* kept;                    ///< nlink: islands
  double *kept_impulse, *kept_velocity;  ///< rows
} Restitution;

/// Solutions of an island in one round of impacts, at most.
enum { SHARE_SOLUTIONS = 10 };

/// Before the first solution of a round.
void heft_restitution_begin(Restitution* x, const IslandSet* islands);
/// Judges the islands of request->again that were solved, and poses those that must be solved again
/// with a smaller share: x->again. The bias of the round, free (rows, velocities before the round
/// with their bias) and request->velocity change with it. late: 1 if the search must end with what
/// is known, or with no restitution. Returns 0 if there are none.
int heft_restitution_next(Restitution* x, ImpactRound* round, const IslandSet* islands,
                          const SolveRequest* request, IslandResult* results, int late,
                          double* free);
/// Adds the impacts of the islands of a round to the report.
void heft_restitution_report(const Restitution* x, const ImpactRound* round,
                             const IslandSet* islands, const SolveRequest* request,
                             const double* free, HeftStepReport* report);

#endif
