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

static const double clearly = 1e-6;  // of an area
static const double deeper = 1e-9;   // of the contact's size

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

// Starts the polygon at its lowest feature, so that ties do not depend on where it lies.
static void rotate_to_lowest(const Candidates* c, Flat* hull, int m) {
  int first = 0;
  for (int i = 1; i < m; ++i) {
    if (c->point[hull[i].index].feature < c->point[hull[first].index].feature) first = i;
  }
  Flat copy[CANDIDATE_MAX];
  for (int i = 0; i < m; ++i) copy[i] = hull[(first + i) % m];
  memcpy(hull, copy, (size_t)m * sizeof *hull);
}

// Moves tip forward while the triangle (i, j, tip) grows; stays before `end`.
static int advance(const Flat* h, int m, int i, int j, int tip, int end, double sign) {
  while (tip + 1 < end) {
    const double now = sign * cross2(h[i], h[j], h[tip % m]);
    const double then = sign * cross2(h[i], h[j], h[(tip + 1) % m]);
    if (!(then > now * (1 + clearly))) break;
    ++tip;
  }
  return tip;
}

static void largest_quad(const Flat* h, int m, int best[4]) {
  double largest = -1;
  for (int i = 0; i + 2 < m; ++i) {
    int k = i + 1, l = i + 3;
    for (int j = i + 2; j < m; ++j) {
      k = advance(h, m, i, j, k, j, -1);
      if (l <= j) l = j + 1;
      l = advance(h, m, i, j, l, i + m, 1);
      const double upper = l < i + m ? cross2(h[i], h[j], h[l % m]) : 0;
      const double area = upper - cross2(h[i], h[j], h[k]);
      if (area > largest * (1 + clearly)) {
        largest = area;
        best[0] = i, best[1] = k, best[2] = j, best[3] = l < i + m ? l % m : -1;
      }
    }
  }
}

// Takes the deepest point in place of the corner whose loss costs the least area.
static void keep_deepest(const Candidates* c, const Flat* at, int deepest, double size, int* chosen,
                         int count) {
  double lowest = INFINITY;
  for (int k = 0; k < count; ++k) {
    if (chosen[k] == deepest) return;
    lowest = fmin(lowest, c->point[chosen[k]].gap);
  }
  if (!(c->point[deepest].gap < lowest - deeper * size)) return;
  int weakest = 0;
  double least = INFINITY;
  for (int k = 0; k < count; ++k) {
    const double area = fabs(cross2(at[chosen[(k + count - 1) % count]], at[chosen[k]],
                                    at[chosen[(k + 1) % count]]));
    if (area < least) {
      least = area;
      weakest = k;
    }
  }
  chosen[weakest] = deepest;
}

// More points: each time the one farthest from those that are there.
static int add_spread(const Candidates* c, const Flat* at, int* chosen, int count, int most) {
  while (count < most && count < c->count) {
    int best = -1;
    double farthest = 0;
    for (int i = 0; i < c->count; ++i) {
      double nearest = INFINITY;
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
  const int deepest = deepest_of(c);
  const double size = flatten(c, deepest, at);
  memcpy(sorted, at, (size_t)c->count * sizeof *at);
  const int m = convex_hull(sorted, c->count, 1e-9 * size * size, hull);
  int count = 0;
  if (m <= 4) {
    for (int i = 0; i < m; ++i) chosen[count++] = hull[i].index;
  } else {
    int best[4] = {0, 1, 2, 3};
    rotate_to_lowest(c, hull, m);
    largest_quad(hull, m, best);
    for (int k = 0; k < 4; ++k) {
      if (best[k] >= 0) chosen[count++] = hull[best[k]].index;
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
