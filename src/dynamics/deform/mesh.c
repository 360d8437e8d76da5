// SPDX-License-Identifier: Apache-2.0
// Tetrahedra on a lattice of cells.
//
// A cell is divided into the six tetrahedra along the paths from its corner 000 to 111 (Kuhn). A
// cell with an odd number along an axis is mirrored along it, so that neighbours agree on the
// diagonals of their common faces and no direction is preferred.
#include "dynamics/deform/mesh.h"

#include <string.h>

#include "base/allocator.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/error.h"

enum { CELLS_MAX = TETRAHEDRA_CELLS_MAX, PER_CELL = 6 };

// Steps along the axes in each of the six orders; even orders first.
static const int paths[PER_CELL][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                       {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

static int grid_number(const int cells[3], const int at[3]) {
  return (at[2] * (cells[1] + 1) + at[1]) * (cells[0] + 1) + at[0];
}

// The tetrahedra of a cell, with the numbers of the grid's vertices.
static void fill_cell(const int cells[3], const int cell[3], int out[PER_CELL][4]) {
  int flips = 0;
  for (int i = 0; i < 3; ++i) flips += cell[i] & 1;
  for (int p = 0; p < PER_CELL; ++p) {
    int step[3] = {0, 0, 0};
    for (int k = 0; k < 4; ++k) {
      int at[3];
      for (int i = 0; i < 3; ++i) at[i] = cell[i] + (cell[i] & 1 ? 1 - step[i] : step[i]);
      out[p][k] = grid_number(cells, at);
      if (k < 3) step[paths[p][k]] = 1;
    }
    if ((p >= 3) != (flips & 1)) {  // an odd order or an odd number of mirrors
      const int last = out[p][3];
      out[p][3] = out[p][2];
      out[p][2] = last;
    }
  }
}

HeftStatus heft_tetrahedra_take(HeftTetrahedra* out, int vertices, int tetrahedra,
                                const HeftAllocator* a, HeftError* error) {
  const size_t first = (3 * (size_t)vertices * sizeof(double) + 63) / 64 * 64;
  const size_t size = first + 4 * (size_t)tetrahedra * sizeof(int);
  char* memory = a->allocate(a->user, size, ARENA_ALIGNMENT);
  if (!memory)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %d tetrahedra", tetrahedra);
  *out = (HeftTetrahedra){.vertex_count = vertices,
                          .vertices = (double*)(void*)memory,
                          .tetrahedron_count = tetrahedra,
                          .tetrahedra = (int*)(void*)(memory + first),
                          .memory_size = size};
  return HEFT_OK;
}

void heft_tetrahedra_release(HeftTetrahedra* mesh, const HeftAllocator* allocator) {
  HEFT_REQUIRE_VOID(mesh);
  const HeftAllocator a = allocator_or_default(allocator);
  if (mesh->vertices) a.release(a.user, mesh->vertices, mesh->memory_size);
  *mesh = (HeftTetrahedra){0};
}

static HeftStatus check_cells(const int cells[3], HeftError* error) {
  double count = 1;
  for (int i = 0; i < 3; ++i) count *= cells[i] >= 1 ? cells[i] : 1e300;
  if (!(count <= CELLS_MAX))
    return heft_error_set(error, HEFT_ERR_LIMIT,
                          "a lattice of %d x %d x %d cells, expected 1 to %d cells", cells[0],
                          cells[1], cells[2], CELLS_MAX);
  return HEFT_OK;
}

HeftStatus heft_tetrahedra_box(HeftTetrahedra* out, const double half_size[3], const int cells[3],
                               const HeftAllocator* allocator, HeftError* error) {
  HEFT_REQUIRE(out && half_size && cells, HEFT_ERR_ARGUMENT);
  *out = (HeftTetrahedra){0};
  HeftStatus status = check_cells(cells, error);
  if (status != HEFT_OK) return status;
  for (int i = 0; i < 3; ++i) {
    if (!(half_size[i] > 0 && half_size[i] <= 1e9))
      return heft_error_set(error, HEFT_ERR_VALUE, "half a side of the box is %g m", half_size[i]);
  }
  const HeftAllocator a = allocator_or_default(allocator);
  const int count = cells[0] * cells[1] * cells[2];
  status = heft_tetrahedra_take(out, (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1),
                                PER_CELL * count, &a, error);
  if (status != HEFT_OK) return status;
  for (int n = 0; n < out->vertex_count; ++n) {
    const int at[3] = {n % (cells[0] + 1), n / (cells[0] + 1) % (cells[1] + 1),
                       n / (cells[0] + 1) / (cells[1] + 1)};
    for (int i = 0; i < 3; ++i)
      out->vertices[3L * n + i] = half_size[i] * (2 * (double)at[i] / cells[i] - 1);
  }
  for (int n = 0; n < count; ++n) {
    const int cell[3] = {n % cells[0], n / cells[0] % cells[1], n / cells[0] / cells[1]};
    int own[PER_CELL][4];
    fill_cell(cells, cell, own);
    memcpy(out->tetrahedra + 4L * PER_CELL * n, own, sizeof own);
  }
  return HEFT_OK;
}
