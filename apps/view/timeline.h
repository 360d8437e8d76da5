// SPDX-License-Identifier: Apache-2.0
// The timeline of a world: snapshots in a ring of bytes; the oldest are dropped first.
#ifndef HEFT_APPS_VIEW_TIMELINE_H
#define HEFT_APPS_VIEW_TIMELINE_H

#include <heft/world.h>

#include "view/memory.h"

typedef struct Snapshot {
  long step;
  double time;
  uint64_t hash;
  size_t offset, size;  ///< in the ring
} Snapshot;

typedef struct Timeline {
  HeftAllocator allocator;
  unsigned char* bytes;
  size_t size, head;  ///< bytes, where the next one goes
  Snapshot* snapshot;
  int first, count, max;  ///< a ring, too
  long same, branched;
} Timeline;

int timeline_make(Timeline* timeline, const HeftAllocator* allocator, size_t bytes);
void timeline_free(Timeline* timeline);
void timeline_clear(Timeline* timeline);
/// Stores the current state. If the same step is stored already, both are compared; if they differ,
/// the later snapshots are dropped.
void timeline_keep(Timeline* timeline, const HeftWorld* world, long step);
/// The latest snapshot not after a time, or the first; NULL if there is none.
const Snapshot* timeline_find(const Timeline* timeline, double time);
const Snapshot* timeline_at(const Timeline* timeline, int index);

#endif
