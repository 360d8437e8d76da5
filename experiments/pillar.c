// SPDX-License-Identifier: Apache-2.0
// The robot bends its arm and pushes a fixed pillar ([Chardonnet 2012], section 5.1, Fig. 9-13).
// The force sensor in its wrist measures the force along the pillar's normal, sideways and along
// gravity. The coefficient of friction is 0.983 at the soles and 0.1 at the hand.
//
// The arm pushes by feed-forward: the desired force enters the whole-body problem as a load on the
// hand, so that feet and trunk brace before the contact. An integral of the error that the force
// sensor shows is added.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, WANTED, NORMAL, SIDE, GRAVITY, LEFT, RIGHT, CHANNELS };
static const char* const names[CHANNELS] = {"time",      "planned push", "normal z",  "sideways x",
                                            "gravity y", "left foot",    "right foot"};
static const double push_max = 40, ramp_from = 2.5, ramp_takes = 1, away = 0.04;

typedef struct Pillar {
  double shift;  ///< option: error of the pose [m]
  int tick;      ///< steps
  double time;   ///< of the start of the step [s]
  int hand, thumb, pillar;
  HeftVec3 palm;   ///< contact point, in the frame of the hand
  double touched;  ///< time of the first contact [s]
  HeftVec3 last;   ///< force on the hand, measured by the sensor
  double more;     ///< integral of the error of the measured force [N]
  HeftForceSensor sensor;
  HeftButterworth filter[3];
} Pillar;

static double wanted_push(double t) {
  double s[3];
  heft_spline_smooth_step((t - ramp_from) / ramp_takes, s);
  return push_max * s[0];
}

// The hand moves in front of the pillar, then to its surface.
static void pillar_goal(Lab* lab, const Pillar* p, double t) {
  if (t < 1.5) {
    lab_move(lab, 0, 1, 0, 1.5);
  } else {
    lab_move(lab, 1, 2, 1.5, 1);
  }
  const HeftPose hand = heft_dynamics_body_pose(heft_world_dynamics(lab->world), p->hand);
  lab->goal.load_count = 1;
  lab->goal.load[0] = (HeftLoad){.body = p->hand,
                                 .point = heft_pose_apply(hand, p->palm),
                                 .force = {-(wanted_push(t) + p->more), 0, 0}};
}

// Force of the pillar on palm and thumb.
static HeftSpatial touch(const Lab* lab, const Pillar* p, HeftVec3 about) {
  return heft_spatial_add(heft_world_pair_wrench(lab->world, p->hand, p->pillar, about),
                          heft_world_pair_wrench(lab->world, p->thumb, p->pillar, about));
}

// The sensor in the wrist: rotated by 90 degrees, with noise, calibrated.
static HeftVec3 sensed(const Lab* lab, const Pillar* p) {
  const HeftPose hand = heft_dynamics_body_pose(heft_world_dynamics(lab->world), p->hand);
  const HeftQuat turn = heft_quat_from_mat3(hand.rot);
  const HeftSpatial w = touch(lab, p, hand.pos);
  double raw[6];
  heft_force_sensor_read(&p->sensor, turn, w, (uint64_t)p->tick, raw);
  return heft_force_sensor_outside(&p->sensor, turn, heft_vec3(0, 0, 0), raw).lin;
}

static const HeftOption options[] = {
    ACT_OPTION(Pillar, shift, -0.02, 0.02, 0, "m", "error of the hand's pose")};

static int begin(Lab* lab, void* self) {
  Pillar* p = self;
  p->hand = lab_body(lab, "right_hand");
  p->pillar = lab_body(lab, "pillar");
  p->palm = heft_vec3(0, 0, -0.124);
  p->thumb = lab_body(lab, "right_thumb");
  p->touched = -1;
  const HeftQuat ahead = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), -HEFT_PI / 2);
  // Moves pelvis and arm forward by the initial error of the centre of mass.
  const double face = 0.5 - (lab->goal.com.x - lab_com(lab).x) + p->shift;
  for (int k = 1; k <= 2; ++k)
    lab_arm(lab, k, 1, p->palm, heft_vec3(face - (k == 1 ? away : 0), -0.25, 0.95), ahead, 0.1);
  p->sensor = heft_force_sensor_default();
  p->sensor.quat = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), HEFT_PI / 2);
  for (int k = 0; k < 3; ++k) p->sensor.noise[k] = 0.3;
  for (int k = 0; k < 3; ++k) p->filter[k] = heft_butterworth_make(5, 20, 1000);
  return 1;
}

static void control(Lab* lab, void* self) {
  Pillar* p = self;
  p->time = lab_time(lab);
  pillar_goal(lab, p, p->time);
  lab_balance(lab);
}

static void observe(Lab* lab, void* self, const HeftStepReport* report) {
  Pillar* p = self;
  (void)report;
  const HeftVec3 f = sensed(lab, p);
  ++p->tick;
  p->last.x = heft_butterworth_step(&p->filter[0], f.x);
  p->last.y = heft_butterworth_step(&p->filter[1], f.y);
  p->last.z = heft_butterworth_step(&p->filter[2], f.z);
  if (p->time > ramp_from) p->more += 0.003 * (wanted_push(p->time) + p->last.x);
  if (p->touched < 0 && touch(lab, p, p->palm).lin.x < -0.5) p->touched = p->time;
}

const Act act_pillar = {.name = "pillar",
                        .text = "the hand of the HRP-2-like robot pushes a fixed pillar",
                        .file = "hrp2_pillar.xml",
                        .pose = pose_half_sitting,
                        .size = sizeof(Pillar),
                        .options = {options, 1},
                        .begin = begin,
                        .control = control,
                        .observe = observe};

static int push(Lab* lab, Pillar* p, double shift, double end, int keep) {
  p->shift = shift;
  if (!act_open(&act_pillar, lab, p)) return 0;
  for (int i = 0; lab_time(lab) < end && lab_upright(lab); ++i) {
    const double t = lab_time(lab);
    act_step(&act_pillar, lab, p);
    const double row[CHANNELS] = {t,
                                  wanted_push(t),
                                  -p->last.x,
                                  p->last.y,
                                  p->last.z,
                                  lab_foot_force(lab, 0, NULL),
                                  lab_foot_force(lab, 1, NULL)};
    if (keep && i % 5 == 0) lab_log(lab, row);
    if (keep && (i == 200 || i == 2000 || i == (int)(1000 * end) - 100)) lab_instant(lab);
  }
  return 1;
}

void experiment_pillar(Lab* lab) {
  Pillar p = {0}, q = {0};
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "force on the hand", "N",
            (const char*[]){"normal z", "sideways x", "gravity y", "planned push", NULL});
  lab_panel(lab, "vertical force of each foot", "N",
            (const char*[]){"left foot", "right foot", NULL});
  lab_camera(lab, -110, 12, 2.9, heft_vec3(0.25, -0.1, 0.75));
  const double end = lab->brief ? 4 : 6;
  if (!push(lab, &p, 0, end, 1)) return;
  const double weight = lab_weight(lab);
  const double feet = lab_foot_force(lab, 0, NULL) + lab_foot_force(lab, 1, NULL);
  const double normal = -p.last.x, side = p.last.y, gravity = p.last.z;
  lab->success = lab_upright(lab) && fabs(normal - push_max) < 0.1 * push_max;
  lab_claim(lab, lab->success, "the hand's normal force settles at the desired force",
            "[Chardonnet 2012], Fig. 12", "%.2f N of %.0f N", normal, push_max);
  lab_claim(lab, fabs(side) < 1, "the sideways force stays near zero", "[Chardonnet 2012], 5.1",
            "%.2f N", side);
  lab_claim(lab, hypot(side, gravity) <= 0.1 * normal + 1, "the hand's force is in its cone of 0.1",
            "[Chardonnet 2012], 5.1", "%.2f N along the surface", hypot(side, gravity));
  lab_claim(lab, fabs(feet + gravity - weight) < 0.01 * weight,
            "feet and pillar carry the weight, within 1 %", "own requirement", "%.2f N of %.2f N",
            feet + gravity, weight);
  lab_claim_certificate(lab);
  if (lab->seed != 0) return;
  if (!push(lab, &q, -0.002, end, 0)) return;
  lab_claim(lab, fabs(q.touched - p.touched) > 0.005,
            "an error of 2 mm in the pose changes the result", "[Chardonnet 2012], 5.1",
            "contact at %.3f s, 2 mm further back at %.3f s", p.touched, q.touched);
}
