// SPDX-License-Identifier: Apache-2.0
// Solving islands: the contact solver computes the impulses. The certificate is made from the same
// problem by independent code; if the two disagree, the certificate decides.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/scalar.h"
#include "world/constraints.h"
#include "world/models/contact_model.h"
#include "world/passive.h"
#include "world/rest.h"
#include "world/separate.h"

// One solution of all islands, as the threads see it.
typedef struct Task {
  Constraints* c;
  const StepInput* in;
  const HeftDynamics* dynamics;
  const SolveRequest* request;
  int portion;  ///< islands that a thread solves at a time
} Task;

// The certificate rounds otherwise than the solver, which stops a little below the tolerance so
// that both agree on it.
static const double aimed = 0.999;  // of the tolerance

static HeftContactTermination aim_of(const IslandResult* solved) {
  HeftContactTermination stop = solved->stop;
  stop.tolerance *= aimed;
  return stop;
}

// Redundant rows, as in a loop of a mechanism that moves in a plane, leave forces undetermined.
// Large forces that cancel each other may grow there from step to step, until the solver accepts
// velocities that the impulses do not give. The certificate detects that. Such an island is solved
// again from zero with a tiny regularisation, which keeps cancelling forces small; so is one whose
// impulses are hardly better than none. The better of the two solutions by their certificates is
// used. Each is judged after its loops were solved anew for the impulses of all other rows, if that
// makes it better; impulses that add energy are always replaced so (passive.c). So none are
// discarded, and all loops hold.
static const double regularisation = 1e-9;  // HeftContactProblem::compliance
static const double trusted = 100;          // times the residual that was asked for
static const double useless = 0.1;          // a relative residual as with zero impulses
static const double loose = 1e-4;           // relative velocity of loops that correction closes
static const double shortened = 0.5;        // impulses that the solver scaled down by more

static int is_solved(const IslandResult* solved) {
  return solved->certificate.relative <= solved->stop.tolerance;
}

// The velocity to which the residual is relative.
static double scale_of(const IslandResult* solved, const HeftContactProblem* problem) {
  const HeftContactCertificate* certificate = &solved->certificate;
  return certificate->relative > 0 ? certificate->residual / certificate->relative
                                   : problem->velocity_scale;
}

static int is_uncertified(const IslandResult* solved, const HeftContactProblem* problem) {
  const HeftContactCertificate* certificate = &solved->certificate;
  const double scale = scale_of(solved, problem);
  HEFT_ASSERT(!(scale < 0));
  const double said = heft_max(solved->result.relative, solved->stop.tolerance);
  const int poor = certificate->relative > useless || solved->result.clamp < shortened;
  return !(certificate->momentum <= said * scale) || !(certificate->relative <= trusted * said) ||
         (poor && !is_solved(solved));
}

// Not under a deadline, and not if the effort was the limit. To begin again is a unit of effort, so
// that a replay can see whether there was a second solve.
static int may_try_again(const IslandResult* solved) {
  const int max = solved->stop.effort_max, has_room = max == 0 || solved->result.effort < max;
  return solved->stop.deadline_ns == 0 && solved->result.status != HEFT_CONTACT_EFFORT_SPENT &&
         has_room;
}

// Certifies impulses by the velocities that they give, not by the solver's.
static void certify_alone(IslandResult* solved, const Worker* own,
                          const HeftContactProblem* problem, const double* impulse,
                          double* velocity) {
  solved->certificate =
      heft_contact_solver_certify(own->solver, problem, impulse, NULL, own->scratch);
  memcpy(velocity, own->scratch, (size_t)problem->row_count * sizeof(double));
}

static void judge(IslandResult* solved, const Worker* own, const HeftContactProblem* problem,
                  double* impulse, double* velocity) {
  const size_t bytes = (size_t)problem->row_count * sizeof(double);
  double* kept = own->scratch + heft_contact_certify_scratch(problem);
  certify_alone(solved, own, problem, impulse, velocity);
  const double relative = solved->certificate.relative;
  const double energy = heft_passive_energy(problem, impulse, velocity);
  const int good = energy < 0 && !(solved->result.clamp < shortened);
  const double loops = heft_passive_loop_speed(problem, velocity);
  if (is_solved(solved) ? energy <= 0 : good && loops <= loose * scale_of(solved, problem)) return;
  memcpy(kept, impulse, bytes);
  solved->result.sweeps +=
      heft_passive_impulses(problem, kept + problem->row_count, impulse, velocity);
  certify_alone(solved, own, problem, impulse, velocity);
  if (!good || relative > useless || !(relative < solved->certificate.relative)) return;
  memcpy(impulse, kept, bytes);
  certify_alone(solved, own, problem, impulse, velocity);
}

// Solves again with the effort that is left. first: scratch for the impulses of the first solution.
static void try_again(IslandResult* solved, const Worker* own, const HeftContactProblem* problem,
                      double* first, double* impulse, double* velocity) {
  const IslandResult old = *solved;
  const size_t bytes = (size_t)problem->row_count * sizeof(double);
  HeftContactTermination stop = aim_of(solved);
  const int spent = old.result.effort + 1;
  if (stop.effort_max > 0) stop.effort_max = stop.effort_max > spent ? stop.effort_max - spent : -1;
  HeftContactProblem soft = *problem;
  soft.compliance = regularisation;
  soft.warm = NULL;
  memcpy(first, impulse, bytes);
  solved->result = heft_contact_solver_solve(own->solver, &soft, &stop, impulse, velocity);
  solved->result.effort += spent;
  HEFT_ASSERT(solved->result.effort >= spent);
  solved->result.sweeps += old.result.sweeps;
  solved->result.newton_steps += old.result.newton_steps;
  judge(solved, own, problem, impulse, velocity);
  if (is_solved(solved) || !(old.certificate.relative < solved->certificate.relative)) return;
  memcpy(impulse, first, bytes);
  certify_alone(solved, own, problem, impulse, velocity);
}

static void retry_uncertified(IslandResult* solved, const Worker* own,
                              const HeftContactProblem* problem, double* first, double* impulse,
                              double* velocity) {
  const int uncertified = is_uncertified(solved, problem);
  if (!uncertified && is_solved(solved)) return;
  judge(solved, own, problem, impulse, velocity);
  solved->left_out = uncertified && solved->stop.deadline_ns != 0;
  if (uncertified && may_try_again(solved))
    try_again(solved, own, problem, first, impulse, velocity);
}

// ---- residuals by kinds of rows

// The residuals of an island that the last certificate left in the worker's scratch. A contact
// model other than the exact one is judged by its own equations.
static void note_rows(Constraints* c, const ConstraintSet* set, const Island* island,
                      const HeftContactProblem* problem, const Worker* own, int by_model,
                      IslandResult* solved) {
  const double *residual = own->scratch + problem->row_count,
               *weight = residual + problem->constraint_count, scale = scale_of(solved, problem);
  const int* source = c->problem.source + island->contact_first;
  HEFT_ASSERT(problem->constraint_count <= island->count);
  for (int k = 0; k < ROW_KIND_COUNT; ++k) solved->row[k] = (RowError){0, -1};
  for (int i = 0; i < problem->constraint_count; ++i) {
    RowError* worst = &solved->row[heft_constraint_row_kind(&set->list[source[i]])];
    const double relative = residual[i] / scale;
    c->solution.check[source[i]] = (RowCheck){residual[i], weight[i], scale};
    if (!by_model && !(relative <= worst->relative)) *worst = (RowError){relative, source[i]};
  }
  if (by_model) solved->row[ROW_CONTACT].relative = solved->result.relative;
}

// Adds the row of an equality between bodies to the three rows along the world's axes.
static void turn_back(const IslandProblem* problem, const Constraint* k,
                      const SolveRequest* request, double impulse, double change) {
  const int direction = k->source % 3, row = k->row - direction;
  HEFT_ASSERT(direction >= 0 && row >= 0);
  const HeftVec3 q = heft_mat3_column(problem->turn[k->source / 3], direction);
  const double axis[3] = {q.x, q.y, q.z};
  for (int r = 0; r < 3; ++r) {
    request->impulse[row + r] += axis[r] * impulse;
    request->velocity[row + r] += axis[r] * change;
  }
}

// An island whose impulses and velocities are copied back to the rows of the set.
typedef struct Reading {
  const Constraints* c;
  const SolveRequest* request;
  const Island* island;
} Reading;

static void clear_impulses(void* arg, int first, int end) {
  const Reading* r = arg;
  const Constraint* list = r->request->set->list;
  for (int i = first; i < end; ++i) r->request->impulse[list[r->island->order[i]].row] = 0;
}

static void read_range(void* arg, int first, int end) {
  const Reading* r = arg;
  const Island* island = r->island;
  const SolveRequest* request = r->request;
  const IslandProblem* problem = &r->c->problem;
  for (int i = first; i < end; ++i) {
    const Constraint* k = &request->set->list[problem->source[island->contact_first + i]];
    HEFT_ASSERT(k->row + k->rows <= request->set->row_count);
    const int from = island->row_first + problem->blocks[island->contact_first + i].row;
    const double *impulse = r->c->solution.sorted_impulse + from,
                 *velocity = r->c->solution.sorted_velocity + from;
    if (heft_equality_is_turned(k)) {
      turn_back(problem, k, request, *impulse, *velocity - problem->bias[from]);
      continue;
    }
    for (int row = 0; row < k->rows; ++row) {
      request->impulse[k->row + row] = impulse[row];
      request->velocity[k->row + row] = velocity[row];
    }
  }
}

// Three rows of an equality are sums over several constraints: threads share contact points only.
static void read_back(const Constraints* c, int index, const SolveRequest* request,
                      HeftPool* pool) {
  Reading reading = {c, request, &c->islands.list[index]};
  HeftPool* shared = heft_island_is_contact(reading.island, request->set) ? pool : NULL;
  heft_pool_run_ranges(shared, reading.island->count, CONSTRAINT_RANGE, clear_impulses, &reading);
  heft_pool_run_ranges(shared, c->problem.placed[index], CONSTRAINT_RANGE, read_range, &reading);
}

// Has the contact model of the world solve an island. Returns 0 if it is the exact one, or could
// not.
static int solve_by_model(const Task* task, int index, const Worker* own,
                          const HeftContactProblem* problem, double* impulse, double* velocity) {
  Constraints* c = task->c;
  IslandResult* solved = &c->solution.island[index];
  if (!task->request->certify || !c->contact_model) return 0;
  ModelTask model = {.set = task->request->set,
                     .source = c->problem.source + c->islands.list[index].contact_first,
                     .start = c->start_velocity,
                     .memory = c->model_memory,
                     .model = task->in->model,
                     .dynamics = task->dynamics,
                     .options = &task->in->def->contact_options,
                     .law = task->in->law,
                     .law_user = task->in->law_user,
                     .problem = problem,
                     .stop = &solved->stop,
                     .solver = own->solver,
                     .scratch = own->model,
                     .certificate_scratch = own->scratch,
                     .h = task->in->h,
                     .weight_speed = task->in->weight_speed,
                     .impulse = impulse,
                     .velocity = velocity,
                     .result = &solved->result};
  solved->fell_back = !heft_contact_model_solve(c->contact_model, &model);
  solved->trials = model.trials;
  return !solved->fell_back;
}

// Solved by all threads together: of many constraints, or of a tree with many effectors.
static int is_large(const Constraints* c, int index) {
  const Island* island = &c->islands.list[index];
  int widest = 0;
  if (!c->solvers.pool) return 0;
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    const int own = c->islands.trees[t].effector_count;
    widest = own > widest ? own : widest;
  }
  return island->count >= LARGE_ISLAND || widest >= WIDE_TREE;
}

static void solve_island(void* arg, int worker, int index) {
  const Task* task = arg;
  const SolveRequest* request = task->request;
  Constraints* c = task->c;
  const Island* island = &c->islands.list[index];
  HEFT_ASSERT(index >= 0 && index < c->islands.count && worker >= 0 &&
              worker < c->solvers.worker_count);
  IslandResult* solved = &c->solution.island[index];
  if (island->count == 0 || (request->again && !request->again[index])) return;
  for (int i = 0; i < island->count && request->certify; ++i)
    c->solution.check[island->order[i]] = (RowCheck){0, 0, 0};
  solved->asleep =
      request->certify && !request->cold && task->in->def->sleep && !c->contact_model &&
      heft_rest_asleep(task->in, task->dynamics, island, c->sleep_cache, request, solved);
  if (solved->asleep) {
    solved->inexact = !is_solved(solved);
    return;
  }
  const Worker* own = &c->solvers.workers[worker];
  HeftPool* pool = is_large(c, index) ? c->solvers.pool : NULL;
  heft_contact_solver_bind(own->solver, island->count < LARGE_ISLAND ? c->solvers.share_bytes : 0);
  if (!request->certify && heft_separate_fits(request->set, &c->islands, island)) {
    heft_island_mobility(&c->problem, &c->islands, index, task->dynamics, pool, own->scratch);
    heft_separate_solve(request, &c->islands, island, &c->problem, pool, own->scratch, solved);
    return;
  }
  double *impulse = c->solution.sorted_impulse + island->row_first,
         *velocity = c->solution.sorted_velocity + island->row_first;
  const HeftContactProblem problem = heft_island_problem(
      &c->problem, &c->islands, index, request, task->in, task->dynamics, pool, own->scratch);
  const int by_model = solve_by_model(task, index, own, &problem, impulse, velocity);
  if (!by_model) {
    const HeftContactTermination stop = aim_of(solved);
    solved->result = heft_contact_solver_solve(own->solver, &problem, &stop, impulse, velocity);
  }
  const uint64_t searched_ns = solved->stop.deadline_ns ? heft_clock_ns() : 0;
  HEFT_ASSERT(solved->result.clamp >= 0 && solved->result.clamp <= 1);
  if (request->certify)
    solved->certificate =
        heft_contact_solver_certify(own->solver, &problem, impulse, velocity, own->scratch);
  if (request->certify && !by_model)
    retry_uncertified(solved, own, &problem, c->problem.warm + island->row_first, impulse,
                      velocity);
  solved->inexact =
      by_model ? !(solved->result.relative <= solved->stop.tolerance) : !is_solved(solved);
  if (request->certify) note_rows(c, request->set, island, &problem, own, by_model, solved);
  read_back(c, index, request, pool);
  if (searched_ns) solved->after_ns = heft_clock_ns() - searched_ns;
}

enum { PORTIONS = 64 };

static void solve_portion(void* arg, int worker, int index) {
  const Task* task = arg;
  const int first = index * task->portion, end = first + task->portion;
  for (int i = first; i < end && i < task->c->islands.count; ++i) {
    if (!is_large(task->c, i)) solve_island(arg, worker, i);
  }
}

// Large islands one after the other, all others in parallel: in portions if there are many, because
// the shares of neighbours lie in the same lines of the cache.
static void solve_all(Task* task) {
  Constraints* c = task->c;
  const int count = c->islands.count, portion = count / PORTIONS;
  for (int i = 0; i < count; ++i) {
    if (is_large(c, i)) solve_island(task, 0, i);
  }
  task->portion = portion < 1 ? 1 : portion > ISLAND_RANGE ? ISLAND_RANGE : portion;
  HEFT_ASSERT(task->portion >= 1);
  c->solvers.sharing = 1;
  heft_pool_run(c->solvers.pool, (count + task->portion - 1) / task->portion, solve_portion, task);
  c->solvers.sharing = 0;
}

// The place of a constraint in a report.
static void add_row(HeftStepReport* report, const StepInput* in, const ConstraintSet* set,
                    RowKind kind, const RowError* worst) {
  int place[2] = {-1, -1};
  if (worst->constraint >= 0) heft_constraint_set_place(set, in->model, worst->constraint, place);
  heft_step_report_raise(report, (HeftStepQuantity)kind, worst->relative, place[0], place[1]);
}

// Whether forces and motion are the ones of equal compliance. body: one of the island.
static void add_uniqueness(HeftStepReport* report, const IslandResult* solved, int body) {
  const int unequal = !solved->asleep && !solved->result.equal;
  report->unequal += unequal;
  report->not_unique += solved->result.not_unique;
  if (unequal) heft_step_report_raise(report, HEFT_QUANTITY_FREE_FORCES, report->unequal, body, -1);
  if (solved->result.not_unique)
    heft_step_report_raise(report, HEFT_QUANTITY_FREE_MOTION, report->not_unique, body, -1);
}

static void add_to_report(HeftStepReport* report, const StepInput* in, const ConstraintSet* set,
                          const IslandResult* solved) {
  const double h = in->h;
  const HeftContactCertificate* certificate = &solved->certificate;
  report->islands += 1;
  report->sleeping += solved->asleep;
  report->sweeps += solved->result.sweeps;
  report->newton_steps += solved->result.newton_steps;
  report->fallbacks += solved->fell_back;
  report->trials += solved->trials;
  report->inexact += solved->inexact;
  report->residual = heft_max(report->residual, certificate->residual);
  report->relative = heft_max(report->relative, certificate->relative);
  report->cone = heft_max(report->cone, certificate->cone / h);
  report->gap_power = heft_max(report->gap_power, certificate->complementarity / h);
  if (!certificate->finite) report->residual = report->relative = (double)INFINITY;
  for (int k = 0; k < ROW_KIND_COUNT; ++k) add_row(report, in, set, (RowKind)k, &solved->row[k]);
}

void heft_islands_solve(Constraints* c, const StepInput* in, HeftDynamics* dynamics, Budget* budget,
                        const SolveRequest* request, const HeftContactTermination* stop,
                        BudgetStage stage) {
  const IslandSet* islands = &c->islands;
  IslandResult* results = c->solution.island;
  Task task = {.c = c, .in = in, .dynamics = dynamics, .request = request};
  for (int i = 0; i < islands->count; ++i) {
    if (request->again && !request->again[i]) continue;
    results[i].result = (HeftContactResult){.effort = 0};
    results[i].asleep = results[i].settled = results[i].fell_back = results[i].inexact =
        results[i].trials = results[i].left_out = 0;
    results[i].after_ns = 0;
    results[i].hash = 0;
  }
  heft_budget_share(budget, in, islands, request->again, stop, stage, results);
  solve_all(&task);
  heft_budget_note(budget, islands, request->again, results, stage);
}

void heft_islands_report(const IslandSet* islands, const ConstraintSet* set,
                         const IslandSolution* solution, const int* again, const StepInput* in,
                         HeftStepReport* report) {
  for (int i = 0; i < islands->count; ++i) {
    const Island* island = &islands->list[i];
    if (island->count == 0 || !again[i]) continue;
    add_to_report(report, in, set, &solution->island[i]);
    add_uniqueness(report, &solution->island[i], heft_link_body(in->model, island->links[0]));
  }
}
