// SPDX-License-Identifier: Apache-2.0
// Columns of stored results in memory, and the cells into which their values fall, for tables and
// pictures.
#ifndef HEFT_APPS_SWEEP_DATA_H
#define HEFT_APPS_SWEEP_DATA_H

#include "sweep/sweep.h"

typedef struct SweepData {
  const Sweep* sweep;
  int64_t capacity;                   ///< runs at most; 0: all of the plan
  int64_t runs, chunks;               ///< that were read
  int64_t* run;                       ///< if not NULL: gets the number of each run
  double* column[SWEEP_COLUMNS_MAX];  ///< of columns that were asked for; NULL: not
} SweepData;

/// Asks for a column. 0: no memory (reported).
int sweep_data_ask(SweepData* data, int column);
/// Reads the columns that were asked for from the chunks that are stored; of those, every one of
/// `stride`. 0: a file is wrong (reported).
int sweep_data_load(SweepData* data, const char* folder, int64_t stride);
void sweep_data_release(SweepData* data);

/// The axis of a column.
typedef struct SweepRange {
  double low, high;
  int logarithmic;
} SweepRange;

SweepRange sweep_range(const SweepData* data, int column);
/// The share of the axis at which a value lies, 0 to 1.
double sweep_range_share(const SweepRange* range, double x);
/// The value at a share of the axis, 0 to 1.
double sweep_range_value(const SweepRange* range, double share);
/// The cell of a value among `bins` cells; -1: it is not a finite number.
int sweep_range_bin(const SweepRange* range, double x, int bins);

#endif
