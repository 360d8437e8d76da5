// SPDX-License-Identifier: Apache-2.0
// Ω of movers of one tree, for the contact solver: Ω_ab = Y_aᵀ D⁻¹ Y_b with Y = L⁻ᵀ Jᵀ
// (delassus_ltl.c), where the rows of J are the six velocities of a body, or up to six joint
// velocities or directions in joint space.
//
// Y of a mover has a row for every dof of the tree, by the tree's own numbering, and a list of the
// dofs that it reaches: a body reaches its path, joints the paths of their dofs. Rows beyond the
// reach are never looked at.
#include <string.h>

#include "dynamics/delassus.h"

typedef struct Half {
  V8* y;       ///< by dof_local
  int* reach;  ///< dofs that it reaches, ascending
  int count;
} Half;

// In scratch: the rows of Y, then the count and the list.
static size_t half_size(const HeftDynamics* d) {
  const size_t rows = (size_t)d->tree->largest_tree;
  return rows * 8 + round_up_8(rows / 2 + 2);
}

static int* half_ints(const HeftDynamics* d, double* scratch, int mover) {
  return (int*)(void*)(scratch + (size_t)mover * half_size(d) + (size_t)d->tree->largest_tree * 8);
}

static Half half_at(const HeftDynamics* d, double* scratch, int mover) {
  int* ints = half_ints(d, scratch, mover);
  return (Half){(V8*)(void*)(scratch + (size_t)mover * half_size(d)), ints + 1, ints[0]};
}

size_t heft_delassus_movers_scratch(const HeftDynamics* d, int count) {
  return (size_t)count * half_size(d);
}

// The dofs on the path of a link's last dof, root first.
static int body_reach(const HeftTree* t, int link, int* reach) {
  const int dof = last_dof(&t->link[link]), count = t->dof_depth[dof] + 1;
  memcpy(reach, t->path + t->row[dof], (size_t)count * sizeof(int));
  return count;
}

// The union of the paths of some dofs, ascending: paths are merged one after the other. Goes on
// where `count` ends, and returns the new count.
static int dofs_reach(const HeftTree* t, int dof_count, const int* dofs, int* reach, int count) {
  for (int i = 0; i < dof_count; ++i) {
    for (int dof = dofs[i]; dof >= 0; dof = t->dof_parent[dof]) {
      int at = count;
      while (at > 0 && reach[at - 1] > dof) --at;
      if (at > 0 && reach[at - 1] == dof) break;  // the rest of the path is there already
      memmove(reach + at + 1, reach + at, (size_t)(count - at) * sizeof(int));
      reach[at] = dof;
      ++count;
    }
  }
  return count;
}

HEFT_CLONES static void movers_half_solve(const HeftDynamics* d, const int* reach, int count,
                                          V8* y) {
  const HeftTree* t = d->tree;
  for (int n = count - 1; n > 0; --n) {
    const int k = reach[n];
    const double* row = d->factor_rows + t->row[k];
    const int* path = t->path + t->row[k];
    const V8 yk = y[t->dof_local[k]];
    for (int e = 0; e < t->dof_depth[k]; ++e) {
      V8* at = &y[t->dof_local[path[e]]];
      *at = *at - yk * row[e];
    }
  }
}

static int start_body(const HeftDynamics* d, int body, Half* half) {
  const HeftTree* t = d->tree;
  const int count = body_reach(t, t->body_link[body], half->reach);
  for (int n = 0; n < count; ++n) {
    const Pair axis = d->axis[half->reach[n]];
    half->y[t->dof_local[half->reach[n]]] = v8_join(axis.ang, axis.lin);
  }
  return count;
}

static int start_dofs(const HeftDynamics* d, const HeftMover* mover, Half* half) {
  static const int lane[6] = {0, 1, 2, 4, 5, 6};
  const HeftTree* t = d->tree;
  int count = dofs_reach(t, mover->dof_count, mover->dof, half->reach, 0);
  for (int i = 0; i < mover->direction_count; ++i)
    count = dofs_reach(t, mover->direction[i]->count, mover->direction[i]->dof, half->reach, count);
  for (int n = 0; n < count; ++n) half->y[t->dof_local[half->reach[n]]] = v8_all(0);
  for (int i = 0; i < mover->dof_count; ++i) half->y[t->dof_local[mover->dof[i]]][lane[i]] = 1;
  for (int i = 0; i < mover->direction_count; ++i) {
    const HeftDirection* along = mover->direction[i];
    for (int n = 0; n < along->count; ++n)
      half->y[t->dof_local[along->dof[n]]][lane[i]] = along->arm[n];
  }
  return count;
}

static void start_half(const HeftDynamics* d, const HeftMover* mover, double* scratch, int index) {
  Half half = half_at(d, scratch, index);
  const int count =
      mover->body >= 0 ? start_body(d, mover->body, &half) : start_dofs(d, mover, &half);
  half_ints(d, scratch, index)[0] = count;
  movers_half_solve(d, half.reach, count, half.y);
}

// Three columns of Ω_ab, those from lane `first` of b on: the sum over the dofs that both reach,
// found by going through two ascending lists. Three at a time stay in registers.
HEFT_INLINE void add_columns(const HeftDynamics* d, const Half* a, const Half* b, int first,
                             V4 low[3], V4 high[3]) {
  V4 l0 = v4_all(0), l1 = v4_all(0), l2 = v4_all(0), h0 = v4_all(0), h1 = v4_all(0), h2 = v4_all(0);
  int i = 0, j = 0;
  while (i < a->count && j < b->count) {
    const int ka = a->reach[i], kb = b->reach[j];
    i += ka <= kb;
    j += kb <= ka;
    if (ka != kb) continue;
    const int row = d->tree->dof_local[ka];
    const double *ya = (const double*)&a->y[row], *yb = (const double*)&b->y[row] + first;
    const double scale = d->inverse_d[ka];
    const V4 l = v4_load_aligned(ya) * scale, h = v4_load_aligned(ya + 4) * scale;
    l0 = l0 + l * yb[0];
    h0 = h0 + h * yb[0];
    l1 = l1 + l * yb[1];
    h1 = h1 + h * yb[1];
    l2 = l2 + l * yb[2];
    h2 = h2 + h * yb[2];
  }
  low[0] = l0, low[1] = l1, low[2] = l2;
  high[0] = h0, high[1] = h1, high[2] = h2;
}

// Ω_ab by columns: rows 0 to 2 in `low`, 3 to 5 in `high`.
typedef struct MoverBlock {
  V4 low[6], high[6];
} MoverBlock;

HEFT_CLONES static void movers_block(const HeftDynamics* d, const Half* a, const Half* b,
                                     MoverBlock* out) {
  add_columns(d, a, b, 0, out->low, out->high);
  add_columns(d, a, b, 4, out->low + 3, out->high + 3);
}

static void write_block(const MoverBlock* block, int a, int b, int size, double* out) {
  for (int j = 0; j < 6; ++j) {
    const double *low = (const double*)&block->low[j], *high = (const double*)&block->high[j];
    double *column = out + (long)(6 * a) * size + 6 * b + j,
           *row = out + (long)(6 * b + j) * size + 6L * a;
    for (int i = 0; i < 3; ++i) {
      column[(long)i * size] = row[i] = low[i];
      column[(long)(i + 3) * size] = row[i + 3] = high[i];
    }
  }
}

void heft_delassus_movers(const HeftDynamics* d, int count, const HeftMover* movers,
                          double* scratch, double* out) {
  HEFT_ASSERT(d && count >= 0 && (count == 0 || (movers && scratch && out)));
  for (int m = 0; m < count; ++m) start_half(d, &movers[m], scratch, m);
  for (int a = 0; a < count; ++a) {
    const Half half_a = half_at(d, scratch, a);
    for (int b = a; b < count; ++b) {
      const Half half_b = half_at(d, scratch, b);
      MoverBlock block;
      movers_block(d, &half_a, &half_b, &block);
      write_block(&block, a, b, 6 * count, out);
    }
  }
}
