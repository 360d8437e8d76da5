// SPDX-License-Identifier: Apache-2.0
// Programs of bench/peers that print the version of their engine, whichever they were built with.
#ifndef HEFT_APPS_PEER_PROGRAM_H
#define HEFT_APPS_PEER_PROGRAM_H

#include <stdbool.h>

typedef struct PeerProgram {
  char program[700];  ///< its path
  char name[48];      ///< "MuJoCo 3.12.1": the engine, and the version that the program prints
} PeerProgram;

/// Finds the program of an engine ("MuJoCo", heft_motion_mujoco) in a folder; NULL: beside the
/// command. Returns false, with a message on stderr, if it is missing or does not run.
bool peer_program_find(PeerProgram* out, const char* engine, const char* program,
                       const char* folder);

#endif
