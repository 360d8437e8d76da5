// SPDX-License-Identifier: Apache-2.0
// Papers: R25.
// The step: the list of its stages.
#include <math.h>

#include "base/assert.h"
#include "collision/blocked.h"
#include "dynamics/links.h"
#include "world/judge.h"
#include "world/passage.h"
#include "world/taut.h"
#include "world/world_internal.h"

// Restores the state of the start; the report describes that state, with zero work. The contact
// points of a step that was refused because of them stay, with zero forces.
static void roll_back(const HeftWorldDef* def, HeftState* state, const HeftState* before,
                      Constraints* c, HeftStepReport* report) {
  heft_state_copy(state, before);
  heft_ledger_clear(report);
  heft_judge_begin(def, report);
  report->impact_gain = 0;
  report->impacts = 0;
  report->restitution_share = 1;
  if (report->status == HEFT_STEP_CONTACT_REFUSED)
    heft_warm_start_clear(&c->warm_start, c->model);
  else
    heft_constraints_forget(c);
}

// 1 if the work of the report is finite.
static int has_finite_work(const HeftStepReport* report) {
  return isfinite(heft_ledger_sum(report)) && isfinite(report->impulse_energy);
}

// Takes the last try of a part, which the integrator took, completes and judges it. passes: bodies
// pass through each other in it.
static HeftStepStatus complete(HeftWorld* w, int passes, HeftStepReport* report) {
  if (report->status != HEFT_STEP_SOLVED) return report->status;
  if (w->def.integrator != HEFT_INTEGRATOR_RK4) heft_step_moreau_take(w, report);
  if (passes) {
    heft_passage_shorten(w->constraints, &w->input, w->dynamics, w->motion.v_correction, w->state);
    w->fresh = STATE_STALE;
  }
  if (!heft_state_finite(w->state)) return HEFT_STEP_NOT_FINITE;
  const KeeperStep keeping = {.in = &w->input,
                              .dynamics = w->dynamics,
                              .constraints = w->constraints,
                              .speed = w->constraints->free_velocity};
  heft_world_pose(w);
  if (heft_keepers_finish(&w->keepers, &keeping, &w->constraints->warm_start, w->state, report))
    w->fresh = STATE_STALE;
  heft_drives_end(w->drives, w->state->act);
  heft_world_refresh(w);
  // a state may be finite and its energy not
  const int finite = isfinite(w->kinetic) && isfinite(w->potential) && has_finite_work(report);
  if (!heft_state_in_range(w->state))
    return finite && heft_state_finite(w->state) ? HEFT_STEP_OUT_OF_RANGE : HEFT_STEP_NOT_FINITE;
  if (!finite) return HEFT_STEP_NOT_FINITE;
  if (report->restrained > 0) return HEFT_STEP_RESTRAINED;
  if (report->contact_dropped > 0) return HEFT_STEP_CONTACTS_DROPPED;
  return report->inexact > 0 ? HEFT_STEP_INEXACT : HEFT_STEP_SOLVED;
}

// ---- tries
//
// A part of a step is tried until no bodies pass through each other in it (passage.c): with rows
// where they met in the tries before, then in halves, down to eighths. If that does not help, or
// the clock does not allow it, trees that pass are shortened. Only the try that is used changes
// state and outputs.

enum { TRIES = 4, HALVINGS = 3 };

// One try of a part, of the length w->input.h, from the state w->before to w->state. ready: 0 if a
// command is not finite. last: 1 in the last part of a step. Returns 1 if bodies pass through each
// other.
static int try_part(HeftWorld* w, int ready, int last, HeftStepReport* report) {
  const int moreau = w->def.integrator != HEFT_INTEGRATOR_RK4;
  *report = (HeftStepReport){.status = HEFT_STEP_NOT_FINITE, .parts = 1, .restitution_share = 1};
  heft_judge_begin(&w->def, report);
  w->constraints->passage.stopped = 0;
  heft_world_refresh(w);
  if (w->keepers.spin.any) heft_spin_find(&w->keepers.spin, &w->input, w->dynamics, w->state);
  if (ready && heft_drives_begin(w->drives, &w->input))
    report->status = moreau ? heft_step_moreau(w, report) : heft_step_rk4(w, report);
  if (heft_dynamics_deform(w->dynamics)) heft_deform_end(heft_dynamics_deform(w->dynamics));
  w->fresh = STATE_STALE;
  if (report->status != HEFT_STEP_SOLVED) return 0;
  heft_moved_advance(w->moved, w->input.h, last, w->state);
  *w->state->time += w->input.h;
  // velocities may be out of range until the keepers finish: bodies that spin fast
  if (!moreau || !heft_state_finite(w->state) || !heft_state_places_in_range(w->state)) return 0;
  heft_world_pose(w);
  return heft_passage_found(w->constraints, &w->input, w->dynamics, w->state);
}

// Restores the start of a part that is too long. It needs at least so many parts.
static HeftStepReport give_up(HeftWorld* w, const HeftStepReport* report, int parts) {
  HeftStepReport dropped = *report;
  dropped.parts = parts;
  heft_state_copy(w->state, w->before);
  w->fresh = STATE_STALE;
  return dropped;
}

// One part of a substep. If it is too long, it does not move the world, and `parts` is how many it
// needs at least. *halvings: how often it may be halved because of bodies that pass.
static HeftStepReport take_part(HeftWorld* w, int ready, int last, int* halvings) {
  HeftCollider* collider = w->constraints->collider;
  HeftStepReport report;
  heft_state_copy(w->before, w->state);
  heft_world_refresh(w);
  const double energy_before = w->kinetic + w->potential;
  w->input.kinetic = w->kinetic;
  heft_blocked_clear(collider);
  int tries = 0, passes = try_part(w, ready, last, &report);
  while (passes) {
    const int again = tries < TRIES && heft_blocked_add(collider);
    if (!again && *halvings == 0) break;
    if (!heft_budget_may_go_on(&w->budget, BUDGET_TRY)) break;
    report.tries = ++tries;
    if (!again) {
      --*halvings;
      return give_up(w, &report, 2);
    }
    heft_state_copy(w->state, w->before);
    w->fresh = STATE_STALE;
    passes = try_part(w, ready, last, &report);
  }
  report.tries = tries;
  if (report.parts > 1) return give_up(w, &report, report.parts);
  report.status = complete(w, passes, &report);
  if (!heft_step_taken(report.status)) {
    roll_back(&w->def, w->state, w->before, w->constraints, &report);
    w->fresh = STATE_STALE;
  }
  if (last && heft_step_taken(report.status)) heft_moved_end(w->moved, w->model->nmoved);

  heft_world_refresh(w);
  report.time = *w->state->time;
  report.kinetic = w->kinetic;
  report.potential = w->potential;
  report.energy_change = w->kinetic + w->potential - energy_before - heft_ledger_sum(&report);
  if (!heft_step_taken(report.status)) return report;
  heft_momentum_add_shift(&w->keepers.groups, w->dynamics, w->input.h, w->output.v_correction);
  const JudgedStep judged = {.in = &w->input,
                             .dynamics = w->dynamics,
                             .constraints = w->constraints,
                             .end = w->state,
                             .output = &w->output};
  report.status = heft_judge_step(&judged, &report);
  return report;
}

// The report of a step after one more substep: the worse status, sums of work and energy, maxima of
// errors, the state of the last substep.
static HeftStepReport join(const HeftStepReport* sum, const HeftStepReport* part) {
  HeftStepReport all = *part;
  if (sum->status > part->status) all.status = sum->status;
  all.inexact += sum->inexact;
  all.impacts += sum->impacts;
  all.impact_gain = fmax(all.impact_gain, sum->impact_gain);
  all.restitution_share = fmin(all.restitution_share, sum->restitution_share);
  all.sweeps += sum->sweeps;
  all.newton_steps += sum->newton_steps;
  all.fallbacks += sum->fallbacks;
  all.trials += sum->trials;
  all.unequal += sum->unequal;
  all.not_unique += sum->not_unique;
  all.parts += sum->parts;
  all.restrained += sum->restrained;
  all.tries += sum->tries;
  all.contact_dropped =
      part->contact_dropped > sum->contact_dropped ? part->contact_dropped : sum->contact_dropped;
  all.residual = fmax(all.residual, sum->residual);
  all.relative = fmax(all.relative, sum->relative);
  all.cone = fmax(all.cone, sum->cone);
  all.gap_power = fmax(all.gap_power, sum->gap_power);
  all.penetration = fmax(all.penetration, sum->penetration);
  heft_ledger_join(&all, sum);
  heft_judge_join(&all, sum);
  return all;
}

// Sets the length of the next parts.
static void set_length(StepInput* in, Constraints* c, double h) {
  if (h == in->h) return;
  in->h = h;
  heft_step_input_measure_gravity(in);
  heft_rest_wake_all(c->sleep_cache, heft_link_count(in->model));
}

// The parts of a substep.
typedef struct Parts {
  int all;   // of the length of the next one
  int left;  // to be taken
} Parts;

// Makes `factor` parts of each that is left, of a substep of the given length.
static void divide(Parts* parts, int factor, double length, StepInput* in, Constraints* c) {
  parts->all *= factor;
  parts->left *= factor;
  set_length(in, c, length / parts->all);
  if (factor > 1) heft_warm_start_scale(&c->warm_start, in->model, 1.0 / factor);
}

// How many parts are made of one that is too long, of `wanted`: no more than there may be in all,
// and than the budget has time for.
static int more_parts(const Parts* parts, int wanted, int max, Budget* budget) {
  while (wanted * parts->all > max) wanted /= 2;
  return heft_budget_parts(budget, wanted);
}

// A part that is too long is divided, while the budget has time for it; one in which bodies pass
// through each other is halved.
static HeftStepReport substep(HeftWorld* w, int index) {
  const int left = w->def.substeps - index, max = heft_taut_parts_max(w->model, &w->def);
  HeftStepReport report = {.status = HEFT_STEP_SOLVED};
  Parts parts = {1, 1};
  if (w->control) w->control(w->control_user, w, index);
  set_length(&w->input, w->constraints, w->def.time_step);
  const int ready = heft_moved_begin(w->moved, w->input.h * left, w->state, w->moved_before);
  if (w->model->nmoved > 0) w->fresh = 0;
  heft_world_refresh(w);
  heft_spin_find(&w->keepers.spin, &w->input, w->dynamics, w->state);
  if (heft_spin_may_divide(&w->keepers.spin, w->def.spin_parts)) {
    heft_state_copy(w->before, w->state);
    int wanted = heft_spin_parts(&w->keepers.spin, &w->input, w->dynamics, w->def.spin_parts);
    if (wanted > 1) wanted = heft_budget_parts(&w->budget, wanted);
    w->fresh = 0;  // a trial moved the kinematics
    divide(&parts, wanted, w->def.time_step, &w->input, w->constraints);
  }
  int tries = 0, halvings = HALVINGS;
  for (int taken = 0, time = 1; parts.left > 0 && heft_step_taken(report.status);) {
    const int before = halvings;
    w->input.divisible = time && 2 * parts.all <= max && heft_budget_has_room(&w->budget);
    const HeftStepReport part = take_part(w, ready, left == 1 && parts.left == 1, &halvings);
    tries += part.tries;
    if (part.parts > 1) {
      const int passes = halvings < before;
      const int factor = passes ? 2 : more_parts(&parts, part.parts, max, &w->budget);
      if (!passes) time = factor > 1;
      w->keepers.spin.any |= passes;  // is found anew
      divide(&parts, factor, w->def.time_step, &w->input, w->constraints);
      continue;
    }
    report = taken++ > 0 ? join(&report, &part) : part;
    if (w->keepers.spin.any) w->last_flags |= flag_bit(HEFT_DERIVATIVE_SCHEME);
    w->keepers.spin.any = 1;  // is found anew
    --parts.left;
  }
  report.tries = tries;
  if (parts.all > 1) heft_warm_start_scale(&w->constraints->warm_start, w->model, parts.all);
  return report;
}

// What its stages do not show of a step (derivative.c).
static unsigned flags_of(const HeftWorldDef* def, const HeftDynamics* dynamics,
                         const HeftStepReport* report) {
  static const double accurate = 1e-8;  // residual that no derivative shows
  const int whole = report->parts == 1 && report->tries == 0 && def->substeps == 1 &&
                    def->integrator != HEFT_INTEGRATOR_RK4;
  const int solved = report->relative <= fmax(accurate, def->tolerance);
  return (whole ? 0 : flag_bit(HEFT_DERIVATIVE_PARTS)) |
         (solved ? 0 : flag_bit(HEFT_DERIVATIVE_INEXACT)) |
         (dynamics->wrenches ? flag_bit(HEFT_DERIVATIVE_WRENCH) : 0);
}

static HeftStepReport step(HeftWorld* w, uint64_t deadline_ns, const int* work, int count) {
  heft_budget_begin(&w->budget, deadline_ns, work, count);
  w->last_flags = 0;
  HeftStepReport report = substep(w, 0);
  for (int i = 1; i < w->def.substeps && heft_step_taken(report.status); ++i) {
    const HeftStepReport part = substep(w, i);
    report = join(&report, &part);
  }
  w->has_step = heft_step_taken(report.status);
  w->last_flags |= flags_of(&w->def, w->dynamics, &report);
  heft_dynamics_clear_wrenches(w->dynamics);
  heft_couplings_end(w->drives->couplings, heft_step_taken(report.status));
  heft_sensors_outdate(w->sensors, heft_step_taken(report.status));
  heft_budget_end(&w->budget, report.parts + report.tries);
  report.cut = w->budget.acted;
  return report;
}

// The report of a call that breaks its contract: the world has not moved.
static const HeftStepReport no_step = {.status = HEFT_STEP_NOT_FINITE, .restitution_share = 1};

HeftStepReport heft_world_step(HeftWorld* w) {
  HEFT_REQUIRE(w, no_step);
  return step(w, 0, NULL, 0);
}

HeftStepReport heft_world_step_until(HeftWorld* w, uint64_t deadline_ns) {
  HEFT_REQUIRE(w, no_step);
  return step(w, deadline_ns, NULL, 0);
}

HeftStepReport heft_world_step_replay(HeftWorld* w, const int* work, int count) {
  HEFT_REQUIRE(w && count >= 0 && (work || count == 0), no_step);
  static const int none = 0;
  return step(w, 0, work ? work : &none, work ? count : 0);
}

uint64_t heft_world_min_step_ns(const HeftWorld* w) {
  HEFT_REQUIRE(w, 0);
  return w->budget.min_step_ns;
}

int heft_world_effort(const HeftWorld* w, int* work, int max) {
  HEFT_REQUIRE(w && max >= 0 && (work || max == 0), 0);
  const Budget* b = &w->budget;
  for (int i = 0; i < b->noted_count && i < max; ++i) work[i] = b->noted[i];
  return b->noted_count;
}
