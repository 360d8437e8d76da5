// SPDX-License-Identifier: Apache-2.0
// XML as a tree: elements, attributes and text with their places, lists of numbers, and everything
// that is refused.
#include "io/xml.h"

#include <string.h>

#include "io/reader.h"

static XmlNode* parse(Reader* r, const char* text) {
  reader_open(r, "a.xml", text);
  return xml_parse(&r->load, &r->file);
}

static void the_tree_is_that_of_the_file(void** state) {
  (void)state;
  Reader r;
  const XmlNode* a = parse(&r,
                           "<?xml version='1.0'?><!-- c --><a x='1' y='&lt;2'>\n  <b/><c>t"
                           "<!-- d -->u</c>\n <b z='3'/></a>");
  assert_non_null(a);
  assert_string_equal(a->name, "a");
  assert_int_equal(a->attribute_count, 2);
  assert_string_equal(xml_get(a, "y"), "<2");
  assert_null(xml_get(a, "z"));
  assert_int_equal(xml_find(a, "x")->used, 0);
  assert_int_equal(xml_find(a, "y")->used, 1);
  const XmlNode* b = xml_child(a, "b");
  assert_ptr_equal(b, xml_child(a, NULL));
  assert_ptr_equal(b->parent, a);
  assert_true(xml_is(b, "b") && !xml_is(b, "bb") && !xml_is(b, ""));
  const XmlNode* second = xml_next(b, "b");
  assert_string_equal(xml_get(second, "z"), "3");
  assert_null(xml_next(second, NULL));
  assert_string_equal(xml_child(a, "c")->text, "tu");
  assert_null(xml_child(a, "d"));
  reader_close(&r);
}

static void places_count_from_one(void** state) {
  (void)state;
  Reader r;
  const XmlNode* a = parse(&r, "<a>\n  <b one='x=1'\n     two = '2'/></a>");
  assert_non_null(a);
  const XmlNode* b = xml_child(a, "b");
  assert_int_equal(xml_place(b).line, 2);
  assert_int_equal(xml_place(b).column, 3);
  assert_int_equal(xml_attribute_place(b, "one").line, 2);
  assert_int_equal(xml_attribute_place(b, "one").column, 6);
  assert_int_equal(xml_attribute_place(b, "two").line, 3);
  assert_int_equal(xml_attribute_place(b, "two").column, 6);
  assert_int_equal(xml_attribute_place(b, "x").line, 2);  // inside of quotes: the element's place
  assert_int_equal(xml_attribute_place(b, "x").column, 3);
  assert_ptr_equal(xml_place(b).file, &r.file);
  reader_close(&r);
}

static void numbers_are_read_and_counted(void** state) {
  (void)state;
  Reader r;
  const XmlNode* a = parse(&r, "<a x=' 1\t-2.5e1\n3 '/>");
  double x[3] = {0};
  int n[2] = {0}, count = 0;
  assert_int_equal(xml_numbers(&r.load, a, "x", xml_get(a, "x"), 2, 3, x), 3);
  assert_true(x[0] == 1 && x[1] == -25 && x[2] == 3);
  assert_int_equal(xml_integers(&r.load, a, "x", "7 -8", 1, 2, n), 2);
  assert_true(n[0] == 7 && n[1] == -8);
  const double* list = xml_number_list(&r.load, a, "x", "1 2 3 4 5", &count);
  assert_int_equal(count, 5);
  assert_true(list[4] == 5);
  assert_int_equal(r.load.status, HEFT_OK);
  reader_close(&r);
}

static void wrong_numbers_are_refused_with_their_place(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
    int whole;
  } cases[] = {{"1 x2 3", "'x2' was found, expected a number", 0},
               {"1 2", "2 numbers were found, expected 3", 0},
               {"1 2 3 4", "4 numbers were found, expected 3", 0},
               {"1 2 1e10", "'1e10' was found, expected a number of at most 1e9", 0},
               {"nan 1 2", "'nan' was found, expected a number", 0},
               {"1 2 3.5", "'3.5' was found, expected a whole number", 1},
               {"1 2 99999999999", "expected a whole number", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Reader r;
    const XmlNode* a = parse(&r, "<a>\n <b x='?'/></a>");
    double x[3];
    int n[3];
    const XmlNode* b = xml_child(a, "b");
    const int got = cases[i].whole ? xml_integers(&r.load, b, "x", cases[i].text, 3, 3, n)
                                   : xml_numbers(&r.load, b, "x", cases[i].text, 3, 3, x);
    assert_int_equal(got, 0);
    reader_expect_mistake(&r, HEFT_ERR_VALUE, cases[i].message);
    assert_int_equal(r.error.line, 2);
    assert_int_equal(r.error.column, 5);
    assert_string_equal(r.error.file, "a.xml");
    reader_close(&r);
  }
}

static void hostile_documents_are_refused(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
    HeftStatus status;
  } cases[] = {
      {"<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", "<!DOCTYPE> was found", HEFT_ERR_UNSUPPORTED},
      {"<?go away?><a/>", "processing instruction", HEFT_ERR_UNSUPPORTED},
      {"<?xml version='1.0' encoding='latin1'?><a/>", "save the file as UTF-8",
       HEFT_ERR_UNSUPPORTED},
      {"<a><b></a>", "not well-formed", HEFT_ERR_SYNTAX},
      {"", "not well-formed", HEFT_ERR_SYNTAX},
      {"<a><b><c><d/></c></b></a>", "raise the limit xml_depth", HEFT_ERR_LIMIT},
      {"<a x='1' y='2' z='3'/>", "raise the limit xml_attributes", HEFT_ERR_LIMIT},
      {"<a><b/><b/><b/><b/><b/></a>", "raise the limit xml_elements", HEFT_ERR_LIMIT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Reader r;
    reader_open(&r, "a.xml", cases[i].text);
    r.def.limits.xml_depth = 3;
    r.def.limits.xml_attributes = 2;
    r.def.limits.xml_elements = 5;
    assert_null(xml_parse(&r.load, &r.file));
    reader_expect_mistake(&r, cases[i].status, cases[i].message);
    reader_close(&r);
  }
}

static void the_root_is_known_at_a_glance(void** state) {
  (void)state;
  static const struct {
    const char *text, *root;
  } cases[] = {{"<robot name='x'>", "robot"},
               {"<?xml version='1.0'?>\n<!-- <mujoco> -->\n<robot/>", "robot"},
               {"  <mujoco>", "mujoco"}};
  char name[16];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const SourceFile file = {.text = cases[i].text, .size = strlen(cases[i].text)};
    assert_true(xml_root_name(&file, name, sizeof name));
    assert_string_equal(name, cases[i].root);
  }
  const SourceFile none = {.text = "no element", .size = 10};
  assert_false(xml_root_name(&none, name, sizeof name));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_tree_is_that_of_the_file),
      cmocka_unit_test(places_count_from_one),
      cmocka_unit_test(numbers_are_read_and_counted),
      cmocka_unit_test(wrong_numbers_are_refused_with_their_place),
      cmocka_unit_test(hostile_documents_are_refused),
      cmocka_unit_test(the_root_is_known_at_a_glance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
