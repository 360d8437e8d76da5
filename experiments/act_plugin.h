// SPDX-License-Identifier: Apache-2.0
// Acts as plug-ins: `heft view walk` shows the robot of an experiment, to be pushed and rewound.
#ifndef HEFT_EXPERIMENTS_ACT_PLUGIN_H
#define HEFT_EXPERIMENTS_ACT_PLUGIN_H

#include "experiments/act.h"

/// Row i of the table of acts, NULL beyond its end.
const Act* act_at(int i);
/// By its name; NULL if there is none.
const Act* act_find(const char* name);
/// The plug-in of an act. Its world is one of the act's file; create sets the initial pose.
const HeftPlugin* act_plugin(const Act* act);

#endif
