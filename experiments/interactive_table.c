// SPDX-License-Identifier: Apache-2.0
// The HRP-2-like robot pushes a box over a table with seven other boxes, forty contact points. A
// user grasps the box and pulls it back ([Chardonnet 2008], section 5.2, Fig. 3).
#include <stddef.h>

#include "experiments/interactive.h"
#include "experiments/poses.h"

typedef struct Table {
  int box, q;
} Table;

static int table_open(InteractiveScene* m) {
  Table* t = m->self;
  Lab* lab = m->lab;
  if (!lab_open(lab, "hrp2_table.xml", pose_half_sitting)) return 0;
  const HeftQuat ahead = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), -HEFT_PI / 2);
  const HeftVec3 palm = heft_vec3(0, 0, -0.124);
  const double at[3] = {0.24, 0.32, 0.44};
  for (int k = 1; k <= 3; ++k)
    lab_arm(lab, k, 1, palm, heft_vec3(at[k - 1], -0.27, 0.83), ahead, 0.1);
  t->box = lab_body(lab, "box0");
  t->q = lab->model->joint_q[lab->model->body_joint[t->box]];
  m->seat[0].at = heft_vec3_from(lab->start + t->q);
  m->seat[0].probe.mode = HEFT_PROBE_ATTACH;
  m->seat[0].probe.body = t->box;
  m->seat[0].probe.stiffness = 600;
  m->seat[0].probe.rotational_stiffness = 0;
  return t->box > 0;
}

static void table_act(InteractiveScene* m, const InteractiveHand* hands, double h) {
  Lab* lab = m->lab;
  (void)hands, (void)h;
  if (lab_time(lab) < 1.2)
    lab_move(lab, 0, 1, 0.2, 1);
  else
    lab_move(lab, 1, 3, 1.2, 1.8);
  heft_biped_step(lab->biped, &lab->goal, lab->world);
}

// The hand stays at the former position of the box.
static const InteractivePath way[] = {{0, {0.4, -0.27, 0.785}, 0}, {9, {0.4, -0.27, 0.785}, 0}};

const InteractiveKind interactive_table = {
    .name = "table",
    .text = "the HRP-2-like robot pushes a box over a table, a user pulls it back",
    .users = 1,
    .takes = 4,
    .device = {"omega,hand-stiffness=80,hand-damping=8", NULL},
    .way = {way, NULL},
    .way_count = {2, 0},
    .size = sizeof(Table),
    .open = table_open,
    .act = table_act,
};
