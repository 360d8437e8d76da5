// SPDX-License-Identifier: Apache-2.0
// No shared libraries: dlopen finds none, and tests that compare with other engines skip.
#ifndef HEFT_PORT_DLFCN_H
#define HEFT_PORT_DLFCN_H

#include <stddef.h>

enum { RTLD_NOW = 2, RTLD_LOCAL = 0, RTLD_GLOBAL = 256 };
#define RTLD_NEXT ((void*)-1)

static inline void* dlopen(const char* file, int mode) { return (void)file, (void)mode, NULL; }
static inline void* dlsym(void* library, const char* name) {
  return (void)library, (void)name, NULL;
}
static inline int dlclose(void* library) { return (void)library, 0; }
static inline char* dlerror(void) { return "there are no shared libraries"; }

#endif
