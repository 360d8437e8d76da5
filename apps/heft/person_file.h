// SPDX-License-Identifier: Apache-2.0
// A recorded person who moves a robot or an avatar (experiments/mirror.h): a BVH, C3D or CSV file.
#ifndef HEFT_APPS_PERSON_FILE_H
#define HEFT_APPS_PERSON_FILE_H

#include "experiments/tracked.h"
#include "measured_file.h"
#include "session_file.h"

typedef struct PersonFile {
  MeasuredFile file;
  Tracked tracked;
  HeftUserForces forces;  ///< the points of now
  int64_t row;            ///< the first that was not seen yet
} PersonFile;

/// Reads a file; out has to stay where it is. 0 on failure (reported).
int person_file_open(PersonFile* out, const char* verb, const char* path);
/// Duration of the motion [s].
double person_file_duration(const PersonFile* person);
/// Before a step of a world: sees the sample of this time, stores it in log, which may be NULL, and
/// writes the points as hands. Returns their number.
int person_file_see(PersonFile* person, HeftWorld* world, SessionFile* log,
                    HeftHand hands[HEFT_ACTION_SLOTS]);
void person_file_release(PersonFile* person);

#endif
