// SPDX-License-Identifier: Apache-2.0
#include "view/timeline.h"

#include <string.h>

int timeline_make(Timeline* timeline, const HeftAllocator* allocator, size_t bytes) {
  *timeline = (Timeline){.allocator = *allocator, .size = bytes, .max = 65536};
  // Not cleared: pages that are never used are never mapped.
  timeline->bytes = allocator->allocate(allocator->user, bytes, 64);
  timeline->snapshot =
      allocator->allocate(allocator->user, (size_t)timeline->max * sizeof(Snapshot), 64);
  if (timeline->bytes && timeline->snapshot) return 1;
  timeline_free(timeline);
  return 0;
}

void timeline_free(Timeline* timeline) {
  view_give(&timeline->allocator, timeline->bytes, timeline->size);
  view_give(&timeline->allocator, timeline->snapshot, (size_t)timeline->max * sizeof(Snapshot));
  timeline->bytes = NULL;
  timeline->snapshot = NULL;
}

void timeline_clear(Timeline* timeline) {
  timeline->first = timeline->count = 0;
  timeline->head = 0;
}

static Snapshot* at(const Timeline* t, int index) {
  return &t->snapshot[(t->first + index) % t->max];
}

const Snapshot* timeline_at(const Timeline* timeline, int index) { return at(timeline, index); }

static void forget_oldest(Timeline* t) {
  t->first = (t->first + 1) % t->max;
  --t->count;
}

// The first snapshot that is not before a step.
static int lower_bound(const Timeline* t, long step) {
  int low = 0, high = t->count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (at(t, middle)->step < step) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Contiguous room for a number of bytes; drops the snapshots there, which are the oldest.
static size_t make_room(Timeline* t, size_t size) {
  if (t->head + size > t->size) {
    // Snapshots between here and the end are older than those at the beginning.
    while (t->count > 0 && at(t, 0)->offset >= t->head) forget_oldest(t);
    t->head = 0;
  }
  while (t->count > 0) {
    const Snapshot* old = at(t, 0);
    const int ahead = old->offset >= t->head && old->offset < t->head + size;
    const int over = old->offset < t->head && old->offset + old->size + old->plugin_size > t->head;
    if (!ahead && !over && t->count < t->max) break;
    forget_oldest(t);
  }
  return t->head;
}

static void drop_from(Timeline* t, int index) {
  t->count = index;
  if (index == 0) {
    t->head = 0;
    return;
  }
  const Snapshot* last = at(t, index - 1);
  t->head = last->offset + last->size + last->plugin_size;
}

void timeline_keep(Timeline* timeline, const HeftWorld* world, const HeftPluginSet* plugins,
                   long step, long cuts) {
  Timeline* t = timeline;
  const uint64_t hash = heft_world_hash(world);
  const int index = lower_bound(t, step);
  if (index < t->count && at(t, index)->step == step && at(t, index)->hash == hash) {
    ++t->same;
    return;
  }
  if (index < t->count) {
    ++t->branched;
    drop_from(t, index);
  }
  const size_t size = heft_world_snapshot_size(world);
  const size_t more = plugins ? heft_plugin_set_save_size(plugins) : 0;
  if (size + more > t->size) return;
  const size_t offset = make_room(t, size + more);
  heft_world_snapshot(world, t->bytes + offset);
  if (more > 0) heft_plugin_set_save(plugins, t->bytes + offset + size);
  *at(t, t->count++) =
      (Snapshot){step, *heft_world_state(world)->time, hash, offset, size, more, cuts};
  t->head = offset + size + more;
}

HeftStatus timeline_restore(const Timeline* timeline, const Snapshot* snapshot, HeftWorld* world,
                            HeftPluginSet* plugins) {
  const unsigned char* bytes = timeline->bytes + snapshot->offset;
  const HeftStatus status = heft_world_restore(world, bytes, snapshot->size);
  if (status != HEFT_OK) return status == HEFT_ERR_SYNTAX ? HEFT_ERR_VALUE : status;
  if (!plugins) return HEFT_OK;
  return heft_plugin_set_restore(plugins, bytes + snapshot->size, snapshot->plugin_size);
}

const Snapshot* timeline_find(const Timeline* timeline, double time) {
  int low = 0, high = timeline->count;
  if (timeline->count == 0) return NULL;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (at(timeline, middle)->time <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return at(timeline, low > 0 ? low - 1 : 0);
}

int timeline_is_exact(const Timeline* timeline, const Snapshot* snapshot, long cuts) {
  const int next = lower_bound(timeline, snapshot->step) + 1;
  return snapshot->cuts == (next < timeline->count ? at(timeline, next)->cuts : cuts);
}
