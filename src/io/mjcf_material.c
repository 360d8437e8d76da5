// SPDX-License-Identifier: Apache-2.0
// Papers: R64.
// Contact materials. MJCF gives friction to geoms and pairs; the model has a table of materials.
// Equal numbers share one material, in the order in which they first appear.
#include <string.h>

#include "io/bits.h"
#include "io/mjcf.h"

int mj_material(Mjcf* m, const double law[MATERIAL_NUMBERS], const char* name) {
  if (!name) {
    for (int i = 0; i < m->materials.count; ++i) {
      const MaterialInfo* info = &GROW_AT(m->materials, MaterialInfo, i);
      const int nameless = !info->name || info->name[0] == '#';
      if (nameless && bits_same(info->law, law, MATERIAL_NUMBERS)) return i;
    }
  }
  MaterialInfo* info = LOAD_ADD(m->load, &m->materials, MaterialInfo);
  if (!info) return 0;
  memcpy(info->law, law, sizeof info->law);
  info->name = name;
  HeftMaterialDef def = heft_material_def_default();
  def.name = name && name[0] != '#' ? name : NULL;
  def.friction = law[0];
  def.kinetic = law[1];
  def.torsion = law[2];
  def.rolling = law[3];
  def.restitution = law[4];
  memcpy(def.layer, law + MATERIAL_FRICTION, sizeof def.layer);
  memcpy(def.slip, law + MATERIAL_LAYER, sizeof def.slip);
  memcpy(def.soft, law + MATERIAL_SOFT, sizeof def.soft);
  memcpy(def.area, law + MATERIAL_AREA, sizeof def.area);
  return heft_builder_add_material(m->load->builder, &def);
}
