// SPDX-License-Identifier: Apache-2.0
// Papers: R14.
// The method of [Chang 2000], in the form of [Chardonnet 2008], Eq. 3-4: Ω down the tree. With what
// ABA has left behind, a link's acceleration follows from its parent's and from a force on the link
// itself by
//     a = Pᵀ a_p + S D⁻¹ Sᵀ f,   Pᵀ = 1 - S D⁻¹ Uᵀ,
// so that, from the root outwards,
//     Ω_kk = Pᵀ Ω_pp P + S D⁻¹ Sᵀ      and for a link j that is not beyond k      Ω_kj = Pᵀ Ω_pj.
// A block between two touched links starts as Ω of their nearest common ancestor and is carried out
// along both branches.
#include <string.h>

#include "base/assert.h"
#include "dynamics/delassus.h"

// Ω of every link on the path to a link with a contact.
static Block* own_blocks(const DelassusRequest* r) { return (Block*)(void*)r->scratch; }

static size_t chang_khatib_scratch(const HeftDynamics* d, int group_count) {
  (void)group_count;
  return (size_t)d->tree->nlink * 48 + round_up_8(((size_t)d->tree->nlink + 1) / 2);
}

HEFT_INLINE double lanes_dot(V8 v, Pair p) {
  return ((v[0] * p.ang[0] + v[1] * p.ang[1]) + v[2] * p.ang[2]) +
         ((v[4] * p.lin[0] + v[5] * p.lin[1]) + v[6] * p.lin[2]);
}

// One column through Pᵀ: c - S D⁻¹ (Uᵀ c).
HEFT_INLINE V8 carry(const HeftDynamics* d, int k, V8 column) {
  const Link* link = &d->tree->link[k];
  const double* inverse = d->inverse + 36L * k;
  const int n = link->dof_count;
  double reached[6];
  for (int i = 0; i < n; ++i) reached[i] = lanes_dot(column, d->reach[link->dof + i]);
  for (int i = 0; i < n; ++i) {
    double share = 0;
    for (int j = 0; j < n; ++j) share += inverse[i * n + j] * reached[j];
    column = column - v8_join(d->axis[link->dof + i].ang, d->axis[link->dof + i].lin) * share;
  }
  return column;
}

HEFT_INLINE void carry_block(const HeftDynamics* d, int k, Block* block) {
  for (int j = 0; j < 6; ++j) block->column[j] = carry(d, k, block->column[j]);
}

HEFT_INLINE void transpose(Block* block) {
  static const int lane[6] = {0, 1, 2, 4, 5, 6};
  Block out;
  for (int j = 0; j < 6; ++j) {
    out.column[j] =
        (V8){block->column[0][lane[j]], block->column[1][lane[j]], block->column[2][lane[j]], 0,
             block->column[3][lane[j]], block->column[4][lane[j]], block->column[5][lane[j]], 0};
  }
  *block = out;
}

HEFT_INLINE void add_own(const HeftDynamics* d, int k, Block* block) {
  const Link* link = &d->tree->link[k];
  const double* inverse = d->inverse + 36L * k;
  const int n = link->dof_count;
  for (int i = 0; i < n; ++i) {
    Pair scaled = pair_zero();
    for (int j = 0; j < n; ++j)
      scaled = pair_add_scaled(scaled, d->axis[link->dof + j], inverse[i * n + j]);
    const V8 s = v8_join(d->axis[link->dof + i].ang, d->axis[link->dof + i].lin);
    for (int c = 0; c < 3; ++c) {
      block->column[c] = block->column[c] + s * scaled.ang[c];
      block->column[c + 3] = block->column[c + 3] + s * scaled.lin[c];
    }
  }
}

HEFT_CLONES static void chang_khatib_own(const HeftDynamics* d, Block* blocks, int k) {
  const int parent = d->tree->link[k].parent;
  HEFT_ASSERT(parent < k);
  Block block;
  if (parent > 0) {
    block = blocks[parent];
    carry_block(d, k, &block);
    transpose(&block);
    carry_block(d, k, &block);
  } else {
    memset(&block, 0, sizeof block);
  }
  add_own(d, k, &block);
  blocks[k] = block;
}

static void chang_khatib_prepare(const DelassusRequest* r) {
  const HeftTree* t = r->dynamics->tree;
  Block* blocks = own_blocks(r);
  int* wanted = (int*)(void*)(blocks + t->nlink);
  memset(wanted, 0, (size_t)t->nlink * sizeof *wanted);
  for (int g = 0; g < r->group_count; ++g) {
    for (int k = r->links[g]; k > 0 && !wanted[k]; k = t->link[k].parent) wanted[k] = 1;
  }
  for (int k = 1; k < t->nlink; ++k) {
    if (wanted[k]) chang_khatib_own(r->dynamics, blocks, k);
  }
}

// Carries a block from the ancestor out to a link that lies beyond it.
HEFT_INLINE void carry_from(const HeftDynamics* d, int ancestor, int link, Block* block) {
  if (link == ancestor) return;
  const HeftTree* t = d->tree;
  int k = link;
  while (t->link[k].parent != ancestor) k = t->link[k].parent;
  for (;;) {
    carry_block(d, k, block);
    if (k == link) return;
    int next = link;
    while (t->link[next].parent != k) next = t->link[next].parent;
    k = next;
  }
}

HEFT_CLONES static void chang_khatib_pair(const HeftDynamics* d, const Block* blocks, int a, int b,
                                          Block* out) {
  const HeftTree* t = d->tree;
  int i = a, j = b;
  while (i != j) {
    if (i > j) {
      i = t->link[i].parent;
    } else {
      j = t->link[j].parent;
    }
  }
  HEFT_ASSERT(i >= 0 && i <= a && i <= b);
  if (i == 0) {  // different trees
    memset(out, 0, sizeof *out);
    return;
  }
  Block block = blocks[i];  // Ω of the common ancestor, symmetric: carry it out to b, then the
                            // other way round to a
  carry_from(d, i, b, &block);
  transpose(&block);
  carry_from(d, i, a, &block);
  *out = block;
}

static void chang_khatib_block(const DelassusRequest* r, int a, int b, Block* out) {
  chang_khatib_pair(r->dynamics, own_blocks(r), r->links[a], r->links[b], out);
}

const DelassusBlocks heft_delassus_chang_khatib = {chang_khatib_scratch, chang_khatib_prepare,
                                                   chang_khatib_block};
