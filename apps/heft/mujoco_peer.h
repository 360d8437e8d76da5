// SPDX-License-Identifier: Apache-2.0
// The programs of bench/peers that step MuJoCo, whichever version they were built with.
#ifndef HEFT_APPS_MUJOCO_PEER_H
#define HEFT_APPS_MUJOCO_PEER_H

#include <stdbool.h>

typedef struct MujocoPeer {
  char program[700];  ///< its path
  char name[48];      ///< "MuJoCo 3.12.1": the version that the program itself prints
} MujocoPeer;

/// Finds a program (heft_motion_mujoco, ...) in a folder; NULL: beside the command. Returns false,
/// with a message on stderr, if it is missing or does not run.
bool mujoco_peer_find(MujocoPeer* out, const char* program, const char* folder);

#endif
