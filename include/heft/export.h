// SPDX-License-Identifier: Apache-2.0
/// @file
/// Marks what the library shows to the outside. Everything else is compiled with hidden visibility.
#ifndef HEFT_EXPORT_H
#define HEFT_EXPORT_H

// On ELF and Mach-O the mark is the same for the shared and the static library, so one set of
// object files serves both. On Windows define HEFT_SHARED to use the DLL; HEFT_BUILDING is set by
// the build of the DLL itself.
#if defined(_WIN32)
#if defined(HEFT_BUILDING)
#define HEFT_API __declspec(dllexport)
#elif defined(HEFT_SHARED)
#define HEFT_API __declspec(dllimport)
#else
#define HEFT_API
#endif
#elif defined(__GNUC__)
#define HEFT_API __attribute__((visibility("default")))
#else
#define HEFT_API
#endif

#endif
