// SPDX-License-Identifier: Apache-2.0
// Papers: U3.
// The weight of a table on four legs can be distributed in infinitely many ways, and where the
// table slides, its motion depends on which of them it is. The law of rigid contact has a set of
// solutions; a slightly elastic world has one. This file computes the limit of that one, with the
// same compliance for all points of a pair of bodies:
//
//   the law of Coulomb for u_i + κ w r_i,    w: the mean mobility of the points of the pair.
//
// It is the proximal point of zero (primal.c) with a tiny κ. The velocity κ w r by which a point
// yields is below the usual tolerance, so that the point is a solution of the rigid law itself, and
// it depends only on the problem. Closer solutions are proximal points of this one, with a larger
// κ, because rounding of u adds its 1/κ to r.
//
// For four legs without friction it is N_i = m g (1/4 + x_c x_i / Σx² + y_c y_i / Σy²). At rest,
// where no point is at its limit, it is the solution of least norm.
//
// With so small a κ, φ of primal.c has kinks at every change of a contact state, and Newton steps
// from zero would pass them one by one. So the first step uses the contact states of warm impulses:
// H is placed at these states, and the impulses of the linear law there are -H u. If the states are
// right, the first step ends at the solution. If a few are wrong, its impulses exceed their bounds
// there, or its velocities have the wrong sign, and the second step uses the states that follow
// from that. Warm impulses give nothing else; they change the effort, and the answer by its
// tolerance only.
//
// The law of rest. A pinch, or a box on four feet under a push, may have two motions that obey the
// law: it rests, or it slips. A body that rests and can rest, rests. So for bodies at rest the
// convex problem
//
//   min ½ r·(W + κ w) r + b·r    over the cones
//
// goes first. At its optimum W r + b is unique, and if any impulses keep all bodies at rest, it is
// zero. The method is the same with the projection onto the cone in place of the disc. Its optimum
// obeys Coulomb's law if and only if no point slips, which the residual decides.
#include "contact/newton/equal.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

#include "contact/newton/primal.h"

static const double BOX = 5,  // κ of rows between two bounds, joint friction above all, relative
    OUTSIDE = 1e-6,           // of the square of a radius: a point is outside of its disc
    ROUNDING = 1e-14,         // of the reference velocity: a point need not be better
    DONE = 0.1;  // times κ: error of a point, relative to its distance from the centre
static const PrimalSearch CLOSE = {.count = 30, .flat = 0.05, .margin = 0.01};

// ---- compliance

static int is_box(const Cone* cone) {
  return cone->groups == 0 && cone->lower > -HUGE_VAL && cone->upper < HUGE_VAL;
}

static int same_pair(const Core* core, int i, int j) {
  return core->effector[2 * i] == core->effector[2 * j] &&
         core->effector[2 * i + 1] == core->effector[2 * j + 1];
}

// The mean w of the contacts with friction between the two bodies of contact i. Other contacts of
// these bodies have no part: a light body on a heavy one would make the heavy one soft.
static double mobility_of_pair(const Core* core, int i) {
  double w = 0;
  int count = 0;
  for (int j = 0; j < core->constraints; ++j) {
    if (core->cone[j].groups == 0 || !same_pair(core, i, j)) continue;
    w += core->w[j];
    ++count;
  }
  HEFT_ASSERT(count > 0 && !(w <= 0));
  return w / count;
}

// Points of a pair mostly follow each other.
static void set_stiffness(Newton* newton, const Core* core) {
  double pair = 0;
  HEFT_ASSERT(newton->kappa > 0);
  for (int i = 0, last = -1; i < core->constraints; ++i) {
    const int alone = core->cone[i].groups == 0;
    if (!alone && (last < 0 || !same_pair(core, i, last))) pair = mobility_of_pair(core, i);
    if (!alone) last = i;
    const double w = (alone ? core->w[i] : pair) * (is_box(&core->cone[i]) ? BOX : 1);
    newton->stiffness[2 * i] = newton->stiffness[2 * i + 1] = 1 / (newton->kappa * w);
    HEFT_ASSERT(!(newton->stiffness[2 * i] < 0));
  }
}

// ---- the first step

// A place x of the same contact state as the impulse r at the velocity u. warm: u is not a
// solution's. Joint friction is small beside the loads of a robot, so that the slightest error of u
// would change its state; there r decides.
static void place_state(const Core* core, int i, const Newton* newton, int warm, double* x) {
  const Cone* cone = &core->cone[i];
  HEFT_ASSERT(cone->rows == core->rows[i]);
  const double *r = newton->point + core->slot[i], *u = newton->u + core->slot[i];
  const double iw = warm && is_box(cone) ? 0 : core->iw[i], step = newton->stiffness[2 * i];
  for (int k = 0; k < core->rows[i]; ++k) x[k] = r[k] - iw * u[k];
  if (newton->rests || cone->groups == 0) return;
  if (!(x[0] > 0)) {
    x[0] = 0;
    return;
  }
  for (int g = 0; g < cone->groups; ++g) {
    const int first = cone->first[g], two = cone->size[g] == 2;
    const double *v = u + first, radius = cone->mu[g] * fmax(0, r[0]);
    double* to = x + first;
    const double square = to[0] * to[0] + (two ? to[1] * to[1] : 0),
                 along = to[0] * v[0] + (two ? to[1] * v[1] : 0);
    const int slips = !(square < (1 + OUTSIDE) * radius * radius) && along < 0;
    for (int k = 0; k < cone->size[g]; ++k) to[k] = slips ? -step * v[k] : 0;
  }
}

// H and the impulses of the linear law, by the contact states of the iterate.
static void take_states(Newton* newton, const Core* core, int warm) {
  for (int i = 0; i < core->constraints; ++i) {
    const int at = core->slot[i];
    place_state(core, i, newton, warm, newton->x + at);
    newton->f[at] = fmax(0, newton->point[at]);  // the radii of discs
  }
  primal_linearize(newton, core, 1);
  for (int i = 0; i < core->constraints; ++i) {
    const int at = core->slot[i], rows = core->rows[i];
    const double *h = newton->e + 36 * i, *u = newton->u + at, *x = newton->x + at;
    const Cone* cone = &core->cone[i];
    for (int a = 0; a < rows; ++a) {
      double sum = 0;
      for (int b = 0; b < rows; ++b) sum -= h[a * rows + b] * u[b];
      newton->f[at + a] = sum;
    }
    if (cone->groups > 0) continue;
    if (x[0] <= cone->lower) newton->f[at] = cone->lower;
    if (x[0] >= cone->upper) newton->f[at] = cone->upper;
  }
}

int equal_begin(Newton* newton, const Core* core, EqualLaw law, double kappa, const double* u) {
  const size_t bytes = sizeof(double) * (size_t)core->slots;
  newton->kappa = kappa;
  newton->inner = 0;
  HEFT_ASSERT(newton->ready == 1 && kappa > 0);
  newton->rests = law == EQUAL_REST;
  memset(newton->center, 0, bytes);
  memcpy(newton->point, core->r, bytes);
  memcpy(newton->u, u, bytes);
  memset(newton->f, 0, bytes);
  memset(newton->slope, 0, bytes);
  memset(newton->step, 0, bytes);
  set_stiffness(newton, core);
  take_states(newton, core, 1);
  if (primal_solve(newton, core) == HUGE_VAL) return 0;
  primal_advance(newton, core, 1);
  primal_stay(newton, core);
  return 1;
}

int equal_correct(Newton* newton, const Core* core) {
  take_states(newton, core, 0);
  if (primal_solve(newton, core) == HUGE_VAL) return 0;
  const double first = primal_evaluate(newton, core, 0);
  primal_advance(newton, core, first < 0 ? primal_search(newton, core, first, CLOSE) : 1);
  primal_stay(newton, core);
  return 1;
}

// ---- further steps

int equal_step(Newton* newton, const Core* core) {
  const double first = primal_direction(newton, core);
  if (!(first < 0)) return 0;
  newton->inner++;
  primal_advance(newton, core, primal_search(newton, core, first, CLOSE));
  return 1;
}

void equal_take(const Newton* newton, Core* core) {
  HEFT_ASSERT(newton->ready == 1);
  memcpy(core->r, newton->f, sizeof(double) * (size_t)core->slots);
  core_state(core, core->r, core->z);
}

int equal_reached(const Newton* newton, Core* core, double loose) {
  double worst = 0, largest = 0;  // squares
  HEFT_ASSERT(newton->kappa > 0 && !(loose < 0));
  for (int i = 0; i < core->constraints; ++i) {
    double inner = 0, size = 0;
    for (int k = core->slot[i]; k < core->slot[i] + core->rows[i]; ++k) {
      const double error = newton->f[k] - newton->point[k], way = newton->f[k] - newton->center[k];
      inner += error * error;
      size += way * way;
    }
    const double square = core->w[i] * core->w[i];
    if (!(inner * square <= worst)) worst = inner * square;
    if (size * square > largest) largest = size * square;
  }
  const double share = fmax(loose, DONE * newton->kappa);
  if (!(sqrt(worst) <= fmax(ROUNDING * core->reference, share * sqrt(largest)))) return 0;
  equal_take(newton, core);
  return 1;
}

void equal_refine(Newton* newton, const Core* core, double kappa, const double* u) {
  const size_t bytes = sizeof(double) * (size_t)core->slots;
  HEFT_ASSERT(newton->ready == 1 && kappa > 0);
  newton->kappa = kappa;
  set_stiffness(newton, core);
  memcpy(newton->center, core->r, bytes);
  memcpy(newton->point, core->r, bytes);
  memcpy(newton->u, u, bytes);
  primal_stay(newton, core);
}
