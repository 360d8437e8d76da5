// SPDX-License-Identifier: Apache-2.0
// Functions that add bodies and shapes, and meshes of rings and grids: for tests, benchmarks and
// pictures of collision.
#ifndef HEFT_SCENES_SHAPE_PARTS_H
#define HEFT_SCENES_SHAPE_PARTS_H

#include <heft/model.h>
#include <stdlib.h>
#include <string.h>

/// A free body of 1 kg.
static inline int parts_free_body(HeftBuilder* b) {
  HeftBodyDef body = heft_body_def_default();
  body.mass = 1;
  body.inertia = (HeftSym3){1, 1, 1, 0, 0, 0};
  const int at = heft_builder_add_body(b, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = at;
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(b, &joint);
  return at;
}

static inline HeftShapeDef parts_shape_def(int body, HeftShapeType type, double x, double y,
                                           double z) {
  HeftShapeDef s = heft_shape_def_default();
  s.body = body;
  s.type = type;
  s.size[0] = x;
  s.size[1] = y;
  s.size[2] = z;
  return s;
}

static inline int parts_shape(HeftBuilder* b, int body, HeftShapeType type, double x, double y,
                              double z) {
  const HeftShapeDef s = parts_shape_def(body, type, x, y, z);
  return heft_builder_add_shape(b, &s);
}

static inline int parts_mesh_shape(HeftBuilder* b, int body, int mesh) {
  HeftShapeDef s = parts_shape_def(body, HEFT_SHAPE_MESH, 0, 0, 0);
  s.mesh = mesh;
  return heft_builder_add_shape(b, &s);
}

/// A sheet of 2 nx ny triangles over a rectangle about the origin; height may be NULL: flat.
static inline int parts_sheet(HeftBuilder* b, int nx, int ny, double size_x, double size_y,
                              double (*height)(double x, double y)) {
  const int row = nx + 1;
  double* v = malloc((size_t)row * (size_t)(ny + 1) * 3 * sizeof *v);
  int* t = malloc((size_t)nx * (size_t)ny * 6 * sizeof *t);
  if (!v || !t) abort();
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) {
      double* p = v + 3L * (j * row + i);
      p[0] = size_x * ((double)i / nx - 0.5), p[1] = size_y * ((double)j / ny - 0.5);
      p[2] = height ? height(p[0], p[1]) : 0;
    }
  }
  int count = 0;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = j * row + i;
      const int c[6] = {a, a + 1, a + row + 1, a, a + row + 1, a + row};
      memcpy(t + 3L * count, c, sizeof c);
      count += 2;
    }
  }
  HeftMeshDef mesh = heft_mesh_def_default();
  mesh.vertex_count = row * (ny + 1);
  mesh.vertices = v;
  mesh.face_count = count;
  mesh.faces = t;
  const int at = heft_builder_add_mesh(b, &mesh);
  free(v);
  free(t);
  return at;
}

enum { PARTS_RING_MAX = 256 };

/// A hull of rings of points, each ring `around` points with the given radius and height, turned by
/// `twist` of a step against the last. Each must be a corner of the hull.
static inline int parts_rings(HeftBuilder* b, int rings, int around, const double (*ring)[2],
                              double twist, double squash) {
  double v[3 * PARTS_RING_MAX];
  int t[6 * PARTS_RING_MAX], count = 0, n = 0;
  if (rings * around > PARTS_RING_MAX) abort();
  for (int r = 0; r < rings; ++r) {
    for (int k = 0; k < around; ++k, ++n) {
      const double angle = 2 * HEFT_PI * (k + twist * r) / around;
      v[3 * n] = ring[r][0] * heft_cos(angle);
      v[3 * n + 1] = squash * ring[r][0] * heft_sin(angle);
      v[3 * n + 2] = ring[r][1];
    }
  }
  for (int r = 0; r + 1 < rings; ++r) {
    for (int k = 0; k < around; ++k) {
      const int a = r * around + k, c = r * around + (k + 1) % around;
      const int corners[6] = {a, c, a + around, c, c + around, a + around};
      memcpy(t + 3L * count, corners, sizeof corners);
      count += 2;
    }
  }
  for (int k = 1; k + 1 < around; ++k) {
    const int top = (rings - 1) * around;
    const int corners[6] = {0, k + 1, k, top, top + k, top + k + 1};
    memcpy(t + 3L * count, corners, sizeof corners);
    count += 2;
  }
  HeftMeshDef mesh = heft_mesh_def_default();
  mesh.vertex_count = n;
  mesh.vertices = v;
  mesh.face_count = mesh.hull_count = count;
  mesh.faces = mesh.hull = t;
  return heft_builder_add_mesh(b, &mesh);
}

#endif
