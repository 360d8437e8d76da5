// SPDX-License-Identifier: Apache-2.0
// The body that came nearest to slipping in a run: the largest share of its friction that it needed
// (heft_world_friction_needed()), over the steps that were looked at.
#ifndef HEFT_APPS_CLOSEST_H
#define HEFT_APPS_CLOSEST_H

#include <heft/heft.h>

typedef struct Closest {
  long every;     ///< looks at each so many-th step
  long step;      ///< steps seen
  int logged;     ///< 1: `now` is wanted, too
  double now;     ///< if so: the largest share of the last step that was looked at
  double needed;  ///< factor of all coefficients of friction
  double when;    ///< time of it [s]
  int body;       ///< root of its tree; 0: none needed friction
  int pair[2];    ///< bodies of a contact of this tree
} Closest;

/// After a step.
void closest_step(Closest* closest, HeftWorld* world);

#endif
