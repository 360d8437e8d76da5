// SPDX-License-Identifier: Apache-2.0
// Two boxes by the separating axis theorem: the normals of three faces of each, and the nine
// products of an edge of a with an edge of b (Gottschalk, Lin and Manocha 1996).
//
// In a's frame, with R the rotation of b and t its position, the axis e_i × r_j has two entries of R
// as its components, so it is exact also where the edges are nearly parallel and its length is tiny;
// products with b's axes are taken in full, since the usual short forms rely on R being orthogonal,
// which rounding spoils when divided by that length.
//
// Overlapping: the axis of least depth is the normal. Apart: the axis of largest distance is the
// normal if the boxes really face each other along it; if their closest points are corners or
// edges beside each other, the distance loop finds them.
#include "collision/narrow.h"

// A face is preferred to an edge that is not better by this share of the smaller box.
static const double face_bias = 1e-9;

typedef struct Axis {
  HeftVec3 normal;    // unit, from a to b
  double separation;  // negative: depth
  int edge;           // 1 if of two edges
} Axis;

static void try_axis(Axis* best, HeftVec3 n, double separation, double along, int edge,
                     double bias) {
  if (!(separation > best->separation + bias)) return;
  best->separation = separation;
  best->normal = along < 0 ? heft_vec3_neg(n) : n;
  best->edge = edge;
}

// Returns 0 if the boxes are farther apart than the margin along a face normal.
static int face_axes(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                     double bias, Axis* best) {
  const double t[3] = {x->pos.x, x->pos.y, x->pos.z};
  for (int i = 0; i < 3; ++i) {
    const double* r = x->rot.m[i];
    const double reach = a->size[i] + fabs(r[0]) * b->size[0] + fabs(r[1]) * b->size[1] +
                         fabs(r[2]) * b->size[2];
    const double s = fabs(t[i]) - reach;
    if (s > margin) return 0;
    const HeftVec3 n = heft_vec3(i == 0, i == 1, i == 2);
    try_axis(best, n, s, t[i], 0, bias);
  }
  for (int j = 0; j < 3; ++j) {
    const HeftVec3 n = heft_mat3_column(x->rot, j);
    const double along = heft_vec3_dot(x->pos, n);
    const double reach = b->size[j] + fabs(n.x) * a->size[0] + fabs(n.y) * a->size[1] +
                         fabs(n.z) * a->size[2];
    const double s = fabs(along) - reach;
    if (s > margin) return 0;
    try_axis(best, n, s, along, 0, bias);
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
  try_axis(best, heft_vec3(n[0], n[1], n[2]), s, along, 1, bias);
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

static double smallest(const Geometry* g) { return fmin(g->size[0], fmin(g->size[1], g->size[2])); }

void heft_box_box(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                  NarrowScratch* scratch, Candidates* out) {
  const double size = fmin(smallest(a), smallest(b)), bias = face_bias * size;
  Axis best = {.separation = -INFINITY};
  if (!face_axes(a, b, x, margin, bias, &best)) return;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (!edge_axis(a, b, x, i, j, margin, bias, &best)) return;
    }
  }
  const HeftVec3 middle = heft_vec3_scale(0.5, x->pos);
  const double least = heft_manifold_clip(a, b, x, best.normal, middle, best.separation, margin, out);
  if (least <= best.separation + 1e-6 * size) return;
  if (best.edge && best.separation <= 0) {
    add_edges(a, b, x, &best, out);
  } else {
    out->count = 0;
    heft_convex_convex(a, b, x, margin, scratch, out);
  }
}
