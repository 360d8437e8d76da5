// SPDX-License-Identifier: Apache-2.0
// A user and the HRP-2-like robot move an object together ([Chardonnet 2012], section 4, Fig. 7-8):
// "We first approach the robot's arm to the object using the device and then close its gripper so
// that it grasps the object. Then we move the object in the space using the haptic device."
//
// The user touches the right hand, holds it with the first button, and leads it around a can. The
// second button asks for the grasp. Then the user holds the can and moves it with the robot.
//
// A hand that the user holds gives way by M_d q̈ + B_d q̇ = Jᵀ f ([Chardonnet 2012], Eq. 16), f the
// force and torque of the user; an object in the hand, by what the wrist feels. The chain ends at
// the waist. The eyes follow the hand of the user, or keep their direction.
#include <stddef.h>

#include "experiments/guide.h"
#include "experiments/poses.h"

static int begin(Lab* lab, void* self) {
  return pose_hand_ahead(lab, heft_vec3(0.30, -0.27, 0.945)) && guide_begin(lab, self, "can");
}

static void control(Lab* lab, void* self) {
  guide_control(lab, self);
  lab_balance(lab);
  guide_grip(lab, self);
}

static void observe(Lab* lab, void* self, const HeftStepReport* report) {
  (void)report;
  guide_observe(lab, self);
}

static void sit(Lab* lab, const void* self, InteractiveSeat* seat) {
  (void)lab, (void)self;
  seat[0].at = heft_vec3(0.34, -0.25, 1.04);
  seat[0].scale = 3;
  seat[0].probe.stiffness = 500;
}

static const HeftOption values[] = {
    ACT_VALUE(InteractiveData, gaze_error, "rad", "angle between the eyes and the hand"),
    ACT_VALUE(InteractiveData, led, "rad", "displacement of the joints by compliance"),
    ACT_VALUE(Guide, closed, "", "1: the gripper is closed")};

static const ActPart parts[] = {GUIDE_PARTS(Guide, )};
const Act act_carry = {
    .name = "carry",
    .text = "a user leads the arm of the HRP-2-like robot to a can, both carry it",
    .experiment = "share",
    .file = "hrp2_share.xml",
    .pose = pose_half_sitting,
    .size = sizeof(Guide),
    .parts = ACT_PARTS(parts),
    .options = {guide_options, GUIDE_OPTION_COUNT},
    .values = {values, 3},
    .begin = begin,
    .control = control,
    .observe = observe};

// Down to the hand, hold it, ahead around the can, close, let go; down to the can, hold it, up, and
// to the left.
static const InteractivePath way[] = {
    {0, {0.25, -0.27, 1.08}, 0},    {0.3, {0.25, -0.27, 1.08}, 0},  {0.8, {0.25, -0.27, 0.98}, 0},
    {1.0, {0.25, -0.27, 0.98}, 1},  {2.2, {0.352, -0.27, 0.98}, 1}, {3.2, {0.352, -0.27, 0.98}, 3},
    {3.7, {0.352, -0.27, 0.98}, 0}, {4.0, {0.352, -0.27, 1.08}, 0}, {4.3, {0.42, -0.27, 1.08}, 0},
    {4.8, {0.42, -0.27, 0.98}, 0},  {5.0, {0.42, -0.27, 0.98}, 1},  {6.2, {0.42, -0.27, 1.06}, 1},
    {7.6, {0.34, -0.17, 1.08}, 1},  {9, {0.34, -0.17, 1.08}, 1}};

const InteractiveKind interactive_carry = {
    .act = &act_carry,
    .users = 1,
    .gripper = 1,
    .takes = 9,
    .device = {"omega,hand-stiffness=600,hand-damping=16", NULL},
    .way = {way, NULL},
    .way_count = {sizeof way / sizeof *way, 0},
    .sit = sit,
};
