// SPDX-License-Identifier: Apache-2.0
// One solve: its data, its best iterate, and its limits.
#ifndef HEFT_SRC_CONTACT_RUN_H
#define HEFT_SRC_CONTACT_RUN_H

#include <heft/contact.h>

#include "contact/core/bodies.h"
#include "contact/core/core.h"
#include "contact/core/incidence.h"
#include "contact/newton/newton.h"
#include "contact/sweep/anderson.h"
#include "contact/sweep/float_sweep.h"

// Relative residuals.
static const double RESTING = 1e-9,  // bodies at rest keep warm impulses that are so good
    POLISHED = 1e-12;                // as good as rounding

struct HeftContactSolver {
  HeftContactSolverDef def;
  size_t bytes, kept;  // all memory, and what of it stays from solve to solve
  Arena memory;        // of a solve; what a solve does not need is for the Newton factor
  Core core;
  Anderson anderson;
  FloatSweep sweep;
  Incidence incidence;  // of the problem at hand, if it is large
  Newton newton;
  Bodies bodies;
  double *best, *u;
};

enum { EFFORT_LONG = 100000 };  // of a caller who waits

// The clock of a solve with a deadline.
typedef struct RunClock {
  uint64_t deadline;   // when to start returning the result, 0: none
  uint64_t mark;       // start of the present unit of effort
  uint64_t longest;    // duration of the longest recent unit [ns]
  uint64_t search_ns;  // of all units
  int over;            // some effort was refused because of it; all effort that follows is, too
} RunClock;

typedef struct Run {
  HeftContactSolver* s;
  HeftContactProblem p;        // in the form and with the start that the solver chose
  double *impulse, *velocity;  // the caller's; velocity may be NULL
  int heap;                    // the stage of heaps has swept: impulse is a start
  int loaded;                  // s->core has the problem
  const HeftContactTermination* stop;
  HeftContactResult result;
  double best;   // relative residual of s->best
  double last;   // and of the iterate evaluated last
  double steep;  // the largest coefficient of friction, or 1: û has tangential velocities so often
  int known;     // core.twists holds the twists of the effectors with the warm impulses
  int hot;       // the group of contacts that was worst
  int effort_max;
  RunClock clock;
  int fresh;  // z and s->u belong to s->best, and carry no rounding of long runs of sweeps
} Run;

/// Starts from the warm impulses if they are in the cones, or from zero if that has less residual.
void run_start(Run* run);
/// Stores (r, z) if it is the best so far. Returns 1 when the tolerance is met. `age`: sweeps since
/// z was computed afresh from r.
int run_judge(Run* run, int age);
/// As run_judge(); a residual above `limit` need not be exact.
int run_judge_until(Run* run, int age, double limit);
/// Spends `cost` units of effort. Returns 0, and spends none, if that would exceed the effort or
/// the deadline. Effort is spent only here and before it is used, and no stage asks why it was
/// refused: so a solve that may spend as much as an earlier one did has the same bits, whatever
/// ended that.
int run_spend(Run* run, int cost);
/// Sets r and z to the best iterate.
void run_restore_best(Run* run);

#endif
