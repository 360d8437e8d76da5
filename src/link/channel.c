// SPDX-License-Identifier: Apache-2.0
#include "link/channel.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "world/sensors.h"

enum { CAPACITY_MIN = 16, CAPACITY_MAX = 4096 };
enum Stream { STREAM_STATE, STREAM_CONTROLS, STREAM_JITTER };

// Times are sums of steps: an equality holds to rounding.
static double slack(const ChannelOptions* o) { return 1e-6 * o->period; }

// ---- the block

static size_t numbers_of(const HeftModel* m) { return (size_t)m->nactuator + (size_t)m->nv; }

size_t channel_size(const HeftModel* m, int64_t capacity) {
  if (capacity < 1 || capacity > CAPACITY_MAX) return 0;
  return sizeof(ChannelState) + (size_t)capacity * sizeof(ChannelSlot) +
         (1 + (size_t)capacity) * numbers_of(m) * sizeof(double);
}

int64_t channel_capacity(const ChannelOptions* o) {
  const double wanted = ceil((o->delay + o->jitter) / o->period) + 2;
  return wanted < CAPACITY_MIN   ? CAPACITY_MIN
         : wanted > CAPACITY_MAX ? CAPACITY_MAX
                                 : (int64_t)wanted;
}

void channel_place(Channel* c, const HeftModel* m, void* block) {
  c->model = m;
  c->numbers = (int)numbers_of(m);
  c->state = block;
  c->slot = (ChannelSlot*)(c->state + 1);
  c->use = (double*)(c->slot + c->state->capacity);
  c->number = c->use + c->numbers;
}

void channel_clear(Channel* c, int64_t capacity) {
  ChannelState* s = c->state;
  const size_t size = channel_size(c->model, capacity);
  memset(s, 0, size);
  s->size = (int64_t)size;
  s->capacity = capacity;
  s->newest = -1;
  channel_place(c, c->model, s);
  for (int64_t i = 0; i < capacity; ++i) c->slot[i].index = -1;
}

static bool all_finite(const double* x, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!isfinite(x[i])) return false;
  }
  return true;
}

static bool counts_fit(const ChannelCounts* n) {
  const double x[] = {n->answers, n->late, n->lost, n->out_of_order, n->repeated};
  return all_finite(x, sizeof x / sizeof *x);
}

bool channel_fits(const HeftModel* m, const void* bytes, size_t size) {
  ChannelState s;
  if (size < sizeof s) return false;
  memcpy(&s, bytes, sizeof s);
  if (s.size != (int64_t)size || size != channel_size(m, s.capacity)) return false;
  if (s.steps < 0 || s.sent < 0 || s.sent > INT64_MAX / 2 || s.steps > INT64_MAX / 2 ||
      s.newest < -1 || s.newest >= s.sent || !isfinite(s.time) || !counts_fit(&s.counts))
    return false;
  const char* at = (const char*)bytes + sizeof s;
  for (int64_t i = 0; i < s.capacity; ++i, at += sizeof(ChannelSlot)) {
    ChannelSlot slot;
    memcpy(&slot, at, sizeof slot);
    if (slot.index < -1 || slot.index >= s.sent || !isfinite(slot.time) || !isfinite(slot.due))
      return false;
  }
  for (size_t i = (1 + (size_t)s.capacity) * numbers_of(m); i > 0; --i, at += sizeof(double)) {
    double x;
    memcpy(&x, at, sizeof x);
    if (!isfinite(x)) return false;
  }
  return true;
}

// ---- chance

static double chance(const ChannelOptions* o, enum Stream stream, int64_t index) {
  const uint64_t key[3] = {o->seed, (uint64_t)stream, (uint64_t)index};
  return (double)(hash_array(key, 3, 8, 0) >> 11) * 0x1p-53;
}

bool channel_loses_state(const ChannelOptions* o, int64_t index) {
  return chance(o, STREAM_STATE, index) < o->loss;
}

bool channel_loses_controls(const ChannelOptions* o, int64_t index) {
  return chance(o, STREAM_CONTROLS, index) < o->loss;
}

static void add_noise(uint64_t seed, double deviation, double time, double* x, int count) {
  for (int i = 0; i < count && deviation > 0; ++i)
    x[i] += deviation * heft_sensors_noise(seed, i, time);
}

void channel_add_noise(const HeftModel* m, const ChannelOptions* o, double time, double* q,
                       double* v, double* sensors, double* scratch) {
  if (o->noise > 0) {  // a small motion, so that quaternions keep their length
    memset(scratch, 0, (size_t)m->nv * sizeof *scratch);
    add_noise(3 * o->seed, o->noise, time, scratch, m->nv);
    heft_q_integrate(m, q, scratch, 1, q);
  }
  add_noise(3 * o->seed + 1, o->velocity_noise, time, v, m->nv);
  add_noise(3 * o->seed + 2, o->sensor_noise, time, sensors, m->nsensordata);
}

// ---- the way

// An empty slot, or the oldest one: the way has been shortened by the user, or is full.
static ChannelSlot* take_slot(Channel* c) {
  ChannelSlot* oldest = &c->slot[0];
  for (int64_t i = 0; i < c->state->capacity; ++i) {
    if (c->slot[i].index < 0) return &c->slot[i];
    if (c->slot[i].index < oldest->index) oldest = &c->slot[i];
  }
  return oldest;
}

void channel_arrive(Channel* c, const ChannelOptions* o, int64_t index, double time, double now,
                    const double* numbers, bool forced) {
  HEFT_ASSERT(index >= 0 && index < c->state->sent);
  ChannelSlot* slot = take_slot(c);
  const double due = time + o->delay + o->jitter * chance(o, STREAM_JITTER, index);
  *slot = (ChannelSlot){.index = index, .time = time, .due = due, .forced = forced};
  memcpy(c->number + (slot - c->slot) * c->numbers, numbers, (size_t)c->numbers * sizeof *numbers);
  ++c->state->counts.answers;
  if (due <= now - o->period + slack(o)) ++c->state->counts.late;
}

static void use(Channel* c, const ChannelSlot* slot) {
  ChannelState* s = c->state;
  s->counts.lost += (double)(slot->index - s->newest - 1);
  s->newest = slot->index;
  s->time = slot->time;
  s->forced |= slot->forced;
  memcpy(c->use, c->number + (slot - c->slot) * c->numbers, (size_t)c->numbers * sizeof(double));
}

// The due datagram with the smallest index, NULL if none is due.
static ChannelSlot* first_due(Channel* c, double until) {
  ChannelSlot* first = NULL;
  for (int64_t i = 0; i < c->state->capacity; ++i) {
    ChannelSlot* slot = &c->slot[i];
    if (slot->index >= 0 && slot->due <= until && (!first || slot->index < first->index))
      first = slot;
  }
  return first;
}

bool channel_deliver(Channel* c, const ChannelOptions* o, double now) {
  bool fresh = false;
  for (;;) {
    ChannelSlot* slot = first_due(c, now + slack(o));
    if (!slot) return fresh;
    if (slot->index > c->state->newest) {
      use(c, slot);
      fresh = true;
    } else {
      ++c->state->counts.out_of_order;
      --c->state->counts.lost;
    }
    slot->index = -1;
  }
}
