// SPDX-License-Identifier: Apache-2.0
// Tables of numbers as Parquet files, written in a stream: rows go to the file in groups, so that
// the memory does not grow with the table, and a reader fetches the parts of the columns it needs.
// Heft only writes this format.
#ifndef HEFT_APPS_SWEEP_PARQUET_H
#define HEFT_APPS_SWEEP_PARQUET_H

#include <stdio.h>

#include "sweep/hdf5.h"

typedef struct ParquetColumn {
  char name[80];
  const char* unit;
  Hdf5Type type;
} ParquetColumn;

typedef struct Parquet Parquet;

/// Begins a file. Columns and attributes must outlive it. NULL: no memory.
Parquet* parquet_begin(FILE* file, const ParquetColumn* columns, int column_count,
                       const Hdf5Attribute* attributes, int attribute_count);
/// Room for the next number of a column, 8 bytes; parquet_next() takes the row.
uint64_t* parquet_number(Parquet* p, int column);
/// Ends a row. 0, with errno: the file or the memory is full.
int parquet_next(Parquet* p);
/// Writes what is left and the footer, and releases p, which may be NULL. 0, with errno: the file
/// is not complete.
int parquet_end(Parquet* p);

#endif
