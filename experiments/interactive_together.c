// SPDX-License-Identifier: Apache-2.0
// Two users in one world: each grasps one end of a plank, and they lift it together.
#include "experiments/interactive.h"

static int together_open(InteractiveScene* m) {
  if (!lab_open(m->lab, "plank.xml", NULL)) return 0;
  const int plank = lab_body(m->lab, "plank");
  for (int i = 0; i < 2; ++i) {
    const double end = i ? -0.5 : 0.5;
    m->seat[i].at = heft_vec3(0, end, 0.35);
    m->seat[i].scale = 2;
    m->seat[i].probe.mode = HEFT_PROBE_ATTACH;
    m->seat[i].probe.body = plank;
    m->seat[i].probe.point = heft_vec3(0, end, 0);
    m->seat[i].probe.stiffness = 300;
    m->seat[i].probe.rotational_stiffness = 0;
  }
  return plank > 0;
}

static void together_act(InteractiveScene* m, const InteractiveHand* hands, double h) {
  (void)m, (void)hands, (void)h;  // only the users act in this scene
}

static const InteractivePath left[] = {{0, {0, 0.5, 0.22}, 0},
                                       {0.5, {0, 0.5, 0.22}, 0},
                                       {2, {0, 0.5, 0.52}, 0},
                                       {5, {0, 0.5, 0.52}, 0}};
static const InteractivePath right[] = {{0, {0, -0.5, 0.22}, 0},
                                        {0.7, {0, -0.5, 0.22}, 0},
                                        {2.4, {0, -0.5, 0.52}, 0},
                                        {5, {0, -0.5, 0.52}, 0}};

const InteractiveKind interactive_together = {
    .name = "together",
    .text = "two users lift a plank, each at one end",
    .users = 2,
    .takes = 5,
    .device = {"inverse3,hand-stiffness=1000,hand-damping=25",
               "omega,hand-stiffness=1000,hand-damping=25"},
    .way = {left, right},
    .way_count = {4, 4},
    .open = together_open,
    .act = together_act,
};
