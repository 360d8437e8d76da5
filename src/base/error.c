// SPDX-License-Identifier: Apache-2.0
// Status texts, and errors that carry the position in the input.
#include "base/error.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"

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

// Keeps the end of a long path: the file's own name matters more than the folders above it.
static void copy_file_name(char* out, size_t size, const char* file) {
  const size_t length = strlen(file);
  if (length < size) {
    memcpy(out, file, length + 1);
    return;
  }
  memcpy(out, "...", 3);
  memcpy(out + 3, file + length - (size - 4), size - 3);
}

// Bytes of a character at the place that is not shown: a control character of ASCII, one of the
// second set (U+0080 to U+009F, which some terminals obey), or one that turns the direction of text
// (U+202A to U+202E, U+2066 to U+2069). 0: any other.
static size_t unseen(const unsigned char* c) {
  if (c[0] < 0x20 || c[0] == 0x7F) return 1;
  if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] <= 0x9F) return 2;
  if (c[0] != 0xE2) return 0;
  if (c[1] == 0x80 && c[2] >= 0xAA && c[2] <= 0xAE) return 3;
  return c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9 ? 3 : 0;
}

void heft_error_one_line(char* text) {
  char* out = text;
  while (*text) {
    const size_t size = unseen((const unsigned char*)text);
    *out++ = size > 0 ? '?' : *text;
    text += size > 0 ? size : 1;
  }
  *out = '\0';
}

// A truncated text may end inside a UTF-8 character of several bytes: remove the incomplete one.
static void drop_cut_letter(char* text, size_t length) {
  size_t start = length;
  while (start > 0 && length - start < 3 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
    --start;
  if (start == 0) return;
  const unsigned char lead = (unsigned char)text[start - 1];
  const size_t width = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (length - (start - 1) < width) text[start - 1] = '\0';
}

static void set(HeftError* error, HeftStatus status, const char* format, va_list arguments) {
  error->status = status;
  const int length = vsnprintf(error->message, sizeof error->message, format, arguments);
  if (length >= (int)sizeof error->message)
    drop_cut_letter(error->message, sizeof error->message - 1);
  heft_error_one_line(error->message);
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
  heft_error_one_line(error->file);
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
  HEFT_REQUIRE(error && text, text);
  char column[16] = "", line[32] = "";
  if (error->column > 0) snprintf(column, sizeof column, "%d:", error->column);
  if (error->line > 0) snprintf(line, sizeof line, "%d:%s", error->line, column);
  const char* message = error->message[0] ? error->message : heft_status_text(error->status);
  const char* colon = error->file[0] ? ":" : "";
  const char* space = error->file[0] || error->line > 0 ? " " : "";
  snprintf(text, size, "%s%s%s%s%s", error->file, colon, line, space, message);
  return text;
}
