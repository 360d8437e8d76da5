// SPDX-License-Identifier: Apache-2.0
// A model that passes through a builder is the same model; parts of it can be left out, and another
// model can be added.
#include <heft/io.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static HeftModel* load(const char* text) {
  HeftModel* m = NULL;
  HeftError error = {0};
  if (heft_model_load_bytes(&m, text, strlen(text), "text.xml", NULL, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  return m;
}

static HeftBuilder* builder_for(const HeftModel* m) {
  HeftBuilder* b = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  heft_builder_set_physics(b, m->physics);
  heft_builder_set_contact_model(b, m->names + m->contact_model[0]);
  return b;
}

static HeftModel* finish(HeftBuilder* b) {
  HeftModel* m = NULL;
  HeftError error = {0};
  if (heft_builder_finish(b, &m, &error) != HEFT_OK) fail_msg("%s", error.message);
  heft_builder_destroy(b);
  return m;
}

static void expect_same(const HeftModel* a, const HeftModel* b, const char* name) {
  for (int i = 0; i < heft_model_array_count(); ++i) {
    HeftModelArray x, y;
    heft_model_array(a, i, &x);
    heft_model_array(b, i, &y);
    const size_t each = x.type == HEFT_VALUE_DOUBLE ? 8 : x.type == HEFT_VALUE_INT32 ? 4 : 1;
    const size_t size = (size_t)x.rows * (size_t)x.columns * each;
    if (x.rows != y.rows || x.columns != y.columns || memcmp(x.data, y.data, size) != 0)
      fail_msg("%s: the array %s differs", name, x.name);
  }
  assert_true(heft_model_hash(a) == heft_model_hash(b));
}

static void through_a_builder(const char* path) {
  HeftModel* m = NULL;
  HeftError error = {0};
  if (heft_model_load_file(&m, path, NULL, &error) != HEFT_OK)
    fail_msg("%s: %s", path, error.message);
  HeftBuilder* b = builder_for(m);
  heft_builder_add_model(b, m, NULL);
  HeftModel* again = finish(b);
  expect_same(m, again, path);
  heft_model_destroy(again);
  heft_model_destroy(m);
}

static void models_keep_their_bits(void** state) {
  (void)state;
  static const char* const names[] = {"avatar_pebbles", "hrp2_door", "hrp2_lift_8", "hrp2_table",
                                      "hoap_like",      "plank",     "pyramid",     "cb_like"};
  char path[600];
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    snprintf(path, sizeof path, "%s/models/%s.xml", HEFT_SOURCE_DIR, names[i]);
    through_a_builder(path);
  }
}

// Every kind of element, and most references between them.
static const char everything[] =
    "<mujoco model='all'><option timestep='0.002' gravity='0 0.1 -9'/>"
    "<asset><texture name='sky' type='skybox' builtin='gradient' rgb1='0 0 1' rgb2='1 1 1' "
    "width='8' height='8'/><texture name='tex' type='2d' builtin='checker' rgb1='1 0 0' rgb2='0 1 "
    "0' width='8' height='8'/><material name='red' texture='tex' rgba='1 0 0 1'/>"
    "<mesh name='wedge' vertex='0 0 0 .1 0 0 0 .1 0 0 0 .1'/></asset>"
    "<worldbody><light name='lamp' pos='0 0 3'/><camera name='eye' pos='1 1 1' mode='targetbody' "
    "target='b'/><site name='hook' pos='0 0 2'/><geom name='floor' type='plane' size='0 0 1'/>"
    "<body name='a' pos='0 0 1'><freejoint name='fa'/><geom name='ga' type='box' size='.1 .1 .1' "
    "material='red' friction='.3 .01 .001' condim='4'/><site name='sa'/>"
    "<body name='b' pos='0 0 .3'><joint name='jb' axis='1 2 3' range='-1 1' damping='2' "
    "stiffness='3'/><geom name='gb' type='capsule' size='.05 .1'/><site name='sb' pos='.1 0 0'/>"
    "<body name='c' pos='0 0 .3'><joint name='jc' type='slide' axis='0 1 0' frictionloss='.5'/>"
    "<geom name='gc' type='mesh' mesh='wedge'/></body></body></body>"
    "<body name='d' pos='2 0 1'><freejoint name='fd'/><geom name='gd' size='.2'/></body>"
    "<body name='m' mocap='true' pos='4 0 1'><geom name='gm' size='.2'/></body></worldbody>"
    "<contact><pair name='p' geom1='ga' geom2='gd' friction='.7 .7 .01 .001 .001'/><exclude "
    "name='x' body1='a' body2='d'/></contact>"
    "<equality><connect name='e1' body1='a' body2='d' anchor='1 0 0' active='false'/><joint "
    "name='e2' joint1='jb' joint2='jc' polycoef='0 2 0 0 0' active='false'/></equality>"
    "<tendon><spatial name='rope' limited='true' range='0 5'><site site='hook'/><site "
    "site='sa'/></spatial><fixed name='sum'><joint joint='jb' coef='1'/><joint joint='jc' "
    "coef='2'/></fixed></tendon>"
    "<actuator><motor name='mb' joint='jb' gear='3'/><position name='pc' joint='jc' kp='20'/>"
    "<motor name='mr' tendon='rope'/><general name='gi' joint='jb' "
    "dyntype='integrator'/></actuator>"
    "<sensor><jointpos name='s1' joint='jb'/><framepos name='s2' objtype='body' objname='d' "
    "reftype='site' refname='sa'/><accelerometer name='s3' site='sb'/><clock/></sensor>"
    "<keyframe><key name='k' time='2' qpos='1 2 3 1 0 0 0 .1 .2 4 5 6 1 0 0 0' ctrl='1 2 3 4' "
    "act='.5' mpos='7 8 9'/></keyframe></mujoco>";

static void every_kind_keeps_its_bits(void** state) {
  (void)state;
  HeftModel* m = load(everything);
  HeftBuilder* b = builder_for(m);
  assert_int_equal(heft_builder_add_model(b, m, NULL), 1);
  HeftModel* again = finish(b);
  expect_same(m, again, "everything");
  heft_model_destroy(again);
  heft_model_destroy(m);
}

static int has(const HeftModel* m, HeftNamed kind, const char* name) {
  return heft_model_find(m, kind, name) >= 0;
}

// Without body b: its child, joints, actuators, sensors, tendons and equalities go with it.
static void a_body_leaves_with_all_that_refers_to_it(void** state) {
  (void)state;
  HeftModel* m = load(everything);
  bool without[16] = {false};
  HeftPartDef part = heft_part_def_default();
  part.without = without;
  without[heft_model_find(m, HEFT_NAMED_BODY, "b")] = true;
  HeftBuilder* b = builder_for(m);
  heft_builder_add_model(b, m, &part);
  HeftModel* less = finish(b);
  assert_int_equal(less->nbody, m->nbody - 2);
  assert_int_equal(less->nq, m->nq - 2);
  assert_true(has(less, HEFT_NAMED_BODY, "a") && !has(less, HEFT_NAMED_BODY, "c"));
  assert_int_equal(less->nmesh, 0);  // of the wedge alone
  assert_true(has(less, HEFT_NAMED_APPEARANCE, "red") && has(less, HEFT_NAMED_TEXTURE, "sky"));
  assert_true(!has(less, HEFT_NAMED_CAMERA, "eye") && has(less, HEFT_NAMED_LIGHT, "lamp"));
  assert_true(has(less, HEFT_NAMED_EQUALITY, "e1") && !has(less, HEFT_NAMED_EQUALITY, "e2"));
  assert_true(has(less, HEFT_NAMED_TENDON, "rope") && !has(less, HEFT_NAMED_TENDON, "sum"));
  assert_true(has(less, HEFT_NAMED_ACTUATOR, "mr") && !has(less, HEFT_NAMED_ACTUATOR, "gi"));
  assert_true(has(less, HEFT_NAMED_SENSOR, "s2") && !has(less, HEFT_NAMED_SENSOR, "s3"));
  assert_int_equal(less->nkey, 1);
  assert_true(less->key_q[1] == 2 && less->key_q[7] == 4 && less->key_control[0] == 3);
  assert_true(less->key_moved[2] == 9);
  heft_model_destroy(less);
  heft_model_destroy(m);
}

// A second model in another place, with a prefix and without its world.
static void a_model_is_added_elsewhere(void** state) {
  (void)state;
  HeftModel *m = load(everything), *plain = load("<mujoco><worldbody/></mujoco>");
  HeftPartDef part = heft_part_def_default();
  part.prefix = "two/";
  part.pos = heft_vec3(10, 0, 0);
  part.quat = heft_quat(0, 0, 0, 1);
  part.world = part.keys = 0;
  HeftBuilder* b = builder_for(m);
  heft_builder_add_model(b, m, NULL);
  const int first = heft_builder_add_model(b, m, &part);
  assert_int_equal(first, m->nbody);
  HeftModel* both = finish(b);
  assert_int_equal(both->nbody, 2 * m->nbody - 1);
  assert_int_equal(both->nlight, 1);
  assert_int_equal(both->nkey, 1);
  const int d = heft_model_find(both, HEFT_NAMED_BODY, "two/d");
  assert_true(d > 0 && fabs(both->body_pos[3L * d] - 8) < 1e-12);
  const int q = both->joint_q[both->body_joint[d]];
  assert_true(fabs(both->q_default[q] - 8) < 1e-12 && fabs(both->key_q[q] - 8) < 1e-12);
  assert_false(has(both, HEFT_NAMED_SHAPE, "two/floor"));
  assert_false(has(both, HEFT_NAMED_TENDON, "two/rope"));  // it hung on the world
  assert_true(has(both, HEFT_NAMED_ACTUATOR, "two/gi"));
  // the same name twice is an error
  HeftModel* none = NULL;
  HeftError error = {0};
  b = builder_for(plain);
  heft_builder_add_model(b, m, NULL);
  heft_builder_add_model(b, m, NULL);
  assert_int_equal(heft_builder_finish(b, &none, &error), HEFT_ERR_NAME);
  heft_builder_destroy(b);
  heft_model_destroy(both);
  heft_model_destroy(plain);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_keep_their_bits),
      cmocka_unit_test(every_kind_keeps_its_bits),
      cmocka_unit_test(a_body_leaves_with_all_that_refers_to_it),
      cmocka_unit_test(a_model_is_added_elsewhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
