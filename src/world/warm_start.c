// SPDX-License-Identifier: Apache-2.0
// Warm start: the impulses of a step, stored for the next one.
#include "world/warm_start.h"

#include <string.h>

#include "dynamics/links.h"

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
  if (!warm->stored) return;
  *warm->known = 0;
  memset(warm->stored, 0, (size_t)heft_link_count(m) * sizeof(double));
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

// ---- another model

// The order of the collider, in which the next step looks for contact points.
static int compare(const WarmContact* a, const WarmContact* b) {
  static const int keys[4] = {0, 1, 3, 2};
  for (int i = 0; i < 4; ++i) {
    const int x = a->name[keys[i]], y = b->name[keys[i]];
    if (x != y) return x < y ? -1 : 1;
  }
  return a->feature == b->feature ? 0 : a->feature < b->feature ? -1 : 1;
}

// Shell sort. The contact points are in order already unless elements have changed theirs.
static void sort_contacts(WarmContact* list, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2) {
    for (int i = gap; i < count; ++i) {
      const WarmContact item = list[i];
      int k = i;
      for (; k >= gap && compare(&item, &list[k - gap]) < 0; k -= gap) list[k] = list[k - gap];
      list[k] = item;
    }
  }
}

static void carry_contacts(WarmStart* to, const WarmStart* from, const ModelMatch* match) {
  int sorted = 1;
  to->contact_count = 0;
  for (int i = 0; i < from->contact_count; ++i) {
    WarmContact kept = from->contact[i];
    kept.name[0] = match->body[kept.name[0]];
    kept.name[1] = match->body[kept.name[1]];
    kept.name[2] = match->shape[kept.name[2]];
    kept.name[3] = match->shape[kept.name[3]];
    if (kept.name[0] < 0 || kept.name[1] < 0 || kept.name[2] < 0 || kept.name[3] < 0) continue;
    const int n = to->contact_count++;
    to->contact[n] = kept;
    if (n > 0 && compare(&to->contact[n - 1], &kept) > 0) sorted = 0;
  }
  if (!sorted) sort_contacts(to->contact, to->contact_count);
}

void heft_warm_start_carry(WarmStart* to, const WarmStart* from, const HeftModel* a,
                           const HeftModel* b, const ModelMatch* match) {
  double *const *into = to->by_source, *const *out_of = from->by_source;
  clear_joints(to, b);
  carry_contacts(to, from, match);
  heft_match_copy_dofs(match, a, b, out_of[CONSTRAINT_LIMIT], into[CONSTRAINT_LIMIT], 2);
  heft_match_copy_dofs(match, a, b, out_of[CONSTRAINT_DRY], into[CONSTRAINT_DRY], 1);
  heft_match_copy(match->equality, a->nequality, out_of[CONSTRAINT_EQUALITY],
                  into[CONSTRAINT_EQUALITY], 6);
  heft_match_copy(match->tendon, a->ntendon, out_of[CONSTRAINT_TENDON_LIMIT],
                  into[CONSTRAINT_TENDON_LIMIT], 2);
  heft_match_copy(match->tendon, a->ntendon, out_of[CONSTRAINT_TENDON_DRY],
                  into[CONSTRAINT_TENDON_DRY], 1);
}
