// SPDX-License-Identifier: Apache-2.0
// Names on the command line: an unknown name is rejected. The message suggests the nearest name, or
// lists the names that exist.
#ifndef HEFT_APPS_NAMES_H
#define HEFT_APPS_NAMES_H

#include <heft/heft.h>

typedef HeftNames Names;

/// The names of one kind in a model. A NamesModel must live as long as its Names.
typedef struct NamesModel {
  const HeftModel* model;
  HeftNamed kind;
} NamesModel;
Names names_of_model(const NamesModel* of);

/// Reports "heft verb: what 'given'" with a hint, and returns 0.
int names_wrong(const char* verb, const char* what, const char* given, Names names);
/// names_wrong() for a kind of a model.
int names_wrong_in(const char* verb, const char* what, const char* given, const HeftModel* model,
                   HeftNamed kind);

#endif
