// SPDX-License-Identifier: Apache-2.0
// Motion within a step, so that fast bodies do not pass through each other.
//
// Before contact points are found, the motion of each link in the step is predicted. A body in
// flight moves by h (v + h g) and turns by h ω about its centre of mass; a link that hangs on
// joints turns about its momentary axis. The collider computes the time at which fast pairs meet,
// and returns contact points for these (collision/sweep.c).
//
// Bodies of an island in which such a pair meets first at the time s move with their old velocities
// until then, and with the new ones, which the impulses cause, in the rest of the step:
//
//     q⁺ = q ⊕ h (s v + (1 - s) v⁺).
//
// A contact point with the gap G and the velocity u at the start has the gap G + s h u at that
// time, which is zero for the pair that meets. So its row is u⁺ + (G + s h u) / ((1 - s) h) >= 0.
// The step then ends where the pair touches, or later contacts of the island do. The impulse acts
// where the pair meets, on bodies that are there at that time: angular momentum is conserved. If a
// contact of the island closes from the start on, s is zero, and the rows are those of other
// steps.
//
// The prediction does not know the impulses of the step: a ball that hits a plate may push it
// through the wall behind it. So after the step the motion that has taken place is examined
// again. If a pair got deeper into each other on its way than a quarter of half its thickness,
// its islands move by the share of the step after which the pair touches. Velocities stay: the
// next step begins at the contact and treats the impact. The motions of trees with different
// shares are examined again, until no pair passes; a tree that is stopped too often stays where
// the step began, where it passed nothing.
#include "world/passage.h"

#include <math.h>
#include <string.h>

#include "collision/sweep.h"
#include "dynamics/links.h"
#include "world/models/contact_model.h"

enum { STOPS = 12, STOPS_BEFORE_ZERO = 6 };

static const double closing_min = 1e-7;  // closing by less in a step is no impact [m]
static const double turn_min = 1e-3;     // smaller turns are treated as shifts of the origin [rad]
static const double before = 0.999;      // of the time of contact: trees stop just before it

// ---- slow steps

static int moved_are_slow(const HeftCollider* collider, const StepInput* in, double limit) {
  const HeftModel* m = in->model;
  for (int k = 1; m->nmoved > 0 && k < heft_link_count(m); ++k) {
    if (!heft_body_is_moved(m, heft_link_body(m, k))) continue;
    const double* x = in->start->moved + 13L * m->body_moved[heft_link_body(m, k)];
    const double speed = heft_vec3_norm(heft_vec3_from(x + 10)) +
                         heft_vec3_norm(heft_vec3_from(x + 7)) * collider->link_radius[k];
    if (!(speed <= limit)) return 0;
  }
  return 1;
}

// 1 if no link moves its shapes so far that anything must be swept, at the velocities of the
// dynamics. The kinetic energy alone shows this at rest.
static int all_are_slow(const HeftCollider* collider, const StepInput* in,
                        const HeftDynamics* dynamics, double kinetic) {
  const double most = heft_collider_slow_travel(collider) / in->h;
  const double limit = fmin(most - in->weight_speed, SLOW_SHARE * most);
  if (!(limit > 0)) return 0;
  if (2 * kinetic * collider->mobility * collider->mobility <= limit * limit) return 1;
  return heft_links_are_slow(dynamics, collider->link_radius, limit) &&
         moved_are_slow(collider, in, limit);
}

// ---- prediction

// A turn about the momentary axis.
static StepMotion about_axis(HeftVec3 origin, HeftVec3 shift, HeftVec3 turn) {
  const double square = heft_vec3_dot(turn, turn);
  if (!(square > turn_min * turn_min)) return (StepMotion){origin, shift, turn};
  const HeftVec3 arm = heft_vec3_scale(1 / square, heft_vec3_cross(turn, shift));
  return (StepMotion){.pivot = heft_vec3_add(origin, arm),
                      .shift = heft_vec3_scale(heft_vec3_dot(turn, shift) / square, turn),
                      .turn = turn};
}

// A moved body has its velocity in the state.
static StepMotion moved_motion(const StepInput* in, int link) {
  const double* x = in->start->moved + 13L * in->model->body_moved[heft_link_body(in->model, link)];
  return (StepMotion){.pivot = heft_vec3_from(x),
                      .shift = heft_vec3_scale(in->h, heft_vec3_from(x + 10)),
                      .turn = heft_vec3_scale(in->h, heft_vec3_from(x + 7))};
}

// About the origin of the link's frame.
static StepMotion motion_at_start(const HeftDynamics* dynamics, const StepInput* in,
                                  const double* frames, int link) {
  const HeftSpatial v = heft_link_velocity(dynamics, link);
  const HeftVec3 origin = heft_vec3_from(frames + 16L * link + 12);
  const HeftVec3 arm = heft_vec3_sub(origin, heft_link_origin(dynamics, link));
  return (StepMotion){
      .pivot = origin,
      .shift = heft_vec3_scale(in->h, heft_vec3_add(v.lin, heft_vec3_cross(v.ang, arm))),
      .turn = heft_vec3_scale(in->h, v.ang)};
}

static StepMotion link_motion(const HeftDynamics* dynamics, const StepInput* in,
                              const double* frames, int link) {
  const HeftModel* m = in->model;
  const double h = in->h;
  if (heft_body_is_moved(m, heft_link_body(m, link))) return moved_motion(in, link);
  const int root = heft_link_root(m, link);
  const int floats = heft_dof_is_free(m, heft_link_dof(m, root));
  StepMotion x = motion_at_start(dynamics, in, frames, link);
  if (floats) x.shift = heft_vec3_add_scaled(x.shift, h * h, heft_vec3_from(m->physics.gravity));
  return link == root && floats ? x : about_axis(x.pivot, x.shift, x.turn);
}

// Under a compliant contact model bodies sink into each other by its own law.
static int is_compliant(const Constraints* c) {
  return c->contact_model && !c->contact_model->corrects;
}

// The motion of bodies at the velocities of the start, without the weight, which contact carries.
static void expect_motion(Constraints* c, const StepInput* in, HeftDynamics* dynamics) {
  const double* frames = heft_link_frames(dynamics);
  for (int k = 1; k < heft_link_count(in->model); ++k) {
    const int moved = heft_body_is_moved(in->model, heft_link_body(in->model, k));
    c->passage.expected[k] = moved ? moved_motion(in, k) : motion_at_start(dynamics, in, frames, k);
  }
  c->collider->expected = c->passage.expected;
}

void heft_passage_predict(Constraints* c, const StepInput* in, HeftDynamics* dynamics) {
  const int nlink = heft_link_count(in->model);
  if (c->passage.expected) expect_motion(c, in, dynamics);
  c->passage.slow = is_compliant(c) || all_are_slow(c->collider, in, dynamics, in->kinetic);
  if (c->passage.slow) return;
  const double* frames = heft_link_frames(dynamics);
  for (int k = 1; k < nlink; ++k) c->passage.motion[k] = link_motion(dynamics, in, frames, k);
  heft_collider_sweep(c->collider, c->passage.motion);
}

// ---- the first impact of an island

// Soft contact points have no impact: they slow bodies down gradually.
static int closes(const Constraint* k) {
  return (k->kind == CONSTRAINT_CONTACT && !(k->softness > 0)) || k->kind == CONSTRAINT_LIMIT ||
         k->kind == CONSTRAINT_TENDON_LIMIT;
}

// When a row closes at its velocity u of the start; 1 if it does not.
static double closing_time(const ConstraintSet* set, const Constraint* k, double h, double u) {
  const double closing = -h * u;
  if (k->kind == CONSTRAINT_CONTACT && set->contact_points.point[k->source].time > 0)
    return set->contact_points.point[k->source].time;
  return closing > closing_min && closing > k->gap ? fmax(k->gap, 0) / closing : 1;
}

// 1 if the constraint is a contact point at which bodies meet later in the step.
static int meets(const ConstraintSet* set, int i) {
  const Constraint* k = &set->list[i];
  return k->kind == CONSTRAINT_CONTACT && closes(k) &&
         set->contact_points.point[k->source].time > 0;
}

static int find_times(Passage* p, const ConstraintSet* set, const IslandSet* islands, double h,
                      const double* u) {
  int any = 0;
  for (int i = 0; i < islands->count; ++i) p->time[i] = p->share[i] = 1;
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    double* first = &p->time[islands->of_constraint[i]];
    if (closes(k)) *first = fmin(*first, closing_time(set, k, h, u[k->row]));
    if (meets(set, i)) p->share[islands->of_constraint[i]] = 0;
  }
  for (int i = 0; i < islands->count; ++i) {
    if (p->share[i] == 1 || p->time[i] == 1) p->time[i] = 0;
    any |= p->time[i] > 0;
  }
  return any;
}

static int bodies_meet(const ConstraintSet* set) {
  for (int i = 0; i < set->contact_point_count; ++i) {
    if (meets(set, i)) return 1;
  }
  return 0;
}

void heft_passage_schedule(Constraints* c, const StepInput* in, HeftDynamics* dynamics) {
  Passage* p = &c->passage;
  const ConstraintSet* set = &c->set;
  double* u = c->free_velocity;                                 // not in use yet
  const double none = 2 * heft_collider_touching(c->collider);  // as close as bodies that meet
  p->any_impact = 0;
  if (p->slow || c->contact_model || !bodies_meet(set)) return;
  heft_constraint_set_measure(set, dynamics, set->bias, in->start->v, u);
  for (int r = 0; r < set->row_count; ++r) u[r] -= set->bias[r];
  p->any_impact = find_times(p, set, &c->islands, in->h, u);
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    const double s = p->time[c->islands.of_constraint[i]];
    if (!(s > 0) || !closes(k)) continue;
    const double left = k->gap + s * in->h * u[k->row];
    set->bias[k->row] = left > none ? left / ((1 - s) * in->h) : 0;
  }
}

// ---- stopping

// The islands of links that are stopped move by a smaller share. stop: of the motion at present.
static void lower_shares(const HeftModel* m, const HeftIslands* islands, const double* stop,
                         int times, double* share) {
  const int nlink = heft_link_count(m);
  for (int k = 1; k < nlink; ++k) {
    if (!(stop[k] < 1) || islands->link_island[k] < 0) continue;
    double* own = &share[islands->link_island[k]];
    *own = times < STOPS_BEFORE_ZERO ? fmin(*own, before * stop[k] * *own) : 0;
  }
}

// q = start ⊕ share x distance, tree by tree.
static void move_by_shares(const Passage* p, const StepInput* in, const HeftIslands* islands,
                           double* scaled, double* q) {
  const HeftModel* m = in->model;
  for (int k = 1; k < heft_link_count(m); ++k) {
    const int first = heft_link_dof(m, k), end = first + heft_link_dof_count(m, k);
    for (int i = first; i < end; ++i)
      scaled[i] = p->share[islands->link_island[k]] * p->distance[i];
  }
  heft_q_integrate(m, in->start->q, scaled, 1, q);
}

int heft_passage_stop(Constraints* c, const StepInput* in, HeftDynamics* dynamics, double kinetic,
                      double* q) {
  const Passage* p = &c->passage;
  const HeftModel* m = in->model;
  HeftIslands* islands = &c->islands.groups;
  c->passage.stopped = 0;
  if (is_compliant(c) || (p->slow && all_are_slow(c->collider, in, dynamics, kinetic))) return 0;
  int times = 0;
  while (times < STOPS &&
         heft_collider_find_passages(c->collider, heft_link_frames(dynamics), p->stop)) {
    if (times == 0) {
      // without constraints the step made no islands
      if (c->set.count == 0) *islands = heft_collider_islands(c->collider, NULL, 0);
      for (int i = 0; i < islands->count; ++i) p->share[i] = 1;
      heft_q_difference(m, in->start->q, q, p->distance);
    }
    lower_shares(m, islands, p->stop, times, p->share);
    move_by_shares(p, in, islands, p->scaled, q);
    heft_dynamics_kinematics(dynamics, q);
    ++times;
  }
  c->passage.stopped = times > 0;
  return times > 0;
}
