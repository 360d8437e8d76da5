// SPDX-License-Identifier: Apache-2.0
// Compounds: convex pieces of one body that have one frame, for example of a decomposed mesh.
#ifndef HEFT_SRC_COLLISION_COMPOUND_H
#define HEFT_SRC_COLLISION_COMPOUND_H

#include "collision/collider.h"

/// The number of shapes from `shape` on that are pieces of one compound: shapes in a row that are
/// convex meshes of one body, with the same place in it, the same rules of contact and the same
/// material, none of them in a contact pair. 1 if there is no other.
int heft_compound_length(const HeftModel* model, int shape);
/// The number of its shapes if a compound that moves starts at a shape, otherwise 0. For a walk
/// over all shapes; *end: behind the last shape of a compound that was found before.
int heft_compound_starts(const HeftModel* model, int shape, int* end);
/// Fills the whole of the compound whose pieces are the slots from first to first + count - 1, and
/// what its pieces know of it.
void heft_compound_fill(HeftCollider* c, int index, int first, int count);
/// The place of the whole in its link, from the places of its pieces.
void heft_compound_place_in_link(HeftCollider* c, const Compound* compound);

/// Where a slot is. Pieces are placed by their whole when they are needed.
static inline Rows slot_pose(const HeftCollider* c, int slot) {
  const int whole = c->slot[slot].whole;
  if (whole == slot) return c->pose[slot];
  Rows x = c->pose[whole];
  const HeftVec3 d = c->in_whole[slot];
  for (int k = 0; k < 3; ++k) x.r[k][3] += x.r[k][0] * d.x + x.r[k][1] * d.y + x.r[k][2] * d.z;
  return x;
}

/// Places a piece by its whole, if it is not yet.
void heft_compound_place_piece(HeftCollider* c, int slot);

/// Replaces pairs of wholes (count, in c->pair) by pairs of their pieces, and places these. Returns
/// the new count; *missed grows by those that found no place.
int heft_compounds_expand(HeftCollider* c, int count, int64_t* missed);

#endif
