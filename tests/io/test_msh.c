// SPDX-License-Identifier: Apache-2.0
// Files of Gmsh: all four forms of a mesh give the same tetrahedra; broken files are refused with
// their place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "io/msh.h"
#include "io/reader.h"

/// A file that is written piece by piece, as text or binary.
typedef struct Writer {
  char* bytes;
  size_t size;
  int old, binary;
} Writer;

enum { WRITER_SIZE = 1 << 20 };

static void put_text(Writer* w, const char* text) {
  w->size += (size_t)snprintf(w->bytes + w->size, WRITER_SIZE - w->size, "%s", text);
}

static void put_int(Writer* w, long long value, int bytes) {
  if (!w->binary) {
    w->size += (size_t)snprintf(w->bytes + w->size, WRITER_SIZE - w->size, "%lld ", value);
    return;
  }
  for (int i = 0; i < bytes; ++i) w->bytes[w->size++] = (char)(value >> (8 * i));
}

static void put_real(Writer* w, double x) {
  if (!w->binary) {
    w->size += (size_t)snprintf(w->bytes + w->size, WRITER_SIZE - w->size, "%.17g ", x);
    return;
  }
  bytes_put_double((unsigned char*)w->bytes + w->size, x);
  w->size += sizeof x;
}

static void end_line(Writer* w) {
  if (!w->binary) put_text(w, "\n");
}

// A count of format 2 is text in binary files, too.
static void put_old_count(Writer* w, int count) {
  w->size += (size_t)snprintf(w->bytes + w->size, WRITER_SIZE - w->size, "%d\n", count);
}

static void put_head(Writer* w) {
  w->size += (size_t)snprintf(w->bytes + w->size, WRITER_SIZE - w->size, "$MeshFormat\n%s %d 8\n",
                              w->old ? "2.2" : "4.1", w->binary);
  if (w->binary) put_int(w, 1, 4);
  put_text(w, w->binary ? "\n$EndMeshFormat\n" : "$EndMeshFormat\n");
  put_text(w, "$PhysicalNames\n1\n3 1 \"pad $End\"\n$EndPhysicalNames\n");
}

static int tag_of(int vertex) { return 1000 - 3 * vertex; }

static void put_old(Writer* w, const HeftTetrahedra* m) {
  put_text(w, "$Nodes\n");
  put_old_count(w, m->vertex_count + 1);
  for (int i = -1; i < m->vertex_count; ++i) {  // the first one is not used
    put_int(w, i < 0 ? 2000 : tag_of(i), 4);
    for (int k = 0; k < 3; ++k) put_real(w, i < 0 ? 7 : m->vertices[3 * i + k]);
    end_line(w);
  }
  put_text(w, w->binary ? "\n$EndNodes\n" : "$EndNodes\n");
  put_text(w, "$Elements\n");
  put_old_count(w, m->tetrahedron_count + 1);
  const int before = 2000, tags = 2;
  for (int t = -1; t < m->tetrahedron_count; ++t) {
    if (!w->binary) put_int(w, t + 2, 4);
    if (!w->binary || t <= 0) {
      put_int(w, t < 0 ? 15 : 4, 4);
      if (w->binary) put_int(w, t < 0 ? 1 : m->tetrahedron_count, 4);
      put_int(w, tags, 4);
    }
    if (w->binary) put_int(w, t + 2, 4);
    put_int(w, 1, 4);
    put_int(w, 1, 4);
    for (int k = 0; k < (t < 0 ? 1 : 4); ++k)
      put_int(w, t < 0 ? before : tag_of(m->tetrahedra[4 * t + k]), 4);
    end_line(w);
  }
  put_text(w, w->binary ? "\n$EndElements\n" : "$EndElements\n");
}

static void put_four(Writer* w, long long a, long long b, long long c, long long d, int bytes) {
  put_int(w, a, bytes);
  put_int(w, b, bytes);
  put_int(w, c, bytes);
  put_int(w, d, 8);
  end_line(w);
}

// Two blocks of nodes, the second one with parameters.
static void put_new(Writer* w, const HeftTetrahedra* m) {
  const int half = m->vertex_count / 2;
  put_text(w, "$Nodes\n");
  put_four(w, 2, m->vertex_count, tag_of(m->vertex_count - 1), 1000, 8);
  for (int block = 0; block < 2; ++block) {
    const int from = block ? half : 0, to = block ? m->vertex_count : half;
    put_four(w, block ? 2 : 3, 1, block, to - from, 4);
    for (int i = from; i < to; ++i) {
      put_int(w, tag_of(i), 8);
      end_line(w);
    }
    for (int i = from; i < to; ++i) {
      for (int k = 0; k < (block ? 5 : 3); ++k) put_real(w, k < 3 ? m->vertices[3 * i + k] : 0.5);
      end_line(w);
    }
  }
  put_text(w, w->binary ? "\n$EndNodes\n$Elements\n" : "$EndNodes\n$Elements\n");
  put_four(w, 1, m->tetrahedron_count, 1, m->tetrahedron_count, 8);
  put_four(w, 3, 1, 4, m->tetrahedron_count, 4);
  for (int t = 0; t < m->tetrahedron_count; ++t) {
    put_int(w, t + 1, 8);
    for (int k = 0; k < 4; ++k) put_int(w, tag_of(m->tetrahedra[4 * t + (k ^ (t & 1))]), 8);
    end_line(w);
  }
  put_text(w, w->binary ? "\n$EndElements\n" : "$EndElements\n");
}

static void expect_same(const HeftTetrahedra* a, const HeftTetrahedra* b) {
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_int_equal(a->tetrahedron_count, b->tetrahedron_count);
  assert_memory_equal(a->vertices, b->vertices, sizeof(double) * 3 * (size_t)a->vertex_count);
}

// Reads all beginnings of a file: none may be accepted but the whole one.
static void expect_cut_is_refused(const Writer* w, size_t step) {
  for (size_t size = 0; size + 16 < w->size; size += step) {
    char* exact = malloc(size + 1);  // so that sanitizers see bytes behind the end
    memcpy(exact, w->bytes, size);
    exact[size] = '\0';
    HeftTetrahedra m;
    HeftError error = {0};
    assert_int_not_equal(heft_tetrahedra_load_bytes(&m, exact, size, "cut.msh", NULL, &error),
                         HEFT_OK);
    assert_true(error.message[0] && !m.vertices);
    free(exact);
  }
}

static void all_forms_give_the_same_mesh(void** state) {
  (void)state;
  HeftTetrahedra box, read;
  const double half[3] = {0.3, 0.1, 0.07};
  const int cells[3] = {3, 2, 1};
  assert_int_equal(heft_tetrahedra_box(&box, half, cells, NULL, NULL), HEFT_OK);
  for (int form = 0; form < 4; ++form) {
    Writer w = {.bytes = malloc(WRITER_SIZE), .old = form & 1, .binary = form >> 1};
    put_head(&w);
    (w.old ? put_old : put_new)(&w, &box);
    HeftError error = {0};
    if (heft_tetrahedra_load_bytes(&read, w.bytes, w.size, "x.msh", NULL, &error) != HEFT_OK)
      fail_msg("form %d: %d: %s", form, error.line, error.message);
    expect_same(&read, &box);
    if (w.old) {
      assert_memory_equal(read.tetrahedra, box.tetrahedra, 16 * (size_t)box.tetrahedron_count);
    } else {  // every second tetrahedron was turned inside out by the writer, twice: even
      for (int t = 0; t < box.tetrahedron_count; ++t)
        assert_int_equal(read.tetrahedra[4 * t], box.tetrahedra[4 * t + (t & 1)]);
    }
    heft_tetrahedra_release(&read, NULL);
    expect_cut_is_refused(&w, 37);
    free(w.bytes);
  }
  heft_tetrahedra_release(&box, NULL);
}

#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define HEAD4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"

static void a_tetrahedron_is_turned(void** state) {
  (void)state;
  Reader r;
  HeftTetrahedra m;
  reader_open(&r, "a.msh", HEAD NODES "$Elements\n1\n9 4 0 1 2 4 3\n$EndElements\n");
  assert_true(msh_read(&r.load, reader_place(&r), &r.file, &m));
  static const int turned[4] = {0, 1, 2, 3};
  assert_memory_equal(m.tetrahedra, turned, sizeof turned);
  reader_close(&r);
  // the corners of a curved one
  reader_open(&r, "a.msh",
              HEAD
              "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0.5 0 0\n$EndNodes\n"
              "$Elements\n1\n9 11 0 1 2 3 4 5 5 5 5 5 5\n$EndElements\n");
  int* number;
  assert_true(msh_read(&r.load, reader_place(&r), &r.file, &m));
  assert_int_equal(m.vertex_count, 5);
  assert_true(tetrahedra_compact(&r.load, &m, &number));
  assert_int_equal(m.vertex_count, 4);
  assert_int_equal(number[3], 3);
  assert_int_equal(number[4], -1);
  reader_expect_warning(&r, 1, "higher order");
  reader_close(&r);
}

static void broken_files_are_refused_with_their_place(void** state) {
  (void)state;
  static const struct {
    const char* text;
    const char* message;
    HeftStatus status;
    int line;
  } cases[] = {
      {"", "expected $MeshFormat", HEFT_ERR_SYNTAX, 1},
      {"solid x\n", "'solid' was found, expected $MeshFormat", HEFT_ERR_SYNTAX, 1},
      {"$MeshFormat\n4 0 8\n", "gmsh -format msh41", HEFT_ERR_UNSUPPORTED, 2},
      {"$MeshFormat\nx 0 8\n", "'x' was found in $MeshFormat", HEFT_ERR_SYNTAX, 2},
      {"$MeshFormat\n4.1 2 8\n", "'2 8' was found in $MeshFormat", HEFT_ERR_UNSUPPORTED, 2},
      {"$MeshFormat\n4.1 0 4\n", "numbers of 8 bytes", HEFT_ERR_UNSUPPORTED, 2},
      {"$MeshFormat\n2.2 1 8\n\1\2\3\4\n", "another byte order", HEFT_ERR_UNSUPPORTED, 0},
      {HEAD "nodes\n", "'nodes' was found, expected a section", HEFT_ERR_SYNTAX, 4},
      {HEAD "$Periodic\n1\n", "$Periodic has no $EndPeriodic", HEFT_ERR_SYNTAX, 6},
      {HEAD NODES, "has no tetrahedra; mesh the volume", HEFT_ERR_VALUE, 0},
      {HEAD "$Nodes\n-1\n", "-1 was found in $Nodes", HEFT_ERR_VALUE, 5},
      {HEAD "$Nodes\n2\n1 0 0 0\n$EndNodes\n", "'$EndNodes' was found in $Nodes", HEFT_ERR_SYNTAX,
       7},
      {HEAD "$Nodes\n1\n1 0 0 1e10\n", "'1e10' was found in $Nodes", HEFT_ERR_SYNTAX, 6},
      {HEAD "$Nodes\n1\n1 0 0 nan\n", "expected a coordinate", HEFT_ERR_SYNTAX, 6},
      {HEAD "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", "'2' was found, expected $EndNodes",
       HEFT_ERR_SYNTAX, 7},
      {HEAD "$Nodes\n2000000000\n1 0 0 0\n", "the file ends in $Nodes", HEFT_ERR_SYNTAX, 7},
      {HEAD NODES "$Elements\n1\n1 5 0 1 2 3 4 1 2 3 4\n", "of type 5 was found",
       HEFT_ERR_UNSUPPORTED, 13},
      {HEAD NODES "$Elements\n1\n1 4 -1 1 2 3 4\n", "-1 was found", HEFT_ERR_VALUE, 13},
      {HEAD NODES "$Elements\n1\n1 4 0 1 2 3 5\n$EndElements\n", "has the node 5", HEFT_ERR_NAME,
       13},
      {HEAD NODES "$Elements\n1\n1 4 0 1 2 3 3\n$EndElements\n", "tetrahedron 1 is flat",
       HEFT_ERR_VALUE, 13},
      {HEAD "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n$Elements\n1\n1 4 0 1 1 1 1\n$EndElements\n",
       "two nodes with the tag 1", HEFT_ERR_NAME, 0},
      {HEAD4 "$Nodes\n1 1 1 1\n4 1 0 1\n", "the dimension 4 was found", HEFT_ERR_VALUE, 6},
      {HEAD4 "$Nodes\n1 1 1 1\n3 1 0 99999999999\n", "'99999999999' was found", HEFT_ERR_SYNTAX, 6},
      {HEAD4 "$Elements\n1 1 1 1\n3 1 99 1\n", "of type 99 was found", HEFT_ERR_UNSUPPORTED, 6},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Reader r;
    HeftTetrahedra m;
    reader_open(&r, "a.msh", cases[i].text);
    assert_false(msh_read(&r.load, reader_place(&r), &r.file, &m));
    reader_expect_mistake(&r, cases[i].status, cases[i].message);
    if (r.error.line != cases[i].line)
      fail_msg("'%s': line %d, expected %d", r.error.message, r.error.line, cases[i].line);
    reader_close(&r);
  }
}

static void limits_count(void** state) {
  (void)state;
  static const char text[] =
      HEAD NODES "$Elements\n2\n1 4 0 1 2 3 4\n2 4 0 4 3 2 1\n$EndElements\n";
  HeftLoadDef def = heft_load_def_default();
  HeftTetrahedra m;
  HeftError error = {0};
  def.limits.mesh_triangles = 1;
  assert_int_equal(heft_tetrahedra_load_bytes(&m, text, strlen(text), NULL, &def, &error),
                   HEFT_ERR_LIMIT);
  assert_non_null(strstr(error.message, "mesh_triangles"));
  def = heft_load_def_default();
  def.limits.total_bytes = 100;
  assert_int_equal(heft_tetrahedra_load_bytes(&m, text, strlen(text), NULL, &def, &error),
                   HEFT_ERR_LIMIT);
  assert_non_null(strstr(error.message, "total_bytes"));
  assert_int_equal(heft_tetrahedra_load_file(&m, "missing.msh", NULL, &error), HEFT_ERR_FILE);
  assert_non_null(strstr(error.message, "missing.msh"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_forms_give_the_same_mesh),
      cmocka_unit_test(a_tetrahedron_is_turned),
      cmocka_unit_test(broken_files_are_refused_with_their_place),
      cmocka_unit_test(limits_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
