// SPDX-License-Identifier: Apache-2.0
// Kinematics and the balance of forces, by Newton and Euler, body by body in world axes.
//
// A joint is passed dof by dof. A rotation with the axis a through the point p leaves velocity and
// acceleration of p as they are and changes ω' = ω + a v, α' = α + a v̇ + ω × a v. A shift along a
// changes the acceleration by a v̇ + 2 ω × a v. The three rotations of a ball or free joint are
// about axes of the body itself, for which ω' × (R v) = ω × (R v): they use the ω before.
//
// The body needs the force m (a_c - g) and the torque I α + ω × I ω at its centre of mass. From the
// leaves inwards, forces and torques of all bodies beyond a joint, less the wrenches that act on
// them, are what the joint transmits; its component along a dof is the force that the dof needs.
#include <math.h>

#include "check.h"

static Vec acting_f[BODIES], acting_n[BODIES];  // wrenches at the origins of bodies
static double size_f[BODIES], size_n[BODIES];   // sums of the sizes of all terms

int dof_turns(int dof) {
  const Joint* j = &model.joint[model.dof[dof].joint];
  return j->type == FREE ? dof - j->dof >= 3 : j->type != SLIDE;
}

Vec dof_moves(const Frames* f, int dof, Vec point) {
  return dof_turns(dof) ? cross(f->axis[dof], sub(point, f->through[dof])) : f->axis[dof];
}

static void pass_free(Frames* f, Pose* x, const Joint* j, const double* q) {
  const Vec e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int ball = j->type == BALL, first = j->dof + (ball ? 0 : 3);
  if (ball) {
    const Vec anchor = place(*x, j->pos);
    x->r = product(x->r, from_quaternion(q));
    x->p = sub(anchor, turn(x->r, j->pos));
  } else {
    *x = (Pose){from_quaternion(q + 3), vec(q[0], q[1], q[2])};
    for (int k = 0; k < 3; ++k) f->axis[j->dof + k] = e[k], f->through[j->dof + k] = x->p;
  }
  const Vec r[3] = {x->r.x, x->r.y, x->r.z};
  for (int k = 0; k < 3; ++k) {
    f->axis[first + k] = r[k];
    f->through[first + k] = ball ? place(*x, j->pos) : x->p;
  }
}

static void pass_joint(Frames* f, Pose* x, const Joint* j, const double* q) {
  if (j->type >= BALL) {
    pass_free(f, x, j, q + j->q);
    return;
  }
  const Vec anchor = place(*x, j->pos), by = scale(q[j->q] - model.q_default[j->q], j->axis);
  double turned[4];
  f->axis[j->dof] = turn(x->r, j->axis);
  f->through[j->dof] = anchor;
  exponential(by, turned);
  if (j->type == HINGE) x->r = product(x->r, from_quaternion(turned));
  x->p = j->type == HINGE ? sub(anchor, turn(x->r, j->pos)) : add(x->p, turn(x->r, by));
}

void frames_find(Frames* f, const double* q) {
  f->body[0] = (Pose){identity(), {0, 0, 0}};
  for (int i = 1; i < model.nbody; ++i) {
    const Body* b = &model.body[i];
    const Pose* up = &f->body[b->parent];
    Pose x = {product(up->r, b->r), place(*up, b->pos)};
    for (int k = b->joint; k < b->joint_end; ++k) pass_joint(f, &x, &model.joint[k], q);
    f->body[i] = x;
  }
}

void twists_find(const Frames* f, const double* v, Twist* out) {
  out[0] = (Twist){{0, 0, 0}, {0, 0, 0}};
  for (int i = 1; i < model.nbody; ++i) {
    const Body* b = &model.body[i];
    const Vec x = f->body[i].p;
    Twist t = {out[b->parent].w, point_velocity(f, out, b->parent, x)};
    for (int k = b->dof; k < b->dof_end; ++k) {
      t.v = add(t.v, scale(v[k], dof_moves(f, k, x)));
      if (dof_turns(k)) t.w = add(t.w, scale(v[k], f->axis[k]));
    }
    out[i] = t;
  }
}

Vec point_velocity(const Frames* f, const Twist* t, int body, Vec point) {
  return add(t[body].v, cross(t[body].w, sub(point, f->body[body].p)));
}

void advance(const double* from, const double* v, double h, double* to) {
  for (int i = 0; i < model.njoint; ++i) {
    const Joint* j = &model.joint[i];
    const int plain = j->type == BALL ? 0 : j->type == FREE ? 3 : 1;
    for (int k = 0; k < plain; ++k) to[j->q + k] = from[j->q + k] + h * v[j->dof + k];
    if (j->type < BALL) continue;
    const double *q = from + j->q + plain, *w = v + j->dof + plain;
    double p[4];
    exponential(scale(h, vec(w[0], w[1], w[2])), p);
    double* out = to + j->q + plain;
    out[0] = q[0] * p[0] - q[1] * p[1] - q[2] * p[2] - q[3] * p[3];
    out[1] = q[0] * p[1] + q[1] * p[0] + q[2] * p[3] - q[3] * p[2];
    out[2] = q[0] * p[2] - q[1] * p[3] + q[2] * p[0] + q[3] * p[1];
    out[3] = q[0] * p[3] + q[1] * p[2] - q[2] * p[1] + q[3] * p[0];
  }
}

void difference(const double* from, const double* to, double* v) {
  for (int i = 0; i < model.njoint; ++i) {
    const Joint* j = &model.joint[i];
    const int plain = j->type == BALL ? 0 : j->type == FREE ? 3 : 1;
    for (int k = 0; k < plain; ++k) v[j->dof + k] = to[j->q + k] - from[j->q + k];
    if (j->type < BALL) continue;
    const Vec a =
        angle_between(from_quaternion(from + j->q + plain), from_quaternion(to + j->q + plain));
    v[j->dof + plain] = a.x, v[j->dof + plain + 1] = a.y, v[j->dof + plain + 2] = a.z;
  }
}

// ---- forces

void wrench_clear(void) {
  for (int i = 0; i < model.nbody; ++i) {
    acting_f[i] = acting_n[i] = vec(0, 0, 0);
    size_f[i] = size_n[i] = 0;
  }
}

void wrench_add(const Frames* f, int body, Vec point, Vec force, Vec torque) {
  const Vec arm = sub(point, f->body[body].p);
  acting_f[body] = add(acting_f[body], force);
  acting_n[body] = add(acting_n[body], add(torque, cross(arm, force)));
  size_f[body] += norm(force);
  size_n[body] += norm(torque) + norm(arm) * norm(force);
}

typedef struct Moving {
  Vec x, w, alpha, acc;  // a point, angular velocity and acceleration, acceleration of the point
} Moving;

static void carry(Moving* s, Vec x) {
  const Vec arm = sub(x, s->x);
  s->acc = add(s->acc, add(cross(s->alpha, arm), cross(s->w, cross(s->w, arm))));
  s->x = x;
}

static Moving move_body(const Frames* f, int body, Moving s, const double* v, const double* a) {
  const Body* b = &model.body[body];
  Vec before = s.w;
  for (int k = b->dof; k < b->dof_end; ++k) {
    const Joint* j = &model.joint[model.dof[k].joint];
    const Vec axis = f->axis[k], speed = scale(v[k], axis), gain = scale(a[k], axis);
    if (j->type == FREE && k == j->dof)
      s = (Moving){f->body[body].p, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    if (j->type < BALL || k == j->dof) before = s.w;
    if (dof_turns(k)) {
      carry(&s, f->through[k]);
      s.alpha = add(s.alpha, add(gain, cross(before, speed)));
      s.w = add(s.w, speed);
    } else {
      s.acc = add(s.acc, add(gain, scale(2, cross(s.w, speed))));
    }
  }
  carry(&s, f->body[body].p);
  return s;
}

Vec spin_of(const Frames* f, int body, Vec w) {
  const double* i = model.body[body].inertia;
  const Vec a = turn_back(f->body[body].r, w);
  return turn(f->body[body].r,
              vec(i[0] * a.x + i[3] * a.y + i[4] * a.z, i[3] * a.x + i[1] * a.y + i[5] * a.z,
                  i[4] * a.x + i[5] * a.y + i[2] * a.z));
}

// Force and torque that a body needs at its origin.
static void need_of_body(const Frames* f, int body, Moving s, Vec* force, Vec* torque) {
  const Body* b = &model.body[body];
  const Vec arm = turn(f->body[body].r, b->com);
  carry(&s, add(f->body[body].p, arm));
  const Vec weight = scale(b->weight * b->mass, model.gravity), push = scale(b->mass, s.acc);
  const Vec spin = spin_of(f, body, s.w), swing = spin_of(f, body, s.alpha);
  *force = sub(push, weight);
  *torque = add(add(swing, cross(s.w, spin)), cross(arm, *force));
  size_f[body] += norm(push) + norm(weight);
  size_n[body] += norm(swing) + norm(s.w) * norm(spin) + norm(arm) * (norm(push) + norm(weight));
}

void forces_needed(const Frames* f, const double* v, const double* a, double* need, double* size,
                   double* rounding) {
  static Moving s[BODIES];
  static Vec force[BODIES], torque[BODIES];
  s[0] = (Moving){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  force[0] = torque[0] = vec(0, 0, 0);
  for (int i = 1; i < model.nbody; ++i) {
    s[i] = move_body(f, i, s[model.body[i].parent], v, a);
    need_of_body(f, i, s[i], &force[i], &torque[i]);
    force[i] = sub(force[i], acting_f[i]);
    torque[i] = sub(torque[i], acting_n[i]);
  }
  for (int i = model.nbody - 1; i > 0; --i) {
    const int parent = model.body[i].parent;
    const Vec x = f->body[i].p, arm = sub(x, f->body[parent].p);
    const Body* b = &model.body[i];
    for (int k = b->dof; k < b->dof_end; ++k) {
      const Vec lever = sub(x, f->through[k]);
      const Vec about = dof_turns(k) ? add(torque[i], cross(lever, force[i])) : force[i];
      need[k] = dot(f->axis[k], about) + model.dof[k].armature * a[k];
      size[k] = dof_turns(k) ? size_n[i] + norm(lever) * size_f[i] : size_f[i];
      size[k] += fabs(model.dof[k].armature * a[k]);
      rounding[k] = ROUNDING * norm(sub(x, f->body[b->root].p)) * size_f[i];
    }
    force[parent] = add(force[parent], force[i]);
    torque[parent] = add(torque[parent], add(torque[i], cross(arm, force[i])));
    size_f[parent] += size_f[i];
    size_n[parent] += size_n[i] + norm(arm) * size_f[i];
  }
}

// Of each body, the energy of its motion when one dof moves with unit velocity, twice.
void inertias_find(const Frames* f, double* out) {
  for (int k = 0; k < model.nv; ++k) out[k] = model.dof[k].armature;
  for (int i = 1; i < model.nbody; ++i) {
    const Body* b = &model.body[i];
    const Vec c = place(f->body[i], b->com);
    for (int above = i; above > 0; above = model.body[above].parent) {
      for (int k = model.body[above].dof; k < model.body[above].dof_end; ++k) {
        const Vec a = f->axis[k], v = dof_moves(f, k, c);
        out[k] += b->mass * dot(v, v) + (dof_turns(k) ? dot(a, spin_of(f, i, a)) : 0);
      }
    }
  }
}

double mobility(const Frames* f, const double* inertia, int body, Vec point) {
  double most = 0;
  for (; body > 0; body = model.body[body].parent) {
    const Body* b = &model.body[body];
    for (int k = b->dof; k < b->dof_end; ++k) {
      const Vec j = dof_moves(f, k, point);
      if (inertia[k] > 0) most = larger(most, dot(j, j) / (3 * inertia[k]));
    }
  }
  return most;
}
