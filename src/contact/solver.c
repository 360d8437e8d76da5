// SPDX-License-Identifier: Apache-2.0
// Papers: S5, U1, U7.
// The solver: allocates its memory, chooses the form of the problem, runs the phases, and returns
// the best iterate.
#include <float.h>
#include <heft/contact.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"
#include "contact/certificate/certificate.h"
#include "contact/core/energy_bound.h"
#include "contact/stages.h"
#include "contact/warm_check.h"

enum {
  FINISH_NS = 80,             // to return one contact
  CONSTRAINTS_MAX = 1 << 24,  // 36 numbers of each are counted by an int
  DENSE_MIN = 16              // effectors of a tree whose points get W itself
};
static const double PACKET_SHARE = 0.6;  // of the capacities: problems that have room for packets
static const double CUT_BITS = 1e-12;    // of the square of a tangent: rounding
static const double ROUNDINGS = 4;       // of a residual, and of the certificate's
static const double EXCESS = 0.005;      // of the tolerance: two residuals that agree
static const double EXPLAINED =
    1e-4;  // remainder of W without its bodies, relative to the tolerance

void heft_contact_solver_def_init(HeftContactSolverDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftContactSolverDef, def, cookie)) return;
  *def = (HeftContactSolverDef){.cookie = cookie,
                                .constraint_capacity = 256,
                                .effector_capacity = 512,
                                .tree_effector_capacity = 16,
                                .method = HEFT_CONTACT_METHOD_AUTO,
                                .proximal = 0.03,
                                .allocator = heft_allocator_default()};
}

HeftContactTermination heft_contact_termination_default(void) {
  return (HeftContactTermination){.tolerance = 1e-8, .effort_max = EFFORT_LONG};
}

// ---- memory
//
// A solver has one block of memory, and each solve lays out its arrays anew from the start of it,
// by the size of its problem: what a small problem touches is small and close together, and what
// the arrays leave is for the Newton factor. A problem at the limit of the capacities has no
// packets, which are faster but need more memory.

// Groups of contacts are filled up to PACKET_SIZE; each has one contact at least.
static int fillers_max(int constraints) {
  const int colours = constraints / PACKET_SIZE;
  return (PACKET_SIZE - 1) * (colours < COLOURS_MAX ? colours : COLOURS_MAX);
}

static CoreSize with_packets(CoreSize size) {
  size.packets =
      size.constraints >= PACKETS_MIN && size.effectors > 0 && size.dofs == 0 && size.dense == 0;
  size.constraints += size.packets ? fillers_max(size.constraints) : 0;
  return size;
}

static CoreSize size_of(const HeftContactSolverDef* def) {
  const int rows = def->row_capacity ? def->row_capacity : 3 * def->constraint_capacity;
  return (CoreSize){.constraints = def->constraint_capacity,
                    .rows = rows,
                    .tall = def->row_capacity ? rows / 5 + 1 : 0,
                    .wide = def->row_capacity != 0,
                    .blocks = def->block_capacity,
                    .effectors = def->effector_capacity,
                    .tree_effectors = def->tree_effector_capacity,
                    .omega = def->omega_capacity ? def->omega_capacity
                                                 : 36 * (size_t)def->effector_capacity *
                                                       (size_t)def->tree_effector_capacity};
}

// The rows of a contact need no more than the strides of its two trees in joint space; the longest
// counts for both.
static void add_joint_sizes(const HeftContactProblem* p, CoreSize* size) {
  int longest = 0, two = 0;
  for (int t = 0; t < p->tree_count; ++t) {
    const int stride = heft_contact_factor_stride(p->trees[t].dof_count);
    HEFT_ASSERT(stride % 4 == 0);
    size->dofs += stride;
    if (stride > longest) longest = stride;
  }
  for (int i = 0; i < p->constraint_count && p->tree_count > 1; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    if (c->effector[0] >= 0 && c->effector[1] >= 0) two += heft_constraint_type_row_count(c->type);
  }
  size->joint_numbers = (size_t)longest * (size_t)(p->row_count + two);
}

// Numbers of W of points, if some of them belong to a large tree, and if it needs no more memory
// than a copy of Ω of that tree; otherwise 0.
static size_t dense_of(const HeftContactProblem* p, const CoreSize* size) {
  if (size->tree_effectors < DENSE_MIN || p->constraint_count > 2 * size->tree_effectors) return 0;
  for (int i = 0; i < p->constraint_count; ++i) {
    if (p->constraints[i].type != HEFT_CONSTRAINT_POINT) return 0;
  }
  return 12 * (size_t)p->constraint_count * (size_t)p->constraint_count;
}

static CoreSize size_of_problem(const HeftContactProblem* p) {
  CoreSize size = {.constraints = p->constraint_count,
                   .rows = p->row_count,
                   .blocks = p->block_start ? p->block_start[p->constraint_count] : 0,
                   .effectors = p->block_start ? 0 : p->effector_count};
  for (int i = 0; i < p->constraint_count; ++i) {
    const int rows = heft_constraint_type_row_count(p->constraints[i].type);
    size.tall += rows > 4;
    size.wide |= rows > 3;
  }
  HEFT_ASSERT(size.tall <= p->constraint_count);
  for (int t = 0; t < p->tree_count && !p->block_start; ++t) {
    const int effectors = p->trees[t].effector_count;
    if (effectors > 1) size.omega += 36 * (size_t)effectors * (size_t)effectors;
    if (effectors > size.tree_effectors) size.tree_effectors = effectors;
  }
  if (!p->block_start && p->tree_count > 0 && p->trees[0].dof_count > 0) add_joint_sizes(p, &size);
  if (size.dofs == 0) size.dense = dense_of(p, &size);
  return size;
}

// Enough for the factor of a few hundred coupled contacts; bytes per contact grow with their
// number.
static size_t factor_bytes(const HeftContactSolverDef* def) {
  if (def->factor_bytes) return def->factor_bytes;
  const size_t each = def->block_capacity > 0 ? (size_t)1 << 16 : (size_t)1 << 14;
  return ((size_t)1 << 20) + (size_t)def->constraint_capacity * each;
}

static void take_all(HeftContactSolver* s, Arena* arena, CoreSize size) {
  const size_t slots = core_slots_max(size);
  core_take(&s->core, arena, size);
  s->best = arena_take(arena, slots, double);
  s->u = arena_take(arena, slots, double);
  s->sweep = (FloatSweep){0};
  Arena heap = *arena;  // stage_heap.c is over before Anderson acceleration begins
  if (size.packets) float_sweep_take(&s->sweep, &heap, size.constraints, size.effectors);
  anderson_take(&s->anderson, arena, slots, core_states_max(size), size.blocks > 0,
                size.tree_effectors > 1);
  if (heap.used > arena->used) arena->used = heap.used;
  arena->overflow |= heap.overflow;
}

static size_t bytes_of(CoreSize size) {
  HeftContactSolver probe;
  Arena arena = arena_measure();
  take_all(&probe, &arena, size);
  return arena.used;
}

static size_t incidence_bytes(int constraints, int effectors) {
  Incidence probe;
  Arena arena = arena_measure();
  if (constraints >= INCIDENCE_MIN) incidence_take(&probe, &arena, constraints, effectors);
  return arena.used;
}

// The largest problem, or one of PACKET_SHARE of it with packets.
static size_t solve_bytes(const HeftContactSolverDef* def) {
  CoreSize size = size_of(def), shared = size;
  shared.constraints = (int)(PACKET_SHARE * size.constraints);
  shared.rows = (int)(PACKET_SHARE * size.rows);
  const size_t all = bytes_of(size), packets = bytes_of(with_packets(shared)),
               twists = 2 * EFFECTOR_PAD * sizeof(double) * (size_t)size.effectors;
  return (all > packets ? all : packets) + twists + ARENA_ALIGNMENT +
         incidence_bytes(size.constraints, size.effectors) + factor_bytes(def);
}

// Memory that is kept from solve to solve.
static void take_kept(HeftContactSolver* s, Arena* arena, const HeftContactSolverDef* def) {
  bodies_take(&s->bodies, arena, def->constraint_capacity, def->block_capacity,
              def->effector_capacity);
}

static size_t kept_bytes(const HeftContactSolverDef* def) {
  HeftContactSolver probe;
  Arena arena = arena_measure();
  arena_take(&arena, 1, HeftContactSolver);
  take_kept(&probe, &arena, def);
  return arena.used;
}

size_t heft_contact_solver_bytes(const HeftContactSolverDef* def) {
  HEFT_REQUIRE(def, 0);
  return kept_bytes(def) + solve_bytes(def);
}

void heft_contact_solver_bind(HeftContactSolver* s, size_t bytes) {
  HEFT_REQUIRE_VOID(s);
  const size_t kept = s->kept, own = s->bytes - kept;
  s->memory.size = bytes > kept && bytes - kept < own ? bytes - kept : own;
  HEFT_ASSERT(s->memory.size <= own);
}

// The twists of the effectors, the joint velocities and the incidence come first: they are known
// before all else (at_rest). Returns 0 if there is no room for them.
static int take_twists(HeftContactSolver* s, Arena* arena, const HeftContactProblem* p) {
  const int effectors = p->block_start ? 0 : p->effector_count;
  const int factors = effectors > 0 && p->trees[0].dof_count > 0;
  size_t numbers = 2 * EFFECTOR_PAD * (size_t)effectors;
  for (int t = 0; t < p->tree_count && factors; ++t)
    numbers += (size_t)heft_contact_factor_stride(p->trees[t].dof_count);
  s->core.twists = arena_take(arena, numbers, double);
  s->incidence = (Incidence){0};
  if (effectors > 0 && !factors && p->constraint_count >= INCIDENCE_MIN)
    incidence_take(&s->incidence, arena, p->constraint_count, effectors);
  return !arena->overflow;
}

// Lays out the arrays of a solve; the Newton factor gets the rest. Returns 0 if there is no room:
// the capacities do not know the dofs of problems in joint space.
static int lay_out(HeftContactSolver* s, const HeftContactProblem* p) {
  const CoreSize plain = size_of_problem(p), packets = p->softness ? plain : with_packets(plain);
  Arena arena = s->memory;
  if (!take_twists(s, &arena, p)) return 0;
  HEFT_ASSERT(plain.constraints <= s->def.constraint_capacity);
  HEFT_ASSERT(plain.effectors <= s->def.effector_capacity && plain.blocks <= s->def.block_capacity);
  const size_t room = arena.size - arena.used;
  take_all(s, &arena, packets.packets && bytes_of(packets) <= room ? packets : plain);
  if (arena.overflow) return 0;
  HEFT_ASSERT(arena.used <= arena.size);
  newton_take(&s->newton, &arena, (arena.size - arena.used) / ARENA_ALIGNMENT * ARENA_ALIGNMENT);
  return 1;
}

HeftStatus heft_contact_solver_create(HeftContactSolver** out, const HeftContactSolverDef* def,
                                      HeftError* err) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(def, HEFT_ERR_ARGUMENT);
  const HeftStatus status =
      HEFT_DEF_CHECK(HeftContactSolverDef, heft_contact_solver_def_default, def, err);
  if (status != HEFT_OK) return status;
  if (def->constraint_capacity < 1 || def->constraint_capacity > CONSTRAINTS_MAX ||
      def->row_capacity < 0 || def->block_capacity < 0 || def->effector_capacity < 0 ||
      def->tree_effector_capacity < 0 || !(def->proximal > 0 && def->proximal <= 1)) {
    return heft_error_set(err, HEFT_ERR_ARGUMENT,
                          "a size or setting of the contact solver is out of its range");
  }
  const size_t bytes = heft_contact_solver_bytes(def);
  void* memory = def->allocator.allocate(def->allocator.user, bytes, ARENA_ALIGNMENT);
  if (!memory)
    return heft_error_set(err, HEFT_ERR_MEMORY, "no memory for a contact solver of %zu bytes",
                          bytes);
  Arena arena = arena_make(memory, bytes, NULL);
  HeftContactSolver* s = arena_take(&arena, 1, HeftContactSolver);
  *s = (HeftContactSolver){0};
  s->def = *def;
  s->bytes = bytes;
  s->core.run = def->run;
  s->core.run_user = def->run_user;
  take_kept(s, &arena, def);
  s->kept = arena.used;
  s->memory = arena_make(arena.base + arena.used, bytes - arena.used, NULL);
  *out = s;
  return HEFT_OK;
}

void heft_contact_solver_destroy(HeftContactSolver* s) {
  if (!s) return;
  const HeftAllocator allocator = s->def.allocator;
  allocator.release(allocator.user, s, s->bytes);
}

// ---- the end

// Shortens tangents that are outside of their cone (only by rounding if the solver has ended).
// Returns 1 if there was one, 2 if one was shortened by more than rounding.
static int cut_to_cones(const Core* core, double* r) {
  int cut = 0;
  for (int i = 0; i < core->constraints; ++i) {
    const Cone* cone = &core->cone[i];
    double* own = r + core->slot[i];
    for (int g = 0; g < cone->groups; ++g) {
      double* v = own + cone->first[g];
      const double coupled = cone->mu[g] * own[0],
                   square = v[0] * v[0] + (cone->size[g] == 2 ? v[1] * v[1] : 0);
      if (square <= coupled * coupled) continue;
      HEFT_ASSERT(!(square <= 0));
      for (int k = 0; k < cone->size[g]; ++k) v[k] *= (1 - 4e-16) * coupled / sqrt(square);
      cut = cut == 2 || !(square <= (1 + CUT_BITS) * (coupled * coupled)) ? 2 : 1;
    }
  }
  return cut;
}

// Along the ray θ r the kinetic energy is least at θ* = -(r · b) / (r · W r). If r would add
// energy, θ* r, which is in the cones too, removes some. Returns θ. An exact solution never
// needs this: there r · (b + W r / 2) <= 0. relative: the residual of r.
static double clamp_energy(const Core* core, double relative, double* r, const double* u) {
  V4 with_b_lanes = v4_all(0), with_w_lanes = v4_all(0);
  for (int i = 0; i < core->constraints && !core->plain; ++i) {
    const Cone* cone = &core->cone[i];
    if (cone->groups == 0 && (cone->lower > 0 || cone->upper < 0))
      return 1;  // zero is not allowed there
  }
  for (int k = 0; k < core->slots; k += 4) {
    const V4 own = v4_load(r + k), b = v4_load(core->b + k);
    with_b_lanes += own * b;
    with_w_lanes += own * (v4_load(u + k) - b);
  }
  const double with_b = v4_sum(with_b_lanes), with_w = v4_sum(with_w_lanes);
  const double gain = with_b + 0.5 * with_w;
  if (!(gain > 0)) return 1;
  const double size = 0.5 * energy_size(core->slots, r, core->b, u);
  if (gain <= energy_bound(relative, size)) return 1;
  const double theta = with_w > 0 ? fmin(1, fmax(0, -with_b / with_w)) : 0;
  HEFT_ASSERT(!(theta < 0 || theta > 1));
  for (int k = 0; k < core->slots; ++k) r[k] *= theta;
  return theta;
}

// The largest impulse of a contact, less one of `from` if it is given, as a relative velocity.
static double largest_impulse(const Core* core, const double* r, const double* from) {
  double worst = 0;
  for (int i = 0; i < core->constraints; ++i) {
    double square = 0;
    for (int k = core->slot[i]; k < core->slot[i] + core->rows[i]; ++k) {
      const double own = from ? r[k] - from[k] : r[k];
      square += own * own;
    }
    const double size = core->w[i] * core->w[i] * square;
    worst = size > worst ? size : worst;
  }
  return sqrt(worst) / core->reference;
}

// The largest velocity of a row, relative.
static double largest_velocity(const Core* core, const double* u) {
  double max = 0;
  for (int i = 0; i < core->constraints; ++i) {
    for (int k = core->slot[i]; k < core->slot[i] + core->rows[i]; ++k) max = fmax(max, fabs(u[k]));
  }
  return max / core->reference;
}

static double steepest(const Core* core) {
  double max = 1;
  for (int i = 0; i < core->constraints; ++i) {
    for (int g = 0; g < core->cone[i].groups; ++g) max = fmax(max, core->cone[i].mu[g]);
  }
  return max;
}

static void finish(Run* run) {
  Core* core = &run->s->core;
  const HeftContactProblem* p = &run->p;
  double *r = run->s->best, *u = run->s->u;
  HEFT_ASSERT(run->loaded && run->steep >= 1);
  const int cut = cut_to_cones(core, r);  // if it changes the last bits only, z stays valid
  if (!run->fresh || cut == 2) core_state(core, r, core->z);
  run->result.relative = run->best;
  if (!run->fresh || cut) run->result.relative = core_residual(core, r, core->z, u);
  run->result.clamp = clamp_energy(core, run->best, r, u);
  if (run->result.clamp < 1) {
    core_state(core, r, core->z);
    run->result.relative = core_residual(core, r, core->z, u);
  }
  if ((cut == 2 || run->result.clamp < 1) && !(run->result.relative <= run->stop->tolerance) &&
      run->result.status == HEFT_CONTACT_SOLVED)
    run->result.status = HEFT_CONTACT_STALLED;
  if (run->result.status == HEFT_CONTACT_SOLVED) {
    // The residual w |r - P(r - û / w)| of a contact is known to a few ε µ (w |r| + |û|). In
    // impulses that grow without bound, because none stops a contact that closes, it vanishes by
    // rounding; so it does in velocities that went through such impulses and lost their digits.
    const double rounding = ROUNDINGS * DBL_EPSILON * run->steep *
                            fmax(largest_impulse(core, r, NULL), largest_velocity(core, u));
    if (!(fmax(rounding, run->result.relative + rounding - EXCESS * run->stop->tolerance) <=
          run->stop->tolerance)) {
      core_state(core, r, core->z);
      run->result.status = HEFT_CONTACT_STALLED;
      run->result.relative = core_residual(core, r, core->z, u) + rounding;
    }
  }
  HEFT_ASSERT(core_in_cones(core, r));
  HEFT_ASSERT(run->result.status != HEFT_CONTACT_SOLVED ||
              run->result.relative <= (1 + 2 * EXCESS) * run->stop->tolerance);
  if (p->warm) run->result.displacement = largest_impulse(core, r, core->warm);
  core_unpack(core, p, r, 1, run->impulse);
  if (!run->velocity) return;
  for (int k = 0; k < core->slots && heft_contact_problem_yields(p); ++k)
    u[k] -= core->soft[k] * r[k];  // what softness added
  core_unpack(core, p, u, 0, run->velocity);
}

// ---- the beginning

static int is_solution(Run* run) {
  HeftContactSolver* s = run->s;
  const HeftContactProblem* p = &run->p;
  const double tolerance = run->stop->polish > 0
                               ? fmin(p->at_rest ? RESTING : POLISHED, run->stop->tolerance)
                               : run->stop->tolerance;
  Arena arena = s->memory;
  if (!take_twists(s, &arena, p)) return 0;
  double* u = run->velocity ? run->velocity : arena_take(&arena, p->row_count, double);
  if (arena.overflow) return 0;
  if (s->incidence.entry) incidence_make(&s->incidence, p);
  const Rest rest = rest_check(p, tolerance, (Share){s->core.run, s->core.run_user}, &s->incidence,
                               s->core.twists, u);
  run->known = rest.known;
  if (rest.gains) run->p.warm = NULL;
  if (!rest.solved) return 0;
  run->result.equal = equal_fits(&s->def, p);
  if (run->result.equal && !equal_keeps(p, u, tolerance)) return run->result.equal = 0;
  memcpy(run->impulse, p->warm, sizeof(double) * (size_t)p->row_count);
  run->result.status = HEFT_CONTACT_SOLVED;
  run->result.relative = rest.relative;
  HEFT_ASSERT(!(rest.relative > (1 + 1e-9) * tolerance));
  return 1;
}

// A problem in joint space whose rows do not fit the solver: no impulses.
static void give_up(Run* run) {
  const size_t bytes = sizeof(double) * (size_t)run->p.row_count;
  memset(run->impulse, 0, bytes);
  if (run->velocity) memcpy(run->velocity, run->p.bias, bytes);
  run->result.status = HEFT_CONTACT_STALLED;
  run->result.relative = HUGE_VAL;
}

int warm_run(Run* run, int round) {
  (void)round;
  if (is_solution(run)) return 1;
  if (lay_out(run->s, &run->p)) return 0;
  give_up(run);
  return 1;
}

int load_run(Run* run, int round) {
  (void)round;
  core_load(&run->s->core, &run->p);
  newton_begin(&run->s->newton);
  run->loaded = 1;
  run->steep = steepest(&run->s->core);
  run_start(run);
  return run->best <= run->stop->tolerance && !equal_fits(&run->s->def, &run->p);
}

// If the blocks come from bodies, the solver uses these. The search costs about a dozen sweeps by
// blocks, so it is skipped for few contacts, and for some more with warm impulses.
static const HeftContactProblem* best_form(HeftContactSolver* s, const HeftContactProblem* p,
                                           double tolerance) {
  const int min = p->warm ? 4 * PACKETS_MIN : PACKETS_MIN;
  if (!p->block_start || p->constraint_count < min) return p;
  const HeftContactProblem* found = bodies_find(&s->bodies, p, EXPLAINED * tolerance);
  return found ? found : p;
}

HeftContactResult heft_contact_solver_solve(HeftContactSolver* s, const HeftContactProblem* given,
                                            const HeftContactTermination* stop, double* impulse,
                                            double* velocity) {
  HEFT_REQUIRE(s && given && stop && (impulse || given->row_count == 0),
               ((HeftContactResult){.status = HEFT_CONTACT_STALLED, .relative = HUGE_VAL}));
  Run run = {.s = s,
             .p = *best_form(s, given, stop->tolerance),
             .impulse = impulse,
             .velocity = velocity,
             .stop = stop,
             .effort_max = stop->effort_max,
             .result.clamp = 1};
  if (run.effort_max == 0) run.effort_max = stages_usual_effort(&run.p);
  if (run.effort_max < 0) run.effort_max = 0;
  HEFT_ASSERT(run.effort_max >= 0);
  if (stop->deadline_ns) {
    const uint64_t margin = (uint64_t)run.p.constraint_count * FINISH_NS;
    run.clock.deadline = stop->deadline_ns > margin ? stop->deadline_ns - margin : 1;
    run.clock.longest = margin;
  }
  stages_run(&run);
  if (run.loaded) {
    if (run.result.status == HEFT_CONTACT_SOLVED && stop->polish > 0 && run.best > POLISHED)
      stages_polish(&run);
    finish(&run);
    s->core.problem = NULL;
  }
  run.result.search_ns = run.clock.search_ns;
  if (run.clock.over) run.result.status = HEFT_CONTACT_DEADLINE;
  HEFT_ASSERT(run.result.effort >= 0 && run.result.effort <= run.effort_max);
  HEFT_ASSERT(run.result.clamp >= 0 && run.result.clamp <= 1);
  return run.result;
}

HeftContactCertificate heft_contact_solver_certify(const HeftContactSolver* s,
                                                   const HeftContactProblem* p,
                                                   const double* impulse, const double* velocity,
                                                   double* scratch) {
  HEFT_REQUIRE(s && p && (impulse || p->row_count == 0) && scratch,
               heft_contact_certify(NULL, NULL, NULL, NULL));
  return certificate_make(p, impulse, velocity, scratch, (Share){s->core.run, s->core.run_user});
}
