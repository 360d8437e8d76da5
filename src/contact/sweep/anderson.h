// SPDX-License-Identifier: Apache-2.0
// Anderson acceleration of the sweeps.
#ifndef HEFT_SRC_CONTACT_SWEEP_ANDERSON_H
#define HEFT_SRC_CONTACT_SWEEP_ANDERSON_H

#include "contact/core/core.h"

// Columns that are stored: fewer sweeps against the cost of a column, which by effectors is a
// third of a sweep. docs/internals/contact.md states the effect of half and twice each value.
enum {
  ANDERSON_MEMORY = 8,  // explicit blocks and large trees, where sweeps are expensive
  ANDERSON_SMALL = 5,   // fewer than SMALL_SLOTS slots
  SMALL_SLOTS = 256,
  TREE_SLOTS = 4096,      // more slots or states: a large tree has no room for its columns
  ANDERSON_EFFECTORS = 3  // operators by effectors
};

typedef struct Anderson {
  int memory;       // columns that are stored
  int count, head;  // columns in use, and where the next one goes
  int slots, states;
  double norm;    // |f| of the last sweep, infinite after a restart
  double raised;  // largest |γ| since z was computed from r: its rounding may have grown by that
  double gram[ANDERSON_MEMORY * ANDERSON_MEMORY];
  double right[ANDERSON_MEMORY];  // ΔF · f
  double* weight;                 // √w of each row
  double* start;                  // r before the sweep
  double *f, *f_last;             // weighted change made by the sweep
  double *g_last, *z_last;  // result of the last sweep: where to return after a bad extrapolation
  double *df, *dg, *dz;     // columns of differences
} Anderson;

/// explicit: problems may be given by blocks, which remember more sweeps, and so do those with
/// large_trees, those that core->hanging is about; all with more than one effector may be.
void anderson_take(Anderson* a, Arena* arena, size_t slots, size_t states, int explicit,
                   int large_trees);
void anderson_begin(Anderson* a, const Core* core);
/// Stores r before a sweep.
void anderson_before(Anderson* a, const double* r);
/// After a sweep: stores the extrapolation in core->r and core->z. Returns 1 if it extrapolated, 0
/// if they are left as the sweep made them, -1 if the last extrapolation was bad and they are set
/// back to before it. Vectors are exchanged, not copied: core->r and core->z are others afterwards.
int anderson_after(Anderson* a, Core* core);
/// Recomputes z and the stored z from their impulses: rounding errors add up in them.
void anderson_refresh(Anderson* a, Core* core, const double* r, double* z);

#endif
