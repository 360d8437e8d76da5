// SPDX-License-Identifier: Apache-2.0
// The contacts of the object just before the event name the shapes whose friction matters, and the
// bodies that hold it. The grip is the force of the joints that move these bodies: controls of
// motors, gains of servos, forces of joints.
#include "why/remedies.h"

#include <math.h>
#include <stdlib.h>

enum { TOUCHES = 128 };
static const double most = 10;      // factor up to which an input grows, or shrinks
static const double shifts = 0.05;  // way by which an object is shifted [m]

typedef struct Touches {
  long step;  // of which the contacts are wanted
  int object;
  HeftContact contact[TOUCHES];
  int joint[TOUCHES];  // that presses at the contact, or -1
  int count;
  double* signal;  // of the run at that step
} Touches;

// The nearest joint above a body if it presses at a contact: it moves the body along the normal.
// -1: it does not.
static int pressing_joint(const HeftWorld* w, int body, const HeftContact* c) {
  const HeftModel* m = heft_world_model(w);
  while (body > 0 && m->body_joint_count[body] == 0) body = m->body_parent[body];
  if (body <= 0) return -1;
  const int joint = m->body_joint[body];
  const HeftPose pose = heft_dynamics_body_pose(heft_world_dynamics(w), body);
  HeftVec3 way = heft_mat3_mul_vec(pose.rot, heft_vec3_from(&m->joint_axis[3L * joint]));
  if (m->joint_type[joint] == HEFT_JOINT_HINGE)
    way = heft_vec3_cross(
        way,
        heft_vec3_sub(c->pos, heft_pose_apply(pose, heft_vec3_from(&m->joint_pos[3L * joint]))));
  else if (m->joint_type[joint] != HEFT_JOINT_SLIDE)
    return -1;
  return fabs(heft_vec3_dot(way, c->normal)) > 0.5 * heft_vec3_norm(way) ? joint : -1;
}

static void look(void* user, HeftWorld* w, long step) {
  Touches* t = user;
  const HeftModel* m = heft_world_model(w);
  if (step != t->step) return;
  for (int i = 0; i < heft_world_contact_count(w) && t->count < TOUCHES; ++i) {
    const HeftContact c = heft_world_contact(w, i);
    if (c.state == HEFT_CONTACT_OPEN || (c.body_a != t->object && c.body_b != t->object)) continue;
    t->joint[t->count] = pressing_joint(w, c.body_a == t->object ? c.body_b : c.body_a, &c);
    t->contact[t->count++] = c;
  }
  for (int i = 0; i < m->nactuator; ++i) t->signal[i] = heft_world_controls(w)[i];
  for (int i = 0; i < m->nv; ++i) t->signal[m->nactuator + i] = heft_world_joint_forces(w)[i];
}

static void add_member(WhyChange* c, int member) {
  for (int k = 0; k < c->member_count; ++k)
    if (c->member[k] == member) return;
  if (c->member_count < WHY_MEMBERS) c->member[c->member_count++] = member;
}

// Friction of all contacts of the object that have the coefficient of the pair.
static WhyChange friction_of(const Touches* t, const WhyEvent* e) {
  WhyChange c = {.kind = WHY_STANCE_FRICTION, .index = t->object};
  for (int i = 0; i < t->count; ++i) {
    const HeftContact* k = &t->contact[i];
    const int own = (k->body_a == e->body[0] && k->body_b == e->body[1]) ||
                    (k->body_a == e->body[1] && k->body_b == e->body[0]);
    if (own) c.from = k->friction;
  }
  for (int i = 0; i < t->count; ++i) {
    if (fabs(t->contact[i].friction - c.from) > 1e-9) continue;
    add_member(&c, t->contact[i].shape_a);
    add_member(&c, t->contact[i].shape_b);
  }
  c.to = fmax(most * c.from, 2);
  return c;
}

static void add_drive(const HeftModel* m, const Touches* t, int joint, WhyChange* c) {
  for (int a = 0; a < m->nactuator; ++a) {
    if (m->actuator_transmission[a] != HEFT_TRANSMISSION_JOINT || m->actuator_target[a] != joint)
      continue;
    const int servo = m->actuator_bias[3L * a + 1] != 0;
    if (servo) add_member(c, why_signal_count(m) + a);
    if (!servo && t->signal[a] != 0) add_member(c, a);
  }
  for (int d = m->joint_dof[joint]; d < m->nv && m->dof_joint[d] == joint; ++d)
    if (t->signal[m->nactuator + d] != 0) add_member(c, m->nactuator + d);
}

static WhyChange grip_of(const HeftModel* m, const Touches* t) {
  WhyChange c = {.kind = WHY_GRIP, .index = t->object, .from = 1, .to = most};
  for (int i = 0; i < t->count; ++i)
    if (t->joint[i] >= 0) add_drive(m, t, t->joint[i], &c);
  return c;
}

// The largest push on a body of the run; 0: none.
static double push_on(const WhyRun* run, int body, double* when) {
  double size = 0;
  for (long i = 0; i < run->action_count; ++i) {
    const HeftAction* a = &run->actions[i].action;
    if (a->kind != HEFT_ACTION_FORCE || a->index != body) continue;
    if (size == 0) *when = heft_world_time_step(run->start) * (double)run->actions[i].step;
    size = fmax(size, heft_vec3_norm(a->force));
  }
  return size;
}

int why_remedies(const WhyRun* run, const WhyEvent* event, int object, WhyChange* out,
                 int capacity) {
  const HeftModel* m = heft_world_model(run->start);
  HeftError error = {0};
  int count = 0;
  Touches* t = calloc(1, sizeof *t);
  double* signal = calloc((size_t)why_signal_count(m) + 1, sizeof *signal);
  if (t && signal) {
    *t = (Touches){
        .step = event->onset > 1 ? event->onset - 1 : 1, .object = object, .signal = signal};
    const WhyTrial trial = {.run = run, .seen = look, .user = t};
    why_trial(&trial, &error);
    const WhyChange friction = friction_of(t, event), grip = grip_of(m, t);
    const double mass = heft_world_body_mass(run->start, object);
    double when = 0;
    const double push = push_on(run, object, &when);
    if (friction.member_count > 0 && count < capacity) out[count++] = friction;
    if (grip.member_count > 0 && count < capacity) out[count++] = grip;
    if (push > 0 && count < capacity)
      out[count++] = (WhyChange){.kind = WHY_PUSH, .index = object, .from = push, .when = when};
    for (int up = 0; up < 2 && count < capacity && mass > 0; ++up)
      out[count++] = (WhyChange){
          .kind = WHY_MASS, .index = object, .from = mass, .to = up ? most * mass : mass / most};
    const int free =
        m->body_joint_count[object] == 1 && m->joint_type[m->body_joint[object]] == HEFT_JOINT_FREE;
    for (int k = 0; k < 4 && free && event->end == WHY_TIPS && count < capacity; ++k) {
      const int q = m->joint_q[m->body_joint[object]] + k / 2;
      const double from = heft_world_state(run->start)->q[q];
      out[count++] = (WhyChange){
          .kind = WHY_SHIFT, .index = q, .from = from, .to = from + (k % 2 ? shifts : -shifts)};
    }
  }
  free(signal);
  free(t);
  return count;
}
