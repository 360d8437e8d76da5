// SPDX-License-Identifier: Apache-2.0
// Other engines that run the same cases: the programs of bench/peers that were built.
#ifndef HEFT_APPS_PEERS_H
#define HEFT_APPS_PEERS_H

#include "mujoco_peer.h"

enum { PEERS_MAX = 8, PEER_COMMAND = 1200 };

typedef struct Peers {
  MujocoPeer mujoco;
  struct {
    const char* name;
    char command[PEER_COMMAND];
  } peer[PEERS_MAX];
  int count;
} Peers;

/// Lists the engines that were built, and reports the missing ones on stderr. mujoco: folder of
/// heft_peer_mujoco; NULL: beside the command.
void peers_find(Peers* peers, const char* mujoco);

#endif
