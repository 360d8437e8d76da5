// SPDX-License-Identifier: Apache-2.0
// The choice of a contact model on the command line: WORD, or WORD:NAME=VALUE,NAME=VALUE...
#ifndef HEFT_APPS_CONTACT_OPTIONS_H
#define HEFT_APPS_CONTACT_OPTIONS_H

#include <heft/world.h>

/// Reads "penalty" or "penalty:stiffness=5000,damping=20" into a model and its options, which start
/// from the default ones. Returns 0, and says on stderr as `who` what is wrong, if it cannot.
int contact_options_read(const char* who, const char* text, HeftContactModel* model,
                         HeftContactOptions* options);
/// Prints all models and options with their meanings, for --help.
void contact_options_print(void);

#endif
