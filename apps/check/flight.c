// SPDX-License-Identifier: Apache-2.0
// Bodies in flight. Trees with a free base that touch, or are joined with, only each other are a
// group; only weight and joint forces on the bases act on it from outside. Its centre of mass flies
// along a parabola, and its angular momentum about it stays:
//
//     P⁺ = P + h m g,     c⁺ = c + h P / m + h² g / 2,     L_c⁺ = L_c.
//
// The velocities v⁺ of such a group may differ from v_s, since no scheme in joint coordinates has
// these invariants by itself; so may velocities of trees with loops or ball joints at their
// limits, whose energy is restored. All other trees have v⁺ = v_s.
#include <math.h>

#include "check.h"

static int group[BODIES];  // by tree: another tree of the group, or itself

static int group_of(int tree) {
  while (group[tree] != tree) tree = group[tree];
  return tree;
}

static void join(int a, int b) {
  const int x = group_of(model.body[a].root), y = group_of(model.body[b].root);
  if (x < y)
    group[y] = x;  // the world is 0 and stays the first
  else
    group[x] = y;
}

typedef struct Momentum {
  double mass, spin;  // spin: sum of sizes
  Vec com, linear, angular, weight;
} Momentum;

// Sums over a group; angular momentum about `about`.
static Momentum momentum_of(const Frames* f, const Twist* t, int of, Vec about) {
  Momentum s = {0};
  for (int i = 1; i < model.nbody; ++i) {
    const Body* b = &model.body[i];
    if (b->root == 0 || group_of(b->root) != of) continue;
    const Vec c = place(f->body[i], b->com), p = scale(b->mass, point_velocity(f, t, i, c));
    const Vec own = spin_of(f, i, t[i].w);
    s.mass += b->mass;
    s.com = add(s.com, scale(b->mass, c));
    s.linear = add(s.linear, p);
    s.weight = add(s.weight, scale(b->mass * b->weight, model.gravity));
    s.angular = add(s.angular, add(own, cross(sub(c, about), p)));
    s.spin += norm(own) + norm(sub(c, about)) * norm(p);
  }
  s.com = scale(s.mass > 0 ? 1 / s.mass : 0, s.com);
  return s;
}

static void check_group(const Step* s, const Twist* end, int of, Result* out) {
  const double h = s->h;
  const Vec none = {0, 0, 0}, c0 = momentum_of(&s->start, s->twist_start, of, none).com,
            c1 = momentum_of(&s->end, end, of, none).com;
  const Momentum a = momentum_of(&s->start, s->twist_start, of, c0),
                 b = momentum_of(&s->end, end, of, c1);
  if (!(a.mass > 0)) return;
  const Vec gain = sub(sub(b.linear, a.linear), scale(h, a.weight));
  const Vec path = scale(1 / a.mass, add(scale(h, a.linear), scale(0.5 * h * h, a.weight)));
  const double push = norm(a.linear) + h * norm(a.weight) + 1e-300;
  const double far = norm(path) + 1e-6 * (norm(c0) + norm(c1)) + 1e-300;
  const double spin = a.spin + b.spin + h * push + 1e-300;
  double force = 0, torque = 0;  // of wrenches and couplings on the bases, times h
  for (int i = 1; i < model.nbody; ++i) {
    const double* x = s->scheme_force + model.body[i].dof;
    if (model.body[i].root != i || group_of(i) != of) continue;
    const double f = h * norm(vec(x[0], x[1], x[2])), n = h * norm(vec(x[3], x[4], x[5]));
    force += f, torque += n + 2 * norm(sub(c0, s->middle.body[i].p)) * f;
  }
  enter(out, MOMENTUM, norm(gain) / push, force / push, of);
  enter(out, MOMENTUM, norm(sub(sub(c1, c0), path)) / far, h * force / a.mass / far, of);
  enter(out, MOMENTUM, norm(sub(b.angular, a.angular)) / spin, torque / spin, of);
}

// 1 if a tree floats; *pushed: joint forces act on its base.
static int floats(const Step* s, int tree, int* pushed) {
  const Joint* j = &model.joint[model.body[tree].joint];
  *pushed = 0;
  for (int k = 0; k < 6 && j->type == FREE; ++k) *pushed |= s->joint_force[j->dof + k] != 0;
  return j->type == FREE;
}

void flight_check(const Step* s, Result* out) {
  static Twist end[BODIES];
  static char held[BODIES], tied[BODIES];
  for (int i = 0; i < model.nbody; ++i) group[i] = i, held[i] = tied[i] = 0;
  for (int i = 0; i < s->contacts; ++i) join(s->contact[i].body[0], s->contact[i].body[1]);
  for (int i = 0; i < s->rows; ++i) {
    const Row* r = &s->row[i];
    const Equality* e = r->kind == EQUAL ? &model.equality[r->index] : NULL;
    const int joints = e && e->type == JOINT_EQUALITY;
    if (r->kind == LIMIT && model.dof[r->index].q < 0) tied[root_of(r->index)] = 1;
    if (!e || e->type == TENDON_EQUALITY) continue;
    const int first = e->object[0], last = e->object[e->objects - 1];
    const int a = joints ? body_of(first) : first, b = joints ? body_of(last) : last;
    join(a, b);
    tied[model.body[a].root] = tied[model.body[b].root] = 1;
  }
  for (int i = 1; i < model.nbody; ++i) {
    int pushed;
    if (model.body[i].root != i) continue;
    if (!floats(s, i, &pushed)) held[group_of(i)] = 1;
    if (pushed) held[group_of(i)] |= 2;
    if (tied[i]) tied[group_of(i)] = 1;
  }
  held[0] = 1;
  twists_find(&s->end, s->v_end, end);
  for (int i = 1; i < model.nbody; ++i) {
    if (model.body[i].root != i || group_of(i) != i || held[i] & 1) continue;
    if (held[i] || s->restrained > 0)
      ++out->left[FLIGHT];
    else
      check_group(s, end, i, out);
  }
  for (int i = 0; i < model.nv; ++i) {
    const int tree = group_of(root_of(i));
    const int kept = !(held[tree] & 1) || tied[tree] || s->lost > 0;
    const double most = larger(fabs(s->v_solved[i]), fabs(s->v_end[i]));
    enter(out, KEPT, fabs(s->v_end[i] - s->v_solved[i]), kept ? 0.2 * (s->speed + most) : 0, i);
  }
}
