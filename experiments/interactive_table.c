// SPDX-License-Identifier: Apache-2.0
// The HRP-2-like robot takes a bar from a table with both grippers, by friction alone. A user then
// grasps the bar and pulls and pushes it in all directions ([Chardonnet 2008], section 5.2, Fig.
// 3).
#include <stddef.h>

#include "experiments/poses.h"
#include "experiments/take.h"

static const TakeKind kind = TAKE_BY_GRIPPERS("bar");

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

// Down to the bar, hold it; to the robot and back, to both sides, up and down.
static const InteractivePath way[] = {
    {0, {0.306, 0, 0.80}, 0},     {3.2, {0.306, 0, 0.80}, 0},      {3.6, {0.306, 0, 0.735}, 0},
    {3.8, {0.306, 0, 0.735}, 1},  {4.9, {0.226, 0, 0.735}, 1},     {5.7, {0.306, 0, 0.735}, 1},
    {6.5, {0.386, 0, 0.735}, 1},  {7.3, {0.306, 0, 0.735}, 1},     {8.1, {0.306, 0.08, 0.735}, 1},
    {8.9, {0.306, 0, 0.735}, 1},  {9.7, {0.306, -0.08, 0.735}, 1}, {10.5, {0.306, 0, 0.735}, 1},
    {11.3, {0.306, 0, 0.815}, 1}, {12.1, {0.306, 0, 0.735}, 1},    {12.9, {0.306, 0, 0.675}, 1},
    {13.7, {0.306, 0, 0.735}, 1}};

const InteractiveKind interactive_table = {
    .act = &act_table,
    .users = 1,
    .takes = 14,
    .begins = 3.1,
    .device = {"omega,hand-stiffness=400,hand-damping=12", NULL},
    .way = {way, NULL},
    .way_count = {sizeof way / sizeof *way, 0},
    .sit = sit,
};
