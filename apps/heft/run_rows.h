// SPDX-License-Identifier: Apache-2.0
// The rows of a log, whatever its format: MCAP of Heft, or CSV of any engine.
#ifndef HEFT_APPS_RUN_ROWS_H
#define HEFT_APPS_RUN_ROWS_H

#include "judge/run_table.h"
#include "run_read.h"

typedef struct RunRows {
  const HeftModel* model;  ///< of the caller, or own
  HeftModel* own;          ///< of an MCAP file, or NULL
  int64_t rows;
  RefereeRow row;  ///< read last
  // MCAP
  RunRead* run;
  HeftViewFrame frame;
  RefereeContact* contact;
  // CSV
  Csv states, contacts;
  RunTable* table;
} RunRows;

/// Opens a log. contacts: CSV of contact forces, for a log in CSV; may be NULL. model may be NULL
/// for an MCAP file. 0 on failure, with error.
int run_rows_open(RunRows* out, const char* path, const char* contacts, const HeftModel* model,
                  HeftError* error);
void run_rows_close(RunRows* rows);
/// Reads a row; rows are read in rising order. 0: damaged, with error.
int run_rows_read(RunRows* rows, int64_t row, HeftError* error);

#endif
