// SPDX-License-Identifier: Apache-2.0
// Faults of a machine, put in front of the C library by LD_PRELOAD:
//   HEFT_FAIL_AT=N     the Nth request for memory fails; -N: it and all after it
//   HEFT_FAIL_OWN=1    counts requests of the program alone, not those of shared libraries
//   HEFT_FAIL_COUNT=F  writes the number of requests to the file F at the end
//   HEFT_CLOCK_JUMP=N  after each N readings every clock jumps: a day ahead, and back again
//   HEFT_DATE_JUMP=N   the same for the clock of the date alone
//   HEFT_NO_LIBRARY=T  no shared library is found whose name contains T
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static atomic_long requests, readings;
static long fail_at, jump_every, date_jump_every;
static uintptr_t own_begin, own_end;  // of the text of the program; both 0: all requests count
static int armed;

static long number(const char* name) {
  const char* text = getenv(name);
  return text ? atol(text) : 0;
}

// The first object is the program.
static int find_program(struct dl_phdr_info* info, size_t size, void* user) {
  (void)size, (void)user;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X)) continue;
    own_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    own_end = own_begin + info->dlpi_phdr[i].p_memsz;
  }
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  if (number("HEFT_FAIL_OWN")) dl_iterate_phdr(find_program, NULL);
  fail_at = number("HEFT_FAIL_AT");
  jump_every = number("HEFT_CLOCK_JUMP");
  date_jump_every = number("HEFT_DATE_JUMP");
  armed = 1;
}

__attribute__((destructor)) static void end(void) {
  const char* path = getenv("HEFT_FAIL_COUNT");
  armed = 0;
  if (!path) return;
  char text[32];
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int size = snprintf(text, sizeof text, "%ld\n", atomic_load(&requests));
  if (file >= 0 && write(file, text, (size_t)size) == size) close(file);
}

static int fails(const void* caller) {
  if (!armed || (own_end && ((uintptr_t)caller < own_begin || (uintptr_t)caller >= own_end)))
    return 0;
  const long n = atomic_fetch_add(&requests, 1) + 1;
  const int failed = fail_at > 0 ? n == fail_at : fail_at < 0 && n >= -fail_at;
  if (failed) errno = ENOMEM;
  return failed;
}

#define FAILS fails(__builtin_return_address(0))

void* malloc(size_t size) { return FAILS ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return FAILS ? NULL : __libc_calloc(count, size); }
void* realloc(void* memory, size_t size) { return FAILS ? NULL : __libc_realloc(memory, size); }
void* memalign(size_t alignment, size_t size) {
  return FAILS ? NULL : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return FAILS ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  if (FAILS) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  const int code = (int)syscall(SYS_clock_gettime, clock, time);
  const long every = jump_every > 0 ? jump_every : clock == CLOCK_REALTIME ? date_jump_every : 0;
  if (every <= 0) return code;
  const long jumps = atomic_fetch_add(&readings, 1) / every;
  if (jumps % 2) time->tv_sec += 86400;
  return code;
}

void* dlopen(const char* name, int flags) {
  static void* (*real)(const char*, int);
  const char* absent = getenv("HEFT_NO_LIBRARY");
  if (absent && name && strstr(name, absent)) return NULL;
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "dlopen");
  return real(name, flags);
}
