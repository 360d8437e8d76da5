// SPDX-License-Identifier: Apache-2.0
// Logs of `heft run`: CSV, .npy of NumPy or MCAP, selected by the extension of the file.
#ifndef HEFT_APPS_RUN_LOG_H
#define HEFT_APPS_RUN_LOG_H

#include <heft/plugin.h>

typedef struct RunLog RunLog;

/// plugins: their values are columns, too; NULL: none. NULL if the file cannot be written or its
/// extension is unknown (reported on stderr).
RunLog* run_log_open(const char* path, const HeftModel* model, const HeftPluginSet* plugins);
void run_log_step(RunLog* log, const HeftWorld* world, const HeftStepReport* report);
/// Returns 0 if a write failed (reported on stderr). NULL is allowed.
int run_log_close(RunLog* log);

#endif
