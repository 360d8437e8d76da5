// SPDX-License-Identifier: Apache-2.0
#include "option_names.h"

#include <heft/base.h>
#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 128, NAME_SIZE = 40 };

typedef struct OptionNames {
  char name[NAMES_MAX][NAME_SIZE];
  int count;
} OptionNames;

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

static void add(OptionNames* o, const char* name, size_t length) {
  if (o->count == NAMES_MAX || length < 3 || length >= NAME_SIZE) return;
  for (int i = 0; i < o->count; ++i) {
    if (strlen(o->name[i]) == length && memcmp(o->name[i], name, length) == 0) return;
  }
  memcpy(o->name[o->count], name, length);
  o->name[o->count++][length] = '\0';
}

// Options begin a line of help, or follow a comma there: "  -o, --out FILE".
static void read_help(OptionNames* o, const char* help) {
  for (const char* line = help; *line; line += line[strcspn(line, "\n")] != '\0') {
    const char* end = line + strcspn(line, "\n");
    const char* at = line;
    while (*at == ' ') ++at;
    while (at > line && at < end && *at == '-') {
      const char* stop = at;
      while (is_letter(*stop)) ++stop;
      if (at[1] == '-') add(o, at, (size_t)(stop - at));
      at = stop[0] == ',' && stop[1] == ' ' ? stop + 2 : end;
    }
    line = end;
  }
}

static const char* name_of(const void* from, int index) {
  return ((const OptionNames*)from)->name[index];
}

int option_names_wrong(const char* verb, const char* help, const char* more_help,
                       const char* given) {
  OptionNames names = {.count = 0};
  char hint[400];
  if (given[0] != '-') {
    fprintf(stderr, "heft %s: error: there is no use for '%s'; try 'heft %s --help'\n", verb, given,
            verb);
    return 0;
  }
  read_help(&names, help);
  read_help(&names, more_help);
  for (int i = 0; i < names.count; ++i) {
    if (strcmp(names.name[i], given) != 0) continue;
    fprintf(stderr, "heft %s: error: the value of %s is missing or wrong; try 'heft %s --help'\n",
            verb, given, verb);
    return 0;
  }
  heft_names_hint((HeftNames){name_of, &names, names.count}, given, hint, sizeof hint);
  const int near = strncmp(hint, "did you mean", 12) == 0;
  fprintf(stderr, "heft %s: error: unknown option '%s'; %s%s'heft %s --help' lists all\n", verb,
          given, near ? hint : "", near ? " " : "", verb);
  return 0;
}
