// SPDX-License-Identifier: Apache-2.0
// Rollouts over 8 threads: a batch of 64 worlds, each with its own mass of the hand and its own
// push, and how far the hand moves in each. The results do not depend on the number of threads.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>

enum { ROLLOUTS = 64, STEPS = 300 };

static HeftStatus vary(void* user, int k, HeftWorld* world, HeftError* error) {
  (void)user;
  return heft_world_set_mass_factors(world, 4, 1 + 0.02 * k, 1 + 0.02 * k, error);
}

static void push(void* user, int k, HeftWorld* world) {
  (void)user;
  heft_world_apply_force(world, "hand", heft_vec3(0, 0.5 * k, 0), NULL);
}

int main(void) {
  HeftModel* model = NULL;
  HeftBatch* batch = NULL;
  HeftError error = {0};
  HeftPose hand = {0};
  HeftBatchDef def = heft_batch_def_default();
  def.count = ROLLOUTS;
  def.threads = 8;
  def.setup = vary;
  def.before = push;
  HeftStatus status = heft_model_load_file(&model, "examples/desk_arm.xml", NULL, &error);
  if (status == HEFT_OK) status = heft_batch_create(&batch, model, &def, &error);
  if (status == HEFT_OK) status = heft_batch_reset(batch, NULL, 0, &error);
  if (status == HEFT_OK) status = heft_batch_step(batch, STEPS, &error);
  if (status != HEFT_OK) return fprintf(stderr, "%s\n", error.message), 1;
  for (int k = 0; k < ROLLOUTS; k += 16) {
    heft_world_body_pose(heft_batch_world(batch, k, NULL), "hand", &hand, NULL);
    printf("rollout %2d: %.6f m\n", k, hand.pos.y);
  }
  heft_batch_destroy(batch);
  heft_model_destroy(model);
  return hand.pos.y > 0.01 ? 0 : 1;
}
