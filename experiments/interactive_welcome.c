// SPDX-License-Identifier: Apache-2.0
// A user meets the HRP-2-like robot: shakes its hand, leads it by the hand to a table, and both
// carry a box ([Keith 2008], sections 2.1 and 4, in one scene).
//
//     HAND --let go, after a handshake, with the box near--> COME --there--> BOX
//       ^                                                                     |
//       +-- the user takes the hand of a robot that has given up, or laid the box down
//
// While the user holds the arm it gives way, and the feet follow by steps. A handshake is answered
// by a nod. The robot goes the last steps to the box by its eyes, takes it with both grippers and
// is led by it (take.h). If the box is out of reach it waits, with this reason, to be led nearer.
// Of two users, the one who touches it leads.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "experiments/poses.h"
#include "experiments/take.h"

static const TakeKind kind = TAKE_BY_GRIPPERS("box");

enum { HAND, COME, BOX, STAGES };
enum { WAITING = 5 };  // pose of a robot that can be led by the hand

static const double before_box = 0.34;           // of the pelvis, where the hands reach it [m]
static const double near = 0.35, there = 0.025;  // of the way to that place [m]
static const double led_from = 0.06;             // if it is led farther, the feet follow [m]
static const double let_go = 0.4;                // after that time a hand is free [s]

typedef struct Welcome {
  Take take;  // first, as the data of take.c
  int stage, held, known;
  HeftGestureState gesture;
  HeftBehaviourState greet;
  double free;  // time since the hand was held [s]
} Welcome;

static int begin(Lab* lab, void* self) {
  Welcome* m = self;
  lab_set_joint(lab, "left_shoulder_pitch", 0.5);  // clear of the table
  lab_set_joint(lab, "left_elbow", -2);
  if (!lab_place(lab) || !pose_hand_ahead(lab, heft_vec3(0.30, -0.25, 0.93))) return 0;
  m->take.rests = 1;  // it is not asked for the box yet
  return take_find(lab, &m->take, &kind);
}

// ---- what is measured

// The user who touches the robot or the box is the first one.
static void turn_to_user(Lab* lab) {
  for (int i = 1; i < LAB_USERS && lab->person[0].body <= 0; ++i)
    if (lab->person[i].body > 0) lab->person[0] = lab->person[i];
}

// 1 for the right hand and the links between it and the chest.
static int is_arm(const Lab* lab, const Welcome* m, int body) {
  const int chest = heft_model_find(lab->model, HEFT_NAMED_BODY, "chest"),
            hand = m->take.lead.hand[1];
  if (body <= 0) return 0;
  if (lab->model->body_parent[body] == hand) return 1;  // the thumb
  for (int b = hand; b > 0 && b != chest; b = lab->model->body_parent[b])
    if (b == body) return 1;
  return 0;
}

static HeftVec3 hand_place(const Lab* lab, const Welcome* m) {
  const HeftPose hand =
      heft_dynamics_body_pose(heft_world_dynamics(lab->world), m->take.lead.hand[1]);
  return lead_from_pelvis(lab, &m->take.lead, hand.pos);
}

// The way to where the hands reach the box.
static HeftVec3 way_to_box(const Lab* lab, const Welcome* m) {
  const double* at = heft_world_state(lab->world)->q + m->take.lead.object_q;
  HeftVec3 way = lead_from_pelvis(lab, &m->take.lead, heft_vec3_from(at));
  way.x -= before_box;
  way.z = 0;
  return way;
}

// ---- by the hand

static HeftBehaviourOutput react(const Lab* lab, Welcome* m, const HeftHand* hand, double h) {
  const HeftGestureDef gestures = heft_gesture_def_default();
  const HeftUserContact touch = interactive_contact(lab, hand, m->take.lead.hand);
  HeftBehaviourInput in = {h, hand->pos, touch.force, HEFT_GESTURE_NONE};
  HeftBehaviourOutput want = {0};
  in.gesture = heft_gesture_step(&gestures, &m->gesture, &touch, h);
  ++m->take.data.gestures[in.gesture];
  m->known |= in.gesture == HEFT_GESTURE_HANDSHAKE;
  heft_behaviour_at(1)->step(&m->greet, &in, &want);
  m->take.data.nod = fmax(m->take.data.nod, fabs(want.nod));
  return want;
}

// Eyes on the user, and the nod, which the gaze would take for an error.
static void pose(Lab* lab, Welcome* m, double nod, double h) {
  InteractiveData* data = &m->take.data;
  const double blind = data->blind;
  const int neck = heft_model_find(lab->model, HEFT_NAMED_JOINT, "neck_pitch");
  if (nod != 0) data->blind = 1;
  lead_pose(lab, &m->take.lead, data, lab->pose[WAITING], h);
  data->blind = blind;
  m->take.lead.posture[lab->model->joint_q[neck]] += nod;
  lab->goal.posture_velocity = NULL;
}

static void next_stage(Lab* lab, Welcome* m) {
  Lead* l = &m->take.lead;
  const HeftVec3 way = way_to_box(lab, m);
  Task* task = &m->take.data.task;
  if (m->stage == HAND && m->known && !m->held && m->free > let_go && !l->walking) {
    const int within = heft_vec3_norm(way) < near;
    m->stage = within ? COME : HAND;
    *task = (Task){.state = within ? TASK_APPROACH : TASK_GIVE_UP,
                   .reason = within ? TASK_NO_REASON : TASK_FAR};
  }
  if (m->stage != COME) return;
  if (m->held) {
    m->stage = HAND;
  } else if (!l->walking && heft_vec3_norm(way) < there) {
    m->stage = BOX;
    take_ask(lab, &m->take, &kind);
  }
}

static void by_hand(Lab* lab, Welcome* m, double h) {
  Lead* l = &m->take.lead;
  const HeftHand* hand = &lab->person[0];
  const HeftBehaviourOutput want = react(lab, m, hand, h);
  const int held = is_arm(lab, m, hand->body) && (hand->buttons & 1u);
  const HeftLoad load = {
      .body = hand->body, .point = hand->point, .force = hand->force, .torque = hand->torque};
  if (held && !m->held) l->home = hand_place(lab, m);
  m->held = held;
  m->free = held ? 0 : m->free + h;
  const int yields = held && !(m->take.data.stiff > 0.5);
  heft_compliance_step(lab->compliance, heft_world_dynamics(lab->world), &load, yields, h);
  next_stage(lab, m);
  if (m->stage == BOX) return;
  pose(lab, m, want.nod, h);
  const HeftVec3 led = heft_vec3_sub(hand_place(lab, m), l->home);
  const int stays = m->take.stay > 0.5;
  if (m->stage == COME)
    lead_step(lab, l, way_to_box(lab, m), stays ? (double)INFINITY : there, 0);
  else
    lead_step(lab, l, led, yields && !stays ? led_from : (double)INFINITY, 0);
  lab_balance(lab);
  m->take.steps = l->steps;
}

// The hand of a robot that has given up, or laid the box down, leads it again.
static void take_back(Lab* lab, Welcome* m) {
  const HeftHand* hand = &lab->person[0];
  const Take* t = &m->take;
  const int idle = t->data.task.state == TASK_GIVE_UP || (t->rests && t->press[0] == 0);
  if (!idle || !(hand->buttons & 1u) || !is_arm(lab, m, hand->body)) return;
  memcpy(lab->pose[WAITING], heft_world_state(lab->world)->q,
         (size_t)lab->model->nq * sizeof(double));
  heft_compliance_reset(lab->compliance);
  lab->goal.load_count = 0;
  m->stage = HAND;
  m->held = 0;
}

static void control(Lab* lab, void* self) {
  Welcome* m = self;
  const double h = lab->model->physics.time_step;
  turn_to_user(lab);
  if (m->stage == BOX) take_back(lab, m);
  if (m->stage != BOX) by_hand(lab, m, h);
  if (m->stage == BOX) take_control(lab, &m->take, &kind);
}

static void sit(Lab* lab, const void* self, InteractiveSeat* seat) {
  (void)lab, (void)self;
  seat[0].at = heft_vec3(0.6, -0.05, 0.9);
  seat[0].scale = 4;
  seat[0].probe.stiffness = 500;
  seat[0].probe.rotational_stiffness = 0;
}

static const HeftOption options[TAKE_OPTION_COUNT] = TAKE_OPTIONS("robot");
static const HeftOption values[] = {
    INTERACTIVE_COUNT("shakes", HEFT_GESTURE_HANDSHAKE, "handshakes so far"),
    ACT_VALUE(InteractiveData, nod, "rad", "largest nod"),
    ACT_VALUE(InteractiveData, led, "rad", "displacement of the joints by compliance"),
    ACT_VALUE(Take, steps, "", "steps so far")};

static const ActPart parts[] = {TAKE_PARTS, ACT_RANGE(Welcome, stage, 0, STAGES - 1),
                                ACT_GESTURE(Welcome, gesture), ACT_BEHAVIOUR(Welcome, greet)};
const Act act_welcome = {
    .name = "welcome",
    .text = "the HRP-2-like robot shakes a hand, is led to a box, and carries it along",
    .file = "hrp2_welcome.xml",
    .pose = pose_half_sitting,
    .size = sizeof(Welcome),
    .parts = ACT_PARTS(parts),
    .options = {options, TAKE_OPTION_COUNT},
    .values = {values, 4},
    .begin = begin,
    .control = control,
    .observe = take_observe};

// Down to the hand, shakes it, leads it to the table, lets go; down to the box, holds it, up, away
// from the table.
static const InteractivePath way[] = {
    {0, {0.25, -0.25, 1.08}, 0},    {1.4, {0.25, -0.25, 0.95}, 0}, {1.6, {0.25, -0.25, 1.00}, 1},
    {1.8, {0.25, -0.25, 0.90}, 1},  {2.1, {0.25, -0.25, 1.00}, 1}, {2.4, {0.25, -0.25, 0.90}, 1},
    {2.7, {0.25, -0.25, 0.96}, 1},  {13, {0.70, -0.25, 0.96}, 1},  {18, {0.70, -0.25, 0.96}, 1},
    {18.2, {0.70, -0.25, 1.08}, 0}, {28, {0.79, 0, 0.93}, 0},      {29, {0.79, 0, 0.78}, 0},
    {29.3, {0.79, 0, 0.78}, 1},     {31, {0.79, 0, 0.84}, 1},      {37, {0.60, 0.1, 0.84}, 1},
    {42, {0.60, 0.1, 0.84}, 1}};

const InteractiveKind interactive_welcome = {
    .act = &act_welcome,
    .users = 1,
    .takes = 42,
    .device = {"inverse3,hand-stiffness=400,hand-damping=12", NULL},
    .way = {way, NULL},
    .way_count = {sizeof way / sizeof *way, 0},
    .sit = sit,
};
