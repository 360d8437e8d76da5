// SPDX-License-Identifier: Apache-2.0
// A row of a log has some hundred numbers, most of them for pictures, so json_text_short() writes
// them as integers of millionths: printf takes most of the time of a log otherwise.
#include "json_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_text_free(JsonText* text) {
  free(text->text);
  *text = (JsonText){0};
}

static int room(JsonText* t, size_t more) {
  if (t->size + more < t->capacity) return 1;
  const size_t capacity = 2 * (t->size + more) + 256;
  char* grown = realloc(t->text, capacity);
  if (!grown) {
    t->failed = 1;
    return 0;
  }
  t->text = grown;
  t->capacity = capacity;
  return 1;
}

static void put_bytes(JsonText* t, const char* bytes, size_t size) {
  if (!room(t, size)) return;
  memcpy(t->text + t->size, bytes, size);
  t->size += size;
  t->text[t->size] = '\0';
}

void json_text_put(JsonText* text, const char* raw) { put_bytes(text, raw, strlen(raw)); }

void json_text_say(JsonText* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (n < 0 || !room(text, (size_t)n + 1)) return;
  va_start(arguments, format);
  vsnprintf(text->text + text->size, (size_t)n + 1, format, arguments);
  va_end(arguments);
  text->size += (size_t)n;
}

void json_text_quoted(JsonText* text, const char* string) {
  json_text_put(text, "\"");
  for (const char* c = string; *c; ++c) {
    if (*c == '"' || *c == '\\') json_text_put(text, "\\");
    if ((unsigned char)*c >= 32) put_bytes(text, c, 1);
  }
  json_text_put(text, "\"");
}

void json_text_number(JsonText* text, double x) {
  char digits[32];
  if (x == 0) {
    json_text_put(text, signbit(x) ? "-0.0" : "0");
  } else if (!isfinite(x)) {
    json_text_put(text, "null");
  } else {
    put_bytes(text, digits, (size_t)snprintf(digits, sizeof digits, "%.17g", x));
  }
}

void json_text_short(JsonText* text, double x) {
  char digits[32], *p = digits + sizeof digits;
  if (!(fabs(x) < 1e9)) {
    json_text_number(text, x);
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

void json_text_array(JsonText* text, const char* name, const double* x, int count) {
  json_text_quoted(text, name);
  json_text_put(text, ":[");
  for (int i = 0; i < count; ++i) {
    if (i > 0) json_text_put(text, ",");
    json_text_number(text, x[i]);
  }
  json_text_put(text, "]");
}

void json_text_vector(JsonText* text, const char* name, HeftVec3 v) {
  json_text_quoted(text, name);
  json_text_put(text, ":{\"x\":");
  json_text_number(text, v.x);
  json_text_put(text, ",\"y\":");
  json_text_number(text, v.y);
  json_text_put(text, ",\"z\":");
  json_text_number(text, v.z);
  json_text_put(text, "}");
}
