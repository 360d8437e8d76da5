// SPDX-License-Identifier: Apache-2.0
// A locale with a decimal comma changes neither the numbers of files nor those of writers.
#include <locale.h>
#include <stdlib.h>
#include <string.h>
// after the above
#include <heft/io.h>

#include "base/decimal.h"
#include "support/check.h"

// A locale with a decimal comma, made on the spot where the machine has none.
static int make_comma_locale(char* folder) {
  char command[600];
  if (!mkdtemp(folder)) return 0;
  snprintf(command, sizeof command,
           "cd '%s' && printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \".\"\\ngrouping "
           "3;3\\nEND LC_NUMERIC\\n' >source && localedef -c -i source ./comma >log 2>&1",
           folder);
  if (system(command) < 0)
    return 0;  // it warns about the other categories, and says so in its code
  setenv("LOCPATH", folder, 1);
  return setlocale(LC_NUMERIC, "comma") != NULL;
}

static void a_locale_changes_nothing(void** state) {
  (void)state;
  static const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ps_AF"};
  char folder[] = "heft_locale_XXXXXX", command[100], comma[16];
  int found = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names && !found; ++i)
    found = setlocale(LC_NUMERIC, names[i]) != NULL;
  if (!found) found = make_comma_locale(folder);
  snprintf(comma, sizeof comma, "%.1f", 1.5);
  char text[HEFT_DECIMAL_SIZE];
  heft_decimal_write(1.5, text);
  double x = 0;
  static const char number[] = "2.25";
  const char* end = heft_decimal_read(number, number + 4, &x);
  static const char file[] =
      "<mujoco><worldbody><body pos='.5 0 0'><joint/><geom "
      "size='.25'/></body></worldbody></mujoco>";
  HeftLoadDef def = heft_load_def_default();
  HeftModel* model = NULL;
  const HeftStatus status = heft_model_load_bytes(&model, file, strlen(file), "x", &def, NULL);
  setlocale(LC_NUMERIC, "C");
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (!strstr(folder, "XXXXXX")) assert_int_equal(system(command), 0);
  if (!found) {
    print_message(
        "no locale with a decimal comma is installed, and localedef could not make one\n");
    heft_model_destroy(model);
    skip();
  }
  assert_string_equal(comma, "1,5");
  assert_string_equal(text, "1.5");
  assert_true(x == 2.25 && *end == '\0');
  assert_int_equal(status, HEFT_OK);
  assert_true(model->body_pos[3] == 0.5 && model->shape_size[0] == 0.25);
  heft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_locale_changes_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
