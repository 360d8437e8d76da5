// SPDX-License-Identifier: Apache-2.0
// Papers: R51, R53, U11.
// An emulated hand taps the chest of a simulated person and shakes its hand (interactive scene
// `greet`). A second run with an avatar without compliance shows the effect of compliance.
#include <math.h>
#include <stddef.h>

#include "experiments/experiments.h"
#include "experiments/interactive.h"

enum { TIME, FORCE, GAZE, NOD, LED, FEET, CHANNELS };
static const char* const names[CHANNELS] = {"time", "force", "gaze", "nod", "led by", "feet"};

typedef struct Met {
  int taps, shakes, pushes, upright;
  double looked, nodded, led, force, ledger;
} Met;

static int meet(Lab* lab, int stiff, Met* met) {
  InteractiveScene m = {.stiff = stiff};
  Encounter e = {0};
  if (!interactive_open(&m, interactive_find("greet"), lab)) return 0;
  int well = encounter_open(&e, &m);
  met->looked = HEFT_PI;
  for (int i = 0; well && lab_time(lab) < m.kind->takes && lab_upright(lab); ++i) {
    encounter_step(&e, &m);
    const double t = lab_time(lab), f = heft_vec3_norm(lab->hand[0].force);
    if (t > 1.5 && t < 3 && m.data->gestures[HEFT_GESTURE_TAP])
      met->looked = fmin(met->looked, m.data->gaze_error);
    met->led = fmax(met->led, m.data->led);
    met->force = fmax(met->force, f);
    const double row[CHANNELS] = {
        t,     f,     m.data->gaze_error,
        m.data->nod, m.data->led, lab_foot_force(lab, 0, NULL) + lab_foot_force(lab, 1, NULL)};
    if (!stiff && i % 5 == 0) lab_log(lab, row);
    if (!stiff && (i == 1080 || i == 1900 || i == 3700 || i == 4550)) lab_instant(lab);
  }
  met->taps = (int)m.data->gestures[HEFT_GESTURE_TAP];
  met->shakes = (int)m.data->gestures[HEFT_GESTURE_SHAKE];
  met->pushes = (int)m.data->gestures[HEFT_GESTURE_PUSH];
  met->nodded = m.data->nod;
  met->upright = well && lab_upright(lab);
  met->ledger = well ? heft_device_report(e.device[0]).energy_lowest : -1;
  encounter_close(&e);
  interactive_close(&m);
  return well;
}

void experiment_greet(Lab* lab) {
  Met soft = {0}, stiff = {0};
  lab->camera[0] = -50;
  lab->camera[1] = 10;
  lab->camera[2] = 2.4;
  lab->camera[3] = 0.1;
  lab->camera[5] = 1.05;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "force on the avatar", "N", (const char*[]){"force", NULL});
  lab_panel(lab, "angle between eyes and hand, and nod", "rad",
            (const char*[]){"gaze", "nod", NULL});
  lab_panel(lab, "displacement of the arm by compliance", "rad", (const char*[]){"led by", NULL});
  lab_panel(lab, "load on the feet", "N", (const char*[]){"feet", NULL});
  if (!meet(lab, 0, &soft) || !meet(lab, 1, &stiff)) return;
  lab->success = soft.upright && soft.taps == 1 && soft.shakes == 1;
  lab_claim(lab, soft.upright && stiff.upright, "the avatar stands while it is tapped and shaken",
            "[Keith 2008], 2.1", "upright with compliance and without, forces up to %.1f N",
            soft.force);
  lab_claim(lab, soft.taps == 1 && soft.shakes == 1,
            "a tap and a handshake are recognised from the force alone", "[Keith 2008], 2.1",
            "%d tap, %d shake, %d push", soft.taps, soft.shakes, soft.pushes);
  lab_claim(lab, soft.looked < 0.1, "the avatar looks toward the tap", "[Keith 2008], 2.1",
            "off by %.1f degrees", soft.looked * 180 / HEFT_PI);
  lab_claim(lab, soft.nodded > 0.2 && soft.led > 0.05 && soft.led > 2 * stiff.led,
            "the avatar nods to a handshake, and its arm follows", "[Keith 2008], 2.1",
            "nod of %.0f degrees, arm led by %.0f degrees (stiff: %.0f)",
            soft.nodded * 180 / HEFT_PI, soft.led * 180 / HEFT_PI, stiff.led * 180 / HEFT_PI);
  lab_claim(lab, soft.ledger >= -1e-6 && stiff.ledger >= -1e-6,
            "the coupling returns no more energy than it absorbed", "own requirement",
            "lowest %.1e J and %.1e J", soft.ledger, stiff.ledger);
  lab_claim_certificate(lab);
}
