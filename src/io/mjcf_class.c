// SPDX-License-Identifier: Apache-2.0
// Default classes. A class is the list of elements in its <default>; a value that an element lacks
// is looked for in its class, then in the class around that, up to the outermost, which is called
// "main".
#include <string.h>

#include "io/mjcf.h"

static const struct {
  const char* name;
  MjcfElement element;
} actuators[] = {{"general", MJCF_general},         {"motor", MJCF_motor},
                 {"position", MJCF_position},       {"velocity", MJCF_velocity},
                 {"intvelocity", MJCF_intvelocity}, {"damper", MJCF_damper},
                 {"cylinder", MJCF_cylinder},       {"muscle", MJCF_muscle}};
enum { ACTUATOR_COUNT = sizeof actuators / sizeof *actuators };

static int is_actuator(const char* name) {
  for (int i = 0; i < ACTUATOR_COUNT; ++i) {
    if (strcmp(actuators[i].name, name) == 0) return 1;
  }
  return 0;
}

// Which <default> element speaks for an element: all actuators share one, and so do equalities and
// tendons.
int mj_same_default(const char* name, MjcfElement element) {
  if (element >= MJCF_general && element <= MJCF_muscle) return is_actuator(name);
  switch (element) {
    case MJCF_connect:
    case MJCF_weld:
    case MJCF_eqjoint:
    case MJCF_eqtendon:
      return strcmp(name, "equality") == 0;
    case MJCF_tendon:
      return strcmp(name, "tendon") == 0;
    default:
      return strcmp(name, mjcf_element_names[element]) == 0;
  }
}

static int element_of_default(const char* name) {
  static const MjcfElement plain[] = {MJCF_mesh,    MJCF_material, MJCF_joint, MJCF_geom,
                                      MJCF_site,    MJCF_camera,   MJCF_light, MJCF_pair,
                                      MJCF_connect, MJCF_tendon};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i) {
    if (mj_same_default(name, plain[i])) return (int)plain[i];
  }
  for (int i = 0; i < ACTUATOR_COUNT; ++i) {
    if (strcmp(actuators[i].name, name) == 0) return (int)actuators[i].element;
  }
  return -1;
}

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
                  "a <default> inside of another one needs a class name");
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
    const int element = element_of_default(n->name);
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
