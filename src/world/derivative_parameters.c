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
// Trees of second order have a first pass (prediction.c): the force there, at the dw of that pass,
// acts by smooth_force - h. The correction has M̂ without forces.
#include "world/derivative.h"

#include <math.h>

#include "model/joint_kind.h"

typedef struct ParameterColumn {
  const StepMap* map;
  size_t stride;
  double *smooth, *fixed;
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

static void add_gain(ParameterColumn* x, int i) {
  const StepMap* map = x->map;
  const Actuators* a = map->in.drives->actuators;
  const Transmissions* l = map->in.drives->transmissions;
  const Transmission* t = &l->list[l->of_actuator[i]];
  if (map->in.drives->idle || heft_derivative_is_held(map, i)) return;
  for (int k = t->first; k < t->first + t->count; ++k) {
    const double force = l->arm[k] * l->actuator_scale[i] * a->input[i];
    add_force(x, l->dof[k], force, force);
  }
}

void heft_derivative_parameter(StepMap* map, HeftStepParameter by, size_t stride, double* smooth,
                               double* fixed) {
  ParameterColumn x = {map, stride, smooth, fixed};
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
      add_gain(&x, by.index);
      break;
    case HEFT_STEP_PARAMETER_COUNT:
      break;
  }
}
