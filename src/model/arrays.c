// SPDX-License-Identifier: Apache-2.0
// Tables of the sizes and arrays of a model, for programs that find them by name at run time. Both
// come from the lists of heft/model.h, so they cannot differ from the struct.
#include <heft/model.h>
#include <string.h>

#include "base/assert.h"

// Type of a value at run time by its C type. An enum is an int for every reader.
#define VALUE_TYPE(type) \
  _Generic((type)0, double : HEFT_VALUE_DOUBLE, char : HEFT_VALUE_CHAR, default : HEFT_VALUE_INT32)
#define CHECK_SIZE(type, name, count, width, unit, meaning)                               \
  _Static_assert(VALUE_TYPE(type) != HEFT_VALUE_INT32 || sizeof(type) == sizeof(int32_t), \
                 #type " has 4 bytes in files and for other languages");
HEFT_MODEL_ARRAY_LIST(CHECK_SIZE)
#undef CHECK_SIZE

enum {
#define ARRAY_INDEX(type, name, count, width, unit, meaning) ARRAY_##name,
  HEFT_MODEL_ARRAY_LIST(ARRAY_INDEX)
#undef ARRAY_INDEX
      ARRAY_COUNT
};

enum {
#define SIZE_INDEX(name, meaning) SIZE_##name,
  HEFT_MODEL_SIZE_LIST(SIZE_INDEX)
#undef SIZE_INDEX
      SIZE_COUNT
};

static const char* const array_names[] = {
#define ARRAY_NAME(type, name, count, width, unit, meaning) #name,
    HEFT_MODEL_ARRAY_LIST(ARRAY_NAME)
#undef ARRAY_NAME
};

int heft_model_array_count(void) { return ARRAY_COUNT; }
int heft_model_size_count(void) { return SIZE_COUNT; }

int heft_model_array_find(const char* name) {
  HEFT_REQUIRE(name, -1);
  for (int i = 0; i < ARRAY_COUNT; ++i) {
    if (strcmp(name, array_names[i]) == 0) return i;
  }
  return -1;
}

HeftStatus heft_model_array(const HeftModel* m, int index, HeftModelArray* out) {
  HEFT_REQUIRE(m && out, HEFT_ERR_ARGUMENT);
  HEFT_REQUIRE(index >= 0 && index < ARRAY_COUNT, HEFT_ERR_ARGUMENT);
  switch (index) {
#define DESCRIBE(type, name, count, width, unit, meaning)                                       \
  case ARRAY_##name:                                                                            \
    *out = (HeftModelArray){#name, VALUE_TYPE(type), (count), (width), unit, meaning, m->name}; \
    break;
    HEFT_MODEL_ARRAY_LIST(DESCRIBE)
#undef DESCRIBE
    default:
      break;
  }
  return HEFT_OK;
}

HeftStatus heft_model_size(const HeftModel* m, int index, HeftModelSize* out) {
  HEFT_REQUIRE(m && out, HEFT_ERR_ARGUMENT);
  HEFT_REQUIRE(index >= 0 && index < SIZE_COUNT, HEFT_ERR_ARGUMENT);
  switch (index) {
#define DESCRIBE(name, meaning)                      \
  case SIZE_##name:                                  \
    *out = (HeftModelSize){#name, m->name, meaning}; \
    break;
    HEFT_MODEL_SIZE_LIST(DESCRIBE)
#undef DESCRIBE
    default:
      break;
  }
  return HEFT_OK;
}
