// SPDX-License-Identifier: Apache-2.0
// The run-time tables of a model, and names that do not exist.
#include <heft/model.h>
#include <string.h>

#include "support/check.h"
#include "support/sample.h"

static HeftModelArray array_named(const HeftModel* m, const char* name) {
  HeftModelArray info;
  const int index = heft_model_array_find(name);
  assert_true(index >= 0);
  assert_int_equal(heft_model_array(m, index, &info), HEFT_OK);
  assert_string_equal(info.name, name);
  return info;
}

static void arrays_have_pointer_shape_and_unit(void** state) {
  (void)state;
  HeftModel* m = sample_create(NULL, NULL);
  const HeftModelArray pos = array_named(m, "body_pos");
  assert_ptr_equal(pos.data, m->body_pos);
  assert_int_equal(pos.type, HEFT_VALUE_DOUBLE);
  assert_int_equal(pos.rows, m->nbody);
  assert_int_equal(pos.columns, 3);
  assert_string_equal(pos.unit, "m");
  const HeftModelArray parent = array_named(m, "body_parent");
  assert_int_equal(parent.type, HEFT_VALUE_INT32);
  assert_ptr_equal(parent.data, m->body_parent);
  const HeftModelArray key = array_named(m, "key_q");
  assert_int_equal(key.rows, m->nkey);
  assert_int_equal(key.columns, m->nq);
  const HeftModelArray names = array_named(m, "names");
  assert_int_equal(names.type, HEFT_VALUE_CHAR);
  assert_int_equal(heft_model_array_find("body_poss"), -1);
  heft_model_destroy(m);
}

// The arrays of the table, one after the other, fill the memory of the model without overlap.
static void arrays_cover_the_model(void** state) {
  (void)state;
  HeftModel* m = sample_create(NULL, NULL);
  const char* end = m->memory;
  for (int i = 0; i < heft_model_array_count(); ++i) {
    HeftModelArray a;
    assert_int_equal(heft_model_array(m, i, &a), HEFT_OK);
    const size_t bytes = (size_t)a.rows * (size_t)a.columns * heft_value_type_size(a.type);
    assert_true((const char*)a.data >= end && (const char*)a.data - end < 64);
    end = (const char*)a.data + bytes;
    assert_true(a.meaning[0] != '\0' && strchr(a.meaning, '[') == NULL);
  }
  assert_true(end <= (const char*)m->memory + m->memory_size);
  heft_model_destroy(m);
}

static void sizes_have_names_and_values(void** state) {
  (void)state;
  HeftModel* m = sample_create(NULL, NULL);
  int found = 0;
  for (int i = 0; i < heft_model_size_count(); ++i) {
    HeftModelSize size;
    assert_int_equal(heft_model_size(m, i, &size), HEFT_OK);
    if (strcmp(size.name, "nbody") == 0) found += size.value == m->nbody;
    if (strcmp(size.name, "nsensordata") == 0) found += size.value == m->nsensordata;
    assert_true(size.value >= 0 && size.meaning[0]);
  }
  assert_int_equal(found, 2);
  heft_model_destroy(m);
}

static void a_wrong_name_gets_a_suggestion(void** state) {
  (void)state;
  HeftModel* m = sample_create(NULL, NULL);
  const char* right = heft_model_name(m, HEFT_NAMED_BODY, 1);
  char wrong[64];
  snprintf(wrong, sizeof wrong, "%sx", right);
  int index = 5;
  HeftError error = {0};
  assert_int_equal(heft_model_lookup(m, HEFT_NAMED_BODY, right, &index, &error), HEFT_OK);
  assert_int_equal(index, 1);
  assert_int_equal(heft_model_lookup(m, HEFT_NAMED_BODY, wrong, &index, &error), HEFT_ERR_NAME);
  assert_int_equal(index, -1);
  char expected[100];
  snprintf(expected, sizeof expected, "did you mean '%s'?", right);
  assert_non_null(strstr(error.message, expected));
  assert_non_null(strstr(error.message, "bodies"));
  assert_int_equal(heft_model_lookup(m, HEFT_NAMED_BODY, "", &index, NULL), HEFT_ERR_NAME);
  assert_int_equal(heft_model_named_count(m, HEFT_NAMED_BODY), m->nbody);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_have_pointer_shape_and_unit),
      cmocka_unit_test(arrays_cover_the_model),
      cmocka_unit_test(sizes_have_names_and_values),
      cmocka_unit_test(a_wrong_name_gets_a_suggestion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
