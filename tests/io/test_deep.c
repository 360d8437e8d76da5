// SPDX-License-Identifier: Apache-2.0
// Deep files: a chain of 1000 links is read; deeper nesting is refused, in one file and in several.
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static char* chain(int links) {
  char* text = malloc((size_t)links * 160 + 200);
  char* at = text + sprintf(text, "<mujoco><worldbody>");
  for (int i = 0; i < links; ++i)
    at += sprintf(at, "<body pos='0 0 -0.1'><joint axis='0 1 0'/><geom size='0.02' mass='1'/>");
  for (int i = 0; i < links; ++i) at += sprintf(at, "</body>");
  sprintf(at, "</worldbody></mujoco>");
  return text;
}

static HeftStatus load(const char* text, const HeftLoadDef* def, HeftModel** out,
                       HeftError* error) {
  return heft_model_load_bytes(out, text, strlen(text), "x.xml", def, error);
}

static void test_chain_of_1000(void** state) {
  (void)state;
  char* text = chain(1000);
  HeftModel* m = NULL;
  HeftError error = {0};
  if (load(text, NULL, &m, &error) != HEFT_OK) fail_msg("%d: %s", error.line, error.message);
  assert_true(m->nbody == 1001 && m->nv == 1000);
  heft_model_destroy(m);
  free(text);
}

static void test_bomb(void** state) {
  (void)state;
  char* text = chain(100000);
  HeftModel* m = NULL;
  HeftError error = {0};
  assert_int_equal(load(text, NULL, &m, &error), HEFT_ERR_LIMIT);
  assert_non_null(strstr(error.message, "xml_depth"));
  free(text);
}

// Each file is deep, and includes the next one at its deepest place.
static int opened;

static HeftStatus next_file(void* user, const char* path, size_t limit,
                            const HeftAllocator* allocator, void** out, size_t* size,
                            HeftError* error) {
  enum { DEEP = 1000 };
  (void)user, (void)path, (void)limit, (void)error;
  char* text = allocator->allocate(allocator->user, DEEP * 20, 64);
  char* at = text + sprintf(text, "<mujocoinclude>");
  for (int i = 0; i < DEEP; ++i) at += sprintf(at, "<frame>");
  at += sprintf(at, "<include file='%d.xml'/>", ++opened);
  for (int i = 0; i < DEEP; ++i) at += sprintf(at, "</frame>");
  at += sprintf(at, "</mujocoinclude>");
  *out = text;
  *size = (size_t)(at - text);
  return HEFT_OK;
}

static void test_bomb_of_files(void** state) {
  (void)state;
  const HeftFiles files = {next_file, NULL};
  HeftLoadDef def = heft_load_def_default();
  def.files = &files;
  HeftModel* m = NULL;
  HeftError error = {0};
  assert_int_equal(
      load("<mujoco><worldbody><include file='0.xml'/></worldbody></mujoco>", &def, &m, &error),
      HEFT_ERR_LIMIT);
  assert_non_null(strstr(error.message, "levels of nested elements"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain_of_1000),
      cmocka_unit_test(test_bomb),
      cmocka_unit_test(test_bomb_of_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
