// SPDX-License-Identifier: Apache-2.0
// Meshes between the file and the model: found again by name, given a hull where they
// collide, with a warning where the hull is much larger; and the scale and mass of a mesh.
#include "io/assets.h"

#include <string.h>

#include "io/reader.h"

// A cube from 0 to 2; its last vertex can be pushed in.
static Mesh cube(Load* load, double corner) {
  static const int faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  Mesh m = {.vertex_count = 8, .face_count = 12};
  m.vertices = load_take(load, 24, sizeof(double));
  m.faces = load_take(load, 36, sizeof(int));
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 3; ++k) m.vertices[3 * i + k] = i >> k & 1 ? (i == 7 ? corner : 2) : 0;
  }
  memcpy(m.faces, faces, sizeof faces);
  return m;
}

static void meshes_are_found_again(void** state) {
  (void)state;
  Reader r;
  reader_open(&r, "a.xml", "");
  Assets assets = {0};
  const MeshAsset a = {.name = "one"}, b = {.name = "two"};
  assert_int_equal(assets_add_mesh(&r.load, &assets, &a), 0);
  assert_int_equal(assets_add_mesh(&r.load, &assets, &b), 1);
  assert_int_equal(assets_find_mesh(&assets, "two"), 1);
  assert_int_equal(assets_find_mesh(&assets, "three"), -1);
  assert_string_equal(assets_mesh(&assets, 0)->name, "one");
  assert_string_equal(assets_base_name(&r.load, "a/b.c/part.v2.stl"), "part.v2");
  assert_string_equal(assets_base_name(&r.load, ".hidden"), ".hidden");
  assert_string_equal(assets_base_name(&r.load, "plain"), "plain");
  reader_close(&r);
}

static HeftModel* finish(Reader* r, Assets* assets) {
  HeftModel* m = NULL;
  assert_int_equal(assets_finish(&r->load, assets), HEFT_OK);
  assert_int_equal(heft_builder_finish(r->load.builder, &m, NULL), HEFT_OK);
  return m;
}

static void only_meshes_that_collide_get_a_hull(void** state) {
  (void)state;
  Reader r;
  reader_open(&r, "a.xml", "");
  Assets assets = {0};
  MeshAsset seen = {.name = "seen", .mesh = cube(&r.load, 2)};
  for (int i = 0; i < 8; ++i) seen.mesh.vertices[3 * i + 2] = 0;  // flat: it has no hull
  const MeshAsset hit = {.name = "hit", .mesh = cube(&r.load, 2), .collides = 1};
  assets_add_mesh(&r.load, &assets, &seen);
  assets_add_mesh(&r.load, &assets, &hit);
  HeftModel* m = finish(&r, &assets);
  assert_int_equal(m->nmesh, 2);
  assert_int_equal(m->mesh_hull_count[0], 0);
  assert_int_equal(m->mesh_hull_count[1], 12);
  assert_int_equal(r.load.warnings.count, 0);
  heft_model_destroy(m);
  reader_close(&r);
}

static void concave_meshes_are_told(void** state) {
  (void)state;
  Reader r;
  reader_open(&r, "a.xml", "");
  Assets assets = {0};
  const MeshAsset dented = {.name = "dented", .mesh = cube(&r.load, 0.5), .collides = 1};
  assets_add_mesh(&r.load, &assets, &dented);
  HeftModel* m = finish(&r, &assets);
  reader_expect_warning(&r, 1, "mesh 'dented' is not convex");
  heft_model_destroy(m);
  reader_close(&r);
}

// A surface of many triangles in one plane: a floor.
static void flat_meshes_collide_as_their_triangles(void** state) {
  (void)state;
  Reader r;
  reader_open(&r, "a.xml", "");
  Assets assets = {0};
  MeshAsset floor = {.name = "floor", .mesh = cube(&r.load, 1), .collides = 1};
  for (int i = 0; i < floor.mesh.vertex_count; ++i) floor.mesh.vertices[3 * i + 2] = 0;
  assets_add_mesh(&r.load, &assets, &floor);
  HeftModel* m = finish(&r, &assets);
  reader_expect_warning(&r, 1, "mesh 'floor' is flat");
  assert_int_equal(m->mesh_hull_count[0], 0);
  assert_int_equal(m->mesh_face_count[0], 12);
  heft_model_destroy(m);
  reader_close(&r);
}

static void scale_and_mass_of_a_mesh(void** state) {
  (void)state;
  Reader r;
  reader_open(&r, "a.xml", "");
  Mesh m = cube(&r.load, 2);
  assert_true(mesh_volume(&m, m.faces, m.face_count) == 8);
  static const double scale[3] = {1, -2, 0.5};
  mesh_scale(&m, scale);  // one factor is negative: the faces are turned round
  assert_true(mesh_volume(&m, m.faces, m.face_count) == 8);
  HeftInertia i;
  assert_true(mesh_mass(&m, MESH_MASS_EXACT, &i));  // a box of 2 x 4 x 1
  const double got[7] = {i.mass,       i.com.x,      i.com.y,     i.com.z,
                         i.inertia.xx, i.inertia.yy, i.inertia.zz};
  const double expected[7] = {8, 1, -2, 0.5, 8 * 17 / 12.0, 8 * 5 / 12.0, 8 * 20 / 12.0};
  CHECK_AT_MOST(relative_error(got, expected, 7), 1e-14);
  assert_true(mesh_mass(&m, MESH_MASS_SHELL, &i));
  CHECK_AT_MOST(fabs(i.mass - 28), 1e-13);
  reader_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(meshes_are_found_again),
      cmocka_unit_test(only_meshes_that_collide_get_a_hull),
      cmocka_unit_test(concave_meshes_are_told),
      cmocka_unit_test(flat_meshes_collide_as_their_triangles),
      cmocka_unit_test(scale_and_mass_of_a_mesh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
