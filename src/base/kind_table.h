// SPDX-License-Identifier: Apache-2.0
// Tables with one row for each kind of an enum, so that a new kind is either in the table already,
// because its list makes the rows, or gives a diagnostic where the table is.
#ifndef HEFT_SRC_BASE_KIND_TABLE_H
#define HEFT_SRC_BASE_KIND_TABLE_H

/// The text of a row X(name, text) of a list of kinds: `texts[] = {HEFT_FOLLOW_LIST(KIND_TEXT)}`.
#define KIND_TEXT(name, text) text,

/// Requires one row for each of `count` kinds, of a table whose length is not stated: `table[]`.
#define KIND_TABLE_COVERS(table, count) \
  _Static_assert(sizeof(table) / sizeof((table)[0]) == (count), #table " lacks a kind")

#endif
