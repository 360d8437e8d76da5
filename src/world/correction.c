// SPDX-License-Identifier: Apache-2.0
// Papers: R11.
// Position correction: reduces penetrations and errors of equalities at the end of a step.
//
// It moves only positions, with a velocity of its own that is dropped after the step, so that it
// never becomes kinetic energy. The problem is the impulse problem without friction: rows that
// would end in penetration move out by a share of their depth, equalities close by a share of their
// error, all other rows may close as far as they are open.
//
// The error of an equality is measured where the step would end without the correction, so that it
// contains the curvature of the motion: a loop that moves fast opens in every step.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "dynamics/links.h"
#include "world/constraints.h"
#include "world/models/contact_model.h"

enum { CORRECTION_EFFORT = 40 };

static const double share = 0.2;        // of a depth is corrected in a step
static const double closing = 1.0;      // of the error of an equality, or of a tendon
static const double fastest = 1;        // correction is no faster than this [m/s, rad/s]
static const double fastest_link = 50;  // and moves no joint faster [m/s, rad/s]
static const double tolerance = 1e3;    // of its solution, times that of the impulses, and
static const double coarsest = 1e-3;    // at most this: the next step corrects again
static const double slop = 1e-8;        // smaller errors are not corrected [m, rad]

// 1 if the island of a constraint has its first impact within the step: until then it moves with
// other velocities.
static int is_hit_late(const Constraints* c, const Constraint* k) {
  return c->passage.any_impact && c->passage.time[c->islands.of_constraint[k - c->set.list]] > 0;
}

// Distance of a contact point or a limit, or error of an equality, after the step, without the
// curvature of the motion.
static double linear_gap(const Constraints* c, const Constraint* k, const StepInput* in) {
  if (is_hit_late(c, k) && !k->middle) return k->gap + in->h * c->correction.velocity[k->row];
  const double after = c->solution.velocity[k->row] - c->round.bias[k->row];
  if (!k->middle) return k->gap + in->h * after;
  const double theta = in->def->theta, before = *heft_constraint_set_start(&c->set, k);
  HEFT_ASSERT(theta > 0 && theta <= 1);
  return k->gap + in->h * ((1 - theta) * before + theta * after);
}

// As linear_gap(), with the measured errors of equalities.
static double gap_after(const Constraints* c, const Constraint* k, const StepInput* in) {
  if (k->kind != CONSTRAINT_EQUALITY) return linear_gap(c, k, in);
  return c->correction.error[(k - c->set.list) - c->set.contact_point_count];
}

// Errors of the equalities where the positions q_m ⊕ h v_position end, into the correction. Returns
// at the kinematics of q_m. q: scratch.
static void foresee(Constraints* c, const StepInput* in, HeftDynamics* dynamics,
                    const PositionStep* step) {
  const ConstraintSet* set = &c->set;
  int any = 0;
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    if (k->kind != CONSTRAINT_EQUALITY) continue;
    c->correction.error[i - set->contact_point_count] = linear_gap(c, k, in);
    any |= k->direction[0] < 0;
  }
  if (!any) return;
  heft_q_integrate(in->model, step->q_middle, step->v_position, in->h, step->q);
  heft_dynamics_kinematics(dynamics, step->q);
  heft_constraints_foresee(set, in, dynamics, step->q, c->correction.error);
  heft_dynamics_kinematics(dynamics, step->q_middle);
}

// 1 if the constraint has a gap, which may end in penetration.
static int has_gap(const Constraint* k) {
  return k->kind == CONSTRAINT_CONTACT || k->kind == CONSTRAINT_LIMIT ||
         k->kind == CONSTRAINT_TENDON_LIMIT;
}

// Soft contact points yield, and are not corrected; nor are points of contact models that yield.
static int is_left(const Constraints* c, const Constraint* k) {
  return k->softness > 0 ||
         (k->kind == CONSTRAINT_CONTACT && c->contact_model && !c->contact_model->corrects);
}

static int is_wrong(const Constraint* k, double gap) {
  if (k->kind == CONSTRAINT_EQUALITY) return fabs(gap) > slop;
  return has_gap(k) && gap < -slop;
}

static double limited(double speed) { return fmax(-fastest, fmin(speed, fastest)); }

// Fills the constraint set of the correction, one row for each constraint. Dry friction has no
// impulse in it.
static const ConstraintSet* pose_problem(const Constraints* c, Correction* out,
                                         const StepInput* in) {
  const ConstraintSet* set = &c->set;
  const double h = in->h;
  Constraint* list = out->set.list;
  out->set = *set;
  out->set.list = list;
  for (int i = 0; i < set->count; ++i) {
    Constraint* k = &list[i];
    *k = set->list[i];
    const double gap = gap_after(c, &set->list[i], in);
    out->waiting[i] = c->round.waiting[i] | is_left(c, k);
    HEFT_ASSERT(out->waiting[i] == 0 || out->waiting[i] == 1);
    if (has_gap(k)) {
      k->type = HEFT_CONSTRAINT_FRICTIONLESS;
      k->rows = 1;
      const double part = k->kind == CONSTRAINT_TENDON_LIMIT ? closing : share;
      out->velocity[k->row] = gap < 0 ? limited(part * gap / h) : gap / h;
    } else if (k->kind == CONSTRAINT_EQUALITY) {
      out->velocity[k->row] = limited(closing * gap / h);
    } else {
      out->waiting[i] = 1;
    }
  }
  return &out->set;
}

static int is_needed(const Constraints* c, const StepInput* in, HeftStepReport* report) {
  int wrong = 0;
  for (int i = 0; i < c->set.count; ++i) {
    const Constraint* k = &c->set.list[i];
    wrong |= !is_left(c, k) && is_wrong(k, gap_after(c, k, in));
    if (k->kind == CONSTRAINT_CONTACT) report->penetration = fmax(report->penetration, -k->gap);
  }
  return wrong;
}

// Rows of which each can be met, but together only by joints that turn fast and undo each other,
// would move a chain by any amount. The island moves by a share of it then.
static void limit_joints(const IslandSet* islands, const StepInput* in, double* v) {
  for (int n = 0; n < islands->count; ++n) {
    const Island* island = &islands->list[n];
    double most = 0;
    for (int i = 0; i < island->link_count; ++i) {
      const int first = heft_link_dof(in->model, island->links[i]),
                end = first + heft_link_dof_count(in->model, island->links[i]);
      for (int k = first; k < end; ++k) most = fmax(most, fabs(v[k]));
    }
    if (most > fastest_link) heft_island_scale(in->model, island, fastest_link / most, v);
  }
}

void heft_constraints_correct(Constraints* c, const StepInput* in, HeftDynamics* dynamics,
                              Budget* budget, const PositionStep* step, double* v_correction,
                              HeftStepReport* report) {
  Correction* correction = &c->correction;
  memset(v_correction, 0, (size_t)in->model->nv * sizeof(double));
  if (c->passage.any_impact)
    heft_constraint_set_measure(&c->set, dynamics, NULL, step->v_position, correction->velocity);
  foresee(c, in, dynamics, step);
  if (!is_needed(c, in, report)) return;
  const ConstraintSet* set = pose_problem(c, correction, in);
  const SolveRequest request = {.set = set,
                                .waiting = correction->waiting,
                                .cold = 1,
                                .corrects = 1,
                                .velocity = correction->velocity,
                                .impulse = correction->impulse};
  const HeftContactTermination stop = {.tolerance = fmin(coarsest, tolerance * in->def->tolerance),
                                       .effort_max = CORRECTION_EFFORT};
  heft_islands_solve(c, in, dynamics, budget, &request, &stop, BUDGET_CORRECTION);
  heft_constraints_apply(c, set, dynamics, correction->impulse, v_correction);
  limit_joints(&c->islands, in, v_correction);
}
