// SPDX-License-Identifier: Apache-2.0
#include "why/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double still_speed = 2e-3, still_spin = 0.05,  // of a pair that rests [m/s, rad/s]
    still_time = 0.015,                                     // so long [s]
    quiet = 0.005,        // motion, relative to giving way, that counts as none
    leaving = 0.05,       // and at the end of a run as giving way, if it goes on at
    leaving_speed = 0.1;  // this speed, relative to giving way [1/s]

static const char* const end_words[] = {
#define NAME(id, word) word,
    WHY_END_LIST(NAME)
#undef NAME
};

const char* why_end_word(WhyEnd end) { return end_words[end]; }

WhyWatch* why_watch_create(void) {
  WhyWatch* w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->body = -1;
  w->until = 2000000000;
  w->pair = calloc(WHY_PAIRS, sizeof *w->pair);
  if (w->pair) return w;
  free(w);
  return NULL;
}

void why_watch_destroy(WhyWatch* w) {
  if (!w) return;
  free(w->pair);
  free(w);
}

void why_watch_restart(WhyWatch* w) { w->pair_count = w->event_count = w->broken = 0, w->step = 0; }

// ---- pairs

static WhyPair* find_pair(WhyWatch* w, const HeftContact* c) {
  const int swap = c->body_a > c->body_b;
  const int body[2] = {swap ? c->body_b : c->body_a, swap ? c->body_a : c->body_b};
  if (w->body >= 0 && body[0] != w->body && body[1] != w->body) return NULL;
  for (int i = 0; i < w->pair_count; ++i)
    if (w->pair[i].body[0] == body[0] && w->pair[i].body[1] == body[1]) return &w->pair[i];
  if (w->pair_count == WHY_PAIRS) return NULL;
  WhyPair* p = &w->pair[w->pair_count++];
  *p = (WhyPair){.body = {body[0], body[1]},
                 .shape = {swap ? c->shape_b : c->shape_a, swap ? c->shape_a : c->shape_b}};
  return p;
}

// Sums the contact points of each pair.
static void gather(WhyWatch* w, const HeftWorld* world) {
  for (int i = 0; i < w->pair_count; ++i) {
    w->pair[i].loaded = 0;
    w->pair[i].force = 0;
    w->pair[i].sum = w->pair[i].normal = heft_vec3(0, 0, 0);
  }
  for (int i = 0; i < heft_world_contact_count(world); ++i) {
    const HeftContact c = heft_world_contact(world, i);
    const double force = heft_vec3_dot(c.force, c.normal);
    WhyPair* p = force > 0 ? find_pair(w, &c) : NULL;
    if (!p) continue;
    ++p->loaded;
    p->force += force;
    p->sum = heft_vec3_add_scaled(p->sum, force, c.pos);
    p->normal = heft_vec3_add_scaled(p->normal, c.body_a == p->body[0] ? force : -force, c.normal);
  }
}

// Bodies that touch when the run begins at rest have rested before it: then the first step may
// have moved them.
static int is_still(const WhyPair* p, const HeftDynamics* d, HeftVec3 at, double factor) {
  const HeftSpatial a = heft_dynamics_body_velocity(d, p->body[0], at);
  const HeftSpatial b = heft_dynamics_body_velocity(d, p->body[1], at);
  return heft_vec3_norm(heft_vec3_sub(a.lin, b.lin)) < factor * still_speed &&
         heft_vec3_norm(heft_vec3_sub(a.ang, b.ang)) < factor * still_spin;
}

static void fasten(WhyPair* p, const HeftDynamics* d, HeftVec3 at, long step) {
  const HeftPose a = heft_dynamics_body_pose(d, p->body[0]),
                 b = heft_dynamics_body_pose(d, p->body[1]);
  p->anchor[0] = heft_pose_apply(heft_pose_inverse(a), at);
  p->anchor[1] = heft_pose_apply(heft_pose_inverse(b), at);
  p->axis = heft_mat3_tmul_vec(a.rot, heft_vec3_scale(1 / heft_vec3_norm(p->normal), p->normal));
  p->turn = heft_mat3_mul(heft_mat3_transpose(a.rot), b.rot);
  p->holds = 1;
  p->held = p->quiet = step;
  p->measure = p->speed = 0;
}

// The motion of a pair that has an anchor: apart along the normal and across it, turned about the
// normal and across it; each relative to what counts as giving way.
typedef struct Motion {
  double apart, along, tilt, twist;
} Motion;

static Motion find_motion(const WhyPair* p, const HeftDynamics* d) {
  const HeftPose a = heft_dynamics_body_pose(d, p->body[0]),
                 b = heft_dynamics_body_pose(d, p->body[1]);
  const HeftVec3 apart =
      heft_vec3_sub(heft_pose_apply(b, p->anchor[1]), heft_pose_apply(a, p->anchor[0]));
  const HeftVec3 local = heft_mat3_tmul_vec(a.rot, apart);
  const double n = heft_vec3_dot(local, p->axis);
  // The rotation since then, as a small vector: half of the skew part, exact to third order.
  const HeftMat3 r =
      heft_mat3_mul(heft_mat3_mul(heft_mat3_transpose(a.rot), b.rot), heft_mat3_transpose(p->turn));
  const HeftVec3 x = heft_mat3_column(r, 0), y = heft_mat3_column(r, 1), z = heft_mat3_column(r, 2);
  const HeftVec3 turn = heft_vec3(0.5 * (y.z - z.y), 0.5 * (z.x - x.z), 0.5 * (x.y - y.x));
  const double spin = heft_vec3_dot(turn, p->axis);
  return (Motion){fabs(n) / WHY_DISTANCE,
                  heft_vec3_norm(heft_vec3_add_scaled(local, -n, p->axis)) / WHY_DISTANCE,
                  heft_vec3_norm(heft_vec3_add_scaled(turn, -spin, p->axis)) / WHY_ANGLE,
                  fabs(spin) / WHY_ANGLE};
}

static double largest(Motion m) { return fmax(fmax(m.apart, m.along), fmax(m.tilt, m.twist)); }

static WhyEnd end_of(Motion m) {
  if (m.tilt > 0.25 && fmax(m.tilt, m.apart) >= fmax(m.along, m.twist)) return WHY_TIPS;
  if (m.apart >= fmax(m.along, m.twist)) return WHY_LIFTS;
  return m.along >= m.twist ? WHY_SLIPS : WHY_TURNS;
}

// ---- events

// 1 if the pair has given way as often in the reference at about this time: it is part of the task.
static int expected(const WhyWatch* w, const WhyPair* p, long step) {
  const WhyWatch* r = w->reference;
  int allowed = 0;
  for (int i = 0; r && i < r->event_count; ++i) {
    const WhyEvent* e = &r->event[i];
    allowed += e->body[0] == p->body[0] && e->body[1] == p->body[1] && e->step <= step + w->slack;
  }
  return p->ended < allowed;
}

static void note(WhyWatch* w, const WhyPair* p, WhyEnd end, long onset, HeftVec3 place) {
  if (onset < w->from || w->step > w->until || w->event_count == WHY_EVENTS) return;
  if (expected(w, p, w->step)) return;
  w->event[w->event_count++] = (WhyEvent){.body = {p->body[0], p->body[1]},
                                          .shape = {p->shape[0], p->shape[1]},
                                          .end = end,
                                          .held = p->held,
                                          .onset = onset,
                                          .step = w->step,
                                          .place = place};
}

static void follow(WhyWatch* w, WhyPair* p, const HeftDynamics* d, double h) {
  const Motion m = find_motion(p, d);
  const double measure = largest(m);
  p->speed = (measure - p->measure) / h;
  p->measure = measure;
  if (measure < quiet || fabs(p->speed) < leaving_speed) p->quiet = w->step;
  if (measure < 1) return;
  note(w, p, end_of(m), p->quiet + 1,
       heft_pose_apply(heft_dynamics_body_pose(d, p->body[0]), p->anchor[0]));
  ++p->ended;
  p->holds = p->still = 0;
}

int why_watch_step(WhyWatch* w, const HeftWorld* world) {
  const HeftDynamics* d = heft_world_dynamics(world);
  const double h = heft_world_time_step(world);
  ++w->step;
  gather(w, world);
  for (int i = 0; i < w->pair_count; ++i) {
    WhyPair* p = &w->pair[i];
    if (p->holds) {
      follow(w, p, d, h);
      continue;
    }
    const HeftVec3 at = heft_vec3_scale(p->force > 0 ? 1 / p->force : 0, p->sum);
    const int first = w->step == 1;
    p->still = p->loaded > 0 && is_still(p, d, at, first ? 10 : 1) ? p->still + 1 : 0;
    if (first ? p->still : p->still * h >= still_time && p->still >= 3) fasten(p, d, at, w->step);
  }
  return w->step >= w->until || (w->first_only && w->event_count > 0);
}

static int holds_at_end(const WhyWatch* w, const WhyPair* like) {
  for (int i = 0; i < w->pair_count; ++i) {
    const WhyPair* p = &w->pair[i];
    if (p->body[0] == like->body[0] && p->body[1] == like->body[1]) return p->holds;
  }
  return 0;
}

static int gave_way(const WhyWatch* w, const WhyPair* like) {
  for (int i = 0; i < w->event_count; ++i)
    if (w->event[i].body[0] == like->body[0] && w->event[i].body[1] == like->body[1]) return 1;
  return 0;
}

void why_watch_end(WhyWatch* w) {
  for (int i = 0; i < w->pair_count; ++i) {
    const WhyPair* p = &w->pair[i];
    if (p->holds && p->measure > leaving && p->speed > leaving_speed)
      note(w, p, WHY_SLIPS, p->quiet + 1, heft_vec3(0, 0, 0));
  }
  if (!w->reference || w->step < w->reference->step) return;
  for (int i = 0; i < w->reference->pair_count; ++i) {
    const WhyPair* p = &w->reference->pair[i];
    if (p->holds && !holds_at_end(w, p) && !gave_way(w, p))
      note(w, p, WHY_MISSES, p->held, heft_vec3(0, 0, 0));
  }
}

const WhyEvent* why_watch_first(const WhyWatch* w) {
  const WhyEvent* first = NULL;
  for (int i = 0; i < w->event_count; ++i)
    if (!first || w->event[i].onset < first->onset) first = &w->event[i];
  return first;
}
