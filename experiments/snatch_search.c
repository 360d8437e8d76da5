// SPDX-License-Identifier: Apache-2.0
// The search for the plan of a dynamic lift: an evolution strategy with one step size per variable
// (separable CMA-ES, [Ros 2008]) on the knots between start and end. It computes the cost of a plan by
// inverse dynamics, as the source does, and uses no simulation: the experiment then shows whether
// the plan holds in the world. Same seed, same plan on every machine.
//
// Cost: torque over its limit, squared, and energy [kJ]; penalties for errors of inverse kinematics,
// for a zero-moment point closer than 5 cm to the ends of the feet, and for a bar that is not nearly
// free at the switch from pull to push.
#include "experiments/snatch_search.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 2, LAST = 6, VARIABLES = (LAST - FIRST + 1) * SNATCH_CHANNELS, OFFSPRING = 10, PARENTS = 5 };

// How far a variable moves in the first generation: forward, up [m], pitch [deg], centre of mass [m].
static const double spread[SNATCH_CHANNELS] = {0.015, 0.02, 6, 0.015};

static double uniform(uint64_t* state) {  // splitmix64
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

// Twelve uniform numbers: normal enough, and the same bits everywhere.
static double normal(uint64_t* state) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(state);
  return sum;
}

static double over(double x, double limit) { return x > limit ? x - limit : 0; }

double snatch_cost(Lab* lab, const SnatchPlan* plan, double bar_mass, SnatchCost* cost) {
  if (!snatch_make(lab, plan, bar_mass, cost)) return INFINITY;
  const double miss = over(cost->error, 2e-3), edge = over(0.05, cost->margin),
               held = over(cost->release, 0.15);
  return cost->torque * cost->torque + 1e-3 * cost->energy + 100 * miss + 50 * edge + held;
}

static void apply(SnatchPlan* plan, const SnatchPlan* start, const double* x) {
  *plan = *start;
  for (int i = 0; i < VARIABLES; ++i)
    plan->value[FIRST + i / SNATCH_CHANNELS][i % SNATCH_CHANNELS] +=
        x[i] * spread[i % SNATCH_CHANNELS];
}

typedef struct Offspring {
  double x[VARIABLES], z[VARIABLES], cost;
} Offspring;

static int compare(const void* a, const void* b) {
  const Offspring *x = a, *y = b;
  return (x->cost > y->cost) - (x->cost < y->cost);
}

// Moves mean, step size and variances by the better half of a generation.
typedef struct Strategy {
  double mean[VARIABLES], variance[VARIABLES], path[VARIABLES], trail[VARIABLES], sigma;
} Strategy;

static void adapt(Strategy* s, const Offspring* child) {
  const double n = VARIABLES, mu = PARENTS;
  const double cs = (mu + 2) / (n + mu + 5), cc = 4 / (n + 4);
  const double c1 = 2 / ((n + 1.3) * (n + 1.3) + mu) * (n + 2) / 3,
               cm = fmin(1 - c1, 2 * (mu - 2 + 1 / mu) / ((n + 2) * (n + 2) + mu) * (n + 2) / 3);
  double length = 0;
  for (int i = 0; i < VARIABLES; ++i) {
    double step = 0, square = 0;
    for (int k = 0; k < PARENTS; ++k) {
      step += child[k].z[i] / mu;
      square += child[k].z[i] * child[k].z[i] / mu;
    }
    const double root = sqrt(s->variance[i]);
    s->mean[i] += s->sigma * root * step;
    s->path[i] = (1 - cs) * s->path[i] + sqrt(cs * (2 - cs) * mu) * step;
    s->trail[i] = (1 - cc) * s->trail[i] + sqrt(cc * (2 - cc) * mu) * root * step;
    s->variance[i] *= 1 - c1 - cm + cm * square;
    s->variance[i] += c1 * s->trail[i] * s->trail[i];
    length += s->path[i] * s->path[i];
  }
  const double expected = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
  s->sigma *= heft_exp(fmin(1, cs * (sqrt(length) / expected - 1)));
}

double snatch_search(Lab* lab, const SnatchPlan* start, double bar_mass, int generations,
                     SnatchPlan* out, void (*report)(int generation, double cost)) {
  static Offspring child[OFFSPRING];
  Strategy s = {.sigma = 0.5};
  uint64_t state = 1;
  SnatchCost parts;
  *out = *start;
  double best = snatch_cost(lab, start, bar_mass, &parts);
  for (int i = 0; i < VARIABLES; ++i) s.variance[i] = 1;
  for (int g = 0; g < generations; ++g) {
    for (int k = 0; k < OFFSPRING; ++k) {
      SnatchPlan plan;
      for (int i = 0; i < VARIABLES; ++i) {
        child[k].z[i] = normal(&state);
        child[k].x[i] = s.mean[i] + s.sigma * sqrt(s.variance[i]) * child[k].z[i];
      }
      apply(&plan, start, child[k].x);
      child[k].cost = snatch_cost(lab, &plan, bar_mass, &parts);
      if (child[k].cost < best) {
        best = child[k].cost;
        *out = plan;
      }
    }
    qsort(child, OFFSPRING, sizeof *child, compare);
    adapt(&s, child);
    if (report) report(g, best);
  }
  return best;
}
