// SPDX-License-Identifier: Apache-2.0
// Pictures of selected instants of an experiment, side by side in one file, and films.
#ifndef HEFT_APPS_EXPERIMENT_PICTURE_H
#define HEFT_APPS_EXPERIMENT_PICTURE_H

#include "experiments/lab.h"

typedef struct ExperimentPicture ExperimentPicture;

/// Makes the laboratory draw its instants. NULL if the viewer was not built.
ExperimentPicture* experiment_picture_open(Lab* lab, const char* folder);
/// Writes FOLDER/NAME.png if there were instants. NULL is allowed. Returns 0 on failure.
int experiment_picture_close(ExperimentPicture* picture, const char* folder, const char* name);

/// Makes the laboratory draw all that follows into FOLDER/NAME.mp4, from models in `models`. NULL
/// if the viewer was not built or the film cannot be written (reported).
ExperimentPicture* experiment_film_open(Lab* lab, const char* models, const char* folder,
                                        const char* name);
/// NULL is allowed. Returns 0 on failure (reported).
int experiment_film_close(ExperimentPicture* film);

#endif
