// SPDX-License-Identifier: Apache-2.0
/// @file
/// Which Heft this is: the macros say what you compiled against, heft_version() what you run.
/// The build reads the version from here; it stands nowhere else.
#ifndef HEFT_VERSION_H
#define HEFT_VERSION_H

#include <heft/export.h>

#define HEFT_VERSION_MAJOR 0
#define HEFT_VERSION_MINOR 1
#define HEFT_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the library that is loaded, as "major.minor.patch".
/// @return a string that lives as long as the library; never NULL
HEFT_API const char* heft_version(void);

#ifdef __cplusplus
}
#endif

#endif
