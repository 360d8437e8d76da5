// SPDX-License-Identifier: Apache-2.0
// Any bytes as a BVH file: refused with a reason, or a table of finite numbers whose times rise.
#include <math.h>

#include "fuzz/fuzz.h"
#include "io/bvh.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  HeftC3d motion;
  HeftError error = {0};
  char* bytes = fuzz_copy(data, size);
  const HeftC3dTable* t = &motion.points;
  if (heft_bvh_read(&motion, bytes, size, "x.bvh", heft_allocator_default(), &error) == HEFT_OK) {
    for (int i = 0; i < t->columns; ++i)
      if (!t->name[i][0]) abort();
    for (int64_t i = 0; i < t->rows * t->columns; ++i)
      if (!isfinite(t->number[i])) abort();
    for (int64_t i = 1; i < t->rows; ++i)
      if (!(t->number[i * t->columns] > t->number[(i - 1) * t->columns])) abort();
  } else if (!error.message[0] || motion.memory) {
    abort();
  }
  heft_c3d_release(&motion);
  free(bytes);
  return 0;
}
