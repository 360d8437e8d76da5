// SPDX-License-Identifier: Apache-2.0
// A policy in Python: a process that gets the states of many worlds at once and answers with their
// controls. docs/manual/sweep.md describes the file.
#ifndef HEFT_APPS_SWEEP_POLICY_H
#define HEFT_APPS_SWEEP_POLICY_H

#include <heft/base.h>

typedef struct Policy Policy;

typedef struct PolicySizes {
  int nq, nv, nsensordata, nactuator;
} PolicySizes;

/// Input of the policy: arrays with one row per world.
typedef struct PolicyView {
  int count;
  const int64_t* run;
  const double *time, *q, *v, *sensors;
} PolicyView;

/// Starts python3 with the file. *out is NULL on failure.
HeftStatus policy_open(Policy** out, const char* path, PolicySizes sizes, HeftError* error);
void policy_close(Policy* policy);
/// Controls (count x nactuator) for the states.
HeftStatus policy_act(Policy* policy, const PolicyView* view, double* controls, HeftError* error);

#endif
