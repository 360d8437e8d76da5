// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE  // memfd_create
#include "plugin/shared_object.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { BLOCK = 1 << 14 };

bool heft_file_stamp(const char* path, FileStamp* stamp) {
  struct stat s;
  if (stat(path, &s) != 0 || !S_ISREG(s.st_mode)) return false;
  *stamp = (FileStamp){(uint64_t)s.st_dev, (uint64_t)s.st_ino, (uint64_t)s.st_size,
                       (int64_t)s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec};
  return true;
}

bool heft_file_stamp_equal(const FileStamp* a, const FileStamp* b) {
  return a->device == b->device && a->inode == b->inode && a->size == b->size &&
         a->changed_ns == b->changed_ns;
}

// ---- the copy

static bool copy_bytes(int from, int to) {
  char block[BLOCK];
  for (;;) {
    const ssize_t got = read(from, block, sizeof block);
    if (got == 0) return true;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    for (ssize_t done = 0; done < got;) {
      const ssize_t put = write(to, block + done, (size_t)(got - done));
      if (put < 0 && errno != EINTR) return false;
      if (put > 0) done += put;
    }
  }
}

// A copy in memory, as a file descriptor; -1 on failure.
static int copy_file(const char* path, HeftError* error) {
  const int from = open(path, O_RDONLY | O_CLOEXEC);
  if (from < 0) {
    heft_error_set(error, HEFT_ERR_FILE, "the plug-in '%.300s' cannot be read", path);
    return -1;
  }
  const int to = memfd_create("heft-plugin", MFD_CLOEXEC);
  const bool whole = to >= 0 && copy_bytes(from, to);
  close(from);
  if (whole) return to;
  if (to >= 0) close(to);
  heft_error_set(error, HEFT_ERR_FILE, "the plug-in '%.300s' cannot be copied to memory", path);
  return -1;
}

// ---- the plug-in

static HeftStatus find_plugin(SharedObject* object, const char* path, HeftError* error) {
  typedef const HeftPlugin* Function(void);
  void* address = dlsym(object->handle, "heft_plugin");
  if (!address)
    return heft_error_set(error, HEFT_ERR_NAME,
                          "'%.300s' exports no function heft_plugin; is HEFT_PLUGIN(...) missing?",
                          path);
  Function* function = NULL;
  memcpy(&function, &address, sizeof function);
  object->plugin = function();
  if (object->plugin) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_VALUE, "heft_plugin() of '%.300s' returns NULL", path);
}

HeftStatus heft_shared_object_open(SharedObject* out, const char* path, HeftError* error) {
  char copy[64];
  *out = (SharedObject){0};
  SharedObject object = {0};
  if (!heft_file_stamp(path, &object.stamp))
    return heft_error_set(error, HEFT_ERR_FILE, "there is no plug-in file '%.300s'", path);
  object.copy = copy_file(path, error);
  if (object.copy < 0) return HEFT_ERR_FILE;
  snprintf(copy, sizeof copy, "/proc/self/fd/%d", object.copy);
  object.handle = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
  if (!object.handle) {
    close(object.copy);
    const char* reason = dlerror();
    const size_t skip = reason && strncmp(reason, copy, strlen(copy)) == 0 ? strlen(copy) : 0;
    return heft_error_set(error, HEFT_ERR_FILE, "cannot load the plug-in '%.200s'%s%.250s", path,
                          skip > 0 ? "" : ": ", reason ? reason + skip : "unknown reason");
  }
  const HeftStatus status = find_plugin(&object, path, error);
  if (status != HEFT_OK) {
    heft_shared_object_close(&object);
    return status;
  }
  *out = object;
  return HEFT_OK;
}

void heft_shared_object_close(SharedObject* object) {
  if (object->handle) {
    dlclose(object->handle);
    close(object->copy);
  }
  *object = (SharedObject){0};
}
