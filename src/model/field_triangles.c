// SPDX-License-Identifier: Apache-2.0
// Papers: R63.
// Triangles of a distance shape, by surface nets [Gibson 1998].
//
// Space is divided into cubes. A cube whose corners lie on both sides of the surface has one
// vertex, in the middle of the points where the surface crosses its edges. Each edge of the grid
// that crosses the surface has four cubes around it: their vertices are two triangles. Then each
// vertex goes to the surface along the gradient, but no farther than its cube is large. The grid is
// passed through layer by layer, so that memory is needed for two of them.
#include <math.h>
#include <string.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "base/error.h"
#include "model/field.h"
#include "model/list.h"

enum { PROJECTIONS = 6, SHARE = 48 };
static const double cells_max = 1 << 26, offset = 1.37;  // no face of a shape on a face of a cube

typedef struct Net {
  const HeftField* field;
  const HeftAllocator* allocator;
  HeftVec3 low;
  double step;
  int count[3];      ///< corners of cubes along each axis
  double* value[2];  ///< of the corners of two layers
  int* vertex[2];    ///< of the cubes of two layers, or -1
  List vertices, faces;
  int failed;
} Net;

static double net_spacing(const HeftField* f, double spacing, HeftVec3 low, HeftVec3 high) {
  if (spacing > 0) return spacing;
  (void)f;
  return heft_vec3_norm(heft_vec3_sub(high, low)) / SHARE;
}

static double lay_net(Net* n, double spacing) {
  HeftVec3 low, high;
  heft_field_bounds(n->field, &low, &high);
  n->step = net_spacing(n->field, spacing, low, high);
  const double size[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
  double cells = 1;
  for (int k = 0; k < 3; ++k) {
    const double corners = ceil(size[k] / n->step + 2 * offset) + 1;
    cells *= corners;
    n->count[k] = corners < 1e6 ? (int)corners : 1000000;
  }
  n->low = heft_vec3_sub(low, heft_vec3(offset * n->step, offset * n->step, offset * n->step));
  return cells;
}

double heft_field_triangles_effort(const HeftField* field, double spacing) {
  HEFT_REQUIRE(field && spacing >= 0, 0);
  Net n = {.field = field};
  return lay_net(&n, spacing);
}

static HeftVec3 corner_of(const Net* n, int i, int j, int k) {
  return heft_vec3(n->low.x + i * n->step, n->low.y + j * n->step, n->low.z + k * n->step);
}

static void fill_layer(Net* n, int k) {
  HeftVec3 g;
  double* value = n->value[k & 1];
  for (int j = 0; j < n->count[1]; ++j) {
    for (int i = 0; i < n->count[0]; ++i)
      *value++ = heft_field_distance(n->field, corner_of(n, i, j, k), &g);
  }
}

static double corner_value(const Net* n, int i, int j, int k) {
  return n->value[k & 1][(long)j * n->count[0] + i];
}

// Along the gradient to the surface.
static HeftVec3 project(const Net* n, HeftVec3 p) {
  const HeftVec3 start = p;
  HeftVec3 best = p, g;
  double least = HUGE_VAL;
  for (int k = 0; k < PROJECTIONS; ++k) {
    const double d = heft_field_distance(n->field, p, &g), square = heft_vec3_dot(g, g);
    if (fabs(d) < least) least = fabs(d), best = p;
    if (!(square > 1e-12)) break;
    p = heft_vec3_add_scaled(p, -d / square, g);
    const HeftVec3 moved = heft_vec3_sub(p, start);
    const double far = heft_vec3_norm(moved);
    if (far > n->step) p = heft_vec3_add_scaled(start, n->step / far, moved);
  }
  return best;
}

static void add_vertex(Net* n, int i, int j, int k) {
  static const unsigned char edge[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                            {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  double v[8];
  int inside = 0;
  for (int c = 0; c < 8; ++c) {
    v[c] = corner_value(n, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
    inside += v[c] < 0;
  }
  int* slot = &n->vertex[k & 1][(long)j * n->count[0] + i];
  *slot = -1;
  if (inside == 0 || inside == 8) return;
  HeftVec3 sum = {0, 0, 0};
  int crossings = 0;
  for (int e = 0; e < 12; ++e) {
    const int a = edge[e][0], b = edge[e][1];
    if ((v[a] < 0) == (v[b] < 0)) continue;
    const double t = v[a] / (v[a] - v[b]);
    const HeftVec3 p = heft_vec3(a & 1, a >> 1 & 1, a >> 2),
                   q = heft_vec3(b & 1, b >> 1 & 1, b >> 2);
    sum = heft_vec3_add(sum, heft_vec3_add_scaled(p, t, heft_vec3_sub(q, p)));
    ++crossings;
  }
  const HeftVec3 mean = heft_vec3_add_scaled(corner_of(n, i, j, k), n->step / crossings, sum);
  const HeftVec3 p = project(n, mean);
  double* to = heft_list_extend(&n->vertices, 1, n->allocator);
  if (!to) {
    n->failed = 1;
    return;
  }
  to[0] = p.x, to[1] = p.y, to[2] = p.z;
  *slot = n->vertices.count - 1;
}

static HeftVec3 vertex_at(const Net* n, int i) {
  return heft_vec3_from((const double*)n->vertices.items + 3L * i);
}

static double squared_length(const Net* n, int a, int b) {
  const HeftVec3 d = heft_vec3_sub(vertex_at(n, a), vertex_at(n, b));
  return heft_vec3_dot(d, d);
}

// q: counter-clockwise. Divided along the shorter diagonal.
static void add_quad(Net* n, const int q[4], int turned) {
  for (int k = 0; k < 4; ++k) {
    if (q[k] < 0) return;
  }
  int* f = heft_list_extend(&n->faces, 2, n->allocator);
  if (!f) {
    n->failed = 1;
    return;
  }
  const int first = squared_length(n, q[0], q[2]) <= squared_length(n, q[1], q[3]) ? 0 : 1;
  for (int t = 0; t < 2; ++t) {
    const int a = q[(first + 2 * t) % 4], b = q[(first + 2 * t + 1) % 4],
              c = q[(first + 2 * t + 2) % 4];
    f[3 * t] = a;
    f[3 * t + 1] = turned ? c : b;
    f[3 * t + 2] = turned ? b : c;
  }
}

static int cube(const Net* n, int i, int j, int k) {
  return n->vertex[k & 1][(long)j * n->count[0] + i];
}

// The edges of the grid that start at a corner of the layer k: along x and y between the layers of
// cubes k - 1 and k, along z within the layer k.
static void join_edges(Net* n, int i, int j, int k) {
  const int in = corner_value(n, i, j, k) < 0;
  if (k > 0 && j > 0 && (corner_value(n, i + 1, j, k) < 0) != in) {
    const int q[4] = {cube(n, i, j - 1, k - 1), cube(n, i, j, k - 1), cube(n, i, j, k),
                      cube(n, i, j - 1, k)};
    add_quad(n, q, !in);
  }
  if (k > 0 && i > 0 && (corner_value(n, i, j + 1, k) < 0) != in) {
    const int q[4] = {cube(n, i - 1, j, k - 1), cube(n, i - 1, j, k), cube(n, i, j, k),
                      cube(n, i, j, k - 1)};
    add_quad(n, q, !in);
  }
  if (i > 0 && j > 0 && (corner_value(n, i, j, k + 1) < 0) != in) {
    const int q[4] = {cube(n, i - 1, j - 1, k), cube(n, i, j - 1, k), cube(n, i, j, k),
                      cube(n, i - 1, j, k)};
    add_quad(n, q, !in);
  }
}

// n->value[k & 1] and [(k + 1) & 1] are the layers of corners below and above the cubes of layer k.
static void pass_layer(Net* n, int k) {
  for (int j = 0; j + 1 < n->count[1]; ++j) {
    for (int i = 0; i + 1 < n->count[0] && !n->failed; ++i) add_vertex(n, i, j, k);
  }
  for (int j = 0; j + 1 < n->count[1]; ++j) {
    for (int i = 0; i + 1 < n->count[0] && !n->failed; ++i) join_edges(n, i, j, k);
  }
}

static void pass_all(Net* n) {
  fill_layer(n, 0);
  for (int k = 0; k + 1 < n->count[2] && !n->failed; ++k) {
    fill_layer(n, k + 1);
    pass_layer(n, k);
  }
}

// The list as an array of exactly its size, which the caller owns.
static void* hand_over(List* list, const HeftAllocator* a) {
  const size_t size = (size_t)list->count * list->item_size;
  void* out = a->allocate(a->user, size, sizeof(double));
  if (out) memcpy(out, list->items, size);
  return out;
}

HeftStatus heft_field_triangles(const HeftField* field, double spacing,
                                const HeftAllocator* allocator, HeftFieldTriangles* out,
                                HeftError* error) {
  HEFT_REQUIRE(field && out && spacing >= 0, HEFT_ERR_ARGUMENT);
  *out = (HeftFieldTriangles){0};
  const HeftStatus status = heft_field_check(field, error);
  if (status != HEFT_OK) return status;
  const HeftAllocator source = allocator_or_default(allocator);
  Net n = {.field = field,
           .allocator = &source,
           .vertices = list_make(3 * sizeof(double)),
           .faces = list_make(3 * sizeof(int))};
  const double cells = lay_net(&n, spacing);
  if (!(cells <= cells_max))
    return heft_error_set(error, HEFT_ERR_LIMIT,
                          "a distance shape '%s': a spacing of %g m makes %.3g cells, expected at "
                          "most %.3g; increase the spacing",
                          heft_field_type_name(field->type), n.step, cells, cells_max);
  const size_t layer = (size_t)n.count[0] * (size_t)n.count[1];
  const size_t bytes = layer * 2 * (sizeof(double) + sizeof(int));
  double* memory = source.allocate(source.user, bytes, sizeof(double));
  if (memory) {
    n.value[0] = memory, n.value[1] = memory + layer;
    n.vertex[0] = (int*)(memory + 2 * layer), n.vertex[1] = n.vertex[0] + layer;
    for (size_t i = 0; i < 2 * layer; ++i) n.vertex[0][i] = -1;
    pass_all(&n);
    source.release(source.user, memory, bytes);
  }
  int good = memory && !n.failed && n.faces.count > 0;
  if (good) {
    out->vertex_count = n.vertices.count;
    out->face_count = n.faces.count;
    out->vertices = hand_over(&n.vertices, &source);
    out->faces = hand_over(&n.faces, &source);
    good = out->vertices && out->faces;
  }
  const int empty = memory && !n.failed && n.faces.count == 0;
  heft_list_release(&n.vertices, &source);
  heft_list_release(&n.faces, &source);
  if (good) return HEFT_OK;
  heft_field_triangles_release(out, &source);
  if (empty)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "a distance shape '%s': a spacing of %g m finds no surface; decrease it",
                          heft_field_type_name(field->type), n.step);
  return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the triangles of a distance shape");
}

void heft_field_triangles_release(HeftFieldTriangles* t, const HeftAllocator* allocator) {
  HEFT_REQUIRE_VOID(t);
  const HeftAllocator source = allocator_or_default(allocator);
  if (t->vertices)
    source.release(source.user, t->vertices, (size_t)t->vertex_count * 3 * sizeof(double));
  if (t->faces) source.release(source.user, t->faces, (size_t)t->face_count * 3 * sizeof(int));
  *t = (HeftFieldTriangles){0};
}
