// SPDX-License-Identifier: Apache-2.0
// How a step changes with the parameters of joints, drives and contact.
//
// At fixed v⁺ and impulses, the equations of motion change by the force of a parameter. The scheme
// has, with dw = v⁺ - v and the stretch x_m at q_m,
//
//     damping     -(v + θ dw)
//     stiffness   -(x_m + h (2θ - 1) v + θ² h dw)
//     armature    -dw / h
//     gain        the input of the actuator, along its transmission
//     friction    of joints that slip: its sign; of contact points that slip: -r_n e of their rows.
//
//     bias, gear  of an actuator with the force c₀ + c₁ l + c₂ l̇ (actuation/actuators.c): 1, l, l̇;
//                 a (F + c₁ l + c₂ l̇) / gear
//
// Masses are in derivative_inertia.c. A contact point that yields has the row u + R r + b = 0
// (softness.c); at fixed u and r it changes by r dR + db.
//
// Trees of second order have a first pass (prediction.c): the force there, at the dw of that pass,
// acts by smooth_force - h. The correction has M̂ without forces.
#include "world/derivative.h"

#include <math.h>

#include "model/joint_kind.h"
#include "world/softness.h"

typedef struct ParameterColumn {
  const StepMap* map;
  size_t stride;
  double *smooth, *fixed, *rows;
} ParameterColumn;

// A force in the step, and in its first pass.
static void add_force(const ParameterColumn* x, int dof, double force, double early) {
  const StepMap* map = x->map;
  const size_t nv = (size_t)map->in.model->nv;
  const double h = map->in.step->h;
  x->smooth[(size_t)dof * x->stride] += h * force;
  for (size_t i = 0; i < nv && map->has_early; ++i) {
    const double share = map->smooth_force[i * nv + (size_t)dof] - (i == (size_t)dof ? h : 0);
    x->smooth[i * x->stride] += share * early;
  }
}

static double stretch_of(const StepMap* map, int dof) {
  const HeftModel* m = map->in.model;
  const int j = m->dof_joint[dof], at = m->joint_q[j];
  return heft_joint_type_dof_count(m->joint_type[j]) == 1 ? map->in.middle->q[at] - m->q_spring[at]
                                                          : 0;
}

static void add_dof(ParameterColumn* x, HeftStepParameterKind kind, int i) {
  const DerivativeInput* in = &x->map->in;
  const double h = in->step->h, theta = in->middle->theta[i], v = in->step->start->v[i];
  const double dw = in->output->v_solved[i] - v, early = 2 * (in->prediction->v_bias[i] - v);
  const double by_v = kind == HEFT_STEP_DAMPING     ? 1
                      : kind == HEFT_STEP_STIFFNESS ? h * (2 * theta - 1)
                                                    : 0;
  const double by_dw = kind == HEFT_STEP_DAMPING     ? theta
                       : kind == HEFT_STEP_STIFFNESS ? theta * theta * h
                                                     : 1 / h;
  const double rest = by_v * v + (kind == HEFT_STEP_STIFFNESS ? stretch_of(x->map, i) : 0);
  add_force(x, i, -rest - by_dw * dw, -rest - by_dw * early);
  x->fixed[(size_t)i * x->stride] -= h * by_dw * in->motion->v_correction[i];
}

static void add_dry(ParameterColumn* x, int dof) {
  const StepMap* map = x->map;
  const ConstraintSet* set = &map->in.constraints->set;
  for (int i = set->contact_point_count; i < set->count && !map->held[dof]; ++i) {
    const Constraint* k = &set->list[i];
    if (k->kind != CONSTRAINT_DRY || k->dof[0] != dof) continue;
    const double r = map->in.constraints->solution.impulse[k->row];
    x->smooth[(size_t)dof * x->stride] += r < 0 ? -map->in.step->h : map->in.step->h;
  }
}

// 1 if a material gives a contact point its friction: the larger one does.
static int rules(const HeftModel* m, const HeftContactPoint* p, const Constraint* k, int material) {
  if (material < 0) return 1;
  if (m->material_kinetic[material] != k->mu) return 0;
  return m->shape_material[p->shape_a] == material || m->shape_material[p->shape_b] == material;
}

static void add_friction(ParameterColumn* x, int material) {
  const StepMap* map = x->map;
  const ConstraintSet* set = &map->in.constraints->set;
  const IslandSolution* s = &map->in.constraints->solution;
  const size_t nv = (size_t)map->in.model->nv;
  for (int n = 0; n < set->contact_point_count; ++n) {
    const Constraint* k = &set->list[n];
    const double *r = s->impulse + k->row, *u = s->velocity + k->row;
    if (k->rows < 3 || !(r[0] > 0) || map->active_at[k->row + 1] >= 0) continue;
    if (!rules(map->in.model, &set->contact_points.point[n], k, material)) continue;
    const double slip = sqrt(u[1] * u[1] + u[2] * u[2]);
    const double* along = map->middle.jacobian + (size_t)(k->row + 1) * nv;
    for (size_t i = 0; i < nv && slip > 0; ++i)
      x->smooth[i * x->stride] -= r[0] / slip * (u[1] * along[i] + u[2] * along[nv + i]);
  }
}

// ---- actuators

// Length and speed of an actuator as its spring and damper see them; early: in the first pass.
typedef struct ActuatorReach {
  double c[3];           // F = c₀ + c₁ l + c₂ l̇
  double length, speed;  // in the step
  double early[2];       // the same in the first pass
  double implicit[3];  // [1], [2]: c₁ and c₂ change F by the change of l̇ in the step so much
} ActuatorReach;

static double speed_of(const Transmissions* l, int i, const double* v) {
  return l->actuator_scale[i] * heft_transmission_speed(l, l->of_actuator[i], v);
}

static ActuatorReach reach_of(const StepMap* map, int i) {
  const DerivativeInput* in = &map->in;
  const HeftModel* m = in->model;
  const Actuators* a = in->drives->actuators;
  const Transmissions* l = a->transmissions;
  const Transmission* t = &l->list[l->of_actuator[i]];
  const double *rate = m->actuator_gain_rate + 2L * i, *bias = m->actuator_bias + 3L * i;
  const double h = in->step->h, theta = in->middle->theta[l->dof[t->first]];
  const double start = speed_of(l, i, in->step->start->v);
  const double change = speed_of(l, i, in->output->v_solved) - start;
  const double early = 2 * (speed_of(l, i, in->prediction->v_bias) - start);
  ActuatorReach x = {{m->actuator_gain[i] * a->input[i] + bias[0], rate[0] * a->input[i] + bias[1],
                      rate[1] * a->input[i] + bias[2]},
                     0,
                     start,
                     {0, start},
                     {0, 0, 0}};
  x.length = a->dof[i] >= 0 ? a->arm[i] * in->middle->q[a->place[i]]
                            : l->actuator_scale[i] * l->length[l->of_actuator[i]];
  x.early[0] = x.length;
  if (a->scheme[i] == ACTUATOR_EXPLICIT) return x;
  if (x.c[1] < 0) {
    const double ahead = x.length + h * (2 * theta - 1) * start;
    x.implicit[1] = h * theta * theta;
    x.length = ahead + x.implicit[1] * change;
    x.early[0] = ahead + x.implicit[1] * early;
  }
  if (x.c[2] < 0) {
    x.implicit[2] = theta;
    x.speed += theta * change;
    x.early[1] += theta * early;
  }
  return x;
}

// A force of an actuator: along its transmission, in the step, in its first pass; response: change
// of its derivative by the speed.
static void add_pull(const ParameterColumn* x, int i, double force, double early, double response) {
  const StepMap* map = x->map;
  const Transmissions* l = map->in.drives->transmissions;
  const Transmission* t = &l->list[l->of_actuator[i]];
  const double speed = speed_of(l, i, map->in.motion->v_correction), h = map->in.step->h;
  for (int k = t->first; k < t->first + t->count; ++k) {
    const double arm = l->arm[k] * l->actuator_scale[i];
    add_force(x, l->dof[k], arm * force, arm * early);
    x->fixed[(size_t)l->dof[k] * x->stride] += h * arm * response * speed;
  }
}

static double gear_of(const HeftModel* m, int i) {
  for (int k = 0; k < 6; ++k)
    if (m->actuator_gear[6L * i + k] != 0) return m->actuator_gear[6L * i + k];
  return 1;
}

static void add_actuator(ParameterColumn* x, HeftStepParameterKind kind, int i, int part) {
  const StepMap* map = x->map;
  const Drives* drives = map->in.drives;
  const Transmissions* l = drives->transmissions;
  if (drives->idle || l->list[l->of_actuator[i]].count == 0 || heft_derivative_is_held(map, i))
    return;
  const double input = drives->actuators->input[i];
  const ActuatorReach r = reach_of(map, i);
  const double by[3] = {1, r.length, r.speed}, early[3] = {1, r.early[0], r.early[1]};
  if (kind == HEFT_STEP_GAIN) {
    add_pull(x, i, input, input, 0);
  } else if (kind == HEFT_STEP_BIAS) {
    add_pull(x, i, by[part], early[part], r.implicit[part]);
  } else {
    const double share = 1 / gear_of(map->in.model, i);
    const double response = r.c[1] * r.implicit[1] + r.c[2] * r.implicit[2];
    add_pull(x, i, share * (r.c[0] + 2 * (r.c[1] * by[1] + r.c[2] * by[2])),
             share * (r.c[0] + 2 * (r.c[1] * early[1] + r.c[2] * early[2])), 2 * share * response);
  }
}

// ---- contact points that yield

static void add_softness(const ParameterColumn* x, int index) {
  const StepMap* map = x->map;
  const ConstraintSet* set = &map->in.constraints->set;
  const double h = map->in.step->h, by_k = index % 2 == 0 ? h : 1;
  for (int n = 0; n < set->contact_point_count; ++n) {
    const Constraint* k = &set->list[n];
    const int row = map->active_at[k->row];
    const double depth = -k->gap, softness = k->softness;
    if (row < 0 || !(softness > 0)) continue;
    const double rate = heft_softness_rate(map->in.model, &set->contact_points.point[n], index);
    const double yields = -softness * softness * h * by_k * rate;  // dR
    const double stiffness = heft_softness_stiffness(map->in.model, &set->contact_points.point[n]);
    double change = yields * map->in.constraints->solution.impulse[k->row];
    if (depth > 0)
      change -= h * depth * (yields * stiffness + (index % 2 == 0 ? softness * rate : 0));
    x->rows[(size_t)row * x->stride] += change;
  }
}

void heft_derivative_parameter(StepMap* map, HeftStepParameter by, size_t stride, double* smooth,
                               double* fixed, double* rows) {
  ParameterColumn x = {map, stride, smooth, fixed, rows};
  switch (by.kind) {
    case HEFT_STEP_FRICTION:
      add_friction(&x, by.index);
      break;
    case HEFT_STEP_DAMPING:
    case HEFT_STEP_STIFFNESS:
    case HEFT_STEP_ARMATURE:
      add_dof(&x, by.kind, by.index);
      break;
    case HEFT_STEP_DRY_FRICTION:
      add_dry(&x, by.index);
      break;
    case HEFT_STEP_GAIN:
    case HEFT_STEP_GEAR:
      add_actuator(&x, by.kind, by.index, 0);
      break;
    case HEFT_STEP_BIAS:
      add_actuator(&x, by.kind, by.index / 3, by.index % 3);
      break;
    case HEFT_STEP_SOFTNESS:
      add_softness(&x, by.index);
      break;
    case HEFT_STEP_MASS:
    case HEFT_STEP_COM:
    case HEFT_STEP_INERTIA:  // derivative_inertia.c
    case HEFT_STEP_PARAMETER_COUNT:
      break;
  }
}
