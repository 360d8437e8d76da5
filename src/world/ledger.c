// SPDX-License-Identifier: Apache-2.0
// The energy ledger of a step.
//
// With the mean velocity v̄ = (v + v⁺) / 2 and a mass matrix M, the kinetic energy changes by
//
//     ½ v⁺ᵀ M v⁺ - ½ vᵀ M v = v̄ · M (v⁺ - v) = v̄ · (h Σ f + Σ Jᵀ r)
//
// exactly, so the work of each force f is h f · v̄, and that of each impulse r is r · J v̄; weight
// and springs are in the potential energy. Each part is computed from its own forces or impulses
// and from v̄, never as the rest of the balance:
//
//     Δ(T + V) = work + contact + limits + loops + dry friction + moved bodies + correction
//                + scheme - damping + defect.
//
// Positions should move by h v̄, but with θ = 1 they move by h v⁺: along the difference, weight,
// springs and inertia forces b do the work of the scheme of first order, which damps by it. The
// defect (HeftStepReport::energy_change) is all that is left:
// - the change of M during the step, M(q⁺) - M(q_m) and M(q_m) - M(q), against the bias forces;
// - the curvature of V, and springs and dampers that are taken at the end of the step;
// - the corrections of momentum and energy (momentum.c, restore.c, soft_store.c), and fast spin
//   (spin.c).
// A world at rest has v = v⁺ = 0: each part is zero, and so is the defect.
//
// Velocities of rows are relative to surfaces that move by prescription (surface.c), whose own work
// is moved_work.
//
// Trees that bounce in flight (moreau.c) take their impulses first, and weight acts after that:
// impulses act at the mean of the velocities before and after them.
#include "world/ledger.h"

#include <string.h>

#include "dynamics/tree_momentum.h"

// ---- impulses

static double* part_of(HeftStepReport* report, ConstraintKind kind) {
  switch (kind) {
    case CONSTRAINT_LIMIT:
    case CONSTRAINT_TENDON_LIMIT:
      return &report->limit_work;
    case CONSTRAINT_DRY:
    case CONSTRAINT_TENDON_DRY:
      return &report->friction_work;
    case CONSTRAINT_EQUALITY:
      return &report->loop_work;
    default:
      return &report->contact_work;
  }
}

static int any_motion(const double* v, int count) {
  for (int i = 0; i < count; ++i) {
    if (v[i] != 0) return 1;
  }
  return 0;
}

// 1 if a constraint does no work, because that of its rows is taken back.
static int is_restored(const LedgerImpulses* x, int index) {
  return x->restored && x->restored[x->of_constraint[index]] &&
         heft_constraint_is_workless(&x->set->list[index]);
}

static int any_impulse(const LedgerImpulses* x, int first) {
  for (int i = first; i < x->set->count; ++i) {
    if (x->impulse[x->set->list[i].row] != 0) return 1;
  }
  return 0;
}

// Adds the work of constraints first <= i. Returns the sum, with that of restored islands.
static double add_rows(const LedgerImpulses* x, int first, HeftDynamics* dynamics,
                       HeftStepReport* report) {
  double sum = 0;
  heft_constraint_set_measure_from(x->set, first, dynamics, NULL, x->v_mean, x->speed);
  for (int i = first; i < x->set->count; ++i) {
    const Constraint* k = &x->set->list[i];
    double work = 0;
    for (int r = k->row; r < k->row + k->rows; ++r) work += x->impulse[r] * x->speed[r];
    if (!is_restored(x, i)) *part_of(report, k->kind) += work;
    sum += work;
  }
  return sum;
}

// The work of contact points is Jᵀ r · v̄ of all impulses, less that of the other rows: most worlds
// have contact points alone.
void heft_ledger_add_impulses(const LedgerImpulses* x, const HeftModel* m, HeftDynamics* dynamics,
                              HeftStepReport* report) {
  const int first = x->set->contact_point_count;
  if (x->set->count == 0 || !(x->set->carried || any_motion(x->v_mean, m->nv))) return;
  if (first > 0 && (!x->joint || x->set->carried)) {
    add_rows(x, 0, dynamics, report);
    return;
  }
  double work = 0;
  for (int i = 0; i < m->nv && first > 0; ++i) work += x->joint[i] * x->v_mean[i];
  if (any_impulse(x, first)) work -= add_rows(x, first, dynamics, report);
  if (first > 0) report->contact_work += work;
}

// ---- potential energy

static double spring_power(const StepInput* in, const double* q, const double* v, double* force) {
  double power = 0;
  memset(force, 0, (size_t)in->model->nv * sizeof(double));
  heft_model_spring_forces(in->model, q, force);
  for (int i = 0; i < in->model->nv; ++i) power += force[i] * v[i];
  return power;
}

double heft_ledger_lift(const StepInput* in, HeftDynamics* dynamics, const double* q_middle,
                        const double* v, double* force) {
  if (!any_motion(v, in->model->nv)) return 0;
  heft_dynamics_velocities(dynamics, v);
  return -in->h * (heft_weight_power(dynamics) + spring_power(in, q_middle, v, force));
}

double heft_ledger_lift_by_bias(const StepInput* in, const double* q_middle, const double* bias,
                                const double* v, double* force) {
  double power = 0;
  if (!any_motion(v, in->model->nv)) return 0;
  for (int i = 0; i < in->model->nv; ++i) power += bias[i] * v[i];
  return in->h * (power - spring_power(in, q_middle, v, force));
}

// ---- sums

double heft_ledger_sum(const HeftStepReport* r) {
  return r->work + r->contact_work + r->limit_work + r->loop_work + r->friction_work +
         r->moved_work + r->correction_work + r->scheme_work - r->damping;
}

void heft_ledger_join(HeftStepReport* all, const HeftStepReport* part) {
  all->work += part->work;
  all->contact_work += part->contact_work;
  all->limit_work += part->limit_work;
  all->loop_work += part->loop_work;
  all->friction_work += part->friction_work;
  all->moved_work += part->moved_work;
  all->correction_work += part->correction_work;
  all->scheme_work += part->scheme_work;
  all->damping += part->damping;
  all->restitution_work += part->restitution_work;
  all->impulse_energy += part->impulse_energy;
  all->energy_change += part->energy_change;
}

void heft_ledger_clear(HeftStepReport* r) {
  r->moved_work = 0;
  r->work = r->contact_work = r->limit_work = r->loop_work = r->friction_work = 0;
  r->correction_work = r->scheme_work = r->damping = r->restitution_work = r->impulse_energy = 0;
}
