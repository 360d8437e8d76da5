// SPDX-License-Identifier: Apache-2.0
// The log of any engine as CSV, for the referee: a table of states and, if the engine has them, a
// table of contact forces.
#ifndef HEFT_APPS_JUDGE_RUN_TABLE_H
#define HEFT_APPS_JUDGE_RUN_TABLE_H

#include "judge/referee.h"
#include "sweep/csv.h"

typedef struct RunTable RunTable;

/// Opens the tables. contacts may be NULL: forces are inferred. They must outlive it. Names are for
/// messages.
HeftStatus run_table_open(RunTable** out, const HeftModel* model, const Csv* states,
                          const char* states_name, const Csv* contacts, const char* contacts_name,
                          HeftError* error);
void run_table_close(RunTable* table);
int64_t run_table_rows(const RunTable* table);
/// Reads row i; rows are read in rising order. The pointers of the row live until the next call. 0:
/// damaged.
int run_table_read(RunTable* table, int64_t i, RefereeRow* out, HeftError* error);

#endif
