// SPDX-License-Identifier: Apache-2.0
// The list of mjcf_table.h as data, and the rule which element of <default> gives values for which
// element of the model.
#include "io/mjcf_attributes.h"

#include <heft/io.h>
#include <string.h>

#include "base/assert.h"

const MjcfAttribute mjcf_attributes[MJ_KEY_COUNT] = {
#define E(...)
#define A(id, key, name, type, min, max, fallback, meaning) \
  {MJCF_##id, type, min, max, name, fallback, meaning},
    MJCF_TABLE(E, A)
#undef A
#undef E
};

const char* const mjcf_element_names[MJCF_ELEMENT_COUNT] = {
#define E(id, name, where) name,
#define A(...)
    MJCF_TABLE(E, A)
#undef A
#undef E
};

const char* const mjcf_element_places[MJCF_ELEMENT_COUNT] = {
#define E(id, name, where) where,
#define A(...)
    MJCF_TABLE(E, A)
#undef A
#undef E
};

const MjcfAttribute* mjcf_find_attribute(MjcfElement element, const char* name) {
  for (int i = 0; i < MJ_KEY_COUNT; ++i) {
    if (mjcf_attributes[i].element == element && strcmp(mjcf_attributes[i].name, name) == 0)
      return &mjcf_attributes[i];
  }
  return NULL;
}

// ---- default classes

static const struct {
  const char* name;
  MjcfElement element;
} actuators[] = {{"general", MJCF_general},         {"motor", MJCF_motor},
                 {"position", MJCF_position},       {"velocity", MJCF_velocity},
                 {"intvelocity", MJCF_intvelocity}, {"damper", MJCF_damper},
                 {"cylinder", MJCF_cylinder},       {"muscle", MJCF_muscle}};
enum { ACTUATOR_COUNT = sizeof actuators / sizeof *actuators };

int mjcf_actuator_element(const char* name) {
  for (int i = 0; i < ACTUATOR_COUNT; ++i) {
    if (strcmp(actuators[i].name, name) == 0) return (int)actuators[i].element;
  }
  return -1;
}

int mjcf_same_default(const char* name, MjcfElement element) {
  if (element >= MJCF_general && element <= MJCF_muscle) return mjcf_actuator_element(name) >= 0;
  const int equality = element == MJCF_connect || element == MJCF_weld || element == MJCF_eqjoint ||
                       element == MJCF_eqtendon;
  if (equality) return strcmp(name, "equality") == 0;
  if (element == MJCF_tendon) return strcmp(name, "tendon") == 0;
  return strcmp(name, mjcf_element_names[element]) == 0;
}

int mjcf_default_element(const char* name) {
  static const MjcfElement plain[] = {MJCF_mesh,    MJCF_material, MJCF_joint, MJCF_geom,
                                      MJCF_site,    MJCF_camera,   MJCF_light, MJCF_pair,
                                      MJCF_connect, MJCF_tendon};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i) {
    if (mjcf_same_default(name, plain[i])) return (int)plain[i];
  }
  return mjcf_actuator_element(name);
}

// ---- public

int heft_mjcf_attribute_count(void) { return MJ_KEY_COUNT; }

HeftStatus heft_mjcf_attribute(int i, HeftMjcfAttribute* out) {
  static const char* const types[] = {"real", "int", "bool", "tri", "word", "text", "name", ""};
  HEFT_REQUIRE(out && i >= 0 && i < MJ_KEY_COUNT, HEFT_ERR_ARGUMENT);
  const MjcfAttribute* a = &mjcf_attributes[i];
  *out = (HeftMjcfAttribute){.element = mjcf_element_names[a->element],
                             .place = mjcf_element_places[a->element],
                             .name = a->name,
                             .type = types[a->type],
                             .min = a->min,
                             .max = a->max,
                             .fallback = a->fallback,
                             .meaning = a->meaning};
  return HEFT_OK;
}
