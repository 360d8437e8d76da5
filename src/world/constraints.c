// SPDX-License-Identifier: Apache-2.0
// Constraints: the memory of all stages, the solution for the impulses, and their application.
#include "world/constraints.h"

#include <string.h>

#include "base/error.h"
#include "dynamics/links.h"
#include "math/simd.h"
#include "world/models/contact_model.h"
#include "world/rest.h"
#include "world/separate.h"

enum { ROWS_PER_CONTACT = 6, FACTOR_BYTES = 1 << 20, FACTOR_BYTES_EACH = 8192 };

// ---- memory

static void place_set(ConstraintSet* set, Arena* arena, int nlink) {
  set->list = arena_take(arena, set->capacity, Constraint);
  set->axis = arena_take_bytes(arena, (size_t)set->row_capacity, sizeof *set->axis);
  set->bias = arena_take(arena, set->row_capacity, double);
  set->warm = arena_take(arena, set->row_capacity, double);
  set->tied = arena_take(arena, nlink, int);
}

static void place_warm_start(WarmStart* warm, Arena* arena, int capacity, const HeftModel* m) {
  warm->contact = arena_take(arena, capacity, WarmContact);
  warm->by_source[CONSTRAINT_LIMIT] = arena_take(arena, 2L * m->nv, double);
  warm->by_source[CONSTRAINT_DRY] = arena_take(arena, m->nv, double);
  warm->by_source[CONSTRAINT_EQUALITY] = arena_take(arena, 6L * m->nequality, double);
  warm->by_source[CONSTRAINT_TENDON_LIMIT] = arena_take(arena, 2L * m->ntendon, double);
  warm->by_source[CONSTRAINT_TENDON_DRY] = arena_take(arena, m->ntendon, double);
}

static void place_islands(IslandSet* x, Arena* arena, const Constraints* c, int directions) {
  const HeftModel* m = c->model;
  const int nlink = heft_link_count(m), n = c->set.capacity;
  x->list = arena_take(arena, nlink, Island);
  x->of_constraint = arena_take(arena, n, int);
  x->order = arena_take(arena, n, int);
  x->first = arena_take(arena, nlink + 1, int);
  x->active = arena_take(arena, nlink, int);
  x->effectors = arena_take(arena, c->effector_capacity, HeftEffector);
  x->trees = arena_take(arena, nlink, HeftContactTree);
  x->tree_links = arena_take(arena, nlink, int);
  x->tree_dofs = arena_take(arena, nlink, int);
  x->tree_directions = arena_take(arena, nlink, int);
  x->link_effector = arena_take(arena, nlink, int);
  x->dof_effector = arena_take(arena, m->nv, int);
  x->dof_slot = arena_take(arena, m->nv, int);
  x->direction_effector = arena_take(arena, directions, int);
  x->direction_slot = arena_take(arena, directions, int);
  x->found_link = arena_take(arena, nlink, int);
  x->found_dof = arena_take(arena, m->nv, int);
  x->found_direction = arena_take(arena, directions, int);
  x->root_place = arena_take(arena, nlink, int);
  x->joined = arena_take_bytes(arena, (size_t)(m->nequality + directions) + 1, sizeof *x->joined);
}

static void place_round(ImpactRound* x, Arena* arena, const Constraints* c) {
  const int n = c->set.capacity, rows = c->set.row_capacity, nv = c->model->nv;
  x->own_bias = arena_take(arena, rows, double);
  x->waiting = arena_take(arena, n, int);
  x->bounces = arena_take(arena, n, int);
  x->again = arena_take(arena, heft_link_count(c->model), int);
  x->drift = arena_take(arena, nv, double);
  x->v_arrival = arena_take(arena, nv, double);
  x->arrival = arena_take(arena, rows, double);
  x->speed = arena_take(arena, rows, double);
}

static void place_problem(IslandProblem* x, Arena* arena, const Constraints* c) {
  const int nlink = heft_link_count(c->model), n = c->set.capacity, rows = c->set.row_capacity;
  x->blocks = arena_take(arena, n, HeftConstraintBlock);
  x->source = arena_take(arena, n, int);
  x->bias = arena_take(arena, rows, double);
  x->warm = arena_take(arena, rows, double);
  x->jacobian = arena_take_bytes(arena, (size_t)rows, sizeof *x->jacobian);
  x->omega = arena_take(arena, c->omega_max, double);
  x->mobile = arena_take(arena, nlink, int);
  x->placed = arena_take(arena, nlink, int);
}

static void place_solution(IslandSolution* x, Arena* arena, int nlink, int rows) {
  x->island = arena_take(arena, nlink, IslandResult);
  x->impulse = arena_take(arena, rows, double);
  x->velocity = arena_take(arena, rows, double);
  x->sorted_impulse = arena_take(arena, rows, double);
  x->sorted_velocity = arena_take(arena, rows, double);
}

static void place_solvers(Solvers* x, Arena* arena) {
  x->workers = arena_take(arena, x->worker_count, Worker);
  for (int i = 0; i < x->worker_count; ++i) {
    double* scratch = arena_take(arena, x->scratch_max, double);
    if (scratch) x->workers[i].scratch = scratch;
  }
}

static void place(void* object, Arena* arena, const void* user) {
  Constraints* c = object;
  const TendonConstraints* tendons = user;
  const int nlink = heft_link_count(c->model), n = c->set.capacity, rows = c->set.row_capacity;
  place_set(&c->set, arena, nlink);
  place_warm_start(&c->warm_start, arena, n, c->model);
  place_islands(&c->islands, arena, c, tendons->count);
  place_round(&c->round, arena, c);
  place_problem(&c->problem, arena, c);
  place_solution(&c->solution, arena, nlink, rows);
  place_solvers(&c->solvers, arena);
  c->correction.set.list = arena_take(arena, n, Constraint);
  c->correction.waiting = arena_take(arena, n, int);
  c->correction.velocity = arena_take(arena, rows, double);
  c->correction.impulse = arena_take(arena, rows, double);
  c->model_memory = arena_take_bytes(arena, (size_t)n, sizeof *c->model_memory);
  c->start_velocity = arena_take(arena, rows, double);
  c->sleep_cache = arena_take(arena, nlink, SleepCache);
  c->regime = arena_take(arena, nlink, int);
  c->round_impulse = arena_take(arena, rows, double);
  c->free_velocity = arena_take(arena, rows, double);
  c->wrench = arena_take_bytes(arena, (size_t)nlink, sizeof *c->wrench);
  c->joint_impulse = arena_take(arena, c->model->nv, double);
}

// Counts the effectors that all trees can have: links, dofs by six, tendon directions by six.
// counts: scratch, 3 nlink. Returns the largest number of a tree.
static int count_effectors(Constraints* sizes, const TendonConstraints* tendons, int* counts) {
  const HeftModel* m = sizes->model;
  const int nlink = heft_link_count(m);
  int *links = counts, *dofs = counts + nlink, *directions = counts + 2L * nlink, max = 1;
  memset(counts, 0, 3 * (size_t)nlink * sizeof(int));
  for (int k = 1; k < nlink; ++k) ++links[heft_link_root(m, k)];
  for (int i = 0; i < m->nv; ++i) ++dofs[heft_dof_root(m, i)];
  for (int i = 0; i < tendons->count; ++i) ++directions[tendons->root[i]];
  for (int root = 1; root < nlink; ++root) {
    if (links[root] == 0) continue;
    const int effectors =
        links[root] + heft_effectors_of(dofs[root]) + heft_effectors_of(directions[root]);
    sizes->effector_capacity += effectors;
    sizes->omega_max += 36 * (size_t)effectors * (size_t)effectors;
    if (effectors > max) max = effectors;
  }
  return max;
}

// ---- threads for the colours of one large island

typedef struct Share {
  void (*task)(void* arg, int index);
  void* arg;
} Share;

static void run_share(void* arg, int worker, int index) {
  const Share* share = arg;
  (void)worker;
  share->task(share->arg, index);
}

// The solver's runner: all threads, unless they share islands already.
static void run_colour(void* user, int count, void (*task)(void* arg, int index), void* arg) {
  const Solvers* solvers = user;
  Share share = {task, arg};
  heft_pool_run(solvers->sharing ? NULL : solvers->pool, count, run_share, &share);
}

static HeftStatus create_solvers(Constraints* c, const HeftAllocator* allocator, int tree_max,
                                 HeftError* error) {
  Solvers* solvers = &c->solvers;
  HeftContactSolverDef def = heft_contact_solver_def_default();
  def.constraint_capacity = c->set.capacity;
  def.row_capacity = c->set.row_capacity;
  def.effector_capacity = c->effector_capacity;
  def.tree_effector_capacity = tree_max;
  def.factor_bytes = FACTOR_BYTES + (size_t)c->set.capacity * FACTOR_BYTES_EACH;
  def.allocator = *allocator;
  for (int i = 0; i < solvers->worker_count; ++i) {
    def.run = i == 0 && solvers->worker_count > 1 ? run_colour : NULL;
    def.run_user = solvers;
    const HeftStatus status = heft_contact_solver_create(&solvers->workers[i].solver, &def, error);
    if (status != HEFT_OK) return status;
  }
  if (solvers->worker_count == 1) return HEFT_OK;
  return heft_pool_create(&solvers->pool, solvers->worker_count, allocator, error);
}

// The certificate's scratch for the largest possible problem.
static size_t certificate_scratch(const Constraints* c) {
  const HeftContactProblem largest = {.constraint_count = c->set.capacity,
                                      .row_count = c->set.row_capacity,
                                      .effector_count = c->effector_capacity};
  return heft_contact_certify_scratch(&largest);
}

// Everything that follows from the model alone.
static HeftStatus measure_sizes(Constraints* sizes, const HeftAllocator* allocator,
                                const HeftDynamics* dynamics, const TendonConstraints* tendons,
                                int* tree_max, HeftError* error) {
  const HeftModel* m = sizes->model;
  const size_t size = 3 * (size_t)heft_link_count(m) * sizeof(int);
  int* counts = allocator->allocate(allocator->user, size, ARENA_ALIGNMENT);
  if (!counts)
    return heft_error_set(error, HEFT_ERR_MEMORY,
                          "no memory to measure the constraints of a world");
  *tree_max = count_effectors(sizes, tendons, counts);
  allocator->release(allocator->user, counts, size);
  const int contact_points = heft_collider_contact_capacity(sizes->collider);
  const int others = 3 * m->nv + 6 * m->nequality + 3 * m->ntendon + 1;
  sizes->set.capacity = contact_points + others;
  sizes->set.row_capacity = ROWS_PER_CONTACT * contact_points + others;
  const size_t needs[3] = {heft_dynamics_delassus_effectors_scratch(dynamics, *tree_max),
                           certificate_scratch(sizes),
                           heft_separate_scratch(sizes->set.capacity, sizes->effector_capacity)};
  for (int i = 0; i < 3; ++i) {
    if (needs[i] > sizes->solvers.scratch_max) sizes->solvers.scratch_max = needs[i];
  }
  return HEFT_OK;
}

HeftStatus heft_constraints_create(Constraints** out, const HeftModel* m, const HeftWorldDef* def,
                                   const HeftDynamics* dynamics, const TendonConstraints* tendons,
                                   HeftError* error) {
  const HeftAllocator* allocator = &def->allocator;
  HeftColliderDef collider = heft_collider_def_default();
  collider.allocator = allocator;
  collider.contact_capacity = def->contact_capacity;
  collider.margin = def->margin;
  Constraints sizes = {.model = m, .solvers = {.worker_count = def->threads}};
  HeftStatus status = heft_collider_create(&sizes.collider, m, &collider, error);
  if (status != HEFT_OK) return status;
  int tree_max = 1;
  status = measure_sizes(&sizes, allocator, dynamics, tendons, &tree_max, error);
  Constraints* c = status == HEFT_OK ? heft_block_create(&sizes, sizeof sizes, place, tendons,
                                                         allocator, "constraints", error)
                                     : NULL;
  if (!c) {
    heft_collider_destroy(sizes.collider);
    return status == HEFT_OK ? HEFT_ERR_MEMORY : status;
  }
  for (int k = 0; k < heft_link_count(m); ++k) c->islands.link_effector[k] = -1;
  for (int i = 0; i < m->nv; ++i) c->islands.dof_effector[i] = -1;
  for (int i = 0; i < tendons->count; ++i) c->islands.direction_effector[i] = -1;
  c->round.bias = c->set.bias;
  *out = c;
  return create_solvers(c, allocator, tree_max, error);
}

void heft_constraints_destroy(Constraints* c, const HeftAllocator* allocator) {
  if (!c) return;
  heft_pool_destroy(c->solvers.pool);
  for (int i = 0; i < c->solvers.worker_count; ++i)
    heft_contact_solver_destroy(c->solvers.workers[i].solver);
  heft_collider_destroy(c->collider);
  heft_block_destroy(c, allocator);
}

void heft_constraints_forget(Constraints* c) {
  c->set.count = c->set.row_count = c->set.contact_point_count = 0;
  heft_warm_start_clear(&c->warm_start, c->model);
}

// ---- applying impulses

// Adds the impulses of a constraint's rows to the wrenches of its links. The six numbers of a side
// are loaded as two overlapping fours: 0 to 3, and 2 to 5.
HEFT_INLINE void apply_to_links(const ConstraintSet* set, const Constraint* k,
                                const double* impulse, double (*wrenches)[8]) {
  for (int s = 0; s < 2; ++s) {
    if (k->link[s] == 0) continue;
    V4 torque = v4_all(0), force = v4_all(0);
    for (int r = k->row; r < k->row + k->rows; ++r) {
      const double* axis = set->axis[r] + 6L * s;
      torque += v4_load(axis) * impulse[r];
      force += v4_load(axis + 2) * impulse[r];
    }
    double* wrench = wrenches[k->link[s]];
    const V4 zero = v4_all(0);
    v4_store(wrench, v4_load(wrench) + V4_SHUFFLE(torque, zero, 0, 1, 2, 4));
    v4_store(wrench + 4, v4_load(wrench + 4) + V4_SHUFFLE(force, zero, 1, 2, 3, 4));
  }
}

// The same for dofs and tendon directions, which have one row.
HEFT_INLINE void apply_to_joints(const ConstraintSet* set, const Constraint* k, double impulse,
                                 double* change) {
  const double* axis = set->axis[k->row];
  for (int s = 0; s < 3 && k->dof[s] >= 0; ++s) change[k->dof[s]] += axis[s] * impulse;
  for (int s = 0; s < 2 && k->direction[s] >= 0; ++s) {
    const HeftJointDirection* along = &set->direction[k->direction[s]];
    for (int n = 0; n < along->count; ++n)
      change[along->dof[n]] += axis[0] * along->arm[n] * impulse;
  }
}

HEFT_CLONES_V4
static void apply_all(const ConstraintSet* set, const double* impulse, double (*wrenches)[8],
                      double* change) {
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    apply_to_links(set, k, impulse, wrenches);
    if (k->kind != CONSTRAINT_CONTACT) apply_to_joints(set, k, impulse[k->row], change);
  }
}

void heft_constraints_apply(Constraints* c, const ConstraintSet* set, HeftDynamics* dynamics,
                            const double* impulse, double* v) {
  const HeftModel* m = c->model;
  double* change = c->joint_impulse;
  memset(change, 0, (size_t)m->nv * sizeof(double));
  memset(c->wrench, 0, (size_t)heft_link_count(m) * sizeof *c->wrench);
  apply_all(set, impulse, c->wrench, change);
  heft_link_wrenches_to_joints(dynamics, (const double(*)[8])c->wrench, change);
  heft_dynamics_solve(dynamics, change);
  for (int i = 0; i < m->nv; ++i) v[i] += change[i];
}

// ---- solving

// Work of the impulses of a round, at the mean of the velocities before and after.
static double work_of_impulses(const Constraints* c) {
  const double *before = c->free_velocity, *after = c->solution.velocity, *bias = c->round.bias;
  double sum = 0;
  for (int r = 0; r < c->set.row_count; ++r)
    sum += c->round_impulse[r] * (0.5 * (before[r] + after[r]) - bias[r]);
  return sum;
}

// The most that the restitution of arriving contact points may give back: e |u⁻| per unit of
// impulse.
static double work_of_restitution(const Constraints* c) {
  double sum = 0;
  for (int i = 0; i < c->set.contact_point_count; ++i) {
    const int r = c->set.list[i].row;
    if (c->round.bounces[i] && c->round.bias[r] < 0) sum -= c->round.bias[r] * c->round_impulse[r];
  }
  return sum;
}

// One round: computes impulses for the velocities v, and applies them to v.
static void solve_round(Constraints* c, const StepInput* in, HeftDynamics* dynamics, Budget* budget,
                        double* v, HeftStepReport* report) {
  const ConstraintSet* set = &c->set;
  const HeftContactTermination stop = {.tolerance = in->def->tolerance,
                                       .effort_max = in->def->effort_max};
  const SolveRequest request = {.set = set,
                                .bias = c->round.bias,
                                .waiting = c->round.waiting,
                                .again = c->round.again,
                                .cold = c->round.cold,
                                .certify = 1,
                                .velocity = c->solution.velocity,
                                .impulse = c->round_impulse};
  const size_t size = (size_t)set->row_count * sizeof(double);
  heft_constraint_set_measure(set, dynamics, c->round.bias, v, c->solution.velocity);
  memcpy(c->free_velocity, c->solution.velocity, size);
  memset(c->round_impulse, 0, size);
  heft_islands_solve(c, in, dynamics, budget, &request, &stop, BUDGET_IMPULSES, report);
  report->contact_work += work_of_impulses(c);
  if (set->any_restitution) report->restitution_work += work_of_restitution(c);
  for (int r = 0; r < set->row_count; ++r) c->solution.impulse[r] += c->round_impulse[r];
  heft_constraints_apply(c, set, dynamics, c->round_impulse, v);
}

// Velocities of the rows at the start of the step, without bias.
static void measure_start(Constraints* c, const StepInput* in, HeftDynamics* dynamics) {
  const double* bias = c->round.bias;
  heft_constraint_set_measure(&c->set, dynamics, bias, in->start->v, c->start_velocity);
  for (int r = 0; r < c->set.row_count; ++r) c->start_velocity[r] -= bias[r];
}

void heft_constraints_solve(Constraints* c, const StepInput* in, HeftDynamics* dynamics,
                            Budget* budget, double* v, HeftStepReport* report) {
  const ConstraintSet* set = &c->set;
  const int in_rounds = !c->contact_model || c->contact_model->bounces;
  report->contact_count = set->contact_points.count;
  report->contact_dropped = set->contact_points.dropped;
  if (set->count == 0) return;
  memset(c->solution.impulse, 0, (size_t)set->row_count * sizeof(double));
  if (c->contact_model) measure_start(c, in, dynamics);
  heft_impacts_begin(&c->round, set, &c->islands, in, dynamics, in_rounds, v, c->solution.velocity);
  solve_round(c, in, dynamics, budget, v, report);
  for (int round = 1;
       in_rounds && heft_impacts_next(&c->round, set, &c->islands, in, dynamics, c->solution.island,
                                      v, round, c->solution.velocity);
       ++round)
    solve_round(c, in, dynamics, budget, v, report);
  heft_rest_settle(in, &c->islands, set, c->round.bias, &c->solution, v);
}

// ---- regimes

static int acts(const Constraint* k, const double* impulse) {
  for (int r = k->row; r < k->row + k->rows; ++r) {
    if (impulse[r] != 0) return 1;
  }
  return 0;
}

void heft_constraints_find_regime(Constraints* c, const FloatingGroups* groups) {
  const HeftModel* m = c->model;
  const ConstraintSet* set = &c->set;
  memcpy(c->regime, set->tied, (size_t)heft_link_count(m) * sizeof(int));
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    if (acts(k, c->solution.impulse))
      heft_constraint_set_roots(set, m, k, REGIME_SUSTAINED, c->regime);
  }
  for (int i = 0; i < set->contact_point_count; ++i) {
    if (c->round.bounces[i])
      heft_constraint_set_roots(set, m, &set->list[i], REGIME_LOOSE, c->regime);
  }
  for (int i = 0; set->any_restitution && i < groups->first[groups->count]; ++i) {
    int* regime = &c->regime[groups->member[i]];
    if (*regime == REGIME_LOOSE) *regime = REGIME_FLIGHT;
  }
}
