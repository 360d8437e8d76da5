// SPDX-License-Identifier: Apache-2.0
// A tree of bounding boxes with eight children per node, rebuilt or refitted in linear time.
//
// Boxes are put in an order in which neighbours lie close together, cut into groups of eight, the
// groups again into groups of eight, and so on up to one. Nothing but the order is stored of the
// structure: the children of entry i of one level are the entries 8 i to 8 i + 7 of the level
// below. Any order gives right answers, a good one gives them fast; so when boxes move, the levels
// are refitted at once, and the order is renewed from time to time.
#ifndef HEFT_SRC_COLLISION_TREE_H
#define HEFT_SRC_COLLISION_TREE_H

#include <heft/math.h>
#include <stdint.h>

#include "base/arena.h"
#include "collision/sort.h"

enum { TREE_LEVEL_MAX = 12 };

/// Eight boxes side by side, bound by bound. Unused places hold boxes that meet nothing.
typedef struct Box8 {
  _Alignas(64) double lo[3][8];
  double hi[3][8];
} Box8;

typedef struct Tree {
  int count;        ///< boxes
  int level_count;  ///< level 0 holds the boxes in order
  int level_size[TREE_LEVEL_MAX];
  Box8* level[TREE_LEVEL_MAX];  ///< entry i of a level bounds block i of the one below
  int* item;                    ///< count, padded: which box is at a place of level 0
  int* place;                   ///< count: where a box is
  SortItem *keys, *scratch;     ///< for the order
  double sorted_cost;           ///< sum of sizes of the first groups when the order was made
  double cost;                  ///< the same now
} Tree;

/// Allocates memory for so many boxes. Works with an arena that measures.
void heft_tree8_take(Tree* tree, Arena* arena, int count);
/// Sets a box; call heft_tree8_order() or heft_tree8_refit() afterwards.
static inline void tree8_set(Tree* tree, int item, const double lo[3], const double hi[3]) {
  const int at = tree->place[item];
  Box8* b = &tree->level[0][at / 8];
  for (int k = 0; k < 3; ++k) {
    b->lo[k][at % 8] = lo[k];
    b->hi[k][at % 8] = hi[k];
  }
}
/// Enlarges a box by so much on every side; as tree8_set().
static inline void tree8_enlarge(Tree* tree, int item, double by) {
  const int at = tree->place[item];
  Box8* b = &tree->level[0][at / 8];
  for (int k = 0; k < 3; ++k) {
    b->lo[k][at % 8] -= by;
    b->hi[k][at % 8] += by;
  }
}
/// The box at a place of level 0.
static inline void tree8_get(const Tree* tree, int place, double lo[3], double hi[3]) {
  const Box8* b = &tree->level[0][place / 8];
  for (int k = 0; k < 3; ++k) {
    lo[k] = b->lo[k][place % 8];
    hi[k] = b->hi[k][place % 8];
  }
}
/// A new order (by size, then by place) of the boxes as they are, and all levels.
void heft_tree8_order(Tree* tree);
/// All levels from the boxes as they are.
void heft_tree8_refit(Tree* tree);

/// Receives items, several at a time.
typedef void TreeMeet(void* user, const int* items, int count);

/// Reports all items whose boxes meet the box, each once, in the tree's order.
void heft_tree8_query(const Tree* tree, const double lo[3], const double hi[3], TreeMeet* tell,
                      void* user);

/// Returns 0 if no item within the ball is of interest.
typedef int TreeWanted(void* user, HeftVec3 center, double radius);

/// Reports all items but those in groups whose ball is not wanted, each once, in an order that
/// depends only on the tree.
void heft_tree8_visit(const Tree* tree, TreeWanted* wanted, TreeMeet* tell, void* user);

/// For at most 64 boxes: larger ones around them, and which of these meet. While every box stays
/// inside of its larger one, only pairs that were near can meet.
typedef struct Neighbours {
  int known;
  Box8 large[8];
  uint64_t near[64];
} Neighbours;

/// For at most 64 boxes in the order of their items: met[i] has a bit for each item of wanted[i]
/// whose box meets the box of item i. wanted[i] has no bits up to i, and is the same in every call.
void heft_tree8_meet_wanted(const Tree* tree, const uint64_t* wanted, Neighbours* neighbours,
                            uint64_t* met);
/// A bit for each of the 64 places of level 0 from `first`, a multiple of 8, whose boxes reach
/// below the plane n · x = d. Bits beyond the last box mean nothing.
uint64_t heft_tree8_below(const Tree* tree, int first, const double n[3], double d);

/// Receives an item and the best distance so far; returns the smaller of it and the item's own.
typedef double TreeVisit(void* user, int item, double best);

/// Visits items whose boxes are no farther from a point than the best distance so far.
double heft_tree8_nearest(const Tree* tree, HeftVec3 point, double best, TreeVisit* visit,
                          void* user);
/// Visits items whose boxes a ray meets no later than the best distance so far.
double heft_tree8_cast(const Tree* tree, HeftVec3 from, HeftVec3 direction, double best,
                       TreeVisit* visit, void* user);

typedef struct PairList {
  int count, max;
  int64_t missed;  ///< pairs that found no place
  int (*pair)[2];
} PairList;

/// All pairs of items whose boxes meet, lower item first, each once, in no particular order.
void heft_tree8_pairs(const Tree* tree, PairList* out);
/// heft_tree8_pairs() in parts, for threads: pairs whose lower place is in a block of eight places
/// from first to end - 1. list: scratch of the thread. All blocks: heft_tree8_blocks().
void heft_tree8_pairs_of(const Tree* tree, int first, int end, int* list, PairList* out);
static inline int heft_tree8_blocks(const Tree* tree) { return (tree->count + 7) / 8; }
/// Numbers of `list`.
static inline int heft_tree8_list_size(const Tree* tree) {
  return 2 * heft_tree8_blocks(tree) + 16;
}

#endif
