// SPDX-License-Identifier: Apache-2.0
// The first message of each channel names the columns; messages of later rows fill them by position
// and must have the same number of values.
#include "log_table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "record/mcap.h"

#include "run_read.h"
#include "sweep/csv.h"

enum { COLUMNS_MAX = 4096 };
static const long numbers_max = 1L << 27;  // 1 GB

__attribute__((format(printf, 3, 4))) static int fail(HeftError* error, const char* path,
                                                      const char* format, ...) {
  va_list arguments;
  *error = (HeftError){.status = HEFT_ERR_SYNTAX};
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format,
            arguments);  // NOLINT(clang-analyzer-valist.Uninitialized)
  va_end(arguments);
  snprintf(error->file, sizeof error->file, "%.*s", (int)sizeof error->file - 1, path);
  return 0;
}

void log_table_release(LogTable* t) {
  free(t->name);
  free(t->number);
  heft_model_destroy(t->model);
  *t = (LogTable){0};
}

int log_table_find(const LogTable* t, const char* name) {
  for (int i = 0; i < t->columns; ++i)
    if (strcmp(t->name[i], name) == 0) return i;
  return -1;
}

static const char* column_name(const void* from, int index) {
  return ((const LogTable*)from)->name[index];
}

int log_table_need(const LogTable* t, const char* name, const char* path, HeftError* error) {
  char hint[400];
  const int found = log_table_find(t, name);
  if (found < 0)
    fail(error, path, "there is no column '%.60s'; %s", name,
         heft_names_hint((HeftNames){column_name, t, t->columns}, name, hint, sizeof hint));
  return found;
}

void log_table_copy(const LogTable* t, int column, double* out, int stride) {
  for (long i = 0; i < t->rows; ++i) out[i * stride] = t->number[i * t->columns + column];
}

// ---- CSV

int log_table_read_bytes(const char* path, char** bytes, size_t* size, HeftError* error) {
  FILE* file = fopen(path, "rb");
  if (!file) return fail(error, path, "%s", strerror(errno));
  size_t capacity = 1 << 16;
  *bytes = malloc(capacity);
  *size = 0;
  while (*bytes) {
    *size += fread(*bytes + *size, 1, capacity - *size, file);
    if (*size < capacity || *size > CSV_BYTES_MAX) break;
    char* grown = realloc(*bytes, 2 * capacity);
    if (!grown) free(*bytes);
    *bytes = grown;
    capacity *= 2;
  }
  fclose(file);
  return *bytes ? 1 : fail(error, path, "there is not enough memory");
}

int log_table_read_csv(Csv* out, const char* path, int least, HeftError* error) {
  char* bytes = NULL;
  size_t size = 0;
  if (!log_table_read_bytes(path, &bytes, &size, error)) return 0;
  const HeftStatus status = (least > 0 ? csv_read : csv_read_any)(out, bytes, size, path, error);
  free(bytes);
  return status == HEFT_OK;
}

static int read_csv(LogTable* out, const char* path, HeftError* error) {
  Csv csv;
  if (!log_table_read_csv(&csv, path, 1, error)) return 0;
  out->name = calloc((size_t)csv.columns, sizeof *out->name);
  if (out->name) {
    for (int i = 0; i < csv.columns; ++i)
      snprintf(out->name[i], LOG_NAME, "%.*s", LOG_NAME - 1, csv.name[i]);
    out->columns = csv.columns;
    out->rows = (long)csv.rows;
    out->number = csv.number;
    csv.number = NULL;
  }
  csv_release(&csv);
  return out->name ? 1 : fail(error, path, "there is not enough memory");
}

// ---- MCAP

// Where the numbers of a message go: names of the first row, or numbers of any row.
typedef struct Sink {
  char (*name)[LOG_NAME];  // NULL: numbers
  double* number;
  int count, capacity;
  int good;
} Sink;

__attribute__((format(printf, 3, 4))) static void put(Sink* s, HeftJsonSpan value,
                                                      const char* format, ...) {
  va_list arguments;
  if (s->count >= s->capacity) {
    s->good = 0;
    return;
  }
  if (s->name) {
    va_start(arguments, format);
    vsnprintf(s->name[s->count], LOG_NAME, format,
              arguments);  // NOLINT(clang-analyzer-valist.Uninitialized)
    va_end(arguments);
  } else if (!heft_json_span_double(value, &s->number[s->count])) {
    s->good = 0;
  }
  ++s->count;
}

static void put_list(Sink* s, HeftJsonSpan object, const char* field) {
  HeftJsonSpan list, entries, value;
  if (!heft_json_span_field(object, field, &list) || !heft_json_span_open(list, &entries)) return;
  for (int i = 0; heft_json_span_next(&entries, NULL, &value); ++i) put(s, value, "%s%d", field, i);
}

static void put_controls(Sink* s, HeftJsonSpan object) {
  char name[LOG_NAME];
  HeftJsonSpan entries, key, actuator, value;
  if (!heft_json_span_open(object, &entries)) return;
  while (heft_json_span_next(&entries, &key, &actuator))
    if (heft_json_span_string(key, name, sizeof name) &&
        heft_json_span_field(actuator, "control", &value))
      put(s, value, "control.%.60s", name);
}

static void put_sensors(Sink* s, HeftJsonSpan object) {
  char name[LOG_NAME];
  HeftJsonSpan entries, key, value, inner, part;
  if (!heft_json_span_open(object, &entries)) return;
  while (heft_json_span_next(&entries, &key, &value)) {
    if (!heft_json_span_string(key, name, sizeof name)) continue;
    if (!heft_json_span_open(value, &inner)) {
      put(s, value, "%.70s", name);
      continue;
    }
    for (int i = 0; heft_json_span_next(&inner, NULL, &part); ++i)
      put(s, part, "%.70s.%d", name, i);
  }
}

enum { STATE, CONTROLS, SENSORS, CHANNELS };

// One row of all channels. 0: a message is missing or damaged.
static int put_row(HeftMcapReader* mcap, const int* channel, long row, Sink* s) {
  for (int k = 0; k < CHANNELS; ++k) {
    HeftMcapMessage m;
    HeftJsonSpan time;
    const char* what;
    if (channel[k] < 0) continue;
    if (!heft_mcap_reader_message(mcap, channel[k], row, &m, &what)) return 0;
    const HeftJsonSpan all = {m.data, m.data + m.size};
    if (k == STATE) {
      if (!heft_json_span_field(all, "time", &time)) return 0;
      put(s, time, "time");
      put_list(s, all, "q");
      put_list(s, all, "v");
    }
    if (k == CONTROLS) put_controls(s, all);
    if (k == SENSORS) put_sensors(s, all);
  }
  return s->good;
}

static int read_rows(LogTable* out, HeftMcapReader* mcap, const char* path, HeftError* error) {
  static const char* const topic[CHANNELS] = {"/state", "/controls", "/sensors"};
  int channel[CHANNELS];
  for (int k = 0; k < CHANNELS; ++k) {
    channel[k] = heft_mcap_reader_channel(mcap, topic[k]);
    const long count = heft_mcap_reader_count(mcap, channel[k]);
    if (k == STATE || (channel[k] >= 0 && count < out->rows)) out->rows = count;
  }
  if (channel[STATE] < 0 || out->rows == 0) return fail(error, path, "the log has no rows");
  out->name = calloc(COLUMNS_MAX, sizeof *out->name);
  Sink names = {.name = out->name, .capacity = COLUMNS_MAX, .good = 1};
  if (!out->name || !put_row(mcap, channel, 0, &names))
    return fail(error, path, "the first row of the log cannot be read");
  out->columns = names.count;
  if (out->rows > numbers_max / out->columns)
    return fail(error, path, "the log has %ld rows of %d numbers, expected at most %ld numbers",
                out->rows, out->columns, numbers_max);
  out->number = calloc((size_t)out->rows * (size_t)out->columns, sizeof(double));
  if (!out->number) return fail(error, path, "there is not enough memory for %ld rows", out->rows);
  for (long i = 0; i < out->rows; ++i) {
    Sink row = {.number = out->number + i * out->columns, .capacity = out->columns, .good = 1};
    if (!put_row(mcap, channel, i, &row) || row.count != out->columns)
      return fail(error, path, "row %ld of the log is damaged or has other columns than the first",
                  i + 1);
  }
  return 1;
}

static int read_mcap(LogTable* out, const char* path, HeftError* error) {
  const char* what = "";
  RunRead* run = run_read_open_path(path, error);  // checks times and rows, has the model
  if (!run) return 0;
  out->model = run_read_copy_model(run, error);
  run_read_close(run);
  FILE* file = out->model ? fopen(path, "rb") : NULL;
  HeftMcapReader* mcap = file ? heft_mcap_reader_open(file, &what) : NULL;
  if (!mcap) return out->model ? fail(error, path, "%s", file ? what : strerror(errno)) : 0;
  const int good = read_rows(out, mcap, path, error);
  heft_mcap_reader_close(mcap);
  return good;
}

int log_table_read(LogTable* out, const char* path, HeftError* error) {
  *out = (LogTable){0};
  const int good = run_read_is_log(path) ? read_mcap(out, path, error) : read_csv(out, path, error);
  if (!good) log_table_release(out);
  return good;
}
