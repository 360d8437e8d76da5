// SPDX-License-Identifier: Apache-2.0
// Who may connect: Host, Origin, token; and which files a path of a request reaches.
#include "serve/admission.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/page.h"
#include "support/check.h"

static HeftServeDef def_with_origin(void) {
  HeftServeDef def = heft_serve_def_default();
  def.origin[def.origin_count++] = "https://robots.example:8443";
  return def;
}

static void test_hosts(void** state) {
  (void)state;
  const HeftServeDef def = def_with_origin();
  static const char* const good[] = {"127.0.0.1",      "127.0.0.1:80",   "localhost",
                                     "LOCALHOST:8765", "[::1]",          "[::1]:8765",
                                     "192.168.1.5:1",  "robots.example", "Robots.Example:8443"};
  static const char* const bad[] = {"",
                                    "evil.example",
                                    "evil.example:8765",
                                    "localhost.evil.example",
                                    "127.0.0.1.evil.example",
                                    "robots.example.evil",
                                    "[::1",
                                    "[]:1",
                                    "localhost:80x",
                                    "local host",
                                    ":8765",
                                    "127.0.0.1:80:90",
                                    "?"};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i)
    if (!admission_host(&def, good[i])) fail_msg("refused: %s", good[i]);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    if (admission_host(&def, bad[i])) fail_msg("accepted: %s", bad[i]);
}

static void test_origins(void** state) {
  (void)state;
  const HeftServeDef def = def_with_origin();
  const char host[] = "192.168.1.5:8765";
  static const char* const good[] = {"",
                                     "http://192.168.1.5:8765",
                                     "https://192.168.1.5:8765",
                                     "http://localhost:5173",
                                     "http://127.0.0.1:8000",
                                     "http://[::1]:8000",
                                     "https://robots.example:8443"};
  static const char* const bad[] = {"null",
                                    "http://evil.example",
                                    "http://192.168.1.5",
                                    "http://192.168.1.6:8765",
                                    "https://robots.example",
                                    "http://robots.example:8443",
                                    "http://localhost.evil.example",
                                    "file://",
                                    "ws://localhost",
                                    "http://",
                                    "?",
                                    "http://127.0.0.1.evil.example"};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i)
    if (!admission_origin(&def, good[i], host)) fail_msg("refused: %s", good[i]);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    if (admission_origin(&def, bad[i], host)) fail_msg("accepted: %s", bad[i]);
}

static void test_tokens(void** state) {
  (void)state;
  char token[HEFT_SERVE_TOKEN_MAX + 1], other[HEFT_SERVE_TOKEN_MAX + 1];
  assert_true(heft_serve_make_token(token) && heft_serve_make_token(other));
  assert_string_not_equal(token, other);
  assert_int_equal(heft_serve_check_token(token, NULL), HEFT_OK);
  assert_true(admission_token(token, token));
  assert_false(admission_token(other, token));
  assert_false(admission_token("", token));
  assert_false(admission_token("", NULL));
  for (int i = 0; i < 32; ++i) {  // every character counts
    memcpy(other, token, sizeof other);
    other[i] ^= 1;
    assert_false(admission_token(other, token));
  }
  token[31] = '\0';
  assert_false(admission_token(token, other));
  HeftError error = {0};
  assert_int_equal(heft_serve_check_token("short", &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "16 to 128"));
  assert_int_equal(heft_serve_check_token("with a blank inside", &error), HEFT_ERR_VALUE);
}

// ---- pages

static char folder[] = "/tmp/heft-serve-page-XXXXXX";

static void put(const char* name, const char* text) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void test_pages(void** state) {
  (void)state;
  char path[300], link_path[200], out[400];
  const char* type = NULL;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/site", folder);
  mkdir(path, 0700);
  snprintf(out, sizeof out, "%s/site/assets", folder);
  mkdir(out, 0700);
  put("site/index.html", "<p>");
  put("site/assets/app-1.js", "1");
  put("site/assets/heft.wasm", "1");
  put("site/secret", "1");
  put("site/.hidden.js", "1");
  put("outside.js", "1");
  snprintf(link_path, sizeof link_path, "%s/site/link.js", folder);
  assert_int_equal(symlink("../outside.js", link_path), 0);
  assert_true(page_find(path, "/", out, sizeof out, &type));
  assert_non_null(strstr(type, "text/html"));
  assert_true(page_find(path, "/assets/app-1.js", out, sizeof out, &type));
  assert_non_null(strstr(type, "text/javascript"));
  assert_true(page_find(path, "/assets/heft.wasm", out, sizeof out, &type));
  assert_string_equal(type, "application/wasm");
  static const char* const bad[] = {"",
                                    "index.html",
                                    "/../outside.js",
                                    "/assets/../../outside.js",
                                    "/link.js",
                                    "/.hidden.js",
                                    "/secret",
                                    "//index.html",
                                    "/assets",
                                    "/assets/",
                                    "/%2e%2e/outside.js",
                                    "/index.html?x",
                                    "/index.html/",
                                    "/..\\outside.js",
                                    "/no.js",
                                    "/assets/./app-1.js",
                                    "/a\nb.js",
                                    "/etc/passwd"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    if (page_find(path, bad[i], out, sizeof out, &type)) fail_msg("found: %s", bad[i]);
  assert_false(page_find(path, "/index.html", out, 10, &type));
  snprintf(out, sizeof out, "rm -r %s", folder);
  assert_int_equal(system(out), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hosts),
      cmocka_unit_test(test_origins),
      cmocka_unit_test(test_tokens),
      cmocka_unit_test(test_pages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
