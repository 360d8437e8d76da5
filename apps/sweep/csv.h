// SPDX-License-Identifier: Apache-2.0
// Tables of numbers as CSV: a line of names, then lines of as many numbers. Any bytes are allowed
// as input; limits bound memory.
#ifndef HEFT_APPS_SWEEP_CSV_H
#define HEFT_APPS_SWEEP_CSV_H

#include <heft/base.h>

enum { CSV_COLUMNS_MAX = 4096, CSV_BYTES_MAX = 256 << 20 };

typedef struct Csv {
  char* text;  ///< memory of the names
  const char* name[CSV_COLUMNS_MAX];
  int columns;
  double* number;  ///< rows x columns
  int64_t rows;
} Csv;

/// Reads a table. On failure *out is empty, and error has file, line and column.
HeftStatus csv_read(Csv* out, const char* bytes, size_t size, const char* file, HeftError* error);
/// As csv_read(), but a table without rows is good.
HeftStatus csv_read_any(Csv* out, const char* bytes, size_t size, const char* file,
                        HeftError* error);
/// As csv_read(), but fields may be empty, except for the first of a row: NAN.
HeftStatus csv_read_gaps(Csv* out, const char* bytes, size_t size, const char* file,
                         HeftError* error);
void csv_release(Csv* csv);
/// Index of a column by its name, -1: there is none.
int csv_find(const Csv* csv, const char* name);

#endif
