// SPDX-License-Identifier: Apache-2.0
// Parts of a mesh: the faces that have the same material.
#include <string.h>

#include "io/mesh.h"

static int find(const char** names, int count, const char* name) {
  for (int i = 0; i < count; ++i) {
    if (strcmp(names[i], name) == 0) return i;
  }
  return -1;
}

int mesh_materials(const Mesh* mesh, const char** names, int* of_run, int max) {
  int count = 0;
  for (int r = 0; r < mesh->run_count; ++r) {
    int at = find(names, count, mesh->runs[r].material);
    if (at < 0) {
      if (count == max) return -1;
      at = count++;
      names[at] = mesh->runs[r].material;
    }
    of_run[r] = at;
  }
  return count;
}

// The material of a face; faces before the first run have the first material.
typedef struct Walk {
  int run;
} Walk;

static int material_of(const Mesh* mesh, const int* of_run, Walk* walk, int face) {
  while (walk->run + 1 < mesh->run_count && mesh->runs[walk->run + 1].first_face <= face)
    ++walk->run;
  return of_run[walk->run];
}

static void copy_face(const Mesh* mesh, int face, int* moved, Mesh* out) {
  for (int k = 0; k < 3; ++k) {
    const int v = mesh->faces[3L * face + k];
    if (moved[v] == 0) {
      memcpy(out->vertices + 3L * out->vertex_count, mesh->vertices + 3L * v, 3 * sizeof(double));
      moved[v] = ++out->vertex_count;  // from 1; 0: not used so far
    }
    out->faces[3L * out->face_count + k] = moved[v] - 1;
  }
  if (out->image && mesh->image)
    memcpy(out->image + 6L * out->face_count, mesh->image + 6L * face, 6 * sizeof(double));
  ++out->face_count;
}

int mesh_part(Load* load, const Mesh* mesh, const int* of_run, int material, Mesh* out) {
  int count = 0;
  Walk walk = {0};
  for (int f = 0; f < mesh->face_count; ++f)
    count += material_of(mesh, of_run, &walk, f) == material;
  const size_t n = (size_t)count;
  const size_t most = 3 * n < (size_t)mesh->vertex_count ? 3 * n : (size_t)mesh->vertex_count;
  int* moved = load_take(load, (size_t)mesh->vertex_count, sizeof(int));
  *out = (Mesh){.vertices = load_take(load, 3 * most, sizeof(double)),
                .faces = load_take(load, 3 * n, sizeof(int)),
                .image = mesh->image ? load_take(load, 6 * n, sizeof(double)) : NULL};
  if (!LOAD_OK(load) || !moved || !out->vertices || !out->faces) return 0;
  walk = (Walk){0};
  for (int f = 0; f < mesh->face_count; ++f) {
    if (material_of(mesh, of_run, &walk, f) == material) copy_face(mesh, f, moved, out);
  }
  return 1;
}
