// SPDX-License-Identifier: Apache-2.0
// Sites, cameras and lights.
#include "base/kind_table.h"
#include "io/mjcf_tree.h"

static void read_colour(Mjcf* m, const Item* item, MjcfKey rgba, MjcfKey material,
                        double color[4]) {
  mj_reals(m, item, rgba, color);
  const char* missing = NULL;
  const int look = mj_reference(m, item, material, OF_MATERIAL, &missing, NULL);
  if (missing)
    load_fail(m->load, HEFT_ERR_NAME, mj_place(m, item, material),
              "<%.40s material>: there is no material '%.80s'", item->node->name, missing);
  if (look >= 0)
    load_warn(m->load, mj_place(m, item, material),
              load_format(m->load, "%.40s material", item->node->name),
              "<%.40s material> is skipped; give rgba", item->node->name);
}

void mj_add_site(Mjcf* m, Item* item, int body) {
  m->owner = item->scope;
  static const char* const types[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box", NULL};
  item->class = mj_class(m, item->scope->unit, item->node, "class", item->class);
  mj_check(m, item->node, MJCF_site);
  HeftSiteDef def = heft_site_def_default();
  const int type = mj_word(m, item, MJ_site_type, types);
  if (type < 0) return;
  def.type = mj_geom_types[type + 2];
  def.body = body;
  def.pos = mj_vec3(m, item, MJ_site_pos);
  def.quat = mj_orientation(m, item, MJ_site_quat);
  def.group = mj_int(m, item, MJ_site_group);
  mj_reals(m, item, MJ_site_size, def.size);
  if (mj_given(m, item, MJ_site_fromto))
    mj_read_ends(m, item, MJ_site_fromto, def.type, &def.pos, &def.quat, def.size);
  read_colour(m, item, MJ_site_rgba, MJ_site_material, def.color);
  if (!mj_is_plain_frame(item)) mj_place_item(item, &def.pos, &def.quat);
  if (!LOAD_OK(m->load)) return;
  def.name = mj_full_name(m, item->scope, mj_text(m, item, MJ_site_name, NULL));
  SiteInfo* info = LOAD_ADD(m->load, &m->sites, SiteInfo);
  if (!info) return;
  *info = (SiteInfo){body, def.pos, def.quat};
  const char* name = def.name;
  def.name = mj_model_name(name);
  mj_name_add(m, item->node, OF_SITE, name, heft_builder_add_site(m->load->builder, &def));
}

static const char* const follows[] = {HEFT_FOLLOW_LIST(KIND_TEXT) NULL};

static int target_of(Mjcf* m, const Item* item, MjcfKey key) {
  const char* missing = NULL;
  const int body = mj_reference(m, item, key, OF_BODY, &missing, NULL);
  if (missing)
    load_fail(m->load, HEFT_ERR_NAME, mj_place(m, item, key),
              "<%.40s target>: there is no body '%.80s'", item->node->name, missing);
  return body;
}

void mj_add_camera(Mjcf* m, Item* item, int body) {
  m->owner = item->scope;
  item->class = mj_class(m, item->scope->unit, item->node, "class", item->class);
  mj_check(m, item->node, MJCF_camera);
  HeftCameraDef def = heft_camera_def_default();
  def.body = body;
  def.pos = mj_vec3(m, item, MJ_camera_pos);
  def.quat = mj_orientation(m, item, MJ_camera_quat);
  def.fov = mj_real(m, item, MJ_camera_fovy) * (HEFT_PI / 180);
  if (LOAD_OK(m->load) && !(def.fov > 0 && def.fov < HEFT_PI))
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_camera_fovy),
              "<camera fovy>: %g was found, expected degrees between 0 and 180",
              def.fov * 180 / HEFT_PI);
  const int follow = mj_word(m, item, MJ_camera_mode, follows);
  def.follow = (HeftFollow)(follow < 0 ? 0 : follow);
  def.target = target_of(m, item, MJ_camera_target);
  if (!mj_is_plain_frame(item)) mj_place_item(item, &def.pos, &def.quat);
  if (!LOAD_OK(m->load)) return;
  def.name = mj_full_name(m, item->scope, mj_text(m, item, MJ_camera_name, NULL));
  mj_name_add(m, item->node, OF_CAMERA, def.name, m->cameras++);
  def.name = mj_model_name(def.name);
  heft_builder_add_camera(m->load->builder, &def);
}

void mj_add_light(Mjcf* m, Item* item, int body) {
  static const char* const types[] = {"spot", "directional", "point", NULL};
  item->class = mj_class(m, item->scope->unit, item->node, "class", item->class);
  mj_check(m, item->node, MJCF_light);
  HeftLightDef def = heft_light_def_default();
  def.body = body;
  def.pos = mj_vec3(m, item, MJ_light_pos);
  def.dir = mj_vec3(m, item, MJ_light_dir);
  const int follow = mj_word(m, item, MJ_light_mode, follows);
  def.follow = (HeftFollow)(follow < 0 ? 0 : follow);
  def.target = target_of(m, item, MJ_light_target);
  def.directional = mj_bool(m, item, MJ_light_directional);
  if (mj_given(m, item, MJ_light_type))
    def.directional = mj_word(m, item, MJ_light_type, types) == 1;
  const int all_around =
      mj_given(m, item, MJ_light_type) && mj_word(m, item, MJ_light_type, types) == 2;
  def.shadow = mj_bool(m, item, MJ_light_castshadow);
  def.active = mj_bool(m, item, MJ_light_active);
  mj_reals(m, item, MJ_light_ambient, def.ambient);
  mj_reals(m, item, MJ_light_diffuse, def.diffuse);
  mj_reals(m, item, MJ_light_specular, def.specular);
  mj_reals(m, item, MJ_light_attenuation, def.attenuation);
  def.cutoff = (all_around ? 180 : mj_real(m, item, MJ_light_cutoff)) * (HEFT_PI / 180);
  def.exponent = mj_real(m, item, MJ_light_exponent);
  if (LOAD_OK(m->load) && heft_vec3_norm(def.dir) < 1e-9)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_light_dir),
              "<light dir>: a zero vector was found, expected a direction");
  if (!mj_is_plain_frame(item)) {
    def.pos = heft_vec3_add(item->pos, heft_quat_rotate(item->quat, def.pos));
    def.dir = heft_quat_rotate(item->quat, def.dir);
  }
  if (!LOAD_OK(m->load)) return;
  def.name = mj_model_name(mj_full_name(m, item->scope, mj_text(m, item, MJ_light_name, NULL)));
  heft_builder_add_light(m->load->builder, &def);
}
