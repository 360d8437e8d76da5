// SPDX-License-Identifier: Apache-2.0
// The shared world of a server: the copy in which a person here may act, the relay, and what passes
// between the stepping thread and the network thread.
#ifndef HEFT_SRC_SERVE_SHARING_H
#define HEFT_SRC_SERVE_SHARING_H

#include <stdatomic.h>
#include "serve/relay.h"
#include "serve/serve.h"
#include "serve/shared.h"

enum {
  SHARING_BLOCK = 32,   ///< steps of a block of inputs
  SHARING_QUEUE = 128,  ///< blocks, a power of two
  SHARING_FRAMES_HEAD = 32,
  SHARING_START_HEAD = 24
};

/// Inputs of a user from the network.
typedef struct SharingBlock {
  int seat;
  int count;  ///< -1: the user leaves
  uint64_t first;
  FrameInput input[SHARING_BLOCK];
} SharingBlock;

typedef struct Sharing {
  HeftAllocator allocator;
  const HeftServeDef* def;
  HeftWorld* world;
  HeftSession* session;
  Shared* shared;
  int self;  ///< seat of the person here, -1: none
  uint64_t corrected_ns;
  Relay relay;
  // from the network thread
  SharingBlock queue[SHARING_QUEUE];
  atomic_uint written, read;
  FrameInput block[FRAME_RING];  ///< used only by the network thread
  // from the stepping thread
  atomic_ullong closed, present, hash_step, hash[16];
  atomic_int margin[FRAME_USERS];  ///< inputs that a seat is ahead of its time [steps]
  // the state for one that joins; 0: free, 1: wanted, 2: written
  atomic_int start_state;
  unsigned char* start;
  size_t start_size, start_room;
} Sharing;

/// Steps that a copy may run ahead of final inputs.
int sharing_depth(double time_step);
/// *out is NULL on failure. def outlives the sharing.
HeftStatus sharing_create(Sharing** out, HeftWorld* world, const HeftServeDef* def,
                          HeftError* error);
/// NULL is allowed.
void sharing_destroy(Sharing* sharing);

// For the stepping thread.
/// Takes the inputs that have come, goes back if that is due, and takes one step. NULL: it waits.
const HeftStepReport* sharing_step(Sharing* sharing, uint64_t now_ns);

// For the network thread.
/// Inputs of a user, from anyone. 0: they are damaged; -1: there is no room.
int sharing_put(Sharing* sharing, int seat, const unsigned char* bytes, size_t size);
/// The user of a seat has gone. 0: there is no room.
int sharing_leave(Sharing* sharing, int seat);
/// The message with final inputs from step *next on, which it moves. Returns its size; 0: they are
/// no longer there.
size_t sharing_frames(Sharing* sharing, int seat, uint64_t* next, unsigned char* out, size_t room);

#endif
