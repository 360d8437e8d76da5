// SPDX-License-Identifier: Apache-2.0
#include "json_out.h"

#include <heft/base.h>
#include <heft/version.h>
#include <math.h>

// The length of the UTF-8 sequence at `text`, or 0 if it is none.
static int sequence_length(const unsigned char* text) {
  if (text[0] < 0x80) return 1;
  const int length = text[0] >= 0xF0 ? 4 : (text[0] >= 0xE0 ? 3 : 2);
  if (text[0] < 0xC2 || text[0] > 0xF4) return 0;
  for (int i = 1; i < length; ++i) {
    if ((text[i] & 0xC0) != 0x80) return 0;
  }
  return length;
}

static void put_text(FILE* out, const char* text) {
  const unsigned char* at = (const unsigned char*)text;
  fputc('"', out);
  while (*at) {
    const int length = sequence_length(at);
    if (length == 0) {
      fputs("\\ufffd", out);  // names from files may hold any bytes
      ++at;
    } else if (length == 1 && (*at < 32 || *at == 127)) {
      fprintf(out, "\\u%04x", (unsigned)*at++);
    } else {
      if (*at == '"' || *at == '\\') fputc('\\', out);
      for (int i = 0; i < length; ++i) fputc(*at++, out);
    }
  }
  fputc('"', out);
}

static void begin_element(Json* j, const char* key) {
  if (j->filled[j->depth]) fputc(',', j->out);
  j->filled[j->depth] = 1;
  if (!key) return;
  put_text(j->out, key);
  fputc(':', j->out);
}

static void open_level(Json* j, const char* key, char bracket) {
  begin_element(j, key);
  fputc(bracket, j->out);
  j->filled[++j->depth] = 0;
}

static void close_level(Json* j, char bracket) {
  fputc(bracket, j->out);
  --j->depth;
}

Json json_begin_to(FILE* out, const char* verb) {
  Json j = {.out = out};
  fputc('{', j.out);
  json_put_text(&j, "heft", heft_version());
  json_put_text(&j, "verb", verb);
  return j;
}

Json json_begin(const char* verb) { return json_begin_to(stdout, verb); }

void json_end(Json* j) { fputs("}\n", j->out); }

void json_open_object(Json* j, const char* key) { open_level(j, key, '{'); }
void json_open_list(Json* j, const char* key) { open_level(j, key, '['); }
void json_close_object(Json* j) { close_level(j, '}'); }
void json_close_list(Json* j) { close_level(j, ']'); }

void json_put_text(Json* j, const char* key, const char* value) {
  begin_element(j, key);
  put_text(j->out, value);
}

void json_put_number(Json* j, const char* key, double value) {
  begin_element(j, key);
  if (isfinite(value)) {
    fprintf(j->out, "%.17g", value);
  } else {
    fputs("null", j->out);
  }
}

void json_put_count(Json* j, const char* key, int64_t value) {
  begin_element(j, key);
  fprintf(j->out, "%lld", (long long)value);
}

void json_put_flag(Json* j, const char* key, int value) {
  begin_element(j, key);
  fputs(value ? "true" : "false", j->out);
}

void json_put_null(Json* j, const char* key) {
  begin_element(j, key);
  fputs("null", j->out);
}

void json_put_hash(Json* j, const char* key, uint64_t value) {
  begin_element(j, key);
  fprintf(j->out, "\"%016llx\"", (unsigned long long)value);
}
