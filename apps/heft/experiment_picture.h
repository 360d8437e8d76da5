// SPDX-License-Identifier: Apache-2.0
// Pictures of the moments of an experiment, side by side in one file.
#ifndef HEFT_APPS_EXPERIMENT_PICTURE_H
#define HEFT_APPS_EXPERIMENT_PICTURE_H

#include "experiments/lab.h"

typedef struct ExperimentPicture ExperimentPicture;

/// Makes the laboratory draw its moments. NULL where there is nothing to draw with.
ExperimentPicture* experiment_picture_open(Lab* lab, const char* folder);
/// Writes FOLDER/NAME.png if there were moments. NULL is allowed. Returns 0 if that failed.
int experiment_picture_close(ExperimentPicture* picture, const char* folder, const char* name);

#endif
