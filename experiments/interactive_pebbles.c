// SPDX-License-Identifier: Apache-2.0
// A simulated person with spherical joints lies on pebbles, with more than a hundred contact
// points.
// A user presses on the chest ([Keith 2008], section 4, Fig. 3).
#include <stddef.h>
#include <string.h>

#include "experiments/interactive.h"

static int pebbles_open(InteractiveScene* m) {
  Lab* lab = m->lab;
  lab->def.contact_capacity = 2000;
  if (!lab_open(lab, "avatar_pebbles.xml", NULL)) return 0;
  HeftState* lying = NULL;
  if (heft_state_create(&lying, lab->model, NULL, NULL) != HEFT_OK) return 0;
  heft_state_copy(lying, heft_world_state(lab->world));
  const HeftQuat back = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), -HEFT_PI / 2);
  const double root[7] = {0.1, 0, 0.35, back.w, back.x, back.y, back.z};
  memcpy(lying->q, root, sizeof root);
  heft_world_set_state(lab->world, lying);
  heft_state_destroy(lying);
  m->seat[0].at = heft_vec3(-0.15, 0, 0.45);
  m->seat[0].scale = 3;
  m->seat[0].probe.radius = 0.03;
  m->seat[0].probe.stiffness = 500;
  return 1;
}

static void pebbles_act(InteractiveScene* m, const InteractiveHand* hands, double h) {
  (void)hands, (void)h;
  lab_servo(m->lab, 2, 0.1);
}

static const InteractivePath way[] = {{0, {-0.15, 0, 0.55}, 0},
                                      {1, {-0.15, 0, 0.55}, 0},
                                      {1.6, {-0.15, 0, 0.2}, 0},
                                      {4, {-0.15, 0, 0.2}, 0}};

const InteractiveKind interactive_pebbles = {
    .name = "pebbles",
    .text = "a simulated person on pebbles, > 100 contact points; press on it",
    .users = 1,
    .takes = 3,
    .device = {"omega,hand-stiffness=200,hand-damping=8", NULL},
    .way = {way, NULL},
    .way_count = {4, 0},
    .open = pebbles_open,
    .act = pebbles_act,
};
