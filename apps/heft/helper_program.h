// SPDX-License-Identifier: Apache-2.0
// Programs that do what the heft command does not want in itself: foreign libraries that read files
// of strangers.
#ifndef HEFT_APPS_HELPER_PROGRAM_H
#define HEFT_APPS_HELPER_PROGRAM_H

#include <stddef.h>

/// Where a helper lies: beside this program, else it is left to PATH.
void helper_program(const char* name, char* out, size_t size);

#endif
