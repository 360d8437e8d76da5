// SPDX-License-Identifier: Apache-2.0
// The broad phase: pairs of shapes whose boxes overlap and that may collide.
//
// Moving shapes are in a tree that is refitted every step, static ones in a tree built once.
// Pairs within the moving tree come from the tree itself; each moving shape then queries the static
// tree; planes, which have no box, test all moving shapes. Boxes include the margins. The pairs
// depend only on the boxes and are sorted, so the result does not depend on the order of the trees.
// Compounds are tested as a whole; compound.c finds the pairs of their pieces.
#include <stdatomic.h>
#include <string.h>

#include "collision/compound.h"
#include "math/simd.h"

// ---- rules

static int find_key(const uint64_t* keys, int count, uint64_t key) {
  int lo = 0, hi = count;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if (keys[mid] < key) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo < count && keys[lo] == key;
}

static int find_explicit(const HeftCollider* c, uint64_t key) {
  int lo = 0, hi = c->explicit_count;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if (c->explicits[mid].key < key) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo < c->explicit_count && c->explicits[lo].key == key ? c->explicits[lo].pair : -1;
}

static int is_excluded(const HeftCollider* c, const Rule* a, const Rule* b) {
  if (!a->has_exclude || !b->has_exclude) return 0;
  const uint64_t p = (uint64_t)a->body, q = (uint64_t)b->body;
  return find_key(c->exclude, c->exclude_count, p < q ? p << 32 | q : q << 32 | p);
}

// A link and its parent overlap at the joint by design. The world does not count as a parent.
static int are_parent_and_child(const Rule* a, const Rule* b) {
  return (a->parent_link == b->link && b->link != 0) || (b->parent_link == a->link && a->link != 0);
}

// A link and what hangs on it without a joint overlap by design, too.
static int are_node_and_holder(const Rule* a, const Rule* b) {
  return (a->holder > 0 && a->holder == b->link) || (b->holder > 0 && b->holder == a->link);
}

// 1 if the rules allow two slots to touch; *pair receives the contact pair of the model, or -1.
static inline int may_collide(const HeftCollider* c, int a, int b, int* pair) {
  const Rule *p = &c->rule[a], *q = &c->rule[b];
  *pair = -1;
  if (p->has_pair && q->has_pair) {
    const uint64_t i = (uint64_t)a, j = (uint64_t)b;
    *pair = find_explicit(c, i < j ? i << 32 | j : j << 32 | i);
    if (*pair >= 0) return p->link != 0 || q->link != 0;
  }
  if (!(p->category & q->collides) && !(q->category & p->collides)) return 0;
  if (p->link == q->link) return 0;
  if (p->deformable >= 0 && p->deformable == q->deformable) return 0;
  if (!c->parent_child && are_parent_and_child(p, q)) return 0;
  if (are_node_and_holder(p, q)) return 0;
  return !is_excluded(c, p, q);
}

int heft_collider_may_collide(const HeftCollider* c, int a, int b) {
  int unused;
  return may_collide(c, a, b, &unused);
}

int heft_collider_pair_of(const HeftCollider* c, int a, int b) {
  if (!c->rule[a].has_pair || !c->rule[b].has_pair) return -1;
  const uint64_t i = (uint64_t)a, j = (uint64_t)b;
  return find_explicit(c, i < j ? i << 32 | j : j << 32 | i);
}

void heft_collider_allow(HeftCollider* c) {
  int unused;
  for (int i = 0; i < c->moving_count; ++i) {
    c->allowed[i] = 0;
    for (int j = i + 1; j < c->moving_count; ++j) {
      const int may = may_collide(c, c->moving[i], c->moving[j], &unused);
      c->allowed[i] |= (uint64_t)may << j;
    }
  }
  for (int k = 0; k < c->plane_count; ++k) {
    c->plane_allowed[k] = 0;
    for (int j = 0; j < c->moving_count; ++j) {
      const int may = may_collide(c, c->plane[k], c->moving[j], &unused);
      c->plane_allowed[k] |= (uint64_t)may << j;
    }
  }
}

// ---- pairs

typedef struct Found {
  const HeftCollider* c;
  int count, capacity;
  int64_t missed;
  int (*pair)[2];
  int* blocks;  ///< scratch of a thread, or NULL: the tree's own
} Found;

static inline void keep_pair(Found* f, int a, int b) {
  if (f->count == f->capacity) {
    ++f->missed;
    return;
  }
  f->pair[f->count][0] = a < b ? a : b;
  f->pair[f->count++][1] = a < b ? b : a;
}

static inline void add_pair(Found* f, int a, int b) {
  int unused;
  const Mask p = f->c->mask[a], q = f->c->mask[b];
  const int meet = (p.category & q.collides) | (q.category & p.collides);
  if (!meet && f->c->explicit_count == 0) return;
  if (may_collide(f->c, a, b, &unused)) keep_pair(f, a, b);
}

// Two spheres whose boxes meet are mostly apart. Pairs left out are apart by more than rounding.
HEFT_INLINE int balls_apart(const double* a, const double* b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2], reach = a[3] + b[3];
  return x * x + y * y + z * z > reach * reach * (1 + 1e-12);
}

// Keeps of the tree's pairs those that may touch, as slots. Blocks of the tree from first to end.
static void pairs_of_moving(Found* f, int first, int end) {
  const HeftCollider* c = f->c;
  PairList list = {.max = f->capacity - f->count, .pair = f->pair + f->count};
  if (f->blocks) {
    heft_tree8_pairs_of(&c->moving_tree, first, end, f->blocks, &list);
  } else {
    heft_tree8_pairs(&c->moving_tree, &list);
  }
  for (int i = 0; i < list.count; ++i) {
    const int a = list.pair[i][0], b = list.pair[i][1];
    if (!c->sweeping && balls_apart(c->ball + 4L * a, c->ball + 4L * b)) continue;
    add_pair(f, c->moving[a], c->moving[b]);  // never ahead of i
  }
  f->missed += list.missed;
}

// A moving slot that asks the standing tree.
typedef struct Asking {
  Found* f;
  int slot;
} Asking;

static void add_standing(void* user, const int* items, int count) {
  const Asking* asking = user;
  const int* standing = asking->f->c->standing;
  for (int k = 0; k < count; ++k) add_pair(asking->f, standing[items[k]], asking->slot);
}

static void pairs_with_standing(Found* f, int first, int end) {
  const HeftCollider* c = f->c;
  if (c->standing_count == 0) return;
  for (int i = first; i < end; ++i) {
    double lo[3], hi[3];
    Asking asking = {f, c->moving[i]};
    tree8_get(&c->moving_tree, c->moving_tree.place[i], lo, hi);
    heft_tree8_query(&c->standing_tree, lo, hi, add_standing, &asking);
  }
}

// The plane n · x = d that a plane shape's margin reaches to. Returns d.
static double plane_of(const HeftCollider* c, int plane, double n[3]) {
  const Rows* x = &c->pose[plane];
  for (int k = 0; k < 3; ++k) n[k] = x->r[k][2];
  return n[0] * x->r[0][3] + n[1] * x->r[1][3] + n[2] * x->r[2][3] + c->half[4L * plane + 3];
}

// Places of the tree from first, a multiple of 64, to end - 1.
static void pairs_with_plane(Found* f, int plane, const Tree* t, const int* slots, int first,
                             int end) {
  double n[3];
  const double d = plane_of(f->c, plane, n);
  for (int at = first; at < end; at += 64) {
    for (uint64_t met = heft_tree8_below(t, at, n, d); met; met &= met - 1) {
      const int place = at + __builtin_ctzll(met);
      if (place < t->count) add_pair(f, plane, slots[t->item[place]]);
    }
  }
}

static void few_with_plane(Found* f, int i) {
  const HeftCollider* c = f->c;
  double n[3];
  const double d = plane_of(c, c->plane[i], n);
  if (c->moving_count == 0) return;
  uint64_t met = heft_tree8_below(&c->moving_tree, 0, n, d) & c->plane_allowed[i];
  for (; met; met &= met - 1) keep_pair(f, c->plane[i], c->moving[__builtin_ctzll(met)]);
}

static void pairs_with_planes(Found* f, int first, int end) {
  const HeftCollider* c = f->c;
  for (int i = 0; i < c->plane_count; ++i)
    pairs_with_plane(f, c->plane[i], &c->moving_tree, c->moving, first, end);
}

// Planes that move, and standing shapes.
static void standing_with_planes(Found* f) {
  const HeftCollider* c = f->c;
  const Tree* tree = &c->standing_tree;
  for (int i = 0; i < c->plane_count; ++i) {
    if (c->slot[c->plane[i]].moves)
      pairs_with_plane(f, c->plane[i], tree, c->standing, 0, tree->count);
  }
}

static void pairs_of_few(Found* f) {
  const HeftCollider* c = f->c;
  heft_tree8_meet_wanted(&c->moving_tree, c->allowed, c->neighbours, c->met);
  for (int i = 0; i < c->moving_count; ++i) {
    for (uint64_t met = c->met[i]; met; met &= met - 1) {
      keep_pair(f, c->moving[i], c->moving[__builtin_ctzll(met)]);
    }
  }
}

enum { BODIES = 128 };  // of a task

static void sort_bodies(void* arg, int begin, int end) {
  HeftCollider* c = arg;
  const int* first = c->body_first;
  for (int body = begin; body < end; ++body) {
    const int own = first[body + 1] - first[body];
    // the keys were copied: their places are scratch
    if (own > 1) heft_sort_items(c->pair_scratch + first[body], c->pair_keys + first[body], own);
  }
}

// Where many pairs are, each body has few: they are dealt out by their first body, and then sorted
// body by body.
static void deal_out(HeftCollider* c, int count) {
  const int bodies = c->model->nbody;
  int* first = c->body_first;
  memset(first, 0, (size_t)(bodies + 1) * sizeof *first);
  for (int i = 0; i < count; ++i) ++first[c->rule[c->pair[i][0]].body];
  for (int body = 0, at = 0; body <= bodies; ++body) {
    at += first[body];
    first[body] = at;
  }
  for (int i = 0; i < count; ++i)
    c->pair_scratch[--first[c->rule[c->pair[i][0]].body]] = c->pair_keys[i];
  heft_pool_run_ranges(c->share ? c->share->pool : NULL, bodies, BODIES, sort_bodies, c);
}

// By body a, then slot b (and with it body b), then slot a: 20 + 22 + 22 bits.
static void sort_pairs(HeftCollider* c, int count) {
  uint64_t last = 0;
  int sorted = 1;
  for (int i = 0; i < count; ++i) {
    const uint64_t a = (uint64_t)c->pair[i][0], b = (uint64_t)c->pair[i][1];
    const uint64_t body = (uint64_t)c->rule[a].body;
    const uint64_t key = body << 44 | b << 22 | a;
    c->pair_keys[i] = (SortItem){key, 0};
    sorted &= key >= last;
    last = key;
  }
  if (sorted) return;
  deal_out(c, count);
  for (int i = 0; i < count; ++i) {
    c->pair[i][0] = (int)(c->pair_scratch[i].key & (SLOTS_MAX - 1));
    c->pair[i][1] = (int)(c->pair_scratch[i].key >> 22 & (SLOTS_MAX - 1));
  }
}

static Found find_alone(HeftCollider* c) {
  Found f = {.c = c, .capacity = c->pair_capacity, .pair = c->pair};
  // Planes and standing shapes mostly come first in the order, and they support the others: if
  // there are too many pairs, theirs are kept.
  for (int i = 0; i < c->plane_count && c->allowed; ++i) few_with_plane(&f, i);
  if (!c->allowed) pairs_with_planes(&f, 0, c->moving_count);
  standing_with_planes(&f);
  pairs_with_standing(&f, 0, c->moving_count);
  if (c->allowed) {
    pairs_of_few(&f);
  } else {
    pairs_of_moving(&f, 0, heft_tree8_blocks(&c->moving_tree));
  }
  return f;
}

// ---- threads
//
// A task finds the pairs of some places of the tree, and hands them over to the common list. So the
// order of the list is left to chance; those who need one sort it. If there is not enough room, one
// thread does it all again, and keeps the same pairs as always.

enum { PLACES = 128 };  // of a task, a multiple of 64

typedef struct Together {
  HeftCollider* c;
  atomic_int count, full;
} Together;

static void find_part(void* arg, int worker, int index) {
  Together* all = arg;
  HeftCollider* c = all->c;
  const Tree* tree = &c->moving_tree;
  const int first = PLACES * index, rest = c->moving_count - first;
  const int end = first + (rest < PLACES ? rest : PLACES);
  Found f = {.c = c,
             .capacity = PAIRS_OF_TASK,
             .pair = c->share->pair + (long)PAIRS_OF_TASK * worker,
             .blocks = c->share->blocks + (long)heft_tree8_list_size(tree) * worker};
  if (index == 0) standing_with_planes(&f);
  pairs_with_planes(&f, first, end);
  pairs_with_standing(&f, first, end);
  pairs_of_moving(&f, first / 8, (end + 7) / 8);
  const int at = atomic_fetch_add(&all->count, f.count);
  if (f.missed > 0 || f.count > c->pair_capacity - at || at > c->pair_capacity) {
    atomic_store(&all->full, 1);
  } else {
    memcpy(c->pair + at, f.pair, (size_t)f.count * sizeof *f.pair);
  }
}

// Returns the number of pairs, or -1 if there are too many.
static int find_together(HeftCollider* c) {
  Together all = {.c = c};
  heft_pool_run(c->share->pool, (c->moving_count + PLACES - 1) / PLACES, find_part, &all);
  return atomic_load(&all.full) ? -1 : atomic_load(&all.count);
}

int heft_collider_find_unsorted_pairs(HeftCollider* c, int64_t* missed) {
  const int shared = c->share && c->moving_count >= 2 * PLACES;
  const int together = shared ? find_together(c) : -1;
  *missed = 0;
  const int expanded = together >= 0 ? heft_compounds_expand(c, together, missed) : -1;
  if (expanded >= 0 && *missed == 0) return expanded;
  const Found f = find_alone(c);
  *missed = f.missed;
  return heft_compounds_expand(c, f.count, missed);
}

int heft_collider_find_pairs(HeftCollider* c, int64_t* missed) {
  const int count = heft_collider_find_unsorted_pairs(c, missed);
  sort_pairs(c, count);
  return count;
}
