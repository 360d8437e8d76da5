// SPDX-License-Identifier: Apache-2.0
// heft_file_read(): a regular file is read as a whole; a missing or long file, a pipe, a folder and
// a circle of links are rejected without waiting.
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"

static char folder[] = "/tmp/heft_read_XXXXXX";
static char path[64];

static int begin(void** state) {
  (void)state;
  if (!mkdtemp(folder)) return 1;
  snprintf(path, sizeof path, "%s/file", folder);
  return 0;
}

static int end(void** state) {
  (void)state;
  return rmdir(folder);
}

static void put(const char* bytes, size_t size) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void whole_files_come(void** state) {
  (void)state;
  static const char bytes[] = {'a', 0, 'b', '\n'};
  const HeftAllocator a = heft_allocator_default();
  for (size_t length = 0; length <= sizeof bytes; ++length) {
    size_t size = 99;
    put(bytes, length);
    void* memory = NULL;
    assert_int_equal(heft_file_read(&memory, &size, path, sizeof bytes, &a, NULL), HEFT_OK);
    const char* got = memory;
    assert_int_equal(size, length);
    assert_memory_equal(got, bytes, length);
    assert_int_equal(got[length], 0);
    a.release(a.user, memory, size + 1);
  }
  remove(path);
}

static void refuse(size_t limit, const HeftAllocator* a, HeftStatus status, const char* why) {
  HeftError error = {0};
  size_t size = 99;
  void* bytes = &error;
  assert_int_equal(heft_file_read(&bytes, &size, path, limit, a, &error), status);
  assert_null(bytes);
  assert_int_equal(size, 0);
  assert_int_equal(error.status, status);
  assert_non_null(strstr(error.message, why));
  assert_non_null(strstr(error.message, path));
  assert_int_equal(heft_file_read(&bytes, &size, path, limit, a, NULL), status);
}

static void* nothing(void* user, size_t size, size_t alignment) {
  (void)user, (void)size, (void)alignment;
  return NULL;
}

static void all_else_is_refused(void** state) {
  (void)state;
  const HeftAllocator a = heft_allocator_default();
  HeftAllocator poor = a;
  poor.allocate = nothing;
  refuse(10, &a, HEFT_ERR_FILE, "there is no file");
  put("12345", 5);
  refuse(4, &a, HEFT_ERR_LIMIT, "at most 4");
  refuse(5, &poor, HEFT_ERR_MEMORY, "no memory");
  remove(path);
  assert_int_equal(mkfifo(path, 0600), 0);
  refuse(10, &a, HEFT_ERR_FILE, "not a regular file");
  remove(path);
  assert_int_equal(mkdir(path, 0700), 0);
  refuse(10, &a, HEFT_ERR_FILE, "not a regular file");
  rmdir(path);
  assert_int_equal(symlink(path, path), 0);
  refuse(10, &a, HEFT_ERR_FILE, "too many symbolic links");
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_files_come),
      cmocka_unit_test(all_else_is_refused),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
