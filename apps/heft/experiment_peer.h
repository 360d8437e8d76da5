// SPDX-License-Identifier: Apache-2.0
// Another engine beside Heft in experiments in open loop.
#ifndef HEFT_APPS_EXPERIMENT_PEER_H
#define HEFT_APPS_EXPERIMENT_PEER_H

#include "measured_file.h"

/// 1 if the experiment has an act that the other engine can step.
int experiment_peer_has(const char* experiment);
/// Runs the act in MuJoCo, draws it beside the experiment's curves and claims how far it is from
/// the recorded run. Returns 0, with lab->error, on failure.
int experiment_peer_run(Lab* lab, const char* experiment, const char* models,
                        const LabTrace* trace);

#endif
