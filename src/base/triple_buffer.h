// SPDX-License-Identifier: Apache-2.0
// From one thread to one other, the newest of something: three slots, one atomic exchange each,
// nobody waits. The writer fills its own slot and swaps it with the middle one; the reader swaps
// the middle one with its own if it is fresh.
#ifndef HEFT_SRC_BASE_TRIPLE_BUFFER_H
#define HEFT_SRC_BASE_TRIPLE_BUFFER_H

#include <stdatomic.h>

enum { EXCHANGE_FRESH = 4 };

typedef struct Exchange {
  atomic_int middle;  ///< which slot, and EXCHANGE_FRESH if it was not read yet
  int writing;        ///< the writer's slot
  int reading;        ///< the reader's slot
} Exchange;

static inline void exchange_init(Exchange* x) {
  x->reading = 0;
  atomic_init(&x->middle, 1);
  x->writing = 2;
}

/// After slot[x->writing] was filled.
static inline void exchange_publish(Exchange* x) {
  x->writing = atomic_exchange(&x->middle, x->writing | EXCHANGE_FRESH) & 3;
}

/// Returns 1 if slot[x->reading] is a new one.
static inline int exchange_take(Exchange* x) {
  if (!(atomic_load_explicit(&x->middle, memory_order_relaxed) & EXCHANGE_FRESH)) return 0;
  x->reading = atomic_exchange(&x->middle, x->reading) & 3;
  return 1;
}

#endif
