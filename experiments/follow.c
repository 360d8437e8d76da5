// SPDX-License-Identifier: Apache-2.0
// Papers: R45, R46, R66, S4.
// A person with spherical joints, fingers and lugged shoes takes a box of 2 kg from a table between
// both hands, by friction alone. This is the interactive scene `follow` ([Keith 2008], section 4,
// Fig. 3). It has more than a hundred contact points of its own: 24 lugs stand on their corners,
// palms, thumbs and fingers press on the box. A user then grasps the box with a haptic device and
// leads it along the table and away from it. The person complies from the wrists to the waist (Eq.
// 22). It follows by steps when the box is more than 6 cm away from where it was taken. It takes
// two steps of a plan by the divergent component of motion, and then looks again. In a second run
// its feet stay.
//
// In the source, ten seconds of simulation took 300 s with the avatar; its step was 1 ms, too.
#include <math.h>
#include <stddef.h>

#include "experiments/experiments.h"
#include "experiments/take.h"

enum { TIME, POINTS, CARRYING, STEP, BOX_X, BOX_Y, BODY_X, BODY_Y, FORCE, GAZE, CHANNELS };
static const char* const names[CHANNELS] = {"time",  "points",   "carrying", "step [us]", "box x",
                                            "box y", "pelvis x", "pelvis y", "force",     "gaze"};

typedef struct Follow {
  double lifted, box[2], pelvis[2];  ///< ways [m]
  double force, end_force;           ///< of the device: max, and mean of the last second [N]
  double us, share, carrying;        ///< steps with more than 100 points: mean [us], above 1 ms
  long dense, steps;
  int most, feet, upright;
  double ledger;
} Follow;

static int follow(Lab* lab, int stay, Follow* s) {
  InteractiveScene m = {0};
  Encounter e = {0};
  if (!interactive_open(&m, interactive_find("follow"), lab)) return 0;
  Take* t = (Take*)m.data;
  t->stay = stay;
  const int well = encounter_open(&e, &m);
  const double end = lab_brief(lab) ? 6.4 : m.kind->takes;
  const double* q = heft_world_state(lab->world)->q;
  double from[4] = {0};
  for (int i = 0; well && lab_time(lab) < end && lab_upright(lab); ++i) {
    encounter_step(&e, &m);
    q = heft_world_state(lab->world)->q;
    const double *box = q + t->lead.object_q, now = lab_time(lab);
    const double f = heft_vec3_norm(lab->hand[0].force);
    int carrying;
    const int points = take_points(lab, t, &carrying);
    if (now < 3.2) {
      const double at[4] = {box[0], box[1], q[0], q[1]};
      for (int k = 0; k < 4; ++k) from[k] = at[k];
      s->lifted = box[2] - lab->start[t->lead.object_q + 2];
    } else if (points > 100) {
      s->us += e.step_us;
      s->share += e.step_us > 1000;
      s->carrying += carrying;
      ++s->dense;
    }
    s->most = points > s->most ? points : s->most;
    s->force = fmax(s->force, f);
    if (now > end - 1) s->end_force += f * lab->model->physics.time_step;
    const double row[CHANNELS] = {now,    points, carrying, e.step_us, box[0],
                                  box[1], q[0],   q[1],     f,         m.data->gaze_error};
    if (!stay && i % 5 == 0) lab_log(lab, row);
    if (!stay && (i == 100 || i == 1700 || i == 5200 || i == 5900 || i == 10100 || i == 16500))
      lab_instant(lab);
  }
  const double* box = q + t->lead.object_q;
  for (int k = 0; k < 2; ++k) {
    s->box[k] = box[k] - from[k];
    s->pelvis[k] = q[k] - from[2 + k];
  }
  s->feet = t->lead.steps + 2 * t->lead.walking;
  s->upright = well && lab_upright(lab) && box[2] > lab->start[t->lead.object_q + 2] + 0.02;
  s->ledger = well ? heft_device_report(e.device[0]).energy_lowest : -1;
  const double dense = s->dense > 0 ? (double)s->dense : 1;
  s->us /= dense;
  s->share /= dense;
  s->carrying /= dense;
  encounter_close(&e);
  interactive_close(&m);
  return well;
}

void experiment_follow(Lab* lab) {
  Follow led = {0}, stays = {0};
  lab_camera(lab, -30, 14, 3.4, heft_vec3(0.2, 0.1, 0.85));
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "contact points of the person and the box", "",
            (const char*[]){"points", "carrying", NULL});
  lab_panel(lab, "time of a step", "us", (const char*[]){"step [us]", NULL});
  lab_panel(lab, "along the table", "m", (const char*[]){"box y", "pelvis y", NULL});
  lab_panel(lab, "away from the table", "m", (const char*[]){"box x", "pelvis x", NULL});
  lab_panel(lab, "force of the user", "N", (const char*[]){"force", NULL});
  lab_panel(lab, "angle between eyes and hand of the user", "rad", (const char*[]){"gaze", NULL});
  if (!follow(lab, 0, &led) || (!lab_brief(lab) && !follow(lab, 1, &stays))) return;
  lab->success = led.upright && led.most > 100;
  lab_claim(lab, lab->success && led.lifted > 0.05,
            "the person takes the box from the table, and holds it to the end",
            "[Keith 2008], Fig. 3", "lifted by %.0f mm, upright", 1e3 * led.lifted);
  lab_claim(lab, led.most > 100 && led.carrying > 50,
            "the avatar itself has more than a hundred contact points", "[Keith 2008], 4: > 100",
            "up to %d; while it is led with more than 100, on average %.0f carry force", led.most,
            led.carrying);
  if (!lab_brief(lab))  // tests do not depend on the speed of the machine
    lab_claim(
        lab, led.us < 1000 && led.dense > 500, "in real time at 1 ms",
        "[Keith 2008], 4: 300 s for 10 s",
        "%.2f ms of CPU time per step with more than 100 points: %.1f x real time; %.1f %% of "
        "the steps above 1 ms",
        led.us / 1000, 1000 / led.us, 100 * led.share);
  if (lab_brief(lab)) {
    lab_claim(lab, led.feet >= 2, "the avatar follows the lead by steps", "[Keith 2008], 4",
              "%d steps, the box goes %.0f mm to the side, the pelvis %.0f mm", led.feet,
              1e3 * led.box[1], 1e3 * led.pelvis[1]);
  } else {
    lab_claim(
        lab, led.pelvis[1] > 0.15 && led.pelvis[0] < -0.1 && led.box[1] > 0.2 && led.box[0] < -0.15,
        "the avatar follows the lead by steps", "[Keith 2008], 4",
        "%d steps: box %.0f mm to the side and %.0f mm back, pelvis %.0f and %.0f mm", led.feet,
        1e3 * led.box[1], -1e3 * led.box[0], 1e3 * led.pelvis[1], -1e3 * led.pelvis[0]);
    lab_claim(lab, stays.end_force > 3 * led.end_force || !stays.upright,
              "without steps the user cannot lead it so far", "own requirement",
              "at the end %.1f N with steps, %.1f N with feet that stay (%s)", led.end_force,
              stays.end_force, stays.upright ? "upright" : "the box is lost");
  }
  lab_claim(lab, led.ledger >= -1e-6, "the coupling returns no more energy than it absorbed",
            "own requirement", "lowest %.1e J, forces up to %.1f N", led.ledger, led.force);
  lab_claim_certificate(lab);
}
