// SPDX-License-Identifier: Apache-2.0
// Acts: what the robot of an experiment does, step by step.
//
// An experiment opens its act, steps it, logs and judges. The same act is a plug-in (act_plugin.h),
// so that it can be watched, pushed and rewound in the window. For this its data is plain: numbers
// and arrays, no pointers. Objects belong to the laboratory.
#ifndef HEFT_EXPERIMENTS_ACT_H
#define HEFT_EXPERIMENTS_ACT_H

#include <heft/interact.h>
#include <heft/plugin.h>
#include <stddef.h>

#include "experiments/lab.h"

/// A part of the data of an act that is no real number, so that bytes from outside are checked
/// before it is used.
typedef enum ActPartKind {
  ACT_PART_FOUND,  ///< numbers of elements, and other settings that begin makes: those of the bytes
                   ///< must be the same
  ACT_PART_RANGE,  ///< an integer or a bool, from min to max
  ACT_PART_GOAL    ///< a HeftBipedGoal; its pointers are NULL between steps
} ActPartKind;

typedef struct ActPart {
  ActPartKind kind;
  size_t offset, size;  ///< [bytes]
  int min, max;
} ActPart;

typedef struct ActParts {
  const ActPart* part;
  int count;
} ActParts;

#define ACT_SIZE(type, field) sizeof(((type*)0)->field)
#define ACT_FOUND(type, field) \
  { ACT_PART_FOUND, offsetof(type, field), ACT_SIZE(type, field), 0, 0 }
#define ACT_RANGE(type, field, min, max) \
  { ACT_PART_RANGE, offsetof(type, field), ACT_SIZE(type, field), min, max }
#define ACT_GOAL(type, field) \
  { ACT_PART_GOAL, offsetof(type, field), ACT_SIZE(type, field), 0, 0 }
/// The integers of a HeftGestureState and of a HeftBehaviourState.
#define ACT_GESTURE(type, field)                                                               \
  ACT_RANGE(type, field.touched, 0, 1), ACT_RANGE(type, field.held, 0, 1),                     \
      ACT_RANGE(type, field.reported, 0, HEFT_GESTURE_COUNT - 1),                              \
      ACT_RANGE(type, field.body, -1, 1000000000), ACT_RANGE(type, field.taps, 0, 1000000000), \
      ACT_RANGE(type, field.swings, 0, 1000000000)
#define ACT_BEHAVIOUR(type, field) ACT_RANGE(type, field.mode, 0, 3)
/// A table of parts, as Act::parts.
#define ACT_PARTS(table) \
  { table, sizeof(table) / sizeof *(table) }

typedef struct Act {
  const char *name, *text;
  const char* experiment;  ///< name of the experiment that judges it; NULL: the same
  const char* file;        ///< of the model
  const LabAngle* pose;    ///< initial angles; may be NULL
  size_t size;             ///< of the data of the act, `self`
  HeftOptions options;     ///< fields of self that a user may set
  HeftOptions values;      ///< fields of self that plots show
  ActParts parts;          ///< fields of self that are no real numbers; flags that only conditions
                           ///< read may be left out
  int may_lie;             ///< 1: no robot could fall, or the act goes on with one that fell
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
