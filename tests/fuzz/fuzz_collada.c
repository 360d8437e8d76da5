// SPDX-License-Identifier: Apache-2.0
// Any bytes as a mesh in Collada: read, weighed, wrapped in its hull.
#include "fuzz/fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz_mesh(data, size, "x.dae");
  return 0;
}
