// SPDX-License-Identifier: Apache-2.0
// Scenes of `heft bench motion` that are written when they are needed, in any size.
#ifndef HEFT_APPS_MOTION_SCENES_H
#define HEFT_APPS_MOTION_SCENES_H

#include <stdio.h>

typedef void MotionWriter(FILE* out, int size);

void motion_write_boxes(FILE* out, int size);     ///< separate boxes on a floor
void motion_write_balls(FILE* out, int size);     ///< columns of balls in a bin, which collapse
void motion_write_mixed(FILE* out, int size);     ///< boxes, capsules and balls over a bin
void motion_write_belt(FILE* out, int size);      ///< a ring of links around two pulleys
void motion_write_dominoes(FILE* out, int size);  ///< a row; the keyframe tips the first

#endif
