// SPDX-License-Identifier: Apache-2.0
// Papers: R10.
// The theta scheme of Moreau and Jean for smooth forces, with Moreau's midpoint ([Moreau
// 1988]; [Jean 1999]; [Acary 2008], section 10.1):
//
//     q_m = q ⊕ h (1 - θ) v
//     M̂ (v⁺ - v) = h (τ - b(q_m, v̄) - C v - K (q_m - q_s) - h (2θ - 1) K v) + Jᵀ r
//     q⁺ = q_m ⊕ hθ v⁺,                              M̂ = M(q_m) + hθ C + h²θ² K
//
// Dampers C and springs K of the joints are evaluated at the time t + θh, so that every stiffness
// is stable. Everything else is evaluated at q_m, which for θ = 1/2 is the middle of the step: the
// scheme is then of order 2, and the energy of a pendulum does not drift. Evaluated at q instead,
// weight would add energy to everything that swings (docs/theory/integrators.md).
//
// The step is a list of stages; each has a file, which fills one struct. The comment at each stage
// names the quantities that it finds.
#include "base/assert.h"
#include "world/ledger.h"
#include "world/midpoint.h"
#include "world/motion.h"
#include "world/passage.h"
#include "world/taut.h"
#include "world/velocities.h"
#include "world/world_internal.h"

// The inputs of the keepers from this step.
static KeeperStep keeper_step(HeftWorld* w) {
  return (KeeperStep){.in = &w->input,
                      .dynamics = w->dynamics,
                      .constraints = w->constraints,
                      .drive_force = w->drives->force,
                      .q_middle = w->middle.q,
                      .v_bias = w->prediction.v_bias,
                      .v = w->state->v,
                      .tension = &w->prediction.tension,
                      .change = w->ledger.external,
                      .force = w->ledger.force,
                      .speed = w->constraints->free_velocity};
}

static VelocityStages velocity_stages(HeftWorld* w) {
  return (VelocityStages){&w->input,      &w->middle,  w->dynamics,    w->drives,
                          w->constraints, &w->keepers, &w->prediction, &w->budget};
}

static LedgerStages ledger_stages(HeftWorld* w) {
  return (LedgerStages){&w->input,      w->constraints, w->drives,          &w->middle,
                        &w->prediction, &w->motion,     &w->keepers.restore};
}

// 1 if loops or tendons turn too far; report->parts: how many times as many parts are needed.
static int is_too_long(const ConstraintSet* set, const StepInput* in, HeftDynamics* dynamics,
                       const double* v, HeftStepReport* report) {
  enum { FACTOR_MAX = 16 };
  const double excess = in->divisible ? heft_taut_excess(set, in, dynamics, v) : 0;
  while (report->parts < excess && report->parts < FACTOR_MAX) report->parts *= 2;
  HEFT_ASSERT(report->parts >= 1);
  return report->parts > 1;
}

HeftStepStatus heft_step_moreau(HeftWorld* w, HeftStepReport* report) {
  const StepInput* in = &w->input;
  HeftDynamics* dynamics = w->dynamics;
  Constraints* c = w->constraints;
  const VelocityStages velocities = velocity_stages(w);
  const LedgerStages ledger = ledger_stages(w);
  double *q = w->state->q, *v = w->state->v;

  // rows J, gaps and bias velocities; islands; times at which bodies meet
  heft_constraints_gather(c, in, dynamics, w->drives);
  heft_islands_group(&c->islands, &c->set, in->model, c->collider, c->solvers.pool);
  heft_passage_schedule(c, in, dynamics);
  // order of each tree; momentum and energies of the start
  heft_midpoint_choose(&c->midpoint, &c->set, &c->islands, in, dynamics);
  heft_lasting_choose(c, in, dynamics);
  KeeperStep keeping = keeper_step(w);
  heft_keepers_begin(&w->keepers, &keeping);
  // θ, q_m, rows there; forces of the drives there
  heft_middle_find(&w->middle, in, dynamics, w->drives, c);
  heft_drives_middle(w->drives, in, dynamics, w->middle.q, w->middle.theta);
  keeping.drive_force = w->drives->force;
  heft_keepers_act(&w->keepers, &keeping);
  // factor of M̂; accelerations without constraints
  if (heft_prediction_find(&w->prediction, in, &w->middle, dynamics, w->drives, c, &w->keepers))
    return HEFT_STEP_SINGULAR;
  // impulses r and velocities v⁺, with their certificates
  if (heft_velocities_solve(&velocities, v, report)) return HEFT_STEP_SINGULAR;
  if (is_too_long(&c->set, in, dynamics, v, report)) return HEFT_STEP_SHORTENED;
  heft_velocities_fall_asleep(c, in);
  heft_prediction_account(&w->prediction, in, &w->middle, dynamics, w->drives, c, &w->keepers, v);
  // velocities by which positions move, and the correction of penetrations and open loops
  heft_motion_find(&w->motion, in, &w->middle, c, &w->keepers.groups, v);
  heft_ledger_add_step(&w->ledger, &ledger, dynamics, v, report);
  heft_motion_correct(&w->motion, in, &w->middle, dynamics, c, &w->budget, q, report);
  heft_ledger_add_correction(&w->ledger, &ledger, dynamics, q, report);
  // work of the step, and the positions q⁺
  heft_keepers_work(&w->keepers, &keeping);
  heft_motion_integrate(&w->motion, in, &w->middle, q);
  return HEFT_STEP_SOLVED;
}

void heft_step_moreau_take(HeftWorld* w, HeftStepReport* report) {
  const StepInput* in = &w->input;
  heft_velocities_store(w->constraints, in);
  heft_step_output_store(&w->output, in, &w->middle, &w->motion, w->state->v);
  if (heft_drives_note_wrenches(w->drives, w->sensors)) {
    heft_dynamics_kinematics(w->dynamics, w->middle.q);
    w->fresh = STATE_STALE;
  }
  heft_drives_finish(w->drives, in, w->dynamics, w->sensors, w->state->v, w->motion.v_mean, report);
}
