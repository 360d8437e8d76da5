// SPDX-License-Identifier: Apache-2.0
// A user interacts with a simulated person ([Keith 2008], section 2.1). After a tap the person
// looks
// at the point of contact; in a handshake its arm follows and its head nods; after a push it
// complies.
//
// The gesture is recognised from the force alone (HeftGesture). Two state machines (HeftBehaviour),
// greet and lead, select the reaction. Their commands become a posture: the neck turns (HeftGaze),
// the loaded chain complies (HeftCompliance), and balance control follows (HeftBiped).
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "experiments/interactive.h"

enum { NQ_MAX = 128 };

typedef struct Greet {
  HeftGestureState gesture;
  HeftBehaviourState greet, lead;
  HeftCompliance* compliance;
  HeftGaze* gaze;
  int neck;  // dof about which it nods
  double base[NQ_MAX], posture[NQ_MAX], turn[NQ_MAX];
} Greet;

// Knees slightly bent, the right hand extended.
static int stand(Lab* lab) {
  const double bend = 20 * HEFT_PI / 180;
  static const char* const hips[2] = {"left_hip", "right_hip"};
  static const char* const knees[2] = {"left_knee", "right_knee"};
  static const char* const ankles[2] = {"left_ankle", "right_ankle"};
  const HeftVec3 y = {0, 1, 0};
  for (int side = 0; side < 2; ++side) {
    lab_set_ball(lab, hips[side], heft_quat_from_axis_angle(y, -0.5 * bend));
    lab_set_joint(lab, knees[side], bend);
    lab_set_ball(lab, ankles[side], heft_quat_from_axis_angle(y, -0.5 * bend));
  }
  lab_set_ball(lab, "left_elbow", heft_quat_from_axis_angle(y, -0.3));
  lab_set_ball(lab, "right_shoulder", heft_quat_from_axis_angle(y, -0.5));
  lab_set_ball(lab, "right_elbow", heft_quat_from_axis_angle(y, -1.0));
  return lab_place(lab);
}

static int greet_open(InteractiveScene* m) {
  Greet* g = m->self;
  Lab* lab = m->lab;
  if (!lab_open(lab, "avatar.xml", NULL) || lab->model->nq > NQ_MAX || !lab->biped || !stand(lab))
    return 0;
  HeftComplianceDef give = heft_compliance_def_default(lab->model);
  give.inertia = 0.1;
  give.damping = 1.5;
  give.stiffness = 12;
  const int eyes = heft_model_find(lab->model, HEFT_NAMED_SITE, "gaze");
  g->neck = lab_dof(lab, "neck") + 1;
  memcpy(g->base, lab->start, (size_t)lab->model->nq * sizeof(double));
  // Face to face: the right side of the user is the left side of the avatar.
  m->seat[0].at = heft_vec3(0.35, -0.15, 1.2);
  m->seat[0].axes =
      heft_mat3_from_columns(heft_vec3(0, 1, 0), heft_vec3(-1, 0, 0), heft_vec3(0, 0, 1));
  m->seat[0].scale = 4;
  m->seat[0].probe.radius = 0.02;
  m->seat[0].probe.stiffness = 400;
  m->seat[0].probe.rotational_stiffness = 0;
  return heft_compliance_create(&g->compliance, lab->model, &give, NULL) == HEFT_OK &&
         heft_gaze_create(&g->gaze, lab->model, eyes, -1, 3, NULL, NULL) == HEFT_OK;
}

static void greet_close(InteractiveScene* m) {
  Greet* g = m->self;
  heft_compliance_destroy(g->compliance);
  heft_gaze_destroy(g->gaze);
}

// Applies the commands of the state machines.
static HeftBehaviourOutput ask(InteractiveScene* m, const InteractiveHand* hand, double h) {
  Greet* g = m->self;
  const HeftGestureDef gestures = heft_gesture_def_default();
  const HeftVec3 force = hand->body > 0 ? hand->force : heft_vec3(0, 0, 0);
  HeftBehaviourInput in = {h, hand->pos, force, HEFT_GESTURE_NONE};
  HeftBehaviourOutput lead = {0}, greet = {0};
  in.gesture = heft_gesture_step(&gestures, &g->gesture, force, h);
  ++m->gestures[in.gesture];
  heft_behaviour_at(0)->step(&g->lead, &in, &lead);
  heft_behaviour_at(1)->step(&g->greet, &in, &greet);
  greet.comply |= lead.comply;
  if (!greet.look) greet.look_at = lead.look_at;
  greet.look |= lead.look;
  return greet;
}

static void greet_act(InteractiveScene* m, const InteractiveHand* hands, double h) {
  Greet* g = m->self;
  Lab* lab = m->lab;
  const HeftModel* model = lab->model;
  const HeftDynamics* d = heft_world_dynamics(lab->world);
  const HeftState* s = heft_world_state(lab->world);
  const HeftBehaviourOutput want = ask(m, &hands[0], h);
  const HeftVec3 ahead = {3, 0, 1.5};
  const int look = want.look && !m->blind;
  const double off = heft_gaze_step(g->gaze, d, s->q, look ? want.look_at : ahead, h, g->base);
  if (look) m->gaze_error = off;
  const HeftLoad touch = {.body = hands[0].body, .point = hands[0].point, .force = hands[0].force};
  const int yields = want.comply && !m->stiff && hands[0].body > 0;
  heft_compliance_step(g->compliance, d, &touch, yields, h);
  heft_compliance_apply(g->compliance, g->base, g->posture);
  m->led = interactive_led(g->compliance, model);
  m->nod = fmax(m->nod, fabs(want.nod));
  g->turn[g->neck] = want.nod;
  heft_q_integrate(model, g->posture, g->turn, 1, g->posture);
  lab->goal.posture = g->posture;
  heft_biped_step(lab->biped, &lab->goal, lab->world);
}

// A tap on the chest, then a handshake.
static const InteractivePath way[] = {
    {0, {0.40, -0.05, 1.38}, 0},    {1.0, {0.16, -0.05, 1.38}, 0},  {1.12, {0.00, -0.05, 1.38}, 0},
    {1.22, {0.25, -0.05, 1.38}, 0}, {2.5, {0.48, -0.20, 1.30}, 0},  {3.2, {0.48, -0.20, 1.17}, 0},
    {3.3, {0.48, -0.20, 1.08}, 0},  {3.35, {0.48, -0.20, 1.08}, 1}, {3.5, {0.48, -0.20, 1.20}, 1},
    {3.7, {0.48, -0.20, 1.00}, 1},  {3.9, {0.48, -0.20, 1.20}, 1},  {4.1, {0.48, -0.20, 1.00}, 1},
    {4.3, {0.48, -0.20, 1.20}, 1},  {4.5, {0.48, -0.20, 1.00}, 1},  {4.7, {0.48, -0.20, 1.20}, 0},
    {5.2, {0.50, -0.20, 1.35}, 0}};

const InteractiveKind interactive_greet = {
    .name = "greet",
    .text = "a simulated person looks at a tap and nods to a handshake",
    .users = 1,
    .takes = 6,
    .device = {"omega,hand-stiffness=400,hand-damping=12", NULL},
    .way = {way, NULL},
    .way_count = {sizeof way / sizeof *way, 0},
    .size = sizeof(Greet),
    .open = greet_open,
    .act = greet_act,
    .close = greet_close,
};
