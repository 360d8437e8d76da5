// SPDX-License-Identifier: Apache-2.0
// A shared world is computed by everyone who is in it. Only inputs travel. A step depends on
// nothing but the state before it and the inputs of all users, bit for bit on every machine, so
// that equal inputs make equal worlds.
//
// Two states. `moment` has seen final inputs only (relay.c), up to the step `confirmed`. The world
// itself has gone on from there to `present` with the person's own inputs and with expected ones of
// the others: a hand goes on with its velocity for at most `reach`. When final inputs come, the
// world returns to the moment, takes the steps that are final, stores the new moment, and computes
// the present again. It goes back by present - confirmed steps, never by more than `depth`: a copy
// that is so far ahead waits.
//
// Forces. The hand feels the present of its own copy (HeftLocalModel, rendered at 1 kHz by a
// servo), so delay adds none to the loop between hand and force. A correction displaces the anchor
// of the hand's spring, at once and without a cause here. The displacement o = a_before - a_after
// is kept and fades as exp(-t/τ): the anchor that is rendered, a + o, does not jump. Bodies are
// shown likewise.
//
// Expected hands have a constant velocity. With their acceleration, too, two persons who hold a
// plank over 150 ms answer each other's expected motion: they oscillated up to the 10 N of a
// device.
//
// Passivity. The guard of the device has the ledger E += -f · Δx + f⁺ · Δa (src/device/guard.c) and
// limits the force so that E >= 0. Δa is the motion of the anchor by steps that were computed once.
// Motion by steps that are repeated does not count, or a hand would be credited for it many times.
// The fading Δo does count where it takes energy from the hand (f · Δo < 0), into a bank, too.
// Where it would give energy it counts up to what the bank has:
//
//     Σ f · Δo over all that is counted <= 0,
//
// so corrections in total give no energy to a hand that the hand or they have not put in. The rest
// is refused: the guard lowers the force instead. It controls no torques, so rotation counts in
// full.
#include "serve/shared.h"

#include <math.h>
#include <string.h>

#include "base/allocator.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/error.h"

enum { HASH_EVERY = 1000 };

static const double reach = 0.1;       // a hand is expected to go on for this time [s]
static const double fade = 0.03;       // time constant of a correction in the anchor [s]
static const double fade_shown = 0.2;  // and in what is shown [s]
static const double offset_max = 0.1;  // a longer one is no correction but another place [m]

struct Shared {
  HeftAllocator allocator;
  size_t memory_size;
  SharedDef def;
  const HeftModel* model;
  unsigned char* moment;  // before step `confirmed`
  size_t moment_size;
  HeftVec3* away;  // of bodies, from where they are to where they are shown
  uint64_t confirmed, present, known, base;   // base: `known` when the present was computed
  FrameInput ring[FRAME_RING * FRAME_USERS];  // final inputs
  FrameInput own[FRAME_RING];
  int users;
  double felt_left, shown_left;  // of a correction after a step
  // felt
  HeftProbeInput hand;  // the last one, as it came
  HeftLocalModel felt;
  HeftSpatial raw, moved;  // of the probe, and of the ledger
  HeftVec3 offset;
  double bank;  // [J]
  uint64_t hash, hash_step;
  SharedReport report;
  HeftStepReport step;
};

static void store_moment(Shared* s) {
  s->moment_size = heft_session_snapshot_size(s->def.session);
  heft_session_snapshot(s->def.session, s->moment);
}

HeftStatus shared_create(Shared** out, const SharedDef* def, const HeftAllocator* allocator,
                         HeftError* error) {
  HEFT_REQUIRE(
      out && def && def->world && def->session && def->depth > 0 && def->depth < FRAME_RING / 2,
      HEFT_ERR_ARGUMENT);
  *out = NULL;
  const HeftAllocator from = allocator_or_default(allocator);
  const HeftModel* model = heft_world_model(def->world);
  const size_t room = heft_session_snapshot_size(def->session) +
                      heft_world_snapshot_size_max(def->world) -
                      heft_world_snapshot_size(def->world);
  Arena sizes = arena_measure();
  arena_take(&sizes, 1, Shared);
  arena_take(&sizes, room, unsigned char);
  arena_take(&sizes, model->nbody, HeftVec3);
  Shared* s = from.allocate(from.user, sizes.used, ARENA_ALIGNMENT);
  if (!s) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a shared world");
  memset(s, 0, sizes.used);
  Arena arena = arena_make(s, sizes.used, NULL);
  arena_take(&arena, 1, Shared);
  s->moment = arena_take(&arena, room, unsigned char);
  s->away = arena_take(&arena, model->nbody, HeftVec3);
  s->allocator = from;
  s->memory_size = sizes.used;
  s->def = *def;
  s->model = model;
  s->users = heft_session_probe_count(def->session);
  s->confirmed = s->present = s->known = s->base = def->step;
  s->felt.kind = HEFT_LOCAL_NONE;
  s->felt_left = heft_exp(-heft_world_time_step(def->world) / fade);
  s->shown_left = heft_exp(-heft_world_time_step(def->world) / fade_shown);
  store_moment(s);
  *out = s;
  return HEFT_OK;
}

void shared_destroy(Shared* s) {
  if (!s) return;
  const HeftAllocator allocator = s->allocator;
  allocator.release(allocator.user, s, s->memory_size);
}

uint64_t shared_known(const Shared* s) { return s->known; }
uint64_t shared_present(const Shared* s) { return s->present; }
SharedReport shared_report(const Shared* s) { return s->report; }
const HeftStepReport* shared_step_report(const Shared* s) { return &s->step; }

uint64_t shared_hash(const Shared* s, uint64_t* step) {
  *step = s->hash_step;
  return s->hash;
}

const void* shared_moment(const Shared* s, uint64_t* step, size_t* size) {
  *step = s->confirmed;
  *size = s->moment_size;
  return s->moment;
}

size_t shared_inputs(const Shared* s, uint64_t first, int count, unsigned char* out, size_t room) {
  const uint64_t oldest = s->present > FRAME_RING / 2 ? s->present - FRAME_RING / 2 : 0;
  const uint64_t from = first > oldest ? first : oldest;
  const int have = from < s->present ? (int)(s->present - from) : 0;
  return frame_write(s->own, 1, from, count < have ? count : have, out, room);
}

// ---- inputs

static FrameInput* row(Shared* s, uint64_t step) {
  return s->ring + (size_t)(step % FRAME_RING) * s->users;
}

void shared_take(Shared* s, uint64_t first, int count, const FrameInput* ring) {
  HEFT_REQUIRE_VOID(s && ring && count >= 0);
  const size_t size = (size_t)s->users * sizeof *ring;
  if (first > s->known) return;
  while (s->known < first + (uint64_t)count && s->known < s->confirmed + FRAME_RING - 1) {
    memcpy(row(s, s->known), ring + (size_t)(s->known % FRAME_RING) * s->users, size);
    ++s->known;
  }
}

// Where the hand of another user is expected.
static HeftProbeInput expected(Shared* s, int user, uint64_t step) {
  HeftProbeInput in = frame_probe(&row(s, s->base - 1)[user]);
  const double ahead = (double)(step - (s->base - 1)) * heft_world_time_step(s->def.world);
  if (in.present) in.pos = heft_vec3_add_scaled(in.pos, fmin(ahead, reach), in.vel);
  return in;
}

static void inputs_of(Shared* s, uint64_t step, HeftProbeInput* in) {
  for (int i = 0; i < s->users; ++i) {
    if (step < s->base)
      in[i] = frame_probe(&row(s, step)[i]);
    else if (i == s->def.self)
      in[i] = frame_probe(&s->own[step % FRAME_RING]);
    else
      in[i] = expected(s, i, step);
  }
}

static void advance(Shared* s, uint64_t step, HeftLocalModel* models) {
  HeftProbeInput in[FRAME_USERS];
  inputs_of(s, step, in);
  s->step = heft_session_step(s->def.session, in, 0, models);
}

// ---- felt

// Fades the last corrections; returns the displacement that the ledger counts.
static HeftVec3 fade_offset(Shared* s) {
  const HeftVec3 way = heft_vec3_scale(s->felt_left - 1, s->offset);
  const double work = heft_vec3_dot(s->felt.force, way);
  s->offset = heft_vec3_scale(s->felt_left, s->offset);
  const double share = work > 0 ? fmin(1, s->bank / work) : 1;
  s->bank -= share * work;
  s->report.given += share * work;
  s->report.refused += (1 - share) * work;
  return heft_vec3_scale(share, way);
}

// The anchor stays where it was felt, and turns at once.
static void keep_anchor(Shared* s, const HeftLocalModel* now) {
  s->offset = heft_vec3(0, 0, 0);
  if (s->felt.kind != now->kind || now->kind == HEFT_LOCAL_NONE) return;
  const HeftVec3 way = heft_vec3_sub(s->felt.anchor, now->anchor);
  const HeftQuat turn = heft_quat_mul(now->turn, heft_quat_conjugate(s->felt.turn));
  if (heft_vec3_norm(way) < offset_max) s->offset = way;
  s->moved.ang = heft_vec3_add(s->moved.ang, heft_quat_log(turn));
}

static void feel(Shared* s, HeftLocalModel now, int corrected, HeftLocalModel* felt) {
  if (corrected) {
    keep_anchor(s, &now);
  } else {
    s->moved = heft_spatial_add(s->moved, heft_spatial_sub(now.moved, s->raw));
    s->moved.lin = heft_vec3_add(s->moved.lin, fade_offset(s));
  }
  s->raw = now.moved;
  now.moved = s->moved;
  now.time_ns = s->hand.time_ns;
  now.anchor = heft_vec3_add(now.anchor, s->offset);
  const HeftDeviceSample hand = {
      .pos = s->hand.pos, .rot = s->hand.rot, .vel = s->hand.vel, .spin = s->hand.spin};
  now.force = heft_local_model_force(&now, now.time_ns, &hand).force;
  s->felt = now;
  if (felt) *felt = now;
}

// ---- steps

int shared_step(Shared* s, const HeftProbeInput* input, HeftLocalModel* felt) {
  HEFT_REQUIRE(s && (input || s->def.self < 0), 0);
  HeftLocalModel models[FRAME_USERS];
  if (s->present >= s->confirmed + (uint64_t)s->def.depth) {
    ++s->report.waits;
    return 0;
  }
  if (input) {
    s->hand = *input;
    s->own[s->present % FRAME_RING] = frame_input(input);
  }
  advance(s, s->present++, models);
  for (int b = 0; b < s->model->nbody; ++b) s->away[b] = heft_vec3_scale(s->shown_left, s->away[b]);
  if (s->def.self >= 0) feel(s, models[s->def.self], 0, felt);
  return 1;
}

HeftVec3 shared_shown(const Shared* s, int body) {
  const HeftVec3 now = heft_dynamics_body_pose(heft_world_dynamics(s->def.world), body).pos;
  return heft_vec3_add(now, s->away[body]);
}

// Bodies are shown where they were: before a correction +1, after it -1.
static void keep_places(Shared* s, double sign) {
  const HeftDynamics* d = heft_world_dynamics(s->def.world);
  for (int b = 0; b < s->model->nbody; ++b)
    s->away[b] = heft_vec3_add_scaled(s->away[b], sign, heft_dynamics_body_pose(d, b).pos);
}

static void confirm(Shared* s, uint64_t until, HeftLocalModel* models) {
  while (s->confirmed < until) {
    advance(s, s->confirmed++, models);
    if (s->confirmed % HASH_EVERY != 0) continue;
    s->hash = heft_world_hash(s->def.world);
    s->hash_step = s->confirmed;
  }
  store_moment(s);
}

int shared_correct(Shared* s, HeftLocalModel* felt) {
  HEFT_REQUIRE(s, 0);
  HeftLocalModel models[FRAME_USERS];
  const uint64_t until = s->known;
  const int back = (int)(s->present - s->confirmed);
  if (until == s->confirmed) return 0;
  if (until > s->present) s->present = until;  // it was late, and goes on where the others are
  keep_places(s, 1);
  s->base = until;
  heft_session_restore(s->def.session, s->moment, s->moment_size);
  confirm(s, until, models);
  for (uint64_t n = until; n < s->present; ++n) advance(s, n, models);
  keep_places(s, -1);
  ++s->report.corrections;
  s->report.repeated += back;
  s->report.deepest = back > s->report.deepest ? back : s->report.deepest;
  if (s->def.self >= 0) feel(s, models[s->def.self], 1, felt);
  return back;
}
