// SPDX-License-Identifier: Apache-2.0
// The table of MJCF elements and attributes, as mjcf_table.h lists them, for the reader and the
// writer.
#ifndef HEFT_SRC_IO_MJCF_ATTRIBUTES_H
#define HEFT_SRC_IO_MJCF_ATTRIBUTES_H

#include "io/mjcf_table.h"

/// A name that begins with this belongs to an element without a name, so that others can refer to
/// it.
#define MJCF_NAMELESS "heft_nameless_"
/// Follows MJCF_NAMELESS in front of a name of the model that begins with MJCF_NAMELESS itself.
#define MJCF_NAMED "named:"

typedef enum MjcfElement {
#define E(id, name, where) MJCF_##id,
#define A(...)
  MJCF_TABLE(E, A)
#undef A
#undef E
      MJCF_ELEMENT_COUNT
} MjcfElement;

typedef enum MjcfKey {
#define E(...)
#define A(id, key, ...) MJ_##id##_##key,
  MJCF_TABLE(E, A)
#undef A
#undef E
      MJ_KEY_COUNT
} MjcfKey;

typedef enum MjcfType { REAL, INT, BOOL, TRI, WORD, TEXT, NAME, SKIP } MjcfType;

typedef struct MjcfAttribute {
  MjcfElement element;
  MjcfType type;
  int min, max;
  const char *name, *fallback, *meaning;
} MjcfAttribute;

extern const MjcfAttribute mjcf_attributes[MJ_KEY_COUNT];
extern const char* const mjcf_element_names[MJCF_ELEMENT_COUNT];
extern const char* const mjcf_element_places[MJCF_ELEMENT_COUNT];

/// The row of an attribute; NULL: the element has none of that name.
const MjcfAttribute* mjcf_find_attribute(MjcfElement element, const char* name);
/// The element of an actuator, by its name; -1: there is no such actuator.
int mjcf_actuator_element(const char* name);
/// Whether the element `name` of a <default> gives values for `element`: all actuators share one,
/// and so do equalities and tendons.
int mjcf_same_default(const char* name, MjcfElement element);
/// The element whose attributes the element `name` of a <default> may have; -1: none.
int mjcf_default_element(const char* name);

#endif
