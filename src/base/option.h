// SPDX-License-Identifier: Apache-2.0
// Rows of a table of options (heft/base.h). The compiler derives type and offset from the struct.
#ifndef HEFT_SRC_BASE_OPTION_H
#define HEFT_SRC_BASE_OPTION_H

#include <heft/base.h>

// clang-format off
#define HEFT_OPTION_TYPE(Struct, field)                                      \
  _Generic(((Struct*)0)->field, char: HEFT_VALUE_CHAR, bool: HEFT_VALUE_BOOL, \
           int: HEFT_VALUE_INT32, unsigned: HEFT_VALUE_INT32,                \
           unsigned long: sizeof(long) == 8 ? HEFT_VALUE_UINT64 : HEFT_VALUE_INT32, \
           unsigned long long: HEFT_VALUE_UINT64, double: HEFT_VALUE_DOUBLE)
// clang-format on

/// A row: HEFT_OPTION(HeftWalkDef, length, 0, 10, 0.2, "m", "length of a step"). Fields of an enum
/// count as whole numbers.
#define HEFT_OPTION(Struct, field, min, max, usual, unit, meaning)                           \
  {                                                                                          \
#field, HEFT_OPTION_TYPE(Struct, field), offsetof(Struct, field), (min), (max), (usual), \
        (unit), (meaning)                                                                    \
  }

/// The table of an array of rows.
#define HEFT_OPTIONS(rows) ((HeftOptions){(rows), (int)(sizeof(rows) / sizeof *(rows))})

#endif
