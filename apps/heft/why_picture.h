// SPDX-License-Identifier: Apache-2.0
// The picture of an answer: the force of the pair in its cone, the friction that the object needs
// over time, and the way that the pair moves; of the run, and of the reference.
#ifndef HEFT_APPS_WHY_PICTURE_H
#define HEFT_APPS_WHY_PICTURE_H

#include "why/cause.h"

/// Draws an answer in which something gave way, as SVG. 0: failed (reported).
int why_picture_write(const char* path, const WhyQuestion* question, const WhyAnswer* answer,
                      const char* title, const char* note);

#endif
