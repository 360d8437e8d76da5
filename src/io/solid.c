// SPDX-License-Identifier: Apache-2.0
// Definition. M is the surface of a mesh: the union of its closed triangles, whatever they are
// (open, crossing, repeated, turned either way, without area). The solid S is M with everything
// that M encloses: all points from which no path leads to infinity without touching M. This needs
// no orientation and no closed mesh. An open sheet is its own solid.
//
// Grid. A cell that a triangle touches is a surface cell. Cells without surface that are reached
// from the border of the grid through their sides are outside, all others inside. A cell that is
// called outside is outside. A cell that is called inside may have a way out that passes between
// triangles through surface cells only: openings that are narrower than a cell can be closed.
//
// Points in surface cells. If a segment from a point to the centre of an inside or outside cell
// touches no triangle, both are on the same side. If each edge of the mesh belongs to an even
// number of triangles, the number of triangles between two points changes by an even number when
// one of them moves without touching the surface; if each edge is used as often in both directions,
// their sum with signs does not change. So a point with an odd number, or with a sum that is not
// zero, towards an outside point is not outside: it is in S. Otherwise it is unknown.
//
// Rounding. Vertices are rounded to a lattice of at most 2^20 points per axis, by less than 1e-6 of
// the size of the mesh. All that follows is exact in whole numbers, or in double with a slack that
// makes the answer safe: a triangle that nearly touches a cell or a segment touches it.
#include "io/solid.h"

#include <math.h>
#include <string.h>

// Operations of about a nanosecond, measured: a cell, a test of a triangle with a box, a node of
// the tree, a distance from a triangle.
static const double work_of_cell = 10, work_of_box = 150, work_of_node = 25, work_of_triangle = 60;

enum { LEAF = 4, STACK = 96, HALVES = 40 };

static void corner(const Solid* s, int face, int k, double out[3]) {
  const LatticePoint* p = &s->vertices[s->faces[3L * face + k]];
  for (int i = 0; i < 3; ++i) out[i] = p->x[i];
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// ---- the lattice

// The box of the vertices that faces use. Returns 0 if it is not finite.
static int find_box(const Mesh* m, double min[3], double max[3]) {
  for (int k = 0; k < 3; ++k) min[k] = (double)INFINITY, max[k] = -(double)INFINITY;
  for (int i = 0; i < 3 * m->face_count; ++i) {
    const double* v = m->vertices + 3L * m->faces[i];
    for (int k = 0; k < 3; ++k) {
      if (!(fabs(v[k]) <= 1e100)) return 0;
      if (v[k] < min[k]) min[k] = v[k];
      if (v[k] > max[k]) max[k] = v[k];
    }
  }
  return m->face_count > 0;
}

// One and a half cells are free before the mesh, at least as much behind it.
static int make_lattice(Solid* s, const Mesh* m, double width) {
  double min[3], max[3], size = 0;
  if (!find_box(m, min, max)) return 0;
  for (int k = 0; k < 3; ++k) size = max[k] - min[k] > size ? max[k] - min[k] : size;
  if (!(size >= 1e-100)) return 0;
  double count = ceil(size / width);
  if (!(count <= SOLID_CELLS - 4)) count = SOLID_CELLS - 4;
  if (count < 8) count = 8;
  s->cell = (int)(LATTICE_MAX / (count + 4));
  s->step = size / (count * s->cell);
  for (int k = 0; k < 3; ++k) {
    s->origin[k] = min[k] - 1.5 * s->cell * s->step;
    s->cells[k] = (int)ceil((max[k] - min[k]) / (s->cell * s->step) - 1e-9) + 3;
  }
  s->words = (s->cells[0] + 63) / 64;
  return 1;
}

static int make_vertices(Solid* s, const Mesh* m) {
  s->vertex_count = m->vertex_count;
  s->vertices = region_take(s->region, (size_t)m->vertex_count, sizeof(LatticePoint));
  if (!s->vertices) return 0;
  for (int i = 0; i < m->vertex_count; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double x = floor((m->vertices[3L * i + k] - s->origin[k]) / s->step + 0.5);
      // Vertices that no face uses may be anywhere.
      s->vertices[i].x[k] = x >= 0 && x <= LATTICE_MAX ? (int32_t)x : 0;
    }
  }
  s->effort->work += 25.0 * m->vertex_count;
  return 1;
}

// ---- the grid

// Whether the axis separates a triangle from a box about the origin.
static int separated(const double axis[3], const double v[3][3], const double half[3]) {
  const double a = dot(axis, v[0]), b = dot(axis, v[1]), c = dot(axis, v[2]);
  const double low = fmin(a, fmin(b, c)), high = fmax(a, fmax(b, c));
  double reach = 0, size = 0;
  for (int k = 0; k < 3; ++k) {
    reach += fabs(axis[k]) * half[k];
    size += fabs(axis[k]) * (double)LATTICE_MAX;
  }
  reach += 1e-13 * size;
  return low > reach || high < -reach;
}

// Whether a triangle touches a box: separating axes of both [Akenine-Moller 2001].
static int touches(const Solid* s, const double triangle[3][3], const int lo[3], const int hi[3]) {
  double v[3][3], half[3], edge[3][3], axis[3];
  for (int k = 0; k < 3; ++k) {
    half[k] = 0.5 * s->cell * (hi[k] - lo[k]);
    for (int i = 0; i < 3; ++i) v[i][k] = triangle[i][k] - 0.5 * s->cell * (hi[k] + lo[k]);
    const double low = fmin(v[0][k], fmin(v[1][k], v[2][k])),
                 high = fmax(v[0][k], fmax(v[1][k], v[2][k]));
    if (low > half[k] || high < -half[k]) return 0;
  }
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) edge[i][k] = v[(i + 1) % 3][k] - v[i][k];
  }
  cross(edge[0], edge[1], axis);
  if (separated(axis, v, half)) return 0;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      double unit[3] = {0};
      unit[k] = 1;
      cross(unit, edge[i], axis);
      if (separated(axis, v, half)) return 0;
    }
  }
  return 1;
}

typedef struct CellRange {
  int lo[3], hi[3];  ///< cells from lo to hi - 1
} CellRange;

// The cells that a triangle may touch, those at its border included.
static CellRange range_of(const Solid* s, const double v[3][3]) {
  CellRange r;
  for (int k = 0; k < 3; ++k) {
    const double low = fmin(v[0][k], fmin(v[1][k], v[2][k])),
                 high = fmax(v[0][k], fmax(v[1][k], v[2][k]));
    r.lo[k] = (int)ceil(low / s->cell) - 1;
    r.hi[k] = (int)floor(high / s->cell) + 1;
    if (r.lo[k] < 0) r.lo[k] = 0;
    if (r.hi[k] > s->cells[k]) r.hi[k] = s->cells[k];
  }
  return r;
}

// Marks the cells that a triangle touches: halves of a range of cells until each is one cell.
static void mark_triangle(Solid* s, int face) {
  double v[3][3];
  for (int k = 0; k < 3; ++k) corner(s, face, k, v[k]);
  CellRange stack[STACK];
  int count = 0;
  stack[count++] = range_of(s, v);
  while (count > 0) {
    const CellRange r = stack[--count];
    s->effort->work += work_of_box;
    if (!touches(s, v, r.lo, r.hi)) continue;
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
      if (r.hi[k] - r.lo[k] > r.hi[axis] - r.lo[axis]) axis = k;
    }
    if (r.hi[axis] - r.lo[axis] == 1) {
      s->kind[solid_cell(s, r.lo[0], r.lo[1], r.lo[2])] = CELL_SURFACE;
      continue;
    }
    const int middle = (r.lo[axis] + r.hi[axis]) / 2;
    stack[count] = stack[count + 1] = r;
    stack[count++].hi[axis] = middle;
    stack[count++].lo[axis] = middle;
  }
}

// Spreads the outside from the corner of the grid, which is free.
static int flood(Solid* s) {
  const size_t count = (size_t)s->cells[0] * (size_t)s->cells[1] * (size_t)s->cells[2];
  int32_t* queue = region_take(s->region, count, sizeof(int32_t));
  if (!queue) return 0;
  size_t first = 0, last = 0;
  s->kind[0] = CELL_OUTSIDE;
  queue[last++] = 0;
  while (first < last) {
    const int at = queue[first++];
    const int place[3] = {at % s->cells[0], at / s->cells[0] % s->cells[1],
                          at / s->cells[0] / s->cells[1]};
    int stride = 1;
    for (int k = 0; k < 3; ++k) {
      for (int side = -1; side <= 1; side += 2) {
        const int next = at + side * stride, p = place[k] + side;
        if (p < 0 || p >= s->cells[k] || s->kind[next] != CELL_INSIDE) continue;
        s->kind[next] = CELL_OUTSIDE;
        queue[last++] = next;
      }
      stride *= s->cells[k];
    }
  }
  s->effort->work += work_of_cell * (double)count;
  return 1;
}

static int make_grid(Solid* s) {
  const size_t rows = (size_t)s->cells[1] * (size_t)s->cells[2];
  s->kind = region_take(s->region, rows * (size_t)s->cells[0], 1);
  s->rows = region_take(s->region, rows * (size_t)s->words, sizeof(uint64_t));
  if (!s->kind || !s->rows) return 0;
  for (int f = 0; f < s->face_count && !effort_spent(s->effort); ++f) mark_triangle(s, f);
  if (!flood(s)) return 0;
  for (size_t r = 0; r < rows; ++r) {
    for (int x = 0; x < s->cells[0]; ++x) {
      const unsigned char kind = s->kind[r * (size_t)s->cells[0] + (size_t)x];
      if (kind != CELL_OUTSIDE)
        s->rows[r * (size_t)s->words + (size_t)x / 64] |= (uint64_t)1 << (x % 64);
    }
  }
  return 1;
}

// ---- the tree

static void bound_face(const Solid* s, int face, SolidNode* node) {
  for (int k = 0; k < 3; ++k) {
    const LatticePoint* p = &s->vertices[s->faces[3L * face + k]];
    for (int i = 0; i < 3; ++i) {
      if (p->x[i] < node->min[i]) node->min[i] = p->x[i];
      if (p->x[i] > node->max[i]) node->max[i] = p->x[i];
    }
  }
}

// Three times the middle of a face along an axis.
static int64_t middle_of(const Solid* s, int face, int axis) {
  int64_t sum = 0;
  for (int k = 0; k < 3; ++k) sum += s->vertices[s->faces[3L * face + k]].x[axis];
  return sum;
}

// Puts the faces below the middle of the node first. Returns how many these are: half of them if
// the node is deep, or if all are on one side.
static int part_faces(Solid* s, const SolidNode* node, int depth) {
  int* order = s->order + node->first;
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (node->max[k] - node->min[k] > node->max[axis] - node->min[axis]) axis = k;
  }
  const int64_t cut = 3 * ((int64_t)node->min[axis] + node->max[axis]) / 2;
  int low = 0;
  for (int i = 0; i < node->count; ++i) {
    if (middle_of(s, order[i], axis) > cut) continue;
    const int swap = order[i];
    order[i] = order[low];
    order[low++] = swap;
  }
  return low == 0 || low == node->count || depth > HALVES ? node->count / 2 : low;
}

static int make_tree(Solid* s) {
  const size_t n = (size_t)s->face_count;
  s->order = region_take(s->region, n, sizeof(int));
  s->nodes = region_take(s->region, 2 * n, sizeof(SolidNode));
  int* depth = region_take(s->region, 2 * n, sizeof(int));
  if (!s->order || !s->nodes || !depth) return 0;
  for (int i = 0; i < s->face_count; ++i) s->order[i] = i;
  s->nodes[0] = (SolidNode){.count = s->face_count};
  s->node_count = 1;
  for (int i = 0; i < s->node_count && !effort_spent(s->effort); ++i) {
    SolidNode* node = &s->nodes[i];
    for (int k = 0; k < 3; ++k) node->min[k] = LATTICE_MAX, node->max[k] = 0;
    for (int j = 0; j < node->count; ++j) bound_face(s, s->order[node->first + j], node);
    s->effort->work += 30.0 * node->count;
    if (node->count <= LEAF) continue;
    const int low = part_faces(s, node, depth[i]);
    node->child = s->node_count;
    for (int k = 0; k < 2; ++k) {
      depth[s->node_count] = depth[i] + 1;
      s->nodes[s->node_count++] =
          (SolidNode){.first = node->first + (k ? low : 0), .count = k ? node->count - low : low};
    }
    node->count = 0;
  }
  return 1;
}

// ---- closed surfaces

// A directed edge between two vertices, which represent all vertices at their places.
typedef struct Edge {
  int low, high;
  int direction;  ///< 1: from low to high, -1: back, 0: both are the same
} Edge;

static int vertex_before(const Solid* s, int a, int b) {
  for (int k = 0; k < 3; ++k) {
    const int32_t x = s->vertices[a].x[k], y = s->vertices[b].x[k];
    if (x != y) return x < y;
  }
  return a < b;
}

static void sift_vertices(const Solid* s, int* v, int root, int count) {
  for (int child = 2 * root + 1; child < count; child = 2 * root + 1) {
    if (child + 1 < count && vertex_before(s, v[child], v[child + 1])) ++child;
    if (!vertex_before(s, v[root], v[child])) return;
    const int swap = v[root];
    v[root] = v[child];
    v[child] = swap;
    root = child;
  }
}

static void sort_vertices(const Solid* s, int* v, int count) {
  for (int i = count / 2 - 1; i >= 0; --i) sift_vertices(s, v, i, count);
  for (int last = count - 1; last > 0; --last) {
    const int swap = v[0];
    v[0] = v[last];
    v[last] = swap;
    sift_vertices(s, v, 0, last);
  }
}

// Vertex -> the place of its point among all points, in order.
static int* find_points(Solid* s) {
  const size_t n = (size_t)s->vertex_count;
  int* order = region_take(s->region, n, sizeof(int));
  int* point = region_take(s->region, n, sizeof(int));
  if (!order || !point) return NULL;
  for (int i = 0; i < s->vertex_count; ++i) order[i] = i;
  sort_vertices(s, order, s->vertex_count);
  for (int i = 1; i < s->vertex_count; ++i) {
    const LatticePoint *a = &s->vertices[order[i - 1]], *b = &s->vertices[order[i]];
    const int same = a->x[0] == b->x[0] && a->x[1] == b->x[1] && a->x[2] == b->x[2];
    point[order[i]] = point[order[i - 1]] + !same;
  }
  s->effort->work += 300.0 * s->vertex_count;
  return point;
}

// Sorts edges by one of their ends, by counting.
static void sort_edges(const Edge* in, Edge* out, int count, int* start, int points, int by_high) {
  memset(start, 0, ((size_t)points + 1) * sizeof(int));
  for (int i = 0; i < count; ++i) ++start[(by_high ? in[i].high : in[i].low) + 1];
  for (int i = 0; i < points; ++i) start[i + 1] += start[i];
  for (int i = 0; i < count; ++i) out[start[by_high ? in[i].high : in[i].low]++] = in[i];
}

static int check_closed(Solid* s) {
  const int count = 3 * s->face_count;
  const int* point = find_points(s);
  Edge* edges = region_take(s->region, (size_t)count, sizeof(Edge));
  Edge* sorted = region_take(s->region, (size_t)count, sizeof(Edge));
  int* start = region_take(s->region, (size_t)s->vertex_count + 1, sizeof(int));
  if (!point || !edges || !sorted || !start) return 0;
  for (int i = 0; i < count; ++i) {
    const int a = point[s->faces[i]], b = point[s->faces[i % 3 == 2 ? i - 2 : i + 1]];
    edges[i] = (Edge){a < b ? a : b, a < b ? b : a, a < b ? 1 : a > b ? -1 : 0};
  }
  sort_edges(edges, sorted, count, start, s->vertex_count, 1);
  sort_edges(sorted, edges, count, start, s->vertex_count, 0);
  s->even = s->balanced = 1;
  for (int i = 0; i < count;) {
    int faces = 0, sum = 0;
    const Edge edge = edges[i];
    for (; i < count && edges[i].low == edge.low && edges[i].high == edge.high; ++i) {
      ++faces;
      sum += edges[i].direction;
    }
    if (edge.low == edge.high) continue;
    s->even &= faces % 2 == 0;
    s->balanced &= sum == 0;
  }
  s->effort->work += 60.0 * count;
  return 1;
}

int solid_make(Solid* s, Region* region, Effort* effort, const Mesh* mesh, double width) {
  *s = (Solid){
      .region = region, .effort = effort, .face_count = mesh->face_count, .faces = mesh->faces};
  if (!make_lattice(s, mesh, width)) return 0;
  if (!make_vertices(s, mesh) || !make_grid(s)) return -1;
  if (effort_spent(effort)) return 0;
  if (!make_tree(s) || !check_closed(s)) return -1;
  return !effort_spent(effort);
}

// ---- distances

static double box_distance_squared(const SolidNode* node, const double x[3]) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = x[k] < node->min[k]   ? node->min[k] - x[k]
                     : x[k] > node->max[k] ? x[k] - node->max[k]
                                           : 0;
    sum += d * d;
  }
  return sum;
}

double solid_face_distance(const Solid* s, int face, const double x[3]) {
  double a[3], b[3], c[3];
  corner(s, face, 0, a);
  corner(s, face, 1, b);
  corner(s, face, 2, c);
  return sqrt(triangle_distance_squared(x, a, b, c));
}

double solid_distance(Solid* s, const double x[3], double limit, int* face) {
  int stack[STACK], count = 0;
  double bound[STACK], best = limit * limit;
  *face = -1;
  bound[count] = box_distance_squared(&s->nodes[0], x);
  stack[count++] = 0;
  while (count > 0) {
    if (bound[--count] >= best) continue;
    const SolidNode* node = &s->nodes[stack[count]];
    s->effort->work += work_of_node + work_of_triangle * node->count;
    for (int i = 0; i < node->count; ++i) {
      const int f = s->order[node->first + i];
      double v[3][3];
      for (int k = 0; k < 3; ++k) corner(s, f, k, v[k]);
      const double d = triangle_distance_squared(x, v[0], v[1], v[2]);
      if (d < best) best = d, *face = f;
    }
    if (node->count > 0) continue;
    const double near = box_distance_squared(&s->nodes[node->child], x),
                 far = box_distance_squared(&s->nodes[node->child + 1], x);
    const int swap = near > far;  // the nearer child is looked at first
    stack[count] = node->child + !swap;
    bound[count++] = swap ? near : far;
    stack[count] = node->child + swap;
    bound[count++] = swap ? far : near;
  }
  return sqrt(best);
}

// ---- inside or outside

// How a segment passes a triangle.
typedef enum Passing { PASSES_BY, PASSES_THROUGH, PASSES_UNCLEAR } Passing;

// The segment goes from a to a + d. *side is 1 or -1: the direction in which it passes through.
static Passing pass(const Solid* s, int face, const double a[3], const double d[3], int* side) {
  double v[3][3], u[3], w[3], n[3], q[3];
  for (int k = 0; k < 3; ++k) {
    corner(s, face, k, v[k]);
    for (int i = 0; i < 3; ++i) v[k][i] -= a[i];
  }
  for (int i = 0; i < 3; ++i) u[i] = v[1][i] - v[0][i], w[i] = v[2][i] - v[0][i];
  cross(u, w, n);
  const double size = sqrt(dot(n, n)), slack = 1e-6 * size + 1;
  const double from = dot(n, v[0]), to = from - dot(n, d);
  if (size > 1 && ((from > slack && to > slack) || (from < -slack && to < -slack)))
    return PASSES_BY;
  // The line passes an edge on the side of the turn (v_k x v_k+1) · d.
  int positive = 0, negative = 0;
  const double reach = sqrt(dot(d, d));
  for (int k = 0; k < 3; ++k) {
    const double* next = v[(k + 1) % 3];
    cross(v[k], next, q);
    const double turn = dot(q, d);
    const double little = 1e-9 * reach * (sqrt(dot(v[k], v[k])) + 1) * (sqrt(dot(next, next)) + 1);
    positive += turn > little;
    negative += turn < -little;
  }
  if (positive && negative) return PASSES_BY;
  *side = from > 0 ? 1 : -1;
  const int apart = (from > slack && to < -slack) || (from < -slack && to > slack);
  return apart && (positive == 3 || negative == 3) ? PASSES_THROUGH : PASSES_UNCLEAR;
}

// The triangles that a segment passes through: how many, and the sum of their sides.
typedef struct Passages {
  int count, sum;
} Passages;

// Returns 0 if that is unclear.
static int trace(Solid* s, const double a[3], const double b[3], Passages* out) {
  int stack[STACK], count = 0;
  double d[3], min[3], max[3];
  *out = (Passages){0, 0};
  for (int k = 0; k < 3; ++k) {
    d[k] = b[k] - a[k];
    min[k] = fmin(a[k], b[k]) - 1;
    max[k] = fmax(a[k], b[k]) + 1;
  }
  stack[count++] = 0;
  while (count > 0) {
    if (effort_spent(s->effort)) return 0;
    const SolidNode* node = &s->nodes[stack[--count]];
    s->effort->work += work_of_node;
    int apart = 0;
    for (int k = 0; k < 3; ++k) apart |= node->min[k] > max[k] || node->max[k] < min[k];
    if (apart) continue;
    for (int i = 0; i < node->count; ++i) {
      int side = 0;
      s->effort->work += work_of_triangle;
      const Passing passing = pass(s, s->order[node->first + i], a, d, &side);
      if (passing == PASSES_UNCLEAR) return 0;
      if (passing == PASSES_BY) continue;
      ++out->count;
      out->sum += side;
    }
    if (node->count > 0) continue;
    stack[count++] = node->child;
    stack[count++] = node->child + 1;
  }
  return 1;
}

// The cells around one, the nearest first.
static const signed char around[][3] = {
    {1, 0, 0},   {-1, 0, 0}, {0, 1, 0},   {0, -1, 0},  {0, 0, 1},    {0, 0, -1}, {1, 1, 0},
    {1, -1, 0},  {-1, 1, 0}, {-1, -1, 0}, {1, 0, 1},   {1, 0, -1},   {-1, 0, 1}, {-1, 0, -1},
    {0, 1, 1},   {0, 1, -1}, {0, -1, 1},  {0, -1, -1}, {1, 1, 1},    {1, 1, -1}, {1, -1, 1},
    {1, -1, -1}, {-1, 1, 1}, {-1, 1, -1}, {-1, -1, 1}, {-1, -1, -1}, {2, 0, 0},  {-2, 0, 0},
    {0, 2, 0},   {0, -2, 0}, {0, 0, 2},   {0, 0, -2},
};

int solid_contains(Solid* s, const double x[3]) {
  int place[3];
  for (int k = 0; k < 3; ++k) {
    place[k] = (int)floor(x[k] / s->cell);
    if (place[k] < 0 || place[k] >= s->cells[k]) return 0;
  }
  const int own = s->kind[solid_cell(s, place[0], place[1], place[2])];
  if (own != CELL_SURFACE) return own == CELL_INSIDE;
  for (size_t i = 0; i < sizeof around / sizeof *around && !effort_spent(s->effort); ++i) {
    int at[3], out = 0;
    double centre[3];
    for (int k = 0; k < 3; ++k) {
      at[k] = place[k] + around[i][k];
      out |= at[k] < 0 || at[k] >= s->cells[k];
      centre[k] = (at[k] + 0.5) * s->cell;
    }
    if (out) continue;
    const int kind = s->kind[solid_cell(s, at[0], at[1], at[2])];
    Passages p;
    if (kind == CELL_SURFACE || !trace(s, x, centre, &p)) continue;
    if (p.count == 0) return kind == CELL_INSIDE;
    if (kind == CELL_OUTSIDE && ((s->even && p.count % 2) || (s->balanced && p.sum != 0))) return 1;
  }
  return -1;
}
