// SPDX-License-Identifier: Apache-2.0
// Hints for names that do not exist: the nearest one, or a list of all.
#include "names.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 24 };

static const char* nearest(const char* given, Names names) {
  const char* best = NULL;
  int fewest = -1;
  for (int i = 0; i < names.count; ++i) {
    const char* name = names.name(names.from, i);
    const int n = heft_name_distance(given, name);
    if (n < 0 || (fewest >= 0 && n >= fewest)) continue;
    fewest = n;
    best = name;
  }
  return best;
}

static void list(Names names, char* text, size_t size) {
  size_t length = 0;
  int shown = 0, left = 0;
  for (int i = 0; i < names.count; ++i) {
    const char* name = names.name(names.from, i);
    if (!name[0]) continue;
    if (shown == SHOWN || length + strlen(name) + 40 > size) {
      ++left;
      continue;
    }
    length += (size_t)snprintf(text + length, size - length, "%s%s",
                               shown++ ? ", " : "these exist: ", name);
  }
  if (shown == 0) snprintf(text, size, "there are none");
  if (left > 0) snprintf(text + length, size - length, " and %d more", left);
}

char* names_hint(const char* given, Names names, char* text, size_t size) {
  const char* meant = nearest(given, names);
  if (meant)
    snprintf(text, size, "did you mean '%s'?", meant);
  else
    list(names, text, size);
  return text;
}

int names_wrong(const char* verb, const char* what, const char* given, Names names) {
  char hint[400];
  fprintf(stderr, "heft %s: %s '%s'; %s\n", verb, what, given,
          names_hint(given, names, hint, sizeof hint));
  return 0;
}

static const char* name_in_model(const void* from, int index) {
  const NamesModel* of = from;
  return heft_model_name(of->model, of->kind, index);
}

static int count_in_model(const HeftModel* model, HeftNamed kind) {
#define COUNT(name, array, count, text) \
  case name:                            \
    return model->count;
  switch (kind) {
    HEFT_NAMED_LIST(COUNT)
    case HEFT_NAMED_COUNT:
      break;
  }
#undef COUNT
  return 0;
}

Names names_of_model(const NamesModel* of) {
  return (Names){name_in_model, of, count_in_model(of->model, of->kind)};
}

int names_wrong_in(const char* verb, const char* what, const char* given, const HeftModel* model,
                   HeftNamed kind) {
  const NamesModel of = {model, kind};
  return names_wrong(verb, what, given, names_of_model(&of));
}
