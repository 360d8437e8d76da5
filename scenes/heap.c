// SPDX-License-Identifier: Apache-2.0
// A heap: boxes, balls, capsules and a jointed pair fall onto a floor and come to rest on each
// other.
#include "parts.h"
#include "random.h"

static void add_shape(HeftBuilder* b, int body, HeftShapeType type, double x, double y, double z) {
  HeftShapeDef shape = heft_shape_def_default();
  shape.body = body;
  shape.type = type;
  shape.size[0] = x;
  shape.size[1] = y;
  shape.size[2] = z;
  heft_builder_add_shape(b, &shape);
}

static int add_piece(HeftBuilder* b, Random* r, int index, double mass) {
  HeftBodyDef body = heft_body_def_default();
  const HeftVec3 aside = random_vec3(r, 0.1);
  body.pos = heft_vec3(aside.x, aside.y, 0.15 + 0.22 * index);
  body.quat = random_quat(r);
  set_box_inertia(&body, mass, heft_vec3(0.08, 0.06, 0.05));
  const int added = heft_builder_add_body(b, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = added;
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(b, &joint);
  return added;
}

// A second body on a hinge with limits and dry friction.
static void add_lid(HeftBuilder* b, int box) {
  HeftBodyDef body = heft_body_def_default();
  body.parent = box;
  body.pos = heft_vec3(0.08, 0, 0.06);
  body.com = heft_vec3(-0.08, 0, 0.01);
  set_box_inertia(&body, 0.2, heft_vec3(0.08, 0.06, 0.01));
  const int lid = heft_builder_add_body(b, &body);
  HeftJointDef hinge = heft_joint_def_default();
  hinge.body = lid;
  hinge.axis = heft_vec3(0, 1, 0);
  hinge.limited[0] = 1;
  hinge.range[0][0] = 0;
  hinge.range[0][1] = 2;
  hinge.friction[0] = 0.01;
  hinge.damping[0] = 0.001;
  heft_builder_add_joint(b, &hinge);
}

void scene_build_heap(HeftBuilder* b) {
  Random r = {11};
  add_shape(b, 0, HEFT_SHAPE_PLANE, 0, 0, 0);
  for (int i = 0; i < 8; ++i) {
    const int piece = add_piece(b, &r, i, 0.5 + 0.25 * i);
    switch (i % 4) {
      case 0:
        add_shape(b, piece, HEFT_SHAPE_BOX, 0.08, 0.06, 0.05);
        break;
      case 1:
        add_shape(b, piece, HEFT_SHAPE_SPHERE, 0.07, 0, 0);
        break;
      case 2:
        add_shape(b, piece, HEFT_SHAPE_CAPSULE, 0.05, 0.06, 0);
        break;
      default:
        add_shape(b, piece, HEFT_SHAPE_CYLINDER, 0.06, 0.05, 0);
        break;
    }
    if (i == 4) add_lid(b, piece);
  }
}
