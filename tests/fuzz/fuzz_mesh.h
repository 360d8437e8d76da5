// SPDX-License-Identifier: Apache-2.0
// Any bytes as a mesh file: read, weighed, wrapped in its hull; its indices must be inside.
#ifndef HEFT_TESTS_FUZZ_MESH_H
#define HEFT_TESTS_FUZZ_MESH_H

#include "fuzz/fuzz.h"
#include "io/mesh.h"

static inline void fuzz_mesh(const uint8_t* data, size_t size, const char* name) {
  const HeftLoadDef def = fuzz_def();
  HeftError error = {0};
  Load load;
  load_open(&load, &def, &error);
  char* text = fuzz_copy(data, size);
  const SourceFile file = {.path = name, .text = text, .size = size};
  const Place place = {.file = &file};
  Mesh mesh = {0};
  if (mesh_read(&load, place, &file, &mesh)) {
    HeftInertia inertia;
    for (int how = 0; how < 4; ++how) mesh_mass(&mesh, (MeshMass)how, &inertia);
    if (mesh.vertex_count < 300 && mesh_hull(&load, place, "x", &mesh))
      mesh_mass(&mesh, MESH_MASS_CONVEX, &inertia);
    for (int i = 0; i < 3 * mesh.face_count; ++i) {
      if (mesh.faces[i] < 0 || mesh.faces[i] >= mesh.vertex_count) abort();
    }
    for (int i = 0; i < 3 * mesh.hull_count; ++i) {
      if (mesh.hull[i] < 0 || mesh.hull[i] >= mesh.vertex_count) abort();
    }
  } else if (load.status == HEFT_OK || !error.message[0]) {
    abort();
  }
  load_close(&load);
  free(text);
}

#endif
