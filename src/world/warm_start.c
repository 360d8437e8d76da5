// SPDX-License-Identifier: Apache-2.0
// Warm start: the impulses of a step, stored for the next one.
#include "world/warm_start.h"

#include <string.h>

static void clear_joints(WarmStart* warm, const HeftModel* m) {
  double* const* old = warm->by_source;
  memset(old[CONSTRAINT_LIMIT], 0, 2 * (size_t)m->nv * sizeof(double));
  memset(old[CONSTRAINT_DRY], 0, (size_t)m->nv * sizeof(double));
  memset(old[CONSTRAINT_EQUALITY], 0, 6 * (size_t)m->nequality * sizeof(double));
  memset(old[CONSTRAINT_TENDON_LIMIT], 0, 2 * (size_t)m->ntendon * sizeof(double));
  memset(old[CONSTRAINT_TENDON_DRY], 0, (size_t)m->ntendon * sizeof(double));
}

void heft_warm_start_clear(WarmStart* warm, const HeftModel* m) {
  warm->contact_count = 0;
  clear_joints(warm, m);
}

static void scale(double* x, int count, double factor) {
  for (int i = 0; i < count; ++i) x[i] *= factor;
}

void heft_warm_start_scale(WarmStart* warm, const HeftModel* m, double factor) {
  double* const* old = warm->by_source;
  for (int i = 0; i < warm->contact_count; ++i) scale(warm->contact[i].impulse, 6, factor);
  scale(old[CONSTRAINT_LIMIT], 2 * m->nv, factor);
  scale(old[CONSTRAINT_DRY], m->nv, factor);
  scale(old[CONSTRAINT_EQUALITY], 6 * m->nequality, factor);
  scale(old[CONSTRAINT_TENDON_LIMIT], 2 * m->ntendon, factor);
  scale(old[CONSTRAINT_TENDON_DRY], m->ntendon, factor);
}

typedef struct Storing {
  WarmStart* warm;
  const ConstraintSet* set;
  const double* impulse;
  double (*memory)[MODEL_MEMORY];
} Storing;

static void store_range(void* arg, int first, int end) {
  const Storing* storing = arg;
  const ConstraintSet* set = storing->set;
  const double* impulse = storing->impulse;
  for (int i = first; i < end; ++i) {
    const Constraint* k = &set->list[i];
    if (k->kind != CONSTRAINT_CONTACT) {
      storing->warm->by_source[k->kind][k->source] = impulse[k->row];
      continue;
    }
    const HeftContactPoint* contact_point = &set->contact_points.point[k->source];
    WarmContact* kept = &storing->warm->contact[i];
    *kept =
        (WarmContact){.name = {contact_point->body_a, contact_point->body_b, contact_point->shape_a,
                               contact_point->shape_b},
                      .dim = contact_point->dim,
                      .feature = contact_point->feature,
                      .pos = {contact_point->pos.x, contact_point->pos.y, contact_point->pos.z}};
    heft_rows_copy(k, impulse + k->row, kept->impulse);
    if (storing->memory) memcpy(kept->memory, storing->memory[k->source], sizeof kept->memory);
  }
}

void heft_warm_start_store(WarmStart* warm, const HeftModel* m, const ConstraintSet* set,
                           const double* impulse, double (*memory)[MODEL_MEMORY], HeftPool* pool) {
  Storing storing = {warm, set, impulse, memory};
  clear_joints(warm, m);
  warm->contact_count = set->contact_point_count;
  heft_pool_run_ranges(pool, set->count, CONSTRAINT_RANGE, store_range, &storing);
}
