// SPDX-License-Identifier: Apache-2.0
// The energy ledger of a step.
//
// With the mean velocity v̄ = (v + v⁺) / 2 and a mass matrix M, the kinetic energy changes by
//
//     ½ v⁺ᵀ M v⁺ - ½ vᵀ M v = v̄ · M (v⁺ - v) = v̄ · (h Σ f + Σ Jᵀ r)
//
// exactly, so the work of each force f is h f · v̄, and the work of each impulse r is r · J v̄;
// weight and springs are in the potential energy. Each part is computed from its own forces or
// impulses and from v̄, never as the rest of the balance:
//
//     Δ(T + V) = work + contact + limits + loops + dry friction + moved bodies + correction
//                + scheme - damping + defect.
//
// Positions should move by h v̄, but with θ = 1 they move by h v⁺: along the difference, weight,
// springs and inertia forces b do the work of the scheme of first order, which damps by it. The
// defect (HeftStepReport::energy_change) is all that is left:
// - the change of M during the step, M(q⁺) - M(q_m) and M(q_m) - M(q), against the bias forces;
// - the curvature of V, and springs and dampers that are taken at the end of the step;
// - the corrections of velocities for momentum and energy (momentum.c, restore.c, soft_store.c),
//   and fast spin (spin.c).
// A world at rest has v = v⁺ = 0: each part is zero, and so is the defect.
//
// Velocities of rows are relative to surfaces that move by prescription (surface.c), whose own work
// is moved_work.
//
// Trees that bounce in flight (motion.c) receive their impulses first, and weight acts after that:
// impulses act at the mean of the velocities before and after them.
#include "world/ledger.h"
#include "base/assert.h"

#include <string.h>

#include "dynamics/bonds.h"
#include "dynamics/links.h"
#include "dynamics/tree_momentum.h"

void heft_ledger_place(Ledger* x, Arena* arena, const HeftModel* m) {
  x->external = arena_take(arena, m->nv, double);
  x->force = arena_take(arena, m->nv, double);
}

// ---- impulses

typedef struct Impulses {
  const ConstraintSet* set;
  const double* impulse;     // rows
  const double* joint;       // nv: Jᵀ of all of them, or NULL
  const double* v_mean;      // nv: mean velocity while they act
  const int* of_constraint;  // the island of each constraint
  const int* restored;       // islands whose loops do no work (restore.c); NULL: none
  double* speed;             // rows: scratch
} Impulses;

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
    case CONSTRAINT_CONTACT:
    case CONSTRAINT_KIND_COUNT:
      break;
  }
  return &report->contact_work;
}

static int any_motion(const double* v, int count) {
  for (int i = 0; i < count; ++i) {
    if (v[i] != 0) return 1;
  }
  return 0;
}

// 1 if a constraint does no work, because the work of its rows is undone.
static int is_restored(const Impulses* x, int index) {
  HEFT_ASSERT(index >= 0 && index < x->set->count);
  return x->restored && x->restored[x->of_constraint[index]] == RESTORE_BALANCED &&
         heft_constraint_is_workless(&x->set->list[index]);
}

static int any_impulse(const Impulses* x, int first) {
  for (int i = first; i < x->set->count; ++i) {
    if (x->impulse[x->set->list[i].row] != 0) return 1;
  }
  return 0;
}

// Adds the work of constraints first <= i. Returns the sum, restored islands included.
static double add_rows(const Impulses* x, int first, HeftDynamics* dynamics,
                       HeftStepReport* report) {
  double sum = 0;
  heft_constraint_set_measure_from(x->set, first, dynamics, NULL, x->v_mean, x->speed);
  for (int i = first; i < x->set->count; ++i) {
    const Constraint* k = &x->set->list[i];
    HEFT_ASSERT(k->row + k->rows <= x->set->row_count);
    double work = 0;
    for (int r = k->row; r < k->row + k->rows; ++r) work += x->impulse[r] * x->speed[r];
    if (!is_restored(x, i)) *part_of(report, k->kind) += work;
    sum += work;
  }
  return sum;
}

// The work of contact points is Jᵀ r · v̄ of all impulses, less the work of the other rows: most
// worlds have only contact points.
static void add_impulses(const Impulses* x, const HeftModel* m, HeftDynamics* dynamics,
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

// The power of joint springs at the velocity v. force (nv): scratch.
static double spring_power(const StepInput* in, const double* q, const double* v, double* force) {
  double power = 0;
  memset(force, 0, (size_t)in->model->nv * sizeof(double));
  heft_model_spring_forces(in->model, q, force);
  for (int i = 0; i < in->model->nv; ++i) power += force[i] * v[i];
  return power;
}

// The energy that weight and springs of joints gain if the positions move by h v (nv).
static double lift(const StepInput* in, HeftDynamics* dynamics, const double* q_middle,
                   const double* v, double* force) {
  if (!any_motion(v, in->model->nv)) return 0;
  heft_dynamics_velocities(dynamics, v);
  return -in->h * (heft_weight_power(dynamics) + spring_power(in, q_middle, v, force));
}

// As lift(), with the bias force b(q_m, v) (nv) instead of weight. The bias contains the wrenches,
// which `external` has beside the joint forces.
static double lift_by_bias(const StepInput* in, const double* q_middle, const double* bias,
                           const double* external, const double* v, double* force) {
  double power = 0;
  if (!any_motion(v, in->model->nv)) return 0;
  for (int i = 0; i < in->model->nv; ++i)
    power += (bias[i] + (external[i] - in->joint_force[i])) * v[i];
  return in->h * (power - spring_power(in, q_middle, v, force));
}

static int any_node_moves(const HeftModel* m, const double* v) {
  for (int k = 1; k < heft_link_count(m); ++k) {
    const int first = heft_link_dof(m, k), end = first + heft_link_dof_count(m, k);
    for (int i = first; i < end && heft_link_deforms(m, k); ++i) {
      if (v[i] != 0) return 1;
    }
  }
  return 0;
}

// The elastic energy that the correction adds to the motion of the positions. q: scratch.
static double elastic_correction(const LedgerStages* x, HeftDynamics* dynamics, double* q) {
  const StepInput* in = x->in;
  const HeftModel* m = in->model;
  if (!heft_dynamics_deform(dynamics) || !any_node_moves(m, x->motion->v_correction)) return 0;
  heft_q_integrate(m, x->middle->q, x->motion->v_position, in->h, q);
  const double before = heft_bonds_energy_at(dynamics, q);
  heft_q_integrate(m, q, x->motion->v_correction, in->h, q);
  const double after = heft_bonds_energy_at(dynamics, q);
  heft_dynamics_kinematics(dynamics, x->middle->q);
  return after - before;
}

// ---- the parts of a step

// Forces from outside, and dampers, at the mean velocity.
static void add_forces(const Ledger* ledger, const LedgerStages* x, HeftStepReport* report) {
  const HeftModel* m = x->in->model;
  const double *mean = x->motion->v_mean, h = x->in->h;
  double work = report->work, damping = report->damping;
  for (int i = 0; i < m->nv; ++i) {
    work += h * ledger->external[i] * mean[i];
    damping += h * m->dof_damping[i] * mean[i] * mean[i];
  }
  report->work = work;
  report->damping = damping;
}

// The work of the scheme along the motion of positions beyond the mean velocity.
static double scheme_work(Ledger* ledger, const LedgerStages* x, HeftDynamics* dynamics,
                          const double* v) {
  const StepInput* in = x->in;
  const double* beyond = x->motion->v_beyond;
  const double elastic = heft_dynamics_deform(dynamics) ? -heft_bonds_work(dynamics, v, beyond) : 0;
  return lift_by_bias(in, x->middle->q, x->prediction->bias_force, ledger->external, beyond,
                      ledger->force) +
         elastic +
         heft_tension_work(&x->prediction->tension, in, dynamics, v,
                           x->constraints->midpoint.first_order);
}

void heft_ledger_add_step(Ledger* ledger, const LedgerStages* x, HeftDynamics* dynamics,
                          const double* v, HeftStepReport* report) {
  const HeftModel* m = x->in->model;
  const Constraints* c = x->constraints;
  const Impulses impulses = {.set = &c->set,
                             .impulse = c->solution.impulse,
                             .joint = heft_constraints_joint_impulse(c),
                             .v_mean = x->motion->v_impulse,
                             .of_constraint = c->islands.of_constraint,
                             .restored = x->restore->any ? x->restore->chosen : NULL,
                             .speed = c->free_velocity};
  memcpy(ledger->external, x->in->joint_force, (size_t)m->nv * sizeof(double));
  heft_dynamics_wrenches_to_joints(dynamics, ledger->external);
  add_forces(ledger, x, report);
  report->scheme_work += scheme_work(ledger, x, dynamics, v);
  add_impulses(&impulses, m, dynamics, report);
  heft_cross_tree_tendons_work(x->drives->tendon_constraints, x->motion->v_mean, report);
}

void heft_ledger_add_correction(Ledger* ledger, const LedgerStages* x, HeftDynamics* dynamics,
                                double* q, HeftStepReport* report) {
  report->correction_work +=
      lift(x->in, dynamics, x->middle->q, x->motion->v_correction, ledger->force) +
      elastic_correction(x, dynamics, q);
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
