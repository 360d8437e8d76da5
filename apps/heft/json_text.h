// SPDX-License-Identifier: Apache-2.0
// A text that grows, for messages in JSON.
#ifndef HEFT_APPS_JSON_TEXT_H
#define HEFT_APPS_JSON_TEXT_H

#include <heft/heft.h>
#include <stddef.h>

typedef struct JsonText {
  char* text;  ///< with a terminating zero; NULL if empty
  size_t size, capacity;
  int failed;  ///< 1: memory was exhausted, the text is not complete
} JsonText;

void json_text_free(JsonText* text);
/// Adds text as it is.
void json_text_put(JsonText* text, const char* raw);
__attribute__((format(printf, 2, 3))) void json_text_say(JsonText* text, const char* format, ...);
/// A string with its quotes. Bytes that JSON does not allow are left out.
void json_text_quoted(JsonText* text, const char* string);
/// A number so that it is read back with the same bits; null if it is not finite.
void json_text_number(JsonText* text, double x);
/// A number with six digits behind the point, for pictures.
void json_text_short(JsonText* text, double x);
/// "name":[...], with json_text_number().
void json_text_array(JsonText* text, const char* name, const double* x, int count);
/// "name":{"x":...,"y":...,"z":...}, with json_text_number().
void json_text_vector(JsonText* text, const char* name, HeftVec3 v);

#endif
