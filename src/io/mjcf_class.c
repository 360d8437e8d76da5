// SPDX-License-Identifier: Apache-2.0
// Default classes. A class is the list of elements in its <default>; a value that an element lacks
// is looked for in its class, then in the class around that, up to the outermost, which is called
// "main".
#include <string.h>

#include "io/mjcf.h"

static Class* find_class(const Unit* unit, const char* name) {
  for (int i = 0; i < unit->classes.count; ++i) {
    Class* c = GROW_AT(unit->classes, Class*, i);
    if (strcmp(c->name, name) == 0) return c;
  }
  return NULL;
}

static Class* add_class(Mjcf* m, Unit* unit, const char* name, Class* parent) {
  Class* c = LOAD_NEW(m->load, Class);
  Class** slot = c ? LOAD_ADD(m->load, &unit->classes, Class*) : NULL;
  if (!slot) return NULL;
  c->name = name;
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
      if (find_class(unit, name)) {
        load_fail(m->load, HEFT_ERR_NAME, xml_attribute_place(n, "class"),
                  "two default classes are named '%.80s'; give each its own name", name);
        return;
      }
      Class* inner = add_class(m, unit, name, class);
      if (inner) read_class(m, unit, n, inner);
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
  Class* main = add_class(m, unit, "main", NULL);
  for (const XmlNode* n = xml_child(unit->root, "default"); n && main && LOAD_OK(m->load);
       n = xml_next(n, "default")) {
    const char* name = xml_get(n, "class");
    if (name && name[0]) main->name = name;
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
