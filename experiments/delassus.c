// SPDX-License-Identifier: Apache-2.0
// Papers: R12, R13, R14, R15, S1.
// The experiment computes the Delassus operator Λ for the HRP-2-like robot on two feet of four
// points each ([Chardonnet 2012], Fig. 3; [Chardonnet 2008], Table 4). It uses three methods: unit
// forces at every point (85.7 µs there), Chang and Khatib (15.9 µs), and six unit forces per body
// (12.9 µs).
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { POINTS = 8, ROUNDS = 400 };

static void find_points(const Lab* lab, const HeftDynamics* d, HeftDelassusPoint* points) {
  const HeftModel* m = lab->model;
  for (int i = 0; i < POINTS; ++i) {
    const int s = heft_model_find(m, HEFT_NAMED_SHAPE, i < 4 ? "left_sole" : "right_sole");
    const double *size = m->shape_size + 3L * s, *at = m->shape_pos + 3L * s;
    const HeftVec3 corner = heft_vec3(at[0] + (i % 2 ? size[0] : -size[0]),
                                      at[1] + (i / 2 % 2 ? size[1] : -size[1]), at[2] - size[2]);
    points[i].body = m->shape_body[s];
    points[i].point = heft_pose_apply(heft_dynamics_body_pose(d, points[i].body), corner);
    points[i].frame =
        heft_mat3_from_columns(heft_vec3(0, 0, 1), heft_vec3(1, 0, 0), heft_vec3(0, 1, 0));
  }
}

// The shortest of many times of each method [µs]. The methods run in turn, so that other load
// affects all alike.
static void measure(HeftDynamics* d, const HeftDelassusPoint* points, double* scratch,
                    double lambda[HEFT_DELASSUS_COUNT][9 * POINTS * POINTS],
                    double time[HEFT_DELASSUS_COUNT]) {
  for (int i = 0; i < ROUNDS * HEFT_DELASSUS_COUNT; ++i) {
    const int k = i % HEFT_DELASSUS_COUNT;
    const uint64_t before = heft_clock_ns();
    heft_dynamics_delassus(d, (HeftDelassusMethod)k, POINTS, points, scratch, lambda[k]);
    const double now = (double)(heft_clock_ns() - before) * 1e-3;
    time[k] = i == k ? now : fmin(time[k], now);
  }
}

void experiment_delassus(Lab* lab) {
  if (!lab_open(lab, "hrp2_like.xml", pose_half_sitting)) return;
  HeftDynamics* d = NULL;
  if (heft_dynamics_create(&d, lab->model, NULL, NULL) != HEFT_OK) return;
  static double lambda[HEFT_DELASSUS_COUNT][9 * POINTS * POINTS];
  HeftDelassusPoint points[POINTS];
  double time[HEFT_DELASSUS_COUNT] = {0}, worst = 0;
  double* scratch = lab_delassus_scratch(lab, d, lab->start, POINTS);
  if (scratch) {
    find_points(lab, d, points);
    measure(d, points, scratch, lambda, time);
    for (int i = 0; i < HEFT_DELASSUS_COUNT * 9 * POINTS * POINTS; ++i) {
      const double first = lambda[0][i % (9 * POINTS * POINTS)];
      worst = fmax(worst, fabs((&lambda[0][0])[i] - first) / (1 + fabs(first)));
    }
  }
  free(scratch);
  heft_dynamics_destroy(d);
  const double old = time[HEFT_DELASSUS_UNIT_FORCES], chang = time[HEFT_DELASSUS_CHANG_KHATIB];
  const double body = time[HEFT_DELASSUS_BODY];
  lab->success = worst < 1e-9;
  lab_claim(lab, lab->success, "all methods give the same matrix",
            "[Chardonnet 2012] and [Chardonnet 2008]", "differ by at most %.0e", worst);
  lab_claim(lab, old > 4 * body, "six forces a body beat three a point by 4 times",
            "[Chardonnet 2008], Table 4", "%.1f and %.1f us: %.1f times (85.7 and 12.9 us there)",
            body, old, old / body);
  lab_claim(lab, body < 1.3 * chang, "they are not slower than Chang and Khatib",
            "[Chardonnet 2008], Table 4", "%.1f and %.1f us (12.9 and 15.9 us there)", body, chang);
}
