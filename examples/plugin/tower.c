// SPDX-License-Identifier: Apache-2.0
// A scene of one's own: a tower of boxes, and a push of 0.1 s against the highest one.
//     heft view --plugin ./tower.so:boxes=12,push=20
#include <heft/plugin.h>

typedef struct Tower {
  double boxes, push, start;
} Tower;

static const double half = 0.05, mass = 0.5;
static const HeftOption options[] = {
    HEFT_PLUGIN_OPTION(Tower, boxes, 1, 100, 8, "", "number of boxes"),
    HEFT_PLUGIN_OPTION(Tower, push, 0, 1000, 0, "N", "along x, on the highest box"),
    HEFT_PLUGIN_OPTION(Tower, start, 0, 1000, 1, "s", "of the push")};

static HeftStatus build(const void* self, HeftBuilder* builder, HeftError* error) {
  (void)error;  // heft_builder_finish() reports what is wrong with a def
  HeftShapeDef shape = heft_shape_def_default();
  shape.type = HEFT_SHAPE_PLANE;  // on body 0, the world
  heft_builder_add_shape(builder, &shape);
  shape.type = HEFT_SHAPE_BOX;
  shape.size[0] = shape.size[1] = shape.size[2] = half;
  for (int i = 0; i < (int)((const Tower*)self)->boxes; ++i) {
    HeftBodyDef box = heft_body_def_default();
    box.pos = heft_vec3(0, 0, (2 * i + 1) * half);
    box.mass = mass;
    box.inertia.xx = box.inertia.yy = box.inertia.zz = 2.0 / 3 * mass * half * half;
    HeftJointDef joint = heft_joint_def_default();
    joint.type = HEFT_JOINT_FREE;
    shape.body = joint.body = heft_builder_add_body(builder, &box);
    heft_builder_add_joint(builder, &joint);
    heft_builder_add_shape(builder, &shape);
  }
  return HEFT_OK;
}

static void before_step(void* self, HeftWorld* world) {
  const Tower* tower = (const Tower*)self;
  const double since = *heft_world_state(world)->time - tower->start;
  const int top = heft_world_model(world)->nbody - 1;
  const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(world), top).pos;
  if (since >= 0 && since < 0.1)
    heft_world_apply_wrench(world, top, at, heft_vec3(tower->push, 0, 0), heft_vec3(0, 0, 0));
}

static const HeftPlugin tower = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                 .name = "tower",
                                 .help = "a tower of boxes that is pushed",
                                 .size = sizeof(Tower),
                                 .options = {options, 3},
                                 .before_step = before_step,
                                 .build = build};
HEFT_PLUGIN(tower)
