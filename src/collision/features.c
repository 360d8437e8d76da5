// SPDX-License-Identifier: Apache-2.0
// The contact polygon of two features.
//
// Seen along the contact normal n, two faces overlap in a convex polygon. One of them, the one that
// lies most squarely to n, is the reference; the other is clipped by its sides [Sutherland
// 1974]. Heights above the reference plane, measured along n, are linear over the other face, so
// the gap of every corner of the polygon is exact.
//
// A corner of the polygon is a corner of one face above the other, or a crossing of two edges. Its
// name states which, as (feature of a, feature of b), whichever of them was the reference: the name
// stays while the features meet. Sides are moved out by a millionth of the smaller face's size to
// decide what lies inside, so that equal boxes in a stack keep their corners although rounding
// moves them; where an edge crosses a side is then asked of the side itself.
#include "collision/manifold.h"

static const double squarely = 0.998;   // cosine: a face this square to n carries the contact
static const double in_line = 0.99999;  // cosine: edges that lie along each other
static const double slack = 1e-6;

enum { CLIP_MAX = 2 * FEATURE_MAX };

// A corner while clipping, in the frame (t1, t2, n) about the witness.
typedef struct Corner {
  double u, v, w;       // w along n, on the clipped face
  double gap;           // to the reference plane, along n
  uint32_t ref, other;  // what meets here
  int edge;  // where the next side comes from: an edge of the clipped face, or ~k: side k
} Corner;

typedef struct Clip {
  HeftVec3 n, t1, t2, origin;
  int flip;  // the reference is b
  int count;
  Corner corner[CLIP_MAX];
} Clip;

static void to_frame_a(Feature* f, const HeftPose* b_in_a) {
  f->normal = heft_mat3_mul_vec(b_in_a->rot, f->normal);
  for (int k = 0; k < f->count; ++k) f->corner[k] = heft_pose_apply(*b_in_a, f->corner[k]);
}

// Sides of the reference as lines: a u + b v = c; outside where it is larger by more than the
// slack.
typedef struct Side {
  double a, b, c, slack;
} Side;

// Needs the corners of the clipped face: the smaller of the two determines the slack.
static int make_sides(const Clip* clip, const Feature* ref, Side* side) {
  double u[FEATURE_MAX], v[FEATURE_MAX], size = 0, other_size = 0;
  for (int k = 0; k < ref->count; ++k) {
    const HeftVec3 d = heft_vec3_sub(ref->corner[k], clip->origin);
    u[k] = heft_vec3_dot(d, clip->t1);
    v[k] = heft_vec3_dot(d, clip->t2);
    size = fmax(size, fabs(u[k] - u[0]) + fabs(v[k] - v[0]));
  }
  for (int k = 1; k < clip->count; ++k) {
    const Corner *c = &clip->corner[k], *first = &clip->corner[0];
    other_size = fmax(other_size, fabs(c->u - first->u) + fabs(c->v - first->v));
  }
  const double turn = clip->flip ? -1 : 1, beside = slack * fmin(size, other_size);
  for (int k = 0; k < ref->count; ++k) {
    const int next = k + 1 < ref->count ? k + 1 : 0;
    const double du = u[next] - u[k], dv = v[next] - v[k];
    const double length = sqrt(du * du + dv * dv);
    const double scale = length > 0 ? turn / length : 0;
    side[k] = (Side){dv * scale, -du * scale, 0, beside};
    side[k].c = side[k].a * u[k] + side[k].b * v[k];
  }
  return ref->count;
}

static void load_corners(Clip* clip, const Feature* ref, const Feature* other) {
  const double along = heft_vec3_dot(ref->normal, clip->n);
  clip->count = other->count;
  for (int k = 0; k < other->count; ++k) {
    const HeftVec3 d = heft_vec3_sub(other->corner[k], clip->origin);
    const HeftVec3 above = heft_vec3_sub(other->corner[k], ref->corner[0]);
    const double height = heft_vec3_dot(above, ref->normal) / along;
    clip->corner[k] = (Corner){.u = heft_vec3_dot(d, clip->t1),
                               .v = heft_vec3_dot(d, clip->t2),
                               .w = heft_vec3_dot(d, clip->n),
                               .gap = clip->flip ? -height : height,
                               .ref = part_id(PART_FACE, ref->face_id),
                               .other = part_id(PART_CORNER, other->corner_id[k]),
                               .edge = other->edge_id[k]};
  }
}

static Corner cross_side(Corner from, Corner to, double s_from, double s_to, const Feature* ref,
                         const Feature* other, int k) {
  const double t = fmin(fmax(s_from / (s_from - s_to), 0), 1);
  Corner x = {.u = from.u + t * (to.u - from.u),
              .v = from.v + t * (to.v - from.v),
              .w = from.w + t * (to.w - from.w),
              .gap = from.gap + t * (to.gap - from.gap)};
  if (from.edge >= 0) {
    x.ref = part_id(PART_EDGE, ref->edge_id[k]);
    x.other = part_id(PART_EDGE, from.edge);
  } else {
    // Two sides of the reference meet above the other face: a corner of the reference.
    const int before = ~from.edge;
    const int at = (before + 1) % ref->count == k ? k : before;
    x.ref = part_id(PART_CORNER, ref->corner_id[at]);
    x.other = part_id(PART_FACE, other->face_id);
  }
  x.edge = s_from < s_to ? ~k : from.edge;
  return x;
}

// Clips the polygon by side k. A segment (open) has no edge from its end to its start.
static void cut(Clip* clip, Side side, int k, int open, const Feature* ref, const Feature* other) {
  const Clip* c = clip;
  Corner kept[CLIP_MAX];
  double s[CLIP_MAX];
  int count = 0, outside = 0;
  for (int i = 0; i < c->count; ++i) {
    s[i] = side.a * c->corner[i].u + side.b * c->corner[i].v - side.c;
    outside += s[i] > side.slack;
  }
  if (outside == 0) return;
  for (int i = 0; i < c->count; ++i) {
    const int j = i + 1 < c->count ? i + 1 : 0;
    const int in = s[i] <= side.slack, next_in = s[j] <= side.slack;
    if (in && count < CLIP_MAX) kept[count++] = c->corner[i];
    if (open && j == 0) break;
    if (in != next_in && count < CLIP_MAX) {
      kept[count++] = cross_side(c->corner[i], c->corner[j], s[i], s[j], ref, other, k);
    }
  }
  clip->count = count;
  for (int i = 0; i < count; ++i) clip->corner[i] = kept[i];
}

// Radii to subtract from the gaps of the cores, the largest gap wanted, the smallest possible one.
typedef struct Limits {
  double radius_a, radius_b, margin, floor;
} Limits;

// Puts the corners into the list, with radii taken off. Returns the smallest gap of the cores.
static double collect(const Clip* clip, const Limits* limits, Candidates* out) {
  const double radius_a = limits->radius_a, radius_b = limits->radius_b;
  double min = HUGE_VAL;
  for (int i = 0; i < clip->count; ++i) {
    const Corner* c = &clip->corner[i];
    const double core = fmax(c->gap, limits->floor);
    min = fmin(min, core);
    const double gap = core - radius_a - radius_b;
    if (!(gap <= limits->margin)) continue;
    const double to_middle = (clip->flip ? 0.5 : -0.5) * core + 0.5 * (radius_a - radius_b);
    HeftVec3 p = heft_vec3_add_scaled(clip->origin, c->u, clip->t1);
    p = heft_vec3_add_scaled(p, c->v, clip->t2);
    p = heft_vec3_add_scaled(p, c->w + to_middle, clip->n);
    candidate_add(out, p, clip->n, gap,
                  clip->flip ? feature_pair(c->other, c->ref) : feature_pair(c->ref, c->other));
  }
  return min;
}

static double clip_faces(Clip* clip, const Feature* ref, const Feature* other, const Limits* limits,
                         Candidates* out) {
  Side side[FEATURE_MAX];
  load_corners(clip, ref, other);
  const int sides = make_sides(clip, ref, side);
  for (int k = 0; k < sides && clip->count > 0; ++k) {
    cut(clip, side[k], k, other->count == 2, ref, other);
  }
  return collect(clip, limits, out);
}

// Two edges side by side: the ends of the stretch in which they overlap as seen along n.
static double pair_edges(const Clip* clip, const Feature* a, const Feature* b, const Limits* limits,
                         Candidates* out) {
  const double radius_a = limits->radius_a, radius_b = limits->radius_b;
  const HeftVec3 da = heft_vec3_sub(a->corner[1], a->corner[0]);
  const HeftVec3 db = heft_vec3_sub(b->corner[1], b->corner[0]);
  const double la = heft_vec3_norm(da), lb = heft_vec3_norm(db);
  if (!(la > 0 && lb > 0)) return HUGE_VAL;
  const double parallel = heft_vec3_dot(da, db) / (la * lb);
  if (fabs(parallel) < in_line) return HUGE_VAL;
  const HeftVec3 e = heft_vec3_add_scaled(da, -heft_vec3_dot(da, clip->n), clip->n);
  double min = HUGE_VAL;
  for (int k = 0; k < 4; ++k) {
    const Feature* own = k < 2 ? a : b;
    const Feature* far = k < 2 ? b : a;
    const HeftVec3 p = own->corner[k & 1];
    const HeftVec3 d = heft_vec3_sub(far->corner[1], far->corner[0]);
    double t = heft_vec3_dot(heft_vec3_sub(p, far->corner[0]), e) / heft_vec3_dot(d, e);
    if (!(t >= -slack && t <= 1 + slack)) continue;
    t = fmin(fmax(t, 0), 1);
    const HeftVec3 q = heft_vec3_add_scaled(far->corner[0], t, d);
    const HeftVec3 pa = k < 2 ? p : q, pb = k < 2 ? q : p;
    const double core = fmax(heft_vec3_dot(heft_vec3_sub(pb, pa), clip->n), limits->floor);
    min = fmin(min, core);
    const double gap = core - radius_a - radius_b;
    if (!(gap <= limits->margin)) continue;
    const HeftVec3 middle = heft_vec3_scale(0.5, heft_vec3_add(pa, pb));
    const uint32_t own_id = part_id(PART_CORNER, own->corner_id[k & 1]);
    const uint32_t far_id = part_id(PART_EDGE, far->edge_id[0]);
    candidate_add(out, heft_vec3_add_scaled(middle, 0.5 * (radius_a - radius_b), clip->n), clip->n,
                  gap, k < 2 ? feature_pair(own_id, far_id) : feature_pair(far_id, own_id));
  }
  return min;
}

double heft_manifold_clip(const Geometry* a, const Geometry* b, const HeftPose* b_in_a,
                          HeftVec3 normal, HeftVec3 origin, double floor, double margin,
                          Candidates* out) {
  const Limits limits = {a->radius, b->radius, margin, floor};
  Feature fa, fb;
  heft_geometry_feature(a, normal, &fa);
  heft_geometry_feature(b, heft_vec3_neg(heft_mat3_tmul_vec(b_in_a->rot, normal)), &fb);
  to_frame_a(&fb, b_in_a);
  const double cos_a = fa.count > 2 ? heft_vec3_dot(fa.normal, normal) : 0;
  const double cos_b = fb.count > 2 ? -heft_vec3_dot(fb.normal, normal) : 0;
  Clip clip;
  clip.n = normal;
  clip.origin = origin;
  // Of two that lie equally square, the one with fewer sides to cut by.
  clip.flip = fabs(cos_a - cos_b) > 1e-9 ? cos_b > cos_a : fb.count < fa.count;
  heft_vec3_tangents(normal, &clip.t1, &clip.t2);
  if (fmax(cos_a, cos_b) >= squarely) {
    const Feature* ref = clip.flip ? &fb : &fa;
    const Feature* other = clip.flip ? &fa : &fb;
    if (other->count == 1) return HUGE_VAL;
    return clip_faces(&clip, ref, other, &limits, out);
  }
  if (fa.count != 2 || fb.count != 2) return HUGE_VAL;
  return pair_edges(&clip, &fa, &fb, &limits, out);
}

// Corners of faces that are not quite square to the normal miss the depth by rounding. And a corner
// that counts as inside although it lies beside the border is beside the surface too: where the
// closest points of the cores, which are exact, are that near, they replace it.
static void settle_deepest(Candidates* out, HeftVec3 exact, double gap, double near, double same) {
  int deepest = 0;
  for (int k = 1; k < out->count; ++k) {
    if (out->point[k].gap < out->point[deepest].gap) deepest = k;
  }
  if (out->count == 0) return;
  Point* p = &out->point[deepest];
  p->gap = gap;
  const HeftVec3 d = heft_vec3_sub(exact, p->pos);
  const double square = heft_vec3_dot(d, d);
  if (square <= near * near && square > same * same) p->pos = exact;
}

void heft_manifold_of_features(const Geometry* a, const Geometry* b, const HeftPose* b_in_a,
                               HeftVec3 normal, HeftVec3 witness, double gap, double margin,
                               Candidates* out) {
  const double min = heft_manifold_clip(a, b, b_in_a, normal, witness, gap, margin, out);
  const double size = fmin(heft_vec3_norm(a->half), heft_vec3_norm(b->half));
  const double total = gap - a->radius - b->radius;
  if (!(total <= margin)) return;
  const HeftVec3 exact = heft_vec3_add_scaled(witness, 0.5 * (a->radius - b->radius), normal);
  if (min <= gap + 1e-10 * size) {
    settle_deepest(out, exact, total, 4 * slack * size, 1e-9 * size);
    return;
  }
  candidate_add(out, exact, normal, total,
                feature_pair(part_id(PART_SURFACE, 0), part_id(PART_SURFACE, 0)));
}
