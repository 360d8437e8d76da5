// SPDX-License-Identifier: Apache-2.0
#include "motion_cases.h"

#include <unistd.h>

enum {
  STAND = 1 << MOTION_STAND,
  FALL = 1 << MOTION_FALL,
  RANDOM = 1 << MOTION_RANDOM,
  PUSH = 1 << MOTION_PUSH,
  ALL = STAND | FALL | RANDOM | PUSH
};

// Pushes are about 5 % of the weight. A hand is fixed to the world: it cannot fall.
const MotionModel motion_models[] = {
    {"humanoid", "robots", "MuJoCo's humanoid of 27 DoF; standing, springs hold its joints",
     "models/mjcf/mujoco/humanoid/humanoid.xml", ALL, .key = -1, .held = STAND | PUSH, .push = 20,
     .tolerance = 1e-6, .quick = ALL},
    {"g1", "robots", "Unitree G1", "models/mjcf/unitree_g1/scene.xml", ALL, .push = 20,
     .tolerance = 1e-6, .quick = RANDOM},
    {"g1_hands", "robots", "Unitree G1 with hands", "models/mjcf/unitree_g1/scene_with_hands.xml",
     ALL, .push = 20, .tolerance = 1e-6},
    {"h1", "robots", "Unitree H1", "models/mjcf/unitree_h1/scene.xml", ALL, .push = 25,
     .tolerance = 1e-6},
    {"cassie", "robots", "Agility Cassie, with closed loops",
     "models/mjcf/agility_cassie/scene.xml", ALL, .push = 15, .tolerance = 1e-6},
    {"talos", "robots", "PAL Talos, servos", "models/mjcf/pal_talos/scene_position.xml", ALL,
     .push = 50, .tolerance = 1e-6},
    {"talos_motor", "robots", "PAL Talos, motors", "models/mjcf/pal_talos/scene_motor.xml", ALL,
     .push = 50, .tolerance = 1e-6},
    {"softfoot", "robots", "IIT SoftFoot, with closed loops", "models/mjcf/iit_softfoot/scene.xml",
     ALL, .push = 5, .tolerance = 1e-6},
    {"shadow_left", "robots", "Shadow hand, left, with an object",
     "models/mjcf/shadow_hand/scene_left.xml", STAND | RANDOM, .tolerance = 1e-6},
    {"shadow_right", "robots", "Shadow hand, right, with an object",
     "models/mjcf/shadow_hand/scene_right.xml", STAND | RANDOM, .tolerance = 1e-6},
};
const int motion_model_count = (int)(sizeof motion_models / sizeof *motion_models);

int motion_model_path(const MotionModel* model, const MotionFolders* folders, char* path,
                      size_t size) {
  const int foreign = strncmp(model->file, "models/", 7) == 0;
  const char* folder = foreign ? folders->models : folders->scenes;
  if (!folder) return 0;
  snprintf(path, size, "%s/%s", folder, model->file + (foreign ? 7 : 0));
  return access(path, R_OK) == 0;
}

int motion_means(const char* given, const MotionModel* model, MotionKind kind) {
  char whole[64];
  snprintf(whole, sizeof whole, "%s/%s", model->name, motion_kind_names[kind]);
  return strcmp(given, whole) == 0 || strcmp(given, model->name) == 0 ||
         strcmp(given, model->group) == 0 || strcmp(given, motion_kind_names[kind]) == 0;
}
