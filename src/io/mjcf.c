// SPDX-License-Identifier: Apache-2.0
// MJCF from the top: the sections in the order in which they need each other.
#include "io/mjcf.h"

#include <string.h>

#include "io/readers.h"

HeftStatus load_mjcf(Load* load, const SourceFile* file) {
  Mjcf m = {.load = load};
  HeftPhysics physics = heft_builder_physics(load->builder);
  physics.time_step = 0.002;  // the default of MJCF
  heft_builder_set_physics(load->builder, physics);
  const double plain[MATERIAL_NUMBERS] = {1, 1, 0.005, 0.0001};
  MaterialInfo* first = LOAD_ADD(load, &m.materials, MaterialInfo);
  if (first) memcpy(first->law, plain, sizeof plain);
  load->soft_settings.impratio = 1;
  m.root = mj_open_unit(&m, (Place){.file = file}, NULL, file, "");
  if (!m.root) return load->status;
  mj_read_custom(&m, m.root);
  mj_read_world(&m, m.root);
  if (LOAD_OK(load)) mj_scale_masses(&m);
  if (LOAD_OK(load)) mj_check_inertias(&m);
  if (LOAD_OK(load)) mj_read_lists(&m);
  if (LOAD_OK(load)) mj_read_keys(&m, m.root);
  if (LOAD_OK(load)) mj_finish_custom(&m);
  return LOAD_OK(load) ? assets_finish(load, &m.assets) : load->status;
}
