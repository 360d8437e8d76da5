// SPDX-License-Identifier: Apache-2.0
// The cases of `heft bench motion`.
#ifndef HEFT_APPS_MOTION_CASES_H
#define HEFT_APPS_MOTION_CASES_H

#include <stddef.h>
#include <stdio.h>

#include "scenes/motion.h"

/// A model that is moved in one or more ways. A case is a pair of model and way: NAME/KIND.
typedef struct MotionModel {
  const char *name, *group, *text;
  const char* file;  ///< of the scenes; with the prefix models/: a third-party model
  int kinds;         ///< bits: 1 << MotionKind
  int key;           ///< keyframe at the start; -1: none
  int held;          ///< bits: 1 << MotionKind in which springs hold the joints
  double push;       ///< of MOTION_PUSH [N]
  double tolerance;
  int quick;  ///< bits: 1 << MotionKind that --quick runs
} MotionModel;

extern const MotionModel motion_models[];
extern const int motion_model_count;

/// Folders of the files.
typedef struct MotionFolders {
  const char *models, *scenes;  ///< NULL: not installed
} MotionFolders;

/// Path of the model's file. 0: it is not installed.
int motion_model_path(const MotionModel* model, const MotionFolders* folders, char* path,
                      size_t size);

/// 1 if a name of the command line means the case: NAME/KIND, NAME, KIND, or its group.
int motion_means(const char* given, const MotionModel* model, MotionKind kind);

#endif
