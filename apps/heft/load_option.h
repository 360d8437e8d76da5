// SPDX-License-Identifier: Apache-2.0
// Loads and support of a robot, for verbs that judge motions: --load BODY=MASS@X,Y,Z.
#ifndef HEFT_APPS_LOAD_OPTION_H
#define HEFT_APPS_LOAD_OPTION_H

#include "judge/judge.h"

typedef struct LoadOptions {
  const char* text[JUDGE_LOADS];
  int count;
} LoadOptions;

/// 1: taken, 0: too many (reported).
int load_options_take(LoadOptions* options, const char* verb, const char* text);
/// Finds the bodies of the loads and of support, which may be NULL. 0: wrong (reported).
int load_options_apply(const LoadOptions* options, const char* verb, const HeftModel* model,
                       const char* support, JudgeDef* def);

#endif
