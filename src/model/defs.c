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

HeftSiteDef heft_site_def_default(void) { return (HeftSiteDef){.quat = {1, 0, 0, 0}}; }

HeftMaterialDef heft_material_def_default(void) {
  return (HeftMaterialDef){
      .friction = 1, .kinetic = (double)NAN, .torsion = 0.005, .rolling = 0.0001};
}

HeftShapeDef heft_shape_def_default(void) {
  return (HeftShapeDef){.type = HEFT_SHAPE_SPHERE,
                        .quat = {1, 0, 0, 0},
                        .mesh = -1,
                        .category = 1,
                        .collides = 1,
                        .contact_dim = 3,
                        .color = {0.5, 0.5, 0.5, 1}};
}

HeftMeshDef heft_mesh_def_default(void) { return (HeftMeshDef){0}; }

HeftActuatorDef heft_actuator_def_default(void) {
  return (HeftActuatorDef){.transmission = HEFT_TRANSMISSION_JOINT, .gear = {1}, .gain = 1};
}

HeftSensorDef heft_sensor_def_default(void) {
  return (HeftSensorDef){.type = HEFT_SENSOR_JOINT_POSITION};
}

HeftKeyDef heft_key_def_default(void) { return (HeftKeyDef){0}; }
