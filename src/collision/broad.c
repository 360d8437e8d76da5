// SPDX-License-Identifier: Apache-2.0
// The broad phase: pairs of shapes whose boxes overlap and that may collide.
//
// Moving shapes are in a tree that is refitted every step, static ones in a tree built once.
// Pairs within the moving tree come from the tree itself; each moving shape then queries the static
// tree; planes, which have no box, test all moving shapes. Boxes include the margins. The pairs
// depend on the boxes alone and are sorted, so the result does not depend on the order of the
// trees.
#include "collision/collider.h"

#include <string.h>

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
  if (!c->parent_child && are_parent_and_child(p, q)) return 0;
  if (p->is_triangle_mesh && q->is_triangle_mesh) return 0;
  return !is_excluded(c, p, q);
}

int heft_collider_may_collide(const HeftCollider* c, int a, int b, int* pair) {
  return may_collide(c, a, b, pair);
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
      const int may = heft_collider_may_collide(c, c->moving[i], c->moving[j], &unused);
      c->allowed[i] |= (uint64_t)may << j;
    }
  }
  for (int k = 0; k < c->plane_count; ++k) {
    c->plane_allowed[k] = 0;
    for (int j = 0; j < c->moving_count; ++j) {
      const int may = heft_collider_may_collide(c, c->plane[k], c->moving[j], &unused);
      c->plane_allowed[k] |= (uint64_t)may << j;
    }
  }
}

// ---- pairs

typedef struct Found {
  HeftCollider* c;
  int count;
  int64_t missed;
} Found;

static inline void keep_pair(Found* f, int a, int b) {
  if (f->count == f->c->pair_capacity) {
    ++f->missed;
    return;
  }
  f->c->pair[f->count][0] = a < b ? a : b;
  f->c->pair[f->count++][1] = a < b ? b : a;
}

static inline void add_pair(Found* f, int a, int b) {
  int unused;
  const Mask p = f->c->mask[a], q = f->c->mask[b];
  const int meet = (p.category & q.collides) | (q.category & p.collides);
  if (!meet && f->c->explicit_count == 0) return;
  if (may_collide(f->c, a, b, &unused)) keep_pair(f, a, b);
}

// Two spheres whose boxes meet are mostly apart. What is left out here is so by more than rounding.
HEFT_INLINE int balls_apart(const double* a, const double* b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2], reach = a[3] + b[3];
  return x * x + y * y + z * z > reach * reach * (1 + 1e-12);
}

// Keeps of the tree's pairs those that may touch, as slots.
static void pairs_of_moving(Found* f) {
  HeftCollider* c = f->c;
  PairList list = {.max = c->pair_capacity - f->count, .pair = c->pair + f->count};
  heft_tree8_pairs(&c->moving_tree, &list);
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

static void pairs_with_standing(Found* f) {
  HeftCollider* c = f->c;
  if (c->standing_count == 0) return;
  for (int i = 0; i < c->moving_count; ++i) {
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

static void pairs_with_plane(Found* f, int plane, const Tree* t, const int* slots) {
  double n[3];
  const double d = plane_of(f->c, plane, n);
  for (int first = 0; first < t->count; first += 64) {
    for (uint64_t met = heft_tree8_below(t, first, n, d); met; met &= met - 1) {
      const int place = first + __builtin_ctzll(met);
      if (place < t->count) add_pair(f, plane, slots[t->item[place]]);
    }
  }
}

static void few_with_plane(Found* f, int i) {
  HeftCollider* c = f->c;
  double n[3];
  const double d = plane_of(c, c->plane[i], n);
  if (c->moving_count == 0) return;
  uint64_t met = heft_tree8_below(&c->moving_tree, 0, n, d) & c->plane_allowed[i];
  for (; met; met &= met - 1) keep_pair(f, c->plane[i], c->moving[__builtin_ctzll(met)]);
}

static void pairs_with_planes(Found* f) {
  HeftCollider* c = f->c;
  for (int i = 0; i < c->plane_count; ++i) {
    if (c->allowed) {
      few_with_plane(f, i);
    } else {
      pairs_with_plane(f, c->plane[i], &c->moving_tree, c->moving);
    }
    if (c->slot[c->plane[i]].moves) {
      pairs_with_plane(f, c->plane[i], &c->standing_tree, c->standing);
    }
  }
}

static void pairs_of_few(Found* f) {
  HeftCollider* c = f->c;
  heft_tree8_meet_wanted(&c->moving_tree, c->allowed, c->neighbours, c->met);
  for (int i = 0; i < c->moving_count; ++i) {
    for (uint64_t met = c->met[i]; met; met &= met - 1) {
      keep_pair(f, c->moving[i], c->moving[__builtin_ctzll(met)]);
    }
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
  for (int body = 0; body < bodies; ++body) {
    const int own = first[body + 1] - first[body];
    if (own > 1) heft_sort_items(c->pair_scratch + first[body], c->pair_keys, own);
  }
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

int heft_collider_find_unsorted_pairs(HeftCollider* c, int64_t* missed) {
  Found f = {.c = c};
  // Planes and standing shapes mostly come first in the order, and they support the others: if
  // there are too many pairs, theirs are kept.
  pairs_with_planes(&f);
  pairs_with_standing(&f);
  if (c->allowed) {
    pairs_of_few(&f);
  } else {
    pairs_of_moving(&f);
  }
  *missed = f.missed;
  return f.count;
}

int heft_collider_find_pairs(HeftCollider* c, int64_t* missed) {
  const int count = heft_collider_find_unsorted_pairs(c, missed);
  sort_pairs(c, count);
  return count;
}
