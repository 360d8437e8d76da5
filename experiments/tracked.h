// SPDX-License-Identifier: Apache-2.0
// A person as tracked points, from a table of markers (C3D, BVH, or CSV with the same columns).
#ifndef HEFT_EXPERIMENTS_TRACKED_H
#define HEFT_EXPERIMENTS_TRACKED_H

#include "experiments/lab.h"
#include "io/c3d.h"

typedef struct Tracked {
  const HeftC3dTable* table;
  int column[LAB_TRACKED][4][3];  ///< up to four markers, whose mean is the point; -1: none
} Tracked;

/// Finds the markers. HEFT_ERR_NAME: there are none for head and hands.
HeftStatus tracked_find(Tracked* out, const HeftC3dTable* table, HeftError* error);
/// The points of a row. Returns bits of those that were seen.
unsigned tracked_at(const Tracked* tracked, int64_t row, HeftVec3 point[LAB_TRACKED]);

#endif
