// SPDX-License-Identifier: Apache-2.0
// Papers: S2.
// Why contacts are sorted into groups ([Chardonnet 2008], section 5.1, Fig. 2): 1 to 30 cubes lie
// on four points each. All in one group have one Delassus operator of (12 k)² entries, by three
// unit forces a point; groups of one cube have k operators of 12² entries.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/experiments.h"

enum { CUBES = 30, BY = 5, POINTS = 4 * CUBES, ENTRIES = 9 * POINTS * POINTS, ROUNDS = 40 };
enum { COUNT, TOGETHER, APART, CHANNELS };
static const char* const names[CHANNELS] = {"cubes", "one group", "own groups"};
static const HeftDelassusMethod method = HEFT_DELASSUS_UNIT_FORCES;

typedef struct Cubes {
  HeftDynamics* d;
  HeftDelassusPoint points[POINTS];
  double* scratch;
} Cubes;
static double together[ENTRIES], apart[ENTRIES];

static int open_cubes(Lab* lab, int count) {
  static char text[200 * (CUBES + 1)];
  int used = snprintf(text, sizeof text, "<mujoco><worldbody>");
  for (int i = 0; i < count; ++i)
    used += snprintf(
        text + used, sizeof text - (size_t)used,
        "<body pos='%d 0 0.05'><freejoint/><geom type='box' size='.05 .05 .05'/></body>", i);
  snprintf(text + used, sizeof text - (size_t)used, "</worldbody></mujoco>");
  return lab_open_text(lab, text, NULL);
}

static int prepare(Lab* lab, Cubes* c) {
  if (heft_dynamics_create(&c->d, lab->model, NULL, NULL) != HEFT_OK) return 0;
  c->scratch = lab_delassus_scratch(lab, c->d, lab->start, POINTS);
  if (!c->scratch) return 0;
  for (int i = 0; i < 4 * (lab->model->nbody - 1); ++i) {
    const HeftPose body = heft_dynamics_body_pose(c->d, 1 + i / 4);
    const HeftVec3 corner = {i % 2 ? 0.05 : -0.05, i / 2 % 2 ? 0.05 : -0.05, -0.05};
    c->points[i] = (HeftDelassusPoint){
        .body = 1 + i / 4, .point = heft_pose_apply(body, corner), .frame = heft_mat3_identity()};
  }
  return 1;
}

// The largest difference between the operator of all and those of the cubes.
static double difference(int count) {
  const int n = 12 * count;
  double worst = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const double own = i / 12 == k / 12 ? apart[(long)(i / 12) * 144 + i % 12 * 12 + k % 12] : 0;
      worst = fmax(worst, fabs(together[(long)i * n + k] - own));
    }
  return worst;
}

// The shortest of many times of both ways [us].
static void measure(const Cubes* c, int count, double time[CHANNELS]) {
  time[TOGETHER] = time[APART] = HUGE_VAL;
  for (int i = 0; i < ROUNDS; ++i) {
    const uint64_t begin = heft_clock_ns();
    heft_dynamics_delassus(c->d, method, 4 * count, c->points, c->scratch, together);
    const uint64_t middle = heft_clock_ns();
    for (int k = 0; k < count; ++k)
      heft_dynamics_delassus(c->d, method, 4, c->points + 4L * k, c->scratch, apart + 144L * k);
    const uint64_t end = heft_clock_ns();
    time[TOGETHER] = fmin(time[TOGETHER], 1e-3 * (double)(middle - begin));
    time[APART] = fmin(time[APART], 1e-3 * (double)(end - middle));
  }
}

void experiment_groups(Lab* lab) {
  double row[CUBES / BY + 1][CHANNELS] = {{0}}, worst = 0;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "time of the Delassus operators", "us",
            (const char*[]){names[TOGETHER], names[APART], NULL});
  for (int i = 0; i <= CUBES / BY; ++i) {
    const int count = i == 0 ? 1 : i * BY;
    Cubes c = {0};
    if (!open_cubes(lab, count)) return;
    const int well = prepare(lab, &c);
    row[i][COUNT] = count;
    if (well) {
      measure(&c, count, row[i]);
      worst = fmax(worst, difference(count));
    }
    free(c.scratch);
    heft_dynamics_destroy(c.d);
    if (!well) return;
    lab_log(lab, row[i]);
  }
  const double *one = row[0], *half = row[CUBES / BY / 2], *all = row[CUBES / BY];
  lab->success = worst < 1e-9;
  lab_claim(lab, lab->success, "cubes of one group do not act on each other",
            "[Chardonnet 2008], 5.1", "blocks differ by at most %.0e", worst);
  if (lab_brief(lab)) return;  // tests do not depend on the speed of the machine
  lab_claim(lab, all[APART] < 2.5 * half[APART], "groups of one cost in proportion to the cubes",
            "[Chardonnet 2008], Fig. 2", "%.1f, %.1f and %.1f us for 1, 15 and 30", one[APART],
            half[APART], all[APART]);
  lab_claim(lab, all[TOGETHER] > 3 * half[TOGETHER] && all[TOGETHER] > 3 * all[APART],
            "one group costs the square of them", "[Chardonnet 2008], Fig. 2",
            "%.1f, %.1f and %.1f us for 1, 15 and 30", one[TOGETHER], half[TOGETHER],
            all[TOGETHER]);
}
