// SPDX-License-Identifier: Apache-2.0
// Squeeze and lift: two fingers squeeze a ball with 8 N each and lift it by friction alone. The
// program prints the force of each contact; the vertical forces add up to the weight of the ball.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdio.h>

enum { CONTACT_CAPACITY = 64 };

int main(void) {
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  HeftError error = {0};
  HeftContact contacts[CONTACT_CAPACITY];
  HeftPose ball = {0};
  HeftVec3 carried = {0};
  HeftStatus status = heft_model_load_file(&model, "examples/gripper.xml", NULL, &error);
  if (status == HEFT_OK) status = heft_world_create(&world, model, NULL, &error);
  if (status == HEFT_OK) status = heft_world_set_control(world, "left", 8, &error);
  if (status == HEFT_OK) status = heft_world_set_control(world, "right", 8, &error);
  for (int i = 0; i < 2000 && status == HEFT_OK; ++i) {
    if (i >= 500) heft_world_set_control(world, "lift", fmin(0.1, 1e-4 * (i - 500)), &error);
    heft_world_step(world);
  }
  const int count = status == HEFT_OK ? heft_world_contacts(world, contacts, CONTACT_CAPACITY) : 0;
  for (int i = 0; i < count; ++i)
    printf("body %d on body %d: (%+.3f, %+.3f, %+.3f) N, %s\n", contacts[i].body_a,
           contacts[i].body_b, contacts[i].force.x, contacts[i].force.y, contacts[i].force.z,
           heft_contact_state_name(contacts[i].state));
  if (status == HEFT_OK) status = heft_world_body_pose(world, "ball", &ball, &error);
  if (status == HEFT_OK) status = heft_world_body_contact_force(world, "ball", &carried, &error);
  if (status != HEFT_OK) fprintf(stderr, "%s\n", error.message);
  printf("ball at %.4f m, carried by %.4f N of 2.943 N\n", ball.pos.z, carried.z);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return ball.pos.z > 0.13 && fabs(carried.z - 2.943) < 1e-3 ? 0 : 1;
}
