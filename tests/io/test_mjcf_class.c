// SPDX-License-Identifier: Apache-2.0
// Default classes and the table behind them: which element of a <default> gives values for which
// element of the model, classes inside of classes, and classes that are refused.
#include <string.h>

#include "io/mjcf.h"
#include "io/reader.h"

static void elements_share_defaults(void** state) {
  (void)state;
  assert_true(mjcf_same_default("geom", MJCF_geom));
  assert_false(mjcf_same_default("geom", MJCF_site));
  assert_true(mjcf_same_default("motor", MJCF_general));
  assert_true(mjcf_same_default("general", MJCF_position));
  assert_false(mjcf_same_default("equality", MJCF_geom));
  assert_true(mjcf_same_default("equality", MJCF_weld));
  assert_false(mjcf_same_default("weld", MJCF_weld));
  assert_true(mjcf_same_default("tendon", MJCF_tendon));
  assert_int_equal(mjcf_default_element("equality"), MJCF_connect);
  assert_int_equal(mjcf_default_element("velocity"), MJCF_velocity);
  assert_int_equal(mjcf_default_element("site"), MJCF_site);
  assert_int_equal(mjcf_default_element("body"), -1);
  assert_int_equal(mjcf_actuator_element("muscle"), MJCF_muscle);
  assert_int_equal(mjcf_actuator_element("geom"), -1);
  assert_string_equal(mjcf_find_attribute(MJCF_geom, "condim")->fallback, "3");
  assert_null(mjcf_find_attribute(MJCF_geom, "condims"));
}

// Reads the defaults of a document; status and message are left in r.
static void read_defaults(Reader* r, Mjcf* m, Unit* unit, const char* text) {
  reader_open(r, "a.xml", text);
  *m = (Mjcf){.load = &r->load};
  *unit = (Unit){.root = xml_parse(&r->load, &r->file)};
  assert_non_null(unit->root);
  mj_read_defaults(m, unit);
}

static void classes_know_the_class_around_them(void** state) {
  (void)state;
  Reader r;
  Mjcf m;
  Unit unit;
  read_defaults(&r, &m, &unit,
                "<mujoco><default class='top'><geom/><default class='a'><joint/>"
                "<default class='b'/></default></default><worldbody childclass='b'/></mujoco>");
  assert_int_equal(unit.classes.count, 3);
  const XmlNode* world = xml_child(unit.root, "worldbody");
  Class* top = GROW_AT(unit.classes, Class*, 0);
  const Class* b = mj_class(&m, &unit, world, "childclass", top);
  assert_ptr_equal(b, GROW_AT(unit.classes, Class*, name_table_index(&unit.class_names, 0, "b")));
  assert_ptr_equal(b->parent,
                   GROW_AT(unit.classes, Class*, name_table_index(&unit.class_names, 0, "a")));
  assert_ptr_equal(b->parent->parent, top);
  assert_int_equal(name_table_index(&unit.class_names, 0, "top"), 0);
  assert_int_equal(top->nodes.count, 1);
  assert_int_equal(b->parent->nodes.count, 1);
  assert_ptr_equal(mj_class(&m, &unit, world, "class", top), top);  // none is named
  assert_int_equal(r.load.status, HEFT_OK);
  reader_close(&r);
}

static void wrong_classes_are_refused(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
    HeftStatus status;
  } cases[] = {{"<mujoco><default><default/></default></mujoco>", "needs the attribute 'class'",
                HEFT_ERR_SYNTAX},
               {"<mujoco><default><default class='a'/><default class='a'/></default></mujoco>",
                "two default classes are named 'a'", HEFT_ERR_NAME}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Reader r;
    Mjcf m;
    Unit unit;
    read_defaults(&r, &m, &unit, cases[i].text);
    reader_expect_mistake(&r, cases[i].status, cases[i].message);
    reader_close(&r);
  }
  Reader r;
  Mjcf m;
  Unit unit;
  read_defaults(&r, &m, &unit, "<mujoco class='gone'><default><body/></default></mujoco>");
  reader_expect_warning(&r, 1, "<body> in <default>");
  Class* main = GROW_AT(unit.classes, Class*, 0);
  assert_ptr_equal(mj_class(&m, &unit, unit.root, "class", main), main);
  reader_expect_mistake(&r, HEFT_ERR_NAME, "there is no default class 'gone'");
  reader_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_share_defaults),
      cmocka_unit_test(classes_know_the_class_around_them),
      cmocka_unit_test(wrong_classes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
