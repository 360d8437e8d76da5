// SPDX-License-Identifier: Apache-2.0
/// @file version.h
/// Version of the headers (macros) and of the library that is loaded (functions). The build reads
/// the version only from this file.
#ifndef HEFT_VERSION_H
#define HEFT_VERSION_H

#include <heft/export.h>

/// The version of the headers; heft_version() returns the library's version.
#define HEFT_VERSION_MAJOR 0
#define HEFT_VERSION_MINOR 3  ///< of the headers
#define HEFT_VERSION_PATCH 0  ///< of the headers

/// Number of the binary interface, 1 to 255. It rises with every change of a public struct, enum or
/// function that a compiled program depends on (docs/manual/compatibility.md).
#define HEFT_ABI_VERSION 3

#ifdef __cplusplus
extern "C" {
#endif

/// Version of the library that is loaded, as "major.minor.patch". Static string, never NULL.
HEFT_API const char* heft_version(void);
/// HEFT_ABI_VERSION of the library that is loaded. A program whose own HEFT_ABI_VERSION differs
/// must not exchange structs with this library.
HEFT_API int heft_abi_version(void);

#ifdef __cplusplus
}
#endif

#endif
