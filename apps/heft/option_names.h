// SPDX-License-Identifier: Apache-2.0
// Messages about options that do not exist. The names come from the text of the help, so that they
// cannot differ from it.
#ifndef HEFT_APPS_OPTION_NAMES_H
#define HEFT_APPS_OPTION_NAMES_H

/// Reports that an option is unknown, or that its value is missing if the help lists it, with the
/// nearest option of the two texts. Returns 0.
int option_names_wrong(const char* verb, const char* help, const char* more_help,
                       const char* given);

#endif
