// SPDX-License-Identifier: Apache-2.0
// Bodies of a loaded model that overlap at its start.
#ifndef HEFT_SRC_IO_OVERLAPS_H
#define HEFT_SRC_IO_OVERLAPS_H

#include <heft/io.h>

enum { OVERLAPS_MAX = 256 };

typedef struct LoadOverlaps {
  HeftOverlap pair[OVERLAPS_MAX];
  HeftOverlapCounts counts;
} LoadOverlaps;

/// Finds the overlaps at the start of a URDF: in its keyframe "home", or in the pose of the file.
/// HEFT_ERR_MEMORY if there is no memory.
HeftStatus load_overlaps_find(const HeftModel* model, const HeftAllocator* allocator,
                              LoadOverlaps* out);
/// Stores the pairs of links that can be excluded; returns how many.
int load_overlaps_excludes(const HeftModel* model, const LoadOverlaps* overlaps,
                           HeftLinkPair out[OVERLAPS_MAX]);
/// Calls the hook of the def, or without one warns once. With HeftLoadDef.strict a pair is a
/// mistake: its status is returned, and error explains it.
HeftStatus load_overlaps_report(const HeftModel* model, const LoadOverlaps* overlaps,
                                const char* path, const HeftLoadDef* def, HeftError* error);

#endif
