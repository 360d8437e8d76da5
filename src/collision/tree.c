// SPDX-License-Identifier: Apache-2.0
// Building, refitting and asking the tree of boxes (see tree.h).
#include "collision/tree.h"

#include <string.h>

#include "base/assert.h"
#include "math/scalar.h"
#include "math/simd.h"

static int padded(int count) { return (count + 7) / 8 * 8; }

static void clear_boxes(Box8* b, int blocks) {
  for (int i = 0; i < blocks; ++i) {
    for (int k = 0; k < 24; ++k) {
      b[i].lo[k / 8][k % 8] = HUGE_VAL;
      b[i].hi[k / 8][k % 8] = -HUGE_VAL;
    }
  }
}

void heft_tree8_take(Tree* tree, Arena* arena, int count) {
  *tree = (Tree){.count = count};
  int size = count;
  do {
    HEFT_ASSERT(tree->level_count < TREE_LEVEL_MAX);
    tree->level_size[tree->level_count] = size;
    tree->level[tree->level_count++] = arena_take(arena, padded(size) / 8, Box8);
    size = (size + 7) / 8;
  } while (tree->level_size[tree->level_count - 1] > 8);
  tree->item = arena_take(arena, padded(count), int);
  tree->place = arena_take(arena, padded(count), int);
  tree->keys = arena_take(arena, count, SortItem);
  tree->scratch = arena_take(arena, count, SortItem);
  if (!arena->base || arena->overflow) return;
  for (int l = 0; l < tree->level_count; ++l) {
    clear_boxes(tree->level[l], padded(tree->level_size[l]) / 8);
  }
  for (int i = 0; i < padded(count); ++i) tree->item[i] = tree->place[i] = i;
}

// The boxes around so many blocks. Returns the sum of their sizes.
HEFT_CLONES static double tree8_gather(const Box8* below, Box8* above, int blocks) {
  double cost = 0;
  for (int g = 0; g < blocks; ++g) {
    double size = 0;
    Box8* out = &above[g / 8];
    for (int k = 0; k < 3; ++k) {
      const double lo = v8_min(v8_load_aligned(below[g].lo[k]));
      const double hi = v8_greatest(v8_load_aligned(below[g].hi[k]));
      out->lo[k][g % 8] = lo;
      out->hi[k][g % 8] = hi;
      size += hi - lo;
    }
    cost += size;
  }
  return cost;
}

void heft_tree8_refit(Tree* tree) {
  for (int l = 1; l < tree->level_count; ++l) {
    const double cost = tree8_gather(tree->level[l - 1], tree->level[l], tree->level_size[l]);
    HEFT_ASSERT(tree->level_size[l] == (tree->level_size[l - 1] + 7) / 8);
    if (l == 1) tree->cost = cost;
  }
}

// ---- a good order
//
// Large boxes first, so that a few of them do not blow up the groups of small ones; within a class
// of size, cut in two by the middles along the axis in which they are spread the most, at a
// multiple of the largest power of eight that fits, until groups of eight are left.

// Which power of four a box's largest side is.
static uint64_t size_class(double side) {
  uint64_t bits;
  memcpy(&bits, &side, sizeof bits);
  return (bits >> 53) & 0x3ff;
}

static void sort_by_size(Tree* t) {
  for (int i = 0; i < t->count; ++i) {
    double side = 0, lo[3], hi[3];
    tree8_get(t, i, lo, hi);
    for (int k = 0; k < 3; ++k) side = fmax(side, hi[k] - lo[k]);
    t->keys[i] = (SortItem){1023 - size_class(side), (uint32_t)i};
    HEFT_ASSERT(size_class(side) <= 1023);
  }
  heft_sort_items(t->keys, t->scratch, t->count);
}

// While cutting, a key is a box's middle along some axis.
static double key_of(const SortItem* item) {
  double x;
  memcpy(&x, &item->key, sizeof x);
  return x;
}

// Twice the middle.
static double middle_at(const Tree* t, uint32_t at, int axis) {
  const Box8* b = &t->level[0][at / 8];
  return b->lo[axis][at % 8] + b->hi[axis][at % 8];
}

static int widest_axis(const Tree* t, int lo, int hi) {
  int best = 0;
  double widest = -1;
  for (int k = 0; k < 3; ++k) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = lo; i < hi; ++i) {
      const double m = middle_at(t, t->keys[i].value, k);
      low = m < low ? m : low;
      high = m > high ? m : high;
    }
    if (high - low > widest) {
      widest = high - low;
      best = k;
    }
  }
  return best;
}

static void load_keys(Tree* t, int lo, int hi, int axis) {
  for (int i = lo; i < hi; ++i) {
    const double m = middle_at(t, t->keys[i].value, axis);
    memcpy(&t->keys[i].key, &m, sizeof m);
  }
}

static double middle_of_three(double a, double b, double c) {
  const double low = a < b ? a : b, high = a < b ? b : a;
  return heft_clamp(c, low, high);
}

// Hoare's selection: afterwards no key before `at` is larger than one from there on.
static void select_at(SortItem* x, int lo, int hi, int at) {
  --hi;
  while (lo < hi) {
    const double pivot =
        middle_of_three(key_of(&x[lo]), key_of(&x[lo + (hi - lo) / 2]), key_of(&x[hi]));
    int i = lo, j = hi;
    HEFT_ASSERT(i <= j);
    while (i <= j) {
      while (key_of(&x[i]) < pivot) ++i;
      while (key_of(&x[j]) > pivot) --j;
      if (i > j) break;
      const SortItem swap = x[i];
      x[i++] = x[j];
      x[j--] = swap;
    }
    if (at <= j) {
      hi = j;
    } else if (at >= i) {
      lo = i;
    } else {
      return;
    }
  }
}

// A place strictly between lo and hi at which a group of the highest possible level ends, as close
// to the middle as there is; lo if they lie in one group.
static int cut_between(int lo, int hi) {
  int chunk = 8;
  if ((hi - 1) / chunk * chunk <= lo) return lo;
  while (chunk < (1 << 27) && (hi - 1) / (8 * chunk) * (8 * chunk) > lo) chunk *= 8;
  int at = (lo + (hi - lo) / 2 + chunk / 2) / chunk * chunk;
  if (at <= lo) at += chunk;
  if (at >= hi) at -= chunk;
  HEFT_ASSERT(at > lo && at < hi && at % 8 == 0);
  return at;
}

static void cut_range(Tree* t, int lo, int hi) {
  for (int at; (at = cut_between(lo, hi)) > lo;) {
    HEFT_ASSERT(at < hi && lo >= 0 && hi <= t->count);
    load_keys(t, lo, hi, widest_axis(t, lo, hi));
    select_at(t->keys, lo, hi, at);
    if (at - lo < hi - at) {
      cut_range(t, lo, at);
      lo = at;
    } else {
      cut_range(t, at, hi);
      hi = at;
    }
  }
}

static void cut_classes(Tree* t) {
  for (int lo = 0, hi; lo < t->count; lo = hi) {
    // Keys of what comes later are still classes.
    const uint64_t class = t->keys[lo].key;
    for (hi = lo; hi < t->count && t->keys[hi].key == class;) ++hi;
    cut_range(t, lo, hi);
  }
}

static double* bound_at(Tree* t, int bound, int i) {
  Box8* b = &t->level[0][i / 8];
  return bound < 3 ? &b->lo[bound][i % 8] : &b->hi[bound - 3][i % 8];
}

// Moves the boxes to their new places, bound by bound, with the key memory as the second copy.
static void permute(Tree* t) {
  double* copy = (double*)t->scratch;
  for (int k = 0; k < 6; ++k) {
    for (int i = 0; i < t->count; ++i) copy[i] = *bound_at(t, k, i);
    for (int i = 0; i < t->count; ++i) *bound_at(t, k, i) = copy[t->keys[i].value];
  }
  int* item = (int*)t->scratch;
  memcpy(item, t->item, (size_t)t->count * sizeof *item);
  for (int i = 0; i < t->count; ++i) {
    t->item[i] = item[t->keys[i].value];
    t->place[t->item[i]] = i;
    HEFT_ASSERT(t->item[i] >= 0 && t->item[i] < t->count);
  }
}

void heft_tree8_order(Tree* tree) {
  if (tree->count > 8) {
    sort_by_size(tree);
    cut_classes(tree);
    permute(tree);
  }
  heft_tree8_refit(tree);
  tree->sorted_cost = tree->cost;
}

// ---- queries

// A bit for each lane whose box meets (lo, hi). Two intervals meet when both differences
// of opposite ends are not negative, so the signs of six differences decide.
HEFT_INLINE unsigned meet(const Box8* b, const double lo[3], const double hi[3]) {
  const I8 x = (I8)(hi[0] - v8_load_aligned(b->lo[0])) | (I8)(v8_load_aligned(b->hi[0]) - lo[0]);
  const I8 y = (I8)(hi[1] - v8_load_aligned(b->lo[1])) | (I8)(v8_load_aligned(b->hi[1]) - lo[1]);
  const I8 z = (I8)(hi[2] - v8_load_aligned(b->lo[2])) | (I8)(v8_load_aligned(b->hi[2]) - lo[2]);
  return ~v8_negative(x | y | z) & 255;
}

// A block of a level that waits.
typedef struct Waiting {
  int level, at;
} Waiting;

enum { WAITING_MAX = 8 * TREE_LEVEL_MAX + 8 };

enum { FOUND_MAX = 256 };

HEFT_CLONES static void tree8_find(const Tree* t, const double lo[3], const double hi[3],
                                   TreeMeet* tell, void* user) {
  Waiting stack[WAITING_MAX];
  int items[FOUND_MAX + 8];
  int depth = 0, found = 0;
  stack[depth++] = (Waiting){t->level_count - 1, 0};
  while (depth > 0) {
    const Waiting w = stack[--depth];
    HEFT_ASSERT(depth < WAITING_MAX && w.at < padded(t->level_size[w.level]) / 8);
    unsigned lanes = meet(&t->level[w.level][w.at], lo, hi);
    if (w.level == 0) {
      for (; lanes; lanes &= lanes - 1) items[found++] = t->item[8 * w.at + __builtin_ctz(lanes)];
      HEFT_ASSERT(found < FOUND_MAX + 8);
      if (found >= FOUND_MAX) {
        tell(user, items, found);
        found = 0;
      }
      continue;
    }
    // Pushed from the last, so that they are taken from the first.
    for (int lane = 7; lane >= 0; --lane) {
      if (lanes >> lane & 1) stack[depth++] = (Waiting){w.level - 1, 8 * w.at + lane};
    }
  }
  if (found > 0) tell(user, items, found);
}

void heft_tree8_query(const Tree* tree, const double lo[3], const double hi[3], TreeMeet* tell,
                      void* user) {
  if (tree->count > 0) tree8_find(tree, lo, hi, tell, user);
}

// Pairs are found block by block, each with itself and all later ones, in lists of one thing after
// the other: nodes that meet the block, blocks, boxes of the block that meet those, boxes with the
// lanes they meet, pairs. Lists are filled without asking whether there is something to list (what
// counts for nothing is written over), since an unpredictable branch costs more.
enum { BLOCKS_MAX = 16, HITS_MAX = 8 * BLOCKS_MAX };

typedef struct Writing {
  const int* item;
  int (*next)[2];
  int left;  // places; negative: pairs that found none
  int hits;
  int from[HITS_MAX + 8];      // place of the box
  int block[HITS_MAX + 8];     // first place of the block
  unsigned met[HITS_MAX + 8];  // lanes
} Writing;

HEFT_INLINE void put_pair(const int* item, int (*out)[2], int a, int b) {
  const int i = item[a], j = item[b];
  HEFT_ASSERT(i != j);
  (*out)[0] = i < j ? i : j;
  (*out)[1] = i < j ? j : i;
}

// One by one, where there may not be room for all.
HEFT_INLINE void write_some(Writing* w, int from, int block, unsigned lanes) {
  for (; lanes; lanes &= lanes - 1) {
    if (--w->left >= 0) put_pair(w->item, w->next++, from, block + __builtin_ctz(lanes));
  }
}

HEFT_INLINE void write_pairs(Writing* w) {
  for (int i = 0; i < w->hits; ++i) {
    const int from = w->from[i], block = w->block[i];
    HEFT_ASSERT(w->hits <= HITS_MAX + 8);
    unsigned lanes = w->met[i];
    if (w->left < 8) {
      write_some(w, from, block, lanes);
      continue;
    }
    // Mostly one or two: the second is written in any case.
    const unsigned second = lanes & (lanes - 1);
    put_pair(w->item, w->next, from, block + __builtin_ctz(lanes));
    put_pair(w->item, w->next + 1, from, block + __builtin_ctz(second | 128));
    const int count = 1 + (second != 0);
    w->next += count;
    w->left -= count;
    if ((lanes = second & (second - 1))) write_some(w, from, block, lanes);
  }
  w->hits = 0;
}

// Writes first + k for each lane k; list has room for eight more. Returns the new count.
HEFT_INLINE int add_lanes(int* list, int count, int first, unsigned lanes) {
  for (int k = 0; k < 8; ++k) {
    list[count] = first + k;
    count += (int)(lanes >> k & 1);
  }
  return count;
}

// The box of entry i of a level.
#define ENTRY(level, bound, i)                                            \
  {                                                                       \
    (level)[(i) >> 3].bound[0][(i)&7], (level)[(i) >> 3].bound[1][(i)&7], \
        (level)[(i) >> 3].bound[2][(i)&7]                                 \
  }

// Boxes of block g, each with all of the block it asks: 8 h + lane.
HEFT_INLINE void answer(const Box8* boxes, int g, const int* asks, int count, Writing* w) {
  const Box8* p = &boxes[g];
  int hits = w->hits;
  for (int i = 0; i < count; ++i) {
    HEFT_ASSERT(hits < HITS_MAX + 8);
    const int lane = asks[i] & 7, h = asks[i] >> 3;
    const double lo[3] = {p->lo[0][lane], p->lo[1][lane], p->lo[2][lane]};
    const double hi[3] = {p->hi[0][lane], p->hi[1][lane], p->hi[2][lane]};
    unsigned lanes = meet(&boxes[h], lo, hi);
    if (g == h) lanes &= ~1u << lane;
    w->from[hits] = 8 * g + lane;
    w->block[hits] = 8 * h;
    w->met[hits] = lanes;
    hits += lanes != 0;
  }
  w->hits = hits;
}

// Block g with some blocks h >= g, at most BLOCKS_MAX: which of g's boxes meet the box around h.
HEFT_INLINE void meet_blocks(const Tree* t, int g, const int* blocks, int count, Writing* w) {
  const Box8 *boxes = t->level[0], *around = t->level[1];
  int asks[8 * BLOCKS_MAX + 8], asked = 0;
  for (int i = 0; i < count; ++i) {
    const int h = blocks[i];
    const double lo[3] = ENTRY(around, lo, h), hi[3] = ENTRY(around, hi, h);
    asked = add_lanes(asks, asked, 8 * h, meet(&boxes[g], lo, hi));
  }
  if (w->hits + asked > HITS_MAX) write_pairs(w);
  HEFT_ASSERT(asked <= 8 * BLOCKS_MAX);
  answer(boxes, g, asks, asked, w);
}

// Block g with itself and all later ones: level by level, entries that meet it and do not end
// before it. The lists have room for all blocks and eight more.
HEFT_INLINE void meet_later(const Tree* t, int g, int* list, int* next, Writing* out) {
  const Box8* around = t->level[1];
  const double lo[3] = ENTRY(around, lo, g), hi[3] = ENTRY(around, hi, g);
  int count = 1;
  list[0] = 0;
  for (int level = t->level_count - 1; level > 0; --level) {
    const int self = g >> 3 * (level - 1);
    int found = 0;
    for (int i = 0; i < count; ++i) {
      const int at = list[i], first = self - 8 * at;
      unsigned lanes = meet(&t->level[level][at], lo, hi);
      lanes &= first > 0 ? ~0u << first : ~0u;  // the others have met g already
      found = add_lanes(next, found, 8 * at, lanes);
    }
    int* swap = list;
    list = next;
    next = swap;
    count = found;
  }
  for (int i = 0; i < count; i += BLOCKS_MAX) {
    meet_blocks(t, g, list + i, count - i < BLOCKS_MAX ? count - i : BLOCKS_MAX, out);
  }
}

HEFT_CLONES static void tree8_meet_all(const Tree* t, int first, int end, int* list, int* next,
                                       PairList* out) {
  Writing w;
  w.item = t->item, w.next = out->pair + out->count, w.left = out->max - out->count, w.hits = 0;
  const int places = w.left;
  HEFT_ASSERT(places >= 0);
  if (t->level_count == 1) {
    static const int all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    answer(t->level[0], 0, all, 8, &w);
  } else {
    for (int g = first; g < end; ++g) meet_later(t, g, list, next, &w);
  }
  write_pairs(&w);
  const int found = places - w.left;
  out->count += found < places ? found : places;
  out->missed += found > places ? found - places : 0;
  HEFT_ASSERT(out->count <= out->max);
}

void heft_tree8_pairs(const Tree* t, PairList* out) {
  // keys and scratch are not needed but for the order
  if (t->count > 1)
    tree8_meet_all(t, 0, heft_tree8_blocks(t), (int*)t->keys, (int*)t->scratch, out);
}

void heft_tree8_pairs_of(const Tree* t, int first, int end, int* list, PairList* out) {
  if (t->count > 1) tree8_meet_all(t, first, end, list, list + heft_tree8_blocks(t) + 8, out);
}

// ---- few boxes: sets of items as bits of a number

// By a fiftieth of the sum of its sides in every direction. A place without a box fills all.
static void enlarge(const Tree* t, Box8* large) {
  for (int i = 0; i < padded(t->count); ++i) {
    double lo[3], hi[3];
    tree8_get(t, i, lo, hi);
    const double more = 0.02 * (hi[0] - lo[0] + hi[1] - lo[1] + hi[2] - lo[2]);
    for (int k = 0; k < 3; ++k) {
      large[i / 8].lo[k][i % 8] = i < t->count ? lo[k] - more : -HUGE_VAL;
      large[i / 8].hi[k][i % 8] = i < t->count ? hi[k] + more : HUGE_VAL;
    }
  }
}

HEFT_CLONES static void tree8_few_near(int count, const uint64_t* wanted, const Box8* b,
                                       uint64_t* near) {
  for (int i = 0; i < count; ++i) {
    const double lo[3] = ENTRY(b, lo, i), hi[3] = ENTRY(b, hi, i);
    uint64_t hits = 0;
    for (int g = i / 8; 8 * g < count && wanted[i]; ++g) {
      if (wanted[i] >> 8 * g & 255) hits |= (uint64_t)meet(&b[g], lo, hi) << 8 * g;
    }
    near[i] = hits & wanted[i];
  }
}

// 1 if all boxes are inside of the larger ones, by the signs of differences.
HEFT_CLONES static int tree8_few_inside(const Box8* b, const Box8* large, int blocks) {
  I8 outside = {0};
  for (int g = 0; g < blocks; ++g) {
    for (int k = 0; k < 3; ++k) {
      outside |= (I8)(v8_load_aligned(b[g].lo[k]) - v8_load_aligned(large[g].lo[k]));
      outside |= (I8)(v8_load_aligned(large[g].hi[k]) - v8_load_aligned(b[g].hi[k]));
    }
  }
  return v8_negative(outside) == 0;
}

static int boxes_meet(const Box8* b, int i, int j) {
  const Box8 *p = &b[i / 8], *q = &b[j / 8];
  const int l = i % 8, m = j % 8;
  return p->hi[0][l] >= q->lo[0][m] && q->hi[0][m] >= p->lo[0][l] && p->hi[1][l] >= q->lo[1][m] &&
         q->hi[1][m] >= p->lo[1][l] && p->hi[2][l] >= q->lo[2][m] && q->hi[2][m] >= p->lo[2][l];
}

void heft_tree8_meet_wanted(const Tree* tree, const uint64_t* wanted, Neighbours* neighbours,
                            uint64_t* met) {
  HEFT_ASSERT(tree->count <= 64);
  Neighbours* n = neighbours;
  const Box8* b = tree->level[0];
  if (!n->known || !tree8_few_inside(b, n->large, padded(tree->count) / 8)) {
    enlarge(tree, n->large);
    tree8_few_near(tree->count, wanted, n->large, n->near);
    n->known = 1;
  }
  for (int i = 0; i < tree->count; ++i) {
    met[i] = 0;
    for (uint64_t near = n->near[i]; near; near &= near - 1) {
      const int j = __builtin_ctzll(near);
      HEFT_ASSERT(j < tree->count);
      met[i] |= (uint64_t)boxes_meet(b, i, j) << j;
    }
  }
}

// ---- planes

// The middle's height above the plane less the box's reach, twice.
HEFT_CLONES static uint64_t tree8_reach_below(const Box8* b, int blocks, const double n[3],
                                              double d) {
  uint64_t hits = 0;
  for (int g = 0; g < blocks; ++g) {
    V8 height = v8_all(-2 * d);
    for (int k = 0; k < 3; ++k) {
      const V8 lo = v8_load_aligned(b[g].lo[k]), hi = v8_load_aligned(b[g].hi[k]);
      height += (lo + hi) * n[k] - (hi - lo) * fabs(n[k]);
    }
    hits |= (uint64_t)(~v8_negative((I8)(0 - height)) & 255) << 8 * g;
  }
  return hits;
}

uint64_t heft_tree8_below(const Tree* tree, int first, const double n[3], double d) {
  HEFT_ASSERT(first % 8 == 0 && first < tree->count);
  const int blocks = padded(tree->count - first) / 8;
  return tree8_reach_below(tree->level[0] + first / 8, blocks < 8 ? blocks : 8, n, d);
}

// ---- nearest and rays: one box at a time

static double distance_to(const Box8* b, int i, const double p[3]) {
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const double below = b[i / 8].lo[k][i % 8] - p[k], above = p[k] - b[i / 8].hi[k][i % 8];
    const double d = below > above ? below : above;
    if (d > 0) square += d * d;
  }
  return sqrt(square);
}

double heft_tree8_nearest(const Tree* t, HeftVec3 point, double best, TreeVisit* visit,
                          void* user) {
  Waiting stack[WAITING_MAX];
  const double p[3] = {point.x, point.y, point.z};
  int depth = 0;
  if (t->count > 0) stack[depth++] = (Waiting){t->level_count - 1, 0};
  while (depth > 0) {
    const Waiting w = stack[--depth];
    const int first = 8 * w.at, size = t->level_size[w.level];
    HEFT_ASSERT(depth < WAITING_MAX && first < size);
    for (int i = first; i < first + 8 && i < size; ++i) {
      if (!(distance_to(t->level[w.level], i, p) <= best)) continue;
      if (w.level == 0) {
        best = visit(user, t->item[i], best);
      } else {
        stack[depth++] = (Waiting){w.level - 1, i};
      }
    }
  }
  return best;
}

// Where a ray enters a box, or infinity. A direction's zero gives infinities that compare rightly,
// and a NaN (on the face, along it) counts as inside.
static double entry_of(const Box8* b, int i, const double from[3], const double inverse[3]) {
  double enter = 0, leave = HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    const double s = (b[i / 8].lo[k][i % 8] - from[k]) * inverse[k];
    const double t = (b[i / 8].hi[k][i % 8] - from[k]) * inverse[k];
    const double first = s < t ? s : t, last = s < t ? t : s;
    if (first > enter) enter = first;
    if (last < leave) leave = last;
  }
  return enter <= leave ? enter : HUGE_VAL;
}

double heft_tree8_cast(const Tree* t, HeftVec3 from, HeftVec3 direction, double best,
                       TreeVisit* visit, void* user) {
  Waiting stack[WAITING_MAX];
  const double o[3] = {from.x, from.y, from.z};
  const double inverse[3] = {1 / direction.x, 1 / direction.y, 1 / direction.z};
  int depth = 0;
  if (t->count > 0) stack[depth++] = (Waiting){t->level_count - 1, 0};
  while (depth > 0) {
    const Waiting w = stack[--depth];
    const int first = 8 * w.at, size = t->level_size[w.level];
    HEFT_ASSERT(depth < WAITING_MAX && first < size);
    for (int i = first; i < first + 8 && i < size; ++i) {
      if (!(entry_of(t->level[w.level], i, o, inverse) <= best)) continue;
      if (w.level == 0) {
        best = visit(user, t->item[i], best);
      } else {
        stack[depth++] = (Waiting){w.level - 1, i};
      }
    }
  }
  return best;
}

static void ball_around(const Box8* b, int i, HeftVec3* center, double* radius) {
  double middle[3], square = 0;
  for (int k = 0; k < 3; ++k) {
    const double lo = b[i / 8].lo[k][i % 8], hi = b[i / 8].hi[k][i % 8];
    middle[k] = 0.5 * (lo + hi);
    square += 0.25 * (hi - lo) * (hi - lo);
  }
  *center = heft_vec3_from(middle);
  *radius = sqrt(square);
}

void heft_tree8_visit(const Tree* t, TreeWanted* wanted, TreeMeet* tell, void* user) {
  Waiting stack[WAITING_MAX];
  int depth = 0;
  if (t->count > 0) stack[depth++] = (Waiting){t->level_count - 1, 0};
  while (depth > 0) {
    const Waiting w = stack[--depth];
    const int first = 8 * w.at, size = t->level_size[w.level];
    const int end = first + 8 < size ? first + 8 : size;
    HEFT_ASSERT(depth < WAITING_MAX && first < end);
    if (w.level == 0) {
      tell(user, t->item + first, end - first);
      continue;
    }
    for (int i = first; i < end; ++i) {
      HeftVec3 center;
      double radius;
      ball_around(t->level[w.level], i, &center, &radius);
      if (wanted(user, center, radius)) stack[depth++] = (Waiting){w.level - 1, i};
    }
  }
}
