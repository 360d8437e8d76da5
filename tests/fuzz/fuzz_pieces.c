// SPDX-License-Identifier: Apache-2.0
// Any bytes as a mesh that is cut into convex pieces: the first byte is the number of vertices and
// chooses the work that may be done, the second chooses the error, then come vertices as bytes or
// as any doubles, then faces. What comes out must be finite, inside of its arrays, and within its
// limits.
#include <math.h>

#include "fuzz/fuzz.h"
#include "io/pieces.h"

enum { VERTICES = 64, FACES = 200, PIECES = 8, CORNERS = 16 };

static void check(const Pieces* p) {
  if (p->count < 1 || p->count > PIECES) abort();
  if (!(p->excess >= 0 && p->missing >= 0 && isfinite(p->excess) && isfinite(p->missing))) abort();
  for (int i = 0; i < p->count; ++i) {
    const Mesh* m = &p->piece[i];
    if (m->vertex_count < 4 || m->vertex_count > CORNERS) abort();
    if (m->face_count != 2 * m->vertex_count - 4) abort();  // a closed surface
    for (int k = 0; k < 3 * m->vertex_count; ++k) {
      if (!isfinite(m->vertices[k])) abort();
    }
    for (int k = 0; k < 3 * m->face_count; ++k) {
      if (m->faces[k] < 0 || m->faces[k] >= m->vertex_count) abort();
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  double vertices[3 * VERTICES];
  int faces[3 * FACES];
  if (size < 3) return 0;
  const int count = 1 + data[0] % VERTICES, wide = data[1] & 1;
  static const double works[] = {1e5, 3e4, 3e5, 1e6};
  const PieceDef def = {.error = 12 + data[1] / 2,
                        .max_pieces = PIECES,
                        .max_vertices = CORNERS,
                        .work = works[data[0] / VERTICES]};
  size_t at = 2;
  memset(vertices, 0, sizeof vertices);
  for (int i = 0; i < 3 * count; ++i) {
    const size_t bytes = wide ? sizeof(double) : 1;
    if (size - at < bytes) break;
    if (wide) memcpy(&vertices[i], data + at, bytes);
    if (!wide) vertices[i] = data[at];
    at += bytes;
  }
  Mesh mesh = {.vertex_count = count, .vertices = vertices, .faces = faces};
  for (; mesh.face_count < FACES && size - at >= 3; ++mesh.face_count, at += 3) {
    for (int k = 0; k < 3; ++k) faces[3 * mesh.face_count + k] = data[at + (size_t)k] % count;
  }
  const HeftLoadDef load_def = fuzz_def();
  HeftError error = {0};
  Load load;
  load_open(&load, &load_def, &error);
  Pieces pieces;
  if (mesh_pieces(&load.region, &mesh, &def, NULL, &pieces) == 1) check(&pieces);
  load_close(&load);
  return 0;
}
