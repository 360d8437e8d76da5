// SPDX-License-Identifier: Apache-2.0
// Distance of two convex cores by the method of Gilbert, Johnson and Keerthi [Gilbert 1988].
//
// The point v of D = A - B closest to the origin is improved with simplices of support points. For
// a support point w in direction -v every point of D has v · x >= v · w, so |v| >= distance >= v ·
// w / |v|: the loop ends when both agree, and early when the lower bound exceeds the limit.
#include "collision/gjk.h"
#include "base/assert.h"

enum { GJK_MAX = 64 };

static const double rounding = 4e-16;

static void keep(Simplex* s, int count, const int* which, const double* weight) {
  Simplex out = {.count = count};
  HEFT_ASSERT(count >= 1 && count <= 3);
  for (int k = 0; k < count; ++k) {
    out.p[k] = s->p[which[k]];
    out.weight[k] = weight[k];
  }
  *s = out;
}

static HeftVec3 closest_segment(Simplex* s, int i, int j, int out_which[3], double out_weight[3],
                                int* count) {
  const HeftVec3 a = s->p[i].w, ab = heft_vec3_sub(s->p[j].w, a);
  const double length = heft_vec3_dot(ab, ab), along = -heft_vec3_dot(a, ab);
  if (along <= 0 || !(length > 0)) {
    *count = 1, out_which[0] = i, out_weight[0] = 1;
    return a;
  }
  if (along >= length) {
    *count = 1, out_which[0] = j, out_weight[0] = 1;
    return s->p[j].w;
  }
  const double t = along / length;
  HEFT_ASSERT(t > 0 && t < 1);
  *count = 2, out_which[0] = i, out_which[1] = j, out_weight[0] = 1 - t, out_weight[1] = t;
  return heft_vec3_add_scaled(a, t, ab);
}

// Inside of the three edge planes: the foot on the plane. Otherwise the nearest of the edges.
static HeftVec3 closest_triangle(Simplex* s, const int at[3], int which[3], double weight[3],
                                 int* count) {
  const HeftVec3 a = s->p[at[0]].w, b = s->p[at[1]].w, c = s->p[at[2]].w;
  const HeftVec3 n = heft_vec3_cross(heft_vec3_sub(b, a), heft_vec3_sub(c, a));
  const double nn = heft_vec3_dot(n, n);
  if (nn > 0) {
    const double wa = heft_vec3_dot(n, heft_vec3_cross(b, c));
    const double wb = heft_vec3_dot(n, heft_vec3_cross(c, a));
    const double wc = heft_vec3_dot(n, heft_vec3_cross(a, b));
    if (wa > 0 && wb > 0 && wc > 0) {
      const double sum = wa + wb + wc;
      HEFT_ASSERT(sum > 0);
      *count = 3;
      for (int k = 0; k < 3; ++k) which[k] = at[k];
      weight[0] = wa / sum, weight[1] = wb / sum, weight[2] = wc / sum;
      return heft_vec3_scale(heft_vec3_dot(n, a) / nn, n);
    }
  }
  double best = HUGE_VAL;
  HeftVec3 point = a;
  for (int k = 0; k < 3; ++k) {
    int w[3], m;
    double l[3];
    const HeftVec3 p = closest_segment(s, at[k], at[(k + 1) % 3], w, l, &m);
    const double d = heft_vec3_dot(p, p);
    if (d < best) {
      best = d, point = p, *count = m;
      for (int q = 0; q < m; ++q) which[q] = w[q], weight[q] = l[q];
    }
  }
  return point;
}

// Returns 0 if the origin lies inside.
static int closest_tetrahedron(Simplex* s, HeftVec3* v) {
  static const int face[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
  double best = HUGE_VAL;
  int which[3] = {0}, count = 0, outside = 0;
  double weight[3] = {0};
  for (int f = 0; f < 4; ++f) {
    const HeftVec3 a = s->p[face[f][0]].w;
    const HeftVec3 n =
        heft_vec3_cross(heft_vec3_sub(s->p[face[f][1]].w, a), heft_vec3_sub(s->p[face[f][2]].w, a));
    const HeftVec3 d = heft_vec3_sub(s->p[face[f][3]].w, a);
    const double other = heft_vec3_dot(n, d), origin = -heft_vec3_dot(n, a);
    // A tetrahedron as flat as rounding has no inner side.
    const int flat = !(other * other > 1e-24 * heft_vec3_dot(n, n) * heft_vec3_dot(d, d));
    if (!flat && other * origin > 0) continue;  // on the inner side of this face
    outside = 1;
    int w[3] = {0}, m = 0;
    double l[3] = {0};
    const HeftVec3 p = closest_triangle(s, face[f], w, l, &m);
    const double square = heft_vec3_dot(p, p);
    if (square < best) {
      best = square, *v = p, count = m;
      for (int q = 0; q < m; ++q) which[q] = w[q], weight[q] = l[q];
    }
  }
  if (!outside) return 0;
  keep(s, count, which, weight);
  HEFT_ASSERT(count >= 1);
  return 1;
}

int heft_simplex_closest(Simplex* s, HeftVec3* v) {
  int which[3] = {0}, count = 1;
  double weight[3] = {1};
  static const int all[3] = {0, 1, 2};
  switch (s->count) {
    case 1:
      s->weight[0] = 1;
      *v = s->p[0].w;
      return 1;
    case 2:
      *v = closest_segment(s, 0, 1, which, weight, &count);
      break;
    case 3:
      *v = closest_triangle(s, all, which, weight, &count);
      break;
    default:
      return closest_tetrahedron(s, v);
  }
  keep(s, count, which, weight);
  return 1;
}

static int holds(const Simplex* s, HeftVec3 w) {
  for (int k = 0; k < s->count; ++k) {
    const HeftVec3 q = s->p[k].w;
    if (q.x == w.x && q.y == w.y && q.z == w.z) return 1;
  }
  return 0;
}

static void read_witness(const Simplex* s, HeftVec3 v, Nearness* out) {
  // In a simplex as thin as rounding v need not lie in D; the mixture of its corners does.
  HeftVec3 a = {0, 0, 0}, w = {0, 0, 0};
  HEFT_ASSERT(s->count >= 1 && s->count <= 3);
  for (int k = 0; k < s->count; ++k) {
    a = heft_vec3_add_scaled(a, s->weight[k], s->p[k].on_a);
    w = heft_vec3_add_scaled(w, s->weight[k], s->p[k].w);
  }
  out->on_a = a;
  out->on_b = heft_vec3_sub(a, w);
  out->gap = heft_vec3_norm(w);
  out->normal = heft_vec3_scale(-1 / heft_vec3_norm(v), v);
}

GjkOutcome heft_gjk_distance_until(Cores* p, HeftVec3 direction, double limit, double tolerance,
                                   GjkEnough* enough, const void* user, Nearness* out) {
  Simplex s = {.count = 1};
  HEFT_ASSERT(limit >= 0 && tolerance >= 0);
  s.p[0] = cores_support(p, direction);
  HeftVec3 v = s.p[0].w;
  s.weight[0] = 1;
  const double contact = 1e-10 * p->scale;
  double square = heft_vec3_dot(v, v);
  for (int k = 0; k < GJK_MAX; ++k) {
    if (square <= contact * contact) return GJK_OVERLAP;
    const Difference w = cores_support(p, heft_vec3_neg(v));
    const double bound = heft_vec3_dot(v, w.w);
    if (bound > 0 && bound * bound > limit * limit * square) {
      out->normal = heft_vec3_scale(-1 / sqrt(square), v);
      return GJK_FAR_APART;
    }
    if (bound > 0 && enough) {
      const double inverse = 1 / sqrt(square);
      out->normal = heft_vec3_scale(-inverse, v);
      if (enough(user, out->normal, bound * inverse)) return GJK_FAR_APART;
    }
    if (square - bound <= tolerance * square + rounding * p->scale * sqrt(square)) break;
    if (holds(&s, w.w)) break;
    const Simplex last = s;
    HEFT_ASSERT(s.count <= 3);
    s.p[s.count++] = w;
    HeftVec3 next;
    const int outside = heft_simplex_closest(&s, &next);
    const double shorter = outside ? heft_vec3_dot(next, next) : square;
    // a direction that separates the cores is stronger than a thin tetrahedron about the origin
    if (!outside && !(bound > rounding * p->scale * sqrt(square))) return GJK_OVERLAP;
    if (!(shorter < square)) {  // rounding has the last word
      s = last;
      break;
    }
    v = next;
    square = shorter;
  }
  read_witness(&s, v, out);
  return GJK_CLOSE;
}

GjkOutcome heft_gjk_distance(Cores* p, HeftVec3 direction, double limit, double tolerance,
                             Nearness* out) {
  return heft_gjk_distance_until(p, direction, limit, tolerance, NULL, NULL, out);
}
