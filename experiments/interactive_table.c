// SPDX-License-Identifier: Apache-2.0
// The HRP-2-like robot takes a bar from a table with both grippers, by friction alone. A user then
// grasps the bar and pulls and pushes it in all directions ([Chardonnet 2008], section 5.2, Fig. 3).
#include <stddef.h>

#include "experiments/poses.h"
#include "experiments/take.h"

static const TakeKind kind = {
    .object = "bar",
    .hinged = 1,
    .point = {0, 0, -0.105},
    .turn = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    .grasp = {-0.001, 0.24, 0},
    .away = {-0.004, 0, 0.07},
    .up = {-0.02, 0, 0.09},
    .finger = {"left_gripper", "right_gripper"},
    .open = -0.4,
    .close = 5,
};

static int begin(Lab* lab, void* self) { return take_begin(lab, self, &kind); }
static void control(Lab* lab, void* self) { take_control(lab, self, &kind); }
static void sit(Lab* lab, const void* self, InteractiveSeat* seat) {
  take_sit(lab, self, &kind, seat);
}

static const HeftOption options[TAKE_OPTION_COUNT] = TAKE_OPTIONS("robot");

static const ActPart parts[] = {TAKE_PARTS};
const Act act_table = {
    .name = "table",
    .text = "the HRP-2-like robot takes a bar from a table, a user pulls and pushes it",
    .file = "hrp2_table.xml",
    .pose = pose_half_sitting,
    .size = sizeof(Take),
    .parts = ACT_PARTS(parts),
    .options = {options, TAKE_OPTION_COUNT},
    .values = {take_values, TAKE_VALUE_COUNT},
    .begin = begin,
    .control = control,
    .observe = take_observe};

// To the robot and back, to both sides, up and down.
static const InteractivePath way[] = {
    {0, {0.32, 0, 0.73}, 0},     {3.3, {0.32, 0, 0.73}, 0},   {4.1, {0.24, 0, 0.73}, 0},
    {4.9, {0.32, 0, 0.73}, 0},   {5.7, {0.40, 0, 0.73}, 0},   {6.5, {0.32, 0, 0.73}, 0},
    {7.3, {0.32, 0.08, 0.73}, 0}, {8.1, {0.32, 0, 0.73}, 0},  {8.9, {0.32, -0.08, 0.73}, 0},
    {9.7, {0.32, 0, 0.73}, 0},   {10.5, {0.32, 0, 0.81}, 0},  {11.3, {0.32, 0, 0.73}, 0},
    {12.1, {0.32, 0, 0.67}, 0},  {12.9, {0.32, 0, 0.73}, 0}};

const InteractiveKind interactive_table = {
    .act = &act_table,
    .users = 1,
    .takes = 13,
    .begins = 3.1,
    .device = {"omega,hand-stiffness=400,hand-damping=12", NULL},
    .way = {way, NULL},
    .way_count = {sizeof way / sizeof *way, 0},
    .sit = sit,
};
