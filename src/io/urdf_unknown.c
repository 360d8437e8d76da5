// SPDX-License-Identifier: Apache-2.0
// Elements and attributes of a URDF that Heft does not know. The content of such an element belongs
// to another program: it is not read. Names with a colon belong to another namespace.
#include <string.h>

#include "io/urdf.h"
#include "io/urdf_table.h"

/// A row is an element with its parents, or an attribute of the element above it.
typedef struct UrdfRow {
  const char *name, *parents;  ///< parents: NULL for an attribute
} UrdfRow;

static const UrdfRow rows[] = {
#define E(name, parents, meaning) {name, parents},
#define A(name, type, fallback, meaning) {name, NULL},
    URDF_TABLE(E, A)
#undef A
#undef E
};

enum { ROWS = sizeof rows / sizeof rows[0] };

// Whether a list of words that are separated by blanks has the word.
static int has_word(const char* list, const char* word) {
  const size_t length = strlen(word);
  for (const char* at = list; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
    if (strcspn(at, " ") == length && strncmp(at, word, length) == 0) return 1;
  }
  return 0;
}

// The row of an element; -1: its parent has none of that name.
static int find_element(const XmlNode* node, const char* parent) {
  for (int i = 0; i < ROWS; ++i) {
    if (rows[i].parents && strcmp(rows[i].name, node->name) == 0 &&
        (parent ? has_word(rows[i].parents, parent) : !rows[i].parents[0]))
      return i;
  }
  return -1;
}

static const char* attribute_name(const void* from, int index) {
  return ((const UrdfRow*)from)[index].name;
}

static void warn_about_attributes(Urdf* u, const XmlNode* node, const UrdfRow* first) {
  HeftNames known = {attribute_name, first, 0};
  while (first + known.count < rows + ROWS && !first[known.count].parents) ++known.count;
  for (int i = 0; i < node->attribute_count; ++i) {
    const char* name = node->attributes[i].name;
    int found = strchr(name, ':') || strcmp(name, "xmlns") == 0;
    for (int k = 0; k < known.count && !found; ++k) found = strcmp(first[k].name, name) == 0;
    if (found) continue;
    // The hint compares letter with letter.
    if (!load_work(u->load, xml_place(node), 20.0 * known.count * (double)strlen(name))) return;
    char hint[200];
    load_warn(u->load, xml_attribute_place(node, name),
              load_format(u->load, "urdf %.80s of %.80s", name, node->name),
              "the attribute '%.80s' of <%.80s> is skipped; %s", name, node->name,
              heft_names_hint(known, name, hint, sizeof hint));
  }
}

static void warn_about_children(Urdf* u, const XmlNode* node) {
  for (const XmlNode* n = node->child; n; n = n->next) {
    const int row = find_element(n, node->name);
    if (row >= 0) {
      warn_about_attributes(u, n, rows + row + 1);
      warn_about_children(u, n);  // ends: no element of the table contains itself
    } else {
      load_warn(u->load, xml_place(n),
                load_format(u->load, "urdf %.80s in %.80s", n->name, node->name),
                "<%.80s> in <%.80s> is skipped", n->name, node->name);
    }
  }
}

void urdf_warn_unknown(Urdf* u) {
  warn_about_attributes(u, u->robot, rows + find_element(u->robot, NULL) + 1);
  warn_about_children(u, u->robot);
}
