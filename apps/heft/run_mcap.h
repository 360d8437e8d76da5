// SPDX-License-Identifier: Apache-2.0
// The MCAP log of a run: the compiled model as an attachment, and channels for state, report,
// contacts, joints, controls, sensors, plug-ins and the 3D panel of Foxglove.
#ifndef HEFT_APPS_RUN_MCAP_H
#define HEFT_APPS_RUN_MCAP_H

#include <heft/plugin.h>

typedef struct RunMcap RunMcap;

/// Attachment with the compiled model.
#define RUN_MCAP_MODEL "model.heft"

/// NULL if the file cannot be written; errno has the reason. plugins may be NULL.
RunMcap* run_mcap_open(const char* path, const HeftModel* model, const char* model_path,
                       const HeftPluginSet* plugins);
void run_mcap_step(RunMcap* log, HeftWorld* world, const HeftStepReport* report);
/// Returns 0 if a write failed.
int run_mcap_close(RunMcap* log);

#endif
