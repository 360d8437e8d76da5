// SPDX-License-Identifier: Apache-2.0
// Small scenes whose motion is known in closed form.
#include "parts.h"

// A uniform rod of 1 m and 2 kg that hangs on one end.
void scene_build_pendulum(HeftBuilder* b) {
  HeftBodyDef rod = heft_body_def_default();
  rod.name = "rod";
  set_box_inertia(&rod, 2, heft_vec3(0.01, 0.01, 0.5));
  rod.com = heft_vec3(0, 0, -0.5);
  const int body = heft_builder_add_body(b, &rod);
  HeftJointDef hinge = heft_joint_def_default();
  hinge.name = "pivot";
  hinge.body = body;
  hinge.axis = heft_vec3(0, 1, 0);
  heft_builder_add_joint(b, &hinge);
}

// A disc of 1 kg and 5 cm on a massless stem: the tip of the stem stands at the world's origin.
void scene_build_top(HeftBuilder* b) {
  const double mass = 1, radius = 0.05, height = 0.1;
  HeftBodyDef disc = heft_body_def_default();
  disc.name = "disc";
  disc.mass = mass;
  disc.com = heft_vec3(0, 0, height);
  disc.inertia = (HeftSym3){0.25 * mass * radius * radius,
                            0.25 * mass * radius * radius,
                            0.5 * mass * radius * radius,
                            0,
                            0,
                            0};
  const int body = heft_builder_add_body(b, &disc);
  HeftJointDef tip = heft_joint_def_default();
  tip.name = "tip";
  tip.body = body;
  tip.type = HEFT_JOINT_BALL;
  heft_builder_add_joint(b, &tip);
}

void scene_build_tumbler(HeftBuilder* b) {
  heft_builder_set_physics(b, (HeftPhysics){.gravity = {0, 0, 0}, .time_step = 0.001});
  HeftBodyDef wing = heft_body_def_default();
  wing.name = "wing nut";
  wing.mass = 1;
  wing.inertia = (HeftSym3){0.02, 0.03, 0.04, 0, 0, 0};
  const int body = heft_builder_add_body(b, &wing);
  HeftJointDef joint = heft_joint_def_default();
  joint.name = "flight";
  joint.body = body;
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(b, &joint);
}

// 1 kg on 400 N/m: 20 rad/s.
void scene_build_spring(HeftBuilder* b) {
  heft_builder_set_physics(b, (HeftPhysics){.gravity = {0, 0, 0}, .time_step = 0.001});
  HeftBodyDef mass = heft_body_def_default();
  mass.name = "mass";
  set_box_inertia(&mass, 1, heft_vec3(0.05, 0.05, 0.05));
  const int body = heft_builder_add_body(b, &mass);
  HeftJointDef slide = heft_joint_def_default();
  slide.name = "rail";
  slide.body = body;
  slide.type = HEFT_JOINT_SLIDE;
  slide.axis = heft_vec3(1, 0, 0);
  slide.stiffness[0] = 400;
  heft_builder_add_joint(b, &slide);
}

void scene_build_chain(HeftBuilder* b) {
  heft_builder_set_physics(b, (HeftPhysics){.gravity = {0, 0, 0}, .time_step = 0.001});
  int parent = 0;
  for (int i = 0; i < 10; ++i) {
    HeftBodyDef link = heft_body_def_default();
    link.parent = parent;
    link.pos = heft_vec3(0, 0, i == 0 ? 0 : -0.2);
    link.com = heft_vec3(0, 0, -0.1);
    set_box_inertia(&link, 1, heft_vec3(0.03, 0.02, 0.1));
    parent = heft_builder_add_body(b, &link);
    HeftJointDef joint = heft_joint_def_default();
    joint.body = parent;
    joint.type = i == 0 ? HEFT_JOINT_FREE : i % 2 ? HEFT_JOINT_HINGE : HEFT_JOINT_BALL;
    joint.axis = i % 4 == 1 ? heft_vec3(1, 0, 0) : heft_vec3(0, 1, 0);
    heft_builder_add_joint(b, &joint);
  }
}
