// SPDX-License-Identifier: Apache-2.0
// A link in the folder of a model that is exchanged while the model is read never leads to a file
// outside of the folder. The allocator of the load exchanges it: the exchange falls on every
// place of the reader that allocates, also between the check of a path and its opening.
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/read_file.h"
#include "support/check.h"

static char folder[] = "/tmp/heft_links_XXXXXX";
static char model[64], link_path[64], inside[64], outside[64], fresh[64];

static void put(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static int begin(void** state) {
  (void)state;
  char sub[64];
  if (!mkdtemp(folder)) return 1;
  snprintf(sub, sizeof sub, "%s/model", folder);
  mkdir(sub, 0700);
  snprintf(model, sizeof model, "%s/model/main.xml", folder);
  snprintf(link_path, sizeof link_path, "%s/model/link.xml", folder);
  snprintf(fresh, sizeof fresh, "%s/model/fresh", folder);
  snprintf(inside, sizeof inside, "%s/model/inside.xml", folder);
  snprintf(outside, sizeof outside, "%s/secret.xml", folder);
  put(inside, "<mujocoinclude/>");
  put(outside, "<mujocoinclude><worldbody><body name='secret'/></worldbody></mujocoinclude>");
  return 0;
}

static int end(void** state) {
  (void)state;
  char sub[64];
  remove(model), remove(link_path), remove(fresh), remove(inside), remove(outside);
  snprintf(sub, sizeof sub, "%s/model", folder);
  return rmdir(sub) | rmdir(folder);
}

static void point(const char* target) {
  assert_int_equal(symlink(target, fresh), 0);
  assert_int_equal(rename(fresh, link_path), 0);
}

static void* exchange(void* user, size_t size, size_t alignment) {
  int* turn = user;
  point(++*turn % 2 ? outside : inside);
  const HeftAllocator a = heft_allocator_default();
  return a.allocate(a.user, size, alignment);
}

static void release(void* user, void* memory, size_t size) {
  (void)user;
  const HeftAllocator a = heft_allocator_default();
  a.release(a.user, memory, size);
}

static void an_exchanged_link_leads_nowhere(void** state) {
  (void)state;
  int turn = 0, read = 0, refused = 0;
  char text[24000];
  HeftLoadDef def = heft_load_def_default();
  def.allocator = (HeftAllocator){.allocate = exchange, .release = release, .user = &turn};
  // Elements of other sizes move the places at which memory is needed.
  for (int filler = 0; filler < 340; ++filler) {
    size_t n = (size_t)snprintf(text, sizeof text, "<mujoco><worldbody>");
    for (int i = 0; i < filler; ++i)
      n += (size_t)snprintf(text + n, sizeof text - n, "<site name='s%d'/>", i);
    snprintf(text + n, sizeof text - n, "</worldbody><include file='link.xml'/></mujoco>");
    put(model, text);
    point(inside);
    for (int first = 0; first < 2; ++first) {
      turn = first;
      HeftModel* m = NULL;
      HeftError error = {0};
      const HeftStatus status = heft_model_load_file(&m, model, &def, &error);
      if (status == HEFT_OK) {
        ++read;
        for (int i = 0; i < m->nbody; ++i)
          assert_string_not_equal(heft_model_name(m, HEFT_NAMED_BODY, i), "secret");
      } else {
        ++refused;
        assert_int_equal(status, HEFT_ERR_FILE);
      }
      heft_model_destroy(m);
    }
  }
  print_message("%d loads read the file inside, %d were refused\n", read, refused);
  assert_true(read > 0 && refused > 0);
}

static void links_are_not_followed(void** state) {
  (void)state;
  const HeftAllocator a = heft_allocator_default();
  HeftError error = {0};
  void* bytes = NULL;
  size_t size = 0;
  assert_int_equal(read_file_without_links(&bytes, &size, inside, inside, 100, &a, &error),
                   HEFT_OK);
  a.release(a.user, bytes, size + 1);
  point(inside);
  assert_int_equal(read_file_without_links(&bytes, &size, link_path, link_path, 100, &a, &error),
                   HEFT_ERR_FILE);
  assert_non_null(strstr(error.message, "a link took the place"));
  remove(link_path);
  // a folder that became a link
  char path[128], target[64];
  snprintf(target, sizeof target, "%s/model", folder);
  point(target);
  snprintf(path, sizeof path, "%s/inside.xml", link_path);
  assert_int_equal(read_file_without_links(&bytes, &size, path, path, 100, &a, &error),
                   HEFT_ERR_FILE);
  assert_non_null(strstr(error.message, "a link took the place"));
  assert_int_equal(read_file_without_links(&bytes, &size, "/", "/", 100, &a, &error),
                   HEFT_ERR_FILE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_exchanged_link_leads_nowhere),
                                     cmocka_unit_test(links_are_not_followed)};
  return cmocka_run_group_tests(tests, begin, end);
}
