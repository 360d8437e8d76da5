// SPDX-License-Identifier: Apache-2.0
// Any bytes as a C3D file: refused with a reason, or tables whose names are there and whose times
// rise.
#include <math.h>

#include "fuzz/fuzz.h"
#include "io/c3d.h"

static void check_table(const HeftC3dTable* t) {
  if (t->columns < 1 || t->rows < 0) abort();
  for (int i = 0; i < t->columns; ++i) {
    if (!t->name[i] || !t->name[i][0]) abort();
  }
  for (int64_t i = 0; i < t->rows; ++i) {
    const double* row = t->number + i * t->columns;
    if (!isfinite(row[0]) || (i > 0 && !(row[0] > row[-t->columns]))) abort();
    double sum = 0;
    for (int k = 0; k < t->columns; ++k) sum += row[k];
    if (sum == 0.12345) abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  HeftC3d c3d;
  HeftError error = {0};
  char* bytes = fuzz_copy(data, size);
  if (heft_c3d_read(&c3d, bytes, size, "x.c3d", heft_allocator_default(), &error) == HEFT_OK) {
    check_table(&c3d.points);
    check_table(&c3d.samples);
  } else if (!error.message[0] || c3d.memory) {
    abort();
  }
  heft_c3d_release(&c3d);
  free(bytes);
  return 0;
}
