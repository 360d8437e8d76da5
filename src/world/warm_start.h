// SPDX-License-Identifier: Apache-2.0
// WarmStart: the impulses of a step, stored for the next one.
#ifndef HEFT_SRC_WORLD_WARM_START_H
#define HEFT_SRC_WORLD_WARM_START_H

#include "base/pool.h"
#include "model/match.h"
#include "world/constraint_set.h"

/// Numbers that a contact model may store for each contact point from step to step.
enum { MODEL_MEMORY = 4 };

/// The impulse of a contact point, with its identity. Plain data: snapshots hold it as it is.
typedef struct WarmContact {
  int name[4];  ///< bodies and shapes
  int dim;
  int slips;  ///< 1 if it slipped at the end of the step and has static friction
  uint64_t feature;
  double pos[3];  ///< where it was
  double impulse[6];
  double memory[MODEL_MEMORY];  ///< of the contact model
} WarmContact;

/// Filled by warm_start.c at the end of a step; constraint_rows.c reads it in the next one.
typedef struct WarmStart {
  WarmContact* contact;
  int contact_count;
  double* by_source[CONSTRAINT_KIND_COUNT];  ///< impulses of joints and tendons; NULL for contacts
  double* known;   ///< 1 if `stored` is known, 0 if not; NULL if there is none
  double* stored;  ///< nlink: energy that the soft contact points of the tree of a root may return
                   ///< (soft_store.c) [J]; NULL if there are none
} WarmStart;

/// Forgets all impulses.
void heft_warm_start_clear(WarmStart* warm, const HeftModel* model);
/// Multiplies all impulses, for a step of another length.
void heft_warm_start_scale(WarmStart* warm, const HeftModel* model, double factor);
/// Stores the impulses (rows) of a step, by the threads of a pool, if there is one. memory: of the
/// contact model by contact point, or NULL.
void heft_warm_start_store(WarmStart* warm, const HeftModel* model, const ConstraintSet* set,
                           const double* impulse, double (*memory)[MODEL_MEMORY], HeftPool* pool);

/// Takes the impulses of another model over, for the elements that match. There is room for all
/// contact points.
void heft_warm_start_carry(WarmStart* to, const WarmStart* from, const HeftModel* from_model,
                           const HeftModel* to_model, const ModelMatch* match);

#endif
