// SPDX-License-Identifier: Apache-2.0
#include "experiments/take.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const HeftOption take_values[TAKE_VALUE_COUNT] = {
    INTERACTIVE_COUNT("pushes", HEFT_GESTURE_PUSH, "pushes so far"),
    ACT_VALUE(InteractiveData, gaze_error, "rad", "angle between the eyes and the hand"),
    ACT_VALUE(InteractiveData, led, "rad", "displacement of the joints by compliance"),
    ACT_VALUE(Take, steps, "", "steps so far")};

enum { START, AWAY, AT, UP };

static const double reach_begins = 0.1, at_begins = 0.9, close_begins = 1.5, lift_begins = 1.9,
                    lift_takes = 0.9;
const double take_done = 3;

// Mirrors a place of the left hand to the right one.
static HeftVec3 at_side(HeftVec3 v, int side) { return heft_vec3(v.x, side ? -v.y : v.y, v.z); }

static int place_hands(Lab* lab, int k, const TakeKind* kind, HeftVec3 object, HeftVec3 apart) {
  for (int side = 0; side < 2; ++side) {
    const HeftVec3 to = heft_vec3_add(
        object, at_side(heft_vec3_add(kind->grasp, apart), side));
    const HeftQuat quat = heft_quat_from_mat3(kind->turn[side]);
    const double left = lab_arm(lab, k, side, kind->point, to, quat, 1);
    if (left < 5e-3) continue;
    snprintf(lab->error, sizeof lab->error, "the hands do not reach the object: %.3f m away", left);
    return 0;
  }
  return 1;
}

static void copy_pose(Lab* lab, int to, int from) {
  memcpy(lab->pose[to], lab->pose[from], (size_t)lab->model->nq * sizeof(double));
}

static void open_fingers(Lab* lab, const Take* t, int k, double angle) {
  const HeftModel* m = lab->model;
  for (int side = 0; side < 2; ++side)
    lab->pose[k][m->joint_q[m->actuator_target[t->finger[side]]]] = angle;
}

// The hands wait above and beside the object; arms of hinges, which do not reach there, are bent.
static int wait(Lab* lab, const Take* t, const TakeKind* kind) {
  if (kind->hinged) {
    for (int side = 0; side < 2; ++side) {
      lab_set_joint(lab, side ? "right_shoulder_pitch" : "left_shoulder_pitch", 0.5);
      lab_set_joint(lab, side ? "right_elbow" : "left_elbow", -2);
    }
    return lab_place(lab);
  }
  const HeftVec3 object = heft_vec3_from(lab->start + t->lead.object_q), above = {-0.05, 0.03, 0.1};
  if (!place_hands(lab, START, kind, object, heft_vec3_add(kind->away, above))) return 0;
  memcpy(lab->start, lab->pose[START], (size_t)lab->model->nq * sizeof(double));
  return lab_place(lab);
}

int take_begin(Lab* lab, Take* t, const TakeKind* kind) {
  if (!lead_begin(lab, &t->lead, kind->object, 2) || !wait(lab, t, kind)) return 0;
  for (int side = 0; side < 2; ++side) {
    t->finger[side] = heft_model_find(lab->model, HEFT_NAMED_ACTUATOR, kind->finger[side]);
    if (t->finger[side] < 0) return 0;
  }
  const HeftVec3 object = heft_vec3_from(lab->start + t->lead.object_q), none = {0, 0, 0};
  open_fingers(lab, t, AWAY, kind->open);
  if (!place_hands(lab, AWAY, kind, object, kind->away)) return 0;
  copy_pose(lab, AT, AWAY);
  if (!place_hands(lab, AT, kind, object, none)) return 0;
  copy_pose(lab, UP, AT);
  open_fingers(lab, t, UP, 0);
  return place_hands(lab, UP, kind, heft_vec3_add(object, kind->up), none);
}

static void move_arms(Lab* lab) {
  const double t = lab_time(lab);
  if (t < at_begins)
    lab_move(lab, START, AWAY, reach_begins, at_begins - reach_begins);
  else if (t < lift_begins)
    lab_move(lab, AWAY, AT, at_begins, 0.6);
  else
    lab_move(lab, AT, UP, lift_begins, lift_takes);
}

// The hands carry the weight of the object, and press it between them.
static void load_hands(Lab* lab, const Take* t, const TakeKind* kind, double carried,
                       double squeezed) {
  const Lead* l = &t->lead;
  const HeftDynamics* d = heft_world_dynamics(lab->world);
  const HeftVec3 palm[2] = {heft_pose_apply(heft_dynamics_body_pose(d, l->hand[0]), kind->point),
                            heft_pose_apply(heft_dynamics_body_pose(d, l->hand[1]), kind->point)};
  const HeftVec3 across = heft_vec3_normalize(heft_vec3_sub(palm[0], palm[1]));
  const double half = -0.5 * carried * lab->model->body_mass[l->object] * lab->gravity;
  lab->goal.load_count = 2;
  for (int side = 0; side < 2; ++side) {
    const double out = (side ? -1 : 1) * squeezed * kind->squeeze;
    lab->goal.load[side] = (HeftLoad){
        .body = l->hand[side],
        .point = palm[side],
        .force = heft_vec3_add_scaled(heft_vec3(0, 0, half), out, across)};
  }
}

static double ramp(double t, double from, double takes) {
  double s[3];
  heft_spline_smooth_step((t - from) / takes, s);
  return s[0];
}

void take_control(Lab* lab, Take* t, const TakeKind* kind) {
  const double h = lab->model->physics.time_step, now = lab_time(lab);
  const int held = now >= take_done;
  const double carried = ramp(now, lift_begins - 0.1, 0.3), closed = ramp(now, close_begins, 0.3);
  if (now < take_done) lead_home(lab, &t->lead);
  const int led = lead_pushed(&t->lead, &t->data, &lab->person[0], h) && held;
  lead_comply(lab, &t->lead, led, h);
  move_arms(lab);
  lead_pose(lab, &t->lead, &t->data, lab->posture, h);
  lead_stand(lab, &t->lead, led && !(t->stay > 0.5), carried);
  load_hands(lab, t, kind, carried, closed);
  lab_balance(lab);
  for (int side = 0; side < 2 && closed > 0; ++side)
    heft_world_controls(lab->world)[t->finger[side]] = closed * kind->close;
  const HeftSpatial* f = &t->lead.felt[1];
  const double force[6] = {f->lin.x, f->lin.y, f->lin.z, f->ang.x, f->ang.y, f->ang.z};
  memcpy(t->force, force, sizeof force);
  t->steps = t->lead.steps;
}

void take_observe(Lab* lab, void* take, const HeftStepReport* report) {
  (void)report;
  lead_observe(lab, &((Take*)take)->lead);
}

void take_sit(Lab* lab, const Take* t, const TakeKind* kind, InteractiveSeat* seat) {
  seat[0].at = heft_vec3_add(heft_vec3_from(lab->start + t->lead.object_q), kind->up);
  seat[0].scale = 4;
  seat[0].probe.mode = HEFT_PROBE_ATTACH;
  seat[0].probe.body = t->lead.object;
  seat[0].probe.stiffness = 600;
  seat[0].probe.rotational_stiffness = 0;
}

int take_points(const Lab* lab, const Take* t, int* carrying) {
  const HeftModel* m = lab->model;
  int count = 0;
  *carrying = 0;
  for (int i = 0; i < heft_world_contact_count(lab->world); ++i) {
    const HeftContact c = heft_world_contact(lab->world, i);
    int own = c.body_a == t->lead.object || c.body_b == t->lead.object;
    for (int side = 0; side < 2; ++side) {
      int body = side ? c.body_b : c.body_a;
      while (body > 0 && m->body_parent[body] > 0) body = m->body_parent[body];
      own |= body == m->joint_body[0];
    }
    count += own;
    *carrying += own && heft_vec3_dot(c.force, c.normal) > 1e-6;
  }
  return count;
}
