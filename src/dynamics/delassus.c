// SPDX-License-Identifier: Apache-2.0
// Papers: R2.
// Λ = J M⁻¹ Jᵀ: one interface, five methods.
//
// A contact point with axis f at arm r from the tree's origin sees a motion (ω, v) as f·v + (r ×
// f)·ω, so the rows of J are X = (r × f, f), and a block of Λ between points on links a and b is
// X_a Ω_ab X_bᵀ. Points are grouped by link: each Ω_ab is computed once, its products
// T = Ω_ab X_a row by row, and four columns of Λ at a time.
#include "dynamics/delassus.h"

#include <string.h>

#include "base/assert.h"
#include "base/kind_table.h"

static const struct {
  const char *name, *text;
} labels[HEFT_DELASSUS_COUNT] = {
#define LABEL(id, name, text) {name, text},
    HEFT_DELASSUS_LIST(LABEL)
#undef LABEL
};

// The methods that work by blocks; the others go straight for Λ.
static const DelassusBlocks* const block_methods[] = {
    [HEFT_DELASSUS_DIRECT] = NULL,
    [HEFT_DELASSUS_UNIT_FORCES] = NULL,
    [HEFT_DELASSUS_CHANG_KHATIB] = &heft_delassus_chang_khatib,
    [HEFT_DELASSUS_BODY] = &heft_delassus_body,
    [HEFT_DELASSUS_LTL] = &heft_delassus_ltl,
};
KIND_TABLE_COVERS(block_methods, HEFT_DELASSUS_COUNT);

static int known(HeftDelassusMethod method) {
  return (int)method >= 0 && method < HEFT_DELASSUS_COUNT;
}

const char* heft_delassus_name(HeftDelassusMethod method) {
  return known(method) ? labels[method].name : "unknown";
}
const char* heft_delassus_text(HeftDelassusMethod method) {
  return known(method) ? labels[method].text : "";
}
bool heft_delassus_needs_aba(HeftDelassusMethod method) {
  return known(method) ? method != HEFT_DELASSUS_DIRECT && method != HEFT_DELASSUS_LTL : 0;
}

// ---- points, grouped by link

typedef struct Groups {
  int* links;    ///< group_count, ascending
  int* first;    ///< group_count + 1: first packed row of each group; a multiple of 4
  int* row;      ///< packed rows: row of Λ, padding repeats the last one
  double* axes;  ///< 8 x stride: lane l of the axis of packed row c at [l stride + c]
  int group_count;
  int packed;  ///< packed rows
  int stride;  ///< from one lane of the axes to the next: room for the last point's fourth lane
} Groups;

enum { LANES = 8 };

// Each group may be padded by three rows, and the last point writes one lane beyond.
static int packed_max(int count) { return 6 * count + 8; }

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
  HEFT_ASSERT(at == 0 || g->links[at - 1] < link);
}

static void group_points(const HeftDynamics* d, int count, const HeftDelassusPoint* points,
                         Groups* g) {
  g->group_count = 0;
  for (int i = 0; i < count; ++i) {
    const int link = d->tree->body_link[points[i].body];
    if (d->tree->link[link].dof_count > 0) insert_link(g, link);
  }
  int packed = 0;
  for (int k = 0; k < g->group_count; ++k) {
    g->first[k] = packed;
    for (int i = 0; i < count; ++i) {
      if (d->tree->body_link[points[i].body] != g->links[k]) continue;
      for (int r = 0; r < 3; ++r) g->row[packed++] = 3 * i + r;
    }
    for (; packed % 4 != 0; ++packed) g->row[packed] = g->row[packed - 1];
  }
  g->first[g->group_count] = packed;
  g->packed = packed;
  HEFT_ASSERT(packed % 4 == 0 && packed <= packed_max(count));
  g->stride = packed + 4;
}

// X = (r × f, f) of a point's three axes side by side: the rows of its frame hold one component of
// all three.
HEFT_INLINE void write_point(const HeftDynamics* d, const HeftDelassusPoint* point, double* at,
                             int stride) {
  const Link* link = &d->tree->link[d->tree->body_link[point->body]];
  const V4 arm = v4_from_vec3(point->point) - d->origin[link->root];
  const V4 x = v4_load(point->frame.m[0]), y = v4_load(point->frame.m[1]);
  const V4 z = {point->frame.m[2][0], point->frame.m[2][1], point->frame.m[2][2], 0};
  v4_store(at, z * arm[1] - y * arm[2]);
  v4_store(at + stride, x * arm[2] - z * arm[0]);
  v4_store(at + 2L * stride, y * arm[0] - x * arm[1]);
  v4_store(at + 4L * stride, x);
  v4_store(at + 5L * stride, y);
  v4_store(at + 6L * stride, z);
}

// Each point writes four lanes, the fourth of which belongs to the next one. Padding repeats the
// last row of its group.
static void write_axes(const HeftDynamics* d, const HeftDelassusPoint* points, Groups* g) {
  for (int k = 0; k < g->group_count; ++k) {
    int c = g->first[k];
    for (; c + 3 <= g->first[k + 1] && g->row[c + 1] > g->row[c]; c += 3)
      write_point(d, &points[g->row[c] / 3], g->axes + c, g->stride);
    for (; c < g->first[k + 1]; ++c) {
      for (long l = 0; l < LANES; ++l) g->axes[l * g->stride + c] = g->axes[l * g->stride + c - 1];
    }
  }
}

// ---- projection

HEFT_INLINE V8 block_mul(const Block* block, const double* axes, int stride, int c) {
  const double* at = axes + c;
  const V8 angular = (block->column[0] * at[0] + block->column[1] * at[stride]) +
                     block->column[2] * at[2L * stride];
  const V8 linear = (block->column[3] * at[4L * stride] + block->column[4] * at[5L * stride]) +
                    block->column[5] * at[6L * stride];
  return angular + linear;
}

// Λ between the rows of group a and the columns of group b, and its mirror image.
HEFT_CLONES static void delassus_project(const Groups* g, int a, int b, const Block* block,
                                         int size, double* lambda) {
  const int stride = g->stride;
  HEFT_ASSERT(a <= b);
  for (int r = g->first[b]; r < g->first[b + 1]; ++r) {
    const V8 t8 = block_mul(block, g->axes, stride, r);
    double t[LANES];
    v8_store(t, t8);
    double* out_row = lambda + (long)g->row[r] * size;
    double* out_column = lambda + g->row[r];
    const int last = a == b ? r + 1 : g->first[a + 1];
    for (int c = g->first[a]; c < last; c += 4) {
      const double* at = g->axes + c;
      V4 sum = v4_load(at) * t[0] + v4_load(at + stride) * t[1];
      sum = sum + (v4_load(at + 2L * stride) * t[2] + v4_load(at + 4L * stride) * t[4]);
      sum = sum + (v4_load(at + 5L * stride) * t[5] + v4_load(at + 6L * stride) * t[6]);
      for (int l = 0; l < 4; ++l) {
        const int row = g->row[c + l];
        out_row[row] = out_column[(long)row * size] = sum[l];
      }
    }
  }
}

size_t heft_dynamics_delassus_scratch(const HeftDynamics* d, HeftDelassusMethod method, int count) {
  HEFT_REQUIRE(d && known(method) && count >= 0, 0);
  if (method == HEFT_DELASSUS_DIRECT) return heft_delassus_direct_scratch(d, count);
  if (method == HEFT_DELASSUS_UNIT_FORCES) return heft_delassus_unit_forces_scratch(d, count);
  return groups_scratch(count) + block_methods[method]->scratch(d, count);
}

void heft_dynamics_delassus(const HeftDynamics* d, HeftDelassusMethod method, int count,
                            const HeftDelassusPoint* points, double* scratch, double* lambda) {
  HEFT_REQUIRE_VOID(d && known(method) && count >= 0);
  HEFT_REQUIRE_VOID(count == 0 || (points && scratch && lambda));
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
