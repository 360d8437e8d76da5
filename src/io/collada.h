// SPDX-License-Identifier: Apache-2.0
// The parts of the Collada reader.
#ifndef HEFT_SRC_IO_COLLADA_H
#define HEFT_SRC_IO_COLLADA_H

#include "io/mesh.h"
#include "io/xml.h"

typedef struct Collada {
  Load* load;
  const SourceFile* file;
  NameTable ids;   ///< elements with an attribute id; the owner is the XmlNode
  Grow sources;    ///< ColladaSource, each read once
  Grow vertices;   ///< double[3]
  Grow faces;      ///< int[3]
  Grow image;      ///< double[6], one for each face
  Grow runs;       ///< MeshRun
  Grow materials;  ///< MtlMaterial that the faces use
  double unit;     ///< [m]
  int has_image;   ///< 1: a face has texture coordinates
} Collada;

/// The element that "#id" names, if it is a <name>; else NULL.
static inline const XmlNode* collada_find(const Collada* c, const char* url, const char* name) {
  if (!url || url[0] != '#') return NULL;
  const NameEntry* entry = name_table_find(&c->ids, 0, url + 1);
  const XmlNode* node = entry ? entry->owner : NULL;
  return node && xml_is(node, name) ? node : NULL;
}

/// The name of the material of a <triangles> that an instance of a geometry binds, "" if there is
/// none; adds it to Collada.materials at its first use. NULL after a mistake.
const char* collada_material(Collada* c, const XmlNode* instance, const char* symbol);

#endif
