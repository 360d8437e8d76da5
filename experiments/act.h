// SPDX-License-Identifier: Apache-2.0
// Acts: what the robot of an experiment does, step by step.
//
// An experiment opens its act, steps it, logs and judges. The same act is a plug-in (act_plugin.h),
// so that it can be watched, pushed and rewound in the window. For this its data is plain: numbers
// and arrays, no pointers. Objects belong to the laboratory.
#ifndef HEFT_EXPERIMENTS_ACT_H
#define HEFT_EXPERIMENTS_ACT_H

#include <heft/plugin.h>

#include "experiments/lab.h"

typedef struct Act {
  const char *name, *text;
  const char* experiment;  ///< name of the experiment that judges it; NULL: the same
  const char* file;        ///< of the model
  const LabAngle* pose;  ///< initial angles; may be NULL
  size_t size;           ///< of the data of the act, `self`
  HeftOptions options;   ///< fields of self that a user may set
  HeftOptions values;    ///< fields of self that plots show
  int may_lie;           ///< 1: there is no robot that could fall
  /// The laboratory is open and the robot in its initial pose. self is zero except for its options.
  /// Returns 0, with lab->error, on failure. May be NULL.
  int (*begin)(Lab* lab, void* self);
  /// Sets goal and controls of the coming step.
  void (*control)(Lab* lab, void* self);
  /// Reads the result of a step. May be NULL.
  void (*observe)(Lab* lab, void* self, const HeftStepReport* report);
} Act;

/// Opens the laboratory with the file and the pose of the act, and begins it. Returns 0, with
/// lab->error, on failure.
int act_open(const Act* act, Lab* lab, void* self);
/// One step: control, world, observe.
HeftStepReport act_step(const Act* act, Lab* lab, void* self);

#endif
