// SPDX-License-Identifier: Apache-2.0
// Triangles are cut in four until they are small against a cell. The cells of the boxes around them
// are a wall, and a flood from outside fills all other cells that it reaches.
#include "validation/enclosure.h"

#include <math.h>
#include <stdlib.h>

enum { CELLS_MAX = 300 };

static int clamp_cell(const Enclosure* e, int axis, double x) {
  const double at = (x - e->low[axis]) / e->side;
  const int last = e->count[axis] - 1;
  return at < 0 ? 0 : (at > last ? last : (int)at);
}

static size_t index_of(const Enclosure* e, const int c[3]) {
  return ((size_t)c[2] * (size_t)e->count[1] + (size_t)c[1]) * (size_t)e->count[0] + (size_t)c[0];
}

static void bounds(const HeftVec3 v[3], double low[3], double high[3]) {
  const double x[3][3] = {
      {v[0].x, v[1].x, v[2].x}, {v[0].y, v[1].y, v[2].y}, {v[0].z, v[1].z, v[2].z}};
  for (int k = 0; k < 3; ++k) {
    low[k] = fmin(x[k][0], fmin(x[k][1], x[k][2]));
    high[k] = fmax(x[k][0], fmax(x[k][1], x[k][2]));
  }
}

static void build_wall(Enclosure* e, const HeftVec3 v[3]) {
  double low[3], high[3];
  int first[3], last[3], small = 1;
  bounds(v, low, high);
  for (int k = 0; k < 3; ++k) {
    first[k] = clamp_cell(e, k, low[k]);
    last[k] = clamp_cell(e, k, high[k]);
    small &= first[k] == last[k] || high[k] - low[k] <= 0.5 * e->side;
  }
  if (!small) {
    HeftVec3 middle[3];
    for (int k = 0; k < 3; ++k)
      middle[k] = heft_vec3_scale(0.5, heft_vec3_add(v[(k + 1) % 3], v[(k + 2) % 3]));
    for (int k = 0; k < 3; ++k)
      build_wall(e, (HeftVec3[3]){v[k], middle[(k + 2) % 3], middle[(k + 1) % 3]});
    build_wall(e, middle);
    return;
  }
  for (int z = first[2]; z <= last[2]; ++z) {
    for (int y = first[1]; y <= last[1]; ++y) {
      for (int x = first[0]; x <= last[0]; ++x)
        e->state[index_of(e, (int[3]){x, y, z})] = CELL_MIXED;
    }
  }
}

// From the corner, which is outside of the box of the surface.
static int flood(Enclosure* e) {
  const size_t total = (size_t)e->count[0] * (size_t)e->count[1] * (size_t)e->count[2];
  int(*stack)[3] = malloc(total * sizeof *stack);
  if (!stack) return 0;
  size_t depth = 1;
  stack[0][0] = stack[0][1] = stack[0][2] = 0;
  e->state[0] = CELL_OUTSIDE;
  while (depth > 0) {
    const int c[3] = {stack[depth - 1][0], stack[depth - 1][1], stack[depth - 1][2]};
    --depth;
    for (int k = 0; k < 6; ++k) {
      int next[3] = {c[0], c[1], c[2]};
      next[k / 2] += k % 2 ? 1 : -1;
      if (next[k / 2] < 0 || next[k / 2] >= e->count[k / 2]) continue;
      unsigned char* state = &e->state[index_of(e, next)];
      if (*state != CELL_INSIDE) continue;
      *state = CELL_OUTSIDE;
      for (int i = 0; i < 3; ++i) stack[depth][i] = next[i];
      ++depth;
    }
  }
  free(stack);
  return 1;
}

int enclosure_make(Enclosure* e, const Surface* s, double side) {
  const SurfaceNode* box = s->node;
  double longest = 0;
  for (int k = 0; k < 3; ++k) longest = fmax(longest, box->high[k] - box->low[k]);
  e->side = fmax(side, longest / CELLS_MAX);
  size_t total = 1;
  for (int k = 0; k < 3; ++k) {
    e->low[k] = box->low[k] - 1.5 * e->side;
    e->count[k] = (int)((box->high[k] - box->low[k]) / e->side) + 4;
    total *= (size_t)e->count[k];
  }
  e->state = calloc(total, 1);
  if (!e->state) return 0;
  for (int i = 0; i < s->count; ++i) build_wall(e, s->corner[i]);
  return flood(e);
}

CellState enclosure_at(const Enclosure* e, HeftVec3 x) {
  const double at[3] = {x.x, x.y, x.z};
  int c[3];
  for (int k = 0; k < 3; ++k) {
    const double place = floor((at[k] - e->low[k]) / e->side);
    if (!(place >= 0 && place < e->count[k])) return CELL_OUTSIDE;
    c[k] = (int)place;
  }
  return (CellState)e->state[index_of(e, c)];
}

void enclosure_release(Enclosure* e) {
  free(e->state);
  *e = (Enclosure){0};
}
