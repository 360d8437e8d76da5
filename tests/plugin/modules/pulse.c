// SPDX-License-Identifier: Apache-2.0
// A plug-in in several versions, for the test of hot reload: PULSE_VERSION 1 and 2 have the same
// data; 3 has more; 4 refuses every world; 5 was compiled for another Heft.
#include <heft/plugin.h>
#include <stdio.h>

typedef struct Pulse {
  double force, gain, sum;
#if PULSE_VERSION == 3
  double more;
#endif
} Pulse;

static const HeftOption options[] = {
    HEFT_PLUGIN_OPTION(Pulse, force, -100, 100, PULSE_VERSION, "N", "force on the first dof"),
    HEFT_PLUGIN_OPTION(Pulse, gain, 0, 10, 1, "", "factor of the force")};
static const HeftOption values[] = {HEFT_PLUGIN_VALUE(Pulse, sum, "N", "sum of all forces")};

static HeftStatus create(void* self, HeftWorld* world, HeftError* error) {
  (void)self;
  (void)world;
  if (PULSE_VERSION != 4) return HEFT_OK;
  snprintf(error->message, sizeof error->message, "no world is good enough");
  return HEFT_ERR_UNSUPPORTED;
}

static void before_step(void* self, HeftWorld* world) {
  Pulse* p = self;
  heft_world_joint_forces(world)[0] = p->gain * p->force;
  p->sum += p->gain * p->force;
}

static const HeftPlugin pulse = {.cookie = HEFT_DEF_COOKIE(HeftPlugin) + (PULSE_VERSION == 5),
                                 .name = "pulse",
                                 .help = "pushes the first dof",
                                 .size = sizeof(Pulse),
                                 .options = {options, 2},
                                 .values = {values, 1},
                                 .create = create,
                                 .before_step = before_step};
HEFT_PLUGIN(pulse)
