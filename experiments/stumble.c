// SPDX-License-Identifier: Apache-2.0
// The robot of `walk` is pushed hard from the side in the middle of a step and falls ([Sugihara
// 2006], Fig. 11). All its parts make contact, and the simulation stays stable.
#include <math.h>
#include <stddef.h>

#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, HEIGHT, CONTACTS, DEPTH, CHANNELS };
static const char* const names[CHANNELS] = {"time", "pelvis z", "contacts", "depth"};

void experiment_stumble(Lab* lab) {
  if (!lab_open(lab, "hrp2_like.xml", pose_half_sitting)) return;
  HeftWalk* walk = NULL;
  if (heft_walk_create(&walk, NULL, &lab->goal, lab->gravity, NULL) != HEFT_OK) return;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "height of the pelvis", "m", (const char*[]){"pelvis z", NULL});
  lab_panel(lab, "contact points", "", (const char*[]){"contacts", NULL});
  const int chest = lab_body(lab, "chest");
  double deepest = 0, energy = 0;
  int max = 0, fallen = 0;
  for (int i = 0; lab_time(lab) < 6; ++i) {
    const double t = lab_time(lab);
    heft_walk_goal(walk, t, &lab->goal, NULL);
    if (t > 3.1 && t < 3.4) {
      const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(lab->world), chest).pos;
      heft_world_apply_wrench(lab->world, chest, at, heft_vec3(0, 250, 0), heft_vec3(0, 0, 0));
    }
    fallen |= !lab_upright(lab);
    lab->goal.posture = lab->start;
    const HeftStepReport r = fallen ? lab_step_servo(lab, 2, 0.1) : lab_step(lab);
    deepest = fmax(deepest, r.penetration);
    energy = fmax(energy, r.kinetic);
    max = r.contact_count > max ? r.contact_count : max;
    const double row[CHANNELS] = {t, heft_world_state(lab->world)->q[2], r.contact_count,
                                  r.penetration};
    if (i % 5 == 0) lab_log(lab, row);
    if (i == 3000 || i == 3600 || i == 4000 || i == 5900) lab_instant(lab);
  }
  heft_walk_destroy(walk);
  lab->success = fallen && lab->troubled == 0;
  lab_claim(lab, fallen, "pushed with 250 N it falls", "[Sugihara 2006], Fig. 11",
            "pelvis at %.2f m", heft_world_state(lab->world)->q[2]);
  lab_claim(lab, deepest < 0.002, "nothing sinks into the ground on the way", "ours",
            "at most %.2g mm deep, up to %d points", 1000 * deepest, max);
  lab_claim_certificate(lab);
}
