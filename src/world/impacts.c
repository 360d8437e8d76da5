// SPDX-License-Identifier: Apache-2.0
// Impacts that follow each other within a step.
//
// All touches that arrive when a step begins are solved together, each with its own speed of
// arrival (Moreau's law). A touch with restitution that is still open then and does not arrive is
// left out: it waits. If the impacts send two bodies towards each other so fast that they meet
// within the step, that is the next impact, with the speed that they have now; and so on, until
// nothing arrives any more. Balls that hang a hair's breadth apart pass their motion on one by one,
// balls that touch do so at once.
//
// Bodies that touch and part may be sent towards each other again by the other impacts of their
// round: u_n + e u_n⁻ >= 0 holds for them too, which neither takes nor gives energy at e = 1; what
// arrives then is the next impact. That is for bodies that do part in this step: what its forces
// press together again stays together.
//
// When nothing bounces in an island any more, nobody waits: one last round brings all that is slow
// to an end together. One after the other they would send each other back and forth, a little less
// each time.
//
// A round is solved as exactly as the solver was asked to, not better. What still closes within
// its residual asks for no other round: that one would end where this one did.
//
// The speed of arrival leaves out what weight and other forces add during this step, so that a ball
// leaves as fast as it came.
//
// Each round adds its impulses, which are in their cones, to those before; so their sum is.
#include <math.h>
#include <string.h>

#include "world/models/contact_model.h"
#include "world/world_internal.h"

enum { ROUNDS = 40 };

// Both times (gravity x time step):
static const double bounce_speed = 2;      // slower arrivals do not bounce
static const double closing_speed = 1e-9;  // what closes slower than this does not close

// Times the residual of the last round, which is at least |u_n| / sqrt(1 + µ²) where u_n < 0.
static const double unsolved = 4;

static double restitution(const Constraints* c, const Constraint* k) {
  return c->contact_points.point[k->source].restitution;
}

// It meets within the step, fast enough to bounce.
static int arrives(const HeftWorld* w, const Constraint* k, double speed) {
  return speed < -bounce_speed * w->weight_speed && k->gap + w->def.time_step * speed <= 0;
}

// What a touch asks for in the coming round.
enum { NOTHING = 0, CLOSING, BOUNCING };

// What closes slower than this does not ask for a round.
static double closing_limit(const HeftWorld* w, const Constraint* k, int round) {
  const double left = round > 0 ? unsolved * w->constraints->island[k->island].proof.residual : 0;
  return fmax(closing_speed * w->weight_speed, left);
}

// What a touch with restitution does in the coming round, given its speed now and its speed of
// arrival. Returns what it asks for: nothing, if what it wants is so already.
static int pose_contact(HeftWorld* w, Constraint* k, double speed, double arrival, int round) {
  Constraints* c = w->constraints;
  const int last = round == ROUNDS - 1;
  const double room = k->gap > 0 ? k->gap / w->def.time_step : 0;
  const int bounces = !last && arrives(w, k, arrival);
  const int leaves = !last && k->gap <= 0 && arrival > 0 && speed > 0;
  c->push[k->row] = bounces || leaves ? restitution(c, k) * arrival : room;
  c->velocity[k->row] = speed + c->push[k->row];
  const int asks = c->velocity[k->row] < -closing_limit(w, k, round);
  k->bounces |= bounces;
  k->waiting = !bounces && !asks && k->gap > 0;
  if (!asks) return NOTHING;
  return bounces ? BOUNCING : CLOSING;
}

// Speeds without push at the joint velocities v, into `out`.
static void measure_speeds(HeftWorld* w, const double* v, double* out) {
  const Constraints* c = w->constraints;
  heft_constraints_measure(w, v);
  for (int r = 0; r < c->row_count; ++r) out[r] = c->velocity[r] - c->push[r];
}

static int pose_all(HeftWorld* w, const double* v, int round) {
  Constraints* c = w->constraints;
  double *arrival = c->round, *speed = c->kept;
  int any = 0;
  for (int i = 0; i < w->model->nv; ++i) w->velocity[i] = v[i] - c->drift[i];
  measure_speeds(w, w->velocity, arrival);
  measure_speeds(w, v, speed);
  memset(c->again, NOTHING, (size_t)c->island_count * sizeof(int));
  for (int i = 0; i < c->contact_point_count; ++i) {
    Constraint* k = &c->list[i];
    if (!(restitution(c, k) > 0)) continue;
    const int asks = pose_contact(w, k, speed[k->row], arrival[k->row], round);
    if (asks > c->again[k->island]) c->again[k->island] = asks;
    any |= asks;
  }
  for (int i = 0; i < c->contact_point_count; ++i) {
    if (c->again[c->list[i].island] != BOUNCING) c->list[i].waiting = 0;
  }
  return any != NOTHING;
}

// A contact model that has no rounds looks at all touches by itself.
static void leave_to_model(Constraints* c) {
  for (int i = 0; i < c->contact_point_count; ++i) c->list[i].bounces = c->list[i].waiting = 0;
}

void heft_impacts_begin(HeftWorld* w, const double* v) {
  Constraints* c = w->constraints;
  c->cold = 0;
  if (c->any_restitution) {
    for (int i = 0; i < c->contact_point_count; ++i) c->list[i].bounces = 0;
    for (int i = 0; i < w->model->nv; ++i) c->drift[i] = v[i] - w->before->v[i];
    pose_all(w, v, 0);
    if (c->model && !c->model->bounces) leave_to_model(c);
  }
  for (int i = 0; i < c->island_count; ++i) c->again[i] = 1;
}

int heft_impacts_next(HeftWorld* w, const double* v, int round) {
  Constraints* c = w->constraints;
  c->cold = 1;
  if (c->model && !c->model->bounces) return 0;
  return c->any_restitution && round < ROUNDS && pose_all(w, v, round);
}
