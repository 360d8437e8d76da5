// SPDX-License-Identifier: Apache-2.0
// One solve: what it works on, how far it has come, and when it must stop.
#ifndef HEFT_SRC_CONTACT_RUN_H
#define HEFT_SRC_CONTACT_RUN_H

#include <heft/contact.h>

#include "contact/core/bodies.h"
#include "contact/core/core.h"
#include "contact/newton/newton.h"
#include "contact/newton/small_newton.h"
#include "contact/sweep/anderson.h"

static const double POLISHED = 1e-12;  // relative residual that is as good as rounding

struct HeftContactSolver {
  HeftContactSolverDef def;
  size_t bytes;
  Core core;
  Anderson anderson;
  Newton newton;
  SmallNewton small;
  Bodies bodies;
  double *best, *u;
};

typedef struct Run {
  HeftContactSolver* s;
  const HeftContactTermination* stop;
  HeftContactResult result;
  double best;  // relative residual of s->best
  double last;  // and of the iterate that was looked at last
  int known;    // core.twists holds what the warm impulses make of the effectors
  int hot;      // the group of contacts that was worst
  int effort_max;
  uint64_t deadline;  // when to begin with handing out, 0: none
  uint64_t mark;      // when the present unit of work was begun
  uint64_t longest;   // the longest of late [ns]
  int fresh;          // z and s->u belong to s->best, and carry no rounding of long runs of sweeps
} Run;

/// From the warm impulses if they are any good, otherwise from the better of them and zero.
void run_start(Run* run, const HeftContactProblem* problem);
/// The warm impulses, in their cones, and z, which may be known already.
void run_start_warm(Run* run);
/// Keeps (r, z) if it is the best so far. Returns 1 when the tolerance is met. `age`: sweeps since
/// z was computed from r alone.
int run_judge(Run* run, int age);
/// The same, where nobody needs to know a residual above `limit`.
int run_judge_until(Run* run, int age, double limit);
/// Returns 1 when work or time is up: another `cost` units would be too many.
int run_spent(Run* run, int cost);
/// r and z become those of the best iterate.
void run_restore_best(Run* run);

#endif
