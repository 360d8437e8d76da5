// SPDX-License-Identifier: Apache-2.0
// A snapshot: everything that the future of a world depends on.
//
//   u64      the model's hash: a snapshot fits only the model that it was taken from
//   u64      checksum of what follows
//   u64      number of warm contact points
//   doubles  time, q, v, act; controls; force limits that hold; impulses of limits,
//            dry friction and loops; values of sensors; joint forces; commands of moved bodies;
//            energy that soft contact points may return; shapes of deformable bodies
//   records  warm contact points: six numbers of 32 bits, the others of 64
//
// All numbers are little-endian: a snapshot fits any processor.
#include <math.h>
#include <stddef.h>

#include "base/assert.h"
#include "base/bytes.h"
#include "world/world_internal.h"

enum { HEADER = 24 };

// A piece of memory that a snapshot holds.
typedef struct Piece {
  double* numbers;
  size_t count;
} Piece;

enum { PIECES = 14 };

// The doubles of a snapshot: the state, then the pieces beside it.
typedef struct Layout {
  size_t state_count;
  Piece piece[PIECES];
} Layout;

static Layout lay_out(const HeftWorld* w) {
  const HeftModel* m = w->model;
  const size_t nv = (size_t)m->nv;
  const WarmStart* store = &w->constraints->warm_start;
  double* const* warm = store->by_source;
  const Actuators* a = w->drives->actuators;
  const Deform* deform = heft_dynamics_deform(w->dynamics);
  Piece shapes = {NULL, 0};
  if (deform) shapes.numbers = heft_deform_shapes(deform, &shapes.count);
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
                            {(double*)w->moved, MOVED_NUMBERS * (size_t)m->nmoved},
                            {store->known, store->stored ? 1 : 0},
                            {store->stored, store->stored ? (size_t)heft_link_count(m) : 0},
                            shapes}};
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

enum { WARM_INTS = 6, WARM_WORDS = 1 + 3 + 6 + MODEL_MEMORY };
_Static_assert(sizeof(WarmContact) == WARM_INTS * 4 + WARM_WORDS * 8 &&
                   offsetof(WarmContact, feature) == WARM_INTS * 4,
               "a warm contact point has no gaps: snapshots hold it as it is");

static unsigned char* put_contacts(unsigned char* to, const WarmContact* from, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    to = bytes_put_array(to, &from[i], WARM_INTS, 4);
    to = bytes_put_array(to, (const char*)&from[i] + WARM_INTS * 4, WARM_WORDS, 8);
  }
  return to;
}

static const unsigned char* get_contact(const unsigned char* from, WarmContact* to) {
  from = bytes_get_array(from, to, WARM_INTS, 4);
  return bytes_get_array(from, (char*)to + WARM_INTS * 4, WARM_WORDS, 8);
}

void heft_world_snapshot(const HeftWorld* w, void* bytes) {
  HEFT_REQUIRE_VOID(w && bytes);
  const WarmStart* warm = &w->constraints->warm_start;
  const Layout layout = lay_out(w);
  if (w->model->nsensor > 0) heft_world_sensors((HeftWorld*)w);
  unsigned char* const body = (unsigned char*)bytes + HEADER;
  unsigned char* cursor =
      bytes_put_array(body, w->state->time, (size_t)w->state->count, sizeof(double));
  for (int i = 0; i < PIECES; ++i)
    cursor =
        bytes_put_array(cursor, layout.piece[i].numbers, layout.piece[i].count, sizeof(double));
  cursor = put_contacts(cursor, warm->contact, (size_t)warm->contact_count);
  const uint64_t count = (uint64_t)warm->contact_count;
  const uint64_t header[3] = {w->model_hash, heft_hash(body, (size_t)(cursor - body), count),
                              count};
  bytes_put_array(bytes, header, 3, sizeof *header);
}

static int is_index(int i, int count) { return i >= 0 && i < count; }

// 1 if a warm contact point is between elements of the model, and has finite numbers.
static int is_sound_contact(const HeftModel* m, const WarmContact* kept) {
  const double* number = kept->pos;
  _Static_assert(offsetof(WarmContact, memory) + sizeof kept->memory == sizeof *kept,
                 "all numbers from the position to the end are real");
  for (int k = 0; k < 3 + 6 + MODEL_MEMORY; ++k) {
    if (!isfinite(number[k])) return 0;
  }
  return is_index(kept->name[0], m->nbody) && is_index(kept->name[1], m->nbody) &&
         is_index(kept->name[2], m->nshape) && is_index(kept->name[3], m->nshape) &&
         kept->dim >= 1 && is_index(kept->dim, 7) && is_index(kept->slips, 2);
}

// 1 if all numbers of a body are finite, its warm contact points name elements of the model, and
// its state, which is copied to `state`, is acceptable.
static int is_sound(const HeftModel* m, const Layout* layout, const unsigned char* body,
                    uint64_t contact_points, HeftState* state) {
  const size_t state_size = layout->state_count * sizeof(double), fixed = fixed_size(layout);
  bytes_get_array(body, state->time, layout->state_count, sizeof(double));
  if (!heft_state_acceptable(m, state)) return 0;
  const unsigned char* at = body + state_size;
  while (at < body + fixed) {
    if (!isfinite(bytes_get_double(&at))) return 0;
  }
  for (uint64_t i = 0; i < contact_points; ++i) {
    WarmContact kept;
    at = get_contact(at, &kept);
    if (!is_sound_contact(m, &kept)) return 0;
  }
  return 1;
}

HeftStatus heft_world_restore(HeftWorld* w, const void* bytes, size_t size) {
  HEFT_REQUIRE(w && (bytes || size == 0), HEFT_ERR_ARGUMENT);
  WarmStart* warm = &w->constraints->warm_start;
  const Layout layout = lay_out(w);
  uint64_t header[3];
  if (size < HEADER) return HEFT_ERR_SYNTAX;
  bytes_get_array(bytes, header, 3, sizeof *header);
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
    cursor =
        bytes_get_array(cursor, layout.piece[i].numbers, layout.piece[i].count, sizeof(double));
  }
  for (uint64_t i = 0; i < contact_points; ++i) cursor = get_contact(cursor, &warm->contact[i]);
  warm->contact_count = (int)contact_points;
  w->constraints->set.count = w->constraints->set.contact_point_count = 0;
  heft_dynamics_clear_wrenches(w->dynamics);
  heft_couplings_clear(w->drives->couplings);
  heft_sensors_outdate(w->sensors, 0);
  w->sensors->fresh = 1;
  w->has_step = 0;
  w->fresh = 0;
  heft_world_refresh(w);
  return HEFT_OK;
}
