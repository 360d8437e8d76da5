// SPDX-License-Identifier: Apache-2.0
// Changes that may make an object hold: its friction, its mass, the grip on it, pushes, its place.
#ifndef HEFT_APPS_WHY_REMEDIES_H
#define HEFT_APPS_WHY_REMEDIES_H

#include "why/trial.h"

/// Lists changes, each up to a large one, at most `capacity`. Returns how many.
int why_remedies(const WhyRun* run, const WhyEvent* event, int object, WhyChange* out,
                 int capacity);

#endif
