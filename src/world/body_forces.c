// SPDX-License-Identifier: Apache-2.0
// Papers: R43.
// Forces between bodies, for force and torque sensors: what the parent of a body exerts on it
// through the joint between them, or through the weld.
//
// Newton-Euler for every body by itself (rnea.c does it for links, which are several bodies welded
// together), less the outside forces on it (contacts, equalities, wrenches), summed from the leaves
// to the roots:
//     f = m (a_c - g) - Σ f_ext,   n = I α + ω × I ω + c × m (a_c - g) - Σ n_ext,   f_parent += f.
// Everything is written about the origin of the body's tree. The accelerations are the means of the
// last step, which contain the effect of its contacts.
#include "base/assert.h"
#include "dynamics/links.h"
#include "world/contacts.h"
#include "world/sensors.h"

static HeftVec3 shifted_moment(HeftVec3 torque, HeftVec3 at, HeftVec3 about, HeftVec3 force) {
  return heft_vec3_add(torque, heft_vec3_cross(heft_vec3_sub(at, about), force));
}

// Subtracts an outside force, which the parent need not exert.
static void relieve(HeftSpatial* carried, const HeftDynamics* d, int body, HeftVec3 point,
                    HeftVec3 force, HeftVec3 torque) {
  HeftSpatial* sum = &carried[body];
  HEFT_ASSERT(body >= 0);
  const HeftVec3 about = heft_dynamics_tree_origin(d, body);
  sum->lin = heft_vec3_sub(sum->lin, force);
  sum->ang = heft_vec3_sub(sum->ang, shifted_moment(torque, point, about, force));
}

static HeftSpatial needed(const HeftModel* m, const HeftDynamics* d, int body) {
  const int link = heft_body_link(m, body);
  HEFT_ASSERT(link >= 0 && link < heft_link_count(m));
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

static void relieve_contacts(HeftSpatial* carried, const HeftDynamics* d, const Constraints* c,
                             const StepInput* in) {
  const HeftVec3 zero = {0, 0, 0};
  for (int i = 0; i < c->set.contact_point_count; ++i) {
    const HeftContact x = heft_contact_read(c, in, i);
    relieve(carried, d, x.body_b, x.pos, x.force, x.torque);
    relieve(carried, d, x.body_a, x.pos, heft_vec3_sub(zero, x.force),
            heft_vec3_sub(zero, x.torque));
  }
}

// One row of an equality: a force along an axis of the world at the two anchors, or a torque.
static void relieve_equality(HeftSpatial* carried, const HeftModel* m, const HeftDynamics* d, int e,
                             int component, double size) {
  HEFT_ASSERT(component >= 0 && component < 6);
  const double along[3] = {component % 3 == 0 ? size : 0, component % 3 == 1 ? size : 0,
                           component % 3 == 2 ? size : 0};
  const HeftVec3 force = heft_vec3_from(along), zero = {0, 0, 0};
  for (int s = 0; s < 2; ++s) {
    const int body = m->equality_object[2L * e + s];
    const HeftVec3 anchor = heft_vec3_from(m->equality_anchor + 6L * e + 3L * s);
    const HeftVec3 point = heft_pose_apply(heft_dynamics_body_pose(d, body), anchor);
    const HeftVec3 on_body = heft_vec3_scale(s == 0 ? 1 : -1, force);
    if (component < 3) {
      relieve(carried, d, body, point, on_body, zero);
    } else {
      relieve(carried, d, body, point, zero, on_body);
    }
  }
}

static void relieve_equalities(HeftSpatial* carried, const HeftDynamics* d, const Constraints* c,
                               const StepInput* in) {
  const HeftModel* m = in->model;
  for (int i = c->set.contact_point_count; i < c->set.count; ++i) {
    const Constraint* k = &c->set.list[i];
    if (k->kind != CONSTRAINT_EQUALITY) continue;
    const HeftEqualityType type = m->equality_type[k->source / 6];
    if (type != HEFT_EQUALITY_CONNECT && type != HEFT_EQUALITY_WELD) continue;
    relieve_equality(carried, m, d, k->source / 6, k->source % 6,
                     c->solution.impulse[k->row] / in->h);
  }
}

static void relieve_applied(const Sensors* s, const HeftDynamics* d) {
  for (int b = 1; b < s->model->nbody && s->any_applied; ++b)
    relieve(s->carried, d, b, s->applied[b].about, s->applied[b].wrench.lin,
            s->applied[b].wrench.ang);
}

void heft_sensors_carry(Sensors* s, const StepInput* in, const Constraints* c,
                        const HeftDynamics* d) {
  const HeftModel* m = in->model;
  HeftSpatial* carried = s->carried;
  carried[0] = heft_spatial(heft_vec3(0, 0, 0), heft_vec3(0, 0, 0));
  for (int b = 1; b < m->nbody; ++b) carried[b] = needed(m, d, b);
  if (s->stepped) {
    relieve_contacts(carried, d, c, in);
    relieve_equalities(carried, d, c, in);
    relieve_applied(s, d);
  }
  for (int b = m->nbody - 1; b > 0; --b) {
    HEFT_ASSERT(m->body_parent[b] >= 0 && m->body_parent[b] < b);
    HeftSpatial* parent = &carried[m->body_parent[b]];
    const HeftVec3 here = heft_dynamics_tree_origin(d, b),
                   there = heft_dynamics_tree_origin(d, m->body_parent[b]);
    parent->lin = heft_vec3_add(parent->lin, carried[b].lin);
    parent->ang =
        heft_vec3_add(parent->ang, shifted_moment(carried[b].ang, here, there, carried[b].lin));
  }
}
