// SPDX-License-Identifier: Apache-2.0
// A snapshot: everything that the future of a world depends on.
//
//   u64      the model's hash: a snapshot fits only the model that it was taken from
//   u64      checksum of what follows
//   u64      number of warm contact points
//   doubles  time, q, v, act; controls; force limits that hold; impulses of limits,
//            dry friction and loops; values of sensors; joint forces; commands of moved bodies
//   records  warm contact points
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "world/world_internal.h"

enum { HEADER = 24 };

// A piece of memory that a snapshot holds.
typedef struct Piece {
  double* numbers;
  size_t count;
} Piece;

enum { PIECES = 11 };

// The doubles of a snapshot: the state, then the pieces beside it.
typedef struct Layout {
  size_t state_count;
  Piece piece[PIECES];
} Layout;

static Layout lay_out(const HeftWorld* w) {
  const HeftModel* m = w->model;
  const size_t nv = (size_t)m->nv;
  double* const* warm = w->constraints->warm_start.by_source;
  const Actuators* a = w->drives->actuators;
  return (Layout){.state_count = (size_t)w->state->count,
                  .piece = {{a->control, (size_t)m->nactuator},
                            {warm[CONSTRAINT_LIMIT], 2 * nv},
                            {warm[CONSTRAINT_DRY], nv},
                            {warm[CONSTRAINT_EQUALITY], 6 * (size_t)m->nequality},
                            {a->saturated, (size_t)m->nactuator},
                            {a->joint_saturated, a->joints_limited ? (size_t)m->njoint : 0},
                            {warm[CONSTRAINT_TENDON_LIMIT], 2 * (size_t)m->ntendon},
                            {warm[CONSTRAINT_TENDON_DRY], (size_t)m->ntendon},
                            {w->sensors->value, (size_t)m->nsensordata},
                            {w->joint_force, nv},
                            {(double*)w->moved, MOVED_NUMBERS * (size_t)m->nmoved}}};
}

static size_t fixed_size(const Layout* layout) {
  size_t count = layout->state_count;
  for (int i = 0; i < PIECES; ++i) count += layout->piece[i].count;
  return count * sizeof(double);
}

static size_t body_size(const Layout* layout, uint64_t contact_points) {
  return fixed_size(layout) + (size_t)contact_points * sizeof(WarmContact);
}

size_t heft_world_snapshot_size(const HeftWorld* w) {
  HEFT_REQUIRE(w, 0);
  const Layout layout = lay_out(w);
  return HEADER + body_size(&layout, (uint64_t)w->constraints->warm_start.contact_count);
}

size_t heft_world_snapshot_size_max(const HeftWorld* w) {
  HEFT_REQUIRE(w, 0);
  const Layout layout = lay_out(w);
  return HEADER + body_size(&layout, (uint64_t)w->constraints->set.capacity);
}

static unsigned char* put(unsigned char* to, const void* from, size_t size) {
  if (size > 0) memcpy(to, from, size);
  return to + size;
}

void heft_world_snapshot(const HeftWorld* w, void* bytes) {
  HEFT_REQUIRE_VOID(w && bytes);
  const WarmStart* warm = &w->constraints->warm_start;
  const Layout layout = lay_out(w);
  if (w->model->nsensor > 0) heft_world_sensors((HeftWorld*)w);
  unsigned char* const body = (unsigned char*)bytes + HEADER;
  unsigned char* cursor = put(body, w->state->time, (size_t)w->state->count * sizeof(double));
  for (int i = 0; i < PIECES; ++i)
    cursor = put(cursor, layout.piece[i].numbers, layout.piece[i].count * sizeof(double));
  cursor = put(cursor, warm->contact, (size_t)warm->contact_count * sizeof(WarmContact));
  const uint64_t count = (uint64_t)warm->contact_count;
  const uint64_t header[3] = {w->model_hash, heft_hash(body, (size_t)(cursor - body), count),
                              count};
  memcpy(bytes, header, sizeof header);
}

// 1 if all numbers of a body are finite and its state, which is copied to `state`, is acceptable.
static int is_sound(const HeftModel* m, const Layout* layout, const unsigned char* body,
                    uint64_t contact_points, HeftState* state) {
  const size_t state_size = layout->state_count * sizeof(double), fixed = fixed_size(layout);
  memcpy(state->time, body, state_size);
  if (!heft_state_acceptable(m, state)) return 0;
  for (size_t at = state_size; at < fixed; at += sizeof(double)) {
    double number;
    memcpy(&number, body + at, sizeof number);
    if (!isfinite(number)) return 0;
  }
  for (uint64_t i = 0; i < contact_points; ++i) {
    WarmContact kept;
    memcpy(&kept, body + fixed + i * sizeof kept, sizeof kept);
    for (int k = 0; k < 6; ++k) {
      if (!isfinite(kept.impulse[k]) || !isfinite(kept.pos[k % 3])) return 0;
    }
  }
  return 1;
}

HeftStatus heft_world_restore(HeftWorld* w, const void* bytes, size_t size) {
  HEFT_REQUIRE(w && (bytes || size == 0), HEFT_ERR_ARGUMENT);
  WarmStart* warm = &w->constraints->warm_start;
  const Layout layout = lay_out(w);
  uint64_t header[3];
  if (size < HEADER) return HEFT_ERR_SYNTAX;
  memcpy(header, bytes, sizeof header);
  if (header[0] != w->model_hash) return HEFT_ERR_VERSION;
  const uint64_t contact_points = header[2];
  if (contact_points > (uint64_t)w->constraints->set.capacity ||
      size != HEADER + body_size(&layout, contact_points))
    return HEFT_ERR_SYNTAX;
  const unsigned char* body = (const unsigned char*)bytes + HEADER;
  if (header[1] != heft_hash(body, size - HEADER, contact_points)) return HEFT_ERR_CHECKSUM;
  // between steps, w->before is scratch
  if (!is_sound(w->model, &layout, body, contact_points, w->before)) return HEFT_ERR_VALUE;

  heft_state_copy(w->state, w->before);
  const unsigned char* cursor = body + (size_t)w->state->count * sizeof(double);
  for (int i = 0; i < PIECES; ++i) {
    const size_t piece_size = layout.piece[i].count * sizeof(double);
    if (piece_size > 0) memcpy(layout.piece[i].numbers, cursor, piece_size);
    cursor += piece_size;
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
