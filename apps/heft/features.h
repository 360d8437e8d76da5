// SPDX-License-Identifier: Apache-2.0
// Features of this build of the command.
#ifndef HEFT_APPS_FEATURES_H
#define HEFT_APPS_FEATURES_H

// Prints compiler, processor, libraries built in, contact models and drivers to stdout.
void heft_print_features(void);

#endif
