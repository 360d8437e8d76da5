// SPDX-License-Identifier: Apache-2.0
// Any bytes as a grid of signed distances: read, checked, made into triangles, evaluated.
#include <math.h>

#include "fuzz/fuzz.h"
#include "io/grid_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const HeftLoadDef def = fuzz_def();
  HeftError error = {0};
  Load load;
  load_open(&load, &def, &error);
  char* text = fuzz_copy(data, size);
  const SourceFile file = {.path = "x.grid", .text = text, .size = size};
  HeftField field = {.type = HEFT_FIELD_GRID};
  if (!grid_file_read(&load, (Place){.file = &file}, &file, &field)) {
    if (load.status == HEFT_OK || !error.message[0]) abort();
  } else if (heft_field_check(&field, NULL) == HEFT_OK) {
    HeftVec3 low, high, g;
    HeftFieldTriangles t;
    heft_field_bounds(&field, &low, &high);
    if (!isfinite(heft_field_distance(&field, heft_vec3_scale(0.5, heft_vec3_add(low, high)), &g)))
      abort();
    if (heft_field_triangles_effort(&field, 0) < 1e4 &&
        heft_field_triangles(&field, 0, NULL, &t, NULL) == HEFT_OK) {
      for (int i = 0; i < 3 * t.face_count; ++i) {
        if (t.faces[i] < 0 || t.faces[i] >= t.vertex_count) abort();
      }
      for (int i = 0; i < 3 * t.vertex_count; ++i) {
        if (!isfinite(t.vertices[i])) abort();
      }
      heft_field_triangles_release(&t, NULL);
    }
  }
  load_close(&load);
  free(text);
  return 0;
}
