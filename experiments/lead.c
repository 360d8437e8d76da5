// SPDX-License-Identifier: Apache-2.0
#include "experiments/lead.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double slow = 0.02;                 // of the wrists' sensors [s]
static const double reach = 0.06;                // beyond it the feet follow [m]
static const double late = 0.1;                  // M_d over B_d of shoulder and elbow [s]
static const double stretched = 1e-3;            // least softness of an arm [m/(N s)]
static const double longest = 0.15, wide = 0.1;  // of a step [m]

// ---- parts

// M_d and B_d: the shoulder and the elbow give way, the wrist keeps the hand level, the waist is
// heavy [kg m², N m s/rad].
typedef struct Yield {
  const char* part;
  double inertia, damping;
} Yield;

static const Yield yields_by[] = {
    {"wrist", 0.2, 8}, {"waist", 6, 60}, {"spine", 6, 60}, {"thorax", 6, 60}, {"", 0.2, 2}};

static const Yield* yield_of(const HeftModel* m, int dof) {
  const char* name = heft_model_name(m, HEFT_NAMED_JOINT, m->dof_joint[dof]);
  const Yield* y = yields_by;
  while (!strstr(name ? name : "", y->part)) ++y;
  return y;
}

static int find_site(Lab* lab, const char* name) {
  const int i = heft_model_find(lab->model, HEFT_NAMED_SITE, name);
  if (i < 0) snprintf(lab->error, sizeof lab->error, "the model has no site %.100s", name);
  return i;
}

int lead_begin(Lab* lab, Lead* l, const char* object, int hands) {
  if (lab->model->nq > LEAD_NQ_MAX) return 0;
  l->hands = hands;
  l->object = lab_body(lab, object);
  for (int side = 0; side < 2; ++side) {
    l->wrist[side] = find_site(lab, side ? "right_wrist_sensor" : "left_wrist_sensor");
    l->hand[side] = lab_body(lab, side ? "right_hand" : "left_hand");
  }
  const int eyes = find_site(lab, "gaze");
  if (lab->error[0]) return 0;
  l->object_q = lab->model->joint_q[lab->model->body_joint[l->object]];
  memcpy(l->eyes, lab->start, (size_t)lab->model->nq * sizeof(double));
  l->stand = lab->goal;
  l->stand.posture = l->stand.posture_velocity = NULL;  // plain data
  if (heft_compliance_create(&lab->compliance, lab->model, NULL, NULL) != HEFT_OK ||
      heft_gaze_create(&lab->gaze, lab->model, eyes, -1, 2, NULL, NULL) != HEFT_OK)
    return 0;
  for (int i = 0; i < lab->model->nv; ++i) {
    const Yield* y = yield_of(lab->model, i);
    heft_compliance_set_dof(lab->compliance, i, y->inertia, y->damping, 0);
  }
  return 1;
}

// ---- the user

int lead_pushed(const Lab* lab, Lead* l, InteractiveData* data, const HeftHand* hand, double dt) {
  HeftGestureDef gestures = heft_gesture_def_default();
  gestures.push_shortest = 0.3;  // the user grasps the same object: a push is recognised early
  gestures.push_force = 0;
  gestures.stroke_length = 1;
  gestures.release = 0.2;
  const HeftUserContact touch = hand->body == l->object ? interactive_contact(lab, hand, NULL)
                                                        : (HeftUserContact){.body = -1};
  HeftBehaviourOutput want = {0};
  HeftBehaviourInput in = {dt, hand->pos, touch.force, HEFT_GESTURE_NONE};
  in.gesture = heft_gesture_step(&gestures, &l->gesture, &touch, dt);
  ++data->gestures[in.gesture];
  heft_behaviour_at(0)->step(&l->lead, &in, &want);
  const int held = hand->body == l->object && (hand->buttons & 1u);
  return (want.comply || held) && !(data->stiff > 0.5);
}

HeftSpatial lead_user_wrench(const Lab* lab, const Lead* l) {
  HeftSpatial sum = {{0, 0, 0}, {0, 0, 0}};
  const HeftVec3 about = heft_vec3_from(heft_world_state(lab->world)->q + l->object_q);
  for (int side = 2 - l->hands; side < 2; ++side) {
    const HeftSpatial all = heft_wrist_wrench(lab->world, l->wrist[side], l->object),
                      own =
                          heft_wrist_weight(lab->world, l->wrist[side], l->object, 1.0 / l->hands);
    const HeftSpatial rest = {heft_vec3_sub(all.ang, own.ang), heft_vec3_sub(all.lin, own.lin)};
    const HeftLoad load = heft_wrist_load(lab->world, l->wrist[side], rest);
    const HeftVec3 arm = heft_vec3_sub(load.point, about);
    sum.lin = heft_vec3_add(sum.lin, load.force);
    sum.ang = heft_vec3_add(sum.ang, heft_vec3_add(load.torque, heft_vec3_cross(arm, load.force)));
  }
  return sum;
}

// Half of a wrench about a point, in the frame of a wrist.
static HeftSpatial transport(const Lab* lab, int site, HeftSpatial w, HeftVec3 about, double half) {
  const HeftPose x = heft_dynamics_site_pose(heft_world_dynamics(lab->world), site);
  const HeftVec3 torque = heft_vec3_add(w.ang, heft_vec3_cross(heft_vec3_sub(about, x.pos), w.lin));
  return (HeftSpatial){heft_vec3_scale(half, heft_mat3_tmul_vec(x.rot, torque)),
                       heft_vec3_scale(half, heft_mat3_tmul_vec(x.rot, w.lin))};
}

static HeftVec3 smooth(HeftVec3 old, HeftVec3 now, double share) {
  return heft_vec3_add_scaled(old, share, heft_vec3_sub(now, old));
}

// The hands have lost the object if they carry next to nothing of it.
static int holds(const Lab* lab, const Lead* l, HeftVec3 user) {
  const double weight = lab->model->body_mass[l->object] * lab->gravity;
  return weight - user.z > 0.2 * weight || fabs(user.x) + fabs(user.y) > 0.2 * weight;
}

// The force that moves a hand at a velocity by the joints between it and the chest:
// (J B_d⁻¹ Jᵀ)⁻¹ v.
static HeftVec3 force_for(const Lab* lab, int hand, HeftVec3 at, HeftVec3 v) {
  const HeftModel* m = lab->model;
  const int chest = heft_model_find(m, HEFT_NAMED_BODY, "chest");
  double j[6 * LEAD_NQ_MAX];
  HeftVec3 a[3] = {{stretched, 0, 0}, {0, stretched, 0}, {0, 0, stretched}};
  heft_dynamics_body_jacobian(heft_world_dynamics(lab->world), hand, at, j);
  for (int i = 0; i < m->nv; ++i) {
    const int moves = m->joint_body[m->dof_joint[i]];
    int b = hand;
    while (b > 0 && b != chest && b != moves) b = m->body_parent[b];
    if (b == chest || b != moves) continue;
    const HeftVec3 way = {j[3 * m->nv + i], j[4 * m->nv + i], j[5 * m->nv + i]};
    const HeftVec3 part = heft_vec3_scale(1 / yield_of(m, i)->damping, way);
    a[0] = heft_vec3_add_scaled(a[0], way.x, part);
    a[1] = heft_vec3_add_scaled(a[1], way.y, part);
    a[2] = heft_vec3_add_scaled(a[2], way.z, part);
  }
  const HeftVec3 c = heft_vec3_cross(a[1], a[2]);
  const HeftVec3 f = {heft_vec3_dot(v, c), heft_vec3_dot(v, heft_vec3_cross(a[2], a[0])),
                      heft_vec3_dot(v, heft_vec3_cross(a[0], a[1]))};
  return heft_vec3_scale(1 / heft_vec3_dot(a[0], c), f);
}

void lead_observe(const Lab* lab, Lead* l) { l->user = lead_user_wrench(lab, l); }

void lead_comply(Lab* lab, Lead* l, int yields, double dt) {
  const HeftVec3 center = heft_vec3_from(heft_world_state(lab->world)->q + l->object_q);
  const HeftSpatial user = l->user;
  yields = yields && holds(lab, l, user.lin);
  HeftLoad load[4];
  int count = 0;
  for (int side = 2 - l->hands; side < 2; ++side) {
    const HeftSpatial now = transport(lab, l->wrist[side], user, center, 1.0 / l->hands);
    l->felt[side].lin = smooth(l->felt[side].lin, now.lin, dt / slow);
    l->felt[side].ang = smooth(l->felt[side].ang, now.ang, dt / slow);
    load[count++] = heft_wrist_load(lab->world, l->wrist[side], l->felt[side]);
  }
  if (!yields) count = 0;
  for (int side = 2 - l->hands; side < 2 && l->walking && l->hinged; ++side) {
    const int hand = l->hand[side];
    const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(lab->world), hand).pos;
    load[count++] =
        (HeftLoad){.body = hand, .point = at, .force = force_for(lab, hand, at, l->back)};
  }
  heft_compliance_step(lab->compliance, heft_world_dynamics(lab->world), load, count, dt);
}

void lead_pose(Lab* lab, Lead* l, InteractiveData* data, const double* posture, double dt) {
  const HeftModel* m = lab->model;
  const double* q = heft_world_state(lab->world)->q;
  const HeftHand* hand = &lab->person[0];
  const HeftVec3 target = hand->present ? hand->pos : heft_vec3_from(q + l->object_q);
  double eyes[LEAD_NQ_MAX];
  memcpy(eyes, l->eyes, (size_t)m->nq * sizeof(double));
  data->gaze_error =
      heft_gaze_step(lab->gaze, heft_world_dynamics(lab->world), q, target, dt, eyes);
  if (!(data->blind > 0.5)) memcpy(l->eyes, eyes, (size_t)m->nq * sizeof(double));
  heft_compliance_apply(lab->compliance, posture, l->posture);
  const int head = m->site_body[heft_model_find(m, HEFT_NAMED_SITE, "gaze")];
  for (int j = 0; j < m->njoint; ++j) {
    if (m->joint_body[j] != head) continue;
    const int count = heft_joint_type_q_count((HeftJointType)m->joint_type[j]);
    memcpy(l->posture + m->joint_q[j], l->eyes + m->joint_q[j], (size_t)count * sizeof(double));
  }
  data->led = interactive_led(lab);
  lab->goal.posture = l->posture;
  for (int i = 0; i < m->nv && lab->goal.posture_velocity; ++i)
    lab->rate[i] += heft_compliance_velocity(lab->compliance)[i];
  lab_follow_chest(lab, l->posture);
}

// ---- feet

HeftVec3 lead_from_pelvis(const Lab* lab, const Lead* l, HeftVec3 point) {
  const double* q = heft_world_state(lab->world)->q;
  const HeftVec3 away = heft_vec3_sub(point, heft_vec3_from(q + lab->model->joint_q[0]));
  return heft_quat_rotate(heft_quat_conjugate(l->stand.pelvis), away);
}

static HeftVec3 before_pelvis(const Lab* lab, const Lead* l) {
  return lead_from_pelvis(lab, l, heft_vec3_from(heft_world_state(lab->world)->q + l->object_q));
}

void lead_home(Lab* lab, Lead* l) { l->home = before_pelvis(lab, l); }

// Two steps: one foot goes after the object, the other comes beside it.
static void begin_steps(Lab* lab, Lead* l, HeftVec3 way) {
  l->walking = 1;
  l->walk_began = lab_time(lab);
  l->walk_length = fmin(fmax(way.x, -longest), longest);
  l->walk_side = fmin(fmax(way.y, -wide), wide);
}

static int plan(Lab* lab, const Lead* l) {
  if (lab->walk && lab->walk_key == l->walk_began) return 1;
  HeftWalkDef def = heft_walk_def_default();
  def.steps = 2;
  def.length = l->walk_length;
  def.side = l->walk_side;
  def.first = l->walk_side < 0;
  def.start = 0.4;
  def.swing = 0.5;
  def.both = 0.15;
  def.end = 0.6;
  heft_walk_destroy(lab->walk);
  lab->walk = NULL;
  lab->walk_key = l->walk_began;
  return heft_walk_create(&lab->walk, &def, &l->stand, lab->gravity, NULL) == HEFT_OK;
}

static void walk(Lab* lab, Lead* l) {
  if (!plan(lab, l)) return;
  const double t = lab_time(lab) - l->walk_began;
  heft_walk_goal(lab->walk, t, &lab->goal, NULL);
  if (t < heft_walk_duration(lab->walk)) return;
  for (int side = 0; side < 2; ++side) l->stand.foot[side] = lab->goal.foot[side];
  l->stand.com = lab->goal.com;
  for (int side = 0; side < 2; ++side) l->stand.foot[side].load = 1;
  l->walking = 0;
  l->steps += 2;
}

void lead_stand(Lab* lab, Lead* l, int led, double carried) {
  const HeftVec3 way = heft_vec3_sub(before_pelvis(lab, l), l->home);
  lead_step(lab, l, way, led ? reach : (double)INFINITY, carried);
}

void lead_step(Lab* lab, Lead* l, HeftVec3 way, double least, double carried) {
  if (!l->walking && way.x * way.x + way.y * way.y > least * least) begin_steps(lab, l, way);
  const HeftVec3 none = {0, 0, 0};
  for (int side = 0; side < 2; ++side) lab->goal.foot[side] = l->stand.foot[side];
  lab->goal.com = l->stand.com;
  lab->goal.com_velocity = lab->goal.com_acceleration = none;
  if (l->walking) walk(lab, l);
  l->back = heft_vec3_scale(
      -1, heft_vec3_add_scaled(lab->goal.com_velocity, late, lab->goal.com_acceleration));
  // robot and object together above the feet
  const double* object = heft_world_state(lab->world)->q + l->object_q;
  const double share = carried * lab->model->body_mass[l->object] * lab->gravity / lab_weight(lab);
  lab->goal.com.x -= share * (object[0] - lab->goal.com.x);
  lab->goal.com.y -= share * (object[1] - lab->goal.com.y);
}
