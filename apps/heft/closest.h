// SPDX-License-Identifier: Apache-2.0
// The body that came nearest to slipping in a run: the largest share of its friction that it needed
// (heft_world_friction_needed()), over the steps that were looked at.
#ifndef HEFT_APPS_CLOSEST_H
#define HEFT_APPS_CLOSEST_H

#include <heft/heft.h>

typedef struct Closest {
  long every;     ///< looks at each so many-th step
  long step;      ///< steps seen
  double needed;  ///< factor of all coefficients of friction
  double when;    ///< time of it [s]
  int body;       ///< root of its tree; 0: none needed friction
} Closest;

/// After a step.
void closest_step(Closest* closest, HeftWorld* world);

#endif
