// SPDX-License-Identifier: Apache-2.0
// Helpers of the collision tests: random numbers, random shapes, hulls of points, and a second
// opinion on support points, written apart from the library's.
#ifndef HEFT_TESTS_COLLISION_SHAPES_H
#define HEFT_TESTS_COLLISION_SHAPES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collision/narrow.h"
#include "collision/triangle_mesh.h"
#include "scenes/random.h"

// One number after the other: the order in which arguments are evaluated is the compiler's choice.
static inline HeftVec3 random_vector(Random* r, double lo, double hi) {
  HeftVec3 v;
  v.x = random_between(r, lo, hi);
  v.y = random_between(r, lo, hi);
  v.z = random_between(r, lo, hi);
  return v;
}

static inline HeftVec3 random_normal(Random* r) {
  for (;;) {
    const HeftVec3 v = random_vector(r, -1, 1);
    const double s = heft_vec3_dot(v, v);
    if (s > 1e-4 && s <= 1) return heft_vec3_normalize(v);
  }
}

static inline HeftQuat random_rotation(Random* r) {
  for (;;) {
    const HeftVec3 v = random_vector(r, -1, 1);
    const HeftQuat q = heft_quat(random_between(r, -1, 1), v.x, v.y, v.z);
    const double s = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (s > 1e-4 && s <= 1) return heft_quat_normalize(q);
  }
}

// ---- hulls of points in general position: every triple that has all others on one side

static inline int hull_triangles(int n, const double* p, int* out, int max) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      for (int k = j + 1; k < n; ++k) {
        const HeftVec3 a = heft_vec3(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
        const HeftVec3 b = heft_vec3(p[3 * j], p[3 * j + 1], p[3 * j + 2]);
        const HeftVec3 c = heft_vec3(p[3 * k], p[3 * k + 1], p[3 * k + 2]);
        const HeftVec3 m = heft_vec3_cross(heft_vec3_sub(b, a), heft_vec3_sub(c, a));
        int above = 0, below = 0;
        for (int l = 0; l < n && !(above && below); ++l) {
          if (l == i || l == j || l == k) continue;
          const HeftVec3 d = heft_vec3_sub(heft_vec3(p[3 * l], p[3 * l + 1], p[3 * l + 2]), a);
          if (heft_vec3_dot(m, d) > 0) {
            above = 1;
          } else {
            below = 1;
          }
        }
        if ((above && below) || count == max) continue;
        out[3 * count] = i;
        out[3 * count + 1] = above ? k : j;
        out[3 * count + 2] = above ? j : k;
        ++count;
      }
    }
  }
  return count;
}

// A hull in memory of its own: free() it.
static inline Hull* make_hull(int vertices, const double* p, int triangles, const int* t) {
  const size_t size = 1 << 20;
  void* memory = aligned_alloc(64, size);
  void* work = aligned_alloc(64, size);
  Arena arena = arena_make(memory, size, NULL), scratch = arena_make(work, size, NULL);
  Hull* h = heft_hull_make(&arena, scratch, vertices, p, triangles, t);
  free(work);
  return h;
}

// n points on the unit ball's surface; n = 8 with box != 0 gives a cube's corners.
static inline Hull* make_random_hull(Random* r, int n) {
  double p[3 * 128];
  int t[3 * 256];
  for (int i = 0; i < n; ++i) {
    const HeftVec3 v = random_normal(r);
    p[3 * i] = v.x, p[3 * i + 1] = v.y, p[3 * i + 2] = v.z;
  }
  const int count = hull_triangles(n, p, t, 256);
  return make_hull(n, p, count, t);
}

static inline Hull* make_box_hull(double x, double y, double z) {
  double p[24];
  for (int i = 0; i < 8; ++i) {
    p[3 * i] = i & 1 ? x : -x;
    p[3 * i + 1] = i & 2 ? y : -y;
    p[3 * i + 2] = i & 4 ? z : -z;
  }
  static const int t[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                            2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
  return make_hull(8, p, 12, t);
}

// The same hull, larger.
static inline Hull* scale_hull(const Hull* h, double s, double* memory) {
  Hull* out = (Hull*)memory;
  *out = *h;
  double* at = memory + (sizeof(Hull) + 63) / 64 * 8;
  const int n = h->vertex_padded, f = (h->face_count + 7) / 8 * 8;
  out->x = at, out->y = at + n, out->z = at + 2 * n, out->offset = at + 3 * n;
  for (int i = 0; i < n; ++i) {
    out->x[i] = s * h->x[i];
    out->y[i] = s * h->y[i];
    out->z[i] = s * h->z[i];
  }
  for (int i = 0; i < f; ++i) out->offset[i] = s * h->offset[i];
  out->center = heft_vec3_scale(s, h->center);
  out->normals = NULL;  // its offsets are those of h
  return out;
}

static inline Geometry make_geometry(Kind kind, double x, double y, double z, const Hull* hull) {
  Geometry g = {.kind = kind, .size = {x, y, z}, .hull = hull};
  heft_geometry_bound(&g);
  return g;
}

// ---- a second opinion

// Farthest point of the whole shape (radius included) along the unit vector d, in its frame.
static inline HeftVec3 reference_support(const Geometry* g, HeftVec3 d) {
  const double *s = g->size, rho = sqrt(d.x * d.x + d.y * d.y);
  switch (g->kind) {
    case KIND_SPHERE:
      return heft_vec3_scale(s[0], d);
    case KIND_CAPSULE: {
      HeftVec3 p = heft_vec3_scale(s[0], d);
      p.z += d.z > 0 ? s[1] : -s[1];
      return p;
    }
    case KIND_CYLINDER:
      return rho > 0 ? heft_vec3(s[0] * d.x / rho, s[0] * d.y / rho, d.z > 0 ? s[1] : -s[1])
                     : heft_vec3(0, 0, d.z > 0 ? s[1] : -s[1]);
    case KIND_ELLIPSOID: {
      const double k =
          sqrt(s[0] * d.x * (s[0] * d.x) + s[1] * d.y * (s[1] * d.y) + s[2] * d.z * (s[2] * d.z));
      return heft_vec3(s[0] * s[0] * d.x / k, s[1] * s[1] * d.y / k, s[2] * s[2] * d.z / k);
    }
    case KIND_BOX:
      return heft_vec3(d.x > 0 ? s[0] : -s[0], d.y > 0 ? s[1] : -s[1], d.z > 0 ? s[2] : -s[2]);
    case KIND_PLANE:
    case KIND_HULL:
    case KIND_TRIANGLE:
    case KIND_TRIANGLE_MESH:
    case KIND_FIELD:
    case KIND_COUNT:
      break;
  }
  int best = 0;
  double value = -INFINITY;
  for (int i = 0; i < g->hull->vertex_count; ++i) {
    const double v = g->hull->x[i] * d.x + g->hull->y[i] * d.y + g->hull->z[i] * d.z;
    if (v > value) value = v, best = i;
  }
  return heft_vec3(g->hull->x[best], g->hull->y[best], g->hull->z[best]);
}

// How far b must move along n to be free of a: the support function of a - b.
static inline double reference_overlap(const Geometry* a, const Geometry* b, const HeftPose* x,
                                       HeftVec3 n) {
  if (a->kind == KIND_PLANE) {
    const HeftVec3 d = heft_mat3_tmul_vec(x->rot, heft_vec3(0, 0, -1));
    return -heft_pose_apply(*x, reference_support(b, d)).z;
  }
  const HeftVec3 m = heft_vec3_neg(heft_mat3_tmul_vec(x->rot, n));
  const HeftVec3 p = reference_support(a, n);
  const HeftVec3 q = heft_pose_apply(*x, reference_support(b, m));
  return heft_vec3_dot(n, heft_vec3_sub(p, q));
}

static inline double geometry_size(const Geometry* g) {
  if (g->kind == KIND_PLANE) return 0;
  return heft_vec3_norm(g->half) + heft_vec3_norm(g->center);
}

static inline const char* kind_name(Kind k) {
  static const char* const name[KIND_COUNT] = {
      "plane", "sphere", "capsule", "cylinder", "ellipsoid", "box", "hull", "triangle", "soup"};
  return name[k];
}

#endif
