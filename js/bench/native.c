// SPDX-License-Identifier: Apache-2.0
// The native side of js/bench/steps.mjs: prints the microseconds of a step and the hash of the last state.
// usage: native MODEL.xml STEPS
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char** argv) {
  HeftError error = {0};
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  const int steps = argc == 3 ? atoi(argv[2]) : 0;
  if (steps < 1) {
    fprintf(stderr, "usage: native MODEL.xml STEPS\n");
    return 2;
  }
  if (heft_model_load_file(&model, argv[1], NULL, &error) != HEFT_OK ||
      heft_world_create(&world, model, NULL, &error) != HEFT_OK) {
    char text[800];
    fprintf(stderr, "%s\n", heft_error_format(&error, text, sizeof text));
    return 1;
  }
  const clock_t begin = clock();
  for (int i = 0; i < steps; ++i) heft_world_step(world);
  const clock_t end = clock();
  printf("%.3f %llx\n", (double)(end - begin) * 1e6 / CLOCKS_PER_SEC / steps,
         (unsigned long long)heft_world_hash(world));
  heft_world_destroy(world);
  heft_model_destroy(model);
  return 0;
}
