// SPDX-License-Identifier: Apache-2.0
// Default settings of everything that a builder takes.
#include <heft/model.h>
#include <math.h>

HeftBodyDef heft_body_def_default(void) {
  return (HeftBodyDef){.quat = {1, 0, 0, 0}, .inertia_quat = {1, 0, 0, 0}, .gravity = 1};
}

HeftJointDef heft_joint_def_default(void) {
  return (HeftJointDef){
      .type = HEFT_JOINT_HINGE, .axis = {0, 0, 1}, .axis2 = {1, 0, 0}, .q_spring = {(double)NAN}};
}

HeftSiteDef heft_site_def_default(void) {
  return (HeftSiteDef){.quat = {1, 0, 0, 0},
                       .type = HEFT_SHAPE_SPHERE,
                       .size = {0.005, 0.005, 0.005},
                       .color = {0.5, 0.5, 0.5, 1}};
}

HeftMaterialDef heft_material_def_default(void) {
  return (HeftMaterialDef){
      .friction = 1, .kinetic = (double)NAN, .torsion = 0.005, .rolling = 0.0001};
}

HeftShapeDef heft_shape_def_default(void) {
  return (HeftShapeDef){.type = HEFT_SHAPE_SPHERE,
                        .quat = {1, 0, 0, 0},
                        .mesh = -1,
                        .height_field = -1,
                        .appearance = -1,
                        .category = 1,
                        .collides = 1,
                        .contact_dim = 3,
                        .color = {0.5, 0.5, 0.5, 1}};
}

HeftMeshDef heft_mesh_def_default(void) { return (HeftMeshDef){0}; }

HeftActuatorDef heft_actuator_def_default(void) {
  return (HeftActuatorDef){
      .transmission = HEFT_TRANSMISSION_JOINT, .reference = -1, .gear = {1}, .gain = 1};
}

HeftSensorDef heft_sensor_def_default(void) {
  return (HeftSensorDef){.type = HEFT_SENSOR_JOINT_POSITION,
                         .reference = -1,
                         .matrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}

HeftKeyDef heft_key_def_default(void) { return (HeftKeyDef){0}; }

HeftHeightFieldDef heft_height_field_def_default(void) {
  return (HeftHeightFieldDef){.size = {1, 1, 0, 0.1}};
}

HeftTextureDef heft_texture_def_default(void) {
  return (HeftTextureDef){
      .type = HEFT_TEXTURE_CUBE, .color = {0.8, 0.8, 0.8}, .color2 = {0.5, 0.5, 0.5}};
}

HeftAppearanceDef heft_appearance_def_default(void) {
  return (HeftAppearanceDef){
      .color = {1, 1, 1, 1}, .light = {0, 0.5, 0.5, 0}, .texture = -1, .repeat = {1, 1}};
}

HeftCameraDef heft_camera_def_default(void) {
  return (HeftCameraDef){.quat = {1, 0, 0, 0}, .fov = HEFT_PI / 4, .target = -1};
}

HeftLightDef heft_light_def_default(void) {
  return (HeftLightDef){.dir = {0, 0, -1},
                        .target = -1,
                        .shadow = 1,
                        .active = 1,
                        .diffuse = {0.7, 0.7, 0.7},
                        .specular = {0.3, 0.3, 0.3},
                        .attenuation = {1, 0, 0},
                        .cutoff = HEFT_PI / 4,
                        .exponent = 10};
}

HeftPairDef heft_pair_def_default(void) { return (HeftPairDef){.contact_dim = 3}; }
HeftExcludeDef heft_exclude_def_default(void) { return (HeftExcludeDef){0}; }

HeftEqualityDef heft_equality_def_default(void) {
  return (HeftEqualityDef){.active = 1, .quat = {1, 0, 0, 0}, .poly = {0, 1}};
}

HeftTendonDef heft_tendon_def_default(void) {
  return (HeftTendonDef){.spring = {-1, -1}, .width = 0.003, .color = {0.5, 0.5, 0.5, 1}};
}
