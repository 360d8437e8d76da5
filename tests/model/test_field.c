// SPDX-License-Identifier: Apache-2.0
// Sizes of distance shapes: each bound, just inside and just beyond it, and what the message says.
#include <heft/model.h>
#include <math.h>
#include <string.h>

#include "model/field.h"
#include "support/check.h"

// Sizes that hold, one of them with a value that does not, and a part of the message.
static const struct {
  HeftFieldType type;
  double size[HEFT_FIELD_SIZES];
  int changed;
  double good, bad;
  const char* message;
} bounds[] = {
    {HEFT_FIELD_TORUS, {1, 0.3}, 1, 0.99, 1, "tube must be below its radius"},
    {HEFT_FIELD_TORUS, {1, 0.3}, 0, 0.31, (double)NAN, "its radius is nan"},
    {HEFT_FIELD_TORUS, {1, 0.3}, 0, 9e5, 1e6, "its radius is 1e+06"},
    {HEFT_FIELD_TORUS, {1, 0.3}, 1, 2e-9, 0, "above 0"},
    {HEFT_FIELD_CUP, {1, 2, 0.1}, 2, 0.99, 1, "wall must be below"},
    {HEFT_FIELD_CUP, {1, 2, 0.1}, 1, 0.11, 0.1, "wall must be below"},
    {HEFT_FIELD_HOOK, {1, 0.1, 2}, 1, 0.99, 1, "tube must be below its radius"},
    {HEFT_FIELD_GEAR, {0.1, 20, 1, 0.35, 0, 0}, 1, 6, 5, "6 to 1000 whole teeth"},
    {HEFT_FIELD_GEAR, {0.1, 20, 1, 0.35, 0, 0}, 1, 1000, 1001, "6 to 1000 whole teeth"},
    {HEFT_FIELD_GEAR, {0.1, 20, 1, 0.35, 0, 0}, 1, 21, 20.5, "6 to 1000 whole teeth"},
    {HEFT_FIELD_GEAR, {0.1, 20, 1, 0.35, 0, 0}, 3, 0.78, 0.8, "pressure angle"},
    {HEFT_FIELD_GEAR, {0.1, 20, 1, 0.35, 0, 0}, 4, 0.87, 0.88, "bore inside"},
    {HEFT_FIELD_GEAR, {0.1, 20, 1, 0.35, 0, 0}, 5, 0.09, 0.1, "backlash"},
    {HEFT_FIELD_BOLT, {1, 0.5, 3, 0.2, 0, 0}, 3, 0.49, 0.5, "below its radius and its pitch"},
    {HEFT_FIELD_BOLT, {1, 0.5, 3, 0.2, 0, 0}, 4, 2, -1, "below its radius and its pitch"},
    {HEFT_FIELD_NUT, {1, 0.5, 1, 0.2, 2, 0}, 4, 1.01, 1, "outer radius above"},
    {HEFT_FIELD_NUT, {1, 0.5, 1, 0.2, 2, 0}, 5, 0.49, 0.5, "clearance below"},
    {HEFT_FIELD_GRID, {0, 0, 0, 1, 1, 1}, 4, 1e-3, 0, "a step above 0"},
};

static void test_bounds(void** state) {
  (void)state;
  static const double samples[8] = {-1, 1, 1, 1, 1, 1, 1, 1};
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; ++i) {
    HeftField f = {.type = bounds[i].type, .grid = {2, 2, 2}, .samples = samples};
    HeftError error = {0};
    memcpy(f.size, bounds[i].size, sizeof f.size);
    assert_int_equal(heft_field_check(&f, &error), HEFT_OK);
    f.size[bounds[i].changed] = bounds[i].good;
    assert_int_equal(heft_field_check(&f, &error), HEFT_OK);
    HeftVec3 low, high;
    heft_field_bounds(&f, &low, &high);
    assert_true(low.x < high.x && low.y < high.y && low.z < high.z);
    assert_true(heft_field_half_thickness(&f) > 0);
    f.size[bounds[i].changed] = bounds[i].bad;
    assert_int_equal(heft_field_check(&f, &error), HEFT_ERR_VALUE);
    if (!strstr(error.message, bounds[i].message) ||
        !strstr(error.message, heft_field_type_name(f.type)))
      fail_msg("%s, expected %s", error.message, bounds[i].message);
  }
}

static void test_grids(void** state) {
  (void)state;
  double samples[8] = {-1, 1, 1, 1, 1, 1, 1, 1};
  HeftError error = {0};
  HeftField f = {
      .type = HEFT_FIELD_GRID, .size = {0, 0, 0, 1, 1, 1}, .grid = {2, 2, 2}, .samples = samples};
  f.grid[1] = 1;
  assert_int_equal(heft_field_check(&f, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "1 samples"));
  for (int k = 0; k < 3; ++k) f.grid[k] = 4096;
  assert_int_equal(heft_field_check(&f, &error), HEFT_ERR_LIMIT);
  assert_non_null(strstr(error.message, "68719476736 samples"));
  for (int k = 0; k < 3; ++k) f.grid[k] = 2;
  samples[5] = 1e6;
  assert_int_equal(heft_field_check(&f, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "sample 5 is 1e+06 m"));
  f.samples = NULL;
  assert_int_equal(heft_field_check(&f, &error), HEFT_ERR_LIMIT);
}

static void test_types(void** state) {
  (void)state;
  HeftError error = {0};
  HeftField f = {.type = HEFT_FIELD_NONE};
  assert_int_equal(heft_field_check(&f, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "unknown type 0"));
  f.type = HEFT_FIELD_TYPE_COUNT;
  assert_int_equal(heft_field_check(&f, &error), HEFT_ERR_VALUE);
  for (int t = HEFT_FIELD_NONE + 1; t < HEFT_FIELD_TYPE_COUNT; ++t) {
    assert_true(heft_field_type_name((HeftFieldType)t)[0]);
    assert_true(heft_field_parameter((HeftFieldType)t, 0)[0]);
    assert_string_equal(heft_field_parameter((HeftFieldType)t, HEFT_FIELD_SIZES), "");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds), cmocka_unit_test(test_grids),
                                     cmocka_unit_test(test_types)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
