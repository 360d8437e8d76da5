// SPDX-License-Identifier: Apache-2.0
// Default classes. A class is the list of elements in its <default>; a value that an element lacks
// is looked for in its class, then in the class around that, up to the outermost, which is called
// "main".
#include <string.h>

#include "io/mjcf.h"

static Class* find_class(const Unit* unit, const char* name) {
  const int i = name_table_index(&unit->class_names, 0, name);
  return i >= 0 ? GROW_AT(unit->classes, Class*, i) : NULL;
}

// Names a class. Returns 0 after a mistake.
static int name_class(Mjcf* m, Unit* unit, int index, const XmlNode* node, const char* name) {
  const int known = name_table_index(&unit->class_names, 0, name);
  if (known == index) return 1;
  if (known >= 0) {
    load_fail(m->load, HEFT_ERR_NAME, xml_attribute_place(node, "class"),
              "two default classes are named '%.80s'; give each its own name", name);
    return 0;
  }
  return load_name(m->load, &unit->class_names, (NameEntry){.name = name, .index = index});
}

static Class* add_class(Mjcf* m, Unit* unit, Class* parent) {
  Class* c = LOAD_NEW(m->load, Class);
  Class** slot = c ? LOAD_ADD(m->load, &unit->classes, Class*) : NULL;
  if (!slot) return NULL;
  c->parent = parent;
  *slot = c;
  return c;
}

static void read_class(Mjcf* m, Unit* unit, const XmlNode* node, Class* class) {
  mj_check(m, node, MJCF_default);
  for (const XmlNode* n = node->child; n && LOAD_OK(m->load); n = n->next) {
    if (xml_is(n, "default")) {
      const char* name = xml_get(n, "class");
      if (!name || !name[0]) {
        load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(n),
                  "a <default> inside another one needs the attribute 'class'");
        return;
      }
      Class* inner = add_class(m, unit, class);
      if (!inner || !name_class(m, unit, unit->classes.count - 1, n, name)) return;
      read_class(m, unit, n, inner);
      continue;
    }
    const int element = mjcf_default_element(n->name);
    if (element < 0) {
      mj_unknown_element(m, n);
      continue;
    }
    mj_check(m, n, (MjcfElement)element);
    const XmlNode** slot = LOAD_ADD(m->load, &class->nodes, const XmlNode*);
    if (slot) *slot = n;
  }
}

void mj_read_defaults(Mjcf* m, Unit* unit) {
  Class* main = add_class(m, unit, NULL);
  for (const XmlNode* n = xml_child(unit->root, "default"); n && main && LOAD_OK(m->load);
       n = xml_next(n, "default")) {
    const char* name = xml_get(n, "class");
    if (name && name[0] && !name_class(m, unit, 0, n, name)) return;
    read_class(m, unit, n, main);
  }
}

Class* mj_class(Mjcf* m, Unit* unit, const XmlNode* node, const char* attribute, Class* fallback) {
  const char* name = xml_get(node, attribute);
  if (!name) return fallback;
  Class* c = find_class(unit, name);
  if (!c && strcmp(name, "main") == 0) c = GROW_AT(unit->classes, Class*, 0);
  if (!c)
    load_fail(m->load, HEFT_ERR_NAME, xml_attribute_place(node, attribute),
              "<%.40s %s>: there is no default class '%.80s'", node->name, attribute, name);
  return c ? c : fallback;
}
