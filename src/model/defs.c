// SPDX-License-Identifier: Apache-2.0
// Default settings of all defs of a builder.
#include <heft/model.h>
#include <math.h>

#include "base/def.h"

void heft_body_def_init(HeftBodyDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftBodyDef, def, cookie)) return;
  *def = (HeftBodyDef){
      .cookie = cookie, .quat = {1, 0, 0, 0}, .inertia_quat = {1, 0, 0, 0}, .gravity = 1};
}

void heft_joint_def_init(HeftJointDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftJointDef, def, cookie)) return;
  *def = (HeftJointDef){.cookie = cookie,
                        .type = HEFT_JOINT_HINGE,
                        .axis = {0, 0, 1},
                        .axis2 = {1, 0, 0},
                        .q_spring = {(double)NAN}};
}

void heft_site_def_init(HeftSiteDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftSiteDef, def, cookie)) return;
  *def = (HeftSiteDef){.cookie = cookie,
                       .quat = {1, 0, 0, 0},
                       .type = HEFT_SHAPE_SPHERE,
                       .size = {0.005, 0.005, 0.005},
                       .color = {0.5, 0.5, 0.5, 1}};
}

void heft_material_def_init(HeftMaterialDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftMaterialDef, def, cookie)) return;
  *def = (HeftMaterialDef){
      .cookie = cookie, .friction = 1, .kinetic = (double)NAN, .torsion = 0.005, .rolling = 0.0001};
}

void heft_shape_def_init(HeftShapeDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftShapeDef, def, cookie)) return;
  *def = (HeftShapeDef){.cookie = cookie,
                        .type = HEFT_SHAPE_SPHERE,
                        .quat = {1, 0, 0, 0},
                        .mesh = -1,
                        .height_field = -1,
                        .appearance = -1,
                        .category = 1,
                        .collides = 1,
                        .contact_dim = 3,
                        .color = {0.5, 0.5, 0.5, 1}};
}

void heft_mesh_def_init(HeftMeshDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftMeshDef, def, cookie)) return;
  *def = (HeftMeshDef){.cookie = cookie};
}

void heft_actuator_def_init(HeftActuatorDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftActuatorDef, def, cookie)) return;
  *def = (HeftActuatorDef){.cookie = cookie,
                           .transmission = HEFT_TRANSMISSION_JOINT,
                           .reference = -1,
                           .gear = {1},
                           .gain = 1};
}

void heft_sensor_def_init(HeftSensorDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftSensorDef, def, cookie)) return;
  *def = (HeftSensorDef){.cookie = cookie,
                         .type = HEFT_SENSOR_JOINT_POSITION,
                         .reference = -1,
                         .matrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}

void heft_key_def_init(HeftKeyDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftKeyDef, def, cookie)) return;
  *def = (HeftKeyDef){.cookie = cookie};
}

void heft_height_field_def_init(HeftHeightFieldDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftHeightFieldDef, def, cookie)) return;
  *def = (HeftHeightFieldDef){.cookie = cookie, .size = {1, 1, 0, 0.1}};
}

void heft_texture_def_init(HeftTextureDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftTextureDef, def, cookie)) return;
  *def = (HeftTextureDef){.cookie = cookie,
                          .type = HEFT_TEXTURE_CUBE,
                          .color = {0.8, 0.8, 0.8},
                          .color2 = {0.5, 0.5, 0.5}};
}

void heft_appearance_def_init(HeftAppearanceDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftAppearanceDef, def, cookie)) return;
  *def = (HeftAppearanceDef){.cookie = cookie,
                             .color = {1, 1, 1, 1},
                             .light = {0, 0.5, 0.5, 0},
                             .texture = -1,
                             .repeat = {1, 1}};
}

void heft_camera_def_init(HeftCameraDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftCameraDef, def, cookie)) return;
  *def = (HeftCameraDef){.cookie = cookie, .quat = {1, 0, 0, 0}, .fov = HEFT_PI / 4, .target = -1};
}

void heft_light_def_init(HeftLightDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftLightDef, def, cookie)) return;
  *def = (HeftLightDef){.cookie = cookie,
                        .dir = {0, 0, -1},
                        .target = -1,
                        .shadow = 1,
                        .active = 1,
                        .diffuse = {0.7, 0.7, 0.7},
                        .specular = {0.3, 0.3, 0.3},
                        .attenuation = {1, 0, 0},
                        .cutoff = HEFT_PI / 4,
                        .exponent = 10};
}

void heft_pair_def_init(HeftPairDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftPairDef, def, cookie)) return;
  *def = (HeftPairDef){.cookie = cookie, .contact_dim = 3};
}
void heft_exclude_def_init(HeftExcludeDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftExcludeDef, def, cookie)) return;
  *def = (HeftExcludeDef){.cookie = cookie};
}

void heft_equality_def_init(HeftEqualityDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftEqualityDef, def, cookie)) return;
  *def = (HeftEqualityDef){.cookie = cookie, .active = 1, .quat = {1, 0, 0, 0}, .poly = {0, 1}};
}

void heft_tendon_def_init(HeftTendonDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftTendonDef, def, cookie)) return;
  *def = (HeftTendonDef){
      .cookie = cookie, .spring = {-1, -1}, .width = 0.003, .color = {0.5, 0.5, 0.5, 1}};
}

void heft_deformable_def_init(HeftDeformableDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftDeformableDef, def, cookie)) return;
  *def = (HeftDeformableDef){.cookie = cookie,
                             .quat = {1, 0, 0, 0},
                             .density = 1000,
                             .young = 1e6,
                             .poisson = 0.3,
                             .radius = 0.001,
                             .category = 1,
                             .collides = 1,
                             .contact_dim = 3,
                             .color = {0.8, 0.5, 0.4, 1}};
}

void heft_part_def_init(HeftPartDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftPartDef, def, cookie)) return;
  *def = (HeftPartDef){.cookie = cookie, .quat = {1, 0, 0, 0}, .world = 1, .keys = 1};
}
