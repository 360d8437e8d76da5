// SPDX-License-Identifier: Apache-2.0
// Hold a pose and push: servos hold a keyframe, a force of 20 N pushes the hand for 0.2 s, and the
// program prints how far the hand yields and where it comes back to.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>

int main(int argc, char** argv) {
  const char* file = argc > 1 ? argv[1] : "examples/desk_arm.xml";
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  HeftError error = {0};
  HeftPose start = {0}, now = {0};
  HeftStatus status = heft_model_load_file(&model, file, NULL, &error);
  if (status == HEFT_OK) status = heft_world_create(&world, model, NULL, &error);
  if (status == HEFT_OK) status = heft_world_reset_to_key(world, "ready", &error);
  for (int i = 0; i < 3000 && status == HEFT_OK; ++i) {
    if (i == 1000) status = heft_world_body_pose(world, "hand", &start, &error);
    if (i >= 1000 && i < 1200) heft_world_apply_force(world, "hand", heft_vec3(0, 20, 0), &error);
    const HeftStepReport report = heft_world_step(world);
    if (i % 250 == 99) {
      heft_world_body_pose(world, "hand", &now, &error);
      printf("%.1f s: hand at y = %+.4f m, residual %.1e m/s\n", report.time, now.pos.y,
             report.residual);
    }
  }
  const double back = now.pos.y - start.pos.y;
  if (status != HEFT_OK) fprintf(stderr, "%s: %s\n", file, error.message);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return status == HEFT_OK && back < 1e-3 && back > -1e-3 ? 0 : 1;
}
