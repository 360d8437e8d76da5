// SPDX-License-Identifier: Apache-2.0
// The present state of a world as a keyframe of its model: the way to save a moment as a file.
#include <heft/access.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"

enum { POSE = 7, MOVED = 13 };  // numbers of a moved body in a keyframe and in a state

HeftStatus heft_world_key_model(HeftModel** out, HeftWorld* world, const char* key,
                                HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(world && key && key[0], HEFT_ERR_ARGUMENT);
  const HeftModel* m = heft_world_model(world);
  const HeftState* state = heft_world_state(world);
  if (heft_model_find(m, HEFT_NAMED_KEY, key) >= 0)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "the model has a keyframe '%.80s' already; use another name", key);
  const HeftAllocator* a = &m->allocator;
  const size_t size = sizeof(double) * POSE * (size_t)(m->nmoved + 1);
  double* moved = a->allocate(a->user, size, 64);
  if (!moved) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory to add a keyframe");
  for (int i = 0; i < m->nmoved; ++i)
    memcpy(moved + POSE * i, state->moved + MOVED * i, POSE * sizeof *moved);
  HeftBuilder* b = NULL;
  HeftStatus status = heft_builder_create(&b, a, error);
  if (status == HEFT_OK) {
    HeftKeyDef def = heft_key_def_default();
    def.name = key;
    def.time = *state->time;
    def.q = state->q;
    def.v = state->v;
    def.act = state->act;
    def.control = heft_world_controls(world);
    def.moved = moved;
    heft_builder_set_physics(b, m->physics);
    heft_builder_set_contact_model(b, m->names + m->contact_model[0]);
    heft_builder_add_model(b, m, NULL);
    heft_builder_add_key(b, &def);
    status = heft_builder_finish(b, out, error);
    heft_builder_destroy(b);
  }
  a->release(a->user, moved, size);
  return status;
}
