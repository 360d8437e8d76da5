// SPDX-License-Identifier: Apache-2.0
// The timeline of a world: snapshots in a ring of bytes; the oldest are dropped first.
#ifndef HEFT_APPS_VIEW_TIMELINE_H
#define HEFT_APPS_VIEW_TIMELINE_H

#include <heft/plugin.h>

#include "view/memory.h"

typedef struct Snapshot {
  long step;
  double time;
  uint64_t hash;
  size_t offset, size;  ///< of the world in the ring
  size_t plugin_size;   ///< of the data of plug-ins, behind the world
  long cuts;            ///< steps that deadlines have cut so far
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
/// Stores the current state. plugins may be NULL. If the same step is stored already, both are
/// compared; if they differ, the later snapshots are dropped. cuts: as in Snapshot.
void timeline_keep(Timeline* timeline, const HeftWorld* world, const HeftPluginSet* plugins,
                   long step, long cuts);
/// Restores a snapshot. HEFT_ERR_SYNTAX: the world is restored, but the data does not fit the
/// plug-ins. Another status: the world is as it was.
HeftStatus timeline_restore(const Timeline* timeline, const Snapshot* snapshot, HeftWorld* world,
                            HeftPluginSet* plugins);
/// The latest snapshot not after a time, or the first; NULL if there is none.
const Snapshot* timeline_find(const Timeline* timeline, double time);
/// 1 if no deadline cut a step between a snapshot and the next one; cuts: so far.
int timeline_is_exact(const Timeline* timeline, const Snapshot* snapshot, long cuts);
const Snapshot* timeline_at(const Timeline* timeline, int index);

#endif
