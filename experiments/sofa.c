// SPDX-License-Identifier: Apache-2.0
// Papers: S6.
// The robot sits down on a sofa ([Chardonnet 2012], Fig. 6). It leans forward and lowers itself
// backwards with its weight above its feet until the seat carries it, and sits up. The poses come
// from inverse kinematics. After the first
// contact with the seat, the contact points on the seat are supports of the controller.
//
// The robot then holds its arm ready above the table, and a user leads the hand to the can with a
// haptic device (interactive scene `sofa`). The user closes the gripper by a button and leads the
// hand up with the can. The source says: "We first approach the robot's arm to the object using the
// device and then close its gripper" ([Chardonnet 2012], section 4).
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "experiments/experiments.h"
#include "experiments/guide.h"
#include "experiments/poses.h"

enum {
  TIME,
  FEET,
  SEAT,
  COM_X,
  COM_Z,
  CONTACTS,
  USER_X,
  GRIP_X,
  CAN_X,
  USER_Z,
  GRIP_Z,
  CAN_Z,
  FORCE,
  CHANNELS
};
static const char* const names[CHANNELS] = {"time",      "feet",   "seat",      "com x", "com z",
                                            "contacts",  "user x", "gripper x", "can x", "user z",
                                            "gripper z", "can z",  "force"};

enum { STAND, LEAN, DOWN, UP, HERE, READY };

typedef struct Sofa {
  Guide guide;
  int sofa, pelvis, chest, foot[2];
  double seated;    ///< time of the first load on the seat [s]; negative: none yet
  double reaching;  ///< start of reaching for the can [s]; negative: not yet
  double reach;     ///< error of the arm's poses [m]
  double shift;     ///< displacement of the feet in front of the pelvis [m]
  double force;     ///< of the seat [N]
} Sofa;

static HeftQuat pitch(double degrees) {
  return heft_quat_from_axis_angle(heft_vec3(0, 1, 0), degrees * HEFT_PI / 180);
}

// Inverse kinematics with fixed feet, given pelvis and chest, and optionally balance.
static double find_pose(Lab* lab, const Sofa* s, int k, HeftVec3 pelvis, double tilt, double lean,
                        int balanced) {
  HeftPoseSolver* solver = NULL;
  if (heft_pose_solver_create(&solver, lab->model, s->pelvis, NULL, NULL) != HEFT_OK) return 1;
  const HeftDynamics* d = heft_world_dynamics(lab->world);
  HeftPoseTarget t[5];
  memset(t, 0, sizeof t);
  for (int side = 0; side < 2; ++side) {
    const HeftPose x = heft_dynamics_body_pose(d, s->foot[side]);
    t[side] = (HeftPoseTarget){.body = s->foot[side],
                               .pos = x.pos,
                               .quat = heft_quat_from_mat3(x.rot),
                               .move = {4, 4, 4},
                               .turn = 4};
  }
  t[2] = (HeftPoseTarget){.body = s->pelvis,
                          .pos = pelvis,
                          .quat = pitch(tilt),
                          .move = {balanced ? 0.2 : 1, 1, 1},
                          .turn = 1};
  t[3] = (HeftPoseTarget){.body = s->chest, .quat = pitch(lean), .turn = 1};
  t[4] = (HeftPoseTarget){.body = -1, .pos = {lab->goal.com.x - 0.02, 0, 0}, .move = {4, 4, 0}};
  const double left = heft_pose_solver_solve(solver, t, balanced ? 5 : 4, lab->pose[k]);
  heft_pose_solver_destroy(solver);
  return left;
}

static void copy_pose(Lab* lab, int to, int from) {
  memcpy(lab->pose[to], lab->pose[from], (size_t)lab->model->nq * sizeof(double));
}

static void bend_arms(Lab* lab, int k, double shoulder, double elbow) {
  static const char* const joints[4] = {"left_shoulder_pitch", "right_shoulder_pitch", "left_elbow",
                                        "right_elbow"};
  for (int i = 0; i < 4; ++i) {
    const int joint = heft_model_find(lab->model, HEFT_NAMED_JOINT, joints[i]);
    if (joint >= 0) lab->pose[k][lab->model->joint_q[joint]] = i < 2 ? shoulder : elbow;
  }
}

static int begin(Lab* lab, void* self) {
  Sofa* s = self;
  if (!guide_begin(lab, &s->guide, "can")) return 0;
  s->sofa = lab_body(lab, "sofa");
  s->pelvis = lab_body(lab, "pelvis");
  s->chest = lab_body(lab, "chest");
  s->foot[0] = lab_body(lab, "left_foot");
  s->foot[1] = lab_body(lab, "right_foot");
  s->seated = s->reaching = -1;
  bend_arms(lab, LEAN, -0.9, -0.5);  // forward, for balance
  const double x = lab->start[0];
  find_pose(lab, s, LEAN, heft_vec3(x - 0.12, 0, 0.58), 20, 45, 1);
  copy_pose(lab, DOWN, LEAN);
  find_pose(lab, s, DOWN, heft_vec3(x - 0.27, 0, 0.415), 25, 65, 1);
  copy_pose(lab, UP, DOWN);
  bend_arms(lab, UP, -0.6, -1.4);
  find_pose(lab, s, UP, heft_vec3(lab->pose[DOWN][0], 0, 0.43), 0, 0, 0);
  s->shift = lab->goal.com.x;
  return lab->error[0] == 0;
}

// Contact points of pelvis and legs on the seat become supports of the controller.
static double find_supports(Lab* lab, const Sofa* s) {
  double force = 0;
  lab->goal.support_count = 0;
  for (int i = 0; i < heft_world_contact_count(lab->world); ++i) {
    const HeftContact c = heft_world_contact(lab->world, i);
    if (c.body_a != s->sofa && c.body_b != s->sofa) continue;
    const int other = c.body_a == s->sofa ? c.body_b : c.body_a;
    const double sign = c.body_a == s->sofa ? 1 : -1;
    force += sign * c.force.z;
    if (lab->goal.support_count == HEFT_BIPED_EXTRA_MAX || sign * c.normal.z < 0.9) continue;
    lab->goal.support[lab->goal.support_count++] = (HeftSupport){
        .body = other, .point = c.pos, .normal = {0, 0, 1}, .friction = 0.3, .share = 1};
  }
  return force;
}

// The hand waits above and behind the can. The fingers point forward; plate and thumb are to the
// right and to the left of it.
static void plan_ready(Lab* lab, Sofa* s) {
  const HeftModel* m = lab->model;
  const HeftQuat ahead =
      heft_quat_mul(pitch(-90), heft_quat_from_axis_angle(heft_vec3(0, 0, 1), HEFT_PI / 2));
  const double* q = heft_world_state(lab->world)->q;
  const HeftVec3 can = heft_vec3_from(q + s->guide.lead.object_q), grip = {0, 0, -0.105};
  const int open = m->joint_q[heft_model_find(m, HEFT_NAMED_JOINT, "right_gripper")];
  const int wrist = m->joint_q[heft_model_find(m, HEFT_NAMED_JOINT, "right_wrist_yaw")];
  s->reaching = lab_time(lab);
  for (int k = HERE; k <= READY; ++k) memcpy(lab->pose[k], q, (size_t)m->nq * sizeof(double));
  lab->pose[READY][open] = -0.4;
  lab->pose[READY][wrist] = 1.5;
  s->reach = lab_arm(lab, READY, 1, grip, heft_vec3(can.x - 0.12, can.y, can.z + 0.03), ahead, 0.3);
  memcpy(s->guide.base, lab->pose[READY], (size_t)m->nq * sizeof(double));
}

static void sofa_goal(Lab* lab, Sofa* s, double force) {
  const double t = lab_time(lab);
  if (s->seated < 0 && force > 60) s->seated = t;
  if (t < 2.5)
    lab_move(lab, STAND, LEAN, 0.5, 2);
  else if (s->seated < 0 || t < s->seated + 0.8)
    lab_move(lab, LEAN, DOWN, 2.5, 2.5);
  else if (t < s->seated + 3.5 || lab_brief(lab))
    lab_move(lab, DOWN, UP, s->seated + 0.8, 2);
  else {
    if (s->reaching < 0) plan_ready(lab, s);
    lab_move(lab, HERE, READY, s->reaching, 1.5);
  }
  lab_follow(lab);
  if (s->seated < 0) {
    double go[3];
    heft_spline_smooth_step((t - 0.5) / 2, go);
    lab->goal.com.x = s->shift - 0.02 * go[0];
    lab->goal.com_velocity.x = 0;
    lab->goal.support_count = 0;
  }
}

static void control(Lab* lab, void* self) {
  Sofa* s = self;
  sofa_goal(lab, s, s->force);
  const int ready = s->reaching > 0 && lab_time(lab) > s->reaching + 1.5;
  if (ready) guide_control(lab, &s->guide);
  lab_balance(lab);
  if (ready) guide_grip(lab, &s->guide);
}

static void observe(Lab* lab, void* self, const HeftStepReport* report) {
  Sofa* s = self;
  (void)report;
  s->force = find_supports(lab, s);
  guide_observe(lab, &s->guide);
}

static void sit(Lab* lab, const void* self, InteractiveSeat* seat) {
  (void)lab, (void)self;
  seat[0].at = heft_vec3(0.1, -0.4, 0.7);
  seat[0].scale = 3;
  seat[0].probe.stiffness = 500;
}

static const ActPart parts[] = {GUIDE_PARTS(Sofa, guide.), ACT_FOUND(Sofa, sofa),
                                ACT_FOUND(Sofa, pelvis), ACT_FOUND(Sofa, chest),
                                ACT_FOUND(Sofa, foot)};
const Act act_sofa = {
    .name = "sofa",
    .text = "the HRP-2-like robot sits down on a sofa, a user leads its hand to a can",
    .file = "hrp2_sofa.xml",
    .pose = pose_half_sitting,
    .size = sizeof(Sofa),
    .parts = ACT_PARTS(parts),
    .options = {guide_options, GUIDE_OPTION_COUNT},
    .begin = begin,
    .control = control,
    .observe = observe};

// Down to the hand, hold it, ahead around the can, close the gripper, up with hand and can.
static const InteractivePath way[] = {
    {0, {0.03, -0.40, 0.75}, 0},      {9.6, {0.03, -0.40, 0.75}, 0},
    {10.1, {0.03, -0.40, 0.645}, 0},  {10.3, {0.03, -0.40, 0.645}, 1},
    {11.6, {0.157, -0.40, 0.645}, 1}, {12.6, {0.157, -0.40, 0.645}, 3},
    {13.0, {0.157, -0.40, 0.645}, 1}, {14.2, {0.157, -0.40, 0.745}, 1},
    {15, {0.157, -0.40, 0.745}, 1}};

const InteractiveKind interactive_sofa = {
    .act = &act_sofa,
    .users = 1,
    .gripper = 1,
    .takes = 15,
    .begins = 9.4,
    .device = {"omega,hand-stiffness=600,hand-damping=16", NULL},
    .way = {way, NULL},
    .way_count = {sizeof way / sizeof *way, 0},
    .sit = sit,
};

void experiment_sofa(Lab* lab) {
  InteractiveScene m = {0};
  Encounter e = {0};
  if (!interactive_open(&m, interactive_find("sofa"), lab)) return;
  const Sofa* s = (const Sofa*)m.data;
  const int object = s->guide.lead.object, can = s->guide.lead.object_q;
  const int site = heft_model_find(lab->model, HEFT_NAMED_SITE, "right_grip");
  lab_camera(lab, -60, 14, 3.2, heft_vec3(-0.2, 0, 0.6));
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "load on feet and seat", "N", (const char*[]){"feet", "seat", NULL});
  lab_panel(lab, "centre of mass", "m", (const char*[]){"com x", "com z", NULL});
  lab_panel(lab, "contact points", "", (const char*[]){"contacts", NULL});
  lab_panel(lab, "hand of the user, gripper and can, ahead", "m",
            (const char*[]){"user x", "gripper x", "can x", NULL});
  lab_panel(lab, "upwards", "m", (const char*[]){"user z", "gripper z", "can z", NULL});
  lab_panel(lab, "force of the user", "N", (const char*[]){"force", NULL});
  const double end = lab_brief(lab) ? 8 : m.kind->takes;
  double force = 0, feet = 0, from = 0, led = 0, hand = 0;
  int max = 0;
  const int well = encounter_open(&e, &m);
  for (int i = 0; well && lab_time(lab) < end; ++i) {
    const HeftStepReport r = encounter_step(&e, &m);
    const double* q = heft_world_state(lab->world)->q + can;
    const HeftVec3 com = lab_com(lab), user = lab->hand[0].pos,
                   grip = heft_dynamics_site_pose(heft_world_dynamics(lab->world), site).pos;
    const double t = lab_time(lab), f = heft_vec3_norm(lab->hand[0].force);
    force = s->force;
    feet = lab_foot_force(lab, 0, NULL) + lab_foot_force(lab, 1, NULL);
    max = r.contact_count > max ? r.contact_count : max;
    if (t < 10.3) from = grip.x;
    if (t < 12.6) led = grip.x - from;
    hand = fmax(hand, f);
    const double row[CHANNELS] = {t,      feet,   force, com.x,  com.z,  r.contact_count,
                                  user.x, grip.x, q[0],  user.z, grip.z, q[2],
                                  f};
    if (i % 10 == 0) lab_log(lab, row);
    if (i == 400 || i == 2600 || i == 7400 || i == 10400 || i == 12900 || i == 14900)
      lab_instant(lab);
  }
  const HeftMat3 chest = heft_dynamics_body_pose(heft_world_dynamics(lab->world), s->chest).rot;
  const double weight = lab_weight(lab), upright = chest.m[2][2];
  const HeftState* now = heft_world_state(lab->world);
  lab->success = s->seated > 0 && upright > 0.95 && force > 0.4 * weight && fabs(now->v[2]) < 0.01;
  lab_claim(lab, lab->success, "it sits down, and sits upright", "[Chardonnet 2012], Fig. 6",
            "seated at %.2f s, the seat carries %.0f of %.0f N", s->seated, force, weight);
  lab_claim(lab, max >= 10, "many contacts at once", "[Chardonnet 2012], Fig. 6", "up to %d points",
            max);
  if (lab_brief(lab))
    lab_claim(lab, fabs(feet + force - weight) < 0.01 * weight,
              "feet and seat carry the weight, within 1 %", "own requirement", "%.1f N of %.1f N",
              feet + force, weight);
  if (!lab_brief(lab)) {
    const double up = now->q[can + 2] - lab->start[can + 2];
    const double hold = heft_world_contact_wrench(lab->world, object, heft_vec3(0, 0, 0)).lin.z;
    const double ledger = well ? heft_device_report(e.device[0]).energy_lowest : -1;
    lab_claim(lab, led > 0.08, "a user leads the hand to the can", "[Chardonnet 2012], 4",
              "by %.0f mm, with up to %.1f N", 1e3 * led, hand);
    lab_claim(lab, up > 0.05 && fabs(hold - 0.25 * lab->gravity) < 0.25,
              "the gripper closes, and the hand takes the can from the table",
              "[Chardonnet 2012], Fig. 6", "lifted by %.0f mm, held with %.2f N of %.2f N",
              1e3 * up, hold, 0.25 * lab->gravity);
    lab_claim(lab, ledger >= -1e-6, "the coupling returns no more energy than it absorbed",
              "own requirement", "lowest %.1e J", ledger);
  }
  encounter_close(&e);
  interactive_close(&m);
  lab_claim_certificate(lab);
}
