// SPDX-License-Identifier: Apache-2.0
// Soft joints sag under a load, and what has moved holds less (docs/theory/margins.md).
//
// With the forces f of the contact points, which stay in place, G(q) = g(q) - Jᵀ f are the forces
// that keep the stance in balance, and its stiffness is K = diag(k) + dG/dq + ρ JᵀJ, where ρ keeps
// the contact points in place. A load moves it by K⁻¹ D. The program of a margin is set up anew
// after that displacement: margin.c looks for the load that its own sag leaves.
#include "world/margin_sag.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

#include "dynamics/links.h"
#include "math/dense.h"
#include "world/contacts.h"

static const double DIFFERENCE = 1e-5,  // of positions [m, rad]
    PINNED = 1e6;                       // ρ, relative to the largest stiffness

struct Sag {
  Block block;
  const MarginInput* in;
  HeftDynamics* dynamics;  // of its own: it is moved to other positions
  const HeftMarginLoad* load;
  HeftVec3* at;  // loads: points in the frames of their bodies
  HeftContact* contact;
  int loads, contacts, count;
  int *dof, *pivot;   // of the stance
  double* jacobian;   // 3 rows of `count` numbers per contact
  double* stiffness;  // matrix
  double* along;      // dofs: Jᵀ of the loads
  double *q, *v, *zero, *plus, *minus;
  double* weight;  // nv: joint forces that carry it, without contacts
  double* sag;     // nv: displacement per unit of the load
};

// ---- soft joints

int heft_servo_dof(const HeftModel* m, int actuator) {
  if (m->actuator_transmission[actuator] != HEFT_TRANSMISSION_JOINT) return -1;
  if (!(m->actuator_bias[3L * actuator + 1] < 0)) return -1;
  const HeftJointType type = m->joint_type[m->actuator_target[actuator]];
  if (type != HEFT_JOINT_HINGE && type != HEFT_JOINT_SLIDE) return -1;
  return m->joint_dof[m->actuator_target[actuator]];
}

int heft_sag_exists(const HeftModel* m, const int* part) {
  for (int d = 0; d < m->nv; ++d) {
    if (m->dof_stiffness[d] > 0 && part[heft_dof_root(m, d)]) return 1;
  }
  for (int a = 0; a < m->nactuator; ++a) {
    const int d = heft_servo_dof(m, a);
    if (d >= 0 && part[heft_dof_root(m, d)]) return 1;
  }
  return 0;
}

// Stiffness of the servo of an actuator.
static double servo_stiffness(const HeftModel* m, int actuator) {
  const double gear = m->actuator_gear[6L * actuator];
  return -m->actuator_bias[3L * actuator + 1] * gear * gear;
}

static double stiffness_of(const HeftModel* m, int dof) {
  double sum = m->dof_stiffness[dof];
  for (int a = 0; a < m->nactuator; ++a)
    sum += heft_servo_dof(m, a) == dof ? servo_stiffness(m, a) : 0;
  return sum;
}

// ---- balance

// out := g - Jᵀ f at q ⊕ v dt.
static void balance(Sag* s, double dt, double* out) {
  HeftDynamics* d = s->dynamics;
  const HeftVec3 none = heft_vec3(0, 0, 0);
  heft_q_integrate(s->in->model, s->in->state->q, s->v, dt, s->q);
  heft_dynamics_kinematics(d, s->q);
  heft_dynamics_clear_wrenches(d);
  for (int i = 0; i < s->contacts; ++i) {
    const HeftContact* c = &s->contact[i];
    heft_dynamics_add_wrench(d, c->body_b, c->pos, c->force, none);
    heft_dynamics_add_wrench(d, c->body_a, c->pos, heft_vec3_neg(c->force), none);
  }
  heft_dynamics_rnea(d, s->zero, NULL, out);
}

// s->plus := derivative of the balance along s->v.
static void differentiate(Sag* s) {
  balance(s, DIFFERENCE, s->plus);
  balance(s, -DIFFERENCE, s->minus);
  for (int d = 0; d < s->in->model->nv; ++d)
    s->plus[d] = (s->plus[d] - s->minus[d]) / (2 * DIFFERENCE);
}

// Velocities of all contact points, along their directions, and of the loads, if one dof moves: a
// column of a matrix with `width` columns.
static void fill_column(Sag* s, int dof, int column, int width, double* jacobian, double* along) {
  HeftDynamics* d = s->dynamics;
  memset(s->v, 0, sizeof(double) * (size_t)s->in->model->nv);
  s->v[dof] = 1;
  HEFT_ASSERT(dof >= 0 && dof < s->in->model->nv);
  heft_dynamics_velocities(d, s->v);
  for (int i = 0; i < s->contacts; ++i) {
    const HeftContact* k = &s->contact[i];
    const HeftVec3 speed = heft_vec3_sub(heft_dynamics_body_velocity(d, k->body_b, k->pos).lin,
                                         heft_dynamics_body_velocity(d, k->body_a, k->pos).lin);
    double* to = jacobian + 3 * (size_t)i * (size_t)width + column;
    to[0] = heft_vec3_dot(k->normal, speed);
    to[width] = heft_vec3_dot(k->tangent, speed);
    to[2 * width] = k->anisotropy * heft_vec3_dot(heft_vec3_cross(k->normal, k->tangent), speed);
  }
  along[column] = 0;
  for (int l = 0; l < s->loads; ++l) {
    const HeftPose pose = heft_dynamics_body_pose(d, s->load[l].body);
    heft_margin_load_add(&s->load[l], d, heft_pose_apply(pose, s->at[l]), &along[column]);
  }
}

// ---- the displacement

static void fill_stiffness(Sag* s) {
  const int n = s->count;
  double largest = 0, pinned = 0;
  for (int c = 0; c < n; ++c) fill_column(s, s->dof[c], c, n, s->jacobian, s->along);
  for (int c = 0; c < n; ++c) {
    const double own = stiffness_of(s->in->model, s->dof[c]);
    HEFT_ASSERT(!(own < 0));
    memset(s->v, 0, sizeof(double) * (size_t)s->in->model->nv);
    s->v[s->dof[c]] = 1;
    differentiate(s);
    for (int r = 0; r < n; ++r) s->stiffness[r * n + c] = s->plus[s->dof[r]];
    s->stiffness[c * n + c] += own;
    largest = fmax(largest, own);
  }
  for (int k = 0; k < 3 * s->contacts * n; ++k) pinned = fmax(pinned, fabs(s->jacobian[k]));
  const double rho = pinned > 0 ? PINNED * largest / (pinned * pinned) : 0;
  HEFT_ASSERT(!(rho < 0));
  for (int k = 0; k < 3 * s->contacts; ++k) {
    const double* row = s->jacobian + (size_t)k * (size_t)n;
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) s->stiffness[r * n + c] += rho * row[r] * row[c];
    }
  }
}

// 1 if the stiffness resists the load.
static int find_sag(Sag* s) {
  const int n = s->count;
  fill_stiffness(s);
  if (n == 0 || heft_lu_factor(n, s->stiffness, n, s->pivot) != 0) return 0;
  memcpy(s->minus, s->along, sizeof(double) * (size_t)n);
  heft_lu_solve(n, s->stiffness, n, s->pivot, s->minus);
  for (int r = 0; r < n; ++r) {
    if (!isfinite(s->minus[r])) return 0;
    s->sag[s->dof[r]] = s->minus[r];
  }
  return 1;
}

// ---- lifecycle

static void place(void* object, Arena* arena, const void* user) {
  Sag* s = object;
  const HeftModel* m = user;
  const size_t n = (size_t)s->count, nv = (size_t)m->nv;
  s->at = arena_take(arena, s->loads, HeftVec3);
  s->contact = arena_take(arena, s->contacts, HeftContact);
  s->dof = arena_take(arena, n, int);
  s->pivot = arena_take(arena, n, int);
  s->jacobian = arena_take(arena, 3 * n * (size_t)s->contacts, double);
  s->stiffness = arena_take(arena, n * n, double);
  s->along = arena_take(arena, n, double);
  s->q = arena_take(arena, m->nq, double);
  s->v = arena_take(arena, nv, double);
  s->zero = arena_take(arena, nv, double);
  s->plus = arena_take(arena, nv, double);
  s->minus = arena_take(arena, nv, double);
  s->weight = arena_take(arena, nv, double);
  s->sag = arena_take(arena, nv, double);
}

static void fill(Sag* s, const int* part) {
  const HeftModel* m = s->in->model;
  int count = 0;
  for (int d = 0; d < m->nv; ++d) {
    if (part[heft_dof_root(m, d)]) s->dof[count++] = d;
  }
  HEFT_ASSERT(count == s->count);
  for (int i = 0; i < s->contacts; ++i)
    s->contact[i] = heft_contact_read(s->in->constraints, s->in->step, i);
  heft_dynamics_kinematics(s->dynamics, s->in->state->q);
  for (int l = 0; l < s->loads; ++l) {
    const HeftPose pose = heft_dynamics_body_pose(s->dynamics, s->load[l].body);
    s->at[l] = heft_pose_apply(heft_pose_inverse(pose), s->load[l].point);
  }
  heft_dynamics_rnea(s->dynamics, s->zero, NULL, s->weight);
}

HeftStatus heft_sag_create(Sag** out, const MarginInput* in, const int* part,
                           const HeftMarginLoad* loads, int count, HeftError* error) {
  Sag start = {.in = in,
               .load = loads,
               .loads = count,
               .contacts = in->constraints->set.contact_point_count};
  for (int d = 0; d < in->model->nv; ++d) start.count += part[heft_dof_root(in->model, d)] != 0;
  *out = NULL;
  Sag* s = heft_block_create(&start, sizeof start, place, in->model, in->allocator,
                             "the sag of a stance", error);
  if (!s) return HEFT_ERR_MEMORY;
  const HeftStatus status = heft_dynamics_create(&s->dynamics, in->model, in->allocator, error);
  if (status == HEFT_OK) {
    fill(s, part);
    if (find_sag(s)) *out = s;
  }
  if (!*out) heft_sag_destroy(s);
  return status;
}

void heft_sag_destroy(Sag* s) {
  if (!s) return;
  heft_dynamics_destroy(s->dynamics);
  heft_block_destroy(s, s->in->allocator);
}

void heft_sag_displace(Sag* s, double factor, const int* column, int unknowns, double* cone,
                       double* cost, double* along) {
  const HeftModel* m = s->in->model;
  HeftDynamics* d = s->dynamics;
  heft_dynamics_clear_wrenches(d);
  heft_q_integrate(m, s->in->state->q, s->sag, factor, s->q);
  heft_dynamics_kinematics(d, s->q);
  heft_dynamics_rnea(d, s->zero, NULL, s->plus);
  for (int k = 0; k < s->count; ++k) {
    const int dof = s->dof[k], c = column[dof];
    if (c < 0) continue;
    cost[c] = s->plus[dof] - s->weight[dof];
    fill_column(s, dof, c, unknowns, cone, along);
  }
}
