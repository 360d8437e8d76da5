// SPDX-License-Identifier: Apache-2.0
// From many contact points to at most four (or eight).
//
// What a flat contact can bear is decided by the convex hull of its points: the resultant may act
// anywhere inside. So the points kept are the corners of the quadrilateral of largest area, found
// exactly: a diagonal (i, j) splits it into two triangles, whose best tips k, l move forward as j
// does, which takes O(m²) in all. Among equals the first wins, and "better" means by a millionth,
// so that rounding does not change the choice while a body rests. The deepest point is always kept.
#include "collision/manifold.h"

#include <string.h>

#include "math/simd.h"

static const double clearly = 1e-6;  // of an area
static const double deeper = 5e-11;  // of the contact's size

typedef int8_t Byte8 __attribute__((vector_size(8)));

typedef struct Flat {
  double u, v;
  int index;
} Flat;

static double cross2(Flat o, Flat a, Flat b) {
  return (a.u - o.u) * (b.v - o.v) - (a.v - o.v) * (b.u - o.u);
}

static int deepest_of(const Candidates* c) {
  int best = 0;
  for (int i = 1; i < c->count; ++i) {
    const double change = c->point[i].gap - c->point[best].gap;
    if (change < 0 || (change == 0 && c->point[i].feature < c->point[best].feature)) best = i;
  }
  return best;
}

static double flatten(const Candidates* c, int deepest, Flat* out) {
  HeftVec3 t1, t2;
  const HeftVec3 origin = c->point[deepest].pos;
  heft_vec3_tangents(c->point[deepest].normal, &t1, &t2);
  double largest = 0;
  for (int i = 0; i < c->count; ++i) {
    const HeftVec3 d = heft_vec3_sub(c->point[i].pos, origin);
    out[i] = (Flat){heft_vec3_dot(d, t1), heft_vec3_dot(d, t2), i};
    largest = fmax(largest, fmax(fabs(out[i].u), fabs(out[i].v)));
  }
  return largest;
}

static int before(Flat a, Flat b) { return a.u < b.u || (a.u == b.u && a.v < b.v); }

static void sort_flat(Flat* p, int n) {
  for (int i = 1; i < n; ++i) {
    const Flat moving = p[i];
    int k = i;
    for (; k > 0 && before(moving, p[k - 1]); --k) p[k] = p[k - 1];
    p[k] = moving;
  }
}

// Andrew's monotone chain, counter-clockwise; points closer than `slack` to a side are not corners.
static int convex_hull(Flat* p, int n, double slack, Flat* hull) {
  sort_flat(p, n);
  int m = 0;
  for (int pass = 0; pass < 2; ++pass) {
    const int floor = m + 1;
    for (int i = 0; i < n; ++i) {
      const Flat next = pass == 0 ? p[i] : p[n - 1 - i];
      while (m > floor && cross2(hull[m - 2], hull[m - 1], next) <= slack) --m;
      hull[m++] = next;
    }
    --m;  // the last of one chain is the first of the other
  }
  return m;
}

// Starts the polygon at its lowest feature, so that ties do not depend on where it lies, and writes
// it twice.
static void start_at_lowest(const Candidates* c, const Flat* hull, int m, Flat* twice) {
  int first = 0;
  for (int i = 1; i < m; ++i) {
    if (c->point[hull[i].index].feature < c->point[hull[first].index].feature) first = i;
  }
  for (int i = 0; i < m; ++i) {
    const int from = first + i < m ? first + i : first + i - m;
    twice[i] = twice[i + m] = hull[from];
  }
}

// How far point k lies to the left of the line along (du, dv), up to a constant.
static inline double left_of(const Flat* h, int k, double du, double dv) {
  return du * h[k].v - dv * h[k].u;
}

// The polygon stands twice in h, so that indices run past its end. For each first corner i and
// third corner j the tips k (right of the diagonal, between them) and l (left) only move forward.
static void largest_quad(const Flat* h, int m, int best[4]) {
  double largest = -1;
  for (int i = 0; i + 2 < m; ++i) {
    int k = i + 1, l = i + 3;
    for (int j = i + 2; j < m; ++j) {
      const double du = h[j].u - h[i].u, dv = h[j].v - h[i].v;
      double right = left_of(h, k, du, dv), next;
      while (k + 1 < j && (next = left_of(h, k + 1, du, dv)) < right) right = next, ++k;
      if (l <= j) l = j + 1;
      double left = left_of(h, l, du, dv);
      while (l + 1 < i + m && (next = left_of(h, l + 1, du, dv)) > left) left = next, ++l;
      const double area = left - right;
      if (area > largest * (1 + clearly)) {
        largest = area;
        best[0] = i, best[1] = k, best[2] = j, best[3] = l;
      }
    }
  }
  // With l = i + m the first corner itself: a triangle.
  if (best[3] == best[0] + m) best[3] = -1;
  if (best[3] >= m) best[3] -= m;
}

// Takes the deepest point in place of the corner whose loss costs the least area.
static void replace_weakest(const double* u, const double* v, int deepest, int* chosen, int count) {
  int weakest = 0;
  double least = HUGE_VAL;
  for (int n = 0; n < count; ++n) {
    const int o = chosen[n], a = chosen[(n + 1) % count], b = chosen[(n + count - 1) % count];
    const double area = fabs((u[a] - u[o]) * (v[b] - v[o]) - (v[a] - v[o]) * (u[b] - u[o]));
    if (area < least) {
      least = area;
      weakest = n;
    }
  }
  chosen[weakest] = deepest;
}

static void keep_deepest(const Candidates* c, const Flat* at, int deepest, double size, int* chosen,
                         int count) {
  double lowest = HUGE_VAL, u[CANDIDATE_MAX], v[CANDIDATE_MAX];
  for (int k = 0; k < count; ++k) {
    if (chosen[k] == deepest) return;
    lowest = fmin(lowest, c->point[chosen[k]].gap);
  }
  if (!(c->point[deepest].gap < lowest - deeper * size)) return;
  for (int i = 0; i < c->count; ++i) u[i] = at[i].u, v[i] = at[i].v;
  replace_weakest(u, v, deepest, chosen, count);
}

// The same for up to eight corners, all first corners at once: lane i has the corners i, i + s and
// the tips between them. The polygon stands twice, padded with copies of its last corner to eight.
// Returns 8 (s - 2) + i of the first quadrilateral that is as large as any.
HEFT_CLONES static int largest_quad_index(const double* u, const double* v) {
  const V8 u0 = v8_load(u), v0 = v8_load(v);
  V8 area[3];
  for (int s = 2; s <= 4; ++s) {
    const V8 du = v8_load(u + s) - u0, dv = v8_load(v + s) - v0;
    V8 right = v8_all(0), left = v8_all(0);
    for (int r = 1; r < 8; ++r) {
      if (r == s) continue;
      const V8 d = du * (v8_load(v + r) - v0) - dv * (v8_load(u + r) - u0);
      if (r < s) {
        right = v8_select(d < right, d, right);
      } else {
        left = v8_select(d > left, d, left);
      }
    }
    area[s - 2] = left - right;
  }
  V8 most = v8_select(area[0] > area[1], area[0], area[1]);
  most = v8_select(most > area[2], most, area[2]);
  double largest = 0;
  for (int k = 0; k < 8; ++k) largest = most[k] > largest ? most[k] : largest;
  const double enough = largest * (1 - clearly);
  for (int s = 0; s < 3; ++s) {
    const Byte8 bytes = __builtin_convertvector(area[s] >= enough, Byte8);
    uint64_t lanes;
    memcpy(&lanes, &bytes, sizeof lanes);
    if (lanes) return 8 * s + __builtin_ctzll(lanes) / 8;
  }
  return 0;
}

int heft_polygon_choose(double u[16], double v[16], const double* gap, int m, int chosen[4]) {
  for (int i = m; i < 8; ++i) u[i] = u[m - 1], v[i] = v[m - 1];
  memcpy(u + 8, u, 8 * sizeof *u);
  memcpy(v + 8, v, 8 * sizeof *v);
  const int at = largest_quad_index(u, v);
  const int i = at & 7, j = i + (at >> 3) + 2;
  const double du = u[j] - u[i], dv = v[j] - v[i];
  double right = 0, left = 0;
  int k = -1, l = -1;
  for (int r = 1; r < 8; ++r) {
    const double d = du * (v[i + r] - v[i]) - dv * (u[i + r] - u[i]);
    if (i + r < j && d < right) right = d, k = i + r;
    if (i + r > j && d > left) left = d, l = i + r;
  }
  int count = 0;
  const int all[4] = {i, k, j, l};
  for (int n = 0; n < 4; ++n) {
    if (all[n] >= 0) chosen[count++] = (all[n] & 7) < m ? all[n] & 7 : m - 1;
  }
  int deepest = 0;
  double largest = 0, least = HUGE_VAL;
  for (int n = 0; n < m; ++n) {
    if (gap[n] < gap[deepest]) deepest = n;
    largest = fmax(largest, fabs(u[n] - u[0]) + fabs(v[n] - v[0]));
  }
  for (int n = 0; n < count; ++n) least = gap[chosen[n]] < least ? gap[chosen[n]] : least;
  if (gap[deepest] < least - deeper * largest) replace_weakest(u, v, deepest, chosen, count);
  return count;
}

// More points: each time the one farthest from those that are there.
static int add_spread(const Candidates* c, const Flat* at, int* chosen, int count, int most) {
  while (count < most && count < c->count) {
    int best = -1;
    double farthest = 0;
    for (int i = 0; i < c->count; ++i) {
      double nearest = HUGE_VAL;
      for (int k = 0; k < count; ++k) {
        const double du = at[i].u - at[chosen[k]].u, dv = at[i].v - at[chosen[k]].v;
        nearest = fmin(nearest, du * du + dv * dv);
      }
      if (nearest > farthest * (1 + clearly)) {
        farthest = nearest;
        best = i;
      }
    }
    if (best < 0) break;
    chosen[count++] = best;
  }
  return count;
}

static int choose(const Candidates* c, int most, int* chosen) {
  Flat at[CANDIDATE_MAX], sorted[CANDIDATE_MAX], hull[CANDIDATE_MAX + 1];
  Flat twice[2 * CANDIDATE_MAX + 2];
  const int deepest = deepest_of(c);
  const double size = flatten(c, deepest, at);
  memcpy(sorted, at, (size_t)c->count * sizeof *at);
  const int m = convex_hull(sorted, c->count, 1e-9 * size * size, hull);
  int count = 0;
  if (m <= 4) {
    for (int i = 0; i < m; ++i) chosen[count++] = hull[i].index;
  } else {
    int best[4] = {0, 1, 2, 3};
    start_at_lowest(c, hull, m, twice);
    largest_quad(twice, m, best);
    for (int k = 0; k < 4; ++k) {
      if (best[k] >= 0) chosen[count++] = twice[best[k]].index;
    }
  }
  keep_deepest(c, at, deepest, size, chosen, count);
  return most > 4 ? add_spread(c, at, chosen, count, most) : count;
}

void heft_manifold_reduce(const Candidates* from, int most, Manifold* out) {
  if (from->count <= most) {
    out->count = from->count;
    memcpy(out->point, from->point, (size_t)from->count * sizeof(Point));
    return;
  }
  int chosen[8];
  out->count = choose(from, most, chosen);
  for (int k = 0; k < out->count; ++k) out->point[k] = from->point[chosen[k]];
}
