// SPDX-License-Identifier: Apache-2.0
// Functions of the library whose requests for memory fail, one by one. A row names a function and
// an attempt that calls it once; tests/api/makers.py compares the rows of all tests with the
// headers. Where no sanitizer owns the heap, requests of shared libraries and of the C library
// fail, too; with a sanitizer those of Heft's own code alone do.
#ifndef HEFT_TESTS_FAULTS_STARVED_H
#define HEFT_TESTS_FAULTS_STARVED_H

#include <heft/base.h>

typedef HeftStatus StarvedAttempt(HeftError* error);

typedef struct StarvedRow {
  const char* function;
  StarvedAttempt* attempt;
  int flags;
} StarvedRow;

enum {
  STARVED_OWN = 1,     ///< only requests of Heft's own code fail: a shared library does not check
  STARVED_LEAK = 2,    ///< a shared library forgets a block when its memory runs out
  STARVED_SILENT = 4,  ///< has no HeftError
  STARVED_HERE = 8,    ///< only requests of the thread that calls fail: another one is the peer
  STARVED_DRIVER = 1 | 16,  ///< STARVED_OWN; a driver keeps memory and descriptors
};

#define STARVED_ROW(function, attempt, flags) \
  { #function, attempt, flags }

/// The call of the attempt: requests fail inside of it alone.
#define STARVED(status, call) ((status) = starved_end((starved_begin(), (call))))

void starved_begin(void);
HeftStatus starved_end(HeftStatus status);

/// Each attempt: its requests are counted, then each of them fails, alone and with all after it.
/// Fails the test if a call crashes, succeeds in part, gives no message, leaves memory or a
/// descriptor behind, or if the next one does not succeed. Prints a line per function.
void starved_rows(const StarvedRow* rows, int count);

#endif
