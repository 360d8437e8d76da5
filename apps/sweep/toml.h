// SPDX-License-Identifier: Apache-2.0
// A reader of a strict subset of TOML 1.0: every text that it accepts is TOML with the same
// meaning. Tables [name] and lists of tables [[name]] with bare names; values are strings ("..."
// with escapes, '...' without), decimal numbers, true, false, and lists of strings or of numbers.
// Dotted keys, inline tables, dates, multi-line strings, inf and nan are not read. Any bytes are
// allowed as input; limits bound memory.
#ifndef HEFT_APPS_SWEEP_TOML_H
#define HEFT_APPS_SWEEP_TOML_H

#include <heft/base.h>
#include <stddef.h>

enum {
  TOML_BYTES_MAX = 1 << 20,  ///< size of a text
  TOML_TABLES_MAX = 1024,
  TOML_KEYS_MAX = 64,      ///< in a table
  TOML_ITEMS_MAX = 65536,  ///< in a list
  TOML_NAME_MAX = 64       ///< bytes of a key or of the name of a table
};

typedef enum TomlType { TOML_STRING, TOML_NUMBER, TOML_BOOL, TOML_LIST } TomlType;

typedef struct TomlValue {
  TomlType type;
  int line, column;
  double number;            ///< of a number; 0 or 1 of a bool
  const char* text;         ///< of a string, UTF-8 without zero bytes
  struct TomlValue* items;  ///< of a list (count)
  int count;
} TomlValue;

typedef struct TomlEntry {
  const char* key;
  int line, column;
  TomlValue value;
} TomlEntry;

typedef struct TomlTable {
  const char* name;  ///< "": keys before the first table
  int line, column;
  int listed;  ///< 1: [[name]]
  TomlEntry* entries;
  int count;
} TomlTable;

typedef struct Toml {
  TomlTable* tables;  ///< the first has the name ""
  int count;
  char* text;  ///< memory of all strings
} Toml;

/// Reads `size` bytes. file is for messages. On failure *out is empty, and error has file, line and
/// column.
HeftStatus toml_read(Toml* out, const char* bytes, size_t size, const char* file, HeftError* error);
void toml_release(Toml* toml);
/// The value of a key in a table; NULL: there is none.
const TomlValue* toml_find(const TomlTable* table, const char* key);

#endif
