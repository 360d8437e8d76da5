// SPDX-License-Identifier: Apache-2.0
// Names and references. One table for all kinds; prefix and suffix belong to the name.
#include <string.h>

#include "io/mjcf.h"

const char* mj_model_name(const char* name) {
  const size_t nameless = sizeof MJCF_NAMELESS - 1, named = sizeof MJCF_NAMED - 1;
  if (strncmp(name, MJCF_NAMELESS, nameless) != 0) return name;
  return strncmp(name + nameless, MJCF_NAMED, named) == 0 ? name + nameless + named : "";
}

const char* mj_full_name(Mjcf* m, const Scope* scope, const char* name) {
  if (!name[0] || (!scope->prefix[0] && !scope->suffix[0])) return name;
  const size_t length = strlen(scope->prefix) + strlen(name) + strlen(scope->suffix);
  if (length > (size_t)m->load->def->limits.name_bytes) {
    load_fail(
        m->load, HEFT_ERR_LIMIT, (Place){.file = scope->unit->file},
        "the name '%.40s...' has %zu bytes with its prefix and suffix, at most %d are allowed",
        name, length, m->load->def->limits.name_bytes);
    return "";
  }
  return load_format(m->load, "%s%s%s", scope->prefix, name, scope->suffix);
}

void mj_name_add(Mjcf* m, const XmlNode* node, int kind, const char* name, int index) {
  static const char* const kinds[] = {[OF_BODY] = "bodies",
                                      [OF_JOINT] = "joints",
                                      [OF_GEOM] = "geoms",
                                      [OF_SITE] = "sites",
                                      [OF_CAMERA] = "cameras",
                                      [OF_MESH] = "meshes",
                                      [OF_HFIELD] = "height fields",
                                      [OF_TEXTURE] = "textures",
                                      [OF_MATERIAL] = "materials",
                                      [OF_TENDON] = "tendons",
                                      [OF_ACTUATOR] = "actuators",
                                      [OF_MODEL] = "models",
                                      [OF_PAIR] = "pairs",
                                      [OF_CONTACT_MATERIAL] = "contact materials",
                                      [OF_GEOM_MATERIAL] = "elements for a geom's material",
                                      [OF_PAIR_MATERIAL] = "elements for a pair's material",
                                      [OF_CALIBRATION] = "calibrations",
                                      [OF_DOFS] = "lists of dofs",
                                      [OF_LIMIT] = "elements for a joint's limit",
                                      [OF_FIXED] = "fixed joints",
                                      [OF_ANCHORS] = "anchors",
                                      [OF_CONVEYOR] = "elements for a conveyor",
                                      [OF_SOFT] = "elements for soft contact points",
                                      [OF_AREA] = "elements for area contact",
                                      [OF_MOTION] = "elements for a body's motion",
                                      [OF_TRIANGLES] = "elements for triangles",
                                      [OF_FILL] = "elements for tetrahedra",
                                      [OF_JOINT_PART] = "elements for parts of a joint",
                                      [OF_ORDER] = "orders"};
  if (!name || !name[0] || !LOAD_OK(m->load)) return;
  const size_t length = strlen(name);
  if (length > (size_t)m->load->def->limits.name_bytes) {
    load_fail(
        m->load, HEFT_ERR_LIMIT, xml_attribute_place(node, "name"),
        "the name '%.40s...' has %zu bytes, at most %d are allowed; raise the limit name_bytes",
        name, length, m->load->def->limits.name_bytes);
    return;
  }
  if (name_table_find(&m->names, kind, name)) {
    load_fail(m->load, HEFT_ERR_NAME, xml_attribute_place(node, "name"),
              "two %s are named '%.80s'; give each its own name", kinds[kind], name);
    return;
  }
  load_name(m->load, &m->names,
            (NameEntry){.name = name, .kind = kind, .index = index, .owner = m->owner});
}

int mj_name_find(const Mjcf* m, int kind, const char* name) {
  return name_table_index(&m->names, kind, name);
}

int mj_reference(Mjcf* m, const Item* item, MjcfKey key, int kind, const char** missing,
                 int* suffixed) {
  const char* name = mj_text(m, item, key, NULL);
  if (!name || !name[0]) return -1;
  if (kind == OF_BODY && strcmp(name, "world") == 0) return 0;
  const Scope* scope = item->scope;
  const NameEntry* entry = name_table_find(&m->names, kind, mj_full_name(m, scope, name));
  int index = -1;
  if (entry && (!scope->suffix[0] || entry->owner == scope)) {
    if (scope->suffix[0] && suffixed) *suffixed = 1;
    return entry->index;
  }
  if (scope->suffix[0]) {
    const Scope plain = {scope->unit, scope->prefix, "", 0};
    index = mj_name_find(m, kind, mj_full_name(m, &plain, name));
  }
  if (index < 0 && missing) *missing = name;
  return index;
}

int mj_ref(Mjcf* m, const Item* item, MjcfKey key, int kind, Refs* refs) {
  const char* missing = NULL;
  const int index = mj_reference(m, item, key, kind, &missing, &refs->suffixed);
  if (missing && !refs->missing) {
    refs->missing = missing;
    refs->place = mj_place(m, item, key);
  }
  return index;
}
