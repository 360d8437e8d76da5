// SPDX-License-Identifier: Apache-2.0
#include "device/json.h"

#include <string.h>

#include "device/text.h"

enum { DEPTH = 16 };

// Each returns the text after the value, NULL if the text is wrong.
static const char* skip_value(const char* p, int depth);

static const char* skip_string(const char* p) {
  if (*p++ != '"') return NULL;
  for (; *p != '"'; ++p) {
    if ((unsigned char)*p < 32) return NULL;
    if (*p == '\\' && (*++p == '\0' || !strchr("\"\\/bfnrtu", *p))) return NULL;
  }
  return p + 1;
}

static const char* skip_number(const char* p) {
  double ignored;
  const char* q = p;
  if (*p == '+' || *p == '.' || *p == ' ') return NULL;
  return text_number(&q, &ignored) ? q : NULL;
}

static const char* skip_word(const char* p, const char* word) {
  const size_t n = strlen(word);
  return strncmp(p, word, n) == 0 ? p + n : NULL;
}

static const char* skip_member(const char* p, int depth) {
  p = skip_string(p);
  if (!p) return NULL;
  p = text_skip(p);
  return *p == ':' ? skip_value(text_skip(p + 1), depth) : NULL;
}

static const char* skip_list(const char* p, char end, int depth) {
  p = text_skip(p + 1);
  if (*p == end) return p + 1;
  for (;;) {
    p = end == '}' ? skip_member(p, depth) : skip_value(p, depth);
    if (!p) return NULL;
    p = text_skip(p);
    if (*p == end) return p + 1;
    if (*p != ',') return NULL;
    p = text_skip(p + 1);
  }
}

static const char* skip_value(const char* p, int depth) {
  if (depth >= DEPTH) return NULL;
  switch (*p) {
    case '{':
      return skip_list(p, '}', depth + 1);
    case '[':
      return skip_list(p, ']', depth + 1);
    case '"':
      return skip_string(p);
    case 't':
      return skip_word(p, "true");
    case 'f':
      return skip_word(p, "false");
    case 'n':
      return skip_word(p, "null");
    default:
      return skip_number(p);
  }
}

int json_check(const char* text) {
  const char* end = skip_value(text_skip(text), 0);
  return end && *text_skip(end) == '\0';
}

const char* json_member(const char* value, const char* name) {
  if (!value || *value != '{') return NULL;
  const size_t length = strlen(name);
  for (const char* p = text_skip(value + 1); *p == '"';) {
    const char* key = p + 1;
    p = skip_string(p);
    if (!p) return NULL;
    const int mine = (size_t)(p - 1 - key) == length && memcmp(key, name, length) == 0;
    p = text_skip(p);
    if (*p != ':') return NULL;
    p = text_skip(p + 1);
    if (mine) return p;
    p = skip_value(p, 0);
    if (!p) return NULL;
    p = text_skip(p);
    if (*p != ',') return NULL;
    p = text_skip(p + 1);
  }
  return NULL;
}

const char* json_first(const char* value) {
  if (!value || *value != '[') return NULL;
  const char* p = text_skip(value + 1);
  return *p == ']' ? NULL : p;
}

const char* json_next(const char* element) {
  const char* p = element ? skip_value(element, 0) : NULL;
  if (!p) return NULL;
  p = text_skip(p);
  return *p == ',' ? text_skip(p + 1) : NULL;
}

int json_number(const char* value, double* out) {
  return value && *value != '"' && text_number(&value, out);
}

int json_true(const char* value) { return value && strncmp(value, "true", 4) == 0; }

// The character of "\\u00XX" at p, 0 if p is something else or not ASCII.
static char escaped(const char* p) {
  static const char digits[] = "0123456789abcdef";
  if (strncmp(p, "\\u00", 4) != 0 || p[4] < '0' || p[4] > '7' || p[5] == '\0') return 0;
  const char* low = strchr(digits, p[5]);
  return low ? (char)(16 * (p[4] - '0') + (low - digits)) : 0;
}

int json_string(const char* value, char* out, size_t size) {
  size_t n = 0;
  if (!value || *value != '"') return 0;
  for (++value; *value && *value != '"'; ++value) {
    const char code = escaped(value);
    if (*value == '\\' && (value[1] == '"' || value[1] == '\\' || value[1] == '/')) ++value;
    if (n + 1 >= size) return 0;
    out[n++] = code ? code : *value;
    if (code) value += 5;
  }
  out[n] = '\0';
  return *value == '"';
}
