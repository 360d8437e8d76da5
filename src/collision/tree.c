// SPDX-License-Identifier: Apache-2.0
// Building, refitting and asking the tree of boxes (see tree.h).
#include "collision/tree.h"

#include <string.h>

#include "base/assert.h"
#include "math/simd.h"

typedef int8_t Byte8 __attribute__((vector_size(8)));

// A comparison's result as eight bits, lane 0 lowest.
HEFT_INLINE unsigned bits_of(I8 mask) {
  const Byte8 bytes = __builtin_convertvector(mask, Byte8);
  uint64_t lanes;
  memcpy(&lanes, &bytes, sizeof lanes);
  // From the lowest bit of each byte to eight bits side by side.
  return (unsigned)((lanes & 0x0101010101010101u) * 0x0102040810204080u >> 56);
}

static int padded(int count) { return (count + 7) / 8 * 8; }

static void take_boxes(Boxes* b, Arena* arena, int count) {
  for (int k = 0; k < 3; ++k) {
    b->lo[k] = arena_take(arena, padded(count), double);
    b->hi[k] = arena_take(arena, padded(count), double);
  }
}

static void clear_boxes(Boxes* b, int from, int to) {
  for (int k = 0; k < 3; ++k) {
    for (int i = from; i < to; ++i) {
      b->lo[k][i] = HUGE_VAL;
      b->hi[k][i] = -HUGE_VAL;
    }
  }
}

void heft_tree8_take(Tree* tree, Arena* arena, int count) {
  *tree = (Tree){.count = count};
  int size = count;
  do {
    HEFT_ASSERT(tree->level_count < TREE_LEVEL_MAX);
    tree->level_size[tree->level_count] = size;
    take_boxes(&tree->level[tree->level_count++], arena, size);
    size = (size + 7) / 8;
  } while (tree->level_size[tree->level_count - 1] > 8);
  tree->item = arena_take(arena, padded(count), int);
  tree->place = arena_take(arena, padded(count), int);
  tree->keys = arena_take(arena, count, SortItem);
  tree->scratch = arena_take(arena, count, SortItem);
  if (!arena->base || arena->overflow) return;
  for (int l = 0; l < tree->level_count; ++l) {
    clear_boxes(&tree->level[l], 0, padded(tree->level_size[l]));
  }
  for (int i = 0; i < padded(count); ++i) tree->item[i] = tree->place[i] = i;
}

HEFT_INLINE double low_of(V8 v) {
  double m = v[0];
  for (int k = 1; k < 8; ++k) m = v[k] < m ? v[k] : m;
  return m;
}

HEFT_INLINE double high_of(V8 v) {
  double m = v[0];
  for (int k = 1; k < 8; ++k) m = v[k] > m ? v[k] : m;
  return m;
}

HEFT_CLONES static double tree8_gather(const Boxes* below, Boxes* above, int groups) {
  double cost = 0;
  for (int g = 0; g < groups; ++g) {
    double size = 0;
    for (int k = 0; k < 3; ++k) {
      above->lo[k][g] = low_of(v8_load_aligned(below->lo[k] + 8L * g));
      above->hi[k][g] = high_of(v8_load_aligned(below->hi[k] + 8L * g));
      size += above->hi[k][g] - above->lo[k][g];
    }
    cost += size;
  }
  return cost;
}

void heft_tree8_refit(Tree* tree) {
  for (int l = 1; l < tree->level_count; ++l) {
    const double cost = tree8_gather(&tree->level[l - 1], &tree->level[l], tree->level_size[l]);
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
  const Boxes* b = &t->level[0];
  for (int i = 0; i < t->count; ++i) {
    double side = 0;
    for (int k = 0; k < 3; ++k) side = fmax(side, b->hi[k][i] - b->lo[k][i]);
    t->keys[i] = (SortItem){1023 - size_class(side), (uint32_t)i};
  }
  heft_sort_items(t->keys, t->scratch, t->count);
}

// While cutting, a key is a box's middle along some axis.
static double key_of(const SortItem* item) {
  double x;
  memcpy(&x, &item->key, sizeof x);
  return x;
}

static int widest_axis(const Tree* t, int lo, int hi) {
  int best = 0;
  double widest = -1;
  for (int k = 0; k < 3; ++k) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = lo; i < hi; ++i) {
      const uint32_t at = t->keys[i].value;
      const double m = t->level[0].lo[k][at] + t->level[0].hi[k][at];
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
    const uint32_t at = t->keys[i].value;
    const double m = t->level[0].lo[axis][at] + t->level[0].hi[axis][at];
    memcpy(&t->keys[i].key, &m, sizeof m);
  }
}

static double middle_of_three(double a, double b, double c) {
  const double low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : (c > high ? high : c);
}

// Hoare's selection: afterwards no key before `at` is larger than one from there on.
static void select_at(SortItem* x, int lo, int hi, int at) {
  --hi;
  while (lo < hi) {
    const double pivot =
        middle_of_three(key_of(&x[lo]), key_of(&x[lo + (hi - lo) / 2]), key_of(&x[hi]));
    int i = lo, j = hi;
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
  return at;
}

static void cut_range(Tree* t, int lo, int hi) {
  for (int at; (at = cut_between(lo, hi)) > lo;) {
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

// Moves the boxes to their new places, bound by bound, with the key memory as the second copy.
static void permute(Tree* t) {
  double* copy = (double*)t->scratch;
  for (int k = 0; k < 6; ++k) {
    double* bound = k < 3 ? t->level[0].lo[k] : t->level[0].hi[k - 3];
    memcpy(copy, bound, (size_t)t->count * sizeof *copy);
    for (int i = 0; i < t->count; ++i) bound[i] = copy[t->keys[i].value];
  }
  int* item = (int*)t->scratch;
  memcpy(item, t->item, (size_t)t->count * sizeof *item);
  for (int i = 0; i < t->count; ++i) {
    t->item[i] = item[t->keys[i].value];
    t->place[t->item[i]] = i;
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
HEFT_INLINE unsigned meet(const Boxes* b, int at, const double lo[3], const double hi[3]) {
  const I8 x =
      (I8)(hi[0] - v8_load_aligned(b->lo[0] + at)) | (I8)(v8_load_aligned(b->hi[0] + at) - lo[0]);
  const I8 y =
      (I8)(hi[1] - v8_load_aligned(b->lo[1] + at)) | (I8)(v8_load_aligned(b->hi[1] + at) - lo[1]);
  const I8 z =
      (I8)(hi[2] - v8_load_aligned(b->lo[2] + at)) | (I8)(v8_load_aligned(b->hi[2] + at) - lo[2]);
  return bits_of((x | y | z) >= 0);
}

// A node that waits: entry `at` of a level stands for eight of the level below.
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
    unsigned lanes = meet(&t->level[w.level], 8 * w.at, lo, hi);
    if (w.level == 0) {
      for (; lanes; lanes &= lanes - 1) items[found++] = t->item[8 * w.at + __builtin_ctz(lanes)];
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

static void add_pair(const Tree* t, int a, int b, PairList* out) {
  if (out->count == out->most) {
    ++out->missed;
    return;
  }
  const int i = t->item[a], j = t->item[b];
  out->pair[out->count][0] = i < j ? i : j;
  out->pair[out->count++][1] = i < j ? j : i;
}

// Boxes of group g (eight places from 8 g) with those of group h >= g: first those of g that meet
// the box around h, then each of these with all of h.
HEFT_INLINE void meet_groups(const Tree* t, int g, int h, unsigned asking, PairList* out) {
  const Boxes* b = &t->level[0];
  for (; asking; asking &= asking - 1) {
    const int lane = __builtin_ctz(asking), i = 8 * g + lane;
    const double lo[3] = {b->lo[0][i], b->lo[1][i], b->lo[2][i]};
    const double hi[3] = {b->hi[0][i], b->hi[1][i], b->hi[2][i]};
    unsigned lanes = meet(b, 8 * h, lo, hi);
    if (g == h) lanes &= ~1u << lane;
    for (; lanes; lanes &= lanes - 1) add_pair(t, i, 8 * h + __builtin_ctz(lanes), out);
  }
}

// Each group of eight asks the tree for the groups from itself onward that it meets.
HEFT_CLONES static void tree8_meet_all(const Tree* t, PairList* out) {
  Waiting stack[WAITING_MAX];
  const int groups = (t->count + 7) / 8;
  for (int g = 0; g < groups; ++g) {
    if (t->level_count == 1) {
      meet_groups(t, g, g, 255, out);
      continue;
    }
    const Boxes* b = &t->level[1];
    const double lo[3] = {b->lo[0][g], b->lo[1][g], b->lo[2][g]};
    const double hi[3] = {b->hi[0][g], b->hi[1][g], b->hi[2][g]};
    int depth = 0;
    stack[depth++] = (Waiting){t->level_count - 1, 0};
    while (depth > 0) {
      const Waiting w = stack[--depth];
      unsigned lanes = meet(&t->level[w.level], 8 * w.at, lo, hi);
      // Entries that end before g are not asked: their groups have met g already.
      const int shift = 3 * (w.level - 1);
      const int first = (g >> shift) - 8 * w.at;
      if (first >= 8) continue;
      if (first > 0) lanes &= ~0u << first;
      for (; lanes; lanes &= lanes - 1) {
        const int at = 8 * w.at + __builtin_ctz(lanes);
        if (w.level == 1) {
          const double low[3] = {b->lo[0][at], b->lo[1][at], b->lo[2][at]};
          const double high[3] = {b->hi[0][at], b->hi[1][at], b->hi[2][at]};
          meet_groups(t, g, at, meet(&t->level[0], 8 * g, low, high), out);
        } else {
          stack[depth++] = (Waiting){w.level - 1, at};
        }
      }
    }
  }
}

void heft_tree8_pairs(const Tree* tree, PairList* out) {
  if (tree->count > 1) tree8_meet_all(tree, out);
}

// ---- few boxes: sets of items as bits of a number

HEFT_CLONES static void tree8_few_meet(const Tree* t, const uint64_t* wanted, uint64_t* met) {
  const Boxes* b = &t->level[0];
  const unsigned all = (1u << (t->count + 7) / 8) - 1;
  for (int i = 0; i < t->count; ++i) {
    uint64_t hits = 0;
    if (!wanted[i]) {
      met[i] = 0;
      continue;
    }
    const double lo[3] = {b->lo[0][i], b->lo[1][i], b->lo[2][i]};
    const double hi[3] = {b->hi[0][i], b->hi[1][i], b->hi[2][i]};
    // The groups from its own onward that it meets, then their boxes.
    unsigned groups = t->count > 24 ? meet(&t->level[1], 0, lo, hi) : all;
    for (groups &= 255u << i / 8; groups; groups &= groups - 1) {
      const int g = __builtin_ctz(groups);
      if (wanted[i] >> 8 * g & 255) hits |= (uint64_t)meet(b, 8 * g, lo, hi) << 8 * g;
    }
    met[i] = hits & wanted[i];
  }
}

void heft_tree8_meet_wanted(const Tree* tree, const uint64_t* wanted, uint64_t* met) {
  HEFT_ASSERT(tree->count <= 64);
  tree8_few_meet(tree, wanted, met);
}

// The middle's height above the plane less the box's reach, twice.
HEFT_CLONES static uint64_t tree8_few_below(const Tree* t, const double n[3], double d) {
  const Boxes* b = &t->level[0];
  uint64_t hits = 0;
  for (int g = 0; 8 * g < t->count; ++g) {
    V8 height = v8_all(-2 * d);
    for (int k = 0; k < 3; ++k) {
      const V8 lo = v8_load_aligned(b->lo[k] + 8 * g), hi = v8_load_aligned(b->hi[k] + 8 * g);
      height += (lo + hi) * n[k] - (hi - lo) * fabs(n[k]);
    }
    hits |= (uint64_t)bits_of(height <= 0) << 8 * g;
  }
  return hits;
}

uint64_t heft_tree8_below(const Tree* tree, const double n[3], double d) {
  HEFT_ASSERT(tree->count <= 64);
  return tree8_few_below(tree, n, d);
}

// ---- nearest and rays: one box at a time

static double distance_to(const Boxes* b, int i, const double p[3]) {
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const double below = b->lo[k][i] - p[k], above = p[k] - b->hi[k][i];
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
    for (int i = first; i < first + 8 && i < size; ++i) {
      if (!(distance_to(&t->level[w.level], i, p) <= best)) continue;
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
static double entry_of(const Boxes* b, int i, const double from[3], const double inverse[3]) {
  double enter = 0, leave = HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    const double s = (b->lo[k][i] - from[k]) * inverse[k];
    const double t = (b->hi[k][i] - from[k]) * inverse[k];
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
    for (int i = first; i < first + 8 && i < size; ++i) {
      if (!(entry_of(&t->level[w.level], i, o, inverse) <= best)) continue;
      if (w.level == 0) {
        best = visit(user, t->item[i], best);
      } else {
        stack[depth++] = (Waiting){w.level - 1, i};
      }
    }
  }
  return best;
}
