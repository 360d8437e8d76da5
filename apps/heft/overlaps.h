// SPDX-License-Identifier: Apache-2.0
// The report of bodies that overlap at the start, which the loader finds.
#ifndef HEFT_APPS_OVERLAPS_H
#define HEFT_APPS_OVERLAPS_H

#include <heft/heft.h>
#include <heft/io.h>

enum { OVERLAPS_MAX = 256 };

typedef struct Overlaps {
  HeftOverlap pair[OVERLAPS_MAX];  ///< the deepest first
  char name[OVERLAPS_MAX][2][64];  ///< of the bodies, so that they outlive the model
  HeftOverlapCounts counts;
} Overlaps;

/// Keeps what the loader found, with the names of the bodies.
void overlaps_keep(Overlaps* overlaps, const HeftModel* model, const HeftOverlap* pairs,
                   const HeftOverlapCounts* counts);
/// Whether all pairs were compared.
int overlaps_complete(const Overlaps* overlaps);
/// Prints them to stderr as one warning, with the lines of a file that exclude them: SRDF of a
/// URDF, or MJCF. Pairs that were not compared are a note.
void overlaps_report(const Overlaps* overlaps, const char* path, int urdf);
/// Prints a note for each pair that does not collide.
void overlaps_report_excluded(const Overlaps* overlaps, const char* path);

#endif
