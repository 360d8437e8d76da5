// SPDX-License-Identifier: Apache-2.0
// XML as a small tree that remembers where everything stood.
#ifndef HEFT_SRC_IO_XML_H
#define HEFT_SRC_IO_XML_H

#include "io/context.h"

typedef struct XmlAttribute {
  const char *name, *value;
  int used;  ///< bit 1: some reader asked for it; bit 2: it was told as a warning
} XmlAttribute;

typedef struct XmlNode {
  const char* name;
  XmlAttribute* attributes;
  int attribute_count;
  const char* text;  ///< what stands between the tags, without elements; never NULL
  struct XmlNode *parent, *child, *last, *next;
  const SourceFile* file;
  size_t offset;     ///< of its '<' in the file
  int line, column;  ///< of its '<'
  int taken;         ///< a reader made something of it
} XmlNode;

/// Parses a file; NULL after a mistake. DTDs, entities of one's own, processing instructions and
/// encodings other than UTF-8 are refused.
XmlNode* xml_parse(Load* load, const SourceFile* file);
/// The name of the outermost element, by a glance at the text.
int xml_root_name(const SourceFile* file, char* out, size_t size);

Place xml_place(const XmlNode* node);
/// Where the attribute stands, or the node if it has none of that name.
Place xml_attribute_place(const XmlNode* node, const char* name);

/// The attribute's value, or NULL; counts as used.
const char* xml_get(const XmlNode* node, const char* name);
XmlAttribute* xml_find(const XmlNode* node, const char* name);
/// The first child of that name (NULL: any), or the next sibling of that name after `node`.
XmlNode* xml_child(const XmlNode* node, const char* name);
XmlNode* xml_next(const XmlNode* node, const char* name);
static inline int xml_is(const XmlNode* node, const char* name) {
  const char* a = node->name;
  while (*a && *a == *name) ++a, ++name;
  return *a == *name;
}

// Values of attributes. Each fails with the place of the attribute, what was found and what was
// expected.

/// least to most numbers, separated by blanks, finite and at most 1e9. Returns how many; 0 after a
/// mistake.
int xml_numbers(Load* load, const XmlNode* node, const char* attribute, const char* text, int min,
                int max, double* out);
int xml_integers(Load* load, const XmlNode* node, const char* attribute, const char* text, int min,
                 int max, int* out);
/// Any number of numbers, in memory of the load.
double* xml_number_list(Load* load, const XmlNode* node, const char* attribute, const char* text,
                        int* count);

#endif
