// SPDX-License-Identifier: Apache-2.0
// Small models for the collider's tests.
#ifndef HEFT_TESTS_COLLISION_MODELS_H
#define HEFT_TESTS_COLLISION_MODELS_H

#include <heft/collision.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline int add_free_body(HeftBuilder* b) {
  HeftBodyDef body = heft_body_def_default();
  body.mass = 1;
  body.moment = (HeftSym3){1, 1, 1, 0, 0, 0};
  const int at = heft_builder_add_body(b, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = at;
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(b, &joint);
  return at;
}

static inline HeftShapeDef shape_def(int body, HeftShapeType type, double x, double y, double z) {
  HeftShapeDef s = heft_shape_def_default();
  s.body = body;
  s.type = type;
  s.size[0] = x;
  s.size[1] = y;
  s.size[2] = z;
  return s;
}

static inline int add_shape(HeftBuilder* b, int body, HeftShapeType type, double x, double y,
                            double z) {
  const HeftShapeDef s = shape_def(body, type, x, y, z);
  return heft_builder_add_shape(b, &s);
}

static inline HeftModel* finish_model(HeftBuilder* b) {
  HeftModel* m = NULL;
  HeftError e = {0};
  if (heft_builder_finish(b, &m, &e) != HEFT_OK) print_error("builder: %s\n", e.message);
  heft_builder_destroy(b);
  assert_non_null(m);
  return m;
}

static inline HeftBuilder* new_builder(void) {
  HeftBuilder* b = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  return b;
}

static inline HeftCollider* new_collider(const HeftModel* m, double margin, int points) {
  HeftCollider* c = NULL;
  HeftError e = {0};
  HeftColliderDef def = heft_collider_def_default();
  def.margin = margin;
  def.points = points;
  if (heft_collider_create(&c, m, &def, &e) != HEFT_OK) print_error("collider: %s\n", e.message);
  assert_non_null(c);
  return c;
}

// A flat floor of 2 n² triangles, side `size`, in the plane z = 0.
static inline int add_floor_mesh(HeftBuilder* b, int n, double size) {
  const int row = n + 1;
  double* v = malloc((size_t)row * (size_t)row * 3 * sizeof *v);
  int* t = malloc((size_t)n * (size_t)n * 6 * sizeof *t);
  for (int j = 0; j < row; ++j) {
    for (int i = 0; i < row; ++i) {
      double* p = v + 3 * (j * row + i);
      p[0] = size * ((double)i / n - 0.5), p[1] = size * ((double)j / n - 0.5), p[2] = 0;
    }
  }
  int count = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int a = j * row + i;
      const int c[6] = {a, a + 1, a + row + 1, a, a + row + 1, a + row};
      memcpy(t + 3 * count, c, sizeof c);
      count += 2;
    }
  }
  HeftMeshDef mesh = heft_mesh_def_default();
  mesh.vertex_count = row * row;
  mesh.vertices = v;
  mesh.face_count = count;
  mesh.faces = t;
  const int at = heft_builder_add_mesh(b, &mesh);
  free(v);
  free(t);
  return at;
}

#endif
