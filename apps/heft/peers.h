// SPDX-License-Identifier: Apache-2.0
// Other engines that run the same cases: the programs of bench/peers that were built.
#ifndef HEFT_APPS_PEERS_H
#define HEFT_APPS_PEERS_H

#include "peer_program.h"

enum { PEERS_MAX = 9, PEER_COMMAND = 1200 };

typedef struct Peers {
  PeerProgram mujoco, box3d;
  struct {
    const char* name;
    char command[PEER_COMMAND];
  } peer[PEERS_MAX];
  int count;
} Peers;

/// Lists the engines that were built, and reports the missing ones on stderr. mujoco: folder of
/// heft_peer_mujoco; box3d: of heft_peer_box3d; NULL: beside the command.
void peers_find(Peers* peers, const char* mujoco, const char* box3d);

#endif
