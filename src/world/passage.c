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
// contact of the island closes from the start on, s is zero, and the rows are as in other steps.
//
// The prediction does not know the impulses of the step: a ball that hits a plate may push it
// through the wall behind it, and another corner of a plate may swing into its neighbour. So the
// motion that a step would have is examined before it is taken. If a pair gets deeper into each
// other on its way than a quarter of half its thickness, the points at which it meets become rows
// (collision/blocked.c), and the step is solved once more. In the try a row moved by u₁, and its
// point had the gap E at the end, with the curvature of the motion. So the row asks for
//
//     E + h u⁺ - u₁ >= g
//
// with g = 0, or the depth at the start. Blocked motion thus becomes an impulse of the pair that
// blocks. Tries and halves of the step are bounded (step.c). If a pair passes after the last one,
// its trees move by the share of the step after which it touches, and keep that share of their
// velocities. The time that they lose is an output. The position correction acts in any case: it
// leads out of the depth that blocks.
#include "world/passage.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

#include "collision/blocked.h"
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
// dynamics. At rest the kinetic energy suffices to show this.
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
    HEFT_ASSERT(!(p->time[i] < 0 || p->time[i] > 1));
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

// ---- rows of blocked pairs

static BlockedPoint* blocked_of(const Constraints* c, const Constraint* k) {
  if (k->kind != CONSTRAINT_CONTACT) return NULL;
  return heft_blocked_of(c->collider, &c->set.contact_points.point[k->source]);
}

// Gaps of the points that the last try added, such that their rows are like other contact points'
// rows; and the bias of all of them. Where a pair ends deeper than at the start without a motion of
// the row, the row pushes, at most as fast as it closed: a row along which nearly nothing can move
// would ask for any velocity.
static void pose_blocked(Constraints* c, const StepInput* in, HeftDynamics* dynamics, double* u) {
  const ConstraintSet* set = &c->set;
  if (c->collider->blocked_count == 0) return;
  heft_constraint_set_measure(set, dynamics, NULL, c->passage.distance, u);
  for (int i = 0; i < set->contact_point_count; ++i) {
    Constraint* k = &set->list[i];
    BlockedPoint* b = blocked_of(c, k);
    if (!b) continue;
    const double carried = set->carried ? (in->h - 1) * set->surface[k->row] : 0;
    const double moved = u[k->row] + carried;
    if (b->fresh) b->point.gap = fmax(b->end - moved - b->kept, fmin(0, moved));
    b->fresh = 0;
    k->gap = b->point.gap;
    set->bias[k->row] = k->gap / in->h;
  }
  heft_constraint_set_measure(set, dynamics, NULL, in->start->v, u);  // links move by v again
}

// ---- schedule

void heft_passage_schedule(Constraints* c, const StepInput* in, HeftDynamics* dynamics) {
  Passage* p = &c->passage;
  const ConstraintSet* set = &c->set;
  pose_blocked(c, in, dynamics, c->free_velocity);
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
    HEFT_ASSERT(!(s < 0 || s >= 1));
    if (!(s > 0) || !closes(k)) continue;
    const double left = k->gap + s * in->h * u[k->row];
    set->bias[k->row] = left > none || blocked_of(c, k) ? left / ((1 - s) * in->h) : 0;
  }
}

// ---- the motion that a step would have

int heft_passage_found(Constraints* c, const StepInput* in, HeftDynamics* dynamics,
                       const HeftState* end) {
  Passage* p = &c->passage;
  if (is_compliant(c)) return 0;
  if (p->slow) {
    const double kinetic = heft_dynamics_kinetic_energy(dynamics, end->v);
    if (all_are_slow(c->collider, in, dynamics, kinetic)) return 0;
  }
  if (!heft_collider_find_passages(c->collider, heft_link_frames(dynamics), p->stop)) return 0;
  heft_q_difference(in->model, in->start->q, end->q, p->distance);
  return 1;
}

// ---- shortened motion

// The trees of links that are stopped move by a smaller share. stop: of the motion at present.
static void lower_shares(const HeftModel* m, const double* stop, int times, double* share) {
  for (int k = 1; k < heft_link_count(m); ++k) {
    if (!(stop[k] < 1)) continue;
    double* own = &share[heft_link_root(m, k)];
    HEFT_ASSERT(!(*own < 0 || *own > 1));
    *own = times < STOPS_BEFORE_ZERO ? fmin(*own, before * stop[k] * *own) : 0;
  }
}

// Trees that are joined by more than contact have the same share.
static void join_shares(const ConstraintSet* set, const HeftModel* m, double* share) {
  for (int again = 1; again;) {
    again = 0;
    for (int i = set->contact_point_count; i < set->count; ++i) {
      const Constraint* k = &set->list[i];
      if (k->kind != CONSTRAINT_EQUALITY || k->link[0] == 0 || k->link[1] == 0) continue;
      double *a = &share[heft_link_root(m, k->link[0])], *b = &share[heft_link_root(m, k->link[1])];
      if (*a == *b) continue;
      *a = *b = fmin(*a, *b);
      again = 1;
    }
  }
}

// q = start ⊕ (share x motion by velocities + correction), tree by tree.
static void move_by_shares(Passage* p, const StepInput* in, const double* v_correction, double* q) {
  const HeftModel* m = in->model;
  for (int k = 1; k < heft_link_count(m); ++k) {
    const int first = heft_link_dof(m, k), end = first + heft_link_dof_count(m, k);
    const double share = p->share[heft_link_root(m, k)];
    for (int i = first; i < end; ++i)
      p->scaled[i] = share * p->distance[i] + (1 - share) * in->h * v_correction[i];
  }
  heft_q_integrate(m, in->start->q, p->scaled, 1, q);
}

void heft_passage_shorten(Constraints* c, const StepInput* in, HeftDynamics* dynamics,
                          const double* v_correction, HeftState* state) {
  Passage* p = &c->passage;
  const HeftModel* m = in->model;
  p->stopped = 1;
  for (int k = 0; k < heft_link_count(m); ++k) p->share[k] = 1;
  for (int times = 0; times < STOPS; ++times) {
    lower_shares(m, p->stop, times, p->share);
    join_shares(&c->set, m, p->share);
    move_by_shares(p, in, v_correction, state->q);
    heft_dynamics_kinematics(dynamics, state->q);
    if (!heft_collider_find_passages(c->collider, heft_link_frames(dynamics), p->stop)) break;
  }
  for (int k = 1; k < heft_link_count(m); ++k) {
    const int first = heft_link_dof(m, k), end = first + heft_link_dof_count(m, k);
    const double share = p->share[heft_link_root(m, k)];
    for (int i = first; i < end; ++i) state->v[i] *= share;
  }
}
