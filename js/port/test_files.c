// SPDX-License-Identifier: Apache-2.0
// Temporary files, which the host keeps in memory; and processes and pipes, which cannot be made.
#include "test_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

// Replaces the last six characters, XXXXXX.
static char* number(char* name) {
  static int count;
  snprintf(name + strlen(name) - 6, 7, "%06d", ++count);
  return name;
}

int mkstemp(char* name) { return open(number(name), O_RDWR | O_CREAT | O_EXCL, 0600); }

char* mkdtemp(char* name) { return mkdir(number(name), 0700) == 0 ? name : NULL; }

FILE* popen(const char* command, const char* mode) {
  (void)command, (void)mode;
  errno = ENOSYS;
  return NULL;
}

int pclose(FILE* file) { return (void)file, -1; }

int mkfifo(const char* path, unsigned mode) {
  (void)path, (void)mode;
  errno = ENOSYS;
  return -1;
}
