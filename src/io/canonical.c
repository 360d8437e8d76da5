// SPDX-License-Identifier: Apache-2.0
// The canonical form of a path, by realpath() of POSIX.
//
// wasi-libc has no realpath(). Its files are those that a host keeps in memory, and the host has no
// links: the form of the text decides.
#define _XOPEN_SOURCE 700  // realpath
#include "io/canonical.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifndef __wasi__

_Static_assert(CANONICAL_SIZE >= PATH_MAX, "realpath() writes up to PATH_MAX bytes");

int canonical_path(const char* path, char out[CANONICAL_SIZE]) {
  return realpath(path, out) != NULL;
}

#else
#include <sys/stat.h>
#include <unistd.h>

// Appends "/part" to the path out[0 .. length - 1], or removes its last part. Returns the new
// length; the root has length 0, and ".." in the root is the root.
static size_t append(char* out, size_t length, const char* part, size_t size) {
  if (size == 0 || (size == 1 && part[0] == '.')) return length;
  if (size == 2 && part[0] == '.' && part[1] == '.') {
    while (length > 0 && out[--length] != '/') {
    }
    return length;
  }
  out[length] = '/';
  memcpy(out + length + 1, part, size);
  return length + 1 + size;
}

int canonical_path(const char* path, char out[CANONICAL_SIZE]) {
  struct stat info;
  if (stat(path, &info) != 0) return 0;
  if (path[0] == '/') {
    out[0] = '\0';
  } else if (!getcwd(out, CANONICAL_SIZE)) {
    return 0;
  }
  size_t length = strlen(out);
  if (length > 0 && out[length - 1] == '/') --length;  // the root
  if (length + strlen(path) + 2 > CANONICAL_SIZE) {
    errno = ENAMETOOLONG;
    return 0;
  }
  while (*path) {
    const size_t size = strcspn(path, "/");
    length = append(out, length, path, size);
    path += size + (path[size] == '/');
  }
  if (length == 0) out[length++] = '/';
  out[length] = '\0';
  return 1;
}

#endif
