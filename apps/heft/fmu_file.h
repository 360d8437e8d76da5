// SPDX-License-Identifier: Apache-2.0
// A model as an FMU: a co-simulation unit of FMI 3.0 that other programs step (apps/fmu).
#ifndef HEFT_APPS_FMU_FILE_H
#define HEFT_APPS_FMU_FILE_H

#include <heft/model.h>

/// Writes an FMU. 0: failed (reported).
int fmu_file_write(const HeftModel* model, const char* path);

#endif
