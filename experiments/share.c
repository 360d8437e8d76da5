// SPDX-License-Identifier: Apache-2.0
// Papers: R45, R46, R51, R65, S7.
// A user leads the right arm of the HRP-2-like robot to a can with a haptic device, closes the
// gripper, and then moves the can with the robot (interactive scene `carry`; [Chardonnet 2012],
// section 4, Fig. 7-8). The hand of the user is emulated: it touches the robot's hand, holds it
// with one button, closes the gripper with the other, lets go, and holds the can. No act of the
// robot is scripted: without the user it stands still. Friction alone holds the can.
//
// The robot complies from the touched body to the waist (Eq. 16), and looks at the hand of the
// user. A second run has stiff joints. A third has a fixed gaze, as in Fig. 7; Fig. 8 adds the
// gaze.
//
// When the user holds the can, the force sensor in the robot's wrist measures force and torque of
// the user beyond weight and acceleration of hand, thumb and can. Both are smoothed over 20 ms.
#include <math.h>
#include <stddef.h>

#include "experiments/experiments.h"
#include "experiments/guide.h"

enum {
  TIME,
  HAND_X,
  GRIP_X,
  CAN_X,
  HAND_Z,
  GRIP_Z,
  CAN_Z,
  F_Z,
  W_Z,
  T_Y,
  U_Y,
  GAZE,
  LED,
  CHANNELS
};
static const char* const names[CHANNELS] = {
    "time",     "user x",  "gripper x", "can x",          "user z", "gripper z", "can z",
    "device z", "wrist z", "torque y",  "wrist torque y", "gaze",   "led by"};

typedef struct Share {
  double lead, lifted, moved;        ///< of the gripper with the arm, of the can [m]
  double weight, friction;           ///< held by the hand [N], share by friction
  double force, torque;              ///< of the user on the can, max [N, N m]
  double force_apart, torque_apart;  ///< from what the wrist feels, root of mean squares
  double gaze, ledger;
  HeftSpatial device, wrist;
  HeftVec3 speed[3];  ///< of hand, thumb and can in the last step [m/s]
  long together, looked;
  int closed, upright;
} Share;

static HeftVec3 smooth(HeftVec3 old, HeftVec3 now) {
  return heft_vec3_add_scaled(old, 0.001 / 0.02, heft_vec3_sub(now, old));
}

// Force and torque of the user on the can about a point, by the force sensor between forearm and
// hand: what it measures beyond weight and acceleration of hand, thumb and can ([Chardonnet 2012],
// Eq. 18).
static HeftSpatial by_wrist(const Lab* lab, const Guide* g, HeftVec3 about, Share* s) {
  const HeftModel* m = lab->model;
  const HeftDynamics* d = heft_world_dynamics(lab->world);
  const int carried[3] = {g->lead.hand[1], g->thumb, g->lead.object};
  const double h = m->physics.time_step;
  HeftSpatial w = lab_wrist_load(lab, about);
  for (int i = 0; i < 3; ++i) {
    const HeftVec3 com = heft_pose_apply(heft_dynamics_body_pose(d, carried[i]),
                                         heft_vec3_from(m->body_com + 3L * carried[i]));
    const HeftVec3 v = heft_dynamics_body_velocity(d, carried[i], com).lin;
    HeftVec3 f = heft_vec3_scale(1 / h, heft_vec3_sub(v, s->speed[i]));
    f.z += lab->gravity;
    f = heft_vec3_scale(m->body_mass[carried[i]], f);
    w.lin = heft_vec3_add(w.lin, f);
    w.ang = heft_vec3_add(w.ang, heft_vec3_cross(heft_vec3_sub(com, about), f));
    s->speed[i] = v;
  }
  return w;
}

// Force and torque of the user on the can about its centre: by the coupling, and by the wrist.
static void compare(const Lab* lab, const Guide* g, Share* s) {
  const HeftVec3 center = heft_vec3_from(heft_world_state(lab->world)->q + g->lead.object_q);
  const HeftSpatial user = heft_world_coupling_wrench(lab->world, 0),
                    wrist = by_wrist(lab, g, center, s);
  const HeftVec3 arm = heft_vec3_sub(lab->person[0].point, center);
  const HeftVec3 torque = heft_vec3_add(user.ang, heft_vec3_cross(arm, user.lin));
  s->device = (HeftSpatial){smooth(s->device.ang, torque), smooth(s->device.lin, user.lin)};
  s->wrist = (HeftSpatial){smooth(s->wrist.ang, wrist.ang), smooth(s->wrist.lin, wrist.lin)};
  if (lab_time(lab) < 6) return;  // lifted
  const HeftVec3 f = heft_vec3_sub(s->device.lin, s->wrist.lin),
                 t = heft_vec3_sub(s->device.ang, s->wrist.ang);
  s->force = fmax(s->force, heft_vec3_norm(s->device.lin));
  s->torque = fmax(s->torque, heft_vec3_norm(s->device.ang));
  s->force_apart += heft_vec3_dot(f, f);
  s->torque_apart += heft_vec3_dot(t, t);
  ++s->together;
}

// Vertical force of the hand on the can, and the part of it by friction.
static double held_by(const Lab* lab, int can, double* friction) {
  double sum = 0, along = 0;
  for (int i = 0; i < heft_world_contact_count(lab->world); ++i) {
    const HeftContact c = heft_world_contact(lab->world, i);
    if (c.body_a != can && c.body_b != can) continue;
    const double sign = c.body_b == can ? 1 : -1;
    sum += sign * c.force.z;
    along += sign * (c.force.z - heft_vec3_dot(c.force, c.normal) * c.normal.z);
  }
  *friction = sum > 0 ? along / sum : 0;
  return sum;
}

static int share(Lab* lab, int stiff, int blind, Share* s) {
  InteractiveScene m = {.stiff = stiff, .blind = blind};
  Encounter e = {0};
  if (!interactive_open(&m, interactive_find("carry"), lab)) return 0;
  const Guide* g = (const Guide*)m.data;
  const int site = heft_model_find(lab->model, HEFT_NAMED_SITE, "right_grip");
  const int shown = !stiff && !blind, well = encounter_open(&e, &m);
  const double end = lab_brief(lab) ? 6.6 : m.kind->takes;
  const double* can = heft_world_state(lab->world)->q + g->lead.object_q;
  const HeftVec3 start = heft_vec3_from(can);
  double from = 0;
  for (int i = 0; well && lab_time(lab) < end && lab_upright(lab); ++i) {
    encounter_step(&e, &m);
    const double t = lab_time(lab);
    can = heft_world_state(lab->world)->q + g->lead.object_q;
    const HeftVec3 grip = heft_dynamics_site_pose(heft_world_dynamics(lab->world), site).pos;
    if (t < 1) from = grip.x;
    if (t < 3.2) s->lead = grip.x - from;
    if (t > 5) compare(lab, g, s);
    const double gaze = lab_eyes_off(lab, lab->hand[0].pos);
    if (t > 1) s->gaze += gaze, ++s->looked;
    const double row[CHANNELS] = {
        t,          lab->hand[0].pos.x, grip.x,         can[0],          lab->hand[0].pos.z, grip.z,
        can[2],     s->device.lin.z,    s->wrist.lin.z, s->device.ang.y, s->wrist.ang.y,     gaze,
        m.data->led};
    if (shown && i % 5 == 0) lab_log(lab, row);
    if (shown && (i == 900 || i == 2900 || i == 4600 || i == 6100 || i == 8900)) lab_instant(lab);
    if (blind && i == 6100) lab_instant(lab);
  }
  s->weight = held_by(lab, g->lead.object, &s->friction);
  s->lifted = can[2] - start.z;
  s->moved = hypot(can[0] - start.x, can[1] - start.y);
  s->closed = guide_pinched(lab, g);
  s->upright = lab_upright(lab);
  s->ledger = well ? heft_device_report(e.device[0]).energy_lowest : -1;
  if (s->together > 0) s->force_apart = sqrt(s->force_apart / (double)s->together);
  if (s->together > 0) s->torque_apart = sqrt(s->torque_apart / (double)s->together);
  if (s->looked > 0) s->gaze /= (double)s->looked;
  encounter_close(&e);
  interactive_close(&m);
  return well;
}

static void claim_runs(Lab* lab, const Share* led, const Share* stiff, const Share* blind) {
  const double degrees = 180 / HEFT_PI;
  const int both = blind != NULL;  // the runs to compare with were made
  lab_claim(lab, led->upright && led->lead > 0.08 && (!both || led->lead > 3 * stiff->lead),
            "the user leads the arm to the object", "[Chardonnet 2012], 4, Eq. 16",
            "gripper led by %.0f mm; stiff: %.0f mm", 1e3 * led->lead,
            both ? 1e3 * stiff->lead : (double)NAN);
  lab_claim(lab, led->gaze < 0.1 && (!both || (blind->upright && blind->gaze > 3 * led->gaze)),
            "it looks at the hand of the user", "[Chardonnet 2012], 4, Fig. 8",
            "eyes off by %.1f degrees on average; %.1f with a fixed gaze", led->gaze * degrees,
            both ? blind->gaze * degrees : (double)NAN);
}

void experiment_share(Lab* lab) {
  Share led = {0}, stiff = {0}, blind = {0};
  lab_camera(lab, -35, 14, 2.2, heft_vec3(0.15, -0.1, 0.95));
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "user, gripper and can, ahead", "m",
            (const char*[]){"user x", "gripper x", "can x", NULL});
  lab_panel(lab, "upwards", "m", (const char*[]){"user z", "gripper z", "can z", NULL});
  lab_panel(lab, "force of the user on the can, upwards", "N",
            (const char*[]){"device z", "wrist z", NULL});
  lab_panel(lab, "torque of the user about the can, to the side", "N m",
            (const char*[]){"torque y", "wrist torque y", NULL});
  lab_panel(lab, "angle between eyes and hand; lead of the joints", "rad",
            (const char*[]){"gaze", "led by", NULL});
  if (!share(lab, 0, 0, &led)) return;
  if (!lab_brief(lab) && (!share(lab, 1, 0, &stiff) || !share(lab, 0, 1, &blind))) return;
  lab->success = led.upright && led.closed && led.lifted > 0.03;
  claim_runs(lab, &led, &stiff, lab_brief(lab) ? NULL : &blind);
  lab_claim(lab, led.closed && led.lifted > 0.03 && led.friction > 0.9,
            "then the gripper closes, and friction holds the object",
            "[Chardonnet 2012], 4, Fig. 7",
            "lifted by %.0f mm, carried with %.2f N, friction gives %.2f N", 1e3 * led.lifted,
            led.weight, led.friction * led.weight);
  if (!lab_brief(lab))
    lab_claim(lab, led.moved > 0.1, "user and robot move the object in space",
              "[Chardonnet 2012], 4, Fig. 7", "by %.0f mm, with up to %.1f N", 1e3 * led.moved,
              led.force);
  lab_claim(lab, led.force_apart < 0.1 * led.force && led.torque_apart < 0.1 * led.torque,
            "the wrist feels force and torque of the user, within 10 %", "[Keith 2008], 4",
            "%.2f N of %.1f N and %.3f N m of %.2f N m apart (root of mean squares)",
            led.force_apart, led.force, led.torque_apart, led.torque);
  lab_claim(lab, led.ledger >= -1e-6 && stiff.ledger >= -1e-6 && blind.ledger >= -1e-6,
            "the coupling returns no more energy than it absorbed", "own requirement",
            "lowest %.1e J", fmin(led.ledger, fmin(stiff.ledger, blind.ledger)));
  lab_claim_certificate(lab);
}
