// SPDX-License-Identifier: Apache-2.0
// The solver: phases in order, the best iterate kept, stopped by tolerance, work or clock.
#include <heft/contact.h>
#include <limits.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "contact/anderson.h"
#include "contact/bodies.h"
#include "contact/core.h"
#include "contact/momentum.h"
#include "contact/newton.h"
#include "contact/path.h"
#include "contact/rest.h"
#include "contact/select.h"
#include "contact/small_newton.h"
#include "contact/sweep.h"

enum {
  REFRESH = 64,
  FAILURES_MAX = 4,
  DEAR = 25,
  SMALL_STEPS = 6,
  PATIENCE = 4,
  FINISH_NS = 80,
  FINISH_STEPS = 4,
  FINISH_SWEEPS = 32,  // as dear as those steps, more or less
  FINISH_TREES = 300,
  PILE_SWEEPS = 20000,
  PATH_STEPS = 3000,
  PATHS = 3
};
static const double KAPPA_FIRST = 1e-5, KAPPA_NEAR = 3e-4, GAINED = 1e3, EXPLAINED = 1e-4,
                    FAR = 0.1, COLD = 0.1, POLISHED = 1e-12, ROUNDED = 0.3, NEAR = 1e-3,
                    NEARER = 1e-5, KAPPA_SMOOTH = 0.1, ROUNDED_WARM = 0.03, ROUNDED_SMALL = 0.003,
                    KAPPA_WARM = 1e-3, KAPPA_PATH = 0.01, ROUNDED_PATH = 3;

struct HeftContactSolver {
  HeftContactSolverDef def;
  size_t bytes;
  Core core;
  Anderson anderson;
  Newton newton;
  SmallNewton small;
  Bodies bodies;
  double *best, *u;
};

HeftContactSolverDef heft_contact_solver_def_default(void) {
  return (HeftContactSolverDef){.contact_max = 256,
                                .mover_max = 512,
                                .tree_mover_max = 16,
                                .method = HEFT_CONTACT_METHOD_AUTO,
                                .proximal = 0.03,
                                .allocator = heft_allocator_default()};
}

HeftContactStop heft_contact_stop_default(void) {
  return (HeftContactStop){.tolerance = 1e-8, .work_max = 100000};
}

static CoreSize size_of(const HeftContactSolverDef* def) {
  const int lanes = def->contact_max >= LANES_LEAST && def->mover_max > 0;
  return (CoreSize){.contacts = def->contact_max + (lanes ? (LANES - 1) * COLOURS_MAX : 0),
                    .lanes = lanes,
                    .rows = def->row_max ? def->row_max : 3 * def->contact_max,
                    .blocks = def->block_max,
                    .movers = def->mover_max,
                    .tree_movers = def->tree_mover_max,
                    .tall = def->row_max != 0};
}

// Enough for the factor of a few hundred contacts that hang together; more contacts, more bytes
// each.
static size_t factor_bytes(const HeftContactSolverDef* def) {
  if (def->factor_bytes) return def->factor_bytes;
  const size_t each = def->block_max > 0 ? (size_t)1 << 16 : (size_t)1 << 14;
  return ((size_t)1 << 20) + (size_t)def->contact_max * each;
}

static void take_all(HeftContactSolver* s, Arena* arena, const HeftContactSolverDef* def) {
  const CoreSize size = size_of(def);
  const size_t slots = 4 * (size_t)size.contacts + 4 * (size_t)(size.rows / 5 + 1);
  const size_t twists = MOVER_PAD * ((size_t)size.movers + 1);
  core_take(&s->core, arena, size);
  anderson_take(&s->anderson, arena, slots, slots > twists ? slots : twists);
  s->best = arena_take(arena, slots, double);
  s->u = arena_take(arena, slots, double);
  newton_take(&s->newton, arena, factor_bytes(def));
  bodies_take(&s->bodies, arena, def->contact_max, def->block_max, def->mover_max);
}

size_t heft_contact_solver_bytes(const HeftContactSolverDef* def) {
  HeftContactSolver probe;
  Arena arena = arena_measure();
  arena_take(&arena, 1, HeftContactSolver);
  take_all(&probe, &arena, def);
  return arena.used;
}

HeftStatus heft_contact_solver_create(HeftContactSolver** out, const HeftContactSolverDef* def,
                                      HeftError* err) {
  HEFT_ASSERT(out && def);
  *out = NULL;
  if (def->contact_max < 1 || def->contact_max > 1000000 || def->row_max < 0 ||
      def->block_max < 0 || def->mover_max < 0 || def->tree_mover_max < 0 ||
      !(def->proximal > 0 && def->proximal <= 1)) {
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
  take_all(s, &arena, def);
  *out = s;
  return HEFT_OK;
}

void heft_contact_solver_destroy(HeftContactSolver* s) {
  if (!s) return;
  const HeftAllocator allocator = s->def.allocator;
  allocator.release(allocator.user, s, s->bytes);
}

// ---- one solve

typedef struct Run {
  HeftContactSolver* s;
  const HeftContactStop* stop;
  HeftContactResult result;
  double best;  // relative residual of s->best
  double last;  // and of the iterate that was looked at last
  int known;    // core.twists holds what the warm impulses make of the movers
  int hot;      // the group of contacts that was worst
  int work_max;
  uint64_t deadline;  // when to begin with handing out, 0: none
  uint64_t mark;      // when the present unit of work was begun
  uint64_t longest;   // the longest of late [ns]
  int fresh;          // z and s->u belong to s->best, and carry no rounding of long runs of sweeps
} Run;

enum { STALE = 16 };                  // sweeps after which z is computed anew before it counts
static const double TRUSTED = 1e-10;  // tolerances below this always look at a new z

// Keeps (r, z) if it is the best so far. Returns 1 when the tolerance is met. `age`: sweeps since z
// was computed from r alone. Nobody needs to know a residual above `limit`.
static int judge_until(Run* run, int age, double limit) {
  Core* core = &run->s->core;
  const double tolerance = run->stop->tolerance;
  double residual = core_residual_until(core, core->r, core->z, run->s->u, limit, &run->hot);
  if (residual <= tolerance && age > (tolerance < TRUSTED ? 0 : STALE)) {
    core_state(core, core->r, core->z);
    residual = core_residual(core, core->r, core->z, run->s->u);
  }
  run->fresh = 0;
  run->last = residual;
  if (residual < run->best) {
    run->best = residual;
    memcpy(run->s->best, core->r, sizeof(double) * (size_t)core->slots);
    run->fresh = residual <= tolerance;
  }
  if (!(run->best <= tolerance)) return 0;
  run->result.status = HEFT_CONTACT_SOLVED;
  return 1;
}

static int judge(Run* run, int age) { return judge_until(run, age, HUGE_VAL); }

// Whether another unit of work would end after the deadline, if it lasts as long as those before.
// What counts is the clock; what it cut is replayed by the work that was spent.
static int late(Run* run) {
  const uint64_t now = heft_clock_ns();
  const uint64_t lasted = run->mark ? now - run->mark : 0;
  run->longest = lasted > run->longest / 2 ? lasted : run->longest / 2;
  run->result.search_ns += lasted;
  run->mark = now;
  if (now + run->longest < run->deadline) return 0;
  run->deadline = 1;  // late once, late for good: a phase that follows must not begin after all
  return 1;
}

// Returns 1 when work or time is up: another `cost` units would be too many.
static int spent(Run* run, int cost) {
  if (cost > run->work_max - run->result.work) {
    run->result.status = HEFT_CONTACT_WORKED;
    return 1;
  }
  if (run->deadline && late(run) && run->result.work >= run->stop->work_min) {
    run->result.status = HEFT_CONTACT_DEADLINE;
    return 1;
  }
  return 0;
}

static void restore_best(Run* run) {
  Core* core = &run->s->core;
  memcpy(core->r, run->s->best, sizeof(double) * (size_t)core->slots);
  core_state(core, core->r, core->z);
}

// The warm impulses, in their cones, and z, which may be known already.
static void start_warm(Run* run) {
  Core* core = &run->s->core;
  const size_t slots = (size_t)core->slots * sizeof(double);
  const int twists = MOVER_PAD * core->movers;
  memcpy(core->r, core->warm, slots);
  core_project(core, core->r);
  if (!run->known || memcmp(core->r, core->warm, slots) != 0) {
    core_state(core, core->r, core->z);
    return;
  }
  memcpy(core->z, core->twists, (size_t)twists * sizeof(double));
  memset(core->z + twists, 0, (size_t)(core->states - twists) * sizeof(double));
}

// From the warm impulses if they are any good, otherwise from the better of them and zero.
static void start(Run* run, const HeftContactProblem* p) {
  Core* core = &run->s->core;
  run->best = HUGE_VAL;
  if (p->warm) {
    start_warm(run);
    const int solved = judge(run, 0);
    run->result.start = run->best;
    if (solved || run->best < 0.1) return;
    memset(core->r, 0, sizeof(double) * (size_t)core->slots);
  }
  const double warm = run->best;
  core_state(core, core->r, core->z);
  judge(run, 0);
  if (run->best == warm && p->warm) restore_best(run);
}

// How many sweeps cost as much as one Newton step, by counting multiplications: so many units of
// work it counts. INT_MAX: there is no memory for Newton steps.
static int sweeps_per_newton(Run* run) {
  const Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  if (!newton_prepare(newton, core)) return INT_MAX;
  const double blocks = core->by_movers ? 12.0 * core->contacts : core->row_start[core->contacts];
  return 2 + (int)fmin(1e6, newton_work(newton) / (20 * blocks));
}

// ---- phases: each returns 1 when the solve is over

typedef int Accelerate(Anderson* a, Core* core);

// At most `count` sweeps; gives up early when the residual has not halved in `patience` sweeps.
static int sweep_phase(Run* run, Accelerate* accelerate, int count, int patience) {
  Core* core = &run->s->core;
  Anderson* a = &run->s->anderson;
  double goal = 0.5 * run->best;
  int since = 0;
  anderson_restart(a);
  if (!(core->proximal > 0)) core_factor(core, run->s->def.proximal);
  for (int k = 0; k < count; ++k) {
    if (spent(run, 1)) return 1;
    if (k % REFRESH == REFRESH - 1) anderson_refresh(a, core, core->r, core->z);
    anderson_before(a, core->r);
    sweep(core, core->r, core->z);
    run->result.work++;
    run->result.sweeps++;
    if (judge_until(run, k % REFRESH + 2, run->best)) return 1;
    if (accelerate && accelerate(a, core) > 0) run->result.accelerations++;
    since = run->best < goal ? 0 : since + 1;
    if (since == 0) goal = 0.5 * run->best;
    if (since >= patience) break;
  }
  return 0;
}

static int newton_phase(Run* run, double kappa, double sigma, int bold, int count) {
  Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  const int cost = sweeps_per_newton(run);
  if (!(core_residual(core, core->r, core->z, run->s->u) < 3 * run->best)) restore_best(run);
  newton->bold = bold;
  if (!newton_start(newton, core, kappa, sigma)) return 0;
  for (int k = 0; k < count && newton->failures < (bold ? 3 * FAILURES_MAX : FAILURES_MAX); ++k) {
    if (spent(run, cost)) return 1;
    const NewtonEnd end = newton_step(newton, core);
    run->result.work += cost;
    run->result.newtons++;
    if (end == NEWTON_UNABLE) break;
    if (end == NEWTON_POINT && judge(run, 0)) return 1;
  }
  restore_best(run);
  return 0;
}

// At most `count` Newton steps with rounded cones from r as it is; gives up when the residual has
// not halved in `patience` steps. `rounded`: how far the cones are, relative to the residual.
static int smooth_phase(Run* run, double kappa, double sigma, double rounded, int count,
                        int patience) {
  Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  const int cost = sweeps_per_newton(run);
  const double residual = core_residual(core, core->r, core->z, run->s->u);
  double goal = 0.5 * run->best;
  if (!newton_smooth_start(newton, core, kappa, sigma, rounded * residual)) return 0;
  for (int k = 0, since = 0; k < count && since < patience; ++k) {
    if (spent(run, cost)) return 1;
    const NewtonEnd end = newton_smooth_step(newton, core);
    run->result.work += cost;
    run->result.newtons++;
    if (end == NEWTON_UNABLE) break;
    if (end == NEWTON_POINT && judge(run, 0)) return 1;
    since = run->best < goal ? 0 : since + 1;
    if (since == 0) goal = 0.5 * run->best;
  }
  restore_best(run);
  return 0;
}

// The same with cones rounded far off, from zero.
static int smooth_from_zero(Run* run, double sigma, int count) {
  Core* core = &run->s->core;
  memset(core->r, 0, sizeof(double) * (size_t)core->slots);
  core_project(core, core->r);
  core_state(core, core->r, core->z);
  return smooth_phase(run, KAPPA_SMOOTH, sigma, ROUNDED, count, count);
}

// At most `count` factorisations along the path from the present r to a solution.
static int path_phase(Run* run, double kappa, double rounded, int count) {
  Core* core = &run->s->core;
  Path path;
  const int cost = sweeps_per_newton(run);
  const double residual = core_residual(core, core->r, core->z, run->s->u);
  if (!path_start(&path, &run->s->newton, core, kappa, rounded * residual)) return 0;
  for (int k = 0; k < count; ++k) {
    if (spent(run, cost)) return 1;
    const PathEnd end = path_step(&path, &run->s->newton, core);
    run->result.work += cost;
    run->result.newtons++;
    if (end == PATH_LOST) break;
    if (end == PATH_POINT && judge(run, 0)) return 1;
  }
  return 0;
}

// At most `count` Newton steps towards the proximal point of the present r; ends early when the
// residual has fallen far, or stays and is no larger than before. Otherwise it has failed, and r is
// as it was. Returns 1 when the solve is over.
static int small_point(Run* run, double kappa, int count, int* failed) {
  Core* core = &run->s->core;
  double *r = core->r, *center = run->s->anderson.start;
  const double before = run->last;
  double previous = HUGE_VAL;
  memcpy(center, r, sizeof(double) * (size_t)core->slots);
  for (int k = 0; k < count; ++k) {
    if (spent(run, 1)) return 1;
    if (!small_newton_step(&run->s->small, core, kappa, center, run->s->u, r)) break;
    core_state(core, r, core->z);
    run->result.newtons++;
    run->result.work++;
    if (judge(run, 0)) return 1;
    if (run->last < FAR * before) return 0;
    if (run->last < 1.2 * before && fabs(run->last - previous) < 0.02 * previous) return 0;
    previous = run->last;
  }
  *failed = 1;
  memcpy(r, center, sizeof(double) * (size_t)core->slots);
  core_state(core, r, core->z);
  run->last = core_residual(core, r, core->z, run->s->u);
  return 0;
}

// Whether all points press and none is near the edge of its cone: then nothing slips or opens yet.
static int all_stick(const Core* core) {
  for (int i = 0; i < core->contacts; ++i) {
    if (!core->is_point[i]) continue;
    const double *r = core->r + core->slot[i], reach = core->cone[i].mu[0] * r[0];
    if (!(r[1] * r[1] + r[2] * r[2] < 0.99 * (reach * reach))) return 0;
  }
  return 1;
}

// Small islands: a sweep finds out who sticks, slips and opens, Newton steps solve for that. Mostly
// one step with a tiny κ does. Where all have stuck and the warm impulses are three digits from
// the goal, it needs no sweep; a larger κ then keeps forces that statics leaves open where they
// were. Where contacts are many and disagree a little, impulses have far to go: κ then is of the
// size of the residual, so that a step is of the size of the impulses.
static int small_phase(Run* run, int rounds) {
  Core* core = &run->s->core;
  double kappa = KAPPA_FIRST;
  int slow = 0, failures = 0, near = run->best < GAINED * run->stop->tolerance && all_stick(core);
  if (near && small_point(run, KAPPA_NEAR, 1, &near)) return 1;
  // where steps with rounded cones are as cheap, they are the better second choice
  const int failures_max = newton_points_fit(core) ? 1 : 3;
  core_factor(core, run->s->def.proximal);
  for (int k = 0; k < rounds && failures < failures_max; ++k) {
    int failed = 0;
    if (spent(run, 1)) return 1;
    if (!slow) {
      sweep(core, core->r, core->z);
      run->result.sweeps++;
      run->result.work++;
      if (judge(run, k + 1)) return 1;
    }
    const double before = run->last;
    if (small_point(run, kappa, kappa > KAPPA_FIRST ? 6 : 1, &failed)) return 1;
    failures += failed;
    slow = !failed && run->last > FAR * before;
    if (failed) kappa = fmax(10 * kappa, 4 * before);
    if (!failed) kappa = fmax(KAPPA_FIRST, (slow ? 0.3 : 0.1) * kappa);
  }
  return 0;
}

// Back to the warm impulses: where small steps have failed, what they left is no good start.
static void start_over(Run* run) {
  start_warm(run);
  core_factor(&run->s->core, run->s->def.proximal);
}

// From good warm impulses, cones that are hardly rounded off and a small κ take a few Newton steps.
// Sweeps go first as long as they promise to be done before those: if each halving of the residual
// takes its share of them and no more.
static int warm_phase(Run* run, double rounded) {
  const Core* core = &run->s->core;
  if (!core->by_movers || core->trees > FINISH_TREES || !(run->best < COLD)) return 0;
  int halvings = 1;
  for (double e = run->best; e > run->stop->tolerance && halvings < 64; e *= 0.5) ++halvings;
  const int share = FINISH_SWEEPS / halvings;
  if (sweep_phase(run, anderson_after, FINISH_SWEEPS, share > 2 ? share : 2)) return 1;
  if (sweeps_per_newton(run) > DEAR) return 0;
  restore_best(run);
  return smooth_phase(run, KAPPA_WARM, 0.1, rounded, 10 * FINISH_STEPS, 2 * FINISH_STEPS);
}

// Newton where a step is dear comes last: longer runs of sweeps go first.
static int dear_phases(Run* run, int longest) {
  if (sweep_phase(run, anderson_after, 250, 40)) return 1;
  run->s->anderson.growth = HUGE_VAL;
  const int over = sweep_phase(run, momentum_after, 12 * longest, 100 + 2 * longest);
  run->s->anderson.growth = 2;
  return over;
}

// Long runs of sweeps first: from near, the path is short. Where it was lost another one begins.
static int path_phases(Run* run) {
  if (sweep_phase(run, momentum_after, PILE_SWEEPS, PILE_SWEEPS / 4)) return 1;
  restore_best(run);
  for (int k = 0; k < PATHS; ++k) {
    if (path_phase(run, KAPPA_PATH, ROUNDED_PATH, PATH_STEPS)) return 1;
  }
  restore_best(run);
  return 0;
}

// Sweeps with Anderson; then Newton with rounded cones, from where they came to if that is near and
// from zero otherwise. What is left after that are piles whose path turns around; they get all
// methods by turns, longer and longer: what momentum brings closer is easier for Newton, and
// neither can hold up the other for long. In the end it is path_phases() that solves them.
static void auto_phases(Run* run) {
  static const double kappas[] = {1e-3, 1e-4, 1e-2, 1e-3, 1e-5, 1e-4},
                      sigmas[] = {0.01, 0.1, 0.1, 0.03, 0.03, 1};
  const int small = small_newton_fits(&run->s->core);
  if (small && run->best > COLD && sweep_phase(run, anderson_after, 8, 8)) return;
  if (small && small_phase(run, SMALL_STEPS)) return;
  if (small) start_over(run);
  if (warm_phase(run, small ? ROUNDED_SMALL : ROUNDED_WARM)) return;
  // where Newton steps are dear anyway, finding out how dear is not worth it before long
  const int many = run->s->core.by_movers && run->s->core.trees > FINISH_TREES;
  if (sweep_phase(run, anderson_after, 250, many ? 40 : 20)) return;
  const int ratio = sweeps_per_newton(run), longest = ratio < 1000 ? ratio : 1000;
  if (ratio > DEAR && dear_phases(run, longest)) return;
  if (ratio < INT_MAX && run->best < NEAR && smooth_phase(run, KAPPA_SMOOTH, 0.1, ROUNDED, 100, 30))
    return;
  if (ratio < INT_MAX && smooth_from_zero(run, 0.1, 200)) return;
  int count = 300 + 5 * longest;
  for (int round = 0;; ++round, count += count / 3) {
    if (ratio < INT_MAX &&
        newton_phase(run, kappas[round % 6], sigmas[round % 6], round % 2, round % 2 ? 100 : 40))
      return;
    if (sweep_phase(run, momentum_after, count, count)) return;
    if (ratio < INT_MAX && round % 2 == 0 && path_phases(run)) return;
    const int steps = run->best < NEARER && count < 1000 ? 1000 : count;
    if (ratio < INT_MAX && smooth_from_zero(run, sigmas[(round + 3) % 6], steps)) return;
  }
}

static void run_phases(Run* run) {
  anderson_begin(&run->s->anderson, &run->s->core);
  run->s->anderson.growth = 2;
  switch (run->s->def.method) {
    case HEFT_CONTACT_METHOD_SWEEP:
      sweep_phase(run, NULL, INT_MAX, INT_MAX);
      break;
    case HEFT_CONTACT_METHOD_ACCELERATED:
      if (sweep_phase(run, anderson_after, 300, 60)) break;
      sweep_phase(run, momentum_after, INT_MAX, INT_MAX);
      break;
    case HEFT_CONTACT_METHOD_NEWTON:
      if (sweep_phase(run, anderson_after, 20, 20)) break;
      for (int round = 0; !newton_phase(run, 1e-3, round % 2 ? 0.1 : 0.01, round % 2, 100);
           ++round) {
        if (sweep_phase(run, momentum_after, 20, 20)) break;
      }
      break;
    default:
      auto_phases(run);
      break;
  }
}

// ---- static friction

// Contacts that are held by static friction and yet slip fall back to kinetic friction. Returns how
// many did.
static int release_slipping(Run* run, const HeftContactProblem* p) {
  Core* core = &run->s->core;
  int released = 0;
  core_velocity(core, core->r, core->z, run->s->u);
  for (int i = 0; i < core->contacts; ++i) {
    const double *r = core->r + core->slot[i], *u = run->s->u + core->slot[i];
    if (!core->held[i] || !(r[0] > 0)) continue;
    const double slip = cone_shift(&core->cone[i], u) / core->cone[i].mu[0];
    if (slip <= 2 * run->stop->tolerance * core->reference) continue;
    core->held[i] = 0;
    core->cone[i].mu[0] = p->contacts[core->source[i]].mu;
    released++;
  }
  return released;
}

// Solves with everything held, releases what slips, and solves again, until nothing more has to be
// released.
static void solve_held(Run* run, const HeftContactProblem* p) {
  Core* core = &run->s->core;
  for (;;) {
    if (!(run->best <= run->stop->tolerance)) run_phases(run);
    if (run->result.status != HEFT_CONTACT_SOLVED || !core->holds) return;
    restore_best(run);
    if (release_slipping(run, p) == 0) return;
    core->proximal = 0;
    core_project(core, core->r);
    core_state(core, core->r, core->z);
    run->best = HUGE_VAL;
    judge(run, 0);
  }
}

// ---- the end

// Tangents that rounding left outside of their cone by a bit or two are cut. Returns 1 if any was.
static int cut_to_cones(const Core* core, double* r) {
  int cut = 0;
  for (int i = 0; i < core->contacts; ++i) {
    const Cone* cone = &core->cone[i];
    double* own = r + core->slot[i];
    for (int g = 0; g < cone->groups; ++g) {
      double* v = own + cone->first[g];
      const double reach = cone->mu[g] * own[0],
                   square = v[0] * v[0] + (cone->size[g] == 2 ? v[1] * v[1] : 0);
      if (square <= reach * reach) continue;
      for (int k = 0; k < cone->size[g]; ++k) v[k] *= (1 - 4e-16) * reach / sqrt(square);
      cut = 1;
    }
  }
  return cut;
}

// Along the ray θ r the kinetic energy is least at θ* = -(r · b) / (r · W r). If r as it is would
// add energy, θ* r, which is in the cones too, takes some out. Returns θ. An exact solution never
// needs this: there r · (b + W r / 2) <= 0.
static double clamp_energy(const Core* core, double* r, const double* u) {
  double with_b = 0, with_w = 0;
  for (int i = 0; i < core->contacts; ++i) {
    const Cone* cone = &core->cone[i];
    if (cone->groups == 0 && (cone->lower > 0 || cone->upper < 0))
      return 1;  // zero is not allowed there
    for (int k = core->slot[i]; k < core->slot[i] + core->rows[i]; ++k) {
      with_b += r[k] * core->b[k];
      with_w += r[k] * (u[k] - core->b[k]);
    }
  }
  if (!(with_b + 0.5 * with_w > 0)) return 1;
  const double theta = with_w > 0 ? fmin(1, fmax(0, -with_b / with_w)) : 0;
  for (int k = 0; k < core->slots; ++k) r[k] *= theta;
  return theta;
}

// The largest way of an impulse from its warm one, as a velocity of its contact, relative.
static double way_from_warm(const Core* core, const double* r) {
  double worst = 0;
  for (int i = 0; i < core->contacts; ++i) {
    double square = 0;
    for (int k = core->slot[i]; k < core->slot[i] + core->rows[i]; ++k)
      square += (r[k] - core->warm[k]) * (r[k] - core->warm[k]);
    const double way = core->w[i] * core->w[i] * square;
    worst = way > worst ? way : worst;
  }
  return sqrt(worst) / core->reference;
}

static void finish(Run* run, const HeftContactProblem* p, double* impulse, double* velocity) {
  Core* core = &run->s->core;
  double *r = run->s->best, *u = run->s->u;
  const int cut = cut_to_cones(core, r);  // changes the last bits only: z stays good
  if (!run->fresh) core_state(core, r, core->z);
  run->result.relative = run->best;
  if (!run->fresh || cut) run->result.relative = core_residual(core, r, core->z, u);
  if (run->best > 1e-9) {  // better ones cannot gain energy beyond rounding
    run->result.clamp = clamp_energy(core, r, u);
    if (run->result.clamp < 1) {
      core_state(core, r, core->z);
      run->result.relative = core_residual(core, r, core->z, u);
    }
  }
  if (p->warm) run->result.way = way_from_warm(core, r);
  core_unpack(core, p, r, 1, impulse);
  if (!velocity) return;
  for (int i = 0; i < core->contacts && p->compliance > 0; ++i) {  // what softness added
    for (int k = core->slot[i]; k < core->slot[i] + core->rows[i]; ++k)
      u[k] -= core->soft[i] * r[k];
  }
  core_unpack(core, p, u, 0, velocity);
}

// The warm impulses are the solution already.
static int at_rest(Run* run, const HeftContactProblem* p, double* impulse, double* velocity) {
  HeftContactSolver* s = run->s;
  HEFT_ASSERT(p->mover_count <= s->core.size.movers || p->block_start);
  HEFT_ASSERT(p->row_count <= s->core.size.rows);
  const double tolerance =
      run->stop->polish > 0 ? fmin(POLISHED, run->stop->tolerance) : run->stop->tolerance;
  const Rest rest = rest_check(p, tolerance, s->core.twists, velocity ? velocity : s->u);
  run->known = rest.known;
  if (!rest.solved) return 0;
  memcpy(impulse, p->warm, sizeof(double) * (size_t)p->row_count);
  run->result.status = HEFT_CONTACT_SOLVED;
  run->result.relative = rest.relative;
  return 1;
}

// Goes on where the tolerance is met, until the residual is small enough for rest or has not halved
// in PATIENCE units.
static void polish(Run* run) {
  const HeftContactStop* given = run->stop;
  const HeftContactStop goal = {.tolerance = POLISHED};
  const int end = run->result.work + given->polish, small = small_newton_fits(&run->s->core);
  const int work_max = run->work_max;
  run->stop = &goal;
  run->work_max = end < work_max ? end : work_max;
  restore_best(run);
  run->last = core_residual(&run->s->core, run->s->core.r, run->s->core.z, run->s->u);
  double goal_residual = 0.5 * run->best;
  for (int failed = 0, patience = PATIENCE; small && patience > 0; --patience) {
    if (small_point(run, KAPPA_FIRST, 1, &failed)) break;
    if (run->best < goal_residual) patience = PATIENCE;
    goal_residual = 0.5 * run->best;
    if (failed) break;
  }
  if (run->best > POLISHED) {
    anderson_begin(&run->s->anderson, &run->s->core);
    sweep_phase(run, anderson_after, given->polish, PATIENCE);
  }
  run->stop = given;
  run->work_max = work_max;
  run->fresh = 0;
  // what the clock has cut must be known, or nobody would repeat it
  if (run->result.status != HEFT_CONTACT_DEADLINE) run->result.status = HEFT_CONTACT_SOLVED;
}

// Blocks that come from bodies are better solved by those. The search costs as much as a dozen
// sweeps by blocks, so few contacts are not worth it, nor are some more that start warm.
static const HeftContactProblem* best_form(HeftContactSolver* s, const HeftContactProblem* p,
                                           double tolerance) {
  const int least = p->warm ? 4 * LANES_LEAST : LANES_LEAST;
  if (!p->block_start || p->contact_count < least) return p;
  const HeftContactProblem* found = bodies_find(&s->bodies, p, EXPLAINED * tolerance);
  return found ? found : p;
}

HeftContactResult heft_contact_solve(HeftContactSolver* s, const HeftContactProblem* given,
                                     const HeftContactStop* stop, double* impulse,
                                     double* velocity) {
  HEFT_ASSERT(s && given && stop && (impulse || given->row_count == 0));
  const HeftContactProblem* p = best_form(s, given, stop->tolerance);
  Run run = {.s = s, .stop = stop, .work_max = stop->work_max ? stop->work_max : 100000};
  if (run.work_max < 0) run.work_max = 0;
  run.result.clamp = 1;
  if (stop->deadline_ns) {
    const uint64_t margin = (uint64_t)p->contact_count * FINISH_NS;
    run.deadline = stop->deadline_ns > margin ? stop->deadline_ns - margin : 1;
    run.longest = margin;
  }
  if (at_rest(&run, p, impulse, velocity)) return run.result;
  core_load(&s->core, p);
  newton_begin(&s->newton);
  start(&run, p);
  solve_held(&run, p);
  if (run.result.status == HEFT_CONTACT_SOLVED && stop->polish > 0 && run.best > POLISHED)
    polish(&run);
  finish(&run, p, impulse, velocity);
  s->core.problem = NULL;
  return run.result;
}

// Of all impulses with the same motion those nearest to core->warm, into core->r. They must not
// gain energy by what rounding and residual leave open, nor be less exact than the tolerance says.
// Returns the relative change of velocity, or -1.
static double try_to_select(HeftContactSolver* s, double still, double tolerance,
                            const double* impulse) {
  Core* core = &s->core;
  const double change = select_nearest(&s->newton, core, core->warm, still, s->best, impulse);
  if (change < 0) return -1;
  cut_to_cones(core, core->r);
  core_state(core, core->r, core->z);
  core_velocity(core, core->r, core->z, s->u);
  if (clamp_energy(core, core->r, s->u) < 1) core_state(core, core->r, core->z);
  return core_residual(core, core->r, core->z, s->u) <= tolerance ? change : -1;
}

// What moves slower than the tolerance may stand still or not: first it does, then it does not.
static double select_impulses(HeftContactSolver* s, const HeftContactProblem* p, int near_warm,
                              double tolerance, double* impulse, double* velocity) {
  Core* core = &s->core;
  HeftContactProblem rigid = *p;  // softness is no part of what must stay the same
  rigid.compliance = 0;
  core_load(core, &rigid);
  newton_begin(&s->newton);
  if (!near_warm) memset(core->warm, 0, sizeof(double) * (size_t)core->slots);
  const double allowed = fmax(1e-9, tolerance);
  double change = try_to_select(s, 2 * allowed, allowed, impulse);
  if (change < 0) change = try_to_select(s, 0.5 * allowed, allowed, impulse);
  if (change >= 0) core_unpack(core, p, core->r, 1, impulse);
  if (change >= 0 && velocity) core_unpack(core, p, s->u, 0, velocity);
  core->problem = NULL;
  return change;
}

double heft_contact_select(HeftContactSolver* s, const HeftContactProblem* p, double tolerance,
                           double* impulse, double* velocity) {
  HEFT_ASSERT(s && p && impulse);
  return select_impulses(s, p, 0, tolerance, impulse, velocity);
}

double heft_contact_select_near(HeftContactSolver* s, const HeftContactProblem* p, double tolerance,
                                double* impulse, double* velocity) {
  HEFT_ASSERT(s && p && p->warm && impulse);
  return select_impulses(s, p, 1, tolerance, impulse, velocity);
}
