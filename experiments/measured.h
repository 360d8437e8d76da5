// SPDX-License-Identifier: Apache-2.0
// Files that others measured: drawn beside an experiment, compared with it, or leading it.
#ifndef HEFT_EXPERIMENTS_MEASURED_H
#define HEFT_EXPERIMENTS_MEASURED_H

#include "experiments/lab.h"
#include "io/c3d.h"

struct LabMeasured {
  HeftC3dTable table[2];  ///< the first column of each is the time; the caller keeps them
  int tables;
  const char* name;    ///< of their curves: "measured", or an engine
  double begin;        ///< time of the experiment at which they begin [s]
  const char* marker;  ///< leads the centre of mass of open-loop motions; NULL: none
};

/// How far a channel of the experiment is from its measured counterpart.
typedef struct LabDifference {
  int channel, rows;
  double rms, signal;  ///< of the difference, and of the measured values about their mean
} LabDifference;

/// Value of a column at a time of the experiment, between two rows. Returns 0 if there is none.
int measured_at(const LabMeasured* measured, const char* column, double time, double* out);
/// Moves a planned centre of mass as the marker moves, if one leads.
void measured_lead(const Lab* lab, double time, HeftVec3* com);
/// Adds the measured counterparts to log and panels. Returns how many there are.
int lab_compare(Lab* lab, const LabMeasured* measured, LabDifference out[LAB_CHANNELS_MAX]);

/// RMS of the difference of two runs over the RMS of the changes in the first, after a time.
typedef struct LabApart {
  double force, torque, angle, com;
} LabApart;

/// Of another engine (a table of the same columns) from the recorded run.
LabApart lab_apart(const LabTrace* trace, const HeftC3dTable* other, double after);

#endif
