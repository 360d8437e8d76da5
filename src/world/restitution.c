// SPDX-License-Identifier: Apache-2.0
// Newton's law of impact with a bound on its energy (docs/theory/impacts.md).
//
// Newton's law asks for u_n⁺ = -e u_n⁻. With friction this may create energy: the coefficient fixes
// the normal velocity, whatever impulse it needs ([Kane 1985]). So all coefficients of an island
// are multiplied by one share s, 0 <= s <= 1: the largest for which
//
//     E(s) <= min(0, (1 - e²) E(0) + X)                                                       (1)
//
// E is the energy that the impulses r of a round add. As M (v⁺ - v) = h f + Jᵀ r, the kinetic
// energy changes by the work of all forces at the mean velocity, the work of the impulses being
//
//     E = r · (u⁻ + u⁺) / 2                                                                   (2)
//
// whatever springs and dampers are part of f. u⁻ is the velocity of arrival, without the velocity
// that f adds in the step; the sum of (2) over the rounds of a step is (2) for the step.
//
// The impact without restitution, s = 0, removes the energy -E(0). By (1) the restitution returns
// at most e² of that, with the largest coefficient e of the island. Without friction and with equal
// coefficients, r(s) = (1 + s e) r(0), and Newton's law fulfils (1) with equality at s = 1; so does
// every impact of a ball. Without friction (1) is E(s) <= 0, also for unequal coefficients.
//
// X is not of the impact: weight that presses on the contact during the step adds to r, and so to
// the energy taken. It exchanges at most X = ½ Σ |r · (u_free - u⁻)|.
//
// At s = 0 the impulses dissipate whatever they are: E is at most ½ |r · (u_free - u⁻)|. If they do
// not dissipate more, the impact is too slow for (1): s = 0, and the contacts do not count as
// bouncing.
//
// s is found by the secant method of Illinois [Dahlquist 1974], which keeps s between one that
// fulfils (1) and one that does not. While the same contacts stick and slide, E(s) is a parabola.
// Every trial is an exact solution with a certificate, so that the last one is the solution of
// Newton's law with the coefficients s e.
#include "world/restitution.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-11;  // of E, relative to its terms
static const double window = 1e-4;     // of the range of E: (1) need not be met more closely
static const double unsharp = 1e-6;    // of the energy taken: the returned part is not known better

// Of the impulses of an island.
typedef struct RoundEnergy {
  double energy;       // E
  double exchange;     // X
  double size;         // sum of the terms of E, all positive
  double coefficient;  // the largest of those that bounce
  int friction;        // 1 if friction acts
} RoundEnergy;

static int has_friction(const Constraint* k, const double* impulse) {
  if (k->type == HEFT_CONSTRAINT_BOX) return impulse[k->row] != 0;
  for (int r = k->row + 1; r < k->row + k->rows; ++r) {
    if (impulse[r] != 0) return 1;
  }
  return 0;
}

static RoundEnergy measure(const ImpactRound* round, const Island* island,
                           const SolveRequest* request, const double* free) {
  RoundEnergy e = {0};
  for (int i = 0; i < island->count; ++i) {
    const int index = island->order[i];
    const Constraint* k = &request->set->list[index];
    for (int r = k->row; r < k->row + k->rows; ++r) {
      const double impulse = request->impulse[r], arrival = round->arrival[r];
      const double after = request->velocity[r] - round->bias[r];
      e.energy += 0.5 * impulse * (arrival + after);
      e.size += 0.5 * fabs(impulse) * (fabs(arrival) + fabs(after));
      e.exchange += 0.5 * fabs(impulse * (free[r] - round->bias[r] - arrival));
    }
    e.friction |= has_friction(k, request->impulse);
    if (round->rebounds[index]) e.coefficient = fmax(e.coefficient, k->restitution);
  }
  return e;
}

// ---- the solutions of an island

static void copy_rows(const Island* island, const ConstraintSet* set, const double* from,
                      double* to) {
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    heft_rows_copy(k, from + k->row, to + k->row);
  }
}

static void keep(Restitution* x, const IslandSet* islands, int island, const SolveRequest* request,
                 const IslandResult* results) {
  x->kept[island] = results[island];
  copy_rows(&islands->list[island], request->set, request->impulse, x->kept_impulse);
  copy_rows(&islands->list[island], request->set, request->velocity, x->kept_velocity);
}

// Sets the share of the coefficients of an island.
static void set_share(Restitution* x, ImpactRound* round, const Island* island, int index,
                      const ConstraintSet* set, double share, double* free) {
  x->search[index].share = share;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    if (!round->rebounds[island->order[i]]) continue;
    const double bias = share * k->restitution * round->arrival[k->row];
    free[k->row] += bias - round->own_bias[k->row];
    round->own_bias[k->row] = bias;
  }
}

static void restore(Restitution* x, ImpactRound* round, const IslandSet* islands, int island,
                    const SolveRequest* request, double share, double* free,
                    IslandResult* results) {
  results[island] = x->kept[island];
  set_share(x, round, &islands->list[island], island, request->set, share, free);
  copy_rows(&islands->list[island], request->set, x->kept_impulse, request->impulse);
  copy_rows(&islands->list[island], request->set, x->kept_velocity, request->velocity);
}

// ---- the search

// How far an energy is above the bound (1).
static double above(const ShareSearch* s, double energy, double exchange) {
  const double e = s->coefficient;
  const double bound = -(1 - e * e) * s->lost + exchange + unsharp * s->lost;
  return energy - fmin(0, bound);
}

// The next share between the two that are known.
static double secant(const ShareSearch* s) {
  const double aim = -fmin(0.5 * window * s->lost, s->full);
  const double t = (aim - s->low_above) / (s->high_above - s->low_above);
  return s->low + (t > 0 && t < 1 ? t : 0.5) * (s->high - s->low);
}

static void note_low(ShareSearch* s, double value) {
  if (s->side < 0) s->high_above *= 0.5;
  s->side = -1;
  s->low = s->share;
  s->low_above = value;
}

static void note_high(ShareSearch* s, double value) {
  if (s->side > 0) s->low_above *= 0.5;
  s->side = 1;
  s->high = s->share;
  s->high_above = value;
}

// Compares the solutions with s = 1 and s = 0. Returns the share to try, or the share of the
// solution to use if *found.
static double compare_ends(ShareSearch* s, const RoundEnergy* none, int inexact, int* found) {
  s->lost = -none->energy;
  s->full = above(s, s->full_energy, s->full_exchange);
  *found = 1;
  if (!(s->lost > 0)) return 0;
  if (s->full <= rounding * s->full_size) return 1;
  if (inexact) return 0;
  *found = 0;
  s->low = 0;
  s->high = 1;
  s->low_above = above(s, none->energy, none->exchange);
  s->high_above = s->full;
  return secant(s);
}

// Contacts of an impact that is too slow do not bounce.
static void stop_bounces(ImpactRound* round, const Island* island) {
  for (int i = 0; i < island->count; ++i) {
    const int index = island->order[i];
    if (round->rebounds[index]) round->bounces[index] = round->rebounds[index] = 0;
  }
}

// One island as the functions below see it.
typedef struct Trial {
  Restitution* x;
  ImpactRound* round;
  const IslandSet* islands;
  const SolveRequest* request;
  IslandResult* results;
  double* free;
  int index;
  int late;  // 1: nothing more is tried
} Trial;

static int try_share(const Trial* t, double share) {
  const Island* island = &t->islands->list[t->index];
  set_share(t->x, t->round, island, t->index, t->request->set, share, t->free);
  copy_rows(island, t->request->set, t->free, t->request->velocity);
  return 1;
}

static int take_kept(const Trial* t, double share) {
  restore(t->x, t->round, t->islands, t->index, t->request, share, t->free, t->results);
  return 0;
}

static void keep_this(const Trial* t) { keep(t->x, t->islands, t->index, t->request, t->results); }

static int judge_full(const Trial* t, ShareSearch* s, const RoundEnergy* now, int inexact) {
  const int passive = now->energy <= rounding * now->size;
  if (!(now->coefficient > 0) || (passive && !now->friction)) return 0;
  s->cut = t->late;
  if (passive && (inexact || t->late)) return 0;
  s->coefficient = now->friction ? now->coefficient : 1;
  s->full_energy = now->energy;
  s->full_exchange = now->exchange;
  s->full_size = now->size;
  keep_this(t);
  return try_share(t, 0);
}

static int judge_none(const Trial* t, ShareSearch* s, const RoundEnergy* now, int inexact) {
  int found = 0;
  const double share = compare_ends(s, now, inexact, &found);
  if (found && share == 1) return take_kept(t, 1);
  if (!(s->lost > 0)) stop_bounces(t->round, &t->islands->list[t->index]);
  keep_this(t);
  s->cut |= t->late && !found;
  return found || t->late ? 0 : try_share(t, share);
}

static int judge_trial(const Trial* t, ShareSearch* s, const RoundEnergy* now, int inexact) {
  const double value = above(s, now->energy, now->exchange);
  const int within = value <= rounding * now->size && !inexact;
  if (within) {
    note_low(s, value);
    keep_this(t);
    if (-value <= window * s->lost || s->solutions == SHARE_SOLUTIONS || t->late) return 0;
  } else {
    note_high(s, value);
    if (inexact || s->solutions == SHARE_SOLUTIONS || t->late) return take_kept(t, s->low);
  }
  return try_share(t, secant(s));
}

// Judges the solution of an island. Returns 1 if it is to be solved again.
static int judge(const Trial* t) {
  ShareSearch* s = &t->x->search[t->index];
  const HeftContactResult* result = &t->results[t->index].result;
  const int inexact = t->results[t->index].inexact;
  const RoundEnergy now = measure(t->round, &t->islands->list[t->index], t->request, t->free);
  s->sweeps += result->sweeps;
  s->newton_steps += result->newton_steps;
  switch (++s->solutions) {
    case 1:
      return judge_full(t, s, &now, inexact);
    case 2:
      return judge_none(t, s, &now, inexact);
    default:
      return judge_trial(t, s, &now, inexact);
  }
}

void heft_restitution_begin(Restitution* x, const IslandSet* islands) {
  for (int i = 0; i < islands->count; ++i) x->search[i] = (ShareSearch){.share = 1};
}

int heft_restitution_next(Restitution* x, ImpactRound* round, const IslandSet* islands,
                          const SolveRequest* request, IslandResult* results, int late,
                          double* free) {
  int any = 0;
  for (int i = 0; i < islands->count; ++i) {
    const Trial trial = {x, round, islands, request, results, free, i, late};
    const int solved = islands->list[i].count > 0 && request->again[i];
    x->again[i] = solved && judge(&trial);
    any |= x->again[i];
    if (!solved || x->again[i]) continue;
    results[i].result.sweeps = x->search[i].sweeps;
    results[i].result.newton_steps = x->search[i].newton_steps;
  }
  return any;
}

static int count_impacts(const ImpactRound* round, const Island* island,
                         const SolveRequest* request) {
  int count = 0;
  for (int n = 0; n < island->count; ++n) {
    const int row = request->set->list[island->order[n]].row;
    count += round->rebounds[island->order[n]] && request->impulse[row] > 0;
  }
  return count;
}

void heft_restitution_report(const Restitution* x, const ImpactRound* round,
                             const IslandSet* islands, const SolveRequest* request,
                             const double* free, HeftStepReport* report) {
  for (int i = 0; i < islands->count; ++i) {
    const Island* island = &islands->list[i];
    if (island->count == 0 || !request->again[i]) continue;
    report->inexact += x->search[i].cut;
    const int impacts = count_impacts(round, island, request);
    if (impacts == 0) continue;
    const RoundEnergy energy = measure(round, island, request, free);
    report->impacts += impacts;
    report->impact_gain = fmax(report->impact_gain, energy.energy);
    report->restitution_share = fmin(report->restitution_share, x->search[i].share);
  }
}
