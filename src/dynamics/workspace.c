// SPDX-License-Identifier: Apache-2.0
// Memory of a HeftDynamics: one block, allocated at creation.
#include "dynamics/workspace.h"

#include <string.h>

#include "base/allocator.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/error.h"

static void place(HeftDynamics* d, Arena* arena, const HeftModel* m) {
  const HeftTree* t = m->tree;
  const int nlink = t->nlink, nv = m->nv, stages = t->stage_count;
  d->angle = arena_take(arena, stages, double);
  d->sine = arena_take(arena, stages, double);
  d->cosine = arena_take(arena, stages, double);
  d->relative = arena_take(arena, stages, Columns);
  d->pose = arena_take(arena, nlink, LinkPose);
  d->frame = arena_take(arena, nlink, LinkPose);
  d->origin = arena_take(arena, nlink, V4);
  d->spin = arena_take_bytes(arena, (size_t)nlink, sizeof *d->spin);
  d->axis = arena_take(arena, nv, Pair);
  d->velocity = arena_take(arena, nlink, Pair);
  d->acceleration = arena_take(arena, nlink, Pair);
  d->force = arena_take(arena, nlink, Pair);
  d->external = arena_take(arena, nlink, Pair);
  d->composite = arena_take(arena, nlink, Composite);
  d->mass_rows = arena_take(arena, t->row_count, double);
  d->factor_rows = arena_take(arena, t->row_count, double);
  d->inverse_d = arena_take(arena, nv, double);
  d->articulated = arena_take(arena, nlink, Articulated);
  d->reach = arena_take(arena, nv, Pair);
  d->inverse = arena_take(arena, 36L * nlink, double);
  d->effort = arena_take(arena, nv, double);
  d->bond = arena_take(arena, m->ndeformable, HeftPose);
  d->bond_other = arena_take(arena, m->ndeformable, HeftPose);
  for (int i = 0; i < 2; ++i) d->bond_twist[i] = arena_take(arena, m->ndeformable, BondVector);
  d->bond_wrench = arena_take(arena, m->ndeformable, BondVector);
  size_t arms = 0;
  d->fluid_count = heft_fluid_count(m, &arms);
  d->fluid = arena_take(arena, d->fluid_count, FluidBox);
  d->fluid_arms = arena_take(arena, arms, double);
}

HeftStatus heft_dynamics_create(HeftDynamics** out, const HeftModel* model,
                                const HeftAllocator* allocator, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(model && model->tree, HEFT_ERR_ARGUMENT);
  const HeftAllocator source = allocator_or_default(allocator);
  HeftDynamics measured = {0};
  Arena measure = arena_measure();
  arena_take(&measure, 1, HeftDynamics);
  place(&measured, &measure, model);
  HeftDynamics* d = source.allocate(source.user, measure.used, ARENA_ALIGNMENT);
  *out = d;
  if (!d)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for dynamics of %zu bytes",
                          measure.used);
  memset(d, 0, measure.used);
  Arena arena = arena_make(d, measure.used, NULL);
  arena_take(&arena, 1, HeftDynamics);
  place(d, &arena, model);
  HEFT_ASSERT(arena.used == measure.used && !arena.overflow);
  heft_fluid_create(model, d->fluid_arms, d->fluid);
  d->model = model;
  d->tree = model->tree;
  d->allocator = source;
  d->memory_size = measure.used;
  for (int i = 0; i < 3; ++i) d->pose[0].rot[i] = (V4){i == 0, i == 1, i == 2, 0};
  const HeftStatus status = heft_deform_create(&d->deform, model, &source, error);
  if (status != HEFT_OK) {
    heft_dynamics_destroy(d);
    *out = NULL;
    return status;
  }
  heft_dynamics_set_moved(d, NULL);
  heft_dynamics_kinematics(d, model->q_default);
  return HEFT_OK;
}

void heft_dynamics_destroy(HeftDynamics* d) {
  if (!d) return;
  const HeftAllocator source = d->allocator;
  heft_deform_destroy(d->deform);
  source.release(source.user, d, d->memory_size);
}
