// SPDX-License-Identifier: Apache-2.0
// Support points, features and bounds of the shapes.
//
// The support point of a convex set in direction d is a point p that makes d · p largest.
//   ellipsoid p = D² d / |D d| with D = diag(half sizes): the image of the unit sphere under D has
//   the support function |D d|, and p is its gradient.
#include "collision/geometry.h"

#include "base/assert.h"
#include "math/simd.h"

enum {
  CLIMB_FROM = 128,  // hulls with more vertices are climbed, smaller ones searched
  RIM = 16           // corners of the polygon that replaces a cylinder's cap
};

static const double cos_rim[RIM] = {
    1,  0.92387953251128674,  0.70710678118654757,  0.38268343236508978,
    0,  -0.38268343236508978, -0.70710678118654757, -0.92387953251128674,
    -1, -0.92387953251128674, -0.70710678118654757, -0.38268343236508978,
    0,  0.38268343236508978,  0.70710678118654757,  0.92387953251128674};

static HeftVec3 hull_vertex(const Hull* h, int i) { return heft_vec3(h->x[i], h->y[i], h->z[i]); }

// Eight running maxima side by side; on equal values the lowest index wins, as in a plain loop.
HEFT_INLINE int search_lanes(int n, const double* x, const double* y, const double* z, double dx,
                             double dy, double dz) {
  V8 best = v8_all(-HUGE_VAL);
  I8 at = {0}, index = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int i = 0; i < n; i += 8) {
    const V8 s = v8_load(x + i) * dx + v8_load(y + i) * dy + v8_load(z + i) * dz;
    const I8 better = s > best;
    best = v8_select(better, s, best);
    at = (better & index) | (~better & at);
    index += 8;
  }
  int lane = 0;
  for (int k = 1; k < 8; ++k) {
    if (best[k] > best[lane] || (best[k] == best[lane] && at[k] < at[lane])) lane = k;
  }
  return (int)at[lane];
}

HEFT_CLONES static int hull_search(int n, const double* x, const double* y, const double* z,
                                   double dx, double dy, double dz) {
  return search_lanes(n, x, y, z, dx, dy, dz);
}

int heft_hull_climb(const Hull* h, HeftVec3 d, int start) {
  int best = start;
  double value = heft_vec3_dot(hull_vertex(h, best), d);
  for (int moved = 1; moved;) {
    moved = 0;
    const int from = best;
    for (int k = h->neighbour_first[from]; k < h->neighbour_first[from + 1]; ++k) {
      const int i = h->neighbour[k];
      const double s = heft_vec3_dot(hull_vertex(h, i), d);
      if (s > value) {
        value = s;
        best = i;
        moved = 1;
      }
    }
  }
  return best;
}

// From the last vertex or from the one that the compass shows, whichever is farther along.
static int climb_by_compass(const Hull* h, HeftVec3 d, int start) {
  const int shown = h->compass[direction_cell(d, COMPASS_GRID)];
  const double here = heft_vec3_dot(hull_vertex(h, start), d);
  return heft_hull_climb(h, d, heft_vec3_dot(hull_vertex(h, shown), d) > here ? shown : start);
}

static HeftVec3 cylinder_support(const Geometry* g, HeftVec3 d) {
  const double rho = sqrt(d.x * d.x + d.y * d.y);
  const double s = rho > 0 ? g->size[0] / rho : 0;
  return heft_vec3(s * d.x, s * d.y, copysign(g->size[1], d.z));
}

static HeftVec3 ellipsoid_support(const Geometry* g, HeftVec3 d) {
  const HeftVec3 e = heft_vec3(g->size[0] * d.x, g->size[1] * d.y, g->size[2] * d.z);
  const double norm = heft_vec3_norm(e);
  if (!(norm > 0)) return heft_vec3(g->size[0], 0, 0);
  return heft_vec3(g->size[0] * e.x / norm, g->size[1] * e.y / norm, g->size[2] * e.z / norm);
}

static int largest_of_three(const HeftVec3* c, HeftVec3 d) {
  const double s0 = heft_vec3_dot(c[0], d), s1 = heft_vec3_dot(c[1], d);
  const double s2 = heft_vec3_dot(c[2], d);
  if (s0 >= s1 && s0 >= s2) return 0;
  return s1 >= s2 ? 1 : 2;
}

HeftVec3 heft_geometry_support_from(const Geometry* g, HeftVec3 d, int* vertex) {
  switch (g->kind) {
    case KIND_SPHERE:
      return heft_vec3(0, 0, 0);
    case KIND_CAPSULE:
      return heft_vec3(0, 0, copysign(g->size[1], d.z));
    case KIND_CYLINDER:
      return cylinder_support(g, d);
    case KIND_ELLIPSOID:
      return ellipsoid_support(g, d);
    case KIND_BOX:
      return heft_vec3(copysign(g->size[0], d.x), copysign(g->size[1], d.y),
                       copysign(g->size[2], d.z));
    case KIND_HULL: {
      const Hull* h = g->hull;
      if (h->vertex_count > CLIMB_FROM) {
        *vertex = climb_by_compass(h, d, *vertex);
      } else {
        *vertex = hull_search(h->vertex_padded, h->x, h->y, h->z, d.x, d.y, d.z);
      }
      return hull_vertex(h, *vertex);
    }
    case KIND_TRIANGLE:
      return g->corner[largest_of_three(g->corner, d)];
    case KIND_PLANE:
    case KIND_TRIANGLE_MESH:
    case KIND_FIELD:
    case KIND_COUNT:
      break;
  }
  HEFT_ASSERT(g->kind != KIND_PLANE && !kind_has_triangles(g->kind));
  return heft_vec3(0, 0, 0);
}

HeftVec3 heft_geometry_support(const Geometry* g, HeftVec3 d) {
  int vertex = 0;
  return heft_geometry_support_from(g, d, &vertex);
}

int heft_geometry_is_smooth(const Geometry* g) {
  return g->kind == KIND_CYLINDER || g->kind == KIND_ELLIPSOID;
}

// ---- features

// Corner i of a box has +half where bit k of i is set. An edge is named by its two corners.
static HeftVec3 box_corner(const Geometry* g, int i) {
  return heft_vec3(i & 1 ? g->size[0] : -g->size[0], i & 2 ? g->size[1] : -g->size[1],
                   i & 4 ? g->size[2] : -g->size[2]);
}

// Corners of the six faces (-x, +x, -y, +y, -z, +z), counter-clockwise from outside.
static const unsigned char box_face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                             {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static void box_feature(const Geometry* g, HeftVec3 n, Feature* out) {
  const double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
  const int axis = ax >= ay && ax >= az ? 0 : (ay >= az ? 1 : 2);
  const double along = axis == 0 ? n.x : (axis == 1 ? n.y : n.z);
  const double sign = along >= 0 ? 1 : -1;
  out->normal = heft_vec3(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
  out->face_id = 2 * axis + (along >= 0);
  out->count = 4;
  const unsigned char* face = box_face[out->face_id];
  for (int k = 0; k < 4; ++k) {
    const int i = face[k], j = face[(k + 1) & 3];
    out->corner[k] = box_corner(g, i);
    out->corner_id[k] = i;
    out->edge_id[k] = i < j ? 8 * i + j : 8 * j + i;
  }
}

// The largest n · d, less the offset of the plane if there are planes, of a cell and of what was
// found before; on equal values the lowest face wins.
HEFT_INLINE void search_cell(const NormalMap* map, int cell, HeftVec3 d, int planes, double* best,
                             int* face) {
  for (int k = map->first[cell]; k < map->first[cell + 1]; ++k) {
    const double along = map->nx[k] * d.x + map->ny[k] * d.y + map->nz[k] * d.z;
    const double s = planes ? along - map->offset[k] : along;
    if (s > *best || (s == *best && map->face[k] < *face)) {
      *best = s;
      *face = map->face[k];
    }
  }
}

// search_cell() for all cells. After the first one, a cell is searched if its ball may hold a
// better normal.
HEFT_CLONES static int search_map(const NormalMap* map, int first, HeftVec3 d, int planes) {
  const double size = heft_vec3_norm(d);
  double best = -HUGE_VAL;
  int face = 0;
  search_cell(map, first, d, planes, &best, &face);
  for (int i = 0; i < NORMAL_CELLS; i += 8) {
    V8 most = v8_load(map->cx + i) * d.x + v8_load(map->cy + i) * d.y + v8_load(map->cz + i) * d.z +
              v8_load(map->radius + i) * size;
    if (planes) most -= v8_load(map->lowest + i);
    for (int k = 0; k < 8; ++k) {
      if (most[k] >= best && i + k != first) search_cell(map, i + k, d, planes, &best, &face);
    }
  }
  return face;
}

int heft_hull_outermost(const Hull* h, HeftVec3 p) {
  double best = -HUGE_VAL;
  int face = 0;
  if (h->normals)
    return search_map(h->normals, direction_cell(heft_vec3_sub(p, h->center), NORMAL_GRID), p, 1);
  for (int f = 0; f < h->face_count; ++f) {
    const double s = h->nx[f] * p.x + h->ny[f] * p.y + h->nz[f] * p.z - h->offset[f];
    if (s > best) {
      best = s;
      face = f;
    }
  }
  return face;
}

// The face whose normal is nearest to n.
static int face_towards(const Hull* h, HeftVec3 n) {
  const int padded = (h->face_count + 7) / 8 * 8;
  if (h->normals) return search_map(h->normals, direction_cell(n, NORMAL_GRID), n, 0);
  return hull_search(padded, h->nx, h->ny, h->nz, n.x, n.y, n.z);
}

static void hull_feature(const Hull* h, HeftVec3 n, Feature* out) {
  const int f = face_towards(h, n);
  out->normal = heft_vec3(h->nx[f], h->ny[f], h->nz[f]);
  out->face_id = f;
  const int first = h->face_loop[f], all = h->face_loop[f + 1] - first;
  out->count = all < FEATURE_MAX ? all : FEATURE_MAX;
  for (int k = 0; k < out->count; ++k) {
    // A face with too many corners is thinned out evenly.
    const int at = first + (int)((long)k * all / out->count);
    out->corner[k] = hull_vertex(h, h->loop_vertex[at]);
    out->corner_id[k] = h->loop_vertex[at];
    out->edge_id[k] = h->loop_edge[at];
  }
}

static void cap_feature(const Geometry* g, int top, Feature* out) {
  const double z = top ? g->size[1] : -g->size[1];
  out->normal = heft_vec3(0, 0, top ? 1 : -1);
  out->face_id = top;
  out->count = RIM;
  for (int k = 0; k < RIM; ++k) {
    const int i = top ? k : (RIM - k) % RIM;
    out->corner[k] =
        heft_vec3(g->size[0] * cos_rim[i], g->size[0] * cos_rim[(i + RIM - 4) % RIM], z);
    out->corner_id[k] = top * RIM + i;
    out->edge_id[k] = top * RIM + (top ? i : (i + RIM - 1) % RIM);
  }
}

static void segment_feature(HeftVec3 a, HeftVec3 b, Feature* out) {
  out->count = 2;
  out->face_id = 0;
  out->corner[0] = a;
  out->corner[1] = b;
  out->corner_id[0] = 100;
  out->corner_id[1] = 101;
  out->edge_id[0] = out->edge_id[1] = 100;
  out->normal = heft_vec3(0, 0, 0);
}

static void cylinder_feature(const Geometry* g, HeftVec3 n, Feature* out) {
  const double rho = sqrt(n.x * n.x + n.y * n.y);
  if (fabs(n.z) >= rho) {
    cap_feature(g, n.z > 0, out);
    return;
  }
  const double x = g->size[0] * n.x / rho, y = g->size[0] * n.y / rho;
  segment_feature(heft_vec3(x, y, -g->size[1]), heft_vec3(x, y, g->size[1]), out);
}

static void triangle_feature(const Geometry* g, HeftVec3 n, Feature* out) {
  const HeftVec3* c = g->corner;
  const HeftVec3 m =
      heft_vec3_normalize(heft_vec3_cross(heft_vec3_sub(c[1], c[0]), heft_vec3_sub(c[2], c[0])));
  const int back = heft_vec3_dot(m, n) < 0;
  out->count = 3;
  out->face_id = 0;
  out->normal = back ? heft_vec3_neg(m) : m;
  for (int k = 0; k < 3; ++k) {
    const int i = back ? 2 - k : k;
    out->corner[k] = c[i];
    out->corner_id[k] = i;
    out->edge_id[k] = back ? (i + 2) % 3 : i;
  }
}

void heft_geometry_feature(const Geometry* g, HeftVec3 n, Feature* out) {
  switch (g->kind) {
    case KIND_BOX:
      box_feature(g, n, out);
      return;
    case KIND_HULL:
      hull_feature(g->hull, n, out);
      return;
    case KIND_CYLINDER:
      cylinder_feature(g, n, out);
      return;
    case KIND_TRIANGLE:
      triangle_feature(g, n, out);
      return;
    case KIND_CAPSULE:
      segment_feature(heft_vec3(0, 0, -g->size[1]), heft_vec3(0, 0, g->size[1]), out);
      return;
    case KIND_PLANE:
    case KIND_SPHERE:
    case KIND_ELLIPSOID:
    case KIND_TRIANGLE_MESH:
    case KIND_FIELD:
    case KIND_COUNT:
      out->count = 1;
      out->corner[0] = heft_geometry_support(g, n);
      out->corner_id[0] = 0;
      out->edge_id[0] = 0;
      out->face_id = 0;
      out->normal = heft_vec3(0, 0, 0);
      break;
  }
}

// ---- bounds

static void bound_points(Geometry* g, int n, const double* x, const double* y, const double* z) {
  double lo[3] = {x[0], y[0], z[0]}, hi[3] = {x[0], y[0], z[0]};
  for (int i = 1; i < n; ++i) {
    const double p[3] = {x[i], y[i], z[i]};
    for (int k = 0; k < 3; ++k) {
      lo[k] = p[k] < lo[k] ? p[k] : lo[k];
      hi[k] = p[k] > hi[k] ? p[k] : hi[k];
    }
  }
  g->center = heft_vec3(0.5 * (lo[0] + hi[0]), 0.5 * (lo[1] + hi[1]), 0.5 * (lo[2] + hi[2]));
  g->half = heft_vec3(0.5 * (hi[0] - lo[0]), 0.5 * (hi[1] - lo[1]), 0.5 * (hi[2] - lo[2]));
}

void heft_geometry_bound(Geometry* g) {
  const double* s = g->size;
  g->center = heft_vec3(0, 0, 0);
  g->radius = 0;
  switch (g->kind) {
    case KIND_SPHERE:
      g->radius = s[0];
      g->half = heft_vec3(s[0], s[0], s[0]);
      break;
    case KIND_CAPSULE:
      g->radius = s[0];
      g->half = heft_vec3(s[0], s[0], s[0] + s[1]);
      break;
    case KIND_CYLINDER:
      g->half = heft_vec3(s[0], s[0], s[1]);
      break;
    case KIND_HULL:
      bound_points(g, g->hull->vertex_count, g->hull->x, g->hull->y, g->hull->z);
      break;
    case KIND_PLANE:
      g->half = heft_vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
      break;
    case KIND_TRIANGLE_MESH:
    case KIND_FIELD:
    case KIND_TRIANGLE:
      break;  // set by who made it
    case KIND_ELLIPSOID:
    case KIND_BOX:
    case KIND_COUNT:
      g->half = heft_vec3_from(s);
      break;
  }
}
