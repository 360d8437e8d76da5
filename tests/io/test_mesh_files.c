// SPDX-License-Identifier: Apache-2.0
// STL and OBJ files: equal vertices are found again, polygons become fans, places in an image stay
// with their corners; broken files are refused with their place.
#include <math.h>
#include <string.h>

#include "io/mesh.h"
#include "io/reader.h"

enum { STL_HEADER = 84, STL_RECORD = 50 };

// A binary STL of `count` triangles: (0,0,0) (1,0,0) (0,i+1,0). Returns its size.
static size_t make_stl(unsigned char* bytes, int count, const char* head) {
  memset(bytes, 0, STL_HEADER + (size_t)STL_RECORD * (size_t)count);
  memcpy(bytes, head, strlen(head));
  bytes[80] = (unsigned char)count;
  for (int t = 0; t < count; ++t) {
    float p[12] = {0, 0, 1, -0.0f, 0, 0, 1, 0, 0, 0, (float)t + 1, 0};
    memcpy(bytes + STL_HEADER + STL_RECORD * t, p, sizeof p);
  }
  return STL_HEADER + (size_t)STL_RECORD * (size_t)count;
}

static void binary_stl_shares_equal_vertices(void** state) {
  (void)state;
  unsigned char bytes[400];
  Reader r;
  Mesh m;
  // "solid" at its beginning does not make a binary file text
  reader_open_bytes(&r, "a.STL", bytes, make_stl(bytes, 3, "solid x"));
  assert_true(mesh_read(&r.load, reader_place(&r), &r.file, &m));
  assert_int_equal(m.face_count, 3);
  assert_int_equal(m.vertex_count, 5);
  static const int faces[9] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
  assert_memory_equal(m.faces, faces, sizeof faces);
  assert_true(m.vertices[13] == 3);
  assert_false(signbit(m.vertices[0]));
  reader_close(&r);
}

static void text_stl_is_read(void** state) {
  (void)state;
  static const char text[] =
      "solid t\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   Vertex 1e0 0 0\n"
      "   vertex 0 2.5 0\n  endloop\n endfacet\n"
      " facet normal 0 0 1 outer loop vertex 0 0 0 vertex 0 0 0 vertex 1 1 1 endloop endfacet\n"
      "endsolid t\n";
  Reader r;
  Mesh m;
  reader_open(&r, "a.stl", text);
  assert_true(mesh_read_stl(&r.load, reader_place(&r), &r.file, &m));
  assert_int_equal(m.face_count, 1);  // the second one has no area
  assert_true(m.vertices[7] == 2.5);
  reader_close(&r);
}

static void obj_faces_become_fans(void** state) {
  (void)state;
  static const char text[] =
      "# c\nv 0 0 0\nv 1 0 0\r\nv 1 1 0\nv 0 1 0\nvt 0.25 0.75\nvt 1 0\nvn 0 0 1\n"
      "f 1/1/1 2//1 3/2 4\nf -4 -3 -1\n";
  Reader r;
  Mesh m;
  reader_open(&r, "a.obj", text);
  assert_true(mesh_read(&r.load, reader_place(&r), &r.file, &m));
  assert_int_equal(m.vertex_count, 4);
  assert_int_equal(m.face_count, 3);
  static const int faces[9] = {0, 1, 2, 0, 2, 3, 0, 1, 3};
  assert_memory_equal(m.faces, faces, sizeof faces);
  assert_true(m.image[0] == 0.25 && m.image[1] == 0.75);  // corner 1/1/1
  assert_true(m.image[2] == 0 && m.image[3] == 0);        // corner 2//1 has no place
  assert_true(m.image[4] == 1 && m.image[5] == 0);        // corner 3/2
  reader_close(&r);
}

static void broken_files_are_refused_with_their_place(void** state) {
  (void)state;
  static const struct {
    const char *path, *text, *message;
    HeftStatus status;
    int line, column;
  } cases[] = {
      {"a.obj", "v 0 0 0\nv 1 x 0\n", "'x' was found in a vertex", HEFT_ERR_SYNTAX, 2, 5},
      {"a.obj", "v 0 0 0\nf 1 1 2\n", "'2' was found in a face", HEFT_ERR_VALUE, 2, 7},
      {"a.obj", "v 0 0 0\nf 1 1 -2\n", "'-2' was found in a face", HEFT_ERR_VALUE, 2, 7},
      {"a.obj", "v 0 0 0\nf 1 1\n", "a face with 2 corners", HEFT_ERR_SYNTAX, 2, 2},
      {"a.obj", "v 0 0 0\n", "has no faces", HEFT_ERR_VALUE, 0, 0},
      {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 1 2 3 2 1 3\n",
       "raise the limit mesh_triangles", HEFT_ERR_LIMIT, 4, 2},
      {"a.stl", "solid\nvertex 1 2\n", "'' was found after 'vertex'", HEFT_ERR_SYNTAX, 3, 0},
      {"a.stl", "solid\nvertex 1 2 3\n", "ends inside a facet", HEFT_ERR_SYNTAX, 3, 0},
      {"a.stl", "solid\nvertex 1 2 3\nendfacet\n", "a facet with 1 vertices", HEFT_ERR_SYNTAX, 3,
       0},
      {"a.stl", "solid\nendsolid\n", "has no triangles", HEFT_ERR_VALUE, 0, 0},
      {"a.stl", "abc", "too few for an STL file", HEFT_ERR_SYNTAX, 0, 0},
      {"a.ply", "ply", "convert it with heft convert", HEFT_ERR_UNSUPPORTED, 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Reader r;
    Mesh m;
    reader_open(&r, cases[i].path, cases[i].text);
    r.def.limits.mesh_triangles = 2;
    assert_false(mesh_read(&r.load, reader_place(&r), &r.file, &m));
    reader_expect_mistake(&r, cases[i].status, cases[i].message);
    if (r.error.line != cases[i].line || r.error.column != cases[i].column)
      fail_msg("'%s' is at %d:%d, expected %d:%d", r.error.message, r.error.line, r.error.column,
               cases[i].line, cases[i].column);
    reader_close(&r);
  }
}

static void broken_binary_stl_is_refused(void** state) {
  (void)state;
  unsigned char bytes[400];
  const size_t size = make_stl(bytes, 3, "binary");
  Reader r;
  Mesh m;
  reader_open_bytes(&r, "a.stl", bytes, size - 1);
  assert_false(mesh_read_stl(&r.load, reader_place(&r), &r.file, &m));
  reader_expect_mistake(&r, HEFT_ERR_SYNTAX, "says it has 3 triangles");
  reader_close(&r);
  const float bad = INFINITY;
  memcpy(bytes + STL_HEADER + STL_RECORD + 12, &bad, sizeof bad);
  reader_open_bytes(&r, "a.stl", bytes, size);
  assert_false(mesh_read_stl(&r.load, reader_place(&r), &r.file, &m));
  reader_expect_mistake(&r, HEFT_ERR_VALUE, "triangle 2 has a coordinate that is not finite");
  reader_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(binary_stl_shares_equal_vertices),
      cmocka_unit_test(text_stl_is_read),
      cmocka_unit_test(obj_faces_become_fans),
      cmocka_unit_test(broken_files_are_refused_with_their_place),
      cmocka_unit_test(broken_binary_stl_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
