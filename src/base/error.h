// SPDX-License-Identifier: Apache-2.0
// Filling in the caller's HeftError. Exported for the libraries heft_device and heft_io; no part of
// the public interface.
#ifndef HEFT_SRC_BASE_ERROR_H
#define HEFT_SRC_BASE_ERROR_H

#include <heft/base.h>
#include <stdarg.h>

/// Writes status and message; file, line and column stay as they are. error may be NULL. Returns
/// status.
HEFT_API __attribute__((format(printf, 3, 4))) HeftStatus heft_error_set(HeftError* error,
                                                                         HeftStatus status,
                                                                         const char* format, ...);

/// heft_error_set() with the position in the input. file may be NULL.
HEFT_API __attribute__((format(printf, 6, 7))) HeftStatus heft_error_set_at(
    HeftError* error, HeftStatus status, const char* file, int line, int column, const char* format,
    ...);

/// Names and paths come from outside: characters that would break the line, speak to a terminal or
/// turn the direction of text become '?'.
HEFT_API void heft_error_one_line(char* text);

#endif
