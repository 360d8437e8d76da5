// SPDX-License-Identifier: Apache-2.0
// XML as a tree of elements with their places in the file.
#ifndef HEFT_SRC_IO_XML_H
#define HEFT_SRC_IO_XML_H

#include "io/context.h"

typedef struct XmlAttribute {
  const char *name, *value;
  int used;  ///< bit 1: a reader has read it; bit 2: mj_check() has checked it
} XmlAttribute;

typedef struct XmlNode {
  const char* name;
  XmlAttribute* attributes;
  int attribute_count;
  const char* text;  ///< text between the tags, without elements; never NULL
  struct XmlNode *parent, *child, *last, *next;
  const SourceFile* file;
  size_t offset;     ///< of its '<' in the file
  int line, column;  ///< of its '<'
  int taken;         ///< a reader has used it
} XmlNode;

/// Parses a file; NULL after a mistake. Document types, processing instructions and encodings
/// other than UTF-8 are rejected.
XmlNode* xml_parse(Load* load, const SourceFile* file);
/// Stores the name of the outermost element, without parsing. Returns 0 if there is none.
int xml_root_name(const SourceFile* file, char* out, size_t size);

Place xml_place(const XmlNode* node);
/// The place of the attribute, or of the node if it has none of that name.
Place xml_attribute_place(const XmlNode* node, const char* name);

/// The value of the attribute, or NULL; marks it as read.
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

// Values of attributes. A mistake has the place of the attribute, the text that was found and the
// expected one.

/// min to max numbers, separated by blanks, finite and at most 1e9. Returns how many; 0 after a
/// mistake.
int xml_numbers(Load* load, const XmlNode* node, const char* attribute, const char* text, int min,
                int max, double* out);
int xml_integers(Load* load, const XmlNode* node, const char* attribute, const char* text, int min,
                 int max, int* out);
/// Any number of numbers, in memory of the load.
double* xml_number_list(Load* load, const XmlNode* node, const char* attribute, const char* text,
                        int* count);

#endif
