// SPDX-License-Identifier: Apache-2.0
// Names of things and of types.
#include <heft/model.h>
#include <string.h>

#include "support/check.h"
#include "support/sample.h"

static void test_every_name_leads_back(void** state) {
  (void)state;
  HeftModel* m = sample_create(NULL, NULL);
  const struct {
    HeftNamed kind;
    int count;
    const char *one, *nobody;
  } rows[] = {{HEFT_NAMED_BODY, m->nbody, "world", "elbow"},
              {HEFT_NAMED_JOINT, m->njoint, "elbow", "hand"},
              {HEFT_NAMED_SITE, m->nsite, "tip", "ti"},
              {HEFT_NAMED_MATERIAL, m->nmaterial, "rubber", "rubber "},
              {HEFT_NAMED_SHAPE, m->nshape, "palm", "Palm"},
              {HEFT_NAMED_MESH, m->nmesh, "tetra", "tetrapod"},
              {HEFT_NAMED_ACTUATOR, m->nactuator, "jet", "jets"},
              {HEFT_NAMED_SENSOR, m->nsensor, "tip gyro", "gyro"},
              {HEFT_NAMED_KEY, m->nkey, "bent", ""}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    assert_true(rows[i].count > 0);
    assert_true(heft_model_find(m, rows[i].kind, rows[i].one) >= 0);
    assert_int_equal(heft_model_find(m, rows[i].kind, rows[i].nobody), -1);
    for (int k = 0; k < rows[i].count; ++k)
      assert_int_equal(heft_model_find(m, rows[i].kind, heft_model_name(m, rows[i].kind, k)), k);
  }
  assert_int_equal(heft_model_find(m, HEFT_NAMED_COUNT, "world"), -1);
  heft_model_destroy(m);
}

// Things without a name have the empty one, and are not found by it.
static void test_the_empty_name_finds_nothing(void** state) {
  (void)state;
  HeftBuilder* b = NULL;
  HeftModel* m = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  const HeftBodyDef body = heft_body_def_default();
  heft_builder_add_body(b, &body);
  assert_int_equal(heft_builder_finish(b, &m, NULL), HEFT_OK);
  heft_builder_destroy(b);
  assert_string_equal(heft_model_name(m, HEFT_NAMED_BODY, 1), "");
  assert_int_equal(heft_model_find(m, HEFT_NAMED_BODY, ""), -1);
  heft_model_destroy(m);
}

static int complaints;

static void complain(const char* condition, const char* file, int line) {
  (void)condition, (void)file, (void)line;
  complaints++;
}

static void test_an_index_that_is_not_there(void** state) {
  (void)state;
  HeftModel* m = sample_create(NULL, NULL);
  heft_assert_set_hook(complain);
  assert_string_equal(heft_model_name(m, HEFT_NAMED_BODY, -1), "");
  assert_string_equal(heft_model_name(m, HEFT_NAMED_BODY, m->nbody), "");
  assert_string_equal(heft_model_name(m, HEFT_NAMED_COUNT, 0), "");
  heft_assert_set_hook(NULL);
  assert_true(complaints == 3 || complaints == 0);  // a release library does not look
  heft_model_destroy(m);
}

static void test_names_of_types(void** state) {
  (void)state;
  for (int i = 0; i < HEFT_SHAPE_TYPE_COUNT; ++i)
    assert_string_not_equal(heft_shape_type_name((HeftShapeType)i), "unknown");
  for (int i = 0; i < HEFT_SENSOR_TYPE_COUNT; ++i) {
    assert_string_not_equal(heft_sensor_type_name((HeftSensorType)i), "unknown");
    assert_true(heft_sensor_type_value_count((HeftSensorType)i) > 0);
  }
  assert_string_equal(heft_shape_type_name(HEFT_SHAPE_CAPSULE), "capsule");
  assert_string_equal(heft_sensor_type_name(HEFT_SENSOR_GYRO), "gyro");
  assert_int_equal(heft_sensor_type_value_count(HEFT_SENSOR_FRAME_QUATERNION), 4);
  const int unknown[] = {-1, 1000};
  for (int i = 0; i < 2; ++i) {
    assert_string_equal(heft_shape_type_name((HeftShapeType)unknown[i]), "unknown");
    assert_string_equal(heft_sensor_type_name((HeftSensorType)unknown[i]), "unknown");
    assert_int_equal(heft_sensor_type_value_count((HeftSensorType)unknown[i]), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_name_leads_back),
      cmocka_unit_test(test_the_empty_name_finds_nothing),
      cmocka_unit_test(test_an_index_that_is_not_there),
      cmocka_unit_test(test_names_of_types),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
