// SPDX-License-Identifier: Apache-2.0
// A loop of your own, and a window that shows it: a quadruped bends its legs. Pull it by the mouse.
// usage: own_loop quadruped.xml [SECONDS]
#include <heft/heft.h>
#include <heft/io.h>
#include <heft/view.h>
#include <stdio.h>
#include <stdlib.h>

static void control(HeftWorld* world) {
  const HeftModel* m = heft_world_model(world);
  const double wave = heft_sin(4 * *heft_world_state(world)->time);
  double* force = heft_world_joint_forces(world);
  for (int i = 6; i < m->nv; ++i) {  // three joints for each leg: hip, thigh, knee
    const double bend = (i < 12 ? 0.2 : -0.2) * (1 + wave);
    force[i] = m->dof_stiffness[i] * (i % 3 == 1 ? bend : i % 3 == 2 ? -2 * bend : 0);
  }
}

int main(int argc, char** argv) {
  HeftError error = {0};
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  HeftViewer* viewer = NULL;
  const double end = argc > 2 ? atof(argv[2]) : 1e9;
  if (heft_model_load_file(&model, argc > 1 ? argv[1] : "quadruped.xml", NULL, &error) != HEFT_OK ||
      heft_world_create(&world, model, NULL, &error) != HEFT_OK ||
      heft_viewer_create(&viewer, model, NULL, &error) != HEFT_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  HeftStepReport report = {0};
  while (heft_viewer_sync(viewer, world, &report) && heft_viewer_wait(viewer) &&
         report.time < end) {
    control(world);
    report = heft_world_step(world);
  }
  heft_viewer_destroy(viewer);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return 0;
}
