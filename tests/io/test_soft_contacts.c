// SPDX-License-Identifier: Apache-2.0
// HeftLoadDef.soft_contacts: materials get the stiffness and damping of MuJoCo's contacts under the
// weight of the bodies, whatever gives the numbers: class, geom, pair, the geoms of the world.
#include <math.h>

#include "io/reader.h"

#define BALL(attributes) \
  "<body pos='0 0 .1'><freejoint/><geom type='sphere' size='.1' mass='2' " attributes "/></body>"
#define SCENE(option, bodies)                                                       \
  "<mujoco><option " option "/><worldbody><geom type='plane' size='5 5 1'/>" bodies \
  "</worldbody></mujoco>"

static HeftModel* load(const char* text, int soft) {
  HeftLoadDef def = heft_load_def_default();
  HeftModel* model = NULL;
  HeftError error = {0};
  def.soft_contacts = soft != 0;
  def.strict = soft != 0;
  if (heft_model_load_bytes(&model, text, strlen(text), "soft.xml", &def, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  return model;
}

// Stiffness of the material of a shape.
static double stiffness(const HeftModel* m, int shape) {
  return m->material_soft[2L * m->shape_material[shape]];
}

static void check_depth(const char* text, int shape, double weight, double depth) {
  HeftModel* m = load(text, 1);
  const double found = weight / stiffness(m, shape);
  if (fabs(found / depth - 1) > 1e-6) fail_msg("%.9g m instead of %.9g m", found, depth);
  heft_model_destroy(m);
}

// Depths at rest in MuJoCo 2.2.2.
static void test_depths(void** state) {
  (void)state;
  check_depth(SCENE("cone='elliptic'", BALL("")), 1, 19.62, 3.671818e-04);
  check_depth(SCENE("", BALL("friction='.5'")), 1, 19.62, 3.671818e-04);  // the floor has 1
  check_depth(SCENE("cone='elliptic'", BALL("solref='.1 1' priority='1' solimp='.9 .9 .001'")), 1,
              19.62, 9.81e-03);
  check_depth(SCENE("cone='elliptic'", BALL("solref='-1000 -20' solimp='.9 .9 .001' priority='1'")),
              1, 19.62, 9.81e-04);
}

// Numbers of the floor and of the ball are mixed; a floor that is softer makes the contact softer.
static void test_mixing(void** state) {
  (void)state;
  check_depth(
      "<mujoco><option cone='elliptic'/><worldbody><geom type='plane' size='5 5 1' "
      "solref='.1 1'/>" BALL("") "</worldbody></mujoco>",
      1, 19.62, 1.7658e-03);
  check_depth(
      "<mujoco><option cone='elliptic'/><worldbody><geom type='plane' size='5 5 1' "
      "solref='.1 1' solmix='0'/>" BALL("") "</worldbody></mujoco>",
      1, 19.62, 3.671818e-04);
}

// n - 1 = 3 edges more, impratio 4, friction 0.5: 38.4 times as stiff as with a round cone, apart
// from the impedance, which is constant here.
static void test_pyramids(void** state) {
  (void)state;
#define SOFT "solimp='.9 .9 .001' priority='1' friction='.5' "
  HeftModel* round = load(SCENE("cone='elliptic'", BALL(SOFT "condim='4'")), 1);
  HeftModel* edges = load(SCENE("impratio='4'", BALL(SOFT "condim='4'")), 1);
  HeftModel* none = load(SCENE("impratio='4'", BALL(SOFT "condim='1'")), 1);
  assert_true(fabs(stiffness(edges, 1) / stiffness(round, 1) / 38.4 - 1) < 1e-12);
  assert_true(stiffness(none, 1) == stiffness(round, 1));
  heft_model_destroy(round);
  heft_model_destroy(edges);
  heft_model_destroy(none);
}

// A time constant below two steps counts as two steps.
static void test_short_times(void** state) {
  (void)state;
  HeftModel* a = load(SCENE("timestep='.005'", BALL("priority='1' solref='.001 1'")), 1);
  HeftModel* b = load(SCENE("timestep='.005'", BALL("priority='1' solref='.01 1'")), 1);
  assert_true(stiffness(a, 1) == stiffness(b, 1));
  heft_model_destroy(a);
  heft_model_destroy(b);
}

// Two bodies have half of the compliance each; the world has none; geoms that do not collide none.
static void test_bodies(void** state) {
  (void)state;
  HeftModel* m = load(
      SCENE("",
            BALL("") BALL(
                "") "<body pos='1 0 0'><freejoint/><geom size='.1' mass='4' solimp='.9 .9 .001'/>"
                    "<geom size='.2' mass='0' contype='0' conaffinity='0' solref='1 1'/></body>"),
      1);
  assert_true(stiffness(m, 0) == 0);
  assert_true(stiffness(m, 1) > 0 && stiffness(m, 1) == stiffness(m, 2));
  assert_true(stiffness(m, 4) == 0);
  assert_int_equal(m->shape_contact_dim[4], 3);
  heft_model_destroy(m);
}

// A pair has the mobility of both bodies.
static void test_pairs(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><option cone='elliptic'/><worldbody><geom name='floor' type='plane' size='5 5 1'/>"
      "<body pos='0 0 .1'><freejoint/><geom name='ball' type='sphere' size='.1' mass='2'/></body>"
      "</worldbody><contact><pair geom1='floor' geom2='ball' solref='.03 1' "
      "friction='.5 .5'/></contact></mujoco>";
  HeftModel* m = load(text, 1);
  const double k = m->material_soft[2L * m->pair_material[0]];
  assert_true(fabs(19.62 / k / 6.015553e-04 - 1) < 1e-6);
  heft_model_destroy(m);
}

// Without the option contacts are rigid, and materials are shared.
static void test_default_is_rigid(void** state) {
  (void)state;
  HeftModel* m = load(SCENE("", BALL("solref='.1 1'") BALL("solref='.2 1'")), 0);
  assert_int_equal(m->nmaterial, 1);
  assert_true(m->material_soft[0] == 0);
  heft_model_destroy(m);
}

// A model that is written has its numbers in N/m: it is read without the option.
static HeftStatus put(void* user, const char* name, const void* bytes, size_t size, HeftError* e) {
  (void)e;
  char* out = user;
  if (name[0] || size >= 20000) return HEFT_ERR_FILE;
  memcpy(out, bytes, size);
  out[size] = '\0';
  return HEFT_OK;
}

static void test_written(void** state) {
  (void)state;
  static char text[20000];
  HeftModel* m = load(SCENE("cone='elliptic'", BALL("solref='.1 1'") BALL("")), 1);
  HeftWriteDef def = heft_write_def_default();
  def.put = put;
  def.user = text;
  assert_int_equal(heft_model_write_mjcf(m, &def, NULL), HEFT_OK);
  HeftModel* again = load(text, 0);
  assert_true(heft_model_hash(m) == heft_model_hash(again));
  heft_model_destroy(m);
  heft_model_destroy(again);
}

static void test_mistakes(void** state) {
  (void)state;
  static const char* const texts[] = {
      "<mujoco>\n<worldbody><geom size='1' solref='soft'/></worldbody></mujoco>",
      "<mujoco>\n<worldbody><geom size='1' solimp='1 2 3 4 5 6'/></worldbody></mujoco>",
      "<mujoco>\n<option impratio='much'/></mujoco>"};
  for (int i = 0; i < 3; ++i) {
    HeftLoadDef def = heft_load_def_default();
    HeftModel* model = NULL;
    HeftError error = {0};
    def.soft_contacts = true;
    assert_int_not_equal(
        heft_model_load_bytes(&model, texts[i], strlen(texts[i]), "x.xml", &def, &error), HEFT_OK);
    assert_int_equal(error.line, 2);
    assert_null(model);
  }
}

// URDF: the material of a collision shape.
#define ROBOT(heft)                                                                       \
  "<robot name='r'>\n<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' " \
  "izz='1' ixy='0' ixz='0' iyz='0'/></inertial><visual><geometry><sphere radius='1'/>"    \
  "</geometry></visual>\n<collision><geometry><sphere radius='1'/></geometry>" heft       \
  "</collision></link></robot>"

static void test_urdf(void** state) {
  (void)state;
  HeftModel* m = load(ROBOT("<heft friction='.7' soft='20000 100' area='1e6 .01 1 .5'/>"), 0);
  const int material = m->shape_material[m->nshape - 1];
  assert_true(m->material_friction[material] == 0.7);
  assert_true(m->material_soft[2L * material] == 20000 &&
              m->material_soft[2L * material + 1] == 100);
  assert_true(m->material_area[4L * material] == 1e6 && m->material_area[4L * material + 3] == 0.5);
  heft_model_destroy(m);
  static const char* const wrong[] = {ROBOT("<heft soft='-1 0'/>"), ROBOT("<heft soft='1'/>"),
                                      ROBOT("<heft area='1 1 1 2'/>"),
                                      ROBOT("<heft friction='-1'/>")};
  for (int i = 0; i < 4; ++i) {
    HeftError error = {0};
    assert_int_not_equal(
        heft_model_load_bytes(&m, wrong[i], strlen(wrong[i]), "r.urdf", NULL, &error), HEFT_OK);
    assert_int_equal(error.line, 3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_depths),   cmocka_unit_test(test_mixing),
      cmocka_unit_test(test_pyramids), cmocka_unit_test(test_short_times),
      cmocka_unit_test(test_bodies),   cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_written),  cmocka_unit_test(test_default_is_rigid),
      cmocka_unit_test(test_mistakes), cmocka_unit_test(test_urdf),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
