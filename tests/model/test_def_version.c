// SPDX-License-Identifier: Apache-2.0
// A program that was compiled with headers of another version, and defs that were never
// initialised: the library refuses both with a sentence, and writes nothing beyond the cookie.
//
// This file stands for the other program: it replaces the number of the binary interface before it
// includes the headers, so its default functions pass a cookie that the library does not know.
#include <heft/version.h>
#undef HEFT_ABI_VERSION
#define HEFT_ABI_VERSION 200
#include <heft/collision.h>
#include <heft/contact.h>
#include <heft/control.h>
#include <string.h>

#include "support/check.h"

static HeftModel* empty_model(void) {
  HeftBuilder* b = NULL;
  HeftModel* m = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_builder_finish(b, &m, NULL), HEFT_OK);
  heft_builder_destroy(b);
  return m;
}

static void check_version(HeftStatus status, const HeftError* error) {
  assert_int_equal(status, HEFT_ERR_VERSION);
  assert_int_equal(error->status, HEFT_ERR_VERSION);
  char ours[64];
  snprintf(ours, sizeof ours, "binary interface %d and", heft_abi_version());
  assert_non_null(strstr(error->message, "binary interface 200,"));
  assert_non_null(strstr(error->message, ours));
}

static void check_uninitialised(HeftStatus status, const HeftError* error, const char* function) {
  assert_int_equal(status, HEFT_ERR_ARGUMENT);
  assert_int_equal(error->status, HEFT_ERR_ARGUMENT);
  assert_non_null(strstr(error->message, "never initialised"));
  assert_non_null(strstr(error->message, function));
}

static void builder_refuses_another_version(void** state) {
  (void)state;
  HeftBuilder* b = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  const HeftBodyDef def = heft_body_def_default();
  assert_int_equal(heft_builder_add_body(b, &def), -1);
  HeftError error = {0};
  check_version(heft_builder_status(b, &error), &error);
  heft_builder_destroy(b);
}

// Each def of a part of a model, all bytes zero.
static void builder_refuses_what_was_never_initialised(void** state) {
  (void)state;
#define CHECK_PART(Def, noun)                                          \
  do {                                                                 \
    HeftBuilder* b = NULL;                                             \
    assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);    \
    const Def def = {0};                                               \
    assert_int_equal(heft_builder_add_##noun(b, &def), -1);            \
    HeftError error = {0};                                             \
    const HeftStatus status = heft_builder_status(b, &error);          \
    check_uninitialised(status, &error, "heft_" #noun "_def_default"); \
    heft_builder_destroy(b);                                           \
  } while (0)
  CHECK_PART(HeftBodyDef, body);
  CHECK_PART(HeftJointDef, joint);
  CHECK_PART(HeftSiteDef, site);
  CHECK_PART(HeftMaterialDef, material);
  CHECK_PART(HeftShapeDef, shape);
  CHECK_PART(HeftMeshDef, mesh);
  CHECK_PART(HeftHeightFieldDef, height_field);
  CHECK_PART(HeftTextureDef, texture);
  CHECK_PART(HeftAppearanceDef, appearance);
  CHECK_PART(HeftCameraDef, camera);
  CHECK_PART(HeftLightDef, light);
  CHECK_PART(HeftPairDef, pair);
  CHECK_PART(HeftExcludeDef, exclude);
  CHECK_PART(HeftEqualityDef, equality);
  CHECK_PART(HeftTendonDef, tendon);
  CHECK_PART(HeftActuatorDef, actuator);
  CHECK_PART(HeftSensorDef, sensor);
  CHECK_PART(HeftKeyDef, key);
#undef CHECK_PART
}

static void objects_refuse_both(void** state) {
  (void)state;
  HeftModel* model = empty_model();
#define CHECK_OBJECT(Type, noun, create, usual)                        \
  do {                                                                 \
    HeftError error = {0};                                             \
    Type* object = NULL;                                               \
    Type##Def def = usual;                                             \
    check_version(create, &error);                                     \
    assert_null(object);                                               \
    memset(&def, 0, sizeof def);                                       \
    check_uninitialised(create, &error, "heft_" #noun "_def_default"); \
    assert_null(object);                                               \
  } while (0)
  CHECK_OBJECT(HeftCollider, collider, heft_collider_create(&object, model, &def, &error),
               heft_collider_def_default());
  CHECK_OBJECT(HeftContactSolver, contact_solver, heft_contact_solver_create(&object, &def, &error),
               heft_contact_solver_def_default());
  CHECK_OBJECT(HeftWholeBody, whole_body, heft_whole_body_create(&object, model, &def, &error),
               heft_whole_body_def_default());
  CHECK_OBJECT(HeftBiped, biped, heft_biped_create(&object, model, &def, &error),
               heft_biped_def_default(model));
  CHECK_OBJECT(HeftEstimator, estimator, heft_estimator_create(&object, model, &def, &error),
               heft_estimator_def_default(model));
  CHECK_OBJECT(HeftCompliance, compliance, heft_compliance_create(&object, model, &def, &error),
               heft_compliance_def_default(model));
  const HeftBipedGoal stand = {0};
  CHECK_OBJECT(HeftWalk, walk, heft_walk_create(&object, &def, &stand, 9.81, &error),
               heft_walk_def_default());
#undef CHECK_OBJECT
  heft_model_destroy(model);
}

// A program whose def is smaller than the library's: the bytes behind it stay as they are.
static void init_writes_the_cookie_alone(void** state) {
  (void)state;
  unsigned char bytes[sizeof(HeftShapeDef)], before[sizeof bytes];
  memset(bytes, 0xA5, sizeof bytes);
  memcpy(before, bytes, sizeof bytes);
  const uint32_t cookie =
      0xDE000000U | (uint32_t)heft_abi_version() << 16 | (uint32_t)(sizeof(HeftShapeDef) - 8);
  HeftShapeDef* def = (HeftShapeDef*)(void*)bytes;
  heft_shape_def_init(def, cookie);
  assert_memory_equal(bytes, &cookie, sizeof cookie);
  assert_memory_equal(bytes + sizeof cookie, before + sizeof cookie, sizeof bytes - sizeof cookie);
}

// The same number of the interface, another size: still refused, with both sizes.
static void another_size_is_another_version(void** state) {
  (void)state;
  HeftBuilder* b = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  HeftSiteDef def;
  const uint32_t right =
      0xDE000000U | (uint32_t)heft_abi_version() << 16 | (uint32_t)sizeof(HeftSiteDef);
  heft_site_def_init(&def, right);
  assert_int_equal(heft_builder_add_site(b, &def), 0);
  def.cookie = right + 8;
  assert_int_equal(heft_builder_add_site(b, &def), -1);
  assert_int_equal(heft_builder_status(b, NULL), HEFT_ERR_VERSION);
  heft_builder_destroy(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(builder_refuses_another_version),
      cmocka_unit_test(builder_refuses_what_was_never_initialised),
      cmocka_unit_test(objects_refuse_both),
      cmocka_unit_test(init_writes_the_cookie_alone),
      cmocka_unit_test(another_size_is_another_version),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
