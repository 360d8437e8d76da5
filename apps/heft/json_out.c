// SPDX-License-Identifier: Apache-2.0
#include "json_out.h"

#include <heft/base.h>
#include <heft/version.h>
#include <stdio.h>

static void put_to_file(void* user, const char* bytes, size_t size) {
  fwrite(bytes, 1, size, user);
}

static void begin_element(Json* j, const char* key) {
  if (j->filled[j->depth]) heft_json_text_put(&j->text, ",");
  j->filled[j->depth] = 1;
  if (!key) return;
  heft_json_text_quoted(&j->text, key);
  heft_json_text_put(&j->text, ":");
}

static void open_level(Json* j, const char* key, const char* bracket) {
  begin_element(j, key);
  heft_json_text_put(&j->text, bracket);
  j->filled[++j->depth] = 0;
}

static void close_level(Json* j, const char* bracket) {
  heft_json_text_put(&j->text, bracket);
  --j->depth;
}

Json json_begin_to(FILE* out, const char* verb) {
  Json j = {.text = heft_json_text_to(put_to_file, out)};
  heft_json_text_put(&j.text, "{");
  json_put_text(&j, "heft", heft_version());
  json_put_text(&j, "verb", verb);
  return j;
}

Json json_begin(const char* verb) { return json_begin_to(stdout, verb); }

void json_end(Json* j) { heft_json_text_put(&j->text, "}\n"); }

void json_open_object(Json* j, const char* key) { open_level(j, key, "{"); }
void json_open_list(Json* j, const char* key) { open_level(j, key, "["); }
void json_close_object(Json* j) { close_level(j, "}"); }
void json_close_list(Json* j) { close_level(j, "]"); }

void json_put_text(Json* j, const char* key, const char* value) {
  begin_element(j, key);
  heft_json_text_quoted(&j->text, value);
}

void json_put_number(Json* j, const char* key, double value) {
  begin_element(j, key);
  heft_json_text_number(&j->text, value);
}

void json_put_count(Json* j, const char* key, int64_t value) {
  begin_element(j, key);
  heft_json_text_say(&j->text, "%lld", (long long)value);
}

void json_put_flag(Json* j, const char* key, int value) {
  begin_element(j, key);
  heft_json_text_put(&j->text, value ? "true" : "false");
}

void json_put_null(Json* j, const char* key) {
  begin_element(j, key);
  heft_json_text_put(&j->text, "null");
}

void json_put_hash(Json* j, const char* key, uint64_t value) {
  begin_element(j, key);
  heft_json_text_say(&j->text, "\"%016llx\"", (unsigned long long)value);
}
