// SPDX-License-Identifier: Apache-2.0
#include "sweep/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"

typedef struct CsvReader {
  const char *at, *end, *line_start;
  int line, gaps;  ///< gaps: 1: a field may be empty
  const char* file;
  HeftError* error;
} CsvReader;

#define CSV_FAIL(r, ...)                                               \
  heft_error_set_at((r)->error, HEFT_ERR_SYNTAX, (r)->file, (r)->line, \
                    (int)((r)->at - (r)->line_start) + 1, __VA_ARGS__)

static void skip_blanks(CsvReader* r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) ++r->at;
}

static int at_line_end(const CsvReader* r) {
  return r->at == r->end || *r->at == '\n' || *r->at == '\r';
}

static void next_line(CsvReader* r) {
  if (r->at < r->end && *r->at == '\r') ++r->at;
  if (r->at < r->end && *r->at == '\n') ++r->at;
  r->line_start = r->at;
  ++r->line;
}

static HeftStatus read_names(CsvReader* r, Csv* out) {
  char* put = out->text;
  while (1) {
    skip_blanks(r);
    const char* start = r->at;
    while (!at_line_end(r) && *r->at != ',') {
      if ((unsigned char)*r->at < 32) return CSV_FAIL(r, "a control character in a name");
      ++r->at;
    }
    size_t size = (size_t)(r->at - start);
    while (size > 0 && start[size - 1] == ' ') --size;
    if (size == 0) return CSV_FAIL(r, "a column has no name; the first line has the names");
    if (out->columns == CSV_COLUMNS_MAX)
      return CSV_FAIL(r, "a table has at most %d columns", (int)CSV_COLUMNS_MAX);
    memcpy(put, start, size);
    put[size] = '\0';
    if (csv_find(out, put) >= 0) return CSV_FAIL(r, "two columns have the name '%.80s'", put);
    out->name[out->columns++] = put;
    put += size + 1;
    if (at_line_end(r)) break;
    ++r->at;
  }
  next_line(r);
  return HEFT_OK;
}

static HeftStatus read_row(CsvReader* r, Csv* out, double* row) {
  for (int i = 0; i < out->columns; ++i) {
    skip_blanks(r);
    const int empty = r->gaps && i > 0 && (at_line_end(r) || *r->at == ',');
    const char* after = empty ? r->at : heft_decimal_read(r->at, r->end, &row[i]);
    if (empty)
      row[i] = (double)NAN;
    else if (!after || !(row[i] - row[i] == 0))
      return CSV_FAIL(r, "expected a number in the column '%.80s'", out->name[i]);
    r->at = after;
    skip_blanks(r);
    if (i + 1 == out->columns) break;
    if (r->at == r->end || *r->at != ',')
      return CSV_FAIL(r, "expected %d numbers, found %d", out->columns, i + 1);
    ++r->at;
  }
  if (!at_line_end(r)) return CSV_FAIL(r, "expected %d numbers, found more", out->columns);
  next_line(r);
  return HEFT_OK;
}

static HeftStatus read_rows(CsvReader* r, Csv* out) {
  size_t capacity = 0;
  const size_t n = (size_t)out->columns;
  while (r->at < r->end) {
    skip_blanks(r);
    if (at_line_end(r)) {
      next_line(r);
      continue;
    }
    if ((size_t)out->rows == capacity) {
      capacity = capacity ? 2 * capacity : 64;
      double* grown = realloc(out->number, capacity * n * sizeof *grown);
      if (!grown) return heft_error_set(r->error, HEFT_ERR_MEMORY, "no memory for a table");
      out->number = grown;
    }
    const HeftStatus status = read_row(r, out, out->number + (size_t)out->rows * n);
    if (status != HEFT_OK) return status;
    ++out->rows;
  }
  return HEFT_OK;
}

static HeftStatus read_table(Csv* out, const char* bytes, size_t size, const char* file, int least,
                             int gaps, HeftError* error) {
  *out = (Csv){0};
  if (size > CSV_BYTES_MAX)
    return heft_error_set_at(error, HEFT_ERR_LIMIT, file, 0, 0,
                             "the file has %zu bytes, expected at most %d", size,
                             (int)CSV_BYTES_MAX);
  out->text = malloc(2 * size + 2);
  if (!out->text) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %zu bytes", size);
  CsvReader r = {bytes, bytes + size, bytes, 1, gaps, file, error};
  HeftStatus status = read_names(&r, out);
  if (status == HEFT_OK) status = read_rows(&r, out);
  if (status == HEFT_OK && out->rows < least) status = CSV_FAIL(&r, "the table has no rows");
  if (status != HEFT_OK) csv_release(out);
  return status;
}

HeftStatus csv_read(Csv* out, const char* bytes, size_t size, const char* file, HeftError* error) {
  return read_table(out, bytes, size, file, 1, 0, error);
}

HeftStatus csv_read_any(Csv* out, const char* bytes, size_t size, const char* file,
                        HeftError* error) {
  return read_table(out, bytes, size, file, 0, 0, error);
}

HeftStatus csv_read_gaps(Csv* out, const char* bytes, size_t size, const char* file,
                         HeftError* error) {
  return read_table(out, bytes, size, file, 1, 1, error);
}

void csv_release(Csv* csv) {
  free(csv->text);
  free(csv->number);
  *csv = (Csv){0};
}

int csv_find(const Csv* csv, const char* name) {
  for (int i = 0; i < csv->columns; ++i)
    if (strcmp(csv->name[i], name) == 0) return i;
  return -1;
}
