// SPDX-License-Identifier: Apache-2.0
#include "io/name_table.h"
#include "base/assert.h"

#include <string.h>

// Capacities are powers of two. No name is more than LONGEST_RUN slots away from its place: names
// that were chosen to have similar hashes make the table grow, up to the limit of the region, but
// not slow.
enum { FIRST_CAPACITY = 256, LONGEST_RUN = 64 };

// The slot of the name, or the free slot for it; NULL if the table must grow for it.
static NameEntry* slot_of(const NameTable* t, int kind, const char* name) {
  const unsigned mask = (unsigned)(t->capacity - 1);
  HEFT_ASSERT(t->capacity > 0 && (t->capacity & (t->capacity - 1)) == 0);
  const unsigned place = (unsigned)heft_hash(name, strlen(name), (uint64_t)kind + 1);
  for (unsigned i = 0; i < LONGEST_RUN; ++i) {
    NameEntry* e = &t->slots[(place + i) & mask];
    if (!e->name || (e->kind == kind && strcmp(e->name, name) == 0)) return e;
  }
  return NULL;
}

const NameEntry* name_table_find(const NameTable* t, int kind, const char* name) {
  if (t->capacity == 0) return NULL;
  const NameEntry* entry = slot_of(t, kind, name);
  return entry && entry->name ? entry : NULL;
}

int name_table_index(const NameTable* t, int kind, const char* name) {
  const NameEntry* entry = name_table_find(t, kind, name);
  return entry ? entry->index : -1;
}

// Copies all entries to a table of that capacity; 0 if an entry finds no place, -1 without memory.
static int copy_to(const NameTable* t, int capacity, NameTable* out, Region* region) {
  *out = (NameTable){.count = t->count, .capacity = capacity};
  out->slots = region_take(region, (size_t)capacity, sizeof(NameEntry));
  if (!out->slots) return -1;
  for (int i = 0; i < t->capacity; ++i) {
    const NameEntry* e = &t->slots[i];
    NameEntry* slot = e->name ? slot_of(out, e->kind, e->name) : NULL;
    if (e->name && !slot) return 0;
    if (slot) *slot = *e;
  }
  return 1;
}

static int grow(NameTable* t, Region* region) {
  NameTable larger = {0};
  int capacity = t->capacity, copied = 0;
  while (copied == 0) {
    if (capacity > (1 << 28)) return 0;
    capacity = capacity > 0 ? 2 * capacity : FIRST_CAPACITY;
    copied = copy_to(t, capacity, &larger, region);
  }
  if (copied > 0) *t = larger;
  return copied > 0;
}

int name_table_add(NameTable* t, Region* region, NameEntry entry) {
  if (2 * (t->count + 1) > t->capacity && !grow(t, region)) return 0;
  NameEntry* slot = slot_of(t, entry.kind, entry.name);
  while (!slot && grow(t, region)) slot = slot_of(t, entry.kind, entry.name);
  if (!slot) return 0;
  *slot = entry;
  ++t->count;
  return 1;
}
