// SPDX-License-Identifier: Apache-2.0
// Chooses the reader of a mesh file by the ending of its name.
#include <string.h>

#include "io/mesh.h"

// Operations for a byte: numbers as text are the most expensive.
enum { WORK_OF_BYTE = 15 };

int mesh_has_ending(const char* path, const char* ending) {
  const size_t a = strlen(path), b = strlen(ending);
  if (a < b) return 0;
  for (size_t i = 0; i < b; ++i) {
    const char c = path[a - b + i];
    if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != ending[i]) return 0;
  }
  return 1;
}

int mesh_read(Load* load, Place from, const SourceFile* file, Mesh* out) {
  if (!load_work(load, from, WORK_OF_BYTE * (double)file->size)) return 0;
  if (mesh_has_ending(file->path, ".obj")) return mesh_read_obj(load, from, file, out);
  if (mesh_has_ending(file->path, ".stl")) return mesh_read_stl(load, from, file, out);
  if (mesh_has_ending(file->path, ".dae")) return mesh_read_collada(load, from, file, out);
  load_fail(
      load, HEFT_ERR_UNSUPPORTED, from,
      "'%.200s': meshes are read from .stl, .obj and .dae files; convert it with heft convert",
      file->path);
  return 0;
}
