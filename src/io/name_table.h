// SPDX-License-Identifier: Apache-2.0
// Names of several kinds in one open-addressed table, in memory of a region. The table keeps the
// pointers to the names, not copies.
#ifndef HEFT_SRC_IO_NAME_TABLE_H
#define HEFT_SRC_IO_NAME_TABLE_H

#include "io/region.h"

typedef struct NameEntry {
  const char* name;
  int kind, index;
  const void* owner;  ///< for the user of the table; may be NULL
} NameEntry;

typedef struct NameTable {
  NameEntry* slots;
  int count, capacity;
} NameTable;

/// The entry of a name, or NULL.
const NameEntry* name_table_find(const NameTable* table, int kind, const char* name);
/// The index of a name, or -1.
int name_table_index(const NameTable* table, int kind, const char* name);
/// Adds a name that the table does not have. Returns 0 if there is no memory.
int name_table_add(NameTable* table, Region* region, NameEntry entry);

#endif
