// SPDX-License-Identifier: Apache-2.0
// Ω by sparse half-solves with M = Lᵀ D L:
//     Ω_ab = J_a M⁻¹ J_bᵀ = Y_aᵀ D⁻¹ Y_b,   Y = L⁻ᵀ Jᵀ.
// The columns of J_aᵀ live on the path of link a, and L⁻ᵀ keeps them there; two links share D only
// on the part of their paths that is common. So a link costs (path length)²/2 updates of six
// numbers, and a pair of links six rows for every dof that they share.
#include "dynamics/delassus.h"

// Y of group g starts at g x deepest rows of eight.
static V8* half_of(const DelassusRequest* r, int group) {
  return (V8*)(void*)(r->scratch) + (long)group * r->dynamics->tree->deepest;
}

static size_t ltl_scratch(const HeftDynamics* d, int group_count) {
  return (size_t)group_count * (size_t)d->tree->deepest * 8;
}

HEFT_CLONES static void ltl_half_solve(const HeftDynamics* d, int link, V8* half) {
  const HeftTree* t = d->tree;
  const int dof = last_dof(&t->link[link]), depth = t->dof_depth[dof];
  const int* path = t->path + t->row[dof];
  for (int p = 0; p <= depth; ++p) half[p] = v8_join(d->axis[path[p]].ang, d->axis[path[p]].lin);
  for (int p = depth; p > 0; --p) {
    const double* row = d->factor_rows + t->row[path[p]];
    const V8 y = half[p];
    for (int e = 0; e < p; ++e) half[e] = half[e] - y * row[e];
  }
}

static void ltl_prepare(const DelassusRequest* r) {
  for (int g = 0; g < r->group_count; ++g) ltl_half_solve(r->dynamics, r->links[g], half_of(r, g));
}

HEFT_INLINE int common_length(const HeftTree* t, int a, int b) {
  const int dof_a = last_dof(&t->link[a]), dof_b = last_dof(&t->link[b]);
  const int *path_a = t->path + t->row[dof_a], *path_b = t->path + t->row[dof_b];
  const int depth_a = t->dof_depth[dof_a], depth_b = t->dof_depth[dof_b];
  const int shorter = depth_a < depth_b ? depth_a : depth_b;
  int common = 0;
  while (common <= shorter && path_a[common] == path_b[common]) ++common;
  return common;
}

HEFT_CLONES static void ltl_gather(const HeftDynamics* d, int a, int b, const V8* ya, const V8* yb,
                                   Block* out) {
  const HeftTree* t = d->tree;
  const int* path = t->path + t->row[last_dof(&t->link[a])];
  const int common = common_length(t, a, b);
  Block sum = {{v8_all(0), v8_all(0), v8_all(0), v8_all(0), v8_all(0), v8_all(0)}};
  for (int p = 0; p < common; ++p) {
    const V8 scaled = ya[p] * d->inverse_d[path[p]];
    const double* y = (const double*)&yb[p];
    for (int j = 0; j < 3; ++j) {
      sum.column[j] = sum.column[j] + scaled * y[j];
      sum.column[j + 3] = sum.column[j + 3] + scaled * y[j + 4];
    }
  }
  *out = sum;
}

static void ltl_block(const DelassusRequest* r, int a, int b, Block* out) {
  ltl_gather(r->dynamics, r->links[a], r->links[b], half_of(r, a), half_of(r, b), out);
}

const DelassusBlocks heft_delassus_ltl = {ltl_scratch, ltl_prepare, ltl_block};
