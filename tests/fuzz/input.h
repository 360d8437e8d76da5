// SPDX-License-Identifier: Apache-2.0
// Bytes of an input, taken one by one: zero behind their end.
#ifndef HEFT_TESTS_FUZZ_INPUT_H
#define HEFT_TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(condition)                                \
  do {                                                    \
    if (!(condition)) {                                   \
      fprintf(stderr, "does not hold: %s\n", #condition); \
      abort();                                            \
    }                                                     \
  } while (0)

typedef struct Input {
  const uint8_t* at;
  size_t left;
} Input;

static inline unsigned take(Input* in) {
  if (in->left == 0) return 0;
  --in->left;
  return *in->at++;
}

#endif
