// SPDX-License-Identifier: Apache-2.0
// A bump arena, passed by value: a function that receives one allocates scratch from its copy. The
// memory is free again when the function returns, because the caller's copy has not changed. Single
// pieces are never released.
//
//   void solve(Arena scratch) {                       // by value: the memory is free on return
//     double* x = arena_take(&scratch, n, double);    // NULL when it does not fit
//   }
//
// A sizing pass runs the same takes on an arena without memory (arena_measure) and reads the sum,
// so that size and layout are written once.
#ifndef HEFT_SRC_BASE_ARENA_H
#define HEFT_SRC_BASE_ARENA_H

#include <heft/base.h>
#include <stdint.h>

enum { ARENA_ALIGNMENT = 64 };

typedef struct Arena {
  unsigned char* base;  ///< aligned to ARENA_ALIGNMENT; NULL in a sizing pass
  size_t used;          ///< bytes taken
  size_t size;          ///< bytes there are
  size_t* peak;         ///< largest `used` of this arena and of all its copies; may be NULL
  int overflow;         ///< a take did not fit
} Arena;

static inline Arena arena_make(void* memory, size_t size, size_t* peak) {
  return (Arena){
      .base = (unsigned char*)memory, .used = 0, .size = size, .peak = peak, .overflow = 0};
}

/// An arena that counts and gives nothing but NULL.
static inline Arena arena_measure(void) {
  return (Arena){.base = NULL, .used = 0, .size = SIZE_MAX / 2, .peak = NULL, .overflow = 0};
}

/// count elements of size bytes each, aligned to ARENA_ALIGNMENT; not cleared. NULL if they do not
/// fit.
static inline void* arena_take_bytes(Arena* arena, size_t count, size_t size) {
  const size_t room = (arena->size - arena->used) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
  if (size != 0 && count > room / size) {
    arena->overflow = 1;
    return NULL;
  }
  void* memory = arena->base ? arena->base + arena->used : NULL;
  arena->used += (count * size + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
  if (arena->peak && arena->used > *arena->peak) *arena->peak = arena->used;
  return memory;
}

#define arena_take(arena, count, type) \
  ((type*)arena_take_bytes((arena), (size_t)(count), sizeof(type)))

#endif
