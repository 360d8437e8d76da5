// SPDX-License-Identifier: Apache-2.0
// Convex pieces of a ring: with all the work that they need, and with too little. The hash is of
// vertices, faces, both bounds and the work, so that a limit is met at the same place everywhere.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "io/pieces.h"
#include "tests/determinism/cuts.h"
#include "tests/support/circle.h"

enum { LONG = 32, ROUND = 12 };

static void make_ring(double* vertices, int* faces) {
  for (int i = 0; i < LONG * ROUND; ++i) {
    double a[2], b[2];
    circle(i / ROUND, LONG, a);
    circle(i % ROUND, ROUND, b);
    const double r = 1 + 0.2 * b[0], place[3] = {r * a[0], r * a[1], 0.2 * b[1]};
    memcpy(vertices + 3L * i, place, sizeof place);
    const int next = (i / ROUND + 1) % LONG * ROUND, up = (i % ROUND + 1) % ROUND;
    const int own[6] = {i, next + i % ROUND, next + up, i, next + up, i / ROUND * ROUND + up};
    memcpy(faces + 6L * i, own, sizeof own);
  }
}

static void* take(void* user, size_t size, size_t alignment) {
  (void)user;
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void give_back(void* user, void* memory, size_t size) {
  (void)user, (void)size;
  free(memory);
}

static uint64_t hash_of(const Pieces* p) {
  uint64_t h = 0;
  for (int i = 0; i < p->count; ++i) {
    const Mesh* m = &p->piece[i];
    h = hash_array(m->vertices, 3 * (size_t)m->vertex_count, sizeof(double), h);
    h = hash_array(m->faces, 3 * (size_t)m->face_count, sizeof(int), h);
  }
  const double told[3] = {p->excess, p->missing, p->work};
  return hash_array(told, 3, sizeof *told, h);
}

void print_cuts(void) {
  static double vertices[3 * LONG * ROUND];
  static int faces[6 * LONG * ROUND];
  const Mesh ring = {.vertex_count = LONG * ROUND,
                     .face_count = 2 * LONG * ROUND,
                     .vertices = vertices,
                     .faces = faces};
  make_ring(vertices, faces);
  for (int hasty = 0; hasty < 2; ++hasty) {
    const PieceDef def = {
        .error = 0.05, .max_pieces = 64, .max_vertices = 24, .work = hasty ? 3e8 : 1e10};
    Region region = region_make((HeftAllocator){take, give_back, NULL});
    Pieces p;
    if (mesh_pieces(&region, &ring, &def, NULL, &p) != 1 || p.cut_short != hasty || p.count < 4)
      printf("the ring is not cut as it should be\n");
    printf("%-14s %-6s %016" PRIx64 "\n", hasty ? "cut in haste" : "ring in pieces", "cut",
           hash_of(&p));
    region_release(&region);
  }
}
