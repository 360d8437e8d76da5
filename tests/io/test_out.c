// SPDX-License-Identifier: Apache-2.0
// The text of a writer: elements and their indentation, escapes, numbers, files that are handed
// over, and the first mistake, after which nothing is written.
#include "io/out.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

typedef struct Files {
  char name[4][80], text[4][4000];
  int count, refuse;
} Files;

static HeftStatus keep(void* user, const char* name, const void* bytes, size_t size,
                       HeftError* error) {
  (void)error;
  Files* f = user;
  if (f->refuse) return HEFT_ERR_FILE;
  assert_true(f->count < 4 && size < sizeof f->text[0]);
  snprintf(f->name[f->count], sizeof f->name[0], "%s", name);
  memcpy(f->text[f->count], bytes, size);
  f->text[f->count++][size] = '\0';
  return HEFT_OK;
}

static HeftWriteDef def_for(Files* files) {
  HeftWriteDef def = heft_write_def_default();
  def.put = keep;
  def.user = files;
  return def;
}

static void elements_are_indented(void** state) {
  (void)state;
  Files files = {.count = 0};
  const HeftWriteDef def = def_for(&files);
  Out o = {.def = &def};
  out_text(&o, "<a>");
  ++o.indent;
  out_begin(&o, "b");
  out_open(&o, "c");
  out_text(&o, " x=\"");
  out_number(&o, -0.1);
  out_text(&o, "\"");
  out_end_empty(&o);
  out_open(&o, "d");
  out_begin_content(&o);
  out_end(&o, "d");
  out_end(&o, "b");
  out_end(&o, "a");
  out_hand_over(&o, "one");
  out_release(&o);
  assert_int_equal(o.status, HEFT_OK);
  assert_int_equal(files.count, 1);
  assert_string_equal(files.name[0], "one");
  assert_string_equal(files.text[0],
                      "<a>\n  <b>\n    <c x=\"-0.1\"/>\n    <d>\n    </d>\n  </b>\n</a>");
}

static void values_are_escaped(void** state) {
  (void)state;
  Files files = {.count = 0};
  const HeftWriteDef def = def_for(&files);
  Out o = {.def = &def};
  out_escaped(&o, "a&b<c>d\"e\nf\tg\rh'i");
  out_hand_over(&o, "");
  out_release(&o);
  assert_string_equal(files.text[0], "a&amp;b&lt;c&gt;d&quot;e&#10;f&#9;g&#13;h'i");
}

static void text_grows_and_the_next_file_begins_empty(void** state) {
  (void)state;
  Files files = {.count = 0};
  const HeftWriteDef def = def_for(&files);
  Out o = {.def = &def};
  char expected[3501];
  for (int i = 0; i < 3500; ++i) {
    expected[i] = (char)('a' + i % 26);
    out_bytes(&o, expected + i, 1);
  }
  expected[3500] = '\0';
  out_hand_over(&o, "long");
  out_text(&o, "x");
  out_hand_over(&o, "short");
  out_release(&o);
  assert_int_equal(files.count, 2);
  assert_string_equal(files.text[0], expected);
  assert_string_equal(files.text[1], "x");
}

static void* no_memory(void* user, size_t size, size_t alignment) {
  (void)user, (void)size, (void)alignment;
  return NULL;
}

static void the_first_mistake_is_kept(void** state) {
  (void)state;
  Files files = {.refuse = 1};
  HeftError error = {0};
  HeftWriteDef def = def_for(&files);
  Out o = {.def = &def, .error = &error};
  out_text(&o, "x");
  out_hand_over(&o, "gone.xml");
  assert_int_equal(o.status, HEFT_ERR_FILE);
  assert_non_null(strstr(error.message, "gone.xml"));
  files.refuse = 0;
  out_text(&o, "y");
  out_hand_over(&o, "later.xml");
  assert_int_equal(files.count, 0);
  assert_int_equal(out_fail(&o, HEFT_ERR_MEMORY, "%s", "later"), HEFT_ERR_FILE);
  assert_non_null(strstr(error.message, "gone.xml"));
  out_release(&o);
  def.allocator.allocate = no_memory;
  Out poor = {.def = &def, .error = &error};
  out_text(&poor, "x");
  assert_int_equal(poor.status, HEFT_ERR_MEMORY);
  assert_int_equal(error.status, HEFT_ERR_MEMORY);
  out_release(&poor);
}

// A tetrahedron with one mesh of each kind of name.
static HeftModel* model_of_meshes(void) {
  static const double vertices[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5};
  static const int faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
  static const char* const names[] = {"plain-name_1", "a b/c", "7"};
  HeftBuilder* b = NULL;
  const HeftAllocator a = heft_allocator_default();
  assert_int_equal(heft_builder_create(&b, &a, NULL), HEFT_OK);
  for (int i = 0; i < 3; ++i) {
    const HeftMeshDef mesh = {.cookie = HEFT_DEF_COOKIE(HeftMeshDef),
                              .name = names[i],
                              .vertex_count = 4,
                              .face_count = 4,
                              .vertices = vertices,
                              .faces = faces};
    heft_builder_add_mesh(b, &mesh);
  }
  HeftModel* m = NULL;
  assert_int_equal(heft_builder_finish(b, &m, NULL), HEFT_OK);
  heft_builder_destroy(b);
  return m;
}

static void meshes_become_obj_files(void** state) {
  (void)state;
  Files files = {.count = 0};
  HeftWriteDef def = def_for(&files);
  def.mesh_folder = "parts";
  HeftModel* m = model_of_meshes();
  Out o = {.def = &def, .m = m};
  for (int k = 0; k < 3; ++k) out_mesh_file(&o, k);
  out_release(&o);
  assert_int_equal(files.count, 3);
  assert_string_equal(files.name[0], "parts/plain-name_1.obj");
  assert_string_equal(files.name[1], "parts/1_a_b_c.obj");
  assert_string_equal(files.name[2], "parts/2_7.obj");
  assert_string_equal(files.text[0],
                      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0.5\n"
                      "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  char small[12];
  out_mesh_name(&o, 0, small, sizeof small);
  assert_true(strlen(small) < sizeof small);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_are_indented),
      cmocka_unit_test(values_are_escaped),
      cmocka_unit_test(text_grows_and_the_next_file_begins_empty),
      cmocka_unit_test(the_first_mistake_is_kept),
      cmocka_unit_test(meshes_become_obj_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
