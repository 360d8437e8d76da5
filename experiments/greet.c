// SPDX-License-Identifier: Apache-2.0
// Papers: R51, R53, U11.
// An emulated hand taps the chest of a simulated person and shakes its hand (interactive scene
// `greet`), and taps it again. A second run with an avatar without compliance shows the effect of
// compliance.
//
// Bodies are measured, not commands. Gaze: the angle between the axis of the eyes and the line to
// the place of the tap, on average from 0.7 to 2 s after the tap. Nod: the part of the head's pitch
// against the chest that swings at 1/0.6 Hz in the 1.2 s after the handshake was recognised. Arm:
// how far the avatar's hand moves up and down against the chest meanwhile. Task from touch: how far
// the left hand rises within 1.4 s of each tap.
#include <math.h>
#include <stddef.h>

#include "experiments/experiments.h"
#include "experiments/interactive.h"

enum { TIME, FORCE, GAZE, PITCH, HAND, LEFT, FEET, CHANNELS };
static const char* const names[CHANNELS] = {"time", "force", "gaze", "pitch",
                                            "hand", "left",  "feet"};
static const double look_from = 0.7, look_to = 2, nod_takes = 1.2, nod_period = 0.6, answer = 1.4;

typedef struct Met {
  int taps, shakes, pushes, upright;
  double ahead, looked, nodded, led, force, ledger;
  HeftVec3 tapped;            ///< place of the user's hand
  double tap, shake;          ///< times of recognition, or -1 [s]
  double looks, swing[2];     ///< number of looks; sums
  double low, high;           ///< of the hand since the handshake was recognised [m]
  double again;               ///< time of the second tap, or -1 [s]
  double before[2], rose[2];  ///< height of the left hand at each tap, and its rise after it [m]
} Met;

static HeftPose body(const Lab* lab, const char* name) {
  return heft_dynamics_body_pose(heft_world_dynamics(lab->world),
                                 heft_model_find(lab->model, HEFT_NAMED_BODY, name));
}

// Pitch of the head against the chest.
static double head_pitch(const Lab* lab) {
  const HeftQuat chest = heft_quat_from_mat3(body(lab, "chest").rot),
                 head = heft_quat_from_mat3(body(lab, "head").rot);
  return heft_quat_log(heft_quat_mul(heft_quat_conjugate(chest), head)).y;
}

// Height of a hand of the avatar against the chest.
static double hand_height(const Lab* lab, const char* hand) {
  return heft_pose_apply_inverse(body(lab, "chest"), body(lab, hand).pos).z;
}

static void measure_left(const Lab* lab, const InteractiveData* data, Met* met) {
  const double t = lab_time(lab), left = hand_height(lab, "left_hand");
  if (met->again < 0 && data->gestures[HEFT_GESTURE_TAP] > 1) met->again = t;
  const double taps[2] = {met->tap, met->again};
  for (int k = 0; k < 2; ++k) {
    if (taps[k] < 0 || t >= taps[k] + answer) continue;
    if (t == taps[k]) met->before[k] = left;
    met->rose[k] = fmax(met->rose[k], left - met->before[k]);
  }
}

static void measure(const Lab* lab, const InteractiveData* data, Met* met) {
  const double t = lab_time(lab), h = lab->model->physics.time_step, w = 2 * HEFT_PI / nod_period;
  if (met->tap < 0 && data->gestures[HEFT_GESTURE_TAP] > 0) {
    met->tap = t;
    met->tapped = lab->hand[0].pos;
    met->ahead = lab_eyes_off(lab, met->tapped);
  }
  if (met->tap >= 0 && t >= met->tap + look_from && t < met->tap + look_to) {
    met->looked += lab_eyes_off(lab, met->tapped);
    ++met->looks;
  }
  measure_left(lab, data, met);
  const double hand = hand_height(lab, "right_hand");
  if (met->shake < 0 && data->gestures[HEFT_GESTURE_HANDSHAKE] > 0) {
    met->shake = t;
    met->low = met->high = hand;
  }
  if (met->shake < 0 || t >= met->shake + nod_takes) return;
  met->swing[0] += 2 * h / nod_takes * head_pitch(lab) * heft_cos(w * t);
  met->swing[1] += 2 * h / nod_takes * head_pitch(lab) * heft_sin(w * t);
  met->low = fmin(met->low, hand);
  met->high = fmax(met->high, hand);
}

static int meet(Lab* lab, int stiff, Met* met) {
  InteractiveScene m = {.stiff = stiff};
  Encounter e = {0};
  if (!interactive_open(&m, interactive_find("greet"), lab)) return 0;
  int well = encounter_open(&e, &m);
  met->tap = met->shake = met->again = -1;
  for (int i = 0; well && lab_time(lab) < m.kind->takes && lab_upright(lab); ++i) {
    encounter_step(&e, &m);
    const double f = heft_vec3_norm(lab->hand[0].force);
    measure(lab, m.data, met);
    met->force = fmax(met->force, f);
    const double row[CHANNELS] = {lab_time(lab),
                                  f,
                                  lab_eyes_off(lab, met->tap < 0 ? lab->hand[0].pos : met->tapped),
                                  head_pitch(lab),
                                  hand_height(lab, "right_hand"),
                                  hand_height(lab, "left_hand"),
                                  lab_foot_force(lab, 0, NULL) + lab_foot_force(lab, 1, NULL)};
    if (!stiff && i % 5 == 0) lab_log(lab, row);
    if (!stiff && (i == 1080 || i == 1900 || i == 3700 || i == 4550 || i == 7900)) lab_instant(lab);
  }
  met->taps = (int)m.data->gestures[HEFT_GESTURE_TAP];
  met->shakes = (int)m.data->gestures[HEFT_GESTURE_HANDSHAKE];
  met->pushes = (int)m.data->gestures[HEFT_GESTURE_PUSH];
  met->looked = met->looks > 0 ? met->looked / met->looks : HEFT_PI;
  met->nodded = hypot(met->swing[0], met->swing[1]);
  met->led = met->high - met->low;
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
  lab_panel(lab, "eyes off the tap; pitch of the head", "rad",
            (const char*[]){"gaze", "pitch", NULL});
  lab_panel(lab, "height of the avatar's hands against the chest", "m",
            (const char*[]){"hand", "left", NULL});
  lab_panel(lab, "load on the feet", "N", (const char*[]){"feet", NULL});
  if (!meet(lab, 0, &soft) || !meet(lab, 1, &stiff)) return;
  lab->success = soft.upright && soft.taps == 2 && soft.shakes == 1;
  lab_claim(lab, soft.upright && stiff.upright, "the avatar stands while it is tapped and shaken",
            "[Keith 2008], 2.1", "upright with compliance and without, forces up to %.1f N",
            soft.force);
  lab_claim(lab, soft.taps == 2 && soft.shakes == 1,
            "taps and a handshake are recognised from touch alone", "[Keith 2008], 2.1",
            "%d taps, %d shake, %d push", soft.taps, soft.shakes, soft.pushes);
  lab_claim(lab, soft.looked < 0.1 && soft.ahead > 3 * soft.looked,
            "the avatar looks toward the tap", "[Keith 2008], 2.1",
            "eyes off by %.1f degrees, by %.1f before", soft.looked * 180 / HEFT_PI,
            soft.ahead * 180 / HEFT_PI);
  lab_claim(lab, soft.nodded > 0.07, "the avatar nods to a handshake", "[Keith 2008], 2.1",
            "its head swings by %.1f degrees at the rhythm of the nod",
            soft.nodded * 180 / HEFT_PI);
  lab_claim(lab, soft.led > 0.03 && soft.led > 1.3 * stiff.led, "its arm follows the handshake",
            "[Keith 2008], 2.1", "the hand moves by %.0f mm against the chest (stiff: %.0f mm)",
            1000 * soft.led, 1000 * stiff.led);
  lab_claim(
      lab, soft.rose[1] > 0.3 && soft.rose[0] < 0.03,
      "force patterns lead to the next task: a tap after a handshake, and no other, is waved to",
      "[Keith 2008], 5", "its left hand rises by %.0f mm, by %.0f mm before the handshake",
      1000 * soft.rose[1], 1000 * soft.rose[0]);
  lab_claim(lab, soft.ledger >= -1e-6 && stiff.ledger >= -1e-6,
            "the coupling returns no more energy than it absorbed", "own requirement",
            "lowest %.1e J and %.1e J", soft.ledger, stiff.ledger);
  lab_claim_certificate(lab);
}
