// SPDX-License-Identifier: Apache-2.0
// Names on the command line: an unknown name is rejected. The message suggests the nearest name, or
// lists the names that exist.
#ifndef HEFT_APPS_NAMES_H
#define HEFT_APPS_NAMES_H

#include <heft/heft.h>

/// Names to choose from: name(from, 0) .. name(from, count - 1). Empty names are skipped.
typedef struct Names {
  const char* (*name)(const void* from, int index);
  const void* from;
  int count;
} Names;

/// The names of one kind in a model. A NamesModel must live as long as its Names.
typedef struct NamesModel {
  const HeftModel* model;
  HeftNamed kind;
} NamesModel;
Names names_of_model(const NamesModel* of);

/// Writes "did you mean 'home'?", or "these exist: home, squat", or "there are none". Returns text.
char* names_hint(const char* given, Names names, char* text, size_t size);
/// Reports "heft verb: what 'given'" with a hint, and returns 0.
int names_wrong(const char* verb, const char* what, const char* given, Names names);
/// The same for a kind of a model.
int names_wrong_in(const char* verb, const char* what, const char* given, const HeftModel* model,
                   HeftNamed kind);

#endif
