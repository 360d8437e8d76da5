// SPDX-License-Identifier: Apache-2.0
// JSON on stdout for --json: one object, written from the outside in, with its commas. Numbers that
// are not finite become null, since JSON has no others.
#ifndef HEFT_APPS_JSON_OUT_H
#define HEFT_APPS_JSON_OUT_H

#include <stdint.h>
#include <stdio.h>
#include "record/mcap.h"

typedef struct Json {
  HeftJsonText text;
  int depth;
  int filled[32];  ///< 1: the object or list of that depth has an element
} Json;

/// Begins the outermost object, with the version and the verb.
Json json_begin(const char* verb);
/// json_begin() to another file.
Json json_begin_to(FILE* out, const char* verb);
/// Ends it, and the line.
void json_end(Json* json);

/// Elements. key is the name in an object, or NULL in a list.
void json_open_object(Json* json, const char* key);
void json_open_list(Json* json, const char* key);
void json_close_object(Json* json);
void json_close_list(Json* json);
void json_put_text(Json* json, const char* key, const char* value);
void json_put_number(Json* json, const char* key, double value);
void json_put_count(Json* json, const char* key, int64_t value);
void json_put_flag(Json* json, const char* key, int value);
void json_put_null(Json* json, const char* key);
/// 16 hexadecimal digits, as a text: a number of JSON has 53 bits.
void json_put_hash(Json* json, const char* key, uint64_t value);

#endif
