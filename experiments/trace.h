// SPDX-License-Identifier: Apache-2.0
// A run as force plates, markers and encoders would record it.
#ifndef HEFT_EXPERIMENTS_TRACE_H
#define HEFT_EXPERIMENTS_TRACE_H

#include "experiments/lab.h"

/// Columns, with the names of measured files (docs/manual/experiments.md): time; plate1.fx, .fy and
/// .fz of the left foot, plate2 of the right one; hand.fx.., the force on the right hand; com.x..;
/// angle.JOINT and torque.JOINT of each joint with a motor.
struct LabTrace {
  char (*name)[48];
  double* number;  ///< rows x columns
  int columns, every, step;
  long rows, room;
};

/// Forces on the left foot, the right foot and the right hand [N].
enum { TRACE_FORCES = 3 };

/// An empty one, which takes every so many steps.
LabTrace trace_make(int every);
/// As Lab::record: names the columns of lab->trace, or records the contacts of the world. Returns 0
/// if there is no memory.
int trace_record(Lab* lab, int begins);
/// Records the present state, and forces of the step that led to it.
void trace_row(LabTrace* trace, const Lab* lab, const HeftVec3 force[TRACE_FORCES]);
void trace_release(LabTrace* trace);

#endif
