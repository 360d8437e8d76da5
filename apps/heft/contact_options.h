// SPDX-License-Identifier: Apache-2.0
// A contact model on the command line: NAME, or NAME:OPTION=VALUE,OPTION=VALUE...
#ifndef HEFT_APPS_CONTACT_OPTIONS_H
#define HEFT_APPS_CONTACT_OPTIONS_H

#include <heft/world.h>

/// Reads "penalty" or "penalty:stiffness=5000,damping=20" into a model and its options, which start
/// from the default ones. Returns 0 on failure, which is reported on stderr as `who`.
int contact_options_read(const char* who, const char* text, HeftContactModel* model,
                         HeftContactOptions* options);
/// Prints all models and options with their meanings, for --help.
void contact_options_print(void);
/// Name of the contact law of a plug-in, or of the contact model.
const char* contact_law_name(const HeftWorld* world);

/// Reads NAME=VALUE into the bounds of the errors of a step. Returns 1, or 0 if it is wrong, with a
/// message.
int bound_read(const char* who, const char* text, HeftStepBounds* bounds);

#endif
