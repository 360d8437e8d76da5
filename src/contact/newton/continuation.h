// SPDX-License-Identifier: Apache-2.0
// Continuation from a proximal problem to the law, around turning points.
#ifndef HEFT_SRC_CONTACT_NEWTON_CONTINUATION_H
#define HEFT_SRC_CONTACT_NEWTON_CONTINUATION_H

#include "contact/newton/newton.h"

typedef struct Path {
  double kappa, tau;  // at λ = 0; tau in [m/s]
  double scale;       // norms are relative to this
  double lambda;      // of the last point
  double turn;        // change of λ along the tangent
  double length;      // of the step under way
  double at, merit;   // λ and |F| of the trial, newton->point
  int tries;          // corrections of the trial
  int arrived;        // 1 after the solution at λ = 0 was reached
  int side;           // sign of turn · det, constant along the curve
} Path;

/// Result of one step: PATH_ON, the correction continues; PATH_POINT, core->r is a new point;
/// PATH_LOST, the curve was lost or returned to its start.
typedef enum PathEnd { PATH_ON, PATH_POINT, PATH_LOST } PathEnd;

/// Starts at core->r, with proximal parameter kappa (relative to w_i) and cones rounded by tau,
/// relative to the reference velocity. Returns 0 if there is not enough memory.
int path_start(Path* path, Newton* newton, Core* core, double kappa, double tau);
/// One correction with one factorisation.
PathEnd path_step(Path* path, Newton* newton, Core* core);

#endif
