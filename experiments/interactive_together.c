// SPDX-License-Identifier: Apache-2.0
// Two users in one world: each grasps one end of a plank, and they lift it together.
#include "experiments/interactive.h"

static void control(Lab* lab, void* self) {
  (void)lab, (void)self;  // only the users act in this scene
}

static void sit(Lab* lab, const void* self, InteractiveSeat* seat) {
  (void)self;
  for (int i = 0; i < 2; ++i) {
    const double end = i ? -0.5 : 0.5;
    seat[i].at = heft_vec3(0, end, 0.35);
    seat[i].scale = 2;
    seat[i].probe.mode = HEFT_PROBE_ATTACH;
    seat[i].probe.body = lab_body(lab, "plank");
    seat[i].probe.point = heft_vec3(0, end, 0);
    seat[i].probe.stiffness = 300;
    seat[i].probe.rotational_stiffness = 1;  // keeps the plank from turning over
  }
}

const Act act_together = {.name = "together",
                          .text = "two users lift a plank, each at one end",
                          .file = "plank.xml",
                          .size = sizeof(InteractiveData),
                          .may_lie = 1,
                          .control = control};

static const InteractivePath left[] = {{0, {0, 0.5, 0.22}, 0},
                                       {0.5, {0, 0.5, 0.22}, 0},
                                       {2, {0, 0.5, 0.52}, 0},
                                       {9, {0, 0.5, 0.52}, 0}};
static const InteractivePath right[] = {{0, {0, -0.5, 0.22}, 0},
                                        {0.7, {0, -0.5, 0.22}, 0},
                                        {2.4, {0, -0.5, 0.52}, 0},
                                        {9, {0, -0.5, 0.52}, 0}};

const InteractiveKind interactive_together = {
    .act = &act_together,
    .users = 2,
    .takes = 8,
    .device = {"inverse3,hand-stiffness=1000,hand-damping=25",
               "omega,hand-stiffness=1000,hand-damping=25"},
    .way = {left, right},
    .way_count = {4, 4},
    .sit = sit,
};
