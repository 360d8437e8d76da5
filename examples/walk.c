// SPDX-License-Identifier: Apache-2.0
// The HRP-2-like robot walks four steps: a plan of footsteps, goals for the whole body, torques
// that reach them.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>

static void bend(const HeftModel* m, double* q, const char* joint, double degrees) {
  const int i = heft_model_find(m, HEFT_NAMED_JOINT, joint);
  if (i < 0) {
    fprintf(stderr, "the model has no joint '%s'\n", joint);
    exit(1);
  }
  q[m->joint_q[i]] = degrees * HEFT_PI / 180;
}

int main(void) {
  HeftError error = {0};
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  HeftBiped* robot = NULL;
  HeftWalk* walk = NULL;
  HeftState* start = NULL;
  HeftLoadDef load = heft_load_def_default();
  if (heft_model_load_file(&model, "models/hrp2_like.xml", &load, &error) != HEFT_OK ||
      heft_world_create(&world, model, NULL, &error) != HEFT_OK ||
      heft_biped_create(&robot, model, NULL, &error) != HEFT_OK ||
      heft_state_create(&start, model, NULL, &error) != HEFT_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  static const char* const sides[2] = {"left", "right"};
  for (int side = 0; side < 2; ++side) {  // knees bent, so that there is room to move
    char name[32];
    snprintf(name, sizeof name, "%s_hip_pitch", sides[side]);
    bend(model, start->q, name, -26);
    snprintf(name, sizeof name, "%s_knee", sides[side]);
    bend(model, start->q, name, 50);
    snprintf(name, sizeof name, "%s_ankle_pitch", sides[side]);
    bend(model, start->q, name, -24);
  }
  HeftBipedGoal goal;
  heft_biped_stand(robot, start->q, &goal);
  start->q[2] -= goal.foot[0].pos.z;  // soles onto the floor
  heft_biped_stand(robot, start->q, &goal);
  heft_world_set_state(world, start);

  HeftWalkDef def = heft_walk_def_default();
  def.steps = 4;
  if (heft_walk_create(&walk, &def, &goal, 9.81, &error) != HEFT_OK) return 1;
  const HeftState* now = heft_world_state(world);
  while (*now->time < heft_walk_duration(walk)) {
    heft_walk_goal(walk, *now->time, &goal, NULL);  // what the robot should do now
    heft_biped_step(robot, &goal, world);           // torques that do it
    heft_world_step(world);
  }
  const double way = now->q[0] - start->q[0];
  const int fell = now->q[2] < 0.6 || way < 0.5;
  printf("walked %.2f m, pelvis at %.2f m\n", way, now->q[2]);
  heft_walk_destroy(walk);
  heft_state_destroy(start);
  heft_biped_destroy(robot);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return fell;
}
