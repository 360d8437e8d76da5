// SPDX-License-Identifier: Apache-2.0
// Papers: R9.
// The contact problem of one island: Ω of each of its trees is computed, and its rows are copied
// side by side, to the places that the numbering of island.c gave them.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "dynamics/links.h"
#include "math/invariant.h"
#include "world/island.h"
#include "world/models/contact_model.h"
#include "world/rest.h"

// A row along dofs: their numbers go to the slots of the one or two effectors that hold them.
static void place_dof_row(const IslandSet* c, const Constraint* k, const double* axis,
                          HeftConstraintBlock* contact, double* out) {
  for (int s = 0; s < 3; ++s) {
    if (k->dof[s] < 0) continue;
    const int effector = c->dof_effector[k->dof[s]];
    HEFT_ASSERT(effector >= 0);
    const int side = contact->effector[0] < 0 || contact->effector[0] == effector ? 0 : 1;
    contact->effector[side] = effector;
    out[6 * side + c->dof_slot[k->dof[s]]] = axis[s];
  }
}

// Rows of a constraint on nodes of deformable bodies: a node moves along its slides, at their
// places in its effector, and does not turn. Two nodes may share an effector.
static void place_node_rows(const IslandSet* c, const Constraint* k, const double (*axis)[12],
                            HeftConstraintBlock* contact, double (*out)[12]) {
  int side = 0;
  memset(out, 0, (size_t)k->rows * sizeof *out);
  for (int s = 0; s < 2; ++s) {
    if (k->link[s] == 0) continue;
    const int skin = k->skin[s], link = k->link[s];
    const int effector = skin >= 0 ? c->skin_effector[skin] : c->link_effector[link];
    const int slot = skin >= 0 ? 3 * (c->skin_place[skin] % 2) : c->node_slot[link];
    HEFT_ASSERT(effector >= 0 && (slot < 0 || slot == 0 || slot == 3));
    if (contact->effector[0] >= 0 && contact->effector[0] != effector) side = 1;
    contact->effector[side] = effector;
    if (slot < 0) {
      for (int r = 0; r < k->rows; ++r)
        memcpy(out[r] + 6L * side, axis[r] + 6L * s, 6 * sizeof(double));
      continue;
    }
    const HeftMat3 slides = heft_node_slides(c->model, k->link[s]);
    for (int r = 0; r < k->rows; ++r) {
      const HeftVec3 along = heft_mat3_tmul_vec(slides, heft_vec3_from(axis[r] + 6L * s + 3));
      double* own = out[r] + 6L * side + slot;
      own[0] += along.x;
      own[1] += along.y;
      own[2] += along.z;
    }
  }
}

// Rows of a constraint between links. If one side is static, the moving side is stored first.
static void place_link_rows(const IslandSet* c, const Constraint* k, const double (*axis)[12],
                            HeftConstraintBlock* contact, double (*out)[12]) {
  for (int s = 0; s < 2; ++s) {
    if (k->link[s] == 0 || (k->skin[s] < 0 && c->node_slot[k->link[s]] < 0)) continue;
    place_node_rows(c, k, axis, contact, out);
    return;
  }
  const int first = k->link[0] != 0 ? 0 : 1, both = first == 0 && k->link[1] != 0;
  contact->effector[0] = c->link_effector[k->link[first]];
  HEFT_ASSERT(contact->effector[0] >= 0);
  if (both) {
    contact->effector[1] = c->link_effector[k->link[1]];
    memcpy(out, axis, (size_t)k->rows * sizeof *out);
    return;
  }
  for (int r = 0; r < k->rows; ++r) {  // of constant size: a few vectors each
    memcpy(out[r], axis[r] + 6L * first, 6 * sizeof(double));
    memset(out[r] + 6, 0, 6 * sizeof(double));
  }
}

// The one row of a constraint along tendon directions.
static void place_direction_row(const IslandSet* c, const Constraint* k, double sign,
                                HeftConstraintBlock* contact, double* out) {
  for (int s = 0; s < 2 && k->direction[s] >= 0; ++s) {
    contact->effector[s] = c->direction_effector[k->direction[s]];
    HEFT_ASSERT(contact->effector[s] >= 0 && c->direction_slot[k->direction[s]] < EFFECTOR_DOFS);
    out[6 * s + c->direction_slot[k->direction[s]]] = sign;
  }
}

static void place_rows(const IslandSet* c, const ConstraintSet* set, const Constraint* k,
                       HeftConstraintBlock* contact, double (*out)[12]) {
  const double(*axis)[12] = (const double(*)[12])set->axis + k->row;
  if (k->direction[0] < 0 && k->dof[0] < 0) {
    place_link_rows(c, k, axis, contact, out);
    return;
  }
  memset(out, 0, sizeof *out);
  if (k->direction[0] >= 0) {
    place_direction_row(c, k, axis[0][0], contact, *out);
  } else {
    place_dof_row(c, k, axis[0], contact, *out);
  }
}

// ---- equalities between bodies
//
// The three rows of a point, or of an orientation, are along the axes of the world. A mechanism
// that moves in a plane cannot move along one direction of space, whichever way the plane is
// turned: its three rows then ask for one thing twice, and large forces that cancel each other
// could grow. So the rows are turned to the principal directions of their mobility, and a direction
// along which nothing can move is left out.

static const double idle = 1e-12;  // mobility of such a direction, relative to its axes'

// The scale of `count` rows that belong together and act on the same effectors: what xᵀ W x would
// be if the motions of their axes did not cancel each other. A turned row may be nothing but
// rounding, so that its own axes mean nothing.
static double scale_of_rows(const HeftContactProblem* p, const HeftConstraintBlock* blocks,
                            const double (*x)[12], int count) {
  double scale = 0, axes[12];
  heft_operator_axes_mobility(p, blocks[0].effector, axes);
  for (int i = 0; i < count; ++i) {
    double sum = 0;
    for (int k = 0; k < 12; ++k) sum += x[i][k] * x[i][k] * axes[k];
    scale = fmax(scale, sum);
  }
  HEFT_ASSERT(!(scale < 0));
  return scale;
}

static int is_idle(const HeftContactProblem* p, const HeftConstraintBlock* block, const double* x,
                   double scale) {
  return !(heft_operator_mobility(p, block->effector, x) > idle * scale);
}

// ---- contact points along whose normal links hardly move
//
// Two bodies on one hinge that overlap along its axis have a contact point whose normal row is
// rounding instead of zero. An impulse along it moves nothing, and the position correction would
// divide by it: such a contact point is left out. Near that the correction would turn the hinge far
// for little: a row with the mobility w moves a link with the mobility w_a of an axis at
// sqrt(w_a / w) times its own speed. So its ease sqrt(w / w_a) bounds that speed. A tree that
// floats always moves against the world and against other trees.

static const double arm = 1e-3;  // no contact point is nearer to an axis [m]
static const double fast = 50;   // the correction of a row moves no link faster [m/s, rad/s]

// The mobility that the normal row would have in the direction in which its links move best. *most:
// the largest of an axis.
static double scale_of_normal(const HeftContactProblem* p, const HeftConstraintBlock* block,
                              const double* x, double* most) {
  double axes[12], scale = 0;
  heft_operator_axes_mobility(p, block->effector, axes);
  *most = 0;
  for (int s = 0; s < 12; s += 6) {
    const double *a = axes + s, *y = x + s;
    const double turn = fmax(a[0], fmax(a[1], a[2])), shift = fmax(a[3], fmax(a[4], a[5]));
    const double torque = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    const double force = y[3] * y[3] + y[4] * y[4] + y[5] * y[5];
    scale += torque * turn + force * (shift + arm * arm * turn);
    *most = fmax(*most, fmax(turn, shift));
  }
  HEFT_ASSERT(!(scale < 0) && !(*most < 0));
  return scale;
}

static int moves_freely(const HeftModel* m, int root) {
  return root > 0 && (heft_link_floats(m, root) || heft_link_deforms(m, root));
}

static int is_held(const HeftModel* m, const Constraint* k) {
  const int a = k->link[0] ? heft_link_root(m, k->link[0]) : 0;
  const int b = k->link[1] ? heft_link_root(m, k->link[1]) : 0;
  return a == b || !(moves_freely(m, a) || moves_freely(m, b));
}

// The speed along the normal of a contact point, relative to the speed of its fastest link, if a
// force along it moves them.
static double ease_of(const HeftContactProblem* p, const HeftConstraintBlock* block,
                      const double* x) {
  double most;
  scale_of_normal(p, block, x, &most);
  const double own = heft_operator_mobility(p, block->effector, x);
  return own > 0 ? sqrt(own / most) : 0;
}

typedef struct IdleTask {
  const IslandSet* islands;
  const Island* island;
  const ConstraintSet* set;
  const HeftContactProblem* problem;
  uint8_t* idle;  ///< constraints
} IdleTask;

// Finds the contact points that are left out. They depend only on Ω.
static void find_idle(void* arg, int first, int end) {
  const IdleTask* t = arg;
  for (int i = first; i < end; ++i) {
    const int at = t->island->order[i];
    HEFT_ASSERT(at >= 0 && at < t->set->count);
    const Constraint* k = &t->set->list[at];
    if (k->kind != CONSTRAINT_CONTACT) continue;
    t->idle[at] = 0;
    if (!is_held(t->islands->model, k)) continue;
    HeftConstraintBlock block = {.effector = {-1, -1}};
    double x[HEFT_CONSTRAINT_ROWS_MAX][12], most;
    place_rows(t->islands, t->set, k, &block, x);
    const double scale = scale_of_normal(t->problem, &block, x[0], &most);
    t->idle[at] = (uint8_t)is_idle(t->problem, &block, x[0], scale);
  }
}

// 1 if the constraint `at` of an island is the first of three rows between bodies.
static int starts_triple(const ConstraintSet* set, const Island* island, int at) {
  const Constraint* k = &set->list[island->order[at]];
  return heft_equality_is_turned(k) && k->source % 3 == 0;
}

// The principal directions of the mobility of three rows, as columns.
static HeftMat3 find_turn(const HeftContactProblem* p, const HeftConstraintBlock* block,
                          const double (*jacobian)[12]) {
  HeftMat3 turn;
  HeftVec3 values;
  double w[6];
  heft_operator_mobility_of_three(p, block->effector, jacobian, w);
  heft_sym3_eigen((HeftSym3){w[0], w[2], w[5], w[1], w[3], w[4]}, &values, &turn);
  HEFT_ASSERT(heft_is_unit(heft_mat3_column(turn, 0)) && heft_is_unit(heft_mat3_column(turn, 2)));
  return turn;
}

// Turns three rows of the Jacobian, of bias and of warm impulses by Qᵀ.
static void turn_triple(const HeftMat3* turn, double (*jacobian)[12], double* bias, double* warm) {
  double before[3][12], b[3], r[3];
  for (int i = 0; i < 3; ++i) {
    memcpy(before[i], jacobian[i], sizeof before[i]);
    b[i] = bias[i];
    r[i] = warm[i];
  }
  for (int i = 0; i < 3; ++i) {
    const HeftVec3 q = heft_mat3_column(*turn, i);
    bias[i] = (q.x * b[0] + q.y * b[1]) + q.z * b[2];
    warm[i] = (q.x * r[0] + q.y * r[1]) + q.z * r[2];
    for (int n = 0; n < 12; ++n)
      jacobian[i][n] = (q.x * before[0][n] + q.y * before[1][n]) + q.z * before[2][n];
  }
}

// The square of a smaller coefficient would leave the range of numbers.
static double friction(double mu) { return mu >= 1e-100 ? mu : 0; }

static HeftConstraintBlock law_of(const Constraint* k, int row) {
  return (HeftConstraintBlock){.type = k->type,
                               .row = row,
                               .effector = {-1, -1},
                               .mu = friction(k->mu),
                               .mu_static = friction(k->mu_static),
                               .mu_roll = friction(k->mu_roll),
                               .mu_spin = friction(k->mu_spin),
                               .lower = k->lower,
                               .upper = k->upper};
}

static HeftContactProblem empty_problem(const IslandProblem* all, const IslandSet* islands,
                                        const Island* island, const StepInput* in) {
  return (HeftContactProblem){.constraints = all->blocks + island->contact_first,
                              .bias = all->bias + island->row_first,
                              .warm = all->warm + island->row_first,
                              .velocity_scale = in->weight_speed,
                              .effector_count = island->effector_count,
                              .tree_count = island->tree_count,
                              .trees = islands->trees + island->tree_first,
                              .omega = all->omega + island->omega_first,
                              .jacobian = all->jacobian[island->row_first]};
}

enum { TREE_RANGE = 64, CONSTRAINT_RANGE_MIN = 256, RANGES_MAX = 64 };

// How far the arrays of an island are filled.
typedef struct Filled {
  int row, placed;
} Filled;

static void fill_tree(const IslandProblem* all, const IslandSet* islands, const Island* island,
                      const HeftDynamics* dynamics, int t, double* scratch) {
  const HeftContactTree* tree = &islands->trees[t];
  const HeftEffector* effectors =
      islands->effectors + island->effector_first + tree->effector_first;
  const int count = tree->effector_count;
  HEFT_ASSERT(count >= 1);
  double* omega = all->omega + island->omega_first + tree->omega;
  if (tree->dof_count > 0) {
    heft_effector_factors(dynamics, count, effectors, heft_contact_factor_stride(tree->dof_count),
                          scratch, omega);
  } else {
    heft_dynamics_delassus_effectors(dynamics, count, effectors, scratch, omega);
  }
}

// An island of many trees, as threads see it.
typedef struct Filling {
  IslandProblem* all;
  const IslandSet* islands;
  const Island* island;
  const HeftDynamics* dynamics;
  const SolveRequest* request;
  HeftContactProblem* problem;
  int size;                      ///< constraints in a range
  Filled begin[RANGES_MAX + 1];  ///< of each range
} Filling;

// Trees of one link, which need no scratch.
static void fill_trees(void* arg, int first, int end) {
  const Filling* f = arg;
  double unused;
  for (int t = first; t < end; ++t)
    fill_tree(f->all, f->islands, f->island, f->dynamics, f->island->tree_first + t, &unused);
}

static int needs_no_scratch(const IslandSet* islands, const Island* island,
                            const HeftDynamics* dynamics) {
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    const HeftContactTree* tree = &islands->trees[t];
    const HeftEffector* own = islands->effectors + island->effector_first + tree->effector_first;
    if (tree->effector_count > 1 || tree->dof_count > 0 ||
        !heft_effector_is_free_body(dynamics, own))
      return 0;
  }
  return 1;
}

void heft_island_mobility(IslandProblem* all, const IslandSet* islands, int index,
                          const HeftDynamics* dynamics, HeftPool* pool, double* scratch) {
  const Island* island = &islands->list[index];
  HEFT_ASSERT(index >= 0 && index < islands->count);
  if (all->mobile[index]) return;
  all->mobile[index] = 1;
  if (pool && needs_no_scratch(islands, island, dynamics)) {
    Filling f = {.all = all, .islands = islands, .island = island, .dynamics = dynamics};
    heft_pool_run_ranges(pool, island->tree_count, TREE_RANGE, fill_trees, &f);
    return;
  }
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t)
    fill_tree(all, islands, island, dynamics, t, scratch);
}

void heft_islands_refactored(IslandProblem* all, const IslandSet* islands) {
  memset(all->mobile, 0, (size_t)islands->count * sizeof(int));
  memset(all->turned, 0, (size_t)islands->count * sizeof(int));
}

// The rows of the constraint `at` of an island, which go to `row`. Returns how many there are.
static int fill_rows(IslandProblem* all, const IslandSet* islands, const Island* island,
                     const SolveRequest* request, const HeftContactProblem* problem, int at,
                     int row, HeftConstraintBlock* block) {
  const Constraint* k = &request->set->list[island->order[at]];
  HEFT_ASSERT(row + k->rows <= island->rows);
  double *bias = all->bias + island->row_first + row, *warm = all->warm + island->row_first + row;
  *block = law_of(k, row);
  place_rows(islands, request->set, k, block, all->jacobian + island->row_first + row);
  for (int r = 0; r < k->rows; ++r) {
    bias[r] = request->velocity[k->row + r];
    warm[r] = request->cold ? 0 : request->set->warm[k->row + r];
  }
  if (request->corrects && k->kind == CONSTRAINT_CONTACT && is_held(islands->model, k))
    bias[0] =
        fmax(bias[0], -fast * ease_of(problem, block, all->jacobian[island->row_first + row]));
  return k->rows;
}

// Moves a row to another place.
static void move_row(IslandProblem* all, const Island* island, int from, int to) {
  const int first = island->row_first;
  HEFT_ASSERT(to <= from);
  if (from == to) return;
  memcpy(all->jacobian[first + to], all->jacobian[first + from], sizeof *all->jacobian);
  all->bias[first + to] = all->bias[first + from];
  all->warm[first + to] = all->warm[first + from];
}

// Turns the rows of an equality, one or three, and finds those along which nothing can move. Both
// depend only on Ω: if it has not changed since the last problem of this island, they are known.
static void turn_equality(IslandProblem* all, const Island* island,
                          const HeftContactProblem* problem, const HeftConstraintBlock* block,
                          const Constraint* k, int at, int count, int row, int known) {
  double(*jacobian)[12] = all->jacobian + island->row_first + row;
  if (count == 3) {
    HeftMat3* turn = &all->turn[k->source / 3];
    HEFT_ASSERT(k->source % 3 == 0);
    if (!known) *turn = find_turn(problem, block, (const double(*)[12])jacobian);
    turn_triple(turn, jacobian, all->bias + island->row_first + row,
                all->warm + island->row_first + row);
  }
  if (known) return;
  const double scale = scale_of_rows(problem, block, (const double(*)[12])jacobian, count);
  for (int n = 0; n < count; ++n)
    all->idle[island->order[at + n]] = (uint8_t)is_idle(problem, &block[n], jacobian[n], scale);
}

// The constraints first to end - 1 of an island. Returns how far its arrays are filled then. known:
// 1 if the rows of its equalities are.
static Filled fill_constraints(IslandProblem* all, const IslandSet* islands, const Island* island,
                               const SolveRequest* request, const HeftContactProblem* problem,
                               int first, int stop, Filled at, int known) {
  HeftConstraintBlock* blocks = all->blocks + island->contact_first;
  int row = at.row, placed = at.placed;
  for (int i = first; i < stop;) {
    const Constraint* k = &request->set->list[island->order[i]];
    const int index = island->order[i];
    if (k->kind == CONSTRAINT_CONTACT && (request->waiting[index] || all->idle[index])) {
      ++i;
      continue;
    }
    const int triple = starts_triple(request->set, island, i), count = triple ? 3 : 1;
    const int equality = k->kind == CONSTRAINT_EQUALITY;
    HeftConstraintBlock block[3];
    int end = row;
    for (int n = 0; n < count; ++n)
      end += fill_rows(all, islands, island, request, problem, i + n, end, &block[n]);
    if (equality) turn_equality(all, island, problem, block, k, i, count, row, known);
    for (int n = 0, from = row; n < count;
         from += request->set->list[island->order[i + n++]].rows) {
      if (request->waiting[island->order[i + n]]) continue;
      if (equality && all->idle[island->order[i + n]]) continue;
      if (triple) move_row(all, island, from, row);
      block[n].row = row;
      all->source[island->contact_first + placed] = island->order[i + n];
      blocks[placed++] = block[n];
      row += request->set->list[island->order[i + n]].rows;
    }
    i += count;
  }
  HEFT_ASSERT(row <= island->rows && placed <= island->count);
  return (Filled){row, placed};
}

// ---- only contact points, by threads: what each range fills is counted first

static int range_end(const Filling* f, int index) {
  const int end = f->size * (index + 1);
  return end < f->island->count ? end : f->island->count;
}

static void count_range(void* arg, int worker, int index) {
  Filling* f = arg;
  Filled* own = &f->begin[index + 1];
  (void)worker;
  *own = (Filled){0, 0};
  for (int i = f->size * index; i < range_end(f, index); ++i) {
    const int at = f->island->order[i];
    if (f->request->waiting[at] || f->all->idle[at]) continue;
    own->row += f->request->set->list[at].rows;
    own->placed += 1;
  }
}

static void fill_range(void* arg, int worker, int index) {
  const Filling* f = arg;
  (void)worker;
  fill_constraints(f->all, f->islands, f->island, f->request, f->problem, f->size * index,
                   range_end(f, index), f->begin[index], 0);
}

static Filled fill_by_threads(Filling* f, HeftPool* pool) {
  const int count = f->island->count, least = (count + RANGES_MAX - 1) / RANGES_MAX;
  f->size = least > CONSTRAINT_RANGE_MIN ? least : CONSTRAINT_RANGE_MIN;
  const int ranges = (count + f->size - 1) / f->size;
  HEFT_ASSERT(ranges <= RANGES_MAX);
  heft_pool_run(pool, ranges, count_range, f);
  f->begin[0] = (Filled){0, 0};
  for (int i = 0; i < ranges; ++i) {
    f->begin[i + 1].row += f->begin[i].row;
    f->begin[i + 1].placed += f->begin[i].placed;
    HEFT_ASSERT(f->begin[i + 1].row >= f->begin[i].row);
  }
  heft_pool_run(pool, ranges, fill_range, f);
  return f->begin[ranges];
}

// The softness of the constraints that are placed; NULL if all are rigid.
static const double* fill_softness(IslandProblem* all, const Island* island,
                                   const ConstraintSet* set, int placed) {
  const int* source = all->source + island->contact_first;
  double* out = all->softness + island->contact_first;
  int any = 0;
  for (int i = 0; i < placed; ++i) {
    out[i] = set->list[source[i]].softness;
    HEFT_ASSERT(source[i] >= 0 && source[i] < set->count && !(out[i] < 0));
    any |= out[i] > 0;
  }
  return any ? out : NULL;
}

HeftContactProblem heft_island_problem(IslandProblem* all, const IslandSet* islands, int index,
                                       const SolveRequest* request, const StepInput* in,
                                       const HeftDynamics* dynamics, HeftPool* pool,
                                       double* scratch) {
  const Island* island = &islands->list[index];
  HeftContactProblem problem = empty_problem(all, islands, island, in);
  heft_island_mobility(all, islands, index, dynamics, pool, scratch);
  if (!all->turned[index]) {
    IdleTask task = {islands, island, request->set, &problem, all->idle};
    heft_pool_run_ranges(pool, island->count, CONSTRAINT_RANGE_MIN, find_idle, &task);
  }
  Filled filled = {0, 0};
  if (pool && heft_island_is_contact(island, request->set)) {
    Filling f = {
        .all = all, .islands = islands, .island = island, .request = request, .problem = &problem};
    filled = fill_by_threads(&f, pool);
  } else {
    filled = fill_constraints(all, islands, island, request, &problem, 0, island->count, filled,
                              all->turned[index]);
  }
  all->turned[index] = 1;
  problem.constraint_count = all->placed[index] = filled.placed;
  problem.row_count = filled.row;
  HEFT_ASSERT(problem.row_count <= island->rows && problem.constraint_count <= island->count);
  if (request->set->soft)
    problem.softness = fill_softness(all, island, request->set, filled.placed);
  problem.at_rest = request->certify && heft_rest_is_near(in, island);
  return problem;
}

int heft_equality_is_turned(const Constraint* k) {
  return k->kind == CONSTRAINT_EQUALITY && k->dof[0] < 0 && k->direction[0] < 0;
}
