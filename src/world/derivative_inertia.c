// SPDX-License-Identifier: Apache-2.0
// How a step changes with masses, centres of mass and moments of inertia.
//
// The inertia of a body about the origin O of its tree is linear in its mass and its moment of
// inertia, and a polynomial of its centre of mass c. Its derivative δI is an inertia again:
//
//     mass                δI of a particle of mass 1 at c
//     centre of mass, e   first moment m e, moment m (2 (c·e) 1 - c eᵀ - e cᵀ)
//     moment of inertia   the moment alone.
//
// At fixed v⁺ and impulses the body then needs the wrench δI A + V ×* δI V more, with the
// acceleration A less gravity, and its momentum grows by δI V. The equations of motion get -h S_j ·
// wrench. The first pass of trees of second order (prediction.c) has its own motion, the correction
// its own velocity and no gravity. The momentum of a floating tree changes at both ends of the step
// (derivative_momentum.c).
#include <string.h>

#include "dynamics/composite.h"
#include "dynamics/links.h"
#include "world/derivative.h"

int heft_derivative_is_inertia(HeftStepParameterKind kind) {
  return kind == HEFT_STEP_MASS || kind == HEFT_STEP_COM || kind == HEFT_STEP_INERTIA;
}

static int body_of(HeftStepParameter by) {
  return by.kind == HEFT_STEP_MASS  ? by.index
         : by.kind == HEFT_STEP_COM ? by.index / 3
                                    : by.index / 6;
}

// The moment of inertia m (2 (c·e) 1 - c eᵀ - e cᵀ) and the first moment m e.
static Composite of_centre(double mass, V4 at, V4 along) {
  Composite out = {.first = along * mass, .mass = 0};
  const double twice = 2 * mass * v4_dot3(at, along);
  for (int j = 0; j < 3; ++j) {
    out.inertia[j] = (at * along[j] + along * at[j]) * -mass;
    out.inertia[j][j] += twice;
  }
  return out;
}

// R E Rᵀ for the symmetric matrix E that has 1 at the components xx yy zz xy xz yz.
static Composite of_moment(const HeftMat3* rot, int component) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  const V4 a = v4_from_vec3(heft_mat3_column(*rot, row[component]));
  const V4 b = v4_from_vec3(heft_mat3_column(*rot, column[component]));
  Composite out = {.first = v4_all(0), .mass = 0};
  for (int j = 0; j < 3; ++j) out.inertia[j] = component < 3 ? a * a[j] : a * b[j] + b * a[j];
  return out;
}

// δI at the kinematics of the dynamics. link: that feels it, 0: none.
static Composite rate_of(const HeftDynamics* d, HeftStepParameter by, int* link) {
  static const V4 none[3];
  const HeftModel* m = d->model;
  const int body = body_of(by);
  *link = heft_body_mobile_link(m, body);
  if (*link == 0) return composite_of_link(0, none, v4_all(0));
  const HeftPose pose = heft_dynamics_body_pose(d, body);
  const HeftVec3 com = heft_pose_apply(pose, heft_vec3_from(m->body_com + 3L * body));
  const V4 at = v4_from_vec3(heft_vec3_sub(com, heft_link_origin(d, *link)));
  if (by.kind == HEFT_STEP_MASS) return composite_of_link(1, none, at);
  if (by.kind == HEFT_STEP_INERTIA) return of_moment(&pose.rot, by.index % 6);
  return of_centre(m->body_mass[body], at, v4_from_vec3(heft_mat3_column(pose.rot, by.index % 3)));
}

// ---- forces

// out (nv, stride apart) += scale times the joint forces of δI at the motion of the last
// heft_dynamics_rnea(). weight: 0 if that is without gravity.
static void add_forces(const HeftDynamics* d, HeftStepParameter by, int weight, double scale,
                       size_t stride, double* out) {
  const HeftTree* t = d->tree;
  int link = 0;
  const Composite c = rate_of(d, by, &link);
  if (link == 0) return;
  const Pair velocity = d->velocity[link];
  const Pair acceleration =
      weight ? d->acceleration[link] : pair_sub(d->acceleration[link], d->acceleration[0]);
  const Pair force = pair_add(composite_mul(&c, acceleration),
                              pair_cross_force(velocity, composite_mul(&c, velocity)));
  const Link* from = &t->link[link];
  for (int i = from->dof + from->dof_count - 1; i >= 0; i = t->dof_parent[i])
    out[(size_t)i * stride] += scale * pair_dot(d->axis[i], force);
}

typedef struct InertiaColumns {
  StepMap* map;
  const HeftStepParameter* list;
  int count;
  size_t stride;
} InertiaColumns;

static void add_columns(const InertiaColumns* x, const double* v, const double* a, int weight,
                        double scale, double* out) {
  HeftDynamics* d = x->map->in.dynamics;
  heft_dynamics_rnea(d, v, a, x->map->rnea.tau);
  for (int k = 0; k < x->count; ++k) {
    if (heft_derivative_is_inertia(x->list[k].kind))
      add_forces(d, x->list[k], weight, scale, x->stride, out + k);
  }
}

// smooth += (smooth_force - h) early: the answer of the first pass to its forces.
static void add_early(const InertiaColumns* x, double* smooth) {
  StepMap* map = x->map;
  const int nv = map->in.model->nv;
  const double *v = map->in.step->start->v, h = map->in.step->h;
  double* early = map->square;
  for (int i = 0; i < nv; ++i) map->a[i] = 2 / h * (map->in.prediction->v_bias[i] - v[i]);
  heft_clear_rows(nv, (int)x->stride, early);
  add_columns(x, v, map->a, 1, -1, early);
  heft_add_product(nv, nv, (int)x->stride, 1, map->smooth_force, early, smooth);
  for (size_t i = 0; i < (size_t)nv * x->stride; ++i) smooth[i] -= h * early[i];
}

void heft_derivative_inertia(StepMap* map, const HeftStepParameter* list, int count, size_t stride,
                             double* smooth, double* fixed) {
  const DerivativeInput* in = &map->in;
  const InertiaColumns x = {map, list, count, stride};
  const double *v = in->step->start->v, h = in->step->h;
  int any = 0;
  for (int k = 0; k < count; ++k) any |= heft_derivative_is_inertia(list[k].kind);
  if (!any) return;
  if (in->model->tree->floats) map->flags |= flag_bit(HEFT_DERIVATIVE_SCHEME);
  heft_dynamics_kinematics(in->dynamics, in->middle->q);
  for (int i = 0; i < in->model->nv; ++i) map->a[i] = (in->output->v_solved[i] - v[i]) / h;
  add_columns(&x, in->prediction->v_bias, map->a, 1, -h, smooth);
  if (map->has_early) add_early(&x, smooth);
  if (map->correcting.rows.count > 0)
    add_columns(&x, map->correcting.zero, in->motion->v_correction, 0, -1, fixed);
}

// ---- momentum

MomentumRate heft_derivative_momentum_rate(const HeftDynamics* d, HeftStepParameter by, int root,
                                           double mass, HeftVec3 com, HeftVec3 linear) {
  int link = 0;
  MomentumRate out = {.mass = 0};
  if (!heft_derivative_is_inertia(by.kind)) return out;
  const Composite c = rate_of(d, by, &link);
  if (link == 0 || heft_link_root(d->model, link) != root) return out;
  const Pair push = composite_mul(&c, d->velocity[link]);
  const HeftVec3 first = vec3_from_v4(c.first), at = heft_vec3_sub(com, heft_link_origin(d, root));
  out.mass = c.mass;
  out.com = heft_vec3_scale(1 / mass, heft_vec3_add_scaled(first, -c.mass, at));
  out.linear = vec3_from_v4(push.lin);
  out.angular = heft_vec3_sub(
      vec3_from_v4(push.ang),
      heft_vec3_add(heft_vec3_cross(out.com, linear), heft_vec3_cross(at, out.linear)));
  return out;
}
