// SPDX-License-Identifier: Apache-2.0
// Libraries of device makers, as drivers load them: which variable of the environment names another
// one, and which of ours stands for them.
#ifndef HEFT_APPS_MAKER_LIBRARY_H
#define HEFT_APPS_MAKER_LIBRARY_H

#include <stddef.h>

typedef struct MakerLibrary {
  const char* driver;    ///< "dhd"
  const char* variable;  ///< of the environment
  const char* before;    ///< what stands before a path in an address of the driver
  const char* file;      ///< of ours, that stands for it
  const char* text;      ///< one line
} MakerLibrary;

/// 0 to count - 1, NULL beyond.
const MakerLibrary* maker_library(int index);
/// Where ours is. 0 if it is not installed.
int maker_library_path(const MakerLibrary* library, char* path, size_t size);
/// The address of a driver: as given, or, where that is empty, with the library that the
/// environment names. Returns address or out.
const char* maker_library_address(const char* driver, const char* address, char* out, size_t size);

#endif
