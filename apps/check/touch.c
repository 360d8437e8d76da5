// SPDX-License-Identifier: Apache-2.0
// Where shapes touch: places, normals and gaps of the contact points, and all pairs of shapes at
// the end of the step, so that no contact point is missing.
//
// The laws hold for velocities. While a body turns by hω, a point at the distance R leaves its
// tangent by (hω)² R / 2; depths of this size are explained by the step itself.
#include <math.h>

#include "check.h"

// How far the turning of a shape's body may take its surface from the tangent.
static double curved(const Step* s, int shape) {
  const int body = model.shape[shape].body;
  const double a = norm(s->twist[body].w) * s->h, b = norm(s->twist_start[body].w) * s->h;
  const double w = larger(a, b), ball = model.shape[shape].ball;
  return isinf(ball) ? 0 : w * w * (ball + norm(model.shape[shape].in_body.p));
}

// How far a shape moves in the step.
static double travel(const Step* s, int shape) {
  const int body = model.shape[shape].body;
  const double ball = model.shape[shape].ball + norm(model.shape[shape].in_body.p);
  const Twist *a = &s->twist[body], *b = &s->twist_start[body];
  if (model.body[body].link == 0) return 0;
  return s->h * larger(norm(a->v) + norm(a->w) * ball, norm(b->v) + norm(b->w) * ball);
}

static int same_pair(const Contact* a, const Contact* b) {
  return a->shape[0] == b->shape[0] && a->shape[1] == b->shape[1];
}

static int is_loaded(const Contact* c) { return dot(c->force, c->force) > 0; }

static double off_interval(double x, double low, double high) {
  return larger(0, larger(low - x, x - high));
}

// A point in the middle of the step is halfway between the surfaces there; its gap is from the
// start. Bodies that last in contact keep the arms of points that move by less than 1e-5 of them.
// Within two shapes that overlap, the nearest surface may be another one.
static void check_point(const Step* s, int i, Apart own, Result* out) {
  const Contact* p = &s->contact[i];
  const int *shape = p->shape, overlap = own.distance < 0 && p->middle;
  const Frames* f = p->middle ? &s->middle : &s->start;
  const double half = p->middle ? 0 : 0.5 * p->gap;
  const double a = surface(f, shape[0], sub(p->pos, scale(half, p->normal)));
  const double b = surface(f, shape[1], add(p->pos, scale(half, p->normal)));
  const Apart best = p->middle ? apart(f, shape[0], shape[1], p->normal) : own;
  double explained = s->swept ? TOUCHING : 0;
  for (int k = 0; k < 2 && p->middle; ++k) {
    const double ball = model.shape[shape[k]].ball;
    explained += curved(s, shape[k]) + (isinf(ball) ? 0 : 1e-5 * ball);
  }
  enter(out, NORMAL, best.distance - separation(f, shape[0], shape[1], p->normal), 0, i);
  const double low = smaller(0.5 * best.distance, 0);
  const double inside = larger(off_interval(a, low, 0), off_interval(b, low, 0));
  const double apart_by = p->middle ? fabs(a - b) : larger(fabs(a), fabs(b));
  if (isnan(a) || isnan(b))
    ++out->left[UNPLACED];
  else
    enter(out, PLACE, overlap ? inside : apart_by, explained, i);
}

// The contact points of a pair of shapes: first <= i < end. Points without a force are not part of
// the motion; those that are missing would show at the end.
static void check_pair(Step* s, int first, int end, Result* out) {
  const Contact* c = &s->contact[first];
  double least = HUGE_VAL;
  int plain = 1, loaded = 0;
  for (int i = first; i < end; ++i) {
    least = smaller(least, s->contact[i].gap);
    plain &= s->contact[i].time == 0;
    loaded |= is_loaded(&s->contact[i]);
  }
  const Apart own = apart(&s->start, c->shape[0], c->shape[1], c->normal);
  const double curve = curved(s, c->shape[0]) + curved(s, c->shape[1]);
  s->depth = larger(s->depth, curve + larger(-own.distance, plain ? 0 : TOUCHING));
  if (!loaded) return;
  if (!plain) out->left[SWEPT] += end - first;
  if (!plain || s->tries > 0) return;
  enter(out, GAP, own.exact ? fabs(least - own.distance) : own.distance - least, 0, first);
  for (int i = first; i < end; ++i)
    if (is_loaded(&s->contact[i])) check_point(s, i, own, out);
}

// A pair at the end, against its start.
static void check_end(Step* s, int a, int b, int ends_only, Result* out) {
  const Apart end = apart(&s->end, a, b, vec(0, 0, 0));
  if (end.distance >= 0) return;
  if (!end.exact) {
    ++out->left[CURVED];
    return;
  }
  const Apart start = apart(&s->start, a, b, end.normal);
  const double before = larger(0, -start.distance);
  const double curve = ends_only ? 1e-3 : curved(s, a) + curved(s, b) + 1e-5 * s->speed * s->h;
  const double explained = before > 0 ? curve : curve + travel(s, a) + travel(s, b);
  s->depth = larger(s->depth, larger(-start.distance, -end.distance));
  enter(out, DEEP, -end.distance - before, explained, a);
}

void touch_check(Step* s, Result* out, int ends_only) {
  for (int i = 0, k; i < s->contacts && !ends_only; i = k) {
    for (k = i + 1; k < s->contacts && same_pair(&s->contact[i], &s->contact[k]);) ++k;
    check_pair(s, i, k, out);
  }
  static Vec center[SHAPES];
  for (int i = 0; i < model.nshape; ++i) center[i] = shape_pose(&s->end, i).p;
  for (int i = 0; i < model.nshape; ++i) {
    for (int k = 0; k < i; ++k) {
      const double reach = model.shape[i].ball + model.shape[k].ball;
      const Vec d = sub(center[i], center[k]);
      Law law;
      double friction2;
      int dim;
      if (dot(d, d) > reach * reach) continue;
      if (model_pair(i, k, &law, &friction2, &dim) && !law.special)
        check_end(s, i, k, ends_only, out);
    }
  }
}
