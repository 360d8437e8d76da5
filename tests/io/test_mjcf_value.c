// SPDX-License-Identifier: Apache-2.0
// Values of MJCF: from the element, from its class, from the class around that, from the table; and
// the five forms of an orientation.
#include <string.h>

#include "io/mjcf.h"
#include "io/reader.h"

typedef struct Fixture {
  Reader r;
  Mjcf m;
  Unit unit;
  Scope scope;
  XmlNode* root;
} Fixture;

static void open(Fixture* f, const char* text) {
  reader_open(&f->r, "a.xml", text);
  f->m = (Mjcf){.load = &f->r.load};
  f->root = xml_parse(&f->r.load, &f->r.file);
  assert_non_null(f->root);
  f->unit =
      (Unit){.file = &f->r.file, .root = f->root, .auto_limits = 1, .radians = 1, .euler = "xyz"};
  f->scope = (Scope){.unit = &f->unit, .prefix = "", .suffix = ""};
  mj_read_defaults(&f->m, &f->unit);
}

// The first element of that name in the worldbody, with the class that it names.
static Item item_of(Fixture* f, const char* name) {
  const XmlNode* n = xml_child(xml_child(f->root, "worldbody"), name);
  assert_non_null(n);
  return (Item){.node = n,
                .scope = &f->scope,
                .class = mj_class(&f->m, &f->unit, n, "class", GROW_AT(f->unit.classes, Class*, 0)),
                .quat = heft_quat_identity()};
}

static void values_come_from_element_class_table(void** state) {
  (void)state;
  Fixture f;
  open(&f,
       "<mujoco><default><geom margin='1' gap='2' group='3'/>"
       "<default class='k'><geom gap='4'/></default></default>"
       "<worldbody><geom class='k' group='5' margin=' '/></worldbody></mujoco>");
  const Item item = item_of(&f, "geom");
  assert_true(mj_real(&f.m, &item, MJ_geom_margin) == 1);    // the outer class: '' is no number
  assert_true(mj_real(&f.m, &item, MJ_geom_gap) == 4);       // its own class
  assert_int_equal(mj_int(&f.m, &item, MJ_geom_group), 5);   // the element
  assert_int_equal(mj_int(&f.m, &item, MJ_geom_condim), 3);  // the table
  assert_true(mj_given(&f.m, &item, MJ_geom_margin));
  assert_false(mj_given(&f.m, &item, MJ_geom_condim));
  assert_null(mj_text(&f.m, &item, MJ_geom_quat, NULL));
  const XmlNode* where = NULL;
  assert_string_equal(mj_text(&f.m, &item, MJ_geom_gap, &where), "4");
  assert_true(where != item.node);
  reader_close(&f.r);
}

static HeftQuat orientation(const char* attribute) {
  Fixture f;
  char text[200];
  snprintf(text, sizeof text, "<mujoco><worldbody><geom %s/></worldbody></mujoco>", attribute);
  open(&f, text);
  const Item item = item_of(&f, "geom");
  const HeftQuat q = mj_orientation(&f.m, &item, MJ_geom_quat);
  assert_int_equal(f.r.load.status, HEFT_OK);
  reader_close(&f.r);
  return q;
}

// A quarter turn about y takes z to x, written in all five forms.
static void five_forms_of_one_orientation_agree(void** state) {
  (void)state;
  static const char* const forms[] = {"quat='1 0 1 0'", "axisangle='0 2 0 1.5707963267948966'",
                                      "euler='0 1.5707963267948966 0'", "xyaxes='0 0 -3 0 2 7'",
                                      "zaxis='5 0 0'"};
  const HeftVec3 x = heft_vec3(1, 0, 0);
  for (int i = 0; i < 5; ++i) {
    const HeftVec3 z = heft_quat_rotate(orientation(forms[i]), heft_vec3(0, 0, 1));
    CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(z, x)), 1e-15);
    const HeftVec3 y = heft_quat_rotate(orientation(forms[i]), heft_vec3(0, 1, 0));
    CHECK_AT_MOST(fabs(y.y - 1), 1e-15);
  }
}

static void euler_axes_turn_along_or_stay_fixed(void** state) {
  (void)state;
  Unit unit = {.radians = 0, .euler = "xyz"};
  const double angles[3] = {90, 90, 0};
  // along: x, then the turned y. fixed: the same letters in capitals are the other order.
  const HeftVec3 along = heft_quat_rotate(mj_euler(&unit, angles), heft_vec3(0, 0, 1));
  memcpy(unit.euler, "XYZ", 4);
  const HeftVec3 fixed = heft_quat_rotate(mj_euler(&unit, angles), heft_vec3(0, 0, 1));
  CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(along, heft_vec3(1, 0, 0))), 1e-15);
  CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(fixed, heft_vec3(0, -1, 0))), 1e-15);
}

static void words_and_switches(void** state) {
  (void)state;
  Fixture f;
  open(&f,
       "<mujoco><worldbody><joint limited='auto' range='0 1'/>"
       "<geom type='bal' shellinertia='true'/></worldbody></mujoco>");
  static const char* const types[] = {"box", "ball", NULL};
  const Item joint = item_of(&f, "joint"), geom = item_of(&f, "geom");
  assert_int_equal(mj_tri(&f.m, &joint, MJ_joint_limited), -1);
  assert_true(mj_limited(&f.m, &joint, MJ_joint_limited, MJ_joint_range));
  assert_true(mj_bool(&f.m, &geom, MJ_geom_shellinertia));
  f.unit.auto_limits = 0;
  assert_false(mj_limited(&f.m, &joint, MJ_joint_limited, MJ_joint_range));
  reader_expect_warning(&f.r, 1, "autolimits is off");
  assert_int_equal(mj_word(&f.m, &geom, MJ_geom_type, types), -1);
  reader_expect_mistake(&f.r, HEFT_ERR_VALUE, "'bal' was found, expected one of: box, ball");
  reader_close(&f.r);
}

static void unknown_attributes_are_told_once_per_kind(void** state) {
  (void)state;
  Fixture f;
  open(&f, "<mujoco><worldbody><geom nonsense='1' margin='0'/></worldbody></mujoco>");
  const Item item = item_of(&f, "geom");
  mj_check(&f.m, item.node, MJCF_geom);
  mj_check(&f.m, item.node, MJCF_geom);
  reader_expect_warning(&f.r, 1, "<geom> has no attribute 'nonsense'");
  reader_close(&f.r);
}

// MuJoCo's own elements and names of a later MuJoCo are warnings; a misspelt name is a mistake.
static void misspelt_elements_are_mistakes(void** state) {
  (void)state;
  Fixture f;
  open(&f, "<mujoco><worldbody><skin/><flexstrain/><pid/><hologram/><gem/></worldbody></mujoco>");
  static const char* const skipped[] = {"skin", "flexstrain", "pid", "hologram"};
  for (int i = 0; i < 4; ++i) mj_unknown_element(&f.m, item_of(&f, skipped[i]).node);
  assert_int_equal(f.r.load.status, HEFT_OK);
  assert_int_equal(f.r.load.warnings.count, 4);
  mj_unknown_element(&f.m, item_of(&f, "gem").node);
  reader_expect_mistake(&f.r, HEFT_ERR_NAME,
                        "<gem> in <worldbody> is not known; did you mean 'geom'?");
  reader_close(&f.r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_come_from_element_class_table),
      cmocka_unit_test(five_forms_of_one_orientation_agree),
      cmocka_unit_test(euler_axes_turn_along_or_stay_fixed),
      cmocka_unit_test(words_and_switches),
      cmocka_unit_test(unknown_attributes_are_told_once_per_kind),
      cmocka_unit_test(misspelt_elements_are_mistakes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
