// SPDX-License-Identifier: Apache-2.0
// The state: time, q, v, activations, moved bodies and conveyors, side by side in one block.
#include <heft/model.h>
#include <string.h>

#include "base/allocator.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/hash.h"
#include "math/simd.h"

static size_t block_size(int count) {
  const size_t header =
      (sizeof(HeftState) + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
  return header + (size_t)count * sizeof(double);
}

HeftStatus heft_state_create(HeftState** out, const HeftModel* model,
                             const HeftAllocator* allocator, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(model, HEFT_ERR_ARGUMENT);
  const HeftAllocator source = allocator_or_default(allocator);
  const int count =
      1 + model->nq + model->nv + model->nact + 13 * model->nmoved + 6 * model->nconveyor;
  HeftState* state = source.allocate(source.user, block_size(count), ARENA_ALIGNMENT);
  *out = state;
  if (!state)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a state of %d numbers", count);
  state->time = (double*)((unsigned char*)state + block_size(0));
  state->q = state->time + 1;
  state->v = state->q + model->nq;
  state->act = state->v + model->nv;
  state->moved = state->act + model->nact;
  state->conveyor = state->moved + 13L * model->nmoved;
  state->nmoved = model->nmoved;
  state->nconveyor = model->nconveyor;
  state->nq = model->nq;
  state->nv = model->nv;
  state->nact = model->nact;
  state->count = count;
  state->allocator = source;
  heft_state_reset(state, model);
  return HEFT_OK;
}

void heft_state_destroy(HeftState* state) {
  if (!state) return;
  const HeftAllocator source = state->allocator;
  source.release(source.user, state, block_size(state->count));
}

static void copy_or_clear(double* to, const double* from, int count) {
  if (count == 0) return;
  if (from) {
    memcpy(to, from, (size_t)count * sizeof(double));
  } else {
    memset(to, 0, (size_t)count * sizeof(double));
  }
}

// Moved bodies at rest, in the poses of a keyframe or as the model describes them (NULL).
static void place_moved(HeftState* state, const HeftModel* model, const double* poses) {
  for (int i = 0; i < state->nmoved; ++i) {
    const int body = model->moved_body[i];
    double* out = state->moved + 13L * i;
    copy_or_clear(out, poses ? poses + 7L * i : model->body_pos + 3L * body, 3);
    copy_or_clear(out + 3, poses ? poses + 7L * i + 3 : model->body_quat + 4L * body, 4);
    copy_or_clear(out + 7, NULL, 6);
  }
  copy_or_clear(state->conveyor, model->conveyor_velocity, 6 * state->nconveyor);
}

void heft_state_reset(HeftState* state, const HeftModel* model) {
  HEFT_REQUIRE_VOID(state && model);
  HEFT_REQUIRE_VOID(state->nq == model->nq && state->nv == model->nv);
  *state->time = 0;
  copy_or_clear(state->q, model->q_default, state->nq);
  copy_or_clear(state->v, NULL, state->nv);
  copy_or_clear(state->act, NULL, state->nact);
  place_moved(state, model, NULL);
}

void heft_state_copy(HeftState* to, const HeftState* from) {
  HEFT_REQUIRE_VOID(to && from);
  HEFT_REQUIRE_VOID(to->count == from->count && to->nq == from->nq);
  memcpy(to->time, from->time, (size_t)from->count * sizeof(double));
}

void heft_state_set_key(HeftState* state, const HeftModel* model, int key) {
  HEFT_REQUIRE_VOID(state && model);
  HEFT_REQUIRE_VOID(key >= 0 && key < model->nkey);
  *state->time = model->key_time[key];
  copy_or_clear(state->q, model->key_q + (long)key * model->nq, state->nq);
  copy_or_clear(state->v, model->key_v + (long)key * model->nv, state->nv);
  copy_or_clear(state->act, model->key_act + (long)key * model->nact, state->nact);
  place_moved(state, model, model->key_moved + 7 * (long)key * model->nmoved);
}

uint64_t heft_state_hash(const HeftState* state) {
  HEFT_REQUIRE(state, 0);
  return hash_array(state->time, (size_t)state->count, sizeof(double), 0);
}

// Zero times a number that is not finite is NaN, so the sum is zero if all numbers are finite.
bool heft_state_finite(const HeftState* state) {
  HEFT_REQUIRE(state, 0);
  const double* x = state->time;
  const int whole = state->count / 4 * 4;
  V4 sums = v4_all(0);
  for (int i = 0; i < whole; i += 4) sums += v4_load(x + i) * 0.0;
  double sum = v4_sum(sums);
  for (int i = whole; i < state->count; ++i) sum += x[i] * 0.0;
  return sum == 0;
}
