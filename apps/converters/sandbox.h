// SPDX-License-Identifier: Apache-2.0
// A program that parses an untrusted file by a large library gives up what it does not need before
// it opens the file: new privileges, other programs, the network, and files outside of the folders
// of its input and its output. What the kernel does not have (Landlock before Linux 5.13) is left
// out; the limits of resources.h hold in any case.
#ifndef HEFT_APPS_SANDBOX_H
#define HEFT_APPS_SANDBOX_H

#include "resources.h"

/// What was given up: SANDBOX_FILES, SANDBOX_CALLS.
enum { SANDBOX_FILES = 1, SANDBOX_CALLS = 2 };

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

// A list of calls that fail, not of those that work: the libraries of a system differ in what they
// use.
#if defined(SANDBOX_ARCH) && !defined(SANITIZED)
#define SANDBOX_REFUSE(call)                         \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

static inline int sandbox_calls(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SANDBOX_ARCH, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      // numbers of the x32 interface would pass by the list
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), SANDBOX_REFUSE(SYS_socket),
      SANDBOX_REFUSE(SYS_connect), SANDBOX_REFUSE(SYS_bind), SANDBOX_REFUSE(SYS_execve),
      SANDBOX_REFUSE(SYS_execveat), SANDBOX_REFUSE(SYS_ptrace),
      SANDBOX_REFUSE(SYS_process_vm_readv), SANDBOX_REFUSE(SYS_process_vm_writev),
      SANDBOX_REFUSE(SYS_kill), SANDBOX_REFUSE(SYS_mount), SANDBOX_REFUSE(SYS_umount2),
      SANDBOX_REFUSE(SYS_chroot), SANDBOX_REFUSE(SYS_pivot_root), SANDBOX_REFUSE(SYS_unshare),
      SANDBOX_REFUSE(SYS_setns), SANDBOX_REFUSE(SYS_bpf), SANDBOX_REFUSE(SYS_perf_event_open),
      SANDBOX_REFUSE(SYS_userfaultfd), SANDBOX_REFUSE(SYS_io_uring_setup),
      SANDBOX_REFUSE(SYS_keyctl), SANDBOX_REFUSE(SYS_add_key), SANDBOX_REFUSE(SYS_request_key),
      SANDBOX_REFUSE(SYS_init_module), SANDBOX_REFUSE(SYS_finit_module),
      SANDBOX_REFUSE(SYS_kexec_load), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
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

#endif
