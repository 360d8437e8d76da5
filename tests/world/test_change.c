// SPDX-License-Identifier: Apache-2.0
// Changes of a world as data: parameters, objects, and those that make no sense.
#include <heft/access.h>
#include <string.h>

#include "support/check.h"
#include "support/scene.h"

static const char scene[] =
    "<mujoco><worldbody><geom name='floor' type='plane' size='0 0 1'/><body name='a' pos='0 0 1'>"
    "<freejoint/><geom name='ga' size='.1'/><body name='b' pos='0 0 .3'><joint name='j' axis='0 1 "
    "0'/>"
    "<geom name='gb' size='.1'/></body></body></worldbody><contact><pair geom1='floor' geom2='ga' "
    "friction='.5 .5 0 0 0'/></contact><actuator><position name='p' joint='j' kp='10'/></actuator>"
    "</mujoco>";

static HeftStatus apply(HeftWorld* w, HeftChangeKind kind, int index, double value) {
  const HeftChange change = {.kind = kind, .index = index, .value = value};
  return heft_world_apply_change(w, &change, NULL);
}

static void parameters_change(void** state) {
  (void)state;
  HeftModel* m = scene_model(scene);
  HeftWorld* w = NULL;
  assert_int_equal(heft_world_create(&w, m, NULL, NULL), HEFT_OK);
  const int b = heft_model_find(m, HEFT_NAMED_BODY, "b");
  for (int twice = 0; twice < 2; ++twice) {  // the second time changes nothing
    assert_int_equal(apply(w, HEFT_CHANGE_GRAVITY, 0, 0.5), HEFT_OK);
    assert_int_equal(apply(w, HEFT_CHANGE_FRICTION, 0, 0.25), HEFT_OK);
    assert_int_equal(apply(w, HEFT_CHANGE_RESTITUTION, 0, 0.75), HEFT_OK);
    assert_int_equal(apply(w, HEFT_CHANGE_PAIR_FRICTION, 0, 0.125), HEFT_OK);
    assert_int_equal(apply(w, HEFT_CHANGE_MASS, b, 2), HEFT_OK);
    assert_int_equal(apply(w, HEFT_CHANGE_GAIN, 0, 3), HEFT_OK);
    assert_true(heft_world_gravity(w).z == 0.5 * m->physics.gravity[2]);
    assert_true(heft_world_material(w, 0).friction == 0.25);
    assert_true(heft_world_material(w, 0).restitution == 0.75);
    assert_true(heft_world_pair_material(w, 0).friction == 0.125);
    assert_true(heft_world_body_mass(w, b) == 2 * m->body_mass[b]);
    assert_true(heft_world_actuator_gains(w, 0).gain == 3 * m->actuator_gain[0]);
    assert_true(heft_world_actuator_gains(w, 0).bias[1] == 3 * m->actuator_bias[1]);
  }
  static const struct {
    HeftChangeKind kind;
    int index;
    double value;
  } wrong[] = {{HEFT_CHANGE_FRICTION, -1, 1},     {HEFT_CHANGE_FRICTION, 99, 1},
               {HEFT_CHANGE_FRICTION, 0, -1},     {HEFT_CHANGE_RESTITUTION, 0, 2},
               {HEFT_CHANGE_MASS, 0, 2},          {HEFT_CHANGE_MASS, 1, 0},
               {HEFT_CHANGE_GAIN, 1, 1},          {HEFT_CHANGE_GRAVITY, 0, (double)NAN},
               {HEFT_CHANGE_PAIR_FRICTION, 7, 1}, {HEFT_CHANGE_BOX, 0, 1},
               {(HeftChangeKind)-1, 0, 1},        {(HeftChangeKind)77, 0, 1}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    assert_int_equal(apply(w, wrong[i].kind, wrong[i].index, wrong[i].value), HEFT_ERR_VALUE);
  heft_world_destroy(w);
  heft_model_destroy(m);
}

static void objects_come_and_go(void** state) {
  (void)state;
  HeftModel *m = scene_model(scene), *more = NULL, *again = NULL, *none = NULL;
  HeftChange c = {.kind = HEFT_CHANGE_BALL, .value = 0.1, .pos = {3, 0, 1}, .name = "ball 1"};
  assert_int_equal(heft_model_apply_change(&more, m, &c, NULL, NULL), HEFT_OK);
  const int ball = heft_model_find(more, HEFT_NAMED_BODY, "ball 1");
  assert_int_equal(ball, m->nbody);
  assert_true(fabs(more->body_mass[ball] - 500 * 4.0 / 3 * HEFT_PI * 1e-3) < 1e-12);
  // the same name again is an error
  assert_int_equal(heft_model_apply_change(&none, more, &c, NULL, NULL), HEFT_ERR_NAME);
  assert_null(none);
  // and without it, the model has its bits again
  c = (HeftChange){.kind = HEFT_CHANGE_REMOVE, .index = ball};
  assert_int_equal(heft_model_apply_change(&again, more, &c, NULL, NULL), HEFT_OK);
  assert_true(heft_model_hash(again) == heft_model_hash(m));
  heft_model_destroy(again);
  // a file: the bodies of a model, with their names behind that of the object
  c = (HeftChange){.kind = HEFT_CHANGE_FILE, .pos = {0, 5, 0}, .name = "file 2"};
  assert_int_equal(heft_model_apply_change(&again, more, &c, m, NULL), HEFT_OK);
  assert_true(heft_model_find(again, HEFT_NAMED_BODY, "file 2/b") > 0);
  assert_int_equal(again->nactuator, 2);
  heft_model_destroy(again);
  const HeftChange wrong[] = {{.kind = HEFT_CHANGE_REMOVE, .index = 0},
                              {.kind = HEFT_CHANGE_REMOVE, .index = 99},
                              {.kind = HEFT_CHANGE_BOX, .value = -1},
                              {.kind = HEFT_CHANGE_BOX, .value = (double)NAN},
                              {.kind = HEFT_CHANGE_FILE},
                              {.kind = HEFT_CHANGE_GRAVITY, .value = 1}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    assert_int_equal(heft_model_apply_change(&none, m, &wrong[i], NULL, NULL), HEFT_ERR_VALUE);
  heft_model_destroy(more);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_change),
      cmocka_unit_test(objects_come_and_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
