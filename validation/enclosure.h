// SPDX-License-Identifier: Apache-2.0
// Which points a surface encloses, on a grid of cells.
#ifndef HEFT_VALIDATION_ENCLOSURE_H
#define HEFT_VALIDATION_ENCLOSURE_H

#include "validation/surface.h"

/// What a cell is.
typedef enum CellState {
  CELL_INSIDE,  ///< no path of cells leads to it from outside
  CELL_MIXED,   ///< triangles cross it, or come close to it
  CELL_OUTSIDE
} CellState;

/// Cells over the box of a surface, and one more on each side.
typedef struct Enclosure {
  double low[3], side;
  int count[3];
  unsigned char* state;  ///< CellState, x fastest
} Enclosure;

/// Makes a grid with cells of about a side [m]. Openings that are narrower than the side are
/// closed, openings of three sides are open. Returns 0 without memory.
int enclosure_make(Enclosure* e, const Surface* s, double side);
CellState enclosure_at(const Enclosure* e, HeftVec3 x);
void enclosure_release(Enclosure* e);

#endif
