// SPDX-License-Identifier: Apache-2.0
// Solving islands: the contact solver finds the impulses, the certificate is made from the same
// problem by code of its own, and where the two disagree the certificate is believed.
#include <math.h>
#include <string.h>

#include "world/apart.h"
#include "world/models/contact_model.h"
#include "world/world_internal.h"

static double larger(double a, double b) { return b > a ? b : a; }

// Where several points of a face carry a load, statics leaves open how they share it, and with it
// whether a block between two pads is held or turns away about one corner: both obey the laws. Real
// faces give way a little, and so share. So islands with many new touches are first solved as if
// all contacts yielded a little; the exact solution is then sought from there, and later steps go
// on from it. Only small islands, whatever the clock says, so that a step can be repeated.
static const double new_share = 0.25;  // of the constraints are new touches
static const double yielding = 0.01;   // HeftContactProblem::compliance
static const double yielding_tolerance = 1e-3;
enum { YIELDING_WORK = 60, YIELDING_MAX = 64 };

static int is_new(const Constraints* c, const Island* island) {
  int fresh = 0;
  if (island->count > YIELDING_MAX) return 0;
  for (int i = 0; i < island->count; ++i) fresh += c->list[island->order[i]].fresh;
  return fresh > 2 && fresh > new_share * island->count;
}

// Impulses to start from, into the warm ones.
static void start_yielding(Constraints* c, const Island* island, Worker* own,
                           const HeftContactProblem* problem, double* impulse) {
  HeftContactProblem soft = *problem;
  soft.compliance = yielding;
  const HeftContactTermination stop = {.tolerance = yielding_tolerance,
                                       .effort_max = YIELDING_WORK};
  heft_contact_solver_solve(own->solver, &soft, &stop, impulse, NULL);
  memcpy(c->sorted_warm + island->row_first, impulse, (size_t)island->rows * sizeof(double));
}

// Where statics leaves forces open, those of least norm if they are asked for. Otherwise those of
// the last step, as near as the new load allows: the solver starts from them and mostly ends beside
// them; where it has gone much further than its first residual asked for, and so far that it
// counts, it is called back.
static const double far = 10, noticed = 1e-3;

static void choose_forces(const HeftWorld* w, const Island* island, Worker* own,
                          const HeftContactProblem* problem, double* impulse, double* velocity) {
  const HeftContactResult* result = &island->result;
  const double tolerance = island->stop.tolerance;
  if (w->def.min_norm_forces)
    heft_contact_solver_select_min_norm(own->solver, problem, tolerance, impulse, velocity);
  else if (!w->constraints->cold && island->count <= YIELDING_MAX && result->effort > 0 &&
           result->displacement > larger(noticed, far * (result->start + tolerance)))
    heft_contact_solver_select_nearest(own->solver, problem, tolerance, impulse, velocity);
}

typedef struct Task {
  HeftWorld* world;
  double* impulse;
  int certify;
} Task;

static void solve_exactly(const Task* task, Island* island, Worker* own,
                          const HeftContactProblem* problem, double* impulse, double* velocity) {
  Constraints* c = task->world->constraints;
  if (task->certify && !c->cold && is_new(c, island))
    start_yielding(c, island, own, problem, impulse);
  island->result =
      heft_contact_solver_solve(own->solver, problem, &island->stop, impulse, velocity);
  // by the residual, not by the status: a step that is repeated has no clock that could stop it
  if (task->certify && island->result.relative <= island->stop.tolerance)
    choose_forces(task->world, island, own, problem, impulse, velocity);
}

// Rows that ask for the same thing twice, like those of a loop in a mechanism that moves in a
// plane, leave forces open. Large ones that cancel each other may grow there from step to step,
// until velocities are taken for solved that the impulses do not give: the certificate sees that.
// Such an island is solved again from nothing, with rows that yield by a hair's breadth, which
// keeps what cancels small; the better answer counts. What gives energy even then is not applied.
static const double hair = 1e-9;    // HeftContactProblem::compliance
static const double trusted = 100;  // times the residual that was asked for

static int is_wrong(const Island* island, const HeftContactProblem* problem) {
  const HeftContactCertificate* proof = &island->proof;
  const double scale =
      proof->relative > 0 ? proof->residual / proof->relative : problem->velocity_scale;
  const double said = larger(island->result.relative, island->stop.tolerance);
  return !(proof->momentum <= said * scale) || !(proof->relative <= trusted * said);
}

// Not under a deadline; and a step that is repeated has work left only if it did so then.
static int may_try_again(const Island* island) {
  return island->stop.deadline_ns == 0 &&
         (island->stop.effort_max == 0 || island->result.effort < island->stop.effort_max);
}

static void mistrust(const Task* task, Island* island, Worker* own,
                     const HeftContactProblem* problem, double* impulse, double* velocity) {
  if (!may_try_again(island) || !is_wrong(island, problem)) return;
  double* first = task->world->constraints->sorted_warm + island->row_first;  // not needed any more
  const HeftContactCertificate old = island->proof;
  const HeftContactResult before = island->result;
  const size_t bytes = (size_t)island->rows * sizeof(double);
  HeftContactProblem soft = *problem;
  soft.compliance = hair;
  soft.warm = NULL;
  memcpy(first, impulse, bytes);
  island->result = heft_contact_solver_solve(own->solver, &soft, &island->stop, impulse, velocity);
  island->result.effort += before.effort;
  island->result.sweeps += before.sweeps;
  island->result.newton_steps += before.newton_steps;
  island->proof = heft_contact_certify(problem, impulse, velocity, own->scratch);
  const double enough = larger(old.relative, trusted * island->stop.tolerance);
  if (island->proof.energy_change <= 0 && island->proof.relative <= enough) return;
  if (old.energy_change <= 0 && old.relative <= island->proof.relative) {
    memcpy(impulse, first, bytes);  // with the velocities that it gives, not those of the solver
    island->proof = heft_contact_certify(problem, impulse, NULL, own->scratch);
    memcpy(velocity, own->scratch, bytes);
  } else if (!(island->proof.energy_change <= 0)) {
    memset(impulse, 0, bytes);
    memcpy(velocity, problem->bias, bytes);
    island->proof = heft_contact_certify(problem, impulse, velocity, own->scratch);
  }
}

static void solve_island(void* arg, int worker, int index) {
  const Task* task = arg;
  Constraints* c = task->world->constraints;
  Island* island = &c->island[index];
  if (island->count == 0 || (task->certify && !c->again[index])) return;
  island->asleep =
      task->certify && !c->cold && heft_rest_asleep(task->world, island, task->impulse);
  if (island->asleep) return;
  Worker* own = &c->workers[worker];
  if (!task->certify && heft_apart_fits(task->world, island)) {
    heft_island_mobility(task->world, island, own->scratch);
    heft_apart_solve(task->world, island, own->scratch, task->impulse);
    return;
  }
  double *impulse = c->sorted_impulse + island->row_first,
         *velocity = c->sorted_velocity + island->row_first;
  const HeftContactProblem problem = heft_island_problem(task->world, island, own->scratch);
  const int other = task->certify && c->model &&
                    heft_contact_model_solve(task->world, island, own, &problem, impulse, velocity);
  if (!other) solve_exactly(task, island, own, &problem, impulse, velocity);
  if (task->certify)
    island->proof = heft_contact_certify(&problem, impulse, velocity, own->scratch);
  if (task->certify && !other) mistrust(task, island, own, &problem, impulse, velocity);
  heft_island_read_back(c, island, task->impulse);
}

// Islands so large that all threads work on one of them, colour by colour.
enum { LARGE = 1024 };

static int is_large(const Constraints* c, const Island* island) {
  return c->pool && island->count >= LARGE;
}

static void solve_unless_large(void* arg, int worker, int index) {
  const Constraints* c = ((const Task*)arg)->world->constraints;
  if (!is_large(c, &c->island[index])) solve_island(arg, worker, index);
}

// Large islands one after the other, all others side by side.
static void solve_all(Constraints* c, Task* task) {
  for (int i = 0; i < c->island_count; ++i) {
    if (is_large(c, &c->island[i])) solve_island(task, 0, i);
  }
  c->sharing = 1;
  heft_pool_run(c->pool, c->island_count, solve_unless_large, task);
  c->sharing = 0;
}

static void add_to_report(HeftStepReport* report, const Island* island, double h) {
  const HeftContactCertificate* proof = &island->proof;
  report->islands += 1;
  report->sleeping += island->asleep;
  report->sweeps += island->result.sweeps;
  report->newton_steps += island->result.newton_steps;
  report->fallbacks += island->fell_back;
  report->residual = larger(report->residual, proof->residual);
  report->relative = larger(report->relative, proof->relative);
  report->cone = larger(report->cone, proof->cone / h);
  report->gap_power = larger(report->gap_power, proof->complementarity / h);
  if (!proof->finite) report->residual = report->relative = (double)INFINITY;
}

void heft_islands_solve(HeftWorld* w, const HeftContactTermination* stop, BudgetStage stage,
                        double* impulse, HeftStepReport* report) {
  Constraints* c = w->constraints;
  Task task = {.world = w, .impulse = impulse, .certify = report != NULL};
  for (int i = 0; i < c->island_count; ++i) {
    c->island[i].result = (HeftContactResult){.effort = 0};
    c->island[i].asleep = c->island[i].settled = c->island[i].fell_back = 0;
    c->island[i].hash = 0;
  }
  heft_budget_share(w, stop, stage);
  solve_all(c, &task);
  heft_budget_note(w, stage);
  for (int i = 0; i < c->island_count && report; ++i) {
    if (c->island[i].count > 0 && c->again[i])
      add_to_report(report, &c->island[i], w->def.time_step);
  }
}
