// SPDX-License-Identifier: Apache-2.0
// Pairs of bodies that overlap at the start: contact pushes them apart, which is seldom meant.
#ifndef HEFT_APPS_OVERLAPS_H
#define HEFT_APPS_OVERLAPS_H

#include <heft/heft.h>

enum { OVERLAPS_MAX = 256 };

typedef struct Overlap {
  int body[2];
  int shape[2];
  double depth;  ///< [m]
  char name[2][64];
} Overlap;

typedef struct Overlaps {
  Overlap pair[OVERLAPS_MAX];  ///< the deepest first
  int count;
  int more;          ///< pairs that did not fit
  int last[2];       ///< bodies of the pair that was counted last
  long long unseen;  ///< pairs of shapes close to each other that were not compared
  int looked;        ///< 0: pairs were not looked for, for want of memory
} Overlaps;

/// Finds the pairs in a keyframe (-1: the pose in the file). Returns 0 if it would need more memory
/// than is allowed.
int overlaps_find(const HeftModel* model, int key, Overlaps* out);
/// Stores the names of the bodies, so that they outlive the model.
void overlaps_name(Overlaps* overlaps, const HeftModel* model);
/// Whether all pairs were compared.
int overlaps_complete(const Overlaps* overlaps);
/// Forgets all pairs.
void overlaps_clear(Overlaps* overlaps);
/// Prints them to stderr as one warning, with the lines of a file that exclude them: SRDF of a
/// URDF, or MJCF. Pairs that were not compared are a note.
void overlaps_report(const Overlaps* overlaps, const HeftModel* model, const char* path, int urdf);

#endif
