// SPDX-License-Identifier: Apache-2.0
// Pushes the first body to and fro, and tells its height.
#include <heft/plugin.h>
#include <math.h>

typedef struct Push {
  double force, start, period, height;
} Push;

static const HeftOption options[] = {
    HEFT_PLUGIN_OPTION(Push, force, 0, 1e4, 5, "N", "force along x, for 0.1 s"),
    HEFT_PLUGIN_OPTION(Push, start, 0, 1e4, 0.5, "s", "time of the first push"),
    HEFT_PLUGIN_OPTION(Push, period, 0.1, 1e4, 1.5, "s", "from one push to the next")};
static const HeftOption values[] = {HEFT_PLUGIN_VALUE(Push, height, "m", "height of the body")};

static void before_step(void* self, HeftWorld* world) {
  Push* push = (Push*)self;
  const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(world), 1).pos;
  const double time = *heft_world_state(world)->time - push->start;
  const int number = (int)floor(time / push->period);
  push->height = at.z;
  if (time < 0 || time - number * push->period >= 0.1) return;
  const HeftVec3 force = {number % 2 ? -push->force : push->force, 0, 0}, none = {0, 0, 0};
  heft_world_apply_wrench(world, 1, at, force, none);
}

static const HeftPlugin push = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                .name = "push",
                                .help = "pushes a robot",
                                .size = sizeof(Push),
                                .options = {options, 3},
                                .values = {values, 1},
                                .before_step = before_step};
HEFT_PLUGIN(push)
