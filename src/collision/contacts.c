// SPDX-License-Identifier: Apache-2.0
// From pairs to contact points: the narrow phase of each pair, materials, frames, order.
#include <stdatomic.h>
#include <string.h>

#include "base/assert.h"
#include "collision/contact_frame.h"
#include "collision/contact_law.h"
#include "collision/distance_shape.h"
#include "collision/merge.h"
#include "collision/patch.h"
#include "collision/seams.h"
#include "collision/selection.h"
#include "collision/shadows.h"
#include "collision/skin.h"
#include "collision/stay_apart.h"
#include "collision/sweep.h"
#include "math/scalar.h"

// Sine between the ways of two points that slide past each other and their straight line.
static const double turned_away = 0.1;

// ---- frames

static int same(HeftVec3 a, HeftVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static HeftVec3 turn(const Rows* x, HeftVec3 v) {
  return heft_vec3(x->r[0][0] * v.x + x->r[0][1] * v.y + x->r[0][2] * v.z,
                   x->r[1][0] * v.x + x->r[1][1] * v.y + x->r[1][2] * v.z,
                   x->r[2][0] * v.x + x->r[2][1] * v.y + x->r[2][2] * v.z);
}

// ---- pairs

static void sort_by_feature(Manifold* m) {
  for (int i = 1; i < m->count; ++i) {
    const Point moving = m->point[i];
    int k = i;
    for (; k > 0 && m->point[k - 1].feature > moving.feature; --k) m->point[k] = m->point[k - 1];
    m->point[k] = moving;
  }
}

// The data with which a thread tests pairs, and the contact points of the pair at hand.
typedef struct Tester {
  const HeftCollider* c;
  NarrowScratch* narrow;
  SeparatingAxis* separating_axis;
  HeftContactPoint* out;  ///< room for MANIFOLD_MAX
  int count;
  int meets;    ///< 0 if the pair stays apart in the step as predicted
  int refused;  ///< points of a detector of the user's that are none
} Tester;

// The direction of the first coefficient of a contact pair: the x axis of its first shape in the
// plane of contact, or the y axis if the x axis is the normal.
static HeftVec3 grain(const HeftCollider* c, int pair, HeftVec3 normal) {
  const Rows* x = &c->pose[c->shape_slot[c->model->pair_shape[2L * pair]]];
  for (int axis = 0; axis < 2; ++axis) {
    const HeftVec3 along = heft_vec3(x->r[0][axis], x->r[1][axis], x->r[2][axis]);
    const HeftVec3 flat = heft_vec3_add_scaled(along, -heft_vec3_dot(along, normal), normal);
    const double length = heft_vec3_norm(flat);
    if (length > 1e-3 || axis == 1) return heft_vec3_scale(1 / length, flat);
  }
  return normal;
}

// x: the pose of a.
static void emit(Tester* t, int a, int b, const Rows* x, const ContactLaw* law, const Manifold* m) {
  for (int k = 0; k < m->count; ++k) {
    const Point* point = &m->point[k];
    HeftContactPoint* out = &t->out[k];
    const HeftVec3 pos = turn(x, point->pos);
    if (k == 0) {
      heft_law_name(t->c, a, b, law, out);
    } else {
      *out = t->out[k - 1];
    }
    out->pos = heft_vec3(pos.x + x->r[0][3], pos.y + x->r[1][3], pos.z + x->r[2][3]);
    if (k == 0 || !same(point->normal, m->point[k - 1].normal)) {
      out->normal = turn(x, point->normal);
      out->tangent1 = turn(x, contact_tangent(point->normal));
      if (law->anisotropy != 1) out->tangent1 = grain(t->c, law->pair, out->normal);
      out->tangent2 = heft_vec3_cross(out->normal, out->tangent1);
    }
    out->gap = point->gap;
    out->feature = point->feature;
  }
  t->count = m->count;
}

static void drop_beyond(Manifold* m, double reach) {
  int count = 0;
  for (int k = 0; k < m->count; ++k) {
    if (m->point[k].gap <= reach) m->point[count++] = m->point[k];
  }
  m->count = count;
}

static double clamp(double x, double limit) { return heft_clamp(x, -limit, limit); }

// Spheres and capsules are mostly apart when their boxes meet: the distance of their axes, in the
// world's frame, shows it cheaply. Nearly parallel axes are left to the narrow phase.
static int axes_apart(const Geometry* a, const Geometry* b, const Rows* x, const Rows* y,
                      double margin) {
  const double ha = a->kind == KIND_CAPSULE ? a->size[1] : 0;
  const double hb = b->kind == KIND_CAPSULE ? b->size[1] : 0;
  const HeftVec3 u = heft_vec3(x->r[0][2], x->r[1][2], x->r[2][2]);
  const HeftVec3 w = heft_vec3(y->r[0][2], y->r[1][2], y->r[2][2]);
  const HeftVec3 d =
      heft_vec3(y->r[0][3] - x->r[0][3], y->r[1][3] - x->r[1][3], y->r[2][3] - x->r[2][3]);
  const double uw = heft_vec3_dot(u, w), du = heft_vec3_dot(d, u), dw = heft_vec3_dot(d, w);
  const double sine2 = 1 - uw * uw;
  if (ha > 0 && hb > 0 && !(sine2 > 1e-3)) return 0;
  double s = ha > 0 && hb > 0 ? clamp((du - uw * dw) / sine2, ha) : clamp(du, ha);
  const double t = clamp(s * uw - dw, hb);
  s = clamp(du + t * uw, ha);
  const HeftVec3 apart = heft_vec3_add_scaled(heft_vec3_add_scaled(d, t, w), -s, u);
  const double reach = (a->size[0] + b->size[0] + margin) * (1 + 1e-9) + 1e-9 * (ha + hb);
  return heft_vec3_dot(apart, apart) > reach * reach;
}

static int is_round(const Geometry* g) { return g->kind == KIND_SPHERE || g->kind == KIND_CAPSULE; }

static void find_separating_axis(const Tester* t, int a, int b) {
  const uint64_t key = (uint64_t)a << 32 | (uint32_t)b;  // never 0: a < b
  t->narrow->separating_axis_key = key;
  t->narrow->separating_axis = separating_axis_place(t->separating_axis, key);
}

static HeftVec3 place_of(const Rows* x) { return heft_vec3(x->r[0][3], x->r[1][3], x->r[2][3]); }

// Two spheres need no frame but the world's. Returns 0 if they have one centre and no normal.
static int collide_spheres(Tester* t, int a, int b, int pair, double reach) {
  const HeftCollider* c = t->c;
  const double ra = c->slot[a].geometry.size[0], rb = c->slot[b].geometry.size[0];
  const HeftVec3 center = place_of(&c->pose[a]), d = heft_vec3_sub(place_of(&c->pose[b]), center);
  const double distance = heft_vec3_norm(d), gap = distance - ra - rb;
  if (!(distance > 0)) return 0;
  if (!(gap <= reach)) return 1;
  HeftContactPoint* out = t->out;
  const ContactLaw law = heft_law_of_pair(c, a, b, pair);
  heft_law_name(c, a, b, &law, out);
  out->normal = heft_vec3_scale(1 / distance, d);
  out->tangent1 = contact_tangent(out->normal);
  out->tangent2 = heft_vec3_cross(out->normal, out->tangent1);
  out->pos = heft_vec3_add_scaled(center, ra + 0.5 * gap, out->normal);
  out->gap = gap;
  out->feature = feature_pair(part_id(PART_SURFACE, 0), part_id(PART_SURFACE, 0));
  t->count = 1;
  return 1;
}

// How far the points of a polygon may be apart when its first point touches: as far as the rest of
// the step can close, but no farther than the shapes are large.
static double margin_at_impact(const HeftCollider* c, int a, int b, double s, double margin) {
  const HeftVec3 p = c->slot[a].geometry.half, q = c->slot[b].geometry.half;
  const double rest = (1 - s) * (c->motion[a].reach + c->motion[b].reach);
  return margin + heft_min(rest, 0.5 * heft_min(heft_vec3_norm(p), heft_vec3_norm(q)));
}

// The contact points of two slots at the poses x and y, up to a distance, sorted by feature.
static int find_points(const HeftCollider* c, NarrowScratch* narrow, int a, int b, int pair,
                       const Rows* x, const Rows* y, double margin, HeftContactPoint* out) {
  const HeftPose b_in_a = heft_rows_relative(x, y);
  Tester t = {.c = c, .out = out};
  Manifold m;
  narrow->separating_axis = NULL;
  if (heft_collider_detects(c, a, b))
    heft_collider_detect(c, a, b, x, y, margin, &m);
  else
    heft_narrow(&c->slot[a].geometry, &c->slot[b].geometry, &b_in_a, margin, c->points, narrow, &m);
  if (m.count == 0) return 0;
  const ContactLaw law = heft_law_of_pair(c, a, b, pair);
  if (m.count > 1) sort_by_feature(&m);
  emit(&t, a, b, x, &law, &m);
  return t.count;
}

int heft_collider_points_at(const HeftCollider* c, NarrowScratch* narrow, int a, int b, int pair,
                            double s, HeftContactPoint* out) {
  const double reach = heft_max(heft_collider_reach_of_pair(c, a, b, pair), 0);
  const Rows x = heft_collider_pose_at(c, a, s), y = heft_collider_pose_at(c, b, s);
  return find_points(c, narrow, a, b, pair, &x, &y, margin_at_impact(c, a, b, s, reach), out);
}

int heft_collider_points_between(const HeftCollider* c, NarrowScratch* narrow, int a, int b,
                                 int pair, const Rows* x, const Rows* y, HeftContactPoint* out) {
  const double reach = heft_max(heft_collider_reach_of_pair(c, a, b, pair), 0);
  return find_points(c, narrow, a, b, pair, x, y, reach, out);
}

// A pair that is fast against its margin. Returns 0 if it touches at the start of the step already.
static int collide_moving(Tester* t, int a, int b, int pair) {
  const HeftCollider* c = t->c;
  HeftVec3 normal = {0, 0, 0};
  const double s = heft_collider_impact(c, a, b, t->narrow, &normal);
  if (s == NEVER) heft_collider_keep_axis(c, a, b, normal, t->separating_axis);
  t->meets = s != NEVER;
  if (s == 0) return 0;
  if (s == NEVER) return 1;
  t->count = heft_collider_points_at(c, t->narrow, a, b, pair, s, t->out);
  if (t->count == 0) return 1;
  heft_collider_keep_axis(c, a, b, t->out[0].normal, t->separating_axis);
  for (int k = 0; k < t->count; ++k) heft_collider_carry_back(c, a, b, s, &t->out[k]);
  return 1;
}

// A pair that is apart, with a contact point that would act on the motion as predicted. Its normal
// is the one at the start; whether the shapes meet at all is to be seen.
static int may_pass_by(const HeftCollider* c, int a, int b, const Rows* x, const Manifold* m) {
  int acts = 0;
  for (int k = 0; k < m->count; ++k) {
    const Point* p = &m->point[k];
    if (!(p->gap > 0)) return 0;
    HeftVec3 pos = turn(x, p->pos);
    pos = heft_vec3(pos.x + x->r[0][3], pos.y + x->r[1][3], pos.z + x->r[2][3]);
    acts |= heft_collider_closing(c, a, b, pos, turn(x, p->normal)) > p->gap;
  }
  return acts;
}

// A distance shape that slides past the other: a contact point that is apart, and whose gap would
// close along its normal of the start, may be on a part of the surface that has turned away by the
// end of the step. The distances of its two points at the end decide: if they are clearly larger
// than the straight line has it, the gap is such that the row closes by no more than they do.
static void mind_curvature(const HeftCollider* c, int a, int b, const Rows* x, double margin,
                           Manifold* m) {
  const Geometry *g = &c->slot[a].geometry, *h = &c->slot[b].geometry;
  for (int k = 0; k < m->count; ++k) {
    Point* p = &m->point[k];
    if (!(p->gap > 0)) continue;
    HeftVec3 pos = turn(x, p->pos), n;
    pos = heft_vec3(pos.x + x->r[0][3], pos.y + x->r[1][3], pos.z + x->r[2][3]);
    const double closing = heft_collider_closing(c, a, b, pos, turn(x, p->normal));
    if (!(closing > p->gap)) continue;
    const Rows end_a = heft_collider_pose_at(c, a, 1), end_b = heft_collider_pose_at(c, b, 1);
    const HeftPose end = heft_rows_relative(&end_a, &end_b),
                   start = heft_rows_relative(x, &c->pose[b]);
    const HeftVec3 on_a = heft_vec3_add_scaled(p->pos, -0.5 * p->gap, p->normal);
    const HeftVec3 on_b =
        heft_pose_apply_inverse(start, heft_vec3_add_scaled(p->pos, 0.5 * p->gap, p->normal));
    const HeftVec3 b_at_end = heft_pose_apply(end, on_b);
    const double slide = heft_vec3_norm(heft_vec3_sub(b_at_end, heft_pose_apply(start, on_b)));
    const double apart =
        heft_min(heft_geometry_signed_distance(h, heft_pose_apply_inverse(end, on_a), margin, &n),
                 heft_geometry_signed_distance(g, b_at_end, margin, &n));
    if (apart > p->gap - closing + turned_away * slide) p->gap = heft_min(apart, margin) + closing;
  }
}

// ---- areas

static int has_area(const HeftCollider* c, int a, int b, int pair) {
  const HeftModel* m = c->model;
  const Slot *p = &c->slot[a], *q = &c->slot[b];
  const int soft =
      pair >= 0 ? heft_material_has_area(m, m->pair_material[pair]) : p->area | q->area;
  return soft && !kind_has_triangles(p->geometry.kind) && !kind_has_triangles(q->geometry.kind);
}

// How far the point x of a link moves in the step.
static HeftVec3 expected_shift(const HeftCollider* c, int link, HeftVec3 x) {
  if (link == 0 || !c->expected) return heft_vec3(0, 0, 0);
  const StepMotion* m = &c->expected[link];
  return heft_vec3_add(m->shift, heft_vec3_cross(m->turn, heft_vec3_sub(x, m->pivot)));
}

static HeftVec3 expected_turn(const HeftCollider* c, int link) {
  return link == 0 || !c->expected ? heft_vec3(0, 0, 0) : c->expected[link].turn;
}

// How much two slots close along the normal, as far as the start of the step foretells it, at a
// point of the frame of a and around it.
static Closing expected_closing(const HeftCollider* c, int a, int b, HeftVec3 pos,
                                HeftVec3 normal) {
  const Rows* x = &c->pose[a];
  const int p = c->slot[a].link, q = c->slot[b].link;
  const HeftVec3 at = heft_vec3_add(turn(x, pos), place_of(x)), n = turn(x, normal);
  const HeftVec3 shift = heft_vec3_sub(expected_shift(c, p, at), expected_shift(c, q, at));
  const HeftVec3 turned = heft_vec3_sub(expected_turn(c, p), expected_turn(c, q));
  return (Closing){.way = heft_vec3_dot(shift, n),
                   .slope = heft_mat3_tmul_vec(rows_to_pose(x).rot, heft_vec3_cross(n, turned))};
}

// Shapes with area contact: the points of the patch that they will have.
static void collide_area(Tester* t, int a, int b, int pair) {
  const HeftCollider* c = t->c;
  const Geometry *g = &c->slot[a].geometry, *h = &c->slot[b].geometry;
  const HeftPose b_in_a = heft_rows_relative(&c->pose[a], &c->pose[b]);
  const double reach = heft_collider_reach_of_pair(c, a, b, pair), margin = reach > 0 ? reach : 0;
  const double moved = c->sweeping ? c->motion[a].reach + c->motion[b].reach : 0;
  double area[MANIFOLD_MAX];
  Manifold m;
  find_separating_axis(t, a, b);
  heft_narrow(g, h, &b_in_a, margin + moved, c->points, t->narrow, &m);
  if (m.count == 0) return;
  int deepest = 0;
  for (int k = 1; k < m.count; ++k) {
    if (m.point[k].gap < m.point[deepest].gap) deepest = k;
  }
  const HeftVec3 normal = m.point[deepest].normal, pos = m.point[deepest].pos;
  Closing closing = expected_closing(c, a, b, pos, normal);
  // a patch that opens shrinks, but bodies at rest that stir keep theirs
  double gap = HUGE_VAL;  // at the end of the step
  for (int k = 0; k < m.count; ++k) {
    const HeftVec3 off = heft_vec3_sub(m.point[k].pos, pos);
    gap = fmin(gap, m.point[k].gap - closing.way - heft_vec3_dot(closing.slope, off));
  }
  closing.way += fmax(0, gap - 0.5 * m.point[deepest].gap);
  heft_patch(g, h, &b_in_a, normal, pos, closing, &m, area);
  const ContactLaw law = heft_law_of_pair(c, a, b, pair);
  emit(t, a, b, &c->pose[a], &law, &m);
  for (int k = 0; k < t->count; ++k) t->out[k].area = area[k];
}

// A pair that a detector of the user's takes.
static void collide_detected(Tester* t, int a, int b) {
  const HeftCollider* c = t->c;
  const int pair = heft_collider_pair_of(c, a, b);
  const double reach = heft_collider_reach_of_pair(c, a, b, pair);
  Manifold m;
  t->refused += heft_collider_detect(c, a, b, &c->pose[a], &c->pose[b], reach, &m);
  if (m.count == 0) return;
  const ContactLaw law = heft_law_of_pair(c, a, b, pair);
  sort_by_feature(&m);
  emit(t, a, b, &c->pose[a], &law, &m);
}

static void collide_pair(Tester* t, int a, int b) {
  const HeftCollider* c = t->c;
  t->count = 0;
  t->meets = 1;
  if (c->detector && heft_collider_detects(c, a, b)) {
    collide_detected(t, a, b);
    return;
  }
  const Geometry *g = &c->slot[a].geometry, *h = &c->slot[b].geometry;
  const Rows *x = &c->pose[a], *y = &c->pose[b];
  const int pair = heft_collider_pair_of(c, a, b);
  if ((c->slot[a].area | c->slot[b].area | (pair >= 0)) && has_area(c, a, b, pair)) {
    collide_area(t, a, b, pair);
    return;
  }
  const double reach = heft_collider_reach_of_pair(c, a, b, pair), margin = reach > 0 ? reach : 0;
  if (c->sweeping && reach >= 0 &&
      heft_collider_stay_apart(c, a, b, margin, heft_collider_touching(c), t->separating_axis)) {
    t->meets = 0;
    return;
  }
  const int fast = c->sweeping && reach >= 0 && heft_collider_is_fast(c, a, b, margin);
  if (fast && collide_moving(t, a, b, pair)) return;
  if (g->kind == KIND_SPHERE && h->kind == KIND_SPHERE && collide_spheres(t, a, b, pair, reach)) {
    t->meets = fast || t->count > 0;
    return;
  }
  if (is_round(g) && is_round(h) && axes_apart(g, h, x, y, margin)) {
    t->meets = fast;
    return;
  }
  const HeftPose b_in_a = heft_rows_relative(x, y);
  Manifold m;
  find_separating_axis(t, a, b);
  heft_narrow(g, h, &b_in_a, margin, c->points, t->narrow, &m);
  if (reach < 0) drop_beyond(&m, reach);
  if (m.count == 0) {
    t->meets = fast || kind_has_triangles(g->kind) || kind_has_triangles(h->kind);
    return;
  }
  if (c->sweeping && !kinds_are_hollow(g->kind, h->kind) && may_pass_by(c, a, b, x, &m) &&
      collide_moving(t, a, b, pair))
    return;
  if (c->sweeping && (g->kind == KIND_FIELD || h->kind == KIND_FIELD))
    mind_curvature(c, a, b, x, margin, &m);
  const ContactLaw law = heft_law_of_pair(c, a, b, pair);
  if (m.count > 1) sort_by_feature(&m);
  emit(t, a, b, x, &law, &m);
  if (c->sweeping) heft_collider_keep_axis(c, a, b, turn(x, m.point[0].normal), t->separating_axis);
}

// With many moving shapes the data of a pair are not in the cache.
static void fetch_ahead(const HeftCollider* c, int slot) {
  const char *shape = (const char*)&c->slot[slot], *pose = (const char*)&c->pose[slot];
  for (size_t k = 0; k < sizeof(Slot); k += 64) __builtin_prefetch(shape + k);
  for (size_t k = 0; k < sizeof(Rows); k += 64) __builtin_prefetch(pose + k);
}

static void collide_alone(HeftCollider* c, int count) {
  HeftContactPoint spare[MANIFOLD_MAX];
  Tester t = {.c = c, .narrow = c->narrow, .separating_axis = c->separating_axis};
  for (int i = 0; i < count; ++i) {
    const int fits = c->contact_count + MANIFOLD_MAX <= c->contact_capacity;
    if (i + 4 < count && !c->allowed) fetch_ahead(c, c->pair[i + 4][1]);
    t.out = fits ? c->contact + c->contact_count : spare;
    collide_pair(&t, c->pair[i][0], c->pair[i][1]);
    c->meets[i] = (uint8_t)t.meets;
    if (fits) {
      c->contact_count += t.count;
    } else {
      heft_selection_add(c, spare, t.count);
    }
  }
  c->narrow->separating_axis = NULL;
  heft_selection_finish(c);
  c->dropped += t.refused;
}

// ---- threads
//
// Pairs are shared out in portions. Contact points go to a common list first, each pair's together,
// in the order in which they happen to be found; when their numbers are known, they are copied to
// their places in the order of the pairs. If there are too many, one thread does it all again and
// selects.

enum { PORTION = 32 };

typedef struct Together {
  HeftCollider* c;
  ColliderShare* share;
  int pairs;
  atomic_int found;    ///< contact points in the common list
  atomic_int refused;  ///< points of a detector of the user's that are none
} Together;

static void collide_portion(void* arg, int worker, int index) {
  Together* all = arg;
  HeftCollider* c = all->c;
  HeftContactPoint spare[MANIFOLD_MAX];
  Tester t = {.c = c,
              .narrow = &all->share->narrow[worker],
              .separating_axis = all->share->separating_axis + (long)worker * SEPARATING_AXES,
              .out = spare};
  const int first = PORTION * index,
            end = first + PORTION < all->pairs ? first + PORTION : all->pairs;
  int sum = 0;
  for (int i = first; i < end; ++i) {
    collide_pair(&t, c->pair[i][0], c->pair[i][1]);
    c->meets[i] = (uint8_t)t.meets;
    const int at = t.count > 0 ? atomic_fetch_add(&all->found, t.count) : 0;
    if (at + t.count <= c->contact_capacity)
      memcpy(all->share->list + at, spare, (size_t)t.count * sizeof *spare);
    all->share->place[i] = (ListPlace){at, t.count};
    sum += t.count;
  }
  all->share->portion[index] = sum;
  if (t.refused > 0) atomic_fetch_add(&all->refused, t.refused);
}

static void copy_portion(void* arg, int worker, int index) {
  const Together* all = arg;
  const int first = PORTION * index,
            end = first + PORTION < all->pairs ? first + PORTION : all->pairs;
  HeftContactPoint* to = all->c->contact + all->share->portion[index];
  (void)worker;
  for (int i = first; i < end; ++i) {
    const ListPlace* place = &all->share->place[i];
    memcpy(to, all->share->list + place->first, (size_t)place->count * sizeof *to);
    to += place->count;
  }
}

// Returns 0 if there are too many contact points.
static int collide_together(HeftCollider* c, int pairs) {
  ColliderShare* share = c->share;
  Together all = {.c = c, .share = share, .pairs = pairs};
  const int portions = (pairs + PORTION - 1) / PORTION;
  heft_pool_run(share->pool, portions, collide_portion, &all);
  if (atomic_load(&all.found) > c->contact_capacity) return 0;
  for (int i = 0, at = 0; i < portions; ++i) {
    const int count = share->portion[i];
    share->portion[i] = at;
    at += count;
  }
  heft_pool_run(share->pool, portions, copy_portion, &all);
  c->contact_count = atomic_load(&all.found);
  c->dropped += atomic_load(&all.refused);
  return 1;
}

HeftContactPoints heft_collider_collide(HeftCollider* collider) {
  HEFT_REQUIRE(collider, ((HeftContactPoints){0}));
  HeftCollider* c = collider;
  c->contact_count = c->dropped = c->heaped = 0;
  c->removals_pay = 1;
  int64_t missed = 0;
  c->contact_capacity -= c->blocked_count;  // which have room in any case
  const int count = heft_collider_find_pairs(c, &missed);
  if (!c->share || count < 2 * PORTION || !collide_together(c, count)) collide_alone(c, count);
  heft_shadows_remove(c);
  heft_seams_smooth(c);
  heft_compounds_merge(c);
  heft_skins_collide(c);
  c->contact_capacity += c->blocked_count;
  c->found = (HeftContactPoints){.count = c->contact_count,
                                 .point = c->contact,
                                 .dropped = c->dropped,
                                 .pairs = count,
                                 .pairs_missed = missed + c->skin_missed};
  return c->found;
}

HeftContactPoints heft_collider_filter(HeftCollider* collider, HeftContactFilter* filter,
                                       void* user) {
  HEFT_REQUIRE(collider && filter, ((HeftContactPoints){0}));
  HeftCollider* c = collider;
  int kept = 0;
  for (int i = 0; i < c->contact_count; ++i) {
    if (filter(user, &c->contact[i])) c->contact[kept++] = c->contact[i];
  }
  c->contact_count = c->found.count = kept;
  return c->found;
}
