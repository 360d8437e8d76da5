// SPDX-License-Identifier: Apache-2.0
// Reads values of JSON text in place. Values nest to a depth of some hundred at most: skipping one
// counts brackets instead of calling itself, so that no text exhausts the stack.
#include <math.h>
#include <string.h>
#include "record/mcap.h"

#include "base/decimal.h"

static void skip_space(HeftJsonSpan* s) {
  while (s->at < s->end && strchr(" \t\r\n", *s->at) && *s->at) ++s->at;
}

static int skip_string(HeftJsonSpan* s) {
  for (++s->at; s->at < s->end; ++s->at) {
    if (*s->at == '\\') {
      ++s->at;
    } else if (*s->at == '"') {
      ++s->at;
      return 1;
    }
  }
  s->at = s->end;
  return 0;
}

// Moves behind the value that begins here.
static int skip_value(HeftJsonSpan* s) {
  long depth = 0;
  while (s->at < s->end) {
    const char c = *s->at;
    if (c == '"') {
      if (!skip_string(s)) return 0;
    } else if (c == '[' || c == '{') {
      ++depth;
      ++s->at;
    } else if (c == ']' || c == '}') {
      if (depth == 0) return 1;
      --depth;
      ++s->at;
    } else if (c == ',' && depth == 0) {
      return 1;
    } else {
      ++s->at;
    }
    if (depth == 0 && (c == '"' || c == ']' || c == '}')) return 1;
  }
  return depth == 0;
}

int heft_json_span_open(HeftJsonSpan value, HeftJsonSpan* entries) {
  skip_space(&value);
  if (value.at >= value.end || (*value.at != '[' && *value.at != '{')) return 0;
  *entries = (HeftJsonSpan){value.at + 1, value.end};
  return 1;
}

int heft_json_span_next(HeftJsonSpan* entries, HeftJsonSpan* name, HeftJsonSpan* out) {
  skip_space(entries);
  if (entries->at < entries->end && *entries->at == ',') ++entries->at;
  skip_space(entries);
  if (entries->at >= entries->end || *entries->at == ']' || *entries->at == '}') return 0;
  if (name) {
    if (*entries->at != '"') return 0;
    name->at = entries->at;
    if (!skip_string(entries)) return 0;
    name->end = entries->at;
    skip_space(entries);
    if (entries->at >= entries->end || *entries->at != ':') return 0;
    ++entries->at;
    skip_space(entries);
  }
  out->at = entries->at;
  if (!skip_value(entries) || entries->at == out->at) return 0;
  out->end = entries->at;
  return 1;
}

int heft_json_span_field(HeftJsonSpan object, const char* name, HeftJsonSpan* out) {
  HeftJsonSpan entries, key;
  const size_t length = strlen(name);
  if (!heft_json_span_open(object, &entries)) return 0;
  while (heft_json_span_next(&entries, &key, out)) {
    if ((size_t)(key.end - key.at) == length + 2 && memcmp(key.at + 1, name, length) == 0) return 1;
  }
  return 0;
}

int heft_json_span_double(HeftJsonSpan value, double* out) {
  const char* rest = heft_decimal_read(value.at, value.end, out);
  while (rest && rest < value.end && strchr(" \t\r\n", *rest) && *rest) ++rest;
  return rest == value.end && isfinite(*out);
}

int heft_json_span_doubles(HeftJsonSpan value, double* out, int count) {
  HeftJsonSpan entries, entry;
  int i = 0;
  if (!heft_json_span_open(value, &entries)) return 0;
  while (heft_json_span_next(&entries, NULL, &entry)) {
    if (i == count || !heft_json_span_double(entry, &out[i])) return 0;
    ++i;
  }
  return i == count;
}

int heft_json_span_string(HeftJsonSpan value, char* out, size_t size) {
  size_t n = 0;
  if (value.end - value.at < 2 || *value.at != '"') return 0;
  for (const char* p = value.at + 1; p < value.end - 1 && n + 1 < size; ++p) {
    if (*p == '\\' && p + 1 < value.end - 1) ++p;
    out[n++] = *p;
  }
  out[n] = '\0';
  return 1;
}
