// SPDX-License-Identifier: Apache-2.0
// Libraries of vendors, loaded when a person asks for their device.
#ifndef HEFT_SRC_DEVICE_SHARED_LIBRARY_H
#define HEFT_SRC_DEVICE_SHARED_LIBRARY_H

#include <heft/base.h>

/// A function that a library must have, and where its address goes in a table of pointers.
typedef struct Symbol {
  const char* name;
  size_t offset;
  int optional;
} Symbol;

/// Opens the library at `path`, or if that is "" the first of `names` that is there, and fills in
/// the table. NULL on failure; error names the missing library and the package to install.
void* shared_open(const char* path, const char* const* names, const char* what,
                  const Symbol* symbols, int count, void* table, HeftError* error);
void shared_close(void* library);

#endif
