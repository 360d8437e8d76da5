// SPDX-License-Identifier: Apache-2.0
// The plane at which a part of a solid is cut in two.
//
// A good cut leaves little that is hull but not solid. The volume of the solid is the same for all
// cuts, so the sum of the volumes of the two hulls is compared [Mamou 2016]. If several cuts are
// alike, the one into equal halves is taken. Which axis is cut depends on the volume after one more
// cut of both sides, too: the first cut of a ring gains nothing, but only if it is cut through its
// axis does the second.
//
// Both hulls are hulls of cells of the grid. The corners of the first and last cell of each row are
// enough, and of the corners of one layer only their convex chain. First every few planes are tried
// along each axis, then those around the best.
#include <math.h>

#include "io/pieces.h"

static const double balance = 0.04;
enum { TRIES = 12 };

int cut_reserve(CutSpace* c, Solid* s) {
  const size_t nodes = (size_t)(s->cells[1] + 1) * (size_t)(s->cells[2] + 1);
  c->min = region_take(s->region, nodes, sizeof(int16_t));
  c->max = region_take(s->region, nodes, sizeof(int16_t));
  c->points = region_take(s->region, 2 * nodes, sizeof(LatticePoint));
  c->chain = region_take(s->region, (size_t)s->cells[1] + 1, sizeof(int));
  return c->min && c->max && c->points && c->chain;
}

static int lowest_bit(uint64_t x) { return __builtin_ctzll(x); }
static int highest_bit(uint64_t x) { return 63 - __builtin_clzll(x); }

// First and last cell of a row that is not outside. Returns 0 if there is none.
static int row_ends(const Solid* s, const CellBox* b, int y, int z, int* first, int* last) {
  const uint64_t* row = s->rows + ((size_t)z * (size_t)s->cells[1] + (size_t)y) * (size_t)s->words;
  int found = 0;
  for (int w = b->lo[0] / 64; w <= (b->hi[0] - 1) / 64; ++w) {
    uint64_t bits = row[w];
    if (w == b->lo[0] / 64) bits &= ~(uint64_t)0 << (b->lo[0] % 64);
    if (w == (b->hi[0] - 1) / 64) bits &= ~(uint64_t)0 >> (63 - (b->hi[0] - 1) % 64);
    if (!bits) continue;
    if (!found) *first = 64 * w + lowest_bit(bits);
    *last = 64 * w + highest_bit(bits);
    found = 1;
  }
  return found;
}

int cut_shrink(Solid* s, CellBox* box) {
  CellBox out = {{SOLID_CELLS, SOLID_CELLS, SOLID_CELLS}, {0, 0, 0}};
  for (int z = box->lo[2]; z < box->hi[2]; ++z) {
    for (int y = box->lo[1]; y < box->hi[1]; ++y) {
      int ends[2];
      if (!row_ends(s, box, y, z, &ends[0], &ends[1])) continue;
      const int low[3] = {ends[0], y, z}, high[3] = {ends[1] + 1, y + 1, z + 1};
      for (int k = 0; k < 3; ++k) {
        if (low[k] < out.lo[k]) out.lo[k] = low[k];
        if (high[k] > out.hi[k]) out.hi[k] = high[k];
      }
    }
  }
  s->effort->work += 12.0 * (box->hi[1] - box->lo[1]) * (box->hi[2] - box->lo[2]);
  *box = out;
  return out.lo[0] < out.hi[0];
}

static int node_of(const CellBox* b, int y, int z) {
  return (z - b->lo[2]) * (b->hi[1] - b->lo[1] + 1) + (y - b->lo[1]);
}

// Stores the ends of the rows at the nodes beside them. Returns 0 if all cells are outside.
static int gather_rows(CutSpace* c, const Solid* s, const CellBox* b) {
  const int nodes = node_of(b, b->hi[1], b->hi[2]) + 1;
  for (int i = 0; i < nodes; ++i) c->min[i] = INT16_MAX, c->max[i] = -1;
  int found = 0;
  for (int z = b->lo[2]; z < b->hi[2]; ++z) {
    for (int y = b->lo[1]; y < b->hi[1]; ++y) {
      int first, last;
      if (!row_ends(s, b, y, z, &first, &last)) continue;
      found = 1;
      for (int k = 0; k < 4; ++k) {
        const int node = node_of(b, y + k % 2, z + k / 2);
        if (first < c->min[node]) c->min[node] = (int16_t)first;
        if (last + 1 > c->max[node]) c->max[node] = (int16_t)(last + 1);
      }
    }
  }
  return found;
}

// The convex chain of the points (x, y) of a layer: side 1 of the largest x, -1 of the smallest.
static int add_chain(CutSpace* c, const CellBox* b, int z, int side, int count) {
  const int16_t* x = side > 0 ? c->max : c->min;
  int length = 0;
  for (int y = b->lo[1]; y <= b->hi[1]; ++y) {
    const int node = node_of(b, y, z);
    if (c->max[node] < 0) continue;
    while (length >= 2) {
      const int p = c->chain[length - 2], q = c->chain[length - 1];
      const int xp = x[node_of(b, p, z)], xq = x[node_of(b, q, z)];
      if (side * ((xq - xp) * (y - p) - (x[node] - xp) * (q - p)) > 0) break;
      --length;
    }
    c->chain[length++] = y;
  }
  for (int i = 0; i < length; ++i)
    c->points[count++] = (LatticePoint){{x[node_of(b, c->chain[i], z)], c->chain[i], z}};
  return count;
}

// Six times the volume of the hull of the cells in a box; 0: there are none, below 0: HullResult.
static int64_t volume(CutSpace* c, HullSpace* hull, Solid* s, const CellBox* box) {
  CellBox b = *box;
  if (!cut_shrink(s, &b) || !gather_rows(c, s, &b)) return 0;
  int count = 0;
  for (int z = b.lo[2]; z <= b.hi[2]; ++z) {
    for (int side = -1; side <= 1; side += 2) count = add_chain(c, &b, z, side, count);
  }
  s->effort->work += 35.0 * node_of(&b, b.hi[1], b.hi[2]);
  const HullResult result = hull_make(hull, c->points, count);
  return result == HULL_MADE ? hull_volume(hull) : result;
}

typedef struct Choice {
  Cut cut;
  double cost;
  int found;
} Choice;

/// Data of cut_choose().
typedef struct Chooser {
  CutSpace* space;
  HullSpace* hull;
  Solid* solid;
  int no_memory;
} Chooser;

static int is_over(const Chooser* c) { return c->no_memory || effort_spent(c->solid->effort); }

static void halve(const CellBox* box, Cut cut, CellBox out[2]) {
  out[0] = out[1] = *box;
  out[0].hi[cut.axis] = out[1].lo[cut.axis] = cut.at;
}

static void try_cut(Chooser* c, const CellBox* box, Cut cut, Choice* best) {
  CellBox half[2];
  halve(box, cut, half);
  const int64_t a = volume(c->space, c->hull, c->solid, &half[0]),
                b = a > 0 ? volume(c->space, c->hull, c->solid, &half[1]) : a;
  if (a == HULL_NO_MEMORY || b == HULL_NO_MEMORY) c->no_memory = 1;
  if (a <= 0 || b <= 0) return;
  const double cost = (double)(a + b) + balance * fabs((double)(a - b));
  if (!best->found || cost < best->cost) *best = (Choice){cut, cost, 1};
}

// The best cut across an axis: every few planes, then those around the best.
static Choice try_axis(Chooser* c, const CellBox* box, int axis) {
  Choice best = {.found = 0};
  const int width = box->hi[axis] - box->lo[axis], stride = width > TRIES ? width / TRIES : 1;
  for (int at = box->lo[axis] + stride; at < box->hi[axis] && !is_over(c); at += stride)
    try_cut(c, box, (Cut){axis, at}, &best);
  const int centre = best.cut.at;
  for (int at = centre - stride + 1; at < centre + stride && best.found && !is_over(c); ++at) {
    if (at != centre && at > box->lo[axis] && at < box->hi[axis])
      try_cut(c, box, (Cut){axis, at}, &best);
  }
  return best;
}

// The volume of the hulls if both sides of a cut are cut once more, each at its middle.
static double cost_ahead(Chooser* c, const CellBox* box, Cut cut) {
  CellBox half[2];
  double sum = 0;
  halve(box, cut, half);
  for (int i = 0; i < 2 && !is_over(c); ++i) {
    Choice best = {.found = 0};
    if (!cut_shrink(c->solid, &half[i])) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const int at = (half[i].lo[axis] + half[i].hi[axis]) / 2;
      if (at > half[i].lo[axis]) try_cut(c, &half[i], (Cut){axis, at}, &best);
    }
    sum += best.found ? best.cost : (double)volume(c->space, c->hull, c->solid, &half[i]);
  }
  return sum;
}

int cut_choose(CutSpace* space, HullSpace* hull, Solid* s, const CellBox* box, Cut* out) {
  Chooser c = {.space = space, .hull = hull, .solid = s};
  Choice best = {.found = 0};
  for (int axis = 0; axis < 3 && !is_over(&c); ++axis) {
    Choice choice = try_axis(&c, box, axis);
    if (!choice.found) continue;
    choice.cost += cost_ahead(&c, box, choice.cut);
    if (!best.found || choice.cost < best.cost) best = choice;
  }
  *out = best.cut;
  return c.no_memory ? -1 : best.found && !effort_spent(s->effort);
}
