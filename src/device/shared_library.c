// SPDX-License-Identifier: Apache-2.0
#include "device/shared_library.h"

#include <dlfcn.h>
#include <string.h>

#include "base/error.h"

static void* open_any(const char* path, const char* const* names) {
  if (path[0]) return dlopen(path, RTLD_NOW | RTLD_LOCAL);
  for (int i = 0; names[i]; ++i) {
    void* library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
  }
  return NULL;
}

void* shared_open(const char* path, const char* const* names, const char* what,
                  const Symbol* symbols, int count, void* table, HeftError* error) {
  void* library = open_any(path, names);
  if (!library) {
    heft_error_set(error, HEFT_ERR_FILE, "%s is not installed: %s was not found", what,
                   path[0] ? path : names[0]);
    return NULL;
  }
  for (int i = 0; i < count; ++i) {
    void* address = dlsym(library, symbols[i].name);
    if (!address && !symbols[i].optional) {
      heft_error_set(error, HEFT_ERR_VERSION, "the library of %s has no function %s", what,
                     symbols[i].name);
      dlclose(library);
      return NULL;
    }
    memcpy((char*)table + symbols[i].offset, &address, sizeof address);
  }
  return library;
}

void shared_close(void* library) {
  if (library) dlclose(library);
}
