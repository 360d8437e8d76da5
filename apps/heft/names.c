// SPDX-License-Identifier: Apache-2.0
// Messages about names on the command line that do not exist.
#include "names.h"

#include <stdio.h>

int names_wrong(const char* verb, const char* what, const char* given, Names names) {
  char hint[400];
  fprintf(stderr, "heft %s: error: %s '%s'; %s\n", verb, what, given,
          heft_names_hint(names, given, hint, sizeof hint));
  return 0;
}

static const char* name_in_model(const void* from, int index) {
  const NamesModel* of = from;
  return heft_model_name(of->model, of->kind, index);
}

Names names_of_model(const NamesModel* of) {
  return (Names){name_in_model, of, heft_model_named_count(of->model, of->kind)};
}

int names_wrong_in(const char* verb, const char* what, const char* given, const HeftModel* model,
                   HeftNamed kind) {
  const NamesModel of = {model, kind};
  return names_wrong(verb, what, given, names_of_model(&of));
}
