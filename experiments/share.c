// SPDX-License-Identifier: Apache-2.0
// Papers: R45, R46, R51, R65, S7.
// A user and the HRP-2-like robot move a bar together (interactive scene `carry`; [Chardonnet
// 2012], [Chardonnet 2008] and [Keith 2008]), with an emulated hand. A second run with stiff arms
// shows the effect of compliance. A third run has a fixed gaze.
#include <math.h>
#include <stddef.h>

#include "experiments/carry.h"
#include "experiments/experiments.h"

enum { TIME, HAND_X, BAR_X, FORCE_X, LED, GAZE, FEET, CONTACTS, CHANNELS };
static const char* const names[CHANNELS] = {"time",   "hand x", "bar x", "force x",
                                            "led by", "gaze",   "feet",  "contacts"};

typedef struct Share {
  double travel, force_peak, gaze, ledger, step_us, contacts;
  int upright, pushes;
} Share;

static void note(Lab* lab, const InteractiveScene* m, double x) {
  const double row[CHANNELS] = {lab_time(lab),
                                lab->hand[0].pos.x,
                                x,
                                lab->hand[0].force.x,
                                m->data->led,
                                m->data->gaze_error,
                                lab_foot_force(lab, 0, NULL) + lab_foot_force(lab, 1, NULL),
                                heft_world_contact_count(lab->world)};
  lab_log(lab, row);
}

static int share(Lab* lab, int stiff, int blind, Share* s) {
  InteractiveScene m = {.stiff = stiff, .blind = blind};
  Encounter e = {0};
  if (!interactive_open(&m, interactive_find("carry"), lab)) return 0;
  const Carry* c = (const Carry*)m.data;
  const int shown = !stiff && !m.blind, well = encounter_open(&e, &m);
  const double end = lab->brief ? 5 : m.kind->takes;
  double low = c->start_x, settled = low, sum = 0, contacts = 0;
  int i = 0;
  for (; well && lab_time(lab) < end && lab_upright(lab); ++i) {
    encounter_step(&e, &m);
    sum += e.step_us;
    contacts += heft_world_contact_count(lab->world);
    const double x = heft_world_state(lab->world)->q[c->bar_q];
    if (lab_time(lab) < 1.5) low = settled = x;
    low = fmin(low, x);
    s->force_peak = fmax(s->force_peak, fabs(lab->hand[0].force.x));
    if (shown && i % 5 == 0) note(lab, &m, x);
    if (shown && (i == 1400 || i == 4000)) lab_instant(lab);
    if (m.blind && i == 4000) lab_instant(lab);
  }
  s->travel = settled - low;
  s->gaze = m.data->gaze_error;
  s->upright = lab_upright(lab);
  s->pushes = (int)m.data->gestures[HEFT_GESTURE_PUSH];
  s->ledger = well ? heft_device_report(e.device[0]).energy_lowest : -1;
  s->step_us = sum / (i > 0 ? i : 1);
  s->contacts = contacts / (i > 0 ? i : 1);
  encounter_close(&e);
  interactive_close(&m);
  return well;
}

void experiment_share(Lab* lab) {
  Share led = {0}, stiff = {0}, blind = {0};
  lab_camera(lab, -50, 12, 2.6, heft_vec3(0, 0, 0.85));
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "the person's hand and the bar", "m", (const char*[]){"hand x", "bar x", NULL});
  lab_panel(lab, "force on the user", "N", (const char*[]){"force x", NULL});
  lab_panel(lab, "how far the arms were led, and the eyes' error", "rad",
            (const char*[]){"led by", "gaze", NULL});
  lab_panel(lab, "load on the feet", "N", (const char*[]){"feet", NULL});
  if (!share(lab, 0, 0, &led) || !share(lab, 1, 0, &stiff) || !share(lab, 0, 1, &blind)) return;
  lab->success = led.upright && led.travel > stiff.travel;
  lab_claim(lab, led.upright && stiff.upright && blind.upright,
            "it stands while a user pushes the bar", "[Chardonnet 2008], 4",
            "upright with compliance and without");
  lab_claim(lab,
            led.pushes > 0 && led.travel > 2 * stiff.travel && led.force_peak < stiff.force_peak,
            "a compliant robot can be led by the bar", "[Chardonnet 2012], Eq. 16",
            "the bar goes %.0f mm with at most %.1f N; with stiff arms %.0f mm with %.1f N",
            1e3 * led.travel, led.force_peak, 1e3 * stiff.travel, stiff.force_peak);
  lab_claim(lab, led.gaze < 0.05 && blind.gaze > 2 * led.gaze, "it looks at the user's hand",
            "[Chardonnet 2012], 4", "off by %.2f degrees at the end; %.1f with a fixed gaze",
            led.gaze * 180 / HEFT_PI, blind.gaze * 180 / HEFT_PI);
  lab_claim(lab, led.ledger >= -1e-6 && stiff.ledger >= -1e-6 && blind.ledger >= -1e-6,
            "the coupling returns no more energy than it absorbed", "own requirement",
            "lowest %.1e J and %.1e J", fmin(led.ledger, blind.ledger), stiff.ledger);
  lab_claim(lab, led.step_us < 5200, "a step takes less than 5.2 ms", "[Chardonnet 2008], 5",
            "%.0f us on average, control included, %.0f contacts", led.step_us, led.contacts);
  lab_claim_certificate(lab);
}
