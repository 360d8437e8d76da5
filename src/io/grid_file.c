// SPDX-License-Identifier: Apache-2.0
// Files with samples of a signed distance, for the distance shape `grid`.
//
//   0   8 bytes   "HEFTGRID"
//   8   int32     1, the version
//  12   int32     samples along x, y and z
//  24   float64   x, y, z of the first sample [m]
//  48   float64   steps along x, y and z [m]
//  72   float32   distances [m]; x runs fastest, then y, then z
//
// Numbers are little-endian.
#include "io/grid_file.h"

#include <string.h>

#include "base/bytes.h"

enum { HEADER = 72, VERSION = 1, SAMPLES_OF_AXIS = 4096 };

static int refuse(Load* load, Place from, const char* path, const char* what) {
  load_fail(load, HEFT_ERR_SYNTAX, from,
            "'%.150s' %s; expected a grid of Heft (docs/manual/shapes.md)", path, what);
  return 0;
}

int grid_file_read(Load* load, Place from, const SourceFile* file, HeftField* out) {
  int32_t head[4];
  if (file->size < HEADER || memcmp(file->text, "HEFTGRID", 8) != 0)
    return refuse(load, from, file->path, "does not begin as a grid");
  const unsigned char* bytes = (const unsigned char*)file->text;
  bytes_get_array(bytes + 8, head, 4, sizeof *head);
  if (head[0] != VERSION) return refuse(load, from, file->path, "has another version");
  size_t count = 1;
  for (int k = 0; k < 3; ++k) {
    if (head[1 + k] < 2 || head[1 + k] > SAMPLES_OF_AXIS)
      return refuse(load, from, file->path, "has fewer than 2 or more than 4096 samples in a row");
    count *= (size_t)head[1 + k];
    out->grid[k] = head[1 + k];
  }
  if (file->size - HEADER != count * sizeof(float))
    return refuse(load, from, file->path, "has a size that does not fit its numbers of samples");
  bytes_get_array(bytes + 24, out->size, 6, sizeof(double));
  double* samples = load_take(load, count, sizeof(double));
  if (!samples) return 0;
  for (size_t i = 0; i < count; ++i) {
    float x;
    bytes_get_array(bytes + HEADER + i * sizeof x, &x, 1, sizeof x);
    samples[i] = (double)x;
  }
  out->samples = samples;
  return 1;
}
