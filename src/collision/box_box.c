// SPDX-License-Identifier: Apache-2.0
// Two boxes by the separating axes of box_axes.c.
//
// Overlapping: the axis of least depth is the normal. Apart: the axis of largest distance is the
// normal if the boxes really face each other along it; if their closest points are corners or
// edges beside each other, the distance loop finds them.
#include "collision/box_axes.h"
#include "collision/narrow.h"
#include "math/scalar.h"
#include "math/simd.h"

// A face is preferred to an edge that is not better by this share of the smaller box.
static const double face_bias = 3e-10;

typedef struct Axis {
  HeftVec3 normal;    // unit, from a to b
  double separation;  // negative: depth
  int which;          // 0 to 2: a face of a, 3 to 5: a face of b, 6: two edges
} Axis;

static int edge_axis(const Geometry* a, const Geometry* b, const HeftPose* x, int i, int j,
                     double margin, double bias, Axis* best) {
  const int p = (i + 1) % 3, q = (i + 2) % 3, k = (j + 1) % 3, l = (j + 2) % 3;
  const double(*r)[3] = x->rot.m;
  // n = e_i × r_j has the components n_p = -r_qj, n_q = r_pj.
  const double np = -r[q][j], nq = r[p][j];
  const double square = np * np + nq * nq;
  if (!(square > 1e-24)) return 1;
  const double t[3] = {x->pos.x, x->pos.y, x->pos.z};
  const double along = t[p] * np + t[q] * nq;
  const double reach = a->size[p] * fabs(np) + a->size[q] * fabs(nq) +
                       b->size[k] * fabs(np * r[p][k] + nq * r[q][k]) +
                       b->size[l] * fabs(np * r[p][l] + nq * r[q][l]);
  const double excess = fabs(along) - reach;
  const double target = best->separation + bias;
  // Whether excess / sqrt(square) > target, without a root for the many that are not.
  if (excess <= 0 ? (target >= 0 || excess * excess >= target * target * square)
                  : (target > 0 && excess * excess <= target * target * square)) {
    return 1;
  }
  const double length = sqrt(square), s = excess / length;
  if (s > margin) return 0;
  double n[3] = {0, 0, 0};
  n[p] = np / length;
  n[q] = nq / length;
  if (!(s > target)) return 1;
  const HeftVec3 normal = heft_vec3_from(n);
  *best = (Axis){along < 0 ? heft_vec3_neg(normal) : normal, s, 6};
  return 1;
}

// Returns 0 if the boxes are farther apart than the margin.
static int best_axis(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                     double bias, Axis* best) {
  BoxAxes axes;
  if (!heft_box_axes(a->size, b->size, &x->rot, x->pos, margin, bias, -HUGE_VAL, &axes)) return 0;
  const int f = axes.face;
  const HeftVec3 n = f < 3 ? heft_vec3(f == 0, f == 1, f == 2) : heft_mat3_column(x->rot, f - 3);
  *best = (Axis){axes.back ? heft_vec3_neg(n) : n, axes.separation, f};
  for (unsigned e = axes.edges; e; e &= e - 1) {
    const int k = __builtin_ctz(e);
    if (!edge_axis(a, b, x, k / 4, k % 4, margin, bias, best)) return 0;
  }
  return 1;
}

// The edge of a box that looks towards n: its axis is the one most square to n. Returns its middle;
// the name gives the axis and the sides on which it lies.
static HeftVec3 edge_middle(const Geometry* g, HeftVec3 n, int* axis, int* name) {
  const double c[3] = {fabs(n.x), fabs(n.y), fabs(n.z)};
  *axis = c[0] <= c[1] && c[0] <= c[2] ? 0 : (c[1] <= c[2] ? 1 : 2);
  double p[3] = {copysign(g->size[0], n.x), copysign(g->size[1], n.y), copysign(g->size[2], n.z)};
  p[*axis] = 0;
  *name = *axis * 8 + (p[0] > 0) + 2 * (p[1] > 0) + 4 * (p[2] > 0);
  return heft_vec3_from(p);
}

// Two edges that cross: the middle of their nearest points.
static void add_edges(const Geometry* a, const Geometry* b, const HeftPose* x, const Axis* axis,
                      Candidates* out) {
  int i, j, name_a, name_b;
  const HeftVec3 p = edge_middle(a, axis->normal, &i, &name_a);
  const HeftVec3 m = heft_vec3_neg(heft_mat3_tmul_vec(x->rot, axis->normal));
  const HeftVec3 q = heft_pose_apply(*x, edge_middle(b, m, &j, &name_b));
  const HeftVec3 u = heft_vec3(i == 0, i == 1, i == 2), w = heft_mat3_column(x->rot, j);
  const HeftVec3 d = heft_vec3_sub(q, p);
  const double uw = heft_vec3_dot(u, w), du = heft_vec3_dot(d, u), dw = heft_vec3_dot(d, w);
  const HeftVec3 c = heft_vec3_cross(u, w);
  const double sine2 = heft_vec3_dot(c, c);
  const double s = sine2 > 1e-20 ? heft_clamp((du - uw * dw) / sine2, -a->size[i], a->size[i]) : 0;
  const double t = heft_clamp(s * uw - dw, -b->size[j], b->size[j]);
  const HeftVec3 sum = heft_vec3_add(heft_vec3_add_scaled(p, s, u), heft_vec3_add_scaled(q, t, w));
  candidate_add(out, heft_vec3_scale(0.5, sum), axis->normal, axis->separation,
                feature_pair(part_id(PART_EDGE, name_a), part_id(PART_EDGE, name_b)));
}

// ---- a face of one box with the nearest face of the other

// The reference face is the rectangle |u| <= hu, |v| <= hv with the sides 0: u = hu, 1: v = hv, 2:
// u = -hu, 3: v = -hv; the other face is a parallelogram above it. Edge e of the other face leads
// from its corner e to the next; data of the edges are stored side by side.
typedef struct Overlay {
  _Alignas(32) double u[4], v[4], gap[4];  // corners of the other face
  // of its edges: the first and the last point inside, a corner or on a side, and which side
  double end_u[2][4], end_v[2][4], end_gap[2][4];
  int64_t side[2][4];
  double hu, hv, slack_u, slack_v;
  double slope_u, slope_v;  // of the other face's gap over (u, v)
  // the overlap: its corners, their gaps and their codes. 0 to 3: a corner of the other face; 4
  // + 4 e + s: its edge e with side s; 32 + s: a corner of the reference, between sides s and s + 1
  double cu[9], cv[9], cgap[9];  // the last counts for nothing
  int code[9];
  int count;
  // bits: edges of which a part lies inside, that enter through a side, and that leave through one
  unsigned inside, enters, leaves;
  int i, p, q;  // axes of the reference: along the normal, and the two across
  int j, k, l;  // the same of the other box
  int up, far;  // 1 if the face lies on the positive side of its axis
  int turn;     // 1 if the other face runs counter-clockwise, otherwise -1
} Overlay;

// Which axis of the other box the reference's normal follows the most.
static void name_axes(Overlay* o, const double* row) {
  const double a0 = fabs(row[0]), a1 = fabs(row[1]), a2 = fabs(row[2]);
  o->p = o->i == 2 ? 0 : o->i + 1;
  o->q = o->p == 2 ? 0 : o->p + 1;
  o->j = a0 >= a1 && a0 >= a2 ? 0 : (a1 >= a2 ? 1 : 2);
  o->k = o->j == 2 ? 0 : o->j + 1;
  o->l = o->k == 2 ? 0 : o->k + 1;
}

// Where edges enter and leave the rectangle [Liang 1984]: at which part of their length, 0
// and 1 if they begin and end inside of the sides moved out by the slack; on the sides themselves;
// and through which.
typedef struct Passage {
  V4 t[2], at[2];
  I4 side[2], missed;
} Passage;

HEFT_INLINE I4 choose_side(I4 mask, I4 a, I4 b) { return (mask & a) | (~mask & b); }

// Narrows the passage to |at| <= h; axis 0: u, 1: v.
HEFT_INLINE void pass_between(Passage* p, V4 at, V4 way, double h, double slack, int64_t axis) {
  const I4 along = way == 0, up = way > 0, positive = (I4){0} + axis, negative = positive + 2;
  const V4 inverse = 1 / way, more = slack * v4_abs(inverse);
  const V4 plus = (h - at) * inverse, minus = (-h - at) * inverse;
  const V4 in = v4_select(up, minus, plus), out = v4_select(up, plus, minus);
  const I4 later = ~along & (in - more > p->t[0]), sooner = ~along & (out + more < p->t[1]);
  p->missed |= along & (v4_abs(at) > h + slack);
  p->t[0] = v4_select(later, in - more, p->t[0]);
  p->at[0] = v4_select(later, in, p->at[0]);
  p->side[0] = choose_side(later, choose_side(up, negative, positive), p->side[0]);
  p->t[1] = v4_select(sooner, out + more, p->t[1]);
  p->at[1] = v4_select(sooner, out, p->at[1]);
  p->side[1] = choose_side(sooner, choose_side(up, positive, negative), p->side[1]);
}

// The other face's corners, from its middle and its two half edges over (u, v, height), and how its
// edges pass the rectangle. Sides are moved out by a millionth to decide what lies inside: see
// features.c.
HEFT_CLONES static void overlay_lanes(Overlay* o, const double at[3], const double e1[3],
                                      const double e2[3], double sign, double top) {
  const V4 s1 = {-1, 1, 1, -1}, s2 = {-1, -1, 1, 1}, zero = v4_all(0), one = v4_all(1);
  const V4 u = at[0] + s1 * e1[0] + s2 * e2[0], v = at[1] + s1 * e1[1] + s2 * e2[1];
  const V4 gap = sign * (at[2] + s1 * e1[2] + s2 * e2[2]) - top;
  const V4 du = V4_SHUFFLE(u, u, 1, 2, 3, 0) - u, dv = V4_SHUFFLE(v, v, 1, 2, 3, 0) - v;
  const V4 dgap = V4_SHUFFLE(gap, gap, 1, 2, 3, 0) - gap;
  Passage p = {.t = {zero, one}, .at = {zero, one}};
  pass_between(&p, u, du, o->hu, o->slack_u, 0);
  pass_between(&p, v, dv, o->hv, o->slack_v, 1);
  p.at[0] = v4_select(p.at[0] < 1, p.at[0], one);
  p.at[1] = v4_select(p.at[1] > 0, p.at[1], zero);
  const I4 enters = p.t[0] > 0;
  o->inside = v4_bits(~p.missed & (p.t[0] <= p.t[1]));
  o->enters = v4_bits(enters);
  o->leaves = v4_bits(p.t[1] < 1);
  v4_store_aligned(o->u, u), v4_store_aligned(o->v, v), v4_store_aligned(o->gap, gap);
  v4_store(o->end_u[0], v4_select(enters, u + p.at[0] * du, u));
  v4_store(o->end_v[0], v4_select(enters, v + p.at[0] * dv, v));
  v4_store(o->end_gap[0], v4_select(enters, gap + p.at[0] * dgap, gap));
  v4_store(o->end_u[1], u + p.at[1] * du);
  v4_store(o->end_v[1], v + p.at[1] * dv);
  v4_store(o->end_gap[1], gap + p.at[1] * dgap);
  for (int k = 0; k < 2; ++k) memcpy(o->side[k], &p.side[k], sizeof p.side[k]);
}

// The face of `other` (placed by x in the reference's frame) that looks back at the reference's
// face, with the height of its corners above that face.
static void lay_over(Overlay* o, const Geometry* ref, const Geometry* other, const HeftPose* x) {
  const double* row = x->rot.m[o->i];
  name_axes(o, row);
  const double pos[3] = {x->pos.x, x->pos.y, x->pos.z}, sign = o->up ? 1 : -1;
  o->far = row[o->j] * sign < 0;
  const double reach = o->far ? other->size[o->j] : -other->size[o->j];
  const int axis[3] = {o->p, o->q, o->i};
  double at[3], e1[3], e2[3];
  for (int d = 0; d < 3; ++d) {
    const double* r = x->rot.m[axis[d]];
    at[d] = pos[axis[d]] + reach * r[o->j];
    e1[d] = other->size[o->k] * r[o->k];
    e2[d] = other->size[o->l] * r[o->l];
  }
  o->turn = e1[0] * e2[1] - e1[1] * e2[0] >= 0 ? 1 : -1;
  o->slope_u = -sign * x->rot.m[o->p][o->j] / row[o->j];
  o->slope_v = -sign * x->rot.m[o->q][o->j] / row[o->j];
  o->hu = ref->size[o->p];
  o->hv = ref->size[o->q];
  // Of the smaller face.
  const double far = heft_max(other->size[o->l], other->size[o->k]);
  o->slack_u = 1e-6 * heft_min(far, o->hu);
  o->slack_v = 1e-6 * heft_min(far, o->hv);
  overlay_lanes(o, at, e1, e2, sign, ref->size[o->i]);
}

// The end of the list: where the next corner goes, and the one before it.
typedef struct Pen {
  int count;
  double u, v;
} Pen;

// Written in any case, so that nothing need be foreseen: it counts if `there`, and if it is not the
// same as the last.
static inline void add_corner(Overlay* o, Pen* pen, double u, double v, double gap, int code,
                              unsigned there) {
  const int n = pen->count;
  const unsigned other = fabs(pen->u - u) + fabs(pen->v - v) > 0;
  o->cu[n] = u;
  o->cv[n] = v;
  o->cgap[n] = gap;
  o->code[n] = code;
  pen->count = n + (int)(there & other & (n < 8));
  pen->u = there ? u : pen->u;
  pen->v = there ? v : pen->v;
}

// Corners of the reference on the way along its border from one side to another.
static void add_ref_corners(Overlay* o, Pen* pen, int from, int to) {
  while (from != to) {
    const int s = o->turn > 0 ? from : (from + 3) & 3;
    const double u = s == 0 || s == 3 ? o->hu : -o->hu, v = s < 2 ? o->hv : -o->hv;
    const double gap = o->gap[0] + o->slope_u * (u - o->u[0]) + o->slope_v * (v - o->v[0]);
    add_corner(o, pen, u, v, gap, 32 + s, 1);
    from = (from + o->turn) & 3;
  }
}

static int holds_origin(const Overlay* o) {
  for (int e = 0; e < 4; ++e) {
    const int f = (e + 1) & 3;
    if ((o->u[e] * o->v[f] - o->v[e] * o->u[f]) * o->turn < 0) return 0;
  }
  return 1;
}

// k 0: the first point of edge e, 1: its last one.
static inline void add_end(Overlay* o, Pen* pen, int e, int k, unsigned through_side,
                           unsigned there) {
  const int code = through_side ? 4 + 4 * e + (int)o->side[k][e] : e;
  add_corner(o, pen, o->end_u[k][e], o->end_v[k][e], o->end_gap[k][e], code, there);
}

// Walks around the other face; where it leaves the rectangle and comes back, the rectangle's
// corners on the way belong to the overlap.
static void overlap(Overlay* o) {
  const int none = -1;
  int first_in = none, last_out = none;
  Pen pen = {0, HUGE_VAL, HUGE_VAL};
  for (int e = 0; e < 4; ++e) {
    const unsigned in = o->inside >> e & 1;
    const unsigned enters = in & o->enters >> e, leaves = in & o->leaves >> e;
    const int side_in = (int)o->side[0][e], side_out = (int)o->side[1][e];
    if (enters && last_out != none && last_out != side_in) {
      add_ref_corners(o, &pen, last_out, side_in);
    }
    first_in = enters && last_out == none && first_in == none ? side_in : first_in;
    add_end(o, &pen, e, 0, enters, in);
    add_end(o, &pen, e, 1, 1, leaves);
    last_out = leaves ? side_out : last_out;
  }
  if (last_out != none && first_in != none) add_ref_corners(o, &pen, last_out, first_in);
  if (pen.count == 0 && holds_origin(o)) {
    add_ref_corners(o, &pen, 0, 2);
    add_ref_corners(o, &pen, 2, 0);
  }
  o->count = pen.count;
}

// ---- names

// 8 times the lower corner and the higher one: they differ in one bit.
static int edge_name(int a, int b) { return 8 * (a & b) + (a | b); }

// Corners by number (bit d: positive along axis d): of the other face, and of the reference between
// sides s and s + 1, which are (+u, +v), (-u, +v), (-u, -v), (+u, -v).
typedef struct Corners {
  int other[4], ref[4];
} Corners;

static Corners number_corners(const Overlay* o) {
  const int other = o->far << o->j, k = 1 << o->k, l = 1 << o->l;
  const int ref = o->up << o->i, p = 1 << o->p, q = 1 << o->q;
  return (Corners){{other, other | k, other | k | l, other | l},
                   {ref | p | q, ref | q, ref, ref | p}};
}

static void name_corner(const Overlay* o, const Corners* c, int code, uint32_t* ref,
                        uint32_t* other) {
  if (code < 4) {
    *ref = part_id(PART_FACE, 2 * o->i + o->up);
    *other = part_id(PART_CORNER, c->other[code]);
  } else if (code >= 32) {
    *ref = part_id(PART_CORNER, c->ref[code - 32]);
    *other = part_id(PART_FACE, 2 * o->j + o->far);
  } else {
    const int e = (code - 4) >> 2, s = code & 3;
    *ref = part_id(PART_EDGE, edge_name(c->ref[s], c->ref[(s + 3) & 3]));
    *other = part_id(PART_EDGE, edge_name(c->other[e], c->other[(e + 1) & 3]));
  }
}

// Puts one corner into the list, in a's frame: x places the reference box there if it is b.
static inline void put_out(const Overlay* o, const Corners* corners, int c, const Geometry* ref,
                           const HeftPose* x, const Axis* axis, Candidates* out) {
  const double u = o->cu[c], v = o->cv[c];
  const double w = (o->up ? 1 : -1) * (ref->size[o->i] + 0.5 * o->cgap[c]);
  HeftVec3 pos = o->i == 0   ? heft_vec3(w, u, v)
                 : o->i == 1 ? heft_vec3(v, w, u)
                             : heft_vec3(u, v, w);
  if (x) pos = heft_pose_apply(*x, pos);
  uint32_t of_ref, of_other;
  name_corner(o, corners, o->code[c], &of_ref, &of_other);
  candidate_add(out, pos, axis->normal, o->cgap[c],
                x ? feature_pair(of_other, of_ref) : feature_pair(of_ref, of_other));
}

static void drop_beyond(Overlay* o, double margin) {
  int count = 0;
  for (int c = 0; c < o->count; ++c) {
    if (!(o->cgap[c] <= margin)) continue;
    o->cu[count] = o->cu[c];
    o->cv[count] = o->cv[c];
    o->code[count] = o->code[c];
    o->cgap[count++] = o->cgap[c];
  }
  o->count = count;
}

// No gap of a corner is below the separation along the axis; corners beyond the margin go. Returns
// the smallest gap of all.
static double limit_gaps(Overlay* o, const Axis* axis, double margin) {
  double min = HUGE_VAL, max = -HUGE_VAL;
  for (int c = 0; c < o->count; ++c) {
    const double gap = o->cgap[c] > axis->separation ? o->cgap[c] : axis->separation;
    min = gap < min ? gap : min;
    max = gap > max ? gap : max;
    o->cgap[c] = gap;
  }
  if (!(max <= margin)) drop_beyond(o, margin);
  return min;
}

static void choose_and_put_out(Overlay* o, int max, const Geometry* ref, const HeftPose* x,
                               const Axis* axis, Candidates* out) {
  int chosen[8] = {0, 1, 2, 3, 4, 5, 6, 7}, count = o->count;
  if (count > max) count = heft_polygon_choose(o->cu, o->cv, o->cgap, count, o->turn, chosen);
  const Corners corners = number_corners(o);
  for (int c = 0; c < count; ++c) put_out(o, &corners, chosen[c], ref, x, axis, out);
}

static double clip_faces(const Geometry* a, const Geometry* b, const HeftPose* x, const Axis* axis,
                         double margin, int max, Candidates* out) {
  Overlay o;
  const int flip = axis->which >= 3;
  o.i = axis->which % 3;
  if (flip) {
    const HeftPose back = heft_pose_inverse(*x);
    o.up = heft_vec3_dot(axis->normal, heft_mat3_column(x->rot, o.i)) < 0;
    lay_over(&o, b, a, &back);
  } else {
    const double n[3] = {axis->normal.x, axis->normal.y, axis->normal.z};
    o.up = n[o.i] > 0;
    lay_over(&o, a, b, x);
  }
  overlap(&o);
  const double min = limit_gaps(&o, axis, margin);
  choose_and_put_out(&o, max, flip ? b : a, flip ? x : NULL, axis, out);
  return min;
}

static double smallest(const Geometry* g) {
  return heft_min(heft_min(g->size[2], g->size[1]), g->size[0]);
}

void heft_box_box(const Geometry* a, const Geometry* b, const HeftPose* x, double margin, int max,
                  NarrowScratch* scratch, Candidates* out) {
  const double size = heft_min(smallest(b), smallest(a)), bias = face_bias * size;
  Axis best;
  if (!best_axis(a, b, x, margin, bias, &best)) return;
  const HeftVec3 middle = heft_vec3_scale(0.5, x->pos);
  const double min = best.which < 6 ? clip_faces(a, b, x, &best, margin, max, out)
                                    : heft_manifold_clip(a, b, x, best.normal, middle,
                                                         best.separation, margin, out);
  if (min <= best.separation + 1e-10 * size) return;
  if (best.which == 6 && best.separation <= 0) {
    add_edges(a, b, x, &best, out);
  } else if (!(best.separation <= 0 && min <= best.separation + 1e-6 * size)) {
    out->count = 0;
    heft_convex_convex(a, b, x, margin, scratch, out);
  }
}
