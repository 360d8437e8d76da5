// SPDX-License-Identifier: Apache-2.0
// Continuous collision: pairs that are fast against their margin.
//
// A pair whose shapes approach each other by no more than the margin in a step is found before it
// touches, by its distance alone, and has contact points with the normal of the start of the step.
// All other pairs are looked at along their way (time_of_impact.c). If they meet at the time s, the
// narrow phase runs at the poses of that time. A contact point found there, with the gap g at the
// place x, the normal n and the relative velocity w of the two points along n, per step, is carried
// back:
//
//   - body a feels it at x - s d_a, body b at x - s d_b, where d is the shift of the pivot. The
//     velocity of a body at that place, at the start, is that of its contact at the time s;
//   - the gap of its row is G = g - s w. With the velocity w the row closes exactly when the shapes
//     meet, and the law G + w⁺ >= 0 lets the step end where they touch.
//
// For shapes that only shift, this is exact. If they turn, the place of contact moves in the
// step; so the ends of a step are compared with its start (heft_collider_find_passages).
#include "collision/sweep.h"

#include <string.h>

#include "model/tree.h"

enum { PORTION = 32 };

static const double deep = 0.25;  // of half a thickness: shapes may overlap so far in a step
static const double late = 1e-6;  // of a step: too little for a motion after the impact

// ---- constants

static double hull_half_thickness(const Hull* h) {
  double least = HUGE_VAL;
  for (int f = 0; f < h->face_count; ++f) {
    double low = HUGE_VAL;
    for (int i = 0; i < h->vertex_count; ++i)
      low = fmin(low, h->nx[f] * h->x[i] + h->ny[f] * h->y[i] + h->nz[f] * h->z[i]);
    least = fmin(least, 0.5 * (h->offset[f] - low));
  }
  return least;
}

double heft_geometry_half_thickness(const Geometry* g) {
  if (g->kind == KIND_HULL) return hull_half_thickness(g->hull);
  if (g->kind == KIND_PLANE || g->kind == KIND_TRIANGLE_MESH) return HUGE_VAL;
  return fmin(g->half.x, fmin(g->half.y, g->half.z));
}

// |v| <= sqrt(2 T / m) and |ω| <= sqrt(2 T / I) for every link of a model with the energy T.
static double link_mobility(const Link* link, double radius) {
  const double* moment = link->inertia;
  const double least = fmin(moment[0], fmin(moment[1], moment[2]));
  if (!(link->mass > 0) || !(least > 0)) return HUGE_VAL;
  return 1 / sqrt(link->mass) + radius / sqrt(least);
}

static double radius_in_link(const HeftCollider* c, int slot) {
  const HeftVec3 pos = rows_to_pose(&c->in_link[slot]).pos;
  return heft_vec3_norm(pos) + heft_vec3_norm(c->slot[slot].geometry.half);
}

void heft_collider_measure_mobility(HeftCollider* c) {
  double gap = 0;
  c->mobility = 0;
  memset(c->link_radius, 0, (size_t)c->nlink * sizeof(double));
  for (int i = 0; i < c->slot_count; ++i) {
    const Slot* s = &c->slot[i];
    gap = fmax(gap, s->gap);
    if (!s->moves) continue;
    c->link_radius[s->link] = fmax(c->link_radius[s->link], radius_in_link(c, i));
    c->mobility =
        fmax(c->mobility, link_mobility(&c->model->tree->link[s->link], c->link_radius[s->link]));
  }
  for (int i = 0; i < c->model->npair; ++i) gap = fmax(gap, c->model->pair_gap[i]);
  c->least_margin = fmax(c->margin - gap, 0);
}

// ---- boxes

static void sweep_box(HeftCollider* c, int item) {
  const int slot = c->moving[item];
  const Rows* x = &c->pose[slot];
  const double* half = c->half + 4L * slot;
  double lo[3], hi[3];
  for (int k = 0; k < 3; ++k) {
    const double reach = fabs(x->r[k][0]) * half[0] + fabs(x->r[k][1]) * half[1] +
                         fabs(x->r[k][2]) * half[2] + half[3];
    lo[k] = x->r[k][3] - reach;
    hi[k] = x->r[k][3] + reach;
  }
  if (2 * c->motion[slot].reach > c->least_margin)
    heft_motion_sweep_box(&c->motion[slot], rows_to_pose(x).pos, lo, hi);
  tree8_set(&c->moving_tree, item, lo, hi);
}

// Boxes of all moving shapes, from their motion.
static void sweep_boxes(HeftCollider* c) {
  for (int i = 0; i < c->moving_count; ++i) sweep_box(c, i);
  c->sweeping = 1;
  heft_collider_renew_tree(c);
}

void heft_collider_sweep(HeftCollider* c, const StepMotion* links) {
  for (int i = 0; i < c->slot_count; ++i) {
    const Slot* s = &c->slot[i];
    if (s->moves)
      c->motion[i] = heft_shape_motion(&s->geometry, rows_to_pose(&c->pose[i]), &links[s->link]);
  }
  sweep_boxes(c);
}

// ---- pairs

static Mover mover_of(const HeftCollider* c, int slot) {
  return (Mover){&c->slot[slot].geometry, rows_to_pose(&c->pose[slot]), &c->motion[slot]};
}

double heft_collider_impact(const HeftCollider* c, int a, int b, NarrowScratch* scratch) {
  const double thin = fmin(c->slot[a].thin, c->slot[b].thin);
  const double tolerance = fmax(fmin(heft_collider_touching(c), 1e-3 * thin), 1e-12);
  const Mover p = mover_of(c, a), q = mover_of(c, b);
  const double s = heft_time_of_impact(&p, &q, 0, tolerance, &scratch->epa);
  return s < 1 - late ? s : NEVER;
}

Rows heft_collider_pose_at(const HeftCollider* c, int slot, double s) {
  return rows_of(heft_motion_pose(&c->motion[slot].motion, rows_to_pose(&c->pose[slot]), s));
}

void heft_collider_carry_back(const HeftCollider* c, int a, int b, double s, HeftContactPoint* p) {
  const StepMotion *x = &c->motion[a].motion, *y = &c->motion[b].motion;
  const HeftVec3 velocity =
      heft_vec3_sub(motion_velocity(y, s, p->pos), motion_velocity(x, s, p->pos));
  const HeftVec3 half = heft_vec3_scale(0.5 * p->gap, p->normal);  // between the surfaces
  const HeftVec3 on_a = heft_vec3_add_scaled(heft_vec3_sub(p->pos, half), -s, x->shift);
  const HeftVec3 on_b = heft_vec3_add_scaled(heft_vec3_add(p->pos, half), -s, y->shift);
  const double closing = -heft_vec3_dot(velocity, p->normal);
  p->gap += s * fmax(closing, 0);
  p->time = s;
  p->offset = heft_vec3_sub(on_b, on_a);
  p->pos = heft_vec3_scale(0.5, heft_vec3_add(on_a, on_b));
}

// ---- passages

static HeftPose end_pose(const HeftCollider* c, int slot, const double* frames) {
  const double* f = frames + 16L * c->slot[slot].link;
  HeftPose link;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) link.rot.m[i][j] = f[4 * j + i];
  }
  link.pos = heft_vec3_from(f + 12);
  return heft_pose_mul(link, rows_to_pose(&c->in_link[slot]));
}

// How far a point of a slot moves at most from the pose given last to that at the end.
static double travel(const HeftCollider* c, int slot, const double* frames) {
  const HeftPose from = rows_to_pose(&c->pose[slot]), to = end_pose(c, slot, frames);
  double square = 0;
  for (int i = 0; i < 9; ++i) {
    const double d = to.rot.m[i / 3][i % 3] - from.rot.m[i / 3][i % 3];
    square += d * d;
  }
  return heft_vec3_norm(heft_vec3_sub(to.pos, from.pos)) +
         sqrt(square) * geometry_core_radius(&c->slot[slot].geometry);
}

// 1 if any pair may have moved by more than its margin.
static int any_is_fast(const HeftCollider* c, const double* frames) {
  for (int i = 0; i < c->slot_count; ++i) {
    if (c->slot[i].moves && 2 * travel(c, i, frames) > c->least_margin) return 1;
  }
  return 0;
}

static void move_to_end(HeftCollider* c, const double* frames) {
  for (int i = 0; i < c->slot_count; ++i) {
    if (!c->slot[i].moves) continue;
    const HeftPose from = rows_to_pose(&c->pose[i]);
    const StepMotion m = heft_motion_between(from, end_pose(c, i, frames));
    c->motion[i] = heft_shape_motion(&c->slot[i].geometry, from, &m);
  }
}

// The time to which a pair may move if it gets too deep: when it touches or, if it touches from
// the start, when it has half of that depth; 0 if it has more already.
static double pair_passage(const HeftCollider* c, int a, int b, NarrowScratch* scratch) {
  const double margin = heft_collider_reach_of_pair(c, a, b, heft_collider_pair_of(c, a, b));
  if (!(margin >= 0) || !heft_collider_is_fast(c, a, b, margin)) return NEVER;
  const double depth = deep * fmin(c->slot[a].thin, c->slot[b].thin);
  if (!(depth < HUGE_VAL)) return NEVER;
  const Mover p = mover_of(c, a), q = mover_of(c, b);
  const double s = heft_time_of_impact(&p, &q, -depth, 0.1 * depth, &scratch->epa);
  if (s == NEVER) return NEVER;
  const double touch = heft_collider_impact(c, a, b, scratch);
  if (touch > 0 && touch < s) return touch;
  const double half = heft_time_of_impact(&p, &q, -0.5 * depth, 0.1 * depth, &scratch->epa);
  return half < s ? half : 0;
}

typedef struct Passages {
  const HeftCollider* c;
  NarrowScratch* narrow;
  double* stop;  ///< threads x nlink
  int pairs;
} Passages;

static void find_portion(void* arg, int worker, int index) {
  const Passages* p = arg;
  const int first = PORTION * index, end = first + PORTION < p->pairs ? first + PORTION : p->pairs;
  double* stop = p->stop + (long)p->c->nlink * worker;
  for (int i = first; i < end; ++i) {
    const int *pair = p->c->pair[i], a = p->c->slot[pair[0]].link, b = p->c->slot[pair[1]].link;
    const double s = pair_passage(p->c, pair[0], pair[1], &p->narrow[worker]);
    stop[a] = fmin(stop[a], s);
    stop[b] = fmin(stop[b], s);
  }
}

int heft_collider_find_passages(HeftCollider* c, const double* link_frames, double* stop) {
  const int threads = c->share ? heft_pool_threads(c->share->pool) : 1;
  int any = 0;
  int64_t missed;
  if (!any_is_fast(c, link_frames)) return 0;
  move_to_end(c, link_frames);
  sweep_boxes(c);
  Passages p = {.c = c,
                .narrow = c->share ? c->share->narrow : c->narrow,
                .stop = c->share ? c->share->stop : stop,
                .pairs = heft_collider_find_unsorted_pairs(c, &missed)};
  for (int i = 0; i < threads * c->nlink; ++i) p.stop[i] = 1;
  heft_pool_run(c->share ? c->share->pool : NULL, (p.pairs + PORTION - 1) / PORTION, find_portion,
                &p);
  for (int i = 0; i < c->nlink; ++i) {
    double first = 1;
    for (int k = 0; k < threads; ++k) first = fmin(first, p.stop[(long)k * c->nlink + i]);
    stop[i] = first;
    any |= first < 1;
  }
  return any;
}
