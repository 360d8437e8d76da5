// SPDX-License-Identifier: Apache-2.0
// Options: fields of a struct that are read and written by name, from a table of rows.
#include "base/option.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"

static const size_t sizes[] = {
#define SIZE(name, type) sizeof(type),
    HEFT_VALUE_LIST(SIZE)
#undef SIZE
};

size_t heft_value_type_size(HeftValueType type) {
  HEFT_REQUIRE((int)type >= 0 && type < HEFT_VALUE_TYPE_COUNT, 0);
  return sizes[type];
}

double heft_option_value(const HeftOption* option, const void* object) {
  HEFT_REQUIRE(option && object, 0);
  const char* field = (const char*)object + option->offset;
#define READ(name, type)                 \
  case name: {                           \
    type value;                          \
    memcpy(&value, field, sizeof value); \
    return (double)value;                \
  }
  switch (option->type) {
    HEFT_VALUE_LIST(READ)
    case HEFT_VALUE_TYPE_COUNT:
      break;
  }
  return 0;
#undef READ
}

// The value has been checked: it is in the range of the option, and whole where the type is.
static void write_value(const HeftOption* option, void* object, double number) {
  char* field = (char*)object + option->offset;
#define WRITE(name, type)                \
  case name: {                           \
    const type value = (type)number;     \
    memcpy(field, &value, sizeof value); \
    return;                              \
  }
  switch (option->type) {
    HEFT_VALUE_LIST(WRITE)
    case HEFT_VALUE_TYPE_COUNT:
      return;
  }
#undef WRITE
}

static HeftStatus check_value(const HeftOption* option, double value, HeftError* error) {
  const bool whole = option->type == HEFT_VALUE_DOUBLE || value == floor(value);
  if (whole && value >= option->min && value <= option->max) return HEFT_OK;
  const char* space = option->unit[0] ? " " : "";
  return heft_error_set(error, HEFT_ERR_VALUE, "the option %s is %g%s%s, expected %s%g to %g",
                        option->name, value, space, option->unit,
                        option->type == HEFT_VALUE_DOUBLE ? "" : "a whole number, ", option->min,
                        option->max);
}

static const char* option_name(const void* from, int index) {
  return ((const HeftOption*)from)[index].name;
}

HeftStatus heft_options_find(HeftOptions options, const char* name, int* index, HeftError* error) {
  HEFT_REQUIRE(index, HEFT_ERR_ARGUMENT);
  *index = -1;
  HEFT_REQUIRE(name && (options.option || options.count <= 0), HEFT_ERR_ARGUMENT);
  for (int i = 0; i < options.count; ++i) {
    if (strcmp(name, options.option[i].name) != 0) continue;
    *index = i;
    return HEFT_OK;
  }
  char hint[400];
  const HeftNames names = {option_name, options.option, options.count};
  return heft_error_set(error, HEFT_ERR_NAME, "there is no option '%.60s'; %s", name,
                        heft_names_hint(names, name, hint, sizeof hint));
}

HeftStatus heft_options_set(HeftOptions options, void* object, const char* name, double value,
                            HeftError* error) {
  HEFT_REQUIRE(object, HEFT_ERR_ARGUMENT);
  int index = -1;
  HeftStatus status = heft_options_find(options, name, &index, error);
  if (status == HEFT_OK) status = check_value(&options.option[index], value, error);
  if (status == HEFT_OK) write_value(&options.option[index], object, value);
  return status;
}

HeftStatus heft_options_check(HeftOptions options, const void* object, HeftError* error) {
  HEFT_REQUIRE(object && (options.option || options.count <= 0), HEFT_ERR_ARGUMENT);
  for (int i = 0; i < options.count; ++i) {
    const HeftOption* option = &options.option[i];
    const HeftStatus status = check_value(option, heft_option_value(option, object), error);
    if (status != HEFT_OK) return status;
  }
  return HEFT_OK;
}
