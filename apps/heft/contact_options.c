// SPDX-License-Identifier: Apache-2.0
#include "contact_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

enum { TEXT_MAX = 512 };

static int wrong(const char* who, const char* what, const char* value) {
  fprintf(stderr, "heft %s: error: %s '%s'\n", who, what, value);
  return 0;
}

// Sets a field of an object by OPTION=VALUE, as its table allows.
static int read_option(const char* who, char* text, HeftOptions table, void* object) {
  HeftError error = {0};
  char *equals = strchr(text, '='), *end = NULL;
  if (!equals) return wrong(who, "expected OPTION=VALUE, found", text);
  *equals = '\0';
  errno = 0;
  const double value = strtod(equals + 1, &end);
  if (errno || end == equals + 1 || *end) return wrong(who, "expected a number, found", equals + 1);
  if (heft_options_set(table, object, text, value, &error) == HEFT_OK) return 1;
  fprintf(stderr, "heft %s: error: %s\n", who, error.message);
  return 0;
}

static const char* model_name(const void* from, int index) {
  (void)from;
  return heft_contact_model_name((HeftContactModel)index);
}

int contact_options_read(const char* who, const char* text, HeftContactModel* model,
                         HeftContactOptions* options) {
  char copy[TEXT_MAX];
  if (strlen(text) >= sizeof copy) return wrong(who, "this text is too long:", text);
  memcpy(copy, text, strlen(text) + 1);
  *options = heft_contact_options_default();
  char* rest = strchr(copy, ':');
  if (rest) *rest++ = '\0';
  if (heft_contact_model_find(copy, model, NULL) != HEFT_OK)
    return names_wrong(who, "there is no contact model", copy,
                       (Names){model_name, NULL, HEFT_CONTACT_MODEL_COUNT});
  while (rest && *rest) {
    char* next = strchr(rest, ',');
    if (next) *next++ = '\0';
    if (!read_option(who, rest, heft_contact_model_options(), options)) return 0;
    rest = next;
  }
  return 1;
}

int bound_read(const char* who, const char* text, HeftStepBounds* bounds) {
  char copy[TEXT_MAX];
  if (strlen(text) >= sizeof copy) return wrong(who, "this text is too long:", text);
  memcpy(copy, text, strlen(text) + 1);
  return read_option(who, copy, heft_step_bounds_options(), bounds);
}

const char* contact_law_name(const HeftWorld* w) {
  const HeftContactLaw* law = heft_world_contact_law(w);
  return law ? law->name : heft_contact_model_name(heft_world_contact_model(w));
}

void contact_options_print(void) {
  printf("\nContact models, as NAME or NAME:OPTION=VALUE,OPTION=VALUE...\n");
  for (int i = 0; i < HEFT_CONTACT_MODEL_COUNT; ++i)
    printf("  %-14s %s\n", heft_contact_model_name((HeftContactModel)i),
           heft_contact_model_meaning((HeftContactModel)i));
  printf("Options of contact models:\n");
#define PRINT(type, name, usual, min, max, text) \
  printf("  %-22s %s (default %g)\n", #name, text, (double)(usual));
  HEFT_CONTACT_OPTION_LIST(PRINT)
#undef PRINT
}
