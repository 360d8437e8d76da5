// SPDX-License-Identifier: Apache-2.0
// Programs of bench/peers are next to the heft command. MuJoCo from npm needs node and
// HEFT_NODE_MODULES.
#include "peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *name, *program, *argument;
} known[] = {
    {"MuJoCo 2.2.2", "heft_peer_mujoco", ""}, {"its elliptic", "heft_peer_mujoco", "elliptic"},
    {"Bullet", "heft_peer_bullet", ""},       {"ODE", "heft_peer_ode", ""},
    {"DART", "heft_peer_dart", ""},           {"Siconos", "heft_peer_siconos", ""},
};

static int own_folder(char* out, size_t size) {
  const ssize_t length = readlink("/proc/self/exe", out, size - 1);
  if (length <= 0) return 0;
  out[length] = '\0';
  char* slash = strrchr(out, '/');
  if (!slash) return 0;
  *slash = '\0';
  return 1;
}

static void add(Peers* peers, const char* name, const char* command, const char* argument) {
  if (peers->count == PEERS_MAX) return;
  peers->peer[peers->count].name = name;
  snprintf(peers->peer[peers->count++].command, PEER_COMMAND, "exec %s %s", command, argument);
}

void peers_find(Peers* peers) {
  char folder[512], path[700];
  if (!own_folder(folder, sizeof folder)) return;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, known[i].program);
    if (access(path, X_OK) == 0) {
      snprintf(path, sizeof path, "'%s/%s'", folder, known[i].program);
      add(peers, known[i].name, path, known[i].argument);
    } else {
      fprintf(stderr, "%s is missing (%s was not built)\n", known[i].name, known[i].program);
    }
  }
  const char* script = HEFT_PEER_DIR "/mujoco.mjs";
  if (getenv("HEFT_NODE_MODULES") && access(script, R_OK) == 0) {
    snprintf(path, sizeof path, "node '%s'", script);
    add(peers, "MuJoCo npm", path, "elliptic");
  } else {
    fprintf(stderr, "MuJoCo from npm is missing (set HEFT_NODE_MODULES)\n");
  }
}
