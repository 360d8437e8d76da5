// SPDX-License-Identifier: Apache-2.0
// Other engines that run the same cases: the programs of bench/peers that were built.
#ifndef HEFT_APPS_PEERS_H
#define HEFT_APPS_PEERS_H

#include "peer_program.h"

enum { PEERS_MAX = 12, PEERS_MUJOCO = 2, PEER_COMMAND = 1200 };

typedef struct Peers {
  struct {
    char name[48];
    char command[PEER_COMMAND];
  } peer[PEERS_MAX];
  int count;
} Peers;

/// Lists the engines that were built, and reports the missing ones on stderr. mujoco: folders of
/// heft_peer_mujoco with different versions; the first NULL: beside the command. box3d: folder of
/// heft_peer_box3d; NULL: beside the command.
void peers_find(Peers* peers, const char* const mujoco[PEERS_MUJOCO], const char* box3d);

#endif
