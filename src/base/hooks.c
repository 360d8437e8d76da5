// SPDX-License-Identifier: Apache-2.0
// The two hooks: the only writable globals of the library (tools/globals.txt).
#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/log.h"

static HeftLogHook* log_hook = NULL;
static void* log_user = NULL;
static HeftAssertHook* assert_hook = NULL;

void heft_log_set_hook(HeftLogHook* hook, void* user) {
  log_hook = hook;
  log_user = user;
}

void heft_log_write(HeftLogLevel level, const char* format, ...) {
  if (!log_hook) return;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  log_hook(log_user, level, text);
}

void heft_assert_set_hook(HeftAssertHook* hook) { assert_hook = hook; }

void heft_assert_failed(const char* condition, const char* file, int line) {
  if (assert_hook) {
    assert_hook(condition, file, line);
    return;
  }
#if HEFT_ASSERTS_ON
  fprintf(stderr, "heft: %s:%d: %s is false\n", file, line, condition);
  abort();
#endif
}
