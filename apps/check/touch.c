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
  return isinf(ball) ? 0 : w * w * (ball + norm(model.shape[shape].pos));
}

// How far a shape moves in the step at most, with a twist.
static double travel(const Step* s, const Twist* t, int shape) {
  const int body = model.shape[shape].body;
  const double ball = model.shape[shape].ball + norm(model.shape[shape].pos);
  return model.body[body].link == 0 ? 0 : s->h * (norm(t[body].v) + norm(t[body].w) * ball);
}

static double travel_of_pair(const Step* s, const Twist* t, int a, int b) {
  return travel(s, t, a) + travel(s, t, b);
}

static double share_of(const Step* s, int shape) {
  return s->share[model.body[model.shape[shape].body].root];
}

static int same_pair(const Contact* a, const Contact* b) {
  return a->shape[0] == b->shape[0] && a->shape[1] == b->shape[1];
}

static int is_loaded(const Contact* c) { return dot(c->force, c->force) > 0; }

static double off_interval(double x, double low, double high) {
  return larger(0, larger(low - x, x - high));
}

// How far a point of a pair is off the surfaces, less than 0: unknown. At half the gap along the
// normal it meets each of them. Within two shapes that overlap, the nearest surface may be another
// one. The upper end of a capsule that leans by θ against a plane or face counts as a ball: its
// point is r (1 - cos θ) within the capsule, where 2 l sin θ is its height over the lower end.
static double off_surfaces(const Frames* f, const Contact* p, Vec at, double half, Apart own) {
  double off[2], worst = 0;
  const double low = smaller(0.5 * own.distance, 0);
  for (int k = 0; k < 2; ++k) {
    const Shape* s = &model.shape[p->shape[k]];
    const double sine = s->type == CAPSULE ? (p->gap - own.distance) / (2 * s->size.y) : 0;
    const double cap = sine > 0 && sine < 1 ? s->size.x * (1 - sqrt(1 - sine * sine)) : 0;
    off[k] = surface(f, p->shape[k], add(at, scale(k ? half : -half, p->normal)));
    if (isnan(off[k])) return -1;
    worst = larger(worst, smaller(fabs(off[k]), fabs(off[k] + cap)));
  }
  if (p->middle && half == 0) worst = fabs(off[0] - off[1]);
  const double inside = larger(off_interval(off[0], low, 0), off_interval(off[1], low, 0));
  return smaller(own.distance < 0 ? inside : HUGE_VAL, worst);
}

// The centre of mass of a link.
static Vec center_of(const Frames* f, int link) {
  Vec sum = {0, 0, 0};
  double mass = 0;
  for (int i = link; i < model.nbody; ++i) {
    const Body* b = &model.body[i];
    if (b->link != link) continue;
    sum = add(sum, scale(b->mass, place(f->body[i], b->com)));
    mass += b->mass;
  }
  return mass > 0 ? scale(1 / mass, sum) : f->body[link].p;
}

// A point in the middle of the step is halfway between the surfaces there; its gap is from the
// start. One that is not found there keeps its place of the start, carried by the centre of mass
// of the root of its tree, and its normal.
static void check_point(const Step* s, int i, Apart own, Result* out) {
  const Contact* p = &s->contact[i];
  const int *shape = p->shape, a = model.body[p->body[0]].link, b = model.body[p->body[1]].link;
  const Vec n = p->normal;
  double place = off_surfaces(&s->start, p, p->pos, 0.5 * p->gap, own);
  double normal = own.distance - separation(&s->start, shape[0], shape[1], n);
  if (p->middle) {
    const Frames* f = &s->middle;
    const Apart best = apart(f, shape[0], shape[1], n);
    const Vec on_b = add(p->pos, scale(0.5, p->offset));
    const int by = model.body[b ? b : a].root;
    const Vec kept = sub(on_b, sub(center_of(f, by), center_of(&s->start, by)));
    const double carried = off_surfaces(&s->start, p, kept, 0.5 * p->gap, own);
    place = off_surfaces(f, p, p->pos, 0, best);
    if (place < 0 || place <= carried)
      normal = best.distance - separation(f, shape[0], shape[1], n);
    else
      place = carried;
  }
  if (own.distance > -HUGE_VAL) enter(out, NORMAL, normal, 0, i);
  if (place < 0)
    ++out->left[UNPLACED];
  else
    enter(out, PLACE, place, s->swept ? TOUCHING : 0, i);
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
  const int unseen = own.distance == -HUGE_VAL;
  const double deep = unseen ? 0 : -own.distance;
  s->unseen |= unseen;
  s->depth = larger(s->depth, curve + larger(deep, plain ? 0 : TOUCHING));
  s->deepest = larger(s->deepest, deep);
  if (!loaded) return;
  if (!plain) out->left[SWEPT] += end - first;
  if (!plain || s->tries > 0) return;
  enter(out, GAP, own.exact ? fabs(least - own.distance) : own.distance - least, 0, first);
  for (int i = first; i < end; ++i)
    if (is_loaded(&s->contact[i])) check_point(s, i, own, out);
}

// 1 if the corner of a shape that is deepest in another, along n, was outside at the start: it
// meets it at a place of its own, whether or not the shapes touched elsewhere.
static int comes_in(const Step* s, int shape, int other, Vec n) {
  const Pose start = shape_pose(&s->start, shape), end = shape_pose(&s->end, shape);
  int known = model.shape[shape].type == BOX || model.shape[shape].type == MESH;
  const Vec corner = farthest(&model.shape[shape], turn_back(end.r, n), &known);
  return known && surface(&s->end, other, place(end, corner)) < 0 &&
         surface(&s->start, other, place(start, corner)) >= 0;
}

// A pair at the end, against its start. The correction solves its rows approximately: it may move
// two shapes into each other as far as it moves them, but not deeper than the deepest of the start
// and its tolerance. Contact that lasts may close at LASTING at the start, which its mean velocity
// contains.
static void check_end(Step* s, int a, int b, int ends_only, Result* out) {
  const Apart end = apart(&s->end, a, b, vec(0, 0, 0));
  if (end.distance >= 0) return;
  if (!end.exact) {
    ++out->left[CURVED];
    return;
  }
  const Apart start = apart(&s->start, a, b, end.normal);
  const double before = larger(0, -start.distance);
  if (ends_only) {
    enter(out, DEEP, -end.distance - before, 1e-3, a);
    return;
  }
  const double curve = curved(s, a) + curved(s, b) + 1e-5 * s->speed * s->h;
  const double motion =
      larger(travel_of_pair(s, s->twist, a, b), travel_of_pair(s, s->twist_start, a, b));
  const double rough = 1e3 * model.tolerance * norm(model.gravity) * s->h * s->h;
  const double moved =
      smaller(travel_of_pair(s, s->twist_correction, a, b), larger(0, s->deepest - before) + rough);
  const double slow = LASTING * s->h * larger(share_of(s, a), share_of(s, b));
  const int meets =
      before == 0 || comes_in(s, a, b, end.normal) || comes_in(s, b, a, scale(-1, end.normal));
  const double explained = curve + (meets ? motion : slow) + moved;
  s->depth = larger(s->depth, larger(-start.distance, -end.distance));
  enter(out, DEEP, -end.distance - before, explained, a);
}

void touch_check(Step* s, Result* out, int ends_only) {
  s->deepest = 0, s->unseen = 0;
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
      if (dot(d, d) > reach * reach) continue;
      if (model_pair(i, k, &law) && !law.special) check_end(s, i, k, ends_only, out);
    }
  }
}
