// SPDX-License-Identifier: Apache-2.0
// A row of a log has some hundred numbers, most of them for pictures, so heft_json_text_short()
// writes them as integers of millionths: otherwise printf would use most of the time of a log.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "record/mcap.h"

#include "base/decimal.h"
#include "record/bytes_out.h"

HeftJsonText heft_json_text_make(const HeftAllocator* allocator) {
  return (HeftJsonText){.text = {.allocator = allocator}};
}

HeftJsonText heft_json_text_to(void (*put)(void* user, const char* bytes, size_t size),
                               void* user) {
  return (HeftJsonText){.put = put, .user = user};
}

void heft_json_text_free(HeftJsonText* text) {
  if (!text->put) bytes_out_free(&text->text);
}

const char* heft_json_text_string(HeftJsonText* text) {
  HeftBytes* b = &text->text;
  if (text->put || !bytes_out_reserve(b, 1)) return "";
  b->bytes[b->size] = '\0';
  return (const char*)b->bytes;
}

static void put_bytes(HeftJsonText* t, const char* bytes, size_t size) {
  if (t->put) {
    t->put(t->user, bytes, size);
  } else {
    bytes_out_put(&t->text, bytes, size);
  }
}

void heft_json_text_put(HeftJsonText* text, const char* raw) { put_bytes(text, raw, strlen(raw)); }

void heft_json_text_say(HeftJsonText* text, const char* format, ...) {
  char said[256];
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(said, sizeof said, format, arguments);
  va_end(arguments);
  if (n > 0) put_bytes(text, said, n < (int)sizeof said ? (size_t)n : sizeof said - 1);
}

// The length of the UTF-8 sequence at `text`, or 0 if it is none.
static size_t sequence_length(const unsigned char* text) {
  if (text[0] < 0x80) return 1;
  const size_t length = text[0] >= 0xF0 ? 4 : (text[0] >= 0xE0 ? 3 : 2);
  if (text[0] < 0xC2 || text[0] > 0xF4) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((text[i] & 0xC0) != 0x80) return 0;
  return length;
}

void heft_json_text_quoted(HeftJsonText* text, const char* string) {
  const unsigned char* at = (const unsigned char*)string;
  heft_json_text_put(text, "\"");
  while (*at) {
    const size_t length = sequence_length(at);
    if (length == 0) {
      heft_json_text_put(text, "\\ufffd");  // names from files may hold any bytes
    } else if (*at < 32 || *at == 127) {
      heft_json_text_say(text, "\\u%04x", (unsigned)*at);
    } else {
      if (*at == '"' || *at == '\\') heft_json_text_put(text, "\\");
      put_bytes(text, (const char*)at, length);
    }
    at += length > 0 ? length : 1;
  }
  heft_json_text_put(text, "\"");
}

void heft_json_text_number(HeftJsonText* text, double x) {
  char digits[HEFT_DECIMAL_SIZE];
  if (!isfinite(x)) {
    heft_json_text_put(text, "null");
  } else if (x == 0) {
    heft_json_text_put(text, signbit(x) ? "-0.0" : "0");
  } else {
    // Twice as fast as the fewest digits, but some locales write another point.
    int n = snprintf(digits, sizeof digits, "%.17g", x);
    if (strspn(digits, "0123456789+-.e") != (size_t)n) n = heft_decimal_write(x, digits);
    put_bytes(text, digits, (size_t)n);
  }
}

void heft_json_text_short(HeftJsonText* text, double x) {
  char digits[32], *p = digits + sizeof digits;
  if (!(fabs(x) < 1e9)) {
    heft_json_text_number(text, x);
    return;
  }
  const double millionths = floor(1e6 * fabs(x) + 0.5);
  unsigned long long n = (unsigned long long)millionths;
  int places = 6;
  const int negative = x < 0 && n > 0;
  while (places > 0 && n % 10 == 0) n /= 10, --places;
  for (int i = 0; i < places; ++i, n /= 10) *--p = (char)('0' + n % 10);
  if (places > 0) *--p = '.';
  do {
    *--p = (char)('0' + n % 10);
    n /= 10;
  } while (n > 0);
  if (negative) *--p = '-';
  put_bytes(text, p, (size_t)(digits + sizeof digits - p));
}

void heft_json_text_array(HeftJsonText* text, const char* name, const double* x, int count) {
  heft_json_text_quoted(text, name);
  heft_json_text_put(text, ":[");
  for (int i = 0; i < count; ++i) {
    if (i > 0) heft_json_text_put(text, ",");
    heft_json_text_number(text, x[i]);
  }
  heft_json_text_put(text, "]");
}

void heft_json_text_vector(HeftJsonText* text, const char* name, HeftVec3 v) {
  heft_json_text_quoted(text, name);
  heft_json_text_put(text, ":{\"x\":");
  heft_json_text_number(text, v.x);
  heft_json_text_put(text, ",\"y\":");
  heft_json_text_number(text, v.y);
  heft_json_text_put(text, ",\"z\":");
  heft_json_text_number(text, v.z);
  heft_json_text_put(text, "}");
}
