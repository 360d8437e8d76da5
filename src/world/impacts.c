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
// arrives then is the next impact.
//
// The speed of arrival leaves out what weight and other forces add during this step, so that a ball
// leaves as fast as it came.
//
// Each round adds its impulses, which are in their cones, to those before; so their sum is.
#include <string.h>

#include "world/models/contact_model.h"
#include "world/world_internal.h"

enum { ROUNDS = 40 };

// Both times (gravity x time step):
static const double bounce_speed = 2;      // slower arrivals do not bounce
static const double closing_speed = 1e-9;  // what closes slower than this does not close

static double restitution(const Constraints* c, const Constraint* k) {
  return c->touches.contact[k->source].restitution;
}

// It meets within the step, fast enough to bounce.
static int arrives(const HeftWorld* w, const Constraint* k, double speed) {
  return speed < -bounce_speed * w->weight_speed && k->gap + w->def.time_step * speed <= 0;
}

// What a touch with restitution does in the coming round, given its speed now and its speed of
// arrival. Returns 1 if it asks for that round.
static int pose_touch(HeftWorld* w, Constraint* k, double speed, double arrival, int last) {
  Constraints* c = w->constraints;
  const double room = k->gap > 0 ? k->gap / w->def.time_step : 0;
  const int bounces = !last && arrives(w, k, arrival);
  const int closes = speed + room < -closing_speed * w->weight_speed;
  k->bounces |= bounces;
  k->waiting = !bounces && !closes && k->gap > 0;
  const int leaves = !last && k->gap <= 0 && arrival > 0;
  c->push[k->row] = bounces || leaves ? restitution(c, k) * arrival : room;
  c->velocity[k->row] = speed + c->push[k->row];
  return bounces || closes;
}

// Speeds without push at the joint velocities v, into `out`.
static void measure_speeds(HeftWorld* w, const double* v, double* out) {
  const Constraints* c = w->constraints;
  heft_constraints_measure(w, v);
  for (int r = 0; r < c->row_count; ++r) out[r] = c->velocity[r] - c->push[r];
}

static int pose_all(HeftWorld* w, const double* v, int last) {
  Constraints* c = w->constraints;
  double *arrival = c->round, *speed = c->kept;
  int any = 0;
  for (int i = 0; i < w->model->nv; ++i) w->velocity[i] = v[i] - c->drift[i];
  measure_speeds(w, w->velocity, arrival);
  measure_speeds(w, v, speed);
  memset(c->again, 0, (size_t)c->island_count * sizeof(int));
  for (int i = 0; i < c->touch_count; ++i) {
    Constraint* k = &c->list[i];
    if (!(restitution(c, k) > 0)) continue;
    if (!pose_touch(w, k, speed[k->row], arrival[k->row], last)) continue;
    c->again[k->island] = any = 1;
  }
  return any;
}

// A contact model that has no rounds looks at all touches by itself.
static void leave_to_model(Constraints* c) {
  for (int i = 0; i < c->touch_count; ++i) c->list[i].bounces = c->list[i].waiting = 0;
}

void heft_impacts_begin(HeftWorld* w, const double* v) {
  Constraints* c = w->constraints;
  c->cold = 0;
  if (c->any_restitution) {
    for (int i = 0; i < c->touch_count; ++i) c->list[i].bounces = 0;
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
  return c->any_restitution && round < ROUNDS && pose_all(w, v, round == ROUNDS - 1);
}
