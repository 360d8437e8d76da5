// SPDX-License-Identifier: Apache-2.0
// More errors of a model file than the first one.
#ifndef HEFT_APPS_ALL_ERRORS_H
#define HEFT_APPS_ALL_ERRORS_H

#include <heft/io.h>

/// [in] first: the error with which the file was refused; [out] more[capacity]: others, in the
/// order of their lines. Returns how many.
int all_errors_find(const HeftLoadDef* def, const char* path, const HeftError* first,
                    HeftError* more, int capacity);

#endif
