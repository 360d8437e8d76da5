// SPDX-License-Identifier: Apache-2.0
// A snapshot: everything that the future of a world depends on.
//
//   u64      the model's hash: a snapshot fits only the model that it was taken from
//   u64      checksum of what follows
//   u64      number of warm contact points
//   doubles  time, q, v, act; controls; force limits that hold; impulses of limits,
//            dry friction and loops; values of sensors; joint forces
//   records  warm contact points
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "world/world_internal.h"

enum { HEADER = 24 };

// The doubles beside the state, as pieces of memory.
typedef struct Piece {
  double* numbers;
  size_t count;
} Piece;

enum { PIECES = 10 };

static void list_pieces(const HeftWorld* w, Piece pieces[PIECES]) {
  const size_t nv = (size_t)w->model->nv;
  double* const* old = w->constraints->warm_start.by_source;
  const Actuators* a = w->drives->actuators;
  pieces[0] = (Piece){a->control, (size_t)w->model->nactuator};
  pieces[1] = (Piece){old[CONSTRAINT_LIMIT], 2 * nv};
  pieces[2] = (Piece){old[CONSTRAINT_DRY], nv};
  pieces[3] = (Piece){old[CONSTRAINT_EQUALITY], 6 * (size_t)w->model->nequality};
  pieces[4] = (Piece){a->saturated, (size_t)w->model->nactuator};
  pieces[5] = (Piece){a->joint_saturated, a->joints_limited ? (size_t)w->model->njoint : 0};
  pieces[6] = (Piece){old[CONSTRAINT_TENDON_LIMIT], 2 * (size_t)w->model->ntendon};
  pieces[7] = (Piece){old[CONSTRAINT_TENDON_DRY], (size_t)w->model->ntendon};
  pieces[8] = (Piece){w->sensors->value, (size_t)w->model->nsensordata};
  pieces[9] = (Piece){w->joint_force, nv};
}

static size_t fixed_size(const HeftWorld* w) {
  Piece pieces[PIECES];
  list_pieces(w, pieces);
  size_t count = (size_t)w->state->count;
  for (int i = 0; i < PIECES; ++i) count += pieces[i].count;
  return count * sizeof(double);
}

static size_t body_size(const HeftWorld* w, uint64_t contact_points) {
  return fixed_size(w) + (size_t)contact_points * sizeof(WarmContact);
}

size_t heft_world_snapshot_size(const HeftWorld* w) {
  HEFT_REQUIRE(w, 0);
  return HEADER + body_size(w, (uint64_t)w->constraints->warm_start.contact_count);
}

size_t heft_world_snapshot_size_max(const HeftWorld* w) {
  HEFT_REQUIRE(w, 0);
  return HEADER + body_size(w, (uint64_t)w->constraints->set.capacity);
}

static unsigned char* put(unsigned char* to, const void* from, size_t size) {
  if (size > 0) memcpy(to, from, size);
  return to + size;
}

void heft_world_snapshot(const HeftWorld* w, void* bytes) {
  HEFT_REQUIRE_VOID(w && bytes);
  const WarmStart* warm = &w->constraints->warm_start;
  Piece pieces[PIECES];
  list_pieces(w, pieces);
  if (w->model->nsensor > 0) heft_world_sensors((HeftWorld*)w);
  unsigned char* const body = (unsigned char*)bytes + HEADER;
  unsigned char* cursor = put(body, w->state->time, (size_t)w->state->count * sizeof(double));
  for (int i = 0; i < PIECES; ++i)
    cursor = put(cursor, pieces[i].numbers, pieces[i].count * sizeof(double));
  cursor = put(cursor, warm->contact, (size_t)warm->contact_count * sizeof(WarmContact));
  const uint64_t count = (uint64_t)warm->contact_count;
  const uint64_t header[3] = {w->model_hash, heft_hash(body, (size_t)(cursor - body), count),
                              count};
  memcpy(bytes, header, sizeof header);
}

// 1 if all numbers are finite and the state is acceptable. The state is copied to w->before, which
// is
// scratch between steps.
static int sound(HeftWorld* w, const unsigned char* body, uint64_t contact_points) {
  const size_t state_size = (size_t)w->state->count * sizeof(double);
  memcpy(w->before->time, body, state_size);
  if (!heft_state_acceptable(w->model, w->before)) return 0;
  for (size_t at = state_size; at < fixed_size(w); at += sizeof(double)) {
    double number;
    memcpy(&number, body + at, sizeof number);
    if (!isfinite(number)) return 0;
  }
  for (uint64_t i = 0; i < contact_points; ++i) {
    WarmContact kept;
    memcpy(&kept, body + fixed_size(w) + i * sizeof kept, sizeof kept);
    for (int k = 0; k < 6; ++k) {
      if (!isfinite(kept.impulse[k]) || !isfinite(kept.pos[k % 3])) return 0;
    }
  }
  return 1;
}

HeftStatus heft_world_restore(HeftWorld* w, const void* bytes, size_t size) {
  HEFT_REQUIRE(w && (bytes || size == 0), HEFT_ERR_ARGUMENT);
  WarmStart* warm = &w->constraints->warm_start;
  uint64_t header[3];
  if (size < HEADER) return HEFT_ERR_SYNTAX;
  memcpy(header, bytes, sizeof header);
  if (header[0] != w->model_hash) return HEFT_ERR_VERSION;
  const uint64_t contact_points = header[2];
  if (contact_points > (uint64_t)w->constraints->set.capacity ||
      size != HEADER + body_size(w, contact_points))
    return HEFT_ERR_SYNTAX;
  const unsigned char* body = (const unsigned char*)bytes + HEADER;
  if (header[1] != heft_hash(body, size - HEADER, contact_points)) return HEFT_ERR_CHECKSUM;
  if (!sound(w, body, contact_points)) return HEFT_ERR_VALUE;

  Piece pieces[PIECES];
  list_pieces(w, pieces);
  heft_state_copy(w->state, w->before);
  const unsigned char* cursor = body + (size_t)w->state->count * sizeof(double);
  for (int i = 0; i < PIECES; ++i) {
    if (pieces[i].count > 0) memcpy(pieces[i].numbers, cursor, pieces[i].count * sizeof(double));
    cursor += pieces[i].count * sizeof(double);
  }
  if (contact_points > 0)
    memcpy(warm->contact, cursor, (size_t)contact_points * sizeof(WarmContact));
  warm->contact_count = (int)contact_points;
  w->constraints->set.count = w->constraints->set.contact_point_count = 0;
  heft_dynamics_clear_wrenches(w->dynamics);
  heft_couplings_clear(w->drives->couplings);
  heft_sensors_outdate(w->sensors, 0);
  w->sensors->fresh = 1;
  w->fresh = 0;
  heft_world_refresh(w);
  return HEFT_OK;
}
