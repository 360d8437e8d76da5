// SPDX-License-Identifier: Apache-2.0
// Contacts of the last step: impulses divided by the length of the step are forces.
#include "world/contacts.h"

#include <math.h>

#include "base/assert.h"
#include "world/surface.h"
#include "world/world_internal.h"

static const char* const state_names[] = {
#define NAME(id, name) name,
    HEFT_CONTACT_STATE_LIST(NAME)
#undef NAME
};

const char* heft_contact_state_name(HeftContactState state) {
  return (int)state >= 0 && state < HEFT_CONTACT_STATE_COUNT ? state_names[state] : "unknown";
}

int heft_world_contact_count(const HeftWorld* w) {
  HEFT_REQUIRE(w, 0);
  return w->constraints->set.contact_point_count;
}

static HeftVec3 combine(const HeftContactPoint* t, double n, double t1, double t2) {
  const HeftVec3 sum = heft_vec3_add_scaled(heft_vec3_scale(n, t->normal), t1, t->tangent1);
  return heft_vec3_add_scaled(sum, t2, t->tangent2);
}

double heft_slip_limit(const StepInput* in) {
  return fmax(1e-9, 10 * in->def->tolerance * in->weight_speed);
}

// It slips if it moves by more than the tolerance of the solver, and friction is at its limit. n:
// normal impulse, t: tangential impulse, slip: speed along the surface.
static HeftContactState judge(const StepInput* in, const HeftContactPoint* contact_point, double n,
                              double t, double slip) {
  if (!(n > 0)) return HEFT_CONTACT_OPEN;
  const int moves = slip > heft_slip_limit(in);
  HEFT_ASSERT(!(slip < 0));
  const double limit = contact_point->dim >= 3 ? 0.99 * contact_point->kinetic * n : 0;
  return moves && t >= limit ? HEFT_CONTACT_SLIPPING : HEFT_CONTACT_STICKING;
}

HeftVec3 heft_contact_velocity(const ConstraintSet* set, const StepInput* in,
                               const HeftDynamics* dynamics, int index) {
  const HeftContactPoint* t = &set->contact_points.point[index];
  const HeftVec3 prescribed = heft_surface_velocity(set, in, dynamics, index).lin;
  HeftVec3 v = prescribed;
  if (t->link_b != 0)
    v = heft_vec3_add(v, heft_dynamics_body_velocity(dynamics, t->body_b, t->pos).lin);
  if (t->link_a != 0)
    v = heft_vec3_sub(v, heft_dynamics_body_velocity(dynamics, t->body_a, t->pos).lin);
  return v;
}

HeftVec3 heft_contact_slip(const ConstraintSet* set, const StepInput* in,
                           const HeftDynamics* dynamics, int index) {
  const HeftVec3 normal = set->contact_points.point[index].normal,
                 v = heft_contact_velocity(set, in, dynamics, index);
  return heft_vec3_add_scaled(v, -heft_vec3_dot(v, normal), normal);
}

// The contact points come first in the list of constraints, in their own order.
HeftContact heft_contact_read(const Constraints* c, const StepInput* in, int index) {
  const HeftContactPoint* t = &c->set.contact_points.point[index];
  const Constraint* k = &c->set.list[index];
  HEFT_ASSERT(index >= 0 && index < c->set.contact_point_count && k->kind == CONSTRAINT_CONTACT);
  const RowCheck* check = &c->solution.check[index];
  const int row = k->row, slides = t->dim >= 3;
  HEFT_ASSERT(k->rows >= (slides ? 3 : 1) && in->h > 0);
  const double *r = c->solution.impulse + row, *u = c->solution.velocity + row, rate = 1 / in->h;
  HeftContact out = {.shape_a = t->shape_a,
                     .shape_b = t->shape_b,
                     .body_a = t->body_a,
                     .body_b = t->body_b,
                     .pos = t->pos,
                     .normal = t->normal,
                     .gap = t->gap,
                     .area = t->area,
                     .offset = t->offset,
                     .time = t->time,
                     .tangent = t->tangent1,
                     .anisotropy = t->anisotropy,
                     .friction = k->mu_static,
                     .kinetic = k->mu,
                     .torsion = k->mu_spin,
                     .rolling = k->mu_roll,
                     .middle = k->middle,
                     .bias = c->round.bias[row],
                     .softness = k->softness,
                     .weight = check->weight,
                     .residual = check->residual,
                     .scale = check->scale};
  const double a = t->anisotropy;  // of the second row: constraint_rows.c
  if (k->middle) {
    const double* bias = c->round.bias + row;
    out.bias = heft_contact_gap_speed(in, k->gap);
    out.turning = combine(t, bias[0] - out.bias, slides ? bias[1] : 0, slides ? bias[2] / a : 0);
  }
  out.force = heft_vec3_scale(rate, combine(t, r[0], slides ? r[1] : 0, slides ? a * r[2] : 0));
  // without friction there are no rows along the surface
  out.slip =
      slides ? combine(t, 0, u[1], u[2] / a) : heft_contact_slip(&c->set, in, c->dynamics, index);
  if (t->dim == 4) out.torque = heft_vec3_scale(rate, combine(t, r[3], 0, 0));
  if (t->dim == 6) out.torque = heft_vec3_scale(rate, combine(t, r[5], r[3], r[4]));
  out.state =
      judge(in, t, r[0], slides ? sqrt(r[1] * r[1] + r[2] * r[2]) : 0, heft_vec3_norm(out.slip));
  return out;
}

HeftContact heft_world_contact(const HeftWorld* w, int index) {
  HEFT_REQUIRE(w, ((HeftContact){0}));
  const int contact_count = w->constraints->set.contact_point_count;
  HEFT_REQUIRE(index >= 0 && index < contact_count, ((HeftContact){0}));
  return heft_contact_read(w->constraints, &w->input, index);
}

int heft_world_contacts(const HeftWorld* w, HeftContact* out, int capacity) {
  HEFT_REQUIRE(w && capacity >= 0 && (out || capacity == 0), 0);
  const int count = w->constraints->set.contact_point_count;
  for (int i = 0; i < count && i < capacity; ++i)
    out[i] = heft_contact_read(w->constraints, &w->input, i);
  return count;
}

// other < 0: with all bodies.
static HeftSpatial sum_wrenches(const Constraints* c, const StepInput* in, int body, int other,
                                HeftVec3 about) {
  HeftSpatial sum = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < c->set.contact_point_count; ++i) {
    const HeftContact contact = heft_contact_read(c, in, i);
    if (contact.body_a != body && contact.body_b != body) continue;
    if (other >= 0 && contact.body_a != other && contact.body_b != other) continue;
    const double sign = contact.body_b == body ? 1 : -1;
    const HeftVec3 turning = heft_vec3_add(
        contact.torque, heft_vec3_cross(heft_vec3_sub(contact.pos, about), contact.force));
    sum.lin = heft_vec3_add_scaled(sum.lin, sign, contact.force);
    sum.ang = heft_vec3_add_scaled(sum.ang, sign, turning);
  }
  return sum;
}

HeftSpatial heft_world_contact_wrench(const HeftWorld* w, int body, HeftVec3 about) {
  HEFT_REQUIRE(w, ((HeftSpatial){0}));
  HEFT_REQUIRE(body >= 0 && body < w->model->nbody, ((HeftSpatial){0}));
  return sum_wrenches(w->constraints, &w->input, body, -1, about);
}

HeftSpatial heft_world_pair_wrench(const HeftWorld* w, int body, int other, HeftVec3 about) {
  HEFT_REQUIRE(w, ((HeftSpatial){0}));
  HEFT_REQUIRE(body >= 0 && body < w->model->nbody, ((HeftSpatial){0}));
  HEFT_REQUIRE(other >= 0 && other < w->model->nbody && other != body, ((HeftSpatial){0}));
  return sum_wrenches(w->constraints, &w->input, body, other, about);
}

bool heft_world_contact_pressure_center(const HeftWorld* w, int body, HeftVec3* center) {
  HEFT_REQUIRE(w, false);
  HEFT_REQUIRE(body >= 0 && body < w->model->nbody && center, false);
  HeftVec3 sum = {0, 0, 0};
  double pressed = 0;
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact contact = heft_world_contact(w, i);
    if (contact.body_a != body && contact.body_b != body) continue;
    const double force = heft_vec3_dot(contact.force, contact.normal);
    sum = heft_vec3_add_scaled(sum, force, contact.pos);
    pressed += force;
  }
  if (!(pressed > 0)) return false;
  *center = heft_vec3_scale(1 / pressed, sum);
  return true;
}
