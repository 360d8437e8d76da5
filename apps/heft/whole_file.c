// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700  // realpath
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WHOLE_FILE_TRIES = 100 };

// The target of a link is written: the link stays.
static int find_target(WholeFile* w, const char* path) {
  struct stat info;
  if (strlen(path) >= sizeof w->path) {
    errno = ENAMETOOLONG;
    return 0;
  }
  snprintf(w->path, sizeof w->path, "%s", path);
  if (lstat(path, &info) != 0 || !S_ISLNK(info.st_mode)) return 1;
  char* target = realpath(path, NULL);
  if (!target) return errno == ENOENT;  // a link to nothing is replaced
  const int fits = strlen(target) < sizeof w->path;
  if (fits) snprintf(w->path, sizeof w->path, "%s", target);
  free(target);
  return fits;
}

FILE* whole_file_open(WholeFile* w, const char* path) {
  struct stat info;
  w->file = NULL;
  w->temporary[0] = '\0';
  if (!find_target(w, path)) return NULL;
  const int present = stat(w->path, &info) == 0;
  if (present && !S_ISREG(info.st_mode)) return w->file = fopen(w->path, "wb");
  if (present && access(w->path, W_OK) != 0) return NULL;
  for (int i = 0; i < WHOLE_FILE_TRIES && !w->file; ++i) {
    snprintf(w->temporary, sizeof w->temporary, "%s.%d.part", w->path, i);
    w->file = fopen(w->temporary, "wbx");  // never one of another writer
    if (!w->file && errno != EEXIST) return NULL;
  }
  if (w->file && present) (void)chmod(w->temporary, info.st_mode & 07777);
  return w->file;
}

int whole_file_close(WholeFile* w, int well) {
  if (!w->file) return 0;
  well = fflush(w->file) == 0 && !ferror(w->file) && well;
  if (well && w->temporary[0]) well = fsync(fileno(w->file)) == 0;
  const int reason = errno;
  well = fclose(w->file) == 0 && well;
  w->file = NULL;
  if (well && w->temporary[0]) well = rename(w->temporary, w->path) == 0;
  if (!well && w->temporary[0]) {
    const int now = errno;
    remove(w->temporary);
    errno = now ? now : reason;
  }
  return well;
}
