// SPDX-License-Identifier: Apache-2.0
// Rollouts over 8 threads: each thread clones one world, draws its own friction and push for each
// rollout, and stores how far the hand moves. The results do not depend on the number of threads.
#include <heft/heft.h>
#include <heft/io.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8, ROLLOUTS = 64, STEPS = 300 };
static HeftWorld* worlds[THREADS];
static double moved[ROLLOUTS];

static void* run(void* argument) {
  const int thread = (int)(long)argument;
  for (int k = thread; k < ROLLOUTS; k += THREADS) {
    HeftWorld* world = worlds[thread];
    HeftPose hand = {0};
    heft_world_reset_to_key(world, "ready", NULL);
    heft_world_set_mass_factors(world, 4, 1 + 0.02 * k, 1 + 0.02 * k, NULL);
    for (int i = 0; i < STEPS; ++i) {
      heft_world_apply_force(world, "hand", heft_vec3(0, 0.5 * k, 0), NULL);
      heft_world_step(world);
    }
    heft_world_body_pose(world, "hand", &hand, NULL);
    moved[k] = hand.pos.y;
  }
  return NULL;
}

int main(void) {
  HeftModel* model = NULL;
  HeftError error = {0};
  pthread_t threads[THREADS];
  HeftStatus status = heft_model_load_file(&model, "examples/desk_arm.xml", NULL, &error);
  if (status == HEFT_OK) status = heft_world_create(&worlds[0], model, NULL, &error);
  for (int i = 1; i < THREADS && status == HEFT_OK; ++i)
    status = heft_world_clone(&worlds[i], worlds[0], &error);
  if (status != HEFT_OK) return fprintf(stderr, "%s\n", error.message), 1;
  for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, run, (void*)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  for (int k = 0; k < ROLLOUTS; k += 16) printf("rollout %2d: %.6f m\n", k, moved[k]);
  for (int i = 0; i < THREADS; ++i) heft_world_destroy(worlds[i]);
  heft_model_destroy(model);
  return moved[63] > moved[0] + 0.01 ? 0 : 1;
}
