// SPDX-License-Identifier: Apache-2.0
#include "sweep/quarantine.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "sweep/results.h"
#include "sweep/sha256.h"

enum { PATH_SIZE = 4096 };

static void reason_path(const char* folder, int64_t chunk, char* out, size_t size) {
  snprintf(out, size, "%s/quarantine/%06lld.txt", folder, (long long)chunk);
}

// A file with what a machine computed for a chunk: NNNNNN-HASH.h5.
static int is_copy(const char* name, int64_t chunk) {
  char begin[32];
  snprintf(begin, sizeof begin, "%06lld-", (long long)chunk);
  return strncmp(name, begin, strlen(begin)) == 0;
}

int quarantine_has(const char* folder, int64_t chunk) {
  char path[PATH_SIZE];
  reason_path(folder, chunk, path, sizeof path);
  return access(path, F_OK) == 0;
}

int quarantine_disputed(const char* folder, int64_t chunk) {
  char path[PATH_SIZE];
  int found = 0;
  if (!quarantine_has(folder, chunk)) return 0;
  snprintf(path, sizeof path, "%s/quarantine", folder);
  DIR* list = opendir(path);
  for (const struct dirent* e = list ? readdir(list) : NULL; e && !found; e = readdir(list))
    found = is_copy(e->d_name, chunk);
  if (list) closedir(list);
  return found;
}

void quarantine_reason(const char* folder, int64_t chunk, char out[QUARANTINE_TEXT]) {
  char path[PATH_SIZE];
  reason_path(folder, chunk, path, sizeof path);
  FILE* file = fopen(path, "r");
  const size_t size = file ? fread(out, 1, QUARANTINE_TEXT - 1, file) : 0;
  out[size] = '\0';
  out[strcspn(out, "\n")] = '\0';
  if (file) fclose(file);
}

static HeftStatus make_folder(const char* folder, HeftError* error) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "%s/quarantine", folder);
  if (mkdir(path, 0777) == 0 || errno == EEXIST) return HEFT_OK;
  return heft_error_set_at(error, HEFT_ERR_FILE, path, 0, 0, "the folder cannot be created: %s",
                           strerror(errno));
}

HeftStatus quarantine_put(const char* folder, int64_t chunk, const char* reason, HeftError* error) {
  char path[PATH_SIZE], text[QUARANTINE_TEXT + 2];
  const int size = snprintf(text, sizeof text, "%.*s\n", QUARANTINE_TEXT, reason);
  const HeftStatus status = make_folder(folder, error);
  reason_path(folder, chunk, path, sizeof path);
  return status == HEFT_OK ? results_write_file(path, text, (size_t)size, error) : status;
}

HeftStatus quarantine_keep(const char* folder, int64_t chunk, const void* bytes, size_t size,
                           HeftError* error) {
  char path[PATH_SIZE], hash[65];
  Sha256 h = sha256_begin();
  sha256_add(&h, bytes, size);
  sha256_text(&h, hash);
  snprintf(path, sizeof path, "%s/quarantine/%06lld-%.16s.h5", folder, (long long)chunk, hash);
  const HeftStatus status = make_folder(folder, error);
  return status == HEFT_OK ? results_write_file(path, bytes, size, error) : status;
}

HeftStatus quarantine_lift(const char* folder, int64_t chunk, HeftError* error) {
  char path[PATH_SIZE], from[PATH_SIZE + 300], to[PATH_SIZE + 300];
  snprintf(path, sizeof path, "%s/quarantine", folder);
  DIR* list = opendir(path);
  for (const struct dirent* e = list ? readdir(list) : NULL; e; e = readdir(list)) {
    if (!is_copy(e->d_name, chunk)) continue;
    snprintf(from, sizeof from, "%s/%s", path, e->d_name);
    snprintf(to, sizeof to, "%s/settled-%s", path, e->d_name);
    if (rename(from, to) == 0) continue;
    closedir(list);
    return heft_error_set_at(error, HEFT_ERR_FILE, from, 0, 0, "the file cannot be renamed: %s",
                             strerror(errno));
  }
  if (list) closedir(list);
  reason_path(folder, chunk, path, sizeof path);
  if (unlink(path) == 0 || errno == ENOENT) return HEFT_OK;
  return heft_error_set_at(error, HEFT_ERR_FILE, path, 0, 0, "the file cannot be removed: %s",
                           strerror(errno));
}

int64_t quarantine_each(const char* folder, void (*visit)(void* user, int64_t chunk), void* user) {
  char path[PATH_SIZE];
  int64_t count = 0;
  snprintf(path, sizeof path, "%s/quarantine", folder);
  DIR* list = opendir(path);
  for (const struct dirent* e = list ? readdir(list) : NULL; e; e = readdir(list)) {
    const size_t digits = strspn(e->d_name, "0123456789");
    if (digits < 6 || digits > 15 || strcmp(e->d_name + digits, ".txt") != 0) continue;
    ++count;
    if (visit) visit(user, strtoll(e->d_name, NULL, 10));
  }
  if (list) closedir(list);
  return count;
}
