// SPDX-License-Identifier: Apache-2.0
// Heaps have many bodies, so a Newton step is expensive, and a step of a world changes few of their
// contacts. Sweeps in single precision (sweep/float_sweep.h) solve them from the problem's own
// arrays: the form of the other solvers (core.h) is loaded only if these sweeps do not suffice.
//
// A sweep estimates the residual by the changes that it makes. Only if that estimate meets the
// tolerance, the residual is computed, in double precision.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "contact/core/energy_bound.h"
#include "contact/stages.h"
#include "contact/warm_check.h"

typedef struct Heap {
  Run* run;
  const HeftContactProblem* p;
  double reference;
  double *r, *u;                    // the base point, by rows
  double *trial, *trial_u;          // the last one that was evaluated
  double *impulse, *best_velocity;  // the one with the least residual
} Heap;

// ---- evaluation in double precision, by threads in ranges of contacts

enum { CONTACT_RANGE = 256 };

// The residuals of ranges of places, and where they go.
typedef struct Judging {
  const Heap* h;
  const double *r, *u;
} Judging;

static void project_rows(const HeftContactProblem* p, double* r) {
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    double* own = r + c->row;
    if (!(own[0] > 0)) own[0] = 0;
    if (c->type != HEFT_CONSTRAINT_POINT) continue;
    const double coupled = c->mu * own[0], square = own[1] * own[1] + own[2] * own[2];
    if (square <= coupled * coupled) continue;
    const double cut = (1 - 4e-16) * coupled / sqrt(square);
    own[1] *= cut;
    own[2] *= cut;
  }
}

static void judge_range(void* arg, int first, int end) {
  const Judging* j = arg;
  const FloatSweep* s = &j->h->run->s->sweep;
  double worst = 0;
  for (int place = first; place < end; ++place) {
    const int contact = s->source[place];
    HEFT_ASSERT(contact < j->h->p->constraint_count);
    if (contact < 0) continue;
    const HeftConstraintBlock* c = &j->h->p->constraints[contact];
    const double w = core_weight(s->w[place]);
    double own[3] = {j->r[c->row], 0, 0}, moves[3] = {j->u[c->row], 0, 0};
    for (int a = 1; a < 3 && c->type == HEFT_CONSTRAINT_POINT; ++a) {
      own[a] = j->r[c->row + a];
      moves[a] = j->u[c->row + a];
    }
    const double e = point_residual(c->mu, w, 1 / w, own, moves);
    if (!(e <= worst)) worst = e;
  }
  s->worst[first / CONTACT_RANGE] = worst;
}

// The largest residual of a contact, relative.
static double residual_of(const Heap* h, const double* r, const double* u) {
  const FloatSweep* s = &h->run->s->sweep;
  const int places = F8_SIZE * s->groups;
  Judging judging = {h, r, u};
  double worst = 0;
  share_ranges(s->share, places, CONTACT_RANGE, judge_range, &judging);
  for (int k = 0; k < (places + CONTACT_RANGE - 1) / CONTACT_RANGE; ++k) {
    if (!(s->worst[k] <= worst)) worst = s->worst[k];
  }
  return worst / h->reference;
}

// Twice the change of kinetic energy.
static double energy_of(const HeftContactProblem* p, const double* r, const double* u) {
  double sum = 0;
  for (int k = 0; k < p->row_count; ++k) sum += r[k] * (p->bias[k] + u[k]);
  return sum;
}

// The velocities and the residual of r; it is stored if it is the best so far.
static void evaluate(Heap* h, const double* r, double* u) {
  Run* run = h->run;
  problem_velocity(h->p, r, run->s->sweep.share, &run->s->incidence, run->s->core.twists, u);
  run->last = residual_of(h, r, u);
  HEFT_ASSERT(!(run->last < 0));
  if (!(run->last < run->best)) return;
  run->best = run->last;
  memcpy(h->impulse, r, sizeof(double) * (size_t)h->p->row_count);
  memcpy(h->best_velocity, u, sizeof(double) * (size_t)h->p->row_count);
}

// The warm impulses if they dissipate energy, otherwise zero.
static void start(Heap* h) {
  const HeftContactProblem* p = h->p;
  const size_t bytes = sizeof(double) * (size_t)p->row_count;
  if (p->warm) {
    memcpy(h->r, p->warm, bytes);
    project_rows(p, h->r);
    evaluate(h, h->r, h->u);
    h->run->result.start = h->run->best;
    if (energy_of(p, h->r, h->u) < 0) return;
  }
  memset(h->r, 0, bytes);
  evaluate(h, h->r, h->u);
}

static void swap(double** a, double** b) {
  double* c = *a;
  *a = *b;
  *b = c;
}

// ---- sweeps

// The iterate after the last sweep.
static void evaluate_sweep(Heap* h) {
  float_sweep_impulses(&h->run->s->sweep, h->p, h->r, h->trial);
  evaluate(h, h->trial, h->trial_u);
}

// The last iterate becomes the base point.
static void renew_base(Heap* h) {
  swap(&h->r, &h->trial);
  swap(&h->u, &h->trial_u);
  float_sweep_rebase(&h->run->s->sweep, h->p, h->r, h->u);
}

// Returns 1 if the tolerance is met, or effort or time is spent; 0 if the sweeps no longer gain.
// The more trees, the more sweeps a Newton step costs. The last iterate becomes the base point when
// it has been evaluated, in any case from time to time: rounding adds up in z.
static int sweep_heap(Heap* h) {
  Run* run = h->run;
  FloatSweep* s = &run->s->sweep;
  const double tolerance = run->stop->tolerance;
  const int trees = h->p->tree_count, patience = N.patience + trees,
            most = trees > N.trees_points ? INT_MAX : N.sweeps_many;
  double sure = tolerance, goal = HUGE_VAL;
  FloatResidual e = {0};
  float_sweep_base(s, h->p, h->r, h->u);
  for (int k = 0, base = 0, since = 0; since < patience && k < most; ++k) {
    if (k % N.unit == 0 && !run_spend(run, 1)) {
      if (k > 0) evaluate_sweep(h);
      return 1;
    }
    run->result.accelerations += k > 0 && float_momentum(s, &e);
    e = float_sweep(s);
    run->result.sweeps++;
    if (!(e.norm < HUGE_VAL)) return 0;
    since = e.worst < goal ? 0 : since + 1;
    if (since == 0) goal = 0.5 * e.worst;
    if (e.worst > sure && k - base < N.refresh) continue;
    evaluate_sweep(h);
    if (run->best <= tolerance) {
      run->result.status = HEFT_CONTACT_SOLVED;
      return 1;
    }
    sure = e.worst * tolerance / run->last;
    base = k;
    renew_base(h);
  }
  evaluate_sweep(h);
  return 0;
}

// ---- the end

// Along the ray θ r the energy is least at θ* = -(r · b) / (r · W r) (solver.c).
static void clamp_energy(Heap* h) {
  const HeftContactProblem* p = h->p;
  double with_b = 0, with_w = 0;
  for (int k = 0; k < p->row_count; ++k) {
    with_b += h->impulse[k] * p->bias[k];
    with_w += h->impulse[k] * (h->best_velocity[k] - p->bias[k]);
  }
  const double size = 0.5 * energy_size(p->row_count, h->impulse, p->bias, h->best_velocity);
  if (!(with_b + 0.5 * with_w > energy_bound(h->run->best, size))) return;
  const double theta = with_w > 0 ? fmin(1, fmax(0, -with_b / with_w)) : 0;
  HEFT_ASSERT(!(theta < 0 || theta > 1));
  for (int k = 0; k < p->row_count; ++k) {
    h->impulse[k] *= theta;
    h->best_velocity[k] = p->bias[k] + theta * (h->best_velocity[k] - p->bias[k]);
  }
  h->run->result.clamp = theta;
  h->run->best = residual_of(h, h->impulse, h->best_velocity);
  if (h->run->result.status == HEFT_CONTACT_SOLVED && !(h->run->best <= h->run->stop->tolerance))
    h->run->result.status = HEFT_CONTACT_STALLED;
}

int heap_applies(Run* run, int round) {
  return round == 0 && run->s->def.method == HEFT_CONTACT_METHOD_AUTO && run->s->sweep.x &&
         run->stop->polish == 0 && float_sweep_fits(&run->p);
}

int heap_run(Run* run, int round) {
  HeftContactSolver* solver = run->s;
  Core* core = &solver->core;
  const HeftContactProblem* p = &run->p;
  Heap h = {.run = run,
            .p = p,
            .reference = problem_reference(p),
            .r = core->r,
            .u = core->b,
            .trial = core->warm,
            .trial_u = solver->u,
            .impulse = run->impulse,
            .best_velocity = solver->best};
  (void)round;
  solver->sweep.share = (Share){core->run, core->run_user};
  if (!float_sweep_load(&solver->sweep, p, h.reference, solver->def.proximal)) return 0;
  HEFT_ASSERT(h.reference > 0);
  run->known = 0;
  run->best = HUGE_VAL;
  start(&h);
  if (run->best <= run->stop->tolerance) run->result.status = HEFT_CONTACT_SOLVED;
  if (!(run->best <= run->stop->tolerance) && !sweep_heap(&h)) {
    run->heap = 1;
    run->p.warm = run->impulse;
    return 0;
  }
  clamp_energy(&h);
  run->result.relative = run->best;
  if (run->velocity) memcpy(run->velocity, h.best_velocity, sizeof(double) * (size_t)p->row_count);
  return 1;
}
