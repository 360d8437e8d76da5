// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of Gmsh: refused with a reason, or tetrahedra of positive volume whose
// corners are inside and use all vertices.
#include <heft/math.h>
#include <math.h>

#include "fuzz/fuzz.h"
#include "io/msh.h"

static void check_tetrahedron(const HeftTetrahedra* m, const int* corner) {
  HeftVec3 p[4];
  for (int k = 0; k < 4; ++k) {
    if (corner[k] < 0 || corner[k] >= m->vertex_count) abort();
    p[k] = heft_vec3_from(m->vertices + 3L * corner[k]);
  }
  const HeftVec3 a = heft_vec3_sub(p[1], p[0]), b = heft_vec3_sub(p[2], p[0]),
                 c = heft_vec3_sub(p[3], p[0]);
  if (!(heft_vec3_dot(a, heft_vec3_cross(b, c)) > 0)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const HeftLoadDef def = fuzz_def();
  HeftError error = {0};
  Load load;
  load_open(&load, &def, &error);
  char* text = fuzz_copy(data, size);
  const SourceFile file = {.path = "x.msh", .text = text, .size = size};
  HeftTetrahedra mesh;
  int* number = NULL;
  if (msh_read(&load, (Place){.file = &file}, &file, &mesh) &&
      tetrahedra_compact(&load, &mesh, &number)) {
    if (mesh.vertex_count < 4 || mesh.tetrahedron_count < 1) abort();
    for (int t = 0; t < mesh.tetrahedron_count; ++t)
      check_tetrahedron(&mesh, mesh.tetrahedra + 4L * t);
    for (long i = 0; i < 3L * mesh.vertex_count; ++i) {
      if (!isfinite(mesh.vertices[i])) abort();
    }
  } else if (load.status == HEFT_OK || !error.message[0]) {
    abort();
  }
  load_close(&load);
  free(text);
  return 0;
}
