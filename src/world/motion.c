// SPDX-License-Identifier: Apache-2.0
// Positions after the step, q⁺ = q_m ⊕ hθ v⁺ and the correction.
//
// A tree of first order on which no constraint acts in the end, or which bounces, moves by the mean
// of its velocities instead: free flight is then exact, and a bounce happens where the step began
// and neither lifts nor lowers.
//
// Trees that bounce off each other in flight separate where the step began and fly on from there,
// with the velocity v_p after the impact: v⁺ = v_p + h v̇, and the mean is v⁺ - h v̇ / 2. This
// conserves their angular momentum, since the impulse acts between bodies that have not moved yet;
// with the mean of v and v⁺ it would act half a step later, along a line that no longer passes
// through both. Both means conserve the energy of an elastic impact.
#include "world/motion.h"
#include "base/assert.h"

#include "dynamics/links.h"
#include "world/passage.h"

enum { LINK_RANGE = 64 };

void heft_motion_place(Motion* x, Arena* arena, const HeftModel* m, double* scratch) {
  x->v_mean = arena_take(arena, m->nv, double);
  x->v_impulse = arena_take(arena, m->nv, double);
  x->v_position = arena_take(arena, m->nv, double);
  x->v_correction = arena_take(arena, m->nv, double);
  x->v_beyond = x->v_correction;
  x->v_sum = scratch;
}

// The mean velocities of dofs first to end - 1 of an island in which bodies meet after the share
// `time` of the step (passage.c): the old velocity until then, the new one after it. Not for trees
// that bounce off the world: their weight would do other work than the change of their velocity
// shows.
static void find_mean_of_impact(Motion* x, ContactRegime regime, double time, const double* drift,
                                const double* old, const double* now, int first, int end) {
  const int flies = regime == REGIME_FLIGHT;
  HEFT_ASSERT(time > 0 && time <= 1);
  for (int i = first; i < end; ++i) {
    const double mean = 0.5 * (old[i] + now[i]), change = flies ? drift[i] : 0;
    const double moved = time * old[i] + (1 - time) * (now[i] - change) + 0.5 * change;
    x->v_impulse[i] = mean - 0.5 * change;
    x->v_mean[i] = flies ? moved : mean;
    x->v_position[i] = moved;
    x->v_beyond[i] = flies ? 0 : moved - mean;
  }
}

// The mean velocity of a link's joints, and the velocity by which they move from the middle to the
// end of the step. While the impulses of trees in flight act, weight does not: their mean velocity
// is the velocity of the impact.
static void find_mean(Motion* x, const StepInput* in, const double* theta, const Constraints* c,
                      int link, const double* v) {
  const HeftModel* m = in->model;
  const double *old = in->start->v, *drift = c->round.drift;
  const int root = heft_link_root(m, link), first = heft_link_dof(m, link);
  HEFT_ASSERT(root > 0 && root <= link);
  const int node = heft_link_deforms(m, link);  // moves by the law that its elasticity has
  const ContactRegime regime =
      c->midpoint.first_order[root] && !node ? (ContactRegime)c->regime[root] : REGIME_SUSTAINED;
  const int end = first + heft_link_dof_count(m, link);
  const double time = node ? 0 : heft_passage_time(c, link);
  HEFT_ASSERT(!(time < 0 || time > 1));
  if (time > 0 && regime != REGIME_LOOSE) {
    find_mean_of_impact(x, regime, time, drift, old, v, first, end);
    return;
  }
  for (int i = first; i < end; ++i) {
    const double mean = 0.5 * (old[i] + v[i]), half = regime == REGIME_FLIGHT ? 0.5 * drift[i] : 0;
    x->v_impulse[i] = mean - half;
    x->v_mean[i] = regime == REGIME_FLIGHT ? v[i] - half : mean;
    x->v_position[i] = regime == REGIME_SUSTAINED ? theta[i] * v[i] : x->v_mean[i];
    x->v_beyond[i] = regime == REGIME_SUSTAINED ? (theta[i] - 0.5) * (v[i] - old[i]) : 0;
  }
}

typedef struct MeanTask {
  Motion* x;
  const StepInput* in;
  const double* theta;
  const Constraints* c;
  const double* v;
} MeanTask;

static void find_range(void* arg, int first, int end) {
  const MeanTask* t = arg;
  for (int k = first > 0 ? first : 1; k < end; ++k) find_mean(t->x, t->in, t->theta, t->c, k, t->v);
}

void heft_motion_find(Motion* x, const StepInput* in, const Middle* middle, Constraints* c,
                      const FloatingGroups* groups, const double* v) {
  heft_constraints_find_regime(c, groups);
  MeanTask task = {x, in, middle->theta, c, v};
  heft_pool_run_ranges(c->solvers.pool, heft_link_count(in->model), LINK_RANGE, find_range, &task);
}

void heft_motion_correct(Motion* x, const StepInput* in, const Middle* middle,
                         HeftDynamics* dynamics, Constraints* c, Budget* budget, double* q,
                         HeftStepReport* report) {
  const PositionStep position = {middle->q, x->v_position, q};
  heft_constraints_correct(c, in, dynamics, budget, &position, x->v_correction, report);
}

void heft_motion_integrate(Motion* x, const StepInput* in, const Middle* middle, double* q) {
  for (int i = 0; i < in->model->nv; ++i) x->v_sum[i] = x->v_position[i] + x->v_correction[i];
  heft_q_integrate(in->model, middle->q, x->v_sum, in->h, q);
}
