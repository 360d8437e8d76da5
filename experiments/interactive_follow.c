// SPDX-License-Identifier: Apache-2.0
// A person with spherical joints, fingers and lugged shoes takes a box from a table between both
// hands, by friction alone, with more than a hundred contact points of its own. A user grasps the
// box and leads it along the table; the person gives way and follows by steps ([Keith 2008],
// section 4, Fig. 3).
#include <stddef.h>

#include "experiments/poses.h"
#include "experiments/take.h"

// The palms face each other, fingers ahead.
static const TakeKind kind = {
    .object = "box",
    .point = {0.012, 0, -0.05},
    .turn = {{{{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}}}, {{{0, 0, -1}, {1, 0, 0}, {0, -1, 0}}}},
    .grasp = {-0.06, 0.15, 0},
    .away = {-0.02, 0.09, 0},
    .up = {-0.03, 0, 0.08},
    .finger = {"left_knuckles", "right_knuckles"},
    .open = 0,
    .close = -0.6,
    .squeeze = 40,
};

// Knees slightly bent.
static int stand(Lab* lab) {
  pose_bend_legs(lab, 24 * HEFT_PI / 180);
  return lab_place(lab);
}

static int begin(Lab* lab, void* self) { return stand(lab) && take_begin(lab, self, &kind); }
static void control(Lab* lab, void* self) { take_control(lab, self, &kind); }
static void sit(Lab* lab, const void* self, InteractiveSeat* seat) {
  take_sit(lab, self, &kind, seat);
}

static const HeftOption options[TAKE_OPTION_COUNT] = TAKE_OPTIONS("person");

static const ActPart parts[] = {TAKE_PARTS};
const Act act_follow = {
    .name = "follow",
    .text = "a person takes a box, a user leads it, the person follows by steps",
    .file = "avatar_table.xml",
    .size = sizeof(Take),
    .parts = ACT_PARTS(parts),
    .options = {options, TAKE_OPTION_COUNT},
    .values = {take_values, TAKE_VALUE_COUNT},
    .begin = begin,
    .control = control,
    .observe = take_observe};

// Down to the box, hold it; along the table to the left, and back from the table.
static const InteractivePath way[] = {{0, {0.36, 0, 1.22}, 0},       {3.2, {0.36, 0, 1.22}, 0},
                                      {3.7, {0.36, 0, 1.13}, 0},     {3.9, {0.36, 0, 1.13}, 1},
                                      {7.9, {0.36, 0.30, 1.13}, 1},  {10.6, {0.36, 0.30, 1.13}, 1},
                                      {13.6, {0.11, 0.30, 1.13}, 1}, {16.6, {0.11, 0.30, 1.13}, 1}};

const InteractiveKind interactive_follow = {
    .act = &act_follow,
    .users = 1,
    .takes = 16.6,
    .begins = 3.1,
    .device = {"omega,hand-stiffness=600,hand-damping=16", NULL},
    .way = {way, NULL},
    .way_count = {sizeof way / sizeof *way, 0},
    .sit = sit,
};
