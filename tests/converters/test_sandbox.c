// SPDX-License-Identifier: Apache-2.0
// What a converter cannot do once it has entered its sandbox, tried by a child.
#define _GNU_SOURCE
#include "../../apps/converters/sandbox.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "support/check.h"

enum { GOOD = 0, NO_FILES = 100, NO_CALLS = 101 };

static char folder[] = "/tmp/heft_sandbox_XXXXXX";

static int can_open(const char* path, int flags) {
  const int file = open(path, flags | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

// The number of the first thing that is wrong.
static int try_all(void) {
  char in[64], out[64], outside[64];
  snprintf(in, sizeof in, "%s/in/mesh.dae", folder);
  snprintf(out, sizeof out, "%s/out/mesh.obj", folder);
  snprintf(outside, sizeof outside, "%s/secret", folder);
  const int done = enter_sandbox(in, out);
  if (done & SANDBOX_FILES) {
    if (!can_open(in, O_RDONLY)) return 1;
    if (!can_open(out, O_WRONLY | O_CREAT)) return 2;
    if (can_open(outside, O_RDONLY)) return 3;
    if (can_open(outside, O_WRONLY)) return 4;
    if (can_open(in, O_WRONLY)) return 5;
    if (can_open("/etc/passwd", O_RDONLY)) return 6;
    snprintf(outside, sizeof outside, "%s/in/fresh", folder);
    if (can_open(outside, O_WRONLY | O_CREAT)) return 7;
  }
  if (done & SANDBOX_CALLS) {
    char* const arguments[] = {(char*)"/bin/true", NULL};
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM) return 8;
    if (socket(AF_UNIX, SOCK_DGRAM, 0) >= 0) return 9;
    execv(arguments[0], arguments);
    if (errno != EPERM) return 10;
    if (kill(getppid(), 0) == 0) return 11;
    if (fork() >= 0 || errno != EPERM) return 13;  // is on no list
    if (syscall(SYS_memfd_create, "x", 0) >= 0 || errno != EPERM) return 14;
  }
  void* memory = malloc(100000);
  if (!memory) return 12;
  memset(memory, 1, 100000);
  free(memory);
  if (!(done & SANDBOX_FILES)) return NO_FILES;
  return done & SANDBOX_CALLS ? GOOD : NO_CALLS;
}

// A kernel without the calls of a sandbox: the second of two filters stands for it, since a program
// in a sandbox cannot enter another one.
static int try_twice(void) {
  unsetenv("HEFT_UNCONFINED");
  if (enter_sandbox("/tmp/a", "/tmp/b") != (SANDBOX_FILES | SANDBOX_CALLS)) return NO_CALLS;
  if (enter_sandbox_or_stop("test", "/tmp/a", "/tmp/b")) return 1;
  setenv("HEFT_UNCONFINED", "1", 1);
  return enter_sandbox_or_stop("test", "/tmp/a", "/tmp/b") ? GOOD : 2;
}

static void without_a_sandbox_it_stops(void** state) {
  (void)state;
  int status = 0;
  const pid_t child = fork();
  if (child == 0) _exit(try_twice());
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) != GOOD && WEXITSTATUS(status) != NO_CALLS)
    fail_msg("attempt %d", WEXITSTATUS(status));
}

static void a_converter_is_confined(void** state) {
  (void)state;
  char path[64];
  int status = 0;
  assert_non_null(mkdtemp(folder));
  static const char* const parts[] = {"in", "out"};
  for (int i = 0; i < 2; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, parts[i]);
    assert_int_equal(mkdir(path, 0700), 0);
  }
  snprintf(path, sizeof path, "%s/in/mesh.dae", folder);
  assert_true(can_open(path, O_WRONLY | O_CREAT));
  snprintf(path, sizeof path, "%s/secret", folder);
  assert_true(can_open(path, O_WRONLY | O_CREAT));
  const pid_t child = fork();
  if (child == 0) _exit(try_all());
  assert_int_equal(waitpid(child, &status, 0), child);
  snprintf(path, sizeof path, "rm -rf '%s'", folder);
  assert_int_equal(system(path), 0);
  assert_true(WIFEXITED(status));
  const int code = WEXITSTATUS(status);
  if (code == NO_FILES) print_message("this kernel has no Landlock: files were not confined\n");
  if (code == NO_CALLS) print_message("calls of the kernel were not confined in this build\n");
  if (code != GOOD && code != NO_FILES && code != NO_CALLS) fail_msg("attempt %d", code);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_converter_is_confined),
                                     cmocka_unit_test(without_a_sandbox_it_stops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
