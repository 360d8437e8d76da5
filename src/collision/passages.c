// SPDX-License-Identifier: Apache-2.0
// Passages: pairs that got deep into each other on their way from the start of a step to its end.
//
// The way of a shape is a shift of its centre c along a line and a turn ψ. Pairs that stay apart on
// the way that was predicted are known from the search for contact points. So it is enough to know
// how far a shape is from its predicted way. p, d and φ are the pivot, the shift and the turn of
// the prediction, R is the rotation, ρ the radius about c, and ⁺ marks the end of the step. The
// difference D of the two ways of a point is zero at the start; at the end it is at most
//
//     |c⁺ - p - d - exp(φ) (c - p)|  +  |R⁺ - exp(φ) R| ρ,
//
// and its second derivative is at most K = |φ| |φ × (c - p)| + φ² ρ + ψ² ρ. So it is never more
// than |D⁺| + K / 8. Here exp(φ) = 1 + [φ] + [φ]² / 2, up to |φ|³ / 6, and with
// |R⁺ - R|² = 8 sin²(ψ / 2) <= 1, ψ² <= 0.53 |R⁺ - R|². Frobenius norms are upper bounds.
//
// Pairs that stay apart on the predicted way, and are off it by less than the depth that is
// allowed, need no look at the real one.
#include <string.h>

#include "collision/stay_apart.h"
#include "collision/sweep.h"
#include "math/scalar.h"

enum { PORTION = 32, MEETS = 1, MOVED = 2 };

static const double deep = 0.25;   // of half a thickness: shapes may overlap so far in a step
static const double close = 0.1;   // of that depth: tolerance of the times
static const double drifts = 0.4;  // of that depth: each of two shapes may be so far off its way

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

// Pieces move with their whole, which is behind them.
static int moves_alone(const HeftCollider* c, int slot) {
  return c->slot[slot].moves && c->slot[slot].whole == slot;
}

// 1 if any pair may have moved by more than its margin.
static int any_is_fast(const HeftCollider* c, const double* frames) {
  for (int i = 0; i < c->slot_count + c->compound_count; ++i) {
    if (moves_alone(c, i) && 2 * travel(c, i, frames) > c->least_margin) return 1;
  }
  return 0;
}

static void move_to_end(HeftCollider* c, int slot, const double* frames) {
  if (!c->slot[slot].moves) return;
  const HeftPose from = rows_to_pose(&c->pose[slot]);
  const StepMotion m = heft_motion_between(from, end_pose(c, slot, frames));
  c->motion[slot] = heft_shape_motion(&c->slot[slot].geometry, from, &m);
}

// ---- drift from the prediction

HEFT_INLINE void cross_rows(HeftVec3 n, const V4 x[3], V4 out[3]) {
  out[0] = n.y * x[2] - n.z * x[1];
  out[1] = n.z * x[0] - n.x * x[2];
  out[2] = n.x * x[1] - n.y * x[0];
}

HEFT_INLINE V4 square_columns(const V4 x[3]) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; }

// How far a slot is off its predicted way at most.
HEFT_INLINE double drift(const HeftCollider* c, int slot, const double* frames) {
  const StepMotion* m = &c->motion[slot].motion;
  const double radius = c->motion[slot].radius, *f = frames + 16L * c->slot[slot].link;
  const double pivot[3] = {m->pivot.x, m->pivot.y, m->pivot.z};
  const double shift[3] = {m->shift.x, m->shift.y, m->shift.z};
  Rows end;
  rows_place(f, 1, 4, f + 12, &c->in_link[slot], &end);
  V4 start[3], first[3], second[3], change[3], off[3];
  for (int i = 0; i < 3; ++i) {
    const V4 from = {0, 0, 0, pivot[i]}, by = {0, 0, 0, shift[i]};
    start[i] = v4_load_aligned(c->pose[slot].r[i]) - from;
    change[i] = v4_load_aligned(end.r[i]) - from - by - start[i];
  }
  cross_rows(m->turn, start, first);
  cross_rows(m->turn, first, second);
  for (int i = 0; i < 3; ++i) off[i] = change[i] - first[i] - 0.5 * second[i];
  const V4 changed = square_columns(change), missed = square_columns(off),
           turning = square_columns(first);
  const double turned = changed[0] + changed[1] + changed[2];
  if (!(turned <= 1)) return HUGE_VAL;
  const double square = heft_vec3_dot(m->turn, m->turn), angle = sqrt(square);
  const double arc = angle * sqrt(turning[3]) + square * radius;
  return sqrt(missed[3]) + sqrt(missed[0] + missed[1] + missed[2]) * radius + angle * arc / 6 +
         0.125 * (arc + 0.53 * turned * radius);
}

// Returns the largest; infinite if one is not known.
HEFT_CLONES static double passages_measure_drift(HeftCollider* c, const double* frames) {
  double largest = 0;
  for (int i = 0; i < c->slot_count + c->compound_count; ++i) {
    if (!moves_alone(c, i)) continue;
    c->drift[i] = drift(c, i, frames);
    if (!(c->drift[i] < HUGE_VAL)) return HUGE_VAL;
    largest = heft_max(largest, c->drift[i]);
  }
  return largest;
}

// ---- pairs

// All pairs that come near each other on their way.
static int pairs_on_the_way(HeftCollider* c, const double* frames) {
  int64_t missed;
  for (int i = 0; i < c->slot_count + c->compound_count; ++i) {
    if (moves_alone(c, i)) move_to_end(c, i, frames);
  }
  heft_collider_sweep_boxes(c);
  return heft_collider_find_unsorted_pairs(c, &missed);
}

// The boxes of the predicted way hold the real one if they are enlarged by the drift. Up to `limit`
// the drift does no harm.
static int pairs_near_the_prediction(HeftCollider* c, double limit) {
  int64_t missed;
  for (int i = 0; i < c->moving_count; ++i)
    tree8_enlarge(&c->moving_tree, i, heft_max(c->drift[c->moving[i]] - limit, 0));
  c->drift_limit = limit;
  heft_collider_renew_tree(c);
  return heft_collider_find_unsorted_pairs(c, &missed);
}

// Shapes that meet others on the predicted way.
static void mark_meeting(HeftCollider* c) {
  memset(c->touched, 0, (size_t)c->slot_count);
  for (int i = 0; i < c->found.pairs; ++i) {
    if (c->meets[i]) c->touched[c->pair[i][0]] = c->touched[c->pair[i][1]] = MEETS;
  }
}

// Moves the pairs that may be too deep to the front of the list.
static int keep_suspects(HeftCollider* c, int count, const double* frames) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const int a = c->pair[i][0], b = c->pair[i][1];
    const double most = 2 * drifts * deep * heft_min(c->slot[a].thin, c->slot[b].thin);
    const double off = c->drift[c->slot[a].whole] + c->drift[c->slot[b].whole];
    if (!(c->touched[a] && c->touched[b]) && off <= most) continue;
    for (int k = 0; k < 2; ++k) {
      const int slot = c->pair[kept][k] = k == 0 ? a : b;
      if (!(c->touched[slot] & MOVED)) move_to_end(c, slot, frames);
      c->touched[slot] |= MOVED;
    }
    ++kept;
  }
  return kept;
}

static int find_suspects(HeftCollider* c, const double* frames) {
  const double limit = drifts * deep * c->least_thin;
  if (!c->predicted || c->found.pairs_missed > 0) return pairs_on_the_way(c, frames);
  const double largest = passages_measure_drift(c, frames);
  if (!(largest < HUGE_VAL)) return pairs_on_the_way(c, frames);
  mark_meeting(c);
  const int count = largest > limit ? pairs_near_the_prediction(c, limit) : c->found.pairs;
  return keep_suspects(c, count, frames);
}

// The time to which a pair may move if it gets too deep: when it touches or, if it touches from
// the start, when it has half of that depth; 0 if it has more already. *meets: when it touches or,
// if it touches from the start, is too deep.
static double pair_passage(const HeftCollider* c, int a, int b, NarrowScratch* scratch,
                           SeparatingAxis* axes, double* meets) {
  if (c->slot[a].soft | c->slot[b].soft) return NEVER;  // they sink in by their own law
  if (heft_collider_detects(c, a, b)) return NEVER;     // of other shapes than Heft's
  const double margin = heft_collider_reach_of_pair(c, a, b, heft_collider_pair_of(c, a, b));
  const double depth = deep * fmin(c->slot[a].thin, c->slot[b].thin);
  HeftVec3 normal = {0, 0, 0};
  if (!(margin >= 0) || !(depth < HUGE_VAL)) return NEVER;
  if (!(close * depth > 0)) return NEVER;  // so thin that its depth is no number
  const double never = (close - 1) * depth;
  if (heft_collider_stay_apart(c, a, b, never, never, axes)) return NEVER;
  if (!heft_collider_is_fast(c, a, b, margin)) return NEVER;
  const Mover p = heft_collider_mover(c, a), q = heft_collider_mover(c, b);
  const double s = heft_time_of_impact(&p, &q, -depth, close * depth, scratch, &normal);
  if (s == NEVER) return NEVER;
  *meets = s;
  const double touch = heft_collider_impact(c, a, b, scratch, &normal);
  if (touch > 0 && touch < s) return *meets = touch;
  const double half = heft_time_of_impact(&p, &q, -0.5 * depth, close * depth, scratch, &normal);
  return half < s ? half : 0;
}

double heft_collider_meeting(HeftCollider* c, int a, int b) {
  double meets = 1;
  pair_passage(c, a, b, c->narrow, c->separating_axis, &meets);
  return meets;
}

typedef struct Passages {
  const HeftCollider* c;
  NarrowScratch* narrow;            ///< threads
  SeparatingAxis* separating_axis;  ///< threads x SEPARATING_AXES
  double* stop;                     ///< threads x nlink
  uint8_t* passes;                  ///< pairs: 1 if it gets too deep
  int pairs;
} Passages;

static void find_portion(void* arg, int worker, int index) {
  const Passages* p = arg;
  const int first = PORTION * index, end = first + PORTION < p->pairs ? first + PORTION : p->pairs;
  double* stop = p->stop + (long)p->c->nlink * worker;
  for (int i = first; i < end; ++i) {
    const int *pair = p->c->pair[i], a = p->c->slot[pair[0]].link, b = p->c->slot[pair[1]].link;
    double meets;
    const double s = pair_passage(p->c, pair[0], pair[1], &p->narrow[worker],
                                  p->separating_axis + (long)worker * SEPARATING_AXES, &meets);
    p->passes[i] = s < 1;
    stop[a] = fmin(stop[a], s);
    stop[b] = fmin(stop[b], s);
  }
}

int heft_collider_find_passages(HeftCollider* c, const double* link_frames, double* stop) {
  const int threads = c->share ? heft_pool_threads(c->share->pool) : 1;
  int any = 0;
  if (!any_is_fast(c, link_frames)) return 0;
  Passages p = {.c = c,
                .narrow = c->share ? c->share->narrow : c->narrow,
                .separating_axis = c->share ? c->share->separating_axis : c->separating_axis,
                .stop = c->share ? c->share->stop : stop,
                .passes = c->meets,  // of the prediction, which is done with
                .pairs = find_suspects(c, link_frames)};
  c->predicted = 0;  // the motions have changed
  c->examined = p.pairs;
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
