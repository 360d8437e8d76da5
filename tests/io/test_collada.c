// SPDX-License-Identifier: Apache-2.0
// Collada files: placed triangles, units, mirrors, materials, and files that are wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// after the above
#include <math.h>
#include <stdio.h>
#include <cmocka.h>

#include "io/mesh.h"
#include "io/mtl.h"
#include "io/reader.h"

#define SOURCES                                                                                \
  "<source id='p'><float_array id='a'>0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>" \
  "<accessor source='#a' count='4' stride='3'/></technique_common></source>"                   \
  "<source id='t'><float_array>0 0 1 0 0.5 1</float_array><technique_common>"                  \
  "<accessor stride='2'/></technique_common></source>"                                         \
  "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices>"
#define VERTEX "<input semantic='VERTEX' source='#v' offset='0'/>"
#define MATERIALS                                                                                \
  "<library_effects><effect id='e'><profile_COMMON><technique><lambert><diffuse>"                \
  "<color>1 0.5 0 1</color></diffuse><transparency><float>0.25</float></transparency></lambert>" \
  "</technique></profile_COMMON></effect></library_effects><library_materials>"                  \
  "<material id='m'><instance_effect url='#e'/></material></library_materials>"
#define FILE_OF(asset, primitives, nodes)                                                     \
  "<COLLADA><asset>" asset "</asset>" MATERIALS                                               \
  "<library_geometries><geometry id='g'><mesh>" SOURCES primitives                            \
  "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='s'>" nodes \
  "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene>"   \
  "</COLLADA>"
#define TRIANGLES "<triangles>" VERTEX "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>"
#define USE "<instance_geometry url='#g'/>"

static void read(Reader* r, const char* text, Mesh* mesh) {
  reader_open(r, "x.dae", text);
  if (!mesh_read(&r->load, reader_place(r), &r->file, mesh)) fail_msg("%s", r->error.message);
}

static void expect_mistake(const char* text, HeftStatus status, const char* part) {
  Reader r;
  Mesh mesh;
  reader_open(&r, "x.dae", text);
  assert_false(mesh_read(&r.load, reader_place(&r), &r.file, &mesh));
  reader_expect_mistake(&r, status, part);
  reader_close(&r);
}

static void expect_vertex(const Mesh* mesh, int i, double x, double y, double z) {
  const double* v = mesh->vertices + 3L * i;
  if (fabs(v[0] - x) + fabs(v[1] - y) + fabs(v[2] - z) > 1e-14)
    fail_msg("vertex %d is %g %g %g, expected %g %g %g", i, v[0], v[1], v[2], x, y, z);
}

static void nodes_place_a_geometry(void** state) {
  (void)state;
  Reader r;
  Mesh mesh;
  read(&r,
       FILE_OF("<unit meter='0.5'/><up_axis>Y_UP</up_axis>", TRIANGLES,
               "<node><translate>2 0 0</translate><node><rotate>0 0 1 90</rotate>"
               "<scale>1 3 1</scale>" USE "</node></node>"),
       &mesh);
  assert_int_equal(mesh.vertex_count, 4);
  assert_int_equal(mesh.face_count, 4);
  assert_true(mesh.y_up);
  expect_vertex(&mesh, 0, 1, 0, 0);
  expect_vertex(&mesh, 1, 1, 0.5, 0);
  expect_vertex(&mesh, 2, -0.5, 0, 0);
  expect_vertex(&mesh, 3, 1, 0, 0.5);
  HeftInertia inertia;
  assert_true(mesh_mass(&mesh, MESH_MASS_EXACT, &inertia));
  assert_true(fabs(inertia.mass - 3.0 / 6 / 8) < 1e-15);
  reader_close(&r);
}

// A mirror reverses the faces, so that they still turn counter-clockwise seen from outside.
static void a_mirror_keeps_the_outside(void** state) {
  (void)state;
  Reader r;
  Mesh mesh;
  read(&r,
       FILE_OF("", TRIANGLES,
               "<node><matrix>-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>" USE "</node>"),
       &mesh);
  assert_true(mesh_volume(&mesh, mesh.faces, mesh.face_count) > 0);
  reader_close(&r);
}

static void polygons_fans_and_strips_become_triangles(void** state) {
  (void)state;
  static const char* const square[] = {"<polylist>" VERTEX
                                       "<vcount>4</vcount><p>0 1 2 3</p></polylist>",
                                       "<polygons>" VERTEX "<p>0 1 2 3</p></polygons>",
                                       "<trifans>" VERTEX "<p>0 1 2 3</p></trifans>",
                                       "<tristrips>" VERTEX "<p>0 1 3 2</p></tristrips>"};
  static const int faces[][6] = {
      {0, 1, 2, 0, 2, 3}, {0, 1, 2, 0, 2, 3}, {0, 1, 2, 0, 2, 3}, {0, 1, 3, 2, 3, 1}};
  for (size_t i = 0; i < sizeof square / sizeof *square; ++i) {
    Reader r;
    Mesh mesh;
    char text[4000];
    snprintf(text, sizeof text, FILE_OF("", "%s", "<node>" USE "</node>"), square[i]);
    read(&r, text, &mesh);
    assert_int_equal(mesh.face_count, 2);
    assert_memory_equal(mesh.faces, faces[i], sizeof faces[i]);
    reader_close(&r);
  }
}

static void materials_are_bound_by_symbols(void** state) {
  (void)state;
  Reader r;
  Mesh mesh;
  read(&r,
       FILE_OF("",
               "<triangles material='s1'>" VERTEX
               "<input semantic='TEXCOORD' source='#t' offset='1'/><p>0 0 2 1 1 2</p></triangles>"
               "<triangles>" VERTEX "<p>0 1 3</p></triangles>",
               "<node><instance_geometry url='#g'><bind_material><technique_common>"
               "<instance_material symbol='s1' target='#m'/></technique_common></bind_material>"
               "</instance_geometry></node>"),
       &mesh);
  assert_int_equal(mesh.vertex_count, 4);
  assert_int_equal(mesh.run_count, 2);
  assert_string_equal(mesh.runs[0].material, "m");
  assert_string_equal(mesh.runs[1].material, "");
  assert_int_equal(mesh.runs[1].first_face, 1);
  const MtlMaterial* m = mtl_find(&mesh.materials, "m");
  assert_non_null(m);
  assert_true(m->color[0] == 1 && m->color[1] == 0.5 && m->color[2] == 0 && m->color[3] == 0.25);
  assert_non_null(mesh.image);
  assert_true(mesh.image[2] == 1 && mesh.image[4] == 0.5 && mesh.image[5] == 1);
  reader_close(&r);
}

static void wrong_files_are_refused(void** state) {
  (void)state;
  expect_mistake("<mesh/>", HEFT_ERR_SYNTAX, "expected <COLLADA>");
  expect_mistake("<COLLADA/>", HEFT_ERR_VALUE, "has no triangles");
  expect_mistake(FILE_OF("<unit meter='0'/>", TRIANGLES, USE), HEFT_ERR_VALUE, "above 0");
  expect_mistake(FILE_OF("", TRIANGLES, "<instance_geometry url='#q'/>"), HEFT_ERR_VALUE,
                 "the id of a <geometry>");
  expect_mistake(FILE_OF("", "<triangles>" VERTEX "<p>0 1 4</p></triangles>", USE), HEFT_ERR_VALUE,
                 "vertex 4 was found, expected 0 to 3");
  expect_mistake(FILE_OF("", "<triangles>" VERTEX "<p>0 1</p></triangles>", USE), HEFT_ERR_VALUE,
                 "expected a whole number");
  expect_mistake(FILE_OF("", "<triangles><p>0 1 2</p></triangles>", USE), HEFT_ERR_VALUE,
                 "without vertices");
  expect_mistake(FILE_OF("", TRIANGLES, "<node id='n'><instance_node url='#n'/></node>"),
                 HEFT_ERR_LIMIT, "contain themselves");
  expect_mistake(
      FILE_OF("", TRIANGLES, "<node><scale>1e9 1 1</scale><scale>9 1 1</scale>" USE "</node>"),
      HEFT_ERR_VALUE, "farther than 1e9 m");
}

// Two nodes that each contain the next twice: 2^60 instances are not made.
static void instances_of_instances_end_at_the_budget(void** state) {
  (void)state;
  char text[20000];
  size_t n = (size_t)snprintf(text, sizeof text, "<COLLADA><library_nodes>");
  for (int i = 0; i < 60; ++i)
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "<node id='n%d'><instance_node url='#n%d'/><instance_node url='#n%d'/>"
                          "</node>",
                          i, i + 1, i + 1);
  snprintf(text + n, sizeof text - n,
           "<node id='n60'/></library_nodes><library_visual_scenes><visual_scene id='s'>"
           "<node><instance_node url='#n0'/></node></visual_scene></library_visual_scenes>"
           "<scene><instance_visual_scene url='#s'/></scene></COLLADA>");
  expect_mistake(text, HEFT_ERR_LIMIT, "limit");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodes_place_a_geometry),
      cmocka_unit_test(a_mirror_keeps_the_outside),
      cmocka_unit_test(polygons_fans_and_strips_become_triangles),
      cmocka_unit_test(materials_are_bound_by_symbols),
      cmocka_unit_test(wrong_files_are_refused),
      cmocka_unit_test(instances_of_instances_end_at_the_budget),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
