// SPDX-License-Identifier: Apache-2.0
// A user's program, valid in C and in C++: it uses the lists, the inline functions and the defs of
// the headers, where a conversion or a missing initialiser would be warned of.
#include <heft/heft.h>
#include <stdio.h>

#define JOINT(name, text, coordinates, dofs) text,
#define SHAPE(name, text) text,
static const char* const joints[] = {HEFT_JOINT_LIST(JOINT)};
static const char* const shapes[] = {HEFT_SHAPE_LIST(SHAPE)};

static double fall(const HeftModel* model, HeftError* error) {
  HeftWorldDef def = heft_world_def_default();
  def.substeps = 2;
  HeftWorld* world = NULL;
  if (heft_world_create(&world, model, &def, error) != HEFT_OK) return 0;
  HeftStepReport report = heft_world_step(world);
  for (int i = 0; i < 9 && heft_step_taken(report.status); ++i) report = heft_world_step(world);
  const double z = heft_world_state(world)->q[2];
  heft_world_destroy(world);
  return z;
}

int main(void) {
  HeftError error;
  error.status = HEFT_OK;
  HeftBuilder* builder = NULL;
  HeftModel* model = NULL;
  if (heft_builder_create(&builder, NULL, &error) != HEFT_OK) return 1;
  HeftBodyDef ball = heft_body_def_default();
  ball.pos = heft_vec3_add(heft_vec3(0, 0, 1), heft_vec3_scale(0.5, heft_vec3(0, 0, 1)));
  ball.mass = 1;
  ball.inertia.xx = ball.inertia.yy = ball.inertia.zz = 0.01;
  HeftJointDef joint = heft_joint_def_default();
  joint.body = heft_builder_add_body(builder, &ball);
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(builder, &joint);
  const HeftStatus status = heft_builder_finish(builder, &model, &error);
  heft_builder_destroy(builder);
  if (status != HEFT_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  const HeftPose pose = heft_pose(ball.pos, heft_quat_identity());
  printf("%s, %s: %g m, %g m\n", joints[HEFT_JOINT_FREE], shapes[HEFT_SHAPE_SPHERE],
         heft_vec3_norm(heft_pose_apply(pose, heft_vec3(0, 0, 0))), fall(model, &error));
  heft_model_destroy(model);
  return 0;
}
