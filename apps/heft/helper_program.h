// SPDX-License-Identifier: Apache-2.0
// Separate programs that contain third-party libraries. They parse untrusted files outside of the
// process of the heft command.
#ifndef HEFT_APPS_HELPER_PROGRAM_H
#define HEFT_APPS_HELPER_PROGRAM_H

#include <stddef.h>

/// Path of a helper program: next to this program, or its name alone, which PATH resolves.
void helper_program(const char* name, char* out, size_t size);

#endif
