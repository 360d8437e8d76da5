// SPDX-License-Identifier: Apache-2.0
// Shadows: contact points that others imply.
//
// In a stack of thin sheets each one lies within the margin of many others: 100 foils of 0.05 mm
// have 400 contact points with their neighbours, and 8000 within a margin of 1 mm. The others can
// never carry a force, for the sheets between them are in the way:
//
// Body j lies between i and k; i and j have contact points with the normal n and the gaps g1, j and
// k with the same normal and the gaps g2, and p is a contact point of i and k with the normal n and
// the gap g. The gap at the end of a step, g + h n · v(p), is affine in p. So where p lies inside
// of the convex hulls of both sets of points, their conditions add up to
//   g1(p) + g2(p) + h n · v_ik(p) >= 0,    hence    g + h n · v_ik(p) >= g - g1(p) - g2(p).
// The right side is the thickness of j at p. If it is positive, the contact at p stays open
// whatever happens in the step: without it, the problem has the same solution. Gaps decrease from a
// contact point to those that imply it, so that it does not matter if these are removed in their
// turn.
#include "collision/shadows.h"

#include "collision/contact_frame.h"
#include "collision/contact_pair.h"

static const double candidate = 0.01;  // of the margin: contact points with smaller gaps stay
static const double thick = 0.01;      // of the gap: what j must fill of it
static const double parallel = 1e-8;   // squared sine of normals that count as equal
static const double inside = 1e-6;     // of the triangle, for points on its border
enum { SIDES = 2 };

// Pairs by link: an entry is 1 + 2 * (first contact point of the pair) + side of this link, 0:
// none. The memory of islands serves for the list.
typedef struct Lists {
  int* head;         ///< links
  int* next[SIDES];  ///< contact points
} Lists;

// The contact points of a pair, seen from one of its links.
typedef struct Sheet {
  const HeftContactPoint* point;
  int count, other;  ///< link on the other side
  HeftVec3 normal;   ///< towards the other side
} Sheet;

// Its own link: the link of a moved body is not the world.
static int link_of(const HeftCollider* c, int shape) { return c->slot[c->shape_slot[shape]].link; }

static int link_at(const HeftCollider* c, int first, int side) {
  const HeftContactPoint* p = &c->contact[first];
  return link_of(c, side == 0 ? p->shape_a : p->shape_b);
}

static int count_points(const HeftCollider* c, int first) {
  return contact_pair_end(c->contact, c->contact_count, first) - first;
}

static Sheet sheet_of(const HeftCollider* c, int first, int side) {
  const HeftContactPoint* p = &c->contact[first];
  return (Sheet){p, count_points(c, first), link_at(c, first, 1 - side),
                 heft_vec3_scale(side == 0 ? 1 : -1, p->normal)};
}

static int is_flat(const Sheet* s) {
  const HeftVec3 n = s->point[0].normal;
  for (int i = 1; i < s->count; ++i) {
    const HeftVec3 m = s->point[i].normal;
    if (!(m.x == n.x && m.y == n.y && m.z == n.z)) return 0;
  }
  return 1;
}

static int along(HeftVec3 a, HeftVec3 b) { return contact_squared_sine(a, b) <= parallel; }

static double min_gap(const Sheet* s) {
  double min = HUGE_VAL;
  for (int i = 0; i < s->count; ++i) min = s->point[i].gap < min ? s->point[i].gap : min;
  return min;
}

// ---- gaps between contact points

// The gap at p inside of a triangle of contact points, seen along n. Returns 0 if p lies outside.
static int gap_in_triangle(const HeftContactPoint* a, const HeftContactPoint* b,
                           const HeftContactPoint* c, HeftVec3 n, HeftVec3 p, double* gap) {
  const HeftVec3 ab = heft_vec3_sub(b->pos, a->pos), ac = heft_vec3_sub(c->pos, a->pos),
                 ap = heft_vec3_sub(p, a->pos);
  const double area = heft_vec3_dot(n, heft_vec3_cross(ab, ac));
  if (!(fabs(area) > 0)) return 0;
  const double of_b = heft_vec3_dot(n, heft_vec3_cross(ap, ac)) / area;
  const double of_c = heft_vec3_dot(n, heft_vec3_cross(ab, ap)) / area;
  if (!(of_b >= -inside && of_c >= -inside && of_b + of_c <= 1 + inside)) return 0;
  *gap = a->gap + of_b * (b->gap - a->gap) + of_c * (c->gap - a->gap);
  return 1;
}

// The gap of a pair at p, if p lies inside of the convex hull of its points.
static int gap_at(const Sheet* s, HeftVec3 p, double* gap) {
  for (int i = 0; i < s->count; ++i) {
    for (int j = i + 1; j < s->count; ++j) {
      for (int k = j + 1; k < s->count; ++k) {
        if (gap_in_triangle(&s->point[i], &s->point[j], &s->point[k], s->normal, p, gap)) return 1;
      }
    }
  }
  return 0;
}

// ---- pairs that others imply

static int implied_by(const Sheet* far, const Sheet* first, const Sheet* second) {
  for (int i = 0; i < far->count; ++i) {
    double g1, g2;
    const HeftContactPoint* p = &far->point[i];
    if (!gap_at(first, p->pos, &g1) || !gap_at(second, p->pos, &g2)) return 0;
    if (!(g1 + g2 <= (1 - thick) * p->gap)) return 0;
  }
  return 1;
}

// Whether a pair of link j with the link beyond it completes the way.
static int completes(const HeftCollider* c, const Lists* lists, const Sheet* far,
                     const Sheet* first) {
  for (int entry = lists->head[first->other]; entry > 0;) {
    const int at = (entry - 1) / SIDES, side = (entry - 1) % SIDES;
    entry = lists->next[side][at];
    if (link_at(c, at, 1 - side) != far->other)
      continue;  // most are: asked before points are counted
    const Sheet second = sheet_of(c, at, side);
    if (!along(second.normal, far->normal)) continue;
    if (is_flat(&second) && implied_by(far, first, &second)) return 1;
  }
  return 0;
}

static int is_shadowed(const HeftCollider* c, const Lists* lists, int first) {
  const int side = link_at(c, first, 0) > link_at(c, first, 1) ? 0 : 1;  // the higher link moves
  const Sheet far = sheet_of(c, first, side);
  const double gap = min_gap(&far);
  if (!(gap > candidate * c->margin) || !is_flat(&far)) return 0;
  for (int entry = lists->head[link_at(c, first, side)]; entry > 0;) {
    const int at = (entry - 1) / SIDES, near_side = (entry - 1) % SIDES;
    entry = lists->next[near_side][at];
    const Sheet near = sheet_of(c, at, near_side);
    if (near.other == 0 || near.other == far.other || !along(near.normal, far.normal)) continue;
    if (near.count > 2 && min_gap(&near) < gap && is_flat(&near) &&
        completes(c, lists, &far, &near))
      return 1;
  }
  return 0;
}

static int any_candidate(const HeftCollider* c) {
  for (int i = 0; i < c->contact_count; ++i) {
    if (c->contact[i].gap > candidate * c->margin) return 1;
  }
  return 0;
}

static void list_pairs(const HeftCollider* c, const Lists* lists) {
  for (int i = 0; i < c->contact_count; ++i)
    lists->head[link_at(c, i, 0)] = lists->head[link_at(c, i, 1)] = 0;
  for (int first = 0; first < c->contact_count; first += count_points(c, first)) {
    for (int side = 0; side < SIDES; ++side) {
      const int link = link_at(c, first, side);
      lists->next[side][first] = lists->head[link];
      lists->head[link] = 1 + SIDES * first + side;
    }
  }
}

// Those that are removed have a negative dim until the end.
void heft_shadows_remove(HeftCollider* c) {
  if (!any_candidate(c)) return;
  const Lists lists = {c->link_root, {c->item_island, c->contact_list}};
  list_pairs(c, &lists);
  for (int first = 0, count; first < c->contact_count; first += count) {
    count = count_points(c, first);
    if (!is_shadowed(c, &lists, first)) continue;
    for (int k = first; k < first + count; ++k) c->contact[k].dim = -c->contact[k].dim;
  }
  int kept = 0;
  for (int i = 0; i < c->contact_count; ++i) {
    if (c->contact[i].dim > 0) c->contact[kept++] = c->contact[i];
  }
  c->contact_count = kept;
}
