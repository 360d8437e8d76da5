// SPDX-License-Identifier: Apache-2.0
// Objects that come and go: every tenth of a second a ball falls onto a table, and the oldest one
// is removed. The world goes on without a jump.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>

static const char scene[] =
    "<mujoco><worldbody><geom type='plane' size='0 0 1'/><body name='table' pos='0 0 .5'>"
    "<freejoint/><geom type='box' size='.5 .5 .02' pos='0 0 .48'/><geom type='cylinder' "
    "size='.05 .48'/><geom type='box' size='.3 .3 .02' pos='0 0 "
    "-.48'/></body></worldbody></mujoco>";

// The same model without one of its bodies (0: all stay) and with one ball more.
static HeftModel* changed_model(const HeftModel* model, int without, int number) {
  HeftBuilder* builder = NULL;
  HeftModel* changed = NULL;
  HeftPartDef part = heft_part_def_default();
  HeftBodyDef ball = heft_body_def_default();
  HeftJointDef joint = heft_joint_def_default();
  HeftShapeDef shape = heft_shape_def_default();
  bool left_out[64] = {false};
  char name[32];
  snprintf(name, sizeof name, "ball %d", number);
  left_out[without] = without > 0;
  part.without = left_out;
  ball.name = name;
  ball.pos = heft_vec3(0.07 * (number % 5 - 2), 0.05 * (number % 7 - 3), 1.3);
  ball.mass = 0.5;
  ball.inertia = (HeftSym3){8e-4, 8e-4, 8e-4, 0, 0, 0};
  joint.type = HEFT_JOINT_FREE;
  shape.type = HEFT_SHAPE_SPHERE;
  shape.size[0] = 0.06;
  if (heft_builder_create(&builder, NULL, NULL) != HEFT_OK) return NULL;
  heft_builder_set_physics(builder, model->physics);
  heft_builder_add_model(builder, model, &part);
  joint.body = shape.body = heft_builder_add_body(builder, &ball);
  heft_builder_add_joint(builder, &joint);
  heft_builder_add_shape(builder, &shape);
  heft_builder_finish(builder, &changed, NULL);
  heft_builder_destroy(builder);
  return changed;
}

int main(void) {
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  HeftStatus status =
      heft_model_load_bytes(&model, scene, sizeof scene - 1, "rain.xml", NULL, NULL);
  if (status == HEFT_OK) status = heft_world_create(&world, model, NULL, NULL);
  for (int i = 0; i < 3050 && status == HEFT_OK; ++i) {
    heft_world_step(world);
    if (i % 100 != 99) continue;
    HeftWorld* next = NULL;
    HeftModel* changed = changed_model(model, model->nbody > 10 ? 2 : 0, i / 100);
    status = changed ? heft_world_create(&next, changed, NULL, NULL) : HEFT_ERR_MEMORY;
    if (status == HEFT_OK) status = heft_world_transfer(next, world, NULL);
    heft_world_destroy(world);
    heft_model_destroy(model);
    world = next;
    model = changed;
  }
  const double load = world ? heft_world_contact_wrench(world, 1, heft_vec3(0, 0, 0)).lin.z : 0;
  printf("%d balls; contact forces carry the table with %.1f N\n", model ? model->nbody - 2 : 0,
         load);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return status == HEFT_OK ? 0 : 1;
}
