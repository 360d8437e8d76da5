// SPDX-License-Identifier: Apache-2.0
// Blocked pairs: contact points where pairs met that would have passed through each other.
//
// A pair of which the search for contact points did not know may get deep into each other on the
// way of a step as it was solved (passages.c): another corner swings in, or an impulse of the step
// sends a body through the wall behind it. The points at which the pair meets on that way, at the
// time s, become contact points of the next try of the same step. A point with the gap g and the
// normal velocity w, per step, has the gap E = g + (1 - s) w at the end of the way. It is kept from
// getting deeper than the pair is at the start of the step. Like the points of fast pairs, it is
// carried back to the start of the step (sweep.c).
//
// If rows that a try added for a pair had no effect, it gets no more: step.c halves the step.
//
// Its feature is its index from the end of all features: no warm impulse belongs to it.
#include "collision/blocked.h"
#include "collision/selection.h"

#include <math.h>
#include <stdint.h>

#include "collision/contact_pair.h"
#include "collision/sweep.h"

static const uint64_t first_feature = UINT64_MAX - BLOCKED_MAX;
static const double helped = 0.1;  // of the depth that a row shall prevent: it has an effect

void heft_blocked_clear(HeftCollider* c) { c->blocked_count = 0; }

BlockedPoint* heft_blocked_of(const HeftCollider* c, const HeftContactPoint* p) {
  if (c->blocked_count == 0 || p->feature < first_feature) return NULL;
  return &c->blocked[p->feature - first_feature];
}

// The depth of a pair at the start of the step, below zero.
static double gap_at_start(const HeftCollider* c, const HeftContactPoint* pair) {
  double least = 0;
  for (int i = 0; i < c->contact_count; ++i) {
    const HeftContactPoint* p = &c->contact[i];
    if (contact_same_pair(p, pair) && p->time == 0 && p->feature < first_feature)
      least = fmin(least, p->gap);
  }
  return least;
}

// Whether rows that earlier tries added for a pair had an effect: it would end deeper without them.
// They have none where the pair gets deeper by the curvature of its way: a shorter step helps then.
static int rows_help(const HeftCollider* c, const HeftContactPoint* pair, double end) {
  for (int i = 0; i < c->blocked_count; ++i) {
    const BlockedPoint* b = &c->blocked[i];
    if (contact_same_pair(&b->point, pair) && end < b->end + helped * (b->kept - b->end)) return 0;
  }
  return 1;
}

// The gap of a point of a pair at the end of its way, which it meets at the time s.
static double gap_at_end(const HeftCollider* c, int a, int b, double s, const HeftContactPoint* p) {
  const HeftVec3 w = heft_vec3_sub(motion_velocity(&c->motion[b].motion, s, p->pos),
                                   motion_velocity(&c->motion[a].motion, s, p->pos));
  return p->gap + (1 - s) * heft_vec3_dot(w, p->normal);
}

static int block_pair(HeftCollider* c, int a, int b, double s) {
  HeftContactPoint found[MANIFOLD_MAX];
  const int pair = heft_collider_pair_of(c, a, b);
  const int count = heft_collider_points_at(c, c->narrow, a, b, pair, s, found);
  const double kept = count > 0 ? gap_at_start(c, &found[0]) : 0;
  double end[MANIFOLD_MAX];
  int added = 0;
  for (int i = 0; i < count; ++i) {
    end[i] = gap_at_end(c, a, b, s, &found[i]);
    if (!rows_help(c, &found[i], end[i])) return 0;
  }
  for (; added < count && c->blocked_count < c->blocked_capacity; ++added) {
    HeftContactPoint* p = &found[added];
    BlockedPoint* own = &c->blocked[c->blocked_count];
    own->end = end[added];
    own->kept = kept;
    heft_collider_carry_back(c, a, b, s, p);
    p->time = 0;  // its row holds for the whole step
    p->feature = first_feature + (uint64_t)c->blocked_count++;
    own->point = *p;
    own->fresh = 1;
  }
  return added;
}

static int slots_before(const int a[2], const int b[2]) {
  return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

// Moves the pairs that pass to the front of the list, in the order of the slots, whatever order the
// threads found them in.
static int sort_passing(HeftCollider* c, int count) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    if (!c->meets[i]) continue;
    const int pair[2] = {c->pair[i][0], c->pair[i][1]};
    int k = kept++;
    for (; k > 0 && slots_before(pair, c->pair[k - 1]); --k) {
      c->pair[k][0] = c->pair[k - 1][0];
      c->pair[k][1] = c->pair[k - 1][1];
    }
    c->pair[k][0] = pair[0];
    c->pair[k][1] = pair[1];
  }
  return kept;
}

int heft_blocked_add(HeftCollider* c) {
  const int count = sort_passing(c, c->examined);
  int added = 0;
  c->examined = 0;
  for (int i = 0; i < count; ++i) {
    const int a = c->pair[i][0], b = c->pair[i][1];
    const double s = heft_collider_meeting(c, a, b);
    if (s < 1) added += block_pair(c, a, b, s);
  }
  return added > 0;
}

HeftContactPoints heft_blocked_insert(HeftCollider* c) {
  for (int i = 0; i < c->blocked_count; ++i) {
    int k = c->contact_count++;
    for (; k > 0 && heft_contact_comes_before(&c->blocked[i].point, &c->contact[k - 1]); --k)
      c->contact[k] = c->contact[k - 1];
    c->contact[k] = c->blocked[i].point;
  }
  c->found.count = c->contact_count;
  return c->found;
}
