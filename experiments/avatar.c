// SPDX-License-Identifier: Apache-2.0
// A person with spherical joints and more than a hundred contact points (paper E, section 4, Fig.
// 3: 300 s for 10 s then, and paper A, section 6: real time below a hundred points). The person
// falls onto a bed of pebbles that are free to move.
#include <heft/io.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "experiments/experiments.h"

enum { TIME, CONTACTS, TIME_US, CHANNELS };
static const char* const names[CHANNELS] = {"time", "contacts", "step [us]"};

void experiment_avatar(Lab* lab) {
  lab->def.contact_max = 2000;
  if (!lab_open(lab, "avatar_pebbles.xml", NULL)) return;
  HeftState* lying = NULL;
  if (heft_state_create(&lying, lab->model, NULL, NULL) != HEFT_OK) return;
  heft_state_copy(lying, heft_world_state(lab->world));
  const HeftQuat back = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), -HEFT_PI / 2);
  const double root[7] = {0.1, 0, 0.35, back.w, back.x, back.y, back.z};
  memcpy(lying->q, root, sizeof root);
  heft_world_set_state(lab->world, lying);
  heft_state_destroy(lying);
  lab->camera[0] = -60;
  lab->camera[1] = 25;
  lab->camera[2] = 3.4;
  lab->camera[5] = 0.1;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "contact points", "", (const char*[]){"contacts", NULL});
  lab_panel(lab, "time of a step", "us", (const char*[]){"step [us]", NULL});
  const double end = lab->brief ? 1.2 : 3;
  double total = 0, dense = 0;
  int most = 0, steps = 0, dense_steps = 0;
  for (int i = 0; lab_time(lab) < end; ++i) {
    const uint64_t before = heft_clock_ns();
    const HeftStepReport r = lab_step_servo(lab, 2, 0.1);
    const double us = (double)(heft_clock_ns() - before) * 1e-3;
    total += us;
    ++steps;
    if (r.contact_count > 100) {
      dense += us;
      ++dense_steps;
    }
    most = r.contact_count > most ? r.contact_count : most;
    const double row[CHANNELS] = {lab_time(lab), r.contact_count, us};
    if (i % 5 == 0) lab_log(lab, row);
    if (i == 0 || i == 250 || i == (int)(1000 * end) - 100) lab_moment(lab);
  }
  lab->success = most > 100;
  lab_claim(lab, most > 100, "a person with more than a hundred contact points", "paper E, Fig. 3",
            "up to %d points", most);
  const double slow = dense_steps > 0 ? dense / dense_steps / 1000 : 0;
  lab_claim(lab, slow < 30, "faster than thirty times slower than real",
            "paper E, Fig. 3: 300 s for 10 s",
            "with more than 100 points %.2f ms a step of 1 ms, on average %.2f ms", slow,
            total / steps / 1000);
  lab_claim_certificate(lab);
}
