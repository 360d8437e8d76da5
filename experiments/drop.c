// SPDX-License-Identifier: Apache-2.0
// A robot of 5 kg is dropped from 5 cm, at steps of 1 ms and of 2.5 ms (paper C, section IV-B,
// Fig. 6): springs of 4410 N/m and dampers of 282 N s/m throw it up at the longer step, the exact
// model lets it stand at both.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, EXACT_1, EXACT_25, SPRINGS_1, SPRINGS_25, CHANNELS };
static const char* const names[CHANNELS] = {"time", "exact 1 ms", "exact 2.5 ms", "springs 1 ms",
                                            "springs 2.5 ms"};
enum { ROWS = 401 };
static const double height = 0.05, sample = 0.0025;

typedef struct Drop {
  double z[ROWS];  ///< of the pelvis over where it stands [m]
  double leap;     ///< highest after the first touch [m]
  double end;      ///< where it is at the end [m]
} Drop;

static int drop(Lab* lab, Drop* d, double step, int pictures) {
  lab->def.time_step = step;
  if (!lab_open(lab, "hoap_like.xml", pose_small)) return 0;
  const int z = lab->model->joint_q[0] + 2;
  const double stands = lab->start[z];
  HeftState* state = NULL;
  if (heft_state_create(&state, lab->model, NULL, NULL) != HEFT_OK) return 0;
  heft_state_copy(state, heft_world_state(lab->world));
  state->q[z] += height;
  heft_world_set_state(lab->world, state);
  heft_state_destroy(state);
  int touched = 0, row = 0;
  const int count = (int)floor(1 / step + 0.5);
  for (int i = 0; i <= count; ++i) {
    const double up = heft_world_state(lab->world)->q[z] - stands;
    const double t = i * step;
    if (row < ROWS && t >= row * sample - 1e-9) d->z[row++] = up;
    touched |= heft_world_contact_count(lab->world) > 0;
    if (touched && t > 0.2) d->leap = fmax(d->leap, up);
    d->end = up;
    if (pictures && (t == 0 || fabs(t - 0.1) < 0.5 * step || i == count - 1)) lab_moment(lab);
    lab_step_servo(lab, 6, 0.08);
  }
  for (; row < ROWS; ++row) d->z[row] = d->end;
  return 1;
}

void experiment_drop(Lab* lab) {
  static Drop d[4];
  for (int i = 0; i < 4; ++i) {
    d[i] = (Drop){.leap = -1};
    HeftContactOptions options = heft_contact_options_default();
    options.stiffness = 4410;
    options.damping = 282;
    if (i >= 2) lab_use(lab, HEFT_CONTACT_MODEL_PENALTY, &options);
    if (!drop(lab, &d[i], i % 2 ? 0.0025 : 0.001, i == 0)) return;
  }
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  lab->def.time_step = 0;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "height of the pelvis over standing", "m",
            (const char*[]){names[1], names[2], names[3], names[4], NULL});
  for (int i = 0; i < ROWS; ++i) {
    const double row[CHANNELS] = {i * sample, d[0].z[i], d[1].z[i], d[2].z[i], d[3].z[i]};
    lab_log(lab, row);
  }
  lab->success = d[0].leap < 0.005 && d[1].leap < 0.005;
  lab_claim(lab, lab->success, "exact: it stays on the ground at 1 ms and at 2.5 ms",
            "paper C, Fig. 6", "highest afterwards %.1f and %.1f mm", 1000 * d[0].leap,
            1000 * d[1].leap);
  lab_claim(lab, d[2].leap < 0.005, "springs and dampers: stable at 1 ms", "paper C, Fig. 6",
            "highest afterwards %.1f mm", 1000 * d[2].leap);
  lab_claim(lab, d[3].leap > d[2].leap + 0.002, "springs and dampers: it leaps at 2.5 ms",
            "paper C, Fig. 6", "highest afterwards %.1f mm; certificate %.0e", 1000 * d[3].leap,
            lab->other_relative);
  lab_claim_certificate(lab);
}
