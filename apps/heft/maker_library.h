// SPDX-License-Identifier: Apache-2.0
// Libraries of device makers that drivers load: the environment variable that selects another
// library, and the emulated library of Heft.
#ifndef HEFT_APPS_MAKER_LIBRARY_H
#define HEFT_APPS_MAKER_LIBRARY_H

#include <stddef.h>

typedef struct MakerLibrary {
  const char* driver;    ///< "dhd"
  const char* variable;  ///< environment variable
  const char* before;    ///< prefix of a path in an address of the driver
  const char* file;      ///< emulated library
  const char* text;      ///< one line
} MakerLibrary;

/// 0 to count - 1, NULL beyond.
const MakerLibrary* maker_library(int index);
/// Path of the emulated library. 0 if it is not installed.
int maker_library_path(const MakerLibrary* library, char* path, size_t size);
/// The address of a driver: as given or, if it is empty, with the library named by the
/// environment. Returns address or out.
const char* maker_library_address(const char* driver, const char* address, char* out, size_t size);

#endif
