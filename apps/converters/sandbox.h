// SPDX-License-Identifier: Apache-2.0
// A program that parses an untrusted file by a large library gives up what it does not need before
// it opens the file: new privileges, other programs, the network, and files outside of the folders
// of its input and its output. If the kernel lacks a part of it (Landlock before Linux 5.13), the
// program ends, unless the user trusts the file: HEFT_UNCONFINED=1.
#ifndef HEFT_APPS_SANDBOX_H
#define HEFT_APPS_SANDBOX_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources.h"

/// Rights that were given up: SANDBOX_FILES, SANDBOX_CALLS.
enum { SANDBOX_FILES = 1, SANDBOX_CALLS = 2 };

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__has_include)
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif
#endif

#ifndef O_PATH
#define O_PATH 010000000
#endif

// ---- files

#if defined(LANDLOCK_ACCESS_FS_READ_FILE) && defined(SYS_landlock_create_ruleset)
static inline int sandbox_allow(int rules, const char* folder, uint64_t access) {
  const struct landlock_path_beneath_attr rule = {
      .allowed_access = access, .parent_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (rule.parent_fd < 0) return 0;
  const long code = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
  return code == 0;
}

// The folder of a file.
static inline void sandbox_folder(const char* path, char* out, size_t size) {
  const char* slash = strrchr(path, '/');
  snprintf(out, size, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
}

static inline int sandbox_files(const char* from, const char* to) {
  const uint64_t read_only = LANDLOCK_ACCESS_FS_READ_FILE;
  // all rights of the first version of Landlock; later ones have more, which stay as they are
  const struct landlock_ruleset_attr all = {.handled_access_fs =
                                                (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
  char folder[4096];
  const int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
  if (rules < 0) return 0;
  int well = 1;
  sandbox_folder(from, folder, sizeof folder);
  well &= sandbox_allow(rules, folder, read_only);
  char* target = realpath(from, NULL);  // the input may be a link
  if (target) sandbox_folder(target, folder, sizeof folder);
  if (target) well &= sandbox_allow(rules, folder, read_only);
  free(target);
  sandbox_folder(to, folder, sizeof folder);
  well &= sandbox_allow(rules, folder,
                        read_only | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
                            LANDLOCK_ACCESS_FS_REMOVE_FILE);
#ifdef SANITIZED  // the search for leaks looks at the own threads
  well &= sandbox_allow(rules, "/proc", read_only | LANDLOCK_ACCESS_FS_READ_DIR);
#endif
  well = well && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return well;
}
#else
static inline int sandbox_files(const char* from, const char* to) {
  (void)from, (void)to;
  return 0;
}
#endif

// ---- calls of the kernel

#if defined(__x86_64__)
#define SANDBOX_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define SANDBOX_ARCH AUDIT_ARCH_AARCH64
#endif

// The calls that work: memory, files that are open or lie in the permitted folders, time, the end.
// All others fail with EPERM, which a library survives that asks for something optional.
#if defined(SANDBOX_ARCH) && !defined(SANITIZED)
#define SANDBOX_PERMIT(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static inline int sandbox_calls(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SANDBOX_ARCH, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      // memory
      SANDBOX_PERMIT(SYS_brk), SANDBOX_PERMIT(SYS_mmap), SANDBOX_PERMIT(SYS_munmap),
      SANDBOX_PERMIT(SYS_mremap), SANDBOX_PERMIT(SYS_mprotect), SANDBOX_PERMIT(SYS_madvise),
      SANDBOX_PERMIT(SYS_futex),
      // files
      SANDBOX_PERMIT(SYS_openat), SANDBOX_PERMIT(SYS_close), SANDBOX_PERMIT(SYS_read),
      SANDBOX_PERMIT(SYS_write), SANDBOX_PERMIT(SYS_readv), SANDBOX_PERMIT(SYS_writev),
      SANDBOX_PERMIT(SYS_pread64), SANDBOX_PERMIT(SYS_pwrite64), SANDBOX_PERMIT(SYS_lseek),
      SANDBOX_PERMIT(SYS_fstat), SANDBOX_PERMIT(SYS_newfstatat), SANDBOX_PERMIT(SYS_statx),
      SANDBOX_PERMIT(SYS_faccessat), SANDBOX_PERMIT(SYS_faccessat2), SANDBOX_PERMIT(SYS_readlinkat),
      SANDBOX_PERMIT(SYS_fcntl), SANDBOX_PERMIT(SYS_flock), SANDBOX_PERMIT(SYS_ftruncate),
      SANDBOX_PERMIT(SYS_fallocate), SANDBOX_PERMIT(SYS_fsync), SANDBOX_PERMIT(SYS_fdatasync),
      SANDBOX_PERMIT(SYS_unlinkat), SANDBOX_PERMIT(SYS_getcwd),
#ifdef SYS_open  // of older processors
      SANDBOX_PERMIT(SYS_open), SANDBOX_PERMIT(SYS_stat), SANDBOX_PERMIT(SYS_lstat),
      SANDBOX_PERMIT(SYS_access), SANDBOX_PERMIT(SYS_readlink), SANDBOX_PERMIT(SYS_unlink),
#endif
      // time, chance, signals to itself, the end
      SANDBOX_PERMIT(SYS_clock_gettime), SANDBOX_PERMIT(SYS_gettimeofday),
      SANDBOX_PERMIT(SYS_getrandom), SANDBOX_PERMIT(SYS_getrusage), SANDBOX_PERMIT(SYS_uname),
      SANDBOX_PERMIT(SYS_sysinfo), SANDBOX_PERMIT(SYS_sched_getaffinity),
      SANDBOX_PERMIT(SYS_getpid), SANDBOX_PERMIT(SYS_gettid), SANDBOX_PERMIT(SYS_rt_sigaction),
      SANDBOX_PERMIT(SYS_rt_sigprocmask), SANDBOX_PERMIT(SYS_rt_sigreturn),
      SANDBOX_PERMIT(SYS_exit), SANDBOX_PERMIT(SYS_exit_group),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)};
  const struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
static inline int sandbox_calls(void) { return 0; }  // sanitizers trace their own process
#endif

/// Limits the process. from, to: its input and its output. Returns what was given up.
static inline int enter_sandbox(const char* from, const char* to) {
  limit_resources();
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);  // a core would contain the file
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 0;
  return (sandbox_files(from, to) ? SANDBOX_FILES : 0) | (sandbox_calls() ? SANDBOX_CALLS : 0);
}
#else
static inline int enter_sandbox(const char* from, const char* to) {
  (void)from, (void)to;
  limit_resources();
  return 0;
}
#endif

/// enter_sandbox() for a program that must not go on without. Returns 1 if it may read its input;
/// else it has reported why not.
static inline int enter_sandbox_or_stop(const char* program, const char* from, const char* to) {
#ifdef SANITIZED  // sanitizers need calls that the list does not have
  const int needed = 0;
#else
  const int needed = SANDBOX_FILES | SANDBOX_CALLS;
#endif
  const char* asked = getenv("HEFT_UNCONFINED");
  const int missing = needed & ~enter_sandbox(from, to);
  if (!missing || (asked && strcmp(asked, "1") == 0)) return 1;
  fprintf(stderr,
          "%s: error: this system cannot confine the program to %s, so it does not read "
          "'%.300s'; for a file that you trust, set HEFT_UNCONFINED=1\n",
          program,
          missing & SANDBOX_FILES ? "the folders of its files (Landlock)" : "few calls (seccomp)",
          from);
  return 0;
}

#endif
