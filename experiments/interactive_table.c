// SPDX-License-Identifier: Apache-2.0
// The HRP-2-like robot pushes a box over a table with seven other boxes, forty contact points. A
// user grasps the box and pulls it back ([Chardonnet 2008], section 5.2, Fig. 3).
#include <stddef.h>

#include "experiments/interactive.h"
#include "experiments/poses.h"

static int begin(Lab* lab, void* self) {
  (void)self;
  const HeftQuat ahead = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), -HEFT_PI / 2);
  const HeftVec3 palm = heft_vec3(0, 0, -0.124);
  const double at[3] = {0.24, 0.32, 0.44};
  for (int k = 1; k <= 3; ++k)
    lab_arm(lab, k, 1, palm, heft_vec3(at[k - 1], -0.27, 0.83), ahead, 0.1);
  return lab_body(lab, "box0") > 0;
}

static void control(Lab* lab, void* self) {
  (void)self;
  if (lab_time(lab) < 1.2)
    lab_move(lab, 0, 1, 0.2, 1);
  else
    lab_move(lab, 1, 3, 1.2, 1.8);
  lab_balance(lab);
}

static void sit(Lab* lab, const void* self, InteractiveSeat* seat) {
  (void)self;
  const int box = lab_body(lab, "box0");
  seat[0].at = heft_vec3_from(lab->start + lab->model->joint_q[lab->model->body_joint[box]]);
  seat[0].probe.mode = HEFT_PROBE_ATTACH;
  seat[0].probe.body = box;
  seat[0].probe.stiffness = 600;
  seat[0].probe.rotational_stiffness = 0;
}

const Act act_table = {.name = "table",
                       .text =
                           "the HRP-2-like robot pushes a box over a table, a user pulls it back",
                       .file = "hrp2_table.xml",
                       .pose = pose_half_sitting,
                       .size = sizeof(InteractiveData),
                       .begin = begin,
                       .control = control};

// The hand stays at the former position of the box.
static const InteractivePath way[] = {{0, {0.4, -0.27, 0.785}, 0}, {9, {0.4, -0.27, 0.785}, 0}};

const InteractiveKind interactive_table = {
    .act = &act_table,
    .users = 1,
    .takes = 4,
    .device = {"omega,hand-stiffness=80,hand-damping=8", NULL},
    .way = {way, NULL},
    .way_count = {2, 0},
    .sit = sit,
};
