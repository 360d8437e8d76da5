// SPDX-License-Identifier: Apache-2.0
// Quickhull [Barber 1996] on a lattice.
//
// A hull grows from a tetrahedron. Each point that lies outside belongs to one face that it is
// above. The highest point above a face becomes a vertex: the faces that it sees are removed, and
// their border (the horizon) is connected with it.
//
// Whether a point is above a face is the sign of a determinant of differences of coordinates. With
// coordinates up to 2^20, the components of a normal are below 2^41 and the determinant is below
// 3 · 2^61: it fits into 64 bits and has no rounding. So flat faces, points on lines and repeated
// points need no tolerance, the faces seen are always one disc with one border, and the result is
// the same on every machine. Among points of equal height the largest in the order of (x, y, z) is
// taken; it is a corner of their hull, so that every vertex is a true corner.
#include "io/lattice_hull.h"

#include <math.h>
#include <string.h>

#define FACE(space, i) (&GROW_AT((space)->faces, HullFace, i))

// Operations of about a nanosecond, measured: a point against a face, a new face.
static const double work_of_test = 10, work_of_face = 150;

static void cross(const int64_t a[3], const int64_t b[3], int64_t out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static void difference(const LatticePoint* a, const LatticePoint* b, int64_t out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = (int64_t)a->x[k] - b->x[k];
}

// Height of a point above a face times the length of the normal.
static int64_t height(const HullSpace* s, const HullFace* f, int point) {
  int64_t d[3];
  difference(&s->points[point], &s->points[f->v[0]], d);
  return f->normal[0] * d[0] + f->normal[1] * d[1] + f->normal[2] * d[2];
}

static int before(const LatticePoint* a, const LatticePoint* b) {
  for (int k = 0; k < 3; ++k) {
    if (a->x[k] != b->x[k]) return a->x[k] < b->x[k];
  }
  return 0;
}

static int make_face(HullSpace* s, int a, int b, int c) {
  int i = s->free_face;
  if (i >= 0) {
    s->free_face = FACE(s, i)->v[0];
  } else {
    if (!grow_add(&s->faces, sizeof(HullFace), s->region)) return -1;
    i = s->faces.count - 1;
  }
  HullFace* f = FACE(s, i);
  *f = (HullFace){.v = {a, b, c}, .next = {-1, -1, -1}, .points = -1, .alive = 1};
  int64_t ab[3], ac[3];
  difference(&s->points[b], &s->points[a], ab);
  difference(&s->points[c], &s->points[a], ac);
  cross(ab, ac, f->normal);
  ++s->alive;
  s->effort->work += work_of_face;
  return i;
}

static void give_point(HullSpace* s, HullFace* f, int point, int64_t h) {
  s->next[point] = f->points;
  const int better = f->points < 0 || h > f->height ||
                     (h == f->height && before(&s->points[f->farthest], &s->points[point]));
  f->points = point;
  if (!better) return;
  f->farthest = point;
  f->height = h;
}

// Gives a point to the first of the faces that it is above, if any.
static void place_point(HullSpace* s, const Grow* faces, int point) {
  s->above[point] = -1;
  for (int i = 0; i < faces->count; ++i) {
    HullFace* f = FACE(s, GROW_AT(*faces, int, i));
    s->effort->work += work_of_test;
    const int64_t h = height(s, f, point);
    if (h <= 0) continue;
    give_point(s, f, point, h);
    s->above[point] = GROW_AT(*faces, int, i);
    return;
  }
}

static int push(HullSpace* s, Grow* list, int item) {
  int* slot = grow_add(list, sizeof(int), s->region);
  if (!slot) return 0;
  *slot = item;
  return 1;
}

// ---- the first tetrahedron

// Length of (a - o) x (p - o), in double: it only chooses among points.
static double line_distance(const HullSpace* s, int o, int a, int p) {
  int64_t u[3], v[3], n[3];
  difference(&s->points[a], &s->points[o], u);
  difference(&s->points[p], &s->points[o], v);
  cross(u, v, n);
  const double x = (double)n[0], y = (double)n[1], z = (double)n[2];
  return x * x + y * y + z * z;
}

// Four points that are not in a plane. Returns 0 if there are none.
static int find_corners(HullSpace* s, int count, int v[4]) {
  const LatticePoint* p = s->points;
  v[0] = v[1] = 0;
  for (int i = 1; i < count; ++i) {
    if (before(&p[i], &p[v[0]])) v[0] = i;
    if (before(&p[v[1]], &p[i])) v[1] = i;
  }
  double widest = 0;
  for (int i = 0; i < count; ++i) {
    const double d = line_distance(s, v[0], v[1], i);
    if (d > widest) widest = d, v[2] = i;
  }
  if (!(widest > 0)) return 0;
  int64_t highest = 0;
  HullFace base = {.v = {v[0], v[1], v[2]}};
  int64_t u[3], w[3];
  difference(&p[v[1]], &p[v[0]], u);
  difference(&p[v[2]], &p[v[0]], w);
  cross(u, w, base.normal);
  int below = 0;
  for (int i = 0; i < count; ++i) {
    const int64_t h = height(s, &base, i);
    const int64_t size = h < 0 ? -h : h;
    if (size < highest || size == 0) continue;
    if (size == highest && !before(&p[v[3]], &p[i])) continue;
    highest = size;
    v[3] = i;
    below = h < 0;
  }
  s->effort->work += work_of_test * 3 * count;
  if (highest == 0) return 0;
  if (!below) {
    const int swap = v[1];
    v[1] = v[2];
    v[2] = swap;
  }
  return 1;  // v[3] is below the triangle v[0] v[1] v[2]
}

static int make_tetrahedron(HullSpace* s, const int v[4]) {
  static const int corner[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
  static const int beyond[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  s->fresh.count = 0;
  for (int i = 0; i < 4; ++i) {
    const int f = make_face(s, v[corner[i][0]], v[corner[i][1]], v[corner[i][2]]);
    if (f < 0 || !push(s, &s->fresh, f)) return 0;
  }
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k)
      FACE(s, GROW_AT(s->fresh, int, i))->next[k] = GROW_AT(s->fresh, int, beyond[i][k]);
  }
  return 1;
}

// ---- one more vertex

// Lists the faces that the point sees, from one of them on.
static int find_visible(HullSpace* s, int first, int eye) {
  s->visible.count = 0;
  const int seen = ++s->marks, hidden = ++s->marks;
  FACE(s, first)->mark = seen;
  if (!push(s, &s->visible, first)) return 0;
  for (int i = 0; i < s->visible.count; ++i) {
    for (int k = 0; k < 3; ++k) {
      const int g = FACE(s, GROW_AT(s->visible, int, i))->next[k];
      HullFace* face = FACE(s, g);
      if (face->mark == seen || face->mark == hidden) continue;
      s->effort->work += work_of_test;
      face->mark = height(s, face, eye) > 0 ? seen : hidden;
      if (face->mark == seen && !push(s, &s->visible, g)) return 0;
    }
  }
  return seen;
}

// A face from the edge k of a visible face, if a hidden one is beyond it, to the eye.
static int connect(HullSpace* s, int visible, int k, int eye, int seen) {
  const HullFace old = *FACE(s, visible);
  const int g = old.next[k], a = old.v[k], b = old.v[(k + 1) % 3];
  if (FACE(s, g)->mark == seen) return 1;
  const int f = make_face(s, a, b, eye);
  if (f < 0 || !push(s, &s->fresh, f)) return 0;
  FACE(s, f)->next[0] = g;
  HullFace* other = FACE(s, g);
  for (int j = 0; j < 3; ++j) {
    if (other->v[j] == b && other->v[(j + 1) % 3] == a) other->next[j] = f;
  }
  s->from[a] = f;
  return 1;
}

static int remove_visible(HullSpace* s, int eye) {
  s->loose.count = 0;
  s->above[eye] = -1;
  for (int i = 0; i < s->visible.count; ++i) {
    const int index = GROW_AT(s->visible, int, i);
    HullFace* f = FACE(s, index);
    for (int p = f->points; p >= 0; p = s->next[p]) {
      if (p != eye && !push(s, &s->loose, p)) return 0;
    }
    f->alive = 0;
    f->points = -1;
    f->v[0] = s->free_face;
    s->free_face = index;
    --s->alive;
  }
  return 1;
}

// Adds a point that is above the face `first`.
static HullResult add_vertex(HullSpace* s, int first, int eye) {
  const int seen = find_visible(s, first, eye);
  s->fresh.count = 0;
  if (!seen) return HULL_NO_MEMORY;
  for (int i = 0; i < s->visible.count; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (!connect(s, GROW_AT(s->visible, int, i), k, eye, seen)) return HULL_NO_MEMORY;
    }
  }
  for (int i = 0; i < s->fresh.count; ++i) {
    const int f = GROW_AT(s->fresh, int, i), g = s->from[FACE(s, f)->v[1]];
    FACE(s, f)->next[1] = g;
    FACE(s, g)->next[2] = f;
  }
  if (!remove_visible(s, eye)) return HULL_NO_MEMORY;
  for (int i = 0; i < s->loose.count && !effort_spent(s->effort); ++i)
    place_point(s, &s->fresh, GROW_AT(s->loose, int, i));
  return effort_spent(s->effort) ? HULL_SPENT : HULL_MADE;
}

// ---- the whole

static int reserve(HullSpace* s, int count) {
  if (count > s->point_capacity) {
    const int capacity = count > 2 * s->point_capacity ? count : 2 * s->point_capacity;
    s->next = region_take(s->region, (size_t)capacity, sizeof(int));
    s->from = region_take(s->region, (size_t)capacity, sizeof(int));
    s->above = region_take(s->region, (size_t)capacity, sizeof(int));
    if (!s->next || !s->from || !s->above) return 0;
    s->point_capacity = capacity;
  }
  s->point_count = count;
  s->faces.count = s->alive = 0;
  s->free_face = -1;
  return 1;
}

// Adds all points; s->stack holds the faces that may have points above them.
static HullResult add_all(HullSpace* s) {
  s->stack.count = 0;
  for (int i = 0; i < s->faces.count; ++i) {
    if (!push(s, &s->stack, i)) return HULL_NO_MEMORY;
  }
  while (s->stack.count > 0) {
    const int f = GROW_AT(s->stack, int, --s->stack.count);
    if (!FACE(s, f)->alive || FACE(s, f)->points < 0) continue;
    const HullResult added = add_vertex(s, f, FACE(s, f)->farthest);
    if (added != HULL_MADE) return added;
    for (int i = 0; i < s->fresh.count; ++i) {
      if (!push(s, &s->stack, GROW_AT(s->fresh, int, i))) return HULL_NO_MEMORY;
    }
  }
  return HULL_MADE;
}

static HullResult begin(HullSpace* s, const LatticePoint* points, int count) {
  s->points = points;
  if (!reserve(s, count)) return HULL_NO_MEMORY;
  int v[4] = {0};
  if (count < 4 || !find_corners(s, count, v)) return HULL_FLAT;
  if (!make_tetrahedron(s, v)) return HULL_NO_MEMORY;
  for (int i = 0; i < count; ++i) place_point(s, &s->fresh, i);
  return HULL_MADE;
}

HullResult hull_make(HullSpace* s, const LatticePoint* points, int count) {
  const HullResult begun = begin(s, points, count);
  return begun == HULL_MADE ? add_all(s) : begun;
}

int64_t hull_volume(const HullSpace* s) {
  int64_t volume = 0;
  const LatticePoint* o = NULL;
  for (int i = 0; i < s->faces.count; ++i) {
    const HullFace* f = FACE(s, i);
    if (!f->alive) continue;
    if (!o) o = &s->points[f->v[0]];
    int64_t d[3];
    difference(&s->points[f->v[0]], o, d);
    volume += f->normal[0] * d[0] + f->normal[1] * d[1] + f->normal[2] * d[2];
  }
  return volume;
}

int hull_vertices(HullSpace* s, int* out, int capacity) {
  int count = 0;
  for (int i = 0; i < s->point_count; ++i) s->from[i] = 0;
  for (int i = 0; i < s->faces.count; ++i) {
    const HullFace* f = FACE(s, i);
    for (int k = 0; k < 3 && f->alive; ++k) s->from[f->v[k]] = 1;
  }
  for (int i = 0; i < s->point_count; ++i) {
    if (!s->from[i]) continue;
    if (count < capacity) out[count] = i;
    ++count;
  }
  return count;
}

// ---- distances

static void subtract(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = a[k] - b[k];
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double segment_distance_squared(const double x[3], const double a[3], const double b[3]) {
  double u[3], w[3];
  subtract(b, a, u);
  subtract(x, a, w);
  const double length = dot(u, u);
  double t = length > 0 ? dot(u, w) / length : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  for (int k = 0; k < 3; ++k) w[k] -= t * u[k];
  return dot(w, w);
}

// Above the inside of the triangle the distance is from the plane, else from an edge.
double triangle_distance_squared(const double x[3], const double a[3], const double b[3],
                                 const double c[3]) {
  double u[3], v[3], w[3];
  subtract(b, a, u);
  subtract(c, a, v);
  subtract(x, a, w);
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), wu = dot(w, u), wv = dot(w, v);
  const double area = uu * vv - uv * uv, s = wu * vv - wv * uv, t = wv * uu - wu * uv;
  if (area > 1e-12 * uu * vv && s >= 0 && t >= 0 && s + t <= area) {
    for (int k = 0; k < 3; ++k) w[k] -= (s * u[k] + t * v[k]) / area;
    return dot(w, w);
  }
  const double ab = segment_distance_squared(x, a, b), bc = segment_distance_squared(x, b, c),
               ca = segment_distance_squared(x, c, a);
  const double least = ab < bc ? ab : bc;
  return least < ca ? least : ca;
}

static void corner_of(const HullSpace* s, int point, double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = s->points[point].x[k];
}

static double hull_distance_squared(HullSpace* s, int point) {
  double x[3], a[3], b[3], c[3], least = (double)INFINITY;
  corner_of(s, point, x);
  for (int i = 0; i < s->faces.count; ++i) {
    const HullFace* f = FACE(s, i);
    if (!f->alive) continue;
    corner_of(s, f->v[0], a);
    corner_of(s, f->v[1], b);
    corner_of(s, f->v[2], c);
    const double d = triangle_distance_squared(x, a, b, c);
    if (d < least) least = d;
  }
  s->effort->work += 8 * work_of_test * s->alive;
  return least;
}

// Whether point a comes before b in the heap. Points of equal distance keep their order.
static int is_farther(const HullSpace* s, int a, int b) {
  return s->distance[a] > s->distance[b] || (s->distance[a] == s->distance[b] && a < b);
}

// Moves the first point of the heap down to its place.
static void sift_first(HullSpace* s) {
  int root = 0;
  for (int child = 1; child < s->heap_count; child = 2 * root + 1) {
    s->effort->work += work_of_test;
    if (child + 1 < s->heap_count && is_farther(s, s->heap[child + 1], s->heap[child])) ++child;
    if (!is_farther(s, s->heap[child], s->heap[root])) return;
    const int swap = s->heap[root];
    s->heap[root] = s->heap[child];
    s->heap[child] = swap;
    root = child;
  }
}

// The point outside of the hull that is farthest from it; -1: there is none. As the hull grows,
// distances shrink: one that was computed before is a bound, and only the largest bound has to be
// computed anew. If the effort is spent, the point is any.
static int farthest_point(HullSpace* s) {
  while (s->heap_count > 0) {
    const int p = s->heap[0];
    if (s->above[p] < 0) {
      s->heap[0] = s->heap[--s->heap_count];
    } else if (s->measured[p] == s->alive_since || effort_spent(s->effort)) {
      return p;
    } else {
      s->distance[p] = sqrt(hull_distance_squared(s, p));
      s->measured[p] = s->alive_since;
    }
    sift_first(s);
  }
  return -1;
}

static int reserve_distances(HullSpace* s, int count) {
  if (count > s->distance_capacity) {
    s->distance = region_take(s->region, (size_t)count, sizeof(double));
    s->measured = region_take(s->region, (size_t)count, sizeof(int));
    s->heap = region_take(s->region, (size_t)count, sizeof(int));
    if (!s->distance || !s->measured || !s->heap) return 0;
    s->distance_capacity = count;
  }
  s->heap_count = 0;
  for (int i = 0; i < count; ++i) {
    s->distance[i] = (double)INFINITY;
    s->measured[i] = 0;
    if (s->above[i] >= 0) s->heap[s->heap_count++] = i;
  }
  s->alive_since = 1;
  s->missing = 0;
  return 1;
}

// A closed surface of n triangles has n / 2 + 2 vertices.
HullResult hull_make_simple(HullSpace* s, const LatticePoint* points, int count, int max_vertices,
                            double error) {
  const HullResult begun = begin(s, points, count);
  if (begun != HULL_MADE) return begun;
  if (!reserve_distances(s, count)) return HULL_NO_MEMORY;
  for (;;) {
    const int p = farthest_point(s);
    if (p >= 0 && effort_spent(s->effort)) return HULL_SPENT;
    s->missing = p < 0 ? 0 : s->distance[p];
    if (p < 0 || s->distance[p] <= error || s->alive / 2 + 2 >= max_vertices) return HULL_MADE;
    const HullResult added = add_vertex(s, s->above[p], p);
    if (added != HULL_MADE) return added;
    ++s->alive_since;
  }
}
