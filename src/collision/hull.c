// SPDX-License-Identifier: Apache-2.0
// A hull's faces, edges and neighbours, from its triangles.
//
// Each triangle has three half-edges, 3 t + k from corner k to corner k + 1; the same edge seen
// from the triangle next door is its twin. Triangles that lie in one plane are gathered into one
// face, starting from the largest, whose plane is the most exact one; the half-edges of a face
// whose twins belong to other faces are its border.
#include <string.h>

#include "base/assert.h"
#include "collision/geometry.h"
#include "collision/sort.h"

static const double ball_slack = 1e-9;  // of a unit normal: more than rounding
static const double flatness = 3e-7;    // of the hull's size: meshes are often stored as floats

typedef struct Work {
  int triangle_count;
  const double* vertices;
  const int* triangles;
  int *twin, *face, *stack;
  HeftVec3* normal;
  double* area;
  SortItem *items, *scratch;
  double size;
} Work;

static HeftVec3 vertex_at(const double* v, int i) {
  return heft_vec3(v[3L * i], v[3L * i + 1], v[3L * i + 2]);
}

static void take_work(Work* w, Arena* scratch, int triangle_count) {
  const int n = triangle_count, edges = 3 * n;
  w->twin = arena_take(scratch, edges, int);
  w->face = arena_take(scratch, n, int);
  w->stack = arena_take(scratch, n, int);
  w->normal = arena_take(scratch, n, HeftVec3);
  w->area = arena_take(scratch, n, double);
  w->items = arena_take(scratch, edges, SortItem);
  w->scratch = arena_take(scratch, edges, SortItem);
}

size_t heft_hull_scratch(int vertex_count, int triangle_count) {
  (void)vertex_count;
  Arena measure = arena_measure();
  Work w;
  take_work(&w, &measure, triangle_count);
  return measure.used;
}

static int next_edge(int e) { return e % 3 == 2 ? e - 2 : e + 1; }
static int edge_from(const Work* w, int e) { return w->triangles[e]; }
static int edge_to(const Work* w, int e) { return w->triangles[next_edge(e)]; }

// Twins by sorting all half-edges by (lower vertex, higher vertex). Returns 0 if the surface has a
// border or an edge with more than two triangles.
static int find_twins(Work* w) {
  const int edges = 3 * w->triangle_count;
  for (int e = 0; e < edges; ++e) {
    const int a = edge_from(w, e), b = edge_to(w, e);
    const uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    w->items[e] = (SortItem){low << 32 | high, (uint32_t)e};
  }
  heft_sort_items(w->items, w->scratch, edges);
  for (int i = 0; i < edges; i += 2) {
    if (i + 1 >= edges || w->items[i].key != w->items[i + 1].key) return 0;
    if (i + 2 < edges && w->items[i + 2].key == w->items[i].key) return 0;
    const int a = (int)w->items[i].value, b = (int)w->items[i + 1].value;
    if (edge_from(w, a) != edge_to(w, b)) return 0;
    w->twin[a] = b;
    w->twin[b] = a;
  }
  return 1;
}

static void measure_triangles(Work* w) {
  for (int t = 0; t < w->triangle_count; ++t) {
    const HeftVec3 a = vertex_at(w->vertices, w->triangles[3 * t]);
    const HeftVec3 b = vertex_at(w->vertices, w->triangles[3 * t + 1]);
    const HeftVec3 c = vertex_at(w->vertices, w->triangles[3 * t + 2]);
    const HeftVec3 cross = heft_vec3_cross(heft_vec3_sub(b, a), heft_vec3_sub(c, a));
    w->area[t] = heft_vec3_norm(cross);
    w->normal[t] = heft_vec3_normalize(cross);
    w->face[t] = -1;
  }
}

static int lies_in_plane(const Work* w, int t, HeftVec3 normal, double offset) {
  for (int k = 0; k < 3; ++k) {
    const HeftVec3 p = vertex_at(w->vertices, w->triangles[3 * t + k]);
    if (fabs(heft_vec3_dot(normal, p) - offset) > flatness * w->size) return 0;
  }
  // A sliver's own normal means nothing.
  return w->area[t] < flatness * w->size * w->size || heft_vec3_dot(w->normal[t], normal) > 0.9999;
}

static void gather_face(Work* w, int seed, int face) {
  const HeftVec3 normal = w->normal[seed];
  const double offset = heft_vec3_dot(normal, vertex_at(w->vertices, w->triangles[3 * seed]));
  int depth = 0;
  w->stack[depth++] = seed;
  w->face[seed] = face;
  while (depth > 0) {
    const int t = w->stack[--depth];
    for (int k = 0; k < 3; ++k) {
      const int other = w->twin[3 * t + k] / 3;
      if (w->face[other] >= 0 || !lies_in_plane(w, other, normal, offset)) continue;
      w->face[other] = face;
      w->stack[depth++] = other;
    }
  }
}

// Largest triangles first: as keys, the bits of positive doubles are in the order of their values.
static int gather_faces(Work* w, Hull* h) {
  int count = 0;
  for (int t = 0; t < w->triangle_count; ++t) {
    uint64_t bits;
    memcpy(&bits, &w->area[t], sizeof bits);
    w->items[t] = (SortItem){~bits, (uint32_t)t};
  }
  heft_sort_items(w->items, w->scratch, w->triangle_count);
  for (int i = 0; i < w->triangle_count; ++i) {
    const int t = (int)w->items[i].value;
    if (w->face[t] >= 0) continue;
    h->nx[count] = w->normal[t].x;
    h->ny[count] = w->normal[t].y;
    h->nz[count] = w->normal[t].z;
    gather_face(w, t, count++);
  }
  return count;
}

static int is_border(const Work* w, int e) { return w->face[e / 3] != w->face[w->twin[e] / 3]; }

// The border's next half-edge: turn about the end corner, inside of the face, until the border.
static int next_border(const Work* w, int e) {
  int next = next_edge(e);
  for (int guard = 0; !is_border(w, next) && guard < 3 * w->triangle_count; ++guard) {
    next = next_edge(w->twin[next]);
  }
  return next;
}

// Edges are named by the lower of their two half-edges, then counted.
static int count_edges(Work* w) {
  int count = 0;
  for (int e = 0; e < 3 * w->triangle_count; ++e) {
    if (is_border(w, e) && e < w->twin[e]) w->items[e].value = (uint32_t)count++;
  }
  return count;
}

// The lowest half-edge on the border of each face.
static void find_first_edges(const Work* w, int face_count, int* first) {
  for (int f = 0; f < face_count; ++f) first[f] = -1;
  for (int e = 3 * w->triangle_count - 1; e >= 0; --e) {
    if (is_border(w, e)) first[w->face[e / 3]] = e;
  }
}

static void walk_borders(Work* w, Hull* h) {
  h->loop_count = 0;
  find_first_edges(w, h->face_count, w->stack);
  for (int f = 0; f < h->face_count; ++f) {
    h->face_loop[f] = h->loop_count;
    const int first = w->stack[f];
    if (first < 0) continue;
    int e = first;
    do {
      h->loop_vertex[h->loop_count] = edge_from(w, e);
      h->loop_edge[h->loop_count++] = (int)w->items[e < w->twin[e] ? e : w->twin[e]].value;
      e = next_border(w, e);
    } while (e != first && h->loop_count < 3 * w->triangle_count);
  }
  h->face_loop[h->face_count] = h->loop_count;
}

static void link_neighbours(Work* w, Hull* h) {
  const int edges = 3 * w->triangle_count;
  memset(h->neighbour_first, 0, ((size_t)h->vertex_count + 1) * sizeof(int));
  for (int e = 0; e < edges; ++e) ++h->neighbour_first[edge_from(w, e) + 1];
  for (int v = 0; v < h->vertex_count; ++v) h->neighbour_first[v + 1] += h->neighbour_first[v];
  for (int e = edges - 1; e >= 0; --e) {
    // Filled from the back: the start of each list moves down to where it belongs.
    const int v = edge_from(w, e);
    h->neighbour[--h->neighbour_first[v + 1]] = edge_to(w, e);
  }
  memmove(h->neighbour_first, h->neighbour_first + 1, (size_t)h->vertex_count * sizeof(int));
  h->neighbour_first[h->vertex_count] = edges;
}

static void copy_vertices(Hull* h, const double* vertices) {
  HeftVec3 sum = {0, 0, 0};
  for (int i = 0; i < h->vertex_padded; ++i) {
    const HeftVec3 v = vertex_at(vertices, i < h->vertex_count ? i : h->vertex_count - 1);
    h->x[i] = v.x;
    h->y[i] = v.y;
    h->z[i] = v.z;
    if (i < h->vertex_count) sum = heft_vec3_add(sum, v);
  }
  h->center = heft_vec3_scale(1.0 / h->vertex_count, sum);
}

static double hull_size(const Hull* h) {
  double size = 0;
  for (int i = 0; i < h->vertex_count; ++i) {
    const HeftVec3 d = heft_vec3_sub(heft_vec3(h->x[i], h->y[i], h->z[i]), h->center);
    size = fmax(size, heft_vec3_norm(d));
  }
  return size;
}

// Neighbouring cells have neighbouring vertices.
static void set_compass(Hull* h) {
  for (int cell = 0, vertex = 0; cell < COMPASS; ++cell) {
    const int side = cell / (COMPASS_GRID * COMPASS_GRID), k = side / 2;
    double d[3];
    d[k] = side % 2 ? 1 : -1;
    d[(k + 1) % 3] = (2.0 * (cell / COMPASS_GRID % COMPASS_GRID) + 1) / COMPASS_GRID - 1;
    d[(k + 2) % 3] = (2.0 * (cell % COMPASS_GRID) + 1) / COMPASS_GRID - 1;
    vertex = heft_hull_climb(h, heft_vec3_from(d), vertex);
    h->compass[cell] = vertex;
  }
}

static int cell_of_normal(const Hull* h, int f) {
  return direction_cell(heft_vec3(h->nx[f], h->ny[f], h->nz[f]), NORMAL_GRID);
}

static NormalMap* take_normals(Arena* arena, int faces) {
  NormalMap* map = arena_take(arena, 1, NormalMap);
  double* numbers = arena_take(arena, 4 * (size_t)faces, double);
  int* face = arena_take(arena, faces, int);
  if (!map || arena->overflow) return NULL;
  map->nx = numbers;
  map->ny = numbers + faces;
  map->nz = numbers + 2 * (size_t)faces;
  map->offset = numbers + 3 * (size_t)faces;
  map->face = face;
  return map;
}

// The ball about the mean of the normals of a cell; the radius is rounded up.
static void bound_cell(NormalMap* map, int cell) {
  const int first = map->first[cell], end = map->first[cell + 1];
  HeftVec3 sum = heft_vec3(0, 0, 0);
  double radius = -HUGE_VAL, lowest = HUGE_VAL;
  for (int k = first; k < end; ++k)
    sum = heft_vec3_add(sum, heft_vec3(map->nx[k], map->ny[k], map->nz[k]));
  const HeftVec3 mean = end > first ? heft_vec3_scale(1.0 / (end - first), sum) : sum;
  for (int k = first; k < end; ++k) {
    const HeftVec3 n = heft_vec3(map->nx[k], map->ny[k], map->nz[k]);
    radius = fmax(radius, heft_vec3_norm(heft_vec3_sub(n, mean)) + ball_slack);
    lowest = fmin(lowest, map->offset[k]);
  }
  map->cx[cell] = mean.x;
  map->cy[cell] = mean.y;
  map->cz[cell] = mean.z;
  map->radius[cell] = radius;
  map->lowest[cell] = lowest;
}

// Offsets so that every corner of a face lies on or below its plane; empty lanes never win.
static void place_planes(Hull* h) {
  const int padded = (h->face_count + 7) / 8 * 8;
  for (int f = 0; f < padded; ++f) {
    h->offset[f] = f < h->face_count ? -HUGE_VAL : HUGE_VAL;
    if (f >= h->face_count) h->nx[f] = h->ny[f] = h->nz[f] = 0;
    for (int k = h->face_loop[f < h->face_count ? f : 0];
         f < h->face_count && k < h->face_loop[f + 1]; ++k) {
      const int v = h->loop_vertex[k];
      const double s = h->nx[f] * h->x[v] + h->ny[f] * h->y[v] + h->nz[f] * h->z[v];
      h->offset[f] = fmax(h->offset[f], s);
    }
  }
}

// Sorts the normals into the cells of their directions, each in the order of the faces.
static void map_normals(Hull* h) {
  NormalMap* map = h->normals;
  memset(map->first, 0, sizeof map->first);
  for (int f = 0; f < h->face_count; ++f) ++map->first[cell_of_normal(h, f)];
  for (int cell = 1; cell <= NORMAL_CELLS; ++cell) map->first[cell] += map->first[cell - 1];
  for (int f = h->face_count - 1; f >= 0; --f) {  // from the end of each cell to its start
    const int at = --map->first[cell_of_normal(h, f)];
    map->nx[at] = h->nx[f];
    map->ny[at] = h->ny[f];
    map->nz[at] = h->nz[f];
    map->offset[at] = h->offset[f];
    map->face[at] = f;
  }
  for (int cell = 0; cell < NORMAL_CELLS; ++cell) bound_cell(map, cell);
}

static Hull* take_hull(Arena* arena, int vertex_count, int triangle_count) {
  const int padded = (vertex_count + 7) / 8 * 8, faces = (triangle_count + 7) / 8 * 8;
  Hull* h = arena_take(arena, 1, Hull);
  Hull shape = {.vertex_count = vertex_count, .vertex_padded = padded};
  shape.x = arena_take(arena, padded, double);
  shape.y = arena_take(arena, padded, double);
  shape.z = arena_take(arena, padded, double);
  shape.nx = arena_take(arena, faces, double);
  shape.ny = arena_take(arena, faces, double);
  shape.nz = arena_take(arena, faces, double);
  shape.offset = arena_take(arena, faces, double);
  shape.face_loop = arena_take(arena, triangle_count + 1, int);
  shape.loop_vertex = arena_take(arena, 3 * triangle_count, int);
  shape.loop_edge = arena_take(arena, 3 * triangle_count, int);
  shape.neighbour_first = arena_take(arena, vertex_count + 1, int);
  shape.neighbour = arena_take(arena, 3 * triangle_count, int);
  shape.normals = triangle_count > NORMALS_FROM ? take_normals(arena, triangle_count) : NULL;
  if (h && !arena->overflow) *h = shape;
  return arena->overflow ? NULL : h;
}

Hull* heft_hull_make(Arena* arena, Arena scratch, int vertex_count, const double* vertices,
                     int triangle_count, const int* triangles) {
  Hull* h = take_hull(arena, vertex_count, triangle_count);
  if (!h) return NULL;
  Work w = {.triangle_count = triangle_count, .vertices = vertices, .triangles = triangles};
  take_work(&w, &scratch, triangle_count);
  HEFT_ASSERT(!scratch.overflow && vertex_count >= 4 && triangle_count >= 4);
  copy_vertices(h, vertices);
  w.size = hull_size(h);
  if (!find_twins(&w)) return NULL;
  measure_triangles(&w);
  h->face_count = gather_faces(&w, h);
  h->edge_count = count_edges(&w);
  walk_borders(&w, h);
  link_neighbours(&w, h);
  place_planes(h);
  set_compass(h);
  if (h->face_count <= NORMALS_FROM) h->normals = NULL;
  if (h->normals) map_normals(h);
  return h;
}
