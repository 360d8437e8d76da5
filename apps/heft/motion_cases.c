// SPDX-License-Identifier: Apache-2.0
#include "motion_cases.h"

#include <stdlib.h>
#include <unistd.h>

enum {
  STAND = 1 << MOTION_STAND,
  FALL = 1 << MOTION_FALL,
  RANDOM = 1 << MOTION_RANDOM,
  PUSH = 1 << MOTION_PUSH,
  ALL = STAND | FALL | RANDOM | PUSH
};

#define GROWN_BOXES(n, time, fast)                                                      \
  {                                                                                     \
    "boxes_" #n, "growth", #n " separate boxes on a floor", NULL, STAND,                \
        .key = -1, .tolerance = 1e-6, .seconds = (time), .repeats = 1, .quick = (fast), \
        .write = motion_write_boxes, .size = (n)                                        \
  }
#define GROWN_BALLS(n, time, fast)                                                      \
  {                                                                                     \
    "balls_" #n, "growth", #n " balls that collapse in a bin, to 1e-3", NULL, STAND,    \
        .key = -1, .tolerance = 1e-3, .seconds = (time), .repeats = 1, .quick = (fast), \
        .write = motion_write_balls, .size = (n)                                        \
  }

// Pushes are about 5 % of the weight. Hands and the soft foot are fixed to the world: they cannot
// fall.
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
    {"softfoot", "robots", "IIT SoftFoot, with closed loops, on a slide over a rod",
     "models/mjcf/iit_softfoot/scene.xml", STAND | RANDOM, .tolerance = 1e-6},
    {"shadow_left", "robots", "Shadow hand, left, with an object",
     "models/mjcf/shadow_hand/scene_left.xml", STAND | RANDOM, .tolerance = 1e-6},
    {"shadow_right", "robots", "Shadow hand, right, with an object",
     "models/mjcf/shadow_hand/scene_right.xml", STAND | RANDOM, .tolerance = 1e-6},

    {"quadruped", "shipped", "quadruped of Heft", "quadruped.xml", ALL, .key = -1,
     .held = STAND | PUSH, .push = 10, .tolerance = 1e-6},
    {"humanoid_8", "shipped", "humanoid of Heft", "humanoid_8.xml", ALL, .key = -1,
     .held = STAND | PUSH, .push = 20, .tolerance = 1e-6},
    {"hrp2_like", "shipped", "HRP-2-like robot of Heft", "../models/hrp2_like.xml", ALL, .key = -1,
     .held = STAND | PUSH, .push = 25, .tolerance = 1e-6},

    {"balls700", "heaps", "700 balls that fall to rest, to 1e-3", "load/balls_700.xml", STAND,
     .key = -1, .tolerance = 1e-3, .seconds = 2, .repeats = 1, .counted_from = 300},
    {"mixed300", "heaps", "300 boxes, capsules and balls that fall into a bin", NULL, STAND,
     .key = -1, .tolerance = 1e-6, .seconds = 1.5, .repeats = 1, .counted_from = 300,
     .write = motion_write_mixed, .size = 300},
    {"humanoids22", "heaps", "22 of MuJoCo's humanoids that fall",
     "models/mjcf/mujoco/humanoid/22_humanoids.xml", STAND, .key = -1, .tolerance = 1e-6,
     .seconds = 4, .repeats = 1, .counted_from = 200},
    {"humanoids100", "heaps", "100 of MuJoCo's humanoids that fall",
     "models/mjcf/mujoco/humanoid/100_humanoids.xml", STAND, .key = -1, .tolerance = 1e-6,
     .seconds = 4, .repeats = 1, .counted_from = 200},
    {"bunnies", "heaps", "125 bunnies (meshes) that fall into a container",
     "models/mjcf/mujoco/replicate/bunnies.xml", STAND, .key = -1, .tolerance = 1e-6, .seconds = 4,
     .repeats = 1, .counted_from = 100},
    {"boxes1000", "heaps", "1000 separate boxes on a floor, awake", NULL, STAND, .key = -1,
     .tolerance = 1e-6, .seconds = 0.5, .repeats = 2, .write = motion_write_boxes, .size = 1000},
    {"belt30", "heaps", "a belt of 30 links drives a pulley", NULL, STAND, .key = -1,
     .tolerance = 1e-6, .seconds = 2, .control = 5, .quick = STAND, .write = motion_write_belt,
     .size = 30},
    {"dominoes20", "heaps", "20 dominoes topple", NULL, STAND, .tolerance = 1e-6, .seconds = 5,
     .quick = STAND, .write = motion_write_dominoes, .size = 20},

    GROWN_BOXES(10, 1, STAND),
    GROWN_BOXES(100, 0.5, 0),
    GROWN_BOXES(1000, 0.1, 0),
    GROWN_BOXES(10000, 0.03, 0),
    GROWN_BOXES(100000, 0.005, 0),
    GROWN_BALLS(10, 1, STAND),
    GROWN_BALLS(100, 0.5, 0),
    GROWN_BALLS(1000, 0.2, 0),
    GROWN_BALLS(10000, 0.02, 0),
    GROWN_BALLS(100000, 0.005, 0),
};
const int motion_model_count = (int)(sizeof motion_models / sizeof *motion_models);

static const char scene_name[] = "/scene.xml";

// A generated scene is a file in a folder of its own, so that every engine reads the same.
static int write_scene(const MotionModel* model, char path[MOTION_PATH]) {
  snprintf(path, MOTION_PATH, "/tmp/heft_motion_XXXXXX");
  if (!mkdtemp(path)) return 0;
  snprintf(path + strlen(path), MOTION_PATH - strlen(path), "%s", scene_name);
  FILE* out = fopen(path, "w");
  if (!out) return 0;
  model->write(out, model->size);
  return fclose(out) == 0;
}

int motion_model_open(const MotionModel* model, const MotionFolders* folders,
                      char path[MOTION_PATH]) {
  if (model->write) return write_scene(model, path);
  const int foreign = strncmp(model->file, "models/", 7) == 0;
  const char* folder = foreign ? folders->models : folders->scenes;
  if (!folder) return 0;
  snprintf(path, MOTION_PATH, "%s/%s", folder, model->file + (foreign ? 7 : 0));
  return access(path, R_OK) == 0;
}

void motion_model_close(const MotionModel* model, char path[MOTION_PATH]) {
  if (!model->write) return;
  remove(path);
  path[strlen(path) - strlen(scene_name)] = '\0';
  rmdir(path);
}

int motion_is_robot(const MotionModel* model) {
  return strcmp(model->group, "robots") == 0 || strcmp(model->group, "shipped") == 0;
}

void motion_case_name(const MotionModel* model, MotionKind kind, char* out, size_t size) {
  const int robot = motion_is_robot(model);
  snprintf(out, size, "%s%s%s", model->name, robot ? "/" : "",
           robot ? motion_kind_names[kind] : "");
}

int motion_means(const char* given, const MotionModel* model, MotionKind kind) {
  char whole[64];
  motion_case_name(model, kind, whole, sizeof whole);
  return strcmp(given, whole) == 0 || strcmp(given, model->name) == 0 ||
         strcmp(given, model->group) == 0 ||
         (strchr(whole, '/') && strcmp(given, motion_kind_names[kind]) == 0);
}
