// SPDX-License-Identifier: Apache-2.0
// Constraints: the memory of all stages, the solution for the impulses, and their application.
#include "world/constraints.h"
#include "base/assert.h"

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "collision/collider.h"
#include "dynamics/links.h"
#include "math/simd.h"
#include "world/models/contact_model.h"
#include "world/passive.h"
#include "world/rest.h"
#include "world/separate.h"
#include "world/softness.h"

// ---- memory

static void place_set(ConstraintSet* set, Arena* arena, const HeftModel* m) {
  const int surfaces = m->nmoved + m->nconveyor, nlink = heft_link_count(m);
  set->list = arena_take(arena, set->capacity, Constraint);
  set->axis = arena_take_bytes(arena, (size_t)set->row_capacity, sizeof *set->axis);
  set->bias = arena_take(arena, set->row_capacity, double);
  set->warm = arena_take(arena, set->row_capacity, double);
  set->start = arena_take(arena, set->capacity, double);
  set->surface = arena_take(arena, surfaces ? set->row_capacity : 0, double);
  set->tied = arena_take(arena, nlink, int);
  if (m->ndeformable > 0) set->skin = arena_take(arena, 2L * set->capacity, SkinSide);
}

static void place_warm_start(WarmStart* warm, Arena* arena, int capacity, const HeftModel* m) {
  warm->contact = arena_take(arena, capacity, WarmContact);
  warm->by_source[CONSTRAINT_LIMIT] = arena_take(arena, 2L * m->nv, double);
  warm->by_source[CONSTRAINT_DRY] = arena_take(arena, m->nv, double);
  warm->by_source[CONSTRAINT_EQUALITY] = arena_take(arena, 6L * m->nequality, double);
  warm->by_source[CONSTRAINT_TENDON_LIMIT] = arena_take(arena, 2L * m->ntendon, double);
  warm->by_source[CONSTRAINT_TENDON_DRY] = arena_take(arena, m->ntendon, double);
  if (!heft_softness_stores(m)) return;
  warm->known = arena_take(arena, 1, double);
  warm->stored = arena_take(arena, heft_link_count(m), double);
}

static void place_islands(IslandSet* x, Arena* arena, const Constraints* c, int directions) {
  const HeftModel* m = c->model;
  const int nlink = heft_link_count(m), n = c->set.capacity;
  x->list = arena_take(arena, nlink, Island);
  x->of_constraint = arena_take(arena, n, int);
  x->order = arena_take(arena, n, int);
  x->first = arena_take(arena, nlink + 1, int);
  x->active = arena_take(arena, nlink, int);
  x->effectors = arena_take(arena, c->sizes.effectors, HeftEffector);
  x->trees = arena_take(arena, nlink, HeftContactTree);
  x->tree_links = arena_take(arena, nlink, int);
  x->tree_size = arena_take(arena, nlink, int);
  x->tree_dofs = arena_take(arena, nlink, int);
  x->tree_directions = arena_take(arena, nlink, int);
  x->link_effector = arena_take(arena, nlink, int);
  x->node_slot = arena_take(arena, nlink, int);
  x->tree_nodes = arena_take(arena, nlink, int);
  x->tree_skins = arena_take(arena, nlink, int);
  const size_t sides = m->ndeformable > 0 ? 2 * (size_t)n : 0;
  x->skin_place = arena_take(arena, sides, int);
  x->skin_effector = arena_take(arena, sides, int);
  x->skin_axes = arena_take(arena, sides, SkinAxes);
  x->dof_effector = arena_take(arena, m->nv, int);
  x->dof_slot = arena_take(arena, m->nv, int);
  x->direction_effector = arena_take(arena, directions, int);
  x->direction_slot = arena_take(arena, directions, int);
  x->direction_count = directions;
  x->root_place = arena_take(arena, nlink, int);
  x->joined = arena_take_bytes(arena, (size_t)(m->nequality + directions) + 1, sizeof *x->joined);
}

static void place_round(ImpactRound* x, Arena* arena, const Constraints* c) {
  const int n = c->set.capacity, rows = c->set.row_capacity, nv = c->model->nv;
  x->own_bias = arena_take(arena, rows, double);
  x->waiting = arena_take(arena, n, int);
  x->bounces = arena_take(arena, n, int);
  x->rebounds = arena_take(arena, n, int);
  x->again = arena_take(arena, heft_link_count(c->model), int);
  x->arrival = arena_take(arena, rows, double);
  x->drift = arena_take(arena, nv, double);
  x->v_arrival = arena_take(arena, nv, double);
  x->speed = c->solution.sorted_velocity;  // between two rounds these are free
}

// The list of the correction, which comes after all rounds, has room for the kept solutions.
_Static_assert(sizeof(Constraint) >= 2 * HEFT_CONSTRAINT_ROWS_MAX * sizeof(double),
               "two numbers for each row of a constraint");

_Static_assert(sizeof(Constraint) >= sizeof(ContactPlace), "one for each contact point");

static void place_restitution(Restitution* x, Arena* arena, int nlink, Correction* correction,
                              int rows) {
  x->search = arena_take(arena, nlink, ShareSearch);
  x->again = arena_take(arena, nlink, int);
  x->kept = arena_take(arena, nlink, IslandResult);
  x->kept_impulse = (double*)correction->set.list;
  x->kept_velocity = correction->set.list ? x->kept_impulse + rows : NULL;
}

static void place_problem(IslandProblem* x, Arena* arena, const Constraints* c) {
  const int nlink = heft_link_count(c->model), n = c->set.capacity, rows = c->set.row_capacity;
  x->blocks = arena_take(arena, n, HeftConstraintBlock);
  x->source = arena_take(arena, n, int);
  x->softness = arena_take(arena, heft_softness_any(c->model) ? n : 0, double);
  x->bias = arena_take(arena, rows, double);
  x->warm = arena_take(arena, rows, double);
  x->jacobian = arena_take_bytes(arena, (size_t)rows, sizeof *x->jacobian);
  x->omega = arena_take(arena, c->sizes.omega_numbers, double);
  x->turn = arena_take(arena, 2L * c->model->nequality, HeftMat3);
  x->mobile = arena_take(arena, nlink, int);
  x->turned = arena_take(arena, nlink, int);
  x->idle = arena_take(arena, n, uint8_t);
  x->placed = arena_take(arena, nlink, int);
}

static void place_solution(IslandSolution* x, Arena* arena, int nlink, int n, int rows) {
  x->island = arena_take(arena, nlink, IslandResult);
  x->impulse = arena_take(arena, rows, double);
  x->velocity = arena_take(arena, rows, double);
  x->sorted_impulse = arena_take(arena, rows, double);
  x->sorted_velocity = arena_take(arena, rows, double);
  x->check = arena_take(arena, n, RowCheck);
}

static void place_solvers(Solvers* x, Arena* arena) {
  x->workers = arena_take(arena, x->worker_count, Worker);
  for (int i = 0; i < x->worker_count; ++i) {
    double* scratch = arena_take(arena, i == 0 ? x->scratch_max : x->share_scratch_max, double);
    if (scratch) x->workers[i].scratch = scratch;
  }
}

static void place_passage(Passage* x, Arena* arena, const HeftModel* m) {
  const int nlink = heft_link_count(m);
  x->motion = arena_take(arena, nlink, StepMotion);
  x->expected = arena_take(arena, heft_softness_any_area(m) ? nlink : 0, StepMotion);
  if (!heft_softness_any_area(m)) x->expected = NULL;
  x->stop = arena_take(arena, nlink, double);
  x->time = arena_take(arena, nlink, double);
  x->share = arena_take(arena, nlink, double);
  x->distance = arena_take(arena, m->nv, double);
  x->scaled = arena_take(arena, m->nv, double);
}

static void place(void* object, Arena* arena, const void* user) {
  Constraints* c = object;
  const TendonConstraints* tendons = user;
  const int nlink = heft_link_count(c->model), n = c->set.capacity, rows = c->set.row_capacity;
  place_set(&c->set, arena, c->model);
  place_warm_start(&c->warm_start, arena, n, c->model);
  place_islands(&c->islands, arena, c, tendons->count);
  place_solution(&c->solution, arena, nlink, n, rows);
  place_round(&c->round, arena, c);
  place_problem(&c->problem, arena, c);
  place_solvers(&c->solvers, arena);
  c->correction.set.list = arena_take(arena, n, Constraint);
  place_restitution(&c->restitution, arena, nlink, &c->correction, rows);
  c->correction.waiting = arena_take(arena, n, int);
  c->correction.error = arena_take(arena, c->sizes.joints, double);
  c->model_memory = arena_take_bytes(arena, (size_t)n, sizeof *c->model_memory);
  c->start_velocity = arena_take(arena, rows, double);
  c->sleep_cache = arena_take(arena, nlink, SleepCache);
  c->row_first = arena_take(arena, n / CONSTRAINT_RANGE + 1, int);
  c->regime = arena_take(arena, nlink, int);
  place_passage(&c->passage, arena, c->model);
  c->round_impulse = arena_take(arena, rows, double);
  c->free_velocity = arena_take(arena, rows, double);
  heft_midpoint_place(&c->midpoint, arena, nlink);
  heft_lasting_place(&c->lasting, arena, nlink);
  c->lasting.start = (ContactPlace*)c->correction.set.list;  // it is over before all rounds
  c->midpoint.speed = c->free_velocity;                      // these come before all rounds
  c->midpoint.turned = c->round_impulse;
  c->correction.velocity = c->free_velocity;  // it comes after all rounds
  c->correction.impulse = c->round_impulse;
  c->wrench = arena_take_bytes(arena, (size_t)nlink, sizeof *c->wrench);
  c->joint_impulse = arena_take(arena, c->model->nv, double);
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

enum { PACKET_BYTES = 1024 };  // what a solver can use for each contact beyond what it must have

static HeftContactSolverDef solver_def(const ConstraintSizes* sizes) {
  HeftContactSolverDef def = heft_contact_solver_def_default();
  def.constraint_capacity = sizes->constraints;
  def.row_capacity = sizes->contact_rows > 3 ? sizes->rows : 0;
  def.effector_capacity = sizes->effectors;
  def.tree_effector_capacity = sizes->tree_effectors;
  def.omega_capacity = 36 * sizes->tree_blocks + 1;
  def.factor_bytes = heft_factor_bytes(sizes);
  return def;
}

// Islands of LARGE_ISLAND constraints and more are solved by the first worker, so that the others
// need no more memory than the rest. Which phases a solve has depends on its memory: all workers
// give the same to an island.
static HeftStatus create_solvers(Constraints* c, const HeftAllocator* allocator, HeftError* error) {
  Solvers* solvers = &c->solvers;
  const HeftContactSolverDef all = solver_def(&c->sizes);
  HeftContactSolverDef share = solver_def(&solvers->share);
  share.factor_bytes += PACKET_BYTES * (size_t)share.constraint_capacity;
  if (heft_contact_solver_bytes(&share) > heft_contact_solver_bytes(&all)) share = all;
  solvers->share_bytes = heft_contact_solver_bytes(&share);
  for (int i = 0; i < solvers->worker_count; ++i) {
    HeftContactSolverDef def = i == 0 ? all : share;
    def.allocator = *allocator;
    def.run = i == 0 && solvers->worker_count > 1 ? run_colour : NULL;
    def.run_user = solvers;
    const HeftStatus status = heft_contact_solver_create(&solvers->workers[i].solver, &def, error);
    if (status != HEFT_OK) return status;
  }
  if (solvers->worker_count == 1) return HEFT_OK;
  return heft_pool_create(&solvers->pool, solvers->worker_count, allocator, error);
}

// Doubles of a worker's scratch, for the largest problem: the certificate with what replaces
// impulses that it rejects, Ω, the separation.
static size_t scratch_size(const ConstraintSizes* sizes, const HeftDynamics* dynamics) {
  const HeftContactProblem largest = {.constraint_count = sizes->constraints,
                                      .row_count = sizes->rows,
                                      .effector_count = sizes->effectors};
  const size_t needs[3] = {
      heft_dynamics_delassus_effectors_scratch(dynamics, sizes->tree_effectors),
      heft_contact_certify_scratch(&largest) + (size_t)sizes->tree_dofs + (size_t)sizes->rows +
          heft_passive_scratch(sizes->rows, sizes->effectors),
      heft_separate_scratch(sizes->constraints, sizes->effectors)};
  size_t max = 0;
  for (int i = 0; i < 3; ++i) max = needs[i] > max ? needs[i] : max;
  return max;
}

// Everything that follows only from the model.
static HeftStatus measure_sizes(Constraints* c, const HeftAllocator* allocator,
                                const HeftDynamics* dynamics, const TendonConstraints* tendons,
                                HeftError* error) {
  const size_t size = heft_constraint_sizes_scratch(c->model) * sizeof(int);
  int* scratch = allocator->allocate(allocator->user, size, ARENA_ALIGNMENT);
  if (!scratch)
    return heft_error_set(error, HEFT_ERR_MEMORY,
                          "no memory to measure the constraints of a world");
  c->sizes = heft_constraint_sizes(c->model, tendons, heft_collider_contact_capacity(c->collider),
                                   scratch);
  allocator->release(allocator->user, scratch, size);
  c->set.capacity = c->sizes.constraints;
  c->set.row_capacity = c->sizes.rows;
  c->solvers.share = heft_constraint_sizes_below(&c->sizes, LARGE_ISLAND);
  c->solvers.scratch_max = scratch_size(&c->sizes, dynamics);
  c->solvers.share_scratch_max = scratch_size(&c->solvers.share, dynamics);
  return HEFT_OK;
}

// A step may need more than the shapes suggest: the contact points of a wall, the pairs of a pile
// of sheets. The room for half as many again as there are at the start, up to `most`; `room` is
// what there is already.
static ContactRoom measure_room(Constraints* c, HeftDynamics* dynamics, ContactRoom room,
                                ContactRoom most) {
  heft_dynamics_kinematics(dynamics, c->model->q_default);
  heft_collider_update_links(c->collider, heft_link_frames(dynamics));
  const HeftContactPoints found = heft_collider_collide(c->collider);
  const int64_t points = ((int64_t)found.count + found.dropped) * 3 / 2;
  const int64_t pairs = (found.pairs + found.pairs_missed) * 3 / 2;
  const int64_t points_kept = points < most.points ? points : most.points;
  if (points_kept > room.points) room.points = (int)points_kept;
  const int64_t pairs_kept = pairs < most.pairs ? pairs : most.pairs;
  if (found.pairs_missed > 0 && pairs_kept > room.pairs) room.pairs = (int)pairs_kept;
  return room;
}

// n shapes that lie side by side have contact points in proportion to n. n shapes at one place have
// n² / 2 pairs, and a contact point needs some kilobytes: a file of 150 bytes would use up all
// memory. So the room for what is found at the start is at most a few times the room for a heap of
// these shapes (collider.c), which is 48 points for a box. Steps report the points beyond it as
// dropped, and a program that needs them asks for a capacity.
enum { TIMES_POINTS = 8, TIMES_PAIRS = 4, POINTS_FEW = 1 << 14, PAIRS_FEW = 1 << 17 };

static int room_up_to(int64_t few, int64_t many) {
  const int64_t most = few > many ? few : many;
  return (int)(most < ROOM_MAX ? most : ROOM_MAX);
}

static ContactRoom most_room(ContactRoom usual, int points_asked) {
  const int64_t pairs = room_up_to(PAIRS_FEW, (int64_t)TIMES_PAIRS * usual.pairs);
  return (ContactRoom){room_up_to(POINTS_FEW, (int64_t)TIMES_POINTS * usual.points),
                       room_up_to(pairs, 2 * (int64_t)points_asked)};
}

static HeftStatus make_collider(Constraints* c, const HeftWorldDef* world, ContactRoom room,
                                HeftError* error) {
  HeftColliderDef def = heft_collider_def_default();
  def.allocator = &world->allocator;
  def.contact_capacity = room.points;
  def.pair_capacity = room.pairs;
  def.margin = world->margin;
  heft_collider_destroy(c->collider);
  c->collider = NULL;
  return heft_collider_create(&c->collider, c->model, &def, error);
}

static ContactRoom room_of(const HeftCollider* collider) {
  return (ContactRoom){collider->contact_capacity, collider->pair_capacity};
}

// Pairs that found no room have unknown contact points: with enough room for them, these are
// counted in the second pass.
static HeftStatus create_collider(Constraints* c, const HeftWorldDef* world,
                                  const ContactRoom* room, HeftDynamics* dynamics,
                                  HeftError* error) {
  const ContactRoom first = room ? *room : (ContactRoom){world->contact_capacity, 0};
  HeftStatus status = make_collider(c, world, first, error);
  if (room || status != HEFT_OK) return status;
  const ContactRoom most = most_room(room_of(c->collider), world->contact_capacity);
  for (int pass = 0; pass < 2 && status == HEFT_OK; ++pass) {
    const ContactRoom has = room_of(c->collider);
    ContactRoom needs = measure_room(c, dynamics, has, most);
    if (world->contact_capacity > 0) needs.points = world->contact_capacity;
    if (needs.points == has.points && needs.pairs == has.pairs) break;
    status = make_collider(c, world, needs, error);
  }
  return status;
}

ContactRoom heft_constraints_room(const Constraints* c) { return room_of(c->collider); }

HeftStatus heft_constraints_create(Constraints** out, const HeftModel* m, const HeftWorldDef* def,
                                   const ContactRoom* room, HeftDynamics* dynamics,
                                   const TendonConstraints* tendons, HeftError* error) {
  const HeftAllocator* allocator = &def->allocator;
  Constraints sizes = {.model = m, .dynamics = dynamics, .solvers = {.worker_count = def->threads}};
  HeftStatus status = create_collider(&sizes, def, room, dynamics, error);
  if (status != HEFT_OK) return status;
  status = measure_sizes(&sizes, allocator, dynamics, tendons, error);
  Constraints* c = status == HEFT_OK ? heft_block_create(&sizes, sizeof sizes, place, tendons,
                                                         allocator, "constraints", error)
                                     : NULL;
  if (!c) {
    heft_collider_destroy(sizes.collider);
    return status == HEFT_OK ? HEFT_ERR_MEMORY : status;
  }
  c->round.bias = c->set.bias;
  *out = c;
  status = create_solvers(c, allocator, error);
  heft_dynamics_use_pool(dynamics, c->solvers.pool);
  if (status != HEFT_OK || !c->solvers.pool) return status;
  return heft_collider_use_pool(c->collider, c->solvers.pool, error);
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

// Shares a wrench among the nodes of a point of a skin.
HEFT_INLINE void apply_to_skin(const SkinSide* skin, V4 torque, V4 force, double (*wrenches)[8]) {
  for (int i = 0; i < 3; ++i) {
    if (skin->link[i] == 0) continue;
    double* wrench = wrenches[skin->link[i]];
    v4_store(wrench, v4_load(wrench) + torque * skin->weight[i]);
    v4_store(wrench + 4, v4_load(wrench + 4) + force * skin->weight[i]);
  }
}

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
    const V4 zero = v4_all(0);
    torque = V4_SHUFFLE(torque, zero, 0, 1, 2, 4);
    force = V4_SHUFFLE(force, zero, 1, 2, 3, 4);
    if (k->skin[s] >= 0) {
      apply_to_skin(&set->skin[k->skin[s]], torque, force, wrenches);
      continue;
    }
    double* wrench = wrenches[k->link[s]];
    v4_store(wrench, v4_load(wrench) + torque);
    v4_store(wrench + 4, v4_load(wrench + 4) + force);
  }
}

// Adds the impulse of a row of dofs or tendon directions.
HEFT_INLINE void apply_to_joints(const ConstraintSet* set, const Constraint* k, double impulse,
                                 double* change) {
  const double* axis = set->axis[k->row];
  HEFT_ASSERT(k->row < set->row_count);
  for (int s = 0; s < 3 && k->dof[s] >= 0; ++s) change[k->dof[s]] += axis[s] * impulse;
  for (int s = 0; s < 2 && k->direction[s] >= 0; ++s) {
    const HeftJointDirection* along = &set->direction[k->direction[s]];
    for (int n = 0; n < along->count; ++n)
      change[along->dof[n]] += axis[0] * along->arm[n] * impulse;
  }
}

HEFT_CLONES
static void apply_listed(const ConstraintSet* set, const int* order, int count,
                         const double* impulse, double (*wrenches)[8], double* change) {
  for (int i = 0; i < count; ++i) {
    const Constraint* k = &set->list[order[i]];
    HEFT_ASSERT(order[i] >= 0 && order[i] < set->count);
    apply_to_links(set, k, impulse, wrenches);
    if (k->kind != CONSTRAINT_CONTACT) apply_to_joints(set, k, impulse[k->row], change);
  }
}

typedef struct Applying {
  const Constraints* c;
  const ConstraintSet* set;
  const double* impulse;
} Applying;

// Islands share no link. The constraints of an island are in their order in the set, so that the
// sums have the same bits as in one loop over the set.
static void apply_islands(void* arg, int first, int end) {
  const Applying* applying = arg;
  const Constraints* c = applying->c;
  const IslandSet* islands = &c->islands;
  HEFT_ASSERT(islands->first[first] <= islands->first[end]);
  apply_listed(applying->set, islands->order + islands->first[first],
               islands->first[end] - islands->first[first], applying->impulse, c->wrench,
               c->joint_impulse);
}

// Jᵀ impulse, into c->joint_impulse.
static void gather_joint_impulse(Constraints* c, const ConstraintSet* set, HeftDynamics* dynamics,
                                 const double* impulse) {
  const HeftModel* m = c->model;
  memset(c->joint_impulse, 0, (size_t)m->nv * sizeof(double));
  memset(c->wrench, 0, (size_t)heft_link_count(m) * sizeof *c->wrench);
  Applying applying = {c, set, impulse};
  heft_pool_run_ranges(c->solvers.pool, c->islands.count, ISLAND_RANGE, apply_islands, &applying);
  heft_link_wrenches_to_joints(dynamics, (const double(*)[8])c->wrench, c->joint_impulse);
}

// v += M̂⁻¹ of c->joint_impulse.
static void apply_joint_impulse(Constraints* c, HeftDynamics* dynamics, double* v) {
  heft_dynamics_solve(dynamics, c->joint_impulse);
  for (int i = 0; i < c->model->nv; ++i) v[i] += c->joint_impulse[i];
}

void heft_constraints_apply(Constraints* c, const ConstraintSet* set, HeftDynamics* dynamics,
                            const double* impulse, double* v) {
  gather_joint_impulse(c, set, dynamics, impulse);
  apply_joint_impulse(c, dynamics, v);
}

// ---- solving

// Energy that the impulses of a round add, at the mean of the velocities before and after. The bias
// of rows in the middle of the step belongs to their motion (midpoint.c).
static double energy_of_impulses(const Constraints* c, const StepInput* in) {
  const double *before = c->free_velocity, *after = c->solution.velocity, *bias = c->round.bias;
  const ConstraintSet* set = &c->set;
  double sum = 0;
  for (int r = 0; r < set->row_count; ++r)
    sum += c->round_impulse[r] * (0.5 * (before[r] + after[r]) - bias[r]);
  for (int i = set->contact_point_count; i < set->count && c->midpoint.any; ++i) {
    const int r = set->list[i].row;
    if (set->list[i].middle) sum += c->round_impulse[r] * bias[r];
  }
  for (int i = 0; i < set->contact_point_count && c->lasting.any; ++i) {
    const Constraint* k = &set->list[i];
    for (int r = k->row; r < k->row + k->rows && k->middle; ++r)
      sum +=
          c->round_impulse[r] * (bias[r] - (r == k->row ? heft_contact_gap_speed(in, k->gap) : 0));
  }
  return sum;
}

// The most that the restitution of arriving contact points and limits may return: e |u⁻| per unit
// of impulse.
static double work_of_restitution(const Constraints* c) {
  double sum = 0;
  for (int i = 0; i < c->set.count; ++i) {
    const int r = c->set.list[i].row;
    if (c->round.bounces[i] && c->round.bias[r] < 0) sum -= c->round.bias[r] * c->round_impulse[r];
  }
  return sum;
}

// Work of the prescribed motion of surfaces: u = J v + surface, and the impulses do J v.
static double work_of_surfaces(const ConstraintSet* set, const double* impulse) {
  double sum = 0;
  for (int r = 0; r < set->row_count; ++r) sum -= impulse[r] * set->surface[r];
  return sum;
}

// Solves the islands of a round; those with restitution as often as their energy asks for.
static void solve_islands(Constraints* c, const StepInput* in, HeftDynamics* dynamics,
                          Budget* budget, SolveRequest request, HeftStepReport* report) {
  const HeftContactTermination stop = {.tolerance = in->def->tolerance,
                                       .effort_max = in->def->effort_max};
  heft_islands_solve(c, in, dynamics, budget, &request, &stop, BUDGET_IMPULSES);
  if (request.set->any_restitution) {
    heft_restitution_begin(&c->restitution, &c->islands);
    for (;;) {
      const int late =
          !heft_budget_may_go_on(budget, BUDGET_TRIAL) || !heft_budget_has_room(budget);
      if (!heft_restitution_next(&c->restitution, &c->round, &c->islands, &request,
                                 c->solution.island, late, c->free_velocity))
        break;
      request.again = c->restitution.again;
      heft_islands_solve(c, in, dynamics, budget, &request, &stop, BUDGET_IMPULSES);
    }
    request.again = c->round.again;
    heft_restitution_report(&c->restitution, &c->round, &c->islands, &request, c->free_velocity,
                            report);
  }
  heft_islands_report(&c->islands, request.set, &c->solution, request.again, in, report);
}

// One round: computes impulses for the velocities v, and applies them to v.
static void solve_round(Constraints* c, const StepInput* in, HeftDynamics* dynamics, Budget* budget,
                        double* v, HeftStepReport* report) {
  const ConstraintSet* set = &c->set;
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
  solve_islands(c, in, dynamics, budget, request, report);
  report->impulse_energy += energy_of_impulses(c, in);
  if (set->any_restitution) report->restitution_work += work_of_restitution(c);
  for (int r = 0; r < set->row_count; ++r) c->solution.impulse[r] += c->round_impulse[r];
  gather_joint_impulse(c, set, dynamics, c->round_impulse);
  if (!set->any_restitution)  // one round
    memcpy(c->round.v_arrival, c->joint_impulse, (size_t)c->model->nv * sizeof(double));
  apply_joint_impulse(c, dynamics, v);
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
  const int in_rounds = !c->contact_model || c->contact_model->bounces,
            rebounds = !c->contact_model || c->contact_model->rebounds;
  report->contact_count = set->contact_points.count;
  report->contact_dropped = heft_constraint_set_dropped(set);
  HEFT_ASSERT(set->contact_point_count <= set->count &&
              set->contact_points.count == set->contact_point_count);
  if (set->count == 0) return;
  memset(c->solution.impulse, 0, (size_t)set->row_count * sizeof(double));
  if (c->contact_model) measure_start(c, in, dynamics);
  heft_impacts_begin(&c->round, set, &c->islands, in, dynamics, in_rounds, rebounds, v,
                     c->solution.velocity);
  solve_round(c, in, dynamics, budget, v, report);
  for (int round = 1, over = !in_rounds || !set->any_restitution; !over; ++round) {
    const int late = !heft_budget_may_go_on(budget, BUDGET_ROUND);
    over = late || !heft_budget_has_room(budget);
    if (!heft_impacts_next(&c->round, set, &c->islands, in, dynamics, c->solution.island, v,
                           over ? IMPACT_ROUNDS - 1 : round, c->solution.velocity))
      break;
    solve_round(c, in, dynamics, budget, v, report);
    report->inexact += late;
  }
  if (set->carried) report->moved_work += work_of_surfaces(set, c->solution.impulse);
  heft_rest_settle(in, &c->islands, set, c->round.bias, &c->solution, v, c->solvers.pool);
  report->soft_energy = heft_softness_energy(set, in, c->solution.velocity, c->round.bias);
}

int heft_constraints_continue(Constraints* c) {
  ConstraintSet* set = &c->set;
  if (set->count == 0 || set->any_restitution || c->contact_model) return 0;
  memcpy(set->warm, c->solution.impulse, (size_t)set->row_count * sizeof(double));
  return 1;
}

const double* heft_constraints_joint_impulse(const Constraints* c) {
  return c->set.any_restitution ? NULL : c->round.v_arrival;
}

// ---- regimes

static int acts(const Constraint* k, const double* impulse) {
  for (int r = k->row; r < k->row + k->rows; ++r) {
    if (impulse[r] != 0) return 1;
  }
  return 0;
}

static void find_regimes(void* arg, int first, int end) {
  const Constraints* c = arg;
  const ConstraintSet* set = &c->set;
  const int *order = c->islands.order, *range = c->islands.first;
  for (int i = range[first]; i < range[end]; ++i) {
    const Constraint* k = &set->list[order[i]];
    if (acts(k, c->solution.impulse))
      heft_constraint_set_roots(set, c->model, k, REGIME_SUSTAINED, c->regime);
  }
  for (int i = range[first]; i < range[end] && set->any_restitution; ++i) {
    if (c->round.bounces[order[i]])
      heft_constraint_set_roots(set, c->model, &set->list[order[i]], REGIME_LOOSE, c->regime);
  }
}

void heft_constraints_find_regime(Constraints* c, const FloatingGroups* groups) {
  const HeftModel* m = c->model;
  const ConstraintSet* set = &c->set;
  for (int k = 0; k < heft_link_count(m); ++k)
    c->regime[k] = set->tied[k] != 0 ? REGIME_SUSTAINED : REGIME_LOOSE;
  heft_pool_run_ranges(c->solvers.pool, c->islands.count, ISLAND_RANGE, find_regimes, c);
  for (int i = 0; set->any_restitution && i < groups->first[groups->count]; ++i) {
    int* regime = &c->regime[groups->member[i]];
    if (*regime == REGIME_LOOSE) *regime = REGIME_FLIGHT;
  }
}
