// SPDX-License-Identifier: Apache-2.0
// A simulated person with spherical joints lies on pebbles, with more than a hundred contact
// points.
// A user presses on the chest ([Keith 2008], section 4, Fig. 3).
#include <stddef.h>
#include <string.h>

#include "experiments/interactive.h"

static int begin(Lab* lab, void* self) {
  (void)self;
  HeftState* lying = NULL;
  if (heft_state_create(&lying, lab->model, NULL, NULL) != HEFT_OK) return 0;
  heft_state_copy(lying, heft_world_state(lab->world));
  const HeftQuat back = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), -HEFT_PI / 2);
  const double root[7] = {0.1, 0, 0.35, back.w, back.x, back.y, back.z};
  memcpy(lying->q, root, sizeof root);
  heft_world_set_state(lab->world, lying);
  heft_state_destroy(lying);
  return heft_world_reserve_contacts(lab->world, 2000, NULL) == HEFT_OK;
}

static void control(Lab* lab, void* self) {
  (void)self;
  lab_servo(lab, 2, 0.1);
}

static void sit(Lab* lab, const void* self, InteractiveSeat* seat) {
  (void)lab, (void)self;
  seat[0].at = heft_vec3(-0.15, 0, 0.45);
  seat[0].scale = 3;
  seat[0].probe.radius = 0.03;
  seat[0].probe.stiffness = 500;
}

const Act act_pebbles = {.name = "pebbles",
                         .text = "a simulated person on pebbles, > 100 contact points; press on it",
                         .experiment = "avatar",
                         .file = "avatar_pebbles.xml",
                         .size = sizeof(InteractiveData),
                         .may_lie = 1,
                         .begin = begin,
                         .control = control};

static const InteractivePath way[] = {{0, {-0.15, 0, 0.55}, 0},
                                      {1, {-0.15, 0, 0.55}, 0},
                                      {1.6, {-0.15, 0, 0.2}, 0},
                                      {4, {-0.15, 0, 0.2}, 0}};

const InteractiveKind interactive_pebbles = {
    .act = &act_pebbles,
    .users = 1,
    .takes = 3,
    .device = {"omega,hand-stiffness=200,hand-damping=8", NULL},
    .way = {way, NULL},
    .way_count = {4, 0},
    .sit = sit,
};
