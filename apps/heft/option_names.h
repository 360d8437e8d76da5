// SPDX-License-Identifier: Apache-2.0
// Messages about options that do not exist. The names come from the text of the help, so that they
// cannot differ from it.
#ifndef HEFT_APPS_OPTION_NAMES_H
#define HEFT_APPS_OPTION_NAMES_H

/// Reports an argument of no use: an unknown option, with the nearest one of the two texts; an
/// option that the help lists, whose value is missing or wrong; or an extra argument. Returns 0.
int option_names_wrong(const char* verb, const char* help, const char* more_help,
                       const char* given);

#endif
