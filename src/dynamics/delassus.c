// SPDX-License-Identifier: Apache-2.0
// Λ = J M⁻¹ Jᵀ: one interface, five ways.
//
// A contact point with axis f at arm r from the tree's origin sees a motion (ω, v) as f·v + (r ×
// f)·ω, so the rows of J are X = (r × f, f), and a block of Λ between points on links a and b is
// X_a Ω_ab X_bᵀ. Points are grouped by link: each Ω_ab is found once, its products T = Ω_ab X_a are
// made row by row, and four columns of Λ come out at a time.
#include "dynamics/delassus.h"

#include <string.h>

static const struct {
  const char *name, *text;
} labels[HEFT_DELASSUS_COUNT] = {
#define LABEL(id, name, text) {name, text},
    HEFT_DELASSUS_LIST(LABEL)
#undef LABEL
};

// The methods that work by blocks; the others go straight for Λ.
static const DelassusBlocks* const block_methods[HEFT_DELASSUS_COUNT] = {
    [HEFT_DELASSUS_CHANG_KHATIB] = &heft_delassus_chang_khatib,
    [HEFT_DELASSUS_BODY] = &heft_delassus_body,
    [HEFT_DELASSUS_LTL] = &heft_delassus_ltl,
};

static int known(HeftDelassusMethod method) {
  return (int)method >= 0 && method < HEFT_DELASSUS_COUNT;
}

const char* heft_delassus_name(HeftDelassusMethod method) {
  return known(method) ? labels[method].name : "unknown";
}
const char* heft_delassus_text(HeftDelassusMethod method) {
  return known(method) ? labels[method].text : "";
}
int heft_delassus_needs_aba(HeftDelassusMethod method) {
  return known(method) ? method != HEFT_DELASSUS_DIRECT && method != HEFT_DELASSUS_LTL : 0;
}

// ---- points, grouped by link

typedef struct Groups {
  int* links;    ///< group_count, ascending
  int* first;    ///< group_count + 1: first packed row of each group; a multiple of 4
  int* row;      ///< packed rows: row of Λ, or -1 for padding
  double* axes;  ///< 8 x packed: lane l of the axis of packed row c at [l packed + c]
  int group_count;
  int packed;  ///< packed rows
} Groups;

enum { LANES = 8 };

static int packed_max(int count) {
  return 3 * count + 3 * count;
}  // each group may be padded by up to three rows

static size_t groups_scratch(int count) {
  const size_t ints = (size_t)count + (size_t)(count + 1) + (size_t)packed_max(count);
  return round_up_8((ints + 1) / 2) + round_up_8((size_t)LANES * (size_t)packed_max(count));
}

static void place_groups(Groups* g, int count, double* scratch) {
  int* ints = (int*)scratch;
  g->links = ints;
  g->first = g->links + count;
  g->row = g->first + count + 1;
  const size_t used = (size_t)count + (size_t)(count + 1) + (size_t)packed_max(count);
  g->axes = scratch + round_up_8((used + 1) / 2);
}

static void insert_link(Groups* g, int link) {
  int at = g->group_count;
  while (at > 0 && g->links[at - 1] > link) --at;
  if (at > 0 && g->links[at - 1] == link) return;
  for (int i = g->group_count; i > at; --i) g->links[i] = g->links[i - 1];
  g->links[at] = link;
  ++g->group_count;
}

static void group_points(const HeftDynamics* d, int count, const HeftContactPoint* points,
                         Groups* g) {
  g->group_count = 0;
  for (int i = 0; i < count; ++i) {
    const int link = d->tree->body_link[points[i].body];
    if (link > 0) insert_link(g, link);
  }
  int packed = 0;
  for (int k = 0; k < g->group_count; ++k) {
    g->first[k] = packed;
    for (int i = 0; i < count; ++i) {
      if (d->tree->body_link[points[i].body] != g->links[k]) continue;
      for (int r = 0; r < 3; ++r) g->row[packed++] = 3 * i + r;
    }
    while (packed % 4 != 0) g->row[packed++] = -1;
  }
  g->first[g->group_count] = packed;
  g->packed = packed;
}

static void write_axes(const HeftDynamics* d, const HeftContactPoint* points, Groups* g) {
  for (int c = 0; c < g->packed; ++c) {
    const int row = g->row[c];
    const Pair axis = row >= 0 ? point_axis(d, &points[row / 3], row % 3) : pair_zero();
    for (int l = 0; l < 4; ++l) {
      g->axes[(long)l * g->packed + c] = axis.ang[l];
      g->axes[(long)(l + 4) * g->packed + c] = axis.lin[l];
    }
  }
}

// ---- projection

HEFT_INLINE V8 block_mul(const Block* block, const double* axes, int packed, int c) {
  const double* at = axes + c;
  const V8 angular = (block->column[0] * at[0] + block->column[1] * at[packed]) +
                     block->column[2] * at[2L * packed];
  const V8 linear = (block->column[3] * at[4L * packed] + block->column[4] * at[5L * packed]) +
                    block->column[5] * at[6L * packed];
  return angular + linear;
}

// Λ between the rows of group a and the columns of group b, and its mirror image.
HEFT_CLONES static void delassus_project(const Groups* g, int a, int b, const Block* block,
                                         int size, double* lambda) {
  const int packed = g->packed;
  for (int r = g->first[b]; r < g->first[b + 1]; ++r) {
    if (g->row[r] < 0) continue;
    const V8 t = block_mul(block, g->axes, packed, r);
    const int last = a == b ? r + 1 : g->first[a + 1];
    for (int c = g->first[a]; c < last; c += 4) {
      const double* at = g->axes + c;
      V4 sum = v4_load(at) * t[0] + v4_load(at + packed) * t[1];
      sum = sum + (v4_load(at + 2L * packed) * t[2] + v4_load(at + 4L * packed) * t[4]);
      sum = sum + (v4_load(at + 5L * packed) * t[5] + v4_load(at + 6L * packed) * t[6]);
      for (int l = 0; l < 4; ++l) {
        const int row = g->row[c + l];
        if (row < 0 || c + l >= last) continue;
        lambda[(long)g->row[r] * size + row] = lambda[(long)row * size + g->row[r]] = sum[l];
      }
    }
  }
}

size_t heft_delassus_scratch(const HeftDynamics* d, HeftDelassusMethod method, int count) {
  HEFT_ASSERT(d && known(method) && count >= 0);
  if (method == HEFT_DELASSUS_DIRECT) return heft_delassus_direct_scratch(d, count);
  if (method == HEFT_DELASSUS_UNIT_FORCES) return heft_delassus_unit_forces_scratch(d, count);
  return groups_scratch(count) + block_methods[method]->scratch(d, count);
}

void heft_delassus(const HeftDynamics* d, HeftDelassusMethod method, int count,
                   const HeftContactPoint* points, double* scratch, double* lambda) {
  HEFT_ASSERT(d && known(method) && count >= 0);
  if (method == HEFT_DELASSUS_DIRECT) {
    heft_delassus_direct(d, count, points, scratch, lambda);
    return;
  }
  if (method == HEFT_DELASSUS_UNIT_FORCES) {
    heft_delassus_unit_forces(d, count, points, scratch, lambda);
    return;
  }
  const int size = 3 * count;
  memset(lambda, 0, (size_t)size * (size_t)size * sizeof(double));
  Groups g;
  place_groups(&g, count, scratch);
  group_points(d, count, points, &g);
  write_axes(d, points, &g);
  const DelassusBlocks* blocks = block_methods[method];
  const DelassusRequest request = {d, g.links, g.group_count, scratch + groups_scratch(count)};
  blocks->prepare(&request);
  for (int b = 0; b < g.group_count; ++b) {
    for (int a = 0; a <= b; ++a) {
      Block block;
      blocks->block(&request, a, b, &block);
      delassus_project(&g, a, b, &block, size, lambda);
    }
  }
}

// ---- body-space blocks

static int place_of(const Groups* g, int link) {
  for (int i = 0; i < g->group_count; ++i) {
    if (g->links[i] == link) return i;
  }
  return -1;
}

static void write_block(const Block* block, int mirrored, double* out) {
  static const int lane[6] = {0, 1, 2, 4, 5, 6};
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) out[mirrored ? j * 6 + i : i * 6 + j] = block->column[j][lane[i]];
  }
}

void heft_delassus_bodies(const HeftDynamics* d, int count, const int* bodies, double* scratch,
                          double* out) {
  HEFT_ASSERT(d && count >= 0);
  memset(out, 0, (size_t)count * (size_t)count * 36 * sizeof(double));
  Groups g = {0};
  place_groups(&g, count, scratch);
  for (int i = 0; i < count; ++i) {
    if (d->tree->body_link[bodies[i]] > 0) insert_link(&g, d->tree->body_link[bodies[i]]);
  }
  const DelassusRequest request = {d, g.links, g.group_count, scratch + groups_scratch(count)};
  heft_delassus_ltl.prepare(&request);
  for (int i = 0; i < count; ++i) {
    const int a = place_of(&g, d->tree->body_link[bodies[i]]);
    for (int j = i; j < count; ++j) {
      const int b = place_of(&g, d->tree->body_link[bodies[j]]);
      if (a < 0 || b < 0) continue;
      Block block;
      heft_delassus_ltl.block(&request, a < b ? a : b, a < b ? b : a, &block);
      write_block(&block, a > b, out + ((long)i * count + j) * 36);
      write_block(&block, a <= b, out + ((long)j * count + i) * 36);
    }
  }
}
