// SPDX-License-Identifier: Apache-2.0
// The stages of a solve, and all their numbers. stages.c has the order.
#ifndef HEFT_SRC_CONTACT_STAGES_H
#define HEFT_SRC_CONTACT_STAGES_H

#include "contact/run.h"

/// One stage: a method with a limited effort.
typedef struct Stage {
  const char* name;
  int (*applies)(Run* run, int round);  ///< 1 if the problem at hand has this stage in this round
  int (*run)(Run* run, int round);      ///< returns 1 when the solve is over
} Stage;

/// Numbers that can be tuned. Each trades effort on one kind of problem for effort on another;
/// docs/internals/contact.md has the effect of half and twice its value, as measured by
/// bench/tune_constants.py.
typedef struct StageNumbers {
  int trees_equal;   ///< trees up to which the solution of equal compliance is sought
  int trees_points;  ///< trees up to which proximal points follow after a few sweeps
  int costly;        ///< sweeps for the price of a Newton step, from which sweeps go on for longer
  int unit;          ///< sweeps in single precision that count as one unit of effort
  int refresh;       ///< sweeps until velocities are computed anew: rounding adds up in them
  int sweeps_few;    ///< sweeps that find contact states for Newton steps
  int sweeps_many;   ///< sweeps that approach the solution where Newton steps are costly or fail
  int patience;      ///< sweeps or steps without a halved residual after which a stage ends
  int steps_point;   ///< Newton steps towards one proximal point
  int steps_many;    ///< Newton steps of a stage
  int steps_equal;   ///< Newton steps towards one point of equal compliance
  int points_equal;  ///< such points that follow each other until the tolerance is met
  double kappa_equal;   ///< κ of equal compliance, relative to w: below the usual tolerance
  double kappa_soft;    ///< κ of a softer problem before it
  double kappa_polish;  ///< κ beyond the tolerance: rounding of u adds its 1/κ to r
  double kappa_points;  ///< first κ of proximal points: few steps against short ones
  double kappa_far;     ///< the same far from a solution, and of rounded cones
  double kappa_fall;    ///< factor of κ after a point whose residual fell below `far` of the last
  double kappa_slow;    ///< the same after one that gained less
  double kappa_rise;    ///< and after one that was not reached
  double near;      ///< relative residual below which contact states are trusted, though some slip
  double far;       ///< the same if all stick
  double rounded;   ///< how far cones are rounded, relative to the residual
  double done;      ///< error of a proximal point that is good enough, relative to the tolerance
  double at_limit;  ///< of the square of a radius: a point so close to it is at its limit
} StageNumbers;

static const StageNumbers N = {
    .trees_equal = 16,
    .trees_points = 1000,
    .costly = 25,
    .unit = 4,
    .refresh = 64,
    .sweeps_few = 8,
    .sweeps_many = 300,
    .patience = 30,
    .steps_point = 25,
    .steps_many = 200,
    .steps_equal = 16,
    .points_equal = 4,
    .kappa_equal = 1e-7,
    .kappa_soft = 1e-3,
    .kappa_polish = 1e-5,
    .kappa_points = 0.01,
    .kappa_far = 0.1,
    .kappa_fall = 0.3,
    .kappa_slow = 0.5,
    .kappa_rise = 5,
    .near = 1e-3,
    .far = 0.1,
    .rounded = 0.3,
    .done = 0.3,
    .at_limit = 1e-6,
};

/// 1 if the caller's method has Newton steps.
static inline int stage_may_use_newton(const Run* run) {
  return run->s->def.method == HEFT_CONTACT_METHOD_AUTO ||
         run->s->def.method == HEFT_CONTACT_METHOD_NEWTON;
}

/// The limit of a stage in a round: it doubles from round to round.
static inline int stage_grown(int count, int round) { return count << (round < 20 ? round : 20); }

/// Runs the stages until the solve is over: run->result.status states how, run->s->best has the
/// impulses, or run->impulse and run->velocity have them already (run->loaded == 0).
void stages_run(Run* run);
/// Continues after the tolerance is met, until the residual is as good as rounding.
void stages_polish(Run* run);
/// The effort beyond which a problem of its kind gains little.
int stages_usual_effort(const HeftContactProblem* problem);
/// The effort of a Newton step in sweeps. INT_MAX: there is no memory for Newton steps.
int newton_cost(Run* run);

// The stages, in order.

/// The warm impulses, if they are the solution. Otherwise lays out the memory.
int warm_run(Run* run, int round);
/// Heaps of free bodies: sweeps in single precision (stage_heap.c).
int heap_applies(Run* run, int round);
int heap_run(Run* run, int round);
/// Loads the core, and starts from the warm impulses, or from zero if that has less residual.
int load_run(Run* run, int round);
/// The solution of equal compliance, whatever the warm impulses are (stage_equal.c).
int equal_applies(Run* run, int round);
int equal_run(Run* run, int round);
/// Sweeps with extrapolation (stage_sweeps.c).
int sweeps_run(Run* run, int round);
/// Proximal points by Newton steps (stage_points.c).
int points_apply(Run* run, int round);
int points_run(Run* run, int round);
/// Newton steps with rounded cones (stage_cones.c).
int cones_apply(Run* run, int round);
int cones_run(Run* run, int round);

// Parts that others use.

/// Returns whether a problem is one of those that have the solution of equal compliance.
int equal_fits(const HeftContactSolverDef* def, const HeftContactProblem* problem);
/// Returns whether warm impulses that meet the law may be kept: no point is at its limit, and the
/// bodies are at rest, or all touching points carry load, so that the motion is determined. u:
/// velocities (rows).
int equal_keeps(const HeftContactProblem* problem, const double* u, double tolerance);
/// equal_run() where core->r is a solution already, which other stages have found.
void equal_again(Run* run);
/// At most `count` plain sweeps, evaluated at the end. Returns 1 when the solve is over.
int sweeps_plain(Run* run, int count);
/// Newton steps towards proximal points of κ and less, from the present r.
int points_from(Run* run, int round, double kappa);

#endif
