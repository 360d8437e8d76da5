// SPDX-License-Identifier: Apache-2.0
// The cases of `heft bench motion`.
#ifndef HEFT_APPS_MOTION_CASES_H
#define HEFT_APPS_MOTION_CASES_H

#include <stddef.h>
#include <stdio.h>

#include "motion_scenes.h"
#include "scenes/motion.h"

/// A model that is moved in one or more ways. A case of a robot is a pair of model and way,
/// NAME/KIND; other models just run.
typedef struct MotionModel {
  const char *name, *group, *text;
  const char* file;  ///< of the scenes; with the prefix models/: a third-party model
  int kinds;         ///< bits: 1 << MotionKind
  int key;           ///< keyframe at the start; -1: none
  int held;          ///< bits: 1 << MotionKind in which springs hold the joints
  int quick;         ///< bits: 1 << MotionKind that --quick runs
  double push;       ///< of MOTION_PUSH [N]
  double tolerance;
  double seconds;       ///< simulated time [s]; 0: from the command line
  int repeats;          ///< 0: from the command line
  int counted_from;     ///< first step whose instructions are counted
  double control;       ///< of all actuators; 0: from the kind
  MotionWriter* write;  ///< of a generated scene; file is then NULL
  int size;             ///< of the generated scene
} MotionModel;

extern const MotionModel motion_models[];
extern const int motion_model_count;

/// Folders of the files.
typedef struct MotionFolders {
  const char *models, *scenes;  ///< NULL: not installed
} MotionFolders;

enum { MOTION_PATH = 1200 };

/// Path of the model's file; a generated one is written first. 0: it is not installed, or cannot be
/// written.
int motion_model_open(const MotionModel* model, const MotionFolders* folders,
                      char path[MOTION_PATH]);
/// Removes a generated file.
void motion_model_close(const MotionModel* model, char path[MOTION_PATH]);

/// 1 if the cases of a model are motions of a robot.
int motion_is_robot(const MotionModel* model);

/// Name of a case.
void motion_case_name(const MotionModel* model, MotionKind kind, char* out, size_t size);

/// 1 if a name of the command line means the case: NAME/KIND, NAME, KIND, or its group.
int motion_means(const char* given, const MotionModel* model, MotionKind kind);

#endif
