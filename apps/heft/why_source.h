// SPDX-License-Identifier: Apache-2.0
// The runs that heft why repeats: a recorded session, the log of a run, or a model from its start.
#ifndef HEFT_APPS_WHY_SOURCE_H
#define HEFT_APPS_WHY_SOURCE_H

#include "model_options.h"
#include "why/trial.h"

typedef struct WhySource {
  WhyRun run;
  HeftModel* model;    ///< NULL: of the replay
  HeftReplay* replay;  ///< of a session, or NULL
} WhySource;

/// Opens a file. seconds and key: of a model that is simulated from its start; key may be NULL.
/// 0: failed (reported). Release by why_source_release() in both cases.
int why_source_open(WhySource* out, ModelOptions* options, const char* path, double seconds,
                    const char* key);
void why_source_release(WhySource* source);

#endif
