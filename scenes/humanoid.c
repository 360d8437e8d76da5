// SPDX-License-Identifier: Apache-2.0
// A humanoid of 35 degrees of freedom: free base, two legs of 6, a waist of 3, two arms of 7; 1.3
// m, 35 kg. Boxes and hinges along the axes of the body, feet with soles of 20 x 8 cm.
#include "parts.h"

typedef struct Part {
  const char* name;
  HeftVec3 pos;  ///< joint in the parent's frame [m]
  HeftVec3 axis;
  HeftVec3 com;   ///< [m]
  HeftVec3 half;  ///< half sizes of the box that gives the inertia [m]
  double mass;    ///< [kg]
} Part;

static const HeftVec3 roll = {1, 0, 0}, pitch = {0, 1, 0}, yaw = {0, 0, 1};

static int add_part(HeftBuilder* b, int parent, const Part* part, const char* side, double mirror) {
  char name[64];
  int n = 0;
  for (const char* c = side; *c; ++c) name[n++] = *c;
  for (const char* c = part->name; *c; ++c) name[n++] = *c;
  name[n] = '\0';
  HeftBodyDef body = heft_body_def_default();
  body.name = name;
  body.parent = parent;
  body.pos = heft_vec3(part->pos.x, mirror * part->pos.y, part->pos.z);
  set_box_inertia(&body, part->mass, part->half);
  body.com = heft_vec3(part->com.x, mirror * part->com.y, part->com.z);
  const int index = heft_builder_add_body(b, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.name = name;
  joint.body = index;
  joint.axis = part->axis;
  joint.armature[0] = 0.01;
  heft_builder_add_joint(b, &joint);
  return index;
}

static int add_parts(HeftBuilder* b, int parent, const Part* parts, int count, const char* side,
                     double mirror) {
  for (int i = 0; i < count; ++i) parent = add_part(b, parent, &parts[i], side, mirror);
  return parent;
}

static void add_leg(HeftBuilder* b, int pelvis, const char* side, double mirror) {
  const Part leg[] = {
      {"hip_pitch", {0, 0.065, -0.10}, pitch, {0, 0.04, -0.02}, {0.05, 0.05, 0.05}, 1.35},
      {"hip_roll", {0, 0.05, -0.03}, roll, {0, 0, -0.05}, {0.05, 0.05, 0.06}, 1.5},
      {"hip_yaw", {0, 0, -0.12}, yaw, {0, 0, -0.06}, {0.05, 0.05, 0.09}, 1.7},
      {"knee", {0, 0, -0.18}, pitch, {0, 0, -0.14}, {0.04, 0.04, 0.15}, 1.9},
      {"ankle_pitch", {0, 0, -0.30}, pitch, {0, 0, 0}, {0.02, 0.02, 0.02}, 0.1},
      {"ankle_roll", {0, 0, -0.02}, roll, {0.03, 0, -0.02}, {0.10, 0.04, 0.015}, 0.6},
  };
  const int foot = add_parts(b, pelvis, leg, 6, side, mirror);
  HeftShapeDef sole = heft_shape_def_default();
  sole.body = foot;
  sole.type = HEFT_SHAPE_BOX;
  sole.pos = heft_vec3(0.03, 0, -0.03);
  sole.size[0] = 0.10;
  sole.size[1] = 0.04;
  sole.size[2] = 0.01;
  heft_builder_add_shape(b, &sole);
}

static void add_arm(HeftBuilder* b, int torso, const char* side, double mirror) {
  const Part arm[] = {
      {"shoulder_pitch", {0, 0.10, 0.25}, pitch, {0, 0.03, 0}, {0.035, 0.035, 0.035}, 0.7},
      {"shoulder_roll", {0, 0.05, 0}, roll, {0, 0, -0.05}, {0.03, 0.03, 0.06}, 0.65},
      {"shoulder_yaw", {0, 0, -0.10}, yaw, {0, 0, -0.04}, {0.03, 0.03, 0.05}, 0.7},
      {"elbow", {0, 0, -0.08}, pitch, {0.05, 0, 0}, {0.05, 0.03, 0.03}, 0.6},
      {"wrist_roll", {0.10, 0, 0}, roll, {0.02, 0, 0}, {0.03, 0.02, 0.02}, 0.1},
      {"wrist_pitch", {0.04, 0, 0}, pitch, {0.02, 0, 0}, {0.03, 0.02, 0.02}, 0.5},
      {"wrist_yaw", {0.05, 0, 0}, yaw, {0.07, 0, 0}, {0.07, 0.03, 0.02}, 0.35},
  };
  add_parts(b, torso, arm, 7, side, mirror);
}

void scene_build_humanoid(HeftBuilder* b) {
  HeftBodyDef pelvis_def = heft_body_def_default();
  pelvis_def.name = "pelvis";
  pelvis_def.pos = heft_vec3(0, 0, 0.79);
  pelvis_def.com = heft_vec3(0, 0, -0.07);
  set_box_inertia(&pelvis_def, 3.8, heft_vec3(0.06, 0.08, 0.05));
  const int pelvis = heft_builder_add_body(b, &pelvis_def);
  HeftJointDef base = heft_joint_def_default();
  base.name = "base";
  base.body = pelvis;
  base.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(b, &base);
  add_leg(b, pelvis, "left_", 1);
  add_leg(b, pelvis, "right_", -1);
  const Part waist[] = {
      {"waist_yaw", {0, 0, 0.02}, yaw, {0, 0, 0.01}, {0.04, 0.04, 0.02}, 0.2},
      {"waist_roll", {0, 0, 0.03}, roll, {0, 0, 0.01}, {0.03, 0.03, 0.02}, 0.1},
      {"torso", {0, 0, 0.02}, pitch, {0, 0, 0.16}, {0.08, 0.11, 0.2}, 7.8},
  };
  const int torso = add_parts(b, pelvis, waist, 3, "", 1);
  add_arm(b, torso, "left_", 1);
  add_arm(b, torso, "right_", -1);
}
