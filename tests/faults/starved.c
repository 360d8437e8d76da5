// SPDX-License-Identifier: Apache-2.0
// Two ways to stand before the heap. The linker's --wrap gives the calls of all objects of this
// program, which are Heft's own, to __wrap_malloc() and its like. Without a sanitizer this file
// also defines malloc() itself, which shared libraries then use.
#include "faults/starved.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#ifdef __SANITIZE_THREAD__
#define RACES_ONLY 1  // memory that fails is the matter of other builds, which are faster
#endif
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

static atomic_int armed;
static atomic_long requests, live;
static atomic_long fail_at;   // 0: none
static atomic_int and_after;  // 1: and all after it
static atomic_int own_only, here_only;
static _Thread_local int here;

static int fails(int own) {
  if (!atomic_load(&armed) || (own_only && !own) || (here_only && !here)) return 0;
  const long n = atomic_fetch_add(&requests, 1) + 1;
  const int failed = fail_at > 0 && (n == fail_at || (and_after && n > fail_at));
  if (failed) errno = ENOMEM;
  return failed;
}

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);

#if defined(SANITIZED) || !defined(__GLIBC__)

#define COUNT_LIVE 0
int __lsan_do_recoverable_leak_check(void);
#pragma weak __lsan_do_recoverable_leak_check

static int leaks(void) {
  return __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check();
}

void* __wrap_malloc(size_t size) { return fails(1) ? NULL : __real_malloc(size); }
void* __wrap_calloc(size_t count, size_t size) {
  return fails(1) ? NULL : __real_calloc(count, size);
}
void* __wrap_realloc(void* memory, size_t size) {
  return fails(1) ? NULL : __real_realloc(memory, size);
}
void* __wrap_aligned_alloc(size_t alignment, size_t size) {
  return fails(1) ? NULL : __real_aligned_alloc(alignment, size);
}

#else

#define COUNT_LIVE 1
void* __libc_malloc(size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);

static int leaks(void) { return 0; }

static void* note(void* memory) {
  if (memory) atomic_fetch_add(&live, 1);
  return memory;
}

void* __wrap_malloc(size_t size) { return fails(1) ? NULL : note(__libc_malloc(size)); }
void* __wrap_calloc(size_t count, size_t size) {
  return fails(1) ? NULL : note(__libc_calloc(count, size));
}
void* __wrap_realloc(void* memory, size_t size) {
  if (fails(1)) return NULL;
  return memory ? __libc_realloc(memory, size) : note(__libc_malloc(size));
}
void* __wrap_aligned_alloc(size_t alignment, size_t size) {
  return fails(1) ? NULL : note(__libc_memalign(alignment, size));
}

#define IN_FRONT __attribute__((visibility("default")))

IN_FRONT void* malloc(size_t size) { return fails(0) ? NULL : note(__libc_malloc(size)); }
IN_FRONT void* calloc(size_t count, size_t size) {
  return fails(0) ? NULL : note(__libc_calloc(count, size));
}
IN_FRONT void* realloc(void* memory, size_t size) {
  if (fails(0)) return NULL;
  return memory ? __libc_realloc(memory, size) : note(__libc_malloc(size));
}
IN_FRONT void* memalign(size_t alignment, size_t size) {
  return fails(0) ? NULL : note(__libc_memalign(alignment, size));
}
IN_FRONT void* aligned_alloc(size_t alignment, size_t size) {
  return fails(0) ? NULL : note(__libc_memalign(alignment, size));
}
IN_FRONT int posix_memalign(void** memory, size_t alignment, size_t size) {
  if (fails(0)) return ENOMEM;
  *memory = note(__libc_memalign(alignment, size));
  return *memory ? 0 : ENOMEM;
}
IN_FRONT void free(void* memory) {
  if (memory) atomic_fetch_sub(&live, 1);
  __libc_free(memory);
}

#endif

void starved_begin(void) {
  here = 1;
  atomic_store(&armed, 1);
}

HeftStatus starved_end(HeftStatus status) {
  atomic_store(&armed, 0);
  here = 0;
  return status;
}

// ---- attempts

static int open_files(void) {
  int count = 0;
  for (int i = 0; i < 64; ++i) count += fcntl(i, F_GETFD) >= 0;
  return count;
}

static HeftStatus try(const StarvedRow* row, long k, int rest, HeftError* error) {
  *error = (HeftError){0};
  atomic_store(&requests, 0);
  fail_at = k;
  and_after = rest;
  own_only = row->flags & STARVED_OWN;
  here_only = row->flags & STARVED_HERE;
  const HeftStatus status = row->attempt(error);
  fail_at = 0;
  return status;
}

static void expect_success(const StarvedRow* row, long after) {
  HeftError error;
  const HeftStatus status = try(row, 0, 0, &error);
  if (status != HEFT_OK)
    fail_msg("%s, after request %ld failed: %s: %s", row->function, after, heft_status_name(status),
             error.message);
}

// 1: the call has failed. The C library keeps the text of its last failure for dlerror(), so that
// memory is compared after the next success.
static int starve(const StarvedRow* row, long k, int rest) {
  HeftError error;
  const int files = open_files();
  const long blocks = atomic_load(&live);
  const HeftStatus status = try(row, k, rest, &error);
  const int driver = (row->flags & STARVED_DRIVER) == STARVED_DRIVER;
  if (open_files() != files && !driver)
    fail_msg("%s, request %ld: %d descriptors before, %d after", row->function, k, files,
             open_files());
  expect_success(row, k);
  const long left = atomic_load(&live) - blocks;
  if (COUNT_LIVE && left != 0 && !driver && !(left == 1 && row->flags & STARVED_LEAK))
    fail_msg("%s, request %ld: %ld blocks are left; %s", row->function, k, left, error.message);
  if (status == HEFT_OK) return 0;
  if (!(row->flags & STARVED_SILENT) && !error.message[0])
    fail_msg("%s, request %ld: %s without a message", row->function, k, heft_status_name(status));
  if (status != HEFT_ERR_MEMORY && status != HEFT_ERR_FILE)
    fail_msg("%s, request %ld: %s: %s", row->function, k, heft_status_name(status), error.message);
  return 1;
}

static void starve_row(const StarvedRow* row) {
  long failed = 0;
  expect_success(row, 0);  // what is made once is made
  expect_success(row, 0);
  const long total = atomic_load(&requests);
  for (int rest = 0; rest < 2; ++rest) {
    for (long k = 1; k <= total; ++k) failed += starve(row, k, rest);
  }
  const int driver = (row->flags & STARVED_DRIVER) == STARVED_DRIVER;
  if (!driver && leaks()) fail_msg("%s: memory is left", row->function);
  print_message("  %-34s %4ld requests: %4ld failures with a message, %3ld endured\n",
                row->function, total, failed, 2 * total - failed);
}

void starved_rows(const StarvedRow* rows, int count) {
#ifdef RACES_ONLY
  count = 1;
#endif
  for (int i = 0; i < count; ++i) starve_row(&rows[i]);
}
