// SPDX-License-Identifier: Apache-2.0
// The surface of a deformable body follows its nodes: closed, looking outward, with sharp edges
// that stay sharp.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <heft/deform.h>

#include "view/surface.h"

static HeftModel* make_block(void) {
  HeftBuilder* b = NULL;
  HeftModel* m = NULL;
  HeftTetrahedra mesh;
  const double half[3] = {0.2, 0.1, 0.05};
  const int cells[3] = {4, 3, 2};
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_tetrahedra_box(&mesh, half, cells, NULL, NULL), HEFT_OK);
  HeftDeformableDef def = heft_deformable_def_default();
  def.name = "block";
  def.vertex_count = mesh.vertex_count;
  def.vertices = mesh.vertices;
  def.tetrahedron_count = mesh.tetrahedron_count;
  def.tetrahedra = mesh.tetrahedra;
  heft_builder_add_deformable(b, &def);
  heft_tetrahedra_release(&mesh, NULL);
  assert_int_equal(heft_builder_finish(b, &m, NULL), HEFT_OK);
  heft_builder_destroy(b);
  return m;
}

static HeftVec3 vertex_of(const Solids* s, uint32_t index) {
  const float* v = VIEW_AT(s->vertices, Vertex, VIEW_AT(s->indices, uint32_t, index)).pos;
  return heft_vec3((double)v[0], (double)v[1], (double)v[2]);
}

static double volume(const Solids* s, const Part* p) {
  double sum = 0;
  for (uint32_t i = p->first; i < p->first + p->count; i += 3)
    sum +=
        heft_vec3_dot(vertex_of(s, i), heft_vec3_cross(vertex_of(s, i + 1), vertex_of(s, i + 2))) /
        6;
  return sum;
}

static void a_surface_follows_its_nodes(void** state) {
  (void)state;
  const HeftAllocator heap = heft_allocator_default();
  HeftModel* m = make_block();
  Solids s = solids_make(&heap, 16);
  Surface surface;
  Part part;
  HeftPose* poses = calloc((size_t)m->nbody, sizeof *poses);
  solid_box(&s, heft_vec3(1, 1, 1));  // other triangles stay as they are
  const Vertex before = VIEW_AT(s.vertices, Vertex, 3);
  assert_true(surface_make(&surface, &s, m, 0, &part));
  // stretched along x, moved along z
  for (int n = 0; n < m->nnode; ++n) {
    const double* rest = &m->node_rest[3 * n];
    poses[m->node_body[n]] = heft_pose_identity();
    poses[m->node_body[n]].pos = heft_vec3(1.5 * rest[0], rest[1], rest[2] + 2);
  }
  surface_follow(&surface, &s, &part, poses);
  assert_true(fabs(volume(&s, &part) / (1.5 * 0.4 * 0.2 * 0.1) - 1) < 1e-6);
  assert_true(fabs(part.center.z - 2) < 1e-6 && fabs(part.high.x - 0.3) < 1e-6);
  assert_memory_equal(&before, &VIEW_AT(s.vertices, Vertex, 3), sizeof before);
  // six sides: each normal is along one axis, also at corners
  for (uint32_t i = 0; i < surface.count; ++i) {
    const float* n = VIEW_AT(s.vertices, Vertex, surface.vertex + i).normal;
    const double max = fmax(fabs((double)n[0]), fmax(fabs((double)n[1]), fabs((double)n[2])));
    assert_true(fabs(max - 1) < 1e-6);
  }
  const int body = surface_body(&surface, poses, heft_vec3(0.31, 0.1, 2.05));
  assert_int_equal(body, m->node_body[m->nnode - 1]);
  surface_free(&surface, &heap);
  solids_free(&s);
  free(poses);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_surface_follows_its_nodes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
