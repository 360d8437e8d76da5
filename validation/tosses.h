// SPDX-License-Identifier: Apache-2.0
// Measured tosses of a cube, for the cases that follow or forecast them.
#ifndef HEFT_VALIDATION_TOSSES_H
#define HEFT_VALIDATION_TOSSES_H

#include "validation/cases.h"

#define TOSS_EDGE 0.1048  ///< of the cube [m]
#define TOSS_RATE 148.0   ///< rows in a second

enum { TOSSES_MAX = 1000, TOSS_COLUMNS = 13 };

typedef struct Toss {
  int count;
  double (*rows)[TOSS_COLUMNS];
} Toss;

typedef struct Tosses {
  int count;
  Toss toss[TOSSES_MAX];
} Tosses;

/// Reads the tosses of the run's folder. NULL on failure, with the reason in the engine.
Tosses* tosses_read(Run* run);
void tosses_free(Tosses* tosses);
/// The state of a row.
EngineBody toss_body(const double row[TOSS_COLUMNS]);
/// The face that is up: 0, 1, 2 for x, y, z, and 3 more if it is the opposite one.
int toss_face(HeftQuat q);
/// Another order of numbers; state is that of the random numbers.
void tosses_shuffle(int* order, int count, uint64_t* state);

#endif
