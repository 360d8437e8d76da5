// SPDX-License-Identifier: Apache-2.0
// Triple buffer: passes the newest value from one writing thread to one reading thread. There are
// three slots; each thread owns one, and the third is in the middle. The writer fills its own slot
// and exchanges it with the middle one. The reader exchanges its own slot with the middle one if
// that is fresh. Each exchange is one atomic operation, and no thread waits.
#ifndef HEFT_SRC_BASE_TRIPLE_BUFFER_H
#define HEFT_SRC_BASE_TRIPLE_BUFFER_H

#include <stdatomic.h>

enum { TRIPLE_BUFFER_FRESH = 4 };

typedef struct TripleBuffer {
  atomic_int middle;  ///< index of the slot, plus TRIPLE_BUFFER_FRESH if it was not read yet
  int writing;        ///< the writer's slot
  int reading;        ///< the reader's slot
} TripleBuffer;

static inline void triple_buffer_init(TripleBuffer* x) {
  x->reading = 0;
  atomic_init(&x->middle, 1);
  x->writing = 2;
}

/// Publishes slot[x->writing], which the writer has filled; x->writing is another slot afterwards.
/// Returns 1 if the reader has taken the value before this one.
static inline int triple_buffer_publish(TripleBuffer* x) {
  const int old = atomic_exchange(&x->middle, x->writing | TRIPLE_BUFFER_FRESH);
  x->writing = old & 3;
  return !(old & TRIPLE_BUFFER_FRESH);
}

/// Returns 1 if slot[x->reading] is a new value, 0 if it is the one of the last call.
static inline int triple_buffer_take(TripleBuffer* x) {
  if (!(atomic_load_explicit(&x->middle, memory_order_relaxed) & TRIPLE_BUFFER_FRESH)) return 0;
  x->reading = atomic_exchange(&x->middle, x->reading) & 3;
  return 1;
}

#endif
