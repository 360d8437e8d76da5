// SPDX-License-Identifier: Apache-2.0
// A snapshot: everything that decides a world's future. Header, state, forces at the joints.
//
//   u64  the model's hash: a snapshot fits only the model that it was taken from
//   u64  checksum of what follows
//   doubles: time, q, v, act; joint forces
#include <math.h>
#include <string.h>

#include "world/world_internal.h"

enum { HEADER = 16 };

static size_t numbers_size(const HeftWorld* w) {
  return (size_t)(w->state->count + w->model->nv) * sizeof(double);
}

size_t heft_world_snapshot_size(const HeftWorld* w) { return HEADER + numbers_size(w); }

void heft_world_snapshot(const HeftWorld* w, void* bytes) {
  unsigned char* numbers = (unsigned char*)bytes + HEADER;
  const size_t state_size = (size_t)w->state->count * sizeof(double);
  memcpy(numbers, w->state->time, state_size);
  if (w->model->nv > 0)
    memcpy(numbers + state_size, w->joint_force, (size_t)w->model->nv * sizeof(double));
  const uint64_t header[2] = {w->model_hash, heft_hash(numbers, numbers_size(w), 0)};
  memcpy(bytes, header, sizeof header);
}

HeftStatus heft_world_restore(HeftWorld* w, const void* bytes, size_t size) {
  uint64_t header[2];
  if (size != heft_world_snapshot_size(w)) return HEFT_ERR_SYNTAX;
  memcpy(header, bytes, sizeof header);
  const unsigned char* numbers = (const unsigned char*)bytes + HEADER;
  if (header[0] != w->model_hash) return HEFT_ERR_VERSION;
  if (header[1] != heft_hash(numbers, numbers_size(w), 0)) return HEFT_ERR_CHECKSUM;
  const size_t state_size = (size_t)w->state->count * sizeof(double);
  memcpy(w->before->time, numbers,
         state_size);  // scratch between steps: looked at before it counts
  if (!heft_world_accepts(w, w->before)) return HEFT_ERR_VALUE;
  for (size_t at = state_size; at < numbers_size(w); at += sizeof(double)) {
    double force;
    memcpy(&force, numbers + at, sizeof force);
    if (!isfinite(force)) return HEFT_ERR_VALUE;
  }
  heft_state_copy(w->state, w->before);
  if (w->model->nv > 0)
    memcpy(w->joint_force, numbers + state_size, (size_t)w->model->nv * sizeof(double));
  heft_clear_wrenches(w->dynamics);
  w->fresh = 0;
  return HEFT_OK;
}
