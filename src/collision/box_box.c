// SPDX-License-Identifier: Apache-2.0
// Two boxes by the separating axis theorem: the normals of three faces of each, and the nine
// products of an edge of a with an edge of b (Gottschalk, Lin and Manocha 1996).
//
// In a's frame, with R the rotation of b and t its position, the axis e_i × r_j has two entries of
// R as its components, so it is exact also where the edges are nearly parallel and its length is
// tiny; products with b's axes are taken in full, since the usual short forms rely on R being
// orthogonal, which rounding spoils when divided by that length.
//
// Overlapping: the axis of least depth is the normal. Apart: the axis of largest distance is the
// normal if the boxes really face each other along it; if their closest points are corners or
// edges beside each other, the distance loop finds them.
#include "collision/narrow.h"

// A face is preferred to an edge that is not better by this share of the smaller box.
static const double face_bias = 3e-10;

typedef struct Axis {
  HeftVec3 normal;    // unit, from a to b
  double separation;  // negative: depth
  int which;          // 0 to 2: a face of a, 3 to 5: a face of b, 6: two edges
} Axis;

static void try_axis(Axis* best, HeftVec3 n, double separation, double along, int which,
                     double bias) {
  if (!(separation > best->separation + bias)) return;
  best->separation = separation;
  best->normal = along < 0 ? heft_vec3_neg(n) : n;
  best->which = which;
}

// Returns 0 if the boxes are farther apart than the margin along a face normal.
static int face_axes(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                     double bias, Axis* best) {
  const double t[3] = {x->pos.x, x->pos.y, x->pos.z};
  for (int i = 0; i < 3; ++i) {
    const double* r = x->rot.m[i];
    const double reach =
        a->size[i] + fabs(r[0]) * b->size[0] + fabs(r[1]) * b->size[1] + fabs(r[2]) * b->size[2];
    const double s = fabs(t[i]) - reach;
    if (s > margin) return 0;
    const HeftVec3 n = heft_vec3(i == 0, i == 1, i == 2);
    try_axis(best, n, s, t[i], i, bias);
  }
  for (int j = 0; j < 3; ++j) {
    const HeftVec3 n = heft_mat3_column(x->rot, j);
    const double along = heft_vec3_dot(x->pos, n);
    const double reach =
        b->size[j] + fabs(n.x) * a->size[0] + fabs(n.y) * a->size[1] + fabs(n.z) * a->size[2];
    const double s = fabs(along) - reach;
    if (s > margin) return 0;
    try_axis(best, n, s, along, 3 + j, bias);
  }
  return 1;
}

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
  try_axis(best, heft_vec3(n[0], n[1], n[2]), s, along, 6, bias);
  return 1;
}

// The edge of a box that looks towards n: its axis is the one most square to n. Returns its middle;
// the name tells the axis and on which sides it lies.
static HeftVec3 edge_middle(const Geometry* g, HeftVec3 n, int* axis, int* name) {
  const double c[3] = {fabs(n.x), fabs(n.y), fabs(n.z)};
  *axis = c[0] <= c[1] && c[0] <= c[2] ? 0 : (c[1] <= c[2] ? 1 : 2);
  double p[3] = {copysign(g->size[0], n.x), copysign(g->size[1], n.y), copysign(g->size[2], n.z)};
  p[*axis] = 0;
  *name = *axis * 8 + (p[0] > 0) + 2 * (p[1] > 0) + 4 * (p[2] > 0);
  return heft_vec3(p[0], p[1], p[2]);
}

static double clamp(double x, double limit) { return fmin(fmax(x, -limit), limit); }

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
  const double s = sine2 > 1e-20 ? clamp((du - uw * dw) / sine2, a->size[i]) : 0;
  const double t = clamp(s * uw - dw, b->size[j]);
  const HeftVec3 sum = heft_vec3_add(heft_vec3_add_scaled(p, s, u), heft_vec3_add_scaled(q, t, w));
  candidate_add(out, heft_vec3_scale(0.5, sum), axis->normal, axis->separation,
                feature_pair(part_id(PART_EDGE, name_a), part_id(PART_EDGE, name_b)));
}

// ---- a face of one box with the nearest face of the other

// The reference face is the rectangle |u| <= hu, |v| <= hv with the sides 0: u = hu, 1: v = hv, 2:
// u = -hu, 3: v = -hv; the other face is a parallelogram above it.
typedef struct Overlay {
  int i, p, q;  // axes of the reference: along the normal, and the two across
  int j, k, l;  // the same of the other box
  int up, far;  // 1 if the face lies on the positive side of its axis
  double hu, hv, slack_u, slack_v;
  double u[5], v[5], gap[5];  // corners of the other face; the first again at the end
  double slope_u, slope_v;    // of its gap over (u, v)
  int turn;                   // 1 if it runs counter-clockwise, otherwise -1
  // the overlap: its corners, their gaps, and what they are. 0 to 3: a corner of the other face; 4
  // + 4 e + s: its edge e with side s; 32 + s: a corner of the reference, between sides s and s + 1
  int count;
  double cu[16], cv[16], cgap[8];
  int code[8];
} Overlay;

// The face of `other` (placed by x in the reference's frame) that looks back at the reference's
// face, with the height of its corners above that face. Sides are moved out by a millionth to
// decide what lies inside: see features.c.
static void lay_over(Overlay* o, const Geometry* ref, const Geometry* other, const HeftPose* x) {
  const double* row = x->rot.m[o->i];
  const double a0 = fabs(row[0]), a1 = fabs(row[1]), a2 = fabs(row[2]);
  o->p = o->i == 2 ? 0 : o->i + 1;
  o->q = o->p == 2 ? 0 : o->p + 1;
  o->j = a0 >= a1 && a0 >= a2 ? 0 : (a1 >= a2 ? 1 : 2);
  o->k = o->j == 2 ? 0 : o->j + 1;
  o->l = o->k == 2 ? 0 : o->k + 1;
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
  for (int c = 0; c < 5; ++c) {
    const double s1 = c == 1 || c == 2 ? 1 : -1, s2 = c == 2 || c == 3 ? 1 : -1;
    o->u[c] = at[0] + s1 * e1[0] + s2 * e2[0];
    o->v[c] = at[1] + s1 * e1[1] + s2 * e2[1];
    o->gap[c] = sign * (at[2] + s1 * e1[2] + s2 * e2[2]) - ref->size[o->i];
  }
  o->turn = e1[0] * e2[1] - e1[1] * e2[0] >= 0 ? 1 : -1;
  o->slope_u = -sign * x->rot.m[o->p][o->j] / row[o->j];
  o->slope_v = -sign * x->rot.m[o->q][o->j] / row[o->j];
  o->hu = ref->size[o->p];
  o->hv = ref->size[o->q];
  o->slack_u = 1e-6 * o->hu;
  o->slack_v = 1e-6 * o->hv;
}

static inline void add_corner(Overlay* o, double u, double v, double gap, int code) {
  const int n = o->count;
  if (n == 8 || (n > 0 && o->cu[n - 1] == u && o->cv[n - 1] == v)) return;
  o->cu[n] = u;
  o->cv[n] = v;
  o->cgap[n] = gap;
  o->code[n] = code;
  o->count = n + 1;
}

// Corners of the reference on the way along its border from one side to another.
static void add_ref_corners(Overlay* o, int from, int to) {
  while (from != to) {
    const int s = o->turn > 0 ? from : (from + 3) & 3;
    const double u = s == 0 || s == 3 ? o->hu : -o->hu, v = s < 2 ? o->hv : -o->hv;
    const double gap = o->gap[0] + o->slope_u * (u - o->u[0]) + o->slope_v * (v - o->v[0]);
    add_corner(o, u, v, gap, 32 + s);
    from = (from + o->turn) & 3;
  }
}

// Where an edge enters and leaves the rectangle (Liang and Barsky): through which side, and at
// which part of its length.
typedef struct Passage {
  double t[2];   // with the sides moved out: 0 and 1 if it begins and ends inside
  double at[2];  // on the sides themselves
  int side[2];
} Passage;

// Returns 0 if no part of the edge is inside.
static inline int clip_edge(const Overlay* o, int e, Passage* pass) {
  const double at[2] = {o->u[e], o->v[e]}, h[2] = {o->hu, o->hv};
  const double slack[2] = {o->slack_u, o->slack_v};
  const double d[2] = {o->u[e + 1] - o->u[e], o->v[e + 1] - o->v[e]};
  *pass = (Passage){.t = {0, 1}, .at = {0, 1}};
  for (int k = 0; k < 2; ++k) {
    if (d[k] == 0) {
      if (fabs(at[k]) > h[k] + slack[k]) return 0;
      continue;
    }
    const double inverse = 1 / d[k], more = slack[k] * fabs(inverse);
    const double plus = (h[k] - at[k]) * inverse, minus = (-h[k] - at[k]) * inverse;
    const double in = d[k] > 0 ? minus : plus, out = d[k] > 0 ? plus : minus;
    if (in - more > pass->t[0]) {
      pass->t[0] = in - more, pass->at[0] = in, pass->side[0] = d[k] > 0 ? k + 2 : k;
    }
    if (out + more < pass->t[1]) {
      pass->t[1] = out + more, pass->at[1] = out, pass->side[1] = d[k] > 0 ? k : k + 2;
    }
  }
  pass->at[0] = pass->at[0] < 1 ? pass->at[0] : 1;
  pass->at[1] = pass->at[1] > 0 ? pass->at[1] : 0;
  return pass->t[0] <= pass->t[1];
}

static inline void add_crossing(Overlay* o, int e, double t, int side) {
  add_corner(o, o->u[e] + t * (o->u[e + 1] - o->u[e]), o->v[e] + t * (o->v[e + 1] - o->v[e]),
             o->gap[e] + t * (o->gap[e + 1] - o->gap[e]), 4 + 4 * e + side);
}

static int holds_origin(const Overlay* o) {
  for (int e = 0; e < 4; ++e) {
    const double cross = o->u[e] * o->v[e + 1] - o->v[e] * o->u[e + 1];
    if (cross * o->turn < 0) return 0;
  }
  return 1;
}

// Walks around the other face; where it leaves the rectangle and comes back, the rectangle's
// corners on the way belong to the overlap.
static void overlap(Overlay* o) {
  int first_in = -1, last_out = -1;
  o->count = 0;
  for (int e = 0; e < 4; ++e) {
    Passage pass;
    if (!clip_edge(o, e, &pass)) continue;
    if (pass.t[0] > 0) {
      if (last_out >= 0) {
        add_ref_corners(o, last_out, pass.side[0]);
      } else if (first_in < 0) {
        first_in = pass.side[0];
      }
      add_crossing(o, e, pass.at[0], pass.side[0]);
    } else {
      add_corner(o, o->u[e], o->v[e], o->gap[e], e);
    }
    if (pass.t[1] < 1) {
      add_crossing(o, e, pass.at[1], pass.side[1]);
      last_out = pass.side[1];
    }
  }
  if (last_out >= 0 && first_in >= 0) add_ref_corners(o, last_out, first_in);
  if (o->count == 0 && holds_origin(o)) {
    add_ref_corners(o, 0, 2);
    add_ref_corners(o, 2, 0);
  }
}

static int edge_name(int a, int b) { return a < b ? 8 * a + b : 8 * b + a; }

// Corners of the other face and of the reference face by number (bit d: positive along axis d).
static int other_corner(const Overlay* o, int c) {
  return o->far << o->j | (c == 1 || c == 2) << o->k | (c >= 2) << o->l;
}

// Between sides s and s + 1: (+u, +v), (-u, +v), (-u, -v), (+u, -v).
static int ref_corner(const Overlay* o, int s) {
  return o->up << o->i | (s == 0 || s == 3) << o->p | (s < 2) << o->q;
}

static void name_corner(const Overlay* o, int code, uint32_t* ref, uint32_t* other) {
  if (code < 4) {
    *ref = part_id(PART_FACE, 2 * o->i + o->up);
    *other = part_id(PART_CORNER, other_corner(o, code));
  } else if (code >= 32) {
    *ref = part_id(PART_CORNER, ref_corner(o, code - 32));
    *other = part_id(PART_FACE, 2 * o->j + o->far);
  } else {
    const int e = (code - 4) / 4, s = (code - 4) % 4;
    *ref = part_id(PART_EDGE, edge_name(ref_corner(o, s), ref_corner(o, (s + 3) % 4)));
    *other = part_id(PART_EDGE, edge_name(other_corner(o, e), other_corner(o, (e + 1) % 4)));
  }
}

// Puts one corner into the list, in a's frame: x places the reference box there if it is b.
static void put_out(const Overlay* o, int c, const Geometry* ref, const HeftPose* x,
                    const Axis* axis, Candidates* out) {
  double at[3];
  at[o->p] = o->cu[c];
  at[o->q] = o->cv[c];
  at[o->i] = (o->up ? 1 : -1) * (ref->size[o->i] + 0.5 * o->cgap[c]);
  HeftVec3 pos = heft_vec3(at[0], at[1], at[2]);
  if (x) pos = heft_pose_apply(*x, pos);
  uint32_t of_ref, of_other;
  name_corner(o, o->code[c], &of_ref, &of_other);
  candidate_add(out, pos, axis->normal, o->cgap[c],
                x ? feature_pair(of_other, of_ref) : feature_pair(of_ref, of_other));
}

// Drops corners beyond the margin. Returns the smallest gap of all.
static double drop_far(Overlay* o, const Axis* axis, double margin) {
  double least = HUGE_VAL;
  int count = 0;
  for (int c = 0; c < o->count; ++c) {
    const double gap = o->cgap[c] > axis->separation ? o->cgap[c] : axis->separation;
    least = gap < least ? gap : least;
    if (!(gap <= margin)) continue;
    o->cu[count] = o->cu[c];
    o->cv[count] = o->cv[c];
    o->code[count] = o->code[c];
    o->cgap[count++] = gap;
  }
  o->count = count;
  return least;
}

static void choose_and_put_out(Overlay* o, int most, const Geometry* ref, const HeftPose* x,
                               const Axis* axis, Candidates* out) {
  int chosen[8] = {0, 1, 2, 3, 4, 5, 6, 7}, count = o->count;
  if (count > most) {
    for (int c = 0; o->turn < 0 && c < count; ++c) o->cv[c] = -o->cv[c];
    count = heft_polygon_choose(o->cu, o->cv, o->cgap, o->count, chosen);
    for (int c = 0; o->turn < 0 && c < o->count; ++c) o->cv[c] = -o->cv[c];
  }
  for (int c = 0; c < count; ++c) put_out(o, chosen[c], ref, x, axis, out);
}

static double clip_faces(const Geometry* a, const Geometry* b, const HeftPose* x, const Axis* axis,
                         double margin, int most, Candidates* out) {
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
  const double least = drop_far(&o, axis, margin);
  choose_and_put_out(&o, most, flip ? b : a, flip ? x : NULL, axis, out);
  return least;
}

static double smallest(const Geometry* g) { return fmin(g->size[0], fmin(g->size[1], g->size[2])); }

void heft_box_box(const Geometry* a, const Geometry* b, const HeftPose* x, double margin, int most,
                  NarrowScratch* scratch, Candidates* out) {
  const double size = fmin(smallest(a), smallest(b)), bias = face_bias * size;
  Axis best = {.separation = -HUGE_VAL};
  if (!face_axes(a, b, x, margin, bias, &best)) return;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (!edge_axis(a, b, x, i, j, margin, bias, &best)) return;
    }
  }
  const HeftVec3 middle = heft_vec3_scale(0.5, x->pos);
  const double least = best.which < 6 ? clip_faces(a, b, x, &best, margin, most, out)
                                      : heft_manifold_clip(a, b, x, best.normal, middle,
                                                           best.separation, margin, out);
  if (least <= best.separation + 1e-10 * size) return;
  if (best.which == 6 && best.separation <= 0) {
    add_edges(a, b, x, &best, out);
  } else if (!(best.separation <= 0 && least <= best.separation + 1e-6 * size)) {
    out->count = 0;
    heft_convex_convex(a, b, x, margin, scratch, out);
  }
}
