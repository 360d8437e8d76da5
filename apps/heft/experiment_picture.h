// SPDX-License-Identifier: Apache-2.0
// Pictures of selected instants of an experiment, side by side in one file.
#ifndef HEFT_APPS_EXPERIMENT_PICTURE_H
#define HEFT_APPS_EXPERIMENT_PICTURE_H

#include "experiments/lab.h"

typedef struct ExperimentPicture ExperimentPicture;

/// Makes the laboratory draw its instants. NULL if the viewer was not built.
ExperimentPicture* experiment_picture_open(Lab* lab, const char* folder);
/// Writes FOLDER/NAME.png if there were instants. NULL is allowed. Returns 0 on failure.
int experiment_picture_close(ExperimentPicture* picture, const char* folder, const char* name);

#endif
