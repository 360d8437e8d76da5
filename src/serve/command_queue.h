// SPDX-License-Identifier: Apache-2.0
// Commands from the network thread to the stepping thread: a ring with one writer and one reader.
// Neither waits: if the ring is full, the writer is told so.
#ifndef HEFT_SRC_SERVE_COMMAND_QUEUE_H
#define HEFT_SRC_SERVE_COMMAND_QUEUE_H

#include <stdatomic.h>

#include "serve/message.h"

enum { COMMAND_QUEUE_SIZE = 256 };  // a power of two

/// A message whose numbers were checked against the model. No texts: key is an index.
typedef struct Command {
  MessageKind kind;
  int user;         ///< seat of the user, 0 to PICTURE_HANDS - 1
  int index;        ///< body, actuator, count, keyframe (-1: the start) or running
  double value;     ///< control
  HeftVec3 at;      ///< pull, push
  HeftVec3 vector;  ///< pull: target; push: impulse
} Command;

typedef struct CommandQueue {
  Command ring[COMMAND_QUEUE_SIZE];
  atomic_uint written, read;  ///< commands so far
} CommandQueue;

static inline void command_queue_init(CommandQueue* q) {
  atomic_init(&q->written, 0);
  atomic_init(&q->read, 0);
}

/// 0: the queue is full.
static inline int command_queue_put(CommandQueue* q, const Command* command) {
  const unsigned at = atomic_load_explicit(&q->written, memory_order_relaxed);
  if (at - atomic_load_explicit(&q->read, memory_order_acquire) == COMMAND_QUEUE_SIZE) return 0;
  q->ring[at % COMMAND_QUEUE_SIZE] = *command;
  atomic_store_explicit(&q->written, at + 1, memory_order_release);
  return 1;
}

/// 0: the queue is empty.
static inline int command_queue_take(CommandQueue* q, Command* out) {
  const unsigned at = atomic_load_explicit(&q->read, memory_order_relaxed);
  if (at == atomic_load_explicit(&q->written, memory_order_acquire)) return 0;
  *out = q->ring[at % COMMAND_QUEUE_SIZE];
  atomic_store_explicit(&q->read, at + 1, memory_order_release);
  return 1;
}

#endif
