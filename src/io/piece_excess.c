// SPDX-License-Identifier: Apache-2.0
// A bound of how far the surface of a hull is from the solid S.
//
// g(x) is the distance of x from S, and -depth inside: the signed distance. It changes by at most
// |x - y| between two points. So if c is the centre of a triangle T and r reaches from there to its
// corners,
//     max over T of g  <=  g(c) + r.                                                    (1)
// The distance from one triangle F of the mesh is a convex function, which is largest at a corner:
//     max over T of g  <=  min over F of  max over corners v of T of  dist(v, F).       (2)
// With F nearest to c, (2) is exact where T lies on F, and (1) deep inside of S. A triangle whose
// bound is too far above the largest distance found is cut in two at its longest edge; otherwise
// its bound is kept. The largest bound kept is a bound for the whole surface, whatever the mesh
// looks like. If it is unknown whether c is in S, c counts as outside, which is safe.
//
// Effort. Beyond ExcessDef.tired, triangles are cut no more. When the effort is spent, they are not
// looked at: two points of a hull are not farther apart than the corners of its box, and one of
// them is in S.
#include <math.h>
#include <string.h>

#include "io/pieces.h"

enum { STACK = 128 };

typedef struct Triangle {
  double v[3][3];
  int face;  ///< of the mesh, near to it; -1: none is known
} Triangle;

static double distance(const double a[3], const double b[3]) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

// Distances over a triangle: at its centre, if it matters, and a bound for all of it.
typedef struct Spread {
  double centre;  ///< a distance that occurs
  double bound;
} Spread;

static Spread measure(Solid* s, Triangle* t, double needed) {
  double c[3], radius = 0;
  int face = -1;
  for (int k = 0; k < 3; ++k) c[k] = (t->v[0][k] + t->v[1][k] + t->v[2][k]) / 3;
  for (int i = 0; i < 3; ++i) radius = fmax(radius, distance(c, t->v[i]));
  const double limit = t->face >= 0 ? solid_face_distance(s, t->face, c) : 4.0 * LATTICE_MAX;
  const double d = solid_distance(s, c, limit, &face);
  if (face < 0) face = t->face;
  t->face = face;
  double corners = 0;
  for (int i = 0; i < 3 && face >= 0; ++i)
    corners = fmax(corners, solid_face_distance(s, face, t->v[i]));
  const double bound = fmin(d + radius, corners);
  if (bound <= needed) return (Spread){0, bound};  // whether c is in S does not matter
  if (solid_contains(s, c) != 1) return (Spread){d, bound};
  return (Spread){0, fmin(corners, fmax(0, radius - d))};
}

// Cuts the longest edge at its middle.
static void halve(const Triangle* t, Triangle out[2]) {
  int longest = 0;
  double length = -1;
  for (int k = 0; k < 3; ++k) {
    const double d = distance(t->v[k], t->v[(k + 1) % 3]);
    if (d > length) length = d, longest = k;
  }
  const int a = longest, b = (longest + 1) % 3;
  out[0] = out[1] = *t;
  for (int k = 0; k < 3; ++k) out[0].v[b][k] = out[1].v[a][k] = 0.5 * (t->v[a][k] + t->v[b][k]);
}

typedef struct Search {
  Solid* solid;
  const HullSpace* hull;
  const ExcessDef* def;
  double diagonal;  ///< of the hull
  double found;     ///< largest distance of a point so far
  double bound;     ///< largest bound kept
} Search;

static double needed(const Search* s) {
  return fmax(s->def->enough, (1 + s->def->share) * s->found);
}

static int over(const Search* s) { return s->found > s->def->stop; }

// Of the box around a hull.
static double diagonal(const HullSpace* hull) {
  double low[3], high[3];
  for (int k = 0; k < 3; ++k) low[k] = LATTICE_MAX, high[k] = 0;
  for (int f = 0; f < hull->faces.count; ++f) {
    const HullFace* face = &GROW_AT(hull->faces, HullFace, f);
    for (int i = 0; i < 3 && face->alive; ++i) {
      for (int k = 0; k < 3; ++k) {
        low[k] = fmin(low[k], hull->points[face->v[i]].x[k]);
        high[k] = fmax(high[k], hull->points[face->v[i]].x[k]);
      }
    }
  }
  return distance(low, high);
}

static void search(Search* s, const Triangle* whole) {
  Triangle stack[STACK];
  int count = 0;
  stack[count++] = *whole;
  while (count > 0 && !over(s)) {
    Triangle t = stack[--count];
    if (effort_spent(s->solid->effort)) {
      s->bound = fmax(s->bound, s->diagonal);
      return;
    }
    const Spread spread = measure(s->solid, &t, needed(s));
    s->found = fmax(s->found, spread.centre < spread.bound ? spread.centre : spread.bound);
    const int tired = s->solid->effort->work > s->def->tired;
    if (spread.bound <= needed(s) || count + 2 > STACK || tired) {
      s->bound = fmax(s->bound, spread.bound);
    } else {
      halve(&t, stack + count);
      count += 2;
    }
  }
}

static int triangle_of(const HullSpace* hull, int face, Triangle* out) {
  const HullFace* f = &GROW_AT(hull->faces, HullFace, face);
  if (!f->alive) return 0;
  out->face = -1;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) out->v[i][k] = hull->points[f->v[i]].x[k];
  }
  return 1;
}

double hull_excess(Solid* solid, HullSpace* hull, const ExcessDef* def) {
  Search s = {.solid = solid, .hull = hull, .def = def, .diagonal = diagonal(hull)};
  Triangle t;
  for (int f = 0; f < hull->faces.count && !over(&s); ++f) {  // the large distances first
    if (effort_spent(solid->effort)) return s.diagonal;
    if (!triangle_of(hull, f, &t)) continue;
    const Spread spread = measure(solid, &t, needed(&s));
    s.found = fmax(s.found, fmin(spread.centre, spread.bound));
  }
  for (int f = 0; f < hull->faces.count && !over(&s); ++f) {
    if (triangle_of(hull, f, &t)) search(&s, &t);
  }
  return over(&s) ? s.found : s.bound;
}
