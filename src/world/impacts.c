// SPDX-License-Identifier: Apache-2.0
// Papers: R24.
// Impacts that follow each other within a step.
//
// Contact points and joint limits with restitution are treated alike: both are called contacts.
//
// All contacts that arrive when a step begins are solved together, each with its own speed of
// arrival (Moreau's law), as far as the energy of the impact allows (restitution.c). A contact with
// restitution that is still open then and does not arrive is left out of the round: it waits. If
// the impacts send two bodies towards each other so fast that they meet within the step, the next
// round treats that impact, with the present speed; and so on, until no contact arrives any more.
// Balls that hang at small distances pass their motion on one by one, balls that touch do so at
// once.
//
// Bodies that touch and separate may be sent towards each other again by the other impacts of their
// round: u_n + e u_n⁻ >= 0 holds for them too, which changes no energy at e = 1; a contact point
// that arrives then belongs to the next round. This applies to bodies that separate in this step:
// if the forces of the step press them together again, they stay together.
//
// When no contact point bounces in an island any more, none waits: one last round solves all slow
// contact points together. One after the other they would send each other back and forth, with less
// speed each time.
//
// A round is solved to the tolerance of the solver. A contact point that closes within the residual
// of a round asks for no other round, which would end in the same way.
//
// The speed of arrival excludes the velocity that weight and other forces add during this step, so
// that a ball leaves as fast as it came.
//
// Each round adds its impulses, which are in their cones, to those before; so their sum is.
#include "world/impacts.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

// Both times (gravity x time step):
static const double bounce_speed = 2;      // slower arrivals do not bounce
static const double closing_speed = 1e-9;  // slower closing counts as none

// Times the residual of the last round, which is at least |u_n| / sqrt(1 + µ²) where u_n < 0.
static const double unsolved = 4;

// 1 if it closes within the step, fast enough to bounce.
static int arrives(const StepInput* in, const Constraint* k, double speed) {
  return speed < -bounce_speed * in->weight_speed && k->gap + in->h * speed <= 0;
}

// The request of a contact point in the coming round.
enum { NOTHING = 0, CLOSING, BOUNCING };

// One contact point with restitution in the coming round, given its velocity now and its velocity
// of arrival. Slower closing than `limit` asks for no round. Returns NOTHING if its law holds
// already.
static int pose_contact(ImpactRound* round, const ConstraintSet* set, const StepInput* in,
                        int index, int last, double limit, double* velocity) {
  const Constraint* k = &set->list[index];
  const double speed = round->speed[k->row], arrival = round->arrival[k->row];
  const double room = k->gap > 0 ? k->gap / in->h : 0;
  HEFT_ASSERT(!(room < 0));
  const int bounces = !last && arrives(in, k, arrival);
  const int leaves = !last && k->gap <= 0 && arrival > 0 && speed > 0;
  round->rebounds[index] = bounces || leaves;
  round->own_bias[k->row] = round->rebounds[index] ? k->restitution * arrival : room;
  HEFT_ASSERT(!(k->restitution < 0 || k->restitution > 1));
  velocity[k->row] = speed + round->own_bias[k->row];
  const int asks = velocity[k->row] < -limit;
  round->bounces[index] |= bounces;
  round->waiting[index] = !bounces && !asks && k->gap > 0;
  if (!asks) return NOTHING;
  return bounces ? BOUNCING : CLOSING;
}

// Velocities at the joint velocities v: with bias into `velocity`, without into `out`.
static void measure_speeds(const ImpactRound* round, const ConstraintSet* set,
                           HeftDynamics* dynamics, const double* v, double* velocity, double* out) {
  heft_constraint_set_measure(set, dynamics, round->bias, v, velocity);
  for (int r = 0; r < set->row_count; ++r) out[r] = velocity[r] - round->bias[r];
}

// results: of the last round; NULL in the first.
static int pose_all(ImpactRound* round, const ConstraintSet* set, const IslandSet* islands,
                    const StepInput* in, HeftDynamics* dynamics, const IslandResult* results,
                    const double* v, int last, double* velocity) {
  int any = 0;
  for (int i = 0; i < in->model->nv; ++i) round->v_arrival[i] = v[i] - round->drift[i];
  measure_speeds(round, set, dynamics, round->v_arrival, velocity, round->arrival);
  measure_speeds(round, set, dynamics, v, velocity, round->speed);
  memset(round->again, NOTHING, (size_t)islands->count * sizeof(int));
  for (int i = 0; i < set->count; ++i) {
    if (!(set->list[i].restitution > 0)) continue;
    const int island = islands->of_constraint[i];
    HEFT_ASSERT(island >= 0 && island < islands->count);
    const double left = results ? unsolved * results[island].certificate.residual : 0;
    const double limit = fmax(closing_speed * in->weight_speed, left);
    const int asks = pose_contact(round, set, in, i, last, limit, velocity);
    if (asks > round->again[island]) round->again[island] = asks;
    any |= asks;
  }
  for (int i = 0; i < set->count; ++i) {
    if (round->again[islands->of_constraint[i]] != BOUNCING) round->waiting[i] = 0;
  }
  return any != NOTHING;
}

void heft_impacts_prepare(ImpactRound* round, const ConstraintSet* set) {
  const size_t size = (size_t)set->count * sizeof(int);
  memset(round->waiting, 0, size);
  memset(round->bounces, 0, size);
  memset(round->rebounds, 0, size);
  round->bias = set->bias;
  if (!set->any_restitution) return;
  memcpy(round->own_bias, set->bias, (size_t)set->row_count * sizeof(double));
  round->bias = round->own_bias;
}

void heft_impacts_begin(ImpactRound* round, const ConstraintSet* set, const IslandSet* islands,
                        const StepInput* in, HeftDynamics* dynamics, int in_rounds, int rebounds,
                        const double* v, double* velocity) {
  const size_t size = (size_t)set->count * sizeof(int);
  round->cold = 0;
  if (set->any_restitution) {
    memset(round->bounces, 0, size);
    for (int i = 0; i < in->model->nv; ++i) round->drift[i] = v[i] - in->start->v[i];
    pose_all(round, set, islands, in, dynamics, NULL, v, 0, velocity);
    if (!in_rounds) {
      memset(round->bounces, 0, size);
      memset(round->waiting, 0, size);
    }
    if (!rebounds) memset(round->rebounds, 0, (size_t)set->contact_point_count * sizeof(int));
  }
  for (int i = 0; i < islands->count; ++i) round->again[i] = 1;
}

int heft_impacts_next(ImpactRound* round, const ConstraintSet* set, const IslandSet* islands,
                      const StepInput* in, HeftDynamics* dynamics, const IslandResult* results,
                      const double* v, int index, double* velocity) {
  round->cold = 1;
  return set->any_restitution && index < IMPACT_ROUNDS &&
         pose_all(round, set, islands, in, dynamics, results, v, index == IMPACT_ROUNDS - 1,
                  velocity);
}
