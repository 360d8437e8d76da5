// SPDX-License-Identifier: Apache-2.0
// Which versions of nats-server are old.
#include "support/check.h"

#ifdef HEFT_HAVE_NATS
#include "queue/server_version.h"

static void old_and_new(void** state) {
  (void)state;
  static const struct {
    const char* info;
    int old;
    const char* version;
  } row[] = {{"INFO {\"server_id\":\"x\",\"version\":\"2.9.10\",\"go\":\"1\"}\r\n", 1, "2.9.10"},
             {"INFO {\"version\":\"2.11.16\"}", 1, "2.11.16"},
             {"INFO {\"version\":\"2.12.11\"}", 1, "2.12.11"},
             {"INFO {\"version\":\"2.12.12\"}", 0, "2.12.12"},
             {"INFO {\"version\":\"2.14.2\"}", 1, "2.14.2"},
             {"INFO {\"version\":\"2.14.3\"}", 0, "2.14.3"},
             {"INFO {\"version\":\"2.15.0-RC.1\"}", 0, "2.15.0-RC.1"},
             {"INFO {\"version\":\"3.0.0\"}", 0, "3.0.0"},
             {"INFO {\"version\":\"1.4.1\"}", 1, "1.4.1"},
             {"INFO {\"version\":\"2.9\"}", 0, ""},
             {"INFO {\"version\":\"\033[2J\"}", 0, ""},
             {"{\"version\":\"2.9.10\"}", 0, ""},
             {"", 0, ""}};
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    char version[32];
    if (server_version_is_old(row[i].info, version) != row[i].old) fail_msg("%s", row[i].info);
    assert_string_equal(version, row[i].version);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(old_and_new)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) {
  print_message("skipped: this build has no libnats\n");
  return 77;
}
#endif
