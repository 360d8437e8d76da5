// SPDX-License-Identifier: Apache-2.0
// Any bytes as URDF: they are refused with a reason, or the model can be written and read again.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz_text(data, size, "x.urdf", false);
  return 0;
}
