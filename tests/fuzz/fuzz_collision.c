// SPDX-License-Identifier: Apache-2.0
// Two shapes of any size at any pose. Numbers are read as small codes rather than raw doubles, so
// that most inputs mean something: sizes from 1e-6 to 1e6, right angles and nearly right ones,
// exact contact, centres on top of each other.
//
// Whatever comes in, contacts must be finite, their normals unit vectors, no gap beyond the margin,
// no name twice in the same direction; swapped shapes must agree on whether they are clear of each
// other; rays and nearest points must be finite.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collision/distance_shape.h"
#include "collision/narrow.h"
#include "collision/ray.h"
#include "collision/triangle_mesh.h"
#include "fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A length: a power of ten and some digits.
static double take_length(Input* in) {
  static const double scale[8] = {1, 1, 0.1, 10, 1e-3, 1e3, 1e-6, 1e6};
  const unsigned a = take(in), b = take(in);
  return scale[a & 7] * (1 + (b & 15) / 16.0 + ((a & 8) ? (b >> 4) * 1e-12 : 0));
}

// A number from -1 to 1 with many round values, and values that are almost round.
static double take_share(Input* in) {
  static const double round[8] = {0, 1, -1, 0.5, -0.5, 0.70710678118654757, 1.0 / 3, -1.0 / 3};
  static const double noise[4] = {0, 1e-15, -1e-9, 1e-5};
  const unsigned a = take(in);
  return a & 128 ? (double)(int)(a & 127) / 63.5 - 1 : round[a & 7] + noise[a >> 3 & 3];
}

enum { HULLS = 3 };
static Hull* hulls[HULLS];
static TriangleMesh *triangle_mesh, *closed_mesh;

// Distance shapes of about the size 1, with their triangles.
enum { FIELDS = 4 };
static const HeftField fields[FIELDS] = {
    {.type = HEFT_FIELD_TORUS, .size = {1, 0.3}},
    {.type = HEFT_FIELD_CUP, .size = {1, 1.5, 0.2}},
    {.type = HEFT_FIELD_GEAR, .size = {0.1, 20, 0.4, 0.35, 0.3, 0.001}},
    {.type = HEFT_FIELD_NUT, .size = {0.7, 0.2, 0.8, 0.1, 1, 0.01}}};
static Geometry field_shapes[FIELDS];

static void* fresh(size_t size) {
  void* memory = aligned_alloc(64, size);
  if (!memory) abort();
  return memory;
}

static void make_field(int i) {
  HeftFieldTriangles t;
  if (heft_field_triangles(&fields[i], i < 2 ? 0.3 : 0.12, NULL, &t, NULL) != HEFT_OK) abort();
  HeftVec3 low, high;
  heft_field_bounds(&fields[i], &low, &high);
  const HeftVec3 center = heft_vec3_scale(0.5, heft_vec3_add(low, high));
  for (int v = 0; v < t.vertex_count; ++v) {
    t.vertices[3 * v] -= center.x;
    t.vertices[3 * v + 1] -= center.y;
    t.vertices[3 * v + 2] -= center.z;
  }
  const size_t room = 1 << 24, work = heft_triangle_mesh_scratch(t.face_count) + 4096;
  void* scratch = fresh((work + 63) / 64 * 64);
  Arena arena = arena_make(fresh(room), room, NULL);
  Geometry* g = &field_shapes[i];
  g->kind = KIND_FIELD;
  g->half = heft_vec3_scale(0.5, heft_vec3_sub(high, low));
  g->triangle_mesh = heft_triangle_mesh_make(&arena, arena_make(scratch, work, NULL),
                                             t.vertex_count, t.vertices, t.face_count, t.faces, 0);
  g->distance = heft_distance_shape_make(&arena, fields[i], center, g->triangle_mesh);
  if (!g->distance) abort();
  free(scratch);
  heft_field_triangles_release(&t, NULL);
}

static void make_shapes(void) {
  if (triangle_mesh) return;
  static const double cube[24] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                                  -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};
  static const int cube_faces[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                     2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
  static const double simplex[12] = {0, 0, 1, 1, 0, -0.3, -0.5, 0.8, -0.3, -0.5, -0.8, -0.3};
  static const int simplex_faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
  static const double flat[18] = {1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0, 0, 0, 1e-4, 0, 0, -1e-4};
  static const int flat_faces[24] = {4, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0,
                                     5, 1, 0, 5, 2, 1, 5, 3, 2, 5, 0, 3};
  static const double hills[27] = {-1,  -1, 0, 0, -1, 0, 1, -1, 0.2, -1, 0, 0, 0,   0,
                                   0.3, 1,  0, 0, -1, 1, 0, 0,  1,   0,  1, 1, -0.2};
  static const int hill_faces[24] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4,
                                     3, 4, 7, 3, 7, 6, 4, 5, 8, 4, 8, 7};
  const size_t room = 1 << 16;
  const struct {
    int vertices, faces;
    const double* v;
    const int* f;
  } source[HULLS] = {
      {8, 12, cube, cube_faces}, {4, 4, simplex, simplex_faces}, {6, 8, flat, flat_faces}};
  void* work = fresh(room);
  for (int i = 0; i < HULLS; ++i) {
    Arena arena = arena_make(fresh(room), room, NULL);
    hulls[i] = heft_hull_make(&arena, arena_make(work, room, NULL), source[i].vertices, source[i].v,
                              source[i].faces, source[i].f);
    REQUIRE(hulls[i]);
  }
  Arena arena = arena_make(fresh(room), room, NULL);
  triangle_mesh =
      heft_triangle_mesh_make(&arena, arena_make(work, room, NULL), 9, hills, 8, hill_faces, 0);
  Arena more = arena_make(fresh(room), room, NULL);
  closed_mesh =
      heft_triangle_mesh_make(&more, arena_make(work, room, NULL), 8, cube, 12, cube_faces, 0);
  REQUIRE(triangle_mesh && closed_mesh && closed_mesh->thickness > 0);
  free(work);
  for (int i = 0; i < FIELDS; ++i) make_field(i);
}

static Geometry take_geometry(Input* in, int allow_all) {
  static const Kind kinds[9] = {KIND_SPHERE,    KIND_CAPSULE,       KIND_CYLINDER,
                                KIND_ELLIPSOID, KIND_BOX,           KIND_HULL,
                                KIND_PLANE,     KIND_TRIANGLE_MESH, KIND_FIELD};
  const unsigned a = take(in);
  Geometry g = {.kind = kinds[a % (allow_all ? 9 : 6)]};
  if (g.kind == KIND_FIELD) return field_shapes[(a >> 4) % FIELDS];
  for (int k = 0; k < 3; ++k) g.size[k] = take_length(in);
  g.hull = g.kind == KIND_HULL ? hulls[(a >> 4) % HULLS] : NULL;
  g.triangle_mesh = g.kind == KIND_TRIANGLE_MESH ? a & 16 ? closed_mesh : triangle_mesh : NULL;
  if (g.kind == KIND_TRIANGLE_MESH) g.half = heft_vec3(1, 1, a & 16 ? 1 : 0.3);
  heft_geometry_bound(&g);
  return g;
}

static HeftPose take_pose(Input* in, double reach) {
  double s[7];
  for (int k = 0; k < 4; ++k) s[k] = take_share(in);
  HeftQuat q = heft_quat_from(s);
  if (take(in) & 1) q = heft_quat_identity();
  for (int k = 4; k < 7; ++k) s[k] = take_share(in);
  const HeftVec3 p = heft_vec3(s[4], s[5], s[6]);
  return heft_pose(heft_vec3_scale(reach, p), heft_quat_normalize(q));
}

static int is_finite(HeftVec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static void check_manifold(const Manifold* m, double margin, int max, int is_triangle_mesh) {
  REQUIRE(m->count >= 0 && m->count <= (is_triangle_mesh ? MANIFOLD_MAX : max));
  for (int i = 0; i < m->count; ++i) {
    const Point* p = &m->point[i];
    REQUIRE(is_finite(p->pos) && is_finite(p->normal) && isfinite(p->gap));
    REQUIRE(fabs(heft_vec3_norm(p->normal) - 1) < 1e-9);
    REQUIRE(p->gap <= margin);
  }
}

static double size_of(const Geometry* g) {
  return g->kind == KIND_PLANE ? 1 : heft_vec3_norm(g->half) + heft_vec3_norm(g->center);
}

static void check_rays(const Geometry* g, HeftVec3 from, HeftVec3 direction) {
  HeftVec3 n = {0, 0, 0}, q = {0, 0, 0};
  const HeftVec3 d = heft_vec3_normalize(direction);
  if (heft_vec3_dot(d, d) == 0) return;
  const double t = heft_geometry_ray(g, from, d, 1e9, &n);
  REQUIRE(!(t < 0));
  if (isfinite(t)) REQUIRE(is_finite(n) && fabs(heft_vec3_norm(n) - 1) < 1e-6);
  if (g->kind == KIND_FIELD) {
    REQUIRE(isfinite(heft_geometry_signed_distance(g, from, 1e9, &n)) && is_finite(n));
  } else if (g->kind == KIND_TRIANGLE_MESH) {
    REQUIRE(!(heft_triangle_mesh_closest(g, from, 1e9, &q, &n) < 0));
  } else {
    const double c = heft_geometry_closest(g, from, &q, &n);
    REQUIRE(isfinite(c) && is_finite(q) && is_finite(n));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static NarrowScratch scratch;
  make_shapes();
  Input in = {data, size};
  const Geometry a = take_geometry(&in, 1), b = take_geometry(&in, 1);
  const double small = fmin(size_of(&a), size_of(&b)), large = size_of(&a) + size_of(&b);
  const unsigned choice = take(&in);
  const double margin = choice & 1 ? 0 : small * fabs(take_share(&in));
  const int max = choice & 2 ? 8 : 4;
  const HeftPose x = take_pose(&in, choice & 4 ? large : small);
  Manifold m, back;
  heft_narrow(&a, &b, &x, margin, max, &scratch, &m);
  const int is_triangle_mesh = kind_has_triangles(a.kind) || kind_has_triangles(b.kind);
  check_manifold(&m, margin, max, is_triangle_mesh);
  const HeftPose y = heft_pose_inverse(x);
  if (!is_triangle_mesh) {  // soups always come second: the other way round is the same way
    heft_narrow(&b, &a, &y, margin, max, &scratch, &back);
    check_manifold(&back, margin, max, is_triangle_mesh);
  }
  check_rays(&a, x.pos, heft_mat3_column(x.rot, 0));
  check_rays(&b, y.pos, heft_mat3_column(y.rot, 1));
  return 0;
}
