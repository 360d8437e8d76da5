// SPDX-License-Identifier: Apache-2.0
// The laws of contact points and of rows.
//
// A contact point with impulse r = h f and velocity u (normal part first, with the room that its
// gap leaves) obeys Coulomb's law if r is the point of its friction cone that is nearest to
// r - û / w, û = u + µ |u_t| n, for any w > 0 (De Saxcé and Feng 1998). The distance times w is the
// error, a velocity. w is a lower bound of the mobility, computed here, so that no number of the
// file can make the error small.
#include <math.h>

#include "check.h"

// ---- velocities

static Vec contact_velocity(const Frames* f, const Twist* t, const Contact* c) {
  const Vec b = add(c->pos, scale(0.5, c->offset)), a = sub(c->pos, scale(0.5, c->offset));
  return sub(point_velocity(f, t, c->body[1], b), point_velocity(f, t, c->body[0], a));
}

// The scale of velocities: the largest at a contact point or row before or after, and what gravity
// adds in the step. An error of the law is a change of its velocity, which is a sum of velocities
// that forces bring in; so its backward error is relative to the largest of these, too: w r <= W_ii
// r_i of a contact point.
static double weight_of(const Step* s, const Contact* c) {
  return mobility(&s->middle, s->inertia, c->body[0], c->pos) +
         mobility(&s->middle, s->inertia, c->body[1], c->pos);
}

void law_scale(Step* s) {
  s->push = 0;
  s->speed = norm(model.gravity) * s->h + 1e-300;
  s->swept = 0;
  for (int i = 0; i < s->contacts; ++i) {
    const Contact* c = &s->contact[i];
    s->swept |= c->time > 0;
    s->speed = larger(s->speed, norm(contact_velocity(&s->middle, s->twist, c)));
    s->speed = larger(s->speed, norm(contact_velocity(&s->start, s->twist_start, c)));
    s->push = larger(s->push, s->h * weight_of(s, c) * norm(c->force));
  }
  for (int i = 0; i < s->rows; ++i) {
    const int dof = s->row[i].index;
    if (s->row[i].kind > DRY) continue;
    s->speed = larger(s->speed, larger(fabs(s->v[dof]), fabs(s->v_solved[dof])));
  }
}

// ---- contact points

// w |r - P(r - û / w)|.
static double cone_error(double rn, double r1, double r2, double un, double u1, double u2,
                         double mu, double w) {
  const double x = rn - (un + mu * hypot(u1, u2)) / w, y = r1 - u1 / w, z = r2 - u2 / w;
  const double t = hypot(y, z), flank = (x + mu * t) / (1 + mu * mu);
  const double n = larger(0, t <= mu * x ? x : flank), part = t > mu * n ? mu * n / t : 1;
  return w * sqrt((rn - n) * (rn - n) + (r1 - part * y) * (r1 - part * y) +
                  (r2 - part * z) * (r2 - part * z));
}

// Coefficients of the file against the model's, and forces beyond their cones, as changes of µ.
// f: force along normal and tangents, the last over the anisotropy.
static void check_friction(const Contact* c, const Law* law, Vec f, int i, Result* out) {
  const Vec n = c->normal;
  const double a = law->friction2 > 0 && law->friction > 0 ? law->friction2 / law->friction : 1;
  const double mu = law->dim < 3 ? 0 : larger(c->friction, c->kinetic);
  const double tiny = 1e-9 * model.body[model.body[c->body[1]].link].mass * norm(model.gravity);
  const double off = fabs(norm(n) - 1) + fabs(norm(c->tangent) - 1) + fabs(dot(n, c->tangent));
  const double over = larger(hypot(f.y, f.z) - mu * f.x, -f.x) / (fabs(f.x) + tiny + 1e-300);
  const double spin = dot(c->torque, n), roll = norm(sub(c->torque, scale(spin, n)));
  const double most_spin = law->dim < 4 ? 0 : law->torsion * f.x;
  const double most_roll = law->dim < 6 ? 1e-12 * fabs(spin) : law->rolling * f.x;
  enter(out, FRICTION, off, 0, i);
  enter(out, FRICTION, over, 0, i);
  if (law->dim >= 3) {
    enter(out, FRICTION, fabs(c->kinetic - law->kinetic), 0, i);
    enter(out, FRICTION, larger(c->friction - law->friction, law->kinetic - c->friction), 0, i);
    enter(out, FRICTION, fabs(c->anisotropy - a), 0, i);
  }
  out->left[TORQUES] += law->dim >= 4;
  if (fabs(spin) > most_spin) enter(out, FRICTION, fabs(spin) / (most_spin + 1e-300) - 1, 0, i);
  if (roll > most_roll) enter(out, FRICTION, roll / (most_roll + 1e-300) - 1, 0, i);
}

// The room of a contact point or limit: how fast it may close. If an impact in its island divides
// the step at the share s, bodies move with v before and with v_s after it, and the room is what is
// left of the gap then. Bodies that meet within the step are as far apart as TOUCHING.
static void check_room(const Step* s, int tree, double gap, double speed, double bias, int at,
                       Result* out) {
  const double ignored = 10 * model.tolerance * norm(model.gravity) * s->h;  // by Heft
  const double h = s->h, share = s->share[tree], rest = (1 - share) * h;
  const double room = larger(gap / h, 0), left = larger(gap + share * h * speed, 0);
  const double plain = h * larger(bias - room, larger(room - ignored, 0) - bias);
  const double shared = share < 1 ? fabs(rest * bias - left) : HUGE_VAL;
  enter(out, ROOM, smaller(plain, shared), s->swept ? TOUCHING : 0, at);
}

// The error of the law of a contact point. With restitution, impulses of several impacts add up:
// the point stays, or leaves with at most that share of the fastest velocity; how it slid in
// between is not known. Between the two cones of static and kinetic friction it may stick.
static double law_error(const Step* s, const Contact* c, const Law* law, Vec f) {
  const Vec u = add(contact_velocity(&s->middle, s->twist, c), c->turning), n = c->normal;
  const double h = s->h, a = c->anisotropy > 0 ? c->anisotropy : 1, w = weight_of(s, c);
  const double rn = h * f.x, r1 = h * f.y, r2 = h * f.z, mu = law->dim < 3 ? 0 : law->kinetic;
  const double u1 = law->dim < 3 ? 0 : dot(u, c->tangent), un = dot(u, n);
  const double u2 = law->dim < 3 ? 0 : a * dot(u, cross(n, c->tangent));
  const double room = larger(c->gap, 0) / h, leaves = clamp(un, 0, law->restitution * s->speed);
  if (!(w > 0)) return 0;
  double e = cone_error(rn, r1, r2, un + c->bias, u1, u2, mu, w);
  if (law->restitution > 0) {
    e = smaller(e, cone_error(rn, r1, r2, un + room, u1, u2, mu, w));
    e = smaller(e, cone_error(rn, r1, r2, un - leaves, 0, 0, mu, w));
  }
  if (law->dim >= 3 && c->friction > law->kinetic) {
    const double sticks = cone_error(rn, r1, r2, un + c->bias, u1, u2, c->friction, w);
    e = smaller(e, larger(sticks, hypot(u1, u2)));
  }
  return e;
}

void law_contacts(const Step* s, Result* out) {
  for (int i = 0; i < s->contacts; ++i) {
    const Contact* c = &s->contact[i];
    const Vec n = c->normal, t2 = cross(n, c->tangent);
    const double a = c->anisotropy > 0 ? c->anisotropy : 1;
    const Vec f = vec(dot(c->force, n), dot(c->force, c->tangent), dot(c->force, t2) / a);
    const int root[2] = {model.body[c->body[0]].root, model.body[c->body[1]].root};
    Law law;
    if (!model_pair(c->shape[0], c->shape[1], &law)) {
      enter(out, FRICTION, 1, 0, i);  // these two do not collide
      continue;
    }
    if (law.special || !model.exact || c->softness > 0 || model.conveyors > 0) {
      ++out->left[SPECIAL];
      continue;
    }
    check_friction(c, &law, f, i, out);
    out->left[BLOCKED] += s->tries > 0;
    out->left[BOUNCED] += law.restitution > 0;
    if (s->tries == 0 && !(law.restitution > 0) && f.x > 0)
      check_room(s, root[1] ? root[1] : root[0], c->gap,
                 dot(n, contact_velocity(&s->start, s->twist_start, c)), c->bias, i, out);
    enter(out, LAW, law_error(s, c, &law, f) / (s->speed + s->push) + ROUNDING, 0, i);
  }
}

// ---- rows

static Vec equality_point(const Frames* f, const Equality* e, int side) {
  return place(f->body[e->object[side]], e->anchor[side]);
}

static double dof_value(const double* q, int dof) {
  const int at = model.dof[dof].q;
  return q[at] - model.q_default[at];
}

// Error of an equality at a configuration: three lengths and three angles, or one number.
static void equality_error(const Frames* f, const double* q, const Equality* e, double out[6]) {
  for (int k = 0; k < 6; ++k) out[k] = 0;
  if (e->type == JOINT_EQUALITY) {
    const double x = e->objects > 1 ? dof_value(q, e->object[1]) : 0, *p = e->poly;
    out[0] = dof_value(q, e->object[0]) - (p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4]))));
  } else if (e->type <= WELD) {
    const Vec d = sub(equality_point(f, e, 0), equality_point(f, e, 1));
    out[0] = d.x, out[1] = d.y, out[2] = d.z;
    if (e->type != WELD) return;
    const Mat wanted = product(f->body[e->object[0]].r, from_quaternion(e->quat));
    const Vec a = turn(wanted, angle_between(f->body[e->object[1]].r, wanted));
    out[3] = a.x, out[4] = a.y, out[5] = a.z;
  }
}

// The dofs that a row acts on, and its velocity while each moves with unit speed.
typedef struct Arms {
  int count, dof[2 * NUMBERED];
  double arm[2 * NUMBERED];
} Arms;

static void put_arm(Arms* to, int dof, double arm) {
  to->dof[to->count] = dof;
  to->arm[to->count++] = arm;
}

static Vec ball_angle(const double* q, int dof) {
  return angle_between(identity(), from_quaternion(q + model.joint[model.dof[dof].joint].q));
}

static int is_ball(int dof) { return model.joint[model.dof[dof].joint].type == BALL; }

static void put_equality(const Frames* f, const double* q, const Row* r, Arms* out) {
  const Equality* e = &model.equality[r->index];
  const int axis = r->component % 3;
  const Vec along = vec(axis == 0, axis == 1, axis == 2), none = {0, 0, 0};
  if (e->type == JOINT_EQUALITY) {
    const double x = e->objects > 1 ? dof_value(q, e->object[1]) : 0, *p = e->poly;
    put_arm(out, e->object[0], 1);
    if (e->objects > 1)
      put_arm(out, e->object[1], -(p[1] + x * (2 * p[2] + x * (3 * p[3] + x * 4 * p[4]))));
  }
  for (int k = 0; k < 2 && e->type <= WELD; ++k) {
    const Vec point = equality_point(f, e, k);
    for (int b = e->object[k]; b > 0; b = model.body[b].parent) {
      for (int i = model.body[b].dof; i < model.body[b].dof_end; ++i) {
        const Vec moves = r->component < 3 ? dof_moves(f, i, point)
                          : dof_turns(i)   ? f->axis[i]
                                           : none;
        put_arm(out, i, (k ? -1 : 1) * dot(along, moves));
      }
    }
  }
}

static const Arms* arms_of(const Step* s, const Row* r) {
  static Arms out;
  const double* q = r->middle ? s->q_middle : s->q;
  out.count = 0;
  if (r->kind == EQUAL) {
    put_equality(&s->middle, q, r, &out);
  } else if (r->kind == LIMIT && is_ball(r->index)) {  // the direction in which the angle shrinks
    const Vec in = unit(scale(-1, ball_angle(q, r->index)));
    const double part[3] = {in.x, in.y, in.z};
    for (int k = 0; k < 3; ++k)
      put_arm(&out, model.joint[model.dof[r->index].joint].dof + k, part[k]);
  } else if (r->kind <= DRY) {
    put_arm(&out, r->index, r->kind == LIMIT && r->component ? -1 : 1);
  }
  return &out;
}

static double row_velocity(const Step* s, const Row* r, const double* v) {
  const Arms* x = arms_of(s, r);
  double sum = 0;
  for (int i = 0; i < x->count; ++i) sum += x->arm[i] * v[x->dof[i]];
  return sum;
}

// The distance to a limit.
static double limit_gap(const double* q, int dof, int upper) {
  const Dof* d = &model.dof[dof];
  if (is_ball(dof)) return d->range[1] - norm(ball_angle(q, dof));
  return d->q < 0 ? 0 : upper ? d->range[1] - q[d->q] : q[d->q] - d->range[0];
}

void law_forces(const Step* s, double* force, double* size) {
  for (int i = 0; i < s->contacts; ++i) {
    const Contact* c = &s->contact[i];
    const Vec half = scale(0.5, c->offset);
    wrench_add(&s->middle, c->body[1], add(c->pos, half), c->force, c->torque);
    wrench_add(&s->middle, c->body[0], sub(c->pos, half), scale(-1, c->force),
               scale(-1, c->torque));
  }
  for (int i = 0; i < s->rows; ++i) {
    const Arms* x = arms_of(s, &s->row[i]);
    for (int k = 0; k < x->count; ++k) {
      const double part = x->arm[k] * s->row[i].force;
      force[x->dof[k]] += part, size[x->dof[k]] += fabs(part);
    }
  }
}

static void check_row(Step* s, const Row* r, int i, Result* out) {
  const int dof = r->index;
  if (r->kind > EQUAL || (r->kind == EQUAL && model.equality[dof].type == TENDON_EQUALITY)) return;
  const double impulse = s->h * r->force, u = row_velocity(s, r, s->v_solved) + r->bias;
  if (r->kind == EQUAL) {
    enter(out, ROW, fabs(u) / s->speed, 0, i);
    return;
  }
  const Dof* d = &model.dof[dof];
  const int dry = r->kind == DRY;
  const double w = s->inertia[dof] > 0 ? 1 / s->inertia[dof] : 0;
  const double most = dry ? s->h * d->friction : HUGE_VAL, least = dry ? -most : 0;
  enter(out, ROW, w * fabs(impulse - clamp(impulse - u / w, least, most)) / s->speed, 0, i);
  if (dry) enter(out, ROW, (fabs(impulse) - most * (1 + 1e-12)) / (most + 1e-300), 0, i);
  out->left[BOUNCED] += !dry && d->restitution > 0;
  if (!dry && !r->middle && !(d->restitution > 0))
    check_room(s, root_of(dof), limit_gap(s->q, dof, r->component), row_velocity(s, r, s->v),
               r->bias, i, out);
}

// How far the turning of its links may open a loop in the step: (hω)² times its distance from the
// root of its tree.
static double opened(const Step* s, const Equality* e) {
  double sum = 0;
  for (int k = 0; k < 2 && e->type <= WELD; ++k) {
    const int body = e->object[k], root = model.body[body].root;
    const double w = s->h * larger(norm(s->twist[body].w), norm(s->twist_start[body].w));
    sum += w * w * norm(sub(equality_point(&s->start, e, k), s->start.body[root].p));
  }
  return sum;
}

// How far a dof is beyond its range.
static double beyond(const double* q, int dof) {
  return model.dof[dof].limited ? -smaller(limit_gap(q, dof, 0), limit_gap(q, dof, 1)) : 0;
}

// How far a turn across its angle may widen the angle of a ball joint: (hω)² over the angle.
static double widened(const Step* s, int dof) {
  const double* v = s->v_mean + dof;
  const double w = s->h * norm(vec(v[0], v[1], v[2]));
  return is_ball(dof) ? w * w / (larger(model.dof[dof].range[1], w) + 1e-300) : 0;
}

void law_rows(Step* s, Result* out, int ends_only) {
  for (int i = 0; i < s->rows && !ends_only; ++i) check_row(s, &s->row[i], i, out);
  for (int i = 0; i < model.nv; ++i) {
    const double before = larger(0, beyond(s->q, i));
    s->depth = larger(s->depth, before);
    enter(out, RANGE, beyond(s->q_end, i) - before, ends_only ? 0 : widened(s, i), i);
  }
  for (int i = 0; i < model.nequality; ++i) {
    const Equality* e = &model.equality[i];
    double before[6], after[6];
    if (!e->active) continue;
    equality_error(&s->start, s->q, e, before), equality_error(&s->end, s->q_end, e, after);
    if (!ends_only) s->depth = larger(s->depth, opened(s, e));
    for (int k = 0; k < 6; ++k) {
      s->depth = larger(s->depth, fabs(before[k]));
      enter(out, LOOP, fabs(after[k]) - fabs(before[k]), 0, i);
    }
  }
  static char found[NUMBERED];
  for (int i = 0; i < model.nv; ++i) found[i] = 0;
  for (int i = 0; i < s->rows; ++i)
    if (s->row[i].kind == DRY) found[s->row[i].index] = 1;
  for (int i = 0; i < model.nv; ++i)
    if (model.dof[i].friction > 0 && !found[i]) enter(out, ROW, 1, 0, i);
}
