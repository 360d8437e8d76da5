// SPDX-License-Identifier: Apache-2.0
// Any bytes as MJCF: they are refused with a reason, or the model can be written and read again.
// solref and solimp are mapped if the number of bytes is odd.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz_text(data, size, "x.mjcf", size % 2 != 0);
  return 0;
}
