// SPDX-License-Identifier: Apache-2.0
// A box on a slope: below the angle of friction it sticks, above this angle it slides, exactly.
//
// The program rotates gravity instead of the floor, which is equivalent.
#include <heft/heft.h>
#include <math.h>
#include <stdio.h>

static const double friction = 0.5, half = 0.1, mass = 2;

static HeftModel* make_slope(double slope) {
  HeftBuilder* builder = NULL;
  HeftModel* model = NULL;
  if (heft_builder_create(&builder, NULL, NULL) != HEFT_OK) return NULL;
  const double down = 9.81 / sqrt(1 + slope * slope);
  heft_builder_set_physics(builder,
                           (HeftPhysics){.gravity = {slope * down, 0, -down}, .time_step = 0.001});

  HeftMaterialDef rubber = heft_material_def_default();
  rubber.name = "rubber";
  rubber.friction = friction;
  const int material = heft_builder_add_material(builder, &rubber);

  HeftShapeDef floor_shape = heft_shape_def_default();  // on body 0, the world
  floor_shape.type = HEFT_SHAPE_PLANE;
  floor_shape.material = material;
  heft_builder_add_shape(builder, &floor_shape);

  HeftBodyDef box = heft_body_def_default();
  box.name = "box";
  box.pos = heft_vec3(0, 0, half);
  box.mass = mass;
  box.inertia.xx = box.inertia.yy = box.inertia.zz = 2.0 / 3 * mass * half * half;
  const int body = heft_builder_add_body(builder, &box);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = body;
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(builder, &joint);
  HeftShapeDef shape = heft_shape_def_default();
  shape.body = body;
  shape.type = HEFT_SHAPE_BOX;
  shape.size[0] = shape.size[1] = shape.size[2] = half;
  shape.material = material;
  heft_builder_add_shape(builder, &shape);

  heft_builder_finish(builder, &model, NULL);
  heft_builder_destroy(builder);
  return model;
}

// Simulates one second. Returns the speed of the box, and prints speed and contact force.
static double slide(double slope) {
  HeftModel* model = make_slope(slope);
  HeftWorld* world = NULL;
  if (!model || heft_world_create(&world, model, NULL, NULL) != HEFT_OK) return -1;
  HeftStepReport report = {0};
  for (int i = 0; i < 1000; ++i) report = heft_world_step(world);
  HeftVec3 force = {0};
  heft_world_body_contact_force(world, "box", &force, NULL);
  const double speed = heft_world_state(world)->v[0];
  printf(
      "slope %.2f: %8.5f m/s after 1 s; floor pushes %.4f N up, %.4f N back; residual %.1e m/s\n",
      slope, speed, force.z, -force.x, report.residual);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return speed;
}

int main(void) {
  const double steep = 0.6, expected = 9.81 * (steep - friction) / sqrt(1 + steep * steep);
  const double sticking = slide(0.49), sliding = slide(steep);
  printf("theory: 0 and %.5f m/s\n", expected);
  return fabs(sticking) < 1e-6 && fabs(sliding - expected) < 1e-6 ? 0 : 1;
}
