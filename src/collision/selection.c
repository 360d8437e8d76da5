// SPDX-License-Identifier: Apache-2.0
// More contact points than the capacity: which to keep.
//
// First those that others imply go (shadows.c). If that is not enough, contact points are dropped
// so that what supports a body remains. Contact points that touch come before those that are far
// apart; among these, every pair keeps one point before any pair keeps two, and so on; among
// equals, the deeper one stays. The order within a pair: the deepest point, the one farthest from
// it, then the others by depth: two points far apart hold a body better than two deep ones side by
// side.
//
// The list is a heap with the first to go on top; the memory of islands, which are found later,
// holds the place of each point within its pair. Ties are broken by shapes and feature, so that
// the result does not depend on anything else.
#include "collision/selection.h"

#include "collision/contact_pair.h"
#include "collision/shadows.h"

static const double touching = 0.1;  // of the margin: the gap below which points touch

static int is_far(const HeftCollider* c, const HeftContactPoint* p) {
  return p->gap > touching * c->margin;
}

// ---- order within a pair

static int is_deeper(const HeftContactPoint* a, const HeftContactPoint* b) {
  return a->gap != b->gap ? a->gap < b->gap : a->feature < b->feature;
}

static void rank_points(const HeftContactPoint* p, int count, int* rank) {
  int deepest = 0, farthest = -1;
  double distance = 0;
  for (int i = 1; i < count; ++i) deepest = is_deeper(&p[i], &p[deepest]) ? i : deepest;
  for (int i = 0; i < count; ++i) {
    const HeftVec3 d = heft_vec3_sub(p[i].pos, p[deepest].pos);
    const double square = heft_vec3_dot(d, d);
    if (square > distance) {
      distance = square;
      farthest = i;
    }
  }
  for (int i = 0; i < count; ++i) {
    int before = farthest >= 0 ? 2 : 1;
    for (int k = 0; k < count; ++k)
      before += k != i && k != deepest && k != farthest && is_deeper(&p[k], &p[i]);
    rank[i] = i == deepest ? 0 : i == farthest ? 1 : before;
  }
}

static void rank_all(HeftCollider* c) {
  for (int first = 0, end; first < c->contact_count; first = end) {
    end = contact_pair_end(c->contact, c->contact_count, first);
    rank_points(c->contact + first, end - first, c->item_island + first);
  }
}

// ---- the heap

static int goes_first(const HeftCollider* c, const HeftContactPoint* a, int rank_a,
                      const HeftContactPoint* b, int rank_b) {
  if (is_far(c, a) != is_far(c, b)) return is_far(c, a);
  if (rank_a != rank_b) return rank_a > rank_b;
  if (a->gap != b->gap) return a->gap > b->gap;
  if (a->shape_a != b->shape_a) return a->shape_a > b->shape_a;
  if (a->shape_b != b->shape_b) return a->shape_b > b->shape_b;
  return a->feature > b->feature;
}

static void sift_down(HeftCollider* c, int at) {
  for (;;) {
    int top = at;
    for (int child = 2 * at + 1; child <= 2 * at + 2 && child < c->contact_count; ++child) {
      if (goes_first(c, &c->contact[child], c->item_island[child], &c->contact[top],
                     c->item_island[top]))
        top = child;
    }
    if (top == at) return;
    const HeftContactPoint point = c->contact[at];
    const int rank = c->item_island[at];
    c->contact[at] = c->contact[top];
    c->item_island[at] = c->item_island[top];
    c->contact[top] = point;
    c->item_island[top] = rank;
    at = top;
  }
}

static void begin_heap(HeftCollider* c) {
  rank_all(c);
  for (int i = c->contact_count / 2; i >= 0; --i) sift_down(c, i);
  c->heaped = 1;
}

static void replace_first(HeftCollider* c, const HeftContactPoint* p, int rank) {
  ++c->dropped;
  if (c->contact_capacity == 0) return;
  if (!goes_first(c, &c->contact[0], c->item_island[0], p, rank)) return;
  c->contact[0] = *p;
  c->item_island[0] = rank;
  sift_down(c, 0);
}

// ---- the list

// Once the removal of shadows frees less than an eighth of the list, it is not tried again.
void heft_selection_add(HeftCollider* c, const HeftContactPoint* points, int count) {
  int rank[MANIFOLD_MAX];
  rank_points(points, count, rank);
  for (int i = 0; i < count; ++i) {
    if (c->contact_count == c->contact_capacity && c->removals_pay) {
      heft_shadows_remove(c);
      c->removals_pay = c->contact_capacity - c->contact_count > c->contact_capacity / 8;
    }
    if (c->contact_count < c->contact_capacity) {
      c->contact[c->contact_count++] = points[i];
      continue;
    }
    if (!c->heaped) begin_heap(c);
    replace_first(c, &points[i], rank[i]);
  }
}

// A heap sort, with the last contact on top.
void heft_selection_finish(HeftCollider* c) {
  HeftContactPoint* x = c->contact;
  const int count = c->heaped ? c->contact_count : 0;
  for (int phase = 0; phase < 2; ++phase) {
    for (int i = phase == 0 ? count / 2 : count - 1; i >= 0; --i) {
      int end = count, at = i;
      if (phase == 1) {
        const HeftContactPoint swap = x[0];
        x[0] = x[i];
        x[i] = swap;
        end = i;
        at = 0;
      }
      for (int child; (child = 2 * at + 1) < end; at = child) {
        if (child + 1 < end && heft_contact_comes_before(&x[child], &x[child + 1])) ++child;
        if (!heft_contact_comes_before(&x[at], &x[child])) break;
        const HeftContactPoint swap = x[at];
        x[at] = x[child];
        x[child] = swap;
      }
    }
  }
}
