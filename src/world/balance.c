// SPDX-License-Identifier: Apache-2.0
// The balance of energy of a tree over a step.
//
// The joint forces of a step from v to v⁺, whatever acted, follow from the equation of the scheme
// by inverse dynamics (RNEA),
//
//     τ = M(q_m) (v⁺ - v) / h + b(q_m, v_b),
//
// v_b the velocity at which the step took the bias b, which contains the weight. They do the work
// h τ · (v + v⁺) / 2, and kinetic plus gravitational energy should change by this work. Springs may
// be left out of τ and counted with the potential energy. A scheme of any order misses the balance
// by its error; so the velocities are projected on it ([Hairer 2006], IV.4): scaled until it holds.
// restore.c does so for islands with loops, spin_energy.c for trees that turn fast.
#include "world/balance.h"
#include "base/assert.h"

#include <math.h>

#include "dynamics/links.h"

void heft_balance_add_work(const StepInput* in, HeftDynamics* dynamics, const BalanceStep* s,
                           double* work) {
  const HeftModel* m = in->model;
  const double *old = in->start->v, h = in->h;
  for (int i = 0; i < m->nv; ++i)
    s->change[i] = (s->v[i] - old[i]) / h - (s->restraint ? s->restraint[i] : 0);
  heft_dynamics_rnea(dynamics, s->v_bias, s->change, s->force);
  heft_dynamics_wrenches_to_joints(dynamics, s->force);  // RNEA leaves them out
  if (s->q_middle) {
    for (int i = 0; i < m->nv; ++i) s->force[i] = -s->force[i];
    heft_model_spring_forces(m, s->q_middle, s->force);
    for (int i = 0; i < m->nv; ++i) s->force[i] = -s->force[i];
  }
  for (int i = 0; i < m->nv; ++i)
    work[heft_dof_root(m, i)] += h * s->force[i] * (0.5 * (old[i] + s->v[i]));
  if (s->tension) heft_tension_leave_out(s->tension, in, dynamics, s->v, work);
}

double heft_balance_scale(double kinetic, double missing, double less, double more) {
  if (!(kinetic > 0)) return 1;
  HEFT_ASSERT(!(less < 0 || less > 1) && !(more < 0));
  return sqrt(1 + fmax(-less, fmin(missing / kinetic, more)));
}
