// SPDX-License-Identifier: Apache-2.0
// Reads one regular file as a whole, up to a limit. Pipes and devices are rejected, so that the
// call never waits for them.
//
// A path that was checked may lead elsewhere when it is opened: links can be exchanged in between.
// So a file that a model names is opened by its canonical path, which has no links, folder by
// folder, and a link that has taken the place of a folder or of the file is not followed. Then the
// path that was checked is the path of the file that is read.
#define _GNU_SOURCE  // O_PATH: a folder may be passed without the permission to list it
#include "io/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <heft/io.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/error.h"

static HeftStatus fail(HeftError* error, HeftStatus status, const char* text, const char* path) {
  if (error) *error = (HeftError){0};
  return heft_error_set(error, status, "%s '%.200s'", text, path);
}

const char* read_file_reason(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return "there is no file";
    case EACCES:
    case EPERM:
      return "no permission to read";
    case ELOOP:
      return "too many symbolic links in the path of";
    case ESTALE:
      return "a link took the place of a folder or file while this was opened:";
    default:
      return "cannot read";
  }
}

// Reads an open file into memory of its size.
static HeftStatus read_all(int fd, const char* path, size_t limit, const HeftAllocator* a,
                           void** out, size_t* size, HeftError* error) {
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
    return fail(error, HEFT_ERR_FILE, "this is not a regular file:", path);
  if ((unsigned long long)info.st_size > limit) {
    char text[120];
    snprintf(text, sizeof text,
             "%llu bytes are too many, at most %zu are allowed:", (unsigned long long)info.st_size,
             limit);
    return fail(error, HEFT_ERR_LIMIT, text, path);
  }
  const size_t wanted = (size_t)info.st_size;
  char* bytes = a->allocate(a->user, wanted + 1, 64);
  if (!bytes) return fail(error, HEFT_ERR_MEMORY, "no memory to read", path);
  size_t have = 0;
  while (have < wanted) {
    const ssize_t got = read(fd, bytes + have, wanted - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += (size_t)got;
  }
  if (have != wanted) {
    a->release(a->user, bytes, wanted + 1);
    return fail(error, HEFT_ERR_FILE, "the file ended early:", path);
  }
  bytes[wanted] = '\0';
  *out = bytes;
  *size = wanted;
  return HEFT_OK;
}

// Opens the file of a canonical path without following a link. On failure: -1, and errno is set.
static int open_without_links(const char* canonical) {
#ifdef __wasi__
  return open(canonical, O_RDONLY | O_NONBLOCK);  // there are no links (canonical.c)
#else
#ifdef O_PATH
  const int folder_flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
#else
  const int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
#endif
  const int file_flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
  int at = open("/", folder_flags);
  for (const char* part = canonical + 1; at >= 0;) {
    char name[256];  // NAME_MAX and a zero
    const size_t length = strcspn(part, "/");
    const int is_last = part[length] == '\0';
    int next = -1;
    errno = ENAMETOOLONG;
    if (length > 0 && length < sizeof name) {
      memcpy(name, part, length);
      name[length] = '\0';
      next = openat(at, name, is_last ? file_flags : folder_flags);
      if (next < 0 && (errno == ELOOP || errno == ENOTDIR)) errno = ESTALE;
    }
    const int code = errno;
    close(at);
    errno = code;
    if (is_last) return next;
    at = next;
    part += length + 1;
  }
  return -1;
#endif
}

static HeftStatus read_opened(int fd, const char* path, size_t limit, const HeftAllocator* a,
                              void** bytes, size_t* size, HeftError* error) {
  if (fd < 0) return fail(error, HEFT_ERR_FILE, read_file_reason(errno), path);
  const HeftStatus status = read_all(fd, path, limit, a, bytes, size, error);
  close(fd);
  return status;
}

HeftStatus read_file_without_links(void** bytes, size_t* size, const char* canonical,
                                   const char* path, size_t limit, const HeftAllocator* allocator,
                                   HeftError* error) {
  return read_opened(open_without_links(canonical), path, limit, allocator, bytes, size, error);
}

HeftStatus heft_file_read(void** bytes, size_t* size, const char* path, size_t limit,
                          const HeftAllocator* allocator, HeftError* error) {
  HEFT_REQUIRE(bytes && size,
               heft_error_set(error, HEFT_ERR_ARGUMENT, "bytes and size must not be NULL"));
  *bytes = NULL;
  *size = 0;
  HEFT_REQUIRE(path && allocator && allocator->allocate && allocator->release,
               heft_error_set(error, HEFT_ERR_ARGUMENT, "path and allocator must not be NULL"));
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  return read_opened(fd, path, limit, allocator, bytes, size, error);
}
