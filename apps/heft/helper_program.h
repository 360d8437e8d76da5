// SPDX-License-Identifier: Apache-2.0
// Separate programs that contain third-party libraries. They parse untrusted files outside of the
// process of the heft command.
#ifndef HEFT_APPS_HELPER_PROGRAM_H
#define HEFT_APPS_HELPER_PROGRAM_H

#include <stddef.h>

/// Path of a helper program: next to this program, or only its name, which PATH resolves.
void helper_program(const char* name, char* out, size_t size);

enum {
  HELPER_MISSING = -1,  ///< the program was not found
  HELPER_TIMEOUT = -2,  ///< it was ended after its time
  HELPER_FAILED = -3,   ///< no process could be started
  HELPER_SIGNAL = -64   ///< minus the signal that ended it
};

/// Runs a helper program with two arguments and waits at most `seconds`. Returns its exit code, or
/// one of the values above. Its output goes to `output` (an open file, or -1: this program's
/// output).
int helper_program_run(const char* name, const char* from, const char* to, double seconds,
                       int output);

#endif
