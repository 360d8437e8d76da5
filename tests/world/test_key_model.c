// SPDX-License-Identifier: Apache-2.0
// A moment of a world becomes a keyframe: a world of the new model that begins there goes on with
// the same bits.
#include <heft/access.h>
#include <string.h>

#include "support/check.h"
#include "support/scene.h"

static const char scene[] =
    "<mujoco><worldbody><geom type='plane' size='0 0 1'/><body name='lift' mocap='true' pos='2 0 "
    "1'><geom size='.2'/></body><body name='a' pos='0 0 1'><freejoint/><geom name='ga' size='.1'/>"
    "<body name='b' pos='0 0 .3'><joint name='j' axis='0 1 0'/><geom name='gb' size='.1'/></body>"
    "</body></worldbody><actuator><position name='p' joint='j' kp='10'/></actuator>"
    "<keyframe><key name='home' qpos='0 0 2 1 0 0 0 .5'/></keyframe></mujoco>";

static void moment_becomes_keyframe(void** state) {
  (void)state;
  HeftModel *m = scene_model(scene), *saved = NULL;
  HeftWorld *w = NULL, *again = NULL;
  assert_int_equal(heft_world_create(&w, m, NULL, NULL), HEFT_OK);
  const HeftVec3 none = {0, 0, 0};
  heft_world_controls(w)[0] = 0.25;
  assert_int_equal(
      heft_world_set_body_velocity(w, "lift", heft_spatial(none, heft_vec3(0, 0, 1)), NULL),
      HEFT_OK);
  for (int i = 0; i < 300; ++i) heft_world_step(w);  // still in the air
  assert_int_equal(heft_world_key_model(&saved, w, "now", NULL), HEFT_OK);
  assert_int_equal(saved->nkey, 2);
  assert_int_equal(heft_world_create(&again, saved, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_world_reset_to_key(again, "now", NULL), HEFT_OK);
  const HeftState *one = heft_world_state(w), *two = heft_world_state(again);
  assert_true(*one->time == *two->time);
  for (int i = 0; i < m->nq; ++i) assert_true(one->q[i] == two->q[i]);
  for (int i = 0; i < m->nv; ++i) assert_true(one->v[i] == two->v[i]);
  for (int i = 0; i < 7; ++i) assert_true(one->moved[i] == two->moved[i]);
  assert_true(heft_world_controls(again)[0] == 0.25);
  heft_world_destroy(again);
  heft_model_destroy(saved);
  heft_world_destroy(w);
  heft_model_destroy(m);
}

static void parameters_are_kept(void** state) {
  (void)state;
  HeftModel *m = scene_model(scene), *saved = NULL;
  HeftWorld *w = NULL, *again = NULL;
  assert_int_equal(heft_world_create(&w, m, NULL, NULL), HEFT_OK);
  const int b = heft_model_find(m, HEFT_NAMED_BODY, "b");
  const HeftChange changes[] = {{.kind = HEFT_CHANGE_GRAVITY, .value = 0.5},
                                {.kind = HEFT_CHANGE_FRICTION, .index = 0, .value = 0.25},
                                {.kind = HEFT_CHANGE_MASS, .index = b, .value = 2},
                                {.kind = HEFT_CHANGE_GAIN, .index = 0, .value = 3}};
  for (int i = 0; i < 4; ++i)
    assert_int_equal(heft_world_apply_change(w, &changes[i], NULL), HEFT_OK);
  heft_world_controls(w)[0] = 0.25;  // moves the joint, so that masses count
  for (int i = 0; i < 100; ++i) heft_world_step(w);
  assert_int_equal(heft_world_key_model(&saved, w, "now", NULL), HEFT_OK);
  assert_int_equal(heft_world_create(&again, saved, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_world_reset_to_key(again, "now", NULL), HEFT_OK);
  assert_true(heft_world_material(again, 0).friction == 0.25);
  for (int i = 0; i < 100; ++i) {
    heft_world_step(w);
    heft_world_step(again);
  }
  const HeftState *one = heft_world_state(w), *two = heft_world_state(again);
  for (int i = 0; i < m->nq; ++i) assert_float_equal(one->q[i], two->q[i], 1e-9);
  heft_world_destroy(again);
  heft_model_destroy(saved);
  heft_world_destroy(w);
  heft_model_destroy(m);
}

static void what_cannot_be_saved(void** state) {
  (void)state;
  HeftModel *m = scene_model(scene), *saved = m;
  HeftWorld* w = NULL;
  HeftError error = {0};
  assert_int_equal(heft_world_create(&w, m, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_world_key_model(&saved, w, "home", &error), HEFT_ERR_VALUE);
  assert_null(saved);
  assert_non_null(strstr(error.message, "keyframe 'home' already"));
  // One shape with another friction: the material in the model belongs to all shapes.
  const HeftMaterial icy = {.friction = 0.01, .kinetic = 0.01};
  assert_int_equal(heft_world_set_shape_material(w, 0, &icy, NULL), HEFT_OK);
  assert_int_equal(heft_world_key_model(&saved, w, "now", &error), HEFT_ERR_VALUE);
  assert_null(saved);
  assert_non_null(strstr(error.message, "others share its material"));
  heft_world_destroy(w);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moment_becomes_keyframe),
                                     cmocka_unit_test(parameters_are_kept),
                                     cmocka_unit_test(what_cannot_be_saved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
