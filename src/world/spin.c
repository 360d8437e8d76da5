// SPDX-License-Identifier: Apache-2.0
// Fast spin in contact.
//
// Trees in contact take the bias of their motion, c(q, v), at the velocity they have. The bias does
// no work, but a step along it does: v - h M⁻¹ c has more kinetic energy than v by h² cᵀ M⁻¹ c / 2.
// For a body that turns by a small angle in a step this is nothing. A leaf that hits the floor on
// its edge turns by radians, and would wind itself up without end.
//
// So where something turns fast, the step along the bias keeps its energy: what moves against the
// centre of mass is scaled back to what it was before. The centre of mass of a floating tree goes
// on as it did. This is of the order of the scheme's own error, (ω h)², and never adds energy.
#include <math.h>
#include <string.h>

#include "world/world_internal.h"

static const double fast_turn = 0.1;  // in a step [rad]

// The dofs of a joint that turn.
static int first_turn(int type) { return type == HEFT_JOINT_FREE ? 3 : 0; }

// How many dofs of a joint come before the one behind its last turn.
static int last_turn(int type) {
  if (type == HEFT_JOINT_SLIDE || type == HEFT_JOINT_FIXED) return 0;
  return type == HEFT_JOINT_HINGE ? 1 : heft_joint_type_dof_count((HeftJointType)type);
}

// Marks the roots of trees in contact in which something turns fast. Returns 1 if there are any.
static int find_fast(const HeftWorld* w, int* fast) {
  const HeftModel* m = w->model;
  const double max = fast_turn / w->def.time_step;
  int any = 0;
  for (int j = 0; j < m->njoint; ++j) {
    const int type = m->joint_type[j], dof = m->joint_dof[j];
    for (int i = first_turn(type); i < last_turn(type); ++i) {
      if (!(fabs(w->state->v[dof + i]) > max)) continue;
      const int root = heft_dof_root(m, dof + i);
      if (!w->constraints->active[root]) continue;
      if (!any) memset(fast, 0, (size_t)heft_link_count(m) * sizeof(int));
      fast[root] = any = 1;
    }
  }
  return any;
}

// x: velocities, p: momenta M x. The momentum of a floating tree is what its base has along its
// first three dofs.
static void find_swirls(const HeftWorld* w, const int* fast, const double* x, const double* p,
                        Swirl* swirl) {
  const HeftModel* m = w->model;
  memset(swirl, 0, (size_t)heft_link_count(m) * sizeof *swirl);
  for (int k = 1; k < heft_link_count(m); ++k)
    swirl[heft_link_root(m, k)].mass += heft_link_mass(m, k);
  for (int i = 0; i < m->nv; ++i) {
    const int root = heft_dof_root(m, i);
    if (fast[root]) swirl[root].energy += 0.5 * x[i] * p[i];
  }
  for (int f = 0; f < w->floating_count; ++f) {
    const int root = w->floating[f], dof = heft_link_dof(m, root);
    if (!fast[root]) continue;
    const double mass = swirl[root].mass;
    for (int i = 0; i < 3; ++i) {
      swirl[root].u[i] = p[dof + i] / mass;
      swirl[root].energy -= 0.5 * mass * swirl[root].u[i] * swirl[root].u[i];
    }
  }
}

// M x, by the forces that an acceleration x takes from rest, less those that weight takes.
static void momenta(HeftWorld* w, const double* rest, const double* x, const double* weight,
                    double* out) {
  heft_dynamics_rnea(w->dynamics, rest, x, out);
  for (int i = 0; i < w->model->nv; ++i) out[i] -= weight[i];
}

void heft_spin_restrain(HeftWorld* w) {
  const HeftModel* m = w->model;
  const int nv = m->nv;
  int* fast = w->constraints->held;
  Swirl *before = w->swirl, *after = w->swirl + heft_link_count(m);
  double *rest = w->push[0], *weight = w->push[1], *turned = w->push[2], *p = w->push[3];
  if (!find_fast(w, fast)) return;
  memset(rest, 0, (size_t)nv * sizeof(double));
  heft_dynamics_rnea(w->dynamics, rest, NULL, weight);
  momenta(w, rest, w->state->v, weight, p);
  find_swirls(w, fast, w->state->v, p, before);
  heft_dynamics_rnea(w->dynamics, w->state->v, NULL, turned);
  for (int i = 0; i < nv; ++i) turned[i] -= weight[i];
  heft_dynamics_solve(w->dynamics, turned);
  for (int i = 0; i < nv; ++i) turned[i] = w->state->v[i] - w->def.time_step * turned[i];
  momenta(w, rest, turned, weight, p);
  find_swirls(w, fast, turned, p, after);
  for (int i = 0; i < nv; ++i) {
    const int root = heft_dof_root(m, i), along = i - heft_link_dof(m, root);
    if (!fast[root] || !(after[root].energy > before[root].energy)) continue;
    const double u = along < 3 ? after[root].u[along] : 0;
    const double goes = along < 3 ? before[root].u[along] : 0;
    const double share = sqrt(fmax(0, before[root].energy) / after[root].energy);
    w->force[i] += (goes + share * (turned[i] - u) - turned[i]) / w->def.time_step;
  }
}
