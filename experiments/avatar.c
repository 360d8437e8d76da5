// SPDX-License-Identifier: Apache-2.0
// Papers: S5, U1.
// A person with spherical joints falls onto a bed of free pebbles: more than a hundred contact
// points in one world, most of them between pebbles and ground. A user presses on the chest with a
// haptic device (interactive scene `pebbles`). [Chardonnet 2012], section 6, states real time below
// a hundred points; in [Keith 2008], section 4, ten seconds with more than a hundred took 300 s.
// The person of `follow` has more than a hundred points of its own.
#include <math.h>
#include <stddef.h>

#include "experiments/experiments.h"
#include "experiments/interactive.h"

enum { TIME, CONTACTS, TIME_US, FORCE, CHANNELS };
static const char* const names[CHANNELS] = {"time", "contacts", "step [us]", "force"};

void experiment_avatar(Lab* lab) {
  InteractiveScene m = {0};
  Encounter e = {0};
  lab->def.time_step = 1e-3;  // of the source; the scene itself has 2 ms
  const int opened = interactive_open(&m, interactive_find("pebbles"), lab);
  lab->def.time_step = 0;
  if (!opened) return;
  lab_camera(lab, -60, 25, 3.4, heft_vec3(0, 0, 0.1));
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "contact points", "", (const char*[]){"contacts", NULL});
  lab_panel(lab, "time of a step", "us", (const char*[]){"step [us]", NULL});
  lab_panel(lab, "force on the user", "N", (const char*[]){"force", NULL});
  const double end = lab_brief(lab) ? 1.8 : 3;
  double dense = 0, force = 0;
  int max = 0, dense_steps = 0;
  const int well = encounter_open(&e, &m);
  for (int i = 0; well && lab_time(lab) < end; ++i) {
    const HeftStepReport r = encounter_step(&e, &m);
    if (r.contact_count > 100) {
      dense += e.step_us;
      ++dense_steps;
    }
    max = r.contact_count > max ? r.contact_count : max;
    const double f = heft_vec3_norm(lab->hand[0].force);
    force = fmax(force, f);
    const double row[CHANNELS] = {lab_time(lab), r.contact_count, e.step_us, f};
    if (i % 5 == 0) lab_log(lab, row);
    if (i == 0 || i == 250 || i == (int)(1000 * end) - 100) lab_instant(lab);
  }
  const double ledger = well ? heft_device_report(e.device[0]).energy_lowest : -1;
  lab->success = max > 100;
  lab_claim(lab, max > 100, "a world with a person and more than a hundred contact points",
            "own requirement", "up to %d points", max);
  const double slow = dense_steps > 0 ? dense / dense_steps / 1000 : 0;
  const double times = slow > 0 ? 1 / slow : 0;
  lab_claim(lab, times > 1, "in real time at 1 ms",
            "[Chardonnet 2012], 6; [Keith 2008], Fig. 3: 300 s for 10 s",
            "%.2f ms of CPU time per step with more than 100 points: %.1f x real time", slow,
            times);
  lab_claim(lab, force > 2 && ledger >= -1e-6, "a user feels the chest", "[Keith 2008], 4",
            "up to %.1f N, min of the ledger %.1e J", force, ledger);
  encounter_close(&e);
  interactive_close(&m);
  lab_claim_certificate(lab);
}
