// SPDX-License-Identifier: Apache-2.0
// From many contact points to at most four (or eight).
//
// The convex hull of its points determines the wrenches of a flat contact: the resultant may act
// anywhere inside. So the points kept are the corners of the quadrilateral of largest area, found
// exactly: a diagonal (i, j) splits it into two triangles, whose best tips k, l move forward as j
// does: O(m²) steps in all. Among equals the first wins, and "better" means by a millionth, so that
// rounding does not change the choice while a body rests. The deepest point is always kept.
#include "collision/manifold.h"
#include "base/assert.h"

#include <string.h>

#include "math/simd.h"

static const double clearly = 1e-6;  // of an area

typedef struct Flat {
  double u, v;
  int index;
} Flat;

static double cross2(Flat o, Flat a, Flat b) {
  return (a.u - o.u) * (b.v - o.v) - (a.v - o.v) * (b.u - o.u);
}

static int deepest_of(const Candidates* c) {
  int best = 0;
  HEFT_ASSERT(c->count >= 1 && c->count <= CANDIDATE_MAX);
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

// Andrew's monotone chain [Andrew 1979], counter-clockwise; points closer than `slack` to a side
// are not corners.
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
  HEFT_ASSERT(m <= n);
  return m;
}

// Starts the polygon at its lowest feature, so that ties do not depend on where it lies, and writes
// it twice.
static void start_at_lowest(const Candidates* c, const Flat* hull, int m, Flat* twice) {
  int first = 0;
  HEFT_ASSERT(m >= 1 && m <= CANDIDATE_MAX);
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

// The polygon is in h twice, so that indices run past its end. For each first corner i and third
// corner j the tips k (right of the diagonal, between them) and l (left) only move forward.
static void largest_quad(const Flat* h, int m, int best[4]) {
  double largest = -1;
  HEFT_ASSERT(m >= 3);
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
  HEFT_ASSERT(best[0] < best[1] && best[1] < best[2] && best[2] < m && best[3] < m);
}

// Puts the deepest point in place of the corner whose loss costs the least area.
static void replace_weakest(const double* u, const double* v, int deepest, int* chosen, int count) {
  int weakest = 0;
  HEFT_ASSERT(count >= 1);
  double min = HUGE_VAL;
  for (int n = 0; n < count; ++n) {
    const int o = chosen[n], a = chosen[(n + 1) % count], b = chosen[(n + count - 1) % count];
    const double area = fabs((u[a] - u[o]) * (v[b] - v[o]) - (v[a] - v[o]) * (u[b] - u[o]));
    if (area < min) {
      min = area;
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
  if (!(c->point[deepest].gap < lowest - CLEARLY_DEEPER * size)) return;
  for (int i = 0; i < c->count; ++i) u[i] = at[i].u, v[i] = at[i].v;
  replace_weakest(u, v, deepest, chosen, count);
}

// ---- up to eight corners, all first corners at once

// Eight lanes as two times four: comparisons of eight are taken apart where vectors are shorter.
typedef struct Eight {
  V4 low, high;
} Eight;

// The first m of eight numbers, filled up with copies of the last.
HEFT_INLINE Eight eight_load(const double* x, int m) {
  const I4 lane = {0, 1, 2, 3};
  HEFT_ASSERT(m >= 1 && m <= 8);
  const V4 last = v4_all(x[m - 1]);
  // One by one, since they were just written so.
  const V4 low = {x[0], x[1], x[2], x[3]}, high = {x[4], x[5], x[6], x[7]};
  return (Eight){v4_select(lane < m, low, last), v4_select(lane + 4 < m, high, last)};
}

// Rotates the elements: element i of the result is element i + r modulo 4; r from 0 to 3.
#define AROUND(x, r)                                                    \
  ((Eight){V4_SHUFFLE((x).low, (x).high, r, (r) + 1, (r) + 2, (r) + 3), \
           V4_SHUFFLE((x).high, (x).low, r, (r) + 1, (r) + 2, (r) + 3)})

// Corner i + r as seen from corner i: half h, lane i.
typedef struct Fan {
  V4 u[2][8], v[2][8];
} Fan;

HEFT_INLINE void open_out(Eight x, V4 out[2][8]) {
  const Eight ahead[4] = {x, AROUND(x, 1), AROUND(x, 2), AROUND(x, 3)};
  for (int r = 0; r < 4; ++r) {
    out[0][r] = ahead[r].low - x.low, out[0][r + 4] = ahead[r].high - x.low;
    out[1][r] = ahead[r].high - x.high, out[1][r + 4] = ahead[r].low - x.high;
  }
}

// Distance of corner b to the left of the line to corner a.
HEFT_INLINE V4 left_in(const Fan* f, int h, int a, int b) {
  return f->u[h][a] * f->v[h][b] - f->v[h][a] * f->u[h][b];
}

// The farthest corner on one side of a diagonal, and how far it lies from it; 0 if there is none.
typedef struct Tip {
  V4 far;
  I4 corner;
} Tip;

HEFT_INLINE Tip tip_at(V4 far, int64_t corner) {
  const I4 there = far > 0;
  return (Tip){v4_select(there, far, v4_all(0)), there & corner};
}

// The first of equals.
HEFT_INLINE Tip farther_of(Tip a, Tip b) {
  const I4 better = b.far > a.far;
  return (Tip){v4_select(better, b.far, a.far), (better & b.corner) | (~better & a.corner)};
}

// Quadrilaterals with the corners i (lane) and i + s, s = 2 to 4, with the tips on both sides and
// twice their area. Longer diagonals belong to another lane; so do the upper ones of s = 4.
typedef struct Quads {
  V4 area[5];
  I4 right[5], left[5];
} Quads;

HEFT_INLINE void put_quads(Quads* out, int at, const Tip* right, const Tip* left) {
  out->area[at] = left->far + right->far;
  out->right[at] = right->corner;
  out->left[at] = left->corner;
}

// The last three corners, which lie to the left of all these diagonals.
HEFT_INLINE Tip last_tips(const Fan* f, int h, int s) {
  const Tip a = tip_at(left_in(f, h, s, 5), 5), b = tip_at(left_in(f, h, s, 6), 6);
  return farther_of(farther_of(a, b), tip_at(left_in(f, h, s, 7), 7));
}

// Those of lanes 4 h to 4 h + 3.
HEFT_INLINE void find_quads(const Fan* f, int h, Quads* out) {
  const V4 c23 = left_in(f, h, 2, 3), c24 = left_in(f, h, 2, 4), c34 = left_in(f, h, 3, 4);
  Tip right = tip_at(left_in(f, h, 1, 2), 1);
  Tip left = farther_of(farther_of(tip_at(c23, 3), tip_at(c24, 4)), last_tips(f, h, 2));
  put_quads(out, h, &right, &left);
  right = farther_of(tip_at(left_in(f, h, 1, 3), 1), tip_at(c23, 2));
  left = farther_of(tip_at(c34, 4), last_tips(f, h, 3));
  put_quads(out, 2 + h, &right, &left);
  if (h == 1) return;
  right = farther_of(farther_of(tip_at(left_in(f, h, 1, 4), 1), tip_at(c24, 2)), tip_at(c34, 3));
  left = last_tips(f, h, 4);
  put_quads(out, 4, &right, &left);
}

HEFT_INLINE V4 larger_of(V4 a, V4 b) { return v4_select(a > b, a, b); }

// Of those as large as any, the one with the shortest diagonal and the lowest first corner: 8 (s -
// 2) + i.
HEFT_INLINE int first_of_largest(const Quads* q) {
  const V4* a = q->area;
  const V4 max = larger_of(larger_of(larger_of(a[0], a[1]), larger_of(a[2], a[3])), a[4]);
  const double enough = v4_greatest(max) * (1 - clearly);
  I4 bits = {0};
  for (int k = 0; k < 5; ++k) bits |= (a[k] >= enough) & ((I4){1, 2, 4, 8} << 4 * k);
  const unsigned found = (unsigned)i4_or(bits);
  return found ? __builtin_ctz(found) : 0;
}

typedef struct Choice {
  int first, third;    // corners
  int second, fourth;  // counted from the first; 0: none
} Choice;

HEFT_CLONES static void polygon_choose_lanes(const double* at_u, const double* at_v, int m,
                                             double turn, Choice* out) {
  const Eight u = eight_load(at_u, m), plain = eight_load(at_v, m);
  const Eight v = {plain.low * turn, plain.high * turn};
  Fan fan;
  Quads q;
  open_out(u, fan.u);
  open_out(v, fan.v);
  find_quads(&fan, 0, &q);
  find_quads(&fan, 1, &q);
  int64_t right[20], left[20];
  memcpy(right, q.right, sizeof right);
  memcpy(left, q.left, sizeof left);
  const int at = first_of_largest(&q);
  HEFT_ASSERT(at >= 0 && at < 20);
  *out = (Choice){at & 7, (at + (at >> 3) + 2) & 7, (int)right[at], (int)left[at]};
}

// The deepest point stays: in place of the weakest, if none of those chosen is as deep.
static void keep_deepest_of(const double* u, const double* v, const double* gap, int m, int* chosen,
                            int count) {
  int deepest = 0;
  double size = 0, min = HUGE_VAL;
  for (int n = 1; n < m; ++n) deepest = gap[n] < gap[deepest] ? n : deepest;
  for (int n = 0; n < count; ++n) min = gap[chosen[n]] < min ? gap[chosen[n]] : min;
  if (!(gap[deepest] < min)) return;
  for (int n = 0; n < m; ++n) {
    const double far = fabs(u[n] - u[0]) + fabs(v[n] - v[0]);
    size = far > size ? far : size;
  }
  if (gap[deepest] < min - CLEARLY_DEEPER * size) replace_weakest(u, v, deepest, chosen, count);
}

int heft_polygon_choose(const double u[8], const double v[8], const double gap[8], int m, int turn,
                        int chosen[4]) {
  Choice c;
  int count = 0;
  polygon_choose_lanes(u, v, m, turn, &c);
  const int all[4] = {c.first, (c.first + c.second) & 7, c.third, (c.first + c.fourth) & 7};
  const int there[4] = {1, c.second > 0, 1, c.fourth > 0};
  for (int n = 0; n < 4; ++n) {
    chosen[count] = all[n] < m ? all[n] : m - 1;
    count += there[n];
  }
  keep_deepest_of(u, v, gap, m, chosen, count);
  HEFT_ASSERT(count >= 2 && count <= 4);
  return count;
}

// More points: each time the one farthest from those that are there.
static int add_spread(const Candidates* c, const Flat* at, int* chosen, int count, int max) {
  while (count < max && count < c->count) {
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
  HEFT_ASSERT(count <= max);
  return count;
}

static int choose(const Candidates* c, int max, int* chosen) {
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
  return max > 4 ? add_spread(c, at, chosen, count, max) : count;
}

void heft_manifold_reduce(const Candidates* from, int max, Manifold* out) {
  if (from->count <= max) {
    out->count = from->count;
    memcpy(out->point, from->point, (size_t)from->count * sizeof(Point));
    return;
  }
  int chosen[8];
  out->count = choose(from, max, chosen);
  HEFT_ASSERT(out->count >= 1 && out->count <= max);
  for (int k = 0; k < out->count; ++k) out->point[k] = from->point[chosen[k]];
}

void heft_manifold_reduce_groups(Candidates* c, double cosine, int max, Manifold* out) {
  out->count = 0;
  while (c->count > 0 && out->count + max <= MANIFOLD_MAX) {
    int seed = 0;
    for (int i = 1; i < c->count; ++i) {
      if (c->point[i].gap < c->point[seed].gap) seed = i;
    }
    const HeftVec3 n = c->point[seed].normal;
    Candidates group;
    group.count = 0;
    int rest = 0;
    for (int i = 0; i < c->count; ++i) {
      if (i == seed || heft_vec3_dot(c->point[i].normal, n) >= cosine) {  // never an empty group
        group.point[group.count++] = c->point[i];
      } else {
        c->point[rest++] = c->point[i];
      }
    }
    c->count = rest;
    HEFT_ASSERT(group.count >= 1 && group.count + rest <= CANDIDATE_MAX);
    Manifold part;
    heft_manifold_reduce(&group, max, &part);
    for (int k = 0; k < part.count; ++k) out->point[out->count++] = part.point[k];
  }
  HEFT_ASSERT(out->count <= MANIFOLD_MAX);
}
