// SPDX-License-Identifier: Apache-2.0
// A session: a world with probes, and records that repeat its steps.
//
// A step depends on the moment before it, on the inputs of the probes, and on how much work the
// deadline left to the solver. A note holds the last two and the hash of the state that came of
// them:
//     u32 probes, i32 count of work (-1: the step was not cut), u64 hash,
//     120 bytes for each input, count x i32
// A moment is the snapshot of the world and the states of the probes:
//     u64 size of the snapshot, snapshot, states
#include <heft/interact.h>
#include <math.h>
#include <stddef.h>

#include "base/allocator.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/bytes.h"
#include "base/error.h"
#include "math/vec3_limit.h"

enum { INPUT_SIZE = 120, NOTE_HEAD = 16, WORK_MAX = 1 << 14 };

struct HeftSession {
  HeftAllocator allocator;
  HeftWorld* world;
  int count;
  HeftProbe* probe[HEFT_SESSION_PROBES];
  HeftProbeInput input[HEFT_SESSION_PROBES];
  int* work;       // WORK_MOST
  int work_count;  // -1: all that was wanted
  size_t memory_size;
};

HeftStatus heft_session_create(HeftSession** out, HeftWorld* world, int probes,
                               const HeftProbeDef* defs, const HeftAllocator* allocator,
                               HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(world && (defs || probes == 0), HEFT_ERR_ARGUMENT);
  if (probes < 0 || probes > HEFT_SESSION_PROBES)
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "%d probes, expected 0 to %d", probes,
                          (int)HEFT_SESSION_PROBES);
  const HeftAllocator from = allocator_or_default(allocator);
  Arena sizes = arena_measure();
  arena_take(&sizes, 1, HeftSession);
  arena_take(&sizes, WORK_MAX, int);
  HeftSession* s = from.allocate(from.user, sizes.used, ARENA_ALIGNMENT);
  if (!s) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a session");
  memset(s, 0, sizes.used);
  Arena arena = arena_make(s, sizes.used, NULL);
  arena_take(&arena, 1, HeftSession);
  s->work = arena_take(&arena, WORK_MAX, int);
  s->allocator = from;
  s->world = world;
  s->memory_size = sizes.used;
  s->work_count = -1;
  for (; s->count < probes; ++s->count) {
    const HeftStatus status =
        heft_probe_create(&s->probe[s->count], heft_world_model(world), &defs[s->count], error);
    if (status == HEFT_OK) continue;
    heft_session_destroy(s);
    return status;
  }
  *out = s;
  return HEFT_OK;
}

void heft_session_destroy(HeftSession* s) {
  if (!s) return;
  const HeftAllocator allocator = s->allocator;
  for (int i = 0; i < s->count; ++i) heft_probe_destroy(s->probe[i]);
  allocator.release(allocator.user, s, s->memory_size);
}

HeftProbe* heft_session_probe(HeftSession* s, int index) {
  HEFT_REQUIRE(s && index >= 0 && index < s->count, NULL);
  return s->probe[index];
}

int heft_session_probe_count(const HeftSession* s) {
  HEFT_REQUIRE(s, 0);
  return s->count;
}

// ---- stepping

static void begin(HeftSession* s, const HeftProbeInput* inputs) {
  for (int i = 0; i < s->count; ++i) {
    s->input[i] = inputs[i];
    heft_probe_begin(s->probe[i], s->world, &inputs[i]);
  }
}

static void end(HeftSession* s, HeftLocalModel* models) {
  for (int i = 0; i < s->count; ++i) {
    const HeftLocalModel m = heft_probe_end(s->probe[i], s->world);
    if (models) models[i] = m;
  }
}

HeftStepReport heft_session_step(HeftSession* s, const HeftProbeInput* inputs, uint64_t deadline_ns,
                                 HeftLocalModel* models) {
  HEFT_REQUIRE(s && (inputs || s->count == 0), ((HeftStepReport){.status = HEFT_STEP_NOT_FINITE}));
  begin(s, inputs);
  const HeftStepReport report =
      deadline_ns > 0 ? heft_world_step_until(s->world, deadline_ns) : heft_world_step(s->world);
  s->work_count = report.cut ? heft_world_effort(s->world, s->work, WORK_MAX) : -1;
  end(s, models);
  return report;
}

void heft_session_hands(const HeftSession* s, const HeftProbeInput* inputs, HeftHand* hands) {
  HEFT_REQUIRE_VOID(s && ((inputs && hands) || s->count == 0));
  const HeftDynamics* d = heft_world_dynamics(s->world);
  for (int i = 0; i < s->count; ++i) {
    const HeftProbeState* state = heft_probe_state(s->probe[i]);
    hands[i] = (HeftHand){.pos = inputs[i].pos, .present = inputs[i].present, .body = state->body};
    if (inputs[i].present) hands[i].buttons = inputs[i].buttons;
    if (state->body < 0) continue;
    hands[i].point = heft_pose_apply(heft_dynamics_body_pose(d, state->body), state->at.pos);
    hands[i].force = heft_vec3_neg(state->force);
    hands[i].torque = heft_vec3_neg(state->torque);
  }
}

// ---- moments

// A state of a probe in a snapshot: its proxy, three numbers of 32 bits and a gap, all others.
enum { PROBE_NUMBERS = (int)((sizeof(HeftProbeState) - offsetof(HeftProbeState, at)) / 8) };
enum { PROBE_STATE = 24 + 16 + 8 * PROBE_NUMBERS };

static unsigned char* put_state(unsigned char* to, const HeftProbeState* p) {
  const int32_t marks[4] = {p->placed, p->body, p->holds, 0};
  to = bytes_put_array(to, &p->proxy, 3, 8);
  to = bytes_put_array(to, marks, 4, 4);
  return bytes_put_array(to, (const char*)p + offsetof(HeftProbeState, at), PROBE_NUMBERS, 8);
}

static const unsigned char* get_state(const unsigned char* from, HeftProbeState* p) {
  int32_t marks[4];
  from = bytes_get_array(from, &p->proxy, 3, 8);
  from = bytes_get_array(from, marks, 4, 4);
  p->placed = marks[0];
  p->body = marks[1];
  p->holds = marks[2];
  return bytes_get_array(from, (char*)p + offsetof(HeftProbeState, at), PROBE_NUMBERS, 8);
}

size_t heft_session_snapshot_size(const HeftSession* s) {
  HEFT_REQUIRE(s, 0);
  return 8 + heft_world_snapshot_size(s->world) + (size_t)s->count * PROBE_STATE;
}

void heft_session_snapshot(const HeftSession* s, void* bytes) {
  HEFT_REQUIRE_VOID(s && bytes);
  unsigned char* at = bytes;
  const uint64_t size = heft_world_snapshot_size(s->world);
  at = bytes_put(at, size, 8);
  heft_world_snapshot(s->world, at);
  at += size;
  for (int i = 0; i < s->count; ++i) at = put_state(at, heft_probe_state(s->probe[i]));
}

static int is_sound(const HeftProbeState* p, const HeftModel* m) {
  const HeftVec3* v[8] = {&p->proxy,  &p->at.pos, &p->normal, &p->force,
                          &p->torque, &p->offset, NULL};
  for (int i = 0; v[i]; ++i) {
    if (!vec3_finite(*v[i])) return 0;
  }
  for (int i = 0; i < 3; ++i) {
    if (!vec3_finite(heft_mat3_row(p->at.rot, i))) return 0;
  }
  return p->body >= -1 && p->body < m->nbody && (p->holds == 0 || p->holds == 1) &&
         !(p->holds && p->body < 0) && p->friction >= 0 && isfinite(p->friction) &&
         isfinite(p->depth);
}

HeftStatus heft_session_restore(HeftSession* s, const void* bytes, size_t size) {
  HEFT_REQUIRE(s && (bytes || size == 0), HEFT_ERR_ARGUMENT);
  const unsigned char* at = bytes;
  const size_t states = (size_t)s->count * PROBE_STATE;
  if (size < 8 + states) return HEFT_ERR_SYNTAX;
  const uint64_t snapshot = bytes_get(&at, 8);
  if (snapshot != size - 8 - states) return HEFT_ERR_SYNTAX;
  HeftProbeState state[HEFT_SESSION_PROBES];
  const unsigned char* from = at + snapshot;
  for (int i = 0; i < s->count; ++i) {
    from = get_state(from, &state[i]);
    if (!is_sound(&state[i], heft_world_model(s->world))) return HEFT_ERR_VALUE;
  }
  const HeftStatus status = heft_world_restore(s->world, at, (size_t)snapshot);
  for (int i = 0; i < s->count && status == HEFT_OK; ++i)
    heft_probe_set_state(s->probe[i], &state[i]);
  return status;
}

// ---- notes

static unsigned char* put_input(unsigned char* at, const HeftProbeInput* in) {
  const int32_t flags[2] = {(int32_t)in->buttons, in->present};
  at = bytes_put_array(at, &in->time_ns, 1, 8);
  at = bytes_put_array(at, &in->pos, 3, 8);
  at = bytes_put_array(at, &in->rot, 4, 8);
  at = bytes_put_array(at, &in->vel, 3, 8);
  at = bytes_put_array(at, &in->spin, 3, 8);
  return bytes_put_array(at, flags, 2, 4);
}

static const unsigned char* take_input(const unsigned char* at, HeftProbeInput* in) {
  int32_t flags[2];
  at = bytes_get_array(at, &in->time_ns, 1, 8);
  at = bytes_get_array(at, &in->pos, 3, 8);
  at = bytes_get_array(at, &in->rot, 4, 8);
  at = bytes_get_array(at, &in->vel, 3, 8);
  at = bytes_get_array(at, &in->spin, 3, 8);
  at = bytes_get_array(at, flags, 2, 4);
  in->buttons = (unsigned)flags[0];
  in->present = flags[1] != 0;
  return at;
}

static size_t note_size(int probes, int work) {
  return NOTE_HEAD + (size_t)probes * INPUT_SIZE + (size_t)(work > 0 ? work : 0) * 4;
}

static int kept_work(const HeftSession* s) {
  return s->work_count < WORK_MAX ? s->work_count : WORK_MAX;
}

size_t heft_session_record_size(const HeftSession* s) {
  HEFT_REQUIRE(s, 0);
  return note_size(s->count, kept_work(s));
}

void heft_session_record(const HeftSession* s, void* bytes) {
  HEFT_REQUIRE_VOID(s && bytes);
  unsigned char* at = bytes;
  const int32_t head[2] = {s->count, kept_work(s)};
  const uint64_t hash = heft_world_hash(s->world);
  at = bytes_put_array(at, head, 2, 4);
  at = bytes_put(at, hash, 8);
  for (int i = 0; i < s->count; ++i) at = put_input(at, &s->input[i]);
  if (head[1] > 0) bytes_put_array(at, s->work, (size_t)head[1], 4);
}

HeftStatus heft_session_record_inputs(const HeftSession* s, const void* record, size_t size,
                                      HeftProbeInput* inputs) {
  HEFT_REQUIRE(s && (record || size == 0) && inputs, HEFT_ERR_ARGUMENT);
  const unsigned char* at = record;
  int32_t head[2];
  if (size < NOTE_HEAD) return HEFT_ERR_SYNTAX;
  bytes_get_array(at, head, 2, 4);
  if (head[0] != s->count || head[1] < -1 || head[1] > WORK_MAX ||
      size != note_size(head[0], head[1]))
    return HEFT_ERR_SYNTAX;
  at += NOTE_HEAD;
  for (int i = 0; i < s->count; ++i) at = take_input(at, &inputs[i]);
  return HEFT_OK;
}

HeftStatus heft_session_replay(HeftSession* s, const void* record, size_t size,
                               HeftStepReport* report) {
  HEFT_REQUIRE(s && (record || size == 0) && report, HEFT_ERR_ARGUMENT);
  const unsigned char* at = record;
  int32_t head[2];
  if (size < NOTE_HEAD) return HEFT_ERR_SYNTAX;
  at = bytes_get_array(at, head, 2, 4);
  const uint64_t hash = bytes_get(&at, 8);
  if (head[0] != s->count || head[1] < -1 || head[1] > WORK_MAX ||
      size != note_size(head[0], head[1]))
    return HEFT_ERR_SYNTAX;
  HeftProbeInput inputs[HEFT_SESSION_PROBES];
  for (int i = 0; i < s->count; ++i) at = take_input(at, &inputs[i]);
  if (head[1] > 0) bytes_get_array(at, s->work, (size_t)head[1], 4);
  s->work_count = head[1];
  begin(s, inputs);
  *report =
      head[1] < 0 ? heft_world_step(s->world) : heft_world_step_replay(s->world, s->work, head[1]);
  end(s, NULL);
  return heft_world_hash(s->world) == hash ? HEFT_OK : HEFT_ERR_CHECKSUM;
}
