// SPDX-License-Identifier: Apache-2.0
#include "json_rows.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "json_out.h"
#include "progress.h"

// The object that is being written: there is one standard output, so there is one of these.
static struct {
  Json json;
  FILE* out;
  int on;
  int real;  ///< the standard output before
  int count;
  Progress progress;
} rows;

int json_rows_asked(int* argc, char** argv) {
  for (int i = 1; i < *argc; ++i) {
    if (strcmp(argv[i], "--json") != 0) continue;
    memmove(argv + i, argv + i + 1, (size_t)(*argc - i) * sizeof *argv);
    --*argc;
    return 1;
  }
  return 0;
}

int json_rows_begin(const char* verb, const char* name, const char* list) {
  if (rows.on) return 0;
  fflush(stdout);
  rows.real = dup(STDOUT_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  FILE* out = rows.real >= 0 ? fdopen(rows.real, "w") : NULL;
  if (!out || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0) {
    fprintf(stderr, "heft %s: error: the standard output cannot be redirected\n", verb);
    return 0;
  }
  close(nowhere);
  rows.on = 1;
  rows.count = 0;
  rows.progress = progress_begin();
  rows.out = out;
  rows.json = json_begin_to(out, verb);
  if (name) json_put_text(&rows.json, "name", name);
  json_open_list(&rows.json, list);
  return 1;
}

int json_rows_end(int code) {
  if (!rows.on) return code;
  json_close_list(&rows.json);
  json_put_count(&rows.json, "exit_code", code);
  json_end(&rows.json);
  rows.on = 0;
  progress_end(&rows.progress);
  return fclose(rows.out) != 0 && code == 0 ? 1 : code;
}

void json_row_begin(const char* name) {
  if (!rows.on) return;
  json_open_object(&rows.json, NULL);
  json_put_text(&rows.json, "name", name);
}

void json_row_text(const char* key, const char* value) {
  if (rows.on) json_put_text(&rows.json, key, value);
}

void json_row_number(const char* key, double value) {
  if (rows.on) json_put_number(&rows.json, key, value);
}

void json_row_end(void) {
  if (!rows.on) return;
  char text[40];
  json_close_object(&rows.json);
  fflush(rows.out);
  snprintf(text, sizeof text, "%d rows", ++rows.count);
  progress_show(&rows.progress, text, 0);
}
