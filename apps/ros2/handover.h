// SPDX-License-Identifier: Apache-2.0
// Between the thread of the step and the thread of DDS, without a lock: neither ever waits for the
// other, and the step makes no kernel call.
//
// States go through a ring. One thread writes, one reads, and each owns one of two counters; a
// state is dropped, and counted, if the ring is full. Commands go through three places, of which
// each side owns one and the third is exchanged: the step sees the newest command, whole.
#ifndef HEFT_APPS_ROS2_HANDOVER_H
#define HEFT_APPS_ROS2_HANDOVER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Ring {
  unsigned char* bytes;  ///< `capacity` places of `size` bytes
  size_t size;
  unsigned capacity;       ///< a power of two
  _Atomic unsigned write;  ///< places filled until now, by the writer
  _Atomic unsigned read;   ///< places emptied until now, by the reader
} Ring;

/// 0: no memory.
int ring_create(Ring* ring, size_t size, unsigned capacity);
void ring_free(Ring* ring);
/// The place to fill, or NULL: the ring is full. It is passed on by ring_push().
void* ring_back(Ring* ring);
void ring_push(Ring* ring);
/// The oldest place, or NULL: the ring is empty. It is given back by ring_pop().
const void* ring_front(Ring* ring);
void ring_pop(Ring* ring);

typedef struct Mailbox {
  unsigned char* bytes;  ///< three places
  size_t size;
  unsigned back, front;      ///< of the writer, of the reader
  _Atomic unsigned between;  ///< the third, and MAILBOX_FRESH
} Mailbox;

int mailbox_create(Mailbox* box, size_t size);
void mailbox_free(Mailbox* box);
/// Passes on a copy.
void mailbox_put(Mailbox* box, const void* bytes);
/// The newest bytes, valid until the next call, or NULL: none since the last call.
const void* mailbox_take(Mailbox* box);

#endif
