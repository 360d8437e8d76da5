// SPDX-License-Identifier: Apache-2.0
// The contact of a compound: pieces of one solid act as one.
//
// Flat patches. A sole that is cut into ten pieces has up to forty contact points on a floor where
// its hull has four. The gap at the end of a step, g + h n · v(p), is affine in p across the common
// normal n. So a point whose gap is no smaller than what the points around it have at its place is
// implied by them, and the resultant force may act anywhere in the convex hull of the points. This
// is what manifold.c uses for the points of one pair. Here this choice is made among all points
// that the pieces of one solid have with one other solid, with the same normal and material: the
// quadrilateral of largest area, and the deepest point. A compound then has as many points as its
// hull would have. Points keep the names that they have in their pairs. Where two pieces share a
// corner, the first keeps it. Points of impacts within the step have places and times of their own,
// and stay.
//
// Deep overlaps. Each piece is pushed out on the shortest way. If a piece is deeper in the other
// shape than its own half thickness, this way means nothing for the solid: of a hand that is inside
// of a thigh at the start, some pieces are pushed forwards and others backwards, and it stays where
// it is, under large forces. So if one pair is as deep as that, all pairs of the two solids that
// overlap get one normal. The overlap of two convex shapes along n is the extent of one beyond the
// other, and the largest overlap of all pairs is the way that separates all of them along n. Of the
// normals at hand, the one with the shortest way is taken; each pair has one contact point there,
// the farthest of its first shape. No step leads to such depths: passages.c stops shapes at an
// eighth of their thickness.
#include "collision/merge.h"

#include "collision/contact_frame.h"
#include "collision/contact_pair.h"
#include "collision/manifold.h"
#include "collision/seams.h"
#include "math/scalar.h"

static const double same_normal = 1e-12;  // squared sine
static const double same_place = 1e-6;    // of the size of the patch
enum { NORMALS_MAX = 16 };

static int solid_of(const HeftCollider* c, int shape) {
  const int slot = c->shape_slot[shape];
  return c->slot[slot].solid >= 0 ? c->slot[slot].solid : slot;
}

static int is_piece(const HeftCollider* c, int shape) {
  return c->slot[c->shape_slot[shape]].solid >= 0;
}

static int can_merge(const HeftCollider* c, const HeftContactPoint* p) {
  return p->gap < HUGE_VAL && p->pair < 0 && p->area == 0 && p->time == 0 &&
         (is_piece(c, p->shape_a) || is_piece(c, p->shape_b));
}

static int same_solids(const HeftCollider* c, const HeftContactPoint* p,
                       const HeftContactPoint* q) {
  return solid_of(c, p->shape_a) == solid_of(c, q->shape_a) &&
         solid_of(c, p->shape_b) == solid_of(c, q->shape_b);
}

static int same_law(const HeftContactPoint* p, const HeftContactPoint* q) {
  return p->dim == q->dim && p->friction == q->friction && p->kinetic == q->kinetic &&
         p->torsion == q->torsion && p->rolling == q->rolling && p->restitution == q->restitution;
}

static void remove_point(HeftContactPoint* p) { p->gap = HUGE_VAL; }

// ---- deep overlaps

static double thin_of(const HeftCollider* c, const HeftContactPoint* p) {
  return heft_min(c->slot[c->shape_slot[p->shape_a]].thin, c->slot[c->shape_slot[p->shape_b]].thin);
}

static int is_solid(const HeftCollider* c, int shape) {
  const int kind = c->slot[c->shape_slot[shape]].geometry.kind;
  return kind != KIND_PLANE && kind != KIND_FIELD && !kind_has_triangles(kind);
}

static double overlap_along(const HeftCollider* c, const HeftContactPoint* p, HeftVec3 n) {
  const int a = c->shape_slot[p->shape_a], b = c->shape_slot[p->shape_b];
  return heft_collider_reach_beyond(c, a, n, p->pos) +
         heft_collider_reach_beyond(c, b, heft_vec3_neg(n), p->pos);
}

// The point of a convex shape that is farthest along n.
static HeftVec3 farthest(const HeftCollider* c, int slot, HeftVec3 n) {
  const Geometry* g = &c->slot[slot].geometry;
  const HeftPose x = rows_to_pose(&c->pose[slot]);
  const HeftVec3 tip = heft_geometry_support(g, heft_mat3_tmul_vec(x.rot, n));
  return heft_vec3_add_scaled(heft_pose_apply(x, tip), g->radius, n);
}

// The contact points of two solids that overlap, of those from first to end - 1.
typedef struct Overlap {
  HeftCollider* c;
  const HeftContactPoint* like;
  int first, end;
} Overlap;

static int takes_part(const Overlap* o, int i) {
  const HeftContactPoint* p = &o->c->contact[i];
  return can_merge(o->c, p) && p->gap < 0 && same_solids(o->c, p, o->like);
}

static double way_along(const Overlap* o, HeftVec3 n, double enough) {
  double way = 0;
  for (int i = o->first; i < o->end && way < enough;
       i = contact_pair_end(o->c->contact, o->end, i)) {
    if (takes_part(o, i)) way = heft_max(way, overlap_along(o->c, &o->c->contact[i], n));
  }
  return way;
}

static HeftVec3 shortest_way(const Overlap* o) {
  HeftVec3 tried[NORMALS_MAX], best = o->like->normal;
  double min = HUGE_VAL;
  int count = 0;
  for (int i = o->first; i < o->end && count < NORMALS_MAX; ++i) {
    const HeftVec3 n = o->c->contact[i].normal;
    int seen = !takes_part(o, i);
    for (int k = 0; k < count; ++k) seen |= contact_squared_sine(n, tried[k]) <= same_normal;
    if (seen) continue;
    const double way = way_along(o, n, min);
    tried[count++] = n;
    if (way < min) min = way, best = n;
  }
  return best;
}

static void push_out(const Overlap* o) {
  const HeftVec3 n = shortest_way(o);
  for (int i = o->first, end; i < o->end; i = end) {
    HeftContactPoint* p = &o->c->contact[i];
    end = contact_pair_end(o->c->contact, o->end, i);
    if (!takes_part(o, i)) continue;
    for (int k = i + 1; k < end; ++k) remove_point(&o->c->contact[k]);
    p->gap = -overlap_along(o->c, p, n);
    const HeftVec3 tip = farthest(o->c, o->c->shape_slot[p->shape_a], n);
    p->pos = heft_vec3_add_scaled(tip, 0.5 * p->gap, n);
    heft_contact_turn(o->c, p, n);
  }
}

static void separate(HeftCollider* c, int first, int end) {
  for (int i = first; i < end; ++i) {
    const HeftContactPoint* p = &c->contact[i];
    if (!can_merge(c, p) || !(-p->gap > thin_of(c, p))) continue;
    if (!is_solid(c, p->shape_a) || !is_solid(c, p->shape_b)) continue;
    // those that were pushed out already have one normal
    const HeftContactPoint like = *p;
    const Overlap o = {c, &like, first, end};
    int pushed = 0;
    for (int k = first; k < i; ++k)
      pushed |= takes_part(&o, k) && -c->contact[k].gap > thin_of(c, &c->contact[k]);
    if (!pushed) push_out(&o);
  }
}

// ---- flat patches

typedef struct Patch {
  Candidates points;
  int index[CANDIDATE_MAX];  ///< of the contact points
} Patch;

static double size_of(const Candidates* c) {
  double square = 0;
  for (int i = 1; i < c->count; ++i) {
    const HeftVec3 d = heft_vec3_sub(c->point[i].pos, c->point[0].pos);
    square = heft_max(square, heft_vec3_dot(d, d));
  }
  return sqrt(square);
}

// Leaves out points that are where others are.
static void drop_twins(HeftCollider* c, Patch* patch) {
  Candidates* all = &patch->points;
  const double near = same_place * size_of(all);
  int kept = 0;
  for (int i = 0; i < all->count; ++i) {
    int twin = 0;
    for (int k = 0; k < kept && !twin; ++k) {
      const HeftVec3 d = heft_vec3_sub(all->point[i].pos, all->point[k].pos);
      twin = heft_vec3_dot(d, d) <= near * near;
    }
    if (twin) {
      remove_point(&c->contact[patch->index[i]]);
    } else {
      all->point[kept] = all->point[i];
      all->point[kept].feature = (uint64_t)kept;
      patch->index[kept++] = patch->index[i];
    }
  }
  all->count = kept;
}

static void reduce(HeftCollider* c, Patch* patch) {
  Candidates* all = &patch->points;
  Manifold chosen;
  drop_twins(c, patch);
  heft_manifold_reduce(all, c->points, &chosen);
  for (int i = 0, kept = 0; i < all->count; ++i) {
    int found = 0;
    for (int k = 0; k < chosen.count; ++k) found |= chosen.point[k].feature == (uint64_t)i;
    if (!found) {
      remove_point(&c->contact[patch->index[i]]);
      continue;
    }
    all->point[kept] = all->point[i];
    patch->index[kept++] = patch->index[i];
  }
  all->count = chosen.count;
}

static void merge_like(HeftCollider* c, int at, int end, int* merged) {
  const HeftContactPoint* like = &c->contact[at];
  const HeftVec3 origin = like->pos;
  Patch patch;
  int pairs = 0;
  patch.points.count = 0;
  for (int i = at; i < end; ++i) {
    const HeftContactPoint* p = &c->contact[i];
    if (merged[i] || !can_merge(c, p) || !same_solids(c, p, like) || !same_law(p, like) ||
        contact_squared_sine(p->normal, like->normal) > same_normal)
      continue;
    merged[i] = 1;
    pairs += patch.points.count == 0 || !contact_same_pair(p, &c->contact[i - 1]);
    if (patch.points.count == CANDIDATE_MAX) reduce(c, &patch);
    patch.index[patch.points.count] = i;
    candidate_add(&patch.points, heft_vec3_sub(p->pos, origin), p->normal, p->gap,
                  (uint64_t)patch.points.count);
  }
  if (pairs > 1) reduce(c, &patch);
}

// Contact points of two bodies are in a row.
static int end_of_bodies(const HeftCollider* c, int first) {
  const HeftContactPoint* p = &c->contact[first];
  int end = first + 1;
  while (end < c->contact_count && c->contact[end].body_a == p->body_a &&
         c->contact[end].body_b == p->body_b)
    ++end;
  return end;
}

void heft_compounds_merge(HeftCollider* c) {
  if (!c->has_pieces) return;
  int* merged = c->item_island;  // islands are found later
  for (int first = 0, end; first < c->contact_count; first = end) {
    int any = 0;
    end = end_of_bodies(c, first);
    for (int i = first; i < end; ++i) {
      any |= can_merge(c, &c->contact[i]);
      merged[i] = 0;
    }
    if (!any || end == first + 1) continue;
    separate(c, first, end);
    for (int i = first; i < end; ++i) {
      if (!merged[i] && can_merge(c, &c->contact[i])) merge_like(c, i, end, merged);
    }
  }
  int kept = 0;
  for (int i = 0; i < c->contact_count; ++i) {
    if (c->contact[i].gap < HUGE_VAL) c->contact[kept++] = c->contact[i];
  }
  c->contact_count = kept;
}
