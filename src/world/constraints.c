// SPDX-License-Identifier: Apache-2.0
// Constraints: their memory, what they remember, and what their impulses do.
#include "world/constraints.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/simd.h"
#include "world/apart.h"
#include "world/models/contact_model.h"
#include "world/world_internal.h"

enum { ROWS_PER_CONTACT = 6, FACTOR_BYTES = 1 << 20, FACTOR_BYTES_EACH = 8192 };

// ---- memory

static void place(Constraints* c, Arena* arena, const HeftWorld* w) {
  const HeftModel* m = w->model;
  const int nlink = heft_link_count(m), n = c->constraint_capacity, rows = c->row_capacity;
  c->list = arena_take(arena, n, Constraint);
  c->axis = arena_take_bytes(arena, (size_t)rows, sizeof *c->axis);
  c->push = arena_take(arena, rows, double);
  c->warm = arena_take(arena, rows, double);
  c->impulse = arena_take(arena, rows, double);
  c->round = arena_take(arena, rows, double);
  c->velocity = arena_take(arena, rows, double);
  c->kept = arena_take(arena, rows, double);
  c->start = arena_take(arena, rows, double);
  c->memory = arena_take_bytes(arena, (size_t)n, sizeof *c->memory);
  c->drift = arena_take(arena, m->nv, double);
  c->correction = arena_take(arena, rows, double);
  c->wrench = arena_take_bytes(arena, (size_t)nlink, sizeof *c->wrench);
  c->island = arena_take(arena, nlink, Island);
  c->again = arena_take(arena, nlink, int);
  c->dream = arena_take(arena, nlink, Dream);
  c->order = arena_take(arena, n, int);
  c->island_first = arena_take(arena, nlink + 1, int);
  c->contacts = arena_take(arena, n, HeftConstraintBlock);
  c->source = arena_take(arena, n, int);
  c->bias = arena_take(arena, rows, double);
  c->sorted_warm = arena_take(arena, rows, double);
  c->sorted_impulse = arena_take(arena, rows, double);
  c->sorted_velocity = arena_take(arena, rows, double);
  c->jacobian = arena_take_bytes(arena, (size_t)rows, sizeof *c->jacobian);
  c->effectors = arena_take(arena, c->effector_capacity, HeftEffector);
  c->trees = arena_take(arena, nlink, HeftContactTree);
  c->tree_links = arena_take(arena, nlink, int);
  c->tree_dofs = arena_take(arena, nlink, int);
  c->tree_wires = arena_take(arena, nlink, int);
  c->found_link = arena_take(arena, nlink, int);
  c->found_dof = arena_take(arena, m->nv, int);
  c->found_wire = arena_take(arena, w->wires->count, int);
  c->joined =
      arena_take_bytes(arena, (size_t)(m->nequality + w->wires->count) + 1, sizeof *c->joined);
  c->root_place = arena_take(arena, nlink, int);
  c->link_effector = arena_take(arena, nlink, int);
  c->dof_effector = arena_take(arena, m->nv, int);
  c->dof_slot = arena_take(arena, m->nv, int);
  c->omega = arena_take(arena, c->omega_max, double);
  c->workers = arena_take(arena, c->worker_count, Worker);
  for (int i = 0; i < c->worker_count; ++i) {
    double* scratch = arena_take(arena, c->scratch_max, double);
    if (scratch) c->workers[i].scratch = scratch;
  }
  c->old_contact = arena_take(arena, n, Remembered);
  c->old_joint[CONSTRAINT_LIMIT] = arena_take(arena, 2L * m->nv, double);
  c->old_joint[CONSTRAINT_DRY] = arena_take(arena, m->nv, double);
  c->old_joint[CONSTRAINT_EQUALITY] = arena_take(arena, 6L * m->nequality, double);
  c->old_joint[CONSTRAINT_TENDON_LIMIT] = arena_take(arena, 2L * m->ntendon, double);
  c->old_joint[CONSTRAINT_TENDON_DRY] = arena_take(arena, m->ntendon, double);
  c->active = arena_take(arena, nlink, int);
  c->held = arena_take(arena, nlink, int);
}

// Movers that a tree can have: its links, its dofs by six, its wires by six. Counted in c->active
// (links), c->link_effector (dofs) and c->tree_wires.
static void count_effectors(const HeftWorld* w, Constraints* c, int* tree_max) {
  const HeftModel* m = w->model;
  const int nlink = heft_link_count(m);
  int *links = c->active, *dofs = c->link_effector, *wires = c->tree_wires;
  memset(links, 0, (size_t)nlink * sizeof(int));
  memset(dofs, 0, (size_t)nlink * sizeof(int));
  memset(wires, 0, (size_t)nlink * sizeof(int));
  for (int k = 1; k < nlink; ++k) ++links[heft_link_root(m, k)];
  for (int i = 0; i < m->nv; ++i) ++dofs[heft_dof_root(m, i)];
  for (int i = 0; i < w->wires->count; ++i) ++wires[w->wires->root[i]];
  for (int root = 1; root < nlink; ++root) {
    if (links[root] == 0) continue;
    const int effectors =
        links[root] + heft_effectors_of(dofs[root]) + heft_effectors_of(wires[root]);
    c->effector_capacity += effectors;
    c->omega_max += 36 * (size_t)effectors * (size_t)effectors;
    if (effectors > *tree_max) *tree_max = effectors;
  }
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

// The solver's runner: all threads, unless they are at work on islands of their own already.
static void run_colour(void* user, int count, void (*task)(void* arg, int index), void* arg) {
  Constraints* c = user;
  Share share = {task, arg};
  heft_pool_run(c->sharing ? NULL : c->pool, count, run_share, &share);
}

static HeftStatus create_solvers(HeftWorld* w, int tree_max, HeftError* error) {
  Constraints* c = w->constraints;
  HeftContactSolverDef solver = heft_contact_solver_def_default();
  solver.constraint_capacity = c->constraint_capacity;
  solver.row_capacity = c->row_capacity;
  solver.effector_capacity = c->effector_capacity;
  solver.tree_effector_capacity = tree_max;
  solver.factor_bytes = FACTOR_BYTES + (size_t)c->constraint_capacity * FACTOR_BYTES_EACH;
  solver.allocator = w->def.allocator;
  for (int i = 0; i < c->worker_count; ++i) {
    solver.run = i == 0 && c->worker_count > 1 ? run_colour : NULL;
    solver.run_user = c;
    const HeftStatus status = heft_contact_solver_create(&c->workers[i].solver, &solver, error);
    if (status != HEFT_OK) return status;
  }
  return HEFT_OK;
}

// The certificate's scratch for the largest problem there can be.
static size_t certificate_scratch(const Constraints* c) {
  const HeftContactProblem largest = {.constraint_count = c->constraint_capacity,
                                      .row_count = c->row_capacity,
                                      .effector_count = c->effector_capacity};
  return heft_contact_certify_scratch(&largest);
}

// Everything that follows from the model alone, on three borrowed arrays.
static HeftStatus measure_sizes(HeftWorld* w, Constraints* sizes, int* tree_max, HeftError* error) {
  const HeftModel* m = w->model;
  const HeftAllocator* allocator = &w->def.allocator;
  const size_t size = 3 * (size_t)heft_link_count(m) * sizeof(int);
  int* counts = allocator->allocate(allocator->user, size, ARENA_ALIGNMENT);
  if (!counts)
    return heft_error_set(error, HEFT_ERR_MEMORY,
                          "no memory to measure the constraints of a world");
  sizes->active = counts;
  sizes->link_effector = counts + heft_link_count(m);
  sizes->tree_wires = counts + 2L * heft_link_count(m);
  count_effectors(w, sizes, tree_max);
  allocator->release(allocator->user, counts, size);
  const int contact_points = heft_collider_contact_capacity(sizes->collider);
  const int others = 3 * m->nv + 6 * m->nequality + 3 * m->ntendon + 1;
  sizes->constraint_capacity = contact_points + others;
  sizes->row_capacity = ROWS_PER_CONTACT * contact_points + others;
  sizes->worker_count = w->def.threads;
  sizes->scratch_max = heft_dynamics_delassus_effectors_scratch(w->dynamics, *tree_max);
  const size_t others_need[2] = {
      certificate_scratch(sizes),
      heft_apart_scratch(sizes->constraint_capacity, sizes->effector_capacity)};
  for (int i = 0; i < 2; ++i) {
    if (others_need[i] > sizes->scratch_max) sizes->scratch_max = others_need[i];
  }
  return HEFT_OK;
}

static HeftStatus allocate_all(HeftWorld* w, const Constraints* sizes, HeftError* error) {
  const HeftModel* m = w->model;
  const HeftAllocator* allocator = &w->def.allocator;
  Constraints measured = *sizes;
  Arena measure = arena_measure();
  arena_take(&measure, 1, Constraints);
  place(&measured, &measure, w);
  Constraints* c = allocator->allocate(allocator->user, measure.used, ARENA_ALIGNMENT);
  if (!c)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for constraints of %zu bytes",
                          measure.used);
  memset(c, 0, measure.used);
  *c = *sizes;
  Arena arena = arena_make(c, measure.used, NULL);
  arena_take(&arena, 1, Constraints);
  place(c, &arena, w);
  c->memory_size = measure.used;
  for (int k = 0; k < heft_link_count(m); ++k) c->link_effector[k] = -1;
  for (int i = 0; i < m->nv; ++i) c->dof_effector[i] = -1;
  w->constraints = c;
  return HEFT_OK;
}

HeftStatus heft_constraints_create(HeftWorld* w, HeftError* error) {
  HeftColliderDef def = heft_collider_def_default();
  def.allocator = &w->def.allocator;
  def.contact_capacity = w->def.contact_capacity;
  def.margin = w->def.margin;
  Constraints sizes = {0};
  HeftStatus status = heft_collider_create(&sizes.collider, w->model, &def, error);
  if (status != HEFT_OK) return status;
  int tree_max = 1;
  status = measure_sizes(w, &sizes, &tree_max, error);
  if (status == HEFT_OK) status = allocate_all(w, &sizes, error);
  if (status != HEFT_OK) {
    heft_collider_destroy(sizes.collider);
    return status;
  }
  status = create_solvers(w, tree_max, error);
  if (status != HEFT_OK || w->def.threads == 1) return status;
  return heft_pool_create(&w->constraints->pool, w->def.threads, &w->def.allocator, error);
}

void heft_constraints_destroy(HeftWorld* w) {
  Constraints* c = w->constraints;
  if (!c) return;
  heft_pool_destroy(c->pool);
  for (int i = 0; i < c->worker_count; ++i) heft_contact_solver_destroy(c->workers[i].solver);
  heft_collider_destroy(c->collider);
  w->def.allocator.release(w->def.allocator.user, c, c->memory_size);
  w->constraints = NULL;
}

static void forget_joints(HeftWorld* w) {
  double* const* old = w->constraints->old_joint;
  memset(old[CONSTRAINT_LIMIT], 0, 2 * (size_t)w->model->nv * sizeof(double));
  memset(old[CONSTRAINT_DRY], 0, (size_t)w->model->nv * sizeof(double));
  memset(old[CONSTRAINT_EQUALITY], 0, 6 * (size_t)w->model->nequality * sizeof(double));
  memset(old[CONSTRAINT_TENDON_LIMIT], 0, 2 * (size_t)w->model->ntendon * sizeof(double));
  memset(old[CONSTRAINT_TENDON_DRY], 0, (size_t)w->model->ntendon * sizeof(double));
}

void heft_constraints_forget(HeftWorld* w) {
  Constraints* c = w->constraints;
  c->count = c->row_count = c->contact_point_count = c->old_count = 0;
  forget_joints(w);
}

void heft_constraints_remember(HeftWorld* w) {
  Constraints* c = w->constraints;
  c->old_count = 0;
  forget_joints(w);
  for (int i = 0; i < c->count; ++i) {
    const Constraint* k = &c->list[i];
    if (k->kind != CONSTRAINT_CONTACT) {
      c->old_joint[k->kind][k->source] = c->impulse[k->row];
      continue;
    }
    const HeftContactPoint* contact_point = &c->contact_points.point[k->source];
    Remembered* kept = &c->old_contact[c->old_count++];
    *kept = (Remembered){.name = {contact_point->body_a, contact_point->body_b,
                                  contact_point->shape_a, contact_point->shape_b},
                         .dim = contact_point->dim,
                         .feature = contact_point->feature,
                         .pos = {contact_point->pos.x, contact_point->pos.y, contact_point->pos.z}};
    heft_rows_copy(k, c->impulse + k->row, kept->impulse);
    if (c->model) memcpy(kept->memory, c->memory[k->source], sizeof kept->memory);
  }
}

// ---- what impulses do

// What the impulses of a constraint's rows do to the links that it pushes. The six numbers of a
// side are taken as two fours that overlap: 0 to 3, and 2 to 5.
HEFT_INLINE void push_links(Constraints* c, const Constraint* k, const double* impulse) {
  for (int s = 0; s < 2; ++s) {
    if (k->link[s] == 0) continue;
    V4 torque = v4_all(0), force = v4_all(0);
    for (int r = k->row; r < k->row + k->rows; ++r) {
      const double* axis = c->axis[r] + 6L * s;
      torque += v4_load(axis) * impulse[r];
      force += v4_load(axis + 2) * impulse[r];
    }
    double* wrench = c->wrench[k->link[s]];
    const V4 zero = v4_all(0);
    v4_store(wrench, v4_load(wrench) + V4_SHUFFLE(torque, zero, 0, 1, 2, 4));
    v4_store(wrench + 4, v4_load(wrench + 4) + V4_SHUFFLE(force, zero, 1, 2, 3, 4));
  }
}

// The same for dofs and wires, which have one row.
HEFT_INLINE void push_joints(const HeftWorld* w, const Constraint* k, double impulse,
                             double* change) {
  const double* axis = w->constraints->axis[k->row];
  for (int s = 0; s < 3 && k->dof[s] >= 0; ++s) change[k->dof[s]] += axis[s] * impulse;
  for (int s = 0; s < 2 && k->wire[s] >= 0; ++s) {
    const HeftJointDirection* along = &w->wires->direction[k->wire[s]];
    for (int n = 0; n < along->count; ++n)
      change[along->dof[n]] += axis[0] * along->arm[n] * impulse;
  }
}

HEFT_CLONES_V4
static void push_all(HeftWorld* w, const double* impulse, double* change) {
  Constraints* c = w->constraints;
  for (int i = 0; i < c->count; ++i) {
    const Constraint* k = &c->list[i];
    push_links(c, k, impulse);
    if (k->kind != CONSTRAINT_CONTACT) push_joints(w, k, impulse[k->row], change);
  }
}

void heft_constraints_apply(HeftWorld* w, const double* impulse, double* v) {
  Constraints* c = w->constraints;
  double* change = w->force;
  memset(change, 0, (size_t)w->model->nv * sizeof(double));
  memset(c->wrench, 0, (size_t)heft_link_count(w->model) * sizeof *c->wrench);
  push_all(w, impulse, change);
  heft_link_wrenches_to_joints(w->dynamics, (const double(*)[8])c->wrench, change);
  heft_dynamics_solve(w->dynamics, change);
  for (int i = 0; i < w->model->nv; ++i) v[i] += change[i];
}

// The work that the impulses do: with the mean of the velocities before (kept) and after.
static double work_of_impulses(const Constraints* c) {
  double sum = 0;
  for (int r = 0; r < c->row_count; ++r)
    sum += c->round[r] * (0.5 * (c->kept[r] + c->velocity[r]) - c->push[r]);
  return sum;
}

// The most that the restitution of arriving touches may give back: e |u⁻| per unit of impulse.
static double work_of_restitution(const Constraints* c) {
  double sum = 0;
  for (int i = 0; i < c->contact_point_count; ++i) {
    const int r = c->list[i].row;
    if (c->list[i].bounces && c->push[r] < 0) sum -= c->push[r] * c->round[r];
  }
  return sum;
}

// One round: impulses for the velocities v, which they change.
static void solve_round(HeftWorld* w, double* v, HeftStepReport* report) {
  Constraints* c = w->constraints;
  const HeftContactTermination stop = {.tolerance = w->def.tolerance,
                                       .effort_max = w->def.effort_max};
  heft_constraints_measure(w, v);
  memcpy(c->kept, c->velocity, (size_t)c->row_count * sizeof(double));
  memset(c->round, 0, (size_t)c->row_count * sizeof(double));
  heft_islands_solve(w, &stop, BUDGET_IMPULSES, c->round, report);
  report->contact_work += work_of_impulses(c);
  if (c->any_restitution) report->restitution_work += work_of_restitution(c);
  for (int r = 0; r < c->row_count; ++r) c->impulse[r] += c->round[r];
  heft_constraints_apply(w, c->round, v);
}

// The velocities with which the step began, without push.
static void measure_start(HeftWorld* w) {
  Constraints* c = w->constraints;
  heft_constraints_measure(w, w->before->v);
  for (int r = 0; r < c->row_count; ++r) c->start[r] = c->velocity[r] - c->push[r];
}

void heft_constraints_solve(HeftWorld* w, double* v, HeftStepReport* report) {
  Constraints* c = w->constraints;
  report->contact_count = c->contact_points.count;
  report->contact_dropped = c->contact_points.dropped;
  if (c->count == 0) return;
  memset(c->impulse, 0, (size_t)c->row_count * sizeof(double));
  if (c->model) measure_start(w);
  heft_impacts_begin(w, v);
  solve_round(w, v, report);
  for (int round = 1; heft_impacts_next(w, v, round); ++round) solve_round(w, v, report);
  heft_rest_settle(w, v);
}

// ---- who is held

static int acts(const Constraints* c, const Constraint* k) {
  for (int r = k->row; r < k->row + k->rows; ++r) {
    if (c->impulse[r] != 0) return 1;
  }
  return 0;
}

void heft_constraint_set_roots(const HeftWorld* w, const Constraint* k, int value, int* out) {
  for (int s = 0; s < 2; ++s) out[heft_link_root(w->model, k->link[s])] = value;
  for (int s = 0; s < 3 && k->dof[s] >= 0; ++s) out[heft_dof_root(w->model, k->dof[s])] = value;
  for (int s = 0; s < 2 && k->wire[s] >= 0; ++s) out[w->wires->root[k->wire[s]]] = value;
}

void heft_constraints_find_held(HeftWorld* w) {
  Constraints* c = w->constraints;
  memset(c->held, 0, (size_t)heft_link_count(w->model) * sizeof(int));
  heft_wires_mark(w, c->held);
  heft_couplings_mark(w, c->held);
  for (int i = 0; i < c->count; ++i) {
    if (acts(c, &c->list[i])) heft_constraint_set_roots(w, &c->list[i], HOLD_FAST, c->held);
  }
  for (int i = 0; i < c->contact_point_count; ++i) {
    if (c->list[i].bounces) heft_constraint_set_roots(w, &c->list[i], HOLD_LOOSE, c->held);
  }
  for (int i = 0; c->any_restitution && i < w->flock_first[w->flock_count]; ++i) {
    if (c->held[w->flock[i]] == HOLD_LOOSE) c->held[w->flock[i]] = HOLD_FLIGHT;
  }
}
