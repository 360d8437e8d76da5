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

static const double takes[] = {0.8, 0.6, 0.9};  // each leg of the hands' way at its usual speed [s]
static const double closes = 0.3, loads = 0.3;  // force and weight grow in [s]
static const double near = 0.04;                // of hands that are at their places [m]
static const double pressed = 4, resting = 0.5,
                    laid = 0.5;  // of a grip [N]; of the weight [1], for [s]
static const double aside = 0.12, higher = 0.04,
                    upright = 0.98;  // of an object within reach [m, m, 1]

// Mirrors a place of the left hand to the right one.
static HeftVec3 at_side(HeftVec3 v, int side) { return heft_vec3(v.x, side ? -v.y : v.y, v.z); }

// Returns how far the hands remain from their places [m].
static double place_hands(Lab* lab, int k, const TakeKind* kind, HeftVec3 object, HeftVec3 apart) {
  double worst = 0;
  for (int side = 0; side < 2; ++side) {
    const HeftVec3 to = heft_vec3_add(object, at_side(heft_vec3_add(kind->grasp, apart), side));
    const HeftQuat quat = heft_quat_from_mat3(kind->turn[side]);
    worst = fmax(worst, lab_arm(lab, k, side, kind->point, to, quat, 1));
  }
  return worst;
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
  place_hands(lab, START, kind, object, heft_vec3_add(kind->away, above));
  memcpy(lab->start, lab->pose[START], (size_t)lab->model->nq * sizeof(double));
  return lab_place(lab);
}

// The way of the hands from lab->pose[START] to the object, where it is. Returns the largest
// distance that remains [m].
static double plan(Lab* lab, Take* t, const TakeKind* kind) {
  const double* at = heft_world_state(lab->world)->q + t->lead.object_q;
  const HeftVec3 object = heft_vec3_from(at), none = {0, 0, 0};
  memcpy(t->place, at, sizeof t->place);
  copy_pose(lab, AWAY, START);
  open_fingers(lab, t, AWAY, kind->open);
  double left = place_hands(lab, AWAY, kind, object, kind->away);
  copy_pose(lab, AT, AWAY);
  left = fmax(left, place_hands(lab, AT, kind, object, none));
  copy_pose(lab, UP, AT);
  open_fingers(lab, t, UP, 0);
  return fmax(left, place_hands(lab, UP, kind, heft_vec3_add(object, kind->up), none));
}

int take_find(Lab* lab, Take* t, const TakeKind* kind) {
  if (!lead_begin(lab, &t->lead, kind->object, 2)) return 0;
  t->lead.hinged = kind->hinged;
  for (int side = 0; side < 2; ++side) {
    t->finger[side] = heft_model_find(lab->model, HEFT_NAMED_ACTUATOR, kind->finger[side]);
    if (t->finger[side] < 0) return 0;
  }
  return 1;
}

int take_begin(Lab* lab, Take* t, const TakeKind* kind) {
  if (!take_find(lab, t, kind) || !wait(lab, t, kind)) return 0;
  const double left = plan(lab, t, kind);
  if (left > 5e-3)
    snprintf(lab->error, sizeof lab->error, "the hands do not reach the object: %.3f m away", left);
  return left <= 5e-3;
}

// ---- what is measured

static int is_own(const Lab* lab, int body) {
  return lab_root(lab, body) == lab->model->joint_body[0];
}

static int hand_of(const Lab* lab, const Take* t, int body) {
  const HeftModel* m = lab->model;
  for (; body > 0; body = m->body_parent[body])
    for (int side = 0; side < 2; ++side)
      if (body == t->lead.hand[side]) return side;
  return -1;
}

// The forces on the object: of the hands, and of others that carry it.
static void feel(const Lab* lab, Take* t) {
  t->press[0] = t->press[1] = t->support = 0;
  for (int i = 0; i < heft_world_contact_count(lab->world); ++i) {
    const HeftContact c = heft_world_contact(lab->world, i);
    if (c.body_a != t->lead.object && c.body_b != t->lead.object) continue;
    const int first = c.body_a == t->lead.object, other = first ? c.body_b : c.body_a;
    const int side = hand_of(lab, t, other);
    if (side >= 0) t->press[side] += fabs(heft_vec3_dot(c.force, c.normal));
    if (!is_own(lab, other)) t->support += first ? -c.force.z : c.force.z;
  }
}

void take_observe(Lab* lab, void* take, const HeftStepReport* report) {
  Take* t = take;
  (void)report;
  lead_observe(lab, &t->lead);
  feel(lab, t);
}

// How far the hands are from their places at the object, the farther one.
static double hands_off(const Lab* lab, const Take* t, const TakeKind* kind) {
  const HeftDynamics* d = heft_world_dynamics(lab->world);
  const HeftVec3 object = heft_vec3_from(heft_world_state(lab->world)->q + t->lead.object_q);
  double off = 0;
  for (int side = 0; side < 2; ++side) {
    const HeftVec3 hand =
        heft_pose_apply(heft_dynamics_body_pose(d, t->lead.hand[side]), kind->point);
    const HeftVec3 place = heft_vec3_add(object, at_side(kind->grasp, side));
    off = fmax(off, heft_vec3_norm(heft_vec3_sub(hand, place)));
  }
  return off;
}

// Lies it upright about where the way to it leads?
static int within(const Lab* lab, const Take* t) {
  const double *at = heft_world_state(lab->world)->q + t->lead.object_q, *first = t->place;
  const HeftMat3 turn =
      heft_dynamics_body_pose(heft_world_dynamics(lab->world), t->lead.object).rot;
  const double x = at[0] - first[0], y = at[1] - first[1];
  return x * x + y * y < aside * aside && fabs(at[2] - first[2]) < higher &&
         turn.m[2][2] > upright && turn.m[0][0] > upright;
}

static int leg_done(const Lab* lab, const Take* t) {
  return lab_time(lab) >= t->leg_began + takes[t->leg];
}

static TaskSense sense(const Lab* lab, Take* t, const TakeKind* kind, const HeftHand* hand,
                       double dt) {
  const double weight = lab->model->body_mass[t->lead.object] * lab->gravity;
  const int touches = hand->body == t->lead.object;
  const int free = t->press[0] == 0 && t->press[1] == 0;
  t->lifted = t->data.task.state == TASK_CARRY && (t->lifted || (t->leg == 2 && leg_done(lab, t)));
  t->down = t->lifted && t->support > resting * weight ? t->down + dt : 0;
  if (t->down > laid) t->rests = 1;
  const double taps = t->data.gestures[HEFT_GESTURE_TAP] + t->data.gestures[HEFT_GESTURE_KNOCK];
  const int again = taps > t->taps;
  if (again) t->rests = 0;
  t->taps = taps;
  return (TaskSense){.asked = !t->rests,
                     .ended = t->data.task.state == TASK_GIVE_UP ? again : t->rests,
                     .within = within(lab, t) && t->unreached <= 5e-3,
                     .there = t->leg == 1 && leg_done(lab, t) && hands_off(lab, t, kind) < near,
                     .taken = touches && (hand->buttons & 1u),
                     .pressed = t->press[0] > pressed && t->press[1] > pressed,
                     .open = free && leg_done(lab, t)};
}

// ---- what the hands do

static void begin_leg(const Lab* lab, Take* t, int leg) {
  t->leg = leg;
  t->leg_began = lab_time(lab);
}

// A new way to the object, from where the robot is.
static void plan_anew(Lab* lab, Take* t, const TakeKind* kind) {
  memcpy(lab->pose[START], heft_world_state(lab->world)->q,
         (size_t)lab->model->nq * sizeof(double));
  heft_compliance_reset(lab->compliance);
  t->unreached = plan(lab, t, kind);
  begin_leg(lab, t, 0);
}

void take_ask(Lab* lab, Take* t, const TakeKind* kind) {
  t->rests = t->lifted = 0;
  t->data.task = (Task){0};
  plan_anew(lab, t, kind);
}

static void change(Lab* lab, Take* t, const TakeKind* kind) {
  const int state = t->data.task.state;
  if (state == TASK_APPROACH) plan_anew(lab, t, kind);
  if (state == TASK_CARRY) begin_leg(lab, t, 2);
  if (state != TASK_RELEASE) return;
  memcpy(lab->pose[START], heft_world_state(lab->world)->q,
         (size_t)lab->model->nq * sizeof(double));
  heft_compliance_reset(lab->compliance);
  copy_pose(lab, AWAY, START);
  open_fingers(lab, t, AWAY, kind->open);
  const HeftVec3 object = heft_vec3_from(heft_world_state(lab->world)->q + t->lead.object_q);
  place_hands(lab, AWAY, kind, object, kind->away);
  begin_leg(lab, t, 0);
}

static void move_arms(Lab* lab, Take* t) {
  if (t->data.task.state == TASK_APPROACH && t->leg == 0 && leg_done(lab, t)) begin_leg(lab, t, 1);
  lab_move(lab, START + t->leg, AWAY + t->leg, t->leg_began, takes[t->leg]);
}

static double toward(double share, int grows, double dt, double in) {
  return fmin(fmax(share + (grows ? dt : -dt) / in, 0), 1);
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
    lab->goal.load[side] =
        (HeftLoad){.body = l->hand[side],
                   .point = palm[side],
                   .force = heft_vec3_add_scaled(heft_vec3(0, 0, half), out, across)};
  }
}

void take_control(Lab* lab, Take* t, const TakeKind* kind) {
  const double h = lab->model->physics.time_step;
  const HeftHand* hand = &lab->person[0];
  const TaskSense s = sense(lab, t, kind, hand, h);
  if (task_step(&t->data.task, &s, h)) change(lab, t, kind);
  const int state = t->data.task.state;
  t->closed = toward(t->closed, state == TASK_GRASP || state == TASK_CARRY, h, closes);
  t->carried = toward(t->carried, state == TASK_CARRY, h, loads);
  if (!t->lifted) lead_home(lab, &t->lead);
  const int led = lead_pushed(lab, &t->lead, &t->data, hand, h) && t->lifted;
  lead_comply(lab, &t->lead, led, h);
  move_arms(lab, t);
  lead_pose(lab, &t->lead, &t->data, lab->posture, h);
  lead_stand(lab, &t->lead, led && !(t->stay > 0.5), t->carried);
  load_hands(lab, t, kind, t->carried, t->closed);
  lab_balance(lab);
  for (int side = 0; side < 2 && t->closed > 0; ++side)
    heft_world_controls(lab->world)[t->finger[side]] = t->closed * kind->close;
  const HeftSpatial* f = &t->lead.felt[1];
  const double force[6] = {f->lin.x, f->lin.y, f->lin.z, f->ang.x, f->ang.y, f->ang.z};
  memcpy(t->force, force, sizeof force);
  t->steps = t->lead.steps;
}

void take_sit(Lab* lab, const Take* t, const TakeKind* kind, InteractiveSeat* seat) {
  seat[0].at = heft_vec3_add(heft_vec3_from(lab->start + t->lead.object_q), kind->up);
  seat[0].scale = 4;
  seat[0].probe.stiffness = 600;
  seat[0].probe.rotational_stiffness = 0;
}

int take_points(const Lab* lab, const Take* t, int* carrying) {
  int count = 0;
  *carrying = 0;
  for (int i = 0; i < heft_world_contact_count(lab->world); ++i) {
    const HeftContact c = heft_world_contact(lab->world, i);
    int own = c.body_a == t->lead.object || c.body_b == t->lead.object;
    for (int side = 0; side < 2; ++side) {
      own |= is_own(lab, side ? c.body_b : c.body_a);
    }
    count += own;
    *carrying += own && heft_vec3_dot(c.force, c.normal) > 1e-6;
  }
  return count;
}
