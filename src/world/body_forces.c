// SPDX-License-Identifier: Apache-2.0
// Forces between bodies, for force and torque sensors: what the parent of a body exerts on it
// through the joint between them, or through the weld.
//
// Newton and Euler for every body by itself (rnea.c does it for links, which are several bodies
// welded together), less what acts on it from outside (contact, loops, people), summed from the
// leaves to the roots:
//     f = m (a_c - g) - Σ f_ext,   n = I α + ω × I ω + c × m (a_c - g) - Σ n_ext,   f_parent += f.
// Everything is written about the origin of the body's tree. The accelerations are the means of the
// last step, which contain what contact did in it.
#include <string.h>

#include "world/world_internal.h"

static HeftVec3 shifted_moment(HeftVec3 torque, HeftVec3 at, HeftVec3 about, HeftVec3 force) {
  return heft_vec3_add(torque, heft_vec3_cross(heft_vec3_sub(at, about), force));
}

// The outside gives it, so the parent need not.
static void relieve(HeftWorld* w, int body, HeftVec3 point, HeftVec3 force, HeftVec3 torque) {
  HeftSpatial* sum = &w->sensors->carried[body];
  const HeftVec3 about = heft_dynamics_tree_origin(w->dynamics, body);
  sum->lin = heft_vec3_sub(sum->lin, force);
  sum->ang = heft_vec3_sub(sum->ang, shifted_moment(torque, point, about, force));
}

static HeftSpatial needed(const HeftWorld* w, int body) {
  const HeftModel* m = w->model;
  const HeftDynamics* d = w->dynamics;
  const int link = heft_body_link(m, body);
  const HeftSpatial v = heft_link_velocity(d, link), a = heft_link_acceleration(d, link);
  const HeftPose pose = heft_dynamics_body_pose(d, body);
  const HeftVec3 com = heft_pose_apply(pose, heft_vec3_from(m->body_com + 3L * body));
  const HeftVec3 arm = heft_vec3_sub(com, heft_dynamics_tree_origin(d, body));
  const HeftVec3 v_com = heft_vec3_add(v.lin, heft_vec3_cross(v.ang, arm));
  HeftVec3 a_com = heft_vec3_add(a.lin, heft_vec3_cross(a.ang, arm));
  a_com = heft_vec3_add(a_com, heft_vec3_cross(v.ang, v_com));
  a_com =
      heft_vec3_add_scaled(a_com, 1 - m->body_gravity[body], heft_vec3_from(m->physics.gravity));
  const HeftVec3 force = heft_vec3_scale(m->body_mass[body], a_com);
  const double* i = m->body_inertia + 6L * body;
  const HeftSym3 inertia =
      heft_sym3_rotate((HeftSym3){i[0], i[1], i[2], i[3], i[4], i[5]}, pose.rot);
  const HeftVec3 turning = heft_vec3_add(heft_sym3_mul_vec(inertia, a.ang),
                                         heft_vec3_cross(v.ang, heft_sym3_mul_vec(inertia, v.ang)));
  return heft_spatial(heft_vec3_add(turning, heft_vec3_cross(arm, force)), force);
}

static void relieve_contacts(HeftWorld* w) {
  const HeftVec3 zero = {0, 0, 0};
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    relieve(w, c.body_b, c.pos, c.force, c.torque);
    relieve(w, c.body_a, c.pos, heft_vec3_sub(zero, c.force), heft_vec3_sub(zero, c.torque));
  }
}

// One row of a loop: a force along an axis of the world at the two anchors, or a moment.
static void relieve_loop(HeftWorld* w, int e, int component, double force) {
  const HeftModel* m = w->model;
  const double along[3] = {component % 3 == 0 ? force : 0, component % 3 == 1 ? force : 0,
                           component % 3 == 2 ? force : 0};
  const HeftVec3 push = heft_vec3_from(along), zero = {0, 0, 0};
  for (int s = 0; s < 2; ++s) {
    const int body = m->equality_object[2L * e + s];
    const HeftVec3 anchor = heft_vec3_from(m->equality_anchor + 6L * e + 3L * s);
    const HeftVec3 point = heft_pose_apply(heft_dynamics_body_pose(w->dynamics, body), anchor);
    const HeftVec3 signed_push = heft_vec3_scale(s == 0 ? 1 : -1, push);
    if (component < 3) {
      relieve(w, body, point, signed_push, zero);
    } else {
      relieve(w, body, point, zero, signed_push);
    }
  }
}

static void relieve_loops(HeftWorld* w) {
  const Constraints* c = w->constraints;
  for (int i = c->contact_point_count; i < c->count; ++i) {
    const Constraint* k = &c->list[i];
    if (k->kind != CONSTRAINT_EQUALITY) continue;
    const int type = w->model->equality_type[k->source / 6];
    if (type != HEFT_EQUALITY_CONNECT && type != HEFT_EQUALITY_WELD) continue;
    relieve_loop(w, k->source / 6, k->source % 6, c->impulse[k->row] / w->def.time_step);
  }
}

static void relieve_applied(HeftWorld* w) {
  const Sensors* s = w->sensors;
  for (int b = 1; b < w->model->nbody && s->any_applied; ++b)
    relieve(w, b, s->applied[b].about, s->applied[b].wrench.lin, s->applied[b].wrench.ang);
}

void heft_sensors_carry(HeftWorld* w) {
  const HeftModel* m = w->model;
  HeftSpatial* carried = w->sensors->carried;
  carried[0] = heft_spatial(heft_vec3(0, 0, 0), heft_vec3(0, 0, 0));
  for (int b = 1; b < m->nbody; ++b) carried[b] = needed(w, b);
  if (w->sensors->stepped) {
    relieve_contacts(w);
    relieve_loops(w);
    relieve_applied(w);
  }
  for (int b = m->nbody - 1; b > 0; --b) {
    HeftSpatial* parent = &carried[m->body_parent[b]];
    const HeftVec3 here = heft_dynamics_tree_origin(w->dynamics, b),
                   there = heft_dynamics_tree_origin(w->dynamics, m->body_parent[b]);
    parent->lin = heft_vec3_add(parent->lin, carried[b].lin);
    parent->ang =
        heft_vec3_add(parent->ang, shifted_moment(carried[b].ang, here, there, carried[b].lin));
  }
}
