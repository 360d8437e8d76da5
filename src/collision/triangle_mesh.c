// SPDX-License-Identifier: Apache-2.0
// Papers: R63.
// Builds a triangle mesh: the adjacency of its triangles, and the tree of their boxes.
#include "collision/triangle_mesh.h"

#include <string.h>

#include "collision/sort.h"

static const double flat_angle = 1e-6;  // sine below which an edge is no crease

typedef struct Work {
  SortItem *items, *scratch;
  int* twin;  ///< half-edge across, or -1
  int* stack;
} Work;

static void take_work(Work* w, Arena* scratch, int triangle_count) {
  const int edges = 3 * triangle_count;
  w->items = arena_take(scratch, edges, SortItem);
  w->scratch = arena_take(scratch, edges, SortItem);
  w->twin = arena_take(scratch, edges, int);
  w->stack = arena_take(scratch, triangle_count, int);
}

size_t heft_triangle_mesh_scratch(int triangle_count) {
  Arena measure = arena_measure();
  Work w;
  take_work(&w, &measure, triangle_count);
  return measure.used;
}

static int edge_start(const TriangleMesh* s, int e) { return s->triangle[e / 3].vertex[e % 3]; }
static int edge_end(const TriangleMesh* s, int e) {
  return s->triangle[e / 3].vertex[(e % 3 + 1) % 3];
}

// Half-edges with the same two ends, in opposite directions, are twins. Where more than two
// triangles share an edge, none of them has a twin there.
static void find_twins(TriangleMesh* s, Work* w) {
  const int edges = 3 * s->triangle_count;
  for (int e = 0; e < edges; ++e) {
    const uint64_t a = (uint64_t)edge_start(s, e), b = (uint64_t)edge_end(s, e);
    w->items[e] = (SortItem){a < b ? a << 32 | b : b << 32 | a, (uint32_t)e};
    w->twin[e] = -1;
  }
  heft_sort_items(w->items, w->scratch, edges);
  int number = 0;
  for (int i = 0; i < edges;) {
    int end = i;
    while (end < edges && w->items[end].key == w->items[i].key) {
      const int e = (int)w->items[end].value;
      s->triangle[e / 3].edge[e % 3] = number;
      ++end;
    }
    const int a = (int)w->items[i].value;
    if (end == i + 2) {
      const int b = (int)w->items[i + 1].value;
      if (edge_start(s, a) == edge_end(s, b)) {
        w->twin[a] = b;
        w->twin[b] = a;
      }
    }
    ++number;
    i = end;
  }
}

static void fold_edges(TriangleMesh* s, const Work* w) {
  for (int e = 0; e < 3 * s->triangle_count; ++e) {
    Triangle* t = &s->triangle[e / 3];
    t->other[e % 3] = t->normal;
    t->crease[e % 3] = CREASE_RIDGE;
    if (w->twin[e] < 0) continue;
    const Triangle* o = &s->triangle[w->twin[e] / 3];
    t->other[e % 3] = o->normal;
    const HeftVec3 along =
        heft_vec3_normalize(heft_vec3_sub(s->vertex[edge_end(s, e)], s->vertex[edge_start(s, e)]));
    // With the normals turned one into the other about the edge: positive where it falls away.
    const double fall = heft_vec3_dot(heft_vec3_cross(t->normal, o->normal), along);
    if (fall > flat_angle || heft_vec3_dot(t->normal, o->normal) < 0) {
      t->crease[e % 3] = fall > 0 ? CREASE_RIDGE : CREASE_VALLEY;
    } else {
      t->crease[e % 3] = fall < -flat_angle ? CREASE_VALLEY : CREASE_FLAT;
    }
  }
}

static void number_regions(TriangleMesh* s, Work* w) {
  for (int t = 0; t < s->triangle_count; ++t) s->triangle[t].region = -1;
  for (int seed = 0; seed < s->triangle_count; ++seed) {
    if (s->triangle[seed].region >= 0) continue;
    int depth = 0;
    w->stack[depth++] = seed;
    s->triangle[seed].region = seed;
    while (depth > 0) {
      const int t = w->stack[--depth];
      for (int k = 0; k < 3; ++k) {
        if (s->triangle[t].crease[k] != CREASE_FLAT) continue;
        Triangle* o = &s->triangle[w->twin[3 * t + k] / 3];
        if (o->region >= 0) continue;
        o->region = seed;
        w->stack[depth++] = w->twin[3 * t + k] / 3;
      }
    }
  }
}

static void mark_inner(TriangleMesh* s) {
  memset(s->inner, 1, (size_t)s->vertex_count);
  for (int e = 0; e < 3 * s->triangle_count; ++e) {
    if (s->triangle[e / 3].crease[e % 3] == CREASE_FLAT) continue;
    s->inner[edge_start(s, e)] = s->inner[edge_end(s, e)] = 0;
  }
}

// From the last to the first: the first triangle of a vertex has the last word.
static void find_first(TriangleMesh* s) {
  for (int v = 0; v < s->vertex_count; ++v) s->first[v] = -1;
  for (int e = 3 * s->triangle_count - 1; e >= 0; --e) s->first[edge_start(s, e)] = e;
}

// Of a wall with two sides, the thickness of the wall. A height field is as thick as it is deep.
static double mean_thickness(const TriangleMesh* s, const int* twin) {
  double volume = 0, area = 0;
  for (int e = 0; e < 3 * s->triangle_count; ++e) {
    if (twin[e] < 0) return s->deep;
  }
  for (int t = 0; t < s->triangle_count; ++t) {
    const int* v = s->triangle[t].vertex;
    const HeftVec3 a = s->vertex[v[0]], b = s->vertex[v[1]], c = s->vertex[v[2]];
    volume += heft_vec3_dot(a, heft_vec3_cross(b, c)) / 6;
    area += 0.5 * heft_vec3_norm(heft_vec3_cross(heft_vec3_sub(b, a), heft_vec3_sub(c, a)));
  }
  return area > 0 && volume > 0 ? 2 * volume / area : 0;
}

static void place_triangles(TriangleMesh* s) {
  double all_lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, all_hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (int t = 0; t < s->triangle_count; ++t) {
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 3; ++k) {
      const HeftVec3 p = s->vertex[s->triangle[t].vertex[k]];
      const double c[3] = {p.x, p.y, p.z};
      for (int i = 0; i < 3; ++i) {
        lo[i] = fmin(lo[i], c[i]);
        hi[i] = fmax(hi[i], c[i]);
      }
    }
    lo[2] -= s->deep;
    tree8_set(&s->tree, t, lo, hi);
    for (int i = 0; i < 3; ++i) {
      all_lo[i] = fmin(all_lo[i], lo[i]);
      all_hi[i] = fmax(all_hi[i], hi[i]);
    }
  }
  s->lo = heft_vec3_from(all_lo);
  s->hi = heft_vec3_from(all_hi);
  heft_tree8_order(&s->tree);
}

static void fill_triangles(TriangleMesh* s, const double* vertices, const int* triangles) {
  for (int i = 0; i < s->vertex_count; ++i) {
    s->vertex[i] = heft_vec3(vertices[3L * i], vertices[3L * i + 1], vertices[3L * i + 2]);
  }
  for (int t = 0; t < s->triangle_count; ++t) {
    Triangle* to = &s->triangle[t];
    for (int k = 0; k < 3; ++k) to->vertex[k] = triangles[3L * t + k];
    const HeftVec3 a = s->vertex[to->vertex[0]];
    to->normal = heft_vec3_normalize(heft_vec3_cross(heft_vec3_sub(s->vertex[to->vertex[1]], a),
                                                     heft_vec3_sub(s->vertex[to->vertex[2]], a)));
  }
}

TriangleMesh* heft_triangle_mesh_make(Arena* arena, Arena scratch, int vertex_count,
                                      const double* vertices, int triangle_count,
                                      const int* triangles, double deep) {
  TriangleMesh* s = arena_take(arena, 1, TriangleMesh);
  TriangleMesh shape = {
      .vertex_count = vertex_count, .triangle_count = triangle_count, .deep = deep};
  shape.vertex = arena_take(arena, vertex_count, HeftVec3);
  shape.triangle = arena_take(arena, triangle_count, Triangle);
  shape.inner = arena_take(arena, vertex_count, unsigned char);
  shape.first = arena_take(arena, vertex_count, int);
  heft_tree8_take(&shape.tree, arena, triangle_count);
  if (!s || arena->overflow) return NULL;
  *s = shape;
  Work w;
  take_work(&w, &scratch, triangle_count);
  fill_triangles(s, vertices, triangles);
  find_twins(s, &w);
  fold_edges(s, &w);
  number_regions(s, &w);
  mark_inner(s);
  find_first(s);
  s->thickness = mean_thickness(s, w.twin);
  place_triangles(s);
  return s;
}
