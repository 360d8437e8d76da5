// SPDX-License-Identifier: Apache-2.0
// Contact points of skins.
//
// For each pair of a shape, or of another skin, and a triangle whose boxes meet:
//
// - If they move against each other by less than the margin, the narrow phase runs at the start of
//   the step.
// - Otherwise the time s of impact is sought, with the corners on their lines. Pairs that do not
//   meet have no contact point. Else the narrow phase runs at s, and each point is carried back: on
//   the triangle with the weights that it has there, on the other shape by the shift of its motion.
//
// Triangles of one skin meet if they face each other: each is in front of the other, and they were
// apart at rest. So neighbours, and the two sides of a sheet, have no contact points.
//
// The two triangles of an edge find the same crossing: of points of one name the deepest stays.
// Pairs are sorted before they are tested, so that no result depends on the order of a tree.
#include <string.h>

#include "base/assert.h"
#include "collision/compound.h"
#include "collision/contact_frame.h"
#include "collision/contact_law.h"
#include "collision/contact_pair.h"
#include "collision/selection.h"
#include "collision/skin_sheet.h"
#include "collision/sweep.h"
#include "model/tree.h"

static const double one_point =
    0.25;                            // of the size of a triangle: points of two skins that are one
static const double half_way = 0.5;  // of the height of a tetrahedron: how deep a shape may be

// ---- pairs
//
// A pair has the number of its shape, or behind all shapes the number of a triangle of an earlier
// skin, and the number of a triangle; triangles are counted over all skins.

typedef struct Search {
  HeftCollider* c;
  const Skin* skin;
  int first;       ///< number of the skin's first triangle
  uint64_t other;  ///< number of the shape or triangle at hand
  int count;
  int64_t missed;
} Search;

static int may_meet(HeftCollider* c, const Skin* s, int slot) {
  const Slot* other = &c->slot[slot];
  const Kind kind = other->geometry.kind;
  return kind != KIND_PLANE && !kind_has_triangles(kind) && c->rule[slot].deformable < 0 &&
         heft_collider_may_collide(c, slot, s->face);
}

static void meet_triangles(void* user, const int* items, int count) {
  Search* f = user;
  for (int i = 0; i < count; ++i) {
    if (!f->skin->touches[items[i]]) continue;
    if (f->count == heft_skin_pairs_room(f->c->model)) {
      ++f->missed;
      continue;
    }
    const uint64_t triangle = (uint64_t)f->first + (uint64_t)items[i];
    f->c->skin_pair[f->count++] = (SortItem){f->other << 32 | triangle, 0};
  }
}

static void meet_slot(Search* f, int slot, const Tree* tree, int item) {
  double lo[3], hi[3];
  if (!may_meet(f->c, f->skin, slot)) return;
  tree8_get(tree, tree->place[item], lo, hi);
  f->other = (uint64_t)slot;
  heft_tree8_query(&f->skin->tree, lo, hi, meet_triangles, f);
}

static void meet_standing(void* user, const int* items, int count) {
  Search* f = user;
  for (int i = 0; i < count; ++i)
    meet_slot(f, f->c->standing[items[i]], &f->c->standing_tree, items[i]);
}

// The pieces of a compound are tested with the box of the whole.
static void meet_moving(void* user, const int* items, int count) {
  Search* f = user;
  HeftCollider* c = f->c;
  for (int i = 0; i < count; ++i) {
    const int slot = c->moving[items[i]];
    if (slot < c->slot_count) {
      meet_slot(f, slot, &c->moving_tree, items[i]);
      continue;
    }
    const Compound* p = &c->compound[slot - c->slot_count];
    for (int k = p->first; k < p->first + p->count; ++k) {
      heft_compound_place_piece(c, k);
      meet_slot(f, k, &c->moving_tree, items[i]);
    }
  }
}

static int boxes_meet(const Skin* a, const Skin* b) {
  for (int k = 0; k < 3; ++k) {
    if (a->lo[k] > b->hi[k] || b->lo[k] > a->hi[k]) return 0;
  }
  return 1;
}

// The triangles of an earlier skin.
static void meet_skin(Search* f, const Skin* own, int first) {
  for (int t = 0; t < own->triangle_count; ++t) {
    double lo[3], hi[3];
    if (!own->touches[t]) continue;
    tree8_get(&own->tree, own->tree.place[t], lo, hi);
    f->other = (uint64_t)f->c->slot_count + (uint64_t)first + (uint64_t)t;
    heft_tree8_query(&f->skin->tree, lo, hi, meet_triangles, f);
  }
}

static int share_corner(const int* a, const int* b) {
  for (int i = 0; i < 9; ++i) {
    if (a[i / 3] == b[i % 3]) return 1;
  }
  return 0;
}

static HeftVec3 front_of(const Skin* s, int triangle) {
  const int* v = s->triangle[triangle].vertex;
  return heft_vec3_cross(heft_vec3_sub(s->at[v[1]], s->at[v[0]]),
                         heft_vec3_sub(s->at[v[2]], s->at[v[0]]));
}

// Two triangles that face each other. A fold that is open by more than 90 degrees does not close in
// a step.
static int may_close(const Skin* s, const int pair[2]) {
  return s->touches[pair[0]] &&
         !share_corner(s->triangle[pair[0]].vertex, s->triangle[pair[1]].vertex) &&
         heft_vec3_dot(front_of(s, pair[0]), front_of(s, pair[1])) < 0;
}

static void meet_itself(Search* f, int first) {
  const Skin* s = f->skin;
  for (int block = 0; block < heft_tree8_blocks(&s->tree); ++block) {
    PairList found = {.max = 8 * s->triangle_count, .pair = s->met};
    heft_tree8_pairs_of(&s->tree, block, block + 1, s->blocks, &found);
    HEFT_ASSERT(found.missed == 0);
    for (int i = 0; i < found.count; ++i) {
      if (!may_close(s, found.pair[i])) continue;
      f->other = (uint64_t)f->c->slot_count + (uint64_t)first + (uint64_t)found.pair[i][0];
      meet_triangles(f, &found.pair[i][1], 1);
    }
  }
}

// Boxes are needed only if anything is near.
static int any_is_near(const HeftCollider* c, int d) {
  int near = 0;
  for (int e = 0; e < c->skin_count; ++e)
    near |= e != d && c->skin[e].face >= 0 && boxes_meet(&c->skin[d], &c->skin[e]);
  return near;
}

typedef struct Counter {
  HeftCollider* c;
  const Skin* skin;
  int moving, count;
} Counter;

static void count_items(void* user, const int* items, int count) {
  Counter* n = user;
  for (int i = 0; i < count && n->count == 0; ++i) {
    const int slot = n->moving ? n->c->moving[items[i]] : n->c->standing[items[i]];
    n->count += slot >= n->c->slot_count || may_meet(n->c, n->skin, slot);
  }
}

static int any_shape_is_near(HeftCollider* c, const Skin* s) {
  Counter n = {.c = c, .skin = s, .moving = 1};
  if (c->moving_count > 0) heft_tree8_query(&c->moving_tree, s->lo, s->hi, count_items, &n);
  n.moving = 0;
  if (c->standing_count > 0) heft_tree8_query(&c->standing_tree, s->lo, s->hi, count_items, &n);
  return n.count > 0;
}

// Returns the number of pairs, sorted.
static int find_pairs(HeftCollider* c, int64_t* missed) {
  Search f = {.c = c};
  int earlier = 0;
  for (int d = 0; d < c->skin_count; ++d) {
    if (c->skin[d].face >= 0) heft_skin_place_box(c, &c->skin[d]);
  }
  for (int d = 0; d < c->skin_count; f.first += c->skin[d++].triangle_count) {
    Skin* s = &c->skin[d];
    f.skin = s;
    if (s->face < 0) continue;
    heft_skin_place_triangles(c, s);
    meet_itself(&f, f.first);
    if (!(any_is_near(c, d) || any_shape_is_near(c, s))) continue;
    if (c->moving_count > 0) heft_tree8_query(&c->moving_tree, s->lo, s->hi, meet_moving, &f);
    if (c->standing_count > 0) heft_tree8_query(&c->standing_tree, s->lo, s->hi, meet_standing, &f);
    earlier = 0;
    for (int e = 0; e < d; earlier += c->skin[e++].triangle_count) {
      const Skin* other = &c->skin[e];
      if (other->face >= 0 && boxes_meet(other, s) &&
          heft_collider_may_collide(c, other->face, s->face))
        meet_skin(&f, other, earlier);
    }
  }
  *missed = f.missed;
  heft_sort_items(c->skin_pair, c->skin_pair_scratch, f.count);
  return f.count;
}

// ---- one pair

// A triangle of a skin as a side of a pair.
typedef struct Side {
  const Skin* skin;
  int triangle;
  Sheet sheet;
} Side;

static Side side_at(const HeftCollider* c, int number) {
  int d = 0;
  for (; number >= c->skin[d].triangle_count; ++d) number -= c->skin[d].triangle_count;
  Side out = {.skin = &c->skin[d], .triangle = number};
  for (int k = 0; k < 3; ++k) {
    const int v = out.skin->triangle[number].vertex[k];
    out.sheet.corner[k] = out.skin->at[v];
    out.sheet.shift[k] = out.skin->shift[v];
  }
  return out;
}

static HeftVec3 vertex_at(const Skin* s, int vertex, double time, const HeftPose* frame) {
  return heft_pose_apply_inverse(*frame,
                                 heft_vec3_add_scaled(s->at[vertex], time, s->shift[vertex]));
}

static HeftVec3 normal_of(const HeftVec3 x[3]) {
  return heft_vec3_normalize(heft_vec3_cross(heft_vec3_sub(x[1], x[0]), heft_vec3_sub(x[2], x[0])));
}

// The triangle as it is at a time, in a frame.
static Facet facet_at(const Side* side, double time, const HeftPose* frame, int bare) {
  static const double flat = 1e-6;  // sine
  const Skin* s = side->skin;
  Facet f = {.mesh = bare ? &s->bare : &s->names, .triangle = s->triangle[side->triangle]};
  for (int k = 0; k < 3; ++k) f.corner[k] = vertex_at(s, f.triangle.vertex[k], time, frame);
  f.triangle.normal = normal_of(f.corner);
  for (int k = 0; k < 3; ++k) {
    const int across = s->across[3L * side->triangle + k];
    f.triangle.other[k] = f.triangle.normal;
    f.triangle.crease[k] = CREASE_RIDGE;
    if (across < 0) continue;
    HeftVec3 x[3];
    for (int i = 0; i < 3; ++i) x[i] = vertex_at(s, s->triangle[across].vertex[i], time, frame);
    const HeftVec3 e = heft_vec3_sub(f.corner[(k + 1) % 3], f.corner[k]), n = normal_of(x);
    const double fall = heft_vec3_dot(heft_vec3_cross(f.triangle.normal, n), e);
    const double little = flat * heft_vec3_norm(e);
    f.triangle.other[k] = n;
    f.triangle.crease[k] =
        fall > little ? CREASE_RIDGE : (fall < -little ? CREASE_VALLEY : CREASE_FLAT);
  }
  if (s->apex[side->triangle] >= 0) {
    const HeftVec3 apex = vertex_at(s, s->apex[side->triangle], time, frame);
    f.reach =
        half_way * fmax(0, heft_vec3_dot(f.triangle.normal, heft_vec3_sub(f.corner[0], apex)));
  }
  return f;
}

typedef struct Meeting {
  HeftCollider* c;
  int slot;  ///< of the shape, -1: it is the triangle `own`
  Side own, side;
  Mover mover;   ///< of the shape
  double radii;  ///< of the skins
  double margin;
} Meeting;

// How far the two may move against each other.
static double approach(const Meeting* p) {
  const HeftVec3* shift = p->side.sheet.shift;
  double most = 0;
  for (int k = 0; k < 3; ++k) {
    if (p->slot >= 0) {
      const ShapeMotion* m = p->mover.motion;
      most = fmax(most, heft_vec3_norm(heft_vec3_sub(shift[k], m->velocity)) + m->bend +
                            fmin(m->sway, 2 * m->radius));
      continue;
    }
    for (int i = 0; i < 3; ++i)
      most = fmax(most, heft_vec3_norm(heft_vec3_sub(shift[k], p->own.sheet.shift[i])));
  }
  return most;
}

// When they meet, 0: they are close now, or slow.
static double meeting_time(const Meeting* p) {
  HeftCollider* c = p->c;
  const double tolerance = fmax(fmin(heft_collider_touching(c), 1e-3 * p->radii), 1e-12);
  if (!c->sweeping || !(approach(p) > p->margin)) return 0;
  return heft_sheet_impact(p->slot >= 0 ? &p->mover : NULL, &p->own.sheet, &p->side.sheet, p->radii,
                           tolerance, &c->narrow->epa);
}

// The sphere that names a feature, at its lowest vertex that has one.
static int slot_of(const Skin* s, uint32_t id) {
  int corner[3], lowest = -1;
  const int count = heft_skin_corners(s, id, corner);
  for (int k = 0; k < count; ++k) {
    if (s->slot[corner[k]] >= 0 && (lowest < 0 || corner[k] < lowest)) lowest = corner[k];
  }
  return lowest < 0 ? s->face : s->slot[lowest];
}

// Where a point of a feature of a skin, p at the time s, is at the start, and how it moves.
static HeftVec3 back_on_skin(const Skin* s, uint32_t id, double time, HeftVec3 p, HeftVec3* shift) {
  int corner[3];
  double share[3];
  HeftVec3 x[3] = {{0, 0, 0}};
  const int count = heft_skin_corners(s, id, corner);
  for (int k = 0; k < count; ++k)
    x[k] = heft_vec3_add_scaled(s->at[corner[k]], time, s->shift[corner[k]]);
  heft_skin_shares(x, count, p, share);
  *shift = heft_vec3(0, 0, 0);
  for (int k = 0; k < count; ++k)
    *shift = heft_vec3_add_scaled(*shift, share[k], s->shift[corner[k]]);
  return heft_vec3_add_scaled(p, -time, *shift);
}

// From the first shape (or triangle) to the triangle at hand, in the world at the time s.
static void carry_back(const Meeting* p, double s, uint32_t first, uint32_t second,
                       HeftContactPoint* out) {
  const HeftVec3 half = heft_vec3_scale(0.5 * out->gap, out->normal);
  const HeftVec3 on_a = heft_vec3_sub(out->pos, half), on_b = heft_vec3_add(out->pos, half);
  HeftVec3 of_a, of_b, start_a;
  const HeftVec3 start_b = back_on_skin(p->side.skin, second, s, on_b, &of_b);
  if (p->slot >= 0) {
    const StepMotion* m = &p->mover.motion->motion;
    of_a = motion_velocity(m, s, out->pos);
    start_a = heft_vec3_add_scaled(on_a, -s, m->shift);
  } else {
    start_a = back_on_skin(p->own.skin, first, s, on_a, &of_a);
  }
  const double closing = heft_vec3_dot(heft_vec3_sub(of_a, of_b), out->normal);
  out->gap += s * fmax(closing, 0);
  out->time = s;
  out->offset = heft_vec3_sub(start_b, start_a);
  out->pos = heft_vec3_scale(0.5, heft_vec3_add(start_a, start_b));
}

// Exchanges the sides of a contact point but their names.
static void turn_round(HeftContactPoint* p) {
  p->normal = heft_vec3_neg(p->normal);
  p->offset = heft_vec3_neg(p->offset);
  p->feature = feature_swap(p->feature);
}

// Where a corner or an edge of one skin meets several triangles of another, all of them find it.
static int is_one_point(const HeftCollider* c, const HeftContactPoint* a, const HeftContactPoint* b,
                        double near) {
  static const double alike = 0.9;  // cosine between normals
  const HeftTree* t = c->model->tree;
  return t->link[a->link_a].deformable == t->link[b->link_a].deformable &&
         t->link[a->link_b].deformable == t->link[b->link_b].deformable &&
         heft_vec3_norm(heft_vec3_sub(a->pos, b->pos)) < near &&
         fabs(heft_vec3_dot(a->normal, b->normal)) > alike;
}

// The points of all skins share their room; points that are far apart leave first. near: points of
// two skins that are closer are one.
static void keep_point(HeftCollider* c, const HeftContactPoint* p, double near) {
  const int room = heft_skins_room(c->model);
  for (int i = 0; i < c->skin_point_count; ++i) {
    HeftContactPoint* own = &c->skin_point[i];
    const int same = own->feature == p->feature && contact_same_pair(own, p);
    if (!same && !(near > 0 && is_one_point(c, own, p, near))) continue;
    if (p->gap < own->gap) *own = *p;
    return;
  }
  if (c->skin_point_count < room) {
    c->skin_point[c->skin_point_count++] = *p;
    return;
  }
  int far = 0;
  for (int i = 1; i < room; ++i) {
    if (c->skin_point[i].gap > c->skin_point[far].gap) far = i;
  }
  ++c->dropped;
  if (p->gap < c->skin_point[far].gap) c->skin_point[far] = *p;
}

static double size_of(const HeftVec3 x[3]) {
  return heft_vec3_norm(heft_triangle_geometry(x).half);
}

// frame: in which the point is.
static void emit(const Meeting* p, const Point* point, double s, const HeftPose* frame) {
  const uint32_t second = (uint32_t)point->feature | SKIN_MARK;
  const uint32_t first = (uint32_t)(point->feature >> 32) | (p->slot >= 0 ? 0 : SKIN_MARK);
  const int a = p->slot >= 0 ? p->slot : slot_of(p->own.skin, first);
  const int b = slot_of(p->side.skin, second), swapped = a > b;
  if (a == b) return;
  HeftContactPoint out;
  const int low = swapped ? b : a, high = swapped ? a : b;
  const ContactLaw law = heft_law_of_pair(p->c, low, high, heft_collider_pair_of(p->c, low, high));
  heft_law_name(p->c, low, high, &law, &out);
  out.pos = heft_pose_apply(*frame, point->pos);
  out.normal = heft_mat3_mul_vec(frame->rot, point->normal);
  out.gap = point->gap;
  out.feature = feature_pair(first, second);
  if (s > 0) carry_back(p, s, first, second, &out);
  if (swapped) turn_round(&out);
  const HeftMat3 axes = p->slot >= 0 && !swapped ? frame->rot : heft_pose_identity().rot;
  out.tangent1 = heft_mat3_mul_vec(axes, contact_tangent(heft_mat3_tmul_vec(axes, out.normal)));
  out.tangent2 = heft_vec3_cross(out.normal, out.tangent1);
  const double near =
      p->slot >= 0 ? 0
                   : one_point * fmin(size_of(p->own.sheet.corner), size_of(p->side.sheet.corner));
  keep_point(p->c, &out, near);
}

// 1 if both sides are corners with a sphere each, whose pair has this point.
static int is_of_spheres(const Meeting* p, const Point* point) {
  int corner[3];
  if (p->own.skin == p->side.skin) return 0;
  const uint32_t second = (uint32_t)point->feature, first = (uint32_t)(point->feature >> 32);
  if (p->slot >= 0 || second >> 30 != PART_CORNER || first >> 30 != PART_CORNER) return 0;
  return heft_skin_corners(p->side.skin, second | SKIN_MARK, corner) == 1 &&
         p->side.skin->slot[corner[0]] >= 0 &&
         heft_skin_corners(p->own.skin, first | SKIN_MARK, corner) == 1 &&
         p->own.skin->slot[corner[0]] >= 0;
}

// How far the middle of a triangle is in front of another one, at rest or as they are now.
static double before(const HeftVec3 x[3], const HeftVec3 y[3]) {
  const HeftVec3 from = heft_vec3_add(x[0], heft_vec3_add(x[1], x[2])),
                 to = heft_vec3_add(y[0], heft_vec3_add(y[1], y[2]));
  return heft_vec3_dot(normal_of(x), heft_vec3_sub(to, from)) / 3;
}

// 1 if two triangles of one skin are in front of each other, but for half of their sizes, and were
// apart by more than twice the radii at rest.
static int face_each_other(const Meeting* p) {
  const HeftModel* m = p->c->model;
  const Side* side[2] = {&p->own, &p->side};
  const double* rest = m->node_rest + 3L * m->deformable_node[p->side.skin - p->c->skin];
  HeftVec3 x[2][3];
  for (int s = 0; s < 2; ++s) {
    const int* v = side[s]->skin->triangle[side[s]->triangle].vertex;
    for (int k = 0; k < 3; ++k) x[s][k] = heft_vec3_from(rest + 3L * v[k]);
  }
  const HeftPose here = heft_pose_identity();
  const Geometry a = heft_triangle_geometry(x[0]), b = heft_triangle_geometry(x[1]);
  const double size = fmin(size_of(x[0]), size_of(x[1]));
  const HeftVec3 *own = p->own.sheet.corner, *other = p->side.sheet.corner;
  if (before(own, other) < -half_way * size || before(other, own) < -half_way * size) return 0;
  Nearness near;
  if (!heft_nearness(&a, &b, &here, HUGE_VAL, &p->c->narrow->epa, &near)) return 0;
  return near.gap > 2 * p->radii;
}

static void test_pair(HeftCollider* c, uint64_t key) {
  const int number = (int)(key >> 32), shape = number < c->slot_count;
  Meeting p = {.c = c, .slot = shape ? number : -1, .side = side_at(c, (int)(uint32_t)key)};
  if (shape) {
    p.mover = heft_collider_mover(c, number);
  } else {
    p.own = side_at(c, number - c->slot_count);
  }
  const int a = shape ? number : p.own.skin->face, b = p.side.skin->face;
  p.radii = p.side.skin->radius + (shape ? 0 : p.own.skin->radius);
  if (!shape && p.own.skin == p.side.skin && !face_each_other(&p)) return;
  p.margin = fmax(
      heft_collider_reach_of_pair(c, a < b ? a : b, a < b ? b : a, heft_collider_pair_of(c, a, b)),
      0);
  const double s = meeting_time(&p);
  if (s == NEVER) return;
  const HeftPose frame = shape
                             ? heft_motion_pose(&(StepMotion){.turn = {0, 0, 0}}, p.mover.start, 0)
                             : (HeftPose){heft_pose_identity().rot, p.own.sheet.corner[0]};
  const HeftPose at = shape && s > 0 ? heft_motion_pose(&p.mover.motion->motion, frame, s) : frame;
  const Facet side = facet_at(&p.side, s, &at, !shape);
  const Facet own = shape ? side : facet_at(&p.own, s, &at, 1);
  const Geometry triangle = heft_triangle_geometry(own.corner);
  double margin = p.margin;
  if (s > 0)
    margin += fmin((1 - s) * approach(&p),
                   0.5 * heft_vec3_norm(heft_triangle_geometry(side.corner).half));
  Manifold m;
  heft_convex_facet(shape ? p.mover.geometry : &triangle, shape ? NULL : &own, &side,
                    margin + p.radii, c->points, c->narrow, &m);
  for (int k = 0; k < m.count; ++k) {
    m.point[k].gap -= p.radii;
    if (!is_of_spheres(&p, &m.point[k])) emit(&p, &m.point[k], s, &at);
  }
}

// ---- all

// Merges the points of skins, sorted, into the list, from behind.
static void merge(HeftCollider* c) {
  int own = c->skin_point_count, old = c->contact_count;
  for (int i = 1; i < own; ++i) {
    const HeftContactPoint moving = c->skin_point[i];
    int k = i;
    for (; k > 0 && heft_contact_comes_before(&moving, &c->skin_point[k - 1]); --k)
      c->skin_point[k] = c->skin_point[k - 1];
    c->skin_point[k] = moving;
  }
  const int room = c->contact_capacity - c->contact_count;
  if (own > room) {
    c->dropped += own - room;
    own = room;
  }
  c->contact_count += own;
  for (int to = c->contact_count; own > 0;) {
    const int take_old =
        old > 0 && heft_contact_comes_before(&c->skin_point[own - 1], &c->contact[old - 1]);
    c->contact[--to] = take_old ? c->contact[--old] : c->skin_point[--own];
  }
}

void heft_skins_collide(HeftCollider* c) {
  int64_t missed = 0;
  c->skin_point_count = 0;
  c->skin_missed = 0;
  if (c->skin_count == 0) return;
  const int count = find_pairs(c, &missed);
  c->skin_missed = missed;
  c->narrow->separating_axis = NULL;
  for (int i = 0; i < count; ++i) test_pair(c, c->skin_pair[i].key);
  merge(c);
}
