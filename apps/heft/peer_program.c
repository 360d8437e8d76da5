// SPDX-License-Identifier: Apache-2.0
#include "peer_program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "helper_program.h"

// The version that a program prints, "" if it prints none.
static void read_version(const char* program, char out[40]) {
  char command[800];
  snprintf(command, sizeof command, "exec '%s' version 2>/dev/null", program);
  FILE* pipe = popen(command, "r");
  out[0] = '\0';
  if (!pipe) return;
  if (!fgets(out, 40, pipe)) out[0] = '\0';
  out[strcspn(out, "\n")] = '\0';
  pclose(pipe);
}

bool peer_program_find(PeerProgram* out, const char* engine, const char* program,
                       const char* folder) {
  char version[40];
  if (folder)
    snprintf(out->program, sizeof out->program, "%s/%s", folder, program);
  else
    helper_program(program, out->program, sizeof out->program);
  if (access(out->program, X_OK) != 0) {
    fprintf(stderr, "%s is missing: %s%s%s was not built (bench/peers/README.md)\n", engine,
            folder ? folder : "", folder ? "/" : "", program);
    return false;
  }
  read_version(out->program, version);
  if (!version[0]) {
    fprintf(stderr, "%s does not run: it printed no version of %s\n", out->program, engine);
    return false;
  }
  snprintf(out->name, sizeof out->name, "%s %s", engine, version);
  return true;
}
