// SPDX-License-Identifier: Apache-2.0
// Status texts, and errors that carry the position in the input.
#include "base/error.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char* name;
  const char* text;
} status_list[HEFT_STATUS_COUNT] = {
#define STATUS_ROW(name, text) {#name, text},
    HEFT_STATUS_LIST(STATUS_ROW)
#undef STATUS_ROW
};

static int status_known(HeftStatus status) {
  return (int)status >= 0 && status < HEFT_STATUS_COUNT;
}

const char* heft_status_name(HeftStatus status) {
  return status_known(status) ? status_list[status].name : "HEFT_STATUS_UNKNOWN";
}

const char* heft_status_text(HeftStatus status) {
  return status_known(status) ? status_list[status].text
                              : "a status that this version does not know";
}

// Keeps the end of a long path: the file's own name says more than the folders above it.
static void copy_file_name(char* out, size_t size, const char* file) {
  const size_t length = strlen(file);
  if (length < size) {
    memcpy(out, file, length + 1);
    return;
  }
  memcpy(out, "...", 3);
  memcpy(out + 3, file + length - (size - 4), size - 3);
}

static HeftStatus set(HeftError* error, HeftStatus status, const char* format, va_list arguments) {
  error->status = status;
  vsnprintf(error->message, sizeof error->message, format, arguments);
  return status;
}

HeftStatus heft_error_set(HeftError* error, HeftStatus status, const char* format, ...) {
  if (!error) return status;
  va_list arguments;
  va_start(arguments, format);
  set(error, status, format, arguments);
  va_end(arguments);
  return status;
}

HeftStatus heft_error_set_at(HeftError* error, HeftStatus status, const char* file, int line,
                             int column, const char* format, ...) {
  if (!error) return status;
  copy_file_name(error->file, sizeof error->file, file ? file : "");
  error->line = line;
  error->column = column;
  va_list arguments;
  va_start(arguments, format);
  set(error, status, format, arguments);
  va_end(arguments);
  return status;
}

char* heft_error_format(const HeftError* error, char* text, size_t size) {
  if (size == 0) return text;
  char position[320] = "";
  if (error->file[0] && error->line > 0) {
    snprintf(position, sizeof position, "%s:%d:%d: ", error->file, error->line, error->column);
  } else if (error->file[0]) {
    snprintf(position, sizeof position, "%s: ", error->file);
  } else if (error->line > 0) {
    snprintf(position, sizeof position, "%d:%d: ", error->line, error->column);
  }
  const char* message = error->message[0] ? error->message : heft_status_text(error->status);
  snprintf(text, size, "%s%s", position, message);
  return text;
}
