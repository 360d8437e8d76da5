// SPDX-License-Identifier: Apache-2.0
// Errors of the command's own parts.
#ifndef HEFT_APPS_FAIL_H
#define HEFT_APPS_FAIL_H

#include <heft/base.h>

/// Writes status and message; file, line and column stay as they are. Returns status.
__attribute__((format(printf, 3, 4))) HeftStatus fail_with(HeftError* error, HeftStatus status,
                                                           const char* format, ...);

#endif
