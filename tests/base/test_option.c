// SPDX-License-Identifier: Apache-2.0
// Options by name: values go through the field and back, and what is out of range changes nothing.
#include "base/option.h"

#include <heft/collision.h>
#include <heft/contact.h>
#include <heft/control.h>
#include <math.h>
#include <string.h>

#include "support/check.h"

typedef struct Settings {
  double before;
  bool flag;
  int whole;
  uint64_t seed;
  double number;
  HeftValueType word;
  double after;
} Settings;

static const HeftOption rows[] = {
    HEFT_OPTION(Settings, flag, 0, 1, 0, "", "a flag"),
    HEFT_OPTION(Settings, whole, -5, 5, 1, "", "a whole number"),
    HEFT_OPTION(Settings, seed, 0, 9007199254740992., 7, "", "a seed"),
    HEFT_OPTION(Settings, number, -1, 1e3, 0.5, "m", "a length"),
    HEFT_OPTION(Settings, word, 0, HEFT_VALUE_TYPE_COUNT - 1, 0, "", "an enum"),
};

static void types_follow_the_fields(void** state) {
  (void)state;
  const HeftValueType types[] = {HEFT_VALUE_BOOL, HEFT_VALUE_INT32, HEFT_VALUE_UINT64,
                                 HEFT_VALUE_DOUBLE, HEFT_VALUE_INT32};
  const size_t sizes[] = {sizeof(bool), sizeof(int), sizeof(uint64_t), sizeof(double),
                          sizeof(HeftValueType)};
  for (int i = 0; i < 5; ++i) {
    assert_int_equal(rows[i].type, types[i]);
    assert_int_equal(heft_value_type_size(rows[i].type), sizes[i]);
  }
}

static void values_return_as_they_were_set(void** state) {
  (void)state;
  const struct {
    const char* name;
    double value;
  } cases[] = {
      {"flag", 1}, {"whole", -5}, {"seed", 9007199254740992.}, {"number", 0.1}, {"word", 2}};
  for (int i = 0; i < 5; ++i) {
    Settings s = {.before = 3, .after = 4};
    assert_int_equal(heft_options_set(HEFT_OPTIONS(rows), &s, cases[i].name, cases[i].value, NULL),
                     HEFT_OK);
    int index = -1;
    assert_int_equal(heft_options_find(HEFT_OPTIONS(rows), cases[i].name, &index, NULL), HEFT_OK);
    assert_int_equal(index, i);
    assert_true(heft_option_value(&rows[i], &s) == cases[i].value);
    assert_true(s.before == 3 && s.after == 4);
    assert_int_equal(heft_options_check(HEFT_OPTIONS(rows), &s, NULL), HEFT_OK);
  }
}

static void check_refused(const char* name, double value, HeftStatus expected, const char* text) {
  Settings s;
  memset(&s, 0x11, sizeof s);
  Settings before = s;
  HeftError error = {0};
  assert_int_equal(heft_options_set(HEFT_OPTIONS(rows), &s, name, value, &error), expected);
  assert_int_equal(error.status, expected);
  assert_non_null(strstr(error.message, text));
  assert_memory_equal(&s, &before, sizeof s);
}

static void wrong_values_change_nothing(void** state) {
  (void)state;
  check_refused("flag", 2, HEFT_ERR_VALUE, "flag");
  check_refused("whole", 1.5, HEFT_ERR_VALUE, "a whole number");
  check_refused("whole", 6, HEFT_ERR_VALUE, "-5 to 5");
  check_refused("number", NAN, HEFT_ERR_VALUE, "number");
  check_refused("number", INFINITY, HEFT_ERR_VALUE, "1000");
  check_refused("nubmer", 1, HEFT_ERR_NAME, "did you mean 'number'?");
  check_refused("zzzzzzzz", 1, HEFT_ERR_NAME, "these exist: flag, whole");
}

static void a_struct_out_of_range_is_named(void** state) {
  (void)state;
  const Settings s = {.number = 2e3};
  HeftError error = {0};
  assert_int_equal(heft_options_check(HEFT_OPTIONS(rows), &s, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "number is 2000 m"));
}

// Each table of the library: its defaults are those of the default function, inside their ranges.
static void check_table(HeftOptions options, const void* object) {
  assert_true(options.count > 0);
  assert_int_equal(heft_options_check(options, object, NULL), HEFT_OK);
  for (int i = 0; i < options.count; ++i) {
    const HeftOption* o = &options.option[i];
    if (heft_option_value(o, object) != o->default_value)
      fail_msg("%s: the default is %g, the table says %g", o->name, heft_option_value(o, object),
               o->default_value);
    assert_true(o->min < o->max && o->meaning[0]);
  }
}

static void tables_state_the_defaults(void** state) {
  (void)state;
  const HeftColliderDef collider = heft_collider_def_default();
  const HeftContactSolverDef solver = heft_contact_solver_def_default();
  const HeftContactTermination termination = heft_contact_termination_default();
  const HeftWholeBodyDef whole_body = heft_whole_body_def_default();
  const HeftWalkDef walk = heft_walk_def_default();
  check_table(heft_collider_options(), &collider);
  check_table(heft_contact_solver_options(), &solver);
  check_table(heft_contact_termination_options(), &termination);
  check_table(heft_whole_body_options(), &whole_body);
  check_table(heft_walk_options(), &walk);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(types_follow_the_fields),
      cmocka_unit_test(values_return_as_they_were_set),
      cmocka_unit_test(wrong_values_change_nothing),
      cmocka_unit_test(a_struct_out_of_range_is_named),
      cmocka_unit_test(tables_state_the_defaults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
