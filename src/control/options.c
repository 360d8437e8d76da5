// SPDX-License-Identifier: Apache-2.0
// Tables of the settings of controllers, for programs that set them by name.
#include <heft/control.h>
#include <limits.h>

#include "base/option.h"

static const HeftOption whole_body_rows[] = {
#define ROW(field, min, max, usual, unit, meaning) \
  HEFT_OPTION(HeftWholeBodyDef, field, min, max, usual, unit, meaning)
    ROW(root, -1, INT_MAX, -1, "", "root body of the robot; -1: the first with a free joint"),
    ROW(contact_capacity, 0, INT_MAX, 24, "", "max number of contacts of a solution"),
    ROW(force_weight, 0, 1e9, 1e-6, "1/N²", "cost of a squared contact force"),
    ROW(regularisation, 0, 1e9, 1e-5, "", "weight of all joint accelerations"),
#undef ROW
};

static const HeftOption walk_rows[] = {
#define ROW(field, min, max, usual, unit, meaning) \
  HEFT_OPTION(HeftWalkDef, field, min, max, usual, unit, meaning)
    ROW(steps, 1, 1000, 10, "", "number of steps; the last one brings the feet side by side"),
    ROW(length, -10, 10, 0.2, "m", "length of a step; the first and the last are half as long"),
    ROW(swing, 1e-3, 1e3, 0.7, "s", "duration of the swing of a foot"),
    ROW(both, 1e-3, 1e3, 0.2, "s", "duration of double support between two steps"),
    ROW(lift, 0, 1, 0.05, "m", "height of a swinging foot"),
    ROW(start, 1e-3, 1e3, 1, "s", "time of standing before the first step"),
    ROW(end, 1e-3, 1e3, 1.5, "s", "time of standing after the last step"),
    ROW(first, 0, 1, 1, "", "foot of the first step: 0 left, 1 right"),
    ROW(sample, 1e-6, 0.01, 1e-3, "s", "time between samples of the plan"),
    ROW(side, -10, 10, 0, "m", "sideways length of a step, to the left"),
#undef ROW
};

HeftOptions heft_whole_body_options(void) { return HEFT_OPTIONS(whole_body_rows); }
HeftOptions heft_walk_options(void) { return HEFT_OPTIONS(walk_rows); }
