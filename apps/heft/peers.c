// SPDX-License-Identifier: Apache-2.0
// Programs of bench/peers are next to the heft command. MuJoCo from npm needs node and
// HEFT_NODE_MODULES.
#include "peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data_folder.h"

static const struct {
  const char *name, *program, *argument;
} known[] = {
    {"Bullet", "heft_peer_bullet", ""},
    {"ODE", "heft_peer_ode", ""},
    {"DART", "heft_peer_dart", ""},
    {"Siconos", "heft_peer_siconos", ""},
};

static void add(Peers* peers, const char* name, const char* command, const char* argument) {
  if (peers->count == PEERS_MAX) return;
  snprintf(peers->peer[peers->count].name, sizeof peers->peer->name, "%.47s", name);
  snprintf(peers->peer[peers->count++].command, PEER_COMMAND, "exec %s %s", command, argument);
}

// A MuJoCo with its default cones, and with round ones.
static void add_mujoco(Peers* peers, const char* folder) {
  PeerProgram found;
  char path[720], elliptic[60];
  if (!peer_program_find(&found, "MuJoCo", "heft_peer_mujoco", folder)) return;
  snprintf(path, sizeof path, "'%s'", found.program);
  snprintf(elliptic, sizeof elliptic, "%.40s round", found.name + strlen("MuJoCo "));
  add(peers, found.name, path, "");
  add(peers, elliptic, path, "elliptic");
}

void peers_find(Peers* peers, const char* const mujoco[PEERS_MUJOCO], const char* box3d) {
  char folder[512], path[720];
  PeerProgram found;
  for (int i = 0; i < PEERS_MUJOCO; ++i)
    if (i == 0 || mujoco[i]) add_mujoco(peers, mujoco[i]);
  if (peer_program_find(&found, "Box3D", "heft_peer_box3d", box3d)) {
    snprintf(path, sizeof path, "'%s'", found.program);
    add(peers, found.name, path, "");
  }
  if (!program_folder(folder, sizeof folder)) return;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, known[i].program);
    if (access(path, X_OK) == 0) {
      snprintf(path, sizeof path, "'%s/%s'", folder, known[i].program);
      add(peers, known[i].name, path, known[i].argument);
    } else {
      fprintf(stderr, "%s is missing (%s was not built)\n", known[i].name, known[i].program);
    }
  }
  char script[704];
  snprintf(script, sizeof script, "%s/%s/bench/peers/mujoco.mjs", folder, HEFT_SOURCE_PATH);
  if (getenv("HEFT_NODE_MODULES") && access(script, R_OK) == 0) {
    snprintf(path, sizeof path, "node '%.680s'", script);
    add(peers, "MuJoCo npm", path, "elliptic");
  } else {
    fprintf(stderr, "MuJoCo from npm is missing (set HEFT_NODE_MODULES)\n");
  }
}
