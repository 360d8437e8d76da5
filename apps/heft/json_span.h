// SPDX-License-Identifier: Apache-2.0
// Reads values of JSON text in place: no tree is built. The text may be anything; it ends where its
// span ends.
#ifndef HEFT_APPS_JSON_SPAN_H
#define HEFT_APPS_JSON_SPAN_H

#include <stddef.h>

/// A value, or what is left of a list of values.
typedef struct JsonSpan {
  const char *at, *end;
} JsonSpan;

/// The value of an object's field. 0: there is none, or the text is no such object.
int json_span_field(JsonSpan object, const char* name, JsonSpan* out);
/// Opens an array or an object; its entries follow by json_span_next(). 0: it is neither.
int json_span_open(JsonSpan value, JsonSpan* entries);
/// The next entry of an array; of an object if name is not NULL, which is then its quoted name.
/// 0: none is left.
int json_span_next(JsonSpan* entries, JsonSpan* name, JsonSpan* out);
/// A finite number. 0: it is none.
int json_span_double(JsonSpan value, double* out);
/// All numbers of an array. 0: it has not exactly count finite numbers.
int json_span_doubles(JsonSpan value, double* out, int count);
/// A string without quotes and escapes, cut to size - 1 bytes. 0: it is none.
int json_span_string(JsonSpan value, char* out, size_t size);

#endif
