// SPDX-License-Identifier: Apache-2.0
// Clients that join get a start, little endian:
//     u64 step, u64 probes, f64 time step, for each probe 13 x f64 (mode, radius, stiffness,
//     damping, rotational stiffness, friction, largest force and torque, button, body, point),
//     and the bytes of heft_session_snapshot() before that step;
// then, every few milliseconds, the final inputs:
//     u8 5, 3 x u8 0, i32 margin, u64 present of the server, u64 step and u64 hash (shared_hash()),
//     and a block (frame.c).
// The margin is how far the newest input of the client was ahead of the present of the server. A
// client runs ahead of the server by so much that it stays positive: then its inputs come in time.
#include "serve/sharing.h"

#include <math.h>
#include <string.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "base/bytes.h"
#include "base/error.h"

static const double patience = 0.12, depth = 0.2;  // [s]
static const uint64_t correct_ns = 16000000u;      // between two corrections

static int steps_of(double time, double step) {
  return (int)fmax(2, fmin(floor(time / step + 0.5), 0.5 * FRAME_RING - 1));
}

int sharing_depth(double time_step) { return steps_of(depth, time_step); }

static HeftStatus open_copy(Sharing* m, HeftError* error) {
  const double h = heft_world_time_step(m->world);
  const SharedDef def = {
      .world = m->world, .session = m->session, .self = m->self, .depth = sharing_depth(h)};
  relay_init(&m->relay, m->def->user_max, steps_of(patience, h), 0);
  if (m->self >= 0) relay_join(&m->relay, m->self, 0);
  return shared_create(&m->shared, &def, &m->allocator, error);
}

HeftStatus sharing_create(Sharing** out, HeftWorld* world, const HeftServeDef* def,
                          HeftError* error) {
  HEFT_REQUIRE(out && world && def && def->probes, HEFT_ERR_ARGUMENT);
  *out = NULL;
  Sharing* m = def->allocator.allocate(def->allocator.user, sizeof *m, 64);
  if (!m) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a shared world");
  memset(m, 0, sizeof *m);
  m->allocator = def->allocator;
  m->def = def;
  m->world = world;
  m->self = def->hooks.input ? 0 : -1;
  HeftStatus status =
      heft_session_create(&m->session, world, def->user_max, def->probes, &m->allocator, error);
  if (status == HEFT_OK) status = open_copy(m, error);
  if (status == HEFT_OK) {
    *out = m;
  } else {
    sharing_destroy(m);
  }
  return status;
}

void sharing_destroy(Sharing* m) {
  if (!m) return;
  const HeftAllocator a = m->allocator;
  shared_destroy(m->shared);
  heft_session_destroy(m->session);
  if (m->start) a.release(a.user, m->start, m->start_room);
  a.release(a.user, m, sizeof *m);
}

// ---- the stepping thread

// The first inputs of a user show when it begins.
static void take_blocks(Sharing* m) {
  const unsigned end = atomic_load_explicit(&m->written, memory_order_acquire);
  unsigned at = atomic_load_explicit(&m->read, memory_order_relaxed);
  for (; at != end; ++at) {
    const SharingBlock* b = &m->queue[at % SHARING_QUEUE];
    if (b->count < 0) {
      relay_leave(&m->relay, b->seat);
      continue;
    }
    if (!m->relay.seat[b->seat].taken) relay_join(&m->relay, b->seat, b->first);
    for (int k = 0; k < b->count; ++k)
      relay_put(&m->relay, b->seat, b->first + (uint64_t)k, &b->input[k]);
  }
  atomic_store_explicit(&m->read, at, memory_order_release);
}

static unsigned char* put_probe(unsigned char* at, const HeftProbeDef* p) {
  const double number[FRAME_PROBE] = {
      (double)p->mode, p->radius,    p->stiffness,  p->damping,     p->rotational_stiffness,
      p->friction,     p->force_max, p->torque_max, p->hold_button, p->body,
      p->point.x,      p->point.y,   p->point.z};
  return bytes_put_array(at, number, FRAME_PROBE, 8);
}

static int make_room(Sharing* m, size_t size) {
  if (m->start && size <= m->start_room) return 1;
  if (m->start) m->allocator.release(m->allocator.user, m->start, m->start_room);
  m->start_room = 2 * size;
  m->start = m->allocator.allocate(m->allocator.user, m->start_room, 64);
  return m->start != NULL;
}

// Where there is no memory, it is tried again.
static void write_start(Sharing* m) {
  uint64_t step = 0;
  size_t size = 0;
  if (atomic_load_explicit(&m->start_state, memory_order_acquire) != 1) return;
  const void* moment = shared_moment(m->shared, &step, &size);
  if (!moment ||
      !make_room(m, SHARING_START_HEAD + (size_t)m->def->user_max * FRAME_PROBE * 8 + size))
    return;
  unsigned char* at = bytes_put(m->start, step, 8);
  at = bytes_put(at, (uint64_t)m->def->user_max, 8);
  at = bytes_put_double(at, heft_world_time_step(m->world));
  for (int i = 0; i < m->def->user_max; ++i) at = put_probe(at, &m->def->probes[i]);
  memcpy(at, moment, size);
  m->start_size = (size_t)(at - m->start) + size;
  atomic_store_explicit(&m->start_state, 2, memory_order_release);
}

static void publish(Sharing* m, uint64_t present) {
  uint64_t step = 0;
  const uint64_t hash = shared_hash(m->shared, &step);
  for (int i = 0; i < m->def->user_max; ++i)
    atomic_store_explicit(&m->margin[i], (int)(int64_t)(relay_missing(&m->relay, i) - present),
                          memory_order_relaxed);
  atomic_store_explicit(&m->hash[step / 1000 % 16], hash, memory_order_relaxed);
  atomic_store_explicit(&m->hash_step, step, memory_order_release);
  atomic_store_explicit(&m->present, present, memory_order_relaxed);
  atomic_store_explicit(&m->closed, m->relay.closed, memory_order_release);
}

static void correct(Sharing* m, uint64_t now_ns) {
  HeftLocalModel felt;
  const uint64_t known = shared_known(m->shared);
  if (now_ns < m->corrected_ns + correct_ns) return;
  m->corrected_ns = now_ns;
  shared_take(m->shared, known, (int)(m->relay.closed - known), m->relay.ring);
  if (shared_correct(m->shared, &felt) > 0 && m->self >= 0)
    m->def->hooks.felt(m->def->hooks.user, &felt);
  write_start(m);
}

const HeftStepReport* sharing_step(Sharing* m, uint64_t now_ns) {
  HeftProbeInput input;
  HeftLocalModel felt;
  const int here = m->self >= 0;
  const uint64_t step = shared_present(m->shared);
  take_blocks(m);
  correct(m, now_ns);
  if (here) m->def->hooks.input(m->def->hooks.user, &input);
  if (!shared_step(m->shared, here ? &input : NULL, &felt)) return NULL;
  if (here) {
    const FrameInput own = frame_input(&input);
    relay_put(&m->relay, m->self, step, &own);
    m->def->hooks.felt(m->def->hooks.user, &felt);
  }
  relay_close(&m->relay, step + 1);
  publish(m, step + 1);
  return shared_step_report(m->shared);
}

// ---- the network thread

static SharingBlock* begin_block(Sharing* m) {
  const unsigned at = atomic_load_explicit(&m->written, memory_order_relaxed);
  const unsigned read = atomic_load_explicit(&m->read, memory_order_acquire);
  return at - read == SHARING_QUEUE ? NULL : &m->queue[at % SHARING_QUEUE];
}

int sharing_put(Sharing* m, int seat, const unsigned char* bytes, size_t size) {
  uint64_t first = 0;
  const int count = frame_read(bytes, size, 1, &first, m->block);
  if (count < 0 || count > SHARING_BLOCK) return 0;
  SharingBlock* b = begin_block(m);
  if (!b) return -1;
  b->seat = seat;
  b->first = first;
  b->count = count;
  for (int k = 0; k < count; ++k) b->input[k] = m->block[(first + (uint64_t)k) % FRAME_RING];
  atomic_fetch_add_explicit(&m->written, 1, memory_order_release);
  return 1;
}

int sharing_leave(Sharing* m, int seat) {
  SharingBlock* b = begin_block(m);
  if (!b) return 0;
  *b = (SharingBlock){.seat = seat, .count = -1};
  atomic_fetch_add_explicit(&m->written, 1, memory_order_release);
  return 1;
}

size_t sharing_frames(Sharing* m, int seat, uint64_t* next, unsigned char* out, size_t room) {
  const uint64_t closed = atomic_load_explicit(&m->closed, memory_order_acquire);
  const uint64_t step = atomic_load_explicit(&m->hash_step, memory_order_acquire);
  const int margin = seat < 0 ? 0 : atomic_load_explicit(&m->margin[seat], memory_order_relaxed);
  const uint64_t oldest = closed > FRAME_RING / 2 ? closed - FRAME_RING / 2 : 0;
  if (*next < oldest || *next > closed) return 0;
  unsigned char* at = bytes_put(out, 5, 4);
  at = bytes_put(at, (uint32_t)margin, 4);
  at = bytes_put(at, atomic_load_explicit(&m->present, memory_order_relaxed), 8);
  at = bytes_put(at, step, 8);
  at = bytes_put(at, atomic_load_explicit(&m->hash[step / 1000 % 16], memory_order_relaxed), 8);
  const size_t size = frame_write(m->relay.ring, m->def->user_max, *next, (int)(closed - *next), at,
                                  room - SHARING_FRAMES_HEAD);
  const unsigned char* count = at + 8;
  *next += bytes_get(&count, 2);
  return SHARING_FRAMES_HEAD + size;
}
