// SPDX-License-Identifier: Apache-2.0
// What `heft run` writes while it steps: CSV, NumPy's .npy or MCAP, by the file's ending.
#ifndef HEFT_APPS_RUN_LOG_H
#define HEFT_APPS_RUN_LOG_H

#include <heft/world.h>

typedef struct RunLog RunLog;

/// NULL, and said why on stderr, if the file cannot be written or its ending is not known.
RunLog* run_log_open(const char* path, const HeftModel* model);
void run_log_step(RunLog* log, const HeftWorld* world, const HeftStepReport* report);
/// 0, and said so on stderr, if not everything could be written. NULL is allowed.
int run_log_close(RunLog* log);

#endif
