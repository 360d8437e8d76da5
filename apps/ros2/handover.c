// SPDX-License-Identifier: Apache-2.0
#include "ros2/handover.h"

#include <stdlib.h>
#include <string.h>

enum { MAILBOX_FRESH = 4, MAILBOX_INDEX = 3 };

int ring_create(Ring* ring, size_t size, unsigned capacity) {
  *ring = (Ring){.bytes = calloc(capacity, size), .size = size, .capacity = capacity};
  return ring->bytes != NULL;
}

void ring_free(Ring* ring) {
  free(ring->bytes);
  ring->bytes = NULL;
}

static void* place(const Ring* ring, unsigned index) {
  return ring->bytes + (index & (ring->capacity - 1)) * ring->size;
}

void* ring_back(Ring* ring) {
  const unsigned write = atomic_load_explicit(&ring->write, memory_order_relaxed);
  const unsigned read = atomic_load_explicit(&ring->read, memory_order_acquire);
  return write - read < ring->capacity ? place(ring, write) : NULL;
}

void ring_push(Ring* ring) { atomic_fetch_add_explicit(&ring->write, 1, memory_order_release); }

const void* ring_front(Ring* ring) {
  const unsigned read = atomic_load_explicit(&ring->read, memory_order_relaxed);
  const unsigned write = atomic_load_explicit(&ring->write, memory_order_acquire);
  return read != write ? place(ring, read) : NULL;
}

void ring_pop(Ring* ring) { atomic_fetch_add_explicit(&ring->read, 1, memory_order_release); }

int mailbox_create(Mailbox* box, size_t size) {
  *box = (Mailbox){.bytes = calloc(3, size), .size = size, .back = 0, .front = 1, .between = 2};
  return box->bytes != NULL;
}

void mailbox_free(Mailbox* box) {
  free(box->bytes);
  box->bytes = NULL;
}

void mailbox_put(Mailbox* box, const void* bytes) {
  memcpy(box->bytes + box->back * box->size, bytes, box->size);
  const unsigned old =
      atomic_exchange_explicit(&box->between, box->back | MAILBOX_FRESH, memory_order_acq_rel);
  box->back = old & MAILBOX_INDEX;
}

const void* mailbox_take(Mailbox* box) {
  if (!(atomic_load_explicit(&box->between, memory_order_relaxed) & MAILBOX_FRESH)) return NULL;
  const unsigned old = atomic_exchange_explicit(&box->between, box->front, memory_order_acq_rel);
  box->front = old & MAILBOX_INDEX;
  return box->bytes + box->front * box->size;
}
