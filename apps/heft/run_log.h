// SPDX-License-Identifier: Apache-2.0
// Logs of `heft run`: CSV, .npy of NumPy, MCAP or a bag of ROS 2, selected by the extension of the
// file.
#ifndef HEFT_APPS_RUN_LOG_H
#define HEFT_APPS_RUN_LOG_H

#include <heft/plugin.h>

typedef struct RunLog RunLog;

/// model_path: the file of the model, for the reader of the log. plugins: their values are columns,
/// too; NULL: none. needed: of friction, a column as well; NULL: none. NULL if the file cannot be
/// written or its extension is unknown (reported on stderr).
RunLog* run_log_open(const char* path, const HeftModel* model, const char* model_path,
                     const HeftPluginSet* plugins, const double* needed);
/// One row, after a step or at the start.
void run_log_step(RunLog* log, HeftWorld* world, const HeftStepReport* report);
/// Returns 0 if a write failed (reported on stderr). NULL is allowed.
int run_log_close(RunLog* log);

#endif
