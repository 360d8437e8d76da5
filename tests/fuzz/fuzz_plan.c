// SPDX-License-Identifier: Apache-2.0
// Plans of sweeps and tables in CSV: any bytes are read or refused.
#include <stdint.h>
#include <stdlib.h>

#include "sweep/csv.h"
#include "sweep/plan.h"
#include "sweep/sample.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  HeftError error = {0};
  Plan* plan = NULL;
  Csv csv;
  // A folder that is not there: plans must not read files of this machine.
  if (plan_read_bytes(&plan, (const char*)bytes, size, "/nowhere/at/all/plan.toml", 1, &error) ==
      HEFT_OK) {
    double values[PLAN_VARY_MAX];
    sample_run(plan, 0, values);
    sample_run(plan, plan->runs - 1, values);
    if (plan_chunk_runs(plan, plan_chunk_count(plan) - 1) < 1) abort();
  }
  plan_destroy(plan);
  if (csv_read(&csv, (const char*)bytes, size, "table.csv", &error) == HEFT_OK) csv_release(&csv);
  if (csv_read_gaps(&csv, (const char*)bytes, size, "table.csv", &error) == HEFT_OK)
    csv_release(&csv);
  return 0;
}
