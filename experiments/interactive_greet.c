// SPDX-License-Identifier: Apache-2.0
// A user interacts with a simulated person ([Keith 2008], section 2.1). After a tap the person
// looks at the point of contact; in a handshake its arm follows and its head nods; after a push it
// complies. A table leads from touch to touch to the next task (section 5): who has shaken its hand
// and then taps it is waved goodbye.
//
// The gesture is recognised from touch alone (HeftGesture). Two state machines (HeftBehaviour),
// greet and lead, select the reaction. Their commands become a posture: the neck turns (HeftGaze),
// the loaded chain complies (HeftCompliance), and balance control follows (HeftBiped).
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "experiments/interactive.h"
#include "experiments/poses.h"

enum { NQ_MAX = 128 };

typedef enum Acquaintance { STRANGER, FRIEND, WAVING, ACQUAINTANCES } Acquaintance;

/// From a task and a gesture to the next task; NONE: when the task has taken its time.
typedef struct Next {
  Acquaintance from;
  HeftGesture gesture;
  Acquaintance to;
} Next;

static const Next table[] = {{STRANGER, HEFT_GESTURE_HANDSHAKE, FRIEND},
                             {FRIEND, HEFT_GESTURE_TAP, WAVING},
                             {FRIEND, HEFT_GESTURE_KNOCK, WAVING},
                             {FRIEND, HEFT_GESTURE_PUSH, STRANGER},
                             {WAVING, HEFT_GESTURE_NONE, STRANGER}};
static const double takes[ACQUAINTANCES] = {INFINITY, INFINITY, 2.4};  // [s]

typedef struct Greet {
  InteractiveData data;
  int task, shoulder;  // an Acquaintance; dof about which the left arm rises
  double since;        // time in the task [s]
  HeftGestureState gesture;
  HeftBehaviourState greet, lead;
  int neck, hand[2];  // dof about which it nods; bodies
  double base[NQ_MAX], posture[NQ_MAX], turn[NQ_MAX];
} Greet;

// Knees slightly bent, the right hand extended.
static int stand(Lab* lab) {
  const HeftVec3 y = {0, 1, 0};
  pose_bend_legs(lab, 20 * HEFT_PI / 180);
  lab_set_ball(lab, "left_elbow", heft_quat_from_axis_angle(y, -0.3));
  lab_set_ball(lab, "right_shoulder", heft_quat_from_axis_angle(y, -0.5));
  lab_set_ball(lab, "right_elbow", heft_quat_from_axis_angle(y, -1.0));
  return lab_place(lab);
}

static int begin(Lab* lab, void* self) {
  Greet* g = self;
  if (lab->model->nq > NQ_MAX || !lab->biped || !stand(lab)) return 0;
  HeftComplianceDef give = heft_compliance_def_default(lab->model);
  give.waist = lab_body(lab, "chest");
  give.inertia = 0.1;
  give.damping = 1.5;
  give.stiffness = 12;
  const int eyes = heft_model_find(lab->model, HEFT_NAMED_SITE, "gaze");
  g->neck = lab_dof(lab, "neck") + 1;
  g->shoulder = lab_dof(lab, "left_shoulder");
  for (int side = 0; side < 2; ++side)
    g->hand[side] = lab_body(lab, side ? "right_hand" : "left_hand");
  memcpy(g->base, lab->start, (size_t)lab->model->nq * sizeof(double));
  return heft_compliance_create(&lab->compliance, lab->model, &give, NULL) == HEFT_OK &&
         heft_gaze_create(&lab->gaze, lab->model, eyes, -1, 3, NULL, NULL) == HEFT_OK;
}

static void sit(Lab* lab, const void* self, InteractiveSeat* seat) {
  (void)lab, (void)self;
  // Face to face: the right side of the user is the left side of the avatar.
  seat[0].at = heft_vec3(0.35, -0.15, 1.2);
  seat[0].axes =
      heft_mat3_from_columns(heft_vec3(0, 1, 0), heft_vec3(-1, 0, 0), heft_vec3(0, 0, 1));
  seat[0].scale = 4;
  seat[0].probe.radius = 0.02;
  seat[0].probe.stiffness = 400;
  seat[0].probe.rotational_stiffness = 0;
}

// The row of the table for a gesture.
static void proceed(Greet* g, HeftGesture gesture, double h) {
  g->since += h;
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (table[i].from != (Acquaintance)g->task || table[i].gesture != gesture) continue;
    if (gesture == HEFT_GESTURE_NONE && g->since < takes[g->task]) continue;
    g->task = table[i].to;
    g->since = 0;
    return;
  }
}

// Sideways angle of the left arm: up for half of the time, and down.
static double arm_up(const Greet* g) {
  double up[3], down[3];
  if (g->task != WAVING) return 0;
  heft_spline_smooth_step(g->since / 0.8, up);
  heft_spline_smooth_step((g->since - takes[WAVING] + 0.8) / 0.8, down);
  return 1.4 * (up[0] - down[0]);
}

// Applies the commands of the state machines.
static HeftBehaviourOutput ask(const Lab* lab, Greet* g, const HeftHand* hand, double h) {
  const HeftGestureDef gestures = heft_gesture_def_default();
  const HeftUserContact touch = interactive_contact(lab, hand, g->hand);
  HeftBehaviourInput in = {h, hand->pos, touch.force, HEFT_GESTURE_NONE};
  HeftBehaviourOutput lead = {0}, greet = {0};
  in.gesture = heft_gesture_step(&gestures, &g->gesture, &touch, h);
  ++g->data.gestures[in.gesture];
  proceed(g, in.gesture, h);
  heft_behaviour_at(0)->step(&g->lead, &in, &lead);
  heft_behaviour_at(1)->step(&g->greet, &in, &greet);
  greet.comply |= lead.comply;
  if (!greet.look) greet.look_at = lead.look_at;
  greet.look |= lead.look;
  return greet;
}

static void control(Lab* lab, void* self) {
  Greet* g = self;
  const HeftModel* model = lab->model;
  const HeftHand* hand = &lab->person[0];
  const HeftDynamics* d = heft_world_dynamics(lab->world);
  const HeftState* s = heft_world_state(lab->world);
  const double h = model->physics.time_step;
  const HeftBehaviourOutput want = ask(lab, g, hand, h);
  const HeftVec3 ahead = {3, 0, 1.5};
  const int touched = !want.look && hand->body > 0;  // it looks at a hand that holds it
  const int look = (want.look || touched) && !(g->data.blind > 0.5);
  const HeftVec3 at = !look ? ahead : touched ? hand->pos : want.look_at;
  if (want.nod == 0) {  // the gaze would take the nod for an error
    const double off = heft_gaze_step(lab->gaze, d, s->q, at, h, g->base);
    if (look) g->data.gaze_error = off;
  }
  const HeftLoad touch = {.body = hand->body, .point = hand->point, .force = hand->force};
  const int yields = want.comply && !(g->data.stiff > 0.5) && hand->body > 0;
  heft_compliance_step(lab->compliance, d, &touch, yields, h);
  heft_compliance_apply(lab->compliance, g->base, g->posture);
  g->data.led = interactive_led(lab);
  g->data.nod = fmax(g->data.nod, fabs(want.nod));
  g->turn[g->neck] = want.nod;
  g->turn[g->shoulder] = arm_up(g);
  heft_q_integrate(model, g->posture, g->turn, 1, g->posture);
  lab->goal.posture = g->posture;
  lab_balance(lab);
}

static const HeftOption options[] = {
    ACT_OPTION(InteractiveData, stiff, 0, 1, 0, "", "1: the person does not give way"),
    ACT_OPTION(InteractiveData, blind, 0, 1, 0, "", "1: the eyes keep their direction")};
static const HeftOption values[] = {
    INTERACTIVE_COUNT("taps", HEFT_GESTURE_TAP, "taps so far"),
    INTERACTIVE_COUNT("shakes", HEFT_GESTURE_HANDSHAKE, "handshakes so far"),
    INTERACTIVE_COUNT("pushes", HEFT_GESTURE_PUSH, "pushes so far"),
    ACT_VALUE(InteractiveData, gaze_error, "rad", "angle between the eyes and the hand"),
    ACT_VALUE(InteractiveData, nod, "rad", "largest nod"),
    ACT_VALUE(InteractiveData, led, "rad", "displacement of the arm by compliance")};

static const ActPart parts[] = {ACT_GESTURE(Greet, gesture),
                                ACT_BEHAVIOUR(Greet, greet),
                                ACT_BEHAVIOUR(Greet, lead),
                                ACT_FOUND(Greet, neck),
                                ACT_FOUND(Greet, hand),
                                ACT_FOUND(Greet, shoulder),
                                ACT_RANGE(Greet, task, 0, ACQUAINTANCES - 1)};
const Act act_greet = {.name = "greet",
                       .text = "a simulated person looks at a tap and nods to a handshake",
                       .file = "avatar.xml",
                       .size = sizeof(Greet),
                       .parts = ACT_PARTS(parts),
                       .options = {options, 2},
                       .values = {values, 6},
                       .begin = begin,
                       .control = control};

// A tap on the chest, a handshake, and another tap.
static const InteractivePath way[] = {
    {0, {0.16, -0.05, 1.38}, 0},    {1.0, {0.16, -0.05, 1.38}, 0}, {1.12, {0.00, -0.05, 1.38}, 0},
    {1.22, {0.25, -0.05, 1.38}, 0}, {2.5, {0.48, -0.20, 1.30}, 0}, {3.3, {0.48, -0.20, 1.08}, 0},
    {3.35, {0.48, -0.20, 1.08}, 1}, {3.5, {0.48, -0.20, 1.20}, 1}, {3.7, {0.48, -0.20, 1.00}, 1},
    {3.9, {0.48, -0.20, 1.20}, 1},  {4.1, {0.48, -0.20, 1.00}, 1}, {4.3, {0.48, -0.20, 1.20}, 1},
    {4.5, {0.48, -0.20, 1.00}, 0},  {5.7, {0.16, -0.05, 1.38}, 0}, {5.82, {0.00, -0.05, 1.38}, 0},
    {5.92, {0.25, -0.05, 1.38}, 0}};

const InteractiveKind interactive_greet = {
    .act = &act_greet,
    .users = 1,
    .takes = 8.3,
    .device = {"omega,hand-stiffness=400,hand-damping=12", NULL},
    .way = {way, NULL},
    .way_count = {sizeof way / sizeof *way, 0},
    .sit = sit,
};
