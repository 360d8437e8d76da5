// SPDX-License-Identifier: Apache-2.0
// The solver: phases in order, the best iterate kept, stopped by tolerance, work or clock.
#include <heft/contact.h>
#include <string.h>
#include <stdlib.h>
#include <stdio.h>

#include "base/assert.h"
#include "base/error.h"
#include "contact/anderson.h"
#include "contact/core.h"
#include "contact/newton.h"
#include "contact/sweep.h"

struct HeftContactSolver {
  HeftContactSolverDef def;
  size_t bytes;
  Core core;
  Anderson anderson;
  Newton newton;
  double *best, *u;
};

HeftContactSolverDef heft_contact_solver_def_default(void) {
  return (HeftContactSolverDef){.contact_max = 256, .mover_max = 512, .tree_mover_max = 16,
                                .method = HEFT_CONTACT_METHOD_AUTO, .proximal = 0.1,
                                .allocator = heft_allocator_default()};
}

HeftContactStop heft_contact_stop_default(void) { return (HeftContactStop){.tolerance = 1e-8, .work_max = 100000}; }

static CoreSize size_of(const HeftContactSolverDef* def) {
  return (CoreSize){.contacts = def->contact_max, .rows = def->row_max ? def->row_max : 3 * def->contact_max,
                    .blocks = def->block_max, .movers = def->mover_max, .tree_movers = def->tree_mover_max,
                    .tall = def->row_max != 0};
}

// Enough for the factor of a few hundred contacts that hang together; more contacts, more bytes each.
static size_t factor_bytes(const HeftContactSolverDef* def) {
  if (def->factor_bytes) return def->factor_bytes;
  return ((size_t)1 << 20) + (size_t)def->contact_max * ((size_t)1 << 16);
}

static void take_all(HeftContactSolver* s, Arena* arena, const HeftContactSolverDef* def) {
  const CoreSize size = size_of(def);
  const size_t slots = 4 * (size_t)size.contacts + 4 * (size_t)(size.rows / 5 + 1);
  const size_t twists = MOVER_PAD * (size_t)size.movers;
  core_take(&s->core, arena, size);
  anderson_take(&s->anderson, arena, slots, slots > twists ? slots : twists);
  s->best = arena_take(arena, slots, double);
  s->u = arena_take(arena, slots, double);
  newton_take(&s->newton, arena, factor_bytes(def));
}

size_t heft_contact_solver_bytes(const HeftContactSolverDef* def) {
  HeftContactSolver probe;
  Arena arena = arena_measure();
  arena_take(&arena, 1, HeftContactSolver);
  take_all(&probe, &arena, def);
  return arena.used + ARENA_ALIGNMENT;  // the last take wants room to round up
}

HeftStatus heft_contact_solver_create(HeftContactSolver** out, const HeftContactSolverDef* def, HeftError* err) {
  HEFT_ASSERT(out && def);
  *out = NULL;
  if (def->contact_max < 1 || def->contact_max > 1000000 || def->row_max < 0 || def->block_max < 0 ||
      def->mover_max < 0 || def->tree_mover_max < 0 || !(def->proximal > 0 && def->proximal <= 1)) {
    return heft_error_set(err, HEFT_ERR_ARGUMENT, "a size or setting of the contact solver is out of its range");
  }
  const size_t bytes = heft_contact_solver_bytes(def);
  void* memory = def->allocator.allocate(def->allocator.user, bytes, ARENA_ALIGNMENT);
  if (!memory) return heft_error_set(err, HEFT_ERR_MEMORY, "no memory for a contact solver of %zu bytes", bytes);
  Arena arena = arena_make(memory, bytes, NULL);
  HeftContactSolver* s = arena_take(&arena, 1, HeftContactSolver);
  *s = (HeftContactSolver){0};
  s->def = *def;
  s->bytes = bytes;
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
  int work_max;
} Run;

// Keeps (r, z) if it is the best so far. Returns 1 when the tolerance is met.
static int judge(Run* run) {
  Core* core = &run->s->core;
  const double residual = core_residual(core, core->r, core->z);
  if (residual < run->best) {
    run->best = residual;
    memcpy(run->s->best, core->r, sizeof(double) * (size_t)core->slots);
  }
  if (!(run->best <= run->stop->tolerance)) return 0;
  run->result.status = HEFT_CONTACT_SOLVED;
  return 1;
}

// Returns 1 when work or time is up.
static int spent(Run* run) {
  if (run->result.work >= run->work_max) {
    run->result.status = HEFT_CONTACT_WORKED;
    return 1;
  }
  if (run->stop->deadline_ns && heft_clock_ns() >= run->stop->deadline_ns) {
    run->result.status = HEFT_CONTACT_DEADLINE;
    return 1;
  }
  return 0;
}

static void start(Run* run, const HeftContactProblem* p) {
  Core* core = &run->s->core;
  run->best = INFINITY;
  core_state(core, core->r, core->z);
  if (judge(run) || !p->warm) return;
  memcpy(core->r, core->warm, sizeof(double) * (size_t)core->slots);
  core_project(core, core->r);
  core_state(core, core->r, core->z);
  const double cold = run->best;
  judge(run);
  if (run->best < cold) return;
  memset(core->r, 0, sizeof(double) * (size_t)core->slots);
  core_state(core, core->r, core->z);
}

static void sweep_phase(Run* run) {
  Core* core = &run->s->core;
  Anderson* a = &run->s->anderson;
  const int accelerate = run->s->def.method != HEFT_CONTACT_METHOD_SWEEP;
  if (accelerate) anderson_begin(a, core);
  while (!spent(run)) {
    if (run->s->def.method==HEFT_CONTACT_METHOD_NEWTON && run->result.sweeps>=20) {run->result.status=HEFT_CONTACT_STALLED;return;}
    if (accelerate) anderson_before(a, core->r);
    sweep(core, core->r, core->z);
    run->result.work++;
    run->result.sweeps++;
    if (judge(run)) return;
    if (accelerate && anderson_after(a, core, core->r, core->z) > 0) run->result.accelerations++;
  }
}

static void newton_phase(Run* run) {
  Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  memcpy(core->r, run->s->best, sizeof(double) * (size_t)core->slots);
  if (!newton_start(newton, core, 0.1)) return;
  while (!spent(run)) {
    const NewtonEnd end = newton_step(newton, core);
    run->result.work++;
    run->result.newtons++;
    if (end == NEWTON_UNABLE || newton->failures > 6) return;
    if (end == NEWTON_POINT && judge(run)) return;
    if (getenv("NV")) fprintf(stderr,"  newton %d end %d kappa %.1e merit %.2e best %.2e work %.1f M\n",run->result.newtons,end,newton->kappa,newton->merit,run->best,newton_work(newton)*1e-6);
  }
}

HeftContactResult heft_contact_solve(HeftContactSolver* s, const HeftContactProblem* p, const HeftContactStop* stop,
                                     double* impulse, double* velocity) {
  HEFT_ASSERT(s && p && stop);
  Run run = {.s = s, .stop = stop, .work_max = stop->work_max > 0 ? stop->work_max : 100000};
  run.result.clamp = 1;
  Core* core = &s->core;
  core_load(core, p);
  core_factor(core, s->def.proximal);
  start(&run, p);
  newton_begin(&s->newton);
  if (!(run.best <= stop->tolerance)) sweep_phase(&run);
  if (run.result.status == HEFT_CONTACT_STALLED) newton_phase(&run);
  core_state(core, s->best, core->z);
  core_velocity(core, s->best, core->z, s->u);
  core_unpack(core, p, s->best, 1, impulse);
  if (velocity) core_unpack(core, p, s->u, 0, velocity);
  run.result.relative = run.best;
  return run.result;
}
