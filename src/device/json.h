// SPDX-License-Identifier: Apache-2.0
// Looks into JSON texts without copying them. A value is where it begins; whole texts are checked
// once, so that later steps need not doubt.
#ifndef HEFT_SRC_DEVICE_JSON_H
#define HEFT_SRC_DEVICE_JSON_H

#include <stddef.h>

/// 1 if the text, terminated by a zero, is one JSON value no deeper than 16 levels.
int json_check(const char* text);
/// The value of a member of an object, NULL if it has none or is no object. value may be NULL.
const char* json_member(const char* value, const char* name);
/// The first element of an array, NULL if it is empty or none.
const char* json_first(const char* value);
/// The element behind one of an array, NULL behind the last one.
const char* json_next(const char* element);
/// A number; returns 0, and leaves *out, if it is none.
int json_number(const char* value, double* out);
/// 1 for true, 0 for anything else.
int json_true(const char* value);
/// Copies a string; returns 0 if it is none or too long. Escapes by number are replaced if they are
/// ASCII, else they stay as they are written.
int json_string(const char* value, char* out, size_t size);

#endif
