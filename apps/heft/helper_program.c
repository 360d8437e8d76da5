// SPDX-License-Identifier: Apache-2.0
#include "helper_program.h"

#include <errno.h>
#include <heft/base.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "data_folder.h"

void helper_program(const char* name, char* out, size_t size) {
  const size_t need = strlen(name) + 2;
  if (size > need && program_folder(out, size - need)) {
    const size_t length = strlen(out);
    snprintf(out + length, size - length, "/%s", name);
    if (access(out, X_OK) == 0) return;
  }
  snprintf(out, size, "%s", name);
}

static void execute(char* program, const char* from, const char* to, int output) {
  char* const arguments[] = {program, (char*)from, (char*)to, NULL};
  if (output >= 0) {
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
  }
  execvp(program, arguments);
  _exit(errno == ENOENT ? 127 : 126);
}

int helper_program_run(const char* name, const char* from, const char* to, double seconds,
                       int output) {
  char program[1024];
  int status = 0;
  helper_program(name, program, sizeof program);
  fflush(NULL);
  const uint64_t end = heft_clock_ns() + (uint64_t)(seconds * 1e9);
  const pid_t child = fork();
  if (child == 0) execute(program, from, to, output);
  if (child < 0) return HELPER_FAILED;
  pid_t ended = 0;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0 && heft_clock_ns() < end)
    nanosleep(&(struct timespec){0, 2000000}, NULL);
  if (ended == 0) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return HELPER_TIMEOUT;
  }
  if (ended < 0) return HELPER_FAILED;
  if (WIFSIGNALED(status)) return HELPER_SIGNAL - WTERMSIG(status);
  return WEXITSTATUS(status) == 127 ? HELPER_MISSING : WEXITSTATUS(status);
}
