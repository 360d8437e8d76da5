// SPDX-License-Identifier: Apache-2.0
// Status texts, and errors that carry a position: cut where they are too long, one line always.
#include "base/error.h"

#include <string.h>

#include "support/check.h"

static void test_every_status_has_its_own_name_and_text(void** state) {
  (void)state;
  for (int i = 0; i < HEFT_STATUS_COUNT; ++i) {
    const char* name = heft_status_name((HeftStatus)i);
    assert_true(strncmp(name, "HEFT_", 5) == 0);
    assert_true(strlen(heft_status_text((HeftStatus)i)) > 5);
    for (int j = 0; j < i; ++j) {
      assert_string_not_equal(name, heft_status_name((HeftStatus)j));
      assert_string_not_equal(heft_status_text((HeftStatus)i), heft_status_text((HeftStatus)j));
    }
  }
  assert_int_equal(HEFT_OK, 0);
  assert_string_equal(heft_status_name(HEFT_ERR_MEMORY), "HEFT_ERR_MEMORY");
}

static void test_unknown_statuses_have_a_text_too(void** state) {
  (void)state;
  const int unknown[] = {-1, HEFT_STATUS_COUNT, 12345};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i) {
    assert_string_equal(heft_status_name((HeftStatus)unknown[i]), "HEFT_STATUS_UNKNOWN");
    assert_non_null(strstr(heft_status_text((HeftStatus)unknown[i]), "not know"));
  }
}

static void test_set_keeps_the_position(void** state) {
  (void)state;
  HeftError error = {.line = 7, .column = 3, .file = "robot.xml"};
  assert_int_equal(heft_error_set(&error, HEFT_ERR_VALUE, "mass is %g", -1.5), HEFT_ERR_VALUE);
  assert_int_equal(error.status, HEFT_ERR_VALUE);
  assert_string_equal(error.message, "mass is -1.5");
  assert_string_equal(error.file, "robot.xml");
  assert_int_equal(error.line, 7);
  assert_int_equal(error.column, 3);
}

static void test_set_at_writes_the_position(void** state) {
  (void)state;
  HeftError error = {.file = "old"};
  assert_int_equal(heft_error_set_at(&error, HEFT_ERR_SYNTAX, "a.urdf", 3, 14, "found '%s'", "<"),
                   HEFT_ERR_SYNTAX);
  assert_string_equal(error.file, "a.urdf");
  assert_int_equal(error.line, 3);
  assert_int_equal(error.column, 14);
  assert_string_equal(error.message, "found '<'");
  heft_error_set_at(&error, HEFT_ERR_FILE, NULL, 0, 0, "gone");
  assert_string_equal(error.file, "");
}

static void test_no_error_to_write_to(void** state) {
  (void)state;
  assert_int_equal(heft_error_set(NULL, HEFT_ERR_LIMIT, "%d", 1), HEFT_ERR_LIMIT);
  assert_int_equal(heft_error_set_at(NULL, HEFT_ERR_NAME, "f", 1, 1, "%d", 1), HEFT_ERR_NAME);
}

static void test_long_file_names_keep_their_end(void** state) {
  (void)state;
  HeftError error = {0};
  char path[600];
  for (size_t length = 250; length < sizeof path; length += length < 260 ? 1 : 113) {
    for (size_t i = 0; i < length; ++i) path[i] = (char)('a' + i % 26);
    path[length] = '\0';
    heft_error_set_at(&error, HEFT_ERR_FILE, path, 1, 1, "x");
    if (length < sizeof error.file) {
      assert_string_equal(error.file, path);
    } else {
      assert_int_equal(strlen(error.file), sizeof error.file - 1);
      assert_memory_equal(error.file, "...", 3);
      assert_string_equal(error.file + 3, path + length - (sizeof error.file - 4));
    }
  }
}

static void test_long_messages_are_cut(void** state) {
  (void)state;
  HeftError error = {0};
  char text[1000];
  memset(text, 'm', sizeof text);
  text[sizeof text - 1] = '\0';
  heft_error_set(&error, HEFT_ERR_VALUE, "%s", text);
  assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

// A letter of several bytes is left out rather than cut in two.
static void test_long_messages_are_cut_between_letters(void** state) {
  (void)state;
  const char* const letters[] = {"\xC2\xB2", "\xE2\x89\xA4", "\xF0\x9F\x98\x80"};
  for (size_t k = 0; k < 3; ++k) {
    const size_t width = strlen(letters[k]);
    for (size_t lead = 0; lead < 4; ++lead) {
      char text[1000] = "aaaa";
      size_t length = lead;
      for (; length + width < sizeof text; length += width)
        memcpy(text + length, letters[k], width + 1);
      HeftError error = {0};
      heft_error_set(&error, HEFT_ERR_VALUE, "%s", text);
      const size_t kept = strlen(error.message);
      assert_int_equal((kept - lead) % width, 0);
      assert_true(kept > sizeof error.message - 1 - width);
      assert_memory_equal(error.message, text, kept);
    }
  }
}

// Names come from files: what would break the line or speak to a terminal is shown as '?'.
static void test_messages_are_one_line(void** state) {
  (void)state;
  HeftError error = {0};
  heft_error_set(&error, HEFT_ERR_NAME, "body '%s' \xC2\xB2", "a\nb\r\x1B[2J\x7F\t");
  assert_string_equal(error.message, "body 'a?b?\?[2J?\?' \xC2\xB2");
  // the second set of control characters, and marks that turn the direction of text
  heft_error_set(&error, HEFT_ERR_NAME, "%s",
                 "\xC2\x9B"
                 "31m \xE2\x80\xAE \xE2\x81\xA6 \xE2\x80\x94");
  assert_string_equal(error.message, "?31m ? ? \xE2\x80\x94");
  heft_error_set_at(&error, HEFT_ERR_NAME, "a\nb.xml", 1, 2, "c\nd");
  assert_string_equal(error.message, "c?d");
  assert_string_equal(error.file, "a?b.xml");
}

static void test_format_shows_the_parts_that_exist(void** state) {
  (void)state;
  char text[900];
  HeftError error = {.status = HEFT_ERR_VALUE, .message = "bad"};
  assert_string_equal(heft_error_format(&error, text, sizeof text), "bad");
  memcpy(error.file, "a.xml", 6);
  assert_string_equal(heft_error_format(&error, text, sizeof text), "a.xml: bad");
  error.line = 12;
  assert_string_equal(heft_error_format(&error, text, sizeof text), "a.xml:12: bad");
  error.column = 3;
  assert_string_equal(heft_error_format(&error, text, sizeof text), "a.xml:12:3: bad");
  error.file[0] = '\0';
  assert_string_equal(heft_error_format(&error, text, sizeof text), "12:3: bad");
  error.column = 0;
  assert_string_equal(heft_error_format(&error, text, sizeof text), "12: bad");
  error.message[0] = '\0';
  error.line = 0;
  assert_string_equal(heft_error_format(&error, text, sizeof text),
                      heft_status_text(HEFT_ERR_VALUE));
}

static void test_format_fits_everything_and_never_writes_beyond(void** state) {
  (void)state;
  HeftError error = {.status = HEFT_ERR_VALUE, .line = 2147483647, .column = 2147483647};
  memset(error.file, 'f', sizeof error.file - 1);
  memset(error.message, 'm', sizeof error.message - 1);
  char text[900], small[64];
  heft_error_format(&error, text, sizeof text);
  assert_int_equal(strlen(text), 255 + strlen(":2147483647:2147483647: ") + 511);
  for (size_t size = 0; size < sizeof small; ++size) {
    memset(small, '#', sizeof small);
    assert_ptr_equal(heft_error_format(&error, small, size), small);
    if (size > 0) assert_int_equal(strlen(small), size - 1);
    for (size_t i = size; i < sizeof small; ++i) assert_int_equal(small[i], '#');
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_status_has_its_own_name_and_text),
      cmocka_unit_test(test_unknown_statuses_have_a_text_too),
      cmocka_unit_test(test_set_keeps_the_position),
      cmocka_unit_test(test_set_at_writes_the_position),
      cmocka_unit_test(test_no_error_to_write_to),
      cmocka_unit_test(test_long_file_names_keep_their_end),
      cmocka_unit_test(test_long_messages_are_cut),
      cmocka_unit_test(test_long_messages_are_cut_between_letters),
      cmocka_unit_test(test_messages_are_one_line),
      cmocka_unit_test(test_format_shows_the_parts_that_exist),
      cmocka_unit_test(test_format_fits_everything_and_never_writes_beyond),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
